"""The record: events, postings, balances, answered commands, signed heads and the keys of shoes."""

from puntobanco.extras import optional_package

with optional_package("alembic", "Databases are brought up to date"):
    import sqlalchemy as sa
    from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

Whole = sa.BigInteger().with_variant(sa.Integer, "sqlite")
Name = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "event",
        sa.Column("sequence", Whole, sa.Identity(always=False), primary_key=True),
        sa.Column("stream", Name, nullable=False),
        sa.Column("version", Whole, nullable=False),
        sa.Column("time", Whole, nullable=False),
        sa.Column("actor", Name, nullable=False),
        sa.Column("command", sa.Text, nullable=False),
        sa.Column("schema", Whole, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("previous", sa.LargeBinary, nullable=False),
        sa.UniqueConstraint("stream", "version", name="event_stream_version"),
        sqlite_strict=True,
    )
    op.create_table(
        "entry",
        sa.Column("stream", Name, primary_key=True),
        sa.Column("version", Whole, primary_key=True, autoincrement=False),
        sa.Column("place", Whole, primary_key=True, autoincrement=False),
        sa.Column("account", Name, nullable=False),
        sa.Column("amount", Whole, sa.CheckConstraint("amount <> 0", name="entry_moves_something"), nullable=False),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_index("entry_account", "entry", ["account", "stream", "version"])
    op.create_table(
        "account",
        sa.Column("id", Name, primary_key=True),
        sa.Column("balance", Whole, nullable=False),
        sa.CheckConstraint(
            "balance >= 0 OR (id NOT LIKE 'patron/%' AND id NOT LIKE 'held/%')", name="account_never_negative"
        ),
        sa.CheckConstraint("balance <= 0 OR id NOT LIKE 'owed/%'", name="account_owed"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_table(
        "command",
        sa.Column("actor", Name, primary_key=True),
        sa.Column("id", Name, primary_key=True),
        sa.Column("digest", sa.LargeBinary, nullable=False),
        sa.Column("stream", Name, nullable=False),
        sa.Column("version", Whole),
        sa.Column("answer", sa.Text, nullable=False),
        sa.Column("seal", sa.LargeBinary, nullable=False),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_table(
        "head",
        sa.Column("stream", Name, primary_key=True),
        sa.Column("version", Whole, nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.Column("signature", sa.LargeBinary, nullable=False),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_table(
        "shoe_keys",
        sa.Column("stream", Name, primary_key=True),
        sa.Column("shoe", Whole, primary_key=True, autoincrement=False),
        sa.Column("sealed", sa.LargeBinary, nullable=False),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
