"""What dealers, supervisors and patrons can ask of a table."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from puntobanco.cards import Card, Deal, Shoe
from puntobanco.errors import DeclarationError
from puntobanco.tableau import Hand


def check_cards(cards: Iterable[Card]) -> None:
    """A command about something else than cards is a mistake of the program, not of the dealer."""
    for card in cards:
        if not isinstance(card, Card):
            raise DeclarationError(f"{card!r} is not a card; read it with the pack.")


class Irregularity(StrEnum):
    """Why a round is void, in the order of the clauses 5.1 to 5.5."""

    FOREIGN_CARD = "foreign-card"
    EXTRA_OR_MISSING_CARD = "extra-or-missing-card"
    WRONG_NUMBER_OF_CARDS = "wrong-number-of-cards"
    SIMULTANEOUS_CARDS = "simultaneous-cards"
    ORDER_ALTERED = "order-altered"
    INSUFFICIENT_CARDS = "insufficient-cards"


@dataclass(frozen=True)
class OpenShoe:
    """A new shoe, as counted by the dealer."""

    counted: Shoe


@dataclass(frozen=True)
class BurnCards:
    """The burn: the cards that were shown, the first first, and how many were burned face down."""

    shown: tuple[Card, ...]
    face_down: int = 0

    def __post_init__(self) -> None:
        check_cards(self.shown)
        if type(self.face_down) is not int:
            raise DeclarationError(f"Cards are burned in whole numbers, not {self.face_down!r}.")


@dataclass(frozen=True)
class OpenBetting:
    """ "Place your bets, please"."""


@dataclass(frozen=True)
class PlaceWager:
    """A first stake on a spot."""

    patron: str
    wager: str
    stake: int
    currency: str | None = None


@dataclass(frozen=True)
class IncreaseWager:
    patron: str
    wager: str
    by: int


@dataclass(frozen=True)
class ReduceWager:
    patron: str
    wager: str
    by: int


@dataclass(frozen=True)
class WithdrawWager:
    patron: str
    wager: str


@dataclass(frozen=True)
class CloseBetting:
    """ "No more bets"."""


@dataclass(frozen=True)
class DealCard:
    """The next card out of the shoe, to the hand that the dealer lays it on."""

    hand: Hand
    card: Card

    def __post_init__(self) -> None:
        object.__setattr__(self, "hand", Hand(self.hand))
        check_cards((self.card,))


@dataclass(frozen=True)
class AnnounceResult:
    """The dealer calls the totals and the winner."""


@dataclass(frozen=True)
class SettleRound:
    """Losing wagers are collected, then winning wagers are paid."""


@dataclass(frozen=True)
class VoidRound:
    """The round does not count: every wager goes back."""

    irregularity: Irregularity
    note: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "irregularity", Irregularity(self.irregularity))


@dataclass(frozen=True)
class CorrectRound:
    """The cards could be reconstructed: this is the deal that stands."""

    deal: Deal
    set_aside: tuple[Card, ...] = ()
    """All cards of the round drawn in error, seen and out of the shoe, that belong to neither hand."""
    note: str = ""

    def __post_init__(self) -> None:
        check_cards(self.deal.cards + self.set_aside)


@dataclass(frozen=True)
class EndShoe:
    """The house takes the shoe out of play between two rounds."""

    note: str = ""


WagerCommand = PlaceWager | IncreaseWager | ReduceWager | WithdrawWager
Command = (
    OpenShoe
    | BurnCards
    | OpenBetting
    | WagerCommand
    | CloseBetting
    | DealCard
    | AnnounceResult
    | SettleRound
    | VoidRound
    | CorrectRound
    | EndShoe
)
