"""Deals committed shoes again from their transcripts: `python verify.py FILE ..`, or `-` for standard input.

This file needs nothing but Python 3.11 and may be copied anywhere; it shares no code with the program that dealt them.
Several are shoes of one table in their order. It ends with 0, or with 1 and a sentence that says what does not follow.
"""

import json
import re
import sys
from collections.abc import Iterator
from hashlib import sha256, sha512
from hmac import digest
from pathlib import Path
from typing import Any

PACKS = [[r + s for s in suits for r in f"A23456789T{high}"] for high, suits in (("JQK", "cdhs"), ("SLF", "fgedw"))]
POINTS = {rank: points if points < 10 else 0 for points, rank in enumerate("A23456789TJQKSLF", 1)}
PLAYER_DRAWS_TO = {"standard": 5, "manila-as-printed": 4}
BANKER_DRAWS_AGAINST = [range(10)] * 3 + [{0, 1, 2, 3, 4, 5, 6, 7, 9}, range(2, 8), range(4, 8), range(6, 8), ()]
TEXT, HASH, CARDS = r'"(?:[^"\\]|\\.)+"', '"[0-9a-f]{64}"', r'\[(?:"\w\w",?)*\]'  # Fields as JSON without spaces.
NONCES = rf'\[(?:{{"commitment":{HASH},"nonce":(?:{HASH}|null),"patron":{TEXT}}},?)*\]'
BURN = {"round": "0", "number": "null", "nonces": r"\[\]", "state": HASH, "key": HASH, "drawn": CARDS}
ROUND = BURN | {"round": r"\d+", "number": r"\d+", "nonces": NONCES, "deal": TEXT, "void": f"{TEXT}|null"}
SHOE = {"scheme": '"pb1"', "table": TEXT, "game": TEXT, "reading": rf"{{(?:{TEXT}:{TEXT},?)*}}", "cards": CARDS}
SHOE |= {"shoe": TEXT, "decks": r"[1-9]\d?", "cut_depth": r"\d{1,4}", "burn": '"by-first-card"|"off"', "previous": HASH}
SHOE |= {"rules_digest": HASH, "commitments": rf"\[(?:{HASH},?){{256}}\]", "anchor": HASH, "public_key": f"{HASH}|null"}
SHOE |= {"signature": '"[0-9a-f]{128}"|null', "rounds": r"\[.*\]", "final": f"(?:{HASH})?", "seal": f"(?:{HASH})?"}
SHOE |= {"unused_keys": rf'(?:{{(?:"\d{{1,3}}":{HASH},?)*}})?', "seal_signature": '(?:"[0-9a-f]{128}")?'}
written = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode
raw, PRIME, ORDER = bytes.fromhex, 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
CURVE = -121665 * pow(121666, -1, PRIME) % PRIME
Point = tuple[int, int, int, int]


class DoesNotFollow(ValueError):
    """The transcript is not that of a shoe dealt as it was committed to."""


def require(holds: object, sentence: str) -> None:
    if not holds:
        raise DoesNotFollow(sentence)


def read(data: bytes) -> Any:
    """The transcript, if its values are written in the usual way, which leaves free only the spaces between them."""
    try:
        found = json.loads(text := data.decode())
        ways = [json.dumps(found), json.dumps(found, ensure_ascii=False).encode().decode()]
    except (ValueError, RecursionError) as error:
        raise DoesNotFollow(f"The transcript is not JSON: {str(error)[:80]}.") from None
    usual = "".join(text.split()) in ("".join(way.split()) for way in ways)
    require(usual, "The transcript has a field twice, or a value that is not written in the usual way.")
    check(found, SHOE, "The transcript:")
    return found


def check(value: Any, shape: dict[str, str], where: str) -> None:
    require(type(value) is dict, f"{where} this is not an object.")
    for name in {**shape, **value}:
        text = written(value[name]) if name in value else ""
        right = re.fullmatch(shape.get(name, "unknown"), text)
        require(right, f"{where} {name!r:.40} is missing, unknown or not written as it should be.")


def hashed(*parts: bytes | str | int) -> str:
    """SHA-256 over the parts, each after its length in four bytes."""
    data = [p if isinstance(p, bytes) else p.encode() if isinstance(p, str) else p.to_bytes(4) for p in parts]
    return sha256(b"".join(len(each).to_bytes(4) + each for each in data)).hexdigest()


