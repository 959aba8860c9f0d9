"""A game compiled for the kernel: who draws, and what its wagers look at, as tables of numbers.

The kernel deals and puts every finished round into a *cell*: both totals, both numbers of cards, and the
*detail*, one number for all that the wagers ask of ranks and suits. A fact that no wager reads does not split
cells, and a value that no wager names is counted with the others. What a cell pays is read off here, once.
"""

from array import array
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from puntobanco.cards import Shoe
from puntobanco.errors import DeclarationError
from puntobanco.rules.facts import (
    BANKER_FIRST_TWO,
    BANKER_HAND,
    EVERY_CARD,
    FACTS,
    PLAYER_FIRST_TWO,
    PLAYER_HAND,
    Facts,
    FactValue,
    Kind,
    Points,
    facts_with,
)
from puntobanco.rules.game import Game
from puntobanco.rules.wagers import Outcome, Wager
from puntobanco.tableau import Hand, Tableau

DETAIL_CELLS = 65_536
"""Cells of points, for every detail that they can come with."""
CELLS_OF_A_DETAIL = 512
RANKS = 13
SUITS = 5
MOST_DETAILS = 128
MOST_HANDS = 8
NO_CARD = 255

TABLES = (
    (Kind.SHARED_RANK, PLAYER_FIRST_TWO.slots),
    (Kind.SHARED_RANK, BANKER_FIRST_TWO.slots),
    (Kind.SHARED_SUIT, PLAYER_FIRST_TWO.slots),
    (Kind.SHARED_SUIT, BANKER_FIRST_TWO.slots),
    (Kind.SHARED_SUIT, EVERY_CARD.slots),
)
"""What the kernel looks up, in its order: a kind of fact and the slots that it looks at."""
HANDS = ((Kind.RANKS, PLAYER_HAND.slots), (Kind.RANKS, BANKER_HAND.slots))
"""And the hands whose ranks it compares."""

Outcomes = tuple[Outcome, ...]
"""What became of every wager of the game, in the order of its paytables."""


class DetailValues(NamedTuple):
    """The values of a fact that the wagers tell apart, and what each adds to the detail."""

    values: tuple[str | None, ...]
    """The first stands for every value that has no place of its own."""
    step: int

    def detail(self, value: str | None) -> int:
        return self.values.index(value) * self.step if value in self.values else 0


