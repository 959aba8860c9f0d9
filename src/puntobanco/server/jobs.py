"""Simulated sessions as jobs beside live play: few, bounded, one at a time, in a process that yields to tables."""

import asyncio
import json
import os
import secrets
from collections import deque
from collections.abc import Callable, Collection
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import TYPE_CHECKING, Any, NamedTuple

from puntobanco.cards import Shoe
from puntobanco.errors import Fault, InputError
from puntobanco.extras import optional_package
from puntobanco.games import GAMES, find_game
from puntobanco.rules.game import Game
from puntobanco.rules.wagers import MONEY_LIMIT
from puntobanco.server.logs import log
from puntobanco.server.problems import Problem, malformed, nothing_there, problem_of, too_often
from puntobanco.store.beside import Beside
from puntobanco.store.schema import job
from puntobanco.store.schema import person as person_row
from puntobanco.strategies.systems import SYSTEMS

with optional_package("sqlalchemy", "Jobs are kept"):
    from sqlalchemy import delete, insert, select, update

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Update
    from sqlalchemy.ext.asyncio import AsyncConnection

MOST_ROUNDS, MOST_SESSIONS, MOST_BETS = 5_000, 100_000, 5_000_000
MOST_OF_A_PERSON, MOST_WAITING, MOST_KEPT = 2, 20, 100
KEPT_MILLISECONDS = 60 * 60_000
LONGEST_SECONDS = 120.0
"""After that a job is given up."""
PIECES = 50
LEAST_OF_A_PIECE = 100_000
"""Rounds in all, so that few sessions are not played one by one."""
CHECKPOINTS = 40
TOLD_SECONDS = 0.3
"""So often a process writes how far it is."""
LOST_MILLISECONDS = 15_000
"""A process that has not done so for this long has ended, or hangs."""
TRIES = round(LOST_MILLISECONDS / 1000 / TOLD_SECONDS)
HAS_ENDED = "The process that played the sessions has ended."
CURVES = (0.05, 0.25, 0.5, 0.75, 0.95)
SHOWN_SESSIONS = 3
"""So many single sessions are told beside the quantiles, which are smoother than any of them."""


class JobState(StrEnum):
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def is_over(self) -> bool:
        return self in (JobState.DONE, JobState.FAILED, JobState.CANCELLED)


class Asked(NamedTuple):
    """What sessions are to be played; all that decides the result."""

    game: str
    system: str
    rounds: int
    sessions: int
    bankroll: int
    seed: int
    wager: str = "banker"
    base: int | None = None
    decks: int | None = None


def check(asked: Asked) -> None:
    """Raise a problem unless such sessions can be played, and are not too many."""
    if asked.game not in [game.id for game in GAMES]:
        raise nothing_there("There is no such game.")
    game = find_game(asked.game)
    # By name alone: a system of one's own is a file that is run, and none of the server's files is anybody's business.
    if asked.system not in SYSTEMS:
        raise malformed("There is no such system.", "unknown-system")
    if asked.wager not in game.paytables:
        raise malformed("The game has no such wager.", "unknown-wager")
    if asked.decks is not None and not game.decks.minimum <= asked.decks <= game.decks.maximum:
        raise malformed("The game is not played with so many decks.", "wrong-decks")
    if not 1 <= asked.rounds <= MOST_ROUNDS or not 1 <= asked.sessions <= MOST_SESSIONS:
        raise malformed("There are too many rounds or sessions, or none.", "too-large")
    if asked.rounds * asked.sessions > MOST_BETS:
        message = f"Sessions times rounds are at most {MOST_BETS:,} for a job."
        raise malformed(message, "too-large")
    base = _base(game, asked)
    if base % game.stake_step or not 1 <= base <= asked.bankroll <= MONEY_LIMIT:
        raise malformed(
            f"The base stake is a multiple of {game.stake_step}, and the bankroll at least the base, which is "
            f"{100 * game.stake_step:,} where none is given.",
            "bad-bankroll",
        )


def _base(game: Game, asked: Asked) -> int:
    return 100 * game.stake_step if asked.base is None else asked.base


@dataclass(frozen=True)
class Job:
    id: str
    person: str
    asked: Asked
    created: int
    seen: int
    """When the process that plays it, or will, last said that it does."""
    state: JobState = JobState.WAITING
    done: int = 0
    """Of the sessions."""
    problem: str | None = None
    result: dict[str, Any] | None = None


def _job_of(row: Any) -> Job:
    result = None if row.result is None else json.loads(row.result)
    asked, state = Asked(**json.loads(row.asked)), JobState(row.state)
    return Job(row.id, row.person, asked, row.created, row.seen, state, row.done, row.problem, result)


