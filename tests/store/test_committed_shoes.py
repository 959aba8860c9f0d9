"""Virtual tables deal from committed shoes: what was dealt can be verified, before and after a crash."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from puntobanco import verify
from puntobanco.dealing import BurnAndCut
from puntobanco.errors import InputError
from puntobanco.fairness.log import CommitNonce, CommitShoe, RevealNonce, SealRound, ShoeLog
from puntobanco.fairness.seeds import seeded_keys
from puntobanco.fairness.shoe import NO_STATE, Drawing, ShoeTerms, Signer, nonce_commitment, open_shoe
from puntobanco.store.audit import audit
from puntobanco.store.dealer import VirtualDealer, redrawn, sealed_for
from puntobanco.store.keys import Keys
from puntobanco.store.record import Answer
from puntobanco.store.rows import ShoeKeysRow
from puntobanco.store.streams import TableStream, new_stream
from puntobanco.table import (
    ChangeSettings,
    CloseBetting,
    DealCard,
    Dealing,
    EndShoe,
    Irregularity,
    OpenBetting,
    OpenShoe,
    OpenTable,
    PauseTable,
    Phase,
    Refused,
    ResumeTable,
    VoidRound,
)
from puntobanco.table.reasons import Reason
from store.databases import Place
from store.houses import KEYS, VIRTUAL, House, house


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
        async with house(place.database(), settings=VIRTUAL) as at:
            dealer = VirtualDealer(at.record, "main")
            ended = list[ShoeLog]()
            while at.table.shoe_number < 3:
                await dealer.step()
                if log_of(at).unused_keys is not None:
                    verified(log_of(at))
                    assert at.table.shoe_finished
                    ended.append(log_of(at))
                if at.table.round_number == 5 and at.table.phase is Phase.BETTING and not at.table.stakes:
                    await at.bet("anna", "player", 2000)
            assert log_of(at).previous == ended[-1].final
            assert len(ended) == 2

    asyncio.run(work())


def test_a_running_shoe_can_be_verified_as_far_as_it_goes(place: Place) -> None:
    async def work() -> None:
        async with house(place.database(), settings=VIRTUAL) as at:
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
        async with house(place.database(), settings=VIRTUAL) as at:
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
            wrong = await at.do("table/main", RevealNonce(1, "anna", nonces["bob"].hex()), actor="anna")
            assert json.loads(wrong.text)["reason"] == "wrong-nonce"
            assert (await at.do("table/main", RevealNonce(1, "anna", nonces["anna"].hex()), actor="anna")).accepted
            await rounds(at, dealer, 0)
            verified(log_of(at))
            (first,) = log_of(at).transcript().as_json()["rounds"][1:]
            assert [each["nonce"] for each in first["nonces"]] == [nonces["anna"].hex(), None]

    asyncio.run(work())


def test_no_card_is_dealt_before_the_round_is_sealed(place: Place) -> None:
    async def work() -> None:
        async with house(place.database(), settings=VIRTUAL) as at:
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
        async with house(place.database(), settings=VIRTUAL) as at:
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


@pytest.mark.parametrize("over", [False, True])
def test_a_void_after_the_key_is_published_changes_what_is_told_of_it_and_nothing_else(
    place: Place, over: bool
) -> None:
    """5.2 reaches back to a round whose key is published, and to the last one of a shoe that is revealed."""

    async def work() -> None:
        async with house(place.database(), settings=VIRTUAL) as at:
            dealer = VirtualDealer(at.record, "main")
            await rounds(at, dealer, 3)
            if over:
                assert (await at.do("table/main", EndShoe("early"))).accepted
                await dealer.step()
            before = log_of(at)
            assert before.is_revealed == over
            assert (await at.do("table/main", VoidRound(3, Irregularity.WRONG_NUMBER_OF_CARDS, "found later"))).accepted
            for log in (before, log_of(at)):
                verified(log)
            told, now = before.transcript().as_json(), log_of(at).transcript().as_json()
            assert told["rounds"].pop() | {"void": "wrong-number-of-cards"} == now["rounds"].pop()
            assert told.pop("seal") != now.pop("seal")
            assert told == now
            assert log_of(at).final == before.final

    asyncio.run(work())


def test_a_void_after_the_next_shoe_is_open_is_not_of_that_shoe(place: Place) -> None:
    """The record has it, and nothing that was given out of either shoe changes."""

    async def work() -> None:
        async with house(place.database(), settings=VIRTUAL) as at:
            dealer = VirtualDealer(at.record, "main")
            await rounds(at, dealer, 2)
            assert (await at.do("table/main", EndShoe("early"))).accepted
            while log_of(at).number < 2 or at.table.phase is not Phase.READY or log_of(at).unpublished is not None:
                await dealer.step()
            before = log_of(at)
            assert (await at.do("table/main", VoidRound(2, Irregularity.WRONG_NUMBER_OF_CARDS, "found later"))).accepted
            assert log_of(at) == before
            await rounds(at, dealer, 1)
            verified(log_of(at))
            found = await audit(at.record.database, KEYS)
            assert found.problems == []
            assert [each.shoe_number for each in found.voids] == [1]

    asyncio.run(work())


def test_the_same_cards_come_after_a_restart(place: Place) -> None:
    """The log is cut off in mid-round, twice over: both times the round ends with the same cards."""

    async def until_dealt(cards: int, name: str) -> list[str]:
        async with house(place.database(), name, VIRTUAL) as at:
            dealer = VirtualDealer(at.record, "main")
            while at.table.round_number < 4 or len(at.table.deal.cards) < cards:
                await dealer.step()
            return [*map(str, at.table.deal.cards)]

    async def work() -> None:
        first = await until_dealt(2, "first")
        async with house(place.database(), "second", VIRTUAL) as at:
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


class Began:
    """Counts the rounds that are begun, each of which costs as much as dozens of draws."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count, begin = 0, Drawing.begin

        def counted(drawing: Drawing, round_in_shoe: int, key: bytes, state: bytes) -> None:
            self.count += 1
            begin(drawing, round_in_shoe, key, state)

        monkeypatch.setattr(Drawing, "begin", counted)


