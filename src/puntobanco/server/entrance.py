"""What every request passes on its way in; and the answers that are given while the routes are still being made.

Loading FastAPI and making all routes takes as long as opening the house. So it is done beside the first answers, in a
thread of its own: whether the process lives and is ready, and which tables there are, is answered without it, and so
are sockets. Whatever else is asked in that moment waits for it.
"""

import asyncio
from collections.abc import Callable, Mapping
from time import perf_counter
from typing import TYPE_CHECKING, Any

from puntobanco.server import web_app
from puntobanco.server.addresses import client_address
from puntobanco.server.guards import Application, Guard, Message, Receive, Scope, Send
from puntobanco.server.logs import is_logged, log, log_problem, new_request_id
from puntobanco.server.problems import Problem
from puntobanco.server.wire import encoded

if TYPE_CHECKING:
    from puntobanco.server.house import House

Json = dict[str, Any]

AT_ONCE: Mapping[str, Callable[["House"], Json]] = {
    "/healthz": lambda house: {"status": "ok"},
    "/readyz": lambda house: house.readiness().said(),
    "/api/tables": lambda house: house.listed(),
}
"""What needs nothing but the house; the routes of the same addresses say the same."""


NO_ROUTES = "Little more than the tables can be asked for: the rest of the service could not be loaded."
HEAD_START_SECONDS = 0.2
"""For so long nobody competes with the first answers, unless somebody asks for more than them."""


class Entrance:
    """The service from its first moment on."""

    def __init__(self, house: "House") -> None:
        self._house = house
        self._routes: Application | None = None
        self._loading: asyncio.Task[Application] | None = None
        self._first = Watched(_FirstAnswers(house), house)
        self._app = Watched(web_app.answer, house)
        self._without_routes = Watched(_no_routes, house)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if web_app.found(scope) is not None:
            await self._app(scope, receive, send)
            return
        if self._routes is None:
            if is_answered_at_once(scope):
                await self._first(scope, receive, send)
                return
            await self._load()
        await (self._routes or self._without_routes)(scope, receive, send)

    async def load(self) -> None:
        """Return once all routes are there, or cannot be."""
        await asyncio.sleep(HEAD_START_SECONDS)
        await self._load()

    async def _load(self) -> None:
        if self._loading is None:
            self._loading = asyncio.create_task(asyncio.to_thread(_loaded, self._house))
        loading = self._loading
        try:
            # Whoever goes away meanwhile does not stop it for all others.
            self._routes = await asyncio.shield(loading)
        except Exception as error:
            # Tables play on over sockets. Whoever asks next has it tried again: a full disk may have room by then.
            if self._loading is loading:
                self._loading, self._house.has_routes = None, False
                log("failed", reason="routes", status=503, fault=error)
        else:
            self._house.has_routes = True


def _loaded(house: "House") -> Application:
    from puntobanco.server.app import application, known_names

    app = application(house)
    # Here nobody waits for it; the first request that is malformed would.
    known_names(app)
    return app


async def _no_routes(scope: Scope, receive: Receive, send: Send) -> None:
    raise Problem(503, "fault", NO_ROUTES)


def is_answered_at_once(scope: Scope) -> bool:
    """Whether it is asked for plainly, and is something that needs no routes."""
    is_plain = scope["type"] == "http" and scope["method"] == "GET" and not scope["query_string"]
    return is_plain and scope["path"] in AT_ONCE


class _FirstAnswers:
    def __init__(self, house: "House") -> None:
        self._house = house

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        status = 200
        try:
            said = AT_ONCE[scope["path"]](self._house)
        except Problem as problem:
            status, said = problem.status, problem.as_json()
        body = encoded(said)
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})


class Watched:
    """Guards an application; counts what is answered, by status and time, and gives all that is said of it one id."""

    def __init__(self, app: Application, house: "House") -> None:
        self._house = house

        def allow(scope: Scope) -> None:
            house.rates.request(_address(scope, house), house.clock.now())

        def tell(problem: Problem, scope: Scope) -> None:
            log_problem(problem, **who_and_where(scope, house))

        self._application = Guard(app, lambda: house.origins, allow, tell)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return
        began = perf_counter()
        new_request_id()

        async def sends(message: Message) -> None:
            if message["type"] == "http.response.start":
                status = message["status"]
                seconds = perf_counter() - began
                self._house.metrics.answered(status, seconds)
                if is_logged("request"):
                    about = who_and_where(scope, self._house)
                    log("request", method=scope["method"], status=status, seconds=round(seconds, 4), **about)
                if status == 429:
                    self._house.metrics.too_often("request")
            await send(message)

        await self._application(scope, receive, sends)


def _address(scope: Scope, house: "House") -> str:
    peer = scope["client"][0] if scope.get("client") else None
    forwarded = [value.decode("latin-1") for name, value in scope["headers"] if name == b"x-forwarded-for"]
    return client_address(peer, forwarded, house.configuration.trusted_proxy)


def who_and_where(scope: Scope, house: "House") -> dict[str, str | None]:
    """What the log says of a request: nothing of what was sent in it, which may be anything."""
    signed, table = scope.get("state", {}).get("signed"), scope.get("path_params", {}).get("table")
    return {
        # The address as it is declared.
        "path": getattr(scope.get("route"), "path", None),
        "person": signed.person.id if signed else None,
        "role": signed.person.role.value if signed else None,
        "table": table if table in house.tables else None,
        "address": _address(scope, house),
    }
