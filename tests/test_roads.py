"""The five roads against worked cases, the properties of any shoe, and a second implementation."""

import json
import random
import sys
from collections.abc import Callable
from dataclasses import FrozenInstanceError, replace
from itertools import product
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puntobanco.errors import InputError
from puntobanco.roads import (
    Ask,
    BigRoadCell,
    LeadingTie,
    Letter,
    Result,
    Roads,
    RoadSettings,
    Tail,
    as_json,
    bead_plate,
    parse_results,
    roads,
)

VECTORS_FILE = Path(__file__).parent / "vectors" / "roads.json"
VECTORS: list[dict[str, Any]] = json.loads(VECTORS_FILE.read_text("utf-8"))
TAILS: tuple[Tail, ...] = get_args(Tail)
LEADING_TIES: tuple[LeadingTie, ...] = get_args(LeadingTie)

shoes = st.text(alphabet="BPT", max_size=100)
# Runs this long turn right, pile their tails up to row 0, and meet each other there.
long_runs = st.lists(st.integers(1, 25), max_size=12).map(
    lambda lengths: "".join("BP"[place % 2] * length for place, length in enumerate(lengths))
)
any_shoe = shoes | long_runs
any_settings = st.builds(RoadSettings, leading_tie=st.sampled_from(LEADING_TIES), tail=st.sampled_from(TAILS))


def roads_of(letters: str, settings: RoadSettings | None = None) -> Roads:
    return roads(parse_results(letters), settings or RoadSettings())


def derived_of(letters: str) -> tuple[str, str, str]:
    shoe = roads_of(letters)
    return shoe.big_eye_boy.marks, shoe.small_road.marks, shoe.cockroach_pig.marks


def drawings_of(shoe: Roads) -> list[tuple[tuple[int, int, str], ...]]:
    """The four roads that are drawn in runs, as column, row and what stands there."""
    big = tuple((cell.column, cell.row, cell.winner) for cell in shoe.big_road.cells)
    return [big, shoe.big_eye_boy.cells, shoe.small_road.cells, shoe.cockroach_pig.cells]


def letters_of(ask: Ask) -> str:
    return "".join(mark or "-" for mark in ask)


# Worked cases.


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["id"])
@pytest.mark.parametrize("tail", TAILS)
def test_worked_case(vector: dict[str, Any], tail: Tail) -> None:
    shoe = roads_of(vector["sequence"], RoadSettings(tail=tail))
    found = {
        "column_heights": list(shoe.big_road.heights),
        "leading_ties": shoe.big_road.waiting_ties,
        "ties_per_cell": [list(column.ties) for column in shoe.big_road.columns],
        f"big_road_{tail}": [[cell.column, cell.row] for cell in shoe.big_road.cells],
        "big_eye_boy": shoe.big_eye_boy.marks,
        "small_road": shoe.small_road.marks,
        "cockroach_pig": shoe.cockroach_pig.marks,
        "ask_banker": letters_of(shoe.ask_banker),
        "ask_player": letters_of(shoe.ask_player),
    }
    assert {name: value for name, value in found.items() if name in vector} == {
        name: value for name, value in vector.items() if name in found
    }


def test_worked_cases_tell_the_two_tails_apart() -> None:
    assert len(VECTORS) == 13
    drawn_both_ways = [vector for vector in VECTORS if "big_road_drop" in vector]
    assert any(vector["big_road_hold"] != vector["big_road_drop"] for vector in drawn_both_ways)


# A second implementation, from the way players are taught: look at filled and empty cells, never at heights.


def marks_by_looking(letters: str, step: int) -> str:
    filled: set[tuple[int, int]] = set()
    column, row, previous = -1, 0, ""
    marks = ""

    def alike(left: int, depth: int) -> bool:
        return ((left, depth) in filled) == ((left, depth - 1) in filled)

    for winner in letters:
        if winner == previous:
            row += 1
            if column >= step:
                marks += "R" if alike(column - step, row) else "B"
        else:
            # A new column takes the opposite of the mark that one more of the old winner would have given.
            if column >= step:
                marks += "B" if alike(column - step, row + 1) else "R"
            column, row, previous = column + 1, 0, winner
        filled.add((column, row))
    return marks


