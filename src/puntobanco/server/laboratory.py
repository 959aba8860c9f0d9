"""The laboratory: exact odds of any shoe and of a live table, and simulated sessions, over HTTP.

The odds of a live table say no more than its unseen cards do, and those are public: every card that is drawn is shown.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Protocol, TypeVar

from puntobanco.cards import Shoe
from puntobanco.errors import DeclarationError, InputError, Unlawful
from puntobanco.extras import optional_package
from puntobanco.games import GAMES, find_game
from puntobanco.odds.chosen_shoe import ChosenShoe, check_decks
from puntobanco.odds.position import NOTHING_SEEN, Position, position_of, position_text, read_position
from puntobanco.odds.pricing import odds
from puntobanco.odds.removal import removal
from puntobanco.odds.report import odds_json, removal_json
from puntobanco.odds.terms import most_fillings
from puntobanco.provenance import Provenance
from puntobanco.rules.facts import FACTS
from puntobanco.rules.game import Game
from puntobanco.rules.own_wagers import unchecked_wagers, with_own_wagers
from puntobanco.rules.wagers import MONEY_LIMIT
from puntobanco.server import rounds
from puntobanco.server.asking import MAY_BE_REFUSED, Asker, ChangingAsker, Strict, require
from puntobanco.server.job_results import JobResult
from puntobanco.server.jobs import (
    MOST_BETS,
    MOST_ROUNDS,
    MOST_SESSIONS,
    Asked,
    Job,
    Jobs,
    JobState,
)
from puntobanco.server.numbers import PlainInt
from puntobanco.server.permissions import Permission
from puntobanco.server.problems import Problem, malformed, nothing_there, too_often
from puntobanco.server.round_routes import TableName
from puntobanco.server.vocabulary import Vocabulary, vocabulary
from puntobanco.table import Table

with optional_package("fastapi", "Requests are answered"):
    from fastapi import APIRouter, Path, Query
    from pydantic import BaseModel, Field, StringConstraints

MOST_WAITING = 32
"""So many may wait for odds that nobody has asked for before."""
REMEMBERED = 256
MOST_CARDS = 1_000
MOST_TEXT = 4_000
MOST_WAITING_WITH_OWN = 4
MOST_OWN_WAGERS = 10
MOST_OWN_WORK = 6_000
"""What they ask of a round, times the ranks and suits they look at; the largest wager of the house has 1,764."""
WRONG_WAGER = (
    "A wager of one's own has an id that is not taken, lines with label, pays and when, of which each can decide, and "
    f"perhaps a name and bonuses; when says of these facts what they are: {', '.join(FACTS)}."
)
NOT_ALLOWED = "The rules of the game do not allow that."
UNLAWFUL = {
    "insufficient-cards": "There are fewer cards in the shoe than a round may take.",
    "unlawful-deal": "By the rules of the game these cards cannot lie on the table.",
}

Json = dict[str, Any]
Result = TypeVar("Result")


class Bench:
    """Works something out in a thread, one after the other, and sends away whoever would wait for too many others."""

    def __init__(self, most_waiting: int) -> None:
        self._most_waiting, self._waiting = most_waiting, 0
        self._turn = asyncio.Semaphore(1)

    async def work_out(self, work: Callable[[], Result]) -> Result:
        if self._waiting >= self._most_waiting:
            raise too_often("Too many odds are being worked out; ask again in a moment.")
        self._waiting += 1
        try:
            async with self._turn:
                return await asyncio.to_thread(work)
        finally:
            self._waiting -= 1


class Laboratory:
    """Works out odds beside the tables, and remembers the last: a full table asks for the same ones."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[object, ...], Json] = OrderedDict()
        self._bench, self._own_bench = Bench(MOST_WAITING), Bench(MOST_WAITING_WITH_OWN)

    async def odds(self, game: Game, shoe: Shoe, seen: Position, made: Provenance, stake: int | None) -> Json:
        """As `odds --json` prints them, for a shoe from which the cards seen are taken out already."""
        key = (game.digest, shoe.counts, position_text(seen) if seen else "", made.decks, made.removed, stake)
        # Wagers of somebody's own take longer, and nobody waits behind them for what everybody asks.
        bench = self._own_bench if game.own_wagers else self._bench
        return await self._remembered(key, bench, partial(_odds, game, shoe, seen, made, stake))

    async def _remembered(self, key: tuple[object, ...], bench: Bench, work: Callable[[], Json]) -> Json:
        known = self._known.get(key)
        if known is not None:
            self._known.move_to_end(key)
            return known
        found = self._known[key] = await bench.work_out(work)
        while len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        return found

    async def removal(self, game_id: str, decks: int | None = None, remove: str | None = None) -> Json:
        """The effect of removal of each card on each wager, as `removal --json` prints it."""
        game = _game(game_id)
        try:
            chosen = ChosenShoe.of_decks(game, check_decks(game, game.decks.default if decks is None else decks, decks))
            chosen = chosen if remove is None else chosen.less(game, remove)
        except InputError as error:
            raise _unreadable(game, error) from None
        key = "removal", game.digest, decks, chosen.removed
        return await self._remembered(key, self._bench, partial(_removal, game, chosen))

    async def of_game(
        self,
        game_id: str,
        *,
        decks: int | None = None,
        composition: dict[str, int] | None = None,
        remove: str | None = None,
        seen: str | None = None,
        stake: int | None = None,
        wager: list[Json] | None = None,
    ) -> Json:
        """The odds of a game from a shoe that somebody describes, with wagers of their own beside the house's."""
        game = _game(game_id)
        if wager is not None:
            # Also to read them takes a while: every line is shown to be one that can decide.
            game = await self._own_bench.work_out(partial(_with_wagers, game, wager))
        try:
            if composition is not None:
                chosen = ChosenShoe.of_cards(Shoe.of_counts(game.pack, composition), "a shoe")
            else:
                number = check_decks(game, game.decks.default if decks is None else decks, decks)
                chosen = ChosenShoe.of_decks(game, number)
            chosen = chosen if remove is None else chosen.less(game, remove)
            position = NOTHING_SEEN if seen is None else read_position(game.pack, game.tableau, seen)
            shoe = chosen.shoe.without(position.values())
            if shoe.size > MOST_CARDS:
                raise malformed(f"A shoe has at most {MOST_CARDS:,} cards.", "wrong-composition")
            made = chosen.provenance(game, position)
        except InputError as error:
            raise _unreadable(game, error) from None
        return await self.odds(game, shoe, position, made, stake)

    async def of_table(self, table: Table, stake: int | None = None) -> Json:
        """The odds of the round in progress, or of the next, from the cards that nobody has seen."""
        game, unseen = table.settings.game, table.unseen
        if unseen is None:
            raise Problem(409, "no-shoe", "No shoe is in play at this table.")
        seen = position_of(table.deal) if table.phase.in_round else NOTHING_SEEN
        given = unseen.with_cards(seen.values())
        made = Provenance(game, None, given, (), position_text(seen) if seen else "")
        return await self.odds(game, unseen, seen, made, stake)


