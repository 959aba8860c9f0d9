"""The dealer of a virtual table leads any game through whole shoes, without a command that is refused."""

import random

import pytest

from puntobanco import GAMES, Game
from puntobanco.table import (
    BurnAndCut,
    BurnCards,
    BurnRule,
    Dealing,
    Irregularity,
    Refused,
    RoundVoided,
    ShoeOpened,
    Table,
    TablePaused,
    TableSettings,
    VoidRound,
    decide,
    evolve,
)
from puntobanco.table.dealer import next_step


@pytest.mark.parametrize("burn", BurnRule)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_two_shoes_are_dealt_to_their_end(game: Game, burn: BurnRule) -> None:
    settings = TableSettings(game, burn_and_cut=BurnAndCut(burn), dealing=Dealing.VIRTUAL)
    table, shuffler = Table(settings), random.Random(game.id)
    cards = list(game.pack.cards) * settings.decks
    shuffler.shuffle(cards)
    while table.shoe_number < 3:
        for event in decide(table, next_step(table, cards.pop)):
            table = evolve(table, event)
            if isinstance(event, ShoeOpened):
                cards = list(game.pack.cards) * settings.decks
                shuffler.shuffle(cards)
        assert table.cards_in_shoe == len(cards) or table.shoe is None
    assert table.round_number > 2 * settings.full_shoe.size // 6 - 10


def test_the_cards_that_are_burned_are_face_down_or_all_shown() -> None:
    game = GAMES[0]
    table = Table(TableSettings(game, dealing=Dealing.VIRTUAL))
    for event in decide(table, next_step(table, [].pop)):
        table = evolve(table, event)
    cards = list(game.pack.cards)
    hidden = next_step(table, iter(cards[2:]).__next__)
    shown = next_step(table, iter(cards[2:]).__next__, shows_burn=True)
    assert hidden == BurnCards((cards[2],), face_down=3)
    assert shown == BurnCards(tuple(cards[2:6]), face_down=0)
    seen = evolve(table, decide(table, shown)[0])
    assert seen.cards_in_shoe == evolve(table, decide(table, hidden)[0]).cards_in_shoe == 416 - 4
    assert seen.shoe is not None
    assert seen.shoe.unseen.size == seen.cards_in_shoe


def test_a_shoe_that_runs_out_voids_the_round() -> None:
    game = GAMES[0]
    settings = TableSettings(game, decks=4, burn_and_cut=BurnAndCut(BurnRule.OFF, 0), dealing=Dealing.VIRTUAL)
    table = Table(settings)
    cards = sorted(list(game.pack.cards) * 4, key=lambda card: card.points)
    for _ in range(3):
        for event in decide(table, next_step(table, cards.pop)):
            table = evolve(table, event)
    assert table.shoe is not None
    empty = table.but(shoe=table.shoe.__class__(1, table.shoe.unseen, 0))
    step = next_step(empty, cards.pop)
    assert step == VoidRound(1, Irregularity.INSUFFICIENT_CARDS)
    assert isinstance(decide(empty, step)[0], RoundVoided)


def test_a_paused_table_waits_and_no_card_is_drawn() -> None:
    settings = TableSettings(GAMES[0], dealing=Dealing.VIRTUAL)
    table = evolve(Table(settings), TablePaused("a fire alarm"))
    with pytest.raises(Refused, match="a fire alarm"):
        next_step(table, [].pop)
