"""Which commands a table must accept, read straight from the rules and reckoned from the books alone."""

from collections import Counter
from collections.abc import Sequence

from puntobanco import Card, Deal
from puntobanco.table import Command, Irregularity, Phase, commands
from puntobanco.tableau import Hand
from reference.settlement import POINTS, lawful
from table.books import Books, ShoeBooks, hand_due, is_printed_manila

GOES_ON = (
    commands.OpenShoe,
    commands.BurnCards,
    commands.OpenBetting,
    commands.PlaceWager,
    commands.IncreaseWager,
    commands.ReduceWager,
    commands.WithdrawWager,
    commands.CloseBetting,
    commands.DealCard,
    commands.AnnounceResult,
    commands.SettleRound,
    commands.PauseTable,
)
"""What is not done at a table that is paused."""


def accepts(books: Books, command: Command) -> bool:
    """Whether the table that the books describe carries out the command."""
    phase = books.phase
    number = getattr(command, "round_number", None)
    if books.paused and isinstance(command, GOES_ON):
        return False
    if number is not None and not isinstance(command, commands.CorrectCount) and number != books.round_number:
        return False
    physical = books.settings.dealing == "dealer"
    round_settings = books.in_question.settings if books.in_question else books.settings
    match command:
        case commands.OpenTable():
            return False
        case commands.ChangeSettings(settings):
            fixed = ("game", "decks", "account", "currency", "burn_and_cut", "dealing", "overrides")
            alike = all(getattr(settings, name) == getattr(books.settings, name) for name in fixed)
            return not books.in_round and settings != books.settings and (alike or books.shoe is None)
        case commands.OpenShoe(counted):
            finished = phase is Phase.READY and (books.rounds_left == 0 or books.in_shoe < 6)
            return (phase is Phase.CLOSED or finished) and counted == books.settings.full_shoe
        case commands.BurnCards(shown, face_down):
            right_number = bool(shown) and len(shown) + face_down == 1 + (POINTS[str(shown[0])] or 10)
            enough = len(shown) + face_down <= books.in_shoe
            possible = phase is Phase.BURN_DUE and face_down >= 0 and right_number and enough
            return possible and _available(books, books.shoe, shown)
        case commands.OpenBetting():
            return phase is Phase.READY and books.rounds_left != 0 and books.in_shoe >= 6
        case commands.PlaceWager() | commands.IncreaseWager() | commands.ReduceWager() | commands.WithdrawWager():
            return phase is Phase.BETTING and _lawful_stake(books, command)
        case commands.CloseBetting():
            return phase is Phase.BETTING
        case commands.DealCard(_, hand, card):
            due = phase is Phase.DEALING and hand is books.due()
            return due and books.in_shoe > 0 and _available(books, books.shoe, [card])
        case commands.TakeBackCard():
            return physical and books.in_round and books.last_dealt is not None
        case commands.AnnounceResult():
            return phase is Phase.COMPLETE
        case commands.WithdrawAnnouncement() | commands.SettleRound():
            return phase is Phase.ANNOUNCED
        case commands.VoidRound(_, irregularity):
            return _can_void(books, irregularity)
        case commands.CorrectRound(_, deal, aside, taken_up):
            return round_settings.dealing == "dealer" and _can_correct(books, deal, aside, taken_up)
        case commands.SetCardsAside(cards):
            enough = len(cards) <= books.in_shoe
            return (
                physical and books.shoe is not None and bool(cards) and enough and _available(books, books.shoe, cards)
            )
        case commands.CorrectCount():
            return physical and _can_recount(books, command)
        case commands.PauseTable():
            return True
        case commands.ResumeTable():
            return bool(books.paused)
        case commands.EndShoe():
            return phase in (Phase.BURN_DUE, Phase.READY)


def _available(books: Books, shoe: ShoeBooks | None, cards: Sequence[Card], returned: Sequence[str] = ()) -> bool:
    pack = (books.in_question.settings if books.in_question else books.settings).game.pack
    if shoe is books.shoe:
        pack = books.settings.game.pack
    if shoe is None or any(card not in pack.cards for card in cards):
        return False
    return Counter(map(str, cards)) <= shoe.unseen + Counter(returned)


def _lawful_stake(
    books: Books,
    command: commands.PlaceWager | commands.IncreaseWager | commands.ReduceWager | commands.WithdrawWager,
) -> bool:
    patron, wager = command.patron, command.wager
    if not (1 <= len(patron) <= 64 and patron.isprintable() and patron.strip()):
        return False
    if wager not in [spot.id for spot in books.settings.game.wagers]:
        return False
    before = books.felt.get(patron, {}).get(wager, 0)
    match command:
        case commands.PlaceWager(stake=amount, currency=currency):
            possible, after = before == 0 and currency in (None, books.settings.currency), amount
        case commands.IncreaseWager(by=amount):
            possible, after = before > 0, before + amount
        case commands.ReduceWager(by=amount):
            possible, after = before > 0, before - amount
        case commands.WithdrawWager():
            return before > 0
    limits = books.settings.limits[wager]
    whole = type(amount) is int and 1 <= amount <= 10**12
    within = possible and whole and limits.minimum <= after <= limits.maximum and after % limits.step == 0
    return within and (after < before or _within_the_round(books, patron, after - before))


