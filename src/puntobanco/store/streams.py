"""The streams of a record, as values: what a command does to one, and what an event makes of it.

    table/main     the events of a table
    desk/main      the acts of a cash desk
    roster/main    which streams there are

A stream refuses for the money's sake first, then asks its own rules. It is pure: the record around it has the disk.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

from puntobanco.cards import PACKS, shown
from puntobanco.errors import InputError
from puntobanco.extras import optional_package
from puntobanco.fairness.log import (
    CONCERN_THE_SHOE,
    CommitNonce,
    RevealNonce,
    ShoeCommand,
    ShoeCommitted,
    ShoeEvent,
    ShoeLog,
    cause_of_shoe_event,
    happened_to_the_shoe,
    shoe_name,
    shoe_refusal,
)
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
from puntobanco.store.earlier_forms import completed
from puntobanco.store.keys import is_signed
from puntobanco.store.roster import EnterStream, Roster, StreamEntered
from puntobanco.store.slips import SetStakes, changes
from puntobanco.table import (
    BurnCards,
    Command,
    DealCard,
    EndShoe,
    Event,
    OpenBetting,
    OpenShoe,
    Phase,
    Refusal,
    Refused,
    SettingsChanged,
    Table,
    TableOpened,
    WithdrawWager,
    decide,
    evolve,
)
from puntobanco.table.audit import cause
from puntobanco.table.codec import COMMANDS, EVENTS, Codec, MessageKinds
from puntobanco.table.reasons import Reason

with optional_package("msgspec", "The record is written"):
    import msgspec

STREAM_NAME = re.compile(r"(table|desk)/[a-z0-9][a-z0-9-]{0,39}|roster/main")

DESK_COMMANDS = MessageKinds("command", DeskCommand)
DESK_EVENTS = MessageKinds("event", DeskEvent)

TABLE_COMMANDS = MessageKinds("command", Command | ShoeCommand | SetStakes)
TABLE_EVENTS = MessageKinds("event", Event | ShoeEvent)

ROSTER_COMMANDS = MessageKinds("command", EnterStream)
ROSTER_EVENTS = MessageKinds("event", StreamEntered)

StreamCommand: TypeAlias = Command | ShoeCommand | SetStakes | DeskCommand | EnterStream
StreamEvent: TypeAlias = Event | ShoeEvent | DeskEvent | StreamEntered
Happened: TypeAlias = tuple[StreamEvent, tuple[Posting, ...]]
"""An event and the money that it moves."""

OF_A_PATRON = frozenset({*WAGERS, SetStakes, CommitNonce, RevealNonce})
"""What a patron asks for: it moves their own accounts or none."""

NO_SHOE, NO_RATES, NO_STREAMS = ShoeLog(), Desk(), Roster()

FOLLOW_THE_SHOE = frozenset({OpenShoe, EndShoe, OpenBetting, DealCard, BurnCards})
"""The commands for which a committed shoe must be ready."""


class TableStream(msgspec.Struct, frozen=True):
    """A table with its books, and the committed shoe that it deals from."""

    name: str
    codec: Codec
    table: Table | None = None
    shoe: ShoeLog = NO_SHOE
    public_key: bytes | None = None
    """Of the record, which signs all shoes of its tables; None for whoever only follows what was accepted."""

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
        codec = Codec(self.codec.pack, self.codec.games)
        codec.follow(event)  # type: ignore[arg-type]
        return codec

    def read_event(self, text: str) -> StreamEvent:
        event: Event | ShoeEvent = self.codec.read_as(TABLE_EVENTS, text)
        return event

    def accounts(self, command: StreamCommand) -> Iterable[str]:
        if isinstance(command, SetStakes | CommitNonce | RevealNonce):
            # Whatever change it comes to, it is of this patron's accounts; who takes part in a drawing is told them.
            command = WithdrawWager(0, command.patron, "")
        return accounts_touched(self.name, self.table, command)  # type: ignore[arg-type]

    def moves_the_same(self, command: StreamCommand) -> bool:
        """Whether it moves the same accounts whatever wagers were made before it, and leaves those of others alone."""
        return type(command) in OF_A_PATRON

    def decide(self, command: StreamCommand, balances: Balances) -> list[Happened]:
        """What happens, with the money that it moves; raises Refused if the funds or the table refuse."""
        if type(command) is SetStakes:
            return self._decide_stakes(command, balances)
        if type(command) not in COMMANDS.by_class:
            return [(self._decide_shoe(command), ())]  # type: ignore[arg-type]
        refused = funds_refusal(self.table, command, balances) or self._out_of_turn(command)  # type: ignore[arg-type]
        if refused:
            raise Refused(refused)
        event, *rest = decide(self.table, command)  # type: ignore[arg-type]
        happened: list[Happened] = [(event, self.moved(event, balances))]
        if rest:
            # What follows from an event, such as the cut card, moves no money.
            happened += [(each, ()) for each in rest]
        return happened

    def moved(self, event: StreamEvent, balances: Balances) -> tuple[Posting, ...]:
        """The money that an event moves, whoever has decided it."""
        if type(event) not in EVENTS.by_class:
            return ()
        return postings(self.name, self.table, event, balances)  # type: ignore[arg-type]

    def _decide_stakes(self, command: SetStakes, balances: Balances) -> list[Happened]:
        if self.table is None:
            raise Refused(Refusal(Reason.NO_TABLE, "The table is not open."))
        steps = changes(self.table, command)
        if not steps:
            raise Refused(Refusal(Reason.NOTHING_TO_CHANGE, "That is what lies there already."))
        happened, stream, stand = list[Happened](), self, dict[str, int]()
        for step in steps:
            found = stream.decide(step, {**balances, **stand} if stand else balances)
            happened += found
            if len(steps) > 1:
                ((event, moved),) = found
                for account, amount in moved:
                    stand[account] = stand.get(account, balances.get(account, 0)) + amount
                stream = stream.after(event)
        return happened

    def _decide_shoe(self, command: ShoeCommand) -> ShoeEvent:
        refused = shoe_refusal(self.table, self.shoe, command)
        if refused:
            raise Refused(refused)
        assert self.table is not None, "a shoe lies at a table"
        event = happened_to_the_shoe(self.table, self.shoe, command)
        if isinstance(event, ShoeCommitted):
            self._check_committed(event, self.table.shoe_number)
        return event

    def _check_committed(self, event: ShoeCommitted, number: int) -> None:
        """A shoe has the name of its table and number, and is signed with the key of the record."""
        name = shoe_name(self.name, number)
        if event.shoe != name:
            raise InputError("wrong-shoe", f"The shoe is called {shown(event.shoe)}, not {name}.")
        if not _is_signed(event):
            raise InputError("wrong-signature", "The anchor of the shoe is not signed.")
        if self.public_key is not None and event.public_key != self.public_key.hex():
            raise InputError("wrong-signature", "The anchor of the shoe is signed with another key than the record's.")

    def _out_of_turn(self, command: Command) -> Refusal | None:
        """What a virtual table must have done for its committed shoe before the command."""
        if type(command) not in FOLLOW_THE_SHOE or self.table is None:
            return None
        shoe, is_virtual = self.shoe, self.table.settings.is_virtual
        if isinstance(command, OpenShoe):
            if not shoe.is_revealed or shoe.unpublished is not None:
                return Refusal(Reason.SHOE_IN_PLAY, "The keys of the shoe before it are not all published yet.")
        elif isinstance(command, EndShoe):
            if shoe.opened is not None and self.table.phase is Phase.BURN_DUE:
                return Refusal(Reason.BURN_DUE, "The burn of a committed shoe is made before it ends.")
        elif shoe.opened is None:
            if is_virtual and self.table.shoe is not None:
                return Refusal(Reason.NO_SHOE, "A virtual table deals from a shoe that it is committed to.")
        elif isinstance(command, OpenBetting):
            if shoe.unpublished is not None:
                return Refusal(Reason.ROUND_IN_PROGRESS, "The key of the round before it is not published yet.")
            if shoe.has_no_more_keys:
                return Refusal(Reason.SHOE_FINISHED, "The committed shoe has no key for another round: open a new one.")
        elif not shoe.is_sealed:
            return Refusal(Reason.CARDS_STILL_DUE, "The round is not sealed yet: no card is drawn before that.")
        return None

    @property
    def is_cleared(self) -> bool:
        """Whether the table may be closed: no shoe lies on it, and nothing of the last one is secret."""
        in_play = self.table is not None and self.table.shoe is not None
        return not in_play and self.shoe.is_revealed and self.shoe.unpublished is None

    def after(self, event: StreamEvent) -> "TableStream":
        shoe, table = self.shoe, self.table
        if type(event) in CONCERN_THE_SHOE:
            shoe = shoe.after(table, event)  # type: ignore[arg-type]
        if type(event) in EVENTS.by_class:
            table = evolve(table, event)  # type: ignore[arg-type]
        return TableStream(self.name, self._codec_of(event), table, shoe, self.public_key)

    def cause(self, event: StreamEvent) -> StreamCommand:
        """The command that an event came from."""
        if type(event) in EVENTS.by_class:
            return cause(self.table, event)  # type: ignore[arg-type]
        return cause_of_shoe_event(event)  # type: ignore[arg-type]

    def told(self, command: StreamCommand, balances: Balances) -> dict[str, object]:
        """What the answer to a patron says beside its version: their stakes and balance after it."""
        if type(command) not in OF_A_PATRON or self.table is None:
            return {}
        patron: str = command.patron  # type: ignore[union-attr]
        balance = balances.get(patron_account(unit_of(self.table.settings), patron), 0)
        return {"stakes": self.table.slip(patron), "balance": balance}

    def landmark(self, version: int, hashed: bytes, time: int) -> str:
        """All that the stream comes to just before a shoe is opened, as text; what follows can be folded from it.

        The round before it, to which 5.2 reaches back, is not in it: whoever takes the stream up here must find that
        another has begun since.
        """
        assert self.table is not None, "a shoe is opened at a table"
        settings = self.codec.write_settings(self.table.settings).decode()
        return Landmark(
            hashed.hex(),
            time,
            settings,
            self.table.shoe_number,
            self.table.round_number,
            self.table.paused,
            self.shoe.final.hex(),
        ).text()

    def taken_up(self, landmark: "Landmark") -> "TableStream":
        """The stream as it stood at a landmark."""
        settings = self.codec.read_settings(landmark.settings)
        table = Table(
            settings,
            paused=landmark.paused,
            shoe_number=landmark.shoe_number,
            round_number=landmark.round_number,
        )
        codec = Codec(settings.game.pack, self.codec.games)
        return TableStream(self.name, codec, table, ShoeLog(bytes.fromhex(landmark.final)), self.public_key)


class Landmark(msgspec.Struct, frozen=True):
    """What a stream of a table comes to just before a shoe is opened."""

    hash: str
    time: int
    settings: str
    shoe_number: int
    round_number: int
    paused: str
    final: str

    def text(self) -> str:
        return msgspec.json.encode(self).decode()

    @staticmethod
    def read(text: str) -> "Landmark":
        return msgspec.json.decode(text, type=Landmark)


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
        event: DeskEvent = Codec(PACKS[0]).read_as(DESK_EVENTS, completed(text))
        return event

    def accounts(self, command: StreamCommand) -> Iterable[str]:
        return desk_accounts(command)  # type: ignore[arg-type]

    def moves_the_same(self, command: StreamCommand) -> bool:
        return True

    def decide(self, command: StreamCommand, balances: Balances, *, by_first_rules: bool = False) -> list[Happened]:
        refused = desk_refusal(self.desk, command, balances, by_first_rules=by_first_rules)  # type: ignore[arg-type]
        if refused:
            raise Refused(refused)
        event = happened_at_the_desk(self.desk, command)  # type: ignore[arg-type]
        return [(event, self.moved(event, balances))]

    def moved(self, event: StreamEvent, balances: Balances) -> tuple[Posting, ...]:
        return desk_postings(event, balances)  # type: ignore[arg-type]

    def after(self, event: StreamEvent) -> "DeskStream":
        return DeskStream(self.name, self.desk.after(event))  # type: ignore[arg-type]

    def cause(self, event: StreamEvent) -> StreamCommand:
        return desk_cause(event)  # type: ignore[arg-type]

    def told(self, command: StreamCommand, balances: Balances) -> dict[str, object]:
        return {}


class RosterStream(NamedTuple):
    """The roster, which has no books."""

    name: str
    roster: Roster = NO_STREAMS

    def check(self, command: StreamCommand) -> None:
        if type(command) not in ROSTER_COMMANDS.by_class:
            raise InputError("unknown-command", f"{shown(command)} is not a known command of a roster.")

    def write_command(self, command: StreamCommand) -> bytes:
        return Codec(PACKS[0]).write_as(ROSTER_COMMANDS, command)

    def write_event(self, event: StreamEvent) -> bytes:
        return Codec(PACKS[0]).write_as(ROSTER_EVENTS, event)

    def read_event(self, text: str) -> StreamEvent:
        event: StreamEntered = Codec(PACKS[0]).read_as(ROSTER_EVENTS, text)
        return event

    def accounts(self, command: StreamCommand) -> Iterable[str]:
        return ()

    def moves_the_same(self, command: StreamCommand) -> bool:
        return True

    def decide(self, command: StreamCommand, balances: Balances) -> list[Happened]:
        return [(self.roster.decide(command), ())]  # type: ignore[arg-type]

    def moved(self, event: StreamEvent, balances: Balances) -> tuple[Posting, ...]:
        return ()

    def after(self, event: StreamEvent) -> "RosterStream":
        return RosterStream(self.name, self.roster.after(event))  # type: ignore[arg-type]

    def cause(self, event: StreamEvent) -> StreamCommand:
        return EnterStream(event.stream)  # type: ignore[union-attr]

    def told(self, command: StreamCommand, balances: Balances) -> dict[str, object]:
        return {}


Stream: TypeAlias = TableStream | DeskStream | RosterStream


def _is_signed(event: ShoeCommitted) -> bool:
    try:
        parts = [bytes.fromhex(each) for each in (event.public_key, event.signature, event.anchor)]
    except ValueError:
        return False
    return is_signed(parts[0], parts[1], parts[2])


def new_stream(stream: str, games: Sequence[Game] = GAMES, public_key: bytes | None = None) -> Stream:
    """A stream in which nothing has happened yet; whoever decides what happens has the public key of the record."""
    if not STREAM_NAME.fullmatch(stream):
        raise InputError(
            "unknown-stream",
            f"{shown(stream)} is not a stream: it is table/ or desk/ and a name of small letters, digits and dashes.",
        )
    kind, _, name = stream.partition("/")
    if kind == "roster":
        return RosterStream(name)
    if kind == "table":
        return TableStream(name, Codec(PACKS[0], games), public_key=public_key)
    return DeskStream(name)
