"""The reference is held to published figures and to examples worked by hand before anything is held to it."""

import itertools
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from math import perm
from pathlib import Path

import pytest

from reference.deals import Deal, every_deal_by_points, every_deal_of_points, random_deals
from reference.settlement import PACK_52, PACK_65, POINTS, draw_rule, lawful, point_total, settle

# Ordered six-card permutations (Banker, Player, Tie), unused cards included; Wizard of Odds.
PUBLISHED_OUTCOMES = {
    6: (403_095_751_234_560, 392_220_492_728_832, 83_552_962_932_288),
    8: (2_292_252_566_437_888, 2_230_518_282_592_256, 475_627_426_473_216),
    10: (8_807_402_586_035_200, 8_570_454_841_408_000, 1_828_629_499_384_000),
}

# Every wager of each game, by its document.
FABULOUS_SIDE_WAGERS = "player-fabulous-4 banker-fabulous-4 player-precious-pair banker-precious-pair"
WAGERS = {
    "baccarat-tournament": "player banker tie player-pair banker-pair",
    "fortune-six-tournament": "player banker tie player-pair banker-pair fortune-six",
    "six-star": "player banker tie player-pair banker-pair fortune-six element-bonus",
    "fabulous-4": f"player banker tie {FABULOUS_SIDE_WAGERS}",
    "manila": "player banker tie player-pair banker-pair super-six",
    "manila-no-commission": "player banker tie player-pair banker-pair super-six",
}


@cache
def all_deals(pack: int, printed_manila: bool = False) -> tuple[Deal, ...]:
    return tuple(every_deal_by_points(pack, printed_manila))


def weight(values: Iterable[int], counts: Sequence[int]) -> int:
    """Ordered six-card permutations of a shoe, given its cards by value, that begin with these values."""
    left = list(counts)
    ways = 1
    dealt = 0
    for value in values:
        ways *= left[value]
        left[value] -= 1
        dealt += 1
    return ways * perm(sum(left), 6 - dealt)


@cache
def weights(pack: int, decks: int, printed_manila: bool = False) -> tuple[int, ...]:
    """The weight of each of all_deals(52): sixteen of 52 cards are worth nothing, twenty of 65."""
    suits = 4 if pack == 52 else 5
    counts = [4 * suits * decks] + [suits * decks] * 9
    return tuple(
        weight([POINTS[card] for card in (*player, *banker)], counts)
        for player, banker in all_deals(52, printed_manila)
    )


def outcomes(pack: int, decks: int, printed_manila: bool = False) -> tuple[int, int, int]:
    banker_wins = player_wins = ties = 0
    deals = all_deals(52, printed_manila)
    for (player, banker), ways in zip(deals, weights(pack, decks, printed_manila), strict=True):
        margin = point_total(player) - point_total(banker)
        if margin > 0:
            player_wins += ways
        elif margin < 0:
            banker_wins += ways
        else:
            ties += ways
    return banker_wins, player_wins, ties


def edges(game: str, wagers: Iterable[str], printed_manila: bool = False) -> dict[str, float]:
    """The house's share of each wager at eight 52-card decks, from settling every deal."""
    stakes = dict.fromkeys(wagers, 1000)
    totals = dict.fromkeys(wagers, 0)
    deals = all_deals(65 if game == "fabulous-4" else 52, printed_manila)
    for (player, banker), ways in zip(deals, weights(52, 8, printed_manila), strict=True):
        results = settle(game, player, banker, stakes, printed_manila=printed_manila)
        for wager, (net, _) in results.items():
            totals[wager] += ways * net
    return {wager: -total / (1000 * perm(416, 6)) for wager, total in totals.items()}


def test_the_reference_knows_nothing_of_the_package() -> None:
    for source in (Path(__file__).parent / "reference").glob("*.py"):
        assert "puntobanco" not in source.read_text(encoding="utf-8")


# The draw.


@pytest.mark.parametrize("printed_manila", [False, True])
def test_every_deal_is_there_once_and_is_lawful_only_under_its_own_table(printed_manila: bool) -> None:
    values = list(every_deal_of_points(printed_manila))
    assert len(set(values)) == len(values) == (291_700 if printed_manila else 339_400)
    deals = all_deals(52, printed_manila)
    for (player_values, banker_values), (player, banker) in zip(values, deals, strict=True):
        assert tuple(POINTS[card] for card in player) == player_values
        assert tuple(POINTS[card] for card in banker) == banker_values
        assert lawful(player, banker, printed_manila)
        # The two tables part only where the Player has five and there is no natural.
        player_five = sum(player_values[:2]) % 10 == 5
        natural = sum(banker_values[:2]) % 10 >= 8
        assert lawful(player, banker, not printed_manila) == (not player_five or natural)


