"""A process that keeps a record is killed with SIGKILL, again and again: nothing acknowledged is lost or doubled."""

import asyncio

from store.crashes import Aftermath, Crashes
from store.databases import Place

CYCLES = 20


def after(crashes: Crashes) -> Aftermath:
    return asyncio.run(crashes.examined())


def test_nothing_acknowledged_is_lost_or_doubled(place: Place) -> None:
    crashes = Crashes(place, seed=1)
    for _ in range(CYCLES):
        crashes.live_and_die()
    crashes.live_in_peace()
    aftermath = after(crashes)
    assert aftermath.lost == []
    assert crashes.answered_otherwise == []
    assert aftermath.found.problems == []
    # All that was ever asked has been answered, and the record holds nothing that nobody asked for.
    assert not crashes.unanswered()
    asked = {key for key in aftermath.found.commands if key[0] != "record"}  # The roster is the record's own.
    assert asked == crashes.acknowledged.keys()
    # It was a load worth killing: rounds were settled, and commands were under way when the kill came.
    assert aftermath.settled > 0
    assert crashes.retried > 0
    assert len(crashes.acknowledged) > 10 * CYCLES


def test_a_record_that_acknowledges_before_it_commits_is_caught(place: Place) -> None:
    crashes = Crashes(place, seed=2, acknowledges_early=True)
    for _ in range(CYCLES):
        crashes.live_and_die()
        if after(crashes).lost:
            return
    raise AssertionError("no acknowledged command was lost")
