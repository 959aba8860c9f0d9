"""A client of the service: come in, join a table, stake, follow its events, and go on after a lost connection.

    async with Client("http://127.0.0.1:8000") as client:
        await client.come_as_guest()
        async with client.join("main") as table:
            async for event in table:
                if event.name == "betting-opened":
                    await table.stake("tie", 1000)

Every command has an id of its own. After a lost connection it is sent again with the same id, and the service carries
it out once: the answer that comes is the answer to what was asked, however often it was sent.
"""

import asyncio
import json
import secrets
from collections import deque
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from random import random
from time import monotonic
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

from puntobanco.errors import Fault
from puntobanco.extras import optional_package
from puntobanco.fairness.shoe import nonce_commitment

with optional_package("httpx", "The service is asked"):
    import httpx
with optional_package("picows", "The service is followed"):
    from picows import WSError, WSFrame, WSHandshakeError, WSListener, WSMsgType, WSTransport, ws_connect

__all__ = ["Accepted", "Client", "Event", "Refused", "Table", "folded"]

COOKIE = "pb_session"
TRIES = 12
"""How often a command is put off before it is given up."""
SHORTEST_PAUSE, LONGEST_PAUSE = 0.05, 3.0
"""Seconds between two tries; each pause is twice the last, give or take, so that not all come back at once."""
EVENTS_KEPT = 10_000
"""Of events that nobody has taken, the newest so many; the state has them all."""
UNDECIDED = frozenset({"ask-again", "busy", "fault", "starting", "stopped", "stopping", "storage", "too-often"})
"""Reasons that decide nothing: what was asked may have been done before, or may be done in a moment."""
WORTH_ANOTHER_TRY = (429, 500, 502, 503, 504)
LOST = (OSError, WSError, TimeoutError)
PHASES = {
    "shoe-opened": "burn due",
    "cards-burned": "ready",
    "betting-opened": "betting",
    "betting-closed": "dealing",
    "result-announced": "announced",
    "announcement-withdrawn": "complete",
    "round-settled": "ready",
    "round-voided": "ready",
    "shoe-ended": "closed",
}
"""Where an event leaves a table."""


class Refused(Exception):
    """The service refused: a reason for programs, the clause where a rule decides, a sentence for people.

    `closed_at`: of what came too late, when betting closed, in milliseconds by the clock of the service.
    """

    def __init__(
        self, reason: str, clause: str | None, message: str, status: int | None = None, closed_at: int | None = None
    ) -> None:
        super().__init__(reason, clause, message, status, closed_at)
        self.reason, self.clause, self.message, self.status = reason, clause, message, status
        self.closed_at = closed_at

    def __str__(self) -> str:
        return self.message + (f" (clause {self.clause})" if self.clause else "")


@dataclass(frozen=True)
class Event:
    """What everyone at the table may see, in rising order of version; `snapshot` where too much was missed."""

    version: int
    time: int
    name: str
    fields: Mapping[str, Any] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Any:
        return self.fields[name]


@dataclass(frozen=True)
class Accepted:
    """A command that is done and durable, with the asker's own stakes and balance after it."""

    id: str
    version: int | None
    time: int
    stakes: Mapping[str, int]
    balance: int | None
    fields: Mapping[str, Any] = field(default_factory=dict)


@dataclass
class _Asked:
    """A command that is not answered yet, as it is sent, and how often it was put off."""

    message: bytes
    answer: "asyncio.Future[Accepted]"
    put_off: int = 0


