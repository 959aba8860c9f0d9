"""The dealer of a virtual table: opens committed shoes, draws from them, and publishes each key in its time.

What it draws follows from keys that lie sealed in the database and from states that are in the log, both durable
before the first card is shown: after a crash the same cards come again.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from puntobanco.cards import Card
from puntobanco.errors import Fault
from puntobanco.fairness.log import CommitShoe, PublishKey, RevealShoe, SealRound, ShoeLog, shoe_name
from puntobanco.fairness.shoe import KEY_BYTES, KEYS, Drawing, OpenedShoe, ShoeTerms, Signer, new_keys, open_shoe
from puntobanco.fairness.shoe import commitments as committed_to
from puntobanco.store.database import Database
from puntobanco.store.keys import Keys
from puntobanco.store.record import Answer, Record
from puntobanco.store.rows import ShoeKeysRow
from puntobanco.store.streams import StreamCommand, TableStream
from puntobanco.table import EndShoe, OpenShoe, Phase, Refused, Table
from puntobanco.table.dealer import next_step
from puntobanco.table.round_refusals import needs_no_pause


class VirtualDealer:
    """Leads one table. When betting opens and closes is for a clock to say: each step is asked for."""

    def __init__(self, record: Record, table: str) -> None:
        self._record = record
        self.name, self.stream = table, f"table/{table}"
        self._keys: tuple[bytes, ...] = ()
        self._keys_of: str | None = None
        """The shoe that the keys belong to."""
        self._left: ShoeLeft | None = None

    @property
    def is_behind(self) -> bool:
        """Whether keys of a round or a shoe that is over are still to be published."""
        log, has_ended = self._log, self._table.shoe is None
        return log.unpublished is not None or (has_ended and not log.is_revealed)

    async def step(self) -> Answer:
        """What comes next, whatever it is; answered when it is durable."""
        table, log = self._table, self._log
        # What is over is no secret any more, paused or not.
        if log.unpublished is not None:
            return await self._do(*await self._publishing(log))
        if self.is_behind:
            return await self._reveal(log)
        for refused in needs_no_pause(table):
            raise Refused(refused)
        if table.shoe is not None and log.opened is None:
            # A dealer opened it in the moment in which the table became the server's.
            return await self.end_shoe("it is not committed to")
        match table.phase:
            case Phase.CLOSED | Phase.READY if table.shoe_finished or log.has_no_more_keys:
                return await self._next_shoe(table, log)
            case Phase.DEALING | Phase.BURN_DUE if not log.is_sealed:
                return await self._do(SealRound())
            case Phase.DEALING | Phase.BURN_DUE:
                drawing = await self._drawing(log)
                return await self._do(next_step(table, drawing.draw, shows_burn=True))
        return await self._do(next_step(table, _no_card))

    @property
    def _stream(self) -> TableStream:
        stream = self._record.stream(self.stream)
        assert isinstance(stream, TableStream)
        return stream

    @property
    def _table(self) -> Table:
        table = self._stream.table
        if table is None:
            raise Fault("no-table", f"The table {self.name} is not open yet.")
        return table

    @property
    def _log(self) -> ShoeLog:
        return self._stream.shoe

    async def _do(self, *commands: StreamCommand, shoe_keys: Sequence[ShoeKeysRow] = ()) -> Answer:
        # The id follows from where the table stands: a step that was asked for twice is taken once. What is asked is
        # the step, not what it draws or which keys it makes.
        command_id = f"step-{self._record.version(self.stream) + 1:08}"
        return await self._record.submit(
            self.stream,
            commands,
            actor=f"dealer/{self.name}",
            command_id=command_id,
            asked=b"step",
            shoe_keys=shoe_keys,
        )

    async def _next_shoe(self, table: Table, log: ShoeLog) -> Answer:
        """A shoe that is over has no secrets any more, also where no other follows it; then comes the next."""
        if not log.is_revealed:
            return await self._reveal(log)
        if not table.shoe_finished:
            return await self.end_shoe("no key for another round")
        return await self._open_shoe(log)

    async def end_shoe(self, note: str) -> Answer:
        """No other round is dealt from the shoe in play; its keys are the next steps."""
        return await self._do(EndShoe(note))

    async def _reveal(self, log: ShoeLog) -> Answer:
        keys = await self._keys_of_shoe(log)
        return await self._do(RevealShoe(tuple([key.hex() for key in keys[len(log.rounds) :]])))

    async def _open_shoe(self, log: ShoeLog) -> Answer:
        """Open the next shoe and commit to its keys, in one transaction."""
        table, settings = self._table, self._table.settings
        number = table.shoe_number + 1
        terms = ShoeTerms.of(
            settings.game,
            table=self.name,
            shoe=shoe_name(self.name, number),
            decks=settings.decks,
            burn_and_cut=settings.burn_and_cut,
            previous=log.final,
        )
        keys = new_keys()
        signing = self._record.keys
        opened = open_shoe(terms, keys, Signer(signing.sign, signing.public_key))
        assert opened.signature is not None
        commit = CommitShoe(
            terms.shoe,
            tuple([each.hex() for each in opened.commitments]),
            opened.anchor.hex(),
            opened.signature.hex(),
            signing.public_key.hex(),
        )
        sealed = signing.seal(b"".join(keys), sealed_for(self.stream, number))
        return await self._do(
            OpenShoe(settings.full_shoe),
            commit,
            SealRound(),
            shoe_keys=[ShoeKeysRow(self.stream, number, sealed)],
        )

    async def _publishing(self, log: ShoeLog) -> list[StreamCommand]:
        """The key of the round that is over; one that was void before its close is sealed first."""
        place = log.unpublished
        assert place is not None
        keys = await self._keys_of_shoe(log)
        sealing: list[StreamCommand] = [] if log.rounds[place].state is not None else [SealRound()]
        return [*sealing, PublishKey(place, keys[place].hex())]

    async def _keys_of_shoe(self, log: ShoeLog) -> tuple[bytes, ...]:
        """The keys of the committed shoe, unsealed; they are those that it is committed to."""
        assert log.opened is not None
        shoe = log.opened.terms.shoe
        if self._keys_of != shoe:
            self._keys = await unsealed_keys(self._record.database, self._record.keys, self.stream, log)
            self._keys_of = shoe
        return self._keys

    async def _drawing(self, log: ShoeLog) -> Drawing:
        """The shoe as it lies: every card of the log drawn again from its key and state.

        What the rounds before this one have left is kept, or a card late in a shoe would cost 400 draws.
        """
        assert log.opened is not None
        keys = await self._keys_of_shoe(log)
        before = replace(log, rounds=log.rounds[:-1])
        self._left = ShoeLeft(log.opened, _dealt(before), redrawn(before, keys, self._left).remaining)
        return redrawn(log, keys, self._left)


def sealed_for(stream: str, shoe_number: int) -> bytes:
    """The one place in a record where the sealed keys of a shoe open."""
    return f"{stream}/{shoe_number}".encode()


async def unsealed_keys(database: Database, signing: Keys, stream: str, log: ShoeLog) -> tuple[bytes, ...]:
    """The keys of the committed shoe; a fault where they are not those that it is committed to."""
    sealed = await database.shoe_keys(stream, log.number)
    if sealed is None or log.opened is None:
        raise Fault("no-keys", f"The keys of shoe {log.number} of {stream} are not in the record.")
    joined = signing.unseal(sealed, sealed_for(stream, log.number))
    keys = tuple([joined[place : place + KEY_BYTES] for place in range(0, KEYS * KEY_BYTES, KEY_BYTES)])
    if committed_to(log.opened.terms.shoe, keys) != log.opened.commitments:
        raise Fault("other-keys", f"The keys of shoe {log.number} of {stream} are not those committed to.")
    return keys


class ShoeLeft(NamedTuple):
    """What some rounds have left of a shoe. It holds for a log that begins with the same rounds, and for no other."""

    opened: OpenedShoe
    dealt: tuple[tuple[bytes | None, tuple[Card, ...]], ...]
    """The state and the cards of each round: beside the keys committed to, all that a drawing depends on."""
    remaining: tuple[Card, ...]

    def holds_for(self, log: ShoeLog) -> bool:
        return self.opened == log.opened and self.dealt == _dealt(log)[: len(self.dealt)]


def _dealt(log: ShoeLog) -> tuple[tuple[bytes | None, tuple[Card, ...]], ...]:
    return tuple([(each.state, each.drawn) for each in log.rounds])


def redrawn(log: ShoeLog, keys: Sequence[bytes], left: ShoeLeft | None = None) -> Drawing:
    """Draw all that was drawn again; a fault where the log has other cards than the keys give.

    Where the log goes on from what is `left`, only the rounds since then are drawn.
    """
    assert log.opened is not None
    drawing, known = Drawing(log.opened), 0
    if left is not None and left.holds_for(log):
        known = len(left.dealt)
        drawing = Drawing(log.opened, known, left.remaining)
    for place, each in enumerate(log.rounds[known:], known):
        if each.state is None:
            break
        drawing.begin(place, keys[place], each.state)
        again = tuple([drawing.draw() for _ in each.drawn])
        if again != each.drawn:
            raise Fault("wrong-cards", f"Round {place} of the shoe was not dealt from its key.")
    return drawing


def _no_card() -> Card:
    raise AssertionError("no card is due in this phase")
