"""A record with a bit of everything: shoes, patrons, nonces, voids, what is owed, and acts of the desk."""

from puntobanco.fairness.log import CommitNonce, RevealNonce
from puntobanco.fairness.shoe import nonce_commitment
from puntobanco.ledger import AdjustAccount, ChangeMoney, IssueMoney, PostRate, ReturnMoney
from puntobanco.store.dealer import VirtualDealer
from puntobanco.store.streams import TableStream
from puntobanco.table import Irregularity, Phase, VoidRound
from store.houses import House


async def play(at: House, rounds: int) -> None:
    """So many rounds from committed shoes, with wagers, nonces and every tenth round void."""
    dealer = VirtualDealer(at.record, "main")
    first = at.table.round_number
    while at.table.round_number < first + rounds or at.table.phase is not Phase.READY or dealer.is_behind:
        if at.table.phase is Phase.BETTING and not at.table.stakes:
            number = at.table.round_number
            stream = at.record.stream("table/main")
            assert isinstance(stream, TableStream)
            assert stream.shoe.opened is not None
            place, shoe = stream.shoe.round_in_shoe, stream.shoe.opened.terms.shoe
            nonce = number.to_bytes(32, "big")
            committed = nonce_commitment(shoe, place, "anna", nonce).hex()
            assert (await at.do("table/main", CommitNonce(number, "anna", committed), actor="anna")).accepted
            assert (await at.bet("anna", "player", 2000)).accepted
            assert (await at.bet("bob", "tie", 2020)).accepted
            assert (await dealer.step()).accepted
            assert (await at.do("table/main", RevealNonce(number, "anna", nonce.hex()), actor="anna")).accepted
            if number % 10 == 0:
                await at.do("table/main", VoidRound(number, Irregularity.TECHNICAL_FAULT, "the display"))
        assert (await dealer.step()).accepted


async def desk(at: House) -> None:
    """Buying in, changing, giving back and putting right; some of it refused."""
    for command in (
        IssueMoney("carl", "HKD", 5000, "buy-in"),
        ChangeMoney("carl", "HKD", 1000, "PHP"),
        PostRate("HKD", "PHP", 7, 1),
        ChangeMoney("carl", "HKD", 1000, "PHP"),
        ReturnMoney("carl", "PHP", 500, "leaves"),
        ReturnMoney("carl", "PHP", 10**9, "leaves"),
        AdjustAccount("carl", "PHP", 300, "table/main/rounds/1", "paid wrongly", "dora", "emil"),
        AdjustAccount("carl", "PHP", 300, "table/main/rounds/1", "paid wrongly", "dora", "dora"),
    ):
        await at.do("desk/main", command)
