"""The sockets, on the port of the HTTP service: of a table, `/api/tables/TABLE/live?after=VERSION`, and of all tables
at once, `/api/live`.

uvicorn hands over a connection that asks for an upgrade; picows speaks the rest of it. Where the page comes from and
who has it open is asked before the upgrade, what they may do again with every message.
"""

import asyncio
import re
from base64 import b64encode
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from hashlib import sha1
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import parse_qs

from puntobanco.extras import optional_package
from puntobanco.server import wire
from puntobanco.server.addresses import client_address
from puntobanco.server.cookies import token_in
from puntobanco.server.guards import PATH_LIMIT, check_origin, raw_answer
from puntobanco.server.house import accepted, refused
from puntobanco.server.live_table import LiveTable
from puntobanco.server.logs import log, log_problem
from puntobanco.server.metrics import Dropped
from puntobanco.server.persons import Person, Signed
from puntobanco.server.problems import Problem, malformed, not_signed_in, nothing_there, problem_of
from puntobanco.server.wire import FRAME_LIMIT, closing_frame, encoded, framed
from puntobanco.store.database import Fenced

with optional_package("picows", "Sockets are served"):
    from picows import WSAutoPingStrategy, WSCloseCode, WSFrame, WSListener, WSMsgType, WSTransport, WSUpgradeRequest
    from picows.picows import WSProtocol  # type: ignore[attr-defined]

with optional_package("msgspec", "Messages are read"):
    import msgspec

if TYPE_CHECKING:
    from puntobanco.server.house import House
    from puntobanco.store.record import Answer

ADDRESS = re.compile(r"/api/tables/([a-z0-9][a-z0-9-]{0,39})/live(?:\?(.*))?")
LOBBY = "/api/live"
UNREAD_BYTES = 256 * 1024
"""Who leaves so much unread is dropped, and may come back for what they missed."""
ASK_AGAIN_MILLISECONDS = 2_000
"""For so long it is believed that a session lasts."""
IDLE_SECONDS = 30
"""After so long without a word, it is asked whether anybody is there."""
MOST_TOO_OFTEN, TOO_OFTEN_MILLISECONDS = 200, 10_000
"""Who is told so often in so long that it was too often does not listen, and is dropped."""
KEY = re.compile(r"[A-Za-z0-9+/]{22}==")
HANDSHAKE = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
"""By which a key is answered: RFC 6455, 1.3."""

NOT_AT_ONCE = (*wire.NEED_TWO_PEOPLE, wire.Approve, wire.Decline, wire.Resume)
"""What is looked up before it is in line."""


