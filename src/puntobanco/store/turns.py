"""Turns at writing to one SQLite file within a process.

A file has one lock, and who finds it taken can only try again: among several who write all the time, one might try in
vain until it gives up. So whoever writes from this process takes a turn first, in the order in which they came, and
only for other processes the lock itself is tried for (`sqlite.py`), without holding up the loop.
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
