"""`puntobanco removal`: effects of removal for people, for programs and as a drawing."""

import csv
import io
import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from command_line import COLOURED, PLAIN, call, one_sentence
from puntobanco import GAMES, Game, Shoe, find_game
from puntobanco.odds import odds

# Wizard of Odds, counting Lucky 6 at 12 and 23 to 1, eight decks: ten-valued cards, then ace to nine.
LUCKY_SIX_EFFECTS = "-0.000611 -0.000329 -0.000323 -0.001131 -0.000393 -0.000278 -0.005386 0.003907 0.003537 0.002838"
LUCKY_SIX = """
[[wager]]
id = "lucky-six"
name = "Lucky 6"
lines = [
    { label = "two cards", pays = "12:1", when = { winner = "banker", banker_total = 6, banker_cards = 2 } },
    { label = "three cards", pays = "23:1", when = { winner = "banker", banker_total = 6, banker_cards = 3 } },
]
"""
# A public table of effects on the Tie at 8 to 1, eight decks, in percent of the stake.
TIE_EFFECTS = "0.05129 0.01293 -0.02392 -0.02141 -0.02924 -0.02644 -0.11595 -0.10914 0.06543 0.0426"
SIGNATURES = {".png": b"\x89PNG\r\n\x1a\n", ".svg": b"<?xml", ".pdf": b"%PDF-"}


def as_json(*arguments: str) -> Any:
    called = call("removal", *arguments, "--json")
    assert (called.code, called.err) == (0, "")
    return json.loads(called.out)


def by_points(effects: dict[str, Any]) -> list[float]:
    """The effects of a ten-valued card and of ace to nine; all cards of the same points must agree."""
    found: list[float] = []
    for ranks in ("TJQK", *"A23456789"):
        exact = {effects[rank + suit]["effect"] for rank in ranks for suit in "cdhs"}
        assert len(exact) == 1
        found.append(float(Fraction(exact.pop())))
    return found


def test_published_effects_on_the_tie() -> None:
    effects = by_points(as_json("manila")["wagers"]["tie"]["effects"])
    for found, published in zip(effects, TIE_EFFECTS.split(), strict=True):
        decimals = len(published.partition(".")[2])
        assert round(found * 100, decimals) == float(published)


def test_published_effects_on_a_wager_of_ones_own(tmp_path: Path) -> None:
    own = tmp_path / "lucky.toml"
    own.write_text(LUCKY_SIX)
    effects = by_points(as_json("manila", "--wager-file", str(own))["wagers"]["lucky-six"]["effects"])
    assert [round(effect, 6) for effect in effects] == [float(effect) for effect in LUCKY_SIX_EFFECTS.split()]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_json_has_every_card_and_sums_to_zero(game: Game) -> None:
    decks = game.decks.minimum
    found = as_json(game.id, "--decks", str(decks))
    assert list(found) == ["game", "decks", "cards", "wagers", "provenance"]
    assert (found["game"], found["decks"], found["cards"]) == (game.id, decks, decks * len(game.pack))
    assert list(found["wagers"]) == list(game.paytables)
    for wager in found["wagers"].values():
        assert wager.keys() == {"ev", "ev_float", "effects"}
        assert list(wager["effects"]) == [str(card) for card in game.pack.cards]
        total = Fraction(0)
        for effect in wager["effects"].values():
            assert effect.keys() == {"count", "effect", "effect_float"}
            assert effect["effect_float"] == float(Fraction(effect["effect"]))
            total += effect["count"] * Fraction(effect["effect"])
        assert total == 0


def test_csv_is_the_same_as_json() -> None:
    found = as_json("fabulous-4")
    rows = list(csv.DictReader(io.StringIO(call("removal", "fabulous-4", "--csv").out)))
    assert len(rows) == 7 * 65
    for row in rows:
        wager = found["wagers"][row["wager"]]
        effect = wager["effects"][row["card"]]
        assert (row["effect"], row["count"], row["wager_ev"]) == (effect["effect"], "8", wager["ev"])
        assert float(row["effect_float"]) == effect["effect_float"]


def test_the_shoe_can_be_any(tmp_path: Path) -> None:
    assert as_json("manila", "--remove", "6 6")["cards"] == 414
    file = tmp_path / "shoe.json"
    file.write_text('{"Ah": 5, "9s": 4}')
    found = as_json("manila", "--shoe", str(file))
    assert found["decks"] is None
    assert list(found["wagers"]["tie"]["effects"]) == ["Ah", "9s"]
    file.write_text('{"Ah": 6}')
    assert "it needs at least 7" in one_sentence(call("removal", "manila", "--shoe", str(file)))


