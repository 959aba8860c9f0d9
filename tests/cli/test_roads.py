"""The command `puntobanco roads`: what it reads, what it prints, and that it fits the terminal."""

import argparse
import io
import json
import random
import re
import subprocess
import sys

import pytest

from puntobanco.cli import roads as command
from puntobanco.errors import InputError
from puntobanco.roads import NO_PREDICTION, RoadSettings, as_json, parse_results, roads


@pytest.fixture(autouse=True)
def _plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "xterm-256color")


def call(*words: str) -> int:
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    return command.run(parser.parse_args(words))


def random_shoe(rounds: int) -> str:
    return "".join(random.Random(rounds).choices("BPT", (46, 44, 10), k=rounds))


def panel(output: str, name: str) -> list[str]:
    """The rows drawn below a title that stands alone on its line."""
    lines = output.splitlines()
    first = next(number for number, line in enumerate(lines) if re.fullmatch(rf"{name}(  \(.*\))?", line)) + 1
    return lines[first : lines.index("", first)]


def test_json_is_that_of_the_roads(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("BBPTP", "--json") == 0
    assert json.loads(capsys.readouterr().out) == as_json(roads(parse_results("BBPTP")))


def test_json_follows_the_settings(capsys: pytest.CaptureFixture[str]) -> None:
    letters = "T" + "B" * 9 + "P" * 10
    assert call(letters, "--json", "--leading-tie", "own-column", "--tail", "drop") == 0
    found = json.loads(capsys.readouterr().out)
    assert found == as_json(roads(parse_results(letters), RoadSettings(leading_tie="own-column", tail="drop")))
    assert found != as_json(roads(parse_results(letters), RoadSettings(leading_tie="own-column")))
    assert found != as_json(roads(parse_results(letters), RoadSettings(tail="drop")))


@pytest.mark.parametrize("words", [("-",), ("--stdin",), ("-", "--stdin")])
@pytest.mark.parametrize("text", ["BBP\nT\n", "\n".join(f'{{"winner": "{letter}"}}' for letter in "BBPT")])
def test_standard_input_takes_letters_and_json_lines(
    words: tuple[str, ...], text: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    assert call(*words, "--json") == 0
    assert json.loads(capsys.readouterr().out) == as_json(roads(parse_results("BBPT")))


@pytest.mark.parametrize(
    ("words", "reason", "message"),
    [
        ((), "no-results", "Give the results, such as BBPTP"),
        (("BBP", "--stdin"), "two-inputs", "not both"),
        (("BBX",), "unreadable-results", "'X' at position 3"),
        (('{"winner": 1}',), "unreadable-results", "Line 1 of the results: winner is 1"),
    ],
)
def test_bad_input_is_one_sentence_with_a_reason(words: tuple[str, ...], reason: str, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)) as caught:
        call(*words)
    assert caught.value.reason == reason
    assert "\n" not in caught.value.message


def test_standard_input_that_is_not_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"BB\xff"), encoding="utf-8"))
    with pytest.raises(InputError, match="not text in UTF-8"):
        call("-")