def test_a_card_costs_the_same_early_and_late_in_a_shoe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the round in progress is drawn again; and every card is the one that the whole shoe drawn again gives."""

    async def work() -> None:
        async with house(Place("sqlite", tmp_path).database(), settings=VIRTUAL) as at:
            dealer, began = VirtualDealer(at.record, "main"), Began(monkeypatch)
            while at.table.shoe_number < 2:
                log, began.count = log_of(at), 0
                is_dealing = at.table.phase is Phase.DEALING and log.is_sealed
                await dealer.step()
                # One for the round in progress, and one for the round before it where this is the first card.
                assert began.count <= (2 if is_dealing and not log.rounds[-1].drawn else 1)
                if is_dealing and at.table.phase is Phase.DEALING:
                    whole = redrawn(log, await dealer._keys_of_shoe(log))
                    assert log_of(at).rounds[-1].drawn == (*log.rounds[-1].drawn, whole.draw())
            assert log_of(at).previous != NO_STATE

    asyncio.run(work())


def test_what_was_kept_of_another_log_is_drawn_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        async with house(Place("sqlite", tmp_path).database(), settings=VIRTUAL) as at:
            dealer = VirtualDealer(at.record, "main")
            while at.table.round_number < 4 or len(at.table.deal.cards) < 2:
                await dealer.step()
            log, keys = log_of(at), await dealer._keys_of_shoe(log_of(at))
            began, whole, kept = Began(monkeypatch), redrawn(log, keys), dealer._left
            assert kept is not None
            assert began.count == len(log.rounds) == 5
            expected = [whole.draw() for _ in range(4)]
            (state, cards), *others = kept.dealt
            wrong = tuple(reversed(kept.remaining))
            for changed, rounds in (
                (None, 5),
                (kept, 1),
                # All but the first are of another log, and what they have left is not looked at.
                (kept._replace(remaining=wrong, opened=replace(kept.opened, anchor=bytes(32))), 5),
                (kept._replace(remaining=wrong, dealt=((bytes(32), cards), *others)), 5),
                (kept._replace(remaining=wrong, dealt=((state, cards[::-1]), *others)), 5),
                (kept._replace(remaining=wrong, dealt=(*kept.dealt, kept.dealt[0])), 5),
                (kept._replace(remaining=wrong, dealt=(*kept.dealt, *kept.dealt)), 5),
            ):
                dealer._left, began.count = changed, 0
                drawing = await dealer._drawing(log)
                assert [drawing.draw() for _ in range(4)] == expected
                assert began.count == rounds
                assert dealer._left == kept

    asyncio.run(work())


def test_a_step_that_was_not_written_is_taken_again(tmp_path: Path) -> None:
    """What is kept is never ahead of the log: a card that was drawn and not written is drawn again."""

    async def work() -> None:
        async with house(Place("sqlite", tmp_path).database(), settings=VIRTUAL) as at:
            dealer = VirtualDealer(at.record, "main")
            while at.table.round_number < 3 or len(at.table.deal.cards) < 2:
                await dealer.step()
            lost = [(await dealer._drawing(log_of(at))).draw() for _ in range(2)]
            await dealer.step()
            assert lost == [log_of(at).rounds[-1].drawn[-1]] * 2
            await rounds(at, dealer, 0)
            verified(log_of(at))

    asyncio.run(work())


def test_keys_lie_sealed_and_no_event_tells_them_before_their_time(place: Place, tmp_path: Path) -> None:
    async def work() -> None:
        async with house(place.database(), settings=VIRTUAL) as at:
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


def test_two_tables_are_dealt_side_by_side(place: Place) -> None:
    async def work() -> None:
        async with house(place.database(), settings=VIRTUAL) as at:
            await at.record.open("table/other")
            await at.do("table/other", OpenTable(VIRTUAL))
            dealers = [VirtualDealer(at.record, name) for name in ("main", "other")]
            for _ in range(30):
                answers = await asyncio.gather(*[dealer.step() for dealer in dealers])
                assert all(answer.accepted for answer in answers)

    asyncio.run(work())


def test_a_virtual_table_deals_from_nothing_else(place: Place) -> None:
    async def work() -> None:
        async with house(place.database(), settings=VIRTUAL) as at:
            assert (await at.do("table/main", OpenShoe(VIRTUAL.full_shoe))).accepted
            refused = await at.step()
            assert "deals from a shoe that it is committed to" in refused.text

    asyncio.run(work())


def test_a_shoe_that_is_not_revealed_is_not_followed_by_another(place: Place) -> None:
    async def work() -> None:
        async with house(place.database(), settings=VIRTUAL) as at:
            dealer = VirtualDealer(at.record, "main")
            await dealer.step()
            refused = await at.do("table/main", EndShoe("early"))
            assert "The burn of a committed shoe is made before it ends" in refused.text
            await rounds(at, dealer, 1)
            assert (await at.do("table/main", EndShoe("early"))).accepted
            refused = await at.do("table/main", OpenShoe(VIRTUAL.full_shoe))
            assert "not all published yet" in refused.text
            await dealer.step()
            verified(log_of(at))
            assert log_of(at).unused_keys is not None
            await rounds(at, dealer, 1)

    asyncio.run(work())


def test_no_round_begins_before_the_key_of_the_last_is_published(place: Place) -> None:
    async def work() -> None:
        async with house(place.database(), settings=VIRTUAL) as at:
            dealer = VirtualDealer(at.record, "main")
            while at.table.phase is not Phase.BETTING:
                await dealer.step()
            assert (await at.do("table/main", VoidRound(1, Irregularity.TECHNICAL_FAULT, "x"))).accepted
            refused = await at.do("table/main", OpenBetting())
            assert "key of the round before it is not published" in refused.text
            await rounds(at, dealer, 2)
            verified(log_of(at))

    asyncio.run(work())


def test_a_shoe_whose_keys_are_used_up_is_ended(place: Place) -> None:
    async def work() -> None:
        async with house(place.database(), settings=VIRTUAL) as at:
            dealer = VirtualDealer(at.record, "main")
            while log_of(at).number < 2:
                if at.table.phase is Phase.BETTING:
                    await at.do("table/main", VoidRound(at.table.round_number, Irregularity.TECHNICAL_FAULT, "x"))
                await dealer.step()
            assert at.table.round_number == 255

    asyncio.run(work())


def test_a_shoe_is_not_committed_with_the_signature_of_another(place: Place) -> None:
    """The settings change between the making of a shoe and its opening: it is refused, and the next is right."""

    async def work() -> None:
        async with house(place.database(), settings=VIRTUAL) as at:
            dealer = VirtualDealer(at.record, "main")
            other = replace(VIRTUAL, burn_and_cut=BurnAndCut(cut_depth=20))
            results = await asyncio.gather(
                at.do("table/main", ChangeSettings(other)), dealer.step(), return_exceptions=True
            )
            assert isinstance(results[1], InputError)
            await rounds(at, dealer, 1)
            verified(log_of(at))

    asyncio.run(work())


def test_a_paused_table_takes_no_step(place: Place) -> None:
    async def work() -> None:
        async with house(place.database(), settings=VIRTUAL) as at:
            dealer = VirtualDealer(at.record, "main")
            await at.do("table/main", PauseTable("a fire drill"))
            with pytest.raises(Refused):
                await dealer.step()
            await at.do("table/main", ResumeTable())
            assert (await dealer.step()).accepted

    asyncio.run(work())


def test_many_patrons_reveal_their_nonces_in_time(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each nonce is checked once when it is revealed, and once when the round is sealed; balances are read together."""

    async def work() -> None:
        async with house(place.database(), settings=VIRTUAL) as at:
            dealer = VirtualDealer(at.record, "main")
            while at.table.phase is not Phase.BETTING:
                await dealer.step()
            shoe = log_of(at).opened
            assert shoe is not None
            nonces = {f"patron {n}": n.to_bytes(32, "big") for n in range(1, 301)}
            committed = {
                patron: nonce_commitment(shoe.terms.shoe, 1, patron, nonce).hex() for patron, nonce in nonces.items()
            }
            asked = list[Sequence[str]]()
            balances = at.record.database.balances

            async def counted(accounts: Sequence[str], leases: Mapping[str, int]) -> dict[str, int]:
                asked.append(accounts)
                return await balances(accounts, leases)

            monkeypatch.setattr(at.record.database, "balances", counted)
            await asyncio.gather(
                *[at.do("table/main", CommitNonce(1, patron, each), actor=patron) for patron, each in committed.items()]
            )
            await at.do("table/main", CloseBetting(1))
            await asyncio.gather(
                *[at.do("table/main", RevealNonce(1, name, each.hex()), actor=name) for name, each in nonces.items()]
            )
            assert len(asked) <= 8
            await rounds(at, dealer, 0)
            verified(log_of(at))
            assert all(each.nonce is not None for each in log_of(at).rounds[1].nonces)

    asyncio.run(work())


