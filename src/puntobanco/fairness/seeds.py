"""Keys and nonces that follow from a seed, so that a shoe can be dealt again. Never for a table with other patrons."""

import secrets

from puntobanco.fairness.shoe import KEYS, hashed

SEED_BITS = 64


def new_seed() -> int:
    """A seed from the operating system."""
    return secrets.randbits(SEED_BITS)


def seeded_keys(seed: int, shoe_number: int) -> tuple[bytes, ...]:
    """Key r is H("pb1/seed/key", the seed in decimal digits, the number of the shoe, r); H is `hashed`."""
    return tuple(hashed("pb1/seed/key", str(seed), shoe_number, place) for place in range(KEYS))


def seeded_nonce(seed: int, shoe_number: int, round_in_shoe: int) -> bytes:
    """The patron's nonce of a round: H("pb1/seed/nonce", the seed in decimal digits, the shoe, the round)."""
    return hashed("pb1/seed/nonce", str(seed), shoe_number, round_in_shoe)
