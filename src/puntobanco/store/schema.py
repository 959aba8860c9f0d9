"""The tables of the record, for both databases. How a database came to them is in `migrations/`."""

from puntobanco.extras import optional_package

with optional_package("sqlalchemy", "The tables of the record are declared"):
    from sqlalchemy import (
        BigInteger,
        CheckConstraint,
        Column,
        Identity,
        Index,
        Integer,
        LargeBinary,
        MetaData,
        Table,
        Text,
        UniqueConstraint,
    )

Whole = BigInteger().with_variant(Integer, "sqlite")
"""Of 64 bits; SQLite's strict tables know it as INTEGER."""

Name = Text().with_variant(Text(collation="C"), "postgresql")
"""A text that is sorted by its bytes, in both databases."""

metadata = MetaData()

event = Table(
    "event",
    metadata,
    Column("sequence", Whole, Identity(always=False), primary_key=True),
    Column("stream", Name, nullable=False),
    Column("version", Whole, nullable=False),
    Column("time", Whole, nullable=False),
    Column("actor", Name, nullable=False),
    Column("command", Text, nullable=False),
    Column("schema", Whole, nullable=False),
    Column("body", Text, nullable=False),
    Column("previous", LargeBinary, nullable=False),
    # The lock: of two writers who believe that they write the next event of a stream, one is refused.
    UniqueConstraint("stream", "version", name="event_stream_version"),
    sqlite_strict=True,
)

entry = Table(
    "entry",
    metadata,
    Column("stream", Name, primary_key=True),
    Column("version", Whole, primary_key=True, autoincrement=False),
    Column("place", Whole, primary_key=True, autoincrement=False),
    Column("account", Name, nullable=False),
    Column("amount", Whole, CheckConstraint("amount <> 0", name="entry_moves_something"), nullable=False),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)
Index("entry_account", entry.c.account, entry.c.stream, entry.c.version)

account = Table(
    "account",
    metadata,
    Column("id", Name, primary_key=True),
    Column("balance", Whole, nullable=False),
    # Nobody stakes what they have not, and nobody owes less than nothing, whatever the program believes.
    CheckConstraint("balance >= 0 OR (id NOT LIKE 'patron/%' AND id NOT LIKE 'held/%')", name="account_never_negative"),
    CheckConstraint("balance <= 0 OR id NOT LIKE 'owed/%'", name="account_owed"),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)

command = Table(
    "command",
    metadata,
    Column("actor", Name, primary_key=True),
    Column("id", Name, primary_key=True),
    Column("digest", LargeBinary, nullable=False),
    Column("stream", Name, nullable=False),
    Column("version", Whole),
    Column("answer", Text, nullable=False),
    Column("seal", LargeBinary, nullable=False),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)

head = Table(
    "head",
    metadata,
    Column("stream", Name, primary_key=True),
    Column("version", Whole, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    Column("signature", LargeBinary, nullable=False),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)

shoe_keys = Table(
    "shoe_keys",
    metadata,
    Column("stream", Name, primary_key=True),
    Column("shoe", Whole, primary_key=True, autoincrement=False),
    Column("sealed", LargeBinary, nullable=False),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)
