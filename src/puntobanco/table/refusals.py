"""When a table refuses a command: the reason, the clause, and a sentence for the person who asked."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum, auto

from puntobanco.cards import Card, shown
from puntobanco.dealing import CARDS_FOR_A_ROUND
from puntobanco.errors import InputError, nearest
from puntobanco.rules.documents import cited
from puntobanco.rules.game import Game
from puntobanco.rules.wagers import check_money
from puntobanco.table.commands import (
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
    PlaceWager,
    ReduceWager,
    SettleRound,
    VoidRound,
    WagerCommand,
    WithdrawWager,
)
from puntobanco.table.state import Phase, Table

PATRON_NAME_LIMIT = 64


class Reason(IntEnum):
    """Why a command is refused, in order of precedence: of several reasons the first is given."""

    NO_SHOE = auto()
    SHOE_IN_PLAY = auto()
    WRONG_COMPOSITION = auto()
    BURN_NOT_DUE = auto()
    BURN_DUE = auto()
    ROUND_IN_PROGRESS = auto()
    SHOE_FINISHED = auto()
    INSUFFICIENT_CARDS = auto()
    BETTING_NOT_OPEN = auto()
    LATE_WAGER = auto()
    LATE_INCREASE = auto()
    LATE_WITHDRAWAL = auto()
    NO_ROUND = auto()
    ALREADY_VOID = auto()
    NEXT_ROUND_BEGUN = auto()
    EARLIER_RESULTS_STAND = auto()
    NOT_IN_THE_RULES = auto()
    NO_CARDS_DEALT = auto()
    INITIAL_DEAL_OVER = auto()
    NO_CARD_DUE = auto()
    BETTING_STILL_OPEN = auto()
    ALREADY_ANNOUNCED = auto()
    CARDS_STILL_DUE = auto()
    NOT_ANNOUNCED = auto()
    BAD_PATRON = auto()
    UNKNOWN_WAGER = auto()
    WRONG_CURRENCY = auto()
    BAD_STAKE = auto()
    ALREADY_PLACED = auto()
    NOTHING_PLACED = auto()
    REDUCED_TO_NOTHING = auto()
    BELOW_MINIMUM = auto()
    ABOVE_MAXIMUM = auto()
    OFF_STEP = auto()
    WRONG_HAND = auto()
    FOREIGN_CARD = auto()
    CARD_EXHAUSTED = auto()
    WRONG_BURN = auto()
    UNLAWFUL_DEAL = auto()
    NOTHING_TO_CORRECT = auto()

    @property
    def code(self) -> str:
        """The reason as programs read it: `late-wager`."""
        return self.name.lower().replace("_", "-")


@dataclass(frozen=True)
class Refusal:
    """A command that was not carried out. Nothing has changed."""

    reason: Reason
    message: str
    clause: str | None = None

    def __str__(self) -> str:
        return f"{self.message} ({cited(self.clause)})" if self.clause else self.message


class Refused(Exception):
    """Carries a refusal out of `decide`."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal


def refusal(table: Table, command: Command) -> Refusal | None:
    """Why the table refuses the command now; None if it does not."""
    return next(_refusals(table, command), None)


def _refusals(table: Table, command: Command) -> Iterator[Refusal]:
    match command:
        case OpenShoe():
            yield from _open_shoe(table, command)
        case BurnCards():
            yield from _burn(table, command)
        case OpenBetting():
            yield from _open_betting(table)
        case PlaceWager() | IncreaseWager() | ReduceWager() | WithdrawWager():
            yield from _wager(table, command)
        case CloseBetting():
            yield from _needs_shoe(table)
            if table.phase is not Phase.BETTING:
                yield _betting_not_open(table)
        case DealCard():
            yield from _deal_card(table, command)
        case AnnounceResult():
            yield from _announce(table)
        case SettleRound():
            yield from _settle(table)
        case VoidRound():
            yield from _void(table, command)
        case CorrectRound():
            yield from _correct(table, command)
        case EndShoe():
            yield from _needs_shoe(table)
            yield from _needs_no_round(table)


def _needs_shoe(table: Table) -> Iterator[Refusal]:
    if table.phase is Phase.CLOSED:
        yield Refusal(Reason.NO_SHOE, "No shoe is in play.")


def _needs_no_round(table: Table) -> Iterator[Refusal]:
    if table.phase.in_round:
        yield Refusal(Reason.ROUND_IN_PROGRESS, f"Round {table.round_number} is still in progress.")


