"""How the draw of committed shoes stands up: the battery on it and on its mutants, shoes verified, bits changed; and
what the nonces of many patrons cost.

Run: PYTHONPATH=tests .venv/bin/python -P bench/fairness.py [--shoes 4000] [--verified 1000] [--bits 10000]
     [--patrons 1000 5000 10000]
"""

import argparse
import random
import time

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from fairness.battery import CAUGHT, STATISTICAL_MUTANTS, battery, committed_shoes, shoes_of, worst
from fairness.dealt_shoes import dealt_shoe
from fairness.taking_part import BETTING, DEALING, LOG, after, commit, reveal
from puntobanco.fairness import HmacDrbg, Signer
from puntobanco.fairness.log import SealRound
from puntobanco.games import find_game
from puntobanco.verify import DoesNotFollow, verify

PACKS = {"52 cards": "manila", "65 cards": "six-star"}


def statistics(shoes: int) -> None:
    print(f"{shoes:,} shoes of 416 cards each; caught beyond {CAUGHT}")
    start = time.perf_counter()
    scores = battery(committed_shoes(shoes))
    for name, score in scores.items():
        print(f"  {name:44} z {score:+6.2f}")
    print(f"  the draw of the code: {'caught' if abs(worst(scores)[1]) > CAUGHT else 'passes'}")
    for mutant, order in STATISTICAL_MUTANTS.items():
        statistic, score = worst(battery(shoes_of(order, shoes)))
        verdict = "caught" if abs(score) > CAUGHT else "NOT CAUGHT"
        print(f"  {mutant:44} z {score:+8.1f} {verdict} by {statistic}")
    print(f"  {time.perf_counter() - start:,.0f} s")


def verified(shoes: int, signer: Signer) -> None:
    for pack, game in PACKS.items():
        start, rounds, checking = time.perf_counter(), 0, 0.0
        for seed in range(shoes):
            transcript = dealt_shoe(find_game(game), seed, signer=signer)
            text = transcript.text().encode()
            begun = time.perf_counter()
            verify(text)
            checking += time.perf_counter() - begun
            rounds += len(transcript.rounds) - 1
        print(
            f"{shoes:,} shoes of {pack} verified, {rounds:,} rounds: {1000 * checking / shoes:.1f} ms a shoe, "
            f"{time.perf_counter() - start:,.0f} s in all"
        )


def bits_changed(bits: int, signer: Signer) -> None:
    accepted, start = 0, time.perf_counter()
    text = dealt_shoe(find_game("six-star"), 11, signer=signer).text().encode()
    verify(text)
    for bit in random.Random(1).sample(range(8 * len(text)), bits):
        changed = bytearray(text)
        changed[bit // 8] ^= 1 << bit % 8
        try:
            verify(bytes(changed))
            accepted += 1
        except DoesNotFollow:
            pass
    print(f"{bits:,} transcripts with one bit changed: {accepted} accepted, {time.perf_counter() - start:,.0f} s")


def generator_rate() -> None:
    generator, start, size = HmacDrbg(b"k" * 32, b"n" * 32), time.perf_counter(), 0
    while time.perf_counter() - start < 1:
        size += len(generator.generate(256))
    print(f"generator: {size / (time.perf_counter() - start) / 1e6:.1f} MB a second")


def nonces(patrons: int) -> None:
    names = [f"patron {n}" for n in range(patrons)]
    commits, reveals = [*map(commit, names)], [*map(reveal, names)]
    start = time.perf_counter()
    log = after(BETTING, LOG, *commits)
    committed = time.perf_counter()
    log = after(DEALING, log, *reveals)
    revealed = time.perf_counter()
    after(DEALING, log, SealRound())
    sealed = time.perf_counter()
    print(
        f"{patrons:,} patrons: {committed - start:.2f} s for all commitments, {revealed - committed:.2f} s for all "
        f"reveals, {1000 * (sealed - revealed):.0f} ms for the seal"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shoes", type=int, default=4_000)
    parser.add_argument("--verified", type=int, default=1_000)
    parser.add_argument("--bits", type=int, default=10_000)
    parser.add_argument("--patrons", type=int, nargs="*", default=[1_000, 5_000, 10_000])
    asked = parser.parse_args()
    key = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    signer = Signer(key.sign, key.public_key().public_bytes_raw())
    generator_rate()
    for patrons in asked.patrons:
        nonces(patrons)
    statistics(asked.shoes)
    verified(asked.verified, signer)
    bits_changed(asked.bits, signer)


if __name__ == "__main__":
    main()
