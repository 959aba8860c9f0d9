"""Section 1, continued: the hands and wagers that only some of the games define."""

from collections.abc import Callable
from functools import cache
from itertools import product

import pytest

from puntobanco import Card, Deal, Game, read_deal, settle
from puntobanco.cards import Pack
from puntobanco.games.fabulous_4 import ELEMENT_EIGHTS
from puntobanco.games.six_star import BANKER_FLAMING_NINE, ONE_ELEMENT, PLAYER_FLAMING_NINE, SIX_STARS
from puntobanco.settle import Payment, settle_wager
from puntobanco.table import (
    AnnounceResult,
    PlaceWager,
    RoundSettled,
    SettleRound,
)
from table.here import HERE

from .deals import every_deal, natural_eight, pairs_of_cards, total_of
from .proof import proves, wagers
from .tables import (
    ANN,
    BEN,
    STAKE,
    after,
    event_of,
    in_deal,
)


def _assert_wins_exactly_when(game: Game, wager: str, wins: Callable[[int, int], bool]) -> None:
    """The wager wins on every deal whose totals say so, and loses on every other."""
    ends = {"won": 0, "lost": 0}
    for deal in every_deal(game.pack):
        net = settle(game, deal, {wager: STAKE}).wagers[wager].net
        won = wins(total_of(deal.player), total_of(deal.banker))
        assert (net > 0) is won, deal
        assert won or net == -STAKE, deal
        ends["won" if won else "lost"] += 1
    assert all(ends.values())


@cache
def _precious_pairs(game: Game) -> dict[tuple[Card, Card], tuple[int, int]]:
    """By the first two cards of a hand: what Player Precious Pair and Banker Precious Pair win on them."""
    other = natural_eight(game.pack)

    def net(wager: str, deal: Deal) -> int:
        return settle(game, deal, {wager: STAKE}).wagers[wager].net

    return {
        cards: (net("player-precious-pair", Deal(cards, other)), net("banker-precious-pair", Deal(other, cards)))
        for cards in pairs_of_cards(game.pack)
    }


@proves(by=[Card, Pack], clauses={"six-star": "1.1.2", "fabulous-4": "1.1.2"})
def test_the_element_of_a_card_is_its_suit(game: Game) -> None:
    assert list(game.pack.suits.values()) == ["Fire", "Gold", "Earth", "Wood", "Water"]
    elements = [game.pack.suits[card.suit] for card in game.pack.cards]
    assert {element: elements.count(element) for element in elements} == dict.fromkeys(game.pack.suits.values(), 13)
    assert game.pack.suits[game.pack.card("9f").suit] == "Fire"


@proves(by=[Pack, Card], clauses={"six-star": "1.1.12"})
def test_a_star_is_one_of_the_three_picture_cards_of_a_suit(game: Game) -> None:
    names = {"S": "Sau", "L": "Luk", "F": "Fuk"}
    stars = [card for card in game.pack.cards if card.rank not in "A23456789T"]
    assert [(game.pack.rank_names[card.rank], card.suit) for card in stars] == [
        (name, suit) for suit in game.pack.suits for name in names.values()
    ]
    assert {rank: game.pack.rank_names[rank] for rank in names} == names


@proves(by=[SIX_STARS, wagers("tie")], clauses={"six-star": "1.1.1"})
def test_6_stars_is_a_sau_a_luk_and_a_fuk_in_each_hand(game: Game) -> None:
    # Three cards worth zero in each hand: every such deal is lawful, and a tie.
    hands = [game.pack.read(" ".join(cards)) for cards in product(("Td", "Sf", "Lg", "Fe"), repeat=3)]
    for player, banker in product(hands, repeat=2):
        has_stars = all({card.rank for card in hand} == {"S", "L", "F"} for hand in (player, banker))
        paid = settle(game, Deal(player, banker), {"tie": STAKE}).wagers["tie"].pays
        assert ([payment.line for payment in paid] == ["Tie", "6 Stars"]) is has_stars
        assert (len(paid) == 1) is not has_stars


@proves(by=[ONE_ELEMENT, wagers("element-bonus")], clauses={"six-star": "1.1.3"})
@pytest.mark.parametrize("ranks", ["P 9 T | B 8 S", "P 2 3 4 | B T 7", "P 2 3 | B T 8", "P 2 3 4 | B T S 5"])
def test_element_bonus_wins_only_if_all_cards_of_both_hands_are_of_one_element(game: Game, ranks: str) -> None:
    shape = ranks.replace("P ", "").replace("| B ", "").split()
    in_player_hand = len(ranks.partition("|")[0].split()) - 1

    def net(suits: list[str]) -> int:
        cards = [game.pack.card(rank + suit) for rank, suit in zip(shape, suits, strict=True)]
        deal = Deal(tuple(cards[:in_player_hand]), tuple(cards[in_player_hand:]))
        return settle(game, deal, {"element-bonus": STAKE}).wagers["element-bonus"].net

    for element in game.pack.suits:
        assert net([element] * len(shape)) > 0
        for place, other in product(range(len(shape)), game.pack.suits):
            if other != element:
                suits = [element] * len(shape)
                suits[place] = other
                assert net(suits) == -STAKE, (element, place, other)


