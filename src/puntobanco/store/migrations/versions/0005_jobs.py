"""Simulated sessions that were asked for, so that every process answers for all of them."""

from puntobanco.extras import optional_package

with optional_package("alembic", "Databases are brought up to date"):
    import sqlalchemy as sa
    from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

Whole = sa.BigInteger().with_variant(sa.Integer, "sqlite")
Name = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "job",
        sa.Column("number", Whole, sa.Identity(always=False), primary_key=True),
        sa.Column("id", Name, nullable=False, unique=True),
        sa.Column("person", Name, nullable=False),
        sa.Column("owner", Name, nullable=False),
        sa.Column("asked", sa.Text, nullable=False),
        sa.Column("created", Whole, nullable=False),
        sa.Column("seen", Whole, nullable=False),
        sa.Column("state", Name, nullable=False),
        sa.Column("done", Whole, nullable=False),
        sa.Column("problem", sa.Text),
        sa.Column("result", sa.Text),
        sqlite_strict=True,
    )
