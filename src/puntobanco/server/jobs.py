"""Simulated sessions as jobs beside live play: few, bounded, one at a time, in a process that yields to tables."""

import asyncio
import os
import secrets
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import Any, NamedTuple

from puntobanco.cards import Shoe
from puntobanco.errors import Fault, InputError
from puntobanco.games import GAMES, find_game
from puntobanco.rules.game import Game
from puntobanco.rules.wagers import MONEY_LIMIT
from puntobanco.server.logs import log
from puntobanco.server.problems import Problem, malformed, nothing_there, too_often
from puntobanco.strategies.systems import SYSTEMS

MOST_ROUNDS, MOST_SESSIONS, MOST_BETS = 5_000, 100_000, 5_000_000
MOST_OF_A_PERSON, MOST_WAITING, MOST_KEPT = 2, 20, 100
KEPT_MILLISECONDS = 60 * 60_000
LONGEST_SECONDS = 120.0
"""After that a job is given up."""
PIECES = 50
LEAST_OF_A_PIECE = 100_000
"""Rounds in all, so that few sessions are not played one by one."""
CHECKPOINTS = 40
CURVES = (0.05, 0.25, 0.5, 0.75, 0.95)


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


@dataclass
class Job:
    id: str
    person: str
    asked: Asked
    created: int
    state: JobState = JobState.WAITING
    done: int = 0
    """Of the sessions."""
    result: dict[str, Any] | None = None
    problem: str | None = None


class Jobs:
    """The jobs of one process of the service."""

    def __init__(self, now: Callable[[], int]) -> None:
        self._now = now
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._waiting: deque[Job] = deque()
        self._running: Job | None = None
        self._runner: asyncio.Task[None] | None = None
        self._pool: ProcessPoolExecutor | None = None
        # Sessions that were played, and whether to stop.
        self._shared = get_context("spawn").Array("q", 2)

    def ask(self, person: str, asked: Asked) -> Job:
        """A new job, which waits for its turn; a problem where there are too many."""
        check(asked)
        self._tidy()
        mine = [job for job in self._jobs.values() if job.person == person and not job.state.is_over]
        if len(mine) >= MOST_OF_A_PERSON:
            raise too_often(f"No more than {MOST_OF_A_PERSON} jobs of one person at a time.")
        if len(self._waiting) >= MOST_WAITING:
            raise Problem(503, "busy", "Too many jobs wait already; ask again in a while.")
        job = Job(secrets.token_hex(8), person, asked, self._now())
        self._jobs[job.id] = job
        self._waiting.append(job)
        if self._runner is None or self._runner.done():
            self._runner = asyncio.create_task(self._run())
        return job

    def find(self, person: str, job_id: str) -> Job:
        """A job of this person, with how far it has come."""
        job = self._jobs.get(job_id)
        if job is None or job.person != person:
            raise nothing_there("There is no such job.")
        if job is self._running:
            job.done = int(self._shared[0])
        return job

    def of_person(self, person: str) -> list[Job]:
        return [self.find(person, job.id) for job in reversed(self._jobs.values()) if job.person == person]

    def cancel(self, person: str, job_id: str) -> Job:
        """Whatever it has come to is thrown away."""
        job = self.find(person, job_id)
        if job is self._running:
            self._shared[1] = 1
        elif job.state is JobState.WAITING:
            self._waiting.remove(job)
        if not job.state.is_over:
            job.state = JobState.CANCELLED
        job.result = None
        return job

    async def close(self) -> None:
        self._waiting.clear()
        self._shared[1] = 1
        if self._runner is not None:
            await asyncio.gather(self._runner, return_exceptions=True)
        if self._pool is not None:
            await asyncio.to_thread(self._pool.shutdown, cancel_futures=True)

    def _tidy(self) -> None:
        """Forget what nobody will ask for any more."""
        over = [job for job in self._jobs.values() if job.state.is_over]
        old = [job for job in over if self._now() - job.created > KEPT_MILLISECONDS]
        for job in {job.id: job for job in (*old, *over[: max(0, len(over) - MOST_KEPT)])}.values():
            del self._jobs[job.id]

    async def _run(self) -> None:
        while self._waiting:
            job = self._waiting.popleft()
            self._running, self._shared[0], self._shared[1] = job, 0, 0
            job.state = JobState.RUNNING
            try:
                await self._play(job)
            finally:
                self._running = None

    async def _play(self, job: Job) -> None:
        if self._pool is None:
            context = get_context("spawn")
            self._pool = ProcessPoolExecutor(1, context, initializer=_begin, initargs=(self._shared,))
        try:
            work = asyncio.get_running_loop().run_in_executor(self._pool, _played, job.asked)
            done, _ = await asyncio.wait({work}, timeout=LONGEST_SECONDS)
            if not done:
                self._shared[1] = 1
            result = await work
        except (Fault, InputError) as error:
            job.state, job.problem = JobState.FAILED, error.message
        except BrokenProcessPool:
            # The process ended, perhaps for want of memory: the next job has another.
            self._pool = None
            job.state, job.problem = JobState.FAILED, "The process that played the sessions has ended."
        except Exception as error:
            # Whatever it is, nobody waits for ever for a job that has ended.
            log("failed", reason="fault", fault=error)
            job.state, job.problem = JobState.FAILED, "The sessions could not be played."
        else:
            if job.state is JobState.CANCELLED:
                return
            job.done = int(self._shared[0])
            if result is None:
                job.state, job.problem = JobState.FAILED, "It took too long."
            else:
                job.state, job.result = JobState.DONE, result


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
        "curves": {"rounds": marks, "quantiles": {str(share): found.quantiles_so_far(share) for share in CURVES}},
        "provenance": job.provenance.as_json(),
    }
