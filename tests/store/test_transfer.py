"""A record goes from one database to another and back, and is the same byte for byte."""

import asyncio
from pathlib import Path

import pytest

from puntobanco.errors import Fault, InputError
from puntobanco.store.audit import audit
from puntobanco.store.transfer import exported, imported
from puntobanco.table import Phase
from store.databases import Place
from store.houses import KEYS, VIRTUAL, house
from store.played import desk, play


async def lines_of(place: Place) -> list[str]:
    database = place.database()
    await database.start()
    try:
        return [line async for line in exported(database)]
    finally:
        await database.close()


async def put(place: Place, lines: list[str]) -> int:
    database = place.database()
    await database.start()
    try:
        return await imported(database, [line + "\n" for line in lines])
    finally:
        await database.close()


def new_place(tmp_path: Path, kind: str, name: str) -> Place:
    folder = tmp_path / name
    folder.mkdir()
    return Place(kind, folder)


@pytest.fixture
def record(tmp_path: Path) -> list[str]:
    async def work() -> list[str]:
        place = new_place(tmp_path, "sqlite", "source")
        async with house(place.database(), settings=VIRTUAL) as at:
            await desk(at)
            await play(at, 12)
        return await lines_of(place)

    return asyncio.run(work())


@pytest.mark.parametrize("kinds", [("postgres", "sqlite"), ("sqlite", "postgres")])
def test_there_and_back_it_is_the_same(record: list[str], kinds: tuple[str, str], tmp_path: Path) -> None:
    places = [new_place(tmp_path, kind, kind) for kind in kinds]

    async def work() -> None:
        lines = record
        for place in places:
            assert await put(place, lines) == len(record) - 2
            lines = await lines_of(place)
            assert lines == record
        database = place.database()
        await database.start()
        assert (await audit(database, KEYS)).problems == []
        await database.close()

    asyncio.run(work())


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_what_was_imported_goes_on(record: list[str], kind: str, tmp_path: Path) -> None:
    place = new_place(tmp_path, kind, kind)

    async def work() -> None:
        await put(place, record)
        async with house(place.database(), "second", VIRTUAL) as at:
            version = at.record.version("table/main")
            await play(at, 2)
            assert at.table.phase is Phase.READY
            assert at.record.version("table/main") > version
        database = place.database()
        await database.start()
        assert (await audit(database, KEYS)).problems == []
        await database.close()

    asyncio.run(work())


def test_it_is_of_one_moment_though_a_house_plays_on(place: Place) -> None:
    async def work() -> None:
        async with house(place.database(), settings=VIRTUAL) as at:
            await play(at, 3)
            before = await lines_of(place)
            database = place.database()
            await database.start()
            lines = []
            async for line in exported(database):
                lines.append(line)
                if len(lines) in (2, len(before) // 2):
                    await play(at, 1)
            assert lines == before
            found, _ = await asyncio.gather(audit(database, KEYS), play(at, 3))
            assert found.problems == []
            await database.close()

    asyncio.run(work())


def test_what_is_no_whole_record_is_refused_and_leaves_nothing(record: list[str], tmp_path: Path) -> None:
    wrong = {
        "nothing": [],
        "no first line": record[1:],
        "cut short": record[:-1],
        "a line less": record[:40] + record[41:],
        "a line twice": record[:40] + record[39:],
        "a changed letter": [*record[:40], record[40].replace("a", "b", 1), *record[41:]],
        "something after the end": [*record, record[5]],
        "no JSON": [*record[:40], "{", *record[41:]],
        "another kind": [*record[:40], '["nonsense",1]', *record[41:]],
        "a row that is too short": [*record[:40], '["entry","x"]', *record[41:]],
        "another version": ['{"format":"puntobanco-record","revision":"9999"}', *record[1:]],
    }
    for number, (name, lines) in enumerate(wrong.items()):
        place = new_place(tmp_path, "sqlite", f"wrong-{number}")
        with pytest.raises((InputError, Fault)):
            asyncio.run(put(place, lines))
        assert len(asyncio.run(lines_of(place))) == 2, name


def test_a_record_is_not_imported_over_another(record: list[str], tmp_path: Path) -> None:
    place = new_place(tmp_path, "sqlite", "target")
    asyncio.run(put(place, record))
    with pytest.raises(Fault, match="holds a record already"):
        asyncio.run(put(place, record))
    assert asyncio.run(lines_of(place)) == record
