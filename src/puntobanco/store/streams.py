"""The streams of a record, as values: what a command does to one, and what an event makes of it.

    table/main     the events of a table
    desk/main      the acts of a cash desk

A stream refuses for the money's sake first, then asks its own rules. It is pure: the record around it has the disk.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

from puntobanco.cards import PACKS, shown
from puntobanco.errors import InputError
from puntobanco.fairness.log import (
    CONCERN_THE_SHOE,
    ShoeCommand,
    ShoeEvent,
    ShoeLog,
    cause_of_shoe_event,
    happened_to_the_shoe,
    shoe_refusal,
)
from puntobanco.fairness.shoe import ROUNDS_AT_MOST
from puntobanco.games import GAMES
from puntobanco.ledger.accounts import patron_account
from puntobanco.ledger.desk import (
    Desk,
    DeskCommand,
    DeskEvent,
    desk_accounts,
    desk_cause,
    desk_postings,
    desk_refusal,
    happened_at_the_desk,
)
from puntobanco.ledger.postings import WAGERS, Balances, Posting, accounts_touched, funds_refusal, postings, unit_of
from puntobanco.rules.game import Game
from puntobanco.table import (
    BurnCards,
    Command,
    DealCard,
    Event,
    OpenBetting,
    Refusal,
    Refused,
    SettingsChanged,
    Table,
    TableOpened,
    decide,
    evolve,
)
from puntobanco.table.audit import cause
from puntobanco.table.codec import COMMANDS, EVENTS, Codec, MessageKinds
from puntobanco.table.reasons import Reason

STREAM_NAME = re.compile(r"(table|desk)/[a-z0-9][a-z0-9-]{0,62}")

DESK_COMMANDS = MessageKinds("command", DeskCommand)
DESK_EVENTS = MessageKinds("event", DeskEvent)

TABLE_COMMANDS = MessageKinds("command", Command | ShoeCommand)
TABLE_EVENTS = MessageKinds("event", Event | ShoeEvent)

StreamCommand: TypeAlias = Command | ShoeCommand | DeskCommand
StreamEvent: TypeAlias = Event | ShoeEvent | DeskEvent
Happened: TypeAlias = tuple[StreamEvent, tuple[Posting, ...]]
"""An event and the money that it moves."""

NO_SHOE, NO_RATES = ShoeLog(), Desk()


class TableStream(NamedTuple):
    """A table with its books, and the committed shoe that it deals from."""

    name: str
    codec: Codec
    table: Table | None = None
    shoe: ShoeLog = NO_SHOE

    def check(self, command: StreamCommand) -> None:
        """Raise InputError unless it is a command of a table at all."""
        if type(command) not in TABLE_COMMANDS.by_class:
            raise InputError("unknown-command", f"{shown(command)} is not a known command of a table.")

    def write_command(self, command: StreamCommand) -> bytes:
        return self.codec.write_as(TABLE_COMMANDS, command)

    def write_event(self, event: StreamEvent) -> bytes:
        return self._codec_of(event).write_as(TABLE_EVENTS, event)

    def _codec_of(self, event: StreamEvent) -> Codec:
        """New settings are written with the cards of their own pack, and so is all that follows."""
        if type(event) not in (TableOpened, SettingsChanged):
            return self.codec
        codec = Codec(self.codec.pack, self.codec.games.values())
        codec.follow(event)  # type: ignore[arg-type]
        return codec

    def read_event(self, text: str) -> StreamEvent:
        event: Event | ShoeEvent = self.codec.read_as(TABLE_EVENTS, text)
        return event

    def accounts(self, command: StreamCommand) -> Iterable[str]:
        return accounts_touched(self.name, self.table, command)  # type: ignore[arg-type]

    def decide(self, command: StreamCommand, balances: Balances) -> list[Happened]:
        """What happens, with the money that it moves; raises Refused if the funds or the table refuse."""
        if type(command) not in COMMANDS.by_class:
            return [(self._decide_shoe(command), ())]  # type: ignore[arg-type]
        refused = funds_refusal(self.table, command, balances) or self._not_sealed(command)  # type: ignore[arg-type]
        if refused:
            raise Refused(refused)
        event, *rest = decide(self.table, command)  # type: ignore[arg-type]
        # What follows from an event, such as the cut card, moves no money.
        return [(event, postings(self.name, self.table, event, balances)), *[(each, ()) for each in rest]]

    def _decide_shoe(self, command: ShoeCommand) -> ShoeEvent:
        refused = shoe_refusal(self.table, self.shoe, command)
        if refused:
            raise Refused(refused)
        assert self.table is not None, "a shoe lies at a table"
        return happened_to_the_shoe(self.table, self.shoe, command)

    def _not_sealed(self, command: Command) -> Refusal | None:
        """From a committed shoe no card is drawn before its round is sealed, and no round begins without a key."""
        if isinstance(command, DealCard | BurnCards) and not self.shoe.is_sealed:
            return Refusal(Reason.CARDS_STILL_DUE, "The round is not sealed yet: no card is drawn before that.")
        if isinstance(command, OpenBetting) and self.shoe.round_in_shoe >= ROUNDS_AT_MOST:
            return Refusal(
                Reason.SHOE_FINISHED, f"A committed shoe has keys for {ROUNDS_AT_MOST} rounds; open a new one."
            )
        return None

    def after(self, event: StreamEvent) -> "TableStream":
        shoe, table = self.shoe, self.table
        if type(event) in CONCERN_THE_SHOE:
            shoe = shoe.after(table, event)  # type: ignore[arg-type]
        if type(event) in EVENTS.by_class:
            table = evolve(table, event)  # type: ignore[arg-type]
        return TableStream(self.name, self._codec_of(event), table, shoe)

    def cause(self, event: StreamEvent) -> StreamCommand:
        """The command that an event came from."""
        if type(event) in EVENTS.by_class:
            return cause(self.table, event)  # type: ignore[arg-type]
        return cause_of_shoe_event(event)  # type: ignore[arg-type]

    def told(self, command: StreamCommand, balances: Balances) -> dict[str, object]:
        """What the answer to a wager says beside its version: the patron's stakes and balance after it."""
        if type(command) not in WAGERS or self.table is None:
            return {}
        assert isinstance(command, WAGERS)
        unit = unit_of(self.table.settings)
        balance = balances.get(patron_account(unit, command.patron), 0)
        return {"stakes": dict(self.table.slip(command.patron)), "balance": balance}


