"""The same job on a Dask cluster, `dask://HOST:PORT`: shoes are counted by their numbers, whoever counts them.

The work is cut into pieces, ranges of shoes, and a piece that was lost with its worker is dealt again by another.
Pieces are added in their order, each once, so that every partial sum is what one machine counts of as many shoes.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

from puntobanco.cards import Shoe, shown
from puntobanco.dealing import BurnAndCut
from puntobanco.errors import Fault, InputError
from puntobanco.extras import optional_package
from puntobanco.games import find_game
from puntobanco.rules.game import Game
from puntobanco.simulate.jobs import Job, Tally, prepare, tally
from puntobanco.simulate.tables import Outcomes

Client = Any
Future = Any
"""Those of Dask, which is loaded only when a cluster is asked for and has no types for most of what is called."""

SCHEME = "dask"
SECONDS_TO_CONNECT = 10.0
PIECES_AT_LEAST = 64
MOST_SHOES = 131_072
"""Of a piece: some ten million rounds, so that what Dask adds to each does not show."""
MOST_PIECES_UNDERWAY = 1_024


@dataclass(frozen=True)
class Patience:
    """How long a cluster that does nothing is waited for, in seconds."""

    seconds_until_told: float = 5.0
    seconds_without_workers: float = 60.0


USUAL_PATIENCE = Patience()


@dataclass(frozen=True)
class PortableJob:
    """All that a worker needs to prepare the job again: a game does not travel, its name and its digest do."""

    game: str
    reading: tuple[tuple[str, str], ...]
    bonuses: tuple[tuple[str, int], ...]
    digest: str
    counts: tuple[int, ...]
    dealing: BurnAndCut
    seed: int
    rounds: int | None

    @classmethod
    def of(cls, job: Job) -> "PortableJob":
        """The job as it travels; refused where workers could not know its rules."""
        game = job.game
        bonuses = tuple(game.fixed_amounts.items())
        counts = job.tables.shoe.counts
        reading = tuple(game.reading.items())
        portable = cls(game.id, reading, bonuses, game.digest, counts, job.dealing, job.seed, job.rounds)
        if portable.declared_here().digest != game.digest:
            raise InputError(
                "unknown-game", f"A cluster cannot know the rules of this {game.id}, which differ from those declared."
            )
        return portable

    def declared_here(self) -> Game:
        """The game of that name, reading and bonuses as this machine declares it."""
        return find_game(self.game).read_as(**dict(self.reading)).with_bonuses(dict(self.bonuses))


@lru_cache(maxsize=4)
def prepare_again(portable: PortableJob) -> Job:
    """The job on a worker; refused where the rules are not those of whoever sent it."""
    try:
        game = portable.declared_here()
    except InputError:  # Not even a game, a reading or a bonus of that name.
        game = None
    if game is None or game.digest != portable.digest:
        raise Fault(
            "different-rules",
            f"A worker of the cluster has other rules of {portable.game}: install the same puntobanco on all machines.",
        )
    return prepare(game, portable.seed, Shoe(game.pack, portable.counts), portable.dealing, portable.rounds)


Counted = list[tuple[Outcomes, int]]


def count_piece(portable: PortableJob, first: int, shoes: int) -> Counted:
    """What a worker does. Dask runs a piece on each of its threads, so a piece has but one."""
    return [*tally(prepare_again(portable), first, shoes, threads=1).outcomes.items()]


def tally_on_cluster(
    address: str,
    job: Job,
    first: int,
    shoes: int,
    report: Callable[[Tally], None] | None = None,
    *,
    notice: Callable[[str], None] = lambda sentence: None,
    patience: Patience = USUAL_PATIENCE,
) -> Tally:
    """What `tally(job, first, shoes)` counts, dealt by the workers of the cluster at `dask://HOST:PORT`.

    Each time that more shoes from the first on are complete, report is called with the tally of them: whatever becomes
    of the cluster, that much has been counted. When it has no workers, notice is called with a sentence that says so;
    when none have come for long, it is a Fault.
    """
    total = tally(job, first, 0)
    tally(job, first + shoes, 0)  # Refuses numbers of shoes that do not exist before a cluster is asked.
    scheduler = scheduler_address(address)
    portable = PortableJob.of(job)
    with _connected(address, scheduler) as client:
        watch = _Watch(client, patience, notice)
        watch.look()  # Where there are no workers to begin with, that is said at once.
        for piece in _in_order(watch, portable, first, shoes):
            total += Tally(job.game, piece.shoes, sum(rounds for _, rounds in piece.counted), dict(piece.counted))
            if report is not None:
                report(total)
    return total


def scheduler_address(address: str) -> str:
    """The address as Dask writes it."""
    try:
        parts = urlsplit(address)
        named = bool(parts.hostname and parts.port)
    except ValueError:
        named = False
    if not named or parts.scheme != SCHEME or address != f"{SCHEME}://{parts.netloc}" or "@" in parts.netloc:
        raise InputError(
            "unknown-engine", f"{shown(address)} is not the address of a cluster: write it as {SCHEME}://HOST:PORT."
        )
    return f"tcp://{parts.netloc}"


@contextmanager
def _connected(address: str, scheduler: str) -> Iterator[Client]:
    with optional_package("distributed", "Clusters are reached"):
        import distributed

    with _quiet_dask():
        try:
            connect: Any = distributed.Client
            client = connect(scheduler, timeout=SECONDS_TO_CONNECT, set_as_default=False)
        except OSError as error:
            raise Fault("unreachable-cluster", f"The cluster at {address} cannot be reached.") from error
        try:
            yield client
        finally:
            client.close(timeout=SECONDS_TO_CONNECT)


@contextmanager
def _quiet_dask() -> Iterator[None]:
    """What goes wrong is told in a sentence, so Dask need not write pages of its own."""
    # Dask gives some of its loggers a level and a handler of their own.
    names = ("distributed", *(name for name in logging.root.manager.loggerDict if name.startswith("distributed.")))
    levels = {logging.getLogger(name): logging.getLogger(name).level for name in names}
    for logger in levels:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in levels.items():
            logger.setLevel(level)


@dataclass(frozen=True)
class _Piece:
    shoes: int
    counted: Counted


def _in_order(watch: "_Watch", portable: PortableJob, first: int, shoes: int) -> Iterator[_Piece]:
    """Have the pieces counted, in whatever order, and hand them on in theirs."""
    client = watch.client
    size = min(MOST_SHOES, -(-shoes // PIECES_AT_LEAST) or 1)
    pieces = -(-shoes // size)
    finished: SimpleQueue[int] = SimpleQueue()
    underway: dict[int, Future] = {}
    complete: dict[int, Counted] = {}
    submitted = 0

    def submit(number: int) -> None:
        # Not pure: the results of other people's jobs on the cluster are none of ours.
        future = client.submit(count_piece, portable, first + number * size, shoes_of(number), pure=False)
        underway[number] = future
        future.add_done_callback(lambda _: finished.put(number))

    def shoes_of(number: int) -> int:
        return min(size, shoes - number * size)

    for number in range(pieces):
        while submitted < min(pieces, number + MOST_PIECES_UNDERWAY):
            _check_running(client)
            submit(submitted)
            submitted += 1
        while number not in complete:
            arrived = _next_finished(watch, finished)
            # A number that comes a second time, because a worker was lost late, has been counted already.
            if arrived in underway:
                complete[arrived] = _result(watch, underway.pop(arrived))
        yield _Piece(shoes_of(number), complete.pop(number))


def _check_running(client: Client) -> None:
    if client.status != "running":
        raise Fault("unreachable-cluster", "The cluster was lost while it counted.")


class _Watch:
    """Looks after the cluster when nothing comes from it: says that it waits, and in the end gives up."""

    def __init__(self, client: Client, patience: Patience, notice: Callable[[str], None]) -> None:
        self.client, self.patience, self.notice = client, patience, notice
        self.seconds = min(patience.seconds_until_told, patience.seconds_without_workers)
        """How long a result may take before it is asked whether there are workers at all."""
        self._waiting_since: float | None = None
        self._had_workers = False

    def heard(self) -> None:
        """Something came from a worker, so whatever was waited for is there."""
        if self._waiting_since is not None:
            self.notice(f"The cluster has workers {'again' if self._had_workers else 'now'}.")
        self._waiting_since, self._had_workers = None, True

    def look(self) -> None:
        """Returns as long as there is hope, however long a piece takes."""
        _check_running(self.client)
        trouble = self._trouble()
        if trouble is None:
            self.heard()
            return
        most = self.patience.seconds_without_workers
        if self._waiting_since is None:
            self._waiting_since = monotonic()
            self.notice(f"The cluster {trouble}: waiting for {most:g} s at most. Ctrl-C ends it.")
        elif monotonic() - self._waiting_since >= most:
            raise Fault("no-workers", f"The cluster {trouble}, and after {most:g} s that has not changed.")

    def _trouble(self) -> str | None:
        try:
            # As `nthreads` does, which would wait for a scheduler for ever.
            workers = self.client.sync(self.client.scheduler.ncores, callback_timeout=max(self.seconds, 1.0))
        except (TimeoutError, OSError):
            _check_running(self.client)
            return "does not answer"
        if workers:
            return None
        return "has lost all of its workers" if self._had_workers else "has no workers"


def _next_finished(watch: _Watch, finished: "SimpleQueue[int]") -> int:
    while True:
        try:
            number = finished.get(timeout=watch.seconds)
        except Empty:
            watch.look()
        else:
            watch.heard()
            return number


def _result(watch: _Watch, future: Future) -> Counted:
    """What the piece counted; it is dealt again if its worker was lost before it could tell."""
    from distributed import CancelledError, KilledWorker

    while True:
        try:
            counted: Counted = future.result(timeout=watch.seconds)
            return counted
        except (InputError, Fault):
            raise
        except TimeoutError:
            watch.look()
        except CancelledError:
            raise Fault("unreachable-cluster", "The cluster was lost while it counted.") from None
        except KilledWorker:
            raise Fault("cluster-failed", "Several workers of the cluster died one after another.") from None
        except ImportError as error:
            raise Fault("cluster-failed", f"A worker of the cluster cannot load puntobanco: {error}.") from error
        except Exception as error:
            what = f"{type(error).__name__} {shown(error)}"
            raise Fault("cluster-failed", f"A worker of the cluster failed: {what}.") from error
