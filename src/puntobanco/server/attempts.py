"""Wrong passwords are counted for each name and address, in the database, so that several processes lock together.

Five from one address lock the name for that address; ten times as many from wherever lock it for every address from
which that person has not signed in before. So nobody keeps another out by guessing, and no guesser gets far.
"""

from hashlib import sha256
from typing import TYPE_CHECKING, Protocol

from puntobanco.extras import optional_package
from puntobanco.server.problems import Problem
from puntobanco.server.rates import network_of
from puntobanco.server.terms import MINUTE, Terms
from puntobanco.store.beside import Beside
from puntobanco.store.schema import attempt, familiar

with optional_package("sqlalchemy", "People and their sessions are kept"):
    from sqlalchemy import delete, select, text, update

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

# The same words in both databases.
_FIRST = text(
    "INSERT INTO attempt (name, failures, last, locked_until) VALUES (:name, 0, :now, 0) ON CONFLICT (name) DO NOTHING"
)
_FAMILIAR = text(
    "INSERT INTO familiar (name, last) VALUES (:name, :now) ON CONFLICT (name) DO UPDATE SET last = excluded.last"
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

    async def count(self, sign_in: str, address: str) -> bool:
        """One more for this name; a problem where it is locked. Whether this one locks it, unless it is right."""
        name, here = _digest(sign_in), _name_and_address(sign_in, address)
        async with self._beside.writing() as connection:
            is_familiar = (await connection.scalar(select(familiar.c.name).where(familiar.c.name == here))) is not None
            locks = await self._count(connection, name, self._terms.times_for_a_name, refuses=not is_familiar)
            return await self._count(connection, here, 1) or locks

    async def _count(self, connection: "AsyncConnection", key: bytes, times: int, *, refuses: bool = True) -> bool:
        now = self._clock.now()
        await connection.execute(_FIRST, {"name": key, "now": now})
        row = (await connection.execute(select(attempt).where(attempt.c.name == key).with_for_update())).one()
        if row.locked_until > now and refuses:
            raise locked(row.locked_until - now)
        quiet_since = max(row.last, row.locked_until)
        failures = 1 if quiet_since + self._terms.wrong_password_window <= now else row.failures + 1
        until: int = max(row.locked_until, now + self._terms.lock(failures, times))
        values = {"failures": failures, "last": now, "locked_until": until}
        await connection.execute(update(attempt).where(attempt.c.name == key).values(values))
        return until > max(now, int(row.locked_until))

    async def was_right(self, connection: "AsyncConnection", sign_in: str, address: str) -> None:
        """From this address they are let in from now on, whoever guesses elsewhere."""
        here = _name_and_address(sign_in, address)
        await connection.execute(delete(attempt).where(attempt.c.name.in_((_digest(sign_in), here))))
        await connection.execute(_FAMILIAR, {"name": here, "now": self._clock.now()})

    async def forget(self, connection: "AsyncConnection", sign_in: str) -> None:
        """There is a new password, which nobody has guessed at: the name is locked for no address."""
        first, last = _digest(sign_in), _digest(sign_in) + b"\xff" * ADDRESS_BYTES
        await connection.execute(delete(attempt).where(attempt.c.name >= first, attempt.c.name <= last))

    async def forget_old(self, connection: "AsyncConnection") -> None:
        before = self._clock.now() - self._terms.wrong_password_window
        await connection.execute(delete(attempt).where(attempt.c.last <= before, attempt.c.locked_until <= before))
        long_ago = self._clock.now() - self._terms.familiar_for
        await connection.execute(delete(familiar).where(familiar.c.last <= long_ago))


ADDRESS_BYTES = 16


def _digest(sign_in: str) -> bytes:
    """Of any text, as short for all."""
    return sha256(sign_in.encode("utf-8", "surrogatepass")).digest()


def _name_and_address(sign_in: str, address: str) -> bytes:
    """Begins as the digest of the name, so that all of a name lie together."""
    return _digest(sign_in) + _digest(network_of(address))[:ADDRESS_BYTES]
