"""Every event as postings: they balance, they are all there, and the rulings on money hold to the last unit."""

import random
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from itertools import permutations
from typing import Any, get_args

import pytest

from puntobanco import find_game
from puntobanco.cards import read_deal
from puntobanco.ledger import (
    AccountAdjusted,
    AdjustAccount,
    ChangeMoney,
    Desk,
    DeskCommand,
    DeskEvent,
    IssueMoney,
    MoneyChanged,
    MoneyIssued,
    MoneyReturned,
    PostRate,
    RatePosted,
    ReturnMoney,
    accounts_touched,
    desk_postings,
    desk_refusal,
    funds_refusal,
    happened_at_the_desk,
    parse_account,
    postings,
)
from puntobanco.ledger.desk import desk_accounts, desk_cause
from puntobanco.table import (
    AnnounceResult,
    BurnCards,
    ChangeSettings,
    CloseBetting,
    Command,
    CorrectRound,
    Event,
    IncreaseWager,
    Irregularity,
    Limits,
    OpenBetting,
    OpenShoe,
    OpenTable,
    PlaceWager,
    Reason,
    ReduceWager,
    Refusal,
    SettleRound,
    Table,
    TablePaused,
    TableSettings,
    VoidRound,
    WithdrawWager,
    decide,
    evolve,
)
from puntobanco.table.money import money_moved
from table.here import meant
from table.wandering import Choice, Wanderer
from table.watched import WatchedTable, in_order

MANILA = find_game("manila")
SETTINGS = TableSettings(MANILA, decks=4, account="cash")  # type: ignore[arg-type]

Money = dict[str, int]


def by_unit(moved: Sequence[tuple[str, int]]) -> Counter[str]:
    sums = Counter[str]()
    for account, amount in moved:
        sums[parse_account(account).unit] += amount
    return sums


# Every kind of event.


@dataclass(frozen=True)
class Step:
    """A command that was carried out, and what came of it."""

    before: Table | None
    command: Command
    events: tuple[Event, ...]


@cache
def walk() -> tuple[Step, ...]:
    """A long walk through a table that comes past every kind of event."""
    settings = TableSettings(
        MANILA,
        decks=4,
        limits=dict.fromkeys(MANILA.paytables, Limits(20, 200, 10)),
        account="cash",  # type: ignore[arg-type]
    )
    watched = WatchedTable(settings)
    generator = random.Random("postings")

    def choose(options: Sequence[Choice], /) -> Choice:
        return options[int(generator.random() * len(options))]

    wanderer = Wanderer(watched.books, choose)
    opening, other = OpenTable(settings), ChangeSettings(SETTINGS)
    steps = [Step(None, opening, decide(None, opening)), Step(watched.table, other, decide(watched.table, other))]
    for _ in range(4000):
        before = watched.table
        command = meant(before, wanderer.next_command())
        outcome = watched.carry_out(command)
        if not isinstance(outcome, Refusal):
            steps.append(Step(before, command, tuple(outcome)))
    return tuple(steps)


def test_the_walk_comes_past_every_kind_of_event() -> None:
    """A kind that is new is not in it, and fails here until somebody leads the walk past it."""
    assert {type(event) for step in walk() for event in step.events} == set(get_args(Event))


