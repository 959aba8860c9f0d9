"""The record: commands carried out on streams, many in one transaction, each acknowledged once it is durable.

    record = Record(database_of(folder, url), open_keys(folder))
    await record.start()
    await record.open("table/main")
    answer = await record.submit("table/main", [PlaceWager(..)], actor="anna", command_id="..")

One task writes. What arrives while it commits forms the next group; every command of a group is decided on the state
that those before it leave, and the new state counts only after the commit. A storage fault stops the streams of its
group: nothing was acknowledged, and they go on from what the database holds once they are opened again.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from typing import NamedTuple

from puntobanco.cards import shown
from puntobanco.errors import DeclarationError, Fault, InputError
from puntobanco.extras import optional_package
from puntobanco.games import GAMES, RULES_NOT_HERE
from puntobanco.rules.game import Game
from puntobanco.store.database import NO_LEASES, CommandKey, Conflict, Database, Fenced, StorageFault
from puntobanco.store.keys import Keys, is_signed
from puntobanco.store.roster import ROSTER, EnterStream
from puntobanco.store.rows import (
    GENESIS,
    SCHEMA,
    CommandRow,
    EntryRow,
    EventRow,
    Group,
    HeadRow,
    LandmarkRow,
    ShoeKeysRow,
    event_hash,
    sealed_answer,
    signed_head,
)
from puntobanco.store.streams import Landmark, Stream, StreamCommand, StreamEvent, TableStream, new_stream
from puntobanco.table import BettingClosed, Reason, Refusal, Refused, ShoeOpened

with optional_package("msgspec", "The record is written"):
    import msgspec

MOST_IN_A_GROUP = 256
MOST_WAITING = 20_000
"""Beyond that whoever asks is told to ask later: a queue that only grows answers nobody in time."""
MOST_IN_AN_ACCOUNT = 2**62
TRIES = 20
"""How often a group is tried while other processes move the same money."""
NO_TOKEN = 0
"""Lower than any that was ever given."""
WHAT_TO_DO = (
    "Open it with the version of this program that played it, or declare that edition of the game among the earlier "
    "ones."
)
"""Where a table was played by rules that are not here."""
ID_LENGTHS = range(8, 65)
ACTOR_LENGTHS = range(1, 65)


class Answer(NamedTuple):
    """What became of a command: its last version, or why it was refused. A retry gets the same."""

    version: int | None
    """Of its last event; None where it was refused."""
    text: str
    """JSON: the version, and for wagers stakes and balance; or reason, clause and message of the refusal."""

    @property
    def accepted(self) -> bool:
        return self.version is not None


class AnsweredBefore(Answer):
    """The same for a retry: nothing was done for it."""

    __slots__ = ()


class Written(msgspec.Struct, frozen=True):
    """An event that is durable, for whoever follows the record as it grows."""

    stream: str
    version: int
    time: int
    actor: str
    event: StreamEvent
    after: Stream
    """The stream as it stands after the event, whatever else became durable with it."""


Listener = Callable[[Sequence[Written], Mapping[str, int]], None]
"""Is told of each group once it is durable: its events in order, and the balances of the accounts that it moved."""


Meaning = Callable[[Stream], Sequence[StreamCommand]]
"""What somebody asks, in commands, on the stream as it stands when it is their turn; raises why it is not done."""


Proviso = Callable[[Stream, Sequence[Written]], Awaitable[None]]
"""What else a command depends on; raises why it is not done.

