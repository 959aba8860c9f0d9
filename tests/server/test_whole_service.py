"""The whole service beside a model: whatever people do, and wherever the process ends, everything is as it should be."""

import asyncio
from collections import Counter
from pathlib import Path

import pytest

from server.services import seeded_secrets, service
from server.strolls import GUEST_MONEY, Stroll
from store.databases import new_postgres

Ending = tuple[list[tuple[object, ...]], dict[str, int]]


def stroll(folder: Path, seed: int, steps: int, url: str | None = None) -> tuple[Counter[str], Ending]:
    """One walk; what it has seen, and how it ends."""

    async def work() -> tuple[Counter[str], Ending]:
        async with service(folder, url, guest_money=GUEST_MONEY) as at:
            walk = Stroll(at, seed)
            await walk.begin()
            for _ in range(steps):
                await walk.step()
            await walk.end()
            assert await at.problems() == []
            return walk.seen, (await at.rows(), await at.accounts())

    with seeded_secrets(seed):
        return asyncio.run(work())


@pytest.mark.parametrize("seed", range(4))
def test_a_walk_through_the_service_is_as_the_model_says(seed: int, tmp_path: Path) -> None:
    stroll(tmp_path, seed, 250)
