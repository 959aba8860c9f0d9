"""What stands between the latest round and the prompt: roads, felt and sentences, as far as there is room."""

from collections.abc import Iterator, Sequence

from rich.text import Text

from puntobanco.cli.playing.felt import felt, spots_line
from puntobanco.cli.playing.screen import LEAST_FRAME, Screen
from puntobanco.cli.playing.shoe_roads import ShoeRoads
from puntobanco.table import Table


def betting_frame(table: Table, screen: Screen, sentences: Sequence[Text]) -> list[Text]:
    """The largest picture that leaves the scene in sight, and the sentences below it."""
    room = screen.room - screen.height_of(*sentences)
    # Whatever else must go, stakes are seen where they lie.
    least = [spots_line(table, screen.console)] if table.held else []
    picture = next((lines for lines in _pictures(table, screen) if screen.height_of(*lines) <= room), least)
    return [*picture, *sentences]


def _pictures(table: Table, screen: Screen) -> Iterator[list[Text]]:
    """Roads and felt in ever fewer lines: first the roads give way, then what is printed on the felt."""
    console, whole, deals = screen.console, felt(table, screen.console), table.standing_deals
    for roads in ShoeRoads(deals, console).choices() if deals else ([],):
        yield [Text(), *roads, Text(), *whole] if roads else whole
    yield felt(table, console, brief=True)
    yield [spots_line(table, console)]


def whole_felt_fits(table: Table, screen: Screen) -> bool:
    """Whether the terminal is high enough for the felt with all that is printed on it."""
    return screen.height_of(*felt(table, screen.console)) + LEAST_FRAME <= screen.console.height
