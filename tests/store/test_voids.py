"""What voided rounds would have paid, and what corrections changed, against rounds that were worked by hand."""

import asyncio
import itertools
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from puntobanco import find_game, read_deal
from puntobanco.cards import Deal
from puntobanco.fairness import nonce_commitment, seeded_keys
from puntobanco.fairness.log import CommitNonce, RevealNonce
from puntobanco.ledger import IssueMoney
from puntobanco.store.audit import audit
from puntobanco.store.dealer import VirtualDealer
from puntobanco.store.streams import StreamCommand, TableStream
from puntobanco.store.voids import (
    NOT_PUBLISHED,
    OTHER_CARDS,
    VoidedRound,
    VoidsAndCorrections,
    VoidTotal,
    void_totals,
    voids_and_corrections,
)
from puntobanco.table import (
    ChangeSettings,
    CorrectRound,
    DealCard,
    EndShoe,
    Irregularity,
    OpenTable,
    Phase,
    PlaceWager,
    SettleRound,
    TableSettings,
    VoidRound,
)
from puntobanco.table.settings import Account
from puntobanco.tableau import Hand
from store.databases import Place
from store.houses import KEYS, SETTINGS, VIRTUAL, House, house
from store.played import play

SEED = 2
ROUND = 3
WHOLE = "P Jd Ad 9c | B 6h 4h 8d"
"""The round of that number from that seed: the Banker wins with 8 against 0."""
NONCE = bytes(range(32))


def of(text: str) -> Deal:
    return read_deal(SETTINGS.game.pack, text)


async def reported(at: House, table: str | None = None) -> VoidsAndCorrections:
    """What another connection reads, while the house is open."""
    return await voids_and_corrections(at.record.database, table=table)


def staked_on(deal: Deal) -> dict[str, int]:
    """What anna's 2,000 on the Banker and bob's on the Tie gain."""
    player, banker = [sum(card.points for card in hand) % 10 for hand in (deal.player, deal.banker)]
    if player == banker:
        return {"anna": 0, "bob": 16_000}
    return {"anna": 1900 if banker > player else -2000, "bob": -2000}


async def only_void(at: House) -> VoidedRound:
    (void,) = (await reported(at)).voids
    return void


async def void(at: House, irregularity: Irregularity = Irregularity.TECHNICAL_FAULT, note: str = "the display") -> None:
    command = VoidRound(at.table.round_number, irregularity, note)
    assert (await at.do("table/main", command, actor="dora")).accepted


# Committed shoes.


class VirtualTable:
    """A house whose shoes follow from the seed, stopped in the round in question."""

    def __init__(self, at: House) -> None:
        self.at, self.dealer = at, VirtualDealer(at.record, "main")

    async def bet(self, nonce: bool = False) -> None:
        while (self.at.table.round_number, self.at.table.phase) != (ROUND, Phase.BETTING):
            assert (await self.dealer.step()).accepted
        assert (await self.at.bet("anna", "banker", 2000)).accepted
        assert (await self.at.bet("bob", "tie", 2000)).accepted
        if nonce:
            stream = self.at.record.stream("table/main")
            assert isinstance(stream, TableStream)
            assert stream.shoe.opened is not None
            sent = nonce_commitment(stream.shoe.opened.terms.shoe, ROUND, "anna", NONCE).hex()
            assert (await self.at.do("table/main", CommitNonce(ROUND, "anna", sent), actor="anna")).accepted

    async def reveal(self) -> None:
        assert (await self.at.do("table/main", RevealNonce(ROUND, "anna", NONCE.hex()), actor="anna")).accepted

    async def steps(self, count: int) -> None:
        for _ in range(count):
            assert (await self.dealer.step()).accepted