It is asked when it is the command's turn: with the stream as it stands then, and with what its group has done before
it. All that was done before that is in the database, and nobody else writes to the stream meanwhile.
"""


Then = Callable[[Answer | Exception], None]
"""Is told what became of a command, once it is durable; or what failed."""


TOO_LATE = frozenset({Reason.LATE_WAGER, Reason.LATE_INCREASE, Reason.LATE_WITHDRAWAL})
"""Whoever is refused for one of these is told when betting closed (5.6, 5.7)."""


class _Live(msgspec.Struct, frozen=True):
    """A stream as it stands after its last durable event."""

    stream: Stream
    version: int = 0
    hash: bytes = GENESIS
    time: int = 0
    closed_at: int | None = None
    """Of a table: when “No more bets” was last called."""


class _Asked(msgspec.Struct, frozen=True):
    """A command that waits for its answer."""

    stream: str
    commands: Sequence[StreamCommand] | Meaning
    key: CommandKey
    digest: bytes
    shoe_keys: Sequence[ShoeKeysRow]
    then: Then
    provided: Proviso | None = None
    claims: str | None = None
    """Of an id that is only taken: what it is answered with."""


@dataclass
class _Draft:
    """A group as it is decided: rows to be written, and what the streams and balances will be."""

    now: int
    balances: dict[str, int] = field(default_factory=dict)
    known: set[str] = field(default_factory=set)
    """The accounts that were asked for."""
    existing: set[str] = field(default_factory=set)
    """Those of them that are there already."""
    group: Group = field(default_factory=Group)
    live: dict[str, _Live] = field(default_factory=dict)
    touched: set[str] = field(default_factory=set)
    moved_on: set[str] = field(default_factory=set)
    """The streams in which something has happened that may change which accounts a command moves."""
    refusing: set[str] = field(default_factory=set)
    """The streams that have refused something."""
    answers: dict[CommandKey, CommandRow] = field(default_factory=dict)
    written: list[Written] = field(default_factory=list)


class Record:
    """The streams of one database, and the one task of this process that writes to them."""

    def __init__(
        self,
        database: Database,
        keys: Keys,
        games: Sequence[Game] = GAMES,
        clock: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
        most_in_a_group: int = MOST_IN_A_GROUP,
    ) -> None:
        self.database, self.keys, self.games = database, keys, games
        self.most_in_a_group = most_in_a_group
        self._clock = clock
        self.listener: Listener | None = None
        self.measure: Callable[[int, float], None] | None = None
        """Is told of each commit how many commands it made durable, and in how many seconds."""
        self._live: dict[str, _Live] = {}
        self._stopped: dict[str, StorageFault] = {}
        self.leases: dict[str, int] = {}
        """The token under which a stream is led here; whoever leads it next has a higher one."""
        self.shared = {ROSTER}
        """Streams that every process writes to: who is behind reads on and decides again, and nobody is told."""
        self._inbox: list[_Asked] = []
        self._something_to_do = asyncio.Event()
        self._closing = False
        self._writer: asyncio.Task[None] | None = None

    async def start(self) -> None:
        await self.database.start()
        try:
            await self.open(ROSTER)
        except BaseException:
            with suppress(Exception):
                await self.database.close()
            raise
        self._closing = False
        self._writer = asyncio.create_task(self._write_groups())

    async def close(self) -> None:
        """Answer what was asked, then stop."""
        if self._writer is not None:
            self._closing = True
            self._something_to_do.set()
            await self._writer
            self._writer = None
        await self.database.close()

    async def open(self, name: str, *, shared: bool = False) -> Stream:
        """Read a stream from the database, or begin a new one; one that a fault has stopped goes on."""
        if shared:
            self.shared.add(name)
        try:
            live = await self._read(name)
        except (Fault, InputError) as error:
            if error.reason not in RULES_NOT_HERE:
                raise
            raise StorageFault(f"{name} cannot be opened here. {error.message} {WHAT_TO_DO}", error.reason) from None
        self._live[name] = live
        self._stopped.pop(name, None)
        return live.stream

    async def catch_up(self, name: str) -> None:
        """Read what other processes have written to a stream since, as far as there is anything."""
        head = await self.database.head(name)
        if (head.version if head else 0) != self._live[name].version:
            live = await self._read(name, self._live[name])
            # Whoever read at the same time may have come further.
            if live.version > self._live[name].version:
                self._live[name] = live

    def take_in(self, name: str, rows: Iterable[EventRow]) -> list[Written]:
        """Events of another process, as they come: the stream stands after them. Those that are new here."""
        live, written = self._live[name], list[Written]()
        for row in rows:
            if row.version > live.version:
                live, event = _followed(name, live, row)
                written.append(Written(name, row.version, row.time, row.actor, event, live.stream))
        self._live[name] = live
        return written

    def stop(self, name: str) -> None:
        """Write no more to a stream that another process leads; what still waits is refused."""
        self.leases[name] = NO_TOKEN
        self._stop([name], Fenced([name]))

    @property
    def streams(self) -> Collection[str]:
        """Those that are open."""
        return self._live.keys()

    @property
    def waiting(self) -> int:
        """How many commands wait to be written."""
        return len(self._inbox)

    @property
    def is_writing(self) -> bool:
        """Whether the task that writes is alive."""
        return self._writer is not None and not self._writer.done()

    def fault(self, name: str) -> StorageFault | None:
        """Why nothing is written to a stream until it is opened again, if so."""
        return self._stopped.get(name)

    def stream(self, name: str) -> Stream:
        """A stream that is open, as it stands after its last durable event."""
        return self._opened(name).stream

    def version(self, name: str) -> int:
        return self._opened(name).version

    def head_hash(self, name: str) -> bytes:
        return self._opened(name).hash

    def _opened(self, name: str) -> _Live:
        if name in self._stopped:
            raise self._stopped[name]
        if name not in self._live:
            raise InputError("unknown-stream", f"{shown(name)} is not open.")
        return self._live[name]

    async def _read(self, name: str, known: _Live | None = None) -> _Live:
        live = await (self._read_on(name, known) if known else self._read_from_a_landmark(name))
        head = await self.database.head(name)
        if head is not None and head.version > live.version:
            # Another process has written since: what came up to this head is read now, whatever comes after it.
            live = await self._read_on(name, live, head.version)
        if head is None and not live.version:
            return live
        if head is None or (head.version, head.hash) != (live.version, live.hash):
            raise StorageFault(f"The events of {name} do not end where its head says.", "broken-chain")
        if not is_signed(self.keys.public_key, head.signature, head.signed):
            raise StorageFault(f"The head of {name} is not signed with the key of this record.", "broken-chain")
        return live

    async def _read_from_a_landmark(self, name: str) -> _Live:
        """The stream read from the last landmark from which its state follows, or else from its beginning."""
        new = _Live(new_stream(name, self.games, self.keys.public_key))
        for row in await self.database.landmarks(name):
            if row.mark != self.keys.mark(row.marked) or not isinstance(new.stream, TableStream):
                break
            landmark = Landmark.read(row.body)
            stream = new.stream.taken_up(landmark)
            live = _Live(stream, row.version, bytes.fromhex(landmark.hash), landmark.time)
            live = await self._read_on(name, live)
            assert isinstance(live.stream, TableStream)
            assert live.stream.table is not None
            if live.stream.table.round_number > landmark.round_number:
                return live
        return await self._read_on(name, new)

    async def _read_on(self, name: str, live: _Live, last: int | None = None) -> _Live:
        """The stream as it stands after the events that follow, all of them or up to a version."""
        async for portion in self.database.events(name, after=live.version):
            for _, row in portion:
                if live.version == last:
                    return live
                live, _ = _followed(name, live, row)
        return live

    async def submit(
        self,
        stream: str,
        commands: Sequence[StreamCommand],
        *,
        actor: str,
        command_id: str,
        asked: bytes | None = None,
        shoe_keys: Sequence[ShoeKeysRow] = (),
        provided: Proviso | None = None,
    ) -> Answer:
        """Carry out the commands, all or none, and answer when that is durable. `asked` is what a retry repeats."""
        return await self.ask(
            stream,
            commands,
            actor=actor,
            command_id=command_id,
            asked=asked,
            shoe_keys=shoe_keys,
            provided=provided,
        )

    def ask(
        self,
        stream: str,
        commands: Sequence[StreamCommand] | Meaning,
        *,
        actor: str,
        command_id: str,
        asked: bytes | None = None,
        shoe_keys: Sequence[ShoeKeysRow] = (),
        provided: Proviso | None = None,
    ) -> "asyncio.Future[Answer]":
        """As `submit`, for whoever goes on meanwhile: the commands stand in line when this returns."""
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self.put(
            stream,
            commands,
            partial(resolve, answer),
            actor=actor,
            command_id=command_id,
            asked=asked,
            shoe_keys=shoe_keys,
            provided=provided,
        )
        return answer

    def put(
        self,
        stream: str,
        commands: Sequence[StreamCommand] | Meaning,
        then: Then,
        *,
        actor: str,
        command_id: str,
        asked: bytes | None = None,
        shoe_keys: Sequence[ShoeKeysRow] = (),
        provided: Proviso | None = None,
    ) -> None:
        """As `ask`, for whoever has thousands under way: nobody waits, `then` is called.

        What the commands are may be left open until it is their turn; `asked` then says what is asked.
        """
        opened = self._opened(stream)
        _check_name("actor", actor, ACTOR_LENGTHS)
        _check_name("id of a command", command_id, ID_LENGTHS)
        if not callable(commands):
            commands = tuple(commands)
            if not commands:
                raise InputError("unknown-command", "Nothing was asked.")
            for command in commands:
                opened.stream.check(command)
            if asked is None:
                asked = b"\n".join([opened.stream.write_command(command) for command in commands])
        assert asked is not None, "what is read later is told in words"
        key, digest = (actor, command_id), digest_of(stream, asked)
        self._line_up(_Asked(stream, commands, key, digest, shoe_keys, then, provided))

    async def claim(
        self, stream: str, *, actor: str, command_id: str, asked: bytes, told: Mapping[str, object]
    ) -> Answer:
        """Take an id for something of which no event is written, such as a question; a retry gets what was told.

        Whoever uses the id for anything else is refused, as by every other command. The answer has no version.
        """
        self._opened(stream)
        _check_name("actor", actor, ACTOR_LENGTHS)
        _check_name("id of a command", command_id, ID_LENGTHS)
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        text, then = msgspec.json.encode(told).decode(), partial(resolve, answer)
        key, digest = (actor, command_id), digest_of(stream, asked)
        self._line_up(_Asked(stream, (), key, digest, (), then, claims=text))
        return await answer

    def _line_up(self, asked: _Asked) -> None:
        if self._writer is None or self._writer.done():
            raise StorageFault("The record is closed.", "closed")
        if len(self._inbox) >= MOST_WAITING:
            raise StorageFault("Too much is asked at once; ask again in a moment.", "busy")
        self._inbox.append(asked)
        self._something_to_do.set()

    async def _write_groups(self) -> None:
        while self._inbox or not self._closing:
            self._something_to_do.clear()
            group = self._inbox[: self.most_in_a_group]
            del self._inbox[: self.most_in_a_group]
            if group:
                await self._carry_out(group)
            elif not self._closing:
                await self._something_to_do.wait()

    async def _carry_out(self, group: list[_Asked]) -> None:
        """One transaction, and an answer or a fault for each command of the group."""
        for tried in range(TRIES):
            try:
                # Hardly any command was asked before: that its id is taken shows when its answer is written.
                answers: Sequence[Answer | Exception] = await self._in_one_transaction(group, tried > 0)
            except Fenced as fenced:
                group = self._without(fenced, group)
                answers = [fenced] * len(group)
                if not group:
                    break
            except Conflict as conflict:
                answers = [conflict] * len(group)
                if await self._overtaken(group):
                    break
                # An id was answered before, or only money was in demand elsewhere, such as the house's: once more.
            except Exception as error:
                fault = _as_fault(error)
                self._stop({asked.stream for asked in group}, fault)
                answers = [fault] * len(group)
                break
            else:
                break
        for asked, answer in zip(group, answers, strict=True):
            _tell(asked, answer)

    def _without(self, fenced: Fenced, group: list[_Asked]) -> list[_Asked]:
        """What is left of a group when some of its streams are led elsewhere: whoever asked there is not answered."""
        self._stop(fenced.streams, fenced)
        for asked in group:
            if asked.stream in fenced.streams:
                _tell(asked, fenced)
        return [asked for asked in group if asked.stream not in fenced.streams]

    async def _overtaken(self, group: list[_Asked]) -> bool:
        """Whether somebody else has written to a stream of the group; those are read again."""
        overtaken = False
        for name in sorted({asked.stream for asked in group} | {ROSTER}):
            try:
                head = await self.database.head(name)
                if (head.version if head else 0) != self._live[name].version:
                    # What others did at a stream that all write to concerns nobody who asked.
                    overtaken = overtaken or name not in self.shared
                    await (self.catch_up(name) if name in self.shared else self.open(name))
            except Exception as error:
                overtaken = True
                self._stop([name], _as_fault(error))
        return overtaken

    def _stop(self, names: Iterable[str], fault: Fault) -> None:
        for name in names:
            stopped = StorageFault(f"{name} has stopped: {fault.message}", "stopped")
            self._stopped[name] = fault if isinstance(fault, Fenced) else stopped

    async def _in_one_transaction(self, group: list[_Asked], look_up: bool) -> list[Answer | Exception]:
        """Decide and write the group; `look_up` asks first which of its commands were answered before."""
        await self.database.begin()
        try:
            draft = _Draft(self._clock())
            streams = {asked.stream for asked in group}
            if shared := sorted(streams & self.shared):
                # Among several who write all the time, one that only tries may be too late every time: wait here.
                await self.database.take_turn()
                for name in shared:
                    await self.catch_up(name)
            if look_up:
                draft.answers = await self.database.answered([asked.key for asked in group])
            # All at once, as far as can be seen before anything is decided.
            leases = {name: self.leases[name] for name in streams if name in self.leases}
            await self._know(self._accounts(group), draft, leases)
            answers = [await self._answer(asked, draft) for asked in group]
            if not look_up and not all(isinstance(answer, Answer) for answer in answers):
                # What has no answer is not written, so it would not show that its id was answered before.
                raise Conflict
            self._finish(draft)
            # A refusal has no event for which two writers would contend: who is behind must not refuse.
            await self._check_up_to_date(draft.refusing)
            if draft.group.commands:
                began = time.perf_counter()
                await self._write(draft)
                await self.database.commit()
                if self.measure is not None:
                    self.measure(len(draft.group.commands), time.perf_counter() - began)
            else:
                await self.database.rollback()
        except BaseException:
            with suppress(Exception):
                await self.database.rollback()
            raise
        for name, live in draft.live.items():
            # Where others write too, what they wrote next may have been taken in by now.
            if live.version > self._live[name].version:
                self._live[name] = live
        if self.listener is not None and draft.written:
            self.listener(draft.written, draft.balances)
        return answers

    async def _write(self, draft: _Draft) -> None:
        try:
            await self.database.write(draft.group)
        except StorageFault:
            # What was decided on a state of the past may break any rule of the database, not only the lock.
            await self._check_up_to_date(draft.live)
            raise

    async def _check_up_to_date(self, names: Iterable[str]) -> None:
        """Raise a conflict where another process has written to one of these streams since."""
        for name in sorted(names):
            head = await self.database.head(name)
            if (head.version if head else 0) > self._live[name].version:
                raise Conflict

    def _accounts(self, group: list[_Asked]) -> set[str]:
        accounts = set[str]()
        for asked in group:
            stream = self._live[asked.stream].stream
            if callable(asked.commands):
                # What is not known here is asked for when it is decided.
                with suppress(Exception):
                    for command in asked.commands(stream):
                        accounts.update(stream.accounts(command))
                continue
            for command in asked.commands:
                accounts.update(stream.accounts(command))
        return accounts

    async def _know(self, accounts: Iterable[str], draft: _Draft, leases: Mapping[str, int] = NO_LEASES) -> None:
        """Read the balances of those accounts that are not known yet."""
        new = [account for account in accounts if account not in draft.known]
        if new or leases:
            found = await self.database.balances(sorted(new), leases)
            draft.known.update(new)
            draft.existing.update(found)
            draft.balances.update(found)

    async def _answer(self, asked: _Asked, draft: _Draft) -> Answer | Exception:
        """Decide one command on what those before it leave."""
        if asked.stream in self._stopped:
            return self._stopped[asked.stream]
        known = draft.answers.get(asked.key)
        if known is not None:
            if known.digest != asked.digest:
                return InputError("id-reused", "This id was used for another command; nothing was done.")
            return AnsweredBefore(known.version, known.answer)
        if asked.claims is not None:
            return self._keep(asked, Answer(None, asked.claims), draft)
        live = draft.live.get(asked.stream) or self._live[asked.stream]
        try:
            if asked.provided is not None:
                before_it = [each for each in draft.written if each.stream == asked.stream]
                await asked.provided(live.stream, before_it)
            commands = asked.commands(live.stream) if callable(asked.commands) else asked.commands
        except Exception as error:
            # Nothing of it is kept: it is for whoever asked to know.
            return error
        before: dict[str, int] = {}
        try:
            after, told = await self._decide(asked, commands, live, draft, before)
        except (Conflict, StorageFault):
            raise
        except Exception as error:
            # All or none: what the first commands of several have moved is put back.
            draft.balances.update(before)
            if isinstance(error, InputError | DeclarationError):
                return error
            if not isinstance(error, Refused):
                # Something that cannot be: its own stream stops, those of the same group go on.
                self._stop([asked.stream], _as_fault(error))
                return _as_fault(error)
            answer = Answer(None, _refusal_text(error.refusal, live.closed_at))
            draft.refusing.add(asked.stream)
        else:
            draft.live[asked.stream] = after
            draft.touched.update(before)
            text = msgspec.json.encode({"version": after.version, **told}).decode()
            answer = Answer(after.version, text)
            if not live.version and asked.stream != ROSTER:
                await self._enter(asked, draft)
        return self._keep(asked, answer, draft)

    def _keep(self, asked: _Asked, answer: Answer, draft: _Draft) -> Answer:
        """What was answered, for whoever asks again."""
        said = *asked.key, asked.digest, asked.stream, *answer
        row = CommandRow(*said, self.keys.mark(sealed_answer(said)))
        draft.group.commands.append(row)
        draft.answers[asked.key] = row
        return answer

    async def _enter(self, asked: _Asked, draft: _Draft) -> None:
        """The stream that was begun, on the roster."""
        enter, key = EnterStream(asked.stream), ("record", f"enter-{asked.stream}")
        entered = await self._answer(_Asked(ROSTER, (enter,), key, asked.digest, (), asked.then), draft)
        if not isinstance(entered, Answer) or not entered.accepted:
            raise StorageFault(f"{asked.stream} is on the roster and nothing of it is in the record.", "broken-chain")

    async def _decide(
        self,
        asked: _Asked,
        commands: Sequence[StreamCommand],
        live: _Live,
        draft: _Draft,
        before: dict[str, int],
    ) -> tuple[_Live, dict[str, object]]:
        """Draft the rows of one command, and move its money: the stream after it, and what its answer tells.

        `before` is for what the accounts stood at that it moves.
        """
        group, balances = draft.group, draft.balances
        stream, version, hashed = live.stream, live.version, live.hash
        # A clock that was put back does not turn the record round.
        now = max(draft.now, live.time)
        name, (actor, command_id) = asked.stream, asked.key
        in_bytes = name.encode(), actor.encode(), command_id.encode()
        # All or none: the rows are added to the group when nothing more can be refused.
        events: list[EventRow] = []
        entries: list[EntryRow] = []
        landmarks: list[LandmarkRow] = []
        written: list[Written] = []
        told: dict[str, object] = {}
        closed_at = live.closed_at
        for command in commands:
            moves_the_same = stream.moves_the_same(command)
            if not moves_the_same or name in draft.moved_on or callable(asked.commands):
                await self._know(stream.accounts(command), draft)
            for event, moved in stream.decide(command, balances):
                if type(event) is BettingClosed:
                    closed_at = now
                elif type(event) is ShoeOpened:
                    # The time of the row before it, which may be of this very submission.
                    landmarks.append(self._landmark(name, stream, version, hashed, now if events else live.time))
                version += 1
                body = stream.write_event(event)
                events.append(EventRow(name, version, now, actor, command_id, SCHEMA, body.decode(), hashed))
                hashed = event_hash(in_bytes[0], version, now, in_bytes[1], in_bytes[2], SCHEMA, body, hashed)
                for place, (account, amount) in enumerate(moved):
                    entries.append(EntryRow(name, version, place, account, amount))
                    stood = balances.get(account, 0)
                    before.setdefault(account, stood)
                    if account.startswith("owed/"):
                        # Whether something is owed decides what a patron gets: whoever writes meanwhile what the
                        # patron has must be in conflict with this, also where the account of what is owed is new.
                        has = f"patron/{account.removeprefix('owed/')}"
                        before.setdefault(has, balances.get(has, 0))
                    balances[account] = stands = stood + amount
                    if abs(stands) > MOST_IN_AN_ACCOUNT:
                        message = f"No account holds more than {MOST_IN_AN_ACCOUNT:,}."
                        raise Refused(Refusal(Reason.BAD_AMOUNT, message))
                stream = stream.after(event)
                written.append(Written(name, version, now, actor, event, stream))
            if not moves_the_same:
                draft.moved_on.add(name)
            told = stream.told(command, balances)
        group.events += events
        group.entries += entries
        group.shoe_keys += asked.shoe_keys
        group.landmarks += landmarks
        draft.written += written
        return _Live(stream, version, hashed, now, closed_at), told

    def _landmark(self, name: str, stream: Stream, version: int, hashed: bytes, time: int) -> LandmarkRow:
        assert isinstance(stream, TableStream)
        row = LandmarkRow(name, version, stream.landmark(version, hashed, time), b"")
        return row._replace(mark=self.keys.mark(row.marked))

    def _finish(self, draft: _Draft) -> None:
        """What a group writes once: the heads of its streams, signed, and the balances that it touched."""
        for name, live in draft.live.items():
            signature = self.keys.sign(signed_head(name, live.version, live.hash))
            draft.group.heads.append(HeadRow(name, live.version, live.hash, signature))
        # In the order of the names, so that two writers never wait for each other's accounts crosswise.
        balances: dict[str, int] = {}
        new_balances: dict[str, int] = {}
        for account in sorted(draft.touched):
            (balances if account in draft.existing else new_balances)[account] = draft.balances.get(account, 0)
        draft.group.balances, draft.group.new_balances = balances, new_balances


def digest_of(stream: str, asked: bytes) -> bytes:
    """By which a retry is known from another command under the same id."""
    return sha256(stream.encode() + b"\n" + asked).digest()


def _followed(name: str, live: _Live, row: EventRow) -> tuple[_Live, StreamEvent]:
    """The stream as it stands after its next event."""
    if row.version != live.version + 1 or row.previous != live.hash:
        raise StorageFault(f"Event {row.version} of {name} does not follow the one before it.", "broken-chain")
    try:
        event = live.stream.read_event(row.body)
    except (Fault, InputError) as error:
        told = f"Event {row.version} of {name} cannot be read: {error.message}"
        if error.reason not in RULES_NOT_HERE:
            told += " A later version of this program has written it, or it was changed: audit the record."
        raise StorageFault(told, error.reason) from None
    closed_at = row.time if type(event) is BettingClosed else live.closed_at
    return _Live(live.stream.after(event), row.version, row.hash(), row.time, closed_at), event


def _as_fault(error: Exception) -> Fault:
    return error if isinstance(error, Fault) else StorageFault(f"The record failed: {error!r}.")


def _tell(asked: _Asked, answer: Answer | Exception) -> None:
    try:
        asked.then(answer)
    except Exception as error:
        # It is durable all the same, and the others wait for theirs.
        told = {"message": f"Whoever asked {asked.key} could not be told.", "exception": error}
        asyncio.get_running_loop().call_exception_handler(told)


def resolve(future: "asyncio.Future[Answer]", result: Answer | Exception) -> None:
    """Give the answer, or raise the fault, to whoever still waits."""
    if future.done():
        return
    if isinstance(result, Exception):
        future.set_exception(result)
    else:
        future.set_result(result)


def _refusal_text(refusal: Refusal, closed_at: int | None) -> str:
    told: dict[str, object] = {
        "reason": refusal.reason.code,
        "clause": refusal.clause,
        "message": refusal.message,
    }
    if refusal.reason in TOO_LATE and closed_at is not None:
        told["closed_at"] = closed_at
    return msgspec.json.encode(told).decode()


def _check_name(what: str, name: object, lengths: range) -> None:
    if not isinstance(name, str) or len(name) not in lengths or not name.isprintable() or not name.strip():
        raise InputError(
            "bad-name",
            f"The {what} is a text of {lengths[0]} to {lengths[-1]} printable characters, not {shown(name)}.",
        )
