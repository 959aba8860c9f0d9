"""Who wins, and what the round is worth to each wager: 3.10 and after, 3.9 and after in Fa Fa Fabulous 4."""

from itertools import product

import pytest

from puntobanco import Deal, Game, read_deal, settle
from puntobanco.rules.facts import Winner, read_facts
from puntobanco.settle import Payment, WagerSettlement
from puntobanco.table import (
    AnnounceResult,
    Reason,
    ResultAnnounced,
    SettleRound,
)
from table.here import HERE

from .deals import (
    completions,
    every_deal,
    total_of,
)
from .proof import MANILA, NUMBERED_ALIKE, alike, proves, wagers
from .tables import (
    PLAYER_WINS,
    STAKE,
    event_of,
    in_deal,
    refused,
)


@proves(
    by=[read_facts, Winner, ResultAnnounced, wagers("player", "banker")],
    clauses={**alike(NUMBERED_ALIKE, "3.10"), "fabulous-4": "3.9", **alike(MANILA, "How to Play 1")},
)
def test_the_hand_with_the_higher_total_wins(game: Game, clause: str) -> None:
    winners = {Winner.PLAYER: "player", Winner.BANKER: "banker"}
    losers = {Winner.PLAYER: "banker", Winner.BANKER: "player"}
    seen = set()
    for deal in every_deal(game.pack):
        player, banker = total_of(deal.player), total_of(deal.banker)
        if player == banker:
            continue
        expected = Winner.PLAYER if player > banker else Winner.BANKER
        settled = settle(game, deal, {"player": STAKE, "banker": STAKE})
        assert (settled.winner, settled.player_total, settled.banker_total) == (expected, player, banker)
        assert settled.wagers[winners[expected]].net >= 0, deal
        assert settled.wagers[losers[expected]] == WagerSettlement(STAKE, -STAKE, ()), deal
        seen.add((player, banker))
    assert seen == {(player, banker) for player, banker in product(range(10), repeat=2) if player != banker}
    # The winner is announced before any wager is settled.
    table = in_deal(game, PLAYER_WINS)
    assert refused(table, SettleRound(HERE)) == (Reason.NOT_ANNOUNCED, clause)
    assert event_of(table, AnnounceResult(HERE)) == ResultAnnounced(1, Winner.PLAYER, 9, 8)


@proves(
    by=[Winner.TIE, wagers("player", "banker", "tie")],
    clauses={**alike(NUMBERED_ALIKE, "3.10.1"), "fabulous-4": "3.10", **alike(MANILA, "Ruling 14: tie")},
)
def test_a_tie_returns_player_and_banker_wagers_and_tie_wagers_win(game: Game, clause: str) -> None:
    totals = set()
    for deal in every_deal(game.pack):
        settled = settle(game, deal, {"player": STAKE, "banker": STAKE, "tie": STAKE})
        if total_of(deal.player) != total_of(deal.banker):
            assert settled.winner is not Winner.TIE
            assert settled.wagers["tie"].net == -STAKE
            continue
        assert settled.winner is Winner.TIE
        for wager in ("player", "banker"):
            (returned,) = settled.wagers[wager].pays
            assert (returned.clause, returned.amount) == (clause, 0)
            assert settled.wagers[wager].returned == STAKE
        assert settled.wagers["tie"].net == 8 * STAKE
        totals.add(total_of(deal.player))
    assert totals == set(range(10))
    assert game.procedure.tie == clause


@proves(by=[wagers("tie")], clauses={"six-star": "3.10.1.1"})
def test_a_tie_with_flaming_nines_in_both_hands_pays_the_tie_and_the_tie_bonus(game: Game) -> None:
    fire = [card for card in game.pack.cards if card.suit == "f"]
    flaming = [hand for hand in product(fire, repeat=2) if total_of(hand) == 9]
    assert len(flaming) == 16
    for player, banker in product(flaming, repeat=2):
        for stake in (1, STAKE, 10**9):
            paid = settle(game, Deal(player, banker), {"tie": stake}).wagers["tie"].pays
            assert [payment[1:3] for payment in paid] == [("4.1", 8 * stake), ("4.3", 300_000)]


@proves(by=[wagers("tie")], clauses={"six-star": "3.10.1.2"})
def test_a_tie_with_6_stars_pays_the_tie_and_the_tie_bonus(game: Game) -> None:
    orders = ("SLF", "SFL", "LSF", "LFS", "FSL", "FLS")
    for player, banker in product(orders, repeat=2):
        for suits in ("ffffff", "fgedwf", "wdegfw"):
            cards = [game.pack.card(rank + suit) for rank, suit in zip(player + banker, suits, strict=True)]
            for stake in (1, STAKE, 10**9):
                paid = settle(game, Deal(tuple(cards[:3]), tuple(cards[3:])), {"tie": stake}).wagers["tie"].pays
                assert [payment[1:3] for payment in paid] == [("4.1", 8 * stake), ("4.3", 3_000_000)]


