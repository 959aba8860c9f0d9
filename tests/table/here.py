"""The round that a test means: mostly the one that the table is at."""

from copy import copy
from typing import TypeVar

from puntobanco.table import Command, Table

HERE = 0
"""Stands for the round that the table is at; no round has this number."""

AnyCommand = TypeVar("AnyCommand", bound=Command)


def meant(table: Table, command: AnyCommand) -> AnyCommand:
    """The command with the number of the table's round in place of HERE."""
    number = getattr(command, "round_number", None)
    return of_round(command, table.round_number) if type(number) is int and number == HERE else command


def of_round(command: AnyCommand, number: int) -> AnyCommand:
    """The command meant for another round."""
    changed = copy(command)
    object.__setattr__(changed, "round_number", number)
    return changed
