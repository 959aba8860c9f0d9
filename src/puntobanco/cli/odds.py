"""`puntobanco odds GAME`: exact odds of every wager from a shoe, in mid-round too."""

import argparse
import json
from collections.abc import Iterator

from puntobanco.cli.columns import (
    BOLD,
    CYAN,
    DIM,
    GAP,
    Cell,
    Page,
    favour,
    one_in,
    percent,
    printable,
    signed,
    unsigned,
)
from puntobanco.cli.heading import write_heading
from puntobanco.cli.reading import add_game, chosen_game
from puntobanco.cli.shoe_options import add_formats, add_shoe, chosen_shoe, read_stake
from puntobanco.cli.wager_file import add_wager_file, with_chosen_wagers
from puntobanco.errors import Unlawful
from puntobanco.odds.position import NOTHING_SEEN, Position, read_position
from puntobanco.odds.pricing import LineOdds, Odds, odds
from puntobanco.provenance import Provenance
from puntobanco.rules.game import Game
from puntobanco.rules.wagers import Fixed

HELP = """Print the exact odds of every wager: expected value, house edge, how often it wins,
standard deviation, and the probability of each line. --decks, --remove and --shoe
describe the shoe before the round; --seen takes the cards on the table out of it."""
EXAMPLE = 'puntobanco odds six-star --decks 6 --seen "P 9f ? | B 3g ?" --stake 100'

NAME_WIDTH, BONUS_WIDTH, LABEL_LEAST = 30, 28, 18
BAR_LEAST, BAR_MOST = 6, 40


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    add_shoe(parser)
    parser.add_argument(
        "--seen",
        metavar="POSITION",
        help='cards already on the table, such as "P 9s ? | B 3h ?"; they are taken out of the shoe, of --shoe too',
    )
    parser.add_argument(
        "--stake", metavar="N", help="add the expected value at this very stake: fixed bonuses and rounding included"
    )
    add_wager_file(parser)
    add_formats(parser)


def run(arguments: argparse.Namespace) -> int:
    game = with_chosen_wagers(chosen_game(arguments), arguments)
    chosen = chosen_shoe(game, arguments)
    stake = read_stake(arguments.stake) if arguments.stake is not None else None
    seen = NOTHING_SEEN if arguments.seen is None else _position(game, arguments.seen)
    found = odds(game, chosen.shoe.without(seen.values()), seen)
    made = chosen.provenance(game, seen)
    if arguments.json or arguments.csv:
        from puntobanco.odds.report import csv_text, odds_json, odds_rows  # Only needed for programs.

        if arguments.csv:
            print(csv_text(odds_rows(found, made, stake)), end="")
        else:
            print(json.dumps(odds_json(found, made, stake), indent=1))
        return 0
    draw(Page(), found, made, f"{chosen.words}, {chosen.shoe.size:,} cards", stake)
    return 0


def _position(game: Game, text: str) -> Position:
    try:
        return read_position(game.pack, game.tableau, text)
    except Unlawful as fault:
        raise game.cited_fault(fault) from None


def draw(page: Page, found: Odds, made: Provenance, shoe_words: str, stake: int | None = None) -> None:
    """Print the odds for a person."""
    write_heading(page, made, shoe_words)
    if made.seen:
        page.write(f"on the table {made.seen}, which leaves {found.shoe.size:,} cards")
    if stake is not None:
        page.note(f"last two columns: per unit of a stake of {stake:,}, fixed bonuses and rounding included")
    page.write()
    page.table(_summary(found, stake), "<" + ">" * (4 if stake is None else 5), width=NAME_WIDTH)
    page.write()
    _draw_lines(page, found)
    _draw_bonuses(page, found, stake)


def _summary(found: Odds, stake: int | None) -> Iterator[list[Cell | str]]:
    headings = ["wager", "expected", "house edge", "wins", "deviation", "at stake"]
    yield [Cell(heading, DIM) for heading in headings[: 5 if stake is None else 6]]
    for wager in found.wagers.values():
        row: list[Cell | str] = [
            Cell(printable(wager.wager.name), BOLD),
            Cell(signed(wager.ev, 6), favour(wager.ev)),
            f"{unsigned(wager.house_edge * 100, 4)}%",
            percent(wager.hit),
            f"{wager.standard_deviation if stake is None else wager.standard_deviation_at(stake):,.4f}",
        ]
        if stake is not None:
            at_stake = wager.ev_at(stake)
            row.append(Cell(signed(at_stake, 6), favour(at_stake)))
        yield row


def _draw_lines(page: Page, found: Odds) -> None:
    lines = [
        (wager.wager, each)
        for wager in found.wagers.values()
        for each in wager.lines
        if not isinstance(each.line.pays, Fixed)
    ]
    figures = [_figures(each) for _, each in lines]
    headings = ("line", "pays", "clause", "chance", "1 in", "")
    taken = [max(map(len, column)) for column in zip(headings[1:5], *figures, strict=True)]
    # What the figures leave of the page is for the label, which may wrap, and the bar, which may be short.
    room = page.width - sum(taken) - len(GAP) * 5
    longest = max(len(each.line.label) for _, each in lines) + 2
    label_width = max(min(longest, room - BAR_LEAST), LABEL_LEAST)
    bar_width = min(room - label_width, BAR_MOST)
    likeliest = max(each.probability for _, each in lines) or 1
    rows: list[list[Cell | str]] = [[Cell(heading, DIM) for heading in headings]]
    above = None
    for (wager, each), row in zip(lines, figures, strict=True):
        if wager is not above:
            rows.append([Cell(printable(wager.name), BOLD), "", "", "", "", ""])
            above = wager
        bar = page.bar(float(each.probability / likeliest), bar_width)
        rows.append([f"  {printable(each.line.label)}", *row, Cell(bar, CYAN)])
    page.table(rows, "<><>><", width=label_width)
    if any(each.on_top for _, each in lines):
        page.note("A payment marked + comes on top of the wager's own.")


def _figures(each: LineOdds) -> list[str]:
    paid = f"{'+' if each.on_top else ''}{each.line.payment_in_figures}"
    return [paid, each.line.clause, percent(each.probability), one_in(each.probability)]


def _draw_bonuses(page: Page, found: Odds, stake: int | None) -> None:
    bonuses = [(wager.wager.name, each) for wager in found.wagers.values() for each in wager.fixed_bonuses]
    if not bonuses:
        return
    headings = ("fixed bonus", "wager", "amount", "clause", "chance", "1 in")
    rows: list[list[Cell | str]] = [[Cell(heading, DIM) for heading in headings]]
    for name, each in bonuses:
        money = each.line.pays.money if isinstance(each.line.pays, Fixed) else 0
        figures = [each.line.clause, percent(each.probability), one_in(each.probability)]
        rows.append([f"  {printable(each.line.label)}", printable(name), f"{money:,}", *figures])
    page.write()
    page.table(rows, "<<><>>", width=BONUS_WIDTH)
    # At a stake the deviation includes them, as the heading says.
    leave_out = "value and deviation of a wager leave" if stake is None else "value of a wager leaves"
    page.note(
        f"Fixed amounts are in the smallest unit of money, whatever the stake; the expected {leave_out} them out."
    )
    for wager in found.wagers.values():
        if wager.break_even_stake is not None:
            name, even = printable(wager.wager.name), float(wager.break_even_stake)
            page.note(f"{name}: with them, a stake under {even:,.2f} favours the patron.")
