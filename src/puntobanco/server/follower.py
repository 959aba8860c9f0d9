"""Follows the record and keeps the derived tables: after every commit a little, at a first start all of it.

Each stream is followed by its versions, which have no gaps: a place in the whole record may be filled after a later one
where several processes write. What was read and how far is written in one transaction, so that nothing is counted
twice, whoever ends when. Reading and writing are done in portions with pauses between them: no table waits for it.
"""

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from puntobanco.extras import optional_package
from puntobanco.games import GAMES
from puntobanco.rules.game import Game
from puntobanco.server.followed_table import Row, Rows, Slip, Slips, State, folded, given_back, slip_of
from puntobanco.store.beside import Beside
from puntobanco.store.derived import (
    Derived,
    followed,
    played_round,
    played_shoe,
    round_change,
    round_wager,
    rule_set,
    stake_history,
)
from puntobanco.store.schema import event, head

with optional_package("sqlalchemy", "The record is followed"):
    from sqlalchemy import and_, bindparam, delete, insert, select, text, update
with optional_package("msgspec", "The record is followed"):
    import msgspec

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

AT_ONCE = 200
"""How many events are read at once, wagers left out."""
ROWS_AT_ONCE = 100
"""How many rows are made and written before others have their turn."""
STAKES = '{"event":"stake-changed"%'
NONCES = '{"event":"nonce-%'
TABLES = "table/%"

Item = TypeVar("Item")


class _Portion(NamedTuple):
    last: int
    """The version up to which all was read."""
    events: list[tuple[int, int, str]]


class Follower:
    """Keeps the derived tables of one record. Several processes may do so at once; each finds what the others did."""

    def __init__(self, beside: Beside, derived: Derived, games: Iterable[Game] = GAMES) -> None:
        self.beside, self.derived = beside, derived
        self.games = tuple(games)
        self._versions: dict[str, int] = {}
        self._busy = asyncio.Lock()
        self._next: asyncio.Task[None] | None = None

    async def catch_up(self, wait_seconds: float | None = None) -> bool:
        """Read all that was committed before this call; False if that was not done in the time one would wait."""
        if self._next is None:
            self._next = asyncio.create_task(self._follow_all())
        try:
            await asyncio.wait_for(asyncio.shield(self._next), wait_seconds)
        except TimeoutError:
            return False
        return True

    async def rebuild(self) -> None:
        """Throw away all that was derived, and derive it again."""
        async with self._busy:
            await self.derived.forget()
            self._versions.clear()
        await self.catch_up()

    async def close(self) -> None:
        """End whatever runs; it goes on from there at the next start."""
        if self._next is not None:
            self._next.cancel()
        async with self._busy:
            self._next = None

    async def _follow_all(self) -> None:
        async with self._busy:
            # Whoever asks from now on may have committed something that this pass does not see.
            self._next = None
            async with self.beside.reading() as connection:
                heads_of_tables = select(head.c.stream, head.c.version).where(head.c.stream.like(TABLES))
                found = await connection.execute(heads_of_tables)
                heads = {row.stream: row.version for row in found}
            for stream, version in heads.items():
                while self._versions.get(stream, 0) < version:
                    await self._follow(stream, version)

    async def _follow(self, stream: str, until: int) -> None:
        """Read and write one portion of a stream."""
        async with self.derived.reading() as connection:
            known = (await connection.execute(select(followed).where(followed.c.stream == stream))).one_or_none()
        since, state = (known.version, msgspec.json.decode(known.state, type=State)) if known else (0, State())
        self._versions[stream] = since
        if since >= until:
            return
        portion = await self._read(stream, since, until)
        rows = folded(stream, state, portion.events, self.games)
        for number, row in rows.voids.items():
            rows.slips[number] = row, await self._given_back(row)
        async with self.derived.writing() as connection:
            if not await _advance(connection, stream, since, portion.last, state):
                # Another process was here before; what it has done is read again.
                return
            await _write(connection, rows)
        self._versions[stream] = portion.last

    async def _read(self, stream: str, since: int, until: int) -> _Portion:
        columns = event.c.version, event.c.time, event.c.body
        between = and_(event.c.stream == stream, event.c.version > since, event.c.version <= until)
        others = and_(event.c.body.not_like(STAKES), event.c.body.not_like(NONCES))
        statement = select(*columns).where(between, others).order_by(event.c.version).limit(AT_ONCE)
        async with self.beside.reading() as connection:
            found = [(row.version, row.time, row.body) for row in await connection.execute(statement)]
        return _Portion(found[-1][0] if len(found) == AT_ONCE else until, found)

    async def _given_back(self, row: Row) -> Slips:
        """The stakes of a void round, which went back."""
        between = event.c.version.between(row["first_version"], row["last_version"])
        statement = (
            select(event.c.body)
            .where(event.c.stream == row["stream"], between, event.c.body.like(STAKES))
            .order_by(event.c.version)
        )
        async with self.beside.reading() as connection:
            return given_back([each.body for each in await connection.execute(statement)])


