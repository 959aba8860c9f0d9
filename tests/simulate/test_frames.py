"""Results as NumPy, Arrow and pandas: the same numbers in three forms."""

import sys
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pandas.api.types import is_bool_dtype, is_float_dtype, is_integer_dtype

from contract.games import every_game
from puntobanco import Game, Shoe, find_game
from puntobanco.errors import MissingPackage
from puntobanco.odds import odds
from puntobanco.simulate import Tally, prepare, tally
from puntobanco.simulate.frames import Columns, line_columns, to_arrow, to_numpy, to_pandas, wager_columns
from puntobanco.simulate.report import Comparison, compare

pytestmark = pytest.mark.filterwarnings("ignore:puntobanco was built without:RuntimeWarning")


MADE = prepare(find_game("manila"), 5).provenance


def counted(game: Game, shoes: int = 20) -> Tally:
    return tally(prepare(game, 5), 0, shoes)


def compared(game: Game) -> Comparison:
    return compare(counted(game), odds(game))


@every_game
def test_a_row_for_every_line_of_every_wager(game: Game) -> None:
    found = compared(game)
    columns = line_columns(found)
    rows = iter(zip(*columns.values(), strict=True))
    for wager in found.wagers.values():
        for line in wager.lines:
            row = dict(zip(columns, next(rows), strict=True))
            assert (row["wager"], row["line"]) == (wager.odds.wager.id, line.odds.line.label)
            assert (row["on_top"], row["clause"]) == (line.odds.on_top, line.odds.line.clause)
            assert row["pays"] == (str(line.odds.line.pays) if line.odds.line.pays else "push")
            assert (row["count"], row["rounds"], row["frequency"]) == (line.count, found.rounds, line.frequency)
            assert (row["low"], row["high"]) == line.interval
            assert (row["probability"], row["z"]) == (float(line.odds.probability), line.z)
    assert next(rows, None) is None
    without = line_columns(found.tally)
    assert without == {name: columns[name] for name in without}
    assert [*columns][len(without) :] == ["low", "high", "probability", "z"]


def test_a_row_for_every_wager() -> None:
    found = compared(find_game("six-star"))
    columns = wager_columns(found)
    assert columns["wager"] == [*found.wagers]
    for place, wager in enumerate(found.wagers.values()):
        assert columns["shoes"][place] == 20
        assert columns["rounds"][place] == found.rounds
        assert columns["net"][place] == float(wager.net)
        assert columns["ev"][place] == float(wager.ev)
        assert columns["standard_error"][place] == wager.standard_error
        assert columns["exact_ev"][place] == float(wager.odds.ev)
        assert columns["z"][place] == wager.z
    without = wager_columns(found.tally)
    assert without == {name: columns[name] for name in without}
    assert [*columns][len(without) :] == ["standard_error", "exact_ev", "z"]


def as_lists(columns: Columns) -> list[Columns]:
    array, frame = to_numpy(columns), to_pandas(columns)
    return [
        {name: array[name].tolist() for name in array.dtype.names or ()},
        to_arrow(columns, MADE).to_pydict(),
        {name: frame[name].tolist() for name in frame.columns},
    ]


@pytest.mark.parametrize("of", [line_columns, wager_columns])
@pytest.mark.parametrize("name", ["manila", "six-star"])
def test_all_forms_hold_the_same(of: Any, name: str) -> None:
    found = compared(find_game(name))
    for given in (found, found.tally):
        columns = of(given)
        assert as_lists(columns) == [columns] * 3


@pytest.mark.parametrize("shoes", [0, 1])
def test_types_do_not_depend_on_the_values(shoes: int) -> None:
    """Not even where nothing was dealt and no frequency is known."""
    columns = line_columns(counted(find_game("manila"), shoes))
    array, table, frame = to_numpy(columns), to_arrow(columns, MADE), to_pandas(columns)
    kinds = {name: array[name].dtype.str.lstrip("<|") for name in ("count", "on_top", "frequency")}
    assert kinds == {"count": "i8", "on_top": "b1", "frequency": "f8"}
    assert array["line"].dtype.kind == "U"
    assert table.schema.field("on_top").type == pa.bool_()
    assert table.schema.field("count").type == pa.int64()
    assert table.schema.field("frequency").type == pa.float64()
    assert is_bool_dtype(frame["on_top"])
    assert is_integer_dtype(frame["count"])
    assert is_float_dtype(frame["frequency"])
    assert np.isnan(array["frequency"]).all() == (shoes == 0)
    assert np.isnan(to_numpy(wager_columns(counted(find_game("manila"), shoes)))["ev"]).all() == (shoes == 0)


@pytest.mark.parametrize(
    ("form", "package", "extra"),
    [
        (to_numpy, "numpy", "arrow"),
        (partial(to_arrow, made=MADE), "pyarrow", "arrow"),
        (to_pandas, "pandas", "research"),
    ],
)
def test_a_missing_package_is_told_in_a_sentence(
    form: Any, package: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    columns = wager_columns(counted(find_game("manila"), 1))
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingPackage) as caught:
        form(columns)
    assert str(caught.value) == (
        f"This form of the results is made with {package}, which is not installed: pip install '.[{extra}]' "
        "in the checkout."
    )


def test_an_arrow_table_says_what_it_was_made_from_as_a_parquet_file_does() -> None:
    game = find_game("six-star").read_as(rounding="up")
    job = prepare(game, 7, Shoe.full(game.pack, 6), rounds=9)
    held = to_arrow(line_columns(tally(job, 0, 1)), job.provenance).schema.metadata
    assert held == {name.encode(): text.encode() for name, text in job.provenance.as_metadata().items()}
    assert held[b"puntobanco.rules_digest"].decode() == game.digest
    assert (held[b"puntobanco.decks"], held[b"puntobanco.seed"], held[b"puntobanco.rounds_per_shoe"]) == (
        b"6",
        b"7",
        b"9",
    )
    less = Shoe.full(game.pack, 6).without([game.pack.card("9f")])
    made = prepare(game, 7, less).provenance
    assert (made.decks, made.shoe) == (None, less)
