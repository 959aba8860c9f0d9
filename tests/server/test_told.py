"""What those at a table are told does not depend on how fast others are, and outlives a fault and a new start."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from puntobanco import find_game
from puntobanco.errors import Fault
from puntobanco.server.floor import FloorTable, usual_settings
from puntobanco.server.live_table import TRY_AGAIN_MILLISECONDS
from puntobanco.server.persons import Role, Signed
from puntobanco.server.two_people import Giving
from puntobanco.store.database import StorageFault
from puntobanco.table import Dealing
from server.services import BETTING, CARD, REVEAL, Json, Service, SlowLook, Viewer, service
from server.strolls import _hashed

MANILA = find_game("manila")
VIRTUAL = FloorTable("mirror", "Mirror", usual_settings(MANILA, decks=4))
DEALT = FloorTable("felt", "Felt", usual_settings(MANILA, decks=4, dealing=Dealing.DEALER))
CARDS = ["5h", "Th", "4c", "7d"]
"""Player nine, Banker seven."""


def at_home(folder: Path, work: Callable[[Service], Awaitable[None]]) -> None:
    async def run() -> None:
        async with service(folder) as at:
            await at.add_table(VIRTUAL)
            await at.add_table(DEALT)
            await work(at)

    asyncio.run(run())


async def say_all(at: Service, dealer: Signed, *messages: Json) -> list[Json]:
    """All at one moment, so that they become durable together."""
    return list(await asyncio.gather(*[at.say("felt", dealer, **message) for message in messages]))


def public(messages: list[Json]) -> list[Json]:
    return [{key: each[key] for key in each if key not in ("time", "version")} for each in messages[1:]]


def test_every_event_is_told_as_the_table_stood_after_it(tmp_path: Path) -> None:
    """A dealer who is fast and one who is slow tell the same story."""

    async def story(at: Service, fast: bool) -> list[Json]:
        dealer = await at.staff("Dora", Role.DEALER)
        anna = await at.guest()
        viewer = await at.join("felt", anna.person)
        for message in ({"do": "open-shoe"}, {"do": "burn", "shown": ["Ac"], "face_down": 1}, {"do": "open-betting"}):
            assert (await at.say("felt", dealer, **message))["type"] == "accepted"
        assert (await at.say("felt", anna, do="stake", wager="player", amount=2000))["type"] == "accepted"
        await at.advance(1_000)
        hands = ["player", "banker"] * 2
        deals: list[Json] = [
            {"do": "deal", "card": card, "hand": hand} for card, hand in zip(CARDS, hands, strict=True)
        ]
        said = [{"do": "close-betting"}, *deals, {"do": "announce"}, {"do": "settle"}, {"do": "open-betting"}]
        if fast:
            answers = await say_all(at, dealer, *said)
        else:
            answers = [await at.say("felt", dealer, **message) for message in said]
        assert {each["type"] for each in answers} == {"accepted"}, answers
        await at.settle()
        return public(viewer.messages)

    async def work() -> list[list[Json]]:
        found = []
        for fast in (False, True):
            async with service(tmp_path / str(fast)) as at:
                await at.add_table(DEALT)
                found.append(await story(at, fast))
        return found

    slow, fast = asyncio.run(work())
    assert [each["event"] for each in slow].count("card-dealt") == 4
    assert slow == fast


def test_totals_are_told_though_something_else_happens_right_after_a_wager(tmp_path: Path) -> None:
    async def work(at: Service) -> None:
        supervisor, anna = await at.staff("Sam", Role.SUPERVISOR), await at.guest()
        viewer = await at.join("mirror", None)
        await at.say("mirror", anna, do="stake", wager="tie", amount=2000)
        await at.say("mirror", supervisor, do="pause", reason="a moment")
        await at.advance(1_000)
        told = [each for each in viewer.messages if each.get("event") in ("stakes-changed", "table-paused")]
        assert [each["event"] for each in told] == ["stakes-changed", "table-paused"]
        assert told[0]["spots"] == {"tie": {"stake": 2000, "patrons": 1}}
        assert told[0]["version"] < told[1]["version"]

    async def run() -> None:
        async with service(tmp_path) as at:
            await at.add_table(VIRTUAL)
            guest = at.guest

            async def arrived() -> Signed:
                signed = await guest()
                await at.house.arrived(signed)
                return signed

            at.guest = arrived  # type: ignore[method-assign]
            await work(at)

    asyncio.run(run())


def test_after_a_new_start_patrons_have_time_again_to_show_their_nonces(tmp_path: Path) -> None:
    async def work(at: Service) -> None:
        anna = await at.guest()
        viewer = await at.join("mirror", anna.person)
        nonce = bytes(range(32))
        committed = _hashed("pb1/nonce", "mirror/1", 1, anna.person.id, nonce)
        assert (await at.say("mirror", anna, do="commit", commitment=committed))["type"] == "accepted"
        await at.advance(BETTING)
        assert viewer.messages[-1]["event"] == "betting-closed"
        await at.crash()
        await at.open()
        viewer = await at.join("mirror", anna.person)
        assert viewer.messages[0]["table"]["phase"] == "dealing"
        await at.advance(REVEAL - 1)
        assert len(viewer.messages) == 1, "nothing is sealed before the time is over"
        assert (await at.say("mirror", anna, do="reveal", nonce=nonce.hex()))["type"] == "accepted"
        await at.advance(8 * CARD)
        assert viewer.messages[-1]["event"] == "key-published"
        (nonces,) = (await at.house.transcript("mirror", 1))["rounds"][1]["nonces"]
        assert (nonces["patron"], nonces["nonce"]) == (anna.person.id, nonce.hex())

    at_home(tmp_path, work)


def test_a_table_whose_storage_failed_says_so_at_once_and_goes_on_later(tmp_path: Path) -> None:
    """With a dealer or without, at play or at rest; what was not durable was not acknowledged."""

    async def work(at: Service) -> None:
        dealer, anna = await at.staff("Dora", Role.DEALER), await at.guest()
        viewers = {name: await at.join(name, anna.person) for name in ("felt", "mirror")}
        for message in ({"do": "open-shoe"}, {"do": "burn", "shown": ["Ac"], "face_down": 1}, {"do": "open-betting"}):
            assert (await at.say("felt", dealer, **message))["type"] == "accepted"
        for name in viewers:
            live, wager = at.house.tables[name], {"do": "stake", "wager": "tie", "amount": 2000}
            answer = await failing(at, lambda name=name, wager=wager: at.say(name, anna, **wager))  # type: ignore[misc]
            assert (answer["type"], answer["status"]) == ("refused", 503)
            assert live.trouble, "it is known at once"
            assert live.listed()["trouble"] == live.trouble
            again = await at.say(name, anna, **wager)
            assert (again["type"], again["status"], again["reason"]) == ("refused", 503, "stopped")
            # The others are not concerned.
            assert at.house.purses.held(anna.person.id) == ({} if name == "felt" else {"PHP": 2000})
            late = await at.join(name, anna.person)
            assert late.messages[0]["table"]["trouble"] == live.trouble
            await at.advance(2 * TRY_AGAIN_MILLISECONDS)
            assert live.trouble is None
            told = [each for each in viewers[name].messages if each["type"] == "table-stopped"]
            assert [each["message"] for each in told] == ["The table has stopped: its record cannot be written."]
            for viewer in (viewers[name], late):
                (*_, shown) = [each for each in viewer.messages if each["type"] == "snapshot"]
                assert shown["table"]["trouble"] is None, "everybody sees that it goes on"
            assert (await at.say(name, anna, **wager))["type"] == "accepted"
            await at.advance(1_000)
            assert "stakes-changed" in [each.get("event") for each in viewers[name].messages]
        assert await at.problems() == []

    at_home(tmp_path, work)


def test_guests_come_again_after_the_storage_failed_while_one_came(tmp_path: Path) -> None:
    async def work(at: Service) -> None:
        async def come() -> Json:
            try:
                return {"type": "accepted", "patron": (await at.guest()).person.id}
            except StorageFault as fault:
                return {"type": "refused", "reason": fault.reason}

        assert (await failing(at, come))["type"] == "refused"
        await at.advance(2 * TRY_AGAIN_MILLISECONDS)
        assert (await come())["type"] == "accepted"

    at_home(tmp_path, work)


def test_one_who_cannot_be_told_does_not_keep_the_others_from_it(tmp_path: Path) -> None:
    async def work(at: Service) -> None:
        broken, viewer = await at.join("mirror", None), await at.join("mirror", None)

        def fails(*messages: bytes) -> None:
            raise ConnectionResetError

        broken.send = fails  # type: ignore[method-assign]
        await at.advance(BETTING + REVEAL)
        assert [each for each in viewer.messages if each.get("event") == "betting-closed"]
        assert broken not in at.house.tables["mirror"].connections
        assert broken.has_gone, "they learn that they hear nothing more"

    at_home(tmp_path, work)


def test_a_dealer_that_fails_for_another_reason_is_tried_again(tmp_path: Path) -> None:
    """Such as keys that cannot be unsealed for the moment; the table says so meanwhile."""

    async def work(at: Service) -> None:
        viewer = await at.join("mirror", None)
        live = at.house.tables["mirror"]
        step, failed = live._dealer.step, [ValueError("a shoe of other settings"), Fault("unsealable", "No key.")]

        async def fails() -> Any:
            if failed:
                raise failed.pop(0)
            return await step()

        live._dealer.step = fails  # type: ignore[method-assign]
        await at.advance(BETTING)
        assert live.trouble
        await at.advance(TRY_AGAIN_MILLISECONDS)
        assert live.trouble, "it failed again"
        await at.advance(TRY_AGAIN_MILLISECONDS + 1)
        assert live.trouble is None
        kinds = [each["type"] for each in viewer.messages if each["type"] != "event"]
        assert kinds == ["snapshot", "table-stopped", "snapshot"], "once, however often it is tried"
        assert viewer.messages[-1]["event"] != "betting-opened", "it goes on"

    at_home(tmp_path, work)


def test_one_who_cannot_be_shown_the_table_comes_back_and_the_others_hear_all(tmp_path: Path) -> None:
    """A balance that could not be read, once, while everybody was shown how the table stands."""

    async def work(at: Service) -> None:
        dealer, anna = await at.staff("Dora", Role.DEALER), await at.guest()
        unlucky, viewer = await at.join("felt", anna.person), await at.join("felt", None)
        live, database = at.house.tables["felt"], at.house.record.database
        standing = database.standing

        async def fails_once(accounts: Any) -> Any:
            database.standing = standing  # type: ignore[method-assign]
            raise StorageFault("database is locked")

        database.standing = fails_once  # type: ignore[method-assign]
        live._say_that_it_goes_on()
        await at.until(lambda: viewer.messages[-1]["type"] == "snapshot" and unlucky.has_gone)
        assert unlucky not in live.connections
        assert (await at.say("felt", dealer, do="open-shoe"))["type"] == "accepted"
        await at.settle()
        assert viewer.messages[-1]["event"] == "shoe-opened"
        # No event says what they were to be shown.
        again = await at.join("felt", anna.person, after=unlucky.version)
        assert again.messages[0]["type"] == "snapshot"
        assert live.trouble is None

    at_home(tmp_path, work)


def test_a_table_that_cannot_tell_what_happens_says_so_and_tries_again(tmp_path: Path) -> None:
    """None of its tasks ends; /readyz counts the table meanwhile, and nothing is lost on those who are there."""

    async def work(at: Service) -> None:
        dealer, viewer, live = await at.staff("Dora", Role.DEALER), await at.join("felt", None), at.house.tables["felt"]
        for part, name in ((live.audience, "send_all"), (live, "_tell_stakes")):
            works, seen = getattr(part, name), len(viewer.messages)

            def fails(*_: object) -> Any:
                raise ZeroDivisionError

            setattr(part, name, fails)
            note = {"do": "pause", "reason": "a moment"} if name == "_tell_stakes" else {"do": "open-shoe"}
            if name == "send_all":
                assert (await at.say("felt", dealer, **note))["type"] == "accepted"
            await at.advance(2 * TRY_AGAIN_MILLISECONDS)
            assert live.trouble == "The table has stopped: what happens there cannot be told."
            assert at.house.readiness().stopped == 1
            assert viewer.messages[seen]["type"] == "table-stopped"
            setattr(part, name, works)
            await at.advance(2 * TRY_AGAIN_MILLISECONDS)
            assert live.trouble is None
            assert at.house.readiness().stopped == 0
            kinds = [each.get("event") or each["type"] for each in viewer.messages[seen:]]
            assert kinds == ["table-stopped", *(["shoe-opened"] if name == "send_all" else []), "snapshot"]

    at_home(tmp_path, work)


def test_a_task_of_a_table_ends_only_when_the_table_is_stopped(tmp_path: Path) -> None:
    """Also where what it waited for was cancelled, such as a question on a connection that was lost."""

    async def work(at: Service) -> None:
        live = at.house.tables["mirror"]
        viewer, step = await at.join("mirror", None), live._dealer.step

        async def is_cancelled() -> Any:
            live._dealer.step = step  # type: ignore[method-assign]
            raise asyncio.CancelledError

        live._dealer.step = is_cancelled  # type: ignore[method-assign]
        await at.advance(BETTING)
        assert live.trouble == "The table has stopped: its dealer cannot go on."
        await at.advance(TRY_AGAIN_MILLISECONDS + 1)
        assert live.trouble is None
        assert viewer.messages[-1]["type"] in ("event", "snapshot")
        await live.stop()
        assert live._tasks == []

    at_home(tmp_path, work)


async def failing(at: Service, work: Callable[[], Awaitable[Json]]) -> Json:
    """What is answered while the disk cannot be written."""
    database = at.house.record.database
    commit = database.commit

    async def fails() -> None:
        raise StorageFault("The disk is full.")

    database.commit = fails  # type: ignore[method-assign]
    try:
        return await work()
    finally:
        database.commit = commit  # type: ignore[method-assign]


def test_whoever_watched_through_a_fault_is_told_how_the_table_stands(tmp_path: Path) -> None:
    """The commit succeeded and its answer was lost: the event counts, and nobody was told of it."""

    async def work(at: Service) -> None:
        dealer = await at.staff("Dora", Role.DEALER)
        viewer = await at.join("felt", None)
        await at.say("felt", dealer, do="open-shoe")
        database = at.house.record.database
        commit = database.commit

        async def loses_the_answer() -> None:
            await commit()
            raise StorageFault("The connection was lost.")

        database.commit = loses_the_answer  # type: ignore[method-assign]
        burn: dict[str, Any] = {"id": "burn-0001", "do": "burn", "shown": ["Ac"], "face_down": 1}
        assert (await at.say("felt", dealer, **burn))["status"] == 503
        database.commit = commit  # type: ignore[method-assign]
        await at.advance(2 * TRY_AGAIN_MILLISECONDS)
        assert (await at.say("felt", dealer, **burn))["type"] == "accepted"
        assert (await at.say("felt", dealer, do="open-betting"))["type"] == "accepted"
        await at.settle()
        kinds = [each["type"] for each in viewer.messages]
        assert kinds == ["snapshot", "event", "table-stopped", "snapshot", "event"]
        assert viewer.messages[3]["table"]["phase"] == "ready"
        versions = [each["version"] for each in viewer.messages]
        assert versions == sorted(versions)
        # Who was away all the time cannot be told what is not known, and sees how it stands.
        late = await at.join("felt", None, after=viewer.messages[1]["version"])
        assert json.loads(late.sent[0])["type"] == "snapshot"

    at_home(tmp_path, work)


def test_which_hand_is_due_is_told_with_every_card(tmp_path: Path) -> None:
    """Nobody who watches or deals needs to reckon who draws."""

    async def work(at: Service) -> None:
        dealer = await at.staff("Dora", Role.DEALER)
        viewer = await at.join("felt", None)
        messages: list[Json] = [{"do": "open-shoe"}, {"do": "burn", "shown": ["Ac"], "face_down": 1}]
        messages += [{"do": "open-betting"}, {"do": "close-betting"}]
        messages += [{"do": "deal", "card": card} for card in CARDS[:3]]
        for message in [*messages, {"do": "undo-card"}, {"do": "deal", "card": "4c"}, {"do": "deal", "card": "7d"}]:
            assert (await at.say("felt", dealer, **message))["type"] == "accepted"
        await at.settle()
        told = [(each["event"], each["due"]) for each in viewer.messages if "due" in each]
        assert told == [
            ("betting-closed", "player"),
            ("card-dealt", "banker"),
            ("card-dealt", "player"),
            ("card-dealt", "banker"),
            ("card-taken-back", "player"),
            ("card-dealt", "banker"),
            ("card-dealt", None),
        ]

    at_home(tmp_path, work)


def test_patrons_are_counted_and_staff_are_not(tmp_path: Path) -> None:
    async def work(at: Service) -> None:
        dealer, anna = await at.staff("Dora", Role.DEALER), await at.guest()
        for person in (dealer.person, anna.person, anna.person, None):
            await at.join("felt", person)
        listed = at.house.tables["felt"].listed()
        assert (listed["patrons"], listed["watching"]) == (1, 4)
        assert at.house.reading().patrons == 1

    at_home(tmp_path, work)


def test_whoever_has_missed_nothing_since_a_new_start_is_told_what_follows(tmp_path: Path) -> None:
    async def work(at: Service) -> None:
        dealer = await at.staff("Dora", Role.DEALER)
        await at.say("felt", dealer, do="open-shoe")
        before = await at.join("mirror", None)
        await at.crash()
        await at.open()
        version = at.house.tables["felt"].version
        back = await at.join("felt", None, after=version)
        assert back.messages == []
        await at.say("felt", dealer, do="burn", shown=["Ac"], face_down=1)
        await at.settle()
        assert [each["event"] for each in back.messages] == ["cards-burned"]
        # Where betting is open everybody has the whole time again, which no event says.
        shown = await at.join("mirror", None, after=before.version)
        assert [each["type"] for each in shown.messages] == ["snapshot"]

    at_home(tmp_path, work)


def test_a_round_whose_dealer_cannot_go_on_can_be_voided(tmp_path: Path) -> None:
    """Or the stakes would lie there for as long as it fails; patrons stake nothing more meanwhile."""

    async def work(at: Service) -> None:
        anna, (sam, sue) = await at.guest(), [await at.staff(name, Role.SUPERVISOR) for name in ("Sam", "Sue")]
        await at.join("mirror", anna.person)
        assert (await at.say("mirror", anna, do="stake", wager="tie", amount=2000))["type"] == "accepted"
        live = at.house.tables["mirror"]

        async def fails() -> Any:
            raise Fault("unsealable", "No key.")

        live._dealer.step = fails  # type: ignore[method-assign]
        await at.advance(BETTING)
        assert (await at.say("mirror", anna, do="stake", wager="tie", amount=4000))["reason"] == "stopped"
        asked = await at.say("mirror", sam, do="void", irregularity="technical-fault", note="no key")
        assert asked["type"] == "accepted", asked
        assert (await at.say("mirror", sue, do="approve", request=asked["request"]))["type"] == "accepted"
        assert at.house.purses.held(anna.person.id) == {}

    at_home(tmp_path, work)


def test_who_is_too_late_is_told_when_betting_closed(tmp_path: Path) -> None:
    """By the server's clock; the same to a retry, and after a new start."""

    async def work(at: Service) -> None:
        dealer, anna = await at.staff("Dora", Role.DEALER), await at.guest()
        await at.join("felt", anna.person)
        for message in ({"do": "open-shoe"}, {"do": "burn", "shown": ["Ac"], "face_down": 1}, {"do": "open-betting"}):
            assert (await at.say("felt", dealer, **message))["type"] == "accepted"
        assert (await at.say("felt", anna, do="stake", wager="player", amount=2000))["type"] == "accepted"
        assert "closed_at" not in await at.say("felt", anna, do="stake", wager="player", amount=2001)
        await at.advance(1_500)
        closed_at = (await at.say("felt", dealer, do="close-betting"))["time"]
        await at.advance(700)
        late = [("tie", 2000, "late-wager"), ("player", 4000, "late-increase"), ("player", 0, "late-withdrawal")]
        first = [
            await at.say("felt", anna, id=f"too-{reason}", do="stake", wager=wager, amount=amount)
            for wager, amount, reason in late
        ]
        assert [(each["reason"], each["closed_at"]) for each in first] == [(each[2], closed_at) for each in late]
        await at.crash()
        await at.open()
        await at.house.arrived(anna)
        again = await at.say("felt", anna, do="stake", wager="tie", amount=2000)
        assert (again["reason"], again["closed_at"]) == ("late-wager", closed_at)
        for card in CARDS:
            await at.say("felt", dealer, do="deal", card=card)
        for do in ("announce", "settle", "open-betting", "close-betting"):
            assert (await at.say("felt", dealer, do=do))["type"] == "accepted"
        retried = await at.say("felt", anna, id="too-late-wager", do="stake", wager="tie", amount=2000)
        assert {**retried, "time": first[0]["time"]} == first[0]

    at_home(tmp_path, work)


