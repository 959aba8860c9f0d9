"""What needs two people: one asks, another agrees or does not. Before that nothing happens, and the table waits."""

import secrets
from typing import Any, NamedTuple

from puntobanco.extras import optional_package
from puntobanco.server.problems import Problem, nothing_there
from puntobanco.store.beside import Beside
from puntobanco.store.schema import request

with optional_package("sqlalchemy", "Requests are kept"):
    from sqlalchemy import insert, select, update

WAITING, APPROVED, DECLINED = "waiting", "approved", "declined"


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

    def as_json(self) -> dict[str, Any]:
        import json

        return {**self._asdict(), "body": json.loads(self.body)}


class Requests:
    """The requests of a house."""

    def __init__(self, beside: Beside) -> None:
        self._beside = beside

    async def ask(self, stream: str, body: str, asked_by: str, asked: int, request_id: str | None = None) -> Request:
        found = Request(request_id or secrets.token_hex(8), stream, body, asked_by, asked)
        async with self._beside.writing() as connection:
            there = (await connection.execute(select(request).where(request.c.id == found.id))).one_or_none()
            if there is not None:
                return Request(*there)
            await connection.execute(insert(request).values(**found._asdict()))
        return found

    async def find(self, request_id: str) -> Request:
        async with self._beside.reading() as connection:
            row = (await connection.execute(select(request).where(request.c.id == request_id))).one_or_none()
        if row is None:
            raise nothing_there("There is no such request.")
        return Request(*row)

    async def waiting(self, stream: str | None = None) -> list[Request]:
        asked = select(request).where(request.c.state == WAITING).order_by(request.c.asked)
        if stream is not None:
            asked = asked.where(request.c.stream == stream)
        async with self._beside.reading() as connection:
            return [Request(*row) for row in await connection.execute(asked)]

    async def decide(self, found: Request, state: str, by: str, now: int, note: str = "") -> Request:
        """Mark it as decided; of two who decide at once, one is told."""
        decided = found._replace(state=state, decided_by=by, decided=now, note=note)
        async with self._beside.writing() as connection:
            done = await connection.execute(
                update(request)
                .where(request.c.id == found.id, request.c.state == WAITING)
                .values(state=state, decided_by=by, decided=now, note=note)
            )
        if done.rowcount != 1:
            raise Problem(409, "decided", "This request was decided already.")
        return decided
