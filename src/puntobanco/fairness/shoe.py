"""The committed shoe: its keys are committed to before any wager, and each round is drawn from one of them.

>>> from puntobanco.games import find_game
>>> game = find_game("manila")
>>> terms = ShoeTerms.of(game, table="salon", shoe="salon-1", decks=8)
>>> keys = [bytes([place]) * 32 for place in range(KEYS)]
>>> opened = open_shoe(terms, keys)
>>> burn = round_state(opened, 0, NO_STATE)
>>> drawing = Drawing(opened)
>>> drawing.begin(0, keys[0], burn)
>>> str(drawing.draw()), drawing.cards_left
('7c', 415)
"""

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import NamedTuple

from puntobanco.cards import Card, Pack, Shoe, shown
from puntobanco.dealing import AT_A_TABLE, BurnAndCut
from puntobanco.errors import Fault, InputError
from puntobanco.fairness.drbg import HmacDrbg
from puntobanco.immutable import FrozenMap
from puntobanco.rules.game import Game

KEYS = 256
"""How many a shoe has: one for each round, and that for the burn."""
ROUNDS_AT_MOST = KEYS - 1
"""Round 0 is the burn, also where nothing is burned: then it draws no card. Each later round has a key of its own."""
KEY_BYTES = 32
NO_STATE = bytes(32)
"""What stands before the burn for a state, and before the first shoe of a table for the final state of another."""
REQUEST_BYTES = 256
WORD_BYTES = 4
WORDS = 1 << 8 * WORD_BYTES


def hashed(tag: str, *parts: bytes | str | int) -> bytes:
    """SHA-256 over the tag and the parts, each after its length; an integer is four bytes, a text its UTF-8."""
    found = sha256()
    for part in (tag, *parts):
        data = part if isinstance(part, bytes) else part.encode() if isinstance(part, str) else part.to_bytes(4, "big")
        found.update(len(data).to_bytes(4, "big"))
        found.update(data)
    return found.digest()


@dataclass(frozen=True)
class ShoeTerms:
    """What is said of a shoe before any wager."""

    table: str
    shoe: str
    """Names this shoe and no other."""
    game: str
    reading: Mapping[str, str]
    rules_digest: bytes
    pack: Pack
    decks: int
    burn_and_cut: BurnAndCut = AT_A_TABLE
    previous: bytes = NO_STATE
    """The final state of the table's shoe before this one."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "reading", FrozenMap(self.reading))
        for name in ("table", "shoe", "game"):
            value = getattr(self, name)
            # What is hashed as UTF-8 and written as JSON must be text that both can hold.
            if not isinstance(value, str) or not value.isprintable() or not value:
                raise InputError("wrong-shoe", f"The {name} of a committed shoe is a name, not {shown(value)}.")
        for name in ("rules_digest", "previous"):
            if not _is_hash(getattr(self, name)):
                raise InputError("wrong-shoe", f"{name} of a committed shoe is 32 bytes.")
        Shoe.full(self.pack, self.decks)

    @classmethod
    def of(
        cls,
        game: Game,
        *,
        table: str,
        shoe: str,
        decks: int,
        burn_and_cut: BurnAndCut = AT_A_TABLE,
        previous: bytes = NO_STATE,
    ) -> "ShoeTerms":
        """The terms of a shoe of this game, under the reading in force."""
        digest = bytes.fromhex(game.digest)
        return cls(table, shoe, game.id, game.reading, digest, game.pack, decks, burn_and_cut, previous)

    @property
    def cards(self) -> list[Card]:
        """The shoe in canonical order: deck by deck, suit by suit, rank by rank."""
        return list(self.pack.cards) * self.decks


class Signer(NamedTuple):
    """Signs an anchor with Ed25519. The key is held outside; here are only its public half and the way to use it."""

    sign: Callable[[bytes], bytes]
    public_key: bytes


@dataclass(frozen=True)
class OpenedShoe:
    """What is published when a shoe is opened. A shoe that nobody signs is one dealt on the patron's own machine."""

    terms: ShoeTerms
    commitments: tuple[bytes, ...] = field(repr=False)
    anchor: bytes
    signature: bytes | None = None
    public_key: bytes | None = None

    def key_fits(self, round_in_shoe: int, key: bytes) -> bool:
        return commitment(self.terms.shoe, round_in_shoe, key) == self.commitments[round_in_shoe]


