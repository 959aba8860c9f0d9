"""Commands that no honest program sends: the table refuses them, and raises nothing else."""

from typing import cast

import pytest

from puntobanco import STANDARD_PACK, Card, Deal, Shoe, find_game
from puntobanco.errors import DeclarationError
from puntobanco.table import (
    BurnAndCut,
    BurnCards,
    BurnRule,
    Command,
    CorrectRound,
    DealCard,
    IncreaseWager,
    Irregularity,
    OpenShoe,
    PlaceWager,
    Reason,
    ReduceWager,
    Refusal,
    StakeChanged,
    TableSettings,
    VoidRound,
    WithdrawWager,
)
from puntobanco.tableau import Hand
from table.case_files import tell
from table.here import HERE
from table.watched import WatchedTable


def betting_table(*lines: str) -> WatchedTable:
    """A table with betting open, 2000 of anna's on Player, and whatever else the lines do."""
    watched = WatchedTable(TableSettings(find_game("manila"), decks=4, burn_and_cut=BurnAndCut(BurnRule.OFF)))
    tell(watched, "shoe full", "open betting", "place anna player 2000", *lines)
    return watched


def reason_for(watched: WatchedTable, command: Command) -> Reason | None:
    outcome = watched.carry_out(command)
    return outcome.reason if isinstance(outcome, Refusal) else None


@pytest.mark.parametrize("stake", [True, 2000.0, "2000", None, 0, -2000, 10**12 + 1, 10**30, float("nan"), b"1"])
def test_a_stake_is_a_whole_number(stake: int) -> None:
    watched = betting_table()
    assert reason_for(watched, PlaceWager(HERE, "anna", "tie", stake)) is Reason.BAD_STAKE
    assert reason_for(watched, IncreaseWager(HERE, "anna", "player", stake)) is Reason.BAD_STAKE
    assert reason_for(watched, ReduceWager(HERE, "anna", "player", stake)) is Reason.BAD_STAKE
    assert watched.table.held == 2000


@pytest.mark.parametrize("stake", [10**5000, -(10**5000)], ids=["huge", "minus huge"])
def test_a_stake_of_thousands_of_digits(stake: int) -> None:
    assert reason_for(betting_table(), PlaceWager(HERE, "anna", "tie", stake)) is Reason.BAD_STAKE


@pytest.mark.parametrize(
    "patron",
    ["", " ", "\t", "anna\n", "an\x00na", "\x1b[31manna", "\u202eanna", "\u200b", "\ud800", "x" * 65, None, 7, b"anna"],
    ids=ascii,
)
def test_a_patron_has_a_printable_name(patron: str) -> None:
    watched = betting_table()
    for command in (
        PlaceWager(HERE, patron, "tie", 2000),
        IncreaseWager(HERE, patron, "player", 2000),
        ReduceWager(HERE, patron, "player", 20),
        WithdrawWager(HERE, patron, "player"),
    ):
        assert reason_for(watched, command) is Reason.BAD_PATRON


@pytest.mark.parametrize("patron", ["Ånna", "安娜", "O'Hara", "x" * 64, "🂡"])
def test_names_of_all_scripts(patron: str) -> None:
    watched = betting_table()
    assert reason_for(watched, PlaceWager(HERE, patron, "tie", 2000)) is None
    assert isinstance(watched.events[-1], StakeChanged)
    assert watched.events[-1].patron == patron


@pytest.mark.parametrize(
    "wager", ["", "PLAYER", "player ", "player\n", "\x1b[31m", "\ud800", "x" * 10**6], ids=lambda text: ascii(text[:9])
)
def test_an_unknown_wager_is_told_in_one_short_printable_sentence(wager: str) -> None:
    outcome = betting_table().carry_out(PlaceWager(HERE, "anna", wager, 2000))
    assert isinstance(outcome, Refusal)
    assert outcome.reason is Reason.UNKNOWN_WAGER
    assert outcome.message.isprintable()
    assert len(outcome.message) < 300


