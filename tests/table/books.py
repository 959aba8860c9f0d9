"""Books kept from the events of a table alone, by the naive reference: what money and cards must be.

The books assert whatever an event must satisfy when it is entered, and compare themselves with the table's
own state. They never call the package's tableau, settlement or `evolve`.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from copy import copy, deepcopy

from contract.games import EVERY_GAME
from puntobanco import Card, Deal, Settlement, find_game
from puntobanco.table import (
    BettingClosed,
    BettingOpened,
    CardDealt,
    CardsBurned,
    CutCardAppeared,
    Event,
    Irregularity,
    Phase,
    ResultAnnounced,
    RoundCorrected,
    RoundSettled,
    RoundVoided,
    ShoeEnded,
    ShoeOpened,
    StakeChanged,
    Table,
    TableSettings,
)
from puntobanco.tableau import Hand
from reference.settlement import POINTS, draw_rule, point_total, settle


def hand_due(player: Sequence[str], banker: Sequence[str], printed_manila: bool) -> Hand | None:
    """Whose card is next, from the reference's draw rule."""
    if len(player) + len(banker) < 4:
        return Hand.PLAYER if len(player) == len(banker) else Hand.BANKER
    third = POINTS[player[2]] if len(player) == 3 else 0
    player_draws, banker_draws = draw_rule(point_total(player[:2]), point_total(banker[:2]), third, printed_manila)
    if player_draws and len(player) == 2:
        return Hand.PLAYER
    return Hand.BANKER if banker_draws and len(banker) == 2 else None


