"""Commands that nobody should send: each is refused alone, and the stream and all others in its group go on."""

import asyncio
from typing import Any

import pytest

from puntobanco.errors import DeclarationError, InputError
from puntobanco.ledger import AdjustAccount, ChangeMoney, IssueMoney, PostRate, ReturnMoney
from puntobanco.store import record
from puntobanco.store.record import Answer
from puntobanco.store.streams import StreamCommand
from puntobanco.table import (
    BurnCards,
    ChangeSettings,
    IncreaseWager,
    OpenBetting,
    OpenShoe,
    OpenTable,
    PauseTable,
    Phase,
    PlaceWager,
    ReduceWager,
    TableSettings,
    WithdrawWager,
)
from store.databases import Place
from store.examined import examine
from store.houses import SETTINGS, House, house

MOST = 10**12
ODD_NAMES = ("'; DROP TABLE event; --", "x/y")
"""Printable: a patron may be called so."""
TEXTS = ("", " ", "an\0na", "\0", "\ud800", "a" * 10_000, "\N{RIGHT-TO-LEFT OVERRIDE}", *ODD_NAMES)
NUMBERS = (0, -1, 1.5, float("nan"), 2**63, -(2**63) - 1, 10**5000, True, "100", None)

AT_THE_TABLE: list[StreamCommand] = [
    *[PlaceWager(1, text, "player", 2000) for text in TEXTS],
    *[PlaceWager(1, "anna", text, 2000) for text in TEXTS],
    *[PlaceWager(1, "anna", "player", number) for number in NUMBERS],  # type: ignore[arg-type]
    *[PlaceWager(number, "anna", "player", 2000) for number in NUMBERS if number is not True],  # type: ignore[arg-type]
    *[PlaceWager(1, "anna", "player", 2000, text) for text in TEXTS],
    *[IncreaseWager(1, "bob", "tie", number) for number in NUMBERS],  # type: ignore[arg-type]
    *[ReduceWager(1, "bob", "tie", number) for number in NUMBERS],  # type: ignore[arg-type]
    *[IncreaseWager(1, text, "tie", 2000) for text in TEXTS],
    *[ReduceWager(1, text, "tie", 2000) for text in TEXTS],
    *[WithdrawWager(1, text, "tie") for text in TEXTS],
    *[PlaceWager(1, wrong, "player", 2000) for wrong in (None, 5, b"anna", ["anna"])],  # type: ignore[arg-type]
]
AT_THE_DESK: list[StreamCommand] = [
    *[IssueMoney(text, "PHP", 100, "why") for text in TEXTS[:-2]],
    *[IssueMoney("anna", text, 100, "why") for text in TEXTS],
    *[IssueMoney("anna", "PHP", number, "why") for number in NUMBERS],  # type: ignore[arg-type]
    *[IssueMoney("anna", "PHP", 100, text) for text in ("", " ", "\0", "\ud800")],
    *[ReturnMoney(text, "PHP", 100, "why") for text in TEXTS],
    *[ReturnMoney("anna", "PHP", number, "why") for number in NUMBERS],  # type: ignore[arg-type]
    *[ChangeMoney(text, "PHP", 100, "HKD") for text in TEXTS],
    *[ChangeMoney("anna", text, 100, "HKD") for text in TEXTS],
    *[ChangeMoney("anna", "PHP", 100, text) for text in TEXTS],
    *[PostRate(text, "HKD", 1, 1) for text in TEXTS],
    *[PostRate("PHP", "HKD", number, 1) for number in NUMBERS],  # type: ignore[arg-type]
    *[PostRate("PHP", "HKD", 1, number) for number in NUMBERS],  # type: ignore[arg-type]
    *[AdjustAccount(text, "PHP", 100, "1/1", "why", "eve", "dan") for text in TEXTS[:-2]],
    *[AdjustAccount("anna", "PHP", number, "1/1", "why", "eve", "dan") for number in (0, *NUMBERS[2:])],  # type: ignore[arg-type]
    *[AdjustAccount("anna", "PHP", 100, "1/1", "why", "eve", text) for text in ("", "eve", "\0")],
]


async def refused(at: House, stream: str, command: StreamCommand) -> bool:
    """Whether a command is refused, by its form or by the rules, while another in the same group is carried out."""
    beside = at.do("desk/beside", PostRate("PHP", "HKD", 1, 7))
    answer, accepted = await asyncio.gather(at.do(stream, command), beside, return_exceptions=True)
    assert isinstance(accepted, Answer), repr(accepted)
    assert accepted.accepted
    at.record.stream(stream)  # It has not stopped.
    if isinstance(answer, Answer):
        return not answer.accepted
    # A value that no JSON can hold is not even written.
    assert isinstance(answer, ValueError | OverflowError | TypeError), repr(answer)
    return True


