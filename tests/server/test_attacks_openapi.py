"""The description of the API is complete and true: whatever it allows is answered as it says, and never with a 5xx."""

import json
from collections.abc import Iterator
from typing import Any

import httpx
import jsonschema_rs
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis.checks import (
    content_type_conformance,
    not_a_server_error,
    response_schema_conformance,
    status_code_conformance,
)

from server.attacked import PIT, VIRTUAL, Attacked, Who
from server.everything import MESSAGES, ROUTES, kinds, message

EXAMPLES = 20
"""For each route; more of them are tried by hand."""
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
ERRORS = {"400", "401", "403", "404", "405", "409", "413", "429", "503"}
CLOSES = {("DELETE", "/api/tables/{table}"), ("POST", "/api/tables/{table}/reopen")}
FIELDS = ["id", "amount", "wager", "note", "round", "card", "stakes", "request", "nonce", "hand"]
QUIET = settings(
    max_examples=EXAMPLES,
    derandomize=True,
    deadline=None,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacked]:
    with Attacked(tmp_path_factory.mktemp("data")) as found:
        assert found.ask("director", "POST", "/api/tables", {"id": "spare", "game": "manila"}).status_code == 201
        yield found


@pytest.fixture(scope="module")
def description(service: Attacked) -> dict[str, Any]:
    found: dict[str, Any] = service.ask(None, "GET", "/api/openapi.json").json()
    return found


def who_may(route: tuple[str, str]) -> list[str]:
    """Those for whom the route goes furthest."""
    names: list[str] = ["patron", "director", "dealer"]
    return [who for who in names if who in ROUTES[route].allowed][:2]


@pytest.mark.parametrize("route", sorted(ROUTES), ids=" ".join)
def test_generated_requests(service: Attacked, description: dict[str, Any], route: tuple[str, str]) -> None:
    """Requests as the description allows them, and broken in one place, from somebody who may."""
    operation = schemathesis.openapi.from_dict(description)[route[1]][route[0]]
    good, broken = schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE
    cases = operation.as_strategy(generation_mode=good) | operation.as_strategy(generation_mode=broken)
    people = [service.come("Somebody", service.who[who].role) for who in who_may(route) or ["patron"]]

    @seed(7)
    @QUIET
    @given(case=cases, person=st.sampled_from(people), is_there=st.booleans())
    def run(case: Any, person: Who, is_there: bool) -> None:
        if is_there:
            # Tables, games and people that there are: what is made up is soon refused.
            table = "spare" if route in CLOSES else PIT
            there = {
                "table": table,
                "game": "manila",
                "patron": service.who["patron"].id,
                "unit": "PHP",
                "wager": "tie",
            }
            for known in (case.path_parameters, case.body):
                if isinstance(known, dict):
                    known.update({name: there[name] for name in known.keys() & there.keys()})
        headers = {"cookie": f"pb_session={person.token}", "origin": service.origin}
        response = case.call(base_url=service.origin, headers=headers, timeout=60)
        case.validate_response(response, checks=CHECKS)
        if response.status_code == 503:
            # Down is only what was brought down.
            assert response.json()["error"]["reason"] in ("busy", "stopped", "stopping")

    run()


def test_every_route_names_its_errors(description: dict[str, Any]) -> None:
    for path, operations in description["paths"].items():
        for method, operation in operations.items():
            responses = operation["responses"]
            errors = {status for status in responses if int(status) >= 400}
            assert {"400", "413", "429", "503"} <= errors <= ERRORS, (method, path)
            for status in errors:
                schema = responses[status]["content"]["application/json"]["schema"]
                assert schema == {"$ref": "#/components/schemas/Failure"}, (method, path, status)
            assert operation["security"] == [{"session": []}, {}]
            assert operation.get("summary") or operation.get("description"), (method, path)


def test_a_route_names_no_error_that_it_does_not_give(description: dict[str, Any]) -> None:
    def errors(method: str, path: str) -> set[str]:
        return {status for status in description["paths"][path][method]["responses"] if int(status) >= 400}

    always = {"400", "413", "429", "503"}
    assert errors("get", "/healthz") == errors("get", "/api/tables") == always
    assert errors("get", "/api/floor") == always | {"401", "403"}
    assert errors("get", "/api/odds/{game}") == always | {"404", "405", "409"}
    assert errors("get", "/api/me") == always | {"401"}
    assert errors("post", "/api/guests") == always | {"403", "404", "409"}
    for (method, path), row in ROUTES.items():
        # Whoever is nobody is told so exactly where only somebody may.
        is_told = "nobody" not in row.allowed and (method, path) != ("POST", "/api/sessions")
        assert ("401" in errors(method.lower(), path)) is is_told or method == "POST", (method, path)


def test_every_body_is_strict(description: dict[str, Any]) -> None:
    """No object of a body takes fields that it does not name."""
    schemas = description["components"]["schemas"]
    found: set[str] = set()

    def follow(schema: Any) -> None:
        if isinstance(schema, dict):
            name = schema.get("$ref", "").rpartition("/")[2]
            if name and name not in found:
                found.add(name)
                follow(schemas[name])
            for value in schema.values():
                follow(value)
        elif isinstance(schema, list):
            for value in schema:
                follow(value)

    for operations in description["paths"].values():
        for operation in operations.values():
            follow(operation.get("requestBody"))
    assert len(found) > 30
    for name in found:
        if schemas[name].get("type") == "object":
            assert schemas[name]["additionalProperties"] is False, name


