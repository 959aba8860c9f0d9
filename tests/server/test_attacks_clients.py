"""Clients that do not read, do not stop, or do not speak as they should: each is bounded, and the others play on."""

import asyncio
import gc
import socket
import statistics
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from ipaddress import ip_network
from pathlib import Path

import pytest

from puntobanco.server import http_protocol
from puntobanco.server import socket as table_socket
from puntobanco.server.rates import Rate, RateLimits, Rates
from server.attacked import PIT, VIRTUAL, Attacked, NotLetIn, TableWire
from server.everything import message

TEXT, BINARY, CLOSE, PING, PONG, MORE = 1, 2, 8, 9, 10, 0


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacked]:
    with Attacked(tmp_path_factory.mktemp("data")) as found:
        yield found


def within(seconds: float, is_so: Callable[[], bool]) -> bool:
    until = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True


def close_code(wire: TableWire) -> int:
    while True:
        opcode, payload = wire.frames()
        if opcode == CLOSE:
            return int.from_bytes(payload[:2])


def figure(service: Attacked, name: str) -> float:
    lines = service.ask(None, "GET", "/metrics").text.splitlines()
    return sum(float(line.split(" ")[1]) for line in lines if line.startswith(name))


# Frames.


@pytest.mark.parametrize(
    ("speak", "code"),
    [
        (lambda wire: wire.frame(BINARY, b"{}"), 1003),
        (lambda wire: wire.frame(TEXT, b"{", fin=False), 1003),
        (lambda wire: wire.frame(MORE, b"}"), 1003),
        (lambda wire: wire.frame(TEXT, b"{}", reserved=4), 1003),
        (lambda wire: wire.frame(TEXT, b"{}", reserved=1), 1003),
        (lambda wire: wire.frame(TEXT, b"{}", masked=False), 1002),
        (lambda wire: wire.frame(3, b"{}"), 1002),
        (lambda wire: wire.frame(PING, b"a", fin=False), 1002),
        (lambda wire: wire.frame(PING, b"a" * 126), 1002),
        (lambda wire: wire.frame(TEXT, b" " * 4097), 1009),
        (lambda wire: wire.frame(TEXT, b" " * 70_000), 1009),
        (lambda wire: wire.frame(CLOSE, b"\x00"), 1002),
    ],
    ids=[
        "binary",
        "in pieces",
        "a piece",
        "compressed",
        "reserved",
        "not masked",
        "no kind",
        "ping in pieces",
        "long ping",
        "4,097 bytes",
        "70,000 bytes",
        "half a code",
    ],
)
def test_frames_that_end_the_connection(service: Attacked, speak: Callable[[TableWire], None], code: int) -> None:
    with service.socket("patron", PIT) as wire:
        wire.hear("snapshot")
        speak(wire)
        assert close_code(wire) == code
        assert wire.is_closed()
    assert service.ask(None, "GET", "/healthz").status_code == 200


def test_the_longest_frame(service: Attacked) -> None:
    with service.socket("patron", PIT) as wire:
        text = b'{"id":"12345678","do":"resume"}'
        assert wire.ask(text + b" " * (4096 - len(text)))["reason"] == "not-allowed"


def test_a_frame_that_says_it_is_long_holds_no_memory(service: Attacked) -> None:
    """The length is refused before the bytes come."""
    with service.socket("patron", PIT) as wire:
        wire.hear("snapshot")
        wire._plain.sendall(b"\x81\xff" + (2**62).to_bytes(8) + b"\0\0\0\0")
        assert close_code(wire) == 1009


def test_pings_are_answered(service: Attacked) -> None:
    with service.socket(None, PIT) as wire:
        wire.hear("snapshot")
        wire.frame(PING, b"there?")
        assert wire.frames() == (PONG, b"there?")


@pytest.mark.parametrize("connection", ["Upgrade", "keep-alive, Upgrade", "upgrade"])
def test_every_browser_gets_a_socket(service: Attacked, connection: str) -> None:
    """Firefox says `keep-alive, Upgrade`."""
    with service.socket("patron", PIT, headers={"Connection": connection}) as wire:
        assert wire.hear("snapshot")["table"]["id"] == PIT


# Who does not read.


def deaf(service: Attacked, who: str | None = "patron") -> TableWire:
    return TableWire(service, who, VIRTUAL, receive_buffer=2048)


