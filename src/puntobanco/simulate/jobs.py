"""Shoes dealt by the million: the compiled kernel on all cores, or Python where it was not built."""

import os
import warnings
from array import array
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import count
from typing import Any, NamedTuple, Protocol

from puntobanco.cards import DECKS_ALLOWED, Card, Deal, Pack, Shoe, shown
from puntobanco.dealing import AT_A_TABLE, CARDS_FOR_A_ROUND, BurnAndCut
from puntobanco.errors import InputError, Unlawful
from puntobanco.provenance import Provenance
from puntobanco.rules.facts import read_facts
from puntobanco.rules.game import Game
from puntobanco.rules.wagers import Outcome
from puntobanco.simulate import pure
from puntobanco.simulate.tables import CELLS_OF_A_DETAIL, DETAIL_CELLS, NO_CARD, SUITS, Outcomes, Tables

SEEDS = 2**64
SHOES = 2**63
BLOCK = 16_384
"""How many shoes a thread takes at a time; the counts do not depend on it."""
SLOW = "puntobanco was built without its compiled simulator: the counts are the same, some thousand times slower."


class Kernel(Protocol):
    """What _simulate_kernel and pure.py have in common."""

    def tally(
        self,
        encoded: bytes,
        seed: int,
        burn: bool,
        cut: int,
        rounds: int,
        first: int,
        shoes: int,
        instructions: int,
        tallies: "array[Any]",
        /,
    ) -> None: ...

    def deal(
        self, encoded: bytes, seed: int, burn: bool, cut: int, rounds: int, first: int, shoes: int, /
    ) -> list[bytes]: ...

    def shown_cards(
        self, encoded: bytes, seed: int, burn: bool, cut: int, rounds: int, first: int, shoes: int, /
    ) -> bytes: ...

    def instructions(self) -> int: ...


def _load() -> Kernel | None:
    from importlib import import_module

    try:
        compiled: Any = import_module("puntobanco._simulate_kernel")
    except ImportError:
        return None
    kernel: Kernel = compiled
    return kernel


compiled_kernel = _load()
available = compiled_kernel is not None
"""Whether the compiled kernel is there; without it plain Python deals the same shoes, far slower."""


@lru_cache(maxsize=1)
def _kernel() -> Kernel:
    if compiled_kernel is not None:
        return compiled_kernel
    warnings.warn(SLOW, RuntimeWarning, stacklevel=4)
    return pure


class Job(NamedTuple):
    """A game, a shoe, a way to deal it and a seed: these and the numbers of shoes decide every count."""

    tables: Tables
    dealing: BurnAndCut
    seed: int
    rounds: int | None = None
    """So many rounds of every shoe, whatever the cut card: for comparisons with the odds of a full shoe."""

    @property
    def game(self) -> Game:
        return self.tables.game

    @property
    def provenance(self) -> Provenance:
        """What the counts of this job are made from."""
        shoe, pack = self.tables.shoe, self.game.pack
        decks = shoe.size // len(pack.cards)
        full = decks in DECKS_ALLOWED and shoe == Shoe.full(pack, decks)
        return Provenance(
            self.game,
            decks if full else None,
            None if full else shoe,
            dealing=self.dealing,
            rounds_per_shoe=self.rounds,
            seed=self.seed,
        )

    @property
    def for_kernel(self) -> tuple[bytes, int, bool, int, int]:
        """What every call of the kernel begins with."""
        return self.tables.encoded, self.seed, self.dealing.burns, self.dealing.cut_depth, self.rounds or 0


def prepare(
    game: Game, seed: int, shoe: Shoe | None = None, dealing: BurnAndCut = AT_A_TABLE, rounds: int | None = None
) -> Job:
    """Compile the game for this shoe, by default a full one of the usual number of decks."""
    shoe = shoe if shoe is not None else Shoe.full(game.pack, game.decks.default)
    if shoe.pack != game.pack:
        raise InputError("wrong-composition", f"{game.name} is played with the {game.pack.name}.")
    if type(seed) is not int or not 0 <= seed < SEEDS:
        raise InputError("wrong-seed", f"{shown(seed)} is not a seed: use a whole number from 0 to {SEEDS - 1}.")
    if dealing.cut_depth > shoe.size:
        raise InputError("wrong-cut", f"{shown(dealing.cut_depth)} is not a place of the cut card in this shoe.")
    least_rounds = (shoe.size - dealing.most_burned) // CARDS_FOR_A_ROUND
    if rounds is not None and (type(rounds) is not int or not 1 <= rounds <= least_rounds):
        raise InputError(
            "wrong-rounds",
            f"{least_rounds} rounds are the most that every shoe of {shoe.size} cards is sure to have, "
            f"not {shown(rounds)}.",
        )
    if shoe.size < CARDS_FOR_A_ROUND:
        raise Unlawful(
            "insufficient-cards",
            f"A round may take six cards and the shoe holds {shoe.size}.",
            game.procedure.insufficient_cards,
        )
    return Job(Tables(game, shoe), dealing, seed, rounds)


