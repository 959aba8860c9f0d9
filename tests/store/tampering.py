"""A record that somebody has changed, and what comes of it: every change must be found, refused or proven harmless.

A change is harmless where nothing that the record holds is another afterwards: the database finds no fault in its
file, every row of every table and index is as it was, an export is the same bytes, and what was changed is no value.
"""

import asyncio
import json
import re
import sqlite3
import traceback
from collections.abc import Iterator, Sequence
from enum import StrEnum
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import NamedTuple

from puntobanco.cli.audit import _in_words
from puntobanco.errors import Fault, InputError
from puntobanco.store.audit import audit
from puntobanco.store.database import Database
from puntobanco.store.kept_heads import KeptFile, KeptHead
from puntobanco.store.rows import HeadRow
from puntobanco.store.sqlite import SqliteDatabase
from puntobanco.store.transfer import exported
from store.file_places import VALUE, file_places
from store.houses import KEYS
from store.row_changes import RowChange, Rows, is_only_reordered, read_rows

MOST_SECONDS = 20.0
"""For one change: reading a record of this size takes a few hundredths of a second, whatever is wrong with it."""

BLANK = "blank in a declaration"


class Outcome(StrEnum):
    FOUND = "found"
    FOUND_BY_HEADS = "found by heads that were kept"
    """And by nothing in the record itself: it is one that once was (docs/record.md)."""
    REFUSED = "refused"
    HARMLESS = "harmless"
    REORDERED = "only reordered"
    """Every stream is as it was, and only how they lie together is another: no chain holds that (docs/record.md)."""
    MISSED = "missed"
    CRASHED = "crashed"
    ENDLESS = "endless"

    @property
    def is_failure(self) -> bool:
        return self in (Outcome.MISSED, Outcome.CRASHED, Outcome.ENDLESS)


class Verdict(NamedTuple):
    """What came of a change, and in which words."""

    outcome: Outcome
    words: str
    """The first problem, the sentence of the refusal, or which kind of harmless place was changed."""


class ByteChange(NamedTuple):
    """One byte of the file."""

    at: int
    value: int

    def __str__(self) -> str:
        return f"byte {self.at} = {self.value:#04x}"


def byte_changes(data: bytes, seed: int) -> Iterator[ByteChange]:
    """Bytes at random, each with another value than it has; without end."""
    chance = Random(seed)
    while True:
        at = chance.randrange(len(data))
        yield ByteChange(at, (data[at] + chance.randrange(1, 256)) % 256)


class Contents(NamedTuple):
    """All that a file of SQLite holds, read past the program that keeps it."""

    faults: list[str]
    declarations: list[tuple[object, ...]]
    tables: dict[str, list[tuple[object, ...]]]
    indexes: dict[str, list[tuple[object, ...]]]

    def without_blanks(self) -> "Contents":
        """With every run of blanks in a declaration as one: how it is laid out declares nothing."""
        rows = [tuple([_one_blank(value) for value in row]) for row in self.declarations]
        return self._replace(declarations=rows)


def _one_blank(value: object) -> object:
    return re.sub(rb"\s+", b" ", value) if isinstance(value, bytes) else value


def contents(path: Path) -> Contents:
    """Read every table and every index to its end."""
    # Immutable: as the file lies there, without a look at any other.
    file = sqlite3.connect(f"file:{path}?immutable=1", uri=True)
    try:
        file.text_factory = bytes
        faults = [str(row[0]) for row in file.execute("PRAGMA integrity_check")]
        declarations = file.execute("SELECT * FROM sqlite_schema ORDER BY rowid").fetchall()
        tables, indexes = {}, {}
        for kind, raw, *_ in declarations:
            name = raw.decode()
            if kind == b"table":
                tables[name] = sorted(file.execute(f"SELECT * FROM {name} NOT INDEXED").fetchall(), key=repr)
            else:
                columns = [row[2] for row in file.execute(f"PRAGMA index_xinfo({name})")]
                named = ", ".join(f'"{column.decode()}"' for column in columns if column is not None)
                what = "SELECT tbl_name, coalesce(sql, '') FROM sqlite_schema WHERE name = ?"
                of, declared = [each.decode() for each in file.execute(what, [name]).fetchone()]
                # An index may be of some rows only, and is used only where no others are asked for.
                rows = "".join(declared.rpartition(" WHERE ")[1:]) if " WHERE " in declared else ""
                statement = f"SELECT {named} FROM {of} INDEXED BY {name}{rows} ORDER BY {named}"
                indexes[name] = file.execute(statement).fetchall()
        return Contents(faults, declarations, tables, indexes)
    finally:
        file.close()