@pytest.fixture
def seeded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first shoe of every house is the same; it is the only one that is played here."""
    monkeypatch.setattr("puntobanco.store.dealer.new_keys", lambda: seeded_keys(SEED, 1))


async def without_the_void(folder: Path, nonce: bool) -> tuple[Deal, dict[str, int]]:
    """The same shoe with the same keys and nonces, played on: the deal, and what every patron gained."""
    folder.mkdir()
    async with house(Place("sqlite", folder).database(), settings=VIRTUAL) as at:
        table = VirtualTable(at)
        await table.bet(nonce)
        before = await at.balances()
        await table.steps(1)
        if nonce:
            await table.reveal()
        while at.table.phase is not Phase.READY:
            await table.steps(1)
        after = await at.balances()
        gained = {
            patron: after[f"patron/PHP/{patron}"] - before[f"patron/PHP/{patron}"] - 2000 for patron in ("anna", "bob")
        }
        return at.table.rounds[-1].deal, gained


STEPS_TO_THE_VOID = {
    "before the close": 0,
    "after the close": 1,
    "sealed": 2,
    **{f"after card {card}": 2 + card for card in range(1, 7)},
    "announced": 9,
}


@pytest.mark.usefixtures("seeded")
@pytest.mark.parametrize("when", STEPS_TO_THE_VOID)
def test_a_virtual_round_would_have_paid_what_it_pays_without_the_void(when: str, tmp_path: Path) -> None:
    async def work() -> None:
        deal, gained = await without_the_void(tmp_path / "played on", nonce=False)
        assert str(deal) == WHOLE
        # 2,000 less 5% for anna's Banker; bob's Tie is lost.
        assert gained == {"anna": 1900, "bob": -2000}
        async with house(Place("sqlite", tmp_path).database(), settings=VIRTUAL) as at:
            table = VirtualTable(at)
            await table.bet()
            await table.steps(STEPS_TO_THE_VOID[when])
            dealt = at.table.deal
            await void(at)
            await table.steps(1)
            found = await only_void(at)
            assert (found.dealt, found.would_be, found.unknown) == (dealt, deal, None)
            assert len(dealt.cards) == min(6, max(0, STEPS_TO_THE_VOID[when] - 2))
            assert found.nets == gained
            assert found.house == 100
            # The void has paid nothing of it, and its cards stay out of the shoe.
            assert (await at.balances())["patron/PHP/anna"] == 1_000_000
            await table.steps(3)
            assert await only_void(at) == found

    asyncio.run(work())


@pytest.mark.usefixtures("seeded")
def test_all_that_is_told_of_a_void(place: Place) -> None:
    async def work() -> None:
        async with house(place.database(), settings=VIRTUAL) as at:
            table = VirtualTable(at)
            await table.bet()
            await table.steps(4)
            await void(at)
            await table.steps(1)
            found = await only_void(at)
            version = at.record.version("table/main") - 1
            assert found.as_json() == {
                "table": "main",
                "round": ROUND,
                "shoe": 1,
                "version": version,
                "time": found.time,
                "actor": "dora",
                "by": "",
                "and_by": "",
                "clause": "Ruling 20",
                "note": "the display",
                "after_settlement": False,
                "unit": "PHP",
                "irregularity": "technical-fault",
                "stakes": {"anna": 2000, "bob": 2000},
                "dealt": "P Jd | B 6h",
                "would_be": WHOLE,
                "unknown": None,
                "not_revealed": [],
                "nets": {"anna": 1900, "bob": -2000},
                "house": 100,
                "house_so_far": 100,
            }
            rows = [row async for portion in at.record.database.events("table/main") for _, row in portion]
            assert '"round-voided"' in rows[version - 1].body
            assert found.time == rows[version - 1].time

    asyncio.run(work())


@pytest.mark.usefixtures("seeded")
def test_nonces_that_were_revealed_are_part_of_the_deal(tmp_path: Path) -> None:
    """Void before the seal, the round is sealed without nonces; it would have been dealt with them all the same."""

    async def work() -> None:
        deal, gained = await without_the_void(tmp_path / "played on", nonce=True)
        assert str(deal) != WHOLE
        async with house(Place("sqlite", tmp_path).database(), settings=VIRTUAL) as at:
            table = VirtualTable(at)
            await table.bet(nonce=True)
            await table.steps(1)
            await table.reveal()
            await void(at)
            await table.steps(1)
            found = await only_void(at)
            assert (found.would_be, found.nets) == (deal, gained)

    asyncio.run(work())


@pytest.mark.usefixtures("seeded")
@pytest.mark.parametrize("steps", [0, 1])
def test_a_nonce_that_was_not_revealed_hides_nothing(steps: int, tmp_path: Path) -> None:
    """Before the seal too what was committed to stands in its place, and the report names whose nonce it was."""

    async def work() -> None:
        (tmp_path / "played on").mkdir()
        async with house(Place("sqlite", tmp_path / "played on").database(), settings=VIRTUAL) as at:
            table = VirtualTable(at)
            await table.bet(nonce=True)
            # Nobody reveals, and nothing is void.
            await table.steps(2)
            while at.table.phase is not Phase.READY:
                await table.steps(1)
            withheld = at.table.rounds[-1].deal
        async with house(Place("sqlite", tmp_path).database(), settings=VIRTUAL) as at:
            table = VirtualTable(at)
            await table.bet(nonce=True)
            await table.steps(steps)
            await void(at)
            await table.steps(1)
            found = await only_void(at)
            assert (found.would_be, found.unknown) == (withheld, None)
            assert found.house == -sum(staked_on(withheld).values())
            assert found.not_revealed == ("anna",)
            assert found.as_json()["not_revealed"] == ["anna"]
            (total,) = void_totals([found])
            assert (total.rounds, total.unknown, total.not_revealed, total.house) == (1, 0, 1, found.house)

    asyncio.run(work())


@pytest.mark.usefixtures("seeded")
def test_a_nonce_that_was_withheld_until_the_seal_hides_nothing(tmp_path: Path) -> None:
    """What was committed to stands in its place, and from the seal on the cards are certain."""

    async def work() -> None:
        async with house(Place("sqlite", tmp_path).database(), settings=VIRTUAL) as at:
            table = VirtualTable(at)
            await table.bet(nonce=True)
            await table.steps(2)
            await void(at)
            await table.steps(1)
            found = await only_void(at)
            assert found.would_be is not None
            SETTINGS.game.tableau.check(found.would_be)
            assert (found.unknown, found.not_revealed) == (None, ())

    asyncio.run(work())


@pytest.mark.usefixtures("seeded")
def test_before_its_key_is_published_the_deal_is_not_known(tmp_path: Path) -> None:
    async def work() -> None:
        async with house(Place("sqlite", tmp_path).database(), settings=VIRTUAL) as at:
            table = VirtualTable(at)
            await table.bet()
            await table.steps(4)
            await void(at)
            found = await only_void(at)
            assert (found.would_be, found.nets, found.unknown) == (None, None, NOT_PUBLISHED)
            await table.steps(1)
            assert str((await only_void(at)).would_be) == WHOLE

    asyncio.run(work())


@pytest.mark.usefixtures("seeded")
def test_cards_that_the_key_does_not_give_are_not_dealt_on(tmp_path: Path) -> None:
    """A card is dealt by hand after the seal; the audit finds it, and this does not stumble over it."""

    async def work() -> None:
        async with house(Place("sqlite", tmp_path).database(), settings=VIRTUAL) as at:
            table = VirtualTable(at)
            await table.bet()
            await table.steps(2)
            wrong = SETTINGS.game.pack.card("2c")
            assert (await at.do("table/main", DealCard(ROUND, Hand.PLAYER, wrong))).accepted
            await void(at)
            await table.steps(1)
            found = await only_void(at)
            assert (found.would_be, found.nets, found.unknown) == (None, None, OTHER_CARDS)

    asyncio.run(work())


@pytest.mark.usefixtures("seeded")
def test_a_shoe_that_was_not_dealt_from_its_keys_tells_nothing_of_later_rounds(tmp_path: Path) -> None:
    async def work() -> None:
        async with house(Place("sqlite", tmp_path).database(), settings=VIRTUAL) as at:
            table = VirtualTable(at)
            await table.bet()
            await table.steps(2)
            wrong = SETTINGS.game.pack.card("2c")
            assert (await at.do("table/main", DealCard(ROUND, Hand.PLAYER, wrong))).accepted
            await void(at)
            await table.steps(2)
            assert at.table.phase is Phase.BETTING
            assert (await at.bet("anna", "banker", 2000)).accepted
            await void(at)
            await table.steps(1)
            *_, last = (await reported(at)).voids
            assert last.round_number == ROUND + 1
            assert (last.nets, last.unknown) == (None, f"Round {ROUND} of the shoe was not dealt from its key.")

    asyncio.run(work())


def test_an_audit_tells_the_same_of_a_record_of_several_shoes(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = itertools.count(1)
    monkeypatch.setattr("puntobanco.store.dealer.new_keys", lambda: seeded_keys(SEED, next(numbers)))

    async def work() -> None:
        async with house(place.database(), settings=VIRTUAL) as at:
            await play(at, 61)
            report = await reported(at)
        database = place.database()
        await database.start()
        found = await audit(database, KEYS)
        part = await audit(database, KEYS, table="main", since=1_700_000_000_500)
        await database.close()
        assert found.problems == []
        assert found.voids == part.voids == report.voids
        assert [(each.round_number, each.shoe_number) for each in report.voids] == [
            (10, 1),
            (20, 1),
            (30, 1),
            (40, 1),
            (50, 2),
            (60, 2),
        ]
        for each in report.voids:
            assert each.would_be is not None
            assert each.nets == by_hand(each.would_be, {"anna": ("player", 2000), "bob": ("tie", 2020)})

    asyncio.run(work())


def by_hand(deal: Deal, stakes: dict[str, tuple[str, int]]) -> dict[str, int]:
    """Player at 1:1, Tie at 8:1 with the Player's stake returned, from the points alone."""
    player, banker = [sum(card.points for card in hand) % 10 for hand in (deal.player, deal.banker)]
    pays = {
        "player": 1 if player > banker else 0 if player == banker else -1,
        "tie": 8 if player == banker else -1,
    }
    return {patron: pays[wager] * stake for patron, (wager, stake) in stakes.items()}


