"""Whatever is changed in a stored record is found by an audit or refused, or proven to be no part of it.

`bench/tamper.py` does the same some thousand times over.
"""

import asyncio
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from puntobanco.store.audit import _Auditor, _Chain
from puntobanco.store.sqlite import SqliteDatabase
from store.databases import Place
from store.everything import make
from store.file_places import FREE, HEADER, ROW_NUMBER, STRUCTURE, VALUE
from store.row_changes import INSIDER, RowChange, Rows, insider_changes, read_rows, value_change, value_changes
from store.tampering import BLANK, Apart, ByteChange, Original, Outcome, byte_changes, contents, judged
from store.tampering_postgres import OriginalInPostgres

BYTES = 200
OF_A_COLUMN = 3
OF_AN_INSIDER = 3
REORDERING = "the order of two streams is changed"
ROLLING_BACK = "the last events are deleted and the head put back"


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = Place("sqlite", tmp_path_factory.mktemp("tampered"))
    asyncio.run(make(place))
    return place.folder / "record.sqlite"


@pytest.fixture(scope="module")
def original(path: Path) -> Original:
    return Original(path)


@pytest.fixture(scope="module")
def in_postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OriginalInPostgres]:
    place = Place("postgres", tmp_path_factory.mktemp("tampered"))
    asyncio.run(make(place))
    original = OriginalInPostgres(place)
    yield original
    original.close()


def test_the_record_has_everything(path: Path) -> None:
    rows = read_rows(path)
    events = Counter(re.findall(r'"event":"([a-z-]+)"', " ".join(event["body"] for event in rows["event"])))
    assert events.keys() >= {"money-issued", "money-returned", "money-changed", "rate-posted", "account-adjusted"}
    assert events["shoe-committed"] == 2
    assert events["shoe-revealed"] == 1
    assert events.keys() >= {"round-voided", "round-corrected", "nonce-revealed", "table-paused", "stake-changed"}
    assert {command["stream"] for command in rows["command"] if command["version"] is None} == {
        "desk/main",
        "table/main",
    }
    accounts = {account["id"].split("/")[0]: account["balance"] for account in rows["account"]}
    assert accounts.keys() == {"patron", "held", "owed", "house", "issue", "cashier"}


def test_any_changed_byte_is_found_or_refused_or_is_no_value(path: Path) -> None:
    apart = Apart(path)
    try:
        changes = islice(byte_changes(path.read_bytes(), seed=2), BYTES)
        verdicts = [(str(change), apart.judge(change)) for change in changes]
    finally:
        apart.close()
    assert [each for each in verdicts if each[1].outcome.is_failure] == []
    outcomes = Counter(verdict.outcome for _, verdict in verdicts)
    assert outcomes[Outcome.FOUND] + outcomes[Outcome.REFUSED] > BYTES // 3
    harmless = {verdict.words for _, verdict in verdicts if verdict.outcome is Outcome.HARMLESS}
    assert FREE in harmless
    assert harmless <= {FREE, HEADER, ROW_NUMBER, BLANK}


def test_what_is_free_in_the_file_holds_nothing(original: Original, tmp_path: Path) -> None:
    """All of it at once is another, and the record is the same: no change of one of these bytes needs to be found."""
    assert set(original.places) == {HEADER, STRUCTURE, VALUE, ROW_NUMBER, FREE}
    chance = Random(1)
    changed = [
        chance.randrange(256) if place == FREE else byte
        for byte, place in zip(original.data, original.places, strict=True)
    ]
    copy = tmp_path / "record.sqlite"
    copy.write_bytes(bytes(changed))
    assert contents(copy) == original.contents
    seen = asyncio.run(judged(SqliteDatabase(copy)))
    assert seen.verdict is None
    assert seen.export == original.export


COLUMNS = [
    *(("event", column) for column in ("sequence", "stream", "version", "time", "actor", "command", "schema", "body")),
    *(("entry", column) for column in ("stream", "version", "place", "account", "amount")),
    *(("command", column) for column in ("actor", "id", "digest", "stream", "version", "answer", "seal")),
    *(("head", column) for column in ("stream", "version", "hash", "signature")),
    *(("account", column) for column in ("id", "balance")),
    *(("shoe_keys", column) for column in ("stream", "shoe", "sealed")),
    *(("landmark", column) for column in ("stream", "version", "body", "mark")),
    ("event", "previous"),
]


def test_every_column_is_changed(original: Original) -> None:
    assert {(table, column) for table, rows in original.rows.items() for column in rows[0]} == set(COLUMNS)


def changes_of(rows: Rows, table: str, column: str, count: int) -> list[RowChange]:
    chance = Random(f"{table}.{column}")
    return [value_change(rows, table, column, chance) for _ in range(count)]


@pytest.mark.parametrize(("table", "column"), COLUMNS)
def test_any_changed_value_is_found_or_refused(table: str, column: str, original: Original) -> None:
    for change in changes_of(original.rows, table, column, OF_A_COLUMN):
        verdict = original.judge(change)
        assert verdict.outcome in (Outcome.FOUND, Outcome.REFUSED), (str(change), verdict)


@pytest.mark.parametrize(("table", "column"), COLUMNS)
def test_any_changed_value_is_found_or_refused_in_postgres(
    table: str, column: str, in_postgres: OriginalInPostgres
) -> None:
    allowed = {Outcome.FOUND, Outcome.REFUSED}
    if column == "sequence":
        # It may have gaps here, and is in no chain.
        allowed |= {Outcome.HARMLESS, Outcome.REORDERED}
    for change in changes_of(in_postgres.rows, table, column, 1):
        verdict = in_postgres.judge(change)
        assert verdict.outcome in allowed, (str(change), verdict)


