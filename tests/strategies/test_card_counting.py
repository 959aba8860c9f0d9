"""The counting study: exact values, shoes dealt as at a table, and what any fair game must satisfy."""

import random
from fractions import Fraction
from math import fsum, sqrt
from statistics import correlation, linear_regression, stdev

import pytest

from puntobanco import find_game
from puntobanco.cards import Card, Shoe
from puntobanco.dealing import BurnAndCut, BurnRule
from puntobanco.odds import compiled_counter, odds
from puntobanco.rules.game import Game
from puntobanco.strategies.card_counting import CountingStudy, DealtShoe, ExpectedValue, effects_of_removal, rounds_in
from puntobanco.strategies.linear_count import LinearCount, correlation_of
from puntobanco.table import Table, decide, replay
from puntobanco.table.commands import (
    AnnounceResult,
    BurnCards,
    CloseBetting,
    Command,
    DealCard,
    OpenBetting,
    OpenShoe,
    SettleRound,
)
from puntobanco.table.settings import TableSettings
from puntobanco.table.state import Phase

MANILA = find_game("manila")
WHOLE_SHOE = 208
"""The cards of four decks of 52: a cut card at the very beginning of such a shoe."""


RULES = {True: BurnRule.BY_FIRST_CARD, False: BurnRule.OFF}


def study_of(
    game: Game, wager: str, shoes: int, *, decks: int = 4, cut: int = 14, burn: bool = True, seed: int = 7
) -> CountingStudy:
    study = CountingStudy(game, wager, decks=decks, dealing=BurnAndCut(RULES[burn], cut), seed=seed)
    for _ in range(shoes):
        study.deal_shoe()
    return study


@pytest.fixture(scope="module")
def precious_pairs() -> CountingStudy:
    """A wager whose effects of removal differ by rank and suit, and that is counted quickly without the kernel too."""
    return study_of(find_game("fabulous-4"), "player-precious-pair", 25)


@pytest.fixture(scope="module")
def pairs() -> CountingStudy:
    return study_of(MANILA, "player-pair", 40)


@pytest.fixture(scope="module")
def made_up() -> CountingStudy:
    """A study whose values were never dealt: they follow the true count, roughly."""
    study = study_of(MANILA, "player-pair", 0)
    generator = random.Random(11)
    for _ in range(30):
        true_counts = [round(generator.gauss(0, 4) * 4) / 4 for _ in range(40)]
        values = [0.02 * true_count - 0.1 + generator.gauss(0, 0.02) for true_count in true_counts]
        study.shoes.append(DealtShoe(values, true_counts, range(0, 200, 5)))
    return study


# Exact values.


@pytest.mark.parametrize(
    ("name", "wager"),
    [("manila", "super-six"), ("six-star", "banker"), ("six-star", "tie"), ("fabulous-4", "tie"), ("manila", "banker")],
)
@pytest.mark.parametrize("stake", [None, 1, 150])
def test_the_value_is_that_of_the_odds(name: str, wager: str, stake: int | None) -> None:
    game = find_game(name)
    value = ExpectedValue(game, wager, stake)
    generator = random.Random(f"{name} {wager}")
    lopsided = Shoe(game.pack, tuple(generator.choice((0, 0, 1, 3)) for _ in game.pack.cards))
    for shoe in (Shoe.full(game.pack, 4), lopsided):
        priced = odds(game, shoe).wagers[wager]
        assert value.of(shoe) == (priced.ev if stake is None else priced.ev_at(stake))