def test_who_does_not_read_is_dropped_and_the_others_are_told_everything(
    service: Attacked, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_socket, "UNREAD_BYTES", 64 * 1024)
    before = figure(service, 'puntobanco_sockets_dropped_total{reason="slow"}')
    with ExitStack() as stack:
        silent = [stack.enter_context(deaf(service)) for _ in range(5)]
        reader = stack.enter_context(service.socket("other-patron", VIRTUAL))
        reader.hear("snapshot")
        live = service.house.find(VIRTUAL)
        assert within(5, lambda: len(live.connections) == 6)

        async def talk() -> int:
            sent = 0
            while len(live.connections) > 1 and sent < 20_000:
                for connection in list(live.connections):
                    connection.send(b'{"type":"told","filler":"' + b"x" * 4000 + b'"}')
                sent += 1
                if sent % 16 == 0:
                    await asyncio.sleep(0.005)
            return sent

        heard = []

        def listen() -> None:
            while True:
                try:
                    found = reader.hear()
                except (ConnectionError, OSError):
                    return
                heard.append(found)
                if found["type"] == "accepted":
                    return

        listening = threading.Thread(target=listen)
        listening.start()
        sent = service.run(talk())
        reader.say({"id": "after-it-all", "do": "stake", "wager": "tie", "amount": 2000})
        listening.join(10)
        assert len(live.connections) == 1
        assert heard[-1]["type"] == "accepted", "whoever reads is there still"
        assert len([each for each in heard if each["type"] == "told"]) == sent
        # To each went what the network holds and what may lie unread, and not more.
        assert sent * 4000 < 12 * 2**20
        assert all(wire.is_closed() for wire in silent)
    dropped = figure(service, 'puntobanco_sockets_dropped_total{reason="slow"}') - before
    assert dropped == 5


def test_pings_without_end_that_nobody_reads(service: Attacked) -> None:
    """Each would be answered with as many bytes: what is not read is not answered any more."""
    with deaf(service) as wire:
        assert within(5, lambda: len(service.house.find(VIRTUAL).connections) == 1)
        (connection,) = service.house.find(VIRTUAL).connections
        assert isinstance(connection, table_socket.TableSocket)
        transport = connection._transport
        assert transport is not None
        wire._plain.settimeout(0.5)
        most = 0
        try:
            for _ in range(3_000):
                wire._plain.sendall((b"\x89\xfd\0\0\0\0" + b"p" * 125) * 10)
                most = max(most, transport.underlying_transport.get_write_buffer_size())
        except (TimeoutError, ConnectionError):
            pass
        assert most < 2 * 64 * 1024 + 4096


