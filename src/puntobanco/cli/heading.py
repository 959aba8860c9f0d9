"""What stands above every printed result: the game, its document, digest and reading, and the shoe."""

from textwrap import wrap

from puntobanco.cli.columns import BOLD, Cell, Page, broken_at_commas, printable
from puntobanco.provenance import Provenance, changed_readings
from puntobanco.rules.game import Game


def write_heading(page: Page, made: Provenance, shoe_words: str, *, about: str = "") -> None:
    """Print which game is meant and what of it, by which rules under which readings, and from which shoe."""
    for line in wrap(": ".join(filter(None, (made.game.name, printable(about)))), page.width):
        page.write(Cell(line, BOLD))
    for sentence in made.heading:
        for line in broken_at_commas(sentence, page.width):
            page.write(line)
    page.note(printable(shoe_words))


def title_of(game: Game) -> str:
    """The game on a chart, which has no room for a heading: its name, and what is not read by default."""
    return "; ".join([game.name, *changed_in_words(game)])


def changed_in_words(game: Game) -> list[str]:
    """The switches that are not at their default, in words."""
    return [f"{name} = {option}" for name, option in changed_readings(game)]
