"""Effects of removal: what each card's leaving the shoe does to the expected value of each wager, exactly."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from puntobanco.cards import Card, Shoe
from puntobanco.errors import Unlawful
from puntobanco.odds.pricing import Odds, odds
from puntobanco.rules.facts import FACTS, FactValue, Kind
from puntobanco.rules.game import Game
from puntobanco.rules.wagers import Wager


@dataclass(frozen=True)
class Removal:
    """The effect of each card on each wager of a game."""

    odds: Odds
    """From the whole shoe."""
    effects: Mapping[Card, Mapping[str, Fraction]]
    """By card of the shoe and wager: the expected value without one such card, less that with it."""
    stake: int | None = None
    """The stake at which wagers are valued, fixed bonuses and rounding included; None leaves those out."""

    def groups(self) -> list[tuple[Card, ...]]:
        """The cards rank by rank; of one rank, those with the same effect on every wager are together."""
        found: dict[tuple[int, tuple[Fraction, ...]], list[Card]] = {}
        for card in sorted(self.effects, key=lambda card: (card.rank_index, card.index)):
            found.setdefault((card.rank_index, tuple(self.effects[card].values())), []).append(card)
        return [tuple(cards) for cards in found.values()]


def removal(
    game: Game, shoe: Shoe | None = None, own_wagers: Iterable[Wager] = (), stake: int | None = None
) -> Removal:
    """The effect of removal of every card that the shoe (by default a full one) holds.

    Over the whole shoe the effects, each times the number of such cards, sum to zero: the next card is
    as likely to be any of them, and not looking at it changes nothing.

    >>> from puntobanco import STANDARD_PACK, find_game
    >>> six = STANDARD_PACK.card("6s")
    >>> print(f"{float(removal(find_game('manila')).effects[six]['tie']):.7f}")
    -0.0011595
    """
    own_wagers = tuple(own_wagers)
    shoe = shoe if shoe is not None else Shoe.full(game.pack, game.decks.default)
    if shoe.size < 7:
        raise Unlawful(
            "insufficient-cards",
            f"A round may take 6 cards after one is removed, and the shoe holds {shoe.size}: it needs at least 7.",
            game.procedure.insufficient_cards,
        )
    whole = odds(game, shoe, own_wagers=own_wagers)
    kinds = _suit_kinds(shoe, [*game.paytables.values(), *own_wagers])
    known: dict[tuple[str, object], Mapping[str, Fraction]] = {}
    effects: dict[Card, Mapping[str, Fraction]] = {}
    for card in shoe.pack.cards:
        if not shoe.count(card):
            continue
        kind = card.rank, kinds[card.suit]
        if kind not in known:
            without = odds(game, shoe.without([card]), own_wagers=own_wagers)
            known[kind] = {
                name: wager.value(stake) - whole.wagers[name].value(stake) for name, wager in without.wagers.items()
            }
        effects[card] = known[kind]
    return Removal(whole, effects, stake)


def suits_read(wagers: Iterable[Wager]) -> frozenset[FactValue] | None:
    """The suits that the wagers name; None where they read no suit at all, so that only ranks matter."""
    named = [
        values
        for wager in wagers
        for name, values in wager.values_named.items()
        if FACTS[name].kind is Kind.SHARED_SUIT
    ]
    return frozenset[FactValue]().union(*named) if named else None


def _suit_kinds(shoe: Shoe, wagers: Iterable[Wager]) -> dict[str, object]:
    """For each suit a mark; two suits of the same mark could be exchanged throughout and no wager would notice."""
    named = suits_read(wagers)
    if named is None:
        return dict.fromkeys(shoe.pack.suits)
    ranks = len(shoe.pack.ranks)
    return {
        suit: suit if suit in named else shoe.counts[row * ranks : (row + 1) * ranks]
        for row, suit in enumerate(shoe.pack.suits)
    }
