"""The two functions that make the table: decide what happens, and fold what has happened."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from puntobanco.cards import Deal
from puntobanco.dealing import BurnRule
from puntobanco.rules.facts import read_facts
from puntobanco.settle import Settlement, settle
from puntobanco.table.commands import (
    AnnounceResult,
    BurnCards,
    CloseBetting,
    Command,
    CorrectRound,
    DealCard,
    EndShoe,
    IncreaseWager,
    Irregularity,
    OpenBetting,
    OpenShoe,
    PlaceWager,
    ReduceWager,
    SettleRound,
    VoidRound,
    WithdrawWager,
)
from puntobanco.table.events import (
    BettingClosed,
    BettingOpened,
    CardDealt,
    CardsBurned,
    CutCardAppeared,
    Event,
    ResultAnnounced,
    RoundCorrected,
    RoundSettled,
    RoundVoided,
    ShoeEnded,
    ShoeOpened,
    StakeChanged,
)
from puntobanco.table.refusals import Refused, refusal
from puntobanco.table.state import Phase, Round, Table
from puntobanco.tableau import Hand


def decide(table: Table, command: Command) -> tuple[Event, ...]:
    """What happens when the table carries out the command; raises Refused if it does not."""
    refused = refusal(table, command)
    if refused:
        raise Refused(refused)
    event = _event(table, command)
    after = evolve(table, event)
    if after.unseen is not None and after.rounds_left is None and after.cards_in_shoe <= table.settings.cut_depth:
        return event, CutCardAppeared()
    return (event,)


def _event(table: Table, command: Command) -> Event:
    match command:
        case OpenShoe(counted):
            return ShoeOpened(counted)
        case BurnCards(shown, face_down):
            return CardsBurned(shown, face_down)
        case OpenBetting():
            return BettingOpened(table.round_number + 1, table.settings.game.digest)
        case PlaceWager(patron, wager, stake):
            return StakeChanged(patron, wager, 0, stake)
        case IncreaseWager(patron, wager, by):
            staked = table.stake(patron, wager)
            return StakeChanged(patron, wager, staked, staked + by)
        case ReduceWager(patron, wager, by):
            staked = table.stake(patron, wager)
            return StakeChanged(patron, wager, staked, staked - by)
        case WithdrawWager(patron, wager):
            return StakeChanged(patron, wager, table.stake(patron, wager), 0)
        case CloseBetting():
            return BettingClosed()
        case DealCard(hand, card):
            return CardDealt(hand, card)
        case AnnounceResult():
            facts = read_facts(table.deal)
            return ResultAnnounced(facts.winner, facts.player_total, facts.banker_total)
        case SettleRound():
            return RoundSettled(_settlements(table, table.deal, table.stakes))
        case VoidRound():
            return _voided(table, command)
        case CorrectRound():
            return _corrected(table, command)
        case EndShoe(note):
            return ShoeEnded(note)


def _settlements(table: Table, deal: Deal, stakes: Mapping[str, Mapping[str, int]]) -> dict[str, Settlement]:
    return {patron: settle(table.settings.game, deal, wagers) for patron, wagers in stakes.items()}


def _voided(table: Table, command: VoidRound) -> RoundVoided:
    procedure = table.settings.game.procedure
    clause = {
        Irregularity.FOREIGN_CARD: procedure.foreign_card,
        Irregularity.EXTRA_OR_MISSING_CARD: procedure.extra_or_missing_card or procedure.foreign_card,
        Irregularity.WRONG_NUMBER_OF_CARDS: procedure.wrong_number_of_cards,
        Irregularity.SIMULTANEOUS_CARDS: procedure.simultaneous_cards,
        Irregularity.ORDER_ALTERED: procedure.order_altered,
        Irregularity.INSUFFICIENT_CARDS: procedure.insufficient_cards,
    }[command.irregularity]
    if table.phase.in_round:
        refunds = {patron: sum(stakes.values()) for patron, stakes in table.stakes.items()}
    else:
        finished = table.rounds[-1]
        returned = finished.returned()
        refunds = {patron: sum(stakes.values()) - returned[patron] for patron, stakes in finished.stakes.items()}
    return RoundVoided(table.round_number, command.irregularity, clause, command.note, refunds)


def _corrected(table: Table, command: CorrectRound) -> RoundCorrected:
    before, settlements, adjustments = table.deal, None, dict[str, int]()
    if not table.phase.in_round:
        finished = table.rounds[-1]
        before = finished.deal
        settlements = _settlements(table, command.deal, finished.stakes)
        returned = finished.returned()
        corrected = replace(finished, settlements=settlements).returned()
        adjustments = {patron: corrected[patron] - returned[patron] for patron in finished.stakes}
    return RoundCorrected(
        table.round_number,
        table.settings.game.procedure.wrong_number_of_cards,
        before,
        command.deal,
        command.set_aside,
        command.note,
        settlements,
        adjustments,
    )


def evolve(table: Table, event: Event) -> Table:
    """The table after the event. Total over events that `decide` gave for this table."""
    match event:
        case ShoeOpened(shoe):
            burn_due = table.settings.burn is BurnRule.BY_FIRST_CARD
            return Table(
                table.settings,
                phase=Phase.BURN_DUE if burn_due else Phase.READY,
                unseen=shoe,
                cards_in_shoe=shoe.size,
                shoe_number=table.shoe_number + 1,
                round_number=table.round_number,
            )
        case CardsBurned(shown, face_down):
            assert table.unseen is not None
            return replace(
                table,
                phase=Phase.READY,
                unseen=table.unseen.without(shown),
                cards_in_shoe=table.cards_in_shoe - len(shown) - face_down,
            )
        case CutCardAppeared():
            return replace(table, rounds_left=2 if table.phase.in_round else 1)
        case BettingOpened(round_number):
            return replace(table, phase=Phase.BETTING, round_number=round_number)
        case StakeChanged(patron, wager, _, after):
            return replace(table, stakes=_with_stake(table.stakes, patron, wager, after))
        case BettingClosed():
            return replace(table, phase=Phase.DEALING)
        case CardDealt(hand, card):
            assert table.unseen is not None
            deal = table.deal
            deal = (
                Deal((*deal.player, card), deal.banker)
                if hand is Hand.PLAYER
                else Deal(deal.player, (*deal.banker, card))
            )
            return replace(
                table,
                phase=_dealing_phase(table, deal),
                deal=deal,
                unseen=table.unseen.without((card,)),
                cards_in_shoe=table.cards_in_shoe - 1,
            )
        case ResultAnnounced():
            return replace(table, phase=Phase.ANNOUNCED)
        case RoundSettled(settlements):
            return _round_over(table, settlements=settlements)
        case RoundVoided(_, irregularity):
            return _after_void(table, irregularity)
        case RoundCorrected():
            return _after_correction(table, event)
        case ShoeEnded():
            return Table(table.settings, shoe_number=table.shoe_number, round_number=table.round_number)


def replay(table: Table, events: Iterable[Event]) -> Table:
    """The table after all the events, in order."""
    for event in events:
        table = evolve(table, event)
    return table


def _with_stake(
    stakes: Mapping[str, Mapping[str, int]], patron: str, wager: str, after: int
) -> dict[str, Mapping[str, int]]:
    wagers = {name: stake for name, stake in stakes.get(patron, {}).items() if name != wager or after}
    if after:
        wagers[wager] = after
    others = {name: held for name, held in stakes.items() if name != patron or wagers}
    if wagers:
        others[patron] = wagers
    return others


def _dealing_phase(table: Table, deal: Deal) -> Phase:
    return Phase.DEALING if table.settings.game.tableau.due(deal).hand else Phase.COMPLETE


def _round_over(
    table: Table, settlements: Mapping[str, Settlement] | None = None, void: Irregularity | None = None
) -> Table:
    finished = Round(
        table.round_number, table.deal, table.stakes, settlements or {}, void, table.set_aside, table.corrected
    )
    return replace(
        table,
        phase=Phase.READY,
        stakes={},
        deal=Deal(),
        set_aside=(),
        corrected=False,
        rounds=(*table.rounds, finished),
        rounds_left=None if table.rounds_left is None else table.rounds_left - 1,
    )


def _after_void(table: Table, irregularity: Irregularity) -> Table:
    if not table.phase.in_round:
        return replace(table, rounds=(*table.rounds[:-1], replace(table.rounds[-1], settlements={}, void=irregularity)))
    after = _round_over(table, void=irregularity)
    # 5.5: a shoe that could not complete a round cannot begin another.
    return replace(after, rounds_left=0) if irregularity is Irregularity.INSUFFICIENT_CARDS else after


def _after_correction(table: Table, event: RoundCorrected) -> Table:
    assert table.unseen is not None
    in_round = table.phase.in_round
    before = event.before.cards + (table.set_aside if in_round else table.rounds[-1].set_aside)
    after = event.after.cards + event.set_aside
    table = replace(
        table,
        unseen=table.unseen.with_cards(before).without(after),
        cards_in_shoe=table.cards_in_shoe + len(before) - len(after),
    )
    if in_round:
        # What was announced of the wrong cards is announced again of the right ones.
        phase = _dealing_phase(table, event.after)
        return replace(table, deal=event.after, set_aside=event.set_aside, corrected=True, phase=phase)
    corrected = replace(
        table.rounds[-1],
        deal=event.after,
        set_aside=event.set_aside,
        settlements=event.settlements or {},
        corrected=True,
    )
    return replace(table, rounds=(*table.rounds[:-1], corrected))
