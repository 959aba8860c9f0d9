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
from puntobanco.cli.wager_file import add_wager_file, with_chosen_wagers
from puntobanco.errors import InputError, Unlawful
from puntobanco.provenance import Provenance, changed_readings
from puntobanco.rules.currencies import CURRENCIES, money_in_words
from puntobanco.rules.documents import cited
from puntobanco.rules.game import Game
from puntobanco.rules.rulings import ROUNDING_RULING
from puntobanco.rules.wagers import read_money
from puntobanco.settle import ROUNDED_BY, Payment, Settlement, draws_of, settle

HELP = "Settle a given deal: every line that pays, its clause and its amount. With --stdin, settle JSON lines."
EXAMPLE = 'puntobanco settle six-star "P 9f Tf | B 9f Sf" --wager tie=100 --wager player=50'

CHUNK = 1 << 16
"""How much of the input is taken at once, at most."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    add_wager_file(parser)
    parser.add_argument(
        "deal", metavar="DEAL", nargs="?", help=f"both hands in the order dealt, such as {DEAL_EXAMPLE}"
    )
    parser.add_argument(
        "--wager", metavar="WAGER=STAKE", action="append", default=[], help="a stake of the patron; may be repeated"
    )
    parser.add_argument(
        "--stdin",
        action="store_true",
        help='read JSON lines: {"player": [..], "banker": [..], "wagers": {..}}; an "id" is given back in the answer',
    )
    parser.add_argument("--currency", metavar="CODE", help="what the stakes are in (default: as usual for the game)")
    parser.add_argument("--json", action="store_true", help="print the settlement as JSON")


def run(arguments: argparse.Namespace) -> int:
    game = with_chosen_wagers(chosen_game(arguments), arguments)
    currency = _currency(game, arguments.currency)
    if arguments.stdin:
        if arguments.deal or arguments.wager:
            raise InputError(
                "bad-usage", "With --stdin the deals and wagers come from standard input, not from arguments."
            )
        return settle_stream(game, currency, standard_input().buffer, sys.stdout)
    if arguments.deal is None:
        raise InputError("bad-usage", f"Give a deal such as {DEAL_EXAMPLE}, or --stdin.")
    try:
        deal = read_deal(game.pack, arguments.deal)
    except Unlawful as fault:
        raise game.cited_fault(fault) from None
    settlement = settle(game, deal, read_stakes(arguments.wager))
    if arguments.json:
        print(json.dumps(as_json(game, deal, settlement, currency)))
    else:
        _print_in_words(game, deal, settlement, currency)
    return 0


def _currency(game: Game, code: str | None) -> str:
    if code is None:
        return game.currencies[0]
    if code.upper() not in game.currencies:
        raise InputError(
            "wrong-currency", f"{game.name} is played in {' or '.join(game.currencies)}, not in {shown(code)}."
        )
    return code.upper()


def read_stakes(texts: Iterable[str]) -> dict[str, int]:
    """Stakes from texts such as `tie=100`."""
    stakes: dict[str, int] = {}
    for text in texts:
        wager, equals, stake = text.partition("=")
        if not equals:
            raise InputError("bad-usage", f"--wager takes WAGER=STAKE, such as tie=100, not {shown(text)}.")
        if wager in stakes:
            raise InputError("bad-usage", f"The wager {shown(wager)} is given twice.")
        stakes[wager] = read_money("stake", stake)
    return stakes


def as_json(game: Game, deal: Deal, settlement: Settlement, currency: str) -> dict[str, object]:
    """The settlement with all that it rests on: the draws with their clauses, the money and the rules."""
    known = CURRENCIES.get(currency)
    return {
        **settlement.as_json(),
        "deal": str(deal),
        "draws": [
            {"decision": draw.sentence, "clause": draw.clause, "card": str(draw.card) if draw.card else None}
            for draw in draws_of(game, deal)
        ],
        "currency": currency,
        "unit": known.unit if known else None,
        "decimals": known.decimals if known else None,
        "provenance": Provenance(game).as_json(),
    }


def _print_in_words(game: Game, deal: Deal, settlement: Settlement, currency: str) -> None:
    from textwrap import wrap  # A stream has no use for these, and they are not free to load.

    from puntobanco.cli.columns import Page, broken_at_commas

    page = Page()
    for heading in (game.name, *Provenance(game).heading, _money_line(currency)):
        for line in broken_at_commas(heading, page.width):
            page.write(line)
    page.write()
    for sentence in in_words(game, deal, settlement, currency):
        # A second line is indented, so that it does not look like another payment.
        for line in wrap(sentence, page.width, subsequent_indent="  "):
            page.write(line)


def in_words(game: Game, deal: Deal, settlement: Settlement, currency: str) -> list[str]:
    """The deal and what came of it as a person reads it, a sentence each."""
    lines = [str(deal)]
    for draw in draws_of(game, deal):
        drawn = f": {draw.card}" if draw.card else ""
        lines.append(f"{draw.sentence[0].upper()}{draw.sentence[1:]}{drawn} ({cited(draw.clause)}).")
    is_tie = settlement.winner == "tie"
    winner = "Tie" if is_tie else f"{settlement.winner.capitalize()} wins"
    clause = cited(game.procedure.tie if is_tie else game.procedure.winner)
    lines.append(f"Player {settlement.player_total}, Banker {settlement.banker_total}: {winner} ({clause}).")
    for wager, settled in settlement.wagers.items():
        name = game.paytables[wager].name
        if not settled.pays:
            lines.append(f"{name}: {money_in_words(settled.stake, currency)} lost.")
        for payment in settled.pays:
            if game.pushes(wager, payment.line):
                what = f"push, {money_in_words(settled.stake, currency)} returned"
            else:
                what = f"pays {money_in_words(payment.amount, currency)}"
            lines.append(f"{name}: {payment.line}: {what} ({cited(payment.clause)}){_rounded(game, payment)}.")
    if settlement.wagers:
        lines.append(f"Net: {money_in_words(settlement.net, currency, '+')}.")
    return lines


def _money_line(currency: str) -> str:
    known = CURRENCIES.get(currency)
    unit = known.unit if known else "the smallest unit"
    return f"money in {unit} of {currency}, play money"


def _rounded(game: Game, payment: Payment) -> str:
    """`, rounded down from 28.5 (ruling 12)`, where it was."""
    if payment.rounded_from is None:
        return ""
    numerator, denominator = map(int, payment.rounded_from.split("/"))
    # Tenths to thousandths are written out; what no decimals end, such as a third, stays a fraction.
    thousandths, rest = divmod(numerator * 1000, denominator)
    exact = f"{numerator:,}/{denominator}" if rest else f"{thousandths // 1000:,}.{thousandths % 1000:03}".rstrip("0")
    return f", rounded {game.reading['rounding']} from {exact} (ruling {ROUNDING_RULING.number})"


def settle_stream(game: Game, currency: str, source: BinaryIO, target: TextIO) -> int:
    """Settle a JSON object a line; a bad or blank line gives an error on its line and the rest go on.

    Lines are taken as they arrive and their answers written at once, so that it works in a
    conversation as well as on a long file.
    """
    failed = False
    pending: list[bytes] = []  # The pieces of a line whose end has not come yet.
    rules = f", {json.dumps(_rules_of(game, currency))[1:-1]}"
    while chunk := source.read1(CHUNK):  # type: ignore[attr-defined]  # Standard input is a BufferedReader.
        first, *lines = chunk.split(b"\n")
        pending.append(first)
        if lines:
            whole = b"".join(pending)
            *lines, rest = lines
            pending = [rest]
            failed |= _answer(game, [whole, *lines], rules, target)
    # What follows the last line feed is a line only if there is something.
    if last := b"".join(pending):
        failed |= _answer(game, [last], rules, target)
    return 1 if failed else 0


def _rules_of(game: Game, currency: str) -> dict[str, object]:
    """What each answer of a stream names, so that a line stands by itself: what is as usual is left out."""
    rules: dict[str, object] = {"game": game.id, "rules_digest": game.digest, "currency": currency}
    if changed := dict(changed_readings(game)):
        rules["changed_readings"] = changed
    if game.own_wagers:
        rules["own_wagers"] = list(game.own_wagers)
    return rules


def _answer(game: Game, lines: list[bytes], rules: str, target: TextIO) -> bool:
    """Write the answer to each line; returns whether any was an error."""
    failed = False
    answers = []
    for line in lines:
        echoed = ""
        try:
            record = _read_record(line)
            if "id" in record:
                echoed = _echoed_id(record)
            if record.keys() != KEYS:
                raise InputError(
                    "unreadable-line",
                    'A line is a JSON object with "player", "banker" and "wagers", and an "id" if you like.',
                )
            answers.append(as_json_line(_settle_record(game, record), echoed, rules))
        except InputError as error:
            failed = True
            found: dict[str, object] = {"reason": error.reason, "message": error.message}
            if isinstance(error, Unlawful) and error.clause is not None:
                found["clause"] = error.clause
            answers.append(f'{{{echoed}"error": {json.dumps(found)}}}\n')
    target.write("".join(answers))
    target.flush()
    return failed


def _echoed_id(record: dict[str, object]) -> str:
    """The id as the answer begins with it; taken out of the record."""
    given = record.pop("id")
    if type(given) not in (str, int):
        raise InputError("unreadable-line", f'"id" is a text or a whole number, not {shown(given)}.')
    return f'"id": {json.dumps(given)}, '


def as_json_line(settlement: Settlement, before: str = "", after: str = "") -> str:
    """What `json.dumps(settlement.as_json())` gives, written directly: a stream spends most of its time here.

    `before` and `after` are what the object has beside that, written already.
    """
    wagers = []
    for wager, (stake, net, pays) in settlement.wagers.items():
        paid = ", ".join([_payment_json(*payment) for payment in pays])
        wagers.append(f'{_quoted(wager)}: {{"stake": {stake}, "net": {net}, "pays": [{paid}]}}')
    return (
        f'{{{before}"winner": "{settlement.winner}", "player_total": {settlement.player_total}, '
        f'"banker_total": {settlement.banker_total}, "settlements": {{{", ".join(wagers)}}}{after}}}\n'
    )


# Patrons stake the same few chips, so most payments have been written before.
@lru_cache(maxsize=4096)
def _payment_json(line: str, clause: str, amount: int, rounded_from: str | None) -> str:
    rounded = "" if rounded_from is None else f', "rounded_from": "{rounded_from}", "rounded_by": "{ROUNDED_BY}"'
    return f'{{"line": {_quoted(line)}, "clause": {_quoted(clause)}, "amount": {amount}{rounded}}}'


@lru_cache(maxsize=1024)
def _quoted(text: str) -> str:
    return json.dumps(text)


def _settle_record(game: Game, record: dict[str, object]) -> Settlement:
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
    if not line.strip():
        # One line out for each line in, so that whoever counts them is never one off.
        raise InputError("blank-line", "The line is blank; each line is a JSON object.")
    try:
        record = _DECODER.decode(line.decode())
    except InputError:
        raise
    except (ValueError, RecursionError):
        raise InputError("unreadable-line", f"{shown(line.strip().decode(errors='replace'))} is not JSON.") from None
    if type(record) is not dict:
        raise InputError("unreadable-line", f"A line is a JSON object, not {shown(record)}.")
    return record


def _without_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise InputError("unreadable-line", "The line gives the same name twice.")
    return found


_DECODER = json.JSONDecoder(object_pairs_hook=_without_repeats)