@pytest.mark.parametrize("name", [name for name in INSIDER if name not in (REORDERING, ROLLING_BACK)])
def test_whatever_somebody_without_the_keys_makes_fit_is_found(name: str, original: Original) -> None:
    chance = Random(name)
    for _ in range(OF_AN_INSIDER):
        change = RowChange(name, INSIDER[name](original.rows, chance))
        verdict = original.judge(change)
        assert verdict.outcome in (Outcome.FOUND, Outcome.REFUSED), (str(change), verdict)


def test_whatever_somebody_without_the_keys_makes_fit_is_found_in_postgres(in_postgres: OriginalInPostgres) -> None:
    for change in islice(insider_changes(in_postgres.rows, seed=3), len(INSIDER)):
        verdict = in_postgres.judge(change)
        besides = {REORDERING: {Outcome.REORDERED}, ROLLING_BACK: {Outcome.FOUND_BY_HEADS}}
        allowed = {Outcome.FOUND, Outcome.REFUSED} | besides.get(change.name, set())
        assert verdict.outcome in allowed, (str(change), verdict)


def test_a_stream_put_back_to_an_older_signed_head_is_found_by_whoever_has_kept_a_later_one(original: Original) -> None:
    """The limit of the record alone, which docs/record.md names: it is one that once was."""
    chance = Random(1)
    changes = [RowChange(ROLLING_BACK, INSIDER[ROLLING_BACK](original.rows, chance)) for _ in range(12)]
    verdicts = [original.judge(change) for change in changes]
    assert {verdict.outcome for verdict in verdicts} <= {Outcome.FOUND, Outcome.REFUSED, Outcome.FOUND_BY_HEADS}
    by_heads = [verdict.words for verdict in verdicts if verdict.outcome is Outcome.FOUND_BY_HEADS]
    assert len(by_heads) >= 3
    said = re.compile(
        r"\S+: It ended at \d+ when it was signed \(kept, line \d\), and now ends at \d+: what came after"
    )
    assert all(said.match(words) for words in by_heads)


def test_how_streams_lie_together_is_in_no_chain(original: Original) -> None:
    """The limit of the record, which docs/record.md names: it is found only where money makes the difference."""
    chance = Random(1)
    changes = [RowChange(REORDERING, INSIDER[REORDERING](original.rows, chance)) for _ in range(6)]
    assert {original.judge(change).outcome for change in changes} <= {Outcome.FOUND, Outcome.REORDERED}


async def nothing(*_: Any) -> None:
    pass


async def no_problems(*_: Any) -> list[str]:
    return []


# A check that is left out, and the changes that nobody finds then.
MUTANTS: dict[str, tuple[object, str, object, tuple[str, str]]] = {
    "chain": (_Chain, "_report", lambda *_: None, ("event", "time")),
    "heads": (_Auditor, "_check_heads", nothing, ("head", "signature")),
    "balances": (_Auditor, "_check_balances", nothing, ("account", "balance")),
    "marks": (_Auditor, "_is_marked", lambda *_: True, ("command", "seal")),
    "sealed keys": (_Auditor, "_check_shoe_keys", nothing, ("shoe_keys", "sealed")),
}


@pytest.mark.parametrize("left_out", MUTANTS)
def test_an_audit_without_one_of_its_checks_misses_something(
    left_out: str, original: Original, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner, name, instead, column = MUTANTS[left_out]
    changes = changes_of(original.rows, *column, 6)
    monkeypatch.setattr(owner, name, instead)
    assert Outcome.MISSED in {original.judge(change).outcome for change in changes}


@pytest.mark.parametrize(
    ("declared", "instead"),
    [(b"'owed/%'", b"'pwed/%'"), (b"amount <> 0", b"amount <> 1"), (b"INT account_owed", b"INT account_owee")],
)
def test_a_changed_declaration_is_found(
    declared: bytes, instead: bytes, original: Original, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No row is another; but from now on the database takes what it refused."""
    differs = next(place for place, byte in enumerate(declared) if byte != instead[place])
    change = ByteChange(original.data.index(declared) + differs, instead[differs])
    assert original.judge(change).outcome is Outcome.FOUND
    monkeypatch.setattr("puntobanco.store.sqlite._declared_otherwise", lambda _: [])
    assert original.judge(change).outcome is Outcome.MISSED


def test_what_raises_anything_but_a_fault_is_a_failure(original: Original, monkeypatch: pytest.MonkeyPatch) -> None:
    async def raises(*_: object, **__: object) -> None:
        raise KeyError("a body")

    monkeypatch.setattr("store.tampering.audit", raises)
    verdict = original.judge(ByteChange(0, original.data[0]))
    assert verdict.outcome is Outcome.CRASHED
    assert "KeyError: 'a body'" in verdict.words


def test_what_does_not_end_is_a_failure(path: Path) -> None:
    apart = Apart(path, most_seconds=0)
    try:
        for _ in range(2):
            assert apart.judge(ByteChange(0, 0)).outcome is Outcome.ENDLESS
    finally:
        apart.close()


def test_values_and_acts_of_insiders_differ_from_seed_to_seed(original: Original) -> None:
    for kind in (value_changes, insider_changes):
        first, again, other = [[*islice(kind(original.rows, seed), 40)] for seed in (1, 1, 2)]
        assert first == again != other
