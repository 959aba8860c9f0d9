"""`puntobanco odds`: what it prints for people and for programs, and how it fails."""

import csv
import doctest
import io
import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from command_line import COLOURED, PLAIN, call, one_sentence
from puntobanco import GAMES, Game, Shoe, find_game
from puntobanco.cli import columns
from puntobanco.odds import odds, read_position

LUCKY_SIX = """
[[wager]]
id = "lucky-six"
name = "Lucky Six"

[[wager.lines]]
label = "Banker wins with six on two cards"
pays = "12:1"
when = { winner = "banker", banker_total = 6, banker_cards = 2 }

[[wager.lines]]
label = "Banker wins with six on three cards"
pays = "20:1"
when = { winner = "banker", banker_total = 6, banker_cards = 3 }
"""
RED_PAIR = """
[[wager]]
id = "red-pair"
name = "Red Pair"
lines = [{ label = "Pair of hearts", pays = "50:1", when = { player_pair = true, player_suit = "h" } }]
"""


def as_json(*arguments: str) -> Any:
    called = call("odds", *arguments, "--json")
    assert (called.code, called.err) == (0, "")
    return json.loads(called.out)


def ratio(text: str) -> Fraction:
    return Fraction(0) if text == "push" else Fraction(*map(int, text.split(":")))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_json_has_the_shape_of_the_contract(game: Game) -> None:
    found = as_json(game.id)
    assert list(found) == ["game", "decks", "cards", "wagers", "bonuses", "provenance"]
    assert (found["game"], found["decks"], found["cards"]) == (game.id, 8, 8 * len(game.pack))
    assert list(found["wagers"]) == list(game.paytables)
    for name, wager in found["wagers"].items():
        assert wager.keys() - {"break_even_stake", "break_even_stake_float"} == {
            "ev", "ev_float", "house_edge", "hit", "std", "lines",
        }  # fmt: skip
        assert [line["line"] for line in wager["lines"]] == [
            line.label
            for line in game.paytables[name].lines + game.paytables[name].bonuses
            if line not in game.fixed_bonuses
        ]
        for line in wager["lines"]:
            assert line.keys() - {"on_top"} == {"line", "clause", "pays", "probability", "probability_float"}
            assert re.fullmatch(r"\d+/\d+", line["probability"])
            assert line["probability_float"] == float(Fraction(line["probability"]))
        assert re.fullmatch(r"-?\d+/\d+", wager["ev"])
        assert wager["ev_float"] == float(Fraction(wager["ev"])) == -wager["house_edge"]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_the_expected_value_follows_from_the_printed_lines(game: Game) -> None:
    for wager in as_json(game.id, "--decks", "6")["wagers"].values():
        decided = [line for line in wager["lines"] if "on_top" not in line]
        lost = 1 - sum(Fraction(line["probability"]) for line in decided)
        won = sum(Fraction(line["probability"]) * ratio(line["pays"]) for line in wager["lines"])
        assert Fraction(wager["ev"]) == won - lost
        hit = sum(Fraction(line["probability"]) for line in decided if line["pays"] != "push")
        assert wager["hit"] == float(hit)
        if len(decided) == len(wager["lines"]):
            square = sum(Fraction(line["probability"]) * ratio(line["pays"]) ** 2 for line in decided) + lost
            assert wager["std"] == pytest.approx(float(square - Fraction(wager["ev"]) ** 2) ** 0.5, rel=1e-12)


@pytest.mark.parametrize(
    ("game", "wager", "decks", "count", "total"),
    [
        # Wizard of Odds, six, eight and ten decks.
        ("manila", "banker", 8, 2_292_252_566_437_888, 4_998_398_275_503_360),
        ("manila", "player", 8, 2_230_518_282_592_256, 4_998_398_275_503_360),
        ("manila", "tie", 8, 475_627_426_473_216, 4_998_398_275_503_360),
        ("manila", "banker", 6, 403_095_751_234_560, 878_869_206_895_680),
        ("manila", "tie", 10, 1_828_629_499_384_000, 19_206_486_926_827_200),
        # Eight decks of 65 cards are as ten of 52 to a wager that ignores suits.
        ("six-star", "tie", 8, 1_828_629_499_384_000, 19_206_486_926_827_200),
    ],
)
def test_published_probabilities(game: str, wager: str, decks: int, count: int, total: int) -> None:
    lines = as_json(game, "--decks", str(decks))["wagers"][wager]["lines"]
    assert lines[0]["probability"] == "{}/{}".format(*Fraction(count, total).as_integer_ratio())


