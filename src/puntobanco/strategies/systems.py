"""Staking systems: the well-known progressions, those that follow a road, and a patron's own.

A system is a small class. One is made for every session, with the base stake, and before each round it is asked
what to stake. Here is one that stakes two units after a win:

    class AfterAWin:
        def __init__(self, base: int) -> None:
            self.base, self.won = base, False

        def next_stake(self, state: State) -> int:
            return 2 * self.base if self.won else self.base

        def after(self, result: RoundResult) -> None:
            if result.net:
                self.won = result.net > 0

`next_stake` answers with money on the session's wager, with `Bet("player", 100)` for another wager, or with 0 to sit
the round out. What it asks for is cut down to the table's maximum and to the bankroll, taken down to whole steps and up
to the minimum; `after` is told what was staked in fact. A push moves none of the systems below.

No system changes the edge: the expected result is the edge of the wager times the money staked, whatever the order
in which it is staked.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import NamedTuple, Protocol, cast

from puntobanco.cards import shown
from puntobanco.errors import InputError, nearest
from puntobanco.roads import Ask, ask, derived_marks

SIDES = {"P": "player", "B": "banker"}
OTHER = {"P": "B", "B": "P"}
PAROLI_WINS = 3
STEPS_OF_1326 = (1, 3, 2, 6)
LABOUCHERE_LINE = (1, 2, 3, 4)


class State(NamedTuple):
    """What a system may know before a round."""

    wager: str
    bankroll: int
    minimum: int
    maximum: int
    step: int
    round: int
    """How many rounds of the session have been dealt."""
    shoe: str
    """The results of the shoe so far, such as `BBPT`; the roads can be drawn from it."""


class Bet(NamedTuple):
    """A stake on a wager of the system's own choice."""

    wager: str
    stake: int


class RoundResult(NamedTuple):
    """What became of a round."""

    wager: str
    stake: int
    """What was staked in fact; 0 where the round was sat out."""
    net: int
    winner: str
    """`B`, `P` or `T`."""


class System(Protocol):
    """What every system answers to."""

    def next_stake(self, state: State, /) -> int | Bet:
        """What to stake on the next round."""

    def after(self, result: RoundResult, /) -> None:
        """Told after every round."""


MakeSystem = Callable[[int], System]
"""A system's class, or whatever else makes one from the base stake."""


class Flat:
    """The same stake on every round."""

    def __init__(self, base: int) -> None:
        self.base = base

    def next_stake(self, state: State) -> int:
        return self.base

    def after(self, result: RoundResult) -> None:
        pass


class Martingale:
    """Twice the stake that was lost, until a win; then the base again."""

    def __init__(self, base: int) -> None:
        self.base = self.wanted = base

    def next_stake(self, state: State) -> int:
        return self.wanted

    def after(self, result: RoundResult) -> None:
        if result.net:
            self.wanted = self.base if result.net > 0 else 2 * result.stake


class DAlembert:
    """One unit more after a loss, one less after a win, and one at least."""

    def __init__(self, base: int) -> None:
        self.base, self.units = base, 1

    def next_stake(self, state: State) -> int:
        return self.base * self.units

    def after(self, result: RoundResult) -> None:
        if result.net < 0:
            self.units += 1
        elif result.net > 0:
            self.units = max(1, self.units - 1)


class Fibonacci:
    """Along 1, 1, 2, 3, 5, ..: one place on after a loss, two back after a win, not before the first."""

    def __init__(self, base: int) -> None:
        self.base, self.place = base, 0

    def next_stake(self, state: State) -> int:
        numbers = fibonacci_numbers()
        number = next(numbers)
        for _ in range(self.place):
            number = next(numbers)
            if number * self.base > state.maximum:
                break
        return number * self.base

    def after(self, result: RoundResult) -> None:
        if result.net < 0:
            self.place += 1
        elif result.net > 0:
            self.place = max(0, self.place - 2)


class Labouchere:
    """The first and last number of a line, 1-2-3-4: struck off after a win, the stake added at the end after a loss.

    When all are struck off the line is written anew.
    """

    def __init__(self, base: int) -> None:
        self.start = [base * number for number in LABOUCHERE_LINE]
        self.line = [*self.start]

    def next_stake(self, state: State) -> int:
        return self.line[0] + self.line[-1] if len(self.line) > 1 else self.line[0]

    def after(self, result: RoundResult) -> None:
        if result.net < 0:
            self.line.append(result.stake)
        elif result.net > 0:
            self.line = self.line[1:-1] or [*self.start]


class Paroli:
    """Doubled after a win, up to three wins in a row; then, or after a loss, the base again."""

    def __init__(self, base: int) -> None:
        self.base, self.wins = base, 0

    def next_stake(self, state: State) -> int:
        return self.base << self.wins

    def after(self, result: RoundResult) -> None:
        if result.net:
            self.wins = (self.wins + 1) % PAROLI_WINS if result.net > 0 else 0


class OneThreeTwoSix:
    """One, three, two and six units as long as each wins; after the fourth win or any loss, one again."""

    def __init__(self, base: int) -> None:
        self.base, self.place = base, 0

    def next_stake(self, state: State) -> int:
        return self.base * STEPS_OF_1326[self.place]

    def after(self, result: RoundResult) -> None:
        if result.net:
            self.place = (self.place + 1) % len(STEPS_OF_1326) if result.net > 0 else 0


