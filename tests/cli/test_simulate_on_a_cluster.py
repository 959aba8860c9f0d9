"""`puntobanco simulate --engine dask://..` on a cluster that is lost: what it had finished is printed."""

import json
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from command_line import call
from puntobanco import find_game
from puntobanco.cli.simulate_run import Simulation
from puntobanco.simulate import Tally, prepare, tally
from simulate.clusters import doomed_cluster, scheduler

MANY = "1000000000"
pytestmark = pytest.mark.filterwarnings("ignore:puntobanco was built without:RuntimeWarning")


def lose(monkeypatch: pytest.MonkeyPatch, lost: Callable[[], None]) -> None:
    """Call it as soon as a part of the shoes has been counted."""
    reach = Simulation._reach
    calls: list[int] = []

    def watched(self: Simulation, done: Tally, wanted: int) -> None:
        reach(self, done, wanted)
        if not calls:
            calls.append(done.shoes)
            lost()

    monkeypatch.setattr(Simulation, "_reach", watched)


@pytest.mark.parametrize("part", ["workers", "scheduler"])
def test_what_is_finished_is_printed_and_marked(part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with doomed_cluster(tmp_path) as doomed:
        lose(monkeypatch, doomed.kill_workers if part == "workers" else doomed.kill_scheduler)
        options = ("--engine", f"dask://{doomed.address}", "--wait", "1", "--seed", "3")
        called = call("simulate", "manila", "--shoes", MANY, *options, "--json")
    found = json.loads(called.out)
    assert (called.code, found["interrupted"]) == (130, True)
    counted = tally(prepare(find_game("manila"), 3), 0, found["shoes"])
    assert found["rounds"] == counted.rounds
    lines = called.err.splitlines()
    if part == "workers":
        waits, gives_up = lines
        assert waits.startswith("puntobanco: The cluster has lost all of its workers: waiting for 1 s at most.")
        assert "has lost all of its workers, and after 1 s that has not changed." in gives_up
    else:
        (gives_up,) = lines
        assert gives_up.startswith("puntobanco: The cluster was lost while it counted.")
    assert gives_up.endswith(f" What it had finished follows: {found['shoes']:,} of 1,000,000,000 shoes.")


def test_ctrl_c_while_it_waits_prints_what_is_finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    say = Simulation.say

    def interrupted(self: Simulation, sentence: str) -> None:
        say(self, sentence)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Simulation, "say", interrupted)
    with doomed_cluster(tmp_path) as doomed:
        lose(monkeypatch, doomed.kill_workers)
        called = call("simulate", "manila", "--shoes", MANY, "--engine", f"dask://{doomed.address}")
    assert called.code == 130
    assert " shoes, interrupted, " in called.out
    assert called.err.count("\n") == 1
    assert "waiting for 60 s at most. Ctrl-C ends it." in called.err


def test_a_cluster_that_never_has_workers_is_waited_for_as_long_as_asked() -> None:
    with scheduler() as address:
        called = call("simulate", "manila", "--shoes", "10", "--engine", f"dask://{address}", "--wait", "2")
    assert (called.code, called.out) == (1, "")
    assert called.err.splitlines() == [
        "puntobanco: The cluster has no workers: waiting for 2 s at most. Ctrl-C ends it.",
        "puntobanco: The cluster has no workers, and after 2 s that has not changed.",
    ]


def test_a_wait_without_a_cluster_is_refused() -> None:
    called = call("simulate", "manila", "--shoes", "10", "--wait", "5")
    assert (called.code, called.out) == (2, "")
    assert "--wait is for a cluster" in called.err
