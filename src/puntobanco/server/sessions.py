"""Who is signed in: opaque tokens, of which the database has only a digest, and a memory in front of it.

What a session says never changes: whatever changes a person ends their sessions. So a process that keeps sessions in
memory needs to learn only which have ended, by one question every few seconds for all of them.
"""

import asyncio
import secrets
from collections.abc import Callable, Collection, Iterable
from hashlib import sha256
from itertools import islice
from typing import TYPE_CHECKING

from puntobanco.errors import Fault
from puntobanco.extras import optional_package
from puntobanco.server.attempts import TellsTime
from puntobanco.server.cookies import looks_like_token
from puntobanco.server.persons import STAFF, Person, Role, Signed
from puntobanco.server.terms import DAY, HOUR, SECOND, Terms
from puntobanco.server.together import Together
from puntobanco.store.beside import Beside
from puntobanco.store.schema import person, session

with optional_package("sqlalchemy", "People and their sessions are kept"):
    from sqlalchemy import bindparam, delete, insert, or_, select, update

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement
    from sqlalchemy.ext.asyncio import AsyncConnection

OVERLAP = 10 * SECOND
"""So far may the clocks of two processes differ, and a transaction take from its time to its commit."""
WRITTEN_AT_ONCE = ASKED_AT_ONCE = 500

_SEEN = (
    update(session)
    .where(session.c.digest == bindparam("of"), session.c.seen < bindparam("at"))
    .values(seen=bindparam("at"))
)


class _Kept:
    """A session in memory."""

    __slots__ = ("idle", "longest", "seen", "signed", "written")

    def __init__(self, signed: Signed, seen: int, terms: Terms) -> None:
        self.signed, self.seen, self.written = signed, seen, seen
        self.idle = terms.idle(signed.person.role)
        self.longest = signed.since + terms.longest(signed.person.role)

    def lasts(self, now: int) -> bool:
        return now < self.longest and now < self.seen + self.idle


def digest_of(token: str) -> bytes:
    return sha256(token.encode()).digest()


