"""What every database of a record must satisfy, on real ones."""

import asyncio
import json
from collections.abc import Coroutine, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from puntobanco.dealing import BurnAndCut, BurnRule
from puntobanco.errors import InputError
from puntobanco.fairness.log import CommitNonce
from puntobanco.ledger import IssueMoney
from puntobanco.store.audit import audit
from puntobanco.store.database import Conflict, StorageFault
from puntobanco.store.record import Answer, AnsweredBefore, Written
from puntobanco.store.rows import Group
from puntobanco.store.streams import Stream, StreamCommand
from puntobanco.table import (
    CloseBetting,
    Irregularity,
    OpenBetting,
    OpenShoe,
    OpenTable,
    PauseTable,
    Phase,
    PlaceWager,
    VoidRound,
    WithdrawWager,
)
from store.databases import Place
from store.houses import SETTINGS, house


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


def test_a_round_moves_money_once_and_all_of_it(place: Place) -> None:
    async def work() -> None:
        async with house(place.database()) as at:
            await at.until(Phase.BETTING)
            answer = await at.bet("anna", "player", 2000)
            assert json.loads(answer.text) == {"version": answer.version, "stakes": {"player": 2000}, "balance": 998000}
            held = await at.balances()
            assert (held["patron/PHP/anna"], held["held/main/PHP/anna"]) == (998_000, 2000)
            await at.until(Phase.READY)
            after = await at.balances()
            assert after["held/main/PHP/anna"] == 0
            assert after["patron/PHP/anna"] - 1_000_000 == -after.get("house/PHP", 0)
            assert sum(after.values()) == 0

    run(work())


def test_a_retry_gets_the_same_answer_and_moves_nothing(place: Place) -> None:
    async def work() -> None:
        async with house(place.database()) as at:
            await at.until(Phase.BETTING)
            first = await at.bet("anna", "player", 2000, id="the-same-id")
            again = await asyncio.gather(*[at.bet("anna", "player", 2000, id="the-same-id") for _ in range(20)])
            assert set(again) == {first}
            assert at.record.version("table/main") == first.version
            with pytest.raises(InputError) as reused:
                await at.bet("anna", "player", 3000, id="the-same-id")
            assert reused.value.reason == "id-reused"
            refused = await at.bet("bob", "player", 10**9, id="bob-is-refused")
            assert json.loads(refused.text)["reason"] == "insufficient-funds"
            assert await at.bet("bob", "player", 10**9, id="bob-is-refused") == refused
            # Another actor may happen to have made the same id.
            assert (await at.bet("bob", "player", 2000, id="the-same-id")).accepted
        async with house(place.database()) as at:
            assert await at.bet("anna", "player", 2000, id="the-same-id") == first
            assert await at.bet("bob", "player", 10**9, id="bob-is-refused") == refused

    run(work())


def test_an_id_is_taken_for_what_has_no_event(place: Place) -> None:
    async def work() -> None:
        async with house(place.database()) as at:
            await at.until(Phase.BETTING)
            version, claim = at.record.version("table/main"), partial(at.record.claim, actor="anna", told={"seen": 1})
            first = await claim("table/main", command_id="the-same-id", asked=b"a question")
            assert first == (None, '{"seen":1}')
            again = await at.record.claim(
                "table/main", actor="anna", command_id="the-same-id", asked=b"a question", told={"seen": 2}
            )
            assert again == first, "as it was told first"
            assert [type(each) for each in (first, again)] == [Answer, AnsweredBefore]
            for other in (
                claim("table/main", command_id="the-same-id", asked=b"another"),
                claim("desk/main", command_id="the-same-id", asked=b"a question"),
                at.bet("anna", "player", 2000, id="the-same-id"),
            ):
                with pytest.raises(InputError) as reused:
                    await other
                assert reused.value.reason == "id-reused"
            assert (await at.bet("anna", "player", 2000, id="a-command-id")).accepted
            with pytest.raises(InputError, match="used for another"):
                await claim("table/main", command_id="a-command-id", asked=b"a question")
            assert at.record.version("table/main") == version + 1
        async with house(place.database()) as at:
            claim = partial(at.record.claim, actor="anna", told={"seen": 3})
            assert await claim("table/main", command_id="the-same-id", asked=b"a question") == first
            found = await audit(at.record.database, at.record.keys)
            assert found.problems == []

    run(work())


