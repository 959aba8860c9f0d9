"""The table in a real terminal of 80 x 24: what is on the screen at each prompt.

A transcript in transcripts/screens has the call, each line that is typed, and between them the screen as a person
sees it. To change one, edit its lines and run these tests with REWRITE_TRANSCRIPTS=1; the difference is for a
reviewer to read.
"""

import os
import re
from pathlib import Path

import pytest

from cli.screen_model import ScreenModel
from cli.test_play import Terminal, terminal
from puntobanco.cli.playing.patron_words import short_names
from puntobanco.games import GAMES
from puntobanco.rules.game import Game
from puntobanco.table import TableSettings

TRANSCRIPTS = Path(__file__).parent / "transcripts" / "screens"
NAMES = sorted(path.stem for path in TRANSCRIPTS.glob("*.txt"))
TYPED = "====> "


@pytest.fixture(autouse=True)
def _plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE", "COLUMNS", "LINES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")


class Watched:
    """A terminal and what is seen on it."""

    def __init__(self, table: Terminal, columns: int, lines: int) -> None:
        self.table = table
        self.model = ScreenModel(columns, lines)
        self.written = 0

    def at_prompt(self) -> str:
        """The screen once the table waits for a line."""
        self.table.wait_for("> ")
        # The prompt is the last that is said, and the terminal may still be on its way to it.
        while not self.table.text.endswith("> "):
            self.table.wait_for("> ")
        self.model.write(self.table.said[self.written :])
        self.written = len(self.table.said)
        return str(self.model).rstrip("\n")

    def after(self, line: str) -> str:
        self.table.type(f"{line}\n")
        return self.at_prompt()


def screens(arguments: list[str], typed: list[str], columns: int = 80, lines: int = 24) -> list[str]:
    """The screen at each prompt: at the first one, and after each line."""
    with terminal(*arguments, "--fast", columns=columns, lines=lines) as table:
        watched = Watched(table, columns, lines)
        return [watched.at_prompt(), *map(watched.after, typed)]


@pytest.mark.parametrize("name", NAMES)
def test_screens(name: str) -> None:
    path = TRANSCRIPTS / f"{name}.txt"
    expected = path.read_text(encoding="utf-8")
    call, *shown = expected.splitlines()
    setting = re.fullmatch(r"\$ puntobanco play (.*) \((\d+) x (\d+)\)", call)
    assert setting is not None, f"{name} begins with a call of the command and a size"
    typed = [line.removeprefix(TYPED.rstrip()).removeprefix(" ") for line in shown if line.startswith(TYPED.rstrip())]
    seen = screens(setting[1].split(), typed, int(setting[2]), int(setting[3]))
    found = "\n".join(
        [call, seen[0], *(f"{(TYPED + line).rstrip()}\n{screen}" for line, screen in zip(typed, seen[1:], strict=True))]
    )
    if os.environ.get("REWRITE_TRANSCRIPTS"):
        path.write_text(f"{found}\n", encoding="utf-8")
    else:
        assert f"{found}\n" == expected


def test_every_game_has_screens() -> None:
    assert {game.id for game in GAMES} <= set(NAMES)


def every_spot(game: Game) -> str:
    limits = TableSettings(game).limits
    return " ".join(f"{short} {limits[wager].minimum}" for wager, short in short_names(game).items())


@pytest.mark.parametrize("seed", range(1, 4))
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_the_round_is_in_sight_at_the_next_prompt(game: Game, seed: int) -> None:
    _, placed, *rounds = screens([game.id, "--seed", str(seed)], [every_spot(game), "", "repeat", ""])
    assert f"On the felt {sum(limits.minimum for limits in TableSettings(game).limits.values()):,}." in placed
    for screen, number in zip((rounds[0], rounds[2]), (2, 3), strict=True):
        lines = screen.splitlines()
        assert re.match(r"\s+(╭──╮)+", next(line for line in lines if "Player" not in line and "╭──╮" in line))
        assert re.search(r"^Player \d, Banker \d: .* \[", screen, re.MULTILINE)
        for wager in game.paytables.values():
            assert re.search(rf"^  {wager.name} +[0-9,]+  (lost|push|wins)", screen, re.MULTILINE), screen
        assert re.search(r"^Net .*, balance", screen, re.MULTILINE)
        assert f"Round {number}, shoe 1" in screen
        assert lines[-1] == ">"
    # The stakes for the next round do not take the one before out of sight.
    assert re.search(r"^Player \d, Banker \d: .* \[", rounds[1], re.MULTILINE)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_help_and_rules_are_not_scrolled_away(game: Game) -> None:
    _, helped, ruled, rest = screens([game.id, "--seed", "1"], ["help", "rules", ""])
    assert "make the stake on" in helped
    assert "In brackets stands the clause of the rule document." in helped
    assert re.search(r"^wager +when +pays +clause$", ruled, re.MULTILINE)
    assert "The first line that holds decides" in (rest if "Enter shows the rest" in ruled else ruled)


def test_a_line_typed_where_the_rest_is_offered_is_done_instead() -> None:
    *_, ruled, placed = screens(["fabulous-4", "--seed", "1"], ["rules", "b 200"])
    assert ruled.endswith("\nEnter shows the rest >")
    assert "On the felt 200. Balance 19,800." in placed


def test_stakes_are_seen_even_where_there_is_no_room_for_a_felt() -> None:
    *_, rest = screens(["fabulous-4", "--seed", "1"], ["b 200", "rules", ""])
    assert rest.splitlines()[-3] == "ppp  t  bpp │ pf4  bf4 │ p  b 200"


def test_all_five_roads_where_there_is_room() -> None:
    *_, wide = screens(["manila", "--seed", "1"], ["", "", "", ""], columns=120, lines=40)
    *_, high = screens(["manila", "--seed", "1"], ["", "", "", ""], columns=80, lines=50)
    *_, usual = screens(["manila", "--seed", "1"], ["", "", "", ""])
    names = ("Bead Plate", "Big Road", "Big Eye Boy", "Small Road", "Cockroach Pig")
    assert re.search(" +".join(names), wide)
    assert re.search(f"{names[0]} +{names[1]}\n(.*\n){{7}}{' +'.join(names[2:])}", high)
    assert "Bead Plate" not in usual
    for screen in (wide, high):
        assert "╭──╮" in screen
        assert "19:20" in screen


@pytest.mark.parametrize("lines", [20, 15])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_a_low_terminal_still_has_the_result_and_every_wager(game: Game, lines: int) -> None:
    *_, screen = screens([game.id, "--seed", "1"], [every_spot(game), ""], columns=60, lines=lines)
    assert re.search(r"^  Player \d │.*│ +Banker \d │.*│$", screen, re.MULTILINE), screen
    assert re.search(r"^Player \d, Banker \d: ", screen, re.MULTILINE), screen
    unwrapped = " ".join(screen.split())
    for wager in game.paytables.values():
        assert re.search(rf"{wager.name} [0-9,]+", unwrapped), screen
    assert "Net " in screen
