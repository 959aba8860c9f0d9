"""The Gymnasium environment: Gymnasium's own checker, the product's money, and many tables as one."""

from collections.abc import Iterator
from dataclasses import replace
from time import perf_counter
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import SyncVectorEnv

from contract.games import every_game
from puntobanco import GAMES, Card, Game, InputError, Shoe, find_game, read_deal, settle
from puntobanco.environment import ID, BaccaratEnvironment, BaccaratVectorEnvironment
from puntobanco.rules.conditions import PLAYER_RANKS
from puntobanco.rules.facts import Winner
from puntobanco.rules.wagers import pays
from puntobanco.simulate import BurnAndCut, BurnRule, Job, deal, jobs, prepare, shown_card
from puntobanco.table import OpenTable, Phase, Table, TableSettings, decide, replay
from puntobanco.table.dealer import next_step

SEED = 20_260
pytestmark = pytest.mark.filterwarnings("ignore:puntobanco was built without:RuntimeWarning")


def few_rounds(game: Game) -> BurnAndCut:
    """Shoes whose cut card comes soon."""
    return BurnAndCut(cut_depth=Shoe.full(game.pack, game.decks.default).size - 36)


# --- One table -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_the_checker_of_gymnasium_has_nothing_to_say(game: Game) -> None:
    """Its warnings are errors here."""
    environment = gymnasium.make(ID, game=game.id)
    assert isinstance(environment.unwrapped, BaccaratEnvironment)
    assert environment.unwrapped.setting.game is game
    check_env(environment.unwrapped)


def test_an_episode_is_a_shoe_and_the_reward_what_settlement_pays() -> None:
    game = find_game("six-star")
    environment = gymnasium.make(ID, game=game.id, decks=6, chips=5, chip=700, history=4)
    environment.action_space.seed(1)
    observation, info = environment.reset(seed=SEED)
    assert info == {"seed": SEED, "shoe": 0}
    job = prepare(game, SEED, Shoe.full(game.pack, 6))
    for shoe in range(2):
        shown_first = shown_card(job, shoe)
        assert shown_first is not None
        unseen, results = Shoe.full(game.pack, 6).without([shown_first]), [0, 0, 0, 0]
        rounds = [dealt.deal for dealt in deal(job, shoe)]
        for place, dealt in enumerate(rounds, start=1):
            assert observation["unseen"].tolist() == [*unseen.counts]
            assert observation["results"].tolist() == results
            action = environment.action_space.sample()
            observation, reward, terminated, truncated, info = environment.step(action)
            stakes = {wager: 700 * int(chips) for wager, chips in zip(game.paytables, action, strict=True) if chips}
            settled = settle(game, dealt, stakes)
            assert reward == settled.net
            assert info["nets"] == {wager: each.net for wager, each in settled.wagers.items()}
            assert read_deal(game.pack, info["deal"]) == dealt
            assert terminated == (place == len(rounds))
            assert not truncated
            unseen = unseen.without(dealt.cards)
            results = [*results[1:], 1 + [*Winner].index(settled.winner)]
        assert observation["unseen"].tolist() == [*unseen.counts]
        with pytest.raises(ResetNeeded, match="The shoe is finished"):
            environment.step(action)
        observation, info = environment.reset()
        assert info == {"seed": SEED, "shoe": shoe + 1}


@pytest.mark.parametrize("dealing", [BurnAndCut(), BurnAndCut(BurnRule.OFF, 40)], ids=["burn", "no-burn"])
@every_game
def test_the_unseen_cards_are_those_of_a_table_with_the_same_cards(game: Game, dealing: BurnAndCut) -> None:
    """A patron at a table has seen the shown card of the burn; single and many environments have, too."""
    single = BaccaratEnvironment(game, dealing=dealing)
    many = BaccaratVectorEnvironment(1, game, dealing=dealing)
    no_stakes = np.zeros(many.action_space.shape or (), np.int64)
    job = prepare(game, SEED, dealing=dealing)
    observation, observations = single.reset(seed=SEED)[0], many.reset(seed=SEED)[0]
    table = replay(None, decide(None, OpenTable(TableSettings(game, burn_and_cut=dealing))))
    for number in range(2):
        cards, finished = cards_from_the_shoe(job, number), False
        while not finished:
            table = led_to(Phase.BETTING, table, cards)
            assert table.unseen is not None
            assert observation["unseen"].tolist() == [*table.unseen.counts]
            assert observations["unseen"].tolist() == [[*table.unseen.counts]]
            observation, _, ended, _, _ = single.step(no_stakes[0])
            observations = many.step(no_stakes)[0]
            table = led_to(Phase.READY, table, cards)
            finished = table.shoe_finished
            assert finished == ended
        observation, observations = single.reset()[0], many.step(no_stakes)[0]


