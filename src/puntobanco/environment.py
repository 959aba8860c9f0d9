"""A shoe of any game as a Gymnasium environment, `puntobanco/Baccarat-v0`; importing this module registers it.

    environment = gymnasium.make("puntobanco/Baccarat-v0", game="six-star")
    many = gymnasium.make_vec("puntobanco/Baccarat-v0", num_envs=1000, game="six-star")

An episode is one shoe and a step one round. What is observed before a round:

    unseen    how many of each card nobody has seen, in the order of the pack: the shown card of the burn has been
              seen, those burned face down after it have not
    results   the last results, the latest last: 0 none yet, 1 Player, 2 Banker, 3 Tie

An action is a number of chips for each wager, in the order of the game's paytables; the reward is what they gain,
in money. `reset(seed=S)` deals shoe 0 of the simulator's seed S, and each `reset()` after it the next shoe.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from puntobanco.cards import Card, Deal, Shoe, shown
from puntobanco.dealing import AT_A_TABLE, BurnAndCut
from puntobanco.errors import InputError
from puntobanco.extras import optional_package
from puntobanco.games import GAMES, find_game
from puntobanco.rules.facts import Facts, Winner, read_facts
from puntobanco.rules.game import Game
from puntobanco.rules.wagers import check_money
from puntobanco.settle import settle
from puntobanco.simulate import Job, Outcomes, deal, jobs, prepare, pure, shown_card
from puntobanco.simulate.tables import DETAIL_CELLS, SUITS
from puntobanco.table.settings import default_limits

with optional_package("gymnasium", "Environments are made"):
    import gymnasium
    import numpy as np
    from gymnasium.error import ResetNeeded
    from gymnasium.spaces import Box, Dict, MultiDiscrete
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
    from numpy.typing import NDArray

ID = "puntobanco/Baccarat-v0"
MOST_CHIPS = 1_000
RESULTS = {winner: place for place, winner in enumerate(Winner, start=1)}

Observation = dict[str, NDArray[Any]]
Action = NDArray[np.int64]


@dataclass(frozen=True)
class _Setting:
    """What one environment and a thousand of them have in common."""

    game: Game
    shoe: Shoe
    dealing: BurnAndCut
    rounds: int | None
    chips: int
    chip: int
    history: int

    @classmethod
    def of(
        cls,
        game: str | Game,
        decks: int | None,
        dealing: BurnAndCut,
        rounds: int | None,
        chips: int,
        chip: int | None,
        history: int,
    ) -> "_Setting":
        game = find_game(game) if isinstance(game, str) else game
        if type(chips) is not int or not 1 <= chips <= MOST_CHIPS:
            raise InputError("bad-chips", f"{shown(chips)} is not a number of chips from 1 to {MOST_CHIPS}.")
        if type(history) is not int or history < 1:
            raise InputError("bad-history", f"{shown(history)} is not a number of results from 1 on.")
        # By default the least stake of a table: below some stake, fixed bonuses are worth more than the house edge.
        chip = check_money("stake", default_limits(game).minimum if chip is None else chip)
        check_money("stake", chips * chip)
        shoe = Shoe.full(game.pack, game.decks.default if decks is None else decks)
        return cls(game, shoe, dealing, rounds, chips, chip, history)

    @property
    def observation_space(self) -> Any:
        most = max(self.shoe.counts)
        unseen = Box(0, most, (len(self.game.pack),), np.int16)
        return Dict({"unseen": unseen, "results": MultiDiscrete([len(RESULTS) + 1] * self.history, dtype=np.int8)})

    @property
    def action_space(self) -> MultiDiscrete:
        return MultiDiscrete([self.chips + 1] * len(self.game.paytables))

    def job(self, seed: int) -> Job:
        return prepare(self.game, seed, self.shoe, self.dealing, self.rounds)


def _any_seed(chance: np.random.Generator) -> int:
    return int(chance.integers(2**64, dtype=np.uint64))


class BaccaratEnvironment(gymnasium.Env[Observation, Action]):
    """One patron at one table; the rounds are the simulator's and the money is the product's settlement."""

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 (declared so by Gymnasium)

    def __init__(
        self,
        game: str | Game = GAMES[0],
        decks: int | None = None,
        dealing: BurnAndCut = AT_A_TABLE,
        rounds: int | None = None,
        chips: int = 10,
        chip: int | None = None,
        history: int = 20,
        render_mode: str | None = None,
    ) -> None:
        self.setting = _Setting.of(game, decks, dealing, rounds, chips, chip, history)
        self.observation_space = self.setting.observation_space
        self.action_space = self.setting.action_space
        self.render_mode = render_mode
        self._job: Job | None = None
        self._rounds: list[Deal] = []
        self._shoe = -1
        self._round = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """The next shoe or, with a seed, its first one: what is observed, and which shoe it is."""
        super().reset(seed=seed)
        if seed is not None or self._job is None:
            self._job = self.setting.job(_any_seed(self.np_random) if seed is None else int(seed))
            self._shoe = -1
        self._shoe += 1
        self._rounds = [dealt.deal for dealt in deal(self._job, self._shoe)]
        self._round = 0
        shown_first = shown_card(self._job, self._shoe)
        seen = () if shown_first is None else (shown_first,)
        self._unseen = np.array(self.setting.shoe.without(seen).counts, np.int16)
        self._results = np.zeros(self.setting.history, np.int8)
        # As Gymnasium gathers the infos of several environments, a plain int would not have room for every seed.
        return self._observation(), {"seed": np.uint64(self._job.seed), "shoe": self._shoe}

    def step(self, action: Action) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Put chips on the wagers, deal a round and settle it: the reward is their net, and a shoe is an episode."""
        if self._round == len(self._rounds):
            raise ResetNeeded("The shoe is finished: reset() brings the next one.")
        if action not in self.action_space:
            raise InputError("bad-action", f"{shown(action)} is not a number of chips for each wager.")
        dealt = self._rounds[self._round]
        self._round += 1
        game, chip = self.setting.game, self.setting.chip
        stakes = {wager: int(chips) * chip for wager, chips in zip(game.paytables, action, strict=True) if chips}
        settled = settle(game, dealt, stakes)
        for card in dealt.cards:
            self._unseen[card.index] -= 1
        self._results[:-1] = self._results[1:]
        self._results[-1] = RESULTS[settled.winner]
        nets = {wager: each.net for wager, each in settled.wagers.items()}
        finished = self._round == len(self._rounds)
        return self._observation(), float(settled.net), finished, False, {"deal": str(dealt), "nets": nets}

    def render(self) -> str | None:
        """The last round and the results, as a line of text."""
        if self.render_mode is None:
            return None
        letters = "".join("-PBT"[result] for result in self._results)
        return f"{letters} {self._rounds[self._round - 1] if self._round else 'a new shoe'}"

    def _observation(self) -> Observation:
        return {"unseen": self._unseen.copy(), "results": self._results.copy()}


