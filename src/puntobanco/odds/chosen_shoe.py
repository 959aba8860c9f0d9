"""A shoe as people describe it: decks, or cards and their counts, less some that have left it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from puntobanco.cards import Shoe, shown
from puntobanco.errors import InputError
from puntobanco.odds.position import NOTHING_SEEN, Position, position_text
from puntobanco.provenance import Provenance
from puntobanco.rules.game import Game


@dataclass(frozen=True)
class ChosenShoe:
    """A shoe as somebody describes it, as the round begins."""

    shoe: Shoe
    decks: int | None
    """None where the shoe was given card by card."""
    words: str
    """Such as `8 decks less 6 6 9`."""
    removed: tuple[str, ...] = ()
    """What was taken out of it, as it was asked for."""
    given: Shoe | None = None
    """The shoe as it was given card by card, before anything is removed from it."""

    @classmethod
    def of_decks(cls, game: Game, decks: int) -> "ChosenShoe":
        """A full shoe of so many decks, which the game is played with (see `check_decks`)."""
        return cls(Shoe.full(game.pack, decks), decks, f"{decks} decks")

    @classmethod
    def of_cards(cls, shoe: Shoe, words: str) -> "ChosenShoe":
        """A shoe that is given card by card."""
        return cls(shoe, None, words, given=shoe)

    def less(self, game: Game, removed: str) -> "ChosenShoe":
        """Without these cards; a bare rank stands for any suit where no wager looks at suits."""
        words = removed.replace(",", " ").split()
        described = f"{self.words} less {' '.join(words)}" if words else self.words
        return replace(self, shoe=_without(game, self.shoe, words), words=described, removed=tuple(words))

    def provenance(self, game: Game, seen: Position = NOTHING_SEEN) -> Provenance:
        """Where a result comes from that was made from this shoe, with these cards on the table."""
        return Provenance(game, self.decks, self.given, self.removed, position_text(seen) if seen else "")


def check_decks(game: Game, decks: int | None, said: object) -> int:
    """The number of decks, which was said like this; refused unless the game is played with so many."""
    if decks is None or not game.decks.minimum <= decks <= game.decks.maximum:
        clause = game.procedure.decks
        raise InputError(
            "wrong-decks",
            f"{game.name} is played with {game.decks.minimum} to {game.decks.maximum} decks "
            f"({'' if clause.startswith('Ruling') else 'clause '}{clause}), not {shown(said)}.",
        )
    return decks


def _without(game: Game, shoe: Shoe, words: Sequence[str]) -> Shoe:
    ranks = [rank for rank in map(_bare_rank, words) if rank in tuple(game.pack.ranks)]
    shoe = shoe.without(game.pack.card(word) for word in words if _bare_rank(word) not in ranks)
    if ranks:
        _check_bare_ranks(game, ranks[0])
    for rank in ranks:
        # Any suit will do, as long as there is such a card.
        card = max((card for card in game.pack.cards if card.rank == rank), key=shoe.count)
        if not shoe.count(card):
            raise InputError("card-not-in-shoe", f"There is no {rank} left in the shoe to take out.")
        shoe = shoe.without([card])
    return shoe


def _bare_rank(word: str) -> str:
    return "T" if word == "10" else word.upper()


def _check_bare_ranks(game: Game, rank: str) -> None:
    from puntobanco.odds.removal import suits_read  # Only needed with bare ranks.

    for wager in game.paytables.values():
        if suits_read([wager]) is not None:
            suits = " or ".join(f"{rank}{suit}" for suit in game.pack.suits)
            raise InputError(
                "suit-needed",
                f"The wager {wager.id} looks at suits, so name the suit of a card to remove: {suits}, not {rank}.",
            )
