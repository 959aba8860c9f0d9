"""Turns at writing to one SQLite file within a process.

A file has one lock. The record waits for it on the loop's own thread, where nothing else runs meanwhile: if the lock
were held by a transaction that needs the loop to go on, both would wait until one gives up. So whoever writes from
this process takes a turn first, without holding up the loop.
"""

import asyncio
from pathlib import Path
from weakref import WeakValueDictionary

_turns: WeakValueDictionary[str, "Turn"] = WeakValueDictionary()


class Turn:
    """The turn at one file; whoever writes to it holds this value."""

    def __init__(self) -> None:
        self._lock: asyncio.Lock | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def take(self) -> None:
        loop = asyncio.get_running_loop()
        if self._lock is None or self._loop is not loop:
            # A loop that is over has no more writers.
            self._lock, self._loop = asyncio.Lock(), loop
        await self._lock.acquire()

    def end(self) -> None:
        assert self._lock is not None, "only a turn that was taken ends"
        self._lock.release()


def turn_at(path: Path) -> Turn:
    """The turn at this file, the same for all who ask as long as somebody holds it."""
    return _turns.setdefault(str(path.resolve()), Turn())
