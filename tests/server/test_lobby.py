"""The lobby: all tables on one socket, told once where they have changed."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
from picows import ws_connect

from puntobanco import find_game
from puntobanco.server.floor import FloorTable, usual_settings
from puntobanco.server.lobby import Lobby
from puntobanco.server.messages import LobbyTold
from puntobanco.server.persons import Role
from puntobanco.table import Dealing
from server.doors import Doors, Line, open_doors
from server.services import Service, Viewer, service

MANILA = find_game("manila")
DEALT = FloorTable("felt", "Felt", usual_settings(MANILA, decks=4, dealing=Dealing.DEALER))
_TOLD = msgspec.json.Decoder(LobbyTold)


class Looking(Viewer):
    """Somebody in the lobby."""

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
