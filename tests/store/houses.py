"""A record in which tests play: a desk, a table, patrons with money, and a clock that ticks once a command."""

import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from puntobanco import find_game
from puntobanco.ledger import IssueMoney
from puntobanco.store.database import Database
from puntobanco.store.keys import Keys
from puntobanco.store.record import Answer, Record
from puntobanco.store.streams import StreamCommand, TableStream
from puntobanco.table import Dealing, OpenTable, Phase, Table, TableSettings
from puntobanco.table.dealer import next_step

KEYS = Keys(b"s" * 32, b"k" * 32)
"""The same in every test, so that what is signed is the same too."""
SETTINGS = TableSettings(find_game("manila"), decks=4, account="cash")  # type: ignore[arg-type]
VIRTUAL = replace(SETTINGS, dealing=Dealing.VIRTUAL)
"""A table that deals from committed shoes, as only a virtual dealer does."""


class House:
    """One process that keeps a record."""

    def __init__(self, database: Database, name: str, settings: TableSettings = SETTINGS) -> None:
        self.name, self.settings = name, settings
        ticks = itertools.count(1_700_000_000_000)
        self.record = Record(database, KEYS, clock=lambda: next(ticks))
        self._ids = itertools.count()
        self._cards = itertools.cycle(SETTINGS.game.pack.cards)

    @property
    def table(self) -> Table:
        stream = self.record.stream("table/main")
        assert isinstance(stream, TableStream)
        assert stream.table is not None
        return stream.table

    async def do(self, stream: str, *commands: StreamCommand, actor: str = "house", id: str | None = None) -> Answer:
        command_id = id or f"{self.name}-{next(self._ids):08}"
        return await self.record.submit(stream, commands, actor=actor, command_id=command_id)

    async def open(self) -> None:
        """Open the table and give anna and bob money."""
        await self.record.open("desk/main")
        await self.record.open("table/main")
        if self.record.version("table/main") == 0:
            for patron in ("anna", "bob"):
                await self.do("desk/main", IssueMoney(patron, "PHP", 1_000_000, "welcome"))
            await self.do("table/main", OpenTable(self.settings))

    async def step(self) -> Answer:
        """What the dealer does next."""
        return await self.do("table/main", next_step(self.table, lambda: next(self._cards)))

    async def until(self, phase: Phase) -> None:
        while self.table.phase is not phase:
            assert (await self.step()).accepted

    async def bet(self, patron: str, wager: str, stake: int, id: str | None = None) -> Answer:
        from puntobanco.table import PlaceWager

        return await self.do(
            "table/main", PlaceWager(self.table.round_number, patron, wager, stake), actor=patron, id=id
        )

    async def balances(self) -> dict[str, int]:
        return {name: balance async for portion in self.record.database.accounts() for name, balance in portion}


@asynccontextmanager
async def house(database: Database, name: str = "first", settings: TableSettings = SETTINGS) -> AsyncIterator[House]:
    """A house that is open; a second one of the same record has another name, and with it other ids."""
    found = House(database, name, settings)
    await found.record.start()
    try:
        await found.open()
        yield found
    finally:
        await found.record.close()
