"""What comes in over the network for a table: strictly read, each kind with its own fields and no other."""

import json
from functools import cache
from typing import Annotated, Any, TypeAlias

from puntobanco.extras import optional_package
from puntobanco.rules.wagers import MONEY_LIMIT
from puntobanco.server.problems import Problem, malformed
from puntobanco.server.texts import plain_text
from puntobanco.table.commands import NOTE_LIMIT, Irregularity
from puntobanco.tableau import Hand

with optional_package("msgspec", "Messages are read"):
    import msgspec
    from msgspec import Meta, Struct

FRAME_LIMIT = 4096
"""In bytes; no message of a patron or a dealer is longer."""

SHORTEST_ID, LONGEST_ID = 8, 64
CommandId = Annotated[str, Meta(min_length=SHORTEST_ID, max_length=LONGEST_ID)]
Amount = Annotated[int, Meta(ge=0, le=MONEY_LIMIT)]
Number = Annotated[int, Meta(ge=1, le=2**31)]
WagerName = Annotated[str, Meta(min_length=1, max_length=40)]
CardText = Annotated[str, Meta(min_length=2, max_length=8)]
# A `$` would let a line end through behind what it ends.
Hexadecimal = Annotated[str, Meta(min_length=64, max_length=64, pattern=r"^[0-9a-f]*\Z")]
Note = Annotated[str, Meta(max_length=NOTE_LIMIT)]
RequestId = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]*\Z")]


