"""The systems again, for thousands of sessions at once: a column of numbers for each thing a system remembers.

simulate/systems.py says what each system does; the tests hold the two to the same money, round by round.
"""

from collections.abc import Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, Final

from puntobanco.extras import optional_package
from puntobanco.strategies.systems import LABOUCHERE_LINE, PAROLI_WINS, STEPS_OF_1326, fibonacci_numbers

with optional_package("numpy", "Sessions are played"):
    import numpy as np
    import numpy.typing as npt

if TYPE_CHECKING:
    from puntobanco.strategies.sessions import SessionTerms

Money = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Codes = npt.NDArray[np.uint16]
Small = npt.NDArray[np.int8]

NOBODY: Final = -1
PLAYER: Final = 0
BANKER: Final = 1
TIE: Final = 2


class SystemColumns:
    """A system in every session; this one, which the others build on, stakes the base on every round."""

    def __init__(self, terms: "SessionTerms", sessions: int, rounds: int) -> None:
        self.terms, self.base = terms, terms.base
        self.wanted: Money = np.full(sessions, terms.base, np.int64)
        """What to stake on the next round, before the table's limits."""

    def after(self, stake: Money, net: Money, won: Flags, lost: Flags) -> None:
        """Told after every round; neither won nor lost: a push, or no stake."""


class MartingaleColumns(SystemColumns):
    def after(self, stake: Money, net: Money, won: Flags, lost: Flags) -> None:
        np.multiply(stake, 2, out=self.wanted, where=lost)
        self.wanted[won] = self.base


class DAlembertColumns(SystemColumns):
    def after(self, stake: Money, net: Money, won: Flags, lost: Flags) -> None:
        self.wanted += (lost.view(np.int8) - won.view(np.int8)) * np.int64(self.base)
        np.maximum(self.wanted, self.base, out=self.wanted)


class FibonacciColumns(SystemColumns):
    def __init__(self, terms: "SessionTerms", sessions: int, rounds: int) -> None:
        super().__init__(terms, sessions, rounds)
        within = [number * self.base for number in takewhile(self._is_within, fibonacci_numbers())]
        # Any number beyond the maximum is cut down to it, so one such is enough.
        self.stakes = np.array([*within, terms.maximum], np.int64)
        self.place: Money = np.zeros(sessions, np.int64)

    def _is_within(self, number: int) -> bool:
        return number * self.base <= self.terms.maximum

    def after(self, stake: Money, net: Money, won: Flags, lost: Flags) -> None:
        self.place += lost.view(np.int8) - 2 * won.view(np.int8)
        np.maximum(self.place, 0, out=self.place)
        self.wanted = self.stakes.take(self.place, mode="clip")


class LabouchereColumns(SystemColumns):
    def __init__(self, terms: "SessionTerms", sessions: int, rounds: int) -> None:
        super().__init__(terms, sessions, rounds)
        self.start = np.array(LABOUCHERE_LINE, np.int64) * self.base
        # The line of a session lies between its first and its last place, and every round adds a number at most.
        self.line: Money = np.zeros((sessions, len(self.start) + rounds), np.int64)
        self.line[:, : len(self.start)] = self.start
        self.first: Money = np.zeros(sessions, np.int64)
        self.last: Money = np.full(sessions, len(self.start) - 1, np.int64)
        self.rows = np.arange(sessions)
        self._want()

    def _want(self) -> None:
        first, last = self.line[self.rows, self.first], self.line[self.rows, self.last]
        self.wanted = first + last * (self.first < self.last)

    def after(self, stake: Money, net: Money, won: Flags, lost: Flags) -> None:
        self.last += lost
        self.line[self.rows[lost], self.last[lost]] = stake[lost]
        self.first += won
        self.last -= won
        done = self.first > self.last
        self.first[done], self.last[done] = 0, len(self.start) - 1
        self.line[done, : len(self.start)] = self.start
        self._want()


class LadderColumns(SystemColumns):
    """Stakes in a row, one further after every win; at the end of the row, and after a loss, the first."""

    units: tuple[int, ...] = tuple(2**wins for wins in range(PAROLI_WINS))

    def __init__(self, terms: "SessionTerms", sessions: int, rounds: int) -> None:
        super().__init__(terms, sessions, rounds)
        self.stakes = np.array(self.units, np.int64) * self.base
        self.place: Money = np.zeros(sessions, np.int64)

    def after(self, stake: Money, net: Money, won: Flags, lost: Flags) -> None:
        self.place += won
        self.place[lost | (self.place == len(self.units))] = 0
        self.wanted = self.stakes[self.place]


