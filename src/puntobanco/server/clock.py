"""The clock of the service: the only place that asks for the time, so that a test can have its own."""

import asyncio
import time
from typing import Protocol


class Clock(Protocol):
    """Milliseconds since 1970, and a way to wait for them."""

    def now(self) -> int: ...

    async def wait(self, event: asyncio.Event, until: int | None) -> bool:
        """Wait for the event, at the longest until that time; whether the event came."""
        ...


class SystemClock:
    """The clock of the machine."""

    def now(self) -> int:
        return time.time_ns() // 1_000_000

    async def wait(self, event: asyncio.Event, until: int | None) -> bool:
        if until is None:
            await event.wait()
            return True
        left = until - self.now()
        if left > 0 and not event.is_set():
            # Not wait_for: in Python 3.11 it swallows a cancellation that comes together with the event.
            waiting = asyncio.ensure_future(event.wait())
            try:
                await asyncio.wait([waiting], timeout=left / 1000)
            finally:
                waiting.cancel()
        return event.is_set()
