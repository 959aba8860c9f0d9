"""The generator gives what NIST has published, and so does the one of the verifier, which is written apart."""

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from puntobanco.fairness import HmacDrbg
from puntobanco.verify import words

VECTORS = Path(__file__).parents[1] / "vectors" / "HMAC_DRBG.rsp"
FIELDS = re.compile(
    r"COUNT = (\d+)\nEntropyInput = (\w+)\nNonce = (\w+)\nPersonalizationString =[ ]?(\w*)\nReturnedBits = (\w+)\n"
)


class Vector(NamedTuple):
    entropy: bytes
    nonce: bytes
    personalisation: bytes
    returned: bytes


PUBLISHED = [Vector(*map(bytes.fromhex, fields[1:])) for fields in FIELDS.findall(VECTORS.read_text())]


def test_all_published_vectors_are_read() -> None:
    assert len(PUBLISHED) == VECTORS.read_text().count("COUNT") == 30
    assert sum(bool(vector.personalisation) for vector in PUBLISHED) == 15


@pytest.mark.parametrize("vector", PUBLISHED, ids=lambda vector: vector.nonce.hex()[:8])
def test_published_vector(vector: Vector) -> None:
    generator = HmacDrbg(vector.entropy, vector.nonce, vector.personalisation)
    generator.generate(len(vector.returned))
    assert generator.generate(len(vector.returned)) == vector.returned


@pytest.mark.parametrize("vector", PUBLISHED, ids=lambda vector: vector.nonce.hex()[:8])
def test_the_verifier_has_the_same_output(vector: Vector) -> None:
    generator = HmacDrbg(vector.entropy, vector.nonce, vector.personalisation)
    output = generator.generate(256) + generator.generate(256)
    theirs = words(vector.entropy + vector.nonce + vector.personalisation)
    assert b"".join(next(theirs).to_bytes(4, "big") for _ in range(128)) == output


def test_a_request_is_not_the_sum_of_two() -> None:
    whole, halves = (HmacDrbg(b"entropy", b"nonce") for _ in range(2))
    first = whole.generate(64)
    assert halves.generate(32) == first[:32]
    assert halves.generate(32) != first[32:]
    assert HmacDrbg(b"entropy", b"nonce").generate(5) == first[:5]
