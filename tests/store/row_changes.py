"""Changes that somebody with the database open, and without the keys, makes to the rows of a record.

Some are made to single values at random. Others are made with care: whoever moves money puts the balances right, and
whoever takes an event out closes the gap.
"""

import re
import sqlite3
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from puntobanco.store import schema
from puntobanco.store.rows import EventRow, HeadRow
from store.houses import KEYS as KEYS_OF_THE_RECORD

Row = dict[str, Any]
Rows = dict[str, list[Row]]
"""All rows of a record, by table."""

RECORD = [getattr(schema, name) for name in ("event", "entry", "account", "command", "head", "shoe_keys", "landmark")]
"""The tables of the record. Those of the service beside it are in no chain."""

KEYS = {table.name: [column.name for column in table.primary_key] for table in RECORD}
NULLABLE = {(table.name, column.name) for table in RECORD for column in table.columns if column.nullable}


class Statement(NamedTuple):
    text: str
    values: tuple[Any, ...] = ()

    def numbered(self) -> str:
        """With the places of its values numbered, as PostgreSQL has them."""
        places = iter(range(1, len(self.values) + 1))
        return re.sub(r"\?", lambda _: f"${next(places)}", self.text)


class RowChange(NamedTuple):
    name: str
    statements: tuple[Statement, ...]

    def __str__(self) -> str:
        told = "; ".join(f"{each.text} {each.values}" for each in self.statements)
        return f"{self.name}: {told[:600]}"


def read_rows(path: Path) -> Rows:
    """All rows of a record in a file of SQLite, events in their order."""
    file = sqlite3.connect(path)
    try:
        file.row_factory = sqlite3.Row
        statements = {table: f"SELECT * FROM {table} ORDER BY {', '.join(keys)}" for table, keys in KEYS.items()}
        return {table: [dict(row) for row in file.execute(text)] for table, text in statements.items()}
    finally:
        file.close()


def is_only_reordered(before: Rows, after: Rows) -> bool:
    """Whether all rows are the same, but for the places that events of different streams have in the whole record."""
    return _by_stream(before) == _by_stream(after)


def _by_stream(rows: Rows) -> Rows:
    events = [{**event, "sequence": None} for event in rows["event"]]
    return {**rows, "event": sorted(events, key=lambda event: str(event["stream"]))}


def _where(table: str, row: Row) -> tuple[str, tuple[Any, ...]]:
    keys = KEYS[table]
    return " AND ".join(f'"{key}" = ?' for key in keys), tuple([row[key] for key in keys])


def update(table: str, row: Row, **new: Any) -> Statement:
    condition, key = _where(table, row)
    set_to = ", ".join(f'"{column}" = ?' for column in new)
    return Statement(f"UPDATE {table} SET {set_to} WHERE {condition}", (*new.values(), *key))


def delete(table: str, row: Row) -> Statement:
    condition, key = _where(table, row)
    return Statement(f"DELETE FROM {table} WHERE {condition}", key)


def insert(table: str, row: Row) -> Statement:
    names = ", ".join(f'"{column}"' for column in row)
    return Statement(f"INSERT INTO {table} ({names}) VALUES ({', '.join('?' * len(row))})", tuple(row.values()))


MEND_BALANCES = Statement(
    "UPDATE account SET balance = (SELECT coalesce(sum(amount), 0) FROM entry WHERE entry.account = account.id)"
)


# Single values.


def value_changes(rows: Rows, seed: int) -> Iterator[RowChange]:
    """Values at random, every column as often as any other; without end."""
    chance = Random(seed)
    columns = [(table, column) for table, found in rows.items() for column in found[0]]
    while True:
        for table, column in columns:
            yield value_change(rows, table, column, chance)


