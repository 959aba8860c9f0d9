"""Lives and deaths of a process that keeps a record: killed at any moment, started again, and what is left examined."""

import multiprocessing
import os
import sys
import time
from dataclasses import dataclass, field
from functools import cache
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from random import Random
from signal import SIGKILL

from puntobanco.store.database import CommandKey
from puntobanco.store.record import Answer
from store.crash_writer import Ask, Broken, Told, Work, keep
from store.databases import Place
from store.examined import Examined, examine

processes = multiprocessing.get_context("forkserver")

LIVES_OF_A_TABLE = 20
"""A table that is opened again reads all its events: a new one now and then keeps the lives short."""


@cache
def start_loaded() -> None:
    """Start the process that lives are forked from: it loads everything once, and they begin in milliseconds."""
    before = os.environ.get("PYTHONPATH")
    # It is told what to load by name alone, and looks where any new Python would.
    os.environ["PYTHONPATH"] = os.pathsep.join(sys.path)
    processes.set_forkserver_preload(["store.crash_writer"])
    forkserver.ensure_running()
    if before is None:
        del os.environ["PYTHONPATH"]
    else:
        os.environ["PYTHONPATH"] = before


@dataclass
class Crashes:
    """What has been asked of a record over all lives, and what was answered."""

    place: Place
    seed: int
    acknowledges_early: bool = False
    asked: dict[CommandKey, Ask] = field(default_factory=dict)
    acknowledged: dict[CommandKey, Answer] = field(default_factory=dict)
    answered_otherwise: list[CommandKey] = field(default_factory=list)
    retried: int = 0
    lives: int = 0

    def __post_init__(self) -> None:
        self.random = Random(self.seed)

    def unanswered(self) -> tuple[Ask, ...]:
        return tuple([asked for key, asked in self.asked.items() if key not in self.acknowledged])

    def live_and_die(self) -> None:
        """One life: killed after so many answers and a moment more."""
        answers, moment = self.random.randrange(1, 120), self.random.random() * 0.002
        life, pipe = self._begin(rounds=1_000_000)
        while answers and pipe.poll(60):
            answers -= self._hear(pipe)
        time.sleep(moment)
        life.kill()
        # What was told before the kill still lies in the pipe.
        try:
            while True:
                self._hear(pipe)
        except EOFError:
            life.join()
        assert life.exitcode == -SIGKILL
        pipe.close()

    def live_in_peace(self) -> None:
        """The last life: everything unanswered is asked again, and the record is closed."""
        life, pipe = self._begin(rounds=0)
        try:
            while True:
                self._hear(pipe)
        except EOFError:
            life.join()
        assert life.exitcode == 0
        pipe.close()

    def _begin(self, rounds: int) -> tuple["multiprocessing.context.ForkServerProcess", Connection]:
        start_loaded()
        again = self.unanswered()
        self.retried += len(again)
        path = "" if self.place.url else str(self.place.folder / "record.sqlite")
        table = f"table/crash-{self.lives // LIVES_OF_A_TABLE}"
        work = Work(path, self.place.url, table, self.lives, again, rounds, self.acknowledges_early)
        self.lives += 1
        hears, tells = processes.Pipe(duplex=False)
        life = processes.Process(target=keep, args=(work, tells), daemon=True)
        life.start()
        tells.close()
        return life, hears

    def _hear(self, pipe: Connection) -> bool:
        """Take one message; whether it is an answer."""
        match pipe.recv():
            case Ask() as asked:
                self.asked.setdefault((asked.actor, asked.id), asked)
                return False
            case Told(actor, id, answer):
                if self.acknowledged.setdefault((actor, id), answer) != answer:
                    self.answered_otherwise.append((actor, id))
                return True
            case Broken(why):
                raise AssertionError(f"the writer failed by itself:\n{why}")
            case other:
                raise AssertionError(other)

    async def examined(self) -> "Aftermath":
        database = self.place.database()
        await database.start()
        try:
            return Aftermath(self, await examine(database))
        finally:
            await database.close()


@dataclass
class Aftermath:
    """What the record holds of all that was acknowledged."""

    crashes: Crashes
    found: Examined

    @property
    def lost(self) -> list[CommandKey]:
        """Acknowledged, and not in the record with the same answer."""
        rows = self.found.commands
        return [
            key
            for key, answer in self.crashes.acknowledged.items()
            if key not in rows or Answer(rows[key].version, rows[key].answer) != answer
        ]

    @property
    def settled(self) -> int:
        """How many rounds were settled on the way."""
        return sum('"event":"round-settled"' in row.body for rows in self.found.events.values() for row in rows)
