"""The whole service on a port of its own, in this process, with somebody of every role: for tests that attack it."""

import asyncio
import io
import json
import os
import socket
import sqlite3
import threading
from collections.abc import Coroutine, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import httpx
import uvicorn

from puntobanco.games import find_game
from puntobanco.ledger import IssueMoney
from puntobanco.server.app import application
from puntobanco.server.clock import SystemClock
from puntobanco.server.configuration import Configuration
from puntobanco.server.floor import FloorTable, usual_settings
from puntobanco.server.house import DESK, House
from puntobanco.server.http_protocol import http_protocol
from puntobanco.server.logs import set_up
from puntobanco.server.persons import Person, Role
from puntobanco.server.run import Opened, uvicorn_config
from puntobanco.server.socket import socket_protocol
from puntobanco.store.places import DATABASE_FILE
from puntobanco.table import Dealing

Result = TypeVar("Result")

VIRTUAL, PIT = "manila", "pit"
"""A table that the server leads, whose betting stays open, and one that a dealer leads."""
PATIENCE = 60.0
MONEY = {"SGD": 1_000_000, "PHP": 1_000_000, "HKD": 1_000_000, "CHIPS": 1_000_000}


class Who(NamedTuple):
    """Somebody with a session."""

    id: str
    name: str
    role: Role
    token: str


class ShiftedClock(SystemClock):
    """The clock of the machine, which a test may put forward."""

    shift = 0

    def now(self) -> int:
        return super().now() + self.shift


