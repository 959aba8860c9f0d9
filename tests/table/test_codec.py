"""The text form of commands, events and settings: it reads back equal, refuses what is not known, and stays as it is.

The golden files hold the form of this version. To make them anew after a change that is meant (and that raises the
version, or only adds): UPDATE_GOLDEN=1 scripts/test tests/table/test_codec.py
"""

import json
import os
import random
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, cast, get_args

import pytest

from contract.games import EVERY_GAME
from puntobanco import FIVE_ELEMENTS, STANDARD_PACK, Deal, Fault, Game, InputError, Shoe, find_game, settle
from puntobanco.rules import BANKER_WINS, pays
from puntobanco.rules.facts import Winner
from puntobanco.settle import Settlement
from puntobanco.table import (
    Account,
    AnnounceResult,
    BurnAndCut,
    BurnRule,
    ChangeSettings,
    CloseBetting,
    Command,
    DealCard,
    Dealing,
    EndShoe,
    Event,
    Irregularity,
    Limits,
    OpenBetting,
    OpenShoe,
    OpenTable,
    PlaceWager,
    Refusal,
    RoundLimits,
    RoundSettled,
    SettingsChanged,
    SettleRound,
    TableOpened,
    TableSettings,
    commands,
    events,
    replay,
)
from puntobanco.table.codec import COMMANDS, EVENTS, Codec, form_of, read_record, write_record
from puntobanco.tableau import Hand
from table.here import HERE, meant
from table.wandering import Choice, Wanderer
from table.watched import WatchedTable

GOLDEN = Path(__file__).parent / "golden"
NAMES = ("manila", "six-star", "ez-baccarat")


@lru_cache
def wandered(name: str) -> tuple[tuple[Command, ...], tuple[Event, ...]]:
    """Commands of all kinds, sense and nonsense, and the events that came of them."""
    game = find_game(name, EVERY_GAME)
    limits = dict.fromkeys(game.paytables, Limits(20, 200, 10))
    watched = WatchedTable(TableSettings(game, decks=game.decks.minimum, limits=limits))
    generator = random.Random(name)

    def choose(options: Sequence[Choice], /) -> Choice:
        return options[int(generator.random() * len(options))]

    wanderer, asked = Wanderer(watched.books, choose), list[Command]()
    for _ in range(2500):
        asked.append(meant(watched.table, wanderer.next_command()))
        watched.carry_out(asked[-1])
    return tuple(asked), (watched.opening, *watched.events)


def compact(value: object) -> str:
    """JSON as the codec writes it."""
    return json.dumps(value, separators=(",", ":"))


def codec(game: Game) -> Codec:
    return Codec(game.pack, EVERY_GAME)


@pytest.mark.parametrize("name", NAMES)
def test_commands_read_back_equal(name: str) -> None:
    asked, _ = wandered(name)
    form = codec(find_game(name, EVERY_GAME))
    for command in asked:
        text = form.write_command(command)
        assert form.read_command(text) == command
        assert form.write_command(form.read_command(text)) == text
    assert {type(command) for command in asked} == set(get_args(Command))


@pytest.mark.parametrize("name", NAMES)
def test_a_record_reads_back_equal_and_makes_the_same_table(name: str) -> None:
    _, happened = wandered(name)
    lines = list(write_record(happened, EVERY_GAME))
    again = list(read_record(lines, EVERY_GAME))
    assert again == list(happened)
    assert list(write_record(again, EVERY_GAME)) == lines
    assert replay(None, again) == replay(None, happened)


def test_the_record_of_a_table_that_changes_its_pack() -> None:
    """`4d` is a Diamond before the change and Wood after it."""
    watched = WatchedTable(TableSettings(find_game("manila"), burn_and_cut=BurnAndCut(BurnRule.OFF)))
    for settings in (watched.settings, TableSettings(find_game("six-star"), burn_and_cut=BurnAndCut(BurnRule.OFF))):
        if settings != watched.settings:
            watched.carry_out(ChangeSettings(settings))
        for command in play(settings.game):
            assert not isinstance(watched.carry_out(command), Refusal), command
    happened = [watched.opening, *watched.events]
    lines = list(write_record(happened))
    assert not any(b":4d" in line for line in lines), "a card of the pack in play is written with its pack"
    again = list(read_record(lines))
    assert again == happened
    packs = {event.card.pack_id for event in again if isinstance(event, events.CardDealt)}
    assert packs == {STANDARD_PACK.id, FIVE_ELEMENTS.id}


