"""Section 3 up to the table of play: betting, values, totals, hands and pairs."""

from itertools import combinations, product

from puntobanco import Card, Deal, Game, Pack, read_deal, settle
from puntobanco.rules.facts import read_facts
from puntobanco.rules.game import Procedure
from puntobanco.table import (
    AnnounceResult,
    BettingClosed,
    BettingOpened,
    CardDealt,
    CloseBetting,
    DealCard,
    IncreaseWager,
    OpenBetting,
    Phase,
    PlaceWager,
    Reason,
    ReduceWager,
    RoundSettled,
    SettleRound,
    WithdrawWager,
    decide,
    refusal,
)
from puntobanco.tableau import DrawRule, Hand, Tableau, total
from table.here import HERE, meant

from .deals import (
    completions,
    every_deal,
    initial_deals,
    last_digit,
    natural_eight,
    pairs_of_cards,
    sum_of,
)
from .proof import MANILA, MARINA_BAY_SANDS, NUMBERED_ALIKE, alike, proves, wagers
from .tables import (
    ANN,
    BEN,
    NATURAL,
    PLAYER_WINS,
    STAKE,
    after,
    draws,
    draws_of,
    event_of,
    in_deal,
    ready_table,
    refused,
)


@proves(
    by=[OpenBetting, BettingOpened, Reason.BETTING_NOT_OPEN, Procedure],
    clauses={**alike(MARINA_BAY_SANDS, "3.1"), **alike(MANILA, "Ruling 14")},
)
def test_play_commences_with_the_call_for_bets(game: Game, clause: str) -> None:
    table = ready_table(game)
    draw = draws_of(game, NATURAL)[0]
    for bet in (PlaceWager(HERE, ANN, "player", STAKE), CloseBetting(HERE)):
        assert refused(table, bet) == (Reason.BETTING_NOT_OPEN, clause)
    for early in (draw, AnnounceResult(HERE), SettleRound(HERE)):
        assert refused(table, early) == (Reason.NO_ROUND, clause)
    assert event_of(table, OpenBetting()) == BettingOpened(1, game.digest, table.settings.digest)
    table = after(table, OpenBetting())
    assert table.phase is Phase.BETTING
    assert after(table, PlaceWager(HERE, ANN, "player", STAKE)).held == STAKE


@proves(
    by=[CloseBetting, BettingClosed, Reason.BETTING_STILL_OPEN, Procedure],
    clauses={**alike(MARINA_BAY_SANDS, "3.2"), **alike(MANILA, "How to Play 3")},
)
def test_betting_closes_with_no_more_bets_and_cards_come_after_it(game: Game, clause: str) -> None:
    draw = draws_of(game, NATURAL)[0]
    table = after(ready_table(game), OpenBetting(), PlaceWager(HERE, ANN, "player", 2 * STAKE))
    changes = (
        PlaceWager(HERE, BEN, "banker", STAKE),
        IncreaseWager(HERE, ANN, "player", STAKE),
        ReduceWager(HERE, ANN, "player", STAKE),
        WithdrawWager(HERE, ANN, "player"),
    )
    for change in changes:
        assert refusal(table, meant(table, change)) is None
    for early in (draw, AnnounceResult(HERE), SettleRound(HERE)):
        assert refused(table, early) == (Reason.BETTING_STILL_OPEN, clause)
    assert decide(table, CloseBetting(1)) == (BettingClosed(1),)
    closed = after(table, CloseBetting(HERE))
    for change in changes:
        assert refused(closed, change)[0] in (Reason.LATE_WAGER, Reason.LATE_INCREASE, Reason.LATE_WITHDRAWAL)
    assert event_of(closed, draw) == CardDealt(1, draw.hand, draw.card)


@proves(by=[Pack, Card], clauses=alike(MARINA_BAY_SANDS, "3.3.1"))
def test_an_ace_is_worth_one_and_two_to_nine_their_face_value(game: Game) -> None:
    worth = {"A": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9}
    found = [card for card in game.pack.cards if card.rank in worth]
    assert len(found) == 9 * len(game.pack.suits)
    for card in found:
        assert card.points == worth[card.rank], card


@proves(
    by=[Pack, Card],
    clauses={**alike(MARINA_BAY_SANDS, "3.3.2"), **alike(MANILA, "Hand Totals 1")},
)
def test_tens_and_picture_cards_are_worth_zero(game: Game) -> None:
    ranks = {"Ten", "Jack", "Queen", "King"} if len(game.pack) == 52 else {"Ten", "Sau", "Luk", "Fuk"}
    found = [card for card in game.pack.cards if game.pack.rank_names.get(card.rank) in ranks]
    assert len(found) == 4 * len(game.pack.suits)
    assert {card for card in game.pack.cards if card.points == 0} == set(found)


