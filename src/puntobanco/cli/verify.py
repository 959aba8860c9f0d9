"""`puntobanco verify FILE ..`: deals committed shoes again from their transcripts."""

import argparse
import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from puntobanco import verify
from puntobanco.cards import shown
from puntobanco.cli import standard_input
from puntobanco.errors import DeclarationError, InputError, Unlawful
from puntobanco.games import editions
from puntobanco.rules.game import Game

HELP = (
    "Deal a shoe again from its transcript, and say which round is the first that does not follow. Of several files "
    "each is the shoe that followed at its table. The file verify.py of the package does the same wherever there is "
    "Python, and needs nothing else; only whether the rules are those of the game that is named, it cannot tell."
)
EXAMPLE = "puntobanco verify shoe.json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="+",
        help="a transcript, as play --transcript FILE writes it; - is standard input",
    )


def run(arguments: argparse.Namespace) -> int:
    """Print what was verified; a transcript that does not follow is unlawful."""
    before = None
    for name in arguments.files:
        data = _bytes_of(name)
        try:
            told = verify.verify(data, before)
        except verify.DoesNotFollow as found:
            which = f"{name!r}: " if len(arguments.files) > 1 else ""
            raise Unlawful("not-as-committed", f"{which}{found}") from None
        print(f"{told}\n{_rules_in_words(json.loads(data), arguments.games)}")
        before = data
    return 0


def _rules_in_words(shoe: dict[str, Any], games: Sequence[Game]) -> str:
    """Whether the digest, which the anchor holds, is that of the game and the reading that are named beside it."""
    read = list[Game]()
    for edition in editions(shoe["game"], games):
        with suppress(InputError, DeclarationError):
            read.append(edition.read_as(**shoe["reading"]))
    if not read:
        return f"Rules {shoe['rules_digest']}: NOT of a game and a reading that this program has."
    game = read[0]
    if shoe["rules_digest"] in [each.digest for each in read]:
        return f"Rules {shoe['rules_digest']}: those of {game.id} under its reading."
    if game.fixed_amounts:
        # A table may pay bonuses of its own, which the digest holds and the transcript does not name.
        told = f"of {game.id} with bonuses of the table's own, or of other rules: ask the house which"
        return f"Rules {shoe['rules_digest']}: {told}."
    return f"Rules {shoe['rules_digest']}: NOT those of {game.id} under its reading, as this program has them."


def _bytes_of(name: str) -> bytes:
    if name == "-":
        # What is not UTF-8 is for the verifier to refuse, so the bytes are taken where there are any.
        typed = standard_input()
        binary = getattr(typed, "buffer", None)
        return bytes(binary.read()) if binary is not None else typed.read().encode(errors="surrogatepass")
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise InputError("unreadable-file", f"{shown(name)} cannot be read: {error.strerror}.") from None
    except ValueError:
        raise InputError("unreadable-file", f"{shown(name)} is no name of a file.") from None
