"""The command `puntobanco play`: golden transcripts, and what needs a real terminal.

A transcript in transcripts/play is a session as a person reads it: the call, and below it what the table says to
each line after a `>`. The lines are played again and the table must say the same. To change one, edit its lines
and run these tests with REWRITE_TRANSCRIPTS=1; the difference is for a reviewer to read.
"""

import codecs
import doctest
import io
import os
import pty
import random
import re
import select
import shlex
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from fcntl import ioctl
from pathlib import Path

import pytest
from rich.console import Console

from puntobanco.cards import Shoe
from puntobanco.cli import main
from puntobanco.cli.columns import one_in, percent
from puntobanco.cli.playing import patron_words
from puntobanco.cli.playing.felt import felt
from puntobanco.cli.playing.patron_words import Change, find_spot, read_changes, short_names
from puntobanco.cli.playing.screen import Screen
from puntobanco.errors import InputError
from puntobanco.games import GAMES, find_game
from puntobanco.odds import odds
from puntobanco.rulecard import card_values_line, document_line
from puntobanco.rules.game import Game
from puntobanco.table import Limits, Table, TableSettings

TRANSCRIPTS = Path(__file__).parent / "transcripts" / "play"
NAMES = sorted(path.stem for path in TRANSCRIPTS.glob("*.txt"))
ESCAPE = re.compile(r"\x1b\[[?0-9;]*[A-Za-z]")
SIX_STAR = find_game("six-star")


@pytest.fixture(autouse=True)
def _plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "xterm-256color")


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> "Play":
    return Play(monkeypatch, capsys)


