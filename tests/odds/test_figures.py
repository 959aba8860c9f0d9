"""Every published figure: counts as equal integers, the rest to every digit that was published."""

from collections import defaultdict
from fractions import Fraction
from typing import Any

import pytest

from odds.published import FIGURES, PLAIN_GAME, game_of, price, rounded
from puntobanco import Shoe, find_game
from puntobanco.odds import odds

POINTS = "TA23456789"


def test_every_figure_names_its_source() -> None:
    named = [figure["source"] for kind, figures in FIGURES.items() if kind != "sources" for figure in figures]
    assert set(named) == FIGURES["sources"].keys()


@pytest.mark.parametrize("text", ["1.0579%", "-0.166836", "+0.0426", "0", "0.07549", "-0.05129", "29.98%", "100%"])
def test_rounding_to_published_digits(text: str) -> None:
    value = Fraction(text.rstrip("%")) / (100 if text.endswith("%") else 1)
    unit = Fraction(1, 10 ** len(text.rstrip("%").partition(".")[2])) / (100 if text.endswith("%") else 1)
    assert rounded(value, text) == rounded(value + unit * Fraction(49, 100), text) == text
    assert rounded(value + unit * Fraction(51, 100), text) != text


@pytest.mark.parametrize("figure", FIGURES["combinations"], ids=lambda figure: f"{figure['decks']} decks")
def test_combinations(figure: dict[str, Any]) -> None:
    found = odds(PLAIN_GAME, Shoe.full(PLAIN_GAME.pack, figure["decks"]))
    for winner in ("player", "banker", "tie"):
        assert found.wagers[winner].lines[0].count == figure[winner]
    assert found.total == figure["total"] == figure["player"] + figure["banker"] + figure["tie"]


@pytest.mark.parametrize("figure", FIGURES["wagers"], ids=lambda figure: figure["name"])
def test_wagers(figure: dict[str, Any]) -> None:
    found = price(figure)
    lines = {line.line.label: line for line in found.lines}
    assert {label: lines[label].count for label in figure.get("lines", {})} == figure.get("lines", {})
    for label, published in figure.get("probabilities", {}).items():
        assert rounded(lines[label].probability, published) == published
    compared = [name for name in ("ev", "house_edge", "hit", "variance") if name in figure]
    for name in compared:
        assert rounded(getattr(found, name), figure[name]) == figure[name]
    assert compared or figure.get("lines"), "nothing was compared"


@pytest.mark.parametrize("figure", FIGURES["removal"], ids=lambda figure: figure["name"])
def test_effects_of_removal(figure: dict[str, Any]) -> None:
    pack = game_of(figure).pack
    shoe = Shoe.full(pack, figure["decks"])
    full = price(figure, shoe).ev
    unit = {"units": 1, "percentage points": 100}[figure["unit"]]
    for rank, published in figure["effects"].items():
        # Any card of the rank: both wagers look at points alone, so all zeros are alike too.
        effect = price(figure, shoe.without([pack.card(f"{rank}h")])).ev - full
        assert rounded(effect * unit, published) == published, rank


def two_cards_by_points(points: list[int]) -> list[tuple[int, int]]:
    return [(first, second) for first in points for second in points]


@pytest.mark.parametrize("figure", FIGURES["positions"], ids=lambda figure: figure["name"])
def test_chances_in_mid_round(figure: dict[str, Any]) -> None:
    """The tables go by points: the average over all cards that make them, each by its chance."""
    game = find_game("baccarat-tournament")
    shoe = Shoe.full(game.pack, figure["decks"])
    cards = [game.pack.card(f"{rank}s") for rank in POINTS]
    with_banker = "winner" in figure
    weights: dict[tuple[int, int], int] = defaultdict(int)
    chances: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
    for first, second in two_cards_by_points([*range(10)]):
        for banker in range(len(figure["chances"])) if with_banker else [None]:
            left = [sum(shoe.count(card) for card in game.pack.cards if card.points == each) for each in range(10)]
            seen, ways = {0: cards[first], 1: cards[second]}, 1
            for points in (first, second) if banker is None else (first, second, banker):
                ways *= left[points]
                left[points] -= 1
            if banker is not None:
                seen[3] = cards[banker]
            total = (first + second) % 10
            found = odds(game, shoe.without(seen.values()), seen)
            for column, winner in enumerate([figure["winner"]] if with_banker else ["player", "banker", "tie"]):
                place = (total, column) if banker is None else (banker, total)
                weights[place] += ways
                chances[place] += ways * found.wagers[winner].lines[0].probability
    for row, published_row in enumerate(figure["chances"]):
        for column, published in enumerate(published_row):
            chance = chances[row, column] / weights[row, column]
            assert rounded(chance, published) == published, (row, column)


def test_the_deviation_at_a_stake_has_the_fixed_bonuses_in_it() -> None:
    """Reckoned again from the chances of the three ways in which the Tie of 6 Star wins."""
    priced = odds(find_game("six-star")).wagers["tie"]
    chance = {each.line.label: each.probability for each in priced.lines}
    flaming, stars = chance["Tie with Flaming 9's"], chance["6 Stars"]
    gains = {800: chance["Tie"] - flaming - stars, 300_800: flaming, 3_000_800: stars, -100: 1 - chance["Tie"]}
    mean = sum(gain * share for gain, share in gains.items())
    square = sum(gain**2 * share for gain, share in gains.items())
    assert priced.ev_at(100) == mean / 100
    assert priced.variance_at(100) == (square - mean**2) / 100**2
    for name, wager in odds(find_game("manila")).wagers.items():
        # Without fixed sums, and paid in whole units, the stake makes no difference.
        assert wager.variance_at(2_000) == wager.variance, name
