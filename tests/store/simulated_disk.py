"""A disk for SQLite that forgets what was not synced, and that can be made to fail: an APSW VFS over a real folder.

The files are real, so that locks and shared memory are SQLite's own. Beside them the disk keeps a journal of all that
was asked of it, and from that any state that a power loss may leave:

    of what was written to a file and not synced since, any sectors may be missing, in any order (a sector itself is
    old or new), and what was never written before may hold anything;
    a truncation may not have happened yet;
    a file that is new may not be there, and one that was deleted may still be, until the folder is synced, which
    SQLite does with the first sync of a new journal.
"""

import itertools
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Literal, NamedTuple, TypeAlias

import apsw

from puntobanco.store.sqlite import BUSY_SECONDS, SqliteConnection

SECTOR = 512

Kind = Literal["open", "delete", "read", "write", "truncate", "sync", "size", "lock", "unlock"]


class Write(NamedTuple):
    file: str
    offset: int
    data: bytes


class Truncate(NamedTuple):
    file: str
    size: int


class Sync(NamedTuple):
    file: str


class Create(NamedTuple):
    file: str


class Delete(NamedTuple):
    file: str
    synced: bool


class Mark(NamedTuple):
    """Not of the disk: whoever uses it notes here how far they are."""

    number: int


Operation: TypeAlias = Write | Truncate | Sync | Create | Delete | Mark

Fails = Callable[[Kind, str], Exception | None]
"""Asked before every call: the error that it fails with, or None."""


def never_fails(_kind: Kind, _file: str) -> None:
    return None


class SimulatedDisk(apsw.VFS):
    """The disk of one folder. `connect` opens a database on it."""

    _numbers = itertools.count()

    def __init__(self) -> None:
        self.name = f"simulated-{next(self._numbers)}"
        self.journal: list[Operation] = []
        self.fails: Fails = never_fails
        super().__init__(self.name, "")

    def connect(self, path: Path) -> SqliteConnection:
        connection = apsw.Connection(str(path), vfs=self.name)
        connection.set_busy_timeout(int(1000 * BUSY_SECONDS))
        return connection

    def before(self, kind: Kind, file: str) -> None:
        error = self.fails(kind, file)
        if error is not None:
            raise error

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        assert path is not None, "a record needs no temporary files"
        file = os.path.basename(path)
        self.before("open", file)
        is_new = not os.path.exists(path)
        opened = SimulatedFile(self, name, flags, file)
        if is_new:
            self.journal.append(Create(file))
        return opened

    def xDelete(self, filename: str, syncdir: bool) -> None:
        file = os.path.basename(filename)
        self.before("delete", file)
        super().xDelete(filename, syncdir)
        self.journal.append(Delete(file, syncdir))


class SimulatedFile(apsw.VFSFile):
    """A file whose changes are noted in the journal of its disk."""

    def __init__(self, disk: SimulatedDisk, name: str | apsw.URIFilename | None, flags: list[int], file: str) -> None:
        self.disk, self.file = disk, file
        super().__init__("", name, flags)

    def xRead(self, amount: int, offset: int) -> bytes:
        self.disk.before("read", self.file)
        return super().xRead(amount, offset)

    def xWrite(self, data: bytes, offset: int) -> None:
        self.disk.before("write", self.file)
        super().xWrite(data, offset)
        self.disk.journal.append(Write(self.file, offset, bytes(data)))

    def xTruncate(self, newsize: int) -> None:
        self.disk.before("truncate", self.file)
        super().xTruncate(newsize)
        self.disk.journal.append(Truncate(self.file, newsize))

    def xSync(self, flags: int) -> None:
        # The real disk is not synced: a test does not lose its power, and what is durable is for the journal to say.
        self.disk.before("sync", self.file)
        self.disk.journal.append(Sync(self.file))

    def xFileSize(self) -> int:
        self.disk.before("size", self.file)
        return super().xFileSize()

    def xLock(self, level: int) -> None:
        self.disk.before("lock", self.file)
        super().xLock(level)

    def xUnlock(self, level: int) -> None:
        self.disk.before("unlock", self.file)
        super().xUnlock(level)


