"""The house: its record, its people, its tables, and the one way in which a command is carried out."""

import asyncio
import json
import secrets
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import ExitStack
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from puntobanco.extras import optional_package
from puntobanco.games import GAMES
from puntobanco.ledger import DeskCommand, IssueMoney
from puntobanco.rulecard import rule_card
from puntobanco.rules.game import Game
from puntobanco.server import wire
from puntobanco.server.clock import Clock
from puntobanco.server.configuration import Configuration
from puntobanco.server.disputes import Disputes
from puntobanco.server.disputes import told as decision_told
from puntobanco.server.floor import Floor, FloorTable, next_command
from puntobanco.server.follower import Follower
from puntobanco.server.health import Readiness
from puntobanco.server.house_rules import rates_of, terms_of
from puntobanco.server.jobs import Jobs
from puntobanco.server.live_table import LiveTable, Pace
from puntobanco.server.lobby import Lobby
from puntobanco.server.logs import log
from puntobanco.server.metrics import Metrics, Reading
from puntobanco.server.orders import change_of, commands_of
from puntobanco.server.people import People
from puntobanco.server.permissions import Permission, denied
from puntobanco.server.persons import STAFF, Person, Signed
from puntobanco.server.problems import Problem, nothing_there, problem_of, refused_by
from puntobanco.server.purses import Purses
from puntobanco.server.rates import RateLimits
from puntobanco.server.request_news import RequestNews
from puntobanco.server.requests import Requests, id_reused, request_waits
from puntobanco.server.responsible import Responsible
from puntobanco.server.rounds import rules_by
from puntobanco.server.transcripts import shoe_of
from puntobanco.server.two_people import TwoPeople, log_desk
from puntobanco.server.views import DESK_MOVES, desk_message, moved_account
from puntobanco.store.beside import Beside
from puntobanco.store.database import Fenced
from puntobanco.store.derived import Derived
from puntobanco.store.keys import open_keys
from puntobanco.store.places import DATABASE_FILE, database_of, made_folder
from puntobanco.store.record import Answer, AnsweredBefore, Proviso, Record, Then, Written, digest_of, resolve
from puntobanco.store.schema import command as command_row
from puntobanco.store.streams import Stream, StreamCommand, StreamEvent, TableStream
from puntobanco.table import RoundSettled, RoundVoided, Table

with optional_package("sqlalchemy", "The books are looked up"):
    from sqlalchemy import select

if TYPE_CHECKING:
    from puntobanco.server.several import Several
    from puntobanco.server.socket import TableSocket

DESK = "desk/main"
KEEP_UP_MILLISECONDS = 1_000
TIDY_MILLISECONDS = 3_600_000
DECISION_MILLISECONDS = 60_000
"""For so long a decision of a dispute is looked for: another process may have made it, by a clock of its own."""
FLOOR_MILLISECONDS = 2_000
"""How often the floor is looked at for tables that a command has added, changed or closed."""

SLOW_COMMIT_SECONDS = 0.5
"""A commit that takes so long is felt at every table."""

MOST_TRIES_TO_SHOW, SHOW_SECONDS = 250, 0.02

Json = dict[str, Any]


