"""What the house has won, by table, game and wager, beside what the exact odds say, with the band that chance explains.

The theoretical win is that of a fresh shoe under the rules of each round, fixed bonuses included; how payments are
rounded is left out. Patrons who stake on the same wager in the same round win or lose together, so that their stakes
are added before they are squared: the band is that of the money that was really at stake at once. Wagers of one round
hang together as well, in ways that their own odds do not tell: of several together, the deviation is at most the sum.
"""

import asyncio
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from math import sqrt
from typing import Any, NamedTuple

from puntobanco.cards import Shoe
from puntobanco.errors import Fault, InputError
from puntobanco.extras import optional_package
from puntobanco.games import find_edition
from puntobanco.odds.pricing import WagerOdds, odds
from puntobanco.rules.game import Game
from puntobanco.rules.wagers import Fixed
from puntobanco.server.follower import Follower
from puntobanco.store.derived import played_round, round_wager, rule_set

with optional_package("sqlalchemy", "Reports are made"):
    from sqlalchemy import ColumnElement, Double, Select, and_, cast, func, select
with optional_package("msgspec", "Reports are made"):
    import msgspec

DEVIATIONS = 2
"""The band reaches so many standard deviations to either side."""
SPLIT = 2**20
"""Sums of many stakes may leave 64 bits, which SQLite takes for a fault: multiples of this and the rest add apart."""


class Moments(NamedTuple):
    """What a wager gains for each unit staked, and in fixed amounts for each patron."""

    ev: Fraction
    fixed: Fraction
    variance: Fraction
    covariance: Fraction
    fixed_variance: Fraction

    @classmethod
    def of(cls, priced: WagerOdds) -> "Moments":
        wager, total = priced.wager, priced.total
        sums = [Fraction(0)] * 5
        for outcome, count in (*priced.outcomes, (None, priced.lost)):
            gain, money = Fraction(-1), 0
            if outcome is not None:
                gain = wager.net_per_unit(outcome)
                money = sum([line.pays.money for line in wager.lines_of(outcome) if isinstance(line.pays, Fixed)])
            share = Fraction(count, total)
            for place, value in enumerate((gain, Fraction(money), gain * gain, gain * money, Fraction(money * money))):
                sums[place] += share * value
        ev, fixed, squares, products, fixed_squares = sums
        return cls(ev, fixed, squares - ev**2, products - ev * fixed, fixed_squares - fixed**2)


class Line(NamedTuple):
    """What a wager, or several of one table or game, came to in one unit."""

    table: str | None
    game: str | None
    decks: int | None
    unit: str
    wager: str | None
    rounds: int
    stakes: int
    """How many stakes of single patrons."""
    staked: int
    returned: int
    theoretical: float | None
    """None where the rules of a round are no longer here."""
    deviation: float | None
    """Of several wagers together, at most so much."""

    @property
    def win(self) -> int:
        return self.staked - self.returned

    def as_json(self) -> dict[str, Any]:
        low = high = None
        if self.theoretical is not None and self.deviation is not None:
            low = self.theoretical - DEVIATIONS * self.deviation
            high = self.theoretical + DEVIATIONS * self.deviation
        return {
            **{name: getattr(self, name) for name in self._fields},
            "win": self.win,
            "low": low,
            "high": high,
            "is_within": None if low is None or high is None else low <= self.win <= high,
        }


COLUMNS = (*Line._fields, "win", "low", "high", "is_within")


class Sums(NamedTuple):
    """Over the rounds of a wager, with S what all staked on it and n how many they were."""

    staked: int
    patrons: int
    squares: float
    """Of S."""
    products: float
    """S times n."""
    patron_squares: float


class Win(NamedTuple):
    wagers: list[Line]
    """By table, game, decks, unit and wager."""
    tables: list[Line]
    games: list[Line]


async def win(
    follower: Follower, *, table: str | None = None, since: int | None = None, until: int | None = None
) -> Win:
    """What the rounds that stand came to, of one table or all, finished from one time on and before another."""
    async with follower.derived.reading() as connection:
        rows = list(await connection.execute(_sums(_meant(table, since, until))))
        counted = await connection.execute(_rounds(_meant(table, since, until)))
        rounds = {(_name(row.stream), row.game, row.unit): row.rounds for row in counted}
    rules = {(row.rules_digest, row.decks): row for row in rows}
    moments = {key: await asyncio.to_thread(_moments, follower, row) for key, row in rules.items()}
    lines = [_line(row, moments[row.rules_digest, row.decks]) for row in rows]
    by_table, by_game = _together(lines, ("table", "unit")), _together(lines, ("game", "unit"))
    return Win(
        _together(lines, ("table", "game", "decks", "unit", "wager")),
        # On a round with several wagers all of these are counted; here it is one round.
        [
            line._replace(
                rounds=sum([n for (at, _, unit), n in rounds.items() if (at, unit) == (line.table, line.unit)])
            )
            for line in by_table
        ],
        [
            line._replace(
                rounds=sum([n for (_, of, unit), n in rounds.items() if (of, unit) == (line.game, line.unit)])
            )
            for line in by_game
        ],
    )


