"""A dealer's console shows only what the table accepts: each step that is offered is taken, and no other is."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec

from puntobanco import find_game
from puntobanco.server.dealer_steps import for_role, irregularities_of, next_steps
from puntobanco.server.floor import FloorTable, usual_settings
from puntobanco.server.messages import IrregularityList
from puntobanco.server.persons import Role
from puntobanco.server.wire import encoded
from puntobanco.table import Dealing, Irregularity
from server.services import Json, Service, service

MANILA = find_game("manila")
DEALT = FloorTable("felt", "Felt", usual_settings(MANILA, decks=4, dealing=Dealing.DEALER))
CARDS = ["5h", "Th", "4c", "7d"]
WITH: dict[str, Json] = {"burn": {"shown": ["Ac"], "face_down": 1}, "pause": {"reason": "a moment"}}


def test_the_first_step_that_is_offered_leads_through_a_round(tmp_path: Path) -> None:
    async def run() -> None:
        async with service(tmp_path) as at:
            live = await at.add_table(DEALT)
            dealer, boss = await at.staff("Dora", Role.DEALER), await at.staff("Sam", Role.SUPERVISOR)
            console, pit = await at.join("felt", dealer.person), await at.join("felt", boss.person)
            anna = await at.guest()
            patron = await at.join("felt", anna.person)
            taken, announced = list[str](), ""
            cards = iter(CARDS)
            step: Json = console.messages[-1]["table"]["next"][0]
            while not taken or taken[-1] != "settle":
                more = {"card": next(cards)} if step["do"] == "deal" else WITH.get(step["do"], {})
                if step["do"] == "burn":
                    assert step["burned_after"]["A"] == 1
                    assert step["burned_after"]["K"] == 10
                if step["do"] == "announce":
                    announced = step["says"]
                assert (await at.say("felt", dealer, do=step["do"], **more))["type"] == "accepted", step
                await at.settle()
                taken.append(step["do"])
                msgspec.json.decode(encoded({"irregularities": irregularities_of(live.table)}), type=IrregularityList)
                step = console.messages[-1]["next"][0]
            assert taken == [
                "open-shoe", "burn", "open-betting", "close-betting", *["deal"] * 4, "announce", "settle"
            ]  # fmt: skip
            assert announced == "Player 9, Banker 7. Player wins."
            hands = [each["next"][0]["hand"] for each in console.messages if each.get("event") == "betting-closed"]
            assert hands == ["player"]
            assert "withdraw-announcement" in {step["do"] for each in pit.messages for step in each.get("next", ())}
            assert not [each for each in patron.messages if "next" in each or "next" in each.get("table", {})]

    asyncio.run(run())


def test_every_step_that_is_offered_is_accepted_and_every_other_refused(tmp_path: Path) -> None:
    kinds = {"open-shoe", "burn", "open-betting", "close-betting", "announce", "settle", "undo-card", "resume"}

    async def at_phase(at: Service, said: list[Json]) -> None:
        dealer, boss = await at.staff("Dora", Role.DEALER), await at.staff("Sam", Role.SUPERVISOR)
        for message in said:
            who = boss if message["do"] == "resume" else dealer
            assert (await at.say("felt", who, **message))["type"] == "accepted"
        table = at.house.tables["felt"].table
        offered = {step["do"] for step in next_steps(table)}
        for kind in sorted(kinds - offered):
            who = boss if kind == "resume" else dealer
            assert (await at.say("felt", who, do=kind, **WITH.get(kind, {})))["type"] == "refused", (said, kind)
        for step in for_role(next_steps(table), Role.DEALER)[:1]:
            if step["do"] != "deal":
                assert (await at.say("felt", dealer, do=step["do"], **WITH.get(step["do"], {})))["type"] == "accepted"

    async def run() -> None:
        course: list[Json] = [{"do": "open-shoe"}, {"do": "burn", **WITH["burn"]}, {"do": "open-betting"}]
        course += [{"do": "close-betting"}, *[{"do": "deal", "card": card} for card in CARDS]]
        course += [{"do": "announce"}, {"do": "settle"}, {"do": "pause", "reason": "a moment"}, {"do": "resume"}]
        for count in range(len(course) + 1):
            async with service(tmp_path / str(count)) as at:
                await at.add_table(DEALT)
                await at_phase(at, course[:count])

    asyncio.run(run())


def test_an_irregularity_says_its_clause_and_whether_it_is_possible_now(tmp_path: Path) -> None:
    async def run() -> None:
        async with service(tmp_path) as at:
            live = await at.add_table(DEALT)
            dealer, anna = await at.staff("Dora", Role.DEALER), await at.guest()
            await at.join("felt", anna.person)
            said: list[Any] = irregularities_of(live.table)
            assert [each["irregularity"] for each in said] == [kind.value for kind in Irregularity]
            assert not any(each["possible"] for each in said)
            for message in ({"do": "open-shoe"}, {"do": "burn", **WITH["burn"]}, {"do": "open-betting"}):
                await at.say("felt", dealer, **message)
            await at.say("felt", anna, do="stake", wager="player", amount=2000)
            found = {each["irregularity"]: each for each in irregularities_of(live.table)}
            assert found["technical-fault"]["possible"]
            assert found["technical-fault"]["returns"] == 2000
            assert found["technical-fault"]["clause"].startswith("Ruling 20")
            assert not found["wrong-number-of-cards"]["possible"]
            assert found["wrong-number-of-cards"]["refusal"] == "No card of this round has been dealt yet."
            assert all(each["text"] for each in found.values())

    asyncio.run(run())


def test_a_virtual_table_offers_staff_no_steps(tmp_path: Path) -> None:
    async def run() -> None:
        async with service(tmp_path) as at:
            live = await at.add_table(FloorTable("mirror", "Mirror", usual_settings(MANILA, decks=4)))
            dealer = await at.staff("Dora", Role.DEALER)
            viewer = await at.join("mirror", dealer.person)
            await at.advance(1_000)
            assert next_steps(live.table) == ()
            assert not [each for each in viewer.messages if "next" in each or "next" in each.get("table", {})]

    asyncio.run(run())
