"""Connections to PostgreSQL are cut at every message: nothing false is acknowledged, and the record goes on."""

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit, urlunsplit

import asyncpg
import pytest

from puntobanco.store.database import StorageFault
from puntobanco.store.postgres import PostgresDatabase
from puntobanco.store.record import Answer
from puntobanco.table import Phase
from store.databases import Place
from store.examined import examine
from store.houses import house
from store.power_losses import contents_of
from store.retrying import AFTERWARDS, Client

SOCKET = ".s.PGSQL.5432"


@dataclass
class Relay:
    """Passes on what a client and the server say, until the n-th message of the client; then it hangs up, once."""

    url: str
    folder: Path
    """Where it listens."""
    cut_at: int = 0
    is_answered: bool = False
    """Whether the server still gets the message that is cut at, and answers into the void."""
    messages: int = 0
    commits_cut: int = 0

    @property
    def relayed_url(self) -> str:
        parts = urlsplit(self.url)
        return urlunsplit(parts._replace(netloc="postgres:@", query=urlencode({"host": str(self.folder)})))

    async def _to_server(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        parts = urlsplit(self.url)
        folder = parse_qs(parts.query).get("host")
        if folder:
            return await asyncio.open_unix_connection(f"{folder[0]}/{SOCKET}")
        return await asyncio.open_connection(parts.hostname, parts.port or 5432)

    @asynccontextmanager
    async def listening(self) -> AsyncIterator["Relay"]:
        server = await asyncio.start_unix_server(self._serve, self.folder / SOCKET)
        try:
            yield self
        finally:
            server.close()
            await server.wait_closed()

    async def _serve(self, client_reads: asyncio.StreamReader, client_writes: asyncio.StreamWriter) -> None:
        server_reads, server_writes = await self._to_server()
        try:
            back = asyncio.create_task(self._pass_back(server_reads, client_writes))
            while said := await client_reads.read(1 << 20):
                self.messages += 1
                if self.messages == self.cut_at:
                    self.commits_cut += b"COMMIT" in said
                    back.cancel()
                    with suppress(asyncio.CancelledError):
                        await back
                    if self.is_answered:
                        server_writes.write(said)
                        await server_reads.read(1 << 20)
                    break
                server_writes.write(said)
                await server_writes.drain()
            back.cancel()
        except ConnectionError:
            pass
        finally:
            server_writes.close()
            client_writes.close()

    async def _pass_back(self, server_reads: asyncio.StreamReader, client_writes: asyncio.StreamWriter) -> None:
        while said := await server_reads.read(1 << 20):
            client_writes.write(said)
            await client_writes.drain()
        client_writes.close()


class Observer:
    """Looks at the record on a connection of its own, which nobody cuts."""

    def __init__(self, url: str) -> None:
        self.url, self.database = url, PostgresDatabase(url)

    @asynccontextmanager
    async def started(self) -> AsyncIterator["Observer"]:
        await self.database.start()
        self.connection = await asyncpg.connect(self.url)
        try:
            yield self
        finally:
            await self.connection.close()
            await self.database.close()

    async def empty(self) -> None:
        """Begin anew; waits until nobody writes to the record before."""
        tables = "event, entry, account, command, head, shoe_keys, landmark"
        await self.connection.execute(f"TRUNCATE {tables} RESTART IDENTITY")

    async def rows(self) -> bytes:
        """The rows of a record that must be whole."""
        found = await examine(self.database)
        assert found.problems == []
        assert found.balances == AFTERWARDS
        return await contents_of(self.database)


async def played(relay: Relay, observer: Observer, restarts: bool) -> Client:
    """A round through the relay, on an empty record."""
    await observer.empty()
    async with relay.listening():
        client = Client(lambda: PostgresDatabase(relay.relayed_url), restarts)
        await client.play()
    return client


async def reference(observer: Observer, folder: Path) -> tuple[list[Answer], bytes, int]:
    """The answers, the rows and the number of messages of a round in which nothing is cut."""
    relay = Relay(observer.url, folder)
    client = await played(relay, observer, restarts=True)
    assert client.faults == 0
    return client.answers, await observer.rows(), relay.messages


@pytest.mark.parametrize("restarts", [True, False], ids=["restarted", "opened again"])
@pytest.mark.parametrize("is_answered", [False, True], ids=["unheard", "carried out"])
def test_the_connection_is_cut_at_every_message(is_answered: bool, restarts: bool, tmp_path: Path) -> None:
    async def work() -> None:
        # The name of a socket may not be long.
        with tempfile.TemporaryDirectory() as folder:
            async with Observer(place.url).started() as observer:
                answers, rows, messages = await reference(observer, Path(folder))
                cut = commits = felt = 0
                # What a new process does is the same for all: every second message is enough there.
                for number in range(1, messages + 1, 2 if restarts else 1):
                    relay = Relay(place.url, Path(folder), number, is_answered)
                    client = await played(relay, observer, restarts)
                    assert client.answers == answers, f"message {number}"
                    assert await observer.rows() == rows, f"message {number}"
                    felt += client.faults > 0
                    cut, commits = cut + 1, commits + relay.commits_cut
                assert felt > cut * 2 / 3
                assert commits == len(answers) if not restarts else commits > 0

    place = Place("postgres", tmp_path)
    asyncio.run(work())


@pytest.mark.parametrize("step", ["begin", "balances", "write", "commit"])
@pytest.mark.parametrize("moment", ["before", "after"])
def test_the_server_ends_the_connections_around_every_step(step: str, moment: str, tmp_path: Path) -> None:
    async def work() -> None:
        database = place.database()
        async with house(database) as at:
            await at.until(Phase.BETTING)
            version, works = at.record.version("table/main"), getattr(database, step)

            async def ended(*given: object) -> object:
                setattr(database, step, works)
                if moment == "before":
                    await end_all(place.url)
                    return await works(*given)
                done = await works(*given)
                await end_all(place.url)
                return done

            setattr(database, step, ended)
            # Before it has begun, and after it is durable, the end of a connection harms nobody.
            if (moment, step) not in [("before", "begin"), ("after", "commit")]:
                with pytest.raises(StorageFault):
                    await at.bet("anna", "player", 2000, id="during-the-end")
                await at.record.open("table/main")
            answer = await at.bet("anna", "player", 2000, id="during-the-end")
            assert answer.version == version + 1
            assert at.record.version("table/main") == version + 1
            found = await examine(database)
            assert found.problems == []
            assert found.balances["patron/PHP/anna"] == 998_000

    place = Place("postgres", tmp_path)
    asyncio.run(work())


def test_a_server_that_was_restarted_between_two_wagers_stops_nothing(tmp_path: Path) -> None:
    async def work() -> None:
        async with house(place.database()) as at:
            await at.until(Phase.BETTING)
            for _ in range(3):
                await end_all(place.url)
                assert (await at.step()).accepted
                await end_all(place.url)
                await at.record.open("table/main")
            assert (await examine(at.record.database)).problems == []

    place = Place("postgres", tmp_path)
    asyncio.run(work())


async def end_all(url: str) -> None:
    """End all other connections to the database, as an administrator or a restart of the server does."""
    connection = await asyncpg.connect(url)
    await connection.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    await connection.close()
    # The client notices as soon as it listens to its sockets again.
    for _ in range(20):
        await asyncio.sleep(0.001)


def test_a_snapshot_whose_connection_is_lost_ends_in_a_fault(tmp_path: Path) -> None:
    """On another connection the rest would be of another moment, and an export would not fit together."""
    place = Place("postgres", tmp_path)

    async def read_twice(database: PostgresDatabase, observer: Observer) -> None:
        async with database.snapshot():
            await database.heads()
            assert database._reader is not None
            backend = database._reader.get_server_pid()
            await observer.connection.execute("SELECT pg_terminate_backend($1, 5000)", backend)
            with suppress(StorageFault):
                await database.heads()  # The driver notices here at the latest.
            await database.heads()

    async def work() -> None:
        async with house(place.database()), Observer(place.url).started() as observer:
            database = PostgresDatabase(place.url)
            await database.start()
            try:
                with pytest.raises(StorageFault):
                    await read_twice(database, observer)
                assert await database.heads()  # Outside it, a lost connection is replaced.
            finally:
                await database.close()

    asyncio.run(work())
