"""Every call to the disk fails once, or from then on: nothing false is acknowledged, and the record goes on rightly."""

import asyncio
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import apsw
import pytest

from puntobanco.store.record import Answer
from puntobanco.store.sqlite import SqliteConnection, SqliteDatabase
from store.examined import examine
from store.power_losses import FILE, contents_of, empty_record
from store.retrying import AFTERWARDS, Client
from store.simulated_disk import Kind, SimulatedDisk, never_fails

MakeError = Callable[[], Exception]


@dataclass
class Machine:
    """A file on a simulated disk, and the way to it."""

    folder: Path
    disk: SimulatedDisk = field(default_factory=SimulatedDisk)

    def database(self) -> SqliteDatabase:
        return SqliteDatabase(self.folder / FILE, self.connect)

    def connect(self, path: Path) -> SqliteConnection:
        connection = self.disk.connect(path)
        # So few that the log is brought over within the round, too.
        connection.execute("PRAGMA wal_autocheckpoint = 30")
        return connection

    def repair(self) -> None:
        self.disk.fails = never_fails

    def fresh(self) -> None:
        """An empty record, with nothing left of the one before."""
        self.repair()
        for left in self.folder.glob(f"{FILE}*"):
            left.unlink()
        shutil.copyfile(self.folder / "empty.sqlite", self.folder / FILE)


class Failing:
    """The n-th call fails, or every call from the n-th on while it `lasts`."""

    def __init__(self, number: int, make: MakeError, lasts: bool = False) -> None:
        self.number, self.make, self.lasts = number, make, lasts
        self.calls = 0

    def __call__(self, kind: Kind, file: str) -> Exception | None:
        self.calls += 1
        is_due = self.calls >= self.number if self.lasts else self.calls == self.number
        return self.make() if is_due else None


async def reference(folder: Path) -> tuple[list[Answer], bytes, int]:
    """The answers, the rows and the number of calls of a round in which nothing fails."""
    await empty_record(folder / "empty.sqlite")
    machine, calls = Machine(folder), Failing(0, RuntimeError)
    machine.fresh()
    machine.disk.fails = calls
    client = Client(machine.database, restarts=True)
    await client.play(most_faults=0)
    return client.answers, await after(folder / FILE), calls.calls


async def after(path: Path) -> bytes:
    """The rows of a record that is closed, which must be whole."""
    database = SqliteDatabase(path, synchronous="OFF")
    await database.start()
    try:
        found = await examine(database)
        assert found.problems == []
        assert found.balances == AFTERWARDS
        return await contents_of(database)
    finally:
        await database.close()


ERRORS: dict[str, MakeError] = {
    "io-error": lambda: apsw.IOError("the disk fails"),
    "full": lambda: apsw.FullError("the disk is full"),
}


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("restarts", [True, False], ids=["restarted", "opened again"])
def test_every_call_to_the_disk_fails_once(error: str, restarts: bool, tmp_path: Path) -> None:
    async def work() -> None:
        answers, rows, calls = await reference(tmp_path)
        assert calls > 200
        machine, felt = Machine(tmp_path), 0
        for number in range(1, calls + 1):
            machine.fresh()
            client = Client(machine.database, restarts)
            machine.disk.fails = Failing(number, ERRORS[error])
            await client.play()
            machine.repair()
            assert client.answers == answers, f"call {number}"
            assert await after(tmp_path / FILE) == rows, f"call {number}"
            felt += client.faults > 0
        # Some calls may fail and harm nobody, such as those that bring the log over after a commit.
        assert felt > calls / 2

    asyncio.run(work())


# Where an open fails, APSW tells of the same error once more when it lets go of the connection that never was.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("restarts", [True, False], ids=["restarted", "opened again"])
def test_a_disk_fails_from_some_call_on_until_it_is_repaired(restarts: bool, tmp_path: Path) -> None:
    async def work() -> None:
        answers, rows, calls = await reference(tmp_path)
        machine = Machine(tmp_path)
        for number in range(1, calls + 1, 3):
            machine.fresh()
            client = Client(machine.database, restarts, machine.repair, repaired_after=3)
            machine.disk.fails = Failing(number, ERRORS["full"], lasts=True)
            await client.play()
            machine.repair()
            assert client.answers == answers, f"from call {number} on"
            assert await after(tmp_path / FILE) == rows, f"from call {number} on"

    asyncio.run(work())
