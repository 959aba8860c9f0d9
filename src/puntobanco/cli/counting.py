"""`puntobanco counting GAME WAGER`: how far a wager can be beaten by watching the cards."""

import argparse
import json
import sys
from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from puntobanco.cards import Shoe, shown
from puntobanco.cli.columns import BOLD, DIM, GREEN, Cell, Page, favour, signed, signed_share
from puntobanco.cli.heading import write_heading
from puntobanco.cli.parsheet import output_path, write_whole
from puntobanco.cli.progress import progress
from puntobanco.cli.reading import add_game, chosen_game
from puntobanco.cli.shoe_options import read_decks, read_number, read_stake
from puntobanco.cli.wager_file import add_wager_file, with_chosen_wagers
from puntobanco.errors import InputError, nearest
from puntobanco.odds import compiled_counter
from puntobanco.odds.report import exact
from puntobanco.provenance import Provenance
from puntobanco.rules.wagers import Fixed

if TYPE_CHECKING:
    from puntobanco.strategies.card_counting import CountingStudy, CountPlay, Play

HELP = """Study how vulnerable a wager is to a patron who watches the cards: the exact expected value before every round
of simulated shoes, what perfect play wins, and what a count of small whole numbers wins. Ctrl-C ends the study early
and prints what there is so far."""
EXAMPLE = "puntobanco counting manila tie --shoes 200 --cut 14 --plot tie.png"

PLOT_SUFFIXES = (".png", ".svg", ".pdf")
INTERRUPTED = 130
MOST_SHOES = 1_000_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    add_wager_file(parser)
    parser.add_argument("wager", metavar="WAGER", help="the wager's id, such as tie")
    parser.add_argument("--shoes", metavar="N", default="1000", help="how many shoes to deal (default: 1,000)")
    parser.add_argument("--seed", metavar="S", default="1", help="the same seed deals the same shoes (default: 1)")
    parser.add_argument("--cut", metavar="N", help="how many cards lie behind the cut card (default: as at a table)")
    parser.add_argument(
        "--decks", metavar="N", help="how many decks the shoe is made of (default: as usual for the game)"
    )
    parser.add_argument(
        "--stake", metavar="N", help="value the wager at this very stake: fixed bonuses and rounding included"
    )
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")
    parser.add_argument(
        "--plot", metavar="FILE", help="draw the expected value over the depth of the shoe, as .png, .svg or .pdf"
    )
    parser.add_argument(
        "--progress", action="store_true", help="tell how far the study is, even where standard error is no terminal"
    )


def run(arguments: argparse.Namespace) -> int:
    game = with_chosen_wagers(chosen_game(arguments), arguments)
    if arguments.wager not in game.paytables:
        wagers = list(game.paytables)
        raise InputError(
            "unknown-wager",
            f"{game.id} has no wager {shown(arguments.wager)}{nearest(arguments.wager, wagers)}",
        )
    shoes = read_number("shoes", arguments.shoes, 1, MOST_SHOES)
    seed = read_number("seed", arguments.seed, 0, 10**18)
    stake = read_stake(arguments.stake) if arguments.stake is not None else None
    plot = output_path(arguments.plot, PLOT_SUFFIXES) if arguments.plot is not None else None
    if plot is not None:
        from puntobanco.cli.plots import load_matplotlib

        load_matplotlib()
    from puntobanco.dealing import AT_A_TABLE, BurnAndCut
    from puntobanco.strategies.card_counting import CountingStudy

    decks = read_decks(game, arguments.decks) if arguments.decks is not None else game.decks.default
    cards = Shoe.full(game.pack, decks).size
    dealing = AT_A_TABLE if arguments.cut is None else BurnAndCut(cut_depth=read_number("cut", arguments.cut, 0, cards))
    study = CountingStudy(game, arguments.wager, decks=decks, dealing=dealing, seed=seed, stake=stake)
    if not compiled_counter.available:
        print(
            "puntobanco: the compiled kernel is not installed, and the pure-Python counter takes a second or two a "
            "shoe; --shoes 20 is soon done, and Ctrl-C prints what there is.",
            file=sys.stderr,
        )
    try:
        with progress("shoes", shoes, wanted=arguments.progress or None) as step:
            for _ in range(shoes):
                study.deal_shoe()
                step()
    except KeyboardInterrupt:
        if not study.shoes:
            raise
    if arguments.json:
        print(json.dumps(as_json(study, shoes), indent=1))
    else:
        draw(Page(), study, shoes)
    if plot is not None:
        from puntobanco.cli.counting_chart import chart

        write_whole(plot, chart(study, plot.suffix.lower(), _made(study)))
    return 0 if len(study.shoes) == shoes else INTERRUPTED


