"""The people of the house: guests, patrons and staff, and how each comes in and goes."""

import secrets
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from puntobanco.extras import optional_package
from puntobanco.server.attempts import Attempts, TellsTime
from puntobanco.server.cookies import COOKIE, no_session_cookie, session_cookie, token_in
from puntobanco.server.guest_names import guest_name
from puntobanco.server.names import shown_name, sign_in_name
from puntobanco.server.passwords import Passwords, check_password, one_time_password
from puntobanco.server.persons import STAFF, Person, Role, Signed
from puntobanco.server.problems import Problem, not_signed_in, nothing_there
from puntobanco.server.sessions import Sessions, digest_of
from puntobanco.server.terms import Terms
from puntobanco.store.beside import Beside
from puntobanco.store.schema import person

with optional_package("sqlalchemy", "People and their sessions are kept"):
    from sqlalchemy import and_, func, insert, or_, select, update
    from sqlalchemy.exc import IntegrityError

if TYPE_CHECKING:
    from sqlalchemy import Row
    from sqlalchemy.ext.asyncio import AsyncConnection

__all__ = [
    "COOKIE",
    "STAFF",
    "People",
    "Person",
    "Role",
    "Signed",
    "Terms",
    "digest_of",
    "no_session_cookie",
    "session_cookie",
    "token_in",
]


class WrongPassword(Problem):
    """The same for a name that nobody has; only the log says whose it was, and whether it locked the name."""

    def __init__(self, person: Person | None = None, *, locks: bool = False) -> None:
        super().__init__(401, "wrong-password", "That is not the name and password of anybody here.")
        self.person, self.locks = person, locks


def last_director() -> Problem:
    return Problem(409, "last-director", "Nobody could add staff any more: make another director first.")


def name_taken() -> Problem:
    return Problem(409, "name-taken", "Somebody has that name already; choose another.")


class _Known(NamedTuple):
    """Somebody with a password."""

    person: Person
    sign_in: str
    password: str


