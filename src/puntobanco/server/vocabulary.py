"""The words that the laboratory understands: cards, facts and what they can be, payments, staking systems.

A page builds wagers and sessions from these, so that a pack, a fact or a system that is added appears in it by itself.
"""

from functools import cache

from puntobanco.cards import PACKS, Pack
from puntobanco.extras import optional_package
from puntobanco.games import GAMES
from puntobanco.rules.facts import FACTS, Fact, Kind
from puntobanco.server.jobs import MOST_BETS, MOST_ROUNDS, MOST_SESSIONS
from puntobanco.strategies.systems import SYSTEMS

with optional_package("fastapi", "Requests are answered"):
    from pydantic import BaseModel, Field


class NamedLetter(BaseModel):
    letter: str = Field(description="As it stands in the text of a card.")
    name: str


class FactTold(BaseModel):
    fact: str = Field(description="As it stands in the `when` of a wager of one's own.")
    name: str
    kind: Kind
    values: list[str | int] = Field(
        description="What it can be; empty for the ranks of a hand, which are two or three ranks in the pack's order."
    )
    may_be_none: bool = Field(description="`true` asks whether there is one at all, `false` whether there is none.")


class PackTold(BaseModel):
    pack: str
    name: str
    ranks: list[NamedLetter]
    suits: list[NamedLetter]
    facts: list[FactTold]


class SystemTold(BaseModel):
    system: str
    name: str
    description: str
    follows_road: bool = Field(description="It stakes on the Player or the Banker, whatever wager is named.")


class JobLimits(BaseModel):
    rounds: int
    sessions: int
    bets: int = Field(description="Rounds times sessions.")


class Vocabulary(BaseModel):
    packs: list[PackTold]
    systems: list[SystemTold]
    stake_steps: dict[str, int] = Field(
        description="By game, the stake of which every multiple is paid in whole units."
    )
    jobs: JobLimits


def _fact(fact: Fact, pack: Pack) -> FactTold:
    values = fact.values(pack)
    return FactTold(
        fact=fact.name,
        name=fact.name.replace("_", " ").capitalize(),
        kind=fact.kind,
        # There are hundreds of hands: whoever names one spells it.
        values=[] if fact.kind is Kind.RANKS else [value for value in values if value is not None],
        may_be_none=None in values,
    )


def _pack(pack: Pack) -> PackTold:
    return PackTold(
        pack=pack.id,
        name=pack.name,
        ranks=[NamedLetter(letter=rank, name=pack.rank_names.get(rank, rank)) for rank in pack.ranks],
        suits=[NamedLetter(letter=suit, name=name) for suit, name in pack.suits.items()],
        # Of other kinds there are no exact odds.
        facts=[_fact(fact, pack) for fact in FACTS.values() if fact.kind is not Kind.OTHER],
    )


@cache
def vocabulary() -> Vocabulary:
    return Vocabulary(
        packs=[_pack(pack) for pack in PACKS],
        systems=[
            SystemTold(
                system=system.name,
                name=system.name if system.name[0].isdigit() else system.name.replace("-", " ").capitalize(),
                description=system.description,
                follows_road=system.follows_road,
            )
            for system in SYSTEMS.values()
        ],
        stake_steps={game.id: game.stake_step for game in GAMES},
        jobs=JobLimits(rounds=MOST_ROUNDS, sessions=MOST_SESSIONS, bets=MOST_BETS),
    )