def own_of(viewer: Viewer) -> list[tuple[Json, int]]:
    return [(each["stakes"], each["balance"]) for each in viewer.messages if each["type"] == "own"]


def test_all_pages_of_a_patron_know_of_their_stakes_and_balance(tmp_path: Path) -> None:
    """Whichever page the wager came from, and at other tables of the same unit; nobody else is told."""

    async def work(at: Service) -> None:
        dealer, anna, ben = await at.staff("Dora", Role.DEALER), await at.guest(), await at.guest()
        had = at.house.configuration.guest_money["PHP"]
        for message in ({"do": "open-shoe"}, {"do": "burn", "shown": ["Ac"], "face_down": 1}, {"do": "open-betting"}):
            await at.say("felt", dealer, **message)
        here, there = await at.join("felt", anna.person), await at.join("mirror", anna.person)
        other = await at.join("felt", ben.person)
        await at.say("felt", anna, do="stake", wager="player", amount=2000)
        await at.advance(1_000)
        assert own_of(here) == [({"player": 2000}, had - 2000)]
        assert own_of(there) == [({}, had - 2000)]
        for message in ({"do": "close-betting"}, *[{"do": "deal", "card": card} for card in CARDS]):
            await at.say("felt", dealer, **message)
        await at.say("felt", dealer, do="announce")
        await at.say("felt", dealer, do="settle")
        await at.advance(1_000)
        assert own_of(there)[-1] == ({}, had + 2000)
        assert own_of(other) == []

    at_home(tmp_path, work)