@proves(by=[PLAYER_FLAMING_NINE, BANKER_FLAMING_NINE, wagers("player", "banker")], clauses={"six-star": "1.1.4"})
def test_flaming_nines_is_a_natural_nine_of_two_fire_cards(game: Game) -> None:
    other = natural_eight(game.pack)
    for first, second in pairs_of_cards(game.pack):
        points = total_of((first, second))
        is_flaming = points == 9 and first.suit == second.suit == "f"
        # Against a natural eight only a nine wins; Flaming 9's is the nine that is paid 1.2 to 1.
        expected = {9: STAKE * 12 // 10 if is_flaming else STAKE, 8: 0}.get(points, -STAKE)
        for wager, deal in (("player", Deal((first, second), other)), ("banker", Deal(other, (first, second)))):
            assert settle(game, deal, {wager: STAKE}).wagers[wager].net == expected, deal
    for wager, three_cards in (("player", "P 2f 3f 4f | B Tw 7w"), ("banker", "P Tw 6w | B 2f 3f 4f")):
        deal = read_deal(game.pack, three_cards)
        assert settle(game, deal, {wager: STAKE}).wagers[wager].net == STAKE


@proves(by=[wagers("fortune-six")], clauses={"fortune-six-tournament": "1.1.1", "six-star": "1.1.5"})
def test_fortune_six_wins_only_if_the_banker_wins_with_six(game: Game) -> None:
    _assert_wins_exactly_when(game, "fortune-six", lambda player, banker: banker == 6 and banker > player)


@proves(by=[wagers("banker-fabulous-4")], clauses={"fabulous-4": "1.1.1"})
def test_banker_fabulous_4_wins_only_if_the_banker_wins_with_four(game: Game) -> None:
    _assert_wins_exactly_when(game, "banker-fabulous-4", lambda player, banker: banker == 4 and banker > player)


@proves(by=[wagers("player-fabulous-4")], clauses={"fabulous-4": "1.1.6"})
def test_player_fabulous_4_wins_only_if_the_player_wins_with_four(game: Game) -> None:
    _assert_wins_exactly_when(game, "player-fabulous-4", lambda player, banker: player == 4 and player > banker)


@proves(by=[settle_wager, wagers("tie")], clauses={"six-star": "1.1.14"})
@pytest.mark.parametrize(
    ("text", "bonus"),
    [
        ("P 9f Tf | B 4f 5f", 300_000),
        ("P Sf Lg Fe | B Fd Sw Lf", 3_000_000),
        ("P 9f Tf | B 9f Tg", 0),
        ("P 9w Tf | B 9f Tf", 0),
        ("P Sf Lg Fe | B Fd Sw Sf", 0),
    ],
)
def test_the_tie_bonus_is_paid_to_a_patron_with_a_tie_wager(game: Game, text: str, bonus: int) -> None:
    table = in_deal(game, text, PlaceWager(HERE, ANN, "tie", STAKE), PlaceWager(HERE, BEN, "player", STAKE))
    settled = event_of(after(table, AnnounceResult(HERE)), SettleRound(HERE))
    assert isinstance(settled, RoundSettled)
    assert settled.settlements[ANN].net == 8 * STAKE + bonus
    assert settled.settlements[BEN].net == 0


@proves(by=[wagers("player-precious-pair", "banker-precious-pair")], clauses={"fabulous-4": "1.1.7"})
def test_a_precious_pair_wins_if_the_first_two_cards_of_its_hand_are_a_pair(game: Game) -> None:
    for (first, second), nets in _precious_pairs(game).items():
        for net in nets:
            assert (net > 0) is (first.rank == second.rank), (first, second)
            assert net > 0 or net == -STAKE


@proves(
    by=[wagers("player-precious-pair", "banker-precious-pair")],
    clauses={"fabulous-4": ("1.1.7.1", "1.1.7.2", "1.1.7.3", "1.1.7.4")},
)
def test_the_four_kinds_of_precious_pair(game: Game, clause: str) -> None:
    defined = set()
    for first, second in pairs_of_cards(game.pack):
        fours = first.rank == second.rank == "4"
        both_gold = first.suit == second.suit == "g"
        other_pair = first.rank == second.rank != "4"
        if {
            "1.1.7.1": fours and both_gold,
            "1.1.7.2": fours and not both_gold,
            "1.1.7.3": other_pair and both_gold,
            "1.1.7.4": other_pair and not both_gold,
        }[clause]:
            defined.add((first, second))
    pays = {"1.1.7.1": 30, "1.1.7.2": 15, "1.1.7.3": 12, "1.1.7.4": 9}[clause]
    paid = _precious_pairs(game)
    assert {cards for cards, (of_player, _) in paid.items() if of_player == pays * STAKE} == defined
    assert {cards for cards, (_, of_banker) in paid.items() if of_banker == pays * STAKE} == defined


@proves(by=[ELEMENT_EIGHTS, wagers("tie")], clauses={"fabulous-4": "1.1.11"})
def test_tie_on_element_eights_is_a_tie_of_two_pairs_of_fours(game: Game) -> None:
    eights = [cards for cards in pairs_of_cards(game.pack) if total_of(cards) == 8]
    fours = [cards for cards in eights if cards[0].rank == cards[1].rank == "4"]
    assert len(fours) == 25
    tie, bonus = Payment("Tie", "4.1", 8 * STAKE), Payment("Tie on Element Eights", "4.1", 800 * STAKE)
    for player, banker in [*product(fours, eights), *product(eights, fours)]:
        paid = settle(game, Deal(player, banker), {"tie": STAKE}).wagers["tie"].pays
        both = {card.rank for card in player + banker} == {"4"}
        assert paid == ((tie, bonus) if both else (tie,)), (player, banker)
    # It is a bonus on a Tie wager, not a wager of its own, and a pair of fours alone is no tie.
    both_fours = Deal(fours[0], fours[1])
    assert settle(game, both_fours, {"player": STAKE, "banker": STAKE}).net == 0
    assert settle(game, read_deal(game.pack, "P 4f 4f | B 9f Tf"), {"tie": STAKE}).net == -STAKE
    # Ruling 5 leaves the other reading open.
    instead = game.read_as(element_eights="instead")
    assert settle(instead, both_fours, {"tie": STAKE}).wagers["tie"].pays == (bonus,)
