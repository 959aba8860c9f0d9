"""What a round may cost the house: the most that it may have to pay in winnings, whatever is dealt.

For each way in which the points of a round can end, every wager is taken at the best that ranks and suits could still
make of it. So the cost is never less than what a deal can bring; it may be a little more, because what two wagers ask
of ranks and suits may exclude each other. Losing wagers are not set against it: withdrawing one never raises the cost.
"""

from collections.abc import Mapping
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from puntobanco.cards import Pack
from puntobanco.odds.terms import facts_at, possible_cells
from puntobanco.rules.facts import DETAILS, Fact, Facts, FactValue, Kind
from puntobanco.rules.game import Game
from puntobanco.rules.wagers import Fixed, Ratio, Wager


class Most(NamedTuple):
    """The most that a wager pays: so many `stake_step`-ths of what is staked, and a fixed amount to each patron."""

    parts: int
    fixed: int
    fractional: int
    """How many of its lines may have a fraction to round, at one stake."""


Worst = tuple[Most, ...]
"""Of every wager, in the order of the paytables."""


def exposure(game: Game, spots: Mapping[str, tuple[int, int]]) -> int:
    """The most that a round may cost with so much money of so many patrons on each spot."""
    held = [spots.get(wager, (0, 0)) for wager in game.paytables]
    # What is rounded up is less than one unit for each line and patron.
    rounded_up = int(game.reading["rounding"] == "up")
    step = game.stake_step
    return max(
        sum(
            [
                stake * most.parts // step + (most.fixed + rounded_up * most.fractional) * patrons
                for (stake, patrons), most in zip(held, worst, strict=True)
            ]
        )
        for worst in worst_rounds(game)
    )


@lru_cache(maxsize=64)
def worst_rounds(game: Game) -> tuple[Worst, ...]:
    """What the wagers pay in the rounds that can cost most; a round that costs no more than another is left out."""
    every = {
        tuple(_most(game, wager, cell) for wager in game.paytables.values()) for cell in possible_cells(game.tableau)
    }
    return tuple(sorted(one for one in every if not any(_covers(other, one) for other in every if other != one)))


def _covers(one: Worst, other: Worst) -> bool:
    """Whether no wager pays less in the one round than in the other."""
    return all(
        mine >= theirs for most, least in zip(one, other, strict=True) for mine, theirs in zip(most, least, strict=True)
    )


def _most(game: Game, wager: Wager, cell: int) -> Most:
    """The most that the wager pays in rounds with these points."""
    best = Most(0, 0, 0)
    read = [fact for fact in DETAILS if fact.name in wager.values_named]
    choices = [_choices(game.pack, fact, wager.values_named[fact.name], facts_at(cell, {})) for fact in read]
    for details in product(*choices):
        facts = facts_at(cell, {fact.name: value for fact, value in zip(read, details, strict=True)})
        parts = fixed = fractional = 0
        for line in wager.lines_of(wager.outcome(facts)):
            if isinstance(line.pays, Ratio):
                parts += line.pays.numerator * game.stake_step // line.pays.denominator
                fractional += line.pays.denominator > 1
            elif isinstance(line.pays, Fixed):
                fixed += line.pays.money
        best = Most(max(best.parts, parts), max(best.fixed, fixed), max(best.fractional, fractional))
    return best


def _choices(pack: Pack, fact: Fact, named: frozenset[FactValue], facts: Facts) -> list[FactValue]:
    """What a fact can be in a round with these points: nothing, what is named, and one value for all the others."""
    found = [None, *(value for value in named if value is not None and _can_be(pack, fact, value, facts))]
    if fact.kind is not Kind.RANKS:
        others = (value for value in fact.values(pack) if value is not None and value not in named)
        found += [value for value in others if _can_be(pack, fact, value, facts)][:1]
    return found


def _can_be(pack: Pack, fact: Fact, value: FactValue, facts: Facts) -> bool:
    """Whether the points of a round leave room for this value: a hand of these ranks, a pair of this rank."""
    is_player = 0 in fact.slots
    total = facts.player_total if is_player else facts.banker_total
    cards = facts.player_cards if is_player else facts.banker_cards
    # A suit fits any points, and what a fact of another kind may ask of them is not known.
    if fact.kind not in (Kind.RANKS, Kind.SHARED_RANK):
        return True
    points = sum(pack.card(rank + next(iter(pack.suits))).points for rank in str(value)) % 10
    if fact.kind is Kind.RANKS:
        return len(str(value)) == cards and points == total
    # Two cards of a rank are the whole hand, or a third one makes any total of them.
    return len(fact.slots) != 2 or cards > 2 or 2 * points % 10 == total
