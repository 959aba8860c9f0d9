"""What a round has paid is reckoned again from its cards, stakes and settings, to the last unit."""

import pytest

from clauses.tables import after, play_round
from puntobanco import find_game
from puntobanco.table import (
    BurnAndCut,
    BurnRule,
    ChangeSettings,
    EndShoe,
    Limits,
    OpenShoe,
    PlaceWager,
    Table,
    TableSettings,
)
from puntobanco.table.settlements import returned_by
from table.here import HERE


def settings_of(rounding: str) -> TableSettings:
    return TableSettings(
        find_game("manila").read_as(rounding=rounding),
        limits={"banker": Limits(10, 100, 10)},
        burn_and_cut=BurnAndCut(BurnRule.OFF),
    )


@pytest.mark.parametrize(("rounding", "other", "back"), [("down", "up", 58), ("up", "down", 59)])
def test_ruling_12_what_came_back_is_rounded_as_the_round_was(rounding: str, other: str, back: int) -> None:
    """30 at 19:20 are 28.5; another reading of the table since then changes nothing of it."""
    settings = settings_of(rounding)
    table = after(Table(settings), OpenShoe(settings.full_shoe))
    table = play_round(table, "P 2h 4h | B Kc 7c", PlaceWager(HERE, "anna", "banker", 30))
    assert table.last is not None
    assert returned_by(table.last) == {"anna": back}
    later = after(table, EndShoe(), ChangeSettings(settings_of(other)))
    assert later.last is not None
    assert later.settings.game.reading["rounding"] == other
    assert returned_by(later.last) == {"anna": back}
