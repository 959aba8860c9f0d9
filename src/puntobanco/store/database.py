"""What the record asks of a database: transactions that write a group of commands at once, and reading in order.

There are two, `sqlite.py` and `postgres.py`, and one suite of tests for both. What goes wrong in a driver comes out
as a fault, with a sentence that names no secret.
"""

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, NamedTuple

from puntobanco.errors import Fault, InputError
from puntobanco.extras import optional_package
from puntobanco.store.rows import CommandRow, EntryRow, EventRow, Group, HeadRow, LandmarkRow, ShoeKeysRow

if TYPE_CHECKING:
    from sqlalchemy import Connection

REVISION = "0005"
"""The last migration: where a database stands that is as new as this program."""

CommandKey = tuple[str, str]
"""The actor and the id of a command."""

READ_AT_ONCE = 2_000
"""How many rows are held when the whole record is read."""


ChainedRow = tuple[int, bytes, int, int, bytes, bytes, int, bytes, bytes]
"""Sequence, stream, version, time, actor, command, schema, body and previous hash of an event; texts are in UTF-8."""

Link = tuple[str, int, str]
"""A stream, a version of it and the id of a command."""

NO_LEASES: Mapping[str, int] = MappingProxyType({})

# The event that an answer names is its command's, and whatever came from a command is at or before that.
ANSWERS_WITHOUT_EVENT = """
    SELECT c.stream, c.version, c.id
    FROM command AS c LEFT JOIN event AS e ON e.stream = c.stream AND e.version = c.version
    WHERE c.version IS NOT NULL AND (e.sequence IS NULL OR e.actor <> c.actor OR e.command <> c.id)
    ORDER BY c.actor, c.id
"""
EVENTS_WITHOUT_ANSWER = """
    SELECT e.stream, max(e.version), e.command
    FROM event AS e LEFT JOIN command AS c ON c.actor = e.actor AND c.id = e.command
    WHERE c.id IS NULL OR c.version IS NULL OR c.stream <> e.stream OR c.version < e.version
    GROUP BY e.stream, e.actor, e.command ORDER BY min(e.sequence)
"""


class StorageFault(Fault):
    """The database failed: nothing is acknowledged, and nothing is guessed."""

    def __init__(self, message: str, reason: str = "storage") -> None:
        super().__init__(reason, message)

    def __reduce__(self) -> tuple[type["StorageFault"], tuple[str, str]]:
        return StorageFault, (self.message, self.reason)


class Conflict(Fault):
    """Another writer has written the next event of a stream: nothing of this group was written."""

    def __init__(self) -> None:
        super().__init__(
            "conflict", "Another process has written to this record meanwhile; nothing was written, ask again."
        )

    def __reduce__(self) -> tuple[type["Conflict"], tuple[()]]:
        return Conflict, ()


class Fenced(StorageFault):
    """Another process leads these streams: nothing of theirs was written here, and nothing will be."""

    def __init__(self, streams: Iterable[str]) -> None:
        self.streams = frozenset(streams)
        super().__init__(f"Another process leads {', '.join(sorted(self.streams))} now.", "not-owner")

    def __reduce__(self) -> tuple[type["Fenced"], tuple[frozenset[str]]]:  # type: ignore[override]
        return Fenced, (self.streams,)


class SequencedEvent(NamedTuple):
    """An event with its place in the whole record, over all streams."""

    sequence: int
    row: EventRow


