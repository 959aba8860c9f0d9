"""The figures of a par sheet: every wager under every reading and number of decks, and sums that check themselves."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import isqrt

from puntobanco.cards import Shoe
from puntobanco.odds.pricing import LineOdds, Odds, WagerOdds, odds
from puntobanco.rules.conditions import Any
from puntobanco.rules.game import Game
from puntobanco.rules.wagers import Fixed, Ratio, Wager, push

VOLATILITY_FACTOR = Fraction(165, 100)
"""A normal variable lies within 1.65 standard deviations of its mean nine times in ten."""


def decimal(value: Fraction, places: int) -> str:
    """The fraction in decimals, rounded once, to the nearest, from the exact value."""
    digits = round(abs(value) * 10**places)
    whole, part = divmod(digits, 10**places)
    return f"{'-' if value < 0 and digits else ''}{whole:,}.{part:0{places}d}"


def percent(value: Fraction, places: int) -> str:
    """The same in percent."""
    return decimal(value * 100, places) + "%"


def root(value: Fraction, places: int) -> Fraction:
    """The square root, cut after so many places."""
    return Fraction(isqrt(value.numerator * 10 ** (2 * places) // value.denominator), 10**places)


@lru_cache(maxsize=64)
def switch_changes_figures(game: Game, switch: str) -> bool:
    """Whether any option of the switch gives some wager other lines or other counts."""
    figures = [
        [(wager.wager, wager.outcomes) for wager in odds(game.read_as(**{switch: option})).wagers.values()]
        for option in game.switches[switch]
    ]
    return any(other != figures[0] for other in figures)


def readings(game: Game) -> tuple[Game, ...]:
    """The game as it is read, and then under every other reading that changes a figure."""
    switches = [name for name in game.switches if switch_changes_figures(game, name)]
    # The option in force first, so that the reading that was asked for leads.
    options = [
        sorted(game.switches[name], key=lambda option, name=name: option != game.reading[name])  # type: ignore[misc]
        for name in switches
    ]
    return tuple(game.read_as(**dict(zip(switches, chosen, strict=True))) for chosen in product(*options))


@dataclass(frozen=True)
class WagerFigures:
    """One wager from one full shoe, with what a par sheet adds to its odds."""

    odds: WagerOdds
    lost: int
    """In how many draws no line holds: counted by itself, so that it can be checked against the others."""

    def contribution(self, line: LineOdds) -> Fraction | None:
        """What the line returns for each unit staked, the stake included; None for a fixed amount."""
        if isinstance(line.line.pays, Fixed):
            return None
        ratio = line.line.pays
        winnings = Fraction(ratio.numerator, ratio.denominator) if isinstance(ratio, Ratio) else Fraction(0)
        return line.probability * (winnings + (0 if line.on_top else 1))

    @property
    def total_return(self) -> Fraction:
        return 1 + self.odds.ev

    @property
    def standard_deviation(self) -> Fraction:
        return root(self.odds.variance, 12)

    @property
    def volatility_index(self) -> Fraction:
        return root(self.odds.variance * VOLATILITY_FACTOR**2, 12)

    @property
    def bonus_worth(self) -> Fraction:
        """What the fixed amounts are worth a round, in money."""
        return sum(
            (line.probability * line.line.pays.money for line in self.odds.lines if isinstance(line.line.pays, Fixed)),
            Fraction(0),
        )

    def faults(self) -> Iterator[str]:
        """Which sums are not what they must be: none, or the sheet is not to be issued."""
        decided = sum(line.count for line in self.odds.lines if not line.on_top)
        if decided + self.lost != self.odds.total:
            yield f"the lines of {self.odds.wager.name} and its losses do not add up to all draws"
        returned = sum((self.contribution(line) or Fraction(0) for line in self.odds.lines), Fraction(0))
        if returned != self.total_return:
            yield f"the contributions of {self.odds.wager.name} do not add up to its return"


@dataclass(frozen=True)
class Configuration:
    """A game under one reading with one number of decks: what one sheet is filed for."""

    game: Game
    decks: int
    odds: Odds
    wagers: tuple[WagerFigures, ...]


def configuration(game: Game, decks: int) -> Configuration:
    """Count the configuration and check its sums."""
    losses = {wager.id: _losing(wager) for wager in game.paytables.values()}
    priced = odds(game, Shoe.full(game.pack, decks), own_wagers=losses.values())
    wagers = tuple(
        WagerFigures(priced.wagers[wager], priced.wagers[loss.id].lines[0].count) for wager, loss in losses.items()
    )
    for wager in wagers:
        for fault in wager.faults():
            raise ArithmeticError(f"{game.id} with {decks} decks: {fault}.")
    return Configuration(game, decks, priced, wagers)


def _losing(wager: Wager) -> Wager:
    """A wager whose one line holds when none of this wager does."""
    none_holds = ~Any(tuple(line.when for line in wager.lines))
    return Wager(f"{wager.id}-lost", wager.name, wager.clause, (push("Lost", none_holds, clause=wager.clause),))