def test_many_commands_share_a_commit(place: Place) -> None:
    async def work() -> None:
        database = place.database()
        commits = 0
        commit = database.commit

        async def counted() -> None:
            nonlocal commits
            commits += 1
            await commit()

        database.commit = counted  # type: ignore[method-assign]
        async with house(database) as at:
            await at.until(Phase.BETTING)
            before = commits
            answers = await asyncio.gather(
                *[at.bet(patron, wager, 2000) for patron in ("anna", "bob") for wager in ("player", "tie", "banker")]
            )
            assert [answer.accepted for answer in answers] == [True] * 6
            first = answers[0].version or 0
            assert [answer.version for answer in answers] == [*range(first, first + 6)]
            assert commits - before <= 2

    run(work())


def test_no_money_is_staked_twice(place: Place) -> None:
    """Fifty wagers at once of 60% of what a patron has: one is accepted."""

    async def work() -> None:
        async with house(place.database()) as at:
            await at.until(Phase.BETTING)
            spots = list(at.table.settings.game.paytables)
            answers = await asyncio.gather(*[at.bet("anna", spots[n % len(spots)], 600_000) for n in range(50)])
            assert sum(answer.accepted for answer in answers) == 1
            assert (await at.balances())["patron/PHP/anna"] == 400_000

    run(work())


def test_several_commands_are_carried_out_all_or_none(place: Place) -> None:
    async def work() -> None:
        async with house(place.database()) as at:
            await at.until(Phase.BETTING)
            number, version = at.table.round_number, at.record.version("table/main")
            slip: list[StreamCommand] = [
                PlaceWager(number, "anna", "player", 2000),
                PlaceWager(number, "anna", "tie", 10**9),
            ]
            refused = await at.do("table/main", *slip, actor="anna")
            assert not refused.accepted
            assert at.record.version("table/main") == version
            assert not at.table.stakes
            assert (await at.balances())["patron/PHP/anna"] == 1_000_000
            slip[1:] = [PlaceWager(number, "anna", "tie", 2000), WithdrawWager(number, "anna", "player")]
            all_three = await at.do("table/main", *slip, actor="anna")
            assert json.loads(all_three.text) == {"version": version + 3, "stakes": {"tie": 2000}, "balance": 998_000}

    run(work())


def test_of_two_writers_one_is_told(place: Place) -> None:
    async def work() -> None:
        async with house(place.database()) as first:
            await first.until(Phase.BETTING)
            async with house(place.database(), "second") as second:
                assert (await first.bet("anna", "player", 2000)).accepted
                with pytest.raises(Conflict):
                    await second.bet("bob", "player", 2000, id="bob-is-second")
                # What the other wrote is known now, and asking again is enough.
                assert second.table.stake("anna", "player") == 2000
                assert (await second.bet("bob", "player", 2000, id="bob-is-second")).accepted
                with pytest.raises(Conflict):
                    await first.do("table/main", PauseTable("one more"))
                assert first.table.stake("bob", "player") == 2000
                assert first.record.head_hash("table/main") == second.record.head_hash("table/main")

    run(work())


def test_the_record_goes_on_where_it_was(place: Place) -> None:
    async def work() -> None:
        async with house(place.database()) as at:
            await at.until(Phase.BETTING)
            await at.bet("anna", "player", 2000)
            await at.step()
            await at.step()
            before, head = at.table, at.record.head_hash("table/main")
        async with house(place.database(), "second") as at:
            assert at.table == before
            assert at.record.head_hash("table/main") == head
            await at.until(Phase.READY)

    run(work())


@pytest.mark.parametrize("step", ["begin", "balances", "write", "commit"])
def test_a_fault_at_any_step_acknowledges_nothing_and_stops_the_table(place: Place, step: str) -> None:
    async def work() -> None:
        database = place.database()
        async with house(database) as at:
            await at.until(Phase.BETTING)
            version, works = at.record.version("table/main"), getattr(database, step)

            async def fails(*_: object) -> None:
                raise StorageFault("The disk is full.")

            setattr(database, step, fails)
            with pytest.raises(StorageFault, match="disk is full"):
                await at.bet("anna", "player", 2000, id="during-a-fault")
            setattr(database, step, works)
            with pytest.raises(StorageFault, match="table/main has stopped: The disk is full"):
                await at.bet("anna", "player", 2000, id="during-a-fault")
            await at.record.open("table/main")
            assert at.record.version("table/main") == version
            assert (await at.bet("anna", "player", 2000, id="during-a-fault")).version == version + 1
            assert (await at.balances())["patron/PHP/anna"] == 998_000

    run(work())


def test_a_fault_in_looking_up_what_was_answered_before_stops_the_table(place: Place) -> None:
    async def work() -> None:
        database = place.database()
        async with house(database) as at:
            await at.until(Phase.BETTING)
            first = await at.bet("anna", "player", 2000, id="asked-twice")
            works = database.answered

            async def fails(*_: object) -> None:
                raise StorageFault("The disk is full.")

            database.answered = fails  # type: ignore[method-assign, assignment]
            with pytest.raises(StorageFault, match="disk is full"):
                await at.bet("anna", "player", 2000, id="asked-twice")
            database.answered = works  # type: ignore[method-assign]
            await at.record.open("table/main")
            assert await at.bet("anna", "player", 2000, id="asked-twice") == first
            assert (await at.balances())["patron/PHP/anna"] == 998_000

    run(work())


