"""When a void, a correction or a word about cards outside the deal is refused: section 5 and rulings 15, 20 and 22."""

from collections.abc import Iterator

from puntobanco.errors import InputError
from puntobanco.table.commands import (
    CorrectCount,
    CorrectRound,
    Irregularity,
    SetCardsAside,
    TakeBackCard,
    VoidRound,
    WithdrawAnnouncement,
)
from puntobanco.table.reasons import Reason, Refusal
from puntobanco.table.round_refusals import cards_refusals, needs_round, needs_shoe, needs_this_round
from puntobanco.table.settings import TableSettings
from puntobanco.table.state import Phase, ShoeInPlay, Table
from puntobanco.table.wager_refusals import is_patron_name


def are_two_people(by: str, and_by: str) -> bool:
    """Whether these name two different people."""
    return is_patron_name(by) and is_patron_name(and_by) and by.strip().casefold() != and_by.strip().casefold()


def _two_people_refusals(command: VoidRound | CorrectRound) -> Iterator[Refusal]:
    """Two who differ, or nobody: at a table that leads itself, or in a terminal, there is nobody to name."""
    if (command.by, command.and_by) != ("", "") and not are_two_people(command.by, command.and_by):
        yield Refusal(Reason.TWO_PEOPLE, "A round is voided or corrected by two different people.")


def void_refusals(table: Table, command: VoidRound) -> Iterator[Refusal]:
    yield from _two_people_refusals(command)
    in_round = table.phase.in_round
    settings = table.settings if in_round or table.last is None else table.last.settings
    procedure = settings.game.procedure
    kind = command.irregularity
    if not in_round:
        yield from _finished_round_refusals(table, command.round_number)
        # 5.2 alone reaches back, until the next round has begun; 5.1.2: other results stand.
        if kind is not Irregularity.WRONG_NUMBER_OF_CARDS:
            yield Refusal(
                Reason.EARLIER_RESULTS_STAND,
                f"Round {table.round_number} is settled and its result stands.",
                procedure.earlier_results_stand,
            )
    yield from needs_this_round(table, command.round_number, procedure.results_stand)
    if kind is Irregularity.EXTRA_OR_MISSING_CARD and procedure.extra_or_missing_card is None:
        yield Refusal(
            Reason.NOT_IN_THE_RULES,
            f"The rules of {settings.game.name} do not void a round for extra or missing cards.",
        )
    about_cards = (Irregularity.WRONG_NUMBER_OF_CARDS, Irregularity.SIMULTANEOUS_CARDS)
    if table.phase is Phase.BETTING and kind in about_cards:
        yield _no_cards_dealt()
    if kind is Irregularity.INSUFFICIENT_CARDS:
        if table.phase is not Phase.DEALING:
            yield Refusal(
                Reason.NO_CARD_DUE, "No card is due, so the shoe is not short of one.", procedure.insufficient_cards
            )
        # A physical shoe may hold fewer cards than were counted, and the dealer says so; a virtual one cannot.
        if table.settings.is_virtual and table.cards_in_shoe:
            yield Refusal(
                Reason.CARDS_LEFT,
                f"The shoe holds {table.cards_in_shoe} cards, so it is not short of one.",
                procedure.insufficient_cards,
            )


def _no_cards_dealt() -> Refusal:
    return Refusal(Reason.NO_CARDS_DEALT, "No card of this round has been dealt yet.")


def _finished_round_refusals(table: Table, round_number: int) -> Iterator[Refusal]:
    """Why the last round cannot be changed: there is none, another one was meant, or it is void."""
    if table.last is None:
        yield from needs_shoe(table)
        yield Refusal(Reason.NO_ROUND, "No round has been played that could be changed.")
        return
    yield from needs_this_round(table, round_number, table.last.settings.game.procedure.results_stand)
    if table.last.round.void:
        yield Refusal(Reason.ALREADY_VOID, f"Round {table.round_number} is void already.")


def _needs_physical_shoe(settings: TableSettings) -> Iterator[Refusal]:
    if settings.is_virtual:
        yield Refusal(
            Reason.VIRTUAL_SHOE,
            "The cards of a virtual shoe are drawn by the server and are not keyed: what it has drawn stands.",
        )


