"""Bodies that are no JSON, or not ours; bodies and heads without end. Each gets an answer of the one shape."""

import json
import socket
import time
from collections.abc import Iterator

import pytest

from puntobanco.server import guards, http_protocol
from server.attacked import PIT, Attacked
from server.everything import ROUTES, path_of

JSON = "application/json"
WITH_A_BODY = sorted(route for route, row in ROUTES.items() if row.example is not None)

BAD_BODIES = {
    "nothing": b" ",
    "no object": b"[]",
    "a number": b"1",
    "a number out of range": b"1e999",
    "a number out of range in a field": b'{"amount":1e999}',
    "half a character": b'{"name":"\\ud800","password":"\\udfff"}',
    "half a character as a name": b'{"\\ud800":1}',
    "no UTF-8": b'{"name":"\xff\xfe"}',
    "half a character in UTF-8": b'{"name":"\xed\xa0\x80"}',
    "a byte order mark": b"\xef\xbb\xbf{}",
    "UTF-16": "{}".encode("utf-16"),
    "UTF-32": "{}".encode("utf-32"),
    "NUL": b"\x00",
    "NUL in a text": b'{"name":"a\x00b","password":"c"}',
    "a line end in a text": b'{"name":"a\nb","password":"c"}',
    "not a number": b'{"amount":NaN}',
    "deep": b"[" * 60_000,
    "deep objects": b'{"a":' * 12_000,
    "a name twice": b'{"id":"12345678","id":"12345678"}',
    "a name twice in other letters": b'{"id":"12345678","i\\u0064":"12345678"}',
    "a name twice, deep": b'{"limits":{"tie":{"step":1,"step":2}}}',
    "two values": b"{}{}",
    "a comment": b"{/**/}",
    "one comma too many": b'{"id":"12345678",}',
    "single quotes": b"{'id':'12345678'}",
    "cut off": b'{"id":"1234',
    "5,000 digits": b'{"amount":' + b"9" * 5_000 + b"}",
    "a form": b"id=12345678",
}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacked]:
    with Attacked(tmp_path_factory.mktemp("data")) as found:
        yield found


def who_may(route: tuple[str, str]) -> str | None:
    allowed = ROUTES[route].allowed
    return next((who for who in ("director", "dealer", "patron") if who in allowed), None)


@pytest.mark.parametrize("wrong", BAD_BODIES)
def test_bodies_that_are_not_json(service: Attacked, wrong: str) -> None:
    """Two of these, 1e999 and half a character, crash the default handler of FastAPI."""
    for route in WITH_A_BODY:
        answer = service.ask(who_may(route), route[0], path_of(route), BAD_BODIES[wrong])
        assert answer.status_code == 400, (route, answer.text)
        assert set(answer.json()["error"]) == {"reason", "clause", "message"}


@pytest.mark.parametrize("wrong", [each for each in BAD_BODIES if len(BAD_BODIES[each]) <= 4096])
def test_messages_that_are_not_json(service: Attacked, wrong: str) -> None:
    with service.socket("patron", PIT) as wire:
        answer = wire.ask(BAD_BODIES[wrong])
        assert (answer["type"], answer["id"], answer["reason"]) == ("refused", None, "malformed")
        # And the connection goes on.
        assert wire.ask({"id": "still-here", "do": "stake", "wager": "tie", "amount": 1})["id"] == "still-here"


@pytest.mark.parametrize(
    "kind",
    ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "text/json", "application/jsonp"],
)
def test_only_json_is_read(service: Attacked, kind: str) -> None:
    """A page of another site can send the first of these without asking first."""
    answer = service.ask("patron", "POST", "/api/guests", b"{}", headers={"content-type": kind})
    assert answer.status_code == 400
    assert (
        service.ask(None, "POST", "/api/guests", b"{}", headers={"content-type": f"{JSON}; charset=utf-8"}).status_code
        == 201
    )


def test_the_longest_body(service: Attacked) -> None:
    padding = guards.BODY_LIMIT - 2
    for route in WITH_A_BODY:
        body = b"{" + b" " * padding + b"}"
        assert len(body) == guards.BODY_LIMIT
        if "commands" not in route[1]:
            assert service.ask(who_may(route), route[0], path_of(route), body).status_code != 413, route
        answer = service.ask(who_may(route), route[0], path_of(route), b" " + body)
        assert (answer.status_code, answer.json()["error"]["reason"]) == (413, "too-large"), route


def test_a_command_is_as_short_as_on_the_socket(service: Attacked) -> None:
    message = json.dumps({"id": "12345678", "do": "resume"}).encode()
    assert service.command("patron", PIT, message + b" " * (4096 - len(message))).status_code == 403
    assert service.command("patron", PIT, message + b" " * (4097 - len(message))).status_code == 413


HEAD = b"POST /api/guests HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"


def status_of(answer: bytes) -> int:
    assert answer.startswith(b"HTTP/1.1 "), answer[:100]
    assert json.loads(answer.partition(b"\r\n\r\n")[2])["error"]["reason"]
    return int(answer.split(b" ")[1])


