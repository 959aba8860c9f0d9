"""Payments, lines and wagers: a spot on the felt with its paytable, as data."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from puntobanco.cards import shown
from puntobanco.errors import DeclarationError, InputError
from puntobanco.immutable import FrozenMap
from puntobanco.rules.conditions import Condition, Predicate
from puntobanco.rules.facts import FACTS, Facts, FactValue, Kind

if TYPE_CHECKING:
    from fractions import Fraction

MONEY_LIMIT = 10**12


def check_money(what: str, money: object) -> int:
    """The amount, if it is a whole number from 1 to 10^12."""
    if type(money) is not int or not 1 <= money <= MONEY_LIMIT:
        raise _bad_money(what, _refused_money(money))
    return money


def read_money(what: str, text: str) -> int:
    """The amount that somebody typed, where all is text: so its refusal repeats the text and no type."""
    if text.isascii() and text.removeprefix("-").isdigit() and len(text) <= 20:
        return check_money(what, int(text))
    raise _bad_money(what, shown(text)[1:-1] or "nothing")


def _bad_money(what: str, found: str) -> InputError:
    return InputError(f"bad-{what}", f"A {what} is a whole number from 1 to {MONEY_LIMIT:,} (10^12), not {found}.")


def _refused_money(money: object) -> str:
    """What stands where money should; `"100"` looks like a number, so that it is a string is said."""
    if isinstance(money, str):
        return f"the string {shown(money)}"
    if money is None or isinstance(money, bool):
        # As JSON and TOML write them, which is where they come from.
        return "null" if money is None else str(money).lower()
    if type(money) is not int:
        return shown(money)[1:-1]
    # A number of thousands of digits is not written out: Python refuses to, and nobody would read it.
    return "a longer one" if money.bit_length() > 200 else f"{money:,}"


@dataclass(frozen=True)
class Ratio:
    """A payment in proportion to the stake: `8:1` pays eight for each one staked."""

    numerator: int
    denominator: int

    @classmethod
    def parse(cls, text: str) -> "Ratio":
        match = re.fullmatch(r"([1-9][0-9]{0,8}):([1-9][0-9]{0,8})", text)
        if match is None:
            raise DeclarationError(f"{text!r} is not a payment: write it as two whole numbers, such as '8:1'.")
        return cls(int(match[1]), int(match[2]))

    def __str__(self) -> str:
        return f"{self.numerator}:{self.denominator}"

    @property
    def in_figures(self) -> str:
        """As people read it: `5,000:1`."""
        return f"{self.numerator:,}:{self.denominator:,}"

    def amount(self, stake: int, rounding: str) -> int:
        """The payment on a stake; what is not whole is rounded as the house's switch says."""
        return self.paid(stake, rounding)[0]

    def paid(self, stake: int, rounding: str) -> tuple[int, str | None]:
        """The payment on a stake, and what it would be but for rounding, as `57/2`; None where it is whole."""
        whole, rest = divmod(stake * self.numerator, self.denominator)
        if not rest:
            return whole, None
        return whole + (rounding != "down"), str(self.per_unit * stake)

    @property
    def per_unit(self) -> "Fraction":
        """The payment on a stake of one, not rounded."""
        from fractions import Fraction  # Not needed to settle, and not free to load.

        return Fraction(self.numerator, self.denominator)


@dataclass(frozen=True)
class Fixed:
    """A payment of a fixed amount of money, whatever the stake, once per patron and round."""

    money: int

    def __str__(self) -> str:
        return f"fixed {self.money}"

    @property
    def in_figures(self) -> str:
        return f"fixed {self.money:,}"

    def amount(self, stake: int, rounding: str) -> int:
        return self.money

    def paid(self, stake: int, rounding: str) -> tuple[int, str | None]:
        return self.money, None


@dataclass(frozen=True)
class Line:
    """One line of a paytable: when it holds, what it pays (None: the stake is returned), and by which clause."""

    label: str
    when: Condition
    pays: Ratio | Fixed | None
    clause: str
    reading: tuple[str, str] | None = None
    """The line belongs to the game only under this option of this switch."""

    @property
    def payment_in_figures(self) -> str:
        """What it pays as people read it, such as `5,000:1` or `push`; `str` of the payment is for programs."""
        return "push" if self.pays is None else self.pays.in_figures

    @cached_property
    def holds(self) -> Predicate:
        """Whether the line holds on the facts of a deal, as a function that is quick to call."""
        return self.when.compiled()


def pays(ratio: str, label: str, when: Condition, *, clause: str, reading: tuple[str, str] | None = None) -> Line:
    """A line that pays by a ratio such as `8:1`, under a reading where one is given."""
    return Line(label, when, Ratio.parse(ratio), clause, reading)


