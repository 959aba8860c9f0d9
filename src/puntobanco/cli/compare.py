"""`puntobanco compare A B ..`: games, numbers of decks or readings side by side."""

import argparse
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from string import ascii_uppercase
from textwrap import wrap

from puntobanco.cards import Shoe, shown
from puntobanco.cli.columns import BOLD, DIM, Cell, Page, favour, percent, printable, signed, unsigned
from puntobanco.cli.heading import changed_in_words
from puntobanco.cli.shoe_options import add_formats, add_stake, read_decks, read_stake, stake_note
from puntobanco.cli.wager_file import add_wager_file, with_chosen_wagers
from puntobanco.errors import InputError, nearest
from puntobanco.games import GAMES, find_game
from puntobanco.odds.pricing import Odds, WagerOdds, odds
from puntobanco.provenance import Provenance
from puntobanco.rules.game import Game

HELP = """Compare the exact odds of games, numbers of decks or readings, wager by wager.
Each is a game's id and, after a colon, what differs from the usual, such as
six-star:decks=6 or manila:decks=6,rounding=up. Differences are from the first."""
EXAMPLE = "puntobanco compare manila manila:decks=6 manila:tableau=manila-as-printed"

MOST = len(ascii_uppercase)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "compared",
        metavar="GAME",
        nargs="+",
        help="a game's id, with settings after a colon: GAME:SETTING=VALUE,..; a setting is decks or a switch",
    )
    add_stake(parser)
    add_wager_file(parser)
    add_formats(parser)


def run(arguments: argparse.Namespace) -> int:
    if not 2 <= len(arguments.compared) <= MOST:
        raise InputError(
            "bad-usage",
            f"compare takes 2 to {MOST} games, such as six-star:decks=6 six-star:decks=8, "
            f"not {len(arguments.compared)}.",
        )
    stake = read_stake(arguments.stake) if arguments.stake is not None else None
    columns = [_priced(text, arguments) for text in arguments.compared]
    if arguments.json:
        print(json.dumps(as_json(columns, stake), indent=1))
    elif arguments.csv:
        from puntobanco.odds.report import csv_text  # Only needed for programs.

        print(csv_text(rows(columns, stake)), end="")
    else:
        draw(Page(), columns, stake)
    return 0


@dataclass(frozen=True)
class Compared:
    """One of the things compared: what it was called, and its odds."""

    name: str
    decks: int
    odds: Odds

    @property
    def made(self) -> Provenance:
        return Provenance(self.odds.game, self.decks)


def read_compared(text: str, games: Iterable[Game] = GAMES) -> tuple[Game, int]:
    """The game and number of decks of a text such as `manila:decks=6,tableau=manila-as-printed`."""
    name, colon, settings = text.partition(":")
    game = find_game(name, games)
    decks = game.decks.default
    given: dict[str, str] = {}
    for setting in settings.split(",") if colon else ():
        switch, equals, value = setting.partition("=")
        switch = switch.strip().replace("-", "_")
        known = ["decks", *game.switches]
        if not equals:
            raise InputError("bad-usage", f"After the colon come settings such as decks=6, not {shown(setting)}.")
        if switch not in known:
            raise InputError("bad-usage", f"{game.id} has no setting {shown(switch)}{nearest(switch, known)}")
        if switch in given:
            raise InputError("bad-usage", f"The setting {switch} is given twice in {shown(text)}.")
        given[switch] = value.strip()
        if switch == "decks":
            decks = read_decks(game, value.strip())
        else:
            game = game.read_as(**{switch: value.strip()})
    return game, decks


def _priced(text: str, arguments: argparse.Namespace) -> Compared:
    game, decks = read_compared(text, arguments.games)
    game = with_chosen_wagers(game, arguments)
    return Compared(text, decks, odds(game, Shoe.full(game.pack, decks)))


Row = tuple[int, WagerOdds]
"""The place of a thing compared, and its odds of a wager."""


def _wagers(columns: Sequence[Compared]) -> dict[str, list[Row]]:
    """Every wager that at least one of them has, with the odds of each that has it."""
    found: dict[str, list[Row]] = {}
    for place, column in enumerate(columns):
        for name, wager in column.odds.wagers.items():
            found.setdefault(name, []).append((place, wager))
    return found


