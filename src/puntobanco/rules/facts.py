"""The facts of a finished deal: all that a wager can see of it.

A fact is declared once, as a field of `Facts` with how it is read from a deal and what it can be. Conditions,
the checks of declarations, odds and simulation all ask that entry; whoever cannot handle a kind of fact says so.
"""

from collections.abc import Callable, Container, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from itertools import combinations_with_replacement
from operator import attrgetter
from typing import Annotated, NamedTuple

from puntobanco.cards import Card, Deal, Pack
from puntobanco.errors import DeclarationError

FactValue = str | int | None


class Winner(StrEnum):
    """How a round ends."""

    PLAYER = "player"
    BANKER = "banker"
    TIE = "tie"


class Points(NamedTuple):
    """What the point values of the cards make of a round."""

    player_total: int
    banker_total: int
    player_cards: int
    banker_cards: int

    @property
    def winner(self) -> Winner:
        if self.player_total == self.banker_total:
            return Winner.TIE
        return Winner.PLAYER if self.player_total > self.banker_total else Winner.BANKER

    @property
    def cards(self) -> int:
        return self.player_cards + self.banker_cards


class Kind(StrEnum):
    """What a fact looks at: its readers go by this, never by its name."""

    POINTS = "points"
    """Totals and numbers of cards."""
    SHARED_RANK = "shared rank"
    """The rank that some cards share, or None."""
    SHARED_SUIT = "shared suit"
    """The suit that some cards share, or None."""
    RANKS = "ranks"
    """The ranks of a completed hand, sorted in the pack's order."""
    OTHER = "other"
    """Anything else: `settle` pays it, a table plays it and `simulate.tally` counts it. It has no exact odds yet, so
    the commands that print those, `simulate` and `systems` among them, refuse a game with a wager that reads it."""


class Place(NamedTuple):
    """Some of the cards of a deal: their slots (the Player's three, then the Banker's), and what begins with them."""

    slots: tuple[int, ...]
    take: Callable[[Deal], Sequence[Card]]


PLAYER_HAND = Place((0, 1, 2), attrgetter("player"))
BANKER_HAND = Place((3, 4, 5), attrgetter("banker"))
PLAYER_FIRST_TWO = Place((0, 1), attrgetter("player"))
BANKER_FIRST_TWO = Place((3, 4), attrgetter("banker"))
EVERY_CARD = Place((0, 1, 2, 3, 4, 5), lambda deal: deal.player + deal.banker)


class Fact(NamedTuple):
    """The entry of a fact: what it looks at, how it is read from a finished deal, and what it can be in a pack."""

    kind: Kind
    read: Callable[[Deal], FactValue]
    values: Callable[[Pack], Sequence[FactValue]]
    slots: tuple[int, ...] = ()
    at: Callable[[Points], FactValue] | None = None
    """Of points: how it is read from them alone."""
    name: str = ""
    """The name of its field."""


def of_points(at: Callable[[Points], FactValue], *values: FactValue) -> Fact:
    return Fact(Kind.POINTS, lambda deal: at(Points(*points_of(deal))), lambda pack: values, at=at)


def shared_rank(place: Place) -> Fact:
    take, only_two = place.take, len(place.slots) == 2

    def read(deal: Deal) -> str | None:
        cards = take(deal)
        rank = cards[0].rank
        if rank != cards[1].rank:
            return None
        return rank if only_two or all(card.rank == rank for card in cards) else None

    return Fact(Kind.SHARED_RANK, read, lambda pack: (None, *pack.ranks), place.slots)


def shared_suit(place: Place) -> Fact:
    take, only_two = place.take, len(place.slots) == 2

    def read(deal: Deal) -> str | None:
        cards = take(deal)
        suit = cards[0].suit
        if suit != cards[1].suit:
            return None
        return suit if only_two or all(card.suit == suit for card in cards) else None

    return Fact(Kind.SHARED_SUIT, read, lambda pack: (None, *pack.suits), place.slots)


def ranks_of(place: Place) -> Fact:
    take = place.take

    def read(deal: Deal) -> str:
        cards = take(deal)
        key = cards[0].pack_id + cards[0].rank + cards[1].rank + (cards[2].rank if len(cards) == 3 else "")
        known = _SORTED_RANKS.get(key)
        if known is None:
            known = "".join([card.rank for card in sorted(cards, key=lambda card: card.rank_index)])
            _SORTED_RANKS[key] = known
        return known

    return Fact(Kind.RANKS, read, _hands_of_ranks, place.slots)