class Books:
    def __init__(self, settings: TableSettings) -> None:
        self.settings = settings
        game = settings.game
        self.printed_manila = game.reading.get("tableau") == "manila-as-printed"
        self.bonuses_as_printed = game.fixed_bonuses == find_game(game.id, EVERY_GAME).fixed_bonuses
        self.phase = Phase.CLOSED
        self.unseen: Counter[str] = Counter()
        self.face_down = 0
        self.rounds_left: int | None = None
        self.round_number = 0
        self.rounds_in_shoe = 0
        """Finished ones, void or not."""
        self.money: Counter[str] = Counter()
        """What each patron is up or down since the table opened; money on the felt has left the patron."""
        self.money_before: Counter[str] = Counter()
        """The same when the last round began."""
        self.felt: dict[str, dict[str, int]] = {}
        self.staked: dict[str, dict[str, int]] = {}
        """What was on the felt in the last round when it was settled or void."""
        self.player: list[str] = []
        self.banker: list[str] = []
        self.aside: list[str] = []
        """Cards of the round that belong to neither hand."""
        self.last_is_void = False
        self.is_corrected = False
        """The last round or the one in progress."""
        self.burned: list[str] = []
        """Those that were shown."""

    @property
    def in_shoe(self) -> int:
        return self.unseen.total() - self.face_down

    @property
    def deal(self) -> tuple[list[str], list[str]]:
        return self.player, self.banker

    def due(self) -> Hand | None:
        return hand_due(self.player, self.banker, self.printed_manila)

    def enter(self, event: Event) -> None:
        match event:
            case ShoeOpened(shoe):
                assert self.phase in (Phase.CLOSED, Phase.READY)
                self.unseen = Counter(shoe.as_counts())
                assert set(self.unseen) == set(map(str, self.settings.game.pack.cards))
                assert set(self.unseen.values()) == {self.settings.decks}
                self.face_down, self.rounds_left, self.rounds_in_shoe = 0, None, 0
                self.phase = Phase.BURN_DUE if self.settings.burn == "by-first-card" else Phase.READY
                self.burned = []
                self.player, self.banker, self.aside = [], [], []
            case CardsBurned(shown, face_down):
                assert self.phase is Phase.BURN_DUE
                assert len(shown) + face_down == 1 + (POINTS[str(shown[0])] or 10)
                self._draw(shown)
                self.face_down, self.burned = face_down, [*map(str, shown)]
                self.phase = Phase.READY
            case CutCardAppeared():
                assert self.rounds_left is None
                assert self.in_shoe <= self.settings.cut_depth
                self.rounds_left = 2 if self._in_round() else 1
            case BettingOpened(number):
                assert self.phase is Phase.READY
                assert self.in_shoe >= 6
                assert self.rounds_left != 0
                self.round_number += 1
                assert number == self.round_number
                self.phase = Phase.BETTING
                self.is_corrected = False
                self.money_before = self.money.copy()
                self.player, self.banker, self.aside = [], [], []
            case StakeChanged(patron, wager, before, after):
                assert self.phase is Phase.BETTING
                self._change_stake(patron, wager, before, after)
            case BettingClosed():
                assert self.phase is Phase.BETTING
                self.phase = Phase.DEALING
            case CardDealt(hand, card):
                assert self.phase is Phase.DEALING
                assert hand is self.due(), f"{card} went to the wrong hand"
                self._draw([card])
                (self.player if hand is Hand.PLAYER else self.banker).append(str(card))
                self._look_for_the_end()
            case ResultAnnounced(winner, player_total, banker_total):
                assert self.phase is Phase.COMPLETE
                totals = point_total(self.player), point_total(self.banker)
                assert (player_total, banker_total) == totals
                difference = player_total - banker_total
                assert winner == ("player" if difference > 0 else "banker" if difference < 0 else "tie")
                self.phase = Phase.ANNOUNCED
            case RoundSettled(settlements):
                assert self.phase is Phase.ANNOUNCED
                self._end_round()
                for patron, settlement in settlements.items():
                    self.money[patron] += sum(settled.stake + settled.net for settled in settlement.wagers.values())
                self._check_what_stands(settlements)
            case RoundVoided():
                self._void(event)
            case RoundCorrected():
                self._correct(event)
            case ShoeEnded():
                assert not self._in_round()
                self.phase = Phase.CLOSED
                self.unseen, self.face_down, self.rounds_left = Counter(), 0, None

    def _in_round(self) -> bool:
        return self.phase in (Phase.BETTING, Phase.DEALING, Phase.COMPLETE, Phase.ANNOUNCED)

    def _draw(self, cards: Sequence[Card]) -> None:
        for card in cards:
            self.unseen[str(card)] -= 1
            assert self.unseen[str(card)] >= 0, f"{card} was drawn more often than it is in the shoe"
        assert self.in_shoe >= 0, "more cards were drawn than are in the shoe"

    def _look_for_the_end(self) -> None:
        self.phase = Phase.DEALING if self.due() else Phase.COMPLETE

    def _change_stake(self, patron: str, wager: str, before: int, after: int) -> None:
        assert type(before) is type(after) is int
        spots = self.felt.setdefault(patron, {})
        assert spots.get(wager, 0) == before
        assert before != after
        limits = self.settings.limits[wager]
        assert after == 0 or (limits.minimum <= after <= limits.maximum and after % limits.step == 0)
        self.money[patron] -= after - before
        spots[wager] = after
        if not after:
            del spots[wager]
        if not spots:
            del self.felt[patron]

    def _end_round(self) -> None:
        self.phase = Phase.READY
        self.staked, self.felt = self.felt, {}
        self.rounds_left = None if self.rounds_left is None else self.rounds_left - 1
        self.last_is_void = False
        self.rounds_in_shoe += 1

    def _void(self, event: RoundVoided) -> None:
        assert event.round_number == self.round_number
        if self._in_round():
            self._end_round()
            if event.irregularity is Irregularity.INSUFFICIENT_CARDS:
                self.rounds_left = 0
        else:
            assert self.phase is Phase.READY
            assert event.irregularity is Irregularity.WRONG_NUMBER_OF_CARDS
            assert not self.last_is_void
        assert set(event.refunds) == set(self.staked)
        self.money.update(event.refunds)
        self.last_is_void = True
        assert self.money == self.money_before, "a void round cost or won something"

    def _correct(self, event: RoundCorrected) -> None:
        assert event.round_number == self.round_number
        assert self.phase in (Phase.DEALING, Phase.COMPLETE, Phase.ANNOUNCED, Phase.READY)
        assert _texts(event.before) == self.deal
        for text in [*map(str, event.before.cards), *self.aside]:
            self.unseen[text] += 1
        self._draw(event.after.cards + event.set_aside)
        self.aside = [*map(str, event.set_aside)]
        self.is_corrected = True
        self.player, self.banker = _texts(event.after)
        if self._in_round():
            assert event.settlements is None
            assert not event.adjustments
            self._look_for_the_end()
            return
        assert not self.last_is_void
        assert event.settlements is not None
        assert set(event.adjustments) == set(self.staked)
        self.money.update(event.adjustments)
        self._check_what_stands(event.settlements)

    def _check_what_stands(self, settlements: Mapping[str, Settlement]) -> None:
        """The last settlement of a round is what its patrons have won or lost in it, by the reference."""
        assert set(settlements) == set(self.staked)
        reading = self.settings.game.reading
        for patron, stakes in self.staked.items():
            nets = {wager: settled.net for wager, settled in settlements[patron].wagers.items()}
            assert {wager: settled.stake for wager, settled in settlements[patron].wagers.items()} == stakes
            assert self.money[patron] - self.money_before[patron] == sum(nets.values())
            if not self.bonuses_as_printed:
                continue
            expected = settle(
                self.settings.game.id,
                self.player,
                self.banker,
                stakes,
                element_eights=reading.get("element_eights", "on-top"),
                rounding=reading["rounding"],
                printed_manila=self.printed_manila,
            )
            assert nets == {wager: net for wager, (net, _) in expected.items()}

    def __deepcopy__(self, memo: object) -> "Books":
        """A copy that shares the settings, which never change."""
        books = copy(self)
        for name, value in vars(self).items():
            if name != "settings":
                setattr(books, name, deepcopy(value))
        return books

    def check(self, table: Table) -> None:
        """The table's own state says what the books say."""
        self.check_cards(table)
        assert table.phase is self.phase
        assert table.round_number == self.round_number
        assert table.stakes == self.felt
        assert table.held == sum(sum(spots.values()) for spots in self.felt.values())
        assert table.cards_in_shoe == self.in_shoe
        assert type(table.cards_in_shoe) is int
        assert table.rounds_left == self.rounds_left
        unseen = table.unseen.as_counts() if table.unseen else {}
        assert unseen == {card: count for card, count in self.unseen.items() if count}
        if self._in_round():
            assert _texts(table.deal) == self.deal
            assert [*map(str, table.set_aside)] == self.aside
            assert table.corrected is self.is_corrected
        else:
            assert table.held == 0, "money is on the felt between rounds"
            assert table.deal == Deal()
        if self.phase is not Phase.CLOSED and self.in_shoe <= self.settings.cut_depth:
            assert table.rounds_left is not None, "the cut card was passed unseen"
        assert len(table.rounds) == (0 if self.phase is Phase.CLOSED else self.rounds_in_shoe)
        if table.rounds and not self._in_round():
            last = table.rounds[-1]
            assert last.number == self.round_number
            assert _texts(last.deal) == self.deal
            assert last.stakes == self.staked
            assert [*map(str, last.set_aside)] == self.aside
            assert last.corrected is self.is_corrected
            assert (last.void is not None) is self.last_is_void
            assert set(last.returned()) == set(self.staked)
            for patron, returned in last.returned().items():
                won = self.money[patron] - self.money_before[patron]
                assert returned == sum(self.staked[patron].values()) + won

    def check_cards(self, table: Table) -> None:
        """Every card of the shoe is unseen, or in exactly one place where it was seen."""
        if table.unseen is None:
            return
        seen = Counter(self.burned)
        for deal, aside in [(each.deal, each.set_aside) for each in table.rounds] + [(table.deal, table.set_aside)]:
            seen.update(map(str, deal.cards + aside))
        assert Counter(table.unseen.as_counts()) + seen == Counter(self.settings.full_shoe.as_counts())


def _texts(deal: Deal) -> tuple[list[str], list[str]]:
    return [str(card) for card in deal.player], [str(card) for card in deal.banker]