@pytest.mark.parametrize("pack", [52, 65])
def test_every_deal_shows_every_card_in_every_place(pack: int) -> None:
    seen: list[set[str]] = [set() for _ in range(6)]
    for player, banker in all_deals(pack):
        for place, card in enumerate(player):
            seen[place].add(card)
        for place, card in enumerate(banker):
            seen[3 + place].add(card)
    assert all(cards == set(PACK_52 if pack == 52 else PACK_65) for cards in seen)


@pytest.mark.parametrize(
    ("banker", "draws_when_player_third_is"),
    [
        (0, "0123456789"),
        (1, "0123456789"),
        (2, "0123456789"),
        (3, "012345679"),
        (4, "234567"),
        (5, "4567"),
        (6, "67"),
        (7, ""),
    ],
)
def test_banker_third_card(banker: int, draws_when_player_third_is: str) -> None:
    for player, third in itertools.product(range(6), range(10)):
        assert draw_rule(player, banker, third) == (True, str(third) in draws_when_player_third_is)
    for player, third in itertools.product((6, 7), range(10)):
        assert draw_rule(player, banker, third) == (False, banker <= 5)
    for third in range(10):
        assert draw_rule(5, banker, third, printed_manila=True) == (False, banker <= 5)
        assert draw_rule(4, banker, third, printed_manila=True) == draw_rule(4, banker, third)


@pytest.mark.parametrize("natural", [8, 9])
def test_a_natural_ends_the_round(natural: int) -> None:
    for other, third in itertools.product(range(10), range(10)):
        assert draw_rule(natural, other, third) == draw_rule(other, natural, third) == (False, False)


@pytest.mark.parametrize(
    "deal",
    [
        "9c Kd | 2c 3d 4h",  # A natural, and yet the Banker drew.
        "2c 3d | 7c Kd",  # The Player has five and did not draw.
        "2c 4d 5h | 7c Kd",  # The Player has six and drew.
        "2c 3d 8h | 3c Kd 4s",  # The Banker has three against an eight and drew.
        "2c 3d 7h | 6c Kd",  # The Banker has six against a seven and did not draw.
        "9c | 8c Kd",
        "9c Kd 2h 2s | 8c Kd",
        "9c Xx | 8c Kd",
    ],
)
def test_rounds_that_cannot_be(deal: str) -> None:
    player, banker = (side.split() for side in deal.split(" | "))
    assert not lawful(player, banker)
    with pytest.raises(ValueError, match="no round ends"):
        settle("manila", player, banker, {"tie": 1})


# Published figures.


@pytest.mark.parametrize("decks", [6, 8, 10])
def test_published_outcomes_of_52_card_decks(decks: int) -> None:
    assert outcomes(52, decks) == PUBLISHED_OUTCOMES[decks]
    assert sum(weights(52, decks)) == perm(52 * decks, 6)


def test_eight_decks_of_65_have_the_points_of_ten_decks_of_52() -> None:
    assert outcomes(65, 8) == PUBLISHED_OUTCOMES[10]


def test_published_winning_totals() -> None:
    # Wizard of Odds: Lucky 6 on two and three cards; Player wins with 1 and with 4.
    found: Counter[str] = Counter()
    for (player, banker), ways in zip(all_deals(52), weights(52, 8), strict=True):
        player_points, banker_points = point_total(player), point_total(banker)
        if banker_points == 6 and player_points < 6:
            found[f"banker six on {len(banker)}"] += ways
        if player_points in (1, 4) and player_points > banker_points:
            found[f"player wins with {player_points}"] += ways
    assert found == {
        "banker six on 2": 186_173_936_904_192,
        "banker six on 3": 83_058_367_551_488,
        "player wins with 1": 24_639_193_538_560,
        "player wins with 4": 86_165_771_096_064,
    }


def test_published_lengths_of_rounds() -> None:
    # Wizard of Odds, appendix 5.
    found: Counter[int] = Counter()
    for (player, banker), ways in zip(all_deals(52), weights(52, 8), strict=True):
        found[len(player) + len(banker)] += ways
    shares = {cards: round(ways / perm(416, 6), 6) for cards, ways in found.items()}
    assert shares == {4: 0.378868, 5: 0.303444, 6: 0.317687}


