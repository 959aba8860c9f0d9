"""Cards already on the table: `P 9s ? | B 3h ?`, where a question mark is a card not seen yet."""

from collections.abc import Mapping

from puntobanco.cards import HANDS, Card, Deal, Pack, shown
from puntobanco.errors import InputError, Unlawful
from puntobanco.odds.terms import BANKER_SLOTS, PLAYER_SLOTS
from puntobanco.tableau import Hand, Tableau

Position = Mapping[int, Card]
"""The cards seen, by slot: 0 to 2 the Player's first, second and third card, 3 to 5 the Banker's."""

NOTHING_SEEN: Position = {}


def read_position(pack: Pack, tableau: Tableau, text: str) -> Position:
    """The position that the text names; refused if the tableau could not have dealt it."""
    match = HANDS.fullmatch(text)
    if match is None:
        raise InputError(
            "unreadable-deal",
            f'{shown(text)} is not a position: write it like "P 9s ? | B 3h ?", ? for a card not seen.',
        )
    position: dict[int, Card] = {}
    pending: list[Hand] = []
    for slots, words in ((PLAYER_SLOTS, match["player"].split()), (BANKER_SLOTS, match["banker"].split())):
        if len(words) > len(slots):
            raise Unlawful("unlawful-deal", f"A hand has at most three cards, not {len(words)} as in {shown(text)}.")
        position |= {slot: pack.card(word) for slot, word in zip(slots, words, strict=False) if word != "?"}
        if words[2:] == ["?"]:
            pending.append(Hand.PLAYER if slots is PLAYER_SLOTS else Hand.BANKER)
    check_position(pack, tableau, position)
    for hand in pending:
        _check_pending(tableau, position, hand)
    return position


def _check_pending(tableau: Tableau, position: Position, hand: Hand) -> None:
    """A third card can be awaited only where the tableau may still deal it."""
    if not position.keys() >= {0, 1, 3, 4}:
        raise Unlawful("unlawful-deal", "A third card can be awaited only when the first two of both hands are seen.")
    deal = _deal(position)
    due = tableau.due(deal).hand
    if due is None or (hand is Hand.PLAYER and due is Hand.BANKER):
        _, rule, why = tableau.explain_to(hand, deal)
        raise Unlawful("unlawful-deal", f"The {hand.label} awaits no third card: {why}.", rule=rule)


def _deal(position: Position) -> Deal:
    return Deal(
        tuple(position[slot] for slot in PLAYER_SLOTS if slot in position),
        tuple(position[slot] for slot in BANKER_SLOTS if slot in position),
    )


def is_finished(tableau: Tableau, position: Position) -> bool:
    """Whether no card is due any more."""
    return position.keys() >= {0, 1, 3, 4} and tableau.due(_deal(position)).hand is None


def check_position(pack: Pack, tableau: Tableau, position: Position) -> None:
    """Raise InputError unless the cards are of this pack, Unlawful unless a round by this tableau can show them."""
    for slot, card in position.items():
        if slot not in PLAYER_SLOTS + BANKER_SLOTS:
            raise Unlawful("unlawful-deal", f"A round has the slots 0 to 5, not {slot!r}.")
        if card.pack_id != pack.id:
            raise InputError("foreign-card", f"{card} does not belong to the {pack.name}.")
    if 2 in position or 5 in position:
        if not position.keys() >= {0, 1, 3, 4}:
            raise Unlawful("unlawful-deal", "A third card is dealt only when the first two of both hands are seen.")
        tableau.check_so_far(_deal(position))


def position_of(deal: Deal) -> Position:
    """The position in which exactly the cards of the deal have been seen."""
    return dict(zip(PLAYER_SLOTS, deal.player, strict=False)) | dict(zip(BANKER_SLOTS, deal.banker, strict=False))


def position_text(seen: Position) -> str:
    """The inverse of `read_position`: a question mark for each of the first two cards that is not seen."""

    def hand(slots: tuple[int, ...]) -> str:
        cards = [str(seen.get(slot, "?")) for slot in slots]
        return " ".join(cards if slots[2] in seen else cards[:2])

    return f"P {hand(PLAYER_SLOTS)} | B {hand(BANKER_SLOTS)}"