class Tables:
    """A game and a shoe as the kernel reads them, and its cells as the game's wagers do."""

    def __init__(self, game: Game, shoe: Shoe) -> None:
        if len(game.pack.ranks) > RANKS or len(game.pack.suits) > SUITS:
            raise DeclarationError(f"The simulator has no room for the {game.pack.name}.")
        self.game = game
        self.shoe = shoe
        self.wagers: tuple[Wager, ...] = tuple(game.paytables.values())
        self.named = self._values_named()
        self.choices = self._choices()
        hands = sum(len(choice.values) - 1 for name, choice in self.choices.items() if FACTS[name].kind is Kind.RANKS)
        self.details = 1
        for choice in self.choices.values():
            self.details *= len(choice.values)
        known = all(name in self.choices or FACTS[name].kind is Kind.POINTS for name in self.named)
        self.fits = known and self.details <= MOST_DETAILS and hands <= MOST_HANDS
        """Whether the kernel's cells can tell apart all that the wagers do; if not, rounds are settled one by one."""
        self._cells: dict[int, Outcomes] = {}

    def _values_named(self) -> dict[str, frozenset[FactValue]]:
        named: dict[str, frozenset[FactValue]] = {}
        for wager in self.wagers:
            for name, values in wager.values_named.items():
                named[name] = named.get(name, frozenset()) | values
        return named

    def _choices(self) -> dict[str, DetailValues]:
        """Of the facts that the kernel can look at: what is told apart."""
        choices, step = {}, 1
        for name, fact in FACTS.items():
            if name not in self.named or (fact.kind, fact.slots) not in TABLES + HANDS:
                continue
            values = sorted(str(value) for value in self.named[name] - {None})
            # Where no wager names the lack of a value, it counts with the values that none names.
            if None in self.named[name]:
                values += [str(value) for value in fact.values(self.game.pack) if value not in self.named[name]][:1]
            choices[name] = DetailValues((None, *values), step)
            step *= len(values) + 1
        return choices

    def outcomes(self, cell: int) -> Outcomes:
        """What every wager becomes in a cell."""
        found = self._cells.get(cell)
        if found is None:
            found = self._cells[cell] = self.decide(self._facts(cell))
        return found

    def decide(self, facts: Facts) -> Outcomes:
        """What every wager becomes on these facts."""
        return tuple([wager.outcome(facts) for wager in self.wagers])

    def _facts(self, cell: int) -> Facts:
        """Facts that the wagers cannot tell from those of any round in the cell."""
        detail, cell = divmod(cell, CELLS_OF_A_DETAIL)
        banker_drew, cell = divmod(cell, 256)
        player_drew, totals = divmod(cell, 128)
        player, banker = divmod(totals, 10)
        details = {
            name: choice.values[detail // choice.step % len(choice.values)] for name, choice in self.choices.items()
        }
        return facts_with(Points(player, banker, 2 + player_drew, 2 + banker_drew), details)

    @cached_property
    def encoded(self) -> bytes:
        """The struct `Tables` of _simulate_kernel."""
        pack, counts = self.game.pack, [0] * (RANKS * SUITS)
        for card, count in zip(pack.cards, self.shoe.counts, strict=True):
            counts[card.rank_index * SUITS + card.index // len(pack.ranks)] = count
        points = [0] * RANKS
        for card in pack.cards:
            points[card.rank_index] = card.points
        numbers = [*counts, *points, *encode_draws(self.game.tableau)]
        choices = self.choices if self.fits else {}
        facts = [FACTS[name] for name in choices]
        for kind, slots in TABLES:
            values: Sequence[str] = pack.ranks if kind is Kind.SHARED_RANK else tuple(pack.suits)
            table = [0] * (RANKS if kind is Kind.SHARED_RANK else SUITS)
            for fact in facts:
                if (fact.kind, fact.slots) == (kind, slots):
                    for place, value in enumerate(values):
                        table[place] += self._detail_of(fact.name, value)
            numbers += table
        hands = []
        for fact in facts:
            if fact.kind is Kind.RANKS:
                hand, choice = HANDS.index((fact.kind, fact.slots)), choices[fact.name]
                hands += [
                    [hand, *encode_hand(pack.ranks, str(each)), choice.detail(each)] for each in choice.values[1:]
                ]
        numbers += [len(hands), *(number for hand in hands for number in hand)]
        numbers += [0] * ((RANKS + 3) * (MOST_HANDS - len(hands)))
        return array("H", numbers).tobytes()

    def _detail_of(self, fact: str, value: str) -> int:
        choice, named = self.choices[fact], self.named[fact]
        if value in named or None not in named:
            return choice.detail(value)
        return choice.detail(choice.values[-1])


def encode_draws(tableau: Tableau) -> list[int]:
    """Three tables of ten numbers, a bit for each total of the Banker: see the struct `Tables` of _simulate_kernel."""
    player_draws, banker_first, banker_second = [0] * 10, [0] * 10, [0] * 10
    for banker in range(10):
        seconds: set[tuple[bool, ...]] = set()
        for player in range(10):
            hand = tableau.decide((0, player), (0, banker)).hand
            if hand is Hand.PLAYER:
                player_draws[player] |= 1 << banker
                thirds = [tableau.decide((0, player, third), (0, banker)).hand for third in range(10)]
                seconds.add(tuple(third is Hand.BANKER for third in thirds))
            elif hand is Hand.BANKER:
                banker_first[player] |= 1 << banker
        if len(seconds) > 1:
            raise DeclarationError(
                f"The Banker of tableau {tableau.name!r} looks at more than the Player's third card."
            )
        for draws in seconds:
            for third in range(10):
                banker_second[third] |= draws[third] << banker
    return player_draws + banker_first + banker_second


def encode_hand(ranks: str, hand: str) -> list[int]:
    """A number for each rank, and the sum that two or three cards have only if they are the hand."""
    codes = {rank: 4**place for place, rank in enumerate(dict.fromkeys(hand))}
    table = [codes.get(rank, 64) for rank in ranks]
    return [*table, *[64] * (RANKS - len(ranks)), sum(codes[rank] for rank in hand)]