class People:
    """Whoever it gives a token to is signed in by it; it is in no table, and is not seen again."""

    def __init__(self, beside: Beside, clock: TellsTime, terms: Terms | None = None) -> None:
        self.terms = terms or Terms()
        self._beside, self._clock = beside, clock
        self._passwords = Passwords(self.terms)
        self._attempts = Attempts(beside, clock, self.terms)
        self._sessions = Sessions(beside, clock, self.terms)

    # Coming in.

    async def new_guest(self) -> tuple[Person, str]:
        guest = Person(f"g-{secrets.token_hex(10)}", guest_name(), Role.GUEST)
        async with self._beside.writing() as connection:
            await self._add(connection, guest)
            return guest, await self._sessions.begin(connection, guest.id)

    async def register(self, guest: Person, name: str, password: str) -> tuple[Person, str]:
        """A guest takes a name and a password, and keeps the id, so that nothing in the books is lost."""
        patron = Person(guest.id, shown_name(name), Role.PATRON)
        check_password(password, patron.name, staff=False)
        with self._passwords.place():
            hashed = await self._passwords.hashed(password)
        values = {"name": patron.name, "sign_in": sign_in_name(patron.name), "role": patron.role, "password": hashed}
        async with self._beside.writing() as connection:
            row = await self._locked(connection, guest.id)
            if row.role != Role.GUEST:
                raise Problem(409, "already-registered", "Only a guest registers, and only once.")
            await self._change(connection, guest.id, values)
            token, ended = await self._new_session(connection, guest.id)
        self._sessions.forget(ended)
        return patron, token

    async def sign_in(
        self, name: str, password: str, instead_of: bytes | None = None, *, address: str = ""
    ) -> tuple[Person, str]:
        """A new session each time; the one that the browser had before, if it is given, ends."""
        with self._passwords.place():
            known = await self._recognised(sign_in_name(name), password, address)
            rehashed = known.password
            if self._passwords.is_out_of_date(known.password):
                rehashed = await self._passwords.hashed(password)
        async with self._beside.writing() as connection:
            row = await self._locked(connection, known.person.id)
            if row.password != known.password:
                raise WrongPassword(known.person)  # It was changed at this moment.
            if rehashed != known.password:
                await self._change(connection, known.person.id, {"password": rehashed})
            ended = await self._sessions.end(connection, instead_of) if instead_of is not None else []
            await self._attempts.was_right(connection, known.sign_in, address)
            # The role is that of the session's beginning.
            found = Person(row.id, row.name, Role(row.role))
            token = await self._sessions.begin(connection, found.id)
        self._sessions.forget(ended)
        return found, token

    async def signed_in(self, token: str) -> Signed | None:
        return await self._sessions.signed_in(token)

    async def signed_in_by(self, digest: bytes) -> Signed | None:
        """As `signed_in`, for a socket that asks again with each message."""
        return await self._sessions.signed_in_by(digest)

    def known_by(self, digest: bytes) -> Signed | None:
        """As `signed_in_by`, without waiting; None where that is not known for certain now."""
        return self._sessions.known_by(digest)

    async def change_password(self, person: Person, old: str, new: str, *, address: str = "") -> tuple[Person, str]:
        """All sessions end, and one begins that may do what the role may."""
        check_password(new, person.name, staff=person.role in STAFF)
        with self._passwords.place():
            known = await self._recognised(await self._sign_in_name_of(person.id), old, address)
            if await self._passwords.matches(new, known.password):
                raise Problem(400, "password-refused", "That is the password you have; choose another.")
            hashed = await self._passwords.hashed(new)
        async with self._beside.writing() as connection:
            row = await self._locked(connection, person.id)
            if row.password != known.password:
                raise WrongPassword(known.person)
            await self._change(connection, person.id, {"password": hashed, "password_is_new": 0})
            await self._attempts.was_right(connection, known.sign_in, address)
            token, ended = await self._new_session(connection, person.id)
        self._sessions.forget(ended)
        return Person(row.id, row.name, Role(row.role)), token

    # Going out.

    def when_sessions_end(
        self, told: Callable[[Collection[bytes]], None], listening: Callable[[], Collection[bytes]] = tuple
    ) -> None:
        """Whoever keeps a connection for a session is told that it has ended; `listening` says for which they do."""
        self._sessions.when_ended, self._sessions.listening = told, listening

    async def sign_out(self, session: bytes) -> None:
        async with self._beside.writing() as connection:
            ended = await self._sessions.end(connection, session)
        self._sessions.forget(ended)

    async def end_sessions(self, person_id: str) -> None:
        async with self._beside.writing() as connection:
            ended = await self._sessions.end_all(connection, person_id)
        self._sessions.forget(ended)

    # Staff.

    async def add_staff(self, name: str, role: Role, by: str | None = None) -> tuple[Person, str]:
        """Somebody of staff, with a password that is for the first sign-in only and is shown this once.

        It is kept by whom it was given, if that is somebody of staff: they have seen it.
        """
        _check_staff_role(role)
        added = Person(f"s-{secrets.token_hex(10)}", shown_name(name, staff=True), role)
        password = one_time_password()
        with self._passwords.place():
            hashed = await self._passwords.hashed(password)
        async with self._beside.writing() as connection:
            values = {"sign_in": sign_in_name(added.name), "password": hashed, "password_from": by}
            await self._add(connection, added, **values, password_is_new=1)
        return added, password

    async def give_role(self, person_id: str, role: Role) -> Person:
        """Another role among staff: they sign in again. A patron never becomes staff, nor staff a patron."""
        _check_staff_role(role)
        async with self._beside.writing() as connection:
            if role is not Role.DIRECTOR:
                await self._check_not_last_director(connection, person_id)
            row = await self._locked_staff(connection, person_id)
            await self._change(connection, person_id, {"role": role})
            ended = await self._sessions.end_all(connection, person_id)
        self._sessions.forget(ended)
        return Person(row.id, row.name, role)

    async def give_new_password(self, person_id: str, by: str | None = None) -> str:
        """A one-time password for somebody of staff who has lost theirs; it opens a locked name too."""
        password = one_time_password()
        with self._passwords.place():
            hashed = await self._passwords.hashed(password)
        async with self._beside.writing() as connection:
            row = await self._locked_staff(connection, person_id)
            values: dict[str, object] = {"password": hashed, "password_is_new": 1, "password_from": by}
            if by is not None and person_id in await _who_may_be(connection, by, lock=True):
                # Whoever gave this person theirs may be the giver, too: that is not forgotten in a circle.
                del values["password_from"]
            await self._change(connection, person_id, values)
            await self._attempts.forget(connection, row.sign_in)
            ended = await self._sessions.end_all(connection, person_id)
        self._sessions.forget(ended)
        return password

    async def remove_staff(self, person_id: str) -> Person:
        """They are signed out and come in no more; what they did keeps their id and name."""
        async with self._beside.writing() as connection:
            await self._check_not_last_director(connection, person_id)
            row = await self._locked_staff(connection, person_id)
            await self._change(connection, person_id, {"left": self._clock.now(), "sign_in": None, "password": None})
            ended = await self._sessions.end_all(connection, person_id)
        self._sessions.forget(ended)
        return Person(row.id, row.name, Role(row.role))

    async def staff(self) -> list[Person]:
        """All who work here, by name."""
        asked = select(person.c.id, person.c.name, person.c.role).where(
            person.c.role.in_(STAFF), person.c.left.is_(None)
        )
        async with self._beside.reading() as connection:
            rows = await connection.execute(asked.order_by(person.c.sign_in))
        return [Person(row.id, row.name, Role(row.role)) for row in rows]

    async def staff_named(self, name: str) -> Person:
        wanted = sign_in_name(name)
        for each in await self.staff():
            if sign_in_name(each.name) == wanted:
                return each
        raise nothing_there("Nobody of staff has that name.")

    async def person(self, person_id: str) -> Person | None:
        """Anybody, also one who has left."""
        asked = select(person.c.id, person.c.name, person.c.role).where(person.c.id == person_id)
        async with self._beside.reading() as connection:
            row = (await connection.execute(asked)).one_or_none()
        return row and Person(row.id, row.name, Role(row.role))

    async def find_patrons(self, text: str, most: int) -> list[Person]:
        """Guests and patrons whose name or id begins so, in whatever way it is written; by name, so many at most."""
        begins = sign_in_name(text)
        if not begins or not begins.isprintable():
            return []  # It begins nothing, and is no parameter for every database.
        # Who has a password has their name folded beside it; guests have been given theirs, in plain letters.
        registered = person.c.sign_in.startswith(begins, autoescape=True)
        guest = and_(person.c.sign_in.is_(None), func.lower(person.c.name).startswith(begins, autoescape=True))
        has_id = and_(person.c.id >= begins, person.c.id < f"{begins}~")
        asked = (
            select(person.c.id, person.c.name, person.c.role)
            .where(or_(registered, guest, has_id), person.c.role.not_in(STAFF))
            .order_by(person.c.name, person.c.id)
            .limit(most)
        )
        async with self._beside.reading() as connection:
            return [Person(row.id, row.name, Role(row.role)) for row in await connection.execute(asked)]

    async def are_known_to_each_other(self, one: str, other: str) -> bool:
        """Whether somebody may be both of these people of staff: one gave the other a password, or a third gave both.

        However many there are in between: whoever gave somebody a password may be that person, and give others theirs.
        """
        async with self._beside.reading() as connection:
            return not (await _who_may_be(connection, one)).isdisjoint(await _who_may_be(connection, other))

    # Housekeeping.

    def cookie(self, token: str, role: Role) -> str:
        """The Set-Cookie header of a new session."""
        return session_cookie(token, self.terms.longest(role), https=self.terms.https)

    def no_cookie(self) -> str:
        """The Set-Cookie header after the end of one."""
        return no_session_cookie(https=self.terms.https)

    async def agree(self) -> None:
        """Learn which sessions have lapsed, or were ended by other processes, though nobody asks for one."""
        await self._sessions.agree()

    async def tidy(self) -> None:
        """Takes out what lapsed long ago: to be done every hour or so, by any process."""
        async with self._beside.writing() as connection:
            await self._sessions.delete_old(connection)
            await self._attempts.forget_old(connection)

    async def close(self) -> None:
        await self._sessions.close()
        self._passwords.close()

    # Within.

    async def _recognised(self, sign_in: str, password: str, address: str) -> _Known:
        """Who has this name and password; the attempt stays counted until the caller forgets it."""
        locks = await self._attempts.count(sign_in, address)
        # A text that cannot be a name is no parameter for every database.
        known = await self._known(sign_in) if sign_in.isprintable() else None
        if not await self._passwords.matches(password, known and known.password) or known is None:
            raise WrongPassword(known and known.person, locks=locks)
        return known

    async def _known(self, sign_in: str) -> _Known | None:
        async with self._beside.reading() as connection:
            row = (await connection.execute(select(person).where(person.c.sign_in == sign_in))).one_or_none()
        if row is None or row.password is None or row.left is not None:
            return None
        return _Known(Person(row.id, row.name, Role(row.role)), row.sign_in, row.password)

    async def _sign_in_name_of(self, person_id: str) -> str:
        async with self._beside.reading() as connection:
            found = await connection.scalar(select(person.c.sign_in).where(person.c.id == person_id))
        if found is None:
            raise Problem(409, "no-password", "A guest has no password; register first.")
        return str(found)

    async def _add(self, connection: "AsyncConnection", added: Person, **values: object) -> None:
        row = {"password_is_new": 0, "created": self._clock.now(), **added._asdict(), **values}
        try:
            await connection.execute(insert(person).values(row))
        except IntegrityError:
            raise name_taken() from None

    async def _change(self, connection: "AsyncConnection", person_id: str, values: Mapping[str, object]) -> None:
        try:
            await connection.execute(update(person).where(person.c.id == person_id).values(**values))
        except IntegrityError:
            raise name_taken() from None

    async def _new_session(self, connection: "AsyncConnection", person_id: str) -> tuple[str, list[bytes]]:
        """Instead of all that the person had; those are to be forgotten once it is committed."""
        ended = await self._sessions.end_all(connection, person_id)
        return await self._sessions.begin(connection, person_id), ended

    async def _locked(self, connection: "AsyncConnection", person_id: str) -> "Row[Any]":
        """The row of somebody who has not left, held until the end of the transaction."""
        asked = select(person).where(person.c.id == person_id, person.c.left.is_(None)).with_for_update()
        row = (await connection.execute(asked)).one_or_none()
        if row is None:
            raise not_signed_in()
        return row

    async def _locked_staff(self, connection: "AsyncConnection", person_id: str) -> "Row[Any]":
        asked = select(person).where(person.c.id == person_id, person.c.role.in_(STAFF), person.c.left.is_(None))
        row = (await connection.execute(asked.with_for_update())).one_or_none()
        if row is None:
            raise nothing_there("Nobody of staff has that id.")
        return row

    async def _check_not_last_director(self, connection: "AsyncConnection", person_id: str) -> None:
        """Raise a problem where a house that has a director would have none; of two who remove each other, one stays.

        All directors are locked, in one order and before anybody else is, so that nobody waits crosswise.
        """
        directs = person.c.role == Role.DIRECTOR, person.c.left.is_(None)
        asked = select(person.c.id).where(*directs).order_by(person.c.id).with_for_update()
        if list(await connection.scalars(asked)) == [person_id]:
            raise last_director()


async def names_of(beside: Beside, ids: Iterable[str | None]) -> dict[str, str]:
    """By id, what these people are called, also who has left; for staff to read. Whom nobody knows is left out."""
    wanted = {each for each in ids if each}
    if not wanted:
        return {}
    async with beside.reading() as connection:
        rows = await connection.execute(select(person.c.id, person.c.name).where(person.c.id.in_(wanted)))
        return {row.id: row.name for row in rows}


async def _who_may_be(connection: "AsyncConnection", person_id: str, *, lock: bool = False) -> set[str]:
    """Themselves, whoever gave them their password, whoever gave it to those, and so on."""
    found = set[str]()
    last: str | None = person_id
    while last is not None and last not in found:
        found.add(last)
        asked = select(person.c.password_from).where(person.c.id == last)
        last = await connection.scalar(asked.with_for_update() if lock else asked)
    return found


def _check_staff_role(role: Role) -> None:
    if role not in STAFF:
        raise Problem(400, "malformed", "Staff are dealers, supervisors, auditors or directors.")
