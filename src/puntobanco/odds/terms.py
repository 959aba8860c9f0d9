"""What the odds of a wager ask for: a declaration taken apart into counts that can be made exactly.

A finished round is seen at two levels. Its *cell* is what the point values decide: both totals and both
numbers of cards. Its *details* are ranks and suits: pairs, suits of the first two cards, one suit
throughout, the ranks of a hand. A detail holds exactly when certain slots of the deal (the Player's first
card, the Banker's third ..) are filled from a class of cards, all of one rank, of one suit, or one face;
a detail that does not hold is everything less those. So every outcome of every wager becomes a signed
sum of *terms*: classes for the six slots, and a weight for each cell. The cost follows the detail that a
wager looks at: a wager on points alone has the one term in which every slot takes any card.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations, product
from typing import NamedTuple

from puntobanco.cards import Card, Pack
from puntobanco.errors import DeclarationError
from puntobanco.rules.facts import BANKER_HAND, FACTS, PLAYER_HAND, Fact, Facts, FactValue, Kind, Points, facts_with
from puntobanco.rules.game import Game
from puntobanco.rules.wagers import Outcome, Wager
from puntobanco.tableau import Hand, Tableau

POINT_CELLS = 400
"""Totals of both hands (10 x 10) and whether each has two or three cards (2 x 2)."""

PLAYER_SLOTS = PLAYER_HAND.slots
BANKER_SLOTS = BANKER_HAND.slots


def cell_of(player_total: int, banker_total: int, player_cards: int, banker_cards: int) -> int:
    return ((player_total * 10 + banker_total) * 2 + player_cards - 2) * 2 + banker_cards - 2


class CardClass(NamedTuple):
    """All cards of a rank, of a suit, of both (one face), or of neither (any card)."""

    rank: str | None = None
    suit: str | None = None

    def holds(self, card: Card) -> bool:
        return (self.rank is None or card.rank == self.rank) and (self.suit is None or card.suit == self.suit)


ANY_CARD = CardClass()
Slots = tuple[CardClass, CardClass, CardClass, CardClass, CardClass, CardClass]
"""A class for the Player's first, second and third card and then the Banker's."""
ANY_SLOTS: Slots = (ANY_CARD,) * 6


SignedSum = Mapping[Slots, tuple[int, ...]]
"""A signed sum: for each filling of the slots, the weight of each cell."""


Course = tuple[Hand | None, tuple[bool, ...]]
"""Who draws after the first four cards, and on which Player's third cards the Banker then draws."""


@lru_cache(maxsize=32)
def courses(tableau: Tableau) -> tuple[Course, ...]:
    """The course of a round by both two-card totals, the Player's in the tens."""
    found: list[Course] = []
    for player, banker in product(range(10), repeat=2):
        hand = tableau.decide((0, player), (0, banker)).hand
        draws: tuple[bool, ...] = (False,) * 10
        if hand is Hand.PLAYER:
            thirds = [tableau.decide((0, player, third), (0, banker)).hand for third in range(10)]
            draws = tuple(third is Hand.BANKER for third in thirds)
        found.append((hand, draws))
    return tuple(found)


@lru_cache(maxsize=32)
def ends(tableau: Tableau) -> tuple[frozenset[int], ...]:
    """By both two-card totals: the cells in which a round that begins so can end."""
    found = []
    for place, (hand, draws) in enumerate(courses(tableau)):
        player, banker = divmod(place, 10)
        if hand is None:
            cells = {cell_of(player, banker, 2, 2)}
        elif hand is Hand.BANKER:
            cells = {cell_of(player, total, 2, 3) for total in range(10)}
        else:
            cells = set()
            for third, banker_draws in enumerate(draws):
                total = (player + third) % 10
                if banker_draws:
                    cells.update(cell_of(total, last, 3, 3) for last in range(10))
                else:
                    cells.add(cell_of(total, banker, 3, 2))
        found.append(frozenset(cells))
    return tuple(found)


@lru_cache(maxsize=32)
def possible_cells(tableau: Tableau) -> tuple[int, ...]:
    """The cells that the tableau can end in."""
    return tuple(sorted(frozenset[int]().union(*ends(tableau))))


OTHER = "other"
"""Stands for every value of a detail that the wager does not name."""


