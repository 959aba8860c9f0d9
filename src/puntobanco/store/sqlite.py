"""The record in SQLite: one file in a data directory, with no server beside it."""

import asyncio
import re
import sqlite3
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, Literal, Protocol, TypeVar

from puntobanco.extras import optional_package
from puntobanco.store.database import (
    ANSWERS_WITHOUT_EVENT,
    EVENTS_WITHOUT_ANSWER,
    NO_LEASES,
    READ_AT_ONCE,
    ChainedRow,
    CommandKey,
    Conflict,
    Database,
    Link,
    SequencedEvent,
    StorageFault,
    check_readable,
    check_revision,
    load_migrations,
    migrate,
    one_line,
)
from puntobanco.store.rows import CommandRow, EntryRow, EventRow, Group, HeadRow, LandmarkRow, ShoeKeysRow
from puntobanco.store.turns import turn_at

with optional_package("msgspec", "The record is written"):
    import msgspec

BUSY_SECONDS = 5.0
"""So long another process may hold the lock of the file before that is a fault."""
TRY_AGAIN_SECONDS = 0.005
CACHE_KIBIBYTES = 64 * 1024
CHECKPOINT_PAGES = 8000

EVENT_COLUMNS = 'stream, version, time, actor, command, "schema", body, previous'
# A text that is hashed is wanted as the bytes that lie in the file.
CHAIN = (
    "SELECT sequence, CAST(stream AS BLOB), version, time, CAST(actor AS BLOB), CAST(command AS BLOB), "
    '"schema", CAST(body AS BLOB), previous FROM event WHERE sequence > ? ORDER BY sequence LIMIT ?'
)
INSERT_EVENT = f"INSERT INTO event ({EVENT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
PUT_EVENT_BACK = f"INSERT INTO event (sequence, {EVENT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
ENTRY_COLUMNS = "stream, version, place, account, amount"
INSERT_ENTRY = f"INSERT INTO entry ({ENTRY_COLUMNS}) VALUES (?, ?, ?, ?, ?)"
COMMAND_COLUMNS = "actor, id, digest, stream, version, answer, seal"
INSERT_COMMAND = f"INSERT INTO command ({COMMAND_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)"
SET_BALANCE = "UPDATE account SET balance = ?2 WHERE id = ?1"
INSERT_ACCOUNT = "INSERT INTO account (id, balance) VALUES (?, ?)"
SET_HEAD = (
    "INSERT INTO head (stream, version, hash, signature) VALUES (?, ?, ?, ?) ON CONFLICT (stream) DO UPDATE "
    "SET version = excluded.version, hash = excluded.hash, signature = excluded.signature"
)
INSERT_SHOE_KEYS = "INSERT INTO shoe_keys (stream, shoe, sealed) VALUES (?, ?, ?)"
INSERT_LANDMARK = "INSERT INTO landmark (stream, version, body, mark) VALUES (?, ?, ?, ?)"
ANSWERED = (
    "SELECT c.actor, c.id, c.digest, c.stream, c.version, c.answer, c.seal FROM json_each(?) AS asked "
    "JOIN command AS c ON c.actor = asked.value ->> 0 AND c.id = asked.value ->> 1"
)
DECLARATIONS = "SELECT type, name, tbl_name, sql FROM sqlite_schema"
BALANCES = "SELECT a.id, a.balance FROM json_each(?) AS asked JOIN account AS a ON a.id = asked.value"


class SqliteConnection(Protocol):
    """What is used of a connection: the standard library's has it, and so has APSW's, which the tests let fail."""

    def execute(self, statement: str, values: Any = ...) -> Any: ...

    def executemany(self, statement: str, values: Any) -> Any: ...

    def close(self) -> None: ...


Connect = Callable[[Path], SqliteConnection]
Found = TypeVar("Found")


def connect(path: Path) -> SqliteConnection:
    """A connection of the standard library; transactions are begun and ended by statements alone."""
    return sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)


def connect_to_read(path: Path) -> SqliteConnection:
    """A connection that cannot change the file.

    Where the directory can be written to, SQLite puts its -wal and -shm beside the file, and sees what others write
    meanwhile. Where it cannot, as on a disk of evidence, it reads the file as one that nobody changes, which is so
    unless commits still lie in a -wal beside it.
    """
    try:
        return _opened_to_read(path, "mode=ro")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode not in NOWHERE_TO_WRITE:
            raise
    unwritten = path.with_name(f"{path.name}-wal")
    if unwritten.exists() and unwritten.stat().st_size:
        raise StorageFault(
            f"The directory cannot be written to, and the last commits lie in {unwritten.name}: copy both files to a "
            "directory where SQLite can put them together.",
            "unwritable-directory",
        )
    return _opened_to_read(path, "mode=ro&immutable=1")


