"""Those who watch a table by this process: who they are, what they are told, and what the last of it was.

Everybody is told the same numbered events, each encoded once and sent in portions, so that answers to wagers do not
wait behind a long list of listeners. Who comes back says which number was the last, and is told what followed.
"""

import asyncio
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple, Protocol

from puntobanco.server.dealer_steps import for_role
from puntobanco.server.logs import log
from puntobanco.server.persons import STAFF
from puntobanco.server.views import AlikeEncoded, Json, wagers_of
from puntobanco.server.wire import encoded
from puntobanco.settle import Settlement

if TYPE_CHECKING:
    from puntobanco.server.persons import Person

REMEMBERED = 2_000
"""How many events are kept for those who come back; who was away longer gets a snapshot."""
SENT_AT_ONCE = 100
"""To how many connections an event goes before the loop does something else."""


class Connection(Protocol):
    """Somebody who watches a table."""

    person: "Person | None"
    version: int
    """Of the last event that was sent."""

    def send(self, *messages: bytes) -> None: ...

    def say_goodbye(self) -> None:
        """End it once all is sent."""

    def break_off(self) -> None:
        """End it because something failed on our side: they come back, and are told what they missed."""


class Told(NamedTuple):
    """An event as it was told, and what some patrons are told of it beyond that."""

    version: int
    common: Json
    message: bytes
    settlements: Mapping[str, Settlement]
    moved: Mapping[str, int]
    balances: Mapping[str, int]
    """Of those patrons, afterwards, as far as that is known here."""
    steps: tuple[Json, ...]
    """What staff may do after it."""
    settled: AlikeEncoded
    """Its wagers in bytes, as far as anybody was told of them."""

    def message_for(self, person: "Person | None") -> bytes:
        if person is not None and person.role in STAFF:
            return self._with({"next": for_role(self.steps, person.role)}) if self.steps else self.message
        if person is None or (person.id not in self.settlements and person.id not in self.moved):
            return self.message
        # A process that does not lead the table knows it of those who were there; others have `own` as they come back.
        own: Json = {"balance": self.balances[person.id]} if person.id in self.balances else {}
        if person.id in self.settlements:
            settled = self.settlements[person.id]
            own |= {"wagers": wagers_of(settled, self.settled), "net": settled.net}
        if person.id in self.moved:
            own["moved"] = self.moved[person.id]
        return self._with(own)

    def _with(self, own: Json) -> bytes:
        """What everybody is told and what is this viewer's own, in one message: only the latter is encoded for them."""
        return b"%b,%b" % (self.message[:-1], encoded(own)[1:])


class Audience:
    """Those at one table."""

    def __init__(self, table: str) -> None:
        self._table = table
        self.connections: set[Connection] = set()
        self.patron_of: dict[Connection, str] = {}
        """Staff and whoever has no name are nobody's patrons."""
        self.patrons: Counter[str] = Counter()
        """By how many connections each is here: kept, because everybody who comes is told how many there are."""
        self.places: Counter[str] = Counter()
        """By how many connections each patron is in the house: the house's own, for all tables."""
        self.known_from = 0
        """The version from which on all that followed is known here."""
        self._told: deque[Told] = deque(maxlen=REMEMBERED)
        self._to_send: deque[Told] = deque()

    def leave(self, connection: Connection) -> None:
        self.connections.discard(connection)
        # As they were when they came: who was signed out meanwhile has no name any more.
        patron = self.patron_of.pop(connection, None)
        if patron is not None:
            self.patrons[patron] -= 1
            if not self.patrons[patron]:
                del self.patrons[patron]
            self.places[patron] -= 1
            if not self.places[patron]:
                del self.places[patron]

    def enter(self, connection: Connection) -> None:
        """From now on they are told all that happens."""
        self.connections.add(connection)
        person = connection.person
        if person is not None and person.role not in STAFF and connection not in self.patron_of:
            self.patron_of[connection] = person.id
            self.patrons[person.id] += 1
            self.places[person.id] += 1

    # What they are told.

    @property
    def told(self) -> Sequence[Told]:
        """The last of it, as much as is remembered."""
        return self._told

    @property
    def is_behind(self) -> bool:
        """Whether something was told that is not sent to everybody yet."""
        return bool(self._to_send)

    def begin_anew(self, known_from: int) -> None:
        """Forget what was told: whoever has not heard all before this version is shown how the table stands."""
        self._told.clear()
        self.known_from = known_from

    def tell(self, told: Told) -> None:
        """To be sent to everybody, and remembered."""
        self._told.append(told)
        self._to_send.append(told)

    def missed(self, after: int | None, version: int) -> list[Told] | None:
        """What was told after a version, at a table of this one; None where that is not known, or no longer."""
        if after is None or after > version:
            return None
        kept_from = self._told[0].version - 1 if len(self._told) == REMEMBERED else 0
        known_from = max(kept_from, self.known_from)
        return [told for told in self._told if told.version > after] if after >= known_from else None

    async def send_all(self) -> None:
        """All that waits, in portions."""
        while self._to_send:
            # It stays in line until everybody has it, whoever goes on with this.
            waiting = len(self._to_send)
            for portion in _portions(list(self.connections)):
                # All that waits by now goes out at once: each connection costs a call of the operating system, however
                # much it is sent, and who is far back in a crowd need not wait for another turn.
                told = list(self._to_send)
                for connection in portion:
                    self._send_to(connection, told)
                await asyncio.sleep(0)
            for _ in range(waiting):
                self._to_send.popleft()

    def _send_to(self, connection: Connection, told: list[Told]) -> None:
        seen, person = connection.version, connection.person
        if seen >= told[-1].version:
            return
        connection.version = told[-1].version
        try:
            connection.send(*[each.message_for(person) for each in told if each.version > seen])
        except Exception as error:
            self.lose(connection, error)

    def send_at_once(self, message: bytes) -> None:
        """To everybody, before all that waits."""
        for connection in list(self.connections):
            try:
                connection.send(message)
            except Exception as error:
                self.lose(connection, error)

    def lose(self, connection: Connection, error: Exception) -> None:
        """Whatever is wrong with one connection, the others are told; this one comes back for what it missed."""
        log("failed", reason="send", table=self._table, fault=error)
        self.leave(connection)
        with suppress(Exception):
            connection.break_off()


def _portions(connections: list[Connection]) -> Iterator[list[Connection]]:
    for first in range(0, len(connections), SENT_AT_ONCE):
        yield connections[first : first + SENT_AT_ONCE]