_SORTED_RANKS: dict[str, str] = {}
"""Remembered, because there are few hands and many deals."""


@lru_cache(maxsize=8)
def _hands_of_ranks(pack: Pack) -> tuple[str, ...]:
    return tuple("".join(hand) for cards in (2, 3) for hand in combinations_with_replacement(pack.ranks, cards))


class Facts(NamedTuple):
    """All that a wager can see of a finished deal; facts of points stand first."""

    winner: Annotated[Winner, of_points(attrgetter("winner"), *Winner)]
    player_total: Annotated[int, of_points(attrgetter("player_total"), *range(10))]
    banker_total: Annotated[int, of_points(attrgetter("banker_total"), *range(10))]
    player_cards: Annotated[int, of_points(attrgetter("player_cards"), 2, 3)]
    banker_cards: Annotated[int, of_points(attrgetter("banker_cards"), 2, 3)]
    cards: Annotated[int, of_points(attrgetter("cards"), 4, 5, 6)]
    player_pair: Annotated[str | None, shared_rank(PLAYER_FIRST_TWO)]
    banker_pair: Annotated[str | None, shared_rank(BANKER_FIRST_TWO)]
    player_suit: Annotated[str | None, shared_suit(PLAYER_FIRST_TWO)]
    banker_suit: Annotated[str | None, shared_suit(BANKER_FIRST_TWO)]
    one_suit: Annotated[str | None, shared_suit(EVERY_CARD)]
    player_ranks: Annotated[str, ranks_of(PLAYER_HAND)]
    banker_ranks: Annotated[str, ranks_of(BANKER_HAND)]


FACTS: Mapping[str, Fact] = {
    name: annotated.__metadata__[0]._replace(name=name) for name, annotated in Facts.__annotations__.items()
}
"""The entry of each fact, in the order of the fields."""

DETAILS = tuple(fact for fact in FACTS.values() if fact.kind is not Kind.POINTS)
_READ_POINTS = tuple([fact.at for fact in FACTS.values() if fact.at is not None])

if [fact.kind is Kind.POINTS for fact in FACTS.values()] != [True] * len(_READ_POINTS) + [False] * len(DETAILS):
    raise DeclarationError("The facts of points stand before those that look at ranks and suits.")


def points_of(deal: Deal) -> tuple[int, int, int, int]:
    """The fields of `Points` for a finished deal; a plain tuple, which is quicker to make."""
    player, banker = deal.player, deal.banker
    player_points = player[0].points + player[1].points
    banker_points = banker[0].points + banker[1].points
    if len(player) == 3:
        player_points += player[2].points
    if len(banker) == 3:
        banker_points += banker[2].points
    return player_points % 10, banker_points % 10, len(player), len(banker)


def facts_of_points(points: tuple[int, int, int, int]) -> tuple[FactValue, ...]:
    """What the facts of points are; remembered, because there are few points and many deals."""
    known = _OF_POINTS.get(points)
    if known is None:
        known = _OF_POINTS[points] = tuple([at(Points(*points)) for at in _READ_POINTS])
    return known


_OF_POINTS: dict[tuple[int, int, int, int], tuple[FactValue, ...]] = {}


def reader_of(names: Container[str]) -> Callable[[Deal], Facts]:
    """Reads these facts of a finished, lawful deal, and those of points; other details are left None."""
    wanted = [(place, fact.read) for place, fact in enumerate(DETAILS) if fact.name in names]
    nothing: list[FactValue] = [None] * len(DETAILS)

    def read(deal: Deal) -> Facts:
        details = nothing.copy()
        for place, read_detail in wanted:
            details[place] = read_detail(deal)
        # What is made here has a value for every fact, so the checks of `Facts(..)` are left out: streams are long.
        return tuple.__new__(Facts, (*facts_of_points(points_of(deal)), *details))

    return read


read_facts = reader_of(FACTS)
"""Reads all the facts of a finished deal; the deal must be lawful."""


def facts_with(points: Points, details: Mapping[str, FactValue]) -> Facts:
    """Facts with these points and these details; a detail that is not named is None, and unlike any value."""
    return Facts._make((*facts_of_points(points), *[details.get(fact.name) for fact in DETAILS]))