def _within_the_round(books: Books, patron: str, more: int) -> bool:
    """What the stakes of one patron and of all may come to; what the house may pay is tested by itself."""
    limits = books.settings.round_limits
    own = sum(books.felt.get(patron, {}).values()) + more
    everyone = sum(sum(spots.values()) for spots in books.felt.values()) + more
    return (limits.patron is None or own <= limits.patron) and (limits.table is None or everyone <= limits.table)


def _can_void(books: Books, irregularity: Irregularity) -> bool:
    in_progress = "betting dealing complete announced"
    physical = books.settings.dealing == "dealer"
    phases = {
        # 5.1, 5.4 and ruling 20 end the round in progress, whatever it has come to.
        Irregularity.FOREIGN_CARD: in_progress,
        Irregularity.ORDER_ALTERED: in_progress,
        Irregularity.TECHNICAL_FAULT: in_progress,
        # Only Fa Fa Fabulous 4 has extra and missing cards in its 5.1.
        Irregularity.EXTRA_OR_MISSING_CARD: in_progress if books.settings.game.id == "fabulous-4" else "",
        # 5.2: from the first card until the next round begins, be it in the next shoe.
        Irregularity.WRONG_NUMBER_OF_CARDS: "dealing complete announced",
        # 5.3: of the initial deal, noticed at any time before the round is settled.
        Irregularity.SIMULTANEOUS_CARDS: "dealing complete announced",
        # 5.5: while a card is due; a virtual shoe knows how many it has.
        Irregularity.INSUFFICIENT_CARDS: "dealing" if physical or not books.in_shoe else "",
    }[irregularity].split()
    if books.in_round:
        return books.phase.value in phases
    reaches_back = irregularity is Irregularity.WRONG_NUMBER_OF_CARDS
    return reaches_back and books.last is not None and not books.last.void


def _can_correct(books: Books, deal: Deal, aside: Sequence[Card], taken_up: Sequence[Card]) -> bool:
    in_question, shoe = books.in_question, books.shoe if books.in_round else books.last_shoe
    if in_question is None or in_question.void or shoe is None or books.phase is Phase.BETTING:
        return False
    printed = is_printed_manila(in_question.settings.game)
    player, banker = list(map(str, deal.player)), list(map(str, deal.banker))
    possible = _can_be_dealt(player, banker, printed) if books.in_round else lawful(player, banker, printed)
    before = in_question.player + in_question.banker
    back = [*before, *map(str, taken_up)]
    enough = len(deal.cards) + len(aside) - len(back) <= shoe.in_shoe
    changed = (player, banker) != in_question.deal or bool(aside) or bool(taken_up)
    new = Counter(map(str, deal.cards))
    new.subtract(before)
    known = all(
        card in in_question.settings.game.pack.cards and count <= min(shoe.aside.count(str(card)), new[str(card)])
        for card, count in Counter(taken_up).items()
    )
    available = _available(books, shoe, [*deal.cards, *aside], back)
    return bool(before) and known and available and possible and enough and changed


def _can_recount(books: Books, command: commands.CorrectCount) -> bool:
    shoe, keyed = books.shoe, str(command.keyed)
    if shoe is None or command.keyed not in books.settings.game.pack.cards:
        return False
    more = 0 if command.face_down is None else command.face_down - shoe.face_down
    if command.keyed is command.drawn and not more:
        return False
    if command.face_down is not None:
        of_burn = command.round_number is None and keyed in shoe.burned
        if not of_burn or command.face_down < 0 or more > shoe.in_shoe:
            return False
    if command.round_number is None:
        # The first card of a burn is there, whatever it is.
        in_burn = shoe.burned if command.drawn is not None else [card for card in shoe.burned if card != shoe.burned[0]]
        recorded = in_burn if command.face_down is not None else shoe.aside + in_burn
    else:
        recorded = [
            card
            for each in shoe.rounds
            if each.number == command.round_number and (each is not books.last or each.void)
            for card in each.out
        ]
    if command.drawn is None:
        return keyed in recorded
    return keyed in recorded and _available(books, shoe, [command.drawn], [keyed])


def _can_be_dealt(player: Sequence[str], banker: Sequence[str], printed_manila: bool) -> bool:
    """Whether the draw rule, card by card, can come to exactly these hands."""
    if not set(player) | set(banker) <= set(POINTS):
        return False
    dealt: dict[Hand, list[str]] = {Hand.PLAYER: [], Hand.BANKER: []}
    coming = {Hand.PLAYER: list(player), Hand.BANKER: list(banker)}
    while (hand := hand_due(dealt[Hand.PLAYER], dealt[Hand.BANKER], printed_manila)) and coming[hand]:
        dealt[hand].append(coming[hand].pop(0))
    return not coming[Hand.PLAYER] and not coming[Hand.BANKER]
