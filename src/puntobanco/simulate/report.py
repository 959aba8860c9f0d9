"""What was simulated beside what is exact: frequencies, confidence intervals and z-scores.

The variance of a count is taken as binomial, that of a mean as the exact variance of a round over the rounds. The
rounds of one shoe share its cards, so this is nearly right and not quite: docs/simulation.md says how nearly.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import exp, inf, sqrt

from puntobanco.odds.pricing import LineOdds, Odds, WagerOdds
from puntobanco.odds.report import exact
from puntobanco.provenance import Provenance
from puntobanco.simulate.jobs import Tally

WITHIN = 1.959963984540054
"""How many standard errors to either side an interval of 95% confidence reaches."""
IMPROBABLE = 4.0
"""Beyond this a z-score is flagged: chance alone goes so far once in 15,787 times."""
FEW = 100
"""Below so many expected rounds a count is not near enough to normal, and its exact tail is taken instead."""
MOST_SKEW = 1 / sqrt(FEW)


def wilson_interval(count: int, trials: int) -> tuple[float, float]:
    """The 95% confidence interval of a share, by Wilson; it ends at 0 or 1 exactly where all trials were alike.

    >>> wilson_interval(0, 1000)[0], wilson_interval(1000, 1000)[1]
    (0.0, 1.0)
    """
    share, spread = count / trials, WITHIN**2 / trials
    middle = (share + spread / 2) / (1 + spread)
    half = sqrt(spread * share * (1 - share) + spread**2 / 4) / (1 + spread)
    # At either end rounding must not shut out the share itself.
    return 0.0 if count == 0 else middle - half, 1.0 if count == trials else middle + half


@dataclass(frozen=True)
class LineComparison:
    """How often a line held, beside how often it should."""

    odds: LineOdds
    count: int
    rounds: int

    @property
    def frequency(self) -> float:
        return self.count / self.rounds

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% confidence interval of the probability, by Wilson: right for a line that never held, too."""
        return wilson_interval(self.count, self.rounds)

    @cached_property
    def z(self) -> float:
        """How many standard errors the count is off; for a rare line, those that are as improbable."""
        expected = self.rounds * self.odds.probability
        variance = float(expected * (1 - self.odds.probability))
        away = float(self.count - expected)
        if not variance:
            return away and inf * away
        if expected < FEW:
            return poisson_z(self.count, float(expected))
        if self.rounds - expected < FEW:
            return -poisson_z(self.rounds - self.count, float(self.rounds - expected))
        return away / sqrt(variance)

    @property
    def improbable(self) -> bool:
        return abs(self.z) > IMPROBABLE


@dataclass(frozen=True)
class WagerComparison:
    """What a unit on every round won, beside its expected value; fixed amounts are left out of both."""

    odds: WagerOdds
    lines: tuple[LineComparison, ...]
    """Every line, then every bonus, as in `WagerOdds.lines`."""
    net: Fraction
    rounds: int

    @property
    def ev(self) -> Fraction:
        return self.net / self.rounds

    @property
    def standard_error(self) -> float:
        """Of the simulated expected value, from the exact variance of a round."""
        return self.odds.standard_deviation / sqrt(self.rounds)

    @property
    def half_interval(self) -> float:
        """How far the 95% confidence interval of the expected value reaches to either side."""
        return WITHIN * self.standard_error

    @property
    def z(self) -> float:
        away = float(self.ev - self.odds.ev)
        return away / self.standard_error if self.standard_error else away and inf * away

    @cached_property
    def normal(self) -> bool:
        """Whether there were rounds enough for the mean to be near normal; large payments that are rare need many."""
        variance = float(self.odds.variance)
        if not variance:
            return True
        cubed = Fraction(-1 - self.odds.ev) ** 3 * self.odds.lost
        for outcome, count in self.odds.outcomes:
            cubed += (self.odds.wager.net_per_unit(outcome) - self.odds.ev) ** 3 * count
        skew = abs(float(cubed / self.odds.total)) / sqrt(variance) ** 3
        return skew / sqrt(self.rounds) < MOST_SKEW

    @property
    def improbable(self) -> bool:
        return self.normal and abs(self.z) > IMPROBABLE


@dataclass(frozen=True)
class Comparison:
    """Every wager of a game, as simulated and as exact."""

    tally: Tally
    wagers: dict[str, WagerComparison]

    @property
    def rounds(self) -> int:
        return self.tally.rounds

    @property
    def standard_error(self) -> float:
        """The largest of any wager's expected value."""
        return max(wager.standard_error for wager in self.wagers.values())

    @property
    def improbable(self) -> int:
        """How many z-scores are flagged."""
        lines = [line.improbable for wager in self.wagers.values() for line in wager.lines]
        return sum(lines) + sum(wager.improbable for wager in self.wagers.values())


def compare(tally: Tally, odds: Odds) -> Comparison:
    """The tally of one round at least beside the exact odds of its shoe."""
    wagers = {
        name: WagerComparison(
            priced,
            tuple(
                LineComparison(line, count, tally.rounds)
                for line, count in zip(priced.lines, tally.lines[name], strict=True)
            ),
            tally.net(name),
            tally.rounds,
        )
        for name, priced in odds.wagers.items()
    }
    return Comparison(tally, wagers)


def rounds_for(odds: Odds, standard_error: float) -> int:
    """How many rounds bring the largest standard error of an expected value below this one."""
    variance = max(wager.variance for wager in odds.wagers.values())
    return int(variance / Fraction(standard_error) ** 2) + 1


def poisson_z(count: int, expected: float) -> float:
    """The normal deviate whose tail is as probable as so rare a count; half of the count itself is in the tail.

    >>> round(poisson_z(0, 0.01), 2), round(poisson_z(1, 0.01), 2)
    (-0.01, 2.58)
    """
    from statistics import NormalDist  # Slow to load, and only needed for rare lines.

    normal = NormalDist()
    term = exp(-expected)
    below = 0.0
    for place in range(count):
        below += term
        term *= expected / (place + 1)
    if count <= expected:
        return normal.inv_cdf(below + term / 2)
    tail, place = term / 2, count
    while term > tail * 1e-17:
        place += 1
        term *= expected / place
        tail += term
    # Where the tail is too small for a float to say, the count is far beyond what is asked of it.
    return -normal.inv_cdf(tail) if tail > 0 else (count - expected) / sqrt(expected)


def comparison_json(found: Comparison, made: Provenance, seconds: float) -> dict[str, object]:
    """The comparison as `puntobanco simulate --json` prints it."""
    return {
        "game": found.tally.game.id,
        "decks": made.decks,
        "shoes": found.tally.shoes,
        "rounds": found.rounds,
        "seed": made.seed,
        "seconds": seconds,
        "rounds_per_second": found.rounds / seconds,
        "wagers": {
            name: {
                "lines": [{"line": line.odds.line.label, "count": line.count} for line in wager.lines],
                **exact("ev", wager.ev),
                **exact("exact_ev", wager.odds.ev),
                # JSON has no infinity, which stands for a wager that cannot win otherwise and did.
                "z": wager.z if abs(wager.z) != inf else None,
            }
            for name, wager in found.wagers.items()
        },
        "provenance": made.as_json(),
    }
