"""Fa Fa Fabulous 4 Baccarat, Marina Bay Sands, version 2."""

from dataclasses import replace

from puntobanco.cards import FIVE_ELEMENTS
from puntobanco.games.marina_bay_sands import MARINA_BAY_SANDS
from puntobanco.rules import (
    BANKER_PAIR,
    BANKER_SUIT,
    BANKER_TOTAL,
    BANKER_WINS,
    PLAYER_PAIR,
    PLAYER_SUIT,
    PLAYER_TOTAL,
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

ELEMENT_EIGHTS = PLAYER_PAIR.is_("4") & BANKER_PAIR.is_("4")  # 1.1.11: two fours are a natural eight.
PLAYER_GOLD, BANKER_GOLD = PLAYER_SUIT.is_("g"), BANKER_SUIT.is_("g")

FABULOUS_4 = Game(
    id="fabulous-4",
    name="Fa Fa Fabulous 4 Baccarat",
    document=documents.FABULOUS_4,
    pack=FIVE_ELEMENTS,
    decks=Decks(4, 10),
    procedure=replace(
        MARINA_BAY_SANDS,
        natural="3.8", player_draws="3.8", player_stood="3.8", banker_draws="3.8", winner="3.9", tie="3.10",
        extra_or_missing_card="5.1",
    ),
    tableaux=(STANDARD,),
    wagers=(
        Wager("player", "Player", clause="2.2.1", lines=(
            pays("1:2", "Player wins with four", PLAYER_WINS & PLAYER_TOTAL.is_(4), clause="4.1"),
            pays("2:1", "Player wins with one", PLAYER_WINS & PLAYER_TOTAL.is_(1), clause="4.1"),
            pays("1:1", "Player wins otherwise", PLAYER_WINS, clause="4.1"),
            push("Tie returns the Player wager", TIE, clause="3.10"),
        )),
        Wager("banker", "Banker", clause="2.2.2", lines=(
            push("Banker wins with four", BANKER_WINS & BANKER_TOTAL.is_(4), clause="4.1"),
            pays("2:1", "Banker wins with one", BANKER_WINS & BANKER_TOTAL.is_(1), clause="4.1"),
            pays("1:1", "Banker wins otherwise", BANKER_WINS, clause="4.1"),
            push("Tie returns the Banker wager", TIE, clause="3.10"),
        )),
        Wager("tie", "Tie", clause="2.2.3", lines=(
            pays("800:1", "Tie on Element Eights", ELEMENT_EIGHTS, clause="4.1", reading=("element_eights", "instead")),
            pays("8:1", "Tie", TIE, clause="4.1"),
        ), bonuses=(
            pays("800:1", "Tie on Element Eights", ELEMENT_EIGHTS, clause="4.1", reading=("element_eights", "on-top")),
        )),
        Wager("player-precious-pair", "Player Precious Pair", clause="2.2.4", lines=(
            pays("30:1", "Pair of Gold 4's", PLAYER_PAIR.is_("4") & PLAYER_GOLD, clause="4.2"),
            pays("15:1", "Other pair of 4's", PLAYER_PAIR.is_("4"), clause="4.2"),
            pays("12:1", "Other Gold pair", PLAYER_PAIR.exists() & PLAYER_GOLD, clause="4.2"),
            pays("9:1", "Other pair", PLAYER_PAIR.exists(), clause="4.2"),
        )),
        Wager("banker-precious-pair", "Banker Precious Pair", clause="2.2.4", lines=(
            pays("30:1", "Pair of Gold 4's", BANKER_PAIR.is_("4") & BANKER_GOLD, clause="4.2"),
            pays("15:1", "Other pair of 4's", BANKER_PAIR.is_("4"), clause="4.2"),
            pays("12:1", "Other Gold pair", BANKER_PAIR.exists() & BANKER_GOLD, clause="4.2"),
            pays("9:1", "Other pair", BANKER_PAIR.exists(), clause="4.2"),
        )),
        Wager("player-fabulous-4", "Player Fabulous 4", clause="2.2.5", lines=(
            pays("50:1", "Player wins with four", PLAYER_WINS & PLAYER_TOTAL.is_(4), clause="4.1"),
        )),
        Wager("banker-fabulous-4", "Banker Fabulous 4", clause="2.2.5", lines=(
            pays("25:1", "Banker wins with four", BANKER_WINS & BANKER_TOTAL.is_(4), clause="4.1"),
        )),
    ),
    layout="""
        player-precious-pair  tie  banker-precious-pair
        player-fabulous-4          banker-fabulous-4
        player                     banker
    """,
    currencies=("SGD",),
    rulings=(3, 4, 5),
)  # fmt: skip