def test_the_postings_of_every_event_balance_and_give_each_patron_what_the_table_says() -> None:
    """Whatever the patrons have and owe."""
    generator = random.Random(1)
    for step in walk():
        table = step.before
        for event in step.events:
            patrons = sorted(money_moved(event))
            # Above zero it is what the patron has, below what they owe: never both.
            stands = {patron: generator.choice([0, 70, 10**6, -30, -(10**6)]) for patron in patrons}
            balances = {f"patron/PHP/{patron}": max(0, amount) for patron, amount in stands.items()}
            balances |= {f"owed/PHP/{patron}": min(0, amount) for patron, amount in stands.items()}
            moved = postings("main", table, event, balances)
            assert not any(by_unit(moved).values()), event
            assert all(amount for _, amount in moved), "an entry that moves nothing"
            assert len({account for account, _ in moved}) == len(moved), "an account has one entry of an event"
            own = Counter[str]()
            after = Counter(balances)
            for account, amount in moved:
                after[account] += amount
                if account.startswith(("patron/", "owed/")):
                    own[account.split("/")[2]] += amount
            assert {patron: amount for patron, amount in own.items() if amount} == {
                patron: amount for patron, amount in money_moved(event).items() if amount
            }
            if not isinstance(step.command, PlaceWager | IncreaseWager):  # Those are refused for want of money before.
                assert all(after[account] >= 0 for account in after if account.startswith("patron/"))
                for patron in patrons:
                    assert not after[f"patron/PHP/{patron}"] or not after[f"owed/PHP/{patron}"], "has and owes at once"
            assert all(after[account] <= 0 for account in after if account.startswith("owed/"))
            table = evolve(table, event)


def test_every_account_that_is_posted_to_was_asked_for_before() -> None:
    for step in walk():
        asked, table = set(accounts_touched("main", step.before, step.command)), step.before
        for event in step.events:
            # Nobody has anything, so that all that is taken back is owed; and everybody, so that nothing is.
            for has in (0, 10**9):
                balances = {f"patron/PHP/{patron}": has for patron in money_moved(event)}
                assert {account for account, _ in postings("main", table, event, balances)} <= asked
            table = evolve(table, event)


@dataclass(frozen=True)
class Invented:
    """An event that nobody has thought of."""


def test_a_new_kind_of_event_fails_loudly() -> None:
    invented: Any = Invented()
    with pytest.raises(AssertionError):
        postings("main", Table(SETTINGS), invented, {})
    with pytest.raises(AssertionError):
        desk_postings(invented, {})
    with pytest.raises(AssertionError):
        happened_at_the_desk(Desk(), invented)
    with pytest.raises((AssertionError, AttributeError)):
        desk_accounts(invented)


def test_an_event_that_comes_to_move_money_fails_until_it_has_postings(monkeypatch: pytest.MonkeyPatch) -> None:
    # The module has the name of its function, which hides it.
    module = sys.modules[postings.__module__]
    monkeypatch.setattr(module, "money_moved", lambda event: {"anna": 5})
    with pytest.raises(AssertionError, match="TablePaused moves money and has no postings"):
        postings("main", Table(SETTINGS), TablePaused("why"), {})


# The cash desk.

DESK = Desk().after(RatePosted("PHP", "HKD", 4, 29)).after(RatePosted("HKD", "PHP", 29, 4))
DESK_COMMANDS: list[tuple[DeskCommand, DeskEvent]] = [
    (IssueMoney("anna", "PHP", 700, "welcome"), MoneyIssued("anna", "PHP", 700, "welcome")),
    (ReturnMoney("anna", "PHP", 700, "home"), MoneyReturned("anna", "PHP", 700, "home")),
    (ChangeMoney("anna", "HKD", 1000, "PHP"), MoneyChanged("anna", "HKD", 1000, "PHP", 7250, 29, 4)),
    (PostRate("PHP", "HKD", 4, 29), RatePosted("PHP", "HKD", 4, 29)),
    (
        AdjustAccount("anna", "PHP", 700, "main/12", "misread", "eve", "dan"),
        AccountAdjusted("anna", "PHP", 700, "main/12", "misread", "eve", "dan"),
    ),
    (
        AdjustAccount("anna", "PHP", -700, "main/12", "misread", "eve", "dan"),
        AccountAdjusted("anna", "PHP", -700, "main/12", "misread", "eve", "dan"),
    ),
]


def test_every_act_of_the_desk_is_here() -> None:
    assert {type(command) for command, _ in DESK_COMMANDS} == set(get_args(DeskCommand))
    assert {type(event) for _, event in DESK_COMMANDS} == set(get_args(DeskEvent))


