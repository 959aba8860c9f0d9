"""How a house may set up a table, and how not."""

from dataclasses import FrozenInstanceError
from typing import cast

import pytest

from contract.games import every_game
from puntobanco import STANDARD_PACK, DeclarationError, Game, find_game, read_deal, settle
from puntobanco.rules.wagers import Ratio
from puntobanco.table import Account, BurnAndCut, BurnRule, Dealing, Limits, RoundLimits, TableSettings, default_limits
from reference.deals import every_deal_by_points

GAME = find_game("manila")


# Defaults.


@every_game
def test_defaults(game: Game) -> None:
    settings = TableSettings(game)
    assert settings.decks == game.decks.default
    assert settings.account is Account.CHIPS
    assert settings.burn_and_cut == BurnAndCut(BurnRule.BY_FIRST_CARD, 14)
    assert settings.dealing is Dealing.DEALER
    assert settings.round_limits == RoundLimits(None, None, None)
    assert settings.currency == game.currencies[0]
    assert settings.full_shoe.size == game.decks.default * len(game.pack)
    assert set(settings.full_shoe.counts) == {game.decks.default}
    assert settings.limits == dict.fromkeys([wager.id for wager in game.wagers], default_limits(game))


@every_game
def test_ruling_12_no_default_stake_has_a_fractional_payment(game: Game) -> None:
    """Minimum and step are whole payments on every line, so every lawful stake is."""
    for wager, limits in TableSettings(game).limits.items():
        for line in game.paytables[wager].lines + game.paytables[wager].bonuses:
            if isinstance(line.pays, Ratio):
                for stake in (limits.minimum, limits.step, limits.maximum):
                    assert stake * line.pays.numerator % line.pays.denominator == 0, f"{stake} on {wager}: {line.pays}"


@every_game
def test_ruling_12_rounding_makes_no_difference_within_the_default_limits(game: Game) -> None:
    limits = default_limits(game)
    up = game.read_as(rounding="up")
    stakes = {wager: limits.minimum + limits.step * place for place, wager in enumerate(game.paytables)}
    deals = list(every_deal_by_points(len(game.pack)))[::331]
    for player, banker in deals:
        deal = read_deal(game.pack, f"P {' '.join(player)} | B {' '.join(banker)}")
        assert settle(game, deal, stakes) == settle(up, deal, stakes)


def test_rounding_does_make_a_difference_off_the_default_step() -> None:
    """Otherwise the test above could not fail."""
    deal = read_deal(GAME.pack, "P 2h Kh | B 9c Kd")
    stakes = {"banker": default_limits(GAME).minimum + 1}
    assert settle(GAME, deal, stakes) != settle(GAME.read_as(rounding="up"), deal, stakes)


def test_default_limits_follow_the_step_of_the_game() -> None:
    steps = {
        "baccarat-tournament": 1,
        "fortune-six-tournament": 1,
        "six-star": 10,
        "fabulous-4": 2,
        "manila": 20,
        "manila-no-commission": 2,
    }
    assert {name: default_limits(find_game(name)).step for name in steps} == steps


# Decks, cut card, limits.


@every_game
def test_as_many_decks_as_the_game_allows(game: Game) -> None:
    for decks in range(game.decks.minimum, game.decks.maximum + 1):
        assert TableSettings(game, decks=decks).full_shoe.size == decks * len(game.pack)


@every_game
def test_no_other_number_of_decks(game: Game) -> None:
    least, most = game.decks.minimum, game.decks.maximum
    for decks in (-2, 0, 1, least - 1, most + 1, 10**6, cast(int, float(least)), cast(int, str(least)), True):
        with pytest.raises(DeclarationError, match=f"is played with {least} to {most} decks, not"):
            TableSettings(game, decks=decks)


def test_the_deck_error_names_the_clause() -> None:
    with pytest.raises(DeclarationError, match=r"not 3 \(Ruling 2\)"):
        TableSettings(GAME, decks=3)


@pytest.mark.parametrize("cut_depth", [0, 1, 14, 104])
def test_the_cut_card_lies_in_the_second_half(cut_depth: int) -> None:
    assert TableSettings(GAME, decks=4, burn_and_cut=BurnAndCut(cut_depth=cut_depth)).full_shoe.size == 208


