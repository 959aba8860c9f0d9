"""What a table keeps of its rounds, beyond what the lines of a case file can say."""

from puntobanco import STANDARD_PACK, find_game
from puntobanco.table import BettingOpened, BurnAndCut, BurnRule, DealCard, Reason, Refusal, TableSettings
from puntobanco.tableau import Hand
from table.case_files import tell
from table.here import HERE
from table.notation import read_command
from table.watched import WatchedTable


def new_table(cut_depth: int = 14) -> WatchedTable:
    """A table with a full shoe and no burn."""
    settings = TableSettings(find_game("manila"), decks=4, burn_and_cut=BurnAndCut(BurnRule.OFF, cut_depth))
    watched = WatchedTable(settings)
    tell(watched, "shoe full")
    return watched


def test_the_rules_of_a_round_are_named_when_it_opens() -> None:
    watched = new_table()
    tell(watched, "open betting")
    assert watched.events[-1] == BettingOpened(1, find_game("manila").digest)


def test_a_foreign_card_comes_before_an_empty_shoe() -> None:
    """Reasons are given in the order in which they are declared."""
    watched = new_table(cut_depth=0)
    watched.play_down_to(6, STANDARD_PACK.read("2h 3h Kc 5d 4s 9h"))
    tell(watched, "open betting", "close betting", "deal P 2h", "correct P 2h | B aside 3h Kc 5d 4s 9h")
    assert watched.table.cards_in_shoe == 0
    outcome = watched.carry_out(DealCard(HERE, Hand.BANKER, find_game("six-star").pack.card("Sf")))
    assert isinstance(outcome, Refusal)
    assert outcome.reason is Reason.FOREIGN_CARD


def test_cards_set_aside_are_counted() -> None:
    watched = new_table()
    tell(watched, "open betting", "close betting", "deal P 9h", "correct P 9h | B aside 4c 5c")
    assert watched.table.shoe is not None
    assert watched.table.shoe.set_aside == tuple(STANDARD_PACK.read("4c 5c"))


def test_a_card_set_aside_in_error_is_taken_up() -> None:
    watched = new_table()
    tell(watched, "open betting", "close betting", "deal P 9d 9d | B 9d 2c", "announce", "settle")
    tell(watched, "open betting", "close betting", "deal P 2h 4h | B Kc 5d", "correct P 2h 4h | B Kc 5d aside 9d")
    (back,) = read_command(watched.settings, "correct P 2h 4h | B Kc 5d 9d up 9d")
    assert not isinstance(watched.carry_out(back), Refusal)
    assert watched.table.cards_in_shoe == 208 - 4 - 5


def test_a_round_that_was_corrected_before_settlement_says_so() -> None:
    watched = new_table()
    tell(watched, "open betting", "close betting", "deal P 9h Kh | B 2c 4c", "correct P 8h Kh | B 2c 4c")
    tell(watched, "announce", "settle")
    assert watched.table.rounds[-1].corrected