def words(seed: bytes) -> Iterator[int]:
    """The output of HMAC_DRBG-SHA256 (NIST SP 800-90A) in requests of 256 bytes, four bytes at a time."""
    key, value = bytes(32), b"\x01" * 32
    for provided in (b"\x00" + seed, b"\x01" + seed):
        key = digest(key, value + provided, "sha256")
        value = digest(key, value, "sha256")
    while True:
        output = b"".join([value := digest(key, value, "sha256") for _ in range(8)])
        yield from (int.from_bytes(output[place : place + 4]) for place in range(0, 256, 4))
        key = digest(key, value + b"\x00", "sha256")
        value = digest(key, value, "sha256")


def draw(remaining: list[str], output: Iterator[int]) -> str:
    """Take a card out of the shoe; the last card comes in its place."""
    place = next(word for word in output if word < 2**32 - 2**32 % len(remaining)) % len(remaining)
    remaining[place], remaining[-1] = remaining[-1], remaining[place]
    return remaining.pop()


def by_table_of_play(drawn: list[str], player_draws_to: int) -> tuple[str, int]:
    """The deal that the cards make, and how many cards it takes: more than these while a hand is due another."""
    points = [POINTS[card[0]] for card in drawn]
    player, banker = sum(points[:4:2]) % 10, sum(points[1:4:2]) % 10
    thirds = "" if max(player, banker) > 7 else "P" if player <= player_draws_to else "B" if banker <= 5 else ""
    thirds += "B" * (thirds == "P" and len(drawn) > 4 and points[4] in BANKER_DRAWS_AGAINST[banker])
    hands = {"P": drawn[:4:2], "B": drawn[1:4:2]}
    for hand, card in zip(thirds, drawn[4:], strict=False):
        hands[hand].append(card)
    return " ".join(["P", *hands["P"], "|", "B", *hands["B"]]), 4 + len(thirds)


