"""The command line: what it prints, and how it fails."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import puntobanco.cli
from puntobanco import GAMES, __version__, find_game
from puntobanco.cli import COMMANDS, main
from puntobanco.provenance import Provenance
from puntobanco.rulecard import document_line

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


@pytest.mark.parametrize("command", ["rules", "odds"])
def test_the_date_of_a_document_is_not_broken(run: Run, command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert "Baccarat, version 2,\nin force from 2019-05-09 17:00\n" in run(command, "fabulous-4")[1]


def test_rule_card_under_another_reading(run: Run) -> None:
    assert "here: instead" in run("rules", "fabulous-4", "--reading", "element-eights=instead")[1]
    card = json.loads(run("rules", "manila", "--reading", "tableau=manila-as-printed", "--json")[1])
    assert card["tableau"]["player_draws"] == "0-4"


def settled_in_words(run: Run, *arguments: str, columns: int = 200) -> list[str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", str(columns))
        code, out, _ = run("settle", *arguments)
    assert code == 0
    return out.splitlines()


def test_settle_fits_the_terminal(run: Run) -> None:
    """A sentence goes on further in, so that it does not look like another payment."""
    lines = settled_in_words(run, "six-star", "P 9f Tf | B 9f Sf", "--wager", "player=50", columns=80)
    assert lines[7:] == [
        "The Player has a natural 9 and the Banker has a natural 9, so no more cards are",
        "  dealt (clause 3.9.1).",
        "Player 9, Banker 9: Tie (clause 3.10.1).",
        "Player: Tie returns the Player wager: push, 50 cents = 0.50 SGD returned (clause",
        "  3.10.1).",
        "Net: 0 cents = 0.00 SGD.",
    ]
    document = settled_in_words(run, "fabulous-4", "P 4g 4f | B 4e 4w", columns=80)[1:3]
    assert document[1] == "in force from 2019-05-09 17:00"


def test_settle_in_words(run: Run) -> None:
    game = find_game("fabulous-4")
    stakes = ("--wager", "tie=100", "--wager", "banker=5")
    assert settled_in_words(run, "fabulous-4", "P 4g 4f | B 4e 4w", *stakes, "--reading", "rounding=up") == [
        game.name,
        document_line(game),
        f"rules digest {game.read_as(rounding='up').digest}",
        f"reading: element_eights = on-top, rounding = up (the default is down); puntobanco {__version__}",
        "money in cents of SGD, play money",
        "",
        "P 4g 4f | B 4e 4w",
        "The Player has a natural 8 and the Banker has a natural 8, so no more cards are dealt (clause 3.8).",
        "Player 8, Banker 8: Tie (clause 3.10).",
        "Tie: Tie: pays 800 cents = 8.00 SGD (clause 4.1).",
        "Tie: Tie on Element Eights: pays 80,000 cents = 800.00 SGD (clause 4.1).",
        "Banker: Tie returns the Banker wager: push, 5 cents = 0.05 SGD returned (clause 3.10).",
        "Net: +80,800 cents = +808.00 SGD.",
    ]


def test_settle_accounts_for_each_draw_with_its_clause(run: Run) -> None:
    assert settled_in_words(run, "manila", "P 9s 3s 2s | B 2h 4h")[6:] == [
        "P 9s 3s 2s | B 2h 4h",
        "The Player draws on 2: 2s (clause Table of Play 1).",
        "The Banker stands on 6 against the Player's third card 2s (clause Table of Play 2).",
        "Player 4, Banker 6: Banker wins (clause How to Play 1).",
    ]
    both = "P 9s 3s 6s | B 2h 4h 5c"
    found = json.loads(run("settle", "manila", both, "--json")[1])
    assert found["deal"] == both
    assert found["draws"] == [
        {"decision": "the Player draws on 2", "clause": "Table of Play 1", "card": "6s"},
        {
            "decision": "the Banker draws on 6 against the Player's third card 6s",
            "clause": "Table of Play 2",
            "card": "5c",
        },
    ]
    assert json.loads(run("settle", "manila", "P 4s 3s | B 2h 3h Kc", "--json")[1])["draws"] == [
        {"decision": "the Player stands on 7", "clause": "Table of Play 1", "card": None},
        {"decision": "the Banker draws on 5 after the Player stood", "clause": "Table of Play 2", "card": "Kc"},
    ]


@pytest.mark.parametrize(
    ("deal", "said"),
    [
        ("P 9s 3s | B 2h 4h", "the Player draws on 2 (clause Table of Play 1)."),
        ("P 9s Ks 2s | B 2h 4h", "the Player has a natural 9, so no more cards are dealt (clause Hand Totals 5)."),
        ("P 9s 3s 6s | B 2h 4h", "the Banker draws on 6 against the Player's third card 6s (clause Table of Play 2)."),
        ("P 2s 4s 9s | B Kh 7h", "the Player stands on 6 (clause Table of Play 1)."),
        ("P 2s 4s | B Kh 7h 9s", "the Banker stands on 7 after the Player stood (clause Table of Play 2)."),
        ("P 9s | B 2h 4h", "a hand has two or three (clause How to Play 3)."),
        ("P 9s 8s 7s 6s | B 2h 4h", "a hand has at most three (clause Table of Play 1)."),
        ("P 9s 8s | B 2h 4h 6h 6s", "a hand has at most three (clause Table of Play 2)."),
    ],
)
def test_a_deal_that_is_refused_cites_its_clause(run: Run, deal: str, said: str) -> None:
    code, _, err = run("settle", "manila", deal)
    assert code == 1
    assert err.strip().endswith(said)


def test_a_position_that_is_refused_cites_its_clause(run: Run) -> None:
    code, _, err = run("odds", "manila", "--seen", "P 9s Ks ? | B 2h 4h")
    assert code == 1
    assert err.strip().endswith("so no more cards are dealt (clause Hand Totals 5).")


@pytest.mark.parametrize(
    ("stake", "reading", "said", "exact"),
    [
        (30, "down", "pays 28 centavos = 0.28 PHP (clause How to Play 6), rounded down from 28.5 (ruling 12).", "57/2"),
        (30, "up", "pays 29 centavos = 0.29 PHP (clause How to Play 6), rounded up from 28.5 (ruling 12).", "57/2"),
        (1, "down", "pays 0 centavos = 0.00 PHP (clause How to Play 6), rounded down from 0.95 (ruling 12).", "19/20"),
        (2001, "down", "1,900 centavos = 19.00 PHP (clause How to Play 6), rounded down from 1,900.95 (ruling 12).",
         "38019/20"),
        (40, "down", "pays 38 centavos = 0.38 PHP (clause How to Play 6).", None),
    ],
)  # fmt: skip
def test_settle_says_when_a_payment_is_rounded(
    run: Run, stake: int, reading: str, said: str, exact: str | None
) -> None:
    arguments = ("manila", "P 9s 3s 2s | B 2h 4h", "--wager", f"banker={stake}", "--reading", f"rounding={reading}")
    (line,) = [line for line in settled_in_words(run, *arguments) if line.startswith("Banker:")]
    assert line.endswith(said)
    (payment,) = json.loads(run("settle", *arguments, "--json")[1])["settlements"]["banker"]["pays"]
    assert payment.get("rounded_from") == exact
    assert payment.get("rounded_by") == ("Ruling 12" if exact else None)


def test_settle_in_another_currency_of_the_game(run: Run) -> None:
    arguments = ("manila", "P 9s 3s 2s | B 2h 4h", "--wager", "tie=250")
    assert "Tie: 250 cents = 2.50 HKD lost." in settled_in_words(run, *arguments, "--currency", "hkd")
    assert settled_in_words(run, *arguments)[-1] == "Net: -250 centavos = -2.50 PHP."
    code, _, err = run("settle", *arguments, "--currency", "SGD")
    assert (code, err) == (2, "puntobanco: Baccarat, City of Dreams Manila is played in PHP or HKD, not in 'SGD'.\n")


def test_settle_json(run: Run) -> None:
    _, out, _ = run("settle", "six-star", "P 9f Tf | B 9f Sf", "--wager", "tie=100", "--json")
    found = json.loads(out)
    assert found.pop("provenance") == Provenance(find_game("six-star")).as_json()
    assert found == {
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
        "deal": "P 9f Tf | B 9f Sf",
        "draws": [
            {
                "decision": "the Player has a natural 9 and the Banker has a natural 9, so no more cards are dealt",
                "clause": "3.9.1",
                "card": None,
            }
        ],
        "currency": "SGD",
        "unit": "cents",
        "decimals": 2,
    }


GOOD = b'{"player": ["9f","Tf"], "banker": ["9f","Sf"], "wagers": {"tie": 100}}\n'
BAD_LINES = [
    (b"nonsense", "unreadable-line"),
    (b"", "blank-line"),
    (b" \t\r", "blank-line"),
    (b"[]", "unreadable-line"),
    (b'"P"', "unreadable-line"),
    (b"{}", "unreadable-line"),
    (b'{"player": ["9f","Tf"], "banker": ["9f","Sf"]}', "unreadable-line"),
    (b'{"player": ["9f","Tf"], "banker": ["9f","Sf"], "wagers": {}, "extra": 1}', "unreadable-line"),
    (b'{"player": ["9f","Tf"], "banker": ["9f","Sf"], "wagers": {}, "id": true}', "unreadable-line"),
    (b'{"player": ["9f","Tf"], "banker": ["9f","Sf"], "wagers": {}, "id": [1]}', "unreadable-line"),
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
    given = b"".join(GOOD + line + b"\n" for line, _ in BAD_LINES) + GOOD.strip()
    done = process("settle", "six-star", "--stdin", given=given)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 1
    assert done.stderr == b""
    assert len(answers) == 2 * len(BAD_LINES) + 1
    for answer in answers[0::2]:
        assert answer["settlements"]["tie"]["net"] == 300800
        assert answer["rules_digest"] == find_game("six-star").digest
    for (line, reason), answer in zip(BAD_LINES, answers[1::2], strict=True):
        assert answer.keys() == {"error"}, line
        assert answer["error"]["reason"] == reason, line
        assert len(answer["error"]["message"]) < 300


def test_settle_stdin_echoes_an_id_also_with_an_error() -> None:
    ids: list[object] = [7, "a \u2660", 0, -(10**30), ""]
    lines = []
    for each in ids:
        for player in (["9f", "Tf"], ["9f", "Tf", "2f"]):
            lines.append(json.dumps({"id": each, "player": player, "banker": ["9f", "Sf"], "wagers": {"tie": 1}}))
        lines.append(json.dumps({"id": each}))
    done = process("settle", "six-star", "--stdin", given="\n".join(lines).encode())
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == [each for each in ids for _ in range(3)]
    for settled, unlawful, unreadable in zip(*[iter(answers)] * 3, strict=True):
        assert settled["winner"] == "tie"
        assert (unlawful["error"]["reason"], unlawful["error"]["clause"]) == ("unlawful-deal", "3.9.1")
        assert unreadable["error"]["reason"] == "unreadable-line"


@pytest.mark.parametrize(("given", "answers"), [(b"\n", 1), (b"\n\n" + GOOD, 3), (GOOD + b"\n", 2), (GOOD + b" ", 2)])
def test_settle_stdin_gives_one_line_for_each_line(given: bytes, answers: int) -> None:
    done = process("settle", "six-star", "--stdin", given=given)
    assert done.stdout.count(b"\n") == answers
    assert done.returncode == 1


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
        assert talk.wait(timeout=60) == 0


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


def test_figures_get_their_sign_in_one_place() -> None:
    """A bare format would print what rounds to nothing as -0.0000."""
    folder = Path(puntobanco.cli.__file__).parent
    signing = {"columns.py", "plots.py"}
    found = [path.name for path in folder.rglob("*.py") if re.search(r":\+[,.]", path.read_text(encoding="utf-8"))]
    assert set(found) - signing <= {"session.py"}


def test_each_answer_of_a_stream_names_game_currency_and_what_is_not_usual() -> None:
    line = b'{"player": ["9s", "Kd"], "banker": ["3h", "4h"], "wagers": {"player": 5}}\n'
    usual = json.loads(process("settle", "manila", "--stdin", given=line).stdout)
    assert (usual["game"], usual["currency"]) == ("manila", "PHP")
    assert not usual.keys() & {"changed_readings", "own_wagers"}
    options = ("--reading", "rounding=up", "--currency", "hkd")
    other = json.loads(process("settle", "manila", "--stdin", *options, given=line).stdout)
    assert (other["currency"], other["changed_readings"]) == ("HKD", {"rounding": "up"})


@pytest.mark.parametrize(
    "words",
    [
        ("manila", "--wager", "banker=30", "--reading", "rounding=up", "P 2s 4h | B Ts 7h"),
        ("--wager", "banker=30", "manila", "P 2s 4h | B Ts 7h", "--reading", "rounding=up"),
        ("--reading", "rounding=up", "manila", "P 2s 4h | B Ts 7h", "--wager", "banker=30"),
    ],
)
def test_options_may_stand_anywhere(run: Run, words: tuple[str, ...]) -> None:
    code, out, _ = run("settle", *words)
    assert code == 0
    assert out.endswith("Net: +29 centavos = +0.29 PHP.\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("settle", "manila", "P 2s 4h | B Ts 7h", "--wager", "banker=30.5"), ", not 30.5."),
        (("settle", "manila", "P 2s 4h | B Ts 7h", "--wager", "banker=-5"), ", not -5."),
        (("settle", "manila", "P 2s 4h | B Ts 7h", "--wager", "banker="), ", not nothing."),
        (("odds", "manila", "--stake", "30.5"), ", not 30.5."),
        (("settle", "manila", "P 2s 4h | B Ts 7h", "--wager", "pair=5"), "; did you mean banker-pair or player-pair?"),
        (("counting", "manila", "pairs"), "; did you mean banker-pair or player-pair?"),
        (("systems", "manila", "--wager", "pair"), "; did you mean banker-pair or player-pair?"),
        (("rules", "tournament"), "; did you mean baccarat-tournament or fortune-six-tournament?"),
        (("rules", "manilla"), "; did you mean manila?"),
    ],
)
def test_a_mistyped_word_is_repeated_as_typed_and_the_meant_one_suggested(
    run: Run, words: tuple[str, ...], said: str
) -> None:
    code, _, err = run(*words)
    assert code == 2
    assert err.strip().endswith(said)


def test_numbers_for_people_have_separators(run: Run) -> None:
    assert " 5,000:1 " in run("odds", "six-star")[1]
    assert "5000:1" in run("odds", "six-star", "--json")[1]
    assert " -5,689.7485%" in run("odds", "fabulous-4", "--seen", "P 4g ? | B 4e 4w")[1]
    for command in COMMANDS:
        assert not re.search(r"default: \d{4}", run(command, "--help")[1])


def test_the_odds_say_that_the_deviation_leaves_fixed_amounts_out(run: Run) -> None:
    def said(*words: str) -> str:
        return " ".join(run("odds", "six-star", *words)[1].split())

    assert "the expected value and deviation of a wager leave them out." in said()
    assert "the expected value of a wager leaves them out." in said("--stake", "100")
