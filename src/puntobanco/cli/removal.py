"""`puntobanco removal GAME`: the effect of removal of each card on each wager."""

import argparse
import json
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from puntobanco.cards import Card, Pack
from puntobanco.cli.columns import BOLD, DIM, Cell, Page, printable, signed
from puntobanco.cli.heading import title_of, write_heading
from puntobanco.cli.plots import heat_map, plot_path, save_figure
from puntobanco.cli.reading import add_game, chosen_game
from puntobanco.cli.shoe_options import add_formats, add_shoe, add_stake, chosen_shoe, read_stake, stake_note
from puntobanco.cli.wager_file import add_wager_file, with_chosen_wagers
from puntobanco.odds.removal import Removal, removal
from puntobanco.provenance import Provenance

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HELP = """Print the exact effect of removal of each card on each wager: the expected value
without one such card in the shoe, less that with it."""
EXAMPLE = "puntobanco removal manila --decks 8 --plot effects.png"

UNIT = "percent of the stake"
WEAK, MIDDLING, STRONG = Fraction(1, 10), Fraction(1, 3), Fraction(2, 3)
"""Shares of the strongest effect on a wager from which an effect is shaded lightly, more, and most."""
FAVOURABLE = ("", "48;5;194;38;5;16", "48;5;151;38;5;16", "48;5;65;38;5;231")
UNFAVOURABLE = ("", "48;5;224;38;5;16", "48;5;217;38;5;16", "48;5;167;38;5;231")
MARKS, PLAIN_MARKS = " ░▒▓", " .:#"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    add_shoe(parser)
    add_stake(parser)
    add_wager_file(parser)
    parser.add_argument("--plot", metavar="FILE", help="draw a heat map to this file too: .png, .svg or .pdf")
    add_formats(parser)


def run(arguments: argparse.Namespace) -> int:
    game = with_chosen_wagers(chosen_game(arguments), arguments)
    path = plot_path(arguments.plot) if arguments.plot is not None else None
    chosen = chosen_shoe(game, arguments)
    stake = read_stake(arguments.stake) if arguments.stake is not None else None
    found = removal(game, chosen.shoe, stake=stake)
    made = chosen.provenance(game)
    words = f"{chosen.words}, {chosen.shoe.size:,} cards"
    if path is not None:
        save_figure(_plot(found, made, words), path)
    if arguments.json or arguments.csv:
        from puntobanco.odds.report import csv_text, removal_json, removal_rows  # Only needed for programs.

        if arguments.csv:
            print(csv_text(removal_rows(found, made)), end="")
        else:
            print(json.dumps(removal_json(found, made), indent=1))
        return 0
    draw(Page(), found, made, words)
    if path is not None:
        print(f"The heat map is in {path}.")
    return 0


def draw(page: Page, found: Removal, made: Provenance, shoe_words: str) -> None:
    """Print the effects for a person: a row for the cards of a rank, a column for each wager."""
    write_heading(page, made, shoe_words)
    page.note(f"Effect on each wager's expected value, in {UNIT}, when one card leaves the shoe.")
    columns = [_column(page, found, name) for name in found.odds.wagers]
    labels = [group_name(found.odds.game.pack, cards) for cards in found.groups()]
    room = page.width - max(map(len, labels))
    for wagers in _side_by_side(columns, room):
        height = max(len(heading) for heading, _ in wagers)
        headings = [["", *(_from_below(heading, line, height) for heading, _ in wagers)] for line in range(height)]
        rows = [[Cell(label, BOLD), *cells] for label, *cells in zip(labels, *(c for _, c in wagers), strict=True)]
        page.write()
        page.table([*([Cell(text, DIM) for text in row] for row in headings), *rows], "<" + ">" * len(wagers))
    page.write()
    page.note(_suit_names(found, labels))
    page.note("The deeper the shade, the stronger on that wager. Over the whole shoe the effects sum to zero.")
    page.note(stake_note(found.odds.wagers.values(), found.stake))


def group_name(pack: Pack, cards: Sequence[Card]) -> str:
    """`6` for the sixes of all suits, `6f` for one card, `6 gedw` for some suits."""
    suits = "".join(card.suit for card in cards)
    if len(suits) == len(pack.suits):
        return cards[0].rank
    return cards[0].rank + (suits if len(suits) == 1 else f" {suits}")


Column = tuple[list[str], list[Cell]]
"""The words of a wager's name, and a cell for each group of cards."""


def _column(page: Page, found: Removal, name: str) -> Column:
    effects = [found.effects[cards[0]][name] for cards in found.groups()]
    strongest = max(map(abs, effects))
    cells = []
    for effect in effects:
        level = sum(abs(effect) > strongest * share for share in (WEAK, MIDDLING, STRONG)) if strongest else 0
        style = (FAVOURABLE if effect > 0 else UNFAVOURABLE)[level]
        # Where there is no colour, a mark shades the figure.
        mark = "" if page.colour else (MARKS if page.blocks else PLAIN_MARKS)[level]
        cells.append(Cell(signed(effect * 100, 4) + mark, style))
    return printable(found.odds.wagers[name].wager.name).split(), cells


def _side_by_side(columns: Sequence[Column], room: int) -> Iterator[list[Column]]:
    """The columns in as many tables as they need to keep within the room."""
    together: list[Column] = []
    used = 0
    for heading, cells in columns:
        width = 2 + max(len(text) for text in [*heading, *(cell.text for cell in cells)])
        if together and used + width > room:
            yield together
            together, used = [], 0
        together.append((heading, cells))
        used += width
    yield together


def _from_below(words: Sequence[str], line: int, height: int) -> str:
    """The word on that line of a heading whose last word stands lowest."""
    place = line - height + len(words)
    return words[place] if place >= 0 else ""


def _plot(found: Removal, made: Provenance, shoe_words: str) -> "Figure":
    groups = found.groups()
    names = list(found.odds.wagers)
    rows = [group_name(found.odds.game.pack, cards) for cards in groups]
    caption = (
        f"{shoe_words}. Change of a wager's expected value, in {UNIT}, when one card leaves the shoe: blue favours the "
        "patron, red the house. Each wager has its own scale of colour.",
        stake_note(found.odds.wagers.values(), found.stake),
        _suit_names(found, rows),
    )
    return heat_map(
        [[float(found.effects[cards[0]][name] * 100) for name in names] for cards in groups],
        rows=rows,
        columns=[printable(found.odds.wagers[name].wager.name) for name in names],
        title=f"Effect of removal: {title_of(found.odds.game)}",
        caption=" ".join(filter(None, caption)),
        made=made,
    )


def _suit_names(found: Removal, labels: Sequence[str]) -> str:
    """What the letters of suits mean, where a label has some."""
    if all(len(label) == 1 for label in labels):
        return ""
    return "Suits: " + ", ".join(f"{suit} {name}" for suit, name in found.odds.game.pack.suits.items()) + "."
