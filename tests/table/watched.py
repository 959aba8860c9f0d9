"""A table under watch: every command is carried out with all checks that hold for every command."""

import random
from collections.abc import Sequence
from copy import copy, deepcopy
from dataclasses import fields

from puntobanco import Card, Deal
from puntobanco.table import (
    AnnounceResult,
    CloseBetting,
    Command,
    DealCard,
    Event,
    OpenBetting,
    Refusal,
    Refused,
    SettleRound,
    Table,
    TableOpened,
    TableSettings,
    decide,
    evolve,
    refusal,
    replay,
)
from puntobanco.table.audit import audit
from puntobanco.tableau import Hand
from table.books import Books, hand_due
from table.here import HERE, meant

FIELDS = {field.name for field in fields(Table)}


class WatchedTable:
    def __init__(self, settings: TableSettings) -> None:
        self.opening = TableOpened(settings)
        self.beginning = Table(settings)
        self.table = self.beginning
        self.books = Books(settings)
        self.events: list[Event] = []
        self.states: list[Table] = [self.beginning]
        """The state before the first event, and after each one."""

    @property
    def settings(self) -> TableSettings:
        return self.table.settings

    def carry_out(self, command: Command) -> Sequence[Event] | Refusal:
        """What the table makes of the command: events that the books accept, or a refusal that changes nothing."""
        before = self.table
        command = meant(before, command)
        kept = _in_place(before)
        expected = refusal(before, command)
        outcome: Sequence[Event] | Refusal
        try:
            outcome = decide(before, command)
        except Refused as refused:
            outcome = refused.refusal
        assert _in_place(before) == kept, "the state before was changed in place"
        if isinstance(outcome, Refusal):
            assert outcome == expected
            return outcome
        assert expected is None
        assert outcome, "a command that is accepted makes something happen"
        for event in outcome:
            self.table = evolve(self.table, event)
            assert vars(self.table).keys() == FIELDS, "a table has its fields and no others"
            self.books.enter(event)
            self.events.append(event)
            self.states.append(self.table)
        self.books.check(self.table)
        return outcome

    def asked(self, command: Command) -> Sequence[Event] | Refusal:
        """What would come of the command; the table stays as it is."""
        other = copy(self)
        other.books, other.events, other.states = deepcopy(self.books), list(self.events), list(self.states)
        return other.carry_out(command)

    def check_replay(self) -> None:
        """The events alone give every state that the table has been in."""
        table: Table | None = None
        for event, state in zip([self.opening, *self.events], self.states, strict=True):
            table = evolve(table, event)
            assert table == state
        assert not list(audit([self.opening, *self.events])), "an honest record has no fault"
        half = len(self.events) // 2
        assert replay(replay(self.beginning, self.events[:half]), self.events[half:]) == self.table

    def play_down_to(self, cards_left: int, keeping: Sequence[Card] = ()) -> None:
        """Play rounds without wagers until exactly so many cards are in the shoe, the kept ones among them."""
        assert self.table.unseen is not None
        excess = self.table.cards_in_shoe - cards_left
        counts = zip(self.table.unseen.pack.cards, self.table.unseen.counts, strict=True)
        pool = [card for card, count in counts for _ in range(count - keeping.count(card))]
        draw = random.Random(17)
        deals: list[Deal] | None = None
        # About one shuffle in five has the end of a round at the right card.
        while deals is None:
            deals = rounds_from(sorted(pool, key=lambda _: draw.random())[:excess], self.books.printed_manila)
        for deal in deals:
            self.play(deal)

    def play(self, deal: Deal) -> None:
        """A whole round of these cards."""
        commands: list[Command] = [
            OpenBetting(),
            CloseBetting(HERE),
            *in_order(deal),
            AnnounceResult(HERE),
            SettleRound(HERE),
        ]
        for command in commands:
            outcome = self.carry_out(command)
            assert not isinstance(outcome, Refusal), outcome


def _in_place(table: Table) -> object:
    """A copy of what somebody could change in a frozen table: its mappings."""
    return deepcopy((table.phase, dict(table.stakes), table.spots, table.deal, table.rounds)), table.shoe, table.last


def rounds_from(cards: Sequence[Card], printed_manila: bool) -> list[Deal] | None:
    """The rounds that are dealt from these cards, if no card is left over."""
    deals: list[Deal] = []
    player: list[Card] = []
    banker: list[Card] = []
    for card in cards:
        (player if due_to(player, banker, printed_manila) is Hand.PLAYER else banker).append(card)
        if due_to(player, banker, printed_manila) is None:
            deals.append(Deal(tuple(player), tuple(banker)))
            player, banker = [], []
    return None if player else deals


def due_to(player: Sequence[Card], banker: Sequence[Card], printed_manila: bool) -> Hand | None:
    """Whose card is next."""
    return hand_due([str(card) for card in player], [str(card) for card in banker], printed_manila)


def in_order(deal: Deal) -> list[DealCard]:
    """The cards of a deal in the order in which they are dealt: P B P B, then the third cards."""
    commands = []
    for place in range(max(len(deal.player), len(deal.banker))):
        for hand, cards in ((Hand.PLAYER, deal.player), (Hand.BANKER, deal.banker)):
            if place < len(cards):
                commands.append(DealCard(HERE, hand, cards[place]))
    return commands
