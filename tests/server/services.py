"""A whole house for tests, on a clock of its own: people, those who watch, what they say, a crash and a new start."""

import asyncio
import itertools
import json
import random
import secrets
from base64 import urlsafe_b64encode
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

from argon2 import PasswordHasher

from puntobanco.server import wire
from puntobanco.server.configuration import Configuration
from puntobanco.server.floor import FloorTable
from puntobanco.server.house import House, refused
from puntobanco.server.live_table import LiveTable
from puntobanco.server.persons import STAFF, Person, Role, Signed
from puntobanco.server.problems import problem_of
from puntobanco.store.audit import audit
from puntobanco.store.keys import open_keys
from puntobanco.store.places import database_of
from server.declared import check_told
from server.virtual_clock import VirtualClock

Json = dict[str, Any]

BETTING, CARD, REVEAL, BETWEEN = 10_000, 500, 1_500, 2_000
"""The pace of the tables, in milliseconds."""
SECONDS_TO_SETTLE = 60
"""Of the real clock: whatever takes longer has stopped."""


class Viewer:
    """Somebody at a table; keeps every message."""

    def __init__(self, person: Person | None) -> None:
        self.person, self.version = person, 0
        self.sent: list[bytes] = []
        self.has_gone = False

    def send(self, *messages: bytes) -> None:
        check_told(messages)
        self.sent += messages

    def say_goodbye(self) -> None:
        self.has_gone = True

    def break_off(self) -> None:
        self.has_gone = True

    @property
    def messages(self) -> list[Json]:
        return [json.loads(each) for each in self.sent]


class Service:
    """A house on a data directory, and those who come to it."""

    def __init__(self, folder: Path, url: str | None = None, **settings: Any) -> None:
        self.configuration = Configuration(
            **{
                "data": folder,
                "database": url,
                "betting_seconds": BETTING / 1000,
                "card_seconds": CARD / 1000,
                "reveal_seconds": REVEAL / 1000,
                "pause_seconds": BETWEEN / 1000,
                "rate_limits": False,
                "first_tables": (),
                "staff_idle_minutes": 1440,
                **settings,
            }
        )
        self.clock = VirtualClock()
        self._house: House | None = None
        self._ids = itertools.count()
        self.is_alone = True
        """Whether no other process serves the house, so that this one leads every table."""

    @property
    def house(self) -> House:
        assert self._house is not None, "the house is open"
        return self._house

    async def open(self) -> None:
        # A hash is worth its time to nobody here, and a thread of low priority waits long on a busy machine.
        with mock.patch("puntobanco.server.passwords._yield_to_others"):
            self._house = await House.open(self.configuration, self.clock)
        self.house.people._passwords._hasher = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
        await self.until(lambda: not self.is_alone or all(self.house.leads(table) for table in self.house.tables))
        await self.settle()

    async def close(self) -> None:
        house, self._house = self.house, None
        await house.close()

    async def crash(self) -> None:
        """All that the process did ends at this moment: nothing is answered and nothing more is written."""
        house, self._house = self.house, None
        others = [house.record._writer, house.follower._next]
        links = list[Any]()
        if house.several is not None:
            doorbell, ownership, post = house.several._doorbell, house.several._ownership, house.several._post
            others += [*doorbell._tasks, ownership._beating, *ownership._telling.values(), post._working]
            links = [doorbell._ringing_link, doorbell._listening_link, ownership._link, post._link]
        tasks = [*_tasks(house), *[each for each in others if each is not None]]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        house.record._writer = None
        await house.jobs.close()
        for connections in (*links, house.record.database, house.derived, house.beside):
            await connections.close()
        house.people._passwords.close()

    # Time.

    async def until(self, happens: Callable[[], bool]) -> None:
        """What other processes or none may do goes by no clock of ours."""
        async with asyncio.timeout(SECONDS_TO_SETTLE):
            while not happens():
                await asyncio.sleep(0.005)

    async def settle(self) -> None:
        """Let the tables go on until each waits for the clock."""
        loop = asyncio.get_running_loop()
        last, tries = loop.time() + SECONDS_TO_SETTLE, 0
        while not self._is_at_rest():
            assert loop.time() < last, "the tables do not come to rest"
            tries += 1
            # Most of it waits for threads, which should have the processor.
            await asyncio.sleep(0 if tries < 20 else 0.0002)

    def _is_at_rest(self) -> bool:
        for task in _tasks(self.house):
            assert not task.done(), f"a task of the house has ended: {task!r}"
            sends = "_send" in task.get_coro().__qualname__  # type: ignore[union-attr]
            if self.clock.wakes(task) or not (sends or self.clock.holds(task)):
                return False
        return not any(live.audience.is_behind and not live._troubles for live in self.house.tables.values())

    async def advance(self, milliseconds: int) -> None:
        await self.clock.advance(milliseconds, self.settle)

    # Tables and people.

    async def add_table(self, table: FloorTable) -> LiveTable:
        await self.house.floor.add(table)
        await self.house.take_up(await self.house.floor.table(table.id))
        # Of several processes the one makes it that leads it.
        await self.until(lambda: table.id in self.house.tables)
        await self.until(lambda: not self.is_alone or self.house.leads(table.id))
        await self.settle()
        return self.house.tables[table.id]

    async def guest(self) -> Signed:
        _, token, _ = await self.house.welcome()
        return await self.signed_in(token)

    async def staff(self, name: str, role: Role) -> Signed:
        person, password = await self.house.people.add_staff(name, role)
        chosen = f"{name} has chosen a long one"
        _, token = await self.house.people.change_password(person, password, chosen)
        return await self.signed_in(token)

    async def signed_in(self, token: str) -> Signed:
        signed = await self.house.people.signed_in(token)
        assert signed is not None
        return signed

    async def join(self, table: str, person: Person | None, after: int | None = None) -> Viewer:
        viewer = Viewer(person)
        if person is not None and person.role not in STAFF:
            await self.house.responsible.arrive(person.id, self.clock.now())
        await self.house.tables[table].join(viewer, after)
        await self.settle()
        return viewer

    # What is said.

    def new_id(self) -> str:
        return f"message-{next(self._ids):06}"

    async def say(self, table: str, signed: Signed, **message: Any) -> Json:
        """One message, as a socket would carry it; what is answered, and the status of a problem."""
        message = {"id": message.get("id") or self.new_id(), **message}
        try:
            return await self.house.command(table, signed, wire.read_message(json.dumps(message).encode()))
        except Exception as error:
            if problem_of(error).reason == "fault":
                raise
            return {**refused(message["id"], error, self.clock.now()), "status": problem_of(error).status}

    # What is written.

    @property
    def record_id(self) -> tuple[Path, str | None]:
        return self.configuration.data, self.configuration.database

    async def problems(self) -> list[str]:
        """What an audit finds, by a connection of its own."""
        folder, url = self.record_id
        database = database_of(folder, url)
        await database.start(new=False)
        try:
            found = await audit(database, open_keys(folder, new=False))
        finally:
            await database.close()
        return [str(each) for each in found.problems]

    async def accounts(self) -> dict[str, int]:
        database = self.house.record.database
        return {name: balance async for portion in database.accounts() for name, balance in portion if balance}

    async def rows(self) -> list[tuple[Any, ...]]:
        """Every event in its order: all that the record is."""
        database = self.house.record.database
        return [tuple(each.row) async for portion in database.events() for each in portion]


