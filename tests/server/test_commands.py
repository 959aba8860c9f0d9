"""What becomes of a command: what its answer holds, that it is the same again, and how it is counted."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from puntobanco import find_game
from puntobanco.server.disputes import Outcome
from puntobanco.server.floor import FloorTable, usual_settings
from puntobanco.server.house import KEEP_UP_MILLISECONDS
from puntobanco.server.persons import Role, Signed
from puntobanco.server.problems import Problem
from puntobanco.server.requests import Request
from puntobanco.server.two_people import Giving
from puntobanco.table import Dealing, ResumeTable
from server.services import BETTING, BETWEEN, CARD, Json, Service, service
from server.strolls import _hashed

MANILA = find_game("manila")
VIRTUAL = FloorTable("mirror", "Mirror", usual_settings(MANILA, decks=4))
DEALT = FloorTable("felt", "Felt", usual_settings(MANILA, decks=4, dealing=Dealing.DEALER))
MONEY = 1_000_000


def at_home(folder: Path, work: Callable[[Service], Awaitable[None]]) -> None:
    async def run() -> None:
        async with service(folder) as at:
            await at.add_table(VIRTUAL)
            await at.add_table(DEALT)
            await work(at)

    asyncio.run(run())


def test_whoever_takes_part_in_the_drawing_is_told_their_stakes_and_balance(tmp_path: Path) -> None:
    async def work(at: Service) -> None:
        anna, nonce = await at.guest(), bytes(range(32))
        await at.join("mirror", anna.person)
        committed = _hashed("pb1/nonce", "mirror/1", 1, anna.person.id, nonce)
        first = await at.say("mirror", anna, id="committed-01", do="commit", commitment=committed)
        assert (first["type"], first["stakes"], first["balance"]) == ("accepted", {}, MONEY)
        await at.say("mirror", anna, do="stake", wager="tie", amount=2_000)
        again = await at.say("mirror", anna, id="committed-01", do="commit", commitment=committed)
        assert {**again, "time": 0} == {**first, "time": 0}
        await at.advance(BETTING)
        wrong = await at.say("mirror", anna, id="wrong-nonce-1", do="reveal", nonce="ab" * 32)
        assert (wrong["status"], wrong["reason"]) == (409, "wrong-nonce")
        assert "committed to" in wrong["message"]
        revealed = await at.say("mirror", anna, do="reveal", nonce=nonce.hex())
        assert (revealed["type"], revealed["stakes"]) == ("accepted", {"tie": 2_000})
        assert revealed["balance"] == MONEY - 2_000
        again = await at.say("mirror", anna, id="wrong-nonce-1", do="reveal", nonce="ab" * 32)
        assert {**again, "time": 0} == {**wrong, "time": 0}
        assert await at.problems() == []

    at_home(tmp_path, work)


def test_a_patron_at_a_table_is_told_of_a_decision(tmp_path: Path) -> None:
    async def work(at: Service) -> None:
        anna, bob, dora = await at.guest(), await at.guest(), await at.staff("Dora", Role.SUPERVISOR)
        viewers = [await at.join(table, who.person) for table, who in (("mirror", anna), ("felt", anna), ("felt", bob))]
        disputes, now = at.house.disputes, at.clock.now()
        opened = await disputes.open(anna.person.id, "mirror", 1, "It was a tie.", now)
        await disputes.assign(opened.id, dora.person.id)
        await disputes.decide(opened.id, dora.person, Outcome.UPHELD, "It was.", now)
        await at.advance(3 * KEEP_UP_MILLISECONDS)
        told = [[each for each in viewer.messages if each["type"] == "dispute-decided"] for viewer in viewers]
        expected = {"type": "dispute-decided", "time": now, "dispute": opened.id, "table": "mirror", "round": 1}
        expected |= {"outcome": "upheld", "decision": "It was."}
        assert told == [[expected], [expected], []]

    at_home(tmp_path, work)


def counted(at: Service, name: str, **labels: str) -> float:
    return at.house.metrics.registry.get_sample_value(f"puntobanco_{name}", labels) or 0.0


def test_commands_are_counted_by_kind_however_they_come(tmp_path: Path) -> None:
    """What comes over HTTP goes by the same way as here; a socket takes a shorter one, which counts too."""

    async def work(at: Service) -> None:
        anna, dora = await at.guest(), await at.staff("Dora", Role.DEALER)
        await at.join("mirror", anna.person)
        await at.say("mirror", anna, do="stake", wager="tie", amount=2_000)
        await at.say("mirror", anna, do="stakes", stakes={"player": 2_000})
        await at.say("mirror", anna, do="stake", wager="tie", amount=1)
        await at.say("mirror", anna, do="stake", wager="corner", amount=2_000)
        await at.say("mirror", anna, do="commit", commitment="ab" * 32)
        await at.say("mirror", anna, do="open-betting")
        await at.say("felt", dora, do="open-shoe")
        await at.say("felt", dora, do="burn", shown=["Ac"], face_down=1)
        await at.say("felt", dora, do="open-betting")
        await at.say("felt", dora, do="void", irregularity="technical-fault", note="The reader failed.")
        await at.say("felt", dora, do="approve", request="0123456789abcdef")
        with contextlib.suppress(Problem):
            at.house.read(b"{}")
        said = at.house.read(b'{"id": "quick-0001", "do": "stake", "wager": "banker", "amount": 2000}')
        assert (await at.house.ask(at.house.tables["mirror"], anna, said)).accepted
        assert counted(at, "wagers_accepted_total") == 3
        accepted = {"stake": 2, "stakes": 1, "commit": 1, "open-shoe": 1, "burn": 1, "open-betting": 1, "void": 1}
        for kind, times in accepted.items():
            assert counted(at, "commands_accepted_total", kind=kind) == times, kind
        refused = [("stake", "below-minimum"), ("stake", "unknown-wager"), ("open-betting", "not-allowed")]
        refused += [("approve", "not-allowed"), ("unreadable", "malformed")]
        for kind, reason in refused:
            assert counted(at, "commands_refused_total", kind=kind, reason=reason) == 1, kind
        # What is nothing that was asked takes no time.
        assert counted(at, "acknowledged_seconds_count") == sum(accepted.values()) + len(refused) - 1

    at_home(tmp_path, work)


# What waits for a second person.


async def led(at: Service, dealer: Signed, *messages: Json) -> None:
    for message in messages:
        answer = await at.say("felt", dealer, **message)
        assert answer["type"] == "accepted", (message, answer)


SHOE: list[Json] = [{"do": "open-shoe"}, {"do": "burn", "shown": ["Ac"], "face_down": 1}]
CARDS: list[Json] = [{"do": "deal", "card": card} for card in ("5h", "Th", "4c", "7d")]
ROUND: list[Json] = [{"do": "open-betting"}, {"do": "close-betting"}, *CARDS, {"do": "announce"}, {"do": "settle"}]
VOID: Json = {"do": "void", "irregularity": "technical-fault", "note": "The reader failed."}


def test_a_pause_of_a_dealers_own_words_is_not_taken_for_a_request(tmp_path: Path) -> None:
    async def work(at: Service) -> None:
        dora, emil = await at.staff("Dora", Role.DEALER), await at.staff("Emil", Role.SUPERVISOR)
        await led(at, dora, *SHOE, {"do": "open-betting"})
        table = at.house.tables["felt"]
        await led(at, dora, {"do": "pause", "reason": "card on the floor: a supervisor is called"})
        asked = await at.say("felt", dora, **VOID)
        assert (await at.say("felt", emil, do="decline", request=asked["request"]))["type"] == "accepted"
        assert table.table.paused, "what the dealer has paused a supervisor resumes"
        await led(at, emil, {"do": "resume"})
        asked = await at.say("felt", dora, **VOID)
        assert table.table.paused_for == asked["request"]
        other = await at.say("felt", emil, **VOID)
        assert (await at.say("felt", emil, do="decline", request=asked["request"]))["type"] == "accepted"
        assert table.table.paused_for == asked["request"], "another request waits"
        fay = await at.staff("Fay", Role.SUPERVISOR)
        assert (await at.say("felt", fay, do="decline", request=other["request"]))["type"] == "accepted"
        assert (table.table.paused, table.table.paused_for) == ("", None)
        assert await at.problems() == []

    at_home(tmp_path, work)


def test_a_request_lapses_when_its_round_can_be_changed_no_more(tmp_path: Path) -> None:
    async def work(at: Service) -> None:
        dora, emil = await at.staff("Dora", Role.DEALER), await at.staff("Emil", Role.SUPERVISOR)
        await led(at, dora, *SHOE, *ROUND)
        missing = {**VOID, "irregularity": "wrong-number-of-cards"}
        late, also_late = [(await at.say("felt", dora, **missing))["request"] for _ in range(2)]
        # However it came that the table went on.
        await at.house.record.submit("table/felt", [ResumeTable()], actor="server", command_id="goes-on-0001")
        assert {each.id for each in await at.house.two_people.waiting()} == {late, also_late}
        await led(at, dora, {"do": "open-betting"})
        for do in ("approve", "decline", "approve"):
            answer = await at.say("felt", emil, do=do, request=late)
            assert (answer["status"], answer["reason"]) == (409, "lapsed")
        # What can be decided no more keeps no table waiting.
        asked = await at.say("felt", dora, **VOID)
        assert (await at.say("felt", emil, do="approve", request=asked["request"]))["type"] == "accepted"
        assert at.house.tables["felt"].table.paused == ""
        assert await at.house.two_people.waiting() == []
        states = [(await at.house.requests.find(each)).state for each in (late, also_late, asked["request"])]
        assert states == ["lapsed", "lapsed", "approved"]

    at_home(tmp_path, work)


def test_a_void_that_is_asked_for_again_is_answered_as_before(tmp_path: Path) -> None:
    async def work(at: Service) -> None:
        dora, emil = await at.staff("Dora", Role.DEALER), await at.staff("Emil", Role.SUPERVISOR)
        await led(at, dora, *SHOE, {"do": "open-betting"}, {"do": "pause", "reason": "a drink was spilt"})
        first = await at.say("felt", dora, id="void-it-0001", **VOID)
        assert (await at.say("felt", dora, id="void-it-0001", **VOID)) == first
        assert (await at.say("felt", emil, do="approve", request=first["request"]))["type"] == "accepted"
        await led(at, emil, {"do": "resume"})
        version = at.house.tables["felt"].version
        again = await at.say("felt", dora, id="void-it-0001", **VOID)
        assert again == {**first, "time": again["time"], "waiting": False}, "but that it waits no more"
        assert at.house.tables["felt"].version == version, "nor is the table paused again"
        other = await at.say("felt", dora, id="void-it-0001", **{**VOID, "note": "Something else."})
        assert (other["status"], other["reason"]) == (409, "id-reused")

    at_home(tmp_path, work)


def test_an_id_of_what_needs_two_people_stands_for_that_alone(tmp_path: Path) -> None:
    async def work(at: Service) -> None:
        dora, emil = await at.staff("Dora", Role.DEALER), await at.staff("Emil", Role.SUPERVISOR)
        fay, anna = await at.staff("Fay", Role.SUPERVISOR), await at.guest()
        await at.add_table(DEALT._replace(id="other", name="Other"))
        await led(at, dora, *SHOE, {"do": "open-betting"})

        async def is_reused(who: Signed, table: str = "felt", **message: Any) -> None:
            before = at.house.tables[table].version, len(await at.house.two_people.waiting())
            answer = await at.say(table, who, **message)
            assert (answer.get("status"), answer.get("reason")) == (409, "id-reused"), (message, answer)
            assert (at.house.tables[table].version, len(await at.house.two_people.waiting())) == before

        first = await at.say("felt", dora, id="an-id-0001", **VOID)
        await is_reused(dora, id="an-id-0001", do="pause", reason="a drink was spilt")
        await is_reused(dora, id="an-id-0001", **{**VOID, "note": "Something else."})
        await is_reused(dora, table="other", id="an-id-0001", **VOID)
        declined = await at.say("felt", emil, id="an-id-0001", do="decline", request=first["request"], note="No.")
        assert declined["type"] == "accepted", "another person's id is another"
        second = await at.say("felt", dora, id="an-id-0002", **VOID)
        await is_reused(emil, id="an-id-0001", do="decline", request=first["request"], note="Not at all.")
        await is_reused(emil, id="an-id-0001", do="decline", request=second["request"], note="No.")
        await is_reused(emil, id="an-id-0001", do="pause", reason="a drink was spilt")
        # And what was said first is answered the same, whatever has happened since.
        await at.say("felt", fay, do="decline", request=second["request"])
        await led(at, dora, {"do": "close-betting"})
        again = await at.say("felt", emil, id="an-id-0001", do="decline", request=first["request"], note="No.")
        assert {**again, "time": declined["time"]} == declined
        # At the desk as well.
        much = Giving(anna.person.id, "PHP", at.configuration.desk_alone + 1, "a prize")
        asked = await at.house.two_people.move_money(emil, "an-id-0003", much)
        assert isinstance(asked, Request)
        assert await at.house.two_people.move_money(emil, "an-id-0003", much) == asked
        await is_reused(emil, id="an-id-0003", do="pause", reason="a drink was spilt")
        for used in ("an-id-0001", "an-id-0003"):
            with pytest.raises((Problem, ValueError), match="used for another"):
                await at.house.two_people.move_money(emil, used, msgspec.structs.replace(much, reason="another"))
        await at.house.two_people.decide_adjustment(asked, fay, "an-id-0004", approve=False, note="No.")
        with pytest.raises(ValueError, match="used for another"):
            await at.house.two_people.decide_adjustment(asked, fay, "an-id-0004", approve=False, note="Never.")
        await is_reused(fay, id="an-id-0004", do="pause", reason="a drink was spilt")
        assert await at.problems() == []

    at_home(tmp_path, work)


def test_of_two_messages_under_one_id_in_one_moment_one_is_heard(tmp_path: Path) -> None:
    async def work(at: Service) -> None:
        dora = await at.staff("Dora", Role.DEALER)
        await led(at, dora, *SHOE, {"do": "open-betting"})
        said = [{**VOID, "id": "an-id-0001"}, {"id": "an-id-0001", "do": "pause", "reason": "a drink was spilt"}]

        async def too_early(*_: object) -> None:
            """Neither is written when the other looks for it."""

        at.house.check_id = too_early  # type: ignore[method-assign, assignment]
        answers = await asyncio.gather(*[at.say("felt", dora, **message) for message in said])
        assert [each.get("reason", "") for each in answers] == ["id-reused", ""]
        assert await at.house.two_people.waiting() == [], "what was not heard waits for nobody"
        assert await at.problems() == []

    at_home(tmp_path, work)


def test_a_table_does_not_go_on_while_something_waits_for_a_second_person(tmp_path: Path) -> None:
    async def work(at: Service) -> None:
        dora, emil = await at.staff("Dora", Role.DEALER), await at.staff("Emil", Role.SUPERVISOR)
        await led(at, dora, *SHOE, {"do": "open-betting"})
        for reason in ("", "a drink was spilt"):
            if reason:
                await led(at, dora, {"do": "pause", "reason": reason})
            asked = await at.say("felt", dora, **VOID)
            answer = await at.say("felt", emil, do="resume")
            assert (answer["status"], answer["reason"]) == (409, "request-waits")
            assert "approve or decline it first" in answer["message"]
            assert at.house.tables["felt"].table.paused
            refused = await at.say("felt", dora, do="resume")
            assert (refused["status"], refused["reason"]) == (403, "not-allowed")
            await led(at, emil, {"do": "decline", "request": asked["request"]})
            assert bool(at.house.tables["felt"].table.paused) is bool(reason), (
                "its own pause is for a supervisor to end"
            )
        await led(at, emil, {"do": "resume"})

    at_home(tmp_path, work)


def test_what_is_sent_again_is_counted_once(tmp_path: Path) -> None:
    async def work(at: Service) -> None:
        dora, emil = await at.staff("Dora", Role.DEALER), await at.staff("Emil", Role.SUPERVISOR)
        anna = await at.guest()
        await at.house.arrived(anna)
        await led(at, dora, *SHOE, {"do": "open-betting"})
        stake = {"id": "my-stake-0001", "do": "stake", "wager": "tie", "amount": 2_000}
        for _ in range(3):
            assert (await at.say("felt", anna, **stake))["type"] == "accepted"
        # Also where all copies are in line together.
        await asyncio.gather(
            *[at.say("felt", anna, **{**stake, "id": "my-stake-0002", "amount": 4_000}) for _ in range(3)]
        )
        for _ in range(3):
            request = (await at.say("felt", dora, id="my-void-0001", **VOID))["request"]
        for _ in range(3):
            await at.say("felt", emil, id="approve-0001", do="approve", request=request)
        assert counted(at, "wagers_accepted_total") == 2
        for kind in ("void", "approve"):
            assert counted(at, "commands_accepted_total", kind=kind) == 1, kind

    at_home(tmp_path, work)


def test_a_void_that_is_asked_for_as_the_next_round_begins_pauses_nothing(tmp_path: Path) -> None:
    """At a table that the server leads the next round does not wait until the request is written down."""

    async def work(at: Service) -> None:
        emil, live = await at.staff("Emil", Role.SUPERVISOR), at.house.tables["mirror"]
        viewer = await at.join("mirror", None)
        while "round-settled" not in [each.get("event") for each in viewer.messages]:
            await at.advance(CARD)
        number, keep = live.table.round_number, at.house.requests.ask

        async def meanwhile(asked: Any) -> Any:
            await at.advance(BETWEEN + CARD)
            assert live.table.round_number == number + 1
            return await keep(asked)

        at.house.requests.ask = meanwhile  # type: ignore[method-assign]
        missing = {**VOID, "irregularity": "wrong-number-of-cards"}
        refused = await at.say("mirror", emil, **missing)
        assert (refused["status"], refused["reason"]) == (409, "lapsed")
        assert (live.table.paused, live.table.paused_for) == ("", None)
        assert await at.house.two_people.waiting() == []

    at_home(tmp_path, work)


def test_a_request_that_names_no_round_is_about_the_one_that_was_looked_at(tmp_path: Path) -> None:
    async def work(at: Service) -> None:
        emil, live = await at.staff("Emil", Role.SUPERVISOR), at.house.tables["mirror"]
        viewer, database = await at.join("mirror", None), at.house.record.database
        while "round-settled" not in [each.get("event") for each in viewer.messages]:
            await at.advance(CARD)
        number, standing = live.table.round_number, database.standing

        async def meanwhile(accounts: Any) -> Any:
            database.standing = standing  # type: ignore[method-assign]
            await at.advance(BETWEEN + CARD)
            assert live.table.round_number == number + 1
            return await standing(accounts)

        database.standing = meanwhile  # type: ignore[method-assign]
        refused = await at.say("mirror", emil, **{**VOID, "irregularity": "wrong-number-of-cards"})
        assert (refused["status"], refused["reason"]) == (409, "lapsed")
        assert not live.table.paused

    at_home(tmp_path, work)
