"""What a plan asks to be counted: each outcome as a sum of products of quantities, for the compiled counter.

Each outcome is a signed sum of terms (see `terms`). A term becomes a sum of products of quantities:

* *fallings*, n (n-1) .. for the count n of a class of cards: where only the classes of cards matter, not their points;
* *forms*, of a class and a set of cells: where all cards are of one class, and otherwise only the points matter;
* *rounds*, of a class and a number of cards: where all cards are of one class, and otherwise only how many there are;
* *two pairs*: where each hand begins with two cards of a class, and the round is over with them;
* *enumerations*: everything else.

Alike products are added up, so that what several outcomes share is counted once.
"""

from collections.abc import Iterable, Sequence
from itertools import chain
from operator import itemgetter
from typing import NamedTuple

from puntobanco.cards import Pack
from puntobanco.odds.terms import (
    ANY_CARD,
    CardClass,
    SignedSum,
    Slots,
    apart,
    cell_of,
    courses,
    possible_cells,
    within,
)
from puntobanco.tableau import Hand, Tableau

Weights = tuple[int, ...]
"""By the place of a cell among the possible ones."""


class Falling(NamedTuple):
    """(n - offset) (n - offset - 1) .., so many factors, for the count n of the class."""

    card_class: CardClass
    offset: int
    length: int


class Form(NamedTuple):
    """The draws of so many cards of the class that end in one of the cells."""

    card_class: CardClass
    size: int
    cells: tuple[int, ...]


class Rounds(NamedTuple):
    """The rounds of so many cards, four or five, that can be dealt from the class alone."""

    card_class: CardClass
    cards: int


class TwoPairs(NamedTuple):
    """The first two cards of each hand by classes, one within the other, weighed by the totals of both."""

    inner: CardClass
    outer: CardClass
    weights: Weights


class Enumeration(NamedTuple):
    """A term as it is."""

    slots: tuple[CardClass, ...]
    weights: Weights


class Part(NamedTuple):
    """A sum that is a factor of others."""

    products: "frozenset[tuple[Product, int]]"


Quantity = Falling | Form | Rounds | TwoPairs | Enumeration | Part
Product = tuple[Quantity, ...]
Sum = dict[Product, int]
"""Products with their coefficients."""

COEFFICIENTS = {4: 715, 5: 2002, 6: 5005}
"""What a form costs, by its number of cards."""


def falling(card_class: CardClass, offset: int, length: int) -> Product:
    return (Falling(card_class, offset, length),) if length else ()


def unused(cards: int) -> Product:
    """The ways of the cards that a round of so many cards leaves undrawn."""
    return falling(ANY_CARD, cards, 6 - cards)


def by_name(card_class: CardClass) -> tuple[str, str]:
    """An order of classes, any of them, so that alike things are written alike."""
    return card_class.rank or "", card_class.suit or ""


def draws(classes: Iterable[CardClass]) -> Product | None:
    """The ways to draw a card of each class and then any cards up to six; None if two classes share only some cards."""
    times: dict[CardClass, int] = {}
    for card_class in classes:
        times[card_class] = times.get(card_class, 0) + 1
    if not all(within(one, other) or within(other, one) or apart(one, other) for one in times for other in times):
        return None
    found: list[Falling] = []
    for card_class, length in times.items():
        # The narrowest classes are drawn first, so a class has lost the cards drawn from the classes within it.
        inside = sum(times[other] for other in times if other != card_class and within(other, card_class))
        found.append(Falling(card_class, inside, length))
    return (*sorted(found, key=lambda quantity: by_name(quantity.card_class)), *unused(sum(times.values())))


