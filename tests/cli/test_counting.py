"""The command `puntobanco counting`: what it prints and draws, and how it ends."""

import argparse
import json
import re
from pathlib import Path

import pytest

from puntobanco import find_game
from puntobanco.cli import counting as command
from puntobanco.errors import Fault, InputError
from puntobanco.odds import compiled_counter, odds
from puntobanco.strategies.card_counting import CountingStudy

PAIRS = ("manila", "player-pair", "--shoes", "10")
"""The wager that is counted quickest, with or without the kernel."""


@pytest.fixture(autouse=True)
def _plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "100")


def call(*words: str) -> int:
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    return command.run(parser.parse_args(words))


def sentences(text: str) -> str:
    """The text with its lines joined, so that a sentence can be found wherever it was broken."""
    return " ".join(text.split())


def test_the_report_says_what_was_dealt_and_what_it_means(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(*PAIRS, "--seed", "3", "--decks", "6", "--cut", "20") == 0
    text = sentences(capsys.readouterr().out)
    assert "Baccarat, City of Dreams Manila: Player Pair" in text
    assert "6 decks, cut card 20 from the end, burn by the first card" in text
    assert "10 shoes, " in text
    assert "seed 3" in text
    ev = odds(find_game("manila")).wagers["player-pair"].ev
    assert f"{float(ev):.4%}" not in text  # That would be eight decks.
    assert "expected value from the full shoe: -11.2540%" in text
    assert "Linear count: there is none. By symmetry" in text
    assert "Perfect play is a bound, not a plan" in text


def test_the_report_of_a_wager_with_tags_explains_the_count(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("fabulous-4", "player-precious-pair", "--shoes", "5", "--decks", "4") == 0
    out = capsys.readouterr().out
    study = CountingStudy(find_game("fabulous-4"), "player-precious-pair", decks=4, seed=1)
    # Gold stands alone, and the four of Gold is the card that matters most.
    assert re.search(r"card +effect, Fire Earth Wood Water +tag +effect, Gold +tag", out)
    four = study.game.pack.card("4g")
    assert re.search(rf"^4 .* {float(study.effects[four]):+.5%} +{study.count.tags[four]:+d}$", out, re.MULTILINE)
    assert f"begin the running count at {study.count.start} and add the tag" in sentences(out)
    assert all(len(line) <= 100 for line in out.splitlines())


def test_json_holds_the_findings(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("fabulous-4", "player-precious-pair", "--shoes", "3", "--decks", "4", "--seed", "9", "--json")
    assert call(*words) == 0
    first = capsys.readouterr().out
    assert call(*words) == 0
    assert capsys.readouterr().out == first
    found = json.loads(first)
    study = CountingStudy(find_game("fabulous-4"), "player-precious-pair", decks=4, seed=9)
    for _ in range(3):
        study.deal_shoe()
    perfect, count = study.perfect_play(), study.count_play()
    assert found["full_shoe_ev"] == f"{study.full_shoe_value.numerator}/{study.full_shoe_value.denominator}"
    assert found["full_shoe_ev_float"] == float(study.full_shoe_value)
    assert (found["decks"], found["cut"], found["seed"], found["shoes"]) == (4, 14, 9, 3)
    assert found["rounds"] == study.rounds == found["every_round"]["bets"]
    assert found["interrupted"] is False
    assert found["perfect"]["bets"] == perfect.bets
    assert found["perfect"]["units_per_shoe"] == perfect.units_per_shoe
    assert found["linear_count"]["threshold"] == count.threshold
    assert found["linear_count"]["threshold_found"] == "in-sample"
    assert found["linear_count"]["tags"]["4g"] == study.count.tags[study.game.pack.card("4g")]
    assert len(found["effects_of_removal"]) == 65
    assert sum(depth["rounds"] for depth in found["depths"]) == study.rounds


def test_a_stake_brings_the_fixed_bonuses_in(capsys: pytest.CaptureFixture[str]) -> None:
    # With the cut card at the front a shoe is one round, so that the slow counter is quick enough.
    words = ("six-star", "tie", "--shoes", "1", "--cut", "520")
    tie = odds(find_game("six-star")).wagers["tie"]
    assert tie.ev < 0 < tie.ev_at(100)
    assert call(*words) == 0
    text = sentences(capsys.readouterr().out)
    assert f"expected value from the full shoe: {float(tie.ev):+.4%}" in text
    assert "Fixed bonuses are left out: --stake N" in text
    assert call(*words, "--stake", "100") == 0
    text = sentences(capsys.readouterr().out)
    assert f"expected value from the full shoe at a stake of 100: {float(tie.ev_at(100)):+.4%}" in text
    assert "Fixed bonuses are left out" not in text
    assert "The wager favours the patron from the full shoe" in text


@pytest.mark.parametrize(
    ("words", "reason", "message"),
    [
        (("manila", "ties"), "unknown-wager", "manila has no wager 'ties'; did you mean tie?"),
        (("manilla", "tie"), "unknown-game", "did you mean manila"),
        (("manila", "tie", "--shoes", "0"), "bad-usage", "--shoes takes a whole number from 1 to 1,000,000, not '0'."),
        (("manila", "tie", "--seed", "-1"), "bad-usage", "--seed takes a whole number from 0 to"),
        (("manila", "tie", "--cut", "417"), "bad-usage", "--cut takes a whole number from 0 to 416, not '417'."),
        (("manila", "tie", "--decks", "11"), "wrong-decks", "is played with 4 to 10 decks"),
        (("manila", "tie", "--stake", "0"), "bad-stake", "A stake is a whole number from 1"),
        (("manila", "tie", "--plot", "tie.gif"), "bad-usage", "end the name in .png, .svg or .pdf."),
        (("manila", "tie", "--plot", "missing/tie.png"), "unwritable-file", "there is no folder 'missing'"),
    ],
)
def test_mistakes_are_one_sentence_before_anything_is_dealt(
    words: tuple[str, ...], reason: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delattr(CountingStudy, "deal_shoe")
    with pytest.raises((InputError, Fault), match=re.escape(message)) as caught:
        call(*words)
    assert isinstance(caught.value, InputError | Fault)
    assert caught.value.reason == reason
    assert isinstance(caught.value, Fault) == (reason == "unwritable-file")
    assert "\n" not in caught.value.message
    assert not list(tmp_path.iterdir())


def interrupt_after(monkeypatch: pytest.MonkeyPatch, shoes: int) -> None:
    deal_shoe = CountingStudy.deal_shoe

    def deal_or_stop(study: CountingStudy) -> None:
        if len(study.shoes) == shoes:
            raise KeyboardInterrupt
        deal_shoe(study)

    monkeypatch.setattr(CountingStudy, "deal_shoe", deal_or_stop)


def test_an_interrupted_study_prints_what_there_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("manila", "player-pair", "--shoes", "4", "--json") == 0
    whole = json.loads(capsys.readouterr().out)
    interrupt_after(monkeypatch, 4)
    assert call("manila", "player-pair", "--shoes", "9", "--json") == 130
    found = json.loads(capsys.readouterr().out)
    assert found == {**whole, "interrupted": True}
    assert call("manila", "player-pair", "--shoes", "9") == 130
    assert "4 shoes of 9, interrupted" in capsys.readouterr().out


def test_interrupted_before_the_first_shoe_there_is_nothing_to_print(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    interrupt_after(monkeypatch, 0)
    with pytest.raises(KeyboardInterrupt):
        call(*PAIRS)
    assert capsys.readouterr().out == ""


def test_progress_is_told_only_where_it_is_asked_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(compiled_counter, "available", False)
    call(*PAIRS)
    quiet = capsys.readouterr()
    # Without the kernel one line says so, once.
    assert quiet.err.count("\n") == 1
    assert "pure-Python counter" in quiet.err
    call(*PAIRS, "--progress")
    told = capsys.readouterr()
    assert told.out == quiet.out
    assert told.err == quiet.err + "".join(f"shoes: {done} of 10\n" for done in range(1, 11))


@pytest.mark.parametrize(("suffix", "signature"), [("png", b"\x89PNG"), ("PDF", b"%PDF")])
def test_the_name_of_the_chart_says_its_kind(suffix: str, signature: bytes, tmp_path: Path) -> None:
    # A single round, the least that there is to draw.
    path = tmp_path / f"chart.{suffix}"
    assert call("manila", "player-pair", "--shoes", "1", "--cut", "416", "--plot", str(path)) == 0
    assert path.read_bytes().startswith(signature)
    assert list(tmp_path.iterdir()) == [path]


def test_the_same_seed_gives_the_same_chart(tmp_path: Path) -> None:
    paths = [tmp_path / f"{name}.svg" for name in ("one", "two")]
    for path in paths:
        assert call(*PAIRS, "--plot", str(path)) == 0
    one, two = (path.read_bytes() for path in paths)
    assert one.startswith(b"<?xml")
    assert one == two


def test_what_is_won_is_told_at_the_stake_of_the_study_and_at_no_other(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("six-star", "tie", "--shoes", "3", "--stake", "100")
    assert call(*words, "--json") == 0
    units = json.loads(capsys.readouterr().out)["perfect"]["units_per_shoe"]
    assert call(*words) == 0
    text = sentences(capsys.readouterr().out)
    assert "At a stake of 100 on each of these rounds" in text
    assert f"perfect play wins {100 * units:,.2f} on average" in text
    assert "1,000" not in text


def test_what_is_won_is_told_in_units_where_no_stake_is_given(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("manila", "tie", "--shoes", "20")
    assert call(*words, "--json") == 0
    units = json.loads(capsys.readouterr().out)["perfect"]["units_per_shoe"]
    assert units > 0
    assert call(*words) == 0
    text = sentences(capsys.readouterr().out)
    assert "At a stake of one unit on each of these rounds" in text
    assert f"perfect play wins {units:,.5f} units on average" in text