@pytest.mark.parametrize(
    ("game", "published"),
    [
        ("manila", {"banker": "0.01057906", "player": "0.012351", "tie": "0.143596", "super-six": "0.2998"}),
        ("manila-no-commission", {"banker": "0.014581"}),
        ("fortune-six-tournament", {"fortune-six": "0.166836"}),
        # Published for the same payments on 52-card decks; only points matter to these two wagers.
        ("fabulous-4", {"player": "0.016041", "banker": "0.0155"}),
    ],
)
def test_published_edges(game: str, published: dict[str, str]) -> None:
    # Each figure is compared to as many digits as were published.
    found = edges(game, published)
    assert {wager: f"{found[wager]:.{len(text) - 2}f}" for wager, text in published.items()} == published


def test_banker_edge_if_the_five_of_the_printed_manila_table_stood() -> None:
    assert sum(weights(52, 8, printed_manila=True)) == perm(416, 6)
    assert round(edges("manila", ["banker"], printed_manila=True)["banker"], 8) == 0.00786862


def test_published_edge_of_pairs() -> None:
    # A Banker natural ends every round here, so that the Player's two cards alone are weighed.
    total = sum(
        settle("manila", (first, second), ("9c", "Kd"), {"player-pair": 1})["player-pair"][0]
        * 8
        * (7 if first == second else 8)
        for first, second in itertools.product(PACK_52, repeat=2)
    )
    assert round(-total / (416 * 415), 4) == 0.1036


@pytest.mark.parametrize("side", ["player", "banker"])
def test_precious_pairs_by_counting_cards(side: str) -> None:
    found: Counter[int] = Counter()
    for two in itertools.product(PACK_65, repeat=2):
        player, banker = (two, ("9f", "Td")) if side == "player" else (("9f", "Td"), two)
        wager = f"{side}-precious-pair"
        net = settle("fabulous-4", player, banker, {wager: 1})[wager][0]
        found[net] += 8 * (7 if two[0] == two[1] else 8)
    gold_fours = 8 * 7
    other_fours = 40 * 39 - gold_fours
    assert found == {
        30: gold_fours,
        15: other_fours,
        12: 12 * gold_fours,
        9: 12 * other_fours,
        -1: 520 * 519 - 13 * 40 * 39,
    }


def test_worth_of_the_tie_bonus() -> None:
    # Ruling 6: both bonuses together are worth 25.47 cents a round at eight decks.
    fire = [card for card in PACK_65 if card[1] == "f"]
    worth = 0
    for p1, b1, p2, b2 in itertools.product(fire, repeat=4):
        if (POINTS[p1] + POINTS[p2]) % 10 == 9 and (POINTS[b1] + POINTS[b2]) % 10 == 9:
            ways = weight([fire.index(card) for card in (p1, b1, p2, b2)], [8] * 13 + [416])
            worth += ways * (settle("six-star", (p1, p2), (b1, b2), {"tie": 1})["tie"][0] - 8)
    for ranks in itertools.product("SLF", repeat=6):
        cards = [rank + "w" for rank in ranks]
        ways = weight(["SLF".index(rank) for rank in ranks], [40] * 3 + [400])
        worth += ways * (settle("six-star", cards[:3], cards[3:], {"tie": 1})["tie"][0] - 8)
    assert round(worth / perm(520, 6), 2) == 25.47


# Examples worked by hand.


