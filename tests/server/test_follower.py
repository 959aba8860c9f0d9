"""What is derived from the record is what its events say, however it came about."""

import asyncio
from typing import Any

import pytest
from sqlalchemy import select

from puntobanco.rules.facts import read_facts
from puntobanco.server import follower as module
from puntobanco.server.follower import Follower
from puntobanco.store.derived import (
    DERIVED_FILE,
    Derived,
    metadata,
    played_round,
    round_change,
    round_wager,
    stake_history,
)
from server.following import ToldRound, beside, follower, told
from store.databases import Place
from store.houses import VIRTUAL, house
from store.played import play
from store.wandering import Wanderer


async def rows(derived: Derived, table: Any) -> list[Any]:
    async with derived.reading() as connection:
        return list(await connection.execute(select(table).order_by(*table.primary_key)))


async def everything(derived: Derived) -> dict[str, list[Any]]:
    return {name: await rows(derived, table) for name, table in metadata.tables.items()}


async def compare(follower: Follower, rounds: dict[tuple[str, int], ToldRound]) -> None:
    """Every row of the derived tables with what was told slowly."""
    derived = follower.derived
    found = {(row.stream, row.number): row for row in await rows(derived, played_round)}
    assert found.keys() == rounds.keys()
    history = [
        (patron, each.finished, stream, number, each.unit, *money)
        for (stream, number), each in rounds.items()
        for patron, money in each.history.items()
    ]
    assert [tuple(row)[:-1] for row in await rows(derived, stake_history)] == sorted(history)
    wagers: dict[tuple[str, int, str], tuple[int, int, int]] = {}
    for (stream, number), each in rounds.items():
        row = found[stream, number]
        assert (row.shoe, row.unit, row.rules_digest, row.decks) == (each.shoe, each.unit, each.digest, each.decks)
        assert (row.round_in_shoe, row.first_version) == (each.place, each.first_version)
        assert (row.finished, row.deal, row.state, row.key) == (each.finished, str(each.deal), each.state, each.key)
        assert row.corrected == each.corrected
        assert (row.void is None) == (each.void is None)
        if each.finished and not each.void:
            facts = read_facts(each.deal)
            assert (row.winner, row.player_total, row.banker_total) == (
                facts.winner.value,
                facts.player_total,
                facts.banker_total,
            )
            for settled in each.settlements.values():
                for wager, paid in settled.wagers.items():
                    patrons, staked, returned = wagers.get((stream, number, wager), (0, 0, 0))
                    wagers[stream, number, wager] = patrons + 1, staked + paid.stake, returned + paid.returned
    assert [tuple(row) for row in await rows(derived, round_wager)] == sorted(
        (*key, *money) for key, money in wagers.items()
    )


@pytest.mark.parametrize("at_once", [1, 7, 200])
def test_derived_rows_are_what_the_events_of_a_wandering_record_say(
    place: Place, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "AT_ONCE", at_once)

    async def run() -> None:
        wanderer = Wanderer(place.database, seed=3)
        await wanderer.walk(700 if at_once == 200 else 250)
        async with follower(place) as following:
            assert await following.catch_up()
            database = place.database()
            await database.start()
            rounds = await told(database)
            await database.close()
            await compare(following, rounds)
            if at_once == 200:
                # Otherwise this shows little.
                assert sum(1 for each in rounds.values() if each.void and each.settlements) > 0
                assert sum(1 for each in rounds.values() if each.void and not each.settlements) > 0
                assert sum(1 for each in rounds.values() if each.corrected) > 0
                assert len(await rows(following.derived, round_change)) > 3

    asyncio.run(run())


def test_committed_shoes_are_followed_while_they_are_played_and_give_the_same_rows_when_derived_again(
    place: Place,
) -> None:
    async def run() -> None:
        async with house(place.database(), settings=VIRTUAL) as at, follower(place) as following:
            for _ in range(7):
                await play(at, 4)
                await following.catch_up()
            await compare(following, await told(at.record.database))
            before = await everything(following.derived)
            await following.rebuild()
            assert await everything(following.derived) == before
            assert any(row.key for row in before["played_round"])

    asyncio.run(run())


def test_two_that_follow_one_record_at_once_count_nothing_twice(place: Place) -> None:
    async def run() -> None:
        async with (
            house(place.database(), settings=VIRTUAL) as at,
            follower(place) as one,
            follower(place) as other,
        ):
            for _ in range(5):
                await play(at, 2)
                await asyncio.gather(one.catch_up(), other.catch_up())
            await compare(one, await told(at.record.database))

    asyncio.run(run())


def test_a_damaged_file_is_made_again(tmp_path: Any) -> None:
    place = Place("sqlite", tmp_path)

    async def run() -> None:
        async with house(place.database(), settings=VIRTUAL) as at:
            async with follower(place) as following:
                await play(at, 3)
                await following.catch_up()
            (tmp_path / DERIVED_FILE).write_bytes(b"no database at all" * 100)
            async with follower(place) as following:
                await following.catch_up()
                await compare(following, await told(at.record.database))

    asyncio.run(run())


def test_whoever_waits_no_longer_than_a_moment_is_told_so(place: Place) -> None:
    async def run() -> None:
        async with house(place.database()), follower(place) as following:
            way = beside(place)
            async with following._busy:
                assert not await following.catch_up(0.01)
            assert await following.catch_up(30)
            await way.close()

    asyncio.run(run())
