"""Full shoes, and what is left of them, the other way: rounds of merged cards, dealt out and settled one by one.

The more a wager looks at, the less can be merged; what it never looks at is merged away. Each test says why
its merging loses nothing.
"""

from collections import Counter
from math import perm

import pytest

from odds.shoes import Picker, dealt_shoe, full_shoe, position
from odds.two_ways import (
    CASES,
    STAKE,
    case_name,
    check_wager,
    compare,
    is_printed_manila,
    line_counts,
    odds_each_way,
    product_outcomes,
    reference_outcomes,
)
from puntobanco import Game, find_game
from reference.enumeration import (
    Payments,
    Round,
    Shoe,
    by_points,
    by_points_and_suit,
    by_rank,
    every_round,
    first_two_cards,
    only,
    rounds_of_one_suit,
)
from reference.settlement import is_pair, precious_pair


def shoe_named(pack: int, name: str) -> dict[str, int]:
    """`8` decks, or what is left of eight when `half` or `most` of the cards are gone."""
    if name.isdigit():
        return full_shoe(pack, int(name))
    return dealt_shoe(pack, 8, {"half": 0.5, "most": 0.85}[name], Picker(f"{name} of {pack}"))


def on_points_alone(game: Game) -> list[str]:
    """The wagers that read nothing but totals and numbers of cards.

    In 6 Star the Banker and the Player look for Flaming 9's too, and the bonuses of both Ties look at more; they
    follow below.
    """
    read = {
        wager.id: {test.fact for line in wager.lines + wager.bonuses for test in line.when.tests()}
        for wager in game.paytables.values()
    }
    points = {"winner", "player_total", "banker_total", "player_cards", "banker_cards", "cards"}
    return [wager for wager, facts in read.items() if facts <= points]


def test_some_wagers_of_every_game_read_points_alone() -> None:
    found = {game.id: on_points_alone(game) for game in CASES}
    assert all(found.values())
    assert found["six-star"] == ["fortune-six"]
    assert found["fabulous-4"] == ["player", "banker", "player-fabulous-4", "banker-fabulous-4"]


@pytest.mark.parametrize(
    ("case", "name"),
    [
        pytest.param(case, name, id=f"{case_name(case)}-{name}")
        for case in CASES
        for name in ("4", "6", "8", "10", "half")
        # The decks of the published tables for the 65-card games, fewer for the others; Element Eights are below.
        if (len(case.pack) == 65 or name not in ("4", "6")) and case.reading.get("element_eights") != "instead"
    ],
)
def test_wagers_on_points(case: Game, name: str) -> None:
    # Cards of the same points are merged: nothing here asks for ranks or suits.
    shoe = shoe_named(len(case.pack), name)
    merged_shoe = by_points(shoe, next(iter(case.pack.suits)))
    rounds = every_round(merged_shoe, printed_manila=is_printed_manila(case))
    expected = reference_outcomes(case, rounds, wagers=on_points_alone(case))
    for found in odds_each_way(case, shoe):
        for wager in on_points_alone(case):
            check_wager(found.wagers[wager], expected[wager], perm(sum(shoe.values()), 6), STAKE, wager)


@pytest.mark.parametrize("name", ["4", "6", "8", "10", "32", "half", "most"])
@pytest.mark.parametrize("case", [pytest.param(game, id=case_name(game)) for game in CASES if 3 in game.rulings])
def test_pairs(case: Game, name: str) -> None:
    # Nothing is merged: two whole cards of the one hand, whatever the rest of the deal.
    shoe = shoe_named(len(case.pack), name)
    pairs, precious = 0, Counter[Payments]()
    for first, second, ways in first_two_cards(shoe):
        pairs += ways if is_pair((first, second)) else 0
        precious[tuple(precious_pair((first, second), STAKE)[1])] += ways
    for found in odds_each_way(case, shoe):
        for side in ("player", "banker"):
            if f"{side}-precious-pair" in found.wagers:
                assert product_outcomes(found.wagers[f"{side}-precious-pair"], STAKE) == precious
            else:
                assert list(line_counts(found.wagers[f"{side}-pair"]).values()) == [pairs]


@pytest.mark.parametrize("name", ["4", "6", "8", "10", "32", "most"])
def test_element_bonus(name: str) -> None:
    # Every round that wins has one suit throughout: for each suit, deal from its cards alone, merged by points.
    shoe = shoe_named(65, name)
    six_star = find_game("six-star")
    expected: Counter[Payments] = Counter()
    # A full shoe has the same cards of every suit, so that one is dealt out for all five.
    for suit, times in [("f", 5)] if name.isdigit() else [(suit, 1) for suit in "fgedw"]:
        rounds = rounds_of_one_suit(shoe, suit)
        for paid, ways in reference_outcomes(six_star, rounds, wagers=["element-bonus"])["element-bonus"].items():
            expected[paid] += times * ways
    assert () not in expected
    expected[()] = perm(sum(shoe.values()), 6) - expected.total()
    for found in odds_each_way(six_star, shoe):
        check_wager(found.wagers["element-bonus"], expected, expected.total(), STAKE, name)


