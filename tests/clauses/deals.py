"""Deals to settle, each finished by the table of play as the documents print it, not by the package's own."""

from collections.abc import Iterator
from functools import cache
from itertools import product

from puntobanco import Card, Deal, Pack

BANKER_DRAWS_AGAINST = {
    0: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9),
    1: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9),
    2: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9),
    3: (0, 1, 2, 3, 4, 5, 6, 7, 9),
    4: (2, 3, 4, 5, 6, 7),
    5: (4, 5, 6, 7),
    6: (6, 7),
    7: (),
}
"""By the Banker's total: the values of the Player's third card against which the Banker draws."""


def sum_of(cards: tuple[Card, ...]) -> int:
    """What the cards are worth together, from their ranks alone."""
    return sum("A23456789".find(card.rank) + 1 for card in cards)


def last_digit(number: int) -> int:
    return int(str(number)[-1])


def total_of(cards: tuple[Card, ...]) -> int:
    return last_digit(sum_of(cards))


def card_worth(pack: Pack, points: int, suit: int = 0) -> Card:
    """A card of that value; the first picture stands for zero."""
    rank = "A23456789"[points - 1] if points else pack.ranks[10]
    return pack.card(rank + list(pack.suits)[suit])


def two_cards_worth(pack: Pack, total: int) -> tuple[Card, Card]:
    """Two cards of that total that are neither a pair nor of one suit."""
    return pack.card("T" + next(iter(pack.suits))), card_worth(pack, total, suit=1)


def completions(pack: Pack, player: tuple[Card, ...], banker: tuple[Card, ...]) -> Iterator[Deal]:
    """Every way to finish a deal that begins like this, with third cards of every value."""
    player_total, banker_total = total_of(player), total_of(banker)
    thirds = [card_worth(pack, points, suit=2) for points in range(10)]
    if player_total >= 8 or banker_total >= 8:
        yield Deal(player, banker)
    elif player_total >= 6:
        if banker_total >= 6:
            yield Deal(player, banker)
        else:
            for third in thirds:
                yield Deal(player, (*banker, third))
    else:
        for points, player_third in enumerate(thirds):
            if points in BANKER_DRAWS_AGAINST[banker_total]:
                for third in thirds:
                    yield Deal((*player, player_third), (*banker, third))
            else:
                yield Deal((*player, player_third), banker)


def initial_deals(pack: Pack) -> Iterator[tuple[int, int, Deal]]:
    """Every total of the first two cards of each hand, with a deal that has it."""
    for player, banker in product(range(10), repeat=2):
        yield player, banker, Deal(two_cards_worth(pack, player), two_cards_worth(pack, banker))


@cache
def every_deal(pack: Pack) -> tuple[Deal, ...]:
    """A finished deal for every total of two cards and every value of the third cards."""
    return tuple(deal for _, _, start in initial_deals(pack) for deal in completions(pack, start.player, start.banker))


def pairs_of_cards(pack: Pack) -> Iterator[tuple[Card, Card]]:
    """Every card of the pack followed by every card, itself from another deck included."""
    return product(pack.cards, pack.cards)


def natural_eight(pack: Pack) -> tuple[Card, Card]:
    """A hand that ends the draw, so that any two cards of the other hand make a finished deal."""
    return two_cards_worth(pack, 8)
