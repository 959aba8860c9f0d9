"""The record in PostgreSQL, for several processes that share it."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import cache
from typing import Any, Literal

from puntobanco.errors import InputError
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
    Fenced,
    Link,
    SequencedEvent,
    StorageFault,
    check_readable,
    check_revision,
    migrate,
    one_line,
)
from puntobanco.store.rows import CommandRow, EntryRow, EventRow, Group, HeadRow, LandmarkRow, ShoeKeysRow

with optional_package("asyncpg", "PostgreSQL is reached"):
    import asyncpg

EVENT_COLUMNS = 'stream, version, time, actor, command, "schema", body, previous'

CHAIN = f"""
    SELECT sequence, convert_to(stream, 'UTF8'), version, time, convert_to(actor, 'UTF8'), convert_to(command, 'UTF8'),
           "schema", convert_to(body, 'UTF8'), previous
    FROM event WHERE sequence > $1 ORDER BY sequence LIMIT {READ_AT_ONCE}
"""
COMMAND_COLUMNS = "actor, id, digest, stream, version, answer, seal"
ENTRY_COLUMNS = "stream, version, place, account, amount"

# One statement writes a whole group: every table gets its rows from arrays, and the server is asked once.
WRITE_GROUP = f"""
    WITH new_events AS (
        INSERT INTO event ({EVENT_COLUMNS})
        SELECT given.stream, given.version, given.time, given.actor, given.command, given.revision, given.body,
               given.previous
        FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::bigint[], $7::text[],
                    $8::bytea[])
             WITH ORDINALITY AS given (stream, version, time, actor, command, revision, body, previous, place)
        ORDER BY given.place
    ), new_entries AS (
        INSERT INTO entry (stream, version, place, account, amount)
        SELECT * FROM unnest($9::text[], $10::bigint[], $11::bigint[], $12::text[], $13::bigint[])
    ), new_commands AS (
        INSERT INTO command ({COMMAND_COLUMNS})
        SELECT * FROM unnest($14::text[], $15::text[], $16::bytea[], $17::text[], $18::bigint[], $19::text[],
                             $20::bytea[])
    ), new_balances AS (
        UPDATE account SET balance = given.balance
        FROM unnest($21::text[], $22::bigint[]) AS given (id, balance) WHERE account.id = given.id
    ), new_accounts AS (
        INSERT INTO account (id, balance) SELECT * FROM unnest($23::text[], $24::bigint[])
    ), new_keys AS (
        INSERT INTO shoe_keys (stream, shoe, sealed) SELECT * FROM unnest($25::text[], $26::bigint[], $27::bytea[])
    )
    INSERT INTO head (stream, version, hash, signature)
    SELECT * FROM unnest($28::text[], $29::bigint[], $30::bytea[], $31::bytea[])
    ON CONFLICT (stream) DO UPDATE
    SET version = excluded.version, hash = excluded.hash, signature = excluded.signature
"""
INSERT_LANDMARK = "INSERT INTO landmark (stream, version, body, mark) VALUES ($1, $2, $3, $4)"
PUT_EVENTS_BACK = f"""
    INSERT INTO event (sequence, {EVENT_COLUMNS})
    SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::bigint[],
                         $8::text[], $9::bytea[])
"""
ANSWERED = """
    SELECT c.actor, c.id, c.digest, c.stream, c.version, c.answer, c.seal
    FROM unnest($1::text[], $2::text[]) AS asked (actor, id) JOIN command AS c USING (actor, id)
"""
BALANCES = "SELECT id, balance FROM account WHERE id = ANY ($1::text[]) ORDER BY id FOR UPDATE"
# The leases first, and no account unless all of them hold: who leads a table no more waits for nobody's money.
BALANCES_UNDER_LEASES = """
    WITH held AS (
        SELECT stream, token FROM lease WHERE stream = ANY ($2::text[]) ORDER BY stream FOR SHARE
    ), stand AS (
        SELECT id, balance FROM account
        WHERE id = ANY ($1::text[]) AND (SELECT array_agg(token ORDER BY stream) FROM held) = $3::bigint[]
        ORDER BY id FOR UPDATE
    )
    SELECT stream, token FROM held UNION ALL SELECT id, balance FROM stand
