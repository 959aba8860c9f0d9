"""Settlement: what a finished deal pays one patron, line by line, each with its clause."""

from collections.abc import Mapping
from typing import NamedTuple

from puntobanco.cards import Card, Deal
from puntobanco.errors import InputError, Unlawful, nearest
from puntobanco.immutable import FrozenMap
from puntobanco.rules.facts import Winner
from puntobanco.rules.game import Game
from puntobanco.rules.rulings import ROUNDING_RULING
from puntobanco.rules.wagers import MONEY_LIMIT, Outcome, Wager, check_money
from puntobanco.tableau import DrawRule, Hand

ROUNDED_BY = f"Ruling {ROUNDING_RULING.number}"


class Payment(NamedTuple):
    """One line that held: its label, its clause, and the money beyond the stake (0: a push)."""

    line: str
    clause: str
    amount: int
    rounded_from: str | None = None
    """What the line would pay but for rounding (ruling 12), as an exact fraction; None where nothing was rounded."""

    def as_json(self) -> dict[str, object]:
        values: dict[str, object] = {"line": self.line, "clause": self.clause, "amount": self.amount}
        if self.rounded_from is not None:
            values |= {"rounded_from": self.rounded_from, "rounded_by": ROUNDED_BY}
        return values


class WagerSettlement(NamedTuple):
    """What became of one wager."""

    stake: int
    net: int
    """What the patron gains beyond the stake: negative if lost, 0 on a push."""
    pays: tuple[Payment, ...]

    @property
    def returned(self) -> int:
        """What goes back to the patron: the stake and the winnings, or nothing."""
        return self.stake + self.net


class Settlement(NamedTuple):
    """What a deal pays one patron."""

    winner: Winner
    player_total: int
    banker_total: int
    wagers: Mapping[str, WagerSettlement]

    @property
    def net(self) -> int:
        return sum([settled.net for settled in self.wagers.values()])

    @property
    def returned(self) -> int:
        """What goes back to the patron in all."""
        return sum([settled.stake + settled.net for settled in self.wagers.values()])

    def as_json(self) -> dict[str, object]:
        """The shape of `settle --json`."""
        return {
            "winner": self.winner.value,
            "player_total": self.player_total,
            "banker_total": self.banker_total,
            "settlements": {
                wager: {
                    "stake": settled.stake,
                    "net": settled.net,
                    "pays": [paid.as_json() for paid in settled.pays],
                }
                for wager, settled in self.wagers.items()
            },
        }


def settle(game: Game, deal: Deal, stakes: Mapping[str, int]) -> Settlement:
    """Settle one patron's stakes, by wager id, on a deal that the game's tableau allows.

    >>> from puntobanco import find_game, read_deal
    >>> game = find_game("six-star")
    >>> settle(game, read_deal(game.pack, "P 9f Tf | B 9f Sf"), {"tie": 100}).wagers["tie"].net
    300800
    """
    check_deal(game, deal)
    check_stakes(game, stakes)
    facts = game.read_facts(deal)
    rounding = game.reading["rounding"]
    paytables = game.paytables
    settled = {}
    for name, stake in stakes.items():
        wager = paytables[name]
        settled[name] = settle_wager(wager, wager.outcome(facts), stake, rounding)
    return _new(Settlement, (facts.winner, facts.player_total, facts.banker_total, FrozenMap(settled)))


def settle_wager(wager: Wager, outcome: Outcome, stake: int, rounding: str) -> WagerSettlement:
    """What a stake comes to: each line of the outcome with its clause and its amount."""
    if outcome.line is None:
        return _new(WagerSettlement, (stake, -stake, ()))
    net, paid = 0, []
    for line in wager.lines_of(outcome):
        if line.pays is None:
            paid.append(_new(Payment, (line.label, line.clause, 0, None)))
            continue
        amount, rounded_from = line.pays.paid(stake, rounding)
        net += amount
        paid.append(_new(Payment, (line.label, line.clause, amount, rounded_from)))
    return _new(WagerSettlement, (stake, net, tuple(paid)))


# A long stream or a full table makes these by the thousand, and a named tuple's own `__new__` takes twice as long.
_new = tuple.__new__


class Settler:
    """One deal, checked and read once, for as many patrons as have staked on it."""

    def __init__(self, game: Game, deal: Deal) -> None:
        check_deal(game, deal)
        facts = game.read_facts(deal)
        rounding = game.reading["rounding"]
        self._result = facts.winner, facts.player_total, facts.banker_total
        self._spots = {name: _Spot(wager, wager.outcome(facts), rounding) for name, wager in game.paytables.items()}

    def settle(self, slips: Mapping[str, Mapping[str, int]]) -> dict[str, Settlement]:
        """Settle each patron's stakes, which the caller has checked (see `check_stakes`), in the order given."""
        spots, (winner, player_total, banker_total) = self._spots, self._result
        # One expression for the whole felt: a call for each of thousands of patrons is dear.
        return {
            patron: _new(
                Settlement,
                (
                    winner,
                    player_total,
                    banker_total,
                    FrozenMap({wager: spots[wager][stake] for wager, stake in slip.items()}),
                ),
            )
            for patron, slip in slips.items()
        }


class _Spot(dict[int, WagerSettlement]):
    """By stake, what it comes to: patrons stake the same few chips, so most stakes are settled once."""

    def __init__(self, wager: Wager, outcome: Outcome, rounding: str) -> None:
        self._wager, self._outcome, self._rounding = wager, outcome, rounding

    def __missing__(self, stake: int) -> WagerSettlement:
        settled = self[stake] = settle_wager(self._wager, self._outcome, stake, self._rounding)
        return settled


def check_deal(game: Game, deal: Deal) -> None:
    """Raise InputError unless the deal is of the game's pack, Unlawful unless its tableau deals it."""
    for card in deal.player + deal.banker:
        if card.pack_id != game.pack.id:
            raise InputError("foreign-card", f"{card} in {deal} does not belong to the {game.pack.name}.")
    try:
        game.tableau.check(deal)
    except Unlawful as fault:
        raise game.cited_fault(fault) from None


class Draw(NamedTuple):
    """Why a hand draws or stands, or neither is dealt to, and by which clause."""

    sentence: str
    clause: str
    card: Card | None
    """The card that was drawn."""


def draws_of(game: Game, deal: Deal) -> tuple[Draw, ...]:
    """How a lawful deal came to its third cards, or to none: each decision after the initial deal."""
    found = []
    so_far = Deal(deal.player[:2], deal.banker[:2])
    while (decision := game.tableau.due(so_far)).rule is not DrawRule.COMPLETE:
        hand = decision.hand
        card = None if hand is None else (deal.player if hand is Hand.PLAYER else deal.banker)[2]
        for of_hand, rule, sentence in game.tableau.explain(so_far):
            found.append(Draw(sentence, game.procedure.draw(rule), card if of_hand is hand else None))
        if hand is None:
            break
        so_far = Deal(deal.player, so_far.banker) if hand is Hand.PLAYER else deal
    return tuple(found)


def check_stakes(game: Game, stakes: Mapping[str, int]) -> None:
    """Raise InputError unless each stake is lawful money on a wager of the game."""
    paytables = game.paytables
    for wager, stake in stakes.items():
        if wager not in paytables:
            meant = nearest(wager, list(game.paytables))
            raise InputError("unknown-wager", f"{game.id} has no wager {wager[:40]!r}{meant}")
        # The question is asked here once more, because a call for each stake of a long stream is dear.
        if type(stake) is not int or not 1 <= stake <= MONEY_LIMIT:
            check_money("stake", stake)
