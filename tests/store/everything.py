"""A small record with everything in it, for whoever changes it and asks whether that is found.

A virtual table with an ended and revealed shoe and another in play, a table whose cards are keyed in, a desk with all
its acts, wagers with their refusals, void and corrected rounds, what is owed, and stakes that are held.
"""

import itertools
from random import Random
from unittest.mock import patch

from puntobanco.cards import Deal
from puntobanco.fairness import seeded_keys
from puntobanco.ledger import IssueMoney, ReturnMoney
from puntobanco.store.dealer import VirtualDealer
from puntobanco.store.streams import TableStream
from puntobanco.table import (
    CorrectRound,
    EndShoe,
    IncreaseWager,
    Irregularity,
    OpenTable,
    PauseTable,
    Phase,
    PlaceWager,
    ResumeTable,
    Table,
    VoidRound,
    WithdrawWager,
)
from puntobanco.table.dealer import next_step
from store.databases import Place
from store.houses import SETTINGS, VIRTUAL, House, house
from store.played import desk, play

FLOOR = "table/floor"
SEED = 1
ROUNDS = 3


async def make(place: Place, seed: int = SEED) -> None:
    """Play it. The same seed is the same record, byte for byte in an export."""
    chance, shoes = Random(seed), itertools.count(seed)
    with (
        patch("puntobanco.store.dealer.new_keys", lambda: seeded_keys(next(shoes), 1)),
        patch("puntobanco.store.keys.secrets.token_bytes", chance.randbytes),
    ):
        async with house(place.database(), settings=VIRTUAL) as at:
            await desk(at)
            await _virtual_table(at)
            await _table_of_cards_keyed_in(at)


async def _virtual_table(at: House) -> None:
    dealer = VirtualDealer(at.record, "main")
    await play(at, ROUNDS)
    # What was won has left the house when the round turns out to be void: some of it is owed.
    await at.do("desk/main", ReturnMoney("anna", "PHP", (await at.balances())["patron/PHP/anna"], "leaves"))
    await at.do("table/main", VoidRound(at.table.round_number, Irregularity.WRONG_NUMBER_OF_CARDS, "one too many"))
    await at.do("desk/main", IssueMoney("anna", "PHP", 100_000, "comes back"))
    await at.do("table/main", EndShoe("long enough"))
    await play(at, 2)
    await at.do("table/main", PauseTable("a drink was spilt"))
    await at.do("table/main", ResumeTable())
    while at.table.phase is not Phase.BETTING:
        await dealer.step()
    number = at.table.round_number
    assert (await at.bet("anna", "banker", 3_000)).accepted
    assert not (await at.bet("anna", "banker", 10**9)).accepted
    assert not (await at.bet("nobody", "player", 2_000)).accepted
    await at.do("table/main", IncreaseWager(number, "anna", "banker", 1_000), actor="anna")
    await at.do("table/main", WithdrawWager(number, "anna", "banker"), actor="anna")
    # The record ends in the middle of a round, with money on the felt.
    assert (await at.bet("bob", "player", 2_000)).accepted


async def _table_of_cards_keyed_in(at: House) -> None:
    await at.record.open(FLOOR)
    await at.do(FLOOR, OpenTable(SETTINGS))
    cards = itertools.cycle(SETTINGS.game.pack.cards)
    settled = 0
    while settled < 2:
        table = _table(at)
        if table.phase is Phase.BETTING and not table.stakes:
            for patron, wager in (("anna", "banker"), ("carl", "tie")):
                await at.do(FLOOR, PlaceWager(table.round_number, patron, wager, 2_000), actor=patron)
        command = next_step(table, lambda: next(cards))
        assert (await at.do(FLOOR, command)).accepted
        settled += type(command).__name__ == "SettleRound"
    # The last round was keyed in wrongly: a natural was dealt.
    named = {str(card): card for card in SETTINGS.game.pack.cards}
    deal = Deal((named["9d"], named["Kd"]), (named["2d"], named["3d"]))
    assert (await at.do(FLOOR, CorrectRound(_table(at).round_number, deal, note="keyed wrongly"))).accepted


def _table(at: House) -> Table:
    stream = at.record.stream(FLOOR)
    assert isinstance(stream, TableStream)
    assert stream.table is not None
    return stream.table
