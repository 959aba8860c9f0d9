"""Sessions: what the cookie is, whose it stays, and when it ends, over HTTP and on sockets that are open."""

from collections.abc import Iterator
from http.cookies import SimpleCookie
from ipaddress import ip_network
from pathlib import Path

import httpx
import pytest

from puntobanco.server.persons import Role
from puntobanco.server.terms import DAY, HOUR, MINUTE
from server.attacked import PIT, Attacked, NotLetIn, Who

PASSWORD = "a heron on the pier"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacked]:
    with Attacked(tmp_path_factory.mktemp("data")) as found:
        yield found


@pytest.fixture(autouse=True)
def _clock_put_back(service: Attacked) -> Iterator[None]:
    yield
    service.clock.shift = 0


def token_of(answer: httpx.Response) -> str:
    return SimpleCookie(answer.headers["set-cookie"])["pb_session"].value


def guest(service: Attacked) -> Who:
    answer = service.ask(None, "POST", "/api/guests", {})
    found = answer.json()
    return Who(found["patron"], found["name"], Role.GUEST, token_of(answer))


def registered(service: Attacked, name: str) -> Who:
    answer = service.ask(guest(service), "POST", "/api/patrons", {"name": name, "password": PASSWORD})
    assert answer.status_code == 201, answer.text
    return Who(answer.json()["patron"], name, Role.PATRON, token_of(answer))


def is_signed_in(service: Attacked, who: Who) -> bool:
    return service.ask(who, "GET", "/api/me").status_code == 200


def with_token(token: str) -> Who:
    return Who("", "", Role.PATRON, token)


def attributes(answer: httpx.Response) -> set[str]:
    return {part.strip().lower() for part in answer.headers["set-cookie"].split(";")[1:]}


def test_the_cookie(service: Attacked) -> None:
    answer = service.ask(None, "POST", "/api/guests", {})
    assert {"httponly", "samesite=strict", "path=/"} <= attributes(answer)
    assert not [each for each in attributes(answer) if each.startswith("domain")], "for this host and no other"
    assert len(token_of(answer)) == 43, "256 bits"
    for other in (service.ask(None, "POST", "/api/guests", {}), service.ask("patron", "POST", "/api/guests", {})):
        assert token_of(other) != token_of(answer)


def test_the_cookie_behind_https(tmp_path_factory: pytest.TempPathFactory) -> None:
    with Attacked(tmp_path_factory.mktemp("data"), secure_cookies=True) as service:
        assert "secure" in attributes(service.ask(None, "POST", "/api/guests", {}))


def test_the_token_is_not_in_the_database(service: Attacked) -> None:
    who = guest(service)
    assert is_signed_in(service, who)
    stored = b"".join(path.read_bytes() for path in service.folder.iterdir() if path.is_file())
    assert who.id.encode() in stored
    assert who.token.encode() not in stored
    assert who.token not in service.log.getvalue()


def test_a_session_that_somebody_else_chose_is_none(service: Attacked) -> None:
    planted = with_token("x" * 43)
    assert not is_signed_in(service, planted)
    answer = service.ask(planted, "POST", "/api/guests", {})
    assert token_of(answer) != planted.token
    assert not is_signed_in(service, planted)


def test_that_nobody_is_signed_in_is_no_error(service: Attacked) -> None:
    for nobody in (None, with_token("x" * 43)):
        answer = service.ask(nobody, "GET", "/api/session")
        assert (answer.status_code, answer.json()) == (200, {"patron": None, "role": None})
    patron = service.who["patron"]
    assert service.ask(patron, "GET", "/api/session").json()["role"] == "patron"


def test_two_sessions_in_one_request_are_none(service: Attacked) -> None:
    token = service.who["patron"].token
    both = {"cookie": f"pb_session={token}; pb_session={'x' * 43}"}
    assert service.ask(None, "GET", "/api/me", headers=both).status_code == 401
    assert service.ask(None, "GET", "/api/me", headers={"cookie": f"pb_session={token}"}).status_code == 200


@pytest.mark.parametrize(
    "token", ["", "x", "x" * 42, "x" * 44, "x" * 4000, "%00" * 14 + "x", "'; DROP TABLE session", "é" * 43]
)
def test_tokens_that_are_none(service: Attacked, token: str) -> None:
    headers = {"cookie": f"pb_session={token}".encode("latin-1").decode("latin-1")}
    answer = service.raw(
        f"GET /api/me HTTP/1.1\r\nHost: x\r\nCookie: {headers['cookie']}\r\nConnection: close\r\n\r\n".encode(
            "latin-1"
        ),
        wait=3,
    )
    assert b" 401 " in answer.split(b"\r\n")[0]


def test_registering_gives_a_new_session_and_ends_the_old_one(service: Attacked) -> None:
    came = guest(service)
    with service.socket(came, PIT) as wire:
        wire.hear("snapshot")
        answer = service.ask(came, "POST", "/api/patrons", {"name": "Berta", "password": PASSWORD})
        now = with_token(token_of(answer))
        assert answer.json()["patron"] == came.id
        assert now.token != came.token
        assert (is_signed_in(service, came), is_signed_in(service, now)) == (False, True)
        assert wire.is_closed(), "what was opened as a guest does not go on as a patron"


def test_signing_in_gives_a_new_session_and_ends_that_of_the_browser(service: Attacked) -> None:
    first = registered(service, "Carla")
    visitor = guest(service)
    answer = service.ask(visitor, "POST", "/api/sessions", {"name": "Carla", "password": PASSWORD})
    now = with_token(token_of(answer))
    assert now.token not in (first.token, visitor.token)
    assert not is_signed_in(service, visitor)
    assert is_signed_in(service, first), "another browser of hers stays signed in"
    assert is_signed_in(service, now)