def _odds(game: Game, shoe: Shoe, seen: Position, made: Provenance, stake: int | None) -> Json:
    try:
        return odds_json(odds(game, shoe, seen), made, stake)
    except InputError as error:
        raise _unreadable(game, error) from None


def _removal(game: Game, chosen: ChosenShoe) -> Json:
    try:
        return removal_json(removal(game, chosen.shoe), chosen.provenance(game))
    except InputError as error:
        raise _unreadable(game, error) from None


def _with_wagers(game: Game, found: list[Json]) -> Game:
    """The game with these wagers beside the house's; what is wrong with them is not repeated."""
    try:
        wagers = unchecked_wagers({"wager": found})
        tests = [len([test for line in wager.all_lines for test in line.when.tests()]) for wager in wagers]
        work = sum(count * most_fillings(game.pack, wager) for count, wager in zip(tests, wagers, strict=True))
        if work > MOST_OWN_WORK:
            message = "These wagers ask for too much, at too many ranks and suits, to be priced here."
            raise malformed(message, "too-large")
        return with_own_wagers(game, wagers)
    except (InputError, DeclarationError):
        raise malformed(WRONG_WAGER, "bad-wager") from None


def _game(game_id: str) -> Game:
    if game_id not in [game.id for game in GAMES]:
        raise nothing_there("There is no such game.")
    return find_game(game_id)


