"""Ruling 21: whoever owes has nothing in that unit, however money comes to them, and whoever else writes meanwhile."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from puntobanco.cards import Card, Deal
from puntobanco.ledger import AdjustAccount, IssueMoney, Posting, ReturnMoney, postings
from puntobanco.store.audit import audit
from puntobanco.store.database import Conflict, Database
from puntobanco.store.record import Answer
from puntobanco.store.slips import SetStakes
from puntobanco.store.streams import StreamCommand, TableStream
from puntobanco.table import (
    CorrectRound,
    Irregularity,
    OpenTable,
    Phase,
    PlaceWager,
    ReduceWager,
    Table,
    VoidRound,
    WithdrawWager,
)
from puntobanco.table.dealer import next_step
from store.databases import Place
from store.examined import examine
from store.houses import KEYS, SETTINGS, House, house

PACK = SETTINGS.game.pack
# As they are dealt, to each hand in turn; nobody draws a third card.
PLAYER_WINS, BANKER_WINS, TIES = ("9s", "2s", "Kd", "5d"), ("2s", "9s", "5d", "Kd"), ("9s", "9d", "Kd", "Ks")
STAKED = 6000
"""What anna has on another felt, and else nothing, when 4,000 are taken back from her."""


def table(at: House, name: str) -> Table:
    stream = at.record.stream(f"table/{name}")
    assert isinstance(stream, TableStream)
    assert stream.table is not None
    return stream.table


async def lead(at: House, name: str, phase: Phase, cards: tuple[str, ...] = ()) -> None:
    """Lead a table to a phase; a round that is dealt has these cards, or any."""
    coming = [PACK.card(text) for text in cards]

    def draw() -> Card:
        if coming and table(at, name).phase is Phase.DEALING:
            return coming.pop(0)
        unseen = table(at, name).unseen
        assert unseen is not None
        return max(PACK.cards, key=unseen.count)

    while (stands := table(at, name)).phase is not phase:
        await ask(at, f"table/{name}", next_step(stands, draw))


async def ask(at: House, stream: str, command: StreamCommand) -> Answer:
    """Ask until it is answered: where nobody else writes to a stream, only the books can be in demand."""
    while True:
        try:
            return await at.do(stream, command)
        except Conflict:
            continue


async def anna(at: House) -> tuple[int, int, int]:
    """What she has, what she owes, and what she has on the other felt."""
    stand = await at.balances()
    return stand["patron/PHP/anna"], -stand.get("owed/PHP/anna", 0), stand.get("held/other/PHP/anna", 0)


async def win_and_stake(at: House, wager: str = "tie", stake: int = STAKED) -> None:
    """Anna wins 2,000 at one table, stakes this at another and takes the rest home."""
    await at.record.open("table/other")
    assert (await at.do("table/other", OpenTable(SETTINGS))).accepted
    await lead(at, "main", Phase.BETTING)
    assert (await at.bet("anna", "player", 2000)).accepted
    await lead(at, "main", Phase.READY, PLAYER_WINS)
    await lead(at, "other", Phase.BETTING)
    assert (await at.do("table/other", PlaceWager(1, "anna", wager, stake))).accepted
    has, _, _ = await anna(at)
    assert (await at.do("desk/main", ReturnMoney("anna", "PHP", has, "home"))).accepted


async def take_back(at: House) -> Answer:
    """The first round was won by the Banker: of the 4,000 that it returned to anna she has nothing."""
    first, second, third, fourth = [PACK.card(text) for text in BANKER_WINS]
    return await at.do("table/main", CorrectRound(1, Deal((first, third), (second, fourth))))


async def settle_other(at: House) -> None:
    await lead(at, "other", Phase.READY, TIES)


WAYS: dict[str, tuple[Any, tuple[int, int, int]]] = {
    "a stake is withdrawn": (WithdrawWager(1, "anna", "player"), (2000, 0, 0)),
    "a stake is reduced": (ReduceWager(1, "anna", "player", 3000), (0, 1000, 3000)),
    "a stake is set": (SetStakes("anna", {"player": 3000}), (0, 1000, 3000)),
    "stakes are moved": (SetStakes("anna", {"banker": 2000}, is_whole=True), (0, 0, 2000)),
    "the round is void": (VoidRound(1, Irregularity.TECHNICAL_FAULT), (2000, 0, 0)),
    "the stake is not lost": (settle_other, (2000, 0, 0)),
    "more is bought in": (IssueMoney("anna", "PHP", 1000, "more"), (0, 3000, STAKED)),
    "the account is adjusted": (AdjustAccount("anna", "PHP", 5000, "main/1", "why", "dan", "eve"), (1000, 0, STAKED)),
}


@pytest.mark.parametrize("way", WAYS)
def test_whatever_comes_to_who_owes_settles_it_first(way: str, place: Place) -> None:
    async def work() -> None:
        async with house(place.database()) as at:
            await win_and_stake(at, "player")
            assert (await take_back(at)).accepted
            assert await anna(at) == (0, 4000, STAKED)
            done, expected = WAYS[way]
            if callable(done):
                await done(at)
            else:
                stream = "desk/main" if isinstance(done, IssueMoney | AdjustAccount) else "table/other"
                assert (await at.do(stream, done)).accepted
            assert await anna(at) == expected
            assert (await examine(at.record.database)).problems == []
            assert (await audit(at.record.database, KEYS)).problems == []

    asyncio.run(work())


def test_stakes_are_moved_only_as_far_as_nothing_is_owed_any_more(place: Place) -> None:
    """What is taken off the felt settles the debt: the rest of it, and no more, may lie elsewhere."""

    async def work() -> None:
        async with house(place.database()) as at:
            await win_and_stake(at)
            assert (await take_back(at)).accepted
            for too_much in (2020, STAKED):
                answer = await at.do("table/other", SetStakes("anna", {"player": too_much}, is_whole=True))
                assert not answer.accepted
                assert await anna(at) == (0, 4000, STAKED)
            kept = SetStakes("anna", {"tie": 3000, "player": 2000})
            assert "owes" in (await at.do("table/other", kept)).text

    asyncio.run(work())


def test_a_record_in_which_somebody_owes_and_has_something_is_found(place: Place, monkeypatch: Any) -> None:
    """A house that paid stakes back to who owed: its chain, its sums and its signatures are all in order."""

    def paid_out(unit: str, patron: str, amount: int, balances: object) -> list[Posting]:
        return [Posting(f"patron/{unit}/{patron}", amount)]

    async def work() -> None:
        async with house(place.database()) as at:
            await win_and_stake(at)
            assert (await take_back(at)).accepted
            with monkeypatch.context() as otherwise:
                # The module has the name of its function, which hides it.
                otherwise.setattr(sys.modules[postings.__module__], "given", paid_out)
                assert (await at.do("table/other", WithdrawWager(1, "anna", "tie"))).accepted
            assert await anna(at) == (STAKED, 4000, 0)
            for limits in ({}, {"table": "main"}, {"since": 2_000_000_000_000}):
                found = await audit(at.record.database, KEYS, **limits)
                words = "PHP/anna has 6,000 and owes 4,000"
                assert [each for each in found.problems if words in str(each)], (limits, found.problems)

    asyncio.run(work())


def held_up(database: Database, meanwhile: Callable[[], Awaitable[Any]]) -> list[asyncio.Task[Any]]:
    """The next group of this process is written only once another has begun what it does meanwhile."""
    write, begun = database.write, list[asyncio.Task[Any]]()

    async def writes(group: Any) -> None:
        database.write = write  # type: ignore[method-assign]
        begun.append(asyncio.ensure_future(meanwhile()))
        await asyncio.sleep(0.2)
        await write(group)

    database.write = writes  # type: ignore[method-assign]
    return begun


@pytest.mark.parametrize("first", ["the debt", "the stake"])
def test_two_processes_leave_nobody_with_a_balance_and_a_debt(first: str, tmp_path: Path) -> None:
    """One takes back what was won at its table while the other gives a stake back at its own."""
    place = Place("postgres", tmp_path)

    async def work() -> None:
        async with house(place.database()) as one, house(place.database(), "second") as two:
            await win_and_stake(one)
            await two.record.open("table/other")
            withdraw = WithdrawWager(1, "anna", "tie")

            async def taken_back() -> None:
                assert (await take_back(one)).accepted

            async def withdrawn() -> None:
                assert (await two.do("table/other", withdraw)).accepted

            begins, other, follows = (
                (taken_back, one, withdrawn) if first == "the debt" else (withdrawn, two, taken_back)
            )
            begun = held_up(other.record.database, follows)
            await begins()
            await begun[0]
            assert await anna(one) == (STAKED - 4000, 0, 0)
            assert (await audit(one.record.database, KEYS)).problems == []

    asyncio.run(work())


@pytest.mark.parametrize("seed", range(2))
def test_processes_that_write_at_once_leave_nobody_with_a_balance_and_a_debt(seed: int, tmp_path: Path) -> None:
    """Each leads a table of its own, gives stakes back and puts its rounds right, of the same two patrons."""
    place, random = Place("postgres", tmp_path), Random(seed)

    async def play(at: House, name: str) -> None:
        stream = f"table/{name}"
        for _ in range(30):
            await lead(at, name, Phase.BETTING)
            number = table(at, name).round_number
            for patron in ("anna", "bob"):
                has = (await at.balances())[f"patron/PHP/{patron}"] // 100 * 100
                if has < 2000:
                    await ask(at, f"desk/{name}", IssueMoney(patron, "PHP", 3000, "more"))
                await ask(at, stream, PlaceWager(number, patron, random.choice(("player", "banker")), has or 2000))
            if random.random() < 0.3:
                await ask(at, stream, SetStakes(random.choice(("anna", "bob")), {}, is_whole=True))
            if random.random() < 0.2:
                await ask(at, stream, VoidRound(number, Irregularity.TECHNICAL_FAULT))
            else:
                await lead(at, name, Phase.READY)
                # The other table takes what was won here, or does not.
                await asyncio.sleep(random.random() / 20)
                await ask(at, stream, VoidRound(number, Irregularity.WRONG_NUMBER_OF_CARDS))

    async def work() -> None:
        async with house(place.database()) as one, house(place.database(), "second") as two:
            for patron in ("anna", "bob"):
                await one.do("desk/main", ReturnMoney(patron, "PHP", 990_000, "home"))
            await two.record.open("desk/other")
            await two.record.open("table/other")
            await two.do("table/other", OpenTable(SETTINGS))
            await asyncio.gather(play(one, "main"), play(two, "other"))
            database = one.record.database
            owed = [each async for portion in database.entries() for each in portion if each.account[:5] == "owed/"]
            assert {entry.amount > 0 for entry in owed} == {True, False}, "nobody came to owe, or to settle it"
            assert {entry.stream for entry in owed} >= {"table/main", "table/other"}
            assert (await examine(database)).problems == []
            assert (await audit(database, KEYS)).problems == []

    asyncio.run(work())
