"""The progress of long commands: one set of columns, in which the bar gives way and the figures stay whole."""

import io
import re
import sys

import pytest

from puntobanco import find_game
from puntobanco.cli import main, simulate_run
from puntobanco.cli.progress import progress
from puntobanco.odds import odds
from puntobanco.simulate import Tally, prepare
from puntobanco.strategies.sessions import SessionStudy

WIDTHS = [44, 60, 80, 120]


class Terminal(io.StringIO):
    """Standard error where somebody watches."""

    def isatty(self) -> bool:
        return True

    @property
    def lines(self) -> list[str]:
        return re.sub(r"\x1b\[[?0-9;]*[A-Za-z]", "", self.getvalue()).replace("\r", "\n").splitlines()


def watched(monkeypatch: pytest.MonkeyPatch, width: int = 80) -> Terminal:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("TERM", "xterm")
    return terminal


@pytest.mark.parametrize("width", WIDTHS)
def test_the_line_fits_and_its_figures_stay_whole(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = watched(monkeypatch, width)
    with progress("sessions", 1_000_000_000) as step:
        step()
    assert max(map(len, terminal.lines)) <= width
    assert any(re.match(r"sessions .*━* +1/1,000,000,000 -:--:--", line) for line in terminal.lines), terminal.lines


@pytest.mark.parametrize("width", WIDTHS)
def test_a_simulation_has_the_same_line_above_its_estimates(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    game, wanted = find_game("fortune-six-tournament"), 30_000_000
    terminal = watched(monkeypatch, width)
    monkeypatch.setattr(simulate_run, "SECONDS_UNWATCHED", -1.0)

    def counted(job: object, first: int, shoes: int, threads: int | None = None) -> Tally:
        return Tally(game, 11_918_876, 953_510_080, {}) if first == 0 else Tally(game, wanted - first, 0, {})

    monkeypatch.setattr(simulate_run, "tally", counted)
    simulate_run.Simulation(prepare(game, 1), odds(game)).deal_until(wanted)
    lines = terminal.lines
    assert max(map(len, lines)) <= width
    assert any(re.match(r"shoes ━+.* 11,918,876/30,000,000 -:--:--", line) for line in lines), lines
    assert any(re.match(r"953,510,080 rounds, [0-9,.]+", line) for line in lines), lines


def test_systems_count_sessions_and_not_what_they_are_played_in(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = watched(monkeypatch)
    monkeypatch.setattr(SessionStudy, "pieces", lambda self, sessions: [7, sessions - 7])
    assert main(["systems", "manila", "--system", "flat", "--sessions", "1200", "--rounds", "3"]) == 0
    assert any("1,200/1,200" in line for line in terminal.lines), terminal.lines


def test_each_tenth_is_told_once_where_nobody_watches(capsys: pytest.CaptureFixture[str]) -> None:
    with progress("shoes", 1_000, wanted=True) as step:
        for _ in range(8):
            step(125)
    told = capsys.readouterr().err.splitlines()
    assert told == [f"shoes: {done:,} of 1,000" for done in range(125, 1_001, 125)]
