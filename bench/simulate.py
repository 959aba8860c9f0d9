"""Rounds a second of the simulator on one and two threads, beside a plain Python loop and npm's baccarat-engine.

Every wager of the game is settled on every round, from full shoes of eight decks with burn and cut card. The plain
loop settles six wagers, baccarat-engine finds winner, natural and pairs. All are measured in the same run, each
figure the best of many, so that other work on the machine weighs on all alike.

Run: .venv/bin/python bench/simulate.py [--self-test ROUNDS]

With --self-test so many rounds of every game, a fixed number from every shoe, are compared with the exact odds.
"""

import argparse
import os
import random
import subprocess
import tempfile
import time
from collections.abc import Callable
from functools import partial
from math import sqrt
from pathlib import Path

from puntobanco import GAMES
from puntobanco.odds import odds
from puntobanco.simulate import BurnAndCut, BurnRule, Job, jobs, prepare, tally

ATTEMPTS = 25
"""Short and many, so that on a machine with other work some of them have a core to themselves."""
ROUNDS = 10_000_000
LONG_ROUNDS = 200_000_000
"""For two threads beside one: long enough that starting a thread does not count."""
ROUNDS_OF_A_SHOE = 81
PLAIN_SHOES = 200
LIMIT = 5.0

BACCARAT_ENGINE = """
const { BaccaratGameEngine } = require('baccarat-engine');
const engine = new BaccaratGameEngine();
const tally = {};
function run(rounds) {
  engine.shoe.createDecks();
  engine.shoe.shuffle();
  engine.burnCards();
  const start = process.hrtime.bigint();
  for (let round = 0; round < rounds; round += 1) {
    if (engine.isBurnNeeded) {
      engine.shoe.createDecks();
      engine.shoe.shuffle();
      engine.burnCards();
    }
    const result = engine.resultsEngine.calculateGameResult(engine.dealGame());
    tally[result.outcome] = (tally[result.outcome] || 0) + 1;
  }
  return rounds / (Number(process.hrtime.bigint() - start) / 1e9);
}
let best = 0;
for (let attempt = 0; attempt < 25; attempt += 1) best = Math.max(best, run(50000));
console.log(best);
"""


def best(attempt: Callable[[], float], attempts: int = ATTEMPTS) -> float:
    return max(attempt() for _ in range(attempts))


def kernel_rate(job: Job, threads: int, wanted: int = ROUNDS) -> float:
    shoes = wanted // ROUNDS_OF_A_SHOE
    start = time.perf_counter()
    rounds = tally(job, 0, shoes, threads).rounds
    return rounds / (time.perf_counter() - start)


def plain_rate() -> float:
    """Shuffle, burn, deal and settle the six wagers of a table in Manila, as one would write it without a library."""
    points = [min(rank, 10) % 10 for rank in range(14)]
    deck = [rank for rank in range(1, 14) for _ in range(32)]
    net = dict.fromkeys(("player", "banker", "tie", "player pair", "banker pair", "super six"), 0.0)
    rounds = 0
    start = time.perf_counter()
    for _ in range(PLAIN_SHOES):
        random.shuffle(deck)
        at = 1 + (points[deck[0]] or 10)
        cut, rounds_left = len(deck) - 14, 2
        while rounds_left:
            if at >= cut:
                rounds_left -= 1
            p1, b1, p2, b2 = deck[at : at + 4]
            at += 4
            player, banker = (points[p1] + points[p2]) % 10, (points[b1] + points[b2]) % 10
            if player < 8 and banker < 8:
                if player < 6:
                    third = points[deck[at]]
                    at += 1
                    player = (player + third) % 10
                    draws = (
                        banker < 3
                        or (banker == 3 and third != 8)
                        or (banker == 4 and 2 <= third <= 7)
                        or (banker == 5 and 4 <= third <= 7)
                        or (banker == 6 and 6 <= third <= 7)
                    )
                else:
                    draws = banker < 6
                if draws:
                    banker = (banker + points[deck[at]]) % 10
                    at += 1
            net["player"] += (player > banker) - (player < banker)
            if banker > player:
                net["banker"] += 0.95
            elif player > banker:
                net["banker"] -= 1
            net["tie"] += 8 if player == banker else -1
            net["player pair"] += 11 if p1 == p2 else -1
            net["banker pair"] += 11 if b1 == b2 else -1
            net["super six"] += 12 if banker == 6 and banker > player else -1
            rounds += 1
            if at >= cut and rounds_left == 2:
                rounds_left = 1
    return rounds / (time.perf_counter() - start)


def engine_rate() -> float | None:
    """npm's baccarat-engine, installed into a temporary folder; None where that fails."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "run.js").write_text(BACCARAT_ENGINE)
        install = ["npm", "install", "--prefix", folder, "baccarat-engine@1.1.5", "--no-audit", "--no-fund"]
        try:
            subprocess.run(install, check=True, capture_output=True, timeout=120)
            done = subprocess.run(["node", "run.js"], cwd=folder, check=True, capture_output=True, timeout=300)
        except (OSError, subprocess.SubprocessError):
            return None
        return float(done.stdout)


def self_test(rounds: int) -> None:
    dealing = BurnAndCut(BurnRule.OFF)
    print(f"\n{'game':24} {'rounds':>15} {'lines':>6} {'worst z':>8}  of")
    for game in GAMES:
        found = tally(prepare(game, 1, dealing=dealing, rounds=67), 0, -(-rounds // 67))
        worst, of, lines = 0.0, "", 0
        for wager, priced in odds(game).wagers.items():
            for line, count in zip(priced.lines, found.lines[wager], strict=True):
                probability = float(line.probability)
                z = (count - found.rounds * probability) / sqrt(found.rounds * probability * (1 - probability))
                lines += 1
                if abs(z) > abs(worst):
                    worst, of = z, f"{wager}: {line.line.label}"
        flag = "" if abs(worst) < LIMIT else "  IMPROBABLE"
        print(f"{game.id:24} {found.rounds:15,} {lines:6} {worst:8.2f}  {of}{flag}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--self-test", type=int, metavar="ROUNDS")
    options = parser.parse_args()
    if jobs.compiled_kernel is None:
        raise SystemExit("The compiled kernel was not built: there is nothing to measure.")
    instructions = ("plain C", "AVX2", "AVX-512")[jobs.compiled_kernel.instructions()]
    print(f"instructions: {instructions}; load of the machine before: {os.getloadavg()[0]:.2f}")
    plain, engine = best(plain_rate), engine_rate()
    print(f"plain Python loop: {plain / 1e6:.3f} million rounds a second")
    if engine is None:
        print("baccarat-engine: could not be installed with npm")
    else:
        print(f"baccarat-engine:   {engine / 1e6:.3f} million rounds a second")
    print(f"\n{'game':24} {'1 thread':>9} {'2 threads':>10} {'ratio':>6} {'x plain':>8} {'x engine':>9}")
    for game in GAMES:
        job = prepare(game, seed=1)
        one = best(partial(kernel_rate, job, 1))
        alone, two = (best(partial(kernel_rate, job, threads, LONG_ROUNDS), 3) for threads in (1, 2))
        beside = "-" if engine is None else f"{one / engine:.0f}"
        print(f"{game.id:24} {one / 1e6:7.0f} M {two / 1e6:8.0f} M {two / alone:6.2f} {one / plain:8.0f} {beside:>9}")
    if options.self_test:
        self_test(options.self_test)


if __name__ == "__main__":
    main()
