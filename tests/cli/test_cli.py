"""The command line: what it prints, and how it fails."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from puntobanco import GAMES
from puntobanco.cli import COMMANDS, main

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: str) -> tuple[int, str, str]:
        try:
            code = main(arguments)
        except SystemExit as exit:  # argparse ends --help like this
            code = int(exit.code or 0)
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def process(*arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "puntobanco", *arguments], input=given, capture_output=True, timeout=60
    )


def test_without_a_command_every_command_is_listed(run: Run) -> None:
    for arguments in ([], ["--help"], ["help"]):
        code, out, _ = run(*arguments)
        assert code == 0
        assert all(f"  {name} " in out for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example(run: Run, name: str) -> None:
    code, out, _ = run(name, "--help")
    assert code == 0
    assert f"example: puntobanco {name}" in out


def test_version(run: Run) -> None:
    assert run("--version")[1].startswith("puntobanco 0.")


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["setle"], 2, "There is no command 'setle'; did you mean settle?"),
        (["rules"], 2, "required: GAME (see puntobanco rules --help)."),
        (["rules", "sixstar"], 2, "There is no game 'sixstar'; did you mean six-star?"),
        (["rules", "six-star", "--colour"], 2, "Unrecognized arguments: --colour"),
        (["rules", "fabulous-4", "--reading", "element-eights"], 2, "--reading takes SWITCH=OPTION"),
        (["rules", "fabulous-4", "--reading", "element-eights=both"], 2, "it has element_eights = on-top | instead"),
        (["settle", "six-star"], 2, "Give a deal such as"),
        (["settle", "six-star", "P 9s 3f | B 2f 4f"], 2, "'9s' is not a card of the 65-card five-element pack"),
        (["settle", "six-star", "nine"], 2, "'nine' is not a deal"),
        (["settle", "six-star", "P 9f 3f | B 2f 4f"], 1, "The Player's third card is missing"),
        (["settle", "manila", "P As 2s 3s 4s 5s | B 6s 7s 8s 9s Ts"], 1, "The Player has 5 cards"),
        (["settle", "six-star", "P 9f Tf | B 2f 4f", "--wager", "tie"], 2, "--wager takes WAGER=STAKE"),
        (["settle", "six-star", "P 9f Tf | B 2f 4f", "--wager", "tye=1"], 2, "did you mean tie?"),
        (["settle", "six-star", "P 9f Tf | B 2f 4f", "--wager", "tie=1", "--wager", "tie=2"], 2, "given twice"),
        (["settle", "six-star", "P 9f Tf | B 2f 4f", "--stdin"], 2, "come from standard input"),
        *(
            (["settle", "six-star", "P 9f Tf | B 2f 4f", "--wager", f"tie={stake}"], 2, "A stake is a whole number")
            for stake in ["0", "-5", "1.5", "1e3", "1_000", "", "ten", "²", "1000000000001", "9" * 5000]
        ),
    ],
)  # fmt: skip
def test_mistakes_are_one_sentence(run: Run, arguments: list[str], code: int, sentence: str) -> None:
    found, out, err = run(*arguments)
    assert (found, out) == (code, "")
    assert sentence in err
    assert err.startswith("puntobanco: ")
    assert err.count("\n") == 1
    assert len(err) < 400


def test_games(run: Run) -> None:
    _, out, _ = run("games")
    listed = json.loads(run("games", "--json")[1])
    assert [game["game"] for game in listed] == [game.id for game in GAMES]
    for game, entry in zip(GAMES, listed, strict=True):
        assert game.id in out
        assert entry["wagers"] == list(game.paytables)
        assert entry["document"]["title"] in out
        assert entry["digest"] == game.digest


@pytest.mark.parametrize("game", [game.id for game in GAMES])
def test_rule_card(run: Run, game: str) -> None:
    declared = next(each for each in GAMES if each.id == game)
    code, out, _ = run("rules", game, "--clauses")
    assert code == 0
    words = " ".join(out.split())
    for wager in declared.paytables.values():
        for line in wager.lines + wager.bonuses:
            assert line.label in words
            assert line.clause in words
    assert declared.digest in out
    assert "\nCards count Ace 1, 2 to 9 as printed, Ten " in out
    card = json.loads(run("rules", game, "--json")[1])
    assert list(card["wagers"]) == list(declared.paytables)
    assert card["reading"] == dict(declared.reading)


def test_rule_card_under_another_reading(run: Run) -> None:
    assert "here: instead" in run("rules", "fabulous-4", "--reading", "element-eights=instead")[1]
    card = json.loads(run("rules", "manila", "--reading", "tableau=manila-as-printed", "--json")[1])
    assert card["tableau"]["player_draws"] == "0-4"


def test_settle_in_words(run: Run) -> None:
    code, out, _ = run("settle", "fabulous-4", "P 4g 4f | B 4e 4w", "--wager", "tie=100", "--wager", "banker=5")
    assert code == 0
    assert out.splitlines() == [
        "P 4g 4f | B 4e 4w",
        "Player 8, Banker 8: Tie.",
        "Tie: Tie: pays 800 (clause 4.1).",
        "Tie: Tie on Element Eights: pays 80000 (clause 4.1).",
        "Banker: Tie returns the Banker wager: push, 5 returned (clause 3.10).",
        "Net: +80800.",
    ]


def test_settle_says_when_a_payment_is_rounded_to_nothing(run: Run) -> None:
    _, out, _ = run("settle", "manila", "P 9s 3s 2s | B 2h 4h", "--wager", "banker=1")
    assert "Banker: Banker wins, less 5% commission: pays 0, rounded down (clause How to Play 6)." in out


def test_settle_json(run: Run) -> None:
    _, out, _ = run("settle", "six-star", "P 9f Tf | B 9f Sf", "--wager", "tie=100", "--json")
    assert json.loads(out) == {
        "winner": "tie",
        "player_total": 9,
        "banker_total": 9,
        "settlements": {
            "tie": {
                "stake": 100,
                "net": 300800,
                "pays": [
                    {"line": "Tie", "clause": "4.1", "amount": 800},
                    {"line": "Tie with Flaming 9's", "clause": "4.3", "amount": 300000},
                ],
            }
        },
    }


GOOD = b'{"player": ["9f","Tf"], "banker": ["9f","Sf"], "wagers": {"tie": 100}}\n'
BAD_LINES = [
    (b"nonsense", "unreadable-line"),
    (b"[]", "unreadable-line"),
    (b'"P"', "unreadable-line"),
    (b"{}", "unreadable-line"),
    (b'{"player": ["9f","Tf"], "banker": ["9f","Sf"]}', "unreadable-line"),
    (b'{"player": ["9f","Tf"], "banker": ["9f","Sf"], "wagers": {}, "extra": 1}', "unreadable-line"),
    (b'{"player": "9f Tf", "banker": ["9f","Sf"], "wagers": {}}', "unreadable-line"),
    (b'{"player": [9, 10], "banker": ["9f","Sf"], "wagers": {}}', "unreadable-line"),
    (b'{"player": ["9f","Tf"], "banker": ["9f","Sf"], "wagers": [["tie", 1]]}', "unreadable-line"),
    (b'{"player": ["9f","Tf"], "banker": ["9f","Sf"], "wagers": {"tie": 1, "tie": 2}}', "unreadable-line"),
    (b'{"player": ["9f","Tf"], "banker": ["9f","Sf"], "wagers": {"tie": ' + b"9" * 5000 + b"}}", "unreadable-line"),
    (b"[" * 100_000, "unreadable-line"),
    (b"\xff\xfe\x00", "unreadable-line"),
    (b'{"player": ["9s","Tf"], "banker": ["9f","Sf"], "wagers": {}}', "unknown-card"),
    (b'{"player": ["\\ud800","Tf"], "banker": ["9f","Sf"], "wagers": {}}', "unknown-card"),
    (b'{"player": ["9f"], "banker": ["9f","Sf"], "wagers": {}}', "unlawful-deal"),
    (b'{"player": ["9f","Tf","2f"], "banker": ["9f","Sf"], "wagers": {}}', "unlawful-deal"),
    (b'{"player": ["9f","Tf"], "banker": ["9f","Sf"], "wagers": {"tye": 1}}', "unknown-wager"),
    *(
        (b'{"player": ["9f","Tf"], "banker": ["9f","Sf"], "wagers": {"tie": ' + stake + b"}}", "bad-stake")
        for stake in [b"0", b"-1", b"1.5", b"1e3", b"1e999", b"NaN", b"true", b"null", b'"100"', b"1000000000001"]
    ),
]  # fmt: skip


def test_settle_stdin_goes_on_after_bad_lines() -> None:
    given = b"".join(GOOD + line + b"\n" for line, _ in BAD_LINES) + b"\n" + GOOD.strip()
    done = process("settle", "six-star", "--stdin", given=given)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 1
    assert done.stderr == b""
    assert len(answers) == 2 * len(BAD_LINES) + 1
    for answer in answers[0::2]:
        assert answer["settlements"]["tie"]["net"] == 300800
    for (line, reason), answer in zip(BAD_LINES, answers[1::2], strict=True):
        assert answer.keys() == {"error"}, line
        assert answer["error"]["reason"] == reason, line
        assert len(answer["error"]["message"]) < 300


def test_settle_stdin_succeeds_on_good_lines_and_on_none() -> None:
    assert process("settle", "six-star", "--stdin", given=GOOD * 3).returncode == 0
    done = process("settle", "six-star", "--stdin")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_settle_stdin_answers_each_line_while_the_input_is_open() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "puntobanco", "settle", "six-star", "--stdin"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as talk:
        assert talk.stdin is not None
        assert talk.stdout is not None
        for _ in range(2):
            talk.stdin.write(GOOD)
            talk.stdin.flush()
            assert json.loads(talk.stdout.readline())["winner"] == "tie"
        talk.stdin.close()
        assert talk.wait(timeout=10) == 0


def test_a_reader_that_leaves_early_ends_the_command_quietly() -> None:
    command = f"{sys.executable} -m puntobanco settle six-star --stdin | head -n 1"
    done = subprocess.run(["sh", "-c", command], input=GOOD * 20_000, capture_output=True, timeout=60)
    assert done.stderr == b""
    assert done.stdout.count(b"\n") == 1


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("settle six-star --stdin <&-", "Standard input is closed."),
        ("roads --stdin <&-", "Standard input is closed."),
        ("play manila <&-", "Standard input is closed."),
        ("games >&-", "Standard output is closed."),
        ("odds manila --json >&-", "Standard output is closed."),
        ("games >/dev/full", "The output cannot be written: No space left on device."),
    ],
)
def test_a_stream_that_fails_is_one_sentence(command: str, said: str) -> None:
    words = f"{sys.executable} -m puntobanco {command}"
    done = subprocess.run(["sh", "-c", words], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"puntobanco: {said}\n")


def test_a_mistake_is_never_told_on_standard_output() -> None:
    words = f"{sys.executable} -m puntobanco setle 2>&-"
    done = subprocess.run(["sh", "-c", words], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "")


def test_the_command_works_from_any_folder(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-m", "puntobanco", "games"], cwd=tmp_path, capture_output=True, timeout=60)
    assert done.returncode == 0