def new_keys() -> tuple[bytes, ...]:
    """The keys of a shoe, from the operating system."""
    return tuple(secrets.token_bytes(KEY_BYTES) for _ in range(KEYS))


def commitment(shoe: str, round_in_shoe: int, key: bytes) -> bytes:
    return hashed("pb1/key", shoe, round_in_shoe, key)


def commitments(shoe: str, keys: Sequence[bytes]) -> tuple[bytes, ...]:
    """What is published of each key before it is used."""
    if len(keys) != KEYS or not all(map(_is_hash, keys)):
        raise InputError("wrong-keys", f"A shoe has {KEYS} keys of {KEY_BYTES} bytes.")
    if len({*keys}) != KEYS:
        # A key is published after its round: used again it would be known before the next.
        raise InputError("wrong-keys", "A shoe has no key twice.")
    return tuple(commitment(shoe, place, key) for place, key in enumerate(keys))


def anchor_of(terms: ShoeTerms, committed: Sequence[bytes]) -> bytes:
    """One hash over what is said of the shoe and all that is committed to."""
    return hashed(
        "pb1/anchor",
        terms.shoe,
        terms.rules_digest,
        terms.decks,
        terms.burn_and_cut.cut_depth,
        terms.previous,
        *committed,
    )


def open_shoe(terms: ShoeTerms, keys: Sequence[bytes], signer: Signer | None = None) -> OpenedShoe:
    """Commit to the keys and the terms by one hash, the anchor, and sign it."""
    committed = commitments(terms.shoe, keys)
    anchor = anchor_of(terms, committed)
    if signer is None:
        return OpenedShoe(terms, committed, anchor)
    return OpenedShoe(terms, committed, anchor, signer.sign(anchor), signer.public_key)


def nonce_commitment(shoe: str, round_in_shoe: int, patron: str, nonce: bytes) -> bytes:
    """What a patron sends while betting is open; the nonce itself follows after the close."""
    return hashed("pb1/nonce", shoe, round_in_shoe, patron, nonce)


@dataclass(frozen=True)
class Nonce:
    """A patron's part in a round: what was committed to, and the nonce, or None where it was withheld."""

    patron: str
    commitment: bytes
    nonce: bytes | None = None

    def check(self, shoe: str, round_in_shoe: int) -> None:
        """Raise InputError unless the nonce, where there is one, is what the patron committed to."""
        if not isinstance(self.patron, str) or not self.patron or not self.patron.isprintable():
            raise InputError("wrong-nonce", f"A patron has a name, not {shown(self.patron)}.")
        if not _is_hash(self.commitment):
            raise InputError("wrong-nonce", f"What {shown(self.patron)} commits to is 32 bytes.")
        if not self.fits(shoe, round_in_shoe):
            raise InputError("wrong-nonce", f"The nonce of {shown(self.patron)} is not the one committed to.")

    def fits(self, shoe: str, round_in_shoe: int) -> bool:
        """Whether the nonce, where there is one, is what the patron committed to."""
        if self.nonce is None:
            return True
        made = nonce_commitment(shoe, round_in_shoe, self.patron, self.nonce) if _is_hash(self.nonce) else None
        return self.commitment == made

    @property
    def mixed_in(self) -> bytes:
        """What the round takes of it: the nonce, or in its place the commitment of one that was withheld."""
        return b"\x00" + self.commitment if self.nonce is None else b"\x01" + self.nonce


