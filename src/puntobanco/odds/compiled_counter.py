"""The compiled counter: plans become a program of the kernel, which counts what `exact_counter.Counter` counts.

Where there was no compiler the module that runs programs is missing: `available` is False, and the pure-Python
counter serves.
"""

from array import array
from collections.abc import Sequence
from itertools import chain

from puntobanco.cards import Pack
from puntobanco.odds.quantities import (
    COEFFICIENTS,
    Enumeration,
    Falling,
    Form,
    OutcomeSums,
    Part,
    Product,
    Quantity,
    Rounds,
    Sum,
    TwoPairs,
)
from puntobanco.odds.terms import ANY_CARD, POINT_CELLS, CardClass, WagerPlan, courses
from puntobanco.tableau import Hand, Tableau

try:
    from puntobanco._odds_kernel import Program as CompiledProgram
except ImportError:
    available = False
else:
    available = True


class Writer:
    """Writes sums of products as the numbers that the kernel reads, in the order in which it reads them."""

    def __init__(self, outcome_sums: OutcomeSums, tableau: Tableau, pack: Pack) -> None:
        self.cells = outcome_sums.cells
        self.cards = pack.cards
        self.classes: dict[CardClass, int] = {ANY_CARD: 0}
        self.places: dict[Quantity, int] = {}
        outcomes = [self.in_parts(each) for each in outcome_sums.sums]
        quantities = dict.fromkeys(quantity for each in outcomes for term in each for quantity in term)
        parts = [quantity for quantity in quantities if isinstance(quantity, Part)]
        found = [*dict.fromkeys(chain(quantities, *(term for part in parts for term, _ in part.products)))]
        written = [
            self.fallings([each for each in found if isinstance(each, Falling)]),
            self.forms([each for each in found if isinstance(each, Form)]),
            self.rounds([each.card_class for each in found if isinstance(each, Rounds)]),
            self.two_pairs([each for each in found if isinstance(each, TwoPairs)]),
            self.enumerations([each for each in found if isinstance(each, Enumeration)]),
            self.sums(parts, outcomes),
        ]
        numbers = [len(pack), *(card.points for card in pack.cards)]
        for hand, banker_draws in courses(tableau):
            numbers.append(0 if hand is None else 1 if hand is Hand.PLAYER else 2)
            numbers.append(sum(drawn << value for value, drawn in enumerate(banker_draws)))
        numbers.append(len(self.classes))
        for card_class in self.classes:
            cards = [card.index for card in pack.cards if card_class.holds(card)]
            numbers += len(cards), *cards
        self.numbers = array("i", chain(numbers, *written))

    def in_parts(self, total: Sum) -> Sum:
        """The same sum with its products grouped by their factors of any card, which many have in common."""
        groups: dict[Product, Sum] = {}
        for term, coefficient in total.items():
            common: Product = tuple(each for each in term if isinstance(each, Falling) and each.card_class == ANY_CARD)
            special: Product = tuple(each for each in term if each not in common)
            groups.setdefault(common, {})[special] = coefficient
        found: Sum = {}
        for common, group in groups.items():
            if len(group) == 1:
                ((special, coefficient),) = group.items()
                found[*special, *common] = coefficient
            else:
                found[Part(frozenset(group.items())), *common] = 1
        return found

    def place(self, quantity: Quantity) -> None:
        self.places[quantity] = len(self.places)

    def class_place(self, card_class: CardClass) -> int:
        return self.classes.setdefault(card_class, len(self.classes))

    def fallings(self, fallings: list[Falling]) -> list[int]:
        numbers = [len(fallings)]
        for each in fallings:
            self.place(each)
            numbers += self.class_place(each.card_class), each.offset, each.length
        return numbers

    def forms(self, forms: list[Form]) -> list[int]:
        """Sets of forms that exclude each other, and then the classes to which each set is applied."""
        sets: dict[tuple[int, tuple[tuple[int, ...], ...]], int] = {}
        applications: list[int] = []
        for card_class in dict.fromkeys(each.card_class for each in forms):
            for size in COEFFICIENTS:
                left = [each for each in forms if each.card_class == card_class and each.size == size]
                while left:
                    taken: list[Form] = []
                    for each in left:
                        if all(set(each.cells).isdisjoint(other.cells) for other in taken):
                            taken.append(each)
                            self.place(each)
                    left = [each for each in left if each not in taken]
                    key = size, tuple(each.cells for each in taken)
                    applications += self.class_place(card_class), sets.setdefault(key, len(sets))
        numbers = [len(sets)]
        for size, labels in sets:
            label_of = [-1] * POINT_CELLS
            for label, cells in enumerate(labels):
                for cell in cells:
                    label_of[cell] = label
            numbers += size, len(labels), *label_of
        return [*numbers, len(applications) // 2, *applications]

    def rounds(self, classes: list[CardClass]) -> list[int]:
        """The classes; the kernel counts rounds of four cards and of five of each."""
        distinct = [*dict.fromkeys(classes)]
        for card_class in distinct:
            self.place(Rounds(card_class, 4))
            self.place(Rounds(card_class, 5))
        return [len(distinct), *map(self.class_place, distinct)]

    def two_pairs(self, two_pairs: list[TwoPairs]) -> list[int]:
        numbers = [len(two_pairs)]
        for each in two_pairs:
            self.place(each)
            numbers += self.class_place(each.inner), self.class_place(each.outer), *each.weights
        return numbers

    def enumerations(self, enumerations: list[Enumeration]) -> list[int]:
        numbers = [len(enumerations)]
        for each in enumerations:
            self.place(each)
            weights = [0] * POINT_CELLS
            for cell, weight in zip(self.cells, each.weights, strict=True):
                weights[cell] = weight
            numbers += *map(self.class_place, each.slots), *weights
        return numbers

    def sums(self, parts: list[Part], outcomes: list[Sum]) -> list[int]:
        """The parts, the distinct outcomes, and then the place of each outcome."""
        sums: dict[Part, None] = dict.fromkeys(parts)
        results = [Part(frozenset(outcome.items())) for outcome in outcomes]
        sums.update(dict.fromkeys(results))
        numbers = [len(sums), sum(len(each.products) for each in sums)]
        for each in sums:
            numbers.append(len(each.products))
            for term, coefficient in each.products:
                numbers += coefficient, len(term), *(self.places[quantity] for quantity in term)
            self.place(each)
        return [*numbers, len(results), *(self.places[each] for each in results)]


class Program:
    """The counts of all outcomes of a plan, from whole shoes of one pack under one tableau."""

    def __init__(self, plans: Sequence[WagerPlan], tableau: Tableau, pack: Pack) -> None:
        outcome_sums = OutcomeSums([signed_sum for plan in plans for signed_sum in plan.sums], tableau, pack)
        self._program = CompiledProgram(Writer(outcome_sums, tableau, pack).numbers)
        self._cards = len(pack)
        self.outcomes = self._program.outcomes

    def counts(self, shoe_counts: Sequence[int] | bytes) -> list[int] | None:
        """In how many draws of six cards each outcome of each wager happens, in the plan's order.

        None if the shoe has more cards of a value than ten packs of 65, or fewer than six cards in all.
        """
        try:
            return self._program.counts(bytes(shoe_counts))
        except ValueError:
            if len(shoe_counts) == self._cards:
                return None
            raise

    def counts_many(self, compositions: bytes | bytearray | memoryview) -> list[list[int] | None]:
        """The counts of many compositions: rows of one byte a card, by the card's index in the pack."""
        rows = len(compositions) // self._cards
        numbers = array("q", bytes(8 * rows * self.outcomes))
        self.counts_into(compositions, numbers)
        lists = [[*numbers[start : start + self.outcomes]] for start in range(0, len(numbers), self.outcomes)]
        return [None if -1 in each else each for each in lists]

    def counts_into(
        self, compositions: bytes | bytearray | memoryview, counts: "bytearray | memoryview | array[int]"
    ) -> int:
        """The same into room for signed 64-bit integers; a refused row is filled with -1. Returns how many are."""
        return self._program.counts_into(compositions, counts)
