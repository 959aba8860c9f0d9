"""Rounds by their addresses, for ever; and the rounds of a patron, newest first.

All of it is read from derived rows by their keys, so that it is as quick after a million events as after ten.
"""

import re
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from puntobanco.cards import read_deal
from puntobanco.errors import Fault, InputError
from puntobanco.extras import optional_package
from puntobanco.games import find_edition
from puntobanco.ledger.postings import unit_of
from puntobanco.server.problems import Problem, malformed, nothing_there
from puntobanco.server.views import result_of, wager_as_json
from puntobanco.settle import Payment, WagerSettlement
from puntobanco.store.derived import played_round, played_shoe, rule_set, stake_history
from puntobanco.store.rows import HeadRow
from puntobanco.store.schema import head

with optional_package("sqlalchemy", "Rounds are looked up"):
    from sqlalchemy import Column, ColumnElement, Tuple, and_, literal, select, tuple_
with optional_package("msgspec", "Rounds are looked up"):
    import msgspec

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from puntobanco.rules.game import Game
    from puntobanco.server.attempts import TellsTime
    from puntobanco.server.follower import Follower
    from puntobanco.store.beside import Beside
    from puntobanco.store.record import Record
    from puntobanco.table import Table

WAIT_SECONDS = 1.0
"""So long a request waits for what was just committed to be there; after that it is told what is."""
WAIT_FOR_A_ROUND_SECONDS = 10.0
"""So long for one round, which is there or is not: nobody is told that it is not while that is still being read."""
LATEST = 2**53
"""Numbers in an address are at most this, so that every program reads them as they are."""
PAGE, MOST_ON_A_PAGE = 50, 200
MOST_OF_A_SHOE = 200
"""More rounds than any shoe has."""
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
    found, running = await _row(house, table, number), _running(house, table, number)
    if found is None or found.finished is None:
        # It may have been played or finished this moment.
        wait_seconds = WAIT_FOR_A_ROUND_SECONDS if running is None else WAIT_SECONDS
        is_all_read = await house.follower.catch_up(wait_seconds)
        found, running = await _row(house, table, number), _running(house, table, number)
        is_over = found is not None and found.finished is not None
        if not (is_over or running or is_all_read):
            raise Problem(503, "ask-again", "What was played is still being read; ask again in a moment.")
    if found is None:
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


async def rounds_of_shoe(house: House, table: str, shoe: int) -> dict[str, Any]:
    """The finished rounds of a shoe, oldest first; a table that is closed keeps its rounds."""
    await house.follower.catch_up(WAIT_SECONDS)
    stream = f"table/{table}"
    begins = select(played_shoe.c.rounds_before).where(played_shoe.c.stream == stream, played_shoe.c.number == shoe)
    async with house.follower.derived.reading() as connection:
        before = (await connection.execute(begins)).scalar_one_or_none()
        if before is None:
            raise nothing_there("There is no such shoe.")
        # By the key: a shoe has far fewer rounds than a table.
        statement = (
            select(played_round)
            .where(played_round.c.stream == stream, played_round.c.number > before)
            .order_by(played_round.c.number)
            .limit(MOST_OF_A_SHOE)
        )
        rows = [row for row in await connection.execute(statement) if row.shoe == shoe and row.finished is not None]
    games = {digest: await rules_by(house, digest) for digest in {row.rules_digest for row in rows}}
    return {"table": table, "shoe": shoe, "rounds": [_round_of_shoe(row, games[row.rules_digest]) for row in rows]}


def _round_of_shoe(row: Any, game: "Game | None") -> dict[str, Any]:
    is_void = row.void is not None
    return {
        "number": row.number,
        "round_in_shoe": row.round_in_shoe,
        "deal": row.deal,
        "result": None if is_void or game is None else result_of(game, read_deal(game.pack, row.deal)),
        "void": is_void,
        "corrected": bool(row.corrected),
    }


async def rules_by(house: House, digest: str) -> "Game | None":
    """The rules that rounds were played by, from their digest."""
    async with house.follower.derived.reading() as connection:
        row = (await connection.execute(select(rule_set).where(rule_set.c.digest == digest))).one_or_none()
    if row is None:
        return None
    reading, bonuses = msgspec.json.decode(row.reading), msgspec.json.decode(row.bonuses)
    try:
        return find_edition(row.game, digest, reading, bonuses, house.follower.games)
    except (Fault, InputError):
        return None  # Rules that this program does not have.


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
