"""Odds as plain values for JSON and CSV: every fraction as "n/d", a float beside it."""

import io
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from puntobanco.odds.pricing import LineOdds, Odds, WagerOdds
from puntobanco.odds.removal import Removal
from puntobanco.provenance import Provenance
from puntobanco.rules.wagers import Fixed

Values = dict[str, object]


def fraction_text(value: Fraction) -> str:
    """The fraction as numerator and denominator, whole numbers too.

    >>> fraction_text(Fraction(0))
    '0/1'
    """
    return f"{value.numerator}/{value.denominator}"


def exact(name: str, value: Fraction) -> Values:
    """The fraction under this name, with its float beside it."""
    return {name: fraction_text(value), f"{name}_float": float(value)}


def summary_json(wager: WagerOdds, stake: int | None = None) -> Values:
    """The figures of a wager as a whole, and at a stake where one is given."""
    figures: Values = {
        **exact("ev", wager.ev),
        "house_edge": float(wager.house_edge),
        "hit": float(wager.hit),
        "std": wager.standard_deviation,
    }
    if stake is not None:
        figures |= {**exact("ev_at_stake", wager.ev_at(stake)), "std_at_stake": wager.standard_deviation_at(stake)}
    return figures


def odds_json(found: Odds, made: Provenance, stake: int | None = None) -> Values:
    """The odds as `puntobanco odds --json` prints them; `decks` is null for a shoe given card by card."""
    values: Values = {"game": found.game.id, "decks": made.decks, "cards": found.shoe.size}
    if made.seen:
        values["seen"] = made.seen
    if stake is not None:
        values["stake"] = stake
    values["wagers"] = {name: _wager_json(wager, stake) for name, wager in found.wagers.items()}
    values["bonuses"] = [
        {
            "wager": name,
            "line": bonus.line.label,
            "clause": bonus.line.clause,
            "amount": bonus.line.pays.money,
            **exact("probability", bonus.probability),
        }
        for name, wager in found.wagers.items()
        for bonus in wager.fixed_bonuses
        if isinstance(bonus.line.pays, Fixed)
    ]
    values["provenance"] = made.as_json()
    return values


def _wager_json(wager: WagerOdds, stake: int | None) -> Values:
    values = summary_json(wager, stake)
    if wager.break_even_stake is not None:
        values |= exact("break_even_stake", wager.break_even_stake)
    # A fixed amount is no ratio to the stake: it is among the bonuses of the game.
    lines = [each for each in wager.lines if not isinstance(each.line.pays, Fixed)]
    return {**values, "lines": [_line_json(each) for each in lines]}


def _line_json(each: LineOdds) -> Values:
    values: Values = {
        "line": each.line.label,
        "clause": each.line.clause,
        "pays": str(each.line.pays or "push"),
        **exact("probability", each.probability),
    }
    return {**values, "on_top": True} if each.on_top else values


def odds_rows(found: Odds, made: Provenance, stake: int | None = None) -> Iterator[Values]:
    """A row for each line of each wager, fixed bonuses too; the figures of the wager are repeated in each."""
    for name, wager in found.wagers.items():
        figures: Values = {
            **exact("wager_ev", wager.ev),
            "wager_house_edge": float(wager.house_edge),
            **exact("wager_hit", wager.hit),
            "wager_std": wager.standard_deviation,
        }
        if stake is not None:
            figures |= {"stake": stake, **exact("wager_ev_at_stake", wager.ev_at(stake))}
        for each in wager.lines:
            yield {
                "game": found.game.id,
                "decks": made.decks,
                "cards": found.shoe.size,
                "seen": made.seen,
                "wager": name,
                "line": each.line.label,
                "clause": each.line.clause,
                "pays": str(each.line.pays or "push"),
                "on_top": "yes" if each.on_top else "no",
                **exact("probability", each.probability),
                **figures,
                **made.as_columns(),
            }


def removal_json(found: Removal, made: Provenance) -> Values:
    """The effects as `puntobanco removal --json` prints them."""
    shoe = found.odds.shoe
    return {
        "game": found.odds.game.id,
        "decks": made.decks,
        "cards": shoe.size,
        **({} if found.stake is None else {"stake": found.stake}),
        "wagers": {
            name: {
                **exact("ev", wager.ev),
                **({} if found.stake is None else exact("ev_at_stake", wager.ev_at(found.stake))),
                "effects": {
                    str(card): {"count": shoe.count(card), **exact("effect", effects[name])}
                    for card, effects in found.effects.items()
                },
            }
            for name, wager in found.odds.wagers.items()
        },
        "provenance": made.as_json(),
    }


def removal_rows(found: Removal, made: Provenance) -> Iterator[Values]:
    """A row for each wager and card."""
    shoe = found.odds.shoe
    for name, wager in found.odds.wagers.items():
        for card, effects in found.effects.items():
            yield {
                "game": found.odds.game.id,
                "decks": made.decks,
                "cards": shoe.size,
                "wager": name,
                "card": str(card),
                "count": shoe.count(card),
                **({} if found.stake is None else {"stake": found.stake}),
                **exact("effect", effects[name]),
                **exact("wager_ev", wager.ev),
                **made.as_columns(),
            }


def csv_text(rows: Iterable[Mapping[str, object]]) -> str:
    """The rows as CSV under the names of their values; None is an empty field."""
    import csv  # Only needed where it is asked for.

    listed = list(rows)
    text = io.StringIO()
    # A value that only some rows have is empty in the others, wherever the first that has it stands.
    writer = csv.DictWriter(text, list(dict.fromkeys(name for row in listed for name in row)), lineterminator="\n")
    writer.writeheader()
    writer.writerows(listed)
    return text.getvalue()
