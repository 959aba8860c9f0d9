"""What became of the sessions of a system: distribution, ruin, drawdown, and the edge beside the exact one."""

from collections.abc import Mapping
from fractions import Fraction
from math import sqrt
from typing import Any, NamedTuple

from puntobanco.extras import optional_package
from puntobanco.simulate.report import wilson_interval
from puntobanco.strategies.session_columns import PlayedColumns
from puntobanco.strategies.systems import NamedSystem

with optional_package("numpy", "Sessions are played"):
    import numpy as np


class Ruin(NamedTuple):
    """The share of sessions that ended below the minimum, and its interval of 95% by Wilson's score."""

    sessions: int
    share: float
    low: float
    high: float


class Bin(NamedTuple):
    """A bar of the histogram: sessions whose result lies from low on and below high (the last: high too)."""

    low: float
    high: float
    sessions: int


class SessionResults:
    """The sessions of one system."""

    def __init__(self, system: NamedSystem, wagers: Mapping[str, tuple[Fraction, Fraction]], played: PlayedColumns):
        self.system = system
        self.played = played
        self.wagers = tuple(wagers)
        self.sessions = len(played.net)
        self.bets, self.staked, self.net = int(played.bets.sum()), int(played.staked.sum()), int(played.net.sum())
        self.expected = Fraction(0)
        """What the exact odds say the stakes should have won in all."""
        expected = np.zeros(self.sessions)
        for place, (ev, fixed) in enumerate(wagers.values()):
            self.expected += ev * int(played.staked[place].sum()) + fixed * int(played.bets[place].sum())
            expected += float(ev) * played.staked[place] + float(fixed) * played.bets[place]
        # Sessions are independent of each other, whatever the rounds within one are.
        self._deviation = _spread(played.net - expected) * sqrt(self.sessions)

    @property
    def wagers_staked_on(self) -> tuple[str, ...]:
        return tuple(wager for wager, staked in zip(self.wagers, self.played.staked, strict=True) if staked.any())

    @property
    def mean(self) -> float:
        return self.net / self.sessions

    @property
    def standard_deviation(self) -> float:
        return _spread(self.played.net)

    def quantile(self, share: float) -> float:
        return float(np.quantile(self.played.net, share))

    def quantiles_so_far(self, share: float) -> list[float]:
        """The quantile of the results so far, at each checkpoint of the study."""
        return [float(np.quantile(row, share)) for row in self.played.path]

    def paths(self, sessions: int) -> list[list[int]]:
        """The results so far of the first sessions, at each checkpoint of the study."""
        found: list[list[int]] = self.played.path[:, :sessions].T.tolist()
        return found

    @property
    def share_ahead(self) -> float:
        """In which share of the sessions money was won."""
        return float((self.played.net > 0).mean())

    @property
    def ruin(self) -> Ruin:
        ruined = int(self.played.ruined.sum())
        return Ruin(ruined, ruined / self.sessions, *wilson_interval(ruined, self.sessions))

    @property
    def stopped(self) -> int:
        """How many sessions ended by the stop-loss; some of them may be ruined as well."""
        return int(self.played.stopped.sum())

    @property
    def reached(self) -> int:
        """How many sessions ended by the win goal."""
        return int(self.played.reached.sum())

    @property
    def average_stake(self) -> float:
        return self.staked / self.bets if self.bets else 0.0

    @property
    def longest_losing_run(self) -> int:
        """In any session; pushes left out."""
        return int(self.played.longest_losing_run.max())

    @property
    def mean_longest_losing_run(self) -> float:
        return float(self.played.longest_losing_run.mean())

    @property
    def drawdown(self) -> int:
        """The deepest fall from the highest bankroll before it, in any session."""
        return int(self.played.drawdown.max())

    @property
    def mean_drawdown(self) -> float:
        return float(self.played.drawdown.mean())

    @property
    def share_of_staked(self) -> float | None:
        return self.net / self.staked if self.staked else None

    @property
    def exact_share(self) -> float | None:
        """What the exact odds say the share should be."""
        return float(self.expected / self.staked) if self.staked else None

    @property
    def standard_error(self) -> float | None:
        """Of the share of the money staked."""
        return self._deviation / self.staked if self.staked else None

    @property
    def z(self) -> float | None:
        """How many standard errors the result is from the exact odds."""
        return float(self.net - self.expected) / self._deviation if self._deviation else None

    def histogram(self, bins: int = 20) -> list[Bin]:
        counts, edges = np.histogram(self.played.net, bins)
        return [
            Bin(float(low), float(high), int(count))
            for low, high, count in zip(edges[:-1], edges[1:], counts, strict=True)
        ]


def _spread(values: "np.ndarray[Any, Any]") -> float:
    return float(values.std(ddof=1)) if len(values) > 1 else 0.0