@pytest.mark.parametrize(
    ("game", "wager", "edge"),
    [
        # Wizard of Odds; Jacobson for the Banker that pays half on six; published guides for the last two.
        ("manila", "banker", "1.0579%"),
        ("manila", "player", "1.2351%"),
        ("manila", "tie", "14.3596%"),
        ("manila-no-commission", "banker", "1.4581%"),
        ("fortune-six-tournament", "fortune-six", "16.6836%"),
        ("manila", "super-six", "29.9772%"),
        ("manila", "banker-pair", "10.3614%"),
    ],
)
def test_published_edges_in_the_table(game: str, wager: str, edge: str) -> None:
    name = find_game(game).paytables[wager].name
    row = next(line for line in call("odds", game).out.splitlines() if re.match(rf"{name} +[-+]", line))
    assert row.split()[-3] == edge


def test_fixed_bonuses_are_apart_with_the_stake_that_breaks_even() -> None:
    found = as_json("six-star", "--stake", "100")
    assert [(bonus["wager"], bonus["line"], bonus["amount"]) for bonus in found["bonuses"]] == [
        ("tie", "Tie with Flaming 9's", 300_000),
        ("tie", "6 Stars", 3_000_000),
    ]
    worth = sum(Fraction(bonus["probability"]) * bonus["amount"] for bonus in found["bonuses"])
    tie = found["wagers"]["tie"]
    # Ruling 6: $0.2547 a round, so that a stake under $1.78 favours the patron.
    assert float(worth) == pytest.approx(25.47, abs=0.005)
    assert Fraction(tie["break_even_stake"]) == worth / -Fraction(tie["ev"])
    assert round(tie["break_even_stake_float"]) == 178
    assert Fraction(tie["ev_at_stake"]) == Fraction(tie["ev"]) + worth / 100 > 0
    assert found["stake"] == 100
    out = call("odds", "six-star", "--stake", "100").out
    assert "a stake under 177.97 favours the patron" in out
    assert f"{tie['ev_at_stake_float']:+.6f}" in out


def test_the_rounding_of_a_payment_counts_at_a_stake() -> None:
    # Of one unit the Banker's 19:20 is rounded down to nothing.
    wagers = as_json("manila", "--stake", "1")["wagers"]
    player_wins = Fraction(wagers["player"]["lines"][0]["probability"])
    assert Fraction(wagers["banker"]["ev_at_stake"]) == -player_wins
    upwards = as_json("manila", "--stake", "1", "--reading", "rounding=up")["wagers"]
    assert Fraction(upwards["banker"]["ev_at_stake"]) == -Fraction(upwards["player"]["ev_at_stake"])
    assert "rounding = up" in call("odds", "manila", "--reading", "rounding=up").out


def test_a_ratio_paid_on_top_is_marked() -> None:
    lines = as_json("fabulous-4")["wagers"]["tie"]["lines"]
    assert [(line["pays"], line.get("on_top")) for line in lines] == [("8:1", None), ("800:1", True)]
    instead = as_json("fabulous-4", "--reading", "element-eights=instead")["wagers"]["tie"]["lines"]
    assert not any("on_top" in line for line in instead)
    assert "+800:1" in call("odds", "fabulous-4").out


def test_bare_ranks_stand_for_any_suit_where_only_ranks_matter() -> None:
    bare, suited, mixed = (as_json("manila", "--remove", cards) for cards in ("6 6 9 10", "6c,6d 9h Ts", "6h 6 9s t"))
    assert bare["cards"] == 412
    assert bare["wagers"] == suited["wagers"] == mixed["wagers"]
    assert bare["wagers"]["tie"]["ev"] != as_json("manila")["wagers"]["tie"]["ev"]
    assert "8 decks less 6 6 9, 413 cards" in call("odds", "manila", "--remove", "6 6 9").out


