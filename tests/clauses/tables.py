"""Tables to give commands to, with two patrons and stakes that every game takes."""

from collections.abc import Iterator

import pytest

from puntobanco import Deal, Game, read_deal
from puntobanco.table import (
    AnnounceResult,
    BurnAndCut,
    BurnRule,
    CloseBetting,
    Command,
    DealCard,
    Event,
    OpenBetting,
    OpenShoe,
    PlaceWager,
    Reason,
    Refused,
    SettleRound,
    Table,
    TableSettings,
    decide,
    evolve,
    refusal,
)
from puntobanco.table.settings import USUAL_DECKS
from puntobanco.table.settlements import returned_by
from puntobanco.tableau import Hand
from table.here import HERE, meant

ANN, BEN = "Ann", "Ben"
STAKE = 2_000
"""Within the default limits of every game, and paid in whole units on every line."""

WAGERS = (
    PlaceWager(HERE, ANN, "player", STAKE),
    PlaceWager(HERE, BEN, "banker", STAKE),
    PlaceWager(HERE, BEN, "tie", STAKE),
)

# The Tens and the Diamonds of one pack are written like the Tens and the Wood of the other.
PLAYER_WINS = "P 2d 3d 4d | B Td 3d 5d"
"""Nine against eight, with six cards; it pays 1:1 on Player in every game."""
NATURAL = "P 9d Td | B Td 7d"
THREE_CARDS = "P 2d 3d 4d | B Td 7d"
"""Only the Player draws."""


def ready_table(game: Game, *, decks: int = USUAL_DECKS, cut_depth: int = 14, currency: str = "") -> Table:
    """A table with a full shoe, before its first round."""
    settings = TableSettings(game, decks=decks, burn_and_cut=BurnAndCut(BurnRule.OFF, cut_depth), currency=currency)
    return after(Table(settings), OpenShoe(settings.full_shoe))


def after(table: Table, *commands: Command) -> Table:
    """The table when it has carried out the commands."""
    for command in commands:
        for event in decide(table, meant(table, command)):
            table = evolve(table, event)
    return table


def event_of(table: Table, command: Command) -> Event:
    """What happens first when the table carries out the command."""
    return decide(table, meant(table, command))[0]


def refused(table: Table, command: Command) -> tuple[Reason, str | None]:
    """Why the table refuses the command, and by which clause."""
    command = meant(table, command)
    found = refusal(table, command)
    assert found is not None, f"{command} is accepted"
    with pytest.raises(Refused):
        decide(table, command)
    return found.reason, found.clause


def returned(table: Table) -> dict[str, int]:
    """What each patron has got back of the last round."""
    assert table.last is not None
    return returned_by(table.last)


def draws(deal: Deal) -> tuple[DealCard, ...]:
    """The cards of the deal in the order in which they leave the shoe."""
    return tuple(
        DealCard(HERE, hand, cards[place])
        for place in range(3)
        for hand, cards in ((Hand.PLAYER, deal.player), (Hand.BANKER, deal.banker))
        if place < len(cards)
    )


def draws_of(game: Game, text: str) -> tuple[DealCard, ...]:
    return draws(read_deal(game.pack, text))


def in_deal(game: Game, text: str, *placed: PlaceWager) -> Table:
    """A table in its first round, with these wagers placed and these cards dealt."""
    return after(ready_table(game), OpenBetting(), *placed, CloseBetting(HERE), *draws_of(game, text))


def play_round(table: Table, text: str, *placed: PlaceWager) -> Table:
    """The table after a whole round of these cards."""
    game = table.settings.game
    table = after(table, OpenBetting(), *placed, CloseBetting(HERE), *draws_of(game, text))
    return after(table, AnnounceResult(HERE), SettleRound(HERE))


def stages(table: Table, text: str = PLAYER_WINS) -> Iterator[Table]:
    """The table at every stage of its next round, from the placing of the wagers to the announced result."""
    commands: list[Command] = [CloseBetting(HERE), *draws_of(table.settings.game, text), AnnounceResult(HERE)]
    table = after(table, OpenBetting(), *WAGERS)
    yield table
    for command in commands:
        table = after(table, command)
        yield table
