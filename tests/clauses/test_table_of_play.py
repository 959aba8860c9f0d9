"""Who draws: 3.9 with its table, 3.8 of Fa Fa Fabulous 4, and the table of play of Manila."""

from itertools import product

import pytest

from puntobanco import Deal, Game, InputError, read_deal, settle
from puntobanco.games.manila import MANILA_AS_PRINTED
from puntobanco.rules.game import Procedure
from puntobanco.table import AnnounceResult, CloseBetting, DealCard, OpenBetting, Phase, Reason, refusal
from puntobanco.tableau import STANDARD, DrawRule, Hand, Tableau
from table.here import HERE

from .deals import card_worth, completions, every_deal, initial_deals, last_digit, two_cards_worth
from .proof import MANILA, NUMBERED_ALIKE, alike, proves
from .tables import NATURAL, THREE_CARDS, after, draws, in_deal, ready_table, refused

BANKER_DRAWS = {
    0: "0123456789",
    1: "0123456789",
    2: "0123456789",
    3: "012345679",
    4: "234567",
    5: "4567",
    6: "67",
    7: "",
}
"""3.9.4: the Banker's total, and the values of the Player's third card on which the Banker draws."""

MANILA_BANKER_STANDS = {
    3: "8",
    4: "1 8 9 10",
    5: "1 2 3 8 9 10",
    6: "10 1 2 3 4 5 8 9",
    7: "10 1 2 3 4 5 6 7 8 9",
}
"""The Manila table prints when the Banker stands, and for six when the Banker draws; 10 is any card worth zero."""


def two_card_hands(wanted: int) -> list[tuple[int, int]]:
    """Every two point values of that total."""
    return [points for points in product(range(10), range(10)) if last_digit(sum(points)) == wanted]


@proves(
    by=[Tableau.decide, STANDARD, Reason.CARDS_STILL_DUE, Reason.NO_CARD_DUE],
    clauses={
        **alike(NUMBERED_ALIKE, "3.9"),
        "fabulous-4": "3.8",
        **alike(MANILA, "Hand Totals 5"),
    },
)
def test_after_four_cards_a_third_is_dealt_where_the_table_of_play_asks_for_it_and_nowhere_else(game: Game) -> None:
    closed = after(ready_table(game), OpenBetting(), CloseBetting(HERE))
    for _, _, start in initial_deals(game.pack):
        four_dealt = after(closed, *draws(start))
        for deal in completions(game.pack, start.player, start.banker):
            table = four_dealt
            for draw in draws(deal)[4:]:
                other = Hand.BANKER if draw.hand is Hand.PLAYER else Hand.PLAYER
                assert table.phase is Phase.DEALING, deal
                assert refused(table, DealCard(HERE, other, draw.card))[0] is Reason.WRONG_HAND
                assert refused(table, AnnounceResult(HERE))[0] is Reason.CARDS_STILL_DUE
                table = after(table, draw)
            assert table.phase is Phase.COMPLETE, deal
            for hand in Hand:
                assert refused(table, DealCard(HERE, hand, card_worth(game.pack, 5)))[0] is Reason.NO_CARD_DUE
            assert refusal(table, AnnounceResult(table.round_number)) is None


@proves(
    by=[Tableau.decide, STANDARD, DrawRule.NATURAL],
    clauses={
        **alike(NUMBERED_ALIKE, "3.9.1"),
        "fabulous-4": "3.8",
        **alike(MANILA, "Hand Totals 5", "Table of Play 3"),
    },
)
def test_a_natural_in_either_hand_stops_the_deal_to_both(game: Game) -> None:
    for player, banker in product(product(range(10), repeat=2), repeat=2):
        decision = game.tableau.decide(player, banker)
        if last_digit(sum(player)) >= 8 or last_digit(sum(banker)) >= 8:
            assert decision == (None, DrawRule.NATURAL), (player, banker)
        else:
            assert decision.rule is not DrawRule.NATURAL, (player, banker)


@proves(
    by=[Procedure.draw, Reason.NO_CARD_DUE],
    clauses={**alike(NUMBERED_ALIKE, "3.9.1"), "fabulous-4": "3.8", **alike(MANILA, "Hand Totals 5")},
)
@pytest.mark.parametrize("text", [NATURAL, "P Td 2d | B Td 8d", "P Td 8d | B 4d 4d"])
def test_a_card_after_a_natural_is_refused_by_that_clause(game: Game, clause: str, text: str) -> None:
    table = in_deal(game, text)
    for hand in Hand:
        assert refused(table, DealCard(HERE, hand, game.pack.card("5d"))) == (Reason.NO_CARD_DUE, clause)


@proves(
    by=[Tableau.decide, STANDARD, DrawRule.PLAYER_DRAWS],
    clauses={**alike(NUMBERED_ALIKE, "3.9.2"), "fabulous-4": "3.8", **alike(MANILA, "Table of Play 1")},
)
def test_the_player_draws_on_zero_to_five_and_stands_on_six_and_seven(game: Game, clause: str) -> None:
    for player_total, banker_total in product(range(10), range(8)):
        for player, banker in product(two_card_hands(player_total), two_card_hands(banker_total)):
            decision = game.tableau.decide(player, banker)
            if player_total <= 5:
                assert decision == (Hand.PLAYER, DrawRule.PLAYER_DRAWS), (player, banker)
            else:
                expected = DrawRule.PLAYER_STOOD if player_total <= 7 else DrawRule.NATURAL
                assert decision.hand is not Hand.PLAYER, (player, banker)
                assert decision.rule is expected, (player, banker)
    table = in_deal(game, "P Td 5d | B Td 3d")
    assert refused(table, DealCard(HERE, Hand.BANKER, game.pack.card("5d"))) == (Reason.WRONG_HAND, clause)
    assert refused(table, AnnounceResult(HERE)) == (Reason.CARDS_STILL_DUE, clause)
    for card, reason in (("5d", Reason.WRONG_HAND), ("7d", Reason.NO_CARD_DUE)):
        stands = in_deal(game, f"P Td 6d | B Td {card}")
        assert refused(stands, DealCard(HERE, Hand.PLAYER, game.pack.card("5d"))) == (reason, clause)


