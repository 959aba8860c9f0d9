"""Section 5, at the table; for Manila by ruling 15, which takes the section over."""

from dataclasses import replace

import pytest

from puntobanco import FIVE_ELEMENTS, STANDARD_PACK, Game, read_deal
from puntobanco.table import (
    AnnounceResult,
    CloseBetting,
    CorrectRound,
    DealCard,
    EndShoe,
    IncreaseWager,
    Irregularity,
    OpenBetting,
    OpenShoe,
    Phase,
    PlaceWager,
    Reason,
    ReduceWager,
    Round,
    RoundCorrected,
    RoundSettled,
    RoundVoided,
    SettleRound,
    Table,
    VoidRound,
    WithdrawWager,
    decide,
    evolve,
    refusal,
)
from puntobanco.tableau import Hand
from table.here import HERE, meant

from .proof import MANILA, MARINA_BAY_SANDS, alike, proves
from .tables import (
    ANN,
    BEN,
    NATURAL,
    PLAYER_WINS,
    STAKE,
    WAGERS,
    after,
    draws_of,
    event_of,
    in_deal,
    play_round,
    ready_table,
    refused,
    returned,
    stages,
)

ALL_WAGERS_BACK = {ANN: STAKE, BEN: 2 * STAKE}


AFTER_THE_NEXT_HAS_BEGUN = (Reason.NOT_THIS_ROUND, "Ruling 22")


def irregularity(number: str) -> dict[str, tuple[str, ...]]:
    """The clause in every game."""
    return {**alike(MARINA_BAY_SANDS, number), **alike(MANILA, f"Ruling 15: {number}")}


def assert_void(table: Table, kind: Irregularity, clause: str) -> Table:
    """The round is void by the clause, and all wagers of it are returned; the table after it."""
    command = VoidRound(HERE, kind, "noticed by the dealer")
    expected = RoundVoided(
        table.round_number, kind, clause, "noticed by the dealer", False, table.settings.currency, ALL_WAGERS_BACK
    )
    assert decide(table, meant(table, command)) == (expected,)
    voided = after(table, command)
    assert voided.phase is Phase.READY
    assert voided.held == 0
    finished = voided.rounds[-1]
    assert (finished.number, finished.void) == (table.round_number, kind)
    assert returned(voided) == ALL_WAGERS_BACK
    return voided


def with_cards_left(table: Table, cards: int) -> Table:
    """The table with so many cards in its shoe."""
    assert table.shoe is not None
    return replace(table, shoe=replace(table.shoe, cards=cards))


def foreign_card(game: Game) -> DealCard:
    """The first card of the deal, from the other pack."""
    other = STANDARD_PACK if game.pack is FIVE_ELEMENTS else FIVE_ELEMENTS
    return DealCard(HERE, Hand.PLAYER, other.card("9d"))


@proves(
    by=[Irregularity.FOREIGN_CARD, Reason.FOREIGN_CARD, Reason.CARD_EXHAUSTED, decide, refusal],
    clauses=irregularity("5.1"),
)
def test_a_foreign_card_is_refused_and_voids_the_round_at_any_stage(game: Game, clause: str) -> None:
    for table in stages(ready_table(game)):
        assert_void(table, Irregularity.FOREIGN_CARD, clause)
    closed = in_deal(game, "P | B", *WAGERS)
    assert refused(closed, foreign_card(game)) == (Reason.FOREIGN_CARD, clause)
    # A card of which the shoe has had all copies does not belong to its decks either.
    table = ready_table(game, decks=4)
    for _ in range(2):
        table = play_round(table, "P 8d Td | B 8d 9d")
    table = after(table, OpenBetting(), CloseBetting(HERE))
    assert refused(table, DealCard(HERE, Hand.PLAYER, game.pack.card("8d"))) == (Reason.CARD_EXHAUSTED, clause)


@proves(by=[Irregularity.EXTRA_OR_MISSING_CARD, decide], clauses={"fabulous-4": "5.1"})
def test_extra_and_missing_cards_void_the_round_too(game: Game, clause: str) -> None:
    for table in stages(ready_table(game)):
        assert_void(table, Irregularity.EXTRA_OR_MISSING_CARD, clause)