class Play:
    """Plays a script of lines through standard input, as a pipe would."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.monkeypatch = monkeypatch
        self.capsys = capsys

    def __call__(self, arguments: str, *lines: str) -> str:
        self.monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        assert main(["play", *shlex.split(arguments)]) == 0
        found = self.capsys.readouterr()
        assert found.err == ""
        return found.out


@pytest.mark.parametrize("name", NAMES)
def test_transcript(name: str, play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    path = TRANSCRIPTS / f"{name}.txt"
    expected = path.read_text(encoding="utf-8")
    call, *shown = expected.splitlines()
    setting = re.fullmatch(r"\$ (?:COLUMNS=(?P<columns>\d+) )?puntobanco play (?P<arguments>.*)", call)
    assert setting is not None, f"{name} begins with a call of the command"
    monkeypatch.setenv("COLUMNS", setting["columns"] or "80")
    lines = [line[2:] for line in shown if line.startswith(">")]
    found = f"{call}\n{play(setting['arguments'], *lines)}"
    if os.environ.get("REWRITE_TRANSCRIPTS"):
        path.write_text(found, encoding="utf-8")
    else:
        assert found == expected
    assert not any(line.endswith(" ") for line in found.splitlines())
    assert "\x1b" not in found
    assert max(map(len, found.splitlines()[1:])) <= int(setting["columns"] or 80)


def test_every_game_has_a_transcript() -> None:
    assert {game.id for game in GAMES} <= set(NAMES)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_the_felt_has_every_spot_of_the_game_in_its_row(game: Game, play: Play) -> None:
    drawn = play(f"{game.id} --seed 1", "quit").split("\n╭")[1].split("╯")[0]
    rows = drawn.split("├")
    assert len(rows) == len(game.rows)
    for row, wagers in zip(rows, game.rows, strict=True):
        places = [row.index(f"{game.paytables[wager].name} ({short_names(game)[wager]})"[:16]) for wager in wagers]
        assert places == sorted(places)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_a_newcomer_is_told_the_game_in_five_lines(game: Game, play: Play) -> None:
    said = play(f"{game.id} --seed 1", "quit")
    aim, values, player, banker, pays = said[said.index("Aim: ") : said.index("Shoe 1 is")].splitlines()
    assert aim == "Aim: tell which of two hands, Player or Banker, will end nearer to 9, or a tie."
    assert values == card_values_line(game.pack)
    assert player == "Two cards each: 8 or 9 (a natural) ends it; else the Player draws on 0 to 5."
    assert banker == "The Banker draws on 0 to 5 if the Player stood, else by the Player's third card."
    assert set(re.findall(r"[a-z]+[a-z0-9]*(?= )", pays.replace("Pays ", ""))) == set(short_names(game).values())
    assert re.search(r"\bt 8:1\b", pays)


def test_what_the_spots_pay_is_told_from_the_least_to_the_most(play: Play) -> None:
    assert "\nPays b 1:2-6:5, p 1:1-6:5, t 8:1+, pp bp 11:1, fs 12:1-20:1, eb 50:1-5,000:1.\n" in play(
        "six-star", "quit"
    )


def test_a_win_that_only_pushes_is_the_least_that_a_spot_pays(play: Play) -> None:
    assert "\nPays p 1:2-2:1, b push-2:1, t 8:1+, ppp bpp 9:1-30:1, pf4 50:1, bf4 25:1.\n" in play("fabulous-4", "quit")


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
@pytest.mark.parametrize("columns", [40, 80])
def test_the_date_of_the_document_stays_whole(
    game: Game, columns: int, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    first_lines = play(f"{game.id} --seed 1", "quit").split(" decks. ")[0]
    assert " ".join(document_line(game).split()) in " ".join(first_lines.split())
    if game.document.effective:
        assert f"in force from {game.document.effective.replace('T', ' ')}\n" in first_lines


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_what_comes_on_top_is_explained_where_something_does(game: Game, play: Play) -> None:
    said = play(f"{game.id} --seed 1", "rules", "quit")
    has_bonuses = any(wager.bonuses for wager in game.paytables.values())
    assert ("decides, + comes on top; else" in said) == has_bonuses
    assert ("decides; else the stake is lost." in said) != has_bonuses


@pytest.mark.parametrize("line", ["odds xx", "withdraw xx", "increase xx 2000", "b 2000 xx 2000"])
def test_where_only_a_spot_can_stand_no_command_is_suggested(line: str, play: Play) -> None:
    said = " ".join(play("six-star --seed 1", line, "quit").split())
    assert f"'xx' is not a spot; there are {', '.join(SIX_STAR.paytables)}. >" in said


def test_where_a_command_can_stand_commands_are_suggested_too(play: Play) -> None:
    said = play("six-star --seed 1", "xx 2000", "rebyu", "quit")
    assert "'xx' is not a spot or a command; there are banker, " in said
    assert "'rebyu' is not a spot or a command; did you mean rebuy?" in said


def test_a_reading_that_is_not_the_usual_one_is_told(play: Play) -> None:
    said = play("manila --seed 1 --reading tableau=manila-as-printed --reading rounding=up", "quit")
    assert "\nNot the usual reading: tableau = manila-as-printed.\nNot the usual reading: rounding = up.\n" in said
    assert "else the Player draws on 0 to 4." in said
    assert "reading" not in play("manila --seed 1 --reading rounding=down", "quit")


def test_the_same_seed_gives_the_same_shoe(play: Play) -> None:
    rounds = ["b 2000", ""] * 3
    assert play("six-star --seed 5", *rounds) == play("six-star --seed 5", *rounds)
    assert play("six-star --seed 5", *rounds) != play("six-star --seed 6", *rounds)
    assert play("six-star", *rounds) != play("six-star", *rounds)


def test_a_shoe_without_a_seed_tells_at_its_end_what_shuffles_it_again(play: Play) -> None:
    rounds = ["b 2000", ""] * 3
    said = play("six-star", *rounds, "quit")
    told = re.search(r"\nShoe 1 is over: --seed (\d+) shuffles it again as the first shoe.\nGoodbye: 3 rounds", said)
    assert told is not None
    again = play(f"six-star --seed {told[1]}", *rounds, "quit")
    assert again == said.replace(told[0], "\nGoodbye: 3 rounds")


def test_every_shoe_without_a_seed_tells_its_own(play: Play) -> None:
    said = play("manila --decks 4 --cut 104", *[""] * 40, "quit")
    told = re.findall(r"Shoe (\d) is over: --seed (\d+)", said)
    assert [number for number, _ in told] == [str(place) for place in range(1, len(told) + 1)]
    assert len({seed for _, seed in told}) == len(told) > 1
    # The second shoe is found again as a first one.
    deals = r"(P (?:\w\w )+\| B(?: \w\w)+)"
    second = re.findall(deals, said.split("Shoe 2 is shuffled")[1].split("Shoe 2 is over")[0])
    again = play(f"manila --decks 4 --cut 104 --seed {told[1][1]}", *[""] * (len(second)), "quit")
    assert re.findall(deals, again) == second


def test_odds_are_those_of_the_cards_not_seen(play: Play) -> None:
    said = play("six-star --seed 7677", "", "odds", "t 1000", "odds tie", "odds b pp", "quit")
    burned = re.search(r"; (\w\w) burns ([\w ]+)\.\n", said)
    dealt = re.search(r"  P ([\w ]+) \| B ([\w ]+)\n", said)
    assert burned is not None
    assert dealt is not None
    pack = SIX_STAR.pack
    seen = pack.read(" ".join([*burned.groups(), *dealt.groups()]))
    assert len(burned[2].split()) == (pack.card(burned[1]).points or 10)
    exact = odds(SIX_STAR, Shoe.full(pack, 8).without(seen)).wagers
    unseen = 520 - len(seen)
    for wager in exact.values():
        figures = (percent(wager.hit), one_in(wager.hit), f"{float(wager.ev * 100):+.4f}")
        assert re.search(rf"^{wager.wager.name} +{' +'.join(map(re.escape, figures))}$", said, re.MULTILINE)
    exactly = f"Exact, from the {unseen} cards not yet seen.\n"
    without = "The figure for 100 leaves the fixed bonuses out.\n"
    tie = exact["tie"]
    assert f"Your 1,000 bring {float(tie.ev_at(1000) * 1000):+.2f}, rounding and fixed bonuses included.\n" in said
    for line in (*tie.lines, *exact["banker"].lines, *exact["player-pair"].lines):
        assert re.search(rf"^{line.line.label} .* {re.escape(one_in(line.probability))}$", said, re.MULTILINE)
    # Of the three answers only the last is about spots without fixed bonuses.
    assert (said.count(exactly), said.count(exactly + without)) == (3, 2)


def test_there_are_no_odds_between_two_shoes(play: Play) -> None:
    arguments = "manila --decks 4 --cut 104 --seed 3"
    rounds = play(arguments, *[""] * 30).partition("Enter opens")[0].count("No more bets.")
    said = play(arguments, *[""] * rounds, "odds", "quit")
    assert "Odds are those of the next round, and this shoe has none left: open a new shoe.\n" in said


@pytest.mark.parametrize(
    ("game", "typed", "meant"),
    [
        ("six-star", "pair", "player-pair (pp) or banker-pair (bp)"),
        ("six-star", "pairs", "player-pair (pp) or banker-pair (bp)"),
        ("six-star", "six", "fortune-six (fs)"),
        ("fabulous-4", "precious", "player-precious-pair (ppp) or banker-precious-pair (bpp)"),
        ("fabulous-4", "4", None),
    ],
)
def test_a_word_from_a_name_suggests_the_spots_that_have_it(
    game: str, typed: str, meant: str | None, play: Play
) -> None:
    said = play(f"{game} --seed 1", f"{typed} 2000", "quit")
    answer = " ".join(said.split(f"> {typed} 2000\n")[1].split("> quit")[0].split())
    if meant is None:
        assert answer.startswith("'4' stands where a spot should")
    else:
        assert answer == f"'{typed}' is not the whole name: is it {meant}?"


def test_the_cut_card_the_last_round_and_a_new_shoe(play: Play) -> None:
    said = play("manila --decks 4 --cut 104 --seed 3", *[""] * 30)
    cut = said.index("The cut card appears: after this round one more is played, if the cards suffice.")
    last = said.index("This is the last round of the shoe.")
    offered = said.index("The last round of this shoe has been played; open a new shoe.\nEnter opens a new shoe;")
    opened = said.index("Shoe 2 is shuffled (anchor ")
    assert cut < last < offered < opened
    assert said[cut:last].count("No more bets.") == 0
    assert said[last:offered].count("No more bets.") == 1
    # The roads begin anew with the shoe.
    assert said[opened:].split("Big Road\n")[1].splitlines()[1].split()[0] == "·"


def test_a_shoe_without_cards_for_another_round(play: Play) -> None:
    said = play("manila --decks 4 --cut 0 --burn off --seed 3", *[""] * 60)
    assert re.search(r"A round may take 6 cards and is not begun with [1-5] in the shoe\. \(Ruling 15: 5\.5\)", said)
    again = r"\nEnter opens a new shoe; quit leaves\.\n>\nShoe 2 is shuffled \(anchor \w{8}\); no cards are burned\.\n"
    assert re.search(again, said)


def test_between_two_shoes(play: Play) -> None:
    arguments = "manila --decks 4 --cut 104 --seed 3"
    rounds = play(arguments, *[""] * 30).partition("Enter opens")[0].count("No more bets.")
    said = play(arguments, *[""] * rounds, "roads", "b 2000", "rebuy", "no")
    after = said[said.index("Enter opens") :]
    assert f"{rounds} rounds: Banker" in after
    assert "Betting is not open; wait for “Place your bets, please”. (Ruling 14)" in after
    assert "You buy in for 200,000. Balance 400,000." in after
    assert after.endswith(f"Goodbye: {rounds} rounds, balance 400,000, net 0.\n")
    assert play(arguments, *[""] * rounds, "quit").endswith(
        f"quit\nGoodbye: {rounds} rounds, balance 200,000, net 0.\n"
    )
    assert play(arguments, *[""] * rounds).endswith(f"leaves.\nGoodbye: {rounds} rounds, balance 200,000, net 0.\n")


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_no_money_is_made_or_lost_but_by_settlement(game: Game, play: Play) -> None:
    chance = random.Random(game.id)
    verbs = [
        "",
        "",
        "",
        "deal",
        "repeat",
        "double",
        "clear",
        "felt",
        "increase",
        "withdraw",
        "rebuy",
        "nonsense",
        "w b",
    ]
    amounts = ["2000", "4,000", "+2000", "-2000", "6k", "20", "0", "10000000", ""]
    spots = [*game.paytables, *short_names(game).values()]
    lines = [
        " ".join(f"{chance.choice(spots)} {chance.choice(amounts)}" for _ in range(chance.randint(1, 3)))
        if chance.random() < 0.6
        else chance.choice(verbs)
        for _ in range(200)
    ]
    said = play(f"{game.id} --seed 4 --balance 100000", *lines)
    bought = 100_000 * (1 + said.count("You buy in for 100,000."))
    net = sum(int(found.replace(",", "")) for found in re.findall(r"^Net ([+-]?[0-9,]+), balance", said, re.MULTILINE))
    rounds = said.count("No more bets.")
    signed = f"{net:+,}" if net else "0"
    assert said.endswith(f"Goodbye: {rounds} rounds, balance {bought + net:,}, net {signed}.\n")
    assert rounds > 10
    assert len(set(re.findall(r"^Net .*", said, re.MULTILINE))) > 5


@pytest.mark.parametrize("width", [1, 12, 30, 50, 60, 100, 200])
def test_every_width_is_played_to_the_end(width: int, play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    said = play("fabulous-4 --seed 487", "p 2000 ppp 400", "", "help", "rules", "felt", "x")
    assert "Goodbye:1round," in re.sub(r"\s", "", said)
    if width >= 30:
        assert max(map(len, said.splitlines())) <= width


def test_plain_characters_where_the_terminal_has_no_others(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii", write_through=True))
    play("manila --seed 43", "b 10000", "felt", "", "b 2000 café 3")
    said = raw.getvalue().decode("ascii")
    assert "|       Player (p)        |         Tie (t)         |       Banker (b)        |" in said
    assert "|        * 10,000         |" in said
    assert "'caf?' is not a spot; " in said
    assert said.endswith("Goodbye: 1 round, balance 200,000, net 0.\n")


def test_input_that_is_not_text_is_a_mistake_like_any_other() -> None:
    done = run_piped(b"b \xff\x1b[31m\nb 2000\n\n")
    assert "> b \N{REPLACEMENT CHARACTER}?[31m\n'" in done
    assert "is not an amount: write a whole number such as 2000, 2,000 or 2k.\n" in done
    assert "Goodbye: 1 round" in done
    assert "\x1b" not in done


def run_piped(script: bytes) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "puntobanco", "play", "six-star", "--seed", "1"],
        input=script,
        capture_output=True,
        env=os.environ | {"PYTHONIOENCODING": "utf-8"},
        check=True,
    )
    assert done.stderr == b""
    return done.stdout.decode()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("six-star --decks 3", "is played with 4 to 10 decks, not 3 (clause 2.1)."),
        ("six-star --decks 0", "is played with 4 to 10 decks, not 0 (clause 2.1)."),
        ("six-star --balance 0", "A balance is a whole number from 1"),
        ("six-star --cut 300", "A cut card 300 cards from the end"),
        ("six-star --cut=-1", "A cut card -1 cards from the end"),
        ("six-star --seed x", "Argument --seed: invalid int value: 'x'"),
        ("six-star --reading rounding=sideways", "six-star has no reading rounding = sideways"),
        ("seven-star", "There is no game 'seven-star'; did you mean six-star?"),
    ],
)
def test_bad_usage_is_one_sentence(arguments: str, sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", *arguments.split()]) == 2
    found = capsys.readouterr()
    assert found.out == ""
    assert sentence in found.err
    assert found.err.count("\n") == 1


def test_nothing_but_an_open_table_loads_the_drawing_library() -> None:
    program = (
        "import sys; from puntobanco.cli import main; code = main(['play', 'six-star', '--decks', '3']);"
        "sys.exit(code != 2 or 'rich' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False, stderr=subprocess.DEVNULL).returncode == 0


# What is typed.


@pytest.mark.parametrize(
    ("typed", "changes"),
    [
        ("banker 100", [("banker", "", 100)]),
        ("b 100 t 20", [("banker", "", 100), ("tie", "", 20)]),
        ("Player-Pair 5K", [("player-pair", "", 5000)]),
        ("player pair 1,000, player 2,000", [("player-pair", "", 1000), ("player", "", 2000)]),
        ("tie=100", [("tie", "", 100)]),
        ("b +50 t -50 p + 20", [("banker", "+", 50), ("tie", "-", 50), ("player", "+", 20)]),
        ("el 10 fortune 10", [("element-bonus", "", 10), ("fortune-six", "", 10)]),
    ],
)
def test_stakes_are_read(typed: str, changes: list[tuple[str, str, int]]) -> None:
    assert read_changes(SIX_STAR, typed) == tuple(Change(*change) for change in changes)


def test_a_number_in_the_name_of_a_spot_is_no_amount() -> None:
    game = find_game("fabulous-4")
    assert read_changes(game, "player fabulous 4 100 bf4 4") == (
        Change("player-fabulous-4", "", 100),
        Change("banker-fabulous-4", "", 4),
    )


def test_docstring_examples() -> None:
    assert doctest.testmod(patron_words).failed == 0
    assert doctest.testmod(patron_words).attempted > 0


def test_spots_with_the_same_initials_are_named_in_full() -> None:
    twin = replace(SIX_STAR.paytables["tie"], id="treble", name="Treble", bonuses=())
    game = replace(SIX_STAR, wagers=(*SIX_STAR.wagers, twin), layout=f"{SIX_STAR.layout}\ntreble")
    assert short_names(game)["treble"] == "treble"
    assert short_names(game)["tie"] == "tie"
    assert find_spot(game, "tr") == "treble"
    with pytest.raises(InputError, match=r"'t' could be tie \(tie\) or treble \(treble\)"):
        find_spot(game, "t")


def test_limits_that_differ_stand_on_each_spot() -> None:
    settings = TableSettings(SIX_STAR, limits={"tie": Limits(2000, 5000, 1000)})
    drawn = "\n".join(line.plain for line in felt(Table(settings), Console(width=120)))
    assert drawn.count("2,000 to 5,000 in steps of 1,000") == 1
    assert drawn.count("1,000 to 1,000,000 in steps") == len(SIX_STAR.wagers) - 1


# What needs a terminal.


class Terminal:
    """The command in a pseudo-terminal of its own, as a person has it."""

    def __init__(self, *arguments: str, columns: int = 80, lines: int = 24) -> None:
        self.keyboard, inside = pty.openpty()
        termios.tcsetwinsize(inside, (lines, columns))
        self.said = ""
        self.awaited = 0
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "puntobanco", "play", *arguments],
            stdin=inside,
            stdout=inside,
            stderr=inside,
            env={name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")},
            start_new_session=True,
            # The terminal is made the controlling one, so that Ctrl-C in it is a signal.
            preexec_fn=lambda: ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(inside)

    def type(self, keys: str) -> None:
        os.write(self.keyboard, keys.encode())

    def wait_for(self, text: str, seconds: float = 60) -> None:
        """Read what is said until the text comes, after all that was waited for before."""
        end = time.monotonic() + seconds
        while (place := self.text.find(text, self.awaited)) < 0:
            assert select.select([self.keyboard], [], [], max(0, end - time.monotonic()))[0], self.text
            more = self._read()
            assert more, f"the command ended before it said {text!r}: {self.text}"
            self.said += more
        self.awaited = place + len(text)

    def interrupted(self, by: Callable[[], None]) -> int:
        """The exit code after an interrupt at the prompt."""
        # Python loses a signal in the instant between showing the prompt and waiting for a key, where a person
        # is never as fast as a test; so it is sent again if nothing comes of it.
        for _ in range(10):
            by()
            with suppress(subprocess.TimeoutExpired):
                return self.ends(1)
        raise AssertionError(f"The command does not end: {self.text}")

    def ends(self, seconds: float = 60) -> int:
        """The exit code, once everything is said."""
        end = time.monotonic() + seconds
        while select.select([self.keyboard], [], [], max(0, end - time.monotonic()))[0]:
            more = self._read()
            if not more:
                break
            self.said += more
        return self.process.wait(seconds)

    def _read(self) -> str:
        text = ""
        # A character may come in two parts, of which the first alone is no text yet.
        while not text:
            try:
                read = os.read(self.keyboard, 65536)
            except OSError:  # What Linux raises at the end of a terminal.
                return ""
            if not read:
                return ""
            text = self._decoder.decode(read)
        return text

    @property
    def text(self) -> str:
        return ESCAPE.sub("", self.said).replace("\r\n", "\n")


@contextmanager
def terminal(*arguments: str, columns: int = 80, lines: int = 24) -> Iterator[Terminal]:
    opened = Terminal(*arguments, columns=columns, lines=lines)
    try:
        yield opened
    finally:
        opened.process.kill()
        opened.process.wait()
        os.close(opened.keyboard)


def test_interrupt_while_betting_gives_the_stakes_back() -> None:
    with terminal("six-star", "--seed", "1") as table:
        table.wait_for("> ")
        table.type("b 2000 t 1000\n")
        table.wait_for("Balance 97,000.")
        table.wait_for("> ")
        assert table.interrupted(lambda: table.type("\x03")) == 0
    assert "\n3,000 on the felt goes back to you.\nGoodbye: 0 rounds, balance 100,000, net 0.\n" in table.text


def test_interrupt_while_dealing_finishes_the_round_first() -> None:
    with terminal("six-star", "--seed", "1") as table:
        table.wait_for("> ")
        table.type("b 2000\n")
        table.wait_for("Balance 98,000.")
        table.type("\n")
        table.wait_for("Player")
        began = time.monotonic()
        table.type("\x03")
        assert table.ends() == 0
        took = time.monotonic() - began
    *_, net, goodbye = re.findall(r"Net (.*), balance|Goodbye: (.*)", table.text)
    assert net[0] in ("-2,000", "+2,000", "+1,000", "0")
    assert goodbye[1].startswith("1 round, balance ")
    assert goodbye[1].endswith(f"net {net[0]}.")
    # The pauses that were left are not waited for: the four first cards alone would take longer.
    assert took < 2.5


def test_signal_without_a_key_is_the_same() -> None:
    with terminal("six-star", "--fast") as table:
        table.wait_for("> ")
        assert table.interrupted(lambda: table.process.send_signal(signal.SIGINT)) == 0
    assert "Goodbye: 0 rounds, balance 100,000, net 0." in table.text


def test_interrupt_a_moment_before_the_prompt_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("b 2000\n"))
    screen = Screen(fast=True)
    with screen.interrupts_noted():
        signal.raise_signal(signal.SIGINT)
        assert screen.ask() is None
    assert sys.stdin.read() == "b 2000\n"


def test_end_of_input_leaves() -> None:
    with terminal("six-star", "--fast") as table:
        table.wait_for("> ")
        table.type("\x04")
        assert table.ends() == 0
    assert "Goodbye: 0 rounds, balance 100,000, net 0." in table.text


def test_enter_completes_the_deal_at_once_and_does_not_start_the_next() -> None:
    with terminal("manila", "--seed", "3") as table:
        table.wait_for("> ")
        table.type("\n")
        table.wait_for("No more bets.")
        began = time.monotonic()
        table.type("\n\n")
        table.wait_for("Round 2")
        # The four first cards alone would take longer.
        assert time.monotonic() - began < 1.5
        table.wait_for("> ")
        table.type("quit\n")
        assert table.ends() == 0
    assert table.text.count("No more bets.") == 1
    assert "Goodbye: 1 round," in table.text


def test_what_is_typed_during_the_deal_is_not_dropped() -> None:
    with terminal("manila", "--seed", "3") as table:
        table.wait_for("> ")
        table.type("\n")
        table.wait_for("No more bets.")
        table.type("b 2000\nt 4000\n")
        table.wait_for("> b 2000")
        table.wait_for("> t 4000")
        table.wait_for("On the felt 6,000.")
        table.type("quit\n")
        assert table.ends() == 0
    assert "6,000 on the felt goes back to you.\nGoodbye: 1 round," in table.text


def test_a_line_begun_during_the_deal_is_finished_at_the_prompt() -> None:
    with terminal("manila", "--seed", "3") as table:
        table.wait_for("> ")
        table.type("\n")
        table.wait_for("No more bets.")
        table.type("b 20")
        table.wait_for("Round 2")
        table.wait_for("> ")
        table.type("00\n")
        table.wait_for("On the felt 2,000.")
        table.type("quit\n")
        assert table.ends() == 0


def test_the_end_of_input_during_the_deal_leaves_after_it() -> None:
    with terminal("manila", "--seed", "3") as table:
        table.wait_for("> ")
        table.type("\n")
        table.wait_for("No more bets.")
        table.type("\x04")
        assert table.ends() == 0
    assert "Goodbye: 1 round," in table.text


def test_the_felt_is_painted_in_place_and_the_cards_are_drawn() -> None:
    with terminal("manila", "--fast", "--seed", "43", lines=40) as table:
        table.wait_for("> ")
        table.type("b 10000\n")
        table.wait_for("On the felt 10,000. Balance 190,000.")
        table.wait_for("> ")
        table.type("\n")
        table.wait_for("Round 2")
        table.wait_for("> ")
        table.type("quit\n")
        assert table.ends() == 0
    # From the prompt up to the felt's first line, and that line again.
    assert re.search(r"(\x1b\[1A\x1b\[2K){13}(\x1b\[[0-9;]*m)?╭", table.said)
    assert "│        ● 10,000         │" in table.text
    assert re.search(r"  Player \d │.[♣♦♥♠]││.[♣♦♥♠]│", table.text)


@pytest.mark.parametrize(
    ("name", "value", "colours", "escapes"),
    [("TERM", "xterm", True, True), ("NO_COLOR", "1", False, True), ("TERM", "dumb", False, False)],
)
def test_no_colour_where_none_is_wanted(
    name: str, value: str, colours: bool, escapes: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    with terminal("six-star", "--fast", "--seed", "1") as table:
        table.wait_for("> ")
        table.type("b 2000\n")
        table.wait_for("98,000.")
        table.type("\n")
        table.wait_for("Round 2")
        table.type("quit\n")
        assert table.ends() == 0
    codes = re.findall(r"\x1b\[([0-9;]*)m", table.said)
    assert any(re.search(r"(^|;)(3|4|9)[0-7]($|;)", code) for code in codes) == colours
    assert ("\x1b" in table.said) == escapes
    assert "Goodbye: 1 round," in table.text


@pytest.mark.parametrize(("columns", "lines"), [(60, 30), (80, 24), (120, 40), (60, 12)])
def test_terminals_of_every_size(columns: int, lines: int) -> None:
    with terminal("fabulous-4", "--fast", "--seed", "1", columns=columns, lines=lines) as table:
        table.wait_for("> ")
        for typed, answer in (("b 2000 ppp 400", "17,600"), ("b 10000000", "maximum"), ("", "Round 2")):
            table.type(f"{typed}\n")
            table.wait_for(answer)
            table.wait_for("> ")
        table.type("quit\n")
        assert table.ends() == 0
    assert max(map(len, table.text.splitlines())) <= columns
    assert "Goodbye: 1 round," in table.text
