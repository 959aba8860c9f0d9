"""The option with which a command adds wagers of one's own to a game."""

import argparse

from puntobanco.rules.game import Game


def add_wager_file(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--wager-file", metavar="FILE", help="wagers of one's own beside the house's, in TOML or JSON")


def with_chosen_wagers(game: Game, arguments: argparse.Namespace) -> Game:
    """The game with the wagers of --wager-file among its own, if one is given."""
    if arguments.wager_file is None:
        return game
    from pathlib import Path  # Only needed with such a file, as is the reader.

    from puntobanco.rules.own_wagers import load_wagers, with_own_wagers

    return with_own_wagers(game, load_wagers(game, Path(arguments.wager_file)))
