"""A bare server of the same stack, uvicorn and picows: it answers every frame with one of a given size, no more.

It is what the network, the loop and the frames cost alone; bench/load.py measures the service beside it. As the service
does, it greets everybody, answers each stake once, and sends an event to all in portions with a pause between.

Run: .venv/bin/python bench/echo_server.py --port 0
"""

import argparse
import asyncio
import gc
import json
import logging
import time
from typing import Any

import uvicorn
from picows import WSAutoPingStrategy, WSFrame, WSListener, WSMsgType, WSTransport
from picows.picows import WSProtocol  # type: ignore[attr-defined]

PORTION = 100
READ_BUFFER = 2048
LOGGER = logging.getLogger("echo")


def padded(message: dict[str, Any], size: int) -> bytes:
    """The message as so many bytes, if it is not longer by itself."""
    short = len(json.dumps({**message, "padding": ""}))
    return json.dumps({**message, "padding": "." * max(0, size - short)}).encode()


class Echo:
    def __init__(self, greeting: int, answer: int, event: int, events_per_second: float) -> None:
        table = {"id": "main", "phase": "betting", "closes_at": 2**52}
        self.greeting = padded({"type": "snapshot", "version": 1, "time": 0, "table": table}, greeting)
        whole = padded({"type": "accepted", "id": "load-0000000000", "version": 1, "time": 0}, answer)
        self.before, self.after = whole.split(b"load-0000000000")
        self.event, self.pause = event, 1 / events_per_second
        self.transports: set[WSTransport] = set()
        self.version = 1

    async def broadcast(self) -> None:
        while True:
            await asyncio.sleep(self.pause)
            self.version += 1
            now = time.time_ns() // 1_000_000
            event = {"type": "event", "version": self.version, "time": now, "event": "stakes-changed"}
            encoded = padded(event, self.event)
            everybody = list(self.transports)
            for start in range(0, len(everybody), PORTION):
                for transport in everybody[start : start + PORTION]:
                    transport.send(WSMsgType.TEXT, encoded)
                await asyncio.sleep(0)


class Connection(WSListener):
    def __init__(self, echo: Echo) -> None:
        self.echo = echo

    def on_ws_connected(self, transport: WSTransport) -> None:
        self.echo.transports.add(transport)
        transport.send(WSMsgType.TEXT, self.echo.greeting)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type is WSMsgType.TEXT:
            id = frame.get_payload_as_bytes()[7:22]
            transport.send(WSMsgType.TEXT, self.echo.before + id + self.echo.after)

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        self.echo.transports.discard(transport)


def protocol(echo: Echo) -> type[asyncio.Protocol]:
    """The class that uvicorn hands an upgraded connection to."""

    class Upgraded(WSProtocol):  # type: ignore[misc]
        def __init__(self, **_: object) -> None:
            strategy = WSAutoPingStrategy.PING_WHEN_IDLE
            ping = (False, 20, 20, strategy, True)
            super().__init__(
                None, None, False, lambda _: Connection(echo), LOGGER, True, 5, *ping, 4096, None, READ_BUFFER
            )

        def data_received(self, data: bytes) -> None:
            """The request that uvicorn has read already; all that follows comes into the buffer itself."""
            self.get_buffer(len(data))[: len(data)] = data
            self.buffer_updated(len(data))

    return Upgraded


async def nothing(scope: dict[str, Any], receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 404, "headers": []})
    await send({"type": "http.response.body", "body": b""})


async def serve(given: argparse.Namespace) -> None:
    echo = Echo(given.greeting, given.answer, given.event, given.events_per_second)
    upgraded: Any = protocol(echo)
    config = uvicorn.Config(nothing, given.host, given.port, ws=upgraded, log_level="error", lifespan="off")
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    print(f"echo: serving on http://{given.host}:{port}", flush=True)
    broadcast = asyncio.create_task(echo.broadcast())
    await serving
    broadcast.cancel()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--greeting", type=int, default=2000, help="bytes of the first message")
    parser.add_argument("--answer", type=int, default=130, help="bytes of an answer")
    parser.add_argument("--event", type=int, default=300, help="bytes of an event")
    parser.add_argument("--events-per-second", type=float, default=1)
    given = parser.parse_args()
    import uvloop

    uvloop.run(serve(given))


if __name__ == "__main__":
    main()
