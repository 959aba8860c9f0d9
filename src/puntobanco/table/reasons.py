"""Why a command is refused: the reason, the clause, and a sentence for the person who asked."""

from dataclasses import dataclass
from enum import IntEnum, auto

from puntobanco.rules.documents import cited


class Reason(IntEnum):
    """Why a command is refused, in order of precedence: of several reasons the first is given."""

    # Of the record and its ledger, which are asked before the table.
    ID_REUSED = auto()
    BAD_AMOUNT = auto()
    BAD_UNIT = auto()
    BAD_RATE = auto()
    NOT_EXCHANGED = auto()
    NO_RATE = auto()
    TOO_LITTLE = auto()
    BAD_REASON = auto()
    TWO_PEOPLE = auto()
    OWES = auto()
    INSUFFICIENT_FUNDS = auto()
    # Of a committed shoe.
    WRONG_NONCE = auto()
    # Of the table.
    NO_TABLE = auto()
    TABLE_OPEN = auto()
    PAUSED = auto()
    NOT_PAUSED = auto()
    NO_SHOE = auto()
    SHOE_IN_PLAY = auto()
    WRONG_COMPOSITION = auto()
    BURN_NOT_DUE = auto()
    BURN_DUE = auto()
    ROUND_IN_PROGRESS = auto()
    SHOE_FINISHED = auto()
    INSUFFICIENT_CARDS = auto()
    BETTING_NOT_OPEN = auto()
    NO_ROUND = auto()
    NOT_THIS_ROUND = auto()
    LATE_WAGER = auto()
    LATE_INCREASE = auto()
    LATE_WITHDRAWAL = auto()
    ALREADY_VOID = auto()
    VIRTUAL_SHOE = auto()
    EARLIER_RESULTS_STAND = auto()
    NOT_IN_THE_RULES = auto()
    NO_CARDS_DEALT = auto()
    NO_CARD_DUE = auto()
    CARDS_LEFT = auto()
    BETTING_STILL_OPEN = auto()
    ALREADY_ANNOUNCED = auto()
    CARDS_STILL_DUE = auto()
    NOT_ANNOUNCED = auto()
    NOTHING_TO_TAKE_BACK = auto()
    BAD_PATRON = auto()
    UNKNOWN_WAGER = auto()
    WRONG_CURRENCY = auto()
    BAD_STAKE = auto()
    ALREADY_PLACED = auto()
    NOTHING_PLACED = auto()
    REDUCED_TO_NOTHING = auto()
    BELOW_MINIMUM = auto()
    ABOVE_MAXIMUM = auto()
    OFF_STEP = auto()
    ABOVE_PATRON_LIMIT = auto()
    ABOVE_TABLE_LIMIT = auto()
    ABOVE_HOUSE_LIMIT = auto()
    WRONG_HAND = auto()
    FOREIGN_CARD = auto()
    CARD_EXHAUSTED = auto()
    WRONG_BURN = auto()
    NOT_SET_ASIDE = auto()
    NOT_KEYED = auto()
    UNLAWFUL_DEAL = auto()
    NOTHING_TO_CORRECT = auto()
    NOTHING_TO_CHANGE = auto()

    @property
    def code(self) -> str:
        """The reason as programs read it: `late-wager`."""
        return self.name.lower().replace("_", "-")


@dataclass(frozen=True)
class Refusal:
    """A command that was not carried out. Nothing has changed."""

    reason: Reason
    message: str
    clause: str | None = None

    def __str__(self) -> str:
        return f"{self.message} ({cited(self.clause)})" if self.clause else self.message


class Refused(Exception):
    """Carries a refusal out of `decide`."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal

    def __reduce__(self) -> tuple[type["Refused"], tuple[Refusal]]:
        return Refused, (self.refusal,)
