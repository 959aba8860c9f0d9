"""A round by its address, the rounds of a patron, and a patron's postings: what the record says, page by page."""

import asyncio
import io
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from puntobanco.ledger import AdjustAccount
from puntobanco.ledger.accounts import parse_account
from puntobanco.server.patron_ledger import ledger
from puntobanco.server.problems import Problem
from puntobanco.server.rounds import history, round_for
from puntobanco.store.kept_heads import read_heads
from puntobanco.store.keys import is_signed
from puntobanco.store.rows import EntryRow, signed_head
from puntobanco.table import Irregularity, Phase, VoidRound
from server.floor import Floor, floor
from server.following import told
from store.databases import Place
from store.houses import VIRTUAL
from store.played import desk, play


async def everything(house: Floor, patron: str, limit: int) -> list[dict[str, Any]]:
    found, before = list[dict[str, Any]](), None
    while True:
        page = await history(house, patron, before, limit)
        assert len(page.rounds) <= limit
        found += page.rounds
        if page.before is None:
            return found
        before = page.before


def test_a_round_is_told_as_the_record_has_it_and_its_head_is_signed(place: Place) -> None:
    async def run() -> None:
        async with floor(place, VIRTUAL) as house:
            await play(house.at, 12)
            rounds = await told(house.record.database)
            assert len(rounds) == 12
            for (_, number), each in rounds.items():
                found = await round_for(house, "main", number, "anna")
                assert found["deal"] == str(each.deal)
                assert (found["shoe"], found["round_in_shoe"], found["time"]) == (each.shoe, each.place, each.finished)
                assert (found["key"], found["state"], found["rules_digest"]) == (each.key, each.state, each.digest)
                if each.void is not None:
                    assert found["void"] == {
                        "irregularity": each.void.irregularity.value,
                        "clause": each.void.clause,
                        "note": each.void.note,
                    }
                    assert found["wagers"] == {"player": {"stake": 2000, "net": 0, "pays": []}}
                    continue
                settled = each.settlements["anna"].as_json()
                assert found["void"] is None
                assert found["wagers"] == settled["settlements"]
                assert (found["winner"], found["player_total"]) == (settled["winner"], settled["player_total"])
                evidence = found["evidence"]
                signed = signed_head("table/main", evidence["head_version"], bytes.fromhex(evidence["head_hash"]))
                signature = bytes.fromhex(evidence["signature"])
                assert is_signed(house.record.keys.public_key, signature, signed)
                assert bytes.fromhex(evidence["head_hash"]) == house.record.head_hash("table/main")
                # Whoever keeps the answer as it came can hold it against the record.
                (kept,) = read_heads("kept.json", io.StringIO(json.dumps(found))).heads
                assert kept.head == await house.record.database.head("table/main")
            assert any(each.void for each in rounds.values())

    asyncio.run(run())


def test_nobody_sees_the_wagers_of_another(place: Place) -> None:
    async def run() -> None:
        async with floor(place, VIRTUAL) as house:
            await play(house.at, 1)
            assert set((await round_for(house, "main", 1, "anna"))["wagers"]) == {"player"}
            assert set((await round_for(house, "main", 1, "bob"))["wagers"]) == {"tie"}
            assert (await round_for(house, "main", 1, "carl"))["wagers"] == {}
            assert (await round_for(house, "main", 1))["wagers"] == {}

    asyncio.run(run())