def test_every_command_is_described(description: dict[str, Any]) -> None:
    body = description["paths"]["/api/tables/{table}/commands"]["post"]["requestBody"]
    assert body["content"]["application/json"]["schema"] == {"$ref": "#/components/schemas/TableMessage"}
    mapping = description["components"]["schemas"]["TableMessage"]["discriminator"]["mapping"]
    assert mapping.keys() == kinds() == MESSAGES.keys()
    validator = message_validator(description, "TableMessage")
    for kind in kinds():
        assert validator.is_valid(message(kind)), kind
        assert not validator.is_valid({**message(kind), "role": "director"}), kind
        assert not validator.is_valid({**message(kind), "id": "short"}), kind


def message_validator(description: dict[str, Any], *names: str) -> Any:
    choice = [{"$ref": f"#/components/schemas/{name}"} for name in names]
    return jsonschema_rs.validator_for({"anyOf": choice, "components": description["components"]})


def test_the_server_reads_what_the_description_allows(service: Attacked, description: dict[str, Any]) -> None:
    """The description of messages follows from the declarations by which they are read: both say the same."""
    validator = message_validator(description, "TableMessage")
    person = service.come("Somebody", service.who["patron"].role)
    with service.socket(person, PIT) as wire:

        @settings(QUIET, max_examples=150)
        @given(
            kind=st.sampled_from(sorted(kinds())),
            field=st.sampled_from(FIELDS),
            value=st.none()
            | st.booleans()
            | st.integers(-(2**70), 2**70)
            | st.floats(allow_nan=False, allow_infinity=False)
            | st.text("ab-9\n<", max_size=70)
            | st.dictionaries(st.text("ab", max_size=3), st.integers(-1, 10), max_size=2)
            | st.sampled_from(["a" * 64, "player", "tie", "9s"]),
        )
        def run(kind: str, field: str, value: object) -> None:
            said = {**message(kind), field: value}
            if len(json.dumps(said)) > 4096:
                return
            answer = wire.ask(said)
            is_read = answer.get("reason") != "malformed"
            if is_read:
                assert validator.is_valid(said), (said, answer)
            elif validator.is_valid(said):
                # What only a reader can know: that words can be seen, and that cards are of the pack.
                assert isinstance(value, str), (said, answer)

        run()


def test_the_socket_is_described(service: Attacked, description: dict[str, Any]) -> None:
    """Everything that comes over it is one of the messages that the description names."""
    described = description["x-socket"]
    assert described["path"] == "/api/tables/{table}/live"
    assert described["receives"] == {"$ref": "#/components/schemas/TableMessage"}
    assert described["sends"] == {"$ref": "#/components/schemas/SocketMessage"}
    validator = message_validator(description, "SocketMessage")
    heard: list[dict[str, Any]] = []
    with service.socket("patron", VIRTUAL) as wire:
        while not heard or heard[-1].get("event") != "betting-opened":
            heard.append(wire.hear())
        for said in (
            {"id": "socket-0001", "do": "stake", "wager": "tie", "amount": 2000},
            {"id": "socket-0001", "do": "stake", "wager": "tie", "amount": 3000},
            {"id": "socket-0002", "do": "stake", "wager": "tie", "amount": 1},
            {"id": "socket-0003", "do": "resume"},
            {"id": "x"},
        ):
            heard.append(wire.ask(said))
        heard.append(wire.hear("event"))
    assert {each["type"] for each in heard} == {"snapshot", "event", "accepted", "refused"}
    for each in heard:
        assert validator.is_valid(each), each


def test_503_is_what_was_brought_down(service: Attacked) -> None:
    service.house.is_stopping = True
    try:
        answer = service.command("patron", VIRTUAL, {**message("stake"), "id": "while-stopping"})
        assert (answer.status_code, answer.json()["error"]["reason"]) == (503, "stopping")
        assert service.ask(None, "GET", "/readyz").status_code == 503
        assert service.ask(None, "GET", "/healthz").status_code == 200
    finally:
        service.house.is_stopping = False


def test_wrong_methods_and_addresses(service: Attacked) -> None:
    for path in (
        "/api",
        "/api/",
        "/api/nothing",
        "/api/tables/",
        "/docs",
        "/redoc",
        "/openapi.json",
        "/api/tables/a/b",
    ):
        answer = service.ask("patron", "GET", path)
        assert (answer.status_code, answer.json()["error"]["reason"]) == (404, "not-found"), path
    for method, path in (
        ("PUT", "/api/guests"),
        ("GET", "/api/guests"),
        ("DELETE", "/api/me"),
        ("PATCH", "/api/tables"),
    ):
        answer = service.ask("patron", method, path)
        assert (answer.status_code, answer.json()["error"]["reason"]) == (405, "not-that-way"), path
        assert "allow" in answer.headers
    for method in ("TRACE", "PROPFIND", "SEARCH"):
        answer = httpx.request(method, f"{service.origin}/api/tables", headers={"origin": service.origin})
        assert answer.status_code == 405
