"""Writes docs/odds-tables.md, the odds of the two 65-card games; --check only reports whether it is out of date."""

import argparse
import sys
from collections.abc import Iterable, Sequence
from fractions import Fraction
from pathlib import Path

from puntobanco import FIVE_ELEMENTS, GAMES, Game, Shoe
from puntobanco.odds import Odds, WagerOdds, odds

ROOT = Path(__file__).resolve().parent.parent
PAGE = "docs/odds-tables.md"
DECKS = (4, 6, 8, 10)
EXACT_DECKS = 8

INTRODUCTION = f"""<!-- Made by scripts/generate_odds_tables.py from the exact odds: do not edit. -->
# Odds of the 65-card games

Every wager of every game that is played with the five-element pack, from full shoes of 4, 6, 8 and 10 decks.
The [method](odds.md) is exact; the decimals here are its fractions, rounded. *Combinations* are ordered draws of six
cards from {EXACT_DECKS} decks, unused ones included: their number divided by {{total}} is the probability.

- *house edge*: what the house keeps of each unit staked, on average; a returned stake counts as staked.
- *hit*: how often the wager wins; a stake that is returned is no win.
- *deviation*: the standard deviation of what one unit gains.
- Fixed sums are left out of edge and deviation, because their weight depends on the stake; their worth follows.
"""


def decimal(value: Fraction, digits: int) -> str:
    """The fraction in decimals, rounded without ever being a float."""
    whole = round(abs(value) * 10**digits)
    sign = "-" if value < 0 and whole else ""
    return f"{sign}{whole // 10**digits}.{whole % 10**digits:0{digits}d}"


def percent(value: Fraction) -> str:
    return f"{decimal(value * 100, 4)}%"


def chance(value: Fraction) -> str:
    """Six significant digits, and never fewer than eight decimals."""
    digits = 8
    while value and round(value * 10**digits) < 100_000:
        digits += 1
    return decimal(value, digits)


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    lines = [f"| {' | '.join(row)} |" for row in (headings, *rows)]
    return [lines[0], "|---" + "|---:" * (len(headings) - 1) + "|", *lines[1:]]


def readings(game: Game) -> list[Game]:
    """The game as the house reads it, and under each other option that changes which line holds."""
    others = [
        game.read_as(**{name: option})
        for name, options in game.switches.items()
        if name != "rounding"
        for option in options[1:]
    ]
    return [game, *others]


def game_section(game: Game) -> list[str]:
    found = {decks: odds(game, Shoe.full(game.pack, decks)) for decks in DECKS}
    lines = ["", f"## {game.name}", "", *summary(found)]
    for name in game.paytables:
        lines += wager_section({decks: each.wagers[name] for decks, each in found.items()})
    for other in readings(game)[1:]:
        lines += other_reading(game, other, found)
    return lines


def summary(found: dict[int, Odds]) -> list[str]:
    rows = []
    for name, wager in found[EXACT_DECKS].wagers.items():
        edges = [percent(each.wagers[name].house_edge) for each in found.values()]
        rows.append((wager.wager.name, *edges, percent(wager.hit), f"{wager.standard_deviation:.4f}"))
    headings = ["wager", *(f"edge, {decks} decks" for decks in found)]
    return table([*headings, f"hit, {EXACT_DECKS} decks", f"deviation, {EXACT_DECKS} decks"], rows)


def wager_section(found: dict[int, WagerOdds]) -> list[str]:
    exact = found[EXACT_DECKS]
    rows = []
    for place, line in enumerate(exact.lines):
        label = f"{'on top: ' if line.on_top else ''}{line.line.label}"
        chances = [chance(each.lines[place].probability) for each in found.values()]
        rows.append((label, line.line.payment_in_figures, *chances, f"{line.count:,}"))
    rows.append(("lost", "", *(chance(Fraction(each.lost, each.total)) for each in found.values()), f"{exact.lost:,}"))
    rows.append(("*house edge*", "", *(percent(each.house_edge) for each in found.values()), ""))
    rows.append(("*hit*", "", *(percent(each.hit) for each in found.values()), ""))
    rows.append(("*deviation*", "", *(f"{each.standard_deviation:.6f}" for each in found.values()), ""))
    headings = ["line", "pays", *(f"{decks} decks" for decks in found), f"combinations, {EXACT_DECKS} decks"]
    lines = ["", f"### {exact.wager.name}", "", *table(headings, rows)]
    lines += ["", f"Expected gain of a unit from {EXACT_DECKS} decks, exactly: {exact.ev}."]
    if exact.fixed_bonuses:
        lines += ["", *fixed_worth(found)]
    return lines


def fixed_worth(found: dict[int, WagerOdds]) -> list[str]:
    """What the fixed sums are worth a round, and the stake below which they outweigh the edge."""
    worths, stakes = [], []
    for each in found.values():
        stake = each.break_even_stake
        worths.append(decimal(stake * each.house_edge, 4) if stake is not None else "")
        stakes.append(decimal(stake, 2) if stake is not None else "none")
    rows = [
        ("worth of the fixed sums a round", *worths),
        ("stake at which the wager is even", *stakes),
    ]
    return table(["in the smallest unit of money", *(f"{decks} decks" for decks in found)], rows)


def other_reading(game: Game, other: Game, found: dict[int, Odds]) -> list[str]:
    """The wagers that the other reading changes."""
    (switch,) = [name for name in game.switches if game.reading[name] != other.reading[name]]
    lines = ["", f"### With `{switch} = {other.reading[switch]}`", "", "The other wagers are as above."]
    again = {decks: odds(other, Shoe.full(other.pack, decks)) for decks in found}
    for name in game.paytables:
        if game.paytables[name] != other.paytables[name]:
            section = wager_section({decks: each.wagers[name] for decks, each in again.items()})
            lines += [line.replace("### ", "#### ") for line in section]
    return lines


def page() -> str:
    games = [game for game in GAMES if game.pack is FIVE_ELEMENTS]
    total = odds(games[0], Shoe.full(FIVE_ELEMENTS, EXACT_DECKS)).total
    lines = [INTRODUCTION.format(total=f"{total:,}").rstrip("\n")]
    for game in games:
        lines += game_section(game)
    return "\n".join(lines) + "\n"


def is_stale(root: Path) -> bool:
    path = root / PAGE
    return not path.is_file() or path.read_text(encoding="utf-8") != page()


def main(arguments: Sequence[str] | None = None, root: Path = ROOT) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if the page is out of date")
    if parser.parse_args(arguments).check:
        if not is_stale(root):
            return 0
        print(f"{PAGE} is out of date: run scripts/docs", file=sys.stderr)
        return 1
    (root / PAGE).parent.mkdir(parents=True, exist_ok=True)
    (root / PAGE).write_text(page(), encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
