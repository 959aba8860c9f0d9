"""`play --transcript`: every shoe that is played can be verified, and the seed deals it again."""

import json
import re
from pathlib import Path

import pytest

from command_line import Called, call, one_sentence
from puntobanco.cli.playing.committed_shoes import CommittedShoes
from puntobanco.fairness import read_transcript
from puntobanco.games import GAMES
from puntobanco.rules.game import Game
from puntobanco.verify import verify

SHORT = ["manila", "--decks", "4", "--cut", "104"]


def play(*arguments: str, lines: int = 3, last: str = "quit") -> Called:
    return call("play", *arguments, stdin="\n" * lines + f"{last}\n")


@pytest.mark.parametrize("burn", ["on", "off"])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_a_shoe_that_the_patron_leaves_is_written_and_verified(
    game: Game, burn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # A long name of a folder would be broken at the width of the terminal.
    path = Path("shoe.json")
    found = play(game.id, "--burn", burn, "--transcript", str(path))
    assert found.code == 0
    assert f"Its transcript is written; puntobanco verify {path} checks it." in " ".join(found.out.split())
    told = call("verify", str(path))
    assert told.code == 0
    assert "3 rounds, 0 of them server only, " in told.out
    assert "signed by nobody, so that no house answers for it." in told.out
    values = json.loads(path.read_text())
    assert f"(anchor {values['anchor'][:8]})" in found.out
    shown = re.findall(r"  (P [\w ]+ \| B [\w ]+)\n", found.out)
    assert shown == [each["deal"] for each in values["rounds"][1:]]
    assert {nonce["patron"] for each in values["rounds"] for nonce in each["nonces"]} == {"you"}
    assert [each["number"] for each in values["rounds"]] == [None, 1, 2, 3]


def test_every_shoe_has_a_file_and_is_chained_to_the_one_before(tmp_path: Path) -> None:
    path = tmp_path / "my shoe.json"
    out = " ".join(play(*SHORT, "--seed", "3", "--transcript", str(path), lines=60).out.split())
    first, second, third = (json.loads((tmp_path / f"my shoe{end}.json").read_text()) for end in ("", "-2", "-3"))
    for values, end in ((first, ""), (second, "-2"), (third, "-3")):
        assert f"puntobanco verify '{tmp_path}/my shoe{end}.json' checks it." in out
        verify(json.dumps(values).encode())
    assert first["previous"] == "00" * 32
    assert second["previous"] == first["final"]
    assert third["previous"] == second["final"]
    assert [values["shoe"] for values in (first, second, third)] == ["terminal-1", "terminal-2", "terminal-3"]
    # The rounds of the table go on, those of the shoe begin anew.
    assert second["rounds"][1]["number"] == first["rounds"][-1]["number"] + 1


def test_the_seed_that_is_told_gives_the_same_transcript(tmp_path: Path) -> None:
    path, again = tmp_path / "shoe.json", tmp_path / "again.json"
    said = play(*SHORT, "--transcript", str(path), lines=30).out
    seeds = re.findall(r"--seed (\d+) shuffles", said)
    assert len(seeds) == 2
    second = tmp_path / "shoe-2.json"
    rounds = len(read_transcript(second.read_text()).rounds) - 1
    play(*SHORT, "--seed", seeds[1], "--transcript", str(again), lines=rounds)
    theirs, ours = json.loads(again.read_text()), json.loads(second.read_text())
    for each in theirs["rounds"] + ours["rounds"]:
        del each["number"]
    del theirs["seal"], ours["seal"]
    assert theirs == ours
    assert all(int(seed) < 2**64 for seed in seeds)


def test_no_transcript_without_being_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "transcript" not in play("manila", "--seed", "1").out
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["missing/shoe.json", "", "folder", "a\0b"])
def test_a_file_that_cannot_be_written_is_told_before_play(name: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    found = play("manila", "--transcript", f"{tmp_path}/{name}")
    assert one_sentence(found).startswith("The transcript cannot be written to ")
    assert found.code == 1


def test_a_file_that_is_there_keeps_what_it_has_until_the_end(tmp_path: Path) -> None:
    path = tmp_path / "shoe.json"
    path.write_text("before")
    CommittedShoes(1, str(path))
    assert path.read_text() == "before"
    fresh = tmp_path / "fresh.json"
    CommittedShoes(1, str(fresh))
    assert not fresh.exists()


def test_a_disk_that_fails_at_the_end_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    found = play("manila", "--seed", "1", "--transcript", str(tmp_path / "shoe.json"))
    assert found.code == 1
    assert found.err.endswith(": No space left on device.\n")
    assert found.err.count("\n") == 1