@pytest.mark.parametrize("length", range(13))
def test_derived_roads_equal_the_second_implementation_on_every_shoe(length: int) -> None:
    for letters in product("BP", repeat=length):
        shoe = "".join(letters)
        assert derived_of(shoe) == tuple(marks_by_looking(shoe, step) for step in (1, 2, 3)), shoe


@given(long_runs)
def test_derived_roads_equal_the_second_implementation_on_long_runs(letters: str) -> None:
    assert derived_of(letters) == tuple(marks_by_looking(letters, step) for step in (1, 2, 3))


# Properties of any shoe.


@given(any_shoe)
def test_ask_marks_exist_together_and_are_opposite(letters: str) -> None:
    shoe = roads_of(letters)
    for banker, player in zip(shoe.ask_banker, shoe.ask_player, strict=True):
        assert {banker, player} in ({"R", "B"}, {None})


@given(any_shoe, st.sampled_from("BP"))
def test_ask_marks_are_those_that_the_next_winner_adds(letters: str, winner: str) -> None:
    now = roads_of(letters)
    asked = now.ask_banker if winner == "B" else now.ask_player
    added = tuple(
        after[len(before) :] or None
        for before, after in zip(derived_of(letters), derived_of(letters + winner), strict=True)
    )
    assert asked == added


@given(any_shoe)
def test_removing_ties_changes_no_derived_mark(letters: str) -> None:
    assert derived_of(letters.replace("T", "")) == derived_of(letters)


@given(any_shoe)
def test_swapping_banker_and_player_changes_no_derived_mark(letters: str) -> None:
    swapped = letters.translate(str.maketrans("BP", "PB"))
    assert derived_of(swapped) == derived_of(letters)
    assert roads_of(swapped).ask_player == roads_of(letters).ask_banker


@given(any_shoe, st.integers(0, 100), any_settings)
def test_a_later_round_moves_nothing_that_is_drawn(letters: str, length: int, settings: RoadSettings) -> None:
    before, after = roads_of(letters[:length], settings), roads_of(letters, settings)
    assert after.bead_plate[: len(before.bead_plate)] == before.bead_plate
    for earlier, later in zip(drawings_of(before), drawings_of(after), strict=True):
        assert later[: len(earlier)] == earlier


@given(any_shoe, any_settings)
def test_no_two_cells_share_a_square_and_all_are_in_six_rows(letters: str, settings: RoadSettings) -> None:
    shoe = roads_of(letters, settings)
    beads = [(bead.column, bead.row) for bead in shoe.bead_plate]
    drawn = ([(column, row) for column, row, _ in cells] for cells in drawings_of(shoe))
    for squares in (beads, *drawn):
        assert len(set(squares)) == len(squares)
        assert all(column >= 0 and 0 <= row < 6 for column, row in squares)


@given(any_shoe, any_settings)
def test_every_cell_is_where_the_drawing_rule_puts_it(letters: str, settings: RoadSettings) -> None:
    for cells in drawings_of(roads_of(letters, settings)):
        taken: set[tuple[int, int]] = set()
        start, turned = -1, False
        for place, (column, row, mark) in enumerate(cells):
            if place == 0 or mark != cells[place - 1][2]:
                start = next(free for free in range(start + 1, 1000) if (free, 0) not in taken)
                assert (column, row) == (start, 0)
                turned = False
            else:
                left, above = cells[place - 1][:2]
                shut = above == 5 or (left, above + 1) in taken
                turned = shut or (turned and settings.tail == "hold")
                assert (column, row) == ((left + 1, above) if turned else (left, above + 1))
            taken.add((column, row))


@given(any_shoe, any_settings)
def test_every_round_is_counted_once_on_the_big_road(letters: str, settings: RoadSettings) -> None:
    road = roads_of(letters, settings).big_road
    assert sum(road.heights) == len(letters) - letters.count("T")
    assert sum(cell.ties for cell in road.cells) + road.waiting_ties == letters.count("T")
    assert [cell.winner for cell in road.cells if cell.winner != "T"] == list(letters.replace("T", ""))


