"""Fortune Six Baccarat Tournament, Marina Bay Sands, version 2."""

from puntobanco.cards import STANDARD_PACK
from puntobanco.games.marina_bay_sands import EVEN_MONEY_BANKER, MARINA_BAY_SANDS
from puntobanco.rules import (
    BANKER_CARDS,
    BANKER_PAIR,
    BANKER_TOTAL,
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

BANKER_SIX = BANKER_WINS & BANKER_TOTAL.is_(6)  # 1.1.1, 3.11

FORTUNE_SIX_TOURNAMENT = Game(
    id="fortune-six-tournament",
    name="Fortune Six Baccarat Tournament",
    document=documents.FORTUNE_SIX_TOURNAMENT,
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
        Wager("fortune-six", "Fortune Six", clause="2.2.5", lines=(
            pays("12:1", "Banker wins with six on two cards", BANKER_SIX & BANKER_CARDS.is_(2), clause="4.1"),
            pays("20:1", "Banker wins with six on three cards", BANKER_SIX & BANKER_CARDS.is_(3), clause="4.1"),
        )),
    ),
    layout="""
        player-pair  fortune-six  banker-pair
        player       tie          banker
    """,
    currencies=("SGD",),
    rulings=(3, 10, 13),
    chips_only=EVEN_MONEY_BANKER,
)  # fmt: skip
