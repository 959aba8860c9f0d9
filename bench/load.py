"""Patrons over the network: how long an acknowledgement takes, how long everybody waits for an event, what is borne.

The server runs on one core and the patrons on the other, all on this machine; they are sockets of one small C program
(`load_client.c`), which this file builds. Every acknowledgement is durable: the wager is in the record before it is
sent. Beside it, in the same run, a bare echo server of the same stack with frames of the same sizes.

    steady   1,000 patrons, 1,000 wagers a second, rounds settled on the way
    crowd    10,000 patrons, 1,000 wagers a second
    close    5,000 wagers within 250 ms, the last of them after betting has closed
    most     as many wagers as are answered, a thousand patrons with one each under way

The latency of a wager counts from when it was due to be sent, so that a stall is not hidden. An event counts from the
server's own time of it until each patron has read it.

Run: .venv/bin/python bench/load.py
"""

import argparse
import asyncio
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from server.running import UNLIMITED, Running, serving

HERE = Path(__file__).parent
SERVER_CORE, CLIENT_CORE = "0", "1"
GUESTS_AT_ONCE = 16
MOST_SECONDS = 600
NICENESS: int | None = None


@dataclass(frozen=True)
class Scenario:
    patrons: int
    seconds: float
    betting_seconds: float
    ways: tuple[str, ...]
    """What the client does, in its own options."""


SCENARIOS = {
    "steady": Scenario(1_000, 20, 8, ("--rate", "1000")),
    "crowd": Scenario(10_000, 20, 8, ("--rate", "1000")),
    "close": Scenario(5_000, 40, 8, ("--burst", "5000", "--within-ms", "250", "--before-close-ms", "200")),
    "most": Scenario(1_000, 10, 600, ("--outstanding", "1000")),
}
TARGETS = {
    "steady": "acknowledged within 15 ms at p99",
    "crowd": "acknowledged within 50 ms and told within 300 ms at p99, no errors, memory under 500 MB",
    "close": "all decided, none ambiguous",
    "most": "at least 8,000 a second",
}


@contextmanager
def built_client() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "load_client"
        subprocess.run(["cc", "-O2", "-o", program, HERE / "load_client.c"], check=True)
        yield program


def on_core(core: str) -> list[str]:
    """In front of a command: it runs on this core alone, where there are several, and as nice as was asked."""
    first = [] if NICENESS is None else ["nice", "-n", str(NICENESS)]
    if shutil.which("taskset") and len(os.sched_getaffinity(0)) > 1:
        return [*first, "taskset", "-c", core]
    return first


async def guests(address: str, count: int) -> list[str]:
    """So many new guests, by what their session's cookie holds."""
    target = urlsplit(address)
    request = (
        f"POST /api/guests HTTP/1.1\r\nHost: {target.netloc}\r\nOrigin: {address}\r\n"
        "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
    ).encode()
    cookies: list[str] = []
    left = iter(range(count))

    async def ask_for_some() -> None:
        reader, writer = await asyncio.open_connection(target.hostname, target.port)
        for _ in left:
            writer.write(request)
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            length = re.search(r"content-length: (\d+)", head, re.IGNORECASE)
            cookie = re.search(r"pb_session=([^;\s]+)", head)
            body = await reader.readexactly(int(length[1]) if length else 0)
            if cookie is None:
                raise RuntimeError(f"no guest was let in: {body[:200]!r}")
            cookies.append(cookie[1])
        writer.close()
        await writer.wait_closed()

    await asyncio.gather(*[ask_for_some() for _ in range(GUESTS_AT_ONCE)])
    return cookies


def load(program: Path, address: str, path: str, cookies: list[str], *options: str) -> dict[str, Any]:
    """Run the patrons to their end, and give what they tell."""
    target = urlsplit(address)
    with tempfile.NamedTemporaryFile("w") as file:
        file.write("".join(f"{cookie}\n" for cookie in cookies))
        file.flush()
        where = ["--port", str(target.port), "--path", path, "--origin", address, "--cookies", file.name]
        command = [*on_core(CLIENT_CORE), str(program), *where, "--patrons", str(len(cookies)), *options]
        ran = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=MOST_SECONDS, check=True)
    told: dict[str, Any] = json.loads(ran.stdout)
    return told


def virtual_table(running: Running) -> dict[str, Any]:
    _, answer, _ = running.ask("GET", "/api/tables")
    return next(table for table in answer["tables"] if table["dealing"] == "virtual" and table["currency"] != "CHIPS")


def two_stakes(table: dict[str, Any]) -> list[str]:
    """The lowest stake on the first wager and the next one above: going from one to the other is always a change."""
    wager, limits = next(iter(table["limits"].items()))
    low = limits["minimum"]
    return ["--wager", wager, "--low", str(low), "--high", str(low + limits["step"])]


def of_the_service(program: Path, scenario: Scenario, patrons: int, seconds: float) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        pace = ["--betting-seconds", str(scenario.betting_seconds), "--card-seconds", "0", "--pause-seconds", "1"]
        with serving(Path(folder) / "data", *pace, settings=UNLIMITED, before=on_core(SERVER_CORE)) as running:
            cookies = asyncio.run(guests(running.address, patrons))
            table = virtual_table(running)
            path = f"/api/tables/{table['id']}/live"
            before = running.processor_seconds()
            found = load(
                program, running.address, path, cookies, "--seconds", str(seconds), *scenario.ways, *two_stakes(table)
            )
            found["server_seconds"] = running.processor_seconds() - before
            found["memory"], found["memory_at_most"] = running.memory()
        found["ambiguous"] = ambiguous(running, found)
        found["problems"] = len(running.audit()["problems"])
        found["logged_errors"] = running.log().count("Traceback") + running.log().count('"level": "error"')
    return found


