"""What stands before every request: its size, its JSON, where it comes from, how often; and what answers carry."""

from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any

from puntobanco.extras import optional_package
from puntobanco.server.problems import Problem, malformed
from puntobanco.server.wire import encoded

with optional_package("msgspec", "Messages are read"):
    import msgspec

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

BODY_LIMIT = 64 * 1024
PATH_LIMIT = 2048
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})

SECURITY_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (
        b"content-security-policy",
        b"default-src 'self'; frame-ancestors 'none'; base-uri 'none'; object-src 'none'; form-action 'self'",
    ),
)


class Guard:
    """Refuses what no route should see. It reads the body itself, so that none is longer than the limit."""

    def __init__(
        self,
        application: Application,
        is_allowed_origin: Callable[[str], bool],
        allow: Callable[[Scope], None],
    ) -> None:
        self._application, self._is_allowed_origin, self._allow = application, is_allowed_origin, allow

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return
        # What FastAPI reads later is what was checked here.
        try:
            if len(scope["raw_path"]) + len(scope["query_string"]) > PATH_LIMIT:
                raise Problem(413, "too-large", f"An address has at most {PATH_LIMIT:,} bytes.")
            self._allow(scope)
            self._check_origin(scope)
            body = await self._body(scope, receive)
        except Problem as problem:
            await _answer(problem, send)
            return
        given = False

        async def again() -> Message:
            nonlocal given
            if given:
                return await receive()
            given = True
            return {"type": "http.request", "body": body, "more_body": False}

        await self._application(scope, again, _with_headers(scope, send))

    def _check_origin(self, scope: Scope) -> None:
        """A page of another site may not act in the name of whoever has it open."""
        if scope["method"] in SAFE:
            return
        headers = scope["headers"]
        origins = [value.decode("latin-1") for name, value in headers if name == b"origin"]
        sites = [value for name, value in headers if name == b"sec-fetch-site"]
        if any(not self._is_allowed_origin(origin) for origin in origins) or len(origins) > 1:
            raise Problem(403, "wrong-origin", "This page may not act here.")
        if not origins and sites and sites != [b"same-origin"]:
            raise Problem(403, "wrong-origin", "This page may not act here.")

    async def _body(self, scope: Scope, receive: Receive) -> bytes:
        parts, size = [], 0
        while True:
            message = await receive()
            if message["type"] != "http.request":
                raise malformed("The request has ended too early.")
            part = message.get("body", b"")
            size += len(part)
            if size > BODY_LIMIT:
                raise Problem(413, "too-large", f"A request has at most {BODY_LIMIT:,} bytes.")
            parts.append(part)
            if not message.get("more_body", False):
                break
        body = b"".join(parts)
        if body:
            kinds = [value for name, value in scope["headers"] if name == b"content-type"]
            if len(kinds) != 1 or kinds[0].split(b";")[0].strip().lower() != b"application/json":
                raise malformed("Send JSON, and say so: Content-Type: application/json.")
            try:
                # Stricter than the reader of the routes: no NaN, no half of a character, no depth without end.
                msgspec.json.decode(body)
            except (msgspec.DecodeError, UnicodeError, RecursionError, ValueError):
                raise malformed("The body is not JSON.") from None
        return body


async def _answer(problem: Problem, send: Send) -> None:
    body = encoded(problem.as_json())
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
        *SECURITY_HEADERS,
    ]
    await send({"type": "http.response.start", "status": problem.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _with_headers(scope: Scope, send: Send) -> Send:
    is_api = scope["path"].startswith("/api")

    async def sends(message: Message) -> None:
        if message["type"] == "http.response.start":
            found: Iterable[tuple[bytes, bytes]] = message["headers"]
            names = {name for name, _ in found}
            added = [*SECURITY_HEADERS, *([(b"cache-control", b"no-store")] if is_api else [])]
            message["headers"] = [*found, *[each for each in added if each[0] not in names]]
        await send(message)

    return sends
