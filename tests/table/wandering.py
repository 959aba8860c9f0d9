"""Any command at any time, sense and nonsense, as the books suggest and a chooser picks."""

from collections.abc import Sequence
from typing import Protocol, TypeVar

from puntobanco import FIVE_ELEMENTS, STANDARD_PACK, Card, Deal, Shoe
from puntobanco.table import (
    AnnounceResult,
    BurnCards,
    CloseBetting,
    Command,
    CorrectRound,
    DealCard,
    EndShoe,
    IncreaseWager,
    Irregularity,
    OpenBetting,
    OpenShoe,
    Phase,
    PlaceWager,
    ReduceWager,
    SettleRound,
    VoidRound,
    WithdrawWager,
)
from puntobanco.tableau import Hand
from table.books import Books
from table.watched import due_to

Choice = TypeVar("Choice")

OTHER_PACK = {STANDARD_PACK.id: FIVE_ELEMENTS, FIVE_ELEMENTS.id: STANDARD_PACK}
PATRONS = ("anna", "bob", "carl")
STAKES = (20, 30, 50, 100, 200)
ODD_PATRONS = ("", " ", "anna\n", "\x1b[31m", "x" * 65, "\u202eanna")
ODD_STAKES = (-20, 0, 1, 10, 25, 105, 205, 210, 10**12 + 1)


class Choose(Protocol):
    """Picks one of several; the first is the simplest."""

    def __call__(self, options: Sequence[Choice], /) -> Choice: ...


class Wanderer:
    """Thinks of the next command for a table, from its books."""

    def __init__(self, books: Books, choose: Choose) -> None:
        self.books = books
        self.choose = choose
        self.pack = books.settings.game.pack
        self.spots = list(books.settings.game.paytables)

    def next_command(self) -> Command:
        betting, ready = self.books.phase is Phase.BETTING, self.books.phase is Phase.READY
        kinds = [self.next_step] * (6 if betting else 20) + [self.wager] * (8 if betting else 1)
        # A settled round can be changed only until the next one begins, so that is tried more often.
        kinds += [self.nonsense] * 2 + [self.correction] * (8 if ready else 2) + [self.void] * (6 if ready else 1)
        return self.choose(kinds)()

    def next_step(self) -> Command:
        """What the house does next at a table without incidents: there is always something."""
        books = self.books
        match books.phase:
            case Phase.CLOSED:
                return OpenShoe(books.settings.full_shoe)
            case Phase.BURN_DUE:
                first = self.unseen_card()
                return BurnCards((first,), first.points or 10)
            case Phase.READY:
                finished = books.rounds_left == 0 or books.in_shoe < 6
                return OpenShoe(books.settings.full_shoe) if finished else OpenBetting()
            case Phase.BETTING:
                return CloseBetting()
            case Phase.DEALING:
                due = books.due()
                assert due is not None
                if books.in_shoe == 0:
                    return VoidRound(Irregularity.INSUFFICIENT_CARDS)
                return DealCard(due, self.unseen_card())
            case Phase.COMPLETE:
                return AnnounceResult()
            case Phase.ANNOUNCED:
                return SettleRound()

    def unseen_card(self) -> Card:
        return self.pack.card(self.choose([card for card in map(str, self.pack.cards) if self.books.unseen[card]]))

    def any_card(self) -> Card:
        return self.choose([*self.pack.cards, *OTHER_PACK[self.pack.id].cards[::4]])

    def wager(self) -> Command:
        patron, spot, stake = self.choose(PATRONS), self.choose(self.spots), self.choose(STAKES)
        staked = self.books.felt.get(patron, {}).get(spot, 0)
        if not staked:
            return PlaceWager(patron, spot, stake)
        changes: tuple[Command, ...] = (
            IncreaseWager(patron, spot, stake),
            ReduceWager(patron, spot, stake),
            WithdrawWager(patron, spot),
        )
        return self.choose(changes)

    def void(self) -> Command:
        return VoidRound(self.choose(tuple(Irregularity)))

    def correction(self) -> Command:
        """The cards of the round with one changed, cut off or added, and some cards set aside."""
        books = self.books
        hands = {hand: [self.pack.card(card) for card in cards] for hand, cards in zip(Hand, books.deal, strict=True)}
        cards = hands[self.choose(tuple(Hand))]
        place = self.choose(range(len(cards) + 1))
        change = self.choose(("none", "other card", "any card", "cut off"))
        if change == "cut off":
            del cards[place:]
        elif change != "none" and books.unseen.total():
            cards[place : place + 1] = [self.unseen_card() if change == "other card" else self.any_card()]
        if change != "any card" and books.unseen.total() and self.choose((True, False)):
            hands = self.completed(hands)
        drawn = self.choose((0, 0, 0, 1, 2, 5)) if books.unseen.total() else 0
        aside = tuple(self.unseen_card() for _ in range(drawn))
        return CorrectRound(Deal(tuple(hands[Hand.PLAYER]), tuple(hands[Hand.BANKER])), aside)

    def completed(self, hands: dict[Hand, list[Card]]) -> dict[Hand, list[Card]]:
        """A whole deal from the cards of these hands, as far as they are due, and from unseen ones."""
        whole: dict[Hand, list[Card]] = {Hand.PLAYER: [], Hand.BANKER: []}
        while due := due_to(whole[Hand.PLAYER], whole[Hand.BANKER], self.books.printed_manila):
            place = len(whole[due])
            whole[due].append(hands[due][place] if place < len(hands[due]) else self.unseen_card())
        return whole

    def nonsense(self) -> Command:
        return self.choose(
            (self.odd_wager, self.odd_wager, self.odd_deal, self.odd_burn, self.odd_shoe, self.odd_step)
        )()

    def odd_wager(self) -> Command:
        patron = self.choose((*PATRONS, *ODD_PATRONS))
        spot = self.choose((*self.spots, "", "Player", "element-bonus", "super-six"))
        amount = self.choose((*STAKES, *ODD_STAKES))
        currency = self.choose((None, "PHP", "SGD", ""))
        commands: tuple[Command, ...] = (
            PlaceWager(patron, spot, amount, currency),
            IncreaseWager(patron, spot, amount),
            ReduceWager(patron, spot, amount),
            WithdrawWager(patron, spot),
        )
        return self.choose(commands)

    def odd_deal(self) -> Command:
        return DealCard(self.choose(tuple(Hand)), self.any_card())

    def odd_burn(self) -> Command:
        shown = tuple(self.any_card() for _ in range(self.choose((1, 0, 2, 3))))
        return BurnCards(shown, self.choose(range(-1, 11)))

    def odd_shoe(self) -> Command:
        pack = self.choose((self.pack, OTHER_PACK[self.pack.id]))
        return OpenShoe(Shoe.full(pack, self.choose((1, 2))))

    def odd_step(self) -> Command:
        steps: tuple[Command, ...] = (OpenBetting(), CloseBetting(), AnnounceResult(), SettleRound(), EndShoe())
        return self.choose(steps)
