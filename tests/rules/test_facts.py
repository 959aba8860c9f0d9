"""A fact is declared in one place: here one line is added to a copy of the package, and every reader is asked."""

import shutil
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

import puntobanco
from puntobanco import GAMES, STANDARD_PACK, Deal, Pack, read_deal
from puntobanco.cards import PACKS
from puntobanco.rules import conditions
from puntobanco.rules.facts import DETAILS, FACTS, Facts, Kind, Points, facts_of_points, facts_with, read_facts

PACKAGE = Path(puntobanco.__file__).parent

ADDED = {
    "points": "margin: Annotated[int, of_points(lambda points: abs(points[0] - points[1]), *range(10))]",
    "shared suit": "player_throughout: Annotated[str | None, shared_suit(PLAYER_HAND)]",
    "other": "first: Annotated[str, Fact(Kind.OTHER, lambda deal: deal.player[0].rank, lambda pack: [*pack.ranks])]",
    "number": (
        "reds: Annotated[int, Fact(Kind.OTHER, lambda deal: sum(card.suit in 'dh' for card in EVERY_CARD.take(deal)),"
        " lambda pack: range(7))]"
    ),
}

SCRIPT = """
from fractions import Fraction
from itertools import product
from puntobanco import *
from puntobanco.odds import odds
from puntobanco.rules.conditions import Subject
from puntobanco.rules.facts import FACTS, read_facts
from puntobanco.rules.own_wagers import read_wagers
from puntobanco.simulate import deal, prepare, tally
from puntobanco.table import RoundLimits, TableSettings
from puntobanco.table.exposure import exposure
from dataclasses import replace

name, value, text = {name!r}, {value!r}, {text!r}
manila = find_game("manila")
assert [*FACTS] == [*read_facts(read_deal(manila.pack, text))._fields] and name in FACTS
assert getattr(read_facts(read_deal(manila.pack, text)), name) == value

# A condition knows what the fact can be, and a declaration which line can never decide.
for wrong in ("x", True, 99):
    try:
        Subject(name).is_(wrong)
    except DeclarationError as error:
        assert name in str(error)
    else:
        raise AssertionError(wrong)
line = {{"label": "it is", "pays": "5:1", "when": {{name: value}}}}
(mine,) = read_wagers(manila, {{"wager": [{{"id": "mine", "lines": [line]}}]}})
try:
    read_wagers(manila, {{"wager": [{{"id": "mine", "lines": [line, {{**line, "label": "again"}}]}}]}})
except InputError as error:
    assert "can never decide" in error.message
else:
    raise AssertionError("a line that can never decide was accepted")

# The simulator settles what its cells cannot tell.
game = replace(manila, wagers=(replace(mine, clause="Super 6", lines=(replace(mine.lines[0], clause="Super 6"),)),),
               layout="mine")
assert settle(game, read_deal(game.pack, text), {{"mine": 10}}).net == 50
job = prepare(game, seed=1)
held = sum(getattr(read_facts(each.deal), name) == value for shoe in range(3) for each in deal(job, shoe))
assert 0 < tally(job, 0, 3).lines["mine"][0] == held

# A table knows what a round of it may cost the house.
settings = TableSettings(game, round_limits=RoundLimits(house=10**9))
assert exposure(settings.game, {{"mine": (20, 1)}}) == 100

# The odds count it right or say that they cannot.
shoe = Shoe.of_counts(manila.pack, {{"9h": 2, "9s": 1, "Th": 2, "2s": 1, "5h": 1}})
try:
    found = odds(game, shoe).wagers["mine"].lines[0].probability
except DeclarationError as error:
    assert name in str(error)
    print("refused")
else:
    from itertools import permutations
    happened = rounds = 0
    cards = [card for card in shoe.pack.cards for _ in range(shoe.count(card))]
    for drawn in permutations(cards, 6):
        left, dealt = [*drawn], Deal()
        while (hand := game.tableau.due(dealt).hand) is not None:
            card = left.pop(0)
            hands = {{"player": dealt.player, "banker": dealt.banker}}
            hands[hand] += (card,)
            dealt = Deal(**hands)
        rounds += 1
        happened += getattr(read_facts(dealt), name) == value
    assert found == Fraction(happened, rounds) and 0 < happened < rounds
    print("counted")
"""


