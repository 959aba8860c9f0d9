"""Settlement: the shape of its answers, its refusals, and money at the edges."""

import random

import pytest

from puntobanco import FIVE_ELEMENTS, GAMES, Game, InputError, find_game, read_deal, settle
from puntobanco.settle import Payment, Settler
from puntobanco.simulate import deal, prepare

SIX_STAR = find_game("six-star")
FLAMING_TIE = read_deal(FIVE_ELEMENTS, "P 9f Tf | B 9f Sf")


def test_each_payment_names_its_line_and_clause() -> None:
    settled = settle(SIX_STAR, FLAMING_TIE, {"tie": 100, "player": 100, "banker-pair": 100})
    assert (settled.winner, settled.player_total, settled.banker_total) == ("tie", 9, 9)
    assert settled.wagers["tie"].pays == (Payment("Tie", "4.1", 800), Payment("Tie with Flaming 9's", "4.3", 300_000))
    assert settled.wagers["tie"].returned == 300_900
    assert settled.wagers["player"].pays == (Payment("Tie returns the Player wager", "3.10.1", 0),)
    assert settled.wagers["player"].returned == 100
    assert settled.wagers["banker-pair"].pays == ()
    assert settled.wagers["banker-pair"].returned == 0
    assert settled.net == 300_800 - 100


def test_a_fixed_bonus_is_the_same_for_any_stake() -> None:
    for stake in (1, 10**12):
        assert settle(SIX_STAR, FLAMING_TIE, {"tie": stake}).wagers["tie"].pays[1].amount == 300_000


def test_the_largest_stake_is_paid_to_the_unit() -> None:
    deal = read_deal(FIVE_ELEMENTS, "P Tf Af 5f | B Tf 2f 6f")
    settled = settle(SIX_STAR, deal, {"element-bonus": 10**12})
    assert settled.net == 5000 * 10**12


@pytest.mark.parametrize("stake", [0, -1, 10**12 + 1, 10**400, 1.0, 1.5, float("nan"), True, "100", None, [], {}])
def test_stakes_that_are_not_money(stake: int) -> None:
    with pytest.raises(
        InputError, match=r"A stake is a whole number from 1 to 1,000,000,000,000 \(10\^12\), not"
    ) as caught:
        settle(SIX_STAR, FLAMING_TIE, {"tie": stake})
    assert caught.value.reason == "bad-stake"
    assert len(caught.value.message) < 120


@pytest.mark.parametrize(
    ("stake", "named"),
    [
        ("100", "the string '100'"),
        ("ten", "the string 'ten'"),
        (0, "0"),
        (-2000, "-2,000"),
        (10**12 + 1, "1,000,000,000,001"),
        (10**400, "a longer one"),
        (1.5, "1.5"),
        (True, "true"),
        (None, "null"),
        ([], "[]"),
    ],
)
def test_what_stands_where_money_should_is_named(stake: int, named: str) -> None:
    with pytest.raises(InputError) as caught:
        settle(SIX_STAR, FLAMING_TIE, {"tie": stake})
    assert caught.value.message.endswith(f", not {named}.")


def test_unknown_wagers_suggest_the_nearest() -> None:
    with pytest.raises(InputError, match=r"six-star has no wager 'tye'; did you mean tie\?") as caught:
        settle(SIX_STAR, FLAMING_TIE, {"tye": 1})
    assert caught.value.reason == "unknown-wager"
    with pytest.raises(InputError, match="six-star has no wager 'super-six'"):
        settle(SIX_STAR, FLAMING_TIE, {"super-six": 1})


def test_unlawful_deals_and_foreign_cards_are_refused() -> None:
    with pytest.raises(InputError, match="Banker's third card is missing") as caught:
        settle(SIX_STAR, read_deal(FIVE_ELEMENTS, "P 6f Tf | B 2f Sf"), {})
    assert caught.value.reason == "unlawful-deal"
    with pytest.raises(InputError, match=r"9f in .* does not belong to the 52-card pack") as caught:
        settle(find_game("manila"), FLAMING_TIE, {"tie": 1})
    assert caught.value.reason == "foreign-card"


def test_nothing_staked_is_a_settlement_too() -> None:
    assert settle(SIX_STAR, FLAMING_TIE, {}).net == 0


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_many_patrons_are_settled_as_each_alone(game: Game) -> None:
    chance = random.Random(game.id)
    for dealt in [*deal(prepare(game, seed=1), 0)][:40]:
        slips = {}
        for patron in range(20):
            wagers = chance.sample([*game.paytables], chance.randrange(len(game.paytables) + 1))
            slips[f"patron {patron}"] = {
                wager: chance.choice([1, 2, 3, 6, 7, 100, chance.randrange(1, 10**6)]) for wager in wagers
            }
        settled = Settler(game, dealt.deal).settle(slips)
        assert list(settled.items()) == [(patron, settle(game, dealt.deal, slip)) for patron, slip in slips.items()]


def test_a_settler_refuses_a_deal_that_the_tableau_does_not_deal() -> None:
    game = find_game("manila")
    with pytest.raises(InputError, match="third card"):
        Settler(game, read_deal(game.pack, "P 9h Th 2c | B 8h Td"))
    with pytest.raises(InputError) as foreign:
        Settler(game, read_deal(FIVE_ELEMENTS, "P 9f Tf | B 8f Sf"))
    assert foreign.value.reason == "foreign-card"
