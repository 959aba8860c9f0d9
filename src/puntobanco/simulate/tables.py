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
from puntobanco.odds.terms import Outcome
from puntobanco.rules.facts import Facts, FactValue, Winner
from puntobanco.rules.game import Game
from puntobanco.rules.wagers import Wager
from puntobanco.tableau import Hand, Tableau

DETAIL_CELLS = 65_536
"""Cells of points, for every detail that they can come with."""
CELLS_OF_A_DETAIL = 512
RANKS = 13
SUITS = 5
MOST_DETAILS = 128
MOST_HANDS = 8
NO_CARD = 255

PAIRS = ("player_pair", "banker_pair")
SUIT_FACTS = ("player_suit", "banker_suit", "one_suit")
HANDS_OF_RANKS = ("player_ranks", "banker_ranks")

NOTHING: str | None = None

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
        self.choices = self._choices()
        hands = sum(len(choice.values) - 1 for fact, choice in self.choices.items() if fact in HANDS_OF_RANKS)
        self.details = 1
        for choice in self.choices.values():
            self.details *= len(choice.values)
        self.fits = self.details <= MOST_DETAILS and hands <= MOST_HANDS
        """Whether the kernel's cells can tell apart all that the wagers do; if not, rounds are settled one by one."""
        self._cells: dict[int, Outcomes] = {}
        self._decided: list[dict[tuple[FactValue, ...], Outcome]] = [{} for _ in self.wagers]
        self._reads = [
            tuple(place for place, fact in enumerate(Facts._fields) if fact in facts_read(wager))
            for wager in self.wagers
        ]

    def _choices(self) -> dict[str, DetailValues]:
        named: dict[str, set[FactValue]] = {}
        for wager in self.wagers:
            for line in wager.lines + wager.bonuses:
                for test in line.when.tests():
                    named.setdefault(test.fact, set()).update(test.values)
        choices, step = {}, 1
        for fact in PAIRS + SUIT_FACTS + HANDS_OF_RANKS:
            if fact not in named:
                continue
            values = sorted(str(value) for value in named[fact] - {None})
            every = self.game.pack.ranks if fact in PAIRS else self.game.pack.suits
            # Where no wager names the lack of a value, it counts with the values that none names.
            if fact not in HANDS_OF_RANKS and None in named[fact]:
                values += [value for value in every if value not in values][:1]
            choices[fact] = DetailValues((None, *values), step)
            step *= len(values) + 1
        return choices

    def outcomes(self, cell: int) -> Outcomes:
        """What every wager becomes in a cell."""
        found = self._cells.get(cell)
        if found is None:
            found = self._cells[cell] = self.decide(self._facts(cell))
        return found

    def decide(self, facts: Facts) -> Outcomes:
        """What every wager becomes on these facts; remembered by the facts that the wager reads."""
        found = []
        for wager, places, known in zip(self.wagers, self._reads, self._decided, strict=True):
            key = tuple([facts[place] for place in places])
            outcome = known.get(key)
            if outcome is None:
                outcome = known[key] = decide_wager(wager, facts)
            found.append(outcome)
        return tuple(found)

    def _facts(self, cell: int) -> Facts:
        """Facts that the wagers cannot tell from those of any round in the cell."""
        detail, cell = divmod(cell, CELLS_OF_A_DETAIL)
        banker_drew, cell = divmod(cell, 256)
        player_drew, totals = divmod(cell, 128)
        player, banker = divmod(totals, 10)
        values = dict.fromkeys(PAIRS + SUIT_FACTS + HANDS_OF_RANKS, NOTHING) | {
            fact: choice.values[detail // choice.step % len(choice.values)] for fact, choice in self.choices.items()
        }
        winner = Winner.TIE if player == banker else Winner.PLAYER if player > banker else Winner.BANKER

        return Facts(
            winner,
            player,
            banker,
            2 + player_drew,
            2 + banker_drew,
            4 + player_drew + banker_drew,
            values["player_pair"],
            values["banker_pair"],
            values["player_suit"],
            values["banker_suit"],
            values["one_suit"],
            values["player_ranks"] or "",
            values["banker_ranks"] or "",
        )

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
        for fact in PAIRS + SUIT_FACTS:
            values: Sequence[str] = pack.ranks if fact in PAIRS else tuple(pack.suits)
            table = [0] * (RANKS if fact in PAIRS else SUITS)
            if fact in choices:
                table[: len(values)] = [self._detail_of(fact, value) for value in values]
            numbers += table
        hands = [
            [int(fact == "banker_ranks"), *encode_hand(pack.ranks, str(value)), choices[fact].detail(value)]
            for fact in HANDS_OF_RANKS
            if fact in choices
            for value in choices[fact].values[1:]
        ]
        numbers += [len(hands), *(number for hand in hands for number in hand)]
        numbers += [0] * ((RANKS + 3) * (MOST_HANDS - len(hands)))
        return array("H", numbers).tobytes()

    def _detail_of(self, fact: str, value: str) -> int:
        choice = self.choices[fact]
        named = {
            each
            for wager in self.wagers
            for line in wager.lines + wager.bonuses
            for test in line.when.tests()
            if test.fact == fact
            for each in test.values
        }
        if value in named or None not in named:
            return choice.detail(value)
        return choice.detail(choice.values[-1])


def facts_read(wager: Wager) -> set[str]:
    """The facts that decide the wager."""
    return {test.fact for line in wager.lines + wager.bonuses for test in line.when.tests()}


def decide_wager(wager: Wager, facts: Facts) -> Outcome:
    """The first line that holds decides, and every bonus that holds comes on top of a payment."""
    for place, line in enumerate(wager.lines):
        if line.holds(facts):
            bonuses = [place for place, bonus in enumerate(wager.bonuses) if line.pays and bonus.holds(facts)]
            return Outcome(place, tuple(bonuses))
    return Outcome(None, ())


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
