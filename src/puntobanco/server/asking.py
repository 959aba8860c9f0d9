"""Who asks over HTTP: what routes depend on, and the shape of every error."""

from typing import Annotated, Any

from puntobanco.extras import optional_package
from puntobanco.server.cookies import token_in
from puntobanco.server.permissions import Permission, denied
from puntobanco.server.persons import Signed
from puntobanco.server.problems import not_signed_in

with optional_package("fastapi", "Requests are answered"):
    from fastapi import Depends, Request
    from pydantic import BaseModel


class ErrorSaid(BaseModel):
    reason: str
    clause: str | None
    message: str


class ErrorBody(BaseModel):
    """Every error, everywhere."""

    error: ErrorSaid


ERRORS: dict[int | str, dict[str, Any]] = {
    400: {"model": ErrorBody, "description": "Unreadable or malformed"},
    401: {"model": ErrorBody, "description": "Not signed in"},
    403: {"model": ErrorBody, "description": "Not allowed"},
    404: {"model": ErrorBody, "description": "Nothing there"},
    409: {"model": ErrorBody, "description": "Refused by a rule, a limit or a balance"},
    413: {"model": ErrorBody, "description": "Too large"},
    429: {"model": ErrorBody, "description": "Too often"},
    503: {"model": ErrorBody, "description": "The table or the store is down"},
}


async def maybe_asker(request: Request) -> Signed | None:
    token = token_in(request.headers.get("cookie"))
    if token is None:
        return None
    signed: Signed | None = await request.app.state.house.people.signed_in(token)
    return signed


async def asker(found: Annotated[Signed | None, Depends(maybe_asker)]) -> Signed:
    if found is None:
        raise not_signed_in()
    return found


MaybeAsker = Annotated[Signed | None, Depends(maybe_asker)]
Asker = Annotated[Signed, Depends(asker)]


def require(signed: Signed, permission: Permission) -> None:
    """Raise a problem unless whoever asks may do this."""
    problem = denied(signed, permission)
    if problem is not None:
        raise problem