def test_whoever_has_one_page_is_told_nothing_twice(tmp_path: Path) -> None:
    async def work(at: Service) -> None:
        anna = await at.guest()
        gone, here = await at.join("mirror", anna.person), await at.join("mirror", anna.person)
        at.house.tables["mirror"].leave(gone)
        assert at.house.places == {anna.person.id: 1}
        await at.say("mirror", anna, do="stake", wager="player", amount=2000)
        await at.advance(1_000)
        assert own_of(here) == []
        at.house.tables["mirror"].leave(here)
        assert not at.house.places

    at_home(tmp_path, work)


def test_whoever_resumes_learns_of_their_own_stakes_and_balance(tmp_path: Path) -> None:
    async def work(at: Service) -> None:
        anna = await at.guest()
        before = await at.join("mirror", anna.person)
        await at.say("mirror", anna, do="stake", wager="player", amount=2000)
        await at.advance(1_000)
        back = await at.join("mirror", anna.person, after=before.messages[0]["version"])
        had = at.house.configuration.guest_money["PHP"]
        assert own_of(back) == [({"player": 2000}, had - 2000)]
        nobody = await at.join("mirror", None, after=before.messages[0]["version"])
        assert own_of(nobody) == []

    at_home(tmp_path, work)


async def dealt_to_the_end(at: Service, dealer: Signed) -> None:
    deals: list[Json] = [
        {"do": "deal", "card": card, "hand": hand} for card, hand in zip(CARDS, ["player", "banker"] * 2, strict=True)
    ]
    for message in ({"do": "close-betting"}, *deals, {"do": "announce"}, {"do": "settle"}):
        assert (await at.say("felt", dealer, **message))["type"] == "accepted"
    await at.settle()