def _line(row: Any, moments: Mapping[str, Moments] | None) -> Line:
    staked, returned = _whole(row.staked_high, row.staked_low), _whole(row.returned_high, row.returned_low)
    sums = Sums(staked, int(row.patrons), row.squares, row.products, row.patron_squares)
    expected = (None, None) if moments is None else theoretical(moments[row.wager], sums)
    money = sums.patrons, staked, returned
    return Line(_name(row.stream), row.game, row.decks, row.unit, row.wager, row.rounds, *money, *expected)


def _name(stream: str) -> str:
    return stream.removeprefix("table/")


def theoretical(wager: Moments, sums: Sums) -> tuple[float, float]:
    """What the house should have won, and the standard deviation of that."""
    expected = -(wager.ev * sums.staked + wager.fixed * sums.patrons)
    variance = (
        float(wager.variance) * sums.squares
        + 2 * float(wager.covariance) * sums.products
        + float(wager.fixed_variance) * sums.patron_squares
    )
    return float(expected), sqrt(max(variance, 0.0))


def _together(lines: Iterable[Line], kept: tuple[str, ...]) -> list[Line]:
    """The lines that are alike in these fields, as one each; what differs is left out."""
    found: dict[tuple[str, ...], Line] = {}
    for line in lines:
        left_out: dict[str, Any] = {name: None for name in ("table", "game", "decks", "wager") if name not in kept}
        alone = line._replace(**left_out)
        key = tuple([str(getattr(line, name)) for name in kept])
        before = found.get(key)
        if before is not None:
            is_known = None not in (before.theoretical, line.theoretical)
            alone = alone._replace(
                rounds=before.rounds + line.rounds,
                stakes=before.stakes + line.stakes,
                staked=before.staked + line.staked,
                returned=before.returned + line.returned,
                theoretical=(before.theoretical or 0) + (line.theoretical or 0) if is_known else None,
                deviation=_added(before, line, "wager" in kept) if is_known else None,
            )
        found[key] = alone
    return [found[key] for key in sorted(found)]


def _added(before: Line, line: Line, is_one_wager: bool) -> float:
    """Rounds under other rules are other rounds, so variances add; wagers of one round may move together."""
    one, other = before.deviation or 0, line.deviation or 0
    return sqrt(one**2 + other**2) if is_one_wager else one + other


def _whole(high: Any, low: Any) -> int:
    return int(high) * SPLIT + int(low)


def _meant(table: str | None, since: int | None, until: int | None) -> "list[ColumnElement[bool]]":
    meant: list[ColumnElement[bool]] = []
    if table is not None:
        meant.append(round_wager.c.stream == f"table/{table}")
    if since is not None:
        meant.append(played_round.c.finished >= since)
    if until is not None:
        meant.append(played_round.c.finished < until)
    return meant


_same_round = and_(played_round.c.stream == round_wager.c.stream, played_round.c.number == round_wager.c.number)
_joined = round_wager.join(played_round, _same_round).join(rule_set, rule_set.c.digest == played_round.c.rules_digest)


def _sums(meant: "list[ColumnElement[bool]]") -> "Select[Any]":
    """By table, rules, unit and wager, all that win and band are made of."""
    staked, returned, patrons = round_wager.c.staked, round_wager.c.returned, round_wager.c.patrons
    money, n = cast(staked, Double), cast(patrons, Double)
    rules = rule_set.c.game, rule_set.c.reading, rule_set.c.bonuses, played_round.c.rules_digest
    key = (round_wager.c.stream, *rules, played_round.c.decks, played_round.c.unit, round_wager.c.wager)
    return (
        select(
            *key,
            func.count().label("rounds"),
            func.sum(patrons).label("patrons"),
            func.sum(staked // SPLIT).label("staked_high"),
            func.sum(staked % SPLIT).label("staked_low"),
            func.sum(returned // SPLIT).label("returned_high"),
            func.sum(returned % SPLIT).label("returned_low"),
            func.sum(money * money).label("squares"),
            func.sum(money * n).label("products"),
            func.sum(n * n).label("patron_squares"),
        )
        .select_from(_joined)
        .where(*meant)
        .group_by(*key)
        .order_by(*key)
    )


def _rounds(meant: "list[ColumnElement[bool]]") -> "Select[Any]":
    """By table, game and unit, how many rounds had a stake."""
    columns = round_wager.c.stream, rule_set.c.game, played_round.c.unit
    played = select(*columns, round_wager.c.number).select_from(_joined).where(*meant).distinct().subquery()
    key = played.c.stream, played.c.game, played.c.unit
    return select(*key, func.count().label("rounds")).group_by(*key)


def _moments(follower: Follower, row: Any) -> Mapping[str, Moments] | None:
    """By wager, under the rules of a row; None where they are no longer here."""
    try:
        reading, bonuses = msgspec.json.decode(row.reading), msgspec.json.decode(row.bonuses)
        game = find_edition(row.game, row.rules_digest, reading, bonuses, follower.games)
    except (Fault, InputError, ValueError):
        return None
    return _of_game(game, row.decks)


@lru_cache(maxsize=64)
def _of_game(game: Game, decks: int) -> Mapping[str, Moments]:
    found = odds(game, Shoe.full(game.pack, decks))
    return {name: Moments.of(priced) for name, priced in found.wagers.items()}
