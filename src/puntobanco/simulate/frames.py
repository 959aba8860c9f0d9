"""Results for researchers: a tally, or its comparison with the exact odds, as NumPy, Arrow or pandas.

found = line_columns(compare(tally(job, 0, 1000), odds(job.game)))
to_pandas(found).query("abs(z) > 3")
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from puntobanco.extras import optional_package
from puntobanco.provenance import Provenance
from puntobanco.simulate.jobs import Tally
from puntobanco.simulate.report import Comparison

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    import pyarrow as pa

Columns = dict[str, list[Any]]
"""By name, columns of one length, each of str, bool, int or float."""

KINDS = {
    "wager": str,
    "line": str,
    "on_top": bool,
    "clause": str,
    "pays": str,
    "count": int,
    "shoes": int,
    "rounds": int,
}
"""Of the columns that hold no floats."""


def line_columns(found: Tally | Comparison) -> Columns:
    """A row for every line of every wager and then for its bonuses; what is exact only beside a comparison.

    The columns are `wager`, `line`, `on_top` (a bonus), `clause`, `pays` (such as 8:1, or push), `count`, `rounds` and
    `frequency`; and then `low` and `high` (the 95% confidence interval), `probability` (exact) and `z`.
    """
    tally = found.tally if isinstance(found, Comparison) else found
    columns: Columns = {name: [] for name in ("wager", "line", "on_top", "clause", "pays", "count")}
    for wager in tally.game.paytables.values():
        for place, line in enumerate(wager.all_lines):
            pays = str(line.pays) if line.pays is not None else "push"
            count = tally.lines[wager.id][place]
            row = (wager.id, line.label, place >= len(wager.lines), line.clause, pays, count)
            for column, value in zip(columns.values(), row, strict=True):
                column.append(value)
    columns["rounds"] = [tally.rounds] * len(columns["count"])
    columns["frequency"] = [count / tally.rounds if tally.rounds else float("nan") for count in columns["count"]]
    if isinstance(found, Comparison):
        lines = [line for wager in tally.game.paytables for line in found.wagers[wager].lines]
        columns["low"] = [line.interval[0] for line in lines]
        columns["high"] = [line.interval[1] for line in lines]
        columns["probability"] = [float(line.odds.probability) for line in lines]
        columns["z"] = [line.z for line in lines]
    return columns


def wager_columns(found: Tally | Comparison) -> Columns:
    """A row for every wager; what is exact only beside a comparison. Fixed amounts are left out of all columns.

    The columns are `wager`, `shoes`, `rounds`, `net` (of a unit on every round) and `ev` (a round's); and then
    `standard_error` (of `ev`), `exact_ev` and `z`.
    """
    tally = found.tally if isinstance(found, Comparison) else found
    wagers = [*tally.game.paytables]
    nets = [tally.net(wager) for wager in wagers]
    columns: Columns = {
        "wager": [*wagers],
        "shoes": [tally.shoes] * len(wagers),
        "rounds": [tally.rounds] * len(wagers),
        "net": [float(net) for net in nets],
        "ev": [float(net / tally.rounds) if tally.rounds else float("nan") for net in nets],
    }
    if isinstance(found, Comparison):
        columns["standard_error"] = [found.wagers[wager].standard_error for wager in wagers]
        columns["exact_ev"] = [float(found.wagers[wager].odds.ev) for wager in wagers]
        columns["z"] = [found.wagers[wager].z for wager in wagers]
    return columns


def to_numpy(columns: Columns) -> "np.ndarray[Any, np.dtype[np.void]]":
    """A structured array, a field for each column."""
    numpy = _package("numpy")
    arrays = {name: numpy.array(values, KINDS.get(name, float)) for name, values in columns.items()}
    rows = len(next(iter(arrays.values())))
    table: np.ndarray[Any, np.dtype[np.void]] = numpy.empty(
        rows, [(name, array.dtype) for name, array in arrays.items()]
    )
    for name, array in arrays.items():
        table[name] = array
    return table


def to_arrow(columns: Columns, made: Provenance) -> "pa.Table":
    """An Arrow table, which goes on to Parquet, DuckDB, Polars and others without a copy.

    Its schema says what the results were made from, which is `job.provenance`, under the keys of the Parquet files.
    """
    arrow = _package("pyarrow")
    types = {str: arrow.string(), bool: arrow.bool_(), int: arrow.int64(), float: arrow.float64()}
    table: pa.Table = arrow.table(
        {name: arrow.array(values, types[KINDS.get(name, float)]) for name, values in columns.items()},
        metadata=made.as_metadata(),
    )
    return table


def to_pandas(columns: Columns) -> "pd.DataFrame":
    """A pandas data frame."""
    frame: pd.DataFrame = _package("pandas").DataFrame(columns)
    return frame.astype({name: KINDS.get(name, float) for name in columns})


def _package(name: str) -> Any:
    with optional_package(name, "This form of the results is made"):
        return import_module(name)