def _open_shoe(table: Table, command: OpenShoe) -> Iterator[Refusal]:
    between_shoes = table.phase is Phase.CLOSED or (table.phase is Phase.READY and table.shoe_finished)
    if not between_shoes:
        yield Refusal(Reason.SHOE_IN_PLAY, f"Shoe {table.shoe_number} is still in play.")
    settings = table.settings
    game = settings.game
    if command.counted.pack != game.pack:
        yield Refusal(
            Reason.WRONG_COMPOSITION,
            f"{game.name} is played with the {game.pack.name}, not with the {command.counted.pack.name}.",
            game.procedure.decks,
        )
    difference = command.counted.difference(settings.full_shoe)
    if difference:
        yield Refusal(
            Reason.WRONG_COMPOSITION,
            f"A shoe of {settings.decks} decks has {settings.full_shoe.size} cards; "
            f"{command.counted.size} were counted: {difference}.",
            game.procedure.decks,
        )


def _burn(table: Table, command: BurnCards) -> Iterator[Refusal]:
    yield from _needs_shoe(table)
    if table.phase is not Phase.BURN_DUE:
        yield Refusal(Reason.BURN_NOT_DUE, "Cards are burned once, before the first round of a shoe.")
    yield from _cards_in_shoe(table, command.shown)
    if not command.shown or command.face_down < 0:
        yield Refusal(Reason.WRONG_BURN, "The first card of the burn is shown.")
        return
    first = command.shown[0]
    expected = table.settings.burn_count(first)
    burned = len(command.shown) - 1 + command.face_down
    if burned != expected:
        yield Refusal(Reason.WRONG_BURN, f"After {first} {expected} cards are burned, not {burned}.")


def _open_betting(table: Table) -> Iterator[Refusal]:
    yield from _needs_shoe(table)
    if table.phase is Phase.BURN_DUE:
        yield Refusal(Reason.BURN_DUE, "The first card of the shoe is to be shown and the burn made.")
    yield from _needs_no_round(table)
    if table.rounds_left == 0:
        yield Refusal(Reason.SHOE_FINISHED, "The last round of this shoe has been played; open a new shoe.")
    if table.cards_in_shoe < CARDS_FOR_A_ROUND:
        yield Refusal(
            Reason.INSUFFICIENT_CARDS,
            f"A round may take {CARDS_FOR_A_ROUND} cards and is not begun with {table.cards_in_shoe} in the shoe.",
            table.settings.game.procedure.insufficient_cards,
        )


def _betting_not_open(table: Table) -> Refusal:
    clause = table.settings.game.procedure.betting_opens
    return Refusal(Reason.BETTING_NOT_OPEN, "Betting is not open; wait for “Place your bets, please”.", clause)


def _wager(table: Table, command: WagerCommand) -> Iterator[Refusal]:
    yield from _needs_shoe(table)
    game = table.settings.game
    if table.phase in (Phase.BURN_DUE, Phase.READY):
        yield _betting_not_open(table)
    named = isinstance(command.patron, str) and isinstance(command.wager, str)
    staked = table.stake(command.patron, command.wager) if named else 0
    if table.phase is not Phase.BETTING:
        yield _after_the_close(command, staked, game)
    yield from _patron_and_wager(command, game)
    match command:
        case PlaceWager(stake=stake, currency=currency):
            if currency is not None and currency != table.settings.currency:
                yield Refusal(
                    Reason.WRONG_CURRENCY,
                    f"This table plays in {table.settings.currency}; change {shown(currency)} at the cashier.",
                    "Ruling 19",
                )
            yield from _money(stake)
            if staked:
                yield Refusal(Reason.ALREADY_PLACED, f"{staked} is on {command.wager} already; increase it instead.")
            yield from _limits(table, command.wager, stake)
        case IncreaseWager(by=by):
            yield from _money(by)
            if not staked:
                yield Refusal(Reason.NOTHING_PLACED, f"Nothing is on {command.wager} to increase; place a wager.")
            yield from _limits(table, command.wager, staked + by)
        case ReduceWager(by=by):
            yield from _money(by)
            if not staked:
                yield Refusal(Reason.NOTHING_PLACED, f"Nothing is on {command.wager} to reduce.")
            if by >= staked:
                yield Refusal(
                    Reason.REDUCED_TO_NOTHING,
                    f"{staked} is on {command.wager}; to take back {by} of it, withdraw the wager.",
                )
            yield from _limits(table, command.wager, staked - by)
        case WithdrawWager():
            if not staked:
                yield Refusal(Reason.NOTHING_PLACED, f"Nothing is on {command.wager} to withdraw.")


