"""The kernel in plain Python: the same tallies for the same seed, a thousand times slower.

It is the description of what _simulate_kernel does, the reference of its tests, and what serves where there is no
compiler. See there for the generators and why no place is likelier than another.
"""

from array import array
from collections.abc import Iterator
from typing import Any

from puntobanco.dealing import CARDS_FOR_A_ROUND
from puntobanco.simulate.tables import CELLS_OF_A_DETAIL, MOST_HANDS, NO_CARD, RANKS, SUITS

WORD = 0xFFFF_FFFF


def philox(seed: int, shoe: int, word: int, attempt: int) -> list[int]:
    """Philox4x32-10: four words of 32 bits from a key of 64 bits and a counter of 128."""
    a, b, c, d = shoe & WORD, shoe >> 32, word, attempt
    key, other_key = seed & WORD, seed >> 32
    for _ in range(10):
        first, second = a * 0xD2511F53, c * 0xCD9E8D57
        a, b, c, d = second >> 32 ^ b ^ key, second & WORD, first >> 32 ^ d ^ other_key, first & WORD
        key, other_key = key + 0x9E3779B9 & WORD, other_key + 0xBB67AE85 & WORD
    return [a, b, c, d]


def rotated(word: int, by: int) -> int:
    return (word << by | word >> 32 - by) & WORD


def next_word(state: list[int]) -> int:
    """xoshiro128++."""
    a, b, c, d = state
    word = rotated(a + d & WORD, 7) + a & WORD
    c, d = c ^ a, d ^ b
    state[:] = a ^ d, b ^ c, c ^ b << 9 & WORD, rotated(d, 11)
    return word


class _Struct:
    """The encoded tables, taken apart again."""

    def __init__(self, encoded: bytes) -> None:
        numbers = iter(array("H", encoded))

        def table(length: int) -> list[int]:
            return [next(numbers) for _ in range(length)]

        self.counts = table(RANKS * SUITS)
        self.points = table(RANKS)
        self.player_draws, self.banker_draws_first, self.banker_draws_second = table(10), table(10), table(10)
        self.player_pair, self.banker_pair = table(RANKS), table(RANKS)
        self.player_suit, self.banker_suit, self.one_suit = table(SUITS), table(SUITS), table(SUITS)
        hands = next(numbers)
        self.hands = [(next(numbers), table(RANKS), next(numbers), next(numbers)) for _ in range(MOST_HANDS)][:hands]

    @property
    def faces(self) -> list[int]:
        """Every card of a new shoe, in the order of the tables."""
        return [face for face, count in enumerate(self.counts) for _ in range(count)]


class _PlacesOfAShoe:
    """Where the cards of one shoe lie among those unseen, two by two."""

    def __init__(self, seed: int, shoe: int) -> None:
        self.seed, self.shoe = seed, shoe
        self.state = philox(seed, shoe, 0, 0)
        self.words = 0

    def two(self, n: int) -> tuple[int, int]:
        """The next place among n cards, and then one among those that are left."""
        word, attempt, pairs = next_word(self.state), 0, n * (n - 1)
        while word * pairs & WORD < (WORD + 1) % pairs:
            attempt += 1
            word = philox(self.seed, self.shoe, self.words, attempt)[0]
        self.words += 1
        return divmod(word * pairs >> 32, n - 1)


