"""The options with which a command describes a shoe and the numbers that it takes."""

import argparse
import json
from collections.abc import Iterable
from typing import TYPE_CHECKING

from puntobanco.cards import Shoe, shown
from puntobanco.cli import standard_input
from puntobanco.errors import InputError
from puntobanco.odds.chosen_shoe import ChosenShoe, check_decks
from puntobanco.rules.game import Game
from puntobanco.rules.wagers import read_money

if TYPE_CHECKING:
    from puntobanco.odds.pricing import WagerOdds


def add_shoe(parser: argparse.ArgumentParser) -> None:
    """Declare --decks, --remove and --shoe."""
    parser.add_argument(
        "--decks", metavar="N", help="how many decks the shoe is made of (default: as usual for the game)"
    )
    parser.add_argument(
        "--remove",
        metavar="CARDS",
        help='cards that have left the shoe, such as "9s Kd"; a bare rank, as in "6 6 9", stands for any suit '
        "in a game of which no wager looks at suits",
    )
    parser.add_argument(
        "--shoe",
        metavar="FILE",
        help='what is in the shoe before the round, as a JSON object of counts, {"Ah": 7, ..}; '
        "cards not named are absent; - reads standard input",
    )


def add_stake(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--stake", metavar="N", help="value every wager at this very stake: fixed bonuses and rounding included"
    )


def stake_note(wagers: "Iterable[WagerOdds]", stake: int | None) -> str:
    """What a page says of the stake, and of fixed bonuses where a wager has any."""
    has_fixed_bonuses = any(wager.has_fixed_bonuses for wager in wagers)
    if stake is not None:
        return f"Valued at a stake of {stake:,}{', fixed bonuses included' if has_fixed_bonuses else ''}."
    if has_fixed_bonuses:
        return "Fixed bonuses are left out: --stake N values every wager at a stake of N with them."
    return ""


def add_formats(parser: argparse.ArgumentParser) -> None:
    """Declare --json and --csv, of which one may be given."""
    formats = parser.add_mutually_exclusive_group()
    formats.add_argument("--json", action="store_true", help="print JSON: exact fractions, floats beside them")
    formats.add_argument("--csv", action="store_true", help="print CSV: exact fractions, floats beside them")


def chosen_shoe(game: Game, arguments: argparse.Namespace) -> ChosenShoe:
    """The shoe of --decks or --shoe, less the cards of --remove."""
    if arguments.shoe is not None:
        if arguments.decks is not None:
            raise InputError("bad-usage", "Give the shoe by --decks or by --shoe, not by both.")
        named = "standard input" if arguments.shoe == "-" else arguments.shoe
        chosen = ChosenShoe.of_cards(load_shoe(game, arguments.shoe), f"the shoe of {named}")
    else:
        decks = read_decks(game, arguments.decks) if arguments.decks is not None else game.decks.default
        chosen = ChosenShoe.of_decks(game, decks)
    return chosen if arguments.remove is None else chosen.less(game, arguments.remove)


def read_decks(game: Game, text: str) -> int:
    """The number of decks that the text names; refused unless the game is played with so many."""
    return check_decks(game, whole_number(text), text)


def read_stake(text: str) -> int:
    return read_money("stake", text)


def whole_number(text: str) -> int | None:
    """The number that the text writes in plain digits; None if it is no such text."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 20 else None


def read_number(name: str, text: str, least: int, most: int) -> int:
    """The number that the option names, refused beyond these bounds."""
    number = whole_number(text)
    if number is None or not least <= number <= most:
        raise InputError("bad-usage", f"--{name} takes a whole number from {least:,} to {most:,}, not {shown(text)}.")
    return number


def load_shoe(game: Game, path: str) -> Shoe:
    """The shoe of a file such as `{"Ah": 7, "2h": 8}`, or of standard input where the path is a dash."""
    try:
        if path == "-":
            found = json.load(standard_input(), object_pairs_hook=_without_repeats)
        else:
            with open(path, encoding="utf-8") as file:
                found = json.load(file, object_pairs_hook=_without_repeats)
    except OSError as error:
        raise InputError("unreadable-file", f"{shown(path)} cannot be read: {error.strerror}.") from None
    except InputError:
        raise
    except (ValueError, RecursionError):
        raise InputError("unreadable-file", f"{shown(path)} is not JSON in UTF-8.") from None
    if not isinstance(found, dict):
        raise InputError("wrong-composition", f'{shown(path)} is not a shoe: write a JSON object such as {{"Ah": 7}}.')
    return Shoe.of_counts(game.pack, found)


def _without_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise InputError("wrong-composition", "The shoe names the same card twice.")
    return found