class Attacked:
    """A service that runs in a thread. What a test asks of the house itself runs in the loop of the service."""

    def __init__(self, folder: Path, **settings: Any) -> None:
        self.folder, self.clock, self.log = folder, ShiftedClock(), io.StringIO()
        # By its number: otherwise asyncio does not know TCP, and answers wait for acknowledgements.
        self._listening = socket.socket(proto=socket.IPPROTO_TCP)
        self._listening.bind(("127.0.0.1", 0))
        self._listening.listen(512)
        self.port: int = self._listening.getsockname()[1]
        usual = {"first_tables": (VIRTUAL,), "betting_seconds": 3600.0, "log_level": "debug", "rate_limits": False}
        self.configuration = Configuration(**{"data": folder, "port": self.port, **usual, **settings})
        self.origin = f"http://127.0.0.1:{self.port}"
        self.house: House
        self.who: dict[str, Who] = {}
        self._loop = asyncio.new_event_loop()
        self._ready, self._failure = threading.Event(), list[BaseException]()
        self._server: uvicorn.Server
        self._thread = threading.Thread(target=self._live, name="service")
        self._client = httpx.Client(base_url=self.origin, timeout=PATIENCE, trust_env=False)

    def __enter__(self) -> "Attacked":
        self._thread.start()
        self._ready.wait(PATIENCE * 3)
        if self._failure:
            raise self._failure[0]
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()
        self._server.should_exit = True
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive(), "the service did not stop"

    def _live(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._serve())
        except BaseException as error:
            self._failure.append(error)
            self._ready.set()
        finally:
            self._loop.close()

    async def _serve(self) -> None:
        set_up(self.configuration, self.log)
        self.house = house = await House.open(self.configuration, self.clock)
        try:
            await self._furnish()
            opened = Opened(
                application(house),
                house.close,
                socket_protocol=socket_protocol(house),
                http_protocol=http_protocol(house),
            )
            self._server = uvicorn.Server(uvicorn_config(self.configuration, opened))
            self._loop.call_later(0.05, self._ready.set)
            await self._server.serve(sockets=[self._listening])
        finally:
            await house.close()

    async def _furnish(self) -> None:
        house, game = self.house, find_game("manila", self.house.games)
        if PIT not in house.tables:
            wanted = FloorTable(PIT, "The pit", usual_settings(game, dealing=Dealing.DEALER))
            await house.floor.add(wanted)
            await house.take_up(wanted)
        for name, role in (
            ("guest", Role.GUEST),
            ("patron", Role.PATRON),
            ("other-patron", Role.PATRON),
            ("dealer", Role.DEALER),
            ("supervisor", Role.SUPERVISOR),
            ("second-supervisor", Role.SUPERVISOR),
            ("auditor", Role.AUDITOR),
            ("director", Role.DIRECTOR),
        ):
            self.who[name] = await self._come(name, role)

    async def _come(self, name: str, role: Role) -> Who:
        """Without a password, which takes long; those have tests of their own."""
        people, is_staff = self.house.people, role not in (Role.GUEST, Role.PATRON)
        person = Person(f"{'s' if is_staff else 'g'}-{os.urandom(10).hex()}", name.title(), role)
        async with people._beside.writing() as connection:
            await people._add(connection, person)
            token = await people._sessions.begin(connection, person.id)
        if not is_staff:
            money = [IssueMoney(person.id, unit, amount, "welcome") for unit, amount in MONEY.items()]
            await self.house.record.submit(DESK, money, actor=person.id, command_id="welcome-money")
        return Who(person.id, person.name, role, token)

    def come(self, name: str, role: Role) -> Who:
        return self.run(self._come(name, role))

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE * 2)

    # Over HTTP.

    def ask(
        self,
        who: str | Who | None,
        method: str,
        path: str,
        body: object = None,
        *,
        origin: str | None = "ours",
        headers: Mapping[str, str] | None = None,
    ) -> httpx.Response:
        """One request of somebody; bytes as they are, everything else as JSON."""
        said = {} if origin is None else {"origin": self.origin if origin == "ours" else origin}
        if who is not None:
            said["cookie"] = f"pb_session={self.token(who)}"
        if body is not None:
            said["content-type"] = "application/json"
        content = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        answer = self._client.request(method, path, content=content, headers=said | dict(headers or {}))
        # Whoever asks next is somebody else.
        self._client.cookies.clear()
        return answer

    def command(self, who: str | Who | None, table: str, message: object) -> httpx.Response:
        return self.ask(who, "POST", f"/api/tables/{table}/commands", message)

    def token(self, who: str | Who) -> str:
        return (self.who[who] if isinstance(who, str) else who).token

    def raw(self, text: bytes, *, wait: float = PATIENCE) -> bytes:
        """Whatever comes back to these bytes until the service closes, or is silent for so long."""
        with socket.create_connection(("127.0.0.1", self.port), wait) as connection:
            connection.sendall(text)
            found = b""
            try:
                while part := connection.recv(65536):
                    found += part
            except (TimeoutError, ConnectionError):
                pass
            return found

    # Over a socket.

    def socket(self, who: str | Who | None, table: str = VIRTUAL, **options: Any) -> "TableWire":
        return TableWire(self, who, table, **options)

    def turned_away(self, who: str | Who | None, table: str = VIRTUAL, **options: Any) -> tuple[dict[str, Any], int]:
        """Of a socket that is opened only to say why it cannot be: what it says, and the code it closes with."""
        with self.socket(who, table, **options) as wire:
            first, (opcode, payload) = wire.frames(), wire.frames()
            assert (first[0], opcode, len(payload)) == (1, 8, 2)
            assert wire.is_closed()
            said: dict[str, Any] = json.loads(first[1])
            assert (said["type"], said["id"]) == ("refused", None)
            return said, int.from_bytes(payload)

    # What it comes to.

    def money(self) -> Mapping[str, int]:
        """Every account and what is in it."""
        return dict(self._read("SELECT id, balance FROM account"))

    def events(self, stream: str) -> list[str]:
        """The events of a stream, as they are written."""
        return [body for (body,) in self._read("SELECT body FROM event WHERE stream = ? ORDER BY version", stream)]

    def _read(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        database = sqlite3.connect(f"file:{self.folder / DATABASE_FILE}?mode=ro", uri=True)
        try:
            return database.execute(statement, values).fetchall()
        finally:
            database.close()


class NotLetIn(Exception):
    """The upgrade was refused."""

    def __init__(self, status: int, body: bytes, head: str) -> None:
        super().__init__(status, body)
        self.status, self.body, self.head = status, body, head


class TableWire:
    """A socket of a table, down to its frames."""

    def __init__(
        self,
        service: Attacked,
        who: str | Who | None,
        table: str = VIRTUAL,
        *,
        origin: str | None = "ours",
        headers: Mapping[str, str] | None = None,
        receive_buffer: int | None = None,
    ) -> None:
        self._plain = socket.socket()
        if receive_buffer is not None:
            self._plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self._plain.settimeout(PATIENCE)
        self._plain.connect(("127.0.0.1", service.port))
        said = {
            "Host": f"127.0.0.1:{service.port}",
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
        }
        if origin is not None:
            said["Origin"] = service.origin if origin == "ours" else origin
        if who is not None:
            said["Cookie"] = f"pb_session={service.token(who)}"
        said |= dict(headers or {})
        lines = [f"GET /api/tables/{table}/live HTTP/1.1", *[f"{name}: {value}" for name, value in said.items()]]
        self._plain.sendall("\r\n".join([*lines, "", ""]).encode("latin-1"))
        self._rest = b""
        head = self._until(b"\r\n\r\n").decode("latin-1")
        status = int(head.split(" ")[1])
        if status != 101:
            body = b"".join(iter(lambda: self._more(), b""))
            self._plain.close()
            raise NotLetIn(status, self._rest + body, head)

    def _more(self) -> bytes:
        try:
            return self._plain.recv(65536)
        except ConnectionError:
            return b""

    def _until(self, end: bytes) -> bytes:
        while end not in self._rest:
            part = self._more()
            if not part:
                raise ConnectionError("closed before it answered")
            self._rest += part
        found, _, self._rest = self._rest.partition(end)
        return found

    def _exactly(self, size: int) -> bytes:
        while len(self._rest) < size:
            part = self._more()
            if not part:
                raise ConnectionError("closed")
            self._rest += part
        found, self._rest = self._rest[:size], self._rest[size:]
        return found

    def frame(self, opcode: int, payload: bytes, *, fin: bool = True, masked: bool = True, reserved: int = 0) -> None:
        first = (0x80 if fin else 0) | reserved << 4 | opcode
        size = len(payload)
        length = (
            bytes([size]) if size < 126 else b"\x7e" + size.to_bytes(2) if size < 65536 else b"\x7f" + size.to_bytes(8)
        )
        # A mask of zeros changes nothing, and is a mask.
        head = bytes([first, length[0] | (0x80 if masked else 0)]) + length[1:] + (b"\0\0\0\0" if masked else b"")
        self._plain.sendall(head + payload)

    def say(self, message: object) -> None:
        self.frame(1, message if isinstance(message, bytes) else json.dumps(message).encode())

    def frames(self) -> tuple[int, bytes]:
        """The next frame, of whatever kind."""
        first, size = self._exactly(2)
        if size >= 126:
            size = int.from_bytes(self._exactly(2 if size == 126 else 8))
        return first & 0xF, self._exactly(size)

    def hear(self, *kinds: str) -> dict[str, Any]:
        """The next message, or the next of these types."""
        while True:
            opcode, payload = self.frames()
            if opcode == 8:
                raise ConnectionError(f"closed with {int.from_bytes(payload[:2])}")
            if opcode == 1:
                message: dict[str, Any] = json.loads(payload)
                if not kinds or message["type"] in kinds:
                    return message

    def ask(self, message: object) -> dict[str, Any]:
        """Say it, and hear what becomes of it."""
        self.say(message)
        return self.hear("accepted", "refused")

    def is_closed(self, wait: float = PATIENCE) -> bool:
        """Whether the service ends the connection within so many seconds, whatever it says before."""
        self._plain.settimeout(wait)
        try:
            while self._plain.recv(65536):
                pass
        except TimeoutError:
            return False
        except ConnectionError:
            pass
        return True

    def close(self) -> None:
        self._plain.close()

    def __enter__(self) -> "TableWire":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