def test_whoever_comes_while_the_table_plays_on_misses_nothing(tmp_path: Path) -> None:
    """What they have is looked up, which takes a while on a server: a whole round and an act of the desk."""

    async def work(at: Service) -> None:
        dealer, anna, watching = await at.staff("Dora", Role.DEALER), await at.guest(), await at.join("felt", None)
        await at.house.arrived(anna)
        live, had = at.house.tables["felt"], (await at.house.purses.balances(anna.person.id))["PHP"]
        for message in ({"do": "open-shoe"}, {"do": "burn", "shown": ["Ac"], "face_down": 1}):
            assert (await at.say("felt", dealer, **message))["type"] == "accepted"
        for after in (live.version, None):
            watching.sent = []
            assert (await at.say("felt", dealer, do="open-betting"))["type"] == "accepted"
            assert (await at.say("felt", anna, do="stake", wager="player", amount=2000))["type"] == "accepted"
            await at.advance(1_000)
            look, viewer = SlowLook(at), Viewer(anna.person)
            joining = asyncio.create_task(live.join(viewer, after))
            await look.began.wait()
            await dealt_to_the_end(at, dealer)
            had += 2000
            look.end()
            await joining
            if after is None:
                (shown,) = viewer.messages
                assert (shown["version"], shown["table"]["phase"]) == (live.version, "ready")
                assert shown["table"]["balance"] == had
            else:
                *events, own = viewer.messages
                assert [each["version"] for each in events] == [each["version"] for each in watching.messages]
                assert (own["type"], own["balance"]) == ("own", had)
            assert (await at.say("felt", dealer, do="open-betting"))["type"] == "accepted"
            await at.settle()
            assert viewer.messages[-1]["event"] == "betting-opened"
            await dealt_to_the_end(at, dealer)
            live.leave(viewer)

    at_home(tmp_path, work)