def play(game: Game) -> list[Command]:

    cards = [
        DealCard(HERE, hand, game.pack.card(text))
        for hand, text in zip([*Hand] * 2, ("9d", "4d", "Td", "4d"), strict=True)
    ]
    return [
        OpenShoe(TableSettings(game).full_shoe),
        OpenBetting(),
        CloseBetting(HERE),
        *cards,
        AnnounceResult(HERE),
        SettleRound(HERE),
        EndShoe(),
    ]


def test_a_foreign_card_is_written_with_its_pack() -> None:
    form = Codec(STANDARD_PACK)
    foreign = DealCard(1, Hand.PLAYER, FIVE_ELEMENTS.card("4d"))
    own = DealCard(1, Hand.PLAYER, STANDARD_PACK.card("4d"))
    assert b'"65:4d"' in form.write_command(foreign)
    assert b'"4d"' in form.write_command(own)
    assert form.read_command(form.write_command(foreign)) == foreign
    assert form.read_command(form.write_command(own)) == own


SETTINGS = [
    TableSettings(find_game("manila")),
    TableSettings(
        find_game("six-star").read_as(rounding="up").with_bonuses({"6 Stars": 77}),
        decks=5,
        limits={"tie": Limits(20, 200, 10)},
        round_limits=RoundLimits(1, 2, 3),
        account=Account.CASH,
        currency="SGD",
        burn_and_cut=BurnAndCut(BurnRule.OFF, 60),
        dealing=Dealing.VIRTUAL,
        overrides=frozenset({"even-money-banker"}),
    ),
    TableSettings(find_game("manila").read_as(tableau="manila-as-printed"), currency="HKD"),
]


@pytest.mark.parametrize("settings", SETTINGS, ids=range(len(SETTINGS)))
def test_settings_read_back_equal(settings: TableSettings) -> None:
    form = codec(settings.game)
    assert form.read_settings(form.write_settings(settings)) == settings
    for command in (OpenTable(settings), ChangeSettings(settings)):
        assert form.read_command(form.write_command(command)) == command
    for event in (TableOpened(settings), SettingsChanged(settings)):
        assert form.read_event(form.write_event(event)) == event


def test_the_amounts_of_fixed_bonuses_read_back_whatever_ratios_are_called() -> None:
    """A bonus by ratio under the label of a fixed one stays as declared."""
    game = find_game("six-star")
    banker, *others = game.wagers
    same_name = pays("2:1", "6 Stars", BANKER_WINS, clause="4.3")
    declared = replace(game, wagers=(replace(banker, bonuses=(same_name,)), *others))
    form = Codec(game.pack, [declared])
    for game in (declared, declared.with_bonuses({"6 Stars": 77})):
        settings = TableSettings(game)
        assert form.read_settings(form.write_settings(settings)) == settings


def test_every_setting_is_in_the_text() -> None:
    """Any field that differs makes another text: none is forgotten."""
    form = codec(SETTINGS[0].game)
    game = find_game("manila")
    others: dict[str, Any] = {
        "game": game.read_as(rounding="up"),
        "decks": 6,
        "limits": {"tie": Limits(20, 200, 20)},
        "round_limits": RoundLimits(house=5),
        "account": Account.CASH,
        "currency": "HKD",
        "burn_and_cut": BurnAndCut(cut_depth=15),
        "dealing": Dealing.VIRTUAL,
        "overrides": frozenset({"even-money-banker"}),
    }
    assert set(others) == {each.name for each in fields(TableSettings)}
    texts = {form.write_settings(replace(SETTINGS[0], **{name: other})) for name, other in others.items()}
    assert len(texts | {form.write_settings(SETTINGS[0])}) == len(others) + 1


