"""A whole server killed under load, over and over, with patrons who play on through their clients.

Patrons never learn that the server died, but that an answer takes longer: their clients connect again and send again
what was not answered, with the same ids. What is checked is that nothing acknowledged is lost, nothing is done twice,
and sessions, stakes, round and cards are there again in time.
"""

import asyncio
import json
import secrets
import socket
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from signal import SIGCONT, SIGSTOP
from typing import Any

import asyncpg

from puntobanco.client import Accepted, Client, Event, Refused, Table
from server.running import UNLIMITED, Running

PATRONS = 8
PACE = ("--betting-seconds", "0.5", "--card-seconds", "0.02", "--pause-seconds", "0.05")
"""Rounds are short, so that a server dies in every part of one."""
IN_ROUND = ("betting", "dealing", "complete", "announced")
BACK_AGAIN_SECONDS = 3.0
FAINTS = 0.3
"""How many of the deaths of one of several processes are none: it is only stopped for a while."""

Deal = dict[str, list[str]]
"""The cards of each hand."""


def free_port() -> int:
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        port: int = asked.getsockname()[1]
        return port


@dataclass
class Patron:
    """Somebody who plays on whatever happens, and remembers what they were told."""

    client: Client
    random: Random
    told: "Told"
    round: int = 0
    stakes: dict[str, int] = field(default_factory=dict)
    """In that round, as they were last acknowledged."""
    under_way: tuple[str, int] | None = None
    heard_of: int = 0
    """The last round that they were told of."""

    async def play(self, table: Table, over: asyncio.Event) -> None:
        wagers = {
            wager: limits for wager, limits in table.state["limits"].items() if wager in ("player", "banker", "tie")
        }
        while not over.is_set():
            if table.state["phase"] != "betting":
                await asyncio.sleep(0.005)
                continue
            number = table.state["round"]
            if number != self.round:
                self.round, self.stakes = number, {}
            wager = self.random.choice([*wagers])
            limits = wagers[wager]
            amounts = [limits["minimum"] + step * limits["step"] for step in range(4)]
            amount = self.random.choice([each for each in amounts if each != self.stakes.get(wager)])
            self.under_way, id = (wager, amount), secrets.token_hex(12)
            try:
                accepted = await table.stake(wager, amount, id=id)
            except Refused as refused:
                self.told.refused[refused.reason] += 1
                self.told.refusals[str(self.client.patron), id] = refused.reason
                await asyncio.sleep(0.01)
            else:
                self.told.acknowledged[str(self.client.patron), accepted.id] = accepted
                self.stakes = dict(accepted.stakes)
            self.under_way = None
            await asyncio.sleep(self.random.random() * 0.02)

    async def watch(self, table: Table) -> None:
        async for event in table:
            self.told.hear(event)
            number = event.fields.get("round")
            if isinstance(number, int):
                if number < self.heard_of:
                    self.told.wrong.append(f"{self.client.patron} was told of round {self.heard_of}, then of {number}")
                self.heard_of = number
            if event.name == "snapshot":
                self.told.snapshots += 1
                if event["round"] == self.round and event["phase"] in IN_ROUND and not self.are_there(event["stakes"]):
                    self.told.wrong.append(f"stakes of {self.stakes} came back as {event['stakes']}")

    def are_there(self, stakes: dict[str, int]) -> bool:
        """Whether these are the stakes that were acknowledged, with or without the one that was not answered yet."""
        both = [self.stakes] if self.under_way is None else [self.stakes, self.stakes | dict([self.under_way])]
        return stakes in both


@dataclass
class Told:
    """All that patrons were told, over all lives."""

    acknowledged: dict[tuple[str, str], Accepted] = field(default_factory=dict)
    refused: Counter[str] = field(default_factory=Counter)
    refusals: dict[tuple[str, str], str] = field(default_factory=dict)
    """The reason of each."""
    deals: dict[int, Deal] = field(default_factory=dict)
    """By round, the cards as far as they were seen."""
    round: int = 0
    heard: int = 0
    """The version at which the round was first told of."""
    snapshots: int = 0
    wrong: list[str] = field(default_factory=list)

    def hear(self, event: Event) -> None:
        number, deal = event.fields.get("round"), event.fields.get("deal")
        if not isinstance(number, int):
            return
        # By version: the snapshot of one patron may be read after what another was told later.
        if event.name == "snapshot" and number < self.round and event.version >= self.heard:
            self.wrong.append(f"round {self.round} was followed by round {number}")
        if number > self.round:
            self.round, self.heard = number, event.version
        if isinstance(deal, dict) and (event.name == "card-dealt" or event["phase"] in IN_ROUND):
            self.see(number, {hand: deal[hand] for hand in ("player", "banker")})

    def see(self, number: int, deal: Deal) -> None:
        """Cards that lie on the table stay, whatever happens to the server."""
        seen = self.deals.setdefault(number, deal)
        for hand, cards in deal.items():
            shorter = min(len(cards), len(seen[hand]))
            if cards[:shorter] != seen[hand][:shorter]:
                self.wrong.append(f"in round {number} the {hand} had {seen[hand]}, then {cards}")
        self.deals[number] = {hand: max(cards, seen[hand], key=len) for hand, cards in deal.items()}


