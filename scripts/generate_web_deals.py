"""Writes web/tests/settled-deals.json: for each game deals with what the package makes of every wager.

The trainer in the browser reads the same rule cards by code of its own, and its tests compare. --check only tells
whether the file is stale.
"""

import argparse
import json
import random
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from puntobanco.cards import Card, Deal
from puntobanco.games import GAMES
from puntobanco.rulecard import rule_card
from puntobanco.rules.facts import read_facts
from puntobanco.rules.game import Game
from puntobanco.tableau import Hand

ROOT = Path(__file__).resolve().parent.parent
DEALS = "web/tests/settled-deals.json"
TRIES = 20_000
SEED = 11


def readings() -> Iterator[Game]:
    """Every game under each tableau that its document can be read as."""
    for game in GAMES:
        yield from (game.read_as(tableau=option) for option in game.switches.get("tableau", ()))
        if "tableau" not in game.switches:
            yield game


def dealt(game: Game, cards: Iterable[Card]) -> Deal:
    """These cards, in the order in which the tableau gives them out."""
    drawn, hands = iter(cards), {Hand.PLAYER: list[Card](), Hand.BANKER: list[Card]()}
    while True:
        deal = Deal(tuple(hands[Hand.PLAYER]), tuple(hands[Hand.BANKER]))
        due = game.tableau.due(deal).hand
        if due is None:
            return deal
        hands[due].append(next(drawn))


def outcomes(game: Game, deal: Deal) -> dict[str, list[int]]:
    """By wager the place of the line that decides, and of the bonuses on top; one that is lost is left out."""
    facts = read_facts(deal)
    found = {wager.id: wager.outcome(facts) for wager in game.paytables.values()}
    return {each: [made.line, *made.bonuses] for each, made in found.items() if made.line is not None}


def examples(game: Game) -> dict[str, dict[str, list[int]]]:
    """One deal for each different outcome of all wagers together that comes up, rare ones helped by small packs."""
    chance, found = random.Random(SEED), dict[str, str]()
    for _ in range(TRIES):
        cards, suit, ranks = game.pack.cards, chance.choice(list(game.pack.suits)), chance.sample(game.pack.ranks, 3)
        packs = (
            cards,
            [card for card in cards if card.suit == suit],
            [card for card in cards if card.suit == suit or card.rank in ranks],
            [card for card in cards if card.rank in game.pack.ranks[-3:]],
        )
        deal = dealt(game, chance.choices(chance.choice(packs), k=6))
        found.setdefault(json.dumps(outcomes(game, deal)), str(deal))
    return {deal: json.loads(outcome) for outcome, deal in found.items()}


def text() -> str:
    games = []
    for game in readings():
        card = rule_card(game)
        told = {name: card[name] for name in ("game", "pack", "decks", "tableau", "wagers")}
        deals = ",\n".join(f"{json.dumps(deal)}: {json.dumps(made)}" for deal, made in examples(game).items())
        games.append(f'{{"card": {json.dumps(told)},\n"deals": {{\n{deals}\n}}}}')
    return "[\n" + ",\n".join(games) + "\n]\n"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if the deals are out of date")
    options = parser.parse_args(arguments)
    path, made = ROOT / DEALS, text()
    if options.check:
        is_stale = not path.is_file() or path.read_text(encoding="utf-8") != made
        if is_stale:
            print(f"{DEALS} is out of date: run scripts/docs", file=sys.stderr)
        return int(is_stale)
    path.write_text(made, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
