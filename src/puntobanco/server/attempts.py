"""Wrong passwords are counted for each name, in the database, so that several processes lock it together."""

from hashlib import sha256
from typing import TYPE_CHECKING, Protocol

from puntobanco.extras import optional_package
from puntobanco.server.problems import Problem
from puntobanco.server.terms import MINUTE, Terms
from puntobanco.store.beside import Beside
from puntobanco.store.schema import attempt

with optional_package("sqlalchemy", "People and their sessions are kept"):
    from sqlalchemy import delete, select, text, update

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

# The same words in both databases.
_FIRST = text(
    "INSERT INTO attempt (name, failures, last, locked_until) VALUES (:name, 0, :now, 0) ON CONFLICT (name) DO NOTHING"
)


class TellsTime(Protocol):
    def now(self) -> int: ...


def locked(milliseconds: int) -> Problem:
    minutes = -(-milliseconds // MINUTE)
    wait = "a minute" if minutes == 1 else f"{minutes} minutes"
    return Problem(429, "locked", f"There were too many wrong passwords for this name; wait {wait}.")


class Attempts:
    """An attempt is counted as wrong before the password is looked at, and forgotten once it was right.

    Otherwise a hundred guesses at one moment would all pass before the first of them is counted. A name that nobody
    has is counted and locked in the same way.
    """

    def __init__(self, beside: Beside, clock: TellsTime, terms: Terms) -> None:
        self._beside, self._clock, self._terms = beside, clock, terms

    async def count(self, sign_in: str) -> bool:
        """One more for this name; a problem where it is locked. Whether this one locks it, unless it is right."""
        name, now = _digest(sign_in), self._clock.now()
        async with self._beside.writing() as connection:
            await connection.execute(_FIRST, {"name": name, "now": now})
            row = (await connection.execute(select(attempt).where(attempt.c.name == name).with_for_update())).one()
            if row.locked_until > now:
                raise locked(row.locked_until - now)
            quiet_since = max(row.last, row.locked_until)
            failures = 1 if quiet_since + self._terms.wrong_password_window <= now else row.failures + 1
            values = {"failures": failures, "last": now, "locked_until": now + self._terms.lock(failures)}
            await connection.execute(update(attempt).where(attempt.c.name == name).values(values))
        return values["locked_until"] > now

    async def forget(self, connection: "AsyncConnection", sign_in: str) -> None:
        """The password was right."""
        await connection.execute(delete(attempt).where(attempt.c.name == _digest(sign_in)))

    async def forget_old(self, connection: "AsyncConnection") -> None:
        before = self._clock.now() - self._terms.wrong_password_window
        await connection.execute(delete(attempt).where(attempt.c.last <= before, attempt.c.locked_until <= before))


def _digest(sign_in: str) -> bytes:
    """Of any text, as short for all."""
    return sha256(sign_in.encode("utf-8", "surrogatepass")).digest()
