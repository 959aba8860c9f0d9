"""Responsible play: how long and with what result somebody plays, the limits they set for themselves, and a break.

The house calls `arrive` when a patron comes, `keep_here` for those who stay, `heard` with every group that was written,
and `staking` around every wager: that asks no database. Patrons without limits cost it a look into a set.
"""

import asyncio
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any

from puntobanco.errors import Fault, InputError
from puntobanco.extras import optional_package
from puntobanco.ledger.postings import unit_of
from puntobanco.server import own_limits
from puntobanco.server.own_limits import (
    DAY,
    HOUR,
    MINUTE,
    Limit,
    LimitKind,
    Standing,
    in_force,
    new_limit,
)
from puntobanco.server.problems import Problem, malformed
from puntobanco.server.rounds import WAIT_SECONDS
from puntobanco.server.together import Together
from puntobanco.server.visits import Visits, versions_of, wealth
from puntobanco.store.beside import Beside
from puntobanco.store.derived import followed, stake_history
from puntobanco.store.record import Record, Written
from puntobanco.store.schema import patron_limit
from puntobanco.store.streams import TableStream
from puntobanco.table import RoundCorrected, RoundSettled, RoundVoided, StakeChanged

with optional_package("sqlalchemy", "Limits are kept"):
    from sqlalchemy import delete, func, insert, select

if TYPE_CHECKING:
    from puntobanco.server.follower import Follower

MOST_UNITS = 20
LONGEST_COOL_OFF_HOURS = 24 * 365
LOOKED_BACK = 10 * MINUTE
"""A limit that another process has written is found though its clock is behind by so much."""
SEEN_AT_ONCE = 500
"""Of those who are connected, so many are seen at a time: their visits are written down with it."""
READ_AGAIN_MILLISECONDS, READ_AGAIN_AT_ONCE = 5_000, 50
"""On a server others may write: what was read is read again after so long, of so many patrons at a time."""
CONCERN_LIMITS = (StakeChanged, RoundSettled, RoundVoided, RoundCorrected)


