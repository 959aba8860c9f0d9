"""The floor, on both databases: tables as they are wanted, and what makes them so."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from puntobanco import GAMES, find_game
from puntobanco.errors import InputError
from puntobanco.server.configuration import Configuration
from puntobanco.server.floor import Floor, FloorTable, first_tables, next_command, usual_settings
from puntobanco.server.problems import Problem
from puntobanco.store.beside import Beside
from puntobanco.table import (
    Account,
    ChangeSettings,
    Dealing,
    Limits,
    OpenShoe,
    OpenTable,
    Table,
    TableOpened,
    decide,
    evolve,
)
from store.databases import KINDS, Place

MANILA = find_game("manila")


@pytest.fixture(params=KINDS)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return Place(request.param, tmp_path)


@asynccontextmanager
async def floor_at(place: Place) -> AsyncIterator[Floor]:
    database = place.database()
    await database.start()
    await database.close()
    beside = Beside.on_server(place.url) if place.kind == "postgres" else Beside.in_file(place.folder / "record.sqlite")
    try:
        yield Floor(beside)
    finally:
        await beside.close()


def on_floor(place: Place, work: Callable[[Floor], Coroutine[Any, Any, None]]) -> None:
    async def run() -> None:
        async with floor_at(place) as floor:
            await work(floor)

    asyncio.run(run())


def test_an_empty_floor_is_filled_once_with_a_table_of_each_game(place: Place) -> None:
    async def work(floor: Floor) -> None:
        filled = await floor.fill(Configuration())
        assert [each.id for each in filled] == [game.id for game in GAMES]
        assert [each.place for each in filled] == [1, 2, 3, 4, 5, 6]
        for each, game in zip(filled, GAMES, strict=True):
            assert each.settings.dealing is Dealing.VIRTUAL
            assert (each.settings.account is Account.CHIPS) == bool(game.chips_only)
            assert each.pace(Configuration(betting_seconds=0.5, card_seconds=0)) == (500, 0)
        await floor.change("manila", closed=True)
        assert [each.closed for each in await floor.fill(Configuration())].count(True) == 1
        assert len(await floor.tables()) == 6

    on_floor(place, work)


def test_two_processes_that_start_at_once_fill_it_once(place: Place) -> None:
    async def work(floor: Floor) -> None:
        found = await asyncio.gather(*(floor.fill(Configuration()) for _ in range(4)))
        assert [len(each) for each in found] == [6] * 4

    on_floor(place, work)


def test_what_is_changed_is_read_back_and_the_rest_stays(place: Place) -> None:
    async def work(floor: Floor) -> None:
        hong_kong = usual_settings(MANILA, currency="HKD", limits={"tie": Limits(100, 1000, 100)}, decks=6)
        added = FloorTable("high-1", "High limits", hong_kong, 12_000, 0)
        await floor.add(added)
        assert await floor.table("high-1") == added._replace(place=1)
        await floor.add(FloorTable("b", "B", usual_settings(find_game("six-star"))))
        await floor.change("high-1", name="Higher", betting_milliseconds=None)
        changed = await floor.table("high-1")
        assert changed == added._replace(place=1, name="Higher", betting_milliseconds=None)
        assert [each.id for each in await floor.tables()] == ["high-1", "b"]
        assert changed.settings == hong_kong
        assert changed.pace(Configuration()) == (20_000, 0)
        for reason, work_refused in (
            ("table-there", floor.add(added._replace(id="c"), added._replace(id="b"))),
            ("not-found", floor.change("d", closed=True)),
            ("not-found", floor.table("d")),
            ("malformed", floor.table("D E")),
            ("malformed", floor.add(added._replace(id="../x"))),
            ("malformed", floor.add(added._replace(id="e", name="a\u202eb"))),
            ("malformed", floor.change("b", name=" ")),
        ):
            with pytest.raises(Problem) as refused:
                await work_refused
            assert refused.value.reason == reason
        assert [each.id for each in await floor.tables()] == ["high-1", "b"]

    on_floor(place, work)


def test_a_table_of_other_rules_does_not_keep_the_others_from_being_read(place: Place) -> None:
    async def work(floor: Floor) -> None:
        await floor.fill(Configuration(first_tables=("manila", "six-star")))
        without = Floor(floor._beside, [MANILA])
        assert [each.id for each in await without.fill(Configuration())] == ["manila"]
        assert list(without.unreadable) == ["six-star"]
        with pytest.raises(InputError):
            await without.table("six-star")
        await without.change("six-star", settings=usual_settings(MANILA))
        assert len(await without.tables()) == 2
        assert without.unreadable == {}

    on_floor(place, work)


def test_the_first_tables_are_those_that_the_settings_name() -> None:
    assert [each.id for each in first_tables(Configuration(first_tables=("manila",)))] == ["manila"]
    assert first_tables(Configuration(first_tables=())) == []
    with pytest.raises(InputError, match="There is no game 'manilla'; did you mean manila"):
        first_tables(Configuration(first_tables=("manilla",)))


def opened(table: FloorTable) -> Table:
    (event,) = decide(None, OpenTable(table.settings))
    assert isinstance(event, TableOpened)
    return evolve(None, event)


def test_a_table_becomes_as_it_is_wanted_when_its_rules_allow() -> None:
    wanted = FloorTable("main", "Main", usual_settings(MANILA))
    assert next_command(wanted, None) == OpenTable(wanted.settings)
    table = opened(wanted)
    assert next_command(wanted, table) is None
    fewer_decks = wanted._replace(settings=replace(wanted.settings, decks=6))
    assert next_command(fewer_decks, table) == ChangeSettings(fewer_decks.settings)
    # With a shoe on the table limits may change between rounds, and decks have to wait.
    for event in decide(table, OpenShoe(wanted.settings.full_shoe)):
        table = evolve(table, event)
    assert next_command(fewer_decks, table) is None
    limits = {**wanted.settings.limits, "tie": Limits(4000, 8000, 20)}
    with_limits = fewer_decks._replace(settings=replace(fewer_decks.settings, limits=limits))
    assert next_command(with_limits, table) == ChangeSettings(replace(wanted.settings, limits=limits))


def test_limits_of_another_game_or_another_money_wait_with_it() -> None:
    table = opened(FloorTable("main", "Main", usual_settings(MANILA)))
    for event in decide(table, OpenShoe(table.settings.full_shoe)):
        table = evolve(table, event)
    limits = {"tie": Limits(4000, 8000, 20)}
    for settings in (
        usual_settings(MANILA, account=Account.CHIPS, limits=limits),
        usual_settings(next(game for game in GAMES if game.id != MANILA.id and "tie" in game.paytables), limits=limits),
    ):
        assert next_command(FloorTable("main", "Main", settings), table) is None
