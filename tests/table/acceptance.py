"""Which commands a table must accept, read straight from the rules and reckoned from the books alone."""

from collections import Counter
from collections.abc import Sequence

from puntobanco import Card, Deal
from puntobanco.table import (
    AnnounceResult,
    BurnCards,
    CloseBetting,
    Command,
    CorrectRound,
    DealCard,
    EndShoe,
    IncreaseWager,
    Irregularity,
    OpenBetting,
    OpenShoe,
    Phase,
    PlaceWager,
    ReduceWager,
    SettleRound,
    VoidRound,
    WithdrawWager,
)
from puntobanco.tableau import Hand
from reference.settlement import POINTS, lawful
from table.books import Books, hand_due


def accepts(books: Books, command: Command) -> bool:
    """Whether the table that the books describe carries out the command."""
    phase = books.phase
    match command:
        case OpenShoe(counted):
            finished = phase is Phase.READY and (books.rounds_left == 0 or books.in_shoe < 6)
            return (phase is Phase.CLOSED or finished) and counted == books.settings.full_shoe
        case BurnCards(shown, face_down):
            right_number = bool(shown) and len(shown) + face_down == 1 + (POINTS[str(shown[0])] or 10)
            return phase is Phase.BURN_DUE and face_down >= 0 and right_number and _available(books, shown)
        case OpenBetting():
            return phase is Phase.READY and books.rounds_left != 0 and books.in_shoe >= 6
        case PlaceWager() | IncreaseWager() | ReduceWager() | WithdrawWager():
            return phase is Phase.BETTING and _lawful_stake(books, command)
        case CloseBetting():
            return phase is Phase.BETTING
        case DealCard(hand, card):
            return phase is Phase.DEALING and hand is books.due() and books.in_shoe > 0 and _available(books, [card])
        case AnnounceResult():
            return phase is Phase.COMPLETE
        case SettleRound():
            return phase is Phase.ANNOUNCED
        case VoidRound(irregularity):
            return _can_void(books, irregularity)
        case CorrectRound(deal, aside):
            return _can_correct(books, deal, aside)
        case EndShoe():
            return phase in (Phase.BURN_DUE, Phase.READY)


def _available(books: Books, cards: Sequence[Card], returned: Sequence[str] = ()) -> bool:
    pack = books.settings.game.pack
    if any(card not in pack.cards for card in cards):
        return False
    return Counter(map(str, cards)) <= books.unseen + Counter(returned)


def _lawful_stake(books: Books, command: PlaceWager | IncreaseWager | ReduceWager | WithdrawWager) -> bool:
    patron, wager = command.patron, command.wager
    if not (1 <= len(patron) <= 64 and patron.isprintable() and patron.strip()):
        return False
    if wager not in [spot.id for spot in books.settings.game.wagers]:
        return False
    before = books.felt.get(patron, {}).get(wager, 0)
    match command:
        case PlaceWager(stake=amount, currency=currency):
            possible, after = before == 0 and currency in (None, books.settings.currency), amount
        case IncreaseWager(by=amount):
            possible, after = before > 0, before + amount
        case ReduceWager(by=amount):
            possible, after = before > 0, before - amount
        case WithdrawWager():
            return before > 0
    limits = books.settings.limits[wager]
    whole = type(amount) is int and 1 <= amount <= 10**12
    return possible and whole and limits.minimum <= after <= limits.maximum and after % limits.step == 0


def _can_void(books: Books, irregularity: Irregularity) -> bool:
    only_initial_cards = len(books.player) <= 2 and len(books.banker) <= 2
    phases = {
        # 5.1 and 5.4 end the round in progress, whatever it has come to.
        Irregularity.FOREIGN_CARD: "betting dealing complete announced",
        Irregularity.ORDER_ALTERED: "betting dealing complete announced",
        # Only Fa Fa Fabulous 4 has extra and missing cards in its 5.1.
        Irregularity.EXTRA_OR_MISSING_CARD: "betting dealing complete announced"
        if books.settings.game.id == "fabulous-4"
        else "",
        # 5.2: from the first card until the next round begins.
        Irregularity.WRONG_NUMBER_OF_CARDS: "dealing complete announced ready",
        # 5.3: in the initial deal.
        Irregularity.SIMULTANEOUS_CARDS: "dealing complete" if only_initial_cards else "",
        # 5.5: while a card is due.
        Irregularity.INSUFFICIENT_CARDS: "dealing",
    }[irregularity].split()
    if books.phase is Phase.READY:
        return "ready" in phases and books.rounds_in_shoe > 0 and not books.last_is_void
    return books.phase.value in phases


def _can_correct(books: Books, deal: Deal, aside: Sequence[Card]) -> bool:
    player, banker = list(map(str, deal.player)), list(map(str, deal.banker))
    if books.phase is Phase.READY:
        possible = books.rounds_in_shoe > 0 and not books.last_is_void
        possible = possible and lawful(player, banker, books.printed_manila)
    else:
        possible = books.phase in (Phase.DEALING, Phase.COMPLETE, Phase.ANNOUNCED)
        possible = possible and bool(books.player) and _can_be_dealt(player, banker, books.printed_manila)
    before = books.player + books.banker + books.aside
    enough = len(deal.cards) + len(aside) - len(before) <= books.in_shoe
    changed = (player, banker) != books.deal or [*map(str, aside)] != books.aside
    return possible and enough and changed and _available(books, [*deal.cards, *aside], before)


def _can_be_dealt(player: Sequence[str], banker: Sequence[str], printed_manila: bool) -> bool:
    """Whether the draw rule, card by card, can come to exactly these hands."""
    if not set(player) | set(banker) <= set(POINTS):
        return False
    dealt: dict[Hand, list[str]] = {Hand.PLAYER: [], Hand.BANKER: []}
    coming = {Hand.PLAYER: list(player), Hand.BANKER: list(banker)}
    while (hand := hand_due(dealt[Hand.PLAYER], dealt[Hand.BANKER], printed_manila)) and coming[hand]:
        dealt[hand].append(coming[hand].pop(0))
    return not coming[Hand.PLAYER] and not coming[Hand.BANKER]
