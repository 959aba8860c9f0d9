"""What a message asks of a table, in the table's own commands."""

from collections.abc import Mapping, Sequence

from puntobanco.cards import Card, Shoe, read_deal
from puntobanco.errors import DeclarationError, InputError
from puntobanco.fairness.log import CommitNonce, RevealNonce
from puntobanco.server import wire
from puntobanco.server.problems import Problem, malformed
from puntobanco.store.slips import SetStakes
from puntobanco.store.streams import StreamCommand
from puntobanco.table import (
    AnnounceResult,
    BurnCards,
    CloseBetting,
    CorrectCount,
    CorrectRound,
    DealCard,
    EndShoe,
    OpenBetting,
    OpenShoe,
    PauseTable,
    ResumeTable,
    SetCardsAside,
    SettleRound,
    Table,
    TakeBackCard,
    VoidRound,
    WithdrawAnnouncement,
)
from puntobanco.tableau import Hand

LED_BY_THE_SERVER = (
    wire.OpenTheShoe,
    wire.Burn,
    wire.OpenBets,
    wire.CloseBets,
    wire.Deal,
    wire.UndoCard,
    wire.Announce,
    wire.WithdrawTheAnnouncement,
    wire.Settle,
    wire.Correct,
    wire.SetAside,
    wire.CorrectTheCount,
)
"""What nobody does at a virtual table but its own dealer: its cards are drawn, not keyed."""


def commands_of(said: wire.TableMessage, table: Table, person: str) -> list[StreamCommand]:
    """The commands of a message; raises Problem where the table has no such cards, or is led by the server."""
    if table.settings.is_virtual and isinstance(said, LED_BY_THE_SERVER):
        raise Problem(409, "virtual-shoe", "The server deals at this table; nobody keys its cards.")
    if isinstance(said, wire.Stake | wire.Stakes):
        _check_wagers(said, table)
    try:
        return [_command(said, table, person)]
    # What cannot be read is not repeated.
    except InputError as error:
        if error.reason == "wrong-composition":
            why = "That cannot be in a shoe: a card is counted once, and not more often than any shoe holds it."
            raise malformed(why, error.reason) from None
        raise malformed("The cards are not cards of this table's pack.", error.reason) from None
    except DeclarationError:
        raise malformed("The cards are not cards of this table's pack.") from None


def _check_wagers(said: wire.Stake | wire.Stakes, table: Table) -> None:
    """The table itself would say so too, and repeat the name."""
    game = table.settings.game
    wagers = [said.wager] if isinstance(said, wire.Stake) else said.stakes
    if not all(wager in game.paytables for wager in wagers):
        raise Problem(409, "unknown-wager", f"{game.name} has no such wager; it has {', '.join(game.paytables)}.")


def change_of(said: wire.Stake | wire.Stakes, slip: Mapping[str, int]) -> int:
    """How much more a patron would have on a table where they have this."""
    if isinstance(said, wire.Stake):
        return said.amount - slip.get(said.wager, 0)
    return sum(said.stakes.values()) - sum(slip.values())


def _command(said: wire.TableMessage, table: Table, person: str) -> StreamCommand:
    number, pack = table.round_number, table.settings.game.pack
    match said:
        case wire.Stake():
            return SetStakes(person, {said.wager: said.amount}, False, said.round)
        case wire.Stakes():
            return SetStakes(person, said.stakes, True, said.round)
        case wire.Commit():
            return CommitNonce(said.round or number, person, said.commitment)
        case wire.Reveal():
            return RevealNonce(said.round or number, person, said.nonce)
        case wire.OpenTheShoe():
            counted = said.counted
            return OpenShoe(table.settings.full_shoe if counted is None else Shoe.of_counts(pack, counted))
        case wire.Burn():
            return BurnCards(_cards(table, said.shown), said.face_down)
        case wire.OpenBets():
            return OpenBetting()
        case wire.CloseBets():
            return CloseBetting(number)
        case wire.Deal():
            (card,) = _cards(table, [said.card])
            due = table.due.hand if table.phase.in_round else None
            # Where no hand is due the table says why; and whoever sends the last card again gets its answer again.
            hand = said.hand or due or Hand.PLAYER
            return DealCard(number, hand, card)
        case wire.UndoCard():
            return TakeBackCard(number)
        case wire.Announce():
            return AnnounceResult(number)
        case wire.WithdrawTheAnnouncement():
            return WithdrawAnnouncement(number, said.note)
        case wire.Settle():
            return SettleRound(number)
        case wire.Void():
            return VoidRound(said.round or number, said.irregularity, said.note)
        case wire.Correct():
            deal = read_deal(pack, said.deal)
            set_aside, taken_up = _cards(table, said.set_aside), _cards(table, said.taken_up)
            return CorrectRound(said.round or number, deal, set_aside, taken_up, said.note)
        case wire.SetAside():
            return SetCardsAside(_cards(table, said.cards), said.note)
        case wire.CorrectTheCount():
            (keyed,) = _cards(table, [said.keyed])
            drawn = None if said.drawn is None else _cards(table, [said.drawn])[0]
            return CorrectCount(said.round, keyed, drawn, said.face_down, said.note)
        case wire.Pause():
            return PauseTable(said.reason)
        case wire.Resume():
            return ResumeTable()
        case wire.EndTheShoe():
            return EndShoe(said.note)
    raise AssertionError(f"{type(said).__name__} is no command of a table")


def _cards(table: Table, texts: Sequence[str]) -> tuple[Card, ...]:
    pack = table.settings.game.pack
    return tuple([pack.card(text) for text in texts])
