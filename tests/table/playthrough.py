"""The first dozen rounds of a seeded shoe of each game, with incidents, in the notation of the case files."""

import random
from collections.abc import Sequence
from dataclasses import replace

from puntobanco import Card, Deal, Game
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
    PlaceWager,
    ReduceWager,
    SettleRound,
    TableSettings,
    VoidRound,
    WithdrawWager,
)
from puntobanco.table.notation import write_command, write_outcome
from reference.settlement import lawful
from table.here import HERE
from table.watched import WatchedTable

ROUNDS = 12
HEADER = """\
# Made by tests/table/playthrough.py: do not edit. Review what changed when it is made anew.

case {name}
table {id} decks={decks}
"""


class Playthrough:
    """A dealer with a shuffled shoe, two patrons, and a transcript."""

    def __init__(self, game: Game) -> None:
        settings = TableSettings(game, decks=game.decks.minimum)
        self.watched = WatchedTable(settings)
        # Only random() is promised to give the same numbers in every Python.
        self.draw = random.Random(game.id).random
        self.shoe = sorted(game.pack.cards * settings.decks, key=lambda _: self.draw())
        self.lines: list[str] = []

    def transcript(self) -> str:
        game = self.watched.settings.game
        self.do(OpenShoe(self.watched.settings.full_shoe))
        first, *burned = self.take(1 + (self.shoe[0].points or 10))
        self.do(BurnCards((first,), len(burned)))
        for number in range(1, ROUNDS + 1):
            self.lines.append("")
            self.round(number)
            books = self.watched.books
            for patron in ("anna", "bob"):
                self.lines.append(f"won {patron} {books.money[patron]:+}")
            # What was burned face down is not in the shoe, and nobody has seen it.
            self.lines.append(f"in shoe {books.in_shoe}")
            assert books.in_shoe == len(self.shoe)
        self.lines.append("")
        self.do(EndShoe("the house closes"))
        self.watched.check_replay()
        return HEADER.format(name=game.name, id=game.id, decks=game.decks.minimum) + "\n".join(self.lines) + "\n"

    def do(self, command: Command) -> None:
        outcome = self.watched.carry_out(command)
        self.lines.append(f"{write_command(self.watched.settings, command, HERE):<40} -> {write_outcome(outcome)}")

    def remark(self, text: str) -> None:
        self.lines.append(f"# {text}")

    def take(self, count: int) -> list[Card]:
        cards, self.shoe = self.shoe[:count], self.shoe[count:]
        return cards

    def one_of(self, options: Sequence[str]) -> str:
        return options[int(self.draw() * len(options))]

    def round(self, number: int) -> None:
        self.do(OpenBetting())
        self.betting(number)
        self.do(CloseBetting(HERE))
        if number == 8:
            self.too_late()
        while due := self.watched.books.due():
            self.do(DealCard(HERE, due, *self.take(1)))
            if number == 4 and len(self.watched.books.banker) == 1:
                self.remark("A card with another back lies in the shoe.")
                self.do(VoidRound(HERE, Irregularity.FOREIGN_CARD, "another back"))
                return
        if number == 10:
            self.remark("The dealer has drawn a card too many.")
            deal = self.watched.table.deal
            self.do(CorrectRound(HERE, deal, tuple(self.take(1)), note="drawn in error"))
        self.do(AnnounceResult(HERE))
        self.do(SettleRound(HERE))
        if number == 6:
            self.remark("A card was misread.")
            self.do(CorrectRound(HERE, self.reread(self.watched.table.rounds[-1].deal), note="misread"))
        if number == 11:
            self.remark("The cards cannot be reconstructed.")
            self.do(VoidRound(HERE, Irregularity.WRONG_NUMBER_OF_CARDS))

    def betting(self, number: int) -> None:
        settings = self.watched.settings
        spots = list(settings.game.paytables)
        for patron, wagers in (
            ("anna", (self.one_of(("player", "banker")), "tie")),
            ("bob", (self.one_of(spots[2:]),)),
        ):
            for wager in wagers:
                limits = settings.limits[wager]
                self.do(PlaceWager(HERE, patron, wager, limits.minimum + int(self.draw() * 9) * limits.step))
        step = settings.limits["tie"].step
        if number % 4 == 1:
            self.do(IncreaseWager(HERE, "anna", "tie", 10 * step))
        if number % 4 == 3:
            self.do(IncreaseWager(HERE, "anna", "tie", 20 * step))
            self.do(ReduceWager(HERE, "anna", "tie", 20 * step))
        if number % 4 == 2:
            self.do(WithdrawWager(HERE, "anna", "tie"))

    def too_late(self) -> None:
        self.remark("Too late.")
        minimum = self.watched.settings.limits["tie"].minimum
        self.do(PlaceWager(HERE, "bob", "player", minimum))
        self.do(IncreaseWager(HERE, "anna", "tie", minimum))
        self.do(WithdrawWager(HERE, "anna", "tie"))

    def reread(self, deal: Deal) -> Deal:
        """The deal with another last card of the Banker, one that the deepest cards of the shoe allow."""
        for place in range(len(self.shoe) - 1, -1, -1):
            banker = (*deal.banker[:-1], self.shoe[place])
            other = replace(deal, banker=banker)
            if _texts(other) != _texts(deal) and lawful(*_texts(other)) and banker[-1].points != deal.banker[-1].points:
                self.shoe[place] = deal.banker[-1]
                return other
        raise AssertionError(f"no other card fits {deal}")


def _texts(deal: Deal) -> tuple[list[str], list[str]]:
    return [str(card) for card in deal.player], [str(card) for card in deal.banker]
