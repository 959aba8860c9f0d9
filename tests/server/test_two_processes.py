"""Two real processes on one PostgreSQL: one is killed, or stopped and woken, and nothing is lost or written twice."""

import asyncio
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from signal import SIGCONT, SIGSTOP
from typing import Any

from puntobanco import verify
from puntobanco.cards import Card
from puntobanco.ledger import IssueMoney
from puntobanco.store.audit import audit
from puntobanco.store.dealer import redrawn, unsealed_keys
from puntobanco.store.postgres import PostgresDatabase
from puntobanco.store.record import Record
from puntobanco.store.streams import TableStream
from puntobanco.table import Phase
from server.growing_process import DESK, STALE_TRIES, Told, Work, keep
from store.crashes import processes, start_loaded
from store.databases import new_postgres
from store.examined import Examined, examine
from store.houses import KEYS

TABLE = "table/main"
TAKEOVER_SECONDS = 5.0
PATIENCE_SECONDS = 30.0


class Running:
    """A process that was started here, and what it has told."""

    def __init__(self, work: Work) -> None:
        start_loaded()
        self.pipe, theirs = processes.Pipe()
        self.process = processes.Process(target=keep, args=(work, theirs))
        self.process.start()
        theirs.close()
        self.told: list[Told] = []
        self._read = 0
        # Always, because a process whose pipe is full hangs.
        self._hearing = threading.Thread(target=self._hear, daemon=True)
        self._hearing.start()

    def _hear(self) -> None:
        with suppress(EOFError, OSError):
            while True:
                self.told.append(self.pipe.recv())

    def until(self, wanted: Callable[[Told], bool]) -> Told:
        """The next message of that kind, from the last on that was asked for."""
        end = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < end:
            while self._read < len(self.told):
                told = self.told[self._read]
                self._read += 1
                assert told.kind != "broken", told.what
                if wanted(told):
                    return told
            time.sleep(0.002)
        raise AssertionError(f"nothing of the kind was told; the last was {self.told[-1:]}")

    def until_kind(self, kind: str) -> Told:
        return self.until(lambda told: told.kind == kind)

    def has_told(self, kind: str) -> None:
        """Wait until something of the kind was told, before now or after."""
        self._read = 0
        self.until_kind(kind)

    def skip(self) -> None:
        """What was told until now is of no interest."""
        self._read = len(self.told)

    def kill(self) -> None:
        self.process.kill()
        self.process.join()
        self._hearing.join()
        assert self.of_kind("broken") == []

    def signal(self, number: int) -> None:
        assert self.process.pid
        os.kill(self.process.pid, number)

    def of_kind(self, kind: str) -> list[Any]:
        return [told.what for told in self.told if told.kind == kind]


@contextmanager
def running(*works: Work) -> Iterator[list[Running]]:
    """The processes one after the other, each started before the next; killed at the end."""
    started = list[Running]()
    try:
        for work in works:
            started.append(Running(work))
            started[-1].until_kind("ready" if work.issues else "started")
        yield started
    finally:
        for each in started:
            each.kill()


async def with_money(url: str) -> None:
    record = Record(PostgresDatabase(url), KEYS)
    await record.start()
    await record.open(DESK)
    for patron in ("anna", "bob"):
        command = IssueMoney(patron, "PHP", 10**9, "welcome")
        await record.submit(DESK, [command], actor="house", command_id=f"welcome-{patron}")
    await record.close()


async def examined(url: str) -> Examined:
    database = PostgresDatabase(url)
    await database.start()
    try:
        assert (await audit(database, KEYS)).problems == []
        found = await examine(database)
        assert found.problems == []
        return found
    finally:
        await database.close()


async def cards_to_come(url: str) -> tuple[int, list[Card]]:
    """The round that is being dealt, and its first six cards by its key, whether they are drawn already or not."""
    record = Record(PostgresDatabase(url), KEYS)
    await record.start()
    try:
        stream = await record.open(TABLE)
        assert isinstance(stream, TableStream)
        keys = await unsealed_keys(record.database, KEYS, TABLE, stream.shoe)
        drawing, drawn = redrawn(stream.shoe, keys), stream.shoe.rounds[-1].drawn
        return len(stream.shoe.rounds) - 1, [*drawn, *[drawing.draw() for _ in range(6 - len(drawn))]]
    finally:
        await record.close()


async def check_the_round(url: str, place: int, cards: list[Card]) -> None:
    record = Record(PostgresDatabase(url), KEYS)
    await record.start()
    try:
        stream = await record.open(TABLE)
        assert isinstance(stream, TableStream)
        dealt = stream.shoe.rounds[place].drawn
        assert len(dealt) >= 4
        assert list(dealt) == cards[: len(dealt)]
        verify.verify(stream.shoe.transcript().text().encode())
    finally:
        await record.close()