@pytest.mark.parametrize(("command", "event"), DESK_COMMANDS)
@pytest.mark.parametrize("owed", [0, 300, 10**6])
def test_every_act_of_the_desk_balances_in_each_unit(command: DeskCommand, event: DeskEvent, owed: int) -> None:
    assert happened_at_the_desk(DESK, command) == event
    moved = desk_postings(event, {"owed/PHP/anna": -owed})
    assert not any(by_unit(moved).values())
    assert all(amount for _, amount in moved)
    assert {account for account, _ in moved} <= set(desk_accounts(command))


# Ruling 19: currencies and chips.


@pytest.mark.parametrize(
    ("gives", "amount", "takes", "received"),
    [
        ("HKD", 1000, "PHP", 7250),
        ("HKD", 1001, "PHP", 7257),  # 7,257.25: a fraction of the smallest unit stays with the cashier.
        ("PHP", 7250, "HKD", 1000),
        ("PHP", 7249, "HKD", 999),
        ("PHP", 8, "HKD", 1),
    ],
)
def test_ruling_19_money_is_changed_at_the_posted_rate(gives: str, amount: int, takes: str, received: int) -> None:
    event = happened_at_the_desk(DESK, ChangeMoney("anna", gives, amount, takes))
    assert dict(desk_postings(event, {})) == {
        f"patron/{gives}/anna": -amount,
        f"cashier/{gives}": amount,
        f"cashier/{takes}": -received,
        f"patron/{takes}/anna": received,
    }


def refused(command: DeskCommand, **balances: int) -> Reason | None:
    found = desk_refusal(DESK, command, {name.replace("_", "/"): amount for name, amount in balances.items()})
    return found.reason if found else None


def test_ruling_19_what_is_worth_nothing_or_has_no_rate_is_not_changed() -> None:
    assert refused(ChangeMoney("anna", "PHP", 7, "HKD"), patron_PHP_anna=7) is Reason.TOO_LITTLE
    assert refused(ChangeMoney("anna", "PHP", 8, "HKD"), patron_PHP_anna=8) is None
    assert refused(ChangeMoney("anna", "PHP", 8, "SGD"), patron_PHP_anna=8) is Reason.NO_RATE
    assert refused(ChangeMoney("anna", "PHP", 9, "HKD"), patron_PHP_anna=8) is Reason.INSUFFICIENT_FUNDS
    assert refused(ChangeMoney("anna", "PHP", 8, "PHP"), patron_PHP_anna=8) is Reason.NOT_EXCHANGED


def test_ruling_19_a_rate_that_is_posted_anew_holds_from_then_on() -> None:
    dearer = DESK.after(RatePosted("HKD", "PHP", 30, 4))
    command = ChangeMoney("anna", "HKD", 1000, "PHP")
    assert [getattr(happened_at_the_desk(desk, command), "received", None) for desk in (DESK, dearer)] == [7250, 7500]
    assert DESK.rates["HKD", "PHP"] == (29, 4)


def test_ruling_19_nobody_gains_by_changing_money_and_changing_it_back() -> None:
    assert refused(PostRate("HKD", "PHP", 29, 4)) is None
    assert refused(PostRate("HKD", "PHP", 290_001, 40_000)) is Reason.BAD_RATE
    assert refused(PostRate("PHP", "HKD", 1, 7)) is Reason.BAD_RATE
    assert refused(PostRate("PHP", "HKD", 1, 8)) is None
    # By another currency in between.
    by_way_of = DESK.after(RatePosted("HKD", "SGD", 1, 6)).after(RatePosted("SGD", "USD", 3, 4))
    assert desk_refusal(by_way_of, PostRate("USD", "PHP", 58, 1), {}) is None
    found = desk_refusal(by_way_of, PostRate("USD", "PHP", 581, 10), {})
    assert found is not None
    assert (found.reason, found.clause) == (Reason.BAD_RATE, "Ruling 19")


