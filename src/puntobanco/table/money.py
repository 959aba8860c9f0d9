"""The money that an event moves: the one place that knows, for balances, ledgers and whoever keeps books."""

from collections.abc import Mapping
from typing import assert_never

from puntobanco.immutable import FrozenMap
from puntobanco.table import events
from puntobanco.table.events import Event

NOTHING: Mapping[str, int] = FrozenMap()


def money_moved(event: Event) -> Mapping[str, int]:
    """What the event gives to each patron; negative where it takes. Total over all events."""
    match event:
        case events.StakeChanged():
            return {event.patron: event.before - event.after}
        case events.RoundSettled(settlements=settlements):
            return {patron: settled.returned for patron, settled in settlements.items()}
        case events.RoundVoided(refunds=refunds):
            return refunds
        case events.RoundCorrected(adjustments=adjustments):
            return adjustments
        case (
            events.TableOpened()
            | events.SettingsChanged()
            | events.ShoeOpened()
            | events.CardsBurned()
            | events.CutCardAppeared()
            | events.BettingOpened()
            | events.BettingClosed()
            | events.CardDealt()
            | events.CardTakenBack()
            | events.ResultAnnounced()
            | events.AnnouncementWithdrawn()
            | events.CardsSetAside()
            | events.CountCorrected()
            | events.TablePaused()
            | events.TableResumed()
            | events.ShoeEnded()
        ):
            return NOTHING
        case _:
            assert_never(event)
