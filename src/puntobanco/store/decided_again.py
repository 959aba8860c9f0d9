"""Every event of a record decided again by the pure table or desk, its postings made anew, its shoes dealt again.

Postings are in no hash. They follow from their event and the balances before it, so that they are compared also where
the event itself is believed.
"""

from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256

from puntobanco import verify
from puntobanco.cards import shown
from puntobanco.errors import Fault, InputError
from puntobanco.fairness.log import ShoeCommitted, ShoeLog, ShoeRevealed
from puntobanco.games import RULES_NOT_HERE
from puntobanco.ledger.accounts import Kind, parse_account
from puntobanco.ledger.desk import AccountAdjusted, round_at
from puntobanco.rules.game import Game
from puntobanco.store.earlier_forms import is_of_today
from puntobanco.store.findings import Findings
from puntobanco.store.roster import ROSTER
from puntobanco.store.rows import SCHEMA, EntryRow, EventRow
from puntobanco.store.streams import DeskStream, Happened, RosterStream, Stream, StreamEvent, TableStream, new_stream
from puntobanco.store.voids import ChangedRounds
from puntobanco.table import Refused, RoundSettled, RoundVoided, ShoeOpened

Postings = Sequence[tuple[str, int]]
"""Accounts, and how much each gets."""

RULES_UNKNOWN = (
    "From here on its rounds are under rules that this program does not have, and nothing of it is decided again"
)

NAMED_AT_MOST = 8
"""How many postings a sentence names."""


