"""The lobby: one stream of all tables' listings, told about once a second where they have changed."""

import asyncio
from typing import TYPE_CHECKING, Any

from puntobanco.server.build import BUILD
from puntobanco.server.logs import log
from puntobanco.server.permissions import Permission, may
from puntobanco.server.problems import problem_of
from puntobanco.server.wire import encoded

if TYPE_CHECKING:
    from puntobanco.server.audience import Connection
    from puntobanco.server.house import House
    from puntobanco.server.live_table import LiveTable

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
        self._task: asyncio.Task[None] | None = None
        self._never = asyncio.Event()

    async def join(self, connection: "Connection") -> None:
        """Show somebody all tables; from then on they are told what changes."""
        # What has changed since the last time goes to those who were here before.
        await self._tell()
        connection.send(encoded({"type": "tables", "build": BUILD, **self._house.listed()}))
        if _reads_requests(connection):
            connection.send(self._requests_told(len(await self._house.requests.waiting())))
        self.connections.add(connection)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._gather())

    def leave(self, connection: "Connection") -> None:
        self.connections.discard(connection)

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
        now = {name: _made_from(live) for name, live in self._house.tables.items()}
        changed = [name for name, made_from in now.items() if self._seen.get(name) != made_from]
        gone = [name for name in self._seen if name not in now]
        self._seen = now
        if changed or gone:
            listed = [self._house.tables[name].listed() for name in changed]
            said = {"type": "tables-changed", "time": self._house.clock.now(), "tables": listed, "gone": gone}
            self._send(encoded(said), list(self.connections))
        staff = [each for each in self.connections if _reads_requests(each)]
        if staff:
            waiting = len(await self._house.requests.waiting())
            if waiting != self._requests:
                self._requests = waiting
                self._send(self._requests_told(waiting), staff)

    def _requests_told(self, waiting: int) -> bytes:
        return encoded({"type": "requests", "time": self._house.clock.now(), "waiting": waiting})

    def _send(self, message: bytes, connections: "list[Connection]") -> None:
        for connection in connections:
            connection.send(message)


def _made_from(live: "LiveTable") -> tuple[object, ...]:
    """What a listing is made from: quicker to compare than the listing is to make."""
    return live.title, live.version, live.closes_at, live.patrons, live.watching, live.trouble


def _reads_requests(connection: "Connection") -> bool:
    return connection.person is not None and may(connection.person.role, Permission.READ_REQUESTS)
