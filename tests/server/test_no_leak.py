"""Nothing that anybody can see before a card is dealt depends on the keys of its shoe, and no key is seen early.

Two houses do the same with other keys: all that they send, answer and log before the first card of a round is the same
to the byte, but for what the scheme publishes. And the keys themselves, in whatever spelling, are in none of it.
"""

import asyncio
import base64
import io
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

import httpx
import structlog

from puntobanco import find_game
from puntobanco.dealing import BurnAndCut, BurnRule
from puntobanco.server.floor import FloorTable, usual_settings
from puntobanco.server.logs import set_up
from puntobanco.server.persons import Role
from puntobanco.server.run import listening_socket
from puntobanco.store.dealer import sealed_for
from puntobanco.store.keys import SEALING_KEY, SIGNING_KEY, open_keys
from puntobanco.verify import draw, words
from reference.settlement import PACK_52
from server.doors import Doors, Line, serving
from server.services import BETTING, CARD, REVEAL, Service, seeded_secrets, service

DECKS, KEYS = 4, 256
TABLE = FloorTable(
    "mirror", "Mirror", usual_settings(find_game("manila"), decks=DECKS, burn_and_cut=BurnAndCut(BurnRule("off"), 14))
)
"""Without a burn, so that nothing at all has been drawn before the first card."""
STAFF_ROLES = (Role.DEALER, Role.SUPERVISOR, Role.AUDITOR, Role.DIRECTOR)
PARAMETERS = {
    "{language}": "zh-Hant",
    "{table}": "mirror",
    "{game}": "manila",
    "{shoe}": "1",
    "{number}": "1",
    "{patron}": "nobody",
    "{digest}": find_game("manila").digest,
    "{dispute_id}": "1",
    "{job_id}": "1",
    "{name}.{written_as}": "rounds.json",
}

# What differs though nothing has leaked, and nothing else.
REAL_TIME = re.compile(
    rb'date: [^\r\n]+\r\n|"timestamp": "[^"]+"|"seconds": [0-9.e-]+'
    # Seconds that the machine took, in the figures, and what the process is made of.
    rb"|(?m:^(?:# (?:HELP|TYPE) )?(?:process|python)_.*$)|(?m:^puntobanco_\w*(?:seconds|_created)\w*(?:\{[^}]*\})? .*$)"
)


@dataclass
class Run:
    """All that was seen of one house: before the first card, and after the round."""

    folder: Path
    early: list[tuple[str, bytes]] = field(default_factory=list)
    late: list[tuple[str, bytes]] = field(default_factory=list)
    keys: list[bytes] = field(default_factory=list)
    secrets: list[bytes] = field(default_factory=list)
    published: dict[str, str] = field(default_factory=dict)
    """What the scheme shows before the first card, by what it is shown as instead."""
    coming: list[str] = field(default_factory=list)
    """The cards that the round was dealt, which were certain before the first."""


@contextmanager
def other_keys(folder: Path, seed: int) -> Iterator[None]:
    """The keys of the record and of its shoes follow from the seed; whatever else is random does not."""
    source = Random(seed)
    folder.mkdir()
    for name in (SIGNING_KEY, SEALING_KEY):
        path = folder / name
        path.touch(mode=0o600)
        path.write_text(source.randbytes(32).hex())
    keys = [tuple(source.randbytes(32) for _ in range(KEYS)) for _ in range(3)]
    with seeded_secrets(1), mock.patch("puntobanco.store.dealer.new_keys", side_effect=keys):
        yield