class DecidedAgain:
    """Every event decided again, in the order of the whole record, with the money of that moment."""

    def __init__(
        self, found: Findings, games: Sequence[Game], public_key: bytes | None, only: str | None, since: int | None
    ) -> None:
        self._found, self._games, self._only, self._since = found, games, only, since
        self._public_key = public_key
        self._streams: dict[str, Stream] = {}
        self._changed = ChangedRounds()
        self._owed: dict[str, list[Happened]] = {}
        self._balances: dict[str, int] = {}
        self._held: dict[str, int] = defaultdict(int)
        self.lost: set[str] = set()
        """The streams of which something could not be read: after it nothing is told of them but chain and books."""
        self._believed = 0
        self.committed: set[tuple[str, int]] = set()
        """The shoes that were committed to, by stream and number."""
        self.landmarks: dict[tuple[str, int], bytes] = {}
        """The landmarks that there may be, by stream and version, each as a hash of its text."""
        self._times: dict[str, int] = {}
        self._under_later_rules: set[str] = set()
        """The desks at which something has the form of today: the rules of before do not come back there."""
        self._adjusted: list[tuple[str, int, str]] = []
        """Where accounts were adjusted, and for which round."""

    def take(self, row: EventRow, entries: list[EntryRow]) -> None:
        name = row.stream
        posted = tuple([(entry.account, entry.amount) for entry in entries])
        self._found.entries += len(posted)
        if [entry.place for entry in entries] != [*range(len(entries))]:
            self._found.report(name, row.version, "Its postings are not numbered from 0 on, one by one.")
        if name not in self.lost:
            try:
                self._take(row, posted)
            except Refused as refused:
                self._found.report(name, row.version, f"It would have been refused: {refused}")
                self._follow(row)
            except Exception as error:
                not_here = isinstance(error, Fault | InputError) and error.reason in RULES_NOT_HERE
                why = RULES_UNKNOWN if not_here else "It cannot have happened"
                self._found.report(name, row.version, f"{why}: {error}")
                self.lost.add(name)
        if name in self.lost:
            self._check_sum(row, posted)
        for account, amount in posted:
            self._balances[account] = self._balances.get(account, 0) + amount
            if account.startswith("held/"):
                self._held[account.split("/")[1]] += amount
        self._check_held(row)
        self._check_debts(row, posted)

    def _take(self, row: EventRow, posted: Postings) -> None:
        name = row.stream
        if name not in self._streams:
            self._streams[name] = new_stream(name, self._games, self._public_key)
        stream = self._streams[name]
        if row.schema != SCHEMA:
            raise InputError("unknown-schema", f"It is of schema {row.schema}.")
        event = stream.read_event(row.body)
        # A round that was settled and void later is one round.
        if isinstance(event, RoundSettled) or (isinstance(event, RoundVoided) and not event.after_settlement):
            self._found.rounds += 1
        if is_of_today(row.body):
            self._under_later_rules.add(name)
        if isinstance(event, AccountAdjusted):
            self._adjusted.append((name, row.version, event.round_address))
        is_believed = self._is_believed(row)
        if is_believed:
            self._believed += 1
            expected, moved = event, stream.moved(event, self._balances)
        else:
            (expected, moved), *rest = self._owed.pop(name, []) or self._decide(name, stream, event)
            if rest:
                self._owed[name] = rest
            self._found.decided += 1
        if expected != event:
            self._found.report(name, row.version, f"Decided again it is {type(expected).__name__} otherwise.")
        elif moved != posted:
            self._found.report(name, row.version, _other_postings(posted, moved))
        self._fold(row, stream, event)
        if isinstance(event, ShoeRevealed) and not is_believed:
            self._verify_shoe(row)

    def _decide(self, name: str, stream: Stream, event: StreamEvent) -> list[Happened]:
        """What comes of the event's cause, by the rules of its time."""
        if not isinstance(stream, DeskStream):
            return stream.decide(stream.cause(event), self._balances)
        # The rounds that accounts were adjusted for are looked at in the end, when it is known which there are.
        by_first_rules = name not in self._under_later_rules or isinstance(event, AccountAdjusted)
        return stream.decide(stream.cause(event), self._balances, by_first_rules=by_first_rules)

    def _is_believed(self, row: EventRow) -> bool:
        is_other = self._only is not None and row.stream != self._only
        return is_other or (self._since is not None and row.time < self._since)

    def _fold(self, row: EventRow, stream: Stream, event: StreamEvent) -> None:
        self._streams[row.stream] = after = stream.after(event)
        if isinstance(stream, TableStream) and isinstance(after, TableStream):
            self._changed.take(row, event, stream, after)
            if isinstance(event, ShoeOpened):
                landmark = stream.landmark(row.version - 1, row.previous, self._times[row.stream])
                self.landmarks[row.stream, row.version - 1] = sha256(landmark.encode()).digest()
            self._times[row.stream] = row.time
            if isinstance(event, ShoeCommitted):
                self.committed.add((row.stream, after.shoe.number))

    def _follow(self, row: EventRow) -> None:
        """Go on after an event that would have been refused, so that one fault does not hide the next."""
        try:
            stream = self._streams[row.stream]
            self._fold(row, stream, stream.read_event(row.body))
        except Exception:
            self.lost.add(row.stream)

    def _verify_shoe(self, row: EventRow) -> None:
        stream = self._streams[row.stream]
        assert isinstance(stream, TableStream)
        self._found.shoes += 1
        try:
            verify.verify(stream.shoe.transcript().text().encode())
        except Exception as error:
            self._found.report(row.stream, row.version, f"Shoe {stream.shoe.number} cannot be dealt again: {error}")

    def running_shoes(self) -> dict[str, ShoeLog]:
        """The committed shoes that are not revealed, by stream."""
        tables = {name: stream for name, stream in self._streams.items() if isinstance(stream, TableStream)}
        known = {name: stream.shoe for name, stream in tables.items() if name not in self.lost}
        return {name: shoe for name, shoe in known.items() if not shoe.is_revealed}

    def _check_sum(self, row: EventRow, posted: Postings) -> None:
        """What can be told of postings without their event: in each unit they come to nothing."""
        units: dict[str, int] = defaultdict(int)
        for account, amount in posted:
            # One whose name is none has a problem of its own.
            with suppress(InputError):
                units[parse_account(account).unit] += amount
        for unit, total in units.items():
            if total:
                self._found.report(row.stream, row.version, f"Its postings in {unit} come to {total:,}, not to zero.")

    def _check_held(self, row: EventRow) -> None:
        stream = None if row.stream in self.lost else self._streams.get(row.stream)
        if not isinstance(stream, TableStream) or stream.table is None or stream.table.phase.in_round:
            return
        held = self._held.pop(stream.name, 0)
        if held:
            self._found.report(row.stream, row.version, f"{held:,} is held and no round is in progress.")

    def _check_debts(self, row: EventRow, posted: Postings) -> None:
        """Ruling 21: whoever owes has nothing in that unit, for whatever they get settles it first."""
        for account, _ in posted:
            kind, _, whose = account.partition("/")
            if kind not in (Kind.PATRON, Kind.OWED):
                continue
            has, owed = self._balances.get(f"{Kind.PATRON}/{whose}", 0), self._balances.get(f"{Kind.OWED}/{whose}", 0)
            if has > 0 > owed:
                sentence = (
                    f"After it patron/{whose} has {has:,} and owes {-owed:,}, which is settled first (ruling 21)."
                )
                self._found.report(row.stream, row.version, sentence)
                return

    def finish(self) -> None:
        if ROSTER not in self.lost:
            self._check_roster()
        self._check_adjusted()
        self._found.voids = self._changed.report().voids
        if self._believed:
            self._found.unchecked.append(
                f"{self._believed:,} events were not asked for and are believed: that each is what the rules say, and "
                "that shoes which ended among them can be dealt again."
            )
        for name, owed in self._owed.items():
            if name not in self.lost:
                self._found.report(name, None, f"{type(owed[0][0]).__name__} follows its last event and is not there.")

    def _check_adjusted(self) -> None:
        """Ruling 22: an account is adjusted for a round, and that round is in the record."""
        for name, version, address in self._adjusted:
            found = round_at(address)
            table = f"table/{found[0]}" if found else ""
            if table in self.lost:
                continue
            stream = self._streams.get(table)
            rounds = stream.table.round_number if isinstance(stream, TableStream) and stream.table else 0
            if found is None or found[1] > rounds:
                sentence = f"An account is adjusted for the round {shown(address)}, which is not in the record."
                self._found.report(name, version, sentence)

    def _check_roster(self) -> None:
        roster = self._streams.get(ROSTER)
        entered = roster.roster.streams if isinstance(roster, RosterStream) else frozenset()
        seen = (self._streams.keys() | self.lost) - {ROSTER}
        for name in sorted(entered - seen):
            self._found.report(name, None, "It is on the roster, and nothing of it is in the record.")
        for name in sorted(seen - entered):
            self._found.report(name, None, "It is in the record and not on the roster.")


def _other_postings(posted: Postings, due: Postings) -> str:
    """What differs, in a sentence."""
    are, should_be = frozenset(posted), frozenset(due)
    there = tuple([each for each in posted if each not in should_be])
    missing = tuple([each for each in due if each not in are])
    if not there and not missing:
        return "Its postings are in another order, or one is there twice."
    return f"Its postings have {_in_words(there)} and should have {_in_words(missing)}."


def _in_words(postings: Postings) -> str:
    named = [f"{account} {amount:+,}" for account, amount in postings[:NAMED_AT_MOST]]
    more = len(postings) - len(named)
    return ", ".join(named) + (f" and {more:,} more" if more else "") or "nothing else"
