"""`puntobanco games`: what can be played, and by which document."""

import argparse
import json

from puntobanco.games import GAMES
from puntobanco.rules.game import Game

HELP = "List the games, each with its rule document, pack and wagers."
EXAMPLE = "puntobanco games --json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print a JSON list instead of a table")


def run(arguments: argparse.Namespace) -> int:
    if arguments.json:
        print(json.dumps([as_json(game) for game in GAMES], indent=1))
        return 0
    for game in GAMES:
        print(f"{game.id}\n    {game.name}")
        print(f"    {document_line(game)}")
        print(f"    {game.pack.name}, {game.decks.minimum} to {game.decks.maximum} decks")
        print(f"    {', '.join(game.paytables)}\n")
    print("puntobanco rules GAME shows the rule card; puntobanco play GAME opens a table.")
    return 0


def document_line(game: Game) -> str:
    """The document as one cites it: house, title, version, date."""
    document = game.document
    parts = [f"{document.publisher}, {document.title}"]
    if document.version:
        parts.append(f"version {document.version}")
    if document.effective:
        parts.append(f"in force from {document.effective.replace('T', ' ')}")
    return ", ".join(parts)


def as_json(game: Game) -> dict[str, object]:
    return {
        "game": game.id,
        "name": game.name,
        "document": {
            "publisher": game.document.publisher,
            "title": game.document.title,
            "version": game.document.version,
            "effective": game.document.effective,
        },
        "pack": game.pack.id,
        "decks": {"minimum": game.decks.minimum, "maximum": game.decks.maximum, "default": game.decks.default},
        "wagers": list(game.paytables),
        "switches": {name: list(options) for name, options in game.switches.items()},
        "digest": game.digest,
    }