def round_state(opened: OpenedShoe, round_in_shoe: int, previous_state: bytes, nonces: Sequence[Nonce] = ()) -> bytes:
    """What a round is drawn from beside its key: all states before it, and the nonces in the order of the log.

    No wager is in it. A round without a nonce is the server's alone; one that is voided before the close is sealed
    without nonces, for none was asked for.
    """
    _check_round(round_in_shoe)
    if round_in_shoe == 0 and nonces:
        raise InputError("wrong-nonce", "No patron takes part in round 0, the burn.")
    shoe = opened.terms.shoe
    for each in nonces:
        each.check(shoe, round_in_shoe)
    parts = [part for each in nonces for part in (each.patron, each.mixed_in)]
    return hashed("pb1/round", shoe, round_in_shoe, opened.anchor, previous_state, *parts)


def final_state(opened: OpenedShoe, last_state: bytes) -> bytes:
    """What a shoe ends with, and the anchor of the table's next shoe holds."""
    return hashed("pb1/final", opened.terms.shoe, opened.anchor, last_state)


def words_taken(cards_left: int) -> int:
    """Words from this one on are drawn again: of those below it each card has exactly as many as any other."""
    return WORDS - WORDS % cards_left


class Drawing:
    """The cards that are left in a shoe, drawn round by round. The same keys and states draw the same cards again.

    It begins with the whole shoe, or with what the first rounds have left of one, as `remaining` gave it.
    """

    def __init__(self, opened: OpenedShoe, rounds: int = 0, remaining: Sequence[Card] | None = None) -> None:
        self._opened = opened
        self._remaining = opened.terms.cards if remaining is None else [*remaining]
        self._next_round = rounds
        self._generator: HmacDrbg | None = None
        self._output = b""

    @property
    def cards_left(self) -> int:
        return len(self._remaining)

    @property
    def remaining(self) -> tuple[Card, ...]:
        """The cards that are left, in the order on which the next draw depends."""
        return tuple(self._remaining)

    def begin(self, round_in_shoe: int, key: bytes, state: bytes) -> None:
        """Begin the next round; what is left of the output of the round before is discarded."""
        _check_round(round_in_shoe)
        if round_in_shoe != self._next_round:
            raise InputError("wrong-round", f"Round {self._next_round} of the shoe is next, not round {round_in_shoe}.")
        if not self._opened.key_fits(round_in_shoe, key):
            raise Fault("wrong-key", f"The key of round {round_in_shoe} is not the one that the shoe is committed to.")
        self._next_round += 1
        personalisation = b"pb1/draw" + self._opened.terms.shoe.encode() + round_in_shoe.to_bytes(4, "big")
        self._generator = HmacDrbg(key, state, personalisation)
        self._output = b""

    def draw(self) -> Card:
        """Take one of the remaining cards, each as likely as any other."""
        remaining = self._remaining
        taken = words_taken(len(remaining)) if remaining else 0
        if not taken:
            raise Fault("empty-shoe", "There is no card left in the shoe.")
        while (word := self._next_word()) >= taken:
            pass
        place = word % len(remaining)
        card = remaining[place]
        remaining[place] = remaining[-1]
        remaining.pop()
        return card

    def _next_word(self) -> int:
        if self._generator is None:
            raise InputError("wrong-round", "No round of the shoe has begun.")
        if not self._output:
            self._output = self._generator.generate(REQUEST_BYTES)
        word, self._output = self._output[:WORD_BYTES], self._output[WORD_BYTES:]
        return int.from_bytes(word, "big")


def _is_hash(value: object) -> bool:
    return isinstance(value, bytes) and len(value) == 32


def _check_round(round_in_shoe: int) -> None:
    if type(round_in_shoe) is not int or not 0 <= round_in_shoe < KEYS:
        raise InputError("wrong-round", f"A shoe has rounds 0 to {ROUNDS_AT_MOST}, not {shown(round_in_shoe)}.")
