"""A committed shoe at a live table: what patrons and dealer do to it, as commands and events beside the table's own.

The order is the scheme's: the shoe is committed before any wager; patrons commit to nonces while betting is open and
reveal them after the close; then the round is sealed, and only then a card is drawn. After the round its key is
published, after the shoe all that were not used. No event holds a key before its time.
"""

from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Any, TypeAlias, assert_never, get_args

from puntobanco.cards import Card, Deal
from puntobanco.errors import InputError
from puntobanco.fairness.shoe import (
    KEYS,
    NO_STATE,
    ROUNDS_AT_MOST,
    Nonce,
    OpenedShoe,
    ShoeTerms,
    anchor_of,
    final_state,
    round_state,
)
from puntobanco.fairness.transcript import FinishedRound, Transcript
from puntobanco.immutable import PersistentMap
from puntobanco.table import events as table_events
from puntobanco.table.evolve import ImpossibleEvent
from puntobanco.table.reasons import Reason, Refusal
from puntobanco.table.state import Phase, Table
from puntobanco.table.wager_refusals import is_patron_name


@dataclass(frozen=True)
class CommitShoe:
    """The dealer publishes the commitments of the shoe that was just opened; bytes are lower-case hexadecimal."""

    shoe: str
    commitments: tuple[str, ...]
    anchor: str
    signature: str
    public_key: str


@dataclass(frozen=True)
class CommitNonce:
    """A patron takes part in the drawing of a round."""

    round_number: int
    patron: str
    commitment: str


@dataclass(frozen=True)
class RevealNonce:
    """After the close a patron shows what was committed to."""

    round_number: int
    patron: str
    nonce: str


@dataclass(frozen=True)
class SealRound:
    """Betting is closed and nobody is waited for any longer: from here on the cards are certain."""


@dataclass(frozen=True)
class PublishKey:
    """The key of a round that is over."""

    round_in_shoe: int
    key: str


@dataclass(frozen=True)
class RevealShoe:
    """The keys of the rounds that were not played, when the shoe is over."""

    unused_keys: tuple[str, ...]


@dataclass(frozen=True)
class ShoeCommitted:
    shoe: str
    previous: str
    commitments: tuple[str, ...]
    anchor: str
    signature: str
    public_key: str


@dataclass(frozen=True)
class NonceCommitted:
    round_number: int
    patron: str
    commitment: str


@dataclass(frozen=True)
class NonceRevealed:
    round_number: int
    patron: str
    nonce: str


@dataclass(frozen=True)
class RoundSealed:
    round_in_shoe: int
    state: str


@dataclass(frozen=True)
class KeyPublished:
    round_in_shoe: int
    key: str


@dataclass(frozen=True)
class ShoeRevealed:
    unused_keys: tuple[str, ...]
    final: str


ShoeCommand: TypeAlias = CommitShoe | CommitNonce | RevealNonce | SealRound | PublishKey | RevealShoe
ShoeEvent: TypeAlias = ShoeCommitted | NonceCommitted | NonceRevealed | RoundSealed | KeyPublished | ShoeRevealed


CONCERN_THE_SHOE = frozenset(
    {
        *get_args(ShoeEvent),
        table_events.ShoeOpened,
        table_events.CardsBurned,
        table_events.BettingOpened,
        table_events.CardDealt,
        table_events.RoundSettled,
        table_events.RoundVoided,
    }
)
"""The events that `ShoeLog.after` looks at: most are wagers, which never concern a shoe."""

TakingPart: TypeAlias = PersistentMap[str, tuple[int, Nonce]]
"""By patron the place in the order of the log, and the nonce."""
NOBODY: TakingPart = PersistentMap()


@dataclass(frozen=True)
class DrawnRound:
    """A round of the shoe as far as it has come."""

    number: int | None
    """Of the table; None for the burn."""
    taking_part: TakingPart = NOBODY
    state: bytes | None = None
    """None as long as it is not sealed."""
    drawn: tuple[Card, ...] = ()
    deal: Deal = Deal()  # noqa: RUF009  (an immutable value)
    void: str | None = None
    is_over: bool = False
    key: bytes | None = None
    """None as long as it is not published."""

    @property
    def nonces(self) -> tuple[Nonce, ...]:
        """In the order in which they were committed to."""
        return tuple([nonce for _, nonce in sorted(self.taking_part.in_order().values(), key=itemgetter(0))])

    def nonce_of(self, patron: str) -> Nonce | None:
        found: tuple[int, Nonce] | None = self.taking_part.get(patron)
        return found and found[1]


