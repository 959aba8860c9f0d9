"""A record on a simulated disk whose power fails at any moment: what is left is opened and compared, row for row."""

import asyncio
import itertools
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import NamedTuple

from puntobanco.errors import Fault
from puntobanco.ledger import IssueMoney
from puntobanco.store.database import Database
from puntobanco.store.record import Answer, Record
from puntobanco.store.sqlite import SqliteDatabase
from puntobanco.table import Phase
from store.houses import KEYS, House
from store.simulated_disk import Contents, Mark, Operation, Platter, SimulatedDisk, Sync

FILE = "record.sqlite"
PAGES_OF_A_CHECKPOINT = 60
"""Few, so that the write-ahead log is brought over into the file every few commits."""


async def empty_record(path: Path) -> None:
    """A record in which nothing has happened, in a file."""
    database = SqliteDatabase(path)
    await database.start()
    await database.close()


async def contents_of(database: Database) -> bytes:
    """A digest of all rows; of the places of events in the whole record their order, for PostgreSQL leaves gaps."""
    digest = sha256()
    digest.update(repr(await database.heads()).encode())
    async for events in database.events():
        digest.update(repr([row for _, row in events]).encode())
    for rows in (database.entries(), database.commands(), database.accounts()):
        async for portion in rows:
            digest.update(repr(portion).encode())
    return digest.digest()


@dataclass
class Session:
    """What was done on a simulated disk, and what the record held after each of its commits."""

    before: bytes
    """The file before anything was done."""
    journal: list[Operation]
    contents: list[bytes] = field(default_factory=list)
    """After so many acknowledgements, the digest of all rows."""


async def play(folder: Path, rounds: int, synchronous: str = "FULL") -> Session:
    """Rounds with wagers on a simulated disk; the record is closed and opened again after every few."""
    await empty_record(folder / FILE)
    disk = SimulatedDisk()
    session = Session((folder / FILE).read_bytes(), disk.journal)

    ids, cards = itertools.count(), None
    for first in range(0, rounds, 4):
        database = SqliteDatabase(folder / FILE, disk.connect, synchronous, PAGES_OF_A_CHECKPOINT)
        at = _Marking(database, session, ids)
        if cards is not None:
            at._cards = cards
        cards = at._cards
        await at.record.start()
        if not first:
            session.contents.append(await contents_of(database))
        await at.open()
        for _ in range(first, min(first + 4, rounds)):
            await at.until(Phase.BETTING)
            await at.bet("anna", "player", 2000)
            # Several in one commit.
            await asyncio.gather(*[at.bet(patron, "tie", 3000) for patron in ("anna", "bob")])
            await at.until(Phase.READY)
        await at.record.close()
    return session


class _Marking(House):
    """A house that notes in the journal of its disk what was acknowledged."""

    def __init__(self, database: Database, session: Session, ids: "itertools.count[int]") -> None:
        super().__init__(database, "power")
        self._ids, self._session = ids, session
        self._known = 0

    async def do(self, *given: object, **more: object) -> Answer:
        answer = await super().do(*given, **more)  # type: ignore[arg-type]
        # Those of one commit are acknowledged together: the rows are the same for all of them.
        contents = await contents_of(self.record.database)
        if contents != self._session.contents[-1]:
            self._session.contents.append(contents)
            self._session.journal.append(Mark(len(self._session.contents) - 1))
        return answer


class State(NamedTuple):
    """What a power loss has left."""

    place: int
    """How many operations were done before it."""
    acknowledged: int
    files: dict[str, bytes]


def states(session: Session, count: int, seed: int) -> Iterator[State]:
    """So many states, spread evenly: just before every sync, just after it, and between."""
    random = Random(seed)
    length = len(session.journal)
    at_syncs = [
        place + after for place, each in enumerate(session.journal) if isinstance(each, Sync) for after in (0, 1)
    ]
    anywhere = [random.randrange(length + 1) for _ in range(max(0, count - len(at_syncs)))]
    places = sorted([*at_syncs, *anywhere] if count >= len(at_syncs) else random.sample(at_syncs, count))
    platter = Platter({FILE: Contents(session.before)}, {FILE: Contents(session.before)})
    done = acknowledged = 0
    for place in places:
        for operation in session.journal[done:place]:
            platter.apply(operation)
            if isinstance(operation, Mark):
                acknowledged = operation.number
        done = place
        yield State(place, acknowledged, platter.after_a_power_loss(random))


@dataclass
class Verdict:
    """What became of the states that were opened."""

    states: int = 0
    corrupt: list[str] = field(default_factory=list)
    lost: int = 0
    """States that do not hold all that was acknowledged."""
    unknown: int = 0
    """States that hold what the record never held."""
    opened: set[bytes] = field(default_factory=set)
    """The contents that a Record has opened."""


async def judge(session: Session, found: Iterator[State], folder: Path) -> Verdict:
    """Open every state as a record would be opened after a power loss."""
    verdict = Verdict()
    numbers = {contents: number for number, contents in enumerate(session.contents)}
    for state in found:
        verdict.states += 1
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for name, data in state.files.items():
            (folder / name).write_bytes(data)
        # What is looked at here need not outlast another loss of power.
        database = SqliteDatabase(folder / FILE, synchronous="OFF")
        try:
            await database.start()
            problems = await database.integrity_problems()
            contents = await contents_of(database)
            number = numbers.get(contents)
            if problems:
                verdict.corrupt.append(f"after {state.place} operations: {problems[0]}")
            elif number is None:
                verdict.unknown += 1
            elif number < state.acknowledged:
                verdict.lost += 1
            elif contents not in verdict.opened:
                # The rows are the same in every state of these contents: they are opened as a record once.
                await database.close()
                await _goes_on(folder / FILE)
                verdict.opened.add(contents)
        except Fault as fault:
            verdict.corrupt.append(f"after {state.place} operations: {fault}")
        finally:
            await database.close()
    return verdict


async def _goes_on(path: Path) -> None:
    """Open what is left as a record, and ask something more of it."""
    record = Record(SqliteDatabase(path, synchronous="OFF"), KEYS)
    await record.start()
    try:
        for stream in ("desk/main", "table/main"):
            await record.open(stream)
        welcome = IssueMoney("carl", "PHP", 100, "welcome back")
        assert (await record.submit("desk/main", [welcome], actor="desk", command_id="after-the-loss")).accepted
    finally:
        await record.close()
