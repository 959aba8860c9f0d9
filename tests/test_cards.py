"""Cards, packs, deals and shoes: notation and composition."""

import copy
import pickle
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puntobanco.cards import FIVE_ELEMENTS, PACKS, STANDARD_PACK, Card, Deal, Pack, Shoe, read_deal
from puntobanco.errors import InputError

packs = pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.id)


def test_packs_have_52_and_65_cards_in_the_order_of_the_notation() -> None:
    assert [str(card) for card in STANDARD_PACK.cards] == [r + s for s, r in product("cdhs", "A23456789TJQK")]
    assert [str(card) for card in FIVE_ELEMENTS.cards] == [r + s for s, r in product("fgedw", "A23456789TSLF")]


@packs
def test_every_card_is_read_back_as_itself(pack: Pack) -> None:
    for place, card in enumerate(pack.cards):
        assert card.index == place
        assert pack.card(str(card)) is card
        assert pack.card(f" {str(card).lower()} ") is card
        assert pickle.loads(pickle.dumps(card)) is card
        assert copy.deepcopy(card) is card


@packs
def test_points(pack: Pack) -> None:
    expected = dict(zip(pack.ranks, [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0], strict=True))
    assert all(card.points == expected[card.rank] for card in pack.cards)


def test_ten_may_be_written_in_digits() -> None:
    assert STANDARD_PACK.card("10h") is STANDARD_PACK.card("Th")
    assert FIVE_ELEMENTS.card("10w") is FIVE_ELEMENTS.card("Tw")


@packs
@pytest.mark.parametrize("text", ["", " ", "9", "s", "9x", "1h", "100h", "10", "Xh", "9hh", "99", "h9", "🂡", "9h 9h"])
def test_unreadable_card_shows_what_was_read_and_what_is_allowed(pack: Pack, text: str) -> None:
    with pytest.raises(InputError, match="is not a card of the") as caught:
        pack.card(text)
    assert repr(text) in caught.value.message
    assert pack.ranks in caught.value.message
    assert all(name in caught.value.message for name in pack.suits.values())
    assert caught.value.reason == "unknown-card"


@pytest.mark.parametrize(("pack", "text"), [(STANDARD_PACK, "Sf"), (STANDARD_PACK, "9g"), (FIVE_ELEMENTS, "Kd")])
def test_card_of_the_other_pack_is_unknown(pack: Pack, text: str) -> None:
    with pytest.raises(InputError):
        pack.card(text)


def test_the_same_text_in_two_packs_is_two_cards() -> None:
    diamonds, wood = STANDARD_PACK.card("4d"), FIVE_ELEMENTS.card("4d")
    assert diamonds != wood
    assert Shoe.full(STANDARD_PACK, 8).count(wood) == 0


def hands(pack: Pack) -> st.SearchStrategy[tuple[Card, ...]]:
    return st.lists(st.sampled_from(pack.cards), max_size=3).map(tuple)


@given(st.sampled_from(PACKS).flatmap(lambda pack: st.tuples(st.just(pack), hands(pack), hands(pack))))
def test_deal_notation_is_its_own_inverse(case: tuple[Pack, tuple[Card, ...], tuple[Card, ...]]) -> None:
    pack, player, banker = case
    deal = Deal(player, banker)
    assert read_deal(pack, str(deal)) == deal


def test_deal_notation_as_people_write_it() -> None:
    deal = read_deal(STANDARD_PACK, "  p 9S kd 4c|b 3h   10h ")
    assert str(deal) == "P 9s Kd 4c | B 3h Th"


@pytest.mark.parametrize("text", ["", "P 9s", "9s Kd | 3h 4h", "B 3h 4h | P 9s Kd", "P 9s | B 3h | B 4h", "P9s | B3h"])
def test_unreadable_deal(text: str) -> None:
    with pytest.raises(InputError, match="is not a deal") as caught:
        read_deal(STANDARD_PACK, text)
    assert '"P 9s Kd 4c | B 3h 4h"' in caught.value.message


def test_ten_cards_are_no_deal() -> None:
    with pytest.raises(InputError, match="The Player has 8 cards") as caught:
        read_deal(STANDARD_PACK, "P As 2s 3s 4s 5s 6s 7s 8s | B 3h 4h")
    assert caught.value.reason == "unlawful-deal"


def test_errors_repeat_only_the_start_of_long_text() -> None:
    with pytest.raises(InputError) as caught:
        STANDARD_PACK.card("9" * 100_000)
    assert len(caught.value.message) < 250


@packs
@pytest.mark.parametrize("decks", range(4, 11))
def test_full_shoe(pack: Pack, decks: int) -> None:
    shoe = Shoe.full(pack, decks)
    assert shoe.size == decks * len(pack)
    assert all(shoe.count(card) == decks for card in pack.cards)


@given(st.sampled_from(PACKS).flatmap(
    lambda pack: st.tuples(st.just(pack), st.lists(st.integers(0, 10), min_size=len(pack), max_size=len(pack)))
))  # fmt: skip
def test_composition_as_counts_is_its_own_inverse(case: tuple[Pack, list[int]]) -> None:
    pack, counts = case
    shoe = Shoe(pack, tuple(counts))
    assert Shoe.of_counts(pack, shoe.as_counts()) == shoe
    assert 0 not in shoe.as_counts().values()


def test_taking_cards_out_and_putting_them_back() -> None:
    shoe = Shoe.full(FIVE_ELEMENTS, 4)
    cards = FIVE_ELEMENTS.read("9f 9f Sg")
    less = shoe.without(cards)
    assert less.count(cards[0]) == 2
    assert less.size == 257
    assert less.with_cards(cards) == shoe
    assert less.difference(shoe) == "2 missing 9f, 1 missing Sg"
    assert shoe.difference(less) == "2 extra 9f, 1 extra Sg"
    assert shoe.difference(shoe) == ""


def test_a_long_difference_is_cut() -> None:
    difference = Shoe.full(STANDARD_PACK, 4).difference(Shoe.full(STANDARD_PACK, 5))
    assert difference.count("missing") == 5
    assert difference.endswith("47 other differences")


def test_a_card_that_is_not_there_cannot_be_taken_out() -> None:
    with pytest.raises(InputError, match="no Ac left") as caught:
        Shoe.full(STANDARD_PACK, 1).without(STANDARD_PACK.read("Ac Ac"))
    assert caught.value.reason == "card-not-in-shoe"
    with pytest.raises(InputError, match="does not belong") as caught:
        Shoe.full(STANDARD_PACK, 1).without(FIVE_ELEMENTS.read("Sf"))
    assert caught.value.reason == "foreign-card"


@pytest.mark.parametrize("count", [-1, 33, 1.5, "7", True, None])
def test_bad_counts(count: int) -> None:
    with pytest.raises(InputError, match="whole number from 0 to 32"):
        Shoe.of_counts(STANDARD_PACK, {"Ah": count})


@pytest.mark.parametrize("decks", [0, -1, 33, 1.0, True])
def test_bad_decks(decks: int) -> None:
    with pytest.raises(InputError, match="number of decks"):
        Shoe.full(STANDARD_PACK, decks)


def test_a_shoe_has_a_count_for_every_card_once() -> None:
    with pytest.raises(InputError, match="52 counts, not 1"):
        Shoe(STANDARD_PACK, (1,))
    with pytest.raises(InputError, match="names Th twice"):
        Shoe.of_counts(STANDARD_PACK, {"Th": 1, "10h": 2})
