"""`puntobanco systems GAME`: what becomes of a bankroll by a staking system, beside the exact odds."""

import argparse
import json
from collections.abc import Iterator, Sequence
from math import ceil
from textwrap import wrap
from time import perf_counter
from typing import TYPE_CHECKING

from puntobanco.cards import Shoe
from puntobanco.cli.columns import BOLD, DIM, GREEN, RED, Cell, Page, printable, signed, signed_share, signed_whole
from puntobanco.cli.heading import write_heading
from puntobanco.cli.progress import progress
from puntobanco.cli.reading import add_game, chosen_game
from puntobanco.cli.shoe_options import read_decks, read_number
from puntobanco.cli.wager_file import add_wager_file, with_chosen_wagers
from puntobanco.provenance import Provenance
from puntobanco.rules.game import Game
from puntobanco.rules.wagers import MONEY_LIMIT, Fixed

if TYPE_CHECKING:
    from puntobanco.strategies.session_results import SessionResults
    from puntobanco.strategies.sessions import SessionStudy, SessionTerms
    from puntobanco.strategies.systems import NamedSystem

HELP = """Play sessions by a staking system, with a bankroll at a table with limits: how the results spread, how often
the bankroll is lost, and what each unit staked won beside the exact odds. Several systems play the same rounds."""
EXAMPLE = "puntobanco systems manila --system martingale --wager banker --sessions 10000 --rounds 500"

ALL = "all"
INTERRUPTED = 130
MOST_ROUNDS, MOST_SESSIONS = 100_000, 10_000_000
IMPROBABLE = 4.0
"""How many standard errors from the exact odds want an explanation."""


