"""What a wager does with a deal: every wager on every combination of facts that it can tell apart."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from puntobanco import GAMES, Game
from puntobanco.rules import wagers
from puntobanco.rules.conditions import BANKER_TOTAL, CARDS, PLAYER_PAIR, PLAYER_WINS, TIE
from puntobanco.rules.facts import DETAILS, Facts, FactValue, Points, facts_with
from puntobanco.rules.wagers import LOST, Fixed, Line, Outcome, Ratio, Wager, fixed, pays, push
from puntobanco.settle import settle_wager

READINGS = [
    game.read_as(**dict(zip(game.switches, options, strict=True)))
    for game in GAMES
    for options in product(*game.switches.values())
]
STAKES = (1, 7, 100, 999)


def every_fact_that_matters(game: Game, wager: Wager) -> Iterator[Facts]:
    """All points, and of every detail that the wager reads each value that it names, one that it does not, and None."""
    choices: list[tuple[FactValue, ...]] = []
    for fact in DETAILS:
        named = wager.values_named.get(fact.name, frozenset())
        others = [value for value in fact.values(game.pack) if value is not None and value not in named][:1]
        choices.append((None, *sorted(map(str, named - {None})), *others) if named else (None,))
    for points in product(range(10), range(10), (2, 3), (2, 3)):
        for chosen in product(*choices):
            yield facts_with(Points(*points), dict(zip([fact.name for fact in DETAILS], chosen, strict=True)))


def gain_by_the_rule(wager: Wager, facts: Facts, stake: int, rounding: str) -> tuple[list[str], int, Fraction]:
    """The paytable read aloud: labels, gain at the stake, and gain per unit without fixed amounts."""
    decided = [line for line in wager.lines if line.when.holds(facts)][:1]
    if not decided:
        return [], -stake, Fraction(-1)
    if decided[0].pays is None:
        return [decided[0].label], 0, Fraction(0)
    held = decided + [bonus for bonus in wager.bonuses if bonus.when.holds(facts)]
    gain, per_unit = 0, Fraction(0)
    for line in held:
        if isinstance(line.pays, Ratio):
            exact = Fraction(stake * line.pays.numerator, line.pays.denominator)
            gain += int(exact) + (rounding == "up" and exact.denominator != 1)
            per_unit += Fraction(line.pays.numerator, line.pays.denominator)
        elif isinstance(line.pays, Fixed):
            gain += line.pays.money
    return [line.label for line in held], gain, per_unit


@pytest.mark.parametrize("game", READINGS, ids=lambda game: f"{game.id} {'-'.join(game.reading.values())}")
def test_every_wager_on_every_combination_of_facts(game: Game) -> None:
    rounding = game.reading["rounding"]
    for wager in game.paytables.values():
        met: set[Outcome] = set()
        for facts in every_fact_that_matters(game, wager):
            outcome = wager.outcome(facts)
            labels, _, per_unit = gain_by_the_rule(wager, facts, 1, rounding)
            assert [line.label for line in wager.lines_of(outcome)] == labels
            assert (outcome == LOST) is (not labels)
            if outcome in met:
                continue
            met.add(outcome)
            assert wager.net_per_unit(outcome) == per_unit
            for stake in STAKES:
                gain = gain_by_the_rule(wager, facts, stake, rounding)[1]
                settled = settle_wager(wager, outcome, stake, rounding)
                assert wager.net(outcome, stake, rounding) == settled.net == gain
                assert [paid.line for paid in settled.pays] == labels
                assert sum(paid.amount for paid in settled.pays) == (gain if labels else 0)
        assert {outcome.line for outcome in met} == {None, *range(len(wager.lines))}
        assert {place for outcome in met for place in outcome.bonuses} == {*range(len(wager.bonuses))}


CLAUSE = "own"
MINE = Wager(
    "mine", "Mine", CLAUSE,
    lines=(
        pays("3:2", "six", BANKER_TOTAL.is_(6), clause=CLAUSE),
        push("tie", TIE, clause=CLAUSE),
        pays("19:20", "Player", PLAYER_WINS, clause=CLAUSE),
    ),
    bonuses=(
        pays("1:3", "pair", PLAYER_PAIR.exists(), clause=CLAUSE),
        fixed(500, "six cards", CARDS.is_(6), clause=CLAUSE),
    ),
)  # fmt: skip


@pytest.mark.parametrize(
    ("points", "pair", "outcome", "down", "up", "per_unit"),
    [
        ((1, 6, 2, 2), None, Outcome(0), 15, 15, Fraction(3, 2)),
        # The first line decides, though the second holds as well.
        ((6, 6, 2, 2), None, Outcome(0), 15, 15, Fraction(3, 2)),
        # A push is a push: no bonus comes on top.
        ((5, 5, 3, 3), "9", Outcome(1), 0, 0, Fraction(0)),
        # Each payment is rounded by itself.
        ((7, 5, 2, 3), "9", Outcome(2, (0,)), 9 + 3, 10 + 4, Fraction(19, 20) + Fraction(1, 3)),
        ((7, 5, 3, 3), "9", Outcome(2, (0, 1)), 9 + 3 + 500, 10 + 4 + 500, Fraction(19, 20) + Fraction(1, 3)),
        ((7, 5, 3, 3), None, Outcome(2, (1,)), 9 + 500, 10 + 500, Fraction(19, 20)),
        # A bonus alone is nothing.
        ((5, 7, 3, 3), "9", LOST, -10, -10, Fraction(-1)),
    ],
)
def test_an_outcome_by_examples(
    points: tuple[int, int, int, int], pair: str | None, outcome: Outcome, down: int, up: int, per_unit: Fraction
) -> None:
    found = MINE.outcome(facts_with(Points(*points), {"player_pair": pair}))
    assert found == outcome
    assert (MINE.net(found, 10, "down"), MINE.net(found, 10, "up")) == (down, up)
    assert MINE.net_per_unit(found) == per_unit


def test_the_values_that_a_wager_names() -> None:
    assert MINE.values_named == {
        "banker_total": {6}, "winner": {"tie", "player"}, "player_pair": {None}, "cards": {6},
    }  # fmt: skip
    without = replace(MINE, bonuses=())
    assert [*without.values_named] == ["banker_total", "winner"]
    twice = replace(without, lines=(*without.lines, Line("five", BANKER_TOTAL.is_(5), None, CLAUSE)))
    assert twice.values_named["banker_total"] == {5, 6}


def test_a_wager_remembers_only_so_many_outcomes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wager of a house's own may tell any number of rounds apart, and a table stands for weeks."""
    monkeypatch.setattr(wagers, "MOST_REMEMBERED", 3)
    fresh = replace(MINE)
    for banker_total in (*range(10), *range(10)):
        facts = facts_with(Points(5, banker_total, 2, 2), {})
        assert fresh.outcome(facts) == fresh._decided(facts)
        known, _ = fresh._remembered
        assert 0 < len(known) <= 3
