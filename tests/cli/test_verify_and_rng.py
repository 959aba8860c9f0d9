"""The commands `verify` and `rng dump`."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from command_line import call, one_sentence
from contract.editions import NEW, NEW_GAMES, OLD
from fairness.dealt_shoes import dealt_shoe
from puntobanco.cli.rng import BLOCK_BYTES, whole_shoe
from puntobanco.dealing import BurnAndCut
from puntobanco.fairness import NO_STATE, HmacDrbg, ShoeTerms, Signer, open_shoe, seeded_keys
from puntobanco.fairness.transcript import Transcript, seal_of
from puntobanco.games import find_game
from puntobanco.rules.game import Game
from puntobanco.verify import verify

MANILA, SIX_STAR = find_game("manila"), find_game("six-star")


def run(*arguments: str, **options: object) -> "subprocess.CompletedProcess[bytes]":
    command = [sys.executable, "-m", "puntobanco", *arguments]
    return subprocess.run(command, capture_output=True, check=False, **options)  # type: ignore[call-overload,no-any-return]


def resealed(values: dict[str, Any]) -> str:
    """With the seal that fits, as anybody can make it."""
    return json.dumps(values | {"seal": seal_of(values)})


def just_opened(game: Game, decks: int = 8, cut_depth: int = 14) -> dict[str, Any]:
    """A shoe of which nothing was drawn, on whatever terms."""
    cut = BurnAndCut(cut_depth=cut_depth)
    terms = ShoeTerms.of(game, table="salon", shoe="salon/1", decks=decks, burn_and_cut=cut)
    return Transcript(open_shoe(terms, seeded_keys(1, 1)), ()).as_json()


class TestVerify:
    def test_a_file_and_standard_input(self, tmp_path: Path) -> None:
        text = dealt_shoe(SIX_STAR, 1).text()
        path = tmp_path / "shoe.json"
        path.write_text(text, encoding="utf-8")
        expected = f"{verify(text.encode())}\nRules {SIX_STAR.digest}: those of six-star under its reading. Decks: 8.\n"
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
        "changed",
        [
            {"game": "manila"},
            {"game": "fabulous-4"},
            {"game": "whist"},
            {"reading": {"rounding": "up"}},
            {"reading": {"rounding": "sideways"}},
        ],
        ids=str,
    )
    def test_the_rules_of_another_game_or_reading_contradict_the_one_that_is_named(
        self, changed: dict[str, Any]
    ) -> None:
        """The digest is in the anchor, the game and the reading are in no hash but the seal, which anybody makes."""
        found = call("verify", "-", stdin=resealed(dealt_shoe(SIX_STAR, 1).as_json() | changed))
        assert found.code == 1
        assert "was dealt as committed" in found.out
        reading = ", ".join(f"{switch} = {option}" for switch, option in SIX_STAR.reading.items())
        whose = f"those of six-star with {reading}, NOT of the game and the reading that are named."
        assert found.err == f"puntobanco: Rules {SIX_STAR.digest}: {whose}\n"

    def test_the_rules_of_another_reading_are_known_by_their_digest(self) -> None:
        printed = MANILA.read_as(tableau="manila-as-printed", rounding="up")
        values = dealt_shoe(printed, 1).as_json()
        assert call("verify", "-", stdin=resealed(values)).code == 0
        found = call("verify", "-", stdin=resealed(values | {"reading": {"tableau": "manila-as-printed"}}))
        assert found.code == 1
        assert "those of manila with tableau = manila-as-printed, rounding = up, NOT of" in found.err

    def test_rules_that_are_nobodys_are_not_those_of_a_game_without_bonuses(self) -> None:
        """Every edition that this program has was looked at."""
        found = call("verify", "-", stdin=dealt_shoe(NEW, 1).text())
        assert found.code == 1
        assert found.err == (
            f"puntobanco: Rules {NEW.digest}: NOT those of manila under its reading, as this program has them.\n"
        )
        shoe = dealt_shoe(OLD, 1).text()
        assert call("verify", "-", stdin=shoe, games=NEW_GAMES).code == 1

    @pytest.mark.parametrize("name", ["manila", "manila-no-commission"])
    def test_rules_of_an_earlier_edition_are_known(self, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("puntobanco.games.EARLIER_EDITIONS", (OLD,))
        values = dealt_shoe(OLD, 1).as_json() | {"game": name}
        found = call("verify", "-", stdin=resealed(values), games=NEW_GAMES)
        assert found.code == (0 if name == "manila" else 1)
        assert f"Rules {OLD.digest}: those of manila " in found.out + found.err

    @pytest.mark.parametrize(
        ("changed", "said"),
        [
            ({"game": "whist"}, "NOT of a game and a reading that this program has."),
            ({"reading": {"rounding": "sideways"}}, "NOT of a game and a reading that this program has."),
            ({}, "of six-star with bonuses of the table's own, or of other rules: ask the house which."),
        ],
    )
    def test_what_cannot_be_known_of_rules_is_told(self, changed: dict[str, Any], said: str) -> None:
        own = SIX_STAR.with_bonuses(dict.fromkeys(SIX_STAR.fixed_amounts, 7))
        found = call("verify", "-", stdin=resealed(dealt_shoe(own, 1).as_json() | changed))
        assert found.code == 0
        assert found.out.endswith(f"\nRules {own.digest}: {said} Decks: 8.\n")

    def test_a_shoe_that_the_game_is_not_dealt_from_is_told(self) -> None:
        for terms, said in (
            ({"decks": 11}, "is played with 4 to 10 decks, not 11 (clause 2.1)."),
            ({"cut_depth": 300}, "A cut card 300 cards from the end is not in the second half of the shoe."),
        ):
            found = call("verify", "-", stdin=resealed(just_opened(SIX_STAR, **terms)))
            assert found.code == 1
            assert said in found.err
        cards = [*map(str, MANILA.pack.cards)]
        found = call("verify", "-", stdin=resealed(just_opened(SIX_STAR) | {"cards": cards}))
        assert (found.code, found.err) == (1, "puntobanco: The cards are not the pack of six-star.\n")
        assert call("verify", "-", stdin=resealed(just_opened(SIX_STAR))).code == 0

    def test_shoes_of_one_table_that_two_keys_have_signed(self, tmp_path: Path) -> None:
        first = dealt_shoe(MANILA, 1, rounds=2)
        assert first.final is not None
        key = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
        signer = Signer(key.sign, key.public_key().public_bytes_raw())
        second = dealt_shoe(MANILA, 2, rounds=2, previous=first.final, signer=signer)
        for name, shoe in (("one", first), ("two", second)):
            (tmp_path / name).write_text(shoe.text(), encoding="utf-8")
        found = call("verify", f"{tmp_path}/one", f"{tmp_path}/two")
        assert found.code == 1
        assert found.err == f"puntobanco: '{tmp_path}/two': Shoe 'salon-2' is not signed with the key of 'salon-1'.\n"

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
