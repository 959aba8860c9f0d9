"""Durable wagers a second, with everything that a wager writes, in groups of several sizes, on both databases.

Three ways, one after the other in the same run, each on a database of its own:

    bare     the same rows through the same driver alone: one statement for many rows (`executemany`) a table
    arrays   of PostgreSQL only: the same rows in one statement of arrays, the quickest way that we know
    rows     the same rows through `Database`: begin, balances, write, commit
    led      of PostgreSQL only: as `record`, by a process that leads the table under a lease
    record   real wagers through the whole `Record`: decided, posted, encoded, chained, signed

Run: .venv/bin/python bench/store.py --database sqlite
"""

import argparse
import asyncio
import gc
import os
import sqlite3
import sys
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import asyncpg

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from puntobanco.ledger import IssueMoney
from puntobanco.store import postgres, sqlite
from puntobanco.store.database import Database
from puntobanco.store.record import Answer, Record
from puntobanco.store.rows import GENESIS, CommandRow, EntryRow, EventRow, Group, HeadRow
from puntobanco.store.streams import StreamCommand, TableStream
from puntobanco.table import IncreaseWager, OpenTable, Phase, PlaceWager, Table
from puntobanco.table.dealer import next_step
from store.databases import KINDS, Place
from store.houses import KEYS, SETTINGS

SIZES = (1, 10, 50, 200)
PATRONS = [f"patron {number}" for number in range(1000)]
REPEATS = 5
TABLE, DESK = "table/main", "desk/main"


