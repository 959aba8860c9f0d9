"""The par sheet as a PDF: A4 landscape, with the rules digest and the page number on every page."""

from datetime import UTC, datetime
from pathlib import Path

from puntobanco.errors import Fault
from puntobanco.extras import optional_package
from puntobanco.parsheet.blocks import Facts, Paragraph, Section, Sheet, Table

with optional_package("fpdf2", "PDF files are made"):
    from fpdf import FPDF
    from fpdf.enums import XPos, YPos
    from fpdf.output import OutputProducer, PDFInfo
with optional_package("matplotlib", "The fonts of PDF files come"):
    import matplotlib

INK, SOFT, LINE, TINT, GREEN, PALE = (
    (27, 36, 32),
    (91, 104, 98),
    (213, 221, 216),
    (241, 245, 242),
    (20, 83, 45),
    (217, 234, 223),
)
MARGIN, FOOT = 12.0, 15.0
TEXT, SMALL, HEADING = 6.7, 5.8, 12.0
LEADING = 0.5
"""Millimetres of line height for each point of type."""
PADDING = 1.4
FONT = "DejaVu Sans"
FONT_FILES = {"": "DejaVuSans", "B": "DejaVuSans-Bold", "I": "DejaVuSans-Oblique"}
"""By style. Only the letters that a sheet uses are put into its file."""


def as_pdf(sheet: Sheet) -> bytes:
    """The whole document."""
    paper = _Paper(sheet)
    for section in sheet.sections:
        paper.section(section)
    return bytes(paper.output(output_producer_class=_WithoutDate))


class _WithoutDate(OutputProducer):
    """No clock: the same game gives the same bytes, so that a filed copy can be compared with a new one.

    The sheet is dated by its rules and the version that made it; any other date would be untrue.
    """

    def _add_info(self) -> PDFInfo:
        info = super()._add_info()
        info.creation_date = None  # type: ignore[assignment]  # As any other entry that is not there.
        return info


def _font_file(name: str) -> Path:
    path = Path(matplotlib.get_data_path(), "fonts", "ttf", f"{name}.ttf")
    if not path.is_file():
        raise Fault("missing-font", f"The PDF is set in {name}, which this installation of matplotlib has left out.")
    return path


