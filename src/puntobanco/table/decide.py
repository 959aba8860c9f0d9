"""What happens when a table carries out a command."""

from puntobanco.rules.facts import read_facts
from puntobanco.rules.game import Procedure
from puntobanco.table.commands import (
    AnnounceResult,
    BurnCards,
    ChangeSettings,
    CloseBetting,
    Command,
    CorrectCount,
    CorrectRound,
    DealCard,
    EndShoe,
    IncreaseWager,
    Irregularity,
    OpenBetting,
    OpenShoe,
    OpenTable,
    PauseTable,
    PlaceWager,
    ReduceWager,
    ResumeTable,
    SetCardsAside,
    SettleRound,
    TakeBackCard,
    VoidRound,
    WithdrawAnnouncement,
    WithdrawWager,
)
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
from puntobanco.table.evolve import evolve
from puntobanco.table.reasons import Refused
from puntobanco.table.refusals import refusal
from puntobanco.table.settlements import returned, returned_by, settlements_of, staked
from puntobanco.table.state import Table
from puntobanco.tableau import Hand

MOVES_CARDS = frozenset({BurnCards, DealCard, CorrectRound, SetCardsAside, CorrectCount})
"""The commands that take cards out of the shoe: only these can turn up the cut card."""


def decide(table: Table | None, command: Command) -> tuple[Event, ...]:
    """What happens when the table carries out the command; raises Refused if it does not."""
    refused = refusal(table, command)
    if refused:
        raise Refused(refused)
    if table is None:
        assert isinstance(command, OpenTable)
        return (TableOpened(command.settings),)
    event = _event(table, command)
    if type(command) in MOVES_CARDS:
        shoe = evolve(table, event).shoe
        if shoe and shoe.rounds_left is None and table.settings.burn_and_cut.cut_card_is_out(shoe.cards):
            return event, CutCardAppeared()
    return (event,)


def _event(table: Table, command: Command) -> Event:
    number = table.round_number
    match command:
        case PlaceWager():
            return StakeChanged(number, command.patron, command.wager, 0, command.stake)
        case IncreaseWager():
            staked = table.stake(command.patron, command.wager)
            return StakeChanged(number, command.patron, command.wager, staked, staked + command.by)
        case ReduceWager():
            staked = table.stake(command.patron, command.wager)
            return StakeChanged(number, command.patron, command.wager, staked, staked - command.by)
        case WithdrawWager():
            return StakeChanged(number, command.patron, command.wager, table.stake(command.patron, command.wager), 0)
        case OpenShoe(counted):
            return ShoeOpened(table.shoe_number + 1, counted)
        case BurnCards(shown, face_down):
            return CardsBurned(shown, face_down)
        case OpenBetting():
            return BettingOpened(number + 1, table.settings.game.digest, table.settings.digest)
        case CloseBetting():
            return BettingClosed(number)
        case DealCard(_, hand, card):
            return CardDealt(number, hand, card)
        case TakeBackCard():
            assert table.last_dealt is not None
            cards = table.deal.player if table.last_dealt is Hand.PLAYER else table.deal.banker
            return CardTakenBack(number, table.last_dealt, cards[-1])
        case AnnounceResult():
            facts = read_facts(table.deal)
            return ResultAnnounced(number, facts.winner, facts.player_total, facts.banker_total)
        case WithdrawAnnouncement(_, note):
            return AnnouncementWithdrawn(number, note)
        case SettleRound():
            return RoundSettled(number, settlements_of(table.settings.game, table.deal, table.stakes))
        case VoidRound():
            return _voided(table, command)
        case CorrectRound():
            return _corrected(table, command)
        case SetCardsAside(cards, note):
            return CardsSetAside(cards, note)
        case CorrectCount(round_number, keyed, drawn, face_down, note):
            return CountCorrected(round_number, keyed, drawn, face_down, note)
        case ChangeSettings(settings):
            return SettingsChanged(settings)
        case PauseTable(reason, request):
            return TablePaused(reason, request)
        case ResumeTable():
            return TableResumed()
        case EndShoe(note):
            return ShoeEnded(note)
        case OpenTable():
            raise AssertionError("a table that is open is not opened again")


def voiding_clause(procedure: Procedure, irregularity: Irregularity) -> str:
    """The clause by which a round is void."""
    return {
        Irregularity.FOREIGN_CARD: procedure.foreign_card,
        Irregularity.EXTRA_OR_MISSING_CARD: procedure.extra_or_missing_card or procedure.foreign_card,
        Irregularity.WRONG_NUMBER_OF_CARDS: procedure.wrong_number_of_cards,
        Irregularity.SIMULTANEOUS_CARDS: procedure.simultaneous_cards,
        Irregularity.ORDER_ALTERED: procedure.order_altered,
        Irregularity.INSUFFICIENT_CARDS: procedure.insufficient_cards,
        Irregularity.TECHNICAL_FAULT: procedure.technical_fault,
    }[irregularity]


def _voided(table: Table, command: VoidRound) -> RoundVoided:
    in_round, last = table.phase.in_round, table.last
    settings = table.settings if in_round or last is None else last.settings
    procedure = settings.game.procedure
    clause = voiding_clause(procedure, command.irregularity)
    if in_round:
        refunds = staked(table.stakes)
    else:
        assert last is not None
        so_far = returned_by(last)
        refunds = {patron: stake - so_far[patron] for patron, stake in staked(last.stakes).items()}
    number = table.round_number
    return RoundVoided(
        number,
        command.irregularity,
        clause,
        command.note,
        not in_round,
        settings.currency,
        refunds,
        command.by,
        command.and_by,
    )


def _corrected(table: Table, command: CorrectRound) -> RoundCorrected:
    before, settings, settlements, adjustments = table.deal, table.settings, None, dict[str, int]()
    if not table.phase.in_round:
        last = table.last
        assert last is not None
        before, settings = last.round.deal, last.settings
        settlements = settlements_of(settings.game, command.deal, last.stakes)
        so_far = returned_by(last)
        adjustments = {patron: back - so_far[patron] for patron, back in returned(settlements).items()}
    return RoundCorrected(
        table.round_number,
        settings.game.procedure.wrong_number_of_cards,
        before,
        command.deal,
        command.set_aside,
        command.taken_up,
        command.note,
        settlements,
        settings.currency,
        adjustments,
        command.by,
        command.and_by,
    )
