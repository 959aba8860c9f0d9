"""The lobby: all tables on one socket, told once where they have changed."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
from picows import ws_connect

from puntobanco import find_game
from puntobanco.ledger import IssueMoney
from puntobanco.server.disputes import Outcome
from puntobanco.server.floor import FloorTable, usual_settings
from puntobanco.server.lobby import Lobby
from puntobanco.server.messages import LobbyTold
from puntobanco.server.persons import Role
from puntobanco.server.requests import Request
from puntobanco.server.two_people import Giving
from puntobanco.store.database import StorageFault
from puntobanco.table import Dealing
from server.doors import Doors, Line, open_doors
from server.services import Service, Viewer, service

MANILA = find_game("manila")
DEALT = FloorTable("felt", "Felt", usual_settings(MANILA, decks=4, dealing=Dealing.DEALER))
_TOLD = msgspec.json.Decoder(LobbyTold)


class Looking(Viewer):
    """Somebody in the lobby."""

    @property
    def patron(self) -> str:
        assert self.person is not None
        return self.person.id

    def send(self, *messages: bytes) -> None:
        for message in messages:
            _TOLD.decode(message)
        self.sent += messages


def at_home(folder: Path, work: Any) -> None:
    async def run() -> None:
        async with service(folder) as at:
            await at.add_table(DEALT)
            await work(at, at.house.lobby)

    asyncio.run(run())


def test_a_lobby_shows_all_tables_and_then_only_what_changes(tmp_path: Path) -> None:
    async def work(at: Service, lobby: Lobby) -> None:
        dealer, viewer = await at.staff("Dora", Role.DEALER), Looking(None)
        await lobby.join(viewer)
        assert [each["id"] for each in viewer.messages[0]["tables"]] == ["felt"]
        await at.advance(3_000)
        assert len(viewer.messages) == 1, "nothing has changed"
        await at.say("felt", dealer, do="open-shoe")
        await at.say("felt", dealer, do="burn", shown=["Ac"], face_down=1)
        await at.advance(1_000)
        await at.until(lambda: len(viewer.messages) == 2)
        told = viewer.messages[1]
        assert (told["type"], told["tables"][0]["phase"], told["gone"]) == ("tables-changed", "ready", [])
        await at.say("felt", dealer, do="end-shoe")
        await at.house.floor.change("felt", closed=True)
        await at.house.take_up(await at.house.floor.table("felt"))
        await at.advance(1_000)
        await at.until(lambda: viewer.messages[-1].get("gone") == ["felt"])
        lobby.leave(viewer)
        await at.advance(1_000)
        await at.until(lambda: lobby._task is not None and lobby._task.done())

    at_home(tmp_path, work)


def test_staff_learn_how_many_requests_wait_and_patrons_do_not(tmp_path: Path) -> None:
    async def work(at: Service, lobby: Lobby) -> None:
        dealer, boss = await at.staff("Dora", Role.DEALER), await at.staff("Sam", Role.SUPERVISOR)
        anna, viewer, patron = await at.guest(), Looking(boss.person), Looking(None)
        patron.person = anna.person
        await lobby.join(viewer)
        await lobby.join(patron)
        await at.say("felt", dealer, do="open-shoe")
        await at.say("felt", dealer, do="burn", shown=["Ac"], face_down=1)
        await at.say("felt", dealer, do="open-betting")
        await at.say("felt", dealer, do="void", irregularity="technical-fault", note="The reader failed.")
        await at.advance(1_000)

        def waiting() -> list[int]:
            return [each["waiting"] for each in viewer.messages if each["type"] == "requests"]

        await at.until(lambda: waiting()[-1:] == [1])
        assert waiting()[0] == 0
        assert "requests" not in [each["type"] for each in patron.messages]

    at_home(tmp_path, work)


def told(viewer: Viewer, *kinds: str) -> list[dict[str, Any]]:
    return [each for each in viewer.messages if each["type"] in kinds]


def test_a_patron_hears_in_the_lobby_what_is_their_own_and_nobody_else_does(tmp_path: Path) -> None:
    async def work(at: Service, lobby: Lobby) -> None:
        dealer, boss = await at.staff("Dora", Role.DEALER), await at.staff("Sam", Role.SUPERVISOR)
        anna, others = await at.guest(), [Looking((await at.guest()).person), Looking(boss.person), Looking(None)]
        mine = Looking(anna.person)
        for viewer in (mine, *others):
            await lobby.join(viewer)
        await at.house.arrived(anna)
        await at.say("felt", dealer, do="open-shoe")
        await at.say("felt", dealer, do="burn", shown=["Ac"], face_down=1)
        await at.say("felt", dealer, do="open-betting")
        # By no socket of a table: nothing else would tell this page of it.
        staked = await at.say("felt", anna, do="stake", wager="player", amount=2000)
        await at.advance(1_000)
        (balance,) = told(mine, "balance")
        assert (balance["currency"], balance["balance"]) == ("PHP", staked["balance"])
        given = IssueMoney(anna.person.id, "PHP", 500, "a present")
        await at.house.at_the_desk(given, boss.person.id, "at-the-desk-1")
        (issued,) = told(mine, "money-issued")
        assert issued["balance"] == staked["balance"] + 500
        now, disputes = at.clock.now(), at.house.disputes
        opened = await disputes.open(anna.person.id, "felt", 1, "It was a nine.", now)
        await disputes.assign(opened.id, boss.person.id)
        await disputes.decide(opened.id, boss.person, Outcome.REJECTED, "It was not.", now)
        await at.advance(3_000)
        await at.until(lambda: bool(told(mine, "dispute-decided")))
        for viewer in others:
            assert not told(viewer, "balance", "money-issued", "dispute-decided")
        lobby.leave(mine)
        assert at.house.places == {others[0].patron: 2}
        await at.say("felt", anna, do="stake", wager="player", amount=4000)
        await at.advance(1_000)
        assert len(told(mine, "balance")) == 1, "whoever has left is told nothing more"

    at_home(tmp_path, work)


def test_who_may_decide_hears_in_the_lobby_what_is_asked_of_the_desk(tmp_path: Path) -> None:
    async def work(at: Service, lobby: Lobby) -> None:
        roles = {"Dora": Role.DEALER, "Sam": Role.SUPERVISOR, "Tess": Role.SUPERVISOR, "Ada": Role.AUDITOR}
        staff = {name: await at.staff(name, role) for name, role in roles.items()}
        staff["Rick"] = await at.staff("Rick", Role.DIRECTOR)
        anna, viewers = await at.guest(), {name: Looking(each.person) for name, each in staff.items()}
        patron = Looking(anna.person)
        for viewer in (*viewers.values(), patron):
            await lobby.join(viewer)
        much = at.configuration.desk_alone + 1
        asked = Giving(anna.person.id, "PHP", much, "a prize")
        request = await at.house.two_people.move_money(staff["Sam"], "message-much", asked)
        assert isinstance(request, Request)
        for name in ("Sam", "Tess", "Rick"):
            (made,) = told(viewers[name], "request-made")
            assert (made["do"], made["table"], made["patron"]) == ("issue", None, anna.person.id)
            assert made["names"] == {staff["Sam"].person.id: "Sam", anna.person.id: anna.person.name}
        await at.house.two_people.decide_adjustment(request, staff["Tess"], "message-agreed", approve=True)
        for name in ("Sam", "Tess", "Rick"):
            (decided,) = told(viewers[name], "request-decided")
            assert (decided["state"], decided["names"][staff["Tess"].person.id]) == ("approved", "Tess")
        for viewer in (viewers["Dora"], viewers["Ada"], patron):
            assert not told(viewer, "request-made", "request-decided")
        # What a dealer has asked for at a table, they hear of wherever they are.
        await at.say("felt", staff["Dora"], do="open-shoe")
        await at.say("felt", staff["Dora"], do="burn", shown=["Ac"], face_down=1)
        await at.say("felt", staff["Dora"], do="open-betting")
        await at.say("felt", staff["Dora"], do="void", irregularity="technical-fault", note="The reader failed.")
        assert [each["table"] for each in told(viewers["Dora"], "request-made")] == ["felt"]

    at_home(tmp_path, work)


def test_the_count_of_requests_is_right_whoever_comes_and_goes(tmp_path: Path) -> None:
    async def work(at: Service, lobby: Lobby) -> None:
        dealer, boss = await at.staff("Dora", Role.DEALER), await at.staff("Sam", Role.SUPERVISOR)

        def waiting(viewer: Viewer) -> list[int]:
            return [each["waiting"] for each in told(viewer, "requests")]

        async def void() -> str:
            said = {"irregularity": "technical-fault", "note": "The reader failed."}
            return str((await at.say("felt", dealer, do="void", **said))["request"])

        await at.say("felt", dealer, do="open-shoe")
        await at.say("felt", dealer, do="burn", shown=["Ac"], face_down=1)
        await at.say("felt", dealer, do="open-betting")
        first, second = Looking(boss.person), Looking(boss.person)
        request = await void()
        await lobby.join(first)
        await at.advance(1_000)
        assert waiting(first) == [1]
        lobby.leave(first)
        await at.say("felt", boss, do="decline", request=request)
        await lobby.join(second)
        await void()
        await at.advance(3_000)
        assert waiting(second) == [0, 1], "each count is told once"
        # Somebody who comes may learn of it before those who are here.
        await lobby.join(first)
        assert waiting(first) == [1, 1]
        assert waiting(second) == [0, 1]

    at_home(tmp_path, work)


def test_nothing_is_lost_while_somebody_comes_nor_by_somebody_who_fails(tmp_path: Path) -> None:
    async def work(at: Service, lobby: Lobby) -> None:
        dealer, boss = await at.staff("Dora", Role.DEALER), await at.staff("Sam", Role.SUPERVISOR)
        waiting = at.house.requests.waiting

        async def meanwhile(stream: str | None = None) -> Any:
            found = await waiting(stream)
            at.house.requests.waiting = waiting  # type: ignore[method-assign]
            await at.say("felt", dealer, do="open-shoe")
            lobby._tell_tables()
            return found

        broken, viewer, patron = Looking(None), Looking(boss.person), Looking(None)
        await lobby.join(broken)
        await lobby.join(patron)
        at.house.requests.waiting = meanwhile  # type: ignore[method-assign]
        await lobby.join(viewer)
        # What they know of the table is how it stands, whether it changed before they were shown it or after.
        assert viewer.messages[-2]["tables"][0]["phase"] == "burn due"

        # Nor is there a moment between what they are shown and what they are told.
        late = Looking(boss.person)

        def changes() -> None:
            at.house.tables["felt"].title = "Another"
            lobby._tell_tables()

        def sends(*messages: bytes) -> None:
            asyncio.get_running_loop().call_soon(changes)
            Looking.send(late, *messages)

        late.send = sends  # type: ignore[method-assign]
        await lobby.join(late)
        await at.until(lambda: late.messages[-1]["type"] == "tables-changed")
        assert late.messages[-1]["tables"][0]["name"] == "Another"

        def fails(*messages: bytes) -> None:
            raise OSError

        broken.send = fails  # type: ignore[method-assign]
        before = len(patron.messages)
        await at.say("felt", dealer, do="burn", shown=["Ac"], face_down=1)
        await at.advance(1_000)
        for each in (patron, viewer):
            await at.until(lambda each=each: each.messages[-1]["type"] == "tables-changed")  # type: ignore[misc]
            assert each.messages[-1]["tables"][0]["phase"] == "ready"
        assert len(patron.messages) == before + 1
        assert broken.has_gone
        assert broken not in lobby.connections

    at_home(tmp_path, work)


def test_a_lobby_that_cannot_be_shown_is_no_silence(tmp_path: Path) -> None:
    async def run() -> None:
        async with open_doors(tmp_path) as doors:

            async def fails(connection: object) -> None:
                raise StorageFault("The disk is full.")

            doors.house.lobby.join = fails  # type: ignore[method-assign]
            line = await lobby_of(doors)
            async with asyncio.timeout(20):
                while not line.is_over:
                    await asyncio.sleep(0.01)
            assert [each["reason"] for each in line.messages] == ["storage"]

    asyncio.run(run())


def test_the_lobby_is_a_socket_on_which_nothing_is_asked(tmp_path: Path) -> None:
    async def heard(line: Line, kind: str) -> dict[str, Any]:
        async with asyncio.timeout(20):
            while kind not in [each["type"] for each in line.messages]:
                await asyncio.sleep(0.01)
        return next(each for each in line.messages if each["type"] == kind)

    async def run() -> None:
        async with open_doors(tmp_path, betting_seconds=0.2, card_seconds=0, pause_seconds=0) as doors:
            line = await lobby_of(doors)
            assert [each["id"] for each in (await heard(line, "tables"))["tables"]] == ["manila"]
            line.say({"id": "message-0001", "do": "open-betting"})
            assert (await heard(line, "refused"))["reason"] == "malformed"
            await doors.line("manila")
            assert (await heard(line, "tables-changed"))["tables"][0]["id"] == "manila"

    asyncio.run(run())


async def lobby_of(doors: Doors) -> Line:
    _, line = await ws_connect(Line, f"{doors.address.replace('http', 'ws', 1)}/api/live")
    assert isinstance(line, Line)
    doors.lines.append(line)
    return line