NOWHERE_TO_WRITE = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY_DIRECTORY)


def _opened_to_read(path: Path, how: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?{how}",
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
        uri=True,
    )
    try:
        # A file is opened by the first statement that looks into it.
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchall()
    except BaseException:
        connection.close()
        raise
    return connection


@contextmanager
def _faults() -> Iterator[None]:
    """Whatever a driver raises, as a fault."""
    try:
        yield
    except StorageFault:
        raise
    except Exception as error:
        # Whose class it is depends on the driver; there is no other error that these statements can give.
        if "UNIQUE constraint failed" in str(error):
            raise Conflict from error
        raise StorageFault(f"The database failed: {one_line(error)}.") from error


async def _when_free(attempt: Callable[[], Awaitable[Found]]) -> Found:
    """What an attempt gives that may find the file locked by another process: it is made again until it does not.

    The connections themselves wait for no lock, for they would do it on the thread of the loop, and every table of the
    house would stand still with them.
    """
    given_up = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            return await attempt()
        except Exception as error:
            if "database is locked" not in str(error) or time.monotonic() >= given_up:
                raise
        await asyncio.sleep(TRY_AGAIN_SECONDS)


class SqliteDatabase(Database):
    """A record in one file. Commits are synced to the disk before they are acknowledged."""

    sequence_has_no_gaps = True

    def __init__(
        self,
        path: Path,
        connect: Connect = connect,
        synchronous: str = "FULL",
        checkpoint_pages: int = CHECKPOINT_PAGES,
    ) -> None:
        self._path, self._connect = path, connect
        self._synchronous, self._checkpoint_pages = synchronous, checkpoint_pages
        self._writer: SqliteConnection | None = None
        self._reader: SqliteConnection | None = None
        # A sync takes as long as the disk does: in a thread of its own the tables go on meanwhile.
        self._committer = ThreadPoolExecutor(1, "commit")
        self._turn, self._has_turn = turn_at(path), False

    async def start(self, *, new: bool = True) -> None:
        try:
            self._start(new)
        except BaseException:
            await self.close()
            raise

    def _start(self, new: bool) -> None:
        with _faults():
            self._writer = self._connect(self._path)
            revisions = _revisions(self._writer)
        # A file that is no record stays as it is.
        up_to_date = check_revision(revisions, new=new)
        if not up_to_date:
            with _faults():
                self._writer.close()
            _migrate_file(self._path)
            with _faults():
                self._writer = self._connect(self._path)
        with _faults():
            _set_up(self._writer, self._synchronous, self._checkpoint_pages)
            self._reader = self._connect(self._path)
            self._reader.execute("PRAGMA query_only = ON")
            for connection in (self._writer, self._reader):
                # From here on a house may be served, and whoever waits for a lock lets the loop go on.
                connection.execute("PRAGMA busy_timeout = 0")

    async def start_reading(self) -> None:
        try:
            with _faults():
                self._reader = connect_to_read(self._path)
                revisions = list(_revisions(self._reader))
            check_readable(revisions)
            with _faults():
                self._reader.execute("PRAGMA cell_size_check = ON")
                self._reader.execute("PRAGMA trusted_schema = OFF")
                self._reader.execute("PRAGMA busy_timeout = 0")
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        connections = [each for each in (self._reader, self._writer) if each is not None]
        self._reader = self._writer = None
        self._end_turn()
        self._committer.shutdown()
        # All of them, though one may fail: a file that stays open keeps its locks.
        with _faults(), ExitStack() as closing:
            for connection in connections:
                closing.callback(connection.close)

    @property
    def _write(self) -> SqliteConnection:
        if self._writer is None:
            raise StorageFault("The database is closed.")
        return self._writer

    async def begin(self) -> None:
        async def attempt() -> None:
            self._write.execute("BEGIN IMMEDIATE")

        await self._turn.take()
        self._has_turn = True
        try:
            with _faults():
                await _when_free(attempt)
        except BaseException:
            self._end_turn()
            raise

    async def take_turn(self) -> None:
        """Of a file there is one writer at a time from the beginning of its transaction."""

    async def commit(self) -> None:
        async def attempt() -> None:
            await asyncio.get_running_loop().run_in_executor(self._committer, self._write.execute, "COMMIT")

        with _faults():
            await _when_free(attempt)
        self._end_turn()

    async def rollback(self) -> None:
        try:
            with _faults():
                # A failed commit may have rolled back already.
                if getattr(self._write, "in_transaction", True):
                    self._write.execute("ROLLBACK")
        finally:
            self._end_turn()

    def _end_turn(self) -> None:
        if self._has_turn:
            self._has_turn = False
            self._turn.end()

    async def answered(self, keys: Sequence[CommandKey]) -> dict[CommandKey, CommandRow]:
        with _faults():
            found = [CommandRow(*row) for row in self._write.execute(ANSWERED, (msgspec.json.encode(keys).decode(),))]
        return {(row.actor, row.id): row for row in found}

    async def balances(self, accounts: Sequence[str], leases: Mapping[str, int] = NO_LEASES) -> dict[str, int]:
        # One process alone serves from a file (`server/run.py` sees to it), so nothing changes hands.
        with _faults():
            return dict(list(self._write.execute(BALANCES, (msgspec.json.encode(accounts).decode(),))))

    async def write(self, group: Group) -> None:
        with _faults():
            self._write.executemany(INSERT_EVENT, _plain_events(group.events))
            self._write_all_but_events(group)

    async def put_back(self, events: Sequence[SequencedEvent], group: Group) -> None:
        with _faults():
            self._write.executemany(PUT_EVENT_BACK, [(each.sequence, *each.row) for each in events])
            self._write_all_but_events(group)

    def _write_all_but_events(self, group: Group) -> None:
        for statement, rows in (
            (INSERT_ENTRY, list(map(tuple, group.entries))),
            (INSERT_COMMAND, _plain_commands(group.commands)),
            (SET_BALANCE, group.balances.items()),
            (INSERT_ACCOUNT, group.new_balances.items()),
            (SET_HEAD, group.heads),
            (INSERT_SHOE_KEYS, group.shoe_keys),
            (INSERT_LANDMARK, group.landmarks),
        ):
            if rows:
                self._write.executemany(statement, rows)

    # Reading, on a connection of its own.

    async def _rows(self, statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        async def attempt() -> list[tuple[Any, ...]]:
            if self._reader is None:
                raise StorageFault("The database is closed.")
            return list(self._reader.execute(statement, tuple(values)))

        with _faults():
            return await _when_free(attempt)

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[None]:
        await self._rows("BEGIN")
        try:
            yield
        finally:
            # What was only read cannot be lost, whatever state the file is in.
            with suppress(StorageFault):
                await self._rows("COMMIT")

    async def heads(self) -> list[HeadRow]:
        rows = await self._rows("SELECT stream, version, hash, signature FROM head ORDER BY stream")
        return [HeadRow(*row) for row in rows]

    async def head(self, stream: str) -> HeadRow | None:
        rows = await self._rows("SELECT stream, version, hash, signature FROM head WHERE stream = ?", [stream])
        return HeadRow(*rows[0]) if rows else None

    async def standing(self, accounts: Sequence[str]) -> dict[str, int]:
        return dict(await self._rows(BALANCES, [msgspec.json.encode(accounts).decode()]))

    async def landmarks(self, stream: str) -> list[LandmarkRow]:
        statement = "SELECT stream, version, body, mark FROM landmark WHERE stream = ? ORDER BY version DESC LIMIT 2"
        return [LandmarkRow(*row) for row in await self._rows(statement, [stream])]

    async def landmark_of_shoe(self, stream: str, shoe: int) -> LandmarkRow | None:
        where = "stream = ? AND body ->> '$.shoe_number' = ? ORDER BY version LIMIT 1"
        rows = await self._rows(f"SELECT stream, version, body, mark FROM landmark WHERE {where}", [stream, shoe - 1])
        return LandmarkRow(*rows[0]) if rows else None

    async def events(
        self, stream: str | None = None, after: int = 0, since: int | None = None
    ) -> AsyncIterator[list[SequencedEvent]]:
        key = "sequence" if stream is None else "version"
        place = 0 if stream is None else 2
        conditions, values = [f"{key} > ?"], list[object]()
        if stream is not None:
            conditions.append("stream = ?")
            values.append(stream)
        if since is not None:
            conditions.append("time >= ?")
            values.append(since)
        statement = (
            f"SELECT sequence, {EVENT_COLUMNS} FROM event WHERE {' AND '.join(conditions)} ORDER BY {key} LIMIT ?"
        )
        while rows := await self._rows(statement, [after, *values, READ_AT_ONCE]):
            yield [SequencedEvent(row[0], EventRow._make(row[1:])) for row in rows]
            last = rows[-1][place]
            _check_advance("event", last > after)
            after = last

    async def chain(self) -> AsyncIterator[list[ChainedRow]]:
        after = 0
        while rows := await self._rows(CHAIN, [after, READ_AT_ONCE]):
            yield rows
            last = rows[-1][0]
            _check_advance("event", last > after)
            after = last

    async def _in_portions(self, table: str, columns: str, key: Sequence[str]) -> AsyncIterator[list[tuple[Any, ...]]]:
        """All rows in the order of their key, which is the first columns."""
        order = ", ".join(key)
        last: tuple[Any, ...] | None = None
        while True:
            where = f"WHERE ({order}) > ({', '.join('?' * len(key))})" if last else ""
            statement = f"SELECT {columns} FROM {table} {where} ORDER BY {order} LIMIT ?"
            rows = await self._rows(statement, [*(last or ()), READ_AT_ONCE])
            if not rows:
                return
            yield rows
            end = rows[-1][: len(key)]
            _check_advance(table, last is None or end > last)
            last = end

    async def entries(self) -> AsyncIterator[list[EntryRow]]:
        async for rows in self._in_portions("entry", ENTRY_COLUMNS, ["stream", "version", "place"]):
            yield [EntryRow._make(row) for row in rows]

    async def entries_between(self, stream: str, first: int, last: int) -> list[EntryRow]:
        where = "stream = ? AND version BETWEEN ? AND ? ORDER BY version, place"
        rows = await self._rows(f"SELECT {ENTRY_COLUMNS} FROM entry WHERE {where}", [stream, first, last])
        return [EntryRow._make(row) for row in rows]

    async def events_that_moved(self, accounts: Sequence[str], stream: str, since: int) -> list[EventRow]:
        moved = f"SELECT version FROM entry WHERE account IN ({', '.join('?' * len(accounts))}) AND stream = ?"
        where = f"stream = ? AND time > ? AND version IN ({moved}) ORDER BY version"
        values = [stream, since, *accounts, stream]
        rows = await self._rows(f"SELECT {EVENT_COLUMNS} FROM event WHERE {where}", values)
        return [EventRow._make(row) for row in rows]

    async def account_sums(self) -> dict[str, int]:
        # The + keeps it from the index of accounts, which does not hold the amounts: each would be looked up.
        return dict(await self._rows("SELECT account, sum(amount) FROM entry GROUP BY +account"))

    async def commands(self) -> AsyncIterator[list[CommandRow]]:
        async for rows in self._in_portions("command", COMMAND_COLUMNS, ["actor", "id"]):
            yield [CommandRow._make(row) for row in rows]

    async def accounts(self) -> AsyncIterator[list[tuple[str, int]]]:
        async for rows in self._in_portions("account", "id, balance", ["id"]):
            yield [(row[0], row[1]) for row in rows]

    async def all_shoe_keys(self) -> AsyncIterator[list[ShoeKeysRow]]:
        async for rows in self._in_portions("shoe_keys", "stream, shoe, sealed", ["stream", "shoe"]):
            yield [ShoeKeysRow._make(row) for row in rows]

    async def all_landmarks(self) -> AsyncIterator[list[LandmarkRow]]:
        async for rows in self._in_portions("landmark", "stream, version, body, mark", ["stream", "version"]):
            yield [LandmarkRow._make(row) for row in rows]

    async def shoe_keys(self, stream: str, shoe: int) -> bytes | None:
        rows = await self._rows("SELECT sealed FROM shoe_keys WHERE stream = ? AND shoe = ?", [stream, shoe])
        return rows[0][0] if rows else None

    async def count(self, table: Literal["event", "entry", "command"]) -> int:
        return int((await self._rows(f"SELECT count(*) FROM {table}"))[0][0])

    async def answers_without_event(self) -> list[Link]:
        return [(row[0], row[1], row[2]) for row in await self._rows(ANSWERS_WITHOUT_EVENT)]

    async def events_without_answer(self) -> list[Link]:
        return [(row[0], row[1], row[2]) for row in await self._rows(EVENTS_WITHOUT_ANSWER)]

    async def integrity_problems(self) -> list[str]:
        found = [str(row[0]) for row in await self._rows("PRAGMA integrity_check")]
        return [*([] if found == ["ok"] else found), *_declared_otherwise(await self._rows(DECLARATIONS))]


# The driver binds plain tuples and `bytearray` at once. For `bytes` it looks for an adapter first, which takes as long
# as all other values of the row.


def _plain_events(rows: Iterable[EventRow]) -> list[tuple[object, ...]]:
    return [(*values, bytearray(previous)) for *values, previous in rows]


def _plain_commands(rows: Iterable[CommandRow]) -> list[tuple[object, ...]]:
    return [
        (actor, id, bytearray(digest), stream, version, answer, bytearray(seal))
        for actor, id, digest, stream, version, answer, seal in rows
    ]


def _check_advance(table: str, advances: bool) -> None:
    """In a file that is damaged the rows after a key may lie before it: reading on would never end."""
    if not advances:
        raise StorageFault(f"The rows of {table} are not in the order of their keys: the file is damaged.", "damaged")


def _declared_otherwise(rows: Iterable[Sequence[Any]]) -> list[str]:
    """Where the tables are not those of a record: without its checks a table takes what the program never writes.

    Whoever keeps a record may add tables, indexes and views of their own.
    """
    found = _declarations(rows)
    problems = [
        f"{name} is not declared as in a new record."
        for name, declared in _new_declarations().items()
        if found.get(name) != declared
    ]
    return problems + [
        f"{name} is a trigger, and a record has none." for name, (kind, *_) in found.items() if kind == "trigger"
    ]


def _declarations(rows: Iterable[Sequence[Any]]) -> dict[str, tuple[Any, ...]]:
    """What is declared, by name; a run of blanks is as good as one, whoever has laid it out."""
    return {
        name: (kind, of, re.sub(r"\s+", " ", text, flags=re.ASCII) if isinstance(text, str) else text)
        for kind, name, of, text in rows
    }


@cache
def _new_declarations() -> dict[str, tuple[Any, ...]]:
    """Those of a new record, made in memory."""
    load_migrations()
    from sqlalchemy import create_engine
    from sqlalchemy.pool import StaticPool

    engine = create_engine("sqlite://", poolclass=StaticPool)
    try:
        with engine.begin() as connection:
            migrate(connection)
            return _declarations(connection.exec_driver_sql(DECLARATIONS).fetchall())
    finally:
        engine.dispose()


def _set_up(writer: SqliteConnection, synchronous: str, checkpoint_pages: int = CHECKPOINT_PAGES) -> None:
    writer.execute("PRAGMA journal_mode = WAL").fetchall()
    # NORMAL would lose acknowledged commits when the power fails.
    writer.execute(f"PRAGMA synchronous = {synchronous}")
    writer.execute("PRAGMA cell_size_check = ON")
    # Rows lie all over the file by account and by command: what was read once stays in memory, and is written back to
    # its place for many groups at once.
    writer.execute(f"PRAGMA cache_size = -{CACHE_KIBIBYTES}")
    writer.execute(f"PRAGMA wal_autocheckpoint = {checkpoint_pages}")
    writer.execute("PRAGMA trusted_schema = OFF")


def _revisions(connection: SqliteConnection) -> Iterable[str]:
    """The migrations that the database names; none where it is new."""
    known = list(connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name = 'alembic_version'"))
    return [str(row[0]) for row in connection.execute("SELECT version_num FROM alembic_version")] if known else []


def _migrate_file(path: Path) -> None:
    from sqlalchemy import create_engine
    from sqlalchemy.exc import SQLAlchemyError
    from sqlalchemy.pool import NullPool

    engine = create_engine("sqlite://", creator=lambda: connect(path), poolclass=NullPool)
    try:
        with engine.begin() as connection:
            # The driver begins no transaction for the making of tables: without one, a process that ends in the middle
            # leaves some of them, and of two processes both would make them.
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            migrate(connection)
    except SQLAlchemyError as error:
        raise StorageFault(f"The database could not be brought up to date: {one_line(error)}.") from error
    finally:
        engine.dispose()
