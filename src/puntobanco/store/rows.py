"""What the record holds, row by row, and the chain that ties the events of a stream together.

Every event row carries the hash of the row before it in its stream, so that whoever has the last hash, signed, can tell
whether anything before it was changed, left out or put in.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from struct import Struct
from struct import error as StructError
from typing import NamedTuple

from puntobanco.extras import optional_package

with optional_package("msgspec", "The record is written"):
    import msgspec

GENESIS = bytes(32)
"""Stands before the first row of every stream."""

SCHEMA = 1
"""The version of the rows and of the text in their bodies."""

DAMAGED = (AttributeError, TypeError, ValueError, StructError)
"""What comes of a row in a damaged file: a database looks at the kinds of values when they are written, not again."""

_length = Struct(">I").pack
_number = Struct(">q").pack
# Several lengths and numbers that follow each other in the hash of an event.
_before_previous = Struct(">I9sI").pack
_before_actor = Struct(">IqIqI").pack
_before_body = Struct(">IqI").pack


class EventRow(NamedTuple):
    """One event of one stream: what happened (as text), when, by whose command."""

    stream: str
    version: int
    """From 1, without a gap; no two rows of a stream have the same."""
    time: int
    """Milliseconds since 1970, by the clock of whoever wrote it."""
    actor: str
    command: str
    """The id of the command that it came from, made by whoever sent it."""
    schema: int
    body: str
    previous: bytes
    """The hash of the row before it."""

    def hash(self) -> bytes:
        """SHA-256 over all that the row says, each part with its length before it."""
        stream, version, time, actor, command, schema, body, previous = self
        return event_hash(
            stream.encode(), version, time, actor.encode(), command.encode(), schema, body.encode(), previous
        )


def event_hash(
    stream: bytes, version: int, time: int, actor: bytes, command: bytes, schema: int, body: bytes, previous: bytes
) -> bytes:
    """The hash of a row whose texts are in UTF-8, as an audit reads them: there are many."""
    parts = (
        _before_previous(9, b"pb1/event", len(previous)),
        previous,
        _length(len(stream)),
        stream,
        _before_actor(8, version, 8, time, len(actor)),
        actor,
        _length(len(command)),
        command,
        _before_body(8, schema, len(body)),
        body,
    )
    return sha256(b"".join(parts)).digest()


class EntryRow(NamedTuple):
    """One posting of an event: so much to an account."""

    stream: str
    version: int
    place: int
    account: str
    amount: int


class CommandRow(NamedTuple):
    """A command that was answered: a retry gets the same answer, another command under its id none."""

    actor: str
    id: str
    digest: bytes
    """SHA-256 of what was asked."""
    stream: str
    version: int | None
    """Of its last event; None where it was refused, or its id was only taken."""
    answer: str
    seal: bytes = b""
    """Made with the record's own key over all the rest: no event holds what a refused command was answered."""

    @property
    def sealed(self) -> bytes:
        """What the seal is over."""
        return sealed_answer(self[:-1])


def sealed_answer(said: tuple[object, ...]) -> bytes:
    return b"pb1/command" + msgspec.msgpack.encode(said)


class HeadRow(NamedTuple):
    """The end of a stream, signed."""

    stream: str
    version: int
    hash: bytes
    signature: bytes

    @property
    def signed(self) -> bytes:
        """What the signature is over."""
        return signed_head(self.stream, self.version, self.hash)


def signed_head(stream: str, version: int, hashed: bytes) -> bytes:
    return b"pb1/head" + _length(len(stream.encode())) + stream.encode() + _number(version) + hashed


class ShoeKeysRow(NamedTuple):
    """The keys of a committed shoe, encrypted."""

    stream: str
    shoe: int
    sealed: bytes


class LandmarkRow(NamedTuple):
    """Where a long stream can be taken up: what it comes to up to a version, with the record's mark."""

    stream: str
    version: int
    body: str
    mark: bytes

    @property
    def marked(self) -> bytes:
        """What the mark is over."""
        return b"pb1/landmark" + msgspec.msgpack.encode(self[:-1])


@dataclass
class Group:
    """All that one transaction writes."""

    events: list[EventRow] = field(default_factory=list)
    entries: list[EntryRow] = field(default_factory=list)
    commands: list[CommandRow] = field(default_factory=list)
    balances: Mapping[str, int] = field(default_factory=dict)
    """By account, what it stands at afterwards."""
    new_balances: Mapping[str, int] = field(default_factory=dict)
    """Of accounts that did not exist: if another writer has made one meanwhile, this group is in conflict with it."""
    heads: list[HeadRow] = field(default_factory=list)
    shoe_keys: list[ShoeKeysRow] = field(default_factory=list)
    landmarks: list[LandmarkRow] = field(default_factory=list)