class Client:
    """One person's way to the service: requests over HTTP, and tables to join."""

    def __init__(
        self, address: str, *, mixes_in_nonces: bool = True, seconds: float = 10, patience: float = 60
    ) -> None:
        """How the service is used.

        `mixes_in_nonces`: take part in the drawing of every round that is staked on, as docs/fairness.md tells.
        `seconds`: for so long a request waits for its answer. `patience`: for so many seconds a connection to a table
        that is lost, or ends with nothing new, is made again before the table is given up.
        """
        self.patience = patience
        self.address = address.rstrip("/")
        self.mixes_in_nonces = mixes_in_nonces
        self.patron: str | None = None
        self._http = httpx.AsyncClient(base_url=self.address, headers={"Origin": self.address}, timeout=seconds)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._http.aclose()

    async def ask(self, method: str, path: str, body: object = None, **query: str | int | None) -> dict[str, Any]:
        """Any request of the API; what is not done is raised as Refused."""
        given = {name: value for name, value in query.items() if value is not None}
        try:
            answer = await self._http.request(method, path, json=body, params=given or None)
        except httpx.HTTPError as error:
            raise Fault("unreachable", f"{self.address} does not answer: {type(error).__name__}.") from error
        if answer.status_code >= 400:
            raise _refusal(_object(answer.content), answer.status_code)
        return _object(answer.content)

    async def come_as_guest(self) -> dict[str, Any]:
        """Play at once, with play money."""
        return self._signed(await self.ask("POST", "/api/guests", {}))

    async def sign_in(self, name: str, password: str) -> dict[str, Any]:
        """Go on as somebody who has a password: a registered patron, or staff."""
        return self._signed(await self.ask("POST", "/api/sessions", {"name": name, "password": password}))

    async def register(self, name: str, password: str) -> dict[str, Any]:
        """A guest takes a name and a password, and keeps everything."""
        return self._signed(await self.ask("POST", "/api/patrons", {"name": name, "password": password}))

    async def sign_out(self) -> None:
        """End the session."""
        await self.ask("DELETE", "/api/session")
        self.patron = None

    async def me(self) -> dict[str, Any]:
        """Who asks, what they have, what lies on tables, and how this visit went."""
        return self._signed(await self.ask("GET", "/api/me"))

    async def tables(self) -> list[dict[str, Any]]:
        """The tables of the house, as a lobby shows them."""
        return list((await self.ask("GET", "/api/tables"))["tables"])

    async def game(self, game: str) -> dict[str, Any]:
        """The rule card of a game."""
        return await self.ask("GET", f"/api/games/{quote(game, safe='')}")

    async def round(self, table: str, number: int) -> dict[str, Any]:
        """A round for ever, with the asker's own wagers."""
        return await self.ask("GET", f"/api/tables/{quote(table, safe='')}/rounds/{number}")

    async def shoe(self, table: str, number: int) -> dict[str, Any]:
        """The transcript of a shoe, as far as it may be known."""
        return await self.ask("GET", f"/api/tables/{quote(table, safe='')}/shoes/{number}")

    async def history(self, before: str | int | None = None) -> dict[str, Any]:
        """The asker's own rounds, newest first."""
        return await self.ask("GET", "/api/history", before=before)

    @property
    def session(self) -> str | None:
        """What the session's cookie holds: a client that is given it goes on as the same person."""
        return self._http.cookies.get(COOKIE)

    @session.setter
    def session(self, value: str) -> None:
        self._http.cookies.set(COOKIE, value)

    @asynccontextmanager
    async def join(
        self, table: str, after: int | None = None, state: Mapping[str, Any] | None = None
    ) -> AsyncIterator["Table"]:
        """Follow a table until the block ends.

        `after` and `state` are the version and the state of an earlier visit: what has happened since is told, or a
        snapshot where that is too much.
        """
        joined = Table(self, table, after, state or {})
        try:
            await joined._arrived
            yield joined
        finally:
            await joined._leave()

    def _signed(self, answer: dict[str, Any]) -> dict[str, Any]:
        self.patron = answer.get("patron", self.patron)
        return answer


