"""A whole record as JSON lines, and back: the backup of a record, and its way from one database to another.

The first line says what it is, then come events, postings, answers, heads and sealed keys, each in its order, and
last how many there were with a hash over all lines before. Balances are not written: they are what the postings come
to. The keys of the data directory are no part of it, and are kept apart.
"""

import json
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import suppress
from hashlib import sha256
from typing import Any

from puntobanco.cards import shown
from puntobanco.errors import Fault, InputError
from puntobanco.store.database import Conflict, Database, SequencedEvent, StorageFault
from puntobanco.store.rows import DAMAGED, CommandRow, EntryRow, EventRow, Group, HeadRow, ShoeKeysRow

FORMAT = "puntobanco-record"
RECORD_REVISION = "0001"
"""The last migration that changed the tables of the record itself, which are those that are exported."""
WRITTEN_AT_ONCE = 2_000

# What the values of a row are, by its kind; the texts that are bytes are in hexadecimal.
EVENT = (int, str, int, int, str, str, int, str, bytes, bytes)
ENTRY = (str, int, int, str, int)
COMMAND = (str, str, bytes, str, int | None, str, bytes)
HEAD = (str, int, bytes, bytes)
SHOE_KEYS = (str, int, bytes)
ROWS: dict[str, tuple[Any, ...]] = {
    "event": EVENT,
    "entry": ENTRY,
    "command": COMMAND,
    "head": HEAD,
    "shoe_keys": SHOE_KEYS,
}
KEYS = {"entry": 3, "command": 2, "head": 1, "shoe_keys": 2}
"""How many values a row is named by; they come first, and rows lie in their order. An event is named by its place."""
SMALLEST, LARGEST = -(2**63), 2**63 - 1


async def exported(database: Database) -> AsyncIterator[str]:
    """The record of one moment, line by line without line feeds; the same bytes for the same record in any database."""
    async with database.snapshot():
        try:
            async for line in _exported(database):
                yield line
        except DAMAGED:
            raise StorageFault("A row of the record holds what no row can: audit it.", "damaged") from None


async def _exported(database: Database) -> AsyncIterator[str]:
    running = sha256()
    counts = dict.fromkeys(ROWS, 0)

    def line(kind: str, values: list[Any]) -> str:
        counts[kind] += 1
        return _told(_written([kind, *values]), running)

    yield _told(_written({"format": FORMAT, "revision": RECORD_REVISION}), running)
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
        yield line("head", _head_values(head))
    async for keys in database.all_shoe_keys():
        for each in keys:
            yield line("shoe_keys", [each.stream, each.shoe, each.sealed.hex()])
    yield _written({"end": counts, "sha256": running.hexdigest()})


async def exported_heads(database: Database) -> AsyncIterator[str]:
    """The heads alone, line by line as in an export: little enough to be kept every few minutes."""
    for head in await database.heads():
        yield _written(["head", *_head_values(head)])


def _head_values(head: HeadRow) -> list[Any]:
    return [head.stream, head.version, head.hash.hex(), head.signature.hex()]


def head_of(values: list[Any]) -> HeadRow:
    """A head from the values that an export has for it; raises ValueError where it is none."""
    return HeadRow._make([_value(declared, value) for declared, value in zip(HEAD, values, strict=True)])


