"""What an audit costs, pass by pass, and what export and import cost, on a record that is played for it.

The limit is 200,000 events a second on one core for the chain and the books.

Run: .venv/bin/python bench/audit.py [EVENTS] [--keep DIR]
With --keep the record stays in that data directory, for `puntobanco audit --data DIR`.
"""

import argparse
import asyncio
import itertools
import tempfile
import time
from pathlib import Path
from unittest.mock import patch

from puntobanco import find_game
from puntobanco.ledger import IssueMoney
from puntobanco.store.audit import Findings, audit
from puntobanco.store.dealer import VirtualDealer
from puntobanco.store.keys import Keys, open_keys
from puntobanco.store.places import DATABASE_FILE
from puntobanco.store.record import Record
from puntobanco.store.sqlite import SqliteDatabase
from puntobanco.store.streams import TableStream
from puntobanco.store.transfer import exported, imported
from puntobanco.table import Dealing, OpenTable, Phase, PlaceWager, Table, TableSettings
from puntobanco.table.settings import Account

PATRONS = 20
WAGERS = {"player": 2_000, "tie": 2_020, "banker": 2_040}
LIMIT = 200_000
REPEATS = 9


async def make(folder: Path, events: int) -> None:
    """Play rounds with many wagers from committed shoes until the record is so long."""
    # A record that nobody needs is not synced to the disk.
    database = SqliteDatabase(folder / DATABASE_FILE, synchronous="OFF")
    record = Record(database, open_keys(folder))
    await record.start()
    ids = itertools.count()

    def next_id() -> str:
        return f"bench-{next(ids):08}"

    await record.open("desk/main")
    await record.open("table/main")
    patrons = [f"patron-{number}" for number in range(PATRONS)]
    for patron in patrons:
        money = IssueMoney(patron, "PHP", 10**10, "welcome")
        await record.submit("desk/main", [money], actor="desk", command_id=next_id())
    settings = TableSettings(find_game("manila"), account=Account.CASH, dealing=Dealing.VIRTUAL)
    await record.submit("table/main", [OpenTable(settings)], actor="house", command_id=next_id())
    dealer = VirtualDealer(record, "main")

    def table() -> Table:
        stream = record.stream("table/main")
        assert isinstance(stream, TableStream)
        assert stream.table is not None
        return stream.table

    while record.version("table/main") < events or table().phase is not Phase.READY or dealer.is_behind:
        if table().phase is Phase.BETTING and not table().stakes:
            number = table().round_number
            wagers = [PlaceWager(number, patron, *wager) for wager in WAGERS.items() for patron in patrons]
            answers = await asyncio.gather(
                *(record.submit("table/main", [each], actor=each.patron, command_id=next_id()) for each in wagers)
            )
            assert all(answer.accepted for answer in answers)
        await dealer.step()
    await record.close()


async def measure(folder: Path) -> None:
    database, keys = SqliteDatabase(folder / DATABASE_FILE), open_keys(folder)
    await database.start()
    # An audit counts seconds as they pass; here those of this process, so that other work of the machine is left out.
    with patch("puntobanco.store.audit.time.perf_counter", time.process_time):
        found, best = await best_of_audits(database, keys)
    for name, seconds in best.items():
        print(f"  {name:<18} {seconds:8.3f} s {found.events / seconds:>12,.0f} events a second")
    rate = found.events / best["chain and books"]
    print(f"Chain and books: {rate:,.0f} events a second, {rate / LIMIT:.2f} times the limit of {LIMIT:,}.")
    await measure_transfer(database)


async def best_of_audits(database: SqliteDatabase, keys: Keys) -> tuple[Findings, dict[str, float]]:
    """What was found, and the least that each pass took."""
    found = await audit(database, keys)
    assert not found.problems, found.problems
    print(f"{found.events:,} events, {found.entries:,} postings, {found.rounds:,} rounds, {found.shoes:,} ended shoes")
    best = dict(found.seconds)
    for _ in range(REPEATS - 1):
        again = (await audit(database, keys, since=2**60)).seconds
        # With nothing decided again the rest is the same work.
        best |= {name: min(best[name], seconds) for name, seconds in again.items() if name != "decided again"}
    return found, best


async def measure_transfer(database: SqliteDatabase) -> None:
    start = time.perf_counter()
    lines = [line + "\n" async for line in exported(database)]
    print(f"  {'export':<18} {time.perf_counter() - start:8.3f} s {sum(map(len, lines)) / 1e6:>12,.1f} MB")
    await database.close()
    with tempfile.TemporaryDirectory() as other:
        target = SqliteDatabase(Path(other) / DATABASE_FILE)
        await target.start()
        start = time.perf_counter()
        count = await imported(target, lines)
        print(f"  {'import':<18} {time.perf_counter() - start:8.3f} s {count:>12,} rows")
        assert [line + "\n" async for line in exported(target)] == lines
        await target.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("events", nargs="?", type=int, default=100_000)
    parser.add_argument("--keep", metavar="DIR")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(options.keep or temporary)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not (folder / DATABASE_FILE).exists():
            start = time.perf_counter()
            asyncio.run(make(folder, options.events))
            print(f"played in {time.perf_counter() - start:.1f} s")
        asyncio.run(measure(folder))


if __name__ == "__main__":
    main()