def test_a_chunked_body_without_end(service: Attacked) -> None:
    with socket.create_connection(("127.0.0.1", service.port), 10) as connection:
        connection.sendall(HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
        chunk, sent, answer = b"1000\r\n" + b" " * 4096 + b"\r\n", 0, b""
        try:
            while sent < 100:
                connection.sendall(chunk)
                sent += 1
            answer = connection.recv(65536)
        except ConnectionError:
            pass
    # Whether the answer arrives before the end of the connection is for the network to say.
    assert not answer or answer.startswith(b"HTTP/1.1 413 ")
    assert service.ask(None, "GET", "/healthz").status_code == 200


@pytest.mark.parametrize(
    "framing",
    [
        b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
        b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
        b"Transfer-Encoding: gzip, identity\r\nContent-Length: 2\r\n\r\n{}",
        b"Content-Length: -1\r\n\r\n",
        b"Content-Length: 99999999999999999999\r\n\r\n",
        b"Content-Length: 1e1\r\n\r\n",
        b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n",
        b"Transfer-Encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n",
        b"Bad\x00Header: 1\r\n\r\n",
        b"No colon at all\r\n\r\n",
    ],
)
def test_framing_that_two_servers_would_read_differently(service: Attacked, framing: bytes) -> None:
    assert status_of(service.raw(HEAD + framing, wait=3)) == 400


@pytest.mark.parametrize(
    "text",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 100,
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET /\xff\xfe HTTP/1.1\r\nHost: x\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"\x00" * 50,
    ],
)
def test_what_is_no_http(service: Attacked, text: bytes) -> None:
    assert status_of(service.raw(text, wait=3)) in (400, 404)


@pytest.mark.parametrize(
    "head",
    [
        b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /" + b"a" * 200_000,
        b"GET / HTTP/1.1\r\nHost: x\r\nCookie: " + b"a" * 200_000,
        b"GET / HTTP/1.1\r\nHost: x\r\n" + b"A: b\r\n" * 2_000 + b"\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\n" + b"".join(b"H%d: %s\r\n" % (n, b"x" * 500) for n in range(50)) + b"\r\n",
        b"GET / HTTP/1.1\r\n" + b"a" * 20_000,
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n0\r\n" + b"Trailer: yes\r\n" * 2_000,
    ],
    ids=range(7),
)
def test_heads_without_end(service: Attacked, head: bytes) -> None:
    assert status_of(service.raw(head, wait=5)) == 413


def test_a_long_address(service: Attacked) -> None:
    answer = service.ask(None, "GET", "/api/tables?" + "a" * 3_000)
    assert answer.status_code == 413


@pytest.mark.parametrize(
    "start", [b"", b"GET /healthz HTTP/1.1\r\n", b"\r\n"], ids=["silent", "half a head", "line ends"]
)
def test_a_head_has_its_time(service: Attacked, start: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """One byte now and then does not hold a connection for ever."""
    monkeypatch.setattr(http_protocol, "HEAD_SECONDS", 0.6)
    with socket.create_connection(("127.0.0.1", service.port), 10) as connection:
        connection.sendall(start)
        began = time.monotonic()
        try:
            while time.monotonic() - began < 5:
                connection.settimeout(0.1)
                try:
                    answer = connection.recv(65536)
                    break
                except TimeoutError:
                    connection.sendall(b"\r\n" if start == b"\r\n" else b"X-A: b\r\n" if start else b"")
            else:
                raise AssertionError("it was waited for without end")
        except ConnectionError:
            answer = b""
    assert not answer or b"too-slow" in answer


def test_the_time_of_a_head_begins_anew_with_each_request(service: Attacked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_protocol, "HEAD_SECONDS", 0.5)
    with socket.create_connection(("127.0.0.1", service.port), 10) as connection:
        for _ in range(3):
            connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            answer = b""
            while b'"ok"' not in answer:
                part = connection.recv(65536)
                assert part
                answer += part
            time.sleep(0.3)
        connection.sendall(b"GET /healthz HT")
        assert b"too-slow" in connection.recv(65536)


def test_a_body_has_its_time(service: Attacked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guards, "BODY_SECONDS", 0.3)
    answer = service.raw(HEAD + b"Content-Length: 10\r\n\r\n{", wait=5)
    assert status_of(answer) == 400
    assert b"too-slow" in answer


def test_an_answer_that_is_not_read(service: Attacked, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who asks for more than they take is cut off, and holds no memory."""
    monkeypatch.setattr(http_protocol, "UNREAD_SECONDS", 0.5)
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.settimeout(10)
        connection.connect(("127.0.0.1", service.port))
        connection.sendall(b"GET /api/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n" * 60)
        time.sleep(1.5)
        taken = 0
        try:
            while part := connection.recv(65536):
                taken += len(part)
        except ConnectionError:
            pass
    whole = 60 * len(service.ask(None, "GET", "/api/openapi.json").content)
    assert taken < whole / 2


def test_a_failure_of_ours_is_answered_too(service: Attacked, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_: object) -> None:
        raise RuntimeError("a secret")

    monkeypatch.setattr(service.house, "find", fails)
    answer = service.ask(None, "GET", f"/api/tables/{PIT}")
    assert (answer.status_code, answer.json()["error"]["reason"]) == (503, "fault")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "a secret" not in answer.text + service.log.getvalue()
    assert "fault=RuntimeError" in service.log.getvalue()
