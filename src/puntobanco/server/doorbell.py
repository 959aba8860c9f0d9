"""The doorbell between processes on one PostgreSQL: whoever wrote rings, and whoever watches reads what is new.

    doorbell = Doorbell(url, database, on_events)
    await doorbell.start()
    doorbell.watch("table/main", after=record.version("table/main"))
    doorbell.ring("table/main")           # in another process, after a commit

A ring carries a number and nothing else: who reads it may be anybody, and what was written is read from the record.
It may be lost or come twice. Nothing is missed, because whoever hears it reads on from the last version it has, and
does so too after it was cut off, and every now and then without any ring.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from puntobanco.server.link import Link, ended, is_set
from puntobanco.store.database import Database, StorageFault
from puntobanco.store.rows import EventRow

if TYPE_CHECKING:
    from puntobanco.server.link import Connection

CHANNEL = "puntobanco"
LOOK_SECONDS = 2.0
"""How often what is watched is looked at though nobody rang; also shows that the connection is still there."""
PAUSE_SECONDS = 0.1
"""After a fault of the database, before it is asked again."""
MOST_DIGITS = 18

OnEvents = Callable[[str, list[EventRow]], Awaitable[None]]

NUMBERS = """
    WITH new AS (
        INSERT INTO bell (name) SELECT unnest($1::text[]) ON CONFLICT (name) DO NOTHING RETURNING name, number
    )
    SELECT name, number FROM new UNION ALL SELECT name, number FROM bell WHERE name = ANY ($1::text[])
