"""`puntobanco simulate GAME`: full shoes dealt by the million, beside the exact odds."""

import argparse
import json
import sys
import warnings
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from math import ceil, floor, isfinite, log10
from typing import TYPE_CHECKING

from puntobanco.cards import Shoe, shown
from puntobanco.cli.columns import BOLD, DIM, GAP, RED, Cell, Page, favour, printable, signed
from puntobanco.cli.heading import write_heading
from puntobanco.cli.reading import add_game, chosen_game
from puntobanco.cli.shoe_options import read_decks, read_number
from puntobanco.cli.simulate_run import Simulation
from puntobanco.cli.wager_file import add_wager_file, with_chosen_wagers
from puntobanco.dealing import AT_A_TABLE, BurnAndCut, BurnRule
from puntobanco.errors import Fault, InputError
from puntobanco.odds.pricing import odds
from puntobanco.provenance import Provenance
from puntobanco.rules.wagers import Fixed
from puntobanco.simulate import jobs
from puntobanco.simulate.jobs import SEEDS, Job, prepare
from puntobanco.simulate.report import (
    IMPROBABLE,
    Comparison,
    LineComparison,
    WagerComparison,
    compare,
    comparison_json,
    rounds_for,
)

if TYPE_CHECKING:
    from pathlib import Path

    from puntobanco.simulate.parquet import RoundFile

HELP = """Deal full shoes, settle every wager on every round, and compare what came of it with the exact odds: the
frequency of every line with its 95% confidence interval, the expected value of every wager, and how far off they are
in standard errors (z). The same seed gives the same counts, whatever the threads. Ctrl-C prints what there is."""
EXAMPLE = "puntobanco simulate six-star --shoes 1000000 --seed 7 --plot six-star.png"

INTERRUPTED, NOT_REACHED = 130, 1
SHOES, SHOES_WITHOUT_KERNEL, SHOES_WRITTEN = 1_000_000, 100, 1_000
MOST_SHOES = 10**12
MOST_SHOES_FOR_A_PRECISION = 10**9
MOST_THREADS = 1_024
MOST_SECONDS = 10**6
CARDS_OF_A_ROUND = 4.9
LABEL_LEAST = 12


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    add_wager_file(parser)
    parser.add_argument(
        "--shoes",
        metavar="N",
        help=f"how many shoes to deal (default: {SHOES:,}, about a second; {SHOES_WRITTEN:,} with --out)",
    )
    parser.add_argument("--seed", metavar="S", default="1", help="the same seed deals the same shoes (default: 1)")
    parser.add_argument("--threads", metavar="T", help="how many threads to deal with (default: one for each core)")
    parser.add_argument(
        "--decks", metavar="N", help="how many decks the shoe is made of (default: as usual for the game)"
    )
    parser.add_argument(
        "--cut",
        metavar="N",
        help=f"how many cards lie behind the cut card (default: {AT_A_TABLE.cut_depth})",
    )
    parser.add_argument(
        "--burn",
        choices=("on", "off"),
        default="on",
        help="whether cards are burned by the first card of a shoe (default: on)",
    )
    parser.add_argument(
        "--rounds-per-shoe",
        metavar="N",
        help="deal so many rounds of every shoe, whatever the cut card: the odds are then those of a full shoe exactly",
    )
    parser.add_argument(
        "--until-se",
        metavar="X",
        help="deal until the standard error of every wager's expected value is below X, such as 1e-4; "
        f"--shoes is then the most to deal (default: {MOST_SHOES_FOR_A_PRECISION:,})",
    )
    parser.add_argument("--out", metavar="FILE", help="write every round into this .parquet file; needs pyarrow")
    parser.add_argument("--plot", metavar="FILE", help="draw how the estimates converge, as .png, .svg or .pdf")
    parser.add_argument("--json", action="store_true", help="print JSON: counts, fractions with floats beside them")
    parser.add_argument(
        "--engine",
        metavar="ENGINE",
        default="local",
        help="local, or dask://HOST:PORT to deal the same shoes on a Dask cluster (default: local)",
    )
    parser.add_argument(
        "--wait",
        metavar="SECONDS",
        help="how long to wait for a cluster that has no workers, or has lost them all; then what is finished is "
        "printed (default: 60)",
    )


