"""What hostile clients do to the others: how long wagers wait for their answers while somebody attacks the service.

Run: .venv/bin/python bench/hostile.py [--seconds 8]

Ten patrons make ten wagers a second each. Beside them, one after the other: nobody; sockets that do not read; sockets
that send without end, wagers and what is malformed; connections that send a head byte by byte; a hundred sign-ins a
second. Everything comes from one machine and shares its cores with the server, so figures are beside the quiet ones.
"""

import argparse
import asyncio
import json
import os
import socket
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from server.malformed import framed
from server.refusing import Socket
from server.running import Running, serving

PATRONS, INTERVAL = 10, 0.1
TABLE, PATH = "manila", "/api/tables/manila/live"
# The limits of one address are for one customer; here it is everybody's.
SETTINGS = {
    "PUNTOBANCO_REQUESTS_PER_SECOND": "100000",
    "PUNTOBANCO_GUESTS_PER_MINUTE": "100000",
    "PUNTOBANCO_SIGN_INS_PER_MINUTE": "100000",
    "PUNTOBANCO_SOCKETS_PER_ADDRESS": "5000",
}
Attack = Callable[[Running, asyncio.Event], Awaitable[str]]


async def patron(running: Running, number: int, until: float, waits: list[float]) -> None:
    _, _, session = await asyncio.to_thread(running.ask, "POST", "/api/guests", {})
    wire = Socket(running.address, PATH, session)
    await wire.open()
    heard = await wire.hear()
    if heard is not None and heard["table"]["phase"] != "betting":
        while heard is not None and heard.get("event") != "betting-opened":
            heard = await wire.hear()
    turn, due = 0, time.perf_counter() + number * INTERVAL / PATRONS
    while (now := time.perf_counter()) < until:
        await asyncio.sleep(max(0, due - now))
        due, turn = due + INTERVAL, turn + 1
        said = {"id": f"wager-{turn:08}", "do": "stake", "wager": "tie", "amount": 2000 + 100 * (turn % 50)}
        began = time.perf_counter()
        wire.writer.write(framed(json.dumps(said).encode()))
        while (heard := await wire.hear()) is not None and heard["type"] not in ("accepted", "refused"):
            pass
        if heard is None or heard["type"] != "accepted":
            raise SystemExit(f"a good wager was not accepted: {heard}")
        waits.append(time.perf_counter() - began)
    wire.close()


async def nobody(running: Running, over: asyncio.Event) -> str:
    await over.wait()
    return ""


async def deaf(running: Running, over: asyncio.Event) -> str:
    """They take part in the round and so would be told much; not a byte of it is read."""
    address, plain = urlsplit(running.address), []
    for _ in range(300):
        one = socket.socket()
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        one.setblocking(False)
        await asyncio.get_running_loop().sock_connect(one, (address.hostname, address.port))
        one.send(
            f"GET {PATH} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
        )
        plain.append(one)
    await over.wait()
    for one in plain:
        one.close()
    return "300 sockets"


async def flood(running: Running, over: asyncio.Event) -> str:
    """Ten at a time, each until it is dropped, and then another."""
    wager = framed(json.dumps({"id": "flood-000001", "do": "stake", "wager": "tie", "amount": 2000}).encode())
    sent = dropped = 0

    async def one(text: bytes) -> None:
        nonlocal sent, dropped
        _, _, session = await asyncio.to_thread(running.ask, "POST", "/api/guests", {})
        while not over.is_set():
            wire = Socket(running.address, PATH, session)
            with suppress(ConnectionError, AssertionError, asyncio.IncompleteReadError):
                await wire.open()
                while not over.is_set() and not wire.reader.at_eof():
                    wire.writer.write(text * 20)
                    sent += 20
                    await wire.writer.drain()
                    await asyncio.sleep(0.002)
                    with suppress(TimeoutError):
                        await asyncio.wait_for(wire.reader.read(65536), 0.001)
                dropped += 1
            await asyncio.sleep(0.05)

    await asyncio.gather(*[one(wager if number % 2 else framed(b"{")) for number in range(10)])
    return f"{sent:,} frames, {dropped:,} times dropped"


async def slow_heads(running: Running, over: asyncio.Event) -> str:
    address, closed = urlsplit(running.address), 0

    async def one() -> None:
        nonlocal closed
        while not over.is_set():
            with suppress(ConnectionError):
                reader, writer = await asyncio.open_connection(address.hostname, address.port)
                writer.write(b"GET /api/tables HTTP/1.1\r\n")
                while not over.is_set() and not reader.at_eof():
                    writer.write(b"X")
                    await asyncio.sleep(0.5)
                writer.transport.abort()
                closed += 1

    await asyncio.gather(*[one() for _ in range(500)])
    return f"500 connections, {closed:,} closed"


async def sign_ins(running: Running, over: asyncio.Event) -> str:
    answers: dict[int, int] = {}
    tasks = set()

    async def one(number: int) -> None:
        body = {"name": f"Nobody {number}", "password": "not a password"}
        status, _, _ = await asyncio.to_thread(running.ask, "POST", "/api/sessions", body)
        answers[status] = answers.get(status, 0) + 1

    number = 0
    while not over.is_set():
        number += 1
        tasks.add(asyncio.create_task(one(number)))
        await asyncio.sleep(0.01)
    await asyncio.gather(*tasks, return_exceptions=True)
    return f"{number:,} sign-ins, by status {answers}"


async def _attacked(attack: Attack, address: str, is_over: Any) -> str:
    running, over = Running(Path("nowhere")), asyncio.Event()
    running.address = address
    attacking = asyncio.ensure_future(attack(running, over))
    while not is_over.is_set():
        await asyncio.sleep(0.05)
    over.set()
    return await attacking


def attacking(attack: Attack, address: str, is_over: Any, words: Any) -> None:
    """In a process of its own: who measures must not wait for who attacks."""
    words.put(asyncio.run(_attacked(attack, address, is_over)))


async def playing(running: Running, seconds: float) -> list[float]:
    waits, until = list[float](), time.perf_counter() + seconds
    await asyncio.gather(*[patron(running, number, until, waits) for number in range(PATRONS)])
    return sorted(waits)


def measured(running: Running, attack: Attack, seconds: float) -> tuple[list[float], str]:
    context = get_context("spawn")
    is_over, words = context.Event(), context.Queue()
    process = context.Process(target=attacking, args=(attack, running.address, is_over, words))
    process.start()
    time.sleep(2.0)
    waits = asyncio.run(playing(running, seconds))
    is_over.set()
    found = words.get(timeout=60)
    process.join(10)
    return waits, str(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--seconds", type=float, default=8.0)
    given = parser.parse_args()
    print(f"load of the machine before: {os.getloadavg()[0]:.2f}")
    print(f"{'beside them':<12} {'wagers':>7} {'p50 ms':>8} {'p99 ms':>8} {'most ms':>8} {'memory MB':>10}")
    options = "--betting-seconds", "3600"
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder) / "data", *options, settings=SETTINGS) as running,
    ):
        for attack in (nobody, deaf, flood, slow_heads, sign_ins, nobody):
            waits, words = measured(running, attack, given.seconds)
            figures = [waits[len(waits) // 2], waits[len(waits) * 99 // 100], waits[-1]]
            shown = " ".join(f"{1000 * each:>8.1f}" for each in figures)
            memory, _ = running.memory()
            print(f"{attack.__name__:<12} {len(waits):>7,} {shown} {memory / 1e6:>10,.0f}  {words}", flush=True)


if __name__ == "__main__":
    main()