@proves(
    by=[Irregularity.EXTRA_OR_MISSING_CARD, Reason.NOT_IN_THE_RULES, refusal],
    clauses={game: clauses for game, clauses in irregularity("5.1").items() if game != "fabulous-4"},
)
def test_extra_and_missing_cards_are_not_in_the_clause_of_the_other_documents(game: Game) -> None:
    for table in stages(ready_table(game)):
        command = VoidRound(HERE, Irregularity.EXTRA_OR_MISSING_CARD)
        assert refused(table, command) == (Reason.NOT_IN_THE_RULES, None)


@proves(by=[VoidRound, RoundVoided, decide, evolve], clauses=irregularity("5.1.1"))
def test_only_the_round_in_progress_is_void_and_play_goes_on_after_it(game: Game) -> None:
    first = play_round(ready_table(game), PLAYER_WINS, *WAGERS)
    for table in stages(first, NATURAL):
        voided = assert_void(table, Irregularity.FOREIGN_CARD, game.procedure.foreign_card)
        assert voided.rounds[0] == first.rounds[0]
        # Nothing of the void round is won or lost afterwards: the next round knows only its own wagers.
        third = play_round(voided, NATURAL, PlaceWager(HERE, ANN, "banker", STAKE))
        assert returned(third) == {ANN: 0}


@proves(by=[VoidRound, RoundVoided, decide, evolve], clauses=irregularity("5.1.1"))
def test_a_void_round_pays_nothing_on_the_cards_that_would_have_won(game: Game) -> None:
    draws = draws_of(game, PLAYER_WINS)
    table = after(ready_table(game), OpenBetting(), *WAGERS, CloseBetting(HERE), *draws, AnnounceResult(HERE))
    voided = after(table, VoidRound(HERE, Irregularity.FOREIGN_CARD))
    assert refused(voided, SettleRound(HERE))[0] is Reason.NO_ROUND
    assert returned(voided) == ALL_WAGERS_BACK


@proves(by=[VoidRound, Reason.EARLIER_RESULTS_STAND, refusal], clauses=irregularity("5.1.2"))
def test_the_results_of_earlier_rounds_stand(game: Game, clause: str) -> None:
    played = play_round(play_round(ready_table(game), PLAYER_WINS, *WAGERS), NATURAL, *WAGERS)
    # A card found between two rounds changes nothing.
    for kind in Irregularity:
        if kind is not Irregularity.WRONG_NUMBER_OF_CARDS:
            assert refused(played, VoidRound(HERE, kind)) == (Reason.EARLIER_RESULTS_STAND, clause)
    # One found in the next round changes nothing of the rounds before it.
    for table in stages(played):
        voided = after(table, VoidRound(HERE, Irregularity.FOREIGN_CARD))
        assert voided.rounds[:2] == played.rounds
        assert not any(finished.void for finished in voided.rounds[:2])


@proves(by=[Irregularity.WRONG_NUMBER_OF_CARDS, Reason.NOT_THIS_ROUND, decide, refusal], clauses=irregularity("5.2"))
def test_a_wrong_number_of_cards_voids_the_round_until_the_next_begins(game: Game, clause: str) -> None:
    void = VoidRound(HERE, Irregularity.WRONG_NUMBER_OF_CARDS)
    for table in stages(ready_table(game)):
        if table.phase is not Phase.BETTING:
            assert_void(table, Irregularity.WRONG_NUMBER_OF_CARDS, clause)
    # Noticed after settlement, what was paid is taken back and what was collected is returned.
    settled = play_round(ready_table(game), PLAYER_WINS, *WAGERS)
    assert returned(settled) == {ANN: 2 * STAKE, BEN: 0}
    expected = RoundVoided(
        1, void.irregularity, clause, "", True, settled.settings.currency, {ANN: -STAKE, BEN: 2 * STAKE}
    )
    assert event_of(settled, void) == expected
    assert returned(after(settled, void)) == ALL_WAGERS_BACK
    # Neither the end of the shoe nor the opening of the next one ends the time for it: only the next round does.
    full_shoe = OpenShoe(settled.settings.full_shoe)
    for later in (after(settled, EndShoe()), after(settled, EndShoe(), full_shoe)):
        assert event_of(later, void) == expected
        assert returned(after(later, void)) == ALL_WAGERS_BACK
        assert after(later, void).shoe == later.shoe
    # Noticed after the next round has commenced, the result stands.
    for later in (settled, after(settled, EndShoe(), full_shoe)):
        assert refused(after(later, OpenBetting()), replace(void, round_number=1)) == AFTER_THE_NEXT_HAS_BEGUN


