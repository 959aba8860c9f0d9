"""What a par sheet is made of: paragraphs, facts and tables, whatever they are set in."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Paragraph:
    text: str


@dataclass(frozen=True)
class Facts:
    """Names and values: one under the other, or side by side as the key figures of a wager."""

    pairs: tuple[tuple[str, str], ...]
    side_by_side: bool = False


@dataclass(frozen=True)
class Column:
    heading: str
    width: float
    """The share of the page's width."""
    numeric: bool = False


@dataclass(frozen=True)
class Row:
    cells: tuple[str, ...]
    is_total: bool = False
    on_top: bool = False


@dataclass(frozen=True)
class Table:
    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    is_grid: bool = False
    """A grid is read along rows and columns; any other table can be shown as one card a row on a narrow screen."""
    note: str = ""
    key_figures: Facts | None = None


Block = Paragraph | Facts | Table


@dataclass(frozen=True)
class Section:
    """A part of the sheet that begins on a page of its own."""

    title: str
    digest: str
    """Of the rules under the reading that the section is about."""
    blocks: tuple[Block, ...]
    is_configuration: bool = True


@dataclass(frozen=True)
class Sheet:
    title: str
    subtitle: str
    issue: str
    """In place of a date: since when the rules hold, and what the sheet was made with."""
    sections: tuple[Section, ...]
