"""`puntobanco simulate`: what it prints for people and for programs, and how it ends."""

import doctest
import io
import json
import re
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from command_line import Called, call, one_sentence
from puntobanco import GAMES, Game, cli, find_game, settle
from puntobanco.cards import Shoe, read_deal
from puntobanco.cli import simulate as simulate_command
from puntobanco.cli import simulate_run
from puntobanco.cli.columns import Page
from puntobanco.odds import odds
from puntobanco.simulate import AT_A_TABLE, BurnAndCut, BurnRule, Job, Tally, jobs, prepare, tally
from puntobanco.simulate import parquet as round_files
from puntobanco.simulate.report import compare

FEW = "40" if jobs.available else "4"


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(cli.COMMANDS, "simulate", "shoes dealt by the million, beside the exact odds")


@pytest.fixture
def without_kernel(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(jobs, "compiled_kernel", None)
    monkeypatch.setattr(jobs, "available", False)
    jobs._kernel.cache_clear()
    yield
    jobs._kernel.cache_clear()


def simulated(*arguments: str) -> Called:
    return call("simulate", *arguments)


def as_json(*arguments: str) -> Any:
    called = simulated(*arguments, "--json")
    assert called.code == 0
    assert called.err == "" or not jobs.available
    return json.loads(called.out)


def joined(called: Called) -> str:
    return " ".join(called.out.split())


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_json_has_the_shape_of_the_contract(game: Game) -> None:
    found = as_json(game.id, "--shoes", FEW, "--seed", "3")
    assert list(found) == [
        "game", "decks", "shoes", "rounds", "seed", "seconds", "rounds_per_second", "wagers",
        "provenance",
        "interrupted",
    ]  # fmt: skip
    counted = tally(prepare(game, 3), 0, int(FEW))
    assert (found["game"], found["decks"], found["shoes"]) == (game.id, game.decks.default, int(FEW))
    assert (found["rounds"], found["seed"]) == (counted.rounds, 3)
    assert found["rounds_per_second"] == pytest.approx(found["rounds"] / found["seconds"])
    assert list(found["wagers"]) == list(game.paytables)
    for name, wager in found["wagers"].items():
        paytable = game.paytables[name]
        labels = [line.label for line in paytable.lines + paytable.bonuses]
        assert wager["lines"] == [
            {"line": label, "count": count} for label, count in zip(labels, counted.lines[name], strict=True)
        ]
        assert Fraction(wager["ev"]) == counted.net(name) / counted.rounds
        assert Fraction(wager["exact_ev"]) == odds(game).wagers[name].ev
        assert wager["ev_float"] == float(Fraction(wager["ev"]))
        assert (wager["z"] > 0) == (Fraction(wager["ev"]) > Fraction(wager["exact_ev"]))


def test_threads_and_steps_do_not_change_the_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    def counts(*arguments: str) -> Any:
        found = as_json("six-star", "--shoes", "30", *arguments)
        return found["wagers"], found["rounds"]

    once = counts()
    assert counts("--threads", "2") == once
    monkeypatch.setattr(simulate_run, "FIRST_STEP", 7)
    monkeypatch.setattr(simulate_run, "FIRST_STEP_WITHOUT_KERNEL", 7)
    assert counts("--threads", "1") == once
    assert counts("--seed", "2") != once


@pytest.mark.parametrize(
    ("options", "decks", "dealing", "rounds"),
    [
        (["--decks", "6"], 6, AT_A_TABLE, None),
        (["--cut", "100"], 8, BurnAndCut(cut_depth=100), None),
        (["--burn", "off"], 8, BurnAndCut(BurnRule.OFF), None),
        (["--rounds-per-shoe", "50"], 8, AT_A_TABLE, 50),
    ],
)
def test_options_decide_how_a_shoe_is_dealt(
    options: list[str], decks: int, dealing: BurnAndCut, rounds: int | None
) -> None:
    game = find_game("manila")
    counted = tally(prepare(game, 1, Shoe.full(game.pack, decks), dealing, rounds), 0, 5)
    found = as_json("manila", "--shoes", "5", *options)
    assert (found["rounds"], found["decks"]) == (counted.rounds, decks)
    assert [line["count"] for line in found["wagers"]["banker"]["lines"]] == list(counted.lines["banker"])
    exact = odds(game, Shoe.full(game.pack, decks)).wagers["banker"].ev
    assert Fraction(found["wagers"]["banker"]["exact_ev"]) == exact


def test_a_reading_changes_the_wagers() -> None:
    found = as_json("manila", "--shoes", "5", "--reading", "tableau=manila-as-printed")
    game = find_game("manila").read_as(tableau="manila-as-printed")
    assert (
        Fraction(found["wagers"]["tie"]["exact_ev"])
        == odds(game).wagers["tie"].ev
        != odds(find_game("manila")).wagers["tie"].ev
    )


def test_the_page_has_every_line_beside_its_exact_odds() -> None:
    called = simulated("six-star", "--shoes", FEW, "--seed", "5")
    assert called.code == 0
    text = joined(called)
    counted = tally(prepare(find_game("six-star"), 5), 0, int(FEW))
    assert f"{FEW} shoes, {counted.rounds:,} rounds, seed 5; " in text
    assert "rounds a second" in text
    assert "8 decks, cut card 14 from the end, burn by the first card" in text
    for name, wager in find_game("six-star").paytables.items():
        assert wager.name in text
        for count in counted.lines[name]:
            assert f" {count:,} {100 * count / counted.rounds:.2f}"[:8] in text
    assert re.search(r"Tie +-?\+?0\.\d+ +± 0\.\d+ +-0\.1\d* +[+-]\d", called.out)
    assert "No z is beyond 4, where chance alone goes once in 15,787 times" in text
    assert "Element Bonus: rare and large payments" in text
    assert "leave fixed amounts out" in text
    assert "With a cut card the number of rounds depends on the cards" in text
    assert all(len(line) <= 80 for line in called.out.splitlines())


def test_a_fixed_number_of_rounds_has_no_cut_card_to_explain() -> None:
    text = joined(simulated("manila", "--shoes", "3", "--rounds-per-shoe", "10"))
    assert "3 shoes, 30 rounds" in text
    assert "10 rounds each" in text
    assert "With a cut card" not in text


def test_what_is_improbable_is_flagged(monkeypatch: pytest.MonkeyPatch) -> None:
    game = find_game("manila")

    def player_only(job: Job, first: int, shoes: int, threads: int | None = None) -> Tally:
        counted = tally(job, first, shoes, threads)
        (outcomes, _), *_ = counted.outcomes.items()
        return Tally(game, shoes, counted.rounds, {outcomes: counted.rounds})

    monkeypatch.setattr(simulate_run, "tally", player_only)
    called = simulated("manila", "--shoes", "5")
    assert re.search(r" [+-]\d+\.\d\d !$", called.out, re.MULTILINE)
    assert "! marks a z beyond 4" in joined(called)
    assert "simulation and odds agree" not in joined(called)


def test_until_a_standard_error_deals_just_enough_shoes() -> None:
    found = as_json("manila", "--until-se", "0.05")
    deviation = max(wager.standard_deviation for wager in odds(find_game("manila")).wagers.values())
    needed = (deviation / 0.05) ** 2
    assert needed <= found["rounds"] < needed + 90
    assert as_json("manila", "--until-se", "0.05")["rounds"] == found["rounds"]


def test_until_a_standard_error_stops_at_its_bound() -> None:
    called = simulated("manila", "--until-se", "1e-7", "--shoes", "4")
    assert called.code == 1
    assert "4 shoes, " in called.out
    assert called.err.endswith("not below 1e-07: allow more with --shoes.\n")


def test_ctrl_c_prints_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(job: Job, first: int, shoes: int, threads: int | None = None) -> Tally:
        if first >= 6:
            raise KeyboardInterrupt
        return tally(job, first, shoes, threads)

    monkeypatch.setattr(simulate_run, "tally", interrupted)
    monkeypatch.setattr(simulate_run, "FIRST_STEP", 6)
    monkeypatch.setattr(simulate_run, "FIRST_STEP_WITHOUT_KERNEL", 6)
    called = simulated("manila", "--shoes", "1000", "--seed", "2")
    assert called.code == 130
    assert f"6 shoes, interrupted, {tally(prepare(find_game('manila'), 2), 0, 6).rounds:,} rounds" in called.out
    monkeypatch.setattr(simulate_run, "FIRST_STEP", 6)
    found = simulated("manila", "--shoes", "1000", "--json")
    assert (found.code, json.loads(found.out)["shoes"], json.loads(found.out)["interrupted"]) == (130, 6, True)


def test_ctrl_c_before_the_first_round_prints_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> Tally:
        raise KeyboardInterrupt

    monkeypatch.setattr(simulate_run, "tally", interrupted)
    called = simulated("manila")
    assert (called.code, called.out) == (130, "")


@pytest.mark.usefixtures("without_kernel")
def test_without_a_compiler_it_says_so_once_and_counts_the_same() -> None:
    called = simulated("manila", "--shoes", "3", "--json")
    assert called.code == 0
    assert called.err == f"puntobanco: {jobs.SLOW}\n"
    counted = tally(prepare(find_game("manila"), 1), 0, 3)
    assert json.loads(called.out)["rounds"] == counted.rounds


@pytest.mark.filterwarnings("ignore:puntobanco was built without:RuntimeWarning")
def test_somebody_who_watches_sees_estimates(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    game = find_game("manila")
    terminal = Terminal()
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(simulate_run, "SECONDS_UNWATCHED", 0.0)
    monkeypatch.setattr(simulate_run, "FIRST_STEP", 4)
    monkeypatch.setattr(simulate_run, "FIRST_STEP_WITHOUT_KERNEL", 4)
    simulation = simulate_run.Simulation(prepare(game, 1), odds(game))
    simulation.deal_until(20)
    assert "4/20" in terminal.getvalue()
    assert "Super Six" in terminal.getvalue()
    assert simulation.tally.shoes == 20


def test_nothing_is_drawn_where_nobody_watches() -> None:
    assert simulated("manila", "--shoes", FEW).err == "" or not jobs.available


@pytest.mark.skipif(not jobs.available, reason="so many shoes take too long without the kernel")
@pytest.mark.parametrize("colour", ["", "1"])
def test_a_long_run_fits_the_usual_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], colour: str
) -> None:
    """Its heading too, and rows that are marked: the counts are those of fewer shoes, times so many."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("FORCE_COLOR", colour)
    game = find_game("six-star")
    job = prepare(game, 1, rounds=68)
    few, times = tally(job, 0, 20_000), 50
    many = Tally(game, few.shoes * times, few.rounds * times, {each: n * times for each, n in few.outcomes.items()})
    simulate_command.draw(Page(), compare(many, odds(game)), job, job.provenance, 1.5)
    lines = re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out).splitlines()
    assert any(line.startswith("line ") for line in lines)
    assert any(line.endswith("!") for line in lines)
    assert [line for line in lines if len(line) > 80] == []


# --- Files -----------------------------------------------------------------------------------------------------


def test_a_plot_is_drawn(tmp_path: Path) -> None:
    path = tmp_path / "drawing.svg"
    assert simulated("manila", "--shoes", "5", "--plot", str(path)).code == 0
    drawn = path.read_text()
    assert f"Super Six: exact {float(odds(find_game('manila')).wagers['super-six'].ev):+.6f}, z " in drawn
    assert "Banker: Banker wins, less 5% commission" in drawn


@pytest.mark.filterwarnings("ignore:puntobanco was built without:RuntimeWarning")
def test_curves_have_the_same_points_whatever_the_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    game = find_game("manila")
    found = []
    for step in (1, 50):
        monkeypatch.setattr(simulate_run, "FIRST_STEP", step)
        monkeypatch.setattr(simulate_run, "FIRST_STEP_WITHOUT_KERNEL", step)
        simulation = simulate_run.Simulation(prepare(game, 1), odds(game), plotted=True)
        simulation.deal_until(20)
        simulation.deal_until(25)
        found.append(simulation.checkpoints)
    assert found[0] == found[1]
    rounds = [each.rounds for each in found[0]]
    assert rounds == sorted(set(rounds))
    assert rounds[-1] == tally(prepare(game, 1), 0, 25).rounds


@pytest.mark.parametrize("name", ["manila", "six-star"])
def test_every_round_is_written_as_it_was_dealt_and_settled(tmp_path: Path, name: str) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "rounds.parquet"
    game = find_game(name)
    shoes = 25 if jobs.available else 3
    found = as_json(name, "--shoes", str(shoes), "--seed", "9", "--out", str(path))
    assert [file.name for file in tmp_path.iterdir()] == ["rounds.parquet"]
    rows = parquet.read_table(path).to_pylist()
    assert len(rows) == found["rounds"]
    dealt = [(shoe, each.deal) for shoe in range(shoes) for each in jobs.deal(prepare(game, 9), shoe)]
    stakes = dict.fromkeys(game.paytables, 100 * game.stake_step)
    counts: dict[str, dict[str, int]] = {wager: {} for wager in game.paytables}
    for row, (shoe, deal) in zip(rows, dealt, strict=True):
        hands = [
            " ".join(row[f"{hand}_{place}"] for place in (1, 2, 3) if row[f"{hand}_{place}"] is not None)
            for hand in ("player", "banker")
        ]
        assert read_deal(game.pack, f"P {hands[0]} | B {hands[1]}") == deal
        settled = settle(game, deal, stakes)
        assert row["shoe"] == shoe
        assert row["winner"] == settled.winner
        assert (row["player_total"], row["banker_total"]) == (settled.player_total, settled.banker_total)
        for wager in game.paytables:
            column = wager.replace("-", "_")
            lines = [row[f"line_{column}"]] if row[f"line_{column}"] is not None else []
            lines += row.get(f"bonuses_{column}", [])
            assert lines == [paid.line for paid in settled.wagers[wager].pays]
            for line in lines:
                counts[wager][line] = counts[wager].get(line, 0) + 1
    for wager, figures in found["wagers"].items():
        assert {line["line"]: line["count"] for line in figures["lines"] if line["count"]} == counts[wager]
    assert [row["round"] for row in rows if row["shoe"] == 1] == list(range(1, 1 + sum(shoe == 1 for shoe, _ in dealt)))


def test_rounds_are_written_in_chunks_that_do_not_change_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    whole, parts = tmp_path / "whole.parquet", tmp_path / "parts.parquet"
    simulated("six-star", "--shoes", "12", "--out", str(whole))
    monkeypatch.setattr(round_files, "SHOES_OF_A_CHUNK", 5)
    monkeypatch.setattr(simulate_run, "SHOES_WRITTEN_AT_ONCE", 7)
    simulated("six-star", "--shoes", "12", "--out", str(parts))
    assert parquet.ParquetFile(parts).num_row_groups > parquet.ParquetFile(whole).num_row_groups
    assert parquet.read_table(parts).to_pylist() == parquet.read_table(whole).to_pylist()


def test_ctrl_c_keeps_the_rounds_written_so_far(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "rounds.parquet"
    write = round_files.RoundFile.write

    def interrupted(file: round_files.RoundFile, shoes: int) -> None:
        if file.shoes >= 4:
            raise KeyboardInterrupt
        write(file, shoes)

    monkeypatch.setattr(round_files.RoundFile, "write", interrupted)
    monkeypatch.setattr(simulate_run, "SHOES_WRITTEN_AT_ONCE", 2)
    called = simulated("manila", "--out", str(path), "--json")
    assert called.code == 130
    assert json.loads(called.out)["shoes"] == 4
    assert parquet.ParquetFile(path).metadata.num_rows == json.loads(called.out)["rounds"]


def test_a_failure_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "rounds.parquet"
    path.write_bytes(b"before")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(parquet.ParquetWriter, "write_batch", full)
    called = simulated("manila", "--shoes", "2", "--out", str(path))
    assert called.code == 1
    assert called.out == ""
    assert called.err.endswith("cannot be written: No space left on device.\n")
    assert [file.name for file in tmp_path.iterdir()] == ["rounds.parquet"]
    assert path.read_bytes() == b"before"


@pytest.mark.filterwarnings("ignore:puntobanco was built without:RuntimeWarning")
def test_the_examples_of_the_documentation_are_true() -> None:
    pytest.importorskip("pyarrow")
    page = Path(__file__).parents[2] / "docs" / "simulation.md"
    found = doctest.testfile(str(page), module_relative=False)
    assert found.attempted > 5
    assert found.failed == 0


# --- A cluster -------------------------------------------------------------------------------------------------


def test_a_cluster_is_asked_with_its_address(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, int, int]] = []

    def tally_on_cluster(address: str, job: Job, first: int, shoes: int, report: Any, **_: Any) -> Tally:
        asked.append((address, first, shoes))
        report(tally(job, first, shoes // 2))
        return tally(job, first, shoes)

    cluster = ModuleType("puntobanco.simulate.cluster")
    cluster.tally_on_cluster = tally_on_cluster  # type: ignore[attr-defined]
    cluster.Patience = float  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "puntobanco.simulate.cluster", cluster)
    found = as_json("manila", "--shoes", "6", "--engine", "dask://host:8786")
    assert asked == [("dask://host:8786", 0, 6)]
    assert found["wagers"] == as_json("manila", "--shoes", "6")["wagers"]


# --- Mistakes --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--shoes", "0"], "--shoes takes a whole number from 1 to 1,000,000,000,000, not '0'."),
        (["--shoes", "1e6"], "--shoes takes a whole number"),
        (["--seed", "-1"], "--seed takes a whole number from 0 to 18,446,744,073,709,551,615, not '-1'."),
        (["--seed", "18446744073709551616"], "--seed takes a whole number"),
        (["--threads", "0"], "--threads takes a whole number from 1 to 1,024, not '0'."),
        (["--decks", "99"], "decks"),
        (["--cut", "417"], "--cut takes a whole number from 0 to 416, not '417'."),
        (["--burn", "maybe"], "Argument --burn: invalid choice: 'maybe'"),
        (["--rounds-per-shoe", "68"], "67 rounds are the most that every shoe of 416 cards is sure to have, not '68'."),
        (["--until-se", "0"], "--until-se takes a standard error such as 1e-4, not '0'."),
        (["--until-se", "nan"], "--until-se takes a standard error"),
        (["--until-se", "soon"], "--until-se takes a standard error"),
        (["--engine", "spark://host:1"], "--engine takes local or dask://HOST:PORT, not 'spark://host:1'."),
        (["--engine", "dask://host:1", "--out", "a.parquet"], "--out writes the rounds that are dealt here"),
        (["--out", "rounds.csv"], "'rounds.csv' does not say what to write: end the name in .parquet or .pq."),
        (["--plot", "plot.txt"], "A drawing is a file that ends in .png, .svg, .pdf, not 'plot.txt'."),
    ],
)
def test_mistakes_are_one_sentence(options: list[str], sentence: str) -> None:
    called = simulated("manila", f"{options[0]}={options[1]}", *options[2:])
    assert called.code == 2
    assert sentence in one_sentence(called)


def test_a_folder_that_is_not_there_fails_before_any_shoe_is_dealt(tmp_path: Path) -> None:
    called = simulated("manila", "--out", str(tmp_path / "none" / "rounds.parquet"))
    assert called.code == 1
    assert "there is no folder" in one_sentence(called)


def test_too_many_rounds_of_a_shoe_are_told_the_most() -> None:
    said = one_sentence(call("simulate", "manila", "--rounds-per-shoe", "68"))
    assert said == "67 rounds are the most that every shoe of 416 cards is sure to have, not '68'."
    assert as_json("manila", "--shoes", "2", "--rounds-per-shoe", "67")["rounds"] == 134
