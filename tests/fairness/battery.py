"""Statistics that a biased draw does not pass, and the mutants that show it.

A shoe is here a list of numbers: place p of the canonical order is p, so that all cards are told apart, which makes
the battery sharper than one over faces. Each statistic comes as a z-score: about normal for a fair draw, far out
for a biased one.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from math import sqrt
from random import Random

from puntobanco.cards import STANDARD_PACK
from puntobanco.fairness import (
    NO_STATE,
    Drawing,
    OpenedShoe,
    ShoeTerms,
    open_shoe,
    round_state,
    seeded_keys,
)
from puntobanco.games import find_game
from puntobanco.odds import odds
from puntobanco.tableau import STANDARD, Hand

DECKS = 8
CARDS = DECKS * len(STANDARD_PACK)
BLOCKS = 26
"""Places and cards are counted in so many blocks of 16."""
ROUNDS_PLAYED = 60
CARDS_IN_A_ROUND = 6
CAUGHT = 6.0
"""A z-score beyond this is a bias: a fair draw gives one in a run of a thousand million."""

Order = Callable[[Iterator[int]], list[int]]


def fair(words: Iterator[int]) -> list[int]:
    """The draw of the scheme, on words of 32 bits whose rejection never matters in a sample."""
    return _drawn(words, lambda word, left: word % left)


def _drawn(words: Iterator[int], place_of: Callable[[int, int], int]) -> list[int]:
    remaining, drawn = list(range(CARDS)), []
    while remaining:
        place = place_of(next(words), len(remaining))
        drawn.append(remaining[place])
        remaining[place] = remaining[-1]
        remaining.pop()
    return drawn


def swap_with_any_position(words: Iterator[int]) -> list[int]:
    cards = list(range(CARDS))
    for place in range(CARDS):
        other = next(words) % CARDS
        cards[place], cards[other] = cards[other], cards[place]
    return cards


def sattolo(words: Iterator[int]) -> list[int]:
    return _drawn(words, lambda word, left: word % (left - 1) if left > 1 else 0)


def modulo_of_bits(bits: int) -> Order:
    return lambda words: _drawn(words, lambda word, left: word % (1 << bits) % left)


STATISTICAL_MUTANTS: dict[str, Order] = {
    "swap with any position": swap_with_any_position,
    "Sattolo": sattolo,
    "modulo of 8 bits": modulo_of_bits(8),
    "modulo of 10 bits": modulo_of_bits(10),
    "modulo of 12 bits": modulo_of_bits(12),
}


def plain_words(seed: int) -> Iterator[int]:
    """Words for the mutants: theirs is the fault of the draw and not of the generator."""
    chance = Random(seed)
    while True:
        yield chance.getrandbits(32)


def shoes_of(order: Order, shoes: int, seed: int = 1) -> Iterator[list[int]]:
    words = plain_words(seed)
    return (order(words) for _ in range(shoes))


class NumberedDrawing(Drawing):
    """The draw of a committed shoe, with a number in place of each card."""

    def __init__(self, opened: OpenedShoe) -> None:
        super().__init__(opened)
        self._remaining = list(range(self.cards_left))  # type: ignore[arg-type]


def committed_shoes(shoes: int, seed: int = 1) -> Iterator[list[int]]:
    """Whole shoes as the code draws them, in rounds of six cards."""
    game = find_game("manila")
    for number in range(shoes):
        keys = seeded_keys(seed, number)
        opened = open_shoe(ShoeTerms.of(game, table="battery", shoe=f"battery-{number}", decks=DECKS), keys)
        drawing, state, drawn = NumberedDrawing(opened), NO_STATE, list[int]()
        for place, key in enumerate(keys):
            if not drawing.cards_left:
                break
            state = round_state(opened, place, state)
            drawing.begin(place, key, state)
            for _ in range(min(CARDS_IN_A_ROUND, drawing.cards_left)):
                drawn.append(drawing.draw())  # type: ignore[arg-type]
        yield drawn


def battery(shoes: Iterable[Sequence[int]]) -> dict[str, float]:
    """The z-score of each statistic over these shoes."""
    position = [[0] * BLOCKS for _ in range(BLOCKS)]
    moved, moved_back = [0] * CARDS, [0] * CARDS
    pairs = [[0] * BLOCKS for _ in range(BLOCKS)]
    places, expected_places = [0] * BLOCKS, _place_chances()
    size, count, ascents, height = CARDS // BLOCKS, 0, 0, 0.0
    results = {"banker": 0, "player": 0, "tie": 0}
    for shoe in shoes:
        count += 1
        for place, card in enumerate(shoe):
            position[place // size][card // size] += 1
            moved[(card - place) % CARDS] += 1
            moved_back[(card + place + 1) % CARDS] += 1
        for place, left in zip(places_among_remaining(shoe), range(CARDS, 0, -1), strict=True):
            places[place * BLOCKS // left] += 1
            height += (place - (left - 1) / 2) / left
        for first, second in pairwise(shoe):
            pairs[first // size][second // size] += 1
            ascents += second > first
        for winner in winners(shoe):
            results[winner] += 1
    return {
        "position by card": _chi_square(position, _independent(count)),
        "distance from the canonical place": _chi_square([moved], [[count] * CARDS]),
        "distance from the place counted backwards": _chi_square([moved_back], [[count] * CARDS]),
        "place among the remaining": _chi_square([places], [[count * chance for chance in expected_places]]),
        # A place of m has the mean (m - 1) / 2 and the variance (m * m - 1) / 12.
        "mean place among the remaining": height
        / sqrt(count * sum((left**2 - 1) / 12 / left**2 for left in range(1, CARDS + 1))),
        "adjacent pairs": _chi_square(pairs, _adjacent(count)),
        # Of n numbers in random order (n - 1) / 2 follow a smaller one; the variance is (n + 1) / 12.
        "runs": (ascents - count * (CARDS - 1) / 2) / sqrt(count * (CARDS + 1) / 12),
        **{
            f"results: {winner}": (results[winner] - rounds * chance) / sqrt(rounds * chance * (1 - chance))
            for winner, chance in exact_chances().items()
            for rounds in [count * ROUNDS_PLAYED]
        },
    }


def places_among_remaining(shoe: Sequence[int]) -> Iterator[int]:
    """Where each card lay among the remaining ones when it was drawn, if the last one takes the place of each."""
    remaining, place_of = list(range(CARDS)), list(range(CARDS))
    for card in shoe:
        place, last = place_of[card], remaining.pop()
        yield place
        if last != card:
            remaining[place] = last
            place_of[last] = place


def _place_chances() -> list[float]:
    """How many of the cards of a shoe are to lie in each block of what remains."""
    chances = [0.0] * BLOCKS
    for left in range(1, CARDS + 1):
        for place in range(left):
            chances[place * BLOCKS // left] += 1 / left
    return chances


def _independent(count: int) -> list[list[float]]:
    return [[count * CARDS / BLOCKS**2] * BLOCKS for _ in range(BLOCKS)]


def _adjacent(count: int) -> list[list[float]]:
    """A card is never followed by itself, so that pairs within a block are a little rarer."""
    size, ordered = CARDS // BLOCKS, count * (CARDS - 1) / (CARDS * (CARDS - 1))
    return [
        [ordered * size * (size - 1 if row == column else size) for column in range(BLOCKS)] for row in range(BLOCKS)
    ]


def _chi_square(found: Sequence[Sequence[int]], expected: Sequence[Sequence[float]]) -> float:
    """Pearson's sum as a z-score by the cube root of Wilson and Hilferty."""
    cells = [(f, e) for row, wanted in zip(found, expected, strict=True) for f, e in zip(row, wanted, strict=True)]
    freedom = len(cells) - 1 if len(found) == 1 else (len(found) - 1) * (len(found[0]) - 1)
    total = sum((f - e) ** 2 / e for f, e in cells)
    spread = 2 / (9 * freedom)
    return float(((total / freedom) ** (1 / 3) - (1 - spread)) / sqrt(spread))


def winners(shoe: Sequence[int]) -> Iterator[str]:
    """Who wins the first rounds, dealt without a burn."""
    points = [STANDARD_PACK.cards[number % len(STANDARD_PACK)].points for number in shoe]
    place = 0
    for _ in range(ROUNDS_PLAYED):
        player, banker = [points[place], points[place + 2]], [points[place + 1], points[place + 3]]
        place += 4
        while (hand := STANDARD.decide(player, banker).hand) is not None:
            (player if hand is Hand.PLAYER else banker).append(points[place])
            place += 1
        difference = sum(player) % 10 - sum(banker) % 10
        yield "player" if difference > 0 else "banker" if difference < 0 else "tie"


def exact_chances() -> dict[str, float]:
    """What the exact odds of a full shoe say; each of the first rounds of a shoe has the same."""
    found = odds(find_game("manila")).wagers
    chances: dict[str, Fraction] = {winner: found[winner].hit for winner in ("banker", "player", "tie")}
    return {winner: float(chance) for winner, chance in chances.items()}


def worst(scores: dict[str, float]) -> tuple[str, float]:
    """The statistic that is farthest out."""
    name = max(scores, key=lambda each: abs(scores[each]))
    return name, scores[name]
