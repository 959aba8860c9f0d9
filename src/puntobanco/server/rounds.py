"""Rounds by their addresses, for ever; and the rounds of a patron, newest first.

All of it is read from derived rows by their keys, so that it is as quick after a million events as after ten.
"""

import re
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, Protocol

from puntobanco.extras import optional_package
from puntobanco.ledger.postings import unit_of
from puntobanco.server.asking import ERRORS, Asker, MaybeAsker, require
from puntobanco.server.numbers import PlainInt
from puntobanco.server.permissions import Permission
from puntobanco.server.problems import malformed, nothing_there
from puntobanco.server.views import wager_as_json
from puntobanco.settle import Payment, WagerSettlement
from puntobanco.store.derived import played_round, rule_set, stake_history
from puntobanco.store.rows import HeadRow
from puntobanco.store.schema import head

with optional_package("sqlalchemy", "Rounds are looked up"):
    from sqlalchemy import Column, ColumnElement, Tuple, and_, literal, select, tuple_
with optional_package("msgspec", "Rounds are looked up"):
    import msgspec
with optional_package("fastapi", "Requests are answered"):
    from fastapi import APIRouter, Path, Query
    from pydantic import BaseModel, Field

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from puntobanco.server.attempts import TellsTime
    from puntobanco.server.follower import Follower
    from puntobanco.store.beside import Beside
    from puntobanco.store.record import Record
    from puntobanco.table import Table

WAIT_SECONDS = 1.0
"""So long a request waits for what was just committed to be there; after that it is told what is."""
LATEST = 2**53
"""Numbers in an address are at most this, so that every program reads them as they are."""
PAGE, MOST_ON_A_PAGE = 50, 200
TABLE_PATTERN = "^[a-z0-9][a-z0-9-]{0,39}$"
CURSOR_PATTERN = r"^[0-9]{1,16}(\.[a-z0-9][a-z0-9-]{0,39}\.[0-9]{1,16})?$"

_WAGERS = msgspec.json.Decoder(dict[str, tuple[int, int, list[Payment]]])


class HasTable(Protocol):
    @property
    def table(self) -> "Table": ...


class House(Protocol):
    """What those who read the record beside live play need of a house."""

    @property
    def record(self) -> "Record": ...

    @property
    def beside(self) -> "Beside": ...

    @property
    def clock(self) -> "TellsTime": ...

    @property
    def follower(self) -> "Follower": ...

    @property
    def tables(self) -> "Mapping[str, HasTable]": ...


class Page(NamedTuple):
    """Rounds of a patron, and where the next page begins; None at the end."""

    rounds: list[dict[str, Any]]
    before: str | None


async def round_for(house: House, table: str, number: int, patron: str | None = None) -> dict[str, Any]:
    """A round as anybody may see it, with the patron's own wagers once it is over; Problem 404 where there is none."""
    found = await _row(house, table, number)
    if found is None or found.finished is None:
        # It may have been played or finished this moment.
        await house.follower.catch_up(WAIT_SECONDS)
        found = await _row(house, table, number)
    if found is None:
        running = _running(house, table, number)
        if running is None:
            raise nothing_there("There is no such round.")
        return running
    values = _round_json(table, found)
    if found.finished is not None:
        values["wagers"] = {} if patron is None else await _wagers(house, patron, found)
        values["evidence"] = await _evidence(house, found)
    return values


async def _row(house: House, table: str, number: int) -> Any:
    statement = (
        select(played_round, rule_set.c.game)
        .join(rule_set, rule_set.c.digest == played_round.c.rules_digest)
        .where(played_round.c.stream == f"table/{table}", played_round.c.number == number)
    )
    async with house.follower.derived.reading() as connection:
        return (await connection.execute(statement)).one_or_none()