@pytest.mark.skipif(not compiled_counter.available, reason="there is no kernel to compare with")
@pytest.mark.parametrize(("name", "wager"), [("manila", "tie"), ("six-star", "banker"), ("fabulous-4", "tie")])
def test_the_kernel_and_the_pure_python_counter_give_the_same_study(
    name: str, wager: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The cut card after a few rounds, so that the slow way is not slow.
    game = find_game(name)
    cut = 4 * len(game.pack) - 30
    quick = study_of(game, wager, 1, cut=cut)
    monkeypatch.setattr(compiled_counter, "available", False)
    slow = study_of(game, wager, 1, cut=cut)
    assert slow.value.program is None
    assert slow.shoes == quick.shoes
    assert slow.rounds > 3
    assert slow.effects == quick.effects


def test_effects_of_removal_on_tie_meet_the_public_table() -> None:
    effects = effects_of_removal(ExpectedValue(MANILA, "tie"), Shoe.full(MANILA.pack, 8))
    published = "+0.05129 +0.01293 -0.02392 -0.02141 -0.02924 -0.02644 -0.11595 -0.10914 +0.06543 +0.0426"
    expected = dict(zip(range(10), map(float, published.split()), strict=True))
    for card, effect in effects.items():
        assert float(effect * 100) == pytest.approx(expected[card.points], abs=5e-6), card


@pytest.mark.parametrize("wager", ["player", "tie", "player-precious-pair"])
def test_effects_over_the_whole_shoe_sum_to_zero(wager: str) -> None:
    game = find_game("fabulous-4")
    effects = effects_of_removal(ExpectedValue(game, wager), Shoe.full(game.pack, 5))
    assert sum(effects.values()) == 0
    assert any(effects.values())


# The shoe.


def dealt_at_a_table(game: Game, cards: list[Card], *, burn: bool, cut_depth: int) -> list[Shoe]:
    """What is unseen before each round when a table is led through the same shoe."""
    table = Table(TableSettings(game, decks=4, burn_and_cut=BurnAndCut(RULES[burn], cut_depth)))
    left = [*cards]

    def carry_out(command: Command) -> None:
        nonlocal table
        table = replay(table, decide(table, command))

    carry_out(OpenShoe(Shoe.full(game.pack, 4)))
    if burn:
        burned = left[0].points or 10
        carry_out(BurnCards((left[0],), burned))
        del left[: burned + 1]
    found = []
    while table.rounds_left != 0 and table.cards_in_shoe >= 6:
        assert table.unseen is not None
        found.append(table.unseen)
        carry_out(OpenBetting())
        carry_out(CloseBetting(table.round_number))
        while table.phase is Phase.DEALING:
            hand = game.tableau.due(table.deal).hand
            assert hand is not None
            carry_out(DealCard(table.round_number, hand, left.pop(0)))
        carry_out(AnnounceResult(table.round_number))
        carry_out(SettleRound(table.round_number))
    return found


@pytest.mark.parametrize("burn", [True, False])
@pytest.mark.parametrize("cut_depth", [0, 14, 100])
@pytest.mark.parametrize("name", ["six-star", "manila", "manila as printed"])
def test_a_shoe_is_dealt_as_at_a_table(name: str, cut_depth: int, burn: bool) -> None:
    game = MANILA.read_as(tableau="manila-as-printed") if name == "manila as printed" else find_game(name)
    cards = [card for card in game.pack.cards for _ in range(4)]
    random.Random(f"{name} {cut_depth} {burn}").shuffle(cards)
    found = []
    unseen = Shoe.full(game.pack, 4).without(cards[:1] if burn else [])
    for dealt in rounds_in(cards, game.tableau, BurnAndCut(RULES[burn], cut_depth)):
        found.append(unseen)
        unseen = unseen.without(cards[dealt.start : dealt.stop])
    assert found == dealt_at_a_table(game, cards, burn=burn, cut_depth=cut_depth)


def test_the_cards_seen_are_those_that_are_no_longer_counted(pairs: CountingStudy) -> None:
    for shoe in pairs.shoes:
        # The first card is shown before it is burned; a round takes four to six cards.
        assert shoe.seen[0] == 1
        steps = {later - earlier for earlier, later in zip(shoe.seen, shoe.seen[1:], strict=False)}
        assert steps <= {4, 5, 6}


# What must hold of any study.


@pytest.mark.parametrize("wager", ["tie", "super-six", "player-pair"])
def test_with_the_cut_card_at_the_very_beginning_there_is_only_the_full_shoe(wager: str) -> None:
    study = study_of(MANILA, wager, 3, cut=WHOLE_SHOE, burn=False)
    assert [[*shoe.values] for shoe in study.shoes] == [[float(study.full_shoe_value)]] * 3
    assert study.full_shoe_value == odds(MANILA, Shoe.full(MANILA.pack, 4)).wagers[wager].ev
    assert study.perfect_play().units == study.count_play().play.units == 0
    assert study.count_play().efficiency is None


def test_an_even_money_banker_wins_its_full_shoe_value_without_watching() -> None:
    study = study_of(find_game("baccarat-tournament"), "banker", 2, cut=WHOLE_SHOE, burn=False)
    assert study.perfect_play().units_per_shoe == float(study.full_shoe_value) > 0.012
    assert study.count_play().efficiency == 1


@pytest.mark.parametrize("name", ["pairs", "precious_pairs"])
@pytest.mark.parametrize("before_round", [1, 10, 25, 35])
def test_the_value_before_any_round_is_on_average_that_of_the_full_shoe(
    name: str, before_round: int, request: pytest.FixtureRequest
) -> None:
    study: CountingStudy = request.getfixturevalue(name)
    values = [shoe.values[before_round - 1] for shoe in study.shoes]
    mean = fsum(values) / len(values)
    error = sqrt(fsum((value - mean) ** 2 for value in values) / (len(values) - 1) / len(values))
    assert error > 0 or before_round == 1
    assert mean == pytest.approx(float(study.full_shoe_value), abs=3 * error + 1e-15)


def test_values_spread_with_depth(pairs: CountingStudy) -> None:
    first, last = pairs.depths()[0], pairs.depths()[-1]
    assert last.highest - last.lowest > 10 * (first.highest - first.lowest)
    assert first.favourable == 0 < last.favourable


def test_perfect_play_is_never_behind_another(precious_pairs: CountingStudy, made_up: CountingStudy) -> None:
    for study in (precious_pairs, made_up):
        perfect, count, always = study.perfect_play(), study.count_play().play, study.every_round()
        assert perfect.units >= count.units >= 0 > always.units
        assert always.bets == study.rounds
        assert perfect.bets == sum(value > 0 for value in study.values()) > 0
        assert perfect.units_per_shoe == pytest.approx(perfect.units / len(study.shoes))
        assert perfect.value_when_betting == pytest.approx(perfect.units / perfect.bets)
        by_shoe = [fsum(value for value in shoe.values if value > 0) for shoe in study.shoes]
        assert perfect.standard_error == pytest.approx(stdev(by_shoe) / sqrt(len(by_shoe)))


def test_the_slices_add_up(precious_pairs: CountingStudy) -> None:
    depths = precious_pairs.depths()
    assert sum(depth.rounds for depth in depths) == precious_pairs.rounds
    assert sum(depth.favourable for depth in depths) == precious_pairs.perfect_play().bets
    units = fsum(depth.units_per_shoe for depth in depths)
    assert units == pytest.approx(precious_pairs.perfect_play().units_per_shoe)


def test_no_threshold_would_have_won_more(made_up: CountingStudy) -> None:
    count = made_up.count_play()
    pairs = [pair for shoe in made_up.shoes for pair in zip(shoe.true_counts, shoe.values, strict=True)]
    thresholds = {true_count for true_count, _ in pairs}
    assert len(thresholds) < len(pairs)  # Some rounds have the same true count, and are bet on together or not at all.
    won = {each: fsum(value for true_count, value in pairs if true_count >= each) for each in thresholds}
    assert count.threshold is not None
    assert won[count.threshold] == pytest.approx(max(won.values()))
    assert count.play.units == pytest.approx(max(won.values()))
    assert count.efficiency == pytest.approx(max(won.values()) / made_up.perfect_play().units)
    assert count.efficiency is not None
    assert 0 < count.efficiency < 1
    slope, _ = linear_regression(*zip(*pairs, strict=True))
    assert count.slope == pytest.approx(slope)
    assert count.betting_correlation == pytest.approx(correlation(*zip(*pairs, strict=True)))


def test_a_seed_gives_the_same_study_and_a_longer_one_begins_like_a_shorter() -> None:
    once, longer, other = (study_of(MANILA, "player-pair", n, seed=seed) for n, seed in ((2, 5), (3, 5), (2, 6)))
    assert once.shoes == longer.shoes[:2]
    assert once.shoes != other.shoes


@pytest.mark.skipif(not compiled_counter.available, reason="a second or two a shoe without the kernel")
def test_a_wager_on_the_banker_six_can_be_beaten_and_the_tie_hardly() -> None:
    # As published of Lucky 6 and of the Tie: the one is worth counting with a deep cut card, the other is not.
    six = study_of(find_game("fortune-six-tournament"), "fortune-six", 150, decks=8)
    tie = study_of(MANILA, "tie", 150, decks=8)
    assert six.perfect_play().units_per_shoe > 0.1
    assert six.perfect_play().units_per_shoe > 10 * tie.perfect_play().units_per_shoe
    efficiency = six.count_play().efficiency
    assert efficiency is not None
    assert efficiency > 0.5
    # A cut card that is not deep takes nearly all of it away.
    shallow = study_of(find_game("fortune-six-tournament"), "fortune-six", 150, decks=8, cut=104)
    assert shallow.perfect_play().units_per_shoe < six.perfect_play().units_per_shoe / 10


# The linear count.


def test_tags_follow_the_effects(precious_pairs: CountingStudy) -> None:
    count = precious_pairs.count
    tags, effects = [*count.tags.values()], [float(effect) for effect in precious_pairs.effects.values()]
    assert correlation_of(tags, effects) == count.correlation >= 0.98
    assert max(map(abs, tags)) <= 3
    assert count.start + 4 * sum(tags) == 0


def test_a_wager_that_no_single_card_moves_has_no_tags(pairs: CountingStudy) -> None:
    assert set(pairs.count.tags.values()) == {0}
    assert pairs.count_play().threshold is None
    assert pairs.count_play().play.bets == 0
    assert pairs.perfect_play().units > 0


def test_small_tags_are_preferred_and_balanced_ones_if_they_are_nearly_as_small() -> None:
    cards = MANILA.pack.cards[:4]
    straight = LinearCount.following(dict(zip(cards, map(Fraction, (2, -1, -1, 0)), strict=True)), 8)
    assert [*straight.tags.values()] == [2, -1, -1, 0]
    assert straight.start == 0
    assert straight.correlation == pytest.approx(1)
    steep = LinearCount.following(dict(zip(cards, map(Fraction, (100, 99, 1, -1)), strict=True)), 2)
    assert [*steep.tags.values()] == [1, 1, 0, 0]
    assert steep.start == -4
