"""What a game is made of: facts, wagers, the game itself, its document, the rulings, and the checks of all these.

The words in which a game is declared can be imported from here.
"""

from puntobanco.rules.conditions import (
    BANKER_CARDS,
    BANKER_PAIR,
    BANKER_RANKS,
    BANKER_SUIT,
    BANKER_TOTAL,
    BANKER_WINS,
    CARDS,
    ONE_SUIT,
    PLAYER_CARDS,
    PLAYER_PAIR,
    PLAYER_RANKS,
    PLAYER_SUIT,
    PLAYER_TOTAL,
    PLAYER_WINS,
    TIE,
    WINNER,
)
from puntobanco.rules.game import (
    Decks,
    Game,
    Procedure,
)
from puntobanco.rules.wagers import (
    Wager,
    fixed,
    pays,
    push,
)

__all__ = [
    "BANKER_CARDS",
    "BANKER_PAIR",
    "BANKER_RANKS",
    "BANKER_SUIT",
    "BANKER_TOTAL",
    "BANKER_WINS",
    "CARDS",
    "ONE_SUIT",
    "PLAYER_CARDS",
    "PLAYER_PAIR",
    "PLAYER_RANKS",
    "PLAYER_SUIT",
    "PLAYER_TOTAL",
    "PLAYER_WINS",
    "TIE",
    "WINNER",
    "Decks",
    "Game",
    "Procedure",
    "Wager",
    "fixed",
    "pays",
    "push",
]
