"""Effects of removal, exactly."""

import doctest
import random
from fractions import Fraction

import pytest

from contract.games import every_game
from puntobanco import FIVE_ELEMENTS, STANDARD_PACK, Game, InputError, Pack, Shoe, find_game
from puntobanco.odds import odds, report
from puntobanco.odds import removal as removal_module
from puntobanco.odds.removal import removal, suits_read
from puntobanco.rules.conditions import ONE_SUIT, PLAYER_SUIT
from puntobanco.rules.wagers import Wager, pays

SUITED = Wager("suited", "Suited", "own", (pays("2:1", "Two hearts", PLAYER_SUIT.is_("h"), clause="own"),))
ANY_SUITED = Wager("any-suited", "Suited", "own", (pays("9:1", "One suit", ONE_SUIT.exists(), clause="own"),))


def lopsided(pack: Pack, seed: int) -> Shoe:
    """A small shoe in which the first two suits are alike and the others are not."""
    random_counts = random.Random(seed)
    rows = [[random_counts.choice([0, 0, 1, 2]) for _ in pack.ranks] for _ in pack.suits]
    rows[1] = rows[0]
    return Shoe(pack, tuple(count for row in rows for count in row))


@every_game
def test_effects_sum_to_zero_over_the_full_shoe(game: Game) -> None:
    found = removal(game)
    assert len(found.effects) == len(game.pack)
    for name in game.paytables:
        assert sum(found.odds.shoe.count(card) * effect[name] for card, effect in found.effects.items()) == 0
        if "pair" not in name:
            assert any(effect[name] for effect in found.effects.values())


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("game", "own"),
    [("manila", ()), ("manila", (SUITED, ANY_SUITED)), ("six-star", ()), ("fabulous-4", (ANY_SUITED,))],
)
def test_each_effect_is_the_difference_of_two_expected_values(game: str, own: tuple[Wager, ...], seed: int) -> None:
    declared = find_game(game)
    shoe = lopsided(declared.pack, seed)
    found = removal(declared, shoe, own)
    whole = odds(declared, shoe, own_wagers=own)
    assert [*found.effects] == [card for card in declared.pack.cards if shoe.count(card)]
    for card, effects in found.effects.items():
        without = odds(declared, shoe.without([card]), own_wagers=own)
        assert dict(effects) == {name: without.wagers[name].ev - whole.wagers[name].ev for name in whole.wagers}
    for name in whole.wagers:
        assert sum(shoe.count(card) * effects[name] for card, effects in found.effects.items()) == 0


def test_cards_of_a_rank_with_the_same_effects_are_grouped() -> None:
    ranks = ["".join(map(str, cards)) for cards in removal(find_game("manila")).groups()]
    assert ranks[0] == "AcAdAhAs"
    assert len(ranks) == 13
    by_suit = removal(find_game("manila"), own_wagers=(SUITED,)).groups()
    assert [str(card) for card in by_suit[0]] == ["Ac", "Ad", "As"]
    assert [str(card) for card in by_suit[1]] == ["Ah"]
    assert len(by_suit) == 26


def test_a_full_shoe_is_the_default() -> None:
    game = find_game("manila-no-commission")
    assert removal(game).effects == removal(game, Shoe.full(STANDARD_PACK, 8)).effects


def test_a_shoe_that_one_card_less_makes_too_small_is_refused() -> None:
    game = find_game("six-star")
    six = Shoe.of_counts(FIVE_ELEMENTS, {"Af": 3, "9g": 3})
    with pytest.raises(InputError, match="holds 6: it needs at least 7"):
        removal(game, six)
    seven = removal(game, six.with_cards([FIVE_ELEMENTS.card("Af")]))
    assert seven.odds.shoe.size == 7
    assert any(effect["tie"] != Fraction(0) for effect in seven.effects.values())


def test_suits_that_wagers_read() -> None:
    assert suits_read(find_game("manila").paytables.values()) is None
    assert suits_read([SUITED]) == frozenset({"h"})
    assert suits_read([ANY_SUITED]) == frozenset({None})
    assert suits_read(find_game("fabulous-4").paytables.values()) == frozenset({"g"})


def test_the_examples_of_the_docstrings() -> None:
    for module in (removal_module, report):
        tried = doctest.testmod(module)
        assert tried.attempted > 0
        assert tried.failed == 0
