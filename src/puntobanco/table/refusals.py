"""When a table refuses a command: every kind of command has its checks, and of several reasons the first is given."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from puntobanco.cards import shown
from puntobanco.errors import DeclarationError
from puntobanco.table import commands, irregularity_refusals, round_refusals
from puntobanco.table.commands import Command, OpenTable
from puntobanco.table.reasons import Reason, Refusal
from puntobanco.table.state import Table
from puntobanco.table.wager_refusals import wager_refusals

# By the kind of command. A kind that is missing here is refused as no command at all.
CHECKS: Mapping[type, Callable[[Table, Any], Iterator[Refusal]]] = {
    commands.OpenTable: round_refusals.open_table_refusals,
    commands.ChangeSettings: round_refusals.settings_refusals,
    commands.OpenShoe: round_refusals.open_shoe_refusals,
    commands.BurnCards: round_refusals.burn_refusals,
    commands.OpenBetting: round_refusals.open_betting_refusals,
    commands.PlaceWager: wager_refusals,
    commands.IncreaseWager: wager_refusals,
    commands.ReduceWager: wager_refusals,
    commands.WithdrawWager: wager_refusals,
    commands.CloseBetting: round_refusals.close_betting_refusals,
    commands.DealCard: round_refusals.deal_refusals,
    commands.TakeBackCard: irregularity_refusals.take_back_refusals,
    commands.AnnounceResult: round_refusals.announce_refusals,
    commands.WithdrawAnnouncement: irregularity_refusals.withdraw_announcement_refusals,
    commands.SettleRound: round_refusals.settle_refusals,
    commands.VoidRound: irregularity_refusals.void_refusals,
    commands.CorrectRound: irregularity_refusals.correct_refusals,
    commands.SetCardsAside: irregularity_refusals.set_aside_refusals,
    commands.CorrectCount: irregularity_refusals.count_refusals,
    commands.PauseTable: round_refusals.pause_refusals,
    commands.ResumeTable: round_refusals.resume_refusals,
    commands.EndShoe: round_refusals.end_shoe_refusals,
}


def refusal(table: Table | None, command: Command) -> Refusal | None:
    """Why the table refuses the command now; None if it does not. A table that is not open yet is None."""
    return next(refusals(table, command), None)


def refusals(table: Table | None, command: Command) -> Iterator[Refusal]:
    """Every reason, the first first, as far as one can look: a later check may rest on an earlier one."""
    checks = CHECKS.get(type(command))
    if checks is None:
        raise DeclarationError(f"{shown(command)} is not a command of a table.")
    if table is not None:
        return checks(table, command)
    if isinstance(command, OpenTable):
        return iter(())
    return iter([Refusal(Reason.NO_TABLE, "The table is not open.")])