@dataclass(frozen=True)
class ShoeLog:
    """All that is public of a table's committed shoe, and the final state of the one before."""

    previous: bytes = NO_STATE
    number: int = 0
    """Of the table's shoe that is committed to."""
    opened: OpenedShoe | None = None
    """None where the shoe in play is not committed to, or not yet."""
    rounds: tuple[DrawnRound, ...] = ()
    unused_keys: tuple[bytes, ...] | None = None
    """None as long as the shoe runs."""

    @property
    def current(self) -> DrawnRound | None:
        return self.rounds[-1] if self.rounds else None

    @property
    def round_in_shoe(self) -> int:
        return len(self.rounds) - 1

    @property
    def is_sealed(self) -> bool:
        """Whether a card may be drawn: for a shoe that is not committed there is nothing to seal."""
        return self.opened is None or (self.current is not None and self.current.state is not None)

    @property
    def unpublished(self) -> int | None:
        """The first round that is over and whose key is not published."""
        for place, each in enumerate(self.rounds):
            if each.is_over and each.key is None:
                return place
        return None

    @property
    def final(self) -> bytes:
        """What the anchor of the next shoe holds: the final state of this one, if a round of it was sealed."""
        states = [each.state for each in self.rounds if each.state is not None]
        return final_state(_opened(self), states[-1]) if states else self.previous

    @property
    def state_before(self) -> bytes:
        """The state of the round before the current one."""
        return self.rounds[-2].state or NO_STATE if len(self.rounds) > 1 else NO_STATE

    def after(self, table: Table | None, event: "table_events.Event | ShoeEvent") -> "ShoeLog":
        """The log after an event of the shoe or of its table, which stands as before the event."""
        match event:
            case ShoeCommitted():
                return self._committed(table, event)
            case NonceCommitted(_, patron, commitment):
                return self._with_nonce(Nonce(patron, _bytes("commitment", commitment)))
            case NonceRevealed(_, patron, nonce):
                # Whether it fits is asked when it is revealed, and of the whole round when it is sealed.
                committed_to = self.rounds[-1].nonce_of(patron)
                return self._with_nonce(replace(committed_to, nonce=_bytes("nonce", nonce))) if committed_to else self
            case RoundSealed(_, state):
                # Where nothing is burned, round 0 is over with its sealing.
                nothing_burned = self.round_in_shoe == 0 and not _opened(self).terms.burn_and_cut.burns
                taking_part = NOBODY if self.rounds[-1].is_over else self.rounds[-1].taking_part
                is_over = self.rounds[-1].is_over or nothing_burned
                return self._now(state=_bytes("state", state), taking_part=taking_part, is_over=is_over)
            case KeyPublished(place, key):
                published = replace(self.rounds[place], key=_bytes("key", key))
                return replace(self, rounds=(*self.rounds[:place], published, *self.rounds[place + 1 :]))
            case ShoeRevealed(unused_keys, _):
                return replace(self, unused_keys=tuple([_bytes("key", key) for key in unused_keys]))
            case table_events.ShoeOpened():
                return ShoeLog(self.final)
        return self._dealt(table, event) if self.opened is not None and table is not None else self

    def _dealt(self, table: Table, event: "table_events.Event") -> "ShoeLog":
        match event:
            case table_events.CardsBurned(shown, _):
                return self._now(drawn=shown, is_over=True)
            case table_events.BettingOpened(number):
                return replace(self, rounds=(*self.rounds, DrawnRound(number)))
            case table_events.CardDealt(_, _, card):
                return self._now(drawn=(*self.rounds[-1].drawn, card))
            case table_events.RoundSettled():
                return self._now(deal=table.deal, is_over=True)
            case table_events.RoundVoided(number, irregularity) if number == self.rounds[-1].number:
                deal = table.deal if table.phase.in_round else self.rounds[-1].deal
                return self._now(deal=deal, void=irregularity.value, is_over=True)
        return self

    def _now(self, **changes: Any) -> "ShoeLog":
        """With the current round changed."""
        return replace(self, rounds=(*self.rounds[:-1], replace(self.rounds[-1], **changes)))

    def _with_nonce(self, nonce: Nonce) -> "ShoeLog":
        """With what a patron committed to or revealed; whoever is there already keeps the place."""
        taking_part = self.rounds[-1].taking_part
        place, _ = taking_part.get(nonce.patron, (len(taking_part), None))
        return self._now(taking_part=taking_part.set(nonce.patron, (place, nonce)))

    def _committed(self, table: Table | None, event: ShoeCommitted) -> "ShoeLog":
        if table is None:
            raise ImpossibleEvent("No shoe of this table was opened.")
        terms = _terms(table, event.shoe, self.previous)
        committed = tuple([_bytes("commitment", each) for each in event.commitments])
        opened = OpenedShoe(
            terms,
            committed,
            _bytes("anchor", event.anchor),
            _bytes("signature", event.signature, 64),
            _bytes("public key", event.public_key),
        )
        return replace(self, number=table.shoe_number, opened=opened, rounds=(DrawnRound(None),), unused_keys=None)

    @property
    def is_revealed(self) -> bool:
        """Whether nothing of the shoe is secret any more, or nothing ever was."""
        return self.opened is None or self.unused_keys is not None

    @property
    def has_no_more_keys(self) -> bool:
        return self.opened is not None and self.round_in_shoe >= ROUNDS_AT_MOST

    def transcript(self) -> Transcript:
        """The shoe as far as it may be known: the rounds whose keys are published."""
        assert self.opened is not None, "a shoe is committed"
        rounds = []
        for place, each in enumerate(self.rounds):
            if each.key is None or each.state is None:
                break
            deal = each.deal if place else None
            rounds.append(
                FinishedRound(place, each.number, each.nonces, each.state, each.key, each.drawn, deal, each.void)
            )
        unused = None
        if self.unused_keys is not None:
            unused = dict(zip(range(len(rounds), KEYS), self.unused_keys, strict=True))
        return Transcript(self.opened, tuple(rounds), unused)