class Sessions:
    def __init__(self, beside: Beside, clock: TellsTime, terms: Terms) -> None:
        self._beside, self._clock, self._terms = beside, clock, terms
        self._kept: dict[bytes, _Kept] = {}
        self.when_ended: Callable[[Collection[bytes]], None] | None = None
        """Is told which sessions have ended or lapsed, whichever process ended them; of some more than once."""
        self.listening: Callable[[], Collection[bytes]] = tuple
        """The sessions by which somebody listens here, who may have lapsed without asking for anything."""
        self._agreed = clock.now()
        self._agreeing: asyncio.Task[None] | None = None
        self._unwritten: dict[bytes, int] = {}
        self._writing: asyncio.Task[None] | None = None
        self._in_database = Together(self._lasting)

    async def signed_in(self, token: str) -> Signed | None:
        return await self.signed_in_by(digest_of(token)) if looks_like_token(token) else None

    async def signed_in_by(self, digest: bytes) -> Signed | None:
        """For whoever keeps the digest of a session, as a socket does, and asks again with each message."""
        await self.agree()
        # One that seems to have lapsed may have been in use at another process.
        kept = self._lasts_here(digest) or await self._in_database.find(digest)
        return None if kept is None else self._use(digest, kept)

    def known_by(self, digest: bytes) -> Signed | None:
        """As `signed_in_by`, without waiting; None where that is not known for certain now."""
        kept = self._lasts_here(digest)
        if kept is None:
            return None
        if self._must_agree:
            # Meanwhile what was known a moment ago counts: a full table does not wait for each question.
            self._begin_to_agree()
            if self._clock.now() - self._agreed >= 2 * self._terms.agree_every:
                return None
        return self._use(digest, kept)

    def _lasts_here(self, digest: bytes) -> _Kept | None:
        kept = self._kept.get(digest)
        return kept if kept is not None and kept.lasts(self._clock.now()) else None

    def _use(self, digest: bytes, kept: _Kept) -> Signed:
        kept.seen = now = self._clock.now()
        if now - kept.written >= self._terms.seen_every:
            kept.written = self._unwritten[digest] = now
        return kept.signed

    @property
    def _must_agree(self) -> bool:
        return self._clock.now() - self._agreed >= self._terms.agree_every

    async def begin(self, connection: "AsyncConnection", person_id: str) -> str:
        """A new session; the token is known to nobody but whoever is given it."""
        token, now = secrets.token_urlsafe(32), self._clock.now()
        row = {"digest": digest_of(token), "person": person_id, "created": now, "seen": now}
        await connection.execute(insert(session).values(row))
        return token

    async def end(self, connection: "AsyncConnection", digest: bytes) -> list[bytes]:
        return await self._end(connection, session.c.digest == digest)

    async def end_all(self, connection: "AsyncConnection", person_id: str) -> list[bytes]:
        """Ends every session of a person; `forget` those that this gives once it is committed."""
        return await self._end(connection, session.c.person == person_id)

    def forget(self, digests: Iterable[bytes]) -> None:
        ended = list(digests)
        for digest in ended:
            self._kept.pop(digest, None)
        if ended and self.when_ended is not None:
            self.when_ended(ended)

    async def delete_old(self, connection: "AsyncConnection") -> None:
        """Takes out what ended or lapsed a day ago or longer: no process has it in memory any more."""
        before = self._clock.now() - DAY
        too_old = session.c.created < before - max(self._terms.patron_longest, self._terms.staff_longest)
        await connection.execute(delete(session).where(or_(session.c.ended < before, too_old)))

    async def close(self) -> None:
        if self._agreeing is not None:
            await asyncio.wait([self._agreeing])
        if self._writing is not None:
            await self._writing
        await self._write_seen()

    async def _end(self, connection: "AsyncConnection", which: "ColumnElement[bool]") -> list[bytes]:
        ending = update(session).where(which, session.c.ended.is_(None)).values(ended=self._clock.now())
        return list((await connection.execute(ending.returning(session.c.digest))).scalars())

    async def agree(self) -> None:
        """Every now and then forget the sessions that have ended or lapsed; note in passing which were used here."""
        if self._must_agree:
            # One question for all who want to know: in turn, each of them would wait for those before.
            await asyncio.shield(self._begin_to_agree())

    def _begin_to_agree(self) -> asyncio.Task[None]:
        if self._agreeing is None or self._agreeing.done():
            self._agreeing = asyncio.create_task(self._agree())
            # Whoever waited may have gone away before it fails.
            self._agreeing.add_done_callback(lambda task: task.cancelled() or task.exception())
        return self._agreeing

    async def _agree(self) -> None:
        now = self._clock.now()
        if now - self._agreed > HOUR:
            self._kept.clear()  # The process was stopped for long.
        ended = select(session.c.digest).where(session.c.ended >= self._agreed - OVERLAP)
        async with self._beside.reading() as connection:
            self.forget((await connection.execute(ended)).scalars())
        await self._end_lapsed()
        self._agreed = now
        if self._unwritten and (self._writing is None or self._writing.done()):
            # Nobody waits for it.
            self._writing = asyncio.create_task(self._write_seen())

    async def _end_lapsed(self) -> None:
        """Whoever only listens does not use their session: it lapses as any other, and what they hear ends with it."""
        doubtful = [digest for digest in self.listening() if self._lasts_here(digest) is None]
        for start in range(0, len(doubtful), ASKED_AT_ONCE):
            portion = doubtful[start : start + ASKED_AT_ONCE]
            # It may have been in use at another process.
            lasting = await self._lasting(portion)
            self.forget([digest for digest in portion if digest not in lasting])

    async def _write_seen(self) -> None:
        while self._unwritten:
            portion = dict(islice(self._unwritten.items(), WRITTEN_AT_ONCE))
            try:
                async with self._beside.writing() as connection:
                    await connection.execute(_SEEN, [{"of": digest, "at": at} for digest, at in portion.items()])
            except Fault:
                return  # They are written the next time; a session lapses early at worst.
            for digest, at in portion.items():
                if self._unwritten.get(digest) == at:
                    del self._unwritten[digest]

    async def _lasting(self, digests: Collection[bytes]) -> dict[bytes, _Kept]:
        columns = (session.c.digest, session.c.created, session.c.seen)
        whose = (person.c.id, person.c.name, person.c.role, person.c.password_is_new)
        # Taken before the database is asked: meanwhile it may be written, and is then gone from here.
        used = {digest: self._unwritten.get(digest, 0) for digest in digests}
        async with self._beside.reading() as connection:
            rows = await connection.execute(
                select(*columns, *whose)
                .join(person, person.c.id == session.c.person)
                .where(session.c.digest.in_(digests), session.c.ended.is_(None), person.c.left.is_(None))
            )
        now, found = self._clock.now(), {}
        for digest, created, seen, *who, is_new in rows:
            somebody = Person(who[0], who[1], Role(who[2]))
            must_change = bool(is_new) and somebody.role in STAFF
            kept = _Kept(Signed(somebody, digest, created, must_change), max(seen, used[digest]), self._terms)
            if kept.lasts(now):
                self._keep(digest, kept)
                found[digest] = kept
        return found

    def _keep(self, digest: bytes, kept: _Kept) -> None:
        self._kept.pop(digest, None)
        while len(self._kept) >= self._terms.sessions_in_memory:
            del self._kept[next(iter(self._kept))]
        self._kept[digest] = kept
