"""The state of a table: an immutable value, the fold of its events."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from puntobanco.cards import Card, Deal, Shoe
from puntobanco.dealing import CARDS_FOR_A_ROUND
from puntobanco.settle import Settlement
from puntobanco.table.commands import Irregularity
from puntobanco.table.settings import TableSettings
from puntobanco.tableau import Decision


class Phase(StrEnum):
    """Where a table is between two shoes; what is accepted depends on it."""

    CLOSED = "closed"
    """No shoe is in play."""
    BURN_DUE = "burn due"
    READY = "ready"
    """Between two rounds."""
    BETTING = "betting"
    DEALING = "dealing"
    COMPLETE = "complete"
    """All cards are dealt; the result is not announced yet."""
    ANNOUNCED = "announced"

    @property
    def in_round(self) -> bool:
        return self in (Phase.BETTING, Phase.DEALING, Phase.COMPLETE, Phase.ANNOUNCED)


@dataclass(frozen=True)
class Round:
    """A finished round of the current shoe, settled or void."""

    number: int
    deal: Deal
    stakes: Mapping[str, Mapping[str, int]]
    settlements: Mapping[str, Settlement] = field(default_factory=dict)
    void: Irregularity | None = None
    set_aside: tuple[Card, ...] = ()
    """Cards drawn in error that belong to neither hand."""
    corrected: bool = False

    def returned(self) -> dict[str, int]:
        """What each patron has got back so far."""
        if self.void:
            return {patron: sum(stakes.values()) for patron, stakes in self.stakes.items()}
        return {
            patron: sum(settled.returned for settled in settlement.wagers.values())
            for patron, settlement in self.settlements.items()
        }


@dataclass(frozen=True)
class Table:
    """A table at one moment. `Table(settings)` is a table before its first shoe."""

    settings: TableSettings
    phase: Phase = Phase.CLOSED
    unseen: Shoe | None = None
    """The cards that nobody has seen: those in the shoe and those burned face down."""
    cards_in_shoe: int = 0
    rounds_left: int | None = None
    """Known once the cut card has appeared: the round in progress counts."""
    shoe_number: int = 0
    round_number: int = 0
    stakes: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """What is held: by patron, by wager."""
    deal: Deal = Deal()  # noqa: RUF009  (an immutable value)
    set_aside: tuple[Card, ...] = ()
    """Cards of the round in progress drawn in error, that belong to neither hand."""
    corrected: bool = False
    """Whether the round in progress has been corrected."""
    rounds: tuple[Round, ...] = ()
    """The finished rounds of this shoe, void ones too."""

    @property
    def due(self) -> Decision:
        """Which hand is due the next card."""
        return self.settings.game.tableau.due(self.deal)

    @property
    def held(self) -> int:
        """All money on the felt."""
        return sum(sum(stakes.values()) for stakes in self.stakes.values())

    @property
    def shoe_finished(self) -> bool:
        """Whether the last round after the cut card has been played, or too few cards are left for another."""
        return self.rounds_left == 0 or self.cards_in_shoe < CARDS_FOR_A_ROUND

    def stake(self, patron: str, wager: str) -> int:
        return self.stakes.get(patron, {}).get(wager, 0)