# Drawing.


def test_a_run_after_a_tail_along_the_top_row_starts_beyond_it() -> None:
    shoe = roads_of("".join(winner * 20 for winner in "BPBPBPB"))
    starts = [shoe.big_road.cells[place * 20][:2] for place in range(7)]
    # Six tails fill the rows from the bottom up; the sixth run lies along row 0 from column 5 to column 24.
    assert starts == [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (25, 0)]


def test_bead_plate_runs_down_its_columns_with_ties() -> None:
    cells = bead_plate(parse_results("BBPTPPB"))
    assert [(bead.column, bead.row, bead.result.winner) for bead in cells] == [
        (0, 0, "B"), (0, 1, "B"), (0, 2, "P"), (0, 3, "T"), (0, 4, "P"), (0, 5, "P"), (1, 0, "B"),
    ]  # fmt: skip


@pytest.mark.parametrize(("rounds", "first_kept"), [(11, 0), (12, 0), (13, 6), (18, 6), (19, 12)])
def test_a_full_bead_plate_loses_its_oldest_whole_column(rounds: int, first_kept: int) -> None:
    results = [Result("P", player_total=place % 9 + 1) for place in range(rounds)]
    cells = bead_plate(results, RoadSettings(bead_plate_columns=2))
    assert [bead.result for bead in cells] == results[first_kept:]
    assert cells[0][:2] == (0, 0)
    assert max(bead.column for bead in cells) == 1


def test_bead_plate_of_other_rows() -> None:
    cells = bead_plate(parse_results("BPTB"), RoadSettings(rows=3))
    assert [bead[:2] for bead in cells] == [(0, 0), (0, 1), (0, 2), (1, 0)]


# Leading ties.


def test_leading_ties_wait_for_the_first_winner() -> None:
    shoe = roads_of("TT")
    assert (shoe.big_road.columns, shoe.big_road.cells, shoe.big_road.waiting_ties) == ((), (), 2)
    assert len(shoe.bead_plate) == 2
    assert shoe.ask_banker == shoe.ask_player == (None, None, None)


def test_leading_ties_attach_to_the_first_cell() -> None:
    road = roads_of("TTBTBP").big_road
    assert road.cells == ((0, 0, "B", 3), (0, 1, "B", 0), (1, 0, "P", 0))
    assert (road.waiting_ties, road.heights) == (0, (2, 1))


def test_leading_ties_in_a_column_of_their_own_are_drawn_from_the_first_tie() -> None:
    settings = RoadSettings(leading_tie="own-column")
    assert roads_of("TT", settings).big_road.cells == ((0, 0, "T", 2),)
    road = roads_of("TTBTBP", settings).big_road
    assert road.cells == ((0, 0, "T", 2), (1, 0, "B", 1), (1, 1, "B", 0), (2, 0, "P", 0))
    assert (road.waiting_ties, road.heights) == (0, (2, 1))


@given(any_shoe)
def test_the_leading_tie_setting_changes_only_the_drawn_big_road(letters: str) -> None:
    attached, own = (roads_of(letters, RoadSettings(leading_tie=choice)) for choice in LEADING_TIES)
    assert replace(own, big_road=attached.big_road) == attached
    assert own.big_road.heights == attached.big_road.heights
    if not letters.startswith("T"):
        assert own.big_road == attached.big_road


# Reading results.


def test_letters_of_either_case_with_blanks() -> None:
    assert [result.winner for result in parse_results(" bB p\tT\nP ")] == list("BBPTP")
    assert parse_results("") == parse_results(" \n") == ()


def test_a_wrong_letter_is_shown_with_its_place_and_what_is_allowed() -> None:
    allowed = r"B \(Banker\), P \(Player\) or T \(Tie\)"
    with pytest.raises(InputError, match=f"'X' at position 4 is not a result: write {allowed}") as caught:
        parse_results("BB XP")
    assert caught.value.reason == "unreadable-results"
    with pytest.raises(InputError, match=r"'\\u5e84' at position 1"):
        parse_results("庄")


