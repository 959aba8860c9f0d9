"""The transcript: exactly the shape of the scheme, written and read without loss."""

import json
import os
from pathlib import Path

import pytest

from fairness.dealt_shoes import dealt_shoe
from puntobanco.dealing import BurnAndCut, BurnRule
from puntobanco.errors import InputError
from puntobanco.fairness import (
    KEYS,
    FinishedRound,
    OpenedShoe,
    Transcript,
    final_state,
    read_transcript,
    transcript,
)
from puntobanco.games import GAMES, find_game
from puntobanco.rules.game import Game

GOLDEN = Path(__file__).parent / "golden" / "worked-example.json"
SHOE_FIELDS = (
    "scheme table shoe game reading rules_digest decks cut_depth burn cards previous commitments anchor signature "
    "public_key rounds unused_keys final seal"
)


def worked_example() -> Transcript:
    """A short shoe with keys that anybody can write down: key r is the byte r, 32 times."""
    return dealt_shoe(
        find_game("manila"),
        863,
        rounds=4,
        keys=tuple(bytes([place]) * 32 for place in range(KEYS)),
    )


def test_the_worked_example_is_as_it_was_filed() -> None:
    text = worked_example().text()
    if os.environ.get("REWRITE_TRANSCRIPTS"):
        GOLDEN.write_text(text, encoding="utf-8")
    assert GOLDEN.read_text(encoding="utf-8") == text


def test_the_fields_are_those_of_the_scheme_and_a_seal() -> None:
    values = json.loads(dealt_shoe(find_game("six-star"), 1).text())
    assert [*values] == SHOE_FIELDS.split()
    assert [*values["rounds"][0]] == ["round", "number", "nonces", "state", "key", "drawn"]
    for each in values["rounds"][1:]:
        assert [*each] == ["round", "number", "nonces", "state", "key", "drawn", "deal", "void"]
        assert all([*nonce] == ["patron", "commitment", "nonce"] for nonce in each["nonces"])
    assert values["cards"] == [rank + suit for suit in "fgedw" for rank in "A23456789TSLF"]
    assert len(values["commitments"]) == KEYS
    assert len(values["rounds"]) + len(values["unused_keys"]) == KEYS


def test_a_running_shoe_gives_no_secret_away() -> None:
    running = dealt_shoe(find_game("manila"), 1, rounds=5, over=False)
    values = json.loads(running.text())
    assert "final" not in values
    assert values["unused_keys"] == {}
    assert running.final is None
    secret = dealt_shoe(find_game("manila"), 1, rounds=5).unused_keys
    assert secret is not None
    assert not any(key.hex() in running.text() for key in secret.values())


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_what_is_written_is_read_again(game: Game) -> None:
    for over in (True, False):
        written = dealt_shoe(game, 5, over=over, burn_and_cut=BurnAndCut(BurnRule.OFF, 200))
        assert read_transcript(written.text()) == written
        assert read_transcript(written.text()).text() == written.text()


def test_a_transcript_without_a_seal_is_read() -> None:
    written = dealt_shoe(find_game("manila"), 5, rounds=2)
    values = written.as_json()
    del values["seal"]
    assert read_transcript(json.dumps(values)) == written


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("seal", "00" * 32),
        ("final", "00" * 32),
        ("scheme", "pb2"),
        ("table", "another"),
        ("decks", True),
        ("decks", 8.0),
        ("cards", ["As"]),
        ("rounds", {}),
        ("more", 1),
        ("anchor", None),
        ("previous", "0g"),
        ("burn", "twice"),
    ],
)
def test_a_transcript_that_is_not_as_it_was_written(field: str, value: object) -> None:
    values = dealt_shoe(find_game("manila"), 5, rounds=2).as_json()
    with pytest.raises((InputError, ValueError), match=r"transcript|decks|burn|unused keys"):
        read_transcript(json.dumps(values | {field: value}))


@pytest.mark.parametrize("text", ["", "[]", "{}", "null", "[" * 100_000, '{"cards": 1}'])
def test_what_is_no_transcript(text: str) -> None:
    with pytest.raises(InputError, match="transcript"):
        read_transcript(text)


def test_a_transcript_has_all_rounds_and_all_keys() -> None:
    whole = dealt_shoe(find_game("manila"), 5, rounds=3)
    assert whole.unused_keys is not None
    for rounds, keys in (
        (whole.rounds[1:], None),
        (whole.rounds, {**whole.unused_keys, 3: bytes(32)}),
        (whole.rounds, {}),
        ((), dict.fromkeys(range(KEYS), bytes(32))),
        ((*whole.rounds[:1], FinishedRound(1, 1, (), bytes(32), bytes(32), ())), None),
    ):
        with pytest.raises(InputError, match=r"transcript|unused keys|its burn"):
            Transcript(whole.opened, rounds, keys)


def test_a_shoe_is_chained_to_the_one_before() -> None:
    first = dealt_shoe(find_game("manila"), 5, rounds=3)
    assert first.final is not None
    assert first.final == final_state(first.opened, first.rounds[-1].state)
    second = dealt_shoe(find_game("manila"), 6, rounds=1, previous=first.final)
    assert isinstance(second.opened, OpenedShoe)
    assert second.as_json()["previous"] == first.as_json()["final"]
    assert second.opened.anchor != dealt_shoe(find_game("manila"), 6, rounds=1).opened.anchor


def test_the_seal_covers_every_other_field() -> None:
    values = dealt_shoe(find_game("manila"), 5, rounds=3).as_json()
    for name in values.keys() - {"seal"}:
        assert transcript.seal_of(values | {name: "changed"}) != values["seal"], name
    assert transcript.seal_of(values | {"seal": ""}) == values["seal"]


def test_a_transcript_that_is_signed_as_a_whole_is_read_back() -> None:
    made = dealt_shoe(find_game("manila"), 1, rounds=2).signed(lambda data: (data * 2)[:64])
    values = json.loads(made.text())
    assert [*values] == [*SHOE_FIELDS.split(), "seal_signature"]
    # A tag and the seal are signed, so that no seal is taken for an anchor.
    assert values["seal_signature"].startswith(b"pb1/seal".hex() + values["seal"])
    assert read_transcript(made.text()) == made