def shoe_refusal(table: Table | None, log: ShoeLog, command: ShoeCommand) -> Refusal | None:
    """Why a command about the committed shoe is refused; None if it is not."""
    opened, current = log.opened, log.current
    if isinstance(command, CommitShoe):
        if table is not None and not table.settings.is_virtual:
            # Cards are keyed at such a table, and a keyed card in a committed shoe follows from no key.
            return Refusal(Reason.NO_SHOE, "A shoe that a dealer deals from is not committed to.")
        is_new = table is not None and table.shoe is not None and table.shoe.cards == table.settings.full_shoe.size
        if opened is not None or not is_new or (table is not None and table.phase.in_round):
            return Refusal(Reason.NO_SHOE, "A shoe is committed to when it was just opened, before any card.")
        return None
    if table is None or opened is None or current is None:
        return Refusal(Reason.NO_SHOE, "No shoe is committed to.")
    match command:
        case CommitNonce(number, patron):
            if table.phase is not Phase.BETTING or number != table.round_number:
                return Refusal(Reason.BETTING_NOT_OPEN, "A nonce is committed to while betting is open.")
            if current.nonce_of(patron) is not None:
                return Refusal(Reason.ALREADY_PLACED, "A patron takes part in a round with one nonce.")
        case RevealNonce(number, patron, nonce):
            if table.phase is not Phase.DEALING or number != table.round_number or current.state is not None:
                return Refusal(Reason.BETTING_STILL_OPEN, "A nonce is revealed between the close and the first card.")
            committed_to = current.nonce_of(patron)
            if committed_to is None or committed_to.nonce is not None:
                return Refusal(Reason.NOTHING_PLACED, "There is no nonce of this patron to reveal.")
            if not replace(committed_to, nonce=_bytes("nonce", nonce)).fits(opened.terms.shoe, log.round_in_shoe):
                return Refusal(Reason.WRONG_NONCE, "The nonce is not the one that was committed to.")
        case SealRound():
            if current.state is not None or table.phase is Phase.BETTING:
                return Refusal(Reason.BETTING_STILL_OPEN, "A round is sealed once, after the close.")
        case PublishKey(round_in_shoe):
            if round_in_shoe != log.unpublished or log.rounds[round_in_shoe].state is None:
                return Refusal(Reason.ROUND_IN_PROGRESS, "A key is published when its round is over, and once.")
        case RevealShoe():
            if log.unpublished is not None or not current.is_over or log.unused_keys is not None:
                return Refusal(Reason.ROUND_IN_PROGRESS, "A shoe is revealed when all its rounds are over, and once.")
    return None