def test_settings_under_other_rules_are_refused() -> None:
    """Ruling 18: a program whose rules have changed does not settle rounds of the old ones by the new ones."""
    form = codec(SETTINGS[0].game)
    found = json.loads(form.write_settings(SETTINGS[0]))
    # Of nothing, of the game under another reading, of another game, and the right one cut short or in capitals.
    mine, others = found["digest"], (find_game("manila").read_as(rounding="up"), find_game("six-star"))
    for digest in ("0" * 64, *[other.digest for other in others], mine[:-1], mine[:16], "", mine.upper()):
        with pytest.raises(Fault, match="under the rules") as told:
            form.read_settings(compact({**found, "digest": digest}))
        assert told.value.reason == "different-rules"
    for change, said in (
        ({"game": "whist"}, "not here"),
        ({"reading": {"rounding": "sideways"}}, "no reading"),
        ({"bonuses": {"6 Stars": 5}}, "no fixed bonus"),
        ({"decks": 99}, "is played with"),
        ({"limits": {"tie": [5, 4, 3]}}, "not limits"),
        ({"currency": "XXX"}, "is played in"),
        ({"dealing": "psychic"}, "Invalid enum"),
        ({"cut_depth": -1}, "in no shoe"),
        ({"overrides": ["all"]}, "no override"),
        ({"patron_limit": "5"}, "Expected"),
        ({"colour": "green"}, "unknown field"),
        ({"v": 2}, "Invalid enum"),
        ({"reading": {"self": "x"}}, "no reading"),
        # What a program would fill in today must not be left to the program of tomorrow.
        ({"decks": -1}, "as it is written"),
        ({"currency": ""}, "as it is written"),
        ({"limits": {}}, "as it is written"),
        ({"reading": {}}, "as it is written"),
    ):
        with pytest.raises(ValueError, match=said):
            form.read_settings(compact({**found, **change}))


COMMAND = {
    "command": "place-wager",
    "v": 1,
    "round_number": 3,
    "patron": "a",
    "wager": "tie",
    "stake": 5,
    "currency": None,
}


@pytest.mark.parametrize(
    "change",
    [
        {"command": "place-bet"},
        {"command": 5},
        {"v": 0},
        {"v": 2},
        {"v": "1"},
        {"v": True},
        {"extra": 1},
        {"stake": "5"},
        {"stake": True},
        {"stake": 5.0},
        {"stake": 1e3},
        {"stake": None},
        {"stake": float("nan")},
        {"patron": None},
        {"patron": ["a"]},
        {"wager": 5},
        {"round_number": "3"},
        {"currency": 5},
    ],
    ids=str,
)
def test_what_is_not_known_is_refused(change: dict[str, object]) -> None:
    form = Codec(STANDARD_PACK)
    assert form.read_command(compact(COMMAND)) == PlaceWager(3, "a", "tie", 5)
    with pytest.raises(InputError) as told:
        form.read_command(compact({**COMMAND, **change}))
    assert told.value.reason == "unreadable-command"
    assert told.value.message.isprintable()


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(COMMAND),
        compact(COMMAND)[:-1] + ',"stake":5}',
        compact({name: COMMAND[name] for name in reversed(COMMAND)}),
        compact(COMMAND) + " ",
        compact(COMMAND).replace('"a"', '"\\u0061"'),
    ],
    ids=["spaces", "a name twice", "another order", "a space behind", "an escape"],
)
def test_a_value_has_one_text_and_no_other_is_read(text: str) -> None:
    """Two readers of a record must never see two things in it."""
    assert json.loads(text) == COMMAND
    with pytest.raises(InputError, match="as it is written"):
        Codec(STANDARD_PACK).read_command(text)


def test_nobody_can_change_a_settlement_that_was_read() -> None:
    """What comes back from a record is the same kind of value as what went into it."""
    deal = Deal(STANDARD_PACK.read("9h Kh"), STANDARD_PACK.read("2c 4c"))
    settled = RoundSettled(1, {"anna": settle(find_game("manila"), deal, {"player": 20})})
    form = Codec(STANDARD_PACK)
    read = form.read_event(form.write_event(settled))
    assert read == settled
    assert isinstance(read, RoundSettled)
    with pytest.raises(TypeError):
        cast(dict[str, object], read.settlements["anna"].wagers)["player"] = None


def test_nobody_can_change_the_money_of_an_event_that_was_read() -> None:
    """Settlements, refunds and adjustments, as a whole and within."""
    _, of_events = golden_values(find_game("manila"))
    form, found = Codec(STANDARD_PACK), set()
    for event in of_events:
        read = form.read_event(form.write_event(event))
        for each in fields(read):
            value = getattr(read, each.name)
            if isinstance(value, Mapping):
                found.add((type(read).__name__, each.name))
                for held in (value, *[settled.wagers for settled in value.values() if isinstance(settled, Settlement)]):
                    with pytest.raises(TypeError, match="cannot be changed"):
                        cast(dict[str, object], held)["anna"] = 5
    assert found == {
        ("RoundSettled", "settlements"),
        ("RoundVoided", "refunds"),
        ("RoundCorrected", "settlements"),
        ("RoundCorrected", "adjustments"),
    }


