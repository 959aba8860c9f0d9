"""Heads that somebody has kept: where they are read from, and what they tell of a record that was put back."""

import asyncio
import io
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from puntobanco.errors import InputError
from puntobanco.store.audit import Findings, audit
from puntobanco.store.kept_heads import KeptFile, KeptHead, read_heads
from puntobanco.store.keys import Keys
from puntobanco.store.rows import HeadRow
from puntobanco.store.transfer import exported, exported_heads
from puntobanco.table import EndShoe, OpenShoe, OpenTable
from store.databases import Place
from store.houses import KEYS, SETTINGS, house

OTHER_KEYS = Keys(b"o" * 32, b"k" * 32)


def signed(stream: str, version: int, keys: Keys = KEYS) -> HeadRow:
    head = HeadRow(stream, version, bytes([version]) * 32, b"")
    return head._replace(signature=keys.sign(head.signed))


def line(head: HeadRow) -> str:
    return json.dumps(["head", head.stream, head.version, head.hash.hex(), head.signature.hex()])


def evidence(head: HeadRow) -> dict[str, object]:
    """As the service gives it with a round."""
    return {
        "stream": head.stream,
        "first_version": 3,
        "last_version": 9,
        "head_version": head.version,
        "head_hash": head.hash.hex(),
        "signature": head.signature.hex(),
        "public_key": KEYS.public_key.hex(),
    }


def heads_in(text: str) -> list[tuple[int, HeadRow]]:
    found = read_heads("kept", io.StringIO(text))
    assert found.unreadable == []
    return [(each.line, each.head) for each in found.heads]


# Reading.

ONE, TWO = signed("table/main", 7), signed("desk/main", 3)
ROUND = {"table": "main", "number": 4, "wagers": {}, "evidence": evidence(ONE)}


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (f"{line(ONE)}\n{line(TWO)}\n", [1, 2]),
        (
            f'{{"format":"puntobanco-record"}}\n["event",1]\n["entry"]\n\n{line(ONE)}\n{line(TWO)}\n{{"end":{{}}}}',
            [5, 6],
        ),
        (f"{json.dumps(evidence(ONE))}\n{json.dumps(evidence(TWO))}\n", [1, 2]),
        (f"{json.dumps(ROUND)}\n{json.dumps({'evidence': None})}\n{line(TWO)}", [1, 3]),
        (json.dumps([ROUND, evidence(TWO)], indent=2), [1, 1]),
        (json.dumps({"evidence": [evidence(ONE), evidence(TWO)]}, indent="\t"), [1, 1]),
    ],
    ids=["heads", "an export", "evidence", "rounds", "rounds as a document", "a document"],
)
def test_heads_are_read_from_exports_and_from_the_evidence_of_rounds(text: str, lines: list[int]) -> None:
    assert heads_in(text) == list(zip(lines, [ONE, TWO], strict=True))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "kept holds no head."),
        ("[]", "kept holds no head."),
        ('{"evidence":null}', "kept holds no head."),
        ('{"format":"puntobanco-record"}\n{"end":{}}', "kept holds no head."),
        ("{}", "kept is not an export, nor the evidence of rounds as JSON."),
        ("no JSON", "kept is not an export, nor the evidence of rounds as JSON."),
        ('["head"]', "kept is not an export"),
        ('["head","table/main","7","00","00"]', "kept is not an export"),
        (line(ONE).replace(" 7", " 1" + "0" * 30), "kept is not an export"),
        (line(ONE).upper().replace("HEAD", "head"), "kept is not an export"),
        ("[" * 100_000, "kept is not an export"),
    ],
)
def test_a_file_without_heads_is_refused(text: str, said: str) -> None:
    with pytest.raises(InputError) as refused:
        heads_in(text)
    assert said in refused.value.message


TORN = [
    line(ONE)[:40],
    line(ONE)[:40] + line(TWO),
    line(ONE)[:-1] + "0]",
    line(ONE).replace("head", "haed"),
    "ssh: connect to host house port 22: Connection refused",
    json.dumps(evidence(ONE) | {"head_version": None}),
    '{"heads":[]}',
    "7",
    "\ufffd",
    "[" * 100_000,
]