def _unreadable(game: Game, error: InputError) -> Problem:
    """What is wrong with a shoe, without repeating it."""
    if isinstance(error, Unlawful):
        cited = error if error.clause else game.cited_fault(error)
        return Problem(409, error.reason, UNLAWFUL.get(error.reason, NOT_ALLOWED), cited.clause)
    sentences = {
        "wrong-decks": f"{game.name} is played with {game.decks.minimum} to {game.decks.maximum} decks.",
        "suit-needed": "A wager of this game looks at suits: name the suit of every card.",
        "card-not-in-shoe": "A card that is to be taken out is not in the shoe.",
    }
    return malformed(sentences.get(error.reason, "These are not cards or counts of this game's pack."), error.reason)


# Over HTTP.


class LineOddsSaid(BaseModel):
    line: str
    clause: str
    pays: str
    probability: str = Field(description='An exact fraction, "n/d".')
    probability_float: float
    on_top: bool = Field(default=False, description="Paid on top of the wager's own line.")


class WagerOddsSaid(BaseModel):
    ev: str
    ev_float: float
    house_edge: float
    hit: float
    std: float
    ev_at_stake: str = ""
    ev_at_stake_float: float = 0
    std_at_stake: float = 0
    break_even_stake: str = ""
    break_even_stake_float: float = 0
    lines: list[LineOddsSaid]


class BonusSaid(BaseModel):
    wager: str
    line: str
    clause: str
    amount: int
    probability: str
    probability_float: float


class OddsSaid(BaseModel):
    """As `puntobanco odds --json`: what has no part in it is left out."""

    game: str
    decks: int | None
    cards: int
    seen: str = ""
    stake: int = 0
    wagers: dict[str, WagerOddsSaid]
    bonuses: list[BonusSaid]
    provenance: dict[str, Any]


class EffectSaid(BaseModel):
    count: int = Field(description="How many such cards are in the shoe.")
    effect: str = Field(description="The expected value without one such card, less that with it.")
    effect_float: float


class WagerRemovalSaid(BaseModel):
    ev: str
    ev_float: float
    effects: dict[str, EffectSaid] = Field(description="By card.")


class RemovalSaid(BaseModel):
    """As `puntobanco removal --json`."""

    game: str
    decks: int | None
    cards: int
    wagers: dict[str, WagerRemovalSaid]
    provenance: dict[str, Any]


class AskOdds(Strict):
    decks: Annotated[int, Field(ge=1, le=20)] | None = None
    composition: (
        Annotated[
            dict[Annotated[str, StringConstraints(max_length=3)], Annotated[int, Field(ge=0, le=MOST_CARDS)]],
            Field(max_length=100),
        ]
        | None
    ) = Field(default=None, description='What is in the shoe, {"Ah": 7, ..}; cards not named are absent.')
    remove: Annotated[str, StringConstraints(max_length=MOST_TEXT)] | None = None
    seen: Annotated[str, StringConstraints(max_length=100)] | None = None
    stake: Annotated[int, Field(ge=1, le=MONEY_LIMIT)] | None = None
    wager: Annotated[list[dict[str, Any]], Field(min_length=1, max_length=MOST_OWN_WAGERS)] | None = Field(
        default=None,
        description="Wagers of one's own, priced beside the house's: what a file for `odds --wager-file` holds.",
    )


class AskJob(Strict):
    game: Annotated[str, StringConstraints(max_length=40)]
    system: Annotated[str, StringConstraints(max_length=40)]
    rounds: Annotated[int, Field(ge=1, le=MOST_ROUNDS)]
    sessions: Annotated[int, Field(ge=1, le=MOST_SESSIONS, description=f"Times rounds, at most {MOST_BETS:,}.")]
    bankroll: Annotated[int, Field(ge=1, le=MONEY_LIMIT)]
    seed: Annotated[int, Field(ge=0, le=10**15)] = 1
    wager: Annotated[str, StringConstraints(max_length=40)] = "banker"
    base: Annotated[int, Field(ge=1, le=MONEY_LIMIT)] | None = None
    decks: Annotated[int, Field(ge=1, le=20)] | None = None


class JobSaid(BaseModel):
    id: str
    state: JobState
    created: int
    sessions: int
    done: int = Field(description="Sessions that were played.")
    problem: str | None
    result: JobResult | None = Field(
        description="As `puntobanco systems --json` has a system, with curves: quantiles of the result so far by round."
    )


class JobList(BaseModel):
    jobs: list[JobSaid]


class House(rounds.House, Protocol):
    """What this module needs of a house."""

    @property
    def jobs(self) -> Jobs: ...


