"""What a table keeps of its rounds, beyond what the lines of a case file can say."""

from dataclasses import fields, replace

import pytest

from puntobanco import STANDARD_PACK, find_game
from puntobanco.table import (
    Account,
    BettingOpened,
    BurnAndCut,
    BurnRule,
    ChangeSettings,
    CutCardAppeared,
    DealCard,
    Dealing,
    Limits,
    Reason,
    Refusal,
    RoundLimits,
    SetCardsAside,
    TableSettings,
    refusal,
)
from puntobanco.table.settings import OVERRIDES
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
    assert watched.events[-1] == BettingOpened(1, find_game("manila").digest, watched.table.settings.digest)


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


def test_a_card_whose_count_is_corrected_stays_in_its_place() -> None:
    """The cards that were set aside lie in the order in which they left the shoe."""
    watched = new_table()
    tell(watched, "aside 4c 5c 6c", "count outside 4c was 4d")
    assert watched.table.shoe is not None
    assert watched.table.shoe.set_aside == tuple(STANDARD_PACK.read("4d 5c 6c"))


@pytest.mark.parametrize("field", [field.name for field in fields(TableSettings)])
def test_only_limits_change_while_a_shoe_is_in_play(field: str) -> None:
    """Each field by itself: one that were forgotten could change under the patrons of a shoe."""
    others: dict[str, object] = {
        "game": find_game("manila").read_as(rounding="up"),
        "decks": 6,
        "limits": {"tie": Limits(5, 50, 5)},
        "round_limits": RoundLimits(table=1000),
        "account": Account.CASH,
        "currency": find_game("manila").currencies[-1],
        "burn_and_cut": BurnAndCut(BurnRule.OFF, 15),
        "dealing": Dealing.VIRTUAL,
        "overrides": OVERRIDES,
    }
    watched = new_table()
    changed = replace(watched.settings, **{field: others[field]})  # type: ignore[arg-type]
    assert changed != watched.settings
    refused = refusal(watched.table, ChangeSettings(changed))
    if field in ("limits", "round_limits"):
        assert refused is None
    else:
        assert refused is not None
        assert refused.reason is Reason.SHOE_IN_PLAY


def test_the_burn_can_turn_up_the_cut_card() -> None:
    """Only after many cards were set aside, but then the shoe must not go on as if it had not."""
    watched = WatchedTable(TableSettings(find_game("manila"), decks=4, burn_and_cut=BurnAndCut(cut_depth=104)))
    tell(watched, "shoe full")
    watched.carry_out(SetCardsAside(STANDARD_PACK.cards[:48] * 2))
    assert watched.table.cards_in_shoe == 112
    tell(watched, "burn 9h" + " xx" * 9)
    assert watched.events[-1] == CutCardAppeared()
    assert watched.table.rounds_left == 1
