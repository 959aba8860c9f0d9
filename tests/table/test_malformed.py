"""Commands that no honest program sends: the table refuses them, and raises nothing else."""

from collections.abc import Callable
from typing import Any, cast, get_args

import pytest

from puntobanco import STANDARD_PACK, Card, Deal, Shoe, find_game, read_deal, settle
from puntobanco.errors import DeclarationError, InputError
from puntobanco.table import (
    AnnouncementWithdrawn,
    BettingClosed,
    BettingOpened,
    BurnAndCut,
    BurnCards,
    BurnRule,
    CardDealt,
    CardsBurned,
    CardsSetAside,
    CardTakenBack,
    ChangeSettings,
    CloseBetting,
    Command,
    CorrectCount,
    CorrectRound,
    CountCorrected,
    DealCard,
    EndShoe,
    Event,
    ImpossibleEvent,
    IncreaseWager,
    Irregularity,
    OpenShoe,
    OpenTable,
    PauseTable,
    PlaceWager,
    Reason,
    ReduceWager,
    Refusal,
    Refused,
    RoundCorrected,
    RoundSettled,
    RoundVoided,
    SetCardsAside,
    ShoeOpened,
    StakeChanged,
    Table,
    TableOpened,
    TableSettings,
    VoidRound,
    WithdrawAnnouncement,
    WithdrawWager,
    decide,
    evolve,
    refusal,
    replay,
)
from puntobanco.table.commands import NOTE_LIMIT
from puntobanco.table.evolve import FOLDS
from puntobanco.table.refusals import CHECKS
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


