"""The facts of a finished deal, and conditions over them.

A wager reads facts and nothing else. A condition is data: it can be printed, serialised, weighed by
the exact odds and counted by the simulator, so nothing in a declaration is a function.

>>> six = BANKER_WINS & BANKER_TOTAL.is_(6)
>>> print(six)
winner is banker and banker total is 6
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from puntobanco.cards import PACKS, Card, Deal, Pack
from puntobanco.errors import DeclarationError

FactValue = str | int | None


class Winner(StrEnum):
    """How a round ends."""

    PLAYER = "player"
    BANKER = "banker"
    TIE = "tie"


class Facts(NamedTuple):
    """All that a wager can see of a finished deal."""

    winner: Winner
    player_total: int
    banker_total: int
    player_cards: int
    banker_cards: int
    cards: int
    player_pair: str | None
    """The rank that the first two cards share, if they do."""
    banker_pair: str | None
    player_suit: str | None
    """The suit that the first two cards share, if they do."""
    banker_suit: str | None
    one_suit: str | None
    """The suit that all cards of both completed hands share, if they do."""
    player_ranks: str
    """The ranks of the completed hand, sorted in the pack's order."""
    banker_ranks: str


def read_facts(deal: Deal) -> Facts:
    """The facts of a finished deal; the deal must be lawful."""
    player, banker = deal.player, deal.banker
    player_total = sum([card.points for card in player]) % 10
    banker_total = sum([card.points for card in banker]) % 10
    if player_total == banker_total:
        winner = Winner.TIE
    else:
        winner = Winner.PLAYER if player_total > banker_total else Winner.BANKER
    suit = player[0].suit
    return Facts(
        winner,
        player_total,
        banker_total,
        len(player),
        len(banker),
        len(player) + len(banker),
        player[0].rank if player[0].rank == player[1].rank else None,
        banker[0].rank if banker[0].rank == banker[1].rank else None,
        suit if suit == player[1].suit else None,
        banker[0].suit if banker[0].suit == banker[1].suit else None,
        suit if {card.suit for card in player + banker} == {suit} else None,
        _ranks(player),
        _ranks(banker),
    )


def _ranks(cards: Sequence[Card]) -> str:
    """The ranks in the pack's order; remembered, because there are few hands and many deals."""
    pack_id = cards[0].pack_id
    key = pack_id + cards[0].rank + cards[1].rank + (cards[2].rank if len(cards) == 3 else "")
    known = _SORTED_RANKS.get(key)
    if known is None:
        known = "".join([card.rank for card in sorted(cards, key=lambda card: card.rank_index)])
        _SORTED_RANKS[key] = known
    return known


_SORTED_RANKS: dict[str, str] = {}


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
        if self.fact not in Facts._fields:
            raise DeclarationError(f"There is no fact {self.fact!r}: the facts are {', '.join(Facts._fields)}.")
        allowed = DOMAINS[self.fact]
        for value in self.values:
            if not allowed(value):
                raise DeclarationError(f"The fact {self.fact!r} is never {value!r}.")
        if not self.values:
            raise DeclarationError(f"A condition on {self.fact!r} needs at least one value.")

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


def _check_parts(parts: tuple[Condition, ...]) -> None:
    if not parts:
        raise DeclarationError("A condition of several parts needs at least one.")


@dataclass(frozen=True)
class All(Condition):
    """Every part holds."""

    parts: tuple[Condition, ...]

    def __post_init__(self) -> None:
        _check_parts(self.parts)

    def compiled(self) -> Predicate:
        predicates = [part.compiled() for part in self.parts]
        if len(predicates) == 2:
            first, second = predicates
            return lambda facts: first(facts) and second(facts)
        return lambda facts: all(holds(facts) for holds in predicates)

    def tests(self) -> Iterator[Is]:
        for part in self.parts:
            yield from part.tests()

    def as_data(self) -> object:
        return ["all", [part.as_data() for part in self.parts]]

    def __str__(self) -> str:
        return " and ".join(f"({part})" if isinstance(part, Any) else str(part) for part in self.parts)