async def pages(doors: Doors, clients: dict[str, httpx.AsyncClient], moment: str) -> list[tuple[str, bytes]]:
    """Every address that can be read, asked by everybody."""
    anybody = doors.client()
    described = (await anybody.get("/api/openapi.json")).json()
    found = []
    for path in [path for path, operations in described["paths"].items() if "get" in operations]:
        address = path
        for name, value in PARAMETERS.items():
            address = address.replace(name, value)
        assert "{" not in address, f"nobody has said how {path} is asked for"
        for who, client in {"anybody": anybody, **clients}.items():
            answer = await client.get(address)
            assert answer.status_code < 500, (address, answer.text)
            # How long the figures are depends on the seconds in them.
            headers = [each for each in answer.headers.raw if path != "/metrics" or each[0] != b"content-length"]
            head = b"\r\n".join(name + b": " + value for name, value in headers) + b"\r\n"
            found.append(
                (f"{moment}: {who} asks for {address}", b"%d\r\n%s" % (answer.status_code, head + answer.content))
            )
    return found


async def spied(run: Run) -> None:
    """A round with wagers and nonces, one of them withheld; everything is kept that anybody can see."""
    log = io.StringIO()
    async with service(run.folder, log_level="debug", log_format="json", betting_seconds=BETTING / 1000) as at:
        set_up(at.configuration, log)
        await at.add_table(TABLE)
        with listening_socket("127.0.0.1", 0) as listening:
            async with serving(at.house, listening) as doors:
                await spy(run, at, doors, log)


async def spy(run: Run, at: Service, doors: Doors, log: io.StringIO) -> None:
    clients = {}
    for name in ("anna", "bob"):
        _, clients[name] = await doors.guest()
    for role in STAFF_ROLES:
        person, password = await at.house.people.add_staff(f"Staff {role}", role)
        _, token = await at.house.people.change_password(person, password, "a long one that was chosen")
        clients[role.value] = doors.client(token)
    some = {who: clients[who] for who in ("anna", "supervisor")}
    run.early += await pages(doors, some, "before the shoe")
    lines: dict[str, Line] = {"anybody": await doors.line("mirror")}
    for who, client in clients.items():
        await at.settle()
        lines[who] = await doors.line("mirror", client)
    await at.settle()
    for who, wager in (("anna", "tie"), ("bob", "player")):
        stake: dict[str, Any] = {"id": "stake-000001", "do": "stake", "wager": wager, "amount": 2000}
        assert (await lines[who].say(stake))["type"] == "accepted"
        commit = {"id": "commit-000001", "do": "commit", "commitment": "ab" * 32}
        assert (await lines[who].say(commit))["type"] == "accepted"
    run.early += await pages(doors, some, "betting")
    await at.advance(BETTING)
    run.early += await pages(doors, some, "closed")
    await at.advance(REVEAL)
    run.early += await pages(doors, clients, "sealed")
    assert at.house.tables["mirror"].shoe.is_sealed
    late = doors.client()
    for line in lines.values():
        await line.hear("round-sealed")
    for who, line in lines.items():
        run.early += [(f"{who} is told", each) for each in line.frames]
    run.early += [("the log says", each.encode()) for each in log.getvalue().splitlines()]
    told = {who: len(line.frames) for who, line in lines.items()}
    assert not any(b"card-dealt" in seen for _, seen in run.early)
    await what_is_secret(run, at)
    # The round goes on: what was certain comes, and its key after it.
    await at.advance(8 * CARD)
    assert (await late.get("/api/tables/mirror")).json()["phase"] == "ready"
    run.late += await pages(doors, some, "settled")
    for who, line in lines.items():
        run.late += [(f"{who} is told", each) for each in line.frames[told[who] :]]
    run.late += [("the log says", log.getvalue().encode())]
    dealt = [json.loads(seen) for about, seen in run.late if about == "anybody is told"]
    cards = [each["card"] for each in dealt if each["event"] == "card-dealt"]
    assert cards == run.coming[: len(cards)], "the cards were certain before the first"