@proves(by=[total, read_facts], clauses=alike(MARINA_BAY_SANDS, "3.4.1"))
def test_cards_worth_zero_to_nine_together_have_that_total(game: Game) -> None:
    other = natural_eight(game.pack)
    small = [hand for hand in _hands_of_ranks(game.pack) if sum_of(hand) <= 9]
    assert {sum_of(hand) for hand in small} == set(range(10))
    for hand in small:
        assert total([card.points for card in hand]) == sum_of(hand)
        assert read_facts(Deal(hand, other)).player_total == sum_of(hand)
        assert read_facts(Deal(other, hand)).banker_total == sum_of(hand)


@proves(
    by=[total, read_facts],
    clauses={**alike(MARINA_BAY_SANDS, "3.4.2"), **alike(MANILA, "Hand Totals 2")},
)
def test_cards_worth_ten_or_more_together_have_the_last_digit_as_total(game: Game) -> None:
    other = natural_eight(game.pack)
    large = [hand for hand in _hands_of_ranks(game.pack) if sum_of(hand) >= 10]
    assert {sum_of(hand) for hand in large} == set(range(10, 28))
    for hand in large:
        points = last_digit(sum_of(hand))
        assert total([card.points for card in hand]) == points
        assert read_facts(Deal(hand, other)).player_total == points
        assert read_facts(Deal(other, hand)).banker_total == points


def _hands_of_ranks(pack: Pack) -> list[tuple[Card, ...]]:
    """Every two and every three ranks, in every order."""
    one_suit = pack.cards[: len(pack.ranks)]
    return [*product(one_suit, repeat=2), *product(one_suit, repeat=3)]


@proves(
    by=[settle, PlaceWager, RoundSettled],
    clauses={**alike(MARINA_BAY_SANDS, "3.5"), **alike(MANILA, "How to Play 2", "Ruling 14")},
)
def test_wagers_are_made_and_settled_alone_or_in_any_combination(game: Game, clause: str) -> None:
    texts = (
        PLAYER_WINS,
        "P 9d 9d | B Td Td",
        "P 4d 4d | B 4d 4d",
        "P Td 5d 6d | B 3d 3d Td",
        "P Td 2d Ad | B Td 4d",
        "P 2d 2d 8d | B Td 3d",
    )
    ids = list(game.paytables)
    subsets = [subset for size in range(1, len(ids) + 1) for subset in combinations(ids, size)]
    assert len(subsets) == 2 ** len(ids) - 1
    for text in texts:
        deal = read_deal(game.pack, text)
        alone = {wager: settle(game, deal, {wager: STAKE}).wagers[wager] for wager in ids}
        for subset in subsets:
            together = settle(game, deal, dict.fromkeys(subset, STAKE))
            assert together.wagers == {wager: alone[wager] for wager in subset}
            assert together.net == sum(alone[wager].net for wager in subset)
    for subset in subsets:
        table = in_deal(game, NATURAL, *(PlaceWager(HERE, ANN, wager, STAKE) for wager in subset))
        settled = event_of(after(table, AnnounceResult(HERE)), SettleRound(HERE))
        assert isinstance(settled, RoundSettled)
        assert set(settled.settlements[ANN].wagers) == set(subset)
    assert clause in (game.procedure.independent_wagers, *(wager.clause for wager in game.wagers))


@proves(by=[Hand, Deal, CardDealt], clauses=alike(MARINA_BAY_SANDS, "3.6"))
def test_two_hands_are_dealt_one_named_player_and_the_other_banker(game: Game) -> None:
    assert [hand.value for hand in Hand] == ["player", "banker"]
    table = after(ready_table(game), OpenBetting(), CloseBetting(HERE))
    for deal in every_deal(game.pack)[::17]:
        finished = after(table, *draws(deal))
        assert finished.phase is Phase.COMPLETE
        assert finished.deal == deal
        assert 2 <= len(finished.deal.player) <= 3
        assert 2 <= len(finished.deal.banker) <= 3


