"""Everything that can be asked of the service: one example of each message and each route, and who may ask it.

These are the rows of the matrix. A message or a route without a row fails a test, so that whoever adds one says here
who may use it.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple, get_args
from urllib.parse import urlencode

from puntobanco.server import wire
from server.attacked import PIT, VIRTUAL

NOBODY = "nobody"
WHO = (NOBODY, "guest", "patron", "other-patron", "dealer", "supervisor", "auditor", "director")

EVERYBODY = frozenset(WHO)
SIGNED_IN = EVERYBODY - {NOBODY}
PATRONS = frozenset({"guest", "patron", "other-patron"})
SUPERVISORS = frozenset({"supervisor", "director"})
STAFF_AT_TABLES = SUPERVISORS | {"dealer"}
READERS = SUPERVISORS | {"auditor"}
DIRECTOR = frozenset({"director"})
DEALER = frozenset({"dealer"})

HEX = "a" * 64


class Row(NamedTuple):
    """Who may, and an example."""

    allowed: frozenset[str]
    example: Any = None
    """The message without its id and what it does; the body of a request."""
    parameters: Mapping[str, str] = {}
    query: Mapping[str, str] = {}
    """What stands behind the address, where it needs something there."""
    takes_somebody_new: bool = False
    """What it does to whoever asks would be in the way of what they are asked next."""


MESSAGES: dict[str, Row] = {
    "stake": Row(PATRONS, {"wager": "tie", "amount": 2000}),
    "stakes": Row(PATRONS, {"stakes": {"player": 4000}}),
    "commit": Row(PATRONS, {"commitment": HEX}),
    "reveal": Row(PATRONS, {"nonce": HEX}),
    "open-shoe": Row(DEALER, {}),
    "burn": Row(DEALER, {"shown": ["9s"], "face_down": 9}),
    "open-betting": Row(DEALER, {}),
    "close-betting": Row(STAFF_AT_TABLES, {}),
    "deal": Row(DEALER, {"card": "9s"}),
    "undo-card": Row(STAFF_AT_TABLES, {}),
    "announce": Row(DEALER, {}),
    "withdraw-announcement": Row(SUPERVISORS, {"note": "It was called wrongly."}),
    "settle": Row(DEALER, {}),
    "void": Row(STAFF_AT_TABLES, {"irregularity": "technical-fault", "note": "The reader failed."}),
    "correct": Row(STAFF_AT_TABLES, {"deal": "P 9s Kd | B 3h 4h", "note": "Two cards were keyed wrongly."}),
    "set-aside": Row(SUPERVISORS, {"cards": ["9s"], "note": "It fell from the shoe."}),
    "correct-count": Row(SUPERVISORS, {"keyed": "9s", "drawn": "8s", "note": "It was an eight."}),
    "approve": Row(SUPERVISORS, {"request": "0123456789abcdef"}),
    "decline": Row(SUPERVISORS, {"request": "0123456789abcdef", "note": "The camera shows it."}),
    "pause": Row(STAFF_AT_TABLES, {"reason": "A drink was spilt."}),
    "resume": Row(SUPERVISORS, {}),
    "end-shoe": Row(STAFF_AT_TABLES, {"note": "The end of the day."}),
}


def kinds() -> set[str]:
    """Of the messages that there are."""
    return {str(each.__struct_config__.tag) for each in get_args(wire.TableMessage)}


def message(kind: str, number: int = 0) -> dict[str, Any]:
    """An example of a message, with an id of its own."""
    return {"id": f"example-{kind}-{number:04}", "do": kind, **MESSAGES[kind].example}


UNKNOWN = {"patron": "g-00000000000000000000", "id": "example-0001"}
MOVED = {**UNKNOWN, "unit": "SGD", "amount": 100, "reason": "A mistake at the desk."}
CREDENTIALS = {"name": "Nobody Here", "password": "a heron on the pier"}
TABLE, REQUEST, DISPUTE = {"table": PIT}, {"request_id": "0123456789abcdef"}, {"dispute_id": "0123456789abcdef"}

# One that is not played: the laboratory has tests of its own.
JOB = {"game": "manila", "system": "none such", "rounds": 1, "sessions": 1, "bankroll": 100_000}

ROUTES: dict[tuple[str, str], Row] = {
    ("GET", "/healthz"): Row(EVERYBODY),
    ("GET", "/readyz"): Row(EVERYBODY),
    ("GET", "/metrics"): Row(EVERYBODY),
    # People.
    ("POST", "/api/guests"): Row(EVERYBODY, {}),
    ("POST", "/api/patrons"): Row(SIGNED_IN, CREDENTIALS, takes_somebody_new=True),
    ("POST", "/api/sessions"): Row(EVERYBODY, {**CREDENTIALS, "name": "Not Anybody"}),
    ("GET", "/api/session"): Row(EVERYBODY),
    ("DELETE", "/api/session"): Row(EVERYBODY, takes_somebody_new=True),
    ("POST", "/api/password"): Row(SIGNED_IN, {"old": "a heron on the pier", "new": "two herons on the pier"}),
    ("GET", "/api/me"): Row(SIGNED_IN),
    ("GET", "/api/patrons"): Row(READERS, query={"search": "g-0"}),
    ("GET", "/api/staff"): Row(DIRECTOR),
    ("POST", "/api/staff"): Row(DIRECTOR, {"name": "Somebody New", "role": "dealer"}),
    ("PATCH", "/api/staff/{person}"): Row(DIRECTOR, {"role": "dealer"}, {"person": "s-00000000000000000000"}),
    ("POST", "/api/staff/{person}/password"): Row(DIRECTOR, {}, {"person": "s-00000000000000000000"}),
    ("DELETE", "/api/staff/{person}"): Row(DIRECTOR, parameters={"person": "s-00000000000000000000"}),
    # Games and tables.
    ("GET", "/api/games"): Row(EVERYBODY),
    ("GET", "/api/games/{game}"): Row(EVERYBODY, parameters={"game": "manila"}),
    ("GET", "/api/words/{language}"): Row(EVERYBODY, parameters={"language": "zh-Hant"}),
    ("GET", "/api/tables"): Row(EVERYBODY),
    ("GET", "/api/tables/{table}"): Row(EVERYBODY, parameters=TABLE),
    # Who may do what with it is in the rows of the messages.
    ("POST", "/api/tables/{table}/commands"): Row(PATRONS, message("stake"), {"table": VIRTUAL}),
    ("GET", "/api/tables/{table}/shoes/{shoe}"): Row(EVERYBODY, parameters={"table": PIT, "shoe": "1"}),
    ("GET", "/api/tables/{table}/shoes/{shoe}/rounds"): Row(EVERYBODY, parameters={"table": PIT, "shoe": "1"}),
    ("GET", "/api/tables/{table}/rules"): Row(EVERYBODY, parameters=TABLE),
    ("GET", "/api/tables/{table}/irregularities"): Row(STAFF_AT_TABLES, parameters=TABLE),
    ("GET", "/api/rules/{digest}"): Row(EVERYBODY, parameters={"digest": HEX}),
    ("GET", "/api/tables/{table}/rounds/{number}"): Row(EVERYBODY, parameters={"table": PIT, "number": "1"}),
    # The floor.
    ("GET", "/api/floor"): Row(READERS),
    ("POST", "/api/tables"): Row(DIRECTOR, {"id": "added", "game": "manila", "name": "Another table"}),
    ("PATCH", "/api/tables/{table}"): Row(DIRECTOR, {"name": "The pit"}, TABLE),
    ("DELETE", "/api/tables/{table}"): Row(DIRECTOR, parameters={"table": "spare"}),
    ("POST", "/api/tables/{table}/reopen"): Row(DIRECTOR, parameters={"table": "spare"}),
    # Two people.
    ("GET", "/api/requests"): Row(READERS | {"dealer"}),
    ("POST", "/api/adjustments"): Row(SUPERVISORS, {**MOVED, "table": PIT, "round": 1}),
    ("POST", "/api/requests/{request_id}/approve"): Row(SUPERVISORS, {"id": "example-0001"}, REQUEST),
    ("POST", "/api/requests/{request_id}/decline"): Row(SUPERVISORS, {"id": "example-0001", "note": "No."}, REQUEST),
    # The desk.
    ("GET", "/api/rates"): Row(EVERYBODY),
    ("POST", "/api/rates"): Row(
        DIRECTOR, {"id": "example-0001", "gives": "SGD", "takes": "PHP", "numerator": 42, "denominator": 1}
    ),
    ("POST", "/api/desk/issues"): Row(SUPERVISORS, MOVED),
    ("POST", "/api/desk/returns"): Row(SUPERVISORS, MOVED),
    ("POST", "/api/desk/changes"): Row(SUPERVISORS, {**UNKNOWN, "gives": "SGD", "amount": 100, "takes": "PHP"}),
    ("POST", "/api/fresh-money"): Row(PATRONS, {"id": "example-0001", "unit": "SGD"}),
    # What is one's own.
    ("GET", "/api/history"): Row(PATRONS),
    ("GET", "/api/ledger"): Row(PATRONS),
    ("GET", "/api/limits"): Row(PATRONS),
    ("PUT", "/api/limits"): Row(
        PATRONS, {"stake": {"SGD": 500_000}, "loss": {"SGD": 900_000}}, takes_somebody_new=True
    ),
    ("POST", "/api/cool-off"): Row(PATRONS, {"hours": 1}, takes_somebody_new=True),
    ("GET", "/api/patrons/{patron}/ledger"): Row(READERS, parameters={"patron": "g-00000000000000000000"}),
    # Reports.
    ("GET", "/api/reports/win"): Row(READERS),
    ("GET", "/api/reports/changes"): Row(READERS),
    ("GET", "/api/exports/{name}.{written_as}"): Row(
        frozenset({"auditor", "director"}), parameters={"name": "rounds", "written_as": "csv"}
    ),
    # The laboratory.
    ("GET", "/api/vocabulary"): Row(EVERYBODY),
    ("GET", "/api/odds/{game}"): Row(EVERYBODY, parameters={"game": "manila"}),
    ("POST", "/api/odds/{game}"): Row(EVERYBODY, {"decks": 8, "stake": 100}, {"game": "manila"}),
    ("GET", "/api/odds/{game}/removal"): Row(EVERYBODY, parameters={"game": "manila"}),
    ("GET", "/api/tables/{table}/odds"): Row(EVERYBODY, parameters=TABLE),
    ("POST", "/api/jobs"): Row(PATRONS | SUPERVISORS, JOB, takes_somebody_new=True),
    ("GET", "/api/jobs"): Row(PATRONS | SUPERVISORS),
    ("GET", "/api/jobs/{job_id}"): Row(PATRONS | SUPERVISORS, parameters={"job_id": "0123456789abcdef"}),
    ("DELETE", "/api/jobs/{job_id}"): Row(PATRONS | SUPERVISORS, parameters={"job_id": "0123456789abcdef"}),
    # Disputes.
    ("POST", "/api/disputes"): Row(PATRONS, {"table": PIT, "round": 1, "said": "I had a natural."}),
    ("GET", "/api/disputes"): Row(PATRONS | READERS),
    # Whose it is decides, and to others there is nothing there.
    ("GET", "/api/disputes/{dispute_id}"): Row(SIGNED_IN, parameters=DISPUTE),
    ("POST", "/api/disputes/{dispute_id}/assign"): Row(SUPERVISORS, {}, DISPUTE),
    ("POST", "/api/disputes/{dispute_id}/decide"): Row(
        SUPERVISORS, {"outcome": "rejected", "decision": "The record shows a six."}, DISPUTE
    ),
    ("POST", "/api/disputes/{dispute_id}/seen"): Row(PATRONS, parameters=DISPUTE),
}


def path_of(route: tuple[str, str]) -> str:
    row = ROUTES[route]
    return route[1].format(**row.parameters) + (f"?{urlencode(row.query)}" if row.query else "")


def routes_of(description: Mapping[str, Any]) -> set[tuple[str, str]]:
    """Of the routes that the service describes."""
    return {(method.upper(), path) for path, operations in description["paths"].items() for method in operations}
