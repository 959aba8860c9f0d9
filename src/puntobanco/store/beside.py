"""What the service keeps beside the record, in the same database: people, sessions, requests, disputes, limits.

None of it moves money, so it needs no chain and no groups: SQLAlchemy Core, a transaction for each thing that is done.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from puntobanco.extras import optional_package
from puntobanco.store.database import StorageFault, one_line
from puntobanco.store.sqlite import BUSY_SECONDS
from puntobanco.store.turns import Turn, turn_at

with optional_package("sqlalchemy", "People and their sessions are kept"):
    from sqlalchemy import event
    from sqlalchemy.exc import SQLAlchemyError
    from sqlalchemy.ext.asyncio import create_async_engine

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine


class Beside:
    """A way to the tables beside the record: of the SQLite file, or of a PostgreSQL server."""

    def __init__(self, engine: "AsyncEngine", turn: Turn | None = None) -> None:
        self._engine = engine
        self._turn = turn
        """At the one lock of a file; a server has locks of its own."""

    @classmethod
    def in_file(cls, path: Path, pragmas: Sequence[str] = ("synchronous = FULL",)) -> Self:
        with optional_package("aiosqlite", "People and their sessions are kept"):
            import aiosqlite  # noqa: F401
        engine = create_async_engine(f"sqlite+aiosqlite:///{path}", connect_args={"timeout": BUSY_SECONDS})

        @event.listens_for(engine.sync_engine, "connect")
        def set_up(connection: Any, _: object) -> None:
            # The driver would begin a transaction only at the first write, too late for what was read before it.
            connection.isolation_level = None
            for pragma in pragmas:
                connection.execute(f"PRAGMA {pragma}")

        @event.listens_for(engine.sync_engine, "begin")
        def begin(connection: Any) -> None:
            reads = connection.get_execution_options().get("reads", False)
            connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")

        return cls(engine, turn_at(path))

    @classmethod
    def on_server(cls, url: str) -> Self:
        with optional_package("asyncpg", "The record is kept in PostgreSQL"):
            import asyncpg
        # SQLAlchemy opens no connection of its own: it would read the address by other rules.
        return cls(
            create_async_engine("postgresql+asyncpg://", async_creator=lambda: asyncpg.connect(url), pool_size=4)
        )

    @asynccontextmanager
    async def writing(self) -> AsyncIterator["AsyncConnection"]:
        """A transaction, committed at the end of the block; whatever the driver raises comes out as a fault."""
        try:
            async with self._in_turn(), self._engine.begin() as connection:
                yield connection
        except (SQLAlchemyError, OSError) as error:
            raise StorageFault(f"The database failed: {one_line(getattr(error, 'orig', None) or error)}.") from error

    @asynccontextmanager
    async def _in_turn(self) -> AsyncIterator[None]:
        if self._turn is None:
            yield
            return
        await self._turn.take()
        try:
            yield
        finally:
            self._turn.end()

    @asynccontextmanager
    async def reading(self) -> AsyncIterator["AsyncConnection"]:
        """What is read in the block is of one moment."""
        try:
            async with self._engine.connect() as connection:
                connection = await connection.execution_options(reads=True)
                async with connection.begin():
                    yield connection
        except (SQLAlchemyError, OSError) as error:
            raise StorageFault(f"The database failed: {one_line(getattr(error, 'orig', None) or error)}.") from error

    @property
    def is_file(self) -> bool:
        return self._engine.dialect.name == "sqlite"

    async def close(self) -> None:
        await self._engine.dispose()
