"""A table as people have it before them: how it stands, what of it is told, and at a virtual table, the dealer's clock.

Who they are and how they are sent it is in `audience`.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

from puntobanco.errors import Fault
from puntobanco.fairness.log import ShoeLog
from puntobanco.ledger.accounts import patron_account
from puntobanco.ledger.postings import unit_of
from puntobanco.server.audience import Audience, Connection, Told
from puntobanco.server.build import BUILD
from puntobanco.server.dealer_steps import for_role, next_steps
from puntobanco.server.logs import log
from puntobanco.server.persons import STAFF
from puntobanco.server.views import (
    Json,
    event_for_all,
    moved_for,
    patrons_moved_by,
    settlements_in,
    snapshot_of,
    spots_of,
    table_as_it_stands,
)
from puntobanco.server.wire import encoded
from puntobanco.store.database import Fenced
from puntobanco.store.dealer import VirtualDealer
from puntobanco.store.record import Record, Written
from puntobanco.store.streams import TableStream
from puntobanco.table import (
    BettingClosed,
    BettingOpened,
    Phase,
    Refused,
    StakeChanged,
    Table,
    TablePaused,
    TableResumed,
)

if TYPE_CHECKING:
    from puntobanco.server.clock import Clock
    from puntobanco.server.persons import Person

GATHERING_MILLISECONDS = 500
"""Stakes are told together, at most so often."""
TOLD_SO_OFTEN = 2_500
"""To more connections than that they are told as much less often: what each is sent has to be sent to all."""
TRY_AGAIN_MILLISECONDS = 2_000
"""After a fault of the storage, a table is opened again so often."""


EVERYBODY = ""
"""Nobody's name: stands for all patrons where it is not known whose money has moved."""

NOT_WRITTEN = "The table has stopped: its record cannot be written."
NO_DEALER = "The table has stopped: its dealer cannot go on."
NOT_TOLD = "The table has stopped: what happens there cannot be told."


class Pace(NamedTuple):
    """How a virtual table is led, in milliseconds."""

    betting: int = 20_000
    card: int = 1_000
    reveal: int = 1_500
    """How long patrons have to show their nonces after the close."""
    between: int = 4_000
    """Between two rounds, so that everybody sees what was paid."""