@proves(by=[CorrectRound, RoundCorrected, decide, evolve], clauses=irregularity("5.2"))
def test_a_round_whose_cards_can_be_reconstructed_is_corrected_and_stands(game: Game, clause: str) -> None:
    wrong, right = read_deal(game.pack, PLAYER_WINS), read_deal(game.pack, "P 2d 3d 4d | B Td 3d 6d")
    correction = CorrectRound(HERE, right, set_aside=game.pack.read("5d"))
    complete = in_deal(game, PLAYER_WINS, *WAGERS)
    happened = event_of(complete, correction)
    assert isinstance(happened, RoundCorrected)
    assert (happened.clause, happened.before, happened.after) == (clause, wrong, right)
    stands = after(complete, correction, AnnounceResult(HERE), SettleRound(HERE))
    assert stands.rounds[0] == Round(1, right, corrected=True)
    # The corrected deal is a tie at nine: Player and Banker are returned, and Tie wins 8 to 1.
    assert returned(stands) == {ANN: STAKE, BEN: STAKE + 9 * STAKE}
    # Noticed after settlement, the difference is made good.
    settled = after(complete, AnnounceResult(HERE), SettleRound(HERE))
    happened = event_of(settled, correction)
    assert isinstance(happened, RoundCorrected)
    assert happened.clause == clause
    assert happened.adjustments == {ANN: -STAKE, BEN: 10 * STAKE}
    corrected = after(settled, correction)
    assert (corrected.rounds[0], returned(corrected)) == (stands.rounds[0], returned(stands))
    # The last round of a shoe is corrected after that, too, and the cards of the next shoe are not touched.
    later = after(settled, EndShoe(), OpenShoe(settled.settings.full_shoe))
    assert event_of(later, correction) == happened
    assert returned(after(later, correction)) == returned(stands)
    assert after(later, correction).shoe == later.shoe
    next_round = after(settled, OpenBetting())
    assert refused(next_round, replace(correction, round_number=1)) == AFTER_THE_NEXT_HAS_BEGUN


@proves(by=[Irregularity.SIMULTANEOUS_CARDS, Reason.NO_CARDS_DEALT, decide, refusal], clauses=irregularity("5.3"))
def test_cards_of_the_initial_deal_drawn_at_once_void_the_round_until_it_is_settled(game: Game, clause: str) -> None:
    void = VoidRound(HERE, Irregularity.SIMULTANEOUS_CARDS)
    outcomes = []
    for table in stages(ready_table(game)):
        if table.phase is Phase.BETTING:
            assert refused(table, void)[0] is Reason.NO_CARDS_DEALT
        else:
            assert_void(table, Irregularity.SIMULTANEOUS_CARDS, clause)
        outcomes.append(len(table.deal.cards))
    assert outcomes == [0, 0, 1, 2, 3, 4, 5, 6, 6]
    settled = play_round(ready_table(game), PLAYER_WINS, *WAGERS)
    assert refused(settled, void)[0] is Reason.EARLIER_RESULTS_STAND


@proves(by=[Irregularity.ORDER_ALTERED, decide, evolve], clauses=irregularity("5.4"))
def test_an_altered_order_of_the_shoe_voids_the_round_whether_or_not_cards_were_exposed(
    game: Game, clause: str
) -> None:
    exposed = set()
    for table in stages(ready_table(game)):
        assert_void(table, Irregularity.ORDER_ALTERED, clause)
        exposed.add(len(table.deal.cards))
    assert exposed == set(range(7))


@proves(by=[Irregularity.INSUFFICIENT_CARDS, Reason.CARD_EXHAUSTED, decide, refusal], clauses=irregularity("5.5"))
def test_a_round_that_the_shoe_cannot_complete_is_void(game: Game, clause: str) -> None:
    short_of_a_card = 0
    for table in stages(ready_table(game)):
        if table.phase is not Phase.DEALING:
            continue
        empty = with_cards_left(table, 0)
        hand = empty.due.hand
        assert hand is not None
        assert refused(empty, DealCard(HERE, hand, game.pack.card("5d"))) == (Reason.CARD_EXHAUSTED, clause)
        voided = assert_void(empty, Irregularity.INSUFFICIENT_CARDS, clause)
        # The shoe is at its end: no other round is begun with it, and a new one is opened.
        assert refused(voided, OpenBetting())[0] is Reason.SHOE_FINISHED
        assert refusal(voided, OpenShoe(voided.settings.full_shoe)) is None
        short_of_a_card += 1
    assert short_of_a_card == 6
    complete = in_deal(game, PLAYER_WINS, *WAGERS)
    assert refused(complete, VoidRound(HERE, Irregularity.INSUFFICIENT_CARDS)) == (Reason.NO_CARD_DUE, clause)


