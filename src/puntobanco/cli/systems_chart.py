"""The chart of `puntobanco systems --plot`: how the results spread, and the edge beside the exact one."""

from typing import TYPE_CHECKING

from puntobanco.cli.columns import printable, signed_whole
from puntobanco.cli.heading import title_of
from puntobanco.cli.plots import INK, new_figure, sign

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from puntobanco.provenance import Provenance
    from puntobanco.strategies.session_results import SessionResults
    from puntobanco.strategies.sessions import SessionStudy

FELT, GOLD, RED = "#14532d", "#b8860b", "#b3261e"
BARS = 60


def chart(study: "SessionStudy", results: "list[SessionResults]", made: "Provenance") -> "Figure":
    """How the results spread on the left, what each unit staked won on the right."""
    from matplotlib.ticker import StrMethodFormatter

    figure = new_figure(11, 3.4 + 0.3 * len(results))
    spread, edge = figure.subplots(1, 2, width_ratios=(3, 2))
    game, terms = study.job.game, study.terms
    figure.suptitle(f"{title_of(game)}: {printable(study.staked_words)}", fontweight="bold")
    if len(results) == 1:
        _draw_histogram(spread, results[0])
    else:
        _draw_ranges(spread, results)
    spread.axvline(0, color=INK, linewidth=0.8)
    spread.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    spread.tick_params(axis="x", labelsize=8)
    spread.set_title(
        f"{study.sessions:,} sessions of {study.rounds:,} rounds, bankroll {terms.bankroll:,}, "
        f"base {terms.base:,}, table {terms.minimum:,} to {terms.maximum:,}",
        fontsize=9,
    )
    _draw_edge(edge, results)
    sign(figure, made)
    return figure


def _draw_histogram(axes: "Axes", found: "SessionResults") -> None:
    bars = found.histogram(BARS)
    axes.bar(
        [bar.low for bar in bars],
        [bar.sessions for bar in bars],
        [bar.high - bar.low for bar in bars],
        align="edge",
        color=[RED if bar.high <= 0 else FELT for bar in bars],
    )
    axes.axvline(found.mean, color=GOLD, linestyle="--", label=f"mean {signed_whole(found.mean)}")
    axes.set_xlabel(f"result of a session by {found.system.short_name}; {found.ruin.share:.1%} ruined", fontsize=8.5)
    axes.set_ylabel("sessions", fontsize=8.5)
    axes.tick_params(axis="y", labelsize=8)
    axes.legend(frameon=False, fontsize=8)


def _draw_ranges(axes: "Axes", results: "list[SessionResults]") -> None:
    for place, found in enumerate(results):
        for low, high, width in ((0.05, 0.95, 3), (0.25, 0.75, 9)):
            axes.hlines(place, found.quantile(low), found.quantile(high), color=FELT, linewidth=width, alpha=0.45)
        axes.plot([found.quantile(0.5)], [place], "|", color=INK, markersize=12)
        axes.plot([found.mean], [place], "o", color=GOLD, markersize=5)
    names = [f"{found.system.short_name}\n{found.ruin.share:.1%} ruined" for found in results]
    axes.set_yticks(range(len(results)), names, fontsize=8)
    axes.invert_yaxis()
    axes.set_xlabel("result of a session: middle half, 90%, median (line) and mean (dot)", fontsize=8.5)


def _draw_edge(axes: "Axes", results: "list[SessionResults]") -> None:
    from matplotlib.ticker import PercentFormatter

    for place, found in enumerate(results):
        if found.share_of_staked is None or found.exact_share is None or found.standard_error is None:
            continue
        axes.errorbar(
            [found.share_of_staked],
            [place],
            xerr=[2 * found.standard_error],
            fmt="o",
            color=FELT,
            markersize=4,
            capsize=3,
        )
        axes.plot([found.exact_share], [place], "d", color=GOLD, markersize=7, zorder=3)
    axes.set_yticks(range(len(results)), [found.system.short_name for found in results], fontsize=8)
    axes.set_ylim(len(results) - 0.5, -0.5)
    axes.xaxis.set_major_formatter(PercentFormatter(1))
    axes.set_xlabel("result for each unit staked, ± 2 standard errors\n(diamond: by the exact odds)", fontsize=8.5)
    axes.tick_params(axis="x", labelsize=8)
    axes.locator_params(axis="x", nbins=6)
    axes.set_title("the edge that each system met", fontsize=9)