class Table:
    """A table that was joined. `state` is its snapshot with all events since folded in."""

    def __init__(self, client: Client, name: str, after: int | None, state: Mapping[str, Any]) -> None:
        self.name, self.version = name, after
        self.state = dict(state)
        self.connections = 0
        self._client = client
        self._events: deque[Event] = deque(maxlen=EVENTS_KEPT)
        self._news = asyncio.Event()
        self._arrived: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting: dict[str, _Asked] = {}
        self._transport: WSTransport | None = None
        self._failed: Exception | None = None
        self._turned_away: Refused | None = None
        self._learned = False
        self._nonces: dict[object, bytes] = {}
        self._asides: set[asyncio.Task[None]] = set()
        self._kept = asyncio.create_task(self._keep_connected())

    async def stake(self, wager: str, amount: int, **fields: object) -> Accepted:
        """Have so much on a wager of this round; 0 withdraws it."""
        self._take_part()
        return await self.command("stake", wager=wager, amount=amount, **self._of_this_round | fields)

    async def stakes(self, stakes: Mapping[str, int]) -> Accepted:
        """The whole slip of this round at once, all or nothing."""
        self._take_part()
        return await self.command("stakes", stakes=dict(stakes), **self._of_this_round)

    async def command(self, do: str, /, **fields: object) -> Accepted:
        """Any command, sent until it is decided and always with the same id; a refusal is raised as Refused."""
        if self._failed:
            raise self._failed
        id = str(fields.setdefault("id", secrets.token_hex(12)))
        asked = _Asked(json.dumps({"do": do, **fields}).encode(), asyncio.get_running_loop().create_future())
        self._waiting[id] = asked
        try:
            self._send(asked)
            return await asked.answer
        finally:
            del self._waiting[id]

    @property
    def _betting(self) -> bool:
        return self.state.get("phase") == "betting"

    @property
    def _of_this_round(self) -> dict[str, int]:
        """So that a wager that is sent again later is not one on another round."""
        return {"round": self.state["round"]} if self._betting else {}

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Event:
        while not self._events:
            if self._failed:
                raise self._failed
            self._news.clear()
            await self._news.wait()
        return self._events.popleft()

    # The connection, and what is done when it is lost.

    async def _keep_connected(self) -> None:
        tries, away_since = 0, monotonic()
        try:
            while not tries or monotonic() - away_since < self._client.patience:
                began, self._learned, self._turned_away = monotonic(), False, None
                await self._connected_once()
                # Whoever is let in and thrown out before anything is heard is not connected either.
                if self._learned or monotonic() - began > LONGEST_PAUSE:
                    tries, away_since = 0, monotonic()
                tries += 1
                await asyncio.sleep(_pause(tries))
            raise Fault("unreachable", f"{self._client.address} does not answer.")
        except (Refused, Fault) as error:
            self._failed = error
            waiting: list[asyncio.Future[Any]] = [asked.answer for asked in self._waiting.values()]
            for future in [self._arrived, *waiting]:
                if not future.done():
                    future.set_exception(error)
            self._news.set()

    async def _connected_once(self) -> None:
        """One connection from beginning to end; returns where another may do better."""
        address = self._client.address
        url = f"ws{address.removeprefix('http')}/api/tables/{quote(self.name, safe='')}/live"
        if self.version is not None:
            url += f"?after={self.version}"
        headers = {"Origin": address}
        if self._client.session:
            headers["Cookie"] = f"{COOKIE}={self._client.session}"
        try:
            transport, _ = await ws_connect(
                lambda: _Listener(self), url, extra_headers=headers, enable_auto_ping=True, max_redirects=0
            )
            await transport.wait_disconnected()
            # Let in only to be told why not.
            away = self._turned_away
            if away is not None and not self._learned and away.reason not in UNDECIDED:
                raise away
        except WSHandshakeError as error:
            status = error.response.status.value if error.response else 503
            if status not in WORTH_ANOTHER_TRY:
                raise _refusal(_object(error.raw_body or b""), status) from error
        except LOST:
            pass
        finally:
            self._transport = None

    def _connected(self, transport: WSTransport) -> None:
        self._transport = transport
        self.connections += 1
        if self.version is not None and not self._arrived.done():
            self._arrived.set_result(None)
        for asked in self._waiting.values():
            self._send(asked)

    def _send(self, asked: _Asked) -> None:
        """What cannot be sent now is sent with the next connection."""
        if self._transport is not None and not asked.answer.done():
            self._transport.send(WSMsgType.TEXT, asked.message)

    async def _leave(self) -> None:
        transport, tasks = self._transport, (self._kept, *self._asides)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._arrived.cancel()
        if transport is not None:
            transport.disconnect()

    # What comes in.

    def _hear(self, message: Mapping[str, Any]) -> None:
        rest = {name: value for name, value in message.items() if name not in ("type", "version", "time", "id")}
        version, time = message.get("version"), message.get("time", 0)
        match message:
            case {"type": "snapshot", "version": int(number), "table": dict(table)}:
                self._learned |= number != self.version
                self.version, self.state = number, table
                self._happened(Event(number, time, "snapshot", table))
            case {"type": "event", "version": int(number), "event": str(name)}:
                # What was told already before the connection was lost may be told again.
                if self.version is None or number > self.version:
                    self._learned = True
                    del rest["event"]
                    event = Event(number, time, name, rest)
                    self.version, self.state = number, folded(self.state, event)
                    self._happened(event)
            case {"type": "own"}:
                # By another connection of the same patron, or meanwhile.
                self.state |= {name: rest[name] for name in ("stakes", "balance") if name in rest}
            case {"type": "table-stopped"}:
                # Until the next snapshot, which comes when it goes on.
                self.state["trouble"] = message.get("message")
            case {"type": "accepted", "id": str(id)}:
                stakes, balance = message.get("stakes") or {}, message.get("balance")
                self.state |= {name: rest[name] for name in ("stakes", "balance") if name in rest}
                self._answered(id, Accepted(id, version, time, stakes, balance, rest))
            case {"type": "refused", "id": None}:
                self._turned_away = _refusal({"error": message})
            case {"type": "refused", "id": str(id)}:
                self._answered(id, _refusal({"error": message}))

    def _happened(self, event: Event) -> None:
        if not self._arrived.done():
            self._arrived.set_result(None)
        self._events.append(event)
        self._news.set()
        number = self.state.get("round")
        if number in self._nonces and not self._betting:
            self._say("reveal", nonce=self._nonces.pop(number).hex(), round=number)

    def _answered(self, id: str, answered: Accepted | Refused) -> None:
        """An answer that comes again, or that nobody waits for any more, changes nothing."""
        asked = self._waiting.get(id)
        if asked is None or asked.answer.done():
            return
        self._learned = True
        if isinstance(answered, Accepted):
            asked.answer.set_result(answered)
        elif answered.reason in UNDECIDED and asked.put_off < TRIES:
            asked.put_off += 1
            asyncio.get_running_loop().call_later(_pause(asked.put_off), self._send, asked)
        else:
            asked.answer.set_exception(answered)

    # A patron's part in the drawing.

    def _take_part(self) -> None:
        """Commit to a nonce with the first wager of a round; it is shown after the close."""
        number, patron, committed = self.state.get("round"), self._client.patron, self.state.get("committed")
        if not (self._client.mixes_in_nonces and self._betting and committed and patron) or number in self._nonces:
            return
        nonce = secrets.token_bytes(32)
        # Of an earlier round, a nonce that was never shown is of no use any more.
        self._nonces = {number: nonce}
        commitment = nonce_commitment(committed["shoe"], committed["round_in_shoe"], patron, nonce)
        self._say("commit", commitment=commitment.hex(), round=number)

    def _say(self, do: str, **fields: object) -> None:
        """A command whose answer nobody waits for: a nonce that comes too late only does not count."""

        async def said() -> None:
            with suppress(Refused, Fault):
                await self.command(do, **fields)

        task = asyncio.create_task(said())
        self._asides.add(task)
        task.add_done_callback(self._asides.discard)


