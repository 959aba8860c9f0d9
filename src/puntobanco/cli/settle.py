"""`puntobanco settle`: one deal for a dispute, or a stream of them."""

import argparse
import json
import sys
from collections.abc import Iterable
from functools import lru_cache
from typing import BinaryIO, TextIO

from puntobanco.cards import DEAL_EXAMPLE, Deal, read_deal, shown
from puntobanco.cli import standard_input
from puntobanco.cli.reading import add_game, chosen_game
from puntobanco.errors import InputError
from puntobanco.rules.documents import cited
from puntobanco.rules.game import Game
from puntobanco.rules.wagers import check_money
from puntobanco.settle import Settlement, settle

HELP = "Settle a given deal: every line that pays, its clause and its amount. With --stdin, settle JSON lines."
EXAMPLE = 'puntobanco settle six-star "P 9f Tf | B 9f Sf" --wager tie=100 --wager player=50'

CHUNK = 1 << 16
"""How much of the input is taken at once, at most."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument(
        "deal", metavar="DEAL", nargs="?", help=f"both hands in the order dealt, such as {DEAL_EXAMPLE}"
    )
    parser.add_argument(
        "--wager", metavar="WAGER=STAKE", action="append", default=[], help="a stake of the patron; may be repeated"
    )
    parser.add_argument(
        "--stdin", action="store_true", help='read JSON lines: {"player": [..], "banker": [..], "wagers": {..}}'
    )
    parser.add_argument("--json", action="store_true", help="print the settlement as JSON")


def run(arguments: argparse.Namespace) -> int:
    game = chosen_game(arguments)
    if arguments.stdin:
        if arguments.deal or arguments.wager:
            raise InputError(
                "bad-usage", "With --stdin the deals and wagers come from standard input, not from arguments."
            )
        return settle_stream(game, standard_input().buffer, sys.stdout)
    if arguments.deal is None:
        raise InputError("bad-usage", f"Give a deal such as {DEAL_EXAMPLE}, or --stdin.")
    deal = read_deal(game.pack, arguments.deal)
    settlement = settle(game, deal, read_stakes(arguments.wager))
    print(json.dumps(settlement.as_json()) if arguments.json else in_words(game, deal, settlement))
    return 0


def read_stakes(texts: Iterable[str]) -> dict[str, int]:
    """Stakes from texts such as `tie=100`."""
    stakes: dict[str, int] = {}
    for text in texts:
        wager, equals, stake = text.partition("=")
        if not equals:
            raise InputError("bad-usage", f"--wager takes WAGER=STAKE, such as tie=100, not {shown(text)}.")
        if wager in stakes:
            raise InputError("bad-usage", f"The wager {shown(wager)} is given twice.")
        is_whole = stake.isascii() and stake.removeprefix("-").isdigit() and len(stake) <= 20
        stakes[wager] = check_money("stake", int(stake) if is_whole else stake[:40])
    return stakes


def in_words(game: Game, deal: Deal, settlement: Settlement) -> str:
    """The settlement as a person reads it."""
    winner = "Tie" if settlement.winner == "tie" else f"{settlement.winner.capitalize()} wins"
    lines = [str(deal), f"Player {settlement.player_total}, Banker {settlement.banker_total}: {winner}."]
    for wager, settled in settlement.wagers.items():
        name = game.paytables[wager].name
        if not settled.pays:
            lines.append(f"{name}: {settled.stake} lost.")
        for payment in settled.pays:
            if payment.amount:
                what = f"pays {payment.amount}"
            elif game.pushes(wager, payment.line):
                what = f"push, {settled.stake} returned"
            else:
                what = "pays 0, rounded down"
            lines.append(f"{name}: {payment.line}: {what} ({cited(payment.clause)}).")
    if settlement.wagers:
        lines.append(f"Net: {settlement.net:+d}.")
    return "\n".join(lines)


def settle_stream(game: Game, source: BinaryIO, target: TextIO) -> int:
    """Settle a JSON object a line; a bad line gives an error on its line and the rest go on.

    Lines are taken as they arrive and their answers written at once, so that it works in a
    conversation as well as on a long file.
    """
    failed = False
    pending: list[bytes] = []  # The pieces of a line whose end has not come yet.
    while chunk := source.read1(CHUNK):  # type: ignore[attr-defined]  # Standard input is a BufferedReader.
        first, *lines = chunk.split(b"\n")
        pending.append(first)
        if lines:
            whole = b"".join(pending)
            *lines, rest = lines
            pending = [rest]
            failed |= _answer(game, [whole, *lines], target)
    failed |= _answer(game, [b"".join(pending)], target)
    return 1 if failed else 0


def _answer(game: Game, lines: list[bytes], target: TextIO) -> bool:
    """Write the answer to each line; returns whether any was an error."""
    failed = False
    answers = []
    for line in lines:
        if not line.strip():
            continue
        try:
            answers.append(as_json_line(_settle_line(game, line)))
        except InputError as error:
            failed = True
            answers.append(json.dumps({"error": {"reason": error.reason, "message": error.message}}) + "\n")
    target.write("".join(answers))
    target.flush()
    return failed


def as_json_line(settlement: Settlement) -> str:
    """What `json.dumps(settlement.as_json())` gives, written directly: a stream spends most of its time here."""
    wagers = []
    for wager, (stake, net, pays) in settlement.wagers.items():
        if not pays:
            wagers.append(f'{_quoted(wager)}: {{"stake": {stake}, "net": {net}, "pays": []}}')
            continue
        paid = ", ".join(
            [
                f'{{"line": {_quoted(line)}, "clause": {_quoted(clause)}, "amount": {amount}}}'
                for line, clause, amount in pays
            ]
        )
        wagers.append(f'{_quoted(wager)}: {{"stake": {stake}, "net": {net}, "pays": [{paid}]}}')
    return (
        f'{{"winner": "{settlement.winner}", "player_total": {settlement.player_total}, '
        f'"banker_total": {settlement.banker_total}, "settlements": {{{", ".join(wagers)}}}}}\n'
    )


@lru_cache(maxsize=1024)
def _quoted(text: str) -> str:
    return json.dumps(text)


def _settle_line(game: Game, line: bytes) -> Settlement:
    record = _read_record(line)
    hands = []
    for hand in ("player", "banker"):
        cards = record[hand]
        if type(cards) is not list or not all(type(card) is str for card in cards):
            raise InputError("unreadable-line", f'"{hand}" is a list of cards such as ["9f", "Tf"].')
        hands.append(tuple([game.pack.card(card) for card in cards]))
    stakes = record["wagers"]
    if type(stakes) is not dict:
        raise InputError("unreadable-line", '"wagers" is an object of stakes such as {"tie": 100}.')
    return settle(game, Deal(*hands), stakes)


KEYS = {"player", "banker", "wagers"}


def _read_record(line: bytes) -> dict[str, object]:
    try:
        record = _DECODER.decode(line.decode())
    except InputError:
        raise
    except (ValueError, RecursionError):
        raise InputError("unreadable-line", f"{shown(line.strip().decode(errors='replace'))} is not JSON.") from None
    if type(record) is not dict or record.keys() != KEYS:
        raise InputError("unreadable-line", 'A line is a JSON object with exactly "player", "banker" and "wagers".')
    return record


def _without_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise InputError("unreadable-line", "The line gives the same name twice.")
    return found


_DECODER = json.JSONDecoder(object_pairs_hook=_without_repeats)