@pytest.mark.parametrize("order", [*permutations([("PHP", "HKD"), ("HKD", "SGD"), ("SGD", "USD")])])
def test_ruling_19_a_long_way_back_is_found_in_whatever_order_its_rates_were_posted(
    order: tuple[tuple[str, str], ...],
) -> None:
    desk = Desk()
    for gives, takes in order:
        desk = desk.after(RatePosted(gives, takes, 1, 2))
    assert desk_refusal(desk, PostRate("USD", "PHP", 8, 1), {}) is None
    assert desk_refusal(desk, PostRate("USD", "PHP", 801, 100), {}) is not None


def test_ruling_19_a_gain_from_before_is_ended_by_lowering_either_rate() -> None:
    """The rate that is replaced does not count any more."""
    desk = Desk().after(RatePosted("PHP", "HKD", 1, 7)).after(RatePosted("HKD", "PHP", 8, 1))
    assert desk_refusal(desk, PostRate("PHP", "HKD", 1, 8), {}) is None
    assert desk_refusal(desk, PostRate("HKD", "PHP", 7, 1), {}) is None
    assert desk_refusal(desk, PostRate("HKD", "PHP", 71, 10), {}) is not None


@pytest.mark.parametrize("command", [PostRate("HKD", "PHP", 1, 1), PostRate("PHP", "HKD", 1, 5)])
def test_ruling_19_by_the_first_rules_of_the_desk_any_rate_could_be_posted(command: PostRate) -> None:
    assert desk_refusal(DESK, command, {}) is not None
    assert desk_refusal(DESK, command, {}, by_first_rules=True) is None
    assert desk_refusal(DESK, replace(command, takes="CHIPS"), {}, by_first_rules=True) is not None


def test_ruling_19_a_rate_is_at_most_doubled_or_halved_at_a_time() -> None:
    desk = Desk().after(RatePosted("SGD", "PHP", 42, 1))
    for numerator, is_refused in ((84, False), (85, True), (21, False), (20, True)):
        assert (desk_refusal(desk, PostRate("SGD", "PHP", numerator, 1), {}) is not None) is is_refused
    # The first has none to be compared with.
    assert desk_refusal(desk, PostRate("SGD", "HKD", 10**9, 1), {}) is None


def test_what_is_not_for_one_alone_is_done_by_two_different_people() -> None:
    for command, _ in DESK_COMMANDS:
        rich = {"patron/PHP/anna": 10**6, "patron/HKD/anna": 10**6}
        for by, and_by, is_refused in (("eve", "dan", False), ("eve", "eve", True), ("eve", "", True)):
            found = desk_refusal(DESK, replace(command, by=by, and_by=and_by), rich)
            assert (found is not None and found.reason is Reason.TWO_PEOPLE) is is_refused
        event = happened_at_the_desk(DESK, replace(command, by="eve", and_by="dan"))
        assert desk_cause(event) == replace(command, by="eve", and_by="dan")


@pytest.mark.parametrize("other", ["PHP", "HKD", "CHIPS"])
def test_chips_are_exchanged_by_nothing(other: str) -> None:
    """No rate is posted for them and none is used, even if somebody has got one into the desk."""
    desk = DESK.after(RatePosted("CHIPS", other, 1, 1)).after(RatePosted(other, "CHIPS", 1, 1))
    rich = dict.fromkeys(("patron/CHIPS/anna", f"patron/{other}/anna"), 10**6)
    for gives, takes in (("CHIPS", other), (other, "CHIPS")):
        for command in (PostRate(gives, takes, 1, 1), ChangeMoney("anna", gives, 100, takes)):
            found = desk_refusal(desk, command, rich)
            assert found is not None
            assert found.reason is Reason.NOT_EXCHANGED
            assert found.clause == "Ruling 19"