@pytest.mark.parametrize("words", [("B", "--tail", "curl"), ("B", "--leading-tie", "never"), ("B", "P")])
def test_wrong_options_are_bad_usage(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        call(*words)
    assert caught.value.code == 2
    assert "error:" in capsys.readouterr().err


def test_example_in_the_help_runs(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.EXAMPLE.startswith("puntobanco roads ")
    assert call(*command.EXAMPLE.split()[2:]) == 0
    assert command.HELP
    assert "Bead Plate" in capsys.readouterr().out


def test_drawing_of_a_short_shoe(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("BBPTPPBBBP") == 0
    assert (
        capsys.readouterr().out
        == """\
Bead Plate   Big Road
 B  B        B P1B P
 B  B        B P B ·
 P  B        · P B ·
 T  P        · · · ·
 P  ·        · · · ·
 P  ·        · · · ·

Big Eye Boy   Small Road   Cockroach Pig
○ ◦ ○         ● •          no marks yet
  ◦ ○           •
    ○

If Banker wins next: Big Eye Boy ◦, Small Road •, Cockroach Pig \\
If Player wins next: Big Eye Boy ○, Small Road ●, Cockroach Pig /

10 rounds: Banker 5, Player 4, Tie 1.
B Banker, P Player, T Tie; a number on the Big Road counts ties.
On the derived roads red ○ ● / keeps a pattern, blue ◦ • \\ breaks it.
Roads record what has happened; they do not predict the next round.
"""
    )


def test_pairs_are_drawn_and_counted(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [
        {"winner": "banker", "banker_pair": True},
        {"winner": "player", "player_pair": True},
        {"winner": "tie", "banker_pair": True, "player_pair": True},
        {"winner": "banker"},
    ]
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(map(json.dumps, lines))))
    assert call("-") == 0
    output = capsys.readouterr().out
    assert [line[:3] for line in output.splitlines()[1:5]] == ["'B ", " P.", "'T.", " B "]
    assert "4 rounds: Banker 2, Player 1, Tie 1, Banker pair 2, Player pair 2." in output
    assert "' is a Banker pair and . a Player pair" in output


def test_letters_claim_nothing_of_pairs(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("BBP") == 0
    assert "pair" not in capsys.readouterr().out


def test_many_ties_on_one_cell_keep_the_grid(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("B" + "T" * 9 + "P" + "T" * 10 + "B") == 0
    assert capsys.readouterr().out.splitlines()[1].endswith("B9P+B")


@pytest.mark.parametrize(
    ("letters", "words", "expected"),
    [
        ("", (), ["no rounds yet", "no winner yet", "no marks yet", "0 rounds: Banker 0, Player 0, Tie 0."]),
        ("T", (), ["no winner yet", "The first winner will carry the 1 tie on the Big Road.", "1 round: "]),
        ("TT", (), ["no winner yet", "The first winner will carry the 2 ties on the Big Road."]),
        ("TTB", ("--leading-tie", "own-column"), ["T2B"]),
        ("B", (), ["Big Eye Boy none, Small Road none, Cockroach Pig none"]),
    ],
)
def test_a_shoe_that_has_hardly_begun(
    letters: str, words: tuple[str, ...], expected: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(letters, *words) == 0
    output = capsys.readouterr().out
    for text in [*expected, NO_PREDICTION]:
        assert text in output


@pytest.mark.parametrize("width", [1, 10, 40, 80, 120, 200])
@pytest.mark.parametrize("rounds", [5, 80, 400])
def test_drawing_keeps_within_the_terminal(
    width: int, rounds: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    assert call(random_shoe(rounds)) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= width
    assert not any(line.endswith(" ") for line in lines if width >= 80)


def test_a_wide_shoe_shows_its_latest_columns_and_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    letters = "P" * 30 + "BP" * 60 + "BBB"
    assert call(letters) == 0
    narrow = capsys.readouterr().out
    monkeypatch.setenv("COLUMNS", "1000")
    assert call(letters) == 0
    wide = capsys.readouterr().out
    columns = max(cell.column for cell in roads(parse_results(letters)).big_road.cells) + 1
    assert f"Big Road  (latest 40 of {columns} columns)" in narrow
    assert "latest" not in wide
    assert panel(narrow, "Big Road")[:3] == ["P B " * 19 + "P B", "· " * 39 + "B", "· " * 39 + "B"]


def test_colours_add_to_the_letters_and_shapes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("BBPTPPBBBP") == 0
    plain = capsys.readouterr().out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert call("BBPTPPBBBP") == 0
    coloured = capsys.readouterr().out
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain
    # Red and blue letters, red and blue marks, and the three beads.
    for piece in ("1;31mB", "1;94mP", "1;32m1", "1;31m○", "1;94m◦", "1;37;41mB", "1;37;44mP", "1;37;42mT"):
        assert f"\x1b[{piece}\x1b[0m" in coloured


def test_plain_characters_where_the_terminal_has_no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii", write_through=True))
    assert call("BBPTPPBBBP") == 0
    output = raw.getvalue().decode("ascii")
    assert "red O @ / keeps a pattern, blue o * \\ breaks it" in output
    assert "O o O         @ *" in output
    assert "B P1B P\n" in output


def test_nothing_but_drawing_loads_the_drawing_library() -> None:
    program = (
        "import argparse, sys; from puntobanco.cli import roads; parser = argparse.ArgumentParser();"
        "roads.add_arguments(parser); roads.run(parser.parse_args(['BBP', '--json']));"
        "sys.exit('rich' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], check=False, stdout=subprocess.DEVNULL)
    assert done.returncode == 0
