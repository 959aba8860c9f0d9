"""The whole service beside a model: whatever people do, and wherever the process ends, all is as it should be."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from server.services import seeded_secrets, seldom_looked_after, service
from server.strolls import GUEST_MONEY, Stroll
from store.databases import new_postgres

SEEDS = (2, 3, 5)
STEPS = 220
WORTH_SEEING = (
    *("staked", "at once", "said again", "id used again", "not allowed", "came back", "snapshot", "rested"),
    *("crashed", "crashed at a step", "read from the log", "committed", "revealed", "the same person twice"),
    *("approved void", "approved correct", "paid after round-settled", "paid after round-voided"),
    *("card-taken-back", "cut-card-appeared", "shoe verified", "tried deal", "tried burn", "tried undo-card"),
    *("refused: late-wager", "refused: late-increase", "refused: late-withdrawal", "refused: paused"),
    *("refused: insufficient-funds", "refused: not-this-round", "refused: below-minimum", "refused: off-step"),
)
"""What the walks together must have come across; else they prove nothing about it."""

Ending = tuple[list[tuple[Any, ...]], dict[str, int]]


@pytest.fixture(autouse=True, scope="module")
def _quickly() -> Iterator[None]:
    with seldom_looked_after():
        yield


def stroll(folder: Path, seed: int, steps: int, url: str | None = None) -> tuple[Counter[str], Ending]:
    """One walk; what it has come across, and how it ends."""

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


def test_walks_through_the_service_are_as_the_model_says(tmp_path: Path) -> None:
    seen = Counter[str]()
    for seed in SEEDS:
        seen += stroll(tmp_path / str(seed), seed, STEPS)[0]
    assert [each for each in WORTH_SEEING if not seen[each]] == []


def test_a_walk_on_postgresql_is_as_the_model_says(tmp_path: Path) -> None:
    stroll(tmp_path, 7, 120, new_postgres())


def test_the_same_seed_ends_the_same(tmp_path: Path) -> None:
    """Crashes, retries and messages at one moment included: the log to its last byte, and every account."""
    (_, first), (_, second) = (stroll(tmp_path / name, 11, 80) for name in ("first", "second"))
    assert first == second
