"""Who has how much, by the rulings alone: plain dictionaries that know nothing of ledgers, postings or accounts.

Ruling 19: money is changed at the posted rate, and chips by nothing. Ruling 21: what cannot be taken back is owed, and
whatever comes to the patron settles it first, so that how a patron stands is one number: above zero it is what they
have, below what they owe; while something is owed no wager is taken. Ruling 22: two people adjust a purse.
What a deal pays is reckoned by the reference that was written from the rule documents.
"""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from fractions import Fraction

from puntobanco.ledger import AdjustAccount, ChangeMoney, IssueMoney, PostRate, ReturnMoney
from puntobanco.store.streams import StreamCommand
from puntobanco.table import (
    CorrectRound,
    IncreaseWager,
    PlaceWager,
    ReduceWager,
    SettleRound,
    VoidRound,
    WithdrawWager,
)
from reference.settlement import settle

Person = tuple[str, str]
"""A unit and a patron: whoever has two currencies has two purses."""
Slips = dict[str, dict[str, int]]
Cards = tuple[tuple[str, ...], tuple[str, ...]]


def paid(slips: Slips, cards: Cards) -> Counter[str]:
    """What each patron gets back on a deal: stakes and winnings."""
    back = Counter[str]()
    for patron, slip in slips.items():
        results = settle("manila", *cards, slip)
        back[patron] = sum(stake + results[wager][0] for wager, stake in slip.items() if results[wager][0] > -stake)
    return back


@dataclass
class Felt:
    """What lies on one table, and what the last round there has paid."""

    unit: str
    slips: Slips = field(default_factory=lambda: defaultdict(dict))
    last_slips: Slips = field(default_factory=dict)
    last_paid: Counter[str] = field(default_factory=Counter)


