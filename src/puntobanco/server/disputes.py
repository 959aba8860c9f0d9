"""Disputes: a patron disputes a round, somebody takes it up and decides, and the patron is told.

    open -> assigned -> decided -> seen by the patron

A dispute moves no money. Where it is upheld, the round is put right as any other: by two people, with a clause.
"""

import secrets
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

from puntobanco.extras import optional_package
from puntobanco.server.asking import ERRORS, Asker, ChangingAsker, PersonId, Strict, require
from puntobanco.server.numbers import PlainInt
from puntobanco.server.permissions import Permission, denied, may
from puntobanco.server.persons import Person, Role
from puntobanco.server.problems import Problem, malformed, not_allowed, nothing_there
from puntobanco.server.rounds import LATEST, TABLE_PATTERN, House, RoundSaid, round_for
from puntobanco.server.texts import plain_text
from puntobanco.store.beside import Beside
from puntobanco.store.schema import dispute, person

with optional_package("sqlalchemy", "Disputes are kept"):
    from sqlalchemy import func, insert, select, update
with optional_package("fastapi", "Requests are answered"):
    from fastapi import APIRouter, Path, Query
    from pydantic import BaseModel, Field, StringConstraints

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

MOST_OPEN = 20
"""Of one patron at a time."""
MOST_WORDS = 2_000
MOST_LISTED = 200


class State(StrEnum):
    OPEN = "open"
    ASSIGNED = "assigned"
    DECIDED = "decided"


class Outcome(StrEnum):
    UPHELD = "upheld"
    """The patron is right."""
    REJECTED = "rejected"
    """The round stands as it was."""


class Dispute(NamedTuple):
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
    """When the patron has seen the decision."""


class Disputes:
    """All disputes of a house."""

    def __init__(self, beside: Beside) -> None:
        self._beside = beside

    async def open(self, patron: str, table: str, number: int, said: str, now: int) -> Dispute:
        """A patron disputes a round, which is there; once at a time."""
        said = _words(said)
        async with self._beside.writing() as connection:
            where = dispute.c.patron == patron, dispute.c.state != State.DECIDED
            running = list(await connection.execute(select(dispute.c.table, dispute.c.round).where(*where)))
            if any((each.table, each.round) == (table, number) for each in running):
                raise _disputed_already()
            if len(running) >= MOST_OPEN:
                raise Problem(409, "too-many-disputes", f"No more than {MOST_OPEN} disputes are open at a time.")
            opened = Dispute(
                secrets.token_hex(8), patron, table, number, said, now, State.OPEN, None, None, None, None, None, None
            )
            try:
                await connection.execute(insert(dispute).values(opened._asdict()))
            except Exception as error:
                # Of several at once the database lets one in.
                if "unique" in str(error).lower():
                    raise _disputed_already() from None
                raise
        return opened

    async def assign(self, dispute_id: str, to: str) -> Dispute:
        """Somebody of the staff takes it up, or hands it to another who may decide."""
        async with self._beside.writing() as connection:
            found = await _locked(connection, dispute_id)
            role = (await connection.execute(select(person.c.role).where(person.c.id == to))).scalar_one_or_none()
            if role is None or not may(Role(role), Permission.DECIDE_DISPUTE) or to == found.patron:
                raise Problem(409, "cannot-decide", "A dispute is given to somebody who may decide it.")
            _undecided(found)
            return await _change(connection, found, state=State.ASSIGNED, assigned_to=to)

    async def decide(self, dispute_id: str, by: Person, outcome: Outcome, decision: str, now: int) -> Dispute:
        """Whoever it is assigned to decides it, with a reason that the patron is told."""
        decision = _words(decision)
        async with self._beside.writing() as connection:
            found = await _locked(connection, dispute_id)
            _undecided(found)
            if found.assigned_to != by.id:
                raise not_allowed("Whoever a dispute is assigned to decides it.")
            decided = {"outcome": outcome, "decision": decision, "decided_by": by.id, "decided": now}
            return await _change(connection, found, state=State.DECIDED, **decided)

    async def seen(self, dispute_id: str, patron: str, now: int) -> Dispute:
        """The patron has seen the decision."""
        async with self._beside.writing() as connection:
            found = await _locked(connection, dispute_id)
            if found.patron != patron:
                raise nothing_there("There is no such dispute.")
            if found.state is not State.DECIDED:
                raise Problem(409, "not-decided", "The dispute is not decided yet.")
            return found if found.told is not None else await _change(connection, found, told=now)

    async def find(self, dispute_id: str) -> Dispute:
        async with self._beside.reading() as connection:
            return await _found(connection, dispute_id)

    async def of_patron(self, patron: str, limit: int = MOST_LISTED) -> list[Dispute]:
        """Newest first."""
        return await self._list(dispute.c.patron == patron, limit)

    async def waiting(self, state: State | None = None, limit: int = MOST_LISTED) -> list[Dispute]:
        """Of all patrons, for staff: the newest of those in a state, or of all."""
        return await self._list(True if state is None else dispute.c.state == state, limit)

    async def unseen_decisions(self, patron: str) -> list[Dispute]:
        """What the patron is to be told: decisions that they have not seen."""
        return await self._list(
            (dispute.c.patron == patron) & (dispute.c.state == State.DECIDED) & dispute.c.told.is_(None), MOST_LISTED
        )

    async def decided_since(self, time: int) -> list[Dispute]:
        """Of all patrons, what was decided since then."""
        return await self._list((dispute.c.state == State.DECIDED) & (dispute.c.decided >= time), MOST_LISTED)

    async def count(self, state: State) -> int:
        async with self._beside.reading() as connection:
            statement = select(func.count()).select_from(dispute).where(dispute.c.state == state)
            return int((await connection.execute(statement)).scalar_one())

    async def _list(self, where: Any, limit: int) -> list[Dispute]:
        statement = select(dispute).order_by(dispute.c.opened.desc(), dispute.c.id.desc()).limit(limit)
        if where is not True:
            statement = statement.where(where)
        async with self._beside.reading() as connection:
            return [_dispute(row) for row in await connection.execute(statement)]


