"""Malformed messages sent to a real server, by socket and by HTTP: which were not refused."""

import asyncio
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any
from urllib.parse import urlsplit

from server.malformed import MARK, Malformed, framed
from server.running import Running

WINDOW = 64
"""So many are sent before their answers are awaited."""
PATIENCE_SECONDS = 10.0
BY_HTTP = 0.1


@dataclass
class Outcome:
    sent: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    """By reason, those that were answered."""
    closed: int = 0
    by_http: Counter[int] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def answer(self, message: dict[str, Any]) -> bool:
        """Whether this is the answer to something that was sent; anything but a refusal is wrong."""
        if MARK in json.dumps(message, ensure_ascii=False):
            self.wrong.append(f"an answer repeats what was sent: {message}")
        kind, error = message.get("type"), message.get("error", message)
        if kind in ("snapshot", "event"):
            return False
        if kind in (None, "refused") and isinstance(error.get("reason"), str) and isinstance(error.get("message"), str):
            self.refused[error["reason"]] += 1
        else:
            self.wrong.append(f"not refused: {message}")
        return True


class Socket:
    """A connection to the table's socket that sends whatever it is given."""

    def __init__(self, address: str, path: str, session: str) -> None:
        self.address, self.path, self.session = urlsplit(address), path, session

    async def open(self) -> None:
        self.reader, self.writer = await asyncio.open_connection(self.address.hostname, self.address.port)
        where = self.address.netloc
        self.writer.write(
            f"GET {self.path} HTTP/1.1\r\nHost: {where}\r\nOrigin: http://{where}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
            f"Cookie: pb_session={self.session}\r\n\r\n".encode()
        )
        head = await self.reader.readuntil(b"\r\n\r\n")
        if b" 101 " not in head:
            raise AssertionError(f"no socket: {head!r}")

    async def hear(self) -> dict[str, Any] | None:
        """The next message, or None where the server has closed."""
        try:
            while True:
                first, size = await self.reader.readexactly(2)
                if size >= 126:
                    size = int.from_bytes(await self.reader.readexactly(2 if size == 126 else 8))
                payload = await self.reader.readexactly(size)
                if first & 0xF == 8:
                    return None
                if first & 0xF == 1:
                    message: dict[str, Any] = json.loads(payload)
                    return message
        except (asyncio.IncompleteReadError, ConnectionError):
            return None

    def close(self) -> None:
        self.writer.transport.abort()


async def send_by_socket(socket: Socket, messages: list[Malformed], outcome: Outcome) -> None:
    """Send some at once; after a close, go on with what the server had not come to."""
    left = messages
    while left:
        await socket.open()
        try:
            alone = left[0].is_frame
            window = left[:1] if alone else [*_until_a_frame(left)]
            try:
                socket.writer.write(b"".join(each.content if alone else framed(each.content) for each in window))
                answered = await asyncio.wait_for(_answers(socket, len(window), outcome), PATIENCE_SECONDS)
            except ConnectionError:
                answered = 0
            except TimeoutError:
                outcome.wrong.append(f"one of these was neither refused nor closed: {[each.wrong for each in window]}")
                answered = len(window)
            if answered < len(window):
                outcome.closed += 1
                answered += 1
            left = left[answered:]
        finally:
            socket.close()


async def _answers(socket: Socket, count: int, outcome: Outcome) -> int:
    answered = 0
    while answered < count:
        message = await socket.hear()
        if message is None:
            return answered
        answered += outcome.answer(message)
    return answered


def _until_a_frame(messages: list[Malformed]) -> Iterator[Malformed]:
    for each in messages:
        if each.is_frame:
            return
        yield each


class Requests:
    """The same messages as bodies of requests."""

    def __init__(self, address: str, path: str, session: str) -> None:
        where = urlsplit(address)
        self.host, self.port = where.hostname, where.port
        self.head = (
            f"POST {path} HTTP/1.1\r\nHost: {where.netloc}\r\nOrigin: {address}\r\nCookie: pb_session={session}\r\n"
        )
        self.writer: asyncio.StreamWriter | None = None

    async def send(self, message: Malformed, outcome: Outcome) -> None:
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection(self.host, self.port)
        about = f"Content-Type: application/json\r\nContent-Length: {len(message.content)}\r\n\r\n"
        self.writer.write((self.head + about).encode() + message.content)
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode()
        status, size = int(head.split()[1]), re.search(r"content-length: (\d+)", head, re.IGNORECASE)
        body = await self.reader.readexactly(int(size[1]) if size else 0)
        outcome.by_http[status] += 1
        if not 400 <= status < 500 or not outcome.answer(json.loads(body)):
            outcome.wrong.append(f"{message.wrong}: {status} {body[:200]!r}")
        if status == 413 or "connection: close" in head.lower():
            self.close()

    def close(self) -> None:
        if self.writer is not None:
            self.writer.transport.abort()
            self.writer = None


async def refused_all(running: Running, table: str, session: str, messages: Iterator[Malformed], count: int) -> Outcome:
    """Send so many, a part of them by HTTP; the outcome tells which were not refused."""
    outcome = Outcome()
    socket = Socket(running.address, f"/api/tables/{table}/live", session)
    requests = Requests(running.address, f"/api/tables/{table}/commands", session)
    try:
        while outcome.sent < count and not outcome.wrong:
            some = [*islice(messages, min(WINDOW, count - outcome.sent))]
            if not some:
                break
            outcome.sent += len(some)
            by_http = [each for each in some[: int(WINDOW * BY_HTTP)] if not each.is_frame]
            for each in by_http:
                await requests.send(each, outcome)
            await send_by_socket(socket, [each for each in some if each not in by_http], outcome)
    finally:
        requests.close()
    return outcome


def moved(running: Running) -> tuple[dict[str, int], int, int]:
    """All accounts, the number of postings, and of wagers: what nothing malformed may change."""
    with running.database() as database:
        [[entries]] = database.execute("SELECT count(*) FROM entry")
        [[wagers]] = database.execute("SELECT count(*) FROM event WHERE body LIKE '%stake-changed%'")
    return running.money(), entries, wagers


def logged_faults(running: Running) -> list[str]:
    """Lines of the log that tell of an error that nobody expected."""
    pattern = re.compile(r"Traceback|\berror\b|Exception", re.IGNORECASE)
    return [line for line in running.log().splitlines() if pattern.search(line)]
