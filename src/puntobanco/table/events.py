"""What has happened at a table. Events are never changed or removed; the state is their fold."""

from collections.abc import Mapping
from dataclasses import dataclass

from puntobanco.cards import Card, Deal, Shoe
from puntobanco.rules.facts import Winner
from puntobanco.settle import Settlement
from puntobanco.table.commands import Irregularity
from puntobanco.tableau import Hand


@dataclass(frozen=True)
class ShoeOpened:
    shoe: Shoe


@dataclass(frozen=True)
class CardsBurned:
    shown: tuple[Card, ...]
    face_down: int


@dataclass(frozen=True)
class CutCardAppeared:
    """The round in progress is completed and one more is played."""


@dataclass(frozen=True)
class BettingOpened:
    round_number: int
    rules_digest: str
    """The rules under which this round is settled, now and in any replay."""


@dataclass(frozen=True)
class StakeChanged:
    """A wager was placed (before is 0), increased, reduced or withdrawn (after is 0)."""

    patron: str
    wager: str
    before: int
    after: int


@dataclass(frozen=True)
class BettingClosed:
    pass


@dataclass(frozen=True)
class CardDealt:
    hand: Hand
    card: Card


@dataclass(frozen=True)
class ResultAnnounced:
    winner: Winner
    player_total: int
    banker_total: int


@dataclass(frozen=True)
class RoundSettled:
    """By patron; what each gets back is the sum of `returned` over the wagers."""

    settlements: Mapping[str, Settlement]


@dataclass(frozen=True)
class RoundVoided:
    round_number: int
    irregularity: Irregularity
    clause: str
    note: str
    refunds: Mapping[str, int]
    """Money to each patron so that the round has cost and won nothing; negative where winnings are taken back."""


@dataclass(frozen=True)
class RoundCorrected:
    round_number: int
    clause: str
    before: Deal
    after: Deal
    set_aside: tuple[Card, ...]
    """All cards of the round that belong to neither hand, those of earlier corrections included."""
    note: str
    settlements: Mapping[str, Settlement] | None
    """Anew by patron where the round was settled already; None where it was not."""
    adjustments: Mapping[str, int]
    """Money to each patron that makes up the difference; negative where it is taken back."""


@dataclass(frozen=True)
class ShoeEnded:
    note: str


Event = (
    ShoeOpened
    | CardsBurned
    | CutCardAppeared
    | BettingOpened
    | StakeChanged
    | BettingClosed
    | CardDealt
    | ResultAnnounced
    | RoundSettled
    | RoundVoided
    | RoundCorrected
    | ShoeEnded
)