class Responsible:
    """The limits of all patrons who have any, and the visits of all who are here."""

    def __init__(self, record: Record, beside: Beside, follower: "Follower") -> None:
        self.visits = Visits(beside)
        self._record, self._beside, self._follower = record, beside, follower
        self._standings: dict[str, Standing] = {}
        self._unlimited: set[str] = set()
        """Patrons who are known to have set nothing."""
        self._collecting: dict[str, list[Written]] = {}
        """What happens while the standing of a patron is being read."""
        self._limits = Together(self._limits_of)
        self._loading: dict[str, asyncio.Task[None]] = {}
        self._arriving: set[asyncio.Future[None]] = set()
        self._settled_on: dict[str, int] = {}
        """By stream, the day of the last settlement."""
        self._latest_asked = 0
        self._read_at: dict[str, int] = {}

    # What the house calls.

    async def arrive(self, patron: str, now: int) -> None:
        """A patron is here: sits down at a table, or signs in."""
        await self.visits.arrive(patron, now)
        if patron in self._unlimited:
            return
        if patron not in self._standings:
            await self._load(patron, now)
        await self._keep_time(patron, now)

    def has_limits(self, patron: str) -> bool:
        """Whether a patron has set any, or it is not known yet."""
        return patron not in self._unlimited

    def see(self, patron: str, now: int) -> None:
        """A patron who is here does something."""
        self.visits.see(patron, now)

    def refusal(
        self, patron: str, table: str, unit: str, change: int, now: int, lies_there: int | None = None
    ) -> Problem | None:
        """Why a patron's own limits refuse so much more on a table; asks no database."""
        if change <= 0 or patron in self._unlimited:
            return None
        standing = self._standings.get(patron)
        if standing is None or not self._knows_time(patron, standing, now):
            return Problem(503, "ask-again", "Your limits are being looked up; ask again in a moment.")
        return own_limits.refusal(standing, table, unit, change, now, lies_there)

    def _knows_time(self, patron: str, standing: Standing, now: int) -> bool:
        """Whether it is known how long they play today, where that has a limit."""
        since = self.visits.since(patron, now)
        is_known = since is not None and since == standing.visiting_since
        return is_known or in_force(standing.limits, LimitKind.TIME, "", now) is None

    @contextmanager
    def staking(self, patron: str, table: str, unit: str, most: int, now: int) -> Iterator[None]:
        """Around a wager until it is answered: what it may add at most counts for what is asked at other tables."""
        if not self.visits.see(patron, now) or (patron not in self._unlimited and patron not in self._standings):
            # Whatever became of the visit they came with: it is looked up, and until then their limits refuse it.
            self._arrive_soon(patron, now)
        standing = self._standings.get(patron)
        if standing is None or most <= 0:
            yield
            return
        _add(standing.asked, table, unit, most)
        try:
            yield
        finally:
            _add(standing.asked, table, unit, -most)

    def _arrive_soon(self, patron: str, now: int) -> None:
        task = asyncio.ensure_future(self.arrive(patron, now))
        self._arriving.add(task)
        task.add_done_callback(self._arriving.discard)
        # What could not be looked up is looked up with the next wager.
        task.add_done_callback(lambda done: done.cancelled() or done.exception())

    async def keep_here(self, connected: Iterable[str], now: int) -> None:
        """Whoever is connected is here, though they do nothing; to be said every few seconds."""
        unseen = list(islice(self.visits.unseen(connected, now), SEEN_AT_ONCE))
        await asyncio.gather(*[self.arrive(patron, now) for patron in unseen])

    def heard(self, written: Sequence[Written]) -> None:
        """What was written: stakes and settlements of patrons who have limits count at once."""
        if not self._standings and not self._collecting:
            return
        for each in written:
            if type(each.event) in CONCERN_LIMITS:
                if isinstance(each.event, RoundSettled):
                    self._settled_on[each.stream] = each.time // DAY
                for patron in self._concerned(each):
                    if patron in self._collecting:
                        self._collecting[patron].append(each)
                    if patron in self._standings:
                        self._take(patron, self._standings[patron], each)

    def _concerned(self, each: Written) -> list[str]:
        match each.event:
            case StakeChanged(patron=patron):
                return [patron]
            case RoundSettled(settlements=patrons) | RoundVoided(refunds=patrons) | RoundCorrected(adjustments=patrons):
                # Of a full table few have limits, of a full house few are at this table.
                limited = {**self._standings, **self._collecting}
                few, many = (limited, patrons) if len(limited) < len(patrons) else (patrons, limited)
                return [patron for patron in few if patron in many]
        return []

    def _take(self, patron: str, standing: Standing, each: Written, *, felt: bool = True, lost: bool = True) -> None:
        table = each.stream.removeprefix("table/")
        match each.event:
            case StakeChanged(before=before, after=after) if felt:
                _add(standing.felt, table, self._unit(each.stream), after - before)
            case RoundSettled(settlements=settlements):
                if felt:
                    standing.felt.pop(table, None)
                if lost:
                    standing.lose(each.time, self._unit(each.stream), -settlements[patron].net)
            case RoundVoided(after_settlement=False) if felt:
                standing.felt.pop(table, None)
            case RoundVoided(after_settlement=True, refunds=moved) | RoundCorrected(adjustments=moved):
                # What is put right belongs to the day on which the round was settled.
                if lost and self._settled_on.get(each.stream, each.time // DAY) == each.time // DAY:
                    standing.lose(each.time, self._unit(each.stream), -moved[patron])

    def _unit(self, stream: str) -> str:
        try:
            found = self._record.stream(stream)
        except (Fault, InputError):
            return ""
        assert isinstance(found, TableStream)
        assert found.table is not None
        last = found.table.last
        return unit_of(last.settings if last is not None else found.table.settings)

    async def refresh(self, now: int) -> None:
        """Find the limits that were set through other processes, and write down who is here; every few seconds."""
        since = self._latest_asked - LOOKED_BACK
        async with self._beside.reading() as connection:
            statement = select(patron_limit.c.patron, func.max(patron_limit.c.asked).label("asked"))
            changed = statement.where(patron_limit.c.asked > since).group_by(patron_limit.c.patron)
            rows = list(await connection.execute(changed))
        for row in rows:
            known = self._standings.get(row.patron)
            if known is None or max([each.asked for each in known.limits], default=0) < row.asked:
                await self._load(row.patron, now)
            self._latest_asked = max(self._latest_asked, row.asked)
        if not self._beside.is_file:
            # What happens at the tables of other processes is not heard here.
            old = [each for each in self._standings if self._read_at.get(each, 0) <= now - READ_AGAIN_MILLISECONDS]
            here = [each for each in old if self.visits.since(each, now) is not None]
            for patron in sorted(here, key=lambda each: self._read_at.get(each, 0))[:READ_AGAIN_AT_ONCE]:
                await self._load(patron, now)
        await self.visits.write()
        self.visits.forget(now)

    # What is known of a patron.

    async def _load(self, patron: str, now: int) -> None:
        """Read a patron's standing once, however many ask for it."""
        if patron not in self._loading:
            self._loading[patron] = asyncio.create_task(self._read(patron, now))
            self._loading[patron].add_done_callback(lambda _: self._loading.pop(patron, None))
        await asyncio.shield(self._loading[patron])

    async def _read(self, patron: str, now: int) -> None:
        limits = await self._limits.find(patron)
        if not limits:
            self._standings.pop(patron, None)
            self._unlimited.add(patron)
            return
        # What happens from here on is heard, and what happened before is read.
        self._collecting[patron] = []
        try:
            await self._follower.catch_up()
            versions, lost = await self._lost_today(patron, now)
            async with self._beside.reading() as connection:
                has, seen = await wealth(connection, patron), await versions_of(connection, "table")
            since = self.visits.since(patron, now)
            played = await self.visits.time_before(patron, now, since)
            before = self._standings.get(patron)
            asked = before.asked if before else {}
            standing = Standing(limits, dict(has.felt), asked, now // DAY, lost, played, since)
            for each in self._collecting[patron]:
                felt, is_lost = (
                    each.version > seen.get(each.stream, 0),
                    each.version > versions.get(each.stream, 0),
                )
                self._take(patron, standing, each, felt=felt, lost=is_lost)
        finally:
            del self._collecting[patron]
        self._standings[patron], self._read_at[patron] = standing, now
        self._unlimited.discard(patron)

    async def _limits_of(self, patrons: Collection[str]) -> dict[str, tuple[Limit, ...]]:
        found: dict[str, tuple[Limit, ...]] = {}
        async with self._beside.reading() as connection:
            for row in await connection.execute(select(patron_limit).where(patron_limit.c.patron.in_(patrons))):
                limit = Limit(LimitKind(row.kind), row.unit, row.since, row.asked, row.amount)
                found[row.patron] = *found.get(row.patron, ()), limit
        return found

    async def _lost_today(self, patron: str, now: int) -> tuple[dict[str, int], dict[str, int]]:
        """How far the record was followed, and by unit what was lost today up to there."""
        async with self._follower.derived.reading() as connection:
            heads = await connection.execute(select(followed.c.stream, followed.c.version))
            versions = {row.stream: row.version for row in heads}
            statement = (
                select(stake_history.c.unit, func.sum(stake_history.c.staked - stake_history.c.returned).label("lost"))
                .where(stake_history.c.patron == patron, stake_history.c.finished >= now // DAY * DAY)
                .group_by(stake_history.c.unit)
            )
            lost = {row.unit: int(row.lost) for row in await connection.execute(statement)}
        return versions, lost

    async def _keep_time(self, patron: str, now: int) -> None:
        """Of a new visit: how long the others of the day were is known before it counts."""
        standing, since = self._standings.get(patron), self.visits.since(patron, now)
        if standing is not None and standing.visiting_since != since:
            played = await self.visits.time_before(patron, now, since)
            standing.lose(now, "", 0)
            standing.played, standing.visiting_since = played, since

    # What a patron asks for.

    async def standing(self, patron: str, now: int) -> Standing:
        """What a patron has set, and how much of it is used."""
        await self.arrive(patron, now)
        found = self._standings.get(patron)
        if found is None:
            since = self.visits.since(patron, now)
            found = Standing(day=now // DAY, played=await self.visits.time_before(patron, now, since))
            # What was lost a moment ago counts already.
            await self._follower.catch_up(WAIT_SECONDS)
            _, found.lost = await self._lost_today(patron, now)
            found.visiting_since = since
        return found

    async def set_limits(self, patron: str, asked: Mapping[tuple[LimitKind, str], int | None], now: int) -> Standing:
        """Set or take away limits, each from the time on from which it holds."""
        async with self._beside.writing() as connection:
            known = select(patron_limit).where(patron_limit.c.patron == patron).with_for_update()
            rows = list(await connection.execute(known))
            limits = [Limit(LimitKind(row.kind), row.unit, row.since, row.asked, row.amount) for row in rows]
            if len({each.unit for each in limits} | {unit for _, unit in asked}) > MOST_UNITS:
                raise malformed("There are not so many currencies.")
            for (kind, unit), amount in asked.items():
                new = new_limit(limits, kind, unit, amount, now)
                # Until a looser one holds, the one in force does; whatever else was asked for has no more meaning.
                same = [each for each in limits if (each.kind, each.unit) == (kind, unit)]
                holds = max([each.since for each in same if each.since <= now], default=None)
                kept = holds if new.since > now else None
                mine = patron_limit.c.patron == patron, patron_limit.c.kind == kind, patron_limit.c.unit == unit
                others = [] if kept is None else [patron_limit.c.since != kept]
                await connection.execute(delete(patron_limit).where(*mine, *others))
                await connection.execute(insert(patron_limit).values(patron=patron, **new._asdict()))
        await self._load_again(patron, now)
        return await self.standing(patron, now)

    async def cool_off(self, patron: str, hours: int, now: int) -> int:
        """No wagers for so long, from now on; a longer break that was asked for before stays. Gives its end."""
        async with self._beside.writing() as connection:
            kept = select(patron_limit.c.amount).where(
                patron_limit.c.patron == patron, patron_limit.c.kind == LimitKind.COOL_OFF
            )
            until: int = max([now + hours * HOUR, *[row.amount for row in await connection.execute(kept)]])
            mine = patron_limit.c.patron == patron, patron_limit.c.kind == LimitKind.COOL_OFF
            await connection.execute(delete(patron_limit).where(*mine))
            new = Limit(LimitKind.COOL_OFF, "", now, now, until)
            await connection.execute(insert(patron_limit).values(patron=patron, **new._asdict()))
        await self._load_again(patron, now)
        return until

    async def _load_again(self, patron: str, now: int) -> None:
        if patron in self._loading:
            # What is being read may be of before the change.
            await asyncio.shield(self._loading[patron])
        await self._load(patron, now)

    async def session(self, patron: str, now: int) -> dict[str, Any]:
        """The `session` of `/api/me`: since when, and the net result by unit."""
        await self.arrive(patron, now)
        found = await self.visits.arrive(patron, now)
        return {"since": found.since, "net": await self.visits.net(patron, found)}

    async def close(self) -> None:
        await asyncio.gather(*self._arriving, return_exceptions=True)
        await self.visits.write()


def _add(felts: dict[str, tuple[str, int]], table: str, unit: str, amount: int) -> None:
    total = felts.get(table, (unit, 0))[1] + amount
    if total:
        felts[table] = unit, total
    else:
        felts.pop(table, None)
