"""The compiled counter against the pure-Python one, to the last integer.

Where a C compiler is present the kernel must have been built: without it these tests fail. Where none is, pure Python
serves, and all that is left to test here is that it does.
"""

import random
import shutil
import subprocess
import sys
from array import array
from collections.abc import Iterator
from functools import cache
from itertools import product

import pytest

from contract.games import EVERY_GAME
from puntobanco.cards import FIVE_ELEMENTS, STANDARD_PACK, Pack, Shoe
from puntobanco.games import GAMES
from puntobanco.odds import compiled_counter, odds
from puntobanco.odds.compiled_counter import Program
from puntobanco.odds.exact_counter import Counter
from puntobanco.odds.quantities import OutcomeSums
from puntobanco.odds.terms import WagerPlan, plan_wager
from puntobanco.rules.conditions import (
    BANKER_CARDS,
    BANKER_PAIR,
    BANKER_RANKS,
    BANKER_SUIT,
    BANKER_TOTAL,
    BANKER_WINS,
    CARDS,
    ONE_SUIT,
    PLAYER_CARDS,
    PLAYER_PAIR,
    PLAYER_RANKS,
    PLAYER_SUIT,
    PLAYER_TOTAL,
    PLAYER_WINS,
    TIE,
    Condition,
)
from puntobanco.rules.game import Game
from puntobanco.rules.wagers import Wager, pays

COMPILER = next((name for name in ("cc", "gcc", "clang") if shutil.which(name)), None)

needs_kernel = pytest.mark.skipif(
    not compiled_counter.available and COMPILER is None, reason="no C compiler: pure Python serves alone"
)


@pytest.mark.skipif(COMPILER is None, reason="no C compiler: pure Python serves alone")
def test_the_kernel_was_built() -> None:
    assert compiled_counter.available, (
        f"{COMPILER} is present, but the kernel was not built: install again, and read the warnings."
    )


def readings(game: Game) -> Iterator[Game]:
    """The game under every reading; rounding changes payments, not counts."""
    switches = {name: options for name, options in game.switches.items() if name != "rounding"}
    for options in product(*switches.values()):
        yield game.read_as(**dict(zip(switches, options, strict=True)))


EVERY_READING = [reading for game in EVERY_GAME for reading in readings(game)]
BY_TABLEAU = {(game.pack, game.tableau): game for game in reversed(EVERY_READING)}


def name_of(game: Game) -> str:
    return "/".join([game.id, *(option for name, option in game.reading.items() if name != "rounding")])


@cache
def plans_of(game: Game) -> tuple[WagerPlan, ...]:
    return tuple(plan_wager(game, wager) for wager in game.paytables.values())


@cache
def program_of(game: Game) -> Program:
    return Program(plans_of(game), game.tableau, game.pack)


def reference(game: Game, plans: tuple[WagerPlan, ...], shoe: Shoe) -> list[int]:
    counter = Counter(game.tableau, shoe)
    return [counter.count(signed_sum) for plan in plans for signed_sum in plan.sums]


def shoes(pack: Pack, seed: int) -> Iterator[Shoe]:
    """Compositions of every kind within what the kernel takes: all that ten packs of 65 hold by value."""
    chance = random.Random(seed)
    for decks in range(4, 11):
        yield Shoe.full(pack, decks)
    for _ in range(6):  # Parts of a shoe, as in mid-game.
        decks = chance.randint(1, 10)
        yield Shoe(pack, tuple(chance.randint(0, decks) for _ in pack.cards))
    for _ in range(6):  # Lopsided: most cards are gone.
        yield Shoe(pack, tuple(chance.choice((0, 0, 0, 0, 1, 10)) for _ in pack.cards))
    for size in [*range(6, 13)] * 6:
        counts = [0] * len(pack)
        for place in chance.choices(range(len(pack)), k=size):
            counts[place] += 1
        yield Shoe(pack, tuple(counts))
    for suit in pack.suits:
        yield Shoe(pack, tuple(chance.randint(0, 32) * (card.suit == suit) for card in pack.cards))
    for value in range(10):
        yield Shoe(pack, tuple(10 * (card.points == value) for card in pack.cards))
    for rank in pack.ranks:  # The most that a rank may have, and few others.
        yield Shoe(pack, tuple(10 if card.rank == rank else chance.randint(0, 1) for card in pack.cards))


@needs_kernel
@pytest.mark.parametrize("game", EVERY_READING, ids=name_of)
def test_every_outcome_of_every_game(game: Game) -> None:
    for shoe in shoes(game.pack, seed=1):
        expected = reference(game, plans_of(game), shoe)
        assert program_of(game).counts(shoe.counts) == expected, shoe.as_counts()