def value_change(rows: Rows, table: str, column: str, chance: Random) -> RowChange:
    """Another value in one row."""
    row = chance.choice(rows[table])
    old = row[column]
    others = [each[column] for each in rows[table] if each[column] != old]
    while True:
        new = _another(old, others, chance)
        if (new != old or type(new) is not type(old)) and (new is not None or (table, column) in NULLABLE):
            return RowChange(f"{table}.{column}", (update(table, row, **{column: new}),))


def _another(old: Any, others: list[Any], chance: Random) -> Any:
    if others and chance.random() < 0.2:
        return chance.choice(others)
    if old is not None and chance.random() < 0.05:
        return None
    match old:
        case int():
            return _another_number(old, chance)
        case str():
            return _another_text(old, chance)
        case bytes():
            return _other_bytes(old, chance)
    return chance.randrange(1, 200)


def _another_number(old: int, chance: Random) -> int:
    if chance.random() < 0.5:
        return old ^ 1 << chance.randrange(62)
    return chance.choice([old + 1, old - 1, -old, 0, 2 * old, 2**63 - 1, -(2**63)])


def _another_text(old: str, chance: Random) -> str:
    at = chance.randrange(len(old) + 1)
    before, here, after = old[:at], old[at : at + 1], old[at + 1 :]
    if here and chance.random() < 0.5:
        return before + chr(ord(here) ^ 1 << chance.randrange(7)) + after
    # Blanks that mean nothing in JSON, letters that look alike, a letter less or more.
    return chance.choice(
        [
            before + " " + here + after,
            before + after,
            before + 2 * here + after,
            before + chr(chance.randrange(1, 0x3000)) + after,
            old.replace("a", "\N{CYRILLIC SMALL LETTER A}", 1),
            old.upper(),
            old + " ",
            "",
        ]
    )


def _other_bytes(old: bytes, chance: Random) -> bytes:
    if old and chance.random() < 0.6:
        at = chance.randrange(len(old))
        return old[:at] + bytes([old[at] ^ 1 << chance.randrange(8)]) + old[at + 1 :]
    return chance.choice([old[:-1], old + b"\0", b"", bytes(len(old)), old[::-1]])


# What an insider without the keys does.

Make = Callable[[Rows, Random], tuple[Statement, ...]]
INSIDER: dict[str, Make] = {}


def _insider(make: Make) -> Make:
    INSIDER[make.__name__.replace("_", " ")] = make
    return make


def insider_changes(rows: Rows, seed: int) -> Iterator[RowChange]:
    """Every change of an insider in turn, each time of other rows; without end."""
    chance = Random(seed)
    while True:
        for name, make in INSIDER.items():
            yield RowChange(name, make(rows, chance))


def _entries(rows: Rows, event: Row) -> list[Row]:
    return [each for each in rows["entry"] if (each["stream"], each["version"]) == (event["stream"], event["version"])]


def _answers(rows: Rows, events: list[Row]) -> list[Row]:
    asked = {(event["actor"], event["command"]) for event in events}
    return [each for each in rows["command"] if (each["actor"], each["id"]) in asked]


def _pair(found: list[Row], column: str, chance: Random) -> tuple[Row, Row]:
    """Two rows that differ in a column."""
    one = chance.choice(found)
    return one, chance.choice([each for each in found if each[column] != one[column]])


def _taken_out(rows: Rows, events: list[Row]) -> list[Statement]:
    """Events with their postings and answers."""
    entries = [delete("entry", entry) for event in events for entry in _entries(rows, event)]
    answers = [delete("command", answer) for answer in _answers(rows, events)]
    return [*(delete("event", event) for event in events), *entries, *answers]


def _last_of_a_stream(rows: Rows, chance: Random) -> tuple[list[Row], list[Row]]:
    """The events of a stream that stay, one at least, and the last ones."""
    stream = chance.choice(rows["head"])["stream"]
    events = [event for event in rows["event"] if event["stream"] == stream]
    count = chance.randrange(1, min(6, len(events)))
    return events[:-count], events[-count:]


