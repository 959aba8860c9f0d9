"""Exact odds: microseconds a composition, each beside its limit, and beside plain enumeration in C.

Run: .venv/bin/python bench/odds_kernel.py

One core. Each figure is the best of many short runs, so that other work on the machine disturbs it little.
"""

import ctypes
import os
import subprocess
import tempfile
import time
from array import array
from collections.abc import Callable
from pathlib import Path

from puntobanco.cards import Shoe
from puntobanco.games import GAMES
from puntobanco.odds.compiled_counter import Program
from puntobanco.odds.exact_counter import Counter
from puntobanco.odds.pricing import wager_plans
from puntobanco.odds.terms import courses
from puntobanco.rules.game import Game
from puntobanco.tableau import Hand

KERNEL_LIMITS = {"52": 3.0, "65": 4.0}
"""Microseconds for all wagers from one composition in the kernel, by pack."""
CALL_LIMIT = 15.0
BATCH_LIMIT = 0.4e6
"""Compositions a second, all wagers."""
NAIVE_LIMIT = 100
PYTHON_LIMIT = 0.5e6
ROWS = 64

# The enumeration that one would write first: six nested loops over the ten values, with the counts that are left.
NAIVE = """
void histogram(const int *counts, const signed char *hand, const signed char *banker_draws, long long *cells)
{
    long long left[10], size = 0;
    for (int v = 0; v < 10; v++)
        size += left[v] = counts[v];
    for (int cell = 0; cell < 400; cell++)
        cells[cell] = 0;
    for (int p1 = 0; p1 < 10; p1++) {
        long long ways1 = left[p1]--;
        for (int b1 = 0; b1 < 10; b1++) {
            long long ways2 = ways1 * left[b1]--;
            for (int p2 = 0; p2 < 10; p2++) {
                long long ways3 = ways2 * left[p2]--;
                for (int b2 = 0; b2 < 10; b2++) {
                    long long ways4 = ways3 * left[b2]--;
                    int player = (p1 + p2) % 10, banker = (b1 + b2) % 10, start = player * 10 + banker;
                    if (ways4 > 0) {
                        if (hand[start] == 0)
                            cells[start * 4] += ways4 * (size - 4) * (size - 5);
                        else if (hand[start] == 2)
                            for (int b3 = 0; b3 < 10; b3++)
                                cells[(player * 10 + (banker + b3) % 10) * 4 + 1] += ways4 * left[b3] * (size - 5);
                        else
                            for (int p3 = 0; p3 < 10; p3++) {
                                int total = (player + p3) % 10;
                                long long ways5 = ways4 * left[p3];
                                if (!banker_draws[start * 10 + p3]) {
                                    cells[(total * 10 + banker) * 4 + 2] += ways5 * (size - 5);
                                    continue;
                                }
                                left[p3]--;
                                for (int b3 = 0; b3 < 10; b3++)
                                    cells[(total * 10 + (banker + b3) % 10) * 4 + 3] += ways5 * left[b3];
                                left[p3]++;
                            }
                    }
                    left[b2]++;
                }
                left[p2]++;
            }
            left[b1]++;
        }
        left[p1]++;
    }
}
"""


def microseconds(run: Callable[[], object], runs: int, calls: int = 1) -> float:
    """The best time of one call, of so many runs of so many calls."""
    best = float("inf")
    for _ in range(runs):
        start = time.perf_counter()
        for _ in range(calls):
            run()
        best = min(best, time.perf_counter() - start)
    return best / calls * 1e6


def measure_naive(game: Game, shoe: Shoe) -> float:
    """Microseconds of the plain enumeration, after checking that it counts every draw."""
    by_value = [0] * 10
    for card, count in zip(shoe.pack.cards, shoe.counts, strict=True):
        by_value[card.points] += count
    table = courses(game.tableau)
    hands = bytes(0 if hand is None else 1 if hand is Hand.PLAYER else 2 for hand, _ in table)
    draws = bytes(drawn for _, banker_draws in table for drawn in banker_draws)
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder, "naive.c"), Path(folder, "naive.so")
        source.write_text(NAIVE)
        subprocess.run(["cc", "-O3", "-shared", "-fPIC", "-o", library, source], check=True)
        histogram = ctypes.CDLL(str(library)).histogram
        counts, cells = (ctypes.c_int * 10)(*by_value), (ctypes.c_longlong * 400)()
        histogram(counts, hands, draws, cells)
        assert sum(cells) == Counter(game.tableau, shoe).total
        return microseconds(lambda: histogram(counts, hands, draws, cells), runs=300)


def show(what: str, figure: float, unit: str, limit: float, *, is_floor: bool = False) -> None:
    kept = figure >= limit if is_floor else figure <= limit
    word = "at least" if is_floor else "at most"
    print(f"  {what:50} {figure:12,.2f} {unit:16} {word} {limit:,.0f}  {'' if kept else 'NOT KEPT'}")


def measure(game: Game) -> None:
    shoe = Shoe.full(game.pack, game.decks.default)
    plans = wager_plans(game)
    program = Program(plans, game.tableau, game.pack)
    row = bytes(shoe.counts)
    rows = row * ROWS
    one = array("q", bytes(8 * program.outcomes))
    many = array("q", bytes(8 * program.outcomes * ROWS))
    compilation = microseconds(lambda: Program(plans, game.tableau, game.pack), runs=30)
    call = microseconds(lambda: program.counts(shoe.counts), runs=5000, calls=10)
    # What a call with one row takes beyond a call with none is the kernel's own time.
    single = microseconds(lambda: program.counts_into(row, one), runs=5000, calls=10)
    single -= microseconds(lambda: program.counts_into(b"", one), runs=5000, calls=10)
    batch = microseconds(lambda: program.counts_into(rows, many), runs=5000) / ROWS
    start = time.perf_counter()
    counter = Counter(game.tableau, shoe)
    expected = [counter.count(signed_sum) for plan in plans for signed_sum in plan.sums]
    python = (time.perf_counter() - start) * 1e6
    assert program.counts(shoe.counts) == expected
    assert [*one] == expected
    assert [*many] == expected * ROWS
    naive = measure_naive(game, shoe)
    print(f"{game.id}: {program.outcomes} outcomes, {game.decks.default} decks of {game.pack.id} cards")
    show("all wagers, one composition, in the kernel", single, "microseconds", KERNEL_LIMITS[game.pack.id])
    show("the same, a call that returns integers", call, "microseconds", CALL_LIMIT)
    show("the same, in batches", 1e6 / batch, "a second", BATCH_LIMIT, is_floor=True)
    show("times faster than plain C, which has points only", naive / single, "times", NAIVE_LIMIT, is_floor=True)
    show("the same, in pure Python", python, "microseconds", PYTHON_LIMIT)
    print(f"  (plain C: {naive:,.0f} microseconds; the program is compiled in {compilation / 1000:.1f} ms)")


def main() -> None:
    print(f"load of the machine: {os.getloadavg()[0]:.2f} on {os.cpu_count()} cores")
    for game in GAMES:
        measure(game)


if __name__ == "__main__":
    main()
