"""What the verifier says of shoes with one thing changed: the verifier in the browser must say the same of each.

The verdicts lie in `golden/verdicts.json` beside the shoes, where the tests of the browser app read them too.
"""

import json
import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fairness.dealt_shoes import dealt_shoe
from puntobanco.fairness import Signer
from puntobanco.fairness.transcript import seal_of
from puntobanco.games import find_game
from puntobanco.verify import DoesNotFollow, verify

GOLDEN = Path(__file__).parent / "golden"
SHOES = ("worked-example", "signed-shoe")
BITS_CHANGED = 150
ZEROS = "00" * 32
OTHERS: tuple[Any, ...] = (..., None, "x", ZEROS, [], 7)


def verdict(data: bytes) -> str | None:
    """The sentence that it is refused with. Of what is not JSON each reader has its own words."""
    try:
        verify(data)
    except DoesNotFollow as refusal:
        return str(refusal).split(": ")[0] + "." if "is not JSON" in str(refusal) else str(refusal)
    return None


def changes(shoe: dict[str, Any]) -> Iterator[tuple[list[Any], Any]]:
    """One field at a time: where, and what it becomes; absent where it goes."""
    names = [*shoe, "more"]
    for name in names:
        yield from (([name], value) for value in OTHERS)
    yield from ((["reading"], {"tableau": tableau}) for tableau in ("standard", "vienna"))
    yield from ((["cards"], [*shoe["cards"][1:], shoe["cards"][0]]), (["burn"], "off"), (["scheme"], "pb2"))
    yield from ((["commitments", place], ZEROS) for place in (0, 3, 255))
    yield from ((["unused_keys", place], ZEROS) for place in ("200", "256", "2000"))
    rounds = shoe["rounds"]
    yield from ((["rounds"], each) for each in (rounds[:2] + rounds[3:5], [1], []))
    for place in (0, 1, 4):
        for name in [*rounds[place], "more"]:
            yield from ((["rounds", place, name], value) for value in OTHERS)
        drawn = rounds[place]["drawn"]
        for other in (drawn[::-1], drawn[:-1], drawn * 2, ["10h"]):
            yield ["rounds", place, "drawn"], other
        for number, nonce in enumerate(rounds[place]["nonces"]):
            for name in [*nonce, "more"]:
                where = ["rounds", place, "nonces", number, name]
                yield from ((where, value) for value in (..., None, "x", 7, *([ZEROS] if name != "patron" else [])))


def changed(shoe: dict[str, Any], where: list[Any], value: Any) -> dict[str, Any]:
    shoe = json.loads(json.dumps(shoe))
    within: Any = shoe
    for name in where[:-1]:
        within = within[name]
    if value is ...:
        within.pop(where[-1], None)
    else:
        within[where[-1]] = value
    return shoe


def verdicts(name: str) -> dict[str, Any]:
    data = (GOLDEN / f"{name}.json").read_bytes()
    shoe = json.loads(data)
    fields = []
    for where, value in changes(shoe):
        other = changed(shoe, where, value)
        case = {"at": where} | ({} if value is ... else {"to": value})
        said = verdict(json.dumps(other).encode())
        fields.append(case | {"says": said})
        # A seal is made anew by anybody, so that what no other hash covers is looked at too.
        if said is not None and "seal" in said and where != ["seal"]:
            seal = {"seal": seal_of(other)}
            fields.append(case | seal | {"says": verdict(json.dumps(other | seal).encode())})
    chance = random.Random(name)
    bits = []
    for bit in sorted(chance.sample(range(8 * len(data)), BITS_CHANGED)):
        flipped = bytearray(data)
        flipped[bit // 8] ^= 1 << bit % 8
        bits.append([bit, verdict(bytes(flipped))])
    return {"fields": fields, "bits": bits}


def test_the_signed_shoe() -> None:
    ed25519 = pytest.importorskip("cryptography.hazmat.primitives.asymmetric.ed25519")
    key = ed25519.Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    signer = Signer(key.sign, key.public_key().public_bytes_raw())
    shoe = dealt_shoe(find_game("six-star"), 12, rounds=12, over=False, signer=signer).signed(signer.sign)
    file = GOLDEN / "signed-shoe.json"
    if os.environ.get("REWRITE_TRANSCRIPTS"):
        file.write_text(shoe.text(), encoding="utf-8")
    assert file.read_text(encoding="utf-8") == shoe.text()
    assert verify(file.read_bytes()).endswith(f"\nSigned by {signer.public_key.hex()}.")


def test_the_verdicts() -> None:
    found = {name: verdicts(name) for name in SHOES}
    text = json.dumps(found, indent=None, ensure_ascii=False).replace('{"at"', '\n{"at"') + "\n"
    file = GOLDEN / "verdicts.json"
    if os.environ.get("REWRITE_TRANSCRIPTS"):
        file.write_text(text, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == text
    sentences = {case["says"] for each in found.values() for case in each["fields"]}
    assert len(sentences) > 50
    assert None in sentences
