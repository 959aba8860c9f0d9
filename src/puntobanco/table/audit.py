"""Every event of a table decided again: what could not have happened is found, however well it was written.

`replay` believes its events. `audit` asks of each one which command it came from, has the table decide that command
once more, and compares: an amount that was tampered with, a settlement without cards, a card that was not in the
shoe, a round under other rules.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple, assert_never

from puntobanco.cards import shown
from puntobanco.table import commands, events
from puntobanco.table.commands import Command
from puntobanco.table.decide import decide
from puntobanco.table.events import Event
from puntobanco.table.evolve import evolve
from puntobanco.table.notation import write_event
from puntobanco.table.reasons import Refused
from puntobanco.table.state import Table


class Problem(NamedTuple):
    """An event that could not have happened, by its place in the record, from 0."""

    place: int
    event: Event | None
    """None where there is no event at all."""
    message: str

    def __str__(self) -> str:
        try:
            said = "none" if self.event is None else write_event(self.event)
        except Exception:
            # What could not have happened may not be writable either.
            said = shown(self.event)
        return f"Event {self.place} ({said}): {self.message}"


def audit(happened: Iterable[Event], table: Table | None = None) -> Iterator[Problem]:
    """Every event that could not have happened, from the first event of a table or from the table given.

    After an event that the table would have refused it is folded in all the same, if it can be, so that one fault does
    not hide the next; where it cannot be, the audit ends with it.
    """
    # A record may be taken up between an event and the cut card that it turned up.
    shoe = table.shoe if table else None
    is_due = table and shoe and shoe.rounds_left is None and table.settings.burn_and_cut.cut_card_is_out(shoe.cards)
    owed: Event | None = events.CutCardAppeared() if is_due else None
    place, event = -1, None
    for place, event in enumerate(happened):
        try:
            if owed is not None or isinstance(event, events.CutCardAppeared):
                # It follows from the event before it and has no command of its own.
                if event != owed:
                    message = "The cut card appears here." if owed else "The cut card does not appear here."
                    yield Problem(place, event, message)
                owed = None
            else:
                expected = decide(table, cause(table, event))
                if expected[0] != event:
                    yield Problem(place, event, f"The table would have written: {write_event(expected[0])}.")
                owed = expected[1] if len(expected) > 1 else None
        except Refused as refused:
            yield Problem(place, event, str(refused))
        except Exception as error:
            # After events that could not have happened the table may be in a state that no table can be in.
            yield Problem(place, event, f"It makes no sense here: {error!r}.")
        try:
            table = evolve(table, event)
        except Exception as error:
            yield Problem(place, event, f"The table cannot go on from here: {error}")
            return
    # Where nothing has happened since the table given, its record has not gone on yet; that is no fault of it.
    if owed is not None and event is not None:
        yield Problem(place, event, "The cut card appears after it, and the record ends.")
    if table is None and event is None:
        yield Problem(0, None, "A record begins with the opening of its table, and there is nothing.")


def cause(table: Table | None, event: Event) -> Command:
    """The command that the event came from."""
    match event:
        case events.TableOpened(settings):
            return commands.OpenTable(settings)
        case events.SettingsChanged(settings):
            return commands.ChangeSettings(settings)
        case events.ShoeOpened(_, shoe):
            return commands.OpenShoe(shoe)
        case events.CardsBurned(shown, face_down):
            return commands.BurnCards(shown, face_down)
        case events.CutCardAppeared():
            raise AssertionError("the cut card has no command of its own")
        case events.BettingOpened():
            return commands.OpenBetting()
        case events.StakeChanged():
            return _wager(event)
        case events.BettingClosed(number):
            return commands.CloseBetting(number)
        case events.CardDealt(number, hand, card):
            return commands.DealCard(number, hand, card)
        case events.CardTakenBack(number):
            return commands.TakeBackCard(number)
        case events.ResultAnnounced(number):
            return commands.AnnounceResult(number)
        case events.AnnouncementWithdrawn(number, note):
            return commands.WithdrawAnnouncement(number, note)
        case events.RoundSettled(number):
            return commands.SettleRound(number)
        case events.RoundVoided(number, irregularity, _, note, by=by, and_by=and_by):
            return commands.VoidRound(number, irregularity, note, by, and_by)
        case events.RoundCorrected(number, _, _, after, set_aside, taken_up, note, by=by, and_by=and_by):
            return commands.CorrectRound(number, after, set_aside, taken_up, note, by, and_by)
        case events.CardsSetAside(cards, note):
            return commands.SetCardsAside(cards, note)
        case events.CountCorrected(number, keyed, drawn, face_down, note):
            return commands.CorrectCount(number, keyed, drawn, face_down, note)
        case events.TablePaused(reason, request):
            return commands.PauseTable(reason, request)
        case events.TableResumed():
            return commands.ResumeTable()
        case events.ShoeEnded(note):
            return commands.EndShoe(note)
        case _:
            assert_never(event)


def _wager(event: events.StakeChanged) -> commands.WagerCommand:
    number, patron, wager, before, after = event.round_number, event.patron, event.wager, event.before, event.after
    if not before:
        return commands.PlaceWager(number, patron, wager, after)
    if not after:
        return commands.WithdrawWager(number, patron, wager)
    if after > before:
        return commands.IncreaseWager(number, patron, wager, after - before)
    return commands.ReduceWager(number, patron, wager, before - after)
