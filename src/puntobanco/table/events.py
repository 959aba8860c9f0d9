"""What has happened at a table. Events are never changed or removed; the state is their fold."""

from collections.abc import Mapping
from dataclasses import dataclass

from puntobanco.cards import Card, Deal, Shoe
from puntobanco.immutable import FrozenMap
from puntobanco.rules.facts import Winner
from puntobanco.settle import Settlement
from puntobanco.table.commands import Irregularity
from puntobanco.table.settings import TableSettings
from puntobanco.tableau import Hand


@dataclass(frozen=True)
class TableOpened:
    """The first event of every table."""

    settings: TableSettings


@dataclass(frozen=True)
class SettingsChanged:
    """The table has other settings from now on."""

    settings: TableSettings


@dataclass(frozen=True)
class ShoeOpened:
    """A full shoe is in play; the number counts the shoes of the table from 1."""

    shoe_number: int
    shoe: Shoe


@dataclass(frozen=True)
class CardsBurned:
    """Before the first round: the cards that were shown, and how many were burned face down."""

    shown: tuple[Card, ...]
    face_down: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "shown", tuple(self.shown))


@dataclass(frozen=True)
class CutCardAppeared:
    """The round in progress is completed and one more is played."""


@dataclass(frozen=True)
class BettingOpened:
    """A round has begun and takes wagers."""

    round_number: int
    rules_digest: str
    """The rules under which this round is settled, now and in any replay."""
    settings_digest: str
    """The settings under which it is played, limits included."""


@dataclass(frozen=True)
class StakeChanged:
    """A wager was placed (before is 0), increased, reduced or withdrawn (after is 0)."""

    round_number: int
    patron: str
    wager: str
    before: int
    after: int


@dataclass(frozen=True)
class BettingClosed:
    """No more bets: whatever lies on the felt is in play."""

    round_number: int


@dataclass(frozen=True)
class CardDealt:
    """The card went to the hand that was due."""

    round_number: int
    hand: Hand
    card: Card


@dataclass(frozen=True)
class CardTakenBack:
    """It was keyed wrongly and is in the shoe."""

    round_number: int
    hand: Hand
    card: Card


@dataclass(frozen=True)
class ResultAnnounced:
    """Both hands are complete and the result was called; nothing has been paid yet."""

    round_number: int
    winner: Winner
    player_total: int
    banker_total: int


@dataclass(frozen=True)
class AnnouncementWithdrawn:
    """What was called was wrong, and nothing had been settled on it."""

    round_number: int
    note: str


@dataclass(frozen=True)
class RoundSettled:
    """By patron, in the order of their names; what each gets back is the sum of `returned` over the wagers."""

    round_number: int
    settlements: Mapping[str, Settlement]

    def __post_init__(self) -> None:
        _freeze(self, "settlements")


@dataclass(frozen=True)
class RoundVoided:
    """The round does not count: every wager went back."""

    round_number: int
    irregularity: Irregularity
    clause: str
    note: str
    after_settlement: bool
    """Whether the round was settled already: then the house makes good, not the stakes on the felt."""
    currency: str
    """What the round was played in: the table may have changed over since."""
    refunds: Mapping[str, int]
    """Money to each patron so that the round has cost and won nothing; negative where winnings are taken back."""
    by: str = ""
    and_by: str = ""
    """The two people who decided it; empty where none did."""

    def __post_init__(self) -> None:
        _freeze(self, "refunds")


@dataclass(frozen=True)
class RoundCorrected:
    """The cards of the round were others than had been keyed."""

    round_number: int
    clause: str
    before: Deal
    after: Deal
    set_aside: tuple[Card, ...]
    """Cards that this correction found to belong to neither hand."""
    taken_up: tuple[Card, ...]
    """Cards that were set aside before and belong to a hand after all."""
    note: str
    settlements: Mapping[str, Settlement] | None
    """Anew by patron where the round was settled already; None where it was not."""
    currency: str
    """What the round was played in: the table may have changed over since."""
    adjustments: Mapping[str, int]
    """Money to each patron that makes up the difference; negative where it is taken back."""
    by: str = ""
    and_by: str = ""
    """As with a void."""

    def __post_init__(self) -> None:
        if self.settlements is not None:
            _freeze(self, "settlements")
        _freeze(self, "adjustments")
        object.__setattr__(self, "set_aside", tuple(self.set_aside))
        object.__setattr__(self, "taken_up", tuple(self.taken_up))


@dataclass(frozen=True)
class CardsSetAside:
    """Cards left the shoe and belong to no hand."""

    cards: tuple[Card, ...]
    note: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "cards", tuple(self.cards))


@dataclass(frozen=True)
class CountCorrected:
    """A card of an earlier moment was another than had been keyed: what is unseen changes, and no result."""

    round_number: int | None
    keyed: Card
    drawn: Card | None
    face_down: int | None
    """How many cards were burned face down in fact, where that was wrong too."""
    note: str


@dataclass(frozen=True)
class TablePaused:
    """Nothing goes on until the table resumes."""

    reason: str
    request: str | None = None
    """The id of what waits for a second person, where that is why."""


@dataclass(frozen=True)
class TableResumed:
    """The pause is over."""


@dataclass(frozen=True)
class ShoeEnded:
    """The shoe is out of play; the note says why."""

    note: str


def _freeze(event: object, field: str) -> None:
    """Keep the mapping as a copy that nobody can change, in the order of its keys."""
    found = getattr(event, field)
    names = list(found)
    if type(found) is not FrozenMap or names != sorted(names):
        object.__setattr__(event, field, FrozenMap((key, found[key]) for key in sorted(names)))


Event = (
    TableOpened
    | SettingsChanged
    | ShoeOpened
    | CardsBurned
    | CutCardAppeared
    | BettingOpened
    | StakeChanged
    | BettingClosed
    | CardDealt
    | CardTakenBack
    | ResultAnnounced
    | AnnouncementWithdrawn
    | RoundSettled
    | RoundVoided
    | RoundCorrected
    | CardsSetAside
    | CountCorrected
    | TablePaused
    | TableResumed
    | ShoeEnded
)
"""All that can happen at a table."""