"""
NAMES = "SELECT number, name FROM bell WHERE number = ANY ($1::bigint[])"
RING = f"SELECT pg_notify('{CHANNEL}', number::text) FROM unnest($1::bigint[]) AS number"
VERSIONS = "SELECT stream, version FROM head WHERE stream = ANY ($1::text[])"


class Doorbell:
    """Rings for other processes and hears them. What is watched is read by one task, in order and once each."""

    def __init__(self, url: str, database: Database, on_events: OnEvents) -> None:
        self._database, self._on_events = database, on_events
        self._ringing_link = Link(url)
        self._lost = asyncio.Event()
        self._listening_link = Link(url, on_connected=self._listen_on)
        self._numbers: dict[str, int] = {}
        self._names: dict[int, str | None] = {}
        self._to_ring: set[str] = set()
        self._something_to_ring = asyncio.Event()
        self._watched: dict[str, int] = {}
        """The streams that somebody watches here, and the version up to which they were read."""
        self._hearers: dict[str, Callable[[], None]] = {}
        self._to_read: set[str] = set()
        self._unknown: set[int] = set()
        self._something_to_read = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        await self._look()
        self._tasks = [asyncio.create_task(work()) for work in (self._keep_looking, self._keep_ringing, self._read)]

    async def close(self) -> None:
        """Ring what is still to be rung, then stop."""
        for task in self._tasks:
            await ended(task)
        self._tasks = []
        with suppress(StorageFault):
            await self._ring_all()
        await self._ringing_link.close()
        await self._listening_link.close()

    def ring(self, *names: str) -> None:
        """Tell the others of streams that were written to; what comes while one ring is under way is one ring."""
        self._to_ring.update(names)
        self._something_to_ring.set()

    def hear(self, name: str, called: Callable[[], None]) -> None:
        """Call this when somebody rings for a name that is no stream; and whenever a ring may have been lost."""
        self._hearers[name] = called

    def watch(self, stream: str, after: int) -> None:
        """Hand on what is written to a stream from now on, and what was written after this version."""
        self._watched[stream] = after
        self._note(stream)

    def unwatch(self, stream: str) -> None:
        self._watched.pop(stream, None)

    # Ringing.

    async def _keep_ringing(self) -> None:
        while True:
            await self._something_to_ring.wait()
            self._something_to_ring.clear()
            try:
                await self._ring_all()
            except StorageFault:
                await asyncio.sleep(PAUSE_SECONDS)

    async def _ring_all(self) -> None:
        names, self._to_ring = self._to_ring, set()
        if not names:
            return
        try:
            await self._ringing_link.ask(RING, [await self._number(name) for name in sorted(names)])
        except BaseException:
            self.ring(*names)
            raise

    async def _number(self, name: str) -> int:
        while name not in self._numbers:
            # None where another process gives the same name its number in this moment: then it has one next time.
            self._numbers.update(await self._ringing_link.ask(NUMBERS, [name]))
        return self._numbers[name]

    # Hearing.

    async def _listen_on(self, connection: "Connection") -> None:
        connection.add_termination_listener(lambda _: self._lost.set())
        await connection.add_listener(CHANNEL, self._heard)
        # Whatever was rung while nobody listened.
        for name in [*self._hearers, *self._watched]:
            self._note(name)

    def _heard(self, _connection: object, _pid: int, _channel: str, said: object) -> None:
        # Anybody who may connect may ring: what is no number of ours is nothing.
        if not isinstance(said, str) or not said.isascii() or not said.isdigit() or len(said) > MOST_DIGITS:
            return
        number = int(said)
        if number not in self._names:
            self._unknown.add(number)
            self._something_to_read.set()
        elif (name := self._names[number]) is not None:
            self._note(name)

    def _note(self, name: str) -> None:
        if name in self._hearers:
            self._hearers[name]()
        elif name in self._watched:
            self._to_read.add(name)
            self._something_to_read.set()

    async def _keep_looking(self) -> None:
        while True:
            await is_set(self._lost, LOOK_SECONDS)
            try:
                await self._look()
            except StorageFault:
                self._lost.set()
                await asyncio.sleep(PAUSE_SECONDS)

    async def _look(self) -> None:
        """Listen, if that was interrupted; and see which of the streams have moved on, rung or not."""
        self._lost.clear()
        for stream, version in await self._listening_link.ask(VERSIONS, list(self._watched)):
            if version > self._watched.get(stream, version):
                self._note(stream)

    # Reading.

    async def _read(self) -> None:
        while True:
            await self._something_to_read.wait()
            self._something_to_read.clear()
            if not await self._read_all():
                self._something_to_read.set()
                await asyncio.sleep(PAUSE_SECONDS)

    async def _read_all(self) -> bool:
        """Read on wherever somebody rang; False where something is worth another try at once."""
        failed = set[str]()
        try:
            await self._learn_names()
            while self._to_read:
                stream = self._to_read.pop()
                if not await self._is_read(stream):
                    # The others go on, and this one is tried again behind them.
                    failed.add(stream)
        except StorageFault:
            return False
        self._to_read |= failed
        return not failed

    async def _is_read(self, stream: str) -> bool:
        """Read on in a stream; False where that is worth another try at once."""
        try:
            await self._read_on(stream)
        except StorageFault:
            return False
        except Exception as error:
            # It is looked at again in a while, as all that has moved on.
            what = {"message": f"{stream} cannot be followed", "exception": error}
            asyncio.get_running_loop().call_exception_handler(what)
        return True

    async def _learn_names(self) -> None:
        if not self._unknown:
            return
        unknown = set(self._unknown)
        found = dict(await self._ringing_link.ask(NAMES, list(unknown)))
        self._unknown -= unknown
        for number in unknown:
            self._names[number] = found.get(number)
            if number in found:
                self._note(found[number])

    async def _read_on(self, stream: str) -> None:
        async for portion in self._database.events(stream, after=self._watched.get(stream, 0)):
            before = self._watched.get(stream)
            rows = [row for _, row in portion if before is not None and row.version > before]
            if not rows:
                return
            await self._on_events(stream, rows)
            # Unless somebody has begun to watch it anew meanwhile, from elsewhere.
            if self._watched.get(stream) == before:
                self._watched[stream] = rows[-1].version