@pytest.mark.parametrize("cut_depth", [-1, 105, 208, 14.0, "14", True])
def test_the_cut_card_lies_nowhere_else(cut_depth: int) -> None:
    with pytest.raises(DeclarationError, match=r"not in the second half of the shoe|is in no shoe"):
        TableSettings(GAME, decks=4, burn_and_cut=BurnAndCut(cut_depth=cut_depth))


def test_limits_of_a_wager_that_the_game_does_not_have() -> None:
    with pytest.raises(DeclarationError, match="for a wager 'element-bonus'"):
        TableSettings(GAME, limits={"element-bonus": Limits(1, 10, 1)})


def test_wagers_that_are_not_named_have_the_default_limits() -> None:
    settings = TableSettings(GAME, limits={"tie": Limits(5, 50, 5)})
    assert settings.limits["tie"] == Limits(5, 50, 5)
    assert settings.limits["player"] == default_limits(GAME)


@pytest.mark.parametrize(
    ("minimum", "maximum", "step"),
    [(1, 1, 1), (20, 20, 20), (20, 200, 10), (1, 10**12, 1)],
)
def test_limits(minimum: int, maximum: int, step: int) -> None:
    assert Limits(minimum, maximum, step).maximum == maximum


@pytest.mark.parametrize(
    ("minimum", "maximum", "step", "says"),
    [
        (0, 100, 1, "the step is at most the minimum"),
        (-5, 100, 1, "the step is at most the minimum"),
        (10, 100, 0, "the step is at most the minimum"),
        (10, 100, -1, "the step is at most the minimum"),
        (10, 100, 20, "the step is at most the minimum"),
        (100, 99, 1, "that at most the maximum"),
        (1, 10**12 + 1, 1, "that at most the maximum"),
        (15, 100, 10, "minimum and maximum are whole steps"),
        (10, 105, 10, "minimum and maximum are whole steps"),
        (1.0, 100, 1, "all three are whole numbers"),
        (1, 100.0, 1, "all three are whole numbers"),
        (1, 100, True, "all three are whole numbers"),
        (1, None, 1, "all three are whole numbers"),
        ("1", "100", "1", "all three are whole numbers"),
    ],
)
def test_what_are_not_limits(minimum: int, maximum: int, step: int, says: str) -> None:
    with pytest.raises(DeclarationError, match=says):
        Limits(minimum, maximum, step)


@pytest.mark.parametrize("most", [0, -1, 1.0, 1.5, True, "5", 10**24 + 1], ids=repr)
@pytest.mark.parametrize("name", ["patron", "table", "house"])
def test_what_a_round_may_come_to_is_a_whole_number(name: str, most: int) -> None:
    with pytest.raises(DeclarationError, match=f"for the {name} is a whole number from 1 on"):
        RoundLimits(**{name: most})


# Ruling 13: the two tournament games and cash.

TOURNAMENTS = ["baccarat-tournament", "fortune-six-tournament"]


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_ruling_13_a_tournament_game_is_not_played_for_cash(name: str) -> None:
    with pytest.raises(DeclarationError, match=r"not played for cash: .* 1\.24%.*ruling 13"):
        TableSettings(find_game(name), account=Account.CASH)


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_ruling_13_unless_the_house_overrides_it_by_name(name: str) -> None:
    game = find_game(name)
    settings = TableSettings(game, account=Account.CASH, overrides=frozenset({"even-money-banker"}))
    assert settings.account is Account.CASH
    for other, said in (
        (frozenset[str](), "sets the override 'even-money-banker'"),
        (frozenset({"even-money"}), "no override 'even-money'"),
        (frozenset({"all"}), "no override 'all'"),
    ):
        with pytest.raises(DeclarationError, match=said):
            TableSettings(game, account=Account.CASH, overrides=other)


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_ruling_13_chips_need_no_override(name: str) -> None:
    assert TableSettings(find_game(name), account=Account.CHIPS).account is Account.CHIPS


@every_game
def test_ruling_13_concerns_no_other_game(game: Game) -> None:
    if game.id not in TOURNAMENTS:
        assert TableSettings(game, account=Account.CASH).account is Account.CASH


# Ruling 17: the burn.


def test_ruling_17_how_many_cards_are_burned() -> None:
    at_a_table = TableSettings(GAME).burn_and_cut
    burned = {rank: at_a_table.burned_after(STANDARD_PACK.card(f"{rank}h")) for rank in STANDARD_PACK.ranks}
    assert burned == dict(zip("A23456789TJQK", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10], strict=True))


