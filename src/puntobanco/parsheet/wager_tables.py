"""The tables of one wager on a par sheet: its lines, its check sum, its key figures and its fixed bonuses."""

from collections.abc import Iterator
from fractions import Fraction

from puntobanco.odds.pricing import LineOdds
from puntobanco.odds.report import fraction_text
from puntobanco.parsheet.blocks import Column, Facts, Row, Table
from puntobanco.parsheet.figures import WagerFigures, decimal, percent
from puntobanco.rules.documents import cited
from puntobanco.rules.wagers import Fixed

PROBABILITY_PLACES = 12
MONEY_PLACES = 6

LINE_COLUMNS = (
    Column("Line", 0.22),
    Column("Pays", 0.075, True),
    Column("Clause", 0.105),
    Column("Combinations", 0.14, True),
    Column("Probability, exact", 0.24, True),
    Column("Probability", 0.11, True),
    Column("Return", 0.11, True),
)
BONUS_COLUMNS = (
    *LINE_COLUMNS[:1],
    Column("Amount", 0.075, True),
    *LINE_COLUMNS[2:6],
    Column("Worth a round", 0.11, True),
)


def wager_tables(wager: WagerFigures) -> Iterator[Table]:
    odds = wager.odds
    paid = [line for line in odds.lines if not isinstance(line.line.pays, Fixed)]
    lost = Row(("Lost", "-1", "", f"{wager.lost:,}", *_probability(wager.lost, odds.total), decimal(Fraction(0), 12)))
    decided = sum(line.count for line in paid if not line.on_top)
    total = Row(
        (
            "Total",
            "",
            "",
            f"{decided + wager.lost:,}",
            *_probability(decided + wager.lost, odds.total),
            decimal(wager.total_return, PROBABILITY_PLACES),
        ),
        is_total=True,
    )
    rows = [_line(wager, line) for line in paid]
    figures = [
        ("Total return", percent(wager.total_return, 9)),
        ("House edge", percent(odds.house_edge, 9)),
        ("Hit rate", percent(odds.hit, 9)),
        ("Standard deviation", decimal(wager.standard_deviation, 9)),
        ("Volatility index", decimal(wager.volatility_index, 9)),
        ("Total return, exact", fraction_text(wager.total_return)),
    ]
    title = f"{odds.wager.name} ({cited(odds.wager.clause)})"
    yield Table(title, LINE_COLUMNS, (*rows, lost, total), key_figures=Facts(tuple(figures), True))
    if odds.fixed_bonuses:
        yield _bonuses(wager)


def _line(wager: WagerFigures, line: LineOdds) -> Row:
    pays = line.line.payment_in_figures
    return Row(
        (
            line.line.label,
            f"+ {pays}" if line.on_top else pays,
            line.line.clause,
            f"{line.count:,}",
            *_probability(line.count, line.total),
            decimal(wager.contribution(line) or Fraction(0), PROBABILITY_PLACES),
        ),
        on_top=line.on_top,
    )


def _probability(count: int, total: int) -> tuple[str, str]:
    probability = Fraction(count, total)
    return fraction_text(probability), decimal(probability, PROBABILITY_PLACES)


def _bonuses(wager: WagerFigures) -> Table:
    rows = [
        Row(
            (
                line.line.label,
                f"+ {line.line.pays.money:,}",
                line.line.clause,
                f"{line.count:,}",
                *_probability(line.count, line.total),
                decimal(line.probability * line.line.pays.money, MONEY_PLACES),
            ),
            on_top=True,
        )
        for line in wager.odds.lines
        if isinstance(line.line.pays, Fixed)
    ]
    figures = (
        ("Worth a round", decimal(wager.bonus_worth, MONEY_PLACES)),
        ("Break-even stake", money(wager.odds.break_even_stake)),
    )
    return Table(
        f"{wager.odds.wager.name}: fixed bonuses",
        BONUS_COLUMNS,
        tuple(rows),
        note="Amounts, worth and stake in the smallest unit of money.",
        key_figures=Facts(figures, True),
    )


def money(stake: Fraction | None) -> str:
    """A stake in the smallest unit of money; there may be none."""
    return decimal(stake, 4) if stake is not None else "none"
