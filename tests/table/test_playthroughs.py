"""The transcripts in playthroughs/ are what the tables do today, line for line.

To make them anew after a change that is meant: UPDATE_PLAYTHROUGHS=1 scripts/test tests/table/test_playthroughs.py
"""

import os
from pathlib import Path

import pytest

from puntobanco import GAMES, Game
from table.case_files import read_cases, run
from table.playthrough import Playthrough

FOLDER = Path(__file__).parent / "playthroughs"
HOW_TO_UPDATE = """
differs from what the table does now. If the change is meant, make the transcripts anew with
    UPDATE_PLAYTHROUGHS=1 scripts/test tests/table/test_playthroughs.py
and review the difference."""


def path_of(game: Game) -> Path:
    return FOLDER / f"{game.id}.txt"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_transcript_is_up_to_date(game: Game) -> None:
    transcript = Playthrough(game).transcript()
    if os.environ.get("UPDATE_PLAYTHROUGHS"):
        path_of(game).write_text(transcript, encoding="utf-8", newline="\n")
    stored = path_of(game).read_text(encoding="utf-8") if path_of(game).is_file() else ""
    assert transcript.splitlines() == stored.splitlines(), f"{path_of(game).name} {HOW_TO_UPDATE}"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_transcript_reads_as_a_case(game: Game) -> None:
    """The stored text, read back line by line, is true of a table."""
    (case,) = read_cases(path_of(game))
    assert len(case.lines) > 12 * 8
    run(case)


def test_no_transcript_is_left_over() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == {game.id for game in GAMES}
