"""What dealers, supervisors and patrons can ask of a table.

A command that belongs to a round names it, so that one that comes too late cannot hit the round after.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from puntobanco.cards import Card, Deal, Shoe, shown
from puntobanco.errors import DeclarationError, InputError
from puntobanco.table.settings import TableSettings
from puntobanco.tableau import Hand

NOTE_LIMIT = 500


def check_cards(cards: Iterable[Card]) -> tuple[Card, ...]:
    """A command about something else than cards is a mistake of the program, not of the dealer."""
    if not isinstance(cards, list | tuple):
        raise DeclarationError(f"{shown(cards)} is not a list of cards.")
    for card in cards:
        if not isinstance(card, Card):
            raise DeclarationError(f"{card!r} is not a card; read it with the pack.")
    return tuple(cards)


def check_deal(deal: Deal) -> Deal:
    if not isinstance(deal, Deal):
        raise DeclarationError(f"{shown(deal)} is not a deal; read it with the pack.")
    return Deal(check_cards(deal.player), check_cards(deal.banker))


def check_note(note: str, *, needed: bool = False) -> None:
    """A note is a person's own words, and is shown to other people: one printable line."""
    if not isinstance(note, str) or len(note) > NOTE_LIMIT or not note.isprintable():
        raise InputError("bad-note", f"A note is one line of at most {NOTE_LIMIT} printable characters.")
    if needed and not note.strip():
        raise InputError("bad-note", "Say why, in a few words.")


class Irregularity(StrEnum):
    """Why a round is void, in the order of the clauses 5.1 to 5.5 and then ruling 20."""

    FOREIGN_CARD = "foreign-card"
    EXTRA_OR_MISSING_CARD = "extra-or-missing-card"
    WRONG_NUMBER_OF_CARDS = "wrong-number-of-cards"
    SIMULTANEOUS_CARDS = "simultaneous-cards"
    ORDER_ALTERED = "order-altered"
    INSUFFICIENT_CARDS = "insufficient-cards"
    TECHNICAL_FAULT = "technical-fault"
    """A reader, a display, the server: the electronic table failed, in a way that no document names."""


@dataclass(frozen=True)
class OpenTable:
    """The first command of every table."""

    settings: TableSettings

    def __post_init__(self) -> None:
        _check_settings(self.settings)


@dataclass(frozen=True)
class ChangeSettings:
    """The house sets the table up anew: its limits between two rounds, all else between two shoes."""

    settings: TableSettings

    def __post_init__(self) -> None:
        _check_settings(self.settings)


def _check_settings(settings: TableSettings) -> None:
    if not isinstance(settings, TableSettings):
        raise DeclarationError(f"{shown(settings)} are not the settings of a table.")


@dataclass(frozen=True)
class OpenShoe:
    """A new shoe, as counted by the dealer."""

    counted: Shoe

    def __post_init__(self) -> None:
        if not isinstance(self.counted, Shoe):
            raise DeclarationError(f"{shown(self.counted)} is not a count of cards.")


@dataclass(frozen=True)
class BurnCards:
    """The burn: the cards that were shown, the first first, and how many were burned face down."""

    shown: tuple[Card, ...]
    face_down: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "shown", check_cards(self.shown))
        if type(self.face_down) is not int:
            raise DeclarationError(f"Cards are burned in whole numbers, not {self.face_down!r}.")


@dataclass(frozen=True)
class OpenBetting:
    """ "Place your bets, please"."""


@dataclass(frozen=True)
class PlaceWager:
    """A first stake on a spot."""

    round_number: int
    patron: str
    wager: str
    stake: int
    currency: str | None = None


@dataclass(frozen=True)
class IncreaseWager:
    """More on a spot that has a stake."""

    round_number: int
    patron: str
    wager: str
    by: int


@dataclass(frozen=True)
class ReduceWager:
    """Less on a spot, which keeps a stake."""

    round_number: int
    patron: str
    wager: str
    by: int


@dataclass(frozen=True)
class WithdrawWager:
    """The whole stake of a spot back."""

    round_number: int
    patron: str
    wager: str


@dataclass(frozen=True)
class CloseBetting:
    """ "No more bets"."""

    round_number: int


@dataclass(frozen=True)
class DealCard:
    """The next card out of the shoe, to the hand that the dealer lays it on."""

    round_number: int
    hand: Hand
    card: Card

    def __post_init__(self) -> None:
        object.__setattr__(self, "hand", Hand(self.hand))
        check_cards((self.card,))


