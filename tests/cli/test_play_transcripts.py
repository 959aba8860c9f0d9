"""`play --transcript`: every shoe that is played can be verified, and the seed deals it again."""

import json
import re
from pathlib import Path

import pytest

from command_line import Called, call, one_sentence
from puntobanco.cli.playing.committed_shoes import CommittedShoes
from puntobanco.errors import Fault
from puntobanco.fairness import read_transcript
from puntobanco.games import GAMES, find_game
from puntobanco.rules.game import Game
from puntobanco.table import TableSettings
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
    assert "; rounds: 3; void: 0; server only: 0; nonces withheld: 0; cards left: " in told.out
    # Keys and nonces follow from one seed here.
    assert "NOT signed: no house answers for it; one hand may have made keys and nonces." in told.out
    assert told.out.endswith(f": those of {game.id} under its reading. Decks: {game.decks.default}.\n")
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
    files = [str(tmp_path / f"my shoe{end}.json") for end in ("", "-2", "-3")]
    told = call("verify", *files)
    assert (told.code, told.out.count("was dealt as committed")) == (0, 3)
    left_out = call("verify", files[0], files[2])
    assert left_out.code == 1
    said = "Shoe 'terminal-3' does not follow 'terminal-1': its anchor holds another final state."
    assert left_out.err == f"puntobanco: {files[2]!r}: {said}\n"
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


@pytest.mark.parametrize("name", ["shoe.json", "shoe-2.json", "shoe-13.json"])
def test_a_transcript_that_is_there_is_not_written_over(name: str, tmp_path: Path) -> None:
    """Nor is it told after an hour of play that the second shoe has no file."""
    (tmp_path / name).write_text("before")
    found = play("manila", "--transcript", str(tmp_path / "shoe.json"))
    assert found.code == 2
    assert one_sentence(found) == f"{str(tmp_path / name)!r} is there already: name another file for the transcript."
    assert (tmp_path / name).read_text() == "before"
    assert len([*tmp_path.iterdir()]) == 1


@pytest.mark.parametrize("link", ["shoe.json", "shoe-2.json"])
def test_a_link_to_what_is_not_there_is_kept_as_it_is(link: str, tmp_path: Path) -> None:
    (tmp_path / link).symlink_to("nowhere")
    found = play("manila", "--transcript", str(tmp_path / "shoe.json"))
    assert found.code == 2
    assert one_sentence(found) == f"{str(tmp_path / link)!r} is there already: name another file for the transcript."
    assert [each.name for each in tmp_path.iterdir()] == [link]
    assert (tmp_path / link).is_symlink()


def test_no_name_is_bad_usage() -> None:
    found = play("manila", "--transcript", "")
    assert (found.code, one_sentence(found)) == (2, "--transcript takes the name of a file, and not nothing.")


@pytest.mark.parametrize(
    "name", ["shoe-2-notes.json", "shoe-02.json", "shoe-1.json", "shoe-2.json.old", "my shoe-2.json"]
)
def test_a_file_that_no_shoe_would_be_written_to_is_no_hindrance(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("before")
    assert play("manila", "--seed", "1", "--transcript", str(tmp_path / "shoe.json")).code == 0
    assert {each.name for each in tmp_path.iterdir()} == {name, "shoe.json"}


def test_a_file_that_was_made_during_play_is_kept_too(tmp_path: Path) -> None:
    shoes = CommittedShoes(1, str(tmp_path / "shoe.json"))
    assert not any(tmp_path.iterdir())
    shoes.open(TableSettings(find_game("manila"), decks=4))
    (tmp_path / "shoe.json").write_text("another's")
    with pytest.raises(Fault, match="File exists"):
        shoes.end()
    assert (tmp_path / "shoe.json").read_text() == "another's"


def test_what_is_no_file_is_written_to(tmp_path: Path) -> None:
    assert play("manila", "--seed", "1", "--transcript", "/dev/null").code == 0
    (tmp_path / "shoe-notes.json").write_text("before")
    assert play("manila", "--seed", "1", "--transcript", str(tmp_path / "shoe.json")).code == 0


def test_a_disk_that_fails_at_the_end_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("puntobanco.cli.playing.committed_shoes.Transcript.text", full)
    found = play("manila", "--seed", "1", "--transcript", str(tmp_path / "shoe.json"))
    assert found.code == 1
    assert found.err.endswith(": No space left on device.\n")
    assert found.err.count("\n") == 1
