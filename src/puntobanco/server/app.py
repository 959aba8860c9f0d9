"""The service over HTTP: its routes, and how every error is answered."""

from time import perf_counter
from typing import TYPE_CHECKING, Any

from puntobanco import __version__
from puntobanco.errors import DeclarationError, Fault, InputError
from puntobanco.extras import optional_package
from puntobanco.server import (
    desk_routes,
    disputes,
    floor_routes,
    front_door,
    health,
    laboratory,
    patron_ledger,
    people_routes,
    reports,
    request_routes,
    responsible,
    rounds,
    table_routes,
)
from puntobanco.server.addresses import client_address
from puntobanco.server.asking import ERRORS
from puntobanco.server.description import describe
from puntobanco.server.guards import Guard, Scope
from puntobanco.server.logs import is_logged, log, log_problem, new_request_id
from puntobanco.server.problems import Problem, malformed, nothing_there, problem_of
from puntobanco.table import Refused

with optional_package("fastapi", "Requests are answered"):
    from fastapi import FastAPI, Request
    from fastapi.exceptions import RequestValidationError
    from fastapi.responses import JSONResponse
    from starlette.exceptions import HTTPException

if TYPE_CHECKING:
    from puntobanco.server.house import House


PARTS: tuple[Any, ...] = (
    front_door,
    health,
    people_routes,
    request_routes,
    table_routes,
    rounds,
    patron_ledger,
    responsible,
    disputes,
    floor_routes,
    desk_routes,
    reports,
    laboratory,
)
"""The modules with routes of their own."""


def application(house: "House") -> FastAPI:
    """The service of a house that is open."""
    app = FastAPI(
        title="puntobanco",
        summary="Live baccarat tables: patrons, dealers and supervisors.",
        version=__version__,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        responses=ERRORS,
        redirect_slashes=False,
    )
    app.state.house = house
    for part in PARTS:
        app.include_router(part.routes(house))
    describe(app)
    app.add_exception_handler(Problem, _answer_problem)
    app.add_exception_handler(Refused, _answer_problem)
    app.add_exception_handler(InputError, _answer_problem)
    app.add_exception_handler(DeclarationError, _answer_problem)
    app.add_exception_handler(Fault, _answer_problem)
    app.add_exception_handler(RequestValidationError, _answer_malformed)
    app.add_exception_handler(HTTPException, _answer_status)

    def allow(scope: Scope) -> None:
        house.rates.request(_address(scope, house), house.clock.now())

    def tell(problem: Problem, scope: Scope) -> None:
        log_problem(problem, **who_and_where(scope, house))

    app.add_middleware(Guard, origins=lambda: house.origins, allow=allow, tell=tell)
    # Last, and so around all others.
    app.add_middleware(Measured, house=house)
    return app


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


class Measured:
    """Counts what is answered, by status, with the time that it took, and gives everything said of it one id."""

    def __init__(self, application: Any, house: "House") -> None:
        self._application, self._house = application, house

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return
        began = perf_counter()
        new_request_id()

        async def sends(message: Any) -> None:
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


async def _answer_problem(request: Request, error: Exception) -> JSONResponse:
    problem = problem_of(error)
    log_problem(problem, **who_and_where(request.scope, request.app.state.house))
    return JSONResponse(problem.as_json(), problem.status)


async def _answer_malformed(request: Request, error: Exception) -> JSONResponse:
    """What pydantic says repeats what was sent, which may be anything: only the places of known fields are told."""
    assert isinstance(error, RequestValidationError)
    known = _known_names(request)
    places = [".".join(str(part) for part in each["loc"][1:] if part in known) for each in error.errors()]
    named = ", ".join(dict.fromkeys(place for place in places if place))
    problem = malformed(f"The request is not well formed{f' (at {named})' if named else ''}.")
    return JSONResponse(problem.as_json(), problem.status)


def _known_names(request: Request) -> set[str]:
    """The names of all fields and parameters that the service has."""
    found: set[str] = set()
    schema: dict[str, Any] = request.app.openapi()
    for model in schema.get("components", {}).get("schemas", {}).values():
        found.update(model.get("properties", {}))
    for path in schema["paths"].values():
        for operation in path.values():
            found.update(each["name"] for each in operation.get("parameters", []))
    return found


async def _answer_status(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    problem = nothing_there()
    if error.status_code == 405:
        problem = Problem(405, "not-that-way", "There is something here, but not by this method.")
    elif error.status_code != 404:
        problem = Problem(error.status_code, "malformed", "The request is not well formed.")
    return JSONResponse(problem.as_json(), problem.status, headers=error.headers)
