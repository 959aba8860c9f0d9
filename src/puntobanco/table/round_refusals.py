"""When a command about the course of a shoe or a round is refused."""

from collections.abc import Iterator, Sequence

from puntobanco.cards import Card, Shoe, shown
from puntobanco.dealing import CARDS_FOR_A_ROUND
from puntobanco.rules.game import Game
from puntobanco.table.commands import (
    AnnounceResult,
    BurnCards,
    ChangeSettings,
    CloseBetting,
    DealCard,
    EndShoe,
    OpenBetting,
    OpenShoe,
    OpenTable,
    PauseTable,
    ResumeTable,
    SettleRound,
)
from puntobanco.table.reasons import Reason, Refusal
from puntobanco.table.settings import TableSettings
from puntobanco.table.state import Phase, Table


def needs_no_pause(table: Table) -> Iterator[Refusal]:
    if table.paused:
        yield Refusal(Reason.PAUSED, f"The table is paused ({table.paused}); no wager changes.", "Ruling 20")


def needs_shoe(table: Table) -> Iterator[Refusal]:
    if table.phase is Phase.CLOSED:
        yield Refusal(Reason.NO_SHOE, "No shoe is in play.")


def needs_round(table: Table, round_number: int) -> Iterator[Refusal]:
    """A round must be in progress, and the one that is meant."""
    yield from needs_shoe(table)
    if not table.phase.in_round:
        yield Refusal(Reason.NO_ROUND, "No round is in progress.", table.settings.game.procedure.betting_opens)
    yield from needs_this_round(table, round_number)


def needs_this_round(table: Table, round_number: int, clause: str | None = None) -> Iterator[Refusal]:
    if type(round_number) is not int or round_number != table.round_number:
        yield Refusal(
            Reason.NOT_THIS_ROUND,
            f"That was meant for round {shown(round_number)[1:-1]}, and the table is at round {table.round_number}.",
            clause,
        )


def needs_no_round(table: Table) -> Iterator[Refusal]:
    if table.phase.in_round:
        yield Refusal(Reason.ROUND_IN_PROGRESS, f"Round {table.round_number} is still in progress.")


def betting_not_open(table: Table) -> Refusal:
    clause = table.settings.game.procedure.betting_opens
    return Refusal(Reason.BETTING_NOT_OPEN, "Betting is not open; wait for “Place your bets, please”.", clause)


def open_table_refusals(table: Table, command: OpenTable) -> Iterator[Refusal]:
    yield Refusal(Reason.TABLE_OPEN, f"The table is open already, for {table.settings.game.name}.")


def settings_refusals(table: Table, command: ChangeSettings) -> Iterator[Refusal]:
    if table.shoe is not None and _but_limits(command.settings) != _but_limits(table.settings):
        yield Refusal(
            Reason.SHOE_IN_PLAY, f"Shoe {table.shoe_number} is in play: until it has ended, only limits are changed."
        )
    yield from needs_no_round(table)
    if command.settings == table.settings:
        yield Refusal(Reason.NOTHING_TO_CHANGE, "The table has these settings already.")


def _but_limits(settings: TableSettings) -> tuple[object, ...]:
    """All that is fixed for as long as a shoe is in play."""
    return (
        settings.game,
        settings.decks,
        settings.account,
        settings.currency,
        settings.burn_and_cut,
        settings.dealing,
        settings.overrides,
    )


def pause_refusals(table: Table, command: PauseTable) -> Iterator[Refusal]:
    if table.paused:
        yield Refusal(Reason.PAUSED, f"The table is paused already ({table.paused}).", "Ruling 20")


def resume_refusals(table: Table, command: ResumeTable) -> Iterator[Refusal]:
    if not table.paused:
        yield Refusal(Reason.NOT_PAUSED, "The table is not paused.")


def open_shoe_refusals(table: Table, command: OpenShoe) -> Iterator[Refusal]:
    yield from needs_no_pause(table)
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
        return
    difference = command.counted.difference(settings.full_shoe)
    if difference:
        yield Refusal(
            Reason.WRONG_COMPOSITION,
            f"A shoe of {settings.decks} decks has {settings.full_shoe.size} cards; "
            f"{command.counted.size} were counted: {difference}.",
            game.procedure.decks,
        )


def burn_refusals(table: Table, command: BurnCards) -> Iterator[Refusal]:
    yield from needs_no_pause(table)
    yield from needs_shoe(table)
    if table.phase is not Phase.BURN_DUE:
        yield Refusal(Reason.BURN_NOT_DUE, "Cards are burned once, before the first round of a shoe.")
    assert table.shoe is not None
    yield from cards_refusals(table.settings.game, table.settings.decks, table.shoe.unseen, command.shown)
    if not command.shown or command.face_down < 0:
        yield Refusal(Reason.WRONG_BURN, "The first card of the burn is shown.")
        return
    first = command.shown[0]
    expected = table.settings.burn_and_cut.burned_after(first)
    burned = len(command.shown) - 1 + command.face_down
    if 1 + burned > table.shoe.cards:
        yield Refusal(Reason.CARD_EXHAUSTED, f"{1 + burned} cards cannot be burned: the shoe holds {table.shoe.cards}.")
    if burned != expected:
        yield Refusal(Reason.WRONG_BURN, f"After {first} {expected} cards are burned, not {burned}.")


