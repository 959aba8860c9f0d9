"""Several processes keep one record: each is told the truth, and nobody is told that the record is broken."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from puntobanco.errors import Fault
from puntobanco.ledger import IssueMoney, ReturnMoney
from puntobanco.store.database import Conflict
from puntobanco.store.rows import Group, HeadRow
from puntobanco.table import Irregularity, Phase, PlaceWager, VoidRound
from store.databases import Place
from store.examined import examine
from store.houses import house


def test_a_stream_is_read_whole_while_another_process_writes_to_it(place: Place) -> None:
    """Between the events and the head that tells their end, somebody wrote three more."""

    async def work() -> None:
        async with house(place.database()) as first:
            await first.until(Phase.BETTING)
            database = place.database()
            read_head, written = database.head, 0

            async def head(stream: str) -> HeadRow | None:
                nonlocal written
                if stream == "table/main" and written < 3:
                    written += 1
                    await first.bet("anna", ("player", "banker", "tie")[written - 1], 2000)
                return await read_head(stream)

            database.head = head  # type: ignore[method-assign]
            async with house(database, "second") as second:
                assert written
                assert second.record.head_hash("table/main") == first.record.head_hash("table/main")
                assert second.table == first.table

    asyncio.run(work())


def test_the_first_events_of_a_stream_come_while_it_is_opened(place: Place) -> None:
    async def work() -> None:
        async with house(place.database()) as first:
            database = place.database()
            read_head, written = database.head, False

            async def head(stream: str) -> HeadRow | None:
                nonlocal written
                if not written:
                    written = True
                    await first.do("desk/new", IssueMoney("anna", "HKD", 100, "welcome"))
                return await read_head(stream)

            await first.record.open("desk/new")
            async with house(database, "second") as second:
                database.head = head  # type: ignore[method-assign]
                await second.record.open("desk/new")
                assert second.record.version("desk/new") == 1

    asyncio.run(work())


def test_streams_are_opened_together(place: Place) -> None:
    async def work() -> None:
        async with house(place.database()) as at:
            streams = [f"table/t{number}" for number in range(5)] + ["desk/main", "table/main"]
            await asyncio.gather(*[at.record.open(stream) for stream in streams])
            assert at.record.version("table/t3") == 0
            assert at.record.version("table/main") == 1

    asyncio.run(work())


def test_one_command_sent_to_two_processes_is_carried_out_once(place: Place) -> None:
    async def work() -> None:
        async with house(place.database()) as first, house(place.database(), "second") as second:
            await first.until(Phase.BETTING)
            await second.record.open("table/main")
            command = PlaceWager(1, "anna", "player", 2000)
            answers = set()
            for at in (first, second, first, second):
                try:
                    answers.add(await at.do("table/main", command, actor="anna", id="the-same-command"))
                except Conflict:
                    answers.add(await at.do("table/main", command, actor="anna", id="the-same-command"))
            assert len(answers) == 1
            found = await examine(first.record.database)
            assert found.problems == []
            assert found.balances["patron/PHP/anna"] == 998_000

    asyncio.run(work())


def test_an_account_that_was_made_while_we_waited_is_seen(tmp_path: Path) -> None:
    """Ruling 21: what another process has found to be owed is settled first, though it is owed only since just now."""

    async def work() -> None:
        async with house(place.database()) as table, house(place.database(), "second") as desk:
            one = table.record.database
            await one.begin()
            await one.balances(["owed/PHP/anna", "patron/PHP/anna"])
            await one.write(Group(balances={"patron/PHP/anna": 0}, new_balances={"owed/PHP/anna": -500}))
            waiting = asyncio.create_task(desk.do("desk/main", IssueMoney("anna", "PHP", 2000, "buy-in")))
            # It waits for the patron's account, which the first one holds.
            finished, _ = await asyncio.wait([waiting], timeout=0.3)
            assert not finished
            await one.commit()
            assert (await waiting).accepted
            balances = await desk.balances()
            assert (balances["patron/PHP/anna"], balances["owed/PHP/anna"]) == (1500, 0)

    place = Place("postgres", tmp_path)
    asyncio.run(work())


def test_the_state_of_a_stream_changes_once_its_commit_is_done(place: Place) -> None:
    async def work() -> None:
        database = place.database()
        async with house(database) as at:
            await at.until(Phase.BETTING)
            commit, seen = database.commit, list[int]()

            async def watched() -> None:
                seen.append(at.record.version("table/main"))
                await commit()
                seen.append(at.record.version("table/main"))

            database.commit = watched  # type: ignore[method-assign]
            before = at.record.version("table/main")
            answer = await at.bet("anna", "player", 2000)
            assert seen == [before, before]
            assert at.record.version("table/main") == answer.version == before + 1

    asyncio.run(work())


def test_a_stream_that_cannot_be_read_after_a_conflict_is_stopped_and_the_others_go_on(place: Place) -> None:
    async def work() -> None:
        async with house(place.database()) as first, house(place.database(), "second") as second:
            await first.until(Phase.BETTING)
            await second.record.open("table/main")
            await first.bet("anna", "player", 2000)

            def unreadable(*_: object) -> None:
                raise ValueError("these rows make no sense")

            second.record.database.events = unreadable  # type: ignore[assignment, method-assign]
            with pytest.raises(Conflict):
                await second.bet("bob", "player", 2000)
            with pytest.raises(Fault, match="table/main has stopped"):
                await second.bet("bob", "player", 2000)
            assert (await second.do("desk/main", IssueMoney("bob", "PHP", 100, "more"))).accepted

    asyncio.run(work())


def test_who_is_behind_does_not_refuse(place: Place) -> None:
    """The second believes that no betting is open: it is told, and asking again is enough."""

    async def work() -> None:
        async with house(place.database()) as first, house(place.database(), "second") as second:
            await first.until(Phase.BETTING)
            wager = PlaceWager(1, "anna", "player", 2000)
            with pytest.raises(Conflict):
                await second.do("table/main", wager, actor="anna", id="on-an-old-state")
            assert (await second.do("table/main", wager, actor="anna", id="on-an-old-state")).accepted
            found = await examine(second.record.database)
            assert found.problems == []

    asyncio.run(work())


def test_who_is_behind_and_breaks_a_rule_of_the_database_is_in_conflict(place: Place) -> None:
    """The first has settled the round: to the second the stakes still lie on the felt, and there they are no more."""

    async def work() -> None:
        async with house(place.database()) as first:
            await first.until(Phase.BETTING)
            await first.bet("anna", "player", 2000)
            await first.until(Phase.ANNOUNCED)
            async with house(place.database(), "second") as second:
                await first.step()
                with pytest.raises(Conflict):
                    await second.step()
                assert second.table.phase is Phase.READY
                assert (await examine(second.record.database)).problems == []

    asyncio.run(work())


def test_what_is_owed_since_a_moment_is_settled_by_whoever_pays_in_meanwhile(tmp_path: Path) -> None:
    """Ruling 21, with two processes: the account of what is owed is new, and only its transaction has seen it."""
    place = Place("postgres", tmp_path)

    async def work() -> None:
        async with house(place.database(), "first") as first, house(place.database(), "second") as second:
            await second.record.open("desk/other")
            await first.until(Phase.BETTING)
            await first.bet("anna", "player", 2000)
            await first.bet("bob", "banker", 2000)
            await first.until(Phase.READY)
            balances = await first.balances()
            winner = max(("anna", "bob"), key=lambda patron: balances[f"patron/PHP/{patron}"])
            won = balances[f"patron/PHP/{winner}"] - 1_000_000
            assert won > 0
            everything = balances[f"patron/PHP/{winner}"]
            assert (await first.do("desk/main", ReturnMoney(winner, "PHP", everything, "leaves"))).accepted
            database, paying = first.record.database, list[asyncio.Task[Any]]()
            write = database.write

            async def writes_once_another_waits(group: Group) -> None:
                buys_in = IssueMoney(winner, "PHP", 500, "buys in")
                paying.append(asyncio.create_task(second.do("desk/other", buys_in)))
                await asyncio.sleep(0.3)
                await write(group)

            database.write = writes_once_another_waits  # type: ignore[method-assign]
            void = VoidRound(first.table.round_number, Irregularity.WRONG_NUMBER_OF_CARDS, "one too many")
            assert (await first.do("table/main", void)).accepted
            database.write = write  # type: ignore[method-assign]
            assert (await paying[0]).accepted
            balances = await first.balances()
            assert balances[f"owed/PHP/{winner}"] == 500 - won
            assert balances[f"patron/PHP/{winner}"] == 0

    asyncio.run(work())


def test_what_others_wrote_next_is_not_forgotten_when_one_learns_that_its_own_is_durable(place: Place) -> None:
    async def work() -> None:
        database = place.database()
        async with house(database) as first, house(place.database(), "second") as second:
            for each in (first, second):
                await each.record.open("desk/main", shared=True)
            commit, version = database.commit, first.record.version("desk/main")

            async def commit_and_hear() -> None:
                await commit()
                database.commit = commit  # type: ignore[method-assign]
                await second.do("desk/main", IssueMoney("bob", "PHP", 100, "more"))
                rows = [row async for portion in database.events("desk/main", after=version) for _, row in portion]
                first.record.take_in("desk/main", rows)

            database.commit = commit_and_hear  # type: ignore[method-assign]
            await first.do("desk/main", IssueMoney("anna", "PHP", 100, "more"))
            assert first.record.version("desk/main") == version + 2

    asyncio.run(work())