def run(arguments: argparse.Namespace) -> int:
    game = with_chosen_wagers(chosen_game(arguments), arguments)
    decks = read_decks(game, arguments.decks) if arguments.decks is not None else game.decks.default
    shoe = Shoe.full(game.pack, decks)
    seed = read_number("seed", arguments.seed, 0, SEEDS - 1)
    job = prepare(game, seed, shoe, _dealing(arguments, shoe), _rounds_of_a_shoe(arguments, shoe))
    threads = read_number("threads", arguments.threads, 1, MOST_THREADS) if arguments.threads is not None else None
    precision = _precision(arguments.until_se) if arguments.until_se is not None else None
    cluster = _cluster(arguments.engine)
    wait = _wait(arguments.wait, cluster)
    plot, out = _plot_path(arguments.plot), _out_path(arguments.out, cluster)
    most = _most_shoes(arguments, cluster)
    priced = odds(game, shoe)
    made = job.provenance
    with warnings.catch_warnings(), _round_file(out, job, made) as file:
        # It is said in a sentence instead.
        warnings.filterwarnings("ignore", message="puntobanco was built without", category=RuntimeWarning)
        if not jobs.available and cluster is None:
            print(f"puntobanco: {jobs.SLOW}", file=sys.stderr)
        simulation = Simulation(
            job, priced, threads=threads, cluster=cluster, wait=wait, file=file, plotted=plot is not None
        )
        interrupted = False
        try:
            _deal(simulation, most, rounds_for(priced, precision) if precision is not None else None)
        except KeyboardInterrupt:
            if not simulation.tally.rounds:
                raise
            interrupted = True
        except Fault as fault:
            # What a cluster has finished is right and may have taken days; what failed here has another cause.
            if cluster is None or not simulation.tally.rounds:
                raise
            simulation.say(f"{fault} What it had finished follows: {simulation.tally.shoes:,} of {most:,} shoes.")
            interrupted = True
    found = compare(simulation.tally, priced)
    if arguments.json:
        findings = comparison_json(found, made, simulation.seconds)
        print(json.dumps({**findings, "interrupted": interrupted}, indent=1))
    else:
        draw(Page(), found, job, made, simulation.seconds, interrupted=interrupted)
    if plot is not None:
        from puntobanco.cli.plots import save_figure  # matplotlib is slow to load.
        from puntobanco.cli.simulate_chart import chart

        save_figure(chart(found, simulation.checkpoints, made), plot)
    if interrupted:
        return INTERRUPTED
    if precision is not None and found.standard_error >= precision:
        print(
            f"puntobanco: After {found.tally.shoes:,} shoes the largest standard error is {found.standard_error:.2g}, "
            f"not below {precision:g}: allow more with --shoes.",
            file=sys.stderr,
        )
        return NOT_REACHED
    return 0


