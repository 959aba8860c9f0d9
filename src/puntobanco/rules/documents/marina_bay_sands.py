"""The four rule documents of Marina Bay Sands, composed of the clauses they share and those of their own."""

import puntobanco.rules.documents.shared_clauses as shared
from puntobanco.rules.documents.document import Document

PUBLISHER = "Marina Bay Sands"

BACCARAT_TOURNAMENT = Document(
    id="baccarat-tournament-2017",
    publisher=PUBLISHER,
    title="Baccarat Tournament",
    version="5",
    effective="2017-02-17",
    clauses=shared.in_sections(
        {
            **shared.DEFINITIONS_FOLLOW,
            "1.1.1": shared.HAND,
            "1.1.2": shared.INITIAL_DEAL,
            "1.1.3": shared.NATURAL,
            "1.1.4": shared.COURT_PAIR,
            "1.1.5": shared.POINT_TOTAL,
            "1.1.6": shared.ROUND_OF_PLAY,
            "1.1.7": shared.TIE,
        },
        shared.mode_of_play(52, "H", "Banker", "Player", "Tie", "Pair"),
        {
            **shared.opening_of_play(shared.COURT_CARDS, "Banker, Player, Pair and Tie"),
            **shared.PAIRS_TABLE_AND_WINNER,
        },
        {"4.1": shared.winning_wagers_pay(shared.EVEN_BANKER, shared.EVEN_PLAYER, shared.TIE_PAYS, shared.PAIR_PAYS)},
        shared.IRREGULARITIES,
    ),
    not_software=shared.NOT_SOFTWARE,
)

FORTUNE_SIX_TOURNAMENT = Document(
    id="fortune-six-tournament-2017",
    publisher=PUBLISHER,
    title="Fortune Six Baccarat Tournament",
    version="2",
    effective="2017-05-05",
    clauses=shared.in_sections(
        {
            **shared.DEFINITIONS_FOLLOW,
            "1.1.1": shared.FORTUNE_SIX,
            "1.1.2": shared.HAND,
            "1.1.3": shared.INITIAL_DEAL,
            "1.1.4": shared.NATURAL,
            "1.1.5": shared.COURT_PAIR,
            "1.1.6": shared.POINT_TOTAL,
            "1.1.7": shared.ROUND_OF_PLAY,
            "1.1.8": shared.TIE,
        },
        shared.mode_of_play(52, "D", "Banker", "Player", "Tie", "Pair", "Fortune Six"),
        {
            **shared.opening_of_play(shared.COURT_CARDS, "Banker, Player, Pair, Tie and Fortune Six"),
            **shared.PAIRS_TABLE_AND_WINNER,
            "3.11": shared.FORTUNE_SIX_WINS,
        },
        {
            "4.1": shared.winning_wagers_pay(
                shared.EVEN_BANKER,
                shared.EVEN_PLAYER,
                shared.TIE_PAYS,
                shared.PAIR_PAYS,
                shared.FORTUNE_SIX_PAYS,
            )
        },
        shared.IRREGULARITIES,
    ),
    not_software=shared.NOT_SOFTWARE,
)


def tie_bonus_wins(name: str, definition: str) -> str:
    return (
        f"If both hands of a tie have {name} ({definition}), every patron with a Tie wager "
        "wins the Tie payment of 4.1 and the Tie Bonus payment of 4.3."
    )


SIX_STAR = Document(
    id="six-star-2017",
    publisher=PUBLISHER,
    title="6 Star No Commission Baccarat",
    version=None,
    effective="2017-03-17",
    clauses=shared.in_sections(
        {
            **shared.DEFINITIONS_FOLLOW,
            "1.1.1": "6 Stars is a tie in which each of the two hands has a Sau, a Luk and a Fuk.",
            "1.1.2": shared.ELEMENT,
            "1.1.3": shared.additional_wager(
                "Element Bonus", "all 4, 5 or 6 cards of the two completed hands are of one element"
            ),
            "1.1.4": "Flaming 9's is a hand that is a natural nine of two Fire cards.",
            "1.1.5": shared.FORTUNE_SIX,
            "1.1.6": shared.HAND,
            "1.1.7": shared.INITIAL_DEAL,
            "1.1.8": shared.NATURAL,
            "1.1.9": shared.pair("two nines or two Luk"),
            "1.1.10": shared.POINT_TOTAL,
            "1.1.11": shared.ROUND_OF_PLAY,
            "1.1.12": "A star is one of the three picture cards of each of the five suits: Sau, Luk or Fuk.",
            "1.1.13": shared.TIE,
            "1.1.14": (
                "The Tie Bonus is paid to a patron with a Tie wager when the round is a tie "
                "with Flaming 9's or 6 Stars, by 3.10.1.1 and 3.10.1.2."
            ),
        },
        shared.mode_of_play(65, "J", "Banker", "Player", "Tie", "Pair", "Fortune Six", "Element Bonus"),
        {
            **shared.opening_of_play(shared.STAR_CARDS, "Banker, Player, Pair, Tie, Fortune Six and Element Bonus"),
            **shared.PAIRS_TABLE_AND_WINNER,
            "3.10.1.1": tie_bonus_wins("Flaming 9's", "1.1.4"),
            "3.10.1.2": tie_bonus_wins("6 Stars", "1.1.1"),
            "3.11": shared.FORTUNE_SIX_WINS,
            "3.12": (
                "If the two completed hands, of 4, 5 or 6 cards in all, are of one element, "
                "every Element Bonus wager wins the payment of 4.2, whatever the outcome of the game."
            ),
        },
        {
            "4.1": shared.winning_wagers_pay(
                "Banker 1 to 2 on a total of 6, 1.2 to 1 on Flaming 9's and 1 to 1 on any other hand",
                "Player 1.2 to 1 on Flaming 9's and 1 to 1 on any other hand",
                shared.TIE_PAYS,
                shared.PAIR_PAYS,
                shared.FORTUNE_SIX_PAYS,
            ),
            "4.2": (
                "A winning Element Bonus pays 50 to 1 on 4 cards of one element, 500 to 1 on 5 and 5000 to 1 on 6."
            ),
            "4.3": "The Tie Bonus pays $3,000 on a tie with Flaming 9's and $30,000 on a tie with 6 Stars.",
        },
        shared.IRREGULARITIES,
    ),
    not_software=shared.NOT_SOFTWARE,
)

