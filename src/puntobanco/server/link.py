"""A connection to PostgreSQL that is made again when it is lost, for what processes say to each other."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from puntobanco.extras import optional_package
from puntobanco.store.database import StorageFault, one_line

with optional_package("asyncpg", "PostgreSQL is reached"):
    import asyncpg

if TYPE_CHECKING:
    Connection = asyncpg.Connection[asyncpg.Record]

CONNECT_SECONDS = ANSWER_SECONDS = 5.0
"""Whoever waits longer than that for a connection or an answer is without a database."""

# What processes tell each other need not outlive the server, and nobody may be held up by somebody else's lock.
SETTINGS = {"application_name": "puntobanco", "synchronous_commit": "off", "lock_timeout": "1s"}


class Link:
    """One connection, one question at a time. What was under way when it is lost is a fault for whoever asked."""

    def __init__(
        self,
        url: str,
        settings: Mapping[str, str] = SETTINGS,
        on_connected: "Callable[[Connection], Awaitable[None]] | None" = None,
    ) -> None:
        self._url, self._settings, self._on_connected = url, dict(settings), on_connected
        self._connection: Connection | None = None
        self._asking = asyncio.Lock()

    async def ask(self, statement: str, *values: object) -> list[Any]:
        """Carry out a statement by itself; its rows."""
        async with self._asking:
            try:
                connection = await self._connected()
                return await connection.fetch(statement, *values)
            except (TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError, OSError) as error:
                raise StorageFault(f"The database failed: {one_line(error)}.") from error

    async def _connected(self) -> "Connection":
        if self._connection is None or self._connection.is_closed():
            connection = await asyncpg.connect(
                self._url,
                timeout=CONNECT_SECONDS,
                command_timeout=ANSWER_SECONDS,
                server_settings=self._settings,
            )
            try:
                if self._on_connected is not None:
                    await self._on_connected(connection)
            except BaseException:
                connection.terminate()
                raise
            self._connection = connection
        return self._connection

    async def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError, OSError):
                await connection.close(timeout=CONNECT_SECONDS)


async def ended(task: "asyncio.Task[None] | None") -> None:
    """Cancel a task of ours and wait for its end."""
    while task is not None and not task.done():
        # More than once, should it be: what it waits for may come in the same moment and hide that it was cancelled.
        task.cancel()
        await asyncio.wait([task], timeout=1)


async def is_set(event: asyncio.Event, seconds: float) -> bool:
    """Wait for an event, at most so long; whether it has come."""
    try:
        # Not `wait_for`, which before Python 3.12 forgets that it was cancelled if the event comes in the same moment.
        async with asyncio.timeout(seconds):
            return await event.wait()
    except TimeoutError:
        return False
