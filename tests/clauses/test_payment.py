"""Section 4 and the payments of Manila: every printed row, with deals that win it."""

from collections.abc import Mapping
from dataclasses import dataclass

from puntobanco import Game, read_deal, settle
from puntobanco.rules.wagers import Fixed, Ratio
from puntobanco.settle import Payment, settle_wager

from .proof import proves, wagers

STAKE = 100
"""So that each amount below reads as the printed ratio."""


@dataclass(frozen=True)
class Row:
    """A printed row: by which clauses and how much it pays on a stake of 100, and deals that it describes."""

    wager: str
    pays: list[tuple[str, int]]
    deals: tuple[str, ...]


# The Tens and the Diamonds of one pack are written like the Tens and the Wood of the other.
BANKER_OTHERWISE = ("P Td 7d | B Td 8d", "P Td 6d | B Td 2d 5d", "P Td Td 4d | B Td 5d 4d")
PLAYER_OTHERWISE = ("P Td 8d | B Td 7d", "P 2d 3d 4d | B Td 3d 5d", "P Td 6d | B Td 2d 3d")
ANY_TIE = ("P Td 8d | B Td 8d", "P 2d 3d 2d | B Td 7d", "P Td 6d | B Td 6d", "P Td Td Td | B Td Td Td")
PLAYER_PAIR = ("P 9d 9d | B Td 7d", "P 4d 4d | B 9d Td", "P Td Td 2d | B Td 7d")
BANKER_PAIR = ("P Td 9d | B 9d 9d", "P Td 6d | B Td Td 5d")
SIX_ON_TWO = ("P 2d 3d Td | B Td 6d", "P Td 2d Ad | B 9d 7d")
SIX_ON_THREE = ("P Td 2d 2d | B Td 3d 3d", "P 2d 3d 6d | B Td 6d Td")
SIXES = (*SIX_ON_TWO, *SIX_ON_THREE)

TOURNAMENT = (
    Row("banker", [("4.1", 100)], (*BANKER_OTHERWISE, *SIXES)),
    Row("player", [("4.1", 100)], PLAYER_OTHERWISE),
    Row("tie", [("4.1", 800)], ANY_TIE),
    Row("player-pair", [("4.1", 1100)], PLAYER_PAIR),
    Row("banker-pair", [("4.1", 1100)], BANKER_PAIR),
)
FORTUNE_SIX = (
    Row("fortune-six", [("4.1", 1200)], SIX_ON_TWO),
    Row("fortune-six", [("4.1", 2000)], SIX_ON_THREE),
)
MANILA_BUT_FOR_BANKER = (
    Row("player", [("How to Play 5", 100)], PLAYER_OTHERWISE),
    Row("tie", [("How to Play 7", 800)], ANY_TIE),
    Row("player-pair", [("How to Play 9", 1100)], PLAYER_PAIR),
    Row("banker-pair", [("How to Play 9", 1100)], BANKER_PAIR),
    Row("super-six", [("Super 6", 1200)], SIXES),
)
PRINTED: Mapping[str, tuple[Row, ...]] = {
    "baccarat-tournament": TOURNAMENT,
    "fortune-six-tournament": (*TOURNAMENT, *FORTUNE_SIX),
    "six-star": (
        Row("banker", [("4.1", 50)], SIXES),
        Row("banker", [("4.1", 120)], ("P Td 8d | B 9f Tf", "P Td 6d | B 4f 5f")),
        Row("banker", [("4.1", 100)], (*BANKER_OTHERWISE, "P Td 8d | B 9f Tg", "P Tf 6f | B 2f 3f 4f")),
        Row("player", [("4.1", 120)], ("P 9f Sf | B Td 8d", "P 8f Af | B Tf 7f")),
        Row("player", [("4.1", 100)], (*PLAYER_OTHERWISE, "P 9f Sg | B Td 8d", "P 2f 3f 4f | B Tf 7f")),
        Row("tie", [("4.1", 800)], (*ANY_TIE, "P 9f Tf | B 9f Tg")),
        Row("player-pair", [("4.1", 1100)], (*PLAYER_PAIR, "P Ld Le 2d | B Td 7d")),
        Row("banker-pair", [("4.1", 1100)], (*BANKER_PAIR, "P Td 9d | B Lf Lf")),
        *FORTUNE_SIX,
        Row("element-bonus", [("4.2", 5_000)], ("P 9f Tf | B 8f Sf", "P 9w Tw | B 9w Tw")),
        Row("element-bonus", [("4.2", 50_000)], ("P 2g 3g 4g | B Tg 7g", "P Te 7e | B Te 2e 3e")),
        Row("element-bonus", [("4.2", 500_000)], ("P 2d 3d 4d | B Td 3d 5d", "P Sf Lf Ff | B Sf Lf Ff")),
        Row("tie", [("4.1", 800), ("4.3", 300_000)], ("P 9f Tf | B 9f Sf", "P 4f 5f | B 2f 7f")),
        Row("tie", [("4.1", 800), ("4.3", 3_000_000)], ("P Sf Lf Ff | B Sf Lf Ff", "P Lg Fe Sd | B Fw Lw Se")),
    ),
    "fabulous-4": (
        Row("banker", [("4.1", 0)], ("P Td 2d Ad | B Td 4d", "P Td Td Ad | B Td Td 4d")),
        Row("banker", [("4.1", 200)], ("P Td Td Td | B Td Td Ad",)),
        Row("banker", [("4.1", 100)], (*BANKER_OTHERWISE, *SIXES)),
        Row("player", [("4.1", 50)], ("P Td 2d 2d | B Td 3d Td",)),
        Row("player", [("4.1", 200)], ("P Td Td Ad | B Td Td Td",)),
        Row("player", [("4.1", 100)], PLAYER_OTHERWISE),
        Row("tie", [("4.1", 800)], (*ANY_TIE, "P 4g 4g | B Td 8d")),
        Row("tie", [("4.1", 800), ("4.1", 80_000)], ("P 4g 4g | B 4g 4g", "P 4f 4w | B 4e 4d")),
        Row("player-fabulous-4", [("4.1", 5_000)], ("P Td 2d 2d | B Td 3d Td",)),
        Row("banker-fabulous-4", [("4.1", 2_500)], ("P Td 2d Ad | B Td 4d", "P Td Td Ad | B Td Td 4d")),
        Row("player-precious-pair", [("4.2", 3_000)], ("P 4g 4g | B 9f Tf",)),
        Row("player-precious-pair", [("4.2", 1_500)], ("P 4f 4f | B 9f Tf", "P 4g 4d | B Td 7d")),
        Row("player-precious-pair", [("4.2", 1_200)], ("P 9g 9g | B Td 7d", "P Sg Sg 2d | B Td 7d")),
        Row("player-precious-pair", [("4.2", 900)], ("P 9f 9f | B Td 7d", "P Fg Fw 2d | B Td 7d")),
        Row("banker-precious-pair", [("4.2", 3_000)], ("P 9f Tf | B 4g 4g",)),
        Row("banker-precious-pair", [("4.2", 1_500)], ("P 9f Tf | B 4f 4f", "P Td 7d | B 4g 4d")),
        Row("banker-precious-pair", [("4.2", 1_200)], ("P Td 7d | B 9g 9g", "P Td 8d | B Sg Sg")),
        Row("banker-precious-pair", [("4.2", 900)], ("P Td 7d | B 9f 9f", "P Td 8d | B Fg Fw")),
    ),
    "manila": (
        *MANILA_BUT_FOR_BANKER,
        Row("banker", [("How to Play 6", 95)], (*BANKER_OTHERWISE, *SIXES)),
    ),
    "manila-no-commission": (
        *MANILA_BUT_FOR_BANKER,
        Row("banker", [("No Commission 1", 50)], SIXES),
        Row("banker", [("No Commission 2", 100)], BANKER_OTHERWISE),
    ),
}


