"""The tables of the record and of the service beside it. How a database came to them is in `migrations/`."""

from typing import Any

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
        text,
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


def held_by(dialect: str) -> str:
    """Whose a held account is, as the index `account_held_by` has it: it is used for these words alone."""
    find = "instr" if dialect == "sqlite" else "strpos"
    unit_and_patron = f"substr(id, 6 + {find}(substr(id, 6), '/'))"
    return f"substr({unit_and_patron}, {find}({unit_and_patron}, '/') + 1)"


IS_HELD = "substr(id, 1, 5) = 'held/'"

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

STRICT: dict[str, Any] = {"sqlite_strict": True, "sqlite_with_rowid": False}

landmark = Table(
    "landmark",
    metadata,
    Column("stream", Name, primary_key=True),
    Column("version", Whole, primary_key=True, autoincrement=False),
    Column("body", Text, nullable=False),
    Column("mark", LargeBinary, nullable=False),
    **STRICT,
)
"""Where a long stream can be taken up without reading it from its beginning; follows from the events, and is marked."""

# The service beside the record.

person = Table(
    "person",
    metadata,
    Column("id", Name, primary_key=True),
    Column("name", Text, nullable=False),
    Column("sign_in", Name, unique=True),
    Column("role", Name, nullable=False),
    Column("password", Text),
    Column("password_is_new", Whole, nullable=False),
    Column("password_from", Name),
    Column("created", Whole, nullable=False),
    Column("left", Whole),
    **STRICT,
)
"""Guests, patrons and staff. The id is a patron in the books; `sign_in` is the name, folded, of who has a password."""

attempt = Table(
    "attempt",
    metadata,
    Column("name", LargeBinary, primary_key=True),
    Column("failures", Whole, nullable=False),
    Column("last", Whole, nullable=False),
    Column("locked_until", Whole, nullable=False),
    **STRICT,
)
"""Wrong passwords for a name, and for a name from an address, by their digests: also of names that nobody has, so that
a lock tells nobody who is here."""

familiar = Table(
    "familiar",
    metadata,
    Column("name", LargeBinary, primary_key=True),
    Column("last", Whole, nullable=False),
    **STRICT,
)
"""From where the right password has come, by the digest of the name and the address."""

session = Table(
    "session",
    metadata,
    Column("digest", LargeBinary, primary_key=True),
    Column("person", Name, nullable=False, index=True),
    Column("created", Whole, nullable=False),
    Column("seen", Whole, nullable=False),
    # Every process asks every few seconds which sessions have ended.
    Column("ended", Whole, index=True),
    **STRICT,
)
"""Who is signed in: the digest of what their cookie holds."""

visit = Table(
    "visit",
    metadata,
    Column("person", Name, primary_key=True),
    Column("since", Whole, primary_key=True, autoincrement=False),
    Column("seen", Whole, nullable=False),
    Column("wealth", Text, nullable=False),
    **STRICT,
)
"""A patron's visit: since when, and with how much of each unit, as JSON."""

floor = Table(
    "floor",
    metadata,
    Column("table", Name, primary_key=True),
    Column("name", Text, nullable=False),
    Column("place", Whole, nullable=False),
    Column("settings", Text, nullable=False),
    Column("betting_milliseconds", Whole),
    Column("card_milliseconds", Whole),
    Column("closed", Whole, nullable=False),
    **STRICT,
)
"""The tables of the house as it wants them (`server/floor.py`). Where no time is set, the usual one holds."""

request = Table(
    "request",
    metadata,
    Column("id", Name, primary_key=True),
    Column("stream", Name, nullable=False, index=True),
    Column("body", Text, nullable=False),
    Column("asked_by", Name, nullable=False),
    Column("asked", Whole, nullable=False),
    Column("state", Name, nullable=False),
    Column("decided_by", Name),
    Column("decided", Whole),
    Column("note", Text),
    # The id of the message that decided it: a retry of that one gets the same answer.
    Column("decision", Text),
    # Of the stream when it was asked: what a retry of the question is answered with, too.
    Column("version", Whole, nullable=False),
    **STRICT,
)
"""What needs two people, and waits for the second."""

dispute = Table(
    "dispute",
    metadata,
    Column("id", Name, primary_key=True),
    Column("patron", Name, nullable=False, index=True),
    Column("table", Name, nullable=False),
    Column("round", Whole, nullable=False),
    Column("said", Text, nullable=False),
    Column("opened", Whole, nullable=False),
    Column("state", Name, nullable=False),
    Column("assigned_to", Name),
    Column("outcome", Name),
    Column("decision", Text),
    Column("decided_by", Name),
    Column("decided", Whole),
    Column("told", Whole),
    **STRICT,
)
"""A patron disputes a round; somebody decides."""
Index("dispute_state", dispute.c.state, dispute.c.opened)
UNDECIDED = text("state <> 'decided'")
# One dispute of a round at a time, whatever a patron sends at once.
Index(
    "dispute_once",
    dispute.c.patron,
    dispute.c.table,
    dispute.c.round,
    unique=True,
    sqlite_where=UNDECIDED,
    postgresql_where=UNDECIDED,
)

patron_limit = Table(
    "patron_limit",
    metadata,
    Column("patron", Name, primary_key=True),
    Column("kind", Name, primary_key=True),
    Column("unit", Name, primary_key=True),
    Column("since", Whole, primary_key=True, autoincrement=False),
    Column("asked", Whole, nullable=False, index=True),
    Column("amount", Whole),
    **STRICT,
)
"""Limits that patrons set for themselves, each from a time on; no amount takes one away."""

job = Table(
    "job",
    metadata,
    Column("number", Whole, Identity(always=False), primary_key=True),
    Column("id", Name, nullable=False, unique=True),
    Column("person", Name, nullable=False),
    # The process that plays it, and when it last said so.
    Column("owner", Name, nullable=False),
    Column("asked", Text, nullable=False),
    Column("created", Whole, nullable=False),
    Column("seen", Whole, nullable=False),
    Column("state", Name, nullable=False),
    Column("done", Whole, nullable=False),
    Column("problem", Text),
    Column("result", Text),
    sqlite_strict=True,
)
"""Simulated sessions that somebody has asked for, how far they are and what they came to. Few, and not for long."""

lease = Table(
    "lease",
    metadata,
    Column("stream", Name, primary_key=True),
    Column("owner", Name, nullable=False),
    Column("token", Whole, nullable=False),
    **STRICT,
)
"""Which process leads a table. The token rises with each change, and every write of the table names it."""

process = Table(
    "process",
    metadata,
    Column("id", Name, primary_key=True),
    Column("seen", Whole, nullable=False),
    Column("backend", Whole, nullable=False),
    Column("shown", Text, nullable=False),
    **STRICT,
)
"""The processes of the service, when each was last alive, the backend of its writing connection, and who is at
which table there."""

letter = Table(
    "letter",
    metadata,
    Column("number", Whole, Identity(always=False), primary_key=True),
    Column("receiver", Name, nullable=False),
    Column("sender", Name, nullable=False),
    Column("body", Text, nullable=False),
    Column("answer", Text),
    Column("sent", Whole, nullable=False),
    sqlite_strict=True,
)
"""What one process asks of another that leads a table."""

bell = Table(
    "bell",
    metadata,
    Column("number", Whole, Identity(always=False), primary_key=True),
    Column("name", Name, nullable=False, unique=True),
    sqlite_strict=True,
)
"""The numbers by which processes ring for each other: of a stream that was written to, or of whoever has a letter."""
