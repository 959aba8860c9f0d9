"""Baccarat with 5% commission, City of Dreams Manila; its pieces serve the game without commission too."""

from dataclasses import replace

from puntobanco.cards import STANDARD_PACK
from puntobanco.rules import (
    BANKER_PAIR,
    BANKER_TOTAL,
    BANKER_WINS,
    PLAYER_PAIR,
    PLAYER_WINS,
    TIE,
    Decks,
    Game,
    Procedure,
    Wager,
    documents,
    pays,
    push,
)
from puntobanco.tableau import STANDARD

BANKER_SIX = BANKER_WINS & BANKER_TOTAL.is_(6)
MANILA_AS_PRINTED = replace(STANDARD, name="manila-as-printed", player_draws="0-4")
"""The printed table lets the Player stand on five: a slip, by ruling 1, kept so that it can be analysed."""

MANILA = Game(
    id="manila",
    name="Baccarat, City of Dreams Manila",
    document=documents.MANILA,
    pack=STANDARD_PACK,
    decks=Decks(4, 10),
    procedure=Procedure(
        decks="Ruling 2",
        betting_opens="Ruling 14",
        betting_closes="How to Play 3",
        independent_wagers="Ruling 14",
        initial_deal="How to Play 3",
        natural="Hand Totals 5",
        player_draws="Table of Play 1",
        player_stood="Table of Play 2",
        banker_draws="Table of Play 2",
        winner="How to Play 1",
        tie="Ruling 14: tie",
        foreign_card="Ruling 15: 5.1",
        extra_or_missing_card=None,
        earlier_results_stand="Ruling 15: 5.1.2",
        wrong_number_of_cards="Ruling 15: 5.2",
        simultaneous_cards="Ruling 15: 5.3",
        order_altered="Ruling 15: 5.4",
        insufficient_cards="Ruling 15: 5.5",
        late_wager="Ruling 15: 5.6",
        late_withdrawal="Ruling 15: 5.7",
    ),
    tableaux=(STANDARD, MANILA_AS_PRINTED),
    wagers=(
        Wager("player", "Player", clause="How to Play 2", lines=(
            pays("1:1", "Player wins", PLAYER_WINS, clause="How to Play 5"),
            push("Tie returns the Player wager", TIE, clause="Ruling 14: tie"),
        )),
        Wager("banker", "Banker", clause="How to Play 2", lines=(
            pays("19:20", "Banker wins, less 5% commission", BANKER_WINS, clause="How to Play 6"),
            push("Tie returns the Banker wager", TIE, clause="Ruling 14: tie"),
        )),
        Wager("banker-pair", "Banker Pair", clause="How to Play 2", lines=(
            pays("11:1", "Banker pair", BANKER_PAIR.exists(), clause="How to Play 9"),
        )),
        Wager("player-pair", "Player Pair", clause="How to Play 2", lines=(
            pays("11:1", "Player pair", PLAYER_PAIR.exists(), clause="How to Play 9"),
        )),
        Wager("tie", "Tie", clause="How to Play 2", lines=(
            pays("8:1", "Tie", TIE, clause="How to Play 7"),
        )),
        Wager("super-six", "Super Six", clause="How to Play 2", lines=(
            pays("12:1", "Banker wins with six", BANKER_SIX, clause="Super 6"),
        )),
    ),
    layout="""
        player-pair  super-six  banker-pair
        player       tie        banker
    """,
    currencies=("PHP", "HKD"),
    rulings=(1, 2, 3, 10, 11),
)  # fmt: skip