class Jobs:
    """The jobs of a house, kept where every process finds them. Each process plays those that it was asked for.

    It writes a few times a second how far it is, and reads then which of them somebody has cancelled. Of one that says
    nothing any more, the jobs are over.
    """

    def __init__(self, beside: Beside, now: Callable[[], int]) -> None:
        self._beside, self._now = beside, now
        self._name = secrets.token_hex(8)
        self._asking = asyncio.Lock()
        self._waiting: deque[Job] = deque()
        """Of those that are played here."""
        self._running: Job | None = None
        self._is_closing = False
        self._runner: asyncio.Task[None] | None = None
        self._pool: ProcessPoolExecutor | None = None
        # Sessions that were played, and whether to stop.
        self._shared = get_context("spawn").Array("q", 2)

    async def ask(self, person: str, asked: Asked) -> Job:
        """A new job, which waits for its turn; a problem where there are too many."""
        check(asked)
        async with self._asking:
            if len(self._waiting) >= MOST_WAITING:
                raise Problem(503, "busy", "Too many jobs wait already; ask again in a while.")
            now = self._now()
            found = Job(secrets.token_hex(8), person, asked, now, now)
            await self._keep(found)
            self._waiting.append(found)
        if self._runner is None or self._runner.done():
            self._runner = asyncio.create_task(self._run())
        return found

    async def _keep(self, new: Job) -> None:
        async with self._beside.writing() as connection:
            # Whoever asks two processes at once has their own row here: the second waits until the first is counted.
            await connection.execute(select(person_row.c.id).where(person_row.c.id == new.person).with_for_update())
            await self._tidy(connection)
            going = await connection.scalars(select(job.c.id).where(job.c.person == new.person, IS_GOING))
            if len(going.all()) >= MOST_OF_A_PERSON:
                raise too_often(f"No more than {MOST_OF_A_PERSON} jobs of one person at a time.")
            await connection.execute(
                insert(job).values(
                    id=new.id,
                    person=new.person,
                    owner=self._name,
                    asked=json.dumps(new.asked._asdict()),
                    created=new.created,
                    seen=new.seen,
                    state=new.state,
                    done=new.done,
                )
            )

    async def find(self, person: str, job_id: str) -> Job:
        """A job of this person, with how far it has come."""
        found = await self._read(job.c.person == person, job.c.id == job_id)
        if not found:
            raise nothing_there("There is no such job.")
        return found[0]

    async def of_person(self, person: str) -> list[Job]:
        """The newest first."""
        return await self._read(job.c.person == person)

    async def cancel(self, person: str, job_id: str) -> Job:
        """Whatever it has come to is thrown away; whichever process plays it stops in a moment."""
        this = job.c.person == person, job.c.id == job_id
        async with self._beside.writing() as connection:
            await connection.execute(update(job).where(*this).values(result=None))
            await connection.execute(update(job).where(*this, IS_GOING).values(state=JobState.CANCELLED))
        found = await self.find(person, job_id)
        self._stop([found.id])
        return found

    async def close(self) -> None:
        self._is_closing = True
        self._waiting.clear()
        self._shared[1] = 1
        if self._runner is not None:
            await asyncio.gather(self._runner, return_exceptions=True)
            with suppress(Exception):
                # If not, others find in a while that this process says nothing any more.
                async with self._beside.writing() as connection:
                    await connection.execute(_ended(job.c.owner == self._name))
        if self._pool is not None:
            await asyncio.to_thread(self._pool.shutdown, cancel_futures=True)

    async def _read(self, *which: "ColumnElement[bool]") -> list[Job]:
        statement = select(job).where(*which).order_by(job.c.number.desc())
        async with self._beside.reading() as connection:
            found = [_job_of(row) for row in await connection.execute(statement)]
        if not any(not each.state.is_over and each.seen < self._lost_before for each in found):
            return found
        async with self._beside.writing() as connection:
            await connection.execute(_ended(job.c.seen < self._lost_before))
            return [_job_of(row) for row in await connection.execute(statement)]

    @property
    def _lost_before(self) -> int:
        return self._now() - LOST_MILLISECONDS

    async def _tidy(self, connection: "AsyncConnection") -> None:
        """Forget what nobody will ask for any more."""
        await connection.execute(_ended(job.c.seen < self._lost_before))
        await connection.execute(delete(job).where(~IS_GOING, job.c.created < self._now() - KEPT_MILLISECONDS))
        kept = select(job.c.number).where(~IS_GOING).order_by(job.c.number.desc()).limit(MOST_KEPT)
        await connection.execute(delete(job).where(~IS_GOING, job.c.number.not_in(kept)))

    # Those that are played here.

    async def _run(self) -> None:
        while self._waiting:
            self._running = running = self._waiting.popleft()
            self._shared[0] = self._shared[1] = 0
            playing = asyncio.create_task(self._play(running.asked))
            while not playing.done():
                await self._tell(running, state=JobState.RUNNING)
                await asyncio.wait({playing}, timeout=TOLD_SECONDS)
            self._running = None
            # What was played is not lost because the database is away for a moment; after a while others give it up.
            for _ in range(TRIES):
                if await self._tell(running, **playing.result()) or self._is_closing:
                    break
                await asyncio.sleep(TOLD_SECONDS)

    async def _tell(self, running: Job, **values: object) -> bool:
        """Say how far one is and that the others still wait, and stop those that are going no more; whether that went.

        Somebody has cancelled them; or this process has said nothing for so long that they are over.
        """
        ours = job.c.owner == self._name, IS_GOING
        known = {running.id, *[each.id for each in self._waiting]}
        try:
            async with self._beside.writing() as connection:
                await connection.execute(update(job).where(*ours).values(seen=self._now()))
                progress = update(job).where(*ours, job.c.id == running.id).values(done=int(self._shared[0]), **values)
                await connection.execute(progress)
                going = set(await connection.scalars(select(job.c.id).where(*ours)))
        except Exception as error:
            log("storage-fault", reason=problem_of(error).reason, message=problem_of(error).in_full)
            return False
        self._stop(known - going)
        return True

    def _stop(self, jobs: Collection[str]) -> None:
        self._waiting = deque(each for each in self._waiting if each.id not in jobs)
        if self._running is not None and self._running.id in jobs:
            self._shared[1] = 1

    async def _play(self, asked: Asked) -> dict[str, object]:
        """Play the sessions; how that ended."""
        if self._pool is None:
            context = get_context("spawn")
            self._pool = ProcessPoolExecutor(1, context, initializer=_begin, initargs=(self._shared,))
        try:
            work = asyncio.get_running_loop().run_in_executor(self._pool, _played, asked)
            done, _ = await asyncio.wait({work}, timeout=LONGEST_SECONDS)
            if not done:
                self._shared[1] = 1
            result = await work
        except (Fault, InputError) as error:
            return {"state": JobState.FAILED, "problem": error.message}
        except BrokenProcessPool:
            # The process ended, perhaps for want of memory: the next job has another.
            self._pool = None
            return {"state": JobState.FAILED, "problem": HAS_ENDED}
        except Exception as error:
            # Whatever it is, nobody waits for ever for a job that has ended.
            log("failed", reason="fault", fault=error)
            return {"state": JobState.FAILED, "problem": "The sessions could not be played."}
        if result is None:
            return {"state": JobState.FAILED, "problem": HAS_ENDED if self._is_closing else "It took too long."}
        return {"state": JobState.DONE, "result": json.dumps(result)}