def test_whoever_comes_while_the_desk_gives_them_money_is_told_what_they_have(tmp_path: Path) -> None:
    async def work(at: Service) -> None:
        anna, supervisor = await at.guest(), await at.staff("Sam", Role.SUPERVISOR)
        had = (await at.house.purses.balances(anna.person.id))["PHP"]
        look, viewer = SlowLook(at), Viewer(anna.person)
        joining = asyncio.create_task(at.house.tables["felt"].join(viewer, None))
        await look.began.wait()
        given = Giving(anna.person.id, "PHP", 500, "Bought in.")
        assert isinstance(await at.house.two_people.move_money(supervisor, at.new_id(), given), int)
        look.end()
        await joining
        assert viewer.messages[0]["table"]["balance"] == had + 500

    at_home(tmp_path, work)


def test_whoever_comes_while_nobody_hears_what_happens_is_told_what_they_have(tmp_path: Path) -> None:
    async def work(at: Service) -> None:
        dealer, anna, live = await at.staff("Dora", Role.DEALER), await at.guest(), at.house.tables["felt"]
        await at.house.arrived(anna)
        had = (await at.house.purses.balances(anna.person.id))["PHP"]
        for message in ({"do": "open-shoe"}, {"do": "burn", "shown": ["Ac"], "face_down": 1}, {"do": "open-betting"}):
            assert (await at.say("felt", dealer, **message))["type"] == "accepted"
        look, viewer, follow = SlowLook(at), Viewer(anna.person), live.follow
        joining = asyncio.create_task(live.join(viewer, None))
        await look.began.wait()
        live.follow = lambda *_: None  # type: ignore[method-assign]
        assert (await at.say("felt", anna, do="stake", wager="player", amount=2000))["type"] == "accepted"
        live.follow = follow  # type: ignore[method-assign]
        assert (await at.say("felt", dealer, do="close-betting"))["type"] == "accepted"
        look.end()
        await joining
        shown = viewer.messages[0]["table"]
        assert (shown["stakes"], shown["balance"]) == ({"player": 2000}, had - 2000)

    at_home(tmp_path, work)