def test_chips_stay_chips_in_every_other_act() -> None:
    for command, _ in DESK_COMMANDS:
        if isinstance(command, ChangeMoney | PostRate):
            continue
        values = {field.name: getattr(command, field.name) for field in fields(command)} | {"unit": "CHIPS"}
        in_chips = type(command)(**values)
        event = happened_at_the_desk(DESK, in_chips)
        for owed in (0, 300):
            moved = desk_postings(event, {"owed/CHIPS/anna": -owed, "owed/PHP/anna": -owed})
            assert {parse_account(account).unit for account, _ in moved} == {"CHIPS"}


def test_a_table_for_chips_touches_no_money() -> None:
    table = playing(TableSettings(find_game("baccarat-tournament")), {"anna": {"player": 2000}})
    moved = [*postings("main", table, decide(table, WithdrawWager(1, "anna", "player"))[0], {})]
    assert moved == [("patron/CHIPS/anna", 2000), ("held/main/CHIPS/anna", -2000)]


# Rulings 21 and 22, by hand.


def playing(settings: TableSettings, slips: dict[str, dict[str, int]]) -> Table:
    """A table in its first round, with these wagers on the felt."""
    table = Table(settings)
    commands: list[Command] = [
        OpenShoe(settings.full_shoe),
        BurnCards((settings.game.pack.card("2h"),), face_down=2),
        OpenBetting(),
        *[PlaceWager(1, patron, wager, stake) for patron, slip in slips.items() for wager, stake in slip.items()],
    ]
    return after(table, *commands)


def after(table: Table, *commands: Command) -> Table:
    for command in commands:
        for event in decide(table, meant(table, command)):
            table = evolve(table, event)
    return table


PLAYER_WINS = read_deal(MANILA.pack, "P 9s Kd | B 2c 5c")
BANKER_WINS = read_deal(MANILA.pack, "P 2c 5c | B 9s Kd")
TIES = read_deal(MANILA.pack, "P 9s Kd | B 9c Kc")


def dealt(deal: Any) -> Table:
    """Anna has 2,000 on Player; the deal is announced and not settled."""
    table = playing(SETTINGS, {"anna": {"player": 2000}})
    return after(table, CloseBetting(1), *in_order(deal), AnnounceResult(1))


def moved(table: Table, command: Command, has: int = 0, owed: int = 0) -> Money:
    """What the command moves, where anna has and owes so much; accounts by their first word."""
    (event,) = decide(table, command)
    found = postings("main", table, event, {"patron/PHP/anna": has, "owed/PHP/anna": -owed})
    return {account.split("/")[0]: amount for account, amount in found}


@pytest.mark.parametrize(
    ("deal", "owed", "expected"),
    [
        (PLAYER_WINS, 0, {"held": -2000, "patron": 4000, "house": -2000}),
        (BANKER_WINS, 0, {"held": -2000, "house": 2000}),
        (TIES, 0, {"held": -2000, "patron": 2000}),
        # What comes back settles first what is owed, the stake with what is won on it.
        (PLAYER_WINS, 500, {"held": -2000, "owed": 500, "patron": 3500, "house": -2000}),
        (PLAYER_WINS, 4000, {"held": -2000, "owed": 4000, "house": -2000}),
        (PLAYER_WINS, 9000, {"held": -2000, "owed": 4000, "house": -2000}),
        (TIES, 500, {"held": -2000, "owed": 500, "patron": 1500}),
        (TIES, 2000, {"held": -2000, "owed": 2000}),
        (BANKER_WINS, 500, {"held": -2000, "house": 2000}),
    ],
)
def test_ruling_21_what_a_round_returns_settles_first_what_is_owed(deal: Any, owed: int, expected: Money) -> None:
    assert moved(dealt(deal), SettleRound(1), owed=owed) == expected