class OscarsGrind:
    """As before after a loss, one unit more after a win, but no more than makes one unit of profit; then anew."""

    def __init__(self, base: int) -> None:
        self.base = self.wanted = base
        self.profit = 0

    def next_stake(self, state: State) -> int:
        return self.wanted

    def after(self, result: RoundResult) -> None:
        self.profit += result.net
        if self.profit >= self.base:
            self.profit, self.wanted = 0, self.base
        elif result.net > 0:
            self.wanted = min(result.stake + self.base, self.base - self.profit)
        elif result.net < 0:
            self.wanted = result.stake


class FollowTheShoe:
    """The base on the hand that won last; the first rounds of a shoe, until a hand has won, are sat out."""

    def __init__(self, base: int) -> None:
        self.base = base

    def next_stake(self, state: State) -> int | Bet:
        winners = state.shoe.replace("T", "")
        return Bet(SIDES[winners[-1]], self.base) if winners else 0

    def after(self, result: RoundResult) -> None:
        pass


class Chop:
    """The base against the hand that won last; the first rounds of a shoe, until a hand has won, are sat out."""

    def __init__(self, base: int) -> None:
        self.base = base

    def next_stake(self, state: State) -> int | Bet:
        winners = state.shoe.replace("T", "")
        return Bet(SIDES[OTHER[winners[-1]]], self.base) if winners else 0

    def after(self, result: RoundResult) -> None:
        pass


class BigEye:
    """The base on the hand that would repeat the latest colour of the Big Eye Boy; sat out while it has none."""

    def __init__(self, base: int) -> None:
        self.base = base

    def next_stake(self, state: State) -> int | Bet:
        runs = [(winner, len(list(run))) for winner, run in groupby(state.shoe.replace("T", ""))]
        heights = [height for _, height in runs]
        marks = derived_marks(heights, 1)
        if not marks:
            return 0
        asks: dict[str, Ask] = {side: ask(heights, repeats=side == runs[-1][0]) for side in SIDES}
        return next(Bet(SIDES[side], self.base) for side in SIDES if asks[side].big_eye_boy == marks[-1])

    def after(self, result: RoundResult) -> None:
        pass


def fibonacci_numbers() -> Iterator[int]:
    """1, 1, 2, 3, 5 and so on."""
    number, following = 1, 1
    while True:
        yield number
        number, following = following, number + following


@dataclass(frozen=True)
class NamedSystem:
    """A system that a session can be played by."""

    name: str
    make: MakeSystem
    follows_road: bool = False
    """It bets on the Player or the Banker as the road says, whatever the session's wager."""

    @property
    def short_name(self) -> str:
        """Without the folders of a patron's own."""
        return Path(self.name).name

    @property
    def description(self) -> str:
        return (self.make.__doc__ or "").strip().partition("\n")[0]


SYSTEMS = {
    system.name: system
    for system in (
        NamedSystem("flat", Flat),
        NamedSystem("martingale", Martingale),
        NamedSystem("dalembert", DAlembert),
        NamedSystem("fibonacci", Fibonacci),
        NamedSystem("labouchere", Labouchere),
        NamedSystem("paroli", Paroli),
        NamedSystem("1-3-2-6", OneThreeTwoSix),
        NamedSystem("oscars-grind", OscarsGrind),
        NamedSystem("follow", FollowTheShoe, follows_road=True),
        NamedSystem("chop", Chop, follows_road=True),
        NamedSystem("big-eye", BigEye, follows_road=True),
    )
}


def find_system(text: str) -> NamedSystem:
    """The system of that name or, for `path/to/file.py:ClassName`, the patron's own."""
    if text in SYSTEMS:
        return SYSTEMS[text]
    path, colon, name = text.rpartition(":")
    if colon and path.endswith(".py"):
        return NamedSystem(text, load_system(Path(path), name))
    raise InputError("unknown-system", f"There is no system {shown(text)}{nearest(text, list(SYSTEMS))}")


def load_system(path: Path, name: str) -> MakeSystem:
    """The class of that name in a Python file, which is run."""
    try:
        source = path.read_bytes()
    except OSError as error:
        raise InputError("unreadable-file", f"{shown(path)} cannot be read: {error.strerror}.") from None
    # So that dataclasses and the like find the module of the class.
    import sys
    from types import ModuleType

    module = ModuleType(f"puntobanco_system_{path.stem}")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module
    try:
        exec(compile(source, str(path), "exec"), module.__dict__)
    except Exception as error:
        raise InputError("bad-system", f"{shown(path)} does not run: {told(error)}.") from None
    made = getattr(module, name, None)
    if not isinstance(made, type):
        classes = [each for each, value in vars(module).items() if isinstance(value, type)]
        others = f"it has {', '.join(classes[:5])}" if classes else "it has none"
        raise InputError("bad-system", f"{shown(path)} has no class {shown(name)}; {others}.")
    for method in ("next_stake", "after"):
        if not callable(getattr(made, method, None)):
            raise InputError("bad-system", f"The class {name} has no method {method}, which every system has.")
    return cast(MakeSystem, made)


def told(error: BaseException) -> str:
    """An error of somebody else's code on one line."""
    text = " ".join(str(error).split())[:120]
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
