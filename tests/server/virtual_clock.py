"""A clock that moves only when it is told to, and then wakes whoever waits, one after the other in their order."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

START = 1_800_000_000_000


@dataclass(eq=False)
class _Waiting:
    """Somebody who waits for an event, at the longest until a time."""

    task: "asyncio.Task[object] | None"
    event: asyncio.Event
    until: int | None
    alarm: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def is_quiet(self) -> bool:
        return not (self.event.is_set() or self.alarm.is_set())


class VirtualClock:
    """As `puntobanco.server.clock.Clock`."""

    def __init__(self, start: int = START) -> None:
        self._now = start
        self._waiting: list[_Waiting] = []

    def now(self) -> int:
        return self._now

    async def wait(self, event: asyncio.Event, until: int | None) -> bool:
        if event.is_set() or (until is not None and until <= self._now):
            # Whoever waits lets others go on, also where there is nothing to wait for.
            await asyncio.sleep(0)
            return event.is_set()
        waiting = _Waiting(asyncio.current_task(), event, until)
        self._waiting.append(waiting)
        both = [asyncio.ensure_future(each.wait()) for each in (event, waiting.alarm)]
        try:
            done, _ = await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            for each in done:
                await each
        finally:
            self._waiting.remove(waiting)
            for each in both:
                each.cancel()
        return event.is_set()

    def holds(self, task: "asyncio.Task[None]") -> bool:
        """Whether the task waits here, and nothing has woken it."""
        return any(each.task is task and each.is_quiet for each in self._waiting)

    def wakes(self, task: "asyncio.Task[None]") -> bool:
        """Whether the task was woken here, and has not gone on yet."""
        return any(each.task is task and not each.is_quiet for each in self._waiting)

    async def advance(self, milliseconds: int, settle: Callable[[], Awaitable[None]]) -> None:
        """So much later; between two who are woken, all that the first has set off comes to rest."""
        end = self._now + milliseconds
        await settle()
        while due := [each for each in self._waiting if each.until is not None and each.until <= end]:
            # Of two who wait for the same moment, whoever began to wait earlier is first.
            first = min(due, key=lambda each: each.until or 0)
            assert first.until is not None
            self._now = max(self._now, first.until)
            first.alarm.set()
            await settle()
        self._now = end