# Physical shoes.


class PhysicalTable:
    """A table at which the test keys the cards."""

    def __init__(self, at: House) -> None:
        self.at = at

    async def do(self, *commands: StreamCommand, actor: str = "dealer") -> None:
        answer = await self.at.do("table/main", *commands, actor=actor)
        assert answer.accepted, answer.text

    async def betting(self, **stakes: tuple[str, int]) -> int:
        await self.at.until(Phase.BETTING)
        number = self.at.table.round_number
        for patron, (wager, stake) in stakes.items():
            await self.do(PlaceWager(number, patron, wager, stake), actor=patron)
        return number

    async def deal(self, text: str) -> None:
        """The cards of the deal, in the order of dealing, as far as it goes."""
        await self.at.until(Phase.DEALING)
        deal = of(text)
        hands = {Hand.PLAYER: [*deal.player], Hand.BANKER: [*deal.banker]}
        while (hand := self.at.table.due.hand) and hands[hand]:
            await self.do(DealCard(self.at.table.round_number, hand, hands[hand].pop(0)))
        assert hands == {Hand.PLAYER: [], Hand.BANKER: []}

    async def settle(self) -> None:
        await self.at.until(Phase.ANNOUNCED)
        await self.do(SettleRound(self.at.table.round_number))


PLAYER_WINS = "P 9s Kd | B 3h 4h"
BANKER_WINS = "P 2s 4d | B 3c 4c"
TIE = "P 9s Kd | B 4h 5h"