@pytest.mark.parametrize(
    ("game", "deal", "wager", "net", "paid"),
    [
        ("baccarat-tournament", "2c 5d | 3c 3d", "player", 20, [("4.1", 20)]),
        ("baccarat-tournament", "2c 5d | 3c 3d", "banker", -20, []),
        ("baccarat-tournament", "2c 5d | 3c 3d", "banker-pair", 220, [("4.1", 220)]),
        ("baccarat-tournament", "2c 5d | 3c 3d", "player-pair", -20, []),
        ("baccarat-tournament", "Tc Kd 4h | 6c 4d 4s", "tie", 160, [("4.1", 160)]),
        ("baccarat-tournament", "Tc Kd 4h | 6c 4d 4s", "player", 0, [("3.10.1", 0)]),
        ("baccarat-tournament", "Tc Kd 4h | 6c 4d 4s", "player-pair", -20, []),
        ("baccarat-tournament", "Tc Kd 4h | 6c 4d 4s", "banker", 0, [("3.10.1", 0)]),
        ("baccarat-tournament", "Qc Qd | 9c Qs", "player-pair", 220, [("4.1", 220)]),
        ("baccarat-tournament", "Qc Qd | 9c Qs", "banker", 20, [("4.1", 20)]),
        ("fortune-six-tournament", "2c Kd 3h | 6c Td", "fortune-six", 240, [("4.1", 240)]),
        ("fortune-six-tournament", "2c Kd 3h | 2c Td 4s", "fortune-six", 400, [("4.1", 400)]),
        ("fortune-six-tournament", "2c 4d | 6c Td", "fortune-six", -20, []),
        ("fortune-six-tournament", "2c 4d | 6c Td", "banker", 0, [("3.10.1", 0)]),
        ("fortune-six-tournament", "2c Kd 3h | 6c Td", "banker", 20, [("4.1", 20)]),
        ("fortune-six-tournament", "2c 4d | 6c Td", "player", 0, [("3.10.1", 0)]),
        ("fortune-six-tournament", "2c 4d | 6c Td", "tie", 160, [("4.1", 160)]),
        ("fortune-six-tournament", "9c Qs | Qc Qd", "player", 20, [("4.1", 20)]),
        ("fortune-six-tournament", "9c Qs | Qc Qd", "banker-pair", 220, [("4.1", 220)]),
        ("fortune-six-tournament", "4c 4s | Qc Kd", "player-pair", 220, [("4.1", 220)]),
        ("six-star", "2f Td 3g | 6e Lw", "banker", 10, [("4.1", 10)]),
        ("six-star", "2f Td | 9f Lf", "banker", 24, [("4.1", 24)]),
        ("six-star", "2f Td | 9f Lw", "banker", 20, [("4.1", 20)]),
        ("six-star", "4f 5f | 8f Lf", "player", 24, [("4.1", 24)]),
        ("six-star", "4f Tf 5f | 3f Lf 4f", "player", 20, [("4.1", 20)]),
        ("six-star", "4f Tf 5f | 3f Lf 4f", "element-bonus", 100_000, [("4.2", 100_000)]),
        ("six-star", "4w Tw 5w | 7w Lw", "element-bonus", 10_000, [("4.2", 10_000)]),
        ("six-star", "4w 5w | 7w Lw", "element-bonus", 1_000, [("4.2", 1_000)]),
        ("six-star", "4w Tw 5w | 3w Lw 4f", "element-bonus", -20, []),
        ("six-star", "4f 5f | 9f Lf", "tie", 300_160, [("4.1", 160), ("4.3", 300_000)]),
        ("six-star", "4f 5f | 9f Lf", "player", 0, [("3.10.1", 0)]),
        ("six-star", "4f 5f | 9f Lg", "tie", 160, [("4.1", 160)]),
        ("six-star", "Sf Lw Fd | Fg Sf Lf", "tie", 3_000_160, [("4.1", 160), ("4.3", 3_000_000)]),
        ("six-star", "Sf Lw Fd | Fg Sf Tf", "tie", 160, [("4.1", 160)]),
        ("six-star", "Lf Lw Fd | Fg Sf Tf", "player-pair", 220, [("4.1", 220)]),
        ("six-star", "Lf Lw Fd | Fg Fe Tf", "banker-pair", 220, [("4.1", 220)]),
        ("six-star", "Lf Lw Fd | Fg Fe Tf", "banker", 0, [("3.10.1", 0)]),
        ("six-star", "2f Td 3g | 6e Lw", "fortune-six", 240, [("4.1", 240)]),
        ("six-star", "2f Td 3g | 2e Tw 4d", "fortune-six", 400, [("4.1", 400)]),
        ("six-star", "2f 4d | 6e Lw", "fortune-six", -20, []),
        ("six-star", "2f Td 3g | 7e Lw", "fortune-six", -20, []),
        ("fabulous-4", "2f Td Tg | 4e Lw", "banker", 0, [("4.1", 0)]),
        ("fabulous-4", "2f Td Tg | 4e Lw", "player", -20, []),
        ("fabulous-4", "2f Td Tg | 4e Lw", "banker-fabulous-4", 500, [("4.1", 500)]),
        ("fabulous-4", "2f Td 2g | Te 3w Td", "player", 10, [("4.1", 10)]),
        ("fabulous-4", "2f Td 2g | Te 3w Td", "player-fabulous-4", 1000, [("4.1", 1000)]),
        ("fabulous-4", "2f Td 2g | Te 3w Ad", "player-fabulous-4", -20, []),
        ("fabulous-4", "2f Td 2g | Te 3w Ad", "banker-fabulous-4", -20, []),
        ("fabulous-4", "2f Td 2g | Te 3w Ad", "banker", 0, [("3.10", 0)]),
        ("fabulous-4", "2f Td 2g | Te 3w Ad", "player", 0, [("3.10", 0)]),
        ("fabulous-4", "9f Td | 8e Tw", "player", 20, [("4.1", 20)]),
        ("fabulous-4", "8f Td | 9e Tw", "banker", 20, [("4.1", 20)]),
        ("fabulous-4", "5f Td 6g | Te Sw Fd", "player", 40, [("4.1", 40)]),
        ("fabulous-4", "5f Td 5g | Te Sw Ad", "banker", 40, [("4.1", 40)]),
        ("fabulous-4", "4f 4g | 4d 4w", "tie", 16_160, [("4.1", 160), ("4.1", 16_000)]),
        ("fabulous-4", "4f 4g | 3d 5w", "tie", 160, [("4.1", 160)]),
        ("fabulous-4", "4g 4g | 9d 5w", "player-precious-pair", 600, [("4.2", 600)]),
        ("fabulous-4", "4e 4e | 9d 5w", "player-precious-pair", 300, [("4.2", 300)]),
        ("fabulous-4", "4e 4g | 9d 5w", "player-precious-pair", 300, [("4.2", 300)]),
        ("fabulous-4", "9e Td | Lg Lg", "banker-precious-pair", 240, [("4.2", 240)]),
        ("fabulous-4", "9e Td | Le Le", "banker-precious-pair", 180, [("4.2", 180)]),
        ("fabulous-4", "9e Td | Lg Sg", "banker-precious-pair", -20, []),
        ("manila", "9c Kd | 7h Th", "player", 20, [("How to Play 5", 20)]),
        ("manila", "7h Th | 9c Kd", "banker", 19, [("How to Play 6", 19)]),
        ("manila", "7h Th | 9c Kd", "player", -20, []),
        ("manila", "7h Th | 7c Kd", "tie", 160, [("How to Play 7", 160)]),
        ("manila", "7h Th | 7c Kd", "banker", 0, [("Ruling 14: tie", 0)]),
        ("manila", "7h Th | 7c Kd", "player", 0, [("Ruling 14: tie", 0)]),
        ("manila", "7h Th | 9c 9d", "banker-pair", 220, [("How to Play 9", 220)]),
        ("manila", "9c 9d | 7h Th", "player-pair", 220, [("How to Play 9", 220)]),
        ("manila", "Td Kd 2h | 6c Kd", "super-six", 240, [("Super 6", 240)]),
        ("manila", "Td 6d | 2c Kd 4d", "super-six", -20, []),
        ("manila", "Td 2d 3d | 2c Kd 4d", "super-six", 240, [("Super 6", 240)]),
        ("manila", "Td 2d 3d | 2c Kd 4d", "banker", 19, [("How to Play 6", 19)]),
        ("manila-no-commission", "Td 2d 3d | 2c Kd 4d", "banker", 10, [("No Commission 1", 10)]),
        ("manila-no-commission", "Td 2d 3d | 2c Kd 5d", "banker", 20, [("No Commission 2", 20)]),
        ("manila-no-commission", "7h Th | 7c Kd", "player", 0, [("Ruling 14: tie", 0)]),
        ("manila-no-commission", "7h Th | 7c Kd", "banker", 0, [("Ruling 14: tie", 0)]),
        ("manila-no-commission", "7h Th | 7c Kd", "tie", 160, [("How to Play 7", 160)]),
        ("manila-no-commission", "9c 9d | 7h Th", "player", 20, [("How to Play 5", 20)]),
        ("manila-no-commission", "9c 9d | 7h Th", "player-pair", 220, [("How to Play 9", 220)]),
        ("manila-no-commission", "7h Th | 9c 9d", "banker-pair", 220, [("How to Play 9", 220)]),
        ("manila-no-commission", "Td 2d 3d | 6c Kd", "super-six", 240, [("Super 6", 240)]),
        ("manila-no-commission", "Td 6d | 2c Kd 4d", "super-six", -20, []),
        ("manila-no-commission", "Td 2d 3d | 7c Kd", "super-six", -20, []),
    ],
)
def test_worked_example(game: str, deal: str, wager: str, net: int, paid: list[tuple[str, int]]) -> None:
    player, banker = (side.split() for side in deal.split(" | "))
    assert settle(game, player, banker, {wager: 20}) == {wager: (net, paid)}


