"""How far a wager can be beaten by watching the cards: its exact expected value before every round of simulated shoes.

The patron sees every card but those burned face down. What has not been seen is as likely to be dealt as to be burned
or to lie behind the cut card, so the expected value of the next round is that of the unseen cards, exactly. Only the
order of the cards is simulated: shuffled by `random.Random(seed)`, shoe after shoe, so that a seed gives the same
study on every machine, and a longer study begins like a shorter one.
"""

import random
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from math import fsum, lcm, sqrt

from puntobanco.cards import Card, Shoe
from puntobanco.dealing import AT_A_TABLE, CARDS_FOR_A_ROUND, ROUNDS_AFTER_THE_CUT_CARD, BurnAndCut
from puntobanco.odds import compiled_counter
from puntobanco.odds.exact_counter import Counter, falling
from puntobanco.odds.removal import suits_read
from puntobanco.odds.terms import courses, plan_wager
from puntobanco.rules.game import Game
from puntobanco.strategies.linear_count import LinearCount, correlation_of, slope_of
from puntobanco.tableau import Hand, Tableau

DEPTHS = 10
"""How many slices of the shoe the findings are given for."""


class ExpectedValue:
    """The expected value of one wager, exactly, from as many compositions as one likes."""

    def __init__(self, game: Game, wager: str, stake: int | None = None) -> None:
        self.game = game
        self.plan = plan_wager(game, game.paytables[wager])
        paytable, outcomes = self.plan.wager, self.plan.outcomes
        if stake is None:
            gains = [paytable.net_per_unit(outcome) for outcome in outcomes]
        else:
            rounding = game.reading["rounding"]
            gains = [Fraction(paytable.net(outcome, stake, rounding), stake) for outcome in outcomes]
        # What each outcome leaves of one unit staked: the stake itself and the winnings.
        returns = [1 + gain for gain in gains]
        self.scale = lcm(*(each.denominator for each in returns))
        self.weights = [int(each * self.scale) for each in returns]
        is_compiled = compiled_counter.available
        self.program = compiled_counter.Program([self.plan], game.tableau, game.pack) if is_compiled else None

    def of(self, shoe: Shoe) -> Fraction:
        """From this shoe, as a fraction."""
        ((numerator, denominator),) = self.of_many([bytes(shoe.counts)])
        return Fraction(numerator, denominator)

    def of_many(self, compositions: Sequence[bytes]) -> list[tuple[int, int]]:
        """Numerators and denominators, from counts by the card's index; each of six cards or more."""
        if self.program is not None:
            counted = self.program.counts_many(b"".join(compositions))
        else:
            counted = [None] * len(compositions)
        found = []
        for composition, counts in zip(compositions, counted, strict=True):
            if counts is None:
                counter = Counter(self.game.tableau, Shoe(self.game.pack, tuple(composition)))
                counts = [counter.count(signed_sum) for signed_sum in self.plan.sums]
            total = self.scale * falling(sum(composition), 6)
            returned = sum(weight * count for weight, count in zip(self.weights, counts, strict=True))
            found.append((returned - total, total))
        return found


def effects_of_removal(value: ExpectedValue, shoe: Shoe) -> dict[Card, Fraction]:
    """What the removal of each card from a full shoe does to the wager."""
    named = suits_read([value.plan.wager]) or frozenset()
    whole = value.of(shoe)
    known: dict[tuple[str, str], Fraction] = {}
    found = {}
    for card in shoe.pack.cards:
        # From a full shoe, suits that the wager does not name can be exchanged for each other.
        kind = card.rank, card.suit if card.suit in named else ""
        if kind not in known:
            known[kind] = value.of(shoe.without([card])) - whole
        found[card] = known[kind]
    return found


def rounds_in(cards: Sequence[Card], tableau: Tableau, dealing: BurnAndCut = AT_A_TABLE) -> list[range]:
    """Where the cards of each round lie in a shoe that is dealt so."""
    course = courses(tableau)
    found: list[range] = []
    place = 1 + dealing.burned_after(cards[0]) if dealing.burns else 0
    rounds_left = ROUNDS_AFTER_THE_CUT_CARD if dealing.cut_card_is_out(len(cards) - place) else None
    while rounds_left != 0 and len(cards) - place >= CARDS_FOR_A_ROUND:
        first, second, third, fourth = [card.points for card in cards[place : place + 4]]
        hand, banker_draws = course[(first + third) % 10 * 10 + (second + fourth) % 10]
        used = 4
        if hand is not None:
            used = 6 if hand is Hand.PLAYER and banker_draws[cards[place + 4].points] else 5
        found.append(range(place, place + used))
        place += used
        if rounds_left is not None:
            rounds_left -= 1
        elif dealing.cut_card_is_out(len(cards) - place):
            rounds_left = ROUNDS_AFTER_THE_CUT_CARD
    return found


@dataclass(frozen=True)
class DealtShoe:
    """A simulated shoe: what was known before each of its rounds."""

    values: Sequence[float]
    """The expected value of the wager; it is above zero exactly if the exact value is."""
    true_counts: Sequence[float]
    seen: Sequence[int]
    """How many cards had been seen."""


@dataclass(frozen=True)
class Play:
    """What comes of staking one unit on some of the rounds, in expectation."""

    bets: int
    units: float
    """Over all shoes."""
    units_per_shoe: float
    standard_error: float | None
    """Of the units per shoe, from the spread between shoes; one shoe has none."""
    value_when_betting: float | None


