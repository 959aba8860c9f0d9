"""Several processes of one house on one PostgreSQL: each leads some tables, and shows all of them.

A command for a table that another process leads goes there as a letter, and its answer comes back. What that process
writes is read here when its doorbell rings. If it ends or hangs, its tables are led by others from where they were.
"""

import asyncio
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from puntobanco.ledger.accounts import patron_account
from puntobanco.server import wire
from puntobanco.server.doorbell import Doorbell
from puntobanco.server.leases import Ownership, Shown, stream_of, table_of
from puntobanco.server.logs import log
from puntobanco.server.persons import Person, Role, Signed
from puntobanco.server.post import Post
from puntobanco.server.views import DESK_MOVES, moved_account, moved_for, settlements_in
from puntobanco.store.database import Fenced
from puntobanco.store.postgres import PostgresDatabase
from puntobanco.store.record import NO_TOKEN, Written
from puntobanco.store.rows import EventRow

if TYPE_CHECKING:
    from puntobanco.server.house import House

ANSWER_SECONDS = 8.0
"""Longer than a table takes to change hands."""

Json = dict[str, Any]


class Several:
    """What joins a house to the other processes that serve it."""

    def __init__(self, house: "House", url: str, desk: str) -> None:
        database = house.record.database
        assert isinstance(database, PostgresDatabase)
        self._house, self._desk = house, desk
        self._doorbell = Doorbell(url, database, self._heard)
        self._ownership = Ownership(
            url,
            database,
            house.record.leases,
            self._doorbell,
            on_gained=self._gained,
            on_lost=self._lost,
            is_calm=self._is_calm,
            shown=self._shown,
        )
        self._post = Post(url, self._ownership, self._doorbell, self._carry_out)
        # What others wrote is read for several reasons, and told in its order.
        self._telling: dict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._untold: dict[str, list[Written]] = defaultdict(list)
        """By stream, what was taken in of others and could not be told yet."""
        self._followed: set[str] = set()

    async def start(self) -> None:
        await self._doorbell.start()
        self._ownership.changed.append(self._look_elsewhere)
        await self._ownership.start()
        await self._post.start()
        self._doorbell.watch(self._desk, self._house.record.version(self._desk))

    async def close(self) -> None:
        """The tables go to others, then nothing more comes from them."""
        await self._ownership.stop()
        await self._post.close()
        await self._doorbell.close()

    def leads(self, table: str) -> bool:
        return self._ownership.owns(table)

    async def follow(self, table: str) -> None:
        """A table of the house: shown here from now on, and led by whoever gets it."""
        if table in self._followed:
            return
        record, stream = self._house.record, stream_of(table)
        record.leases.setdefault(stream, NO_TOKEN)
        if stream not in record.streams:
            await record.open(stream)
        self._followed.add(table)
        self._doorbell.watch(stream, record.version(stream))
        await self._ownership.add(table)

    def written(self, streams: set[str]) -> None:
        """This process has written to them: the others read it."""
        self._doorbell.ring(*streams)

    def somebody_came(self) -> None:
        """Whoever leads the table need not wait to learn that somebody watches it here."""
        self._ownership.tell_at_once()

    # Commands.

    async def command(self, table: str, signed: Signed, said: wire.TableMessage) -> Json:
        """Have it carried out by the process that leads the table, whichever that is."""
        person = signed.person
        body = {
            "person": [person.id, person.name, person.role.value],
            "since": signed.since,
            "must_change_password": signed.must_change_password,
            "message": wire.said_by(said).decode(),
        }
        return await self._post.command(table, body, ANSWER_SECONDS)

    async def _carry_out(self, table: str, body: Json) -> Json:
        """A letter of another process, which knows who its patron is."""
        if self._house.is_stopping:
            # Soon there is another owner, who is asked then.
            raise Fenced([stream_of(table)])
        person_id, name, role = body["person"]
        signed = Signed(Person(person_id, name, Role(role)), b"", body["since"], body["must_change_password"])
        await self._house.arrived(signed)
        return await self._house.command_here(table, signed, wire.read_message(body["message"].encode()))

    # Tables that come and go.

    def _is_calm(self, table: str) -> bool:
        live = self._house.tables.get(table)
        return live is None or live.trouble is not None or not live.table.phase.in_round

    async def _gained(self, table: str) -> None:
        """This process leads the table from now on."""
        house, stream = self._house, stream_of(table)
        self._doorbell.unwatch(stream)
        await self._read_on(table)
        await house.led_here(table)
        if before := self._ownership.taken_from(table):
            house.metrics.table_taken_over()
            log("table-taken-over", table=table, owner=before, lease=house.record.leases[stream])
        log("table-led", table=table, lease=house.record.leases[stream])

    async def _lost(self, table: str) -> None:
        """Another process leads the table, or will."""
        house, stream = self._house, stream_of(table)
        live = house.tables.get(table)
        if live is not None:
            await live.stop_leading()
        await self._read_on(table)
        self._doorbell.watch(stream, house.record.version(stream))
        log("table-lost", table=table)

    async def _read_on(self, table: str) -> None:
        """Whatever was written to a table until now is known here, and told."""
        record, stream = self._house.record, stream_of(table)
        if stream not in record.streams or record.fault(stream) is not None:
            await record.open(stream)
            self._untold.pop(stream, None)
            live = self._house.tables.get(table)
            if live is not None:
                await live.take_up_again()
            return
        await self._take_in(stream, [])
        async for portion in record.database.events(stream, after=record.version(stream)):
            await self._take_in(stream, [row for _, row in portion])

    async def _heard(self, stream: str, rows: list[EventRow]) -> None:
        """What was written to a stream that is watched here."""
        if stream == self._desk:
            # Its rates are shown and counted with here too.
            self._house.record.take_in(stream, rows)
            await self._tell_of_the_desk(rows)
        elif stream in self._house.record.streams and self._house.record.fault(stream) is None:
            await self._take_in(stream, rows)
            self._house.is_behind()

    async def _take_in(self, stream: str, rows: list[EventRow]) -> None:
        """Know what others wrote, and tell it; what cannot be told now is told when this is tried again."""
        house, table = self._house, table_of(stream)
        async with self._telling[stream]:
            try:
                self._untold[stream] += house.record.take_in(stream, rows)
                written = self._untold[stream]
                if table in house.tables:
                    house.tables[table].note_written(written)
                if written and table not in house.tables:
                    house.show(table)
                elif written:
                    house.tables[table].follow(written, await self._balances(table, written))
                self._untold[stream] = []
            except Exception as error:
                if table in house.tables:
                    house.tables[table].cannot_follow(error)
                raise
            if table in house.tables:
                house.tables[table].follows_again()

    async def _balances(self, table: str, written: list[Written]) -> dict[str, int]:
        """What those have now who are here and whose money was moved."""
        live = self._house.tables[table]
        moved = {patron for each in written for patron in (*moved_for(each.event), *settlements_in(each.event))}
        here = {connection.person.id for connection in live.connections if connection.person is not None}
        accounts = [patron_account(live.unit, patron) for patron in sorted(moved & here)]
        return await self._house.record.database.standing(accounts) if accounts else {}

    async def _tell_of_the_desk(self, rows: list[EventRow]) -> None:
        desk = self._house.record.stream(self._desk)
        for row in rows:
            event = desk.read_event(row.body)
            if isinstance(event, DESK_MOVES) and row.actor != event.patron:
                has = await self._house.record.database.standing([moved_account(event)])
                self._house.tell_moved(event, row.time, row.actor, has)

    # What processes tell of themselves.

    def _shown(self) -> dict[str, Shown]:
        """Who is at which table here, and when a table that is led here closes its betting."""
        told = {}
        for name, live in self._house.tables.items():
            if live.connections or (live.closes_at is not None and self.leads(name)):
                number = live.table.round_number
                told[name] = Shown(live.patrons_here, len(live.connections), number, live.closes_at)
        return told

    def _look_elsewhere(self) -> None:
        """Who is at our tables in other processes; and when others close their betting, where we thought otherwise."""
        for name, live in self._house.tables.items():
            elsewhere = self._ownership.shown_elsewhere(name)
            live.set_elsewhere(sum(each.patrons for each in elsewhere), sum(each.watching for each in elsewhere))
            leader = self._ownership.shown_by_leader(name)
            if leader is not None and live.trouble is None:
                live.closes_as_told(leader.round, leader.closes_at)