@pytest.mark.parametrize("currency", [7, 0, ""], ids=repr)
def test_a_currency_that_is_none(currency: str) -> None:
    """Only where no currency is named is that of the table meant."""
    assert reason_for(betting_table(), PlaceWager(HERE, "anna", "tie", 2000, currency)) is Reason.WRONG_CURRENCY


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
    for face_down in (1.0, "1", None, True):
        with pytest.raises(DeclarationError, match="whole numbers"):
            BurnCards((ace,), cast(int, face_down))
    for build in (
        lambda: DealCard(HERE, Hand.BANKER, cast(Card, "9h")),
        lambda: CorrectRound(HERE, Deal((cast(Card, "8h"),))),
        lambda: CorrectRound(HERE, Deal((), (cast(Card, "8h"),))),
        lambda: CorrectRound(HERE, Deal(), (cast(Card, "8h"),)),
        lambda: CorrectCount(HERE, ace, cast(Card, "8h")),
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


def test_a_list_of_cards_serves_as_well() -> None:
    """A command is a value: what was read as a list is kept as a tuple, which nobody changes afterwards."""
    cards = STANDARD_PACK.read("Ah 4h")
    given = cast(tuple[Card, ...], list(cards))
    assert BurnCards(given).shown == cards
    assert SetCardsAside(given).cards == cards
    assert CorrectRound(HERE, Deal(), given, given) == CorrectRound(HERE, Deal(), cards, cards)


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


@pytest.mark.parametrize(
    "thing", [None, "deal", 7, object(), OpenShoe, {"do": "deal"}, StakeChanged(1, "a", "tie", 0, 1)]
)
def test_what_is_no_command_is_a_mistake_of_the_program(thing: object) -> None:
    for table in (betting_table().table, None):
        for ask in (refusal, decide):
            with pytest.raises(DeclarationError, match="not a command"):
                ask(table, cast(Command, thing))


@pytest.mark.parametrize("thing", [None, "deal", 7, StakeChanged, PlaceWager(1, "anna", "tie", 20)])
def test_what_is_no_event_is_a_mistake_of_the_program(thing: object) -> None:
    for table in (betting_table().table, None):
        with pytest.raises(DeclarationError, match="not an event"):
            evolve(table, cast(Event, thing))


@pytest.mark.parametrize("wager", [["tie"], {"tie": 1}, {"tie"}, ("tie",), b"tie", 1.5], ids=repr)
def test_a_wager_that_cannot_be_looked_up(wager: object) -> None:
    for build in (
        lambda: PlaceWager(HERE, "anna", cast(str, wager), 2000),
        lambda: IncreaseWager(HERE, "anna", cast(str, wager), 2000),
        lambda: ReduceWager(HERE, "anna", cast(str, wager), 2000),
        lambda: WithdrawWager(HERE, "anna", cast(str, wager)),
    ):
        assert reason_for(betting_table(), build()) is Reason.UNKNOWN_WAGER
        late = reason_for(betting_table("close betting"), build())
        assert late in (Reason.LATE_WAGER, Reason.LATE_INCREASE, Reason.LATE_WITHDRAWAL)


@pytest.mark.parametrize("number", [None, "1", 1.0, True, [1], -1, 0, 10**30, float("nan")], ids=repr)
def test_a_round_that_is_no_number_is_another_round(number: object) -> None:
    watched = betting_table()
    for build in (
        lambda: PlaceWager(cast(int, number), "anna", "tie", 2000),
        lambda: CloseBetting(cast(int, number)),
        lambda: VoidRound(cast(int, number), Irregularity.FOREIGN_CARD),
        lambda: CorrectRound(cast(int, number), Deal()),
        lambda: DealCard(cast(int, number), Hand.PLAYER, STANDARD_PACK.card("9h")),
    ):
        command = build()
        outcome = refusal(watched.table, command)
        assert outcome is not None
        assert outcome.reason is Reason.NOT_THIS_ROUND
        assert outcome.message.isprintable()


@pytest.mark.parametrize(
    "note", ["\x1b[31m", "a\nb", "\x00", "\u202e", "\ud800", "x" * 501, None, 7, b"x", ["x"]], ids=ascii
)
def test_a_note_is_one_printable_line(note: str) -> None:
    builds: tuple[Callable[[], object], ...] = (
        lambda: VoidRound(1, Irregularity.FOREIGN_CARD, note),
        lambda: CorrectRound(1, Deal(), note=note),
        lambda: SetCardsAside((), note),
        lambda: CorrectCount(1, STANDARD_PACK.card("9h"), None, None, note),
        lambda: WithdrawAnnouncement(1, note),
        lambda: EndShoe(note),
        lambda: PauseTable(note),
    )
    for build in builds:
        with pytest.raises(InputError, match="printable"):
            build()


def test_a_note_is_as_long_as_the_limit_says() -> None:
    assert EndShoe("x" * NOTE_LIMIT).note == "x" * 500


@pytest.mark.parametrize("reason", ["", " "])
def test_a_pause_has_a_reason(reason: str) -> None:
    with pytest.raises(InputError, match="Say why"):
        PauseTable(reason)


@pytest.mark.parametrize("thing", [None, 7, "9h", ["9h"]], ids=repr)
def test_other_things_in_place_of_values(thing: Any) -> None:
    """A `ValueError` at construction, never a `TypeError` or an `AttributeError` later."""
    builds: tuple[Callable[[], object], ...] = (
        lambda: OpenTable(thing),
        lambda: ChangeSettings(thing),
        lambda: OpenShoe(thing),
        lambda: BurnCards(thing),
        lambda: DealCard(1, Hand.PLAYER, thing),
        lambda: DealCard(1, thing, STANDARD_PACK.card("9h")),
        lambda: CorrectRound(1, thing),
        lambda: CorrectRound(1, Deal(thing)),
        lambda: CorrectRound(1, Deal(), thing),
        lambda: CorrectRound(1, Deal(), (), thing),
        lambda: SetCardsAside(thing),
        lambda: CorrectCount(1, thing, None),
        lambda: CorrectCount(None, STANDARD_PACK.card("9h"), None, "3"),  # type: ignore[arg-type]
        lambda: VoidRound(1, thing),
    )
    for build in builds:
        with pytest.raises(ValueError, match=r".+"):
            build()


def test_every_kind_is_handled() -> None:
    """A command without checks, or an event that is not folded, fails here and not at a table."""
    assert set(CHECKS) == set(get_args(Command))
    assert set(FOLDS) == set(get_args(Event))


def test_a_table_is_opened_once() -> None:
    settings = TableSettings(find_game("manila"))
    (opened,) = decide(None, OpenTable(settings))
    assert opened == TableOpened(settings)
    table = evolve(None, opened)
    assert table == Table(settings)
    outcome = refusal(None, CloseBetting(1))
    assert outcome is not None
    assert outcome.reason is Reason.NO_TABLE
    with pytest.raises(Refused):
        decide(None, CloseBetting(1))
    for event in (opened, TableOpened(TableSettings(find_game("six-star")))):
        with pytest.raises(ImpossibleEvent, match="open already"):
            evolve(table, event)
    with pytest.raises(ImpossibleEvent, match="first event"):
        evolve(None, BettingClosed(1))
    with pytest.raises(ImpossibleEvent, match="no event"):
        replay(None, [])


def one_card_exchanged(shoe: Shoe) -> Shoe:
    """As many cards as before, but not the same."""
    ace, four = STANDARD_PACK.read("Ah 4h")
    return shoe.with_cards((ace,)).without((four,))


def test_events_of_another_table_are_not_folded() -> None:
    """Ruling 18, and what cannot be this table's at all."""
    table = betting_table().table
    with pytest.raises(ImpossibleEvent, match="was opened under the rules"):
        evolve(table, BettingOpened(2, find_game("six-star").digest, table.settings.digest))
    with pytest.raises(ImpossibleEvent, match="other settings"):
        evolve(table, BettingOpened(2, table.settings.game.digest, TableSettings(table.settings.game, decks=5).digest))
    with pytest.raises(ImpossibleEvent, match="is not opened at a table of"):
        evolve(table, ShoeOpened(2, Shoe.full(find_game("six-star").pack, 8)))
    with pytest.raises(ImpossibleEvent, match="with 4 decks"):
        evolve(table, ShoeOpened(2, Shoe.full(STANDARD_PACK, 6)))
    with pytest.raises(ImpossibleEvent, match="A shoe of 208 cards"):
        evolve(table, ShoeOpened(2, one_card_exchanged(table.settings.full_shoe)))
    with pytest.raises(ImpossibleEvent, match="does not belong"):
        evolve(table, CardDealt(1, Hand.PLAYER, find_game("six-star").pack.card("Sf")))
    with pytest.raises(ImpossibleEvent, match="No shoe"):
        evolve(Table(table.settings), CardDealt(1, Hand.PLAYER, STANDARD_PACK.card("9h")))
    with pytest.raises(ImpossibleEvent, match="can still be changed"):
        evolve(Table(table.settings), RoundVoided(1, Irregularity.FOREIGN_CARD, "5.1", "", True, "PHP", {}))


@pytest.mark.parametrize(
    "event",
    [
        StakeChanged(1, "nobody", "tie", 20, 0),
        CardTakenBack(1, Hand.PLAYER, STANDARD_PACK.card("9h")),
        CountCorrected(1, STANDARD_PACK.card("9h"), None, None, ""),
        CountCorrected(None, STANDARD_PACK.card("9h"), None, None, ""),
        RoundCorrected(1, "5.2", Deal(), Deal(), (), STANDARD_PACK.read("9h"), "", None, "PHP", {}),
        CardDealt(1, Hand.PLAYER, cast(Card, "9h")),
    ],
    ids=lambda event: type(event).__name__,
)
def test_an_event_that_cannot_be_folded_is_a_fault_by_its_name(event: Event) -> None:
    with pytest.raises(ImpossibleEvent):
        evolve(betting_table("close betting").table, event)


def test_a_third_card_after_a_natural_is_a_fault() -> None:
    natural = betting_table("close betting", "deal P 9h Kh | B 9c Kc").table
    with pytest.raises(ImpossibleEvent):
        evolve(evolve(natural, CardDealt(1, Hand.PLAYER, STANDARD_PACK.card("2h"))), AnnouncementWithdrawn(1, ""))


@pytest.mark.parametrize(
    "setting",
    [
        {"game": "manila"},
        {"limits": None},
        {"round_limits": 5},
        {"round_limits": None},
        {"currency": 5},
        {"burn_and_cut": None},
        {"overrides": ["even-money-banker"]},
    ],
    ids=str,
)
def test_settings_of_another_kind(setting: dict[str, Any]) -> None:
    with pytest.raises(DeclarationError, match="The setting"):
        TableSettings(**{"game": find_game("manila"), **setting})


def test_sequences_in_events_are_kept_as_they_were() -> None:
    cards = [STANDARD_PACK.card("9h")]
    for event in (CardsBurned(cast(tuple[Card, ...], cards), 9), CardsSetAside(cast(tuple[Card, ...], cards), "")):
        assert evolve(burn_table().table, event)
    kept = CardsSetAside(cast(tuple[Card, ...], cards), "")
    cards.append(STANDARD_PACK.card("8h"))
    assert kept.cards == tuple(STANDARD_PACK.read("9h"))


def test_nobody_can_change_what_is_in_an_event_or_a_state() -> None:
    watched = betting_table("close betting", "deal P 9h Kh | B 2c 4c", "announce", "settle")
    settled = watched.events[-1]
    assert isinstance(settled, RoundSettled)
    refunds = {"anna": 5}
    voided = RoundVoided(1, Irregularity.FOREIGN_CARD, "5.1", "", False, "PHP", refunds)
    refunds["anna"] = 6
    assert voided.refunds == {"anna": 5}
    for mapping in (
        settled.settlements,
        settled.settlements["anna"].wagers,
        voided.refunds,
        watched.settings.limits,
        betting_table().table.spots,
        betting_table().table.slip("anna"),
        settle(find_game("manila"), read_deal(STANDARD_PACK, "P 9h Kh | B 2c 4c"), {"player": 20}).wagers,
    ):
        with pytest.raises(TypeError):
            cast(dict[str, object], mapping)["anna"] = 5
    assert not hasattr(betting_table().table.stakes, "__setitem__")


def test_lists_of_cards_and_counts_become_tuples() -> None:
    """What a caller keeps cannot change a command, and a shoe is equal to itself however it was counted."""
    nine, two = STANDARD_PACK.read("9h 2h")
    hands = [nine], [two]
    command = CorrectRound(1, Deal(*hands))  # type: ignore[arg-type]
    hands[0].clear()
    assert command.deal == Deal((nine,), (two,))
    assert Shoe(STANDARD_PACK, [4] * 52) == Shoe.full(STANDARD_PACK, 4)  # type: ignore[arg-type]


@pytest.mark.parametrize("change", [{"decks": 5}, {"currency": "HKD"}, {"dealing": "virtual"}, {"account": "cash"}])
def test_settings_have_a_digest_of_their_own(change: dict[str, Any]) -> None:
    game = find_game("manila")
    assert TableSettings(game, **change).digest != TableSettings(game).digest
    assert TableSettings(game).digest == TableSettings(game).digest


def test_the_rules_of_a_table_cannot_be_changed_by_whoever_holds_them() -> None:
    game: Any = betting_table().table.settings.game
    for held in (game.paytables, game.paytables["tie"].values_named, game.tableau.banker_draws):
        with pytest.raises(TypeError):
            held.clear()


def test_a_number_of_decks_that_only_looks_like_the_usual_one_is_refused() -> None:
    with pytest.raises(DeclarationError):
        TableSettings(find_game("manila"), decks=-1.0)  # type: ignore[arg-type]