def correct_refusals(table: Table, command: CorrectRound) -> Iterator[Refusal]:
    yield from _two_people_refusals(command)
    finished = not table.phase.in_round
    if finished:
        yield from _finished_round_refusals(table, command.round_number)
    settings = table.last.settings if finished and table.last else table.settings
    game = settings.game
    clause = game.procedure.wrong_number_of_cards
    yield from needs_this_round(table, command.round_number, game.procedure.results_stand)
    yield from _needs_physical_shoe(settings)
    shoe = dealt_from(table)
    before = table.last.round.deal if finished and table.last else table.deal
    if not before.cards:
        yield _no_cards_dealt()
    after, aside, taken_up = command.deal, command.set_aside, command.taken_up
    yield from cards_refusals(game, settings.decks, shoe.unseen, after.cards + aside, returned=before.cards + taken_up)
    for card in dict.fromkeys(taken_up):
        if taken_up.count(card) > shoe.set_aside.count(card):
            yield Refusal(Reason.NOT_SET_ASIDE, f"{card} was not set aside, so it is not taken up.", clause)
        if taken_up.count(card) > after.cards.count(card) - before.cards.count(card):
            yield Refusal(Reason.NOT_SET_ASIDE, f"{card} is taken up and in no hand: correct the count.", clause)
    try:
        if finished:
            game.tableau.check(after)
        else:
            game.tableau.check_so_far(after)
    except InputError as error:
        yield Refusal(Reason.UNLAWFUL_DEAL, error.message, clause)
    more = len(after.cards + aside) - len(before.cards + taken_up)
    if more > shoe.cards:
        yield Refusal(
            Reason.UNLAWFUL_DEAL,
            f"The correction needs {more} more cards than were dealt and the shoe holds {shoe.cards}.",
            clause,
        )
    if after == before and not aside and not taken_up:
        yield Refusal(Reason.NOTHING_TO_CORRECT, f"The deal is {before} already.")


def dealt_from(table: Table) -> ShoeInPlay:
    """The shoe of the round in progress, or of the last one, which may be another than the one in play."""
    shoe = table.shoe
    if not table.phase.in_round and table.last is not None:
        shoe = table.last.shoe or table.shoe
    assert shoe is not None, "a round was dealt from a shoe"
    return shoe


def take_back_refusals(table: Table, command: TakeBackCard) -> Iterator[Refusal]:
    yield from needs_round(table, command.round_number)
    yield from _needs_physical_shoe(table.settings)
    if table.last_dealt is None:
        yield Refusal(
            Reason.NOTHING_TO_TAKE_BACK,
            "A card is taken back before the next action only; after that the round is corrected.",
        )


def withdraw_announcement_refusals(table: Table, command: WithdrawAnnouncement) -> Iterator[Refusal]:
    yield from needs_round(table, command.round_number)
    if table.phase is not Phase.ANNOUNCED:
        yield Refusal(Reason.NOT_ANNOUNCED, "No result has been announced that could be withdrawn.")


def set_aside_refusals(table: Table, command: SetCardsAside) -> Iterator[Refusal]:
    yield from needs_shoe(table)
    yield from _needs_physical_shoe(table.settings)
    assert table.shoe is not None
    yield from cards_refusals(table.settings.game, table.settings.decks, table.shoe.unseen, command.cards)
    if len(command.cards) > table.shoe.cards:
        yield Refusal(
            Reason.CARD_EXHAUSTED,
            f"{len(command.cards)} cards cannot have left the shoe: it holds {table.shoe.cards}.",
        )
    if not command.cards:
        yield Refusal(Reason.NOTHING_TO_CORRECT, "Name the cards that are set aside.")


def count_refusals(table: Table, command: CorrectCount) -> Iterator[Refusal]:
    yield from needs_shoe(table)
    assert table.shoe is not None
    if command.round_number is not None:
        yield from _earlier_round_refusals(table, command.round_number)
    yield from _needs_physical_shoe(table.settings)
    keyed, drawn, shoe = command.keyed, command.drawn, table.shoe
    if drawn is not None:
        yield from cards_refusals(table.settings.game, table.settings.decks, shoe.unseen, (drawn,), returned=(keyed,))
    is_burned = command.round_number is None and shoe.burn_is_meant(keyed, command.face_down)
    if command.round_number is None:
        recorded = shoe.shown if is_burned else shoe.set_aside
    else:
        recorded = next((each.cards_out for each in shoe.rounds if each.number == command.round_number), ())
    more = 0 if command.face_down is None else command.face_down - shoe.face_down
    if command.face_down is not None and (not is_burned or command.face_down < 0 or more > shoe.cards):
        yield Refusal(Reason.WRONG_BURN, f"{command.face_down} cards were not burned face down after this card.")
    if is_burned and drawn is None and keyed in shoe.shown[:1]:
        yield Refusal(Reason.NOT_SET_ASIDE, "The burn begins with a card that is shown; name the one that it was.")
    if keyed not in recorded:
        where = "burned face up or set aside" if command.round_number is None else f"in round {command.round_number}"
        yield Refusal(Reason.NOT_KEYED, f"No {keyed} is recorded {where}.")
    if keyed is drawn and not more:
        yield Refusal(Reason.NOTHING_TO_CORRECT, f"The card is {keyed} already.")


def _earlier_round_refusals(table: Table, round_number: int) -> Iterator[Refusal]:
    """The count alone is corrected for finished rounds of this shoe that cannot be corrected themselves any more."""
    numbers = [each.number for each in table.rounds]
    if type(round_number) is not int or round_number not in numbers:
        meant = f"round {round_number}" if type(round_number) is int else "that round"
        yield Refusal(Reason.NOT_THIS_ROUND, f"No finished round of this shoe is {meant}.")
    elif table.last is not None and table.last.round.number == round_number and not table.last.round.void:
        yield Refusal(
            Reason.NOT_THIS_ROUND,
            f"Round {round_number} can still be corrected itself: give the deal that stands.",
            table.settings.game.procedure.wrong_number_of_cards,
        )