class Original:
    """A true record in a file, and a place beside it where copies are changed."""

    def __init__(self, path: Path) -> None:
        self.data = path.read_bytes()
        self.contents, self.rows = contents(path), read_rows(path)
        assert self.contents.faults == ["b'ok'"]
        roots = [row[3] for row in self.contents.declarations]
        self.places = file_places(self.data, [root for root in roots if isinstance(root, int)])
        self._copy = path.with_name(f"changed-{path.name}")
        self._write(self.data)
        untouched = asyncio.run(judged(SqliteDatabase(self._copy)))
        assert untouched.verdict is None, untouched.verdict
        self.export = untouched.export
        assert self.export is not None

    def _write(self, data: bytes) -> None:
        for suffix in ("-wal", "-shm", "-journal"):
            self._copy.with_name(self._copy.name + suffix).unlink(missing_ok=True)
        self._copy.write_bytes(data)

    def judge(self, change: ByteChange | RowChange) -> Verdict:
        """Change a copy, and see what comes of it."""
        if isinstance(change, RowChange):
            self._write(self.data)
            try:
                with sqlite3.connect(self._copy) as file:
                    for statement in change.statements:
                        file.execute(statement.text, statement.values)
            except (sqlite3.Error, OverflowError, UnicodeError) as error:
                return Verdict(Outcome.REFUSED, str(error))
            finally:
                # The last connection leaves nothing beside the file.
                file.close()
            data = self._copy.read_bytes()
        else:
            data = self.data[: change.at] + bytes([change.value]) + self.data[change.at + 1 :]
            self._write(data)
        seen = asyncio.run(judged(SqliteDatabase(self._copy)))
        if seen.verdict is not None:
            return seen.verdict
        # The program may have written to the copy: what is compared is what was changed.
        self._write(data)
        if isinstance(change, RowChange):
            return self._compared_rows()
        return self._proven_harmless(seen.export, self.places[change.at])

    def _compared_rows(self) -> Verdict:
        # A row that was changed is never as it was.
        if is_only_reordered(self.rows, read_rows(self._copy)):
            return Verdict(Outcome.REORDERED, "how the streams lie together is another")
        return asyncio.run(judged_by_heads(SqliteDatabase(self._copy), self.rows))

    def _proven_harmless(self, export: list[str] | None, place: str) -> Verdict:
        if export != self.export:
            return Verdict(Outcome.MISSED, f"an export is another ({place})")
        try:
            found = contents(self._copy)
        except sqlite3.Error as error:
            return Verdict(Outcome.MISSED, f"SQLite says {error} ({place})")
        if found == self.contents and place != VALUE:
            return Verdict(Outcome.HARMLESS, place)
        if found != self.contents and found.without_blanks() == self.contents.without_blanks():
            return Verdict(Outcome.HARMLESS, BLANK)
        return Verdict(Outcome.MISSED, f"what the file holds is another ({place})")


class Seen(NamedTuple):
    """What a database shows of a change; no verdict where it shows nothing."""

    verdict: Verdict | None
    export: list[str] | None = None


async def judged_by_heads(database: Database, rows: Rows) -> Verdict:
    """Whether somebody finds it who has kept the heads that the true record ended in."""
    kept = [KeptHead("kept", line, HeadRow(**head)) for line, head in enumerate(rows["head"], 1)]
    seen = await judged(database, [KeptFile("kept", kept)])
    if seen.verdict is None:
        return Verdict(Outcome.MISSED, "the rows are others")
    return seen.verdict._replace(outcome=Outcome.FOUND_BY_HEADS)


async def judged(database: Database, kept: Sequence[KeptFile] = ()) -> Seen:
    """Audit and export a record, as the commands do."""
    try:
        return await _judged(database, kept)
    except (Fault, InputError) as refusal:
        return Seen(Verdict(Outcome.REFUSED if refusal.message else Outcome.CRASHED, refusal.message))
    except Exception:
        return Seen(Verdict(Outcome.CRASHED, traceback.format_exc()))


async def _judged(database: Database, kept: Sequence[KeptFile]) -> Seen:
    try:
        await database.start(new=False)
        found = await audit(database, KEYS, kept=kept)
        # Whatever the words of a problem hold, they can be printed.
        json.dumps(found.as_json())
        _in_words(found).encode()
        try:
            export = [line async for line in exported(database)]
        except Fault:
            if not found.problems:
                raise
            export = None
    finally:
        await database.close()
    return Seen(Verdict(Outcome.FOUND, str(found.problems[0])) if found.problems else None, export)


class Apart:
    """Changes judged in a process of its own, which is ended where one takes too long or takes it down."""

    def __init__(self, path: Path, most_seconds: float = MOST_SECONDS) -> None:
        self._path, self._most_seconds = path, most_seconds
        self._begin()

    def _begin(self) -> None:
        processes = get_context("forkserver")
        self._pipe, theirs = processes.Pipe()
        self._process = processes.Process(target=_judge_all, args=(self._path, theirs), daemon=True)
        self._process.start()
        theirs.close()
        assert self._pipe.recv() == "ready"

    def judge(self, change: ByteChange | RowChange) -> Verdict:
        self._pipe.send(change)
        try:
            if self._pipe.poll(self._most_seconds):
                verdict: Verdict = self._pipe.recv()
                return verdict
            verdict = Verdict(Outcome.ENDLESS, f"not read to the end in {self._most_seconds:g} s")
        except EOFError:
            verdict = Verdict(Outcome.CRASHED, "the process ended")
        self.close()
        self._begin()
        return verdict

    def close(self) -> None:
        self._process.kill()
        self._process.join()
        self._pipe.close()


def _judge_all(path: Path, pipe: Connection) -> None:
    original = Original(path)
    pipe.send("ready")
    while True:
        pipe.send(original.judge(pipe.recv()))