@dataclass(frozen=True)
class TakeBackCard:
    """The dealer keyed what was not there, and has done nothing since."""

    round_number: int


@dataclass(frozen=True)
class AnnounceResult:
    """The dealer calls the totals and the winner."""

    round_number: int


@dataclass(frozen=True)
class WithdrawAnnouncement:
    """What was called is wrong, and nothing has been settled on it yet."""

    round_number: int
    note: str = ""

    def __post_init__(self) -> None:
        check_note(self.note)


@dataclass(frozen=True)
class SettleRound:
    """Losing wagers are collected, then winning wagers are paid."""

    round_number: int


@dataclass(frozen=True)
class VoidRound:
    """The round does not count: every wager goes back."""

    round_number: int
    irregularity: Irregularity
    note: str = ""
    by: str = ""
    """Who asked for it, where people decide about it; a table that leads itself has none to name."""
    and_by: str = ""
    """Who agreed: somebody else."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "irregularity", Irregularity(self.irregularity))
        check_note(self.note)


@dataclass(frozen=True)
class CorrectRound:
    """The cards could be reconstructed: this is the deal that stands.

    A card that is in the deal no longer, and is not set aside, was never out of the shoe: it was keyed wrongly.
    """

    round_number: int
    deal: Deal
    set_aside: tuple[Card, ...] = ()
    """Cards drawn in error, seen and out of the shoe, that belong to neither hand; those set aside before remain so."""
    taken_up: tuple[Card, ...] = ()
    """Cards set aside before that belong to a hand of the deal after all."""
    note: str = ""
    by: str = ""
    and_by: str = ""
    """As with a void."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "deal", check_deal(self.deal))
        object.__setattr__(self, "set_aside", check_cards(self.set_aside))
        object.__setattr__(self, "taken_up", check_cards(self.taken_up))
        check_note(self.note)


@dataclass(frozen=True)
class SetCardsAside:
    """Cards left the shoe and belong to no hand: at any moment from the opening of a shoe to its end."""

    cards: tuple[Card, ...]
    note: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "cards", check_cards(self.cards))
        check_note(self.note)


@dataclass(frozen=True)
class CorrectCount:
    """An earlier card of this shoe was keyed wrongly: its round stands, and only the count of cards is put right."""

    round_number: int | None
    """None for a card that was shown in the burn or set aside."""
    keyed: Card
    drawn: Card | None
    """What the card was; None where no card was drawn at all."""
    face_down: int | None = None
    """How many cards were burned face down in fact, where that was keyed wrongly with the first card of the burn."""
    note: str = ""

    def __post_init__(self) -> None:
        check_cards((self.keyed,) if self.drawn is None else (self.keyed, self.drawn))
        if self.face_down is not None and type(self.face_down) is not int:
            raise DeclarationError(f"Cards are burned in whole numbers, not {self.face_down!r}.")
        check_note(self.note)


@dataclass(frozen=True)
class PauseTable:
    """The round does not go on, and no wager changes, until the table resumes; what went wrong can be put right."""

    reason: str
    request: str | None = None
    """The id of what somebody has asked for and another must agree to; None where the table was paused by itself."""

    def __post_init__(self) -> None:
        check_note(self.reason, needed=True)
        if self.request is not None:
            check_note(self.request, needed=True)


@dataclass(frozen=True)
class ResumeTable:
    """The pause is over, and the round goes on where it was."""


@dataclass(frozen=True)
class EndShoe:
    """The house takes the shoe out of play between two rounds."""

    note: str = ""

    def __post_init__(self) -> None:
        check_note(self.note)


WagerCommand = PlaceWager | IncreaseWager | ReduceWager | WithdrawWager
"""What a patron asks for; all other commands are those of the house."""
Command = (
    OpenTable
    | ChangeSettings
    | OpenShoe
    | BurnCards
    | OpenBetting
    | WagerCommand
    | CloseBetting
    | DealCard
    | TakeBackCard
    | AnnounceResult
    | WithdrawAnnouncement
    | SettleRound
    | VoidRound
    | CorrectRound
    | SetCardsAside
    | CorrectCount
    | PauseTable
    | ResumeTable
    | EndShoe
)
"""All that a table can be asked to do."""
