"""Section 1: the words that all documents define, and the naturals of Manila."""

import pytest

from puntobanco import Card, Deal, Game, read_deal, settle
from puntobanco.rules.facts import Winner, read_facts
from puntobanco.table import (
    AnnounceResult,
    CardDealt,
    CloseBetting,
    Command,
    OpenBetting,
    Phase,
    Reason,
    ResultAnnounced,
    RoundSettled,
    SettleRound,
    evolve,
)
from puntobanco.tableau import DrawRule, Hand, Tableau, total
from table.here import HERE

from .deals import every_deal, initial_deals, last_digit, natural_eight, pairs_of_cards, sum_of, total_of
from .proof import MANILA, alike, proves, wagers
from .tables import (
    ANN,
    BEN,
    NATURAL,
    PLAYER_WINS,
    STAKE,
    WAGERS,
    after,
    draws,
    draws_of,
    event_of,
    in_deal,
    play_round,
    ready_table,
    refused,
)


@proves(
    by=[Deal, CardDealt, evolve],
    clauses={
        "baccarat-tournament": "1.1.1",
        "fortune-six-tournament": "1.1.2",
        "six-star": "1.1.6",
        "fabulous-4": "1.1.3",
    },
)
def test_a_hand_is_what_it_was_dealt_in_one_round(game: Game) -> None:
    table = ready_table(game)
    for text in (PLAYER_WINS, NATURAL):
        table = after(table, OpenBetting(), CloseBetting(HERE))
        assert table.deal == Deal()
        dealt: dict[Hand, tuple[Card, ...]] = {Hand.PLAYER: (), Hand.BANKER: ()}
        for draw in draws_of(game, text):
            table = after(table, draw)
            dealt[draw.hand] += (draw.card,)
            assert table.deal == Deal(dealt[Hand.PLAYER], dealt[Hand.BANKER])
        table = after(table, AnnounceResult(HERE), SettleRound(HERE))
        assert table.rounds[-1].deal == read_deal(game.pack, text)


@proves(
    by=[DrawRule.INITIAL_DEAL, Tableau.decide],
    clauses={
        "baccarat-tournament": "1.1.2",
        "fortune-six-tournament": "1.1.3",
        "six-star": "1.1.7",
        "fabulous-4": "1.1.4",
    },
)
def test_the_initial_deal_is_the_first_two_cards_of_each_hand_and_no_more(game: Game) -> None:
    for deal in every_deal(game.pack):
        table_cards: dict[Hand, tuple[Card, ...]] = {Hand.PLAYER: (), Hand.BANKER: ()}
        for draw in draws(deal):
            due = game.tableau.due(Deal(table_cards[Hand.PLAYER], table_cards[Hand.BANKER]))
            is_initial = sum(map(len, table_cards.values())) < 4
            assert (due.rule is DrawRule.INITIAL_DEAL) is is_initial, deal
            table_cards[draw.hand] += (draw.card,)
        assert game.tableau.due(deal).rule is not DrawRule.INITIAL_DEAL, deal
        assert len(deal.player[:2]) == len(deal.banker[:2]) == 2


@proves(
    by=[DrawRule.NATURAL, Tableau.decide],
    clauses={
        "baccarat-tournament": "1.1.3",
        "fortune-six-tournament": "1.1.4",
        "six-star": "1.1.8",
        "fabulous-4": "1.1.5",
        **alike(MANILA, "Hand Totals 3"),
    },
)
def test_a_natural_is_eight_or_nine_in_the_initial_deal_of_either_hand(game: Game) -> None:
    for player, banker, deal in initial_deals(game.pack):
        is_natural = player in (8, 9) or banker in (8, 9)
        assert (game.tableau.due(deal).rule is DrawRule.NATURAL) is is_natural, deal
    # Eight or nine on three cards is no natural: the Banker may still draw against it.
    for text in ("P 2d 3d 4d | B Td 3d", "P Td 5d 3d | B Td 4d"):
        deal = read_deal(game.pack, text)
        assert total_of(deal.player) in (8, 9)
        assert game.tableau.due(deal) == (Hand.BANKER, DrawRule.BANKER_DRAWS)


@proves(by=[DrawRule.NATURAL, Tableau.decide, total], clauses=alike(MANILA, "Hand Totals 4"))
@pytest.mark.parametrize(("hand", "points"), [("7c 2d", 9), ("6c 2d", 8), ("9c 9d", 8), ("Kc 9d", 9)])
def test_the_printed_examples_are_naturals(game: Game, hand: str, points: int) -> None:
    cards = game.pack.read(hand)
    other = game.pack.read("2s 3s")
    for deal in (Deal(cards, other), Deal(other, cards)):
        assert game.tableau.due(deal) == (None, DrawRule.NATURAL)
    facts = read_facts(Deal(cards, other))
    assert facts.player_total == points


