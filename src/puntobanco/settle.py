"""Settlement: what a finished deal pays one patron, line by line, each with its clause."""

from collections.abc import Mapping
from typing import NamedTuple

from puntobanco.cards import Deal
from puntobanco.errors import InputError, nearest
from puntobanco.rules.facts import Facts, Winner, read_facts
from puntobanco.rules.game import Game
from puntobanco.rules.wagers import Wager, check_money


class Payment(NamedTuple):
    """One line that held: its label, its clause, and the money beyond the stake (0: a push)."""

    line: str
    clause: str
    amount: int


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
                    "pays": [
                        {"line": paid.line, "clause": paid.clause, "amount": paid.amount} for paid in settled.pays
                    ],
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
    facts = read_facts(deal)
    rounding = game.reading["rounding"]
    paytables = game.paytables
    return Settlement(
        facts.winner,
        facts.player_total,
        facts.banker_total,
        {wager: settle_wager(paytables[wager], facts, stake, rounding) for wager, stake in stakes.items()},
    )


def check_deal(game: Game, deal: Deal) -> None:
    """Raise InputError unless the deal is of the game's pack, Unlawful unless its tableau deals it."""
    for card in deal.player + deal.banker:
        if card.pack_id != game.pack.id:
            raise InputError("foreign-card", f"{card} in {deal} does not belong to the {game.pack.name}.")
    game.tableau.check(deal)


def check_stakes(game: Game, stakes: Mapping[str, int]) -> None:
    """Raise InputError unless each stake is lawful money on a wager of the game."""
    paytables = game.paytables
    for wager, stake in stakes.items():
        if wager not in paytables:
            meant = nearest(wager, list(game.paytables))
            raise InputError("unknown-wager", f"{game.id} has no wager {wager[:40]!r}{meant}")
        check_money("stake", stake)


def settle_wager(wager: Wager, facts: Facts, stake: int, rounding: str) -> WagerSettlement:
    """Read the paytable from the top: the first line that holds decides; bonuses come on top of a payment."""
    for line in wager.lines:
        if line.holds(facts):
            break
    else:
        return WagerSettlement(stake, -stake, ())
    if line.pays is None:
        return WagerSettlement(stake, 0, (Payment(line.label, line.clause, 0),))
    net = line.pays.amount(stake, rounding)
    paid: tuple[Payment, ...] = (Payment(line.label, line.clause, net),)
    for bonus in wager.bonuses:
        if bonus.pays is not None and bonus.holds(facts):
            amount = bonus.pays.amount(stake, rounding)
            net += amount
            paid += (Payment(bonus.label, bonus.clause, amount),)
    return WagerSettlement(stake, net, paid)