@pytest.mark.parametrize("torn", TORN, ids=lambda torn: torn[:30])
def test_a_line_that_cannot_be_read_leaves_the_others_in_use(torn: str) -> None:
    found = read_heads("kept", io.StringIO(f"{line(ONE)}\n{torn}\n\n{line(TWO)}\n{torn}"))
    assert [(each.line, each.head) for each in found.heads] == [(1, ONE), (4, TWO)]
    assert found.unreadable == [2, 5]


# Held against a record.


async def audited(place: Place, *kept: KeptFile) -> Findings:
    database = place.database()
    await database.start(new=False)
    try:
        found = await audit(database, KEYS, kept=kept)
        assert found.kept_heads == sum(len(file.heads) for file in kept)
        return found
    finally:
        await database.close()


async def problems(place: Place, kept: Sequence[KeptHead]) -> list[str]:
    names = sorted({each.file for each in kept})
    files = [KeptFile(name, [each for each in kept if each.file == name]) for name in names]
    return [*map(str, (await audited(place, *files)).problems)]


async def played(place: Place, shoes: int, name: str = "first", note: str = "enough") -> list[list[KeptHead]]:
    """A table with some shoes that nobody plays from; the heads after its opening and after each shoe."""
    kept = []
    async with house(place.database(), name) as at:
        for count in range(shoes + 1):
            if count:
                assert (await at.do("table/main", OpenShoe(SETTINGS.full_shoe))).accepted
                assert (await at.do("table/main", EndShoe(note))).accepted
            lines = [line async for line in exported_heads(at.record.database)]
            kept.append([*read_heads(f"night {count}", io.StringIO("\n".join(lines))).heads])
    return kept


def test_what_was_signed_lies_in_the_record_for_ever(place: Place) -> None:
    async def work() -> None:
        kept = [each for night in await played(place, 3) for each in night]
        assert len(kept) == 4 * 3  # Of the table, the desk and the roster.
        assert await problems(place, kept) == []
        database = place.database()
        await database.start(new=False)
        text = "\n".join([line async for line in exported(database)])
        await database.close()
        of_export = read_heads("record.jsonl", io.StringIO(text)).heads
        assert {each.head for each in of_export} == {each.head for each in kept[-3:]}
        assert await problems(place, of_export) == []

    asyncio.run(work())


def test_a_record_that_was_put_back_is_found_whether_or_not_it_went_on(tmp_path: Path) -> None:
    """Nothing is wrong in itself with the record of an earlier night, nor with another story that follows it."""

    async def work() -> None:
        for name in ("true", "put back"):
            (tmp_path / name).mkdir()
        kept = [each for night in await played(Place("sqlite", tmp_path / "true"), 3) for each in night]
        back = Place("sqlite", tmp_path / "put back")
        await played(back, 1)
        assert await problems(back, []) == []
        (short,) = await problems(back, kept)
        assert short == (
            "table/main: It ended at 7 when it was signed (night 3, line 3), and now ends at 3: "
            "what came after was taken out."
        )
        await played(back, 2, "second", "another story")
        assert await problems(back, []) == []
        (other,) = await problems(back, kept)
        assert other == (
            "table/main, event 5: It is another than when it was signed (night 2, line 3): "
            "it or what came before was exchanged."
        )

    asyncio.run(work())


def test_exactly_the_last_event_is_missed_when_it_was_taken_out_or_exchanged(tmp_path: Path) -> None:
    async def work() -> None:
        places = {name: Place("sqlite", tmp_path / name) for name in ("true", "shorter", "another")}
        for name in places:
            (tmp_path / name).mkdir()
        *_, kept = await played(places["true"], 1)
        async with house(places["shorter"].database()) as at:
            assert (await at.do("table/main", OpenShoe(SETTINGS.full_shoe))).accepted
        await played(places["another"], 1, note="another story")
        assert await problems(places["true"], kept) == []
        assert await problems(places["shorter"], kept) == [
            "table/main: It ended at 3 when it was signed (night 1, line 3), and now ends at 2: "
            "what came after was taken out."
        ]
        assert await problems(places["another"], kept) == [
            "table/main, event 3: It is another than when it was signed (night 1, line 3): "
            "it or what came before was exchanged."
        ]

    asyncio.run(work())


