"""The routes for those who watch the process: /healthz, /readyz and /metrics."""

from typing import TYPE_CHECKING, Annotated, Protocol

from puntobanco.extras import optional_package
from puntobanco.server.addresses import client_address, is_within
from puntobanco.server.configuration import Configuration
from puntobanco.server.health import Readiness
from puntobanco.server.metrics import CONTENT_TYPE, Metrics, Reading
from puntobanco.server.problems import nothing_there

with optional_package("fastapi", "Requests are answered"):
    from fastapi import APIRouter, Request, Response
    from pydantic import BaseModel, ConfigDict, Field

if TYPE_CHECKING:
    from collections.abc import Sequence


class Watched(Protocol):
    """What the routes need of the house."""

    @property
    def configuration(self) -> Configuration: ...

    @property
    def metrics(self) -> Metrics: ...

    def readiness(self) -> Readiness: ...

    def reading(self) -> Reading: ...


class Alive(BaseModel):
    """The process answers."""

    model_config = ConfigDict(extra="forbid")
    status: Annotated[str, Field(description="Always ok.")] = "ok"


class Ready(BaseModel):
    """The process serves requests."""

    model_config = ConfigDict(extra="forbid")
    status: Annotated[str, Field(description="Always ready.")] = "ready"
    tables: Annotated[int, Field(ge=0, description="The tables that this process knows.")]
    stopped: Annotated[int, Field(ge=0, description="Those of them that a fault has stopped.")]


def asking_address(request: Request, configuration: Configuration) -> str:
    """Who makes a request over HTTP."""
    forwarded: Sequence[str] = request.headers.getlist("x-forwarded-for")
    peer = request.client.host if request.client else None
    return client_address(peer, forwarded, configuration.trusted_proxy)


def routes(house: Watched) -> APIRouter:
    """What watches the service, beside the API."""
    router = APIRouter(tags=["operations"])

    @router.head("/healthz", include_in_schema=False)
    @router.get("/healthz")
    async def healthz() -> Alive:
        """Whether the process lives."""
        return Alive()

    @router.head("/readyz", include_in_schema=False)
    @router.get("/readyz", responses={503: {"description": "It starts, stops, or cannot write its record."}})
    async def readyz() -> Ready:
        """Whether requests may be sent here."""
        return Ready(**house.readiness().said())

    @router.get(
        "/metrics",
        response_class=Response,
        responses={
            200: {"description": "The figures, as Prometheus reads them.", "content": {"text/plain": {}}},
            404: {"description": "The asker is not among those of the setting metrics-to."},
        },
    )
    async def metrics(request: Request) -> Response:
        """The figures of this process."""
        asked_by, forwarded = asking_address(request, house.configuration), "x-forwarded-for" in request.headers
        # Behind a proxy that nobody has named as trusted, everybody has its address.
        is_known = not forwarded or bool(house.configuration.trusted_proxy)
        if not (is_known and is_within(asked_by, house.configuration.metrics_to)):
            # To others there is nothing here.
            raise nothing_there()
        return Response(house.metrics.text(house.reading()), media_type=CONTENT_TYPE)

    return router
