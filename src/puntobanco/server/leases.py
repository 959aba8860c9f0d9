"""Which process leads which table: each has one owner at a time, with a token that every write of the table names.

    ownership = Ownership(url, database, record.leases, doorbell, on_gained=lead, on_lost=leave)
    await ownership.start()
    await ownership.add("main", "high")

Every process tells twice a second that it lives, and looks at the others. It holds a lock of the server for as long as
its connection lives, so that one that was killed is known at once; one that hangs with its connection open is known by
its silence. Its tables go to those who are left, under the next token: should it wake, it writes nothing.

All processes see the same rows and reckon alike who should lead how many tables, so they need no leader of their own.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from puntobanco.extras import optional_package
from puntobanco.server.doorbell import Doorbell
from puntobanco.server.link import Link, ended, is_set
from puntobanco.store.database import StorageFault
from puntobanco.store.record import NO_TOKEN

with optional_package("msgspec", "Processes tell each other of their tables"):
    import msgspec

if TYPE_CHECKING:
    from puntobanco.server.link import Connection
    from puntobanco.store.postgres import PostgresDatabase

BEAT_SECONDS = 0.5
GONE_SECONDS = 1.0
"""Without its lock and without a beat for so long: it was killed. A lost connection alone is made again before that."""
HUNG_SECONDS = 2.0
LATE_SECONDS = 1.5
"""Who looks up only after so long was away itself, and cannot say of others how long they were silent."""

TRY_AGAIN_SECONDS = 0.5

NOBODY = ""
LEASES_BELL = "leases"

# The clocks of several machines differ: the server's is the same for all, and only whether it moves on is looked at.
BEAT = """
    INSERT INTO process (id, seen, backend, shown)
    VALUES ($1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint, $2, $3)
    ON CONFLICT (id) DO UPDATE SET seen = excluded.seen, backend = excluded.backend, shown = excluded.shown
"""
PROCESSES = """
    SELECT p.id, p.seen, p.backend, p.shown, EXISTS (
        SELECT FROM pg_locks AS l JOIN pg_database AS d ON d.oid = l.database
        WHERE d.datname = current_database() AND l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
              AND (l.classid::bigint << 32 | l.objid::bigint) = ('x' || lpad(p.id, 16, '0'))::bit(64)::bigint
    )
    FROM process AS p
"""
LEASES = "SELECT stream, owner, token FROM lease ORDER BY stream"
ADD = f"INSERT INTO lease (stream, owner, token) SELECT unnest($1::text[]), '{NOBODY}', 1 ON CONFLICT DO NOTHING"
# Whoever is first: the token that was seen is there only once.
CLAIM = """
    UPDATE lease SET owner = $1, token = lease.token + 1
    FROM unnest($2::text[], $3::bigint[]) AS seen (stream, token)
    WHERE lease.stream = seen.stream AND lease.token = seen.token RETURNING lease.stream, lease.token
"""
# A new token here too: what its owner may still have under way is refused.
GIVE_BACK = f"""
    UPDATE lease SET owner = '{NOBODY}', token = token + 1 WHERE owner = $1 AND stream = ANY ($2::text[])
"""
END_WRITER = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE pid = ANY ($1::int[]) AND application_name = 'puntobanco writer' AND datname = current_database()
"""
FORGET = "DELETE FROM process WHERE id = ANY ($1::text[])"
FORGET_POST = "DELETE FROM letter WHERE receiver = ANY ($1::text[])"
FORGET_BELL = "DELETE FROM bell WHERE name = ANY ($1::text[])"

OnTable = Callable[[str], Awaitable[None]]


class Lease(NamedTuple):
    """Who leads a stream, and under which token."""

    owner: str
    token: int


class Shown(NamedTuple):
    """What a process tells of a table that it shows."""

    patrons: int
    watching: int
    round: int
    closes_at: int | None


@dataclass
class _Seen:
    """A process as it was last seen."""

    beat: int
    since: float
    """On our own clock, when this beat was first seen."""


def stream_of(table: str) -> str:
    return f"table/{table}"