def at_a_physical_table(tmp_path: Path, work: Callable[[PhysicalTable], Awaitable[None]]) -> None:
    async def opened() -> None:
        async with house(Place("sqlite", tmp_path).database()) as at:
            await work(PhysicalTable(at))

    asyncio.run(opened())


def test_a_round_that_was_voided_after_settlement_would_have_paid_what_it_paid(tmp_path: Path) -> None:
    async def work(table: PhysicalTable) -> None:
        number = await table.betting(anna=("player", 3000), bob=("tie", 2000))
        await table.deal(PLAYER_WINS)
        await table.settle()
        settled = await table.at.balances()
        assert (settled["patron/PHP/anna"], settled["patron/PHP/bob"]) == (1_003_000, 998_000)
        await void(table.at, Irregularity.WRONG_NUMBER_OF_CARDS, "eight cards were found")
        found = await only_void(table.at)
        assert (found.round_number, found.after_settlement, found.clause) == (number, True, "Ruling 15: 5.2")
        assert (str(found.dealt), str(found.would_be), found.unknown) == (PLAYER_WINS, PLAYER_WINS, None)
        assert found.stakes == {"anna": 3000, "bob": 2000}
        assert found.nets == {"anna": 3000, "bob": -2000}
        assert found.house == -1000

    at_a_physical_table(tmp_path, work)


