"""The roads of the shoe as they stand above the felt: as many as there is room for, the latest columns of each."""

from collections.abc import Iterable, Iterator, Sequence

from rich.console import Console
from rich.text import Text

from puntobanco.cards import Deal
from puntobanco.cli import roads as road_drawing
from puntobanco.cli.roads import GAP, Panel
from puntobanco.roads import RoadSettings, results_of, roads

BEAD_PLATE_COLUMNS = 6
"""How much of the bead plate is shown; the command `roads` shows all of it."""
BEAD_PLATE_WIDTH = 3 * BEAD_PLATE_COLUMNS
BIG_ROAD_LEAST = 22
DERIVED_ROAD_WIDTH = 18


class ShoeRoads:
    """The roads of these deals, drawn for this console."""

    def __init__(self, deals: Iterable[Deal], console: Console) -> None:
        shoe = roads(results_of(deals), RoadSettings(bead_plate_columns=BEAD_PLATE_COLUMNS))
        symbols = road_drawing.ASCII if console.options.ascii_only else road_drawing.UNICODE
        self.width = console.width
        self.bead_plate = road_drawing.bead_plate_panel(shoe, symbols)
        self.big_road = road_drawing.big_road_panel(shoe.big_road, symbols)
        self.derived = road_drawing.derived_panels(shoe, symbols)

    def one_rank(self) -> list[Text]:
        """All five side by side where the width allows, else the Bead Plate and the Big Road."""
        return self._all_five() or self._two()

    def choices(self) -> Iterator[list[Text]]:
        """All five, then two, then none, for whoever takes the first that there is room for."""
        yield self._all_five() or [*self._two(), Text(), *self._three()]
        yield self._two()
        yield []

    def _all_five(self) -> list[Text]:
        others = BEAD_PLATE_WIDTH + len(self.derived) * DERIVED_ROAD_WIDTH + 4 * GAP
        if self.width - others < BIG_ROAD_LEAST:
            return []
        widths = [BEAD_PLATE_WIDTH, self.width - others, *[DERIVED_ROAD_WIDTH] * len(self.derived)]
        return _side_by_side([self.bead_plate, self.big_road, *self.derived], widths)

    def _two(self) -> list[Text]:
        return _side_by_side([self.bead_plate, self.big_road], [BEAD_PLATE_WIDTH, self.width - BEAD_PLATE_WIDTH - GAP])

    def _three(self) -> list[Text]:
        width = (self.width - 2 * GAP) // len(self.derived)
        return _side_by_side(self.derived, [width] * len(self.derived))


def _side_by_side(panels: Sequence[Panel], widths: Sequence[int]) -> list[Text]:
    """The panels beside each other; each but the last takes no more than its width."""
    rank: list[Text] = []
    for panel, width in zip(panels, widths, strict=True):
        lines = panel.lines(width)
        if panel is not panels[-1] and lines[0].cell_len > width:
            lines[0] = Text(panel.name, style="bold")  # That these are the latest columns is seen.
        reach = max((line.cell_len for line in rank), default=-GAP) + GAP
        for line in rank:
            line.pad_right(reach - line.cell_len)
        rank = [before + line for before, line in zip(rank or [Text()] * len(lines), lines, strict=True)]
    for line in rank:
        line.rstrip()
    return rank