def test_element_eights_instead_of_the_tie() -> None:
    paid = settle("fabulous-4", ("4f", "4f"), ("4g", "4d"), {"tie": 3}, element_eights="instead")
    assert paid == {"tie": (2400, [("4.1", 2400)])}


@pytest.mark.parametrize(
    ("game", "deal", "wager", "stake", "down", "up"),
    [
        ("manila", "7h Th | 9c Kd", "banker", 1, 0, 1),
        ("manila", "7h Th | 9c Kd", "banker", 39, 37, 38),
        ("manila", "7h Th | 9c Kd", "banker", 40, 38, 38),
        ("manila-no-commission", "Td 2d 3d | 6c Kd", "banker", 7, 3, 4),
        ("six-star", "Td 2d 3d | 6f Ld", "banker", 7, 3, 4),
        ("six-star", "Td 2d | 9f Lf", "banker", 7, 8, 9),
        ("six-star", "9f Lf | 2d Sd", "player", 3, 3, 4),
        ("fabulous-4", "2f Td 2g | Te 3w Td", "player", 5, 2, 3),
    ],
)
def test_rounding(game: str, deal: str, wager: str, stake: int, down: int, up: int) -> None:
    player, banker = (side.split() for side in deal.split(" | "))
    assert settle(game, player, banker, {wager: stake})[wager][0] == down
    assert settle(game, player, banker, {wager: stake}, rounding="up")[wager][0] == up


