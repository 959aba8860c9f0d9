"""What every result names, so that one that was filed is never mistaken for one by other rules."""

import csv
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from command_line import Called, call
from puntobanco import STANDARD_PACK, Shoe, __version__, find_game
from puntobanco.dealing import BurnAndCut, BurnRule
from puntobanco.provenance import Provenance, changed_readings, reading_in_words
from puntobanco.rulecard import document_line

GAME = find_game("manila").read_as(tableau="manila-as-printed")
READ_AS = ("--reading", "tableau=manila-as-printed")
DEAL = "P 9s Kd | B 3h 4h"
RULES = {
    "puntobanco": __version__,
    "game": "manila",
    "name": "Baccarat, City of Dreams Manila",
    "document": {
        "publisher": "City of Dreams Manila",
        "title": "Baccarat: Rules and Guidelines",
        "version": None,
        "effective": None,
    },
    "rules_digest": GAME.digest,
    "reading": {"tableau": "manila-as-printed", "rounding": "down"},
    "changed_readings": {"tableau": "manila-as-printed"},
}
AT_A_TABLE = {"burn": "by-first-card", "cut": 14}
COMMANDS: dict[str, tuple[tuple[str, ...], dict[str, object]]] = {
    "odds": (
        ("manila", *READ_AS, "--decks", "6", "--remove", "6 6h", "--seen", "P 9s ? | B ? ?"),
        {"decks": 6, "removed": ["6", "6h"], "seen": "P 9s ? | B ? ?"},
    ),
    "removal": (("manila", *READ_AS, "--remove", "Ks"), {"decks": 8, "removed": ["Ks"]}),
    "counting": (
        ("manila", "tie", *READ_AS, "--shoes", "2", "--seed", "5", "--cut", "20"),
        {"decks": 8, "burn": "by-first-card", "cut": 20, "seed": 5},
    ),
    "simulate": (
        ("manila", *READ_AS, "--shoes", "3", "--seed", "5", "--burn", "off", "--rounds-per-shoe", "9"),
        {"decks": 8, "burn": "off", "rounds_per_shoe": 9, "seed": 5},
    ),
    "systems": (
        ("manila", *READ_AS, "--system", "flat", "--rounds", "5", "--sessions", "9", "--seed", "5", "--decks", "6"),
        {"decks": 6, **AT_A_TABLE, "seed": 5},
    ),
    "rules": (("manila", *READ_AS), {}),
}


def called(*arguments: str) -> Called:
    found = call(*arguments)
    assert (found.code, found.err) == (0, "")
    return found


def data_of(*arguments: str) -> Any:
    return json.loads(called(*arguments, "--json").out)


@pytest.mark.parametrize("command", COMMANDS)
def test_json_names_everything_that_the_result_was_made_from(command: str) -> None:
    arguments, of_its_own = COMMANDS[command]
    assert data_of(command, *arguments)["provenance"] == RULES | of_its_own


def test_each_of_those_compared_names_its_own() -> None:
    compared = data_of("compare", "manila:tableau=manila-as-printed,decks=6", "six-star")["compared"]
    assert compared[0]["provenance"] == RULES | {"decks": 6}
    assert compared[1]["provenance"] == Provenance(find_game("six-star"), 8).as_json()
    assert compared[1]["provenance"]["document"]["effective"] == "2017-03-17"


@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_printed_names_document_digest_reading_and_version(command: str) -> None:
    arguments, _ = COMMANDS[command]
    printed = " ".join(called(command, *arguments).out.split())
    for part in (GAME.name, document_line(GAME), GAME.digest, reading_in_words(GAME), f"puntobanco {__version__}"):
        assert part in printed


def test_what_is_compared_names_each_document_digest_and_reading() -> None:
    printed = " ".join(called("compare", "manila:tableau=manila-as-printed", "six-star:rounding=up").out.split())
    for game in (GAME, find_game("six-star").read_as(rounding="up")):
        for part in (game.name, document_line(game), game.digest, reading_in_words(game)):
            assert part in printed


@pytest.mark.parametrize(
    ("arguments", "decks", "removed"),
    [
        (("odds", "manila", *READ_AS, "--remove", "6 6h"), "8", "6 6h"),
        (("removal", "manila", *READ_AS), "8", ""),
        (("compare", "manila:tableau=manila-as-printed", "manila:tableau=manila-as-printed,decks=6"), "8", ""),
    ],
)
def test_every_row_of_csv_names_it_too(arguments: tuple[str, ...], decks: str, removed: str) -> None:
    row, *others = csv.DictReader(io.StringIO(called(*arguments, "--csv").out))
    for each in (row, *others):
        assert each["puntobanco"] == __version__
        assert each["document"] == document_line(GAME)
        assert each["rules_digest"] == GAME.digest
        assert each["reading"] == "tableau=manila-as-printed rounding=down"
        assert each["removed"] == removed
    assert row["decks"] == decks


