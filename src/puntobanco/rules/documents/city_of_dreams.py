"""The rule document of City of Dreams Manila; it prints no clause numbers, so the names are ours."""

from puntobanco.rules.documents.document import Document
from puntobanco.rules.documents.shared_clauses import IRREGULARITIES

MANILA = Document(
    id="city-of-dreams-manila",
    publisher="City of Dreams Manila",
    title="Baccarat: Rules and Guidelines",
    version=None,
    effective=None,
    clauses={
        "How to Play 1": "The aim is to bet on the hand that will total nine or come closest to it.",
        "How to Play 2": (
            "The betting options, any of which may be chosen, are "
            "Player, Banker, Banker Pair, Player Pair, Tie and Super Six."
        ),
        "How to Play 3": (
            'When all wagers are placed and the dealer has announced "No more bets", '
            "the first two cards of each hand are dealt alternately to player and banker."
        ),
        "How to Play 4": "By the tableau each hand gets two cards at least and three at most, none optional.",
        "How to Play 5": "A winning Player wager pays 1 to 1.",
        "How to Play 6": "A winning Banker wager pays 1 to 1 less a commission of 5%.",
        "How to Play 7": "A Tie wager wins when both hands have the same total, and pays 8 to 1.",
        "How to Play 8": "Player Pair or Banker Pair wins if the first two cards of that hand are the same.",
        "How to Play 9": "A winning Pair wager pays 11 to 1.",
        "Hand Totals 1": "Tens, picture cards and multiples of 10 are worth zero.",
        "Hand Totals 2": "Cards that come to 10 or more are valued by the second digit of the sum.",
        "Hand Totals 3": "A natural is a total of 8 or 9 on the first two cards of the player or the banker.",
        "Hand Totals 4": "Examples of naturals are 7 + 2 = 9, 6 + 2 = 8, 9 + 9 = 8 and K + 9 = 9.",
        "Hand Totals 5": (
            "A natural in either hand ends the deal; "
            "otherwise any further cards required after the first two of each hand follow the table of play."
        ),
        "Example of Hands": "A player total of 7 beats a banker total of 3.",
        "No Commission 1": "In the No Commission game every Banker wager that wins on 6 pays 1 to 2.",
        "No Commission 2": "In that game a banker win on any other total pays even money, commission-free.",
        "Super 6": "Super 6 is a side wager that pays 12 to 1 when the banker wins on 6 points.",
        "Table of Play 1": (
            "The player draws a third card on 0 to 4, and by ruling 1 on 5, "
            'beside which the words "Always Stands" are printed; always stands on 6 and 7; '
            "and on 8 or 9 has a natural and takes no more cards."
        ),
        "Table of Play 2": (
            "The banker draws a third card on 0, 1 or 2; stands on 3 if the player's third card is 8, "
            "on 4 if it is 1, 8, 9 or 10, and by ruling 1 on 5 if it is 1, 2, 3, 8, 9 or 10, "
            "a row that is printed without a verb; always draws on 6 if it is 6 or 7; "
            "and takes no more cards on 7 or on a natural 8 or 9."
        ),
        "Table of Play 3": "After a natural, 8 or 9 of either hand in the initial deal, nothing is drawn.",
        "Currency 1": "Chips are sold for pesos at any gaming table and at the cashier.",
        "Currency 2": "Selected gaming tables take Hong Kong dollars too.",
        "Currency 3": "Any other currency can be changed at the cashier only.",
        "Ruling 2": "Four to ten decks are used, a number that the document leaves open.",
        "Ruling 14": (
            'A round runs from "Place your bets, please" through "No more bets", the deal and the '
            "announced result to settlement; the document itself does not print how betting opens."
        ),
        "Ruling 14: tie": (
            "In a tie Player and Banker wagers push, which this document omits and every other one states."
        ),
        **{f"Ruling 15: {number}": text for number, text in IRREGULARITIES.items()},
    },
    not_software={},
)