def test_manila_as_printed_lets_the_five_stand() -> None:
    player, banker = ("2c", "3d"), ("2h", "Kd", "2s")
    with pytest.raises(ValueError, match="no round ends"):
        settle("manila", player, banker, {"player": 1})
    assert settle("manila", player, banker, {"player": 1}, printed_manila=True)["player"][0] == 1


@pytest.mark.parametrize("game", WAGERS)
def test_a_game_has_the_wagers_of_its_document_and_no_other(game: str) -> None:
    every_wager = {wager for wagers in WAGERS.values() for wager in wagers.split()}
    for wager in every_wager - set(WAGERS[game].split()):
        with pytest.raises(ValueError, match="has no wager"):
            settle(game, ("9d", "Td"), ("8d", "Td"), {wager: 1})


def test_unknown_settings_are_refused() -> None:
    with pytest.raises(ValueError, match="rounded down or up"):
        settle("manila", ("9d", "Td"), ("8d", "Td"), {"tie": 1}, rounding="even")
    with pytest.raises(ValueError, match="on-top or instead"):
        settle("fabulous-4", ("9d", "Td"), ("8d", "Td"), {"tie": 1}, element_eights="both")
    with pytest.raises(ValueError, match="no document"):
        settle("roulette", ("9d", "Td"), ("8d", "Td"), {"tie": 1})


# Random deals.


@pytest.mark.parametrize("pack", [52, 65])
@pytest.mark.parametrize("decks", [4, 8])
@pytest.mark.parametrize("printed_manila", [False, True])
def test_random_deals_can_be_dealt_from_their_shoe(pack: int, decks: int, printed_manila: bool) -> None:
    cards = set(PACK_52 if pack == 52 else PACK_65)
    deals = list(random_deals(pack, 5_000, seed=7, shoe_decks=decks, printed_manila=printed_manila))
    assert len(deals) == 5_000
    for player, banker in deals:
        assert lawful(player, banker, printed_manila)
        dealt = Counter((*player, *banker))
        assert set(dealt) <= cards
        assert max(dealt.values()) <= decks
    assert deals == list(random_deals(pack, 5_000, seed=7, shoe_decks=decks, printed_manila=printed_manila))
    assert deals != list(random_deals(pack, 5_000, seed=8, shoe_decks=decks, printed_manila=printed_manila))


