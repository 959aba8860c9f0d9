"""Two ways to every payment: the product against the naive reference, which shares no code with it."""

from collections import Counter
from collections.abc import Iterable
from itertools import cycle

import pytest

from contract.games import EVERY_GAME, every_game
from puntobanco import Deal, Game, settle
from reference.deals import Deal as CardTexts
from reference.deals import every_deal_by_points, random_deals
from reference.settlement import settle as reference_settle

READINGS: list[dict[str, str]] = [
    {},
    {"rounding": "up"},
    {"element_eights": "instead"},
    {"tableau": "manila-as-printed"},
    {"tableau": "manila-as-printed", "rounding": "up"},
]
GAMES_AND_READINGS = [
    pytest.param(game.read_as(**reading), id="-".join([game.id, *reading.values()]))
    for game in EVERY_GAME
    for reading in READINGS
    if reading.keys() <= game.switches.keys()
]
DEALS_IN_A_BATCH = 250_000
BATCHES = 4
"""Together a million deals a game, in batches that run side by side."""

STAKES = [1, 3, 7, 20, 99, 101, 2_000, 999_999_999_999, 1_000_000_000_000]


def compare(game: Game, deals: Iterable[CardTexts]) -> Counter[tuple[str, str]]:
    """Settle every deal both ways with a stake on every wager; returns how often each line paid."""
    card, wagers = game.pack.card, list(game.paytables)
    stakes = cycle(STAKES)
    printed_manila = game.tableau.name == "manila-as-printed"
    element_eights = game.reading.get("element_eights", "on-top")
    paid: Counter[tuple[str, str]] = Counter()
    for player, banker in deals:
        staked = {wager: next(stakes) for wager in wagers}
        expected = reference_settle(
            game.id,
            player,
            banker,
            staked,
            element_eights=element_eights,
            rounding=game.reading["rounding"],
            printed_manila=printed_manila,
        )
        deal = Deal(tuple([card(text) for text in player]), tuple([card(text) for text in banker]))
        settled = settle(game, deal, staked)
        for wager, result in settled.wagers.items():
            found = result.net, [(payment.clause, payment.amount) for payment in result.pays]
            assert found == expected[wager], f"{game.id} {deal} {wager} {result}"
            for payment in result.pays:
                paid[wager, payment.line] += 1
        assert len(settled.wagers) == len(expected)
    return paid


def lines_of(game: Game) -> set[tuple[str, str]]:
    return {(wager.id, line.label) for wager in game.paytables.values() for line in wager.lines + wager.bonuses}


@pytest.mark.parametrize("game", [case for case in GAMES_AND_READINGS if not str(case.id).endswith(("up", "instead"))])
def test_every_deal_distinct_by_point_values(game: Game) -> None:
    paid = compare(game, every_deal_by_points(len(game.pack), game.tableau.name == "manila-as-printed"))
    assert paid["tie", "Tie"] > 10_000


@pytest.mark.parametrize("batch", range(BATCHES))
@every_game
def test_random_deals_in_which_every_line_pays_many_times(game: Game, batch: int) -> None:
    paid = compare(game, random_deals(len(game.pack), DEALS_IN_A_BATCH, seed=batch))
    assert paid.keys() == lines_of(game)
    rarest, times = min(paid.items(), key=lambda item: item[1])
    assert times >= 400, f"{rarest} paid only {times} times"


@pytest.mark.parametrize(
    "game", [case for case in GAMES_AND_READINGS if case.id not in {game.id for game in EVERY_GAME}]
)
def test_random_deals_under_the_other_readings(game: Game) -> None:
    deals = random_deals(len(game.pack), 50_000, seed=17, printed_manila=game.tableau.name == "manila-as-printed")
    assert compare(game, deals).keys() == lines_of(game)
