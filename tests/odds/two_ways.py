"""The product's exact odds laid beside the plain enumeration of tests/reference."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from unittest.mock import patch

from contract.games import EVERY_GAME
from puntobanco import Card, Game
from puntobanco import Shoe as ProductShoe
from puntobanco.odds import Odds, WagerOdds, compiled_counter, odds
from puntobanco.rules.wagers import Fixed, Wager
from reference.enumeration import Payments, Round, Seen, Shoe, all_draws, every_round, outcomes

SLOT_NUMBERS = {"p1": 0, "p2": 1, "p3": 2, "b1": 3, "b2": 4, "b3": 5}
STAKE = 20
"""Every payment of every game on this stake is whole, and no two lines of a wager pay it the same by one clause."""

READINGS: list[dict[str, str]] = [{}, {"element_eights": "instead"}, {"tableau": "manila-as-printed"}]
"""The readings that change which line holds; the rounding of payments is told apart by stakes that show it."""
CASES = [
    game.read_as(**reading) for game in EVERY_GAME for reading in READINGS if reading.keys() <= game.switches.keys()
]


def case_name(game: Game) -> str:
    default = {name: options[0] for name, options in game.switches.items()}
    return "-".join([game.id, *(option for name, option in game.reading.items() if option != default[name])])


def cases_of_pack(cards: int) -> list[Game]:
    return [game for game in CASES if len(game.pack) == cards]


def product_shoe(game: Game, shoe: Shoe) -> ProductShoe:
    return ProductShoe.of_counts(game.pack, shoe)


def product_seen(game: Game, seen: Seen) -> dict[int, Card]:
    return {SLOT_NUMBERS[slot]: game.pack.card(text) for slot, text in seen.items()}


def odds_each_way(game: Game, shoe: Shoe, seen: Seen | None = None) -> Iterator[Odds]:
    """The product's answer, and where that came from the compiled kernel, the pure Python's too."""
    arguments = game, product_shoe(game, shoe), product_seen(game, seen or {})
    yield odds(*arguments)
    if compiled_counter.available:
        with patch.object(compiled_counter, "available", False):
            yield odds(*arguments)


def payments(wager: WagerOdds, line: int | None, bonuses: tuple[int, ...], stake: int) -> Payments:
    """Clause and amount of each payment of an outcome, as the reference notes them."""
    lines = [wager.wager.lines[line]] if line is not None else []
    lines += [wager.wager.bonuses[place] for place in bonuses]
    return tuple((each.clause, each.pays.amount(stake, wager.rounding) if each.pays else 0) for each in lines)


def product_outcomes(wager: WagerOdds, stake: int) -> Counter[Payments]:
    found: Counter[Payments] = Counter({(): wager.lost})
    for outcome, count in wager.outcomes:
        found[payments(wager, outcome.line, outcome.bonuses, stake)] += count
    return +found


def reading_of(game: Game) -> dict[str, str]:
    return {name: game.reading[name] for name in ("element_eights", "rounding") if name in game.reading}


def is_printed_manila(game: Game) -> bool:
    return game.tableau.name == "manila-as-printed"


def reference_outcomes(
    game: Game, rounds: Iterable[Round], stake: int = STAKE, wagers: Iterable[str] | None = None
) -> dict[str, Counter[Payments]]:
    stakes = dict.fromkeys(game.paytables if wagers is None else wagers, stake)
    return outcomes(game.id, rounds, stakes, printed_manila=is_printed_manila(game), **reading_of(game))


def lines_that_happen(found: Odds) -> set[tuple[str, str]]:
    return {(name, line.line.label) for name, wager in found.wagers.items() for line in wager.lines if line.count}


def all_lines(game: Game) -> set[tuple[str, str]]:
    return {(wager.id, line.label) for wager in game.paytables.values() for line in wager.lines + wager.bonuses}


def compare(
    game: Game, shoe: Shoe, seen: Seen | None = None, rounds: list[Round] | None = None, stake: int = STAKE
) -> set[tuple[str, str]]:
    """Hold every number of every wager to the enumeration of whole cards; returns the lines that happened."""
    if rounds is None:
        rounds = list(every_round(shoe, seen, is_printed_manila(game)))
    total = all_draws(shoe, seen)
    assert sum(ways for _, _, ways in rounds) == total
    expected = reference_outcomes(game, rounds, stake)
    happened: set[tuple[str, str]] = set()
    for found in odds_each_way(game, shoe, seen):
        assert found.total == total
        assert found.wagers.keys() == expected.keys()
        for name, wager in found.wagers.items():
            check_wager(wager, expected[name], total, stake, f"{case_name(game)} {name} {dict(shoe)} {seen}")
        happened |= lines_that_happen(found)
    return happened


def check_wager(wager: WagerOdds, expected: Mapping[Payments, int], total: int, stake: int, what: str) -> None:
    """Everything that the product says of one wager, from the amounts that the reference paid."""
    assert product_outcomes(wager, stake) == +Counter(expected), what
    nets = [(sum(amount for _, amount in paid) if paid else -stake, ways) for paid, ways in expected.items()]
    assert wager.ev_at(stake) == Fraction(sum(net * ways for net, ways in nets), total * stake), what
    assert sum(line.count for line in wager.lines if not line.on_top) + wager.lost == wager.total == total, what
    assert all(line.probability == Fraction(line.count, total) for line in wager.lines), what
    if stake != STAKE:
        return
    # Per unit staked, without the sums that do not grow with the stake: by clause and amount, as at this stake.
    fixed = {(line.clause, line.pays.money) for line in wager.wager.bonuses if isinstance(line.pays, Fixed)}
    mean, square, hit = 0, 0, 0
    for paid, ways in expected.items():
        net = sum(amount for clause, amount in paid if (clause, amount) not in fixed) if paid else -stake
        mean += net * ways
        square += net * net * ways
        hit += ways if net > 0 else 0
    assert wager.ev == -wager.house_edge == Fraction(mean, total * stake), what
    assert wager.variance == Fraction(square, total * stake**2) - wager.ev**2, what
    assert wager.hit == Fraction(hit, total), what


def line_counts(wager: WagerOdds) -> dict[str, int]:
    return {found.line.label: found.count for found in wager.lines}


def odds_of_wager_each_way(game: Game, own: Wager, shoe: Shoe, seen: Mapping[int, Card]) -> Iterator[WagerOdds]:
    """The same for a wager of one's own."""
    arguments = game, product_shoe(game, shoe), seen, (own,)
    yield odds(*arguments).wagers[own.id]
    if compiled_counter.available:
        with patch.object(compiled_counter, "available", False):
            yield odds(*arguments).wagers[own.id]