def led_to(phase: Phase, table: Table, cards: Iterator[Card]) -> Table:
    """What the dealer makes of the table, up to this phase."""
    while table.phase is not phase:
        table = replay(table, decide(table, next_step(table, cards.__next__)))
    return table


def cards_from_the_shoe(job: Job, number: int) -> Iterator[Card]:
    """In the order in which they leave it; those burned face down are any."""
    first = shown_card(job, number)
    if first is not None:
        yield from [first] * (1 + job.dealing.burned_after(first))
    for dealt in deal(job, number):
        player, banker = dealt.deal.player, dealt.deal.banker
        yield from (player[0], banker[0], player[1], banker[1], *player[2:], *banker[2:])


def test_without_a_seed_shoes_differ_and_with_one_they_do_not() -> None:
    environment = BaccaratEnvironment()
    seeds = {environment.reset()[1]["seed"]}
    seeds |= {BaccaratEnvironment().reset()[1]["seed"] for _ in range(3)}
    assert len(seeds) == 4
    environment.reset(seed=SEED)
    assert environment.reset()[1] == {"seed": SEED, "shoe": 1}
    assert environment.reset(seed=SEED)[1] == {"seed": SEED, "shoe": 0}


def test_no_chips_are_no_stakes() -> None:
    environment = BaccaratEnvironment()
    environment.reset(seed=SEED)
    nothing = np.zeros(environment.action_space.shape or (), np.int64)
    assert environment.step(nothing)[1] == 0


