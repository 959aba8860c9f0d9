"""A whole record as JSON lines, and back: the backup of a record, and its way from one database to another.

The first line says what it is, then come events, postings, answers, heads and sealed keys, each in its order, and
last how many there were with a hash over all lines before. Balances are not written: they are what the postings come
to. The keys of the data directory are no part of it, and are kept apart.
"""

import json
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from hashlib import sha256
from typing import Any

from puntobanco.errors import InputError
from puntobanco.store.database import REVISION, Database, SequencedEvent, StorageFault
from puntobanco.store.rows import CommandRow, EntryRow, EventRow, Group, HeadRow, ShoeKeysRow

FORMAT = "puntobanco-record"
WRITTEN_AT_ONCE = 2_000

Progress = Callable[[int], None]
"""Called with how many lines are done."""


async def exported(database: Database) -> AsyncIterator[str]:
    """The record, line by line without line feeds; byte for byte the same for the same record in any database."""
    running = sha256()
    counts = dict.fromkeys(("event", "entry", "command", "head", "shoe_keys"), 0)

    def line(kind: str, values: list[Any]) -> str:
        counts[kind] += 1
        return _told(json.dumps([kind, *values], ensure_ascii=False, separators=(",", ":")), running)

    yield _told(json.dumps({"format": FORMAT, "revision": REVISION}, separators=(",", ":")), running)
    place = 0
    async for events in database.events():
        for _, row in events:
            place += 1
            # Its hash is written too, so that the chain can be followed with the file alone.
            yield line("event", [place, *row[:-1], row.previous.hex(), row.hash().hex()])
    async for entries in database.entries():
        for entry in entries:
            yield line("entry", [*entry])
    async for commands in database.commands():
        for command in commands:
            yield line("command", [*command[:2], command.digest.hex(), *command[3:-1], command.seal.hex()])
    for head in await database.heads():
        yield line("head", [head.stream, head.version, head.hash.hex(), head.signature.hex()])
    async for keys in database.all_shoe_keys():
        for each in keys:
            yield line("shoe_keys", [each.stream, each.shoe, each.sealed.hex()])
    yield json.dumps({"end": counts, "sha256": running.hexdigest()}, separators=(",", ":"))


def _told(line: str, running: Any) -> str:
    running.update(line.encode() + b"\n")
    return line


async def imported(database: Database, lines: Iterable[str], progress: Progress = lambda _: None) -> int:
    """Write an exported record into an empty database, all of it or nothing. Returns how many lines it had."""
    if await database.event_count():
        raise StorageFault("The database holds a record already; a record is imported into an empty one.", "not-empty")
    await database.begin()
    try:
        count = await _import(database, lines, progress)
        await database.commit()
    except BaseException:
        await database.rollback()
        raise
    return count


async def _import(database: Database, lines: Iterable[str], progress: Progress) -> int:
    balances: dict[str, int] = {}
    events: list[SequencedEvent] = []
    group = Group()
    count = 0
    for kind, values in _rows(lines):
        count += 1
        try:
            _take(kind, values, events, group, balances)
        except (TypeError, ValueError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError("wrong-record", f"Line {count + 1} is not a row of a record: {error}.") from None
        if count % WRITTEN_AT_ONCE == 0:
            await database.put_back(events, group)
            events, group = [], Group()
            progress(count)
    group.new_balances = dict(sorted(balances.items()))
    await database.put_back(events, group)
    return count


def _take(kind: str, values: list[Any], events: list[SequencedEvent], group: Group, balances: dict[str, int]) -> None:
    """Put one row where it belongs."""
    match kind, values:
        case "event", [sequence, stream, version, at, actor, command, schema, body, previous, hashed]:
            row = EventRow(stream, version, at, actor, command, schema, body, bytes.fromhex(previous))
            if row.hash().hex() != hashed:
                raise InputError("wrong-record", f"Event {row.version} of {row.stream} has another hash.")
            events.append(SequencedEvent(sequence, row))
        case "entry", fields:
            entry = EntryRow(*fields)
            group.entries.append(entry)
            balances[entry.account] = balances.get(entry.account, 0) + entry.amount
        case "command", [actor, id, digest, stream, version, answer, seal]:
            group.commands.append(
                CommandRow(actor, id, bytes.fromhex(digest), stream, version, answer, bytes.fromhex(seal))
            )
        case "head", [stream, version, hashed, signature]:
            group.heads.append(HeadRow(stream, version, bytes.fromhex(hashed), bytes.fromhex(signature)))
        case "shoe_keys", [stream, shoe, sealed]:
            group.shoe_keys.append(ShoeKeysRow(stream, shoe, bytes.fromhex(sealed)))
        case _:
            raise InputError("wrong-record", f"A row of {kind} has not {len(values)} values.")


def _rows(lines: Iterable[str]) -> Iterator[tuple[str, list[Any]]]:
    """The rows between the first line and the last, which must be there and agree with them."""
    running = sha256()
    counts = dict.fromkeys(("event", "entry", "command", "head", "shoe_keys"), 0)
    number, ended = 0, False
    for number, text in enumerate(lines, 1):
        line = text.removesuffix("\n")
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            raise InputError("wrong-record", f"Line {number} is not JSON.") from None
        if ended:
            raise InputError("wrong-record", f"Line {number} follows the end of the record.")
        if number == 1:
            _check_first(value)
        elif isinstance(value, dict):
            if value != {"end": counts, "sha256": running.hexdigest()}:
                raise InputError("wrong-record", "The record is not as it was exported: its last line says otherwise.")
            ended = True
        elif isinstance(value, list) and value and value[0] in counts:
            counts[value[0]] += 1
            yield value[0], value[1:]
        else:
            raise InputError("wrong-record", f"Line {number} is of no known kind.")
        _told(line, running)
    if not ended:
        raise InputError("wrong-record", "The record is cut short: its last line is missing.")


def _check_first(value: object) -> None:
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise InputError("wrong-record", "This is not an exported record.")
    if value != {"format": FORMAT, "revision": REVISION}:
        raise StorageFault(f"The record was exported by another version, {value.get('revision')}.", "newer-database")
