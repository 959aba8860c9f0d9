"""A record with the fault that the crash tests are there to find."""

import asyncio
from typing import Any

from puntobanco.store.record import Record


class AcknowledgesEarly(Record):
    """Answers once a group is written, and commits a moment later."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._begins, self._commits = self.database.begin, self.database.commit
        self._committing: asyncio.Task[None] | None = None
        self.database.begin = self._begin  # type: ignore[method-assign]
        self.database.commit = self._commit_later  # type: ignore[method-assign]

    async def _begin(self) -> None:
        if self._committing is not None:
            await self._committing
        await self._begins()

    async def _commit_later(self) -> None:
        async def commit() -> None:
            await asyncio.sleep(0.003)
            await self._commits()

        self._committing = asyncio.create_task(commit())
