"""Exact counting in pure Python: the reference for the kernel, and its stand-in where there is none.

A round is counted as an ordered draw of six cards, those that it does not need included, so that every
count has the same total: N (N-1) .. (N-5). Cards of the same value and the same standing towards the
classes of the slots are interchangeable, so groups of cards are enumerated, never cards.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import product

from puntobanco.cards import Shoe
from puntobanco.odds.position import NOTHING_SEEN, Position
from puntobanco.odds.terms import (
    ANY_CARD,
    ANY_SLOTS,
    POINT_CELLS,
    CardClass,
    SignedSum,
    Slots,
    apart,
    courses,
    ends,
    possible_cells,
    within,
)
from puntobanco.tableau import Hand, Tableau


def falling(count: int, factors: int) -> int:
    """count (count - 1) .., so many factors."""
    result = 1
    for taken in range(factors):
        result *= count - taken
    return result


class Counter:
    """Counts signed sums of one tableau from one shoe, with some cards already seen."""

    def __init__(self, tableau: Tableau, shoe: Shoe, seen: Position = NOTHING_SEEN) -> None:
        self.tableau = tableau
        self.seen = seen
        self.pack = shoe.pack
        self.counts = shoe.counts
        self.size = shoe.size
        self.total = falling(self.size, 6 - len(seen))
        # How many ways the cards that a round of so many cards leaves undrawn can follow.
        self.unused = {cards: falling(self.size - cards + len(seen), 6 - cards) for cards in (4, 5, 6)}
        self._histograms: dict[object, list[int]] = {}

    def count(self, signed_sum: SignedSum) -> int:
        """In how many draws of six cards the sum holds."""
        return sum(self._term(slots, weights) for slots, weights in signed_sum.items())

    def _term(self, slots: Slots, weights: Sequence[int]) -> int:
        if slots[2] == slots[5] == ANY_CARD:
            distinct = {weights[cell] for cell in possible_cells(self.tableau)}
            if len(distinct) == 1:
                # Whatever the points: only the first two cards of each hand are looked at.
                return distinct.pop() * self._initial_cards(slots)
        histogram = self._histogram(slots, weights)
        return sum(weight * histogram[cell] for cell, weight in enumerate(weights) if weight)

    def _initial_cards(self, slots: Slots) -> int:
        ways = 1
        drawn: list[CardClass] = []
        free = 6 - len(self.seen)
        # The narrowest classes first: each later class then holds all or none of what was drawn.
        for slot in sorted((0, 1, 3, 4), key=lambda slot: (slots[slot].rank is None) + (slots[slot].suit is None)):
            card_class = slots[slot]
            if slot in self.seen:
                ways *= card_class.holds(self.seen[slot])
            elif card_class != ANY_CARD:
                inside = sum(within(earlier, card_class) for earlier in drawn)
                ways *= max(self._class_count(card_class) - inside, 0)
                drawn.append(card_class)
                free -= 1
        if not all(within(a, b) or within(b, a) or apart(a, b) for a, b in product(drawn, repeat=2)):
            return sum(self._histogram(slots, (1,) * POINT_CELLS))
        return ways * falling(self.size - len(drawn), free)

    def _class_count(self, card_class: CardClass) -> int:
        return sum(count for card, count in zip(self.pack.cards, self.counts, strict=True) if card_class.holds(card))

    def _histogram(self, slots: Slots, weights: Sequence[int]) -> list[int]:
        """How often each cell that matters happens when the slots are filled from their classes."""
        groups, values = self._groups(slots)
        wanted = frozenset(cell for cell, weight in enumerate(weights) if weight)
        key = (tuple(groups.items()), tuple(slots[slot].holds(card) for slot, card in self.seen.items()), wanted)
        full = (key[0], key[1], frozenset(range(POINT_CELLS)))
        for known in (key, full):
            if known in self._histograms:
                return self._histograms[known]
        if slots == ANY_SLOTS:
            key, wanted = full, full[2]
        histogram = self._histograms[key] = self._enumerate(slots, groups, values, wanted)
        return histogram

    def _groups(self, slots: Slots) -> tuple[dict[tuple[int, tuple[bool, ...]], int], tuple[int, ...]]:
        """Cards grouped by value and by which slots they may fill."""
        found: dict[tuple[int, tuple[bool, ...]], int] = {}
        classes = list(dict.fromkeys(slots))
        places = [classes.index(card_class) for card_class in slots]
        for card, count in zip(self.pack.cards, self.counts, strict=True):
            if count:
                standing = [card_class.holds(card) for card_class in classes]
                if any(standing):
                    group = card.points, tuple([standing[place] for place in places])
                    found[group] = found.get(group, 0) + count
        return found, tuple(places)

    def _options(
        self, groups: Iterable[tuple[int, tuple[bool, ...]]], slots: Slots, slot: int
    ) -> list[tuple[int, int]]:
        """What can fill the slot: (place of the group, value); place -1 is a card already seen."""
        if slot in self.seen:
            card = self.seen[slot]
            return [(-1, card.points)] if slots[slot].holds(card) else []
        return [(place, value) for place, (value, fits) in enumerate(groups) if fits[slot]]

    def _pairs(
        self, options: Sequence[list[tuple[int, int]]], same_class: bool
    ) -> list[tuple[int, int, int, int, int]]:
        """Fillings of two slots as (place, place, value, value, orders); unordered where both slots are alike."""
        first, second = options
        if not same_class or first != second or (first and first[0][0] == -1):
            return [(g, h, v, w, 1) for (g, v), (h, w) in product(first, second)]
        return [
            (g, h, v, w, 1 if place == other else 2)
            for place, (g, v) in enumerate(first)
            for other, (h, w) in enumerate(first)
            if place <= other
        ]

    def _enumerate(
        self,
        slots: Slots,
        groups: Mapping[tuple[int, tuple[bool, ...]], int],
        places: tuple[int, ...],
        wanted: frozenset[int],
    ) -> list[int]:
        histogram = [0] * POINT_CELLS
        remaining = [*groups.values(), 1]  # The last stands for a card already seen: one way, never used up.
        options = [self._options(groups, slots, slot) for slot in range(6)]
        players = self._pairs(options[0:2], places[0] == places[1])
        bankers = self._pairs(options[3:5], places[3] == places[4])
        reachable = _reachable(self.tableau, wanted)
        unused_four, unused_five, unused_six = self.unused[4], self.unused[5], self.unused[6]
        round_courses = courses(self.tableau)
        for g1, g2, v1, v2, player_orders in players:
            player_total = (v1 + v2) % 10
            player_ways = player_orders * remaining[g1]
            if g1 >= 0:
                remaining[g1] -= 1
            player_ways *= remaining[g2]
            if g2 >= 0:
                remaining[g2] -= 1
            if player_ways > 0:
                for h1, h2, w1, w2, banker_orders in bankers:
                    banker_total = (w1 + w2) % 10
                    if not reachable[player_total * 10 + banker_total]:
                        continue
                    ways = player_ways * banker_orders * remaining[h1]
                    if h1 >= 0:
                        remaining[h1] -= 1
                    ways *= remaining[h2]
                    if h2 >= 0:
                        remaining[h2] -= 1
                    if ways > 0:
                        cell = (player_total * 10 + banker_total) * 4
                        hand, banker_draws = round_courses[player_total * 10 + banker_total]
                        if hand is None:
                            histogram[cell] += ways * unused_four
                        elif hand is Hand.BANKER:
                            for group, value in options[5]:
                                last = (player_total * 10 + (banker_total + value) % 10) * 4 + 1
                                histogram[last] += ways * remaining[group] * unused_five
                        else:
                            for group, value in options[2]:
                                third_ways = ways * remaining[group]
                                if third_ways <= 0:
                                    continue
                                row = (player_total + value) % 10 * 10
                                if not banker_draws[value]:
                                    histogram[(row + banker_total) * 4 + 2] += third_ways * unused_five
                                    continue
                                if group >= 0:
                                    remaining[group] -= 1
                                third_ways *= unused_six
                                for last_group, last_value in options[5]:
                                    last = (row + (banker_total + last_value) % 10) * 4 + 3
                                    histogram[last] += third_ways * remaining[last_group]
                                if group >= 0:
                                    remaining[group] += 1
                    if h2 >= 0:
                        remaining[h2] += 1
                    if h1 >= 0:
                        remaining[h1] += 1
            if g2 >= 0:
                remaining[g2] += 1
            if g1 >= 0:
                remaining[g1] += 1
        return histogram


@lru_cache(maxsize=256)
def _reachable(tableau: Tableau, wanted: frozenset[int]) -> tuple[bool, ...]:
    """By both two-card totals: whether a round that begins so can end in a wanted cell."""
    return tuple(bool(cells & wanted) for cells in ends(tableau))