class TableSocket(WSListener):
    """Somebody at a table."""

    def __init__(self, house: "House", live: LiveTable, signed: Signed | None, address: str, after: int | None) -> None:
        self._house, self._live, self._signed, self._address, self._after = house, live, signed, address, after
        self.person: Person | None = signed.person if signed else None
        self.version = 0
        # As it was counted on entering, whatever becomes of the session.
        self._session = signed.session if signed else None
        self._person_id = signed.person.id if signed else None
        self._opened_at = house.clock.now()
        self._transport: WSTransport | None = None
        self._is_slow = False
        self._has_left = False
        self._too_often, self._too_often_since = 0, 0
        self._asked_at = house.clock.now()
        self._tasks: set[asyncio.Task[None]] = set()
        self._turn = asyncio.Lock()

    # What is sent.

    def send(self, *messages: bytes) -> None:
        transport = self._open_transport()
        if transport is None:
            return
        if len(messages) == 1:
            transport.send(WSMsgType.TEXT, messages[0])
        else:
            transport.underlying_transport.write(b"".join([framed(message) for message in messages]))

    def _open_transport(self) -> WSTransport | None:
        transport = self._transport
        if transport is None or not self._is_slow:
            return transport
        if transport.underlying_transport.get_write_buffer_size() > UNREAD_BYTES:
            self.drop(Dropped.SLOW)
            return None
        return transport

    def pause_writing(self) -> None:
        self._is_slow = True

    def resume_writing(self) -> None:
        self._is_slow = False

    def drop(self, reason: Dropped) -> None:
        """End the connection without waiting for whoever does not read."""
        transport, self._transport = self._transport, None
        if transport is not None:
            self._house.metrics.socket_dropped(reason)
            log("socket-dropped", table=self._live.name, person=self._person_id, reason=reason.value)
            transport.underlying_transport.abort()

    # Its life.

    def on_ws_connected(self, transport: WSTransport) -> None:
        self._transport = transport
        self._house.metrics.socket_opened()
        self._opened_at = self._house.clock.now()
        log("socket-opened", table=self._live.name, person=self._person_id, address=self._address)
        if self._session is not None:
            self._house.sockets.setdefault(self._session, set()).add(self)
        self._later(self._join())

    async def _join(self) -> None:
        try:
            await self._come_in()
        except Exception as error:
            # They would hear nothing, and take the silence for a table at rest.
            problem = problem_of(error)
            log_problem(problem, **self._who_and_where, fault=error)
            self.send(encoded(refused(None, problem, self._house.clock.now())))
            self.break_off()

    async def _come_in(self) -> None:
        if self._signed is not None:
            await self._house.arrived(self._signed)
        await self._live.join(self, self._after)
        if self._house.several is not None and len(self._live.connections) == 1:
            self._house.several.somebody_came()

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        self._transport = None
        self._live.leave(self)
        self.give_up_place()
        self._house.metrics.socket_closed()
        seconds = (self._house.clock.now() - self._opened_at) / 1000
        log("socket-closed", table=self._live.name, person=self._person_id, seconds=seconds)
        for task in self._tasks:
            task.cancel()

    def give_up_place(self) -> None:
        """It counts no more among those that are open, connected or not."""
        if self._has_left:
            return
        self._has_left = True
        self._house.rates.leave_socket(self._address, self._session)
        if self._session is not None:
            of_session = self._house.sockets.get(self._session, set())
            of_session.discard(self)
            if not of_session:
                self._house.sockets.pop(self._session, None)

    def end_session(self) -> None:
        """Whoever was signed in is not any more: what only they may see goes to nobody."""
        transport, self._signed, self.person = self._transport, None, None
        if transport is not None:
            self._transport = None
            self._house.metrics.socket_dropped(Dropped.SIGNED_OUT)
            transport.send_close(WSCloseCode.POLICY_VIOLATION)
            transport.disconnect()

    def say_goodbye(self) -> None:
        """The house closes: whoever is here may come back soon."""
        if self._transport is not None:
            self._transport.send_close(WSCloseCode.GOING_AWAY)
            self._transport.disconnect()

    def break_off(self) -> None:
        """Something failed on our side: whoever is here comes back, and is told what they missed."""
        transport, self._transport = self._transport, None
        if transport is not None:
            self._house.metrics.socket_dropped(Dropped.FAILED)
            log("socket-dropped", table=self._live.name, person=self._person_id, reason=Dropped.FAILED.value)
            transport.send_close(WSCloseCode.TRY_AGAIN_LATER)
            transport.disconnect()

    def _later(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(self._safely(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _safely(self, work: Any) -> None:
        try:
            await work
        except Exception as error:
            self._refuse(None, error)

    # What comes in.

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if self._transport is None:
            return  # Dropped; what it had sent before is not looked at.
        if frame.msg_type == WSMsgType.CLOSE:
            transport.send_close(WSCloseCode.OK)
            transport.disconnect()
        elif frame.msg_type == WSMsgType.TEXT and frame.fin and not (frame.rsv1 or frame.rsv2 or frame.rsv3):
            self._take(frame.get_payload_as_bytes())
        elif frame.msg_type == WSMsgType.PING:
            self._answer_ping(transport, frame.get_payload_as_bytes())
        elif frame.msg_type != WSMsgType.PONG:
            # No message of ours is binary, compressed or comes in pieces.
            transport.send_close(WSCloseCode.UNSUPPORTED_DATA)
            transport.disconnect()

    def _count(self, now: int) -> None:
        """Every frame counts, whatever it says; a problem where it was too often, and an end where that is no use."""
        try:
            self._house.rates.command(self._session or self._address, now)
        except Problem:
            self._house.metrics.too_often("command")
            if now - self._too_often_since > TOO_OFTEN_MILLISECONDS:
                self._too_often, self._too_often_since = 0, now
            self._too_often += 1
            if self._too_often >= MOST_TOO_OFTEN:
                self._house.rates.shut_out(self._address, self._session, now)
                self.drop(Dropped.HOSTILE)
            raise

    def _answer_ping(self, transport: WSTransport, said: bytes) -> None:
        # Not left to picows: it would answer without end whoever asks without end and does not read.
        with suppress(Problem):
            self._count(self._house.clock.now())
            if not self._is_slow:
                transport.send_pong(said)

    def _take(self, text: bytes) -> None:
        house, now = self._house, self._house.clock.now()
        said: wire.TableMessage | None = None
        try:
            try:
                said = house.read(text)
            finally:
                self._count(now)
            if self._signed is None:
                raise not_signed_in()
            if isinstance(said, wire.PATRONS_SAY) and self._is_known(now) and house.leads(self._live.name):
                # Nearly every message: in line at once, with no task of its own.
                house.put(self._live, self._signed, said, partial(self._answer, said))
            else:
                self._later(self._carry_out(said))
        except Fenced:
            assert said is not None
            self._later(self._carry_out(said))
        except Exception as error:
            self._refuse(said.id if said else wire.id_in(text), error)

    def _is_known(self, now: int) -> bool:
        """Whether it is certain who says something, and nothing that they said before is still looked up."""
        if self._turn.locked() or self._signed is None:
            return False
        if now - self._asked_at >= ASK_AGAIN_MILLISECONDS:
            signed = self._house.people.known_by(self._signed.session)
            if signed is None:
                return False
            self._signed, self._asked_at = signed, now
        return True

    async def _carry_out(self, said: wire.TableMessage) -> None:
        try:
            # One after the other: what was said first is in line first, however long it takes to ask who says it.
            async with self._turn:
                if self._signed is None:
                    raise not_signed_in()
                signed = await self._house.people.signed_in_by(self._signed.session)
                if signed is None:
                    self._signed = self.person = None
                    raise not_signed_in()
                self._signed, self._asked_at = signed, self._house.clock.now()
                in_line = None
                if not isinstance(said, NOT_AT_ONCE) and self._house.leads(self._live.name):
                    with suppress(Fenced):
                        in_line = self._house.ask(self._live, signed, said)
                told = await self._house.command(self._live.name, signed, said) if in_line is None else {}
            if in_line is not None:
                try:
                    told = accepted(said.id, await in_line, self._house.clock.now())
                except Fenced:
                    told = await self._house.command(self._live.name, signed, said)
            self.send(encoded(told))
        except Exception as error:
            self._refuse(said.id, error)

    def _answer(self, said: wire.TableMessage, answer: "Answer | Exception") -> None:
        if isinstance(answer, Fenced):
            # The table has gone to another process, which is asked under the same id.
            self._later(self._carry_out(said))
            return
        if isinstance(answer, Exception):
            self._refuse(said.id, answer)
            return
        now = self._house.clock.now()
        kind = "accepted" if answer.accepted else "refused"
        written = msgspec.json.encode(said.id).decode()
        self.send(f'{{"type":"{kind}","id":{written},"time":{now},{answer.text[1:]}'.encode())

    def _refuse(self, command_id: str | None, error: Exception) -> None:
        now, problem = self._house.clock.now(), problem_of(error)
        if problem.status < 500 or problem.reason == "fault":
            # That a table has stopped was said when it did, and not to every wager.
            log_problem(problem, **self._who_and_where, fault=error if problem.reason == "fault" else None)
        self.send(encoded(refused(command_id, problem, now)))

    @property
    def _who_and_where(self) -> dict[str, str | None]:
        role = self.person.role.value if self.person else None
        return {"table": self._live.name, "person": self._person_id, "role": role, "address": self._address}


class LobbySocket(TableSocket):
    """Somebody who looks at all tables: they are told what changes, and say nothing."""

    def __init__(self, house: "House", signed: Signed | None, address: str) -> None:
        # The lobby has of a table what somebody at it needs: a name, and a way to leave.
        super().__init__(house, cast(LiveTable, house.lobby), signed, address, None)

    async def _come_in(self) -> None:
        await self._house.lobby.join(self)

    def _take(self, text: bytes) -> None:
        try:
            self._count(self._house.clock.now())
            raise malformed("Nothing is asked for here: join a table.")
        except Problem as problem:
            self._refuse(wire.id_in(text), problem)


def socket_protocol(house: "House") -> type:
    """The class that uvicorn makes for each connection that asks for an upgrade."""

    class Protocol(WSProtocol):  # type: ignore[misc]
        def __init__(self, config: Any, server_state: Any, app_state: Any, **_: Any) -> None:
            super().__init__(
                None,
                None,
                False,
                self._listener_for,
                _Quiet(),
                True,
                10,
                True,
                IDLE_SECONDS,
                IDLE_SECONDS,
                WSAutoPingStrategy.PING_WHEN_IDLE,
                False,
                FRAME_LIMIT,
                None,
                4096,
            )
            self._connections = server_state.connections
            self._plain: Any = None
            self._socket: TableSocket | None = None
            self._upgrade: asyncio.Task[None] | None = None

        def connection_made(self, transport: Any) -> None:
            self._plain = transport
            self._connections.add(self)
            super().connection_made(transport)

        def connection_lost(self, error: Exception | None) -> None:
            self._connections.discard(self)
            super().connection_lost(error)
            if self._socket is not None:
                self._socket.give_up_place()

        def shutdown(self) -> None:
            """uvicorn stops."""
            if self._socket is not None:
                self._socket.say_goodbye()
            else:
                self._plain.close()

        def data_received(self, request: bytes) -> None:
            """The request for an upgrade, as uvicorn read it; nothing more comes before it is answered."""
            self._plain.pause_reading()
            self._upgrade = asyncio.get_running_loop().create_task(self._ask_who(request))

        async def _ask_who(self, request: bytes) -> None:
            try:
                self._socket, shaken = await admitted(house, request, self._plain.get_extra_info("peername"))
            except _TurnedAway as away:
                self._end(away.problem, away.answer(house.clock.now()), away.__cause__)
                return
            except Exception as error:
                self._end(problem_of(error), raw_answer(problem_of(error)), error)
                return
            if self._plain.is_closing():
                self._socket.give_up_place()
                return
            self._plain.resume_reading()
            view = self.get_buffer(len(shaken))
            view[: len(shaken)] = shaken
            self.buffer_updated(len(shaken))

        def _end(self, problem: Problem, answer: bytes, error: BaseException | None) -> None:
            # Through a proxy this is the proxy's: who asks was perhaps not readable.
            peer = self._plain.get_extra_info("peername")
            fault = error if problem.reason == "fault" else None
            log_problem(problem, address=peer[0] if peer else None, fault=fault)
            self._plain.write(answer)
            self._plain.close()

        def _listener_for(self, request: WSUpgradeRequest) -> WSListener | None:
            return self._socket

    return Protocol


class _TurnedAway(Exception):
    """Whoever asks is no stranger's page, and cannot be let in: they are told so over the socket that they asked for.

    A browser tells its page nothing of an upgrade that is refused, and the page would try again for ever. All that is
    said goes out at once, and nothing is kept of the connection.
    """

    def __init__(self, problem: Problem, key: str) -> None:
        super().__init__(problem.message)
        self.problem, self._key = problem, key

    def answer(self, now: int) -> bytes:
        """The upgrade, why it leads nowhere, and the end."""
        code = WSCloseCode.TRY_AGAIN_LATER if self.problem.status in (429, 503) else WSCloseCode.POLICY_VIOLATION
        accept = b64encode(sha1(f"{self._key}{HANDSHAKE}".encode(), usedforsecurity=False).digest()).decode()
        head = (
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Accept: {accept}\r\n\r\n"
        )
        return head.encode() + framed(encoded(refused(None, self.problem, now))) + closing_frame(code.value)


async def admitted(house: "House", request: bytes, peer: Any) -> tuple[TableSocket, bytes]:
    """Somebody at a table, and their request for a socket as picows reads it.

    Raises a problem where no socket is opened at all, and _TurnedAway where one is opened only to say why.
    """
    lines = request.decode("latin-1").split("\r\n")
    method, target = lines[0].split(" ")[:2]
    headers = [(name.strip().lower(), value.strip()) for name, _, value in (line.partition(":") for line in lines[1:])]
    forwarded = [value for name, value in headers if name == "x-forwarded-for"]
    address = client_address(peer[0] if peer else None, forwarded, house.configuration.trusted_proxy)
    too_often: Problem | None = None
    try:
        house.rates.request(address, house.clock.now())
    except Problem as problem:
        # It counts, whatever else is wrong with it; but a page of another site is told nothing over a socket.
        too_often = problem
    found = ADDRESS.fullmatch(target) if len(target) <= PATH_LIMIT else None
    if found is None and target != LOBBY:
        raise too_often or nothing_there()
    check_origin(headers, house.origins)
    key, after = _key(method, headers), _after(found[2] or "") if found else None
    try:
        if too_often is not None:
            raise too_often
        live = house.find(found[1]) if found else None
        return await _comes_in(house, live, headers, address, after), _handshake(key)
    except Exception as error:
        raise _TurnedAway(problem_of(error), key) from error


async def _comes_in(
    house: "House", live: LiveTable | None, headers: Sequence[tuple[str, str]], address: str, after: int | None
) -> TableSocket:
    token = token_in("; ".join(value for name, value in headers if name == "cookie") or None)
    # A cookie that is nobody's any more keeps nobody from watching: its page cannot take it away.
    signed = None if token is None else await house.people.signed_in(token)
    house.rates.enter_socket(address, signed.session if signed else None, house.clock.now())
    if live is None:
        return LobbySocket(house, signed, address)
    return TableSocket(house, live, signed, address, after)


def _key(method: str, headers: Sequence[tuple[str, str]]) -> str:
    versions, keys = (
        [value for name, value in headers if name == f"sec-websocket-{what}"] for what in ("version", "key")
    )
    if method != "GET" or versions != ["13"] or len(keys) != 1 or not KEY.fullmatch(keys[0]):
        raise malformed("That is not how a socket is asked for.")
    return keys[0]


def _handshake(key: str) -> bytes:
    """The request in the words that picows knows: it would repeat a wrong one, and not take Firefox's `Connection`."""
    return (
        "GET / HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Key: {key}\r\n\r\n"
    ).encode()


def _after(query: str) -> int | None:
    given = parse_qs(query, keep_blank_values=True)
    if set(given) - {"after"} or len(given.get("after", [])) > 1:
        raise malformed("A socket takes `after`, once, and nothing else.")
    if "after" not in given:
        return None
    (text,) = given["after"]
    if not (text.isascii() and text.isdigit() and len(text) <= 18):
        raise malformed("`after` is the version of the last event that came.")
    return int(text)


class _Quiet:
    """A logger for picows, which would write of every connection; what matters we log ourselves."""

    def isEnabledFor(self, level: int) -> bool:
        return False

    def __getattr__(self, name: str) -> Any:
        return lambda *_, **__: None
