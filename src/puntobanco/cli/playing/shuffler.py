"""Shuffling the shoes of a session, so that each can be shuffled again."""

from collections import deque
from random import Random, SystemRandom

from puntobanco.cards import Card, Shoe

SEED_BITS = 32
"""A seed of so many is short enough to be copied by hand."""


class Shuffler:
    """Shuffles all shoes from the seed given, or each from a seed of its own, which is told when the shoe is over."""

    def __init__(self, seed: int | None) -> None:
        self._random = None if seed is None else Random(seed)
        self._seed_to_tell: int | None = None

    def shuffled(self, shoe: Shoe) -> deque[Card]:
        cards = [card for card, count in zip(shoe.pack.cards, shoe.counts, strict=True) for _ in range(count)]
        if self._random is None:
            # One seed for all the shoes would, told after the first, give the others away.
            self._seed_to_tell = SystemRandom().getrandbits(SEED_BITS)
        random = self._random or Random(self._seed_to_tell)
        random.shuffle(cards)
        return deque(cards)

    def seed_to_tell(self) -> int | None:
        """The seed of the shoe that is over, once, where the patron did not choose it."""
        seed, self._seed_to_tell = self._seed_to_tell, None
        return seed
