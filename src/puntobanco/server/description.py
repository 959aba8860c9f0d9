"""The description of the API (OpenAPI): what the routes say of themselves, every message of a table, and the socket."""

from typing import Any

from puntobanco.extras import optional_package
from puntobanco.server import wire

with optional_package("msgspec", "Messages are read"):
    import msgspec

with optional_package("fastapi", "Requests are answered"):
    from fastapi import FastAPI
    from fastapi.openapi.utils import get_openapi

Json = dict[str, Any]

REFERENCE = "#/components/schemas/{name}"
TABLE_MESSAGE = "TableMessage"
TABLE_MESSAGE_BODY: Json = {
    "requestBody": {
        "required": True,
        "content": {"application/json": {"schema": {"$ref": REFERENCE.format(name=TABLE_MESSAGE)}}},
    }
}
FAILURE: Json = {"$ref": REFERENCE.format(name="Failure")}
COOKIE_OR_NOBODY: list[Json] = [{"session": []}, {}]

_TIME = {"type": "integer", "description": "Milliseconds since 1970, by the server's clock."}
_VERSION = {"type": "integer", "minimum": 0, "description": "Of the table: the number of its last event."}
_ID = {"type": ["string", "null"], "description": "The id of the message that is answered, as far as it could be read."}
_STAKES = {"type": "object", "additionalProperties": {"type": "integer", "minimum": 0}}


def _message(kind: str, words: str, needed: Json, more: Json | None = None) -> Json:
    return {
        "type": "object",
        "description": words,
        "properties": {"type": {"const": kind}, "time": _TIME, **needed, **(more or {})},
        "required": ["type", "time", *needed],
    }


SOCKET_MESSAGES: dict[str, Json] = {
    "SocketSnapshot": _message(
        "snapshot",
        "The table as it stands, for whoever comes; with one's own stakes and balance where one is signed in.",
        {"version": _VERSION, "table": {"type": "object"}},
    ),
    "SocketEvent": _message(
        "event",
        "What has happened, for everybody, in rising order; whoever it concerns has their wagers and balance with it.",
        {"version": _VERSION, "event": {"type": "string", "pattern": "^[a-z-]+$"}},
    ),
    "SocketAccepted": _message(
        "accepted",
        "It is durable. Where it needs a second person, it waits for them.",
        {"id": {"type": "string"}, "version": _VERSION},
        {
            "stakes": _STAKES,
            "balance": {"type": "integer", "minimum": 0},
            "request": {"type": "string"},
            "waiting": {"type": "boolean"},
        },
    ),
    "SocketRefused": _message(
        "refused",
        "It was not done, and why.",
        {
            "id": _ID,
            "reason": {"type": "string", "pattern": "^[a-z0-9-]+$"},
            "clause": {"type": ["string", "null"]},
            "message": {"type": "string"},
        },
    ),
    "SocketAccountAdjusted": _message(
        "account-adjusted",
        "Two people have adjusted one's account for a round (ruling 22). It has no version: no table moved.",
        {
            "currency": {"type": "string"},
            "amount": {"type": "integer"},
            "round": {"type": "string", "description": "TABLE/NUMBER."},
            "reason": {"type": "string"},
            "balance": {"type": "integer", "minimum": 0},
        },
    ),
    "SocketDisputeDecided": _message(
        "dispute-decided",
        "A dispute of one's own was decided. It has no version, and stands in /api/me until one has seen it.",
        {
            "dispute": {"type": "string"},
            "table": {"type": "string"},
            "round": {"type": "integer"},
            "outcome": {"enum": ["upheld", "rejected"]},
            "decision": {"type": "string"},
        },
    ),
    **{
        f"SocketMoney{done.title()}": _message(
            f"money-{done}",
            f"Somebody at the desk has {what}. It has no version: no table moved.",
            {
                "currency": {"type": "string"},
                "amount": {"type": "integer"},
                **more,
                "balance": {"type": "integer", "minimum": 0},
            },
        )
        for done, what, more in (
            ("issued", "given one money", {"reason": {"type": "string"}}),
            ("returned", "taken money back", {"reason": {"type": "string"}}),
            ("changed", "changed one's money", {"received": {"type": "integer"}, "takes": {"type": "string"}}),
        )
    },
}
"""All that a socket sends, by the name of its schema."""

SOCKET: Json = {
    "path": "/api/tables/{table}/live",
    "description": (
        "A WebSocket. `after` resumes after the version of the last event that came, or gives a snapshot where too "
        "much has passed. Messages are text of at most 4,096 bytes, whole, not compressed. Whoever has no session "
        "watches; a page of another origin is not let in."
    ),
    "parameters": [
        {"name": "table", "in": "path", "required": True, "schema": {"type": "string"}},
        {"name": "after", "in": "query", "required": False, "schema": {"type": "integer", "minimum": 0}},
    ],
    "receives": {"$ref": REFERENCE.format(name=TABLE_MESSAGE)},
    "sends": {"oneOf": [{"$ref": REFERENCE.format(name=name)} for name in SOCKET_MESSAGES]},
}


def describe(app: FastAPI) -> None:
    """From now on the application describes all of itself; worked out once."""

    def described() -> Json:
        if app.openapi_schema is None:
            app.openapi_schema = _described(app)
        return app.openapi_schema

    app.openapi = described  # type: ignore[method-assign]


def _described(app: FastAPI) -> Json:
    found = get_openapi(title=app.title, version=app.version, summary=app.summary, routes=app.routes)
    components = found.setdefault("components", {})
    schemas = components.setdefault("schemas", {})
    schemas.update(table_messages())
    schemas.update(SOCKET_MESSAGES)
    # Every error is of one kind; FastAPI's own for what is malformed is never sent.
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    components["securitySchemes"] = {"session": {"type": "apiKey", "in": "cookie", "name": "pb_session"}}
    for path in found["paths"].values():
        for operation in path.values():
            operation["responses"].pop("422", None)
            # A route may say more of an error, and need not say again what all errors look like.
            for status, response in operation["responses"].items():
                if int(status) >= 400:
                    response["content"] = {"application/json": {"schema": FAILURE}}
            operation["security"] = COOKIE_OR_NOBODY
    found["x-socket"] = SOCKET
    return found


def table_messages() -> dict[str, Json]:
    """The schema of every message of a table, from the declarations by which they are read."""
    (union,), named = msgspec.json.schema_components([wire.TableMessage], ref_template=REFERENCE)
    found = {TABLE_MESSAGE: union, **named}
    for schema in found.values():
        _end_patterns(schema)
    return found


def _end_patterns(schema: Any) -> None:
    """A `\\Z` of Python's is a `$` of JSON Schema's."""
    if isinstance(schema, dict):
        if isinstance(schema.get("pattern"), str):
            schema["pattern"] = schema["pattern"].replace(r"\Z", "$")
        for value in schema.values():
            _end_patterns(value)
    elif isinstance(schema, list):
        for value in schema:
            _end_patterns(value)
