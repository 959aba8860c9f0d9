"""The floor over HTTP: every table with its money and its settings, and tables added, changed and closed."""

from typing import TYPE_CHECKING, Annotated, Any, Literal

from puntobanco.extras import optional_package
from puntobanco.server.asking import Asker, ChangingAsker, Strict, require
from puntobanco.server.floor import FloorTable, changed_settings, check_table_id, usual_settings
from puntobanco.server.logs import log
from puntobanco.server.permissions import Permission
from puntobanco.server.problems import Problem
from puntobanco.server.table_routes import TableName
from puntobanco.server.views import limits_of
from puntobanco.table import Limits, TableSettings, UnfitSettings

with optional_package("fastapi", "Requests are answered"):
    from fastapi import APIRouter
    from pydantic import BaseModel, Field, StringConstraints

if TYPE_CHECKING:
    from collections.abc import Iterable

    from puntobanco.rules.game import Game
    from puntobanco.server.house import House

Money = Annotated[int, Field(ge=1, le=10**12)]
RoundMoney = Annotated[int, Field(ge=1, le=10**18)]
Milliseconds = Annotated[int, Field(ge=0, le=3_600_000)]
BettingMilliseconds = Annotated[int, Field(ge=1_000, le=3_600_000, description="Long enough to bet in.")]
Override = Literal["even-money-banker"]
Title = Annotated[str, StringConstraints(min_length=1, max_length=60)]


PLAINLY_SAID = ("decks", "currency", "account", "dealing", "reading", "bonuses", "burn", "cut_depth")
ROUND_LIMITS = {"patron_limit": "patron", "table_limit": "table", "house_limit": "house"}
PACES = ("betting_milliseconds", "card_milliseconds")


class GivenLimits(Strict):
    minimum: Money
    maximum: Money
    step: Money


class FloorLimits(BaseModel):
    minimum: int
    maximum: int
    step: int


class Wishes(Strict):
    """How a table is to be; what is not said stays as it is, or is as usual.

    A round limit of null takes the limit away, and a time of null is the one of the service.
    """

    name: Title | None = None
    decks: Annotated[int, Field(ge=1, le=20)] | None = None
    # No more than three letters, so that a sentence may repeat them.
    currency: Annotated[str, StringConstraints(pattern="^[A-Z]{3}$")] | None = None
    account: Literal["cash", "chips"] | None = None
    dealing: Literal["virtual", "dealer"] | None = None
    limits: Annotated[dict[str, GivenLimits], Field(max_length=20)] | None = None
    patron_limit: RoundMoney | None = None
    table_limit: RoundMoney | None = None
    house_limit: RoundMoney | None = None
    reading: Annotated[dict[str, str], Field(max_length=20, description="Of doubtful clauses.")] | None = None
    bonuses: Annotated[dict[str, Money], Field(max_length=20, description="Fixed amounts, by line.")] | None = None
    burn: Literal["by-first-card", "off"] | None = None
    cut_depth: Annotated[int, Field(ge=0, le=2_000, description="The cards behind the cut card.")] | None = None
    overrides: Annotated[list[Override], Field(max_length=20, description="All that the house allows.")] | None = None
    betting_milliseconds: BettingMilliseconds | None = None
    card_milliseconds: Milliseconds | None = None
    place: Annotated[int, Field(ge=1, le=100_000)] | None = None


class NewTable(Wishes):
    id: Annotated[str, StringConstraints(min_length=1, max_length=40)]
    game: Annotated[str, StringConstraints(min_length=1, max_length=60)]


class OnTheFloor(BaseModel):
    """A table for those who run the house."""

    id: str
    name: str
    game: str
    dealing: str
    decks: int
    currency: str
    account: str
    limits: dict[str, FloorLimits]
    patron_limit: int | None
    table_limit: int | None
    house_limit: int | None
    reading: dict[str, str]
    bonuses: dict[str, int]
    burn: str
    cut_depth: int
    overrides: list[str]
    betting_milliseconds: int | None
    card_milliseconds: int | None
    place: int
    closed: bool
    digest: str
    warnings: list[str]
    phase: str | None
    paused: str | None
    trouble: str | None
    patrons: int
    held: int
    exposure: int | None
    """The most that the house may have to pay for the round in progress."""
    waits: bool
    """Whether a change waits for the end of a round or a shoe."""


class FloorList(BaseModel):
    tables: list[OnTheFloor]


