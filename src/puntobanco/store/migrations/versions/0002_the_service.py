"""The service: people and their sessions, tables on the floor, requests for two people, disputes, limits, leases."""

from puntobanco.extras import optional_package

with optional_package("alembic", "Databases are brought up to date"):
    import sqlalchemy as sa
    from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

Whole = sa.BigInteger().with_variant(sa.Integer, "sqlite")
Name = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
STRICT = {"sqlite_strict": True, "sqlite_with_rowid": False}


def upgrade() -> None:
    op.create_table(
        "landmark",
        sa.Column("stream", Name, primary_key=True),
        sa.Column("version", Whole, primary_key=True, autoincrement=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("mark", sa.LargeBinary, nullable=False),
        **STRICT,
    )
    op.create_table(
        "person",
        sa.Column("id", Name, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("sign_in", Name, unique=True),
        sa.Column("role", Name, nullable=False),
        sa.Column("password", sa.Text),
        sa.Column("password_is_new", Whole, nullable=False),
        sa.Column("password_from", Name),
        sa.Column("created", Whole, nullable=False),
        sa.Column("left", Whole),
        **STRICT,
    )
    op.create_table(
        "attempt",
        sa.Column("name", sa.LargeBinary, primary_key=True),
        sa.Column("failures", Whole, nullable=False),
        sa.Column("last", Whole, nullable=False),
        sa.Column("locked_until", Whole, nullable=False),
        **STRICT,
    )
    op.create_table(
        "session",
        sa.Column("digest", sa.LargeBinary, primary_key=True),
        sa.Column("person", Name, nullable=False, index=True),
        sa.Column("created", Whole, nullable=False),
        sa.Column("seen", Whole, nullable=False),
        sa.Column("ended", Whole, index=True),
        **STRICT,
    )
    op.create_table(
        "visit",
        sa.Column("person", Name, primary_key=True),
        sa.Column("since", Whole, primary_key=True, autoincrement=False),
        sa.Column("seen", Whole, nullable=False),
        sa.Column("wealth", sa.Text, nullable=False),
        **STRICT,
    )
    op.create_table(
        "floor",
        sa.Column("table", Name, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("place", Whole, nullable=False),
        sa.Column("settings", sa.Text, nullable=False),
        sa.Column("betting_milliseconds", Whole),
        sa.Column("card_milliseconds", Whole),
        sa.Column("closed", Whole, nullable=False),
        **STRICT,
    )
    op.create_table(
        "request",
        sa.Column("id", Name, primary_key=True),
        sa.Column("stream", Name, nullable=False, index=True),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("asked_by", Name, nullable=False),
        sa.Column("asked", Whole, nullable=False),
        sa.Column("state", Name, nullable=False),
        sa.Column("decided_by", Name),
        sa.Column("decided", Whole),
        sa.Column("note", sa.Text),
        sa.Column("decision", sa.Text),
        sa.Column("version", Whole, nullable=False),
        **STRICT,
    )
    op.create_table(
        "dispute",
        sa.Column("id", Name, primary_key=True),
        sa.Column("patron", Name, nullable=False, index=True),
        sa.Column("table", Name, nullable=False),
        sa.Column("round", Whole, nullable=False),
        sa.Column("said", sa.Text, nullable=False),
        sa.Column("opened", Whole, nullable=False),
        sa.Column("state", Name, nullable=False),
        sa.Column("assigned_to", Name),
        sa.Column("outcome", Name),
        sa.Column("decision", sa.Text),
        sa.Column("decided_by", Name),
        sa.Column("decided", Whole),
        sa.Column("told", Whole),
        **STRICT,
    )
    op.create_index("dispute_state", "dispute", ["state", "opened"])
    undecided = sa.text("state <> 'decided'")
    op.create_index(
        "dispute_once",
        "dispute",
        ["patron", "table", "round"],
        unique=True,
        sqlite_where=undecided,
        postgresql_where=undecided,
    )
    op.create_table(
        "patron_limit",
        sa.Column("patron", Name, primary_key=True),
        sa.Column("kind", Name, primary_key=True),
        sa.Column("unit", Name, primary_key=True),
        sa.Column("since", Whole, primary_key=True, autoincrement=False),
        sa.Column("asked", Whole, nullable=False, index=True),
        sa.Column("amount", Whole),
        **STRICT,
    )
    op.create_table(
        "lease",
        sa.Column("stream", Name, primary_key=True),
        sa.Column("owner", Name, nullable=False),
        sa.Column("token", Whole, nullable=False),
        **STRICT,
    )
    op.create_table(
        "process",
        sa.Column("id", Name, primary_key=True),
        sa.Column("seen", Whole, nullable=False),
        sa.Column("backend", Whole, nullable=False),
        sa.Column("shown", sa.Text, nullable=False),
        **STRICT,
    )
    op.create_table(
        "letter",
        sa.Column("number", Whole, sa.Identity(always=False), primary_key=True),
        sa.Column("receiver", Name, nullable=False),
        sa.Column("sender", Name, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("answer", sa.Text),
        sa.Column("sent", Whole, nullable=False),
        sqlite_strict=True,
    )
    op.create_table(
        "bell",
        sa.Column("number", Whole, sa.Identity(always=False), primary_key=True),
        sa.Column("name", Name, nullable=False, unique=True),
        sqlite_strict=True,
    )
