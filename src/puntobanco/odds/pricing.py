"""Exact odds at the face: probabilities and expected values as fractions, from integer counts."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import sqrt

from puntobanco.cards import Shoe
from puntobanco.errors import InputError, Unlawful
from puntobanco.odds import compiled_counter
from puntobanco.odds.exact_counter import Counter, falling
from puntobanco.odds.position import NOTHING_SEEN, Position, check_position, is_finished
from puntobanco.odds.terms import WagerPlan, plan_wager
from puntobanco.rules.documents import cited
from puntobanco.rules.game import Game
from puntobanco.rules.own_wagers import check_own_wagers
from puntobanco.rules.wagers import Fixed, Line, Outcome, Wager


@dataclass(frozen=True)
class LineOdds:
    """One line of a wager: in how many of all draws it holds."""

    line: Line
    on_top: bool
    """A bonus, paid beside the line that decides."""
    count: int
    total: int

    @property
    def probability(self) -> Fraction:
        return Fraction(self.count, self.total)


@dataclass(frozen=True)
class WagerOdds:
    """A wager from one shoe. Expected values are per unit staked, and leave fixed amounts out."""

    wager: Wager
    outcomes: tuple[tuple[Outcome, int], ...]
    """How many draws end in each outcome but losing."""
    total: int
    rounding: str

    @cached_property
    def lost(self) -> int:
        """In how many draws no line holds."""
        return self.total - sum(count for _, count in self.outcomes)

    @cached_property
    def lines(self) -> tuple[LineOdds, ...]:
        """Every line, then every bonus, in the order of the declaration."""
        decided = [
            sum(count for outcome, count in self.outcomes if outcome.line == place)
            for place in range(len(self.wager.lines))
        ]
        on_top = [
            sum(count for outcome, count in self.outcomes if place in outcome.bonuses)
            for place in range(len(self.wager.bonuses))
        ]
        return tuple(
            LineOdds(line, False, count, self.total) for line, count in zip(self.wager.lines, decided, strict=True)
        ) + tuple(
            LineOdds(line, True, count, self.total) for line, count in zip(self.wager.bonuses, on_top, strict=True)
        )

    @property
    def fixed_bonuses(self) -> tuple[LineOdds, ...]:
        return tuple(odds for odds in self.lines if isinstance(odds.line.pays, Fixed))

    def _moment(self, power: int) -> Fraction:
        moment = Fraction((-1) ** power * self.lost, self.total)
        for outcome, count in self.outcomes:
            net = self.wager.net_per_unit(outcome)
            moment += Fraction(net.numerator**power * count, net.denominator**power * self.total)
        return moment

    @cached_property
    def ev(self) -> Fraction:
        """Expected gain of the patron for each unit staked."""
        return self._moment(1)

    @property
    def house_edge(self) -> Fraction:
        return -self.ev

    @cached_property
    def hit(self) -> Fraction:
        """How often the wager wins; a push is not a win."""
        return Fraction(sum(odds.count for odds in self.lines if not odds.on_top and odds.line.pays), self.total)

    @cached_property
    def variance(self) -> Fraction:
        return self._moment(2) - self.ev**2

    @property
    def standard_deviation(self) -> float:
        return sqrt(self.variance)

    def ev_at(self, stake: int) -> Fraction:
        """Expected gain for each unit of this very stake: fixed amounts and the rounding of payments included."""
        won = sum(count * self.wager.net(outcome, stake, self.rounding) for outcome, count in self.outcomes)
        return Fraction(won - stake * self.lost, self.total * stake)

    def value(self, stake: int | None) -> Fraction:
        """The expected value for each unit, at this very stake where one is given."""
        return self.ev if stake is None else self.ev_at(stake)

    def variance_at(self, stake: int) -> Fraction:
        """Of the gain for each unit of this very stake: fixed amounts and the rounding of payments included."""
        squares = sum(count * self.wager.net(outcome, stake, self.rounding) ** 2 for outcome, count in self.outcomes)
        return Fraction(squares + stake**2 * self.lost, self.total * stake**2) - self.ev_at(stake) ** 2

    def standard_deviation_at(self, stake: int) -> float:
        """Of the result for each unit of this stake, fixed bonuses and rounding included."""
        return sqrt(self.variance_at(stake))

    @cached_property
    def has_fixed_bonuses(self) -> bool:
        return bool(self.fixed_bonuses)

    @cached_property
    def break_even_stake(self) -> Fraction | None:
        """The stake at which fixed amounts and house edge are level; below it the wager favours the patron."""
        worth = sum(
            (odds.probability * odds.line.pays.money for odds in self.lines if isinstance(odds.line.pays, Fixed)),
            Fraction(0),
        )
        return worth / -self.ev if worth and self.ev < 0 else None


@dataclass(frozen=True)
class Odds:
    """Every wager of a game from one shoe."""

    game: Game
    shoe: Shoe
    seen: Position
    total: int
    """All draws of six cards, unused ones included, less those already seen."""
    wagers: dict[str, WagerOdds]


def odds(game: Game, shoe: Shoe | None = None, seen: Position = NOTHING_SEEN, own_wagers: Iterable[Wager] = ()) -> Odds:
    """The exact odds of every wager from this shoe (by default a full one), the cards seen already taken out of it.

    >>> from puntobanco import find_game
    >>> print(odds(find_game("manila")).wagers["banker"].ev)
    -114753351728/10847218479825
    """
    shoe = shoe if shoe is not None else Shoe.full(game.pack, game.decks.default)
    if shoe.pack != game.pack:
        raise InputError("wrong-composition", f"{game.name} is played with the {game.pack.name}.")
    check_position(game.pack, game.tableau, seen)
    if shoe.size < 6 - len(seen) and not is_finished(game.tableau, seen):
        raise Unlawful(
            "insufficient-cards",
            f"A round may take {6 - len(seen)} more cards and the shoe holds {shoe.size} "
            f"({cited(game.procedure.insufficient_cards)}).",
            game.procedure.insufficient_cards,
        )
    own = tuple(own_wagers)
    plans = wager_plans(game, own)
    # What is left in the shoe no longer matters to a round that is over; any shoe that can be counted will do.
    drawn_from = Shoe.full(game.pack, 1) if shoe.size < 6 - len(seen) else shoe
    counts, total = count_outcomes(game, own, drawn_from, seen)
    rounding = game.reading["rounding"]
    found, place = {}, 0
    for plan in plans:
        outcomes = tuple(zip(plan.outcomes, counts[place : place + len(plan.outcomes)], strict=True))
        found[plan.wager.id] = WagerOdds(plan.wager, outcomes, total, rounding)
        place += len(plan.outcomes)
    return Odds(game, shoe, seen, total, found)


def wager_plans(game: Game, own_wagers: tuple[Wager, ...] = ()) -> tuple[WagerPlan, ...]:
    """Every wager of the game under its reading, and the patron's own, taken apart once."""
    is_own = bool(own_wagers or game.own_wagers)
    return (_own_plans if is_own else _plans)(game, own_wagers)


