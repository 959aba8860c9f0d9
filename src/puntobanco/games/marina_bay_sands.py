"""What the four Marina Bay Sands documents number alike."""

from puntobanco.rules import Procedure

MARINA_BAY_SANDS = Procedure(
    decks="2.1",
    betting_opens="3.1",
    betting_closes="3.2",
    independent_wagers="3.5",
    initial_deal="3.7",
    natural="3.9.1",
    player_draws="3.9.2",
    player_stood="3.9.3",
    banker_draws="3.9.4",
    winner="3.10",
    tie="3.10.1",
    foreign_card="5.1",
    extra_or_missing_card=None,
    earlier_results_stand="5.1.2",
    wrong_number_of_cards="5.2",
    simultaneous_cards="5.3",
    order_altered="5.4",
    insufficient_cards="5.5",
    late_wager="5.6",
    late_withdrawal="5.7",
)

EVEN_MONEY_BANKER = (
    "at even money without commission the Banker favours the bettor by about 1.24%, "
    "which is right only for tournament chips without value"
)
