"""The cash desk over HTTP: play money given out, taken back and changed at the posted rate (ruling 19)."""

from typing import TYPE_CHECKING, Any

from puntobanco.errors import InputError
from puntobanco.extras import optional_package
from puntobanco.ledger import IssueMoney
from puntobanco.server.asking import Amount, ChangingAsker, CommandId, PersonId, Reason, Strict, Unit, require
from puntobanco.server.permissions import Permission
from puntobanco.server.persons import Signed
from puntobanco.server.problems import Problem
from puntobanco.server.request_routes import Asked, request_said
from puntobanco.server.terms import HOUR
from puntobanco.server.two_people import Changing, Giving, Movement, Rating, Taking
from puntobanco.store.streams import DeskStream

with optional_package("fastapi", "Requests are answered"):
    from fastapi import APIRouter
    from fastapi.responses import JSONResponse
    from pydantic import BaseModel

if TYPE_CHECKING:
    from puntobanco.server.house import House

FRESH_MONEY_BELOW = 100
"""Who has less than a hundredth of a guest's money left in a unit may have as much again."""


class Moved(Strict):
    """Play money given to a patron, or taken back."""

    id: CommandId
    patron: PersonId
    unit: Unit
    amount: Amount
    reason: Reason


class Exchanged(Strict):
    id: CommandId
    patron: PersonId
    gives: Unit
    amount: Amount
    takes: Unit


class Rate(Strict):
    """From then on, `denominator` of one currency are changed into `numerator` of another."""

    id: CommandId
    gives: Unit
    takes: Unit
    numerator: Amount
    denominator: Amount


class FreshMoney(Strict):
    id: CommandId
    unit: Unit


class Standing(BaseModel):
    version: int
    balances: dict[str, int]


class PostedRate(BaseModel):
    gives: str
    takes: str
    numerator: int
    denominator: int


class RateList(BaseModel):
    rates: list[PostedRate]


WAITS: dict[int | str, dict[str, Any]] = {202: {"model": Asked, "description": "It waits for a second person."}}


def routes(house: "House") -> APIRouter:
    router = APIRouter(prefix="/api", tags=["desk"])

    @router.get("/rates", summary="The rates that the cashier changes at")
    async def rates() -> RateList:
        desk = house.record.stream("desk/main")
        assert isinstance(desk, DeskStream)
        return RateList(
            rates=[
                PostedRate(gives=gives, takes=takes, numerator=numerator, denominator=denominator)
                for (gives, takes), (numerator, denominator) in sorted(desk.desk.rates.items())
            ]
        )

    @router.post("/rates", status_code=202, summary="Ask for a rate to be posted, which waits for a second person")
    async def post_rate(body: Rate, signed: ChangingAsker) -> Asked:
        require(signed, Permission.POST_RATE)
        house.purses.check_unit(body.gives)
        house.purses.check_unit(body.takes)
        asked = Rating(body.gives, body.takes, body.numerator, body.denominator)
        return await request_said(house, await house.two_people.ask_rate(signed, body.id, asked))

    async def moved(signed: Signed, command_id: str, asked: Movement) -> Standing | JSONResponse:
        done = await house.two_people.move_money(signed, command_id, asked)
        if isinstance(done, int):
            return Standing(version=done, balances=await house.purses.balances(asked.patron))
        return JSONResponse((await request_said(house, done)).model_dump(), 202)

    @router.post(
        "/desk/issues",
        status_code=201,
        response_model=Standing,
        responses=WAITS,
        summary="Give play money to a patron; more than is for one alone waits for a second person",
    )
    async def issue(body: Moved, signed: ChangingAsker) -> Standing | JSONResponse:
        require(signed, Permission.ISSUE_MONEY)
        house.purses.check_unit(body.unit)
        return await moved(signed, body.id, Giving(body.patron, body.unit, body.amount, body.reason))

    @router.post(
        "/desk/returns",
        status_code=201,
        response_model=Standing,
        responses=WAITS,
        summary="Take play money back from a patron; more than is for one alone waits for a second person",
    )
    async def take_back(body: Moved, signed: ChangingAsker) -> Standing | JSONResponse:
        require(signed, Permission.RETURN_MONEY)
        return await moved(signed, body.id, Taking(body.patron, body.unit, body.amount, body.reason))

    @router.post(
        "/desk/changes",
        status_code=201,
        response_model=Standing,
        responses=WAITS,
        summary="Change a patron's money at the posted rate; more than is for one alone waits for a second person",
    )
    async def change(body: Exchanged, signed: ChangingAsker) -> Standing | JSONResponse:
        require(signed, Permission.CHANGE_MONEY)
        house.purses.check_unit(body.takes)
        return await moved(signed, body.id, Changing(body.patron, body.gives, body.amount, body.takes))

    @router.post("/fresh-money", status_code=201, summary="As much play money again, for who has nearly none left")
    async def fresh_money(body: FreshMoney, signed: ChangingAsker) -> Standing:
        require(signed, Permission.STAKE)
        person, money = signed.person.id, house.configuration.guest_money.get(body.unit)
        if money is None:
            raise Problem(409, "bad-unit", "The house gives out no money of this kind.")
        has = (await house.purses.balances(person)).get(body.unit, 0) + house.purses.held(person).get(body.unit, 0)
        if has * FRESH_MONEY_BELOW >= money:
            raise Problem(409, "enough-money", "There is more when less than a hundredth of it is left.")
        # Under one id in an hour: of many who ask at one moment, on one process or several, one gets it.
        command_id = f"fresh-money-{body.unit}-{house.clock.now() // HOUR}"
        command, asked = IssueMoney(person, body.unit, money, "more play money"), body.id.encode()
        try:
            version = await house.at_the_desk(command, person, command_id, asked)
        except InputError as error:
            if error.reason != "id-reused":
                raise
            raise Problem(409, "enough-money", "There was more in this hour already.") from None
        return Standing(version=version, balances=await house.purses.balances(person))

    return router