class ListSystems(argparse.Action):
    """As --help does: prints and ends, whatever else is asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *unused: object) -> None:
        from puntobanco.strategies.systems import SYSTEMS

        page = Page()
        for system in SYSTEMS.values():
            _describe(page, system)
        page.note("Your own: --system path/to/file.py:ClassName; see the help of puntobanco.strategies.systems.")
        parser.exit()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    add_wager_file(parser)
    parser.add_argument("--list", action=ListSystems, nargs=0, help="list the systems and end")
    parser.add_argument(
        "--system",
        metavar="NAME",
        action="append",
        help="a system's name, all to compare them (the default), or file.py:ClassName for your own; may be repeated",
    )
    parser.add_argument("--wager", metavar="WAGER", default="banker", help="the wager's id (default: banker)")
    parser.add_argument("--base", metavar="N", help="the base stake, one unit (default: the minimum)")
    parser.add_argument("--bankroll", metavar="N", help="what a session begins with (default: 100 base stakes)")
    parser.add_argument("--minimum", metavar="N", help="the table's minimum (default: the base, or 100 steps)")
    parser.add_argument("--maximum", metavar="N", help="the table's maximum (default: 100 times the minimum)")
    parser.add_argument("--step", metavar="N", help="stakes are multiples of it (default: paid in whole units)")
    parser.add_argument("--stop-loss", metavar="N", help="a session ends when it is down by at least so much")
    parser.add_argument("--win-goal", metavar="N", help="a session ends when it is up by at least so much")
    parser.add_argument("--rounds", metavar="N", default="500", help="how long a session lasts (default: 500)")
    parser.add_argument("--sessions", metavar="N", default="10000", help="how many sessions (default: 10,000)")
    parser.add_argument("--seed", metavar="S", default="1", help="the same seed gives the same sessions (default: 1)")
    parser.add_argument(
        "--decks", metavar="N", help="how many decks the shoe is made of (default: as usual for the game)"
    )
    parser.add_argument("--cut", metavar="N", help="how many cards lie behind the cut card (default: 14)")
    parser.add_argument("--threads", metavar="N", help="how many threads (default: one a core)")
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")
    parser.add_argument("--plot", metavar="FILE", help="draw the results, as .png, .svg or .pdf")


def run(arguments: argparse.Namespace) -> int:
    game = with_chosen_wagers(chosen_game(arguments), arguments)
    rounds = read_number("rounds", arguments.rounds, 1, MOST_ROUNDS)
    sessions = read_number("sessions", arguments.sessions, 1, MOST_SESSIONS)
    seed = read_number("seed", arguments.seed, 0, 10**18)
    threads = read_number("threads", arguments.threads, 1, 1024) if arguments.threads is not None else None
    decks = read_decks(game, arguments.decks) if arguments.decks is not None else game.decks.default
    shoe = Shoe.full(game.pack, decks)
    cut = read_number("cut", arguments.cut, 0, shoe.size) if arguments.cut is not None else None
    if arguments.plot is not None:
        from puntobanco.cli.plots import plot_path

        path = plot_path(arguments.plot)
    systems = _chosen_systems(arguments.system or [ALL])
    terms = _terms(game, arguments)
    from puntobanco.dealing import AT_A_TABLE, BurnAndCut
    from puntobanco.simulate import prepare
    from puntobanco.strategies.sessions import SessionStudy

    job = prepare(game, seed, shoe, AT_A_TABLE if cut is None else BurnAndCut(cut_depth=cut))
    study = SessionStudy(job, systems, arguments.wager, terms, rounds)
    began = perf_counter()
    try:
        _play(study, sessions, threads)
    except KeyboardInterrupt:
        if not study.sessions:
            raise
    seconds = perf_counter() - began
    results = study.results()
    made = job.provenance
    if arguments.json:
        print(json.dumps(as_json(study, results, made, sessions, seconds), indent=1))
    else:
        draw(Page(), study, results, made, sessions, seconds)
    if arguments.plot is not None:
        from puntobanco.cli.plots import save_figure
        from puntobanco.cli.systems_chart import chart

        save_figure(chart(study, results, made), path)
    return 0 if study.sessions == sessions else INTERRUPTED


def _play(study: "SessionStudy", sessions: int, threads: int | None) -> None:
    with progress("sessions", sessions) as step:
        for piece in study.pieces(sessions):
            study.play(piece, threads)
            step(piece)


def _chosen_systems(names: Sequence[str]) -> "list[NamedSystem]":
    from puntobanco.strategies.systems import SYSTEMS, find_system

    listed = [each for name in names for each in (SYSTEMS if name == ALL else [name])]
    return [find_system(name) for name in dict.fromkeys(listed)]


def _terms(game: Game, arguments: argparse.Namespace) -> "SessionTerms":
    from puntobanco.strategies.sessions import SessionTerms

    def limit(name: str) -> int | None:
        text = getattr(arguments, name)
        return None if text is None else read_number(name.replace("_", "-"), text, 1, MONEY_LIMIT)

    def money(name: str, default: int) -> int:
        return limit(name) or default

    step = money("step", game.stake_step)
    base = money("base", 0)
    minimum = money("minimum", base or 100 * step)
    base = base or minimum
    bankroll, maximum = money("bankroll", 100 * base), money("maximum", 100 * minimum)
    return SessionTerms(bankroll, base, minimum, maximum, step, limit("stop_loss"), limit("win_goal"))


# --- For a person --------------------------------------------------------------------------------------------------


def draw(
    page: Page, study: "SessionStudy", results: "list[SessionResults]", made: Provenance, wanted: int, seconds: float
) -> None:
    """Print the findings."""
    terms, dealing = study.terms, study.job.dealing
    burn = "burn by the first card" if dealing.burns else "no burn"
    shoe_words = f"{made.decks} decks, cut card {dealing.cut_depth} from the end, {burn}"
    write_heading(page, made, shoe_words, about=study.staked_words)
    leaves = [
        f"{name} {amount:,}"
        for name, amount in (("stop-loss", terms.stop_loss), ("win goal", terms.win_goal))
        if amount is not None
    ]
    most = "at most " if leaves else ""
    early = f" of {wanted:,}, interrupted" if study.sessions < wanted else ""
    page.note(f"{study.sessions:,} sessions{early} of {most}{study.rounds:,} rounds, seed {study.job.seed}")
    page.note(
        f"bankroll {terms.bankroll:,}, base stake {terms.base:,}, table {terms.minimum:,} to {terms.maximum:,} "
        f"in steps of {terms.step:,}"
    )
    if leaves:
        page.note(", ".join(leaves))
    page.write()
    if len(results) == 1:
        _draw_one(page, results[0], terms)
    else:
        _draw_comparison(page, results, terms)
    page.write()
    for sentence in meaning(study, results):
        page.note(sentence)
    page.note(f"{sum(found.bets for found in results) / seconds:,.0f} bets a second.")


def _endings(found: "SessionResults", terms: "SessionTerms") -> list[tuple[str, int]]:
    """How many sessions ended by each of the limits that the patron brought."""
    endings = (("stop-loss", terms.stop_loss, found.stopped), ("win goal", terms.win_goal, found.reached))
    return [(name, sessions) for name, amount, sessions in endings if amount is not None]


def _describe(page: Page, system: "NamedSystem") -> None:
    page.write(Cell(printable(system.short_name), BOLD))
    for line in wrap(printable(system.description), page.width - 4):
        page.write("    ", line)


def _draw_one(page: Page, found: "SessionResults", terms: "SessionTerms") -> None:
    from puntobanco.strategies.session_report import BARS, QUANTILES

    ruin = found.ruin
    rows = [
        ("mean result of a session", signed_whole(found.mean)),
        ("standard deviation", f"{found.standard_deviation:,.0f}"),
        ("sessions that won", f"{found.share_ahead:.2%}"),
        ("sessions ruined", f"{ruin.share:.2%}  ({ruin.low:.2%} to {ruin.high:.2%} at 95%)"),
        *(
            (f"ended by the {name}", f"{sessions / found.sessions:.2%}  ({sessions:,} sessions)")
            for name, sessions in _endings(found, terms)
        ),
        ("longest losing run", f"{found.longest_losing_run:,}, {found.mean_longest_losing_run:.1f} on average"),
        ("deepest drawdown", f"{found.drawdown:,}, {found.mean_drawdown:,.0f} on average"),
        ("average stake", f"{found.average_stake:,.0f}"),
        ("staked in all", f"{found.staked:,} in {found.bets:,} bets"),
        ("result for each unit staked", _share(found)),
        ("by the exact odds", f"{_percent(found.exact_share)}  (z = {_z(found)})"),
    ]
    _describe(page, found.system)
    page.table([[Cell(name, DIM), value] for name, value in rows], "<<")
    page.write()
    page.table(
        [
            [Cell("quantile", DIM), *(Cell(f"{share:.0%}", DIM) for share in QUANTILES)],
            [Cell("result", DIM), *(signed_whole(found.quantile(share)) for share in QUANTILES)],
        ],
        "<" + ">" * len(QUANTILES),
    )
    page.write()
    bars = found.histogram(BARS)
    most = max(bar.sessions for bar in bars)
    room = max(10, page.width - 40)
    drawn: list[list[Cell | str]] = []
    for bar in bars:
        block = Cell(page.bar(bar.sessions / most, room), RED if bar.high <= 0 else GREEN)
        drawn.append([signed_whole(bar.low), Cell("to", DIM), signed_whole(bar.high), f"{bar.sessions:,}", block])
    page.table(drawn, "><>><")


def _draw_comparison(page: Page, results: "list[SessionResults]", terms: "SessionTerms") -> None:
    # In one word each, so that all of it fits a line of 80.
    limits = [name.split()[-1].split("-")[0] for name, _ in _endings(results[0], terms)]
    headings: tuple[str, ...] = ("system", "mean", "5%", "median", "95%", "won", "ruined", *limits)
    rows: list[list[Cell | str]] = [[Cell(heading, DIM) for heading in headings]]
    for found in results:
        quantiles = [signed_whole(found.quantile(share)) for share in (0.05, 0.5, 0.95)]
        shares = [f"{found.share_ahead:.1%}", f"{found.ruin.share:.1%}"]
        shares += [f"{sessions / found.sessions:.1%}" for _, sessions in _endings(found, terms)]
        rows.append([Cell(printable(found.system.short_name), BOLD), signed_whole(found.mean), *quantiles, *shares])
    page.table(rows, "<" + ">" * (len(headings) - 1))
    page.write()
    headings = ("system", "stake", "run", "drawdown", "of staked", "exact", "z")
    rows = [[Cell(heading, DIM) for heading in headings]]
    for found in results:
        stake, run, drawdown = f"{found.average_stake:,.0f}", f"{found.longest_losing_run:,}", f"{found.drawdown:,}"
        edge = [_share(found), _percent(found.exact_share), _z(found)]
        rows.append([Cell(printable(found.system.short_name), BOLD), stake, run, drawdown, *edge])
    page.table(rows, "<" + ">" * (len(headings) - 1))
    ended = ", the last ended by stop-loss or win goal" if limits else ""
    page.note(
        f"{', '.join(('won', 'ruined', *limits))}: share of the sessions{ended}; stake: on average; run: the longest "
        "of losses; drawdown: the deepest; of staked: the result for each unit staked, ± a standard error."
    )


def _percent(share: float | None) -> str:
    return "-" if share is None else signed_share(share, 3)


def _share(found: "SessionResults") -> str:
    error = found.standard_error
    return "-" if error is None else f"{_percent(found.share_of_staked)} ± {error:.3%}"


def _z(found: "SessionResults") -> str:
    return "-" if found.z is None else signed(found.z, 2)


def meaning(study: "SessionStudy", results: "list[SessionResults]") -> Iterator[str]:
    """What the figures say of systems, in sentences."""
    by_road = [found.system.short_name for found in results if found.system.follows_road]
    if by_road:
        yield (
            f"{', '.join(by_road)}: staked on Player or Banker as the road says, whatever --wager is, so the exact "
            "figure is that of both, by what was staked on each."
        )
    measured = [found for found in results if found.z is not None]
    far = [found for found in measured if abs(found.z or 0) > IMPROBABLE]
    if measured and not far:
        which = "The system's result" if len(results) == 1 else "The result of every system"
        agrees = (
            f"{which} for each unit staked is what the exact odds say, within "
            # Rounded up, or the farthest would lie outside.
            f"{ceil(10 * max(abs(found.z or 0) for found in measured)) / 10:.1f} standard errors."
        )
        staked_on = {wager for found in results for wager in found.wagers_staked_on}
        bonuses = [line for wager in staked_on for line in study.job.game.paytables[wager].bonuses]
        if any(isinstance(line.pays, Fixed) for line in bonuses):
            yield (
                "A fixed bonus is the same money at any stake, so the edge depends on the stake, and a system that "
                "stakes more or less than another has another edge. In whatever order the same stakes are made, the "
                f"expected result is the same. {agrees}"
            )
        else:
            yield (
                "No system changes the edge: the expected result is the edge of the wager times the money staked, in "
                f"whatever order it is staked. {agrees}"
            )
        yield (
            "What a system does choose is the spread: many small wins paid for by a ruin, or the reverse, and how "
            "much money is put to the edge."
        )
    if study.terms.stop_loss is not None or study.terms.win_goal is not None:
        yield "A stop-loss and a win goal change when one leaves, not the edge."
    if far:
        names = ", ".join(printable(found.system.short_name) for found in far)
        yield (
            f"{names}: further from the exact odds than chance explains. The exact odds are those of a full shoe, and "
            "leave out how payments are rounded."
        )
    if study.terms.step % study.job.game.stake_step:
        yield (
            f"Stakes that are not multiples of {study.job.game.stake_step} are paid rounded "
            f"{study.job.game.reading['rounding']}, which the exact odds beside them leave out."
        )
    if any((found.exact_share or 0) > 0 for found in results):
        yield "Here the exact odds favour the patron; no system adds to that for each unit staked either."


# --- For a program -------------------------------------------------------------------------------------------------


def as_json(
    study: "SessionStudy", results: "list[SessionResults]", made: Provenance, wanted: int, seconds: float
) -> dict[str, object]:
    from puntobanco.odds import odds
    from puntobanco.odds.report import exact
    from puntobanco.strategies.session_report import results_json

    game, terms = study.job.game, study.terms
    return {
        "game": game.id,
        "wager": study.wager,
        "provenance": made.as_json(),
        "reading": dict(game.reading),
        "cards": study.job.tables.shoe.size,
        "cut": study.job.dealing.cut_depth,
        "seed": study.job.seed,
        "rounds": study.rounds,
        "sessions": study.sessions,
        "interrupted": study.sessions < wanted,
        "bankroll": terms.bankroll,
        "base": terms.base,
        "minimum": terms.minimum,
        "maximum": terms.maximum,
        "step": terms.step,
        "stop_loss": terms.stop_loss,
        "win_goal": terms.win_goal,
        **exact("exact_ev", odds(game, study.job.tables.shoe).wagers[study.wager].ev),
        "seconds": seconds,
        "bets_per_second": sum(found.bets for found in results) / seconds,
        "systems": {found.system.name: results_json(found, terms) for found in results},
    }
