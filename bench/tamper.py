"""Bytes and values of a stored record changed at random: what an audit finds, what is refused, and what is neither.

Run: .venv/bin/python bench/tamper.py --bytes 10000 --values 5000 --insider 2500
     .venv/bin/python bench/tamper.py --database postgres --values 1000 --insider 500
"""

import argparse
import asyncio
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TypeVar

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from store.databases import KINDS, Place
from store.everything import make
from store.row_changes import RowChange, Rows, insider_changes, read_rows, value_changes
from store.tampering import Apart, ByteChange, Outcome, Verdict, byte_changes
from store.tampering_postgres import OriginalInPostgres

REPORT_EVERY = 1_000
TOLD_AT_MOST = 20


Change = TypeVar("Change", ByteChange, RowChange)


def run(name: str, judge: Callable[[Change], Verdict], changes: Iterator[Change]) -> int:
    """Judge all changes, telling how far it is; how many fail."""
    start = time.perf_counter()
    seen: list[tuple[Change, Verdict]] = []
    for change in changes:
        seen.append((change, judge(change)))
        if len(seen) % REPORT_EVERY == 0:
            print(told(name, seen, start), flush=True)
    if len(seen) % REPORT_EVERY:
        print(told(name, seen, start), flush=True)
    harmless = Counter(verdict.words for _, verdict in seen if verdict.outcome is Outcome.HARMLESS)
    if harmless:
        print("  harmless: " + ", ".join(f"{count:,} {place}" for place, count in harmless.most_common()))
    failed = [(change, verdict) for change, verdict in seen if verdict.outcome.is_failure]
    for change, verdict in failed[:TOLD_AT_MOST]:
        print(f"  {verdict.outcome}: {change}: {verdict.words}")
    return len(failed)


def told(name: str, seen: Sequence[tuple[object, Verdict]], start: float) -> str:
    outcomes = Counter(verdict.outcome for _, verdict in seen)
    counts = ", ".join(f"{outcomes[outcome]:,} {outcome}" for outcome in Outcome)
    return f"{len(seen):,} {name}, {time.perf_counter() - start:,.0f} s: {counts}"


def in_sqlite(place: Place, given: argparse.Namespace) -> int:
    path = place.folder / "record.sqlite"
    rows, data = read_rows(path), path.read_bytes()
    print(f"a record of {len(data):,} bytes, {counted(rows)}")
    apart = Apart(path)
    try:
        failed = run("bytes", apart.judge, islice(byte_changes(data, given.seed), given.bytes))
        return failed + of_rows(apart.judge, rows, given)
    finally:
        apart.close()


def in_postgres(place: Place, given: argparse.Namespace) -> int:
    original = OriginalInPostgres(place)
    try:
        print(f"a record of {counted(original.rows)}")
        return of_rows(original.judge, original.rows, given)
    finally:
        original.close()


def of_rows(judge: Callable[[RowChange], Verdict], rows: Rows, given: argparse.Namespace) -> int:
    failed = run("values", judge, islice(value_changes(rows, given.seed), given.values))
    return failed + run("changes by an insider", judge, islice(insider_changes(rows, given.seed), given.insider))


def counted(rows: Rows) -> str:
    return ", ".join(f"{len(found):,} rows of {table}" for table, found in rows.items())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--bytes", type=int, default=10_000, help="how many bytes of a file of SQLite")
    parser.add_argument("--values", type=int, default=5_000, help="how many values, by SQL")
    parser.add_argument("--insider", type=int, default=2_500, help="how many changes by somebody who knows the record")
    parser.add_argument("--database", choices=KINDS, default="sqlite")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print(f"load of the machine before: {os.getloadavg()[0]:.2f}")
    with tempfile.TemporaryDirectory() as folder:
        place = Place(given.database, Path(folder))
        asyncio.run(make(place))
        failed = in_sqlite(place, given) if given.database == "sqlite" else in_postgres(place, given)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
