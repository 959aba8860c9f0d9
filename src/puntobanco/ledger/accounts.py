"""The accounts of the books, each with a name of its own.

    patron/SGD/anna          what a patron has
    held/main/SGD/anna       what a patron has on the felt of a table
    owed/SGD/anna            what a patron owes (ruling 21): never above zero
    house/SGD                what the house has won, or lost
    issue/SGD                play money that was given out: never above zero
    cashier/SGD              what the cashier took or gave in exchange (ruling 19)

The unit is a currency or CHIPS, tournament chips without value, which nothing exchanges. Of all accounts in one unit
the sum is zero, always: money only moves.
"""

from enum import StrEnum
from typing import NamedTuple

from puntobanco.cards import shown
from puntobanco.errors import InputError

CHIPS = "CHIPS"
"""The unit of tournament chips."""


class Kind(StrEnum):
    """What an account is for; its name begins with it."""

    PATRON = "patron"
    HELD = "held"
    OWED = "owed"
    HOUSE = "house"
    ISSUE = "issue"
    CASHIER = "cashier"


NEVER_NEGATIVE = frozenset({Kind.PATRON, Kind.HELD})
"""Nobody stakes what they have not: the database holds these at zero or above too."""

# How a posting names its accounts. A patron's name stands last, because it may hold any printable character.


def patron_account(unit: str, patron: str) -> str:
    return f"patron/{unit}/{patron}"


def held_account(table: str, unit: str, patron: str) -> str:
    return f"held/{table}/{unit}/{patron}"


def owed_account(unit: str, patron: str) -> str:
    return f"owed/{unit}/{patron}"


def house_account(unit: str) -> str:
    return f"house/{unit}"


def issue_account(unit: str) -> str:
    return f"issue/{unit}"


def cashier_account(unit: str) -> str:
    return f"cashier/{unit}"


class Account(NamedTuple):
    """What the name of an account says."""

    kind: Kind
    unit: str
    table: str | None = None
    patron: str | None = None


def parse_account(name: str) -> Account:
    """What the name says; refused if no posting can have made it.

    >>> parse_account("held/main/SGD/anna/b")
    Account(kind=<Kind.HELD: 'held'>, unit='SGD', table='main', patron='anna/b')
    """
    kind, _, rest = name.partition("/")
    match kind, rest.split("/", 2 if kind == Kind.HELD else 1):
        case Kind.HELD, [table, unit, patron] if table and unit and patron:
            return Account(Kind.HELD, unit, table, patron)
        case ((Kind.PATRON | Kind.OWED), [unit, patron]) if unit and patron:
            return Account(Kind(kind), unit, None, patron)
        case ((Kind.HOUSE | Kind.ISSUE | Kind.CASHIER), [unit]) if unit:
            return Account(Kind(kind), unit)
    raise InputError("unknown-account", f"{shown(name)} is not the name of an account.")