class _Paper(FPDF):
    def __init__(self, sheet: Sheet) -> None:
        super().__init__(orientation="landscape", unit="mm", format="A4")
        self.sheet = sheet
        self.heading_of_page = ""
        self.digest_of_page = ""
        self.set_margins(MARGIN, MARGIN, MARGIN)
        self.c_margin = 0
        self.set_auto_page_break(True, FOOT)
        self.set_title(f"Par sheet: {sheet.title}")
        self.set_subject(sheet.subtitle)
        self.set_lang("en")
        # It is left out, but goes into the identifier of the file as well.
        self.set_creation_date(datetime(1970, 1, 1, tzinfo=UTC))
        self.set_keywords(f"{sheet.issue}; rules digest SHA-256 {sheet.sections[0].digest}")
        # Its own fonts, so that the sheet is the same on every screen and has every letter of a name.
        for style, name in FONT_FILES.items():
            self.add_font(FONT, style, _font_file(name))

    # What fpdf calls at the top and the foot of every page.

    def header(self) -> None:
        if self.page_no() == 1:
            return
        self._pen("", SMALL, SOFT)
        self.cell(self.epw / 2, 4, f"Par sheet: {self.sheet.title}")
        self.cell(self.epw / 2, 4, self.heading_of_page, align="R", new_x=XPos.LMARGIN, new_y=YPos.NEXT)
        self._rule(LINE)
        self.ln(2.5)

    def footer(self) -> None:
        self.set_y(-10)
        self._rule(LINE)
        self.ln(1)
        self._pen("", SMALL, SOFT)
        self.cell(self.epw * 0.75, 4, f"rules digest SHA-256 {self.digest_of_page}")
        self.cell(self.epw * 0.25, 4, f"page {self.page_no()} of {{nb}}", align="R")

    # The parts of the sheet.

    def section(self, section: Section) -> None:
        self.heading_of_page = section.title
        if section.is_configuration or self.page_no() == 0 or self.get_y() > self.h - FOOT - 45:
            self.add_page()
        else:
            self.ln(3)
        # Only now: the foot of the page before was still to be set.
        self.digest_of_page = section.digest
        if self.page_no() == 1 and self.get_y() < MARGIN + 1:
            self._title()
        self._pen("B", HEADING, INK)
        # The entry among the bookmarks.
        self.start_section(section.title)
        self.cell(0, 6, section.title, new_x=XPos.LMARGIN, new_y=YPos.NEXT)
        self._rule(GREEN)
        self.ln(2)
        for block in section.blocks:
            match block:
                case Paragraph(text):
                    self._text(text, TEXT, INK)
                    self.ln(1.2)
                case Facts():
                    self._list(block)
                case Table():
                    self._table(block)

    def _title(self) -> None:
        self._pen("B", 8, GREEN)
        self.cell(0, 4, "PAR SHEET", new_x=XPos.LMARGIN, new_y=YPos.NEXT)
        self._pen("B", 20, INK)
        self.cell(0, 10, self.sheet.title, new_x=XPos.LMARGIN, new_y=YPos.NEXT)
        self._pen("", 8, SOFT)
        self.cell(0, 5, self.sheet.subtitle, new_x=XPos.LMARGIN, new_y=YPos.NEXT)
        self.cell(0, 5, self.sheet.issue, new_x=XPos.LMARGIN, new_y=YPos.NEXT)
        self.ln(1)
        self._rule(GREEN, 0.8)
        self.ln(4)

    def _list(self, facts: Facts) -> None:
        for name, value in facts.pairs:
            self._pen("", TEXT, SOFT)
            self.cell(36, 4.4, name)
            self._pen("", TEXT, INK)
            self.multi_cell(0, 4.4, value, align="L", new_x=XPos.LMARGIN, new_y=YPos.NEXT)
            self._rule(LINE)
            self.ln(0.6)
        self.ln(3)

    def _table(self, table: Table) -> None:
        if self.get_y() + self._height(table) > self.h - FOOT:
            self.add_page()
        self._pen("B", 8, GREEN)
        self.cell(0, 5, table.title, new_x=XPos.LMARGIN, new_y=YPos.NEXT)
        self._row(table, tuple(column.heading for column in table.columns), "B", SMALL, SOFT)
        self._rule(INK)
        for row in table.rows:
            if row.is_total:
                self._rule(INK)
            self._row(table, row.cells, "B" if row.is_total else "I" if row.on_top else "", TEXT, INK)
            if not row.is_total:
                self._rule(LINE)
        if table.key_figures:
            self._figures(table.key_figures)
        if table.note:
            self.ln(0.6)
            self._text(table.note, SMALL, SOFT)
        self.ln(3)

    def _row(self, table: Table, cells: tuple[str, ...], style: str, size: float, colour: tuple[int, int, int]) -> None:
        top, left, height = self.get_y(), self.l_margin, self._row_height(table, cells, style, size)
        for place, (column, cell) in enumerate(zip(table.columns, cells, strict=True)):
            width = column.width * self.epw
            is_fraction = column.numeric and "/" in cell
            self._pen("" if is_fraction else style, SMALL if is_fraction else size, colour)
            align = "R" if column.numeric else "C" if table.is_grid and place else "L"
            if table.is_grid and cell == "D":
                self.set_fill_color(*PALE)
                self.rect(left, top + 0.1, width, height - 0.1, style="F")
            self.set_xy(left + PADDING, top + 0.5)
            self._cell(cell, width - 2 * PADDING, size * LEADING, align)
            left += width
        self.set_xy(self.l_margin, top + height)

    def _row_height(self, table: Table, cells: tuple[str, ...], style: str, size: float) -> float:
        self._pen(style, size, INK)
        lines = [
            1 if column.numeric else self._lines(cell, column.width * self.epw - 2 * PADDING)
            for column, cell in zip(table.columns, cells, strict=True)
        ]
        return max(lines) * size * LEADING + 1

    def _cell(self, text: str, width: float, height: float, align: str) -> None:
        # Setting a paragraph takes far longer than setting a line, and nearly every cell is one line.
        if self.get_string_width(text) <= width:
            self.cell(width, height, text, align=align)
        else:
            self.multi_cell(width, height, text, align=align)

    def _lines(self, text: str, width: float) -> int:
        if self.get_string_width(text) <= width:
            return 1
        lines = self.multi_cell(width, 1, text, align="L", dry_run=True, output="LINES")
        assert isinstance(lines, list)
        return len(lines)

    def _height(self, table: Table) -> float:
        """How much room the table takes: it is not torn apart unless a page cannot hold it."""
        height = 5 + self._row_height(table, tuple(column.heading for column in table.columns), "B", SMALL)
        height += sum(self._row_height(table, row.cells, "B" if row.is_total else "", TEXT) for row in table.rows)
        if table.key_figures:
            height += 5.2
        if table.note:
            self._pen("", SMALL, SOFT)
            height += 0.6 + self._lines(table.note, self.epw) * SMALL * LEADING
        return height

    def _figures(self, facts: Facts) -> None:
        top = self.get_y()
        self.set_fill_color(*TINT)
        self.rect(self.l_margin, top, self.epw, 5.2, style="F")
        self.set_xy(self.l_margin + PADDING, top)
        for name, value in facts.pairs:
            self._pen("", SMALL, SOFT)
            self.cell(self.get_string_width(name) + 1.2, 5.2, name)
            is_fraction = "/" in value
            self._pen("" if is_fraction else "B", SMALL if is_fraction else TEXT, INK)
            self.cell(self.get_string_width(value) + 5, 5.2, value)
        self.set_xy(self.l_margin, top + 5.2)

    # Pens and rules.

    def _pen(self, style: str, size: float, colour: tuple[int, int, int]) -> None:
        self.set_font(FONT, style, size)
        self.set_text_color(*colour)

    def _text(self, text: str, size: float, colour: tuple[int, int, int]) -> None:
        self._pen("", size, colour)
        self.multi_cell(0, size * LEADING, text, align="L", new_x=XPos.LMARGIN, new_y=YPos.NEXT)

    def _rule(self, colour: tuple[int, int, int], width: float = 0.2) -> None:
        self.set_draw_color(*colour)
        self.set_line_width(width)
        self.line(self.l_margin, self.get_y(), self.w - self.r_margin, self.get_y())
