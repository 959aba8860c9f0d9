"""What stands at the address of the service itself: a plain page that leads to the rest."""

from html import escape
from typing import TYPE_CHECKING

from puntobanco import __version__
from puntobanco.extras import optional_package

with optional_package("fastapi", "Requests are answered"):
    from fastapi import APIRouter
    from fastapi.responses import HTMLResponse

if TYPE_CHECKING:
    from puntobanco.server.house import House

LINKS = {
    "/api/tables": "the tables, as they stand",
    "/api/games": "the games, and their rule cards at /api/games/GAME",
    "/api/openapi.json": "every route, message and answer (OpenAPI)",
    "/readyz": "whether the service is ready",
}


def page() -> str:
    rows = "\n".join(f'<li><a href="{path}">{path}</a>: {escape(words)}</li>' for path, words in LINKS.items())
    return f"""<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>puntobanco</title></head>
<body>
<h1>puntobanco {escape(__version__)}</h1>
<p>Live baccarat tables with play money, over HTTP and sockets.</p>
<ul>
{rows}
</ul>
<p>docs/service-api.md in the checkout leads a patron and a dealer through a round.</p>
</body>
</html>
"""


def routes(house: "House") -> APIRouter:
    router = APIRouter(tags=["operations"])

    @router.head("/", include_in_schema=False)
    @router.get("/", response_class=HTMLResponse, summary="A page that leads to the rest")
    async def front_door() -> HTMLResponse:
        return HTMLResponse(page())

    return router