class Said(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", omit_defaults=True):
    """A message with the id that its sender gave it."""

    id: CommandId


class Stake(Said, frozen=True, tag="stake"):
    """So much on one wager; 0 withdraws."""

    wager: WagerName
    amount: Amount
    round: Number | None = None


class Stakes(Said, frozen=True, tag="stakes"):
    """The whole slip at once, all or nothing."""

    stakes: Annotated[dict[WagerName, Amount], Meta(max_length=20)]
    round: Number | None = None


class Commit(Said, frozen=True, tag="commit"):
    """The patron takes part in the drawing of the round."""

    commitment: Hexadecimal
    round: Number | None = None


class Reveal(Said, frozen=True, tag="reveal"):
    """What the patron had committed to."""

    nonce: Hexadecimal
    round: Number | None = None


class OpenTheShoe(Said, frozen=True, tag="open-shoe"):
    """A new shoe as counted; without counts, as it should be."""

    counted: Annotated[dict[CardText, Annotated[int, Meta(ge=0, le=100)]], Meta(max_length=65)] | None = None


class Burn(Said, frozen=True, tag="burn"):
    """The first cards of a new shoe leave it: those that were shown, and so many face down."""

    shown: Annotated[list[CardText], Meta(max_length=20)] = []
    face_down: Annotated[int, Meta(ge=0, le=20)] = 0


class OpenBets(Said, frozen=True, tag="open-betting"):
    """Place your bets, please."""


class CloseBets(Said, frozen=True, tag="close-betting"):
    """No more bets."""


class Deal(Said, frozen=True, tag="deal"):
    """The next card; to the hand that is due, unless the dealer names one."""

    card: CardText
    hand: Hand | None = None


class UndoCard(Said, frozen=True, tag="undo-card"):
    """The last card was keyed wrongly, and nothing was done since."""


class Announce(Said, frozen=True, tag="announce"):
    """The dealer confirms the result."""


class WithdrawTheAnnouncement(Said, frozen=True, tag="withdraw-announcement"):
    """The result was announced wrongly, and nothing is settled yet."""

    note: Note = ""


class Settle(Said, frozen=True, tag="settle"):
    """Losing wagers are collected, then winning wagers are paid."""


class Void(Said, frozen=True, tag="void"):
    """The round does not count; needs a second person."""

    irregularity: Irregularity
    note: Annotated[str, Meta(min_length=1, max_length=NOTE_LIMIT)]
    round: Number | None = None


class Correct(Said, frozen=True, tag="correct"):
    """The cards were others; needs a second person."""

    deal: Annotated[str, Meta(min_length=1, max_length=80)]
    note: Annotated[str, Meta(min_length=1, max_length=NOTE_LIMIT)]
    set_aside: Annotated[list[CardText], Meta(max_length=20)] = []
    taken_up: Annotated[list[CardText], Meta(max_length=20)] = []
    round: Number | None = None


class SetAside(Said, frozen=True, tag="set-aside"):
    """Cards left the shoe and belong to no hand."""

    cards: Annotated[list[CardText], Meta(min_length=1, max_length=20)]
    note: Annotated[str, Meta(min_length=1, max_length=NOTE_LIMIT)]


class CorrectTheCount(Said, frozen=True, tag="correct-count"):
    """An earlier card was keyed wrongly."""

    keyed: CardText
    note: Annotated[str, Meta(min_length=1, max_length=NOTE_LIMIT)]
    drawn: CardText | None = None
    round: Number | None = None
    face_down: Annotated[int, Meta(ge=0, le=20)] | None = None


class Approve(Said, frozen=True, tag="approve"):
    """The second person agrees."""

    request: RequestId


class Decline(Said, frozen=True, tag="decline"):
    """The second person does not agree; or whoever asked withdraws it, a dealer too."""

    request: RequestId
    note: Note = ""


class Pause(Said, frozen=True, tag="pause"):
    """The table waits; no wager changes."""

    reason: Annotated[str, Meta(min_length=1, max_length=NOTE_LIMIT)]


class Resume(Said, frozen=True, tag="resume"):
    """The round goes on where it was; not while something waits at the table for a second person."""


class EndTheShoe(Said, frozen=True, tag="end-shoe"):
    """No further round is dealt from this shoe."""

    note: Note = ""


OfPatrons: TypeAlias = Stake | Stakes | Commit | Reveal
OfStaff: TypeAlias = (
    OpenTheShoe
    | Burn
    | OpenBets
    | CloseBets
    | Deal
    | UndoCard
    | Announce
    | WithdrawTheAnnouncement
    | Settle
    | Void
    | Correct
    | SetAside
    | CorrectTheCount
    | Approve
    | Decline
    | Pause
    | Resume
    | EndTheShoe
)
TableMessage: TypeAlias = OfPatrons | OfStaff

NEED_TWO_PEOPLE = (Void, Correct)
PATRONS_SAY = (Stake, Stakes, Commit, Reveal)
BEGIN = (OpenTheShoe, Burn, OpenBets)
"""What begins something new."""

_DECODER: "msgspec.json.Decoder[TableMessage]" = msgspec.json.Decoder(TableMessage)
_ENCODER = msgspec.json.Encoder()


def read_message(text: bytes | bytearray | memoryview) -> TableMessage:
    """A message that came in; whatever is wrong with it, nothing of it is repeated."""
    if len(text) > FRAME_LIMIT:
        raise Problem(413, "too-large", f"A message has at most {FRAME_LIMIT:,} bytes.")
    try:
        said = _DECODER.decode(text)
    except (msgspec.MsgspecError, UnicodeError, RecursionError, ValueError) as error:
        raise malformed(_why(error)) from None
    if not _is_id(said.id):
        raise malformed("The message is not well formed (at id).")
    if _may_repeat_names(text, said):
        check_names_once(bytes(text))
    return said if type(said) in PATRONS_SAY else _in_plain_words(said)


def _is_id(given: object) -> bool:
    if not isinstance(given, str) or not SHORTEST_ID <= len(given) <= LONGEST_ID:
        return False
    return given.isprintable() and not given.isspace()


def id_in(text: bytes) -> str | None:
    """The id of a message that is otherwise not well formed, for whoever waits for its answer; None if it has none."""
    try:
        # Pairs stay pairs: of two ids nobody could say which was meant.
        pairs = json.loads(text, object_pairs_hook=tuple)
    except (ValueError, RecursionError):
        return None
    given = [pair[1] for pair in pairs if pair[0] == "id"] if isinstance(pairs, tuple) else []
    return given[0] if len(given) == 1 and _is_id(given[0]) else None


def _may_repeat_names(text: bytes | bytearray | memoryview, said: TableMessage) -> bool:
    """Whether the text holds more strings than the message: without a backslash, each string has two quotes.

    This is asked for every wager, and costs a fifth of reading it again; fields with their usual values, which are
    left out when a message is written, are looked at more closely for nothing.
    """
    given = bytes(text)
    return b"\\" in given or given.count(b'"') != _ENCODER.encode(said).count(b'"')


def check_names_once(text: bytes) -> None:
    """Refuse JSON in which an object has a name twice: one reader would take the first, another the last."""
    try:
        json.loads(text, object_pairs_hook=_names_once)
    except (ValueError, RecursionError):
        raise malformed("The message is not JSON, or an object of it has a name twice.") from None


def _names_once(pairs: list[tuple[str, Any]]) -> None:
    if len({name for name, _ in pairs}) != len(pairs):
        raise ValueError


def _in_plain_words(said: TableMessage) -> TableMessage:
    """With what one person says and others read in one way to write it; refused where it cannot be seen."""
    changes = {}
    for name in ("note", "reason"):
        words = getattr(said, name, None)
        if words:
            changes[name] = plain_text(words)
    return msgspec.structs.replace(said, **changes) if changes else said


def _why(error: Exception) -> str:
    """What is wrong with a message, in words that hold nothing of it."""
    if isinstance(error, msgspec.ValidationError):
        said = str(error)
        place = said.rpartition(" - at `$")[2].rstrip("`") if " - at `$" in said else ""
        known = place if place.replace(".", "").replace("_", "").replace("[...]", "").isalnum() else ""
        return f"The message is not well formed{f' (at {known[1:]})' if known[1:] else ''}."
    return "The message is not JSON."


def said_by(message: TableMessage) -> bytes:
    """What a retry repeats: the message in one spelling."""
    return msgspec.json.encode(message)


def with_round(message: TableMessage, number: int) -> TableMessage:
    """The message with the round that it means."""
    changed: TableMessage = msgspec.structs.replace(message, round=number)
    return changed


def encoded(message: dict[str, Any]) -> bytes:
    return _ENCODER.encode(message)


def framed(message: bytes) -> bytes:
    """A text as it goes over a socket to a client: RFC 6455, 5.2."""
    size = len(message)
    if size < 126:
        return b"\x81" + size.to_bytes(1, "big") + message
    if size < 2**16:
        return b"\x81\x7e" + size.to_bytes(2, "big") + message
    return b"\x81\x7f" + size.to_bytes(8, "big") + message


def closing_frame(code: int) -> bytes:
    """The last frame of a socket, with the reason as a number: RFC 6455, 5.5.1."""
    return b"\x88\x02" + code.to_bytes(2, "big")


def kind_of(message: TableMessage) -> str:
    """What the message asks for, such as `stake`."""
    return kind_of_type(type(message))


@cache
def kind_of_type(kind: type[TableMessage]) -> str:
    tag = kind.__struct_config__.tag
    assert isinstance(tag, str)
    return tag
