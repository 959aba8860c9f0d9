"""Fields that nobody asked for: a body or a message that brings one is refused whole, whatever else it says."""

import copy
from collections.abc import Iterator
from typing import Any

import pytest

from server.attacked import PIT, Attacked
from server.everything import MESSAGES, ROUTES, message, path_of

EXTRA: dict[str, Any] = {
    "role": "director",
    "balance": 10**9,
    "balances": {"SGD": 10**9},
    "is_admin": True,
    "id": "s-00000000000000000000",
    "patron": "g-00000000000000000000",
    "person": "s-00000000000000000000",
    "must_change_password": False,
    "approved": True,
    "asked_by": "s-00000000000000000000",
    "state": "approved",
    "__proto__": {"role": "director"},
    "constructor": {},
    "": 1,
    "Role": "director",
}
WITH_A_BODY = sorted(route for route, row in ROUTES.items() if row.example is not None and "commands" not in route[1])


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacked]:
    with Attacked(tmp_path_factory.mktemp("data")) as found:
        yield found


@pytest.fixture(scope="module")
def fields(service: Attacked) -> dict[tuple[str, str], set[str]]:
    """Of the body of each route, as it is described."""
    description = service.ask(None, "GET", "/api/openapi.json").json()
    schemas, found = description["components"]["schemas"], {}
    for method, path in WITH_A_BODY:
        body = description["paths"][path][method.lower()]["requestBody"]["content"]["application/json"]["schema"]
        schema = schemas[body["$ref"].rpartition("/")[2]]
        assert schema["additionalProperties"] is False, (method, path)
        found[method, path] = set(schema.get("properties", {}))
    return found


@pytest.mark.parametrize("route", WITH_A_BODY, ids=" ".join)
def test_of_bodies(service: Attacked, fields: dict[tuple[str, str], set[str]], route: tuple[str, str]) -> None:
    before = service.money()
    for name, value in EXTRA.items():
        if name not in fields[route]:
            who = next((who for who in ("director", "patron") if who in ROUTES[route].allowed), None)
            answer = service.ask(who, route[0], path_of(route), {**ROUTES[route].example, name: value})
            assert (answer.status_code, answer.json()["error"]["reason"]) == (400, "malformed"), name
    assert service.money() == before


@pytest.mark.parametrize("kind", sorted(MESSAGES))
def test_of_messages(service: Attacked, kind: str) -> None:
    who = next(who for who in ("patron", "dealer", "supervisor") if who in MESSAGES[kind].allowed)
    with service.socket(who, PIT) as wire:
        for name, value in EXTRA.items():
            if name != "id":
                said = {**message(kind), name: value}
                answer = service.command(who, PIT, said)
                assert (answer.status_code, answer.json()["error"]["reason"]) == (400, "malformed"), name
                assert wire.ask(said)["reason"] == "malformed"


def test_deep_inside(service: Attacked) -> None:
    limits = {"minimum": 100, "maximum": 1000, "step": 100}
    good = {"limits": {"tie": limits}}
    assert service.ask("director", "PATCH", f"/api/tables/{PIT}", good).status_code == 200
    bad = copy.deepcopy(good)
    bad["limits"]["tie"]["role"] = 1
    assert service.ask("director", "PATCH", f"/api/tables/{PIT}", bad).status_code == 400


def test_nobody_becomes_somebody_else_by_asking(service: Attacked) -> None:
    who = service.who["guest"]
    for query in ("?role=director", "?is_admin=true", f"?patron={service.who['patron'].id}"):
        assert service.ask("guest", "GET", f"/api/me{query}").status_code == 400
    found = service.ask("guest", "GET", "/api/me").json()
    assert (found["patron"], found["role"]) == (who.id, "guest")
    for name in ("x-role", "x-user", "x-forwarded-user", "remote-user", "authorization"):
        answer = service.ask("guest", "GET", "/api/floor", headers={name: service.who["director"].id})
        assert answer.status_code == 403
        assert service.ask(None, "GET", "/api/me", headers={name: service.who["director"].token}).status_code == 401
