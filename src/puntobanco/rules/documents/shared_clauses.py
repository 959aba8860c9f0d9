"""What the rule documents of Marina Bay Sands have in common, each paraphrase written once."""

from collections.abc import Mapping

# Section 1. The same definitions stand in several documents under different numbers.
HAND = "A hand is what the player or the banker has been dealt in one round of play."
INITIAL_DEAL = "The initial deal is the stage at which each hand has its first two cards and no more."
NATURAL = "A natural is a total of eight or nine that the player or the banker holds in the initial deal."
POINT_TOTAL = "The point total of a hand is what its cards are worth together."
ROUND_OF_PLAY = (
    "A round of play lasts from the commencement of play until the dealer has announced the result and, "
    "where there are any, taken the losing wagers and paid the winning ones."
)
TIE = "A tie is a round that ends with both hands on the same point total."
ELEMENT = "The element of a card is its suit: Fire, Gold, Earth, Wood or Water."


def pair(example: str) -> str:
    return f"A player pair or banker pair is a pair in the first two cards of that hand, such as {example}."


def additional_wager(name: str, condition: str) -> str:
    return f"{name} is a further wager open to a patron: it wins if {condition}, and loses in any other case."


COURT_PAIR = pair("two nines or two Queens")
FORTUNE_SIX = additional_wager("Fortune Six", "the banker wins with a total of six")


# Section 2.
def mode_of_play(cards: int, last_diagram: str, *wagers: str) -> dict[str, str]:
    return {
        "2.1": (
            f"Four to ten decks of {cards} cards each are used, without jokers; their backs are of one colour "
            "and design, which concerns printed cards only and is not software."
        ),
        "2.2": f"The layout is that of diagrams A to {last_diagram}, with the betting areas named below it.",
        **{
            f"2.2.{place}": f"There are betting areas for {wager} wagers."
            for place, wager in enumerate(wagers, start=1)
        },
    }


# Section 3.
COURT_CARDS = "A Ten, Jack, Queen or King is worth zero."
STAR_CARDS = "A Ten, Sau, Luk or Fuk is worth zero, the last three being the picture cards of each of the five suits."


def opening_of_play(zero_values: str, wagers: str) -> dict[str, str]:
    return {
        "3.1": 'Play commences with the dealer\'s call "Place your bets, please".',
        "3.2": 'Betting closes with the dealer\'s call "No more bets".',
        "3.3": "Each card has a point value, given in 3.3.1 and 3.3.2.",
        "3.3.1": "An Ace is worth one, and a card from Two to Nine its face value.",
        "3.3.2": zero_values,
        "3.4": "Each hand has a point total, found by 3.4.1 or 3.4.2.",
        "3.4.1": "Cards worth zero to nine together have that number as their total.",
        "3.4.2": "Cards worth ten or more together have only the last digit of that number as their total.",
        "3.5": f"{wagers} wagers do not depend on each other: each may be made alone or in any combination.",
        "3.6": "Two hands are dealt, one named player and the other banker.",
        "3.7": "The shoe first gives four cards, allotted by 3.7.1 and 3.7.2.",
        "3.7.1": "The first and third cards dealt are the first and second of the player hand.",
        "3.7.2": "The second and fourth cards dealt are the first and second of the banker hand.",
    }


