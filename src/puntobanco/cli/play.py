"""`puntobanco play GAME`: a table in the terminal."""

import argparse

from puntobanco.cli.reading import add_game, chosen_game
from puntobanco.errors import InputError
from puntobanco.rules.wagers import check_money
from puntobanco.table import BurnAndCut, BurnRule, Dealing, TableSettings
from puntobanco.table.settings import USUAL_DECKS

HELP = "Sit down at a table: place wagers, see the cards dealt, and every payment with its clause."
EXAMPLE = "puntobanco play six-star --seed 7"

BURNS = {"on": BurnRule.BY_FIRST_CARD, "off": BurnRule.OFF}
CUT_DEPTH = BurnAndCut.cut_depth
MINIMUM_STAKES_IN_A_BUY_IN = 100


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument(
        "--decks", type=int, metavar="N", default=None, help="decks in the shoe (default: as usual for the game)"
    )
    parser.add_argument(
        "--seed",
        type=int,
        metavar="S",
        help="deal the same shoes every time, for the same seed; without one, each shoe tells its own at its end",
    )
    parser.add_argument(
        "--balance",
        type=int,
        metavar="N",
        help=f"the chips to begin with (default: {MINIMUM_STAKES_IN_A_BUY_IN} minimum stakes)",
    )
    parser.add_argument("--burn", choices=BURNS, default="on", help="burn cards from a new shoe (default: on)")
    parser.add_argument(
        "--cut", type=int, metavar="N", default=CUT_DEPTH, help=f"cards behind the cut card (default: {CUT_DEPTH})"
    )
    parser.add_argument(
        "--transcript",
        metavar="FILE",
        help="write what verifies the shoe to this file at its end; the second shoe goes to FILE with -2, and so on; "
        "a file that is there already is not written over",
    )
    parser.add_argument("--fast", action="store_true", help="show the cards without pauses")


def run(arguments: argparse.Namespace) -> int:
    """Play until the patron leaves."""
    game = chosen_game(arguments)
    if arguments.decks == USUAL_DECKS:
        raise InputError("bad-usage", "A shoe has no negative number of decks.")
    decks = USUAL_DECKS if arguments.decks is None else arguments.decks
    burn_and_cut = BurnAndCut(BURNS[arguments.burn], arguments.cut)
    settings = TableSettings(game, decks=decks, burn_and_cut=burn_and_cut, dealing=Dealing.VIRTUAL)
    least = min(limits.minimum for limits in settings.limits.values())
    balance = MINIMUM_STAKES_IN_A_BUY_IN * least if arguments.balance is None else arguments.balance
    check_money("balance", balance)

    # Drawing is loaded only for a table that opens, so that help and mistakes are answered quickly.
    from puntobanco.cli.playing.committed_shoes import CommittedShoes
    from puntobanco.cli.playing.screen import Screen
    from puntobanco.cli.playing.session import Session

    shoes = CommittedShoes(arguments.seed, arguments.transcript)
    Session(settings, shoes, balance, Screen(fast=arguments.fast)).play()
    return 0
