"""HTTP on one connection, within bounds of size and time: what uvicorn leaves to a proxy that may not be there.

Its parser takes a head of any length, and its only clock runs between two requests. So here a head has a size and a
time to arrive in, whoever does not read an answer is cut off, and an address has so many connections. What is no HTTP
at all is answered in the one shape of every error.
"""

import asyncio
from typing import TYPE_CHECKING, Any

from puntobanco.extras import optional_package
from puntobanco.server.addresses import is_within
from puntobanco.server.guards import raw_answer
from puntobanco.server.problems import Problem, malformed

with optional_package("uvicorn", "Requests are answered"):
    from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

if TYPE_CHECKING:
    from puntobanco.server.house import House

HEAD_BYTES = 12 * 1024
"""Of the first line and all headers."""
MOST_HEADERS = 60
HEAD_SECONDS = 10.0
"""From the first byte, or the opening of the connection, to the end of the head."""
UNREAD_SECONDS = 20.0
"""For so long an answer may lie in the buffer without a byte of it being taken."""


class _TooLarge(Exception):
    """The head is longer than any of ours."""


def http_protocol(house: "House") -> type:
    """The class that uvicorn makes for each connection."""
    rates, trusted = house.rates, house.configuration.trusted_proxy

    class Protocol(HttpToolsProtocol):
        _timer: asyncio.TimerHandle | None = None
        _unread: asyncio.TimerHandle | None = None
        _entered: str | None = None
        _size = _raw = 0
        _is_too_large = _head_is_here = False

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            address = self.client[0] if self.client else ""
            # Everybody comes through a proxy from one address.
            if not is_within(address, trusted):
                if not rates.connections.enter(address):
                    transport.abort()
                    return
                self._entered = address
            self._wait_for_head()

        def connection_lost(self, exc: Exception | None) -> None:
            self._let_go()
            super().connection_lost(exc)

        def _let_go(self) -> None:
            self._stop_waiting()
            if self._unread is not None:
                self._unread.cancel()
            if self._entered is not None:
                rates.connections.leave(self._entered)
                self._entered = None

        # The head: its time and its size.

        def _wait_for_head(self) -> None:
            if self._timer is None:
                self._timer = self.loop.call_later(HEAD_SECONDS, self._too_slow)

        def _stop_waiting(self) -> None:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

        def _too_slow(self) -> None:
            self._timer = None
            if not self.transport.is_closing():
                self.transport.write(raw_answer(malformed("The request took too long.", "too-slow")))
                self.transport.close()

        def data_received(self, data: bytes) -> None:
            if self.transport.is_closing():
                return
            if self.cycle is None or self.cycle.response_complete:
                self._wait_for_head()
            self._head_is_here = False
            super().data_received(data)
            # Lines that are not at an end yet are known to nobody but the parser.
            self._raw = 0 if self._head_is_here or self._timer is None else self._raw + len(data)
            if self._raw > HEAD_BYTES and not self.transport.is_closing():
                self._is_too_large = True
                self.send_400_response("")

        def on_message_begin(self) -> None:
            self._size = 0
            super().on_message_begin()

        def on_url(self, url: bytes) -> None:
            self._count(len(url))
            super().on_url(url)

        def on_header(self, name: bytes, value: bytes) -> None:
            self._count(len(name) + len(value) + 4)
            super().on_header(name, value)
            if len(self.headers) > MOST_HEADERS:
                self._count(HEAD_BYTES)

        def _count(self, size: int) -> None:
            self._size += size
            if self._size > HEAD_BYTES:
                self._is_too_large = True
                raise _TooLarge

        def on_headers_complete(self) -> None:
            self._head_is_here = True
            self._stop_waiting()
            super().on_headers_complete()

        def handle_websocket_upgrade(self) -> None:
            # The socket is counted by itself from here on.
            self._let_go()
            super().handle_websocket_upgrade()

        def send_400_response(self, msg: str) -> None:
            self._stop_waiting()
            problem = malformed("That is not HTTP.")
            if self._is_too_large:
                problem = Problem(413, "too-large", f"The head of a request has at most {HEAD_BYTES:,} bytes.")
            self.transport.write(raw_answer(problem))
            self.transport.close()

        # The answer: whoever asks also reads.

        def pause_writing(self) -> None:
            super().pause_writing()
            self._unread = self.loop.call_later(UNREAD_SECONDS, self.transport.abort)

        def resume_writing(self) -> None:
            if self._unread is not None:
                self._unread.cancel()
                self._unread = None
            super().resume_writing()

    return Protocol
