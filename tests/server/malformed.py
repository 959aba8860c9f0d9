"""Messages that no client of ours sends, from a seeded grammar: none of them may be carried out.

Three kinds. A command that is well formed but for one thing; bytes that are no command at all; and frames that are no
WebSocket. Each has the name of what is wrong with it, so that a failure says so.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

AMOUNTS = (
    # Too little, too much, or no whole number.
    *(
        "-1",
        "-100",
        "-1000000000000",
        "1.5",
        "100.5",
        "-1.5",
        "0.1",
        "1e-1",
        "1.0",
        "100.0",
        "-0.0",
        "1e2",
        "1E2",
        "1e3",
    ),
    *("1e+3", "1e12", "1e999", "-1e999", "1e400", "1000000000001", "9007199254740993", "9223372036854775807"),
    *("9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551615"),
    *("18446744073709551616", "340282366920938463463374607431768211456", "1" + "0" * 400, "-1" + "0" * 400),
    *("7" * 3900, "7" * 5000, "0." + "0" * 400 + "1"),
    # No numbers in JSON.
    *(
        "NaN",
        "nan",
        "Infinity",
        "-Infinity",
        "+100",
        "0100",
        "00",
        "0x64",
        "1_000",
        "1,000",
        ".5",
        "5.",
        "1e",
        "100abc",
    ),
    *("undefined", "", "--1", "1 000", "0b1", "\uff11\uff10\uff10"),
    # Something else.
    *("true", "false", "null", '"100"', '"1_000"', '""', '"abc"', '" 100"', '"0x64"', '"1e3"', '"NaN"', '"\\u0000"'),
    *('"\\ud800"', "[]", "[100]", "{}", '{"amount":100}', '"\uff11\uff10\uff10"', '"-100"'),
)
"""What stands where an amount should, each as it is written."""

MARK = "never-repeated"
"""What stands in some of them, and may stand in no answer."""

TEXTS = (
    *(
        '""',
        "null",
        "1",
        "true",
        "[]",
        "{}",
        '"\\ud800"',
        '"\\udc00\\ud800"',
        '"\\u0000"',
        '"' + "x" * 65 + '"',
        '"tie',
    ),
    *('"\\x41"', '"\\u12"', '"' + "\u202e" * 70 + '"', '"<script>alert(1)</script>' + "x" * 40 + '"', '"x'),
    *(
        f'"{MARK}\\u0000{MARK}"',
        f'"{MARK}\\u202e{MARK}"',
        f'"{MARK} {MARK} {MARK}\\ud800"',
        "'tie'",
        "tie",
        '"\t"',
        '"\n"',
        "NaN",
        "-",
        '"' + "\\u0041" * 70 + '"',
    ),
)
"""Where a name or an id should be: too long, too short, of another kind, or no JSON."""

NOT_JSON = (
    *(
        b"",
        b" ",
        b"\x00",
        b"{",
        b"}",
        b"[",
        b"]",
        b'"',
        b"null",
        b"true",
        b"1",
        b"[]",
        b"{}",
        b"[[]]",
        b"{}{}",
        b"\xff",
    ),
    *(b"\xef\xbb\xbf{}", b"\xed\xa0\x80", b"\xc0\x80", b"\xf8\x88\x80\x80\x80", b"\xfe\xff\x00{", b"{'id': 1}"),
    *(b"/* */{}", b"//", b"{,}", b'{"id"}', b'{"id":}', b'{:"id"}', b'{"id":1,}', b"nul", b"GET / HTTP/1.1\r\n\r\n"),
    *(b"[" * 4000, b'{"id":' * 600, b"\x80" * 100, b"1" * 4000, b"-", b"1e999", b"NaN", b"<xml/>", b"id=1&do=stake"),
)

FIELDS = (
    "role",
    "balance",
    "is_admin",
    "patron",
    "person",
    "actor",
    "version",
    "time",
    "type",
    "__proto__",
    "Do",
    "ID",
)
STAFF = (
    *(
        "open-shoe",
        "burn",
        "open-betting",
        "close-betting",
        "deal",
        "undo-card",
        "announce",
        "settle",
        "void",
        "correct",
    ),
    *("approve", "decline", "pause", "resume", "end-shoe"),
)
VERBS = (
    "",
    "stak",
    "STAKE",
    "stake ",
    "bet",
    "deposit",
    "sql'; --",
    "stake\u0000",
    "constructor",
    "x" * 200,
    "../..",
    "*",
)


@dataclass(frozen=True)
class Malformed:
    """A message, what is wrong with it, and whether it is a whole frame already or text to be sent in one."""

    wrong: str
    content: bytes
    is_frame: bool = False


class Grammar:
    """Malformed messages for a table with these wagers, without end; the same seed gives the same ones."""

    def __init__(self, seed: int, wagers: list[str]) -> None:
        self.random, self.wagers, self.count = Random(seed), wagers, 0
        self._made: tuple[tuple[int, Callable[[], Malformed]], ...] = (
            (24, self._amount),
            (12, self._text),
            (10, self._field),
            (8, self._twice),
            (6, self._verb),
            (6, self._staff),
            (6, self._hexadecimal),
            (10, self._not_json),
            (10, self._damaged),
            (4, self._too_large),
            (4, self._frame),
        )

    def __iter__(self) -> Iterator[Malformed]:
        weights, made = zip(*self._made, strict=True)
        while True:
            [make] = self.random.choices(made, weights)
            yield make()

    def every_amount(self) -> Iterator[Malformed]:
        """Each literal in each field that holds an amount, once."""
        for literal in AMOUNTS:
            for place in AMOUNT_FIELDS:
                yield self._with_amount(place, literal)

    def _id(self) -> str:
        self.count += 1
        return f"malformed-{self.count:09}"

    def _wager(self) -> str:
        return self.random.choice(self.wagers)

    def _parts(self) -> dict[str, str]:
        """A command that would be well formed, by name and value, both as written."""
        id, wager = json.dumps(self._id()), json.dumps(self._wager())
        if self.random.random() < 0.5:
            return {"id": id, "do": '"stake"', "wager": wager, "amount": "100"}
        return {"id": id, "do": '"stakes"', "stakes": f"{{{wager}:100}}"}

    def _amount(self) -> Malformed:
        return self._with_amount(self.random.choice(AMOUNT_FIELDS), self.random.choice(AMOUNTS))

    def _with_amount(self, place: str, literal: str) -> Malformed:
        id, wager = json.dumps(self._id()), json.dumps(self._wager())
        stake = {"id": id, "do": '"stake"', "wager": wager, "amount": "100"}
        stakes = {"id": id, "do": '"stakes"', "stakes": f"{{{wager}:{literal}}}"}
        parts = {"amount": stake | {"amount": literal}, "round": stake | {"round": literal}, "stakes": stakes}[place]
        if place == "round" and literal == "null":
            # A round that is not named is the one that takes wagers.
            parts["amount"] = "null"
        return Malformed(f"{place} of {literal[:30]}", written(parts))

    def _text(self) -> Malformed:
        literal = self.random.choice(TEXTS)
        place = self.random.choice(("id", "do", "wager"))
        parts = {"id": json.dumps(self._id()), "do": '"stake"', "wager": json.dumps(self._wager()), "amount": "100"}
        return Malformed(f"{place} of {literal[:30]}", written(parts | {place: literal}))

    def _field(self) -> Malformed:
        parts, name = self._parts(), self.random.choice(FIELDS)
        if self.random.random() < 0.4:
            gone = self.random.choice([*parts])
            del parts[gone]
            return Malformed(f"no {gone}", written(parts))
        return Malformed(f"unknown {name}", written({**parts, name: self.random.choice(AMOUNTS[:5])}))

    def _twice(self) -> Malformed:
        parts = self._parts()
        name = self.random.choice([*parts])
        text = written(parts).decode()
        if name == "stakes" and self.random.random() < 0.5:
            wager = parts["stakes"][1:-1].split(":")[0]
            return Malformed("a wager twice", text.replace(":100}", f":100,{wager}:200}}").encode())
        return Malformed(f"{name} twice", (text[:-1] + f',"{name}":{parts[name]}}}').encode())

    def _verb(self) -> Malformed:
        verb = self.random.choice(VERBS)
        return Malformed(f"do {verb[:30]!r}", written(self._parts() | {"do": json.dumps(verb)}))

    def _staff(self) -> Malformed:
        """Well formed for somebody else, or not at all."""
        verb = self.random.choice(STAFF)
        parts = {"id": json.dumps(self._id()), "do": json.dumps(verb)}
        if verb == "deal":
            parts["card"] = self.random.choice(('"9s"', '"9f"', '"\\u0000h"', '"ZZ"', "9", '"' + "9" * 9 + '"', "null"))
        elif verb in ("approve", "decline"):
            parts["request"] = self.random.choice(('"1"', "1", '""', '"' + "x" * 65 + '"'))
        elif verb in ("pause", "void", "correct"):
            parts["reason"] = self.random.choice(('"x"', "null", '"' + "x" * 3000 + '"'))
        return Malformed(f"{verb} of a guest", written(parts))

    def _hexadecimal(self) -> Malformed:
        do, name = self.random.choice((("commit", "commitment"), ("reveal", "nonce")))
        value = self.random.choice(
            ("", "0" * 63, "0" * 65, "g" * 64, "0x" + "0" * 62, "A" * 64, "\uff10" * 64, " " * 64)
        )
        literal = self.random.choice((json.dumps(value), "null", "0", "1e999", "[]"))
        return Malformed(
            f"{name} of {literal[:30]}", written({"id": json.dumps(self._id()), "do": f'"{do}"', name: literal})
        )

    def _not_json(self) -> Malformed:
        content = self.random.choice(NOT_JSON)
        return Malformed(f"{content[:30]!r}", content)

    def _damaged(self) -> Malformed:
        """A good command that was cut short, or that has a byte of rubbish where its structure is."""
        text = bytearray(written(self._parts()))
        if self.random.random() < 0.5:
            return Malformed("cut short", bytes(text[: self.random.randrange(1, len(text))]))
        places = [place for place, byte in enumerate(text) if byte in b'{}:,"']
        text[self.random.choice(places)] = self.random.choice(b"\x00\x01\x7f\xff'();=\\")
        return Malformed("rubbish in it", bytes(text))

    def _too_large(self) -> Malformed:
        text = written(self._parts())
        size = self.random.choice((4097, 5000, 20_000, 70_000))
        return Malformed(f"{size} bytes", text[:-1] + b" " * (size - len(text)) + b"}")

    def _frame(self) -> Malformed:
        wrong, frame = self.random.choice(FRAMES)
        return Malformed(wrong, frame, is_frame=True)


AMOUNT_FIELDS = ("amount", "stakes", "round")


def written(parts: dict[str, str]) -> bytes:
    body = ",".join(f'"{name}":{literal}' for name, literal in parts.items())
    return f"{{{body}}}".encode("utf-8", "surrogatepass")


def framed(payload: bytes, kind: int = 1, *, first: int | None = None, masked: bool = True) -> bytes:
    """A frame as a client sends it; the mask is of zeros, which changes nothing."""
    mask = 0x80 if masked else 0
    size = len(payload)
    if size < 126:
        head = bytes([mask | size])
    elif size < 1 << 16:
        head = bytes([mask | 126]) + size.to_bytes(2)
    else:
        head = bytes([mask | 127]) + size.to_bytes(8)
    return bytes([0x80 | kind if first is None else first]) + head + (bytes(4) if masked else b"") + payload


GOOD = b'{"id":"malformed-frame","do":"stake","wager":"tie","amount":100}'
FRAMES = (
    ("a binary frame", framed(GOOD, 2)),
    ("a frame without a mask", framed(GOOD, masked=False)),
    ("a reserved bit", framed(GOOD, first=0xC1)),
    ("a reserved kind", framed(GOOD, 3)),
    ("a reserved kind of control", framed(b"", 11)),
    ("the rest of nothing", framed(GOOD, 0)),
    ("a control frame in parts", framed(b"x", first=0x09)),
    ("a long control frame", framed(b"x" * 126, 9)),
    ("a close of one byte", framed(b"\x03", 8)),
    ("a close with a code of nobody", framed(b"\x03\xee", 8)),
    ("a close with bad text", framed(b"\x03\xe8\xff\xff", 8)),
    ("a size of 2^63", bytes([0x81, 0xFF]) + (1 << 63).to_bytes(8) + bytes(4)),
    ("a size of 2^40", bytes([0x81, 0xFF]) + (1 << 40).to_bytes(8) + bytes(4)),
    ("no frame at all", b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"),
    ("a first part, then another", framed(GOOD[:20], first=0x01) + framed(GOOD[20:], first=0x01)),
    ("bad text", framed(b'{"id":"\xff\xfe\xfd"}')),
)
