"""The description of the API (OpenAPI): what the routes say of themselves, every message of a table, and the socket."""

from collections.abc import Callable, Sequence
from typing import Any

from puntobanco.extras import optional_package
from puntobanco.server import messages, wire
from puntobanco.server.asking import Failure, asker, changing_asker

with optional_package("msgspec", "Messages are read"):
    import msgspec

with optional_package("fastapi", "Requests are answered"):
    from fastapi import FastAPI, Response
    from fastapi.openapi.utils import get_openapi
    from fastapi.routing import APIRoute
    from starlette.routing import BaseRoute

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

SOCKET_EVENT, SOCKET_MESSAGE, LOBBY_MESSAGE = "SocketEvent", "SocketMessage", "LobbyMessage"


def refers_to(name: str) -> Json:
    return {"$ref": REFERENCE.format(name=name)}


def answers(kind: type) -> dict[int | str, Json]:
    """For a route whose answer is declared among the messages, and sent as it was made."""
    return {200: {"description": "", "content": {"application/json": {"schema": refers_to(kind.__name__)}}}}


def answered(said: Json) -> Response:
    """An answer that is made as it is declared, and not read again."""
    return Response(wire.encoded(said), media_type="application/json")


SOCKET: Json = {
    "path": "/api/tables/{table}/live",
    "description": (
        "A WebSocket. `after` resumes after the version of the last event that came, or gives a snapshot where too "
        "much has passed. Messages are text of at most 4,096 bytes, whole, not compressed. Whoever has no session, or "
        "one that has ended, watches; a page of another origin is refused at the upgrade. Whoever else cannot be let "
        "in is told by `refused` over the socket, which then closes: with 1013 where it is worth to come again, and "
        "with 1008 where it is not."
    ),
    "parameters": [
        {"name": "table", "in": "path", "required": True, "schema": {"type": "string"}},
        {"name": "after", "in": "query", "required": False, "schema": {"type": "integer", "minimum": 0}},
    ],
    "receives": refers_to(TABLE_MESSAGE),
    "sends": refers_to(SOCKET_MESSAGE),
}


LOBBY: Json = {
    "path": "/api/live",
    "description": (
        "A WebSocket on which nothing is asked: all tables, then what changes, at most once a second; with a session, "
        "also what concerns oneself: one's money and disputes, and for staff what waits for a second person."
    ),
    "sends": refers_to(LOBBY_MESSAGE),
}


def describe(app: FastAPI, routes: Sequence[BaseRoute]) -> None:
    """From now on the application, which has these routes, describes all of itself; worked out once."""

    def described() -> Json:
        if app.openapi_schema is None:
            app.openapi_schema = _described(app, routes)
        return app.openapi_schema

    app.openapi = described  # type: ignore[method-assign]


def _described(app: FastAPI, routes: Sequence[BaseRoute]) -> Json:
    found = get_openapi(title=app.title, version=app.version, summary=app.summary, routes=app.routes)
    components = found.setdefault("components", {})
    schemas = components.setdefault("schemas", {})
    declared = {**table_messages(), **told_messages()}
    assert not declared.keys() & schemas.keys(), "a name is given once"
    schemas.update(declared)
    # Every error is of one kind; FastAPI's own for what is malformed is never sent.
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    components["securitySchemes"] = {"session": {"type": "apiKey", "in": "cookie", "name": "pb_session"}}
    schemas["Failure"] = Failure.model_json_schema(ref_template=REFERENCE.replace("{name}", "{model}"))
    schemas |= schemas["Failure"].pop("$defs")
    asked = [route for route in routes if isinstance(route, APIRoute)]
    by_address = {(route.path, method.lower()): route for route in asked for method in route.methods or ()}
    for path, operations in found["paths"].items():
        for method, operation in operations.items():
            responses = operation["responses"]
            responses.pop("422", None)
            for status in _errors_of(by_address[path, method], method):
                responses.setdefault(str(status), {})
            # A route may say more of an error, and need not say again what all errors look like.
            for status, response in responses.items():
                if int(status) >= 400:
                    response["content"] = {"application/json": {"schema": FAILURE}}
                    response["description"] = response.get("description") or ERRORS[int(status)]
            operation["responses"] = dict(sorted(responses.items()))
            operation["security"] = COOKIE_OR_NOBODY
    found["x-socket"], found["x-lobby"] = SOCKET, LOBBY
    return found


ERRORS = {
    400: "Unreadable or malformed.",
    401: "Not signed in.",
    403: "Not allowed.",
    404: "Nothing there.",
    405: "Not that way.",
    409: "Refused by a rule, a limit or a balance.",
    413: "Too large.",
    429: "Too often.",
    503: "The table or the store is down.",
}


def _errors_of(route: APIRoute, method: str) -> set[int]:
    """What may become of a request, beyond what the route itself says: it follows from how it is asked."""
    errors = {400, 413, 429, 503}
    is_change = method not in ("get", "head")
    if _asks(route, asker, changing_asker):
        errors |= {401, 403}
    if is_change:
        # A page of another site; and what a body names may be gone, or a rule be against it.
        errors |= {403, 404, 409}
    if "{" in route.path:
        # With a name that has a slash in it, it is another address.
        errors |= {404, 405}
    return errors


def _asks(route: APIRoute, *whom: Callable[..., Any]) -> bool:
    """Whether a route asks in one of these ways who it is that asks."""
    return any(each.call in whom for each in route.dependant.dependencies)


def table_messages() -> dict[str, Json]:
    """The schema of every message of a table, from the declarations by which they are read."""
    (union,), named = msgspec.json.schema_components([wire.TableMessage], ref_template=REFERENCE)
    found = {TABLE_MESSAGE: union, **named}
    for schema in found.values():
        _end_patterns(schema)
    return found


def told_messages() -> dict[str, Json]:
    """The schema of everything that is told, from its declarations: unions by `type`, and of events by `event`."""
    told = [messages.EventTold, messages.OtherTold, messages.LobbyTold, *messages.ANSWERS]
    (events, others, lobby, *_), named = msgspec.json.schema_components(told, ref_template=REFERENCE)
    # Every event is of one type, so that what is sent is told apart by that first.
    either = {"oneOf": [refers_to(SOCKET_EVENT), *others["anyOf"]]}
    event = {"oneOf": events["anyOf"], "discriminator": events["discriminator"]}
    in_lobby = {"oneOf": lobby["anyOf"], "discriminator": lobby["discriminator"]}
    return {SOCKET_MESSAGE: either, SOCKET_EVENT: event, LOBBY_MESSAGE: in_lobby, **named}


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
