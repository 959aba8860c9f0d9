"""Heads that somebody has kept outside of the house's reach, held against the record.

Whoever puts a stream back to an older head, truly signed in its time, leaves a record in which nothing is wrong. What
others have kept tells it: every head that was ever signed lies in the chain of its stream for ever.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TextIO

from puntobanco.errors import InputError
from puntobanco.store.findings import Findings
from puntobanco.store.keys import is_signed
from puntobanco.store.rows import HeadRow
from puntobanco.store.transfer import head_of

OTHER_ROWS = ('["event"', '["entry"', '["command"', '["shoe_keys"')
"""How most lines of an export begin, which hold no head."""


class KeptHead(NamedTuple):
    """A head, and where it was kept."""

    file: str
    line: int
    head: HeadRow

    @property
    def where(self) -> str:
        return f"{self.file}, line {self.line}"


def read_heads(name: str, file: TextIO) -> list[KeptHead]:
    """The heads of an export, or of what the service gives as `evidence` of a round: on lines, or as one document."""
    try:
        found = [KeptHead(name, line, head) for line, value in _values(file) for head in _heads(value)]
    except (ValueError, RecursionError):
        raise InputError("unreadable-file", f"{name} is not an export, nor the evidence of rounds as JSON.") from None
    if not found:
        raise InputError("unreadable-file", f"{name} holds no head.")
    return found


def _values(file: TextIO) -> list[tuple[int, Any]]:
    lines = [(number, text) for number, text in enumerate(file, 1) if not text.startswith(OTHER_ROWS)]
    try:
        return [(number, json.loads(text)) for number, text in lines if text.strip()]
    except json.JSONDecodeError:
        file.seek(0)
        return [(1, json.load(file))]


def _heads(value: Any) -> Iterator[HeadRow]:
    match value:
        case ["head", *values]:
            yield head_of(values)
        case {"stream": stream, "head_version": version, "head_hash": hashed, "signature": signature}:
            yield head_of([stream, version, hashed, signature])
        case {"evidence": evidence}:
            yield from _heads(evidence)
        case [*several]:
            for each in several:
                yield from _heads(each)


def versions_kept(kept: Iterable[KeptHead]) -> dict[bytes, set[int]]:
    """By stream, as the chain names it, the versions whose hashes are asked for."""
    found: dict[bytes, set[int]] = defaultdict(set)
    for each in kept:
        found[each.head.stream.encode()].add(each.head.version)
    return found


def check_kept(
    kept: Sequence[KeptHead],
    public_key: bytes,
    ends: Mapping[str, int],
    hashes: Mapping[tuple[str, int], bytes],
    found: Findings,
) -> None:
    """Every head that this record has signed lies in it; of each stream the worst is told, and of each file."""
    found.kept_heads = len(kept)
    streams: dict[str, list[KeptHead]] = defaultdict(list)
    strange: dict[str, list[KeptHead]] = defaultdict(list)
    for each in {each.head: each for each in reversed(kept)}.values():
        signed = is_signed(public_key, each.head.signature, each.head.signed)
        (streams[each.head.stream] if signed else strange[each.file]).append(each)
    for _, heads in sorted(strange.items()):
        first = min(heads, key=lambda each: each.line)
        more = f" So it is with {len(heads) - 1:,} more." if len(heads) > 1 else ""
        sentence = f"The head of {first.head.stream} at {first.head.version} is not signed with the key of this record"
        found.report(first.where, None, f"{sentence}: it was changed, or another record was meant.{more}")
    for stream, heads in sorted(streams.items()):
        end = ends.get(stream, 0)
        last = max(heads, key=lambda each: each.head.version)
        if last.head.version > end:
            sentence = f"It ended at {last.head.version:,} when it was signed ({last.where}), and now"
            now = f"ends at {end:,}: what came after was taken out." if end else "nothing of it is in the record."
            found.report(stream, None, f"{sentence} {now}")
        others = [
            each
            for each in heads
            if each.head.version <= end and hashes.get((stream, each.head.version)) != each.head.hash
        ]
        if others:
            first = min(others, key=lambda each: each.head.version)
            sentence = f"It is another than when it was signed ({first.where}): it or what came before was exchanged."
            found.report(stream, first.head.version, sentence)
