"""Words that others see: nothing invisible, nothing that turns the text round it, and markup only as its characters."""

import json
import unicodedata
from collections.abc import Iterator
from typing import Any

import pytest

from puntobanco.server.problems import Problem
from puntobanco.server.texts import plain_text
from server.attacked import PIT, Attacked
from server.everything import MESSAGES, ROUTES, message, path_of
from server.test_attacks_amounts import numbers_in

UNSEEN = {
    "right-to-left override": "a\u202eb",
    "left-to-right embedding": "a\u202ab",
    "isolate": "a\u2066b\u2069",
    "arabic letter mark": "a\u061cb",
    "zero-width space": "a\u200bb",
    "zero-width joiner": "a\u200db",
    "word joiner": "a\u2060b",
    "byte order mark": "\ufeffab",
    "soft hyphen": "a\u00adb",
    "combining grapheme joiner": "a\u034fb",
    "Hangul filler": "a\u3164b",
    "halfwidth filler": "a\uffa0b",
    "blank Braille": "a\u2800b",
    "variation selector": "a\ufe00b",
    "supplementary selector": "a\U000e0100b",
    "tag letters": "a\U000e0041b",
    "private use": "a\ue000b",
    "not assigned": "a\u0378b",
    "not a character": "a\uffffb",
    "NUL": "a\x00b",
    "escape": "a\x1b[31mb",
    "line end": "a\x85b",
    "line separator": "a\u2028b",
    "no-break space": "a\u00a0b",
    "a stack of marks": "a" + "\u0301\u0300\u0302\u0303\u0304\u0306" + "b",
}
MARKUP = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "<svg/onload=alert(1)>",
    "javascript:alert(1)",
    "{{7*7}}${7*7}<%= 7*7 %>",
    "</title><b>",
    "&lt;script&gt;",
    "'; DROP TABLE person; --",
]

WORDS_OF_MESSAGES = {
    kind: field for kind, row in MESSAGES.items() for field in ("note", "reason") if field in row.example
}
WORDS_OF_ROUTES = {
    ("POST", "/api/adjustments"): ["reason"],
    ("POST", "/api/requests/{request_id}/decline"): ["note"],
    ("POST", "/api/desk/issues"): ["reason"],
    ("POST", "/api/desk/returns"): ["reason"],
    ("POST", "/api/disputes"): ["said"],
    ("POST", "/api/disputes/{dispute_id}/decide"): ["decision"],
    ("POST", "/api/tables"): ["name"],
    ("PATCH", "/api/tables/{table}"): ["name"],
}
NAMES_OF_ROUTES = {("POST", "/api/patrons"): ["name"], ("POST", "/api/staff"): ["name"]}
NO_WORDS = {
    "id",
    "patron",
    "unit",
    "gives",
    "takes",
    "table",
    "password",
    "old",
    "new",
    "to",
    "game",
    "system",
    "wager",
}
NO_WORDS |= {
    "remove",
    "seen",
    "currency",
    "role",
    "outcome",
    "account",
    "dealing",
    "composition",
    "stake",
    "loss",
    "limits",
    "reading",
    "burn",
    "overrides",
}
NO_WORDS |= {"do", "card", "cards", "shown", "deal", "set_aside", "taken_up", "keyed", "drawn", "request", "stakes"}
NO_WORDS |= {"commitment", "nonce", "counted", "irregularity", "hand"}
"""Texts that are ids, names of things that there are, secrets or cards."""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacked]:
    with Attacked(tmp_path_factory.mktemp("data")) as found:
        yield found


def test_every_text_of_the_service_is_tried(service: Attacked) -> None:
    description = service.ask(None, "GET", "/api/openapi.json").json()
    schemas = json.loads(json.dumps(description["components"]["schemas"]).replace('"string"', '"integer"'))
    for (method, path), row in ROUTES.items():
        body = description["paths"][path][method.lower()].get("requestBody")
        if body is not None:
            names = numbers_in(body, schemas) - numbers_in(body, description["components"]["schemas"]) - {""}
            tried = {*WORDS_OF_ROUTES.get((method, path), []), *NAMES_OF_ROUTES.get((method, path), [])}
            tried |= set(WORDS_OF_MESSAGES.values()) if path.endswith("/commands") else set()
            tried |= {"name"} if path == "/api/sessions" else set()  # Only somebody's own is found by it.
            assert names - NO_WORDS <= tried, (method, path, row.example)