def test_as_many_bare_ranks_can_go_as_there_are_cards() -> None:
    assert as_json("manila", "--remove", "6 " * 32)["cards"] == 384
    assert one_sentence(call("odds", "manila", "--remove", "6 " * 33)) == "There is no 6 left in the shoe to take out."
    assert "There is no 6h left" in one_sentence(call("odds", "manila", "--remove", "6h " * 9))


def test_a_bare_rank_is_refused_where_a_wager_reads_suits(tmp_path: Path) -> None:
    sentence = one_sentence(call("odds", "six-star", "--remove", "6f 6"))
    assert sentence == (
        "The wager banker looks at suits, so name the suit of a card to remove: 6f or 6g or 6e or 6d or 6w, not 6."
    )
    assert as_json("six-star", "--remove", "6f 6w")["cards"] == 518
    own = tmp_path / "own.toml"
    own.write_text(RED_PAIR)
    assert "The wager red-pair looks at suits" in one_sentence(
        call("odds", "manila", "--wager-file", str(own), "--remove", "6")
    )
    assert as_json("manila", "--wager-file", str(own), "--remove", "6h")["cards"] == 415


def test_a_shoe_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "shoe.json"
    file.write_text(json.dumps(Shoe.full(find_game("manila").pack, 8).as_counts()))
    given, full = as_json("manila", "--shoe", str(file)), as_json("manila")
    assert (given["decks"], full["decks"]) == (None, 8)
    assert [given[name] for name in ("cards", "wagers")] == [full[name] for name in ("cards", "wagers")]
    assert as_json("manila", "--shoe", str(file), "--remove", "6 6")["cards"] == 414
    # Nothing but kings: every round is a tie of nothing and both hands are pairs.
    file.write_text('{"Kh": 8, "Ah": 0}')
    kings = as_json("manila", "--shoe", str(file))
    assert kings["cards"] == 8
    assert [kings["wagers"][name]["ev"] for name in ("tie", "player-pair", "player", "super-six")] == [
        "8/1",
        "11/1",
        "0/1",
        "-1/1",
    ]


def test_cards_seen_are_taken_out_of_the_shoe(tmp_path: Path) -> None:
    game, text = find_game("six-star"), "P 9f ? | B 3g ?"
    seen = read_position(game.pack, game.tableau, text)
    left = Shoe.full(game.pack, 6).without(seen.values())
    expected = odds(game, left, seen)
    found = as_json("six-star", "--decks", "6", "--seen", text.lower().replace("p", "P"))
    assert (found["seen"], found["cards"], found["decks"]) == (text, 388, 6)
    for name, wager in found["wagers"].items():
        assert Fraction(wager["ev"]) == expected.wagers[name].ev
    # It is the same with a file, which describes the shoe before the round.
    file = tmp_path / "shoe.json"
    file.write_text(json.dumps(Shoe.full(game.pack, 6).as_counts()))
    given = as_json("six-star", "--shoe", str(file), "--seen", text)
    assert [given[name] for name in ("cards", "wagers", "seen")] == [
        found[name] for name in ("cards", "wagers", "seen")
    ]
    assert (
        f"on the table {text}, which leaves 388 cards" in call("odds", "six-star", "--decks", "6", "--seen", text).out
    )


def test_a_finished_round_is_certain() -> None:
    found = as_json("manila", "--seen", "P 9s Kd | B 3h 4h")
    assert found["seen"] == "P 9s Kd | B 3h 4h"
    assert [found["wagers"][name]["ev"] for name in ("player", "banker", "tie")] == ["1/1", "-1/1", "-1/1"]
    assert found["wagers"]["tie"]["lines"][0]["probability"] == "0/1"
    assert as_json("manila", "--seen", "P 2s 3d 6c | B 3h 3d 5h")["seen"] == "P 2s 3d 6c | B 3h 3d 5h"
    assert "never" in call("odds", "manila", "--seen", "P 9s Kd | B 3h 4h").out


