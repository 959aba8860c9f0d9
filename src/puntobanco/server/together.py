"""What many want to know at the same moment, asked of the database once for all of them.

Thousands come at once after a restart, or to a table that everybody talks of. A statement for each would cost more
than all that they do afterwards.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping
from itertools import islice
from typing import Generic, TypeVar

READ_AT_ONCE = 500

Key = TypeVar("Key", bound=object)
Found = TypeVar("Found")


class Together(Generic[Key, Found]):
    """Looks up keys in portions: those that are wanted while a portion is read are the next one."""

    def __init__(self, look_up: Callable[[Collection[Key]], Awaitable[Mapping[Key, Found]]]) -> None:
        self._look_up = look_up
        self._wanted: dict[Key, asyncio.Future[Found | None]] = {}
        self._reading: asyncio.Task[None] | None = None

    async def find(self, key: Key) -> Found | None:
        """What is found under a key; None where there is nothing."""
        wanted = self._wanted.get(key)
        if wanted is None:
            wanted = self._wanted[key] = asyncio.get_running_loop().create_future()
            # Whoever waited may have gone away before it fails.
            wanted.add_done_callback(lambda future: future.cancelled() or future.exception())
            if self._reading is None or self._reading.done():
                self._reading = asyncio.create_task(self._read())
        # One who goes away does not take it from the others.
        return await asyncio.shield(wanted)

    async def _read(self) -> None:
        while self._wanted:
            portion = dict(islice(self._wanted.items(), READ_AT_ONCE))
            found: Mapping[Key, Found] = {}
            error = None
            try:
                found = await self._look_up(portion)
            except Exception as raised:
                error = raised  # For everybody who waits.
            for key, wanted in portion.items():
                del self._wanted[key]
                if error is None:
                    wanted.set_result(found.get(key))
                else:
                    wanted.set_exception(error)