class BaccaratVectorEnvironment(VectorEnv[Observation, Action, NDArray[Any]]):
    """Many tables at once, each with the shoes that a single environment of its seed has, dealt and settled by arrays.

    A table whose shoe is finished gets its next one on the step after, which plays no round there.
    """

    metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        game: str | Game = GAMES[0],
        decks: int | None = None,
        dealing: BurnAndCut = AT_A_TABLE,
        rounds: int | None = None,
        chips: int = 10,
        chip: int | None = None,
        history: int = 20,
        render_mode: None = None,
    ) -> None:
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.setting = setting = _Setting.of(game, decks, dealing, rounds, chips, chip, history)
        self.single_observation_space = setting.observation_space
        self.single_action_space = setting.action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._seeds: list[int] = []
        self._payments = _Payments(setting)
        most_rounds = setting.shoe.size // 4 + 1
        faces = len(setting.game.pack)
        # A card that is not dealt is taken from one more column, which nobody sees.
        self._unseen = np.zeros((num_envs, faces + 1), np.int16)
        self._results = np.zeros((num_envs, setting.history), np.int8)
        self._cards = np.full((num_envs, most_rounds, 6), faces, np.uint8)
        self._rows = np.zeros((num_envs, most_rounds), np.int32)
        self._round = np.zeros(num_envs, np.int64)
        self._rounds = np.zeros(num_envs, np.int64)
        self._shoes = np.full(num_envs, -1, np.int64)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """The next shoe at every table or, where a seed is given, its first one."""
        places = range(self.num_envs)
        seeds = [seed + place for place in places] if isinstance(seed, int) else seed or [None] * self.num_envs
        for each in seeds:
            if each is not None and not 0 <= each < jobs.SEEDS:
                raise InputError("wrong-seed", f"{shown(each)} is not a seed from 0 to {jobs.SEEDS - 1}.")
        super().reset(seed=seed if isinstance(seed, int) else None)
        if not self._seeds:
            self._seeds = [_any_seed(self.np_random) for _ in places]
        for place, each in zip(places, seeds, strict=True):
            if each is not None:
                self._seeds[place] = int(each)
                self._shoes[place] = -1
        self._next_shoes(np.arange(self.num_envs))
        return self._observation(), {"seed": np.array(self._seeds, np.uint64), "shoe": self._shoes.copy()}

    def step(
        self, actions: Action
    ) -> tuple[Observation, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """A round at every table; one whose shoe is finished begins the next instead, as Gymnasium has it."""
        if not self._seeds:
            raise ResetNeeded("The first shoes come with reset().")
        chips = np.asarray(actions)
        shape = (self.num_envs, len(self._payments.wagers))
        if chips.shape != shape or chips.dtype.kind not in "iu" or chips.min() < 0 or chips.max() > self.setting.chips:
            raise InputError("bad-action", "The action is not a number of chips for each wager of each table.")
        finished = self._round == self._rounds
        playing = np.flatnonzero(~finished)
        self._next_shoes(np.flatnonzero(finished))

        turn = self._round[playing]
        rows = self._rows[playing, turn]
        cards = self._cards[playing, turn]
        rewards = np.zeros(self.num_envs)
        rewards[playing] = self._payments.nets(rows, chips[playing])
        for slot in range(6):
            self._unseen[playing, cards[:, slot]] -= 1
        self._results[playing, :-1] = self._results[playing, 1:]
        self._results[playing, -1] = self._payments.results(rows)
        self._round[playing] += 1
        return self._observation(), rewards, self._round == self._rounds, np.zeros(self.num_envs, np.bool_), {}

    def _observation(self) -> Observation:
        return {"unseen": self._unseen[:, :-1].copy(), "results": self._results.copy()}

    def _next_shoes(self, places: NDArray[np.int64]) -> None:
        self._shoes[places] += 1
        self._round[places] = 0
        self._results[places] = 0
        self._unseen[places, :-1] = self.setting.shoe.counts
        for place in places:
            shown_first, cards, rows = self._payments.deal_shoe(self._seeds[place], int(self._shoes[place]))
            self._unseen[place, shown_first] -= 1
            self._rounds[place] = len(rows)
            self._cards[place, : len(rows)] = cards
            self._rows[place, : len(rows)] = rows


class _Payments:
    """What settlement pays on every stake, one row for each way that a round can end for the wagers together."""

    def __init__(self, setting: _Setting) -> None:
        self.setting = setting
        self.job = setting.job(0)
        self.wagers = tuple(setting.game.paytables.values())
        pack = setting.game.pack
        self._pack_place = np.full(256, len(pack), np.uint8)
        for card in pack.cards:
            self._pack_place[card.rank_index * SUITS + card.index // len(pack.ranks)] = card.index
        self._row_of_cell = np.full(DETAIL_CELLS, -1, np.int32)
        self._row_of: dict[tuple[Winner, Outcomes], int] = {}
        self._nets = np.zeros((0, len(self.wagers), setting.chips + 1))
        self._results = np.zeros(0, np.int8)

    def nets(self, rows: NDArray[np.int32], chips: NDArray[np.int64]) -> NDArray[np.float64]:
        paid: NDArray[np.float64] = self._nets[rows[:, np.newaxis], np.arange(len(self.wagers)), chips].sum(axis=1)
        return paid

    def results(self, rows: NDArray[np.int32]) -> NDArray[np.int8]:
        return self._results[rows]

    def deal_shoe(self, seed: int, shoe: int) -> tuple[np.uint8, NDArray[np.uint8], NDArray[np.int32]]:
        """The shown card of the burn and the cards of every round, by their place in the pack, and the row of each."""
        dealer, job = jobs.compiled_kernel or pure, self.job._replace(seed=seed)
        (shown_first,) = self._pack_place[[*dealer.shown_cards(*job.for_kernel, shoe, 1)]]
        (dealt,) = dealer.deal(*job.for_kernel, shoe, 1)
        numbers = np.frombuffer(dealt, np.uint8).reshape(-1, 8)
        cards = self._pack_place[numbers[:, :6]]
        cells = numbers[:, 6] + 256 * numbers[:, 7].astype(np.int32)
        if self.job.tables.fits:
            for place in np.flatnonzero(self._row_of_cell[cells] < 0):
                self._row_of_cell[cells[place]] = self._row(self._facts(cards[place]))
            return shown_first, cards, self._row_of_cell[cells]
        # Its cells cannot tell apart all that the wagers of such a game do.
        return shown_first, cards, np.array([self._row(self._facts(each)) for each in cards], np.int32)

    def _facts(self, places: NDArray[np.uint8]) -> Facts:
        pack = self.setting.game.pack

        def hand(slots: slice) -> tuple[Card, ...]:
            return tuple(pack.cards[place] for place in places[slots] if place < len(pack))

        return read_facts(Deal(hand(slice(0, 3)), hand(slice(3, 6))))

    def _row(self, facts: Facts) -> int:
        """The row of these facts, settled once for every number of chips when first met."""
        outcomes = self.job.tables.decide(facts)
        key = (facts.winner, outcomes)
        row = self._row_of.get(key)
        if row is None:
            rounding = self.setting.game.reading["rounding"]
            nets = [
                [
                    wager.net(outcome, chips * self.setting.chip, rounding) if chips else 0
                    for chips in range(self.setting.chips + 1)
                ]
                for wager, outcome in zip(self.wagers, outcomes, strict=True)
            ]
            row = self._row_of[key] = len(self._nets)
            self._nets = np.concatenate([self._nets, [nets]])
            self._results = np.append(self._results, np.int8(RESULTS[facts.winner]))
        return row


if ID not in gymnasium.registry:
    gymnasium.register(
        id=ID,
        entry_point=f"{__name__}:BaccaratEnvironment",
        vector_entry_point=f"{__name__}:BaccaratVectorEnvironment",
    )