def test_a_wager_of_ones_own(tmp_path: Path) -> None:
    own = tmp_path / "lucky.toml"
    own.write_text(LUCKY_SIX)
    wagers = as_json("manila", "--wager-file", str(own))["wagers"]
    # Wizard of Odds: two cards 186,173,936,904,192 and three 83,058,367,551,488 of all.
    counts = [186_173_936_904_192, 83_058_367_551_488]
    probabilities = [Fraction(line["probability"]) for line in wagers["lucky-six"]["lines"]]
    assert probabilities == [Fraction(count, 4_998_398_275_503_360) for count in counts]
    assert wagers["lucky-six"]["ev"] == as_json("fortune-six-tournament")["wagers"]["fortune-six"]["ev"]
    assert "Lucky Six" in call("odds", "manila", "--wager-file", str(own)).out


def test_control_characters_of_an_own_wager_do_not_reach_the_terminal(tmp_path: Path) -> None:
    own = tmp_path / "own.json"
    line = {"label": "Tie\n\x1b[31m" + "é" * 60, "pays": "8:1", "when": {"winner": "tie"}}
    own.write_text(json.dumps({"wager": [{"id": "mine", "name": "\x07Mine", "lines": [line]}]}))
    called = call("odds", "manila", "--wager-file", str(own), encoding="ascii")
    assert called.code == 0
    assert not set(called.out) & set("\x1b\x07\r")
    assert "?Mine" in called.out


def test_csv_is_the_same_as_json() -> None:
    for game in ("six-star", "fabulous-4"):
        found = as_json(game, "--stake", "7")
        called = call("odds", game, "--stake", "7", "--csv")
        rows = list(csv.DictReader(io.StringIO(called.out)))
        lines = {
            (name, line["line"]): line
            for name, wager in found["wagers"].items()
            for line in wager["lines"]
        } | {(bonus["wager"], bonus["line"]): bonus for bonus in found["bonuses"]}  # fmt: skip
        assert len(rows) == len(lines)
        for row in rows:
            line, wager = lines[row["wager"], row["line"]], found["wagers"][row["wager"]]
            assert (row["game"], row["decks"], row["cards"], row["stake"]) == (game, "8", "520", "7")
            assert (row["probability"], row["clause"]) == (line["probability"], line["clause"])
            assert float(row["probability_float"]) == line["probability_float"]
            assert row["pays"] == line.get("pays", f"fixed {line.get('amount')}")
            assert row["on_top"] == ("yes" if line.get("on_top") or "amount" in line else "no")
            assert (row["wager_ev"], row["wager_ev_at_stake"]) == (wager["ev"], wager["ev_at_stake"])
            assert (float(row["wager_hit_float"]), float(row["wager_std"])) == (wager["hit"], wager["std"])


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_the_table_fits_the_width_and_has_every_line(game: Game, width: int) -> None:
    environment = {**PLAIN, "COLUMNS": str(width)}
    out = call("odds", game.id, "--stake", "1000000000000", environment=environment).out
    assert "\x1b" not in out
    for line in out.splitlines():
        assert len(line) <= width
        assert line == line.rstrip()
    for wager in game.paytables.values():
        for each in wager.lines + wager.bonuses:
            assert each.clause in out
            # At 80 columns a long label may be broken between two lines.
            assert each.label in out if width == 120 else each.label.split()[0] in out


def test_every_line_has_a_bar_in_proportion() -> None:
    bars = {}
    for line in call("odds", "baccarat-tournament", environment={**PLAIN, "COLUMNS": "120"}).out.splitlines():
        if line.startswith("  "):
            percent = next(word for word in line.split() if word.endswith("%"))
            bars[float(percent[:-1])] = line.count("█")
    assert len(bars) == 4
    assert bars[max(bars)] == 40
    for probability, length in bars.items():
        assert abs(length - 40 * probability / max(bars)) <= 1


