"""Whatever is said at once: each message is read on what those before it leave, and gets its answer again."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from puntobanco import find_game
from puntobanco.server.floor import FloorTable, usual_settings
from puntobanco.server.own_limits import LimitKind
from puntobanco.server.persons import Role, Signed
from puntobanco.table import Dealing
from server.services import Json, Service, service

MANILA = find_game("manila")
DEALT = FloorTable("felt", "Felt", usual_settings(MANILA, decks=4, dealing=Dealing.DEALER))
OTHER = FloorTable("baize", "Baize", usual_settings(MANILA, decks=4, dealing=Dealing.DEALER))
CARDS = ("5h", "Th", "4c", "7d")


def at_home(folder: Path, work: Callable[[Service, Signed, Signed], Awaitable[None]]) -> None:
    """Two tables at which betting is open, a dealer and a patron."""

    async def run() -> None:
        async with service(folder) as at:
            dealer, patron = await at.staff("Dora", Role.DEALER), await at.guest()
            await at.house.arrived(patron)
            for table in (DEALT, OTHER):
                await at.add_table(table)
                for message in ({"do": "open-shoe"}, {"do": "burn", "shown": ["Ac"], "face_down": 1}):
                    assert (await at.say(table.id, dealer, **message))["type"] == "accepted"
            await work(at, dealer, patron)
            assert await at.problems() == []

    asyncio.run(run())


async def at_once(at: Service, signed: Signed, *messages: Json, table: str = DEALT.id) -> list[Json]:
    return list(await asyncio.gather(*[at.say(table, signed, **message) for message in messages]))


def reasons(answers: list[Json]) -> list[str]:
    return [answer.get("reason", "accepted") for answer in answers]


def test_a_dealer_may_say_a_whole_round_at_once(tmp_path: Path) -> None:
    async def work(at: Service, dealer: Signed, patron: Signed) -> None:
        # Which hand a card is for follows from the cards before it.
        deals: list[Json] = [{"do": "deal", "card": card} for card in CARDS]
        said = [{"do": "open-betting"}, {"do": "close-betting"}, *deals, {"do": "announce"}, {"do": "settle"}]
        assert reasons(await at_once(at, dealer, *said)) == ["accepted"] * len(said)
        again = [{"do": "open-betting"}, {"do": "close-betting"}, *deals, {"do": "undo-card"}, {"do": "announce"}]
        assert reasons(await at_once(at, dealer, *again)) == [*["accepted"] * 7, "cards-still-due"]

    at_home(tmp_path, work)


def test_what_a_patron_says_at_once_is_held_to_their_limits_one_after_the_other(tmp_path: Path) -> None:
    async def work(at: Service, dealer: Signed, patron: Signed) -> None:
        await at.say(DEALT.id, dealer, do="open-betting")
        now = at.clock.now()
        await at.house.responsible.set_limits(
            patron.person.id, {(LimitKind.STAKE, "PHP"): 2_000, (LimitKind.LOSS, "PHP"): 2_000}, now
        )
        assert reasons([await at.say(DEALT.id, patron, do="stake", wager="tie", amount=2_000)]) == ["accepted"]
        # The tie is withdrawn, and staked on again, in one breath.
        both: list[Json] = [
            {"do": "stakes", "stakes": {"player": 2_000}},
            {"do": "stake", "wager": "tie", "amount": 2_000},
        ]
        assert reasons(await at_once(at, patron, *both)) == ["accepted", "own-stake-limit"]
        assert dict(at.house.tables[DEALT.id].table.slip(patron.person.id)) == {"player": 2_000}
        # And the other way round it is no more than before.
        back: list[Json] = [{"do": "stakes", "stakes": {}}, {"do": "stake", "wager": "tie", "amount": 2_000}]
        assert reasons(await at_once(at, patron, *back)) == ["accepted", "accepted"]

    at_home(tmp_path, work)


def test_what_is_said_at_two_tables_at_once_counts_together(tmp_path: Path) -> None:
    async def work(at: Service, dealer: Signed, patron: Signed) -> None:
        for table in (DEALT.id, OTHER.id):
            await at.say(table, dealer, do="open-betting")
        now = at.clock.now()
        await at.house.responsible.set_limits(patron.person.id, {(LimitKind.LOSS, "PHP"): 3_000}, now)
        stake: Json = {"do": "stake", "wager": "tie", "amount": 2_000}
        answers = await asyncio.gather(*[at.say(table, patron, **stake) for table in (DEALT.id, OTHER.id)])
        assert "own-loss-limit" in reasons(list(answers))
        staked = [sum(at.house.tables[table].table.slip(patron.person.id).values()) for table in (DEALT.id, OTHER.id)]
        assert sum(staked) <= 3_000

    at_home(tmp_path, work)


def test_a_wager_that_was_accepted_is_accepted_again_whatever_was_set_since(tmp_path: Path) -> None:
    async def work(at: Service, dealer: Signed, patron: Signed) -> None:
        await at.say(DEALT.id, dealer, do="open-betting")
        stake: Json = {"id": "said-once-and-again", "do": "stake", "wager": "tie", "amount": 2_000}
        first = await at.say(DEALT.id, patron, **stake)
        await at.house.responsible.set_limits(patron.person.id, {(LimitKind.STAKE, "PHP"): 100}, at.clock.now())
        await at.house.responsible.cool_off(patron.person.id, 24, at.clock.now())
        again = await at.say(DEALT.id, patron, **stake)
        assert {**first, "time": 0} == {**again, "time": 0}
        assert reasons([await at.say(DEALT.id, patron, do="stake", wager="player", amount=2_000)]) == ["cool-off"]
        assert reasons([await at.say(DEALT.id, patron, **{**stake, "amount": 4_000})]) == ["id-reused"]

    at_home(tmp_path, work)
