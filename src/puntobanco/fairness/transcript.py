"""The transcript of a committed shoe: all that is needed to deal it again, as one JSON object.

`read_transcript` reads what `Transcript.text` writes and checks only its shape; whether the cards follow from the
keys is for `puntobanco.verify` to say.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any

from puntobanco.cards import PACKS, Card, Deal, Pack, read_deal, shown
from puntobanco.dealing import BurnAndCut, BurnRule
from puntobanco.errors import InputError
from puntobanco.fairness.shoe import KEYS, Nonce, OpenedShoe, ShoeTerms, final_state

SCHEME = "pb1"
SEAL_TAG = b"pb1/seal"
"""Before a seal that is signed, so that nobody takes it for an anchor."""


@dataclass(frozen=True)
class FinishedRound:
    """A round that is settled or void, so that its key is published."""

    round_in_shoe: int
    number: int | None
    """The table's number of the round; None for the burn, round 0."""
    nonces: tuple[Nonce, ...]
    state: bytes
    key: bytes = field(repr=False)
    drawn: tuple[Card, ...]
    """In the order of drawing, which in a round is Player, Banker, Player, Banker, thirds."""
    deal: Deal | None = None
    void: str | None = None
    """Why the round is void."""

    def as_json(self) -> dict[str, Any]:
        values: dict[str, Any] = {
            "round": self.round_in_shoe,
            "number": self.number,
            "nonces": [
                {"patron": each.patron, "commitment": each.commitment.hex(), "nonce": each.nonce and each.nonce.hex()}
                for each in self.nonces
            ],
            "state": self.state.hex(),
            "key": self.key.hex(),
            "drawn": [*map(str, self.drawn)],
        }
        if self.round_in_shoe:
            values |= {"deal": str(self.deal), "void": self.void}
        return values


@dataclass(frozen=True)
class Transcript:
    """A shoe as it was opened, and the rounds that are over; a shoe that has ended has its unused keys too."""

    opened: OpenedShoe
    rounds: tuple[FinishedRound, ...]
    unused_keys: Mapping[int, bytes] | None = field(default=None, repr=False)
    """By round; None while the shoe runs, for then they are secret."""
    seal_signature: bytes | None = None
    """Of the house, for all that the transcript tells; None where it signs the anchor alone, or nobody signs."""

    def __post_init__(self) -> None:
        if [each.round_in_shoe for each in self.rounds] != [*range(len(self.rounds))]:
            raise InputError("wrong-transcript", "The rounds of a transcript are all of the shoe from round 0 on.")
        if any((each.deal is None) != (each.round_in_shoe == 0) for each in self.rounds):
            raise InputError("wrong-transcript", "Every round of a transcript but the burn has a deal.")
        if self.unused_keys is not None and [*self.unused_keys] != [*range(len(self.rounds), KEYS)]:
            raise InputError("wrong-transcript", "The unused keys are those of all rounds that were not played.")
        if self.unused_keys is not None and not self.rounds:
            raise InputError("wrong-transcript", "A shoe that has ended has at least its burn, round 0.")

    @property
    def final(self) -> bytes | None:
        """What the shoe ended with; None while it runs."""
        return None if self.unused_keys is None else final_state(self.opened, self.rounds[-1].state)

    def as_json(self) -> dict[str, Any]:
        """The transcript in values that JSON has; bytes are lower-case hexadecimal."""
        opened, terms = self.opened, self.opened.terms
        values: dict[str, Any] = {
            "scheme": SCHEME,
            "table": terms.table,
            "shoe": terms.shoe,
            "game": terms.game,
            "reading": dict(terms.reading),
            "rules_digest": terms.rules_digest.hex(),
            "decks": terms.decks,
            "cut_depth": terms.burn_and_cut.cut_depth,
            "burn": terms.burn_and_cut.burn.value,
            "cards": [*map(str, terms.pack.cards)],
            "previous": terms.previous.hex(),
            "commitments": [each.hex() for each in opened.commitments],
            "anchor": opened.anchor.hex(),
            "signature": opened.signature and opened.signature.hex(),
            "public_key": opened.public_key and opened.public_key.hex(),
            "rounds": [each.as_json() for each in self.rounds],
            "unused_keys": {str(place): key.hex() for place, key in (self.unused_keys or {}).items()},
        }
        if self.final is not None:
            values["final"] = self.final.hex()
        values["seal"] = seal_of(values)
        return values | ({"seal_signature": self.seal_signature.hex()} if self.seal_signature else {})

    def signed(self, sign: Callable[[bytes], bytes]) -> "Transcript":
        """Signed as a whole, by whoever has signed the anchor: some fields are in no hash of the scheme."""
        return replace(self, seal_signature=sign(SEAL_TAG + bytes.fromhex(self.as_json()["seal"])))

    def text(self) -> str:
        """The transcript as a file holds it: a line for each field, round and key."""
        lines = []
        for name, value in self.as_json().items():
            written = json.dumps(value, ensure_ascii=False)
            if name in ("rounds", "commitments") and value:
                written = "[\n" + ",\n".join(json.dumps(each, ensure_ascii=False) for each in value) + "\n]"
            lines.append(f"{json.dumps(name)}: {written}")
        return "{\n" + ",\n".join(lines) + "\n}\n"