def test_a_torn_line_is_a_problem_of_its_file_and_the_rest_is_held_against_the_record(tmp_path: Path) -> None:
    async def work() -> None:
        nights = await played(place := Place("sqlite", tmp_path), 1)
        heads = [*nights[-1], KeptHead("heads.jsonl", 9, signed("table/main", 40))]
        said = "It is neither a head nor the evidence of a round: it was torn, or changed."
        for unreadable, more in (([7], ""), ([7, 8, 12], " So it is with 2 more.")):
            found = await audited(place, KeptFile("heads.jsonl", heads, unreadable))
            assert [*map(str, found.problems)] == [
                f"heads.jsonl, line 7: {said}{more}",
                "table/main: It ended at 40 when it was signed (heads.jsonl, line 9), and now ends at 3: "
                "what came after was taken out.",
            ]

    asyncio.run(work())


def test_what_no_kept_head_reaches_is_named_as_not_checked(tmp_path: Path) -> None:
    """A file that holds one stream's heads only, or grows no more, is not one that nothing was wrong with."""

    async def work() -> None:
        nights = await played(place := Place("sqlite", tmp_path), 2)
        assert (await audited(place)).unchecked == []
        assert (await audited(place, KeptFile("all", nights[-1]))).unchecked == []
        roster = [each for each in nights[-1] if each.head.stream == "roster/main"]
        assert (await audited(place, KeptFile("roster", roster))).unchecked == [
            "Whether anything was put back at desk/main, table/main, of which no head was kept."
        ]
        assert (await audited(place, KeptFile("old", nights[0] + nights[1]))).unchecked == [
            "Whether anything was put back at table/main after event 3 of 5, since when no head was kept."
        ]
        strange = KeptFile("strange", [KeptHead("strange", 1, signed("table/main", 5, OTHER_KEYS))])
        assert (await audited(place, strange)).unchecked == [
            "Whether anything was put back at desk/main, roster/main, table/main, of which no head was kept."
        ]

    asyncio.run(work())


def test_a_stream_that_was_begun_and_is_gone_is_found(tmp_path: Path) -> None:
    """Its entry on the roster is gone too, back to a head of the roster that was signed before it was begun."""

    async def work() -> None:
        await played(place := Place("sqlite", tmp_path), 0)
        (found,) = await problems(place, [KeptHead("evidence.json", 1, signed("table/other", 12))])
        assert found == (
            "table/other: It ended at 12 when it was signed (evidence.json, line 1), "
            "and now nothing of it is in the record."
        )

    asyncio.run(work())


def test_a_head_that_the_record_has_not_signed_is_a_problem_of_its_file(tmp_path: Path) -> None:
    async def work() -> None:
        await played(place := Place("sqlite", tmp_path), 0)
        strange = [signed("table/main", version, OTHER_KEYS) for version in (40, 50, 60)]
        changed = signed("table/main", 70)._replace(version=71)
        kept = [KeptHead("one", line, head) for line, head in enumerate(strange, 1)] + [KeptHead("two", 5, changed)]
        said = "is not signed with the key of this record: it was changed, or another record was meant."
        assert await problems(place, kept) == [
            f"one, line 1: The head of table/main at 40 {said} So it is with 2 more.",
            f"two, line 5: The head of table/main at 71 {said}",
        ]

    asyncio.run(work())


def test_opening_a_table_makes_its_stream(place: Place) -> None:
    """A head that was kept of every stream there is, and of one that came later."""

    async def work() -> None:
        async with house(place.database()) as at:
            await at.record.open("table/other")
            assert (await at.do("table/other", OpenTable(SETTINGS))).accepted
            lines = [line async for line in exported_heads(at.record.database)]
        kept = read_heads("kept", io.StringIO("\n".join(lines))).heads
        assert [each.head.stream for each in kept] == ["desk/main", "roster/main", "table/main", "table/other"]
        assert await problems(place, kept) == []

    asyncio.run(work())
