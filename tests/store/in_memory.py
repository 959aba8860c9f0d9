"""A database of plain dictionaries: what the real ones must do, in as few words as possible."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Literal

from puntobanco.store.database import (
    NO_LEASES,
    ChainedRow,
    CommandKey,
    Conflict,
    Database,
    Link,
    SequencedEvent,
)
from puntobanco.store.rows import CommandRow, EntryRow, EventRow, Group, HeadRow, LandmarkRow, ShoeKeysRow
from puntobanco.store.streams import Landmark


@dataclass
class Rows:
    """What has been committed, or is about to be."""

    events: dict[tuple[str, int], EventRow] = field(default_factory=dict)
    entries: list[EntryRow] = field(default_factory=list)
    commands: dict[CommandKey, CommandRow] = field(default_factory=dict)
    balances: dict[str, int] = field(default_factory=dict)
    heads: dict[str, HeadRow] = field(default_factory=dict)
    keys: dict[tuple[str, int], ShoeKeysRow] = field(default_factory=dict)
    landmarks: list[LandmarkRow] = field(default_factory=list)

    def copied(self) -> "Rows":
        return replace(self, **{name: copy(rows) for name, rows in vars(self).items()})


@dataclass
class Store:
    """Outlives the processes that use it."""

    rows: Rows = field(default_factory=Rows)


class InMemory(Database):
    """One process's way to a store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._draft = Rows()

    async def start(self, *, new: bool = True) -> None: ...

    async def start_reading(self) -> None: ...

    async def close(self) -> None: ...

    async def begin(self) -> None:
        self._draft = self._store.rows.copied()

    async def take_turn(self) -> None: ...

    async def commit(self) -> None:
        self._store.rows = self._draft

    async def rollback(self) -> None:
        self._draft = Rows()

    async def answered(self, keys: Sequence[CommandKey]) -> dict[CommandKey, CommandRow]:
        return {key: self._draft.commands[key] for key in keys if key in self._draft.commands}

    async def standing(self, accounts: Sequence[str]) -> dict[str, int]:
        rows = self._store.rows.balances
        return {account: rows[account] for account in accounts if account in rows}

    async def landmarks(self, stream: str) -> list[LandmarkRow]:
        return sorted([row for row in self._store.rows.landmarks if row.stream == stream], reverse=True)[:2]

    async def landmark_of_shoe(self, stream: str, shoe: int) -> LandmarkRow | None:
        rows = sorted([row for row in self._store.rows.landmarks if row.stream == stream])
        return next((row for row in rows if Landmark.read(row.body).shoe_number == shoe - 1), None)

    async def balances(self, accounts: Sequence[str], leases: Mapping[str, int] = NO_LEASES) -> dict[str, int]:
        return {account: self._draft.balances[account] for account in accounts if account in self._draft.balances}

    async def write(self, group: Group) -> None:
        draft = self._draft
        new_events = {(row.stream, row.version): row for row in group.events}
        new_commands = {(row.actor, row.id): row for row in group.commands}
        if (
            new_events.keys() & draft.events.keys()
            or new_commands.keys() & draft.commands.keys()
            or group.new_balances.keys() & draft.balances.keys()
        ):
            raise Conflict
        draft.events |= new_events
        draft.entries += group.entries
        draft.commands |= new_commands
        draft.balances |= {**group.balances, **group.new_balances}
        draft.heads |= {row.stream: row for row in group.heads}
        draft.keys |= {(row.stream, row.shoe): row for row in group.shoe_keys}
        draft.landmarks += group.landmarks

    async def put_back(self, events: Sequence[SequencedEvent], group: Group) -> None:
        raise NotImplementedError

    async def heads(self) -> list[HeadRow]:
        return sorted(self._store.rows.heads.values())

    async def head(self, stream: str) -> HeadRow | None:
        return self._store.rows.heads.get(stream)

    async def events(
        self, stream: str | None = None, after: int = 0, since: int | None = None
    ) -> AsyncIterator[list[SequencedEvent]]:
        numbered = [SequencedEvent(*each) for each in enumerate(self._store.rows.events.values(), start=1)]
        if stream is None:
            yield [each for each in numbered if each.sequence > after]
        else:
            yield [each for each in numbered if each.row.stream == stream and each.row.version > after]

    async def entries(self) -> AsyncIterator[list[EntryRow]]:
        yield sorted(self._store.rows.entries)

    async def commands(self) -> AsyncIterator[list[CommandRow]]:
        yield [row for _, row in sorted(self._store.rows.commands.items())]

    async def accounts(self) -> AsyncIterator[list[tuple[str, int]]]:
        yield sorted(self._store.rows.balances.items())

    async def all_shoe_keys(self) -> AsyncIterator[list[ShoeKeysRow]]:
        yield sorted(self._store.rows.keys.values())

    async def shoe_keys(self, stream: str, shoe: int) -> bytes | None:
        row = self._store.rows.keys.get((stream, shoe))
        return row.sealed if row else None

    async def count(self, table: Literal["event", "entry", "command"]) -> int:
        return len({"event": self._store.rows.events, "entry": self._store.rows.entries}.get(table, ()))

    # What only an audit asks, which has real databases to read.

    def all_landmarks(self) -> AsyncIterator[list[LandmarkRow]]:
        raise NotImplementedError

    def snapshot(self) -> AbstractAsyncContextManager[None]:
        raise NotImplementedError

    def chain(self) -> AsyncIterator[list[ChainedRow]]:
        raise NotImplementedError

    async def entries_between(self, stream: str, first: int, last: int) -> list[EntryRow]:
        raise NotImplementedError

    async def events_that_moved(self, accounts: Sequence[str], stream: str, since: int) -> list[EventRow]:
        raise NotImplementedError

    async def account_sums(self) -> dict[str, int]:
        raise NotImplementedError

    async def answers_without_event(self) -> list[Link]:
        raise NotImplementedError

    async def events_without_answer(self) -> list[Link]:
        raise NotImplementedError

    async def integrity_problems(self) -> list[str]:
        return []