@dataclass
class Purses:
    """All the money there is."""

    felts: dict[str, Felt]
    """By the name of the table."""
    stands: Counter[Person] = field(default_factory=Counter)
    house: Counter[str] = field(default_factory=Counter)
    issued: Counter[str] = field(default_factory=Counter)
    changed: Counter[str] = field(default_factory=Counter)
    rates: dict[tuple[str, str], tuple[int, int]] = field(default_factory=dict)
    seen: Counter[str] = field(default_factory=Counter)
    """How often something worth a test has come about."""

    def has(self, person: Person) -> int:
        return max(0, self.stands[person])

    def owes(self, person: Person) -> int:
        return max(0, -self.stands[person])

    def refuses(self, table: str, command: StreamCommand) -> str | None:
        """Why the money refuses a command; None if it does not."""
        match command:
            case PlaceWager(_, patron, _, more) | IncreaseWager(_, patron, _, more):
                person = self.felts[table].unit, patron
                return self._cannot_give(person, more)
            case ReturnMoney(patron, unit, amount):
                return self._cannot_give((unit, patron), amount)
            case ChangeMoney(patron, gives, amount, takes):
                if "CHIPS" in (gives, takes) or gives == takes:
                    return "not-exchanged"
                if (gives, takes) not in self.rates:
                    return "no-rate"
                if not self.worth(gives, takes, amount):
                    return "too-little"
                return self._cannot_give((gives, patron), amount)
            case PostRate(gives, takes, numerator, denominator):
                if "CHIPS" in (gives, takes) or gives == takes:
                    return "not-exchanged"
                return None if self.is_sound(gives, takes, Fraction(numerator, denominator)) else "bad-rate"
            case AdjustAccount(patron, unit, amount, by=by, and_by=and_by):
                if by == and_by:
                    return "two-people"
                return "insufficient-funds" if -amount > self.has((unit, patron)) else None
        return None

    def _cannot_give(self, person: Person, amount: int) -> str | None:
        if self.owes(person):
            return "owes"
        return "insufficient-funds" if amount > self.has(person) else None

    def is_sound(self, gives: str, takes: str, rate: Fraction) -> bool:
        """Of two currencies: the way back is the other rate."""
        last, back = [self.rates.get(pair) for pair in ((gives, takes), (takes, gives))]
        moves = last is None or Fraction(1, 2) <= rate / Fraction(*last) <= 2
        return moves and (back is None or rate * Fraction(*back) <= 1)

    def worth(self, gives: str, takes: str, amount: int) -> int:
        numerator, denominator = self.rates[gives, takes]
        return amount * numerator // denominator

    def _move(self, person: Person, amount: int, how: str) -> None:
        """To a purse, or out of it where the amount is negative."""
        self.seen[f"owed and {how}"] += amount > 0 and self.owes(person) > 0
        self.seen["taken back and owed"] += how == "made good" and -amount > self.has(person)
        self.stands[person] += amount

    def after(self, table: str, command: StreamCommand, cards: Cards, in_round: bool) -> None:
        """A command was carried out; `cards` are those of the round before it, and tell what a settlement pays."""
        match command:
            case IssueMoney(patron, unit, amount):
                self.issued[unit] += amount
                self._move((unit, patron), amount, "bought in")
            case ReturnMoney(patron, unit, amount):
                self.issued[unit] -= amount
                self._move((unit, patron), -amount, "returned to the desk")
            case ChangeMoney(patron, gives, amount, takes):
                received = self.worth(gives, takes, amount)
                self._move((gives, patron), -amount, "given in exchange")
                self.changed[gives] += amount
                self.changed[takes] -= received
                self._move((takes, patron), received, "changed")
                self.seen["changed"] += 1
            case PostRate(gives, takes, numerator, denominator):
                self.rates[gives, takes] = numerator, denominator
            case AdjustAccount(patron, unit, amount):
                self.house[unit] -= amount
                self._move((unit, patron), amount, "adjusted")
                self.seen["adjusted"] += 1
            case _:
                self._after_at_a_table(self.felts[table], command, cards, in_round)

    def _after_at_a_table(self, felt: Felt, command: StreamCommand, cards: Cards, in_round: bool) -> None:
        match command:
            case PlaceWager(_, patron, wager, more) | IncreaseWager(_, patron, wager, more):
                self._stake(felt, patron, wager, more)
            case ReduceWager(_, patron, wager, less):
                self._stake(felt, patron, wager, -less)
            case WithdrawWager(_, patron, wager):
                self._stake(felt, patron, wager, -felt.slips[patron][wager])
            case SettleRound():
                felt.last_slips, felt.last_paid = felt.slips, paid(felt.slips, cards)
                felt.slips = defaultdict(dict)
                for patron, slip in felt.last_slips.items():
                    staked, back = sum(slip.values()), felt.last_paid[patron]
                    self._move((felt.unit, patron), back, "won" if back > staked else "not lost")
                    self.house[felt.unit] += staked - back
                self.seen["settled"] += 1
            case VoidRound() if in_round:
                for patron, slip in felt.slips.items():
                    self._move((felt.unit, patron), sum(slip.values()), "void")
                felt.last_slips, felt.last_paid, felt.slips = {}, Counter(), defaultdict(dict)
                self.seen["voided in the round"] += 1
            case VoidRound():
                self._made_good(felt, Counter({patron: sum(slip.values()) for patron, slip in felt.last_slips.items()}))
                self.seen["voided after it was settled"] += 1
            case CorrectRound(_, deal) if not in_round:
                hands = tuple(map(str, deal.player)), tuple(map(str, deal.banker))
                self._made_good(felt, paid(felt.last_slips, hands))
                self.seen["corrected after it was settled"] += 1

    def _stake(self, felt: Felt, patron: str, wager: str, more: int) -> None:
        self._move((felt.unit, patron), -more, "withdrawn")
        slip = felt.slips[patron]
        slip[wager] = slip.get(wager, 0) + more
        if not slip[wager]:
            del slip[wager]
        if not slip:
            del felt.slips[patron]

    def _made_good(self, felt: Felt, back: Counter[str]) -> None:
        """The last round should have paid this."""
        for patron in felt.last_slips:
            more = back[patron] - felt.last_paid[patron]
            self.house[felt.unit] -= more
            self._move((felt.unit, patron), more, "made good")
        felt.last_paid = back

    def accounts(self) -> dict[str, int]:
        """All money by the names of the accounts that hold it; those at zero left out."""
        found = Counter[str]()
        for (unit, patron), amount in self.stands.items():
            found[f"{'patron' if amount > 0 else 'owed'}/{unit}/{patron}"] += amount
        for table, felt in self.felts.items():
            for patron, slip in felt.slips.items():
                found[f"held/{table}/{felt.unit}/{patron}"] += sum(slip.values())
        for unit, amount in self.house.items():
            found[f"house/{unit}"] += amount
        for unit, amount in self.issued.items():
            found[f"issue/{unit}"] -= amount
        for unit, amount in self.changed.items():
            found[f"cashier/{unit}"] += amount
        return {account: amount for account, amount in found.items() if amount}