class _Listener(WSListener):
    def __init__(self, table: Table) -> None:
        self._table = table

    def on_ws_connected(self, transport: WSTransport) -> None:
        self._table._connected(transport)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type is WSMsgType.TEXT:
            self._table._hear(_object(frame.get_payload_as_bytes()))
        elif frame.msg_type is WSMsgType.CLOSE:
            transport.disconnect()


def _pause(tries: int) -> float:
    return min(LONGEST_PAUSE, SHORTEST_PAUSE * 2.0**tries) * (0.5 + random() / 2)


def folded(state: Mapping[str, Any], event: Event) -> dict[str, Any]:
    """The state of a table after an event. A field that the state has too is that field's new value."""
    told = event.fields
    after = {**state, **{name: value for name, value in told.items() if name in state and name != "deal"}}
    match event.name:
        case "betting-opened":
            after |= {"deal": {"player": [], "banker": []}, "spots": {}, "stakes": {}}
            if told.get("shoe_id"):
                after["committed"] = {"shoe": told["shoe_id"], "round_in_shoe": told["round_in_shoe"]}
        case "betting-closed":
            after["closes_at"] = None
        case "card-dealt" | "card-taken-back":
            after["deal"] = told["deal"]
        case "shoe-opened":
            after |= {"results": "", "committed": None}
        case "table-paused":
            after["paused"] = told.get("reason")
        case "table-resumed":
            after["paused"] = None
        case "settings-changed":
            after |= told.get("table", {})
    if "due" in told:
        after["due"] = told["due"]
    if event.name in PHASES:
        after["phase"] = PHASES[event.name]
    # What follows from cards that are told one by one is not reckoned here: better none than an old one.
    for name in ("due", "cards_left"):
        if event.name != "stakes-changed" and name not in told:
            after.pop(name, None)
    return after


def _object(content: bytes) -> dict[str, Any]:
    """What the service sent, if it is an object; a service that is not ours may send anything."""
    try:
        read = json.loads(content or b"{}")
    except ValueError:
        return {}
    return read if isinstance(read, dict) else {}


def _refusal(answer: Mapping[str, Any], status: int | None = None) -> Refused:
    match answer:
        case {"error": {"reason": str(reason), "message": str(message), **rest}}:
            clause, closed_at = rest.get("clause"), rest.get("closed_at")
            return Refused(
                reason,
                clause if isinstance(clause, str) else None,
                message,
                status,
                closed_at if isinstance(closed_at, int) else None,
            )
    return Refused("unreadable", None, f"The service answered {status} without a reason.", status)
