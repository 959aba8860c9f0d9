"""What happens at one moment, over real sockets: of everything that contends, the log says which was first."""

import asyncio
import json
from collections import Counter
from pathlib import Path
from typing import Any

from puntobanco import find_game
from puntobanco.server.floor import FloorTable, usual_settings
from server.doors import Doors, Json, Line, open_doors

ROUNDS = 12
PATRONS, WAGERS_EACH = 20, 10
MINIMUM = 2_000
"""The least stake at a table of Manila; other stakes differ by 20."""


async def rows(doors: Doors, stream: str) -> list[Json]:
    """The log of a stream: version, actor, id of the command, and the event."""
    database = doors.house.record.database
    return [
        {"version": row.version, "actor": row.actor, "id": row.command, **json.loads(row.body)}
        async for portion in database.events(stream)
        for _, row in portion
    ]


def without_time(answer: Json) -> Json:
    return {key: value for key, value in answer.items() if key != "time"}


async def until(line: Line, event: str, number: int) -> Json:
    return await line.hear(event, number)


def test_a_wager_is_acknowledged_exactly_if_it_was_logged_before_the_close(tmp_path: Path) -> None:
    """200 wagers of 20 patrons around the close, each round at another distance from it."""

    async def work() -> Counter[str]:
        found = Counter[str]()
        pace: dict[str, Any] = {"betting_seconds": 0.25, "card_seconds": 0, "pause_seconds": 0.02}
        async with open_doors(tmp_path, **pace, guest_money={"PHP": 10**9}) as doors:
            patrons = [await doors.guest() for _ in range(PATRONS)]
            lines = {patron: await doors.line("manila", client) for patron, client in patrons}
            watcher = await doors.line("manila")
            live, asked, number = doors.house.tables["manila"], dict[tuple[str, str], asyncio.Future[Json]](), 0
            for played in range(ROUNDS):
                number = max(number + 1, live.table.round_number + 1)
                opened = await until(watcher, "betting-opened", number)
                early = 0.001 * played
                await asyncio.sleep(max(0, (opened["closes_at"] - doors.house.clock.now()) / 1000 - early))
                for each in range(WAGERS_EACH):
                    for patron, line in lines.items():
                        stake = MINIMUM + 20 * (1 + each)
                        message: Json = {"id": doors.new_id(), "do": "stake", "wager": "tie", "amount": stake}
                        asked[patron, message["id"]] = line.say({**message, "round": number})
                    await asyncio.sleep(0)
                await until(watcher, "round-settled", number)
            answers = {key: await asyncio.wait_for(each, 30) for key, each in asked.items()}
            log = await rows(doors, "table/manila")
        closed = {each["round_number"]: each["version"] for each in log if each["event"] == "betting-closed"}
        staked = {(each["actor"], each["id"]): each for each in log if each["event"] == "stake-changed"}
        for key, answer in answers.items():
            if answer["type"] == "accepted":
                event = staked.pop(key)
                assert answer["version"] == event["version"] < closed[event["round_number"]]
                assert answer["stakes"] == {"tie": event["after"]}
            else:
                assert key not in staked
            found[answer.get("reason", "accepted")] += 1
        assert not staked, "nothing is logged that was not acknowledged"
        return found

    found = asyncio.run(work())
    assert found["accepted"] > 100
    assert found["late-wager"] + found["late-increase"] > 100
    assert set(found) <= {"accepted", "late-wager", "late-increase"}, found


def test_twenty_copies_of_one_command_have_one_effect_and_one_answer(tmp_path: Path) -> None:
    async def work() -> None:
        async with open_doors(tmp_path, betting_seconds=60) as doors:
            patron, client = await doors.guest()
            lines = [await doors.line("manila", client) for _ in range(5)]
            await lines[0].hear("betting-opened", 1)
            for amount in (MINIMUM, MINIMUM + 20, MINIMUM - 20, 0):
                message = {"id": doors.new_id(), "do": "stake", "wager": "tie", "amount": amount}
                sent = [line.say(message) for line in lines for _ in range(2)]
                posted = [client.post("/api/tables/manila/commands", json=message) for _ in range(10)]
                both = await asyncio.gather(asyncio.gather(*posted), asyncio.gather(*sent))
                posts, answers = both
                told = [without_time(each) for each in answers]
                assert all(each == told[0] for each in told)
                if amount == MINIMUM - 20:
                    assert (told[0]["type"], told[0]["reason"]) == ("refused", "below-minimum")
                    error = {key: told[0][key] for key in ("reason", "clause", "message")}
                    assert all((each.status_code, each.json()) == (409, {"error": error}) for each in posts)
                else:
                    assert told[0]["type"] == "accepted"
                    assert all((each.status_code, without_time(each.json())) == (200, told[0]) for each in posts)
            log = await rows(doors, "table/manila")
            assert [(each["before"], each["after"]) for each in log if each["event"] == "stake-changed"] == [
                (0, MINIMUM),
                (MINIMUM, MINIMUM + 20),
                (MINIMUM + 20, 0),
            ]
            me = (await client.get("/api/me")).json()
            assert (me["balances"]["PHP"], me["held"]) == (1_000_000, {})
            assert me["patron"] == patron

    asyncio.run(work())


