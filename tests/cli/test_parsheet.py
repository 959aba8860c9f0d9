"""The command `puntobanco parsheet`: every figure of every configuration, in HTML and in PDF."""

import argparse
import os
import re
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from cli.pdf_files import PdfFile
from puntobanco import GAMES, __version__, find_game
from puntobanco.cards import Shoe
from puntobanco.cli import parsheet
from puntobanco.errors import Fault, InputError
from puntobanco.odds import odds
from puntobanco.odds.pricing import WagerOdds
from puntobanco.parsheet import printed
from puntobanco.parsheet.blocks import Column, Facts, Paragraph, Row, Section, Sheet, Table
from puntobanco.parsheet.contents import sheet
from puntobanco.parsheet.figures import (
    configuration,
    decimal,
    percent,
    readings,
    root,
    switch_changes_figures,
)
from puntobanco.parsheet.printed import as_pdf
from puntobanco.parsheet.web_page import as_html
from puntobanco.rules.game import Game
from puntobanco.rules.wagers import Fixed

VOID_TAGS = {"meta", "col", "wbr"}


class PageText(HTMLParser):
    """The text of a page, cell by cell; fails on tags that do not match."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.cells: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self._open: list[str] = []
        self.feed(page)
        self.close()
        assert not self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += attrs
        if tag not in VOID_TAGS:
            self._open.append(tag)
            self.cells.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag
        self.cells.append("")

    def handle_data(self, data: str) -> None:
        self.cells[-1:] = ["".join([*self.cells[-1:], data])]


def call(*words: str) -> int:
    parser = argparse.ArgumentParser()
    parsheet.add_arguments(parser)
    return parsheet.run(parser.parse_args(words))


def page_of(name: str, folder: Path) -> str:
    path = folder / f"{name}.html"
    assert call(name, "-o", str(path)) == 0
    return path.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def manila(tmp_path_factory: pytest.TempPathFactory) -> str:
    return page_of("manila", tmp_path_factory.mktemp("manila"))


@pytest.fixture(scope="module")
def six_star(tmp_path_factory: pytest.TempPathFactory) -> str:
    return page_of("six-star", tmp_path_factory.mktemp("six-star"))


# The figures.


def test_decimals_are_rounded_once_from_the_exact_value() -> None:
    assert decimal(Fraction(2, 3), 4) == "0.6667"
    assert decimal(Fraction(-1, 8), 2) == "-0.12"
    assert decimal(Fraction(-1, 1000), 2) == "0.00"
    assert decimal(Fraction(12345678, 10), 2) == "1,234,567.80"
    # A float would have lost the last digits.
    assert decimal(Fraction(10**17 + 1, 10**18), 18) == "0.100000000000000001"
    assert percent(Fraction(1, 7), 3) == "14.286%"
    assert root(Fraction(2), 12) == Fraction(1414213562373, 10**12)


def test_a_switch_is_on_the_sheet_exactly_if_it_changes_a_figure() -> None:
    changing = {(game.id, name) for game in GAMES for name in game.switches if switch_changes_figures(game, name)}
    assert changing == {("manila", "tableau"), ("manila-no-commission", "tableau"), ("fabulous-4", "element_eights")}


def test_readings_begin_with_the_one_that_is_asked_for() -> None:
    as_printed = find_game("manila").read_as(tableau="manila-as-printed", rounding="up")
    assert [dict(game.reading) for game in readings(as_printed)] == [
        {"tableau": "manila-as-printed", "rounding": "up"},
        {"tableau": "standard", "rounding": "up"},
    ]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game.id))
def test_lines_and_losses_are_all_draws_and_the_returns_add_up(game: object) -> None:
    game = next(each for each in GAMES if each is game)
    found = configuration(game, game.decks.maximum)
    for figures in found.wagers:
        lines = [line for line in figures.odds.lines if not line.on_top]
        # Counted by itself and by subtraction: two ways to one number.
        assert figures.lost == figures.odds.lost
        assert sum(line.count for line in lines) + figures.lost == found.odds.total
        returned = [figures.contribution(line) for line in figures.odds.lines]
        assert sum(each for each in returned if each is not None) == 1 + figures.odds.ev == figures.total_return
        assert float(figures.standard_deviation) == pytest.approx(figures.odds.standard_deviation, abs=1e-11)
        assert float(figures.volatility_index) == pytest.approx(1.65 * figures.odds.standard_deviation, abs=1e-10)


def test_a_sum_that_fails_is_noticed() -> None:
    figures = configuration(find_game("manila"), 4).wagers[0]
    assert not list(figures.faults())
    assert "do not add up to all draws" in " ".join(replace(figures, lost=figures.lost + 1).faults())
    (outcome, count), *others = figures.odds.outcomes
    wrong = WagerOdds(figures.odds.wager, ((outcome, count + 1), *others), figures.odds.total, "down")
    assert list(replace(figures, odds=wrong).faults())


# The page.


def test_published_combinations_stand_on_the_sheet(manila: str) -> None:
    cells = PageText(manila).cells
    for combinations in ("2,292,252,566,437,888", "2,230,518,282,592,256", "475,627,426,473,216"):
        assert combinations in cells
    assert cells.count("4,998,398,275,503,360") == 12  # The total of six wagers under two readings.
    assert "1.057906%" in cells
    assert "0.786862%" in cells  # As printed.


@pytest.mark.parametrize("name", ["manila", "six_star"])
def test_every_line_of_every_wager_is_there_for_every_shoe_and_reading(
    name: str, request: pytest.FixtureRequest
) -> None:
    cells = set(PageText(request.getfixturevalue(name)).cells)
    game = find_game(name.replace("_", "-"))
    for reading in readings(game):
        for decks in range(game.decks.minimum, game.decks.maximum + 1):
            for wager in odds(reading, Shoe.full(game.pack, decks)).wagers.values():
                for line in wager.lines:
                    probability = line.probability
                    assert {
                        line.line.label,
                        line.line.clause,
                        f"{line.count:,}",
                        f"{probability.numerator}/{probability.denominator}",
                        decimal(probability, 12),
                    } <= cells
                assert {percent(wager.house_edge, 9), percent(wager.hit, 9), percent(1 + wager.ev, 9)} <= cells


def test_the_sheet_says_what_it_is_about(manila: str) -> None:
    text = " ".join(PageText(manila).cells)
    game = find_game("manila")
    for reading in readings(game):
        assert reading.digest in text
    for words in (
        "not stated",
        "tableau = standard, rounding = down",
        "52-card pack: Clubs, Diamonds, Hearts, Spades, each with A 2 3 4 5 6 7 8 9 T J Q K",
        "at stakes in steps of 20 no payment is ever rounded",
        "4 to 10 (Ruling 2), 8 by default",
        "Table of play: standard",
        "Table of play: manila-as-printed",
        "Volatility index: 1.65 x standard deviation",
        "416 x 415 x 414 x 413 x 412 x 411 = 4,998,398,275,503,360 draws of six cards",
        "The same, count for count, as under tableau = standard: Banker Pair, Player Pair.",
    ):
        assert words in text, words


def test_fixed_bonuses_have_amount_probability_and_break_even_stake(six_star: str) -> None:
    cells = PageText(six_star).cells
    tie = odds(find_game("six-star")).wagers["tie"]
    assert tie.break_even_stake is not None
    assert decimal(tie.break_even_stake, 4) in cells
    for line in tie.fixed_bonuses:
        assert isinstance(line.line.pays, Fixed)
        assert f"+ {line.line.pays.money:,}" in cells
        assert decimal(line.probability * line.line.pays.money, 6) in cells


def test_what_comes_on_top_is_explained_where_something_does(six_star: str, manila: str) -> None:
    assert ("A payment marked + comes on top" in six_star, "A payment marked +" in manila) == (True, False)
    assert "a two-card total of 8 or 9 in either hand ends the draw" in manila


def test_the_page_fetches_nothing(six_star: str) -> None:
    attributes = PageText(six_star).attributes
    assert not [name for name, _ in attributes if name in ("src", "srcset") or name.startswith("on")]
    assert all(value is not None and value.startswith("#part-") for name, value in attributes if name == "href")
    style = six_star.partition("<style>")[2].partition("</style>")[0]
    assert "url(" not in style
    assert "@import" not in style
    assert "<script" not in six_star


HOSTILE = "<script>alert('x')</script> & \"quoted\" \u2013 \u0142\u00f3d\u017a \u5e84"


def hostile_sheet() -> Sheet:
    table = Table(HOSTILE, (Column(HOSTILE, 0.5), Column(HOSTILE, 0.5, True)), (Row((HOSTILE, HOSTILE)),), note=HOSTILE)
    section = Section(HOSTILE, "0" * 64, (Paragraph(HOSTILE), Facts(((HOSTILE, HOSTILE),)), table))
    return Sheet(HOSTILE, HOSTILE, HOSTILE, (section,))


def test_text_is_escaped_wherever_it_stands() -> None:
    page = as_html(hostile_sheet())
    assert "<script" not in page
    found = PageText(page)
    assert found.cells.count(HOSTILE) >= 9
    assert ("data-heading", HOSTILE) in found.attributes


# The PDF.


def test_every_page_of_the_pdf_has_the_digest_of_its_reading_and_its_number(tmp_path: Path) -> None:
    path = tmp_path / "manila.pdf"
    assert call("manila", "-o", str(path)) == 0
    pages = PdfFile(path.read_bytes()).pages
    standard, as_printed = readings(find_game("manila"))
    assert len(pages) > 14
    for number, page in enumerate(pages, start=1):
        # The number of all pages is known only at the end, and is set as a piece of its own.
        assert "".join(page.splitlines()[-2:]) == f"page {number} of {len(pages)}"
        is_printed = "\n".join(page.splitlines()[:2]).endswith("manila-as-printed")
        assert f"rules digest SHA-256 {(as_printed if is_printed else standard).digest}" in page
    assert sum(as_printed.digest in page for page in pages) >= 14
    text = "\n".join(pages)
    assert "2,292,252,566,437,888" in text
    assert "33051905669713" not in text  # An expected value, not a return: the sheet gives returns.
    returned = 1 + odds(find_game("manila")).wagers["banker"].ev
    assert f"{returned.numerator}/{returned.denominator}" in text


def test_html_and_pdf_have_the_same_figures(six_star: str, tmp_path: Path) -> None:
    path = tmp_path / "six-star.pdf"
    assert call("six-star", "-o", str(path)) == 0
    in_pdf = set("\n".join(PdfFile(path.read_bytes()).pages).splitlines())
    cells = PageText(six_star).cells
    figures = {cell for cell in cells if re.fullmatch(r"[\d,.]{9,}%?|\d{5,}/\d+", cell)}
    assert len(figures) > 500
    assert figures <= in_pdf


def test_the_same_game_gives_the_same_bytes(tmp_path: Path) -> None:
    """Made by two processes, a second apart, that have their sets in another order."""
    for suffix in ("pdf", "html"):
        paths = [tmp_path / f"{name}.{suffix}" for name in ("one", "two")]
        for seed, path in enumerate(paths):
            command = [sys.executable, "-m", "puntobanco", "parsheet", "baccarat-tournament", "-o", str(path)]
            subprocess.run(command, check=True, env={**os.environ, "PYTHONHASHSEED": str(seed)}, capture_output=True)
            sleep(1)
        assert paths[0].read_bytes() == paths[1].read_bytes()


@pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game.id))
def test_the_sheet_is_dated_by_its_rules_and_version_and_by_nothing_else(game: Game) -> None:
    made = sheet([configuration(game, game.decks.default)], "7.8.9")
    pdf = PdfFile(as_pdf(made))
    effective = (game.document.effective or "not stated").replace("T", " ")
    issue = f"rules effective: {effective}; made with puntobanco 7.8.9"
    assert issue in pdf.pages[0].splitlines()
    assert issue in PageText(as_html(made)).cells
    assert f"/Keywords ({issue}; rules digest SHA-256 {game.digest})".encode() in pdf.data
    # No date of the file: it would be that of a clock, or untrue.
    for entry in (b"CreationDate", b"ModDate", b"(D:", b"D:19", b"D:20"):
        assert entry not in pdf.data


def test_every_font_of_the_pdf_is_in_it() -> None:
    game = find_game("six-star")
    pdf = PdfFile(as_pdf(sheet([configuration(game, 8)], __version__)))
    assert len(pdf.fonts_of_pages) == 3  # Upright, bold and, for what is paid on top, oblique.
    # Those of the pages and what they are made of: no font is there by its name alone.
    assert len(pdf.of_type(b"Font")) == 6
    for font in pdf.fonts_of_pages.values():
        drawn = pdf.objects[pdf.named(font, b"DescendantFonts")]
        file = pdf.streams[pdf.named(pdf.objects[pdf.named(drawn, b"FontDescriptor")], b"FontFile2")]
        assert file[:4] == b"\0\1\0\0"
        # Some of its letters, not the whole font.
        assert len(file) < 40_000


def test_letters_beyond_latin_are_set_as_they_are() -> None:
    name = "\u0141\u00f3d\u017a \u2013 \u201c\u0391\u03b8\u03ae\u03bd\u03b1\u201d (\\) \u2212\u00bd"
    section = Section(name, "0" * 64, (Paragraph(name), Facts(((name, name),))))
    pdf = PdfFile(as_pdf(Sheet(name, name, name, (section,))))
    assert pdf.pages[0].splitlines().count(name) == 7
    assert as_pdf(hostile_sheet()).startswith(b"%PDF")


def test_nothing_on_a_page_is_wider_than_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """A number that does not fit its column would be broken over lines that the row has no room for."""
    too_wide = []

    def cell(self: Any, text: str, width: float, height: float, align: str) -> None:
        if align != "L" and self.get_string_width(text) > width:
            too_wide.append(text)

    monkeypatch.setattr(printed._Paper, "_cell", cell)
    whole = printed._Paper.cell

    def watched(self: Any, width: float, *arguments: Any, **options: Any) -> Any:
        result = whole(self, width, *arguments, **options)
        # What is set side by side has 5 mm behind it.
        if self.get_x() > self.w - self.r_margin + 5:
            too_wide.append(arguments[1])
        return result

    monkeypatch.setattr(printed._Paper, "cell", watched)
    for game in GAMES:
        as_pdf(sheet([configuration(each, game.decks.maximum) for each in readings(game)], __version__))
    assert not too_wide


def test_a_font_that_is_not_there_is_told_in_a_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("matplotlib.get_data_path", lambda: str(tmp_path))
    with pytest.raises(Fault, match=r"^The PDF is set in DejaVuSans, which .* has left out\.$") as told:
        as_pdf(hostile_sheet())
    assert told.value.reason == "missing-font"


# The file.


@pytest.mark.parametrize(
    ("output", "reason", "message"),
    [
        ("sheet.txt", "bad-usage", "end the name in .html or .pdf."),
        ("sheet", "bad-usage", "end the name in .html or .pdf."),
        ("missing/sheet.pdf", "unwritable-file", "there is no folder 'missing'."),
        ("folder.pdf", "unwritable-file", "it is a folder."),
        ("x" * 300 + ".pdf", "unwritable-file", "File name too long."),
    ],
)
def test_a_bad_path_is_refused_in_one_sentence_before_anything_is_counted(
    output: str, reason: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder.pdf").mkdir()
    monkeypatch.setattr("puntobanco.parsheet.figures.configuration", None)
    with pytest.raises((InputError, Fault), match=re.escape(message)) as caught:
        call("manila", "-o", output)
    assert isinstance(caught.value, InputError | Fault)
    assert caught.value.reason == reason
    assert isinstance(caught.value, Fault) == (reason == "unwritable-file")
    assert [path.name for path in tmp_path.iterdir()] == ["folder.pdf"]


@pytest.mark.parametrize("step", ["write", "replace"])
def test_a_failure_leaves_the_old_file_and_nothing_half_written(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "sheet.html"
    path.write_bytes(b"old")
    if step == "write":
        monkeypatch.setattr("os.fsync", full)
    else:
        monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(Fault, match="cannot be written: No space left on device"):
        parsheet.write_whole(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_an_existing_file_is_replaced_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.html").write_bytes(b"old")
    link = tmp_path / "link.html"
    link.symlink_to("real.html")
    parsheet.write_whole(link, b"new")
    assert link.is_symlink()
    assert (tmp_path / "real.html").read_bytes() == b"new"
    assert len(list(tmp_path.iterdir())) == 2


def test_the_reading_that_is_asked_for_leads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "printed.html"
    assert call("manila", "--reading", "tableau=manila-as-printed", "-o", str(path)) == 0
    as_printed = find_game("manila").read_as(tableau="manila-as-printed")
    assert f"14 configurations, rules digest {as_printed.digest}" in capsys.readouterr().out
    cells = PageText(path.read_text(encoding="utf-8")).cells
    assert cells.index("4 decks, tableau = manila-as-printed") < cells.index("4 decks, tableau = standard")
