"""Every simulated round as a row: for Arrow, and in chunks into a Parquet file.

Cards, totals, winner, and for each wager the line that decided it; nothing where the wager lost. The rows of some
shoes depend on the job alone, as the counts do, so a file can be made in parts.
"""

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import Any

from puntobanco.cards import shown
from puntobanco.errors import Fault
from puntobanco.extras import optional_package
from puntobanco.provenance import Provenance
from puntobanco.rules.facts import Winner, read_facts
from puntobanco.simulate import jobs, pure
from puntobanco.simulate.jobs import Job
from puntobanco.simulate.tables import CELLS_OF_A_DETAIL, NO_CARD, SUITS, Outcomes

SHOES_OF_A_CHUNK = 2_000
"""What is in memory at once: some ten megabytes, however many shoes are written."""
BYTES_OF_A_ROUND = 8
PLACES = ("player_1", "player_2", "player_3", "banker_1", "banker_2", "banker_3")


def load_pyarrow() -> Any:
    """The library that writes Parquet, which only those who want that have to install."""
    with optional_package("pyarrow", "Rounds are written"):
        import_module("pyarrow.compute")
        import_module("pyarrow.parquet")
        return import_module("pyarrow")


def round_batch(job: Job, first: int, shoes: int) -> Any:
    """The rounds of the shoes numbered from first on, a row each, as a `pyarrow.RecordBatch`."""
    arrow = load_pyarrow()
    dealt = (jobs.compiled_kernel or pure).deal(*job.for_kernel, first, shoes)
    lengths = [len(rounds) // BYTES_OF_A_ROUND for rounds in dealt]
    data = b"".join(dealt)
    columns: dict[str, Any] = {
        "shoe": arrow.array([first + place for place, length in enumerate(lengths) for _ in range(length)], "int64"),
        "round": arrow.array([number for length in lengths for number in range(1, length + 1)], "int16"),
    }
    faces = _face_names(job)
    for place, name in enumerate(PLACES):
        columns[name] = _card_column(arrow, data[place::BYTES_OF_A_ROUND], faces)
    cells, which_cell = _distinct_cells(arrow, data)
    totals = [divmod(cell % 128, 10) for cell in (cell % CELLS_OF_A_DETAIL for cell in cells)]
    columns["player_total"] = arrow.array([player for player, _ in totals], "int8").take(which_cell)
    columns["banker_total"] = arrow.array([banker for _, banker in totals], "int8").take(which_cell)
    columns["winner"] = _words(arrow, [_winner(*each) for each in totals], which_cell)
    if job.tables.fits:
        outcomes, which = [job.tables.outcomes(cell) for cell in cells], which_cell
    else:
        outcomes, which = _settled_one_by_one(arrow, job, first, shoes)
    for place, wager in enumerate(job.tables.wagers):
        decided = [each[place] for each in outcomes]
        labels = [None if each.line is None else wager.lines[each.line].label for each in decided]
        columns[f"line_{wager.id.replace('-', '_')}"] = _words(arrow, labels, which)
        if wager.bonuses:
            paid = [[wager.bonuses[bonus].label for bonus in each.bonuses] for each in decided]
            lists = arrow.array(paid, arrow.list_(arrow.string()))
            columns[f"bonuses_{wager.id.replace('-', '_')}"] = lists.take(which)
    return arrow.record_batch(columns)


def _face_names(job: Job) -> list[str]:
    """The cards in the order of the kernel's numbers: rank by rank, five suits each."""
    pack = job.game.pack
    names = [""] * (len(pack.ranks) * SUITS)
    for card in pack.cards:
        names[card.rank_index * SUITS + card.index // len(pack.ranks)] = str(card)
    return names


def _card_column(arrow: Any, faces: bytes, names: Sequence[str]) -> Any:
    numbers = arrow.Array.from_buffers(arrow.uint8(), len(faces), [None, arrow.py_buffer(faces)])
    is_dealt = arrow.compute.not_equal(numbers, NO_CARD)
    places = arrow.compute.if_else(is_dealt, numbers, None).cast("int8")
    return arrow.DictionaryArray.from_arrays(places, arrow.array(names))


def _distinct_cells(arrow: Any, data: bytes) -> tuple[list[int], Any]:
    """The cells that occur, and for each round the place of its own among them."""
    both = bytearray(len(data) // BYTES_OF_A_ROUND * 2)
    both[0::2], both[1::2] = data[6::BYTES_OF_A_ROUND], data[7::BYTES_OF_A_ROUND]
    cells = arrow.array(memoryview(bytes(both)).cast("H").tolist(), "uint16").dictionary_encode()
    return cells.dictionary.to_pylist(), cells.indices


def _winner(player_total: int, banker_total: int) -> str:
    if player_total == banker_total:
        return Winner.TIE.value
    return (Winner.PLAYER if player_total > banker_total else Winner.BANKER).value


def _words(arrow: Any, words: Sequence[str | None], which: Any) -> Any:
    """A column of few different words: each is stored once, and every batch has the same type."""
    distinct = list(dict.fromkeys(word for word in words if word is not None))
    places = arrow.array([None if word is None else distinct.index(word) for word in words], "int8")
    return arrow.DictionaryArray.from_arrays(places.take(which), arrow.array(distinct, "string"))


def _settled_one_by_one(arrow: Any, job: Job, first: int, shoes: int) -> tuple[list[Outcomes], Any]:
    """For wagers that look at more than a cell can tell, as in `jobs.tally`."""
    places: dict[Outcomes, int] = {}
    which = []
    for shoe in range(first, first + shoes):
        for dealt in jobs.deal(job, shoe):
            outcome = job.tables.decide(read_facts(dealt.deal))
            which.append(places.setdefault(outcome, len(places)))
    return list(places), arrow.array(which, "int32")


class RoundFile:
    """A Parquet file that grows shoe by shoe. Under its own name it appears when it is closed, complete."""

    def __init__(self, path: Path, job: Job, made: Provenance) -> None:
        arrow = load_pyarrow()
        self.path = path
        self.job = job
        self.shoes = 0
        """How many have been written, from the first on."""
        # A link is followed, so that what it points to is replaced and not the link.
        self._target = path.resolve()
        self._partial = self._target.with_name(f".{self._target.name}.{os.getpid()}.part")
        # A file goes from hand to hand without the command that made it, so it says itself what it holds.
        self._schema = round_batch(job, 0, 1).schema.with_metadata(made.as_metadata())
        self._writer = self._attempt(lambda: arrow.parquet.ParquetWriter(self._partial, self._schema))

    def write(self, shoes: int) -> None:
        """Deal and write the next shoes, a chunk at a time."""
        for start in range(0, shoes, SHOES_OF_A_CHUNK):
            chunk = min(SHOES_OF_A_CHUNK, shoes - start)
            batch = round_batch(self.job, self.shoes, chunk)
            self._attempt(partial(self._writer.write_batch, batch))
            self.shoes += chunk

    def __enter__(self) -> "RoundFile":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Keep the file, also where the patience of the person ended first; drop it after any other mishap."""
        try:
            if kind is None or issubclass(kind, KeyboardInterrupt):
                self._attempt(self._writer.close)
                self._attempt(lambda: self._partial.replace(self._target))
        finally:
            with suppress(OSError):
                self._writer.close()
            self._partial.unlink(missing_ok=True)

    def _attempt(self, work: Callable[[], Any]) -> Any:
        try:
            return work()
        except OSError as error:
            reason = error.strerror or "the disk refuses it"
            raise Fault("unwritable-file", f"{shown(self.path)} cannot be written: {reason}.") from None
