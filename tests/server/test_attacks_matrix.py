"""Who may do what: every message and every route, for every role, over HTTP and the socket."""

from collections.abc import Iterator

import httpx
import pytest
from starlette.routing import Route

from puntobanco.server.app import application
from puntobanco.server.persons import Role
from server.attacked import PIT, VIRTUAL, Attacked, Who
from server.everything import MESSAGES, NOBODY, ROUTES, WHO, Row, kinds, message, path_of, routes_of

NOT_ALLOWED = {"not-signed-in", "not-allowed", "change-password"}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacked]:
    with Attacked(tmp_path_factory.mktemp("data")) as found:
        assert found.ask("director", "POST", "/api/tables", {"id": "spare", "game": "manila"}).status_code == 201
        yield found


def somebody(who: str) -> str | None:
    return None if who == NOBODY else who


def refusal(who: str) -> tuple[int, str]:
    return (401, "not-signed-in") if who == NOBODY else (403, "not-allowed")


def is_right(who: str, row: Row, answer: httpx.Response) -> bool:
    """Whether who may is let through, whatever the rules then say, and who may not is told so."""
    reason = answer.json()["error"]["reason"] if answer.status_code >= 400 else None
    if who in row.allowed:
        return reason not in NOT_ALLOWED and answer.status_code < 500
    return (answer.status_code, reason) == refusal(who)


def test_every_message_has_a_row() -> None:
    assert set(MESSAGES) == kinds()


def test_every_route_has_a_row(service: Attacked) -> None:
    assert set(ROUTES) == routes_of(service.ask(None, "GET", "/api/openapi.json").json())


def test_every_route_is_described(service: Attacked) -> None:
    app = application(service.house)
    there = {
        (method, route.path)
        for route in app.routes
        if isinstance(route, Route)
        for method in (route.methods or set()) - {"HEAD"}
    }
    described = routes_of(app.openapi())
    hidden = {("GET", "/api/openapi.json")}
    assert {route for route in there if route not in hidden} <= described | hidden


@pytest.mark.parametrize("who", WHO)
def test_commands_over_http(service: Attacked, who: str) -> None:
    wrong = []
    for number, (kind, row) in enumerate(MESSAGES.items()):
        for table in (PIT, VIRTUAL):
            answer = service.command(somebody(who), table, message(kind, 2 * number + (table == PIT)))
            if not is_right(who, row, answer):
                wrong.append((kind, table, answer.status_code, answer.text))
    assert not wrong


@pytest.mark.parametrize("who", WHO)
def test_commands_over_the_socket(service: Attacked, who: str) -> None:
    wrong = []
    for table in (PIT, VIRTUAL):
        with service.socket(somebody(who), table) as wire:
            for number, (kind, row) in enumerate(MESSAGES.items()):
                answer = wire.ask(message(kind, 1000 + 2 * number + (table == PIT)))
                is_denied = answer.get("reason") in NOT_ALLOWED
                if is_denied == (who in row.allowed) or answer.get("reason") == "fault":
                    wrong.append((kind, table, answer))
    assert not wrong


@pytest.mark.parametrize("route", sorted(ROUTES), ids=" ".join)
def test_routes(service: Attacked, route: tuple[str, str]) -> None:
    row, wrong = ROUTES[route], []
    for who in WHO:
        asker: str | Who | None = somebody(who)
        if row.takes_somebody_new and asker is not None:
            asker = service.come("Somebody", service.who[who].role)
        answer = service.ask(asker, route[0], path_of(route), row.example)
        if not is_right(who, row, answer):
            wrong.append((who, answer.status_code, answer.text))
    assert not wrong


def test_a_one_time_password_opens_nothing_but_its_change(service: Attacked) -> None:
    async def hire() -> Who:
        people = service.house.people
        person, _ = await people.add_staff("Newly Hired", Role.DIRECTOR)
        async with people._beside.writing() as connection:
            return Who(person.id, person.name, person.role, await people._sessions.begin(connection, person.id))

    new = service.run(hire())
    for route, row in ROUTES.items():
        if row.allowed in (ROUTES["GET", "/api/games"].allowed, ROUTES["GET", "/api/me"].allowed):
            continue
        answer = service.ask(new, route[0], path_of(route), row.example)
        assert (answer.status_code, answer.json()["error"]["reason"]) == (403, "change-password"), route
    for number, kind in enumerate(MESSAGES):
        answer = service.command(new, PIT, message(kind, 5000 + number))
        assert (answer.status_code, answer.json()["error"]["reason"]) == (403, "change-password"), kind