@dataclass(frozen=True)
class Any(Condition):
    """At least one part holds."""

    parts: tuple[Condition, ...]

    def __post_init__(self) -> None:
        _check_parts(self.parts)

    def compiled(self) -> Predicate:
        predicates = [part.compiled() for part in self.parts]
        if len(predicates) == 2:
            first, second = predicates
            return lambda facts: first(facts) or second(facts)
        return lambda facts: any(holds(facts) for holds in predicates)

    def tests(self) -> Iterator[Is]:
        for part in self.parts:
            yield from part.tests()

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


@dataclass(frozen=True)
class Fact:
    """A fact by name, to build conditions from."""

    name: str

    def is_(self, *values: FactValue) -> Condition:
        return Is(self.name, frozenset(values))

    def exists(self) -> Condition:
        """The fact has a value at all: there is a pair, there is one suit."""
        return ~self.is_(None)


_PLACES = {name: place for place, name in enumerate(Facts._fields)}


def _whole(*allowed: int) -> Callable[[FactValue], bool]:
    return lambda value: type(value) is int and value in allowed


def _is_rank(value: FactValue) -> bool:
    return value is None or any(value in tuple(pack.ranks) for pack in PACKS)


def _is_suit(value: FactValue) -> bool:
    return value is None or any(value in pack.suits for pack in PACKS)


def _is_hand_of_ranks(value: FactValue) -> bool:
    return isinstance(value, str) and len(value) in (2, 3) and any(_sorted_in(pack, value) for pack in PACKS)


def _sorted_in(pack: Pack, ranks: str) -> bool:
    places = [pack.ranks.find(rank) for rank in ranks]
    return -1 not in places and places == sorted(places)


DOMAINS: dict[str, Callable[[FactValue], bool]] = {
    "winner": lambda value: value in tuple(Winner),
    "player_total": _whole(*range(10)),
    "banker_total": _whole(*range(10)),
    "player_cards": _whole(2, 3),
    "banker_cards": _whole(2, 3),
    "cards": _whole(4, 5, 6),
    "player_pair": _is_rank,
    "banker_pair": _is_rank,
    "player_suit": _is_suit,
    "banker_suit": _is_suit,
    "one_suit": _is_suit,
    "player_ranks": _is_hand_of_ranks,
    "banker_ranks": _is_hand_of_ranks,
}


def foreign_values(condition: Condition, pack: Pack) -> list[str]:
    """The values in the condition that no card of the pack can give."""
    found = []
    for test in condition.tests():
        for value in test.values:
            if not isinstance(value, str) or test.fact == "winner":
                continue
            if test.fact.endswith("_ranks"):
                belongs = _sorted_in(pack, value)
            else:
                belongs = value in (pack.suits if test.fact.endswith("suit") else tuple(pack.ranks))
            if not belongs:
                found.append(f"{test.fact} {value!r}")
    return found


PLAYER_TOTAL, BANKER_TOTAL = Fact("player_total"), Fact("banker_total")
PLAYER_CARDS, BANKER_CARDS = Fact("player_cards"), Fact("banker_cards")
CARDS = Fact("cards")
PLAYER_PAIR, BANKER_PAIR = Fact("player_pair"), Fact("banker_pair")
PLAYER_SUIT, BANKER_SUIT = Fact("player_suit"), Fact("banker_suit")
ONE_SUIT = Fact("one_suit")
PLAYER_RANKS, BANKER_RANKS = Fact("player_ranks"), Fact("banker_ranks")
WINNER = Fact("winner")

PLAYER_WINS = WINNER.is_(Winner.PLAYER)
BANKER_WINS = WINNER.is_(Winner.BANKER)
TIE = WINNER.is_(Winner.TIE)
