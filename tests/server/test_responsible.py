"""Limits that patrons set: tighter at once, looser after a day; and how long and with what result they play."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep

import pytest
from sqlalchemy import insert, text

from puntobanco.ledger import AdjustAccount, IssueMoney, ReturnMoney
from puntobanco.server.limit_routes import limits_said
from puntobanco.server.own_limits import (
    DAY,
    HOUR,
    MINUTE,
    Limit,
    LimitKind,
    Standing,
    in_force,
    new_limit,
    refusal,
)
from puntobanco.server.problems import Problem
from puntobanco.server.responsible import READ_AGAIN_MILLISECONDS, SEEN_AT_ONCE, Responsible
from puntobanco.server.visits import OVER_AFTER, SEEN_EVERY, wealth, wealth_of
from puntobanco.store.database import StorageFault
from puntobanco.store.schema import IS_HELD, account, held_by
from puntobanco.table import Irregularity, Phase, PlaceWager, VoidRound
from server.attacked import PATIENCE, VIRTUAL, Attacked
from server.floor import Floor, floor
from store.databases import Place

NOON = 1_700_000_000_000 // DAY * DAY + 12 * HOUR
STAKE, LOSS, TIME = (LimitKind.STAKE, "PHP"), (LimitKind.LOSS, "PHP"), (LimitKind.TIME, "")


def reason(problem: Problem | None) -> str | None:
    return None if problem is None else problem.reason


# Pure.


@pytest.mark.parametrize(
    ("holds", "asked", "at_once"),
    [(None, 100, True), (100, 50, True), (100, 100, True), (100, 101, False), (100, None, False), (None, None, True)],
)
def test_a_limit_tightens_at_once_and_loosens_after_a_day(holds: int | None, asked: int | None, at_once: bool) -> None:
    limits = [] if holds is None else [Limit(LimitKind.STAKE, "PHP", 5, 5, holds)]
    new = new_limit(limits, LimitKind.STAKE, "PHP", asked, NOON)
    assert new.since == (NOON if at_once else NOON + DAY)
    after = [*limits, new]
    assert in_force(after, LimitKind.STAKE, "PHP", NOON) == (asked if at_once else holds)
    assert in_force(after, LimitKind.STAKE, "PHP", NOON + DAY - 1) == (asked if at_once else holds)
    assert in_force(after, LimitKind.STAKE, "PHP", NOON + DAY) == asked
    assert in_force(after, LimitKind.STAKE, "SGD", NOON + DAY) is None


def standing(*limits: tuple[LimitKind, str, int]) -> Standing:
    return Standing(tuple([Limit(kind, unit, 0, 0, amount) for kind, unit, amount in limits]), day=NOON // DAY)


def test_stakes_of_a_round_are_counted_by_table() -> None:
    at = standing((LimitKind.STAKE, "PHP", 1000))
    at.felt["main"], at.asked["main"], at.felt["other"] = ("PHP", 600), ("PHP", 100), ("PHP", 900)
    assert refusal(at, "main", "PHP", 300, NOON) is None
    assert reason(refusal(at, "main", "PHP", 301, NOON)) == "own-stake-limit"
    assert refusal(at, "new", "PHP", 1000, NOON) is None
    assert refusal(at, "main", "SGD", 10**12, NOON) is None
    # What is taken back is never refused.
    at.felt["main"] = "PHP", 5000
    assert refusal(at, "main", "PHP", 0, NOON) is None
    assert refusal(at, "main", "PHP", -100, NOON) is None


def test_what_could_be_lost_in_a_day_counts_all_tables_of_a_unit_and_ends_at_midnight() -> None:
    at = standing((LimitKind.LOSS, "PHP", 1000))
    at.lose(NOON, "PHP", 300)
    at.felt["main"], at.asked["other"], at.felt["chips"] = ("PHP", 200), ("PHP", 100), ("CHIPS", 9999)
    assert refusal(at, "main", "PHP", 400, NOON) is None
    assert reason(refusal(at, "main", "PHP", 401, NOON)) == "own-loss-limit"
    assert refusal(at, "main", "PHP", 700, NOON + 12 * HOUR) is None
    assert reason(refusal(at, "main", "PHP", 701, NOON + 12 * HOUR)) == "own-loss-limit"
    at.lose(NOON, "PHP", -500)
    assert refusal(at, "main", "PHP", 900, NOON) is None


def test_time_at_play_counts_earlier_visits_of_the_day_and_ends_at_midnight() -> None:
    at = standing((LimitKind.TIME, "", 60 * MINUTE))
    at.played, at.visiting_since = 20 * MINUTE, NOON
    assert refusal(at, "main", "PHP", 1, NOON + 40 * MINUTE - 1) is None
    assert reason(refusal(at, "main", "PHP", 1, NOON + 40 * MINUTE)) == "own-time-limit"
    at.visiting_since = NOON + 12 * HOUR - 50 * MINUTE
    assert refusal(at, "main", "PHP", 1, NOON + 12 * HOUR + 59 * MINUTE) is None
    assert reason(refusal(at, "main", "PHP", 1, NOON + 13 * HOUR)) == "own-time-limit"


# With a record.


@asynccontextmanager
async def responsible(house: Floor) -> AsyncIterator[Responsible]:
    found = Responsible(house.record, house.beside, house.follower)
    house.record.listener = lambda written, _: found.heard(written)
    yield found
    await found.close()


async def bet(house: Floor, kept: Responsible, patron: str, wager: str, stake: int) -> str | None:
    """A wager as the house takes it; the reason of a limit that refuses it."""
    now = house.clock.now()
    problem = kept.refusal(patron, "main", "PHP", stake, now)
    if problem is not None:
        return problem.reason
    with kept.staking(patron, "main", "PHP", stake, now):
        assert (await house.at.bet(patron, wager, stake)).accepted
    return None


async def play_round(house: Floor) -> None:
    await house.at.until(Phase.READY)
    await house.at.until(Phase.BETTING)


def test_limits_count_what_happens_at_the_table_and_are_the_same_when_read_anew(place: Place) -> None:
    async def run() -> None:
        async with floor(place) as house, responsible(house) as kept:
            house.clock.time = now = 1_700_000_000_000
            await kept.arrive("anna", now)
            await house.at.until(Phase.BETTING)
            assert await bet(house, kept, "anna", "player", 20_000) is None
            # A limit that is set with a stake on the felt counts it.
            await kept.set_limits("anna", {STAKE: 25_000, LOSS: 60_000}, now)
            assert await bet(house, kept, "anna", "tie", 6_000) == "own-stake-limit"
            assert await bet(house, kept, "anna", "tie", 5_000) is None
            await kept.arrive("bob", now)
            assert await bet(house, kept, "bob", "tie", 50_000) is None
            for _ in range(8):
                await play_round(house)
                answer = await bet(house, kept, "anna", "player", 20_000)
                mine = (await kept.standing("anna", now)).lost.get("PHP", 0)
                other = Responsible(house.record, house.beside, house.follower)
                anew = await other.standing("anna", now)
                assert (anew.lost.get("PHP", 0), anew.felt) == (mine, kept._standings["anna"].felt)
                balances = await house.at.balances()
                has = balances["patron/PHP/anna"] + balances["held/main/PHP/anna"]
                # What was lost is what the books say is gone.
                assert mine == 1_000_000 - has
                assert (answer is None) == (mine + 20_000 <= 60_000)

    asyncio.run(run())


def test_limits_that_are_read_while_rounds_are_played_miss_nothing_and_count_nothing_twice(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        async with floor(place) as house, responsible(house) as kept:
            now = 1_700_000_000_000
            await kept.arrive("anna", now)
            await kept.set_limits("anna", {LOSS: 10**12}, now)
            reading = Responsible._lost_today
            following = house.follower.catch_up

            async def play(wager: str) -> None:
                """One round, and a stake on the next."""
                await house.at.until(Phase.BETTING)
                assert (await house.at.bet("anna", wager, 2_000)).accepted
                await house.at.until(Phase.READY)
                await house.at.until(Phase.BETTING)
                assert (await house.at.bet("anna", "tie", 3_000)).accepted

            async def follow_after_a_round(*given: float) -> bool:
                await play("player")
                return await following(*given)

            async def read_before_a_round(
                self: Responsible, patron: str, now: int
            ) -> tuple[dict[str, int], dict[str, int]]:
                found = await reading(self, patron, now)
                await play("banker")
                return found

            monkeypatch.setattr(house.follower, "catch_up", follow_after_a_round)
            monkeypatch.setattr(Responsible, "_lost_today", read_before_a_round)
            for _ in range(4):
                await kept._load("anna", now)
                balances, standing = await house.at.balances(), kept._standings["anna"]
                has = balances["patron/PHP/anna"] + balances["held/main/PHP/anna"]
                assert standing.lost["PHP"] == 1_000_000 - has
                assert standing.felt == {"main": ("PHP", 3_000)}

            async def only_a_stake(*given: float) -> bool:
                assert (await house.at.bet("anna", "player-pair", 4_000)).accepted
                return await following(*given)

            monkeypatch.setattr(house.follower, "catch_up", only_a_stake)
            monkeypatch.setattr(Responsible, "_lost_today", reading)
            await kept._load("anna", now)
            assert kept._standings["anna"].felt == {"main": ("PHP", 7_000)}

    asyncio.run(run())


def test_a_void_gives_back_what_was_lost(place: Place) -> None:
    async def run() -> None:
        async with floor(place) as house, responsible(house) as kept:
            now = 1_700_000_000_000
            await kept.arrive("anna", now)
            await kept.set_limits("anna", {LOSS: 100_000}, now)
            await house.at.until(Phase.BETTING)
            assert await bet(house, kept, "anna", "tie", 20_000) is None
            await house.at.do("table/main", VoidRound(1, Irregularity.TECHNICAL_FAULT))
            assert (await kept.standing("anna", now)).at_risk("PHP") == 0
            await house.at.until(Phase.BETTING)
            assert await bet(house, kept, "anna", "tie", 20_000) is None
            await house.at.until(Phase.READY)
            lost = (await kept.standing("anna", now)).lost["PHP"]
            assert lost != 0
            answer = await house.at.do("table/main", VoidRound(2, Irregularity.WRONG_NUMBER_OF_CARDS))
            assert answer.accepted
            assert (await kept.standing("anna", now)).lost["PHP"] == 0

    asyncio.run(run())


def test_wagers_that_are_asked_at_once_do_not_pass_a_limit_together(place: Place) -> None:
    async def run() -> None:
        async with floor(place) as house, responsible(house) as kept:
            now = 1_700_000_000_000
            await kept.arrive("anna", now)
            await kept.set_limits("anna", {LOSS: 5_000}, now)
            await house.at.until(Phase.BETTING)
            wagers = ("player", "banker", "tie", "player-pair", "banker-pair")
            answers = await asyncio.gather(*[bet(house, kept, "anna", wager, 2_000) for wager in wagers])
            assert sorted(map(str, answers)) == ["None"] * 2 + ["own-loss-limit"] * 3
            assert kept._standings["anna"].asked == {}

    asyncio.run(run())


def test_a_looser_limit_waits_a_day_and_a_tighter_one_takes_its_place(place: Place) -> None:
    async def run() -> None:
        async with floor(place) as house, responsible(house) as kept:
            clock = house.clock
            await house.at.until(Phase.BETTING)
            await kept.set_limits("anna", {STAKE: 4_000}, clock.now())
            clock.go(1_000)
            said = limits_said(await kept.set_limits("anna", {STAKE: 90_000}, clock.now()), clock.now())
            assert said.stake["PHP"].amount == 4_000
            assert said.stake["PHP"].next is not None
            assert (said.stake["PHP"].next.amount, said.stake["PHP"].next.since) == (90_000, clock.now() + DAY)
            clock.go(DAY - 1)
            assert reason(kept.refusal("anna", "main", "PHP", 5_000, clock.now())) == "own-stake-limit"
            clock.go(1)
            assert kept.refusal("anna", "main", "PHP", 5_000, clock.now()) is None
            # To take it away waits as well, and asking for less takes back that.
            await kept.set_limits("anna", {STAKE: None}, clock.now())
            clock.go(10)
            await kept.set_limits("anna", {STAKE: 3_000}, clock.now())
            clock.go(2 * DAY)
            assert reason(kept.refusal("anna", "main", "PHP", 5_000, clock.now())) == "own-stake-limit"
            await kept.set_limits("anna", {STAKE: None}, clock.now())
            clock.go(DAY)
            assert kept.refusal("anna", "main", "PHP", 10**12, clock.now()) is None
            other = Responsible(house.record, house.beside, house.follower)
            assert len((await other.standing("anna", clock.now())).limits) <= 2

    asyncio.run(run())


def test_a_cool_off_holds_at_once_and_cannot_be_shortened(place: Place) -> None:
    async def run() -> None:
        async with floor(place) as house, responsible(house) as kept:
            clock = house.clock
            await kept.arrive("anna", clock.now())
            assert kept.refusal("anna", "main", "PHP", 1, clock.now()) is None
            until = await kept.cool_off("anna", 48, clock.now())
            assert until == clock.now() + 48 * HOUR
            assert reason(kept.refusal("anna", "main", "PHP", 1, clock.now())) == "cool-off"
            clock.go(HOUR)
            assert await kept.cool_off("anna", 1, clock.now()) == until
            await kept.set_limits("anna", {STAKE: 10**12}, clock.now())
            clock.go(47 * HOUR - 1)
            assert reason(kept.refusal("anna", "main", "PHP", 1, clock.now())) == "cool-off"
            clock.go(1)
            assert kept.refusal("anna", "main", "PHP", 1, clock.now()) is None

    asyncio.run(run())


def test_a_limit_that_another_process_has_set_is_found(place: Place) -> None:
    async def run() -> None:
        async with floor(place) as house, responsible(house) as kept:
            now = house.clock.now()
            assert reason(kept.refusal("anna", "main", "PHP", 1, now)) == "ask-again"
            await kept.arrive("anna", now)
            other = Responsible(house.record, house.beside, house.follower)
            await other.cool_off("anna", 5, now)
            assert kept.refusal("anna", "main", "PHP", 1, now) is None
            await kept.refresh(now)
            assert reason(kept.refusal("anna", "main", "PHP", 1, now)) == "cool-off"

    asyncio.run(run())


def test_what_is_staked_and_lost_at_the_tables_of_another_process_is_found() -> None:
    async def run(place: Place) -> None:
        async with floor(place) as house:
            # Nobody tells this one what is written.
            elsewhere = Responsible(house.record, house.beside, house.follower)
            now = house.clock.now()
            await elsewhere.arrive("anna", now)
            await elsewhere.set_limits("anna", {LOSS: 30_000}, now)
            await house.at.until(Phase.BETTING)
            assert (await house.at.bet("anna", "tie", 20_000)).accepted
            assert elsewhere.refusal("anna", "other", "PHP", 20_000, now) is None
            await elsewhere.refresh(now + READ_AGAIN_MILLISECONDS - 1)
            assert elsewhere.refusal("anna", "other", "PHP", 20_000, now) is None
            await elsewhere.refresh(now + READ_AGAIN_MILLISECONDS)
            assert reason(elsewhere.refusal("anna", "other", "PHP", 20_000, now)) == "own-loss-limit"
            await house.at.until(Phase.READY)
            await elsewhere.refresh(now + 2 * READ_AGAIN_MILLISECONDS)
            lost = 1_000_000 - (await house.at.balances())["patron/PHP/anna"]
            assert elsewhere._standings["anna"].lost["PHP"] == lost != 0

    with TemporaryDirectory() as folder:
        place = Place("postgres", Path(folder))
        asyncio.run(run(place))


def test_a_visit_goes_on_until_nobody_is_seen_for_a_while(place: Place) -> None:
    async def run() -> None:
        async with floor(place) as house, responsible(house) as kept:
            clock = house.clock
            clock.time = first = NOON
            await asyncio.gather(*[kept.arrive("anna", clock.now()) for _ in range(5)])
            clock.go(OVER_AFTER)
            kept.visits.see("anna", clock.now())
            await kept.visits.write()
            # Another process finds the same visit.
            other = Responsible(house.record, house.beside, house.follower)
            clock.go(OVER_AFTER)
            assert (await other.session("anna", clock.now()))["since"] == first
            await other.close()
            clock.go(OVER_AFTER + 1)
            second = clock.now()
            assert (await kept.session("anna", clock.now()))["since"] == second
            again = Responsible(house.record, house.beside, house.follower)
            await kept.set_limits("anna", {TIME: 90 * MINUTE}, clock.now())
            assert (await kept.session("anna", clock.now()))["since"] == second
            await kept.visits.write()
            assert (await again.session("anna", clock.now()))["since"] == second
            for each in (kept, again):
                assert (await each.standing("anna", clock.now())).time_on(clock.now()) == 60 * MINUTE
                assert each.refusal("anna", "main", "PHP", 1, clock.now() + 30 * MINUTE - 1) is None
                assert reason(each.refusal("anna", "main", "PHP", 1, clock.now() + 30 * MINUTE)) == "own-time-limit"

    asyncio.run(run())


def test_whoever_is_connected_is_here_though_they_do_nothing(place: Place) -> None:
    async def run() -> None:
        async with floor(place) as house, responsible(house) as kept:
            clock = house.clock
            clock.time = first = NOON
            await kept.arrive("anna", clock.now())
            await kept.set_limits("anna", {TIME: 3 * HOUR}, clock.now())
            for _ in range(20):
                assert kept.refusal("anna", "main", "PHP", 1, clock.now()) is None
                clock.go(9 * MINUTE)
                await kept.keep_here(["anna", "carla"], clock.now())
                await kept.refresh(clock.now())
            assert clock.now() == first + 3 * HOUR
            assert reason(kept.refusal("anna", "main", "PHP", 1, clock.now())) == "own-time-limit"
            assert (await kept.session("anna", clock.now()))["since"] == first
            # Whoever was connected without a visit has one now.
            assert kept.visits.since("carla", clock.now()) == first + 9 * MINUTE
            # It is written down: another process finds the visit.
            other = Responsible(house.record, house.beside, house.follower)
            assert (await other.session("anna", clock.now()))["since"] == first

    asyncio.run(run())


def test_of_many_who_are_connected_some_are_seen_at_a_time(place: Place) -> None:
    async def run() -> None:
        async with floor(place) as house, responsible(house) as kept:
            clock, connected = house.clock, [f"patron-{number}" for number in range(SEEN_AT_ONCE + 10)]

            def here() -> int:
                return len([each for each in connected if kept.visits.since(each, clock.now()) is not None])

            await kept.keep_here(connected, clock.now())
            assert here() == SEEN_AT_ONCE
            await kept.keep_here(connected, clock.now())
            assert here() == len(connected)
            await kept.visits.write()
            # Nothing is written for those who were seen a moment ago.
            clock.go(SEEN_EVERY - 1)
            await kept.keep_here(connected, clock.now())
            assert not kept.visits._unwritten
            clock.go(1)
            await kept.keep_here(connected, clock.now())
            assert len(kept.visits._unwritten) == SEEN_AT_ONCE

    asyncio.run(run())


def test_a_wager_begins_a_visit_where_none_runs(place: Place) -> None:
    async def run() -> None:
        async with floor(place) as house, responsible(house) as kept:
            clock = house.clock
            clock.time = NOON
            await kept.arrive("anna", clock.now())
            await kept.set_limits("anna", {TIME: 60 * MINUTE}, clock.now())
            clock.go(20 * MINUTE)
            with kept.staking("anna", "main", "PHP", 100, clock.now()):
                pass
            # Nothing is heard of them for long, and the visit is forgotten.
            clock.go(OVER_AFTER + 1)
            await kept.refresh(clock.now())
            second = clock.now()
            assert reason(kept.refusal("anna", "main", "PHP", 100, clock.now())) == "ask-again"
            with kept.staking("anna", "main", "PHP", 100, clock.now()):
                # Until the time of the earlier visits is known, it is not guessed.
                assert reason(kept.refusal("anna", "main", "PHP", 100, clock.now())) == "ask-again"
            await asyncio.gather(*kept._arriving)
            assert kept.visits.since("anna", clock.now()) == second
            for _ in range(2):
                assert kept.refusal("anna", "main", "PHP", 100, clock.now()) is None
                clock.go(20 * MINUTE)
                with kept.staking("anna", "main", "PHP", 100, clock.now()):
                    pass
            assert reason(kept.refusal("anna", "main", "PHP", 100, clock.now())) == "own-time-limit"

    asyncio.run(run())


def test_a_visit_that_could_not_be_written_is_written_the_next_time(place: Place) -> None:
    async def run() -> None:
        async with floor(place) as house, responsible(house) as kept:
            clock = house.clock
            clock.time = first = NOON
            await kept.arrive("anna", clock.now())

            @asynccontextmanager
            async def failing() -> AsyncIterator[None]:
                raise StorageFault("The disk is full.")
                yield

            house.beside.writing, works = failing, house.beside.writing  # type: ignore[assignment,method-assign]
            with pytest.raises(StorageFault):
                await kept.visits.write()
            house.beside.writing = works  # type: ignore[method-assign]
            clock.go(MINUTE)
            kept.visits.see("anna", clock.now())
            await kept.visits.write()
            other = Responsible(house.record, house.beside, house.follower)
            clock.go(OVER_AFTER)
            assert (await other.session("anna", clock.now()))["since"] == first

    asyncio.run(run())


def test_whoever_is_seen_while_visits_are_written_is_written_the_next_time(place: Place) -> None:
    async def run() -> None:
        async with floor(place) as house, responsible(house) as kept:
            clock = house.clock
            await kept.arrive("anna", clock.now())
            writing = asyncio.create_task(kept.visits.write())
            await asyncio.sleep(0)
            clock.go(OVER_AFTER)
            assert kept.visits.see("anna", clock.now())
            await writing
            await kept.visits.write()
            other = Responsible(house.record, house.beside, house.follower)
            assert (await other.visits._last_of(["anna"]))["anna"].seen == clock.now()

    asyncio.run(run())


def test_what_lies_on_felts_is_found_by_the_patron(place: Place) -> None:
    """And not by naming every table that there ever was."""

    async def run() -> None:
        async with floor(place) as house:
            # A name may have slashes in it, and look like the end of another.
            rows = {
                "held/main/PHP/anna": 5,
                "held/main/PHP/anna/PHP/anna": 7,
                "held/other/SGD/anna": 11,
                "held/third/SGD/anna": 0,
                "held/main/PHP/joanna": 13,
            }
            async with house.beside.writing() as connection:
                await connection.execute(insert(account), [{"id": id, "balance": n} for id, n in rows.items()])
            async with house.beside.reading() as connection:
                before = (await wealth(connection, "anna")).by_unit
                found = await wealth_of(connection, ["anna", "anna/PHP/anna", "nobody"])
                if not place.url:
                    plan = await connection.execute(text(f"EXPLAIN QUERY PLAN {HELD_BY['sqlite']}"), {"patron": "anna"})
                    assert "INDEX account_held_by" in str(list(plan))
                else:
                    # Of a few rows all are read, unless that is dear.
                    await connection.execute(text("SET LOCAL enable_seqscan = off"))
                    plan = await connection.execute(text(f"EXPLAIN {HELD_BY['postgresql']}"), {"patron": "anna"})
                    assert "account_held_by" in str(list(plan))
            assert found["anna"].felt == {"main": ("PHP", 5), "other": ("SGD", 11)}
            assert found["anna"].by_unit == before
            assert found["anna/PHP/anna"].felt == {"main": ("PHP", 7)}
            assert found["nobody"].felt == {}

    asyncio.run(run())


HELD_BY = {
    dialect: f"SELECT id FROM account WHERE {IS_HELD} AND {held_by(dialect)} IN (:patron)"
    for dialect in ("sqlite", "postgresql")
}


def test_the_net_result_of_a_visit_is_what_was_won_and_not_what_was_bought_in(place: Place) -> None:
    async def run() -> None:
        async with floor(place) as house, responsible(house) as kept:
            at, now = house.at, house.clock.now()
            await at.until(Phase.BETTING)
            assert (await at.bet("anna", "tie", 3_000)).accepted
            # What lies on the felt when somebody comes is theirs.
            assert (await kept.session("anna", now))["net"] == {"PHP": 0}
            await at.do("desk/main", IssueMoney("anna", "PHP", 77_777, "buy-in"))
            await at.do("desk/main", ReturnMoney("anna", "PHP", 11_111, "takes it home"))
            assert (await kept.session("anna", now))["net"] == {"PHP": 0}
            won = 0
            for _ in range(6):
                number = at.table.round_number
                await at.do("table/main", PlaceWager(number, "anna", "player", 2_000), actor="anna")
                assert (await kept.session("anna", now))["net"] == {"PHP": won}
                balances = await at.balances()
                before = balances["patron/PHP/anna"] + balances["held/main/PHP/anna"]
                await at.until(Phase.READY)
                won += (await at.balances())["patron/PHP/anna"] - before
                assert (await kept.session("anna", now))["net"] == {"PHP": won}
                await at.until(Phase.BETTING)
            assert won
            adjust = AdjustAccount("anna", "PHP", 500, "table/main/rounds/1", "paid wrongly", "dora", "emil")
            await at.do("desk/main", adjust)
            assert (await kept.session("anna", now))["net"] == {"PHP": won + 500}
            assert (await kept.session("bob", now))["net"] == {"PHP": 0}

    asyncio.run(run())


def test_what_was_lost_a_moment_ago_is_told_to_whoever_has_no_limits(place: Place) -> None:
    async def run() -> None:
        async with floor(place) as house, responsible(house) as kept:
            now = house.clock.now()
            await kept.arrive("anna", now)
            for _ in range(3):
                await house.at.until(Phase.BETTING)
                assert await bet(house, kept, "anna", "tie", 20_000) is None
                await house.at.until(Phase.READY)
            found = await kept.standing("anna", house.clock.now())
            spent = await kept.visits.net("anna", await kept.visits.arrive("anna", house.clock.now()))
            assert found.lost == {"PHP": -spent["PHP"]}

    asyncio.run(run())


def test_a_time_limit_holds_on_a_socket_over_which_nothing_is_said(tmp_path: Path) -> None:
    with Attacked(tmp_path) as service, service.socket("patron", VIRTUAL) as quiet:
        quiet.hear("snapshot")
        visits, patron = service.house.responsible.visits, service.who["patron"].id
        assert service.ask("patron", "PUT", "/api/limits", {"minutes": 60}).status_code == 200
        for _ in range(3):
            service.clock.shift += OVER_AFTER - MINUTE
            now, until = service.clock.now(), monotonic() + PATIENCE
            while visits._here[patron].seen < now and monotonic() < until:
                sleep(0.05)
        said = quiet.ask({"id": "after-87-minutes", "do": "stake", "wager": "player", "amount": 2_000})
        assert said["reason"] == "own-time-limit"
        assert service.ask("patron", "GET", "/api/limits").json()["used"]["minutes"] == 87
