"""The money that a table moves, as postings: whatever one account gives, another gets."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from puntobanco.ledger.accounts import CHIPS, held_account, house_account, owed_account, patron_account
from puntobanco.rules.currencies import money_in_words
from puntobanco.table import events
from puntobanco.table.commands import (
    Command,
    CorrectRound,
    IncreaseWager,
    PlaceWager,
    ReduceWager,
    SettleRound,
    VoidRound,
    WithdrawWager,
)
from puntobanco.table.events import Event
from puntobanco.table.money import money_moved
from puntobanco.table.reasons import Reason, Refusal
from puntobanco.table.settings import Account, TableSettings
from puntobanco.table.state import Table
from puntobanco.table.wager_refusals import is_patron_name

Balances = Mapping[str, int]
"""By the name of the account; one that is not there stands at zero."""


class Posting(NamedTuple):
    """So much to one account; negative where it is taken."""

    account: str
    amount: int


_CASH = Account.CASH  # Every wager asks for its unit several times, and Python 3.11 finds a member by a call.


def unit_of(settings: TableSettings) -> str:
    """What the stakes of a table are counted in: its currency, or chips without value."""
    return settings.currency if settings.account is _CASH else CHIPS


def postings(name: str, table: Table | None, event: Event, balances: Balances) -> tuple[Posting, ...]:
    """What the event moves at the table of this name, which stands as before the event. They sum to zero."""
    moved = money_moved(event)  # Total over all events: a new one fails there until somebody has thought of its money.
    if not moved:
        return ()
    assert table is not None, "a table that is not open moves no money"
    found = _postings(name, table, event, moved, balances)
    assert not sum([amount for _, amount in found]), f"{type(event).__name__} would make or lose money"
    return found


def _postings(name: str, table: Table, event: Event, moved: Balances, balances: Balances) -> tuple[Posting, ...]:
    match event:
        case events.StakeChanged():
            unit, patron = unit_of(table.settings), event.patron
            amount = moved[patron]
            back = Posting(held_account(name, unit, patron), -amount)
            if amount > 0:
                return *given(unit, patron, amount, balances), back
            return Posting(patron_account(unit, patron), amount), back
        case events.RoundSettled(settlements=settlements):
            unit = unit_of(table.settings)
            staked = {
                patron: sum([each.stake for each in slip.wagers.values()]) for patron, slip in settlements.items()
            }
            return tuple(_settled(name, unit, staked, moved, balances))
        case events.RoundVoided(after_settlement=False):
            unit = unit_of(table.settings)
            return tuple(_settled(name, unit, moved, moved, balances))
        case events.RoundVoided() | events.RoundCorrected():
            assert table.last is not None, "what was settled is the last round"
            return tuple(_made_good(unit_of(table.last.settings), moved, balances))
    raise AssertionError(f"{type(event).__name__} moves money and has no postings")


def _settled(name: str, unit: str, staked: Balances, returned: Balances, balances: Balances) -> Iterator[Posting]:
    """The stakes leave the felt; the house pays what is returned beyond them, or keeps what is not."""
    house = 0
    for patron, stake in staked.items():
        back = returned[patron]
        yield Posting(held_account(name, unit, patron), -stake)
        if back:
            yield from given(unit, patron, back, balances)
        house += stake - back
    if house:
        yield Posting(house_account(unit), house)


def _made_good(unit: str, moved: Balances, balances: Balances) -> Iterator[Posting]:
    """A round that was settled and paid is put right between the patrons and the house."""
    for patron, amount in moved.items():
        if amount > 0:
            yield from given(unit, patron, amount, balances)
        elif amount < 0:
            # Ruling 21: what the patron has spent since is owed.
            covered = min(-amount, balances.get(patron_account(unit, patron), 0))
            if covered:
                yield Posting(patron_account(unit, patron), -covered)
            if covered < -amount:
                yield Posting(owed_account(unit, patron), amount + covered)
    if house := -sum(moved.values()):
        yield Posting(house_account(unit), house)


def given(unit: str, patron: str, amount: int, balances: Balances) -> Iterator[Posting]:
    """An amount to a patron, which settles first what is owed (ruling 21), wherever it comes from.

    Whatever comes to a patron comes by here, so that nobody has something and owes something at once.
    """
    settles = min(amount, -balances.get(owed_account(unit, patron), 0))
    if settles:
        yield Posting(owed_account(unit, patron), settles)
    if amount - settles:
        yield Posting(patron_account(unit, patron), amount - settles)


WAGERS = (PlaceWager, IncreaseWager, ReduceWager, WithdrawWager)


def accounts_touched(name: str, table: Table | None, command: Command) -> Sequence[str]:
    """The accounts whose balances must be known before the command is carried out: all that it may move."""
    if table is None:
        return ()
    if isinstance(command, WAGERS):
        # A name that is none is refused by the table, and must not get as far as a database.
        return _accounts_of(name, unit_of(table.settings), command.patron) if is_patron_name(command.patron) else ()
    if not isinstance(command, SettleRound | VoidRound | CorrectRound):
        return ()
    stakes, settings = table.stakes, table.settings
    if not table.phase.in_round and table.last is not None:
        stakes, settings = table.last.stakes, table.last.settings
    unit = unit_of(settings)
    return [house_account(unit), *[each for patron in stakes for each in _accounts_of(name, unit, patron)]]


def _accounts_of(name: str, unit: str, patron: str) -> tuple[str, str, str]:
    """All that a patron has in a unit at a table."""
    return patron_account(unit, patron), owed_account(unit, patron), held_account(name, unit, patron)


def funds_refusal(table: Table | None, command: Command, balances: Balances) -> Refusal | None:
    """Why the money refuses a wager, before the table is asked; None if it does not."""
    if isinstance(command, PlaceWager):
        more = command.stake
    elif isinstance(command, IncreaseWager):
        more = command.by
    else:
        return None
    patron = command.patron
    # What is no amount at all, or no name, is for the table to refuse, which says why.
    if table is None or type(more) is not int or more <= 0 or not isinstance(patron, str):
        return None
    unit = unit_of(table.settings)
    owed = -balances.get(owed_account(unit, patron), 0)
    has = balances.get(patron_account(unit, patron), 0)
    # A name that is none has no money: that it is none need only be seen where money is wanting.
    if (not owed and more <= has) or not is_patron_name(patron):
        return None
    if owed:
        return Refusal(
            Reason.OWES,
            f"{money_in_words(owed, unit)} are owed from a round that was put right; no wager is taken until it is "
            "settled.",
            "Ruling 21",
        )
    return Refusal(
        Reason.INSUFFICIENT_FUNDS, f"The balance is {money_in_words(has, unit)}; {more:,} more is not there."
    )
