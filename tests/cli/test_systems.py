"""The command `puntobanco systems`: what it prints and draws, and how it ends."""

import argparse
import json
import re
from pathlib import Path
from typing import Any

import pytest

from puntobanco import find_game
from puntobanco.cli import systems as command
from puntobanco.errors import Fault, InputError
from puntobanco.odds import odds
from puntobanco.strategies.sessions import SessionStudy
from puntobanco.strategies.systems import SYSTEMS

SHORT = ("manila", "--sessions", "60", "--rounds", "40")
pytestmark = pytest.mark.filterwarnings("ignore:puntobanco was built without:RuntimeWarning")


@pytest.fixture(autouse=True)
def _plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "80")


def call(*words: str) -> int:
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    return command.run(parser.parse_args(words))


def found_json(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert call(*words, "--json") == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return {name: value for name, value in found.items() if name not in ("seconds", "bets_per_second")}


def sentences(text: str) -> str:
    return " ".join(text.split())


def test_all_systems_are_compared_by_default(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(*SHORT) == 0
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 80
    for name in SYSTEMS:
        assert len(re.findall(f"^{name} ", out, re.MULTILINE)) == 2
    text = sentences(out)
    assert text.startswith("Baccarat, City of Dreams Manila: Banker; road systems: Player or Banker City of")
    assert "8 decks, cut card 14 from the end, burn by the first card 60 sessions of 40 rounds, seed 1" in text
    assert "bankroll 200,000, base stake 2,000, table 2,000 to 200,000 in steps of 20" in text
    assert "No system changes the edge" in text
    assert "The result of every system for each unit staked is what the exact odds say" in text


def test_one_system_is_shown_with_its_distribution(capsys: pytest.CaptureFixture[str]) -> None:
    words = (*SHORT, "--system", "martingale", "--bankroll", "10000", "--wager", "player")
    found = found_json(capsys, *words)
    assert call(*words) == 0
    out = capsys.readouterr().out
    results, text = found["systems"]["martingale"], sentences(out)
    ruin = results["ruin"]
    assert f"sessions ruined {ruin['probability']:.2%} ({ruin['low']:.2%} to {ruin['high']:.2%} at 95%)" in text
    assert f"mean result of a session {results['mean']:+,.0f}" in text
    assert f"staked in all {results['total_staked']:,} in {results['bets']:,} bets" in text
    assert f"by the exact odds -1.235% (z = {results['z']:+.2f})" in text
    counts = [int(count) for count in re.findall(r"^ *[+-][\d,]+  to  +[+-][\d,]+ +(\d+)", out, re.MULTILINE)]
    assert counts == [sessions for _, _, sessions in results["histogram"]]
    assert sum(counts) == 60


def test_the_json_has_every_figure(capsys: pytest.CaptureFixture[str]) -> None:
    found = found_json(capsys, *SHORT, "--system", "flat", "--system", "follow", "--base", "100", "--minimum", "20")
    ev = odds(find_game("manila")).wagers["banker"].ev
    assert found["exact_ev"] == f"{ev.numerator}/{ev.denominator}"
    assert (found["game"], found["wager"], found["cards"], found["cut"]) == ("manila", "banker", 416, 14)
    names = ("bankroll", "base", "minimum", "maximum", "step", "seed", "rounds", "sessions", "interrupted")
    assert [found[name] for name in names] == [10_000, 100, 20, 2_000, 20, 1, 40, 60, False]
    assert list(found["systems"]) == ["flat", "follow"]
    flat = found["systems"]["flat"]
    assert flat["total_staked"] == 60 * 40 * 100
    assert (flat["bets"], flat["average_stake"]) == (2_400, 100)
    assert flat["net"] == pytest.approx(60 * flat["mean"])
    assert flat["share_of_staked"] == pytest.approx(flat["net"] / flat["total_staked"])
    assert flat["exact_share"] == float(ev)
    assert list(flat["quantiles"].values()) == sorted(flat["quantiles"].values())


LIMITS = ("--stop-loss", "20000", "--win-goal", "10000")


def test_stop_loss_and_win_goal_are_in_the_summary_and_in_the_json(capsys: pytest.CaptureFixture[str]) -> None:
    found = found_json(capsys, *SHORT, "--system", "flat", *LIMITS)
    flat = found["systems"]["flat"]
    assert (found["stop_loss"], found["win_goal"]) == (20_000, 10_000)
    assert flat["ended_by_stop_loss"] > 0
    assert flat["ended_by_win_goal"] > 0
    assert call(*SHORT, "--system", "flat", *LIMITS) == 0
    text = sentences(capsys.readouterr().out)
    sessions = found["sessions"]
    for words in (
        f"{sessions:,} sessions of at most ",
        "stop-loss 20,000, win goal 10,000",
        f"ended by the stop-loss {flat['ended_by_stop_loss'] / sessions:.2%} ({flat['ended_by_stop_loss']:,} sessions)",
        f"ended by the win goal {flat['ended_by_win_goal'] / sessions:.2%} ({flat['ended_by_win_goal']:,} sessions)",
        "A stop-loss and a win goal change when one leaves, not the edge.",
    ):
        assert words in text, words
    assert call(*SHORT, *LIMITS) == 0
    compared = capsys.readouterr().out
    assert max(map(len, compared.splitlines())) <= 80
    assert "won, ruined, stop, goal: share of the sessions, the last ended by stop-loss or win goal" in sentences(
        compared
    )


def test_without_limits_nothing_is_said_of_them(capsys: pytest.CaptureFixture[str]) -> None:
    found = found_json(capsys, *SHORT, "--system", "flat")
    assert (found["stop_loss"], found["win_goal"]) == (None, None)
    assert found["systems"]["flat"]["ended_by_stop_loss"] is None
    assert call(*SHORT) == 0
    text = capsys.readouterr().out
    assert "goal" not in text
    assert "at most" not in text


def test_the_same_seed_gives_the_same_figures(capsys: pytest.CaptureFixture[str]) -> None:
    one, two = (found_json(capsys, *SHORT, "--threads", threads) for threads in ("1", "2"))
    assert one == two
    assert found_json(capsys, *SHORT, "--seed", "2")["systems"] != one["systems"]


def test_decks_cut_and_reading_are_kept_to(capsys: pytest.CaptureFixture[str]) -> None:
    found = found_json(capsys, *SHORT, "--system", "flat", "--decks", "6", "--cut", "30", "--reading", "rounding=up")
    assert (found["cards"], found["cut"], found["reading"]["rounding"]) == (312, 30, "up")


def test_systems_are_listed_without_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        call("--list")
    assert ended.value.code == 0
    text = sentences(capsys.readouterr().out)
    for system in SYSTEMS.values():
        assert f"{system.name} {system.description}" in text
    assert "file.py:ClassName" in text


def test_an_own_system_is_played_beside_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        "class Mine:\n    def __init__(self, base):\n        self.base = base\n"
        "    def next_stake(self, state):\n        return self.base\n    def after(self, result):\n        pass\n"
    )
    found = found_json(capsys, *SHORT, "--system", f"{path}:Mine", "--system", "flat")
    mine, flat = found["systems"].values()
    assert mine == flat
    assert list(found["systems"]) == [f"{path}:Mine", "flat"]
    assert call(*SHORT, "--system", f"{path}:Mine", "--system", "flat") == 0
    assert re.search("^mine.py:Mine ", capsys.readouterr().out, re.MULTILINE)


def test_rounding_that_the_exact_odds_leave_out_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(*SHORT, "--system", "flat", "--step", "1", "--base", "1", "--reading", "rounding=up") == 0
    text = sentences(capsys.readouterr().out)
    assert "Stakes that are not multiples of 20 are paid rounded up" in text


def test_what_chance_does_not_explain_is_not_explained_away(capsys: pytest.CaptureFixture[str]) -> None:
    # A unit of one pays 19 to 20 rounded down to nothing, so that a flat stake can only lose.
    assert call("manila", "--sessions", "300", "--rounds", "80", "--system", "flat", "--step", "1", "--base", "1") == 0
    text = sentences(capsys.readouterr().out)
    assert "flat: further from the exact odds than chance explains" in text
    assert "No system changes the edge" not in text


def test_a_wager_that_favours_the_patron_is_said_to(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("baccarat-tournament", *SHORT[1:], "--system", "flat") == 0
    assert "Here the exact odds favour the patron" in sentences(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("words", "reason", "message"),
    [
        (("--system", "martingail"), "unknown-system", "did you mean martingale?"),
        (("--wager", "bankr"), "unknown-wager", "did you mean banker"),
        (("--rounds", "0"), "bad-usage", "--rounds takes a whole number from 1 to 100,000, not '0'."),
        (("--sessions", "many"), "bad-usage", "--sessions takes a whole number"),
        (("--threads", "0"), "bad-usage", "--threads takes a whole number"),
        (("--seed=-1",), "bad-usage", "--seed takes a whole number"),
        (("--cut", "417"), "bad-usage", "--cut takes a whole number from 0 to 416"),
        (("--decks", "3"), "wrong-decks", "is played with 4 to 10 decks"),
        (("--base", "30"), "bad-limits", "A minimum of 30 and a maximum of 3,000 are not whole steps of 20"),
        (("--base", "40", "--minimum", "60"), "bad-limits", "A base stake of 40"),
        (("--bankroll", "1000"), "bad-bankroll", "A bankroll of 1,000 is below the minimum of 2,000."),
        (("--stop-loss", "0"), "bad-usage", "--stop-loss takes a whole number from 1 to "),
        (("--win-goal", "x"), "bad-usage", "--win-goal takes a whole number from 1 to "),
        (("--bankroll", "3000", "--stop-loss", "3001"), "bad-limits", "A stop-loss of 3,001 is more than the bankroll"),
        (("--plot", "x.gif"), "bad-usage", "ends in .png, .svg, .pdf"),
        (("--plot", "missing/x.png"), "unwritable-file", "There is no folder 'missing'"),
    ],
)
def test_mistakes_are_one_sentence_before_anything_is_dealt(
    words: tuple[str, ...], reason: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delattr(SessionStudy, "play")
    with pytest.raises((InputError, Fault), match=re.escape(message)) as caught:
        call(*SHORT, *words)
    assert isinstance(caught.value, InputError | Fault)
    assert caught.value.reason == reason
    assert isinstance(caught.value, Fault) == (reason == "unwritable-file")


def test_an_interrupted_study_prints_what_there_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = found_json(capsys, "manila", "--rounds", "40", "--sessions", "45")
    play = SessionStudy.play

    def play_or_stop(study: SessionStudy, sessions: int, threads: int | None = None) -> None:
        if study.sessions == 45:
            raise KeyboardInterrupt
        play(study, sessions, threads)

    monkeypatch.setattr(SessionStudy, "play", play_or_stop)
    monkeypatch.setattr(SessionStudy, "pieces", lambda study, sessions: [15] * (sessions // 15))
    assert call(*SHORT, "--json") == 130
    found = json.loads(capsys.readouterr().out)
    assert found["interrupted"]
    assert found["sessions"] == 45
    assert found["systems"] == whole["systems"]
    assert call(*SHORT) == 130
    assert "45 sessions of 60, interrupted" in capsys.readouterr().out


def test_interrupted_before_the_first_session_there_is_nothing_to_print(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stop(study: SessionStudy, sessions: int, threads: int | None = None) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(SessionStudy, "play", stop)
    with pytest.raises(KeyboardInterrupt):
        call(*SHORT)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("sessions", [1, 99, 1_000, 123_457])
def test_pieces_make_up_all_sessions(sessions: int) -> None:
    from puntobanco.simulate import prepare
    from puntobanco.strategies.sessions import SessionTerms

    study = SessionStudy(prepare(find_game("manila"), 1), [SYSTEMS["flat"]], "tie", SessionTerms(100, 1, 1, 10), 50_000)
    pieces = study.pieces(sessions)
    assert sum(pieces) == sessions
    assert min(pieces) > 0


@pytest.mark.parametrize("systems", [("--system", "paroli"), ()])
def test_the_same_seed_gives_the_same_chart(systems: tuple[str, ...], tmp_path: Path) -> None:
    paths = [tmp_path / f"{name}.svg" for name in ("one", "two")]
    for path in paths:
        assert call(*SHORT, *systems, "--plot", str(path)) == 0
    one, two = (path.read_bytes() for path in paths)
    assert one.startswith(b"<?xml")
    assert one == two


def test_a_fixed_bonus_makes_the_edge_depend_on_the_stake_and_the_sentence_says_so(
    capsys: pytest.CaptureFixture[str],
) -> None:
    sessions = ("--sessions", "50", "--rounds", "20", "--seed", "1", "--system", "flat")
    assert call("six-star", "--wager", "tie", *sessions) == 0
    tie = " ".join(capsys.readouterr().out.split())
    assert "so the edge depends on the stake" in tie
    assert "No system changes the edge" not in tie
    assert call("six-star", "--wager", "banker", *sessions) == 0
    banker = " ".join(capsys.readouterr().out.split())
    assert "No system changes the edge" in banker


ROAD_NOTE = "staked on Player or Banker as the road says, whatever --wager is"


def test_road_systems_are_said_to_stake_on_either_hand(capsys: pytest.CaptureFixture[str]) -> None:
    few = ("six-star", "--sessions", "60", "--rounds", "40", "--wager", "tie")

    def said(*words: str) -> str:
        assert call(*few, *words) == 0
        return " ".join(capsys.readouterr().out.split())

    alone = said("--system", "follow")
    assert alone.startswith("6 Star No Commission Baccarat: Player or Banker by the road ")
    assert f"follow: {ROAD_NOTE}" in alone
    assert "A fixed bonus" not in alone  # The Tie has some, on which nothing was staked.
    beside = said("--system", "flat", "--system", "follow", "--system", "chop")
    assert beside.startswith("6 Star No Commission Baccarat: Tie; road systems: Player or Banker ")
    assert f"follow, chop: {ROAD_NOTE}" in beside
    assert "A fixed bonus" in beside
    without = said("--system", "flat")
    assert without.startswith("6 Star No Commission Baccarat: Tie Marina")
    assert ROAD_NOTE not in without


def test_the_json_has_what_each_system_staked_on(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(*SHORT, "--wager", "tie", "--system", "flat", "--system", "chop", "--json") == 0
    systems = json.loads(capsys.readouterr().out)["systems"]
    assert systems["flat"]["wagers"] == ["tie"]
    assert sorted(systems["chop"]["wagers"]) == ["banker", "player"]


def test_the_standard_errors_are_rounded_up(capsys: pytest.CaptureFixture[str]) -> None:
    for seed in ("1", "2", "3", "4"):
        words = (*SHORT, "--system", "flat", "--seed", seed)
        assert call(*words, "--json") == 0
        z = abs(json.loads(capsys.readouterr().out)["systems"]["flat"]["z"])
        assert call(*words) == 0
        within = re.search(r"within ([0-9.]+) standard errors", " ".join(capsys.readouterr().out.split()))
        assert within is not None
        assert z <= float(within[1]) <= z + 0.1


def test_a_ruin_that_never_came_has_an_interval_from_zero(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(*SHORT, "--system", "flat", "--json") == 0
    ruin = json.loads(capsys.readouterr().out)["systems"]["flat"]["ruin"]
    assert (ruin["sessions"], ruin["low"]) == (0, 0)


def test_no_description_is_wider_than_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(*SHORT, "--system", "follow") == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 80
