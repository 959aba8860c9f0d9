"""Another process holds the lock of the file: whoever waits for it waits alone, and is told nothing before its time."""

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from puntobanco.errors import Fault
from puntobanco.ledger import IssueMoney
from puntobanco.store import sqlite
from puntobanco.store.record import Record
from puntobanco.store.sqlite import SqliteConnection, SqliteDatabase, connect
from store.houses import KEYS, house

MORE = IssueMoney("anna", "PHP", 100, "more")


@contextmanager
def locked(path: Path) -> Iterator[sqlite3.Connection]:
    """As a tool does that writes: the lock is held until it is rolled back."""
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield other
    finally:
        other.close()


def test_what_is_asked_while_the_file_is_locked_is_done_when_it_is_free(tmp_path: Path) -> None:
    """The lock is given up by the same loop: if that waited for the lock, it would wait for itself."""

    async def work() -> None:
        async with house(SqliteDatabase(tmp_path / "record.sqlite")) as at:
            before = at.record.version("desk/main")
            with locked(tmp_path / "record.sqlite") as other:
                waiting = asyncio.create_task(at.do("desk/main", MORE))
                for _ in range(20):
                    await asyncio.sleep(0.01)
                    # Reading goes on, and nobody is answered.
                    assert (await at.balances())["patron/PHP/anna"] == 1_000_000
                    assert not waiting.done()
                    assert at.record.version("desk/main") == before
                other.execute("ROLLBACK")
                assert (await waiting).accepted
            assert (await at.balances())["patron/PHP/anna"] == 1_000_100

    asyncio.run(work())


def test_a_lock_that_is_never_given_up_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        async with house(SqliteDatabase(tmp_path / "record.sqlite")) as at:
            monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0.2)
            with locked(tmp_path / "record.sqlite"):
                waiting = asyncio.create_task(at.do("desk/main", MORE, id="the-same-command"))
                await asyncio.sleep(0.05)
                assert not waiting.done()
                with pytest.raises(Fault, match="database is locked"):
                    await waiting
                # The stream has stopped, and whoever asks is told so at once.
                with pytest.raises(Fault, match="has stopped"):
                    await at.do("desk/main", MORE)
            await at.record.open("desk/main")
            assert (await at.do("desk/main", MORE, id="the-same-command")).accepted
            assert (await at.balances())["patron/PHP/anna"] == 1_000_100

    asyncio.run(work())


class Refusing:
    """A connection on which some statements find the file locked, for as long as it is."""

    def __init__(self, connection: SqliteConnection, words: str) -> None:
        self._connection, self._words = connection, words
        self.is_locked, self.tries = False, 0

    def execute(self, statement: str, *values: Any) -> Any:
        if self.is_locked and self._words in statement:
            self.tries += 1
            raise sqlite3.OperationalError("database is locked")
        return self._connection.execute(statement, *values)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)


@pytest.mark.parametrize("words", ["SELECT", "COMMIT"])
def test_reading_and_committing_wait_likewise(words: str, tmp_path: Path) -> None:
    """Such as while the file is recovered after a crash of whoever wrote to it last."""

    async def work() -> None:
        made = list[Refusing]()

        def refusing(path: Path) -> SqliteConnection:
            made.append(Refusing(connect(path), words))
            return made[-1]

        record = Record(SqliteDatabase(tmp_path / "record.sqlite", refusing), KEYS)
        await record.start()
        try:
            await record.open("desk/main")
            writer, reader = made[-2:]
            waits = reader if words == "SELECT" else writer
            waits.is_locked = True

            async def asked() -> Any:
                if words == "SELECT":
                    return await record.database.heads()
                return await record.submit("desk/main", [MORE], actor="house", command_id="one-command")

            waiting = asyncio.create_task(asked())
            while waits.tries < 3:
                await asyncio.sleep(0.01)
            assert not waiting.done()
            waits.is_locked = False
            done = await waiting
            assert done == [] if words == "SELECT" else done.accepted
        finally:
            await record.close()

    asyncio.run(work())
