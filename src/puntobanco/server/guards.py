"""What stands before every request: its size, its JSON, where it comes from, how often; and what answers carry."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, MutableMapping
from http import HTTPStatus
from typing import Any

from puntobanco.extras import optional_package
from puntobanco.server.build import BUILD, BUILD_HEADER
from puntobanco.server.logs import log
from puntobanco.server.problems import Problem, malformed, problem_of
from puntobanco.server.wire import check_names_once, encoded

with optional_package("msgspec", "Messages are read"):
    import msgspec

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

BODY_LIMIT = 64 * 1024
PATH_LIMIT = 2048
BODY_SECONDS = 10.0
"""In which a body is here; the head before it has its time at the connection."""
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})

SECURITY_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        b"connect-src 'self'; manifest-src 'self'; worker-src 'self'; frame-ancestors 'none'; base-uri 'none'; "
        b"form-action 'self'",
    ),
)


API_HEADERS = ((b"cache-control", b"no-store"), (BUILD_HEADER.encode(), BUILD.encode()))


class Guard:
    """Refuses what no route should see. It reads the body itself, so that none is longer than the limit."""

    def __init__(
        self,
        application: Application,
        origins: Callable[[], Collection[str]],
        allow: Callable[[Scope], None],
        tell: Callable[[Problem, Scope], None] = lambda problem, scope: None,
    ) -> None:
        self._application, self._origins, self._allow, self._tell = application, origins, allow, tell

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return
        # What FastAPI reads later is what was checked here.
        try:
            if len(scope["raw_path"]) + len(scope["query_string"]) > PATH_LIMIT:
                raise Problem(413, "too-large", f"An address has at most {PATH_LIMIT:,} bytes.")
            self._allow(scope)
            if scope["method"] not in SAFE:
                headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"]]
                check_origin(headers, self._origins())
            body = await self._body(scope, receive)
        except Problem as problem:
            self._tell(problem, scope)
            await _answer(problem, send)
            return
        given = started = False

        async def again() -> Message:
            nonlocal given
            if given:
                return await receive()
            given = True
            return {"type": "http.request", "body": body, "more_body": False}

        async def sends(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self._application(scope, again, _with_headers(scope, sends))
        except Exception as error:
            # Which route it was, and not the path: that is what somebody sent.
            log("failed", reason="fault", status=503, path=getattr(scope.get("route"), "path", ""), fault=error)
            if started:
                raise
            await _answer(problem_of(error), send)

    async def _body(self, scope: Scope, receive: Receive) -> bytes:
        try:
            async with asyncio.timeout(BODY_SECONDS):
                body = await _read(receive)
        except TimeoutError:
            raise malformed(f"A request is sent within {BODY_SECONDS:.0f} seconds.", "too-slow") from None
        if body:
            kinds = [value for name, value in scope["headers"] if name == b"content-type"]
            if len(kinds) != 1 or kinds[0].split(b";")[0].strip().lower() != b"application/json":
                raise malformed("Send JSON, and say so: Content-Type: application/json.")
            try:
                # Stricter than the reader of the routes: no NaN, no half of a character, no depth without end.
                msgspec.json.decode(body)
            except (msgspec.DecodeError, UnicodeError, RecursionError, ValueError):
                raise malformed("The body is not JSON.") from None
            check_names_once(body)
        return body


def check_origin(headers: Iterable[tuple[str, str]], allowed: Collection[str]) -> None:
    """A page of another site may not act, nor listen, in the name of whoever has it open.

    Every browser says where a page comes from; who says nothing at all is no browser, and has no cookie by accident.
    """
    found = list(headers)
    origins = [value for name, value in found if name == "origin"]
    sites = [value for name, value in found if name == "sec-fetch-site"]
    is_ours = len(origins) == 1 and origins[0] in allowed
    is_no_page = not origins and (not sites or sites == ["same-origin"])
    if not (is_ours or is_no_page) or "cross-site" in sites:
        raise Problem(403, "wrong-origin", "This page may not act here.")


async def _read(receive: Receive) -> bytes:
    """The body, as long as it may be and no longer."""
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
            return b"".join(parts)


async def _answer(problem: Problem, send: Send) -> None:
    body = encoded(problem.as_json())
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
        (b"cache-control", b"no-store"),
        *SECURITY_HEADERS,
    ]
    await send({"type": "http.response.start", "status": problem.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def raw_answer(problem: Problem) -> bytes:
    """The same for a connection on which no application answers: whole, and the last of it."""
    body = encoded(problem.as_json())
    status = HTTPStatus(problem.status)
    lines = [
        f"HTTP/1.1 {status.value} {status.phrase}".encode(),
        b"content-type: application/json",
        b"content-length: " + str(len(body)).encode(),
        b"connection: close",
        b"cache-control: no-store",
        *[name + b": " + value for name, value in SECURITY_HEADERS],
    ]
    return b"\r\n".join([*lines, b"", body])


def _with_headers(scope: Scope, send: Send) -> Send:
    is_api = scope["path"].startswith("/api")

    async def sends(message: Message) -> None:
        if message["type"] == "http.response.start":
            found: Iterable[tuple[bytes, bytes]] = message["headers"]
            names = {name for name, _ in found}
            added = [*SECURITY_HEADERS, *(API_HEADERS if is_api else ())]
            message["headers"] = [*found, *[each for each in added if each[0] not in names]]
        await send(message)

    return sends