@dataclass(frozen=True)
class Depth:
    """One slice of the shoe, by the share of its cards that had been seen."""

    from_share: float
    to_share: float
    rounds: int
    mean: float
    lowest: float
    highest: float
    favourable: int
    units_per_shoe: float


@dataclass(frozen=True)
class CountPlay:
    """The linear count against perfect play, judged on the same shoes that its threshold was found on."""

    threshold: float | None
    """The true count from which to bet; None where no threshold would have won."""
    play: Play
    betting_correlation: float | None
    """Of the true count with the exact value, over all rounds."""
    slope: float | None
    """What one more in the true count adds to the expected value, by least squares."""
    efficiency: float | None
    """The share that the count wins of what perfect play wins."""


class CountingStudy:
    """Simulated shoes of one wager; deal as many as wanted and ask for the findings at any time."""

    def __init__(
        self,
        game: Game,
        wager: str,
        *,
        decks: int,
        seed: int,
        dealing: BurnAndCut = AT_A_TABLE,
        stake: int | None = None,
    ) -> None:
        self.game, self.wager, self.stake = game, game.paytables[wager], stake
        self.decks, self.dealing, self.seed = decks, dealing, seed
        self.full_shoe = Shoe.full(game.pack, decks)
        self.value = ExpectedValue(game, wager, stake)
        self.full_shoe_value = self.value.of(self.full_shoe)
        self.effects = effects_of_removal(self.value, self.full_shoe)
        self.count = LinearCount.following(self.effects, decks)
        self.shoes: list[DealtShoe] = []
        self._random = random.Random(seed)
        self._cards = [card for card in game.pack.cards for _ in range(decks)]

    def deal_shoe(self) -> None:
        """Shuffle and deal one more shoe."""
        cards = [*self._cards]
        self._random.shuffle(cards)
        left = bytearray(self.full_shoe.counts)
        running, seen = self.count.start, 0
        compositions: list[bytes] = []
        true_counts, seen_before = array("d"), array("i")

        def see(shown: Iterable[Card]) -> None:
            nonlocal running, seen
            for card in shown:
                left[card.index] -= 1
                running += self.count.tags[card]
                seen += 1

        if self.dealing.burns:
            see(cards[:1])
        for dealt in rounds_in(cards, self.game.tableau, self.dealing):
            compositions.append(bytes(left))
            # By decks that are left unseen.
            true_counts.append(running * len(self.game.pack) / (len(cards) - seen))
            seen_before.append(seen)
            see(cards[dealt.start : dealt.stop])
        values = array("d", [numerator / total for numerator, total in self.value.of_many(compositions)])
        # In one step, so that a study that is interrupted holds whole shoes.
        self.shoes.append(DealtShoe(values, true_counts, seen_before))

    @property
    def rounds(self) -> int:
        return sum(len(shoe.values) for shoe in self.shoes)

    def values(self) -> list[float]:
        """The exact value before every round of every shoe."""
        return [value for shoe in self.shoes for value in shoe.values]

    def _play(self, bets_of: Sequence[Sequence[float]]) -> Play:
        """From the expected values that are bet on, shoe by shoe."""
        won = [fsum(values) for values in bets_of]
        bets, units, shoes = sum(map(len, bets_of)), fsum(won), len(won)
        mean = units / shoes
        variance = fsum((each - mean) ** 2 for each in won) / (shoes - 1) if shoes > 1 else 0.0
        return Play(bets, units, mean, sqrt(variance / shoes) if shoes > 1 else None, units / bets if bets else None)

    def every_round(self) -> Play:
        """Betting on every round, whatever is known."""
        return self._play([shoe.values for shoe in self.shoes])

    def perfect_play(self) -> Play:
        """Betting exactly on the rounds that favour the patron."""
        return self._play([[value for value in shoe.values if value > 0] for shoe in self.shoes])

    def count_play(self) -> CountPlay:
        """Betting from the true count that would have won most on these very shoes."""
        pairs = [pair for shoe in self.shoes for pair in zip(shoe.true_counts, shoe.values, strict=True)]
        threshold, best, total = None, 0.0, 0.0
        for true_count, group in groupby(sorted(pairs, reverse=True), key=lambda pair: pair[0]):
            total += fsum(value for _, value in group)
            if total > best:
                threshold, best = true_count, total
        play = self._play(
            [
                [
                    value
                    for true_count, value in zip(shoe.true_counts, shoe.values, strict=True)
                    if threshold is not None and true_count >= threshold
                ]
                for shoe in self.shoes
            ]
        )
        perfect = self.perfect_play().units
        true_counts, values = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
        return CountPlay(
            threshold,
            play,
            correlation_of(true_counts, values),
            slope_of(true_counts, values),
            play.units / perfect if perfect else None,
        )

    def depths(self) -> list[Depth]:
        """The findings slice by slice; slices in which no round began are left out."""
        size = self.full_shoe.size
        slices: list[list[float]] = [[] for _ in range(DEPTHS)]
        for shoe in self.shoes:
            for seen, value in zip(shoe.seen, shoe.values, strict=True):
                slices[seen * DEPTHS // size].append(value)
        return [
            Depth(
                place / DEPTHS,
                (place + 1) / DEPTHS,
                len(values),
                fsum(values) / len(values),
                min(values),
                max(values),
                sum(value > 0 for value in values),
                fsum(value for value in values if value > 0) / len(self.shoes),
            )
            for place, values in enumerate(slices)
            if values
        ]
