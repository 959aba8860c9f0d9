"""The money that events move is the money that the books count, to the last unit."""

import random
from collections import Counter
from collections.abc import Sequence

import pytest

from puntobanco import find_game
from puntobanco.table import (
    Limits,
    Refusal,
    RoundCorrected,
    RoundSettled,
    RoundVoided,
    StakeChanged,
    TableSettings,
    money_moved,
)
from table.wandering import Choice, Wanderer
from table.watched import WatchedTable


@pytest.mark.parametrize("name", ["manila", "six-star"])
def test_money_is_what_the_books_count(name: str) -> None:
    """Wagers, settlements, voids and corrections: what the events give adds up to what each patron is up or down."""
    game = find_game(name)
    watched = WatchedTable(TableSettings(game, decks=4, limits=dict.fromkeys(game.paytables, Limits(20, 200, 10))))
    generator = random.Random(name)

    def choose(options: Sequence[Choice], /) -> Choice:
        return options[int(generator.random() * len(options))]

    wanderer = Wanderer(watched.books, choose)
    money: Counter[str] = Counter()
    kinds = set()
    for _ in range(3000):
        outcome = watched.carry_out(wanderer.next_command())
        for event in () if isinstance(outcome, Refusal) else outcome:
            money.update(money_moved(event))
            kinds.add(type(event))
        assert money == watched.books.money
    assert kinds >= {StakeChanged, RoundSettled, RoundVoided, RoundCorrected}