def draw(page: Page, columns: Sequence[Compared], stake: int | None = None) -> None:
    """Print for a person: a block for each wager, a row for each thing compared, and the differences."""
    for letter, column in zip(ascii_uppercase, columns, strict=False):
        game = column.odds.game
        page.write(Cell(letter, BOLD), f"  {'; '.join([game.name, f'{column.decks} decks', *changed_in_words(game)])}")
        for line in column.made.heading:
            for part in wrap(line, page.width - 3):
                page.write(f"   {part}")
    page.write()
    headings = ("wager", "", "expected value", "house edge", "wins", "deviation")
    table: list[list[Cell | str]] = [[Cell(heading, DIM) for heading in headings]]
    wagers = _wagers(columns)
    for has_all in (True, False):
        for found in wagers.values():
            if (len(found) == len(columns)) == has_all:
                table += _block(found, stake)
    page.table(table, "<>>>>>", width=30)
    if any(len(found) < len(columns) for found in wagers.values()):
        page.note("A wager is compared among those that have it.")
    every = [wager for found in wagers.values() for _, wager in found]
    page.note(stake_note(every, stake))


def _block(found: Sequence[Row], stake: int | None) -> Iterator[list[Cell | str]]:
    (first, reference), *others = found
    for place, wager in found:
        value = wager.value(stake)
        yield [
            Cell(printable(wager.wager.name) if place == first else "", BOLD),
            ascii_uppercase[place],
            Cell(signed(value, 6), favour(value)),
            f"{unsigned(-value * 100, 4)}%",
            percent(wager.hit),
            f"{sqrt(_variance(wager, stake)):,.4f}",
        ]
    for place, wager in others:
        difference = wager.value(stake) - reference.value(stake)
        variance, usual = _variance(wager, stake), _variance(reference, stake)
        cells = [
            f"{ascii_uppercase[place]} - {ascii_uppercase[first]}",
            signed(difference, 6),
            f"{signed(-difference * 100, 4)}%",
            f"{signed((wager.hit - reference.hit) * 100, 4)}%",
            signed(sqrt(variance) - sqrt(usual), 4),
        ]
        if not difference and (wager.hit, variance) == (reference.hit, usual):
            cells[1:] = ["same", "", "", ""]
        yield ["", *(Cell(text, DIM) for text in cells)]


def _variance(wager: WagerOdds, stake: int | None) -> Fraction:
    return wager.variance if stake is None else wager.variance_at(stake)


def as_json(columns: Sequence[Compared], stake: int | None = None) -> dict[str, object]:
    """What was compared, and by wager a value for each: null where it has no such wager."""
    wagers: dict[str, list[object]] = {}
    for name, found in _wagers(columns).items():
        wagers[name] = [None] * len(columns)
        for place, figures in _figures(found, stake):
            wagers[name][place] = figures
    return {
        "compared": [
            {**_identity(column), "reading": dict(column.odds.game.reading), "provenance": column.made.as_json()}
            for column in columns
        ],
        **({} if stake is None else {"stake": stake}),
        "wagers": wagers,
    }


def rows(columns: Sequence[Compared], stake: int | None = None) -> Iterator[dict[str, object]]:
    """A row for each wager of each thing compared."""
    for name, found in _wagers(columns).items():
        for place, figures in _figures(found, stake):
            staked = {} if stake is None else {"stake": stake}
            yield {**_identity(columns[place]), "wager": name, **staked, **figures, **columns[place].made.as_columns()}


def _identity(column: Compared) -> dict[str, object]:
    game, shoe = column.odds.game, column.odds.shoe
    return {"name": column.name, "game": game.id, "decks": column.decks, "cards": shoe.size}


def _figures(found: Sequence[Row], stake: int | None) -> Iterator[tuple[int, dict[str, object]]]:
    """The figures of a wager, and how they differ from those of the first that has it."""
    from puntobanco.odds.report import exact, summary_json

    (first, reference), *_ = found
    for place, wager in found:
        figures = summary_json(wager, stake)
        if place != first:
            figures |= {
                **exact("ev_difference", wager.ev - reference.ev),
                "house_edge_difference": float(wager.house_edge - reference.house_edge),
                "hit_difference": float(wager.hit - reference.hit),
                "std_difference": wager.standard_deviation - reference.standard_deviation,
            }
            if stake is not None:
                figures |= exact("ev_at_stake_difference", wager.ev_at(stake) - reference.ev_at(stake))
        yield place, figures