def signed_sums(game: Game, wager: Wager) -> dict[Outcome, SignedSum]:
    """Each outcome of the wager but losing, as a signed sum over slots and cells.

    Each detail is at its base, which asks nothing of the slots, or at a choice: a value that the wager names, or
    any other. What the outcome is at a choice, less what it is at the base, is the weight of that choice, and
    so on for choices of several details together: inclusion and exclusion, in which most weights vanish.
    """
    named = wager.values_named
    details = _details(wager)
    choices = [_choices(fact, named[fact.name]) for fact in details]
    cells = possible_cells(game.tableau)
    sums: dict[Outcome, dict[Slots, list[int]]] = {}
    for outcome, weights in _weights(wager, details, choices, cells).items():
        for choice, by_cell in weights.items():
            chosen = [(fact, value) for fact, value in zip(details, choice, strict=True) if value is not BASE]
            for slots, cards in _fillings(game.pack, chosen, named):
                total = sums.setdefault(outcome, {}).setdefault(slots, [0] * POINT_CELLS)
                for cell, weight in by_cell.items():
                    if _has_cards(cell, *cards):
                        total[cell] += weight
    return {
        outcome: {slots: tuple(weights) for slots, weights in terms.items() if any(weights)}
        for outcome, terms in sums.items()
    }


BASE = None


def _details(wager: Wager) -> list[Fact]:
    """The facts that the wager reads beyond points."""
    details = [FACTS[name] for name in wager.values_named if FACTS[name].kind is not Kind.POINTS]
    for fact in details:
        is_hand = fact.kind is Kind.RANKS and fact.slots in (PLAYER_SLOTS, BANKER_SLOTS)
        if fact.kind not in (Kind.SHARED_RANK, Kind.SHARED_SUIT) and not is_hand:
            raise DeclarationError(f"The odds cannot count the fact {fact.name!r}, which wager {wager.id!r} reads.")
    return details


def _choices(fact: Fact, named: frozenset[FactValue]) -> list[str | None]:
    """What a detail can be, the base first: without a value, or not one that is named."""
    values: list[str | None] = [BASE, *sorted(str(value) for value in named - {None})]
    if None in named:
        values.append(OTHER)
    return values


MOST_ORDERS = 6
"""In which three ranks can lie in a hand."""


def most_fillings(pack: Pack, wager: Wager) -> int:
    """No more fillings of the slots than so many are counted for the wager: with them grows what its odds cost."""
    most = 1
    for fact in _details(wager):
        named = wager.values_named[fact.name]
        if fact.kind is Kind.RANKS:
            most *= 1 + MOST_ORDERS * len(named)
        else:
            most *= len(fact.values(pack)) if None in named else 1 + len(named)
    return most


DetailChoice = tuple[str | None, ...]


def _weights(
    wager: Wager, details: list[Fact], choices: list[list[str | None]], cells: tuple[int, ...]
) -> dict[Outcome, dict[DetailChoice, dict[int, int]]]:
    """By outcome and choice, the weight of each cell where it is not zero."""
    found: dict[Outcome, dict[DetailChoice, dict[int, int]]] = {}
    every_choice = list(product(*choices))
    names = [fact.name for fact in details]
    for alike in _cells_alike(wager, cells):
        outcomes = [wager.outcome(facts_at(alike[0], dict(zip(names, choice, strict=True)))) for choice in every_choice]
        for outcome in dict.fromkeys(outcomes):
            if outcome.line is None:
                continue
            weight = {choice: int(each == outcome) for choice, each in zip(every_choice, outcomes, strict=True)}
            for place in range(len(details)):
                for choice in every_choice:
                    if choice[place] is not BASE:
                        weight[choice] -= weight[(*choice[:place], BASE, *choice[place + 1 :])]
            for choice, value in weight.items():
                if value:
                    found.setdefault(outcome, {}).setdefault(choice, {}).update(dict.fromkeys(alike, value))
    return found


def _cells_alike(wager: Wager, cells: tuple[int, ...]) -> Iterable[list[int]]:
    """The cells in groups that the wager cannot tell apart by points."""
    tests = [
        test.compiled()
        for line in wager.all_lines
        for test in line.when.tests()
        if FACTS[test.fact].kind is Kind.POINTS
    ]
    groups: dict[tuple[bool, ...], list[int]] = {}
    for cell, facts in zip(cells, _facts_of_points(cells), strict=True):
        groups.setdefault(tuple([holds(facts) for holds in tests]), []).append(cell)
    return groups.values()