def test_an_accepted_command_is_answered_alike_beside_one_that_has_no_answer(place: Place) -> None:
    async def work() -> None:
        async with house(place.database()) as at:
            await at.until(Phase.BETTING)
            first = await at.bet("anna", "player", 2000, id="asked-twice")
            nonce = CommitNonce(at.table.round_number, "\n", "not hexadecimal")
            again, wrong = await asyncio.gather(
                at.bet("anna", "player", 2000, id="asked-twice"),
                at.record.submit("table/main", [nonce], actor="carl", command_id="a-wrong-nonce"),
                return_exceptions=True,
            )
            assert again == first
            assert isinstance(wrong, InputError) or not wrong.accepted  # type: ignore[union-attr]

    run(work())


def test_the_database_holds_patrons_at_zero_by_itself(place: Place) -> None:
    async def work() -> None:
        async with house(place.database()) as at:
            database = at.record.database
            for account, balance in (("patron/PHP/carl", -1), ("held/main/PHP/carl", -1), ("owed/PHP/carl", 1)):
                await database.begin()
                with pytest.raises(StorageFault):
                    await database.write(Group(new_balances={account: balance}))
                await database.rollback()
            await database.begin()
            await database.write(Group(new_balances={"house/PHP": -1, "owed/PHP/anna": -1}))
            await database.rollback()

    run(work())


def test_a_newer_database_is_refused(place: Place) -> None:
    async def work() -> None:
        database = place.database()
        await database.start()
        await database.close()
        await newer(place)
        with pytest.raises(StorageFault, match="written by a newer one") as refused:
            await place.database().start()
        assert refused.value.reason == "newer-database"

    run(work())


async def newer(place: Place) -> None:
    statement = "UPDATE alembic_version SET version_num = '9999'"
    if place.url:
        import asyncpg

        connection = await asyncpg.connect(place.url)
        await connection.execute(statement)
        await connection.close()
    else:
        import sqlite3

        with sqlite3.connect(place.folder / "record.sqlite") as file:
            file.execute(statement)
        file.close()


def test_ids_and_actors_are_texts_of_their_length(place: Place) -> None:
    async def work() -> None:
        async with house(place.database()) as at:
            for actor, id in (("anna", "short"), ("anna", "x" * 65), ("", "long enough"), ("a\0b", "long enough")):
                with pytest.raises(InputError):
                    await at.do("table/main", PauseTable("why"), actor=actor, id=id)

    run(work())


def test_the_same_commands_make_the_same_record_on_both(tmp_path: Any) -> None:
    """The hash of the last event is the same, so everything before it is."""

    async def played(place: Place) -> tuple[bytes, dict[str, int]]:
        async with house(place.database()) as at:
            for _ in range(6):
                await at.until(Phase.BETTING)
                await at.bet("anna", "player", 2000)
                await at.bet("bob", "tie", 3000)
                await at.until(Phase.READY)
            return at.record.head_hash("table/main"), await at.balances()

    results = [asyncio.run(played(Place(kind, tmp_path))) for kind in ("sqlite", "postgres")]
    assert results[0] == results[1]


# SQLAlchemy does not read an index of an expression; that of `held_by` has a test of its own.
@pytest.mark.filterwarnings("ignore:Skipped unsupported reflection of expression-based index account_held_by")
def test_the_tables_are_those_of_the_schema(place: Place) -> None:
    """The migrations and the declaration say the same."""
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext
    from sqlalchemy import create_engine
    from sqlalchemy.ext.asyncio import create_async_engine

    from puntobanco.store.schema import metadata

    def differences(connection: Any) -> list[Any]:
        found: list[Any] = compare_metadata(MigrationContext.configure(connection), metadata)
        return [each for each in found if each[0] != "remove_index" or each[1].name != "account_held_by"]

    async def work() -> None:
        database = place.database()
        await database.start()
        await database.close()
        if place.url:
            import asyncpg

            engine = create_async_engine("postgresql+asyncpg://", async_creator=lambda: asyncpg.connect(place.url))
            async with engine.connect() as connection:
                assert await connection.run_sync(differences) == []
            await engine.dispose()
        else:
            file = create_engine(f"sqlite:///{place.folder / 'record.sqlite'}")
            with file.connect() as opened:
                assert differences(opened) == []
            file.dispose()

    run(work())