ANNOUNCED = "Once both totals after the first four cards have been announced"
BANKER_FROM_FOUR = "on 4 against 2 to 7, on 5 against 4 to 7, on 6 against 6 or 7"
HIGHER_TOTAL_WINS = "The hand with the higher total wins the round."
EQUAL_TOTALS_TIE = (
    "Identical totals make the round a tie, in which every Tie wager wins "
    "and the initial Player and Banker wagers neither win nor lose."
)
PAIRS_TABLE_AND_WINNER = {
    "3.8": "Those four cards decide the Pair wagers.",
    "3.8.1": "A Player Pair wager wins if the first two player cards are a pair.",
    "3.8.2": "A Banker Pair wager wins if the first two banker cards are a pair.",
    "3.9": f"{ANNOUNCED}, a third card is dealt where the table of play in 3.9.1 to 3.9.4 asks for it.",
    "3.9.1": "A natural, 8 or 9 of either hand on the first four cards, stops the deal to both.",
    "3.9.2": "The player draws on 0 to 5 and stands on 6 or 7; on 8 or 9, a natural, neither hand draws.",
    "3.9.3": "If the player stands, the banker draws on 0 to 5 and stands on 6 or 7.",
    "3.9.4": (
        "By the value of the player's third card the banker draws on 0, 1 or 2 against 0 to 9, "
        f"on 3 against 0 to 9 other than 8, {BANKER_FROM_FOUR}, and stands in all other cases."
    ),
    "3.10": HIGHER_TOTAL_WINS,
    "3.10.1": EQUAL_TOTALS_TIE,
}
FORTUNE_SIX_WINS = "A Fortune Six wager wins when the banker wins with six points, on two cards or on three."


# Section 4.
def winning_wagers_pay(*lines: str) -> str:
    return f"Winning wagers pay: {'; '.join(lines)}."


EVEN_BANKER = "Banker 1 to 1"
EVEN_PLAYER = "Player 1 to 1"
TIE_PAYS = "Tie 8 to 1"
PAIR_PAYS = "Player Pair or Banker Pair 11 to 1"
FORTUNE_SIX_PAYS = "Fortune Six 12 to 1 on a two-card and 20 to 1 on a three-card banker six"


# Section 5.
def discovery(found: str) -> str:
    return f"The discovery in the course of a game of {found} has the effects of 5.1.1 and 5.1.2."


IRREGULARITIES = {
    "5.1": discovery("a foreign card"),
    "5.1.1": "The round in progress is void.",
    "5.1.2": "The results of all earlier games stand.",
    "5.2": (
        "A round in which either hand was dealt a wrong number of cards is void, provided that it is noticed "
        "before play of the next game commences and the cards cannot be reconstructed."
    ),
    "5.3": (
        "A round is void if in the initial deal two or more cards leave the shoe or device at once "
        "and their order cannot be told."
    ),
    "5.4": (
        "A round is void if the cards in the shoe have changed order beyond reconstruction, "
        "whether or not any of them was exposed."
    ),
    "5.5": "A round for which the shoe has too few cards left is void.",
    "5.6": (
        'After "No more bets" no wager may be placed or increased: '
        "a late wager, or a late increase to its extent, is refused, not honoured, or both."
    ),
    "5.7": (
        'After "No more bets" no wager may be withdrawn: '
        "one that is taken back all the same is won or lost by the result of the game."
    ),
}

SECTIONS = {
    "1": "Section 1 holds the definitions.",
    "2": "Section 2 is about cards and layout.",
    "3": "Section 3 is about the course of a round.",
    "4": "Section 4 is about payment.",
    "5": "Section 5 is about irregularities.",
}
DEFINITIONS_FOLLOW = {"1.1": "The words defined under 1.1 have that meaning throughout the rules."}
NOT_SOFTWARE = {
    **dict.fromkeys(SECTIONS, "A section title states no rule of its own."),
    "1.1": "It introduces the definitions that follow and states no rule of its own.",
    "2.2": "The diagrams are pictures of a printed felt; its betting areas have clauses of their own.",
    "3.3": "It introduces the values that follow and states no rule of its own.",
    "3.4": "It introduces the two ways to total a hand and states no rule of its own.",
}


def in_sections(*sections: Mapping[str, str]) -> dict[str, str]:
    """Put the section titles before the clauses of each section."""
    clauses: dict[str, str] = {}
    for number, section in zip(SECTIONS, sections, strict=True):
        clauses |= {number: SECTIONS[number], **section}
    return clauses
