"""Games and tables: what there is to play, in which words, and every command over HTTP as on the socket."""

from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING, Annotated

from puntobanco.extras import optional_package
from puntobanco.rulecard import rule_card, summary
from puntobanco.server.asking import Asker, ChangingAsker, require
from puntobanco.server.dealer_steps import irregularities_of
from puntobanco.server.description import TABLE_MESSAGE_BODY, answered, answers
from puntobanco.server.messages import (
    Accepted,
    GameList,
    IrregularityList,
    RuleCard,
    ShoeRounds,
    TableList,
    TableListed,
    TableRules,
    Transcript,
    WordList,
)
from puntobanco.server.numbers import PlainInt
from puntobanco.server.permissions import Permission
from puntobanco.server.problems import nothing_there
from puntobanco.server.rounds import rounds_of_shoe
from puntobanco.server.views import rules_of
from puntobanco.server.wire import encoded
from puntobanco.server.words import LANGUAGES, words_in

with optional_package("fastapi", "Requests are answered"):
    from fastapi import APIRouter, Path, Request, Response

if TYPE_CHECKING:
    from puntobanco.server.house import House

TableName = Annotated[str, Path(max_length=40, pattern="^[a-z0-9][a-z0-9-]*$")]
GameName = Annotated[str, Path(max_length=60)]
Digest = Annotated[str, Path(pattern="^[0-9a-f]{64}$")]
Language = Annotated[str, Path(max_length=20)]
ShoeNumber = Annotated[PlainInt, Path(ge=1, le=2**31)]


def routes(house: "House") -> APIRouter:
    router = APIRouter(prefix="/api", tags=["tables"])

    @router.get("/games", summary="The games, as their declarations say", responses=answers(GameList))
    async def games() -> Response:
        return answered({"games": [summary(game) for game in house.games]})

    @router.get(
        "/games/{game}",
        summary="A rule card: layout, wagers, lines, clauses, rulings, digest",
        responses=answers(RuleCard),
    )
    async def game(game: GameName) -> Response:
        for each in house.games:
            if each.id == game:
                return answered(rule_card(each))
        raise nothing_there("There is no such game.")

    @router.get(
        "/rules/{digest}",
        summary="The rule card of this digest, that a table has or had",
        responses=answers(RuleCard),
    )
    async def rules(digest: Digest) -> Response:
        return answered(await house.rule_card(digest))

    @cache
    def word_list(language: str) -> tuple[bytes, str]:
        body = encoded({"language": language, "words": words_in(language, house.games)})
        return body, f'"{sha256(body).hexdigest()[:32]}"'

    @router.get(
        "/words/{language}",
        summary="What the service says, in another language (zh-Hans, zh-Hant); of English, where it names money",
        responses={**answers(WordList), 304: {"description": "As the browser has it."}},
    )
    async def words(language: Language, request: Request) -> Response:
        if language not in LANGUAGES:
            raise nothing_there("There is no list of that language.")
        body, tag = word_list(language)
        # It is long, and changes with the program alone: a browser keeps it, and asks whether it is the same.
        headers = {"etag": tag, "cache-control": "no-cache"}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(body, headers=headers, media_type="application/json")

    @router.get("/tables", summary="The tables of the house", responses=answers(TableList))
    async def tables() -> Response:
        return answered(house.listed())

    @router.get("/tables/{table}", summary="A table as it stands", responses=answers(TableListed))
    async def table(table: TableName) -> Response:
        return answered(house.find(table).listed())

    @router.get(
        "/tables/{table}/rules",
        summary="The rule card under the table's own reading and bonuses, and its limits",
        responses=answers(TableRules),
    )
    async def table_rules(table: TableName) -> Response:
        return answered(rules_of(table, house.find(table).table.settings))

    @router.get(
        "/tables/{table}/irregularities",
        summary="Why the round may be void, by which clause, and whether it can be now",
        responses=answers(IrregularityList),
    )
    async def irregularities(table: TableName, signed: Asker) -> Response:
        require(signed, Permission.VOID)
        return answered({"irregularities": irregularities_of(house.find(table).table)})

    @router.post(
        "/tables/{table}/commands",
        summary="One command, as on the socket",
        openapi_extra=TABLE_MESSAGE_BODY,
        responses=answers(Accepted),
    )
    async def command(table: TableName, request: Request, signed: ChangingAsker) -> Response:
        # The message is read from its bytes, as the socket reads it: strictly, and by its kind.
        said = house.read(await request.body())
        await house.arrived(signed)
        return answered(await house.command(table, signed, said))

    @router.get(
        "/tables/{table}/shoes/{shoe}",
        summary="The transcript of a shoe, as far as it may be known",
        responses=answers(Transcript),
    )
    async def shoe(table: TableName, shoe: ShoeNumber) -> Response:
        return answered(await house.transcript(table, shoe))

    @router.get(
        "/tables/{table}/shoes/{shoe}/rounds",
        summary="The finished rounds of a shoe, with what roads are drawn from",
        responses=answers(ShoeRounds),
    )
    async def shoe_rounds(table: TableName, shoe: ShoeNumber) -> Response:
        return answered(await rounds_of_shoe(house, table, shoe))

    return router