def ambiguous(running: Running, found: dict[str, Any]) -> int:
    """In how many wagers the record and what patrons were told differ, and how many it took after their close."""
    with running.database() as database:
        answers = [version for (version,) in database.execute("SELECT version FROM command WHERE id LIKE 'load-%'")]
        events = "SELECT command LIKE 'load-%', json_extract(body, '$.event'), stream, "
        events += "json_extract(body, '$.round_number') FROM event WHERE stream <> 'desk/main' ORDER BY sequence"
        closed, late = set(), 0
        for is_mine, event, *its_round in database.execute(events):
            if event == "betting-closed":
                closed.add(tuple(its_round))
            late += bool(is_mine) and tuple(its_round) in closed
    written = sum(version is not None for version in answers)
    return abs(written - int(found["accepted"])) + max(0, len(answers) - written - int(found["refused"])) + late


def of_the_echo(program: Path, scenario: Scenario, patrons: int, seconds: float, sizes: dict[str, float]) -> Any:
    if "--burst" in scenario.ways:
        rate = int(scenario.ways[1]) * 1000 // int(scenario.ways[3])
        ways, seconds = ["--rate", str(rate)], int(scenario.ways[3]) / 1000
    else:
        ways = [*scenario.ways]
    options = [part for name, size in sizes.items() if size for part in (f"--{name}", str(round(size)))]
    command = [*on_core(SERVER_CORE), sys.executable, str(HERE / "echo_server.py"), *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as echo:
        try:
            assert echo.stdout is not None
            address = echo.stdout.readline().split()[-1]
            cookies = [f"patron-{number}" for number in range(patrons)]
            return load(program, address, "/", cookies, "--seconds", str(seconds), *ways)
        finally:
            echo.terminate()


def line(name: str, found: dict[str, Any]) -> str:
    acknowledged, told = found["acknowledged_ms"], found["broadcast_ms"]
    errors = found["gone"] + found["unanswered"] + found["answered_twice"]
    memory = f"{found['memory'] / 1e6:,.0f} MB" if "memory" in found else ""
    return (
        f"{name:18}{found['ready']:>8,}{found['accepted']:>10,}{found['refused']:>9,}{errors:>8,}"
        f"{found['answers_per_second']:>10,.0f}{acknowledged['p50']:>9.2f}{acknowledged['p99']:>9.2f}"
        f"{acknowledged['most']:>9.1f}{told['p50']:>9.1f}{told['p99']:>9.1f}{memory:>10}"
    )


HEADING = (
    f"{'':18}{'patrons':>8}{'accepted':>10}{'refused':>9}{'errors':>8}{'a second':>10}"
    f"{'ack p50':>9}{'p99':>9}{'most':>9}{'told p50':>9}{'p99':>9}{'memory':>10}"
)


def measure(program: Path, name: str, given: argparse.Namespace) -> dict[str, Any]:
    scenario = SCENARIOS[name]
    patrons = given.patrons or scenario.patrons
    seconds = given.seconds or scenario.seconds
    print(f"\n{name}: {TARGETS[name]}; load of the machine before: {os.getloadavg()[0]:.2f}\n{HEADING}", flush=True)
    found: dict[str, Any] = {}
    if not given.echo_only:
        found["service"] = of_the_service(program, scenario, patrons, seconds)
        print(line("service", found["service"]), flush=True)
    sizes = found.get("service", {}).get("bytes", {})
    found["echo"] = of_the_echo(program, scenario, patrons, seconds, sizes)
    print(line("echo", found["echo"]), flush=True)
    if "service" in found:
        service, echo = found["service"], found["echo"]
        print(
            f"service to echo: {service['answers_per_second'] / echo['answers_per_second']:.2f} of the answers, "
            f"{service['acknowledged_ms']['p50'] / echo['acknowledged_ms']['p50']:.1f} times the p50, "
            f"{service['acknowledged_ms']['p99'] / echo['acknowledged_ms']['p99']:.1f} times the p99"
        )
        print(
            f"refused: {service['reasons'] or 'none'}; ambiguous: {service['ambiguous']}; problems of the audit: "
            f"{service['problems']}; errors in the log: {service['logged_errors']}; memory at most "
            f"{service['memory_at_most'] / 1e6:,.0f} MB; processor of the server {service['server_seconds']:.1f} s, of "
            f"the patrons {service['processor_seconds']:.1f} s"
        )
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--scenario", choices=SCENARIOS, action="append", help="one of them; all if none is named")
    parser.add_argument("--patrons", type=int, help="instead of the scenario's own number")
    parser.add_argument("--seconds", type=float, help="instead of the scenario's own duration")
    parser.add_argument("--echo-only", action="store_true", help="measure only the bare server")
    parser.add_argument("--json", type=Path, help="write all figures to this file too")
    parser.add_argument(
        "--nice", type=int, help="run servers and patrons with this niceness, on a machine that is busy"
    )
    given = parser.parse_args()
    global NICENESS
    NICENESS = given.nice
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    found = {}
    with built_client() as program:
        for name in given.scenario or SCENARIOS:
            found[name] = measure(program, name, given)
    if given.json:
        given.json.write_text(json.dumps(found, indent=1))
    wrong = [
        name
        for name, each in found.items()
        if "service" in each
        and any(each["service"][what] for what in ("gone", "unanswered", "answered_twice", "ambiguous", "problems"))
    ]
    if wrong:
        sys.exit(f"wrong: {', '.join(wrong)}")


if __name__ == "__main__":
    main()
