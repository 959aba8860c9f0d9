"""Cards, packs, deals and shoes, with their text notation.

>>> FIVE_ELEMENTS.card("Sf").points
0
>>> deal = read_deal(STANDARD_PACK, "P 9s 10d | B 3h 4h")
>>> print(deal)
P 9s Td | B 3h 4h
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from puntobanco.errors import InputError, Unlawful

DECKS_ALLOWED = range(1, 33)
SHOWN_IN_ERRORS = 40
"""How much of an unreadable text an error repeats: enough to recognise it."""


def shown(text: object) -> str:
    """The text as errors repeat it: quoted, control characters escaped, cut when long."""
    quoted = repr(str(text))
    return quoted if len(quoted) <= SHOWN_IN_ERRORS else quoted[: SHOWN_IN_ERRORS - 4] + "..." + quoted[0]


@dataclass(frozen=True, slots=True, eq=False)
class Card:
    """One face of one pack. A pack makes each of its cards once, so identity is equality."""

    rank: str
    suit: str
    points: int
    rank_index: int
    index: int
    """The place in the pack's canonical order: suit by suit, rank by rank."""
    pack_id: str

    def __str__(self) -> str:
        return self.rank + self.suit

    def __repr__(self) -> str:
        return f"<{self} of {self.pack_id}>"

    def __reduce__(self) -> tuple[object, tuple[str, int]]:
        return _card_of, (self.pack_id, self.index)


@dataclass(frozen=True)
class Pack:
    """The faces of one deck, in canonical order."""

    id: str
    name: str
    ranks: str
    suits: Mapping[str, str]
    """Letter to name, in canonical order."""
    rank_names: Mapping[str, str]
    cards: tuple[Card, ...] = field(init=False, repr=False)
    _by_text: Mapping[str, Card] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        cards = tuple(
            # Ace to nine count their face value, ten and the pictures nothing.
            Card(rank, suit, place + 1 if place < 9 else 0, place, row * len(self.ranks) + place, self.id)
            for row, suit in enumerate(self.suits)
            for place, rank in enumerate(self.ranks)
        )
        object.__setattr__(self, "cards", cards)
        object.__setattr__(self, "_by_text", {str(card): card for card in cards})

    def __hash__(self) -> int:
        return hash(self.id)

    def __len__(self) -> int:
        return len(self.cards)

    def card(self, text: str) -> Card:
        """The card that the text names; `10h` is read as `Th`."""
        card = self._by_text.get(text)
        if card is not None:
            return card
        if isinstance(text, str):
            loose = text.strip()
            loose = "T" + loose[2:] if loose.startswith("10") else loose
            card = self._by_text.get(loose[:1].upper() + loose[1:].lower())
            if card is not None:
                return card
        raise InputError("unknown-card", f"{shown(text)} is not a card of the {self.name}: {self.notation_sentence()}.")

    def read(self, text: str) -> tuple[Card, ...]:
        """The cards of a text such as `9s Kd 4c`."""
        return tuple(self.card(word) for word in text.split())

    def notation_sentence(self) -> str:
        """How a card of the pack is written, for the end of a sentence."""
        suits = ", ".join(f"{letter} {name}" for letter, name in self.suits.items())
        return f"write a rank of {self.ranks} and then a suit of {suits}"


STANDARD_PACK = Pack(
    id="52",
    name="52-card pack",
    ranks="A23456789TJQK",
    suits=MappingProxyType({"c": "Clubs", "d": "Diamonds", "h": "Hearts", "s": "Spades"}),
    rank_names=MappingProxyType({"A": "Ace", "T": "Ten", "J": "Jack", "Q": "Queen", "K": "King"}),
)
"""The usual 52 cards."""
FIVE_ELEMENTS = Pack(
    id="65",
    name="65-card five-element pack",
    ranks="A23456789TSLF",
    suits=MappingProxyType({"f": "Fire", "g": "Gold", "e": "Earth", "d": "Wood", "w": "Water"}),
    rank_names=MappingProxyType({"A": "Ace", "T": "Ten", "S": "Sau", "L": "Luk", "F": "Fuk"}),
)
"""The 65 cards of the games with elements: five suits, and pictures of their own."""
PACKS = (STANDARD_PACK, FIVE_ELEMENTS)


def _card_of(pack_id: str, index: int) -> Card:
    return next(pack for pack in PACKS if pack.id == pack_id).cards[index]


@dataclass(frozen=True, slots=True)
class Deal:
    """The cards of both hands, each in the order dealt; finished or not."""

    player: tuple[Card, ...] = ()
    banker: tuple[Card, ...] = ()

    def __str__(self) -> str:
        return " ".join(["P", *map(str, self.player), "|", "B", *map(str, self.banker)])

    @property
    def cards(self) -> tuple[Card, ...]:
        return self.player + self.banker