def six_star_rounds(shoe: Shoe) -> list[Round]:
    """Rounds that show Flaming 9's and 6 Stars.

    Flaming 9's are two cards of nine points, which end the round with four cards: of those rounds, Fire and
    points are kept. Longer rounds have none, whatever their suits, but may be 6 Stars: of those, ranks are kept.
    """
    short = every_round(by_points_and_suit(shoe, "f", "w"), only_four_cards=True)
    long = every_round(by_rank(shoe, "w"))
    return [*short, *(each for each in long if len(each[0]) + len(each[1]) > 4)]


@pytest.mark.parametrize("name", ["8", "most"])
def test_six_star_outcome_by_outcome(name: str) -> None:
    shoe = shoe_named(65, name)
    six_star = find_game("six-star")
    rounds = six_star_rounds(shoe)
    total = perm(sum(shoe.values()), 6)
    assert sum(ways for _, _, ways in rounds) == total
    wagers = ["player", "banker", "tie"]
    expected = reference_outcomes(six_star, rounds, wagers=wagers)
    assert len(expected["tie"]) == 4
    for found in odds_each_way(six_star, shoe):
        for wager in wagers:
            check_wager(found.wagers[wager], expected[wager], total, STAKE, wager)


@pytest.mark.parametrize("name", ["4", "6", "10", "32", "half"])
def test_six_star_line_by_line(name: str) -> None:
    # Lighter than outcome by outcome, for more shoes: 6 Stars are dealt from Sau, Luk and Fuk alone.
    shoe = shoe_named(65, name)
    six_star = find_game("six-star")
    short = list(every_round(by_points_and_suit(shoe, "f", "w"), only_four_cards=True))
    long = [each for each in every_round(by_points(shoe, "w")) if len(each[0]) + len(each[1]) > 4]
    expected = reference_outcomes(six_star, [*short, *long], wagers=["player", "banker", "tie"])
    stars, others = only(shoe, lambda card: card[0] in "SLF")
    of_stars = reference_outcomes(six_star, every_round(by_rank(stars, "w"), other_cards=others), wagers=["tie"])
    for found in odds_each_way(six_star, shoe):
        for wager in ("player", "banker"):
            check_wager(found.wagers[wager], expected[wager], found.total, STAKE, wager)
        assert line_counts(found.wagers["tie"]) == {
            "Tie": sum(ways for paid, ways in expected["tie"].items() if paid),
            "Tie with Flaming 9's": sum(ways for paid, ways in expected["tie"].items() if ("4.3", 300_000) in paid),
            "6 Stars": sum(ways for paid, ways in of_stars["tie"].items() if ("4.3", 3_000_000) in paid),
        }


@pytest.mark.parametrize("name", ["4", "6", "8", "10", "32", "half"])
@pytest.mark.parametrize("reading", ["on-top", "instead"])
def test_tie_of_fabulous_4(reading: str, name: str) -> None:
    # Element Eights are four fours, a natural: of rounds of four cards the ranks are kept, of longer ones the points.
    shoe = shoe_named(65, name)
    case = find_game("fabulous-4").read_as(element_eights=reading)
    short = every_round(by_rank(shoe, "w"), only_four_cards=True)
    long = (each for each in every_round(by_points(shoe, "w")) if len(each[0]) + len(each[1]) > 4)
    expected = reference_outcomes(case, [*short, *long], wagers=["tie"])["tie"]
    assert len(expected) == 3
    for found in odds_each_way(case, shoe):
        check_wager(found.wagers["tie"], expected, perm(sum(shoe.values()), 6), STAKE, name)


@pytest.mark.parametrize("game", ["fortune-six-tournament", "fabulous-4"])
def test_everything_that_ignores_suits_rank_by_rank(game: str) -> None:
    # Thirteen ranks, all rounds: no argument about totals or pairs, only that suits are not looked at.
    case = find_game(game)
    shoe = full_shoe(len(case.pack), 8)
    wagers = [wager for wager in case.paytables if "precious" not in wager]
    rounds = every_round(by_rank(shoe, next(iter(case.pack.suits))))
    expected = reference_outcomes(case, rounds, wagers=wagers)
    for found in odds_each_way(case, shoe):
        for wager in wagers:
            check_wager(found.wagers[wager], expected[wager], found.total, STAKE, wager)


@pytest.mark.parametrize("name", ["8", "half"])
@pytest.mark.parametrize("case", [pytest.param(game, id=case_name(game)) for game in CASES])
def test_positions_with_most_cards_seen(case: Game, name: str) -> None:
    # With three of the first four cards seen, and more, even a full shoe can be dealt out card by card.
    picker = Picker(f"full positions {case_name(case)} {name}")
    whole = shoe_named(len(case.pack), name)
    shoe, seen = position(whole, picker, 4, is_printed_manila(case))
    for slot in ("p1", "b1", "p2", "b2"):
        compare(case, whole, {other: seen[other] for other in ("p1", "b1", "p2", "b2") if other != slot})
    for _ in range(8):
        shoe, seen = position(whole, picker, 4, is_printed_manila(case))
        compare(case, shoe, seen)