class Kills:
    """Lives and deaths of a server, of one process or of several on one PostgreSQL.

    `cycle` is one death, or a faint, and what follows; `end` stops everything and looks at the record.
    """

    def __init__(self, folder: Path, seed: int, processes: int = 1, url: str | None = None) -> None:
        self.random, self.url = Random(seed), url
        settings = UNLIMITED if url is None else {**UNLIMITED, "PUNTOBANCO_DATABASE": url}
        self.processes = [
            Running(folder / "data", *PACE, settings=settings, port=free_port()) for _ in range(processes)
        ]
        self.told = Told()
        self.back_after: list[float] = []
        """Seconds from each start until everything was there again."""
        self._patrons: list[Patron] = []
        self._tasks: list[asyncio.Task[None]] = []
        self._over = asyncio.Event()

    async def start(self) -> None:
        for process in self.processes:
            await asyncio.to_thread(process.start)
        _, answer, _ = self.processes[0].ask("GET", "/api/tables")
        is_played = [each["id"] for each in answer["tables"] if each["dealing"] == "virtual"]
        self.table = is_played[0]
        for number in range(PATRONS):
            # On a busy machine a server is away for longer than it lives.
            client = Client(self.processes[number % len(self.processes)].address, patience=600)
            await client.come_as_guest()
            self._patrons.append(Patron(client, Random(number), self.told))
        self._tasks = [asyncio.create_task(self._attend(patron)) for patron in self._patrons]

    async def _attend(self, patron: Patron) -> None:
        async with patron.client, patron.client.join(self.table) as table:
            watching = asyncio.create_task(patron.watch(table))
            try:
                await patron.play(table, self._over)
            finally:
                watching.cancel()

    async def cycle(self) -> None:
        """A moment of play, then death, then a new life: asked at once for all that must be there."""
        await asyncio.sleep(0.1 + self.random.random() * 0.8)
        self._look_for_failures()
        process = self.random.choice(self.processes)
        if self.url is not None and self.random.random() < FAINTS:
            # Its tables go to another process meanwhile, and it finds that out when it wakes.
            process.send(SIGSTOP)
            await asyncio.sleep(self.random.random() * 4)
            process.send(SIGCONT)
            return
        process.kill()
        began = time.monotonic()
        await asyncio.to_thread(process.start)
        await asyncio.to_thread(self._all_there, process)
        self.back_after.append(time.monotonic() - began)

    def _all_there(self, process: Running) -> None:
        for patron in self._patrons:
            status, answer, _ = process.ask("GET", "/api/me", session=patron.client.session)
            if (status, answer.get("patron")) != (200, patron.client.patron):
                self.told.wrong.append(f"the session of {patron.client.patron} is gone: {status}")
        # Before it is asked: patrons are back already, and may hear of the next round meanwhile.
        known = self.told.round
        status, table, _ = process.ask("GET", f"/api/tables/{self.table}")
        if status != 200 or table["round"] < known:
            self.told.wrong.append(f"round {known} is gone: {status}, round {table.get('round')}")

    def _look_for_failures(self) -> None:
        for task in self._tasks:
            if task.done():
                task.result()
                raise AssertionError("a patron has left")

    async def end(self) -> "Left":
        self._over.set()
        await asyncio.wait_for(asyncio.gather(*self._tasks), 30)
        for process in self.processes:
            code = await asyncio.to_thread(process.stop)
            if code:
                self.told.wrong.append(f"a server ended with {code}")
        return self._left(await self._events())

    def abandon(self) -> None:
        """After a failure: nothing goes on running."""
        for task in self._tasks:
            task.cancel()
        for process in self.processes:
            if process.process is not None:
                process.kill()

    async def _events(self) -> list[tuple[int, str, str, str]]:
        """Of the table: version, actor, command and body."""
        rows = f"SELECT version, actor, command, body FROM event WHERE stream = 'table/{self.table}' ORDER BY version"
        if self.url is None:
            with self.processes[0].database() as database:
                return database.execute(rows).fetchall()
        connection = await asyncpg.connect(self.url)
        try:
            return [tuple(row) for row in await connection.fetch(rows)]
        finally:
            await connection.close()

    def _left(self, events: list[tuple[int, str, str, str]]) -> "Left":
        patrons = {patron.client.patron for patron in self._patrons}
        versions: dict[tuple[str, str], list[int]] = {}
        deals: dict[int, Deal] = {}
        for version, actor, command, body in events:
            event = json.loads(body)
            if event["event"] == "stake-changed" and actor in patrons:
                versions.setdefault((actor, command), []).append(version)
            if event["event"] == "card-dealt":
                deal = deals.setdefault(event["round_number"], {"player": [], "banker": []})
                deal[event["hand"]].append(event["card"])
        acknowledged = self.told.acknowledged
        return Left(
            lost=[key for key, answer in acknowledged.items() if answer.version not in versions.get(key, [])],
            doubled=[key for key, found in versions.items() if len(found) > 1],
            never_told=[(*key, self.told.refusals.get(key)) for key in versions if key not in acknowledged],
            other_cards=[
                (number, seen, deals.get(number, {}))
                for number, seen in self.told.deals.items()
                if any(cards != deals.get(number, {}).get(hand, [])[: len(cards)] for hand, cards in seen.items())
            ],
            problems=self.processes[0].audit()["problems"],
        )


@dataclass(frozen=True)
class Left:
    """What the record holds after the last life, against what patrons were told."""

    lost: list[tuple[str, str]]
    doubled: list[tuple[str, str]]
    never_told: list[tuple[str, str, str | None]]
    """Done, and not acknowledged; with the reason for which it was said to be refused."""
    other_cards: list[tuple[int, Deal, Deal]]
    """The round, the cards that were seen, and those of the record."""
    problems: list[Any]
