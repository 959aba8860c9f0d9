"""What a patron types at the table: verbs, spots and amounts, read into commands of the table.

>>> from puntobanco import find_game
>>> game = find_game("six-star")
>>> read_changes(game, "b 2000 player pair +1k")
(Change(spot='banker', sign='', amount=2000), Change(spot='player-pair', sign='+', amount=1000))
"""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from puntobanco.cards import shown
from puntobanco.errors import InputError, names_holding, nearest
from puntobanco.rules.game import Game
from puntobanco.rules.wagers import MONEY_LIMIT
from puntobanco.table import IncreaseWager, PlaceWager, ReduceWager, Table, WagerCommand, WithdrawWager

PATRON = "you"
"""The name under which the table holds the stakes of the one person at this terminal."""


class Verb(StrEnum):
    """What can be asked for, beside a stake on a spot."""

    DEAL = "deal"
    INCREASE = "increase"
    REDUCE = "reduce"
    WITHDRAW = "withdraw"
    CLEAR = "clear"
    DOUBLE = "double"
    REPEAT = "repeat"
    FELT = "felt"
    ROADS = "roads"
    RULES = "rules"
    ODDS = "odds"
    REBUY = "rebuy"
    HELP = "help"
    QUIT = "quit"


_VERBS = {verb.value: verb for verb in Verb} | {
    "": Verb.DEAL,
    "d": Verb.DEAL,
    "+": Verb.INCREASE,
    "-": Verb.REDUCE,
    "w": Verb.WITHDRAW,
    "c": Verb.CLEAR,
    "r": Verb.REPEAT,
    "h": Verb.HELP,
    "?": Verb.HELP,
    "q": Verb.QUIT,
    "exit": Verb.QUIT,
}
TAKES_SPOTS = frozenset({Verb.INCREASE, Verb.REDUCE, Verb.WITHDRAW, Verb.CLEAR, Verb.DOUBLE, Verb.ODDS})
_SIGNS = {Verb.INCREASE: "+", Verb.REDUCE: "-"}
_AMOUNT = re.compile(r"([+-]?)([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(k?)")


class Change(NamedTuple):
    """A change to the stake on a spot: to an amount, or by an amount where there is a sign."""

    spot: str
    sign: str
    amount: int

    def command(self, table: Table) -> WagerCommand | None:
        """The command that makes the change, given what is on the spot now; None where nothing is to change."""
        staked, number = table.stake(PATRON, self.spot), table.round_number
        if self.sign == "-":
            return ReduceWager(number, PATRON, self.spot, by=self.amount)
        if self.sign == "+" and staked:
            return IncreaseWager(number, PATRON, self.spot, by=self.amount)
        if self.sign == "+" or (self.amount and not staked):
            return PlaceWager(number, PATRON, self.spot, self.amount)
        if not self.amount:
            return WithdrawWager(number, PATRON, self.spot)
        if self.amount > staked:
            return IncreaseWager(number, PATRON, self.spot, by=self.amount - staked)
        return ReduceWager(number, PATRON, self.spot, by=staked - self.amount) if self.amount < staked else None


def short_names(game: Game) -> Mapping[str, str]:
    """By wager id the initials, such as `pp` for the Player Pair; where two spots share them, the whole id."""
    initials = {wager: "".join(part[0] for part in wager.split("-")) for wager in game.paytables}
    letters = list(initials.values())
    return {wager: short if letters.count(short) == 1 else wager for wager, short in initials.items()}


def read_verb(game: Game, text: str) -> tuple[Verb | None, str]:
    """The verb that a line begins with, and the rest of the line; no verb where it begins with a spot."""
    first, _, rest = text.strip().lower().partition(" ")
    if first in short_names(game).values():
        return None, text
    verb = _VERBS.get(first)
    if verb is None:
        return None, text
    if rest.strip() and verb not in TAKES_SPOTS:
        raise InputError("too-many-words", f"{verb.capitalize()} stands alone: {shown(rest.strip())} is too much.")
    return verb, rest


