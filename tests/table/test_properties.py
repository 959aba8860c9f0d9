"""Any sequence of commands, sense and nonsense: money and cards are conserved and the table is never stuck.

What holds for every single command is in watched.py and books.py; here the sequences are made. A failure
tells the commands in the notation of the case files.
"""

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from contract.ez_baccarat import EZ_BACCARAT
from puntobanco import find_game
from puntobanco.rules.game import Decks
from puntobanco.table import BurnAndCut, BurnRule, Command, Dealing, Event, Limits, Reason, Refusal, TableSettings
from puntobanco.table.notation import write_command
from puntobanco.table.refusals import refusals
from table.acceptance import accepts
from table.here import HERE, meant
from table.wandering import Choice, Choose, Wanderer
from table.watched import WatchedTable

GAMES = {
    "manila": find_game("manila"),
    "manila as printed": find_game("manila").read_as(tableau="manila-as-printed", rounding="up"),
    "no commission": find_game("manila-no-commission"),
    "six-star": find_game("six-star"),
    "fabulous-4": find_game("fabulous-4").read_as(element_eights="instead"),
    "fortune-six-tournament": find_game("fortune-six-tournament"),
    "ez-baccarat": EZ_BACCARAT,
}
# So small a shoe that a short sequence of commands reaches its end.
ONE_DECK = Decks(1, 10, 1)


def open_table(name: str, burn: BurnRule, cut_depth: int, dealing: Dealing) -> WatchedTable:
    game = replace(GAMES[name], decks=ONE_DECK)
    limits = dict.fromkeys(game.paytables, Limits(20, 200, 10))
    return WatchedTable(TableSettings(game, limits=limits, burn_and_cut=BurnAndCut(burn, cut_depth), dealing=dealing))


def wander(watched: WatchedTable, choose: Choose, steps: int) -> None:
    """So many commands, each carried out under watch; a failure is told by the fewest commands that still fail."""
    wanderer = Wanderer(watched.books, choose)
    commands: list[Command] = []
    try:
        for _ in range(steps):
            commands.append(wanderer.next_command())
            carry_out(watched, commands[-1])
        watched.check_replay()
    except Exception as error:
        few = fewest(watched.settings, commands)
        told = [write_command(watched.settings, command, HERE) for command in few]
        raise AssertionError("\n".join([*told, failure(watched.settings, few) or repr(error)])) from error


def failure(settings: TableSettings, commands: Sequence[Command]) -> str:
    """What goes wrong when a new table is given these commands; empty if nothing."""
    watched = WatchedTable(settings)
    try:
        for command in commands:
            carry_out(watched, command)
        watched.check_replay()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


def fewest(settings: TableSettings, commands: list[Command]) -> list[Command]:
    """The commands without those that the failure does not need: long stretches go first, then single ones."""
    length = len(commands)
    while length := length // 2:
        start = 0
        while start < len(commands):
            fewer = commands[:start] + commands[start + length :]
            if failure(settings, fewer):
                commands = fewer
            else:
                start += length
    return commands


def carry_out(watched: WatchedTable, command: Command) -> Sequence[Event] | Refusal:
    """The command is accepted exactly when the rules say so, and of several reasons the first is given."""
    assert accepts(
        watched.books, meant(watched.table, Wanderer(watched.books, lambda options: options[0]).next_step())
    ), "the table is stuck"
    expected = accepts(watched.books, meant(watched.table, command))
    reasons = every_reason(watched, command)
    outcome = watched.carry_out(command)
    accepted = not isinstance(outcome, Refusal)
    assert accepted is expected, f"{outcome}"
    assert accepted is not bool(reasons)
    assert not reasons or reasons[0] is min(reasons), f"{reasons} are not in order of precedence"
    return outcome


def every_reason(watched: WatchedTable, command: Command) -> list[Reason]:
    """All the reasons that hold, in the order in which the table looks for them, as far as it can look."""
    reasons: list[Reason] = []
    try:
        for refusal in refusals(watched.table, meant(watched.table, command)):
            reasons.append(refusal.reason)
    except (AssertionError, IndexError, KeyError, ValueError):
        # A later check may rest on what an earlier one has refused, such as a shoe or a wager.
        assert reasons
    return reasons


# A failure is made short by `fewest`, which knows commands, and so is quicker than Hypothesis.
@settings(max_examples=150, phases=[Phase.generate])
@given(
    st.data(),
    st.sampled_from(sorted(GAMES)),
    st.sampled_from(BurnRule),
    st.sampled_from([14, 0, 3, 6, 26]),
    st.sampled_from(Dealing),
    st.integers(1, 80),
)
def test_short_sequences(
    data: st.DataObject, name: str, burn: BurnRule, cut_depth: int, dealing: Dealing, steps: int
) -> None:
    def choose(options: Sequence[Choice], /) -> Choice:
        return data.draw(st.sampled_from(options))

    wander(open_table(name, burn, cut_depth, dealing), choose, steps)


@pytest.mark.parametrize("burn", BurnRule)
@pytest.mark.parametrize("name", GAMES)
def test_long_sequences(name: str, burn: BurnRule) -> None:
    generator = random.Random(f"{name} {burn}")

    def choose(options: Sequence[Choice], /) -> Choice:
        return options[int(generator.random() * len(options))]

    for cut_depth in (0, 3, 6, 14, 26):
        for dealing, steps in ((Dealing.DEALER, 400), (Dealing.VIRTUAL, 150)):
            wander(open_table(name, burn, cut_depth, dealing), choose, steps)