@pytest.mark.parametrize(
    ("kind", "value", "text", "answer"),
    [
        ("points", 2, "P 9h Th | B 7s Td", "counted"),
        ("shared suit", "h", "P 2h Th 5h | B 7s Td", "counted"),
        ("other", "9", "P 9h Th | B 7s Td", "refused"),
        ("number", 0, "P 9s Tc | B 7s Tc", "refused"),
    ],
)
def test_one_line_adds_a_fact_to_every_reader(tmp_path: Path, kind: str, value: object, text: str, answer: str) -> None:
    shutil.copytree(PACKAGE, tmp_path / "puntobanco", ignore=shutil.ignore_patterns("__pycache__"))
    source = tmp_path / "puntobanco" / "rules" / "facts.py"
    facts = source.read_text()
    # Facts of points stand before the others.
    following = "    player_pair: Annotated" if kind == "points" else "\n\nFACTS: Mapping"
    assert facts.count(following) == 1
    facts = facts.replace(following, f"    {ADDED[kind]}\n{following}")
    source.write_text(facts)
    script = SCRIPT.format(name=ADDED[kind].partition(":")[0], value=value, text=text)
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, answer, "")


def test_facts_of_points_stand_first() -> None:
    """They are read all at once, so one among the others would be read as its neighbour."""
    kinds = [fact.kind is Kind.POINTS for fact in FACTS.values()]
    assert kinds == sorted(kinds, reverse=True)
    assert [*FACTS] == [*Facts._fields] == [fact.name for fact in FACTS.values()]


def test_every_fact_has_a_name_to_build_conditions_from() -> None:
    for name in FACTS:
        assert vars(conditions)[name.upper()] == conditions.Subject(name)


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.id)
def test_each_fact_is_read_as_its_kind_and_slots_say(pack: Pack) -> None:
    """The odds go by kind and slots, settlement by how it is read: both must say the same of any cards."""
    cards = [pack.cards[place] for place in (0, 1, 9, len(pack.ranks), len(pack.ranks) + 9)]
    for player_cards, banker_cards in product((2, 3), repeat=2):
        for drawn in product(cards, repeat=player_cards + banker_cards):
            deal = Deal(drawn[:player_cards], drawn[player_cards:])
            slots = dict(zip((0, 1, 2), deal.player, strict=False)) | dict(zip((3, 4, 5), deal.banker, strict=False))
            facts = read_facts(deal)
            for fact in DETAILS:
                looked_at = [slots[slot] for slot in fact.slots if slot in slots]
                ranks, suits = {card.rank for card in looked_at}, {card.suit for card in looked_at}
                expected: object
                if fact.kind is Kind.SHARED_RANK:
                    expected = ranks.pop() if len(ranks) == 1 else None
                elif fact.kind is Kind.SHARED_SUIT:
                    expected = suits.pop() if len(suits) == 1 else None
                else:
                    expected = "".join(sorted((card.rank for card in looked_at), key=pack.ranks.index))
                assert getattr(facts, fact.name) == fact.read(deal) == expected
                assert expected in fact.values(pack)


def test_the_facts_of_two_deals() -> None:
    deal = read_deal(STANDARD_PACK, "P 6d 6d Ts | B 3c Tc 4h")
    assert read_facts(deal)._asdict() == {
        "winner": "banker", "player_total": 2, "banker_total": 7, "player_cards": 3, "banker_cards": 3, "cards": 6,
        "player_pair": "6", "banker_pair": None, "player_suit": "d", "banker_suit": "c", "one_suit": None,
        "player_ranks": "66T", "banker_ranks": "34T",
    }  # fmt: skip
    deal = read_deal(STANDARD_PACK, "P Kh 9h | B 8h 8h")
    assert read_facts(deal)._asdict() == {
        "winner": "player", "player_total": 9, "banker_total": 6, "player_cards": 2, "banker_cards": 2, "cards": 4,
        "player_pair": None, "banker_pair": "8", "player_suit": "h", "banker_suit": "h", "one_suit": "h",
        "player_ranks": "9K", "banker_ranks": "88",
    }  # fmt: skip


def test_facts_of_points_are_in_their_domains() -> None:
    for points in product(range(10), range(10), (2, 3), (2, 3)):
        facts = facts_with(Points(*points), {})
        assert facts[: len(FACTS) - len(DETAILS)] == facts_of_points(points)
        assert (facts.player_total, facts.banker_total, facts.player_cards, facts.banker_cards) == points
        assert facts.cards == facts.player_cards + facts.banker_cards
        for name, fact in FACTS.items():
            if fact.at is not None:
                assert getattr(facts, name) == fact.at(Points(*points)) in fact.values(GAMES[0].pack)
