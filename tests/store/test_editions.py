"""Rules change, and rounds do not: a table with history is read by the edition of its game that it was played by."""

import asyncio
import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from contract.editions import NEW, NEW_GAMES, OLD
from puntobanco import GAMES, Game
from puntobanco.errors import Fault
from puntobanco.games import find_edition
from puntobanco.store.audit import Findings, audit
from puntobanco.store.database import StorageFault
from puntobanco.store.dealer import VirtualDealer
from puntobanco.store.record import Record
from puntobanco.store.voids import voids_and_corrections
from puntobanco.table import ChangeSettings, EndShoe, Phase
from store.databases import Place
from store.everything import make as make_everything
from store.houses import KEYS, VIRTUAL, House
from store.played import play


@pytest.fixture
def _old_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("puntobanco.games.EARLIER_EDITIONS", (OLD,))


async def audited(place: Place, games: Sequence[Game] = NEW_GAMES) -> Findings:
    database = place.database()
    await database.start()
    try:
        return await audit(database, KEYS, games=games)
    finally:
        await database.close()


@pytest.mark.usefixtures("_old_is_kept")
def test_a_table_plays_on_by_its_rules_and_takes_up_the_new_ones_between_shoes(place: Place) -> None:
    async def work() -> None:
        await make_everything(place)
        at = House(place.database(), "next", VIRTUAL)
        at.record = Record(place.database(), KEYS, NEW_GAMES, lambda: 1_800_000_000_000)
        await at.record.start()
        try:
            await at.open()
            assert at.table.settings.game.digest == OLD.digest
            while at.table.phase is not Phase.READY:
                assert (await VirtualDealer(at.record, "main").step()).accepted
            await play(at, 2)
            assert (await at.do("table/main", EndShoe("the new rules"))).accepted
            dealer = VirtualDealer(at.record, "main")
            while dealer.is_behind:
                await dealer.step()
            assert (await at.do("table/main", ChangeSettings(replace(VIRTUAL, game=NEW)))).accepted
            await play(at, 2)
            assert at.table.settings.game.digest == NEW.digest
        finally:
            await at.record.close()
        found = await audited(place)
        assert found.problems == []
        assert found.decided == found.events

    asyncio.run(work())


@pytest.mark.usefixtures("_old_is_kept")
def test_a_round_is_settled_again_under_the_digest_that_it_was_opened_with(tmp_path: Path) -> None:
    """The same edition is found whichever of them is in force; another reading of it is another digest."""
    for game in (OLD, NEW, OLD.read_as(rounding="up"), NEW.read_as(rounding="up")):
        for games in (GAMES, NEW_GAMES):
            if games is GAMES and game.wagers == NEW.wagers:
                continue
            assert find_edition("manila", game.digest, game.reading, {}, games) == game


@pytest.mark.usefixtures("_old_is_kept")
def test_where_none_has_the_digest_the_rules_of_today_are_named() -> None:
    with pytest.raises(Fault, match=f"here they are {NEW.digest}"):
        find_edition("manila", "00" * 32, {}, {}, NEW_GAMES)


def test_rules_that_are_not_here_are_one_sentence_for_each_stream(tmp_path: Path) -> None:
    place = Place("sqlite", tmp_path)
    asyncio.run(make_everything(place))
    for games in (NEW_GAMES, tuple(game for game in GAMES if game is not OLD)):
        found = asyncio.run(audited(place, games))
        assert [(each.stream, each.version) for each in found.problems] == [("table/main", 1), ("table/floor", 1)]
        assert all("under rules that this program does not have" in each.message for each in found.problems)
        assert 0 < found.decided < found.events


def test_chain_and_books_are_checked_under_rules_that_are_not_here(tmp_path: Path) -> None:
    place = Place("sqlite", tmp_path)
    asyncio.run(make_everything(place))
    with sqlite3.connect(tmp_path / "record.sqlite") as file:
        file.execute("UPDATE event SET time = time + 1 WHERE stream = 'table/main' AND version = 9")
        where = "stream = 'table/floor' AND account = 'house/PHP'"
        assert file.execute(f"UPDATE entry SET amount = amount + 5 WHERE {where}").rowcount
    file.close()
    said = " ".join([str(each) for each in asyncio.run(audited(place)).problems])
    assert "table/main, event 10: The hash that it carries" in said
    assert "Its postings in PHP come to 5, not to zero." in said
    assert "house/PHP stands at" in said


def test_a_table_under_rules_that_are_not_here_is_not_opened_and_says_what_to_do(place: Place) -> None:
    async def work() -> None:
        await make_everything(place)
        record = Record(place.database(), KEYS, NEW_GAMES)
        await record.start()
        try:
            with pytest.raises(StorageFault, match="Open it with the version of this program that played it") as told:
                await record.open("table/floor")
            assert told.value.message.startswith("table/floor cannot be opened here.")
            assert OLD.digest in told.value.message
            assert told.value.reason == "different-rules"
        finally:
            await record.close()

    asyncio.run(work())


@pytest.mark.usefixtures("_old_is_kept")
def test_voided_rounds_are_told_under_their_own_rules(tmp_path: Path) -> None:
    place = Place("sqlite", tmp_path)
    asyncio.run(make_everything(place))

    async def told(games: Sequence[Game]) -> object:
        database = place.database()
        await database.start()
        try:
            return await voids_and_corrections(database, games=games)
        finally:
            await database.close()

    assert asyncio.run(told(NEW_GAMES)) == asyncio.run(told(GAMES))
