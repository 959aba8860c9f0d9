"""Who draws: the table of play as data, and the one place that reads it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from itertools import product
from typing import NamedTuple

from puntobanco.cards import Deal
from puntobanco.errors import DeclarationError, Unlawful
from puntobanco.immutable import FrozenMap


class Hand(StrEnum):
    """The two hands. The people who wager on them are patrons."""

    PLAYER = "player"
    BANKER = "banker"

    @property
    def label(self) -> str:
        return self.value.capitalize()


class DrawRule(StrEnum):
    """The part of a rule document that a draw or a stand rests on."""

    INITIAL_DEAL = "initial deal"
    NATURAL = "natural"
    PLAYER_DRAWS = "player draws"
    PLAYER_STOOD = "player stood"
    BANKER_DRAWS = "banker draws"
    COMPLETE = "complete"


class Decision(NamedTuple):
    """Which hand is due a card (None: no hand), and by which rule."""

    hand: Hand | None
    rule: DrawRule


class Explanation(NamedTuple):
    """Why a hand draws or stands: a sentence without its stop, and the rule that it rests on."""

    hand: Hand | None
    """None where it is said of both."""
    rule: DrawRule
    sentence: str


def digits(text: str) -> frozenset[int]:
    """The point values of a cell such as `0-7 9`."""
    found: set[int] = set()
    for part in text.split():
        first, _, last = part.partition("-")
        found.update(range(int(first), int(last or first) + 1))
    if not found <= set(range(10)):
        raise DeclarationError(f"A cell of the tableau holds point values from 0 to 9, not {text!r}.")
    return frozenset(found)


def total(points: Sequence[int]) -> int:
    """The point total of a hand: the right digit of the sum."""
    return sum(points) % 10


@dataclass(frozen=True)
class Tableau:
    """The table of play, in the cells in which the rule documents print it."""

    name: str
    naturals: str
    """Totals of two cards that end the draw for both hands."""
    player_draws: str
    banker_draws_when_player_stands: str
    banker_draws: Mapping[int, str]
    """The Banker's total to the point values of the Player's third card on which the Banker draws."""

    _cells: tuple[frozenset[int], frozenset[int], frozenset[int], Mapping[int, frozenset[int]]] = field(
        init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        naturals = digits(self.naturals)
        if set(self.banker_draws) != set(range(10)) - naturals:
            raise DeclarationError(f"Tableau {self.name!r} needs a Banker row for each total that is not a natural.")
        cells = (
            naturals,
            digits(self.player_draws),
            digits(self.banker_draws_when_player_stands),
            FrozenMap({banker: digits(cell) for banker, cell in self.banker_draws.items()}),
        )
        object.__setattr__(self, "banker_draws", FrozenMap(self.banker_draws))
        object.__setattr__(self, "_cells", cells)

    def __hash__(self) -> int:
        return hash(self.name)

    def player_draws_on(self, points: int) -> bool:
        return points in self._cells[1]

    def banker_draws_on(self, points: int) -> bool:
        """Whether the Banker draws on this total when the Player stood."""
        return points in self._cells[2]

    def decide(self, player: Sequence[int], banker: Sequence[int]) -> Decision:
        """Which hand is due the next card, from the point values that both hands hold so far."""
        dealt = len(player), len(banker)
        if dealt in ((0, 0), (1, 1)):
            return Decision(Hand.PLAYER, DrawRule.INITIAL_DEAL)
        if dealt in ((1, 0), (2, 1)):
            return Decision(Hand.BANKER, DrawRule.INITIAL_DEAL)
        naturals, player_draws, when_player_stands, banker_draws = self._cells
        banker_total = total(banker[:2])
        if dealt == (2, 2):
            player_total = total(player)
            if player_total in naturals or banker_total in naturals:
                return Decision(None, DrawRule.NATURAL)
            if player_total in player_draws:
                return Decision(Hand.PLAYER, DrawRule.PLAYER_DRAWS)
            return Decision(Hand.BANKER if banker_total in when_player_stands else None, DrawRule.PLAYER_STOOD)
        if dealt == (3, 2):
            draws = player[2] in banker_draws[banker_total]
            return Decision(Hand.BANKER if draws else None, DrawRule.BANKER_DRAWS)
        if dealt in ((3, 3), (2, 3)):
            return Decision(None, DrawRule.COMPLETE)
        raise Unlawful("unlawful-deal", f"No deal has {dealt[0]} Player and {dealt[1]} Banker cards.")

    def due(self, deal: Deal) -> Decision:
        """Which hand of the deal is due the next card."""
        return self.decide([card.points for card in deal.player], [card.points for card in deal.banker])

    def explain(self, deal: Deal) -> tuple[Explanation, ...]:
        """The decision of `due` in words: two where the Player stands, since each hand then follows a rule of its own.

        >>> from puntobanco.cards import STANDARD_PACK, read_deal
        >>> [(rule.value, words) for _, rule, words in STANDARD.explain(read_deal(STANDARD_PACK, "P 2h 4h | B Kc 5c"))]
        [('player draws', 'the Player stands on 6'), ('player stood', 'the Banker draws on 5 after the Player stood')]
        """
        hand, rule = self.due(deal)
        verb = "draws" if hand else "stands"
        player_total = total([card.points for card in deal.player[:2]])
        banker_total = total([card.points for card in deal.banker[:2]])
        if rule is DrawRule.INITIAL_DEAL:
            ordinal = "first" if len(deal.banker) == 0 else "second"
            assert hand is not None  # an initial card is always due to a hand
            return (Explanation(hand, rule, f"the {hand.label}'s {ordinal} card is due"),)
        if rule is DrawRule.NATURAL:
            naturals = [
                f"{name} has a natural {points}"
                for name, points in (("the Player", player_total), ("the Banker", banker_total))
                if points in self._cells[0]
            ]
            return (Explanation(None, rule, f"{' and '.join(naturals)}, so no more cards are dealt"),)
        if rule is DrawRule.PLAYER_DRAWS:
            return (Explanation(Hand.PLAYER, rule, f"the Player draws on {player_total}"),)
        if rule is DrawRule.PLAYER_STOOD:
            return (
                # The rule by which the Player draws is the one by which the Player stands.
                Explanation(Hand.PLAYER, DrawRule.PLAYER_DRAWS, f"the Player stands on {player_total}"),
                Explanation(Hand.BANKER, rule, f"the Banker {verb} on {banker_total} after the Player stood"),
            )
        if rule is DrawRule.BANKER_DRAWS:
            against = f"against the Player's third card {deal.player[2]}"
            return (Explanation(Hand.BANKER, rule, f"the Banker {verb} on {banker_total} {against}"),)
        last = DrawRule.BANKER_DRAWS if len(deal.player) == 3 else DrawRule.PLAYER_STOOD
        return (Explanation(None, last, "both hands are complete"),)

    def explain_to(self, hand: Hand, deal: Deal) -> Explanation:
        """Why the next card goes to that hand or does not; where nothing is said of it, what is said of the other."""
        explained = self.explain(deal)
        return next((each for each in explained if each.hand is hand), explained[-1])

    def check(self, deal: Deal) -> None:
        """Raise Unlawful, naming the card that is wrong, unless this tableau deals exactly these cards."""
        player, banker = deal.player, deal.banker
        if len(player) in (2, 3) and len(banker) in (2, 3):
            player_total = (player[0].points + player[1].points) % 10
            banker_total = (banker[0].points + banker[1].points) % 10
            third = player[2].points if len(player) == 3 else None
            if (player_total, banker_total, third, len(banker)) in self._finished:
                return
        self._explain_fault(deal)

    @cached_property
    def _finished(self) -> frozenset[tuple[int, int, int | None, int]]:
        """Every finished deal: two-card totals, the Player's third card if any, the Banker's number of cards."""
        found: set[tuple[int, int, int | None, int]] = set()
        for player, banker in product(range(10), repeat=2):
            hand = self.decide((0, player), (0, banker)).hand
            if hand is Hand.PLAYER:
                for third in range(10):
                    draws = self.decide((0, player, third), (0, banker)).hand is Hand.BANKER
                    found.add((player, banker, third, 3 if draws else 2))
            else:
                found.add((player, banker, None, 3 if hand is Hand.BANKER else 2))
        return frozenset(found)

    def _explain_fault(self, deal: Deal) -> None:
        for hand, cards in ((Hand.PLAYER, deal.player), (Hand.BANKER, deal.banker)):
            if not 2 <= len(cards) <= 3:
                drawn = DrawRule.PLAYER_DRAWS if hand is Hand.PLAYER else DrawRule.BANKER_DRAWS
                raise Unlawful(
                    "unlawful-deal",
                    f"The {hand.label} has {count_of_cards(cards)} in {deal}; a hand has two or three.",
                    rule=DrawRule.INITIAL_DEAL if len(cards) < 2 else drawn,
                )
        self._check_third(deal, Hand.PLAYER, Deal(deal.player[:2], deal.banker[:2]))
        self._check_third(deal, Hand.BANKER, Deal(deal.player, deal.banker[:2]))

    def check_so_far(self, deal: Deal) -> None:
        """Raise Unlawful, naming the card that is wrong, unless this tableau can begin a deal like this."""
        dealt = len(deal.player), len(deal.banker)
        if dealt in ((0, 0), (1, 0), (1, 1), (2, 1), (2, 2)):
            return
        if dealt == (3, 2):
            self._check_third(deal, Hand.PLAYER, Deal(deal.player[:2], deal.banker))
        else:
            self.check(deal)

    def _check_third(self, deal: Deal, hand: Hand, before: Deal) -> None:
        cards = deal.player if hand is Hand.PLAYER else deal.banker
        is_due = self.due(before).hand is hand
        if is_due == (len(cards) == 3):
            return
        wrong = "third card is missing" if is_due else f"third card {cards[2]} is wrong"
        _, rule, why = self.explain_to(hand, before)
        raise Unlawful("unlawful-deal", f"The {hand.label}'s {wrong} in {deal}: {why}.", rule=rule)


def count_of_cards(cards: Sequence[object]) -> str:
    """`1 card`, `3 cards`."""
    return f"{len(cards)} card{'' if len(cards) == 1 else 's'}"


STANDARD = Tableau(
    name="standard",
    naturals="8-9",
    player_draws="0-5",
    banker_draws_when_player_stands="0-5",
    banker_draws={
        0: "0-9",
        1: "0-9",
        2: "0-9",
        3: "0-7 9",
        4: "2-7",
        5: "4-7",
        6: "6-7",
        7: "",
    },
)
