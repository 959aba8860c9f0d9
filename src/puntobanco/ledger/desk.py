"""The cash desk: play money given out and taken back, changed at a posted rate, and accounts put right.

Every act is decided from a command, as at a table. The desk itself remembers only the rates that are posted.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import assert_never

from puntobanco.cards import shown
from puntobanco.immutable import FrozenMap
from puntobanco.ledger.accounts import (
    CHIPS,
    cashier_account,
    house_account,
    issue_account,
    owed_account,
    patron_account,
)
from puntobanco.ledger.postings import Balances, Posting, given
from puntobanco.rules.currencies import money_in_words
from puntobanco.rules.wagers import MONEY_LIMIT
from puntobanco.table.irregularity_refusals import are_two_people
from puntobanco.table.reasons import Reason, Refusal
from puntobanco.table.wager_refusals import PATRON_NAME_LIMIT, is_patron_name

REASON_LIMIT = 500
RATE_MOVES = 2
"""A rate is at most so many times the last one, and at least so small a part of it: more is a slip, or worse."""


@dataclass(frozen=True)
class IssueMoney:
    """Give play money to a patron: at the first visit, or when more is bought in."""

    patron: str
    unit: str
    amount: int
    reason: str
    by: str = ""
    and_by: str = ""
    """Who asked and who agreed, where that is for two people; empty where it is for one, who is the actor."""


@dataclass(frozen=True)
class ReturnMoney:
    """Take play money back from a patron."""

    patron: str
    unit: str
    amount: int
    reason: str
    by: str = ""
    and_by: str = ""


@dataclass(frozen=True)
class ChangeMoney:
    """Change one currency into another at the posted rate (ruling 19)."""

    patron: str
    gives: str
    amount: int
    takes: str
    by: str = ""
    and_by: str = ""


@dataclass(frozen=True)
class PostRate:
    """From now on, `denominator` of one currency are changed into `numerator` of another."""

    gives: str
    takes: str
    numerator: int
    denominator: int
    by: str = ""
    and_by: str = ""


@dataclass(frozen=True)
class AdjustAccount:
    """Put a payment right that no rule can change any more (ruling 22): two people, the round's address, a reason."""

    patron: str
    unit: str
    amount: int
    """To the patron; negative where it is taken from them."""
    round_address: str
    reason: str
    by: str
    and_by: str


@dataclass(frozen=True)
class MoneyIssued:
    """A patron has play money; what they owe is settled from it first (ruling 21)."""

    patron: str
    unit: str
    amount: int
    reason: str
    by: str = ""
    and_by: str = ""


@dataclass(frozen=True)
class MoneyReturned:
    """A patron has given play money back."""

    patron: str
    unit: str
    amount: int
    reason: str
    by: str = ""
    and_by: str = ""


@dataclass(frozen=True)
class MoneyChanged:
    """A patron gave an amount and received what it comes to at the rate, which is named."""

    patron: str
    gives: str
    amount: int
    takes: str
    received: int
    numerator: int
    denominator: int
    by: str = ""
    and_by: str = ""


@dataclass(frozen=True)
class RatePosted:
    """The desk changes at this rate from now on."""

    gives: str
    takes: str
    numerator: int
    denominator: int
    by: str = ""
    and_by: str = ""


@dataclass(frozen=True)
class AccountAdjusted:
    """Two people have put a payment right (ruling 22); the round stays as it is."""

    patron: str
    unit: str
    amount: int
    round_address: str
    reason: str
    by: str
    and_by: str


ROUND_ADDRESS = re.compile(r"(?:table/)?([a-z0-9][a-z0-9-]{0,39})/(?:rounds/)?([1-9][0-9]{0,17})", re.ASCII)


def round_at(address: str) -> tuple[str, int] | None:
    """The table and the number that the address of a round names; None where it is none.

    >>> round_at("main/7"), round_at("table/main/rounds/7"), round_at("the last one")
    (('main', 7), ('main', 7), None)
    """
    found = ROUND_ADDRESS.fullmatch(address)
    return (found[1], int(found[2])) if found else None


