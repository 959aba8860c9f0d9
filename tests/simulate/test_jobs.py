"""The simulator: rounds settled as the product does, counts that depend on the seed alone, no bias."""

import random
from array import array
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from math import sqrt
from typing import Any

import pytest

from contract.games import every_game
from puntobanco import Game, InputError, find_game, settle
from puntobanco.cards import Shoe
from puntobanco.odds import Odds, odds
from puntobanco.rules.conditions import BANKER_PAIR, ONE_SUIT, PLAYER_PAIR, PLAYER_RANKS, PLAYER_SUIT, WINNER
from puntobanco.rules.facts import Winner, read_facts
from puntobanco.rules.wagers import Line, Ratio, Wager, pays, push
from puntobanco.simulate import (
    AT_A_TABLE,
    BurnAndCut,
    BurnRule,
    Job,
    Tally,
    deal,
    jobs,
    prepare,
    pure,
    shown_card,
    tally,
)
from puntobanco.simulate.jobs import Kernel
from puntobanco.simulate.tables import DETAIL_CELLS
from puntobanco.tableau import STANDARD

SEED = 20_260
NO_BURN = BurnAndCut(BurnRule.OFF)
WAYS = (
    (AT_A_TABLE, None),
    (NO_BURN, None),
    (BurnAndCut(cut_depth=0), None),
    (BurnAndCut(cut_depth=150), None),
    (NO_BURN, 67),
)
COMPILED = pytest.mark.skipif(not jobs.available, reason="the compiled kernel was not built")
pytestmark = pytest.mark.filterwarnings("ignore:puntobanco was built without:RuntimeWarning")


def cells(of: Kernel, job: Job, first: int, shoes: int, instructions: int = 0) -> "array[Any]":
    dealing, tallies = job.dealing, array("Q", bytes(8 * DETAIL_CELLS))
    burn, rounds = dealing.burn is BurnRule.BY_FIRST_CARD, job.rounds or 0
    of.tally(job.tables.encoded, job.seed, burn, dealing.cut_depth, rounds, first, shoes, instructions, tallies)
    return tallies


def compiled() -> Kernel:
    assert jobs.compiled_kernel is not None
    return jobs.compiled_kernel


# --- Settlement ------------------------------------------------------------------------------------------------


@every_game
def test_every_round_pays_what_the_product_settles(game: Game) -> None:
    job = prepare(game, SEED)
    stakes = dict.fromkeys(game.paytables, 100 * game.stake_step)
    for shoe in range(50):
        found = array("Q", bytes(8 * DETAIL_CELLS))
        for dealt in deal(job, shoe):
            found[dealt.cell] += 1
            settled = settle(game, dealt.deal, stakes)
            for wager, outcome in zip(game.paytables.values(), job.tables.outcomes(dealt.cell), strict=True):
                lines = [] if outcome.line is None else [wager.lines[outcome.line]]
                lines += [wager.bonuses[place] for place in outcome.bonuses]
                assert [line.label for line in lines] == [paid.line for paid in settled.wagers[wager.id].pays]
        if jobs.available:
            assert cells(compiled(), job, shoe, 1, compiled().instructions()) == found


@pytest.mark.parametrize("burn", [True, False])
def test_a_shoe_is_dealt_as_at_a_table(burn: bool) -> None:
    """No card more often than the shoe has it, and the shoe ends with the round after the cut card."""
    game = find_game("six-star")
    job = prepare(game, SEED, dealing=AT_A_TABLE if burn else NO_BURN)
    for shoe in range(200):
        rounds = [dealt.deal for dealt in deal(job, shoe)]
        left = Shoe.full(game.pack, 8)
        sizes = [left.size]
        for each in rounds:
            left = left.without(each.cards)
            sizes.append(left.size)
        # Of up to eleven cards out of play nothing is seen here: with them, the cut card appears that much earlier.
        assert sizes[-3] > 14
        assert sizes[-2] <= 14 + 11 * burn
    assert burn or all(size > 14 for size in sizes[:-2])