def _head(rows: Rows, stream: str) -> Row:
    return next(head for head in rows["head"] if head["stream"] == stream)


def _hash(event: Row) -> bytes:
    return EventRow._make([value for column, value in event.items() if column != "sequence"]).hash()


@_insider
def an_event_with_its_postings_is_deleted(rows: Rows, chance: Random) -> tuple[Statement, ...]:
    event = chance.choice(rows["event"])
    return (*_taken_out(rows, [event]), MEND_BALANCES)


@_insider
def an_event_is_deleted_and_the_gap_closed(rows: Rows, chance: Random) -> tuple[Statement, ...]:
    event = chance.choice(rows["event"])
    stream, version, sequence = event["stream"], event["version"], event["sequence"]
    closing = []
    # Through numbers that nobody has: a database looks for doubles after each row.
    for table, column, where, values in (
        ("event", "sequence", "sequence > ?", (sequence,)),
        ("event", "version", "version > ? AND stream = ?", (version, stream)),
        ("entry", "version", "version > ? AND stream = ?", (version, stream)),
        ("command", "version", "version > ? AND stream = ?", (version, stream)),
        ("head", "version", "version > ? AND stream = ?", (version, stream)),
    ):
        closing += [
            Statement(f"UPDATE {table} SET {column} = 1 - {column} WHERE {where}", values),
            Statement(f"UPDATE {table} SET {column} = -{column} WHERE {column} < 0"),
        ]
    return (*_taken_out(rows, [event]), *closing, MEND_BALANCES)


@_insider
def the_bodies_of_two_events_are_swapped(rows: Rows, chance: Random) -> tuple[Statement, ...]:
    one, other = _pair(rows["event"], "body", chance)
    return update("event", one, body=other["body"]), update("event", other, body=one["body"])


@_insider
def two_events_are_swapped(rows: Rows, chance: Random) -> tuple[Statement, ...]:
    one, other = _pair(rows["event"], "body", chance)
    said = ("time", "actor", "command", "schema", "body")
    return tuple(
        update("event", here, **{column: there[column] for column in said})
        for here, there in ((one, other), (other, one))
    )


@_insider
def an_event_is_changed_and_the_chain_made_anew(rows: Rows, chance: Random) -> tuple[Statement, ...]:
    """All but the signature, for which a key is needed."""
    changed = chance.choice(rows["event"])
    events = [event for event in rows["event"] if event["stream"] == changed["stream"]]
    statements, previous = [], bytes(32)
    for event in events:
        row = {**event, "previous": previous}
        if event is changed:
            row["time"] += chance.choice([0, 1])
            row["actor"] += "x"
        statements.append(update("event", event, time=row["time"], actor=row["actor"], previous=previous))
        previous = _hash(row)
    answers = [update("command", each, actor=each["actor"] + "x") for each in _answers(rows, [changed])]
    return (*statements, *answers, update("head", _head(rows, changed["stream"]), hash=previous))


@_insider
def money_is_made_in_event_postings_and_balances(rows: Rows, chance: Random) -> tuple[Statement, ...]:
    event = chance.choice([each for each in rows["event"] if _entries(rows, each)])
    entries = _entries(rows, event)
    factor = chance.choice([2, 10])
    digits = re.compile(r"(?<=[:\[,])(-?[1-9][0-9]{2,})(?=[,}\]])")
    body = digits.sub(lambda found: str(int(found[0]) * factor), event["body"])
    moved = [update("entry", entry, amount=entry["amount"] * factor) for entry in entries]
    return (update("event", event, body=body), *moved, MEND_BALANCES)


@_insider
def a_posting_goes_to_another_account(rows: Rows, chance: Random) -> tuple[Statement, ...]:
    entry = chance.choice(rows["entry"])
    others = [each["id"] for each in rows["account"] if each["id"] != entry["account"]]
    return update("entry", entry, account=chance.choice(others)), MEND_BALANCES


