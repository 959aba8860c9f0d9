"""Conditions over the facts of a deal.

A condition is data: it can be printed, serialised, weighed by the exact odds and counted by the simulator, so
nothing in a declaration is a function.

>>> six = BANKER_WINS & BANKER_TOTAL.is_(6)
>>> print(six)
winner is banker and banker total is 6
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from puntobanco.cards import PACKS, Pack
from puntobanco.errors import DeclarationError
from puntobanco.rules.facts import FACTS, Facts, FactValue, Winner

Predicate = Callable[[Facts], bool]


class Condition:
    """A statement about facts that holds or does not. Combine with `&`, `|` and `~`."""

    def compiled(self) -> Predicate:
        """The condition as a function of the facts, quick to call."""
        raise NotImplementedError

    def holds(self, facts: Facts) -> bool:
        return self.compiled()(facts)

    def tests(self) -> Iterator["Is"]:
        """Every comparison within the condition."""
        raise NotImplementedError

    def as_data(self) -> object:
        """The condition as plain lists and values, for digests and files."""
        raise NotImplementedError

    def __and__(self, other: "Condition") -> "Condition":
        return All((self, other))

    def __or__(self, other: "Condition") -> "Condition":
        return Any((self, other))

    def __invert__(self) -> "Condition":
        return Not(self)


@dataclass(frozen=True)
class Is(Condition):
    """A fact has one of these values."""

    fact: str
    values: frozenset[FactValue]

    def __post_init__(self) -> None:
        if self.fact not in FACTS:
            raise DeclarationError(f"There is no fact {self.fact!r}: the facts are {', '.join(FACTS)}.")
        for value in self.values:
            # Python takes True for 1 and 6.0 for 6; a declaration does not.
            if type(value) in (bool, float) or not any(self._can_be(value, pack) for pack in PACKS):
                raise DeclarationError(f"The fact {self.fact!r} is never {value!r}.")
        if not self.values:
            raise DeclarationError(f"A condition on {self.fact!r} needs at least one value.")

    def _can_be(self, value: FactValue, pack: Pack) -> bool:
        return value in FACTS[self.fact].values(pack)

    def foreign_to(self, pack: Pack) -> list[FactValue]:
        """The values that no cards of the pack can give."""
        return [value for value in self._ordered() if not self._can_be(value, pack)]

    def compiled(self) -> Predicate:
        place, values = _PLACES[self.fact], self.values
        if len(values) == 1:
            (value,) = values
            return lambda facts: facts[place] == value
        return lambda facts: facts[place] in values

    def tests(self) -> Iterator["Is"]:
        yield self

    def as_data(self) -> object:
        return [self.fact, self._ordered()]

    def __str__(self) -> str:
        values = ["none" if value is None else str(value) for value in self._ordered()]
        return f"{self.fact.replace('_', ' ')} is {' or '.join(values)}"

    def _ordered(self) -> list[FactValue]:
        return sorted(self.values, key=lambda value: (value is None, str(value)))


@dataclass(frozen=True)
class _Several(Condition):
    parts: tuple[Condition, ...]

    def __post_init__(self) -> None:
        if not self.parts:
            raise DeclarationError("A condition of several parts needs at least one.")

    def tests(self) -> Iterator[Is]:
        for part in self.parts:
            yield from part.tests()


class All(_Several):
    """Every part holds."""

    def compiled(self) -> Predicate:
        predicates = [part.compiled() for part in self.parts]
        if len(predicates) == 2:
            first, second = predicates
            return lambda facts: first(facts) and second(facts)
        return lambda facts: all(holds(facts) for holds in predicates)

    def as_data(self) -> object:
        return ["all", [part.as_data() for part in self.parts]]

    def __str__(self) -> str:
        return " and ".join(f"({part})" if isinstance(part, Any) else str(part) for part in self.parts)


class Any(_Several):
    """At least one part holds."""

    def compiled(self) -> Predicate:
        predicates = [part.compiled() for part in self.parts]
        if len(predicates) == 2:
            first, second = predicates
            return lambda facts: first(facts) or second(facts)
        return lambda facts: any(holds(facts) for holds in predicates)

    def as_data(self) -> object:
        return ["any", [part.as_data() for part in self.parts]]

    def __str__(self) -> str:
        return " or ".join(str(part) for part in self.parts)


@dataclass(frozen=True)
class Not(Condition):
    """The part does not hold."""

    part: Condition

    def compiled(self) -> Predicate:
        part = self.part
        if isinstance(part, Is) and part.values == {None}:
            place = _PLACES[part.fact]
            return lambda facts: facts[place] is not None
        holds = part.compiled()
        return lambda facts: not holds(facts)

    def tests(self) -> Iterator[Is]:
        return self.part.tests()

    def as_data(self) -> object:
        return ["not", self.part.as_data()]

    def __str__(self) -> str:
        return f"not ({self.part})"


class Subject(NamedTuple):
    """A fact by name, to build conditions from."""

    name: str

    def is_(self, *values: FactValue) -> Condition:
        return Is(self.name, frozenset(values))

    def exists(self) -> Condition:
        """The fact has a value at all: there is a pair, there is one suit."""
        return ~self.is_(None)


_PLACES = {name: place for place, name in enumerate(FACTS)}

PLAYER_TOTAL, BANKER_TOTAL = Subject("player_total"), Subject("banker_total")
"""The total of the hand, 0 to 9."""
PLAYER_CARDS, BANKER_CARDS = Subject("player_cards"), Subject("banker_cards")
"""How many cards the hand has, 2 or 3."""
CARDS = Subject("cards")
"""How many cards both hands have together, 4 to 6."""
PLAYER_PAIR, BANKER_PAIR = Subject("player_pair"), Subject("banker_pair")
"""The rank that the first two cards of the hand share."""
PLAYER_SUIT, BANKER_SUIT = Subject("player_suit"), Subject("banker_suit")
"""The suit that the first two cards of the hand share."""
ONE_SUIT = Subject("one_suit")
"""The suit that all cards of both hands share."""
PLAYER_RANKS, BANKER_RANKS = Subject("player_ranks"), Subject("banker_ranks")
"""The ranks of all cards of the hand, in the order of the pack."""
WINNER = Subject("winner")
"""The hand that wins, or a tie."""

PLAYER_WINS = WINNER.is_(Winner.PLAYER)
"""The Player's total is the higher."""
BANKER_WINS = WINNER.is_(Winner.BANKER)
"""The Banker's total is the higher."""
TIE = WINNER.is_(Winner.TIE)
"""Both totals are the same."""
