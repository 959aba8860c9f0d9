"""Finished rounds to settle: every one that differs in points, and random ones rich in rare outcomes."""

import itertools
import random
from collections.abc import Iterator

from .settlement import PACK_52, PACK_65, POINTS, draw_rule

Deal = tuple[tuple[str, ...], tuple[str, ...]]
DealOfPoints = tuple[tuple[int, ...], tuple[int, ...]]


def cards_of_pack(pack: int) -> list[str]:
    """One deck of the 52- or the 65-card pack."""
    if pack == 52:
        return PACK_52
    if pack == 65:
        return PACK_65
    raise ValueError(f"a pack has 52 or 65 cards, not {pack}")


def every_deal_of_points(printed_manila: bool = False) -> Iterator[DealOfPoints]:
    """Every way a round can run, by the points of its cards: (player, banker) in the order they are dealt."""
    for p1, b1, p2, b2 in itertools.product(range(10), repeat=4):
        player = (p1 + p2) % 10
        banker = (b1 + b2) % 10
        player_draws, banker_draws = draw_rule(player, banker, 0, printed_manila)
        if player_draws:
            for p3 in range(10):
                _, banker_draws = draw_rule(player, banker, p3, printed_manila)
                if banker_draws:
                    for b3 in range(10):
                        yield (p1, p2, p3), (b1, b2, b3)
                else:
                    yield (p1, p2, p3), (b1, b2)
        elif banker_draws:
            for b3 in range(10):
                yield (p1, p2), (b1, b2, b3)
        else:
            yield (p1, p2), (b1, b2)


def every_deal_by_points(pack: int, printed_manila: bool = False) -> Iterator[Deal]:
    """Every round that differs in points, with ranks of no value and suits that vary from card to card."""
    cards_worth: list[list[str]] = [[] for _ in range(10)]
    for card in cards_of_pack(pack):
        cards_worth[POINTS[card]].append(card)
    # A fixed multiplicative generator: the same cards on every machine and every version of Python.
    spin = 1
    for player, banker in every_deal_of_points(printed_manila):
        spin = (spin * 6364136223846793005 + 1442695040888963407) % 2**64
        digits = spin >> 16
        hands = []
        for hand in (player, banker):
            cards = []
            for points in hand:
                choice = cards_worth[points]
                cards.append(choice[digits % len(choice)])
                digits >>= 8
            hands.append(tuple(cards))
        yield hands[0], hands[1]


def deals_from_shoes(cards: list[str], generator: random.Random, printed_manila: bool) -> Iterator[Deal]:
    """Rounds without end from a shoe of these cards, shuffled again when fewer than six are left."""
    shoe = list(cards)
    last_start = len(shoe) - 6
    random_number = generator.random
    while True:
        # Faster than random.shuffle, and only random() is promised to be the same in every Python.
        shoe.sort(key=lambda _: random_number())
        at = 0
        while at <= last_start:
            p1, b1, p2, b2, fifth, sixth = shoe[at : at + 6]
            player_draws, banker_draws = draw_rule(
                (POINTS[p1] + POINTS[p2]) % 10, (POINTS[b1] + POINTS[b2]) % 10, POINTS[fifth], printed_manila
            )
            if player_draws:
                if banker_draws:
                    at += 6
                    yield (p1, p2, fifth), (b1, b2, sixth)
                else:
                    at += 5
                    yield (p1, p2, fifth), (b1, b2)
            elif banker_draws:
                at += 5
                yield (p1, p2), (b1, b2, fifth)
            else:
                at += 4
                yield (p1, p2), (b1, b2)


def shoes_of_interest(pack: int, decks: int) -> list[list[str]]:
    """Shoes to deal from in turn: whole ones, and parts of one that are rich in a rare outcome.

    A part holds nothing that the whole shoe does not hold, so each of its rounds can happen at a table.
    """
    cards = cards_of_pack(pack)
    ranks = sorted({card[0] for card in cards})
    suits = sorted({card[1] for card in cards})

    def part(some_ranks: str, some_suits: str) -> list[str]:
        return [card for card in cards if card[0] in some_ranks and card[1] in some_suits] * decks

    all_ranks = "".join(ranks)
    all_suits = "".join(suits)
    shoes = [part(all_ranks, all_suits)] * 8
    # Pairs of every rank, and rounds where the hands hold little else.
    for rank, neighbour in zip(ranks, ranks[1:] + ranks[:1], strict=True):
        shoes.append(part(rank + neighbour, all_suits))
    # One suit throughout; and nearly throughout, with one other suit coming from a single deck.
    for suit, neighbour in zip(suits, suits[1:] + suits[:1], strict=True):
        shoes.append(part(all_ranks, suit))
        shoes.append(part(all_ranks, suit) + [card for card in cards if card[1] == neighbour])
    # The Banker wins with six on two cards and on three.
    shoes.append(part("26T", all_suits))
    shoes.append(part("35689T", all_suits))
    # Wins with one and with four.
    shoes.append(part("A234TKF", all_suits))
    shoes.append(part("A56TKF", all_suits))
    if pack == 65:
        # Flaming 9's for one hand and for both; and nines that are not, for lack of a second Fire card.
        shoes.append(part("9TSLF", "f"))
        shoes.append(part("A23456789", "f"))
        shoes.append(part("9TSLF", "fw"))
        # 6 Stars, and hands that have a star twice.
        shoes.append(part("SLF", all_suits))
        shoes.append(part("TSLF", all_suits))
        # Element Eights, pairs of fours of every kind, and other ties on eight.
        shoes.append(part("4", all_suits))
        shoes.append(part("345", "fg"))
        # Gold pairs of every rank beside pairs with one Gold card.
        shoes.append(part("4SLF", "gd"))
    return shoes


def random_deals(
    pack: int,
    count: int,
    seed: int,
    shoe_decks: int = 8,
    printed_manila: bool = False,
) -> Iterator[Deal]:
    """Random finished rounds, the same for the same seed, dealt from the shoes of interest in turn."""
    generator = random.Random(seed)
    shoes = shoes_of_interest(pack, shoe_decks)
    streams = [deals_from_shoes(shoe, generator, printed_manila) for shoe in shoes]
    return itertools.islice(itertools.chain.from_iterable(zip(*streams, strict=True)), count)
