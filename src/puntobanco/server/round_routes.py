"""Rounds over HTTP: one by its address, and those of whoever asks."""

from typing import Annotated

from puntobanco.extras import optional_package
from puntobanco.server.asking import Asker, MaybeAsker, require
from puntobanco.server.numbers import PlainInt
from puntobanco.server.permissions import Permission
from puntobanco.server.rounds import (
    CURSOR_PATTERN,
    LATEST,
    MOST_ON_A_PAGE,
    PAGE,
    TABLE_PATTERN,
    House,
    history,
    round_for,
)

with optional_package("fastapi", "Requests are answered"):
    from fastapi import APIRouter, Path, Query
    from pydantic import BaseModel, Field


class PaymentSaid(BaseModel):
    line: str
    clause: str
    amount: int
    rounded_from: str | None = None
    rounded_by: str | None = None


class WagerSaid(BaseModel):
    stake: int
    net: int = Field(description="What was gained beyond the stake; negative if it was lost, 0 on a push or a void.")
    pays: list[PaymentSaid]


class VoidSaid(BaseModel):
    irregularity: str
    clause: str
    note: str


class Evidence(BaseModel):
    """Where the round lies in the record, and the signed end of its stream."""

    stream: str
    first_version: int
    last_version: int
    head_version: int
    head_hash: str
    signature: str
    public_key: str


class RoundSaid(BaseModel):
    table: str
    number: int
    shoe: int
    round_in_shoe: int
    game: str
    opened: int | None
    time: int | None = Field(description="When it was settled or voided; null while it runs.")
    deal: str
    player_total: int | None
    banker_total: int | None
    winner: str | None
    void: VoidSaid | None
    corrected: bool
    rules_digest: str
    unit: str
    state: str | None = Field(description="Of the committed shoe, once the round is sealed.")
    key: str | None = Field(description="Of the committed shoe, once it is published.")
    wagers: dict[str, WagerSaid] = Field(description="The asker's own; empty while the round runs.")
    evidence: Evidence | None


class HistoryRound(BaseModel):
    table: str
    number: int
    time: int
    unit: str
    staked: int
    returned: int
    net: int
    deal: str
    winner: str | None
    void: VoidSaid | None
    corrected: bool
    wagers: dict[str, WagerSaid]


class HistoryPage(BaseModel):
    rounds: list[HistoryRound]
    before: str | None = Field(description="Where the next page begins; null at the end.")


TableName = Annotated[str, Path(pattern=TABLE_PATTERN)]
RoundNumber = Annotated[PlainInt, Path(ge=1, le=LATEST)]


def routes(house: House) -> APIRouter:
    router = APIRouter(tags=["rounds"])

    @router.get("/api/tables/{table}/rounds/{number}", response_model_exclude_unset=True)
    async def get_round(table: TableName, number: RoundNumber, asker: MaybeAsker) -> RoundSaid:
        """The round for ever, with the asker's own wagers; while it runs, only what everybody sees."""
        patron = asker.person.id if asker is not None else None
        return RoundSaid.model_validate(await round_for(house, table, number, patron))

    @router.get("/api/history", response_model_exclude_unset=True)
    async def get_history(
        asker: Asker,
        before: Annotated[str | None, Query(pattern=CURSOR_PATTERN)] = None,
        limit: Annotated[PlainInt, Query(ge=1, le=MOST_ON_A_PAGE)] = PAGE,
    ) -> HistoryPage:
        """The asker's rounds, newest first."""
        require(asker, Permission.READ_OWN_HISTORY)
        return HistoryPage.model_validate(await history(house, asker.person.id, before, limit), from_attributes=True)

    return router
