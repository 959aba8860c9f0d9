"""The table after an event: the fold of what has happened, without asking again whether it should have."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from puntobanco.cards import Card, Deal, Shoe, shown
from puntobanco.dealing import ROUNDS_AFTER_THE_CUT_CARD
from puntobanco.errors import DeclarationError, Fault
from puntobanco.immutable import FrozenMap
from puntobanco.table import events
from puntobanco.table.commands import Irregularity
from puntobanco.table.events import Event
from puntobanco.table.state import (
    NO_SPOTS,
    NO_STAKES,
    NOBODY,
    LastRound,
    Phase,
    Round,
    ShoeInPlay,
    SpotTotal,
    Table,
)
from puntobanco.tableau import Hand


class ImpossibleEvent(Fault):
    """An event that cannot have happened at this table: another table's record, or one that was tampered with."""

    def __init__(self, message: str) -> None:
        super().__init__("impossible-event", message)

    def __reduce__(self) -> tuple[type["ImpossibleEvent"], tuple[str]]:
        return ImpossibleEvent, (self.message,)


def evolve(table: Table | None, event: Event) -> Table:
    """The table after the event. Total over events that `decide` gave for this table; None is a table not yet open."""
    fold = FOLDS.get(type(event))
    if fold is None:
        raise DeclarationError(f"{shown(event)} is not an event of a table.")
    if table is None:
        if not isinstance(event, events.TableOpened):
            raise ImpossibleEvent("The first event of a table carries its settings.")
        return Table(event.settings)
    try:
        return fold(table, event)
    except (LookupError, ValueError, TypeError, AttributeError, AssertionError) as error:
        raise ImpossibleEvent(f"{type(event).__name__} cannot have happened at this table: {error!r}.") from error


def replay(table: Table | None, happened: Iterable[Event]) -> Table:
    """The table after all the events, in order; None is a table not yet open, whose first event opens it."""
    for event in happened:
        table = evolve(table, event)
    if table is None:
        raise ImpossibleEvent("The first event of a table carries its settings, and there is no event.")
    return table


def _table_opened(table: Table, event: events.TableOpened) -> Table:
    raise ImpossibleEvent(
        f"These events open a table of {event.settings.game.name}, and this table of {table.settings.game.name} "
        "is open already."
    )


def _settings_changed(table: Table, event: events.SettingsChanged) -> Table:
    return table.but(settings=event.settings)


def _shoe_opened(table: Table, event: events.ShoeOpened) -> Table:
    if event.shoe != table.settings.full_shoe:
        raise ImpossibleEvent(
            f"A shoe of {event.shoe.size} cards of the {event.shoe.pack.name} is not opened at a table of "
            f"{table.settings.game.name} with {table.settings.decks} decks."
        )
    return table.but(
        phase=Phase.BURN_DUE if table.settings.burn_and_cut.burns else Phase.READY,
        last=_with_its_shoe(table),
        shoe=ShoeInPlay(event.shoe_number, event.shoe, event.shoe.size),
        shoe_number=event.shoe_number,
    )


def _shoe_ended(table: Table, event: events.ShoeEnded) -> Table:
    return table.but(phase=Phase.CLOSED, last=_with_its_shoe(table), shoe=None)


def _with_its_shoe(table: Table) -> LastRound | None:
    """The last round together with the shoe that goes out of play, if it was dealt from that."""
    last = table.last
    return replace(last, shoe=table.shoe) if last is not None and last.shoe is None else last


def _cards_burned(table: Table, event: events.CardsBurned) -> Table:
    shoe = _in_play(table)
    return table.but(
        phase=Phase.READY,
        shoe=replace(
            shoe,
            unseen=_out_of(shoe.unseen, event.shown),
            cards=shoe.cards - len(event.shown) - event.face_down,
            shown=event.shown,
            face_down=event.face_down,
        ),
    )


def _cut_card_appeared(table: Table, event: events.CutCardAppeared) -> Table:
    rounds_left = ROUNDS_AFTER_THE_CUT_CARD + table.phase.in_round
    return table.but(shoe=replace(_in_play(table), rounds_left=rounds_left))


def _betting_opened(table: Table, event: events.BettingOpened) -> Table:
    # Ruling 18: a round is replayed under the rules it was opened with, or not at all.
    if event.rules_digest != table.settings.game.digest:
        raise ImpossibleEvent(
            f"Round {event.round_number} was opened under the rules {shown(event.rules_digest)}; "
            f"this table plays by {table.settings.game.digest}."
        )
    if event.settings_digest != table.settings.digest:
        raise ImpossibleEvent(f"Round {event.round_number} was opened at a table with other settings.")
    return table.but(phase=Phase.BETTING, round_number=event.round_number, last=None)