def routes(house: "House") -> APIRouter:
    router = APIRouter(prefix="/api", tags=["floor"])

    @router.get("/floor", summary="All tables, with their money and their troubles")
    async def floor(signed: Asker) -> FloorList:
        require(signed, Permission.READ_REPORTS)
        return FloorList(tables=[_shown(house, wanted) for wanted in await house.floor.tables()])

    @router.post("/tables", status_code=201, summary="Put a table on the floor")
    async def add(body: NewTable, signed: ChangingAsker) -> OnTheFloor:
        require(signed, Permission.ADD_TABLE)
        check_table_id(body.id)
        game = next((each for each in house.games if each.id == body.game), None)
        if game is None:
            raise _unknown("game", "The house", [each.id for each in house.games])
        settings = _settings(usual_settings(game), body)
        wanted = FloorTable(body.id, body.name or settings.game.name, settings)._replace(**_beside(body))
        await house.floor.add(wanted)
        return await _made(house, body.id, signed.person.id)

    @router.patch("/tables/{table}", summary="Change a table: its limits between rounds, all else between shoes")
    async def change(table: TableName, body: Wishes, signed: ChangingAsker) -> OnTheFloor:
        require(signed, Permission.SET_TABLE)
        wanted = await house.floor.table(table)
        changes: dict[str, Any] = {"settings": _settings(wanted.settings, body), **_beside(body)}
        if body.name is not None:
            changes["name"] = body.name
        await house.floor.change(table, **changes)
        return await _made(house, table, signed.person.id)

    @router.delete("/tables/{table}", summary="Close a table: the round in progress is its last")
    async def close(table: TableName, signed: ChangingAsker) -> OnTheFloor:
        require(signed, Permission.CLOSE_TABLE)
        await house.floor.change(table, closed=True)
        return await _made(house, table, signed.person.id)

    @router.post("/tables/{table}/reopen", summary="Open a table that was closed")
    async def reopen(table: TableName, signed: ChangingAsker) -> OnTheFloor:
        require(signed, Permission.ADD_TABLE)
        await house.floor.change(table, closed=False)
        return await _made(house, table, signed.person.id)

    return router


async def _made(house: "House", table: str, by: str) -> OnTheFloor:
    wanted = await house.floor.table(table)
    await house.take_up(wanted)
    log("table-changed", table=table, by=by)
    return _shown(house, wanted)


def _settings(now: TableSettings, body: Wishes) -> TableSettings:
    """The settings with what is said of them; a problem where a rule forbids it, in the words of that rule."""
    _check_names(now.game, body)
    said: dict[str, Any] = {name: given for name in PLAINLY_SAID if (given := getattr(body, name)) is not None}
    said["round_limits"] = {
        who: getattr(body, name) for name, who in ROUND_LIMITS.items() if name in body.model_fields_set
    }
    if body.overrides is not None:
        said["overrides"] = frozenset(body.overrides)
    try:
        said["limits"] = {
            wager: Limits(each.minimum, each.maximum, each.step) for wager, each in (body.limits or {}).items()
        }
        return changed_settings(now, said)
    except UnfitSettings as error:
        # Of what was sent it repeats numbers and three letters at most.
        raise Problem(409, error.reason, error.message, error.clause) from None


def _check_names(game: "Game", body: Wishes) -> None:
    """What a declaration would say of a name that it does not have repeats the name."""
    for what, given, known in (
        ("wager", body.limits, game.paytables),
        ("bonus", body.bonuses, game.fixed_amounts),
        ("reading", body.reading, game.switches),
    ):
        if not set(given or ()) <= set(known):
            raise _unknown(what, game.name, known)
    for switch, option in (body.reading or {}).items():
        if option not in game.switches[switch]:
            options = " or ".join(game.switches[switch])
            raise Problem(409, "unknown-reading", f"{game.name} is read with {switch} {options}.")


def _unknown(what: str, who: str, known: "Iterable[str]") -> Problem:
    return Problem(409, f"unknown-{what}", f"{who} has no such {what}; it has {', '.join(known) or 'none'}.")


def _beside(body: Wishes) -> dict[str, Any]:
    found = {name: getattr(body, name) for name in PACES if name in body.model_fields_set}
    return found if body.place is None else {**found, "place": body.place}


def _shown(house: "House", wanted: FloorTable) -> OnTheFloor:
    settings, live = wanted.settings, house.tables.get(wanted.id)
    table = live.table if live is not None and live.trouble is None else None
    return OnTheFloor(
        id=wanted.id,
        name=wanted.name,
        game=settings.game.id,
        dealing=settings.dealing.value,
        decks=settings.decks,
        currency=settings.currency,
        account=settings.account.value,
        limits={wager: FloorLimits(**each) for wager, each in limits_of(settings).items()},
        **{name: getattr(settings.round_limits, who) for name, who in ROUND_LIMITS.items()},
        reading=dict(settings.game.reading),
        bonuses=settings.game.fixed_amounts,
        burn=settings.burn_and_cut.burn,
        cut_depth=settings.burn_and_cut.cut_depth,
        overrides=sorted(settings.overrides),
        betting_milliseconds=wanted.betting_milliseconds,
        card_milliseconds=wanted.card_milliseconds,
        place=wanted.place,
        closed=wanted.closed,
        digest=settings.digest,
        warnings=list(settings.warnings()),
        phase=table.phase.value if table else None,
        paused=table.paused or None if table else None,
        trouble=live.trouble if live else None,
        patrons=live.patrons_here if live else 0,
        held=table.held if table else 0,
        exposure=_exposure(table) if table and table.spots else 0 if table else None,
        waits=table is not None and table.settings.digest != settings.digest,
    )


def _exposure(table: Any) -> int:
    from puntobanco.table.exposure import exposure  # Reckons through every kind of deal at its first use.

    return exposure(table.settings.game, table.spots)