def test_another_password_ends_every_session(service: Attacked) -> None:
    first = registered(service, "Dora")
    second = with_token(token_of(service.ask(None, "POST", "/api/sessions", {"name": "Dora", "password": PASSWORD})))
    with service.socket(second, PIT) as wire:
        wire.hear("snapshot")
        answer = service.ask(first, "POST", "/api/password", {"old": PASSWORD, "new": "two herons on the pier"})
        assert answer.status_code == 204
        assert not is_signed_in(service, first)
        assert not is_signed_in(service, second)
        assert is_signed_in(service, with_token(token_of(answer)))
        assert wire.is_closed()


def test_another_role_ends_every_session(service: Attacked) -> None:
    dealer = service.come("Promoted", Role.DEALER)
    with service.socket(dealer, PIT) as wire:
        wire.hear("snapshot")
        assert is_signed_in(service, dealer)
        service.run(service.house.people.give_role(dealer.id, Role.SUPERVISOR))
        assert not is_signed_in(service, dealer)
        assert wire.is_closed()


def test_who_leaves_the_staff_is_out_at_once(service: Attacked) -> None:
    dealer = service.come("Leaving", Role.DEALER)
    with service.socket(dealer, PIT) as wire:
        wire.hear("snapshot")
        assert service.ask("director", "DELETE", f"/api/staff/{dealer.id}").status_code == 204
        assert not is_signed_in(service, dealer)
        assert wire.is_closed()


def test_signing_out(service: Attacked) -> None:
    who = guest(service)
    with service.socket(who, PIT) as wire, service.socket(who, PIT) as another:
        wire.hear("snapshot")
        another.hear("snapshot")
        answer = service.ask(who, "DELETE", "/api/session")
        assert answer.status_code == 204
        assert "max-age=0" in attributes(answer)
        assert not is_signed_in(service, who)
        assert wire.is_closed()
        assert another.is_closed()
    with pytest.raises(NotLetIn) as refused:
        service.socket(who, PIT)
    assert refused.value.status == 401
    assert service.house.sockets == {}


@pytest.mark.parametrize("role", [Role.GUEST, Role.PATRON, Role.DEALER, Role.DIRECTOR])
def test_a_session_lapses(service: Attacked, role: Role) -> None:
    settings = service.configuration
    idle, longest = settings.staff_idle_minutes * MINUTE, settings.staff_session_hours * HOUR
    if role in (Role.GUEST, Role.PATRON):
        idle, longest = settings.patron_idle_hours * HOUR, settings.patron_session_days * DAY
    resting, busy = service.come("Resting", role), service.come("Busy", role)
    assert is_signed_in(service, resting)
    service.clock.shift = idle - MINUTE
    assert is_signed_in(service, resting)
    assert is_signed_in(service, busy)
    service.clock.shift += idle + MINUTE
    assert not is_signed_in(service, resting), "nothing was heard of it for too long"
    # Whoever comes again and again is out in the end all the same.
    busy = service.come("Busy again", role)
    began = service.clock.shift
    while service.clock.shift - began < longest - idle // 2:
        assert is_signed_in(service, busy)
        service.clock.shift += idle // 2
    service.clock.shift = began + longest + 1
    assert not is_signed_in(service, busy)


def test_a_socket_does_not_outlive_its_session(service: Attacked) -> None:
    dealer = service.come("Idle", Role.DEALER)
    with service.socket(dealer, PIT) as wire:
        assert wire.ask({"id": "dealer-0001", "do": "open-shoe"})["type"] == "accepted"
        service.clock.shift = 31 * MINUTE
        answer = wire.ask({"id": "dealer-0002", "do": "pause", "reason": "Nobody is here."})
        assert (answer["type"], answer["reason"]) == ("refused", "not-signed-in")
        answer = wire.ask({"id": "dealer-0003", "do": "pause", "reason": "Nobody is here."})
        assert answer["reason"] == "not-signed-in"


def test_guesses_are_counted_over_http(service: Attacked) -> None:
    """A name is locked after repeated failures, whether somebody has it or not, and the right password waits too."""
    registered(service, "Frieda")
    for name in ("Frieda", "Nobody Of That Name"):
        answers = []
        for _ in range(service.configuration.wrong_passwords + 1):
            answer = service.ask(None, "POST", "/api/sessions", {"name": name, "password": "not her password"})
            answers.append((answer.status_code, answer.json()["error"]["reason"], answer.json()["error"]["message"]))
        assert {each[:2] for each in answers[:-1]} == {(401, "wrong-password")}
        assert answers[-1][:2] == (429, "locked")
        assert name not in str(answers)
    answer = service.ask(None, "POST", "/api/sessions", {"name": "Frieda", "password": PASSWORD})
    assert (answer.status_code, answer.json()["error"]["reason"]) == (429, "locked")
    service.clock.shift = 2 * MINUTE
    assert service.ask(None, "POST", "/api/sessions", {"name": "Frieda", "password": PASSWORD}).status_code == 201


def test_guesses_from_elsewhere_keep_nobody_out(tmp_path: Path) -> None:
    with Attacked(tmp_path, trusted_proxy=(ip_network("127.0.0.0/8"),)) as service:
        registered(service, "Gerda")

        def sign_in(password: str, address: str) -> int:
            body = {"name": "Gerda", "password": password}
            return service.ask(None, "POST", "/api/sessions", body, headers={"x-forwarded-for": address}).status_code

        assert [sign_in("not her password", "203.0.113.9") for _ in range(6)] == [401] * 5 + [429]
        assert sign_in(PASSWORD, "203.0.113.9") == 429
        assert sign_in(PASSWORD, "198.51.100.1") == 201