def _after_the_close(command: WagerCommand, staked: int, game: Game) -> Refusal:
    # 5.6 and 5.7: what is on the felt at the close stands, no more and no less.
    spot = command.wager if staked else shown(command.wager)
    match command:
        case PlaceWager() if not staked:
            return Refusal(
                Reason.LATE_WAGER,
                f"“No more bets” has been called; the wager on {spot} is refused.",
                game.procedure.late_wager,
            )
        case PlaceWager() | IncreaseWager():
            stands = f"; {staked} on {spot} stands" if staked else ""
            return Refusal(
                Reason.LATE_INCREASE,
                f"“No more bets” has been called; the increase is refused{stands}.",
                game.procedure.late_wager,
            )
        case ReduceWager() | WithdrawWager():
            stands = f"{staked} on {spot} stands and is won or lost on the result"
            return Refusal(
                Reason.LATE_WITHDRAWAL,
                f"“No more bets” has been called; {stands if staked else 'there is nothing to take back'}.",
                game.procedure.late_withdrawal,
            )


def _patron_and_wager(command: WagerCommand, game: Game) -> Iterator[Refusal]:
    patron = command.patron
    if not isinstance(patron, str) or not patron.strip() or len(patron) > PATRON_NAME_LIMIT or not patron.isprintable():
        yield Refusal(
            Reason.BAD_PATRON, f"A patron's name is 1 to {PATRON_NAME_LIMIT} printable characters and not blank."
        )
    if command.wager not in game.paytables:
        yield Refusal(
            Reason.UNKNOWN_WAGER,
            f"{game.name} has no wager {shown(command.wager)}{nearest(command.wager, list(game.paytables))}",
        )


def _money(amount: int) -> Iterator[Refusal]:
    try:
        check_money("stake", amount)
    except InputError as error:
        yield Refusal(Reason.BAD_STAKE, error.message)


def _limits(table: Table, wager: str, stake: int) -> Iterator[Refusal]:
    limits = table.settings.limits[wager]
    if stake < limits.minimum:
        yield Refusal(Reason.BELOW_MINIMUM, f"{stake} on {wager} is below the minimum of {limits.minimum}.")
    if stake > limits.maximum:
        yield Refusal(Reason.ABOVE_MAXIMUM, f"{stake} on {wager} is above the maximum of {limits.maximum}.")
    if stake % limits.step:
        yield Refusal(Reason.OFF_STEP, f"{stake} on {wager} is not a multiple of {limits.step}.")


def _no_round(table: Table) -> Iterator[Refusal]:
    if not table.phase.in_round:
        yield Refusal(Reason.NO_ROUND, "No round is in progress.", table.settings.game.procedure.betting_opens)


def _dealt_phase_only(table: Table) -> Iterator[Refusal]:
    yield from _needs_shoe(table)
    yield from _no_round(table)
    if table.phase is Phase.BETTING:
        clause = table.settings.game.procedure.betting_closes
        yield Refusal(Reason.BETTING_STILL_OPEN, "Betting is still open; call “No more bets” first.", clause)


def _deal_card(table: Table, command: DealCard) -> Iterator[Refusal]:
    procedure = table.settings.game.procedure
    in_cards = table.phase is Phase.COMPLETE or table.phase is Phase.ANNOUNCED
    yield from _needs_shoe(table)
    yield from _no_round(table)
    if in_cards:
        decision = table.due
        why = table.settings.game.tableau.explain(table.deal)
        yield Refusal(Reason.NO_CARD_DUE, f"No card is due: {why}.", procedure.draw(decision.rule))
    yield from _dealt_phase_only(table)
    decision = table.due
    if command.hand is not decision.hand:
        why = table.settings.game.tableau.explain(table.deal)
        yield Refusal(
            Reason.WRONG_HAND,
            f"The card does not go to the {command.hand.label}: {why}.",
            procedure.draw(decision.rule),
        )
    yield from _cards_of_pack(table, (command.card,))
    if table.cards_in_shoe == 0:
        yield Refusal(
            Reason.CARD_EXHAUSTED,
            "No card is left in the shoe; the round is void for insufficient cards.",
            procedure.insufficient_cards,
        )
    yield from _cards_in_shoe(table, (command.card,))


def _cards_of_pack(table: Table, cards: tuple[Card, ...]) -> Iterator[Refusal]:
    procedure = table.settings.game.procedure
    pack = table.settings.game.pack
    for card in cards:
        if card.pack_id != pack.id:
            yield Refusal(
                Reason.FOREIGN_CARD,
                f"{card} does not belong to the {pack.name}: a foreign card voids the round.",
                procedure.foreign_card,
            )
            return


def _cards_in_shoe(table: Table, cards: tuple[Card, ...], returned: tuple[Card, ...] = ()) -> Iterator[Refusal]:
    """Each card must be of the pack, and the shoe with what is returned to it must be able to hold it."""
    foreign = next(_cards_of_pack(table, cards), None)
    if foreign:
        yield foreign
        return
    procedure = table.settings.game.procedure
    assert table.unseen is not None
    unseen = table.unseen.with_cards(returned)
    for card in dict.fromkeys(cards):
        if cards.count(card) > unseen.count(card):
            yield Refusal(
                Reason.CARD_EXHAUSTED,
                f"All {table.settings.decks} of {card} have been seen in this shoe; another one does not belong to it.",
                procedure.foreign_card,
            )