def draw(page: Page, study: "CountingStudy", wanted: int) -> None:
    """Print the findings for a person."""
    shoes, rounds = len(study.shoes), study.rounds
    perfect, count = study.perfect_play(), study.count_play()
    burn = "burn by the first card" if study.dealing.burns else "no burn"
    shoe_words = f"{study.decks} decks, cut card {study.dealing.cut_depth} from the end, {burn}"
    write_heading(page, _made(study), shoe_words, about=study.wager.name)
    early = f" of {wanted:,}, interrupted" if shoes < wanted else ""
    page.note(f"{shoes:,} shoes{early}, {rounds:,} rounds, seed {study.seed}")
    at_stake = f" at a stake of {study.stake:,}" if study.stake is not None else ""
    full = study.full_shoe_value
    page.write(f"expected value from the full shoe{at_stake}: ", Cell(signed(full * 100, 4) + "%", favour(full)))
    if study.stake is None and any(isinstance(line.pays, Fixed) for line in study.wager.bonuses):
        page.note("Fixed bonuses are left out: --stake N values the wager at a stake of N with them.")
    page.write()
    _draw_plays(page, study, perfect, count)
    page.write()
    _draw_depths(page, study)
    page.write()
    _draw_tags(page, study, count)
    page.write()
    for sentence in meaning(study, perfect, count):
        page.note(sentence)


def _draw_plays(page: Page, study: "CountingStudy", perfect: "Play", count: "CountPlay") -> None:
    headings = ("staking one unit", "rounds", "of all", "value of a bet", "units a shoe")
    rows: list[list[Cell | str]] = [[Cell(heading, DIM) for heading in headings]]
    plays = {"on every round": study.every_round(), "by perfect play": perfect}
    if any(study.effects.values()):
        plays["by the linear count"] = count.play
    for name, play in plays.items():
        error = "" if play.standard_error is None else f" ± {play.standard_error:,.5f}"
        value = "-" if play.value_when_betting is None else signed_share(play.value_when_betting, 3)
        rows.append(
            [
                Cell(name, BOLD),
                f"{play.bets:,}",
                f"{play.bets / study.rounds:.3%}",
                value,
                Cell(f"{signed(play.units_per_shoe, 5)}{error}", GREEN if play.units > 0 else ""),
            ]
        )
    page.table(rows, "<>>>>")


def _draw_depths(page: Page, study: "CountingStudy") -> None:
    headings = ("cards seen", "rounds", "mean", "lowest", "highest", "favourable", "units a shoe")
    rows: list[list[Cell | str]] = [[Cell(heading, DIM) for heading in headings]]
    for depth in study.depths():
        rows.append(
            [
                f"{depth.from_share:.0%} to {depth.to_share:.0%}",
                f"{depth.rounds:,}",
                signed_share(depth.mean, 3),
                signed_share(depth.lowest, 3),
                Cell(signed_share(depth.highest, 3), GREEN if depth.highest > 0 else ""),
                f"{depth.favourable / depth.rounds:.3%}",
                f"{depth.units_per_shoe:,.5f}",
            ]
        )
    page.table(rows, "<>>>>>>")


def _draw_tags(page: Page, study: "CountingStudy", count: "CountPlay") -> None:
    if not any(study.effects.values()):
        page.note(
            "Linear count: there is none. By symmetry no single card that leaves a full shoe changes this wager, "
            "so tags for cards see nothing; what favours the patron is how uneven the rest of the shoe is."
        )
        return
    suits = _alike_suits(study)
    headings = ["card"]
    for letters in suits:
        name = "" if len(suits) == 1 else f", {' '.join(study.game.pack.suits[letter] for letter in letters)}"
        headings += [f"effect{name}", "tag"]
    rows: list[list[Cell | str]] = [[Cell(heading, DIM) for heading in headings]]
    by_rank = [
        (
            rank,
            [
                (study.effects[card], study.count.tags[card])
                for card in (study.game.pack.card(rank + s[0]) for s in suits)
            ],
        )
        for rank in study.game.pack.ranks
    ]
    for figures, alike in groupby(by_rank, key=lambda each: each[1]):
        row: list[Cell | str] = [" ".join(rank for rank, _ in alike)]
        for effect, tag in figures:
            row += [Cell(signed(effect * 100, 5) + "%", favour(effect)), Cell(f"{tag:+d}" if tag else "0", BOLD)]
        rows.append(row)
    page.table(rows, "<" + ">>" * len(suits))
    page.note(
        "The effect is what the removal of one such card from the full shoe adds to the expected value. Linear count: "
        f"begin the running count at {study.count.start} and add the tag of every card seen; the true count is the "
        f"running count divided by the decks not seen yet. The tags correlate {study.count.correlation:.4f} with the "
        "effects."
    )
    if count.threshold is None:
        page.note("No true count to bet from would have won on these shoes.")
    else:
        page.note(
            f"Bet from a true count of {signed(count.threshold, 2)}: the one that wins most on these very shoes, so it "
            "will win somewhat less on others."
        )
    if count.betting_correlation is not None and count.slope is not None:
        page.note(
            f"Over all rounds the true count correlates {count.betting_correlation:.4f} with the exact value, and one "
            f"more is worth {signed_share(count.slope, 4)}."
        )


