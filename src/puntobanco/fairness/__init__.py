"""Committed shoes: nobody can know the next card in advance, and anybody can deal every round again.

The scheme is `pb1`; docs/fairness.md tells what it proves and what it does not. `puntobanco.verify` checks what is
written here, and shares no code with it.
"""

from puntobanco.fairness.drbg import HmacDrbg
from puntobanco.fairness.seeds import seeded_keys, seeded_nonce
from puntobanco.fairness.shoe import (
    KEYS,
    NO_STATE,
    ROUNDS_AT_MOST,
    Drawing,
    Nonce,
    OpenedShoe,
    ShoeTerms,
    Signer,
    commitments,
    final_state,
    hashed,
    new_keys,
    nonce_commitment,
    open_shoe,
    round_state,
)
from puntobanco.fairness.transcript import FinishedRound, Transcript, read_transcript

__all__ = [
    "KEYS",
    "NO_STATE",
    "ROUNDS_AT_MOST",
    "Drawing",
    "FinishedRound",
    "HmacDrbg",
    "Nonce",
    "OpenedShoe",
    "ShoeTerms",
    "Signer",
    "Transcript",
    "commitments",
    "final_state",
    "hashed",
    "new_keys",
    "nonce_commitment",
    "open_shoe",
    "read_transcript",
    "round_state",
    "seeded_keys",
    "seeded_nonce",
]