def test_a_round_is_voided_under_the_settings_that_it_was_played_with(tmp_path: Path) -> None:
    """The shoe is over and the table plays for chips now; the round was played in pesos, from the shoe before."""

    async def work(table: PhysicalTable) -> None:
        await table.betting(anna=("player", 3000))
        await table.deal(PLAYER_WINS)
        await table.settle()
        await table.do(EndShoe("early"), ChangeSettings(replace(SETTINGS, account=Account.CHIPS)))
        await table.at.until(Phase.READY)
        assert table.at.table.shoe_number == 2
        await void(table.at, Irregularity.WRONG_NUMBER_OF_CARDS)
        found = await only_void(table.at)
        assert (found.unit, found.shoe_number, found.house) == ("PHP", 1, -3000)

    at_a_physical_table(tmp_path, work)


@pytest.mark.parametrize("dealt", ["P | B", "P 9s | B", "P 9s | B 3h", "P 2s 2d | B 3c 4c", "P 2s 2d 5h | B 3c As"])
def test_of_a_physical_round_whose_cards_are_not_complete_nothing_is_guessed(dealt: str, tmp_path: Path) -> None:
    async def work(table: PhysicalTable) -> None:
        await table.betting(anna=("player", 3000), bob=("tie", 2000))
        await table.deal(dealt)
        await void(table.at)
        found = await only_void(table.at)
        assert (str(found.dealt), found.would_be, found.nets, found.house) == (dealt, None, None, None)
        assert dealt in str(found.unknown)
        assert found.stakes == {"anna": 3000, "bob": 2000}
        assert found.house_so_far == 0

    at_a_physical_table(tmp_path, work)


def test_a_physical_round_with_all_its_cards_is_settled_on_them(tmp_path: Path) -> None:
    async def work(table: PhysicalTable) -> None:
        await table.betting(anna=("banker", 3000), bob=("tie", 2000))
        await table.deal(BANKER_WINS)
        await void(table.at, Irregularity.FOREIGN_CARD)
        found = await only_void(table.at)
        assert (str(found.would_be), found.nets, found.after_settlement) == (
            BANKER_WINS,
            {"anna": 2850, "bob": -2000},
            False,
        )

    at_a_physical_table(tmp_path, work)


def test_where_nothing_is_staked_nothing_would_have_been_paid(tmp_path: Path) -> None:
    async def work(table: PhysicalTable) -> None:
        await table.betting()
        await table.deal("P 9s | B")
        await void(table.at)
        found = await only_void(table.at)
        assert (found.would_be, found.nets, found.house) == (None, {}, 0)

    at_a_physical_table(tmp_path, work)


def test_what_voids_took_from_the_house_is_added_up_by_table_and_unit(tmp_path: Path) -> None:
    async def work(table: PhysicalTable) -> None:
        for dealt in (PLAYER_WINS, BANKER_WINS, "P 9s | B", TIE):
            await table.betting(anna=("player", 3000), bob=("tie", 2000))
            await table.deal(dealt)
            await void(table.at)
        # A round that stands is none of it.
        await table.betting(anna=("player", 3000))
        await table.deal(PLAYER_WINS)
        await table.settle()
        await table.do(EndShoe("early"), ChangeSettings(replace(SETTINGS, account=Account.CHIPS)))
        await table.at.do("desk/main", IssueMoney("anna", "CHIPS", 10_000, "tournament"))
        await table.betting(anna=("player", 2000))
        await table.deal(PLAYER_WINS)
        await void(table.at)
        report = await reported(table.at)
        # The Player wins: 3,000 to anna, 2,000 from bob. The Banker: all 5,000. A tie: 16,000 to bob.
        assert [each.house for each in report.voids] == [-1000, 5000, None, -16_000, -2000]
        assert [each.house_so_far for each in report.voids] == [-1000, 4000, 4000, -12_000, -2000]
        assert [each.round_number for each in report.voids] == [1, 2, 3, 4, 6]
        assert void_totals(report.voids) == [
            VoidTotal("main", "CHIPS", 1, 0, -2000),
            VoidTotal("main", "PHP", 4, 1, -12_000),
        ]
        assert report.corrections == ()

    at_a_physical_table(tmp_path, work)


