"""Two processes on one PostgreSQL: how long the tables of a killed one stand still, and how much later those hear who
follow a table that the other process leads.

Beside the takeover stands its limit of 5 seconds; beside the follower, whoever sits by the leader, in the same run.

Run: .venv/bin/python bench/takeover.py [--tables 10 100 1000]
"""

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
from pathlib import Path
from statistics import median, quantiles

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from puntobanco.client import Client
from puntobanco.games import GAMES
from puntobanco.server.clock import SystemClock
from puntobanco.server.configuration import Configuration
from puntobanco.server.floor import FloorTable, usual_settings
from puntobanco.server.house import House
from server.running import UNLIMITED, Running
from store.databases import new_postgres

LIMIT_SECONDS = 5.0
PATIENCE_SECONDS = 120.0
EVENTS = 200
PACE = {
    "PUNTOBANCO_BETTING_SECONDS": "0.5",
    "PUNTOBANCO_CARD_SECONDS": "0.05",
    "PUNTOBANCO_REVEAL_SECONDS": "0.1",
    "PUNTOBANCO_PAUSE_SECONDS": "0.1",
    "PUNTOBANCO_LOG_FORMAT": "json",
}


async def put_on_the_floor(folder: Path, url: str, tables: int) -> None:
    house = await House.open(Configuration(data=folder / "data", database=url, first_tables=()), SystemClock())
    try:
        await house.floor.add(
            *[
                FloorTable(f"t-{number}", f"Table {number}", usual_settings(GAMES[number % len(GAMES)]), place=number)
                for number in range(1, tables + 1)
            ]
        )
    finally:
        await house.close()


def led_by(process: Running) -> set[str]:
    """By what it has logged last of each table."""
    found: dict[str, str] = {}
    for line in process.log().splitlines():
        if '"table-led"' in line or '"table-lost"' in line:
            said = json.loads(line)
            found[said["table"]] = said["event"]
    return {table for table, event in found.items() if event == "table-led"}


def wait_for(process: Running, tables: int) -> float:
    """Until it leads so many; the seconds."""
    began = time.monotonic()
    while len(led_by(process)) < tables:
        if time.monotonic() - began > PATIENCE_SECONDS:
            raise SystemExit(f"after {PATIENCE_SECONDS:.0f} s it leads {len(led_by(process))} of {tables} tables")
        time.sleep(0.02)
    return time.monotonic() - began


async def heard_late(process: Running, table: str) -> list[float]:
    """Milliseconds from the time of each event until it is here."""
    late: list[float] = []
    async with Client(process.address) as client:
        await client.come_as_guest()
        async with client.join(table) as joined:
            async for event in joined:
                if event.name != "snapshot":
                    late.append(time.time() * 1000 - event.time)
                if len(late) == EVENTS:
                    break
    return late


async def both(leader: Running, other: Running, table: str) -> tuple[list[float], list[float]]:
    by_leader, by_other = await asyncio.gather(heard_late(leader, table), heard_late(other, table))
    return by_leader, by_other


def figures(late: list[float]) -> str:
    return f"p50 {median(late):.1f} ms, p99 {quantiles(late, n=100)[98]:.1f} ms"


def measure(tables: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        url = new_postgres()
        asyncio.run(put_on_the_floor(Path(folder), url, tables))
        settings = {**UNLIMITED, **PACE, "PUNTOBANCO_DATABASE": url}
        processes = [Running(Path(folder) / "data", settings=settings) for _ in range(2)]
        try:
            for number, process in enumerate(processes):
                process.log_path = Path(folder) / f"{number}.log"
                process.start()
            for process in processes:
                wait_for(process, tables // 2)
            leader, other = processes
            table = min(led_by(leader) - led_by(other))
            by_leader, by_other = asyncio.run(both(leader, other, table))
            killed = len(led_by(leader) - led_by(other))
            leader.kill()
            seconds = wait_for(other, tables)
            print(
                f"{tables:>6,} tables: {killed:,} of a killed process led again after {seconds:.2f} s "
                f"(limit {LIMIT_SECONDS:.0f} s); events heard by the leader's own {figures(by_leader)}, by followers "
                f"{figures(by_other)}",
                flush=True,
            )
        finally:
            for process in processes:
                if process.process is not None:
                    process.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--tables", type=int, nargs="+", default=[10, 100, 1000])
    given = parser.parse_args()
    print(f"load of the machine before: {os.getloadavg()[0]:.2f}")
    for tables in given.tables:
        measure(tables)


if __name__ == "__main__":
    main()