def _written(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _told(line: str, running: Any) -> str:
    running.update(line.encode() + b"\n")
    return line


async def imported(database: Database, lines: Iterable[str]) -> int:
    """Write an exported record into an empty database, all of it or nothing. Returns how many rows it had."""
    if await database.event_count() or await database.count("command"):
        raise StorageFault("The database holds a record already; a record is imported into an empty one.", "not-empty")
    importing = _Importing(database)
    try:
        for kind, values in _rows(lines):
            importing.take(kind, values)
            if importing.count % WRITTEN_AT_ONCE == 0:
                await importing.write()
        await importing.finish()
    except BaseException as error:
        with suppress(Fault):
            await importing.give_up()
        if isinstance(error, Conflict):
            # Every row came once, so that it is somebody else's that is there already.
            raise StorageFault("Another process has written to the database meanwhile.", "not-empty") from None
        raise
    return importing.count


class _Importing:
    """Rows on their way into a database, in one transaction that begins with the first of them."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._has_begun = False
        self._events: list[SequencedEvent] = []
        self._group = Group()
        self._balances: dict[str, int] = {}
        self._last: tuple[Any, ...] = ()
        self.count = 0

    def take(self, kind: str, values: list[Any]) -> None:
        """Put one row where it belongs."""
        self.count += 1
        try:
            row = [_value(declared, value) for declared, value in zip(ROWS[kind], values, strict=True)]
        except (ValueError, TypeError):
            raise InputError("wrong-record", f"Line {self.count + 1} is not a row of a record.") from None
        self._check_order(kind, row)
        match kind:
            case "event":
                sequence, *fields, hashed = row
                event = EventRow._make(fields)
                if event.hash() != hashed:
                    raise InputError("wrong-record", f"Line {self.count + 1} is an event with another hash.")
                self._events.append(SequencedEvent(sequence, event))
            case "entry":
                entry = EntryRow._make(row)
                self._group.entries.append(entry)
                self._balances[entry.account] = self._balances.get(entry.account, 0) + entry.amount
            case "command":
                self._group.commands.append(CommandRow._make(row))
            case "head":
                self._group.heads.append(HeadRow._make(row))
            case "shoe_keys":
                self._group.shoe_keys.append(ShoeKeysRow._make(row))

    def _check_order(self, kind: str, row: list[Any]) -> None:
        """Every row once, each kind in its place and all in the order of an export, or a second one would differ."""
        place: tuple[Any, ...] = ([*ROWS].index(kind), *row[: KEYS.get(kind, 1)])
        if place <= self._last or (kind == "event" and row[0] != self.count):
            raise InputError("wrong-record", f"Line {self.count + 1} is there twice, or not where an export has it.")
        self._last = place

    async def write(self) -> None:
        # Not begun before there is something to write: whoever sends the lines may take their time.
        if not self._has_begun:
            await self._database.begin()
            self._has_begun = True
        await self._database.put_back(self._events, self._group)
        self._events, self._group = [], Group()

    async def finish(self) -> None:
        self._group.new_balances = dict(sorted(self._balances.items()))
        await self.write()
        await self._database.commit()

    async def give_up(self) -> None:
        if self._has_begun:
            await self._database.rollback()


def _value(declared: Any, value: object) -> Any:
    """A value as the row has it, if it is what is declared for its place."""
    if declared is bytes and isinstance(value, str):
        found = bytes.fromhex(value)
        # In one way only, or a second export would not be the same.
        if found.hex() == value:
            return found
    elif declared is str and isinstance(value, str):
        value.encode()  # Half of a pair of surrogates is no text.
        if "\0" not in value:  # PostgreSQL holds none.
            return value
    elif declared is not bytes and type(value) is int and SMALLEST <= value <= LARGEST and isinstance(value, declared):
        return value
    elif value is None and isinstance(None, declared):
        return None
    raise ValueError


def _rows(lines: Iterable[str]) -> Iterator[tuple[str, list[Any]]]:
    """The rows between the first line and the last, which must be there and agree with them."""
    running = sha256()
    counts = dict.fromkeys(ROWS, 0)
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
        elif isinstance(value, list) and value and isinstance(value[0], str) and value[0] in counts:
            counts[value[0]] += 1
            yield value[0], value[1:]
        else:
            raise InputError("wrong-record", f"Line {number} is of no known kind.")
        # In one way only, or a second export would not be the same.
        if _written(value) != line:
            raise InputError("wrong-record", f"Line {number} is not written as in an export.")
        _told(line, running)
    if not ended:
        raise InputError("wrong-record", "The record is cut short: its last line is missing.")


def _check_first(value: object) -> None:
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise InputError("wrong-record", "This is not an exported record.")
    if value != {"format": FORMAT, "revision": RECORD_REVISION}:
        said = shown(value.get("revision"))
        raise StorageFault(
            f"The record was exported at version {said} and this program is at {RECORD_REVISION}.", "newer-database"
        )
