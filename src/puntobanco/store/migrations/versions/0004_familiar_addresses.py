"""From where somebody has signed in before, so that no lock of their name by others keeps them out."""

from puntobanco.extras import optional_package

with optional_package("alembic", "Databases are brought up to date"):
    import sqlalchemy as sa
    from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

Whole = sa.BigInteger().with_variant(sa.Integer, "sqlite")
STRICT = {"sqlite_strict": True, "sqlite_with_rowid": False}


def upgrade() -> None:
    op.create_table(
        "familiar",
        sa.Column("name", sa.LargeBinary, primary_key=True),
        sa.Column("last", Whole, nullable=False),
        **STRICT,
    )