FABULOUS_4 = Document(
    id="fabulous-4-2019",
    publisher=PUBLISHER,
    title="Fa Fa Fabulous 4 Baccarat",
    version="2",
    effective="2019-05-09T17:00",
    clauses=shared.in_sections(
        {
            **shared.DEFINITIONS_FOLLOW,
            "1.1.1": shared.additional_wager("Banker Fabulous 4", "the banker wins with a total of four"),
            "1.1.2": shared.ELEMENT,
            "1.1.3": shared.HAND,
            "1.1.4": shared.INITIAL_DEAL,
            "1.1.5": shared.NATURAL,
            "1.1.6": shared.additional_wager("Player Fabulous 4", "the player wins with a total of four"),
            "1.1.7": (
                "Player Precious Pair or Banker Precious Pair is a further wager that wins if "
                "the first two cards of that hand are a pair of one of the kinds 1.1.7.1 to 1.1.7.4."
            ),
            "1.1.7.1": "A pair of Gold 4's is two fours, both Gold.",
            "1.1.7.2": (
                "Other pairs of 4's are two fours that are not both Gold, "
                "suited (of one element) or unsuited (of two elements)."
            ),
            "1.1.7.3": (
                "Gold pairs are two Gold cards of the same face value other than fours; "
                "the printed example shows Queens, a rank that this pack does not have."
            ),
            "1.1.7.4": (
                "Other pairs are two cards of the same face value, suited or unsuited, that are none of the "
                "three kinds above; the printed examples are Queens and Kings, again not of this pack."
            ),
            "1.1.8": shared.POINT_TOTAL,
            "1.1.9": shared.ROUND_OF_PLAY,
            "1.1.10": shared.TIE,
            "1.1.11": (
                "Tie on Element Eights is a tie on natural eights in which each hand is two fours, of one "
                "element or several, and a bonus payment to a patron who has a Tie wager when that happens."
            ),
        },
        shared.mode_of_play(65, "E", "Player", "Banker", "Tie", "Precious Pair", "Fabulous 4"),
        {
            **shared.opening_of_play(shared.STAR_CARDS, "Player, Banker, Precious Pair, Tie and Fabulous 4"),
            "3.8": (
                f"{shared.ANNOUNCED}, third cards follow the table of play: "
                "neither hand draws after a natural 8 or 9 of either; otherwise the player draws on 0 to 5 "
                "and stands on 6 or 7; the banker draws on 0, 1 or 2, on 3 except against a third card of 8, "
                f"{shared.BANKER_FROM_FOUR}, and stands on 7; "
                "and when the player stands on 6 or 7, the banker draws on 0 to 5."
            ),
            "3.9": shared.HIGHER_TOTAL_WINS,
            "3.10": shared.EQUAL_TOTALS_TIE,
            "3.11": (
                "When the banker wins with four points, Banker Fabulous 4 wagers win, "
                "initial Player wagers lose, and initial Banker wagers neither win nor lose."
            ),
            "3.12": (
                "When the player wins with four points, Player Fabulous 4 wagers win, "
                "initial Banker wagers lose, and initial Player wagers are paid by 4.1."
            ),
            "3.13": (
                "Each Precious Pair wager wins if the first two cards of its own hand are a pair "
                "listed in 4.2 and loses otherwise; those of the player and of the banker may both win."
            ),
        },
        {
            "4.1": shared.winning_wagers_pay(
                "Banker a push on a total of 4, the wager neither winning nor losing, "
                "2 to 1 on a total of 1 and 1 to 1 on any other",
                "Player 1 to 2 on a total of 4, 2 to 1 on a total of 1 and 1 to 1 on any other",
                shared.TIE_PAYS,
                "Tie on Element Eights 800 to 1",
                "Player Fabulous 4 50 to 1",
                "Banker Fabulous 4 25 to 1",
            ),
            "4.2": (
                "A winning Precious Pair pays 30 to 1 on a pair of Gold 4's, 15 to 1 on other pairs of 4's, "
                "12 to 1 on other Gold pairs and 9 to 1 on all other pairs, once and at the highest of these."
            ),
        },
        {
            **shared.IRREGULARITIES,
            "5.1": shared.discovery("extra cards, missing cards or cards that do not belong to the decks in use"),
        },
    ),
    not_software=shared.NOT_SOFTWARE,
)
