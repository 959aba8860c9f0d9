"""What needs two people: one asks, another agrees or does not. Before that nothing happens, and the table waits."""

import json
from collections.abc import Collection
from typing import NamedTuple

from puntobanco.extras import optional_package
from puntobanco.server.problems import Problem, nothing_there
from puntobanco.store.beside import Beside
from puntobanco.store.schema import request

with optional_package("sqlalchemy", "Requests are kept"):
    from sqlalchemy import insert, or_, select, update

WAITING, DECIDING, APPROVED, DECLINED = "waiting", "deciding", "approved", "declined"
WITHDRAWN, LAPSED = "withdrawn", "lapsed"
"""`withdrawn`: whoever asked for it does not want it any more.

`deciding`: somebody has approved it, and it is being carried out; after a crash it is carried out then.

`lapsed`: the round that it was about can be changed no more."""

OVER = (APPROVED, DECLINED, WITHDRAWN, LAPSED)
"""What a request can have become."""

MOST_LISTED = 100

CHANGED = frozenset({"state", "decided_by", "decided", "note", "decision"})


def decided_already() -> Problem:
    return Problem(409, "decided", "This request was decided already.")


def id_reused() -> Problem:
    return Problem(409, "id-reused", "This id was used for another command; nothing was done.")


def request_waits() -> Problem:
    return Problem(409, "request-waits", "The table waits for a request: approve or decline it first.")


def lapsed() -> Problem:
    return Problem(409, "lapsed", "The next round has begun since: nothing is changed any more.", "5.2")


class Request(NamedTuple):
    """Something that somebody has asked for and another must agree to."""

    id: str
    stream: str
    body: str
    """The message that asks for it, as JSON."""
    asked_by: str
    asked: int
    state: str = WAITING
    decided_by: str | None = None
    decided: int | None = None
    note: str | None = None
    decision: str | None = None
    """The id of the message that decided it."""
    version: int = 0
    """Of the table or the desk, when it was asked."""

    @property
    def round(self) -> int | None:
        """The round of its table that it is about."""
        found: int | None = json.loads(self.body).get("round")
        return found

    @property
    def patron(self) -> str | None:
        """Whose money it moves, at the desk; at a table it may be everybody's."""
        found: str | None = json.loads(self.body).get("patron")
        return found

    @property
    def people(self) -> list[str]:
        """The ids of all who are named in it."""
        return [each for each in (self.asked_by, self.decided_by, self.patron) if each is not None]

    @property
    def waits(self) -> bool:
        """Whether nothing has become of it yet."""
        return self.state in (WAITING, DECIDING)

    def is_decision_of(self, person: str, message_id: str) -> bool:
        return (self.decided_by, self.decision) == (person, message_id)


class Requests:
    """The requests of a house."""

    def __init__(self, beside: Beside) -> None:
        self._beside = beside

    async def ask(self, asked: Request) -> Request:
        """Keep it; the same id asked again gives what was kept, with another body it is refused."""
        async with self._beside.writing() as connection:
            there = (await connection.execute(select(request).where(request.c.id == asked.id))).one_or_none()
            if there is None:
                await connection.execute(insert(request).values(**asked._asdict()))
                return asked
        found = Request(*there)
        if found.body != asked.body:
            raise id_reused()
        return found

    async def kept(self, request_id: str) -> Request | None:
        async with self._beside.reading() as connection:
            row = (await connection.execute(select(request).where(request.c.id == request_id))).one_or_none()
        return None if row is None else Request(*row)

    async def find(self, request_id: str) -> Request:
        found = await self.kept(request_id)
        if found is None:
            raise nothing_there("There is no such request.")
        return found

    async def waiting(self, stream: str | None = None) -> list[Request]:
        asked = select(request).where(request.c.state.in_((WAITING, DECIDING))).order_by(request.c.asked)
        if stream is not None:
            asked = asked.where(request.c.stream == stream)
        async with self._beside.reading() as connection:
            return [Request(*row) for row in await connection.execute(asked)]

    async def of(self, person: str, states: Collection[str] = (WAITING, DECIDING, *OVER)) -> list[Request]:
        """What somebody has asked for and is in one of these states, newest first."""
        own = request.c.asked_by == person, request.c.state.in_(states)
        asked = select(request).where(*own).order_by(request.c.asked.desc()).limit(MOST_LISTED)
        async with self._beside.reading() as connection:
            return [Request(*row) for row in await connection.execute(asked)]

    async def decided(self, states: Collection[str] = OVER) -> list[Request]:
        """What has become of requests, whoever asked, newest first."""
        newest = request.c.decided.desc(), request.c.id
        asked = select(request).where(request.c.state.in_(states)).order_by(*newest).limit(MOST_LISTED)
        async with self._beside.reading() as connection:
            return [Request(*row) for row in await connection.execute(asked)]

    async def changed_since(self, time: int) -> list[Request]:
        """What was asked for or decided since then."""
        since = or_(request.c.asked >= time, request.c.decided >= time)
        async with self._beside.reading() as connection:
            found = await connection.execute(select(request).where(since).order_by(request.c.asked))
            return [Request(*row) for row in found]

    async def decide(self, found: Request, state: str, by: str, message_id: str, now: int, note: str = "") -> Request:
        """Decide one that waits: of two who decide at once, one is told. A retry of the decision finds it made."""
        decided = found._replace(state=state, decided_by=by, decided=now, note=note, decision=message_id)
        values = {name: value for name, value in decided._asdict().items() if name in CHANGED}
        async with self._beside.writing() as connection:
            done = await connection.execute(
                update(request).where(request.c.id == found.id, request.c.state == WAITING).values(values)
            )
        if done.rowcount == 1:
            return decided
        there = await self.find(found.id)
        is_same = there.state == state or (state, there.state) == (DECIDING, APPROVED)
        if not (is_same and there.is_decision_of(by, message_id)):
            raise decided_already()
        return there

    async def lapse(self, found: Request, now: int) -> None:
        """It can be carried out no more, and waits for nobody."""
        async with self._beside.writing() as connection:
            await connection.execute(
                update(request)
                .where(request.c.id == found.id, request.c.state == WAITING)
                .values(state=LAPSED, decided=now)
            )

    async def carried_out(self, found: Request) -> None:
        await self._change(found, state=APPROVED)

    async def put_back(self, found: Request) -> None:
        """It could not be carried out, and waits again: it may be declined."""
        await self._change(found, state=WAITING, decided_by=None, decided=None, note=None, decision=None)

    async def _change(self, found: Request, **values: str | None) -> None:
        async with self._beside.writing() as connection:
            await connection.execute(
                update(request).where(request.c.id == found.id, request.c.state == DECIDING).values(values)
            )