def test_a_shoe_has_no_unknown_field() -> None:
    """What is nested is read as strictly as what is around it."""
    form = Codec(STANDARD_PACK)
    written = json.loads(form.write_command(OpenShoe(Shoe.full(STANDARD_PACK, 4))))
    written["counted"]["colour"] = "blue"
    with pytest.raises(InputError, match="colour"):
        form.read_command(compact(written))


@pytest.mark.parametrize("missing", sorted(set(COMMAND)))
def test_a_missing_field_is_refused(missing: str) -> None:
    with pytest.raises(InputError):
        Codec(STANDARD_PACK).read_command(compact({name: value for name, value in COMMAND.items() if name != missing}))


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff\xfe",
        b'{"command":"\x00"}',
        b'"' + b"x" * 10**6 + b'"',
        b"[" * 10**5,
        b'{"command":"\\ud800"}',
    ],
    ids=lambda text: repr(text[:12]),
)
def test_what_is_not_a_command_at_all_is_refused(text: bytes) -> None:
    for read in (
        Codec(STANDARD_PACK).read_command,
        Codec(STANDARD_PACK).read_event,
        Codec(STANDARD_PACK).read_settings,
    ):
        with pytest.raises(InputError) as told:
            read(text)
        assert told.value.message.isprintable()
        assert len(told.value.message) < 400


@pytest.mark.parametrize("card", ["", "9", "9x", "4d ", "10h", "65:", "65:9h", "99:9h", ":9h", "52:65:9h", "9H"])
def test_a_card_that_is_none_is_refused(card: str) -> None:
    text = compact({"command": "deal-card", "v": 1, "round_number": 1, "hand": "player", "card": card})
    with pytest.raises(InputError):
        Codec(STANDARD_PACK).read_command(text)


def test_what_is_no_value_of_a_table_is_not_written() -> None:
    form = Codec(STANDARD_PACK)
    for write in (form.write_command, form.write_event):
        with pytest.raises(InputError, match="not a known"):
            write("deal")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="not the settings"):
        form.write_settings(cast(TableSettings, None))
    with pytest.raises(InputError, match="has no text"):
        form.write_command(PlaceWager(1, "a", "tie", cast(int, object())))
    with pytest.raises(InputError, match="has no text"):
        form.write_command(PlaceWager(1, "\ud800", "tie", 5))
    for read in (form.read_command, form.read_event, form.read_settings):
        with pytest.raises(InputError):
            read(cast(str, 5))
    with pytest.raises(NotImplementedError, match="no form"):
        form_of(bytes)


def test_every_kind_has_its_name() -> None:
    """The names that people script against."""
    names = [str(kind.wire.__struct_config__.tag) for kind in EVENTS.by_class.values()]
    promised = (
        "shoe-opened cards-burned betting-opened betting-closed card-dealt cut-card-appeared result-announced "
        "round-settled round-voided round-corrected shoe-ended"
    )
    assert set(promised.split()) <= set(names)
    assert len(set(names)) == len(get_args(Event))
    assert len(COMMANDS.by_class) == len(get_args(Command))


