"""How a round looks in the terminal: the cards of both hands, and the settlement."""

from collections.abc import Iterable

from rich.console import Console, Group
from rich.table import Table as Grid
from rich.text import Text

from puntobanco.cards import Card, Deal, Pack
from puntobanco.cli.playing.felt import DOWN, UP, characters
from puntobanco.cli.roads import BLUE, GREEN, RED
from puntobanco.rules.facts import Winner
from puntobanco.rules.game import Game, Procedure
from puntobanco.settle import Payment, Settlement, WagerSettlement
from puntobanco.table import ResultAnnounced
from puntobanco.tableau import Hand, total

MOST_CARDS = 3
USUAL_HEIGHT = 24
HAND_STYLES = {Hand.PLAYER: BLUE, Hand.BANKER: RED}
SUIT_SIGNS = {"Clubs": "♣", "Diamonds": "♦", "Hearts": "♥", "Spades": "♠"}
SUIT_STYLES = {
    "Diamonds": "bold red",
    "Hearts": "bold red",
    "Fire": "bold red",
    "Gold": "bold yellow",
    "Earth": "bold magenta",
    "Wood": "bold green",
    "Water": "bold bright_blue",
}


def card_in_words(pack: Pack, card: Card) -> str:
    """`9 of Fire`, `King of Hearts`."""
    return f"{pack.rank_names.get(card.rank, card.rank)} of {pack.suits[card.suit]}"


def cards_of(deal: Deal, hand: Hand) -> tuple[Card, ...]:
    return deal.player if hand is Hand.PLAYER else deal.banker


def hand_in_words(pack: Pack, deal: Deal, hand: Hand) -> Text:
    """The hand that was dealt to, on a line: its cards, its total, and the new card in words."""
    cards = cards_of(deal, hand)
    return Text.assemble(
        "  ",
        (hand.label, HAND_STYLES[hand]),
        f"  {' '.join(map(str, cards)):<8}  {_total(cards)}  ",
        (card_in_words(pack, cards[-1]), "dim"),
    )


def _total(cards: Iterable[Card]) -> int:
    return total([card.points for card in cards])


def hands(pack: Pack, deal: Deal, console: Console) -> list[Text]:
    """Both hands side by side as drawn cards, three lines high; in a low terminal only the line in the middle."""
    marks = characters(console)
    edges = [marks.left[end] + marks.across * 2 + marks.right[end] for end in (DOWN, UP)]
    top, middle, bottom = Text(), Text(), Text()
    for hand, style in HAND_STYLES.items():
        cards = cards_of(deal, hand)
        name = Text.assemble("  ", (f"{hand.label} {_total(cards) if cards else ' '} ", style))
        # Room for three cards is kept, so that nothing moves when the third one comes.
        free = " " * (len(edges[0]) * (MOST_CARDS - len(cards)))
        top = top + Text(" " * name.cell_len + edges[0] * len(cards) + free)
        middle = middle + name
        for card in cards:
            middle = middle + Text.assemble(marks.down, _face(pack, card, console), marks.down)
        middle = middle + Text(free)
        bottom = bottom + Text(" " * name.cell_len + edges[1] * len(cards) + free)
    lines = [top, middle, bottom]
    for line in lines:
        line.rstrip()
    return lines if console.height >= USUAL_HEIGHT else [middle]


def _face(pack: Pack, card: Card, console: Console) -> tuple[str, str]:
    suit = pack.suits[card.suit]
    sign = card.suit if console.options.ascii_only else SUIT_SIGNS.get(suit, card.suit)
    return card.rank + sign, SUIT_STYLES.get(suit, "bold")


def call_of(announced: ResultAnnounced, deal: Deal, procedure: Procedure) -> Text:
    """The result as it is called: the totals of both hands, then the winner."""
    tie = announced.winner is Winner.TIE
    return Text.assemble(
        f"Player {announced.player_total}, Banker {announced.banker_total}: ",
        ("Tie", GREEN) if tie else (f"{announced.winner.capitalize()} wins", HAND_STYLES[Hand(announced.winner)]),
        f". [{procedure.tie if tie else procedure.winner}]  ",
        (str(deal), "dim"),
    )


def settlement(game: Game, settled: Settlement, *, brief: bool = False) -> Group:
    """What became of each wager, with the line and the clause: first what is collected, then what is paid.

    The brief one, for a low terminal, has all wagers that are collected in one sentence.
    """
    ordered = sorted(settled.wagers.items(), key=lambda item: item[1].net)
    lost = [item for item in ordered if brief and not item[1].pays]
    sentence = ", ".join(f"{game.paytables[wager].name} {outcome.stake:,}" for wager, outcome in lost)
    collected = [Text(f"  Lost: {sentence}.", style="dim")] if lost else []
    return Group(*collected, _settlement_lines(game, ordered[len(lost) :]))


def _settlement_lines(game: Game, outcomes: Iterable[tuple[str, WagerSettlement]]) -> Grid:
    grid = Grid.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column(justify="right", no_wrap=True)
    grid.add_column(min_width=8)
    grid.add_column()
    for wager, outcome in outcomes:
        result, why = _outcome(outcome)
        grid.add_row(f"  {game.paytables[wager].name}", f"{outcome.stake:,}", result, why)
    return grid


def _outcome(outcome: WagerSettlement) -> tuple[Text, str]:
    if not outcome.pays:
        return Text("lost", style="dim"), ""
    if not outcome.net:
        return Text("push"), _cited(outcome.pays[0])
    if len(outcome.pays) == 1:
        return Text(f"wins {outcome.net:,}", style="bold"), _cited(outcome.pays[0])
    parts = "; ".join(f"{payment.amount:,} {_cited(payment)}" for payment in outcome.pays)
    return Text(f"wins {outcome.net:,}", style="bold"), parts


def _cited(payment: Payment) -> str:
    return f"{payment.line} [{payment.clause}]"