def test_json_lines_with_every_field() -> None:
    first = {"winner": "banker", "player_pair": True, "banker_pair": False, "player_total": 3, "banker_total": 6}
    second = {"winner": "p", "banker_pair": True}
    lines = [first | {"special_wins": ["fortune-six"]}, second, {"winner": "T"}]
    text = "\n\n".join(map(json.dumps, lines)) + "\n"
    assert parse_results(text) == (
        Result("B", player_pair=True, player_total=3, banker_total=6, special_wins=("fortune-six",)),
        Result("P", banker_pair=True),
        Result("T"),
    )


@pytest.mark.parametrize("winner", get_args(Letter))
@pytest.mark.parametrize("spell", [str, str.upper, str.capitalize])
def test_json_names_of_the_winner(winner: Letter, spell: Callable[[str], str]) -> None:
    for name in ({"B": "banker", "P": "player", "T": "tie"}[winner], winner.lower()):
        assert parse_results(json.dumps({"winner": spell(name)})) == (Result(winner),)


def test_lines_as_settle_prints_them() -> None:
    settlements = {"tie": {"stake": 100, "net": 800, "pays": []}}
    line = {"winner": "tie", "player_total": 9, "banker_total": 9, "settlements": settlements}
    assert parse_results(json.dumps(line)) == (Result("T", player_total=9, banker_total=9),)


def test_void_rounds_are_never_on_the_roads() -> None:
    voided = '{"void": true}\n{"winner": "player", "void": true}'
    text = f'{{"winner": "banker"}}\n{voided}\n{{"winner": "tie", "void": false}}'
    assert [result.winner for result in parse_results(text)] == ["B", "T"]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{", "not a JSON object"),
        ('{"a": ' + "[" * 100_000, "not a JSON object"),
        ("BBP", "not a JSON object"),
        ('[{"winner": "banker"}]', "not a JSON object"),
        ("{}", "no winner"),
        ('{"error": {"reason": "x", "message": "y"}}', "tells of an error"),
        ('{"winner": "dragon"}', "winner is 'dragon'"),
        ('{"winner": "BP"}', "winner is 'BP'"),
        ('{"winner": 1}', "winner is 1"),
        ('{"winner": "' + "x" * 1000 + '"}', r"x{39}\.\.\.: it must be"),
        ('{"winner": "banker", "void": 1}', "void is 1: it must be true or false"),
        ('{"winner": "banker", "banker_pair": "yes"}', "banker_pair is 'yes'"),
        ('{"winner": "banker", "player_pair": null}', "player_pair is None"),
        ('{"winner": "banker", "player_total": 10}', "player_total is 10: .* from 0 to 9"),
        ('{"winner": "banker", "banker_total": -1}', "banker_total is -1"),
        ('{"winner": "banker", "banker_total": 6.0}', "banker_total is 6.0"),
        ('{"winner": "banker", "banker_total": true}', "banker_total is True"),
        ('{"winner": "banker", "special_wins": "six"}', "special_wins is 'six'"),
        ('{"winner": "banker", "special_wins": [6]}', r"special_wins is \[6\]"),
        ('{"winner": "banker", "player_total": 7, "banker_total": 7}', "winner B .* player 7 and banker 7"),
        ('{"winner": "player", "player_total": 1, "banker_total": 7}', "winner P .* player 1 and banker 7"),
        ('{"winner": "tie", "player_total": 8, "banker_total": 7}', "winner T does not agree with the totals"),
    ],
)
def test_a_wrong_line_is_named_with_its_problem(line: str, problem: str) -> None:
    with pytest.raises(InputError, match=f"^Line 3 of the results: .*{problem}") as caught:
        parse_results(f'{{"winner": "banker"}}\n\n{line}\n')
    assert caught.value.reason == "unreadable-results"
    assert len(caught.value.message) < 200


