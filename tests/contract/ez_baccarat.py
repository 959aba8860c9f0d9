"""EZ Baccarat, declared outside the package by following CONTRIBUTING.md: the seventh game of the tests.

The rules are those of the published analysis at wizardofodds.com/games/ez-baccarat/ (with the baccarat it builds on,
wizardofodds.com/games/baccarat/), whose figures are in tests/vectors/figures.json. The page has no clause numbers,
so the names are ours; steps of a round that it does not describe rest on rulings.
"""

from puntobanco.cards import STANDARD_PACK
from puntobanco.rules import (
    BANKER_CARDS,
    BANKER_TOTAL,
    BANKER_WINS,
    PLAYER_CARDS,
    PLAYER_TOTAL,
    PLAYER_WINS,
    TIE,
    Decks,
    Game,
    Procedure,
    Wager,
    pays,
    push,
)
from puntobanco.rules.documents import Document
from puntobanco.tableau import STANDARD

ANALYSIS = Document(
    id="ez-baccarat-2015",
    publisher="Wizard of Odds",
    title="EZ Baccarat",
    version=None,
    effective=None,
    clauses={
        "Introduction": "The page tells where the game was first seen.",
        "Baccarat 1": "Six to eight decks of 52 cards are used, without jokers.",
        "Baccarat 2": "Player and banker get two cards each, dealt in turn, the player first.",
        "Baccarat 3": "A total of 8 or 9 on the first two cards of either hand ends the deal.",
        "Baccarat 4": "The player draws on 0 to 5 and stands on 6 and 7.",
        "Baccarat 5": "If the player stands, the banker draws on 0 to 5.",
        "Baccarat 6": (
            "If the player draws, the banker draws on 0 to 2, on 3 unless the third card was an 8, "
            "on 4 against 2 to 7, on 5 against 4 to 7 and on 6 against 6 or 7."
        ),
        "Baccarat 7": "The hand with the higher total wins, and a Player wager on it pays even money.",
        "Baccarat 8": "On equal totals Player and Banker wagers push and a Tie wager pays 8 to 1.",
        "Banker 1": "A winning Banker wager pays even money.",
        "Banker 2": "If the banker wins with a total of seven on three cards, Banker wagers push.",
        "Dragon 7": "The Dragon 7 wager pays 40 to 1 if the banker wins with seven on three cards.",
        "Panda 8": "The Panda 8 wager pays 25 to 1 if the player wins with eight on three cards.",
    },
    not_software={"Introduction": "It states no rule."},
)

DRAGON = BANKER_WINS & BANKER_TOTAL.is_(7) & BANKER_CARDS.is_(3)
PANDA = PLAYER_WINS & PLAYER_TOTAL.is_(8) & PLAYER_CARDS.is_(3)

EZ_BACCARAT = Game(
    id="ez-baccarat",
    name="EZ Baccarat",
    document=ANALYSIS,
    pack=STANDARD_PACK,
    decks=Decks(6, 8),
    procedure=Procedure(
        decks="Baccarat 1",
        betting_opens="Ruling 14",
        betting_closes="Ruling 14",
        independent_wagers="Ruling 14",
        initial_deal="Baccarat 2",
        natural="Baccarat 3",
        player_draws="Baccarat 4",
        player_stood="Baccarat 5",
        banker_draws="Baccarat 6",
        winner="Baccarat 7",
        tie="Baccarat 8",
        foreign_card="Ruling 15: 5.1",
        extra_or_missing_card=None,
        earlier_results_stand="Ruling 15: 5.1.2",
        wrong_number_of_cards="Ruling 15: 5.2",
        simultaneous_cards="Ruling 15: 5.3",
        order_altered="Ruling 15: 5.4",
        insufficient_cards="Ruling 15: 5.5",
        late_wager="Ruling 16: 5.6",
        late_withdrawal="Ruling 16: 5.7",
    ),
    tableaux=(STANDARD,),
    wagers=(
        Wager("player", "Player", clause="Baccarat 7", lines=(
            pays("1:1", "Player wins", PLAYER_WINS, clause="Baccarat 7"),
            push("Tie returns the Player wager", TIE, clause="Baccarat 8"),
        )),
        Wager("banker", "Banker", clause="Banker 1", lines=(
            push("Banker wins with seven on three cards", DRAGON, clause="Banker 2"),
            pays("1:1", "Banker wins otherwise", BANKER_WINS, clause="Banker 1"),
            push("Tie returns the Banker wager", TIE, clause="Baccarat 8"),
        )),
        Wager("tie", "Tie", clause="Baccarat 8", lines=(
            pays("8:1", "Tie", TIE, clause="Baccarat 8"),
        )),
        Wager("dragon-7", "Dragon 7", clause="Dragon 7", lines=(
            pays("40:1", "Banker wins with seven on three cards", DRAGON, clause="Dragon 7"),
        )),
        Wager("panda-8", "Panda 8", clause="Panda 8", lines=(
            pays("25:1", "Player wins with eight on three cards", PANDA, clause="Panda 8"),
        )),
    ),
    layout="""
        panda-8  tie  dragon-7
        player        banker
    """,
    currencies=("USD",),
)  # fmt: skip
