"""Payments, lines and wagers: a spot on the felt with its paytable, as data."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from puntobanco.cards import shown
from puntobanco.errors import DeclarationError, InputError
from puntobanco.rules.facts import Condition, Predicate

MONEY_LIMIT = 10**12


def check_money(what: str, money: object) -> int:
    """The amount, if it is a whole number from 1 to 10^12."""
    if type(money) is not int or not 1 <= money <= MONEY_LIMIT:
        # A number of thousands of digits is not written out: Python refuses to, and nobody would read it.
        text = "a longer one" if isinstance(money, int) and money.bit_length() > 200 else shown(money)
        raise InputError(f"bad-{what}", f"A {what} is a whole number from 1 to 1000000000000 (10^12), not {text}.")
    return money


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

    def amount(self, stake: int, rounding: str) -> int:
        """The payment on a stake; what is not whole is rounded as the house's switch says."""
        if rounding == "down":
            return stake * self.numerator // self.denominator
        return -(-stake * self.numerator // self.denominator)


@dataclass(frozen=True)
class Fixed:
    """A payment of a fixed amount of money, whatever the stake, once per patron and round."""

    money: int

    def __str__(self) -> str:
        return f"fixed {self.money}"

    def amount(self, stake: int, rounding: str) -> int:
        return self.money


@dataclass(frozen=True)
class Line:
    """One line of a paytable: when it holds, what it pays (None: the stake is returned), and by which clause."""

    label: str
    when: Condition
    pays: Ratio | Fixed | None
    clause: str
    reading: tuple[str, str] | None = None
    """The line belongs to the game only under this option of this switch."""

    @cached_property
    def holds(self) -> Predicate:
        """Whether the line holds on the facts of a deal, as a function that is quick to call."""
        return self.when.compiled()


def pays(ratio: str, label: str, when: Condition, *, clause: str, reading: tuple[str, str] | None = None) -> Line:
    return Line(label, when, Ratio.parse(ratio), clause, reading)


def push(label: str, when: Condition, *, clause: str) -> Line:
    return Line(label, when, None, clause)


def fixed(money: int, label: str, when: Condition, *, clause: str) -> Line:
    if money <= 0:
        raise DeclarationError(f"A fixed payment is a positive amount, not {money}.")
    return Line(label, when, Fixed(money), clause)


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

    def under(self, reading: Mapping[str, str]) -> "Wager":
        """The wager with only the lines that belong to this reading."""

        def belongs(line: Line) -> bool:
            return line.reading is None or reading.get(line.reading[0]) == line.reading[1]

        return replace(
            self,
            lines=tuple(filter(belongs, self.lines)),
            bonuses=tuple(filter(belongs, self.bonuses)),
        )
