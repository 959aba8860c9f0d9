"""A stream that another process leads is not written to, and a stream that all write to is written to by all."""

import asyncio
from pathlib import Path

import asyncpg
import pytest

from puntobanco.ledger import IssueMoney
from puntobanco.store.database import Fenced
from puntobanco.store.rows import Group
from puntobanco.table import Phase, PlaceWager
from store.databases import Place
from store.examined import examine
from store.houses import house

TABLE, DESK = "table/main", "desk/main"


async def run(place: Place, statement: str) -> None:
    connection = await asyncpg.connect(place.url)
    await connection.execute(statement)
    await connection.close()


async def lead(place: Place, token: int) -> None:
    await run(
        place,
        f"INSERT INTO lease VALUES ('{TABLE}', 'somebody', {token}) "
        "ON CONFLICT (stream) DO UPDATE SET token = excluded.token",
    )


def test_who_leads_no_more_writes_nothing_and_is_told_so(tmp_path: Path) -> None:
    async def work() -> None:
        async with house(place.database()) as at:
            await lead(place, 7)
            at.record.leases[TABLE] = 7
            await at.until(Phase.BETTING)
            assert (await at.bet("anna", "player", 2000)).accepted
            before = await examine(at.record.database)
            await lead(place, 8)
            wager = PlaceWager(1, "bob", "player", 2000)
            # In one group with the desk, which anybody writes to: that is done all the same.
            late = [at.record.ask(TABLE, [wager], actor="bob", command_id=f"late-{number:04}") for number in range(3)]
            issued = at.record.ask(DESK, [IssueMoney("bob", "PHP", 50, "more")], actor="house", command_id="with-it-00")
            for each in late:
                with pytest.raises(Fenced, match="leads table/main now") as refused:
                    await each
                assert (refused.value.reason, refused.value.streams) == ("not-owner", frozenset({TABLE}))
            assert (await issued).accepted
            with pytest.raises(Fenced):
                at.record.stream(TABLE)
            found = await examine(at.record.database)
            assert found.problems == []
            assert found.events[TABLE] == before.events[TABLE]
            assert found.commands.keys() - before.commands.keys() == {("house", "with-it-00")}
            # Under the new token it goes on, from what the database holds.
            at.record.leases[TABLE] = 8
            await at.record.open(TABLE)
            assert (await at.do(TABLE, wager, actor="bob", id="late-0000")).accepted

    place = Place("postgres", tmp_path)
    asyncio.run(work())


def test_a_refusal_is_not_given_either_by_who_leads_no_more(tmp_path: Path) -> None:
    async def work() -> None:
        async with house(place.database()) as at:
            await lead(place, 2)
            at.record.leases[TABLE] = 1
            with pytest.raises(Fenced):
                await at.do(TABLE, PlaceWager(1, "anna", "player", 2000), actor="anna", id="no-betting-is-open")
            assert ("anna", "no-betting-is-open") not in (await examine(at.record.database)).commands
            # Nor is anything done that moves no money at all.
            await at.record.open(TABLE)
            with pytest.raises(Fenced):
                await at.step()
            at.record.leases[TABLE] = 2
            await at.record.open(TABLE)
            at.record.stop(TABLE)
            with pytest.raises(Fenced):
                await at.step()

    place = Place("postgres", tmp_path)
    asyncio.run(work())


def test_a_stream_does_not_change_hands_inside_a_transaction(tmp_path: Path) -> None:
    """Whoever takes over waits for the commit, so that it reads all that was acknowledged."""

    async def work() -> None:
        async with house(place.database()) as at:
            await lead(place, 1)
            database = at.record.database
            await database.begin()
            await database.balances([], {TABLE: 1})
            taking = asyncio.create_task(lead(place, 2))
            finished, _ = await asyncio.wait([taking], timeout=0.3)
            assert not finished
            await database.write(Group())
            await database.commit()
            await taking
            await database.begin()
            with pytest.raises(Fenced):
                await database.balances(["patron/PHP/anna"], {TABLE: 1})
            await database.rollback()
            # One lease that holds does not stand for another, nor do two for each other.
            await database.begin()
            with pytest.raises(Fenced) as fenced:
                await database.balances(["patron/PHP/anna"], {TABLE: 2, "table/other": 2})
            assert fenced.value.streams == {"table/other"}
            await database.rollback()
            await run(place, "INSERT INTO lease VALUES ('table/other', 'somebody', 5)")
            await database.begin()
            with pytest.raises(Fenced) as fenced:
                await database.balances(["patron/PHP/anna"], {"table/other": 2, TABLE: 5})
            assert fenced.value.streams == {TABLE, "table/other"}
            await database.rollback()
            await database.begin()
            both = {"table/other": 5, TABLE: 2}
            assert await database.balances(["patron/PHP/anna"], both) == {"patron/PHP/anna": 1_000_000}
            await database.rollback()
            await database.begin()
            assert await database.balances(["patron/PHP/anna"], {TABLE: 2}) == {"patron/PHP/anna": 1_000_000}
            await database.rollback()

    place = Place("postgres", tmp_path)
    asyncio.run(work())


def test_everybody_writes_to_a_shared_stream_and_nobody_is_told_to_ask_again(place: Place) -> None:
    """One after the other as fast as each can: whoever is slower would be behind for ever."""

    async def work() -> None:
        async with house(place.database()) as first, house(place.database(), "second") as second:
            await first.record.open(DESK, shared=True)
            await second.record.open(DESK, shared=True)
            for number in range(40):
                command = IssueMoney("anna", "PHP", 1, "one each")
                one, other = await asyncio.gather(
                    *[at.do(DESK, command, id=f"{at.name}-one-{number}") for at in (first, second)]
                )
                assert one.accepted
                assert other.accepted
            # One of them is asleep for a while.
            for _ in range(10):
                assert (await first.do(DESK, IssueMoney("anna", "PHP", 1, "one more"))).accepted
            assert (await second.do(DESK, IssueMoney("anna", "PHP", 1, "one more"))).accepted
            found = await examine(first.record.database)
            assert found.problems == []
            assert found.balances["patron/PHP/anna"] == 1_000_000 + 80 + 11

    asyncio.run(work())


def test_what_another_process_wrote_is_taken_in_as_it_comes(place: Place) -> None:
    async def work() -> None:
        async with house(place.database()) as first, house(place.database(), "second") as second:
            before = second.record.version(TABLE)
            await first.until(Phase.BETTING)
            rows = [row async for each in second.record.database.events(TABLE, after=before) for _, row in each]
            written = second.record.take_in(TABLE, rows[:2])
            assert [each.version for each in written] == [before + 1, before + 2]
            assert second.record.version(TABLE) == before + 2
            second.record.take_in(TABLE, rows)
            assert second.table == first.table
            await first.bet("anna", "player", 2000)
            await second.record.catch_up(TABLE)
            assert second.table == first.table
            assert second.record.head_hash(TABLE) == first.record.head_hash(TABLE)

    asyncio.run(work())
