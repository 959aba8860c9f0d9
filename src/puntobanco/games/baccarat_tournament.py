"""Baccarat Tournament, Marina Bay Sands, version 5."""

from puntobanco.cards import STANDARD_PACK
from puntobanco.games.marina_bay_sands import EVEN_MONEY_BANKER, MARINA_BAY_SANDS
from puntobanco.rules import (
    BANKER_PAIR,
    BANKER_WINS,
    PLAYER_PAIR,
    PLAYER_WINS,
    TIE,
    Decks,
    Game,
    Wager,
    documents,
    pays,
    push,
)
from puntobanco.tableau import STANDARD

BACCARAT_TOURNAMENT = Game(
    id="baccarat-tournament",
    name="Baccarat Tournament",
    document=documents.BACCARAT_TOURNAMENT,
    pack=STANDARD_PACK,
    decks=Decks(4, 10),
    procedure=MARINA_BAY_SANDS,
    tableaux=(STANDARD,),
    wagers=(
        Wager("banker", "Banker", clause="2.2.1", lines=(
            pays("1:1", "Banker wins", BANKER_WINS, clause="4.1"),
            push("Tie returns the Banker wager", TIE, clause="3.10.1"),
        )),
        Wager("player", "Player", clause="2.2.2", lines=(
            pays("1:1", "Player wins", PLAYER_WINS, clause="4.1"),
            push("Tie returns the Player wager", TIE, clause="3.10.1"),
        )),
        Wager("tie", "Tie", clause="2.2.3", lines=(
            pays("8:1", "Tie", TIE, clause="4.1"),
        )),
        Wager("player-pair", "Player Pair", clause="2.2.4", lines=(
            pays("11:1", "Player pair", PLAYER_PAIR.exists(), clause="4.1"),
        )),
        Wager("banker-pair", "Banker Pair", clause="2.2.4", lines=(
            pays("11:1", "Banker pair", BANKER_PAIR.exists(), clause="4.1"),
        )),
    ),
    layout="""
        player-pair  tie  banker-pair
        player            banker
    """,
    currencies=("SGD",),
    rulings=(3, 13),
    chips_only=EVEN_MONEY_BANKER,
)  # fmt: skip