def golden_values(game: Game) -> tuple[list[Command], list[Event]]:
    """Every kind of command and event, made by hand so that no other change of the tests changes them."""
    nine, four, ten = game.pack.read("9d 4d Td")
    settings = TableSettings(game, limits={"tie": Limits(2000, 4000, 20)}, round_limits=RoundLimits(house=10**9))
    deal, shoe = Deal((nine, ten), (four, four)), Shoe.full(game.pack, 8).without([nine])
    settled = {"anna": settle(game, deal, {"player": 2000, "tie": 2000}), "bob": settle(game, deal, {"banker": 20})}
    of_commands: list[Command] = [
        commands.OpenTable(settings),
        commands.ChangeSettings(settings),
        commands.OpenShoe(shoe),
        commands.BurnCards((nine,), 9),
        commands.OpenBetting(),
        commands.PlaceWager(7, "anna", "tie", 2000, "PHP"),
        commands.IncreaseWager(7, "安娜", "tie", 20),
        commands.ReduceWager(7, 'O"Hara', "tie", 20),
        commands.WithdrawWager(7, "anna", "tie"),
        commands.CloseBetting(7),
        commands.DealCard(7, Hand.PLAYER, nine),
        commands.TakeBackCard(7),
        commands.AnnounceResult(7),
        commands.WithdrawAnnouncement(7, "misread"),
        commands.SettleRound(7),
        commands.VoidRound(7, Irregularity.TECHNICAL_FAULT, "the display is dark"),
        commands.CorrectRound(7, deal, (ten,), (four,), "misread"),
        commands.SetCardsAside((ten, ten), "they fell"),
        commands.CorrectCount(6, nine, ten, None, "misread"),
        commands.CorrectCount(None, nine, ten, 4),
        commands.CorrectCount(None, nine, None),
        commands.PauseTable("a fire alarm"),
        commands.ResumeTable(),
        commands.EndShoe("the house closes"),
    ]
    of_events: list[Event] = [
        events.TableOpened(settings),
        events.SettingsChanged(settings),
        events.ShoeOpened(2, shoe),
        events.CardsBurned((nine,), 9),
        events.CutCardAppeared(),
        events.BettingOpened(7, "0" * 64, "f" * 64),
        events.StakeChanged(7, "anna", "tie", 0, 2000),
        events.BettingClosed(7),
        events.CardDealt(7, Hand.BANKER, four),
        events.CardTakenBack(7, Hand.BANKER, four),
        events.ResultAnnounced(7, Winner.TIE, 9, 9),
        events.AnnouncementWithdrawn(7, ""),
        events.RoundSettled(7, settled),
        events.RoundVoided(7, Irregularity.FOREIGN_CARD, "5.1", "", False, "PHP", {"bob": 20, "anna": 2000}),
        events.RoundCorrected(7, "5.2", Deal(), deal, (ten,), (), "misread", settled, "PHP", {"anna": -2000}),
        events.RoundCorrected(7, "5.2", deal, Deal(), (), (ten,), "", None, "PHP", {}),
        events.CardsSetAside((ten,), ""),
        events.CountCorrected(6, nine, None, 4, ""),
        events.TablePaused("a fire alarm"),
        events.TableResumed(),
        events.ShoeEnded(""),
    ]
    return of_commands, of_events


def golden_lines(game: Game) -> list[str]:
    of_commands, of_events = golden_values(game)
    form = codec(game)
    lines = [form.write_settings(TableSettings(game)), *map(form.write_command, of_commands)]
    return [line.decode() for line in [*lines, *map(form.write_event, of_events)]]


@pytest.mark.parametrize("name", ["manila", "six-star"])
def test_the_form_is_what_it_was(name: str) -> None:
    """Each golden line is read as the value it was written of, and written again byte for byte."""
    game = find_game(name)
    path, form = GOLDEN / f"{name}.jsonl", codec(game)
    if os.environ.get("UPDATE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join(golden_lines(game)) + "\n", encoding="utf-8", newline="\n")
    lines = path.read_text(encoding="utf-8").splitlines()
    assert golden_lines(game) == lines
    of_commands, of_events = golden_values(game)
    settings, *texts = lines
    assert form.read_settings(settings) == TableSettings(game)
    assert [form.read_command(text) for text in texts[: len(of_commands)]] == of_commands
    assert [form.read_event(text) for text in texts[len(of_commands) :]] == of_events
    assert {type(each) for each in of_commands} == set(get_args(Command))
    assert {type(each) for each in of_events} == set(get_args(Event))


@pytest.mark.parametrize(
    "command",
    [
        commands.PlaceWager(1, "anna", "tie", 2000, float("nan")),  # type: ignore[arg-type]
        commands.PlaceWager(1, b"anna", "tie", 2000),  # type: ignore[arg-type]
        commands.PlaceWager(1, "anna", "tie", 2000.0),  # type: ignore[arg-type]
        commands.CloseBetting(True),
    ],
)
def test_a_command_does_not_become_another_one_on_the_way(command: Any) -> None:
    with pytest.raises(InputError) as told:
        Codec(STANDARD_PACK).write_command(command)
    assert told.value.reason == "unwritable-command"
    assert told.value.message.startswith("This command has no text")


def test_a_command_of_a_game_that_is_not_here_says_so() -> None:
    with pytest.raises(InputError, match="a game 'manila' that is not here"):
        Codec(STANDARD_PACK, []).write_command(OpenTable(SETTINGS[0]))