def test_whoever_is_here_twice_is_never_told_last_what_they_had_before(tmp_path: Path) -> None:
    """A wager is made while it is looked up what the one before has left."""

    async def work(at: Service) -> None:
        dealer, anna = await at.staff("Dora", Role.DEALER), await at.guest()
        had = (await at.house.purses.balances(anna.person.id))["PHP"]
        viewers = [await at.join("felt", anna.person) for _ in range(2)]
        for message in ({"do": "open-shoe"}, {"do": "burn", "shown": ["Ac"], "face_down": 1}, {"do": "open-betting"}):
            assert (await at.say("felt", dealer, **message))["type"] == "accepted"
        assert (await at.say("felt", anna, do="stake", wager="player", amount=2000))["type"] == "accepted"
        live, look = at.house.tables["felt"], SlowLook(at)
        telling = asyncio.create_task(live._tell_changed())
        await look.began.wait()
        live.leave(viewers[1])
        assert (await at.say("felt", anna, do="stake", wager="player", amount=4000))["type"] == "accepted"
        look.end()
        await telling
        await at.advance(1_000)
        own = [each for each in viewers[0].messages if each["type"] == "own"]
        assert [each["balance"] for each in own] == [had - 4000]

    at_home(tmp_path, work)


def test_whoever_sits_by_the_next_to_lead_a_table_is_told_when_betting_closes_then(tmp_path: Path) -> None:
    async def work(at: Service) -> None:
        viewer, live = await at.join("mirror", None), at.house.tables["mirror"]
        await at.advance(0)
        while live.closes_at is None:
            await at.advance(100)
        told = live.closes_at
        await live.stop_leading()
        at.clock._now += BETTING // 2
        live.lead()
        await at.settle()
        shown = viewer.messages[-1]
        assert (shown["type"], shown["table"]["closes_at"]) == ("snapshot", live.closes_at)
        assert live.closes_at == told + BETTING // 2
        # Also those who were away at that moment.
        back = await at.join("mirror", None, after=shown["version"])
        assert back.messages[-1]["table"]["closes_at"] == live.closes_at

    at_home(tmp_path, work)
