"""Rows of a record in PostgreSQL that somebody has changed, and what comes of it: as in `tampering.py`."""

import asyncio

import asyncpg

from store.databases import Place
from store.row_changes import KEYS, RowChange, Rows, is_only_reordered
from store.tampering import MOST_SECONDS, Outcome, Verdict, judged, judged_by_heads

KEPT = "kept"
"""The schema in which the tables are kept as they were."""


class OriginalInPostgres:
    """A true record in PostgreSQL, which is put back after each change."""

    def __init__(self, place: Place) -> None:
        self._place = place
        # A connection belongs to one loop.
        self._runner = asyncio.Runner()
        self._connection: asyncpg.Connection = self._runner.run(asyncpg.connect(place.url))
        self._runner.run(self._keep())

    def close(self) -> None:
        self._runner.run(self._connection.close())
        self._runner.close()

    async def _keep(self) -> None:
        self.rows = await self._read()
        await self._connection.execute(f"CREATE SCHEMA {KEPT}")
        for table in KEYS:
            await self._connection.execute(f"CREATE TABLE {KEPT}.{table} AS TABLE {table}")
        untouched = await judged(self._place.database())
        assert untouched.verdict is None, untouched.verdict
        self._export = untouched.export

    async def _read(self) -> Rows:
        return {
            table: [
                dict(row) for row in await self._connection.fetch(f"SELECT * FROM {table} ORDER BY {', '.join(keys)}")
            ]
            for table, keys in KEYS.items()
        }

    async def _put_back(self) -> None:
        async with self._connection.transaction():
            await self._connection.execute(f"TRUNCATE {', '.join(KEYS)}")
            for table in KEYS:
                await self._connection.execute(f"INSERT INTO {table} SELECT * FROM {KEPT}.{table}")

    def judge(self, change: RowChange) -> Verdict:
        """Change the record, see what comes of it, and put it back."""
        return self._runner.run(self._judge(change))

    async def _judge(self, change: RowChange) -> Verdict:
        try:
            async with self._connection.transaction():
                for statement in change.statements:
                    await self._connection.execute(statement.numbered(), *statement.values)
        except (asyncpg.PostgresError, asyncpg.InterfaceError, ValueError) as error:
            return Verdict(Outcome.REFUSED, str(error))
        try:
            seen = await asyncio.wait_for(judged(self._place.database()), MOST_SECONDS)
            return seen.verdict or await self._compared(seen.export)
        except TimeoutError:
            return Verdict(Outcome.ENDLESS, f"not read to the end in {MOST_SECONDS:g} s")
        finally:
            await self._put_back()

    async def _compared(self, export: list[str] | None) -> Verdict:
        rows = await self._read()
        if not is_only_reordered(self.rows, rows):
            return await judged_by_heads(self._place.database(), self.rows)
        if export == self._export:
            # Whatever is rolled back leaves such a gap.
            return Verdict(Outcome.HARMLESS, "gap between the places of two events")
        return Verdict(Outcome.REORDERED, "how the streams lie together is another")
