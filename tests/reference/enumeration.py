"""Exact odds the long way: every round that a shoe can deal, one after the other, each settled by hand.

Nothing here knows the package under test. A shoe is a mapping of card texts to counts, a position a
mapping of slots to the cards already seen there, which are no longer in the shoe. A round is weighed by
the number of ordered draws of six cards that begin with it, so that the weights of all rounds add up to
N (N-1) .. (N-5), or to as many factors as there are cards still unseen.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from math import perm

from .settlement import POINTS, Stakes, draw_rule, settle

Shoe = Mapping[str, int]
Seen = Mapping[str, str]
Hand = tuple[str, ...]
Round = tuple[Hand, Hand, int]
"""The Player's cards, the Banker's cards, and the number of draws that begin so."""
Payments = tuple[tuple[str, int], ...]
"""Clause and amount of each payment; none: the wager is lost."""

SLOTS = ("p1", "b1", "p2", "b2", "p3", "b3")
"""The places of a round in the order of the deal."""


def all_draws(shoe: Shoe, seen: Seen | None = None) -> int:
    """The number of ordered draws of the cards that are not seen yet."""
    return perm(sum(shoe.values()), 6 - len(seen or {}))


def every_round(
    shoe: Shoe,
    seen: Seen | None = None,
    printed_manila: bool = False,
    other_cards: int = 0,
    only_four_cards: bool = False,
) -> Iterator[Round]:
    """Every finished round, card by card in the order of the deal.

    There may be other cards in the shoe, of which only their number matters: rounds that need one of them
    are left out. So, on request, are rounds of more than four cards.
    """
    seen = seen or {}
    left = dict(shoe)
    cards = list(left)
    size = sum(left.values()) + other_cards
    free = 6 - len(seen)

    # How many ways there are to go on drawing, once a round is over, until all six cards are there.
    def after(cards_dealt: int) -> int:
        drawn = cards_dealt - len(seen)
        return perm(size - drawn, free - drawn)

    unused = {cards_dealt: after(cards_dealt) for cards_dealt in (4, 5, 6) if cards_dealt >= len(seen)}

    def draw(slot: str) -> Iterator[tuple[str, int]]:
        if slot in seen:
            yield seen[slot], 1
            return
        for card in cards:
            count = left[card]
            if count > 0:
                left[card] = count - 1
                yield card, count
                left[card] = count

    for p1, ways_p1 in draw("p1"):
        for b1, ways_b1 in draw("b1"):
            for p2, ways_p2 in draw("p2"):
                for b2, ways_b2 in draw("b2"):
                    ways = ways_p1 * ways_b1 * ways_p2 * ways_b2
                    player = (POINTS[p1] + POINTS[p2]) % 10
                    banker = (POINTS[b1] + POINTS[b2]) % 10
                    player_draws, banker_draws = draw_rule(player, banker, 0, printed_manila)
                    if not player_draws and not banker_draws:
                        yield (p1, p2), (b1, b2), ways * unused[4]
                        continue
                    if only_four_cards:
                        continue
                    if not player_draws:
                        for b3, ways_b3 in draw("b3"):
                            yield (p1, p2), (b1, b2, b3), ways * ways_b3 * unused[5]
                        continue
                    for p3, ways_p3 in draw("p3"):
                        _, banker_draws = draw_rule(player, banker, POINTS[p3], printed_manila)
                        if not banker_draws:
                            yield (p1, p2, p3), (b1, b2), ways * ways_p3 * unused[5]
                            continue
                        for b3, ways_b3 in draw("b3"):
                            yield (p1, p2, p3), (b1, b2, b3), ways * ways_p3 * ways_b3 * unused[6]


def outcomes(
    game: str,
    rounds: Iterable[Round],
    stakes: Stakes,
    *,
    element_eights: str = "on-top",
    rounding: str = "down",
    printed_manila: bool = False,
) -> dict[str, Counter[Payments]]:
    """For each wager, in how many draws it is paid what."""
    found: dict[str, Counter[Payments]] = {wager: Counter() for wager in stakes}
    for player, banker, ways in rounds:
        results = settle(
            game,
            player,
            banker,
            stakes,
            element_eights=element_eights,
            rounding=rounding,
            printed_manila=printed_manila,
        )
        for wager, (_, paid) in results.items():
            found[wager][tuple(paid)] += ways
    return found


# Full shoes have too many rounds to deal card by card. Cards are then merged that nothing in the rules
# tells apart for the wager in question: each is taken for one card that stands for all of its kind.


def merged(shoe: Shoe, stands_for: Callable[[str], str]) -> dict[str, int]:
    """The shoe with every card replaced by the one that stands for its kind."""
    found: Counter[str] = Counter()
    for card, count in shoe.items():
        found[stands_for(card)] += count
    return dict(found)


def by_points(shoe: Shoe, suit: str) -> dict[str, int]:
    """Ten kinds of cards, all of one suit: for wagers that ask only for totals and numbers of cards."""
    return merged(shoe, lambda card: "TA23456789"[POINTS[card]] + suit)


def by_rank(shoe: Shoe, suit: str) -> dict[str, int]:
    """Thirteen kinds of cards, all of one suit: for wagers that ask for pairs and for hands of certain ranks."""
    return merged(shoe, lambda card: card[0] + suit)


def by_points_and_suit(shoe: Shoe, suit: str, any_other_suit: str) -> dict[str, int]:
    """Twenty kinds of cards: by points, and whether they are of the suit in question."""
    return merged(shoe, lambda card: "TA23456789"[POINTS[card]] + (suit if card[1] == suit else any_other_suit))


def only(shoe: Shoe, wanted: Callable[[str], bool]) -> tuple[dict[str, int], int]:
    """The cards that are wanted, and the number of all others."""
    found = {card: count for card, count in shoe.items() if wanted(card)}
    return found, sum(shoe.values()) - sum(found.values())


def rounds_of_one_suit(shoe: Shoe, suit: str, printed_manila: bool = False) -> Iterator[Round]:
    """Every round all of whose cards are of the suit, merged by points."""
    cards, others = only(shoe, lambda card: card[1] == suit)
    return every_round(by_points(cards, suit), other_cards=others, printed_manila=printed_manila)


def first_two_cards(shoe: Shoe) -> Iterator[tuple[str, str, int]]:
    """Every two cards that one hand can be dealt first, whole cards, with the number of draws that hold them.

    Any two places of a draw are as good as any other two: fill these first, and the other four after.
    """
    rest = perm(sum(shoe.values()) - 2, 4)
    for first, count in shoe.items():
        for second, other_count in shoe.items():
            ways = count * (other_count - 1 if second == first else other_count)
            if ways > 0:
                yield first, second, ways * rest
