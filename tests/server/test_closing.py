"""Tables that go from a dealer to the server and back, are closed and opened again, while people sit there."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from puntobanco import find_game
from puntobanco.client import Client, Refused
from puntobanco.dealing import BurnAndCut
from puntobanco.server import wire
from puntobanco.server.floor import FloorTable, usual_settings
from puntobanco.server.house import FLOOR_MILLISECONDS
from puntobanco.server.persons import Role, Signed
from puntobanco.server.problems import Problem
from puntobanco.server.two_people import Adjustment
from puntobanco.table import Dealing, Limits, Phase, RoundLimits
from puntobanco.verify import verify
from server.doors import open_doors
from server.services import BETTING, BETWEEN, CARD, REVEAL, Json, Service, Viewer, service

MANILA = find_game("manila")
VIRTUAL = FloorTable("mirror", "Mirror", usual_settings(MANILA, decks=4))
DEALT = FloorTable("felt", "Felt", usual_settings(MANILA, decks=4, dealing=Dealing.DEALER))
CARDS = ["5h", "Th", "4c", "7d"]
"""Player nine, Banker seven."""
ROUND = BETTING + REVEAL + 8 * CARD


def at_home(folder: Path, work: Callable[[Service], Awaitable[None]]) -> None:
    async def run() -> None:
        async with service(folder) as at:
            await at.add_table(VIRTUAL)
            await at.add_table(DEALT)
            await work(at)
            assert await at.problems() == []

    asyncio.run(run())


async def change(at: Service, table: str, **changes: Any) -> None:
    """As the routes do it."""
    await at.house.floor.change(table, **changes)
    await at.house.take_up(await at.house.floor.table(table))
    await at.settle()


async def deals_by(at: Service, table: FloorTable, dealing: Dealing) -> None:
    await change(at, table.id, settings=replace(table.settings, dealing=dealing))


async def done(at: Service, table: str, signed: Signed, **message: Any) -> Json:
    answer = await at.say(table, signed, **message)
    assert answer["type"] == "accepted", answer
    return answer


async def shoe_opened(at: Service, table: str, dealer: Signed) -> None:
    await done(at, table, dealer, do="open-shoe")
    await done(at, table, dealer, do="burn", shown=["Ac"], face_down=1)


async def dealt(at: Service, table: str, dealer: Signed) -> None:
    """From the close of betting to the settlement."""
    await done(at, table, dealer, do="close-betting")
    for card in CARDS:
        await done(at, table, dealer, do="deal", card=card)
    await done(at, table, dealer, do="announce")
    await done(at, table, dealer, do="settle")
    await at.settle()


async def round_over(at: Service, viewer: Viewer) -> None:
    """A round that the server deals, to the moment in which its key is published and no other has begun."""
    number = events_of(viewer).count("round-settled")
    while not (events_of(viewer).count("round-settled") > number and events_of(viewer)[-1] == "key-published"):
        await at.advance(CARD)


def events_of(viewer: Viewer) -> list[str]:
    return [each["event"] for each in viewer.messages if each["type"] == "event"]


def all_verified(transcript: Json) -> bool:
    """Whether a shoe can be dealt again to its end."""
    verify(json.dumps(transcript).encode())
    return "final" in transcript


# Who deals.


def test_a_virtual_table_that_a_dealer_gets_is_not_dealt_at_by_the_server_any_more(tmp_path: Path) -> None:
    async def work(at: Service) -> None:
        dealer, anna = await at.staff("Dora", Role.DEALER), await at.guest()
        await deals_by(at, VIRTUAL, Dealing.DEALER)
        viewer = await at.join("mirror", anna.person)
        await at.advance(2 * ROUND)
        assert events_of(viewer) == [], "nobody deals but a dealer"
        await shoe_opened(at, "mirror", dealer)
        await done(at, "mirror", dealer, do="open-betting")
        await at.advance(ROUND)
        assert at.house.tables["mirror"].shoe.opened is None
        await dealt(at, "mirror", dealer)
        assert events_of(viewer)[-1] == "round-settled"

    at_home(tmp_path, work)


def test_a_shoe_of_the_server_ends_with_all_its_keys_before_a_dealer_gets_the_table(tmp_path: Path) -> None:
    async def work(at: Service) -> None:
        dealer, supervisor = await at.staff("Dora", Role.DEALER), await at.staff("Sam", Role.SUPERVISOR)
        viewer = await at.join("mirror", None)
        await round_over(at, viewer)
        await deals_by(at, VIRTUAL, Dealing.DEALER)
        assert at.house.tables["mirror"].table.settings.is_virtual, "its shoe is in play"
        assert (await at.say("mirror", dealer, do="open-shoe"))["reason"] == "virtual-shoe"
        await done(at, "mirror", supervisor, do="end-shoe", note="the dealer is here")
        await at.settle()
        assert events_of(viewer)[-3:] == ["shoe-ended", "settings-changed", "shoe-revealed"]
        assert all_verified(await at.house.transcript("mirror", 1))
        await shoe_opened(at, "mirror", dealer)
        await done(at, "mirror", dealer, do="open-betting")
        await dealt(at, "mirror", dealer)

    at_home(tmp_path, work)


def test_the_server_deals_at_a_table_that_was_a_dealers(tmp_path: Path) -> None:
    async def work(at: Service) -> None:
        dealer, anna = await at.staff("Dora", Role.DEALER), await at.guest()
        await shoe_opened(at, "felt", dealer)
        viewer = await at.join("felt", anna.person)
        await deals_by(at, DEALT, Dealing.VIRTUAL)
        await done(at, "felt", dealer, do="end-shoe", note="the dealer goes home")
        await at.settle()
        assert (await at.say("felt", dealer, do="burn", shown=["Ac"], face_down=1))["reason"] == "virtual-shoe"
        await done(at, "felt", anna, do="stake", wager="tie", amount=2000)
        await round_over(at, viewer)
        assert at.house.purses.held(anna.person.id) == {}

    at_home(tmp_path, work)


def test_a_shoe_that_a_dealer_opened_in_the_very_moment_of_the_change_is_put_away(tmp_path: Path) -> None:
    async def work(at: Service) -> None:
        dealer = await at.staff("Dora", Role.DEALER)
        viewer = await at.join("felt", None)
        await at.house.floor.change("felt", settings=replace(DEALT.settings, dealing=Dealing.VIRTUAL))
        changed = asyncio.ensure_future(at.house.take_up(await at.house.floor.table("felt")))
        while not at.house.record.waiting:
            await asyncio.sleep(0)
        # The settings are in line; what is in line after them was made for a table that had a dealer.
        opened = asyncio.ensure_future(at.say("felt", dealer, do="open-shoe"))
        await asyncio.gather(changed, opened)
        await at.settle()
        assert at.house.tables["felt"].shoe.opened is not None
        assert events_of(viewer)[-1] == "betting-opened"

    at_home(tmp_path, work)


def test_a_change_that_waits_for_the_next_shoe_is_made_between_two_shoes(tmp_path: Path) -> None:
    """A virtual table opens one shoe after the other, so that the change must be asked for in between."""

    async def work(at: Service) -> None:
        few_rounds = usual_settings(MANILA, decks=4, burn_and_cut=BurnAndCut(cut_depth=104))
        live = await at.add_table(FloorTable("short", "Short", few_rounds))
        viewer = await at.join("short", None)
        await at.advance(BETTING)
        await change(at, "short", settings=replace(few_rounds, decks=5))
        while live.table.shoe_number < 2:
            await at.advance(ROUND)
        assert live.table.settings.decks == 5
        assert events_of(viewer).count("shoe-ended") == 1
        assert all_verified(await at.house.transcript("short", 1))

    at_home(tmp_path, work)


def test_limits_hold_from_the_next_round_however_quick_the_dealer_is(tmp_path: Path) -> None:
    async def work(at: Service) -> None:
        dealer = await at.staff("Dora", Role.DEALER)
        await shoe_opened(at, "felt", dealer)
        await done(at, "felt", dealer, do="open-betting")
        limits = {**DEALT.settings.limits, "tie": Limits(4000, 8000, 20)}
        await change(at, "felt", settings=replace(DEALT.settings, limits=limits))
        await dealt(at, "felt", dealer)
        await done(at, "felt", dealer, do="open-betting")
        assert at.house.tables["felt"].table.settings.limits["tie"].minimum == 4000

    at_home(tmp_path, work)


def test_limits_do_not_wait_for_what_waits_for_the_next_shoe(tmp_path: Path) -> None:
    async def work(at: Service) -> None:
        anna, live = await at.guest(), at.house.tables["mirror"]
        viewer = await at.join("mirror", anna.person)
        more_decks = replace(VIRTUAL.settings, decks=5)
        await change(at, "mirror", settings=more_decks)
        await round_over(at, viewer)
        limits = {**more_decks.limits, "tie": Limits(4000, 8000, 20)}
        urgent = replace(more_decks, limits=limits, round_limits=RoundLimits(patron=10_000))
        await change(at, "mirror", settings=urgent)
        await at.advance(BETWEEN)
        assert live.table.phase is Phase.BETTING
        assert live.table.settings.limits["tie"] == Limits(4000, 8000, 20)
        assert live.table.settings.round_limits.patron == 10_000
        assert live.table.settings.decks == VIRTUAL.settings.decks, "the shoe is in play"
        refused = await at.say("mirror", anna, do="stake", wager="tie", amount=2000)
        assert refused["reason"] == "below-minimum"
        versions = [each["version"] for each in viewer.messages if each.get("event") == "settings-changed"]
        await round_over(at, viewer)
        await at.advance(BETWEEN)
        again = [each["version"] for each in viewer.messages if each.get("event") == "settings-changed"]
        assert len(versions) == 1
        assert again == versions, "it is changed once"

    at_home(tmp_path, work)


# Closed, and opened again.


def test_who_sits_at_a_table_that_is_closed_is_told_and_goes(tmp_path: Path) -> None:
    async def work(at: Service) -> None:
        dealer, anna = await at.staff("Dora", Role.DEALER), await at.guest()
        await shoe_opened(at, "felt", dealer)
        viewer, live = await at.join("felt", anna.person), at.house.tables["felt"]
        await change(at, "felt", closed=True)
        await at.settle()
        assert "felt" not in at.house.tables
        assert events_of(viewer)[-1:] == ["shoe-ended"]
        assert viewer.messages[-1]["type"] == "table-closed"
        assert viewer.has_gone
        for signed, message in ((dealer, {"do": "open-shoe"}), (anna, {"do": "stake", "wager": "tie", "amount": 2000})):
            assert (await at.say("felt", signed, **message))["status"] == 404
        # A message that was under way on a socket as the table was closed.
        with pytest.raises(Problem) as refused:
            at.house.ask(live, dealer, wire.read_message(b'{"id":"zombie-0001","do":"open-shoe"}'))
        assert refused.value.status == 404

    at_home(tmp_path, work)


def test_a_table_that_is_closing_plays_its_round_and_begins_no_other(tmp_path: Path) -> None:
    async def work(at: Service) -> None:
        dealer, anna = await at.staff("Dora", Role.DEALER), await at.guest()
        await shoe_opened(at, "felt", dealer)
        await done(at, "felt", dealer, do="open-betting")
        viewer = await at.join("felt", anna.person)
        await change(at, "felt", closed=True)
        assert (await at.say("felt", dealer, do="open-betting"))["reason"] == "table-closing"
        await done(at, "felt", anna, do="stake", wager="player", amount=2000)
        assert at.house.purses.held(anna.person.id) == {"PHP": 2000}
        await dealt(at, "felt", dealer)
        assert events_of(viewer)[-2:] == ["round-settled", "shoe-ended"]
        assert viewer.messages[-1]["type"] == "table-closed"
        assert at.house.purses.held(anna.person.id) == {}
        assert (await at.say("felt", dealer, do="open-betting"))["status"] == 404

    at_home(tmp_path, work)


def test_a_round_that_was_in_line_before_the_table_was_closed_is_played(tmp_path: Path) -> None:
    async def work(at: Service) -> None:
        dealer = await at.staff("Dora", Role.DEALER)
        await shoe_opened(at, "felt", dealer)
        await at.house.floor.change("felt", closed=True)
        wanted = await at.house.floor.table("felt")
        opening = asyncio.ensure_future(at.say("felt", dealer, do="open-betting"))
        while not at.house.record.waiting:
            await asyncio.sleep(0)
        await at.house.take_up(wanted)
        assert (await opening)["type"] == "accepted"
        await at.settle()
        assert "felt" in at.house.tables
        await dealt(at, "felt", dealer)
        assert "felt" not in at.house.tables

    at_home(tmp_path, work)


@pytest.mark.parametrize(("decision", "starts_anew"), [("approve", False), ("decline", False), ("approve", True)])
def test_a_closed_table_stays_until_what_is_asked_of_its_last_round_is_decided(
    tmp_path: Path, decision: str, starts_anew: bool
) -> None:
    async def work(at: Service) -> None:
        dealer, supervisor = await at.staff("Dora", Role.DEALER), await at.staff("Sam", Role.SUPERVISOR)
        anna = await at.guest()
        await at.join("felt", anna.person)
        await shoe_opened(at, "felt", dealer)
        await done(at, "felt", dealer, do="open-betting")
        await done(at, "felt", anna, do="stake", wager="player", amount=2000)
        before = await at.house.purses.balances(anna.person.id)
        await at.house.floor.change("felt", closed=True)
        await dealt(at, "felt", dealer)
        asked = await done(at, "felt", dealer, do="correct", deal="P 5h 4c | B Th 9d", note="the last card was 9d")
        await at.advance(3 * FLOOR_MILLISECONDS)
        if starts_anew:
            await at.crash()
            await at.open()
        assert at.house.tables["felt"].is_closing
        await done(at, "felt", supervisor, do=decision, request=asked["request"])
        after = await at.house.purses.balances(anna.person.id)
        assert after["PHP"] - before["PHP"] == (2000 if decision == "approve" else 4000)
        await at.advance(2 * FLOOR_MILLISECONDS)
        assert "felt" not in at.house.tables
        assert await at.house.requests.waiting() == []

    at_home(tmp_path, work)


def test_what_is_asked_in_the_moment_in_which_a_table_closes_waits_for_nobody(tmp_path: Path) -> None:
    async def work(at: Service) -> None:
        dealer = await at.staff("Dora", Role.DEALER)
        await shoe_opened(at, "felt", dealer)
        await done(at, "felt", dealer, do="open-betting")
        await dealt(at, "felt", dealer)
        keep = at.house.requests.ask

        async def closed_meanwhile(asked: Any) -> Any:
            await change(at, "felt", closed=True)
            await at.advance(2 * FLOOR_MILLISECONDS)
            assert "felt" not in at.house.tables
            return await keep(asked)

        at.house.requests.ask = closed_meanwhile  # type: ignore[method-assign]
        answer = await at.say("felt", dealer, do="void", irregularity="wrong-number-of-cards", note="one too many")
        assert (answer["type"], answer["status"]) == ("refused", 404)
        assert await at.house.requests.waiting() == []

    at_home(tmp_path, work)


def test_two_people_adjust_an_account_for_a_round_of_a_closed_table(tmp_path: Path) -> None:
    async def work(at: Service) -> None:
        dealer, anna = await at.staff("Dora", Role.DEALER), await at.guest()
        supervisor, second = [await at.staff(name, Role.SUPERVISOR) for name in ("Sam", "Sue")]
        await at.house.arrived(anna)
        await shoe_opened(at, "felt", dealer)
        await done(at, "felt", dealer, do="open-betting")
        await done(at, "felt", anna, do="stake", wager="player", amount=2000)
        await dealt(at, "felt", dealer)
        await change(at, "felt", closed=True)
        await at.advance(2 * FLOOR_MILLISECONDS)
        assert "felt" not in at.house.tables
        before = (await at.house.purses.balances(anna.person.id))["PHP"]
        people = at.house.two_people
        for number, table, reason in ((2, "felt", "no-round"), (1, "none-such", "not-found")):
            wrong = Adjustment(anna.person.id, "PHP", 500, table, number, "paid too little")
            with pytest.raises(Problem) as refused:
                await people.ask_adjustment(supervisor, at.new_id(), wrong)
            assert refused.value.reason == reason
        asked = Adjustment(anna.person.id, "PHP", 500, "felt", 1, "paid too little")
        request = await people.ask_adjustment(supervisor, at.new_id(), asked)
        await people.decide_adjustment(request, second, at.new_id(), approve=True)
        assert (await at.house.purses.balances(anna.person.id))["PHP"] == before + 500

    at_home(tmp_path, work)


def test_a_closed_table_is_opened_again_where_it_was(tmp_path: Path) -> None:
    async def work(at: Service) -> None:
        for name in ("mirror", "felt"):
            await change(at, name, closed=True)
            await at.advance(FLOOR_MILLISECONDS)
            assert name not in at.house.tables
            await change(at, name, closed=False)
            assert name in at.house.tables
        dealer = await at.staff("Dora", Role.DEALER)
        viewer = await at.join("felt", None)
        await shoe_opened(at, "felt", dealer)
        assert "shoe-opened" in events_of(viewer)
        watching = await at.join("mirror", None)
        await at.advance(ROUND)
        assert "round-settled" in events_of(watching)

    at_home(tmp_path, work)


def test_a_table_that_is_opened_again_before_its_last_round_is_over_plays_on(tmp_path: Path) -> None:
    async def work(at: Service) -> None:
        viewer = await at.join("mirror", None)
        await at.advance(BETTING)
        await change(at, "mirror", closed=True)
        await change(at, "mirror", closed=False)
        await at.advance(2 * ROUND + BETWEEN)
        assert events_of(viewer).count("betting-opened") > 1
        assert not viewer.has_gone

    at_home(tmp_path, work)


@pytest.mark.parametrize("paused", [False, True])
def test_a_closed_table_has_no_secrets_and_its_shoes_can_still_be_read(tmp_path: Path, paused: bool) -> None:
    async def work(at: Service) -> None:
        supervisor = await at.staff("Sam", Role.SUPERVISOR)
        viewer = await at.join("mirror", None)
        await round_over(at, viewer)
        if paused:
            await done(at, "mirror", supervisor, do="pause", reason="a moment")
        await change(at, "mirror", closed=True)
        await at.settle()
        assert events_of(viewer)[-2:] == ["shoe-ended", "shoe-revealed"]
        for _ in range(2):
            assert "mirror" not in at.house.tables
            assert all_verified(await at.house.transcript("mirror", 1))
            for table, shoe in (("mirror", 2), ("no-such-table", 1)):
                with pytest.raises(Problem) as refused:
                    await at.house.transcript(table, shoe)
                assert refused.value.status == 404
            await at.crash()
            await at.open()

    at_home(tmp_path, work)


def test_a_round_of_a_table_that_is_closing_is_ended_after_a_crash(tmp_path: Path) -> None:
    """Or the stakes would lie at a table that nobody sees."""

    async def work(at: Service) -> None:
        anna = await at.guest()
        await at.join("mirror", anna.person)
        await done(at, "mirror", anna, do="stake", wager="tie", amount=2000)
        await change(at, "mirror", closed=True)
        await at.crash()
        await at.open()
        assert at.house.purses.held(anna.person.id) == {"PHP": 2000}
        await at.advance(2 * ROUND)
        assert "mirror" not in at.house.tables
        assert at.house.purses.held(anna.person.id) == {}
        assert all_verified(await at.house.transcript("mirror", 1))

    at_home(tmp_path, work)


def test_the_sockets_of_a_closed_table_end(tmp_path: Path) -> None:
    """Over the network, by the command of the house and within the two seconds of the floor."""

    async def run() -> None:
        async with open_doors(tmp_path, betting_seconds=0.1, card_seconds=0, pause_seconds=0) as doors:
            _, client = await doors.guest()
            line, watching = await doors.line("manila", client), await doors.line("manila")
            await doors.house.floor.change("manila", closed=True)
            async with asyncio.timeout(20):
                while not (line.is_over and watching.is_over):
                    await asyncio.sleep(0.01)
            for each in (line, watching):
                assert each.messages[-1]["type"] == "table-closed"
                assert each.messages[-2]["event"] == "shoe-revealed"
            assert (await client.get("/api/tables/manila")).status_code == 404
            transcript = await client.get("/api/tables/manila/shoes/1")
            assert all_verified(transcript.json())
            # All of it, and not the anchor alone, is signed with the key of the record.
            signed = f"\nSigned by {doors.house.record.keys.public_key.hex()}."
            assert verify(transcript.content).endswith(signed)
            async with Client(doors.address) as bot:
                guest = await bot.come_as_guest()
                registered = await bot.register("Anna Lim", "nine herons on the pier")
                assert (registered["patron"], registered["role"]) == (guest["patron"], "patron"), "they keep everything"
                with pytest.raises(Refused, match="no such table"):
                    async with bot.join("manila"):
                        pass

    asyncio.run(run())
