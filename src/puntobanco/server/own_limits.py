"""Limits that patrons set for themselves: pure. What is in force, what a new one changes, and what it refuses.

A limit is a row with the time from which it holds. A tighter one holds at once; a looser one, or none, after a day, so
that nobody is talked out of a limit by the moment it was made for. A cool-off holds until its end, whatever is asked.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from puntobanco.rules.currencies import money_in_words
from puntobanco.server.problems import Problem

MINUTE = 60_000
HOUR = 60 * MINUTE
DAY = 24 * HOUR
"""A day is from midnight to midnight, by universal time."""
LOOSENS_AFTER = DAY


class LimitKind(StrEnum):
    STAKE = "stake"
    """The most on the felt of a table in a round."""
    LOSS = "loss"
    """The most lost in a day, what lies on the felt included."""
    TIME = "time"
    """The longest time at play in a day, in milliseconds; it has no unit of money."""
    COOL_OFF = "cool-off"
    """No wagers until then."""


class Limit(NamedTuple):
    """A limit from a time on; no amount takes an earlier one away."""

    kind: LimitKind
    unit: str
    """Of money; empty where the limit is not of money."""
    since: int
    asked: int
    amount: int | None


def in_force(limits: Iterable[Limit], kind: LimitKind, unit: str, now: int) -> int | None:
    """The amount that holds now; None where there is no limit."""
    found = [each for each in limits if (each.kind, each.unit) == (kind, unit) and each.since <= now]
    return max(found, key=lambda each: each.since).amount if found else None


def to_come(limits: Iterable[Limit], kind: LimitKind, unit: str, now: int) -> Limit | None:
    """What was asked for and does not hold yet."""
    found = [each for each in limits if (each.kind, each.unit) == (kind, unit) and each.since > now]
    return min(found, key=lambda each: each.since) if found else None


def new_limit(limits: Iterable[Limit], kind: LimitKind, unit: str, amount: int | None, now: int) -> Limit:
    """What a patron asks for, with the time from which it holds. It takes the place of whatever was to come."""
    holds = in_force(limits, kind, unit, now)
    is_looser = holds is not None and (amount is None or amount > holds)
    return Limit(kind, unit, now + LOOSENS_AFTER if is_looser else now, now, amount)


def cooled_off_until(limits: Iterable[Limit]) -> int:
    """The end of the longest cool-off; 0 where there is none."""
    return max([each.amount or 0 for each in limits if each.kind is LimitKind.COOL_OFF], default=0)


@dataclass
class Standing:
    """What a patron has set, and how much of it is used: small, and kept up to date as things happen."""

    limits: tuple[Limit, ...] = ()
    felt: dict[str, tuple[str, int]] = field(default_factory=dict)
    """By table: the unit, and what lies there."""
    asked: dict[str, tuple[str, int]] = field(default_factory=dict)
    """By table: what more was asked for and is not answered yet, at most."""
    day: int = 0
    lost: dict[str, int] = field(default_factory=dict)
    """On this day, by unit; below zero where more was won."""
    played: int = 0
    """On this day, in visits before this one."""
    visiting_since: int | None = None

    def lost_on(self, now: int, unit: str) -> int:
        return self.lost.get(unit, 0) if self.day == now // DAY else 0

    def time_on(self, now: int) -> int:
        """At play on this day, this visit included."""
        visit = 0 if self.visiting_since is None else now - max(self.visiting_since, now // DAY * DAY)
        return (self.played if self.day == now // DAY else 0) + max(visit, 0)

    def lose(self, now: int, unit: str, amount: int) -> None:
        """So much was lost; negative where it was won."""
        if self.day != now // DAY:
            self.day, self.lost, self.played = now // DAY, {}, 0
        self.lost[unit] = self.lost.get(unit, 0) + amount

    def at_risk(self, unit: str, but: str | None = None) -> int:
        """What lies on all felts and what was asked for, but for one table."""
        tables = [*self.felt.items(), *self.asked.items()]
        return sum([amount for table, (at, amount) in tables if at == unit and table != but])


def refusal(
    standing: Standing, table: str, unit: str, change: int, now: int, lies_there: int | None = None
) -> Problem | None:
    """Why a patron's own limits refuse so much more on a table; None if they do not, or if nothing is added.

    `lies_there` is what they have on that table, where somebody knows it better: whoever decides one wager after the
    other, before anything is told of the first.
    """
    if change <= 0 or not standing.limits:
        return None
    limits = standing.limits
    if lies_there is None:
        lies_there = _on(standing.felt, table) + _on(standing.asked, table)
    if now < (until := cooled_off_until(limits)):
        hours = -(-(until - now) // HOUR)
        return Problem(
            409, "cool-off", f"You asked for a break; it ends in {hours} {'hour' if hours == 1 else 'hours'}."
        )
    most = in_force(limits, LimitKind.STAKE, unit, now)
    if most is not None and lies_there + change > most:
        return Problem(409, "own-stake-limit", f"You set a limit of {money_in_words(most, unit)} for a round.")
    most = in_force(limits, LimitKind.LOSS, unit, now)
    if most is not None and standing.lost_on(now, unit) + standing.at_risk(unit, table) + lies_there + change > most:
        return Problem(
            409, "own-loss-limit", f"You could lose more than the {money_in_words(most, unit)} you set for a day."
        )
    longest = in_force(limits, LimitKind.TIME, "", now)
    if longest is not None and standing.time_on(now) >= longest:
        return Problem(409, "own-time-limit", f"You have played for the {longest // MINUTE} minutes you set for a day.")
    return None


def _on(felts: Mapping[str, tuple[str, int]], table: str) -> int:
    return felts.get(table, ("", 0))[1]