def open_betting_refusals(table: Table, command: OpenBetting) -> Iterator[Refusal]:
    yield from needs_no_pause(table)
    yield from needs_shoe(table)
    if table.phase is Phase.BURN_DUE:
        yield Refusal(Reason.BURN_DUE, "The first card of the shoe is to be shown and the burn made.")
    yield from needs_no_round(table)
    if table.rounds_left == 0:
        yield Refusal(Reason.SHOE_FINISHED, "The last round of this shoe has been played; open a new shoe.")
    if table.cards_in_shoe < CARDS_FOR_A_ROUND:
        yield Refusal(
            Reason.INSUFFICIENT_CARDS,
            f"A round may take {CARDS_FOR_A_ROUND} cards and is not begun with {table.cards_in_shoe} in the shoe.",
            table.settings.game.procedure.insufficient_cards,
        )


def close_betting_refusals(table: Table, command: CloseBetting) -> Iterator[Refusal]:
    yield from needs_no_pause(table)
    yield from needs_shoe(table)
    if not table.phase.in_round or (command.round_number == table.round_number and table.phase is not Phase.BETTING):
        yield betting_not_open(table)
    yield from needs_this_round(table, command.round_number)


def _needs_dealt_phase(table: Table, round_number: int) -> Iterator[Refusal]:
    yield from needs_no_pause(table)
    yield from needs_round(table, round_number)
    if table.phase is Phase.BETTING:
        clause = table.settings.game.procedure.betting_closes
        yield Refusal(Reason.BETTING_STILL_OPEN, "Betting is still open; call “No more bets” first.", clause)


def deal_refusals(table: Table, command: DealCard) -> Iterator[Refusal]:
    yield from _needs_dealt_phase(table, command.round_number)
    game = table.settings.game
    procedure = game.procedure
    due = table.due.hand
    if command.hand is not due:
        _, rule, why = game.tableau.explain_to(command.hand, table.deal)
        if due is None:
            yield Refusal(Reason.NO_CARD_DUE, f"No card is due: {why}.", procedure.draw(rule))
            return
        wrong = f"The card does not go to the {command.hand.label}: {why}."
        yield Refusal(Reason.WRONG_HAND, wrong, procedure.draw(rule))
    yield from foreign_card_refusals(game, (command.card,))
    assert table.shoe is not None
    if table.shoe.cards == 0:
        yield Refusal(
            Reason.CARD_EXHAUSTED,
            "No card is left in the shoe; the round is void for insufficient cards.",
            procedure.insufficient_cards,
        )
    yield from cards_refusals(game, table.settings.decks, table.shoe.unseen, (command.card,))


def foreign_card_refusals(game: Game, cards: Sequence[Card]) -> Iterator[Refusal]:
    for card in cards:
        if card.pack_id != game.pack.id:
            yield Refusal(
                Reason.FOREIGN_CARD,
                f"{card} does not belong to the {game.pack.name}: a foreign card voids the round.",
                game.procedure.foreign_card,
            )
            return


def cards_refusals(
    game: Game, decks: int, unseen: Shoe, cards: Sequence[Card], returned: Sequence[Card] = ()
) -> Iterator[Refusal]:
    """Each card must be of the pack, and the shoe with what is returned to it must be able to hold it."""
    foreign = next(foreign_card_refusals(game, cards), None)
    if foreign:
        yield foreign
        return
    for card in dict.fromkeys(cards):
        if cards.count(card) > unseen.count(card) + returned.count(card):
            yield Refusal(
                Reason.CARD_EXHAUSTED,
                f"All {decks} of {card} have been seen in this shoe; another one does not belong to it.",
                game.procedure.foreign_card,
            )


def announce_refusals(table: Table, command: AnnounceResult) -> Iterator[Refusal]:
    yield from _needs_dealt_phase(table, command.round_number)
    if table.phase is Phase.ANNOUNCED:
        yield Refusal(Reason.ALREADY_ANNOUNCED, "The result of this round has been announced.")
    due = table.due.hand
    if due is not None:
        game = table.settings.game
        _, rule, why = game.tableau.explain_to(due, table.deal)
        yield Refusal(Reason.CARDS_STILL_DUE, f"The round is not complete: {why}.", game.procedure.draw(rule))


def settle_refusals(table: Table, command: SettleRound) -> Iterator[Refusal]:
    yield from _needs_dealt_phase(table, command.round_number)
    if table.phase is not Phase.ANNOUNCED:
        clause = table.settings.game.procedure.winner
        yield Refusal(Reason.NOT_ANNOUNCED, "The result is announced before wagers are settled.", clause)


def end_shoe_refusals(table: Table, command: EndShoe) -> Iterator[Refusal]:
    yield from needs_shoe(table)
    yield from needs_no_round(table)