@pytest.mark.parametrize("wager", [None, 7], ids=repr)
def test_a_wager_that_is_not_text(wager: str) -> None:
    assert reason_for(betting_table(), PlaceWager(HERE, "anna", wager, 2000)) is Reason.UNKNOWN_WAGER


def test_a_late_wager_that_is_not_text() -> None:
    watched = betting_table("close betting")
    assert reason_for(watched, PlaceWager(HERE, "anna", cast(str, 7), 2000)) is Reason.LATE_WAGER


def test_a_patron_that_cannot_be_looked_up() -> None:
    assert reason_for(betting_table(), PlaceWager(HERE, cast(str, ["anna"]), "tie", 2000)) is Reason.BAD_PATRON


def test_a_currency_that_is_not_text() -> None:
    assert reason_for(betting_table(), PlaceWager(HERE, "anna", "tie", 2000, cast(str, 7))) is Reason.WRONG_CURRENCY


def test_a_currency_with_control_characters() -> None:
    outcome = betting_table().carry_out(PlaceWager(HERE, "anna", "tie", 2000, "\x1b[31m"))
    assert isinstance(outcome, Refusal)
    assert outcome.message.isprintable()


def test_a_late_wager_with_control_characters() -> None:
    outcome = betting_table("close betting").carry_out(PlaceWager(HERE, "anna", "\x1b[31m", 2000))
    assert isinstance(outcome, Refusal)
    assert outcome.message.isprintable()


def burn_table() -> WatchedTable:
    watched = WatchedTable(TableSettings(find_game("manila"), decks=4))
    watched.carry_out(OpenShoe(watched.settings.full_shoe))
    return watched


def test_a_burn_of_less_than_nothing() -> None:
    ace, four = STANDARD_PACK.read("Ah 4h")
    assert reason_for(burn_table(), BurnCards((ace, four, four), -1)) is Reason.WRONG_BURN
    assert reason_for(burn_table(), BurnCards((), 3)) is Reason.WRONG_BURN


def test_commands_about_something_else_do_not_construct() -> None:
    (ace,) = STANDARD_PACK.read("Ah")
    for face_down in (1.0, "1", None):
        with pytest.raises(DeclarationError, match="whole numbers"):
            BurnCards((ace,), cast(int, face_down))
    for build in (
        lambda: DealCard(HERE, Hand.BANKER, cast(Card, "9h")),
        lambda: CorrectRound(HERE, Deal((cast(Card, "8h"),))),
        lambda: CorrectRound(HERE, Deal(), (cast(Card, "8h"),)),
        lambda: BurnCards((cast(Card, "8h"),)),
    ):
        with pytest.raises(DeclarationError, match="is not a card"):
            build()
    with pytest.raises(ValueError, match="bad weather"):
        VoidRound(HERE, cast(Irregularity, "bad weather"))
    with pytest.raises(ValueError, match="dealer"):
        DealCard(HERE, cast(Hand, "dealer"), ace)


def test_the_text_of_a_hand_and_of_an_irregularity_serve_as_well() -> None:
    (ace,) = STANDARD_PACK.read("Ah")
    assert DealCard(HERE, cast(Hand, "player"), ace).hand is Hand.PLAYER
    assert VoidRound(HERE, cast(Irregularity, "foreign-card")).irregularity is Irregularity.FOREIGN_CARD


def test_a_shoe_of_another_pack_is_refused_whatever_its_size() -> None:
    watched = WatchedTable(TableSettings(find_game("manila"), decks=4))
    other = find_game("six-star").pack
    for decks in (1, 4, 32):
        assert reason_for(watched, OpenShoe(Shoe.full(other, decks))) is Reason.WRONG_COMPOSITION


def test_a_wrong_count_names_a_few_differences_only() -> None:
    watched = WatchedTable(TableSettings(find_game("manila"), decks=4))
    outcome = watched.carry_out(OpenShoe(Shoe.full(STANDARD_PACK, 32)))
    assert isinstance(outcome, Refusal)
    assert "28 extra Ac" in outcome.message
    assert "47 other differences" in outcome.message
    assert len(outcome.message) < 300