@proves(
    by=[Tableau.decide, STANDARD, DrawRule.PLAYER_STOOD],
    clauses={**alike(NUMBERED_ALIKE, "3.9.3"), "fabulous-4": "3.8", **alike(MANILA, "Table of Play 2")},
)
def test_when_the_player_stands_the_banker_draws_on_zero_to_five_and_stands_on_six_and_seven(
    game: Game, clause: str
) -> None:
    for player_total, banker_total in product((6, 7), range(8)):
        for player, banker in product(two_card_hands(player_total), two_card_hands(banker_total)):
            expected = Hand.BANKER if banker_total <= 5 else None
            assert game.tableau.decide(player, banker) == (expected, DrawRule.PLAYER_STOOD), (player, banker)
    card = game.pack.card("5d")
    draws_now = in_deal(game, "P Td 6d | B Td 5d")
    assert refused(draws_now, AnnounceResult(HERE)) == (Reason.CARDS_STILL_DUE, clause)
    stands = in_deal(game, "P Td 6d | B Td 7d")
    assert refused(stands, DealCard(HERE, Hand.BANKER, card)) == (Reason.NO_CARD_DUE, clause)


@proves(
    by=[Tableau.decide, STANDARD, DrawRule.BANKER_DRAWS],
    clauses={**alike(NUMBERED_ALIKE, "3.9.4"), "fabulous-4": "3.8"},
)
def test_the_banker_draws_by_the_players_third_card(game: Game, clause: str) -> None:
    for banker_total, third in product(range(8), range(10)):
        expected = Hand.BANKER if str(third) in BANKER_DRAWS[banker_total] else None
        for player, banker in product(product(range(10), repeat=2), two_card_hands(banker_total)):
            if last_digit(sum(player)) <= 5:
                decision = game.tableau.decide((*player, third), banker)
                assert decision == (expected, DrawRule.BANKER_DRAWS), (player, third, banker)
    _assert_refused_after_the_third_card(game, clause)


@proves(by=[Tableau.decide, STANDARD, DrawRule.BANKER_DRAWS], clauses=alike(MANILA, "Table of Play 2"))
def test_the_manila_banker_stands_against_the_printed_third_cards(game: Game, clause: str) -> None:
    for banker_total, third in product(range(8), game.pack.cards):
        printed = str(third.points or 10)
        stands = printed in MANILA_BANKER_STANDS.get(banker_total, "").split()
        for player_total in range(6):
            player = (*two_cards_worth(game.pack, player_total), third)
            due = game.tableau.due(Deal(player, two_cards_worth(game.pack, banker_total)))
            assert due == (None if stands else Hand.BANKER, DrawRule.BANKER_DRAWS), (player, banker_total)
    _assert_refused_after_the_third_card(game, clause)


def _assert_refused_after_the_third_card(game: Game, clause: str) -> None:
    card = game.pack.card("5d")
    stands = in_deal(game, THREE_CARDS)
    assert refused(stands, DealCard(HERE, Hand.BANKER, card)) == (Reason.NO_CARD_DUE, clause)
    draws_now = in_deal(game, "P 2d 3d 4d | B Td 5d")
    assert refused(draws_now, DealCard(HERE, Hand.PLAYER, card)) == (Reason.WRONG_HAND, clause)
    assert refused(draws_now, AnnounceResult(HERE)) == (Reason.CARDS_STILL_DUE, clause)


@proves(by=[MANILA_AS_PRINTED, Game.read_as], clauses=alike(MANILA, "Table of Play 1"))
def test_the_printed_reading_in_which_the_player_stands_on_five_is_a_switch(game: Game) -> None:
    printed = game.read_as(tableau="manila-as-printed")
    for player_total, banker_total in product(range(8), repeat=2):
        for player, banker in product(two_card_hands(player_total), two_card_hands(banker_total)):
            decision = printed.tableau.decide(player, banker)
            if player_total == 5:
                assert decision == (Hand.BANKER if banker_total <= 5 else None, DrawRule.PLAYER_STOOD)
            else:
                assert decision == game.tableau.decide(player, banker)


@proves(by=[Tableau.check, Reason.NO_CARD_DUE], clauses=alike(MANILA, "How to Play 4"))
def test_each_hand_gets_two_or_three_cards_and_none_is_optional(game: Game) -> None:
    sizes = set()
    for deal in every_deal(game.pack):
        assert settle(game, deal, {})
        sizes.add((len(deal.player), len(deal.banker)))
        extra = card_worth(game.pack, 5, suit=3)
        changed = (
            Deal(deal.player[:2] if len(deal.player) == 3 else (*deal.player, extra), deal.banker),
            Deal(deal.player, deal.banker[:2] if len(deal.banker) == 3 else (*deal.banker, extra)),
        )
        for wrong in changed:
            with pytest.raises(InputError) as caught:
                settle(game, wrong, {})
            assert caught.value.reason == "unlawful-deal", wrong
    assert sizes == {(2, 2), (2, 3), (3, 2), (3, 3)}
    for text in ("P 9d | B Td 7d", "P 9d Td | B 7d"):
        with pytest.raises(InputError, match="a hand has two or three"):
            settle(game, read_deal(game.pack, text), {})
