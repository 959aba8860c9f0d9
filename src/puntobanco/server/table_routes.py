"""Games and tables: what there is to play, and every command over HTTP as on the socket."""

from typing import TYPE_CHECKING, Annotated, Any

from puntobanco.extras import optional_package
from puntobanco.rulecard import rule_card, summary
from puntobanco.server.asking import ChangingAsker
from puntobanco.server.description import TABLE_MESSAGE_BODY
from puntobanco.server.problems import nothing_there

with optional_package("fastapi", "Requests are answered"):
    from fastapi import APIRouter, Path, Request
    from pydantic import BaseModel, ConfigDict

if TYPE_CHECKING:
    from puntobanco.server.house import House

TableName = Annotated[str, Path(max_length=40, pattern="^[a-z0-9][a-z0-9-]*$")]
GameName = Annotated[str, Path(max_length=60)]


class Open(BaseModel):
    """Values that are described where they come from, and may grow."""

    model_config = ConfigDict(extra="allow")


class GameList(BaseModel):
    games: list[dict[str, Any]]


class SpotLimits(BaseModel):
    minimum: int
    maximum: int
    step: int


class TableListed(Open):
    id: str
    name: str
    game: str
    dealing: str
    phase: str
    shoe: int
    round: int
    closes_at: int | None
    currency: str
    limits: dict[str, SpotLimits]
    patrons: int
    results: str
    paused: str | None
    trouble: str | None


class TableList(BaseModel):
    tables: list[TableListed]
    time: int


class Acknowledgement(Open):
    type: str
    id: str
    version: int
    time: int


def routes(house: "House") -> APIRouter:
    router = APIRouter(prefix="/api", tags=["tables"])

    @router.get("/games", summary="The games, as their declarations say")
    async def games() -> GameList:
        return GameList(games=[summary(game) for game in house.games])

    @router.get("/games/{game}", summary="A rule card: layout, wagers, lines, clauses, rulings, digest")
    async def game(game: GameName) -> dict[str, Any]:
        for each in house.games:
            if each.id == game:
                return rule_card(each)
        raise nothing_there("There is no such game.")

    @router.get("/tables", summary="The tables of the house")
    async def tables() -> TableList:
        listed = [TableListed(**live.listed()) for live in house.tables.values()]
        return TableList(tables=listed, time=house.clock.now())

    @router.get("/tables/{table}", summary="A table as it stands")
    async def table(table: TableName) -> TableListed:
        return TableListed(**house.find(table).listed())

    @router.post("/tables/{table}/commands", summary="One command, as on the socket", openapi_extra=TABLE_MESSAGE_BODY)
    async def command(table: TableName, request: Request, signed: ChangingAsker) -> Acknowledgement:
        # The message is read from its bytes, as the socket reads it: strictly, and by its kind.
        said = house.read(await request.body())
        await house.arrived(signed)
        return Acknowledgement(**await house.command(table, signed, said))

    @router.get("/tables/{table}/shoes/{shoe}", summary="The transcript of a shoe, as far as it may be known")
    async def shoe(table: TableName, shoe: Annotated[int, Path(ge=1, le=2**31)]) -> dict[str, Any]:
        return await house.transcript(table, shoe)

    return router
