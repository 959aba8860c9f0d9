"""A client that asks a record for a whole round, and asks again under the same id whenever it was not answered."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

import pytest

from puntobanco.errors import Fault
from puntobanco.ledger import IssueMoney
from puntobanco.store.database import Database, StorageFault
from puntobanco.store.record import Answer, Record
from puntobanco.store.streams import StreamCommand
from puntobanco.table import (
    AnnounceResult,
    BurnCards,
    CloseBetting,
    DealCard,
    OpenBetting,
    OpenShoe,
    OpenTable,
    PlaceWager,
    SettleRound,
)
from puntobanco.tableau import Hand
from store.houses import KEYS, SETTINGS

CARD = SETTINGS.game.pack.card
DESK, TABLE = "desk/main", "table/main"

ROUND: list[tuple[str, StreamCommand]] = [
    (DESK, IssueMoney("anna", "PHP", 10_000, "welcome")),
    (TABLE, OpenTable(SETTINGS)),
    (TABLE, OpenShoe(SETTINGS.full_shoe)),
    (TABLE, BurnCards((CARD("3h"),), face_down=3)),
    (TABLE, OpenBetting()),
    (TABLE, PlaceWager(1, "anna", "player", 2000)),
    (TABLE, PlaceWager(1, "anna", "tie", 9000)),  # Refused: she has 8,000 left.
    (TABLE, PlaceWager(1, "anna", "banker", 3000)),
    (TABLE, CloseBetting(1)),
    (TABLE, DealCard(1, Hand.PLAYER, CARD("9s"))),
    (TABLE, DealCard(1, Hand.BANKER, CARD("2d"))),
    (TABLE, DealCard(1, Hand.PLAYER, CARD("Kc"))),
    (TABLE, DealCard(1, Hand.BANKER, CARD("5h"))),
    (TABLE, AnnounceResult(1)),
    (TABLE, SettleRound(1)),
]
"""One round from the first welcome to its settlement: a natural nine, on which anna wins 2,000 and loses 3,000."""

AFTERWARDS = {"patron/PHP/anna": 9000, "held/main/PHP/anna": 0, "house/PHP": 1000, "issue/PHP": -10_000}


@dataclass
class Client:
    """Asks for the round, command by command, and asks again whenever it was not answered."""

    connect: Callable[[], Database]
    restarts: bool
    """Whether a fault is mended by a new process; else by opening the stopped stream again."""
    repair: Callable[[], None] = lambda: None
    repaired_after: int = 1
    """So many faults are felt before somebody puts right what fails."""
    record: Record | None = None
    answers: list[Answer] = field(default_factory=list)
    faults: int = 0

    async def started(self) -> Record:
        """The record, started anew where there is none."""
        if self.record is None:
            # A clock that stands still: what is written does not depend on how often it was tried.
            record = Record(self.connect(), KEYS, clock=lambda: 1_700_000_000_000)
            await record.start()
            try:
                for stream in (DESK, TABLE):
                    await record.open(stream)
            except Fault:
                with suppress(Fault):
                    await record.close()
                raise
            self.record = record
        return self.record

    async def stop(self) -> None:
        if self.record is not None:
            with suppress(Fault):
                await self.record.close()
            self.record = None

    async def ask(self, place: int) -> Answer:
        stream, command = ROUND[place]
        record = await self.started()
        return await record.submit(stream, [command], actor="somebody", command_id=f"command-{place}")

    async def mend(self, place: int) -> None:
        self.faults += 1
        if self.faults == self.repaired_after:
            self.repair()
        stream, _ = ROUND[place]
        record = self.record
        if record is None or self.restarts:
            await self.stop()
            return
        with pytest.raises(StorageFault, match=f"{stream} has stopped"):
            record.stream(stream)
        with suppress(Fault):
            await record.open(stream)

    async def play(self, most_faults: int = 5) -> None:
        for place in range(len(ROUND)):
            while len(self.answers) == place:
                try:
                    self.answers.append(await self.ask(place))
                except Fault:
                    assert self.faults < most_faults, "what works again is of no use"
                    await self.mend(place)
        await self.stop()