"""
# Before the first statement that reads, or the wait would end with a view of the time before it.
TAKE_TURN = "LOCK TABLE bell IN SHARE UPDATE EXCLUSIVE MODE"
# Of a table: its columns, its constraints and its unique indexes, without the schema in which it lies.
DECLARATIONS = """
    WITH declared AS (
        SELECT oid, relname FROM pg_class WHERE relnamespace = $1 AND relname = ANY ($2::text[])
    )
    SELECT relname, 'column ' || attname,
           concat_ws(' ', format_type(atttypid, atttypmod), attnotnull, attcollation::bigint, attidentity, attgenerated,
                     CASE WHEN attidentity = '' THEN pg_get_expr(adbin, adrelid) END)
    FROM declared JOIN pg_attribute ON attrelid = oid AND attnum > 0 AND NOT attisdropped
    LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    UNION ALL
    SELECT relname, 'constraint ' || conname, pg_get_constraintdef(pg_constraint.oid)
    FROM declared JOIN pg_constraint ON conrelid = declared.oid AND contype <> 'n'
    UNION ALL
    SELECT relname, 'index ' || indexrelid::regclass::name, regexp_replace(pg_get_indexdef(indexrelid), ' ON \\S+', '')
    FROM declared JOIN pg_index ON indrelid = oid AND indisunique AND indisvalid
"""
# What does something else than a statement says, as a part of it.
INTERFERING = """
    SELECT relname, tgname, 'trigger' FROM pg_trigger JOIN pg_class ON tgrelid = pg_class.oid
    WHERE NOT tgisinternal AND relnamespace = $1 AND relname = ANY ($2::text[])
    UNION ALL
    SELECT relname, rulename, 'rule' FROM pg_rewrite JOIN pg_class ON ev_class = pg_class.oid
    WHERE relkind <> 'v' AND relnamespace = $1 AND relname = ANY ($2::text[])
    ORDER BY 1, 2
