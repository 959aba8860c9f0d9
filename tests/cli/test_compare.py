"""`puntobanco compare`: games, numbers of decks and readings side by side."""

import csv
import io
import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from command_line import COLOURED, PLAIN, call, one_sentence
from puntobanco import GAMES, Shoe, find_game
from puntobanco.odds import odds

PRINTED = "manila:tableau=manila-as-printed"


def as_json(*arguments: str) -> Any:
    called = call("compare", *arguments, "--json")
    assert (called.code, called.err) == (0, "")
    return json.loads(called.out)


def test_the_printed_manila_tableau_beside_the_standard_one() -> None:
    found = as_json("manila", PRINTED)
    assert [each["name"] for each in found["compared"]] == ["manila", PRINTED]
    assert [each["reading"]["tableau"] for each in found["compared"]] == ["standard", "manila-as-printed"]
    standard, printed = found["wagers"]["banker"]
    # Ruling 1 has both figures.
    assert f"{standard['house_edge']:.6%}" == "1.057906%"
    assert f"{printed['house_edge']:.6%}" == "0.786862%"
    assert Fraction(printed["ev_difference"]) == Fraction(printed["ev"]) - Fraction(standard["ev"])
    assert printed["ev_difference_float"] == float(Fraction(printed["ev_difference"]))
    assert printed["hit_difference"] == pytest.approx(printed["hit"] - standard["hit"])
    assert printed["std_difference"] == pytest.approx(printed["std"] - standard["std"])
    assert "ev_difference" not in standard
    assert found["wagers"]["player-pair"][1]["ev_difference"] == "0/1"


def test_no_commission_costs_half_of_the_banker_sixes() -> None:
    # Identity: with a half paid on six, the Banker's expected value is that at even money less half of P(six).
    found = as_json("baccarat-tournament", "manila-no-commission")
    six = odds(find_game("manila-no-commission")).wagers["super-six"].hit
    assert Fraction(found["wagers"]["banker"][1]["ev_difference"]) == -six / 2


def test_numbers_of_decks() -> None:
    found = as_json("six-star:decks=6", "six-star:decks=8", "six-star:decks=10,rounding=up")
    assert [(each["decks"], each["cards"]) for each in found["compared"]] == [(6, 390), (8, 520), (10, 650)]
    assert found["compared"][2]["reading"]["rounding"] == "up"
    # Eight decks of 65 are as ten of 52 to a wager that ignores suits.
    across = as_json("manila:decks=10", "six-star")
    assert across["wagers"]["tie"][1]["ev_difference"] == "0/1"
    assert across["wagers"]["player-pair"][0]["ev"] == across["wagers"]["player-pair"][1]["ev"]


def test_a_wager_that_only_one_game_has() -> None:
    found = as_json("six-star", "fabulous-4")
    assert found["wagers"]["element-bonus"][1] is None
    assert found["wagers"]["player-fabulous-4"][0] is None
    # Alone, it is compared with nothing.
    assert "ev_difference" not in found["wagers"]["player-fabulous-4"][1]
    out = call("compare", "six-star", "fabulous-4").out
    assert "A wager is compared among those that have it." in out
    assert re.search(r"^Player Fabulous 4 +B ", out, re.MULTILINE)
    assert "A wager is compared" not in call("compare", "manila", "manila:decks=6").out


def test_the_table_in_words() -> None:
    out = call("compare", "manila", PRINTED).out
    assert [line for line in out.splitlines() if line.startswith(("A", "B"))][:2] == [
        "A  Baccarat, City of Dreams Manila; 8 decks",
        "B  Baccarat, City of Dreams Manila; 8 decks; tableau = manila-as-printed",
    ]
    rows = [line.split() for line in out.splitlines()]
    assert ["Banker", "A", "-0.010579", "1.0579%", "45.8597%", "0.9274"] in rows
    assert ["B", "-0.007869", "0.7869%", "46.1645%", "0.9290"] in rows
    assert ["B", "-", "A", "+0.002710", "-0.2710%", "+0.3048%", "+0.0016"] in rows
    assert ["B", "-", "A", "same"] in rows