def test_of_fifty_wagers_of_most_of_a_balance_one_is_accepted(tmp_path: Path) -> None:
    """Over ten tables, each of them with a purse of its own in mind."""
    has, stake = 1_000_000, 600_000

    async def work() -> None:
        async with open_doors(tmp_path, betting_seconds=60, guest_money={"PHP": has}) as doors:
            tables = [f"table-{number}" for number in range(10)]
            for table in tables:
                settings = usual_settings(find_game("manila"), decks=4)
                await doors.house.floor.add(FloorTable(table, table, settings))
                await doors.house.take_up(await doors.house.floor.table(table))
            for _ in range(3):
                patron, client = await doors.guest()
                lines = {table: await doors.line(table, client) for table in tables}
                for line in lines.values():
                    if json.loads(line.frames[0])["table"]["phase"] != "betting":
                        await line.hear("betting-opened", 1)
                wagers = [
                    lines[table].say({"id": doors.new_id(), "do": "stake", "wager": wager, "amount": stake})
                    for wager in ("player", "banker", "tie", "player-pair", "banker-pair")
                    for table in tables
                ]
                answers = await asyncio.wait_for(asyncio.gather(*wagers), 30)
                found = Counter(each.get("reason", each["type"]) for each in answers)
                assert found == {"accepted": 1, "insufficient-funds": 49}
                assert next(each for each in answers if each["type"] == "accepted")["balance"] == has - stake
                me = (await client.get("/api/me")).json()
                assert (me["balances"]["PHP"], me["held"]) == (has - stake, {"PHP": stake})
                held = [doors.house.tables[table].table.slip(patron) for table in tables]
                assert sum(sum(slip.values()) for slip in held) == stake

    asyncio.run(work())


def test_a_session_that_was_recorded_and_is_sent_again_changes_nothing(tmp_path: Path) -> None:
    async def work() -> None:
        pace: dict[str, Any] = {"betting_seconds": 0.3, "card_seconds": 0, "pause_seconds": 0.05}
        async with open_doors(tmp_path, **pace) as doors:
            _, client = await doors.guest()
            line = await doors.line("manila", client)
            said, answers = list[Json](), list[Json]()
            for number in (1, 2, 3):
                await line.hear("betting-opened", number)
                for message in (
                    {"do": "stake", "wager": "player", "amount": MINIMUM},
                    {"do": "stakes", "stakes": {"banker": MINIMUM, "tie": MINIMUM}},
                    {"do": "commit", "commitment": f"{number:064x}"},
                    {"do": "stake", "wager": "banker", "amount": MINIMUM + 1},
                    {"do": "stake", "wager": "tie", "amount": 0},
                ):
                    said.append({"id": doors.new_id(), **message})
                    answers.append(await line.say(said[-1]))
                await line.hear("round-settled", number)
            assert Counter(each["type"] for each in answers) == {"accepted": 12, "refused": 3}
            # The table rests with nobody there, so that whatever is new now was made by the messages.
            for each in doors.lines:
                assert each.transport is not None
                each.transport.disconnect()
            live = doors.house.tables["manila"]
            while live.table.phase.in_round or live.connections or live._dealer.is_behind:
                await asyncio.sleep(0.01)
            database = doors.house.record.database
            before = [await database.count(table) for table in ("event", "entry", "command")]
            again = [await client.post("/api/tables/manila/commands", json=each) for each in said]
            for answer, first in zip(again, answers, strict=True):
                if first["type"] == "accepted":
                    assert (answer.status_code, without_time(answer.json())) == (200, without_time(first))
                else:
                    assert answer.status_code == 409
                    assert answer.json()["error"]["reason"] == first["reason"]
            assert [await database.count(table) for table in ("event", "entry", "command")] == before

    asyncio.run(work())


def test_messages_of_one_socket_are_taken_in_their_order(tmp_path: Path) -> None:
    """Also when the session is asked for again in between, as it is every few seconds: that takes a while."""

    async def work() -> None:
        async with open_doors(tmp_path, betting_seconds=60) as doors:
            _, client = await doors.guest()
            line = await doors.line("manila", client)
            await line.hear("betting-opened", 1)
            people, asked = doors.house.people, 0
            signed_in_by = people.signed_in_by

            async def slowly(digest: bytes) -> Any:
                nonlocal asked
                asked += 1
                await asyncio.sleep(0.05 if asked % 2 else 0.1)
                return await signed_in_by(digest)

            people.signed_in_by = slowly  # type: ignore[method-assign]
            people.known_by = lambda _: None  # type: ignore[method-assign, assignment]
            for _ in range(2):
                (socket,) = [each for each in doors.house.tables["manila"].connections if each.person]
                socket._asked_at = 0  # type: ignore[attr-defined]
                answers = []
                for number in range(12):
                    stake = MINIMUM + 20 * (number + 1)
                    answers.append(line.say({"id": doors.new_id(), "do": "stake", "wager": "tie", "amount": stake}))
                    await asyncio.sleep(0.02)
                versions = [(await each)["version"] for each in answers]
                assert versions == sorted(versions)
                assert doors.house.tables["manila"].table.spots["tie"].stake == stake
                await line.say({"id": doors.new_id(), "do": "stake", "wager": "tie", "amount": 0})
            assert asked

    asyncio.run(work())
