"""The postings of a patron, newest first, each with what the account stood at after it: read from the record itself."""

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from puntobanco.extras import optional_package
from puntobanco.ledger.accounts import Kind, owed_account, parse_account, patron_account
from puntobanco.ledger.desk import round_at
from puntobanco.server.rounds import LATEST, PAGE
from puntobanco.store.beside import Beside
from puntobanco.store.schema import account, entry, event

with optional_package("sqlalchemy", "Postings are looked up"):
    from sqlalchemy import and_, case, func, or_, select

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

MOST_OF_AN_EVENT = 6
"""More postings than an event has of one patron: money that is changed moves what they have and owe in two units."""
# An event begins with its kind and, where it belongs to a round, the round; a settlement may be megabytes long.
BEGINNING = 120
EVENT = re.compile(r'\{"event":"([a-z-]+)","v":\d+(?:,"round_number":(\d+))?')


class LedgerPage(NamedTuple):
    balances: dict[str, int]
    """What the patron has, by unit, now."""
    owed: dict[str, int]
    postings: list[dict[str, Any]]
    before: int | None
    """Where the next page begins; None at the end."""


async def units(connection: "AsyncConnection") -> list[str]:
    """The units in which anybody has ever had money: it was issued, or taken in exchange."""
    prefixes = [and_(account.c.id >= f"{kind}/", account.c.id < f"{kind}0") for kind in (Kind.ISSUE, Kind.CASHIER)]
    found = await connection.execute(select(account.c.id).where(or_(*prefixes)))
    return sorted({parse_account(row.id).unit for row in found})


async def ledger(beside: Beside, patron: str, before: int | None = None, limit: int = PAGE) -> LedgerPage:
    """A page of the patron's postings; all of it is of one moment."""
    async with beside.reading() as connection:
        in_units = await units(connection)
        names = [made(unit, patron) for unit in in_units for made in (patron_account, owed_account)]
        found = await connection.execute(select(account).where(account.c.id.in_(names)))
        stands = {row.id: row.balance for row in found}
        joined = entry.join(event, and_(event.c.stream == entry.c.stream, event.c.version == entry.c.version))
        if before is not None:
            # What the accounts stood at before the postings that came later.
            later = (
                select(entry.c.account, func.sum(entry.c.amount).label("amount"))
                .select_from(joined)
                .where(entry.c.account.in_(names), event.c.sequence >= before)
                .group_by(entry.c.account)
            )
            for row in await connection.execute(later):
                stands[row.account] -= int(row.amount)
        # What happens at the desk is short, and says why.
        beginning = case(
            (event.c.stream.like("desk/%"), event.c.body), else_=func.substr(event.c.body, 1, BEGINNING)
        ).label("beginning")
        page = (
            select(entry, event.c.sequence, event.c.time, event.c.command, beginning)
            .select_from(joined)
            .where(entry.c.account.in_(names), event.c.sequence < (LATEST if before is None else before))
            .order_by(event.c.sequence.desc(), entry.c.place.desc())
            .limit(limit + MOST_OF_AN_EVENT)
        )
        rows = list(await connection.execute(page))
        now = {row.id: row.balance for row in await connection.execute(select(account).where(account.c.id.in_(names)))}
    kept = _whole_events(rows, limit)
    postings = [_posting(row, stands) for row in kept]
    return LedgerPage(
        {parse_account(name).unit: balance for name, balance in now.items() if name.startswith("patron/")},
        {parse_account(name).unit: -balance for name, balance in now.items() if name.startswith("owed/") and balance},
        postings,
        kept[-1].sequence if len(rows) > len(kept) else None,
    )


def _whole_events(rows: list[Any], limit: int) -> list[Any]:
    """No page ends within an event."""
    if len(rows) <= limit:
        return rows
    kept = rows[:limit]
    while len(kept) < len(rows) and rows[len(kept)].sequence == kept[-1].sequence:
        kept.append(rows[len(kept)])
    return kept


def _posting(row: Any, stands: dict[str, int]) -> dict[str, Any]:
    name, balance = parse_account(row.account), stands[row.account]
    stands[row.account] -= row.amount
    found = EVENT.match(row.beginning)
    assert found is not None, "every event begins with its kind"
    kind, _, at = row.stream.partition("/")
    table, number, reason = (at if kind == "table" else None), int(found[2]) if found[2] else None, None
    if kind == "desk":
        said = json.loads(row.beginning)
        reason = said.get("reason")
        if "round_address" in said:
            # Before a desk asked for an address, a round could be named in any words.
            table, number = round_at(said["round_address"]) or (None, None)
    return {
        "time": row.time,
        "unit": name.unit,
        "account": name.kind.value,
        "amount": row.amount,
        "balance": balance,
        "event": found[1],
        "table": table,
        "round": number,
        "reason": reason,
        "stream": row.stream,
        "version": row.version,
    }