def point(data: bytes) -> Point:
    """A point of Ed25519 (RFC 8032, 5.1.3), from its one canonical encoding."""
    sign, y = divmod(int.from_bytes(data, "little"), 2**255)
    square = (y * y - 1) * pow(CURVE * y * y + 1, -1, PRIME) % PRIME
    x = pow(square, (PRIME + 3) // 8, PRIME)
    x = x if x * x % PRIME == square else x * pow(2, (PRIME - 1) // 4, PRIME) % PRIME
    x = x if x % 2 == sign else PRIME - x
    require(x * x % PRIME == square and max(x, y) < PRIME, "The signature or public key is not one of Ed25519.")
    return x, y, 1, x * y % PRIME


def add(p: Point, q: Point) -> Point:
    a, b = (p[1] - p[0]) * (q[1] - q[0]), (p[1] + p[0]) * (q[1] + q[0])
    c, d = 2 * p[3] * q[3] * CURVE, 2 * p[2] * q[2]
    return (b - a) * (d - c) % PRIME, (d + c) * (b + a) % PRIME, (d - c) * (d + c) % PRIME, (b - a) * (b + a) % PRIME


def times(count: int, p: Point) -> Point:
    half = times(count // 2, add(p, p)) if count else (0, 1, 1, 0)
    return add(half, p) if count % 2 else half


def is_signed(message: bytes, signature: bytes, public_key: bytes) -> bool:
    """Whether Ed25519 (RFC 8032, 5.1.7) accepts the signature, by a key that is not of small order."""
    key, s = point(public_key), int.from_bytes(signature[32:], "little")
    challenge = int.from_bytes(sha512(signature[:32] + public_key + message).digest(), "little") % ORDER
    p, q = times(s, point(b"\x58" + b"\x66" * 31)), add(point(signature[:32]), times(challenge, key))
    same = (p[0] * q[2] - q[0] * p[2]) % PRIME == 0 == (p[1] * q[2] - q[1] * p[2]) % PRIME
    return same and s < ORDER and times(8, key)[0] != 0


def verify(data: bytes, before: bytes | None = None) -> str:
    """What there is to tell; raises DoesNotFollow unless all of it follows, also from the shoe before, if given."""
    shoe, last = read(data), None if before is None else read(before)
    name, anchor, rounds, commitments = shoe["shoe"], shoe["anchor"], shoe["rounds"], shoe["commitments"]
    made, public_key, sealed, over = shoe["signature"], shoe["public_key"], shoe.get("seal_signature"), "final" in shoe
    draws_to = PLAYER_DRAWS_TO.get(shoe["reading"].get("tableau", "standard"), 0)
    require(draws_to, "The reading names an unknown table of play.")
    require(shoe["cards"] in PACKS, "The cards are not a known pack in its canonical order.")
    terms = [raw(shoe["rules_digest"]), shoe["decks"], shoe["cut_depth"], raw(shoe["previous"]), *map(raw, commitments)]
    require(hashed("pb1/anchor", name, *terms) == anchor, "The anchor does not follow from terms and commitments.")
    both = made and public_key and is_signed(raw(anchor), raw(made), raw(public_key))
    require(both or made is public_key is None, "The signature of the anchor was not made by this public key.")
    require(name.rpartition("/")[0] in ("", shoe["table"]), "The shoe is called after another table.")
    if last:
        chained = (shoe["table"], shoe["previous"]) == (last["table"], last.get("final"))
        require(chained, f"Shoe {name!r} does not follow {last['shoe']!r}: its anchor holds another final state.")
        require(public_key == last["public_key"], f"Shoe {name!r} is not signed with the key of {last['shoe']!r}.")
    remaining, state = shoe["cards"] * shoe["decks"], "00" * 32
    for r, this in enumerate(rounds):
        check(this, ROUND if r else BURN, where := f"Round {r}:")
        require(this["round"] == r < 256, f"{where} it has the place of round {this['round']}.")
        parts: list[str | bytes] = []
        for patron, commitment, nonce in [map(each.get, ("patron", "commitment", "nonce")) for each in this["nonces"]]:
            fits = nonce is None or hashed("pb1/nonce", name, r, patron, raw(nonce)) == commitment
            require(fits, f"{where} the nonce of {patron!r:.40} is not the one committed to.")
            parts += [patron, raw(f"00{commitment}" if nonce is None else f"01{nonce}")]
        state = hashed("pb1/round", name, r, raw(anchor), raw(state), *parts)
        require(this["state"] == state, f"{where} the state does not follow from the nonces and the round before.")
        known = [each["key"] for each in rounds[:r]]
        fits = this["key"] not in known and hashed("pb1/key", name, r, raw(this["key"])) == commitments[r]
        require(fits, f"{where} the key is not the one committed to, or one that was known before.")
        output = words(raw(this["key"] + state) + b"pb1/draw" + name.encode() + r.to_bytes(4))
        drawn = [draw(remaining, output) for _ in this["drawn"][: len(remaining)]]
        require(drawn == this["drawn"], f"{where} the key draws {' '.join(drawn)}.")
        burned = 1 + sum(POINTS[card[0]] or 10 for card in drawn[:1])
        deal, due = by_table_of_play(drawn, draws_to) if r else (None, 0 if shoe["burn"] == "off" else burned)
        enough = len(drawn) == due or (r and this["void"] and len(drawn) < due)
        require(enough, f"{where} {len(drawn)} cards are drawn where {due} are due.")
        require(this.get("deal") == deal, f"{where} the cards make the deal {deal}.")
        require(r < 2 or this["number"] > rounds[r - 1]["number"], f"{where} the table's number does not rise.")
    unused, keys = {str(r): commitments[r] for r in range(len(rounds), 256 * over)}, shoe.get("unused_keys", {})
    fit = {place: hashed("pb1/key", name, int(place), raw(keys[place])) for place in keys} == unused
    require(fit, "The unused keys are not those committed to for the rounds that were not played.")
    final = rounds and hashed("pb1/final", name, raw(anchor), raw(state))
    require(not over or shoe["final"] == final, "The final state does not follow from the last round.")
    seal = sha256(written({each: shoe[each] for each in shoe if each[:4] != "seal"}).encode()).hexdigest()
    require(shoe.get("seal", seal) == seal, "The seal does not fit: a field that is in no other hash was changed.")
    fits = not sealed or (both and is_signed(b"pb1/seal" + raw(seal), raw(sealed), raw(public_key)))
    require(fits, "The signature of the seal was not made by this public key.")
    nonces = [[each["nonce"] for each in this["nonces"]] for this in rounds[1:]]
    voids, withheld = sum(this["void"] is not None for this in rounds[1:]), sum(each.count(None) for each in nonces)
    told = f"rounds: {len(nonces)}; void: {voids}; server only: {nonces.count([])}; nonces withheld: {withheld}"
    told = f"Shoe {name!r} of table {shoe['table']!r} was dealt as committed; {told}; cards left: {len(remaining)}."
    signed = f"Signed by {public_key}{'.' if sealed else ', but not its table, game, reading, numbers and voids.'}"
    signed = signed if public_key else "NOT signed: no house answers for it; one hand may have made keys and nonces."
    return f"{told}\nPrevious: {shoe['previous']}; final: {shoe.get('final', 'none, it is in play')}.\n{signed}"


if __name__ == "__main__":
    try:
        data = None
        for file in sys.argv[1:] or ["-"]:
            before, data = data, sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
            print(verify(data, before))
    except (DoesNotFollow, OSError) as error:
        sys.exit(f"{file}: {error}")
