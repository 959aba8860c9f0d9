"""The voids and corrections of a record, as `store.voids` tells them, found without reading all of it.

A change is told from the events of its own shoe: the table is taken up as it stood before that was opened.
"""

import asyncio
from typing import TYPE_CHECKING, Any, NamedTuple

from puntobanco.extras import optional_package
from puntobanco.server.follower import Follower
from puntobanco.server.problems import malformed
from puntobanco.server.rounds import values_of
from puntobanco.store.database import StorageFault
from puntobanco.store.derived import played_round, played_shoe, round_change
from puntobanco.store.rows import EventRow
from puntobanco.store.schema import event
from puntobanco.store.streams import Landmark, TableStream, new_stream
from puntobanco.store.voids import NOT_PUBLISHED, ChangedRounds, CorrectedRound, VoidedRound

with optional_package("sqlalchemy", "Reports are made"):
    from sqlalchemy import ColumnElement, case, func, select, tuple_, update
with optional_package("msgspec", "Reports are made"):
    import msgspec

if TYPE_CHECKING:
    from collections.abc import Sequence


EVENTS_AT_ONCE = 500
FOLDED_AT_ONCE = 50
"""Events that are folded before others have their turn."""
SHOES_AT_ONCE = 50
"""So many shoes are gone through for one request at the most; the rest is reckoned with the next."""
PAGE, MOST_ON_A_PAGE = 100, 500


class ChangeTotal(NamedTuple):
    """The changes of one kind of a table in a unit."""

    table: str
    unit: str
    kind: str
    rounds: int
    unknown: int
    """Of how many it is not known what they came to for the house."""
    house: int
    """What the others came to: of voids, what the house would have won; of corrections, what it was given."""


class ChangePage(NamedTuple):
    changes: list[dict[str, Any]]
    before: str | None
    """Where the next page begins; None at the end."""


class _Settings(msgspec.Struct):
    settings: msgspec.Raw


class _Committed(msgspec.Struct):
    previous: str


async def changes(
    follower: Follower,
    *,
    table: str | None = None,
    since: int | None = None,
    until: int | None = None,
    before: str | None = None,
    limit: int = PAGE,
) -> ChangePage:
    """The voids and corrections, newest first, each as `store.voids` has it."""
    place = round_change.c.time, round_change.c.stream, round_change.c.version
    statement = select(round_change).order_by(*[column.desc() for column in place]).limit(limit + 1)
    if table is not None:
        statement = statement.where(round_change.c.stream == f"table/{table}")
    if since is not None:
        statement = statement.where(round_change.c.time >= since)
    if until is not None:
        statement = statement.where(round_change.c.time < until)
    if before is not None:
        statement = statement.where(_earlier(before))
    async with follower.derived.reading() as connection:
        rows = list(await connection.execute(statement))
    page = rows[:limit]
    bodies = {(row.stream, row.version): msgspec.json.decode(row.body) for row in page if row.body is not None}
    shoes = sorted({(row.stream, row.shoe) for row in page if row.body is None})
    for stream, shoe in shoes:
        bodies |= await reckon(follower, stream, shoe)
    found = [{"kind": row.kind, **bodies[row.stream, row.version]} for row in page]
    last = page[-1] if len(rows) > limit else None
    return ChangePage(found, None if last is None else f"{last.time}.{last.stream[6:]}.{last.version}")


def _earlier(before: str) -> "ColumnElement[bool]":
    try:
        time, name, version = before.split(".")
        key = int(time), f"table/{name}", int(version)
    except ValueError:
        raise malformed("A page begins where another ended.") from None
    columns = round_change.c.time, round_change.c.stream, round_change.c.version
    return tuple_(*columns) < values_of(columns, key)


async def totals(follower: Follower, table: str | None = None) -> list[ChangeTotal]:
    """By table, unit and kind; what was not reckoned before is reckoned first, as far as one request may."""
    async with follower.derived.reading() as connection:
        unknown = select(round_change.c.stream, round_change.c.shoe).where(round_change.c.body.is_(None)).distinct()
        left = list(await connection.execute(unknown.order_by(round_change.c.stream).limit(SHOES_AT_ONCE)))
    for row in left:
        await reckon(follower, row.stream, row.shoe)
    key = round_change.c.stream, round_change.c.unit, round_change.c.kind
    statement = select(
        *key,
        func.count().label("rounds"),
        func.sum(case((round_change.c.house.is_(None), 1), else_=0)).label("unknown"),
        func.sum(func.coalesce(round_change.c.house, 0)).label("house"),
    )
    if table is not None:
        statement = statement.where(round_change.c.stream == f"table/{table}")
    async with follower.derived.reading() as connection:
        rows = list(await connection.execute(statement.group_by(*key).order_by(*key)))
    return [
        ChangeTotal(row.stream[6:], row.unit, row.kind, row.rounds, int(row.unknown), int(row.house)) for row in rows
    ]


