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


class KeptFile(NamedTuple):
    """The heads of one file, and the lines that cannot be read: a broken connection tears one, and others stand."""

    name: str
    heads: Sequence[KeptHead]
    unreadable: Sequence[int] = ()


def read_heads(name: str, file: TextIO) -> KeptFile:
    """The heads of an export, or of what the service gives as `evidence` of a round: on lines, or as one document."""
    lines = [(number, text) for number, text in enumerate(file, 1) if text.strip() and not text.startswith(OTHER_ROWS)]
    heads, unreadable = _read(name, lines)
    if unreadable:
        # A document is laid out over several lines, which are nothing by themselves.
        file.seek(0)
        as_document = _read(name, [(1, file.read())])
        heads, unreadable = (heads, unreadable) if as_document[1] else as_document
    if not heads:
        told = "is not an export, nor the evidence of rounds as JSON" if unreadable else "holds no head"
        raise InputError("unreadable-file", f"{name} {told}.")
    return KeptFile(name, heads, unreadable)


def _read(name: str, texts: Iterable[tuple[int, str]]) -> tuple[list[KeptHead], list[int]]:
    heads, unreadable = list[KeptHead](), list[int]()
    for line, text in texts:
        try:
            heads += [KeptHead(name, line, head) for head in _heads(json.loads(text))]
        except (ValueError, RecursionError):
            unreadable.append(line)
    return heads, unreadable


def _heads(value: Any) -> Iterator[HeadRow]:
    """The heads in a value; raises ValueError where it is none of those that may hold some."""
    match value:
        case ["head", *values]:
            yield head_of(values)
        case {"stream": stream, "head_version": version, "head_hash": hashed, "signature": signature}:
            yield head_of([stream, version, hashed, signature])
        case {"evidence": evidence}:
            if evidence is not None:
                yield from _heads(evidence)
        case {"format": _} | {"end": _}:
            # How an export begins and ends.
            return
        case [*several]:
            for each in several:
                yield from _heads(each)
        case _:
            raise ValueError


def versions_kept(kept: Iterable[KeptFile]) -> dict[bytes, set[int]]:
    """By stream, as the chain names it, the versions whose hashes are asked for."""
    found: dict[bytes, set[int]] = defaultdict(set)
    for file in kept:
        for each in file.heads:
            found[each.head.stream.encode()].add(each.head.version)
    return found


def check_kept(
    kept: Sequence[KeptFile],
    public_key: bytes,
    ends: Mapping[str, int],
    hashes: Mapping[tuple[str, int], bytes],
    found: Findings,
) -> None:
    """Every head that this record has signed lies in it; of each stream the worst is told, and of each file."""
    found.kept_heads = sum(len(file.heads) for file in kept)
    for file in kept:
        if file.unreadable:
            sentence = "It is neither a head nor the evidence of a round: it was torn, or changed"
            found.report(f"{file.name}, line {file.unreadable[0]}", None, _and_more(sentence, file.unreadable))
    streams: dict[str, list[KeptHead]] = defaultdict(list)
    strange: dict[str, list[KeptHead]] = defaultdict(list)
    every = [each for file in kept for each in file.heads]
    for each in {each.head: each for each in reversed(every)}.values():
        signed = is_signed(public_key, each.head.signature, each.head.signed)
        (streams[each.head.stream] if signed else strange[each.file]).append(each)
    for _, heads in sorted(strange.items()):
        first = min(heads, key=lambda each: each.line)
        sentence = f"The head of {first.head.stream} at {first.head.version} is not signed with the key of this record"
        sentence = f"{sentence}: it was changed, or another record was meant"
        found.report(first.where, None, _and_more(sentence, heads))
    for stream, heads in sorted(streams.items()):
        _check_stream(stream, heads, ends.get(stream, 0), hashes, found)
    if kept:
        reached = {stream: max(each.head.version for each in heads) for stream, heads in streams.items()}
        _tell_unreached(reached, ends, found)


def _and_more(sentence: str, several: Sequence[object]) -> str:
    """The sentence about the first of them, and how many more there are."""
    return f"{sentence}. So it is with {len(several) - 1:,} more." if len(several) > 1 else f"{sentence}."


def _check_stream(
    stream: str, heads: Sequence[KeptHead], end: int, hashes: Mapping[tuple[str, int], bytes], found: Findings
) -> None:
    last = max(heads, key=lambda each: each.head.version)
    if last.head.version > end:
        sentence = f"It ended at {last.head.version:,} when it was signed ({last.where}), and now"
        now = f"ends at {end:,}: what came after was taken out." if end else "nothing of it is in the record."
        found.report(stream, None, f"{sentence} {now}")
    others = [
        each for each in heads if each.head.version <= end and hashes.get((stream, each.head.version)) != each.head.hash
    ]
    if others:
        first = min(others, key=lambda each: each.head.version)
        sentence = f"It is another than when it was signed ({first.where}): it or what came before was exchanged."
        found.report(stream, first.head.version, sentence)


def _tell_unreached(reached: Mapping[str, int], ends: Mapping[str, int], found: Findings) -> None:
    """Name what was not held against a kept head: whatever was put back there, nobody could tell."""
    never = [stream for stream in sorted(ends) if stream not in reached]
    if never:
        found.unchecked.append(f"Whether anything was put back at {', '.join(never)}, of which no head was kept.")
    later = [
        f"{stream} after event {reached[stream]:,} of {end:,}"
        for stream, end in sorted(ends.items())
        if reached.get(stream, end) < end
    ]
    if later:
        found.unchecked.append(f"Whether anything was put back at {', '.join(later)}, since when no head was kept.")
