"""What a patron has on the felts, wherever that is, is found by the patron."""

from puntobanco.extras import optional_package

with optional_package("alembic", "Databases are brought up to date"):
    from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

# The name is held/table/unit/patron, and only the last of them may have a slash in it.
UNIT_AND_PATRON = "substr(id, 6 + {find}(substr(id, 6), '/'))"
PATRON = f"substr({UNIT_AND_PATRON}, {{find}}({UNIT_AND_PATRON}, '/') + 1)"


def upgrade() -> None:
    find = "instr" if op.get_bind().dialect.name == "sqlite" else "strpos"
    patron = PATRON.format(find=find)
    op.execute(f"CREATE INDEX account_held_by ON account (({patron})) WHERE substr(id, 1, 5) = 'held/'")