async def reckon(follower: Follower, stream: str, shoe: int) -> dict[tuple[str, int], dict[str, Any]]:
    """All changes of rounds of a shoe, by stream and version; what can change no more is kept."""
    async with follower.derived.reading() as connection:
        where = played_shoe.c.stream == stream, played_shoe.c.number == shoe
        begins = (await connection.execute(select(played_shoe).where(*where))).one()
        changed = round_change.c.stream == stream, round_change.c.shoe == shoe
        last_change = (await connection.execute(select(func.max(round_change.c.version)).where(*changed))).scalar_one()
        numbers = select(round_change.c.number).where(*changed)
        rounds = select(func.max(played_round.c.last_version)).where(
            played_round.c.stream == stream, played_round.c.number.in_(numbers)
        )
        last = max(last_change, (await connection.execute(rounds)).scalar_one())
    found = await _replayed(follower, stream, begins, last)
    told: dict[tuple[str, int], dict[str, Any]] = {}
    for each in found:
        body = each.as_json()
        # What came before this shoe is not known here.
        body.pop("house_so_far", None)
        told[stream, each.version] = body
    kept = [each for each in found if getattr(each, "unknown", None) != NOT_PUBLISHED]
    async with follower.derived.writing() as connection:
        for each in kept:
            text = msgspec.json.encode(told[stream, each.version]).decode()
            row = round_change.c.stream == stream, round_change.c.version == each.version
            await connection.execute(update(round_change).where(*row).values(body=text, house=each.house))
    return told


async def _replayed(
    follower: Follower, stream: str, begins: Any, last: int
) -> "Sequence[VoidedRound | CorrectedRound]":
    """The changes among the events of a shoe, up to a version."""
    at, changed = await _taken_up(follower, stream, begins), ChangedRounds()
    version = begins.first_version - 1
    while version < last:
        rows = await _events(follower, stream, version, last)
        if not rows:
            raise StorageFault(f"Events of {stream} are missing.", "broken-chain")
        for place, row in enumerate(rows):
            happened = at.read_event(row.body)
            after = at.after(happened)
            changed.take(row, happened, at, after)
            at, version = after, row.version
            if place % FOLDED_AT_ONCE == 0:
                await asyncio.sleep(0)
    report = changed.report()
    return (*report.voids, *report.corrections)


async def _taken_up(follower: Follower, stream: str, begins: Any) -> TableStream:
    """The table as it stood before the shoe was opened."""
    committed = '{"event":"shoe-committed"%'
    async with follower.beside.reading() as connection:
        opening = select(event.c.body).where(event.c.stream == stream, event.c.version == begins.opening)
        said = msgspec.json.decode((await connection.execute(opening)).scalar_one(), type=_Settings)
        # The commitment follows the opening of the shoe, or there is none.
        soon = event.c.version.between(begins.first_version, begins.first_version + 1)
        found = select(event.c.body).where(event.c.stream == stream, soon, event.c.body.like(committed))
        commitment = (await connection.execute(found)).scalar_one_or_none()
    previous = msgspec.json.decode(commitment, type=_Committed).previous if commitment else bytes(32).hex()
    settings = bytes(said.settings).decode()
    landmark = Landmark("", 0, settings, begins.number - 1, begins.rounds_before, "", previous)
    new = new_stream(stream, follower.games)
    assert isinstance(new, TableStream)
    return new.taken_up(landmark)


async def _events(follower: Follower, stream: str, after: int, last: int) -> list[EventRow]:
    between = event.c.version > after, event.c.version <= last
    statement = select(event).where(event.c.stream == stream, *between).order_by(event.c.version).limit(EVENTS_AT_ONCE)
    async with follower.beside.reading() as connection:
        return [
            EventRow(
                row.stream, row.version, row.time, row.actor, row.command, row.schema, row.body, bytes(row.previous)
            )
            for row in await connection.execute(statement)
        ]
