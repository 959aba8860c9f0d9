"""Tables of figures in a terminal, as plain text with colour where there is some.

They are drawn without rich because loading it takes longer than the exact odds of every wager of a game.
"""

import io
import os
import re
import sys
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import floor, log10
from textwrap import wrap
from typing import NamedTuple

BOLD, DIM, RED, GREEN, CYAN = "1", "2", "31", "32", "36"
"""Styles as terminals number them; several are joined by semicolons."""

BLOCKS = " ▏▎▍▌▋▊▉█"
USUAL_WIDTH = 80
GAP = "  "


class Cell(NamedTuple):
    """A piece of a row: its text, and how it looks in colour."""

    text: str
    style: str = ""


class Page:
    """Standard output as a page to write on: its width, and whether it has colours and block characters."""

    def __init__(self) -> None:
        if isinstance(sys.stdout, io.TextIOWrapper):
            # A character that cannot be shown, such as one in the name of an own wager, becomes a question mark.
            sys.stdout.reconfigure(errors="replace")
        self.width = _width()
        self.colour = _has_colour()
        self.blocks = _can_show(BLOCKS)

    def write(self, *cells: Cell | str) -> None:
        """Print a line of pieces."""
        print("".join([self.painted(cell) for cell in cells]).rstrip())

    def note(self, text: str) -> None:
        """Print sentences, wrapped."""
        for line in wrap(text, min(self.width, 100)):
            self.write(line)

    def painted(self, cell: Cell | str) -> str:
        if isinstance(cell, str):
            return cell
        is_styled = self.colour and cell.style and cell.text
        return f"\x1b[{cell.style}m{cell.text}\x1b[0m" if is_styled else cell.text

    def bar(self, share: float, width: int) -> str:
        """A bar of that share of the width; the least share that there is still shows."""
        if width <= 0 or share <= 0:
            return ""
        if not self.blocks:
            return "#" * max(1, round(share * width))
        whole, eighths = divmod(max(1, round(share * width * 8)), 8)
        return "█" * whole + (BLOCKS[eighths] if eighths else "")

    def table(self, rows: Iterable[Sequence[Cell | str]], align: str, *, width: int = 0) -> None:
        """Print rows in columns, aligned `<` or `>`; where a width is given, the first column is wrapped to it."""
        listed = [[Cell(cell) if isinstance(cell, str) else cell for cell in row] for row in rows]
        folded = [_fold(row, width) if width else [row] for row in listed]
        widths = [max(len(row[place].text) for lines in folded for row in lines) for place in range(len(align))]
        for lines in folded:
            for row in lines:
                cells: list[Cell | str] = []
                for cell, side, room in zip(row, align, widths, strict=True):
                    space = " " * (room - len(cell.text))
                    cells += [space, cell, GAP] if side == ">" else [cell, space, GAP]
                self.write(*cells)


def _fold(row: list[Cell], width: int) -> list[list[Cell]]:
    """The row as one or more lines of the table, with the text of its first cell broken between words."""
    (text, style), *others = row
    # A second line is indented further, so that it does not look like another row.
    indent = " " * (len(text) - len(text.lstrip()) + 2)
    first, *rest = wrap(text, width, subsequent_indent=indent) or [""]
    blank = [Cell("")] * len(others)
    return [[Cell(first, style), *others], *([Cell(line, style), *blank] for line in rest)]


def broken_at_commas(text: str, width: int) -> list[str]:
    """The text in lines that end with a comma or a semicolon where that is possible, so that dates stay whole.

    >>> broken_at_commas("the house, its rules, in force from 2019-05-09 17:00", 40)
    ['the house, its rules,', 'in force from 2019-05-09 17:00']
    """
    lines: list[str] = []
    for piece in re.split(r"(?<=[,;]) ", text):
        if lines and len(f"{lines[-1]} {piece}") <= width:
            lines[-1] += f" {piece}"
        else:
            lines += wrap(piece, width)
    return lines


def printable(text: str) -> str:
    """The text on one line without control characters, for names that come from a file."""
    return "".join(letter if letter.isprintable() else "?" for letter in " ".join(text.split()))


def percent(share: Fraction) -> str:
    """A probability in percent: four decimals, and three significant digits at least.

    >>> percent(Fraction(1, 3)), percent(Fraction(1, 3_000_000))
    ('33.3333%', '0.0000333%')
    """
    value = float(share * 100)
    if value == 0:
        return "0%"
    decimals = max(4, 2 - floor(log10(value)))
    return f"{value:.{decimals}f}%" if decimals <= 9 else f"{value:.2e}%"


def one_in(share: Fraction) -> str:
    """How rare a probability is: the N of "1 in N".

    >>> one_in(Fraction(2, 5)), one_in(Fraction(1, 1234567)), one_in(Fraction(0))
    ('2.50', '1,234,567', 'never')
    """
    if not share:
        return "never"
    value = float(1 / share)
    decimals = 2 if value < 100 else 1 if value < 1000 else 0
    return f"{value:,.{decimals}f}" if value < 1e12 else f"{value:.2e}"


def signed(value: Fraction | float, decimals: int) -> str:
    """The value with its sign and separators; zero has no sign, and neither has what is shown as zero.

    >>> signed(Fraction(1, 8), 2), signed(-5689.75, 2), signed(Fraction(0), 2), signed(Fraction(-1, 1000), 2)
    ('+0.12', '-5,689.75', '0.00', '0.00')
    """
    text = f"{float(value):+,.{decimals}f}"
    return text if text.strip("+-0.") else text[1:]


def unsigned(value: Fraction | float, decimals: int) -> str:
    """The value with a sign only where it is below zero and is shown so.

    >>> unsigned(Fraction(1, 8), 2), unsigned(Fraction(-1, 8), 2), unsigned(Fraction(-1, 1000), 2)
    ('0.12', '-0.12', '0.00')
    """
    return signed(value, decimals).removeprefix("+")


def signed_share(share: Fraction | float, decimals: int) -> str:
    """A share in percent, with its sign as `signed` gives it."""
    return f"{signed(share * 100, decimals)}%"


def signed_whole(value: Fraction | float) -> str:
    """A whole number with its sign and separators; zero has no sign.

    >>> signed_whole(-1234.5), signed_whole(0.2)
    ('-1,234', '0')
    """
    text = f"{float(value):+,.0f}"
    return text if text.strip("+-0") else "0"


def favour(value: Fraction) -> str:
    """The style of an expected value: green where it favours the patron."""
    return GREEN if value > 0 else RED if value < 0 else ""


def _width() -> int:
    given = os.environ.get("COLUMNS", "")
    if given.isascii() and given.isdigit() and int(given[:6]) > 0:
        return int(given[:6])
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or USUAL_WIDTH
    except (OSError, ValueError):  # A pipe, a file, or a stream that stands in for one.
        return USUAL_WIDTH


def _has_colour() -> bool:
    # no-color.org and force-color.org: any text that is not empty counts.
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM", "") not in ("dumb", "")


def _can_show(text: str) -> bool:
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
