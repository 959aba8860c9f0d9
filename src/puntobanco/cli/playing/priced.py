"""The odds of a spot as the table tells them: exact, for the next round, from the cards that nobody has seen."""

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.table import Table as Grid
from rich.text import Text

from puntobanco.cli.columns import one_in, percent, signed
from puntobanco.cli.playing.felt import amount_in_figures
from puntobanco.cli.playing.patron_words import PATRON
from puntobanco.errors import InputError
from puntobanco.odds.pricing import WagerOdds, odds
from puntobanco.table import Phase, Table

PER_CENT = 100


def odds_of(table: Table, spots: Sequence[str]) -> Iterator[RenderableType]:
    """The odds of these spots line by line; where none is named, what every spot is worth."""
    if table.phase is not Phase.BETTING or table.unseen is None:
        raise InputError("no-round", "Odds are those of the next round, and this shoe has none left: open a new shoe.")
    found = odds(table.settings.game, table.unseen)
    if spots:
        for spot in spots:
            yield from _one_spot(found.wagers[spot], table.stake(PATRON, spot))
    else:
        yield _every_spot([found.wagers[spot] for row in table.settings.game.rows for spot in row])
    named = spots or tuple(found.wagers)
    yield Text(f"Exact, from the {table.unseen.size:,} cards not yet seen.")
    if any(found.wagers[spot].fixed_bonuses for spot in named):
        yield Text("The figure for 100 leaves the fixed bonuses out.")


def _columns(*headings: str) -> Grid:
    grid = Grid(box=None, padding=(0, 2, 0, 0), show_edge=False)
    for place, heading in enumerate(headings):
        grid.add_column(heading, justify="right" if place else "left")
    return grid


def _every_spot(priced: Sequence[WagerOdds]) -> Grid:
    grid = _columns("spot", "wins", "1 in", "per 100")
    for each in priced:
        grid.add_row(each.wager.name, percent(each.hit), one_in(each.hit), signed(each.ev * PER_CENT, 4))
    return grid


def _one_spot(priced: WagerOdds, stake: int) -> Iterator[RenderableType]:
    grid = _columns(priced.wager.name, "pays", "chance", "1 in")
    for line in priced.lines:
        pays = f"{'+' if line.on_top else ''}{amount_in_figures(line.line)}"
        grid.add_row(line.line.label, pays, percent(line.probability), one_in(line.probability))
    yield grid
    yield Text(f"100 staked bring {signed(priced.ev * PER_CENT, 4)} on average.")
    if stake:
        yield Text(
            f"Your {stake:,} bring {signed(priced.ev_at(stake) * stake, 2)}, rounding and fixed bonuses included."
        )
