"""The first start of a record is interrupted at any step, or done by two processes at once: the next start works."""

import asyncio
import itertools
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from sqlalchemy import Engine, event

from puntobanco.errors import Fault
from puntobanco.store.keys import SEALING_KEY, SIGNING_KEY, open_keys
from puntobanco.store.postgres import PostgresDatabase
from puntobanco.store.sqlite import SqliteDatabase
from store.crashes import processes, start_loaded
from store.databases import Place
from store.houses import house
from store.power_losses import empty_record
from store.wrapped import Wrapped


class PowerCut(BaseException):
    """The process ends here."""


@contextmanager
def cut_at(number: int) -> Iterator[list[str]]:
    """The n-th statement of a migration does not come about; yields those that did."""
    done: list[str] = []

    def before(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if len(done) + 1 == number:
            raise PowerCut
        done.append(statement)

    event.listen(Engine, "before_cursor_execute", before)
    try:
        yield done
    finally:
        event.remove(Engine, "before_cursor_execute", before)


def test_a_migration_that_was_cut_short_is_done_again(place: Place) -> None:
    async def start() -> None:
        database = place.database()
        await database.start()
        await database.close()

    async def works() -> None:
        async with house(place.database()) as at:
            assert at.record.version("table/main") == 1

    number = 0
    while True:
        number += 1
        with cut_at(number) as done:
            try:
                asyncio.run(start())
            except PowerCut:
                continue
        break
    assert number > 8, "the migration has many statements, and each was cut"
    # The last try was not cut: it found none of the half-done work of those before it.
    assert len(done) == number - 1
    asyncio.run(works())


def start_once(path: str, url: str) -> None:
    """What each of several processes does."""

    async def work() -> None:
        database = PostgresDatabase(url) if url else SqliteDatabase(Path(path))
        await database.start()
        await database.close()

    asyncio.run(work())


def test_several_processes_make_the_tables_at_once(place: Place) -> None:
    start_loaded()
    path = str(place.folder / "record.sqlite")
    started = [processes.Process(target=start_once, args=(path, place.url)) for _ in range(4)]
    for each in started:
        each.start()
    for each in started:
        each.join()
    assert [each.exitcode for each in started] == [0] * 4


def test_a_new_file_is_opened_as_an_old_one_is(tmp_path: Path) -> None:
    asked: list[list[str]] = []

    class Listening(Wrapped):
        def __init__(self, path: Path) -> None:
            super().__init__(path)
            asked.append([])
            self.asked = asked[-1]

        def execute(self, statement: str, values: object = ()) -> object:
            self.asked.append(statement)
            return super().execute(statement, values)

    async def start() -> list[str]:
        """The settings of the connection that writes, which is the last but one."""
        database = SqliteDatabase(tmp_path / "record.sqlite", Listening)
        await database.start()
        await database.close()
        return [statement for statement in asked[-2] if statement.startswith("PRAGMA")]

    new, old = asyncio.run(start()), asyncio.run(start())
    assert new == old
    assert "PRAGMA synchronous = FULL" in new


@pytest.mark.parametrize("cut", ["write", "fsync", "link"])
def test_keys_that_were_not_finished_are_made_again(cut: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key is there whole or not at all, at whichever call the process ends."""
    for number in itertools.count(1):
        for left in tmp_path.iterdir():
            left.unlink()
        calls, works = 0, getattr(os, cut)

        def fails(*given: object, **more: object) -> object:
            nonlocal calls
            calls += 1
            if calls == number:  # noqa: B023
                raise PowerCut
            return works(*given, **more)  # noqa: B023

        with monkeypatch.context() as patched:
            patched.setattr(os, cut, fails)
            with suppress(PowerCut):
                open_keys(tmp_path)
        keys = open_keys(tmp_path)
        assert open_keys(tmp_path).public_key == keys.public_key
        for name in (SIGNING_KEY, SEALING_KEY):
            assert (tmp_path / name).stat().st_mode & 0o777 == 0o600
        if calls < number:
            break
    assert number > 2


def test_two_processes_that_make_the_keys_at_once_have_the_same(tmp_path: Path) -> None:
    found: list[bytes] = []
    both = [threading.Thread(target=lambda: found.append(open_keys(tmp_path).public_key)) for _ in range(8)]
    for each in both:
        each.start()
    for each in both:
        each.join()
    assert len(found) == 8
    assert len(set(found)) == 1


def test_a_connection_that_cannot_be_closed_leaves_no_other_open(tmp_path: Path) -> None:
    closed: list[Wrapped] = []

    class Stubborn(Wrapped):
        def close(self) -> None:
            super().close()
            closed.append(self)
            raise OSError("the disk fails")

    async def work() -> None:
        await empty_record(tmp_path / "record.sqlite")
        database = SqliteDatabase(tmp_path / "record.sqlite", Stubborn)
        await database.start()
        with pytest.raises(Fault, match="the disk fails"):
            await database.close()
        assert len(closed) == 2

    asyncio.run(work())