def job_said(job: Job, with_result: bool = True) -> JobSaid:
    return JobSaid(
        id=job.id,
        state=job.state,
        created=job.created,
        sessions=job.asked.sessions,
        done=job.done,
        problem=job.problem,
        result=JobResult.model_validate(job.result) if with_result and job.result is not None else None,
    )


GameId = Annotated[str, Path(pattern="^[a-z0-9-]{1,40}$")]
JobId = Annotated[str, Path(pattern="^[0-9a-f]{16}$")]
Stake = Annotated[PlainInt | None, Query(ge=1, le=MONEY_LIMIT)]


def routes(house: House) -> APIRouter:
    router = APIRouter(tags=["laboratory"])
    laboratory = Laboratory()
    as_printed: Callable[[dict[str, Any]], OddsSaid] = OddsSaid.model_validate

    @router.get("/api/vocabulary")
    async def get_vocabulary() -> Vocabulary:
        """The words of the laboratory: cards, facts for a wager of one's own, staking systems."""
        return vocabulary()

    @router.get("/api/odds/{game}", response_model_exclude_unset=True, responses=MAY_BE_REFUSED)
    async def get_odds(
        game: GameId,
        decks: Annotated[PlainInt | None, Query(ge=1, le=20)] = None,
        remove: Annotated[str | None, Query(max_length=MOST_TEXT)] = None,
        seen: Annotated[str | None, Query(max_length=100)] = None,
        stake: Stake = None,
    ) -> OddsSaid:
        """Exact odds of every wager from a shoe of so many decks, less cards that have left it or lie on the table."""
        return as_printed(await laboratory.of_game(game, decks=decks, remove=remove, seen=seen, stake=stake))

    @router.get("/api/odds/{game}/removal")
    async def get_removal(
        game: GameId,
        decks: Annotated[PlainInt | None, Query(ge=1, le=20)] = None,
        remove: Annotated[str | None, Query(max_length=MOST_TEXT)] = None,
    ) -> RemovalSaid:
        """What the leaving of one card more does to the expected value of each wager, exactly."""
        return RemovalSaid.model_validate(await laboratory.removal(game, decks, remove))

    @router.post("/api/odds/{game}", response_model_exclude_unset=True)
    async def post_odds(game: GameId, body: AskOdds) -> OddsSaid:
        """The same from a shoe that is given card by card, and with wagers of one's own."""
        if body.decks is not None and body.composition is not None:
            raise malformed("Give the shoe by decks or by its composition, not by both.")
        return as_printed(await laboratory.of_game(game, **body.model_dump()))

    @router.get("/api/tables/{table}/odds", response_model_exclude_unset=True, responses=MAY_BE_REFUSED)
    async def get_table_odds(table: TableName, stake: Stake = None) -> OddsSaid:
        """The odds of a live table, from the cards that nobody has seen."""
        live = house.tables.get(table)
        if live is None:
            raise nothing_there("There is no such table.")
        return as_printed(await laboratory.of_table(live.table, stake))

    @router.post("/api/jobs", status_code=202)
    async def post_job(asker: ChangingAsker, body: AskJob) -> JobSaid:
        """Play sessions by a staking system; ask for the job by its id to see how far it is."""
        require(asker, Permission.RUN_JOBS)
        return job_said(await house.jobs.ask(asker.person.id, Asked(**body.model_dump())))

    @router.get("/api/jobs")
    async def get_jobs(asker: Asker) -> JobList:
        """The asker's own jobs, newest first, without their results."""
        require(asker, Permission.RUN_JOBS)
        return JobList(jobs=[job_said(job, with_result=False) for job in await house.jobs.of_person(asker.person.id)])

    @router.get("/api/jobs/{job_id}")
    async def get_job(asker: Asker, job_id: JobId) -> JobSaid:
        """How far a job of one's own is, and what it has come to."""
        require(asker, Permission.RUN_JOBS)
        return job_said(await house.jobs.find(asker.person.id, job_id))

    @router.delete("/api/jobs/{job_id}")
    async def delete_job(asker: ChangingAsker, job_id: JobId) -> JobSaid:
        """Stop a job; what it has come to is thrown away."""
        require(asker, Permission.RUN_JOBS)
        return job_said(await house.jobs.cancel(asker.person.id, job_id))

    return router
