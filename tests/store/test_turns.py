"""Whoever writes beside the record and the record itself take turns; neither waits for the other in vain."""

import asyncio
from pathlib import Path

from sqlalchemy import insert

from puntobanco.store.beside import Beside
from puntobanco.store.schema import visit
from store.databases import Place
from store.houses import house


def test_a_long_transaction_beside_the_record_does_not_stop_a_table(tmp_path: Path) -> None:
    async def run() -> None:
        async with house(Place("sqlite", tmp_path).database()) as at:
            beside = Beside.in_file(tmp_path / "record.sqlite")

            async def write() -> None:
                async with beside.writing() as connection:
                    for number in range(50):
                        values = {"person": "anna", "since": number, "seen": 0, "wealth": ""}
                        await connection.execute(insert(visit).values(values))

            async def play() -> None:
                for _ in range(20):
                    assert (await at.step()).accepted

            # Either would give up after the five seconds that the driver waits for a lock.
            await asyncio.wait_for(asyncio.gather(write(), play()), 4)
            await beside.close()

    asyncio.run(run())
