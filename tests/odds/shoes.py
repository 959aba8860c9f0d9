"""Random shoes and positions, the same on every machine: small, lopsided, and rich in what is rare."""

import random
from collections.abc import Sequence
from typing import TypeVar

from reference.enumeration import Seen, Shoe
from reference.settlement import PACK_52, PACK_65, POINTS, draw_rule

T = TypeVar("T")
PACKS = {52: PACK_52, 65: PACK_65}

# Cards to choose from, by rank and suit: any, or those from which rare lines come.
THEMES = {
    52: ["* *", "* *", "* h", "A6 *", "36T cs", "TJQK *", "26K *", "9K8 d", "45 *"],
    65: ["* *", "* *", "* f", "* g", "9TSLF f", "45 f", "SLF *", "SLF w", "4 *", "4LF gd", "A6T *", "359 fw", "4TA *"],
}


class Picker:
    """Choices from nothing but random(), which alone is promised to be the same in every Python."""

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed)

    def below(self, end: int) -> int:
        return int(self._random.random() * end)

    def one(self, choices: Sequence[T]) -> T:
        return choices[self.below(len(choices))]

    def some(self, choices: Sequence[T], count: int) -> list[T]:
        left = list(choices)
        return [left.pop(self.below(len(left))) for _ in range(min(count, len(left)))]

    def card(self, shoe: dict[str, int]) -> str:
        """A card out of the shoe, by its chance of being drawn."""
        place = self.below(sum(shoe.values()))
        for card, count in shoe.items():
            place -= count
            if place < 0:
                shoe[card] -= 1
                return card
        raise AssertionError("The shoe is empty.")


def cards_of_theme(pack: int, theme: str) -> list[str]:
    ranks, suits = theme.split()
    return [card for card in PACKS[pack] if (card[0] in ranks or ranks == "*") and (card[1] in suits or suits == "*")]


def small_shoe(pack: int, picker: Picker, theme: str, most_faces: int) -> dict[str, int]:
    """A few faces of the theme with counts that differ much, at least six cards in all."""
    cards = picker.some(cards_of_theme(pack, theme), 2 + picker.below(most_faces - 1))
    most = picker.one([1, 2, 4, 32])
    shoe = {card: 1 + picker.below(most) for card in cards}
    while sum(shoe.values()) < 6:
        shoe[picker.one(cards)] += 1
    return shoe


def dealt_shoe(pack: int, decks: int, share: float, picker: Picker) -> dict[str, int]:
    """What is left of a full shoe when every card is gone with this chance: a lopsided one of many faces."""
    counts = {card: sum(picker.below(1000) >= share * 1000 for _ in range(decks)) for card in PACKS[pack]}
    return {card: count for card, count in counts.items() if count}


def full_shoe(pack: int, decks: int) -> dict[str, int]:
    return dict.fromkeys(PACKS[pack], decks)


def position(shoe: Shoe, picker: Picker, least_seen: int, printed_manila: bool) -> tuple[dict[str, int], Seen]:
    """Some cards of a round dealt from the shoe, and what is left: any initial cards, or all with third cards."""
    left = dict(shoe)
    dealt = {slot: picker.card(left) for slot in ("p1", "b1", "p2", "b2")}
    slots = picker.some(list(dealt), least_seen + picker.below(5 - least_seen))
    if len(slots) < 4:
        for slot in dealt.keys() - set(slots):
            left[dealt.pop(slot)] += 1
        return left, dealt
    # All four are seen: go on by the draw rule for none, one or two cards.
    further = picker.below(3)
    player = (POINTS[dealt["p1"]] + POINTS[dealt["p2"]]) % 10
    banker = (POINTS[dealt["b1"]] + POINTS[dealt["b2"]]) % 10
    player_draws, banker_draws = draw_rule(player, banker, 0, printed_manila)
    if player_draws and further:
        dealt["p3"] = picker.card(left)
        _, banker_draws = draw_rule(player, banker, POINTS[dealt["p3"]], printed_manila)
        further -= 1
    if banker_draws and further and ("p3" in dealt) == player_draws:
        dealt["b3"] = picker.card(left)
    return left, dealt
