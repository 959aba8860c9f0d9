"""How a shoe is dealt (ruling 17): what is burned from a new one, where the cut card lies, what a round may take.

>>> from puntobanco.cards import STANDARD_PACK
>>> at_a_table = BurnAndCut()
>>> at_a_table.burned_after(STANDARD_PACK.card("9h")), at_a_table.burned_after(STANDARD_PACK.card("Kh"))
(9, 10)
>>> at_a_table.cut_card_is_out(cards_in_shoe=14)
True
"""

from dataclasses import dataclass
from enum import StrEnum

from puntobanco.cards import Card
from puntobanco.errors import DeclarationError

CARDS_FOR_A_ROUND = 6
"""No round is begun with fewer cards in the shoe than a round can take (5.5)."""

ROUNDS_AFTER_THE_CUT_CARD = 1
"""When the cut card appears, the round in progress is completed and so many more are played."""


class BurnRule(StrEnum):
    """What is burned from a new shoe."""

    BY_FIRST_CARD = "by-first-card"
    """The first card is shown, and as many cards as its face value follow it, ten for a ten or a picture."""
    OFF = "off"


@dataclass(frozen=True)
class BurnAndCut:
    """How a shoe is dealt; by default as at a table."""

    burn: BurnRule = BurnRule.BY_FIRST_CARD
    cut_depth: int = 14
    """How many cards lie behind the cut card."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "burn", BurnRule(self.burn))
        if type(self.cut_depth) is not int or self.cut_depth < 0:
            raise DeclarationError(f"A cut card {self.cut_depth!r} cards from the end is in no shoe.")

    @property
    def burns(self) -> bool:
        return self.burn is BurnRule.BY_FIRST_CARD

    @property
    def most_burned(self) -> int:
        """How many cards leave a new shoe at most before its first round: the first one and ten more."""
        return 11 if self.burns else 0

    def burned_after(self, first: Card) -> int:
        """How many cards are burned after the first one is shown."""
        return first.points or 10

    def cut_card_is_out(self, cards_in_shoe: int) -> bool:
        """Whether the cut card has come out when so many cards are left."""
        return cards_in_shoe <= self.cut_depth


AT_A_TABLE = BurnAndCut()
"""As tables deal: a burn by the first card, and the cut card 14 from the end."""