def _round_json(table: str, row: Any) -> dict[str, Any]:
    return {
        "table": table,
        "number": row.number,
        "shoe": row.shoe,
        "round_in_shoe": row.round_in_shoe,
        "game": row.game,
        "opened": row.opened,
        "time": row.finished,
        "deal": row.deal,
        "player_total": row.player_total,
        "banker_total": row.banker_total,
        "winner": row.winner,
        "void": None if row.void is None else msgspec.json.decode(row.void),
        "corrected": bool(row.corrected),
        "rules_digest": row.rules_digest,
        "unit": row.unit,
        "state": row.state,
        "key": row.key,
        "wagers": {},
        "evidence": None,
    }


def _running(house: House, table: str, number: int) -> dict[str, Any] | None:
    """The round in progress, from the table itself: what was derived may lag behind it."""
    live = house.tables.get(table)
    if live is None or not live.table.phase.in_round or live.table.round_number != number:
        return None
    at = live.table
    return {
        "table": table,
        "number": number,
        "shoe": at.shoe_number,
        "round_in_shoe": len(at.rounds) + 1,
        "game": at.settings.game.id,
        "opened": None,
        "time": None,
        "deal": str(at.deal),
        "player_total": None,
        "banker_total": None,
        "winner": None,
        "void": None,
        "corrected": at.corrected,
        "rules_digest": at.settings.game.digest,
        "unit": unit_of(at.settings),
        "state": None,
        "key": None,
        "wagers": {},
        "evidence": None,
    }


def wagers_json(text: str) -> dict[str, Any]:
    """A patron's wagers in the shape of `settle`."""
    found = _WAGERS.decode(text)
    return {
        wager: wager_as_json(WagerSettlement(stake, net, tuple(pays))) for wager, (stake, net, pays) in found.items()
    }


async def _wagers(house: House, patron: str, found: Any) -> dict[str, Any]:
    statement = select(stake_history.c.wagers).where(
        stake_history.c.patron == patron,
        stake_history.c.finished == found.finished,
        stake_history.c.stream == found.stream,
        stake_history.c.number == found.number,
    )
    async with house.follower.derived.reading() as connection:
        text = (await connection.execute(statement)).scalar_one_or_none()
    return {} if text is None else wagers_json(text)


async def _evidence(house: House, found: Any) -> dict[str, Any]:
    """Where the round lies in the record, and the signed end of it: whoever keeps this can show a later change."""
    async with house.follower.beside.reading() as connection:
        row = (await connection.execute(select(head).where(head.c.stream == found.stream))).one()
    end = HeadRow(row.stream, row.version, bytes(row.hash), bytes(row.signature))
    return {
        "stream": end.stream,
        "first_version": found.first_version,
        "last_version": found.last_version,
        "head_version": end.version,
        "head_hash": end.hash.hex(),
        "signature": end.signature.hex(),
        "public_key": house.record.keys.public_key.hex(),
    }


async def history(house: House, patron: str, before: str | None = None, limit: int = PAGE) -> Page:
    """The finished rounds in which the patron had a stake, newest first; `before` is where a page ended."""
    await house.follower.catch_up(WAIT_SECONDS)
    joined = stake_history.join(
        played_round,
        and_(played_round.c.stream == stake_history.c.stream, played_round.c.number == stake_history.c.number),
    )
    place = stake_history.c.finished, stake_history.c.stream, stake_history.c.number
    statement = (
        select(stake_history, played_round.c.deal, played_round.c.winner, played_round.c.void, played_round.c.corrected)
        .select_from(joined)
        .where(stake_history.c.patron == patron)
        .order_by(*[column.desc() for column in place])
        .limit(limit + 1)
    )
    if before is not None:
        statement = statement.where(_earlier(before))
    async with house.follower.derived.reading() as connection:
        found = list(await connection.execute(statement))
    last = found[limit - 1] if len(found) > limit else None
    return Page(
        [_history_json(row) for row in found[:limit]],
        None if last is None else f"{last.finished}.{_table(last.stream)}.{last.number}",
    )


def _earlier(before: str) -> "ColumnElement[bool]":
    if not re.fullmatch(CURSOR_PATTERN, before):
        raise malformed("A page of the history begins before a time, or where another page ended.")
    time, *rest = before.split(".")
    if not rest:
        return stake_history.c.finished < int(time)
    key = stake_history.c.finished, stake_history.c.stream, stake_history.c.number
    return tuple_(*key) < values_of(key, (int(time), f"table/{rest[0]}", int(rest[1])))


