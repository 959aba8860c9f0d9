"""The currency clauses of Manila, as far as ruling 19 makes them settings of a table."""

import pytest

from puntobanco import Game
from puntobanco.table import OpenBetting, PlaceWager, Reason, StakeChanged, TableSettings, refusal
from table.here import HERE, meant

from .proof import MANILA, alike, proves
from .tables import ANN, STAKE, after, event_of, ready_table, refused


@proves(by=[TableSettings, PlaceWager], clauses=alike(MANILA, "Currency 1"))
def test_every_table_takes_pesos_unless_it_is_set_otherwise(game: Game) -> None:
    table = after(ready_table(game), OpenBetting())
    assert table.settings.currency == "PHP"
    placed = StakeChanged(1, ANN, "player", 0, STAKE)
    assert event_of(table, PlaceWager(HERE, ANN, "player", STAKE, currency="PHP")) == placed
    assert event_of(table, PlaceWager(HERE, ANN, "player", STAKE)) == placed


@proves(by=[TableSettings, PlaceWager, Reason.WRONG_CURRENCY], clauses=alike(MANILA, "Currency 2"))
def test_a_selected_table_takes_hong_kong_dollars_and_the_others_do_not(game: Game) -> None:
    hong_kong = PlaceWager(HERE, ANN, "player", STAKE, currency="HKD")
    selected = after(ready_table(game, currency="HKD"), OpenBetting())
    assert event_of(selected, hong_kong) == StakeChanged(1, ANN, "player", 0, STAKE)
    # Every table has one currency, so this one takes no pesos.
    assert refused(selected, PlaceWager(HERE, ANN, "player", STAKE, currency="PHP"))[0] is Reason.WRONG_CURRENCY
    other = after(ready_table(game), OpenBetting())
    assert refused(other, hong_kong)[0] is Reason.WRONG_CURRENCY


@proves(by=[PlaceWager, Reason.WRONG_CURRENCY], clauses=alike(MANILA, "Currency 3"))
@pytest.mark.parametrize("setting", ["PHP", "HKD"])
def test_a_stake_in_any_other_currency_is_refused_and_sent_to_the_cashier(game: Game, setting: str) -> None:
    table = after(ready_table(game, currency=setting), OpenBetting())
    for currency in ("SGD", "USD", "EUR", "CNY"):
        stake = PlaceWager(HERE, ANN, "player", STAKE, currency=currency)
        assert refused(table, stake)[0] is Reason.WRONG_CURRENCY
        found = refusal(table, meant(table, stake))
        assert found is not None
        assert f"change {currency!r} at the cashier" in found.message