def seal_of(values: Mapping[str, Any]) -> str:
    """A hash over all the other fields: some of them, such as the table's name, are in no other."""
    rest = {name: value for name, value in values.items() if name not in ("seal", "seal_signature")}
    return sha256(_written(rest).encode()).hexdigest()


def read_transcript(text: str) -> Transcript:
    """The inverse of `Transcript.text`."""
    try:
        values = json.loads(text)
        transcript = _transcript(values)
    except InputError:
        raise
    except (KeyError, TypeError, AttributeError, ValueError, RecursionError) as error:
        raise InputError("wrong-transcript", f"{shown(text)} is not a transcript of the scheme {SCHEME}.") from error
    # Whoever writes by the scheme alone gives no seal.
    whole = {name: value for name, value in transcript.as_json().items() if name in values or name != "seal"}
    # As text, because true and 1.0 are equal to 1 and would not be written again.
    unlike = [name for name in {**whole, **values} if _written(values.get(name)) != _written(whole.get(name))]
    if unlike:
        raise InputError("wrong-transcript", f"The transcript is not as it was written: see {', '.join(unlike)[:80]}.")
    return transcript


def _written(value: object) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def _transcript(values: dict[str, Any]) -> Transcript:
    pack = next((pack for pack in PACKS if [*map(str, pack.cards)] == values["cards"]), None)
    if pack is None:
        raise InputError("wrong-transcript", "The cards of the transcript are of no known pack.")
    terms = ShoeTerms(
        values["table"],
        values["shoe"],
        values["game"],
        values["reading"],
        bytes.fromhex(values["rules_digest"]),
        pack,
        values["decks"],
        BurnAndCut(BurnRule(values["burn"]), values["cut_depth"]),
        bytes.fromhex(values["previous"]),
    )
    opened = OpenedShoe(
        terms,
        tuple(map(bytes.fromhex, values["commitments"])),
        bytes.fromhex(values["anchor"]),
        _bytes_or_none(values["signature"]),
        _bytes_or_none(values["public_key"]),
    )
    unused = {int(place): bytes.fromhex(key) for place, key in values["unused_keys"].items()}
    return Transcript(
        opened,
        tuple(_round(pack, each) for each in values["rounds"]),
        unused if "final" in values else None,
        _bytes_or_none(values.get("seal_signature")),
    )


def _round(pack: Pack, values: dict[str, Any]) -> FinishedRound:
    nonces = (
        Nonce(each["patron"], bytes.fromhex(each["commitment"]), _bytes_or_none(each["nonce"]))
        for each in values["nonces"]
    )
    return FinishedRound(
        values["round"],
        values["number"],
        tuple(nonces),
        bytes.fromhex(values["state"]),
        bytes.fromhex(values["key"]),
        tuple(map(pack.card, values["drawn"])),
        read_deal(pack, values["deal"]) if "deal" in values else None,
        values.get("void"),
    )


def _bytes_or_none(text: str | None) -> bytes | None:
    return None if text is None else bytes.fromhex(text)