def push(label: str, when: Condition, *, clause: str) -> Line:
    """A line that gives the stake back."""
    return Line(label, when, None, clause)


def fixed(money: int, label: str, when: Condition, *, clause: str) -> Line:
    """A bonus of this much money, whatever the stake."""
    if money <= 0:
        raise DeclarationError(f"A fixed payment is a positive amount, not {money}.")
    return Line(label, when, Fixed(money), clause)


class Outcome(NamedTuple):
    """What can become of a wager: the line that decides (None: lost) and the bonuses on top, by place."""

    line: int | None
    bonuses: tuple[int, ...] = ()


LOST = Outcome(None)
MOST_REMEMBERED = 10_000
"""How many outcomes a wager keeps at the most: far more than any of the houses' can tell apart."""


@dataclass(frozen=True)
class Wager:
    """A spot on the felt with its paytable.

    Lines are read from the top and the first that holds decides; if none holds, the stake is lost.
    When a line pays, every bonus that holds is paid on top.
    """

    id: str
    name: str
    clause: str
    lines: tuple[Line, ...]
    bonuses: tuple[Line, ...] = ()

    @property
    def all_lines(self) -> tuple[Line, ...]:
        """Every line and then every bonus, in the order of the declaration."""
        return self.lines + self.bonuses

    def outcome(self, facts: Facts) -> Outcome:
        """What becomes of the wager on a deal with these facts; remembered by those of them that its lines read."""
        known, key_of = self._remembered
        if key_of is None:
            return self._decided(facts)
        key = key_of(facts)
        outcome = known.get(key)
        if outcome is None:
            if len(known) >= MOST_REMEMBERED:
                known.clear()
            outcome = known[key] = self._decided(facts)
        return outcome

    @cached_property
    def _remembered(self) -> tuple[dict[object, Outcome], Callable[[Facts], object] | None]:
        """The outcomes met so far, and what they are remembered by; nothing where too much would be told apart."""
        read = [place for place, name in enumerate(FACTS) if name in self.values_named]
        ranks = any(FACTS[name].kind is Kind.RANKS for name in self.values_named)
        return {}, None if ranks or not read else itemgetter(*read)

    def _decided(self, facts: Facts) -> Outcome:
        for holds, alone, bonuses in self._in_order:
            if holds(facts):
                if not bonuses:
                    return alone
                return Outcome(alone.line, tuple([place for place, is_on_top in bonuses if is_on_top(facts)]))
        return LOST

    @cached_property
    def _in_order(self) -> list[tuple[Predicate, Outcome, list[tuple[int, Predicate]]]]:
        """Of each line: whether it holds, what it is alone, and the bonuses that may come on top if it pays."""
        bonuses = [(place, bonus.holds) for place, bonus in enumerate(self.bonuses)]
        return [
            (line.holds, Outcome(place), bonuses if line.pays is not None else [])
            for place, line in enumerate(self.lines)
        ]

    def lines_of(self, outcome: Outcome) -> tuple[Line, ...]:
        """The line that decides and the bonuses on top; none where the stake is lost."""
        place, bonuses = outcome
        if place is None:
            return ()
        return (self.lines[place], *[self.bonuses[bonus] for bonus in bonuses])

    def net(self, outcome: Outcome, stake: int, rounding: str) -> int:
        """What the outcome gains beyond this stake: negative if lost, 0 on a push."""
        if outcome.line is None:
            return -stake
        return sum([line.pays.amount(stake, rounding) for line in self.lines_of(outcome) if line.pays])

    def net_per_unit(self, outcome: Outcome) -> "Fraction":
        """What the outcome gains for each unit staked: nothing is rounded, and fixed amounts are left out."""
        from fractions import Fraction  # Not needed to settle, and not free to load.

        if outcome.line is None:
            return Fraction(-1)
        paid = [line.pays.per_unit for line in self.lines_of(outcome) if isinstance(line.pays, Ratio)]
        return sum(paid, Fraction(0))

    @cached_property
    def values_named(self) -> Mapping[str, frozenset[FactValue]]:
        """The facts that the wager reads, each with the values that its lines and bonuses name."""
        found: dict[str, frozenset[FactValue]] = {}
        for line in self.all_lines:
            for test in line.when.tests():
                found[test.fact] = found.get(test.fact, frozenset()) | test.values
        return FrozenMap(found)

    def under(self, reading: Mapping[str, str]) -> "Wager":
        """The wager with only the lines that belong to this reading."""

        def belongs(line: Line) -> bool:
            return line.reading is None or reading.get(line.reading[0]) == line.reading[1]

        return replace(
            self,
            lines=tuple(filter(belongs, self.lines)),
            bonuses=tuple(filter(belongs, self.bonuses)),
        )