def rare_outcomes(player: Sequence[str], banker: Sequence[str]) -> list[str]:
    """The outcomes worth forcing that this round shows, told from the cards alone."""
    found = []
    player_points, banker_points = point_total(player), point_total(banker)
    flaming = []
    for side, hand, points, other in (
        ("player", player, player_points, banker_points),
        ("banker", banker, banker_points, player_points),
    ):
        first, second = hand[0], hand[1]
        if first[0] == second[0]:
            suited = "suited" if first[1] == second[1] else "unsuited"
            found.append(f"{side} pair of {first[0]}")
            found.append(f"{side} {suited} pair of {first[0]}")
            if suited == "suited":
                found.append(f"{side} pair in {first[1]}")
            if first == second == "4g":
                found.append(f"{side} pair of Gold fours")
        if len(hand) == 2 and points == 9 and {first[1], second[1]} == {"f"}:
            flaming.append(side)
        if points > other and points in (1, 4, 6):
            found.append(f"{side} wins with {points} on {len(hand)}")
    if flaming:
        found.append(f"flaming {' and '.join(flaming)}")
    every_card = (*player, *banker)
    suits = {card[1] for card in every_card}
    if len(suits) == 1:
        found.append(f"{len(every_card)} cards of {suits.pop()}")
    if [card[0] for card in every_card] == ["4"] * 4:
        found.append("element eights")
    if sorted(card[0] for card in player) == sorted(card[0] for card in banker) == ["F", "L", "S"]:
        found.append("6 stars")
    return found


def test_rare_outcomes_are_common_in_random_deals() -> None:
    wanted = {"element eights", "6 stars", "flaming player", "flaming banker", "flaming player and banker"}
    for side in ("player", "banker"):
        wanted |= {f"{side} pair of {rank}" for rank in "A23456789TSLF"}
        wanted |= {f"{side} suited pair of {rank}" for rank in "A23456789TSLF"}
        wanted |= {f"{side} unsuited pair of {rank}" for rank in "A23456789TSLF"}
        wanted |= {f"{side} pair in {element}" for element in "fgedw"}
        wanted |= {f"{side} pair of Gold fours"}
        # No hand can win with a one on two cards, nor the Player with a four: both draw.
        wanted |= {f"{side} wins with {points} on 3" for points in (1, 4, 6)}
        wanted |= {f"{side} wins with 6 on 2"}
    wanted |= {"banker wins with 4 on 2"}
    wanted |= {f"{count} cards of {element}" for count in (4, 5, 6) for element in "fgedw"}

    found: Counter[str] = Counter()
    for player, banker in random_deals(65, 200_000, seed=2024):
        found.update(rare_outcomes(player, banker))
    assert {name: found[name] for name in wanted if found[name] < 200} == {}


@pytest.mark.parametrize("game", WAGERS)
def test_every_result_of_every_wager_is_common_in_random_deals(game: str) -> None:
    stakes = dict.fromkeys(WAGERS[game].split(), 20)
    found: Counter[tuple[str, int]] = Counter()
    for player, banker in random_deals(65 if game in ("six-star", "fabulous-4") else 52, 100_000, seed=1):
        for wager, (net, _) in settle(game, player, banker, stakes).items():
            found[wager, net] += 1
    nets = {
        "player": {-20, 0, 20},
        "banker": {-20, 0, 20},
        "tie": {-20, 160},
        "player-pair": {-20, 220},
        "banker-pair": {-20, 220},
        "fortune-six": {-20, 240, 400},
        "super-six": {-20, 240},
        "element-bonus": {-20, 1_000, 10_000, 100_000},
        "player-fabulous-4": {-20, 1_000},
        "banker-fabulous-4": {-20, 500},
        "player-precious-pair": {-20, 180, 240, 300, 600},
        "banker-precious-pair": {-20, 180, 240, 300, 600},
    }
    if game == "six-star":
        nets |= {
            "player": {-20, 0, 20, 24},
            "banker": {-20, 0, 10, 20, 24},
            "tie": {-20, 160, 300_160, 3_000_160},
        }
    if game == "fabulous-4":
        nets |= {"player": {-20, 0, 10, 20, 40}, "banker": {-20, 0, 20, 40}, "tie": {-20, 160, 16_160}}
    if game == "manila":
        nets["banker"] = {-20, 0, 19}
    if game == "manila-no-commission":
        nets["banker"] = {-20, 0, 10, 20}
    assert set(found) == {(wager, net) for wager in stakes for net in nets[wager]}
    assert min(found.values()) >= 100