DeskCommand = IssueMoney | ReturnMoney | ChangeMoney | PostRate | AdjustAccount
"""What a cash desk can be asked for."""
DeskEvent = MoneyIssued | MoneyReturned | MoneyChanged | RatePosted | AccountAdjusted
"""What has happened at a cash desk."""


@dataclass(frozen=True)
class Desk:
    """The rates that are posted, by what is given and what is taken: (numerator, denominator)."""

    rates: Mapping[tuple[str, str], tuple[int, int]] = field(default_factory=FrozenMap)

    def worth(self, gives: str, amount: int, takes: str) -> int:
        """What an amount comes to; a fraction of the smallest unit stays with the cashier. Nothing without a rate."""
        numerator, denominator = self.rates.get((gives, takes), (0, 1))
        return amount * numerator // denominator

    def after(self, event: DeskEvent) -> "Desk":
        if not isinstance(event, RatePosted):
            return self
        return Desk(FrozenMap({**self.rates, (event.gives, event.takes): (event.numerator, event.denominator)}))


def desk_refusal(
    desk: Desk, command: DeskCommand, balances: Balances, *, by_first_rules: bool = False
) -> Refusal | None:
    """Why the desk refuses the command; None if it does not.

    By its first rules any rate could be posted, and a round be named in any words. What was done by them stands.
    """
    return (
        _badly_formed(command)
        or _against_the_rates(desk, command)
        or (None if by_first_rules else _against_later_rules(desk, command))
        or _unfunded(command, balances)
    )


def _badly_formed(command: DeskCommand) -> Refusal | None:
    if not isinstance(command, PostRate):
        patron = command.patron
        if not is_patron_name(patron):
            return Refusal(Reason.BAD_PATRON, f"A patron's name is 1 to {PATRON_NAME_LIMIT} printable characters.")
        amount = (
            abs(command.amount) if isinstance(command, AdjustAccount) and _is_int(command.amount) else command.amount
        )
        if not _is_int(amount) or not 1 <= amount <= MONEY_LIMIT:
            return Refusal(Reason.BAD_AMOUNT, f"An amount is a whole number from 1 to {MONEY_LIMIT:,}.")
    elif not (_is_int(command.numerator) and _is_int(command.denominator)) or not (
        1 <= command.numerator <= MONEY_LIMIT and 1 <= command.denominator <= MONEY_LIMIT
    ):
        return Refusal(Reason.BAD_RATE, f"A rate is two whole numbers from 1 to {MONEY_LIMIT:,}.")
    units = (command.gives, command.takes) if isinstance(command, ChangeMoney | PostRate) else (command.unit,)
    for unit in units:
        if not (isinstance(unit, str) and unit.isascii() and unit.isalpha() and unit.isupper() and len(unit) <= 8):
            return Refusal(Reason.BAD_UNIT, "A currency is a few capital letters, such as SGD.")
    if isinstance(command, IssueMoney | ReturnMoney | AdjustAccount) and not _is_text(command.reason):
        return Refusal(Reason.BAD_REASON, f"A reason is 1 to {REASON_LIMIT} printable characters.")
    if isinstance(command, AdjustAccount):
        if not _is_text(command.round_address):
            return Refusal(
                Reason.BAD_REASON,
                "An account is adjusted for a round, which is named by its address.",
                "Ruling 22",
            )
        if not are_two_people(command.by, command.and_by):
            return Refusal(Reason.TWO_PEOPLE, "An account is adjusted by two different people.", "Ruling 22")
    elif (command.by, command.and_by) != ("", "") and not are_two_people(command.by, command.and_by):
        return Refusal(Reason.TWO_PEOPLE, "What is not for one alone is done by two different people.")
    return None


def _is_int(value: object) -> bool:
    return type(value) is int


