"""A process of a small house on PostgreSQL, which leads its tables until somebody stops it, and tells what it did."""

import asyncio
import traceback
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from puntobanco.errors import Fault
from puntobanco.ledger import IssueMoney
from puntobanco.server.doorbell import Doorbell
from puntobanco.server.leases import Ownership, stream_of
from puntobanco.server.post import Post
from puntobanco.server.problems import Problem
from puntobanco.store.database import Fenced
from puntobanco.store.dealer import VirtualDealer
from puntobanco.store.postgres import PostgresDatabase
from puntobanco.store.record import Answer, Record
from puntobanco.store.rows import EventRow
from puntobanco.store.streams import TableStream
from puntobanco.table import IncreaseWager, OpenTable, Phase, PlaceWager, Table
from store.houses import KEYS, VIRTUAL

DESK = "desk/main"
STALE_TRIES = 20


class Told(NamedTuple):
    """Something that the process did, by its kind."""

    kind: str
    table: str = ""
    what: Any = None


@dataclass(frozen=True)
class Work:
    """What the process is to do."""

    name: str
    url: str
    tables: tuple[str, ...] = ()
    pace: float = 0.02
    """Seconds between two steps of a dealer."""
    sends: str = ""
    """The table at which a patron of this process wagers all the time, wherever it is led."""
    issues: int = 0
    """How often the desk gives out a coin, as fast as it can; then the process ends."""


def keep(work: Work, pipe: Connection) -> None:
    """Live until killed."""
    try:
        asyncio.run(Process(work, pipe).keep())
    except BaseException:
        pipe.send(Told("broken", what=traceback.format_exc()))
        raise


class Process:
    """A record, and what joins it to the other processes."""

    def __init__(self, work: Work, pipe: Connection) -> None:
        self.work, self.pipe = work, pipe
        self.count = 0
        database = PostgresDatabase(work.url)
        self.record = Record(database, KEYS)
        self.doorbell = Doorbell(work.url, database, self.take_in)
        self.ownership = Ownership(
            work.url, database, self.record.leases, self.doorbell, on_gained=self.gained, on_lost=self.lost
        )
        self.post = Post(work.url, self.ownership, self.doorbell, self.carry_out)
        self.leading: dict[str, asyncio.Task[None]] = {}
        self.at_work: set[asyncio.Task[None]] = set()

    def tell(self, kind: str, table: str = "", what: Any = None) -> None:
        self.pipe.send(Told(kind, table, what))

    async def keep(self) -> None:
        await self.record.start()
        self.record.listener = lambda written, _: self.doorbell.ring(*{each.stream for each in written})
        await self.record.open(DESK, shared=True)
        if self.work.issues:
            await self.issue()
            return
        await self.doorbell.start()
        await self.ownership.start()
        await self.post.start()
        await self.ownership.add(*self.work.tables)
        self.tell("started", what=self.ownership.process)
        if self.work.sends:
            await self.send()
        await asyncio.Event().wait()

    async def issue(self) -> None:
        self.tell("ready")
        self.pipe.recv()
        for number in range(self.work.issues):
            command = IssueMoney("anna", "PHP", 1, "a coin")
            answer = await self.record.submit(DESK, [command], actor="desk", command_id=f"{self.work.name}-{number:08}")
            self.tell("answered", what=answer)
        await self.record.close()

    # The tables of this process.

    async def gained(self, table: str) -> None:
        stream = stream_of(table)
        self.doorbell.unwatch(stream)
        await self.record.open(stream)
        self.tell("gained", table, self.record.version(stream))
        self.leading[table] = asyncio.create_task(self.lead(table))

    async def lost(self, table: str) -> None:
        self.tell("lost", table)

    def table(self, name: str) -> Table:
        stream = self.record.stream(stream_of(name))
        assert isinstance(stream, TableStream)
        assert stream.table is not None
        return stream.table

    async def lead(self, table: str) -> None:
        stream = stream_of(table)
        token = self.record.leases[stream]
        try:
            if self.record.version(stream) == 0:
                await self.record.submit(stream, [OpenTable(VIRTUAL)], actor="house", command_id=f"open-{table}")
            dealer = VirtualDealer(self.record, table)
            while True:
                self.tell_answer(table, await dealer.step())
                if self.table(table).phase is Phase.BETTING:
                    for _ in range(3):
                        await self.wager(table, "anna", self.new_id())
                drawn = len(self.table(table).deal.cards)
                self.tell("stands", table, (self.table(table).phase, drawn, self.table(table).round_number))
                await asyncio.sleep(self.work.pace)
        except Fault as fault:
            self.tell("stopped", table, fault.reason)
            await self.insist(table, token)
        except BaseException:
            self.tell("broken", table, traceback.format_exc())
            raise

    async def insist(self, table: str, token: int) -> None:
        """What no process of ours would do: write on under the old token, from what the database holds."""
        stream = stream_of(table)
        for _ in range(STALE_TRIES):
            self.record.leases[stream] = token
            with suppress(Fault):
                await self.record.open(stream)
            try:
                await VirtualDealer(self.record, table).step()
            except Fenced:
                self.tell("fenced", table)
            except Fault as fault:
                self.tell("failed", table, fault.reason)
            else:
                self.tell("broken", table, "a stale owner has written")
        self.tell("insisted", table)

    def new_id(self) -> str:
        self.count += 1
        return f"{self.work.name}-{self.count:08}"

    async def wager(self, table: str, patron: str, command_id: str) -> Answer:
        now = self.table(table)
        kind = IncreaseWager if now.slip(patron) else PlaceWager
        command = kind(now.round_number, patron, "player", 2000)
        answer = await self.record.submit(
            stream_of(table), [command], actor=patron, command_id=command_id, asked=b"a wager"
        )
        self.tell_answer(table, answer, patron, command_id)
        return answer

    def tell_answer(self, table: str, answer: Answer, actor: str = "", command_id: str = "") -> None:
        self.tell("answered", table, (answer, actor, command_id))

    # Patrons of this process at any table.

    async def send(self) -> None:
        """One wager after the other, each asked for under one id until it is answered."""
        while True:
            command_id = self.new_id()
            body = {"patron": "bob", "id": command_id}
            try:
                answer = await self.post.command(self.work.sends, body, timeout=5)
            except Problem as problem:
                self.tell("problem", self.work.sends, problem.reason)
                await asyncio.sleep(0.05)
                continue
            led_by = answer.pop("led_by")
            self.tell("sent", self.work.sends, (answer, "bob", command_id, led_by == self.work.name))
            await asyncio.sleep(self.work.pace)

    async def carry_out(self, table: str, body: dict[str, Any]) -> dict[str, Any]:
        answer = await self.wager(table, body["patron"], body["id"])
        return {"version": answer.version, "text": answer.text, "led_by": self.work.name}

    async def take_in(self, stream: str, rows: list[EventRow]) -> None:
        self.record.take_in(stream, rows)
