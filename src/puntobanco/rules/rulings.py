"""How the house reads the rule documents where they are silent, garbled or open to two readings."""

import re
from dataclasses import dataclass

from puntobanco.errors import DeclarationError


@dataclass(frozen=True)
class Switch:
    """A house rule that a table may set; the first option is the default."""

    name: str
    options: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(set(self.options)) < 2 or len(set(self.options)) < len(self.options):
            raise DeclarationError(f"switch {self.name} needs two or more different options, not {self.options}")

    @property
    def default(self) -> str:
        return self.options[0]


@dataclass(frozen=True)
class Ruling:
    """One decision of the house, with its reason and, where a table may decide otherwise, its switch."""

    number: int
    title: str
    text: str
    reason: str
    switch: Switch | None = None
    concerns_every_game: bool = False
    """Otherwise it concerns the games that name it among their rulings."""


RULINGS = (
    # Cards and draw.
    Ruling(
        1,
        "The Manila tableau",
        'The player draws on 0 to 5 and stands on 6 and 7, although the table as extracted has "Always '
        "Stands\" beside 5. In the banker's row for 5 the values 1, 2, 3, 8, 9 and 10 are those on which "
        "the banker stands, 10 meaning any card worth zero. When the player stands, the banker draws on 0 "
        "to 5.",
        "The words beside 5 are a slip of merged cells: the player draws on 5 in the four other documents "
        "and in every published Philippine table. If 5 stood, the banker edge with 8 decks would be "
        "0.786862% and not the published 1.057906%. The switch leaves the printed reading open to "
        "analysis.",
        Switch("tableau", ("standard", "manila-as-printed")),
    ),
    Ruling(
        2,
        "Decks in Manila",
        "A Manila shoe has 4 to 10 decks, 8 by default.",
        "The document gives no number; the four others all allow 4 to 10.",
    ),
    Ruling(
        3,
        "What a pair is",
        "A pair is two cards of the same rank, whatever their suits. Ten, Jack, Queen and King are four "
        "ranks, and so are Ten, Sau, Luk and Fuk.",
        "The documents give examples, two nines, two Queens or two Luk; Fa Fa Fabulous 4 speaks of the "
        "same face value, suited or unsuited; and Manila says only that the cards are the same.",
    ),
    Ruling(
        4,
        "The 65-card pack",
        "The pack has five elements of thirteen ranks, A 2 3 4 5 6 7 8 9 T S L F, and one card of each.",
        "The documents state 65 cards, five elements and the picture cards Sau, Luk and Fuk but print no "
        "list; five times thirteen is the pack that fits.",
    ),
    # Payment.
    Ruling(
        5,
        "Tie on Element Eights",
        "In Fa Fa Fabulous 4 the 800 to 1 is paid on top of the Tie's 8 to 1, which makes 808.",
        "1.1.11 calls it a bonus payment to a patron who has a Tie wager, 3.10 lets all Tie wagers win, "
        "and the only clause that limits payment to once is about Precious Pairs.",
        Switch("element_eights", ("on-top", "instead")),
    ),
    Ruling(
        6,
        "Tie Bonus",
        "In 6 Star the $3,000 and $30,000 are fixed sums of money whatever the stake, paid once per patron "
        "per round on top of 8 to 1. They are settings of the table in its own currency. A table of this "
        "game needs a minimum Tie stake, and says so if the one set is too low.",
        "1.1.14, 3.10.1.1 and 3.10.1.2 add the bonus to the Tie payment, and 4.3 prints dollars and no "
        "ratio. With 8 decks the bonus is worth $0.2547 a round, so that a Tie stake under $1.78 would "
        "favour the patron.",
    ),
    Ruling(
        7,
        "6 Stars",
        "Each hand is exactly three cards: a Sau, a Luk and a Fuk, in any order and of any elements.",
        "1.1.1 names three cards for a hand that can hold no more than three, and neither order nor element.",
    ),
    Ruling(
        8,
        "Flaming 9's",
        "Flaming 9's is a nine of two cards, both Fire. It raises a winning Player or Banker wager to 1.2 "
        "to 1; when both hands have it, the round is a tie and pays the Tie Bonus.",
        "1.1.4 asks for a natural nine, 4.1 lists only winning wagers, and 3.10.1.1 provides for both hands.",
    ),
    Ruling(
        9,
        "Element Bonus",
        "Every card of both completed hands counts, and the wager is paid whatever the outcome of the round.",
        "1.1.3 and 3.12 speak of the completed hands of 4, 5 or 6 cards, and 3.12 disregards the outcome.",
    ),
    Ruling(
        10,
        "Super Six and Fortune Six",
        "Super Six, in both Manila games, pays 12 to 1 on a winning banker six of two or three cards. "
        "Fortune Six, which pays 12 to 1 on two cards and 20 to 1 on three, is a different wager.",
        "Manila lists Super Six among its betting options and prints one payment, without regard to the "
        "number of cards or to commission.",
    ),
    Ruling(
        11,
        "Commission",
        "The commission is 5% of the winnings, taken when the wager is paid: a Banker win of 100 pays 95.",
        "The document says 1 to 1 less 5%, and neither of what nor when.",
    ),
    Ruling(
        12,
        "Rounding",
        "Money is a whole number of the smallest unit, and a payment that is not whole is rounded down. By "
        "default the stake step of a table is such that no payment of its game is ever fractional: 20 "
        "units covers 19:20, 6:5 and 1:2.",
        "No document mentions fractions. Rounding up would let a Banker wager of one unit escape the commission.",
        Switch("rounding", ("down", "up")),
        concerns_every_game=True,
    ),
    Ruling(
        13,
        "Even-money Banker",
        "A table that plays either tournament game for a cash account is refused with this reason, unless "
        "the house overrides it by name.",
        "Banker at even money favours the bettor by about 1.24%, which is right for chips without value only.",
    ),
    # The round.
    Ruling(
        14,
        "The order of a round",
        'Betting opens ("Place your bets, please") and closes ("No more bets"); the initial deal goes '
        "player, banker, player, banker; third cards follow; the result is announced; in settlement the "
        "losing wagers are collected and then the winning ones paid. Nothing is accepted out of order. Any "
        "combination of wagers may be made, a side wager without a main one and Player together with "
        "Banker included. Player and Banker wagers push on a tie, in Manila too, where it is not printed.",
        "The definition of a round of play in 1.1 names collection before payment, and 3.5 makes the "
        "wagers independent. Manila prints neither the opening of betting nor the push; every other "
        "document does.",
        concerns_every_game=True,
    ),
    Ruling(
        15,
        "Irregularities, 5.1 to 5.5",
        "A void returns every wager of the current round; earlier results stand; the round stays in the "
        'record with its reason and clause, and never on the roads. 5.2 applies only until the next "Place '
        'your bets, please", in the same shoe or the next, and only where the cards cannot be '
        "reconstructed; where they can, the round is corrected and stands. 5.3 concerns the cards of the "
        "initial deal, and may be noticed at any time before the round is settled. By 5.5 no round is begun "
        "with fewer than six cards in the shoe, and one that runs out of cards all the same is void: from a "
        "physical shoe, which may be short, on the dealer's word, from a virtual one by its count. In Fa Fa "
        "Fabulous 4, 5.1 covers extra and missing cards too. Where a document prints no irregularity rules, "
        "as in Manila, the rules of Marina Bay Sands apply, marked as this ruling.",
        "The clauses say when a round is void and not what becomes of its wagers and its record. A new shoe "
        "does not begin a round, only the call for bets does; cards that left the shoe together may be "
        "told only by what was dealt after them; a round can need six cards, and nobody can count those in "
        "a physical shoe; and Manila prints no irregularity rules.",
        concerns_every_game=True,
    ),
    Ruling(
        16,
        "After the close, 5.6 and 5.7",
        "A wager placed after the close is refused. An increase after the close is refused to its extent, "
        "and the earlier wager stands. A withdrawal after the close is refused, and the wager is won or "
        "lost on the result.",
        "5.6 leaves open whether a late wager is refused or only not honoured, and 5.7 whether a "
        "withdrawal is carried out; a refusal on the spot leaves no doubt about the wagers in play.",
        concerns_every_game=True,
    ),
    Ruling(
        17,
        "Burn and cut",
        "By default the first card is shown and as many cards as its face value are burned, ten for a ten "
        "or a picture; the cut card lies 14 from the end; when it appears, the round in progress is "
        "completed and one more is played. A void round counts as played. These are settings of the table, "
        "and in a virtual shoe burning can be off.",
        "None of the documents mentions burning or cutting; and the cards of a void round are gone from the "
        "shoe like those of any other.",
        concerns_every_game=True,
    ),
    Ruling(
        18,
        "Effective dates",
        "A game carries the name, version and effective date of its document and a digest of its rules; a "
        "stored round is always settled and replayed under the digest it was opened with.",
        "Documents come in versions with dates, and a later version must not change what an earlier round paid.",
        concerns_every_game=True,
    ),
    Ruling(
        19,
        "Currency",
        "Every table has one currency of those that its game is played in, every account a balance per "
        "currency, and a stake in any currency but the table's is refused. The games of Marina Bay Sands "
        "are played in dollars. In Manila chips are bought at the table or the cashier in pesos; a table "
        "may be set to take Hong Kong dollars too; any other currency is changed at the cashier only, at "
        "its posted rate. All of it is play money.",
        "Manila says where each currency is taken, not at which rate nor what a stake is counted in; of "
        "the others only 6 Star prints sums of money, in dollars.",
        concerns_every_game=True,
    ),
    # What the table adds to the documents.
    Ruling(
        20,
        "Technical fault",
        "A round that a fault of the equipment spoils (a card reader, a display, the server) is void under "
        "this ruling and by that name: every wager is returned, every patron is told, and the void needs "
        "the same two people as any other. A table may be paused at any time with a reason; a pause changes "
        "no wager.",
        "An electronic table can fail in ways that no document names, and a void must not borrow the clause "
        "of something that did not happen. Regulation 15 of Singapore's Conduct of Gaming Regulations asks "
        "the same: the wagers are returned and the patrons are told.",
        concerns_every_game=True,
    ),
    Ruling(
        21,
        "Winnings taken back",
        "When a void or a correction after settlement takes back more than the patron still has, the "
        "balance goes to zero and the rest is owed, in an account of its own that the patron sees. Whatever "
        "comes to the patron later settles it first, a stake that comes back like one that wins and money "
        "that is bought in, so that nobody has a balance and owes at once; and while anything is owed no new "
        "wager is taken.",
        "5.2 lets a settled round be undone, and the winnings may have been staked and lost since. A balance "
        "is never negative, for nobody plays on credit, and what is owed must not be hidden in it.",
        concerns_every_game=True,
    ),
    Ruling(
        22,
        "Results stand",
        "Once the next round has begun no round is changed. If a payment was wrong all the same, a "
        "supervisor and another member of staff may adjust a patron's account, with the address of the "
        "round and a reason; the round itself stays as it is.",
        "5.2 ends with the call for the next bets, and wagers have been made since in view of the results "
        "as they stood; a mistake in money can be made good without writing the record anew.",
        concerns_every_game=True,
    ),
)


ROUNDING_RULING = next(each for each in RULINGS if each.switch is not None and each.switch.name == "rounding")
"""By which a payment that is not whole is rounded."""


def ruling(number: int) -> Ruling:
    """The ruling with that number."""
    for candidate in RULINGS:
        if candidate.number == number:
            return candidate
    raise ValueError(f"there is no ruling {number}; they are numbered 1 to {len(RULINGS)}")


def ruling_cited(clause: str) -> Ruling | None:
    """The ruling that a clause such as `Ruling 20` or `Ruling 15: 5.1` cites; none if it cites a document.

    >>> ruling_cited("Ruling 20").title
    'Technical fault'
    """
    # Most clauses are a document's, and every declaration asks this of all of its own.
    match = re.fullmatch(r"Ruling ([1-9][0-9]*)(: .+)?", clause) if clause.startswith("Ruling") else None
    return next((each for each in RULINGS if each.number == int(match[1])), None) if match else None