class OneThreeTwoSixColumns(LadderColumns):
    units = STEPS_OF_1326


class OscarsGrindColumns(SystemColumns):
    def __init__(self, terms: "SessionTerms", sessions: int, rounds: int) -> None:
        super().__init__(terms, sessions, rounds)
        self.profit: Money = np.zeros(sessions, np.int64)

    def after(self, stake: Money, net: Money, won: Flags, lost: Flags) -> None:
        self.profit += net
        np.copyto(self.wanted, stake, where=lost)
        np.copyto(self.wanted, np.minimum(stake + self.base, self.base - self.profit), where=won)
        reached = self.profit >= self.base
        self.profit[reached] = 0
        self.wanted[reached] = self.base


class RoadColumns(SystemColumns):
    """A system that bets the base on a hand: the one that won last, as long as there is one."""

    def __init__(self, terms: "SessionTerms", sessions: int, rounds: int) -> None:
        super().__init__(terms, sessions, rounds)
        self.latest: Small = np.full(sessions, NOBODY, np.int8)

    def sides(self) -> Small:
        """The hand to bet on in every session, or nobody."""
        return self.latest

    def see(self, winner: Small) -> None:
        """Told who won the round."""
        np.copyto(self.latest, winner, where=winner != TIE)

    def new_shoe(self, fresh: Flags) -> None:
        """Told before the first round of a shoe."""
        self.latest[fresh] = NOBODY


class ChopColumns(RoadColumns):
    def sides(self) -> Small:
        return np.where(self.latest == NOBODY, NOBODY, 1 - self.latest).astype(np.int8)


class BigEyeColumns(RoadColumns):
    """By the heights of the last two columns of the big road.

    One hand would add a red mark and the other a blue one: repeating the winner is blue just where the column is as
    tall as the one before it.
    """

    def __init__(self, terms: "SessionTerms", sessions: int, rounds: int) -> None:
        super().__init__(terms, sessions, rounds)
        self.height: Money = np.zeros(sessions, np.int64)
        self.before: Money = np.zeros(sessions, np.int64)
        """The height of the column before; 0 where there is none."""
        self.is_marked: Flags = np.zeros(sessions, np.bool_)
        self.is_red: Flags = np.zeros(sessions, np.bool_)

    def sides(self) -> Small:
        repeats = self.is_red == (self.height != self.before)
        return np.where(self.is_marked, np.where(repeats, self.latest, 1 - self.latest), NOBODY).astype(np.int8)

    def see(self, winner: Small) -> None:
        decided = winner != TIE
        repeats = winner == self.latest
        marks = decided & (self.before > 0)
        np.copyto(self.is_red, repeats == (self.height != self.before), where=marks)
        self.is_marked |= marks
        turns = decided & ~repeats
        np.copyto(self.before, self.height, where=turns)
        self.height[turns] = 0
        self.height += decided
        super().see(winner)

    def new_shoe(self, fresh: Flags) -> None:
        super().new_shoe(fresh)
        self.height[fresh] = self.before[fresh] = 0
        self.is_marked[fresh] = False


COLUMNS: dict[str, type[SystemColumns]] = {
    "flat": SystemColumns,
    "martingale": MartingaleColumns,
    "dalembert": DAlembertColumns,
    "fibonacci": FibonacciColumns,
    "labouchere": LabouchereColumns,
    "paroli": LadderColumns,
    "1-3-2-6": OneThreeTwoSixColumns,
    "oscars-grind": OscarsGrindColumns,
    "follow": RoadColumns,
    "chop": ChopColumns,
    "big-eye": BigEyeColumns,
}