def test_a_table_is_reported_alone_or_with_the_others(tmp_path: Path) -> None:
    async def work() -> None:
        async with house(Place("sqlite", tmp_path).database(), settings=VIRTUAL) as at:
            settings = TableSettings(find_game("six-star"), decks=4)
            await at.record.open("table/other")
            assert (await at.do("table/other", OpenTable(settings))).accepted
            await at.record.open("table/virtual-too")
            assert (await at.do("table/virtual-too", OpenTable(VIRTUAL))).accepted
            for name in ("main", "virtual-too"):
                dealer = VirtualDealer(at.record, name)
                for _ in range(4):
                    await dealer.step()
                stream = at.record.stream(f"table/{name}")
                assert isinstance(stream, TableStream)
                assert stream.table is not None
                assert stream.table.phase is Phase.BETTING
                stake = PlaceWager(1, "anna", "player", 2000)
                assert (await at.do(f"table/{name}", stake, actor="anna")).accepted
                assert (await at.do(f"table/{name}", VoidRound(1, Irregularity.TECHNICAL_FAULT, "x"))).accepted
                await dealer.step()
            whole = (await reported(at)).voids
            assert [each.table for each in whole] == ["main", "virtual-too"]
            assert [each.house_so_far for each in whole] == [each.house for each in whole]
            for each in whole:
                assert (await reported(at, each.table)).voids == (each,)
            assert (await reported(at, "other")).voids == ()

    asyncio.run(work())


# Corrections.


def test_a_correction_tells_what_it_changed(tmp_path: Path) -> None:
    async def work(table: PhysicalTable) -> None:
        number = await table.betting(anna=("player", 3000), bob=("tie", 2000))
        await table.deal(PLAYER_WINS)
        # Before settlement nothing has been paid; the Five of Hearts makes it a tie.
        await table.do(CorrectRound(number, of("P 9s Kd | B 4h 5h"), note="misread"), actor="dora")
        await table.settle()
        aside = (SETTINGS.game.pack.card("7c"),)
        again = CorrectRound(number, of(PLAYER_WINS), aside, note="it was the Three", by="dora", and_by="emil")
        await table.do(again, actor="emil")
        first, second = (await reported(table.at)).corrections
        assert (first.after_settlement, first.adjustments, first.house) == (False, {}, 0)
        assert (str(first.before), str(first.after), first.actor) == (PLAYER_WINS, TIE, "dora")
        # The tie had returned anna's stake and paid bob 16,000: she gets 3,000 more, he gives back that and his stake.
        assert second.as_json() == {
            "table": "main",
            "round": number,
            "shoe": 1,
            "version": table.at.record.version("table/main"),
            "time": second.time,
            "actor": "emil",
            "by": "dora",
            "and_by": "emil",
            "clause": "Ruling 15: 5.2",
            "note": "it was the Three",
            "after_settlement": True,
            "unit": "PHP",
            "before": TIE,
            "after": PLAYER_WINS,
            "set_aside": ["7c"],
            "taken_up": [],
            "adjustments": {"anna": 3000, "bob": -18_000},
            "house": 15_000,
        }
        assert second.time > first.time
        # A void after it is of the corrected deal.
        await void(table.at, Irregularity.WRONG_NUMBER_OF_CARDS)
        found = await only_void(table.at)
        assert (str(found.would_be), found.nets) == (PLAYER_WINS, {"anna": 3000, "bob": -2000})

    at_a_physical_table(tmp_path, work)