def test_without_block_characters_and_with_colour() -> None:
    plain = call("odds", "six-star").out
    in_ascii = call("odds", "six-star", encoding="ascii").out
    assert in_ascii.isascii()
    assert "?" not in in_ascii
    assert "#####" in in_ascii
    coloured = call("odds", "six-star", environment=COLOURED).out
    assert "\x1b[1mBanker\x1b[0m" in coloured
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured).split() == plain.split()
    # NO_COLOR is the stronger, and a pipe has no colour of its own.
    assert call("odds", "six-star", environment={**COLOURED, "NO_COLOR": "1"}).out == plain
    assert call("odds", "six-star", environment={**COLOURED, "FORCE_COLOR": ""}).out == plain


def test_the_examples_of_the_docstrings() -> None:
    tried = doctest.testmod(columns)
    assert tried.attempted > 0
    assert tried.failed == 0


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["six-star", "--decks", "11"], 2, "6 Star No Commission Baccarat is played with 4 to 10 decks (clause 2.1),"),
        (["manila", "--decks", "3"], 2, "is played with 4 to 10 decks (Ruling 2), not '3'"),
        *((["manila", "--decks", decks], 2, "4 to 10 decks") for decks in ["", "-8", "8.0", "²", "eight", "8" * 5000]),
        (["manila", "--remove", "6 6x"], 2, "'6x' is not a card of the 52-card pack"),
        (["manila", "--remove", "S"], 2, "'S' is not a card of the 52-card pack"),
        (["manila", "--shoe", "nowhere.json"], 2, "'nowhere.json' cannot be read: No such file"),
        (["manila", "--shoe", "."], 2, "'.' cannot be read: Is a directory"),
        (["manila", "--shoe", "x", "--decks", "8"], 2, "by --decks or by --shoe, not by both"),
        (["manila", "--seen", "P 9s"], 2, "'P 9s' is not a position"),
        (["manila", "--seen", "P 9 ? | B ? ?"], 2, "'9' is not a card"),
        (["manila", "--seen", "P 9s Kd 3h | B 2h 2d"], 1, "no more cards are dealt"),
        (["manila", "--remove", "9s " * 8, "--seen", "P 9s ? | B ? ?"], 2, "There is no 9s left"),
        *((["manila", "--stake", stake], 2, "A stake is a whole") for stake in ["0", "-1", "1e3", "1_0", "9" * 99]),
        (["manila", "--json", "--csv"], 2, "not allowed with"),
        (["manila", "--wager-file", "nowhere.toml"], 2, "'nowhere.toml' cannot be read"),
        (["manilla"], 2, "did you mean manila?"),
    ],
)  # fmt: skip
def test_mistakes_are_one_sentence(arguments: list[str], code: int, sentence: str) -> None:
    called = call("odds", *arguments)
    assert sentence in one_sentence(called)
    assert called.code == code


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "is not JSON"),
        ('{"Ah": 7', "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ('["Ah"]', "is not a shoe: write a JSON object"),
        ('{"Ah": 7, "Ah": 8}', "names the same card twice"),
        ('{"Ah": 7, "ah": 8}', "names Ah twice"),
        ('{"A": 7}', "'A' is not a card"),
        ('{"Sf": 7}', "'Sf' is not a card"),
        *((f'{{"Ah": {count}}}', "a count is a whole number") for count in ["true", "-1", "1.5", '"7"', "null", "NaN"]),
        ('{"Ah": 33}', "a count is a whole number from 0 to 32"),
        ('{"Ah": %s}' % ("9" * 5000), "is not JSON"),
        ('{"Ah": 3, "2h": 2}', "A round may take 6 more cards and the shoe holds 5"),
        ("{}", "the shoe holds 0"),
    ],
)
def test_bad_shoes_are_refused_with_the_reason(text: str, sentence: str, tmp_path: Path) -> None:
    file = tmp_path / "s.json"
    file.write_text(text)
    called = call("odds", "manila", "--shoe", str(file))
    assert sentence in one_sentence(called)
    # A shoe that can be read but is too small for a round is a refused job, not bad usage.
    assert called.code == (1 if "the shoe holds" in sentence else 2)