def test_a_shoe_that_a_dealer_deals_from_is_not_committed_to() -> None:
    """Nor does the table change hands while it is in play: so no card is ever keyed into a committed one."""
    settings = replace(VIRTUAL, dealing=Dealing.DEALER)
    stream = new_stream("table/main")
    for command in (OpenTable(settings), OpenShoe(settings.full_shoe)):
        ((event, _),) = stream.decide(command, {})
        stream = stream.after(event)
    with pytest.raises(Refused) as refused:
        stream.decide(CommitShoe("main/1", ("00" * 32,) * 256, "00" * 32, "00" * 64, "00" * 32), {})
    assert refused.value.refusal.reason is Reason.NO_SHOE
    with pytest.raises(Refused) as refused:
        stream.decide(ChangeSettings(replace(settings, dealing=Dealing.VIRTUAL)), {})
    assert refused.value.refusal.reason is Reason.SHOE_IN_PLAY


def commitment_of(keys: Keys, shoe: str = "main/1") -> tuple[CommitShoe, ShoeKeysRow]:
    """The first shoe of the table, signed and called as is asked."""
    terms = ShoeTerms.of(VIRTUAL.game, table="main", shoe=shoe, decks=VIRTUAL.decks, burn_and_cut=VIRTUAL.burn_and_cut)
    secret = seeded_keys(5, 1)
    opened = open_shoe(terms, secret, Signer(keys.sign, keys.public_key))
    assert opened.signature is not None
    committed = tuple([each.hex() for each in opened.commitments])
    sealed = ShoeKeysRow("table/main", 1, KEYS.seal(b"".join(secret), sealed_for("table/main", 1)))
    return CommitShoe(shoe, committed, opened.anchor.hex(), opened.signature.hex(), keys.public_key.hex()), sealed


