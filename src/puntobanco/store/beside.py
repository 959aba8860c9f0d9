"""What the service keeps beside the record, in the same database: people, sessions, requests, disputes, limits.

None of it moves money, so it needs no chain and no groups: SQLAlchemy Core, a transaction for each thing that is done.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from puntobanco.extras import optional_package
from puntobanco.store.database import StorageFault, one_line
from puntobanco.store.sqlite import BUSY_SECONDS

with optional_package("sqlalchemy", "People and their sessions are kept"):
    from sqlalchemy import event
    from sqlalchemy.exc import SQLAlchemyError
    from sqlalchemy.ext.asyncio import create_async_engine

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine


class Beside:
    """A way to the tables beside the record: of the SQLite file, or of a PostgreSQL server."""

    def __init__(self, engine: "AsyncEngine") -> None:
        self._engine = engine

    @classmethod
    def in_file(cls, path: Path) -> "Beside":
        with optional_package("aiosqlite", "People and their sessions are kept"):
            import aiosqlite  # noqa: F401
        engine = create_async_engine(f"sqlite+aiosqlite:///{path}", connect_args={"timeout": BUSY_SECONDS})

        @event.listens_for(engine.sync_engine, "connect")
        def set_up(connection: Any, _: object) -> None:
            # The driver would begin a transaction only at the first write, too late for what was read before it.
            connection.isolation_level = None
            connection.execute("PRAGMA synchronous = FULL")

        @event.listens_for(engine.sync_engine, "begin")
        def begin(connection: Any) -> None:
            reads = connection.get_execution_options().get("reads", False)
            connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")

        return cls(engine)

    @classmethod
    def on_server(cls, url: str) -> "Beside":
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
            async with self._engine.begin() as connection:
                yield connection
        except (SQLAlchemyError, OSError) as error:
            raise StorageFault(f"The database failed: {one_line(getattr(error, 'orig', None) or error)}.") from error

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

    async def close(self) -> None:
        await self._engine.dispose()
