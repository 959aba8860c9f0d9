"""EZ Baccarat, a game that the package does not know: the published figures, and rounds settled by hand."""

from fractions import Fraction

import pytest

from contract.ez_baccarat import EZ_BACCARAT
from odds.published import FIGURES, rounded
from puntobanco import Shoe, read_deal, settle
from puntobanco.odds import odds

# wizardofodds.com/games/ez-baccarat/, for eight decks: combinations of each line and of all draws, and the house edge.
ALL_DRAWS = 4_998_398_275_503_360
BANKER_SEVEN_ON_THREE = 112_633_011_329_024
PLAYER_EIGHT_ON_THREE = 172_660_763_262_976
TIES = 475_627_426_473_216
EDGES = {"banker": "1.0183%", "dragon-7": "7.6113%", "panda-8": "10.1876%", "player": "1.2351%", "tie": "14.3596%"}


def test_the_published_combinations_of_eight_decks() -> None:
    found = odds(EZ_BACCARAT, Shoe.full(EZ_BACCARAT.pack, 8))
    counts = {name: [line.count for line in wager.lines] for name, wager in found.wagers.items()}
    assert found.total == ALL_DRAWS
    assert counts["dragon-7"] == [BANKER_SEVEN_ON_THREE]
    assert counts["panda-8"] == [PLAYER_EIGHT_ON_THREE]
    assert counts["tie"] == [TIES]
    assert counts["banker"][0] == BANKER_SEVEN_ON_THREE
    assert counts["banker"][2] == counts["player"][1] == TIES
    # These two are cut after fifteen digits on that page; all sixteen are in the vectors of the ordinary game.
    (eight_decks,) = [figure for figure in FIGURES["combinations"] if figure["decks"] == 8]
    assert sum(counts["banker"][:2]) == eight_decks["banker"]
    assert counts["player"][0] == eight_decks["player"]


@pytest.mark.parametrize("wager", EDGES)
def test_the_published_edges_of_eight_decks(wager: str) -> None:
    assert rounded(odds(EZ_BACCARAT).wagers[wager].house_edge, EDGES[wager]) == EDGES[wager]


def test_the_edges_follow_from_the_published_combinations() -> None:
    wagers = odds(EZ_BACCARAT).wagers
    assert wagers["dragon-7"].house_edge == 1 - Fraction(41 * BANKER_SEVEN_ON_THREE, ALL_DRAWS)
    assert wagers["panda-8"].house_edge == 1 - Fraction(26 * PLAYER_EIGHT_ON_THREE, ALL_DRAWS)


@pytest.mark.parametrize(
    ("deal", "nets"),
    [
        # A banker seven on three cards returns the Banker wager and pays the Dragon; one on two cards is a plain win.
        ("P 2h 4h | B Kd 2c 5s", {"player": -100, "banker": 0, "tie": -100, "dragon-7": 4000, "panda-8": -100}),
        ("P 2h 4h | B 3d 4c", {"player": -100, "banker": 100, "tie": -100, "dragon-7": -100, "panda-8": -100}),
        # A seven on three cards that ties is no win.
        ("P 3h 4h | B Kd 2c 5s", {"player": 0, "banker": 0, "tie": 800, "dragon-7": -100, "panda-8": -100}),
        # A player eight on three cards pays the Panda too; a natural eight does not.
        ("P 2h 3h 3s | B 3d 4c", {"player": 100, "banker": -100, "tie": -100, "dragon-7": -100, "panda-8": 2500}),
        ("P 4h 4s | B 3d 4c", {"player": 100, "banker": -100, "tie": -100, "dragon-7": -100, "panda-8": -100}),
    ],
)
def test_rounds_settled_by_hand(deal: str, nets: dict[str, int]) -> None:
    settled = settle(EZ_BACCARAT, read_deal(EZ_BACCARAT.pack, deal), dict.fromkeys(nets, 100))
    assert {name: wager.net for name, wager in settled.wagers.items()} == nets


def test_a_push_cites_the_clause_that_returns_the_stake() -> None:
    settled = settle(EZ_BACCARAT, read_deal(EZ_BACCARAT.pack, "P 2h 4h | B Kd 2c 5s"), {"banker": 100})
    assert [(paid.clause, paid.amount) for paid in settled.wagers["banker"].pays] == [("Banker 2", 0)]