# --- The same counts -------------------------------------------------------------------------------------------


@COMPILED
@pytest.mark.parametrize(("dealing", "rounds"), WAYS, ids=str)
@every_game
def test_python_and_every_instruction_set_count_the_same(game: Game, dealing: BurnAndCut, rounds: int | None) -> None:
    job = prepare(game, SEED, dealing=dealing, rounds=rounds)
    expected = cells(pure, job, 2**32 - 3, 10)
    for instructions in range(compiled().instructions() + 1):
        assert cells(compiled(), job, 2**32 - 3, 10, instructions) == expected
    many = cells(compiled(), job, 0, 3_000)
    for instructions in range(1, compiled().instructions() + 1):
        assert cells(compiled(), job, 0, 3_000, instructions) == many


@COMPILED
@pytest.mark.parametrize("decks", [1, 4, 6, 10, 16, 32])
@pytest.mark.parametrize("name", ["manila", "six-star"])
def test_shoes_of_any_size_count_the_same(name: str, decks: int) -> None:
    game = find_game(name)
    chance = random.Random(decks)
    shoes = (
        Shoe.full(game.pack, decks),
        Shoe(game.pack, tuple(chance.randrange(decks + 1) for _ in game.pack.cards)),
        Shoe(game.pack, (2,) * 5 + (0,) * (len(game.pack) - 5)),
    )
    for shoe in shoes:
        job = prepare(game, SEED, shoe, BurnAndCut(cut_depth=3))
        assert [*compiled().deal(job.tables.encoded, SEED, True, 3, 0, 0, 2)] == pure.deal(
            job.tables.encoded, SEED, True, 3, 0, 0, 2
        )
        for burn in (True, False):
            asked = (job.tables.encoded, SEED, burn, 3, 0, 2**40, 40)
            assert compiled().shown_cards(*asked) == pure.shown_cards(*asked)
        plain = cells(compiled(), job, 0, 500)
        for instructions in range(1, compiled().instructions() + 1):
            assert cells(compiled(), job, 0, 500, instructions) == plain


def test_the_shown_card_is_the_one_that_the_burn_follows() -> None:
    """When the cut card comes out tells how many cards were burned, and so what the shown card was worth."""
    game = find_game("manila")
    faces = {card: 30 for card in game.pack.cards if card.rank == "A"} | {game.pack.card("8h"): 30}
    shoe = Shoe(game.pack, tuple(faces.get(card, 0) for card in game.pack.cards))
    job = prepare(game, SEED, shoe, BurnAndCut(cut_depth=40))
    shown_cards = set()
    for number in range(60):
        first = shown_card(job, number)
        assert first is not None
        shown_cards.add(first)
        left = shoe.size - 1 - job.dealing.burned_after(first)
        *before, _ = [len(dealt.deal.cards) for dealt in deal(job, number)]
        # The round before the last brought out the cut card, and the one before that did not.
        assert left - sum(before) <= 40 < left - sum(before[:-1])
    assert shown_cards == set(faces)
    assert shown_card(prepare(game, SEED, shoe, BurnAndCut(BurnRule.OFF)), 0) is None