@pytest.mark.parametrize(("stream", "commands"), [("table/main", AT_THE_TABLE), ("desk/main", AT_THE_DESK)])
def test_a_hostile_command_is_refused_alone(place: Place, stream: str, commands: list[StreamCommand]) -> None:
    async def work() -> None:
        async with house(place.database()) as at:
            await at.until(Phase.BETTING)
            await at.record.open("desk/beside")
            await at.bet("bob", "tie", 4000)
            before, version = await at.balances(), at.record.version(stream)
            for command in commands:
                assert await refused(at, stream, command), command
            assert at.record.version(stream) == version
            found = await examine(at.record.database)
            assert found.problems == []
            assert found.balances == before

    asyncio.run(work())


def test_a_command_of_another_kind_of_stream_harms_nobody(place: Place) -> None:
    async def work() -> None:
        async with house(place.database()) as at:
            await at.until(Phase.BETTING)
            mistaken: list[tuple[str, Any]] = [
                ("desk/main", PauseTable("why")),
                ("table/main", IssueMoney("anna", "PHP", 100, "why")),
                ("desk/main", "a word"),
                ("table/main", None),
            ]
            for stream, command in mistaken:
                for asked in (None, b"what the client sent"):
                    with pytest.raises((InputError, DeclarationError)):
                        await at.record.submit(stream, [command], actor="house", command_id="a-mistake", asked=asked)
            assert (await at.bet("anna", "player", 2000)).accepted
            assert (await at.do("desk/main", IssueMoney("anna", "PHP", 100, "more"))).accepted

    asyncio.run(work())


def test_no_account_holds_more_than_the_database_can_count(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a bound that can be reached; the true one is beyond millions of the largest exchanges."""
    monkeypatch.setattr(record, "MOST_IN_AN_ACCOUNT", 2 * MOST)

    async def work() -> None:
        async with house(place.database()) as at:
            await at.do("desk/main", IssueMoney("anna", "PHP", MOST, "more"))
            await at.do("desk/main", PostRate("PHP", "HKD", MOST, 1))
            too_much = await at.do("desk/main", ChangeMoney("anna", "PHP", MOST, "HKD"))
            assert not too_much.accepted
            assert "bad-amount" in too_much.text
            for accepted in (True, True, False):
                assert (await at.do("desk/main", ChangeMoney("anna", "PHP", 1, "HKD"))).accepted is accepted
            found = await examine(at.record.database)
            assert found.problems == []
            assert found.balances["patron/HKD/anna"] == 2 * MOST

    asyncio.run(work())


def test_what_a_table_counts_in_may_change_within_a_group(place: Place) -> None:
    """A wager that comes together with the opening of its table is paid from the account that it then belongs to."""

    async def work() -> None:
        async with house(place.database()) as at:
            await at.do("desk/main", IssueMoney("anna", "HKD", 5000, "welcome"))
            card = SETTINGS.game.pack.card("3h")
            opening: list[StreamCommand] = [OpenShoe(SETTINGS.full_shoe), BurnCards((card,), 3), OpenBetting()]
            in_dollars = TableSettings(SETTINGS.game, decks=4, account=SETTINGS.account, currency="HKD")
            wager = PlaceWager(1, "anna", "player", 2000)
            for stream, settings, unit, left in (
                ("table/pesos", SETTINGS, "PHP", 998_000),
                ("table/dollars", in_dollars, "HKD", 3000),
            ):
                await at.record.open(stream)
                answers = await asyncio.gather(
                    *[at.do(stream, command) for command in (OpenTable(settings), *opening, wager)]
                )
                assert [answer.accepted for answer in answers] == [True] * 5, answers
                assert (await at.balances())[f"patron/{unit}/anna"] == left
            # The same in one command of several.
            await at.record.open("table/at-once")
            at_once = await at.do("table/at-once", OpenTable(SETTINGS), ChangeSettings(in_dollars), *opening, wager)
            assert at_once.accepted, at_once
            assert (await at.balances())["patron/HKD/anna"] == 1000
            assert (await examine(at.record.database)).problems == []

    asyncio.run(work())


def test_what_a_refused_command_would_have_moved_is_there_for_the_next_of_its_group(place: Place) -> None:
    async def work() -> None:
        async with house(place.database()) as at:
            await at.until(Phase.BETTING)
            half = [PlaceWager(1, "anna", "player", 600_000), PlaceWager(1, "anna", "tie", 600_000)]
            refused, accepted = await asyncio.gather(
                at.do("table/main", *half), at.do("table/main", PlaceWager(1, "anna", "banker", 1_000_000))
            )
            assert (refused.accepted, accepted.accepted) == (False, True)
            found = await examine(at.record.database)
            assert found.problems == []
            assert found.balances["patron/PHP/anna"] == 0

    asyncio.run(work())


def test_nothing_is_no_command(place: Place) -> None:
    async def work() -> None:
        async with house(place.database()) as at:
            with pytest.raises(InputError, match="Nothing was asked"):
                await at.do("desk/main")

    asyncio.run(work())
