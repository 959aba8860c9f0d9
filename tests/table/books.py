"""Books kept from the events of a table alone, by the naive reference: what money and cards must be.

The books assert whatever an event must satisfy when it is entered, and compare themselves with the table's
own state. They never call the package's tableau, settlement or `evolve`.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from copy import copy, deepcopy
from dataclasses import dataclass, field

from contract.games import EVERY_GAME
from puntobanco import Deal, Game, Settlement, find_game
from puntobanco.table import Event, Irregularity, Phase, Table, TableSettings, events
from puntobanco.table.settlements import returned_by
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


def is_printed_manila(game: Game) -> bool:
    return game.reading.get("tableau") == "manila-as-printed"


@dataclass
class RoundBooks:
    """A round from its opening on."""

    number: int
    settings: TableSettings
    player: list[str] = field(default_factory=list)
    banker: list[str] = field(default_factory=list)
    out: list[str] = field(default_factory=list)
    """The cards that it took out of the shoe, as far as is known now."""
    staked: dict[str, dict[str, int]] = field(default_factory=dict)
    money_before: Counter[str] = field(default_factory=Counter)
    void: Irregularity | None = None
    corrected: bool = False

    @property
    def deal(self) -> tuple[list[str], list[str]]:
        return self.player, self.banker


@dataclass
class ShoeBooks:
    """A shoe from its opening on."""

    number: int
    unseen: Counter[str]
    face_down: int = 0
    rounds_left: int | None = None
    burned: list[str] = field(default_factory=list)
    """Those that were shown."""
    aside: list[str] = field(default_factory=list)
    rounds: list[RoundBooks] = field(default_factory=list)
    """Finished ones, void or not."""

    @property
    def in_shoe(self) -> int:
        return self.unseen.total() - self.face_down

    def draw(self, cards: Sequence[object]) -> None:
        for card in map(str, cards):
            self.unseen[card] -= 1
            assert self.unseen[card] >= 0, f"{card} was drawn more often than it is in the shoe"
        assert self.in_shoe >= 0, "more cards were drawn than are in the shoe"

    def put_back(self, cards: Sequence[object]) -> None:
        self.unseen.update(map(str, cards))

    def look_for_the_cut_card(self, settings: TableSettings) -> None:
        """A cut card that only a wrong count had turned up is in the shoe still."""
        if self.rounds_left and self.in_shoe > settings.burn_and_cut.cut_depth:
            self.rounds_left = None


class Books:
    def __init__(self, settings: TableSettings) -> None:
        self.settings = settings
        self.phase = Phase.CLOSED
        self.paused = ""
        self.shoe: ShoeBooks | None = None
        self.shoe_number = 0
        self.round_number = 0
        self.money: Counter[str] = Counter()
        """What each patron is up or down since the table opened; money on the felt has left the patron."""
        self.felt: dict[str, dict[str, int]] = {}
        self.current: RoundBooks | None = None
        self.last: RoundBooks | None = None
        """The last finished round, for as long as 5.2 reaches it."""
        self.last_shoe: ShoeBooks | None = None
        """What the last round was dealt from."""
        self.last_dealt: Hand | None = None

    @property
    def printed_manila(self) -> bool:
        return is_printed_manila(self.settings.game)

    @property
    def unseen(self) -> Counter[str]:
        return self.shoe.unseen if self.shoe else Counter()

    @property
    def in_shoe(self) -> int:
        return self.shoe.in_shoe if self.shoe else 0

    @property
    def rounds_left(self) -> int | None:
        return self.shoe.rounds_left if self.shoe else None

    @property
    def in_round(self) -> bool:
        return self.phase in (Phase.BETTING, Phase.DEALING, Phase.COMPLETE, Phase.ANNOUNCED)

    @property
    def in_question(self) -> RoundBooks | None:
        """The round in progress, or the last one for as long as it can be changed."""
        return self.current or self.last

    @property
    def deal(self) -> tuple[list[str], list[str]]:
        return self.in_question.deal if self.in_question else ([], [])

    @property
    def player(self) -> list[str]:
        return self.deal[0]

    @property
    def banker(self) -> list[str]:
        return self.deal[1]

    def due(self) -> Hand | None:
        return hand_due(self.player, self.banker, self.printed_manila)

    def _shoe(self) -> ShoeBooks:
        assert self.shoe is not None, "no shoe is in play"
        return self.shoe

    def _round(self, number: int) -> RoundBooks:
        assert self.current is not None, "no round is in progress"
        assert number == self.current.number == self.round_number
        return self.current

    def enter(self, event: Event) -> None:
        may_be_paused = (
            events.RoundVoided,
            events.RoundCorrected,
            events.CardsSetAside,
            events.CountCorrected,
            events.CutCardAppeared,
            events.CardTakenBack,
            events.AnnouncementWithdrawn,
            events.SettingsChanged,
            events.TableResumed,
            events.ShoeEnded,
        )
        assert not self.paused or isinstance(event, may_be_paused), "the table is paused"
        dealt_last, self.last_dealt = self.last_dealt, None
        match event:
            case events.ShoeOpened(number, shoe):
                assert self.phase in (Phase.CLOSED, Phase.READY)
                self.shoe_number += 1
                assert number == self.shoe_number
                self.shoe = ShoeBooks(number, Counter(shoe.as_counts()))
                assert set(self.unseen) == set(map(str, self.settings.game.pack.cards))
                assert set(self.unseen.values()) == {self.settings.decks}
                self.phase = Phase.BURN_DUE if self.settings.burn_and_cut.burn == "by-first-card" else Phase.READY
            case events.CardsBurned(shown, face_down):
                assert self.phase is Phase.BURN_DUE
                assert len(shown) + face_down == 1 + (POINTS[str(shown[0])] or 10)
                self._shoe().face_down, self._shoe().burned = face_down, [*map(str, shown)]
                self._shoe().draw(shown)
                self.phase = Phase.READY
            case events.CutCardAppeared():
                assert self._shoe().rounds_left is None
                assert self.in_shoe <= self.settings.burn_and_cut.cut_depth
                self._shoe().rounds_left = 2 if self.in_round else 1
                self.last_dealt = dealt_last
            case events.BettingOpened(number, digest, settings_digest):
                assert self.phase is Phase.READY
                assert self.in_shoe >= 6
                assert self.rounds_left != 0
                assert (digest, settings_digest) == (self.settings.game.digest, self.settings.digest)
                self.round_number += 1
                assert number == self.round_number
                self.phase = Phase.BETTING
                self.current = RoundBooks(number, self.settings, money_before=self.money.copy())
                self.last = self.last_shoe = None
            case events.StakeChanged(number, patron, wager, before, after):
                assert self.phase is Phase.BETTING
                self._round(number)
                self._change_stake(patron, wager, before, after)
            case events.BettingClosed(number):
                assert self.phase is Phase.BETTING
                self._round(number)
                self.phase = Phase.DEALING
            case events.CardDealt(number, hand, card):
                assert self.phase is Phase.DEALING
                assert hand is self.due(), f"{card} went to the wrong hand"
                self._shoe().draw([card])
                current = self._round(number)
                (current.player if hand is Hand.PLAYER else current.banker).append(str(card))
                self._look_for_the_end()
                self.last_dealt = hand
            case events.CardTakenBack(number, hand, card):
                assert hand is dealt_last is not None
                current = self._round(number)
                assert (current.player if hand is Hand.PLAYER else current.banker).pop() == str(card)
                self._shoe().put_back([card])
                self._shoe().look_for_the_cut_card(self.settings)
                self._look_for_the_end()
                assert self.phase is Phase.DEALING
            case events.ResultAnnounced(number, winner, player_total, banker_total):
                assert self.phase is Phase.COMPLETE
                self._round(number)
                totals = point_total(self.player), point_total(self.banker)
                assert (player_total, banker_total) == totals
                difference = player_total - banker_total
                assert winner == ("player" if difference > 0 else "banker" if difference < 0 else "tie")
                self.phase = Phase.ANNOUNCED
            case events.AnnouncementWithdrawn(number):
                assert self.phase is Phase.ANNOUNCED
                self._round(number)
                self.phase = Phase.COMPLETE
            case events.RoundSettled(number, settlements):
                assert self.phase is Phase.ANNOUNCED
                settled = self._round(number)
                self._end_round()
                for patron, settlement in settlements.items():
                    self.money[patron] += sum(wager.stake + wager.net for wager in settlement.wagers.values())
                self._check_what_stands(settled, settlements)
            case events.RoundVoided():
                self._void(event)
            case events.RoundCorrected():
                self._correct(event)
            case events.CardsSetAside(cards):
                self._shoe().draw(cards)
                self._shoe().aside += map(str, cards)
            case events.CountCorrected():
                self._recount(event)
            case events.TablePaused(reason):
                assert reason.strip()
                self.paused, self.last_dealt = reason, dealt_last
            case events.TableResumed():
                assert self.paused
                self.paused, self.last_dealt = "", dealt_last
            case events.SettingsChanged(settings):
                assert not self.in_round
                assert settings != self.settings
                if self.shoe:
                    assert (settings.game, settings.decks, settings.burn_and_cut) == (
                        self.settings.game,
                        self.settings.decks,
                        self.settings.burn_and_cut,
                    )
                self.settings = settings
            case events.ShoeEnded():
                assert not self.in_round
                self.phase = Phase.CLOSED
                self.shoe = None
            case events.TableOpened():
                raise AssertionError("the table was open already")

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
        shoe, finished = self._shoe(), self.current
        assert finished is not None
        finished.staked, self.felt = self.felt, {}
        finished.out = [*finished.player, *finished.banker]
        self.phase = Phase.READY
        shoe.rounds_left = None if shoe.rounds_left is None else shoe.rounds_left - 1
        shoe.rounds.append(finished)
        self.current, self.last, self.last_shoe = None, finished, shoe

    def _void(self, event: events.RoundVoided) -> None:
        assert event.round_number == self.round_number
        assert event.after_settlement is not self.in_round
        if self.in_round:
            self._end_round()
            if event.irregularity is Irregularity.INSUFFICIENT_CARDS:
                self._shoe().rounds_left = 0
        else:
            assert event.irregularity is Irregularity.WRONG_NUMBER_OF_CARDS
        last = self.last
        assert last is not None
        assert last.void is None
        assert set(event.refunds) == set(last.staked)
        assert event.currency == last.settings.currency
        self.money.update(event.refunds)
        last.void = event.irregularity
        assert self.money == last.money_before, "a void round cost or won something"

    def _correct(self, event: events.RoundCorrected) -> None:
        assert event.round_number == self.round_number
        corrected, shoe = self.in_question, self.shoe if self.in_round else self.last_shoe
        assert corrected is not None
        assert shoe is not None
        assert self.phase is not Phase.BETTING
        assert corrected.void is None
        assert _texts(event.before) == corrected.deal
        for card in map(str, event.taken_up):
            shoe.aside.remove(card)
        shoe.put_back(event.before.cards + event.taken_up)
        shoe.draw(event.after.cards + event.set_aside)
        shoe.aside += map(str, event.set_aside)
        shoe.look_for_the_cut_card(self.settings)
        assert event.currency == corrected.settings.currency
        corrected.corrected = True
        corrected.player, corrected.banker = _texts(event.after)
        corrected.out = [*corrected.player, *corrected.banker]
        if self.in_round:
            assert event.settlements is None
            assert not event.adjustments
            self._look_for_the_end()
            return
        assert event.settlements is not None
        assert set(event.adjustments) == set(corrected.staked)
        self.money.update(event.adjustments)
        self._check_what_stands(corrected, event.settlements)

    def _recount(self, event: events.CountCorrected) -> None:
        """Only where a card is counted changes, and the number of cards where none was drawn."""
        shoe, keyed = self._shoe(), str(event.keyed)
        shoe.put_back([keyed])
        if event.face_down is not None:
            assert event.round_number is None
            assert keyed in shoe.burned
            shoe.face_down = event.face_down
        shoe.draw([] if event.drawn is None else [event.drawn])
        shoe.look_for_the_cut_card(self.settings)
        drawn = [] if event.drawn is None else [str(event.drawn)]
        if event.round_number is not None:
            (of,) = [each for each in shoe.rounds if each.number == event.round_number]
            assert of is not self.last or of.void
            record = of.out
        else:
            record = shoe.aside if keyed in shoe.aside and event.face_down is None else shoe.burned
        assert drawn or record is not shoe.burned or keyed != shoe.burned[0]
        place = record.index(keyed)
        record[place : place + 1] = drawn

    def _check_what_stands(self, played: RoundBooks, settlements: Mapping[str, Settlement]) -> None:
        """The last settlement of a round is what its patrons have won or lost in it, by the reference."""
        assert set(settlements) == set(played.staked)
        assert list(settlements) == sorted(settlements)
        game = played.settings.game
        for patron, stakes in played.staked.items():
            nets = {wager: settled.net for wager, settled in settlements[patron].wagers.items()}
            assert {wager: settled.stake for wager, settled in settlements[patron].wagers.items()} == stakes
            assert self.money[patron] - played.money_before[patron] == sum(nets.values())
            if game.fixed_bonuses != find_game(game.id, EVERY_GAME).fixed_bonuses:
                continue
            expected = settle(
                game.id,
                played.player,
                played.banker,
                stakes,
                element_eights=game.reading.get("element_eights", "on-top"),
                rounding=game.reading["rounding"],
                printed_manila=is_printed_manila(game),
            )
            assert nets == {wager: net for wager, (net, _) in expected.items()}

    def __deepcopy__(self, memo: dict[int, object]) -> "Books":
        """A copy that shares the settings, which never change."""
        books = copy(self)
        shared = [self.settings, *(each.settings for each in (self.current, self.last) if each)]
        shared += [each.settings for shoe in (self.shoe, self.last_shoe) if shoe for each in shoe.rounds]
        memo.update({id(settings): settings for settings in shared})
        for name, value in vars(self).items():
            setattr(books, name, deepcopy(value, memo))
        return books

    def check(self, table: Table) -> None:
        """The table's own state says what the books say."""
        assert table.settings == self.settings
        assert table.phase is self.phase
        assert table.paused == self.paused
        assert table.round_number == self.round_number
        assert table.shoe_number == self.shoe_number
        assert table.stakes == self.felt
        self._check_spots(table)
        assert table.last_dealt is self.last_dealt
        self._check_shoe(table)
        if self.current:
            assert _texts(table.deal) == self.current.deal
            assert table.corrected is self.current.corrected
        else:
            assert table.held == 0, "money is on the felt between rounds"
            assert table.deal == Deal()
        assert (table.last is None) is (self.last is None)
        if table.last and self.last and self.last_shoe:
            self._check_last(table)

    def _check_spots(self, table: Table) -> None:
        totals: dict[str, tuple[int, int]] = {}
        for spots in self.felt.values():
            for wager, stake in spots.items():
                total, patrons = totals.get(wager, (0, 0))
                totals[wager] = (total + stake, patrons + 1)
        assert table.spots == totals
        assert table.held == sum(total for total, _ in totals.values())

    def _check_shoe(self, table: Table) -> None:
        assert (table.shoe is None) is (self.shoe is None)
        assert table.cards_in_shoe == self.in_shoe
        assert type(table.cards_in_shoe) is int
        assert table.rounds_left == self.rounds_left
        if table.shoe is None or self.shoe is None:
            return
        assert table.shoe.number == self.shoe.number
        assert table.shoe.unseen.as_counts() == {card: count for card, count in self.unseen.items() if count}
        assert [*map(str, table.shoe.set_aside)] == self.shoe.aside
        assert [*map(str, table.shoe.shown)] == self.shoe.burned
        assert table.shoe.face_down == self.shoe.face_down
        if self.in_shoe <= self.settings.burn_and_cut.cut_depth:
            assert table.rounds_left is not None, "the cut card was passed unseen"
        for finished, books in zip(table.rounds, self.shoe.rounds, strict=True):
            assert (finished.number, finished.void) == (books.number, books.void)
            assert finished.corrected is books.corrected
            assert _texts(finished.deal) == books.deal
            assert Counter(map(str, finished.cards_out)) == Counter(books.out)
        # Every card of the shoe is unseen, or in exactly one place where it was seen.
        seen = Counter(self.shoe.burned) + Counter(self.shoe.aside) + Counter(map(str, table.deal.cards))
        for finished in table.rounds:
            seen.update(map(str, finished.cards_out))
        assert Counter(table.shoe.unseen.as_counts()) + seen == Counter(self.settings.full_shoe.as_counts())

    def _check_last(self, table: Table) -> None:
        last, books = table.last, self.last
        assert last is not None
        assert books is not None
        assert last.settings == books.settings
        assert (last.round.number, _texts(last.round.deal)) == (self.round_number, books.deal)
        assert (last.round.void, last.round.corrected) == (books.void, books.corrected)
        assert last.stakes == books.staked
        assert (last.shoe is None) is (self.last_shoe is self.shoe)
        if last.shoe is None:
            assert table.rounds[-1] == last.round
        elif self.last_shoe:
            assert last.shoe.cards == self.last_shoe.in_shoe
            assert [*map(str, last.shoe.set_aside)] == self.last_shoe.aside
        back = returned_by(last)
        assert set(back) == set(books.staked)
        for patron, returned in back.items():
            won = self.money[patron] - books.money_before[patron]
            assert returned == sum(books.staked[patron].values()) + won


def _texts(deal: Deal) -> tuple[list[str], list[str]]:
    return [str(card) for card in deal.player], [str(card) for card in deal.banker]