def _is_text(text: object) -> bool:
    return isinstance(text, str) and len(text) <= REASON_LIMIT and text.isprintable() and bool(text.strip())


def _against_the_rates(desk: Desk, command: DeskCommand) -> Refusal | None:
    if not isinstance(command, ChangeMoney | PostRate):
        return None
    if CHIPS in (command.gives, command.takes) or command.gives == command.takes:
        return Refusal(
            Reason.NOT_EXCHANGED,
            "Tournament chips have no value and are not exchanged."
            if CHIPS in (command.gives, command.takes)
            else f"{command.gives} is not changed into itself.",
            "Ruling 19",
        )
    if isinstance(command, PostRate):
        return None
    if (command.gives, command.takes) not in desk.rates:
        return Refusal(Reason.NO_RATE, f"No rate is posted for {command.gives} into {command.takes}.", "Ruling 19")
    received = desk.worth(command.gives, command.amount, command.takes)
    if received > MONEY_LIMIT:
        return Refusal(Reason.BAD_AMOUNT, f"No more than {MONEY_LIMIT:,} is given in exchange at once.", "Ruling 19")
    if not received:
        return Refusal(Reason.TOO_LITTLE, f"{command.amount:,} is worth nothing in {command.takes}.", "Ruling 19")
    return None


def _against_later_rules(desk: Desk, command: DeskCommand) -> Refusal | None:
    if isinstance(command, PostRate):
        return _against_the_last_rate(desk, command) or _against_the_way_back(desk, command)
    if isinstance(command, AdjustAccount) and round_at(command.round_address) is None:
        message = f"{shown(command.round_address)} is not the address of a round, such as main/7."
        return Refusal(Reason.BAD_REASON, message, "Ruling 22")
    return None


def _against_the_last_rate(desk: Desk, command: PostRate) -> Refusal | None:
    last = desk.rates.get((command.gives, command.takes))
    if last is None:
        return None
    change = Fraction(command.numerator, command.denominator) / Fraction(*last)
    if change * RATE_MOVES >= 1 and change <= RATE_MOVES:
        return None
    return Refusal(Reason.BAD_RATE, "A rate is at most doubled, or halved, at a time.", "Ruling 19")


def _against_the_way_back(desk: Desk, command: PostRate) -> Refusal | None:
    """Whoever changes money here and changes it back, by whatever currencies in between, never has more than before."""
    most = {command.takes: Fraction(command.numerator, command.denominator)}
    others = {pair: Fraction(*rate) for pair, rate in desk.rates.items() if command.gives != pair[0]}
    # The longest way back that comes by no currency twice has as many steps as there are currencies.
    for _ in {takes for _, takes in others}:
        for (gives, takes), rate in others.items():
            if gives in most:
                most[takes] = max(most.get(takes, Fraction(0)), most[gives] * rate)
    if most.get(command.gives, 0) <= 1:
        return None
    message = f"Whoever changed {command.gives} into {command.takes} and back would gain by it: lower the other first."
    return Refusal(Reason.BAD_RATE, message, "Ruling 19")


def _unfunded(command: DeskCommand, balances: Balances) -> Refusal | None:
    match command:
        case ReturnMoney(patron, unit, amount) | ChangeMoney(patron, unit, amount):
            owed, needed = -balances.get(owed_account(unit, patron), 0), amount
        case AdjustAccount(patron, unit, amount) if amount < 0:
            # The desk does not make anybody owe: two people may take what is there.
            owed, needed = 0, -amount
        case _:
            return None
    if owed:
        return Refusal(Reason.OWES, f"{money_in_words(owed, unit)} are owed and settled first.", "Ruling 21")
    has = balances.get(patron_account(unit, patron), 0)
    if needed > has:
        return Refusal(
            Reason.INSUFFICIENT_FUNDS, f"The balance is {money_in_words(has, unit)}; {needed:,} is not there."
        )
    return None


