"""How far a long command is, on standard error: the same columns for every command."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from rich.progress import Progress

BAR_WIDTH = 40
STEPS_TOLD = 10
SECONDS_UNTOLD = 0.05


class Step(Protocol):
    """To be called whenever work is done, with how much of it there was."""

    def __call__(self, done: int = 1) -> None: ...


@contextmanager
def progress(what: str, total: int, *, wanted: bool | None = None) -> Iterator[Step]:
    """A bar where somebody watches; with `wanted`, lines also where nobody does."""
    if sys.stderr.isatty() and wanted is not False:
        with progress_bar(what) as bar:
            task = bar.add_task(what, total=total)
            watched = _Watched(lambda done: bar.advance(task, done))
            yield watched.step
            watched.tell()
    else:
        yield _told_in_lines(what, total) if wanted else _nothing_told


class _Watched:
    """Gathers small steps: to tell each of a million would take longer than the work."""

    def __init__(self, advance: Callable[[float], None]) -> None:
        self._advance, self._untold = advance, 0
        self._told_at = perf_counter()

    def step(self, done: int = 1) -> None:
        self._untold += done
        if perf_counter() - self._told_at > SECONDS_UNTOLD:
            self.tell()

    def tell(self) -> None:
        self._advance(self._untold)
        self._untold, self._told_at = 0, perf_counter()


def progress_bar(what: str) -> "Progress":
    """Name, bar, figures and the time left; in a narrow terminal the bar gives way and the figures stay whole."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
    from rich.table import Column

    return Progress(
        TextColumn(what),
        BarColumn(None, table_column=Column(ratio=1, min_width=1, max_width=BAR_WIDTH)),
        TextColumn("{task.completed:,.0f}/{task.total:,.0f}"),
        TimeRemainingColumn(),
        console=Console(file=sys.stderr),
        transient=True,
        expand=True,
    )


def _nothing_told(done: int = 1) -> None:
    """Where nobody watches and nobody asked."""


def _told_in_lines(what: str, total: int) -> Step:
    so_far = 0

    def step(done: int = 1) -> None:
        nonlocal so_far
        before, so_far = so_far, so_far + done
        if so_far * STEPS_TOLD // total > before * STEPS_TOLD // total:
            print(f"{what}: {so_far:,} of {total:,}", file=sys.stderr)

    return step
