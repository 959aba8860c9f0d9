"""Section 2: decks and betting areas."""

from collections.abc import Mapping

import pytest

from puntobanco import FIVE_ELEMENTS, STANDARD_PACK, DeclarationError, Game, Pack, Shoe
from puntobanco.rules.documents import cited
from puntobanco.rules.game import Decks
from puntobanco.table import (
    OpenBetting,
    OpenShoe,
    Phase,
    PlaceWager,
    Reason,
    ShoeOpened,
    StakeChanged,
    Table,
    TableSettings,
)
from table.here import HERE

from .proof import MANILA, MARINA_BAY_SANDS, alike, proves, wagers
from .tables import ANN, STAKE, after, event_of, ready_table, refused

BETTING_AREAS: Mapping[str, Mapping[str, set[str]]] = {
    "baccarat-tournament": {
        "2.2.1": {"banker"},
        "2.2.2": {"player"},
        "2.2.3": {"tie"},
        "2.2.4": {"player-pair", "banker-pair"},
    },
    "fortune-six-tournament": {
        "2.2.1": {"banker"},
        "2.2.2": {"player"},
        "2.2.3": {"tie"},
        "2.2.4": {"player-pair", "banker-pair"},
        "2.2.5": {"fortune-six"},
    },
    "six-star": {
        "2.2.1": {"banker"},
        "2.2.2": {"player"},
        "2.2.3": {"tie"},
        "2.2.4": {"player-pair", "banker-pair"},
        "2.2.5": {"fortune-six"},
        "2.2.6": {"element-bonus"},
    },
    "fabulous-4": {
        "2.2.1": {"player"},
        "2.2.2": {"banker"},
        "2.2.3": {"tie"},
        "2.2.4": {"player-precious-pair", "banker-precious-pair"},
        "2.2.5": {"player-fabulous-4", "banker-fabulous-4"},
    },
    **{
        game: {"How to Play 2": {"player", "banker", "banker-pair", "player-pair", "tie", "super-six"}}
        for game in MANILA
    },
}
CARDS_IN_A_DECK = {
    "baccarat-tournament": 52,
    "fortune-six-tournament": 52,
    "six-star": 65,
    "fabulous-4": 65,
    "manila": 52,
    "manila-no-commission": 52,
}


@proves(
    by=[wagers(), Game.rows, PlaceWager, StakeChanged],
    clauses={game: tuple(areas) for game, areas in BETTING_AREAS.items()},
)
def test_the_felt_has_a_betting_area_for_each_wager_and_takes_stakes_on_it(game: Game, clause: str) -> None:
    spots = [spot for row in game.rows for spot in row]
    table = after(ready_table(game), OpenBetting())
    for wager in BETTING_AREAS[game.id][clause]:
        assert spots.count(wager) == 1
        assert game.paytables[wager].clause == clause
        assert event_of(table, PlaceWager(HERE, ANN, wager, STAKE)) == StakeChanged(1, ANN, wager, 0, STAKE)
    # There is no betting area that the document does not name.
    assert set(spots) == set().union(*BETTING_AREAS[game.id].values())


@proves(
    by=[Decks, TableSettings, Shoe.full],
    clauses={**alike(MARINA_BAY_SANDS, "2.1"), **alike(MANILA, "Ruling 2")},
)
def test_a_shoe_has_four_to_ten_decks(game: Game, clause: str) -> None:
    for decks in range(1, 33):
        if 4 <= decks <= 10:
            assert TableSettings(game, decks=decks).full_shoe.size == decks * CARDS_IN_A_DECK[game.id]
        else:
            with pytest.raises(DeclarationError, match=rf"4 to 10 decks, not {decks} \({cited(clause)}\)"):
                TableSettings(game, decks=decks)
    assert TableSettings(game).decks == 8


@proves(by=[Pack], clauses=alike(MARINA_BAY_SANDS, "2.1"))
def test_a_deck_has_every_rank_once_in_each_suit_and_no_joker(game: Game) -> None:
    ranks, suits = ("A23456789TJQK", "cdhs") if CARDS_IN_A_DECK[game.id] == 52 else ("A23456789TSLF", "fgedw")
    assert [str(card) for card in game.pack.cards] == [rank + suit for suit in suits for rank in ranks]
    assert len(game.pack.cards) == CARDS_IN_A_DECK[game.id]


@proves(
    by=[OpenShoe, ShoeOpened, Reason.WRONG_COMPOSITION],
    clauses={**alike(MARINA_BAY_SANDS, "2.1"), **alike(MANILA, "Ruling 2")},
)
def test_a_shoe_that_is_not_made_of_whole_decks_of_the_pack_is_refused(game: Game, clause: str) -> None:
    for decks in range(game.decks.minimum, game.decks.maximum + 1):
        table = Table(TableSettings(game, decks=decks))
        full = Shoe.full(game.pack, decks)
        assert after(table, OpenShoe(full)).phase is not Phase.CLOSED
        for card in game.pack.cards:
            assert refused(table, OpenShoe(full.without([card]))) == (Reason.WRONG_COMPOSITION, clause)
            assert refused(table, OpenShoe(full.with_cards([card]))) == (Reason.WRONG_COMPOSITION, clause)
        other = STANDARD_PACK if game.pack is FIVE_ELEMENTS else FIVE_ELEMENTS
        assert refused(table, OpenShoe(Shoe.full(other, decks))) == (Reason.WRONG_COMPOSITION, clause)
        assert refused(table, OpenShoe(Shoe.full(game.pack, decks - 1))) == (Reason.WRONG_COMPOSITION, clause)