def test_a_whole_evening_may_come_in_one_group(place: Place) -> None:
    """Money, table, shoe and wager asked for at once: each is decided on what those before it leave."""

    async def work() -> None:
        async with house(place.database()) as at:
            await at.record.open("table/other")
            settings = replace(SETTINGS, burn_and_cut=BurnAndCut(BurnRule.OFF))
            answers = await asyncio.gather(
                at.do("desk/main", IssueMoney("carl", "PHP", 5000, "buy-in")),
                at.do("table/other", OpenTable(settings), OpenShoe(settings.full_shoe), OpenBetting()),
                at.do("table/other", PlaceWager(1, "carl", "player", 2000), actor="carl"),
                at.do("table/other", CloseBetting(1)),
                at.do("table/other", VoidRound(1, Irregularity.TECHNICAL_FAULT, "the display")),
            )
            assert [answer.accepted for answer in answers] == [True] * 5
            balances = await at.balances()
            assert (balances["patron/PHP/carl"], balances["held/other/PHP/carl"]) == (5000, 0)

    run(work())


@pytest.mark.parametrize("patron", ["", "a\0b", "\ud800", ["anna"], None, 7, "x" * 200])
def test_a_name_that_is_none_stops_nothing(place: Place, patron: Any) -> None:
    async def work() -> None:
        async with house(place.database()) as at:
            await at.until(Phase.BETTING)
            wager = PlaceWager(at.table.round_number, patron, "player", 2000)
            refused = await at.record.submit("table/main", [wager], actor="x", command_id="a-bad-name", asked=b"?")
            assert json.loads(refused.text)["reason"] == "bad-patron"
            money = IssueMoney(patron, "PHP", 1, "why")
            refused = await at.record.submit("desk/main", [money], actor="x", command_id="another-bad-name", asked=b"?")
            assert json.loads(refused.text)["reason"] == "bad-patron"
            assert (await at.bet("anna", "player", 2000)).accepted

    run(work())


def test_what_is_no_command_of_the_stream_is_refused(place: Place) -> None:
    async def work() -> None:
        async with house(place.database()) as at:
            for stream, command in (("table/main", IssueMoney("a", "PHP", 1, "x")), ("desk/main", OpenBetting())):
                with pytest.raises(InputError, match="is not a known command"):
                    await at.record.submit(stream, [command], actor="x", command_id="long enough", asked=b"?")

    run(work())


def test_what_moved_an_account_is_found_by_stream_and_time(place: Place) -> None:
    async def work() -> None:
        async with house(place.database()) as at:
            record, accounts = at.record, ["patron/PHP/anna", "owed/PHP/anna"]
            await at.do("desk/main", IssueMoney("anna", "PHP", 5000, "buy-in"))
            await at.do("desk/main", IssueMoney("anna", "HKD", 5000, "buy-in"))
            await at.until(Phase.BETTING)
            await at.bet("anna", "player", 2000)
            found = await record.database.events_that_moved(accounts, "desk/main", 0)
            assert [(row.version, row.stream) for row in found] == [(1, "desk/main"), (3, "desk/main")]
            since = found[0].time
            assert await record.database.events_that_moved(accounts, "desk/main", since) == found[1:]
            assert await record.database.events_that_moved(["patron/PHP/carl"], "desk/main", 0) == []

    run(work())


def test_what_a_command_depends_on_is_asked_when_it_is_its_turn(place: Place) -> None:
    """Of many at one moment, each knows what those before it in the same group have done, and nobody else's."""

    async def work() -> None:
        async with house(place.database()) as at:
            account = ["patron/PHP/carl"]

            async def is_first(_: Stream, just_done: Sequence[Written]) -> None:
                moved = await at.record.database.events_that_moved(account, "desk/main", 0)
                if moved or any(getattr(each.event, "patron", "") == "carl" for each in just_done):
                    raise LookupError

            def asked(number: int) -> "asyncio.Future[Answer]":
                once, command_id = [IssueMoney("carl", "PHP", 100, "once")], f"once-{number:04}"
                return at.record.ask("desk/main", once, actor="x", command_id=command_id, provided=is_first)

            others = [at.do("desk/main", IssueMoney("bob", "PHP", 1, "many times")) for _ in range(5)]
            all_asked = [*map(asked, range(8)), *others]
            first, *rest = await asyncio.gather(*all_asked, return_exceptions=True)
            assert isinstance(first, Answer)
            assert [type(each) for each in rest] == [LookupError] * 7 + [Answer] * 5
            # It is not asked again for what was answered, and nothing is kept of what was not done.
            assert await asked(0) == first
            with pytest.raises(LookupError):
                await asked(1)
            assert (await at.balances())["patron/PHP/carl"] == 100

    run(work())
