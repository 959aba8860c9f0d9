"""The pages on odds: their sessions run as printed, and the generated tables are fresh."""

import doctest
import importlib.util
import re
from fractions import Fraction
from pathlib import Path
from types import ModuleType

import pytest

from odds.published import FIGURES
from puntobanco import FIVE_ELEMENTS, GAMES, Shoe
from puntobanco.odds import odds

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def generate_odds_tables() -> ModuleType:
    # A script is not importable by name, so it is loaded from its file.
    path = ROOT / "scripts" / "generate_odds_tables.py"
    spec = importlib.util.spec_from_file_location("generate_odds_tables", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def page(generate_odds_tables: ModuleType) -> str:
    return str(generate_odds_tables.page())


def test_the_sessions_of_the_page_on_the_method() -> None:
    result = doctest.testfile(str(ROOT / "docs" / "odds.md"), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert result.attempted > 20
    assert result.failed == 0


def test_the_links_lead_to_files() -> None:
    for name in ("odds.md", "odds-tables.md"):
        text = (ROOT / "docs" / name).read_text(encoding="utf-8")
        targets = re.findall(r"\]\(([^)]*)\)", text)
        assert targets
        assert all((ROOT / "docs" / target).is_file() for target in targets), targets
        assert all((ROOT / path).is_file() for path in re.findall(r"`((?:tests|scripts)/[\w/.-]+\.\w+)`", text))


def test_the_tables_are_fresh(generate_odds_tables: ModuleType) -> None:
    assert not generate_odds_tables.is_stale(ROOT)


def test_the_check_fails_until_the_page_is_written_and_after_an_edit(
    generate_odds_tables: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert generate_odds_tables.main(["--check"], tmp_path) == 1
    assert not any(tmp_path.iterdir())
    assert generate_odds_tables.main([], tmp_path) == 0
    assert generate_odds_tables.main(["--check"], tmp_path) == 0
    capsys.readouterr()
    written = tmp_path / generate_odds_tables.PAGE
    written.write_text(written.read_text(encoding="utf-8").replace("1.3914%", "1.3915%"), encoding="utf-8")
    assert generate_odds_tables.main(["--check"], tmp_path) == 1
    assert capsys.readouterr().err == "docs/odds-tables.md is out of date: run scripts/docs\n"


def test_the_tables_hold_every_line_of_every_65_card_game(page: str) -> None:
    for game in GAMES:
        if game.pack is not FIVE_ELEMENTS:
            continue
        _, _, section = page.partition(f"\n## {game.name}\n")
        for wager in odds(game, Shoe.full(game.pack, 8)).wagers.values():
            for line in wager.lines:
                label, pays = re.escape(line.line.label), line.line.payment_in_figures
                assert re.search(rf"\| (on top: )?{label} \| {pays} \| .* \| {line.count:,} \|\n", section), label
            assert f"exactly: {wager.ev}." in section


def test_the_tables_meet_the_published_counts_of_ten_52_card_decks(page: str) -> None:
    (ten_decks,) = [figure for figure in FIGURES["combinations"] if figure["decks"] == 10]
    for result in ("player", "banker", "tie", "total"):
        assert f"{ten_decks[result]:,}" in page


@pytest.mark.parametrize(
    ("numerator", "denominator", "digits", "text"),
    [(1, 3, 4, "0.3333"), (-2, 3, 4, "-0.6667"), (-1, 10**6, 4, "0.0000"), (17, 1, 2, "17.00"), (5, 100, 1, "0.0")],
)
def test_decimals(generate_odds_tables: ModuleType, numerator: int, denominator: int, digits: int, text: str) -> None:
    assert generate_odds_tables.decimal(Fraction(numerator, denominator), digits) == text
