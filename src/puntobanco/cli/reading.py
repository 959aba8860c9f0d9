"""What several commands share: choosing a game and the readings of its switches.

The games to choose from are in `arguments.games`: those of the package, unless `main` was given others.
"""

import argparse

from puntobanco.errors import InputError
from puntobanco.games import GAMES, find_game
from puntobanco.rules.game import Game


def add_game(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(games=GAMES)
    parser.add_argument("game", metavar="GAME", help="the game's id; puntobanco games lists them")
    parser.add_argument(
        "--reading",
        metavar="SWITCH=OPTION",
        action="append",
        default=[],
        help="read a doubtful clause in the other way, such as rounding=up; may be repeated",
    )


def chosen_game(arguments: argparse.Namespace) -> Game:
    """The game that the arguments name, under the readings that they ask for."""
    options: dict[str, str] = {}
    for text in arguments.reading:
        name, equals, option = text.partition("=")
        if not equals:
            raise InputError("bad-usage", f"--reading takes SWITCH=OPTION, such as rounding=up, not {text[:40]!r}.")
        options[name.replace("-", "_")] = option
    game = find_game(arguments.game, arguments.games)
    return game.read_as(**options) if options else game