STAKE_BACK = [
    (0, {"held": -2000, "patron": 2000}),
    (500, {"held": -2000, "owed": 500, "patron": 1500}),
    (2000, {"held": -2000, "owed": 2000}),
    (9000, {"held": -2000, "owed": 2000}),
]


@pytest.mark.parametrize(("owed", "expected"), STAKE_BACK)
def test_ruling_21_a_stake_that_a_void_returns_settles_first_what_is_owed(owed: int, expected: Money) -> None:
    fault = VoidRound(1, Irregularity.TECHNICAL_FAULT)
    assert moved(dealt(PLAYER_WINS), fault, owed=owed) == expected


@pytest.mark.parametrize(("owed", "expected"), STAKE_BACK)
def test_ruling_21_a_stake_that_is_taken_back_settles_first_what_is_owed(owed: int, expected: Money) -> None:
    more = playing(SETTINGS, {"anna": {"player": 4000}})
    assert moved(more, ReduceWager(1, "anna", "player", 2000), owed=owed) == expected
    all_of_it = playing(SETTINGS, {"anna": {"player": 2000, "tie": 3000}})
    assert moved(all_of_it, WithdrawWager(1, "anna", "player"), owed=owed) == expected


@pytest.mark.parametrize(
    ("has", "owed", "expected"),
    [
        (10_000, 0, {"patron": -4000, "house": 4000}),
        (4000, 0, {"patron": -4000, "house": 4000}),
        (3999, 0, {"patron": -3999, "owed": -1, "house": 4000}),
        (1500, 0, {"patron": -1500, "owed": -2500, "house": 4000}),
        (0, 0, {"owed": -4000, "house": 4000}),
        (0, 300, {"owed": -4000, "house": 4000}),
    ],
)
def test_ruling_21_what_has_been_spent_is_owed_after_a_correction(has: int, owed: int, expected: Money) -> None:
    settled = after(dealt(PLAYER_WINS), SettleRound(1))
    assert moved(settled, CorrectRound(1, BANKER_WINS), has, owed) == expected


@pytest.mark.parametrize(
    ("has", "expected"),
    [
        (2000, {"patron": -2000, "house": 2000}),
        (100, {"patron": -100, "owed": -1900, "house": 2000}),
        (0, {"owed": -2000, "house": 2000}),
    ],
)
def test_ruling_21_what_has_been_spent_is_owed_after_a_void(has: int, expected: Money) -> None:
    settled = after(dealt(PLAYER_WINS), SettleRound(1))
    assert moved(settled, VoidRound(1, Irregularity.WRONG_NUMBER_OF_CARDS), has) == expected


@pytest.mark.parametrize(
    ("owed", "expected"),
    [
        (0, {"patron": 4000, "house": -4000}),
        (500, {"owed": 500, "patron": 3500, "house": -4000}),
        (4000, {"owed": 4000, "house": -4000}),
        (5000, {"owed": 4000, "house": -4000}),
    ],
)
def test_ruling_21_a_correction_in_the_patrons_favour_settles_first_what_is_owed(owed: int, expected: Money) -> None:
    settled = after(dealt(BANKER_WINS), SettleRound(1))
    assert moved(settled, CorrectRound(1, PLAYER_WINS), owed=owed) == expected


@pytest.mark.parametrize(
    ("owed", "expected"),
    [
        (0, {"issue": -700, "patron": 700}),
        (300, {"issue": -700, "owed": 300, "patron": 400}),
        (700, {"issue": -700, "owed": 700}),
        (900, {"issue": -700, "owed": 700}),
    ],
)
def test_ruling_21_what_is_bought_in_settles_first_what_is_owed(owed: int, expected: Money) -> None:
    found = desk_postings(MoneyIssued("anna", "PHP", 700, "welcome"), {"owed/PHP/anna": -owed})
    assert {account.split("/")[0]: amount for account, amount in found} == expected


