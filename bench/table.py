"""What a table costs as it fills: a wager, a betting window, a settlement and a shoe, as ratios of 5,000 patrons to 10.

Run: .venv/bin/python bench/table.py
"""

import gc
import os
import time
import tracemalloc
from collections.abc import Callable
from random import Random

from puntobanco import Game, find_game, settle
from puntobanco.table import (
    Command,
    Dealing,
    IncreaseWager,
    Phase,
    PlaceWager,
    ReduceWager,
    Table,
    TableSettings,
    decide,
    evolve,
)
from puntobanco.table.dealer import next_step

FEW, MANY, MORE = 10, 5_000, 10_000
WAGERS = ("player", "tie", "banker")
REPEATS = 15


def best(work: Callable[[], object], count: int) -> float:
    """The quickest of several runs, in microseconds apiece: what the machine's other work adds is left out."""
    times = []
    for _ in range(REPEATS):
        gc.collect()
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return 1e6 * min(times) / count


def carried_out(table: Table, command: Command) -> Table:
    for event in decide(table, command):
        table = evolve(table, event)
    return table


class Dealer:
    """Leads a table through its rounds, with patrons who stake in between."""

    def __init__(self, game: Game) -> None:
        self.random = Random(7)
        self.table = Table(TableSettings(game, dealing=Dealing.VIRTUAL))
        self.cards = list(game.pack.cards) * self.table.settings.decks
        self.random.shuffle(self.cards)

    def step(self) -> None:
        self.table = carried_out(self.table, next_step(self.table, self.cards.pop))

    def open_betting(self) -> Table:
        while self.table.phase is not Phase.BETTING:
            self.step()
        return self.table

    def wagers(self, patrons: int) -> list[Command]:
        """Three wagers of each patron, of many different stakes, as they come in: patron after patron."""
        number, limits = self.table.round_number, self.table.settings.limits
        return [
            PlaceWager(
                number,
                f"patron {place}",
                wager,
                limits[wager].minimum + limits[wager].step * self.random.randrange(500),
            )
            for place in range(patrons)
            for wager in WAGERS
        ]


def betting(table: Table, commands: list[Command]) -> Table:
    for command in commands:
        table = carried_out(table, command)
    return table


def a_wager(game: Game, patrons: int) -> float:
    """An increase and a reduction at a table where so many have staked, decided and folded."""
    dealer = Dealer(game)
    table = betting(dealer.open_betting(), dealer.wagers(patrons))
    number, step = table.round_number, table.settings.limits["tie"].step
    some = [f"patron {dealer.random.randrange(patrons)}" for _ in range(500)]
    commands: list[Command] = []
    for patron in some:
        commands += [IncreaseWager(number, patron, "tie", step), ReduceWager(number, patron, "tie", step)]
    return best(lambda: betting(table, commands), len(commands))


def a_window(game: Game, patrons: int) -> float:
    """A whole betting window of three wagers a patron; microseconds a wager."""
    dealer = Dealer(game)
    table = dealer.open_betting()
    commands = dealer.wagers(patrons)
    return best(lambda: betting(table, commands), len(commands))


def announced(game: Game, patrons: int) -> tuple[Table, Command]:
    """A table whose round has been announced, and the command that settles it."""
    dealer = Dealer(game)
    dealer.table = betting(dealer.open_betting(), dealer.wagers(patrons))
    while dealer.table.phase is not Phase.ANNOUNCED:
        dealer.step()
    return dealer.table, next_step(dealer.table, dealer.cards.pop)


def a_settlement(game: Game, patrons: int) -> float:
    """Decided and folded; microseconds a patron."""
    table, command = announced(game, patrons)
    return best(lambda: carried_out(table, command), patrons)


def settled_alone(game: Game, patrons: int) -> float:
    """The peer: every patron settled alone, which reads the deal once for each; microseconds a patron."""
    table, _ = announced(game, patrons)
    return best(lambda: [settle(game, table.deal, slip) for slip in table.stakes.values()], patrons)


def a_shoe(game: Game, patrons: int, rounds: int) -> float:
    """What the state of a shoe of so many rounds holds at its end, in megabytes."""
    dealer = Dealer(game)
    dealer.open_betting()
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    while dealer.table.round_number < rounds or dealer.table.phase is not Phase.READY:
        if dealer.table.phase is Phase.BETTING and not dealer.table.stakes:
            dealer.table = betting(dealer.table, dealer.wagers(patrons))
        if dealer.table.shoe_finished and dealer.table.phase is Phase.READY:
            break
        dealer.step()
    gc.collect()
    held = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    return held / 1e6


def main() -> None:
    print(f"load of the machine before: {os.getloadavg()[0]:.2f}")
    for name in ("manila", "six-star"):
        game = find_game(name)
        print(f"\n{name}{'':24}{FEW:>9,}{MANY:>9,}{MORE:>9,}   ratio {MANY:,} to {FEW}")
        for what, measure in (
            ("a wager, us", a_wager),
            ("a wager of a window, us", a_window),
            ("settlement, us a patron", a_settlement),
        ):
            few, many, more = (measure(game, patrons) for patrons in (FEW, MANY, MORE))
            print(f"{what:30}{few:9.1f}{many:9.1f}{more:9.1f}   {many / few:.2f}")
        window, settled, alone = a_window(game, MANY), a_settlement(game, MANY), settled_alone(game, MANY)
        print(f"a window of {MANY:,} patrons with 3 wagers: {window * 3 * MANY / 1e6:.3f} s (limit 0.25)")
        print(
            f"settlement of {MANY:,} patrons with 3 wagers: {settled * MANY / 1e3:.1f} ms (limit 12), "
            f"{alone / settled:.1f} times as quick as one by one"
        )
        print(f"a shoe of 80 rounds with 1,000 patrons: {a_shoe(game, 1_000, 80):.2f} MB (limit 5)")


if __name__ == "__main__":
    main()