IS_GOING = job.c.state.in_((JobState.WAITING, JobState.RUNNING))


def _ended(which: "ColumnElement[bool]") -> "Update":
    """Whoever played these has ended, and their jobs with them."""
    return update(job).where(which, IS_GOING).values(state=JobState.FAILED, problem=HAS_ENDED)


# In the process that plays.

_shared: Any = None


def _begin(shared: Any) -> None:
    global _shared
    _shared = shared
    Thread(target=_end_with_the_service, daemon=True).start()
    # Tables come first.
    if hasattr(os, "nice"):
        # Where a service is kept from saying anything of priorities, sessions are played all the same.
        with suppress(OSError):
            os.nice(10)


def _end_with_the_service() -> None:
    """However the service ends: killed, it cannot say so, but its end of a pipe is closed."""
    service = parent_process()
    if service is not None:
        service.join()
        os._exit(1)


def _played(asked: Asked) -> dict[str, Any] | None:
    """Play the sessions; None where somebody said to stop."""
    return played(asked, _shared)


def played(asked: Asked, shared: Any) -> dict[str, Any] | None:
    """Play the sessions, and say in `shared` how many are played; None where it says to stop."""
    from puntobanco.odds import odds
    from puntobanco.odds.report import exact
    from puntobanco.simulate import prepare
    from puntobanco.strategies.session_report import results_json
    from puntobanco.strategies.sessions import SessionStudy, SessionTerms

    game = find_game(asked.game)
    shoe = Shoe.full(game.pack, asked.decks or game.decks.default)
    base = _base(game, asked)
    terms = SessionTerms(asked.bankroll, base, base, 100 * base, game.stake_step)
    marks = sorted({asked.rounds * place // CHECKPOINTS for place in range(1, CHECKPOINTS + 1)} - {0})
    job = prepare(game, asked.seed, shoe)
    study = SessionStudy(job, [SYSTEMS[asked.system]], asked.wager, terms, asked.rounds, marks)
    piece = max(-(-asked.sessions // PIECES), LEAST_OF_A_PIECE // asked.rounds)
    while study.sessions < asked.sessions:
        if shared[1]:
            return None
        study.play(min(piece, asked.sessions - study.sessions), threads=1)
        shared[0] = study.sessions
    (found,) = study.results()
    return {
        "game": asked.game,
        "wager": asked.wager,
        "system": asked.system,
        "description": SYSTEMS[asked.system].description,
        "decks": asked.decks or game.decks.default,
        "seed": asked.seed,
        "rounds": asked.rounds,
        "sessions": study.sessions,
        "bankroll": terms.bankroll,
        "base": terms.base,
        "minimum": terms.minimum,
        "maximum": terms.maximum,
        **exact("exact_ev", odds(game, shoe).wagers[asked.wager].ev),
        "results": results_json(found, terms),
        "curves": {
            "rounds": marks,
            "quantiles": {str(share): found.quantiles_so_far(share) for share in CURVES},
            "sessions": found.paths(SHOWN_SESSIONS),
        },
        "provenance": job.provenance.as_json(),
    }
