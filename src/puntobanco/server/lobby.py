"""The lobby: one stream of all tables' listings, told about once a second where they have changed.

Whoever is there hears beside it what concerns them alone: a patron of their money, and staff of what waits for them.
"""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from puntobanco.server.build import BUILD
from puntobanco.server.logs import log
from puntobanco.server.permissions import Permission, may
from puntobanco.server.persons import STAFF
from puntobanco.server.problems import problem_of
from puntobanco.server.wire import encoded

if TYPE_CHECKING:
    from puntobanco.server.audience import Connection
    from puntobanco.server.house import House
    from puntobanco.server.live_table import LiveTable
    from puntobanco.server.persons import Person

GATHERING_MILLISECONDS = 1_000
Json = dict[str, Any]


class Lobby:
    """Those who look at all tables at once, and what they were told last."""

    name = "lobby"

    def __init__(self, house: "House") -> None:
        self._house = house
        self.connections: set[Connection] = set()
        self._seen: dict[str, tuple[object, ...]] = {}
        """By table, what its listing was made from when it was told last."""
        self._requests: int | None = None
        """How many requests wait, as all who read them here were told last."""
        self._patron_of: dict[Connection, str] = {}
        self._task: asyncio.Task[None] | None = None
        self._never = asyncio.Event()

    async def join(self, connection: "Connection") -> None:
        """Show somebody all tables; from then on they are told what changes."""
        waiting = len(await self._house.requests.waiting()) if _reads_requests(connection) else None
        # From here on nothing is waited for: what changes in between would be told to nobody.
        # What has changed since the last time goes to those who were here before.
        self._tell_tables()
        if waiting is not None:
            self._tell_requests(waiting)
        connection.send(encoded({"type": "tables", "build": BUILD, **self._house.listed()}))
        if waiting is not None:
            connection.send(self._requests_told(waiting))
        self.connections.add(connection)
        if connection.person is not None and connection.person.role not in STAFF:
            self._patron_of[connection] = connection.person.id
            self._house.places[connection.person.id] += 2
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._gather())

    def leave(self, connection: "Connection") -> None:
        self.connections.discard(connection)
        # As they were when they came: who was signed out meanwhile has no name any more.
        patron = self._patron_of.pop(connection, None)
        if patron is not None:
            self._house.places[patron] -= 2
            if not self._house.places[patron]:
                del self._house.places[patron]

    def tell(self, message: bytes, whom: "Callable[[Person], bool]") -> None:
        """Tell those what concerns them alone."""
        known = [each for each in self.connections if each.person is not None and whom(each.person)]
        self._send(message, known)

    def tell_own(self, unit: str, balances: Mapping[str, int]) -> None:
        """Tell these patrons what they have by now in a currency."""
        about: Json = {"type": "balance", "time": self._house.clock.now(), "currency": unit}
        for connection, patron in list(self._patron_of.items()):
            if patron in balances:
                self._send(encoded({**about, "balance": balances[patron]}), [connection])

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _gather(self) -> None:
        while self.connections:
            await self._house.clock.wait(self._never, self._house.clock.now() + GATHERING_MILLISECONDS)
            try:
                await self._tell()
            except Exception as error:
                log("failed", reason="lobby", message=problem_of(error).message, fault=error)

    async def _tell(self) -> None:
        self._tell_tables()
        if any(_reads_requests(each) for each in self.connections):
            self._tell_requests(len(await self._house.requests.waiting()))

    def _tell_tables(self) -> None:
        now = {name: _made_from(live) for name, live in self._house.tables.items()}
        changed = [name for name, made_from in now.items() if self._seen.get(name) != made_from]
        gone = [name for name in self._seen if name not in now]
        self._seen = now
        if changed or gone:
            listed = [self._house.tables[name].listed() for name in changed]
            said = {"type": "tables-changed", "time": self._house.clock.now(), "tables": listed, "gone": gone}
            self._send(encoded(said), list(self.connections))

    def _tell_requests(self, waiting: int) -> None:
        if waiting != self._requests:
            self._requests = waiting
            self._send(self._requests_told(waiting), [each for each in self.connections if _reads_requests(each)])

    def _requests_told(self, waiting: int) -> bytes:
        return encoded({"type": "requests", "time": self._house.clock.now(), "waiting": waiting})

    def _send(self, message: bytes, connections: "list[Connection]") -> None:
        for connection in connections:
            try:
                connection.send(message)
            except Exception as error:
                # Whatever is wrong with one connection, the others are told; this one comes back.
                log("failed", reason="send", table=self.name, fault=error)
                self.leave(connection)
                with suppress(Exception):
                    connection.break_off()


def _made_from(live: "LiveTable") -> tuple[object, ...]:
    """What a listing is made from: quicker to compare than the listing is to make."""
    return live.title, live.version, live.closes_at, live.patrons, live.watching, live.trouble


def _reads_requests(connection: "Connection") -> bool:
    return connection.person is not None and may(connection.person.role, Permission.READ_REQUESTS)
