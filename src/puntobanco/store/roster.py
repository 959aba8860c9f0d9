"""The roster of a record: which streams it has. Whoever takes out a whole stream with its signed end is found by it.

It is a stream as the others are, chained and signed; what begins another stream enters it here in the same transaction.
"""

from dataclasses import dataclass
from typing import NamedTuple

from puntobanco.table import Refusal, Refused
from puntobanco.table.reasons import Reason

ROSTER = "roster/main"


@dataclass(frozen=True)
class EnterStream:
    """A stream is begun."""

    stream: str


@dataclass(frozen=True)
class StreamEntered:
    """From now on the record has this stream."""

    stream: str


class Roster(NamedTuple):
    """The streams that were begun."""

    streams: frozenset[str] = frozenset()

    def decide(self, command: EnterStream) -> StreamEntered:
        if command.stream in self.streams or command.stream == ROSTER:
            raise Refused(Refusal(Reason.TABLE_OPEN, f"{command.stream} was begun before."))
        return StreamEntered(command.stream)

    def after(self, event: StreamEntered) -> "Roster":
        return Roster(self.streams | {event.stream})