class House:
    """Everything that one process of the service has."""

    def __init__(
        self,
        configuration: Configuration,
        clock: Clock,
        record: Record,
        beside: Beside,
        derived: Derived,
        games: Sequence[Game],
    ) -> None:
        self.configuration, self.clock, self.games = configuration, clock, games
        self.record, self.beside, self.derived = record, beside, derived
        self.follower = Follower(beside, derived, games)
        self.responsible = Responsible(record, beside, self.follower)
        self.disputes = Disputes(beside)
        self.jobs = Jobs(beside, clock.now)
        self.people = People(beside, clock, terms_of(configuration))
        self.rates = RateLimits(rates_of(configuration))
        self.requests, self.floor = Requests(beside), Floor(beside, games)
        self.two_people, self.purses = TwoPeople(self, DESK), Purses(self)
        self.request_news = RequestNews(self)
        self.metrics = Metrics()
        self.several: Several | None = None
        """The other processes; None where this is the only one, because the record is in a file."""
        self.tables: dict[str, LiveTable] = {}
        self.places: Counter[str] = Counter()
        """By how many connections each patron is here. One in the lobby counts for two: no answer tells it anything."""
        self.lobby = Lobby(self)
        self.sockets: dict[bytes, set[TableSocket]] = {}
        """By session, those that are open."""
        self.people.when_sessions_end(self._end_sockets, self.sockets.keys)
        self._decisions_told: frozenset[str] = frozenset()
        """The disputes that were decided lately, of which whoever was here was told."""
        self._wanted: dict[str, FloorTable] = {}
        """The tables as the house wants them, as this process last saw it."""
        self._asked_of: frozenset[str] = frozenset()
        """The streams of which something waits for a second person, as this process last saw it."""
        self.origins = configuration.origins
        self.is_starting, self.is_stopping = True, False
        self.has_routes = True
        """Whether the rest of the service could be loaded; until it was tried, that is believed."""
        self._never, self._floor_changed = asyncio.Event(), asyncio.Event()
        self._something_written = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    @classmethod
    async def open(cls, configuration: Configuration, clock: Clock, games: Sequence[Game] = GAMES) -> "House":
        """Open the record of the data directory and every table on the floor, where they were."""
        folder = made_folder(configuration.data)
        record = Record(database_of(folder, configuration.database), open_keys(folder), games, clock.now)
        await record.start()
        url = configuration.database
        beside = Beside.in_file(folder / DATABASE_FILE) if url is None else Beside.on_server(url)
        derived = await Derived.open(folder, url)
        house = cls(configuration, clock, record, beside, derived, games)
        try:
            await house._start()
        except BaseException:
            await house.close()
            raise
        return house

    async def _start(self) -> None:
        await self.record.open(DESK, shared=self.configuration.database is not None)
        self.record.listener, self.record.measure = self._written, self._committed
        if self.configuration.database is not None:
            # Loaded only here: a house in a file has no use for the driver.
            from puntobanco.server.several import Several

            self.several = Several(self, self.configuration.database, DESK)
            await self.several.start()
        for wanted in await self.floor.fill(self.configuration):
            try:
                await self.take_up(wanted)
            except Exception as error:
                # The other tables play on; this one is tried again each time that the floor is looked at.
                self._troubled(wanted.id, error)
        for table, why in self.floor.unreadable.items():
            log("table-stopped", table=table, reason="unreadable", message=why)
        if self.several is not None:
            await self._all_shown()
        self.is_starting = False
        self._tasks = [asyncio.create_task(work()) for work in (self._watch_the_floor, self._keep_up)]

    async def _all_shown(self) -> None:
        """New tables are made by whichever process leads them, which is known in a moment; not for long, though."""
        for _ in range(MOST_TRIES_TO_SHOW):
            if all(wanted.closed or wanted.id in self.tables for wanted in self._wanted.values()):
                return
            await asyncio.sleep(SHOW_SECONDS)

    def _troubled(self, table: str, error: BaseException) -> None:
        """A table has stopped: said loudly, because nobody plays there until it goes on."""
        problem = problem_of(error)
        self.metrics.fault(problem.reason)
        log("table-stopped", table=table, reason=problem.reason, message=problem.in_full, fault=error)

    def begin_stop(self) -> None:
        """From now on no round begins and nothing more is taken."""
        self.is_stopping = True
        for table in self.tables.values():
            table.is_stopping = True

    async def close(self) -> None:
        """No new round; running ones are kept, and everybody who was answered stays answered."""
        self.begin_stop()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self.several is not None:
            await self.several.close()
        for table in self.tables.values():
            await table.stop()
        await self.lobby.close()
        await self.jobs.close()
        await self.responsible.close()
        await self.follower.close()
        await self.people.close()
        await self.record.close()
        await self.derived.close()
        await self.beside.close()

    # Tables.

    async def take_up(self, wanted: FloorTable) -> None:
        """Make a table as the house wants it, as far as its rules allow now; a new one is opened, a closed one ends."""
        self._wanted[wanted.id] = wanted
        if wanted.closed:
            await self._see_what_is_asked()
        if self.several is not None:
            await self.several.follow(wanted.id)
        elif wanted.stream not in self.record.streams:
            await self.record.open(wanted.stream)
        if self.leads(wanted.id):
            await self.led_here(wanted.id)
        else:
            self.show(wanted.id)
        live = self.tables.get(wanted.id)
        if live is not None and self._is_over(wanted):
            del self.tables[wanted.id]
            await live.close()
            log("table-closed", table=wanted.id)

    async def _see_what_is_asked(self) -> None:
        self._asked_of = frozenset([each.stream for each in await self.two_people.waiting()])

    def _is_over(self, wanted: FloorTable) -> bool:
        """Whether a table is closed and nothing is left to do there, neither for its dealer nor for a second person."""
        stream = self._stream_of(wanted.id)
        return wanted.closed and stream.is_cleared and wanted.stream not in self._asked_of

    def leads(self, table: str) -> bool:
        """Whether this process is the one that writes to a table."""
        return self.several is None or self.several.leads(table)

    async def led_here(self, table: str) -> None:
        """This process leads the table: it is made as the house wants it, and goes on."""
        if table in self._wanted:
            await self._make_so(table)
        self.show(table)
        if table in self.tables:
            self.tables[table].lead()

    def show(self, table: str) -> None:
        """Let everybody see a table that is made; whoever leads a new one makes it first."""
        wanted, live = self._wanted.get(table), self.tables.get(table)
        if wanted is None:
            return
        # One that is closed is seen until it is over, also after a new start.
        if live is None and self._stream_of(table).table is not None and not self._is_over(wanted):
            live = LiveTable(self.record, self.clock, wanted.id, wanted.name, self._pace(wanted))
            live.when_stopped = self._troubled
            live.audience.places, live.when_own_changed = self.places, self._tell_own
            live.when_cleared = self._floor_changed.set
            live.changes_wait = partial(self._changes_wait, table)
            live.make_so = partial(self._make_so, table)
            self.tables[wanted.id] = live
            live.start()
            log("table-opened", table=wanted.id, version=live.version)
        if live is not None:
            live.title, live.pace = wanted.name, self._pace(wanted)
            live.is_closing = wanted.closed

    def _stream_of(self, table: str) -> TableStream:
        stream = self.record.stream(f"table/{table}")
        assert isinstance(stream, TableStream)
        return stream

    def _changes_wait(self, table: str) -> bool:
        wanted, stands = self._wanted[table], self._stream_of(table).table
        return not wanted.closed and (stands is None or stands.settings.digest != wanted.settings.digest)

    async def _make_so(self, table: str) -> bool:
        """Do what makes a table as it is wanted, if something does now; whether something was done."""
        wanted, stands = self._wanted[table], self._stream_of(table).table
        command = next_command(wanted, stands) if self._changes_wait(table) else None
        if command is None:
            return False
        # The id follows from where the table stands: asked for twice, it is done once.
        command_id = f"{wanted.id}-settings-{self.record.version(wanted.stream) + 1:08}"
        answer = await self.record.submit(wanted.stream, [command], actor="floor", command_id=command_id)
        if answer.accepted:
            log("table-made" if stands is None else "table-changed", table=wanted.id, by="floor")
        return answer.accepted

    def _pace(self, wanted: FloorTable) -> Pace:
        betting, card = wanted.pace(self.configuration)
        reveal, between = self.configuration.reveal_seconds, self.configuration.pause_seconds
        return Pace(betting, card, round(reveal * 1000), round(between * 1000))

    async def _watch_the_floor(self) -> None:
        while True:
            await self.clock.wait(self._floor_changed, self.clock.now() + FLOOR_MILLISECONDS)
            self._floor_changed.clear()
            try:
                if self.record.fault(DESK) is not None:
                    # Without the desk nobody new could play until the next start.
                    await self.record.open(DESK)
                tables = await self.floor.tables()
                if any(wanted.closed for wanted in tables):
                    await self._see_what_is_asked()
                for wanted in tables:
                    try:
                        await self._look_at(wanted)
                    except Exception as error:
                        # The other tables are looked at all the same, and this one again in a moment.
                        self._troubled(wanted.id, error)
            except Exception as error:
                self.metrics.fault(problem_of(error).reason)
                log("storage-fault", reason=problem_of(error).reason, message=problem_of(error).in_full)

    async def _keep_up(self) -> None:
        """Keep what is derived from the record close behind it, and what concerns patrons' own limits."""
        tidied = self.clock.now()
        while True:
            await self.clock.wait(self._something_written, self.clock.now() + KEEP_UP_MILLISECONDS)
            try:
                now = self.clock.now()
                if self._something_written.is_set():
                    self._something_written.clear()
                    await self.follower.catch_up()
                await self.responsible.keep_here(self._patrons_here(), now)
                await self.responsible.refresh(now)
                await self._tell_decisions(now)
                await self.request_news.tell()
                await self.people.agree()
                if now - tidied > TIDY_MILLISECONDS:
                    tidied = now
                    await self.people.tidy()
            except Exception as error:
                log("storage-fault", reason=problem_of(error).reason, message=problem_of(error).in_full)
            await self.clock.wait(self._never, self.clock.now() + KEEP_UP_MILLISECONDS)

    async def _look_at(self, wanted: FloorTable) -> None:
        live = self.tables.get(wanted.id)
        has_failed = self.record.fault(wanted.stream) is not None
        if live is not None and has_failed:
            return
        if live is None:
            # A closed one that could not be opened is left alone; played at by another process, it is seen again.
            known = not has_failed and wanted.stream in self.record.streams
            is_as_wanted = wanted.closed and not (known and not self._is_over(wanted))
        else:
            is_as_wanted = not wanted.closed and not self._changes_wait(wanted.id)
        if wanted != self._wanted.get(wanted.id) or not is_as_wanted:
            await self.take_up(wanted)

    def find(self, table: str) -> LiveTable:
        live = self.tables.get(table)
        if live is None:
            raise no_such_table()
        return live

    def listed(self) -> Json:
        """All tables that are open, as a lobby shows them."""
        return {"tables": [live.listed() for live in self.tables.values()], "time": self.clock.now()}

    async def rule_card(self, digest: str) -> Json:
        """The rule card that a table of the house has, or that a round was played by."""
        for live in self.tables.values():
            if live.table.settings.game.digest == digest:
                return rule_card(live.table.settings.game)
        game = await rules_by(self, digest)
        if game is None:
            raise nothing_there("No table here has had rules of this digest.")
        return rule_card(game)

    def _end_sockets(self, sessions: Collection[bytes]) -> None:
        for session in sessions:
            for socket in list(self.sockets.get(session, ())):
                socket.end_session()

    # What has become durable.

    def _written(self, written: Sequence[Written], balances: Mapping[str, int]) -> None:
        by_stream: dict[str, list[Written]] = {}
        self.responsible.heard(written)
        self.is_behind()
        for each in written:
            by_stream.setdefault(each.stream, []).append(each)
            if type(each.event) is RoundSettled:
                self.metrics.round_settled()
            elif type(each.event) is RoundVoided:
                self.metrics.round_voided()
            elif self.several is None:
                self.tell_moved(each.event, each.time, each.actor, balances)
        if self.several is not None:
            self.several.written(set(by_stream))
        for stream, events in by_stream.items():
            live = self.tables.get(stream.removeprefix("table/"))
            if live is not None:
                live.follow(events, balances)

    def _committed(self, commands: int, seconds: float) -> None:
        self.metrics.committed(commands, seconds)
        if seconds >= SLOW_COMMIT_SECONDS:
            log("slow-commit", seconds=round(seconds, 3), commands=commands)

    def is_behind(self) -> None:
        """There is something new in the record, from which other things are derived."""
        self._something_written.set()

    def tell_moved(self, event: StreamEvent, time: int, actor: str, balances: Mapping[str, int]) -> None:
        """Somebody of staff has changed what a patron has: the patron is told at once, wherever they sit."""
        if isinstance(event, DESK_MOVES) and actor != event.patron:
            for live in self.tables.values():
                live.note_moved([event.patron])
            self._tell_patron(event.patron, desk_message(event, time, balances.get(moved_account(event), 0)))

    async def _tell_decisions(self, now: int) -> None:
        """Whoever has disputed a round and is here learns of the decision, whichever process it was made in."""
        recent = await self.disputes.decided_since(now - DECISION_MILLISECONDS)
        for each in recent:
            if each.id not in self._decisions_told:
                self._tell_patron(each.patron, decision_told(each))
        self._decisions_told = frozenset([each.id for each in recent])

    def _tell_own(self, unit: str, balances: Mapping[str, int]) -> None:
        """Somebody who is here more than once has staked, or was paid: all their pages know of it."""
        self.lobby.tell_own(unit, balances)
        for live in self.tables.values():
            if live.unit == unit:
                live.tell_own(balances)

    def _tell_patron(self, patron: str, said: Json) -> None:
        """What concerns them alone, wherever they sit, and in the lobby."""
        message = wire.encoded(said)
        self.lobby.tell(message, lambda person: person.id == patron)
        for live in self.tables.values():
            for connection in live.connections:
                if connection.person is not None and connection.person.id == patron:
                    connection.send(message)

    # People and their money.

    async def welcome(self) -> tuple[Person, str, dict[str, int]]:
        """A guest, with play money: the person, what their cookie holds, and what they have."""
        person, token = await self.people.new_guest()
        money = {**self.configuration.guest_money}
        commands = [IssueMoney(person.id, unit, amount, "welcome") for unit, amount in money.items()]
        if commands:
            answer = await self.record.submit(DESK, commands, actor=person.id, command_id="welcome-money")
            await self.done(answer)
        return person, token, money

    async def at_the_desk(
        self,
        command: DeskCommand,
        actor: str,
        command_id: str,
        asked: bytes | None = None,
        provided: Proviso | None = None,
    ) -> int:
        """Carry out an act of the cash desk; its version."""
        answer = await self.record.submit(
            DESK, [command], actor=actor, command_id=command_id, asked=asked, provided=provided
        )
        await self.done(answer)
        assert answer.version is not None
        log_desk(command, actor)
        return answer.version

    async def check_id(self, stream: str, actor: str, command_id: str, asked: bytes) -> None:
        """Raise a problem where somebody has used this id before for anything else; the record itself asks again."""
        used = select(command_row.c.digest).where(command_row.c.actor == actor, command_row.c.id == command_id)
        async with self.beside.reading() as connection:
            digest = await connection.scalar(used)
        if digest is not None and bytes(digest) != digest_of(stream, asked):
            raise id_reused()

    async def check_patron(self, person: str) -> None:
        """Raise a problem unless somebody of this id plays here."""
        found = await self.people.person(person)
        if found is None or found.role in STAFF:
            raise nothing_there("There is no such patron.")

    def _patrons_here(self) -> set[str]:
        """Who is connected to this process."""
        return set[str]().union(*[live.patrons_at for live in self.tables.values()])

    async def arrived(self, signed: Signed) -> None:
        """Somebody is here: from now on it is known what limits they have set for themselves."""
        if signed.person.role not in STAFF:
            await self.responsible.arrive(signed.person.id, self.clock.now())

    async def visit(self, signed: Signed) -> tuple[int, dict[str, int]]:
        """Since when somebody is here, and what they have won or lost since, by unit."""
        if signed.person.role in STAFF:
            return signed.since, {}
        found = await self.responsible.session(signed.person.id, self.clock.now())
        return found["since"], found["net"]

    async def transcript(self, table: str, shoe: int) -> Json:
        """The transcript of a committed shoe, as far as it may be known."""
        stream = f"table/{table}"
        if stream not in self.record.streams:
            raise no_such_table()
        # A table that is closed keeps its shoes.
        found = self._stream_of(table)
        if found.table is None or shoe > found.table.shoe_number:
            # Asked of the record, it would be read to its end for nothing, by anybody.
            raise nothing_there("There is no such committed shoe.")
        log_of_shoe = found.shoe if found.shoe.number == shoe else await shoe_of(self.record, stream, shoe)
        if log_of_shoe is None or log_of_shoe.opened is None or log_of_shoe.number != shoe:
            raise nothing_there("There is no such committed shoe.")
        return log_of_shoe.transcript().signed(self.record.keys.sign).as_json()

    # Commands.

    def read(self, text: bytes) -> wire.TableMessage:
        """A message for a table, however it came; a problem where it is none."""
        try:
            return wire.read_message(text)
        except Problem as problem:
            self.metrics.unreadable(problem.reason)
            raise

    def ask(self, live: LiveTable, signed: Signed, said: wire.TableMessage) -> "asyncio.Future[Answer]":
        """A command that one person alone may give: in line when this returns, answered when it is durable."""
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self.put(live, signed, said, partial(resolve, answer))
        return answer

    def put(self, live: LiveTable, signed: Signed, said: wire.TableMessage, then: Then) -> None:
        """As `ask`, for a socket: nobody waits, `then` is called."""
        asked = self.clock.now()

        def answered(answer: Answer | Exception) -> None:
            self._count(said, answer, asked)
            then(answer)

        try:
            self._put_in_line(live, signed, said, answered)
        except Exception as error:
            self._count_refused(said, error, asked)
            raise

    def _put_in_line(self, live: LiveTable, signed: Signed, said: wire.TableMessage, then: Then) -> None:
        person = signed.person
        problem = denied(signed, _permission_of(type(said)))
        if problem is not None:
            raise problem
        self.check(live, signed, said)
        put = partial(
            self.record.put, f"table/{live.name}", actor=person.id, command_id=said.id, asked=wire.said_by(said)
        )
        if not isinstance(said, wire.Stake | wire.Stakes):
            put(partial(self._meant, live, person.id, said), then)
            return
        if not self.responsible.has_limits(person.id):
            # Nearly every wager: it is the same whenever it is read.
            self.responsible.see(person.id, self.clock.now())
            put(commands_of(said, live.table, person.id), then)
            return
        staking = ExitStack()
        staking.enter_context(
            self.responsible.staking(person.id, live.name, live.unit, change_of(said, {}), self.clock.now())
        )

        def answered(answer: Answer | Exception) -> None:
            staking.close()
            then(answer)

        try:
            put(partial(self._meant, live, person.id, said), answered)
        except BaseException:
            staking.close()
            raise

    def _meant(self, live: LiveTable, person: str, said: wire.TableMessage, stream: Stream) -> Sequence[StreamCommand]:
        """In the order of the record: on what those before leave, however much was sent at once."""
        assert isinstance(stream, TableStream)
        assert stream.table is not None
        if isinstance(said, wire.Stake | wire.Stakes):
            self._check_own_limits(live, person, said, stream.table)
        return commands_of(said, stream.table, person)

    def _check_own_limits(self, live: LiveTable, person: str, said: wire.Stake | wire.Stakes, table: Table) -> None:
        slip = table.slip(person)
        change, lies_there = change_of(said, slip), sum(slip.values())
        problem = self.responsible.refusal(person, live.name, live.unit, change, self.clock.now(), lies_there)
        if problem is not None:
            raise problem

    def _count(self, said: wire.TableMessage, answer: Answer | Exception, asked: int) -> None:
        """Every command is counted here and in `command_here`, whichever way it came and whoever waits for it."""
        if isinstance(answer, Exception):
            self._count_refused(said, answer, asked)
            return
        if isinstance(answer, AnsweredBefore):
            return  # It was counted when it was done.
        seconds = (self.clock.now() - asked) / 1000
        if answer.accepted:
            self.metrics.command_accepted(wire.kind_of(said), seconds)
        else:
            self.metrics.command_refused(wire.kind_of(said), json.loads(answer.text)["reason"], seconds)

    def _count_refused(self, said: wire.TableMessage, error: Exception, asked: int) -> None:
        # One that another process must carry out is counted there.
        if not isinstance(error, Fenced):
            seconds = (self.clock.now() - asked) / 1000
            self.metrics.command_refused(wire.kind_of(said), problem_of(error).reason, seconds)

    def check(self, live: LiveTable, signed: Signed, said: wire.TableMessage) -> None:
        """What the house itself has against a command before the table is asked."""
        if self.is_stopping:
            raise Problem(503, "stopping", "The house is closing; nothing more is taken.")
        self._check_closing(live, said)
        fault = self.record.fault(f"table/{live.name}")
        if isinstance(fault, Fenced):
            raise fault
        # Where only its dealer cannot go on, staff may still give back what lies there.
        if live.trouble is not None and (fault is not None or isinstance(said, wire.PATRONS_SAY)):
            raise Problem(503, "stopped", live.trouble)

    def _check_closing(self, live: LiveTable, said: wire.TableMessage) -> None:
        if live.is_closed:
            raise no_such_table()
        if live.is_closing and isinstance(said, wire.BEGIN):
            raise Problem(409, "table-closing", "The table is being closed: no round and no shoe begins there.")

    async def command(self, table: str, signed: Signed, said: wire.TableMessage) -> Json:
        """Carry out one message for a table, whichever process leads it; what it answers, or a problem."""
        if self.several is None:
            return await self.command_here(table, signed, said)
        if self.is_stopping:
            raise Problem(503, "stopping", "The house is closing; nothing more is taken.")
        self._check_closing(self.find(table), said)
        try:
            if self.leads(table):
                return await self.command_here(table, signed, said)
        except Fenced:
            pass  # It has gone to another process, which is asked under the same id.
        return await self.several.command(table, signed, said)

    async def command_here(self, table: str, signed: Signed, said: wire.TableMessage) -> Json:
        """Carry out one message for a table that this process leads."""
        live = self.find(table)
        if isinstance(said, (wire.Approve, wire.Decline, *wire.NEED_TWO_PEOPLE)):
            return await self._ask_two_people(live, signed, said)
        if isinstance(said, wire.Resume) and await self.two_people.holds_up(live):
            self.check(live, signed, said)
            problem = denied(signed, Permission.RESUME) or request_waits()
            self._count_refused(said, problem, self.clock.now())
            raise problem
        answer = await self.ask(live, signed, said)
        return accepted(said.id, answer, self.clock.now())

    async def _ask_two_people(self, live: LiveTable, signed: Signed, said: wire.TableMessage) -> Json:
        asked = self.clock.now()
        try:
            if isinstance(said, wire.Approve | wire.Decline):
                request, answer = await self.two_people.decide(live, signed, said)
                told = {**accepted(said.id, answer, self.clock.now()), "request": request.id}
            else:
                told, answer = await self.two_people.ask(live, signed, said)
        except Exception as error:
            self._count_refused(said, error, asked)
            raise
        self._count(said, answer, asked)
        return told

    async def done(self, answer: Answer) -> None:
        """Raise a problem where it was refused."""
        if not answer.accepted:
            raise refused_by(json.loads(answer.text))

    # For those who watch the service.

    def readiness(self) -> Readiness:
        stopped = [table for table in self.tables.values() if table.trouble is not None]
        return Readiness(
            starting=self.is_starting,
            stopping=self.is_stopping,
            writing=self.record.is_writing,
            routes=self.has_routes,
            tables=len(self.tables),
            stopped=len(stopped),
        )

    def reading(self) -> Reading:
        phases: dict[str, int] = {}
        held: dict[str, int] = {}
        for live in self.tables.values():
            if not self.leads(live.name):
                continue  # Counted once, however many processes show it.
            if live.trouble is not None:
                phases["stopped"] = phases.get("stopped", 0) + 1
                continue
            table = live.table
            phases[table.phase.value] = phases.get(table.phase.value, 0) + 1
            held[live.unit] = held.get(live.unit, 0) + table.held
        return Reading(phases, held, self.record.waiting, len(self._patrons_here()))


@cache
def _permission_of(kind: type[wire.TableMessage]) -> Permission:
    return Permission(wire.kind_of_type(kind))


def no_such_table() -> Problem:
    return nothing_there("There is no such table.")


def accepted(command_id: str, answer: Answer, now: int) -> Json:
    """What is said of a command that was carried out; a refusal is raised as a problem."""
    said = json.loads(answer.text)
    if not answer.accepted:
        raise refused_by(said)
    return {"type": "accepted", "id": command_id, "time": now, **said}


def refused(command_id: str | None, error: Exception, now: int) -> Json:
    """A problem as the socket tells it."""
    problem = problem_of(error)
    return {"type": "refused", "id": command_id, "time": now, **problem.as_json()["error"]}


def new_id() -> str:
    return secrets.token_hex(12)
