"""`kill -9` of the whole server while patrons play over the network."""

import asyncio
from pathlib import Path

from server.kills import Kills, Left
from store.databases import new_postgres

CYCLES, CYCLES_OF_SEVERAL = 20, 6


def test_a_killed_server_comes_back_with_all_that_it_had_acknowledged(tmp_path: Path) -> None:
    kills = Kills(tmp_path, seed=1)

    async def lives() -> Left:
        try:
            await kills.start()
            for _ in range(CYCLES):
                await kills.cycle()
            return await kills.end()
        finally:
            kills.abandon()

    left = asyncio.run(lives())
    assert left == Left([], [], [], [], [])
    assert kills.told.wrong == []
    assert len(kills.told.acknowledged) > CYCLES
    assert kills.told.snapshots > CYCLES
    # How soon it is back is measured by bench/kill_server.py: beside other tests no time is certain.


def test_one_of_several_killed_or_stopped_loses_nothing(tmp_path: Path) -> None:
    """Patrons play on by the others, and by the one that died once it is back, at the same table."""
    kills = Kills(tmp_path, seed=2, processes=2, url=new_postgres())

    async def lives() -> Left:
        try:
            await kills.start()
            for _ in range(CYCLES_OF_SEVERAL):
                await kills.cycle()
            return await kills.end()
        finally:
            kills.abandon()

    left = asyncio.run(lives())
    assert left == Left([], [], [], [], [])
    assert kills.told.wrong == []
    assert len(kills.told.acknowledged) > CYCLES_OF_SEVERAL