def values_of(key: "Sequence[Column[Any]]", values: "Sequence[Any]") -> "Tuple":
    """Values to compare the columns of a key with, all at once: an index finds the place."""
    return tuple_(*[literal(value, column.type) for column, value in zip(key, values, strict=True)])


def _table(stream: str) -> str:
    return stream.removeprefix("table/")


def _history_json(row: Any) -> dict[str, Any]:
    return {
        "table": _table(row.stream),
        "number": row.number,
        "time": row.finished,
        "unit": row.unit,
        "staked": row.staked,
        "returned": row.returned,
        "net": row.returned - row.staked,
        "deal": row.deal,
        "winner": row.winner,
        "void": None if row.void is None else msgspec.json.decode(row.void),
        "corrected": bool(row.corrected),
        "wagers": wagers_json(row.wagers),
    }


# Over HTTP.


class PaymentSaid(BaseModel):
    line: str
    clause: str
    amount: int
    rounded_from: str | None = None
    rounded_by: str | None = None


class WagerSaid(BaseModel):
    stake: int
    net: int = Field(description="What was gained beyond the stake; negative if it was lost, 0 on a push or a void.")
    pays: list[PaymentSaid]


class VoidSaid(BaseModel):
    irregularity: str
    clause: str
    note: str


class Evidence(BaseModel):
    """Where the round lies in the record, and the signed end of its stream."""

    stream: str
    first_version: int
    last_version: int
    head_version: int
    head_hash: str
    signature: str
    public_key: str


class RoundSaid(BaseModel):
    table: str
    number: int
    shoe: int
    round_in_shoe: int
    game: str
    opened: int | None
    time: int | None = Field(description="When it was settled or voided; null while it runs.")
    deal: str
    player_total: int | None
    banker_total: int | None
    winner: str | None
    void: VoidSaid | None
    corrected: bool
    rules_digest: str
    unit: str
    state: str | None = Field(description="Of the committed shoe, once the round is sealed.")
    key: str | None = Field(description="Of the committed shoe, once it is published.")
    wagers: dict[str, WagerSaid] = Field(description="The asker's own; empty while the round runs.")
    evidence: Evidence | None


class HistoryRound(BaseModel):
    table: str
    number: int
    time: int
    unit: str
    staked: int
    returned: int
    net: int
    deal: str
    winner: str | None
    void: VoidSaid | None
    corrected: bool
    wagers: dict[str, WagerSaid]


class HistoryPage(BaseModel):
    rounds: list[HistoryRound]
    before: str | None = Field(description="Where the next page begins; null at the end.")


TableName = Annotated[str, Path(pattern=TABLE_PATTERN)]
RoundNumber = Annotated[PlainInt, Path(ge=1, le=LATEST)]


def routes(house: House) -> APIRouter:
    router = APIRouter(tags=["rounds"], responses=ERRORS)

    @router.get("/api/tables/{table}/rounds/{number}", response_model_exclude_unset=True)
    async def get_round(table: TableName, number: RoundNumber, asker: MaybeAsker) -> RoundSaid:
        """The round for ever, with the asker's own wagers; while it runs, only what everybody sees."""
        patron = asker.person.id if asker is not None else None
        return RoundSaid.model_validate(await round_for(house, table, number, patron))

    @router.get("/api/history", response_model_exclude_unset=True)
    async def get_history(
        asker: Asker,
        before: Annotated[str | None, Query(pattern=CURSOR_PATTERN)] = None,
        limit: Annotated[PlainInt, Query(ge=1, le=MOST_ON_A_PAGE)] = PAGE,
    ) -> HistoryPage:
        """The asker's rounds, newest first."""
        require(asker, Permission.READ_OWN_HISTORY)
        return HistoryPage.model_validate(await history(house, asker.person.id, before, limit), from_attributes=True)

    return router