DEAL_EXAMPLE = '"P 9s Kd 4c | B 3h 4h"'
HANDS = re.compile(r"\s*P\b(?P<player>[^|]*)\|\s*B\b(?P<banker>[^|]*)", re.IGNORECASE)


def read_deal(pack: Pack, text: str) -> Deal:
    """The deal that the text names; the inverse of `str(deal)`."""
    match = HANDS.fullmatch(text)
    if match is None:
        raise InputError(
            "unreadable-deal",
            f"{shown(text)} is not a deal: write P and the Player's cards, a bar, B and the Banker's, "
            f"such as {DEAL_EXAMPLE}.",
        )
    deal = Deal(pack.read(match["player"]), pack.read(match["banker"]))
    for name, hand in (("Player", deal.player), ("Banker", deal.banker)):
        if len(hand) > 3:
            raise Unlawful(
                "unlawful-deal",
                f"The {name} has {len(hand)} cards in {shown(text)}; a hand has at most three.",
                rule=f"{name.lower()} draws",  # As `tableau.DrawRule` names it.
            )
    return deal


@dataclass(frozen=True, slots=True)
class Shoe:
    """How many of each card there are, in no order: a full shoe, or what is left of one."""

    pack: Pack
    counts: tuple[int, ...]
    """By the card's index in the pack."""

    def __post_init__(self) -> None:
        if len(self.counts) != len(self.pack):
            raise InputError(
                "wrong-composition",
                f"A shoe of the {self.pack.name} has {len(self.pack)} counts, not {len(self.counts)}.",
            )
        for card, count in zip(self.pack.cards, self.counts, strict=True):
            if type(count) is not int or not 0 <= count <= DECKS_ALLOWED[-1]:
                raise InputError(
                    "wrong-composition",
                    f"A shoe cannot hold {shown(count)} of {card}: "
                    f"a count is a whole number from 0 to {DECKS_ALLOWED[-1]}.",
                )
        object.__setattr__(self, "counts", tuple(self.counts))

    @classmethod
    def full(cls, pack: Pack, decks: int) -> "Shoe":
        """So many decks of the pack."""
        if type(decks) is not int or decks not in DECKS_ALLOWED:
            raise InputError(
                "wrong-decks",
                f"{shown(decks)} is not a number of decks: use {DECKS_ALLOWED[0]} to {DECKS_ALLOWED[-1]}.",
            )
        return cls(pack, (decks,) * len(pack))

    @classmethod
    def of_counts(cls, pack: Pack, counts: Mapping[str, int]) -> "Shoe":
        """A shoe from card texts to counts, as in `{"Ah": 7}`; cards not named are absent."""
        found = [0] * len(pack)
        named: set[Card] = set()
        for text, count in counts.items():
            card = pack.card(text)
            if card in named:
                raise InputError("wrong-composition", f"The shoe names {card} twice.")
            named.add(card)
            found[card.index] = count
        return cls(pack, tuple(found))

    def as_counts(self) -> dict[str, int]:
        """The inverse of `of_counts`: the cards that are there, in canonical order."""
        return {str(card): count for card, count in zip(self.pack.cards, self.counts, strict=True) if count}

    @property
    def size(self) -> int:
        return sum(self.counts)

    def count(self, card: Card) -> int:
        """How often the card is in the shoe; never for a card of another pack."""
        return self.counts[card.index] if card.pack_id == self.pack.id else 0

    def with_cards(self, cards: Iterable[Card]) -> "Shoe":
        """The shoe with these cards added."""
        return self._changed(cards, 1)

    def without(self, cards: Iterable[Card]) -> "Shoe":
        """The shoe that is left when these cards leave it; refused where they are not all there."""
        return self._changed(cards, -1)

    def _changed(self, cards: Iterable[Card], change: int) -> "Shoe":
        counts = list(self.counts)
        for card in cards:
            if card.pack_id != self.pack.id:
                raise InputError("foreign-card", f"{card} does not belong to the {self.pack.name}.")
            counts[card.index] += change
            if counts[card.index] < 0:
                raise InputError("card-not-in-shoe", f"There is no {card} left in the shoe to take out.")
        return Shoe(self.pack, tuple(counts))

    def difference(self, other: "Shoe") -> str:
        """What this shoe has too many or too few of, compared with another, in words; empty if nothing."""
        changes = [
            f"{abs(mine - theirs)} {'extra' if mine > theirs else 'missing'} {card}"
            for card, mine, theirs in zip(self.pack.cards, self.counts, other.counts, strict=True)
            if mine != theirs
        ]
        if len(changes) > 6:
            changes[5:] = [f"{len(changes) - 5} other differences"]
        return ", ".join(changes)