async def what_is_secret(run: Run, at: Service) -> None:
    """The keys, read with the key that seals them, and the cards that they will draw."""
    signing = open_keys(run.folder, new=False)
    sealed = await at.house.record.database.shoe_keys("table/mirror", 1)
    assert sealed is not None
    joined = signing.unseal(sealed, sealed_for("table/mirror", 1))
    run.keys = [joined[place : place + 32] for place in range(0, len(joined), 32)]
    assert len(run.keys) == KEYS
    files = [bytes.fromhex((run.folder / name).read_text()) for name in (SIGNING_KEY, SEALING_KEY)]
    run.secrets = [*files, sealed[12:44]]
    opened, rounds = at.house.tables["mirror"].shoe.opened, at.house.tables["mirror"].shoe.rounds
    assert opened is not None
    states = [each.state for each in rounds if each.state is not None]
    assert len(states) == 2
    transcript = at.house.tables["mirror"].shoe.transcript().signed(at.house.record.keys.sign).as_json()
    run.published = {
        opened.anchor.hex(): "<anchor>",
        (opened.signature or b"").hex(): "<signature>",
        (opened.public_key or b"").hex(): "<public key>",
        **{each.hex(): f"<commitment {place}>" for place, each in enumerate(opened.commitments)},
        **{each.hex(): f"<state {place}>" for place, each in enumerate(states)},
        # That of the burn, which there was none of: published before betting opened.
        run.keys[0].hex(): "<key 0>",
        transcript["seal"]: "<seal of the transcript>",
        transcript["seal_signature"]: "<signature of the seal>",
    }
    # Drawn as the published verifier draws: a whole round and a few more.
    output = words(run.keys[1] + states[1] + b"pb1/draw" + b"mirror/1" + (1).to_bytes(4, "big"))
    remaining = PACK_52 * DECKS
    run.coming = [draw(remaining, output) for _ in range(6)]


def blanked(run: Run, seen: bytes) -> bytes:
    for value, name in run.published.items():
        seen = seen.replace(value.encode(), name.encode())
    return REAL_TIME.sub(b"", seen)


def spellings(secret: bytes) -> Iterator[bytes]:
    """A secret as it might be written; of base64 what does not depend on where it stands in something longer."""
    yield secret
    yield secret.hex().encode()
    yield secret.hex().upper().encode()
    yield json.dumps(list(secret)).encode()
    yield json.dumps(list(secret), separators=(",", ":")).encode()
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        for shift in range(3):
            yield encode(bytes(shift) + secret)[(4 if shift else 0) : 40]


def spied_runs(folder: Path) -> list[Run]:
    runs = []
    for seed in (1, 2):
        run = Run(folder / str(seed))
        with other_keys(run.folder, seed):
            asyncio.run(spied(run))
        structlog.reset_defaults()
        runs.append(run)
    return runs


def test_before_the_first_card_nothing_depends_on_the_keys_and_no_key_is_seen_early(tmp_path: Path) -> None:
    first, second = spied_runs(tmp_path)
    assert first.keys != second.keys
    assert first.coming != second.coming
    assert [about for about, _ in first.early] == [about for about, _ in second.early]
    for (about, one), (_, other) in zip(first.early, second.early, strict=True):
        assert blanked(first, one) == blanked(second, other), about
    for run in (first, second):
        # The same answer to several people is looked through once.
        early, late = (b"\n".join(sorted({seen for _, seen in part})) for part in (run.early, run.late))
        # The test can see: a key is found once it is published, and not before.
        assert run.keys[0].hex().encode() in early
        assert run.keys[1].hex().encode() in late
        for place, key in enumerate(run.keys[1:], 1):
            for spelling in spellings(key):
                assert spelling not in early, f"key {place} was seen before the first card"
                assert place == 1 or spelling not in late, f"key {place} was seen before its round"
        for secret in run.secrets:
            for spelling in spellings(secret):
                assert spelling not in early + late, "a secret of the house was seen"
        for between in (b'","', b'", "', b" ", b",", b""):
            for some in (run.coming[:4], run.coming[1:5]):
                assert between.join(card.encode() for card in some) not in early, "the cards were seen before"