@proves(
    by=[Tableau.decide, DrawRule.INITIAL_DEAL, DealCard, Reason.WRONG_HAND],
    clauses={**alike(MARINA_BAY_SANDS, "3.7"), **alike(MANILA, "How to Play 3")},
)
def test_the_shoe_first_gives_four_cards_in_turn_to_player_and_banker(game: Game, clause: str) -> None:
    closed = after(ready_table(game), OpenBetting(), CloseBetting(HERE))
    for _, _, deal in initial_deals(game.pack):
        table = closed
        for place, draw in enumerate(draws(deal)):
            other = Hand.BANKER if place % 2 == 0 else Hand.PLAYER
            assert draw.hand is not other
            # Whatever the cards are worth, none is due to the other hand before its turn.
            assert refused(table, DealCard(HERE, other, draw.card)) == (Reason.WRONG_HAND, clause)
            assert refused(table, AnnounceResult(HERE)) == (Reason.CARDS_STILL_DUE, clause)
            table = after(table, draw)
        assert table.deal == deal


@proves(
    by=[Tableau.decide, CardDealt],
    clauses={**alike(MARINA_BAY_SANDS, "3.7.1", "3.7.2"), **alike(MANILA, "How to Play 3")},
)
def test_the_first_and_third_cards_are_the_players_and_the_second_and_fourth_the_bankers(game: Game) -> None:
    closed = after(ready_table(game), OpenBetting(), CloseBetting(HERE))
    for start in range(len(game.pack)):
        first, second, third, fourth = [game.pack.cards[(start + 5 * step) % len(game.pack)] for step in range(4)]
        table = closed
        for card in (first, second, third, fourth):
            hand = table.due.hand
            assert hand is not None
            table = after(table, DealCard(HERE, hand, card))
        assert table.deal.player == (first, third)
        assert table.deal.banker == (second, fourth)


@proves(
    by=[read_facts, wagers("player-pair", "banker-pair")],
    clauses={**alike(NUMBERED_ALIKE, "3.8"), **alike(MANILA, "How to Play 8")},
)
def test_the_first_four_cards_alone_decide_the_pair_wagers(game: Game) -> None:
    stakes = {"player-pair": STAKE, "banker-pair": STAKE}
    suits = list(game.pack.suits)
    starts = [
        (
            tuple(game.pack.card(rank + suit) for rank, suit in zip(player, suits, strict=False)),
            tuple(game.pack.card(rank + suit) for rank, suit in zip(banker, suits[1:], strict=False)),
        )
        for player in ("22", "A4", "TT", "A2", "7T")
        for banker in ("AA", "2T", "33", "TT", "A3")
    ]
    seen = set()
    for player, banker in starts:
        wins = player[0].rank == player[1].rank, banker[0].rank == banker[1].rank
        for deal in completions(game.pack, player, banker):
            settled = settle(game, deal, stakes).wagers
            assert (settled["player-pair"].net > 0, settled["banker-pair"].net > 0) == wins, deal
            seen.add((wins, len(deal.cards)))
    assert seen >= set(product(product((True, False), repeat=2), (5, 6)))
    # A third card that repeats a card of its hand makes no pair.
    late_pair = read_deal(game.pack, "P 2d 3d 3d | B Td Ad Ad")
    assert settle(game, late_pair, stakes).net == -2 * STAKE


@proves(
    by=[read_facts, wagers("player-pair")],
    clauses={**alike(NUMBERED_ALIKE, "3.8.1"), **alike(MANILA, "How to Play 8")},
)
def test_player_pair_wins_if_the_first_two_player_cards_are_a_pair(game: Game) -> None:
    other = natural_eight(game.pack)
    for first, second in pairs_of_cards(game.pack):
        settled = settle(game, Deal((first, second), other), {"player-pair": STAKE, "banker-pair": STAKE}).wagers
        assert settled["player-pair"].net == (11 * STAKE if first.rank == second.rank else -STAKE)
        assert settled["banker-pair"].net == -STAKE


@proves(
    by=[read_facts, wagers("banker-pair")],
    clauses={**alike(NUMBERED_ALIKE, "3.8.2"), **alike(MANILA, "How to Play 8")},
)
def test_banker_pair_wins_if_the_first_two_banker_cards_are_a_pair(game: Game) -> None:
    other = natural_eight(game.pack)
    for first, second in pairs_of_cards(game.pack):
        settled = settle(game, Deal(other, (first, second)), {"player-pair": STAKE, "banker-pair": STAKE}).wagers
        assert settled["banker-pair"].net == (11 * STAKE if first.rank == second.rank else -STAKE)
        assert settled["player-pair"].net == -STAKE
