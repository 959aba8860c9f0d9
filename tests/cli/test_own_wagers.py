"""A wager of one's own in every command that settles, prices or deals, and a shoe from standard input."""

import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from command_line import call
from puntobanco import Shoe, find_game, read_deal, settle
from puntobanco.odds import odds
from puntobanco.rules.own_wagers import load_wagers, with_own_wagers

DRAGON = """
[[wager]]
id = "dragon-seven"
name = "Dragon Seven"

[[wager.lines]]
label = "Banker wins with seven on three cards"
pays = "40:1"
when = { winner = "banker", banker_total = 7, banker_cards = 3 }
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "dragon.toml"
    path.write_text(DRAGON, encoding="utf-8")
    return str(path)


def test_a_game_with_a_wager_of_ones_own_is_settled_and_priced_like_any(file: str) -> None:
    house = find_game("manila")
    game = with_own_wagers(house, load_wagers(house, Path(file)))
    assert [*game.paytables] == [*house.paytables, "dragon-seven"]
    assert game.rows[-1] == ("dragon-seven",)
    assert game.digest != house.digest
    deal = read_deal(game.pack, "P 2h 3h Kh | B Kc Kd 7c")
    assert settle(game, deal, {"dragon-seven": 100}).wagers["dragon-seven"].net == 4000
    assert float(odds(game).wagers["dragon-seven"].house_edge) == pytest.approx(0.076113, abs=1e-6)
    assert with_own_wagers(house, ()) is house


def test_settle_takes_it(file: str) -> None:
    done = call("settle", "manila", "P 2h 3h Kh | B Kc Kd 7c", "--wager", "dragon-seven=100", "--wager-file", file)
    assert done.code == 0
    assert "pays 4,000 centavos = 40.00 PHP (your own wager)" in " ".join(done.out.split())


def test_simulate_counts_it_beside_its_exact_odds(file: str) -> None:
    found = json.loads(call("simulate", "manila", "--shoes", "500", "--seed", "1", "--wager-file", file, "--json").out)
    dragon = found["wagers"]["dragon-seven"]
    assert dragon["exact_ev_float"] == pytest.approx(-0.076113, abs=1e-6)
    assert sum(line["count"] for line in dragon["lines"]) > 0


@pytest.mark.parametrize(
    "words",
    [
        ("counting", "manila", "dragon-seven", "--shoes", "2"),
        ("systems", "manila", "--system", "flat", "--wager", "dragon-seven", "--sessions", "20", "--rounds", "10"),
    ],
    ids=lambda words: words[0],
)
def test_studies_are_made_of_it(words: tuple[str, ...], file: str) -> None:
    assert "Dragon Seven" in call(*words, "--wager-file", file).out
    assert "no wager" in call(*words).err


def test_the_par_sheet_has_it(file: str, tmp_path: Path) -> None:
    page = tmp_path / "sheet.html"
    assert call("parsheet", "manila", "-o", str(page), "--wager-file", file).code == 0
    assert "Banker wins with seven on three cards" in page.read_text(encoding="utf-8")


def test_a_shoe_is_read_from_standard_input() -> None:
    counts = {"Ah": 8, "2h": 8, "9s": 8, "Kd": 8}
    done = call("odds", "manila", "--shoe", "-", "--json", stdin=json.dumps(counts))
    game = find_game("manila")
    expected = odds(game, Shoe.of_counts(game.pack, counts)).wagers["tie"].ev
    assert Fraction(json.loads(done.out)["wagers"]["tie"]["ev"]) == expected
    assert "not JSON" in call("odds", "manila", "--shoe", "-", stdin="{").err


EVERY_COMMAND: dict[str, tuple[str, ...]] = {
    "odds": ("manila",),
    "removal": ("manila",),
    "compare": ("manila", "manila:decks=6"),
    "settle": ("manila", "P 9s Kd | B 3h 4h"),
    "simulate": ("manila", "--shoes", "2"),
    "counting": ("manila", "tie", "--shoes", "1"),
    "systems": ("manila", "--system", "flat", "--sessions", "20", "--rounds", "10"),
}


@pytest.mark.parametrize("command", EVERY_COMMAND)
def test_every_result_names_it_under_one_digest(command: str, file: str) -> None:
    house = find_game("manila")
    digest = with_own_wagers(house, load_wagers(house, Path(file))).digest
    words = (command, *EVERY_COMMAND[command], "--wager-file", file)
    printed = call(*words).out
    assert digest in printed
    assert house.digest not in printed
    assert "with wagers of one's own: dragon-seven" in printed
    found = json.loads(call(*words, "--json").out)
    made = found["compared"][0]["provenance"] if command == "compare" else found["provenance"]
    assert (made["rules_digest"], made["own_wagers"]) == (digest, ["dragon-seven"])


def test_files_name_it_too(file: str, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    rounds, page = tmp_path / "rounds.parquet", tmp_path / "sheet.html"
    assert call("simulate", "manila", "--shoes", "2", "--wager-file", file, "--out", str(rounds)).code == 0
    assert parquet.read_schema(rounds).metadata[b"puntobanco.own_wagers"] == b'["dragon-seven"]'
    assert call("parsheet", "manila", "-o", str(page), "--wager-file", file).code == 0
    sheet = page.read_text(encoding="utf-8")
    assert "Dragon Seven (your own wager)" in sheet
    assert "clause own" not in sheet
    rows = call("odds", "manila", "--wager-file", file, "--csv").out.splitlines()
    assert all("dragon-seven" in row for row in rows[1:])
    record = '{"player": ["9s", "Kd"], "banker": ["3h", "4h"], "wagers": {"dragon-seven": 5}}'
    streamed = subprocess.run(
        [sys.executable, "-m", "puntobanco", "settle", "manila", "--wager-file", file, "--stdin"],
        input=record,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert json.loads(streamed.stdout)["own_wagers"] == ["dragon-seven"]
