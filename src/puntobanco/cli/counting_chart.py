"""The chart of `puntobanco counting --plot`: the expected value over the depth of the shoe, and how it spreads."""

import io
from collections.abc import Sequence
from math import ceil, floor
from typing import TYPE_CHECKING

from puntobanco.cli.heading import title_of
from puntobanco.cli.plots import sign

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from puntobanco.provenance import Provenance
    from puntobanco.strategies.card_counting import CountingStudy

BINS, BARS = 40, 60
BANDS = ((0.01, 0.99), (0.1, 0.9), (0.25, 0.75))
"""The quantiles between which each band lies, the palest first."""
INK, FELT, GOLD, RED = "#1b2420", "#14532d", "#b8860b", "#b3261e"


def chart(study: "CountingStudy", suffix: str, made: "Provenance") -> bytes:
    """The chart as a file of that kind; the same study gives the same bytes."""
    import matplotlib
    from matplotlib.figure import Figure

    metadata = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(suffix, {})
    with matplotlib.rc_context(
        {"svg.hashsalt": "puntobanco", "font.size": 9, "axes.spines.top": False, "axes.spines.right": False}
    ):
        figure = Figure(figsize=(11, 5), layout="constrained")
        over_depth, spread = figure.subplots(1, 2, width_ratios=(3, 2))
        figure.suptitle(f"{title_of(study.game)}: {study.wager.name}", fontweight="bold", color=INK)
        _draw_depth(over_depth, study)
        _draw_spread(spread, study)
        sign(figure, made, "" if study.stake is None else f"Valued at a stake of {study.stake:,}.")
        file = io.BytesIO()
        figure.savefig(file, format=suffix[1:], dpi=150, metadata=metadata)
    return file.getvalue()


def _draw_depth(axes: "Axes", study: "CountingStudy") -> None:
    from matplotlib.ticker import PercentFormatter

    size = study.full_shoe.size
    bins: list[list[float]] = [[] for _ in range(BINS)]
    for shoe in study.shoes:
        for seen, value in zip(shoe.seen, shoe.values, strict=True):
            bins[seen * BINS // size].append(value)
    filled = [(place, sorted(values)) for place, values in enumerate(bins) if values]
    middles = [(place + 0.5) / BINS for place, _ in filled]
    for (low, high), strength in zip(BANDS, (0.15, 0.3, 0.5), strict=True):
        lows = [_quantile(values, low) for _, values in filled]
        highs = [_quantile(values, high) for _, values in filled]
        name = f"{high - low:.0%} of rounds"
        axes.fill_between(middles, lows, highs, color=FELT, alpha=strength, linewidth=0, label=name)
    axes.plot(middles, [_quantile(values, 0.5) for _, values in filled], color=FELT, label="median")
    axes.axhline(float(study.full_shoe_value), color=GOLD, linestyle="--", linewidth=1, label="full shoe")
    axes.axhline(0, color=INK, linewidth=0.8)
    axes.axvline(1 - study.dealing.cut_depth / size, color=RED, linestyle=":", linewidth=1, label="cut card")
    axes.set_xlim(0, 1)
    axes.xaxis.set_major_formatter(PercentFormatter(1))
    axes.yaxis.set_major_formatter(PercentFormatter(1))
    axes.set_xlabel("share of the shoe that has been seen")
    axes.set_ylabel("expected value of one unit staked")
    axes.set_title(f"before each of {study.rounds:,} rounds of {len(study.shoes):,} shoes", fontsize=9)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.1), ncols=3, frameon=False, fontsize=8)


def _draw_spread(axes: "Axes", study: "CountingStudy") -> None:
    from matplotlib.ticker import PercentFormatter

    values = sorted(study.values())
    # The last few rounds of odd shoes would squeeze everything else into one bar. Zero is always in sight.
    low, high = min(_quantile(values, 0.002), 0.0), max(_quantile(values, 0.998), 0.0)
    low, high = low - 0.2 * high - 0.001, high - 0.2 * low + 0.001
    width = (high - low) / BARS
    edges = [width * step for step in range(floor(low / width), ceil(high / width) + 1)]
    for name, colour, group in (
        ("against the patron", FELT, [value for value in values if value <= 0]),
        ("for the patron", GOLD, [value for value in values if value > 0]),
    ):
        # A value of zero exactly belongs to the bar below it, as it does not favour the patron.
        inside = [min(max(value, edges[0]), edges[-1]) for value in group]
        inside = [value - width / 2 if value == 0 else value for value in inside]
        axes.hist(inside, bins=edges, color=colour, label=f"{name}: {len(group) / len(values):.2%}", log=True)
    axes.set_ylim(bottom=0.7, top=len(values) * 2)
    axes.axvline(0, color=INK, linewidth=0.8)
    axes.xaxis.set_major_formatter(PercentFormatter(1))
    axes.set_xlabel("expected value; the end bars hold all beyond")
    axes.set_ylabel("rounds")
    axes.set_title("how the expected value spreads", fontsize=9)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.1), ncols=1, frameon=False, fontsize=8)


def _quantile(ordered: Sequence[float], share: float) -> float:
    """Between the two values next to that share of the way through."""
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)
