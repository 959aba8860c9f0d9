"""`puntobanco games`: what can be played, and by which document."""

import argparse
import json

from puntobanco.games import GAMES
from puntobanco.provenance import Provenance
from puntobanco.rulecard import decks_line, document_line, summary

HELP = "List the games, each with its rule document, pack and wagers."
EXAMPLE = "puntobanco games --json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(games=GAMES)
    parser.add_argument("--json", action="store_true", help="print a JSON list instead of a table")


def run(arguments: argparse.Namespace) -> int:
    if arguments.json:
        print(
            json.dumps(
                [{**summary(game), "provenance": Provenance(game).as_json()} for game in arguments.games], indent=1
            )
        )
        return 0
    for game in arguments.games:
        print(f"{game.id}\n    {game.name}")
        print(f"    {document_line(game)}")
        print(f"    {game.pack.name}, {decks_line(game)}")
        print(f"    {', '.join(game.paytables)}\n")
    print("puntobanco rules GAME shows the rule card; puntobanco play GAME opens a table.")
    return 0
