"""Every line of every game from hundreds of small shoes, each dealt out card by card the other way."""

from collections import Counter
from collections.abc import Iterator

import pytest

from odds.shoes import PACKS, THEMES, Picker, position, small_shoe
from odds.two_ways import (
    CASES,
    all_lines,
    case_name,
    cases_of_pack,
    compare,
    is_printed_manila,
    lines_that_happen,
    product_shoe,
)
from puntobanco import Game
from puntobanco.odds import odds
from reference.enumeration import every_round

BATCHES = range(6)
SHOES_IN_A_BATCH = 26
POSITIONS_IN_A_BATCH = 90


def shoes_of_batch(pack: int, batch: int) -> Iterator[dict[str, int]]:
    picker = Picker(f"shoes {pack} {batch}")
    for number in range(SHOES_IN_A_BATCH):
        yield small_shoe(pack, picker, THEMES[pack][number % len(THEMES[pack])], most_faces=7)


@pytest.mark.parametrize("batch", BATCHES)
@pytest.mark.parametrize("pack", [52, 65])
def test_random_shoes(pack: int, batch: int) -> None:
    picker = Picker(f"stakes {pack} {batch}")
    for shoe in shoes_of_batch(pack, batch):
        rounds = {False: list(every_round(shoe))}
        if pack == 52:
            rounds[True] = list(every_round(shoe, printed_manila=True))
        rounding, stake = picker.one([("down", 20), ("down", 20), ("up", 20), ("down", 7), ("up", 7), ("down", 1)])
        for game in cases_of_pack(pack):
            compare(game.read_as(rounding=rounding), shoe, rounds=rounds[is_printed_manila(game)], stake=stake)


@pytest.mark.parametrize("case", [pytest.param(game, id=case_name(game)) for game in CASES])
def test_the_random_shoes_show_every_line_several_times(case: Game) -> None:
    pack = len(case.pack)
    happened: Counter[tuple[str, str]] = Counter()
    for batch in BATCHES:
        for shoe in shoes_of_batch(pack, batch):
            happened.update(lines_that_happen(odds(case, product_shoe(case, shoe))))
    assert happened.keys() == all_lines(case)
    assert min(happened.values()) >= 5, happened


@pytest.mark.parametrize(
    ("game", "cards"),
    [
        ("six-star", "4f 5f 9f Tf Sf Lf Ff 3f 6f 2d Sg Lw Fd"),
        ("fabulous-4", "4g 4f 4d 4w Tg Lg Ld 3f 5f Ag 6e"),
        ("manila", "6c 6d Kc Kd 2h 4h 9s 8s 3c 5d 7h"),
    ],
    ids=["six-star", "fabulous-4", "manila"],
)
def test_shoes_of_single_cards(game: str, cards: str) -> None:
    # Every card once: what one hand takes the other cannot have.
    case = next(each for each in CASES if each.id == game)
    compare(case, dict.fromkeys(cards.split(), 1))


@pytest.mark.parametrize("case", [pytest.param(game, id=case_name(game)) for game in CASES])
def test_shoes_of_exactly_six_cards_and_of_a_single_face(case: Game) -> None:
    cards = PACKS[len(case.pack)]
    picker = Picker("six cards")
    for _ in range(10):
        compare(case, dict.fromkeys(picker.some(cards, 6), 1))
    for card in cards[:13]:
        compare(case, {card: 6})
        compare(case, {card: 32})


@pytest.mark.parametrize("batch", range(6))
@pytest.mark.parametrize("pack", [52, 65])
def test_random_positions(pack: int, batch: int) -> None:
    picker = Picker(f"positions {pack} {batch}")
    kinds = set()
    for number in range(POSITIONS_IN_A_BATCH):
        # The more cards are seen, the more faces the enumeration can take.
        least_seen, faces = picker.one([(0, 5), (1, 6), (2, 9), (3, 20), (4, 40), (4, 40)])
        whole = small_shoe(pack, picker, THEMES[pack][number % len(THEMES[pack])], faces)
        for game in cases_of_pack(pack):
            shoe, seen = position(whole, picker, least_seen, is_printed_manila(game))
            if sum(shoe.values()) >= 6 - len(seen):
                rounding, stake = picker.one([("down", 20), ("up", 20), ("down", 7), ("up", 7)])
                compare(game.read_as(rounding=rounding), shoe, seen, stake=stake)
                kinds.add(frozenset(seen))
    # Sixteen ways to have seen some of the first four cards, and all four with one or both third cards.
    assert len(kinds) >= 17, "some kinds of positions were not tried"
