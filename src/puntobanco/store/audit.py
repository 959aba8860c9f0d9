"""Everything in a record read again, by somebody who does not believe it.

First the database looks at its own files. Then three passes, on the record of one moment, though a house plays on. The
chain and the books: every event follows the one before it in its stream, every stream ends in a signed head, every
balance is what its postings come to, and of all accounts in a unit the sum is zero. Then every event is decided again
by the pure table or desk, with the money of that moment: its postings are made anew and compared, no stake is held for
a round that is over, and every shoe that has ended is dealt again by the verifier, which shares no code with the
dealer. Last, the sealed keys of every shoe open, and every command was answered as its events say.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Container, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

from puntobanco import verify
from puntobanco.errors import Fault, InputError, MissingPackage
from puntobanco.fairness.log import ShoeLog
from puntobanco.games import GAMES
from puntobanco.ledger.accounts import NEVER_NEGATIVE, parse_account
from puntobanco.rules.game import Game
from puntobanco.store.database import ChainedRow, Database, SequencedEvent
from puntobanco.store.dealer import redrawn, sealed_for, unsealed_keys
from puntobanco.store.decided_again import DecidedAgain
from puntobanco.store.findings import Findings
from puntobanco.store.kept_heads import KeptFile, check_kept, versions_kept
from puntobanco.store.keys import Keys, PublicKey, is_signed
from puntobanco.store.rows import DAMAGED, GENESIS, CommandRow, EntryRow, HeadRow, event_hash

__all__ = ["Findings", "Progress", "audit"]

Progress = Callable[[str, int, int], None]
"""Called with the name of the pass, how much is done and how much there is; first with nothing done."""

CHECKS_ITSELF = "database checks itself, as one step"
"""How far it is with that, it does not tell."""

WITHOUT_KEYS = (
    "Whether answers and landmarks bear the record's own mark: that needs the house's sealing.key.",
    "Whether the sealed keys of shoes open, and whether shoes in play are dealt from theirs: that needs it too.",
)
"""What somebody outside cannot look at."""

OTHER_KEYS = {
    (False, False): "No stream ends in a head that one has signed, and no answer bears the mark of the other: both are "
    "another record's, or all of these were changed.",
    (False, True): "No stream ends in a head that is signed with the public key: it is another record's, or all heads "
    "were changed.",
    (True, False): "No answer bears the mark of sealing.key: it is another record's, or all answers were changed.",
}
"""By whether the one key has signed anything, and the other has marked anything."""


async def audit(
    database: Database,
    keys: Keys | PublicKey,
    *,
    games: Sequence[Game] = GAMES,
    table: str | None = None,
    since: int | None = None,
    kept: Sequence[KeptFile] = (),
    progress: Progress = lambda *_: None,
) -> Findings:
    """Read the whole record again; with `table` or `since` only those events are decided again.

    Whoever has only the public key of the house cannot check what needs its other keys; `Findings.unchecked` names it.
    Heads that were `kept` elsewhere must lie in it; what they do not reach is named there too.

    The database is not used for anything else meanwhile: whatever it reads is of the moment when the audit began.
    """
    auditor = _Auditor(database, keys, games, table, since, kept, progress)
    async with database.snapshot():
        for name, work in (
            ("database", auditor.database_itself),
            ("chain and books", auditor.chain_and_books),
            ("decided again", auditor.decided_again),
            ("shoes and answers", auditor.shoes_and_answers),
        ):
            start = time.perf_counter()
            try:
                await work()
            except MissingPackage:
                # Nothing that is wrong with the record.
                raise
            except Fault as fault:
                auditor.found.report("record", None, fault.message)
            except DAMAGED as error:
                auditor.found.report("record", None, f"{name.capitalize()} could not be read to the end: {error}.")
            auditor.found.seconds[name] = time.perf_counter() - start
    return auditor.found


class _Auditor:
    def __init__(
        self,
        database: Database,
        keys: Keys | PublicKey,
        games: Sequence[Game],
        table: str | None,
        since: int | None,
        kept: Sequence[KeptFile],
        progress: Progress,
    ) -> None:
        self._database, self._games, self._progress = database, games, progress
        self._public_key, self._keys = keys.public_key, keys if isinstance(keys, Keys) else None
        self._only = None if table is None else f"table/{table}"
        self._since, self._kept = since, kept
        self.found = Findings(public_key=self._public_key.hex())
        if self._keys is None:
            self.found.unchecked += WITHOUT_KEYS
        self._signs = True
        """Whether the key has signed anything here."""
        self._running: dict[str, ShoeLog] = {}
        self._decided: DecidedAgain | None = None
        """What came of deciding again, once that is done."""
        self._total = 0

    async def database_itself(self) -> None:
        self._progress(CHECKS_ITSELF, 0, 1)
        for problem in await self._database.integrity_problems():
            self.found.report("database", None, problem)
        self._total = await self._database.event_count()
        await self._check_keys()
        self._progress(CHECKS_ITSELF, 1, 1)

    async def _check_keys(self) -> None:
        """Keys of another record are one problem, and not one for each thing that they did not sign or mark."""
        heads = await self._database.heads()
        self._signs = not heads or any(self._is_signed(head) for head in heads)
        marks = await self._marks()
        if not self._signs or not marks:
            self.found.report("keys", None, OTHER_KEYS[self._signs, marks])
        if not marks:
            self._keys = None
            self.found.unchecked += WITHOUT_KEYS

    async def _marks(self) -> bool:
        """Whether the key has marked anything here, or there is nothing to mark."""
        answers: list[CommandRow] = []
        async for answers in self._database.commands():
            # The first is marked, unless it was changed; only with other keys all of them are read.
            if any(self._is_answer(answer) for answer in answers):
                return True
        return not answers

    def _is_signed(self, head: HeadRow) -> bool:
        try:
            return is_signed(self._public_key, head.signature, head.signed)
        except DAMAGED:
            return False

    async def chain_and_books(self) -> None:
        chain = _Chain(self.found, versions_kept(self._kept))
        self._progress("chain and books", 0, self._total)
        async for portion in self._database.chain():
            chain.follow(portion)
            self.found.events += len(portion)
            sequence, stream, version, *_ = portion[-1]
            if sequence > self.found.events and self._database.sequence_has_no_gaps:
                sentence = f"Its place in the record is {sequence} and not {self.found.events}."
                self.found.report(_text(stream), version, sentence)
            self._progress("chain and books", self.found.events, self._total)
        counted = await self._database.event_count()
        if counted != self.found.events:
            # Such as one at place 0: whoever reads the record begins with place 1.
            sentence = f"There are {counted:,} events, of which {self.found.events:,} lie in the order of the record."
            self.found.report("record", None, sentence)
        ends = chain.ends()
        await self._check_heads(ends)
        versions = {stream: end.version for stream, end in ends.items()}
        check_kept(self._kept, self._public_key, versions, chain.hashes, self.found)
        await self._check_balances()

    async def _check_heads(self, ends: dict[str, "_End"]) -> None:
        heads = {head.stream: head for head in await self._database.heads()}
        for stream in sorted(ends.keys() | heads.keys()):
            head, end = heads.get(stream), ends.get(stream, _BEGINNING)
            if head is None:
                self.found.report(stream, None, "It has no signed head.")
            elif (head.version, head.hash) != (end.version, end.hash):
                self.found.report(stream, head.version, "The events do not end where its signed head says.")
            elif self._signs and not self._is_signed(head):
                self.found.report(stream, head.version, "The head is not signed with the key of this record.")

    async def _check_balances(self) -> None:
        sums = await self._database.account_sums()
        balances = {name: balance async for portion in self._database.accounts() for name, balance in portion}
        units: dict[str, int] = defaultdict(int)
        for name in sorted(sums.keys() | balances.keys()):
            stands, posted = balances.get(name, 0), sums.get(name, 0)
            if stands != posted:
                self.found.report("books", None, f"{name} stands at {stands:,} and its postings come to {posted:,}.")
            try:
                account = parse_account(name)
            except InputError as error:
                self.found.report("books", None, error.message)
                continue
            # Also where both come to nothing.
            if stands == posted and name not in balances:
                self.found.report("books", None, f"{name} has postings and no balance.")
            if stands == posted and name not in sums:
                self.found.report("books", None, f"{name} has a balance and no posting.")
            if stands < 0 and account.kind in NEVER_NEGATIVE:
                self.found.report("books", None, f"{name} is below zero.")
            units[account.unit] += posted
        for unit, total in units.items():
            if total:
                self.found.report("books", None, f"All accounts in {unit} together come to {total:,} and not to zero.")

    async def decided_again(self) -> None:
        # A key that has signed no stream has signed no shoe either, which was said once.
        public_key = self._public_key if self._signs else None
        again = DecidedAgain(self.found, self._games, public_key, self._only, self._since)
        done = 0
        self._progress("decided again", 0, self._total)
        async for portion in self._database.events():
            entries = await self._entries_of(portion)
            for _, row in portion:
                again.take(row, entries.pop((row.stream, row.version), []))
            for stream, version in entries:
                self.found.report(stream, version, "It has postings and is not in the record.")
            done += len(portion)
            self._progress("decided again", done, self._total)
        again.finish()
        self._running, self._decided = again.running_shoes(), again
        await self._check_landmarks(again)
        counted = await self._database.count("entry")
        if counted != self.found.entries:
            self.found.report(
                "books", None, f"There are {counted:,} postings, of which {self.found.entries:,} belong to events."
            )

    async def _entries_of(self, portion: list[SequencedEvent]) -> dict[tuple[str, int], list[EntryRow]]:
        spans: dict[str, tuple[int, int]] = {}
        for _, row in portion:
            first, _ = spans.get(row.stream, (row.version, 0))
            spans[row.stream] = first, row.version
        found: dict[tuple[str, int], list[EntryRow]] = defaultdict(list)
        for stream, (first, last) in spans.items():
            for entry in await self._database.entries_between(stream, first, last):
                found[entry.stream, entry.version].append(entry)
        return found

    async def _check_landmarks(self, again: DecidedAgain) -> None:
        """Each is what the events before it come to. One that is missing costs whoever reads the stream only time."""
        async for portion in self._database.all_landmarks():
            for row in portion:
                try:
                    expected = again.landmarks.get((row.stream, row.version))
                    # What cannot be read of a stream may come to anything.
                    is_untold = expected is None and row.stream in again.lost
                    is_true = is_untold or expected == sha256(row.body.encode()).digest()
                    if not is_true or not self._is_marked(row.marked, row.mark):
                        self.found.report(
                            row.stream, row.version, "The landmark there does not follow from the events."
                        )
                except DAMAGED:
                    self.found.report(str(row.stream), None, "A landmark of it holds a value that none has.")

    async def shoes_and_answers(self) -> None:
        await self._check_shoe_keys()
        for stream, log in self._running.items():
            await self._check_running_shoe(stream, log)
        done, total = 0, await self._database.count("command")
        self._progress("shoes and answers", 0, total)
        async for answers in self._database.commands():
            for answer in answers:
                if not self._is_answer(answer):
                    self.found.report(answer.stream, answer.version, f"The answer to {answer.id} was changed.")
            done += len(answers)
            self._progress("shoes and answers", done, total)
        for stream, version, command in await self._database.answers_without_event():
            self.found.report(stream, version, f"{command} was accepted and did not end here.")
        for stream, version, command in await self._database.events_without_answer():
            self.found.report(stream, version, f"It came from {command}, which was never answered so.")

    async def _check_shoe_keys(self) -> None:
        """Every shoe that was committed to has its sealed keys, also long after they were revealed."""
        again = self._decided
        without = set(again.committed) if again else set()
        async for portion in self._database.all_shoe_keys():
            for row in portion:
                without.discard((row.stream, row.shoe))
                if again and row.stream not in again.lost and (row.stream, row.shoe) not in again.committed:
                    sentence = f"Shoe {row.shoe}: Its sealed keys are here, and nothing was committed to them."
                    self.found.report(row.stream, None, sentence)
                    continue
                if self._keys is None:
                    continue
                try:
                    self._keys.unseal(row.sealed, sealed_for(row.stream, row.shoe))
                except (Fault, *DAMAGED) as error:
                    self.found.report(row.stream, None, f"Shoe {row.shoe}: {error}")
        # Those of a shoe in play are missed when it is drawn from them.
        in_play = {(stream, log.number) for stream, log in self._running.items()} if self._keys else set()
        for stream, shoe in sorted(without - in_play):
            self.found.report(stream, None, f"Shoe {shoe}: Its sealed keys are not in the record.")

    def _is_answer(self, answer: CommandRow) -> bool:
        try:
            return self._is_marked(answer.sealed, answer.seal)
        except DAMAGED:
            return False

    def _is_marked(self, data: bytes, mark: bytes) -> bool:
        """Whether the mark is the record's own, as far as that can be told here."""
        return self._keys is None or self._keys.mark(data) == mark

    async def _check_running_shoe(self, stream: str, log: ShoeLog) -> None:
        """A shoe in play has its keys, and what was dealt from it so far follows from them."""
        try:
            if self._keys is not None:
                redrawn(log, await unsealed_keys(self._database, self._keys, stream, log))
            if log.rounds[0].key is not None:
                verify.verify(log.transcript().text().encode())
        except Exception as error:
            self.found.report(
                stream, None, f"Shoe {log.number}, which is in play, was not dealt from its keys: {error}"
            )