def _taken_apart(game: Game, own_wagers: tuple[Wager, ...]) -> tuple[WagerPlan, ...]:
    check_own_wagers(game, own_wagers)
    return tuple(plan_wager(game, wager) for wager in (*game.paytables.values(), *own_wagers))


def _compiled(game: Game, own_wagers: tuple[Wager, ...]) -> "compiled_counter.Program":
    return compiled_counter.Program(wager_plans(game, own_wagers), game.tableau, game.pack)


# What is made of the house's wagers is small and asked for again; what people think of may take megabytes each.
_plans, _programs = lru_cache(maxsize=64)(_taken_apart), lru_cache(maxsize=64)(_compiled)
_own_plans, _own_programs = lru_cache(maxsize=4)(_taken_apart), lru_cache(maxsize=4)(_compiled)


def _program(game: Game, own_wagers: tuple[Wager, ...]) -> "compiled_counter.Program":
    is_own = bool(own_wagers or game.own_wagers)
    return (_own_programs if is_own else _programs)(game, own_wagers)


def count_outcomes(
    game: Game, own_wagers: tuple[Wager, ...], shoe: Shoe, seen: Position = NOTHING_SEEN
) -> tuple[list[int], int]:
    """In how many draws each outcome of each wager happens, and the number of all draws."""
    total = falling(shoe.size, 6 - len(seen))
    if compiled_counter.available and not seen:
        counts = _program(game, own_wagers).counts(shoe.counts)
        if counts is not None:
            return counts, total
    counter = Counter(game.tableau, shoe, seen)
    return [counter.count(signed_sum) for plan in wager_plans(game, own_wagers) for signed_sum in plan.sums], total