def happened_to_the_shoe(table: Table, log: ShoeLog, command: ShoeCommand) -> ShoeEvent:
    """What a command does that is not refused; raises InputError where what it brings does not fit."""
    match command:
        case CommitShoe(shoe, committed, expected, signature, public_key):
            terms = _terms(table, shoe, log.previous)
            given = tuple([_bytes("commitment", each) for each in committed])
            if len(given) != KEYS:
                raise InputError("wrong-keys", f"A shoe has {KEYS} commitments.")
            anchor = anchor_of(terms, given).hex()
            if anchor != expected:
                # The table has changed since the anchor was made, and what was signed is another shoe.
                raise InputError("wrong-anchor", "The anchor is not that of this shoe.")
            return ShoeCommitted(shoe, log.previous.hex(), committed, anchor, signature, public_key)
        case CommitNonce(number, patron, commitment):
            if not is_patron_name(patron):
                raise InputError("wrong-nonce", "A nonce is a patron's, who has a name.")
            _bytes("commitment", commitment)
            return NonceCommitted(number, patron, commitment)
        case RevealNonce(number, patron, nonce):
            return NonceRevealed(number, patron, nonce)
        case SealRound():
            current = log.rounds[-1]
            # A round that was void before the close was never waited for.
            nonces = () if current.is_over else current.nonces
            state = round_state(_opened(log), log.round_in_shoe, log.state_before, nonces)
            return RoundSealed(log.round_in_shoe, state.hex())
        case PublishKey(round_in_shoe, key):
            if not _opened(log).key_fits(round_in_shoe, _bytes("key", key)):
                raise InputError("unfit-key", f"The key of round {round_in_shoe} is not the one committed to.")
            return KeyPublished(round_in_shoe, key)
        case RevealShoe(unused_keys):
            for place, key in enumerate(unused_keys, len(log.rounds)):
                if place >= KEYS or not _opened(log).key_fits(place, _bytes("key", key)):
                    raise InputError("unfit-key", f"The key of round {place} is not the one committed to.")
            if len(unused_keys) != KEYS - len(log.rounds):
                raise InputError("wrong-keys", "The unused keys are those of all rounds that were not played.")
            return ShoeRevealed(unused_keys, log.final.hex())
        case _:
            assert_never(command)


def shoe_name(table: str, number: int) -> str:
    """What a table calls its committed shoe of that number: no other shoe has this name."""
    return f"{table}/{number}"


def _terms(table: Table, shoe: str, previous: bytes) -> ShoeTerms:
    settings = table.settings
    return ShoeTerms.of(
        settings.game,
        table=shoe.rpartition("/")[0] or shoe,
        shoe=shoe,
        decks=settings.decks,
        burn_and_cut=settings.burn_and_cut,
        previous=previous,
    )


def _opened(log: ShoeLog) -> OpenedShoe:
    if log.opened is None:
        raise ImpossibleEvent("No shoe is committed to.")
    return log.opened


def _bytes(what: str, text: str, length: int = 32) -> bytes:
    """Bytes in lower-case hexadecimal, as they are written everywhere."""
    try:
        found = bytes.fromhex(text)
    except (ValueError, TypeError):
        found = b""
    if found.hex() != text or len(found) != length:
        raise InputError("wrong-bytes", f"A {what} is {length} bytes in lower-case hexadecimal.")
    return found


def cause_of_shoe_event(event: ShoeEvent) -> ShoeCommand:
    """The command that the event came from."""
    match event:
        case ShoeCommitted(shoe, _, committed, anchor, signature, public_key):
            return CommitShoe(shoe, committed, anchor, signature, public_key)
        case NonceCommitted(number, patron, commitment):
            return CommitNonce(number, patron, commitment)
        case NonceRevealed(number, patron, nonce):
            return RevealNonce(number, patron, nonce)
        case RoundSealed():
            return SealRound()
        case KeyPublished(place, key):
            return PublishKey(place, key)
        case ShoeRevealed(unused_keys):
            return RevealShoe(unused_keys)
        case _:
            assert_never(event)