def _stake_changed(table: Table, event: events.StakeChanged) -> Table:
    patron, wager, before, after = event.patron, event.wager, event.before, event.after
    slip, spots = {**table.slip(patron)}, {**table.spots}
    stake, patrons = spots.get(wager, NOBODY)
    patrons += (after > 0) - (before > 0)
    spots[wager] = SpotTotal(stake + after - before, patrons)
    slip[wager] = after
    if not after:
        del slip[wager]
    if not patrons:
        del spots[wager]
    stakes = table.stakes.set(patron, FrozenMap(slip)) if slip else table.stakes.without(patron)
    return table.but(stakes=stakes, spots=FrozenMap(spots))


def _betting_closed(table: Table, event: events.BettingClosed) -> Table:
    return table.but(phase=Phase.DEALING)


def _card_dealt(table: Table, event: events.CardDealt) -> Table:
    shoe, (player, banker) = _in_play(table), _hands(table.deal)
    is_player = event.hand is Hand.PLAYER
    deal = Deal((*player, event.card), banker) if is_player else Deal(player, (*banker, event.card))
    return table.but(
        phase=_dealing_phase(table, deal),
        deal=deal,
        last_dealt=event.hand,
        shoe=replace(shoe, unseen=_out_of(shoe.unseen, (event.card,)), cards=shoe.cards - 1),
    )


def _card_taken_back(table: Table, event: events.CardTakenBack) -> Table:
    player, banker = _hands(table.deal)
    if (player if event.hand is Hand.PLAYER else banker)[-1:] != (event.card,):
        raise ImpossibleEvent(f"{event.card} is not the last card of the {event.hand.label}.")
    return table.but(
        phase=Phase.DEALING,
        deal=Deal(player[:-1], banker) if event.hand is Hand.PLAYER else Deal(player, banker[:-1]),
        last_dealt=None,
        shoe=_moved(table, _in_play(table), (event.card,), ()),
    )


def _hands(deal: Deal) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    return deal.player, deal.banker


def _dealing_phase(table: Table, deal: Deal) -> Phase:
    return Phase.DEALING if table.settings.game.tableau.due(deal).hand else Phase.COMPLETE


def _result_announced(table: Table, event: events.ResultAnnounced) -> Table:
    return table.but(phase=Phase.ANNOUNCED, last_dealt=None)


def _announcement_withdrawn(table: Table, event: events.AnnouncementWithdrawn) -> Table:
    return table.but(phase=Phase.COMPLETE)


def _round_settled(table: Table, event: events.RoundSettled) -> Table:
    return _round_over(table, None)


def _round_over(table: Table, void: Irregularity | None) -> Table:
    finished = Round(table.round_number, table.deal, void, table.corrected)
    shoe = _in_play(table)
    left = None if shoe.rounds_left is None else shoe.rounds_left - 1
    if void is Irregularity.INSUFFICIENT_CARDS:
        # 5.5: a shoe that could not complete a round cannot begin another.
        left = 0
    return table.but(
        phase=Phase.READY,
        stakes=NO_STAKES,
        spots=NO_SPOTS,
        deal=Deal(),
        corrected=False,
        last_dealt=None,
        shoe=replace(shoe, rounds=(*shoe.rounds, finished), rounds_left=left),
        last=LastRound(finished, table.settings, table.stakes, None),
    )


def _round_voided(table: Table, event: events.RoundVoided) -> Table:
    if table.phase.in_round:
        return _round_over(table, event.irregularity)
    last = _last(table)
    return _with_last(table, last.round._replace(void=event.irregularity))


def _round_corrected(table: Table, event: events.RoundCorrected) -> Table:
    back, out = event.before.cards + event.taken_up, event.after.cards + event.set_aside
    if not table.phase.in_round:
        last = _last(table)
        shoe = _moved(table, last.shoe or _in_play(table), back, out, event.set_aside, event.taken_up)
        return _with_last(table, last.round._replace(deal=event.after, corrected=True), shoe)
    # What was announced of the wrong cards is announced again of the right ones.
    return table.but(
        phase=_dealing_phase(table, event.after),
        deal=event.after,
        corrected=True,
        last_dealt=None,
        shoe=_moved(table, _in_play(table), back, out, event.set_aside, event.taken_up),
    )


