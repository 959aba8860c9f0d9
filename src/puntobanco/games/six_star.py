"""6 Star No Commission Baccarat, Marina Bay Sands."""

from puntobanco.cards import FIVE_ELEMENTS
from puntobanco.games.marina_bay_sands import MARINA_BAY_SANDS
from puntobanco.rules import (
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
    Decks,
    Game,
    Wager,
    documents,
    fixed,
    pays,
    push,
)
from puntobanco.tableau import STANDARD

SIX_STARS = PLAYER_RANKS.is_("SLF") & BANKER_RANKS.is_("SLF")  # 1.1.1
ONE_ELEMENT = ONE_SUIT.exists()  # 1.1.3, 3.12
PLAYER_FLAMING_NINE = PLAYER_CARDS.is_(2) & PLAYER_TOTAL.is_(9) & PLAYER_SUIT.is_("f")  # 1.1.4
BANKER_FLAMING_NINE = BANKER_CARDS.is_(2) & BANKER_TOTAL.is_(9) & BANKER_SUIT.is_("f")  # 1.1.4
BANKER_SIX = BANKER_WINS & BANKER_TOTAL.is_(6)  # 1.1.5, 3.11

SIX_STAR = Game(
    id="six-star",
    name="6 Star No Commission Baccarat",
    document=documents.SIX_STAR,
    pack=FIVE_ELEMENTS,
    decks=Decks(4, 10),
    procedure=MARINA_BAY_SANDS,
    tableaux=(STANDARD,),
    wagers=(
        Wager("banker", "Banker", clause="2.2.1", lines=(
            pays("1:2", "Banker wins with six", BANKER_SIX, clause="4.1"),
            pays("6:5", "Banker wins with Flaming 9's", BANKER_WINS & BANKER_FLAMING_NINE, clause="4.1"),
            pays("1:1", "Banker wins otherwise", BANKER_WINS, clause="4.1"),
            push("Tie returns the Banker wager", TIE, clause="3.10.1"),
        )),
        Wager("player", "Player", clause="2.2.2", lines=(
            pays("6:5", "Player wins with Flaming 9's", PLAYER_WINS & PLAYER_FLAMING_NINE, clause="4.1"),
            pays("1:1", "Player wins otherwise", PLAYER_WINS, clause="4.1"),
            push("Tie returns the Player wager", TIE, clause="3.10.1"),
        )),
        Wager("tie", "Tie", clause="2.2.3", lines=(
            pays("8:1", "Tie", TIE, clause="4.1"),
        ), bonuses=(
            fixed(300_000, "Tie with Flaming 9's", PLAYER_FLAMING_NINE & BANKER_FLAMING_NINE, clause="4.3"),
            fixed(3_000_000, "6 Stars", SIX_STARS, clause="4.3"),
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
        Wager("element-bonus", "Element Bonus", clause="2.2.6", lines=(
            pays("50:1", "Four cards of one element", ONE_ELEMENT & CARDS.is_(4), clause="4.2"),
            pays("500:1", "Five cards of one element", ONE_ELEMENT & CARDS.is_(5), clause="4.2"),
            pays("5000:1", "Six cards of one element", ONE_ELEMENT & CARDS.is_(6), clause="4.2"),
        )),
    ),
    layout="""
        player-pair  element-bonus  banker-pair
        player       tie            banker
                     fortune-six
    """,
    currencies=("SGD",),
    rulings=(3, 4, 6, 7, 8, 9, 10),
)  # fmt: skip