class OutcomeSums:
    """Turns the outcomes of a plan into sums of products."""

    def __init__(self, signed_sums: Sequence[SignedSum], tableau: Tableau, pack: Pack) -> None:
        self.courses = courses(tableau)
        self.cells = possible_cells(tableau)
        self.lengths = [4 + cell // 2 % 2 + cell % 2 for cell in self.cells]
        self.by_length = {
            size: tuple(cell for cell, length in zip(self.cells, self.lengths, strict=True) if length == size)
            for size in COEFFICIENTS
        }
        self.points = {card.rank: card.points for card in pack.cards}
        self.possible = itemgetter(*self.cells)
        self.known: dict[tuple[Slots, Weights], Sum] = {}
        self.add_forms(signed_sums)
        self.sums = [self.sum_of(signed_sum) for signed_sum in signed_sums]

    def sum_of(self, signed_sum: SignedSum) -> Sum:
        total: Sum = {}
        for slots, weights in signed_sum.items():
            key = slots, self.possible(weights)
            if key not in self.known:
                self.known[key] = self.term(*key)
            for term, coefficient in self.known[key].items():
                total[term] = total.get(term, 0) + coefficient
        return {term: coefficient for term, coefficient in total.items() if coefficient}

    def term(self, slots: Slots, weights: Weights) -> Sum:
        first, second, third, fourth, fifth, sixth = slots
        found = self.fixed_points(slots, weights)
        if found is None and third == sixth == ANY_CARD:
            initial = first, second, fourth, fifth
            if len(set(weights)) == 1:
                # Whatever the points: only the first two cards of each hand are looked at.
                ways = draws(card_class for card_class in initial if card_class != ANY_CARD)
                found = {ways: weights[0]} if ways is not None else None
            elif first == second and fourth == fifth and self.over_after_four(weights):
                found = self.two_pairs(first, fourth, weights)
        return found if found is not None else self.enumeration(slots, weights)

    def fixed_points(self, slots: Slots, weights: Weights) -> Sum | None:
        """The term whose every card has a rank, so that it ends in one cell; None for other terms."""
        points = [self.points[card_class.rank] if card_class.rank else None for card_class in slots]
        p1, p2, p3, b1, b2, b3 = points
        if p1 is None or p2 is None or b1 is None or b2 is None:
            return None
        player, banker = (p1 + p2) % 10, (b1 + b2) % 10
        drawn = [slots[0], slots[1], slots[3], slots[4]]
        hand, banker_draws = self.courses[player * 10 + banker]
        player_cards = banker_cards = 2
        if hand is Hand.PLAYER:
            if p3 is None:
                return None
            player, player_cards = (player + p3) % 10, 3
            drawn.append(slots[2])
        if hand is Hand.BANKER or (hand is Hand.PLAYER and p3 is not None and banker_draws[p3]):
            if b3 is None:
                return None
            banker, banker_cards = (banker + b3) % 10, 3
            drawn.append(slots[5])
        weight = weights[self.cells.index(cell_of(player, banker, player_cards, banker_cards))]
        ways = draws(drawn) if weight else ()
        return {ways: weight} if ways is not None else None

    def over_after_four(self, weights: Weights) -> bool:
        return not any(weight for weight, length in zip(weights, self.lengths, strict=True) if length > 4)

    def two_pairs(self, player: CardClass, banker: CardClass, weights: Weights) -> Sum | None:
        if not (within(player, banker) or within(banker, player)):
            return None
        table = [0] * 100
        for cell, weight in zip(self.cells, weights, strict=True):
            if weight:
                player_total, banker_total = cell // 40, cell // 4 % 10
                is_player_inner = within(player, banker)
                place = player_total * 10 + banker_total if is_player_inner else banker_total * 10 + player_total
                table[place] = weight
        inner, outer = (player, banker) if within(player, banker) else (banker, player)
        sign, positive = signed(table)
        return {(TwoPairs(inner, outer, positive), *unused(4)): sign}

    def enumeration(self, slots: Slots, weights: Weights) -> Sum:
        # The first two cards of a hand may be swapped, which makes more terms alike.
        player, banker = sorted(slots[0:2], key=by_name), sorted(slots[3:5], key=by_name)
        sign, positive = signed(weights)
        return {(Enumeration((*player, slots[2], *banker, slots[5]), positive),): sign} if any(weights) else {}

    def add_forms(self, signed_sums: Sequence[SignedSum]) -> None:
        """Turns all terms in which one class fills every slot into forms."""
        by_class: dict[CardClass, dict[Weights, None]] = {}
        for slots, weights in chain.from_iterable(signed_sum.items() for signed_sum in signed_sums):
            if slots == (slots[0],) * 6 and slots[0].rank is None:
                by_class.setdefault(slots[0], {})[self.possible(weights)] = None
        for card_class, vectors in by_class.items():
            slots = (card_class,) * 6
            found = self.forms(card_class, [*vectors])
            if len(forms_in(found)) > len(vectors):
                # Cutting the cells for all weights together may cut too fine; each weight has its own cut then.
                apiece = [self.forms(card_class, [weights])[0] for weights in vectors]
                found = min(found, apiece, key=cost)
            self.known.update(((slots, weights), each) for weights, each in zip(vectors, found, strict=True))

    def forms(self, card_class: CardClass, vectors: list[Weights]) -> list[Sum]:
        """Each of the weights as a sum of forms, the cells cut into sets that no weight tells apart."""
        # The cards that a round leaves undrawn come from the whole shoe: with another class, lengths stay apart.
        kept_apart = [0] * len(self.cells) if card_class == ANY_CARD else self.lengths
        cells: dict[tuple[Weights, int], list[int]] = {}
        sizes: dict[tuple[Weights, int], int] = {}
        for cell, length, key in zip(
            self.cells, self.lengths, zip(zip(*vectors, strict=True), kept_apart, strict=True), strict=True
        ):
            cells.setdefault(key, []).append(cell)
            sizes[key] = max(sizes.get(key, 0), length)
        counted = {key: self.rounds_or_form(card_class, sizes[key], tuple(each)) for key, each in cells.items()}
        values: dict[tuple[Weights, int], Sum] = {
            key: {(quantity, *unused(sizes[key])): 1} for key, quantity in counted.items()
        }
        longest = [key for key, size in sizes.items() if size == 6]
        if longest and all(any(column) for column, _ in longest):
            # All draws of six of the class are known: what is not in the other sets of cells is in the last.
            last = max(longest, key=lambda key: len(cells[key]))
            values[last] = {falling(card_class, 0, 6): 1}
            for key, quantity in counted.items():
                if key != last:
                    values[last][quantity, *falling(card_class, sizes[key], 6 - sizes[key])] = -1
        found: list[Sum] = []
        for place in range(len(vectors)):
            total: Sum = {}
            for (column, _), value in values.items():
                if column[place]:
                    for term, coefficient in value.items():
                        total[term] = total.get(term, 0) + column[place] * coefficient
            found.append({term: coefficient for term, coefficient in total.items() if coefficient})
        return found

    def rounds_or_form(self, card_class: CardClass, size: int, cells: tuple[int, ...]) -> Rounds | Form:
        is_every = size < 6 and cells == self.by_length[size]
        return Rounds(card_class, size) if is_every else Form(card_class, size, cells)


def forms_in(sums: list[Sum]) -> set[Form]:
    return {quantity for each in sums for term in each for quantity in term if isinstance(quantity, Form)}


def cost(sums: list[Sum]) -> int:
    """How many coefficients the forms of the sums have."""
    return sum(COEFFICIENTS[form.size] for form in forms_in(sums))


def signed(weights: Sequence[int]) -> tuple[int, Weights]:
    """The weights with the first that is not zero made positive, and its sign."""
    first = next((weight for weight in weights if weight), 1)
    return (1, tuple(weights)) if first > 0 else (-1, tuple(-weight for weight in weights))
