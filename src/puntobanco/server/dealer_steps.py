"""What a dealer's console shows: the steps that are lawful now, and what each irregularity would do.

Nothing is decided here: the table itself is asked what it would refuse.
"""

from collections.abc import Iterator
from typing import Any

from puntobanco.rules.game import Game
from puntobanco.rules.rulings import ruling_cited
from puntobanco.server.permissions import Permission, may
from puntobanco.server.persons import Role
from puntobanco.server.views import due_of
from puntobanco.table import (
    AnnounceResult,
    CloseBetting,
    Command,
    EndShoe,
    Irregularity,
    OpenBetting,
    OpenShoe,
    PauseTable,
    Phase,
    ResumeTable,
    SettleRound,
    Table,
    TakeBackCard,
    VoidRound,
    WithdrawAnnouncement,
    refusal,
)
from puntobanco.table.decide import voiding_clause
from puntobanco.tableau import total

Json = dict[str, Any]


def next_steps(table: Table) -> tuple[Json, ...]:
    """What may be done now at a table with a dealer, the course of the round first; nothing at a virtual one."""
    return () if table.settings.is_virtual else tuple(_steps(table))


def for_role(steps: tuple[Json, ...], role: Role) -> list[Json]:
    return [step for step in steps if may(role, Permission(step["do"]))]


def _steps(table: Table) -> Iterator[Json]:
    number, due = table.round_number, due_of(table)
    if table.phase is Phase.BURN_DUE and not table.paused:
        yield {"do": "burn", "burned_after": burned_after(table)}
    if due is not None and not table.paused:
        yield {"do": "deal", "hand": due}
    asked: tuple[tuple[str, Command, Json], ...] = (
        ("open-shoe", OpenShoe(table.settings.full_shoe), {}),
        ("open-betting", OpenBetting(), {"says": "Place your bets, please."}),
        ("close-betting", CloseBetting(number), {"says": "No more bets."}),
        ("announce", AnnounceResult(number), {"says": announcement(table)}),
        ("settle", SettleRound(number), {}),
        ("resume", ResumeTable(), {}),
        ("undo-card", TakeBackCard(number), {}),
        ("withdraw-announcement", WithdrawAnnouncement(number), {}),
        ("pause", PauseTable("."), {}),
        ("end-shoe", EndShoe(), {}),
    )
    for kind, command, more in asked:
        if refusal(table, command) is None:
            yield {"do": kind, **more}


def burned_after(table: Table) -> dict[str, int]:
    """By the rank of the first card of the shoe, how many are burned after it."""
    pack, rule = table.settings.game.pack, table.settings.burn_and_cut
    return {card.rank: rule.burned_after(card) for card in pack.cards[: len(pack.ranks)]}


def announcement(table: Table) -> str:
    """The totals of both hands, and then the winner."""
    player, banker = (total([card.points for card in hand]) for hand in (table.deal.player, table.deal.banker))
    won = "Player wins" if player > banker else "Banker wins" if banker > player else "Tie"
    return f"Player {player}, Banker {banker}. {won}."


def irregularities_of(table: Table) -> list[Json]:
    """Each kind with its clause, what voiding the round for it would do, and whether that is possible now."""
    game, number = table.settings.game, table.round_number
    returns = sum(sum(slip.values()) for _, slip in table.stakes.items()) if table.phase.in_round else None
    found = []
    for kind in Irregularity:
        clause = voiding_clause(game.procedure, kind)
        refused = refusal(table, VoidRound(number, kind, "."))
        found.append(
            {
                "irregularity": kind.value,
                "clause": clause,
                "text": clause_text(game, clause),
                "round": number,
                "returns": returns,
                "possible": refused is None,
                "refusal": None if refused is None else refused.message,
            }
        )
    return found


def clause_text(game: Game, clause: str) -> str:
    """What a clause of the game's document says, or a ruling of the house."""
    ruling = ruling_cited(clause)
    return game.document.clauses[clause] if ruling is None else ruling.text
