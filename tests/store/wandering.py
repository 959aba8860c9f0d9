"""A record led through anything that can happen to it, one seed the same way on every database.

Commands of three tables and a desk, retries, ids that are used again, crashes between any two steps of the database,
and another process that writes in between; after each the balances are those of `purses.py`.
"""

import asyncio
import json
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from random import Random
from typing import Any, NamedTuple

from puntobanco import find_game
from puntobanco.cards import Card, Deal
from puntobanco.errors import InputError
from puntobanco.ledger import AdjustAccount, ChangeMoney, IssueMoney, PostRate, ReturnMoney
from puntobanco.store.database import Conflict, Database, StorageFault
from puntobanco.store.record import Answer, Record
from puntobanco.store.streams import StreamCommand, TableStream
from puntobanco.table import (
    CorrectRound,
    IncreaseWager,
    Irregularity,
    OpenTable,
    Phase,
    PlaceWager,
    ReduceWager,
    Table,
    TableSettings,
    VoidRound,
    WithdrawWager,
)
from puntobanco.table.dealer import next_step
from puntobanco.tableau import Hand
from store.examined import examine
from store.houses import KEYS
from store.purses import Cards, Felt, Purses
from table.books import hand_due

GAME = find_game("manila")
TABLES = {"pesos": "PHP", "more-pesos": "PHP", "dollars": "HKD"}
"""Two in one currency: what is taken back at one table may be won at the other."""
DESK = "desk/main"
PATRONS = ("anna", "bob", "carl")
UNITS = ("PHP", "HKD", "CHIPS")
SPOTS = ("player", "banker", "tie", "player-pair")
STEPS = ("begin", "balances", "write", "commit")
MONEY_REASONS = frozenset(
    {"owes", "insufficient-funds", "not-exchanged", "no-rate", "bad-rate", "too-little", "two-people"}
)


class Crash(Exception):
    """The process ends here."""


class Asked(NamedTuple):
    stream: str
    command: StreamCommand
    actor: str
    id: str


class Ending(NamedTuple):
    """What is the same on every database."""

    heads: dict[str, bytes]
    answers: bytes
    balances: dict[str, int]


