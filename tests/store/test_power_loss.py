"""The power fails at any moment: no acknowledged commit is lost, and the file is never corrupt."""

import asyncio
from pathlib import Path
from random import Random

import pytest

from store.power_losses import Verdict, judge, play, states
from store.simulated_disk import SECTOR, Contents, Create, Delete, Operation, Platter, Sync, Truncate, Write

STATES = 2_000
ROUNDS = 24


def verdict(folder: Path, synchronous: str, count: int) -> Verdict:
    session = asyncio.run(play(folder, ROUNDS, synchronous))
    assert len(session.contents) > 200, "a few hundred commits"
    return asyncio.run(judge(session, states(session, count, seed=1), folder / "after"))


def test_no_acknowledged_commit_is_lost_when_the_power_fails(tmp_path: Path) -> None:
    found = verdict(tmp_path, "FULL", STATES)
    assert found.states == STATES
    assert found.corrupt == []
    assert (found.lost, found.unknown) == (0, 0)
    # The states are not all alike: many moments of the session came back.
    assert len(found.opened) > 150


def test_without_a_sync_at_every_commit_acknowledged_ones_are_lost(tmp_path: Path) -> None:
    """NORMAL, which kill -9 cannot tell from FULL."""
    found = verdict(tmp_path, "NORMAL", STATES // 5)
    assert found.lost > STATES // 5 // 10
    assert (found.corrupt, found.unknown) == ([], 0)


def test_without_any_sync_the_file_is_corrupted(tmp_path: Path) -> None:
    """The disk is as bad as it says: with OFF it damages the file."""
    found = verdict(tmp_path, "OFF", STATES // 5)
    assert found.corrupt


def possible(*operations: Operation) -> set[frozenset[tuple[str, bytes]]]:
    """All states that a power loss was seen to leave after these operations."""
    platter = Platter({"old": Contents(b"o" * SECTOR)}, {"old": Contents(b"o" * SECTOR)})
    for operation in operations:
        platter.apply(operation)
    random = Random(1)
    return {frozenset(platter.after_a_power_loss(random).items()) for _ in range(300)}


OLD = ("old", b"o" * SECTOR)
CHANGED = ("old", b"n" * SECTOR)


@pytest.mark.parametrize(
    ("operations", "left"),
    [
        ([], [[OLD]]),
        ([Write("old", 0, b"n" * SECTOR)], [[OLD], [CHANGED]]),
        ([Write("old", 0, b"n" * SECTOR), Sync("old")], [[CHANGED]]),
        # A write that was done later may be on the disk without the one before it, but not within a sector.
        (
            [Write("old", 0, b"n" * SECTOR), Write("old", 0, b"m")],
            [[OLD], [CHANGED], [("old", b"m" + b"n" * (SECTOR - 1))]],
        ),
        (
            [
                Truncate("old", 2 * SECTOR),
                Sync("old"),
                Write("old", 0, b"1" * SECTOR),
                Write("old", SECTOR, b"2" * SECTOR),
            ],
            [[("old", first * SECTOR + second * SECTOR)] for first in (b"o", b"1") for second in (b"\0", b"2")],
        ),
        ([Truncate("old", 9)], [[OLD], [("old", b"o" * 9)]]),
        # Names are as sure as the folder.
        ([Create("new")], [[OLD], [OLD, ("new", b"")]]),
        ([Create("new"), Sync("new")], [[OLD, ("new", b"")]]),
        ([Delete("old", False)], [[OLD], []]),
        ([Delete("old", True)], [[]]),
        ([Delete("old", False), Create("new"), Sync("new")], [[("new", b"")]]),
        ([Delete("old", False), Create("old"), Write("old", 0, b"x")], [[OLD], [("old", b"")], [("old", b"x")]]),
    ],
)
def test_the_disk_keeps_what_was_synced_and_may_lose_the_rest(
    operations: list[Operation], left: list[list[tuple[str, bytes]]]
) -> None:
    assert possible(*operations) == {frozenset(files) for files in left}
