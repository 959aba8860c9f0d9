"""Visits of patrons: since when somebody plays, and what was won or lost since, whatever was bought in meanwhile."""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from puntobanco.extras import optional_package
from puntobanco.ledger.accounts import held_account, owed_account, parse_account, patron_account
from puntobanco.server.own_limits import DAY, MINUTE
from puntobanco.server.patron_ledger import units
from puntobanco.store.beside import Beside
from puntobanco.store.schema import account, entry, event, head, visit

with optional_package("sqlalchemy", "Visits are kept"):
    from sqlalchemy import and_, func, select, text
with optional_package("msgspec", "Visits are kept"):
    import msgspec

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

OVER_AFTER = 30 * MINUTE
"""Whoever comes back later than that begins a new visit."""
ACCOUNTS_AT_ONCE = 500
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
    versions: dict[str, int]
    """Of every stream at this moment."""


async def wealth(connection: "AsyncConnection", patron: str) -> Wealth:
    """All that a patron has, at one moment."""
    versions = {row.stream: row.version for row in await connection.execute(select(head.c.stream, head.c.version))}
    tables = [name.removeprefix("table/") for name in versions if name.startswith("table/")]
    names = list[str]()
    for unit in await units(connection):
        names += [patron_account(unit, patron), owed_account(unit, patron)]
        names += [held_account(table, unit, patron) for table in tables]
    by_unit, felt = dict[str, int](), dict[str, tuple[str, int]]()
    for some in _slices(names, ACCOUNTS_AT_ONCE):
        for row in await connection.execute(select(account).where(account.c.id.in_(some))):
            name = parse_account(row.id)
            by_unit[name.unit] = by_unit.get(name.unit, 0) + row.balance
            if name.table is not None and row.balance:
                felt[name.table] = name.unit, row.balance
    return Wealth(by_unit, felt, versions)


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
        self._arriving: dict[str, asyncio.Task[Visit]] = {}

    def since(self, patron: str) -> int | None:
        """When the visit of a patron who is here began."""
        here = self._here.get(patron)
        return None if here is None else here.since

    def see(self, patron: str, now: int) -> None:
        """A patron who has arrived does something."""
        here = self._here.get(patron)
        if here is not None and now > here.seen and now - here.seen <= OVER_AFTER:
            self._here[patron] = here._replace(seen=now)
            self._unwritten.add(patron)

    async def arrive(self, patron: str, now: int) -> Visit:
        """The visit of a patron who is here now: the one that goes on, or a new one."""
        here = self._here.get(patron)
        if here is None or now - here.seen > OVER_AFTER:
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
        async with self._beside.reading() as connection:
            statement = select(visit).where(visit.c.person == patron).order_by(visit.c.since.desc()).limit(1)
            row = (await connection.execute(statement)).one_or_none()
            if row is not None and now - row.seen <= OVER_AFTER:
                self._here[patron] = Visit(row.since, row.seen, msgspec.json.decode(row.wealth, type=Began))
                return self._here[patron]
            has = await wealth(connection, patron)
        desks = {stream: version for stream, version in has.versions.items() if stream.startswith("desk/")}
        self._here[patron] = Visit(now, now, Began(has.by_unit, desks))
        self._new.add(patron)
        self._unwritten.add(patron)
        return self._here[patron]

    async def net(self, patron: str, found: Visit) -> dict[str, int]:
        """By unit, what the patron has won or lost in a visit; units in which nothing happened are left out."""
        async with self._beside.reading() as connection:
            has = await wealth(connection, patron)
            desks = [stream for stream in has.versions if stream.startswith("desk/")]
            bought = await brought(connection, patron, found.began.desks, desks)
        then = found.began.wealth
        nets = {
            unit: has.by_unit.get(unit, 0) - then.get(unit, 0) - bought.get(unit, 0) for unit in {*has.by_unit, *then}
        }
        return {unit: nets[unit] for unit in sorted(nets) if nets[unit] or has.by_unit.get(unit)}

    async def time_before(self, patron: str, now: int) -> int:
        """How long a patron has played today in visits that are over."""
        midnight, current = now // DAY * DAY, self.since(patron)
        statement = select(visit.c.since, visit.c.seen).where(visit.c.person == patron, visit.c.since > midnight - DAY)
        async with self._beside.reading() as connection:
            rows = list(await connection.execute(statement))
        return sum([max(0, row.seen - max(row.since, midnight)) for row in rows if row.since != current])

    async def write(self) -> None:
        """Write down who is here. What is not written when a process ends is the last moment of a visit."""
        for some in _slices(sorted(self._unwritten), ACCOUNTS_AT_ONCE):
            new = [each for each in some if each in self._new]
            self._unwritten.difference_update(some)
            self._new.difference_update(new)
            rows = {
                each: {"person": each, "since": here.since, "seen": here.seen}
                for each, here in [(each, self._here[each]) for each in some]
            }
            begun = [{**rows[each], "wealth": msgspec.json.encode(self._here[each].began).decode()} for each in new]
            # One statement for all of them: wagers wait as long as this writes.
            async with self._beside.writing() as connection:
                if begun:
                    await connection.execute(_BEGIN, begun)
                await connection.execute(_SEE, list(rows.values()))

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
