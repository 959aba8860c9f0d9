"""Deals a second of `settle --stdin` on one core, beside the limit of 20,000.

Run: .venv/bin/python bench/settle_stream.py
"""

import json
import random
import subprocess
import sys
import time

from puntobanco import GAMES, Deal, Game

LIMIT = 20_000
LINES = 60_000


def lines_of(game: Game) -> bytes:
    """Random lawful deals with a stake on every wager."""
    chance = random.Random(1)
    lines: list[str] = []
    stakes = dict.fromkeys(game.paytables, 100)
    while len(lines) < LINES:
        cards = chance.choices(game.pack.cards, k=6)
        deal = Deal()
        while (hand := game.tableau.due(deal).hand) is not None:
            card = cards.pop()
            deal = (
                Deal((*deal.player, card), deal.banker) if hand == "player" else Deal(deal.player, (*deal.banker, card))
            )
        record = {"player": [*map(str, deal.player)], "banker": [*map(str, deal.banker)], "wagers": stakes}
        lines.append(json.dumps(record))
    return "\n".join(lines).encode()


def main() -> None:
    print(f"{'game':24} {'deals/s':>9} {'of the limit':>13}")
    for game in GAMES:
        given = lines_of(game)
        start = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-m", "puntobanco", "settle", game.id, "--stdin"], input=given, capture_output=True
        )
        rate = LINES / (time.perf_counter() - start)
        assert done.returncode == 0
        assert done.stdout.count(b"\n") == LINES
        print(f"{game.id:24} {rate:9,.0f} {rate / LIMIT:12.2f}x")


if __name__ == "__main__":
    main()