@_insider
def the_postings_of_an_event_lie_elsewhere(rows: Rows, chance: Random) -> tuple[Statement, ...]:
    """In the same order, or in another."""
    entries = _entries(rows, chance.choice([each for each in rows["event"] if _entries(rows, each)]))
    if chance.random() < 0.5:
        return (update("entry", entries[-1], place=entries[-1]["place"] + chance.randrange(1, 5)),)
    apart = [update("entry", entry, place=100 - entry["place"]) for entry in entries]
    back = [Statement("UPDATE entry SET place = place - ? WHERE place > 50", (101 - len(entries),))]
    return (*apart, *back)


@_insider
def an_answer_is_moved_to_another_actor(rows: Rows, chance: Random) -> tuple[Statement, ...]:
    one, other = _pair(rows["command"], "actor", chance)
    return (update("command", one, actor=other["actor"]),)


@_insider
def an_answer_and_its_events_are_moved_to_another_actor(rows: Rows, chance: Random) -> tuple[Statement, ...]:
    event, other = _pair(rows["event"], "actor", chance)
    actor = other["actor"]
    events = [each for each in rows["event"] if (each["actor"], each["command"]) == (event["actor"], event["command"])]
    moved = [update("event", each, actor=actor) for each in events]
    return (*moved, *(update("command", answer, actor=actor) for answer in _answers(rows, [event])))


@_insider
def the_answers_of_two_commands_are_swapped(rows: Rows, chance: Random) -> tuple[Statement, ...]:
    one, other = _pair(rows["command"], "answer", chance)
    said = ("digest", "stream", "version", "answer", "seal")
    return tuple(
        update("command", here, **{column: there[column] for column in said})
        for here, there in ((one, other), (other, one))
    )


@_insider
def an_accepted_command_was_refused(rows: Rows, chance: Random) -> tuple[Statement, ...]:
    accepted = chance.choice([each for each in rows["command"] if each["version"] is not None])
    refused = chance.choice([each for each in rows["command"] if each["version"] is None])
    return (update("command", accepted, version=None, answer=refused["answer"]),)


@_insider
def an_accepted_answer_is_deleted(rows: Rows, chance: Random) -> tuple[Statement, ...]:
    return (delete("command", chance.choice([each for each in rows["command"] if each["version"] is not None])),)


@_insider
def the_last_event_is_there_twice(rows: Rows, chance: Random) -> tuple[Statement, ...]:
    """Chained as it should be, with its postings; only the head cannot be signed."""
    head = chance.choice(rows["head"])
    last = [event for event in rows["event"] if event["stream"] == head["stream"]][-1]
    version = last["version"] + 1
    again = {**last, "sequence": len(rows["event"]) + 1, "version": version, "previous": _hash(last)}
    entries = [insert("entry", {**entry, "version": version}) for entry in _entries(rows, last)]
    following = [update("head", head, version=version, hash=_hash(again))] if chance.random() < 0.5 else []
    return (insert("event", again), *entries, *following, MEND_BALANCES)


@_insider
def a_posting_is_there_twice(rows: Rows, chance: Random) -> tuple[Statement, ...]:
    entry = chance.choice(rows["entry"])
    return insert("entry", {**entry, "place": 50}), MEND_BALANCES


@_insider
def an_answer_is_there_twice(rows: Rows, chance: Random) -> tuple[Statement, ...]:
    answer = chance.choice(rows["command"])
    return (insert("command", {**answer, "id": answer["id"] + "-again"}),)


@_insider
def a_head_is_there_twice(rows: Rows, chance: Random) -> tuple[Statement, ...]:
    return (insert("head", {**chance.choice(rows["head"]), "stream": "table/other"}),)


@_insider
def sealed_keys_are_there_twice(rows: Rows, chance: Random) -> tuple[Statement, ...]:
    keys = chance.choice(rows["shoe_keys"])
    return (insert("shoe_keys", {**keys, "shoe": chance.randrange(10, 100)}),)


