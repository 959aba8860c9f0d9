"""A stream that is taken up at a landmark is the one that is read from its beginning."""

import asyncio

import pytest

from puntobanco.store.audit import audit
from puntobanco.store.dealer import VirtualDealer
from puntobanco.store.record import Record
from puntobanco.store.streams import TableStream
from puntobanco.table import EndShoe, OpenShoe, OpenTable, Phase
from store.databases import Place
from store.houses import KEYS, SETTINGS, VIRTUAL, House, house


async def read_both_ways(place: Place) -> tuple[TableStream, TableStream, int]:
    """The table taken up at a landmark and from its beginning, and how many events the first way has read."""
    found, read = [], 0
    for with_landmarks in (True, False):
        database = place.database()
        record = Record(database, KEYS)
        await record.start()
        if not with_landmarks:

            async def none_of_them(stream: str) -> list[object]:
                return []

            database.landmarks = none_of_them  # type: ignore[method-assign, assignment]
        rows = 0
        events = database.events

        async def counted(*given: object, **named: object):  # type: ignore[no-untyped-def]
            nonlocal rows
            async for portion in events(*given, **named):  # type: ignore[arg-type]  # noqa: B023
                rows += len(portion)
                yield portion

        database.events = counted  # type: ignore[method-assign]
        stream = await record.open("table/main")
        assert isinstance(stream, TableStream)
        found.append(stream)
        read = rows if with_landmarks else read
        await record.close()
    return found[0], found[1], read


async def play_on(at: House, rounds: int) -> None:
    dealer = VirtualDealer(at.record, "main")
    for _ in range(rounds):
        while at.table.phase is not Phase.BETTING:
            await dealer.step()
        await at.bet("anna", "player", 2000)
        while at.table.phase.in_round or dealer.is_behind:
            await dealer.step()


@pytest.mark.parametrize("rounds_of_last_shoe", [0, 1, 5])
def test_a_table_taken_up_at_a_landmark_is_the_same(rounds_of_last_shoe: int, place: Place) -> None:
    async def work() -> None:
        async with house(place.database(), settings=VIRTUAL) as at:
            dealer = VirtualDealer(at.record, "main")
            for _ in range(2):
                await play_on(at, 3)
                await at.do("table/main", EndShoe("enough"))
                await dealer.step()  # Its keys are revealed,
                await dealer.step()  # and the next shoe is opened.
            await play_on(at, rounds_of_last_shoe)
            written = at.record.version("table/main")
            head = at.record.head_hash("table/main")
        one, other, read = await read_both_ways(place)
        assert one.table == other.table
        assert one.shoe == other.shoe
        assert one.codec.pack == other.codec.pack
        assert read < written
        assert head

    asyncio.run(work())


def test_a_landmark_that_was_changed_is_passed_over(place: Place) -> None:
    async def work() -> None:
        async with house(place.database(), settings=VIRTUAL) as at:
            await play_on(at, 2)
            database = at.record.database
            (row,) = await database.landmarks("table/main")

            async def changed(stream: str) -> list[object]:
                return [row._replace(body=row.body.replace('"round_number":0', '"round_number":1'))]

            database.landmarks = changed  # type: ignore[method-assign, assignment]
            table = at.table
            await at.record.open("table/main")
            assert at.table == table

    asyncio.run(work())


def test_a_landmark_has_the_time_of_the_event_before_it_also_where_one_submission_wrote_both(place: Place) -> None:
    """A shoe that is opened together with its table, or with the end of the one before, is nobody's forgery."""

    async def work() -> None:
        async with house(place.database()) as at:
            await at.record.open("table/other")
            assert (await at.do("table/other", OpenTable(SETTINGS), OpenShoe(SETTINGS.full_shoe))).accepted
            assert (await at.do("table/other", EndShoe("enough"), OpenShoe(SETTINGS.full_shoe))).accepted
            assert len(await at.record.database.landmarks("table/other")) == 2
            found = await audit(at.record.database, KEYS)
            assert found.problems == []

    asyncio.run(work())
