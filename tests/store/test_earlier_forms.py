"""A record is read for ever: what was written before events had all of their fields, by the rules of that time."""

import asyncio
import sqlite3
from pathlib import Path

import pytest

from puntobanco.errors import InputError
from puntobanco.ledger import ChangeMoney, DeskCommand, MoneyChanged, PostRate, RatePosted
from puntobanco.store.audit import Findings, audit
from puntobanco.store.database import StorageFault
from puntobanco.store.keys import open_keys
from puntobanco.store.record import Record
from puntobanco.store.sqlite import SqliteDatabase
from puntobanco.store.streams import DeskStream, StreamEvent
from puntobanco.store.transfer import exported, imported
from store.databases import Place
from store.houses import KEYS, house
from store.worked_round import GOLDEN, opened, write_keys

FIRST_FORM = GOLDEN / "worked-round-first-form.jsonl"
"""The worked round as it was written before the desk named two people who post a rate or change money."""
write_today = DeskStream.write_event


def write_first(desk: DeskStream, event: StreamEvent) -> bytes:
    text = write_today(desk, event)
    return text.replace(b',"by":"","and_by":""', b"") if isinstance(event, RatePosted | MoneyChanged) else text


async def audited(place: Place) -> Findings:
    database = place.database()
    await database.start(new=False)
    try:
        return await audit(database, KEYS)
    finally:
        await database.close()


def test_a_record_of_the_first_form_is_imported_audited_exported_and_played_on(tmp_path: Path) -> None:
    async def work() -> None:
        write_keys(tmp_path)
        database, keys = SqliteDatabase(tmp_path / "record.sqlite"), open_keys(tmp_path)
        await database.start()
        with FIRST_FORM.open(encoding="utf-8", newline="\n") as lines:
            await imported(database, lines)
        found = await audit(database, keys)
        assert (found.problems, found.decided) == ([], 33)
        lines_again = "".join([f"{line}\n" async for line in exported(database)])
        assert lines_again == FIRST_FORM.read_text(encoding="utf-8")
        await database.close()
        database = SqliteDatabase(tmp_path / "record.sqlite")
        async with opened(Record(database, keys)) as record:
            desk = record.stream("desk/main")
            assert isinstance(desk, DeskStream)
            assert dict(desk.desk.rates) == {("HKD", "PHP"): (15, 2)}
            command = PostRate("HKD", "PHP", 8, 1, "dora", "emil")
            assert (await record.submit("desk/main", [command], actor="dora", command_id="newer-001")).accepted
        database = SqliteDatabase(tmp_path / "record.sqlite")
        await database.start(new=False)
        found = await audit(database, keys)
        assert (found.problems, found.decided) == ([], 34)
        await database.close()

    asyncio.run(work())


def test_a_text_of_the_first_form_is_read_as_one_that_names_nobody() -> None:
    desk = DeskStream("main")
    for event in (RatePosted("HKD", "PHP", 15, 2), MoneyChanged('", "by":"', "HKD", 1, "PHP", 7, 15, 2)):
        first, today = write_first(desk, event).decode(), write_today(desk, event).decode()
        assert first != today
        assert desk.read_event(first) == desk.read_event(today) == event


@pytest.mark.parametrize(
    "text",
    [
        '{"event":"rate-posted","v":1,"gives":"HKD","takes":"PHP","numerator":15,"denominator":2,"by":""}',
        '{"event":"rate-posted","v":1,"gives":"HKD","takes":"PHP","numerator":15,"denominator":2,"and_by":""}',
        '{"event":"rate-posted","v":1,"gives":"HKD","takes":"PHP","numerator":15}',
        '{"event":"rate-posted","v":1,"gives":"HKD","takes":"PHP","numerator":15,"denominator":2} ',
        '{"event":"rate-posted","v":1,"gives":"HKD","takes":"PHP","numerator":15,"denominator":2',
        '{"event":"money-issued","v":1,"patron":"anna","unit":"PHP","amount":700,"reason":"welcome"}',
    ],
    ids=["one of two", "the other", "another is missing", "a space", "not ended", "of another kind"],
)
def test_nothing_else_is_left_to_a_default(text: str) -> None:
    with pytest.raises(InputError):
        DeskStream("main").read_event(text)