"""
REVISIONS = "SELECT version_num FROM alembic_version"

# A writer that was stopped inside a transaction must not block whoever takes over from it; and tables that are new have
# no statistics, so that the planner would rather read them whole.
SESSION = {
    "application_name": "puntobanco writer",
    "idle_in_transaction_session_timeout": "2s",
    "enable_seqscan": "off",
    "synchronous_commit": "on",
}
READING = {"default_transaction_read_only": "on"}

MIGRATION_LOCK = 0x70756E746F  # "punto": any number that nobody else locks.

EVENT_WIDTH, ENTRY_WIDTH, COMMAND_WIDTH, KEYS_WIDTH, HEAD_WIDTH = 8, 5, 7, 3, 4


@contextmanager
def _faults() -> Iterator[None]:
    """Whatever the driver or the network raises, as a fault."""
    try:
        yield
    except (asyncpg.UniqueViolationError, asyncpg.DeadlockDetectedError, asyncpg.SerializationError) as error:
        raise Conflict from error
    except (TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError, OSError) as error:
        raise StorageFault(f"The database failed: {one_line(error)}.") from error


def columns(rows: Sequence[Sequence[Any]], width: int) -> list[list[Any]]:
    """The rows turned into columns; empty ones where there is no row."""
    return [list(column) for column in zip(*rows, strict=True)] if rows else [[] for _ in range(width)]


class PostgresDatabase(Database):
    """A record on a server: one connection writes, another reads."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._writer: asyncpg.Connection | None = None
        self._reader: asyncpg.Connection | None = None
        self._transaction: Any = None
        self._in_snapshot = False
        # A connection answers one question at a time.
        self._reading = asyncio.Lock()

    async def start(self, *, new: bool = True) -> None:
        try:
            await self._start(new)
        except BaseException:
            await self.close()
            raise

    async def start_reading(self) -> None:
        try:
            with _faults():
                self._reader = await self._connected(READING)
                revisions = await self._revisions()
            check_readable(revisions)
        except BaseException:
            await self.close()
            raise

    async def _start(self, new: bool) -> None:
        with _faults():
            self._writer = await self._connected(SESSION)
            self._reader = await self._connected(READING)
            revisions = await self._revisions()
        if not check_revision(revisions, new=new):
            await self._migrate()

    async def _revisions(self) -> list[str]:
        """The migrations that the database names; none where it is new."""
        assert self._reader is not None
        known = await self._reader.fetchval("SELECT to_regclass('alembic_version') IS NOT NULL")
        return [row[0] for row in await self._reader.fetch(REVISIONS)] if known else []

    async def _connected(self, settings: dict[str, str]) -> "asyncpg.Connection":
        try:
            return await asyncpg.connect(self._url, server_settings=settings)
        except asyncpg.InterfaceError:
            raise
        except ValueError:
            # The driver repeats what it could not read, which may be a part of the password.
            raise InputError(
                "bad-usage",
                "The URL of the database cannot be read: it is postgresql://user:password@host:port/name, and what "
                "is no letter or digit in a name or password is written as % and two digits.",
            ) from None

    async def _migrate(self) -> None:
        from sqlalchemy.exc import SQLAlchemyError
        from sqlalchemy.ext.asyncio import create_async_engine
        from sqlalchemy.pool import NullPool

        # SQLAlchemy opens no connection of its own: it would read the address by other rules.
        engine = create_async_engine(
            "postgresql+asyncpg://", async_creator=lambda: asyncpg.connect(self._url), poolclass=NullPool
        )
        try:
            async with engine.begin() as connection:
                # Of several processes that start at once, one makes the tables and the others find them.
                await connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})")
                await connection.run_sync(migrate)
        except (SQLAlchemyError, asyncpg.PostgresError, OSError) as error:
            raise StorageFault(f"The database could not be brought up to date: {one_line(error)}.") from error
        finally:
            await engine.dispose()

    async def close(self) -> None:
        with _faults():
            for connection in (self._reader, self._writer):
                if connection is not None:
                    await connection.close()
        self._reader = self._writer = self._transaction = None

    @property
    def _write(self) -> "asyncpg.Connection":
        if self._writer is None:
            raise StorageFault("The database is closed.")
        return self._writer

    @property
    def backend(self) -> int:
        """The process of the server that carries out what is written here: ended, it writes no more."""
        return 0 if self._writer is None or self._writer.is_closed() else self._writer.get_server_pid()

    async def begin(self) -> None:
        with _faults():
            # A connection that was lost, or that a failed rollback has left in a transaction, is replaced here and
            # nowhere else: nothing is under way on it.
            if self._write.is_closed() or self._write.is_in_transaction():
                self._write.terminate()
                self._writer = await self._connected(SESSION)
            # What another process changes meanwhile is a conflict, also where it makes an account that was not there.
            self._transaction = self._write.transaction(isolation="repeatable_read")
            await self._transaction.start()

    async def commit(self) -> None:
        with _faults():
            await self._transaction.commit()

    async def rollback(self) -> None:
        with _faults():
            await self._transaction.rollback()

    async def answered(self, keys: Sequence[CommandKey]) -> dict[CommandKey, CommandRow]:
        with _faults():
            rows = await self._write.fetch(ANSWERED, *columns(keys, 2))
        return {(row[0], row[1]): CommandRow(*row) for row in rows}

    async def take_turn(self) -> None:
        with _faults():
            await self._write.execute(TAKE_TURN)

    async def balances(self, accounts: Sequence[str], leases: Mapping[str, int] = NO_LEASES) -> dict[str, int]:
        with _faults():
            if not leases:
                return {row[0]: row[1] for row in await self._write.fetch(BALANCES, accounts)}
            streams = sorted(leases)
            tokens = [leases[stream] for stream in streams]
            rows = await self._write.fetch(BALANCES_UNDER_LEASES, accounts, streams, tokens)
        held = {row[0]: row[1] for row in rows[: len(leases)]}
        if lost := [stream for stream in streams if held.get(stream) != leases[stream]]:
            raise Fenced(lost)
        return {row[0]: row[1] for row in rows[len(leases) :]}

    async def write(self, group: Group) -> None:
        with _faults():
            await self._write.execute(WRITE_GROUP, *columns(group.events, EVENT_WIDTH), *_beside_events(group))
            if group.landmarks:
                await self._write.executemany(INSERT_LANDMARK, group.landmarks)

    async def put_back(self, events: Sequence[SequencedEvent], group: Group) -> None:
        with _faults():
            # Whoever sends the rows may take their time, as through a slow network; the rest of the session must not.
            await self._write.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
            await self._write.execute(PUT_EVENTS_BACK, *columns([(each.sequence, *each.row) for each in events], 9))
            await self._write.execute(WRITE_GROUP, *columns([], EVENT_WIDTH), *_beside_events(group))
            await self._write.execute(
                "SELECT setval(pg_get_serial_sequence('event', 'sequence'), max(sequence)) FROM event"
            )

    # Reading, on a connection of its own.

    async def _rows(self, statement: str, *values: object) -> list[Any]:
        if self._reader is None:
            raise StorageFault("The database is closed.")
        async with self._reading:
            with _faults():
                if self._reader.is_closed() and not self._in_snapshot:
                    # In a snapshot what another connection reads would be of another moment.
                    self._reader = await self._connected(READING)
                return await self._reader.fetch(statement, *values)

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[None]:
        if self._reader is None:
            raise StorageFault("The database is closed.")
        transaction = self._reader.transaction(isolation="repeatable_read", readonly=True)
        with _faults():
            await transaction.start()
        self._in_snapshot = True
        try:
            yield
        finally:
            self._in_snapshot = False
            # What was only read cannot be lost, whatever state the connection is in.
            with suppress(asyncpg.PostgresError, asyncpg.InterfaceError, OSError):
                await transaction.rollback()

    async def heads(self) -> list[HeadRow]:
        rows = await self._rows("SELECT stream, version, hash, signature FROM head ORDER BY stream")
        return [HeadRow(*row) for row in rows]

    async def head(self, stream: str) -> HeadRow | None:
        rows = await self._rows("SELECT stream, version, hash, signature FROM head WHERE stream = $1", stream)
        return HeadRow(*rows[0]) if rows else None

    async def standing(self, accounts: Sequence[str]) -> dict[str, int]:
        rows = await self._rows("SELECT id, balance FROM account WHERE id = ANY ($1::text[])", accounts)
        return {row[0]: row[1] for row in rows}

    async def landmarks(self, stream: str) -> list[LandmarkRow]:
        statement = "SELECT stream, version, body, mark FROM landmark WHERE stream = $1 ORDER BY version DESC LIMIT 2"
        return [LandmarkRow(*row) for row in await self._rows(statement, stream)]

    async def landmark_of_shoe(self, stream: str, shoe: int) -> LandmarkRow | None:
        rows = await self._rows(
            "SELECT stream, version, body, mark FROM landmark "
            "WHERE stream = $1 AND (body::json ->> 'shoe_number')::bigint = $2 ORDER BY version LIMIT 1",
            stream,
            shoe - 1,
        )
        return LandmarkRow(*rows[0]) if rows else None

    async def events(
        self, stream: str | None = None, after: int = 0, since: int | None = None
    ) -> AsyncIterator[list[SequencedEvent]]:
        key = "sequence" if stream is None else "version"
        place = 0 if stream is None else 2
        statement = f"""
            SELECT sequence, {EVENT_COLUMNS} FROM event
            WHERE {key} > $1 AND ($2::text IS NULL OR stream = $2) AND ($3::bigint IS NULL OR time >= $3)
            ORDER BY {key} LIMIT {READ_AT_ONCE}
        """
        while rows := await self._rows(statement, after, stream, since):
            yield [SequencedEvent(row[0], EventRow._make(row[1:])) for row in rows]
            after = rows[-1][place]

    async def chain(self) -> AsyncIterator[list[ChainedRow]]:
        after = 0
        while rows := await self._rows(CHAIN, after):
            yield rows
            after = rows[-1][0]

    async def _in_portions(self, table: str, columns: str, key: Sequence[str]) -> AsyncIterator[list[Any]]:
        """All rows in the order of their key, which is the first columns."""
        order = ", ".join(key)
        last: tuple[Any, ...] = ()
        while True:
            marks = ", ".join(f"${place}" for place in range(1, len(key) + 1))
            where = f"WHERE ({order}) > ({marks})" if last else ""
            rows = await self._rows(
                f"SELECT {columns} FROM {table} {where} ORDER BY {order} LIMIT {READ_AT_ONCE}", *last
            )
            if not rows:
                return
            yield rows
            last = tuple(rows[-1])[: len(key)]

    async def entries(self) -> AsyncIterator[list[EntryRow]]:
        async for rows in self._in_portions("entry", ENTRY_COLUMNS, ["stream", "version", "place"]):
            yield [EntryRow._make(row) for row in rows]

    async def entries_between(self, stream: str, first: int, last: int) -> list[EntryRow]:
        where = "stream = $1 AND version BETWEEN $2 AND $3 ORDER BY version, place"
        rows = await self._rows(f"SELECT {ENTRY_COLUMNS} FROM entry WHERE {where}", stream, first, last)
        return [EntryRow._make(row) for row in rows]

    async def events_that_moved(self, accounts: Sequence[str], stream: str, since: int) -> list[EventRow]:
        moved = "SELECT version FROM entry WHERE account = ANY ($1::text[]) AND stream = $2"
        where = f"stream = $2 AND time > $3 AND version IN ({moved}) ORDER BY version"
        rows = await self._rows(f"SELECT {EVENT_COLUMNS} FROM event WHERE {where}", accounts, stream, since)
        return [EventRow._make(row) for row in rows]

    async def account_sums(self) -> dict[str, int]:
        rows = await self._rows("SELECT account, sum(amount)::bigint FROM entry GROUP BY account")
        return {row[0]: row[1] for row in rows}

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
        rows = await self._rows("SELECT sealed FROM shoe_keys WHERE stream = $1 AND shoe = $2", stream, shoe)
        return rows[0][0] if rows else None

    async def count(self, table: Literal["event", "entry", "command"]) -> int:
        return int((await self._rows(f"SELECT count(*) FROM {table}"))[0][0])

    async def answers_without_event(self) -> list[Link]:
        return [(row[0], row[1], row[2]) for row in await self._rows(ANSWERS_WITHOUT_EVENT)]

    async def events_without_answer(self) -> list[Link]:
        return [(row[0], row[1], row[2]) for row in await self._rows(EVENTS_WITHOUT_ANSWER)]

    async def integrity_problems(self) -> list[str]:
        """Where the tables are not those of a record: without its checks a table takes what the program never writes.

        What they should be is asked of the server itself, which words a constraint in its own way: it makes them once
        more, as temporary tables that nobody else sees, and nothing of that is committed. Whoever keeps a record may
        add tables, views, and indexes of their own.
        """
        names, statements = _temporary_tables()
        with _faults():
            connection = await self._connected({})
            try:
                home = await connection.fetchval("SELECT relnamespace FROM pg_class WHERE oid = to_regclass('event')")
                found = await connection.fetch(DECLARATIONS, home, names)
                interfering = await connection.fetch(INTERFERING, home, names)
                making = connection.transaction()
                await making.start()
                for statement in statements:
                    await connection.execute(statement)
                apart = await connection.fetchval("SELECT pg_my_temp_schema()")
                expected = await connection.fetch(DECLARATIONS, apart, names)
                await making.rollback()
            finally:
                await connection.close()
        return [
            *_declared_otherwise({tuple(row) for row in found}, {tuple(row) for row in expected}),
            *[f"{name} is a {kind} of {table}, and a record has none." for table, name, kind in interfering],
        ]


