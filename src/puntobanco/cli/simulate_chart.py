"""The chart of `puntobanco simulate --plot`: how the expected values converge, and every line's z-score."""

from collections.abc import Sequence
from math import copysign, sqrt
from textwrap import shorten
from typing import TYPE_CHECKING

from puntobanco.cli.columns import printable, signed
from puntobanco.cli.heading import title_of
from puntobanco.cli.plots import INK, new_figure, sign
from puntobanco.cli.simulate_run import Checkpoint
from puntobanco.provenance import Provenance
from puntobanco.simulate.report import IMPROBABLE, WITHIN, Comparison, WagerComparison

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FELT, GOLD, RED = "#14532d", "#b8860b", "#b3261e"
COLUMNS = 2
FARTHEST = 6.0


def chart(found: Comparison, checkpoints: Sequence[Checkpoint], made: Provenance) -> "Figure":
    """One small chart for each wager, and beside them the z-scores of all lines."""
    wagers = list(found.wagers.items())
    rows = -(-len(wagers) // COLUMNS)
    lines = sum(len(wager.lines) for _, wager in wagers)
    figure = new_figure(13, max(2.1 * rows, 0.22 * lines) + 1)
    halves = figure.add_gridspec(1, 2, width_ratios=(3, 2))
    left, right = figure.add_subfigure(halves[0]), figure.add_subfigure(halves[1])
    for place, (name, wager) in enumerate(wagers):
        _draw_wager(left.add_subplot(rows, COLUMNS, place + 1), name, wager, checkpoints)
    _draw_lines(right.add_subplot(), found)
    game = found.tally.game
    figure.suptitle(f"{title_of(game)}: {found.rounds:,} rounds of {found.tally.shoes:,} shoes", fontweight="bold")
    sign(figure, made)
    return figure


def _draw_wager(axes: "Axes", name: str, wager: WagerComparison, checkpoints: Sequence[Checkpoint]) -> None:
    rounds = [each.rounds for each in checkpoints]
    exact = float(wager.odds.ev)
    band = [WITHIN * wager.odds.standard_deviation / sqrt(each) for each in rounds]
    lows, highs = [exact - half for half in band], [exact + half for half in band]
    axes.fill_between(rounds, lows, highs, color=FELT, alpha=0.18, linewidth=0)
    axes.axhline(exact, color=GOLD, linestyle="--", linewidth=1)
    axes.plot(rounds, [each.evs[name] for each in checkpoints], color=FELT, linewidth=1.2)
    axes.set_xscale("log")
    axes.set_ylim(exact - 0.6 * band[0], exact + 0.6 * band[0])
    axes.set_title(
        f"{printable(wager.odds.wager.name)}: exact {signed(exact, 6)}, z {signed(wager.z, 2)}", fontsize=8.5, color=INK
    )
    axes.tick_params(labelsize=7)
    axes.set_xlabel("rounds; shaded: 95% of all simulations", fontsize=7)


def _draw_lines(axes: "Axes", found: Comparison) -> None:
    compared = [(wager.odds.wager.name, line) for wager in found.wagers.values() for line in wager.lines]
    for place, (_, line) in enumerate(compared):
        # What is farther stands at the edge, marked as improbable all the same.
        z = copysign(min(abs(line.z), FARTHEST), line.z)
        axes.plot([0, z], [place, place], color=INK, linewidth=0.6, alpha=0.4)
        axes.plot([z], [place], "o", markersize=4, color=RED if line.improbable else FELT)
    names = [shorten(f"{printable(name)}: {printable(line.odds.line.label)}", 60) for name, line in compared]
    axes.set_yticks(range(len(names)), names, fontsize=6.5)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_xlim(-FARTHEST - 0.3, FARTHEST + 0.3)
    axes.axvspan(-WITHIN, WITHIN, color=FELT, alpha=0.1, linewidth=0)
    for edge in (-IMPROBABLE, IMPROBABLE):
        axes.axvline(edge, color=RED, linestyle=":", linewidth=1)
    axes.set_xlabel("z; shaded: 95% by chance, dotted: improbable", fontsize=7)
    axes.tick_params(axis="x", labelsize=7)
