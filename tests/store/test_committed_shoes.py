"""Virtual tables deal from committed shoes: what was dealt can be verified, before and after a crash."""

import asyncio
import json
from pathlib import Path

import pytest

from puntobanco import verify
from puntobanco.errors import InputError
from puntobanco.fairness.log import CommitNonce, RevealNonce, SealRound, ShoeLog
from puntobanco.fairness.shoe import nonce_commitment
from puntobanco.store.dealer import VirtualDealer
from puntobanco.store.streams import TableStream
from puntobanco.table import CloseBetting, DealCard, Irregularity, Phase, VoidRound
from store.databases import Place
from store.houses import House, house


def log_of(at: House) -> ShoeLog:
    stream = at.record.stream("table/main")
    assert isinstance(stream, TableStream)
    return stream.shoe


def verified(log: ShoeLog) -> None:
    """The standalone verifier, which shares no code with the dealer, agrees."""
    verify.verify(log.transcript().text().encode())


async def rounds(at: House, dealer: VirtualDealer, count: int) -> None:
    played = at.table.round_number
    while at.table.round_number < played + count or at.table.phase is not Phase.READY or log_of(at).unpublished:
        await dealer.step()


def test_a_shoe_is_dealt_to_its_end_and_verified(place: Place) -> None:
    async def work() -> None:
        async with house(place.database()) as at:
            dealer = VirtualDealer(at.record, "main")
            ended = list[ShoeLog]()
            while at.table.shoe_number < 3:
                before = log_of(at)
                await dealer.step()
                if log_of(at).number != before.number and before.number:
                    ended.append(before)
                if at.table.round_number == 5 and at.table.phase is Phase.BETTING and not at.table.stakes:
                    await at.bet("anna", "player", 2000)
            assert log_of(at).previous == ended[-1].final
            assert len(ended) == 2

    asyncio.run(work())


def test_a_running_shoe_can_be_verified_as_far_as_it_goes(place: Place) -> None:
    async def work() -> None:
        async with house(place.database()) as at:
            dealer = VirtualDealer(at.record, "main")
            await rounds(at, dealer, 3)
            verified(log_of(at))
            text = log_of(at).transcript().text()
            assert "final" not in json.loads(text)
            assert json.loads(text)["unused_keys"] == {}
            assert [each["number"] for each in json.loads(text)["rounds"]] == [None, 1, 2, 3]

    asyncio.run(work())


def test_patrons_take_part_with_nonces(place: Place) -> None:
    async def work() -> None:
        async with house(place.database()) as at:
            dealer = VirtualDealer(at.record, "main")
            while at.table.phase is not Phase.BETTING:
                await dealer.step()
            shoe = log_of(at).opened
            assert shoe is not None
            nonces = {patron: patron.encode().ljust(32, b".") for patron in ("anna", "bob")}
            for patron, nonce in nonces.items():
                committed = nonce_commitment(shoe.terms.shoe, 1, patron, nonce).hex()
                assert (await at.do("table/main", CommitNonce(1, patron, committed), actor=patron)).accepted
                assert not (await at.do("table/main", CommitNonce(1, patron, committed), actor=patron)).accepted
            await at.do("table/main", CloseBetting(1))
            with pytest.raises(InputError, match="not the one committed to"):
                await at.do("table/main", RevealNonce(1, "anna", nonces["bob"].hex()), actor="anna")
            assert (await at.do("table/main", RevealNonce(1, "anna", nonces["anna"].hex()), actor="anna")).accepted
            await rounds(at, dealer, 0)
            verified(log_of(at))
            (first,) = log_of(at).transcript().as_json()["rounds"][1:]
            assert [each["nonce"] for each in first["nonces"]] == [nonces["anna"].hex(), None]

    asyncio.run(work())


def test_no_card_is_dealt_before_the_round_is_sealed(place: Place) -> None:
    async def work() -> None:
        async with house(place.database()) as at:
            dealer = VirtualDealer(at.record, "main")
            while at.table.phase is not Phase.BETTING:
                await dealer.step()
            await at.do("table/main", CloseBetting(1))
            card = at.table.settings.game.pack.cards[0]
            refused = await at.do("table/main", DealCard(1, at.table.due.hand, card))  # type: ignore[arg-type]
            assert "not sealed" in refused.text
            assert (await at.do("table/main", SealRound())).accepted

    asyncio.run(work())


@pytest.mark.parametrize("cards", [None, 0, 3])
def test_a_void_round_is_published_too(place: Place, cards: int | None) -> None:
    """Before the close (None), after it, or after some cards; its cards stay out of the shoe."""

    async def work() -> None:
        async with house(place.database()) as at:
            dealer = VirtualDealer(at.record, "main")
            while at.table.phase is not Phase.BETTING:
                await dealer.step()
            if cards is not None:
                await dealer.step()
                while len(at.table.deal.cards) < cards:
                    await dealer.step()
            assert (await at.do("table/main", VoidRound(1, Irregularity.TECHNICAL_FAULT, "the display"))).accepted
            await rounds(at, dealer, 2)
            verified(log_of(at))
            (void, *_) = log_of(at).transcript().as_json()["rounds"][1:]
            assert void["void"] == "technical-fault"
            assert len(void["drawn"]) == (cards or 0)

    asyncio.run(work())


def test_the_same_cards_come_after_a_restart(place: Place) -> None:
    """The log is cut off in mid-round, twice over: both times the round ends with the same cards."""

    async def until_dealt(cards: int, name: str) -> list[str]:
        async with house(place.database(), name) as at:
            dealer = VirtualDealer(at.record, "main")
            while at.table.round_number < 4 or len(at.table.deal.cards) < cards:
                await dealer.step()
            return [*map(str, at.table.deal.cards)]

    async def work() -> None:
        first = await until_dealt(2, "first")
        async with house(place.database(), "second") as at:
            dealer, before = VirtualDealer(at.record, "main"), at.table
            # What a dealer who never wrote it would have dealt next.
            other = VirtualDealer(at.record, "main")
            would_be = (await other._drawing(log_of(at))).draw()
            await dealer.step()
            assert [*map(str, before.deal.cards)] == first
            assert at.table.deal.cards != before.deal.cards
            assert would_be in at.table.deal.cards
            while at.table.phase is not Phase.READY or log_of(at).unpublished:
                await dealer.step()
            verified(log_of(at))

    asyncio.run(work())


def test_keys_lie_sealed_and_no_event_tells_them_before_their_time(place: Place, tmp_path: Path) -> None:
    async def work() -> None:
        async with house(place.database()) as at:
            dealer = VirtualDealer(at.record, "main")
            while at.table.phase is not Phase.BETTING:
                await dealer.step()
            keys = await dealer._keys_of_shoe(log_of(at))
            sealed = await at.record.database.shoe_keys("table/main", 1)
            assert sealed is not None
            bodies = [row.body async for portion in at.record.database.events("table/main") for _, row in portion]
            assert keys[0].hex() in "".join(bodies)
            for key in keys[1:]:
                assert key not in sealed
                assert not any(key.hex() in body for body in bodies)

    asyncio.run(work())
