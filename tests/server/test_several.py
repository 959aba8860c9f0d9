"""Two `serve` processes on one PostgreSQL: whoever leads a table, everybody plays at it by any of them."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from pathlib import Path
from signal import SIGCONT, SIGSTOP
from typing import Any

from puntobanco import find_game
from puntobanco.client import Client, Event, Table
from puntobanco.server.floor import FloorTable, usual_settings
from puntobanco.server.house import DESK
from puntobanco.server.persons import Role, Signed
from puntobanco.server.requests import Request
from puntobanco.server.two_people import Adjustment, Changing, Giving, Rating
from puntobanco.store.database import StorageFault
from puntobanco.store.record import Written
from puntobanco.store.streams import DeskStream
from puntobanco.table import Dealing, RoundSettled
from server.running import UNLIMITED, Running
from server.services import Service, SlowLook, Viewer, service
from store.databases import new_postgres

TABLE, STAKE = "six-star", 10_000
PATIENCE_SECONDS = 40.0
TAKEOVER_SECONDS = 5.0
QUICK = {
    "PUNTOBANCO_BETTING_SECONDS": "1.5",
    "PUNTOBANCO_CARD_SECONDS": "0.2",
    "PUNTOBANCO_REVEAL_SECONDS": "0.3",
    "PUNTOBANCO_PAUSE_SECONDS": "0.2",
    "PUNTOBANCO_LOG_FORMAT": "json",
}


class Two:
    """Two processes that serve one house."""

    def __init__(self, folder: Path) -> None:
        settings = {**UNLIMITED, **QUICK, "PUNTOBANCO_DATABASE": new_postgres()}
        self.all = [Running(folder / "data", settings=settings) for _ in range(2)]
        for number, process in enumerate(self.all):
            process.log_path = folder / f"{number}.log"

    def logged(self, process: Running, event: str) -> list[dict[str, Any]]:
        lines = [json.loads(line) for line in process.log().splitlines() if line.startswith("{")]
        return [line for line in lines if line["event"] == event]

    def leads(self, process: Running, table: str) -> bool:
        """By what it has logged last of the table."""
        kinds = ("table-led", "table-lost")
        lines = [json.loads(line) for line in process.log().splitlines() if line.startswith("{")]
        of_table = [line["event"] for line in lines if line["event"] in kinds and line.get("table") == table]
        return of_table[-1:] == ["table-led"]

    async def split(self, table: str) -> tuple[Running, Running]:
        """The process that leads the table, and the other."""
        one, other = self.all
        await until(lambda: self.leads(one, table) != self.leads(other, table))
        return (one, other) if self.leads(one, table) else (other, one)


async def until(wanted: Callable[[], bool], seconds: float = PATIENCE_SECONDS) -> float:
    """Wait for something; how long it took."""
    began = time.monotonic()
    while not wanted():
        assert time.monotonic() - began < seconds, "it did not happen in time"
        await asyncio.sleep(0.02)
    return time.monotonic() - began


@contextmanager
def two_processes(folder: Path) -> Iterator[Two]:
    two = Two(folder)
    try:
        for process in two.all:
            process.start()
        yield two
    finally:
        for process in two.all:
            if process.process is not None:
                process.process.send_signal(SIGCONT)
                process.stop()


@asynccontextmanager
async def patron_at(
    process: Running, table: str = TABLE, session: str | None = None
) -> AsyncIterator[tuple[Client, Table]]:
    async with Client(process.address) as client:
        if session is None:
            await client.come_as_guest()
        else:
            client.session = session
            await client.me()
        async with client.join(table) as joined:
            yield client, joined


async def heard(table: Table, *names: str) -> Event:
    """The next event of one of these kinds."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        async for event in table:
            if event.name in names:
                return event
    raise AssertionError("the table has ended")


async def staked(table: Table, **fields: object) -> int:
    """Bet in the next round that there is time for; its number."""
    while True:
        opened = await heard(table, "betting-opened")
        if opened["round"] == table.state["round"] and table.state["phase"] == "betting":
            accepted = await table.stake("player", STAKE, **fields)
            assert accepted.stakes == {"player": STAKE}
            return int(opened["round"])


async def settled(table: Table, number: int) -> Event:
    while True:
        event = await heard(table, "round-settled")
        if event["round"] == number:
            return event