def asked_changes(
    game: Game, verb: Verb | None, rest: str, stakes: Mapping[str, int], last_stakes: Mapping[str, int]
) -> tuple[Change, ...]:
    """The changes that a line about stakes asks for, given those on the felt and those of the round before."""
    if verb is Verb.REPEAT:
        if not last_stakes:
            raise InputError("nothing-placed", "There are no stakes of an earlier round to repeat.")
        others = (Change(spot, "", 0) for spot in stakes if spot not in last_stakes)
        return (*others, *(Change(spot, "", stake) for spot, stake in last_stakes.items()))
    if verb not in (Verb.WITHDRAW, Verb.CLEAR, Verb.DOUBLE):
        return read_changes(game, rest, verb)
    spots = read_spots(game, rest) or tuple(stakes)
    if not spots:
        raise InputError("nothing-placed", f"Nothing is on the felt to {verb}.")
    if verb is not Verb.DOUBLE:
        return tuple(Change(spot, "", 0) for spot in spots)
    for spot in spots:
        if spot not in stakes:
            raise InputError("nothing-placed", f"Nothing is on {spot} to double.")
    return tuple(Change(spot, "+", stakes[spot]) for spot in spots)


def read_changes(game: Game, text: str, verb: Verb | None = None) -> tuple[Change, ...]:
    """The stakes of a line such as `banker 2000 tie +500`; after increase or reduce every amount is by how much."""
    words = _words(game, text)
    example = f"write the spot and then the amount, such as {next(iter(game.paytables))} 2,000"
    if not words:
        raise InputError("no-spot", f"No spot is named: {example}.")
    changes = []
    for place in range(0, len(words), 2):
        if _AMOUNT.fullmatch(words[place]):
            raise InputError("no-spot", f"{shown(words[place])} stands where a spot should: {example}.")
        # A mistyped command is taken for a spot, so where one could stand the commands may have been meant too.
        spot = find_spot(game, words[place], or_command=verb is None and place == 0)
        if place + 1 == len(words):
            raise InputError("no-amount", f"How much on {spot}? Write {short_names(game)[spot]} and the amount.")
        sign, amount = _amount(words[place + 1])
        changes.append(Change(spot, _SIGNS[verb] if verb else sign, amount))
    return tuple(changes)


def read_spots(game: Game, text: str) -> tuple[str, ...]:
    """The spots of a line such as `tie player pair`."""
    return tuple(dict.fromkeys(find_spot(game, word) for word in _words(game, text)))


def find_spot(game: Game, word: str, *, or_command: bool = False) -> str:
    """The wager id that a whole id, its initials or its unambiguous beginning names."""
    shorts = short_names(game)
    for wager, short in shorts.items():
        if word in (wager, short):
            return wager
    begun = [wager for wager in shorts if wager.startswith(word)]
    if len(begun) == 1:
        return begun[0]
    if begun:
        meant = " or ".join(f"{wager} ({shorts[wager]})" for wager in begun)
        raise InputError("ambiguous-spot", f"{shown(word)} could be {meant}.")
    # A word from the middle of a name is not taken for it, for money is at stake, but it tells what was meant.
    containing = names_holding(word, shorts)
    if containing:
        meant = " or ".join(f"{wager} ({shorts[wager]})" for wager in containing)
        raise InputError("ambiguous-spot", f"{shown(word)} is not the whole name: is it {meant}?")
    kind, names = ("spot or a command", [*shorts, *Verb]) if or_command else ("spot", [*shorts])
    raise InputError("unknown-word", f"{shown(word)} is not a {kind}{nearest(word, names)}")


def _words(game: Game, text: str) -> list[str]:
    """The words of a line, with each spot as one word and each sign joined to its amount."""
    text = text.lower().replace("=", " ")
    for wager in sorted(game.paytables, key=len, reverse=True):
        if "-" in wager:
            text = re.sub(rf"\b{re.escape(wager).replace(re.escape('-'), '[ -]+')}\b", wager, text)
    text = re.sub(r"(?<!\S)([+-])\s+(?=[0-9])", r"\1", text)
    return [word.rstrip(",;") for word in text.split()]


def _amount(word: str) -> tuple[str, int]:
    match = _AMOUNT.fullmatch(word)
    if match is None:
        raise InputError(
            "bad-amount", f"{shown(word)} is not an amount: write a whole number such as 2000, 2,000 or 2k."
        )
    sign, digits, thousands = match[1], match[2].replace(",", ""), match[3]
    if len(digits) > len(str(MONEY_LIMIT)):
        raise InputError("bad-amount", f"{shown(word)} is more money than any table takes.")
    return sign, int(digits) * (1000 if thousands else 1)
