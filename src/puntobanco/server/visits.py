"""Visits of patrons: since when somebody plays, and what was won or lost since, whatever was bought in meanwhile."""

import asyncio
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from puntobanco.extras import optional_package
from puntobanco.ledger.accounts import owed_account, parse_account, patron_account
from puntobanco.server.own_limits import DAY, MINUTE
from puntobanco.server.patron_ledger import units
from puntobanco.server.together import Together
from puntobanco.store.beside import Beside
from puntobanco.store.schema import IS_HELD, account, entry, event, head, held_by, visit

with optional_package("sqlalchemy", "Visits are kept"):
    from sqlalchemy import and_, bindparam, func, select, text
with optional_package("msgspec", "Visits are kept"):
    import msgspec

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

OVER_AFTER = 30 * MINUTE
"""Whoever comes back later than that begins a new visit."""
SEEN_EVERY = MINUTE
"""Whoever is connected and does nothing is seen so often."""
VISITS_AT_ONCE = 500
PATRONS_AT_ONCE = 100
"""Each has a few accounts in every kind of money."""
# Two people put a payment right: that belongs to what was won, unlike money that is bought in or taken home.
PUT_RIGHT = '{"event":"account-adjusted"%'

Item = TypeVar("Item")


class Began(msgspec.Struct):
    """With what a visit began."""

    wealth: dict[str, int]
    """By unit: what the patron had, less what they owed, and what lay on felts."""
    desks: dict[str, int]
    """By stream, the last version then."""


class Visit(NamedTuple):
    since: int
    seen: int
    began: Began


class Wealth(NamedTuple):
    by_unit: dict[str, int]
    felt: dict[str, tuple[str, int]]
    """By table: the unit, and what lies there."""


async def wealth(connection: "AsyncConnection", patron: str) -> Wealth:
    """All that a patron has, at one moment."""
    return (await wealth_of(connection, [patron]))[patron]


async def wealth_of(connection: "AsyncConnection", patrons: Collection[str]) -> dict[str, Wealth]:
    """By patron, all that they have, at one moment; as quick among thousands of tables as among ten."""
    found = {patron: Wealth({}, {}) for patron in patrons}
    in_units, held = await units(connection), _HELD[connection.dialect.name]
    for some in _slices(list(patrons), PATRONS_AT_ONCE):
        names = [made(unit, each) for unit in in_units for each in some for made in (patron_account, owed_account)]
        rows = [
            *await connection.execute(_BALANCES, {"ids": names}),
            *await connection.execute(held, {"patrons": some}),
        ]
        for id, balance in rows:
            of = parse_account(id)
            assert of.patron is not None
            by_unit, felt = found[of.patron]
            by_unit[of.unit] = by_unit.get(of.unit, 0) + balance
            if of.table is not None and balance:
                felt[of.table] = of.unit, balance
    return found


async def versions_of(connection: "AsyncConnection", kind: str) -> dict[str, int]:
    """By stream, the last version of each desk or each table."""
    of_kind = head.c.stream > f"{kind}/", head.c.stream < f"{kind}0"
    rows = await connection.execute(select(head.c.stream, head.c.version).where(*of_kind))
    return {row.stream: row.version for row in rows}


_BALANCES = select(account.c.id, account.c.balance).where(account.c.id.in_(bindparam("ids", expanding=True)))
_HELD = {
    dialect: text(f"SELECT id, balance FROM account WHERE {IS_HELD} AND {held_by(dialect)} IN :patrons").bindparams(
        bindparam("patrons", expanding=True)
    )
    for dialect in ("sqlite", "postgresql")
}


async def brought(
    connection: "AsyncConnection", patron: str, desks: dict[str, int], now: Iterable[str]
) -> dict[str, int]:
    """By unit, what a patron bought in at desks since these versions, less what they took home or changed."""
    found: dict[str, int] = {}
    joined = entry.join(event, and_(event.c.stream == entry.c.stream, event.c.version == entry.c.version))
    names = [made(unit, patron) for unit in await units(connection) for made in (patron_account, owed_account)]
    for desk in now:
        statement = (
            select(entry.c.account, func.sum(entry.c.amount).label("amount"))
            .select_from(joined)
            .where(entry.c.account.in_(names), entry.c.stream == desk, entry.c.version > desks.get(desk, 0))
            .where(event.c.body.not_like(PUT_RIGHT))
            .group_by(entry.c.account)
        )
        for row in await connection.execute(statement):
            unit = parse_account(row.account).unit
            found[unit] = found.get(unit, 0) + int(row.amount)
    return found