def is_mid_round(told: Told) -> bool:
    if told.kind != "stands":
        return False
    phase, drawn, number = told.what
    return phase is Phase.DEALING and drawn in (2, 3) and number >= 2


def check_answers(found: Examined, *all_of: Running) -> int:
    """Whatever was acknowledged is in the record with the same answer, once."""
    count = 0
    for each in all_of:
        for answer, actor, command_id in each.of_kind("answered"):
            if command_id:
                count += 1
                row = found.commands[actor, command_id]
                assert (row.version, row.answer) == answer
        for answer, actor, command_id, _ in each.of_kind("sent"):
            count += 1
            row = found.commands[actor, command_id]
            assert (row.version, row.answer) == (answer["version"], answer["text"])
    assert found.doubled() == []
    return count


def until_a_round_later(process: Running) -> None:
    first = process.until_kind("stands").what[2]
    process.until(lambda told: told.kind == "stands" and told.what[2] >= first + 2)


def test_an_owner_is_killed_in_the_middle_of_a_round_and_another_process_goes_on(tmp_path: Path) -> None:
    url = new_postgres()
    asyncio.run(with_money(url))
    with running(Work("first", url, ("main",)), Work("second", url, sends="main")) as (first, second):
        second.until_kind("sent")
        first.skip()
        first.until(is_mid_round)
        first.kill()
        killed = time.monotonic()
        place, cards = asyncio.run(cards_to_come(url))
        gained = second.until_kind("gained")
        second.until_kind("answered")
        assert time.monotonic() - killed < TAKEOVER_SECONDS
        # Everything that was acknowledged was read.
        known = [answer.version for answer, *_ in first.of_kind("answered") if answer.version]
        assert gained.what >= max(known)
        until_a_round_later(second)
        second.kill()
        asyncio.run(check_the_round(url, place, cards))
        found = asyncio.run(examined(url))
        assert check_answers(found, first, second) > 10
        # The patron of the second wagered at the first by letters, and then at home, and was always answered.
        at_home = [is_at_home for *_, is_at_home in second.of_kind("sent")]
        assert at_home[0] is False
        assert at_home[-1] is True
        assert second.of_kind("problem") == []


def test_an_owner_that_is_stopped_and_wakes_after_the_takeover_writes_nothing(tmp_path: Path) -> None:
    url = new_postgres()
    asyncio.run(with_money(url))
    # As fast as it can, so that it is stopped inside a transaction.
    with running(Work("first", url, ("main",), pace=0), Work("second", url)) as (first, second):
        first.until(is_mid_round)
        first.signal(SIGSTOP)
        stopped = time.monotonic()
        try:
            gained = second.until_kind("gained")
            second.until_kind("answered")
            assert time.monotonic() - stopped < TAKEOVER_SECONDS
            until_a_round_later(second)
        finally:
            first.signal(SIGCONT)
        first.until_kind("insisted")
        assert len(first.of_kind("fenced")) == STALE_TRIES
        assert first.of_kind("failed") == []
        first.has_told("lost")
        second.skip()
        until_a_round_later(second)
        second.kill()
        first.kill()
        found = asyncio.run(examined(url))
        check_answers(found, first, second)
        # Each event after the takeover came from a command that the second process was acknowledged, but for those of
        # its last group: none is of the first.
        told = {answer.version for answer, *_ in second.of_kind("answered")}
        after = [row for row in found.events[TABLE] if row.version > gained.what]
        assert [row for row in after if row.command.startswith("first")] == []
        answers = {(row.actor, row.id): row.version for row in found.commands.values()}
        unknown = {answers[row.actor, row.command] for row in after} - told
        assert len(unknown) <= 1
        assert all(version is not None and version > max(told) for version in unknown)


def test_two_processes_write_to_the_desk_as_fast_as_they_can() -> None:
    url, times = new_postgres(), 200
    asyncio.run(with_money(url))
    with running(Work("first", url, issues=times), Work("second", url, issues=times)) as both:
        for each in both:
            each.pipe.send("go")
        for each in both:
            while len(each.of_kind("answered")) < times:
                each.until_kind("answered")
            assert all(answer.accepted for answer in each.of_kind("answered"))
    found = asyncio.run(examined(url))
    assert found.balances["patron/PHP/anna"] == 10**9 + 2 * times
    assert found.balances["issue/PHP"] == -2 * 10**9 - 2 * times
    # They took turns, neither waited until the other was done.
    writers = [row.command.split("-")[0] for row in found.events[DESK]]
    assert sum(one != other for one, other in pairwise(writers)) > 20
