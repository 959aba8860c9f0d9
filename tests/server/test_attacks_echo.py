"""Errors that repeat what was sent: a word that nobody else knows, in every place, is in no error and no log."""

import copy
import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

from server.attacked import PIT, VIRTUAL, Attacked, NotLetIn
from server.everything import MESSAGES, NOBODY, ROUTES, message, path_of

CANARY = "canary7f3e9"
ODD = f"<{CANARY}>\u202e\x00\n'\""
"""Not a value of any field."""
LONG = CANARY * 300


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacked]:
    with Attacked(tmp_path_factory.mktemp("data")) as found:
        yield found


@pytest.fixture(autouse=True)
def _nothing_in_the_log(service: Attacked) -> Iterator[None]:
    yield
    assert CANARY not in service.log.getvalue()


def changed(body: Any) -> Iterator[Any]:
    """The body with the word in each of its places, one after the other, as a name and as a value."""
    for word in (CANARY, ODD, LONG):
        if isinstance(body, dict):
            yield {**body, word: 1}
            for name, value in body.items():
                yield {**body, name: word}
                for inner in changed(value):
                    yield {**body, name: inner}
        elif isinstance(body, list):
            for place in range(len(body)):
                other = copy.copy(body)
                other[place] = word
                yield other


def check(status: int, text: str, headers: str = "") -> None:
    assert status < 500 or status == 503, text
    if status >= 400:
        assert CANARY not in text.lower(), text
        assert '"fault"' not in text, text
    assert CANARY not in headers.lower()


@pytest.mark.parametrize("route", sorted(ROUTES), ids=" ".join)
def test_over_http(service: Attacked, route: tuple[str, str]) -> None:
    row = ROUTES[route]
    who = next((who for who in ("director", "patron", "dealer") if who in row.allowed), None)
    asker = None if NOBODY in row.allowed else who
    if row.takes_somebody_new and who is not None:
        asker = None
    for body in changed(row.example) if row.example is not None else ():
        if route == ("POST", "/api/tables") and body["id"] == CANARY:
            continue  # That would be a good id of a table, and be logged as one.
        answer = service.ask(asker, route[0], path_of(route), body)
        check(answer.status_code, answer.text, str(answer.headers))
    for name in row.parameters:
        for word in (CANARY, f"%00{CANARY}", f"..%2f{CANARY}", f"%ff{CANARY}", f"{CANARY}%0d%0aX-A:%20b"):
            path = route[1].format(**{**row.parameters, name: word})
            answer = service.ask(asker, route[0], path, row.example)
            check(answer.status_code, answer.text, str(answer.headers))
    for query in (f"?{CANARY}=1", f"?before={CANARY}", f"?limit={CANARY}&state={CANARY}&since={CANARY}&table={CANARY}"):
        answer = service.ask(asker, route[0], path_of(route) + query, row.example)
        check(answer.status_code, answer.text, str(answer.headers))


@pytest.mark.parametrize("kind", sorted(MESSAGES))
def test_in_messages(service: Attacked, kind: str) -> None:
    who = next(who for who in ("patron", "dealer", "supervisor") if who in MESSAGES[kind].allowed)
    with service.socket(who, PIT) as wire:
        for number, said in enumerate(changed(message(kind))):
            answer = service.command(who, PIT, said)
            text = answer.text.replace(json.dumps(said.get("id")), '""')
            check(answer.status_code, text, str(answer.headers))
            if len(json.dumps(said)) <= 4096:
                heard = wire.ask(
                    {**said, "id": f"{kind[:20]}-{number:08}"} if said["id"] == message(kind)["id"] else said
                )
                # Why a table is paused is there for everybody to read.
                if heard["type"] == "refused" and heard["reason"] != "paused":
                    # The id of a message goes back to whoever sent it, and only there.
                    check(400, json.dumps({**heard, "id": None}))


