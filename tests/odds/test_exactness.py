"""Integers from the composition to the fraction: no float on the way, and no number too large."""

from collections.abc import Callable
from fractions import Fraction
from math import perm
from typing import NoReturn

import pytest

from odds.shoes import full_shoe
from odds.two_ways import CASES, STAKE, case_name, check_wager, odds_each_way, reference_outcomes
from puntobanco import Game, Shoe, find_game
from puntobanco.odds import odds
from puntobanco.odds.exact_counter import Counter
from puntobanco.odds.position import NOTHING_SEEN, Position, read_position
from puntobanco.odds.pricing import wager_plans
from reference.enumeration import by_points, every_round

EVERY_CASE = [pytest.param(game, id=case_name(game)) for game in CASES]


class Whole(int):
    """A whole number that stays one: sums, differences and products are Whole, and anything inexact is an error."""

    def __add__(self, other: int) -> "Whole":
        return Whole(int(self) + _whole(other))

    def __sub__(self, other: int) -> "Whole":
        return Whole(int(self) - _whole(other))

    def __rsub__(self, other: int) -> "Whole":
        return Whole(_whole(other) - int(self))

    def __mul__(self, other: int) -> "Whole":
        return Whole(int(self) * _whole(other))

    __radd__ = __add__
    __rmul__ = __mul__

    def _not_exact(self, *others: object) -> NoReturn:
        raise AssertionError("A count was divided, rounded or turned into a float.")

    __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = _not_exact
    __pow__ = __rpow__ = __float__ = __round__ = _not_exact


def _whole(number: int) -> int:
    assert isinstance(number, int), f"{number!r} met a count"
    return int(number)


def guarded(shoe: Shoe) -> Shoe:
    """The same shoe with counts that refuse everything but exact arithmetic; its own check would refuse them."""
    copy = object.__new__(Shoe)
    object.__setattr__(copy, "pack", shoe.pack)
    object.__setattr__(copy, "counts", tuple(map(Whole, shoe.counts)))
    return copy


def test_the_guard_bites() -> None:
    acts: list[Callable[[], object]] = [
        lambda: Whole(3) / 2,
        lambda: 3 // Whole(2),
        lambda: float(Whole(3)),
        lambda: Whole(3) * 0.5,
    ]
    for act in acts:
        with pytest.raises(AssertionError):
            act()
    assert type(3 * Whole(2) - 1 + sum([Whole(4)])) is Whole


@pytest.mark.parametrize("text", ["P | B", "P 9{0} ? | B 3{0} ?", "P 2{0} 2{0} | B 3{0} 3{0}"])
@pytest.mark.parametrize("game", EVERY_CASE)
def test_the_counts_of_a_shoe_meet_nothing_but_whole_numbers(game: Game, text: str) -> None:
    suit = next(iter(game.pack.suits))
    seen = read_position(game.pack, game.tableau, text.format(suit))
    shoe = Shoe.full(game.pack, 10)
    plain, counter = Counter(game.tableau, shoe, seen), Counter(game.tableau, guarded(shoe), seen)
    for plan in wager_plans(game):
        for signed_sum in plan.sums:
            counted = counter.count(signed_sum)
            assert type(counted) is Whole or counted == 0
            assert counted == plain.count(signed_sum)


@pytest.mark.parametrize("decks", [8, 10])
@pytest.mark.parametrize("game", EVERY_CASE)
def test_every_number_at_the_face_is_an_integer_or_a_fraction(game: Game, decks: int) -> None:
    suit = next(iter(game.pack.suits))
    positions: list[Position] = [NOTHING_SEEN, read_position(game.pack, game.tableau, f"P 4{suit} ? | B ? 4{suit}")]
    for seen in positions:
        found = odds(game, Shoe.full(game.pack, decks), seen)
        assert type(found.total) is int
        for wager in found.wagers.values():
            assert {type(count) for _, count in wager.outcomes} <= {int}
            assert type(wager.lost) is int
            assert {type(line.count) for line in wager.lines} == {int}
            exact = [wager.ev, wager.house_edge, wager.hit, wager.variance, wager.ev_at(7)]
            assert {type(number) for number in exact} == {Fraction}
            assert {type(line.probability) for line in wager.lines} == {Fraction}
            assert type(wager.break_even_stake) in (Fraction, type(None))
            assert abs(wager.standard_deviation**2 - wager.variance) < 1e-9 * wager.variance + Fraction(1, 10**12)


@pytest.mark.parametrize("game", ["fortune-six-tournament", "fabulous-4"])
@pytest.mark.parametrize("decks", [10, 32])
def test_nothing_overflows_in_the_largest_shoes(game: str, decks: int) -> None:
    # Ten decks are the most that a document allows; thirty-two, the most that a shoe can hold, is past 64 bits.
    case = find_game(game)
    shoe = full_shoe(len(case.pack), decks)
    total = perm(len(case.pack) * decks, 6)
    assert (total > 2**64) == (decks == 32)
    wagers = ["player", "banker", "player-fabulous-4" if game == "fabulous-4" else "fortune-six"]
    expected = reference_outcomes(case, every_round(by_points(shoe, next(iter(case.pack.suits)))), wagers=wagers)
    for found in odds_each_way(case, shoe):
        assert found.total == total
        for wager in wagers:
            check_wager(found.wagers[wager], expected[wager], total, STAKE, wager)


@pytest.mark.parametrize("game", EVERY_CASE)
def test_the_largest_shoes_without_one_card_after_the_other(game: Game) -> None:
    # The chances of a full shoe are the average of those after a card is burned, also where numbers are largest.
    shoe = Shoe.full(game.pack, 32)
    before = odds(game, shoe)
    after = [odds(game, shoe.without([card])) for card in game.pack.cards]
    for name, wager in before.wagers.items():
        for place, line in enumerate(wager.lines):
            burned = sum(each.wagers[name].lines[place].probability for each in after)
            assert burned == len(game.pack) * line.probability