def test_csv_is_the_same_as_json() -> None:
    arguments = ["manila", PRINTED, "six-star:decks=4"]
    found = as_json(*arguments)
    rows = list(csv.DictReader(io.StringIO(call("compare", *arguments, "--csv").out)))
    assert len(rows) == 6 + 6 + 7
    for row in rows:
        figures = found["wagers"][row["wager"]][arguments.index(row["name"])]
        for name, value in figures.items():
            assert row[name] == value if isinstance(value, str) else float(row[name]) == value
        assert (row["ev_difference"] == "") == ("ev_difference" not in figures)
    assert {(row["name"], row["decks"], row["cards"]) for row in rows} == {
        ("manila", "8", "416"),
        (PRINTED, "8", "416"),
        ("six-star:decks=4", "4", "260"),
    }


def test_a_wager_of_ones_own(tmp_path: Path) -> None:
    own = tmp_path / "own.json"
    line = {"label": "Tie", "pays": "9:1", "when": {"winner": "tie"}}
    own.write_text(json.dumps({"wager": [{"id": "tie-nine", "name": "Tie at nine", "lines": [line]}]}))
    found = as_json("manila", "manila:decks=6", "--wager-file", str(own))
    for tie, nine in zip(found["wagers"]["tie"], found["wagers"]["tie-nine"], strict=True):
        assert nine["ev_float"] == pytest.approx(tie["ev_float"] + tie["hit"])


@pytest.mark.parametrize("colour", [False, True])
def test_all_games_side_by_side_fit_80_columns(colour: bool) -> None:
    out = call("compare", *(game.id for game in GAMES), environment=COLOURED if colour else PLAIN).out
    assert ("\x1b[" in out) == colour
    assert max(len(re.sub(r"\x1b\[[\d;]*m", "", line)) for line in out.splitlines()) <= 80


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "required: GAME"),
        (["manila"], "compare takes 2 to 26 games"),
        (["manila"] * 27, "not 27."),
        (["manila", "mania"], "did you mean manila?"),
        (["manila", "manila:"], "settings such as decks=6, not ''"),
        (["manila", "manila:decks"], "settings such as decks=6, not 'decks'"),
        (["manila", "manila:deck=6"], "manila has no setting 'deck'; did you mean decks?"),
        (["manila", "six-star:tableau=standard"], "six-star has no setting 'tableau'; there are decks, rounding."),
        (["manila", "manila:decks=11"], "4 to 10 decks (Ruling 2), not '11'"),
        (["manila", "manila:decks=6,decks=7"], "The setting decks is given twice"),
        (["manila", "manila:tableau=printed"], "manila has no reading tableau = printed"),
        (["manila", "manila", "--json", "--csv"], "not allowed with"),
    ],
)
def test_mistakes_are_one_sentence(arguments: list[str], sentence: str) -> None:
    called = call("compare", *arguments)
    assert sentence in one_sentence(called)
    assert called.code == 2


def test_fixed_bonuses_are_left_out_and_said_so_or_valued_at_a_stake() -> None:
    plain = call("compare", "six-star:decks=6", "six-star:decks=8")
    assert "Fixed bonuses are left out: --stake N" in " ".join(plain.out.split())
    assert "Fixed bonuses" not in call("compare", "manila:decks=6", "manila:decks=8").out
    staked = call("compare", "six-star:decks=6", "six-star:decks=8", "--stake", "100", "--json")
    found = json.loads(staked.out)
    assert found["stake"] == 100
    priced = odds(find_game("six-star"), Shoe.full(find_game("six-star").pack, 8)).wagers["tie"]
    tie = found["wagers"]["tie"][1]
    assert Fraction(tie["ev_at_stake"]) == priced.ev_at(100)
    assert tie["std_at_stake"] == priced.standard_deviation_at(100)
    first = Fraction(found["wagers"]["tie"][0]["ev_at_stake"])
    assert Fraction(tie["ev_at_stake_difference"]) == priced.ev_at(100) - first
    printed = call("compare", "six-star:decks=6", "six-star:decks=8", "--stake", "100").out
    assert f"{float(priced.ev_at(100)):+.6f}" in printed
    assert "Valued at a stake of 100, fixed bonuses included." in printed


def test_csv_has_the_stake_as_odds_and_removal_have() -> None:
    for words in (("compare", "six-star", "six-star:decks=6"), ("odds", "six-star"), ("removal", "six-star")):
        for stake in ("1500", None):
            done = call(*words, "--csv", *(("--stake", stake) if stake else ()))
            assert {row.get("stake") for row in csv.DictReader(io.StringIO(done.out))} == {stake}