def test_in_headers(service: Attacked) -> None:
    names = [
        "user-agent",
        "referer",
        "x-forwarded-for",
        "accept",
        "accept-language",
        "x-request-id",
        "forwarded",
        "via",
    ]
    names += ["authorization", "if-none-match", "range", "origin", "sec-fetch-site", "content-type", "te", "x-real-ip"]
    for name in names:
        for method, path in (("GET", "/api/me"), ("POST", "/api/guests"), ("GET", "/api/none"), ("GET", "/metrics")):
            body: object = {} if method == "POST" else None
            answer = service.ask("patron", method, path, body, headers={name: CANARY})
            if answer.status_code != 201:
                check(answer.status_code, answer.text, str(answer.headers))
    answer = service.ask(None, "GET", "/api/me", headers={"cookie": f"pb_session={CANARY}; {CANARY}={CANARY}"})
    check(answer.status_code, answer.text, str(answer.headers))
    for text in (
        f"GET /api/me HTTP/1.1\r\nHost: {CANARY}\r\nConnection: close\r\n\r\n",
        f"{CANARY} /api/me HTTP/1.1\r\nHost: x\r\n\r\n",
        f"GET /{CANARY} HTTP/{CANARY}\r\nHost: x\r\n\r\n",
        f"GET / HTTP/1.1\r\n{CANARY}\r\n\r\n",
        f"GET http://{CANARY}/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        f"OPTIONS * HTTP/1.1\r\nHost: {CANARY}\r\nConnection: close\r\n\r\n",
        f"CONNECT {CANARY}:80 HTTP/1.1\r\nHost: {CANARY}\r\nConnection: close\r\n\r\n",
        f"GET /api/me HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: {CANARY}\r\n\r\n",
    ):
        answered = service.raw(text.encode(), wait=1).decode("latin-1")
        check(int(answered.split(" ")[1]) if answered else 400, answered)


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-WebSocket-Key": CANARY},
        {"Sec-WebSocket-Key": ""},
        {"Sec-WebSocket-Version": CANARY},
        {"Sec-WebSocket-Version": "8"},
        {"Origin": f"http://{CANARY}"},
        {"Cookie": f"pb_session={CANARY * 4}"[:54]},
        {"Cookie": "pb_session=" + (CANARY * 4)[:43]},
    ],
    ids=str,
)
def test_in_the_request_for_a_socket(service: Attacked, headers: dict[str, str]) -> None:
    with suppress(NotLetIn), service.socket(None, VIRTUAL, headers=headers) as wire:
        assert headers.keys() == {"Cookie"}, "who has no good cookie watches"
        assert CANARY not in json.dumps(wire.hear())
        return
    with pytest.raises(NotLetIn) as refused:
        service.socket(None, PIT, headers=headers)
    check(refused.value.status, refused.value.body.decode(), refused.value.head)
    assert "nosniff" in refused.value.head


def test_in_the_name_of_a_table_at_a_socket(service: Attacked) -> None:
    assert CANARY not in json.dumps(service.turned_away("patron", CANARY)[0])


@pytest.mark.parametrize("where", [f"{PIT}?after={CANARY}", f"{PIT}?{CANARY}=1", f"%00{CANARY}", "x" * 3_000])
def test_in_the_address_of_a_socket(service: Attacked, where: str) -> None:
    table, _, query = where.partition("?")
    with pytest.raises(NotLetIn) as refused:
        service.socket("patron", f"{table}/live?{query}#" if query else table)
    check(refused.value.status, refused.value.body.decode(), refused.value.head)
    assert refused.value.status in (400, 404, 413)


def test_words_of_a_protocol_are_not_chosen_by_whoever_asks(service: Attacked) -> None:
    with service.socket(
        "patron", PIT, headers={"Sec-WebSocket-Protocol": CANARY, "Sec-WebSocket-Extensions": "permessage-deflate"}
    ) as wire:
        assert wire.hear("snapshot")["table"]["id"] == PIT