class Database(ABC):
    """A database that holds a record. One transaction at a time; reading does not disturb it."""

    sequence_has_no_gaps = False
    """Whether a place in the whole record that nobody has is a fault."""

    @abstractmethod
    async def start(self, *, new: bool = True) -> None:
        """Connect, and bring the tables up to date; a database newer than the program is refused.

        Without `new` a database that holds no record is refused, and left as it is.
        """

    @abstractmethod
    async def start_reading(self) -> None:
        """Connect, only to read: not a byte is changed, and a record that is not up to date is refused."""

    @abstractmethod
    async def close(self) -> None: ...

    @abstractmethod
    async def begin(self) -> None: ...

    @abstractmethod
    async def take_turn(self) -> None:
        """Wait until no other process is at the streams that all write to; first thing in a transaction, to its end."""

    @abstractmethod
    async def commit(self) -> None:
        """Afterwards everything that was written is durable."""

    @abstractmethod
    async def rollback(self) -> None: ...

    @abstractmethod
    async def answered(self, keys: Sequence[CommandKey]) -> dict[CommandKey, CommandRow]:
        """The commands among these that were answered before."""

    @abstractmethod
    async def balances(self, accounts: Sequence[str], leases: Mapping[str, int] = NO_LEASES) -> dict[str, int]:
        """What the accounts stand at, new ones left out; nobody else changes them before the transaction ends.

        Nor does a stream change hands meanwhile that is led under one of the tokens: `Fenced` where one has already.
        """

    @abstractmethod
    async def write(self, group: Group) -> None: ...

    @abstractmethod
    async def put_back(self, events: Sequence[SequencedEvent], group: Group) -> None:
        """Write rows of another record as they were there, sequence included; events of the group itself are not."""

    @abstractmethod
    def snapshot(self) -> AbstractAsyncContextManager[None]:
        """Whatever is read meanwhile is of one moment, though others write on."""

    @abstractmethod
    async def heads(self) -> list[HeadRow]:
        """The ends of all streams, by name."""

    @abstractmethod
    async def head(self, stream: str) -> HeadRow | None: ...

    @abstractmethod
    async def standing(self, accounts: Sequence[str]) -> dict[str, int]:
        """What the accounts stand at, for whoever only looks."""

    @abstractmethod
    async def landmarks(self, stream: str) -> list[LandmarkRow]:
        """The last places where the stream can be taken up, the latest first."""

    @abstractmethod
    async def landmark_of_shoe(self, stream: str, shoe: int) -> LandmarkRow | None:
        """Where the stream can be taken up just before that shoe, by its number; an imported one has no such place."""

    @abstractmethod
    def events(
        self, stream: str | None = None, after: int = 0, since: int | None = None
    ) -> AsyncIterator[list[SequencedEvent]]:
        """The events in their order, in portions: of one stream after a version, or of all after a sequence."""

    @abstractmethod
    def chain(self) -> AsyncIterator[list[ChainedRow]]:
        """All events in their order, in portions, as they are hashed."""

    @abstractmethod
    def entries(self) -> AsyncIterator[list[EntryRow]]:
        """The postings, in the order of their keys."""

    @abstractmethod
    async def entries_between(self, stream: str, first: int, last: int) -> list[EntryRow]:
        """The postings of these versions of a stream."""

    @abstractmethod
    async def events_that_moved(self, accounts: Sequence[str], stream: str, since: int) -> list[EventRow]:
        """The events of a stream after this time that moved one of the accounts."""

    @abstractmethod
    async def account_sums(self) -> dict[str, int]:
        """What the postings of each account come to."""

    @abstractmethod
    def commands(self) -> AsyncIterator[list[CommandRow]]: ...

    @abstractmethod
    def accounts(self) -> AsyncIterator[list[tuple[str, int]]]: ...

    @abstractmethod
    def all_shoe_keys(self) -> AsyncIterator[list[ShoeKeysRow]]: ...

    @abstractmethod
    def all_landmarks(self) -> AsyncIterator[list[LandmarkRow]]: ...

    @abstractmethod
    async def shoe_keys(self, stream: str, shoe: int) -> bytes | None:
        """The sealed keys of a shoe."""

    @abstractmethod
    async def count(self, table: Literal["event", "entry", "command"]) -> int:
        """How many rows there are."""

    async def event_count(self) -> int:
        return await self.count("event")

    @abstractmethod
    async def answers_without_event(self) -> list[Link]:
        """Accepted commands whose last event is not where their answer says."""

    @abstractmethod
    async def events_without_answer(self) -> list[Link]:
        """Of each command whose events no answer covers, the last one."""

    @abstractmethod
    async def integrity_problems(self) -> list[str]:
        """What the database itself finds wrong with its files."""


def load_migrations() -> None:
    """Load what migrations need, so that a package that is missing is told before any work."""
    with optional_package("sqlalchemy", "The tables of the record are declared"):
        import sqlalchemy.ext.asyncio  # noqa: F401
    with optional_package("alembic", "Databases are brought up to date"):
        import alembic.command  # noqa: F401


def migrate(connection: "Connection", folder: Path | None = None) -> None:
    """Bring the tables up to date with alembic, in the transaction of this connection."""
    load_migrations()
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(folder or Path(__file__).with_name("migrations")))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def one_line(error: BaseException) -> str:
    """What a driver says, in one line: some add the statement and an address on lines of their own."""
    said = " ".join((str(error).splitlines() or [""])[0].split())
    return said.rstrip(".") or type(error).__name__


def check_revision(found: Iterable[str], *, new: bool = True) -> bool:
    """Whether the tables are up to date, from the revisions that the database names; refused if it is newer."""
    names = list(found)
    if not names and not new:
        raise InputError("no-record", "The database holds no record.")
    if names == [REVISION]:
        return True
    known = {path.name.split("_")[0] for path in Path(__file__).with_name("migrations").glob("versions/*.py")}
    if set(names) - known:
        raise StorageFault(
            f"The database is at version {', '.join(names)} and this program at {REVISION}: it was written by a newer "
            "one, which is needed to open it.",
            "newer-database",
        )
    return False


def check_readable(found: Iterable[str]) -> None:
    """Refuse a record that would have to be brought up to date before it is read."""
    names = list(found)
    if not check_revision(names, new=False):
        raise StorageFault(
            f"The database is at version {', '.join(names)} and this program at {REVISION}, and whoever only reads it "
            "does not bring it up to date: use the version that wrote it, or have this one open it first, as "
            "puntobanco table list does.",
            "older-database",
        )