def _announce(table: Table) -> Iterator[Refusal]:
    yield from _dealt_phase_only(table)
    if table.phase is Phase.ANNOUNCED:
        yield Refusal(Reason.ALREADY_ANNOUNCED, "The result of this round has been announced.")
    decision = table.due
    if decision.hand is not None:
        game = table.settings.game
        yield Refusal(
            Reason.CARDS_STILL_DUE,
            f"The round is not complete: {game.tableau.explain(table.deal)}.",
            game.procedure.draw(decision.rule),
        )


def _settle(table: Table) -> Iterator[Refusal]:
    yield from _dealt_phase_only(table)
    if table.phase is not Phase.ANNOUNCED:
        clause = table.settings.game.procedure.winner
        yield Refusal(Reason.NOT_ANNOUNCED, "The result is announced before wagers are settled.", clause)


def _void(table: Table, command: VoidRound) -> Iterator[Refusal]:
    yield from _needs_shoe(table)
    procedure = table.settings.game.procedure
    kind = command.irregularity
    if not table.phase.in_round:
        yield from _finished_round_can_change(table)
        # 5.2 alone reaches back, until the next round has begun; 5.1.2: other results stand.
        if kind is not Irregularity.WRONG_NUMBER_OF_CARDS:
            yield Refusal(
                Reason.EARLIER_RESULTS_STAND,
                f"Round {table.round_number} is settled and its result stands.",
                procedure.earlier_results_stand,
            )
    if kind is Irregularity.EXTRA_OR_MISSING_CARD and procedure.extra_or_missing_card is None:
        yield Refusal(
            Reason.NOT_IN_THE_RULES,
            f"The rules of {table.settings.game.name} do not void a round for extra or missing cards.",
        )
    if table.phase is Phase.BETTING and kind is Irregularity.WRONG_NUMBER_OF_CARDS:
        yield _next_round_begun(table)
    if kind is Irregularity.SIMULTANEOUS_CARDS:
        if table.phase is Phase.BETTING:
            yield Refusal(Reason.NO_CARDS_DEALT, "No card of this round has been drawn yet.")
        if table.phase is Phase.ANNOUNCED or len(table.deal.player) > 2 or len(table.deal.banker) > 2:
            yield Refusal(
                Reason.INITIAL_DEAL_OVER,
                "Cards drawn together void a round during the initial deal only.",
                procedure.simultaneous_cards,
            )
    if kind is Irregularity.INSUFFICIENT_CARDS and table.phase is not Phase.DEALING:
        yield Refusal(
            Reason.NO_CARD_DUE, "No card is due, so the shoe is not short of one.", procedure.insufficient_cards
        )


def _next_round_begun(table: Table) -> Refusal:
    return Refusal(
        Reason.NEXT_ROUND_BEGUN,
        f"Round {table.round_number} has begun; the cards of the round before it are no longer in question.",
        table.settings.game.procedure.wrong_number_of_cards,
    )


def _finished_round_can_change(table: Table) -> Iterator[Refusal]:
    if not table.rounds:
        yield Refusal(Reason.NO_ROUND, "No round of this shoe has been played.")
    elif table.rounds[-1].void:
        yield Refusal(Reason.ALREADY_VOID, f"Round {table.round_number} is void already.")


def _correct(table: Table, command: CorrectRound) -> Iterator[Refusal]:
    yield from _needs_shoe(table)
    settings = table.settings
    if table.phase is Phase.BETTING:
        yield _next_round_begun(table)
    finished = not table.phase.in_round
    if finished:
        yield from _finished_round_can_change(table)
    before = table.rounds[-1].deal if finished else table.deal
    aside = table.rounds[-1].set_aside if finished else table.set_aside
    if not before.cards:
        yield Refusal(Reason.NO_CARDS_DEALT, "No card of this round has been dealt yet.")
    after = command.deal
    clause = settings.game.procedure.wrong_number_of_cards
    yield from _cards_in_shoe(table, after.cards + command.set_aside, returned=before.cards + aside)
    try:
        if finished:
            settings.game.tableau.check(after)
        else:
            settings.game.tableau.check_so_far(after)
    except InputError as error:
        yield Refusal(Reason.UNLAWFUL_DEAL, error.message, clause)
    more = len(after.cards + command.set_aside) - len(before.cards + aside)
    if more > table.cards_in_shoe:
        yield Refusal(
            Reason.UNLAWFUL_DEAL,
            f"The correction needs {more} more cards than were dealt and the shoe holds {table.cards_in_shoe}.",
            clause,
        )
    if (after, command.set_aside) == (before, aside):
        yield Refusal(Reason.NOTHING_TO_CORRECT, f"The deal is {before} already.")
