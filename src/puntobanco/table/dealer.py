"""The dealer of a virtual table: what the house does next, and the cards turned into commands.

When betting opens and closes is for a clock or a person to say; all else follows from the table.
"""

from collections.abc import Callable

from puntobanco.cards import Card
from puntobanco.table.commands import (
    AnnounceResult,
    BurnCards,
    CloseBetting,
    Command,
    DealCard,
    Irregularity,
    OpenBetting,
    OpenShoe,
    SettleRound,
    VoidRound,
)
from puntobanco.table.reasons import Refused
from puntobanco.table.round_refusals import needs_no_pause
from puntobanco.table.state import Phase, Table

Draw = Callable[[], Card]
"""Takes the next card out of the shoe."""


def next_step(table: Table, draw: Draw, *, shows_burn: bool = False) -> Command:
    """What the house does next: there is always something. A card that is due is drawn.

    Of the cards that are burned only the first is shown, unless the house shows them all, as a committed shoe does.

    Raises Refused, before any card is drawn, where the table is paused.
    """
    for refused in needs_no_pause(table):
        raise Refused(refused)
    number = table.round_number
    match table.phase:
        case Phase.CLOSED:
            return OpenShoe(table.settings.full_shoe)
        case Phase.BURN_DUE:
            first = draw()
            burned = tuple(draw() for _ in range(table.settings.burn_and_cut.burned_after(first)))
            return BurnCards((first, *burned)) if shows_burn else BurnCards((first,), face_down=len(burned))
        case Phase.READY:
            return OpenShoe(table.settings.full_shoe) if table.shoe_finished else OpenBetting()
        case Phase.BETTING:
            return CloseBetting(number)
        case Phase.DEALING:
            hand = table.due.hand
            assert hand is not None, "a card is due for as long as a round is being dealt"
            if not table.cards_in_shoe:
                # 5.5: a round that the shoe cannot complete is void.
                return VoidRound(number, Irregularity.INSUFFICIENT_CARDS)
            return DealCard(number, hand, draw())
        case Phase.COMPLETE:
            return AnnounceResult(number)
        case Phase.ANNOUNCED:
            return SettleRound(number)
