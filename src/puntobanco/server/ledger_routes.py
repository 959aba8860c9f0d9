"""The postings of a patron over HTTP, for the patron and for staff."""

from typing import Annotated, Protocol

from puntobanco.extras import optional_package
from puntobanco.server import rounds
from puntobanco.server.asking import Asker, require
from puntobanco.server.numbers import PlainInt
from puntobanco.server.patron_ledger import ledger
from puntobanco.server.permissions import Permission
from puntobanco.server.rounds import LATEST, MOST_ON_A_PAGE, PAGE

with optional_package("fastapi", "Requests are answered"):
    from fastapi import APIRouter, Path, Query
    from pydantic import BaseModel, Field

PATRON_LENGTH = 64


class House(rounds.House, Protocol):
    """What this module needs of a house."""

    async def check_patron(self, person: str) -> None:
        """Raise a problem unless somebody of this id plays here."""


class PostingSaid(BaseModel):
    time: int
    unit: str
    account: str = Field(description="patron: what the patron has; owed: what is owed, never above zero.")
    amount: int
    balance: int = Field(description="What the account stood at after it.")
    event: str
    table: str | None = Field(description="Of the round that it belongs to, or is adjusted for.")
    round: int | None
    reason: str | None = Field(description="Why the desk did it.")
    stream: str
    version: int


class LedgerSaid(BaseModel):
    balances: dict[str, int]
    owed: dict[str, int]
    postings: list[PostingSaid]
    before: int | None = Field(description="Where the next page begins; null at the end.")


Before = Annotated[PlainInt | None, Query(ge=1, le=LATEST)]
Limit = Annotated[PlainInt, Query(ge=1, le=MOST_ON_A_PAGE)]


def routes(house: House) -> APIRouter:
    router = APIRouter(tags=["ledger"])

    @router.get("/api/ledger")
    async def get_ledger(asker: Asker, before: Before = None, limit: Limit = PAGE) -> LedgerSaid:
        """The asker's own postings, newest first, with the balance after each."""
        require(asker, Permission.READ_OWN_HISTORY)
        found = await ledger(house.beside, asker.person.id, before, limit)
        return LedgerSaid.model_validate(found, from_attributes=True)

    @router.get("/api/patrons/{patron}/ledger")
    async def get_ledger_of(
        asker: Asker,
        patron: Annotated[str, Path(min_length=1, max_length=PATRON_LENGTH, pattern=r"^[\x21-\x7e]+$")],
        before: Before = None,
        limit: Limit = PAGE,
    ) -> LedgerSaid:
        """Any patron's postings, for staff."""
        require(asker, Permission.READ_ANY_LEDGER)
        await house.check_patron(patron)
        found = await ledger(house.beside, patron, before, limit)
        return LedgerSaid.model_validate(found, from_attributes=True)

    return router
