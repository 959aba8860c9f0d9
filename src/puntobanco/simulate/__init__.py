"""Full shoes dealt and every wager settled, hundreds of millions of rounds a second; the same seed, the same counts.

>>> from puntobanco import find_game
>>> job = prepare(find_game("manila"), seed=1)
>>> (tally(job, 0, 10) + tally(job, 10, 10)).lines == tally(job, 0, 20).lines
True
"""

from puntobanco.dealing import AT_A_TABLE, BurnAndCut, BurnRule
from puntobanco.simulate.jobs import (
    DealtRound,
    Job,
    Tally,
    available,
    cores,
    deal,
    prepare,
    shown_card,
    tally,
)
from puntobanco.simulate.tables import Outcomes, Tables

__all__ = [
    "AT_A_TABLE",
    "BurnAndCut",
    "BurnRule",
    "DealtRound",
    "Job",
    "Outcomes",
    "Tables",
    "Tally",
    "available",
    "cores",
    "deal",
    "prepare",
    "shown_card",
    "tally",
]