class PaymentColumns:
    """What each code pays on each wager: stake times ratio over the denominator, a payment a piece, and fixed money."""

    def __init__(self, ratios: Money, denominator: int, fixed: Money, winner: Small, rounds_up: bool) -> None:
        self.ratios = ratios
        """By payment, wager and code."""
        self.denominator, self.rounds_up = denominator, rounds_up
        self.fixed, self.winner = fixed, winner
        self.has_fixed = bool(fixed.any())

    def net(self, stake: Money, side: "Small | int", code: Codes) -> Money:
        """What the stakes on these wagers gain."""
        net: Money = np.zeros(0, np.int64)
        for place, ratios in enumerate(self.ratios):
            amount = stake * (ratios[side].take(code) if isinstance(side, int) else ratios[side, code])
            if self.denominator > 1:
                amount = -(-amount // self.denominator) if self.rounds_up else amount // self.denominator
            net = amount if place == 0 else net + amount
        if self.has_fixed:
            net = net + self.fixed[side, code] * (stake > 0)
        return net


class PlayedColumns:
    """What became of every session by a system."""

    def __init__(self, wagers: int, sessions: int, checkpoints: int = 0) -> None:
        self.path: Money = np.zeros((checkpoints, sessions), np.int64)
        """What was won or lost by then, a row for each checkpoint of the study."""
        self.net: Money = np.zeros(sessions, np.int64)
        self.staked: Money = np.zeros((wagers, sessions), np.int64)
        self.bets: Money = np.zeros((wagers, sessions), np.int64)
        self.longest_losing_run: Money = np.zeros(sessions, np.int64)
        self.drawdown: Money = np.zeros(sessions, np.int64)
        self.ruined: Flags = np.zeros(sessions, np.bool_)
        self.stopped: Flags = np.zeros(sessions, np.bool_)
        """By the stop-loss."""
        self.reached: Flags = np.zeros(sessions, np.bool_)
        """The win goal."""

    @classmethod
    def joined(cls, parts: "list[PlayedColumns]") -> "PlayedColumns":
        found = cls(0, 0)
        for name in vars(found):
            setattr(found, name, np.concatenate([getattr(part, name) for part in parts], axis=-1))
        return found


def play_columns(
    system: SystemColumns,
    terms: "SessionTerms",
    payments: PaymentColumns,
    codes: Codes,
    fresh: Flags,
    checkpoints: Sequence[int] = (),
) -> PlayedColumns:
    """Play the rounds, a row each, by the system; sessions side by side. Checkpoints are numbers of rounds played."""
    sessions = codes.shape[1]
    played = PlayedColumns(len(payments.fixed), sessions, len(checkpoints))
    places = {rounds: place for place, rounds in enumerate(checkpoints)}
    played_rounds = 0
    bankroll: Money = np.full(sessions, terms.bankroll, np.int64)
    peak, run = bankroll.copy(), np.zeros(sessions, np.int64)
    follows = system if isinstance(system, RoadColumns) else None
    side: Small | int = 0
    for row, code in enumerate(codes):
        stays = (bankroll >= terms.minimum) & (bankroll > terms.stops_at) & (bankroll < terms.goal_at)
        if not stays.any():
            break
        stake = np.minimum(np.minimum(system.wanted, bankroll), terms.maximum)
        if terms.step > 1:
            stake -= stake % terms.step
        np.maximum(stake, terms.minimum, out=stake)
        stake *= stays
        if follows:
            follows.new_shoe(fresh[row])
            side = follows.sides()
            stake *= side != NOBODY
        net = payments.net(stake, side, code)
        bankroll += net
        played_rounds = row + 1
        if played_rounds in places:
            played.path[places[played_rounds]] = bankroll - terms.bankroll
        won, lost = net > 0, net < 0
        for wager in range(len(payments.fixed)):
            counted = stake if not follows else stake * (side == wager)
            played.staked[wager] += counted
            played.bets[wager] += counted > 0
        run += lost
        run[won] = 0
        np.maximum(played.longest_losing_run, run, out=played.longest_losing_run)
        np.maximum(peak, bankroll, out=peak)
        np.maximum(played.drawdown, peak - bankroll, out=played.drawdown)
        system.after(stake, net, won, lost)
        if follows:
            follows.see(payments.winner[code])
    played.net = bankroll - terms.bankroll
    # Where everybody has left, nothing changes any more.
    played.path[[place for rounds, place in places.items() if rounds > played_rounds]] = played.net
    played.ruined = bankroll < terms.minimum
    played.stopped, played.reached = bankroll <= terms.stops_at, bankroll >= terms.goal_at
    return played