def odd_conditions(pack: Pack) -> list[Condition]:
    """Every fact, in combinations that no document prints."""
    one, other = list(pack.suits)[:2]
    high = pack.ranks[-1]
    return [
        PLAYER_PAIR.exists() & BANKER_SUIT.is_(one) & PLAYER_WINS,
        PLAYER_PAIR.is_("4") & BANKER_SUIT.is_(one),
        PLAYER_PAIR.is_("4") & BANKER_PAIR.is_("9") & BANKER_SUIT.is_(other) & ~PLAYER_SUIT.is_(other),
        PLAYER_PAIR.exists() & ~BANKER_PAIR.exists() & TIE,
        PLAYER_PAIR.is_("A", "8", high) | BANKER_PAIR.is_("A", "8", high),
        ONE_SUIT.exists() & PLAYER_PAIR.exists(),
        ONE_SUIT.exists() & CARDS.is_(6),
        ONE_SUIT.exists() & CARDS.is_(4, 5),
        ONE_SUIT.is_(other) & BANKER_WINS,
        ONE_SUIT.is_(one, other) & BANKER_TOTAL.is_(6) & PLAYER_CARDS.is_(3),
        ~ONE_SUIT.exists() & BANKER_CARDS.is_(2),
        ONE_SUIT.is_(None) & PLAYER_SUIT.exists() & BANKER_SUIT.exists(),
        PLAYER_RANKS.is_("99"),
        PLAYER_RANKS.is_("9T", "TT") & ~BANKER_PAIR.exists(),
        BANKER_RANKS.is_("A23", "455") | PLAYER_RANKS.is_("A6" + high),
        PLAYER_RANKS.is_("AAA") & BANKER_RANKS.is_("AAA", "AA2", "A" + high + high),
        PLAYER_RANKS.is_("AA") & BANKER_RANKS.is_("8T") & ONE_SUIT.is_(one),
        ~PLAYER_RANKS.is_("44", "44" + high) & BANKER_RANKS.is_("234"),
        PLAYER_SUIT.exists() & PLAYER_WINS,
        PLAYER_SUIT.is_(one) & ~BANKER_SUIT.is_(other),
        PLAYER_SUIT.is_(one) & BANKER_SUIT.is_(other) & TIE,
        PLAYER_SUIT.is_(one) & BANKER_SUIT.is_(one) & CARDS.is_(4),
        BANKER_SUIT.is_(one) & BANKER_CARDS.is_(2) & BANKER_TOTAL.is_(8, 9) & ~PLAYER_WINS,
        CARDS.is_(4),
        CARDS.is_(5) | TIE,
        PLAYER_TOTAL.is_(7) & BANKER_CARDS.is_(3),
        ~(PLAYER_WINS | BANKER_WINS) | PLAYER_TOTAL.is_(0),
    ]  # fmt: skip


def odd_wagers(pack: Pack) -> list[Wager]:
    single = [
        Wager(f"odd-{place}", f"Odd {place}", "1", (pays("2:1", "It holds", condition, clause="1"),))
        for place, condition in enumerate(odd_conditions(pack))
    ]
    totals = [PLAYER_TOTAL.is_(one) & BANKER_TOTAL.is_(other) for one, other in product((0, 3, 6, 9), repeat=2)]
    lines = tuple(pays("9:1", f"Line {place}", condition, clause="1") for place, condition in enumerate(totals))
    bonuses = (
        pays("5:1", "Player pair", PLAYER_PAIR.exists(), clause="1"),
        pays("7:1", "One suit", ONE_SUIT.exists(), clause="1"),
    )
    return [
        *single,
        Wager("many", "Many lines", "1", lines),
        Wager("bonuses", "Bonuses", "1", (pays("8:1", "Tie", TIE, clause="1"),), bonuses),
    ]


def game_with(pack: Pack) -> Game:
    return next(game for game in GAMES if game.pack == pack)


@needs_kernel
@pytest.mark.parametrize("game", BY_TABLEAU.values(), ids=name_of)
def test_wagers_of_a_patrons_own(game: Game) -> None:
    pack = game.pack
    plans = tuple(plan_wager(game, wager) for wager in odd_wagers(pack))
    together = Program(plans, game.tableau, pack)
    apart = [Program([plan], game.tableau, pack) for plan in plans]
    chance = random.Random(2)
    compositions = [*shoes(pack, seed=3)]
    for shoe in [compositions[4], *chance.sample(compositions, 4)]:
        expected = reference(game, plans, shoe)
        assert together.counts(shoe.counts) == expected, shoe.as_counts()
        alone = [program.counts(shoe.counts) for program in apart]
        assert [count for counts in alone if counts is not None for count in counts] == expected


@needs_kernel
def test_all_wagers_together_with_those_of_a_patron() -> None:
    for pack in (STANDARD_PACK, FIVE_ELEMENTS):
        game = game_with(pack)
        wagers = (*game.paytables.values(), *odd_wagers(pack))
        plans = tuple(plan_wager(game, wager) for wager in wagers)
        shoe = Shoe.full(pack, 10)
        assert Program(plans, game.tableau, pack).counts(shoe.counts) == reference(game, plans, shoe)


