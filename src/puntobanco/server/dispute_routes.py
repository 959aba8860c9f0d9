"""Disputes over HTTP: opened by a patron, taken up and decided by staff."""

from collections.abc import Sequence
from typing import Annotated, Literal

from puntobanco.extras import optional_package
from puntobanco.server.asking import Asker, ChangingAsker, PersonId, Strict, require
from puntobanco.server.disputes import MOST_LISTED, MOST_WORDS, Dispute, Disputes, Outcome, State
from puntobanco.server.numbers import PlainInt
from puntobanco.server.people import names_of
from puntobanco.server.permissions import Permission, denied, may
from puntobanco.server.persons import STAFF, Signed
from puntobanco.server.problems import Problem, nothing_there
from puntobanco.server.round_routes import RoundSaid
from puntobanco.server.rounds import LATEST, TABLE_PATTERN, House, round_for

with optional_package("fastapi", "Requests are answered"):
    from fastapi import APIRouter, Path, Query
    from pydantic import BaseModel, Field, StringConstraints

Words = Annotated[str, StringConstraints(min_length=1, max_length=MOST_WORDS)]


class OpenDispute(Strict):
    table: Annotated[str, StringConstraints(pattern=TABLE_PATTERN)]
    round: Annotated[int, Field(ge=1, le=LATEST)]
    said: Words


class AssignDispute(Strict):
    to: PersonId | None = Field(default=None, description="The id of who is to decide; whoever asks, if left out.")


class DecideDispute(Strict):
    outcome: Literal["upheld", "rejected"]
    decision: Words


class DisputeSaid(BaseModel):
    id: str
    patron: str
    table: str
    round: int
    said: str
    opened: int
    state: State
    assigned_to: str | None
    outcome: Outcome | None
    decision: str | None
    decided_by: str | None
    decided: int | None
    told: int | None
    names: dict[str, str] = Field(description="For staff: by id, what the people in it are called.")


class DisputeWithRound(BaseModel):
    dispute: DisputeSaid
    round: RoundSaid = Field(description="With the wagers of the patron who disputes it.")


class DisputeList(BaseModel):
    disputes: list[DisputeSaid]


DisputeId = Annotated[str, Path(pattern="^[0-9a-f]{16}$")]


def _stakes_now(house: House, table: str, number: int, patron: str) -> bool:
    """Whether the patron has a stake in the round, which is in progress."""
    live = house.tables.get(table)
    return live is not None and live.table.round_number == number and bool(live.table.slip(patron))


def routes(house: House) -> APIRouter:
    router = APIRouter(tags=["disputes"])
    disputes = Disputes(house.beside)

    async def all_said(asker: Signed, found: Sequence[Dispute]) -> list[DisputeSaid]:
        # Who works here is no patron's business.
        named = found if asker.person.role in STAFF else ()
        names = await names_of(house.beside, [person for each in named for person in each.people])
        return [
            DisputeSaid(**each._asdict(), names={person: names[person] for person in each.people if person in names})
            for each in found
        ]

    async def said(asker: Signed, found: Dispute) -> DisputeSaid:
        (one,) = await all_said(asker, [found])
        return one

    async def with_round(asker: Signed, found: Dispute) -> DisputeWithRound:
        disputed = await round_for(house, found.table, found.round, found.patron)
        return DisputeWithRound(dispute=await said(asker, found), round=RoundSaid.model_validate(disputed))

    @router.post("/api/disputes", status_code=201, response_model_exclude_unset=True)
    async def open_dispute(asker: ChangingAsker, body: OpenDispute) -> DisputeWithRound:
        """Dispute a round; the answer has it filled in as the record has it."""
        require(asker, Permission.OPEN_DISPUTE)
        # A round that is not there is not disputed, nor one that is nothing to the patron.
        disputed = await round_for(house, body.table, body.round, asker.person.id)
        if not disputed["wagers"] and not _stakes_now(house, body.table, body.round, asker.person.id):
            raise Problem(409, "no-stake", "You had no stake in this round: whoever had one may dispute it.")
        opened = await disputes.open(asker.person.id, body.table, body.round, body.said, house.clock.now())
        return await with_round(asker, opened)

    @router.get("/api/disputes")
    async def list_disputes(
        asker: Asker,
        state: Annotated[State | None, Query()] = None,
        limit: Annotated[PlainInt, Query(ge=1, le=MOST_LISTED)] = MOST_LISTED,
    ) -> DisputeList:
        """For a patron their own; for staff who decide or audit, everybody's."""
        if may(asker.person.role, Permission.READ_REPORTS):
            require(asker, Permission.READ_REPORTS)
            found = await disputes.waiting(state, limit)
        else:
            require(asker, Permission.OPEN_DISPUTE)
            found = await disputes.of_patron(asker.person.id, limit)
            found = [each for each in found if state is None or each.state is state]
        return DisputeList(disputes=await all_said(asker, found))

    @router.get("/api/disputes/{dispute_id}", response_model_exclude_unset=True)
    async def get_dispute(asker: Asker, dispute_id: DisputeId) -> DisputeWithRound:
        """A dispute of one's own, or for staff any."""
        found = await disputes.find(dispute_id)
        if found.patron != asker.person.id and denied(asker, Permission.READ_REPORTS) is not None:
            raise nothing_there("There is no such dispute.")
        return await with_round(asker, found)

    @router.post("/api/disputes/{dispute_id}/assign")
    async def assign_dispute(asker: ChangingAsker, dispute_id: DisputeId, body: AssignDispute) -> DisputeSaid:
        """Take a dispute up, or hand it to another who may decide."""
        require(asker, Permission.ASSIGN_DISPUTE)
        return await said(asker, await disputes.assign(dispute_id, body.to or asker.person.id))

    @router.post("/api/disputes/{dispute_id}/decide")
    async def decide_dispute(asker: ChangingAsker, dispute_id: DisputeId, body: DecideDispute) -> DisputeSaid:
        """Decide it, with a reason that the patron is told."""
        require(asker, Permission.DECIDE_DISPUTE)
        outcome, now = Outcome(body.outcome), house.clock.now()
        return await said(asker, await disputes.decide(dispute_id, asker.person, outcome, body.decision, now))

    @router.post("/api/disputes/{dispute_id}/seen")
    async def see_decision(asker: ChangingAsker, dispute_id: DisputeId) -> DisputeSaid:
        """The patron has seen the decision."""
        require(asker, Permission.OPEN_DISPUTE)
        return await said(asker, await disputes.seen(dispute_id, asker.person.id, house.clock.now()))

    return router