def _tasks(house: House) -> list["asyncio.Task[None]"]:
    tables = [task for live in house.tables.values() for task in (*live._tasks, live._leading) if task is not None]
    lobby = [] if house.lobby._task is None or house.lobby._task.done() else [house.lobby._task]
    return [*tables, *house._tasks, *lobby]


@asynccontextmanager
async def service(folder: Path, url: str | None = None, **settings: Any) -> AsyncIterator[Service]:
    """A house that is open."""
    found = Service(folder, url, **settings)
    await found.open()
    try:
        yield found
    except BaseException:
        # What has failed may never come to an end by itself.
        if found._house is not None:
            await found.crash()
        raise
    if found._house is not None:
        await found.close()


@contextmanager
def seeded_secrets(seed: int) -> Iterator[None]:
    """Keys, ids and tokens that follow from a seed, so that two runs can be compared."""
    source = random.Random(seed)

    def token_bytes(count: int | None = None) -> bytes:
        return source.randbytes(32 if count is None else count)

    with mock.patch.multiple(
        secrets,
        token_bytes=token_bytes,
        token_hex=lambda count=None: token_bytes(count).hex(),
        token_urlsafe=lambda count=None: urlsafe_b64encode(token_bytes(count)).decode().rstrip("="),
        randbelow=source.randrange,
        choice=source.choice,
    ):
        yield


class SlowLook:
    """The next look at what accounts stand at is answered only when this is told so, with what was found before."""

    def __init__(self, at: Service) -> None:
        self.began, self._may_end = asyncio.Event(), asyncio.Event()
        self._database = at.house.record.database
        self._standing = self._database.standing
        self._database.standing = self._look  # type: ignore[method-assign]

    async def _look(self, accounts: Sequence[str]) -> dict[str, int]:
        self._database.standing = self._standing  # type: ignore[method-assign]
        found = await self._standing(accounts)
        self.began.set()
        await self._may_end.wait()
        return found

    def end(self) -> None:
        self._may_end.set()


@contextmanager
def seldom_looked_after() -> Iterator[None]:
    """What the house does every second beside its tables takes most of the time of a walk."""
    with mock.patch.multiple("puntobanco.server.house", KEEP_UP_MILLISECONDS=20_000, FLOOR_MILLISECONDS=20_000):
        yield