def _moved(
    table: Table,
    shoe: ShoeInPlay,
    back: tuple[Card, ...],
    out: tuple[Card, ...],
    set_aside: tuple[Card, ...] = (),
    taken_up: tuple[Card, ...] = (),
    burned_less: int = 0,
) -> ShoeInPlay:
    """The shoe after cards were found to be in it, and others to be out of it."""
    aside = [*shoe.set_aside, *set_aside]
    for card in taken_up:
        aside.remove(card)
    cards = shoe.cards + len(back) - len(out) + burned_less
    # A cut card that only a wrong count had turned up lies in the shoe still; after the last round nothing changes.
    is_out = shoe.rounds_left == 0 or table.settings.burn_and_cut.cut_card_is_out(cards)
    return replace(
        shoe,
        unseen=_out_of(shoe.unseen.with_cards(back), out),
        cards=cards,
        set_aside=tuple(aside),
        rounds_left=shoe.rounds_left if is_out else None,
    )


def _with_last(table: Table, changed: Round, its_shoe: ShoeInPlay | None = None) -> Table:
    """The table with its last round changed, in the record of its shoe too."""
    last = _last(table)
    shoe = its_shoe or last.shoe or _in_play(table)
    shoe = replace(shoe, rounds=(*shoe.rounds[:-1], changed))
    if last.shoe is not None:
        return table.but(last=replace(last, round=changed, shoe=shoe))
    return table.but(last=replace(last, round=changed), shoe=shoe)


def _cards_set_aside(table: Table, event: events.CardsSetAside) -> Table:
    return table.but(shoe=_moved(table, _in_play(table), (), event.cards, event.cards), last_dealt=None)


def _count_corrected(table: Table, event: events.CountCorrected) -> Table:
    shoe, keyed, drawn = _in_play(table), event.keyed, event.drawn
    drawn_cards = () if drawn is None else (drawn,)
    face_down = shoe.face_down if event.face_down is None else event.face_down
    counted = _moved(table, shoe, (keyed,), drawn_cards, burned_less=shoe.face_down - face_down)
    counted = replace(counted, face_down=face_down)
    if event.round_number is not None:
        if event.round_number not in [each.number for each in shoe.rounds]:
            raise ImpossibleEvent(f"Round {event.round_number} is no finished round of this shoe.")
        rounds = tuple(
            each._replace(recounted=(*each.recounted, (keyed, drawn))) if each.number == event.round_number else each
            for each in shoe.rounds
        )
        counted = replace(counted, rounds=rounds)
        if table.last is not None and table.last.round.number == event.round_number:
            table = table.but(last=replace(table.last, round=rounds[-1]))
    elif not shoe.burn_is_meant(keyed, event.face_down):
        counted = replace(counted, set_aside=_exchanged(shoe.set_aside, keyed, drawn_cards))
    else:
        counted = replace(counted, shown=_exchanged(shoe.shown, keyed, drawn_cards))
    return table.but(shoe=counted, last_dealt=None)


def _exchanged(cards: tuple[Card, ...], keyed: Card, drawn: tuple[Card, ...]) -> tuple[Card, ...]:
    place = cards.index(keyed)
    return cards[:place] + drawn + cards[place + 1 :]


def _table_paused(table: Table, event: events.TablePaused) -> Table:
    return table.but(paused=event.reason, paused_for=event.request)


def _table_resumed(table: Table, event: events.TableResumed) -> Table:
    return table.but(paused="", paused_for=None)


def _in_play(table: Table) -> ShoeInPlay:
    if table.shoe is None:
        raise ImpossibleEvent("No shoe is in play at this table.")
    return table.shoe


def _last(table: Table) -> LastRound:
    if table.last is None:
        raise ImpossibleEvent("No round of this table can still be changed.")
    return table.last


def _out_of(unseen: Shoe, cards: tuple[Card, ...]) -> Shoe:
    """The unseen cards less these, which must be among them."""
    try:
        return unseen.without(cards)
    except ValueError as error:
        raise ImpossibleEvent(str(error)) from None


FOLDS: Mapping[type, Callable[[Table, Any], Table]] = {
    events.StakeChanged: _stake_changed,
    events.TableOpened: _table_opened,
    events.SettingsChanged: _settings_changed,
    events.ShoeOpened: _shoe_opened,
    events.CardsBurned: _cards_burned,
    events.CutCardAppeared: _cut_card_appeared,
    events.BettingOpened: _betting_opened,
    events.BettingClosed: _betting_closed,
    events.CardDealt: _card_dealt,
    events.CardTakenBack: _card_taken_back,
    events.ResultAnnounced: _result_announced,
    events.AnnouncementWithdrawn: _announcement_withdrawn,
    events.RoundSettled: _round_settled,
    events.RoundVoided: _round_voided,
    events.RoundCorrected: _round_corrected,
    events.CardsSetAside: _cards_set_aside,
    events.CountCorrected: _count_corrected,
    events.TablePaused: _table_paused,
    events.TableResumed: _table_resumed,
    events.ShoeEnded: _shoe_ended,
}
