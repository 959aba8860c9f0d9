"""Reports and exports for staff: voids and corrections, what was won and what should have been, and all rows."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from puntobanco.extras import optional_package
from puntobanco.server import changed_rounds
from puntobanco.server import win as won
from puntobanco.server.asking import Asker, require
from puntobanco.server.changed_rounds import ChangePage, ChangeTotal
from puntobanco.server.follower import Follower
from puntobanco.server.numbers import PlainInt
from puntobanco.server.people import names_of
from puntobanco.server.permissions import Permission
from puntobanco.server.rounds import CURSOR_PATTERN, LATEST, TABLE_PATTERN, WAIT_SECONDS, House, values_of
from puntobanco.server.spreadsheets import Row, as_csv, as_json
from puntobanco.store.derived import played_round, round_wager
from puntobanco.store.schema import entry, event

with optional_package("sqlalchemy", "Reports are made"):
    from sqlalchemy import Select, and_, select, tuple_
with optional_package("fastapi", "Requests are answered"):
    from fastapi import APIRouter, Path, Query
    from fastapi.responses import StreamingResponse
    from pydantic import BaseModel, Field

if TYPE_CHECKING:
    from sqlalchemy import Column

ROWS_AT_ONCE = 200
"""More would hold up the loop for longer than a wager may wait."""


class Format(StrEnum):
    CSV = "csv"
    JSON = "json"


class Export(NamedTuple):
    """Rows of one kind: their columns, and how they are read, in portions."""

    columns: tuple[str, ...]
    portions: Callable[[Follower], AsyncIterator[Sequence[Row]]]


async def _in_portions(
    reading: Callable[["Select[Any]"], Awaitable[list[Any]]], statement: "Select[Any]", key: "Sequence[Column[Any]]"
) -> AsyncIterator[list[Any]]:
    """All rows in the order of a key, which no two share; each portion is read from where the last ended."""
    after: list[Any] | None = None
    while True:
        asked = statement.order_by(*key).limit(ROWS_AT_ONCE)
        if after is not None:
            asked = asked.where(tuple_(*key) > values_of(key, after))
        rows = await reading(asked)
        if not rows:
            return
        yield rows
        after = [getattr(rows[-1], column.name) for column in key]


def _derived(follower: Follower) -> Callable[["Select[Any]"], Awaitable[list[Any]]]:
    async def read(statement: "Select[Any]") -> list[Any]:
        async with follower.derived.reading() as connection:
            return list(await connection.execute(statement))

    return read


def _record(follower: Follower) -> Callable[["Select[Any]"], Awaitable[list[Any]]]:
    async def read(statement: "Select[Any]") -> list[Any]:
        async with follower.beside.reading() as connection:
            return list(await connection.execute(statement))

    return read


ROUND_COLUMNS = ("table", *[column.name for column in played_round.c if column.name != "stream"])
WAGER_COLUMNS = ("table", "number", "finished", "unit", "wager", "patrons", "staked", "returned")
POSTING_COLUMNS = ("stream", "version", "place", "time", "actor", "account", "amount")
CHANGE_COLUMNS = (
    *("kind", "table", "round", "shoe", "version", "time", "actor", "by", "and_by", "clause", "note"),
    *("after_settlement", "unit"),
    *("irregularity", "stakes", "dealt", "would_be", "unknown", "not_revealed", "nets"),
    *("before", "after", "set_aside", "taken_up"),
    *("adjustments", "house"),
)


async def _rounds(follower: Follower) -> AsyncIterator[Sequence[Row]]:
    key = played_round.c.stream, played_round.c.number
    async for rows in _in_portions(_derived(follower), select(played_round), key):
        yield [{**row._mapping, "table": row.stream.removeprefix("table/")} for row in rows]


async def _wagers(follower: Follower) -> AsyncIterator[Sequence[Row]]:
    same = and_(played_round.c.stream == round_wager.c.stream, played_round.c.number == round_wager.c.number)
    joined = select(round_wager, played_round.c.finished, played_round.c.unit).join(played_round, same)
    key = round_wager.c.stream, round_wager.c.number, round_wager.c.wager
    async for rows in _in_portions(_derived(follower), joined, key):
        yield [{**row._mapping, "table": row.stream.removeprefix("table/")} for row in rows]


async def _postings(follower: Follower) -> AsyncIterator[Sequence[Row]]:
    same = and_(event.c.stream == entry.c.stream, event.c.version == entry.c.version)
    joined = select(entry, event.c.time, event.c.actor).join(event, same)
    key = entry.c.stream, entry.c.version, entry.c.place
    async for rows in _in_portions(_record(follower), joined, key):
        yield [row._mapping for row in rows]


async def _changes(follower: Follower) -> AsyncIterator[Sequence[Row]]:
    before = None
    while True:
        page = await changed_rounds.changes(follower, before=before)
        yield [{**dict.fromkeys(CHANGE_COLUMNS), **each} for each in page.changes]
        before = page.before
        if before is None:
            return


async def _win(follower: Follower) -> AsyncIterator[Sequence[Row]]:
    yield [line.as_json() for line in (await won.win(follower)).wagers]


EXPORTS = {
    "rounds": Export(ROUND_COLUMNS, _rounds),
    "wagers": Export(WAGER_COLUMNS, _wagers),
    "postings": Export(POSTING_COLUMNS, _postings),
    "changes": Export(CHANGE_COLUMNS, _changes),
    "win": Export(won.COLUMNS, _win),
}


def exported(follower: Follower, name: str, written_as: Format) -> AsyncIterator[bytes]:
    """An export as it goes over the network, piece by piece."""
    export = EXPORTS[name]
    write = as_csv if written_as is Format.CSV else as_json
    return write(export.columns, export.portions(follower))


# Over HTTP.


class WinLine(BaseModel):
    table: str | None
    game: str | None
    decks: int | None
    unit: str
    wager: str | None
    rounds: int
    stakes: int
    staked: int
    returned: int
    win: int
    theoretical: float | None = Field(description="Null where the rules of a round are no longer here.")
    deviation: float | None = Field(description="One standard deviation; of several wagers together, at most so much.")
    low: float | None
    high: float | None
    is_within: bool | None = Field(description="Whether the win lies within two standard deviations.")


class WinSaid(BaseModel):
    wagers: list[WinLine]
    tables: list[WinLine]
    games: list[WinLine]


class ChangeTotalSaid(BaseModel):
    table: str
    unit: str
    kind: str
    rounds: int
    unknown: int
    house: int


class ChangeSaid(BaseModel):
    kind: str = Field(description="void or correction")
    table: str
    round: int
    shoe: int
    version: int
    time: int
    actor: str
    by: str = Field(description="Who asked for it; empty where no two people decided it.")
    and_by: str = Field(description="Who agreed.")
    clause: str
    note: str
    after_settlement: bool
    unit: str
    house: int | None = Field(description="What a void took from the house, or a correction gave to it; null: unknown.")
    irregularity: str | None = None
    stakes: dict[str, int] | None = None
    dealt: str | None = None
    would_be: str | None = None
    unknown: str | None = None
    not_revealed: list[str] | None = Field(None, description="For whose nonce what they committed to stands.")
    nets: dict[str, int] | None = None
    before: str | None = None
    after: str | None = None
    set_aside: list[str] | None = None
    taken_up: list[str] | None = None
    adjustments: dict[str, int] | None = None


class ChangesSaid(BaseModel):
    totals: list[ChangeTotalSaid]
    changes: list[ChangeSaid]
    before: str | None
    names: dict[str, str] = Field(description="By id, what those are called who did, asked for or agreed to one.")


def changes_said(totals: list[ChangeTotal], page: ChangePage, names: dict[str, str]) -> ChangesSaid:
    return ChangesSaid(
        names=names,
        totals=[ChangeTotalSaid.model_validate(each, from_attributes=True) for each in totals],
        changes=[ChangeSaid.model_validate(each) for each in page.changes],
        before=page.before,
    )


Table = Annotated[str | None, Query(pattern=TABLE_PATTERN)]
Time = Annotated[PlainInt | None, Query(ge=0, le=LATEST)]
MEDIA = {Format.CSV: "text/csv; charset=utf-8", Format.JSON: "application/json"}


def routes(house: House) -> APIRouter:
    router = APIRouter(tags=["reports"])

    @router.get("/api/reports/win")
    async def get_win(asker: Asker, table: Table = None, since: Time = None, until: Time = None) -> WinSaid:
        """What was won, by wager, table and game, beside the theoretical win with its band."""
        require(asker, Permission.READ_REPORTS)
        await house.follower.catch_up(WAIT_SECONDS)
        found = await won.win(house.follower, table=table, since=since, until=until)
        return WinSaid.model_validate(
            {name: [each.as_json() for each in getattr(found, name)] for name in found._fields}
        )

    @router.get("/api/reports/changes", response_model_exclude_unset=True)
    async def get_changes(
        asker: Asker,
        table: Table = None,
        since: Time = None,
        until: Time = None,
        before: Annotated[str | None, Query(pattern=CURSOR_PATTERN)] = None,
        limit: Annotated[PlainInt, Query(ge=1, le=changed_rounds.MOST_ON_A_PAGE)] = changed_rounds.PAGE,
    ) -> ChangesSaid:
        """Voids and corrections, newest first, with what they came to; totals are over all times."""
        require(asker, Permission.READ_REPORTS)
        await house.follower.catch_up(WAIT_SECONDS)
        page = await changed_rounds.changes(
            house.follower, table=table, since=since, until=until, before=before, limit=limit
        )
        staff = [each[who] for each in page.changes for who in ("actor", "by", "and_by")]
        totals = await changed_rounds.totals(house.follower, table)
        return changes_said(totals, page, await names_of(house.beside, staff))

    @router.get(
        "/api/exports/{name}.{written_as}",
        response_class=StreamingResponse,
        responses={200: {"content": {"text/csv": {"schema": {"type": "string"}}, "application/json": {}}}},
    )
    async def get_export(
        asker: Asker,
        name: Annotated[str, Path(pattern=f"^({'|'.join(EXPORTS)})$")],
        written_as: Annotated[Format, Path()],
    ) -> StreamingResponse:
        """All rounds, wagers by round, postings, changes or the win report, as CSV or JSON."""
        require(asker, Permission.EXPORT)
        await house.follower.catch_up(WAIT_SECONDS)
        return StreamingResponse(
            exported(house.follower, name, written_as),
            media_type=MEDIA[written_as],
            headers={"Content-Disposition": f'attachment; filename="{name}.{written_as.value}"'},
        )

    return router
