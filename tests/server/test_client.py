"""The client where the connection fails: nothing is missed, nothing is done twice, every command is answered."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from puntobanco import client as client_module
from puntobanco.client import Accepted, Client, Event, Refused, folded
from puntobanco.errors import Fault
from puntobanco.fairness import nonce_commitment
from server.dropping_service import Connection, DroppingService, Message


def run(work: Callable[[DroppingService, Client], Awaitable[None]], **settings: Any) -> DroppingService:
    service = DroppingService()

    async def all_of_it() -> None:
        async with service.serving(), Client(service.address, **settings) as client:
            await asyncio.wait_for(work(service, client), 20)

    asyncio.run(all_of_it())
    return service


async def taken(table: client_module.Table, count: int) -> list[Event]:
    return [await anext(table) for _ in range(count)]


def test_a_table_is_its_snapshot_and_the_events_since() -> None:
    async def work(service: DroppingService, client: Client) -> None:
        async with client.join("main") as table:
            assert table.state["phase"] == "ready"
            service.happen("betting-opened", round=7, closes_at=99)
            service.happen("stakes-changed", spots={"tie": {"stake": 5, "patrons": 1}})
            names = [event.name for event in await taken(table, 3)]
            assert names == ["snapshot", "betting-opened", "stakes-changed"]
            assert (table.state["phase"], table.state["round"], table.version) == ("betting", 7, 2)
            assert table.state["spots"]["tie"]["stake"] == 5

    run(work)


def test_what_another_page_has_staked_is_known() -> None:
    async def work(service: DroppingService, client: Client) -> None:
        async with client.join("main") as table:
            own = {"type": "own", "version": 0, "time": 1, "stakes": {"tie": 5}, "balance": 95}
            service.connections[0].send(own)
            service.happen("stakes-changed", spots={})
            await taken(table, 2)
            assert (table.state["stakes"], table.state["balance"]) == ({"tie": 5}, 95)

    run(work)


def test_a_round_that_is_told_without_a_balance_leaves_it_to_what_follows() -> None:
    async def work(service: DroppingService, client: Client) -> None:
        async with client.join("main") as table:
            service.happen("round-settled", round=7, net=-5, wagers={}, results="B")
            service.connections[0].send({"type": "own", "version": 1, "time": 1, "stakes": {}, "balance": 95})
            service.happen("stakes-changed", spots={})
            settled = (await taken(table, 3))[1]
            assert (settled["net"], "balance" in settled.fields) == (-5, False)
            assert table.state["balance"] == 95

    run(work)


def test_events_fold_into_the_state() -> None:
    state: dict[str, Any] = {"results": "B", "round": 6, "closes_at": None, "stakes": {"tie": 5}, "due": "player"}
    hands = {"player": ["9s", "Kd"], "banker": ["3h", "4h"], "player_total": 9, "banker_total": 7}
    steps: list[tuple[str, dict[str, Any], str]] = [
        ("betting-opened", {"round": 7, "closes_at": 99, "shoe_id": "main/1", "round_in_shoe": 3}, "betting"),
        ("stakes-changed", {"spots": {"tie": {"stake": 5, "patrons": 1}}}, "betting"),
        ("betting-closed", {"round": 7, "due": "player"}, "dealing"),
        ("card-dealt", {"round": 7, "hand": "banker", "card": "4h", "deal": hands, "due": None}, "dealing"),
        ("table-paused", {"reason": "A card fell."}, "dealing"),
        ("table-resumed", {}, "dealing"),
        ("round-settled", {"round": 7, "deal": "P 9s Kd | B 3h 4h", "results": "BP"}, "ready"),
    ]
    for version, (name, fields, phase) in enumerate(steps):
        state = folded(state, Event(version, 0, name, fields))
        assert state["phase"] == phase
        assert state.get("due") == fields.get("due")
        assert (state.get("paused") is None) == (name != "table-paused")
    assert state["deal"] == hands
    assert state["committed"] == {"shoe": "main/1", "round_in_shoe": 3}
    assert (state["results"], state["round"], state["closes_at"], state["stakes"]) == ("BP", 7, None, {})
    assert "due" not in state


def test_after_a_lost_connection_the_events_go_on_where_they_were() -> None:
    async def work(service: DroppingService, client: Client) -> None:
        async with client.join("main") as table:
            versions = [(await anext(table)).version]
            for number in range(8):
                service.happen("card-dealt", deal={"player": [f"{number + 2}s"]})
                if number % 2:
                    await taken(table, 0)
                    service.connections[0].drop()
                    service.happen("patrons-changed", patrons=number)
                    while table.connections < 2 + number // 2:
                        await asyncio.sleep(0.01)
            versions += [event.version for event in await taken(table, 12)]
            assert versions == list(range(13))
            assert table.state["deal"]["player"] == ["9s"]

    run(work)


def test_what_is_told_again_is_not_heard_again() -> None:
    def again(connection: Connection) -> None:
        for event in connection.service.events:
            connection.send(event)

    async def work(service: DroppingService, client: Client) -> None:
        async with client.join("main") as table:
            await anext(table)
            service.happen("card-dealt", deal={"player": ["9s"]})
            again(service.connections[0])
            service.happen("card-dealt", deal={"player": ["9s"], "banker": ["3h"]})
            assert [event.version for event in await taken(table, 2)] == [1, 2]
            assert table.state["deal"] == {"player": ["9s"], "banker": ["3h"]}

    run(work)


def test_who_missed_too_much_gets_a_snapshot() -> None:
    async def work(service: DroppingService, client: Client) -> None:
        service.known = 2
        async with client.join("main") as table:
            await anext(table)
            service.connections[0].drop()
            for _ in range(3):
                service.events.append({"type": "event", "version": service.version + 1, "event": "card-dealt"})
            event = await anext(table)
            assert (event.name, event.version, table.version) == ("snapshot", 3, 3)

    run(work)


def test_an_earlier_visit_is_taken_up_again() -> None:
    async def work(service: DroppingService, client: Client) -> None:
        service.happen("betting-opened", round=1)
        async with client.join("main") as table:
            version, state = table.version, table.state
        service.happen("card-dealt", deal={"player": ["9s"]})
        async with client.join("main", after=version, state=state) as table:
            assert (await anext(table)).name == "card-dealt"
            assert table.state["id"] == "main"

    run(work)


@pytest.mark.parametrize("lost", ["before it is done", "after it is done"])
def test_an_unanswered_command_is_sent_again_with_its_id(lost: str) -> None:
    drops = iter([True, True, False])

    def drop_some(connection: Connection, message: Message) -> None:
        dropped = next(drops, False)
        if not (dropped and lost == "before it is done"):
            answer = connection.service.answer(message)
        if dropped:
            connection.drop()
        else:
            connection.send(answer)

    async def work(service: DroppingService, client: Client) -> None:
        service.on_command = drop_some
        async with client.join("main") as table:
            accepted = await table.stakes({"tie": 5})
            assert (accepted.stakes, accepted.balance) == ({"tie": 5}, 100)
            assert table.state["balance"] == 100

    service = run(work, mixes_in_nonces=False)
    assert len(service.received) == 3
    assert len(service.done) == 1
    assert len({str(message) for message in service.received}) == 1


def test_answers_find_their_commands_in_any_order_and_number() -> None:
    held: list[Message] = []

    def hold(connection: Connection, message: Message) -> None:
        held.append(connection.service.answer(message))
        if len(held) == 5:
            for answer in (*reversed(held), *held, {"type": "accepted", "id": "of nobody"}):
                connection.send(answer)

    async def work(service: DroppingService, client: Client) -> None:
        service.on_command = hold
        async with client.join("main") as table:
            slips = [{"tie": amount} for amount in range(5)]
            answers = await asyncio.gather(*map(table.stakes, slips))
            assert [answer.stakes for answer in answers] == slips
            assert isinstance(answers[0], Accepted)
            assert not table._waiting

    run(work, mixes_in_nonces=False)


def test_a_refusal_has_its_reason_clause_and_sentence() -> None:
    async def work(service: DroppingService, client: Client) -> None:
        async with client.join("main") as table:
            with pytest.raises(Refused) as caught:
                await table.stake("late", 5)
            assert (caught.value.reason, caught.value.clause) == ("late-wager", "5.6")
            assert str(caught.value) == "No more bets. (clause 5.6)"

    run(work)


def test_a_command_that_was_not_decided_is_sent_again() -> None:
    put_off = {"type": "refused", "reason": "ask-again", "clause": None, "message": "Ask again.", "time": 1}

    def at_the_third(connection: Connection, message: Message) -> None:
        is_third = len(connection.service.received) == 3
        connection.send(connection.service.answer(message) if is_third else {"id": message["id"], **put_off})

    async def work(service: DroppingService, client: Client) -> None:
        service.on_command = at_the_third
        async with client.join("main") as table:
            assert (await table.stake("tie", 5)).balance == 100

    assert len({message["id"] for message in run(work).received}) == 1


def test_a_command_is_not_put_off_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "LONGEST_PAUSE", 0.01)
    put_off = {"type": "refused", "reason": "stopped", "clause": None, "message": "It has stopped.", "time": 1}

    async def work(service: DroppingService, client: Client) -> None:
        service.on_command = lambda connection, message: connection.send({"id": message["id"], **put_off})
        async with client.join("main") as table:
            with pytest.raises(Refused, match="It has stopped"):
                await table.stake("tie", 5)

    assert len(run(work).received) == client_module.TRIES + 1


def test_a_table_that_is_not_there_is_refused_at_once() -> None:
    async def work(service: DroppingService, client: Client) -> None:
        service.turned_away = 404
        with pytest.raises(Refused) as caught:
            async with client.join("nowhere"):
                pytest.fail("there is no such table")
        assert (caught.value.reason, caught.value.status) == ("not-found", 404)

    run(work)


def test_a_service_that_is_away_for_good_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "LONGEST_PAUSE", 0.01)

    async def work(service: DroppingService, client: Client) -> None:
        client.patience = 0.1
        async with client.join("main") as table:
            asked = asyncio.create_task(table.command("pause"))
            service.on_command = lambda connection, _: connection.drop()
            service.turned_away = 503
            with pytest.raises(Fault, match="does not answer"):
                await asked
            await anext(table)
            with pytest.raises(Fault, match="does not answer"):
                await anext(table)
            with pytest.raises(Fault, match="does not answer"):
                await table.stake("tie", 5)

    run(work)


def test_a_nonce_goes_with_the_first_wager_of_a_round_and_is_shown_after_the_close() -> None:
    async def work(service: DroppingService, client: Client) -> None:
        client.patron, client.session = "g-1", "secret"
        async with client.join("main") as table:
            await anext(table)
            for number in (7, 8):
                service.happen("betting-opened", round=number, shoe_id="main/1", round_in_shoe=number - 5)
                await anext(table)
                await table.stake("tie", 5)
                await table.stake("tie", 6)
                service.happen("betting-closed", round=number)
                await anext(table)
            while len(service.done) < 8:
                await asyncio.sleep(0.01)
            assert service.connections[0].headers["Cookie"] == "pb_session=secret"

    service = run(work)
    said = [message for message in service.received if message["do"] in ("commit", "reveal")]
    assert [message["do"] for message in said] == ["commit", "reveal"] * 2
    for round_in_shoe, (commit, reveal) in enumerate(zip(said[::2], said[1::2], strict=True), start=2):
        expected = nonce_commitment("main/1", round_in_shoe, "g-1", bytes.fromhex(reveal["nonce"]))
        assert commit["commitment"] == expected.hex()
        assert commit["round"] == reveal["round"] == round_in_shoe + 5
    assert {message["round"] for message in service.received} == {7, 8}


def test_nonces_can_be_left_to_the_house() -> None:
    async def work(service: DroppingService, client: Client) -> None:
        client.patron = "g-1"
        async with client.join("main") as table:
            service.happen("betting-opened", round=1)
            await taken(table, 2)
            await table.stake("tie", 5)

    assert [message["do"] for message in run(work, mixes_in_nonces=False).received] == ["stake"]