@proves(
    by=[settle_wager, Ratio.amount, wagers()],
    clauses={game: tuple({clause: None for row in rows for clause, _ in row.pays}) for game, rows in PRINTED.items()},
)
def test_every_printed_row_pays_what_is_printed_and_no_other_line_pays_by_the_clause(game: Game, clause: str) -> None:
    paid_lines = set()
    rows = [row for row in PRINTED[game.id] if clause in dict(row.pays)]
    for row in rows:
        for text in row.deals:
            settled = settle(game, read_deal(game.pack, text), {row.wager: STAKE}).wagers[row.wager]
            assert [(payment.clause, payment.amount) for payment in settled.pays] == row.pays, (row.wager, text)
            assert settled.net == sum(amount for _, amount in row.pays), (row.wager, text)
            paid_lines |= {(row.wager, payment.line) for payment in settled.pays if payment.clause == clause}
    assert paid_lines == {
        (wager.id, line.label)
        for wager in game.paytables.values()
        for line in wager.lines + wager.bonuses
        if line.clause == clause
    }


@proves(by=[Ratio.amount, settle_wager], clauses={"manila": "How to Play 6"})
def test_the_commission_is_a_twentieth_of_the_winnings(game: Game) -> None:
    deal = read_deal(game.pack, "P Tc 7c | B Tc 8c")
    for stake in range(20, 20_020, 20):
        (payment,) = settle(game, deal, {"banker": stake}).wagers["banker"].pays
        assert payment == Payment("Banker wins, less 5% commission", "How to Play 6", stake - stake // 20)


@proves(by=[settle_wager, wagers()], clauses={"fabulous-4": "4.2"})
def test_a_precious_pair_is_paid_once_and_at_the_highest(game: Game) -> None:
    deal = read_deal(game.pack, "P 4g 4g | B 4g 4g")
    settled = settle(game, deal, {"player-precious-pair": STAKE, "banker-precious-pair": STAKE}).wagers
    for wager in settled.values():
        assert wager.pays == (Payment("Pair of Gold 4's", "4.2", 3_000),)


@proves(by=[Fixed, Game.with_bonuses], clauses={"six-star": "4.3"})
def test_the_tie_bonus_is_a_sum_of_money_whatever_the_stake(game: Game) -> None:
    both_flaming = read_deal(game.pack, "P 9f Tf | B 9f Tf")
    six_stars = read_deal(game.pack, "P Sf Lf Ff | B Sf Lf Ff")
    for stake in (1, 100, 10**12):
        assert settle(game, both_flaming, {"tie": stake}).net == 8 * stake + 300_000
        assert settle(game, six_stars, {"tie": stake}).net == 8 * stake + 3_000_000
    # Ruling 6: the sums are settings of the table.
    changed = game.with_bonuses({"6 Stars": 7})
    assert settle(changed, six_stars, {"tie": 100}).net == 807
    assert settle(changed, both_flaming, {"tie": 100}).net == 300_800
