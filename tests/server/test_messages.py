"""What is told is what is declared: every message that is sent has its schema, and every schema is sent."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from puntobanco import GAMES, find_game
from puntobanco.dealing import BurnAndCut
from puntobanco.ledger import AdjustAccount, ChangeMoney, DeskCommand, IssueMoney, PostRate, ReturnMoney
from puntobanco.rulecard import rule_card, summary
from puntobanco.server import messages
from puntobanco.server.disputes import Outcome
from puntobanco.server.floor import FloorTable, usual_settings
from puntobanco.server.live_table import TRY_AGAIN_MILLISECONDS
from puntobanco.server.persons import Role, Signed
from puntobanco.server.rounds import rounds_of_shoe
from puntobanco.server.views import rules_of
from puntobanco.server.wire import encoded
from puntobanco.table import Dealing
from server import declared
from server.services import BETTING, BETWEEN, CARD, REVEAL, Json, Service, service
from server.test_told import failing

MANILA = find_game("manila")
SHORT: Json = {"decks": 4, "burn_and_cut": BurnAndCut(cut_depth=104)}
"""A shoe that ends soon."""
DEALT = FloorTable("felt", "Felt", usual_settings(MANILA, decks=4, dealing=Dealing.DEALER))
CARDS = ["5h", "Th", "4c", "7d"]
ROUND = BETTING + REVEAL + 8 * CARD + BETWEEN

KINDS = {
    str(each.__struct_config__.tag) for union in (messages.EventTold, messages.OtherTold) for each in get_args(union)
}


async def done(at: Service, who: Signed, **message: Any) -> Json:
    answer = await at.say("felt", who, **message)
    status = answer.pop("status", None)
    declared.check_told([encoded(answer)])
    assert status is None, answer
    return answer


async def dealt(at: Service, dealer: Signed, patron: Signed) -> int:
    """A round up to its result; its number."""
    await done(at, dealer, do="open-betting")
    await done(at, patron, do="stake", wager="player", amount=2000)
    await at.advance(1_000)
    await done(at, dealer, do="close-betting")
    for card in CARDS:
        await done(at, dealer, do="deal", card=card)
    await done(at, dealer, do="undo-card")
    await done(at, dealer, do="deal", card=CARDS[-1])
    await done(at, dealer, do="announce")
    return at.house.tables["felt"].table.round_number


async def by_two(at: Service, first: Signed, second: Signed, **message: Any) -> None:
    asked = await done(at, first, **message)
    await done(at, second, do="approve", request=asked["request"])


async def at_a_table_with_a_dealer(at: Service) -> None:
    await at.add_table(DEALT)
    dealer, boss = await at.staff("Dora", Role.DEALER), await at.staff("Sam", Role.SUPERVISOR)
    anna = await at.guest()
    for person in (anna.person, anna.person, dealer.person, None):
        await at.join("felt", person)
    await done(at, dealer, do="open-shoe")
    await done(at, dealer, do="burn", shown=["Ac"], face_down=1)
    await done(at, boss, do="set-aside", cards=["9s"], note="It fell from the shoe.")
    settled = await dealt(at, dealer, anna)
    await done(at, boss, do="withdraw-announcement", note="Too early.")
    await done(at, dealer, do="announce")
    await done(at, dealer, do="settle")
    await by_two(at, dealer, boss, do="correct", deal="P 5h 4c | B Th 6d", note="It was a six.")
    await done(at, boss, do="correct-count", keyed="9s", drawn="8s", note="It was an eight.")
    await done(at, dealer, do="pause", reason="A drink was spilt.")
    await done(at, boss, do="resume")
    await dealt(at, dealer, anna)
    await by_two(at, dealer, boss, do="void", irregularity="technical-fault", note="The reader failed.")
    assert (await at.say("felt", anna, do="stake", wager="tie", amount=1))["type"] == "refused"
    declared.check_told(
        [encoded({"type": "refused", "id": None, "time": 1, "reason": "malformed", "clause": None, "message": "."})]
    )
    now, disputes = at.clock.now(), at.house.disputes
    opened = await disputes.open(anna.person.id, "felt", settled, "It was a nine.", now)
    await disputes.assign(opened.id, boss.person.id)
    await disputes.decide(opened.id, boss.person, Outcome.UPHELD, "It was.", now)
    patron = anna.person.id
    commands: tuple[DeskCommand, ...] = (
        IssueMoney(patron, "PHP", 500, "a present"),
        ReturnMoney(patron, "PHP", 500, "taken back"),
        PostRate("PHP", "SGD", 1, 40),
        ChangeMoney(patron, "PHP", 4_000, "SGD"),
        AdjustAccount(patron, "PHP", 500, f"felt/{settled}", "paid wrongly", dealer.person.id, boss.person.id),
    )
    for number, command in enumerate(commands):
        await at.house.at_the_desk(command, boss.person.id, f"at-the-desk-{number}")
    await at.advance(3_000)
    await failing(at, lambda: at.say("felt", dealer, do="open-betting"))
    await at.advance(2 * TRY_AGAIN_MILLISECONDS)
    await at.house.floor.change("felt", settings=replace(DEALT.settings, decks=6))
    await at.house.take_up(await at.house.floor.table("felt"))
    await done(at, dealer, do="end-shoe", note="The end of the day.")
    await at.settle()


async def at_virtual_tables(at: Service) -> None:
    anna = await at.guest()
    for game in GAMES:
        settings = usual_settings(game, **(SHORT if game is MANILA else {}))
        await at.add_table(FloorTable(game.id, game.name, settings))
        viewer = await at.join(game.id, anna.person)
        back = await at.join(game.id, anna.person, after=viewer.version)
        assert "own" in [each["type"] for each in back.messages]
        wagers = {wager: each.minimum for wager, each in settings.limits.items()}
        await at.advance(ROUND)
        for _ in range(24 if game is MANILA else 2):
            await at.say(game.id, anna, do="stakes", stakes=wagers)
            await at.advance(ROUND)
        await at.house.floor.change(game.id, closed=True)
        await at.house.take_up(await at.house.floor.table(game.id))
        await at.advance(2 * ROUND)


def test_every_message_that_is_sent_is_declared_and_every_declaration_is_sent(tmp_path: Path) -> None:
    async def run() -> None:
        declared.heard.clear()
        async with service(tmp_path) as at:
            await at_a_table_with_a_dealer(at)
            await at_virtual_tables(at)
        assert declared.heard == KINDS

    asyncio.run(run())


def test_a_field_that_is_not_declared_is_noticed() -> None:
    said: Json = {"type": "table-closed", "time": 1, "version": 1}
    declared.check_told([encoded(said)])
    with pytest.raises(msgspec.ValidationError):
        declared.check_told([encoded({**said, "more": 1})])
    with pytest.raises(msgspec.ValidationError):
        declared.check_told([encoded({"type": "event", "event": "betting-closed", "time": 1, "version": 1})])


def test_what_routes_answer_is_declared(tmp_path: Path) -> None:
    def fits(said: Json, kind: Any) -> None:
        msgspec.json.decode(encoded(said), type=kind)

    async def run() -> None:
        async with service(tmp_path) as at:
            for game in GAMES:
                fits({"games": [summary(game)]}, messages.GameList)
                fits(rule_card(game), messages.RuleCard)
                settings = usual_settings(game)
                fits(rules_of("main", settings), messages.TableRules)
                await at.add_table(FloorTable(game.id, game.name, settings))
                await at.join(game.id, None)
            await at.advance(ROUND)
            fits(at.house.listed(), messages.TableList)
            for game in GAMES:
                fits(await at.house.transcript(game.id, 1), messages.Transcript)
                said = await rounds_of_shoe(at.house, game.id, 1)
                fits(said, messages.ShoeRounds)
                letters = "".join(each["result"]["winner"][0].upper() for each in said["rounds"])
                assert letters == at.house.tables[game.id].listed()["results"] != ""
                assert await at.house.rule_card(game.digest) == rule_card(game)

    asyncio.run(run())
