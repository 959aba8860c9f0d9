"""How long `puntobanco serve` takes from its start to the first answered request, on a record with many events.

The record is made first, through the whole `Record`, by patrons who raise and reduce wagers at the tables of a floor,
and kept for the next run where a folder is named. Beside it, in the same run: a start on an empty folder, and how long
Python takes to load FastAPI and uvicorn, because a figure in seconds says more of the machine than of the service.

Run: .venv/bin/python bench/ready.py --events 1000000
"""

import argparse
import asyncio
import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from puntobanco.ledger import IssueMoney
from puntobanco.server.clock import SystemClock
from puntobanco.server.configuration import Configuration
from puntobanco.server.house import House
from puntobanco.store.dealer import VirtualDealer
from puntobanco.store.slips import SetStakes
from puntobanco.table import Phase

PATRONS = [f"patron-{number:03}" for number in range(100)]
REPEATS = 5


async def fill(folder: Path, events: int) -> None:
    """A house in which so much has happened."""
    house = await House.open(Configuration(data=folder), SystemClock())
    for live in house.tables.values():
        await live.stop()
    written, began = 0, time.monotonic()
    for patron in PATRONS:
        money = [IssueMoney(patron, unit, 10**12, "welcome") for unit in ("SGD", "PHP", "HKD", "CHIPS")]
        await house.record.submit("desk/main", money, actor=patron, command_id="welcome-money")
    while written < events:
        for live in list(house.tables.values()):
            dealer, stream = VirtualDealer(house.record, live.name), f"table/{live.name}"
            before = house.record.version(stream)
            while live.table.phase is not Phase.BETTING:
                await dealer.step()
            least, number = live.table.settings.limits["player"].minimum, live.table.round_number
            for stake in (least, 2 * least, 3 * least, 2 * least):
                asked = [
                    house.record.ask(
                        stream,
                        [SetStakes(patron, {"player": stake})],
                        actor=patron,
                        command_id=f"{live.name[:20]}-{number:06}-{stake}-{before}",
                    )
                    for patron in PATRONS
                ]
                for answer in asked:
                    await answer
            while live.table.phase.in_round or dealer.is_behind:
                await dealer.step()
            written += house.record.version(stream) - before
        print(f"\r{written:,} of {events:,} events, {time.monotonic() - began:,.0f} s", end="", file=sys.stderr)
    print(file=sys.stderr)
    await house.follower.catch_up()
    await house.close()


def seconds_to_load() -> float:
    """For Python to load what every service of this kind loads."""
    began = time.monotonic()
    subprocess.run([sys.executable, "-c", "import fastapi, uvicorn"], check=True)
    return time.monotonic() - began


def seconds_to_answer(folder: Path) -> tuple[float, float]:
    """From the start of the process to its first answer, and to the first that needs all routes."""
    command = [sys.executable, "-m", "puntobanco", "serve", "--port", "0", "--data", str(folder)]
    began = time.monotonic()
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert server.stdout is not None
        address = server.stdout.readline().split()[-1]
        with urllib.request.urlopen(f"{address}/api/tables") as answer:
            assert answer.status == 200
        first = time.monotonic() - began
        with urllib.request.urlopen(f"{address}/api/games") as answer:
            assert answer.status == 200
        return first, time.monotonic() - began
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--folder", type=Path, help="keep the record here, and take it up where it is there already")
    arguments = parser.parse_args()
    print(f"load of the machine before: {os.getloadavg()[0]:.2f}")
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.folder or Path(temporary) / "full"
        if not folder.exists():
            asyncio.run(fill(folder, arguments.events))
        empty = Path(temporary) / "empty"
        seconds_to_answer(empty)
        for name, where in (("an empty floor", empty), (f"{arguments.events:,} events", folder)):
            bare, found = zip(*[(seconds_to_load(), seconds_to_answer(where)) for _ in range(REPEATS)], strict=True)
            beside, (first, all_routes) = min(bare), (min(each) for each in zip(*found, strict=True))
            print(f"{name}, each at best of {REPEATS}: FastAPI and uvicorn alone are loaded in {beside:.2f} s;")
            for what, seconds in (("the first answer comes", first), ("all routes answer", all_routes)):
                print(f"    {what} after {seconds:.2f} s, {seconds / beside:.1f} times that")


if __name__ == "__main__":
    main()