@proves(
    by=[read_facts, wagers("player-pair", "banker-pair")],
    clauses={"baccarat-tournament": "1.1.4", "fortune-six-tournament": "1.1.5", "six-star": "1.1.9"},
)
def test_a_pair_is_two_first_cards_of_the_same_rank(game: Game) -> None:
    other = natural_eight(game.pack)
    for first, second in pairs_of_cards(game.pack):
        shared = first.rank if first.rank == second.rank else None
        of_player = read_facts(Deal((first, second), other))
        of_banker = read_facts(Deal(other, (first, second)))
        assert (of_player.player_pair, of_player.banker_pair) == (shared, None)
        assert (of_banker.player_pair, of_banker.banker_pair) == (None, shared)


@proves(
    by=[total, read_facts, ResultAnnounced],
    clauses={
        "baccarat-tournament": "1.1.5",
        "fortune-six-tournament": "1.1.6",
        "six-star": "1.1.10",
        "fabulous-4": "1.1.8",
    },
)
def test_the_point_total_is_what_the_cards_of_a_hand_are_worth_together(game: Game) -> None:
    for deal in every_deal(game.pack):
        facts = read_facts(deal)
        assert facts.player_total == last_digit(sum_of(deal.player)), deal
        assert facts.banker_total == last_digit(sum_of(deal.banker)), deal
    table = in_deal(game, PLAYER_WINS)
    assert event_of(table, AnnounceResult(HERE)) == ResultAnnounced(1, Winner.PLAYER, 9, 8)


@proves(
    by=[Phase, OpenBetting, AnnounceResult, SettleRound, RoundSettled],
    clauses={
        "baccarat-tournament": "1.1.6",
        "fortune-six-tournament": "1.1.7",
        "six-star": "1.1.11",
        "fabulous-4": "1.1.9",
        **alike(MANILA, "Ruling 14"),
    },
)
def test_a_round_lasts_from_the_call_for_bets_until_the_result_is_announced_and_wagers_are_settled(game: Game) -> None:
    table = ready_table(game)
    steps: list[Command] = [
        OpenBetting(),
        *WAGERS,
        CloseBetting(HERE),
        *draws_of(game, PLAYER_WINS),
        AnnounceResult(HERE),
    ]
    assert not table.phase.in_round
    for step in steps:
        table = after(table, step)
        assert table.phase.in_round
        # No other round begins before this one is over, and none is settled before its result is announced.
        assert refused(table, OpenBetting())[0] is Reason.ROUND_IN_PROGRESS
        if not isinstance(step, AnnounceResult):
            assert refused(table, SettleRound(HERE))[0] in (
                Reason.BETTING_STILL_OPEN,
                Reason.NOT_ANNOUNCED,
            )
    settled = event_of(table, SettleRound(HERE))
    assert isinstance(settled, RoundSettled)
    returned = {
        patron: {wager: result.returned for wager, result in settlement.wagers.items()}
        for patron, settlement in settled.settlements.items()
    }
    assert returned == {ANN: {"player": 2 * STAKE}, BEN: {"banker": 0, "tie": 0}}
    over = after(table, SettleRound(HERE))
    assert not over.phase.in_round
    assert over.held == 0
    # Where there are no wagers, none are collected or paid, and the round ends all the same.
    assert not play_round(over, NATURAL).phase.in_round


@proves(
    by=[Winner.TIE, read_facts],
    clauses={
        "baccarat-tournament": "1.1.7",
        "fortune-six-tournament": "1.1.8",
        "six-star": "1.1.13",
        "fabulous-4": "1.1.10",
    },
)
def test_a_tie_is_the_same_total_of_both_hands_at_the_end(game: Game) -> None:
    ends = {"tie": 0, "no tie": 0}
    for deal in every_deal(game.pack):
        same = total_of(deal.player) == total_of(deal.banker)
        assert (read_facts(deal).winner is Winner.TIE) is same, deal
        ends["tie" if same else "no tie"] += 1
    assert all(ends.values())
    # The same total after two cards is not enough: the third cards are dealt first.
    before_third_cards = read_deal(game.pack, "P 2d 3d 4d | B 4d Ad Td")
    assert total_of(before_third_cards.player[:2]) == total_of(before_third_cards.banker[:2])
    assert settle(game, before_third_cards, {}).winner is Winner.PLAYER
