"""What the record asks of a database: transactions that write a group of commands at once, and reading in order.

There are two, `sqlite.py` and `postgres.py`, and one suite of tests for both. What goes wrong in a driver comes out
as a fault, with a sentence that names no secret.
"""

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from puntobanco.errors import Fault
from puntobanco.store.rows import CommandRow, EntryRow, EventRow, Group, HeadRow, ShoeKeysRow

if TYPE_CHECKING:
    from sqlalchemy import Connection

REVISION = "0001"
"""The last migration: where a database stands that is as new as this program."""

CommandKey = tuple[str, str]
"""The actor and the id of a command."""

READ_AT_ONCE = 2_000
"""How many rows are held when the whole record is read."""


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


class SequencedEvent(NamedTuple):
    """An event with its place in the whole record, over all streams."""

    sequence: int
    row: EventRow


class Database(ABC):
    """A database that holds a record. One transaction at a time; reading does not disturb it."""

    sequence_has_no_gaps = False
    """Whether a place in the whole record that nobody has is a fault."""

    @abstractmethod
    async def start(self) -> None:
        """Connect, and bring the tables up to date; a database newer than the program is refused."""

    @abstractmethod
    async def close(self) -> None: ...

    @abstractmethod
    async def begin(self) -> None: ...

    @abstractmethod
    async def commit(self) -> None:
        """Afterwards everything that was written is durable."""

    @abstractmethod
    async def rollback(self) -> None: ...

    @abstractmethod
    async def answered(self, keys: Sequence[CommandKey]) -> dict[CommandKey, CommandRow]:
        """The commands among these that were answered before."""

    @abstractmethod
    async def balances(self, accounts: Sequence[str]) -> dict[str, int]:
        """What the accounts stand at, new ones left out; nobody else changes them before the transaction ends."""

    @abstractmethod
    async def write(self, group: Group) -> None: ...

    @abstractmethod
    async def put_back(self, events: Sequence[SequencedEvent], group: Group) -> None:
        """Write rows of another record as they were there, sequence included; events of the group itself are not."""

    @abstractmethod
    async def heads(self) -> list[HeadRow]:
        """The ends of all streams, by name."""

    @abstractmethod
    async def head(self, stream: str) -> HeadRow | None: ...

    @abstractmethod
    def events(
        self, stream: str | None = None, after: int = 0, since: int | None = None
    ) -> AsyncIterator[list[SequencedEvent]]:
        """The events in their order, in portions: of one stream after a version, or of all after a sequence."""

    @abstractmethod
    def entries(self) -> AsyncIterator[list[EntryRow]]:
        """The postings, in the order of their keys."""

    @abstractmethod
    async def entries_between(self, stream: str, first: int, last: int) -> list[EntryRow]:
        """The postings of these versions of a stream."""

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
    async def shoe_keys(self, stream: str, shoe: int) -> bytes | None:
        """The sealed keys of a shoe."""

    @abstractmethod
    async def event_count(self) -> int: ...

    @abstractmethod
    async def integrity_problems(self) -> list[str]:
        """What the database itself finds wrong with its files."""


def migrate(connection: "Connection", folder: Path | None = None) -> None:
    """Bring the tables up to date with alembic, in the transaction of this connection."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(folder or Path(__file__).with_name("migrations")))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def check_revision(found: Iterable[str]) -> bool:
    """Whether the tables are up to date, from the revisions that the database names; refused if it is newer."""
    names = list(found)
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