def deal_shoe(
    tables: _Struct, seed: int, shoe: int, burn: bool, cut: int, rounds: int
) -> Iterator[tuple[tuple[int, ...], int]]:
    """The rounds of one shoe: the six cards, NO_CARD for one not dealt, and the cell."""
    unseen, two_places = tables.faces, _PlacesOfAShoe(seed, shoe).two
    burned = 0
    if burn:
        shown = unseen.pop(two_places(len(unseen))[0])
        burned = tables.points[shown // SUITS] or 10
    last = len(unseen) - burned <= cut
    dealt = 0
    while dealt < rounds if rounds else len(unseen) - burned >= CARDS_FOR_A_ROUND:
        n = len(unseen)
        places = (*two_places(n), *two_places(n - 2), *two_places(n - 4))
        yield _deal_round(tables, unseen, places)
        dealt += 1
        if not rounds:
            if last:
                return
            last = len(unseen) - burned <= cut


def _deal_round(tables: _Struct, unseen: list[int], places: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
    p1, b1, p2, b2 = [unseen.pop(place) for place in places[:4]]
    thirds = iter(places[4:])
    p3 = b3 = NO_CARD
    points = tables.points
    player = (points[p1 // SUITS] + points[p2 // SUITS]) % 10
    banker = (points[b1 // SUITS] + points[b2 // SUITS]) % 10
    if tables.player_draws[player] >> banker & 1:
        p3 = unseen.pop(next(thirds))
        banker_draws = tables.banker_draws_second[points[p3 // SUITS]] >> banker & 1
        player = (player + points[p3 // SUITS]) % 10
    else:
        banker_draws = tables.banker_draws_first[player] >> banker & 1
    if banker_draws:
        b3 = unseen.pop(next(thirds))
        banker = (banker + points[b3 // SUITS]) % 10
    cards = (p1, p2, p3, b1, b2, b3)
    totals = player * 10 + banker + 128 * (p3 != NO_CARD) + 256 * (b3 != NO_CARD)
    return cards, totals + CELLS_OF_A_DETAIL * _detail(tables, cards)


def _detail(tables: _Struct, cards: tuple[int, ...]) -> int:
    ranks, suits = [card // SUITS for card in cards], [card % SUITS for card in cards]
    detail = 0
    if ranks[0] == ranks[1]:
        detail += tables.player_pair[ranks[0]]
    if ranks[3] == ranks[4]:
        detail += tables.banker_pair[ranks[3]]
    if suits[0] == suits[1]:
        detail += tables.player_suit[suits[0]]
    if suits[3] == suits[4]:
        detail += tables.banker_suit[suits[3]]
    if len({suit for card, suit in zip(cards, suits, strict=True) if card != NO_CARD}) == 1:
        detail += tables.one_suit[suits[0]]
    for of_banker, codes, total, adds in tables.hands:
        hand = slice(3, 6) if of_banker else slice(0, 3)
        held = [rank for card, rank in zip(cards[hand], ranks[hand], strict=True) if card != NO_CARD]
        if sum(codes[rank] for rank in held) == total:
            detail += adds
    return detail


def tally(
    encoded: bytes,
    seed: int,
    burn: bool,
    cut: int,
    rounds: int,
    first: int,
    shoes: int,
    instructions: int,
    tallies: "array[Any]",
) -> None:
    """Deal the shoes numbered from first on, and add the number of rounds in each cell to the tallies."""
    tables = _Struct(encoded)
    for shoe in range(first, first + shoes):
        for _, cell in deal_shoe(tables, seed, shoe, burn, cut, rounds):
            tallies[cell] += 1


def deal(encoded: bytes, seed: int, burn: bool, cut: int, rounds: int, first: int, shoes: int) -> list[bytes]:
    """The rounds of some shoes, one bytes a shoe, eight bytes a round: six cards and the cell."""
    tables = _Struct(encoded)
    return [
        b"".join(
            bytes(cards) + cell.to_bytes(2, "little")
            for cards, cell in deal_shoe(tables, seed, shoe, burn, cut, rounds)
        )
        for shoe in range(first, first + shoes)
    ]


def shown_cards(encoded: bytes, seed: int, burn: bool, cut: int, rounds: int, first: int, shoes: int) -> bytes:
    """The card that is shown before the burn of each of some shoes, NO_CARD without a burn."""
    if not burn:
        return bytes([NO_CARD]) * shoes
    faces = _Struct(encoded).faces
    return bytes(faces[_PlacesOfAShoe(seed, shoe).two(len(faces))[0]] for shoe in range(first, first + shoes))


def instructions() -> int:
    """None but Python's own."""
    return 0