def test_a_shoe_that_was_given_card_by_card_is_named_card_by_card(tmp_path: Path) -> None:
    path = tmp_path / "shoe.json"
    path.write_text(json.dumps({"9s": 4, "Kd": 5, "3h": 6}))
    made = data_of("odds", "manila", "--shoe", str(path), "--remove", "Kd")["provenance"]
    assert "decks" not in made
    assert made["shoe"] == {"Kd": 5, "3h": 6, "9s": 4}
    assert made["removed"] == ["Kd"]


def test_a_parquet_file_says_what_it_holds(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "rounds.parquet"
    called("simulate", "manila", *READ_AS, "--shoes", "2", "--seed", "5", "--decks", "6", "--out", str(path))
    found = {name.decode(): value.decode() for name, value in parquet.read_schema(path).metadata.items()}
    named = {name.removeprefix("puntobanco."): value for name, value in found.items() if name.startswith("puntobanco.")}
    assert named.pop("version") == __version__
    assert named.pop("game") == "manila"
    assert named.pop("name") == GAME.name
    assert named.pop("rules_digest") == GAME.digest
    assert named.pop("burn") == "by-first-card"
    assert {name: json.loads(value) for name, value in named.items()} == {
        "document": RULES["document"],
        "reading": RULES["reading"],
        "changed_readings": RULES["changed_readings"],
        "decks": 6,
        "cut": 14,
        "seed": 5,
    }


def test_a_par_sheet_says_which_reading_is_not_the_default(tmp_path: Path) -> None:
    path = tmp_path / "sheet.html"
    called("parsheet", "manila", *READ_AS, "-o", str(path))
    assert reading_in_words(GAME) in path.read_text(encoding="utf-8")


def test_only_what_has_a_part_in_the_result_is_named() -> None:
    assert Provenance(GAME).as_json() == RULES
    made = Provenance(GAME, 6, Shoe.full(STANDARD_PACK, 1), ("6",), DEAL, BurnAndCut(BurnRule.OFF, 0), seed=0)
    every = made.as_json()
    assert list(every)[len(RULES) :] == ["decks", "shoe", "removed", "seen", "burn", "cut", "seed"]
    assert (every["cut"], every["seed"], every["burn"]) == (0, 0, "off")
    # The cut card is not looked at where every shoe has so many rounds.
    counted = replace(made, rounds_per_shoe=1).as_json()
    assert every.keys() ^ counted.keys() == {"cut", "rounds_per_shoe"}


def test_readings_that_are_the_default_are_not_called_changed() -> None:
    assert changed_readings(find_game("manila")) == []
    assert reading_in_words(find_game("manila")) == "tableau = standard, rounding = down"
    assert changed_readings(GAME.read_as(rounding="up")) == [("tableau", "manila-as-printed"), ("rounding", "up")]


def test_csv_gives_a_shoe_card_by_card(tmp_path: Path) -> None:
    path = tmp_path / "shoe.json"
    path.write_text(json.dumps({"9s": 4, "Kd": 5, "3h": 6}))
    for command in ("odds", "removal"):
        for row in csv.DictReader(io.StringIO(called(command, "manila", "--shoe", str(path), "--csv").out)):
            assert (row["decks"], row["shoe"]) == ("", "Kd=5 3h=6 9s=4")


@pytest.mark.parametrize(
    "arguments",
    [
        ("removal", "manila", *READ_AS, "--stake", "1500"),
        ("simulate", "manila", *READ_AS, "--shoes", "5"),
        ("counting", "manila", "tie", *READ_AS, "--shoes", "1", "--stake", "1500"),
        ("systems", "manila", *READ_AS, "--sessions", "20", "--rounds", "10"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_every_chart_names_document_digest_version_and_stake(arguments: tuple[str, ...], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "chart.svg"
    called(*arguments, "--plot", str(path))
    # Letters are drawn as outlines, and what they say stands in comments.
    drawn = " ".join(path.read_text(encoding="utf-8").replace("<!--", " ").replace("-->", " ").split())
    for part in (document_line(GAME), GAME.digest, f"puntobanco {__version__}", "8 decks"):
        assert part in drawn
    assert ("Valued at a stake of 1,500." in drawn) == ("--stake" in arguments)
