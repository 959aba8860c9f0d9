"""How a house sets up a table: game, decks, limits, burn and cut, and who deals."""

import json
from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from hashlib import sha256
from math import ceil

from puntobanco.cards import Shoe, shown
from puntobanco.dealing import AT_A_TABLE, BurnAndCut
from puntobanco.errors import DeclarationError
from puntobanco.immutable import FrozenMap
from puntobanco.rules.documents import cited
from puntobanco.rules.game import Game
from puntobanco.rules.wagers import MONEY_LIMIT

EVEN_MONEY_BANKER_OVERRIDE = "even-money-banker"
"""The name by which a house allows a chips-only game for cash all the same."""
OVERRIDES = frozenset({EVEN_MONEY_BANKER_OVERRIDE})


USUAL_DECKS = -1
"""Stands for the number of decks that is usual for the game."""


class UnfitSettings(DeclarationError):
    """What no table may be set to, by a rule or by what the game has: a reason for programs, a clause, a sentence."""

    def __init__(self, reason: str, message: str, clause: str | None = None) -> None:
        super().__init__(reason, message, clause)
        self.reason = reason
        self.message = message
        self.clause = clause

    def __str__(self) -> str:
        return self.message


class Account(StrEnum):
    """What the stakes are worth."""

    CASH = "cash"
    CHIPS = "chips"
    """Tournament chips without value."""


class Dealing(StrEnum):
    """Where the cards come from."""

    DEALER = "dealer"
    """A physical shoe: a dealer keys or scans each card, and may do so wrongly."""
    VIRTUAL = "virtual"
    """The server draws the cards; what it has drawn, and how many are left, is not in doubt."""


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
            raise UnfitSettings(
                "unfit-limits",
                f"{self.words} are not limits: the step is at most the minimum, that at most the maximum.",
            )
        if self.minimum % self.step or self.maximum % self.step:
            raise UnfitSettings("unfit-limits", f"{self.words} are not limits: minimum and maximum are whole steps.")

    @property
    def words(self) -> str:
        """`100 to 5,000 in steps of 100`."""
        return f"{self.minimum:,} to {self.maximum:,} in steps of {self.step:,}"


@dataclass(frozen=True)
class RoundLimits:
    """What a round may come to in all; None where the house sets no limit."""

    patron: int | None = None
    """The most that one patron may have on all spots together."""
    table: int | None = None
    """The most that all patrons may have on all spots together."""
    house: int | None = None
    """The most that the house may have to pay in winnings, whatever is dealt, fixed bonuses included."""

    def __post_init__(self) -> None:
        for name, most in (("patron", self.patron), ("table", self.table), ("house", self.house)):
            if most is not None and (type(most) is not int or not 1 <= most <= MONEY_LIMIT**2):
                raise DeclarationError(
                    f"What a round may come to for the {name} is a whole number from 1 on, not {most!r}."
                )


NO_ROUND_LIMITS = RoundLimits()


@dataclass(frozen=True)
class TableSettings:
    """A table as the house opens it. Limits may change between two rounds, all else between two shoes."""

    game: Game
    decks: int = USUAL_DECKS
    limits: Mapping[str, Limits] = field(default_factory=dict)
    """By wager id; wagers not named get the default limits."""
    round_limits: RoundLimits = NO_ROUND_LIMITS
    account: Account = Account.CHIPS
    currency: str = ""
    """One currency a table; empty stands for the usual one of the game's house."""
    burn_and_cut: BurnAndCut = AT_A_TABLE
    dealing: Dealing = Dealing.DEALER
    overrides: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        game = self.game
        for name, value, kind in (
            ("game", game, Game),
            ("limits", self.limits, Mapping),
            ("round_limits", self.round_limits, RoundLimits),
            ("currency", self.currency, str),
            ("burn_and_cut", self.burn_and_cut, BurnAndCut),
            ("overrides", self.overrides, Set),
        ):
            if not isinstance(value, kind):
                raise DeclarationError(f"The setting {name} of a table is not {shown(value)}.")
        object.__setattr__(self, "account", Account(self.account))
        object.__setattr__(self, "dealing", Dealing(self.dealing))
        decks = game.decks.default if type(self.decks) is int and self.decks == USUAL_DECKS else self.decks
        if type(decks) is not int or not game.decks.minimum <= decks <= game.decks.maximum:
            raise UnfitSettings(
                "unfit-decks",
                f"{game.name} is played with {game.decks.minimum} to {game.decks.maximum} decks, not {decks} "
                f"({cited(game.procedure.decks)}).",
                game.procedure.decks,
            )
        for wager, limits in self.limits.items():
            if wager not in game.paytables or not isinstance(limits, Limits):
                raise DeclarationError(f"{game.id} has no limits {limits!r} for a wager {wager!r}.")
        if self.burn_and_cut.cut_depth > decks * len(game.pack) // 2:
            raise UnfitSettings(
                "unfit-cut",
                f"A cut card {self.burn_and_cut.cut_depth} cards from the end is not in the second half of the shoe.",
                "Ruling 17",
            )
        object.__setattr__(self, "overrides", frozenset(self.overrides))
        for name in self.overrides - OVERRIDES:
            raise DeclarationError(f"There is no override {name!r}; there is {', '.join(sorted(OVERRIDES))}.")
        if game.chips_only and self.account is Account.CASH and EVEN_MONEY_BANKER_OVERRIDE not in self.overrides:
            raise UnfitSettings(
                "not-for-cash",
                f"{game.name} is not played for cash: {game.chips_only} (ruling 13). "
                f"A house that wants it all the same sets the override {EVEN_MONEY_BANKER_OVERRIDE!r}.",
                "Ruling 13",
            )
        if self.currency and self.currency not in game.currencies:
            raise UnfitSettings(
                "unfit-currency",
                f"A table of {game.name} is played in {' or '.join(game.currencies)}, not in {self.currency[:8]!r} "
                "(ruling 19).",
                "Ruling 19",
            )
        object.__setattr__(self, "decks", decks)
        object.__setattr__(self, "currency", self.currency or game.currencies[0])
        usual = default_limits(game)
        object.__setattr__(
            self, "limits", FrozenMap({wager: self.limits.get(wager, usual) for wager in game.paytables})
        )
        if self.round_limits.house is not None:
            from puntobanco.table.exposure import worst_rounds  # Only needed where the house has set such a limit.

            worst_rounds(game)  # Made ready now, so that no patron waits for it.

    @cached_property
    def digest(self) -> str:
        """SHA-256 of all that the settings say, the rules included: by it a record knows its own table."""
        limits = {wager: [each.minimum, each.maximum, each.step] for wager, each in self.limits.items()}
        said = [
            self.game.digest,
            self.decks,
            limits,
            [self.round_limits.patron, self.round_limits.table, self.round_limits.house],
            [self.account, self.currency, self.burn_and_cut.burn, self.burn_and_cut.cut_depth, self.dealing],
            sorted(self.overrides),
        ]
        return sha256(json.dumps(said, separators=(",", ":")).encode()).hexdigest()

    @property
    def full_shoe(self) -> Shoe:
        return Shoe.full(self.game.pack, self.decks)

    @property
    def is_virtual(self) -> bool:
        return self.dealing is Dealing.VIRTUAL

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
                    f"The minimum of {least:,} on {wager} is too low: below {ceil(level):,} the fixed bonuses "
                    "are worth more than the house edge (ruling 6)."
                )
        return tuple(found)


def default_limits(game: Game) -> Limits:
    """Limits whose every stake is paid in whole units on every line of the game."""
    minimum = 100 * game.stake_step
    return Limits(minimum, 1000 * minimum, game.stake_step)
