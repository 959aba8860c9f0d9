"""The option with which a command adds wagers of one's own to a game."""

import argparse

from puntobanco.rules.game import Game
from puntobanco.rules.wagers import Wager


def add_wager_file(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--wager-file", metavar="FILE", help="wagers of one's own beside the house's, in TOML or JSON")


def chosen_wagers(game: Game, arguments: argparse.Namespace) -> tuple[Wager, ...]:
    """The wagers of --wager-file, if one is given."""
    if arguments.wager_file is None:
        return ()
    from pathlib import Path  # Only needed with such a file, as is the reader.

    from puntobanco.rules.own_wagers import load_wagers

    return load_wagers(game, Path(arguments.wager_file))


def with_chosen_wagers(game: Game, arguments: argparse.Namespace) -> Game:
    """The game with the wagers of --wager-file among its own, if one is given."""
    wagers = chosen_wagers(game, arguments)
    if not wagers:
        return game
    from puntobanco.rules.own_wagers import with_own_wagers  # Only needed with such a file.

    return with_own_wagers(game, wagers)
