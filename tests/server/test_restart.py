"""A house that was closed in the middle of a round, or ended there, goes on as one that never was."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from puntobanco import find_game
from puntobanco.dealing import BurnAndCut
from puntobanco.server.floor import FloorTable, usual_settings
from puntobanco.server.persons import Role
from puntobanco.store.database import Database
from puntobanco.store.places import database_of
from puntobanco.table import Dealing
from server.services import BETTING, BETWEEN, CARD, REVEAL, Service, seeded_secrets, seldom_looked_after, service
from server.strolls import _hashed

MANILA = find_game("manila")
VIRTUAL = FloorTable("mirror", "Mirror", usual_settings(MANILA, decks=4, burn_and_cut=BurnAndCut(cut_depth=14)))
DEALT = FloorTable("felt", "Felt", usual_settings(MANILA, decks=4, dealing=Dealing.DEALER))
NONCE = bytes(range(32))
MOMENTS = {
    "betting": BETTING // 2,
    "closed": BETTING + REVEAL // 2,
    "sealed": BETTING + REVEAL,
    "one card": BETTING + REVEAL + CARD,
    "three cards": BETTING + REVEAL + 3 * CARD,
    "all cards": BETTING + REVEAL + 4 * CARD,
    "settled": BETTING + REVEAL + 8 * CARD,
}
"""Milliseconds after betting opened."""


@pytest.fixture(autouse=True, scope="module")
def _quickly() -> Iterator[None]:
    with seldom_looked_after():
        yield


async def story(at: Service, moment: int, interruption: str) -> tuple[list[str], dict[str, int]]:
    """Two rounds at one table and the start of one at the other; interrupted at a moment of the first, or not."""
    dealer = await at.staff("Dora", Role.DEALER)
    patron, token, _ = await at.house.welcome()
    anna = await at.signed_in(token)
    viewers = {name: await at.join(name, patron) for name in ("mirror", "felt")}
    for message in ({"do": "open-shoe"}, {"do": "burn", "shown": ["Ac"], "face_down": 1}, {"do": "open-betting"}):
        assert (await at.say("felt", dealer, **message))["type"] == "accepted"
    for name in viewers:
        assert (await at.say(name, anna, do="stakes", stakes={"player": 4000, "tie": 2000}))["type"] == "accepted"
    committed = _hashed("pb1/nonce", "mirror/1", 1, patron.id, NONCE)
    assert (await at.say("mirror", anna, do="commit", commitment=committed))["type"] == "accepted"
    for message in ({"do": "close-betting"}, {"do": "deal", "card": "5h"}):
        assert (await at.say("felt", dealer, **message))["type"] == "accepted"
    await at.advance(moment)
    if interruption != "none":
        before = {name: at.house.tables[name].snapshot(patron, 0)["table"] for name in viewers}
        await (at.close() if interruption == "closed" else at.crash())
        await at.open()
        viewers = {name: await at.join(name, patron) for name in viewers}
        assert await at.signed_in(token) == anna, "whoever was signed in still is"
        for name in viewers:
            after, was = viewers[name].messages[0]["table"], before[name]
            assert (after["round"], after["shoe"]) == (was["round"], was["shoe"])
            if after["phase"] == "ready":
                continue  # All cards lay there: it was settled at once.
            assert after["stakes"] == was["stakes"]
            for hand in ("player", "banker"):
                lay = was["deal"][hand]
                assert after["deal"][hand][: len(lay)] == lay, "the cards that lay there lie there"
    # To the end of the second round, however much time there is for the first now.
    while at.house.tables["mirror"].table.round_number < 3:
        await at.advance(CARD)
    for message in (
        *[{"do": "deal", "card": card} for card in ("Th", "4c", "7d")],
        {"do": "announce"},
        {"do": "settle"},
    ):
        assert (await at.say("felt", dealer, **message))["type"] == "accepted"
    await at.settle()
    assert viewers["felt"].messages[-1]["net"] == 2000, "the player won, and the tie lost"
    # Of two tables, whichever was first.
    bodies = sorted([(row[0], row[1], row[6]) for row in await at.rows() if row[0].startswith("table/")])
    return [body for _, _, body in bodies], await at.accounts()


def told_story(folder: Path, moment: int, interruption: str) -> tuple[list[str], dict[str, int]]:
    async def work() -> tuple[list[str], dict[str, int]]:
        async with service(folder) as at:
            for table in (VIRTUAL, DEALT):
                await at.add_table(table)
            found = await story(at, moment, interruption)
            assert await at.problems() == []
            return found

    with seeded_secrets(5):
        return asyncio.run(work())


def test_a_house_that_was_stopped_in_a_round_goes_on_as_its_twin_that_was_not(tmp_path: Path) -> None:
    """With the same keys, the same cards come: every event and every account is the same, whenever it stopped."""
    twin = told_story(tmp_path / "twin", 0, "none")
    assert len([each for each in twin[0] if '"event":"card-dealt"' in each]) >= 12
    for name, moment in MOMENTS.items():
        for how in ("closed", "ended") if name in ("closed", "three cards") else ("closed",):
            found = told_story(tmp_path / f"{name}-{how}", moment, how)
            assert found == twin, f"{how} at {name}"


def test_a_close_keeps_the_round_and_begins_no_other(tmp_path: Path) -> None:
    async def work() -> None:
        async with service(tmp_path) as at:
            await at.add_table(VIRTUAL)
            anna = await at.guest()
            viewer = await at.join("mirror", anna.person)
            at.house.begin_stop()
            answer = await at.say("mirror", anna, do="stake", wager="tie", amount=2000)
            assert (answer["status"], answer["reason"]) == (503, "stopping")
            await at.advance(3 * (BETTING + BETWEEN + 10 * CARD))
            told = [each["event"] for each in viewer.messages if each["type"] == "event"]
            assert told.count("betting-opened") == 1, "the round is played, and no other"
            assert told[-1] == "key-published"

    asyncio.run(work())


@pytest.mark.parametrize("kind", ["virtual", "dealt"])
def test_a_table_reads_its_last_shoe_only_however_many_there_were(kind: str, tmp_path: Path) -> None:
    async def work() -> list[int]:
        counts = []
        async with service(tmp_path) as at:
            table = VIRTUAL if kind == "virtual" else DEALT
            await at.add_table(table)
            supervisor, dealer = await at.staff("Sam", Role.SUPERVISOR), await at.staff("Dora", Role.DEALER)
            for shoes in (3, 8):
                if kind == "virtual":
                    await at.join("mirror", None)
                while at.house.tables[table.id].table.shoe_number < shoes:
                    await (shoe_goes_by(at, supervisor) if kind == "virtual" else shoe_is_dealt(at, dealer))
                await at.close()
                counts.append(await rows_read_on_opening(at, f"table/{table.id}"))
            total = len([row for row in await at.rows() if row[0] == f"table/{table.id}"])
        return [*counts, total]

    with seeded_secrets(9):
        few, many, total = asyncio.run(work())
    assert 0 < many <= few + 12, "it does not grow with the shoes before"
    assert many * 3 < total


async def shoe_goes_by(at: Service, supervisor: Any) -> None:
    """Two rounds, and an end."""
    live = at.house.tables["mirror"]
    first = live.table.round_number
    while live.table.round_number < first + 3:
        await at.advance(BETTING)
    while live.table.phase.in_round:
        await at.advance(CARD)
    assert (await at.say("mirror", supervisor, do="end-shoe"))["type"] == "accepted"
    await at.advance(BETWEEN)


async def shoe_is_dealt(at: Service, dealer: Any) -> None:
    played: list[dict[str, Any]] = [{"do": "open-betting"}, {"do": "close-betting"}]
    played += [{"do": "deal", "card": card} for card in ("5h", "Th", "4c", "7d")]
    played += [{"do": "announce"}, {"do": "settle"}]
    shoe: list[dict[str, Any]] = [
        {"do": "open-shoe"},
        {"do": "burn", "shown": ["Ac"], "face_down": 1},
        *played,
        *played,
        {"do": "end-shoe"},
    ]
    for message in shoe[:-1] if at.house.tables["felt"].table.shoe_number == 7 else shoe:
        assert (await at.say("felt", dealer, **message))["type"] == "accepted"


async def rows_read_on_opening(at: Service, stream: str) -> int:
    """How many events of the stream the house reads before it is open."""
    kind: type[Database] = type(database_of(*at.record_id))
    events, read = kind.events, 0

    async def counted(self: Database, name: str | None = None, *given: Any, **named: Any) -> AsyncIterator[Any]:
        nonlocal read
        async for portion in events(self, name, *given, **named):
            read += len(portion) if name == stream else 0
            yield portion

    kind.events = counted  # type: ignore[method-assign, assignment]
    try:
        await at.open()
    finally:
        kind.events = events  # type: ignore[method-assign]
    return read