def test_nobody_is_told_that_there_is_no_such_round_while_that_is_still_read(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        async with floor(place, VIRTUAL) as house:
            await play(house.at, 1)
            monkeypatch.setattr("puntobanco.server.rounds.WAIT_FOR_A_ROUND_SECONDS", 0.01)
            async with house.follower._busy:
                with pytest.raises(Problem) as caught:
                    await round_for(house, "main", 1, "anna")
            assert (caught.value.status, caught.value.reason) == (503, "ask-again")
            monkeypatch.undo()
            assert (await round_for(house, "main", 1, "anna"))["time"] is not None

    asyncio.run(run())


def test_a_running_round_is_told_as_far_as_everybody_sees_it(place: Place) -> None:
    async def run() -> None:
        async with floor(place) as house:
            at = house.at
            await at.until(Phase.BETTING)
            assert (await at.bet("anna", "tie", 2000)).accepted
            for phase, cards in ((Phase.BETTING, 0), (Phase.DEALING, 0), (Phase.COMPLETE, None)):
                await at.until(phase)
                found = await round_for(house, "main", 1, "anna")
                assert found["deal"] == str(at.table.deal)
                assert cards is None or found["deal"] == "P | B"
                assert (found["time"], found["winner"], found["wagers"], found["evidence"]) == (None, None, {}, None)
            with pytest.raises(Problem) as caught:
                await round_for(house, "main", 2, "anna")
            assert caught.value.status == 404
            with pytest.raises(Problem):
                await round_for(house, "other", 1, "anna")
            await at.until(Phase.READY)
            found = await round_for(house, "main", 1, "anna")
            assert found["time"] is not None
            assert found["wagers"]["tie"]["stake"] == 2000
            assert (
                await at.do("table/main", VoidRound(1, Irregularity.WRONG_NUMBER_OF_CARDS, "one too many"))
            ).accepted
            await house.follower.catch_up()
            found = await round_for(house, "main", 1, "anna")
            assert found["void"]["note"] == "one too many"
            assert found["wagers"]["tie"] == {"stake": 2000, "net": 0, "pays": []}

    asyncio.run(run())


@pytest.mark.parametrize("limit", [1, 3, 50])
def test_the_history_of_a_patron_is_whole_whatever_the_page(place: Place, limit: int) -> None:
    async def run() -> None:
        async with floor(place, VIRTUAL) as house:
            await play(house.at, 11)
            rounds = await told(house.record.database)
            expected = [
                (number, each.finished, *each.history["bob"])
                for (_, number), each in sorted(rounds.items(), reverse=True)
                if "bob" in each.history
            ]
            found = await everything(house, "bob", limit)
            assert [(each["number"], each["time"], each["staked"], each["returned"]) for each in found] == expected
            assert [each["net"] for each in found] == [back - stake for _, _, stake, back in expected]
            assert (await history(house, "nobody")).rounds == []
            time = expected[3][1]
            assert [each["number"] for each in (await history(house, "bob", str(time))).rounds] == [
                number for number, finished, *_ in expected if finished is not None and finished < (time or 0)
            ]
            with pytest.raises(Problem):
                await history(house, "bob", "1' OR 1=1")

    asyncio.run(run())


@pytest.mark.parametrize("limit", [1, 4, 200])
def test_a_ledger_has_every_posting_with_the_balance_after_it(place: Place, limit: int) -> None:
    async def run() -> None:
        async with floor(place, VIRTUAL) as house:
            await play(house.at, 3)
            await desk(house.at)
            for patron in ("anna", "carl"):
                expected, stands = list[tuple[Any, ...]](), defaultdict[str, int](int)
                entries: dict[tuple[str, int], list[EntryRow]] = {}
                async for some in house.record.database.entries():
                    for entry in some:
                        entries.setdefault((entry.stream, entry.version), []).append(entry)
                async for portion in house.record.database.events():
                    for _, row in portion:
                        for entry in entries.get((row.stream, row.version), []):
                            name = parse_account(entry.account)
                            if name.patron == patron and name.table is None:
                                stands[entry.account] += entry.amount
                                expected.append((row.time, name.unit, entry.amount, stands[entry.account]))
                found, before = list[tuple[Any, ...]](), None
                while True:
                    page = await ledger(house.beside, patron, before, limit)
                    found += [(each["time"], each["unit"], each["amount"], each["balance"]) for each in page.postings]
                    if page.before is None:
                        break
                    before = page.before
                assert found == expected[::-1]
                balances = await house.at.balances()
                assert page.balances == {
                    parse_account(name).unit: balance
                    for name, balance in balances.items()
                    if name.startswith("patron/") and name.endswith(f"/{patron}")
                }

    asyncio.run(run())


def test_a_posting_of_an_adjustment_names_its_round_however_that_was_addressed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("puntobanco.ledger.desk._against_later_rules", lambda *_: None)

    async def run() -> None:
        async with floor(Place("sqlite", tmp_path), VIRTUAL) as house:
            await play(house.at, 1)
            for address in ("the last one", "table/main/rounds/1", "main/1"):
                adjust = AdjustAccount("carl", "PHP", 500, address, "paid wrongly", "dora", "emil")
                assert (await house.at.do("desk/main", adjust)).accepted
            newest = (await ledger(house.beside, "carl", None, 3)).postings
            assert [(each["table"], each["round"]) for each in newest] == [("main", 1), ("main", 1), (None, None)]

    asyncio.run(run())