@_insider
def the_sealed_keys_of_two_shoes_are_swapped(rows: Rows, chance: Random) -> tuple[Statement, ...]:
    one, other = _pair(rows["shoe_keys"], "sealed", chance)
    return update("shoe_keys", one, sealed=other["sealed"]), update("shoe_keys", other, sealed=one["sealed"])


@_insider
def sealed_keys_are_deleted(rows: Rows, chance: Random) -> tuple[Statement, ...]:
    return (delete("shoe_keys", chance.choice(rows["shoe_keys"])),)


@_insider
def an_account_is_deleted(rows: Rows, chance: Random) -> tuple[Statement, ...]:
    return (delete("account", chance.choice(rows["account"])),)


@_insider
def an_account_with_nothing_on_it_is_made(rows: Rows, chance: Random) -> tuple[Statement, ...]:
    return (insert("account", {"id": f"patron/PHP/{chance.randrange(10**6)}", "balance": 0}),)


@_insider
def the_last_events_and_the_head_are_deleted(rows: Rows, chance: Random) -> tuple[Statement, ...]:
    stay, last = _last_of_a_stream(rows, chance)
    return (*_taken_out(rows, last), delete("head", _head(rows, stay[-1]["stream"])), MEND_BALANCES)


@_insider
def the_last_events_are_deleted_and_the_head_moved_back(rows: Rows, chance: Random) -> tuple[Statement, ...]:
    """Without a signature of that time."""
    stay, last = _last_of_a_stream(rows, chance)
    end = stay[-1]
    head = update("head", _head(rows, end["stream"]), version=end["version"], hash=_hash(end))
    return (*_taken_out(rows, last), head, MEND_BALANCES)


def signed_heads(rows: Rows) -> list[HeadRow]:
    """Every head that was ever signed, as somebody has them who has read the record all the time: one a command."""
    ended = {(command["stream"], command["version"]) for command in rows["command"]}
    found = []
    for event in rows["event"]:
        if (event["stream"], event["version"]) in ended:
            head = HeadRow(event["stream"], event["version"], _hash(event), b"")
            # Ed25519 makes one signature of one message: this is the one that the record made then.
            found.append(head._replace(signature=KEYS_OF_THE_RECORD.sign(head.signed)))
    return found


@_insider
def the_last_events_are_deleted_and_the_head_put_back(rows: Rows, chance: Random) -> tuple[Statement, ...]:
    """An older head, truly signed in its time, and all that came after it in the stream gone without a gap."""
    now = {head["stream"]: head["version"] for head in rows["head"]}
    back = chance.choice([head for head in signed_heads(rows) if head.version < now[head.stream]])
    last = [each for each in rows["event"] if each["stream"] == back.stream and each["version"] > back.version]
    stay = [each for each in rows["event"] if each not in last]
    moved = [update("event", event, sequence=place) for place, event in enumerate(stay, 1)]
    return (
        *_taken_out(rows, last),
        Statement("DELETE FROM landmark WHERE stream = ? AND version >= ?", (back.stream, back.version)),
        Statement("DELETE FROM account WHERE id NOT IN (SELECT account FROM entry)"),
        update("head", _head(rows, back.stream), version=back.version, hash=back.hash, signature=back.signature),
        *moved,
        MEND_BALANCES,
    )


@_insider
def the_order_of_two_streams_is_changed(rows: Rows, chance: Random) -> tuple[Statement, ...]:
    """Two neighbours of different streams. It is found where the money that one needs came by the other."""
    pairs = [(a, b) for a, b in pairwise(rows["event"]) if a["stream"] != b["stream"]]
    one, other = chance.choice(pairs)
    return (
        update("event", one, sequence=0),
        update("event", other, sequence=one["sequence"]),
        update("event", {"sequence": 0}, sequence=other["sequence"]),
    )
