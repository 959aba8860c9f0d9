"""Files of one's own wagers: what is read, and one sentence for everything that cannot be."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from puntobanco import Game, InputError, find_game
from puntobanco.odds import odds
from puntobanco.rules.own_wagers import load_wagers, read_wagers
from puntobanco.rules.wagers import Fixed, Ratio

DRAGON_SEVEN = """
[[wager]]
id = "dragon-seven"
name = "Dragon Seven"

[[wager.lines]]
label = "Banker wins with seven on three cards"
pays = "40:1"
when = { winner = "banker", banker_total = 7, banker_cards = 3 }
"""
PANDA_EIGHT: dict[str, list[dict[str, Any]]] = {
    "wager": [
        {
            "id": "panda-eight",
            "lines": [
                {
                    "label": "Player wins with eight on three cards",
                    "pays": "25:1",
                    "when": {"winner": "player", "player_total": 8, "player_cards": 3},
                }
            ],
            "bonuses": [{"label": "one suit", "amount": 1_000_000, "when": {"one_suit": True}}],
        }
    ]
}


@pytest.fixture
def game() -> Game:
    return find_game("manila")


def test_toml(game: Game, tmp_path: Path) -> None:
    path = tmp_path / "dragon.toml"
    path.write_text(DRAGON_SEVEN)
    (wager,) = load_wagers(game, path)
    assert (wager.id, wager.name, wager.lines[0].pays) == ("dragon-seven", "Dragon Seven", Ratio(40, 1))
    assert round(odds(game, own_wagers=(wager,)).wagers["dragon-seven"].house_edge, 5) * 100_000 == 7611


@pytest.mark.parametrize("name", ["panda.json", "PANDA.JSON"])
def test_json_and_a_name_that_is_left_out(game: Game, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(json.dumps(PANDA_EIGHT))
    (wager,) = load_wagers(game, path)
    assert (wager.id, wager.name, wager.bonuses[0].pays) == ("panda-eight", "panda-eight", Fixed(1_000_000))
    found = odds(game, own_wagers=(wager,)).wagers["panda-eight"]
    assert round(found.house_edge, 5) * 100_000 == 10188
    stake = found.break_even_stake
    assert stake is not None
    assert found.ev_at(int(stake)) > 0 > found.ev_at(int(stake) + 1)


def test_several_wagers_are_priced_beside_the_houses_own(game: Game) -> None:
    (panda,) = PANDA_EIGHT["wager"]
    first, second = (
        {**panda, "id": name, "bonuses": [{**panda["bonuses"][0], "label": f"one suit, {name}"}]}
        for name in ("first", "second")
    )
    wagers = read_wagers(game, {"wager": [first, second]})
    found = odds(game, own_wagers=wagers)
    assert list(found.wagers) == [*game.paytables, "first", "second"]
    assert found.wagers["first"].outcomes == found.wagers["second"].outcomes
    assert {name: found.wagers[name] for name in game.paytables} == odds(game).wagers


def refused(game: Game, act: Callable[[], object]) -> str:
    with pytest.raises(InputError) as caught:
        act()
    message = caught.value.message
    assert message[0].isupper() or message[0] == "'", message
    assert message.endswith(".")
    assert ". " not in message.replace(": ", ""), "one sentence"
    assert "\n" not in message
    return message


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("no.toml", None, "cannot be read: No such file or directory."),
        ("latin.toml", b"[[wager]]\nid = '\xe9'", "cannot be read: it is not UTF-8 text."),
        ("broken.toml", b"[[wager]\n", "is not readable: "),
        ("broken.json", b'{"wager": [', "is not readable: "),
        ("deep.json", b'{"wager":' * 100_000, "is not readable: "),
        ("list.json", b"[]", "The file is a table, not '[]'."),
        ("empty.toml", b"", "The file has no wager; write each under [[wager]]."),
        ("none.json", b'{"wager": []}', "The file has no wager; write each under [[wager]]."),
        ("single.toml", b"[wager]\nid = 'x'", "'wager' is a list, not "),
        ("typo.toml", b"[[wagers]]\nid = 'x'", "The file has no 'wagers'; it has wager."),
    ],
    ids=lambda value: value if isinstance(value, str) and "." in value else "",
)
def test_files_that_cannot_be_read(game: Game, tmp_path: Path, name: str, content: bytes | None, message: str) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    assert message in refused(game, lambda: load_wagers(game, path))


def test_a_folder_is_not_a_file(game: Game, tmp_path: Path) -> None:
    assert "cannot be read: Is a directory." in refused(game, lambda: load_wagers(game, tmp_path))


def wager(**changes: Any) -> dict[str, Any]:
    """A wager that can be read, but for the changes; None takes the entry away."""
    entries = {"id": "mine", "name": "Mine", "lines": [line()], **changes}
    return {name: value for name, value in entries.items() if value is not None}


def line(**changes: Any) -> dict[str, Any]:
    entries = {"label": "the line", "pays": "2:1", "when": {"winner": "tie"}, **changes}
    return {name: value for name, value in entries.items() if value is not None}


def when(**condition: Any) -> dict[str, Any]:
    return wager(lines=[line(when=condition)])


def bonus(**changes: Any) -> dict[str, Any]:
    return wager(bonuses=[line(**changes)])


MISTAKES: list[tuple[object, str]] = [
    ("text", "A wager is a table, not 'text'."),
    (wager(edge="1%"), "A wager has no 'edge'; it has bonuses, id, lines, name."),
    (wager(id=None), "'id' is a text, not 'None'."),
    (wager(id=7), "'id' is a text, not '7'."),
    (wager(id="  "), "'id' is a text, not '  '."),
    (wager(id="My Wager"), "Wager id 'My Wager' is not lower-case words joined by hyphens."),
    (wager(id="tie"), "There is a wager 'tie' already; give yours another id."),
    (wager(name=["x"]), "'name' is a text, not \"['x']\"."),
    (wager(lines=None), "'lines' is a list, not 'None'."),
    (wager(lines={}), "'lines' is a list, not '{}'."),
    (wager(lines=[]), "Wager 'mine' has no line."),
    (wager(lines=["x"]), "A line is a table, not 'x'."),
    (wager(lines=[line(label=None)]), "'label' is a text, not 'None'."),
    (wager(lines=[line(pays=None)]), "'pays' is a text, not 'None'."),
    (wager(lines=[line(pays=8)]), "'pays' is a text, not '8'."),
    (
        wager(lines=[line(pays="8")]),
        "In wager 'mine': '8' is not a payment: write it as two whole numbers, such as '8:1'.",
    ),
    (wager(lines=[line(pays="0:1")]), "'0:1' is not a payment"),
    (wager(lines=[line(pays="-1:1")]), "'-1:1' is not a payment"),
    (wager(lines=[line(pays="1.5:1")]), "'1.5:1' is not a payment"),
    (wager(lines=[line(pays="1000000000:1")]), "'1000000000:1' is not a payment"),
    (wager(lines=[line(amount=5)]), "A line has no 'amount'; it has label, pays, when."),
    (wager(lines=[line(clause="1")]), "A line has no 'clause'; it has label, pays, when."),
    (wager(lines=[line(when=None)]), "When is a table, not 'None'."),
    (wager(lines=[line(when="tie")]), "When is a table, not 'tie'."),
    (wager(lines=[line(), line(label="again")]), "Line 'again' of 'mine' can never decide: the lines above it"),
    (wager(lines=[line(), line(when={"winner": "player"})]), "Two lines of 'mine' have the label 'the line'"),
    (when(), "A condition names at least one fact."),
    (when(totals=9), "When has no 'totals'; it has all, any, banker_cards, "),
    (when(all={"winner": "tie"}), "'all' is a list, not "),
    (when(any="tie"), "'any' is a list, not 'tie'."),
    (when(any=["tie"]), "When is a table, not 'tie'."),
    (when(**{"not": ["tie"]}), "When is a table, not \"['tie']\"."),
    (when(**{"not": {}}), "A condition names at least one fact."),
    (when(winner="dealer"), "In wager 'mine': The fact 'winner' is never 'dealer'."),
    (when(winner=True), "In wager 'mine': The fact 'winner' is never None."),
    (when(winner=[]), "The fact winner is a value, a list of values, true or false, not '[]'."),
    (when(winner=None), "The fact winner is a value, a list of values, true or false, not 'None'."),
    (when(player_total=10), "In wager 'mine': The fact 'player_total' is never 10."),
    (when(player_total="9"), "In wager 'mine': The fact 'player_total' is never '9'."),
    (when(player_total=9.0), "The fact player_total is a value, a list of values, true or false, not '9.0'."),
    (
        when(banker_total=[1, True]),
        "The fact banker_total is a value, a list of values, true or false, not '[1, True]'.",
    ),
    (when(banker_total=-1), "In wager 'mine': The fact 'banker_total' is never -1."),
    (when(player_cards=4), "In wager 'mine': The fact 'player_cards' is never 4."),
    (when(cards=3), "In wager 'mine': The fact 'cards' is never 3."),
    (when(player_pair="10"), "In wager 'mine': The fact 'player_pair' is never '10'."),
    (when(player_pair="S"), "Line 'the line' of 'mine' reads player_pair 'S', which the 52-card pack does not have."),
    (when(banker_suit="g"), "Line 'the line' of 'mine' reads banker_suit 'g', which the 52-card pack does not have."),
    (when(one_suit="x"), "In wager 'mine': The fact 'one_suit' is never 'x'."),
    (when(player_ranks="KA"), "In wager 'mine': The fact 'player_ranks' is never 'KA'."),
    (when(player_ranks="AAAA"), "In wager 'mine': The fact 'player_ranks' is never 'AAAA'."),
    (when(banker_ranks="SLF"), "Line 'the line' of 'mine' reads banker_ranks 'SLF', which the 52-card pack does not"),
    (when(banker_ranks=True), "In wager 'mine': The fact 'banker_ranks' is never None."),
    (when(player_total=1, banker_total=2, winner="tie"), "Line 'the line' of 'mine' can never decide"),
    (wager(bonuses="x"), "'bonuses' is a list, not 'x'."),
    (wager(bonuses=["x"]), "A bonus is a table, not 'x'."),
    (bonus(label="bonus", pays="push"), "In wager 'mine': 'push' is not a payment"),
    (bonus(label="bonus", pays=None), "'pays' is a text, not 'None'."),
    (bonus(label="bonus", amount=5), "The bonus 'bonus' has both pays and amount; give one."),
    (bonus(label="bonus", pays=None, amount=0), "A bonus is a whole number from 1 to 1,000,000,000,000 (10^12), not "),
    (
        bonus(label="bonus", pays=None, amount=1.5),
        "A bonus is a whole number from 1 to 1,000,000,000,000 (10^12), not ",
    ),
    (
        bonus(label="bonus", pays=None, amount=10**12 + 1),
        "A bonus is a whole number from 1 to 1,000,000,000,000 (10^12)",
    ),
    (bonus(), "Two lines of 'mine' have the label 'the line'"),
    (wager(bonuses=[line(label="a"), line(label="b")]), "Bonus 'a' of 'mine' cannot be told apart from another."),
    (bonus(label="bonus", when={"winner": "player"}), "Bonus 'bonus' of 'mine' can never be paid: on no deal does it "),
]


@pytest.mark.parametrize(("mistake", "message"), MISTAKES, ids=[message for _, message in MISTAKES])
def test_one_sentence_for_every_mistake(game: Game, mistake: object, message: str) -> None:
    assert message in refused(game, lambda: read_wagers(game, {"wager": [mistake]}))


def test_two_wagers_of_one_name(game: Game) -> None:
    message = refused(game, lambda: read_wagers(game, {"wager": [wager(), wager()]}))
    assert message == "There is a wager 'mine' already; give yours another id."


def test_a_fixed_bonus_has_a_label_of_its_own() -> None:
    """Its amount is known by that label alone, beside those of the house and of the other wagers of the file."""
    game = find_game("six-star")

    def with_bonus(name: str, label: str) -> dict[str, Any]:
        return wager(id=name, bonuses=[{"label": label, "amount": 5, "when": {"one_suit": True}}])

    assert read_wagers(game, {"wager": [with_bonus("mine", "one"), with_bonus("yours", "two")]})
    for names, wagers in (
        ("'tie' and of 'mine'", [with_bonus("mine", "6 Stars")]),
        ("'mine' and of 'yours'", [with_bonus("mine", "one"), with_bonus("yours", "one")]),
    ):
        message = refused(game, partial(read_wagers, game, {"wager": wagers}))
        assert message.startswith(f"Two fixed bonuses, of {names}, have the label")


def test_the_same_file_may_suit_one_pack_and_not_the_other(game: Game) -> None:
    flaming = {"wager": [when(player_suit="f", player_total=9, player_cards=2)]}
    assert read_wagers(find_game("six-star"), flaming)
    assert "which the 52-card pack does not have" in refused(game, lambda: read_wagers(game, flaming))


@pytest.mark.parametrize("name", ["all", "any"])
def test_a_list_of_conditions_has_at_least_one(game: Game, name: str) -> None:
    refused(game, lambda: read_wagers(game, {"wager": [when(**{name: []})]}))


def test_a_condition_nested_without_end(game: Game) -> None:
    nested: dict[str, Any] = {"winner": "tie"}
    for _ in range(5_000):
        nested = {"not": nested}
    refused(game, lambda: read_wagers(game, {"wager": [when(**nested)]}))