FIVEFOLD = PostRate("PHP", "HKD", 1, 35), PostRate("PHP", "HKD", 1, 7)
GAINFUL = PostRate("HKD", "PHP", 8, 1)


async def post_by_the_first_rules(
    place: Place, monkeypatch: pytest.MonkeyPatch, *commands: DeskCommand, name: str = "first"
) -> None:
    """As a program did that knew no limits of rates, nor by and and_by."""
    with monkeypatch.context() as before:
        before.setattr("puntobanco.ledger.desk._against_later_rules", lambda *_: None)
        before.setattr(DeskStream, "write_event", write_first)
        async with house(place.database(), name) as at:
            for command in commands:
                assert (await at.do("desk/main", command)).accepted


def test_what_was_done_by_the_first_rules_stands(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    change = ChangeMoney("anna", "PHP", 700, "HKD")

    async def work() -> None:
        await post_by_the_first_rules(place, monkeypatch, *FIVEFOLD, GAINFUL, change)
        found = await audited(place)
        assert (found.problems, found.decided) == ([], found.events)
        # Whoever goes on does so by the rules of today.
        async with house(place.database(), "second") as at:
            assert not (await at.do("desk/main", PostRate("PHP", "HKD", 1, 2))).accepted
            assert (await at.do("desk/main", PostRate("PHP", "HKD", 1, 8))).accepted
        assert (await audited(place)).problems == []

    asyncio.run(work())


def test_the_first_rules_do_not_come_back_to_a_desk_that_has_an_event_of_today(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else whoever has the keys would get round the rules of today by writing in the form of before."""

    async def work() -> None:
        place = Place("sqlite", tmp_path)
        async with house(place.database()) as at:
            assert (await at.do("desk/main", FIVEFOLD[0])).accepted
        await post_by_the_first_rules(place, monkeypatch, FIVEFOLD[1], GAINFUL, name="second")
        said = [str(each) for each in (await audited(place)).problems]
        assert len(said) == 2
        assert said[0].startswith("desk/main, event 4: It would have been refused: A rate is at most doubled")
        assert said[1].startswith("desk/main, event 5: It would have been refused: Whoever changed HKD into PHP")

    asyncio.run(work())


def test_what_was_changed_in_the_first_form_is_decided_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        place = Place("sqlite", tmp_path)
        await post_by_the_first_rules(place, monkeypatch, FIVEFOLD[0])
        more = MoneyChanged("anna", "PHP", 700, "HKD", 100, 1, 35)
        monkeypatch.setattr("puntobanco.store.streams.happened_at_the_desk", lambda *_: more)
        command = ChangeMoney("anna", "PHP", 700, "HKD")
        await post_by_the_first_rules(place, monkeypatch, command, name="second")
        monkeypatch.undo()
        (problem,) = (await audited(place)).problems
        assert str(problem) == "desk/main, event 4: Decided again it is MoneyChanged otherwise."

    asyncio.run(work())


def test_an_event_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    async def work() -> None:
        place = Place("sqlite", tmp_path)
        async with house(place.database()):
            pass
        with sqlite3.connect(tmp_path / "record.sqlite") as file:
            where = "stream = 'desk/main' AND version = 2"
            assert file.execute(f"UPDATE event SET body = replace(body, 'money', 'gold') WHERE {where}").rowcount == 1
        file.close()
        with pytest.raises(StorageFault) as told:
            async with house(place.database(), "second"):
                pass
        assert told.value.message.startswith("Event 2 of desk/main cannot be read: This is not a known event: ")
        assert told.value.message.endswith(" or it was changed: audit the record.")

    asyncio.run(work())