def _deal(simulation: Simulation, most: int, rounds: int | None) -> None:
    """Deal all the shoes, or until there are so many rounds."""
    if rounds is None:
        simulation.deal_until(most)
        return
    # Where to stop depends on the job alone and not on the clock, so that the counts do not either.
    job = simulation.job
    a_shoe = job.rounds or job.tables.shoe.size / CARDS_OF_A_ROUND
    wanted = min(most, ceil(rounds / a_shoe))
    while simulation.tally.rounds < rounds and simulation.tally.shoes < most:
        simulation.deal_until(wanted)
        done = simulation.tally
        wanted = min(most, done.shoes + max(1, -(-(rounds - done.rounds) * done.shoes // done.rounds)))


def _precision(text: str) -> float:
    try:
        precision = float(text)
    except ValueError:
        precision = 0.0
    if not isfinite(precision) or precision < 1e-9:
        raise InputError("bad-usage", f"--until-se takes a standard error such as 1e-4, not {shown(text)}.")
    return precision


def _dealing(arguments: argparse.Namespace, shoe: Shoe) -> BurnAndCut:
    cut = arguments.cut
    return BurnAndCut(
        burn=BurnRule.BY_FIRST_CARD if arguments.burn == "on" else BurnRule.OFF,
        cut_depth=read_number("cut", cut, 0, shoe.size) if cut is not None else AT_A_TABLE.cut_depth,
    )


def _rounds_of_a_shoe(arguments: argparse.Namespace, shoe: Shoe) -> int | None:
    rounds = arguments.rounds_per_shoe
    return read_number("rounds-per-shoe", rounds, 1, shoe.size) if rounds is not None else None


def _most_shoes(arguments: argparse.Namespace, cluster: str | None) -> int:
    if arguments.shoes is not None:
        return read_number("shoes", arguments.shoes, 1, MOST_SHOES)
    if arguments.until_se is not None:
        return MOST_SHOES_FOR_A_PRECISION
    if arguments.out is not None:
        return SHOES_WRITTEN if jobs.available else SHOES_WITHOUT_KERNEL
    return SHOES if jobs.available or cluster is not None else SHOES_WITHOUT_KERNEL


def _cluster(engine: str) -> str | None:
    """The address of the cluster; None to deal here."""
    if engine == "local":
        return None
    if not engine.startswith("dask://"):
        raise InputError("bad-usage", f"--engine takes local or dask://HOST:PORT, not {shown(engine)}.")
    return engine


def _wait(text: str | None, cluster: str | None) -> int | None:
    if text is None:
        return None
    if cluster is None:
        raise InputError("bad-usage", "--wait is for a cluster: it goes with --engine dask://HOST:PORT.")
    return read_number("wait", text, 1, MOST_SECONDS)


def _plot_path(text: str | None) -> "Path | None":
    if text is None:
        return None
    from puntobanco.cli.plots import plot_path  # Only needed with --plot.

    return plot_path(text)


def _out_path(text: str | None, cluster: str | None) -> "Path | None":
    if text is None:
        return None
    if cluster is not None:
        raise InputError("bad-usage", "--out writes the rounds that are dealt here: leave --engine out.")
    from puntobanco.cli.parsheet import output_path  # Only needed with --out.

    return output_path(text, (".parquet", ".pq"))


def _round_file(path: "Path | None", job: Job, made: Provenance) -> "AbstractContextManager[RoundFile | None]":
    if path is None:
        return nullcontext(None)
    from puntobanco.simulate.parquet import RoundFile  # Only needed with --out.

    return RoundFile(path, job, made)


def draw(
    page: Page, found: Comparison, job: Job, made: Provenance, seconds: float, *, interrupted: bool = False
) -> None:
    """Print the comparison for a person."""
    dealing = job.dealing
    ending = f"cut card {dealing.cut_depth} from the end" if job.rounds is None else f"{job.rounds} rounds each"
    burn = "burn by the first card" if dealing.burns else "no burn"
    write_heading(page, made, f"{made.decks} decks, {ending}, {burn}")
    early = ", interrupted" if interrupted else ""
    page.note(
        f"{found.tally.shoes:,} shoes{early}, {found.rounds:,} rounds, seed {job.seed}; {seconds:.2f} s, "
        f"{_speed(found.rounds / seconds)} rounds a second"
    )
    page.write()
    page.table(_wager_rows(found), "<>>>>", width=30)
    page.write()
    rows = list(_line_rows(found))
    taken = [max(len(row[place].text) for row in rows) for place in range(1, 6)]
    label_width = max(page.width - sum(taken) - len(GAP) * 5, LABEL_LEAST)
    page.table(rows, "<>>>>>", width=label_width)
    page.write()
    for sentence in meaning(found, job.rounds):
        page.note(sentence)


def _speed(rate: float) -> str:
    return f"{rate / 1e6:,.1f} million" if rate >= 1e6 else f"{rate:,.0f}"


def _wager_rows(found: Comparison) -> Iterator[list[Cell | str]]:
    yield [Cell(heading, DIM) for heading in ("wager", "simulated", "95%", "expected", "z")]
    for wager in found.wagers.values():
        decimals = _decimals(wager.half_interval)
        yield [
            Cell(printable(wager.odds.wager.name), BOLD),
            Cell(signed(wager.ev, decimals), favour(wager.ev)),
            f"± {wager.half_interval:,.{decimals}f}",
            signed(wager.odds.ev, decimals),
            _z(wager),
        ]


def _line_rows(found: Comparison) -> Iterator[list[Cell]]:
    yield [Cell(heading, DIM) for heading in ("line", "rounds", "frequency", "95% interval", "exact", "z")]
    for wager in found.wagers.values():
        yield [Cell(printable(wager.odds.wager.name), BOLD), *[Cell("")] * 5]
        for line in wager.lines:
            low, high = (100 * end for end in line.interval)
            decimals = _decimals((high - low) / 2)
            yield [
                Cell(f"  {'+ ' if line.odds.on_top else ''}{printable(line.odds.line.label)}"),
                Cell(f"{line.count:,}"),
                Cell(f"{100 * line.frequency:.{decimals}f}%"),
                Cell(f"{low:.{decimals}f} to {high:.{decimals}f}"),
                Cell(f"{float(100 * line.odds.probability):.{decimals}f}%"),
                _z(line),
            ]


def _decimals(half_interval: float) -> int:
    """Two digits of what is uncertain; more would be noise."""
    return min(max(1 - floor(log10(half_interval)), 2), 9) if half_interval else 4


def _z(compared: LineComparison | WagerComparison) -> Cell:
    return Cell(f"{signed(compared.z, 2)} !", RED) if compared.improbable else Cell(f"{signed(compared.z, 2)}  ")


def meaning(found: Comparison, rounds_of_a_shoe: int | None) -> Iterator[str]:
    """What the figures do and do not say, in sentences."""
    yield (
        "z is how many standard errors a figure is from the exact one; of lines that are rare, the z that is as "
        "improbable. The rounds are counted as if independent, which those of one shoe nearly are."
    )
    if found.improbable:
        yield (
            f"! marks a z beyond {IMPROBABLE:g} ({found.improbable} here), where chance alone goes once in 15,787 "
            "times. If it stays with other seeds, the dealing is not what the odds assume, or one of the two is wrong."
        )
    else:
        yield f"No z is beyond {IMPROBABLE:g}, where chance alone goes once in 15,787 times: simulation and odds agree."
    unsure = [wager.odds.wager.name for wager in found.wagers.values() if not wager.normal]
    if unsure:
        yield (
            f"{printable(', '.join(unsure))}: rare and large payments make the expected value uneven over so few "
            "rounds, so its z is not judged; those of its lines are."
        )
    if any(isinstance(line.odds.line.pays, Fixed) for wager in found.wagers.values() for line in wager.lines):
        yield "Expected values leave fixed amounts out."
    if rounds_of_a_shoe is None:
        yield (
            "With a cut card the number of rounds depends on the cards, so frequencies truly differ from those of a "
            "full shoe, by about 1 in 10,000 of their size: seen beyond 1e9 rounds or so. "
            "--rounds-per-shoe N deals without that."
        )
