"""Messages as they are declared: what a socket sends, held against its declaration."""

from collections.abc import Iterable

import msgspec

from puntobanco.server.messages import EventTold, OtherTold

_EVENTS = msgspec.json.Decoder(EventTold)
_OTHERS = msgspec.json.Decoder(OtherTold)

heard: set[str] = set()
"""The kinds of everything that was sent since somebody cleared it; an event by the name of the event."""


def check_told(messages: Iterable[bytes]) -> None:
    """Every message has the fields that are declared for it, and no other."""
    for message in messages:
        said = msgspec.json.decode(message)
        decoder = _EVENTS if said["type"] == "event" else _OTHERS
        decoder.decode(message)
        heard.add(said["event"] if said["type"] == "event" else said["type"])
