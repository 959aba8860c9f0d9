"""A simulation under way: dealt in short steps, watched on standard error, to be ended at any time."""

import sys
from math import ceil
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from puntobanco.cli.columns import signed
from puntobanco.cli.progress import progress_bar
from puntobanco.odds.pricing import Odds
from puntobanco.simulate import jobs
from puntobanco.simulate.jobs import Job, Tally, tally
from puntobanco.simulate.report import compare

if TYPE_CHECKING:
    from rich.console import Group
    from rich.live import Live
    from rich.progress import Progress

    from puntobanco.simulate.parquet import RoundFile

STEP_SECONDS = 0.25
"""Ctrl-C waits for a step to end."""
FIRST_STEP, FIRST_STEP_WITHOUT_KERNEL = 4_096, 4
SHOES_WRITTEN_AT_ONCE = 2_000
SECONDS_UNWATCHED = 0.5
"""What is over sooner needs no bar, and not the time to load what draws it."""
CHECKPOINTS = 60
LAST_OF = 1_000
"""A curve begins where there was this share of all shoes; before that it leaves any scale."""


class Checkpoint(NamedTuple):
    """The estimates after some rounds."""

    rounds: int
    evs: dict[str, float]


class Simulation:
    """Shoes of a job dealt from the first on, here or on a cluster; `tally` is what there is so far."""

    def __init__(
        self,
        job: Job,
        odds: Odds,
        *,
        threads: int | None = None,
        cluster: str | None = None,
        wait: float | None = None,
        file: "RoundFile | None" = None,
        plotted: bool = False,
    ) -> None:
        self.job = job
        self.odds = odds
        self.threads = threads
        self.cluster = cluster
        self.wait = wait
        self.file = file
        self.plotted = plotted
        self.tally = Tally(job.game, 0, 0, {})
        self.checkpoints: list[Checkpoint] = []
        self._start = perf_counter()
        self._ended = self._start
        self._step = FIRST_STEP if jobs.available else FIRST_STEP_WITHOUT_KERNEL
        self._live: Live | None = None
        self._bar: Progress | None = None

    @property
    def seconds(self) -> float:
        """How long the dealing took; never nothing, so that it can be divided by."""
        return max(self._ended - self._start, 1e-9)

    def deal_until(self, shoes: int) -> None:
        """Deal until so many shoes have been dealt in all."""
        try:
            if self.cluster is not None:
                self._deal_on_cluster(self.cluster, shoes)
            else:
                self._deal_here(shoes)
        finally:
            self._ended = perf_counter()
            if self._live is not None:
                self._live.stop()
                self._live = None

    def _deal_here(self, shoes: int) -> None:
        # The curve is drawn at the same places whatever the speed of the machine.
        shares = [LAST_OF ** -(place / CHECKPOINTS) for place in range(CHECKPOINTS)] if self.plotted else [1.0]
        places = {ceil(shoes * share) for share in shares}
        for place in sorted(place for place in places if place > self.tally.shoes):
            while self.tally.shoes < place:
                step = min(self._step, place - self.tally.shoes)
                start = perf_counter()
                if self.file is not None:
                    step = min(step, SHOES_WRITTEN_AT_ONCE)
                    self.file.write(step)
                self._reach(self.tally + tally(self.job, self.tally.shoes, step, self.threads), shoes)
                took = perf_counter() - start
                if step == self._step:
                    self._step = max(1, int(step * min(max(STEP_SECONDS / took, 0.25), 8)))
            self._mark()

    def _deal_on_cluster(self, address: str, shoes: int) -> None:
        from puntobanco.simulate.cluster import Patience, tally_on_cluster  # Only needed with --engine.

        before = self.tally

        def report(done: Tally) -> None:
            self._reach(before + done, shoes)
            self._mark()

        patience = Patience() if self.wait is None else Patience(seconds_without_workers=self.wait)
        done = tally_on_cluster(
            address, self.job, before.shoes, shoes - before.shoes, report, notice=self.say, patience=patience
        )
        self._reach(before + done, shoes)

    def say(self, sentence: str) -> None:
        """One line on standard error, above what is drawn there."""
        if self._live is not None:
            self._live.stop()
            self._live = None
        print(f"puntobanco: {sentence}", file=sys.stderr, flush=True)

    def _mark(self) -> None:
        if self.plotted and self.tally.rounds:
            evs = {name: float(self.tally.net(name) / self.tally.rounds) for name in self.odds.wagers}
            self.checkpoints.append(Checkpoint(self.tally.rounds, evs))

    def _reach(self, done: Tally, wanted: int) -> None:
        self.tally = done
        self._ended = perf_counter()
        if done.shoes < wanted and self.seconds > SECONDS_UNWATCHED and sys.stderr.isatty():
            if self._live is None:
                from rich.console import Console
                from rich.live import Live

                self._live = Live(console=Console(file=sys.stderr), transient=True, auto_refresh=False)
                self._live.start()
            self._live.update(self._picture(wanted), refresh=True)

    def _picture(self, wanted: int) -> "Group":
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        found = compare(self.tally, self.odds)
        if self._bar is None:
            self._bar = progress_bar("shoes")
            self._bar.add_task("shoes")
        (task,) = self._bar.task_ids
        self._bar.update(task, completed=self.tally.shoes, total=wanted)
        told = Text(f"{found.rounds:,} rounds, {found.rounds / self.seconds / 1e6:,.1f} million a second")
        estimates = Table("wager", "simulated", "95%", "exact", "z", box=None)
        for wager in found.wagers.values():
            estimates.add_row(
                Text(wager.odds.wager.name),
                signed(wager.ev, 6),
                f"± {wager.half_interval:.6f}",
                signed(wager.odds.ev, 6),
                signed(wager.z, 2),
            )
        return Group(self._bar.get_renderable(), told, estimates)
