"""The commands `verify` and `rng dump`."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from command_line import call, one_sentence
from fairness.dealt_shoes import dealt_shoe
from puntobanco.cli.rng import BLOCK_BYTES, whole_shoe
from puntobanco.fairness import NO_STATE, HmacDrbg, seeded_keys
from puntobanco.fairness.transcript import seal_of
from puntobanco.games import find_game
from puntobanco.verify import verify

MANILA, SIX_STAR = find_game("manila"), find_game("six-star")


def run(*arguments: str, **options: object) -> "subprocess.CompletedProcess[bytes]":
    command = [sys.executable, "-m", "puntobanco", *arguments]
    return subprocess.run(command, capture_output=True, check=False, **options)  # type: ignore[call-overload,no-any-return]


class TestVerify:
    def test_a_file_and_standard_input(self, tmp_path: Path) -> None:
        text = dealt_shoe(SIX_STAR, 1).text()
        path = tmp_path / "shoe.json"
        path.write_text(text, encoding="utf-8")
        expected = f"{verify(text.encode())}\nRules {SIX_STAR.digest}: those of six-star under its reading.\n"
        assert call("verify", str(path)) == (0, expected, "")
        assert call("verify", "-", stdin=text) == (0, expected, "")
        assert run("verify", "-", input=text.encode()).stdout.decode() == expected

    def test_a_name_that_the_terminal_cannot_show(self, tmp_path: Path) -> None:
        path = tmp_path / "shoe.json"
        path.write_text(dealt_shoe(SIX_STAR, 1).text(), encoding="utf-8")
        told = call("verify", str(path), encoding="ascii")
        assert (told.code, told.err) == (0, "")
        assert r"of table 'Salon Priv\xe9'" in told.out

    def test_a_transcript_that_does_not_follow(self) -> None:
        values = dealt_shoe(SIX_STAR, 1).as_json()
        values["rounds"][7]["drawn"].reverse()
        found = call("verify", "-", stdin=json.dumps(values))
        assert found.code == 1
        assert one_sentence(found).startswith("Round 7: the key draws ")

    def test_bytes_that_are_no_text(self) -> None:
        done = run("verify", "-", input=b"\xff\xfe")
        assert done.returncode == 1
        assert done.stderr.startswith(b"puntobanco: The transcript is not JSON: ")
        assert done.stderr.count(b"\n") == 1

    @pytest.mark.parametrize(
        ("changed", "said"),
        [
            ({"game": "manila"}, "NOT those of manila under its reading, as this program has them."),
            ({"game": "whist"}, "NOT of a game and a reading that this program has."),
            ({"reading": {"rounding": "sideways"}}, "NOT of a game and a reading that this program has."),
        ],
    )
    def test_rules_that_are_not_those_of_the_game_are_told(self, changed: dict[str, Any], said: str) -> None:
        """The digest is in the anchor, the game and the reading are in no hash but the seal, which anybody makes."""
        values = dealt_shoe(SIX_STAR, 1).as_json() | changed
        found = call("verify", "-", stdin=json.dumps(values | {"seal": seal_of(values)}))
        assert found.code == 0
        assert found.out.endswith(f"\nRules {SIX_STAR.digest}: {said}\n")

    @pytest.mark.parametrize("name", ["missing.json", "", ".", "a\0b"])
    def test_a_file_that_cannot_be_read(self, name: str, tmp_path: Path) -> None:
        found = call("verify", f"{tmp_path}/{name}")
        assert found.code == 2
        assert one_sentence(found)

    def test_help_has_an_example(self) -> None:
        assert "example: puntobanco verify shoe.json" in call("verify", "-h").out


class TestBytes:
    def test_the_output_of_a_seed_is_that_of_the_generator(self) -> None:
        generator = HmacDrbg(seeded_keys(7, 1)[0], NO_STATE, b"pb1/dump")
        expected = b"".join(generator.generate(256) for _ in range(3 + BLOCK_BYTES // 256))
        for size in (0, 1, 256, 700, BLOCK_BYTES, BLOCK_BYTES + 257):
            assert run("rng", "dump", "--bytes", str(size), "--seed", "7").stdout == expected[:size]

    def test_without_a_seed_no_two_are_alike(self) -> None:
        first, second = (run("rng", "dump", "--bytes", "64").stdout for _ in range(2))
        assert len(first) == len(second) == 64
        assert first != second

    def test_a_reader_that_goes_is_no_error(self) -> None:
        command = f"{sys.executable} -m puntobanco rng dump --bytes 3000000 | head -c 10 | wc -c"
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
        assert (done.stdout.strip(), done.stderr) == ("10", "")


class TestShoes:
    def test_each_line_is_a_whole_shoe(self) -> None:
        lines = call(
            "rng", "dump", "--shoes", "3", "--game", "six-star", "--decks", "4", "--seed", "7"
        ).out.splitlines()
        assert len({*lines}) == 3
        for number, line in enumerate(lines, 1):
            assert sorted(line.split()) == sorted([*map(str, SIX_STAR.pack.cards)] * 4)
            assert line == " ".join(map(str, whole_shoe(SIX_STAR, 4, number, seeded_keys(7, number))))

    def test_the_largest_shoe_has_keys_enough(self) -> None:
        most = SIX_STAR.decks.maximum
        assert sum(1 for _ in whole_shoe(SIX_STAR, most, 1, seeded_keys(1, 1))) == 65 * most

    def test_without_a_seed_no_two_are_alike(self) -> None:
        first, second = (call("rng", "dump", "--shoes", "1", "--game", "manila").out for _ in range(2))
        assert first != second


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("", "required"),
        ("dump", "One of the arguments --bytes --shoes is required"),
        ("pour --bytes 1", "invalid choice: 'pour'"),
        ("dump --bytes 1 --shoes 1", "not allowed with argument"),
        ("dump --bytes -1", "no negative number"),
        ("dump --shoes -1 --game manila", "no negative number"),
        ("dump --shoes 1", "name one with --game"),
        ("dump --bytes 1 --game manila", "go with --shoes"),
        ("dump --shoes 1 --game manilla", "did you mean manila?"),
        ("dump --shoes 1 --game manila --decks 33", "decks, not 33"),
        ("dump --shoes 1 --game manila --decks 0", "decks, not 0"),
        ("dump --bytes 1 --seed x", "invalid int value: 'x'"),
    ],
)
def test_bad_usage_is_one_sentence(arguments: str, sentence: str) -> None:
    found = call("rng", *arguments.split())
    assert found.code == 2
    assert sentence in one_sentence(found)


def test_help_tells_how_keys_follow_from_a_seed() -> None:
    told = call("rng", "--help").out
    assert 'H("pb1/seed/key", S in decimal digits, N, r)' in told
    assert "example: puntobanco rng dump" in told


def test_whoever_waits_at_a_terminal_sees_how_far_it_is() -> None:
    main, follower = pty.openpty()
    # So much that it takes long on any machine; nobody waits for the end of it.
    with subprocess.Popen(
        [sys.executable, "-m", "puntobanco", "rng", "dump", "--bytes", "900000000000"],
        stdout=subprocess.DEVNULL,
        stderr=follower,
        env=os.environ | {"TERM": "xterm", "COLUMNS": "80"},
    ) as process:
        os.close(follower)
        said = b""
        try:
            while b" of 900,000,000,000 bytes, " not in said:
                data = os.read(main, 4096)
                assert data, "it ended"
                said += data
        finally:
            process.kill()
            os.close(main)