STRANGER = Keys(b"x" * 32, b"k" * 32)


@pytest.mark.parametrize(
    ("keys", "shoe", "said"),
    [
        (STRANGER, "main/1", "signed with another key than the record's"),
        (KEYS, "other/1", "The shoe is called 'other/1', not main/1."),
        (KEYS, "main/2", "The shoe is called 'main/2', not main/1."),
    ],
)
def test_a_shoe_has_the_name_of_its_table_and_number_and_the_signature_of_its_record(
    keys: Keys, shoe: str, said: str, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not taken; and where it was taken once, an audit finds it."""

    async def work() -> None:
        async with house(place.database(), settings=VIRTUAL) as at:
            commit, sealed = commitment_of(keys, shoe)

            async def submit(command_id: str) -> Answer:
                return await at.record.submit(
                    "table/main",
                    [OpenShoe(VIRTUAL.full_shoe), commit, SealRound()],
                    actor="dealer",
                    command_id=command_id,
                    shoe_keys=[sealed],
                )

            with pytest.raises(InputError, match=said):
                await submit("as it is")
            with monkeypatch.context() as careless:
                careless.setattr(TableStream, "_check_committed", lambda *_: None)
                assert (await submit("taken once")).accepted
            found = await audit(at.record.database, KEYS)
            assert any(said in each.message for each in found.problems)

    asyncio.run(work())


def test_the_right_shoe_is_taken_from_whoever_has_the_keys(place: Place) -> None:
    async def work() -> None:
        async with house(place.database(), settings=VIRTUAL) as at:
            commit, sealed = commitment_of(KEYS)
            answer = await at.record.submit(
                "table/main",
                [OpenShoe(VIRTUAL.full_shoe), commit, SealRound()],
                actor="dealer",
                command_id="by another way",
                shoe_keys=[sealed],
            )
            assert answer.accepted
            await rounds(at, VirtualDealer(at.record, "main"), 1)
            found = await audit(at.record.database, KEYS)
            assert found.problems == []

    asyncio.run(work())