# Settings are values.


def test_settings_do_not_change() -> None:
    settings = TableSettings(GAME)
    with pytest.raises(FrozenInstanceError):
        settings.decks = 4  # type: ignore[misc]
    assert TableSettings(GAME) == TableSettings(GAME, decks=8, currency="PHP")
    assert TableSettings(GAME) != TableSettings(GAME, decks=4)


def test_settings_follow_the_reading_of_the_game() -> None:
    printed = GAME.read_as(tableau="manila-as-printed")
    assert TableSettings(printed) != TableSettings(GAME)
    assert TableSettings(printed).game.digest != TableSettings(GAME).game.digest


def test_overrides_given_may_change_without_the_settings() -> None:
    given = {"even-money-banker"}
    settings = TableSettings(GAME, overrides=cast(frozenset[str], given))
    given.clear()
    assert settings.overrides == {"even-money-banker"}
    assert isinstance(settings.overrides, frozenset)


def test_limits_given_are_not_changed() -> None:
    given = {"tie": Limits(5, 50, 5)}
    TableSettings(GAME, limits=given)
    assert given == {"tie": Limits(5, 50, 5)}


# What the types forbid, but a program that reads settings from text may pass all the same.


def test_ruling_13_holds_for_the_text_of_the_account() -> None:
    with pytest.raises(DeclarationError):
        TableSettings(find_game("baccarat-tournament"), account=cast(Account, "cash"))


def test_the_text_of_the_burn_rule_means_the_rule() -> None:
    assert BurnAndCut(cast(BurnRule, "by-first-card")).burn is BurnRule.BY_FIRST_CARD
    assert TableSettings(GAME, dealing=cast(Dealing, "virtual")).dealing is Dealing.VIRTUAL


def test_limits_are_limits() -> None:
    with pytest.raises(DeclarationError):
        TableSettings(GAME, limits={"tie": cast(Limits, (1, 10, 1))})


# Ruling 6: the house is told of a Tie minimum that favours the patron.


def test_ruling_6_a_tie_minimum_that_favours_the_patron_is_told() -> None:
    low = TableSettings(find_game("six-star"), limits={"tie": Limits(10, 1000, 10)})
    (warning,) = low.warnings()
    # With 8 decks a stake under $1.78 favours the patron.
    assert "minimum of 10 on tie is too low: below 178 " in warning


@every_game
def test_ruling_6_the_default_minimum_is_high_enough(game: Game) -> None:
    assert TableSettings(game).warnings() == ()


def test_ruling_6_the_limit_is_where_the_ruling_puts_it() -> None:
    game = find_game("six-star")
    assert TableSettings(game, limits={"tie": Limits(177, 1000 * 177, 1)}).warnings() != ()
    assert TableSettings(game, limits={"tie": Limits(178, 1000 * 178, 1)}).warnings() == ()


def test_the_digest_covers_every_setting() -> None:
    """By it a record knows its own table: settings that differ in anything have another."""
    override = frozenset({"even-money-banker"})
    different = [
        TableSettings(GAME),
        TableSettings(GAME.read_as(rounding="up")),
        TableSettings(GAME, decks=6),
        TableSettings(GAME, limits={"tie": Limits(20, 200, 20)}),
        # The same limit on one thing is not that on another.
        TableSettings(GAME, round_limits=RoundLimits(patron=5)),
        TableSettings(GAME, round_limits=RoundLimits(table=5)),
        TableSettings(GAME, round_limits=RoundLimits(house=5)),
        TableSettings(GAME, round_limits=RoundLimits(house=6)),
        TableSettings(GAME, account=Account.CASH),
        TableSettings(GAME, currency="HKD"),
        TableSettings(GAME, burn_and_cut=BurnAndCut(cut_depth=15)),
        TableSettings(GAME, burn_and_cut=BurnAndCut(BurnRule.OFF)),
        TableSettings(GAME, dealing=Dealing.VIRTUAL),
        TableSettings(GAME, overrides=override),
    ]
    assert len({settings.digest for settings in different}) == len(different)
    again = TableSettings(GAME, decks=8, limits={"tie": default_limits(GAME)}, currency="PHP")
    assert again.digest == TableSettings(GAME).digest
