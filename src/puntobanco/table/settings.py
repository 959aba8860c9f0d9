"""How a house sets up a table: game, decks, limits, burn and cut."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from math import ceil

from puntobanco.cards import Card, Shoe
from puntobanco.dealing import BurnRule
from puntobanco.errors import DeclarationError
from puntobanco.rules.documents import cited
from puntobanco.rules.game import Game
from puntobanco.rules.wagers import MONEY_LIMIT

EVEN_MONEY_BANKER_OVERRIDE = "even-money-banker"
"""The name by which a house allows a chips-only game for cash all the same."""


USUAL_DECKS = -1
"""Stands for the number of decks that is usual for the game."""


class Account(StrEnum):
    """What the stakes are worth."""

    CASH = "cash"
    CHIPS = "chips"
    """Tournament chips without value."""


@dataclass(frozen=True)
class Limits:
    """The stakes that one patron may have on one spot."""

    minimum: int
    maximum: int
    step: int

    def __post_init__(self) -> None:
        if not (type(self.minimum) is type(self.maximum) is type(self.step) is int):
            raise DeclarationError(f"{self} are not limits: all three are whole numbers.")
        if not (1 <= self.step <= self.minimum <= self.maximum <= MONEY_LIMIT):
            raise DeclarationError(f"{self} are not limits: the step is at most the minimum, that at most the maximum.")
        if self.minimum % self.step or self.maximum % self.step:
            raise DeclarationError(f"{self} are not limits: minimum and maximum are whole steps.")


@dataclass(frozen=True)
class TableSettings:
    """A table as the house opens it; fixed for as long as a shoe is in play."""

    game: Game
    decks: int = USUAL_DECKS
    limits: Mapping[str, Limits] = field(default_factory=dict)
    """By wager id; wagers not named get the default limits."""
    account: Account = Account.CHIPS
    currency: str = ""
    """One currency a table; empty stands for the usual one of the game's house."""
    burn: BurnRule = BurnRule.BY_FIRST_CARD
    cut_depth: int = 14
    """How many cards lie behind the cut card."""
    overrides: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        game = self.game
        object.__setattr__(self, "account", Account(self.account))
        object.__setattr__(self, "burn", BurnRule(self.burn))
        decks = game.decks.default if self.decks == USUAL_DECKS else self.decks
        if type(decks) is not int or not game.decks.minimum <= decks <= game.decks.maximum:
            raise DeclarationError(
                f"{game.name} is played with {game.decks.minimum} to {game.decks.maximum} decks, not {decks} "
                f"({cited(game.procedure.decks)})."
            )
        for wager, limits in self.limits.items():
            if wager not in game.paytables or not isinstance(limits, Limits):
                raise DeclarationError(f"{game.id} has no limits {limits!r} for a wager {wager!r}.")
        if type(self.cut_depth) is not int or not 0 <= self.cut_depth <= decks * len(game.pack) // 2:
            raise DeclarationError(
                f"A cut card {self.cut_depth} cards from the end is not in the second half of the shoe."
            )
        if game.chips_only and self.account is Account.CASH and EVEN_MONEY_BANKER_OVERRIDE not in self.overrides:
            raise DeclarationError(
                f"{game.name} is not played for cash: {game.chips_only} (ruling 13). "
                f"A house that wants it all the same sets the override {EVEN_MONEY_BANKER_OVERRIDE!r}."
            )
        if self.currency and self.currency not in game.currencies:
            raise DeclarationError(
                f"A table of {game.name} is played in {' or '.join(game.currencies)}, not in {self.currency[:8]!r} "
                "(ruling 19)."
            )
        object.__setattr__(self, "decks", decks)
        object.__setattr__(self, "currency", self.currency or game.currencies[0])
        object.__setattr__(
            self, "limits", {wager: self.limits.get(wager, default_limits(game)) for wager in game.paytables}
        )

    @property
    def full_shoe(self) -> Shoe:
        return Shoe.full(self.game.pack, self.decks)

    def warnings(self) -> tuple[str, ...]:
        """What the house should know of its own settings: wagers that favour the patron at the minimum stake."""
        if not self.game.fixed_bonuses:
            return ()
        from puntobanco.odds import odds  # Only needed for games with fixed amounts.

        found = []
        for wager, priced in odds(self.game, self.full_shoe).wagers.items():
            least, level = self.limits[wager].minimum, priced.break_even_stake
            if level is not None and least < level:
                found.append(
                    f"The minimum of {least} on {wager} is too low: below {ceil(level)} the fixed bonuses "
                    "are worth more than the house edge (ruling 6)."
                )
        return tuple(found)

    def burn_count(self, first: Card) -> int:
        """How many cards are burned after the first one is shown."""
        return first.points or 10


def default_limits(game: Game) -> Limits:
    """Limits whose every stake is paid in whole units on every line of the game."""
    minimum = 100 * game.stake_step
    return Limits(minimum, 1000 * minimum, game.stake_step)
