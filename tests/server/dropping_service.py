"""A service of a few lines that fails on purpose: it drops connections, answers twice and tells things again.

The real one is tested with the client elsewhere; this is for what it does not do when asked.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

from picows import (
    WSFrame,
    WSListener,
    WSMsgType,
    WSTransport,
    WSUpgradeRequest,
    WSUpgradeResponse,
    WSUpgradeResponseWithListener,
    ws_create_server,
)

Message = dict[str, Any]
JSON = {"Content-Type": "application/json"}


@dataclass
class DroppingService:
    """One table whose events are given; commands are carried out once, and everything that came in is kept."""

    events: list[Message] = field(default_factory=list)
    known: int = 1000
    """How many events it can tell again; who missed more gets a snapshot."""
    connections: list["Connection"] = field(default_factory=list)
    received: list[Message] = field(default_factory=list)
    done: dict[str, Message] = field(default_factory=dict)
    on_command: Callable[["Connection", Message], None] | None = None
    on_connection: Callable[["Connection"], None] | None = None
    turned_away: int = 0
    """The status that new connections get instead of a table."""
    address: str = ""

    @property
    def version(self) -> int:
        return len(self.events)

    def snapshot(self) -> Message:
        table = {"id": "main", "dealing": "virtual", "phase": "ready", "round": 0, "shoe": 1, "results": ""}
        return {"type": "snapshot", "version": self.version, "time": 1, "table": table | {"spots": {}, "balance": 100}}

    def happen(self, name: str, **fields: Any) -> Message:
        event = {"type": "event", "version": self.version + 1, "time": 1, "event": name, **fields}
        self.events.append(event)
        for connection in self.connections:
            connection.send(event)
        return event

    def answer(self, message: Message) -> Message:
        """The answer to a command; the same id has the same answer."""
        if message["id"] not in self.done:
            accepted = {"type": "accepted", "version": self.version, "time": 1, "stakes": message.get("stakes", {})}
            refused = {
                "type": "refused",
                "reason": "late-wager",
                "clause": "5.6",
                "message": "No more bets.",
                "time": 1,
            }
            outcome = refused if message.get("wager") == "late" else accepted | {"balance": 100 - len(self.done)}
            self.done[message["id"]] = {"id": message["id"], **outcome}
        return self.done[message["id"]]

    def listen(self, request: WSUpgradeRequest) -> WSListener | WSUpgradeResponseWithListener:
        target = urlsplit(request.path.decode())
        if self.turned_away:
            body = b'{"error": {"reason": "not-found", "clause": null, "message": "There is no such table."}}'
            return WSUpgradeResponseWithListener(
                WSUpgradeResponse.create_error_response(self.turned_away, body, JSON), None
            )
        after = parse_qs(target.query).get("after")
        return Connection(self, None if after is None else int(after[0]), dict(request.headers))

    @asynccontextmanager
    async def serving(self) -> AsyncIterator["DroppingService"]:
        server = await ws_create_server(self.listen, "127.0.0.1", 0)
        self.address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        try:
            yield self
        finally:
            server.close()
            for connection in [*self.connections]:
                connection.drop()
            await asyncio.sleep(0)


class Connection(WSListener):
    def __init__(self, service: DroppingService, after: int | None, headers: dict[str, str]) -> None:
        self.service, self.after, self.headers = service, after, headers

    def on_ws_connected(self, transport: WSTransport) -> None:
        self.transport = transport
        missed = self.service.events[self.after or 0 :]
        if self.after is None or len(missed) > self.service.known:
            self.send(self.service.snapshot())
        else:
            for event in missed:
                self.send(event)
        self.service.connections.append(self)
        if self.service.on_connection:
            self.service.on_connection(self)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type is not WSMsgType.TEXT:
            return
        message = json.loads(frame.get_payload_as_bytes())
        self.service.received.append(message)
        if self.service.on_command:
            self.service.on_command(self, message)
        else:
            self.send(self.service.answer(message))

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        if self in self.service.connections:
            self.service.connections.remove(self)

    def send(self, message: Message) -> None:
        self.transport.send(WSMsgType.TEXT, json.dumps(message).encode())

    def drop(self) -> None:
        self.transport.disconnect(graceful=False)
