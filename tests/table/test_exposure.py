"""What a round may cost the house, against what settlement pays on deals of every kind."""

import random
from dataclasses import replace

import pytest

from puntobanco import GAMES, Game, find_game, read_deal
from puntobanco.rules import BANKER_CARDS, BANKER_TOTAL, pays
from puntobanco.settle import settle
from puntobanco.table.exposure import exposure, worst_rounds
from reference.deals import random_deals

READINGS = [
    *GAMES,
    find_game("manila").read_as(rounding="up"),
    find_game("fabulous-4").read_as(element_eights="instead"),
]


def paid(game: Game, text: str, slips: list[dict[str, int]]) -> int:
    """The winnings of all patrons on a deal; what is lost is not set against them."""
    deal = read_deal(game.pack, text)
    return sum(max(0, each.net) for slip in slips for each in settle(game, deal, slip).wagers.values())


def spots_of(game: Game, slips: list[dict[str, int]]) -> dict[str, tuple[int, int]]:
    spots = {}
    for wager in game.paytables:
        stakes = [slip[wager] for slip in slips if wager in slip]
        if stakes:
            spots[wager] = (sum(stakes), len(stakes))
    return spots


@pytest.mark.parametrize("game", READINGS, ids=lambda game: f"{game.id} {'-'.join(game.reading.values())}")
def test_no_deal_costs_more(game: Game) -> None:
    draw = random.Random(game.id)
    wagers = list(game.paytables)
    for _ in range(40):
        slips = [
            {wager: draw.randrange(1, 5000) for wager in wagers if draw.random() < 0.5}
            for _ in range(draw.randrange(1, 5))
        ]
        most = exposure(game, spots_of(game, slips))
        for player, banker in random_deals(len(game.pack), 25, draw.randrange(10**6)):
            deal = f"P {' '.join(player)} | B {' '.join(banker)}"
            assert paid(game, deal, slips) <= most, deal


@pytest.mark.parametrize(
    ("name", "deal"),
    [
        ("six-star", "P Sf Lf Ff | B Sf Lf Ff"),
        ("six-star", "P 2f 3f 4f | B Tf 3f 5f"),
        ("fabulous-4", "P 4g 4g | B 4g 4g"),
        ("manila", "P 2h 3h Kh | B 3c 3c"),
        ("baccarat-tournament", "P 4h 4h | B 4c 4c"),
    ],
)
def test_the_cost_is_reached(name: str, deal: str) -> None:
    """On the wagers that such a deal pays best, the bound is what is paid, not more."""
    game = find_game(name)
    held = {
        wager: each.stake
        for wager, each in settle(game, read_deal(game.pack, deal), dict.fromkeys(game.paytables, 2000)).wagers.items()
        if each.net > 0
    }
    best = max(held, key=lambda wager: paid(game, deal, [{wager: 2000}]))
    assert exposure(game, {best: (2000, 1)}) == paid(game, deal, [{best: 2000}])


def test_fixed_bonuses_are_paid_to_each_patron() -> None:
    game = find_game("six-star")
    assert exposure(game, {"tie": (2000, 1)}) == 16_000 + 3_000_000
    assert exposure(game, {"tie": (2000, 4)}) == 16_000 + 4 * 3_000_000
    assert exposure(game, {"element-bonus": (100, 1)}) == 500_000


def test_what_is_rounded_up_is_rounded_for_each_patron() -> None:
    """Three wagers of 7 at 19:20 come to 3 times 7 where each is rounded up, and to 20 where their sum is."""
    game = find_game("manila").read_as(rounding="up")
    cost = paid(game, "P 2h Kh | B 9c Kd", [{"banker": 7}] * 3)
    assert cost == 21
    assert exposure(game, {"banker": (21, 3)}) >= cost


def test_player_and_banker_do_not_both_win() -> None:
    game = find_game("baccarat-tournament")
    assert exposure(game, {"player": (2000, 1), "banker": (3000, 1)}) == 3000
    assert exposure(game, {}) == 0


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_withdrawing_a_wager_never_raises_the_cost(game: Game) -> None:
    full = dict.fromkeys(game.paytables, (2000, 3))
    for wager in full:
        less = {name: spot for name, spot in full.items() if name != wager}
        assert exposure(game, less) <= exposure(game, full)
    assert len(worst_rounds(game)) < 20


def test_every_line_that_is_rounded_up_counts_for_every_patron() -> None:
    """A wager whose lines all have a fraction at a stake of one: the bound holds, and is what is paid."""
    game = find_game("manila")
    six, three = BANKER_TOTAL.is_(6), BANKER_CARDS.is_(3)
    bonuses = (pays("1:20", "on six", six, clause="Super 6"), pays("1:20", "on three", three, clause="Super 6"))
    wagers = tuple(replace(wager, bonuses=bonuses) if wager.id == "banker" else wager for wager in game.wagers)
    rounding_up = replace(game, wagers=wagers).read_as(rounding="up")
    deal = "P 2s 3d Kc | B 2h Kh 4c"
    slips = [{"banker": 1}] * 1000
    assert paid(rounding_up, deal, slips) == 3000
    assert exposure(rounding_up, spots_of(rounding_up, slips)) >= 3000
    # Where nothing can be fractional, nothing is added.
    assert exposure(game.read_as(rounding="up"), {"tie": (2000, 1)}) == 16_000


def test_what_is_rounded_down_costs_no_more() -> None:
    assert exposure(find_game("manila"), {"banker": (30, 1)}) == 28
    assert exposure(find_game("manila").read_as(rounding="up"), {"banker": (30, 1)}) == 29