def run(two: Two, work: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(work())  # type: ignore[arg-type]
    for process in two.all:
        if process.process is not None:
            assert process.stop() == 0
        assert two.logged(process, "failed") == []
    assert two.all[0].audit()["problems"] == []


def test_everybody_plays_at_every_table_by_any_process(tmp_path: Path) -> None:
    with two_processes(tmp_path) as two:

        async def work() -> None:
            leader, other = await two.split(TABLE)
            assert not two.leads(leader, "manila") or not two.leads(other, "manila")
            # Nobody is there by the process that leads it: it begins because somebody watches elsewhere.
            async with patron_at(other) as (client, table):
                number = await staked(table)
                settlement = await settled(table, number)
                assert settlement["wagers"]
                assert settlement["balance"] == (await client.me())["balances"][table.state["currency"]]
                async with patron_at(leader) as (_, beside):
                    await until(lambda: table.state["phase"] == beside.state["phase"] == "betting")
                    assert abs(table.state["closes_at"] - beside.state["closes_at"]) < 50
                    listed = {each["id"]: each["patrons"] for each in await client.tables()}
                    assert listed[TABLE] in (1, 2)
                    refused = await client.ask("GET", f"/api/tables/{TABLE}")
                    assert refused["round"] == table.state["round"]

        run(two, work)


def test_who_signs_out_by_one_process_is_out_by_the_other(tmp_path: Path) -> None:
    with two_processes(tmp_path) as two:

        async def work() -> None:
            one, other = two.all
            async with patron_at(one) as (client, _):
                async with Client(other.address) as same:
                    same.session = client.session or ""
                    await same.me()
                    await same.sign_out()
                before = client.session
                assert before
                end = time.monotonic() + PATIENCE_SECONDS
                while (await _status(one, before)) != 401:
                    assert time.monotonic() < end
                    await asyncio.sleep(0.1)
                await until(lambda: bool(_metric(one, 'reason="signed-out"')))

        run(two, work)


def test_simulated_sessions_are_asked_of_one_process_and_looked_up_by_the_other(tmp_path: Path) -> None:
    asked = {"game": "manila", "system": "flat", "rounds": 60, "sessions": 400, "bankroll": 10**6}

    with two_processes(tmp_path) as two:

        async def work() -> None:
            one, other = two.all
            async with Client(one.address) as client, Client(other.address) as same:
                await client.come_as_guest()
                same.session = client.session or ""
                job = await client.ask("POST", "/api/jobs", asked)
                while (found := await same.ask("GET", f"/api/jobs/{job['id']}"))["state"] in ("waiting", "running"):
                    await asyncio.sleep(0.1)
                assert (found["state"], found["done"]) == ("done", 400)
                assert found["result"]["sessions"] == 400
                assert (await same.ask("DELETE", f"/api/jobs/{job['id']}"))["result"] is None
                assert [each["id"] for each in (await client.ask("GET", "/api/jobs"))["jobs"]] == [job["id"]]

        run(two, work)


async def _status(process: Running, session: str) -> int:
    return (await asyncio.to_thread(process.ask, "GET", "/api/me", None, session))[0]


def _metric(process: Running, label: str) -> float:
    from urllib.request import urlopen

    with urlopen(f"{process.address}/metrics", timeout=60) as answer:
        lines = answer.read().decode().splitlines()
    return sum(float(line.rpartition(" ")[2]) for line in lines if label in line)


def test_the_tables_of_a_killed_process_are_led_by_the_other(tmp_path: Path) -> None:
    with two_processes(tmp_path) as two:

        async def work() -> None:
            leader, other = await two.split(TABLE)
            async with patron_at(other) as (_, table):
                number = await staked(table, id="before-the-kill")
                assert two.logged(other, "table-taken-over") == []
                leader.kill()
                assert await until(lambda: two.leads(other, TABLE)) < TAKEOVER_SECONDS * 2
                assert TABLE in [each["table"] for each in two.logged(other, "table-taken-over")]
                again = await table.command("stake", wager="player", amount=STAKE, round=number, id="before-the-kill")
                assert again.stakes == {"player": STAKE}
                assert (await settled(table, number))["wagers"]
                await settled(table, await staked(table))

        run(two, work)


def test_a_process_that_hung_follows_when_it_wakes(tmp_path: Path) -> None:
    with two_processes(tmp_path) as two:

        async def work() -> None:
            leader, other = await two.split(TABLE)
            assert leader.process is not None
            async with patron_at(other) as (_, table), patron_at(leader) as (client, there):
                number = await staked(table)
                leader.process.send_signal(SIGSTOP)
                try:
                    assert await until(lambda: two.leads(other, TABLE)) < TAKEOVER_SECONDS * 2
                    assert (await settled(table, number))["wagers"]
                    next_round = await staked(table)
                finally:
                    leader.process.send_signal(SIGCONT)
                await settled(table, next_round)
                # Whoever is at the process that was stopped sees and plays on, at a table that is led elsewhere.
                number = await staked(there)
                settlement = await settled(there, number)
                assert settlement["balance"] == (await client.me())["balances"][there.state["currency"]]

        run(two, work)


def test_tables_go_over_when_a_process_is_stopped_in_order(tmp_path: Path) -> None:
    with two_processes(tmp_path) as two:

        async def work() -> None:
            leader, other = await two.split(TABLE)
            async with patron_at(other) as (_, table):
                number = await staked(table)
                assert leader.stop() == 0
                assert (await settled(table, number))["wagers"]
                assert two.leads(other, TABLE)
                leader.start()
                await until(lambda: bool(two.logged(other, "table-lost")))
                await settled(table, await staked(table))

        run(two, work)


# Two houses in one process of the test, which is quicker, with time that stands still.

DEALT = FloorTable("felt", "Felt", usual_settings(find_game("manila"), decks=4, dealing=Dealing.DEALER))
CARDS = ("5h", "Th", "4c", "7d")


@asynccontextmanager
async def two_houses(folder: Path) -> AsyncIterator[tuple[Service, Service]]:
    """The one that leads the table, and the one that does not."""
    url = await asyncio.to_thread(new_postgres)
    async with service(folder, url) as one, service(folder, url) as other:
        one.is_alone = other.is_alone = False
        await one.house.floor.add(DEALT)
        for each in (one, other):
            await each.house.take_up(await each.house.floor.table(DEALT.id))
        for each in (one, other):
            await each.until(lambda each=each: DEALT.id in each.house.tables)  # type: ignore[misc]
        await one.until(lambda: one.house.leads(DEALT.id) != other.house.leads(DEALT.id))
        yield (one, other) if one.house.leads(DEALT.id) else (other, one)


async def done(at: Service, signed: Signed, **message: object) -> dict[str, Any]:
    answer = await at.say(DEALT.id, signed, **message)
    assert answer["type"] == "accepted", answer
    return answer


async def dealt(at: Service, dealer: Signed, patron: Signed) -> None:
    """A round from its opening to the settlement, with the patron's stake on a hand that wins."""
    await announced(at, dealer, patron)
    await done(at, dealer, do="settle")


async def announced(at: Service, dealer: Signed, patron: Signed) -> None:
    await done(at, dealer, do="open-betting")
    await done(at, patron, do="stake", wager="player", amount=2000)
    await done(at, dealer, do="close-betting")
    for card, hand in zip(CARDS, ("player", "banker") * 2, strict=True):
        await done(at, dealer, do="deal", card=card, hand=hand)
    await done(at, dealer, do="announce")


def test_a_dealer_and_two_people_work_by_a_process_that_does_not_lead_the_table(tmp_path: Path) -> None:
    async def work() -> None:
        async with two_houses(tmp_path) as (leader, other):
            dealer = await other.staff("Dora", Role.DEALER)
            supervisor, second = [await leader.staff(name, Role.SUPERVISOR) for name in ("Sam", "Sue")]
            patron = await other.guest()
            viewer = Viewer(patron.person)
            await other.house.arrived(patron)
            await other.house.tables[DEALT.id].join(viewer, None)
            before = viewer.messages[0]["table"]["balance"]
            await done(other, dealer, do="open-shoe")
            await done(other, dealer, do="burn", shown=["Ac"], face_down=1)
            await dealt(other, dealer, patron)
            await other.until(lambda: viewer.messages[-1].get("event") == "round-settled")
            assert viewer.messages[-1]["balance"] == before + 2000
            number = viewer.messages[-1]["round"]
            # Asked for by one process, and approved by the other.
            void = {"do": "void", "round": number, "irregularity": "wrong-number-of-cards", "note": "one too many"}
            asked = await done(other, supervisor, **void)
            refused = await other.say(DEALT.id, supervisor, do="approve", request=asked["request"])
            assert refused["status"] == 403
            await done(leader, second, do="approve", request=asked["request"])
            await other.until(lambda: viewer.messages[-1].get("event") == "table-resumed")
            voided = next(each for each in viewer.messages if each.get("event") == "round-voided")
            assert (voided["moved"], voided["balance"]) == (-2000, before)
            versions = [each["version"] for each in viewer.messages]
            assert versions == sorted(set(versions))
            assert await leader.problems() == []

    asyncio.run(work())


def test_whoever_was_away_from_another_process_is_told_no_balance_that_nobody_looked_up(tmp_path: Path) -> None:
    async def work() -> None:
        async with two_houses(tmp_path) as (leader, other):
            dealer, patron = await leader.staff("Dora", Role.DEALER), await other.guest()
            viewer, live = Viewer(patron.person), other.house.tables[DEALT.id]
            await leader.house.arrived(patron)
            await done(leader, dealer, do="open-shoe")
            await done(leader, dealer, do="burn", shown=["Ac"], face_down=1)
            await other.until(lambda: live.table.phase.value == "ready")
            await live.join(viewer, None)
            before = viewer.messages[0]["table"]["balance"]
            live.leave(viewer)
            await dealt(leader, dealer, patron)
            await other.until(lambda: live.table.last is not None and live._followed == live.version)
            back = Viewer(patron.person)
            await live.join(back, viewer.version)
            *events, own = back.messages
            assert (events[-1]["event"], events[-1]["net"]) == ("round-settled", 2000)
            assert "balance" not in events[-1]
            assert (own["type"], own["balance"]) == ("own", before + 2000)

    asyncio.run(work())


def test_whoever_comes_to_another_process_while_the_table_plays_on_misses_nothing(tmp_path: Path) -> None:
    async def work() -> None:
        async with two_houses(tmp_path) as (leader, other):
            dealer, patron = await leader.staff("Dora", Role.DEALER), await leader.guest()
            await leader.house.arrived(patron)
            await done(leader, dealer, do="open-shoe")
            await done(leader, dealer, do="burn", shown=["Ac"], face_down=1)
            live, watching, has = other.house.tables[DEALT.id], Viewer(None), 0
            await other.until(lambda: live._followed == leader.house.tables[DEALT.id].version)
            await live.join(watching, None)
            for after in (live.version, None):
                watching.sent = []
                look, viewer = SlowLook(other), Viewer(patron.person)
                joining = asyncio.create_task(live.join(viewer, after))
                await look.began.wait()
                await dealt(leader, dealer, patron)
                version = leader.house.tables[DEALT.id].version
                await other.until(lambda version=version: watching.version == version)  # type: ignore[misc]
                look.end()
                await joining
                has = (await other.house.purses.balances(patron.person.id))[live.unit]
                if after is None:
                    (shown,) = viewer.messages
                    assert (shown["version"], shown["table"]["balance"]) == (version, has)
                else:
                    *events, own = viewer.messages
                    assert [each["version"] for each in events] == [each["version"] for each in watching.messages]
                    assert own["balance"] == has
                live.leave(viewer)
            assert has == 1_000_000 + 2 * 2000

    asyncio.run(work())


def test_whoever_comes_before_what_was_read_of_others_is_told_has_what_they_have(tmp_path: Path) -> None:
    """The table is shown as it stands by then, with a balance of before that it would never learn otherwise."""

    async def work() -> None:
        async with two_houses(tmp_path) as (leader, other):
            dealer, patron = await leader.staff("Dora", Role.DEALER), await leader.guest()
            await leader.house.arrived(patron)
            await done(leader, dealer, do="open-shoe")
            await done(leader, dealer, do="burn", shown=["Ac"], face_down=1)
            live, several, may_be_told = other.house.tables[DEALT.id], other.house.several, asyncio.Event()
            assert several is not None
            await announced(leader, dealer, patron)
            await other.until(lambda: live._followed == leader.house.tables[DEALT.id].version)
            balances = several._balances

            async def waits(table: str, written: list[Written]) -> dict[str, int]:
                if any(isinstance(each.event, RoundSettled) for each in written):
                    await may_be_told.wait()
                return await balances(table, written)

            several._balances = waits  # type: ignore[method-assign]
            look, viewer = SlowLook(other), Viewer(patron.person)
            joining = asyncio.create_task(live.join(viewer, None))
            await look.began.wait()
            await done(leader, dealer, do="settle")
            await other.until(lambda: live.version == leader.house.tables[DEALT.id].version)
            assert live._followed < live.version
            look.end()
            await joining
            may_be_told.set()
            (shown,) = viewer.messages
            assert (shown["version"], shown["table"]["balance"]) == (live.version, 1_000_000 + 2000)

    asyncio.run(work())


def test_what_could_not_be_told_elsewhere_is_told_later(tmp_path: Path) -> None:
    """The balances could not be read, or something else failed: nobody misses an event, and the table says so."""

    async def work() -> None:
        async with two_houses(tmp_path) as (leader, other):
            dealer, patron = await leader.staff("Dora", Role.DEALER), await leader.guest()
            await leader.house.arrived(patron)
            await done(leader, dealer, do="open-shoe")
            await done(leader, dealer, do="burn", shown=["Ac"], face_down=1)
            live, several = other.house.tables[DEALT.id], other.house.several
            assert several is not None
            viewer, failing, balances = Viewer(patron.person), list[Exception](), several._balances

            async def fails(table: str, written: list[Written]) -> dict[str, int]:
                if failing and any(isinstance(each.event, RoundSettled) for each in written):
                    raise failing[0]
                return await balances(table, written)

            several._balances = fails  # type: ignore[method-assign]
            for error in (StorageFault("The database failed."), ZeroDivisionError("a mistake of ours")):
                viewer.sent, failing[:] = [], [error]
                await live.join(viewer, None)
                await dealt(leader, dealer, patron)
                await other.until(lambda: live.trouble is not None)
                assert other.house.readiness().stopped == 1
                assert "table-stopped" in [each["type"] for each in viewer.messages]
                failing.clear()
                await other.until(lambda: live.trouble is None)
                await other.until(lambda: viewer.messages[-1]["type"] == "snapshot")
                (settled,) = [each for each in viewer.messages if each.get("event") == "round-settled"]
                assert settled["net"] == 2000
                assert settled["balance"] == viewer.messages[-1]["table"]["balance"]
                live.leave(viewer)

    asyncio.run(work())


def test_a_gap_in_what_is_told_is_closed_by_a_snapshot(tmp_path: Path) -> None:
    async def work() -> None:
        async with two_houses(tmp_path) as (leader, other):
            dealer, viewer, live = await leader.staff("Dora", Role.DEALER), Viewer(None), other.house.tables[DEALT.id]
            await live.join(viewer, None)
            follow = live.follow
            live.follow = lambda *_: None  # type: ignore[method-assign]
            await done(leader, dealer, do="open-shoe")
            await other.until(lambda: live.table.phase.value == "burn due")
            live.follow = follow  # type: ignore[method-assign]
            await done(leader, dealer, do="burn", shown=["Ac"], face_down=1)
            await other.until(lambda: viewer.messages[-1]["version"] == live.version)
            assert [each["type"] for each in viewer.messages] == ["snapshot", "snapshot"]
            assert viewer.messages[-1]["table"]["phase"] == "ready"
            await done(leader, dealer, do="open-betting")
            await other.until(lambda: viewer.messages[-1].get("event") == "betting-opened")

    asyncio.run(work())


def test_who_is_at_a_table_elsewhere_is_told_of_an_adjustment(tmp_path: Path) -> None:
    async def work() -> None:
        async with two_houses(tmp_path) as (leader, other):
            dealer, patron = await leader.staff("Dora", Role.DEALER), await leader.guest()
            await leader.house.arrived(patron)
            await done(leader, dealer, do="open-shoe")
            await done(leader, dealer, do="burn", shown=["Ac"], face_down=1)
            await dealt(leader, dealer, patron)
            viewer = Viewer(patron.person)
            await other.house.tables[DEALT.id].join(viewer, None)
            balance = viewer.messages[0]["table"]["balance"]
            await other.until(lambda: other.house.tables[DEALT.id].table.last is not None)
            assert await other.house.follower.catch_up()
            supervisor, second = [await leader.staff(name, Role.SUPERVISOR) for name in ("Sam", "Sue")]
            unit = other.house.tables[DEALT.id].unit
            adjustment = Adjustment(patron.person.id, unit, 500, DEALT.id, 1, "paid too little")
            request = await other.house.two_people.ask_adjustment(supervisor, other.new_id(), adjustment)
            await leader.house.two_people.decide_adjustment(request, second, leader.new_id(), approve=True)
            await other.until(lambda: viewer.messages[-1]["type"] == "account-adjusted")
            assert viewer.messages[-1]["balance"] == balance + 500
            assert [each["type"] for each in viewer.messages].count("account-adjusted") == 1

    asyncio.run(work())


async def posted(at: Service, director: Signed, second: Signed, rate: Rating) -> None:
    request = await at.house.two_people.ask_rate(director, at.new_id(), rate)
    await at.house.two_people.decide_adjustment(request, second, at.new_id(), approve=True)


def rates_at(at: Service) -> dict[tuple[str, str], tuple[int, int]]:
    desk = at.house.record.stream(DESK)
    assert isinstance(desk, DeskStream)
    return dict(desk.desk.rates)


def test_a_rate_that_one_process_posted_holds_at_the_other(tmp_path: Path) -> None:
    """It is shown there, and counts there for what one person alone may change."""

    async def work() -> None:
        async with two_houses(tmp_path) as (one, other):
            director, second = [await one.staff(name, Role.DIRECTOR) for name in ("Dan", "Deb")]
            patron = (await other.guest()).person.id
            for numerator in (1, 2, 4, 8):
                await posted(one, director, second, Rating("SGD", "HKD", numerator, 1))
            await other.until(lambda: rates_at(other) == {("SGD", "HKD"): (8, 1)})
            asked = Changing(patron, "SGD", 200_000, "HKD")
            found = await other.house.two_people.move_money(director, "change-much", asked)
            assert isinstance(found, Request), "it comes to 1,600,000, and 1,000,000 are for one alone"

    asyncio.run(work())


def test_what_one_person_alone_may_move_is_counted_over_all_processes_at_every_moment(tmp_path: Path) -> None:
    async def work() -> None:
        async with two_houses(tmp_path) as houses:
            directors = [await houses[0].staff(name, Role.DIRECTOR) for name in ("Dan", "Deb")]
            for _ in range(5):
                patron = (await houses[0].guest()).person.id
                asked = Giving(patron, "SGD", 400_000, "Bought in.")
                ids = [f"{patron}-{number}" for number in range(4)]
                doors = [(houses[number % 2], directors[number // 2], ids[number]) for number in range(4)]
                moved = await asyncio.gather(
                    *[at.house.two_people.move_money(director, each, asked) for at, director, each in doors]
                )
                assert sorted(type(each).__name__ for each in moved) == ["Request", "Request", "int", "int"]
                # Asked again at the other process, each is answered alike and nothing is done twice.
                for (at, director, each), before in zip(doors, moved, strict=True):
                    there = houses[1 - houses.index(at)]
                    assert await there.house.two_people.move_money(director, each, asked) == before
                assert (await houses[1].house.purses.balances(patron))["SGD"] == 1_000_000 + 800_000

    asyncio.run(work())


def test_commands_that_were_under_way_when_a_table_changed_hands_are_answered_once(tmp_path: Path) -> None:
    async def work() -> None:
        async with two_houses(tmp_path) as (leader, other):
            dealer, patrons = await leader.staff("Dora", Role.DEALER), [await other.guest() for _ in range(40)]
            await done(leader, dealer, do="open-shoe")
            await done(leader, dealer, do="burn", shown=["Ac"], face_down=1)
            await done(leader, dealer, do="open-betting")
            for patron in patrons:
                await leader.house.arrived(patron)
                await other.house.arrived(patron)
            messages = [
                {"id": f"stake-{number:06}", "do": "stake", "wager": "player", "amount": 2000} for number in range(40)
            ]
            assert leader.house.several is not None
            said = []
            for number, (patron, message) in enumerate(zip(patrons, messages, strict=True)):
                at = (leader, other)[number % 2]
                said.append(asyncio.create_task(at.say(DEALT.id, patron, **message)))
                if number == 20:
                    await asyncio.sleep(0)
                    leader.house.several._ownership.hand_over(DEALT.id)
            answers = await asyncio.gather(*said)
            assert [each["type"] for each in answers] == ["accepted"] * 40
            again = [
                await other.say(DEALT.id, each, **message) for each, message in zip(patrons, messages, strict=True)
            ]
            assert [each["version"] for each in again] == [each["version"] for each in answers]
            assert len({each["version"] for each in answers}) == 40
            assert await leader.problems() == []

    asyncio.run(work())


async def look_at_the_floor(*houses: Service) -> None:
    """Each process does so by itself every two seconds."""
    for each in houses:
        each.house._floor_changed.set()


def test_a_table_that_one_process_closes_is_closed_by_all(tmp_path: Path) -> None:
    """The round is played to its end by whoever leads it, and everybody is told, wherever they are."""

    async def work() -> None:
        async with two_houses(tmp_path) as (leader, other):
            dealer, patron = await other.staff("Dora", Role.DEALER), await other.guest()
            for each in (leader, other):
                await each.house.arrived(patron)
            viewers = [Viewer(None), Viewer(patron.person)]
            for each, viewer in zip((leader, other), viewers, strict=True):
                await each.house.tables[DEALT.id].join(viewer, None)
            await done(other, dealer, do="open-shoe")
            await done(other, dealer, do="burn", shown=["Ac"], face_down=1)
            await done(other, dealer, do="open-betting")
            await other.house.floor.change(DEALT.id, closed=True)
            await other.house.take_up(await other.house.floor.table(DEALT.id))
            assert (await other.say(DEALT.id, dealer, do="open-betting"))["reason"] == "table-closing"
            await look_at_the_floor(leader)
            await leader.until(lambda: leader.house.tables[DEALT.id].is_closing)
            await done(other, patron, do="stake", wager="player", amount=2000)
            await done(other, dealer, do="close-betting")
            for card, hand in zip(CARDS, ("player", "banker") * 2, strict=True):
                await done(other, dealer, do="deal", card=card, hand=hand)
            await done(other, dealer, do="announce")
            await done(other, dealer, do="settle")
            await other.until(lambda: all(viewer.has_gone for viewer in viewers))
            for each, viewer in zip((leader, other), viewers, strict=True):
                told = [message.get("event") for message in viewer.messages]
                assert told[-3:] == ["round-settled", "shoe-ended", None]
                assert viewer.messages[-1]["type"] == "table-closed"
                assert DEALT.id not in each.house.tables
                assert each.house.purses.held(patron.person.id) == {}
            await other.house.floor.change(DEALT.id, closed=False)
            await look_at_the_floor(leader, other)
            for each in (leader, other):
                await each.until(lambda each=each: DEALT.id in each.house.tables)  # type: ignore[misc]
            await done(other, dealer, do="open-shoe")
            assert await leader.problems() == []

    asyncio.run(work())


def _is_leading(at: Service) -> bool:
    return at.house.tables[DEALT.id]._leading is not None


def test_whoever_leads_a_table_leads_it_as_its_settings_say(tmp_path: Path) -> None:
    """Changed by one process, dealt at by the other, and taken over."""

    async def work() -> None:
        async with two_houses(tmp_path) as (leader, other):
            virtual = replace(DEALT.settings, dealing=Dealing.VIRTUAL)
            viewer = Viewer(None)
            await other.house.tables[DEALT.id].join(viewer, None)
            await other.house.floor.change(DEALT.id, settings=virtual)
            await look_at_the_floor(leader, other)
            await other.until(lambda: other.house.tables[DEALT.id].table.settings.is_virtual)
            assert leader.house.several is not None
            leader.house.several._ownership.hand_over(DEALT.id)
            await other.until(lambda: "betting-opened" in [each.get("event") for each in viewer.messages])
            # Whoever of the two has it now.
            await other.until(lambda: leader.house.leads(DEALT.id) != other.house.leads(DEALT.id))
            for each in (leader, other):
                leads = each.house.leads(DEALT.id)
                await each.until(lambda each=each, leads=leads: leads == _is_leading(each))  # type: ignore[misc]
            assert await leader.problems() == []

    asyncio.run(work())