@pytest.mark.parametrize("what", UNSEEN)
def test_what_cannot_be_seen_is_refused(service: Attacked, what: str) -> None:
    text = UNSEEN[what]
    for number, (kind, field) in enumerate(WORDS_OF_MESSAGES.items()):
        who = "dealer" if "dealer" in MESSAGES[kind].allowed else "supervisor"
        answer = service.command(who, PIT, {**message(kind, number), field: text})
        assert (answer.status_code, answer.json()["error"]["reason"]) == (400, "malformed"), kind
    for route, fields in (WORDS_OF_ROUTES | NAMES_OF_ROUTES).items():
        for field in fields:
            who = "guest" if route[1] == "/api/patrons" else "patron" if route[1] == "/api/disputes" else "director"
            body = {**ROUTES[route].example, field: text}
            if route[1] == "/api/disputes/{dispute_id}/decide" or route[1] == "/api/disputes":
                continue  # These have a test of their own, with a dispute that is there.
            if what == "no-break space" and route in NAMES_OF_ROUTES:
                continue  # In a name it is another way to write a space.
            answer = service.ask(who, route[0], path_of(route), body)
            assert answer.status_code == 400, (route, field, answer.text)
            assert answer.json()["error"]["reason"] in ("malformed", "name-refused")


@pytest.mark.parametrize("what", UNSEEN)
def test_what_cannot_be_seen_in_a_dispute(what: str) -> None:
    from puntobanco.server.disputes import _words

    with pytest.raises(Problem):
        _words(f"I had a natural.\n{UNSEEN[what]}")
    assert _words(" I had\n a natural. ") == "I had\na natural."


@pytest.mark.parametrize("markup", MARKUP)
def test_markup_is_no_name(service: Attacked, markup: str) -> None:
    body = {"name": markup[:60], "password": "a heron on the pier"}
    answer = service.ask("guest", "POST", "/api/patrons", body)
    assert (answer.status_code, answer.json()["error"]["reason"]) == (400, "name-refused")
    answer = service.ask("director", "POST", "/api/staff", {"name": markup[:60], "role": "dealer"})
    assert (answer.status_code, answer.json()["error"]["reason"]) == (400, "name-refused")


def shown_to_all(service: Attacked, text: str) -> Any:
    """What somebody at the table is told when a dealer pauses it with these words."""
    with service.socket("patron", PIT) as wire:
        wire.hear("snapshot")
        number = abs(hash(text)) % 10**8
        answer = service.command("dealer", PIT, {"id": f"pause-{number:08}", "do": "pause", "reason": text})
        assert answer.status_code == 200, answer.text
        told = wire.hear("event")
        service.command("supervisor", PIT, {"id": f"resume-{number:08}", "do": "resume"})
    return told["reason"]


@pytest.mark.parametrize("markup", MARKUP)
def test_markup_in_a_note_is_told_as_its_characters(service: Attacked, markup: str) -> None:
    assert shown_to_all(service, markup) == markup
    # Where it is read over HTTP, no browser takes it for a page.
    for path in (f"/api/tables/{PIT}", "/api/tables", "/api/openapi.json", "/api/nothing", "/healthz"):
        answer = service.ask("patron", "GET", path)
        assert answer.headers["content-type"].startswith("application/json")
        assert answer.headers["x-content-type-options"] == "nosniff"
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'; script-src 'self'" in policy
        assert "unsafe-inline" not in policy
        assert "frame-ancestors 'none'" in policy


def test_one_way_to_write_a_text(service: Attacked) -> None:
    apart = unicodedata.normalize("NFD", "  Der Kaffee läuft über den Schuh ")
    assert shown_to_all(service, apart) == "Der Kaffee läuft über den Schuh"
    assert shown_to_all(service, "咖啡洒了 ❤\ufe0f") == "咖啡洒了 ❤"
    with pytest.raises(Problem):
        plain_text("   ")
    assert plain_text(" ", needed=False) == ""


def test_a_name_is_the_same_in_all_its_letters(service: Attacked) -> None:
    """Whoever takes the name of another in other letters is told that it is taken, or that it is no name."""
    password = "a heron on the pier"
    answer = service.ask(
        service.come("One", service.who["guest"].role), "POST", "/api/patrons", {"name": "Marta", "password": password}
    )
    assert answer.status_code == 201
    for other in ("MARTA", " marta ", "\uff2darta", "\u041carta", "M\u0430rta"):
        guest = service.come("Other", service.who["guest"].role)
        answer = service.ask(guest, "POST", "/api/patrons", {"name": other, "password": password})
        assert answer.json()["error"]["reason"] in ("name-taken", "name-refused"), other
