"""The record that docs/record.md works through: a desk, a round from a committed shoe, and what is put right after it.

Its keys are ones that anybody can write down, and nothing in it is left to chance, so that it can be made again.
"""

import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from unittest.mock import patch

from puntobanco import find_game
from puntobanco.fairness import nonce_commitment, seeded_keys
from puntobanco.fairness.log import CommitNonce, RevealNonce
from puntobanco.ledger import AdjustAccount, ChangeMoney, IssueMoney, PostRate, ReturnMoney
from puntobanco.store.dealer import VirtualDealer
from puntobanco.store.keys import SEALING_KEY, SIGNING_KEY, open_keys
from puntobanco.store.record import Record
from puntobanco.store.sqlite import SqliteDatabase
from puntobanco.store.streams import StreamCommand, TableStream
from puntobanco.store.transfer import exported
from puntobanco.table import (
    Dealing,
    IncreaseWager,
    Irregularity,
    OpenTable,
    Phase,
    PlaceWager,
    TableSettings,
    VoidRound,
)
from puntobanco.table.settings import Account

GOLDEN = Path(__file__).with_name("golden")
RECORD = GOLDEN / "worked-round.jsonl"
FIRST_MOMENT = 1_800_000_000_000
SEED = 13
"""Of the shoe. With it the Banker wins the first round."""
NONCE = bytes(range(32))


def write_keys(folder: Path) -> None:
    """The keys of the record: 32 times the byte 1 signs, 32 times the byte 2 seals."""
    for name, byte in ((SIGNING_KEY, 1), (SEALING_KEY, 2)):
        path = folder / name
        path.write_text(bytes([byte] * 32).hex() + "\n")
        path.chmod(0o600)


async def made(folder: Path) -> list[str]:
    """Play it, and export it."""
    write_keys(folder)
    database = SqliteDatabase(folder / "record.sqlite")
    with (
        patch("puntobanco.store.dealer.new_keys", lambda: seeded_keys(SEED, 1)),
        patch("puntobanco.store.keys.secrets.token_bytes", lambda size: bytes(size)),
    ):
        moments = itertools.count(FIRST_MOMENT, 1_000)
        async with opened(Record(database, open_keys(folder), clock=lambda: next(moments))) as record:
            await play(record)
            return [line async for line in exported(database)]


@asynccontextmanager
async def opened(record: Record) -> AsyncIterator[Record]:
    await record.start()
    try:
        await record.open("desk/main")
        await record.open("table/main")
        yield record
    finally:
        await record.close()


async def play(record: Record) -> None:
    ids = itertools.count(1)

    async def do(stream: str, *commands: StreamCommand, actor: str = "house") -> None:
        answer = await record.submit(stream, commands, actor=actor, command_id=f"worked-{next(ids):04}")
        assert answer.accepted, answer.text

    dealer = VirtualDealer(record, "main")

    async def deal_until(phase: Phase) -> None:
        while phase_of(record) is not phase or (phase is Phase.READY and dealer.is_behind):
            assert (await dealer.step()).accepted

    await do("desk/main", PostRate("HKD", "PHP", 15, 2))
    await do("desk/main", IssueMoney("anna", "PHP", 10_000, "buy-in"))
    await do("desk/main", IssueMoney("bob", "HKD", 1_001, "buy-in"))
    await do("desk/main", ChangeMoney("bob", "HKD", 1_001, "PHP"))
    settings = TableSettings(find_game("manila"), account=Account.CASH, dealing=Dealing.VIRTUAL)
    await do("table/main", OpenTable(settings))
    await deal_until(Phase.BETTING)
    committed = nonce_commitment("main/1", 1, "anna", NONCE).hex()
    await do("table/main", CommitNonce(1, "anna", committed), actor="anna")
    await do("table/main", PlaceWager(1, "anna", "banker", 2_000), actor="anna")
    await do("table/main", PlaceWager(1, "bob", "tie", 2_000), actor="bob")
    await do("table/main", IncreaseWager(1, "anna", "banker", 1_000), actor="anna")
    await dealer.step()
    await do("table/main", RevealNonce(1, "anna", NONCE.hex()), actor="anna")
    await deal_until(Phase.READY)
    # What was won leaves the house before the round is put right, so that some of it is owed.
    await do("desk/main", ReturnMoney("anna", "PHP", 12_000, "leaves"))
    await do("table/main", VoidRound(1, Irregularity.WRONG_NUMBER_OF_CARDS, "a card too many was shown"))
    await do("desk/main", IssueMoney("anna", "PHP", 5_000, "buy-in"))
    await dealer.step()
    await do("desk/main", AdjustAccount("bob", "PHP", 500, "table/main/rounds/1", "waited for an hour", "dora", "emil"))


def phase_of(record: Record) -> Phase:
    stream = record.stream("table/main")
    assert isinstance(stream, TableStream)
    assert stream.table is not None
    return stream.table.phase