@proves(by=[Table.shoe_finished, Reason.INSUFFICIENT_CARDS, refusal], clauses=irregularity("5.5"))
def test_no_round_is_begun_with_fewer_cards_than_it_may_take(game: Game, clause: str) -> None:
    table = ready_table(game, decks=4, cut_depth=0)
    order = iter(table.settings.full_shoe.pack.cards * 4)
    left = []
    while refusal(table, OpenBetting()) is None:
        left.append(table.cards_in_shoe)
        table = after(table, OpenBetting(), CloseBetting(HERE))
        while (hand := table.due.hand) is not None:
            table = after(table, DealCard(HERE, hand, next(order)))
        table = after(table, AnnounceResult(HERE), SettleRound(HERE))
    assert min(left) >= 6 > table.cards_in_shoe
    assert refused(table, OpenBetting()) == (Reason.INSUFFICIENT_CARDS, clause)
    assert refusal(with_cards_left(table, 6), OpenBetting()) is None
    assert refused(with_cards_left(table, 5), OpenBetting()) == (Reason.INSUFFICIENT_CARDS, clause)


def stages_after_the_close(game: Game) -> list[Table]:
    found = [table for table in stages(ready_table(game)) if table.phase is not Phase.BETTING]
    assert {table.phase for table in found} == {Phase.DEALING, Phase.COMPLETE, Phase.ANNOUNCED}
    return found


@proves(by=[Reason.LATE_WAGER, Reason.LATE_INCREASE, PlaceWager, IncreaseWager, refusal], clauses=irregularity("5.6"))
def test_no_wager_is_placed_or_increased_after_no_more_bets(game: Game, clause: str) -> None:
    for table in stages_after_the_close(game):
        for wager in game.paytables:
            late = PlaceWager(HERE, "Cleo", wager, STAKE)
            assert refused(table, late) == (Reason.LATE_WAGER, clause)
        for late_increase in (IncreaseWager(HERE, ANN, "player", STAKE), PlaceWager(HERE, ANN, "player", 2 * STAKE)):
            assert refused(table, late_increase) == (Reason.LATE_INCREASE, clause)
        # What was placed in time stands, and no more than that.
        assert table.stakes == {ANN: {"player": STAKE}, BEN: {"banker": STAKE, "tie": STAKE}}
    settled = event_of(table, SettleRound(HERE))
    assert isinstance(settled, RoundSettled)
    assert {patron: settlement.net for patron, settlement in settled.settlements.items()} == {
        ANN: STAKE,
        BEN: -2 * STAKE,
    }


@proves(by=[Reason.LATE_WITHDRAWAL, WithdrawWager, ReduceWager, refusal], clauses=irregularity("5.7"))
def test_no_wager_is_withdrawn_after_no_more_bets_and_it_is_won_or_lost_on_the_result(game: Game, clause: str) -> None:
    for table in stages_after_the_close(game):
        for patron, wager in ((ANN, "player"), (BEN, "banker"), (BEN, "tie")):
            assert refused(table, WithdrawWager(HERE, patron, wager)) == (Reason.LATE_WITHDRAWAL, clause)
            assert refused(table, ReduceWager(HERE, patron, wager, STAKE // 2)) == (Reason.LATE_WITHDRAWAL, clause)
    assert returned(after(table, SettleRound(HERE))) == {ANN: 2 * STAKE, BEN: 0}


@proves(by=[WithdrawWager, ReduceWager], clauses=irregularity("5.7"))
@pytest.mark.parametrize("stage", ["before the close", "in the next round"])
def test_a_wager_is_withdrawn_freely_while_betting_is_open(game: Game, stage: str) -> None:
    table = ready_table(game)
    if stage == "in the next round":
        table = play_round(table, NATURAL, *WAGERS)
    table = after(table, OpenBetting(), *WAGERS, WithdrawWager(HERE, ANN, "player"))
    assert table.stakes == {BEN: {"banker": STAKE, "tie": STAKE}}
