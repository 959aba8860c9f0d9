"""The money that an event moves: the one place that knows, for balances, ledgers and whoever keeps books."""

from collections.abc import Mapping
from typing import assert_never

from puntobanco.immutable import FrozenMap
from puntobanco.table.events import (
    AnnouncementWithdrawn,
    BettingClosed,
    BettingOpened,
    CardDealt,
    CardsBurned,
    CardsSetAside,
    CardTakenBack,
    CountCorrected,
    CutCardAppeared,
    Event,
    ResultAnnounced,
    RoundCorrected,
    RoundSettled,
    RoundVoided,
    SettingsChanged,
    ShoeEnded,
    ShoeOpened,
    StakeChanged,
    TableOpened,
    TablePaused,
    TableResumed,
)

NOTHING: Mapping[str, int] = FrozenMap()


def money_moved(event: Event) -> Mapping[str, int]:
    """What the event gives to each patron; negative where it takes. Total over all events."""
    match event:
        case StakeChanged(patron=patron, before=before, after=after):
            return {patron: before - after}
        case RoundSettled(settlements=settlements):
            return {patron: settled.returned for patron, settled in settlements.items()}
        case RoundVoided(refunds=refunds):
            return refunds
        case RoundCorrected(adjustments=adjustments):
            return adjustments
        case (
            TableOpened()
            | SettingsChanged()
            | ShoeOpened()
            | CardsBurned()
            | CutCardAppeared()
            | BettingOpened()
            | BettingClosed()
            | CardDealt()
            | CardTakenBack()
            | ResultAnnounced()
            | AnnouncementWithdrawn()
            | CardsSetAside()
            | CountCorrected()
            | TablePaused()
            | TableResumed()
            | ShoeEnded()
        ):
            return NOTHING
        case _:
            assert_never(event)
