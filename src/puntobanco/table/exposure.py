"""What a round may cost the house: the most that it may have to pay in winnings, whatever is dealt.

For each way in which the points of a round can end, every wager is taken at the best that ranks and suits could still
make of it. So the cost is never less than what a deal can bring; it may be a little more, because pairs and suits that
exclude each other are not told apart. Losing wagers are not set against it: withdrawing one never raises the cost.
"""

from collections.abc import Mapping
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from puntobanco.odds.terms import facts_at, possible_cells
from puntobanco.rules.facts import DETAILS, FactValue
from puntobanco.rules.game import Game
from puntobanco.rules.wagers import Fixed, Ratio, Wager


class Payment(NamedTuple):
    """The most that a wager pays: so many `stake_step`-ths of what is staked, and a fixed amount to each patron."""

    parts: int
    fixed: int


Payments = tuple[Payment, ...]
"""Of every wager, in the order of the paytables."""


def exposure(game: Game, spots: Mapping[str, tuple[int, int]]) -> int:
    """The most that a round may cost with so much money of so many patrons on each spot."""
    held = [spots.get(wager, (0, 0)) for wager in game.paytables]
    rounds_up = game.reading["rounding"] == "up"
    return max(
        sum(
            -(-stake * payment.parts // game.stake_step) + (payment.fixed + (rounds_up and payment.parts > 0)) * patrons
            for (stake, patrons), payment in zip(held, payments, strict=True)
        )
        for payments in worst_rounds(game)
    )


@lru_cache(maxsize=64)
def worst_rounds(game: Game) -> tuple[Payments, ...]:
    """What the wagers pay in the rounds that can cost most; a round that costs no more than another is left out."""
    every = {
        tuple(_most(game, wager, cell) for wager in game.paytables.values()) for cell in possible_cells(game.tableau)
    }
    return tuple(sorted(one for one in every if not any(_covers(other, one) for other in every if other != one)))


def _covers(one: Payments, other: Payments) -> bool:
    """Whether no wager pays less in the one round than in the other."""
    return all(
        mine.parts >= theirs.parts and mine.fixed >= theirs.fixed for mine, theirs in zip(one, other, strict=True)
    )


def _most(game: Game, wager: Wager, cell: int) -> Payment:
    """The most that the wager pays in rounds with these points."""
    best = Payment(0, 0)
    named = {fact: wager.values_named[fact.name] for fact in DETAILS if fact.name in wager.values_named}
    choices: list[list[FactValue]] = []
    for fact, values in named.items():
        # None, the values that the wager names, and one that stands for all the others.
        others = [value for value in fact.values(game.pack) if value not in values and value is not None]
        choices.append([None, *sorted(value for value in values if isinstance(value, str)), *others[:1]])
    for details in product(*choices):
        facts = facts_at(cell, {fact.name: value for fact, value in zip(named, details, strict=True)})
        parts = fixed = 0
        for line in wager.lines_of(wager.outcome(facts)):
            if isinstance(line.pays, Ratio):
                parts += line.pays.numerator * game.stake_step // line.pays.denominator
            elif isinstance(line.pays, Fixed):
                fixed += line.pays.money
        best = Payment(max(best.parts, parts), max(best.fixed, fixed))
    return best
