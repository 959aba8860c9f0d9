"""Leases, letters and the doorbell between several who share one PostgreSQL, here in one loop."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import asyncpg
import pytest

from puntobanco.ledger import IssueMoney
from puntobanco.server.doorbell import CHANNEL, Doorbell
from puntobanco.server.leases import Ownership, shares, stream_of
from puntobanco.server.link import ended, is_set
from puntobanco.server.post import Post
from puntobanco.server.problems import Problem
from puntobanco.store.database import Fenced, StorageFault
from puntobanco.store.postgres import PostgresDatabase
from puntobanco.store.record import NO_TOKEN, Record
from puntobanco.store.rows import EventRow
from store.databases import new_postgres
from store.houses import KEYS

DESK = "desk/main"


@pytest.fixture
def url() -> str:
    return new_postgres()


class Member:
    """One process of the house, as far as it concerns the others."""

    def __init__(self, url: str) -> None:
        self.record = Record(PostgresDatabase(url), KEYS)
        assert isinstance(self.record.database, PostgresDatabase)
        self.seen: dict[str, list[int]] = {}
        self.done: list[tuple[str, Any]] = []
        self.told: list[tuple[str, str]] = []
        self.restless: set[str] = set()
        self.fails = False
        self.carries_out: Callable[[], None] = lambda: None
        self.doorbell = Doorbell(url, self.record.database, self.read)
        self.ownership = Ownership(
            url,
            self.record.database,
            self.record.leases,
            self.doorbell,
            on_gained=self.gained,
            on_lost=self.lost,
            is_calm=lambda table: table not in self.restless,
        )
        self.post = Post(url, self.ownership, self.doorbell, self.carry_out)

    async def start(self) -> None:
        await self.record.start()
        await self.record.open(DESK, shared=True)
        self.record.listener = lambda written, _: self.doorbell.ring(*{each.stream for each in written})
        await self.doorbell.start()
        await self.ownership.start()
        await self.post.start()

    async def stop(self) -> None:
        await self.ownership.stop()
        await self.post.close()
        await self.doorbell.close()
        await self.record.close()

    async def gained(self, table: str) -> None:
        self.told.append(("gained", table))
        self.fail_once()

    async def lost(self, table: str) -> None:
        self.told.append(("lost", table))
        self.fail_once()

    def fail_once(self) -> None:
        fails, self.fails = self.fails, False
        if fails:
            raise StorageFault("the database is away")

    async def read(self, stream: str, rows: list[EventRow]) -> None:
        self.seen.setdefault(stream, []).extend([row.version for row in rows])

    async def carry_out(self, table: str, body: dict[str, Any]) -> dict[str, Any]:
        self.carries_out()
        self.done.append((table, body["number"]))
        await asyncio.sleep(0.001)
        return {"by": self.ownership.process, "number": body["number"]}

    async def issue(self, count: int = 1) -> None:
        for _ in range(count):
            command_id = f"issue-{id(self)}-{self.record.version(DESK)}"
            command = IssueMoney("anna", "PHP", 1, "a coin")
            await self.record.submit(DESK, [command], actor="desk", command_id=command_id)


@asynccontextmanager
async def members(url: str, count: int) -> AsyncIterator[list[Member]]:
    started = list[Member]()
    try:
        for _ in range(count):
            member = Member(url)
            await member.start()
            started.append(member)
        yield started
    finally:
        for member in started:
            await member.stop()


async def until(holds: Callable[[], bool], seconds: float = 30.0) -> None:
    async with asyncio.timeout(seconds):
        while not holds():
            await asyncio.sleep(0.01)


async def owner_and_other(first: Member, second: Member) -> tuple[Member, Member]:
    """Both know of a table, which one of them leads."""
    await first.ownership.add("main")
    await until(lambda: None not in [each.ownership.owner_of("main") for each in (first, second)])
    return (first, second) if first.ownership.owns("main") else (second, first)


async def run(url: str, statement: str, *values: object) -> list[Any]:
    connection = await asyncpg.connect(url)
    try:
        return await connection.fetch(statement, *values)
    finally:
        await connection.close()


def test_a_wait_that_is_over_in_the_moment_of_its_end_is_ended_all_the_same() -> None:
    """`asyncio.wait_for` of Python 3.11 would forget that it was cancelled, and whoever waits for the end waits on."""

    async def work() -> None:
        event, rounds = asyncio.Event(), 0

        async def keep_waiting() -> None:
            nonlocal rounds
            while True:
                await is_set(event, 5)
                event.clear()
                rounds += 1

        task = asyncio.create_task(keep_waiting())
        await asyncio.sleep(0.01)
        event.set()
        # What waits is told now, and its task goes on in the next step: between the two it is cancelled.
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task], timeout=1)
        assert task.cancelled()
        assert await is_set(event, 0.01) is False
        await ended(task)
        await ended(None)

    asyncio.run(work())


def test_shares_are_even_and_move_as_little_as_can_be() -> None:
    assert shares({"a": 0}, 6) == {"a": 6}
    assert shares({"a": 6, "b": 0}, 6) == {"a": 3, "b": 3}
    assert shares({"a": 0, "b": 1}, 1) == {"a": 0, "b": 1}
    assert shares({"a": 2, "b": 3, "c": 0}, 7) == {"a": 2, "b": 3, "c": 2}
    assert shares({"a": 1, "b": 1, "c": 1}, 0) == {"a": 0, "b": 0, "c": 0}
    for tables in range(12):
        found = shares({"a": 4, "b": 0, "c": 2, "d": 0}, tables)
        assert sum(found.values()) == tables
        assert max(found.values()) - min(found.values()) <= 1


def test_tables_are_spread_when_a_process_comes_and_taken_back_when_it_leaves(url: str) -> None:
    async def work() -> None:
        tables = [f"t{number}" for number in range(5)]
        async with members(url, 1) as (first,):
            await first.ownership.add(*tables)
            await until(lambda: all(map(first.ownership.owns, tables)))
            # In the middle of a round it stays, whoever comes.
            first.restless.update(tables)
            second = Member(url)
            await second.start()
            await asyncio.sleep(0.7)
            assert second.ownership.tables == []
            assert first.ownership.is_surplus("t0")
            first.restless -= {"t1", "t3"}
            await until(lambda: second.ownership.owns("t1") and second.ownership.owns("t3"))
            assert first.ownership.tables == ["t0", "t2", "t4"]
            # Each is led by one, and each knows who; the token is the owner's alone.
            await until(lambda: first.ownership.owner_of("t1") == second.ownership.process)
            assert second.ownership.owner_of("t0") == first.ownership.process
            rows = await run(url, "SELECT stream, owner, token FROM lease")
            for stream, owner, token in rows:
                for member in (first, second):
                    is_owner = member.ownership.process == owner
                    assert member.record.leases[stream] == (token if is_owner else NO_TOKEN)
            assert first.told[-2:] == [("lost", "t1"), ("lost", "t3")]
            first.restless.clear()
            await asyncio.sleep(0.6)
            assert first.ownership.tables == ["t0", "t2", "t4"]
            started = asyncio.get_running_loop().time()
            await second.stop()
            await until(lambda: all(map(first.ownership.owns, tables)))
            assert asyncio.get_running_loop().time() - started < 2
            assert second.told[-2:] == [("lost", "t1"), ("lost", "t3")]
            assert [row[0] for row in await run(url, "SELECT id FROM process")] == [first.ownership.process]
        assert {row[0] for row in await run(url, "SELECT owner FROM lease")} == {""}

    asyncio.run(work())


def test_a_table_that_cannot_be_taken_up_or_left_at_once_is_tried_again(url: str) -> None:
    async def work() -> None:
        async with members(url, 1) as (member,):
            asyncio.get_running_loop().set_exception_handler(lambda _, what: None)
            member.fails = True
            await member.ownership.add("t0")
            await until(lambda: member.ownership.owns("t0"))
            assert member.told == [("gained", "t0"), ("gained", "t0")]
            member.fails = True
            # Somebody else has it, whom nobody knows: it is lost, and then taken back.
            await run(url, "UPDATE lease SET owner = 'another', token = token + 1")
            await until(lambda: member.told[-1][0] == "gained" and len(member.told) > 2 and member.ownership.owns("t0"))
            # Told again, unless it is ours again before that.
            assert member.told[2:] in (
                [("lost", "t0"), ("gained", "t0")],
                [("lost", "t0"), ("lost", "t0"), ("gained", "t0")],
            )

    asyncio.run(work())


def test_a_lost_connection_alone_costs_nobody_a_table(url: str) -> None:
    async def work() -> None:
        async with members(url, 2) as (first, second):
            await first.ownership.add("a", "b")
            await until(
                lambda: first.ownership.owner_of("b") is not None and second.ownership.owner_of("a") is not None
            )
            await until(lambda: len(first.ownership.tables) == len(second.ownership.tables) == 1)
            before = await run(url, "SELECT stream, owner, token FROM lease ORDER BY stream")
            await run(
                url,
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE application_name = 'puntobanco' AND datname = current_database()",
            )
            await asyncio.sleep(1.5)
            assert await run(url, "SELECT stream, owner, token FROM lease ORDER BY stream") == before
            # And each holds its lock again.
            assert await run(url, "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted") == [(2,)]

    asyncio.run(work())


def test_letters_are_answered_once_and_go_to_whoever_leads_the_table(url: str) -> None:
    async def work() -> None:
        async with members(url, 2) as both:
            owner, other = await owner_and_other(*both)
            answers = await asyncio.gather(
                *[other.post.command("main", {"number": number}, 5) for number in range(300)]
            )
            assert [answer["number"] for answer in answers] == [*range(300)]
            assert {answer["by"] for answer in answers} == {owner.ownership.process}
            assert sorted(owner.done) == [("main", number) for number in range(300)]
            assert other.done == []
            # In the order in which they were sent.
            assert owner.done == sorted(owner.done)
            assert await run(url, "SELECT count(*) FROM letter") == [(0,)]
            # Who leads the table asks nobody; and one process can be asked by its name.
            assert (await owner.post.command("main", {"number": 1000}, 5))["by"] == owner.ownership.process
            said = await owner.post.ask(other.ownership.process, {"number": 1001}, 5)
            assert said["by"] == other.ownership.process

    asyncio.run(work())


def test_a_problem_comes_back_as_it_was_raised(url: str) -> None:
    async def work() -> None:
        async with members(url, 2) as both:
            first, second = await owner_and_other(*both)

            def refuse() -> None:
                raise Problem(409, "late-wager", "“No more bets” has been called.", "5.6", 1_700_000_000_000)

            first.carries_out = refuse
            with pytest.raises(Problem) as raised:
                await second.post.command("main", {"number": 1}, 5)
            problem = raised.value
            assert (problem.status, problem.reason, problem.clause) == (409, "late-wager", "5.6")
            assert problem.message == "“No more bets” has been called."
            assert problem.closed_at == 1_700_000_000_000

            def fail() -> None:
                raise RuntimeError("a secret")

            first.carries_out = fail
            with pytest.raises(Problem) as raised:
                await second.post.command("main", {"number": 2}, 5)
            assert "secret" not in raised.value.message

    asyncio.run(work())


def test_a_letter_to_who_leads_no_more_is_sent_again_to_who_does(url: str) -> None:
    async def work() -> None:
        async with members(url, 2) as both:
            first, second = await owner_and_other(*both)
            asked = 0

            def is_fenced() -> None:
                # The first finds out only when it writes; by then the table is somebody else's.
                nonlocal asked
                asked += 1
                first.ownership.hand_over("main")
                raise Fenced([stream_of("main")])

            first.carries_out = is_fenced
            first.restless.add("main")
            answering = asyncio.create_task(second.post.command("main", {"number": 7}, 8))
            await until(lambda: asked > 0)
            first.carries_out = lambda: None
            answer = await answering
            # Whoever leads it now, it was done once.
            assert answer["number"] == 7
            assert first.done + second.done == [("main", 7)]
            assert first.told[:2] == [("gained", "main"), ("lost", "main")]

    asyncio.run(work())


def test_nobody_answers_in_time(url: str) -> None:
    async def work() -> None:
        async with members(url, 1) as (first,):
            for asking in (
                first.post.command("nowhere", {"number": 1}, 0.2),
                first.post.ask("gone", {"number": 1}, 0.2),
            ):
                with pytest.raises(Problem) as raised:
                    await asking
                assert (raised.value.status, raised.value.reason) == (503, "ask-again")
            # What nobody waits for is taken back.
            await asyncio.sleep(0.1)
            assert await run(url, "SELECT count(*) FROM letter") == [(0,)]

    asyncio.run(work())


def test_old_letters_are_cleared_away(url: str) -> None:
    async def work() -> None:
        async with members(url, 1):
            await run(url, "INSERT INTO letter (receiver, sender, body, sent) VALUES ('gone', 'gone', '{}', 1)")
        async with members(url, 1):
            assert await run(url, "SELECT count(*) FROM letter") == [(0,)]

    asyncio.run(work())


def test_the_doorbell_misses_nothing_when_its_connections_are_lost(url: str) -> None:
    async def work() -> None:
        async with members(url, 2) as (first, second):
            await first.issue()
            second.doorbell.watch(DESK, after=0)
            for number in range(12):
                if number % 3 == 1:
                    await run(
                        url,
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                        "WHERE application_name = 'puntobanco' AND datname = current_database()",
                    )
                await first.issue(5)
            await until(lambda: len(second.seen.get(DESK, [])) >= 61)
            await asyncio.sleep(0.2)
            assert second.seen == {DESK: [*range(1, 62)]}
            # From where it was asked to, and no more once nobody watches.
            second.doorbell.unwatch(DESK)
            await first.issue(3)
            await asyncio.sleep(0.1)
            assert second.seen == {DESK: [*range(1, 62)]}
            second.doorbell.watch(DESK, after=62)
            await until(lambda: second.seen[DESK][-1] == 64)
            assert second.seen[DESK][-2:] == [63, 64]

    asyncio.run(work())


def test_a_ring_is_a_number_and_comes_once_a_commit_at_most(url: str) -> None:
    async def work() -> None:
        async with members(url, 1) as (first,):
            rung = list[object]()
            connection = await asyncpg.connect(url)
            await connection.add_listener(CHANNEL, lambda *said: rung.append(said[3]))
            number = await run(url, "INSERT INTO bell (name) VALUES ($1) RETURNING number", DESK)
            commands = [IssueMoney("anna", "PHP", 1, "a coin")]
            await asyncio.gather(
                *[
                    first.record.submit(DESK, commands, actor="desk", command_id=f"at-once-{place:04}")
                    for place in range(100)
                ]
            )
            await until(lambda: str(number[0][0]) in rung)
            await asyncio.sleep(0.1)
            assert all(isinstance(said, str) and said.isdigit() for said in rung)
            assert rung.count(str(number[0][0])) <= 2
            # What others shout there is nothing to us.
            for shout in ("", "-1", "1.0", "'; DROP TABLE event", "9" * 40, "٣", "987654321"):
                await connection.execute("SELECT pg_notify($1, $2)", CHANNEL, shout)
            await first.issue()
            await until(lambda: rung.count(str(number[0][0])) >= 2)
            await connection.close()

    asyncio.run(work())