@lru_cache(maxsize=32)
def _facts_of_points(cells: tuple[int, ...]) -> list[Facts]:
    """Of each cell, without details; every wager asks for them."""
    return [facts_at(cell, {}) for cell in cells]


def facts_at(cell: int, details: Mapping[str, FactValue]) -> Facts:
    """Facts of a round that ends in the cell, with these details."""
    return facts_with(Points(cell // 40, cell // 4 % 10, cell // 2 % 2 + 2, cell % 2 + 2), details)


def _has_cards(cell: int, player_cards: int | None, banker_cards: int | None) -> bool:
    """Whether the cell has these numbers of cards, where one is asked for."""
    return player_cards in (None, cell // 2 % 2 + 2) and banker_cards in (None, cell % 2 + 2)


CardsAllowed = tuple[int | None, int | None]
"""The numbers of cards that the hands must have, where one is asked for."""
Restriction = tuple[dict[int, CardClass], CardsAllowed]


def _fillings(
    pack: Pack, chosen: list[tuple[Fact, str]], named: Mapping[str, frozenset[FactValue]]
) -> Iterator[tuple[Slots, CardsAllowed]]:
    """The ways in which the slots can be filled so that every detail is as chosen."""
    for restrictions in product(*(list(_restrictions(pack, fact, value, named[fact.name])) for fact, value in chosen)):
        slots: list[CardClass | None] = [*ANY_SLOTS]
        player_cards: set[int | None] = {None}
        banker_cards: set[int | None] = {None}
        for classes, (player, banker) in restrictions:
            player_cards.add(player)
            banker_cards.add(banker)
            for slot, card_class in classes.items():
                slots[slot] = _meet(slots[slot], card_class)
        first, second, third, fourth, fifth, sixth = slots
        if first and second and third and fourth and fifth and sixth and len(player_cards) < 3 > len(banker_cards):
            cards = max(player_cards, key=lambda count: count or 0), max(banker_cards, key=lambda count: count or 0)
            yield (first, second, third, fourth, fifth, sixth), cards


def _meet(one: CardClass | None, other: CardClass) -> CardClass | None:
    """The cards that are in both classes; None if there are none."""
    if one is None or apart(one, other):
        return None
    return CardClass(one.rank or other.rank, one.suit or other.suit)


def apart(one: CardClass, other: CardClass) -> bool:
    """Whether no card is in both classes."""
    ranks_differ = None not in (one.rank, other.rank) and one.rank != other.rank
    suits_differ = None not in (one.suit, other.suit) and one.suit != other.suit
    return ranks_differ or suits_differ


def within(inner: CardClass, outer: CardClass) -> bool:
    """Whether every card of the one class is in the other."""
    return outer.rank in (None, inner.rank) and outer.suit in (None, inner.suit)


def _restrictions(pack: Pack, fact: Fact, value: str, named: frozenset[FactValue]) -> Iterator[Restriction]:
    """What a value of a detail asks of the slots; the restrictions of one value exclude each other."""
    if fact.kind is Kind.RANKS:
        cards: CardsAllowed = (len(value), None) if fact.slots == PLAYER_SLOTS else (None, len(value))
        for order in sorted(set(permutations(value))):
            yield {slot: CardClass(rank=rank) for slot, rank in zip(fact.slots, order, strict=False)}, cards
        return
    for each in [str(other) for other in fact.values(pack) if other not in named] if value == OTHER else [value]:
        card_class = CardClass(rank=each) if fact.kind is Kind.SHARED_RANK else CardClass(suit=each)
        yield dict.fromkeys(fact.slots, card_class), (None, None)


@dataclass(frozen=True)
class WagerPlan:
    """A wager with its outcomes taken apart."""

    wager: Wager
    outcomes: tuple[Outcome, ...]
    sums: tuple[SignedSum, ...]


def plan_wager(game: Game, wager: Wager) -> WagerPlan:
    """The wager taken apart under the game's tableau and pack."""
    sums = signed_sums(game, wager)
    return WagerPlan(wager, tuple(sums), tuple(sums.values()))
