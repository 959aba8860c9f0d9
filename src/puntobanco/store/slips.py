"""What a patron asks for over the network: so much on these wagers, whatever lies there now.

The table knows only first stakes, increases, reductions and withdrawals. Which of them it comes to is found when the
command's turn has come, so that two messages of one patron that cross each other mean what they say.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from puntobanco.immutable import FrozenMap
from puntobanco.table import IncreaseWager, PlaceWager, ReduceWager, Table, WithdrawWager
from puntobanco.table.commands import WagerCommand


@dataclass(frozen=True)
class SetStakes:
    """So much on each of these wagers, all or none; of a whole slip, nothing on any other."""

    patron: str
    stakes: Mapping[str, int]
    is_whole: bool = False
    round_number: int | None = None
    """The round that is meant; None for the one that is open."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "stakes", FrozenMap(self.stakes))


def changes(table: Table, command: SetStakes) -> list[WagerCommand]:
    """The changes that the stakes come to, those that give money back first."""
    number = table.round_number if command.round_number is None else command.round_number
    wanted: dict[str, int] = dict(command.stakes)
    if command.is_whole:
        wanted = {**dict.fromkeys(table.slip(command.patron), 0), **{w: s for w, s in wanted.items() if s}}
    found = list(_changes(table, command.patron, number, wanted))
    return sorted(found, key=lambda each: isinstance(each, PlaceWager | IncreaseWager))


def _changes(table: Table, patron: str, number: int, wanted: Mapping[str, int]) -> Iterator[WagerCommand]:
    slip = table.slip(patron)
    for wager, stake in wanted.items():
        staked = slip.get(wager, 0)
        if not staked and stake:
            yield PlaceWager(number, patron, wager, stake)
        elif stake > staked:
            yield IncreaseWager(number, patron, wager, stake - staked)
        elif not stake:
            # Also where nothing lies there: the table says so, with its reason.
            yield WithdrawWager(number, patron, wager)
        elif stake < staked:
            yield ReduceWager(number, patron, wager, staked - stake)
