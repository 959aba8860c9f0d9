"""Reading a file of SQLite that is damaged ends, with rows or with a fault."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from puntobanco.store.database import Database, StorageFault
from puntobanco.store.sqlite import SqliteConnection, SqliteDatabase
from store.wrapped import Wrapped

READINGS: dict[str, tuple[Callable[[Database], AsyncIterator[Any]], tuple[Any, ...]]] = {
    "events": (lambda database: database.events(), (7, "table/main", 3, 0, "a", "c", 1, "{}", b"")),
    "events of a stream": (
        lambda database: database.events("table/main"),
        (7, "table/main", 3, 0, "a", "c", 1, "{}", b""),
    ),
    "chain": (lambda database: database.chain(), (7, b"table/main", 3, 0, b"a", b"c", 1, b"{}", b"")),
    "entries": (lambda database: database.entries(), ("table/main", 3, 0, "house/PHP", 1)),
    "commands": (lambda database: database.commands(), ("a", "c", b"", "table/main", 3, "{}", b"")),
    "accounts": (lambda database: database.accounts(), ("house/PHP", 1)),
    "keys of shoes": (lambda database: database.all_shoe_keys(), ("table/main", 1, b"")),
}


class Circular(Wrapped):
    """A connection to a file in which one row comes after itself."""

    def __init__(self, path: Path, row: tuple[Any, ...]) -> None:
        super().__init__(path)
        self.row = row

    def execute(self, statement: str, values: Any = ()) -> Any:
        return [self.row] if "LIMIT" in statement else super().execute(statement, values)


async def read_all(portions: AsyncIterator[Any]) -> None:
    seen = 0
    async for portion in portions:
        seen += len(portion)
        assert seen < 10, "reading does not end"


@pytest.mark.parametrize("name", READINGS)
def test_rows_that_come_round_again_are_a_fault(name: str, tmp_path: Path) -> None:
    read, row = READINGS[name]

    def opened(path: Path) -> SqliteConnection:
        return Circular(path, row)

    async def work() -> None:
        database = SqliteDatabase(tmp_path / "record.sqlite", opened)
        await database.start()
        try:
            with pytest.raises(StorageFault, match="the file is damaged"):
                await read_all(read(database))
        finally:
            await database.close()

    asyncio.run(work())
