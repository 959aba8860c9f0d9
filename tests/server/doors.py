"""A house that is served in this process, on a real port, and clients with nothing between them and its bytes."""

import asyncio
import itertools
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import uvicorn
from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

from puntobanco.server.app import application
from puntobanco.server.clock import Clock, SystemClock
from puntobanco.server.configuration import Configuration
from puntobanco.server.house import House
from puntobanco.server.http_protocol import http_protocol
from puntobanco.server.run import Opened, listening_socket, uvicorn_config
from puntobanco.server.socket import socket_protocol

Json = dict[str, Any]
SECONDS = 30
"""So long an answer is waited for on a busy machine."""


class Line(WSListener):
    """One socket: every frame that came, and answers by their ids."""

    def __init__(self) -> None:
        self.frames: list[bytes] = []
        self.transport: WSTransport | None = None
        self._answers: dict[str, list[asyncio.Future[Json]]] = {}
        self._came = asyncio.Event()
        self.is_over = False

    def on_ws_connected(self, transport: WSTransport) -> None:
        self.transport = transport

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type != WSMsgType.TEXT:
            return
        self.frames.append(frame.get_payload_as_bytes())
        message = json.loads(self.frames[-1])
        waiting = self._answers.get(message.get("id"), [])
        if message["type"] in ("accepted", "refused") and waiting:
            waiting.pop(0).set_result(message)
        self._came.set()

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        self.is_over = True
        self._came.set()

    @property
    def messages(self) -> list[Json]:
        return [json.loads(each) for each in self.frames]

    def say(self, message: Json) -> "asyncio.Future[Json]":
        """Send it now; its answer comes later."""
        answer: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        self._answers.setdefault(message["id"], []).append(answer)
        assert self.transport is not None
        self.transport.send(WSMsgType.TEXT, json.dumps(message).encode())
        return answer

    async def hear(self, event: str, round_number: int | None = None) -> Json:
        """The first such event, once it has come."""
        async with asyncio.timeout(SECONDS):
            while True:
                for message in self.messages:
                    if message.get("event") == event and round_number in (None, message.get("round")):
                        return message
                self._came.clear()
                await self._came.wait()


class Doors:
    """A house with its doors open."""

    def __init__(self, house: House, address: str) -> None:
        self.house, self.address = house, address
        self._ids = itertools.count()
        self._clients: list[httpx.AsyncClient] = []
        self.lines: list[Line] = []

    def new_id(self) -> str:
        return f"message-{next(self._ids):08}"

    def client(self, session: str | None = None) -> httpx.AsyncClient:
        cookies = {} if session is None else {"pb_session": session}
        found = httpx.AsyncClient(base_url=self.address, cookies=cookies, timeout=SECONDS, verify=False)
        self._clients.append(found)
        return found

    async def guest(self) -> tuple[str, httpx.AsyncClient]:
        """Who came, and what they ask with."""
        client = self.client()
        answer = await client.post("/api/guests", json={})
        assert answer.status_code == 201, answer.text
        return answer.json()["patron"], client

    async def line(self, table: str, client: httpx.AsyncClient | None = None, after: int | None = None) -> Line:
        """Somebody sits down; the first message has come."""
        query = "" if after is None else f"?after={after}"
        headers = {} if client is None else {"cookie": f"pb_session={client.cookies['pb_session']}"}
        url = f"{self.address.replace('http', 'ws', 1)}/api/tables/{table}/live{query}"
        _, line = await ws_connect(Line, url, extra_headers=headers)
        assert isinstance(line, Line)
        self.lines.append(line)
        async with asyncio.timeout(SECONDS):
            while not line.frames and after is None:
                await asyncio.sleep(0.001)
        return line

    async def close(self) -> None:
        for line in self.lines:
            if line.transport is not None and not line.is_over:
                line.transport.disconnect()
        for client in self._clients:
            await client.aclose()


@asynccontextmanager
async def serving(house: House, listening: socket.socket) -> AsyncIterator[Doors]:
    """A house that is open already, served as `puntobanco serve` does it."""
    opened = Opened(application(house), house.close, house.begin_stop, socket_protocol(house), 0, http_protocol(house))
    server = uvicorn.Server(uvicorn_config(house.configuration, opened))
    served = asyncio.create_task(server._serve([listening]))
    doors = Doors(house, f"http://127.0.0.1:{listening.getsockname()[1]}")
    try:
        async with asyncio.timeout(SECONDS):
            while not server.started:
                await asyncio.sleep(0.001)
        yield doors
    finally:
        await doors.close()
        server.should_exit = server.force_exit = True
        await served


@asynccontextmanager
async def open_doors(folder: Path, clock: Clock | None = None, **settings: Any) -> AsyncIterator[Doors]:
    """A new house on a free port."""
    given = Configuration(**{"data": folder, "port": 0, "rate_limits": False, "first_tables": ("manila",), **settings})
    with listening_socket("127.0.0.1", 0) as listening:
        configuration = replace(given, port=listening.getsockname()[1])
        house = await House.open(configuration, clock or SystemClock())
        try:
            async with serving(house, listening) as doors:
                yield doors
        finally:
            await house.close()
