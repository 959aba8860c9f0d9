"""When a patron's command is refused: the course of the round, the felt, the money, the limits."""

from collections.abc import Iterator

from puntobanco.cards import shown
from puntobanco.errors import InputError, nearest
from puntobanco.rules.game import Game
from puntobanco.rules.wagers import check_money
from puntobanco.table.commands import IncreaseWager, PlaceWager, ReduceWager, WagerCommand, WithdrawWager
from puntobanco.table.reasons import Reason, Refusal
from puntobanco.table.round_refusals import betting_not_open, needs_no_pause, needs_shoe, needs_this_round
from puntobanco.table.state import Phase, Table

PATRON_NAME_LIMIT = 64


def wager_refusals(table: Table, command: WagerCommand) -> Iterator[Refusal]:
    """Why a change to a stake is refused."""
    is_this_round = type(command.round_number) is int and command.round_number == table.round_number
    if not is_this_round or table.phase is not Phase.BETTING or table.paused:
        yield from _out_of_time(table, command)
    game = table.settings.game
    yield from _patron_and_wager(command, game)
    staked = table.stake(command.patron, command.wager)
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
                yield Refusal(Reason.ALREADY_PLACED, f"{staked:,} is on {command.wager} already; increase it instead.")
            yield from _limits(table, command.wager, stake)
            yield from _round_limits(table, command, stake)
        case IncreaseWager():
            by = command.by
            yield from _money(by)
            if not staked:
                yield Refusal(Reason.NOTHING_PLACED, f"Nothing is on {command.wager} to increase; place a wager.")
            yield from _limits(table, command.wager, staked + by)
            yield from _round_limits(table, command, by)
        case ReduceWager(by=by):
            yield from _money(by)
            if not staked:
                yield Refusal(Reason.NOTHING_PLACED, f"Nothing is on {command.wager} to reduce.")
            if by >= staked:
                yield Refusal(
                    Reason.REDUCED_TO_NOTHING,
                    f"{staked:,} is on {command.wager}; to take back {by:,} of it, withdraw the wager.",
                )
            yield from _limits(table, command.wager, staked - by)
        case WithdrawWager():
            if not staked:
                yield Refusal(Reason.NOTHING_PLACED, f"Nothing is on {command.wager} to withdraw.")


def _out_of_time(table: Table, command: WagerCommand) -> Iterator[Refusal]:
    yield from needs_no_pause(table)
    yield from needs_shoe(table)
    if not table.phase.in_round:
        yield betting_not_open(table)
    yield from needs_this_round(table, command.round_number)
    if table.phase is not Phase.BETTING:
        yield _after_the_close(table, command)


def _after_the_close(table: Table, command: WagerCommand) -> Refusal:
    # 5.6 and 5.7: what is on the felt at the close stands, no more and no less.
    procedure = table.settings.game.procedure
    named = isinstance(command.patron, str) and isinstance(command.wager, str)
    staked = table.stake(command.patron, command.wager) if named else 0
    spot = command.wager if staked else shown(command.wager)
    match command:
        case PlaceWager() if not staked:
            return Refusal(
                Reason.LATE_WAGER,
                f"“No more bets” has been called; the wager on {spot} is refused.",
                procedure.late_wager,
            )
        case PlaceWager() | IncreaseWager():
            stands = f"; {staked:,} on {spot} stands" if staked else ""
            return Refusal(
                Reason.LATE_INCREASE,
                f"“No more bets” has been called; the increase is refused{stands}.",
                procedure.late_wager,
            )
        case ReduceWager() | WithdrawWager():
            stands = f"{staked:,} on {spot} stands and is won or lost on the result"
            return Refusal(
                Reason.LATE_WITHDRAWAL,
                f"“No more bets” has been called; {stands if staked else 'there is nothing to take back'}.",
                procedure.late_withdrawal,
            )


def is_patron_name(name: object) -> bool:
    """Whether it can be the name of a patron: printable, not blank, not too long."""
    return isinstance(name, str) and len(name) <= PATRON_NAME_LIMIT and name.isprintable() and bool(name.strip())


# Nearly every wager passes these: a list costs less than half of what a generator does.


def _patron_and_wager(command: WagerCommand, game: Game) -> list[Refusal]:
    patron, wager, found = command.patron, command.wager, []
    if not is_patron_name(patron):
        found.append(
            Refusal(
                Reason.BAD_PATRON, f"A patron's name is 1 to {PATRON_NAME_LIMIT} printable characters and not blank."
            )
        )
    if not isinstance(wager, str) or wager not in game.paytables:
        found.append(
            Refusal(
                Reason.UNKNOWN_WAGER, f"{game.name} has no wager {shown(wager)}{nearest(wager, list(game.paytables))}"
            )
        )
    return found


def _money(amount: int) -> list[Refusal]:
    try:
        check_money("stake", amount)
    except InputError as error:
        return [Refusal(Reason.BAD_STAKE, error.message)]
    return []


def _limits(table: Table, wager: str, stake: int) -> list[Refusal]:
    limits, found = table.settings.limits[wager], []
    if stake < limits.minimum:
        found.append(Refusal(Reason.BELOW_MINIMUM, f"{stake:,} on {wager} is below the minimum of {limits.minimum:,}."))
    if stake > limits.maximum:
        found.append(Refusal(Reason.ABOVE_MAXIMUM, f"{stake:,} on {wager} is above the maximum of {limits.maximum:,}."))
    if stake % limits.step:
        found.append(Refusal(Reason.OFF_STEP, f"{stake:,} on {wager} is not a multiple of {limits.step:,}."))
    return found


def _round_limits(table: Table, command: WagerCommand, more: int) -> list[Refusal]:
    """What all stakes together may come to, with so much more on the wager."""
    limits, found = table.settings.round_limits, []
    if limits.patron is not None:
        own = sum(table.slip(command.patron).values()) + more
        if own > limits.patron:
            found.append(
                Refusal(
                    Reason.ABOVE_PATRON_LIMIT,
                    f"That would make {own:,} on all spots together; "
                    f"one patron may have {limits.patron:,} a round here.",
                )
            )
    if limits.table is not None and table.held + more > limits.table:
        found.append(
            Refusal(
                Reason.ABOVE_TABLE_LIMIT,
                f"All patrons together may have {limits.table:,} in a round at this table, "
                f"of which {max(0, limits.table - table.held):,} is left.",
            )
        )
    if limits.house is not None:
        from puntobanco.table.exposure import exposure  # Only needed where the house has set such a limit.

        before = table.spots.get(command.wager)
        stake, patrons = before or (0, 0)
        newcomer = not table.stake(command.patron, command.wager)
        cost = exposure(table.settings.game, {**table.spots, command.wager: (stake + more, patrons + newcomer)})
        if cost > limits.house:
            found.append(
                Refusal(
                    Reason.ABOVE_HOUSE_LIMIT,
                    f"With that the house might have to pay {cost:,} this round; "
                    f"it takes wagers up to {limits.house:,}.",
                )
            )
    return found
