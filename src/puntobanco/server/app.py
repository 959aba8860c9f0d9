"""The service over HTTP: its routes, and how every error is answered."""

from typing import TYPE_CHECKING, Any

from puntobanco import __version__
from puntobanco.errors import DeclarationError, Fault, InputError
from puntobanco.extras import optional_package
from puntobanco.server import (
    desk_routes,
    dispute_routes,
    floor_routes,
    health_routes,
    laboratory,
    ledger_routes,
    limit_routes,
    people_routes,
    reports,
    request_routes,
    round_routes,
    table_routes,
)
from puntobanco.server.asking import check_query
from puntobanco.server.description import describe
from puntobanco.server.entrance import Watched, who_and_where
from puntobanco.server.logs import log_problem
from puntobanco.server.problems import Problem, malformed, nothing_there, problem_of
from puntobanco.table import Refused

with optional_package("fastapi", "Requests are answered"):
    from fastapi import Depends, FastAPI, Request
    from fastapi.exceptions import RequestValidationError
    from fastapi.responses import JSONResponse
    from starlette.exceptions import HTTPException

if TYPE_CHECKING:
    from puntobanco.server.house import House


PARTS: tuple[Any, ...] = (
    health_routes,
    people_routes,
    request_routes,
    table_routes,
    round_routes,
    ledger_routes,
    limit_routes,
    dispute_routes,
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
        dependencies=[Depends(check_query)],
        redirect_slashes=False,
    )
    app.state.house = house
    routers = [part.routes(house) for part in PARTS]
    for router in routers:
        app.include_router(router)
    describe(app, [route for router in routers for route in router.routes])
    app.add_exception_handler(Problem, _answer_problem)
    app.add_exception_handler(Refused, _answer_problem)
    app.add_exception_handler(InputError, _answer_problem)
    app.add_exception_handler(DeclarationError, _answer_problem)
    app.add_exception_handler(Fault, _answer_problem)
    app.add_exception_handler(RequestValidationError, _answer_malformed)
    app.add_exception_handler(HTTPException, _answer_status)
    app.add_middleware(Watched, house=house)
    return app


async def _answer_problem(request: Request, error: Exception) -> JSONResponse:
    problem = problem_of(error)
    log_problem(problem, **who_and_where(request.scope, request.app.state.house))
    return JSONResponse(problem.as_json(), problem.status)


async def _answer_malformed(request: Request, error: Exception) -> JSONResponse:
    """What pydantic says repeats what was sent, which may be anything: only the places of known fields are told."""
    assert isinstance(error, RequestValidationError)
    known = known_names(request.app)
    places = [".".join(str(part) for part in each["loc"][1:] if part in known) for each in error.errors()]
    named = ", ".join(dict.fromkeys(place for place in places if place))
    problem = malformed(f"The request is not well formed{f' (at {named})' if named else ''}.")
    return JSONResponse(problem.as_json(), problem.status)


def known_names(app: FastAPI) -> set[str]:
    """The names of all fields and parameters that the service has; worked out once, which takes long."""
    if hasattr(app.state, "known_names"):
        known: set[str] = app.state.known_names
        return known
    app.state.known_names = found = set[str]()
    schema: dict[str, Any] = app.openapi()
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
