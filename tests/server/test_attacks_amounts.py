"""Amounts that are none: every literal in every field of money, over HTTP and the socket. No money moves."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from server.attacked import VIRTUAL, Attacked
from server.everything import ROUTES, path_of

NOT_AMOUNTS = [
    # Not whole, or not written as a whole number.
    "1.5", "1.0", "0.1", "100.0", "1e3", "1E3", "1e+3", "1e0", "1e-3", "1e999", "-1e999", "1e400", "2.0e0",
    "1.7976931348623157e309",
    # Not JSON; the first are digits of other scripts.
    "\u0661\u0660\u0660", "\uff11\uff10\uff10", "NaN", "Infinity", "-Infinity", "+1", "01", "00", "1.", ".5", "0x10",
    "1_000", "1,000", "1 000", "--1", "1e", "",
    # Another kind of value.
    "true", "false", '"100"', '"1_000"', '"1e3"', '" 100"', '""', '"NaN"', "[]", "[100]", "{}", '{"amount":100}',
    "null",
    # Too little or too much.
    "-1", "-100", "-1000000000000", "-9223372036854775808", "-9223372036854775809",
    "1000000000001", "2147483648000000", "4611686018427387904", "9007199254740993", "9223372036854775807",
    "9223372036854775808", "18446744073709551615", "18446744073709551616", "1" + "0" * 400, "9" * 3_000, "9" * 5_000,
    "-" + "9" * 5_000,
]  # fmt: skip

AT = "@"
"""Where the literal goes."""

MONEY_OF_MESSAGES: dict[str, tuple[str, dict[str, Any]]] = {
    "stake amount": ("stake", {"wager": "tie", "amount": AT}),
    "stakes": ("stakes", {"stakes": {"tie": AT}}),
    "stakes beside a good one": ("stakes", {"stakes": {"player": 4000, "tie": AT}}),
}
LIMITS = {"minimum": 100, "maximum": 1000, "step": 100}
MONEY_OF_ROUTES: dict[str, tuple[tuple[str, str], dict[str, Any]]] = {
    "adjustments amount": (("POST", "/api/adjustments"), {"amount": AT}),
    "issues amount": (("POST", "/api/desk/issues"), {"amount": AT}),
    "returns amount": (("POST", "/api/desk/returns"), {"amount": AT}),
    "changes amount": (("POST", "/api/desk/changes"), {"amount": AT}),
    "rates numerator": (("POST", "/api/rates"), {"numerator": AT}),
    "rates denominator": (("POST", "/api/rates"), {"denominator": AT}),
    "odds stake": (("POST", "/api/odds/{game}"), {"stake": AT}),
    "jobs bankroll": (("POST", "/api/jobs"), {"bankroll": AT}),
    "jobs base": (("POST", "/api/jobs"), {"base": AT}),
    "limits stake": (("PUT", "/api/limits"), {"stake": {"SGD": AT}}),
    "limits loss": (("PUT", "/api/limits"), {"loss": {"SGD": AT}}),
    **{
        f"table {which} of a wager": (("PATCH", "/api/tables/{table}"), {"limits": {"tie": {**LIMITS, which: AT}}})
        for which in LIMITS
    },
    **{
        f"table {which}": (("PATCH", "/api/tables/{table}"), {which: AT})
        for which in ("patron_limit", "table_limit", "house_limit")
    },
    "table bonuses": (("PATCH", "/api/tables/{table}"), {"bonuses": {"6 Stars": AT}}),
}
NULL_SAYS_NOTHING = {"limits stake", "limits loss", "odds stake", "jobs base"}
NULL_SAYS_NOTHING |= {"table patron_limit", "table table_limit", "table house_limit"}
"""Where null is a value: no limit, or no change of one."""
UP_TO_10_TO_THE_18 = {"table patron_limit", "table table_limit", "table house_limit"}
"""What a whole round may come to is more than a stake."""
MAY_BE_BELOW_ZERO = {"adjustments amount"}

NO_MONEY = {"round", "decks", "place", "betting_milliseconds", "card_milliseconds", "minutes", "hours", "face_down"}
NO_MONEY |= {"rounds", "sessions", "seed", "composition", "cut_depth"}
"""Whole numbers of another kind."""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacked]:
    with Attacked(tmp_path_factory.mktemp("data")) as found, found.socket("patron") as wire:
        # Betting is open at the virtual table, and what is refused is refused for its amount.
        while wire.hear("event")["event"] != "betting-opened":
            pass
        assert wire.ask({"id": "good-stake", "do": "stake", "wager": "player", "amount": 4000})["type"] == "accepted"
        yield found


def written(body: dict[str, Any], literal: str) -> bytes:
    return json.dumps(body).replace(f'"{AT}"', literal).encode()


def is_one(field: str, literal: str) -> bool:
    """Whether the literal is a good value of this field after all."""
    if literal == "null":
        return field in NULL_SAYS_NOTHING
    try:
        number = json.loads(literal)
    except ValueError:
        return False
    if type(number) is not int:
        return False
    most = 10**18 if field in UP_TO_10_TO_THE_18 else 10**12
    return (-most if field in MAY_BE_BELOW_ZERO else 1) <= number <= most


def test_there_are_enough_literals() -> None:
    assert len(set(NOT_AMOUNTS)) >= 60


def test_every_amount_of_the_service_is_tried(service: Attacked) -> None:
    """Every whole number that can be sent is money and tried here, or named as something else."""
    description = service.ask(None, "GET", "/api/openapi.json").json()
    schemas = description["components"]["schemas"]
    tried = " ".join([*MONEY_OF_MESSAGES, *MONEY_OF_ROUTES]).split()
    for method, path in ROUTES:
        body = description["paths"][path][method.lower()].get("requestBody")
        if body is not None:
            for name in numbers_in(body, schemas):
                assert name in NO_MONEY or name in tried, (method, path, name)


def numbers_in(schema: Any, schemas: dict[str, Any], name: str = "", seen: frozenset[str] = frozenset()) -> set[str]:
    """The names of fields that take whole numbers."""
    found: set[str] = set()
    if isinstance(schema, list):
        return found.union(*[numbers_in(each, schemas, name, seen) for each in schema])
    if not isinstance(schema, dict):
        return found
    if "$ref" in schema:
        target = schema["$ref"].rpartition("/")[2]
        return set() if target in seen else numbers_in(schemas[target], schemas, name, seen | {target})
    if schema.get("type") == "integer":
        found.add(name)
    for key, value in schema.items():
        if key == "properties":
            for field, each in value.items():
                found |= numbers_in(each, schemas, field, seen)
        elif isinstance(value, dict | list):
            found |= numbers_in(value, schemas, name, seen)
    # Cards that were counted are no money, and are named by themselves.
    return found - {"counted"}


@pytest.mark.parametrize("field", MONEY_OF_MESSAGES)
@pytest.mark.parametrize("way", ["http", "socket"])
def test_of_messages(service: Attacked, field: str, way: str) -> None:
    kind, body = MONEY_OF_MESSAGES[field]
    before, wrong = service.money(), []
    with service.socket("patron") as wire:
        for number, literal in enumerate(NOT_AMOUNTS):
            text = written({"id": f"{way}-{number:06}", "do": kind, **body}, literal)
            if way == "http":
                answer = service.command("patron", VIRTUAL, text)
                is_refused = 400 <= answer.status_code < 500
                reason = answer.json()["error"]["reason"] if is_refused else answer.text
            elif len(text) > 4096:
                continue  # A frame of that length ends the connection, which has its own test.
            else:
                said = wire.ask(text)
                is_refused, reason = said["type"] == "refused", said.get("reason")
            if not is_refused or reason not in ("malformed", "too-large"):
                wrong.append((literal[:30], reason))
    assert not wrong
    assert service.money() == before


@pytest.mark.parametrize("field", MONEY_OF_ROUTES)
def test_of_routes(service: Attacked, field: str) -> None:
    route, body = MONEY_OF_ROUTES[field]
    example = {**ROUTES[route].example, **body}
    if "patron" in example:
        example["patron"] = service.who["patron"].id
    who = "patron" if route == ("PUT", "/api/limits") else "director"
    before, floor, wrong = service.money(), service.ask("director", "GET", "/api/floor").json(), []
    for literal in NOT_AMOUNTS:
        if not is_one(field, literal):
            answer = service.ask(who, route[0], path_of(route), written(example, literal))
            if answer.status_code != 400:
                wrong.append((literal[:30], answer.status_code, answer.text))
    assert not wrong
    assert service.money() == before
    assert service.ask("director", "GET", "/api/floor").json() == floor


def test_good_amounts_are_taken(service: Attacked) -> None:
    """What is refused above is refused for its amount alone."""
    answer = service.command("patron", VIRTUAL, {"id": "good-amount", "do": "stake", "wager": "tie", "amount": 2000})
    assert answer.json()["stakes"]["tie"] == 2000
    body = {**ROUTES["POST", "/api/desk/issues"].example, "patron": service.who["patron"].id}
    assert service.ask("supervisor", "POST", "/api/desk/issues", body).status_code == 201