async def _advance(connection: "AsyncConnection", stream: str, since: int, until: int, state: State) -> bool:
    """Note how far the stream was followed; not where another process has done so meanwhile."""
    await connection.execute(_BEGIN, {"stream": stream})
    done = await connection.execute(
        update(followed)
        .where(followed.c.stream == stream, followed.c.version == since)
        .values(version=until, state=msgspec.json.encode(state).decode())
    )
    return done.rowcount == 1


_BEGIN = text("INSERT INTO followed (stream, version, state) VALUES (:stream, 0, '{}') ON CONFLICT DO NOTHING")


async def _write(connection: "AsyncConnection", rows: Rows) -> None:
    for digest, row in rows.rule_sets.items():
        await connection.execute(delete(rule_set).where(rule_set.c.digest == digest))
        await connection.execute(insert(rule_set).values(row))
    if rows.shoes:
        await connection.execute(insert(played_shoe), rows.shoes)
    if rows.changes:
        await connection.execute(insert(round_change), rows.changes)
    for number, row in rows.rounds.items():
        key = played_round.c.stream == row["stream"], played_round.c.number == number
        await connection.execute(delete(played_round).where(*key))
        await connection.execute(insert(played_round).values(row))
    for number, (row, slips) in rows.slips.items():
        await _write_slips(connection, number, row, slips)


async def _write_slips(connection: "AsyncConnection", number: int, row: Row, slips: Slips) -> None:
    """What the patrons of a round staked and got back, instead of what was there of it before."""
    stream = row["stream"]
    key = round_wager.c.stream == stream, round_wager.c.number == number
    await connection.execute(delete(round_wager).where(*key))
    totals: dict[str, tuple[int, int, int]] = {}
    for some in _in_slices(list(slips), ROWS_AT_ONCE):
        await asyncio.sleep(0)
        read = {patron: slip_of(slips[patron]) for patron in some}
        _add(totals, read)
        written = [_history_row(row, number, patron, slip) for patron, slip in read.items()]
        if row["void"] or row["corrected"]:
            # The round may have been settled before.
            await connection.execute(_FORGET_HISTORY, [{f"b_{name}": each[name] for name in _KEY} for each in written])
        await connection.execute(insert(stake_history), written)
    if totals and not row["void"]:
        names = "stream", "number", "wager", "patrons", "staked", "returned"
        found = [dict(zip(names, (stream, number, wager, *each), strict=True)) for wager, each in totals.items()]
        await connection.execute(insert(round_wager), found)


_KEY = ("patron", "finished", "stream", "number")
_FORGET_HISTORY = delete(stake_history).where(*[stake_history.c[name] == bindparam(f"b_{name}") for name in _KEY])


def _history_row(row: Row, number: int, patron: str, slip: Slip) -> Row:
    staked = sum([stake for stake, _, _ in slip.values()])
    return {
        "patron": patron,
        "finished": row["finished"],
        "stream": row["stream"],
        "number": number,
        "unit": row["unit"],
        "staked": staked,
        "returned": staked + sum([net for _, net, _ in slip.values()]),
        "wagers": msgspec.json.encode(slip).decode(),
    }


def _add(totals: dict[str, tuple[int, int, int]], slips: Mapping[str, Slip]) -> None:
    """By wager: patrons, what they staked, and what they got back."""
    for slip in slips.values():
        for wager, (stake, net, _) in slip.items():
            patrons, staked, returned = totals.get(wager, (0, 0, 0))
            totals[wager] = patrons + 1, staked + stake, returned + stake + net


def _in_slices(items: Sequence[Item], size: int) -> Iterator[Sequence[Item]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]