def test_half_open_connections_are_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is gone without a word answers no ping, and is taken from the table."""
    monkeypatch.setattr(table_socket, "IDLE_SECONDS", 0.4)
    with Attacked(tmp_path) as service:
        gone, there = service.socket("patron", PIT), service.socket("other-patron", PIT)
        live = service.house.find(PIT)
        assert within(5, lambda: len(live.connections) == 2)
        # This one answers.
        until = time.monotonic() + 1.5
        while time.monotonic() < until:
            opcode, payload = there.frames()
            if opcode == PING:
                there.frame(PONG, payload)
        assert within(5, lambda: [each.person.name for each in live.connections if each.person] == ["Other-Patron"])
        gone.close()
        there.close()


# Who does not stop.


def limited(service: Attacked, **rates: object) -> None:
    service.house.rates = RateLimits(Rates(**{"requests": None, **rates}))  # type: ignore[arg-type]


def test_who_floods_a_table_is_told_so_and_then_dropped(tmp_path: Path) -> None:
    with Attacked(tmp_path) as service:
        limited(service, commands=Rate(20, 1_000, 60))
        before = service.money()
        with service.socket("patron", PIT) as wire:
            wire.hear("snapshot")
            with suppress(ConnectionError):
                for number in range(1_000):
                    wire.say(message("stake", number))
            assert wire.is_closed()
        assert figure(service, 'puntobanco_too_often_total{what="command"}') == table_socket.MOST_TOO_OFTEN
        # The burst, and what the rate allows while it was sent.
        assert within(5, lambda: 60 <= figure(service, "puntobanco_commands_refused_total") <= 200)
        assert figure(service, 'puntobanco_sockets_dropped_total{reason="hostile"}') == 1
        assert service.money() == before
        assert within(5, lambda: len(service.house.rates.sockets) == 0)
        # To come back at once is no use; the others at the same address are not concerned.
        said, code = service.turned_away("patron", PIT)
        assert (said["reason"], code) == ("too-often", 1013)
        service.socket("other-patron", PIT).close()
        service.socket(None, PIT).close()
        service.clock.shift = 10_001
        service.socket("patron", PIT).close()


@pytest.mark.parametrize(
    "said", [b"{", b"", b'{"id":"12345678","do":"nothing"}'], ids=["no JSON", "nothing", "no kind"]
)
@pytest.mark.parametrize("who", ["patron", None])
def test_what_is_malformed_counts_too(tmp_path: Path, who: str | None, said: bytes) -> None:
    """Whoever has no session is counted by address; what says nothing costs as much to refuse."""
    with Attacked(tmp_path) as service:
        limited(service, commands=Rate(20, 1_000, 60))
        with service.socket(who, PIT) as wire:
            wire.hear("snapshot")
            reasons = [wire.ask(said)["reason"] for _ in range(120)]
        assert reasons[:50] == ["malformed"] * 50
        assert reasons.count("too-often") >= 20


def test_requests_beyond_the_rate(tmp_path: Path) -> None:
    with Attacked(tmp_path) as service:
        service.house.rates = RateLimits(Rates(requests=Rate(1, 60_000, 30)))
        answers = [service.ask("patron", "GET", "/api/me") for _ in range(60)]
        statuses = [answer.status_code for answer in answers]
        assert statuses[:30] == [200] * 30
        assert statuses.count(429) >= 20
        assert answers[-1].json()["error"]["reason"] == "too-often"
        said, code = service.turned_away("patron", PIT)
        assert (said["reason"], code) == ("too-often", 1013)
        # A page of another site is told nothing over a socket, however often it asks.
        with pytest.raises(NotLetIn) as refused:
            service.socket("patron", PIT, origin="https://evil.example")
        assert refused.value.status == 403


def test_behind_a_proxy_everybody_is_counted_by_themselves(tmp_path: Path) -> None:
    with Attacked(tmp_path, trusted_proxy=(ip_network("127.0.0.0/8"),)) as service:
        service.house.rates = RateLimits(Rates(requests=Rate(1, 60_000, 30), sockets=2))
        for _ in range(60):
            service.ask(None, "GET", "/healthz", headers={"x-forwarded-for": "203.0.113.1"})
        assert service.ask(None, "GET", "/healthz", headers={"x-forwarded-for": "203.0.113.1"}).status_code == 429
        assert service.ask(None, "GET", "/healthz", headers={"x-forwarded-for": "203.0.113.2"}).status_code == 200
        # Whatever the client itself wrote before the proxy is not believed.
        forged = {"x-forwarded-for": "203.0.113.9, 203.0.113.1"}
        assert service.ask(None, "GET", "/healthz", headers=forged).status_code == 429


def test_nobody_chooses_an_address_for_themselves(tmp_path: Path) -> None:
    with Attacked(tmp_path) as service:
        service.house.rates = RateLimits(Rates(requests=Rate(1, 60_000, 30)))
        statuses = [
            service.ask(None, "GET", "/healthz", headers={"x-forwarded-for": f"203.0.113.{n}"}).status_code
            for n in range(60)
        ]
        assert statuses.count(429) >= 20
        assert service.configuration.trusted_proxy == ()


def test_metrics_are_not_for_whoever_comes_through_a_proxy(service: Attacked) -> None:
    assert service.ask(None, "GET", "/metrics").status_code == 200
    assert service.ask(None, "GET", "/metrics", headers={"x-forwarded-for": "203.0.113.1"}).status_code == 404


def test_sign_ins_and_guests_beyond_the_rate(tmp_path: Path) -> None:
    with Attacked(tmp_path, rate_limits=True, sign_ins_per_minute=3, guests_per_minute=3) as service:
        statuses = [service.ask(None, "POST", "/api/guests", {}).status_code for _ in range(5)]
        assert statuses == [201] * 3 + [429] * 2
        body = {"name": "Nobody", "password": "not a password"}
        statuses = [service.ask(None, "POST", "/api/sessions", body).status_code for _ in range(5)]
        assert statuses == [401] * 3 + [429] * 2


# How many.


def test_sockets_of_an_address_and_of_a_session(tmp_path: Path) -> None:
    with Attacked(tmp_path) as service, ExitStack() as stack:
        limited(service, commands=None, sockets=5, session_sockets=3)
        wires = [stack.enter_context(service.socket("patron", PIT)) for _ in range(3)]
        assert service.turned_away("patron", PIT)[0]["message"] == "You have too many sockets open."
        wires += [stack.enter_context(service.socket("other-patron", PIT)) for _ in range(2)]
        assert service.turned_away(None, PIT)[0]["reason"] == "too-often"
        wires[0].close()
        assert within(5, lambda: len(service.house.rates.sockets) == 4)
        stack.enter_context(service.socket("patron", PIT))


def test_sockets_of_a_process(tmp_path: Path) -> None:
    with Attacked(tmp_path, most_sockets=2) as service, ExitStack() as stack:
        for who in ("patron", None):
            stack.enter_context(service.socket(who, PIT))
        said, code = service.turned_away("dealer", PIT)
        assert (said["reason"], code) == ("busy", 1013)


def test_an_upgrade_that_fails_keeps_no_place(service: Attacked) -> None:
    """A few hundred of them would lock the address of many people out."""
    assert within(5, lambda: len(service.house.rates.sockets) == 0)
    for headers in (
        {"Sec-WebSocket-Key": "no key"},
        {"Sec-WebSocket-Version": "12"},
        {"Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA"},
    ):
        with pytest.raises(NotLetIn):
            service.socket(None, PIT, headers=headers)
    said, code = service.turned_away("patron", "no-such-table")
    assert (said["reason"], code) == ("not-found", 1008)
    request = (
        f"GET /api/tables/{PIT}/live HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    )
    for _ in range(20):
        with socket.create_connection(("127.0.0.1", service.port)) as gone:
            gone.sendall(request.encode())
    assert within(5, lambda: len(service.house.rates.sockets) == 0)
    assert within(5, lambda: not service.house.find(PIT).connections)


def test_connections_of_an_address(tmp_path: Path) -> None:
    """Those that say nothing count too, until their time is over."""
    with Attacked(tmp_path, rate_limits=True, sockets_per_address=5) as service, ExitStack() as stack:
        service.ask(None, "GET", "/healthz")
        for _ in range(9):
            stack.enter_context(socket.create_connection(("127.0.0.1", service.port)))
        assert within(5, lambda: len(service.house.rates.connections) == 10)
        with socket.create_connection(("127.0.0.1", service.port), 5) as one_more:
            try:
                one_more.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
                assert one_more.recv(100) == b""
            except ConnectionError:
                pass
        assert service.ask(None, "GET", "/healthz").status_code == 200, "who was here before is served"
        stack.close()
        assert within(5, lambda: len(service.house.rates.connections) == 1)
        assert service.raw(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").startswith(b"HTTP/1.1 200")


def test_connections_that_say_nothing_hold_no_memory(service: Attacked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_protocol, "HEAD_SECONDS", 1.0)
    gc.collect()
    with ExitStack() as stack:
        for number in range(200):
            slow = stack.enter_context(socket.create_connection(("127.0.0.1", service.port)))
            slow.sendall(b"GET /healthz HTTP/1.1\r\n" if number % 2 else b"")
        assert within(3, lambda: len(service._server.server_state.connections) >= 200)
        began = time.monotonic()
        assert service.ask(None, "GET", "/healthz").status_code == 200
        assert time.monotonic() - began < 2
        assert within(10, lambda: len(service._server.server_state.connections) <= 2)


def test_the_others_play_on_while_one_floods(tmp_path: Path) -> None:
    """Bounded here, on any machine; how much exactly is measured in bench/hostile.py."""
    with Attacked(tmp_path) as service, service.socket("other-patron", VIRTUAL) as wire:
        limited(service, commands=Rate(20, 1_000, 60))
        while wire.hear("event")["event"] != "betting-opened":
            pass

        def patience(count: int) -> float:
            taken = []
            for number in range(count):
                began = time.monotonic()
                said = {
                    "id": f"stake-{count}-{number:04}",
                    "do": "stake",
                    "wager": "tie",
                    "amount": 2000 + 100 * number,
                }
                assert wire.ask(said)["type"] == "accepted"
                taken.append(time.monotonic() - began)
            return statistics.median(taken)

        quiet = patience(15)
        with ExitStack() as stack:
            floods = [stack.enter_context(service.socket(who, VIRTUAL)) for who in ("patron", "guest", None)]
            for flood in floods:
                flood._plain.settimeout(1)
                try:
                    for number in range(400):
                        flood.say(message("stake", number))
                except (ConnectionError, TimeoutError):
                    pass
            loud = patience(16)
        assert loud < max(10 * quiet, 0.5)