class LiveTable:
    """One table of the house."""

    def __init__(self, record: Record, clock: "Clock", name: str, title: str, pace: Pace) -> None:
        self.record, self.clock = record, clock
        self.name, self.title, self.pace = name, title, pace
        self.audience = Audience(name)
        self._is_resting = False
        self.closes_at: int | None = None
        self.closed_at: int | None = None
        self.when_stopped: Callable[[str, BaseException], None] = lambda *_: None
        self.make_so: Callable[[], Awaitable[bool]] = _as_it_is
        """Change the settings as the house wants them, if the table allows it now; whether that was done."""
        self.changes_wait: Callable[[], bool] = lambda: False
        """Whether the house wants other settings than the table has."""
        self.when_cleared: Callable[[], None] = lambda: None
        """Of a table that is closing, there is nothing left to end."""
        self._troubles: dict[str, str] = {}
        """What the table cannot do now that it lives on, and what everybody is told of it."""
        self._noting: list[set[str]] = []
        """Of each who looks up balances at this moment, whose have moved since they began."""
        self._own_changed: set[str] = set()
        """Of patrons with several connections, those whose stakes or balance have changed."""
        self.when_own_changed: Callable[[str, Mapping[str, int]], None] = lambda unit, balances: None
        self.is_stopping = self.is_closed = False
        self._is_closing = False
        self._left: int | None = None
        """Of the betting time, when the table was paused."""
        self._over_at = 0
        self._changed, self._never = asyncio.Event(), asyncio.Event()
        self._something_to_send = asyncio.Event()
        self._to_show = False
        """Whether everybody is shown anew how the table stands."""
        self._stakes_to_tell: tuple[int, Table] | None = None
        """The last change of a stake that nobody was told of, and the table after it."""
        self._last: tuple[TableStream, int]
        """How the table stood when it was last heard of, and its version."""
        self._is_stopped = False
        """Whether everybody was told that it has stopped."""
        self._followed = 0
        """The version up to which everybody was told all."""
        self._patrons_elsewhere = self._watching_elsewhere = 0
        """By other processes."""
        self._dealer = VirtualDealer(record, name)
        self._tasks: list[asyncio.Task[None]] = []
        self._leading: asyncio.Task[None] | None = None

    @property
    def is_closing(self) -> bool:
        """Whether no round begins any more, and the shoe ends with the round in progress."""
        return self._is_closing

    @is_closing.setter
    def is_closing(self, is_so: bool) -> None:
        self._is_closing = is_so
        self._wake()

    # As it stands.

    @property
    def stream(self) -> TableStream:
        """As it stands; as it stood last, while its storage has failed."""
        if self._fault is not None:
            return self._last[0]
        stream = self.record.stream(f"table/{self.name}")
        assert isinstance(stream, TableStream)
        return stream

    @property
    def _fault(self) -> Fault | None:
        return self.record.fault(f"table/{self.name}")

    @property
    def table(self) -> Table:
        table = self.stream.table
        assert table is not None, "a table of the house is open"
        return table

    @property
    def shoe(self) -> ShoeLog:
        return self.stream.shoe

    @property
    def trouble(self) -> str | None:
        """Why the table has stopped, for everybody to see; known as soon as it has. The log has it in full."""
        return NOT_WRITTEN if self._fault is not None else next(iter(self._troubles.values()), None)

    @property
    def unit(self) -> str:
        return unit_of(self.table.settings)

    @property
    def version(self) -> int:
        return self._last[1] if self._fault is not None else self.record.version(f"table/{self.name}")

    @property
    def connections(self) -> Collection[Connection]:
        """Those who watch it by this process."""
        return self.audience.connections

    @property
    def patrons_here(self) -> int:
        """How many patrons are at it by this process."""
        return len(self.audience.patrons)

    @property
    def patrons(self) -> int:
        """How many patrons are at it, by all processes."""
        return self.patrons_here + self._patrons_elsewhere

    @property
    def watching(self) -> int:
        """How many connections it has, by all processes."""
        return len(self.connections) + self._watching_elsewhere

    @property
    def patrons_at(self) -> set[str]:
        """Who they are: staff play nowhere."""
        return set(self.audience.patrons)

    def listed(self) -> Json:
        """The table in a list of tables."""
        return {
            "id": self.name,
            "name": self.title,
            **table_as_it_stands(self.table),
            "closes_at": self.closes_at,
            "patrons": self.patrons,
            "watching": self.watching,
            "trouble": self.trouble,
        }

    def snapshot(self, person: "Person | None", balance: int | None) -> Json:
        """All that this viewer may see."""
        table = {**self.listed(), **snapshot_of(self.table, self.shoe)}
        if person is not None:
            table |= {"stakes": dict(self.table.slip(person.id)), "balance": balance, "you": person.id}
        if person is not None and person.role in STAFF and not self.table.settings.is_virtual:
            table["next"] = for_role(next_steps(self.table), person.role)
        about = {"version": self.version, "time": self.clock.now(), "build": BUILD}
        return {"type": "snapshot", **about, "table": table}

    # Those who watch.

    async def join(self, connection: Connection, after: int | None) -> None:
        """Tell somebody who comes what they have missed, or how the table stands; from then on they are told all."""
        balance = await self._balance_of(connection.person)
        # From here on nothing waits: what happens after what they are told now is told to them as to everybody.
        missed = None if self.trouble else self.audience.missed(after, self.version)
        if missed is None:
            self._show(connection, balance)
        else:
            assert after is not None
            connection.version = after
            if missed:
                connection.send(*[told.message_for(connection.person) for told in missed])
                connection.version = missed[-1].version
            if connection.person is not None and balance is not None:
                # What others may have done in their name meanwhile is in no event.
                connection.send(encoded(self._own(connection.person.id, balance)))
        if self.is_closed:
            self._dismiss(connection)
            return
        self.audience.enter(connection)
        self._wake()

    def leave(self, connection: Connection) -> None:
        """They are told no more."""
        self.audience.leave(connection)

    def _show(self, connection: Connection, balance: int | None) -> None:
        """Tell somebody how the table stands."""
        connection.version = self.version
        connection.send(encoded(self.snapshot(connection.person, balance)))

    # What somebody has.

    async def _balance_of(self, person: "Person | None") -> int | None:
        """What somebody has at the moment at which this returns, as far as it is known here what has happened."""
        while person is not None:
            with self._noting_moves() as moved:
                balances = await self._balances([person.id])
            if not moved & {person.id, EVERYBODY}:
                return balances[person.id]
        return None

    async def _balances(self, patrons: Collection[str]) -> dict[str, int]:
        accounts = {patron: patron_account(self.unit, patron) for patron in patrons}
        stand = await self.record.database.standing(list(accounts.values()))
        return {patron: stand.get(account, 0) for patron, account in accounts.items()}

    @contextmanager
    def _noting_moves(self) -> Iterator[set[str]]:
        """Whose money has moved while it was looked up, so that what was found may be too old."""
        moved = set[str]()
        self._noting.append(moved)
        try:
            yield moved
        finally:
            self._noting = [each for each in self._noting if each is not moved]

    def note_moved(self, patrons: Iterable[str]) -> None:
        """The money of these patrons has moved, here or at the desk."""
        for moved in self._noting:
            moved.update(patrons)

    def note_written(self, written: Sequence[Written]) -> None:
        """The table stands as after these events, which may be told only in a moment."""
        if self._noting:
            self.note_moved([patron for each in written for patron in patrons_moved_by(each.event)])

    # What is somebody's own, and changed by another connection of theirs.

    def _own(self, patron: str, balance: int) -> Json:
        about: Json = {"type": "own", "version": self.version, "time": self.clock.now()}
        return {**about, "stakes": dict(self.table.slip(patron)), "balance": balance}

    def tell_own(self, balances: Mapping[str, int]) -> None:
        """Tell these patrons, by every connection, what they have on the table and besides."""
        for connection, patron in list(self.audience.patron_of.items()):
            if patron in balances:
                connection.send(encoded(self._own(patron, balances[patron])))

    async def _tell_changed(self) -> None:
        changed, self._own_changed = self._own_changed, set()
        if not changed:
            return
        with self._noting_moves() as moved:
            balances = await self._balances(changed)
        # Whoever's has changed again is told the next time.
        self._own_changed |= changed if EVERYBODY in moved else changed & moved
        self.when_own_changed(self.unit, {each: balances[each] for each in changed - self._own_changed})

    # What has happened.

    def follow(self, written: Sequence[Written], balances: Mapping[str, int]) -> None:
        """Events of this table that are durable: tell everybody."""
        self.note_written(written)
        new = [each for each in written if each.version > self._followed]
        if new and new[0].version > self._followed + 1:
            # Nobody was told what lies between, so that everybody is shown how the table stands instead.
            self._take_up()
            self._show_anew()
            new = []
        for each in new:
            version, time, event, stream = each.version, each.time, each.event, each.after
            assert isinstance(stream, TableStream)
            table = stream.table
            assert table is not None, "what happens, happens at a table that is open"
            self._followed, self._last = version, (stream, version)
            self._keep_time(event, time, table)
            if type(event) is StakeChanged:
                self._stakes_to_tell = version, table
                if self.audience.places[event.patron] > 1:
                    self._own_changed.add(event.patron)
                continue
            common = event_for_all(event, table, stream.shoe)
            if common is None:
                continue
            if isinstance(event, BettingOpened | TableResumed):
                common["closes_at"] = self.closes_at
            if isinstance(event, BettingClosed):
                self._stakes_to_tell = None  # It has them itself.
            self._tell_stakes(time)
            moved, settlements = moved_for(event), settlements_in(event)
            patrons = {*moved, *settlements}
            self._own_changed |= {patron for patron in patrons if self.audience.places[patron] > 1}
            accounts = {patron: patron_account(self.unit, patron) for patron in patrons}
            stand = {patron: balances[account] for patron, account in accounts.items() if account in balances}
            self._tell(Told(version, common, b"", settlements, moved, stand, next_steps(table), {}), time)
        self._changed.set()
        if self.is_closing and self.stream.is_cleared:
            self.when_cleared()

    def _tell(self, told: Told, time: int) -> None:
        common = {"type": "event", "version": told.version, "time": time, **told.common}
        told = told._replace(common=common, message=encoded(common))
        self.audience.tell(told)
        self._something_to_send.set()

    def _keep_time(self, event: object, time: int, table: Table) -> None:
        match event:
            case BettingOpened():
                self.closes_at = time + self.pace.betting if table.settings.is_virtual else None
            case BettingClosed():
                self.closes_at, self.closed_at = None, time
            case TablePaused() if self.closes_at is not None:
                self._left, self.closes_at = max(0, self.closes_at - time), None
            case TableResumed() if table.phase is Phase.BETTING and table.settings.is_virtual:
                self.closes_at = time + (self.pace.betting if self._left is None else self._left)
                self._left = None
        if not table.phase.in_round:
            self._over_at = time
            self.closes_at = self._left = None

    def _take_up(self) -> None:
        """Begin to follow the table where it is: whoever was cut off has the whole time again."""
        self._last = self.stream, self.version
        self._followed = self.version
        self.note_moved([EVERYBODY])
        self._stakes_to_tell = self._left = None
        self._set_times()
        # Who was here before cannot know of more time, so that they are told how the table stands.
        self.audience.begin_anew(self.version if self.closes_at is None else self.version + 1)

    def _set_times(self) -> None:
        table, now = self.table, self.clock.now()
        is_open = table.phase is Phase.BETTING and not table.paused and table.settings.is_virtual
        self.closes_at, self.closed_at = (now + self.pace.betting if is_open else None), now

    async def take_up_again(self) -> None:
        """The stream was opened again: what was written that nobody heard of is shown to everybody."""
        if self.version != self._followed:
            self._take_up()
            await self._show_all()
        self._wake()

    async def _show_all(self) -> None:
        self._to_show = False
        for connection in list(self.connections):
            try:
                self._show(connection, await self._balance_of(connection.person))
            except Exception as error:
                self.audience.lose(connection, error)

    # As other processes have it.

    def set_elsewhere(self, patrons: int, watching: int) -> None:
        """So many are at the table by other processes."""
        if (patrons, watching) != (self._patrons_elsewhere, self._watching_elsewhere):
            self._patrons_elsewhere, self._watching_elsewhere = patrons, watching
            self._wake()

    def closes_as_told(self, round_number: int, closes_at: int | None) -> None:
        """Whoever leads the table knows best when its betting closes: it may have given everybody their time again."""
        table = self.table
        is_same = table.phase is Phase.BETTING and table.round_number == round_number and not table.paused
        if is_same and closes_at is not None and closes_at != self.closes_at:
            self.closes_at = closes_at
            self._show_anew()

    def cannot_follow(self, error: Exception) -> None:
        """What another process wrote cannot be told here; it is tried again."""
        self._troubles["follow"] = NOT_TOLD
        self._say_that_it_stopped(error)

    def follows_again(self) -> None:
        self._is_well_again("follow")

    def _show_anew(self) -> None:
        self._to_show = True
        # No event says it: whoever is away at this moment is shown it too.
        self.audience.known_from = self.version + 1
        self._something_to_send.set()

    # Its own tasks.

    def start(self) -> None:
        """Show the table to whoever comes."""
        self._take_up()
        self._tasks = [asyncio.create_task(self._send()), asyncio.create_task(self._gather())]

    def lead(self) -> None:
        """Do from now on what the house itself does at this table, and go on where it was; only one process does."""
        if self._leading is None:
            self._dealer = VirtualDealer(self.record, self.name)
            told = self.closes_at
            self._set_times()
            if self.closes_at != told:
                # Who sits here believes whoever led it before.
                self._show_anew()
            self._leading = asyncio.create_task(self._lead())

    async def stop_leading(self) -> None:
        """The round in progress is kept as it is, for whoever leads the table next."""
        leading, self._leading = self._leading, None
        if leading is not None:
            leading.cancel()
            await asyncio.gather(leading, return_exceptions=True)

    async def stop(self) -> None:
        """No new round; the one in progress is kept as it is."""
        self.is_stopping = True
        await self.stop_leading()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks = []

    async def close(self) -> None:
        """The table is closed: whoever is there is told so, after all that happened before, and goes."""
        self.is_closed = True
        await self.stop()
        await self.audience.send_all()
        for connection in list(self.connections):
            with suppress(Exception):
                self._dismiss(connection)
            self.leave(connection)

    def _dismiss(self, connection: Connection) -> None:
        connection.send(encoded({"type": "table-closed", "version": self.version, "time": self.clock.now()}))
        connection.say_goodbye()

    async def _send(self) -> None:
        while True:
            await self._something_to_send.wait()
            self._something_to_send.clear()
            if not await self._goes_well("tell", NOT_TOLD, self._send_what_waits):
                self._something_to_send.set()

    async def _send_what_waits(self) -> bool:
        await self.audience.send_all()
        if self._to_show:
            await self._show_all()
        return True

    async def _goes_well(self, what: str, told: str, work: Callable[[], Awaitable[bool]]) -> bool:
        """Do once what the table lives on. If it fails, that is said and shown, and one waits for another try.

        Nothing ends it but whoever stops the table. It has gone well again once something was done.
        """
        try:
            is_done = await work()
        except (Exception, asyncio.CancelledError) as error:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            self._troubles[what] = told
            self._say_that_it_stopped(error)
            await self.clock.wait(self._never, self.clock.now() + TRY_AGAIN_MILLISECONDS)
            return False
        if is_done:
            self._is_well_again(what)
        return True

    def _is_well_again(self, what: str) -> None:
        if self._troubles.pop(what, None) is not None and not self._troubles:
            self._say_that_it_goes_on()

    async def _gather(self) -> None:
        """A few times a second: tell the stakes of all patrons where they have changed; go on after a fault."""
        while True:
            crowd = max(1.0, len(self.connections) / TOLD_SO_OFTEN)
            await self.clock.wait(self._never, self.clock.now() + round(GATHERING_MILLISECONDS * crowd))
            await self._goes_well("gather", NOT_TOLD, self._look_after_it)

    async def _look_after_it(self) -> bool:
        fault = self._fault
        if fault is None:
            self._tell_stakes(self.clock.now())
            await self._tell_changed()
        elif not isinstance(fault, Fenced):
            await self._recover(fault)
        return True

    def _tell_stakes(self, time: int) -> None:
        if self._stakes_to_tell is not None:
            (version, table), self._stakes_to_tell = self._stakes_to_tell, None
            common = {"event": "stakes-changed", "round": table.round_number, "spots": spots_of(table)}
            self._tell(Told(version, common, b"", {}, {}, {}, (), {}), time)

    def _wake(self) -> None:
        self._changed.set()

    async def _lead(self) -> None:
        """Whatever the house has to do at the table, in its time: at a virtual one it deals, too."""
        while True:
            # What fails here is not the storage, but such as the keys of a shoe.
            await self._goes_well("lead", NO_DEALER, self._lead_once)

    async def _lead_once(self) -> bool:
        try:
            return await self._lead_on()
        except Refused:
            # Somebody has paused or changed the table since it was looked at.
            await asyncio.sleep(0)
        except Exception:
            if self._fault is None:
                raise
            # It goes on when the table has been opened again.
            await self.clock.wait(self._changed, None)
        return False

    async def _lead_on(self) -> bool:
        """Do what is due now, or wait for it; whether something was done."""
        self._changed.clear()
        table, now = self.table, self.clock.now()
        if not table.phase.in_round:
            if self.changes_wait() and await self.make_so():
                return True
            if note := self._ends_shoe(table):
                await self._dealer.end_shoe(note)
                return True
        # Of a table that is closed nothing stays secret, though it was paused.
        is_held_up = table.paused and not (self.is_closing and self._dealer.is_behind)
        rests = self._rests(table)
        if rests != self._is_resting:
            self._is_resting = rests
            log("table-rests" if rests else "table-wakes", table=self.name)
        if is_held_up or rests:
            await self.clock.wait(self._changed, None)
            return False
        due = self._due_at(table)
        if due > now:
            await self.clock.wait(self._changed, due)
            return False
        if table.phase is Phase.BETTING and self.closes_at is None:
            self.closes_at = now + self.pace.betting
            return False
        await self._dealer.step()
        return True

    def _rests(self, table: Table) -> bool:
        """A table at which nobody is rests between two rounds, once all keys of the last one are published.

        Where a dealer deals, there is nothing to do but to publish the keys of a shoe of the time before.
        """
        if self._dealer.is_behind:
            return False
        if not table.settings.is_virtual:
            return True
        if self.is_closing and table.phase is Phase.BURN_DUE:
            return self.is_stopping  # The burn is made before a committed shoe can end.
        is_empty = not (self.connections or self._watching_elsewhere)
        return not table.phase.in_round and (self.is_stopping or self.is_closing or is_empty)

    def _ends_shoe(self, table: Table) -> str:
        """Why the house ends the shoe between two rounds; empty where it does not."""
        is_sealed_in = self.shoe.opened is not None and table.phase is Phase.BURN_DUE
        if table.shoe is None or is_sealed_in or self.is_stopping:
            return ""
        if self.is_closing:
            return "the table is closed"
        is_over = table.settings.is_virtual and table.shoe_finished
        return "the table is changed" if is_over and self.changes_wait() else ""

    def _due_at(self, table: Table) -> int:
        """When the next step of the dealer is due."""
        match table.phase:
            case Phase.BETTING:
                return self.closes_at or 0
            case Phase.DEALING if not self.shoe.is_sealed:
                current = self.shoe.current
                waits = current is not None and any(each.nonce is None for each in current.nonces)
                return (self.closed_at or 0) + self.pace.reveal if waits else 0
            case Phase.DEALING | Phase.COMPLETE:
                return self._stepped_at + self.pace.card
            case Phase.READY if not self._dealer.is_behind and table.rounds:
                return self._over_at + self.pace.between
        return 0

    @property
    def _stepped_at(self) -> int:
        told = self.audience.told
        return told[-1].common["time"] if told else 0

    async def _recover(self, fault: Fault) -> None:
        """The storage failed: nothing was acknowledged. Say so, and try to go on from what the database holds."""
        self._say_that_it_stopped(fault)
        await self.clock.wait(self._never, self.clock.now() + TRY_AGAIN_MILLISECONDS)
        try:
            await self.record.open(f"table/{self.name}")
        except Fault as again:
            log("table-stopped", table=self.name, reason=again.reason, message=again.message)
            return
        if self.version != self._followed:
            self._take_up()
        self._say_that_it_goes_on()
        self._wake()

    def _say_that_it_stopped(self, error: BaseException) -> None:
        self.when_stopped(self.name, error)
        if not self._is_stopped:
            self._is_stopped = True
            said = {"type": "table-stopped", "version": self.version, "time": self.clock.now(), "message": self.trouble}
            self.audience.send_at_once(encoded(said))

    def _say_that_it_goes_on(self) -> None:
        """By showing how it stands, because that is what everybody wants to know then."""
        self._is_stopped = False
        self._show_anew()


async def _as_it_is() -> bool:
    return False
