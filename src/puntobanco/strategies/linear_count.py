"""Counts that a person can keep: a small whole number for each card, added up as the cards are seen."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import fsum, sqrt

from puntobanco.cards import Card

LARGEST_TAG = 9
ENOUGH_CORRELATION = 0.98
"""The tags are the smallest whole numbers that follow the effects of removal so closely, if any up to nine do."""
MORE_FOR_BALANCE = 2
"""How much larger they may be if they then sum to zero over the pack, which spares a start other than zero."""


@dataclass(frozen=True)
class LinearCount:
    """A count that a person can keep: a small whole number for each card that is seen."""

    tags: dict[Card, int]
    start: int
    """Where the running count begins, so that it ends at zero with the last card."""
    correlation: float
    """Of the tags with the effects of removal: one if they were exactly proportional."""

    @classmethod
    def following(cls, effects: dict[Card, Fraction], decks: int) -> "LinearCount":
        """The smallest whole numbers that follow the effects closely enough; balanced ones may be a little larger."""
        exact = [float(effect) for effect in effects.values()]
        steepest = max(map(abs, exact)) or 1.0
        found: list[tuple[int, float, list[int]]] = []
        for largest in range(1, LARGEST_TAG + 1):
            for step in range(-49, 50):
                tags = [round(effect * (largest + step / 100) / steepest) for effect in exact]
                correlation = correlation_of(tags, exact) or 0.0
                found.append((largest if correlation >= ENOUGH_CORRELATION else LARGEST_TAG, -correlation, tags))
        smallest, correlation, tags = min(found)
        balanced = [each for each in found if not sum(each[2]) and each[0] <= smallest + MORE_FOR_BALANCE]
        if balanced and min(balanced)[1] <= -ENOUGH_CORRELATION:
            _, correlation, tags = min(balanced)
        return cls(dict(zip(effects, tags, strict=True)), -decks * sum(tags), -correlation)


def correlation_of(one: Sequence[float], other: Sequence[float]) -> float | None:
    """The correlation of two series; None where one of them does not vary."""
    count = len(one)
    if not count:
        return None
    mean, other_mean = fsum(one) / count, fsum(other) / count
    spread = fsum((value - mean) ** 2 for value in one)
    other_spread = fsum((value - other_mean) ** 2 for value in other)
    if not spread or not other_spread:
        return None
    together = fsum((a - mean) * (b - other_mean) for a, b in zip(one, other, strict=True))
    return together / sqrt(spread * other_spread)


def slope_of(one: Sequence[float], other: Sequence[float]) -> float | None:
    """By how much the other series rises with the one, by least squares."""
    mean, other_mean = fsum(one) / len(one), fsum(other) / len(other)
    spread = fsum((value - mean) ** 2 for value in one)
    if not spread:
        return None
    return fsum((a - mean) * (b - other_mean) for a, b in zip(one, other, strict=True)) / spread
