"""What needs two people, over HTTP: what waits, adjustments asked for (ruling 22), and what the second person says."""

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

from puntobanco.extras import optional_package
from puntobanco.rules.wagers import MONEY_LIMIT
from puntobanco.server import wire
from puntobanco.server.asking import Asker, ChangingAsker, CommandId, PersonId, Reason, Strict, Unit, require
from puntobanco.server.people import names_of
from puntobanco.server.permissions import Permission, may
from puntobanco.server.problems import malformed
from puntobanco.server.requests import DECIDING, OVER, WAITING, Request
from puntobanco.server.texts import plain_text
from puntobanco.server.two_people import Adjustment, check_decides

with optional_package("fastapi", "Requests are answered"):
    from fastapi import APIRouter, Path, Query
    from pydantic import BaseModel, Field, StringConstraints

if TYPE_CHECKING:
    from puntobanco.server.house import House

RequestState = Literal["waiting", "decided", "approved", "declined", "withdrawn", "lapsed"]
STATES: Mapping[str | None, Sequence[str]] = {
    None: (WAITING, DECIDING, *OVER),
    "waiting": (WAITING, DECIDING),
    "decided": OVER,
    **{each: (each,) for each in OVER},
}
RequestId = Annotated[str, Path(max_length=64, pattern="^[A-Za-z0-9_-]+$")]


class AskAdjustment(Strict):
    """A payment was wrong, and no rule can change its round any more: so much to the patron, or from them."""

    id: CommandId
    patron: PersonId
    unit: Unit
    amount: Annotated[int, Field(ge=-MONEY_LIMIT, le=MONEY_LIMIT, description="Not 0; below it is taken.")]
    table: Annotated[str, StringConstraints(max_length=40, pattern="^[a-z0-9][a-z0-9-]*$")]
    round: Annotated[int, Field(ge=1, le=2**31)]
    reason: Reason


class Agreed(Strict):
    id: CommandId


class NotAgreed(Strict):
    id: CommandId
    note: Annotated[str, StringConstraints(max_length=500)] = ""


class Asked(BaseModel):
    """Something that somebody has asked for and another agrees to, or does not."""

    id: str
    stream: str = Field(description="The table or the desk that it is asked of.")
    body: dict[str, Any] = Field(description="The message that asks for it.")
    asked_by: str
    asked: int
    state: str = Field(description="waiting, deciding, approved, declined, withdrawn or lapsed.")
    decided_by: str | None
    decided: int | None
    note: str | None
    names: dict[str, str] = Field(description="By id, what the people in it are called.")


async def requests_said(house: "House", found: Sequence[Request]) -> list[Asked]:
    """Requests for staff to read, with the names of all in them."""
    names = await names_of(house.beside, [person for each in found for person in each.people])
    return [
        Asked(
            id=each.id,
            stream=each.stream,
            body=json.loads(each.body),
            asked_by=each.asked_by,
            asked=each.asked,
            state=each.state,
            decided_by=each.decided_by,
            decided=each.decided,
            note=each.note,
            names={person: names[person] for person in each.people if person in names},
        )
        for each in found
    ]


async def request_said(house: "House", found: Request) -> Asked:
    (said,) = await requests_said(house, [found])
    return said


class RequestList(BaseModel):
    requests: list[Asked]


def routes(house: "House") -> APIRouter:
    router = APIRouter(prefix="/api", tags=["two people"])

    @router.get(
        "/requests",
        summary="What waits for a second person, or what was decided, newest first; for a dealer, of their own",
    )
    async def requests(
        signed: Asker,
        state: Annotated[
            RequestState | None,
            Query(
                description="`decided`: approved, declined, withdrawn or lapsed, at most 100. Left out, what waits; "
                "for a dealer, all of their own."
            ),
        ] = None,
    ) -> RequestList:
        reads_all = may(signed.person.role, Permission.READ_REQUESTS)
        # Whoever may ask for something may see what has become of it.
        require(signed, Permission.READ_REQUESTS if reads_all else Permission.VOID)
        # What was about a round that stands by now lapses first.
        waiting = await house.two_people.waiting()
        if not reads_all:
            found = await house.requests.of(signed.person.id, STATES[state])
        elif state in (None, "waiting"):
            found = waiting
        else:
            found = await house.requests.decided(STATES[state])
        return RequestList(requests=await requests_said(house, found))

    @router.post(
        "/adjustments",
        status_code=202,
        summary="Ask for a patron's account to be adjusted, which waits for a second person",
    )
    async def adjust(body: AskAdjustment, signed: ChangingAsker) -> Asked:
        require(signed, Permission.ADJUST_ACCOUNT)
        if body.amount == 0:
            raise malformed("An adjustment moves something (at amount).")
        asked = Adjustment(body.patron, body.unit, body.amount, body.table, body.round, body.reason)
        return await request_said(house, await house.two_people.ask_adjustment(signed, body.id, asked))

    async def decide(request_id: str, signed: ChangingAsker, said: wire.Approve | wire.Decline) -> Asked:
        check_decides(signed, await house.requests.kept(request_id), Permission(wire.kind_of(said)))
        request = await house.requests.find(request_id)
        if request.stream.startswith("table/"):
            await house.command(request.stream.removeprefix("table/"), signed, said)
        else:
            note = said.note if isinstance(said, wire.Decline) else ""
            approve = isinstance(said, wire.Approve)
            await house.two_people.decide_adjustment(request, signed, said.id, approve=approve, note=note)
        return await request_said(house, await house.requests.find(request_id))

    @router.post("/requests/{request_id}/approve", summary="The second person agrees, and it is done")
    async def approve(request_id: RequestId, body: Agreed, signed: ChangingAsker) -> Asked:
        return await decide(request_id, signed, wire.Approve(body.id, request_id))

    @router.post(
        "/requests/{request_id}/decline", summary="The second person does not agree, or whoever asked withdraws it"
    )
    async def decline(request_id: RequestId, body: NotAgreed, signed: ChangingAsker) -> Asked:
        note = plain_text(body.note, needed=False)
        return await decide(request_id, signed, wire.Decline(body.id, request_id, note))

    return router