@dataclass(frozen=True)
class Tally:
    """What became of every wager in some shoes. Tallies of different shoes add up, in any order."""

    game: Game
    shoes: int
    rounds: int
    outcomes: Mapping[Outcomes, int]
    """In how many rounds the wagers, in the order of the paytables, had these outcomes together."""

    def __add__(self, other: "Tally") -> "Tally":
        outcomes = dict(self.outcomes)
        for outcome, rounds in other.outcomes.items():
            outcomes[outcome] = outcomes.get(outcome, 0) + rounds
        return Tally(self.game, self.shoes + other.shoes, self.rounds + other.rounds, outcomes)

    @cached_property
    def lines(self) -> dict[str, tuple[int, ...]]:
        """By wager: how often each line decided, and then how often each bonus was paid, as in `WagerOdds.lines`."""
        found = {}
        for place, wager in enumerate(self.game.paytables.values()):
            counts = [0] * (len(wager.lines) + len(wager.bonuses))
            for outcomes, rounds in self.outcomes.items():
                outcome = outcomes[place]
                if outcome.line is not None:
                    counts[outcome.line] += rounds
                for bonus in outcome.bonuses:
                    counts[len(wager.lines) + bonus] += rounds
            found[wager.id] = tuple(counts)
        return found

    def net(self, wager: str) -> Fraction:
        """What a unit on every round won in all, fixed amounts left out."""
        place, paytable = [*self.game.paytables].index(wager), self.game.paytables[wager]
        won: dict[Outcome, int] = {}
        for outcomes, rounds in self.outcomes.items():
            won[outcomes[place]] = won.get(outcomes[place], 0) + rounds
        return sum((paytable.net_per_unit(outcome) * rounds for outcome, rounds in won.items()), Fraction(0))


def cores() -> int:
    """How many threads there are by default: as many as this process may use cores."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def tally(job: Job, first: int, shoes: int, threads: int | None = None) -> Tally:
    """Deal the shoes numbered from first on. The counts do not depend on the threads, nor on how shoes are split."""
    if first < 0 or shoes < 0 or first + shoes > SHOES:
        raise InputError("wrong-shoes", f"Shoes are numbered from 0 to {SHOES - 1}.")
    kernel = _kernel()
    if not job.tables.fits:
        return _settled_one_by_one(job, first, shoes)
    threads = min(threads or cores(), shoes // 64 + 1) if kernel is compiled_kernel else 1
    block = min(BLOCK, -(-shoes // threads // 256) * 64) or BLOCK
    blocks = count()

    def work() -> "array[Any]":
        tallies = array("Q", bytes(8 * DETAIL_CELLS))
        while (start := next(blocks) * block) < shoes:
            _tally_block(kernel, job, first + start, min(block, shoes - start), tallies)
        return tallies

    if threads == 1:
        counted = [work()]
    else:
        with ThreadPoolExecutor(threads) as pool:
            counted = list(pool.map(lambda _: work(), range(threads)))
    outcomes: dict[Outcomes, int] = {}
    for tallies in counted:
        for cell, rounds in enumerate(tallies[: CELLS_OF_A_DETAIL * job.tables.details]):
            if rounds:
                outcome = job.tables.outcomes(cell)
                outcomes[outcome] = outcomes.get(outcome, 0) + rounds
    return Tally(job.game, shoes, sum(outcomes.values()), outcomes)


def _tally_block(kernel: Kernel, job: Job, first: int, shoes: int, tallies: "array[Any]") -> None:
    kernel.tally(*job.for_kernel, first, shoes, kernel.instructions(), tallies)


class DealtRound(NamedTuple):
    """One round of a shoe."""

    deal: Deal
    cell: int


def deal(job: Job, shoe: int) -> Iterator[DealtRound]:
    """The rounds of one shoe, card by card: those that `tally` counts."""
    (dealt,) = _kernel().deal(*job.for_kernel, shoe, 1)
    card_of = _cards_by_face(job.game.pack)
    for start in range(0, len(dealt), 8):
        player, banker = [
            tuple([card_of[face] for face in dealt[at : at + 3] if face != NO_CARD]) for at in (start, start + 3)
        ]
        yield DealtRound(Deal(player, banker), dealt[start + 6] + 256 * dealt[start + 7])


def shown_card(job: Job, shoe: int) -> Card | None:
    """The card that everybody saw before the burn of one shoe; None where nothing is burned."""
    (face,) = _kernel().shown_cards(*job.for_kernel, shoe, 1)
    return None if face == NO_CARD else _cards_by_face(job.game.pack)[face]


def _cards_by_face(pack: Pack) -> dict[int, Card]:
    """The cards by the numbers that the kernel has for them."""
    return {card.rank_index * SUITS + card.index // len(pack.ranks): card for card in pack.cards}


def _settled_one_by_one(job: Job, first: int, shoes: int) -> Tally:
    """For wagers that look at more than a cell can tell: slow, and right."""
    outcomes: dict[Outcomes, int] = {}
    for shoe in range(first, first + shoes):
        for dealt in deal(job, shoe):
            outcome = job.tables.decide(read_facts(dealt.deal))
            outcomes[outcome] = outcomes.get(outcome, 0) + 1
    return Tally(job.game, shoes, sum(outcomes.values()), outcomes)
