"""Responsible play over HTTP: the limits that somebody sets for themselves, and a break."""

from typing import Annotated, Protocol

from puntobanco.extras import optional_package
from puntobanco.rules.wagers import MONEY_LIMIT
from puntobanco.server import rounds
from puntobanco.server.asking import Asker, ChangingAsker, Strict, require
from puntobanco.server.own_limits import MINUTE, LimitKind, Standing, cooled_off_until, in_force, to_come
from puntobanco.server.permissions import Permission
from puntobanco.server.purses import Purses
from puntobanco.server.responsible import LONGEST_COOL_OFF_HOURS, MOST_UNITS, Responsible

with optional_package("fastapi", "Requests are answered"):
    from fastapi import APIRouter
    from pydantic import BaseModel, Field, StringConstraints


class House(rounds.House, Protocol):
    """What this module needs of a house."""

    @property
    def responsible(self) -> Responsible: ...

    @property
    def purses(self) -> Purses: ...


Unit = Annotated[str, StringConstraints(pattern="^[A-Z]{1,8}$")]
Money = Annotated[int, Field(ge=1, le=MONEY_LIMIT)]
Moneys = Annotated[dict[Unit, Money | None], Field(max_length=MOST_UNITS)]


class SetLimits(Strict):
    """Only what is named is changed; null takes a limit away. What is looser holds after a day."""

    stake: Moneys = Field(default_factory=dict, description="The most on a table in a round, by unit.")
    loss: Moneys = Field(default_factory=dict, description="The most lost in a day, by unit.")
    minutes: Annotated[int, Field(ge=1, le=24 * 60)] | None = Field(default=None, description="At play in a day.")


class CoolOff(Strict):
    hours: Annotated[int, Field(ge=1, le=LONGEST_COOL_OFF_HOURS)]


class NextLimit(BaseModel):
    amount: int | None
    since: int


class LimitSaid(BaseModel):
    amount: int | None = Field(description="What holds now; null for no limit.")
    next: NextLimit | None = Field(description="What will hold, and from when.")


class Used(BaseModel):
    lost: dict[str, int] = Field(description="Today, by unit; below zero where more was won.")
    minutes: int


class LimitsSaid(BaseModel):
    stake: dict[str, LimitSaid]
    loss: dict[str, LimitSaid]
    minutes: LimitSaid
    cool_off_until: int | None
    used: Used


class CoolOffSaid(BaseModel):
    until: int


def limits_said(standing: Standing, now: int) -> LimitsSaid:
    def said(kind: LimitKind, unit: str, divided_by: int = 1) -> LimitSaid:
        holds, coming = in_force(standing.limits, kind, unit, now), to_come(standing.limits, kind, unit, now)
        then = None
        if coming is not None:
            amount = None if coming.amount is None else coming.amount // divided_by
            then = NextLimit(amount=amount, since=coming.since)
        return LimitSaid(amount=None if holds is None else holds // divided_by, next=then)

    def by_unit(kind: LimitKind) -> dict[str, LimitSaid]:
        return {unit: said(kind, unit) for unit in sorted({each.unit for each in standing.limits if each.kind is kind})}

    until = cooled_off_until(standing.limits)
    lost = {unit: standing.lost_on(now, unit) for unit in sorted(standing.lost) if unit}
    return LimitsSaid(
        stake=by_unit(LimitKind.STAKE),
        loss=by_unit(LimitKind.LOSS),
        minutes=said(LimitKind.TIME, "", MINUTE),
        cool_off_until=until if until > now else None,
        used=Used(lost=lost, minutes=standing.time_on(now) // MINUTE),
    )


def routes(house: House) -> APIRouter:
    router = APIRouter(tags=["responsible play"])

    @router.get("/api/limits")
    async def get_limits(asker: Asker) -> LimitsSaid:
        """The asker's own limits, what is still to come, and how much of them is used today."""
        require(asker, Permission.READ_OWN_HISTORY)
        now = house.clock.now()
        return limits_said(await house.responsible.standing(asker.person.id, now), now)

    @router.put("/api/limits")
    async def put_limits(asker: ChangingAsker, body: SetLimits) -> LimitsSaid:
        """Set or take away limits: what is tighter holds at once, what is looser after a day."""
        require(asker, Permission.READ_OWN_HISTORY)
        now, asked = house.clock.now(), dict[tuple[LimitKind, str], int | None]()
        for kind, amounts in ((LimitKind.STAKE, body.stake), (LimitKind.LOSS, body.loss)):
            for unit, amount in amounts.items():
                if amount is not None:
                    # A limit in money that nobody plays with would protect nobody.
                    house.purses.check_unit(unit)
                asked[kind, unit] = amount
        if "minutes" in body.model_fields_set:
            asked[LimitKind.TIME, ""] = None if body.minutes is None else body.minutes * MINUTE
        return limits_said(await house.responsible.set_limits(asker.person.id, asked, now), now)

    @router.post("/api/cool-off")
    async def post_cool_off(asker: ChangingAsker, body: CoolOff) -> CoolOffSaid:
        """No wagers for so many hours, from now on. It cannot be taken back."""
        require(asker, Permission.READ_OWN_HISTORY)
        return CoolOffSaid(until=await house.responsible.cool_off(asker.person.id, body.hours, house.clock.now()))

    return router
