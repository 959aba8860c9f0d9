"""A process that keeps a record under load until somebody kills it, and tells what it asked and what was answered.

It is run by `crashes.py`. Every command has an id made here, and is told before it is submitted: so whoever restarts
this process after a kill knows what may or may not have been done, and has it asked again under the same ids.
"""

import asyncio
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import NamedTuple

from puntobanco.cards import Card
from puntobanco.ledger import IssueMoney
from puntobanco.store.database import Conflict, Database
from puntobanco.store.postgres import PostgresDatabase
from puntobanco.store.record import Answer, Record
from puntobanco.store.sqlite import SqliteDatabase
from puntobanco.store.streams import DESK_COMMANDS, StreamCommand, TableStream
from puntobanco.table import IncreaseWager, OpenTable, Phase, PlaceWager, Table, WithdrawWager
from puntobanco.table.codec import Codec
from puntobanco.table.dealer import next_step
from store.early import AcknowledgesEarly
from store.houses import KEYS, SETTINGS

PATRONS = [f"patron {number}" for number in range(8)]
SPOTS = ("player", "banker", "tie")
DESK = "desk/main"
MOST_CONFLICTS = 20


class Ask(NamedTuple):
    """A command as whoever sent it remembers it: enough to send it again."""

    stream: str
    actor: str
    id: str
    text: bytes


class Told(NamedTuple):
    """What was answered."""

    actor: str
    id: str
    answer: Answer


class Broken(NamedTuple):
    """The process failed by itself, which no test expects."""

    why: str


@dataclass(frozen=True)
class Work:
    """One life of the process."""

    path: str
    """Of the file of SQLite; empty where the record is in PostgreSQL."""
    url: str
    table: str
    seed: int
    again: tuple[Ask, ...]
    """What was asked in an earlier life and not answered."""
    rounds: int
    acknowledges_early: bool = False

    def database(self) -> Database:
        return PostgresDatabase(self.url) if self.url else SqliteDatabase(Path(self.path))


def keep(work: Work, pipe: Connection) -> None:
    """Live until killed, or until the rounds are played."""
    try:
        asyncio.run(_Life(work, pipe).keep())
    except BaseException:
        pipe.send(Broken(traceback.format_exc()))
        raise


class _Life:
    def __init__(self, work: Work, pipe: Connection) -> None:
        self.work, self.pipe = work, pipe
        self.random = Random(work.seed)
        self.record = (AcknowledgesEarly if work.acknowledges_early else Record)(work.database(), KEYS)
        self.count = 0

    async def keep(self) -> None:
        await self.record.start()
        for stream in sorted({DESK, self.work.table, *(asked.stream for asked in self.work.again)}):
            await self.record.open(stream)
        await asyncio.gather(*[self.ask_again(asked) for asked in self.work.again])
        # Asked anew in every life: the money is given out once all the same.
        await asyncio.gather(
            *[self.ask(DESK, IssueMoney(patron, "PHP", 10**9, "welcome"), "desk", patron) for patron in PATRONS]
        )
        if self.work.rounds and self.record.version(self.work.table) == 0:
            await self.step(OpenTable(SETTINGS))
        for _ in range(self.work.rounds):
            await self.round()
        await self.record.close()

    async def ask(self, stream: str, command: StreamCommand, actor: str, id: str = "") -> Answer:
        self.count += 1
        command_id = f"once-{id}" if id else f"{self.work.seed:06}-{self.count:06}"
        asked = Ask(stream, actor, command_id, self.record.stream(stream).write_command(command))
        self.pipe.send(asked)
        return await self.submit(asked, command)

    async def ask_again(self, asked: Ask) -> None:
        codec = Codec(SETTINGS.game.pack)
        of_desk = asked.stream == DESK
        command = codec.read_as(DESK_COMMANDS, asked.text) if of_desk else codec.read_command(asked.text)
        await self.submit(asked, command)

    async def submit(self, asked: Ask, command: StreamCommand) -> Answer:
        for _ in range(MOST_CONFLICTS):
            try:
                answer = await self.record.submit(asked.stream, [command], actor=asked.actor, command_id=asked.id)
            except Conflict:
                # The last commit of the life before this one may come through after we have opened the stream.
                continue
            self.pipe.send(Told(asked.actor, asked.id, answer))
            return answer
        raise AssertionError(f"{asked} is always in conflict")

    @property
    def table(self) -> Table:
        stream = self.record.stream(self.work.table)
        assert isinstance(stream, TableStream)
        assert stream.table is not None
        return stream.table

    def draw(self) -> Card:
        """Any card that can still be in the shoe, so that no memory of the life before is needed."""
        unseen = self.table.unseen
        assert unseen is not None
        return self.random.choice([card for card in unseen.pack.cards if unseen.count(card)])

    async def step(self, command: StreamCommand | None = None) -> None:
        await self.ask(self.work.table, command or next_step(self.table, self.draw), "dealer")

    async def round(self) -> None:
        """Wagers of all patrons at once, some of them too late, and the deal to its settlement."""
        await self.until(Phase.BETTING)
        await asyncio.gather(*[self.bet(patron) for patron in PATRONS], self.close_soon())
        await self.until(Phase.READY)

    async def until(self, phase: Phase) -> None:
        while self.table.phase is not phase:
            await self.step()

    async def close_soon(self) -> None:
        for _ in range(self.random.randrange(30, 60)):
            await asyncio.sleep(0)
        await self.step()

    async def bet(self, patron: str) -> None:
        for command in self.wagers(patron):
            await self.ask(self.work.table, command, patron)

    def wagers(self, patron: str) -> Iterator[StreamCommand]:
        number = self.table.round_number
        for spot in SPOTS:
            stake = 100 * self.random.randrange(20, 60)
            yield PlaceWager(number, patron, spot, stake)
        yield IncreaseWager(number, patron, "player", 2000)
        yield WithdrawWager(number, patron, "banker")