class Visits:
    """Who is here, and since when. That somebody is still here is noted in memory, and written now and then."""

    def __init__(self, beside: Beside) -> None:
        self._beside = beside
        self._here: dict[str, Visit] = {}
        self._new: set[str] = set()
        """Those whose visit is not written down at all yet."""
        self._unwritten: set[str] = set()
        self._writing = asyncio.Lock()
        self._arriving: dict[str, asyncio.Task[Visit]] = {}
        self._last, self._began = Together(self._last_of), Together(self._began_of)

    def since(self, patron: str, now: int) -> int | None:
        """When the visit that runs began; None where none does."""
        here = self._here.get(patron)
        return None if here is None or now - here.seen > OVER_AFTER else here.since

    def see(self, patron: str, now: int) -> bool:
        """A patron does something; whether a visit of theirs runs."""
        here = self._here.get(patron)
        if here is None or now - here.seen > OVER_AFTER:
            return False
        if now > here.seen:
            self._here[patron] = here._replace(seen=now)
            self._unwritten.add(patron)
        return True

    def unseen(self, patrons: Iterable[str], now: int) -> Iterator[str]:
        """Those of them who did nothing for a while, or have no visit."""
        for patron in patrons:
            here = self._here.get(patron)
            if here is None or now - here.seen >= SEEN_EVERY:
                yield patron

    async def arrive(self, patron: str, now: int) -> Visit:
        """The visit of a patron who is here now: the one that goes on, or a new one."""
        if not self.see(patron, now):
            # However many requests of a patron come at once, it is one visit.
            if patron not in self._arriving:
                self._arriving[patron] = asyncio.create_task(self._found(patron, now))
                self._arriving[patron].add_done_callback(lambda _: self._arriving.pop(patron, None))
            await asyncio.shield(self._arriving[patron])
            self.see(patron, now)
        return self._here[patron]

    async def _found(self, patron: str, now: int) -> Visit:
        if patron in self._unwritten:
            await self.write()
        last = await self._last.find(patron)
        if last is not None and now - last.seen <= OVER_AFTER:
            self._here[patron] = last
            return last
        began = await self._began.find(patron)
        assert began is not None, "everybody has something, be it nothing"
        self._here[patron] = Visit(now, now, began)
        self._new.add(patron)
        self._unwritten.add(patron)
        return self._here[patron]

    async def _last_of(self, patrons: Collection[str]) -> dict[str, Visit]:
        """Their last visits, as they are written down."""
        latest = select(visit.c.person, func.max(visit.c.since).label("since")).group_by(visit.c.person)
        latest_of = latest.where(visit.c.person.in_(patrons)).subquery()
        same = and_(visit.c.person == latest_of.c.person, visit.c.since == latest_of.c.since)
        async with self._beside.reading() as connection:
            rows = list(await connection.execute(select(visit).join(latest_of, same)))
        return {row.person: Visit(row.since, row.seen, msgspec.json.decode(row.wealth, type=Began)) for row in rows}

    async def _began_of(self, patrons: Collection[str]) -> dict[str, Began]:
        """With what their visits begin at this moment."""
        async with self._beside.reading() as connection:
            desks, has = await versions_of(connection, "desk"), await wealth_of(connection, patrons)
        return {patron: Began(has[patron].by_unit, desks) for patron in patrons}

    async def net(self, patron: str, found: Visit) -> dict[str, int]:
        """By unit, what the patron has won or lost in a visit; units in which nothing happened are left out."""
        async with self._beside.reading() as connection:
            has = await wealth(connection, patron)
            desks = await versions_of(connection, "desk")
            bought = await brought(connection, patron, found.began.desks, desks)
        then = found.began.wealth
        nets = {
            unit: has.by_unit.get(unit, 0) - then.get(unit, 0) - bought.get(unit, 0) for unit in {*has.by_unit, *then}
        }
        return {unit: nets[unit] for unit in sorted(nets) if nets[unit] or has.by_unit.get(unit)}

    async def time_before(self, patron: str, now: int, current: int | None) -> int:
        """How long a patron has played today in other visits than the one that began then."""
        midnight = now // DAY * DAY
        statement = select(visit.c.since, visit.c.seen).where(visit.c.person == patron, visit.c.since > midnight - DAY)
        async with self._beside.reading() as connection:
            rows = list(await connection.execute(statement))
        return sum([max(0, row.seen - max(row.since, midnight)) for row in rows if row.since != current])

    async def write(self) -> None:
        """Write down who is here. What is not written when a process ends is the last moment of a visit."""
        async with self._writing:
            for some in _slices(sorted(self._unwritten), VISITS_AT_ONCE):
                await self._write({each: self._here[each] for each in some})

    async def _write(self, visits: Mapping[str, Visit]) -> None:
        rows = [{"person": each, "since": here.since, "seen": here.seen} for each, here in visits.items()]
        begun = [
            {**row, "wealth": msgspec.json.encode(here.began).decode()}
            for row, (each, here) in zip(rows, visits.items(), strict=True)
            if each in self._new
        ]
        # One statement for all of them: wagers wait as long as this writes.
        async with self._beside.writing() as connection:
            if begun:
                await connection.execute(_BEGIN, begun)
            await connection.execute(_SEE, rows)
        # Only now: what could not be written is written the next time, and so is who was seen meanwhile.
        self._new.difference_update(visits)
        self._unwritten.difference_update([each for each, here in visits.items() if self._here[each] is here])

    def forget(self, now: int) -> None:
        """Those who left long ago need no memory."""
        gone = [patron for patron, here in self._here.items() if now - here.seen > OVER_AFTER]
        for patron in gone:
            if patron not in self._unwritten:
                del self._here[patron]


# Of two processes to which a patron came in the same moment one writes the visit down.
_BEGIN = text(
    "INSERT INTO visit (person, since, seen, wealth) VALUES (:person, :since, :seen, :wealth) ON CONFLICT DO NOTHING"
)

_SEE = text("UPDATE visit SET seen = :seen WHERE person = :person AND since = :since AND seen < :seen")


def _slices(items: Sequence[Item], size: int) -> Iterator[Sequence[Item]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]
