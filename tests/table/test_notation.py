"""The notation of the case files: what is written is read back, and what means nothing is not read."""

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from puntobanco import find_game
from puntobanco.table import (
    Account,
    BurnAndCut,
    BurnRule,
    ChangeSettings,
    CorrectRound,
    Irregularity,
    Limits,
    OpenShoe,
    PlaceWager,
    Refusal,
    TableSettings,
    VoidRound,
    notation,
)
from puntobanco.table.notation import words_of, write_command
from table.case_files import Case, run
from table.here import HERE
from table.notation import NotationError, read_command, read_settings
from table.wandering import Choice, Wanderer
from table.watched import WatchedTable


@pytest.mark.parametrize("game", ["manila", "fabulous-4"])
def test_commands_are_read_as_they_are_written(game: str) -> None:
    limits = dict.fromkeys(find_game(game).paytables, Limits(20, 200, 10))
    watched = WatchedTable(TableSettings(find_game(game), decks=4, limits=limits))
    generator = random.Random(3)

    def choose(options: Sequence[Choice], /) -> Choice:
        return options[int(generator.random() * len(options))]

    wanderer = Wanderer(watched.books, choose)
    kinds = set()
    for _ in range(2000):
        command = wanderer.next_command()
        if not isinstance(watched.carry_out(command), Refusal):
            if isinstance(command, ChangeSettings):
                continue  # Settings are only named in this notation.
            text = write_command(watched.settings, command, HERE)
            assert read_command(watched.settings, text) == (command,), text
            kinds.add(type(command).__name__)
    assert len(kinds) >= 18, f"only {kinds} were accepted"


@pytest.mark.parametrize("patron", ["", "anna", "anna maria", "O'Hara", "#1"])
@pytest.mark.parametrize("number", [0, 1, 2])
def test_a_command_that_is_refused_is_written_too(number: int, patron: str) -> None:
    """Who reads a log of refusals wants to see what was asked for: no name, round 0, a round long past."""
    settings, command = TableSettings(find_game("manila")), PlaceWager(number, patron, "tie", 5)
    assert notation.read_command(settings, write_command(settings, command, 1), 1) == command


@pytest.mark.parametrize("names", [("", ""), ("dora", "emil"), ("dora", "emil and sons")])
def test_the_two_people_of_a_void_or_a_correction_are_written(names: tuple[str, str]) -> None:
    settings = TableSettings(find_game("manila"))
    deal = notation.read_hands(settings, ["P", "9s", "Kd", "|", "B", "3h", "4h"])
    void = VoidRound(1, Irregularity.FOREIGN_CARD, "torn by and by", *names)
    for command in (void, CorrectRound(1, deal, note="misread", by=names[0], and_by=names[1])):
        text = write_command(settings, command, 1)
        assert notation.read_command(settings, text, 1) == command, text


def test_a_shoe_with_other_cards_is_written_with_the_difference() -> None:
    """Such a shoe is refused, and its line says which card is too many and which is missing."""
    settings = TableSettings(find_game("manila"), decks=4)
    ace, four = settings.game.pack.read("Ah 4h")
    command = OpenShoe(settings.full_shoe.with_cards((ace,)).without((four,)))
    assert write_command(settings, command, 1) == "shoe full plus Ah minus 4h"
    assert notation.read_command(settings, "shoe full plus Ah minus 4h", 1) == command


def test_settings() -> None:
    line = (
        "six-star decks=6 cut=20 burn=off account=cash currency=SGD limits:tie=10..50/10 "
        'override=even-money-banker bonus:"6 Stars"=7'
    )
    game = find_game("six-star").with_bonuses({"6 Stars": 7})
    expected = TableSettings(
        game,
        6,
        {"tie": Limits(10, 50, 10)},
        account=Account.CASH,
        currency="SGD",
        burn_and_cut=BurnAndCut(BurnRule.OFF, 20),
        overrides=frozenset({"even-money-banker"}),
    )
    assert read_settings(words_of(line)) == expected


@pytest.mark.parametrize("text", ["deel P 9h", "deal P 9x", "deal 9h", "place anna player", "shoe half", ""])
def test_what_means_nothing_is_not_a_command(text: str) -> None:
    with pytest.raises(NotationError):
        read_command(TableSettings(find_game("manila"), decks=4), text)


@pytest.mark.parametrize(
    "lines",
    [
        ("shoe full -> refused no-shoe",),
        ("shoe full -> shoe of 207",),
        ("open betting -> ok",),
        ("open betting -> refused no-round",),
        ("open betting -> refused no-shoe ~ other words",),
        ("shoe full -> ok", "in shoe 207"),
        ("phase ready",),
        ("weather fine",),
    ],
)
def test_a_case_that_is_not_true_fails_with_its_line(lines: tuple[str, ...]) -> None:
    numbered = enumerate(("table manila decks=4", *lines), start=1)
    with pytest.raises(AssertionError, match=f"^story.txt:{len(lines) + 1}: "):
        run(Case(Path("story.txt"), "a story", tuple(numbered)))
