"""Simulated figures beside exact ones: intervals that cover, z-scores that mean what they say."""

import doctest
from dataclasses import replace
from fractions import Fraction
from math import comb, inf, isclose, sqrt
from statistics import NormalDist, pvariance

import pytest

from contract.games import every_game
from puntobanco import Game, find_game
from puntobanco.cards import Shoe
from puntobanco.odds import odds
from puntobanco.odds.pricing import LineOdds
from puntobanco.provenance import Provenance
from puntobanco.simulate import jobs, prepare, report, tally
from puntobanco.simulate.report import (
    IMPROBABLE,
    WITHIN,
    LineComparison,
    compare,
    comparison_json,
    poisson_z,
    rounds_for,
)

pytestmark = pytest.mark.filterwarnings("ignore:puntobanco was built without:RuntimeWarning")
SHOES = 2_000 if jobs.available else 20
FIXED = 67
ANY_LINE = odds(find_game("manila")).wagers["tie"].lines[0]


def line(probability: Fraction, count: int, rounds: int) -> LineComparison:
    priced = LineOdds(ANY_LINE.line, False, probability.numerator, probability.denominator)
    return LineComparison(priced, count, rounds)


@every_game
def test_every_line_and_wager_is_compared_and_agrees(game: Game) -> None:
    counted = tally(prepare(game, 1, rounds=FIXED), 0, SHOES)
    found = compare(counted, odds(game))
    assert list(found.wagers) == list(game.paytables)
    for name, wager in found.wagers.items():
        assert tuple(line.count for line in wager.lines) == counted.lines[name]
        assert wager.ev == counted.net(name) / counted.rounds
        assert all(line.rounds == counted.rounds for line in wager.lines)
    assert found.improbable == 0


def test_other_odds_than_those_dealt_are_flagged() -> None:
    game = find_game("manila")
    counted = tally(prepare(game, 1, rounds=FIXED), 0, SHOES)
    other = odds(game, Shoe.of_counts(game.pack, {"Kh": 32, "9s": 32}))
    found = compare(counted, other)
    assert found.wagers["tie"].improbable
    assert found.wagers["tie"].lines[0].z < -IMPROBABLE
    flagged = [line.improbable for wager in found.wagers.values() for line in wager.lines]
    assert found.improbable == sum(flagged) + sum(wager.improbable for wager in found.wagers.values())


def test_z_is_the_distance_in_standard_errors() -> None:
    assert line(Fraction(1, 4), 300, 1000).z == pytest.approx(50 / sqrt(1000 * 0.25 * 0.75))
    assert line(Fraction(1, 4), 200, 1000).z == pytest.approx(-50 / sqrt(1000 * 0.25 * 0.75))
    assert not line(Fraction(1, 4), 304, 1000).improbable
    assert line(Fraction(1, 4), 306, 1000).improbable


def test_what_cannot_happen_is_improbable_when_it_does() -> None:
    assert line(Fraction(0), 0, 1000).z == 0
    assert line(Fraction(0), 1, 1000).z == inf
    assert line(Fraction(1), 1000, 1000).z == 0
    assert line(Fraction(1), 999, 1000).z == -inf
    assert line(Fraction(1), 999, 1000).improbable


@pytest.mark.parametrize("expected", [0.5, 3.0, 20.0])
def test_the_z_of_a_rare_line_has_the_tail_of_its_count(expected: float) -> None:
    rounds = 20_000
    share = Fraction(expected) / rounds
    chances = [comb(rounds, count) * float(share**count) * float(1 - share) ** (rounds - count) for count in range(61)]
    for count in (0, 1, 2, 5, 12, 30, 45):
        below = sum(chances[:count]) + chances[count] / 2
        above = sum(chances[count + 1 :]) + chances[count] / 2
        tail = min(below, above)
        if tail > 1e-9:
            z = line(share, count, rounds).z
            assert NormalDist().cdf(-abs(z)) == pytest.approx(tail, rel=0.05)
            # A line that nearly always holds is the mirror image.
            assert line(1 - share, rounds - count, rounds).z == pytest.approx(-z)


def test_one_hit_of_a_line_that_is_due_once_in_a_hundred_such_runs_is_no_alarm() -> None:
    once = line(Fraction(1, 100_000), 1, 1000)
    assert abs((1 - 0.01) / sqrt(0.01)) > IMPROBABLE
    assert once.z == pytest.approx(2.58, abs=0.01)
    assert not once.improbable