@dataclass(frozen=True)
class Contents:
    """A file: what is on the disk for certain, and what was done to it since."""

    synced: bytes = b""
    since: tuple[Write | Truncate, ...] = ()

    def now(self) -> bytes:
        image = bytearray(self.synced)
        for operation in self.since:
            _apply(image, operation)
        return bytes(image)


def _apply(image: bytearray, operation: Write | Truncate) -> None:
    if isinstance(operation, Truncate):
        del image[operation.size :]
        image.extend(bytes(operation.size - len(image)))
        return
    end = operation.offset + len(operation.data)
    image.extend(bytes(max(0, end - len(image))))
    image[operation.offset : end] = operation.data


@dataclass
class Platter:
    """What a power loss finds: the files as the folder surely has them, and as it may have them."""

    surely: dict[str, Contents | None] = field(default_factory=dict)
    """As of the last time that the folder was synced; None for a file that was not there."""
    now: dict[str, Contents | None] = field(default_factory=dict)
    new: set[str] = field(default_factory=set)
    """Files whose names may be lost."""

    def apply(self, operation: Operation) -> None:
        """Go on by one operation."""
        match operation:
            case Create(file):
                self.surely.setdefault(file, None)
                self.now[file] = Contents()
                self.new.add(file)
            case Delete(file, synced):
                self.now[file] = None
                self.new.discard(file)
                if synced:
                    self._sync_folder()
            case Write(file) | Truncate(file):
                self._change(file, lambda was: replace(was, since=(*was.since, operation)))
            case Sync(file):
                self._change(file, lambda was: Contents(was.now()))
                if file in self.new:
                    self._sync_folder()
            case Mark():
                pass

    def _change(self, file: str, change: Callable[[Contents], Contents]) -> None:
        was = self.now[file]
        assert was is not None, "a file that is deleted is not written"
        self.now[file] = change(was)
        # The same file under its sure name, unless that is one that was deleted since.
        if file not in self.new:
            self.surely[file] = self.now[file]

    def _sync_folder(self) -> None:
        self.surely = dict(self.now)
        self.new.clear()

    def after_a_power_loss(self, random: Random) -> dict[str, bytes]:
        """One of the states that a power loss may leave; which, the generator says."""
        # A few states are extreme, and most are anything in between.
        kept = random.choice([0.0, 1.0, 0.5, random.random(), random.random()])
        found = {}
        for file, now in self.now.items():
            contents = random.choice([now, self.surely.get(file)])
            if contents is not None:
                found[file] = _torn(contents, kept, random)
        return found


def _torn(contents: Contents, kept: float, random: Random) -> bytes:
    """The file with about so much kept of what was not synced: any sectors, or in order up to a torn write."""
    image = bytearray(contents.synced)
    if kept == 1.0:
        return contents.now()
    if random.random() < 0.5:
        whole = int(kept * len(contents.since))
        for operation in contents.since[:whole]:
            _apply(image, operation)
        if whole < len(contents.since):
            _tear(image, contents.since[whole : whole + 1], 0.5, random)
    else:
        _tear(image, contents.since, kept, random)
    return bytes(image)


def _tear(image: bytearray, operations: tuple[Write | Truncate, ...], kept: float, random: Random) -> None:
    """Of every sector that was written, the state after any of its writes, or before the first."""
    is_garbage, holds_from = random.random() < 0.5, len(image)
    stopped = set[int]()
    for operation in operations:
        if isinstance(operation, Truncate):
            if random.random() < kept:
                _apply(image, operation)
            continue
        for sector, piece in _sectors(operation):
            # What was written to a sector later is not there without what was written to it before.
            if sector in stopped:
                continue
            if random.random() >= kept:
                stopped.add(sector)
                continue
            _apply(image, piece)
    if is_garbage:
        # What was never written lies between what was: a disk promises nothing of it.
        for sector in stopped:
            start = max(sector * SECTOR, holds_from)
            end = min((sector + 1) * SECTOR, len(image))
            if start < end:
                image[start:end] = random.randbytes(end - start)


def _sectors(write: Write) -> Iterator[tuple[int, Write]]:
    """The write, cut at the borders of sectors."""
    offset, data = write.offset, write.data
    while data:
        sector = offset // SECTOR
        length = (sector + 1) * SECTOR - offset
        yield sector, Write(write.file, offset, data[:length])
        offset, data = offset + length, data[length:]
