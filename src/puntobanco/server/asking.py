"""Who asks, over HTTP: what the routes of the service have in common."""

from typing import TYPE_CHECKING, Annotated, Any

from puntobanco.extras import optional_package
from puntobanco.rules.wagers import MONEY_LIMIT
from puntobanco.server.addresses import client_address
from puntobanco.server.cookies import token_in
from puntobanco.server.permissions import Permission, denied
from puntobanco.server.persons import Signed
from puntobanco.server.problems import Problem, malformed, not_signed_in
from puntobanco.server.texts import plain_text

with optional_package("fastapi", "Requests are answered"):
    from fastapi import Depends, Request
    from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

if TYPE_CHECKING:
    from puntobanco.server.house import House


class Why(BaseModel):
    """Why something was not done."""

    reason: str
    clause: str | None
    message: str
    closed_at: Annotated[int | None, Field(description="Only of what came too late: when betting closed.")] = None


class Failure(BaseModel):
    """The shape of every error."""

    error: Why


MAY_BE_REFUSED: dict[int | str, dict[str, Any]] = {409: {}}
"""For a route that changes nothing, and yet may be refused by a rule."""


class Strict(BaseModel):
    """A body in which nothing is guessed: no text for a number, no field that is not known."""

    model_config = ConfigDict(strict=True, extra="forbid")


# What nearly every body holds. An id of ours has no other signs, and one that a client makes can be printed: a
# database would not take every text.
PersonId = Annotated[str, StringConstraints(min_length=1, max_length=64, pattern="^[A-Za-z0-9_-]+$")]
CommandId = Annotated[
    str, StringConstraints(min_length=8, max_length=64, pattern="^[\\x20-\\x7e]*[\\x21-\\x7e][\\x20-\\x7e]*$")
]
Unit = Annotated[str, StringConstraints(pattern="^[A-Z]{3,8}$")]
Amount = Annotated[int, Field(ge=1, le=MONEY_LIMIT)]
Reason = Annotated[str, StringConstraints(min_length=1, max_length=500), AfterValidator(plain_text)]
"""What others read: one visible line."""


def house_of(request: Request) -> "House":
    house: House = request.app.state.house
    return house


def address_of(request: Request) -> str:
    """Whose address it is, through proxies that are trusted."""
    house = house_of(request)
    peer = request.client.host if request.client else None
    return client_address(peer, request.headers.getlist("x-forwarded-for"), house.configuration.trusted_proxy)


async def maybe_asker(request: Request) -> Signed | None:
    """Who is signed in, if anybody."""
    token = token_in(request.headers.get("cookie"))
    signed = None if token is None else await house_of(request).people.signed_in(token)
    # For the log, should it be refused.
    request.state.signed = signed
    return signed


async def asker(request: Request) -> Signed:
    signed = await maybe_asker(request)
    if signed is None:
        raise not_signed_in()
    return signed


async def changing_asker(request: Request) -> Signed:
    """Who asks for something to be changed, within the rate of their session."""
    house, signed = house_of(request), await asker(request)
    house.rates.command(signed.session, house.clock.now())
    return signed


Asker = Annotated[Signed, Depends(asker)]
ChangingAsker = Annotated[Signed, Depends(changing_asker)]
MaybeAsker = Annotated[Signed | None, Depends(maybe_asker)]


async def check_query(request: Request) -> None:
    """Raise a problem where an address has a parameter that its route does not know, or one twice."""
    route = request.scope["route"]
    # What stands before a route reads no parameters: they are all its own.
    known = {each.alias for each in route.dependant.query_params}
    given = [name for name, _ in request.query_params.multi_items()]
    if given and (not known.issuperset(given) or len(set(given)) < len(given)):
        takes = f"takes {', '.join(sorted(known))}, each once" if known else "takes no parameters"
        raise malformed(f"This address {takes}.")


def require(signed: Signed, permission: Permission) -> None:
    """Raise a problem unless they may."""
    problem: Problem | None = denied(signed, permission)
    if problem is not None:
        raise problem
