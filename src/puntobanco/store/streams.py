"""The streams of a record, as values: what a command does to one, and what an event makes of it.

    table/main     the events of a table
    desk/main      the acts of a cash desk

A stream refuses for the money's sake first, then asks its own rules. It is pure: the record around it has the disk.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from puntobanco.cards import PACKS, shown
from puntobanco.errors import InputError
from puntobanco.fairness.log import (
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
    Table,
    decide,
    evolve,
)
from puntobanco.table.audit import cause
from puntobanco.table.codec import COMMANDS, Codec, MessageKinds
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


@dataclass(frozen=True)
class TableStream:
    """A table with its books."""

    name: str
    games: Sequence[Game] = GAMES
    table: Table | None = None
    shoe: ShoeLog = ShoeLog()  # noqa: RUF009  (an immutable value)

    @property
    def codec(self) -> Codec:
        return Codec(self.table.settings.game.pack if self.table else PACKS[0], self.games)

    def write_command(self, command: StreamCommand) -> bytes:
        return self.codec.write_as(TABLE_COMMANDS, command)

    def write_event(self, event: StreamEvent) -> bytes:
        codec = self.codec
        codec.follow(event)  # type: ignore[arg-type]
        return codec.write_as(TABLE_EVENTS, event)

    def read_event(self, text: str) -> StreamEvent:
        event: Event | ShoeEvent = self.codec.read_as(TABLE_EVENTS, text)
        return event

    def accounts(self, command: StreamCommand) -> Iterable[str]:
        return accounts_touched(self.name, self.table, command)  # type: ignore[arg-type]

    def decide(self, command: StreamCommand, balances: Balances) -> list[Happened]:
        """What happens, with the money that it moves; raises Refused if the funds or the table refuse."""
        if isinstance(command, ShoeCommand):
            return [(self._decide_shoe(command), ())]
        if type(command) not in COMMANDS.by_class:
            raise InputError("unknown-command", f"{shown(command)} is not a known command of a table.")
        refused = funds_refusal(self.table, command, balances) or self._not_sealed(command)  # type: ignore[arg-type]
        if refused:
            raise Refused(refused)
        happened, table = list[Happened](), self.table
        for event in decide(table, command):  # type: ignore[arg-type]
            happened.append((event, postings(self.name, table, event, balances)))
            table = evolve(table, event)
        return happened

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
        shoe = self.shoe.after(self.table, event)  # type: ignore[arg-type]
        if isinstance(event, ShoeEvent):
            return replace(self, shoe=shoe)
        return replace(self, table=evolve(self.table, event), shoe=shoe)  # type: ignore[arg-type]

    def cause(self, event: StreamEvent) -> StreamCommand:
        """The command that an event came from."""
        if isinstance(event, ShoeEvent):
            return cause_of_shoe_event(event)
        return cause(self.table, event)  # type: ignore[arg-type]

    def told(self, command: StreamCommand, balances: Balances) -> dict[str, object]:
        """What the answer to a wager says beside its version: the patron's stakes and balance after it."""
        if not isinstance(command, WAGERS) or self.table is None:
            return {}
        unit = unit_of(self.table.settings)
        balance = balances.get(patron_account(unit, command.patron), 0)
        return {"stakes": dict(self.table.slip(command.patron)), "balance": balance}


@dataclass(frozen=True)
class DeskStream:
    """A cash desk with its books."""

    name: str
    desk: Desk = Desk()  # noqa: RUF009  (an immutable value)

    def write_command(self, command: StreamCommand) -> bytes:
        return Codec(PACKS[0]).write_as(DESK_COMMANDS, command)

    def write_event(self, event: StreamEvent) -> bytes:
        return Codec(PACKS[0]).write_as(DESK_EVENTS, event)

    def read_event(self, text: str) -> StreamEvent:
        event: DeskEvent = Codec(PACKS[0]).read_as(DESK_EVENTS, text)
        return event

    def accounts(self, command: StreamCommand) -> Iterable[str]:
        return desk_accounts(_of_a_desk(command))

    def decide(self, command: StreamCommand, balances: Balances) -> list[Happened]:
        asked = _of_a_desk(command)
        refused = desk_refusal(self.desk, asked, balances)
        if refused:
            raise Refused(refused)
        event = happened_at_the_desk(self.desk, asked)
        return [(event, desk_postings(event, balances))]

    def after(self, event: StreamEvent) -> "DeskStream":
        return replace(self, desk=self.desk.after(event))  # type: ignore[arg-type]

    def cause(self, event: StreamEvent) -> StreamCommand:
        return desk_cause(event)  # type: ignore[arg-type]

    def told(self, command: StreamCommand, balances: Balances) -> dict[str, object]:
        return {}


Stream: TypeAlias = TableStream | DeskStream


def _of_a_desk(command: StreamCommand) -> DeskCommand:
    if type(command) not in DESK_COMMANDS.by_class:
        raise InputError("unknown-command", f"{shown(command)} is not a known command of a cash desk.")
    return command  # type: ignore[return-value]


def new_stream(stream: str, games: Sequence[Game] = GAMES) -> Stream:
    """A stream in which nothing has happened yet."""
    if not STREAM_NAME.fullmatch(stream):
        raise InputError(
            "unknown-stream",
            f"{shown(stream)} is not a stream: it is table/ or desk/ and a name of small letters, digits and dashes.",
        )
    kind, _, name = stream.partition("/")
    return TableStream(name, games) if kind == "table" else DeskStream(name)
