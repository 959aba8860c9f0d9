"""What follows from the record, laid out for reading: rounds by their numbers, the rounds of a patron, what wagers won.

None of it is the record: it can be thrown away at any time, and is made again from the events. With SQLite it lies in a
file of its own, so that keeping it never makes a table wait for the one lock that a file has.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from puntobanco.extras import optional_package
from puntobanco.store.beside import Beside
from puntobanco.store.database import StorageFault
from puntobanco.store.places import own_file
from puntobanco.store.schema import Name, Whole

with optional_package("sqlalchemy", "Rounds are looked up"):
    from sqlalchemy import Column, Index, MetaData, Table, Text, inspect, select, text

if TYPE_CHECKING:
    from sqlalchemy import Connection

FORM = 4
"""Of the tables below and of what lies in them. A higher number throws away what was there, and begins anew."""

DERIVED_FILE = "derived.sqlite"
# NORMAL may lose the last commits when the power fails, but nothing in between: they are derived again.
PRAGMAS = ("journal_mode = WAL", "synchronous = NORMAL")
LOCK = 0x70756E746F
"""Held on a PostgreSQL server while the tables are made: of several processes one makes them."""

STRICT: dict[str, Any] = {"sqlite_strict": True, "sqlite_with_rowid": False}

metadata = MetaData()

form = Table("derived_form", metadata, Column("number", Whole, primary_key=True, autoincrement=False), **STRICT)

followed = Table(
    "followed",
    metadata,
    Column("stream", Name, primary_key=True),
    Column("version", Whole, nullable=False),
    Column("state", Text, nullable=False),
    **STRICT,
)
"""How far each table's stream was followed, and what must be known of it to go on."""

rule_set = Table(
    "rule_set",
    metadata,
    Column("digest", Name, primary_key=True),
    Column("game", Name, nullable=False),
    Column("reading", Text, nullable=False),
    Column("bonuses", Text, nullable=False),
    **STRICT,
)
"""The rules that rounds were played by: a game, a reading and fixed amounts, as JSON."""

played_shoe = Table(
    "played_shoe",
    metadata,
    Column("stream", Name, primary_key=True),
    Column("number", Whole, primary_key=True, autoincrement=False),
    Column("first_version", Whole, nullable=False),
    Column("opening", Whole, nullable=False),
    Column("rounds_before", Whole, nullable=False),
    **STRICT,
)
"""Where a shoe begins: its first version, the version of the settings in force, and how many rounds came before."""

played_round = Table(
    "played_round",
    metadata,
    Column("stream", Name, primary_key=True),
    Column("number", Whole, primary_key=True, autoincrement=False),
    Column("shoe", Whole, nullable=False),
    Column("round_in_shoe", Whole, nullable=False),
    Column("first_version", Whole, nullable=False),
    Column("last_version", Whole, nullable=False),
    Column("opened", Whole, nullable=False),
    Column("finished", Whole),
    Column("deal", Text, nullable=False),
    Column("player_total", Whole),
    Column("banker_total", Whole),
    Column("winner", Name),
    Column("void", Text),
    Column("corrected", Whole, nullable=False),
    Column("rules_digest", Name, nullable=False),
    Column("decks", Whole, nullable=False),
    Column("unit", Name, nullable=False),
    Column("state", Name),
    Column("key", Name),
    **STRICT,
)
"""Every round by table and number. `finished` is when it was settled or voided; it has none while it runs."""
Index("played_round_finished", played_round.c.finished)

round_wager = Table(
    "round_wager",
    metadata,
    Column("stream", Name, primary_key=True),
    Column("number", Whole, primary_key=True, autoincrement=False),
    Column("wager", Name, primary_key=True),
    Column("patrons", Whole, nullable=False),
    Column("staked", Whole, nullable=False),
    Column("returned", Whole, nullable=False),
    **STRICT,
)
"""What all patrons together staked on a wager in a round that stands, and got back."""

stake_history = Table(
    "stake_history",
    metadata,
    Column("patron", Name, primary_key=True),
    Column("finished", Whole, primary_key=True, autoincrement=False),
    Column("stream", Name, primary_key=True),
    Column("number", Whole, primary_key=True, autoincrement=False),
    Column("unit", Name, nullable=False),
    Column("staked", Whole, nullable=False),
    Column("returned", Whole, nullable=False),
    Column("wagers", Text, nullable=False),
    **STRICT,
)
"""The rounds of a patron in the order of time; `wagers` as in the event: stake, net and payments of each."""

round_change = Table(
    "round_change",
    metadata,
    Column("stream", Name, primary_key=True),
    Column("version", Whole, primary_key=True, autoincrement=False),
    Column("number", Whole, nullable=False),
    Column("shoe", Whole, nullable=False),
    Column("time", Whole, nullable=False),
    Column("kind", Name, nullable=False),
    Column("unit", Name, nullable=False),
    Column("house", Whole),
    Column("body", Text),
    **STRICT,
)
"""The voids and corrections. The body is reckoned when somebody asks, and kept once nothing can change it any more;
`house` is what the change took from the house or gave to it, where that is known.
"""
Index("round_change_time", round_change.c.time, round_change.c.stream, round_change.c.version)


class Derived(Beside):
    """A way to the derived tables: in a file beside the record's, or on the record's own server."""

    @classmethod
    async def open(cls, folder: Path, url: str | None = None) -> Self:
        """The derived tables of a record; made anew where there are none, or none of this form."""
        if url is not None:
            derived = cls.on_server(url)
        else:
            path = folder / DERIVED_FILE
            derived = cls._in_own_file(path)
        try:
            await derived._make()
        except StorageFault:
            await derived.close()
            if url is not None:
                raise
            # A file that cannot be read holds nothing that the record does not.
            for name in (DERIVED_FILE, f"{DERIVED_FILE}-wal", f"{DERIVED_FILE}-shm"):
                (folder / name).unlink(missing_ok=True)
            derived = cls._in_own_file(path)
            await derived._make()
        return derived

    @classmethod
    def _in_own_file(cls, path: Path) -> Self:
        """SQLite gives the files beside it the mode that this one has."""
        own_file(path)
        return cls.in_file(path, PRAGMAS)

    async def _make(self) -> None:
        async with self.writing() as connection:
            if not self.is_file:
                await connection.execute(text(f"SELECT pg_advisory_xact_lock({LOCK})"))
            await connection.run_sync(_make_tables)

    async def forget(self) -> None:
        """Throw everything away; whoever follows the record begins anew."""
        async with self.writing() as connection:
            for table in (followed, rule_set, played_shoe, played_round, round_wager, stake_history, round_change):
                await connection.execute(table.delete())


def _make_tables(connection: "Connection") -> None:
    there = inspect(connection).has_table(form.name)
    if there and connection.execute(select(form.c.number)).scalars().all() == [FORM]:
        return
    metadata.drop_all(connection)
    metadata.create_all(connection)
    connection.execute(form.insert().values(number=FORM))