def test_ruling_21_no_wager_is_taken_while_something_is_owed() -> None:
    table = playing(SETTINGS, {"anna": {"player": 2000}})
    rich = {"patron/PHP/anna": 10**6}
    for command, refuses in (
        (PlaceWager(1, "anna", "tie", 2000), True),
        (IncreaseWager(1, "anna", "player", 2000), True),
        (ReduceWager(1, "anna", "player", 20), False),
        (WithdrawWager(1, "anna", "player"), False),
    ):
        assert funds_refusal(table, command, rich) is None
        found = funds_refusal(table, command, rich | {"owed/PHP/anna": -1})
        assert (found is not None) is refuses
        if found:
            assert (found.reason, found.clause) == (Reason.OWES, "Ruling 21")
        # What is owed in another currency, or by somebody else, is another matter.
        assert funds_refusal(table, command, rich | {"owed/HKD/anna": -1, "owed/PHP/bob": -1}) is None


def test_ruling_21_nobody_takes_money_away_who_owes() -> None:
    for command in (ReturnMoney("anna", "PHP", 10, "home"), ChangeMoney("anna", "PHP", 100, "HKD")):
        assert refused(command, patron_PHP_anna=100) is None
        assert refused(command, patron_PHP_anna=100, owed_PHP_anna=-1) is Reason.OWES
        assert refused(command, patron_PHP_anna=9) is Reason.INSUFFICIENT_FUNDS


def test_funds_are_refused_to_the_last_unit() -> None:
    table = playing(SETTINGS, {"anna": {"player": 2000}})
    for command in (PlaceWager(1, "anna", "tie", 2000), IncreaseWager(1, "anna", "player", 2000)):
        assert funds_refusal(table, command, {"patron/PHP/anna": 2000}) is None
        found = funds_refusal(table, command, {"patron/PHP/anna": 1999})
        assert found is not None
        assert found.reason is Reason.INSUFFICIENT_FUNDS


@pytest.mark.parametrize(
    ("amount", "owed", "expected"),
    [
        (700, 0, {"house": -700, "patron": 700}),
        (700, 300, {"house": -700, "owed": 300, "patron": 400}),
        (700, 900, {"house": -700, "owed": 700}),
        (-700, 0, {"patron": -700, "house": 700}),
    ],
)
def test_ruling_22_an_account_is_adjusted_against_the_house(amount: int, owed: int, expected: Money) -> None:
    event = AccountAdjusted("anna", "PHP", amount, "main/12", "misread", "eve", "dan")
    found = desk_postings(event, {"owed/PHP/anna": -owed, "patron/PHP/anna": 700})
    assert {account.split("/")[0]: amount for account, amount in found} == expected


def test_ruling_22_an_adjustment_takes_two_people_a_round_and_a_reason() -> None:
    good = {"patron": "anna", "unit": "PHP", "amount": 700, "round_address": "main/12", "reason": "misread"}
    people = {"by": "eve", "and_by": "dan"}
    assert refused(AdjustAccount(**good, **people)) is None  # type: ignore[arg-type]
    for wrong, reason in (
        ({"and_by": "eve"}, Reason.TWO_PEOPLE),
        ({"and_by": ""}, Reason.TWO_PEOPLE),
        ({"round_address": ""}, Reason.BAD_REASON),
        ({"round_address": "main/0"}, Reason.BAD_REASON),
        ({"round_address": "the last one"}, Reason.BAD_REASON),
        ({"reason": " "}, Reason.BAD_REASON),
        ({"amount": 0}, Reason.BAD_AMOUNT),
    ):
        assert refused(AdjustAccount(**(good | people | wrong))) is reason  # type: ignore[arg-type]


def test_ruling_22_nobody_is_made_to_owe_by_an_adjustment() -> None:
    taken = AdjustAccount("anna", "PHP", -700, "main/12", "misread", "eve", "dan")
    assert refused(taken, patron_PHP_anna=700) is None
    assert refused(taken, patron_PHP_anna=699) is Reason.INSUFFICIENT_FUNDS
