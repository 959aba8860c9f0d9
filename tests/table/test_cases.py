"""Every case of every file in cases/: the rules of a round as tables of text."""

import re
from pathlib import Path

import pytest

from puntobanco import GAMES, Game
from puntobanco.table import Irregularity, Reason
from table.case_files import Case, read_cases, run

FILES = sorted((Path(__file__).parent / "cases").glob("*.txt"))
CASES = [case for path in FILES for case in read_cases(path)]
LINES = [line for case in CASES for _, line in case.lines]
REFUSED = {match[1] for line in LINES if (match := re.search(r"-> refused (\S+)", line))}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case) -> None:
    run(case)


def test_titles_are_different() -> None:
    titles = [str(case) for case in CASES]
    assert sorted(titles) == sorted(set(titles))


@pytest.mark.parametrize("reason", [each for each in Reason if each > Reason.NO_TABLE], ids=lambda each: each.code)
def test_every_reason_has_a_case(reason: Reason) -> None:
    assert reason.code in REFUSED, f"no file in cases/ has a command that is refused for {reason.code}"


@pytest.mark.parametrize("irregularity", Irregularity)
@pytest.mark.parametrize("outcome", ["round", "refused"])
def test_every_irregularity_is_allowed_and_refused(irregularity: Irregularity, outcome: str) -> None:
    assert any(re.search(rf"void {irregularity} .*-> {outcome} ", line) for line in LINES)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_every_game_has_a_case(game: Game) -> None:
    assert any(line.split()[:2] == ["table", game.id] for line in LINES)
