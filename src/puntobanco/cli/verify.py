"""`puntobanco verify FILE ..`: deals committed shoes again from their transcripts."""

import argparse
import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import Any

from puntobanco import verify
from puntobanco.cards import shown
from puntobanco.cli import standard_input
from puntobanco.errors import DeclarationError, InputError, Unlawful
from puntobanco.games import editions, every_edition
from puntobanco.rules.game import Game
from puntobanco.table import BurnAndCut, BurnRule, TableSettings, UnfitSettings

HELP = (
    "Deal a shoe again from its transcript, and say which round is the first that does not follow. Of several files "
    "each is the shoe that followed at its table. The file verify.py of the package does the same wherever there is "
    "Python, and needs nothing else; only whether rules and decks are those of the game that is named, it cannot tell."
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
    """Print what was verified; a transcript that does not follow, or contradicts itself, is unlawful."""
    before = None
    for name in arguments.files:
        data = _bytes_of(name)
        try:
            print(verify.verify(data, before))
            print(_rules_in_words(json.loads(data), arguments.games))
        except verify.DoesNotFollow as found:
            which = f"{name!r}: " if len(arguments.files) > 1 else ""
            raise Unlawful("not-as-committed", f"{which}{found}") from None
        before = data
    return 0


def _rules_in_words(shoe: dict[str, Any], games: Sequence[Game]) -> str:
    """Whether the digest, which the anchor holds, is that of the game and the reading that are named beside it."""
    rules, decks = f"Rules {shoe['rules_digest']}", f"Decks: {shoe['decks']}."
    named = list[Game]()
    for edition in editions(shoe["game"], games):
        with suppress(InputError, DeclarationError):
            named.append(edition.read_as(**shoe["reading"]))
    for game in named:
        if game.digest == shoe["rules_digest"]:
            _check_shoe(shoe, game)
            return f"{rules}: those of {game.id} under its reading. {decks}"
    for game in every_edition(games):
        for other in _under_every_reading(game):
            if other.digest == shoe["rules_digest"]:
                reading = ", ".join(f"{switch} = {option}" for switch, option in other.reading.items())
                whose = f"those of {other.id} with {reading}, NOT of the game and the reading that are named"
                raise verify.DoesNotFollow(f"{rules}: {whose}.")
    if not named:
        return f"{rules}: NOT of a game and a reading that this program has. {decks}"
    if named[0].fixed_amounts:
        # A table may pay bonuses of its own, which the digest holds and the transcript does not name.
        told = f"of {named[0].id} with bonuses of the table's own, or of other rules: ask the house which"
        return f"{rules}: {told}. {decks}"
    raise verify.DoesNotFollow(f"{rules}: NOT those of {named[0].id} under its reading, as this program has them.")


def _check_shoe(shoe: dict[str, Any], game: Game) -> None:
    """Raise DoesNotFollow unless the game may be dealt from such a shoe."""
    cards_are_its_own = shoe["cards"] == [str(card) for card in game.pack.cards]
    verify.require(cards_are_its_own, f"The cards are not the pack of {game.id}.")
    try:
        TableSettings(game, decks=shoe["decks"], burn_and_cut=BurnAndCut(BurnRule(shoe["burn"]), shoe["cut_depth"]))
    except UnfitSettings as unfit:
        raise verify.DoesNotFollow(str(unfit)) from None


def _under_every_reading(game: Game) -> Iterator[Game]:
    for options in product(*game.switches.values()):
        yield game.read_as(**dict(zip(game.switches, options, strict=True)))


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