async def _found(connection: "AsyncConnection", dispute_id: str, *, lock: bool = False) -> Dispute:
    statement = select(dispute).where(dispute.c.id == dispute_id)
    row = (await connection.execute(statement.with_for_update() if lock else statement)).one_or_none()
    if row is None:
        raise nothing_there("There is no such dispute.")
    return _dispute(row)


async def _locked(connection: "AsyncConnection", dispute_id: str) -> Dispute:
    """As it stands, and stays until the transaction ends."""
    return await _found(connection, dispute_id, lock=True)


async def _change(connection: "AsyncConnection", found: Dispute, **values: Any) -> Dispute:
    await connection.execute(update(dispute).where(dispute.c.id == found.id).values(**values))
    return found._replace(**values)


def _dispute(row: Any) -> Dispute:
    found = Dispute(*[getattr(row, name) for name in Dispute._fields])
    return found._replace(state=State(found.state), outcome=None if found.outcome is None else Outcome(found.outcome))


def _undecided(found: Dispute) -> None:
    if found.state is State.DECIDED:
        raise Problem(409, "decided", "The dispute is decided.")


def told(found: Dispute) -> dict[str, Any]:
    """A decision, as the patron is told of it."""
    return {
        "type": "dispute-decided",
        "time": found.decided,
        "dispute": found.id,
        "table": found.table,
        "round": found.round,
        "outcome": found.outcome,
        "decision": found.decision,
    }


def _disputed_already() -> Problem:
    return Problem(409, "disputed-already", "You dispute this round already; it is not decided yet.")


def _words(text: str) -> str:
    """What somebody says, in lines that can be seen."""
    said = "\n".join([plain_text(line, needed=False) for line in text.strip().split("\n")])
    if not said or len(said) > MOST_WORDS:
        raise malformed(f"Say it in 1 to {MOST_WORDS:,} printable characters.")
    return said


# Over HTTP.


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


class DisputeWithRound(BaseModel):
    dispute: DisputeSaid
    round: RoundSaid = Field(description="With the wagers of the patron who disputes it.")


class DisputeList(BaseModel):
    disputes: list[DisputeSaid]


DisputeId = Annotated[str, Path(pattern="^[0-9a-f]{16}$")]


def said(found: Dispute) -> DisputeSaid:
    return DisputeSaid.model_validate(found, from_attributes=True)


def _stakes_now(house: House, table: str, number: int, patron: str) -> bool:
    """Whether the patron has a stake in the round, which is in progress."""
    live = house.tables.get(table)
    return live is not None and live.table.round_number == number and bool(live.table.slip(patron))


def routes(house: House) -> APIRouter:
    router = APIRouter(tags=["disputes"], responses=ERRORS)
    disputes = Disputes(house.beside)

    async def with_round(found: Dispute) -> DisputeWithRound:
        disputed = await round_for(house, found.table, found.round, found.patron)
        return DisputeWithRound(dispute=said(found), round=RoundSaid.model_validate(disputed))

    @router.post("/api/disputes", status_code=201, response_model_exclude_unset=True)
    async def open_dispute(asker: ChangingAsker, body: OpenDispute) -> DisputeWithRound:
        """Dispute a round; the answer has it filled in as the record has it."""
        require(asker, Permission.OPEN_DISPUTE)
        # A round that is not there is not disputed, nor one that is nothing to the patron.
        disputed = await round_for(house, body.table, body.round, asker.person.id)
        if not disputed["wagers"] and not _stakes_now(house, body.table, body.round, asker.person.id):
            raise Problem(409, "no-stake", "You had no stake in this round: whoever had one may dispute it.")
        opened = await disputes.open(asker.person.id, body.table, body.round, body.said, house.clock.now())
        return await with_round(opened)

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
        return DisputeList(disputes=[said(each) for each in found])

    @router.get("/api/disputes/{dispute_id}", response_model_exclude_unset=True)
    async def get_dispute(asker: Asker, dispute_id: DisputeId) -> DisputeWithRound:
        """A dispute of one's own, or for staff any."""
        found = await disputes.find(dispute_id)
        if found.patron != asker.person.id and denied(asker, Permission.READ_REPORTS) is not None:
            raise nothing_there("There is no such dispute.")
        return await with_round(found)

    @router.post("/api/disputes/{dispute_id}/assign")
    async def assign_dispute(asker: ChangingAsker, dispute_id: DisputeId, body: AssignDispute) -> DisputeSaid:
        """Take a dispute up, or hand it to another who may decide."""
        require(asker, Permission.ASSIGN_DISPUTE)
        return said(await disputes.assign(dispute_id, body.to or asker.person.id))

    @router.post("/api/disputes/{dispute_id}/decide")
    async def decide_dispute(asker: ChangingAsker, dispute_id: DisputeId, body: DecideDispute) -> DisputeSaid:
        """Decide it, with a reason that the patron is told."""
        require(asker, Permission.DECIDE_DISPUTE)
        outcome, now = Outcome(body.outcome), house.clock.now()
        return said(await disputes.decide(dispute_id, asker.person, outcome, body.decision, now))

    @router.post("/api/disputes/{dispute_id}/seen")
    async def see_decision(asker: ChangingAsker, dispute_id: DisputeId) -> DisputeSaid:
        """The patron has seen the decision."""
        require(asker, Permission.OPEN_DISPUTE)
        return said(await disputes.seen(dispute_id, asker.person.id, house.clock.now()))

    return router