class Wanderer:
    """One walk through a record."""

    def __init__(self, connect: Callable[[], Database], seed: int) -> None:
        self.connect, self.random = connect, Random(seed)
        self.purses = Purses({name: Felt(unit) for name, unit in TABLES.items()})
        self.steps = 0
        self.answered: list[tuple[Asked, Answer]] = []
        self.seen = self.purses.seen

    def new_record(self) -> Record:
        # The time is that of the step, so that a command that was tried again is written as if it had not been.
        return Record(self.connect(), KEYS, clock=lambda: 1_700_000_000_000 + self.steps)

    async def opened(self) -> Record:
        record = self.new_record()
        await record.start()
        for stream in (DESK, *[f"table/{name}" for name in TABLES]):
            await record.open(stream)
        return record

    async def walk(self, steps: int) -> Ending:
        self.record = await self.opened()
        try:
            for name, unit in TABLES.items():
                settings = TableSettings(GAME, decks=4, account="cash", currency=unit)  # type: ignore[arg-type]
                await self.ask(f"table/{name}", OpenTable(settings))
            await self.ask(DESK, PostRate("PHP", "HKD", 1, 7))
            await self.ask(DESK, PostRate("HKD", "PHP", 27, 4))
            for _ in range(steps):
                await self.step()
            found = await examine(self.record.database)
            assert found.problems == []
            heads = {head.stream: head.hash for head in await self.record.database.heads()}
            answers = sha256(repr([answer for _, answer in self.answered]).encode()).digest()
            return Ending(heads, answers, found.balances)
        finally:
            await self.record.close()

    # What is asked.

    def pick(self, *options: Any) -> Any:
        return self.random.choice(options)

    async def step(self) -> None:
        chance = self.random.random()
        if chance < 0.05 and self.answered:
            await self.ask_again()
        elif chance < 0.30:
            await self.ask(DESK, self.desk_command())
        else:
            await self.at_a_table(self.pick(*TABLES))

    def desk_command(self) -> StreamCommand:
        patron, unit, other = self.pick(*PATRONS), self.pick(*UNITS), self.pick(*UNITS)
        has = self.purses.has((unit, patron))
        amount = self.pick(1, 2000, 10_000, max(1, has), has + 1, max(1, has // 2))
        to_patron, other_person = self.pick(amount, -amount), self.pick("dan", "dan", "eve")
        return self.pick(  # type: ignore[no-any-return]
            *[IssueMoney(patron, unit, self.pick(5000, 20_000), "bought in")] * 4,
            ReturnMoney(patron, unit, amount, "cashed"),
            ChangeMoney(patron, unit, amount, other),
            ChangeMoney(patron, "PHP", amount, "HKD"),
            PostRate(unit, other, self.pick(1, 3, 29), self.pick(1, 4, 7)),
            AdjustAccount(patron, unit, to_patron, "pesos/1", "why", "eve", other_person),
        )

    def table(self, name: str) -> Table:
        stream = self.record.stream(f"table/{name}")
        assert isinstance(stream, TableStream)
        assert stream.table is not None
        return stream.table

    async def at_a_table(self, name: str) -> None:
        table = self.table(name)
        stream, chance = f"table/{name}", self.random.random()
        if table.phase is Phase.BETTING and chance < 0.8:
            wagers = [self.wager(table, TABLES[name]) for _ in range(self.pick(1, 1, 1, 2, 4))]
            if len(wagers) == 1:
                await self.ask(stream, wagers[0], actor=wagers[0].patron)
            else:
                await self.ask_together(stream, wagers)
        elif table.phase.in_round and chance < 0.05:
            await self.ask(stream, VoidRound(table.round_number, Irregularity.TECHNICAL_FAULT))
        elif table.phase is Phase.READY and table.last is not None and chance < 0.4:
            if self.random.random() < 0.7:
                await self.pick(self.leave_with_winnings, self.stake_winnings_elsewhere)(name)
            await self.ask(stream, self.put_right(table))
        else:
            await self.ask(stream, next_step(table, lambda: self.draw(table)))

    async def leave_with_winnings(self, name: str) -> None:
        """All who were paid take their money away: what is then taken back, they owe."""
        unit = TABLES[name]
        for patron in sorted(self.purses.felts[name].last_paid):
            if has := self.purses.has((unit, patron)):
                await self.ask(DESK, ReturnMoney(patron, unit, has, "cashed"))

    async def stake_winnings_elsewhere(self, name: str) -> None:
        """All who were paid stake what they have at another table: what comes back from there, they may owe here."""
        unit = TABLES[name]
        for other in [each for each in TABLES if TABLES[each] == unit and each != name]:
            while self.table(other).phase is not Phase.BETTING:
                await self.ask(f"table/{other}", next_step(self.table(other), partial(self.draw, self.table(other))))
            for patron in sorted(self.purses.felts[name].last_paid):
                spot, round_number = self.pick(*SPOTS), self.table(other).round_number
                stake = self.table(other).stake(patron, spot)
                has = self.purses.has((unit, patron)) // 100 * 100
                if has:
                    kind = IncreaseWager if stake else PlaceWager
                    await self.ask(f"table/{other}", kind(round_number, patron, spot, has), actor=patron)

    def wager(self, table: Table, unit: str) -> Any:
        # Who owes and has something on the felt comes to mind more often.
        owing = sorted(patron for patron, slip in table.stakes.items() if slip and self.purses.owes((unit, patron)))
        number, patron, spot = table.round_number, self.pick(*PATRONS, *owing * 2), self.pick(*SPOTS)
        stake, amount = table.stake(patron, spot), self.pick(20, 2000, 4000, 9000)
        if not stake:
            return PlaceWager(number, patron, spot, self.pick(2000, 3000, 8000))
        return self.pick(
            IncreaseWager(number, patron, spot, amount),
            ReduceWager(number, patron, spot, amount),
            WithdrawWager(number, patron, spot),
        )

    def draw(self, table: Table) -> Card:
        assert table.unseen is not None
        unseen = table.unseen
        return self.pick(*[card for card in unseen.pack.cards if unseen.count(card)])  # type: ignore[no-any-return]

    def put_right(self, table: Table) -> StreamCommand:
        """The last round is void after all, or its cards were others."""
        if self.random.random() < 0.3:
            return VoidRound(table.round_number, Irregularity.WRONG_NUMBER_OF_CARDS)
        player: list[Card] = []
        banker: list[Card] = []
        while (due := hand_due([*map(str, player)], [*map(str, banker)], False)) is not None:
            (player if due is Hand.PLAYER else banker).append(self.pick(*GAME.pack.cards))
        return CorrectRound(table.round_number, Deal(tuple(player), tuple(banker)))

    # How it is asked.

    async def ask(self, stream: str, command: StreamCommand, actor: str = "house") -> Answer:
        """Ask once, through whatever happens on the way, and compare all money afterwards."""
        self.steps += 1
        asked = Asked(stream, command, actor, f"command-{self.steps:06}")
        name = stream.partition("/")[2]
        expected = self.purses.refuses(name, command)
        cards, in_round = self.cards(name)
        chance = self.random.random()
        if chance < 0.06:
            answer = await self.with_a_crash(asked)
        elif chance < 0.10:
            answer = await self.by_another_process(asked)
        else:
            answer = await self.submit(self.record, asked)
        self.learn(asked, answer, expected, cards, in_round)
        await self.compare()
        return answer

    def cards(self, name: str) -> tuple[Cards, bool]:
        if name not in TABLES or self.record.version(f"table/{name}") == 0:
            return ((), ()), False
        table = self.table(name)
        hands = tuple(map(str, table.deal.player)), tuple(map(str, table.deal.banker))
        return hands, table.phase.in_round

    async def submit(self, record: Record, asked: Asked) -> Answer:
        return await record.submit(asked.stream, [asked.command], actor=asked.actor, command_id=asked.id)

    def learn(self, asked: Asked, answer: Answer, expected: str | None, cards: Cards, in_round: bool) -> None:
        name = asked.stream.partition("/")[2]
        if answer.accepted:
            assert expected is None, (asked, expected)
            self.purses.after(name, asked.command, cards, in_round)
        else:
            reason = json.loads(answer.text)["reason"]
            assert (reason if reason in MONEY_REASONS else None) == expected, (asked, answer)
            assert asked.stream != DESK or expected, (asked, answer)
            self.seen[reason] += 1
        self.answered.append((asked, answer))

    async def compare(self) -> None:
        found = {name: balance async for rows in self.record.database.accounts() for name, balance in rows if balance}
        assert found == self.purses.accounts(), self.answered[-1]

    async def ask_together(self, stream: str, wagers: list[Any]) -> None:
        """Several in one group, decided in the order in which they came."""
        self.steps += 1
        name = stream.partition("/")[2]
        asked = [
            Asked(stream, wager, wager.patron, f"command-{self.steps:06}-{place}") for place, wager in enumerate(wagers)
        ]
        answers = await asyncio.gather(*[self.submit(self.record, each) for each in asked])
        for each, answer in zip(asked, answers, strict=True):
            self.learn(each, answer, self.purses.refuses(name, each.command), ((), ()), True)
        self.seen["asked together"] += 1
        await self.compare()

    async def with_a_crash(self, asked: Asked) -> Answer:
        """The process ends before or after a step of the database; its successor is asked the same again."""
        database: Any = self.record.database
        step, is_before = self.pick(*STEPS), self.pick(True, False)
        works, crashed = getattr(database, step), False

        async def crashes(*given: Any) -> Any:
            nonlocal crashed
            crashed = True
            if not is_before:
                await works(*given)
            raise Crash

        async def is_gone() -> None:
            raise Crash

        setattr(database, step, crashes)
        database.rollback = is_gone
        try:
            await self.submit(self.record, asked)
        except StorageFault:
            self.seen[f"crash {'before' if is_before else 'after'} {step}"] += 1
        else:
            # Nothing is asked of accounts where a command concerns none.
            assert step == "balances", "every command begins, is written and committed"
            assert not crashed, "acknowledged by a process that was gone"
        await self.record.close()
        self.record = await self.opened()
        return await self.submit(self.record, asked)

    async def by_another_process(self, asked: Asked) -> Answer:
        """Another process carries it out; the first, who does not know, is told so when it is asked for anything."""
        other = await self.opened()
        try:
            answer = await self.submit(other, asked)
        finally:
            await other.close()
        if not answer.accepted:
            return answer
        stale = self.record.version(asked.stream)
        unknown = asked._replace(id=f"unknown-{self.steps:06}")
        try:
            await self.submit(self.record, unknown)
        except Conflict:
            self.seen["conflict"] += 1
        else:
            raise AssertionError(f"{unknown} was answered by who did not know of {asked}")
        assert self.record.version(asked.stream) > stale
        # It is as if the one who lost had never asked.
        assert await self.submit(self.record, asked) == answer
        return answer

    async def ask_again(self) -> None:
        """A command that was answered before, as it was or changed under its old id."""
        self.steps += 1
        asked, answer = self.pick(*self.answered)
        if self.random.random() < 0.5:
            assert await self.submit(self.record, asked) == answer
            self.seen["retry"] += 1
        else:
            changed = ReturnMoney("dan", "PHP", self.steps, "another")
            try:
                await self.record.submit(DESK, [changed], actor=asked.actor, command_id=asked.id)
            except InputError as error:
                self.seen[error.reason] += 1
            else:
                raise AssertionError(f"{asked.id} was used twice")
        await self.compare()