def test_cards_are_grouped_by_rank_where_suits_do_not_matter() -> None:
    out = call("removal", "manila").out
    rows = [line.split() for line in out.splitlines() if re.match(r"[A-Z0-9] +[-+\d]", line)]
    assert [row[0] for row in rows] == list("A23456789TJQK")
    assert [row[5].rstrip("░▒▓") for row in rows][5:8] == ["-0.1160", "-0.1091", "+0.0654"]
    assert rows[5][5].endswith("▓")
    assert "Suits:" not in out
    out = call("removal", "six-star").out
    labels = re.findall(r"^([A-Z0-9](?:f| gedw))  ", out, re.MULTILINE)
    assert labels == [rank + suits for rank in "A23456789TSLF" for suits in ("f", " gedw")]
    assert "Suits: f Fire, g Gold, e Earth, d Wood, w Water." in out


@pytest.mark.parametrize("width", [50, 80, 120])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_the_table_fits_the_width(game: Game, width: int) -> None:
    out = call("removal", game.id, environment={**PLAIN, "COLUMNS": str(width)}).out
    for line in out.splitlines():
        assert len(line) <= width
        assert line == line.rstrip()
    for wager in game.paytables.values():
        assert all(word in out for word in wager.name.split())


def test_shading_with_colour_and_without_blocks() -> None:
    plain = call("removal", "manila").out
    in_ascii = call("removal", "manila", encoding="ascii").out
    assert in_ascii.isascii()
    assert "-0.1160#" in in_ascii
    coloured = call("removal", "manila", environment=COLOURED).out
    assert re.search(r"\x1b\[48;5;\d+;38;5;\d+m-0\.1160\x1b\[0m", coloured)
    bare = re.sub(r"\x1b\[[\d;]*m", "", coloured)
    assert bare.split() == re.sub("[░▒▓]", "", plain).split()


@pytest.mark.parametrize("suffix", SIGNATURES)
def test_a_drawing_is_a_file_of_its_kind(suffix: str, tmp_path: Path) -> None:
    file = tmp_path / f"effects{suffix}"
    called = call("removal", "manila", "--plot", str(file))
    assert (called.code, called.err) == (0, "")
    assert f"The heat map is in {file}." in called.out
    drawn = file.read_bytes()
    assert drawn.startswith(SIGNATURES[suffix])
    assert len(drawn) > 10_000
    if suffix == ".png":
        width, height = (int.from_bytes(drawn[place : place + 4]) for place in (16, 20))
        assert (width, height) == (1600, 1220)
    # The same figures give the same file.
    again = tmp_path / f"again{suffix.upper()}"
    assert call("removal", "manila", "--plot", str(again), "--json").out.startswith("{")
    assert again.read_bytes() == drawn


@pytest.mark.parametrize(
    ("path", "code", "sentence"),
    [
        ("effects.gif", 2, "A drawing is a file that ends in .png, .svg, .pdf, not 'effects.gif'."),
        ("effects", 2, "A drawing is a file that ends in"),
        ("nowhere/effects.png", 1, "There is no folder 'nowhere' to draw in."),
        ("folder.png", 1, "'folder.png' cannot be written: Is a directory."),
    ],
)
def test_a_drawing_that_cannot_be_made(
    path: str, code: int, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "folder.png").mkdir()
    monkeypatch.chdir(tmp_path)
    called = call("removal", "manila", "--plot", path)
    assert sentence in one_sentence(called)
    assert called.code == code


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["six-star", "--decks", "3"], "4 to 10 decks (clause 2.1)"),
        (["six-star", "--remove", "6"], "name the suit"),
        (["six-star", "--json", "--csv"], "not allowed with"),
        (["sixstar"], "did you mean six-star?"),
    ],
)
def test_mistakes_are_one_sentence(arguments: list[str], sentence: str) -> None:
    called = call("removal", *arguments)
    assert sentence in one_sentence(called)
    assert called.code == 2


def test_fixed_bonuses_are_left_out_and_said_so_or_valued_at_a_stake() -> None:
    plain = call("removal", "six-star")
    assert "Fixed bonuses are left out: --stake N" in " ".join(plain.out.split())
    assert "Fixed bonuses" not in call("removal", "manila").out
    found = json.loads(call("removal", "six-star", "--stake", "100", "--json").out)
    assert found["stake"] == 100
    game = find_game("six-star")
    full, card = Shoe.full(game.pack, 8), game.pack.card("9f")
    expected = odds(game, full.without([card])).wagers["tie"].ev_at(100) - odds(game, full).wagers["tie"].ev_at(100)
    assert Fraction(found["wagers"]["tie"]["effects"]["9f"]["effect"]) == expected
    assert "Valued at a stake of 100" in call("removal", "six-star", "--stake", "100").out