def happened_at_the_desk(desk: Desk, command: DeskCommand) -> DeskEvent:
    """What happens when the desk carries out a command that it does not refuse."""
    match command:
        case IssueMoney(patron, unit, amount, reason, by, and_by):
            return MoneyIssued(patron, unit, amount, reason, by, and_by)
        case ReturnMoney(patron, unit, amount, reason, by, and_by):
            return MoneyReturned(patron, unit, amount, reason, by, and_by)
        case ChangeMoney(patron, gives, amount, takes, by, and_by):
            received, rate = desk.worth(gives, amount, takes), desk.rates[gives, takes]
            return MoneyChanged(patron, gives, amount, takes, received, *rate, by, and_by)
        case PostRate(gives, takes, numerator, denominator, by, and_by):
            return RatePosted(gives, takes, numerator, denominator, by, and_by)
        case AdjustAccount(patron, unit, amount, round_address, reason, by, and_by):
            return AccountAdjusted(patron, unit, amount, round_address, reason, by, and_by)
        case _:
            assert_never(command)


def desk_cause(event: DeskEvent) -> DeskCommand:
    """The command that an act of the desk came from."""
    match event:
        case MoneyIssued(patron, unit, amount, reason, by, and_by):
            return IssueMoney(patron, unit, amount, reason, by, and_by)
        case MoneyReturned(patron, unit, amount, reason, by, and_by):
            return ReturnMoney(patron, unit, amount, reason, by, and_by)
        case MoneyChanged(patron, gives, amount, takes, by=by, and_by=and_by):
            return ChangeMoney(patron, gives, amount, takes, by, and_by)
        case RatePosted(gives, takes, numerator, denominator, by, and_by):
            return PostRate(gives, takes, numerator, denominator, by, and_by)
        case AccountAdjusted(patron, unit, amount, round_address, reason, by, and_by):
            return AdjustAccount(patron, unit, amount, round_address, reason, by, and_by)
        case _:
            assert_never(event)


def desk_accounts(command: DeskCommand) -> tuple[str, ...]:
    """The accounts whose balances must be known before the command is carried out: all that it may move."""
    if _badly_formed(command) is not None:
        # It is refused for that, and must not get as far as a database.
        return ()
    match command:
        case IssueMoney(patron, unit) | ReturnMoney(patron, unit):
            return patron_account(unit, patron), owed_account(unit, patron), issue_account(unit)
        case ChangeMoney(patron, gives, _, takes):
            return (
                patron_account(gives, patron),
                patron_account(takes, patron),
                owed_account(gives, patron),
                owed_account(takes, patron),
                cashier_account(gives),
                cashier_account(takes),
            )
        case PostRate():
            return ()
        case AdjustAccount(patron, unit):
            return patron_account(unit, patron), owed_account(unit, patron), house_account(unit)
        case _:
            assert_never(command)


def desk_postings(event: DeskEvent, balances: Balances) -> tuple[Posting, ...]:
    """What an act of the desk moves; in each unit it sums to zero."""
    match event:
        case MoneyIssued(patron, unit, amount):
            return Posting(issue_account(unit), -amount), *given(unit, patron, amount, balances)
        case MoneyReturned(patron, unit, amount):
            return Posting(patron_account(unit, patron), -amount), Posting(issue_account(unit), amount)
        case MoneyChanged(patron, gives, amount, takes, received):
            return (
                Posting(patron_account(gives, patron), -amount),
                Posting(cashier_account(gives), amount),
                Posting(cashier_account(takes), -received),
                *given(takes, patron, received, balances),
            )
        case AccountAdjusted(patron, unit, amount):
            if amount > 0:
                return Posting(house_account(unit), -amount), *given(unit, patron, amount, balances)
            return Posting(patron_account(unit, patron), amount), Posting(house_account(unit), -amount)
        case RatePosted():
            return ()
        case _:
            assert_never(event)
