"""Long walks through a record: the money is that of the rulings, and one seed ends alike on every database."""

import asyncio
from collections import Counter
from functools import cache

import pytest

from puntobanco.store.audit import Findings, audit
from store.databases import Place
from store.houses import KEYS
from store.in_memory import InMemory, Store
from store.wandering import STEPS, Ending, Wanderer

SEEDS = (10, 30, 17, 2)
"""The first ones come past what is rare: a patron who owes takes a stake back at another table, or wins there."""
STEPS_OF_A_WALK = 500


@cache
def in_memory(seed: int) -> tuple[Ending, Counter[str]]:
    store = Store()
    wanderer = Wanderer(lambda: InMemory(store), seed)
    return asyncio.run(wanderer.walk(STEPS_OF_A_WALK)), wanderer.seen


async def audited(place: Place) -> Findings:
    database = place.database()
    await database.start()
    try:
        return await audit(database, KEYS)
    finally:
        await database.close()


@pytest.mark.parametrize("seed", SEEDS[:2])
def test_a_walk_ends_alike_on_every_database(seed: int, place: Place) -> None:
    walked = asyncio.run(Wanderer(place.database, seed).walk(STEPS_OF_A_WALK))
    assert walked == in_memory(seed)[0]
    assert asyncio.run(audited(place)).problems == []


def test_walks_differ_by_their_seeds() -> None:
    assert len({in_memory(seed)[0].answers for seed in SEEDS}) == len(SEEDS)


@pytest.mark.parametrize(
    "what",
    [
        "settled",
        "voided in the round",
        "voided after it was settled",
        "corrected after it was settled",
        "taken back and owed",
        "owed and bought in",
        "owed and won",
        "owed and not lost",
        "owed and void",
        "owed and withdrawn",
        "owed and changed",
        "owed and adjusted",
        "owed and made good",
        "owes",
        "insufficient-funds",
        "changed",
        "adjusted",
        "not-exchanged",
        "two-people",
        "bad-rate",
        "asked together",
        "retry",
        "id-reused",
        "conflict",
        *[f"crash {moment} {step}" for step in STEPS for moment in ("before", "after")],
    ],
)
def test_the_walks_come_past_everything_that_they_are_there_to_see(what: str) -> None:
    assert sum(in_memory(seed)[1][what] for seed in SEEDS) > 0