@needs_kernel
@pytest.mark.parametrize("game", EVERY_GAME, ids=name_of)
def test_many_compositions_at_once_count_as_one_by_one(game: Game) -> None:
    program = program_of(game)
    compositions = [*shoes(game.pack, seed=4)]
    # Refused rows at either end, alone and in a row, must not disturb their neighbours.
    empty, too_full = bytes(len(game.pack)), bytes([13] * len(game.pack))
    rows = [empty, *(bytes(shoe.counts) for shoe in compositions), too_full]
    rows[5:5] = [empty]
    rows[8:8] = [too_full, empty]
    expected = [program.counts(row) for row in rows]
    assert [place for place, counts in enumerate(expected) if counts is None] == [0, 5, 8, 9, len(rows) - 1]
    assert program.counts_many(b"".join(rows)) == expected
    assert program.counts_many(b"") == []

    numbers = array("q", bytes(8 * program.outcomes * len(rows)))
    assert program.counts_into(b"".join(rows), numbers) == 5
    refused = [-1] * program.outcomes
    assert [*numbers] == [number for counts in expected for number in (counts or refused)]


@needs_kernel
def test_compositions_beyond_the_bound_are_refused() -> None:
    program = program_of(game_with(FIVE_ELEMENTS))
    full = [*Shoe.full(FIVE_ELEMENTS, 10).counts]
    assert program.counts(full) is not None
    for index in range(len(full)):
        assert program.counts([*full[:index], 11, *full[index + 1 :]]) is None
    assert program.counts([300, *full[1:]]) is None
    assert program.counts([0] * 60 + [1] * 5) is None
    assert program.counts([0] * 59 + [1] * 6) is not None
    with pytest.raises(ValueError, match="65 counts"):
        program.counts(full[1:])
    with pytest.raises(ValueError, match="65 counts"):
        program.counts_many(bytes(full[1:]))
    with pytest.raises(ValueError, match="64 bits"):
        program.counts_into(bytes(full), array("q", bytes(8 * (program.outcomes - 1))))


@needs_kernel
def test_odds_of_a_refused_shoe_are_counted_in_python() -> None:
    game = game_with(STANDARD_PACK)
    shoe = Shoe.full(game.pack, 16)
    assert program_of(game).counts(shoe.counts) is None
    counts = [count for wager in odds(game, shoe).wagers.values() for _, count in wager.outcomes]
    assert counts == reference(game, plans_of(game), shoe)


@needs_kernel
@pytest.mark.parametrize("instructions", ["plain", "avx2", "avx512"])
def test_every_instruction_set_counts_alike(instructions: str) -> None:
    from puntobanco import _odds_kernel as _kernel

    try:
        if not _kernel.use(instructions):
            pytest.skip("the machine does not have it")
        for game in EVERY_GAME:
            for shoe in [*shoes(game.pack, seed=5)][::9]:
                row = bytes(shoe.counts)
                expected = reference(game, plans_of(game), shoe)
                assert program_of(game).counts(row) == expected
                assert program_of(game).counts_many(row * 3) == [expected] * 3
    finally:
        assert _kernel.use("avx512") or _kernel.use("avx2") or _kernel.use("plain")


@needs_kernel
def test_numbers_that_are_no_program_are_refused() -> None:
    from puntobanco import _odds_kernel as _kernel

    game = game_with(FIVE_ELEMENTS)
    outcome_sums = OutcomeSums(
        [signed_sum for plan in plans_of(game) for signed_sum in plan.sums], game.tableau, game.pack
    )
    numbers = compiled_counter.Writer(outcome_sums, game.tableau, game.pack).numbers
    assert _kernel.Program(numbers).outcomes == len(outcome_sums.sums)
    for length in [*range(0, 300, 7), *range(300, len(numbers), 101), len(numbers) - 1]:
        with pytest.raises(ValueError, match="not a program"):
            _kernel.Program(numbers[:length])
    with pytest.raises(ValueError, match="not a program"):
        _kernel.Program(numbers + array("i", [0]))
    with pytest.raises(ValueError, match="not a program"):
        _kernel.Program(numbers.tobytes()[:-1])


def test_pure_python_serves_where_the_kernel_is_missing() -> None:
    game = game_with(STANDARD_PACK)
    code = f"""
import sys
sys.modules["puntobanco._odds_kernel"] = None
from puntobanco.games import find_game
from puntobanco.odds import compiled_counter, odds
assert not compiled_counter.available
print(*(count for wager in odds(find_game({game.id!r})).wagers.values() for _, count in wager.outcomes))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    shoe = Shoe.full(game.pack, game.decks.default)
    assert [int(word) for word in done.stdout.split()] == reference(game, plans_of(game), shoe)