class DeskStream(NamedTuple):
    """A cash desk with its books."""

    name: str
    desk: Desk = NO_RATES

    def check(self, command: StreamCommand) -> None:
        """Raise InputError unless it is a command of a desk at all."""
        if type(command) not in DESK_COMMANDS.by_class:
            raise InputError("unknown-command", f"{shown(command)} is not a known command of a cash desk.")

    def write_command(self, command: StreamCommand) -> bytes:
        return Codec(PACKS[0]).write_as(DESK_COMMANDS, command)

    def write_event(self, event: StreamEvent) -> bytes:
        return Codec(PACKS[0]).write_as(DESK_EVENTS, event)

    def read_event(self, text: str) -> StreamEvent:
        event: DeskEvent = Codec(PACKS[0]).read_as(DESK_EVENTS, text)
        return event

    def accounts(self, command: StreamCommand) -> Iterable[str]:
        return desk_accounts(command)  # type: ignore[arg-type]

    def decide(self, command: StreamCommand, balances: Balances) -> list[Happened]:
        refused = desk_refusal(self.desk, command, balances)  # type: ignore[arg-type]
        if refused:
            raise Refused(refused)
        event = happened_at_the_desk(self.desk, command)  # type: ignore[arg-type]
        return [(event, desk_postings(event, balances))]

    def after(self, event: StreamEvent) -> "DeskStream":
        return DeskStream(self.name, self.desk.after(event))  # type: ignore[arg-type]

    def cause(self, event: StreamEvent) -> StreamCommand:
        return desk_cause(event)  # type: ignore[arg-type]

    def told(self, command: StreamCommand, balances: Balances) -> dict[str, object]:
        return {}


Stream: TypeAlias = TableStream | DeskStream


def new_stream(stream: str, games: Sequence[Game] = GAMES) -> Stream:
    """A stream in which nothing has happened yet."""
    if not STREAM_NAME.fullmatch(stream):
        raise InputError(
            "unknown-stream",
            f"{shown(stream)} is not a stream: it is table/ or desk/ and a name of small letters, digits and dashes.",
        )
    kind, _, name = stream.partition("/")
    return TableStream(name, Codec(PACKS[0], games)) if kind == "table" else DeskStream(name)
