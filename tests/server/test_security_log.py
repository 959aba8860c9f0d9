"""What a head of security looks for in the log: who came in, who tried, who was not allowed, and who changed whom."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from puntobanco.server import logs
from puntobanco.server.persons import Role
from puntobanco.store.places import is_open_to_others
from server.attacked import PIT, Attacked
from server.running import serving

PASSWORD = "a long one that nobody has"


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Attacked]:
    logs._said.clear()
    with Attacked(tmp_path, log_format="json") as found:
        yield found


def said(service: Attacked, event: str) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in service.log.getvalue().splitlines()]
    return [each for each in found if each["event"] == event]


def test_who_signs_in_and_out_and_who_fails(service: Attacked) -> None:
    guest = service.come("Anna to be", Role.GUEST)
    body = {"name": "Anna", "password": PASSWORD}
    assert service.ask(guest, "POST", "/api/patrons", body).status_code == 201
    signed = service.ask(None, "POST", "/api/sessions", body)
    assert signed.status_code == 201
    (line,) = said(service, "signed-in")
    assert (line["person"], line["role"], line["address"]) == (guest.id, "patron", "127.0.0.1")
    assert line["level"] == "info"
    for _ in range(5):
        assert service.ask(None, "POST", "/api/sessions", {**body, "password": "a wrong one"}).status_code == 401
    assert service.ask(None, "POST", "/api/sessions", body).status_code == 429
    assert service.ask(None, "POST", "/api/sessions", {**body, "name": "Nobody"}).status_code == 401
    failed = said(service, "sign-in-failed")
    assert [each["reason"] for each in failed] == ["wrong-password"] * 5 + ["locked", "wrong-password"]
    assert [each.get("person") for each in failed] == [guest.id] * 5 + [None] * 2
    assert {each["address"] for each in failed} == {"127.0.0.1"}
    (locked,) = said(service, "account-locked")
    assert (locked["person"], locked["address"], locked["level"]) == (guest.id, "127.0.0.1", "warning")
    assert locked["request"] == failed[4]["request"], "what belongs together has one id"
    supervisor = service.who["supervisor"]
    assert service.ask(supervisor, "DELETE", "/api/session").status_code == 204
    assert [each["person"] for each in said(service, "signed-out")] == [supervisor.id]
    text = service.log.getvalue()
    assert PASSWORD not in text
    assert "a wrong one" not in text


def test_who_joins_the_staff_and_who_leaves(service: Attacked) -> None:
    director = service.who["director"]
    made = service.ask(director, "POST", "/api/staff", {"name": "Ghost", "role": "dealer"}).json()
    assert service.ask(director, "PATCH", f"/api/staff/{made['id']}", {"role": "supervisor"}).status_code == 200
    again = service.ask(director, "POST", f"/api/staff/{made['id']}/password", {}).json()
    assert service.ask(director, "DELETE", f"/api/staff/{made['id']}").status_code == 204
    lines = said(service, "staff-changed")
    assert [(each["what"], each["person"], each["role"], each["by"], each["level"]) for each in lines] == [
        (what, made["id"], role, director.id, "warning")
        for what, role in (
            ("added", "dealer"),
            ("role", "supervisor"),
            ("password", "supervisor"),
            ("removed", "supervisor"),
        )
    ]
    for each in (made, again):
        assert each["one_time_password"] not in service.log.getvalue()


def test_who_was_not_allowed_and_where(service: Attacked) -> None:
    dealer = service.who["dealer"]
    assert service.command(dealer, PIT, {"id": "resume-0001", "do": "resume"}).status_code == 403
    with service.socket(dealer, PIT) as wire:
        wire.hear("snapshot")
        assert wire.ask({"id": "resume-0002", "do": "resume"})["reason"] == "not-allowed"
    by_http, by_socket = said(service, "not-allowed")
    for line in (by_http, by_socket):
        assert (line["person"], line["role"], line["table"]) == (dealer.id, "dealer", PIT)
        assert (line["address"], line["level"]) == ("127.0.0.1", "warning")
    assert by_http["path"] == "/api/tables/{table}/commands"
    assert [each["person"] for each in said(service, "socket-opened")] == [dealer.id]


def test_every_request_has_a_line_with_who_and_how_long(service: Attacked) -> None:
    patron = service.who["patron"]
    assert service.ask(patron, "GET", f"/api/tables/{PIT}").status_code == 200
    (line,) = [each for each in said(service, "request") if each["path"] == "/api/tables/{table}"]
    assert (line["method"], line["status"], line["table"]) == ("GET", 200, PIT)
    assert len(line["request"]) == 12
    assert line["seconds"] >= 0


def test_pages_of_elsewhere_and_who_asks_too_often(tmp_path: Path) -> None:
    logs._said.clear()
    with Attacked(tmp_path, log_format="json", rate_limits=True, requests_per_second=5) as service:
        evil = {"Origin": "https://evil.example", "Content-Type": "application/json"}
        head = "".join(f"{name}: {value}\r\n" for name, value in evil.items())
        text = f"POST /api/guests HTTP/1.1\r\nHost: x\r\n{head}Content-Length: 2\r\nConnection: close\r\n\r\n{{}}"
        answers = [int(service.raw(text.encode()).split(b" ")[1]) for _ in range(40)]
        assert set(answers) == {403, 429}
        (wrong,), (often,) = said(service, "wrong-origin"), said(service, "too-often")
        assert (wrong["level"], often["level"]) == ("warning", "info")
        assert wrong["address"] == often["address"] == "127.0.0.1"


def test_right_passwords_are_not_counted(tmp_path: Path) -> None:
    with Attacked(tmp_path, rate_limits=True, sign_ins_per_minute=2) as service:
        guest = service.come("Anna to be", Role.GUEST)
        body = {"name": "Anna", "password": PASSWORD}
        assert service.ask(guest, "POST", "/api/patrons", body).status_code == 201

        def answers(password: str, times: int) -> list[int]:
            said = {**body, "password": password}
            return [service.ask(None, "POST", "/api/sessions", said).status_code for _ in range(times)]

        assert answers(PASSWORD, 6) == [201] * 6
        assert answers("a wrong one", 3) == [401, 401, 429]


def test_a_data_directory_that_others_may_look_into_is_told_of(tmp_path: Path) -> None:
    (tmp_path / "open").mkdir(mode=0o755)
    (tmp_path / "own").mkdir(mode=0o700)
    assert is_open_to_others(tmp_path / "open")
    assert not is_open_to_others(tmp_path / "own")
    with serving(tmp_path / "open", settings={"PUNTOBANCO_FIRST_TABLES": "manila"}) as running:
        assert [each for each in running.log().splitlines() if "setting-doubtful" in each and "chmod 700" in each]
        for path in (tmp_path / "open").glob("*"):
            assert path.stat().st_mode & 0o077 == 0, f"{path.name} is for its owner alone"
        assert (tmp_path / "open" / "derived.sqlite").exists()