def wagers_of(size: int) -> int:
    """How many are timed at once: whole groups, enough of them to be steady."""
    return size * max(20, min(300, 4000 // size))


@dataclass
class Written:
    """A group of wagers as its rows, and what is asked before it is written."""

    accounts: list[str]
    group: Group


class Rows:
    """Wagers as rows, one after the other, as a table would write them."""

    def __init__(self) -> None:
        self.version, self.hash = 0, GENESIS
        self.stakes = dict.fromkeys(PATRONS, 2000)

    def group(self, size: int) -> Written:
        written = Written([], Group())
        balances = dict[str, int]()
        for _ in range(size):
            self.version += 1
            patron = PATRONS[self.version % len(PATRONS)]
            before, after = self.stakes[patron], self.stakes[patron] + 20
            self.stakes[patron] = after
            key = (patron, f"command-{self.version:08}")
            body = (
                f'{{"event":"stake-changed","v":1,"round_number":1,"patron":"{patron}","wager":"tie",'
                f'"before":{before},"after":{after}}}'
            )
            row = EventRow(TABLE, self.version, 1_700_000_000_000 + self.version, *key, 1, body, self.hash)
            self.hash = row.hash()
            has, held = f"patron/PHP/{patron}", f"held/main/PHP/{patron}"
            answer = f'{{"version":{self.version},"stakes":{{"tie":{after}}},"balance":{10**9 - after}}}'
            written.accounts += [has, f"owed/PHP/{patron}", held]
            written.group.events.append(row)
            written.group.entries += [
                EntryRow(TABLE, self.version, 0, has, -20),
                EntryRow(TABLE, self.version, 1, held, 20),
            ]
            written.group.commands.append(CommandRow(*key, self.hash, TABLE, self.version, answer))
            balances |= {has: 10**9 - after, held: after}
        written.group.balances = balances
        written.group.heads.append(HeadRow(TABLE, self.version, self.hash, bytes(64)))
        written.accounts.sort()
        return written

    def accounts(self) -> Group:
        """The accounts of all patrons, as they stand before the first wager."""
        return Group(
            new_balances={
                name: balance
                for patron in PATRONS
                for name, balance in ((f"patron/PHP/{patron}", 10**9), (f"held/main/PHP/{patron}", 2000))
            }
        )


class Way(ABC):
    """One way to write wagers."""

    @abstractmethod
    async def start(self) -> None: ...

    @abstractmethod
    async def prepare(self, size: int) -> Callable[[], Awaitable[None]]:
        """Make so many groups ready that `wagers_of(size)` are written by what is given back."""

    @abstractmethod
    async def close(self) -> None: ...


class OfRows(Way):
    """Rows that are made beforehand."""

    def __init__(self, place: Place) -> None:
        self.place, self.rows = place, Rows()

    async def start(self) -> None:
        database = self.place.database()
        await database.start()
        await database.begin()
        await database.write(self.rows.accounts())
        await database.commit()
        await database.close()
        await self.connect()

    @abstractmethod
    async def connect(self) -> None: ...

    @abstractmethod
    async def write(self, written: Written) -> None: ...

    async def prepare(self, size: int) -> Callable[[], Awaitable[None]]:
        groups = [self.rows.group(size) for _ in range(wagers_of(size) // size)]

        async def work() -> None:
            for group in groups:
                await self.write(group)

        return work


class BareSqlite(OfRows):
    async def connect(self) -> None:
        self.connection = sqlite3.connect(self.place.folder / "record.sqlite", isolation_level=None)
        sqlite._set_up(self.connection, "FULL")

    async def write(self, written: Written) -> None:
        group, many = written.group, self.connection.executemany
        self.connection.execute("BEGIN IMMEDIATE")
        many(sqlite.INSERT_EVENT, group.events)
        many(sqlite.INSERT_ENTRY, group.entries)
        many(sqlite.INSERT_COMMAND, group.commands)
        many(sqlite.SET_BALANCE, group.balances.items())
        many(sqlite.SET_HEAD, group.heads)
        self.connection.execute("COMMIT")

    async def close(self) -> None:
        self.connection.close()


def marks(count: int) -> str:
    return ", ".join(f"${place}" for place in range(1, count + 1))


class BarePostgres(OfRows):
    async def connect(self) -> None:
        self.connection = await asyncpg.connect(self.place.url, server_settings=postgres.SESSION)

    async def write(self, written: Written) -> None:
        group, many = written.group, self.connection.executemany
        async with self.connection.transaction():
            await many(f"INSERT INTO event ({postgres.EVENT_COLUMNS}) VALUES ({marks(8)})", group.events)
            await many(
                f"INSERT INTO entry (stream, version, place, account, amount) VALUES ({marks(5)})", group.entries
            )
            await many(f"INSERT INTO command ({postgres.COMMAND_COLUMNS}) VALUES ({marks(7)})", group.commands)
            await many("UPDATE account SET balance = $2 WHERE id = $1", group.balances.items())
            await many(
                f"INSERT INTO head (stream, version, hash, signature) VALUES ({marks(4)}) ON CONFLICT (stream) DO "
                "UPDATE SET version = excluded.version, hash = excluded.hash, signature = excluded.signature",
                group.heads,
            )

    async def close(self) -> None:
        await self.connection.close()


class ArraysPostgres(BarePostgres):
    async def write(self, written: Written) -> None:
        group = written.group
        async with self.connection.transaction():
            events = postgres.columns(group.events, postgres.EVENT_WIDTH)
            await self.connection.execute(postgres.WRITE_GROUP, *events, *postgres._beside_events(group))


class ThroughDatabase(OfRows):
    async def connect(self) -> None:
        self.database: Database = self.place.database()
        await self.database.start()

    async def write(self, written: Written) -> None:
        database = self.database
        await database.begin()
        await database.balances(written.accounts)
        await database.write(written.group)
        await database.commit()

    async def close(self) -> None:
        await self.database.close()


class ThroughRecord(Way):
    """Twice as many patrons as make a group, one wager of each under way: one half asks while the other is written."""

    def __init__(self, place: Place) -> None:
        self.record = Record(place.database(), KEYS)
        self.count = 0

    @property
    def table(self) -> Table:
        stream = self.record.stream(TABLE)
        assert isinstance(stream, TableStream)
        assert stream.table is not None
        return stream.table

    def ask(self, stream: str, command: StreamCommand, actor: str = "house") -> "asyncio.Future[Answer]":
        self.count += 1
        return self.record.ask(stream, [command], actor=actor, command_id=f"command-{self.count:08}")

    async def ask_all(self, stream: str, commands: Sequence[tuple[str, StreamCommand]]) -> None:
        for asked in [self.ask(stream, command, actor) for actor, command in commands]:
            answer = await asked
            assert answer.accepted, answer

    async def start(self) -> None:
        await self.record.start()
        for stream in (DESK, TABLE):
            await self.record.open(stream)
        await self.ask_all(DESK, [("house", IssueMoney(patron, "PHP", 10**9, "welcome")) for patron in PATRONS])
        await self.ask(TABLE, OpenTable(SETTINGS))
        cards = iter(SETTINGS.game.pack.cards)
        while self.table.phase is not Phase.BETTING:
            await self.ask(TABLE, next_step(self.table, lambda: next(cards)))
        await self.ask_all(TABLE, [(patron, PlaceWager(1, patron, "tie", 2000)) for patron in PATRONS])

    async def prepare(self, size: int) -> Callable[[], Awaitable[None]]:
        count, first = wagers_of(size), self.count
        patrons = [PATRONS[(first + place) % len(PATRONS)] for place in range(count)]
        commands = [(patron, IncreaseWager(1, patron, "tie", 20)) for patron in patrons]

        self.record.most_in_a_group = size

        async def half(first: int) -> None:
            for start in range(first, count, 2 * size):
                await self.ask_all(TABLE, commands[start : start + size])

        async def work() -> None:
            await asyncio.gather(half(0), half(size))

        return work

    async def close(self) -> None:
        await self.record.close()


class Led(ThroughRecord):
    def __init__(self, place: Place) -> None:
        super().__init__(place)
        self.url = place.url

    async def start(self) -> None:
        await super().start()
        connection = await asyncpg.connect(self.url)
        await connection.execute("INSERT INTO lease (stream, owner, token) VALUES ($1, 'bench', 1)", TABLE)
        await connection.close()
        self.record.leases[TABLE] = 1


WAYS: dict[str, dict[str, Callable[[Place], Way]]] = {
    "sqlite": {"bare": BareSqlite, "rows": ThroughDatabase, "record": ThroughRecord},
    "postgres": {
        "bare": BarePostgres,
        "arrays": ArraysPostgres,
        "rows": ThroughDatabase,
        "record": ThroughRecord,
        "led": Led,
    },
}


async def measure(ways: dict[str, Way]) -> dict[str, dict[int, float]]:
    """The best of several runs, by way and size; the ways take turns, so that they meet the same machine."""
    best: dict[str, dict[int, float]] = {name: dict.fromkeys(SIZES, 0.0) for name in ways}
    for size in SIZES:
        for _ in range(REPEATS):
            for name, way in ways.items():
                work = await way.prepare(size)
                start = time.perf_counter()
                await work()
                best[name][size] = max(best[name][size], wagers_of(size) / (time.perf_counter() - start))
    return best


async def bench(kind: str, places: dict[str, Place]) -> None:
    ways = {name: make(places[name]) for name, make in WAYS[kind].items()}
    for way in ways.values():
        await way.start()
    # As a server does once it has started: what is there stays, and is not looked through again and again.
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    best = await measure(ways)
    for way in ways.values():
        await way.close()
    print(f"\n{kind}, durable wagers a second{'':6}" + "".join(f"{f'groups of {size}':>16}" for size in SIZES))
    for name, found in best.items():
        print(f"{name:34}" + "".join(f"{found[size]:16,.0f}" for size in SIZES))
    for name in [each for each in best if each != "bare"]:
        ratios = [best[name][size] / best["bare"][size] for size in SIZES]
        print(f"{name + ' to bare':34}" + "".join(f"{ratio:16.2f}" for ratio in ratios))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--database", choices=KINDS, action="append", help="one of them; both if none is named")
    for kind in parser.parse_args().database or KINDS:
        print(f"load of the machine before: {os.getloadavg()[0]:.2f}")
        with tempfile.TemporaryDirectory() as folder:
            places = {}
            for name in WAYS[kind]:
                (Path(folder) / name).mkdir()
                places[name] = Place(kind, Path(folder) / name)
            asyncio.run(bench(kind, places))


if __name__ == "__main__":
    main()
