"""Run by alembic for each upgrade, on the connection that `migrate` hands over."""

from puntobanco.extras import optional_package
from puntobanco.store.schema import metadata

with optional_package("alembic", "Databases are brought up to date"):
    from alembic import context

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