@pytest.mark.parametrize("name", ["manila", "six-star"])
def test_neither_threads_nor_splitting_change_the_counts(name: str) -> None:
    job = prepare(find_game(name), SEED)
    shoes = 5_000 if jobs.available else 30
    whole = tally(job, 0, shoes, threads=1)
    for threads in (2, 3, None):
        assert tally(job, 0, shoes, threads) == whole
    ends = [0, 1, shoes // 7, shoes // 2 + 1, shoes]
    parts = [tally(job, first, end - first, threads=2) for first, end in pairwise(ends)]
    random.Random(1).shuffle(parts)
    total = parts[0]
    for part in parts[1:]:
        total += part
    assert total == whole
    assert tally(prepare(find_game(name), SEED + 1), 0, shoes) != whole


def test_golden_counts() -> None:
    """These numbers never change: a seed names its shoes in every version."""
    shoes = [[str(dealt.deal) for dealt in deal(prepare(find_game("six-star"), 1), number)] for number in (0, 2**40)]
    assert [shoe[:2] for shoe in shoes] == [
        ["P Td Af 6g | B 9e 7w Ld", "P 2d 2g | B Sf 9e"],
        ["P Sd 3g Se | B 6f Sg", "P Ae 9f Af | B 6f 4f Sg"],
    ]
    assert tally(prepare(find_game("manila"), 1), 0, 50).lines == {
        "player": (1794, 389),
        "banker": (1898, 389),
        "banker-pair": (339,),
        "player-pair": (327,),
        "tie": (389,),
        "super-six": (204,),
    }
    assert tally(prepare(find_game("six-star"), 1), 0, 50).lines == {
        "banker": (264, 19, 2088, 456),
        "player": (22, 2275, 456),
        "tie": (456, 0, 0),
        "player-pair": (391,),
        "banker-pair": (421,),
        "fortune-six": (184, 80),
        "element-bonus": (14, 5, 0),
    }


@COMPILED
def test_golden_counts_of_many_shoes() -> None:
    many = tally(prepare(find_game("fabulous-4"), 2**64 - 1, dealing=BurnAndCut(BurnRule.OFF, 0), rounds=67), 0, 20_000)
    assert many.lines == {
        "player": (23172, 6696, 566897, 127625),
        "banker": (43865, 6457, 565288, 127625),
        "tie": (127625, 42),
        "player-precious-pair": (256, 7377, 3386, 89468),
        "banker-precious-pair": (295, 7300, 3342, 89873),
        "player-fabulous-4": (23172,),
        "banker-fabulous-4": (43865,),
    }


def test_the_generators_are_those_they_are_called() -> None:
    """Known answers: Philox4x32-10 from the paper's own vectors, xoshiro128++ from its authors' code."""
    ones = 2**64 - 1
    assert pure.philox(0, 0, 0, 0) == [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]
    assert pure.philox(ones, ones, 2**32 - 1, 2**32 - 1) == [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]
    state = [1, 2, 3, 4]
    assert [pure.next_word(state) for _ in range(4)] == [641, 1573767, 3222811527, 3517856514]


@COMPILED
def test_a_word_that_would_bias_a_place_is_refused() -> None:
    """Refusals are rare; among these shoes there are some, or the test would show nothing."""
    job = prepare(find_game("manila"), 7, dealing=NO_BURN, rounds=67)
    for shoe in (701, 838, 1956):
        refused = cells(pure, job, shoe, 1)
        for instructions in range(compiled().instructions() + 1):
            assert cells(compiled(), job, shoe, 1, instructions) == refused
    state, refusals, unseen = pure.philox(7, 701, 0, 0), [], 416
    for dealt in deal(job, 701):
        for n in (unseen, unseen - 2, unseen - 4):
            refusals.append(pure.next_word(state) * n * (n - 1) % 2**32 < 2**32 % (n * (n - 1)))
        unseen -= len(dealt.deal.cards)
    assert sum(refusals) == 1


# --- No bias ---------------------------------------------------------------------------------------------------


FIXED: dict[str, Any] = {"dealing": NO_BURN, "rounds": 67}
LIMIT = 5.0
MANY_SHOES = 1_500_000
WATCHED = [find_game(name) for name in ("baccarat-tournament", "six-star", "fabulous-4")]
"""The game with the fewest lines, in which a mistake is hardest to notice, and both with 65 cards."""


@lru_cache(maxsize=16)
def exact(game: Game) -> Odds:
    return odds(game)


def deviations(found: Tally, expected: Odds) -> dict[str, float]:
    """Of each line's count, and of what each wager won, in standard deviations."""
    rounds, z = found.rounds, {}
    for wager, priced in expected.wagers.items():
        for line, count in zip(priced.lines, found.lines[wager], strict=True):
            probability = float(line.probability)
            z[f"{wager}: {line.line.label}"] = (count - rounds * probability) / sqrt(
                rounds * probability * (1 - probability)
            )
        z[f"{wager} won"] = float(found.net(wager) - rounds * priced.ev) / sqrt(rounds * priced.variance)
    return z


def worst(found: Tally, expected: Odds) -> float:
    return max(map(abs, deviations(found, expected).values()))


@COMPILED
@every_game
def test_a_hundred_million_rounds_agree_with_the_exact_odds(game: Game) -> None:
    found = tally(prepare(game, SEED, **FIXED), 0, MANY_SHOES)
    assert found.rounds > 10**8
    z = deviations(found, exact(game))
    assert {line: value for line, value in z.items() if abs(value) >= LIMIT} == {}
    assert sqrt(sum(value**2 for value in z.values()) / len(z)) < 2


@COMPILED
@pytest.mark.parametrize("game", WATCHED, ids=lambda game: game.id)
def test_a_wrong_cell_of_the_tableau_is_noticed(game: Game) -> None:
    wrong = replace(STANDARD, name="wrong", banker_draws={**STANDARD.banker_draws, 6: "6"})
    found = tally(prepare(replace(game, tableaux=(wrong,), reading={}), SEED, **FIXED), 0, MANY_SHOES)
    assert worst(found, exact(game)) > LIMIT


@COMPILED
@pytest.mark.parametrize("game", WATCHED, ids=lambda game: game.id)
def test_a_wrong_rate_is_noticed(game: Game) -> None:
    def at_another_rate(line: Line) -> Line:
        if not isinstance(line.pays, Ratio):
            return line
        return replace(line, pays=Ratio(line.pays.numerator * 20 + line.pays.denominator, line.pays.denominator * 20))

    wagers = list(game.wagers)
    wagers[0] = replace(wagers[0], lines=tuple(map(at_another_rate, wagers[0].lines)))
    found = tally(prepare(replace(game, wagers=tuple(wagers)), SEED, **FIXED), 0, MANY_SHOES)
    assert worst(found, exact(game)) > LIMIT


@COMPILED
@pytest.mark.parametrize("name", ["manila", "six-star"])
def test_a_biased_draw_is_noticed(name: str) -> None:
    """A draw that favours some cards is like a shoe with more of them: here one card more."""
    game = find_game(name)
    full = Shoe.full(game.pack, 8)
    biased = full.with_cards([game.pack.cards[8]])
    found = tally(prepare(game, SEED, biased, **FIXED), 0, MANY_SHOES)
    assert worst(found, exact(game)) > LIMIT


# --- Other declarations ----------------------------------------------------------------------------------------


def other_game(*wagers: Wager) -> Game:
    game = find_game("manila")
    return replace(game, wagers=(*game.wagers, *wagers), layout=game.layout + "\n" + " ".join(w.id for w in wagers))


def line(label: str, when: Any) -> Line:
    return pays("1:1", label, when, clause="Ruling 14")


CONDITIONS = {
    "no pair at all": PLAYER_PAIR.is_(None) & BANKER_PAIR.is_(None),
    "pair of aces or none": PLAYER_PAIR.is_("A", None),
    "suited, not in hearts": PLAYER_SUIT.exists() & ~PLAYER_SUIT.is_("h"),
    "one suit of two": ONE_SUIT.is_("c", "s"),
    "two hands": PLAYER_RANKS.is_("JQK", "AA", "99", "TTT"),
}


@pytest.mark.parametrize("name", CONDITIONS)
def test_whatever_a_wager_reads_is_counted(name: str) -> None:
    when = CONDITIONS[name]
    game = other_game(Wager("own", "Own", clause="Ruling 14", lines=(line(name, when),)))
    job = prepare(game, SEED)
    assert job.tables.fits
    shoes = 300 if jobs.available else 20
    expected = sum(when.holds(read_facts(dealt.deal)) for shoe in range(shoes) for dealt in deal(job, shoe))
    assert tally(job, 0, shoes).lines["own"] == (expected,)
    assert expected > 0
    if jobs.available:
        # Who looks at more does not change the cards.
        plain = tally(prepare(find_game("manila"), SEED), 0, shoes)
        assert tally(job, 0, shoes).lines.items() >= plain.lines.items()


def test_what_cells_cannot_tell_apart_is_settled_one_by_one() -> None:
    ranks = find_game("manila").pack.ranks
    lines = [
        line(f"{player} and {banker}", PLAYER_PAIR.is_(player) & BANKER_PAIR.is_(banker))
        for player, banker in zip(ranks, reversed(ranks), strict=True)
    ]
    suited = push("suited", PLAYER_SUIT.exists() & WINNER.is_(Winner.PLAYER), clause="Ruling 14")
    game = other_game(Wager("own", "Own", clause="Ruling 14", lines=(*lines, suited)))
    job = prepare(game, SEED)
    assert not job.tables.fits
    found = tally(job, 3, 60)
    assert found.lines.items() >= tally(prepare(find_game("manila"), SEED), 3, 60).lines.items()
    settled = [settle(game, dealt.deal, {"own": 1}) for shoe in range(3, 63) for dealt in deal(job, shoe)]
    labels = [settlement.wagers["own"].pays[0].line for settlement in settled if settlement.wagers["own"].pays]
    assert found.lines["own"] == tuple(labels.count(each.label) for each in (*lines, suited))
    assert found.lines["own"][-1] > 0


@COMPILED
def test_no_tables_can_lead_the_kernel_astray() -> None:
    encoded = prepare(find_game("six-star"), 1).tables.encoded
    tallies = array("Q", bytes(8 * DETAIL_CELLS))
    chance = random.Random(1)
    for _ in range(300):
        numbers = array("H", encoded)
        for _ in range(chance.randrange(1, 20)):
            numbers[chance.randrange(len(numbers))] = chance.choice([0, 1, 9, 64, 127, 255, 1000, 65535])
        cut, rounds = chance.choice([0, 14, 500, 30_000, 2**31 - 1]), chance.choice([0, 0, 67, 90, 2**31 - 1])
        for instructions in range(compiled().instructions() + 1):
            try:
                compiled().tally(numbers.tobytes(), 1, True, cut, rounds, 0, 70, instructions, tallies)
            except ValueError:
                break
    with pytest.raises(ValueError, match="wrong length"):
        compiled().tally(encoded[:-2], 1, True, 14, 0, 0, 1, 0, tallies)
    with pytest.raises(ValueError, match="wrong length"):
        compiled().tally(encoded, 1, True, 14, 0, 0, 1, 0, tallies[:-1])


FEW_CARDS = BurnAndCut(cut_depth=0)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"seed": -1}, "wrong-seed"),
        ({"seed": 2**64}, "wrong-seed"),
        ({"dealing": BurnAndCut(cut_depth=417)}, "wrong-cut"),
        ({"rounds": 68}, "wrong-rounds"),
        ({"rounds": 0}, "wrong-rounds"),
        ({"shoe": Shoe.full(find_game("six-star").pack, 8)}, "wrong-composition"),
        (
            {"shoe": Shoe.of_counts(find_game("manila").pack, {"Ah": 5}), "dealing": FEW_CARDS},
            "insufficient-cards",
        ),
    ],
)
def test_jobs_that_cannot_be_dealt_are_refused(change: dict[str, Any], reason: str) -> None:
    with pytest.raises(InputError) as refused:
        prepare(**{"game": find_game("manila"), "seed": 1, **change})
    assert refused.value.reason == reason
    with pytest.raises(InputError):
        tally(prepare(find_game("manila"), 1), -1, 5)


def test_without_a_compiler_it_says_so_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "compiled_kernel", None)
    jobs._kernel.cache_clear()
    job = prepare(find_game("manila"), SEED)
    with pytest.warns(RuntimeWarning, match="without its compiled simulator"):
        slow = tally(job, 0, 3)
    assert tally(job, 0, 3) == slow
    monkeypatch.undo()
    jobs._kernel.cache_clear()
    assert tally(job, 0, 3) == slow
