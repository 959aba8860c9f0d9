"""Wagers of one's own over every fact, in odd combinations, against the enumeration."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from odds.plain_wagers import Outcome, fact, holds, outcomes
from odds.shoes import THEMES, Picker, position, small_shoe
from odds.two_ways import odds_of_wager_each_way, product_seen
from puntobanco import Game, InputError, find_game
from puntobanco.rules.facts import Facts
from puntobanco.rules.own_wagers import read_wagers
from reference.enumeration import Hand, Seen, Shoe, all_draws, every_round
from reference.settlement import point_total

GAME_OF_PACK = {52: "manila", 65: "six-star"}
Sides = Callable[[Hand, Hand], bool]


def compare(game: Game, wager: dict[str, Any], shoe: Shoe, seen: Seen | None = None) -> Counter[Outcome]:
    (own,) = read_wagers(game, {"wager": [wager]})
    rounds = list(every_round(shoe, seen))
    expected = +outcomes(wager, rounds)
    for found in odds_of_wager_each_way(game, own, shoe, product_seen(game, seen or {})):
        counted: Counter[Outcome] = Counter({(None, ()): found.lost})
        for (line, bonuses), count in found.outcomes:
            counted[line, bonuses] += count
        assert +counted == expected, f"{wager} {dict(shoe)} {seen}"
        assert found.total == all_draws(shoe, seen)
    return expected


def same_suit(*cards: str) -> bool:
    return len({card[1] for card in cards}) == 1


def is_natural(hand: Hand) -> bool:
    return len(hand) == 2 and point_total(hand) >= 8


# Each condition twice: as the file states it, and as a sentence about cards. Ranks and suits here are in both packs.
TWICE: list[tuple[dict[str, Any], Sides]] = [
    ({"player_pair": True}, lambda p, b: p[0][0] == p[1][0]),
    ({"player_pair": False, "banker_pair": False}, lambda p, b: p[0][0] != p[1][0] and b[0][0] != b[1][0]),
    ({"player_pair": ["A", "6"], "winner": "player"}, lambda p, b: p[0][0] == p[1][0] in "A6" and wins(p, b)),
    ({"any": [{"player_pair": "6"}, {"banker_pair": "6"}]},
     lambda p, b: p[0][0] == p[1][0] == "6" or b[0][0] == b[1][0] == "6"),
    ({"not": {"any": [{"player_pair": True}, {"banker_suit": True}]}},
     lambda p, b: not (p[0][0] == p[1][0] or same_suit(*b[:2]))),
    ({"player_suit": "d", "banker_suit": "d"}, lambda p, b: same_suit(*p[:2], *b[:2]) and p[0][1] == "d"),
    ({"player_suit": True, "banker_suit": True, "one_suit": False},
     lambda p, b: same_suit(*p[:2]) and same_suit(*b[:2]) and not same_suit(*p, *b)),
    ({"one_suit": "d", "cards": [5, 6]}, lambda p, b: same_suit(*p, *b) and p[0][1] == "d" and len(p + b) > 4),
    ({"one_suit": True, "not": {"one_suit": "d"}}, lambda p, b: same_suit(*p, *b) and p[0][1] != "d"),
    ({"one_suit": True, "player_pair": True, "banker_pair": True},
     lambda p, b: same_suit(*p, *b) and p[0][0] == p[1][0] and b[0][0] == b[1][0]),
    ({"player_ranks": "AA6"}, lambda p, b: sorted(card[0] for card in p) == ["6", "A", "A"]),
    ({"player_ranks": ["6T", "A6T"], "banker_cards": 3},
     lambda p, b: sorted(card[0] for card in p) in (["6", "T"], ["6", "A", "T"]) and len(b) == 3),
    ({"player_ranks": "A6T", "player_pair": False, "player_suit": True},
     lambda p, b: sorted(card[0] for card in p) == ["6", "A", "T"] and same_suit(*p[:2])),
    ({"player_ranks": "66", "player_pair": "6", "banker_ranks": ["9T", "99"]},
     lambda p, b: p[0][0] + p[1][0] == "66" and b[0][0] + b[1][0] in ("9T", "T9", "99") and len(p + b) == 4),
    ({"not": {"banker_ranks": ["AAA", "TTT"]}, "banker_pair": ["A", "T"]},
     lambda p, b: b[0][0] == b[1][0] in "AT" and not (len(b) == 3 and b[2][0] == b[0][0])),
    ({"winner": ["player", "banker"], "player_total": [0, 6], "banker_cards": 2},
     lambda p, b: point_total(p) != point_total(b) and point_total(p) in (0, 6) and len(b) == 2),
    ({"winner": "tie", "any": [{"player_cards": 2, "banker_cards": 3}, {"player_cards": 3, "banker_cards": 2}]},
     lambda p, b: point_total(p) == point_total(b) and len(p) + len(b) == 5),
    ({"all": [{"not": {"winner": "tie"}}, {"not": {"cards": 6}}], "banker_total": [1, 2, 3]},
     lambda p, b: point_total(p) != point_total(b) and len(p + b) < 6 and point_total(b) in (1, 2, 3)),
    ({"cards": 4, "any": [{"player_total": [8, 9]}, {"banker_total": [8, 9]}]},
     lambda p, b: is_natural(p) or is_natural(b)),
    ({"not": {"not": {"not": {"player_suit": True}}}}, lambda p, b: p[0][1] != p[1][1]),
]  # fmt: skip


def wins(hand: Hand, other: Hand) -> bool:
    return point_total(hand) > point_total(other)


@pytest.mark.parametrize("pack", [52, 65])
@pytest.mark.parametrize(("condition", "sentence"), TWICE, ids=[str(condition) for condition, _ in TWICE])
def test_conditions_written_twice(condition: dict[str, Any], sentence: Sides, pack: int) -> None:
    game = find_game(GAME_OF_PACK[pack])
    wager = {"id": "mine", "lines": [{"label": "the line", "pays": "3:1", "when": condition}]}
    happened = 0
    picker = Picker(f"twice {pack} {condition}")
    suits = "cd" if pack == 52 else "fd"
    for theme in (f"A6T {suits}", f"A6T {suits}", f"69T {suits}", f"A69T {suits}", "A26T d"):
        shoe = small_shoe(pack, picker, theme, 7)
        expected = compare(game, wager, shoe)
        rounds = every_round(shoe)
        assert expected[0, ()] == sum(ways for player, banker, ways in rounds if sentence(player, banker))
        happened += expected[0, ()] > 0
        left, seen = position(shoe, picker, 1, False)
        if sum(left.values()) >= 6 - len(seen):
            compare(game, wager, left, seen)
    assert happened, "no shoe showed what the condition asks for"


def test_every_fact_is_in_some_condition_written_twice() -> None:
    text = str([condition for condition, _ in TWICE])
    assert all(f"'{name}'" in text for name in Facts._fields)


PAYTABLES: dict[str, dict[str, Any]] = {
    "values before others, a push between, bonuses of all kinds": {
        "id": "mine",
        "lines": [
            {"label": "pair of aces", "pays": "30:1", "when": {"player_pair": "A"}},
            {"label": "suited tie", "pays": "push", "when": {"player_suit": True, "winner": "tie"}},
            {"label": "no pair", "pays": "1:1", "when": {"player_pair": False, "winner": "player"}},
            {"label": "any pair", "pays": "5:2", "when": {"player_pair": True}},
        ],
        "bonuses": [
            {"label": "one suit", "amount": 777, "when": {"one_suit": True}},
            {"label": "diamonds or wood", "pays": "2:1", "when": {"one_suit": "d"}},
            {"label": "both pairs", "pays": "7:1", "when": {"player_pair": True, "banker_pair": True}},
        ],
    },
    "ranks of both hands with points": {
        "id": "mine",
        "lines": [
            {"label": "both", "pays": "100:1", "when": {"player_ranks": ["6T", "A6"], "banker_ranks": ["AT", "AAT"]}},
            {"label": "one", "pays": "9:1", "when": {"any": [{"player_ranks": "66T"}, {"banker_ranks": "66T"}]}},
            {"label": "seven", "pays": "push", "when": {"any": [{"player_total": 7}, {"banker_total": 7}]}},
        ],
        "bonuses": [{"label": "a six in front", "pays": "1:3", "when": {"not": {"player_ranks": ["AT", "AA"]}}}],
    },
    "suits of the first cards and of all": {
        "id": "mine",
        "lines": [
            {"label": "all one", "pays": "50:1", "when": {"one_suit": True, "cards": [4, 5]}},
            {"label": "both", "pays": "8:1", "when": {"player_suit": "d", "banker_suit": True}},
            {"label": "neither", "pays": "push", "when": {"player_suit": False, "banker_suit": False}},
            {"label": "one and a pair", "pays": "3:2", "when": {"banker_pair": True, "player_suit": True}},
        ],
    },
}


@pytest.mark.parametrize("pack", [52, 65])
@pytest.mark.parametrize("name", PAYTABLES)
def test_paytables_of_several_lines(name: str, pack: int) -> None:
    game = find_game(GAME_OF_PACK[pack])
    wager, happened = PAYTABLES[name], Counter[Outcome]()
    picker = Picker(f"paytables {name} {pack}")
    for _ in range(6):
        shoe = small_shoe(pack, picker, f"A6T {'cd' if pack == 52 else 'fd'}", 7)
        happened += compare(game, wager, shoe)
        left, seen = position(shoe, picker, 1, False)
        if sum(left.values()) >= 6 - len(seen):
            compare(game, wager, left, seen)
    assert {line for line, _ in happened} == {None, *range(len(wager["lines"]))}


def random_condition(picker: Picker, pack: int, facts: list[str], depth: int) -> dict[str, Any]:
    kind = picker.below(6) if depth else 0
    if kind == 4:
        return {"not": random_condition(picker, pack, facts, depth - 1)}
    if kind == 5:
        parts = [random_condition(picker, pack, facts, depth - 1) for _ in range(2)]
        return {picker.one(["any", "all"]): parts}
    return {name: random_value(picker, pack, name) for name in picker.some(facts, 1 + picker.below(2))}


def random_value(picker: Picker, pack: int, name: str) -> object:
    ranks = "A6T" + ("K" if pack == 52 else "F")
    if name == "winner":
        return picker.one(["player", "banker", "tie"])
    if name.endswith("total"):
        return picker.some([*range(10)], 1 + picker.below(4))
    if name == "cards":
        return picker.one([4, 5, 6])
    if name.endswith("cards"):
        return picker.one([2, 3])
    if name.endswith("ranks"):
        return "".join(sorted((picker.one(ranks) for _ in range(2 + picker.below(2))), key="A6TKF".index))
    of_pack = ranks if name.endswith("pair") else "cd" if pack == 52 else "fd"
    values: list[object] = [True, True, False, picker.some(of_pack, 2)]
    return picker.one(values)


def is_accepted(game: Game, wager: dict[str, Any]) -> bool:
    """Chance makes lines that nothing is left for and bonuses of no line that pays, and only those are refused."""
    try:
        read_wagers(game, {"wager": [wager]})
    except InputError as error:
        if "can never decide" not in error.message and "can never be paid" not in error.message:
            raise
        return False
    return True


@pytest.mark.parametrize("batch", range(5))
@pytest.mark.parametrize("pack", [52, 65])
def test_random_wagers(pack: int, batch: int) -> None:
    game = find_game(GAME_OF_PACK[pack])
    picker = Picker(f"random wagers {pack} {batch}")
    compared = 0
    while compared < 30:
        facts = picker.some([*Facts._fields], 4)
        lines = [
            {"label": f"line {place}", "pays": picker.one(["1:1", "push", "7:2"]), "when": when}
            for place, when in enumerate(random_condition(picker, pack, facts, 2) for _ in range(1 + picker.below(3)))
        ]
        bonuses = [
            {"label": f"bonus {place}", "amount": 5, "when": random_condition(picker, pack, facts, 1)}
            for place in range(picker.below(2))
        ]
        wager = {"id": "mine", "lines": lines, "bonuses": bonuses}
        if not is_accepted(game, wager):
            continue
        shoe = small_shoe(pack, picker, picker.one([*THEMES[pack], f"A6TKF {'cd' if pack == 52 else 'fd'}"]), 5)
        left, seen = position(shoe, picker, 0, False)
        compare(game, wager, shoe)
        if sum(left.values()) >= 6 - len(seen):
            compare(game, wager, left, seen)
        compared += 1


def test_the_plain_reading_of_facts_by_an_example() -> None:
    player, banker = ("6d", "Ad", "Td"), ("6f", "6d")
    expected = {
        "winner": "player", "player_total": 7, "banker_total": 2, "player_cards": 3, "banker_cards": 2, "cards": 5,
        "player_pair": None, "banker_pair": "6", "player_suit": "d", "banker_suit": None, "one_suit": None,
        "player_ranks": "A6T", "banker_ranks": "66",
    }  # fmt: skip
    assert {name: fact(name, player, banker) for name in Facts._fields} == expected
    assert holds({"banker_pair": True, "player_pair": False, "not": {"cards": [4, 6]}}, player, banker)
