"""`puntobanco roads`: the five roads of a shoe, drawn in the terminal or as JSON."""

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, get_args

from puntobanco.cli import standard_input
from puntobanco.errors import InputError
from puntobanco.roads import (
    DEFAULT_SETTINGS,
    NO_PREDICTION,
    Ask,
    BigRoad,
    Colour,
    DerivedRoad,
    LeadingTie,
    Result,
    Roads,
    RoadSettings,
    Tail,
    as_json,
    parse_results,
    roads,
)

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

HELP = "Draw the five roads of a shoe, with what the next round would mark on each. They do not predict it."
EXAMPLE = "puntobanco roads BBPTPPBBBP"

ROWS = DEFAULT_SETTINGS.rows
GAP = 3
RED, BLUE, GREEN = "bold red", "bold bright_blue", "bold green"
MARK_STYLES: Mapping[Colour, str] = {"R": RED, "B": BLUE}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument(
        "results",
        nargs="?",
        metavar="RESULTS",
        help="B, P or T for each round, oldest first; or - to read standard input",
    )
    parser.add_argument(
        "--stdin", action="store_true", help="read letters, or a JSON object a line, from standard input"
    )
    parser.add_argument("--json", action="store_true", help="print the roads as JSON")
    parser.add_argument(
        "--leading-tie",
        choices=get_args(LeadingTie),
        default="attach",
        help="ties before the first winner: counted on its cell, or a column of their own (default: attach)",
    )
    parser.add_argument(
        "--tail",
        choices=get_args(Tail),
        default="hold",
        help="a run that has turned right: holds its row, or drops again where it can (default: hold)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the roads of the given results."""
    results = parse_results(_text(arguments))
    shoe = roads(results, RoadSettings(leading_tie=arguments.leading_tie, tail=arguments.tail))
    if arguments.json:
        print(json.dumps(as_json(shoe)))
    else:
        # Drawing is loaded only when something is drawn, so that every other answer comes quickly.
        from rich.console import Console

        draw_all(Console(highlight=False), results, shoe)
    return 0


def _text(arguments: argparse.Namespace) -> str:
    given: str | None = arguments.results
    from_standard_input = arguments.stdin or given == "-"
    if from_standard_input and given not in (None, "-"):
        raise InputError("two-inputs", "Give the results as an argument or on standard input, not both.")
    if not from_standard_input:
        if given is None:
            raise InputError("no-results", "Give the results, such as BBPTP, or --stdin to read them.")
        return given
    try:
        return standard_input().read()
    except UnicodeDecodeError:
        raise InputError("unreadable-results", "Standard input is not text in UTF-8.") from None


class Square(NamedTuple):
    """A filled square of a drawn road: pieces of text, each with its style."""

    column: int
    row: int
    pieces: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Panel:
    """A road ready to be drawn, with what an empty square and an empty road show."""

    name: str
    squares: Sequence[Square]
    square_width: int
    empty_square: str
    empty_road: str

    def lines(self, width: int) -> list["Text"]:
        """The road as a title and its rows; where the width is short, its latest columns."""
        from rich.text import Text

        title = Text(self.name, style="bold")
        if not self.squares:
            return [title, Text(self.empty_road, style="dim"), *(Text() for _ in range(ROWS - 1))]
        columns = max(square.column for square in self.squares) + 1
        shown = max(1, min(columns, width // self.square_width))
        if shown < columns:
            title.append(f"  (latest {shown} of {columns} columns)", style="not bold")
        filled = {square[:2]: square.pieces for square in self.squares}
        lines = [title]
        for row in range(ROWS):
            line = Text()
            for place, column in enumerate(range(columns - shown, columns), start=1):
                line = line + Text.assemble(*filled.get((column, row), ((self.empty_square, "dim"),)))
                line.pad_right(place * self.square_width - line.cell_len)
            lines.append(line)
        return lines


@dataclass(frozen=True)
class Symbols:
    """What is drawn: size and slant tell red from blue where there is no colour."""

    marks: Mapping[str, Mapping[Colour, str]]
    empty: str


UNICODE = Symbols(
    marks={
        "Big Eye Boy": {"R": "○", "B": "◦"},
        "Small Road": {"R": "●", "B": "•"},
        "Cockroach Pig": {"R": "/", "B": "\\"},
    },
    empty="·",
)
ASCII = Symbols(
    marks={
        "Big Eye Boy": {"R": "O", "B": "o"},
        "Small Road": {"R": "@", "B": "*"},
        "Cockroach Pig": {"R": "/", "B": "\\"},
    },
    empty="-",
)


def draw_all(console: "Console", results: Sequence[Result], shoe: Roads) -> None:
    symbols = ASCII if console.options.ascii_only else UNICODE
    _draw_side_by_side(console, [bead_plate_panel(shoe, symbols), big_road_panel(shoe.big_road, symbols)])
    _draw_side_by_side(console, derived_panels(shoe, symbols))
    for name, style, asked in (("Banker", RED, shoe.ask_banker), ("Player", BLUE, shoe.ask_player)):
        console.print(_ask_line(symbols, name, style, asked))
    console.print()
    console.print(_counts_line(results))
    ties = shoe.big_road.waiting_ties
    if ties:
        console.print(f"The first winner will carry the {ties} tie{'s' if ties > 1 else ''} on the Big Road.")
    for line in _legend(symbols, results):
        console.print(line)
    console.print(NO_PREDICTION, style="italic")


def bead_plate_panel(shoe: Roads, symbols: Symbols) -> Panel:
    backgrounds = {"B": "red", "P": "blue", "T": "green"}
    squares = [
        Square(
            bead.column,
            bead.row,
            (
                ("'" if bead.result.banker_pair else " ", RED),
                (bead.result.winner, f"bold white on {backgrounds[bead.result.winner]}"),
                ("." if bead.result.player_pair else " ", BLUE),
            ),
        )
        for bead in shoe.bead_plate
    ]
    return Panel("Bead Plate", squares, 3, f" {symbols.empty} ", "no rounds yet")


def big_road_panel(road: BigRoad, symbols: Symbols) -> Panel:
    styles = {"B": RED, "P": BLUE, "T": GREEN}
    squares = [
        Square(cell.column, cell.row, ((cell.winner, styles[cell.winner]), (_tie_count(cell.ties), GREEN)))
        for cell in road.cells
    ]
    return Panel("Big Road", squares, 2, symbols.empty, "no winner yet")


def _tie_count(ties: int) -> str:
    if ties == 0:
        return ""
    return str(ties) if ties <= 9 else "+"


def derived_panels(shoe: Roads, symbols: Symbols) -> list[Panel]:
    derived = (shoe.big_eye_boy, shoe.small_road, shoe.cockroach_pig)
    return [
        _derived_road(name, marks, road) for (name, marks), road in zip(symbols.marks.items(), derived, strict=True)
    ]


def _derived_road(name: str, marks: Mapping[Colour, str], road: DerivedRoad) -> Panel:
    # An empty square is left blank here: a dot would be taken for a small mark.
    squares = [Square(column, row, ((marks[colour], MARK_STYLES[colour]),)) for column, row, colour in road.cells]
    return Panel(name, squares, 2, " ", "no marks yet")


def _draw_side_by_side(console: "Console", panels: Iterable[Panel]) -> None:
    """Draw roads beside each other as far as the width goes, and the rest below."""
    rank: list[Text] = []
    for panel in panels:
        lines = panel.lines(console.width)
        reach = max((line.cell_len for line in rank), default=0) + GAP
        if rank and reach + max(line.cell_len for line in lines) <= console.width:
            for line in rank:
                line.pad_right(reach - line.cell_len)
            rank = [before + line for before, line in zip(rank, lines, strict=True)]
        else:
            _print_rank(console, rank)
            rank = lines
    _print_rank(console, rank)


def _print_rank(console: "Console", lines: Sequence["Text"]) -> None:
    for line in lines:
        line.rstrip()
    used = [number for number, line in enumerate(lines, start=1) if line]
    for line in lines[: max(used, default=0)]:
        console.print(line, no_wrap=True, overflow="crop")
    if lines:
        console.print()


def _ask_line(symbols: Symbols, name: str, style: str, asked: Ask) -> "Text":
    from rich.text import Text

    line = Text.assemble("If ", (name, style), " wins next:")
    for (road, marks), colour in zip(symbols.marks.items(), asked, strict=True):
        line.append(f" {road} ")
        line = line + (Text(marks[colour], MARK_STYLES[colour]) if colour else Text("none", "dim"))
        line.append(",")
    line.right_crop()
    return line


def _counts_line(results: Sequence[Result]) -> str:
    won = Counter(result.winner for result in results)
    counts = {"Banker": won["B"], "Player": won["P"], "Tie": won["T"]}
    # Letters tell nothing of pairs, so a count of none would claim more than is known.
    if _has_pairs(results):
        counts["Banker pair"] = sum(result.banker_pair for result in results)
        counts["Player pair"] = sum(result.player_pair for result in results)
    listed = ", ".join(f"{name} {count}" for name, count in counts.items())
    return f"{len(results)} round{'' if len(results) == 1 else 's'}: {listed}."


def _legend(symbols: Symbols, results: Sequence[Result]) -> Iterator["Text"]:
    from rich.text import Text

    yield Text("B Banker, P Player, T Tie; a number on the Big Road counts ties.")
    if _has_pairs(results):
        yield Text("On the Bead Plate ' is a Banker pair and . a Player pair.")
    red, blue = (" ".join(marks[colour] for marks in symbols.marks.values()) for colour in get_args(Colour))
    yield Text.assemble(
        "On the derived roads red ",
        (red, MARK_STYLES["R"]),
        " keeps a pattern, blue ",
        (blue, MARK_STYLES["B"]),
        " breaks it.",
    )


def _has_pairs(results: Iterable[Result]) -> bool:
    return any(result.banker_pair or result.player_pair for result in results)
