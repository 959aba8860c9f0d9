"""A wager of one's own in every command that settles, prices or deals, and a shoe from standard input."""

import json
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
    assert "pays 4,000 centavos = 40.00 PHP (your own wager)" in done.out


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