def test_the_last_round_as_text() -> None:
    environment = BaccaratEnvironment(find_game("manila"), history=3, render_mode="ansi")
    environment.reset(seed=SEED)
    assert environment.render() == "--- a new shoe"
    *_, info = environment.step(np.zeros(environment.action_space.shape or (), np.int64))
    drawn = environment.render()
    assert drawn is not None
    assert drawn[:2] == "--"
    assert drawn[2] in "PBT"
    assert drawn[4:] == info["deal"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"game": "six-stars"}, "There is no game 'six-stars'"),
        ({"decks": 0}, "is not a number of decks"),
        ({"chips": 0}, "'0' is not a number of chips from 1 to 1000"),
        ({"chips": 1001}, "'1001' is not a number of chips"),
        ({"chip": 0}, "A stake is a whole number from 1"),
        ({"chip": 10**12, "chips": 2}, "A stake is a whole number from 1"),
        ({"history": 0}, "'0' is not a number of results"),
    ],
)
@pytest.mark.parametrize("kind", [BaccaratEnvironment, BaccaratVectorEnvironment])
def test_settings_that_cannot_be_are_refused(kind: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        kind(**options)


@pytest.mark.parametrize("chips", [-1, 11])
def test_chips_that_there_are_not_are_refused(chips: int) -> None:
    single, many = BaccaratEnvironment(), BaccaratVectorEnvironment(2)
    for environment, space in ((single, single.action_space), (many, many.action_space)):
        environment.reset(seed=SEED)
        action = np.zeros(space.shape or (), np.int64)
        action[..., 0] = chips
        with pytest.raises(InputError, match="is not a number of chips for each wager"):
            environment.step(action)


# --- Many tables -----------------------------------------------------------------------------------------------


def assert_same(single: tuple[Any, ...], many: tuple[Any, ...]) -> None:
    """Observations and, after a step, rewards and ends; what is told beside them differs."""
    assert single[0].keys() == many[0].keys()
    for name in single[0]:
        assert single[0][name].dtype == many[0][name].dtype
        assert (single[0][name] == many[0][name]).all()
    for one, other in zip(single[1:-1], many[1:-1], strict=True):
        assert one.dtype == other.dtype
        assert (one == other).all()


@every_game
def test_many_tables_are_as_many_single_ones(game: Game) -> None:
    """Over several shoes of each, reset in between at their ends and by hand."""
    options: dict[str, Any] = {"game": game, "chips": 3, "dealing": few_rounds(game), "history": 5}
    single = SyncVectorEnv([lambda: BaccaratEnvironment(**options)] * 4)
    many = gymnasium.make_vec(ID, num_envs=4, **options)
    assert isinstance(many, BaccaratVectorEnvironment)
    assert many.metadata["autoreset_mode"] == single.metadata["autoreset_mode"]
    assert many.observation_space == single.observation_space
    assert many.action_space == single.action_space
    many.action_space.seed(2)
    assert_same(single.reset(seed=SEED), many.reset(seed=SEED))
    ended = 0
    for step in range(60):
        action = many.action_space.sample()
        found = many.step(action)
        assert found[0] in many.observation_space
        assert_same(single.step(action), found)
        ended += found[2].sum()
        if step == 30:
            assert_same(single.reset(), many.reset())
        if step == 45:
            seeds = [7, None, 2**64 - 1, None]
            assert_same(single.reset(seed=seeds), many.reset(seed=seeds))
    assert ended > 12


def test_a_game_whose_wagers_look_at_more_than_a_cell_tells() -> None:
    game = find_game("manila")
    hands = ("A2", "A3", "A4", "A5", "A6", "A7", "A8", "A9", "23", "24", "25", "26", "27")
    lines = [pays("30:1", f"Hand {hand}", PLAYER_RANKS.is_(hand), clause=game.wagers[0].clause) for hand in hands]
    side = replace(game.wagers[-1], lines=tuple(lines))
    game = replace(game, wagers=(*game.wagers[:-1], side))
    assert not prepare(game, SEED).tables.fits
    options: dict[str, Any] = {"game": game, "dealing": few_rounds(game)}
    single = SyncVectorEnv([lambda: BaccaratEnvironment(**options)] * 30)
    many = BaccaratVectorEnvironment(30, **options)
    assert_same(single.reset(seed=SEED), many.reset(seed=SEED))
    action = np.zeros(many.action_space.shape or (), np.int64)
    action[:, -1] = 1
    won = 0
    for _ in range(20):
        found = many.step(action)
        assert_same(single.step(action), found)
        won += (found[1] > 0).sum()
    assert won


def test_a_thousand_tables_are_faster_than_a_loop() -> None:
    """Some hundred times; a tenth of that is asked, on a machine that may be busy."""
    single = SyncVectorEnv([lambda: BaccaratEnvironment("six-star")] * 20)
    many = BaccaratVectorEnvironment(1000, "six-star")

    def seconds_of_a_round(environment: Any) -> float:
        environment.action_space.seed(3)
        action = environment.action_space.sample()
        environment.reset(seed=SEED)
        start = perf_counter()
        for _ in range(40):
            environment.step(action)
        rounds: int = 40 * environment.num_envs
        return (perf_counter() - start) / rounds

    if jobs.available:
        assert 10 * seconds_of_a_round(many) < seconds_of_a_round(single)


def test_many_tables_refuse_what_they_cannot_do() -> None:
    many = BaccaratVectorEnvironment(2)
    with pytest.raises(ResetNeeded):
        many.step(many.action_space.sample())
    for seed in (-1, 2**64 - 1, [0, 2**64]):
        with pytest.raises(InputError, match="is not a seed from 0 to 18446744073709551615"):
            many.reset(seed=seed)
    many.reset()
    assert len({*many.reset()[1]["seed"].tolist()}) == 2
    with pytest.raises(InputError, match="of each table"):
        many.step(np.zeros((1, 2), np.int64))


def test_the_returned_arrays_are_the_callers_own() -> None:
    many = BaccaratVectorEnvironment(2)
    before, _ = many.reset(seed=SEED)
    kept = {name: values.copy() for name, values in before.items()}
    after, *_ = many.step(np.zeros(many.action_space.shape or (), np.int64))
    assert all((before[name] == kept[name]).all() for name in kept)
    assert (after["unseen"].sum(axis=1) < before["unseen"].sum(axis=1)).all()