def table_of(stream: str) -> str:
    return stream.removeprefix("table/")


def post_bell(process: str) -> str:
    return f"post/{process}"


class Ownership:
    """The tables that this process leads, and who leads the others."""

    def __init__(
        self,
        url: str,
        database: "PostgresDatabase",
        tokens: dict[str, int],
        doorbell: Doorbell,
        *,
        on_gained: OnTable,
        on_lost: OnTable,
        is_calm: Callable[[str], bool] = lambda table: True,
        shown: Callable[[], dict[str, Shown]] = dict,
    ) -> None:
        self.process = secrets.token_hex(7)
        self.changed: list[Callable[[], None]] = []
        """Called when a table has another owner, or others have told something new."""
        self._database, self._doorbell = database, doorbell
        self._tokens = tokens
        self._on_gained, self._on_lost, self._is_calm, self._shown = on_gained, on_lost, is_calm, shown
        self._told: dict[str, str] = {}
        """What each process has told of the tables that it shows, as text."""
        self._shown_by: dict[str, dict[str, Shown]] = {}
        self._tells_at_once = False
        self._has_lock = False
        self._link = Link(url, on_connected=self._connected)
        self._owned: dict[str, int] = {}
        self._led: set[str] = set()
        """Those of them that the house has taken up."""
        self._leases: dict[str, Lease] = {}
        self._taken_from: dict[str, str] = {}
        """The process that had led a stream of ours, and did not give it back."""
        self._alive: frozenset[str] = frozenset()
        self._seen: dict[str, _Seen] = {}
        self._looked = 0.0
        self._surplus = 0
        self._leaving: dict[str, asyncio.Task[None]] = {}
        self._telling: dict[str, asyncio.Task[None]] = {}
        # Of what was read and what follows from it, one at a time.
        self._looking = asyncio.Lock()
        self._woken = asyncio.Event()
        self._beating: asyncio.Task[None] | None = None

    async def start(self) -> None:
        self._doorbell.hear(LEASES_BELL, self.wake)
        await self._beat()
        self._beating = asyncio.create_task(self._keep_beating())

    async def stop(self) -> None:
        """Give all tables back, each once it is led no more; others take them at once."""
        await ended(self._beating)
        self._beating = None
        for table in self.tables:
            self.hand_over(table)
        await asyncio.gather(*self._leaving.values())
        for task in self._telling.values():
            await ended(task)
        with suppress(StorageFault):
            await self._forget([self.process])
        await self._link.close()
        self._has_lock = False

    async def add(self, *tables: str) -> None:
        """Tables of the house, whether or not they are known already; somebody will lead them."""
        await self._link.ask(ADD, [stream_of(table) for table in tables])
        self._doorbell.ring(LEASES_BELL)
        self.wake()

    @property
    def tables(self) -> list[str]:
        """Those that are ours."""
        return [table_of(stream) for stream in sorted(self._owned)]

    def owns(self, table: str) -> bool:
        """Whether the table is led here: it is ours, was taken up, and is not on its way to another process."""
        return stream_of(table) in self._led

    def owner_of(self, table: str) -> str | None:
        """The process that leads a table; None where nobody does just now."""
        stream = stream_of(table)
        if stream in self._led:
            return self.process
        lease = self._leases.get(stream)
        # What is ours by the rows and not led here is on its way.
        return lease.owner if lease and lease.owner != self.process and lease.owner in self._alive else None

    def taken_from(self, table: str) -> str:
        """The process that led a table of ours before and has ended or hangs; empty where it gave the table back."""
        return self._taken_from.get(stream_of(table), NOBODY)

    def is_surplus(self, table: str) -> bool:
        """Whether another process should lead this table: to be handed over when it is calm, as between two rounds."""
        return self._surplus > 0 and self.owns(table)

    def shown_elsewhere(self, table: str) -> list[Shown]:
        """What other processes tell of a table."""
        return [told[table] for process, told in self._shown_by.items() if process != self.process and table in told]

    def shown_by_leader(self, table: str) -> Shown | None:
        """What another process tells of a table that it leads."""
        owner = self.owner_of(table)
        return None if owner in (None, self.process) else self._shown_by.get(owner or "", {}).get(table)

    def tell_at_once(self) -> None:
        """Do not wait with what is told of the tables that are shown here."""
        self._tells_at_once = True
        self.wake()

    def wake(self) -> None:
        """Look at once: something has changed."""
        self._woken.set()

    def hand_over(self, table: str) -> "asyncio.Task[None] | None":
        """Stop leading a table, then let another process lead it. Whoever leads it does not wait for this: it stops."""
        stream = stream_of(table)
        if stream not in self._owned or stream in self._leaving:
            return None
        self._leaving[stream] = task = asyncio.create_task(self._hand_over(stream))
        self._surplus -= 1
        self._led.discard(stream)
        self._tell_of_change()
        return task

    async def _hand_over(self, stream: str) -> None:
        try:
            await self._tell(stream, self._on_lost, tries=2)
            async with self._looking:
                self._lose(stream)
                await self._link.ask(GIVE_BACK, self.process, [stream])
        except StorageFault:
            # It is not led here, and not given back: when we look again it is ours by the rows, and is taken up.
            pass
        finally:
            del self._leaving[stream]
        self._doorbell.ring(LEASES_BELL)

    # What goes on twice a second.

    async def _connected(self, connection: "Connection") -> None:
        self._has_lock = False
        # One that was lost is made again at once, before anybody takes us for dead.
        connection.add_termination_listener(lambda _: self.wake())

    async def _keep_beating(self) -> None:
        while True:
            await is_set(self._woken, BEAT_SECONDS)
            self._woken.clear()
            # Without a database nothing is written either; whoever still has one decides who leads.
            with suppress(StorageFault):
                await self._beat()

    async def _beat(self) -> None:
        async with self._looking:
            # First, since a connection that was made anew has no lock yet.
            tells_at_once, self._tells_at_once = self._tells_at_once, False
            told = msgspec.json.encode(self._shown()).decode()
            await self._link.ask(BEAT, self.process, self._database.backend, told)
            if not self._has_lock:
                ((self._has_lock,),) = await self._link.ask("SELECT pg_try_advisory_lock($1)", int(self.process, 16))
            # In this order: whoever leads a table has told of itself before.
            leases = {row[0]: Lease(row[1], row[2]) for row in await self._link.ask(LEASES)}
            processes = await self._link.ask(PROCESSES)
            before = {stream: self.owner_of(table_of(stream)) for stream in leases}
            self._leases, silent = leases, self._silent([(row[0], row[1], row[2], row[4]) for row in processes])
            told_before, self._told = self._told, {row[0]: row[3] for row in processes if row[0] in self._alive}
            if told_before != self._told:
                read = msgspec.json.decode
                self._shown_by = {name: read(text, type=dict[str, Shown]) for name, text in self._told.items()}
            self._note_what_is_lost()
            try:
                await self._end(silent)
                await self._claim()
            finally:
                now = {stream: self.owner_of(table_of(stream)) for stream in leases}
                if before != now or told_before != self._told:
                    self._tell_of_change()
        if tells_at_once:
            self._doorbell.ring(LEASES_BELL)
        self._hand_over_what_is_calm()

    def _silent(self, rows: Iterable[tuple[str, int, int, bool]]) -> Mapping[str, int]:
        """The processes that are gone or hang, with the backends that they write by; notes who is alive."""
        now = asyncio.get_running_loop().time()
        if now - self._looked > LATE_SECONDS:
            self._seen = {}
        self._looked = now
        alive, silent, seen = {self.process}, {}, {}
        for process, beat, backend, has_lock in rows:
            known = self._seen.get(process)
            seen[process] = last = known if known and known.beat == beat else _Seen(beat, now)
            if process == self.process or now - last.since < (HUNG_SECONDS if has_lock else GONE_SECONDS):
                alive.add(process)
            else:
                silent[process] = backend
        self._seen, self._alive = seen, frozenset(alive)
        return silent

    def _note_what_is_lost(self) -> None:
        for stream, token in list(self._owned.items()):
            if self._leases.get(stream) != Lease(self.process, token):
                self._lose(stream)
                if stream not in self._leaving:
                    self._tell(stream, self._on_lost)
        for stream, lease in self._leases.items():
            # A claim whose answer was lost with the connection.
            if lease.owner == self.process and stream not in self._owned and stream not in self._leaving:
                self._gain(stream, lease.token)
            elif stream not in self._owned:
                # Whatever anybody here believes: nothing is written to a table that is led elsewhere.
                self._tokens[stream] = NO_TOKEN

    async def _end(self, silent: Mapping[str, int]) -> None:
        """One that hangs may be inside a transaction, which would hold up whoever takes over."""
        if silent:
            await self._link.ask(END_WRITER, [backend for backend in silent.values() if backend])
            await self._forget(silent)

    async def _forget(self, processes: Iterable[str]) -> None:
        names = list(processes)
        await self._link.ask(FORGET, names)
        await self._link.ask(FORGET_POST, names)
        await self._link.ask(FORGET_BELL, [post_bell(name) for name in names])

    async def _claim(self) -> None:
        """Take our share of what nobody leads; all who look reckon the same shares, so that few want the same."""
        free = [stream for stream, lease in self._leases.items() if lease.owner not in self._alive]
        counts = dict.fromkeys(self._alive, 0)
        for lease in self._leases.values():
            if lease.owner in counts:
                counts[lease.owner] += 1
        share = shares(counts, len(self._leases))
        self._surplus = len(self._owned) - share[self.process] - len(self._leaving)
        mine = list[str]()
        for process in sorted(share):
            missing = max(0, share[process] - counts[process])
            taken, free = free[:missing], free[missing:]
            if process == self.process:
                mine = taken
        if not mine:
            return
        seen = [self._leases[stream].token for stream in mine]
        for stream, token in await self._link.ask(CLAIM, self.process, mine, seen):
            self._taken_from[stream] = self._leases[stream].owner
            self._leases[stream] = Lease(self.process, token)
            self._gain(stream, token)
        self._doorbell.ring(LEASES_BELL)

    def _gain(self, stream: str, token: int) -> None:
        self._owned[stream] = self._tokens[stream] = token

        async def take_up(table: str) -> None:
            await self._on_gained(table)
            # Meanwhile it may have gone on to somebody else.
            if self._owned.get(stream) == token and stream not in self._leaving:
                self._led.add(stream)
                self._tell_of_change()

        self._tell(stream, take_up)

    def _lose(self, stream: str) -> None:
        self._owned.pop(stream, None)
        self._led.discard(stream)
        self._tokens[stream] = NO_TOKEN

    def _tell(self, stream: str, called: OnTable, tries: float = inf) -> "asyncio.Task[None]":
        """Call the house, for each table one after the other: opening a stream may take its time.

        What fails is tried again, as long as nothing else has become of the table: the database may be back soon.
        """
        before = self._telling.get(stream)

        async def tell() -> None:
            if before is not None:
                await asyncio.wait([before])
            for tried in count(1):
                try:
                    await called(table_of(stream))
                    return
                except Exception as error:
                    what = {"message": f"the house failed at {stream}", "exception": error}
                    asyncio.get_running_loop().call_exception_handler(what)
                if tried >= tries or self._telling.get(stream) is not task:
                    return
                await asyncio.sleep(TRY_AGAIN_SECONDS)

        self._telling[stream] = task = asyncio.create_task(tell())
        return task

    def _tell_of_change(self) -> None:
        for called in self.changed:
            called()

    def _hand_over_what_is_calm(self) -> None:
        for table in self.tables:
            if self.is_surplus(table) and self._is_calm(table):
                self.hand_over(table)


def shares(counts: Mapping[str, int], tables: int) -> dict[str, int]:
    """How many tables each process should lead: as evenly as can be, and whoever has more keeps what is left over."""
    each, left_over = divmod(tables, len(counts))
    ranked = sorted(counts, key=lambda process: (-counts[process], process))
    return {process: each + (place < left_over) for place, process in enumerate(ranked)}