@proves(by=[wagers("fortune-six")], clauses={"fortune-six-tournament": "3.11", "six-star": "3.11"})
def test_fortune_six_wins_on_a_banker_six_of_two_or_of_three_cards(game: Game) -> None:
    sizes = set()
    for deal in every_deal(game.pack):
        won = settle(game, deal, {"fortune-six": STAKE}).wagers["fortune-six"].net > 0
        assert won is (total_of(deal.banker) == 6 > total_of(deal.player)), deal
        if won:
            sizes.add(len(deal.banker))
    assert sizes == {2, 3}


@proves(by=[wagers("element-bonus")], clauses={"six-star": "3.12"})
@pytest.mark.parametrize(
    ("cards", "pays", "by_outcome"),
    [
        (4, 50, ("P 9 T | B 8 T", "P 8 T | B 9 T", "P 9 T | B 9 T")),
        (5, 500, ("P 2 3 4 | B T 7", "P 2 3 T | B T 7", "P 2 3 2 | B T 7")),
        (6, 5000, ("P 2 3 4 | B T T 5", "P 2 3 T | B T T 9", "P 2 3 4 | B T T 9")),
    ],
)
def test_the_element_bonus_is_paid_whatever_the_outcome(
    game: Game, cards: int, pays: int, by_outcome: tuple[str, ...]
) -> None:
    for element, (winner, ranks) in product(game.pack.suits, zip(Winner, by_outcome, strict=True)):
        text = " ".join(word if word in ("P", "|", "B") else word + element for word in ranks.split())
        deal = read_deal(game.pack, text)
        assert len(deal.cards) == cards
        settled = settle(game, deal, {"element-bonus": STAKE})
        assert settled.winner is winner
        (payment,) = settled.wagers["element-bonus"].pays
        assert payment[1:3] == ("4.2", pays * STAKE)


@proves(by=[wagers("banker", "player", "banker-fabulous-4")], clauses={"fabulous-4": "3.11"})
def test_a_banker_win_with_four(game: Game) -> None:
    deals = [deal for deal in every_deal(game.pack) if total_of(deal.banker) == 4 > total_of(deal.player)]
    assert {len(deal.banker) for deal in deals} == {2, 3}
    for deal in deals:
        stakes = {"banker-fabulous-4": STAKE, "player-fabulous-4": STAKE, "player": STAKE, "banker": STAKE}
        nets = {wager: settled.net for wager, settled in settle(game, deal, stakes).wagers.items()}
        assert nets == {
            "banker-fabulous-4": 25 * STAKE,
            "player-fabulous-4": -STAKE,
            "player": -STAKE,
            "banker": 0,
        }, deal


@proves(by=[wagers("banker", "player", "player-fabulous-4")], clauses={"fabulous-4": "3.12"})
def test_a_player_win_with_four(game: Game) -> None:
    deals = [deal for deal in every_deal(game.pack) if total_of(deal.player) == 4 > total_of(deal.banker)]
    # The Player draws on four, so a Player four is always of three cards.
    assert {len(deal.player) for deal in deals} == {3}
    for deal in deals:
        stakes = {"player-fabulous-4": STAKE, "banker-fabulous-4": STAKE, "player": STAKE, "banker": STAKE}
        settled = settle(game, deal, stakes).wagers
        assert settled["player-fabulous-4"].net == 50 * STAKE, deal
        assert settled["banker-fabulous-4"].net == settled["banker"].net == -STAKE, deal
        assert settled["player"].pays == (Payment("Player wins with four", "4.1", STAKE // 2),), deal


@proves(by=[wagers("player-precious-pair", "banker-precious-pair")], clauses={"fabulous-4": "3.13"})
def test_each_precious_pair_is_decided_by_its_own_hand_and_both_may_win(game: Game) -> None:
    stakes = {"player-precious-pair": STAKE, "banker-precious-pair": STAKE}
    hands = {"4g 4g": 30, "4f 4w": 15, "Sg Sg": 12, "9f 9e": 9, "4g 5g": -1, "Sg Lg": -1}
    for player, banker in product(hands, repeat=2):
        for deal in completions(game.pack, game.pack.read(player), game.pack.read(banker)):
            settled = settle(game, deal, stakes).wagers
            assert settled["player-precious-pair"].net == hands[player] * STAKE, deal
            assert settled["banker-precious-pair"].net == hands[banker] * STAKE, deal


@proves(by=[settle, wagers("player", "banker")], clauses=alike(MANILA, "Example of Hands"))
def test_player_wins_seven_over_three(game: Game) -> None:
    deal = read_deal(game.pack, "P Tc 7d | B Js 3h Kd")
    settled = settle(game, deal, {"player": STAKE, "banker": STAKE})
    assert (settled.winner, settled.player_total, settled.banker_total) == (Winner.PLAYER, 7, 3)
    assert settled.wagers["player"].net == STAKE
    assert settled.wagers["banker"].net == -STAKE
