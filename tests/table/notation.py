"""The lines of case files: settings of a table, and commands in the product's own notation with a few short forms.

    table six-star decks=4 burn=off
    shoe full                           -> shoe 1 of 260
    place anna tie 1000                 -> anna tie 0 to 1000
    deal P 9f Tf | B 9f Sf              -> refused betting-still-open 3.2

A line is meant for the round that the table is at, unless it says `in round 3:`.
"""

from collections.abc import Sequence

from contract.games import EVERY_GAME
from puntobanco import FIVE_ELEMENTS, STANDARD_PACK, InputError, Shoe, find_game
from puntobanco.dealing import BurnAndCut, BurnRule
from puntobanco.table import (
    Account,
    ChangeSettings,
    Command,
    Dealing,
    Limits,
    OpenShoe,
    OpenTable,
    RoundLimits,
    TableSettings,
    notation,
)
from puntobanco.table.notation import read_hands, words_of
from puntobanco.table.settings import USUAL_DECKS
from table.here import HERE
from table.watched import in_order

NotationError = InputError
"""A line that means nothing: the test is wrong, not the table."""


def read_settings(words: Sequence[str]) -> TableSettings:
    """The settings of a table: `manila decks=4 cut=10 burn=off limits:tie=100..5000/20 read:rounding=up house=9`."""
    game = find_game(words[0], EVERY_GAME)
    limits: dict[str, Limits] = {}
    of_round: dict[str, int] = {}
    decks, cut, currency, overrides = USUAL_DECKS, 14, "", frozenset[str]()
    burn, account, dealing = BurnRule.BY_FIRST_CARD, Account.CHIPS, Dealing.DEALER
    for word in words[1:]:
        name, _, value = word.partition("=")
        kind, _, what = name.partition(":")
        if kind == "decks":
            decks = int(value)
        elif kind == "cut":
            cut = int(value)
        elif kind == "burn":
            burn = BurnRule(value)
        elif kind == "dealing":
            dealing = Dealing(value)
        elif kind == "account":
            account = Account(value)
        elif kind == "currency":
            currency = value
        elif kind == "override":
            overrides |= {value}
        elif kind in ("patron", "all", "house"):
            of_round["table" if kind == "all" else kind] = int(value)
        elif kind == "limits":
            span, _, step = value.partition("/")
            minimum, _, maximum = span.partition("..")
            limits[what] = Limits(int(minimum), int(maximum), int(step))
        elif kind == "read":
            game = game.read_as(**{what: value})
        elif kind == "bonus":
            game = game.with_bonuses({what: int(value)})
        else:
            raise NotationError("unreadable-setting", f"A table has no setting {word!r}.")
    return TableSettings(
        game,
        decks,
        limits,
        RoundLimits(**of_round),
        account,
        currency,
        BurnAndCut(burn, cut),
        dealing,
        overrides,
    )


def read_command(settings: TableSettings, text: str) -> tuple[Command, ...]:
    """The command of a line; the deal of a whole round is several."""
    match words_of(text):
        case ["deal", _, _, _, *_] as words:
            return tuple(in_order(read_hands(settings, words[1:])))
        case ["settings", *words]:
            return (ChangeSettings(read_settings(words)),)
        case ["open", "table", *words]:
            return (OpenTable(read_settings(words)),)
        case ["shoe", "other", "pack"]:
            own = settings.game.pack
            other = FIVE_ELEMENTS if own is STANDARD_PACK else STANDARD_PACK
            return (OpenShoe(Shoe.full(other, settings.decks)),)
        case _:
            return (notation.read_command(settings, text, HERE),)
