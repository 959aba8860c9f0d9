"""Any command at any time, sense and nonsense, as the books suggest and a chooser picks."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol, TypeVar

from puntobanco import FIVE_ELEMENTS, STANDARD_PACK, Card, Deal, Shoe
from puntobanco.table import (
    AnnounceResult,
    BurnCards,
    ChangeSettings,
    CloseBetting,
    Command,
    CorrectCount,
    CorrectRound,
    DealCard,
    EndShoe,
    IncreaseWager,
    Irregularity,
    Limits,
    OpenBetting,
    OpenShoe,
    OpenTable,
    PauseTable,
    Phase,
    PlaceWager,
    ReduceWager,
    ResumeTable,
    RoundLimits,
    SetCardsAside,
    SettleRound,
    TakeBackCard,
    VoidRound,
    WithdrawAnnouncement,
    WithdrawWager,
)
from puntobanco.tableau import Hand
from table.books import Books
from table.here import HERE, of_round
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
        kinds += [self.incident] * 3
        command = self.choose(kinds)()
        if hasattr(command, "round_number") and self.choose((False,) * 29 + (True,)):
            # One that is meant for another round: late, early, or of no sense at all.
            other = self.choose((-1, 1, -2, 10))
            return of_round(command, self.books.round_number + other)
        return command

    def next_step(self) -> Command:
        """What the house does next at a table without incidents: there is always something."""
        books = self.books
        if books.paused:
            return ResumeTable()
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
                return CloseBetting(HERE)
            case Phase.DEALING:
                due = books.due()
                assert due is not None
                if books.in_shoe == 0:
                    return VoidRound(HERE, Irregularity.INSUFFICIENT_CARDS)
                return DealCard(HERE, due, self.unseen_card())
            case Phase.COMPLETE:
                return AnnounceResult(HERE)
            case Phase.ANNOUNCED:
                return SettleRound(HERE)

    def unseen_card(self) -> Card:
        return self.pack.card(self.choose([card for card in map(str, self.pack.cards) if self.books.unseen[card]]))

    def any_card(self) -> Card:
        return self.choose([*self.pack.cards, *OTHER_PACK[self.pack.id].cards[::4]])

    def wager(self) -> Command:
        patron, spot, stake = self.choose(PATRONS), self.choose(self.spots), self.choose(STAKES)
        staked = self.books.felt.get(patron, {}).get(spot, 0)
        if not staked:
            return PlaceWager(HERE, patron, spot, stake)
        changes: tuple[Command, ...] = (
            IncreaseWager(HERE, patron, spot, stake),
            ReduceWager(HERE, patron, spot, stake),
            WithdrawWager(HERE, patron, spot),
        )
        return self.choose(changes)

    def void(self) -> Command:
        return VoidRound(HERE, self.choose(tuple(Irregularity)))

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
        up = tuple(self.set_aside() for _ in range(self.choose((0, 0, 0, 1, 2)))) if self.aside() else ()
        return CorrectRound(HERE, Deal(tuple(hands[Hand.PLAYER]), tuple(hands[Hand.BANKER])), aside, up)

    def aside(self) -> list[str]:
        shoe = self.books.shoe if self.books.in_round else self.books.last_shoe or self.books.shoe
        return shoe.aside if shoe else []

    def set_aside(self) -> Card:
        return self.pack.card(self.choose(self.aside()))

    def incident(self) -> Command:
        """What happens at live tables beside the deal, in and out of season."""
        if self.books.phase is Phase.ANNOUNCED and self.choose((True, False)):
            return WithdrawAnnouncement(HERE)
        if not self.books.in_round and self.choose((False, False, True)):
            return self.change()
        return self.choose(
            (self.take_back, self.take_back, self.lay_aside, self.recount, self.recount, self.odd_step)
        )()

    def take_back(self) -> Command:
        return TakeBackCard(HERE)

    def lay_aside(self) -> Command:
        some = self.choose((1, 1, 2, 0, 3))
        return SetCardsAside(
            tuple(self.unseen_card() if self.books.unseen.total() else self.any_card() for _ in range(some))
        )

    def recount(self) -> Command:
        """A card of an earlier round, of the burn or set aside was another one, or none at all."""
        shoe = self.books.shoe
        drawn: Card | None = None if self.choose((False, False, True)) else self.any_card()
        if drawn and self.books.unseen.total() and self.choose((True, True, False)):
            drawn = self.unseen_card()
        outside: list[str] = [] if shoe is None else shoe.aside + shoe.burned
        if shoe is None or not shoe.rounds or (bool(outside) and self.choose((True, False))):
            keyed = self.pack.card(self.choose(outside)) if outside else self.any_card()
            return CorrectCount(None, keyed, drawn, self.choose((None, None, 0, 3, 10, -1, 60)))
        of = self.choose(shoe.rounds)
        is_keyed = bool(of.out) and self.choose((True, True, False))
        keyed = self.pack.card(self.choose(of.out)) if is_keyed else self.any_card()
        return CorrectCount(of.number, keyed, drawn)

    def change(self) -> Command:
        settings = self.books.settings
        limits = dict.fromkeys(self.spots, Limits(20, self.choose((200, 300)), 10))
        of_round = RoundLimits(self.choose((None, 300)), self.choose((None, 500)))
        changes = (
            replace(settings, limits=limits),
            replace(settings, round_limits=of_round),
            replace(settings, burn_and_cut=replace(settings.burn_and_cut, cut_depth=self.choose((3, 14)))),
            settings,
        )
        if self.choose((True, False, False)):
            return OpenTable(settings)
        return ChangeSettings(self.choose(changes))

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
            PlaceWager(HERE, patron, spot, amount, currency),
            IncreaseWager(HERE, patron, spot, amount),
            ReduceWager(HERE, patron, spot, amount),
            WithdrawWager(HERE, patron, spot),
        )
        return self.choose(commands)

    def odd_deal(self) -> Command:
        return DealCard(HERE, self.choose(tuple(Hand)), self.any_card())

    def odd_burn(self) -> Command:
        shown = tuple(self.any_card() for _ in range(self.choose((1, 0, 2, 3))))
        return BurnCards(shown, self.choose(range(-1, 11)))

    def odd_shoe(self) -> Command:
        pack = self.choose((self.pack, OTHER_PACK[self.pack.id]))
        return OpenShoe(Shoe.full(pack, self.choose((1, 2))))

    def odd_step(self) -> Command:
        steps: tuple[Command, ...] = (
            OpenBetting(),
            CloseBetting(HERE),
            AnnounceResult(HERE),
            WithdrawAnnouncement(HERE),
            SettleRound(HERE),
            PauseTable("a reader fails"),
            ResumeTable(),
            EndShoe(),
        )
        return self.choose(steps)
