"""The five baccarat roads as pure functions of the rounds of one shoe, oldest first.

The derived roads read the *logical* columns of the big road: one column for each run of the same winner,
as tall as the run is long, ties left out. Only the drawing bends a column when it meets the bottom or an
older tail, so no mark ever depends on how a road is drawn.

A tie is counted on the latest cell of the big road. Ties before the first winner have no such cell:

- ``leading_tie="attach"``: they wait (``BigRoad.waiting_ties``), the road stays empty, and the first cell
  takes them.
- ``leading_tie="own-column"``: one cell ``"T"`` at the top of column 0 counts them from the first tie on, and
  the first run starts in column 1. That cell is only drawn: it is no logical column, so the derived roads are
  the same either way.

>>> shoe = roads(parse_results("BBPPPBPBB"))
>>> shoe.big_road.heights, shoe.big_eye_boy.marks, shoe.ask_banker
((2, 3, 1, 1, 2), 'RBBBRB', Ask(big_eye_boy='R', small_road='R', cockroach_pig='R'))
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Literal, NamedTuple, get_args

from puntobanco.cards import Deal
from puntobanco.errors import InputError
from puntobanco.rules import facts
from puntobanco.rules.facts import read_facts

Letter = Literal["B", "P", "T"]
Colour = Literal["R", "B"]
LeadingTie = Literal["attach", "own-column"]
Tail = Literal["hold", "drop"]

LETTERS: dict[facts.Winner, Letter] = {facts.Winner.BANKER: "B", facts.Winner.PLAYER: "P", facts.Winner.TIE: "T"}

NO_PREDICTION = "Roads record what has happened; they do not predict the next round."


@dataclass(frozen=True, slots=True)
class Result:
    """One completed round as the roads see it; a total that is not known is None."""

    winner: Letter
    banker_pair: bool = False
    player_pair: bool = False
    player_total: int | None = None
    banker_total: int | None = None
    special_wins: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.winner not in get_args(Letter):
            raise ValueError(f"winner is {_shown(self.winner)}: it must be B, P or T")
        for name, total in (("player_total", self.player_total), ("banker_total", self.banker_total)):
            if total is not None and (type(total) is not int or not 0 <= total <= 9):
                raise ValueError(f"{name} is {_shown(total)}: it must be a whole number from 0 to 9")
        if self.player_total is not None and self.banker_total is not None:
            lead = self.banker_total - self.player_total
            if self.winner != ("B" if lead > 0 else "P" if lead < 0 else "T"):
                raise ValueError(
                    f"winner {self.winner} does not agree with the totals, "
                    f"player {self.player_total} and banker {self.banker_total}"
                )

    @property
    def winning_total(self) -> int | None:
        """The total of the winning hand; on a tie the total of either."""
        if self.winner == "P":
            return self.player_total
        if self.winner == "T" and self.banker_total is None:
            return self.player_total
        return self.banker_total


@dataclass(frozen=True, slots=True)
class RoadSettings:
    """House choices in drawing; ``bead_plate_columns=None`` is a plate that never fills."""

    leading_tie: LeadingTie = "attach"
    tail: Tail = "hold"
    rows: int = 6
    bead_plate_columns: int | None = None

    def __post_init__(self) -> None:
        if self.leading_tie not in get_args(LeadingTie):
            raise ValueError(f"leading_tie is {self.leading_tie!r}: it must be one of {get_args(LeadingTie)}")
        if self.tail not in get_args(Tail):
            raise ValueError(f"tail is {self.tail!r}: it must be one of {get_args(Tail)}")
        if self.rows < 1:
            raise ValueError(f"rows is {self.rows}: it must be at least 1")
        if self.bead_plate_columns is not None and self.bead_plate_columns < 1:
            raise ValueError(f"bead_plate_columns is {self.bead_plate_columns}: it must be at least 1")


DEFAULT_SETTINGS = RoadSettings()


def results_of(deals: Iterable[Deal]) -> tuple[Result, ...]:
    """Finished deals as the roads see them; those of void rounds are on no road and are left out by the caller."""
    found = []
    for each in map(read_facts, deals):
        found.append(
            Result(
                LETTERS[each.winner],
                banker_pair=each.banker_pair is not None,
                player_pair=each.player_pair is not None,
                player_total=each.player_total,
                banker_total=each.banker_total,
            )
        )
    return tuple(found)


class Bead(NamedTuple):
    """A square of the bead plate."""

    column: int
    row: int
    result: Result


class BigRoadCell(NamedTuple):
    """A drawn square of the big road; "T" only for leading ties in a column of their own."""

    column: int
    row: int
    winner: Letter
    ties: int


class LogicalColumn(NamedTuple):
    """A run of one winner: the ties counted on each of its cells, from the top."""

    winner: Letter
    ties: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BigRoad:
    """The big road, logical and drawn."""

    columns: tuple[LogicalColumn, ...]
    cells: tuple[BigRoadCell, ...]
    waiting_ties: int

    @property
    def heights(self) -> tuple[int, ...]:
        """The height of each logical column."""
        return tuple(len(column.ties) for column in self.columns)


class Mark(NamedTuple):
    """A drawn square of a derived road."""

    column: int
    row: int
    colour: Colour


@dataclass(frozen=True, slots=True)
class DerivedRoad:
    """The marks of a derived road, oldest first, as a string of R and B, and as drawn."""

    marks: str
    cells: tuple[Mark, ...]


class Ask(NamedTuple):
    """The mark the next round would add to each derived road; None where it would add none."""

    big_eye_boy: Colour | None
    small_road: Colour | None
    cockroach_pig: Colour | None


@dataclass(frozen=True, slots=True)
class Roads:
    """All five roads of a shoe, with the marks that a Banker or a Player win would add."""

    bead_plate: tuple[Bead, ...]
    big_road: BigRoad
    big_eye_boy: DerivedRoad
    small_road: DerivedRoad
    cockroach_pig: DerivedRoad
    ask_banker: Ask
    ask_player: Ask


def roads(results: Iterable[Result], settings: RoadSettings = DEFAULT_SETTINGS) -> Roads:
    """Every road of the completed, not voided rounds of a shoe, oldest first."""
    results = tuple(results)
    big = big_road(results, settings)
    heights = big.heights
    latest = big.columns[-1].winner if big.columns else None
    return Roads(
        bead_plate=bead_plate(results, settings),
        big_road=big,
        big_eye_boy=derived_road(heights, 1, settings),
        small_road=derived_road(heights, 2, settings),
        cockroach_pig=derived_road(heights, 3, settings),
        ask_banker=ask(heights, repeats=latest == "B"),
        ask_player=ask(heights, repeats=latest == "P"),
    )


def bead_plate(results: Sequence[Result], settings: RoadSettings = DEFAULT_SETTINGS) -> tuple[Bead, ...]:
    """Every round, ties too, down each column in turn; from a full plate the oldest whole column goes."""
    rows, limit = settings.rows, settings.bead_plate_columns
    columns = -(-len(results) // rows)
    gone = 0 if limit is None else max(0, columns - limit) * rows
    return tuple(Bead(place // rows, place % rows, result) for place, result in enumerate(results[gone:]))


def big_road(results: Iterable[Result], settings: RoadSettings = DEFAULT_SETTINGS) -> BigRoad:
    """Runs of the same winner, each a column, with the ties that followed each cell."""
    runs: list[tuple[Letter, list[int]]] = []
    leading_ties = 0
    for result in results:
        winner = result.winner
        if winner == "T":
            if runs:
                runs[-1][1][-1] += 1
            else:
                leading_ties += 1
        elif runs and runs[-1][0] == winner:
            runs[-1][1].append(0)
        else:
            runs.append((winner, [0]))

    own_column = settings.leading_tie == "own-column" and leading_ties > 0
    if runs and not own_column:
        runs[0][1][0] += leading_ties

    columns = tuple(LogicalColumn(winner, tuple(ties)) for winner, ties in runs)
    squares = _squares((len(column.ties) for column in columns), settings, first_column=int(own_column))
    counted = ((column.winner, ties) for column in columns for ties in column.ties)
    cells = tuple(BigRoadCell(*square, winner, ties) for square, (winner, ties) in zip(squares, counted, strict=True))
    if own_column:
        cells = (BigRoadCell(0, 0, "T", leading_ties), *cells)
    return BigRoad(columns, cells, waiting_ties=0 if runs or own_column else leading_ties)


def derived_road(heights: Sequence[int], step: int, settings: RoadSettings = DEFAULT_SETTINGS) -> DerivedRoad:
    """A derived road: step 1 is the Big Eye Boy, 2 the Small Road, 3 the Cockroach Pig."""
    marks = derived_marks(heights, step)
    runs = (len(list(run)) for _, run in groupby(marks))
    squares = _squares(runs, settings)
    cells = tuple(Mark(*square, colour) for square, colour in zip(squares, marks, strict=True))
    return DerivedRoad("".join(marks), cells)


def derived_marks(heights: Sequence[int], step: int) -> list[Colour]:
    """The colours of a derived road, oldest first, from the heights of the logical columns."""
    marks: list[Colour] = []
    for column, height in enumerate(heights):
        if column - 1 - step >= 0:
            marks.append(_colour_of_new_column(heights, column, step))
        if column - step >= 0:
            marks.extend(_colour_of_next_cell(heights, column, row, step) for row in range(1, height))
    return marks


def ask(heights: Sequence[int], *, repeats: bool) -> Ask:
    """The marks of the next winner, who either repeats the latest one or starts a new column."""
    columns = len(heights)

    def colour(step: int) -> Colour | None:
        if columns - 1 - step < 0:
            return None
        if repeats:
            return _colour_of_next_cell(heights, columns - 1, heights[-1], step)
        return _colour_of_new_column(heights, columns, step)

    return Ask(colour(1), colour(2), colour(3))


def _colour_of_new_column(heights: Sequence[int], column: int, step: int) -> Colour:
    return "R" if heights[column - 1] == heights[column - 1 - step] else "B"


def _colour_of_next_cell(heights: Sequence[int], column: int, row: int, step: int) -> Colour:
    # The cell beside this one and the cell above that are both filled or both empty, unless the older column
    # ends between the two.
    return "B" if heights[column - step] == row else "R"


def _squares(run_lengths: Iterable[int], settings: RoadSettings, first_column: int = 0) -> Iterator[tuple[int, int]]:
    """Where runs are drawn: down from row 0, and to the right where the way down is shut."""
    drops = settings.tail == "drop"
    taken: set[tuple[int, int]] = set()
    start = first_column
    for length in run_lengths:
        # A tail may lie along row 0 itself; the next run then starts beyond it.
        while (start, 0) in taken:
            start += 1
        square, turned = (start, 0), False
        taken.add(square)
        yield square
        for _ in range(length - 1):
            column, row = square
            below = (column, row + 1)
            if row + 1 < settings.rows and below not in taken and (drops or not turned):
                square = below
            else:
                # This square is always free: an older run that reached it would have come through this column
                # at this row or above, and so would have stopped this run higher up.
                turned = True
                square = (column + 1, row)
            taken.add(square)
            yield square


def parse_results(text: str) -> tuple[Result, ...]:
    """Read letters, such as ``BBPTP``, or JSON objects, one a line; void rounds are left out."""
    return _parse_json_lines(text) if text.lstrip().startswith("{") else _parse_letters(text)


_BY_LETTER = {letter: Result(winner) for winner in get_args(Letter) for letter in (winner, winner.lower())}
_WINNERS: dict[str, Letter] = {"banker": "B", "b": "B", "player": "P", "p": "P", "tie": "T", "t": "T"}


def _parse_letters(text: str) -> tuple[Result, ...]:
    results = []
    for position, letter in enumerate(text, start=1):
        if letter in _BY_LETTER:
            results.append(_BY_LETTER[letter])
        elif not letter.isspace():
            raise InputError(
                "unreadable-results",
                f"{letter!a} at position {position} is not a result: "
                "write B (Banker), P (Player) or T (Tie), or one JSON object a line.",
            )
    return tuple(results)


def _parse_json_lines(text: str) -> tuple[Result, ...]:
    results = []
    # Only "\n" ends a line: splitlines would also cut at characters that JSON allows inside a string.
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            fields = _parse_object(line)
            if not _flag(fields, "void"):
                results.append(_parse_fields(fields))
        except ValueError as problem:
            reason = str(problem).removesuffix(".")
            raise InputError("unreadable-results", f"Line {number} of the results: {reason}.") from None
    return tuple(results)


def _parse_object(line: str) -> dict[str, Any]:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        fields = None
    if not isinstance(fields, dict):
        raise ValueError('it is not a JSON object such as {"winner": "banker"}')
    return fields


def _parse_fields(fields: dict[str, Any]) -> Result:
    if "winner" not in fields:
        told = "it tells of an error, not of a round" if "error" in fields else "it has no winner"
        raise ValueError(f'{told}: write {{"winner": "banker"}}, "player" or "tie"')
    winner = fields["winner"]
    if not isinstance(winner, str) or winner.lower() not in _WINNERS:
        raise ValueError(f"winner is {_shown(winner)}: it must be banker, player, tie, B, P or T")
    special_wins = fields.get("special_wins", [])
    if not isinstance(special_wins, list) or not all(isinstance(name, str) for name in special_wins):
        raise ValueError(f"special_wins is {_shown(special_wins)}: it must be a list of names")
    return Result(
        _WINNERS[winner.lower()],
        banker_pair=_flag(fields, "banker_pair"),
        player_pair=_flag(fields, "player_pair"),
        player_total=fields.get("player_total"),
        banker_total=fields.get("banker_total"),
        special_wins=tuple(special_wins),
    )


def _flag(fields: dict[str, Any], name: str) -> bool:
    flag = fields.get(name, False)
    if not isinstance(flag, bool):
        raise ValueError(f"{name} is {_shown(flag)}: it must be true or false")
    return flag


def _shown(value: object) -> str:
    """A value for an error message, cut short because it may be as long as a whole file."""
    text = ascii(value)
    return text if len(text) <= 40 else f"{text[:40]}..."


def as_json(shoe: Roads) -> dict[str, Any]:
    """The roads as JSON values.

    A bead is [column, row, winner, banker pair, player pair, winning total or null, special wins].
    """
    return {
        "bead_plate": {
            "cells": [
                [
                    bead.column,
                    bead.row,
                    bead.result.winner,
                    bead.result.banker_pair,
                    bead.result.player_pair,
                    bead.result.winning_total,
                    list(bead.result.special_wins),
                ]
                for bead in shoe.bead_plate
            ]
        },
        "big_road": {
            "heights": list(shoe.big_road.heights),
            "cells": [list(cell) for cell in shoe.big_road.cells],
        },
        "big_eye_boy": _derived_as_json(shoe.big_eye_boy),
        "small_road": _derived_as_json(shoe.small_road),
        "cockroach_pig": _derived_as_json(shoe.cockroach_pig),
        "ask": {"banker": shoe.ask_banker._asdict(), "player": shoe.ask_player._asdict()},
    }


def _derived_as_json(road: DerivedRoad) -> dict[str, Any]:
    return {"marks": road.marks, "cells": [list(cell) for cell in road.cells]}
