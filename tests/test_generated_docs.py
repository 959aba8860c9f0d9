import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

from contract.ez_baccarat import EZ_BACCARAT
from contract.games import EVERY_GAME
from puntobanco import GAMES, Game
from puntobanco.rules.rulings import RULINGS

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def generate_docs() -> ModuleType:
    # A script is not importable by name, so it is loaded from its file.
    spec = importlib.util.spec_from_file_location("generate_docs", ROOT / "scripts" / "generate_docs.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_generated_pages_are_fresh(generate_docs: ModuleType) -> None:
    assert generate_docs.stale_pages(ROOT) == []


def test_there_is_a_page_for_every_game_and_an_index(generate_docs: ModuleType) -> None:
    assert [path for path, _ in generate_docs.PAGES] == [
        "docs/rulings.md",
        "docs/games/README.md",
        *(f"docs/games/{game.id}.md" for game in GAMES),
    ]


def test_the_check_fails_until_the_pages_are_written_and_after_any_is_changed(
    generate_docs: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert generate_docs.main(["--check"], tmp_path) == 1
    assert not any(tmp_path.iterdir())
    assert generate_docs.main([], tmp_path) == 0
    assert generate_docs.main(["--check"], tmp_path) == 0
    capsys.readouterr()
    for path, _ in generate_docs.PAGES:
        page = tmp_path / path
        written = page.read_text(encoding="utf-8")
        page.write_text(written + "An edit by hand.\n", encoding="utf-8")
        assert generate_docs.main(["--check"], tmp_path) == 1
        assert capsys.readouterr().err == f"{path} is out of date: run scripts/docs\n"
        page.write_text(written, encoding="utf-8")


def test_a_page_of_a_game_that_is_gone_is_reported_and_removed(generate_docs: ModuleType, tmp_path: Path) -> None:
    assert generate_docs.main([], tmp_path) == 0
    left_over = tmp_path / "docs" / "games" / "faro.md"
    left_over.write_text("# Faro\n", encoding="utf-8")
    assert generate_docs.stale_pages(tmp_path) == ["docs/games/faro.md"]
    assert generate_docs.main([], tmp_path) == 0
    assert not left_over.exists()


def test_the_rulings_page_shows_every_ruling_with_its_reason_and_switch(generate_docs: ModuleType) -> None:
    page = generate_docs.rulings_page()
    for ruling in RULINGS:
        assert f"## {ruling.number}. {ruling.title}\n\n{ruling.text}\n\nWhy: {ruling.reason}\n" in page
    assert "Switch `tableau`: `standard` by default, or `manila-as-printed`." in page


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_a_game_page_has_a_row_for_every_clause_line_and_spot(generate_docs: ModuleType, game: Game) -> None:
    page = generate_docs.game_page(game)
    for clause, text in game.document.clauses.items():
        rows = [line for line in page.splitlines() if line.startswith(f"| {clause} | {text}")]
        assert len(rows) == 1, clause
        if clause in game.document.not_software:
            assert rows[0].endswith(f"| {game.document.not_software[clause]} |")
        else:
            assert "src/puntobanco/" in rows[0], clause
            assert "tests/clauses/test_" in rows[0], clause
    for wager in game.wagers:
        assert f"### {wager.name}\n\n`{wager.id}`, clause {wager.clause}.\n" in page
        for line in wager.lines + wager.bonuses:
            assert f"| {line.when} | {line.payment_in_figures} | {line.clause} |" in page, line.label
    assert f"`{game.digest}`" in page
    assert (game.chips_only or "") in page


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_the_links_of_a_game_page_lead_to_files_and_headings(generate_docs: ModuleType, game: Game) -> None:
    headings = {line for line in generate_docs.rulings_page().splitlines() if line.startswith("## ")}
    anchors = {re.sub(r"[^\w\s-]", "", heading[3:]).lower().replace(" ", "-") for heading in headings}
    targets = re.findall(r"\]\(([^)]*)\)", generate_docs.game_page(game))
    assert len(targets) > len(game.document.clauses)
    for target in targets:
        path, _, anchor = target.partition("#")
        assert (ROOT / "docs" / "games" / path).is_file(), target
        assert not anchor or anchor in anchors, target


def test_the_page_of_a_game_without_proofs_says_so_at_every_clause(generate_docs: ModuleType) -> None:
    page = generate_docs.game_page(EZ_BACCARAT)
    assert page.count("(No test proves it yet.)") == len(EZ_BACCARAT.document.clauses) - 1
    assert "(Only in" not in page
    assert "| Introduction | The page tells where the game was first seen. | It states no rule. |" in page
    assert "| decks | 6 to 8, 8 by default (clause Baccarat 1) |\n| currency | USD |" in page


@pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.id)
def test_a_game_page_links_to_the_rulings_that_concern_the_game(generate_docs: ModuleType, game: Game) -> None:
    links = [f"- {generate_docs.ruling_link(ruling)}" for ruling in game.applicable_rulings]
    assert "\n".join(["## Rulings", "", *links, "", "## Clauses"]) in generate_docs.game_page(game)


def test_the_table_of_play_is_shown_as_declared(generate_docs: ModuleType) -> None:
    page = generate_docs.game_page(next(game for game in GAMES if game.id == "manila"))
    always, never = "draws | " * 10, "stands | " * 10
    assert f"| 0 | draws | {always}".rstrip() in page
    assert "| 3 | draws | draws | draws | draws | draws | draws | draws | draws | draws | stands | draws |" in page
    assert f"| 7 | stands | {never}".rstrip() in page
    assert "the Player draws on 0, 1, 2, 3, 4 or 5 and stands on 6 or 7" in page
    assert "the Player draws on 0, 1, 2, 3 or 4 and stands on 5, 6 or 7" in page


def test_a_clause_of_the_other_manila_game_says_so(generate_docs: ModuleType) -> None:
    manila, no_commission = (
        generate_docs.game_page(next(game for game in GAMES if game.id == name))
        for name in ("manila", "manila-no-commission")
    )
    assert manila.count("(Only in `manila-no-commission`.)") == 2
    assert no_commission.count("(Only in `manila`.)") == 1
