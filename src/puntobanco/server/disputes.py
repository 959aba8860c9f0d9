"""Disputes: a patron disputes a round, somebody takes it up and decides, and the patron is told.

    open -> assigned -> decided -> seen by the patron

A dispute moves no money. Where it is upheld, the round is put right as any other: by two people, with a clause.
"""

import secrets
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from puntobanco.extras import optional_package
from puntobanco.server.permissions import Permission, may
from puntobanco.server.persons import Person, Role
from puntobanco.server.problems import Problem, malformed, not_allowed, nothing_there
from puntobanco.server.texts import plain_text
from puntobanco.store.beside import Beside
from puntobanco.store.schema import dispute, person

with optional_package("sqlalchemy", "Disputes are kept"):
    from sqlalchemy import func, insert, select, update

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

    @property
    def people(self) -> list[str]:
        """The ids of all who are named in it."""
        return [each for each in (self.patron, self.assigned_to, self.decided_by) if each is not None]


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
