"""What sessions have come to, as a job tells it: the figures that a page draws, each with its type, and all others."""

from puntobanco.extras import optional_package

with optional_package("fastapi", "Requests are answered"):
    from pydantic import BaseModel, ConfigDict, Field


class RuinSaid(BaseModel):
    sessions: int
    probability: float
    low: float = Field(description="Of a Wilson interval with a confidence of 95%.")
    high: float


class ResultsSaid(BaseModel):
    """As `puntobanco systems --json` has them."""

    model_config = ConfigDict(extra="allow")

    mean: float
    std: float
    quantiles: dict[str, float]
    share_of_sessions_won: float
    ruin: RuinSaid


class CurvesSaid(BaseModel):
    rounds: list[int] = Field(description="After so many rounds.")
    quantiles: dict[str, list[float]] = Field(description="Of the result so far, by share of the sessions.")
    sessions: list[list[int]] = Field(description="The results so far of the first few sessions, as they came.")


class JobResult(BaseModel):
    model_config = ConfigDict(extra="allow")

    game: str
    wager: str
    system: str
    description: str
    decks: int
    seed: int
    rounds: int
    sessions: int
    bankroll: int
    base: int
    results: ResultsSaid
    curves: CurvesSaid