def test_both_ways_to_a_z_meet() -> None:
    for count in (60, 99, 101, 140):
        assert poisson_z(count, 100.0) == pytest.approx((count - 100) / 10, abs=0.5)
    assert poisson_z(10**6, 0.001) > 1000


def test_wilson_intervals_cover_nineteen_times_in_twenty() -> None:
    """Exactly, over all counts that could have come: at every probability between 92% and 98%."""
    assert NormalDist().cdf(WITHIN) - NormalDist().cdf(-WITHIN) == pytest.approx(0.95)
    rounds = 400
    for share in (Fraction(1, 50), Fraction(1, 10), Fraction(9, 20), Fraction(97, 100)):
        covered = 0.0
        for count in range(rounds + 1):
            low, high = line(share, count, rounds).interval
            assert low <= count / rounds <= high
            if low <= share <= high:
                covered += float(comb(rounds, count) * share**count * (1 - share) ** (rounds - count))
        assert 0.92 < covered < 0.98
    assert line(share, 0, rounds).interval[0] == 0
    assert line(share, rounds, rounds).interval[1] == 1


@every_game
def test_outcomes_win_what_the_expected_value_says(game: Game) -> None:
    for wager in odds(game).wagers.values():
        gains = sum((wager.wager.net_per_unit(outcome) * count for outcome, count in wager.outcomes), Fraction(0))
        assert (gains - wager.lost) / wager.total == wager.ev


def test_a_mean_of_rare_and_large_payments_is_not_judged_too_early() -> None:
    priced = odds(find_game("six-star"))
    counted = tally(prepare(find_game("six-star"), 1, rounds=FIXED), 0, 2)
    few = compare(counted, priced).wagers
    assert not few["element-bonus"].normal
    # The same, and as far off as can be: there is nothing to be said yet.
    assert not replace(few["element-bonus"], net=Fraction(10**6)).improbable
    assert few["banker"].normal
    assert replace(few["banker"], net=Fraction(10**6)).improbable
    assert replace(few["element-bonus"], rounds=10**9).normal


def test_rounds_for_a_precision_are_just_enough() -> None:
    priced = odds(find_game("six-star"))
    largest = max(wager.standard_deviation for wager in priced.wagers.values())
    for precision in (1e-2, 1e-4, 0.37):
        rounds = rounds_for(priced, precision)
        assert largest / sqrt(rounds) < precision
        assert largest / sqrt(rounds - 1) >= precision * (1 - 1e-12)


def test_the_largest_standard_error_is_of_the_wildest_wager() -> None:
    game = find_game("six-star")
    counted = tally(prepare(game, 1), 0, 5)
    assert compare(counted, odds(game)).standard_error == pytest.approx(
        odds(game).wagers["element-bonus"].standard_deviation / sqrt(counted.rounds)
    )


@pytest.mark.skipif(not jobs.available, reason="the compiled kernel was not built")
def test_rounds_of_a_shoe_are_nearly_independent() -> None:
    """The counts of groups of shoes spread as a binomial does, within what so many groups can show."""
    game, groups, shoes = find_game("manila"), 600, 10
    job = prepare(game, 4, rounds=FIXED)
    priced = odds(game)
    counts: dict[str, list[int]] = {name: [] for name in game.paytables}
    for group in range(groups):
        for name, found in tally(job, group * shoes, shoes, threads=1).lines.items():
            counts[name].append(found[0])
    for name, found_counts in counts.items():
        share = float(priced.wagers[name].lines[0].probability)
        binomial = 67 * shoes * share * (1 - share)
        assert isclose(pvariance(found_counts) / binomial, 1, abs_tol=4 * sqrt(2 / groups))


def test_json_has_no_infinity() -> None:
    game = find_game("manila")
    found = compare(tally(prepare(game, 1), 0, 1), odds(game))
    sure = replace(found.wagers["tie"].odds, outcomes=())
    broken = replace(found, wagers={"tie": replace(found.wagers["tie"], odds=sure)})
    assert broken.wagers["tie"].z == inf
    assert comparison_json(broken, Provenance(broken.tally.game), 1.0)["wagers"]["tie"]["z"] is None  # type: ignore[index]


def test_the_examples_in_the_module_are_true() -> None:
    assert doctest.testmod(report) == (0, 2)