def _alike_suits(study: "CountingStudy") -> list[str]:
    """The letters of the suits, those together whose cards have the same effects and tags."""
    found: dict[tuple[object, ...], str] = {}
    for suit in study.game.pack.suits:
        figures = tuple((study.effects[card], study.count.tags[card]) for card in study.effects if card.suit == suit)
        found[figures] = found.get(figures, "") + suit
    return list(found.values())


def meaning(study: "CountingStudy", perfect: "Play", count: "CountPlay") -> Iterator[str]:
    """What the figures do and do not say, in sentences."""
    a_shoe = f"a shoe of {study.rounds / len(study.shoes):.0f} rounds"
    if study.full_shoe_value > 0:
        yield "The wager favours the patron from the full shoe; watching the cards only adds to that."
    if not perfect.bets:
        yield f"In none of these {study.rounds:,} rounds did the wager favour the patron, with all cards known."
    else:
        yield (
            f"The wager favours the patron once in {study.rounds / perfect.bets:,.1f} rounds. At {_stake_words(study)} "
            f"on each of these rounds and none on any other, perfect play wins {_won_words(study, perfect)} on average "
            f"in {a_shoe}."
        )
        if count.efficiency is not None and any(study.effects.values()):
            yield f"The linear count wins {count.efficiency:.0%} of that."
    yield (
        "Perfect play is a bound, not a plan: it takes the exact value of the unseen cards before every round, and a "
        "house that lets the patron sit out all the others."
    )
    yield (
        "Expected values are exact for each shoe; ± is one standard error from the number of shoes. What is won in "
        "fact varies far more."
    )


def _stake_words(study: "CountingStudy") -> str:
    return "a stake of one unit" if study.stake is None else f"a stake of {study.stake:,}"


def _won_words(study: "CountingStudy", play: "Play") -> str:
    """What the play wins at the stake of the study and at no other: fixed bonuses do not grow with the stake."""
    if study.stake is None:
        return f"{play.units_per_shoe:,.5f} units"
    return f"{study.stake * play.units_per_shoe:,.2f}"


def _made(study: "CountingStudy") -> Provenance:
    return Provenance(study.game, study.decks, dealing=study.dealing, seed=study.seed)


def as_json(study: "CountingStudy", wanted: int) -> dict[str, object]:
    perfect, count = study.perfect_play(), study.count_play()
    values = study.values()
    return {
        "game": study.game.id,
        "wager": study.wager.id,
        "provenance": _made(study).as_json(),
        "reading": dict(study.game.reading),
        "decks": study.decks,
        "cut": study.dealing.cut_depth,
        "burn": study.dealing.burns,
        "stake": study.stake,
        "seed": study.seed,
        "shoes": len(study.shoes),
        "interrupted": len(study.shoes) < wanted,
        "rounds": study.rounds,
        **exact("full_shoe_ev", study.full_shoe_value),
        "mean_ev": sum(values) / len(values),
        "highest_ev": max(values),
        "every_round": _play_json(study, study.every_round()),
        "perfect": _play_json(study, perfect),
        "linear_count": {
            "tags": {str(card): tag for card, tag in study.count.tags.items()},
            "start": study.count.start,
            "tag_correlation": study.count.correlation,
            "threshold": count.threshold,
            "threshold_found": "in-sample",
            "betting_correlation": count.betting_correlation,
            "ev_per_true_count": count.slope,
            "efficiency": count.efficiency,
            **_play_json(study, count.play),
        },
        "effects_of_removal": {str(card): exact("effect", effect) for card, effect in study.effects.items()},
        "depths": [
            {
                "from": depth.from_share,
                "to": depth.to_share,
                "rounds": depth.rounds,
                "mean_ev": depth.mean,
                "lowest_ev": depth.lowest,
                "highest_ev": depth.highest,
                "favourable_rounds": depth.favourable,
                "units_per_shoe": depth.units_per_shoe,
            }
            for depth in study.depths()
        ],
    }


def _play_json(study: "CountingStudy", play: "Play") -> dict[str, object]:
    return {
        "bets": play.bets,
        "bets_per_round": play.bets / study.rounds,
        "ev_when_betting": play.value_when_betting,
        "units_per_shoe": play.units_per_shoe,
        "units_per_shoe_standard_error": play.standard_error,
    }