class _End(NamedTuple):
    """The last event of a stream."""

    version: int
    hash: bytes
    time: int


_BEGINNING = _End(0, GENESIS, 0)
_NO_VERSIONS: Container[int] = frozenset()


class _Chain:
    """Every event follows the one before it in its stream. This is the inner loop of an audit."""

    def __init__(self, found: Findings, asked_for: Mapping[bytes, Container[int]]) -> None:
        self._found, self._asked_for = found, asked_for
        self._ends: dict[bytes, _End] = {}
        self.hashes: dict[tuple[str, int], bytes] = {}
        """Of the events that are asked for, by stream and version."""

    def follow(self, portion: list[ChainedRow]) -> None:
        stream, (last, hashed, before), asked_for = b"", _BEGINNING, _NO_VERSIONS
        for _, name, version, at, actor, command, schema, body, previous in portion:
            if name != stream:
                self._ends[stream] = _End(last, hashed, before)
                stream, (last, hashed, before) = name, self._ends.get(name, _BEGINNING)
                asked_for = self._asked_for.get(name, _NO_VERSIONS)
            try:
                found = event_hash(name, version, at, actor, command, schema, body, previous)
            except DAMAGED:
                last += 1
                self._found.report(_text(name), last, "It holds a value that no event has.")
                continue
            if version != last + 1 or previous != hashed or at < before:
                self._report(_text(name), version, _End(last, hashed, before), previous, at)
            if version in asked_for:
                self.hashes[_text(name), version] = found
            last, hashed, before = version, found, at
        self._ends[stream] = _End(last, hashed, before)

    def _report(self, stream: str, version: int, end: _End, previous: bytes, at: int) -> None:
        if version != end.version + 1:
            self._found.report(stream, version, f"Event {end.version + 1} is missing before it.")
        if previous != end.hash:
            self._found.report(stream, version, "The hash that it carries is not that of the event before it.")
        if at < end.time:
            self._found.report(stream, version, "It is older than the event before it.")

    def ends(self) -> dict[str, _End]:
        """The last event of every stream."""
        return {_text(name): end for name, end in self._ends.items() if end != _BEGINNING}


def _text(name: object) -> str:
    return name.decode(errors="backslashreplace") if isinstance(name, bytes) else f"a stream without a name ({name!r})"
