"""Burn and cut: ruling 17 as one value."""

from typing import cast

import pytest

from puntobanco import FIVE_ELEMENTS, STANDARD_PACK, DeclarationError, Pack
from puntobanco.dealing import AT_A_TABLE, BurnAndCut, BurnRule


@pytest.mark.parametrize("pack", [STANDARD_PACK, FIVE_ELEMENTS], ids=lambda pack: pack.id)
def test_as_many_cards_are_burned_as_the_first_one_shows(pack: Pack) -> None:
    burned = {card.rank: AT_A_TABLE.burned_after(card) for card in pack.cards}
    assert burned == dict(zip(pack.ranks, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10], strict=True))
    assert AT_A_TABLE.most_burned == 1 + max(burned.values())


def test_without_a_burn_nothing_leaves_the_shoe() -> None:
    assert not BurnAndCut(BurnRule.OFF).burns
    assert BurnAndCut(BurnRule.OFF).most_burned == 0


@pytest.mark.parametrize("depth", [0, 1, 14, 100])
def test_the_cut_card_is_out_when_only_what_lay_behind_it_is_left(depth: int) -> None:
    dealing = BurnAndCut(cut_depth=depth)
    assert [dealing.cut_card_is_out(left) for left in (depth - 1, depth, depth + 1)] == [True, True, False]


@pytest.mark.parametrize("depth", [-1, 1.5, "14", True, None])
def test_a_cut_card_lies_a_whole_number_of_cards_from_the_end(depth: object) -> None:
    with pytest.raises(DeclarationError, match="in no shoe"):
        BurnAndCut(cut_depth=cast(int, depth))


def test_a_burn_rule_that_is_none() -> None:
    with pytest.raises(ValueError, match="sometimes"):
        BurnAndCut(cast(BurnRule, "sometimes"))