@cache
def _temporary_tables() -> tuple[list[str], list[str]]:
    """The names of all tables, and the statements that make them as temporary ones."""
    from sqlalchemy.dialects import postgresql
    from sqlalchemy.schema import CreateIndex, CreateTable

    from puntobanco.store.schema import metadata

    # By its other ways to name a value it would write a percent sign twice.
    dialect, statements = postgresql.dialect(paramstyle="named"), list[str]()  # type: ignore[no-untyped-call]
    for table in metadata.sorted_tables:
        made = str(CreateTable(table).compile(dialect=dialect))
        statements.append(made.replace("CREATE TABLE", "CREATE TEMPORARY TABLE", 1))
        unique = [index for index in table.indexes if index.unique]
        statements += [str(CreateIndex(index).compile(dialect=dialect)) for index in unique]
    return [table.name for table in metadata.sorted_tables], statements


def _declared_otherwise(found: set[Any], expected: set[Any]) -> list[str]:
    """Each table in which something is declared that should not be, or should be and is not."""
    more = {each for each in found - expected if not each[1].startswith("index ")}
    differs: dict[str, set[str]] = defaultdict(set)
    for table, what, _ in (expected - found) | more:
        differs[table].add(what)
    return [
        f"{table} is not declared as in a new record: {', '.join(sorted(differs[table]))}." for table in sorted(differs)
    ]


def _beside_events(group: Group) -> list[list[Any]]:
    return [
        *columns(group.entries, ENTRY_WIDTH),
        *columns(group.commands, COMMAND_WIDTH),
        list(group.balances),
        list(group.balances.values()),
        list(group.new_balances),
        list(group.new_balances.values()),
        *columns(group.shoe_keys, KEYS_WIDTH),
        *columns(group.heads, HEAD_WIDTH),
    ]