def test_wrong_values_are_refused_when_they_are_made() -> None:
    with pytest.raises(ValueError, match="winner is 'BP'"):
        Result("BP")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="leading_tie is 'never'"):
        RoadSettings(leading_tie="never")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="tail is 'curl'"):
        RoadSettings(tail="curl")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="rows is 0"):
        RoadSettings(rows=0)
    with pytest.raises(ValueError, match="bead_plate_columns is 0"):
        RoadSettings(bead_plate_columns=0)


# Shape and size.


def test_json_has_the_agreed_shape() -> None:
    banker = Result("B", banker_pair=True, player_total=3, banker_total=6, special_wins=("fortune-six",))
    tie = Result("T", player_total=5, banker_total=5)
    shoe = as_json(roads([banker, tie, Result("P", player_pair=True), Result("B"), Result("B")]))
    assert json.loads(json.dumps(shoe)) == {
        "bead_plate": {
            "cells": [
                [0, 0, "B", True, False, 6, ["fortune-six"]],
                [0, 1, "T", False, False, 5, []],
                [0, 2, "P", False, True, None, []],
                [0, 3, "B", False, False, None, []],
                [0, 4, "B", False, False, None, []],
            ]
        },
        "big_road": {
            "heights": [1, 1, 2],
            "cells": [[0, 0, "B", 1], [1, 0, "P", 0], [2, 0, "B", 0], [2, 1, "B", 0]],
        },
        "big_eye_boy": {"marks": "RB", "cells": [[0, 0, "R"], [1, 0, "B"]]},
        "small_road": {"marks": "B", "cells": [[0, 0, "B"]]},
        "cockroach_pig": {"marks": "", "cells": []},
        "ask": {
            "banker": {"big_eye_boy": "R", "small_road": "R", "cockroach_pig": None},
            "player": {"big_eye_boy": "B", "small_road": "B", "cockroach_pig": None},
        },
    }


@pytest.mark.parametrize(
    ("result", "total"),
    [
        (Result("P", player_total=8, banker_total=2), 8),
        (Result("B", player_total=2, banker_total=7), 7),
        (Result("T", player_total=4), 4),
        (Result("T", banker_total=4), 4),
        (Result("P", banker_total=2), None),
        (Result("B", player_total=2), None),
    ],
)
def test_a_bead_carries_the_winning_total(result: Result, total: int | None) -> None:
    assert result.winning_total == total


def test_roads_cannot_be_changed() -> None:
    shoe = roads_of("BPPB")
    hash(shoe)
    with pytest.raises(FrozenInstanceError):
        shoe.bead_plate = ()  # type: ignore[misc]
    with pytest.raises(AttributeError):
        shoe.big_road.cells[0].ties = 5  # type: ignore[misc]
    assert isinstance(shoe.big_road.cells[0], BigRoadCell)


def test_empty_shoe() -> None:
    shoe = roads_of("")
    assert (shoe.bead_plate, shoe.big_road.columns, *drawings_of(shoe)) == ((), (), (), (), (), ())


@pytest.mark.parametrize("tail", TAILS)
@pytest.mark.parametrize("shape", ["one run", "long runs", "alternating", "random"])
def test_work_grows_with_the_number_of_rounds_only(shape: str, tail: Tail) -> None:
    """Four times the rounds take four times the calls: counted, because time would tell of the machine too."""

    def calls(rounds: int) -> int:
        letters = {
            "one run": "B" * rounds,
            "long runs": ("B" * 20 + "P" * 20) * (rounds // 40),
            "alternating": "BP" * (rounds // 2),
            "random": "".join(random.Random(1).choices("BPT", (46, 44, 10), k=rounds)),
        }[shape]
        results, counted = parse_results(letters), 0

        def count(frame: object, event: str, argument: object) -> None:
            nonlocal counted
            counted += 1

        before = sys.getprofile()
        sys.setprofile(count)
        try:
            roads(results, RoadSettings(tail=tail))
        finally:
            sys.setprofile(before)
        return counted

    assert calls(20_000) < 4.5 * calls(5_000)
