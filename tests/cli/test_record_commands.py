"""Audit, export and import: what they print of a record, and how they refuse."""

import asyncio
import io
import json
import os
import re
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import asyncpg
import pytest

from command_line import Called, call, one_sentence
from puntobanco.cli import export, main
from puntobanco.store.audit import CHECKS_ITSELF
from puntobanco.store.database import Database
from puntobanco.store.keys import open_keys
from puntobanco.store.places import DATABASE_FILE
from puntobanco.store.postgres import PostgresDatabase
from puntobanco.store.sqlite import SqliteDatabase
from puntobanco.table import DealCard, Irregularity, Phase, VoidRound
from store.databases import new_postgres
from store.houses import VIRTUAL, House
from store.played import desk, play

ROUNDS = 12
NOBODY = "postgresql://anna:hunter2@127.0.0.1:1/record"


@pytest.fixture(autouse=True)
def _no_record_of_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("PUNTOBANCO_DATA", "PUNTOBANCO_DATABASE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))


async def played(database: Database, folder: Path, rounds: int = ROUNDS, name: str = "first") -> None:
    at = House(database, name, VIRTUAL)
    at.record.keys = open_keys(folder)
    await at.record.start()
    try:
        await at.open()
        await desk(at)
        await play(at, rounds)
    finally:
        await at.record.close()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A record that no test changes."""
    folder = tmp_path_factory.mktemp("whole")
    asyncio.run(played(SqliteDatabase(folder / DATABASE_FILE), folder))
    return folder


@pytest.fixture
def record(whole: Path, tmp_path: Path) -> Path:
    """A copy of it, to be changed."""
    folder = tmp_path / "data"
    folder.mkdir()
    for path in whole.iterdir():
        copy = folder / path.name
        copy.write_bytes(path.read_bytes())
        copy.chmod(0o600)
    return folder


def change(folder: Path, statement: str) -> None:
    file = sqlite3.connect(folder / DATABASE_FILE)
    with file:
        assert file.execute(statement).rowcount > 0
    file.close()


def audited(folder: Path, *more: str) -> Called:
    return call("audit", "--data", str(folder), *more)


# Audit.


def test_a_true_record_is_told_in_figures(whole: Path) -> None:
    found = audited(whole, "--json")
    assert (found.code, found.err) == (0, "")
    told = json.loads(found.out)
    assert told["problems"] == []
    assert told["rounds"] == ROUNDS
    assert told["events"] > ROUNDS * 9
    assert told["entries"] > ROUNDS * 4
    assert set(told["seconds"]) == {"database", "chain and books", "decided again", "shoes and answers"}
    in_words = audited(whole)
    assert in_words.code == 0
    looked_at, voided, public_key, seconds, verdict = in_words.out.splitlines()
    assert public_key == f"Public key: {told['public_key']}."
    events, postings, shoes = told["events"], told["entries"], told["shoes"]
    assert looked_at == (
        f"{events} events, {postings} postings, {ROUNDS} rounds, {shoes} ended shoes; "
        f"{events} of {events} events decided again."
    )
    assert (told["decided"], told["unchecked"]) == (events, [])
    (void,) = told["voids"]  # Every tenth round.
    assert void["round"] == 10
    verb = "cost" if void["house"] < 0 else "won"
    assert voided == f"Voided at main: 1 round would have {verb} the house {pesos(abs(void['house']))}."
    assert re.fullmatch(
        r"Seconds: database \S+, chain and books \S+, decided again \S+, shoes and answers \S+", seconds
    )
    assert verdict == "Nothing is wrong."


def test_every_problem_is_named_by_stream_event_and_sentence(record: Path) -> None:
    change(record, "UPDATE event SET time = time + 1 WHERE stream = 'table/main' AND version = 9")
    change(record, "UPDATE account SET balance = balance + 1 WHERE id = 'patron/PHP/anna'")
    change(record, "UPDATE head SET signature = zeroblob(64) WHERE stream = 'desk/main'")
    found = audited(record, "--json")
    assert (found.code, found.err) == (1, "")
    problems = json.loads(found.out)["problems"]
    assert {"stream", "version", "message"} == set(problems[0])
    told = [(each["stream"], each["version"]) for each in problems]
    assert ("table/main", 10) in told
    assert ("books", None) in told
    assert any(stream == "desk/main" for stream, _ in told)
    in_words = audited(record)
    assert in_words.code == 1
    assert len(in_words.out.splitlines()) == len(problems) + 5
    assert "table/main, event 10: The hash that it carries is not that of the event before it." in in_words.out
    assert in_words.out.endswith(f"\n{len(problems)} problems.\n")


def test_what_somebody_wrote_into_the_database_stays_on_its_line(record: Path) -> None:
    change(record, "INSERT INTO account VALUES ('nobody' || char(10) || char(27) || '[31m', 0)")
    lines = audited(record).out.splitlines()
    assert len(lines) == 6
    assert lines[0].startswith("books: ")
    assert "\x1b" not in lines[0]


def pesos(centavos: int) -> str:
    return f"{centavos:,} centavos = {centavos // 100:,}.{centavos % 100:02} PHP"


PLAYER_WINS, BANKER_WINS, NOT_COMPLETE = "9h Ah Ks 2h", "Ah 9h 2h Ks", "9h"
"""In the order of dealing."""
HOUSE = {PLAYER_WINS: -2000, BANKER_WINS: 2000, NOT_COMPLETE: None}


@pytest.mark.parametrize(
    ("rounds", "said"),
    [
        ([PLAYER_WINS, PLAYER_WINS], "2 rounds would have cost the house 4,000 centavos = 40.00 PHP."),
        ([NOT_COMPLETE], "what 1 round would have paid is not known."),
        (
            [BANKER_WINS, NOT_COMPLETE, NOT_COMPLETE],
            "1 round would have won the house 2,000 centavos = 20.00 PHP; what 2 rounds would have paid is not known.",
        ),
    ],
)
def test_voids_are_told_by_table(rounds: list[str], said: str, tmp_path: Path) -> None:
    """At a table whose cards are keyed; each time anna has 2,000 on the Player."""

    async def voided() -> None:
        at = House(SqliteDatabase(tmp_path / DATABASE_FILE), "first")
        at.record.keys = open_keys(tmp_path)
        await at.record.start()
        await at.open()
        for cards in rounds:
            await at.until(Phase.BETTING)
            await at.bet("anna", "player", 2000)
            await at.until(Phase.DEALING)
            number = at.table.round_number
            for card in at.settings.game.pack.read(cards):
                assert at.table.due.hand is not None
                await at.do("table/main", DealCard(number, at.table.due.hand, card))
            await at.do("table/main", VoidRound(number, Irregularity.TECHNICAL_FAULT, "the display"))
        await at.record.close()

    asyncio.run(voided())
    found = audited(tmp_path)
    assert found.code == 0
    assert found.out.splitlines()[1] == f"Voided at main: {said}"
    told = json.loads(audited(tmp_path, "--json").out)["voids"]
    assert [each["house"] for each in told] == [HOUSE[cards] for cards in rounds]


@pytest.mark.parametrize(
    "limit", [("--table", "main"), ("--since", "2023-11-14"), ("--since", "2024-01-01T00:00+08:00")]
)
def test_part_of_it_is_decided_again(whole: Path, limit: tuple[str, str]) -> None:
    found = audited(whole, *limit, "--json")
    assert found.code == 0
    told = json.loads(found.out)
    assert told["rounds"] == ROUNDS
    assert 0 <= told["decided"] <= told["events"]
    assert len(told["unchecked"]) == (told["decided"] < told["events"])


def test_what_was_not_decided_again_is_counted_and_the_verdict_says_so(whole: Path) -> None:
    told = json.loads(audited(whole, "--table", "main", "--json").out)
    believed = told["events"] - told["decided"]
    assert believed > 3
    assert told["unchecked"][0].startswith(f"{believed} events were not asked for and are believed")
    *_, unchecked, verdict = audited(whole, "--table", "main").out.splitlines()
    assert unchecked == f"Not checked: {told['unchecked'][0]}"
    assert verdict == "Nothing is wrong in what was checked."
    everything = json.loads(audited(whole, "--since", "2001-01-01", "--json").out)
    assert (everything["decided"], everything["unchecked"]) == (everything["events"], [])
    assert audited(whole, "--since", "2001-01-01").out.endswith("\nNothing is wrong.\n")


@pytest.mark.parametrize("limit", [("--since", "2030-01-01"), ("--table", "main")])
def test_postings_that_do_not_follow_from_a_believed_event_are_found(limit: tuple[str, str], record: Path) -> None:
    """Nothing but the event says what its postings are: whoever makes the balances fit is found by that alone."""
    change(record, "UPDATE entry SET amount = amount * 19 / 10 WHERE stream = 'desk/main' AND version = 2")
    change(record, "UPDATE account SET balance = (SELECT sum(amount) FROM entry WHERE entry.account = account.id)")
    told = audited(record, *limit, "--json")
    assert told.code == 1
    assert [(each["stream"], each["version"]) for each in json.loads(told.out)["problems"]] == [("desk/main", 2)]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--table", "other"], "The record has no table 'other'."),
        (["--table", "Main/1"], "'Main/1' is not the name of a table."),
        (["--table", ""], "'' is not the name of a table."),
        (["--since", "yesterday"], "'yesterday' is not a date or a time, such as 2026-11-16T18:00."),
        (["--since", ""], "'' is not a date or a time"),
        (["--since", "9999-99-99"], "is not a date"),
    ],
)
def test_a_part_that_is_not_there_is_bad_usage(whole: Path, more: list[str], said: str) -> None:
    found = audited(whole, *more)
    assert found.code == 2
    assert said in one_sentence(found)


# Heads that somebody has kept.


def test_heads_that_were_kept_lie_in_the_record(whole: Path, tmp_path: Path) -> None:
    kept, exported = tmp_path / "heads.jsonl", tmp_path / "record.jsonl"
    found = call("export", "--data", str(whole), "--heads")
    assert (found.code, found.err) == (0, "")
    kept.write_text(found.out)
    assert call("export", "--data", str(whole), "-o", str(exported)).code == 0
    lines = exported.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line.startswith('["head"')] == found.out.splitlines()
    told = audited(whole, "--heads", str(kept), "--heads", str(exported))
    assert told.code == 0
    assert told.out.splitlines()[0].split(";")[0].endswith(" 0 ended shoes, 6 kept heads")
    assert json.loads(audited(whole, "--heads", str(kept), "--json").out)["kept_heads"] == 3


def test_a_record_from_before_a_head_was_kept_is_found_by_it(record: Path, whole: Path, tmp_path: Path) -> None:
    """It was a backup, and nothing else is wrong with it."""
    asyncio.run(played(SqliteDatabase(record / DATABASE_FILE), record, 1, "second"))
    kept = tmp_path / "heads.jsonl"
    kept.write_text(call("export", "--data", str(record), "--heads").out)
    assert audited(record, "--heads", str(kept)).code == 0
    assert audited(whole).code == 0
    found = audited(whole, "--heads", str(kept))
    assert found.code == 1
    signed = re.escape(f"when it was signed ({kept}, line 3)")
    sentence = rf"It ended at \d+ {signed}, and now ends at \d+: what came after was taken out\."
    assert re.search(rf"^table/main: {sentence}$", found.out, re.MULTILINE)


def test_a_file_of_heads_with_a_torn_line_is_used_and_told(whole: Path, tmp_path: Path) -> None:
    kept = tmp_path / "heads.jsonl"
    desk, roster, table = call("export", "--data", str(whole), "--heads").out.encode().splitlines(keepends=True)
    kept.write_bytes(desk + roster[:50] + b"\n" + table + b"\xff\n")
    found = audited(whole, "--heads", str(kept))
    assert found.code == 1
    said = "It is neither a head nor the evidence of a round: it was torn, or changed. So it is with 1 more."
    assert found.out.splitlines()[0] == f"{kept}, line 2: {said}"
    assert " 2 kept heads; " in found.out
    assert "Not checked: Whether anything was put back at roster/main, of which no head was kept." in found.out


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("missing.jsonl", "cannot be read: No such file or directory."),
        ("a\0b", "is no name of a file."),
        ("", "cannot be read: Is a directory."),
        ("record.sqlite", "is not an export, nor the evidence of rounds as JSON."),
        ("empty.jsonl", "holds no head."),
    ],
)
def test_heads_that_cannot_be_read_are_bad_usage(name: str, said: str, record: Path) -> None:
    (record / "empty.jsonl").touch()
    found = audited(record, "--heads", f"{record}/{name}")
    assert found.code == 2
    assert said in one_sentence(found)


# Where the record is.


@pytest.mark.parametrize("command", ["audit", "export"])
def test_without_a_record_there_is_a_sentence(command: str, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    for folder in (empty, tmp_path / "not there"):
        found = call(command, "--data", str(folder))
        assert found.code == 2
        assert one_sentence(found) == f"There is no record in {str(folder)!r}: name its data directory with --data."
    assert not (tmp_path / "not there").exists()
    assert not list(empty.iterdir())
    found = call(command)
    assert found.code == 2
    assert str(tmp_path / "home" / "puntobanco") in one_sentence(found)


@pytest.mark.parametrize("command", ["audit", "export"])
@pytest.mark.parametrize("kind", ["an empty file", "another database", "postgres"])
def test_a_database_that_holds_no_record_is_left_as_it_is(command: str, kind: str, record: Path) -> None:
    path = record / DATABASE_FILE
    path.unlink()
    more: list[str] = []
    if kind == "postgres":
        more = ["--database", new_postgres()]
    else:
        file = sqlite3.connect(path)
        if kind == "another database":
            file.execute("CREATE TABLE recipes (name)")
            file.commit()
        else:
            path.write_bytes(b"")
        file.close()
    before = path.read_bytes() if path.exists() else b""
    for _ in range(2):  # The first leaves no tables for the second.
        found = call(command, "--data", str(record), *more)
        assert found.code == 2
        assert one_sentence(found) == "The database holds no record."
    assert (path.read_bytes() if path.exists() else b"") == before


def test_what_is_no_database_is_a_fault(record: Path) -> None:
    (record / DATABASE_FILE).write_bytes(b"no database at all" * 100)
    found = audited(record)
    assert found.code == 1
    assert one_sentence(found) == "The database failed: file is not a database."


def test_the_environment_names_the_record(whole: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUNTOBANCO_DATA", str(whole))
    assert call("audit").code == 0
    monkeypatch.setenv("PUNTOBANCO_DATABASE", NOBODY)
    assert call("audit").code == 1


@pytest.mark.parametrize("option", ["--data", "--database"])
def test_an_empty_name_is_not_the_default(option: str, whole: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUNTOBANCO_DATA", str(whole))
    found = call("audit", option, "")
    assert found.code == 2
    assert one_sentence(found) == "--data and --database take a name, and not nothing."


@pytest.mark.parametrize(
    ("url", "code", "said"),
    [
        (NOBODY, 1, "The database failed: "),
        ("mysql://anna:hunter2@127.0.0.1/record", 2, "begins with postgresql://."),
        ("postgresql://anna:hunter2/3@127.0.0.1:5432/record", 2, "The URL of the database cannot be read"),
        ("postgresql://anna:hunter2#3@127.0.0.1/record", 2, "The URL of the database cannot be read"),
        ("postgresql://anna:x?hunter2@127.0.0.1/record", 2, "The URL of the database cannot be read"),
        ("postgresql://anna:hunter2@[::1/record", 2, "The URL of the database cannot be read"),
        ("postgresql://anna:hunter2@127.0.0.1:hunter2/record", 2, "The URL of the database cannot be read"),
    ],
)
@pytest.mark.parametrize("command", ["audit", "export", "import"])
def test_a_password_is_never_repeated(command: str, url: str, code: int, said: str, record: Path) -> None:
    (record / "record.jsonl").write_text("{}")
    arguments = [str(record / "record.jsonl")] if command == "import" else []
    found = call(command, *arguments, "--data", str(record), "--database", url)
    assert found.code == code
    assert said in one_sentence(found)
    assert "hunter" not in found.err


# Evidence is read and left as it is.


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.endswith("-shm")}


@pytest.fixture
def not_closed(record: Path, tmp_path: Path) -> Path:
    """A copy of a record that was open: its last commit lies in the -wal."""
    folder = tmp_path / "not closed"
    folder.mkdir()
    file = sqlite3.connect(record / DATABASE_FILE)
    file.execute("PRAGMA wal_autocheckpoint = 0")
    with file:
        file.execute("CREATE TABLE note (text)")
    for path in record.iterdir():
        if not path.name.endswith("-shm"):
            (folder / path.name).write_bytes(path.read_bytes())
            (folder / path.name).chmod(0o600)
    file.close()
    return folder


@pytest.mark.parametrize("command", ["audit", "export"])
def test_not_a_byte_of_a_record_is_changed(command: str, not_closed: Path) -> None:
    before = files(not_closed)
    assert before[f"{DATABASE_FILE}-wal"]
    assert call(command, "--data", str(not_closed)).code == 0
    assert files(not_closed) == before


@pytest.mark.parametrize("command", ["audit", "export"])
@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_an_older_record_is_refused_and_not_brought_up_to_date(command: str, kind: str, record: Path) -> None:
    """Beneath a house that runs, with the version before, nobody may change its tables."""
    more: list[str] = []
    if kind == "postgres":
        url = new_postgres()
        asyncio.run(played(PostgresDatabase(url), record, 1))
        more = ["--database", url]

        async def set_back() -> None:
            connection = await asyncpg.connect(url)
            await connection.execute("UPDATE alembic_version SET version_num = '0001'")
            await connection.close()

        asyncio.run(set_back())
    else:
        change(record, "UPDATE alembic_version SET version_num = '0001'")
    before = (record / DATABASE_FILE).read_bytes()
    for _ in range(2):
        found = call(command, "--data", str(record), *more)
        assert found.code == 1
        assert one_sentence(found).startswith("The database is at version 0001 and this program at 000")
    assert (record / DATABASE_FILE).read_bytes() == before


def as_nobody(*arguments: str) -> Called:
    """The command as a user who owns nothing; all of it is loaded before, for the checkout may be another's."""
    code = (
        "import os, sys, puntobanco.cli, puntobanco.cli.audit, puntobanco.cli.export, puntobanco.store.audit, "
        "puntobanco.store.transfer, puntobanco.store.sqlite\n"
        "from puntobanco.store.sqlite import _new_declarations\n"
        "_new_declarations()\n"
        "os.getuid() or os.setuid(65534)\n"
        "sys.exit(puntobanco.cli.main(sys.argv[1:]))"
    )
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False)
    return Called(done.returncode, done.stdout, done.stderr)


@pytest.fixture
def unwritable(whole: Path, not_closed: Path) -> Iterator[Path]:
    """Two records that anybody may read and nobody write to: one was closed, and one was not."""
    folder = Path(tempfile.mkdtemp(prefix="puntobanco-evidence-"))
    folder.chmod(0o755)
    for name, source in (("closed", whole), ("open", not_closed)):
        (folder / name).mkdir()
        for path in source.glob(f"{DATABASE_FILE}*"):
            if not path.name.endswith("-shm") and (name == "open" or not path.name.endswith("-wal")):
                (folder / name / path.name).write_bytes(path.read_bytes())
                (folder / name / path.name).chmod(0o444)
        (folder / name).chmod(0o555)
    yield folder
    for name in ("closed", "open"):
        (folder / name).chmod(0o755)
    shutil.rmtree(folder)


@pytest.mark.parametrize("command", ["audit", "export"])
def test_a_record_where_nothing_can_be_written_is_read(command: str, unwritable: Path, whole: Path) -> None:
    public_key = ["--public-key", open_keys(whole).public_key.hex()] if command == "audit" else []
    found = as_nobody(command, "--data", str(unwritable / "closed"), *public_key)
    assert (found.code, found.err) == (0, "")
    assert os.listdir(unwritable / "closed") == [DATABASE_FILE]


@pytest.mark.parametrize("command", ["audit", "export"])
def test_commits_that_cannot_be_put_together_are_told(command: str, unwritable: Path, whole: Path) -> None:
    """Read without them it would be an older record, with an older end, and nobody would know."""
    public_key = ["--public-key", open_keys(whole).public_key.hex()] if command == "audit" else []
    found = as_nobody(command, "--data", str(unwritable / "open"), *public_key)
    assert found.code == 1
    assert "the last commits lie in record.sqlite-wal: copy both files" in one_sentence(found)


# Keys.


@pytest.mark.parametrize("name", ["signing.key", "sealing.key"])
def test_keys_that_others_may_read_are_refused(name: str, record: Path) -> None:
    (record / name).chmod(0o640)
    found = audited(record)
    assert found.code == 1
    assert one_sentence(found) == f"The key {name} may be read by others: chmod 600 it, or think of it as known."


@pytest.mark.parametrize("name", ["signing.key", "sealing.key"])
def test_a_key_that_is_lost_is_not_made_anew(name: str, record: Path) -> None:
    (record / name).unlink()
    found = audited(record)
    assert found.code == 2
    assert one_sentence(found).startswith(f"The key {name} is not in ")
    assert "give the house's public key with --public-key" in one_sentence(found)
    assert not (record / name).exists()
    assert call("export", "--data", str(record)).code == 0


def test_other_keys_did_not_sign_it(record: Path) -> None:
    for name in ("signing.key", "sealing.key"):
        (record / name).unlink()
    open_keys(record)
    found = audited(record)
    assert found.code == 1
    assert found.out.startswith("keys: No stream ends in a head that one has signed, and no answer bears")
    assert found.out.endswith("\n1 problem.\n")


def test_somebody_outside_audits_with_the_public_key(record: Path, tmp_path: Path) -> None:
    """What a house gives to a laboratory: its export, and the public key that it has published."""
    public_key = json.loads(audited(record, "--json").out)["public_key"]
    assert call("export", "--data", str(record), "-o", str(tmp_path / "given.jsonl")).code == 0
    laboratory = tmp_path / "laboratory"
    assert call("import", str(tmp_path / "given.jsonl"), "--data", str(laboratory)).code == 0
    found = audited(laboratory, "--public-key", public_key)
    assert (found.code, found.err) == (0, "")
    assert f"\nPublic key: {public_key}.\n" in found.out
    assert found.out.count("\nNot checked: ") == 2
    assert found.out.endswith("\nNothing is wrong in what was checked.\n")
    assert not list(laboratory.glob("*.key"))
    change(laboratory, "UPDATE event SET time = time + 1 WHERE stream = 'table/main' AND version = 9")
    assert audited(laboratory, "--public-key", public_key).code == 1


def test_a_public_key_pins_the_house(record: Path, tmp_path: Path) -> None:
    """Also where keys lie in the data directory: whoever forged the record may have put theirs there."""
    other = open_keys(tmp_path).public_key.hex()
    found = audited(record, "--public-key", other)
    assert found.code == 1
    assert found.out.startswith("keys: No stream ends in a head that is signed with the public key: it is")


@pytest.mark.parametrize("text", ["", "zz", "ab" * 31])
def test_what_is_no_public_key_is_bad_usage(text: str, whole: Path) -> None:
    found = audited(whole, "--public-key", text)
    assert found.code == 2
    assert one_sentence(found) == "A public key is 64 hexadecimal digits."


# Export and import.


@pytest.fixture(scope="module")
def exported(whole: Path) -> str:
    found = call("export", "--data", str(whole))
    assert (found.code, found.err) == (0, "")
    return found.out


def test_an_export_to_a_file_is_the_same_and_for_its_owner_alone(whole: Path, exported: str, tmp_path: Path) -> None:
    path = tmp_path / "record.jsonl"
    path.write_text("an older one")
    left_behind = tmp_path / "record.jsonl.unfinished"
    left_behind.write_text("of a machine that stopped")
    left_behind.chmod(0o644)
    link = tmp_path / "latest.jsonl"
    link.symlink_to(path)
    found = call("export", "--data", str(whole), "-o", str(link))
    assert found == (0, "", "")
    assert path.read_text(encoding="utf-8") == exported
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert link.is_symlink()
    assert {each.name for each in tmp_path.iterdir()} == {path.name, link.name}


def test_lines_are_in_utf_8_whatever_the_terminal_has(whole: Path, exported: str) -> None:
    assert call("export", "--data", str(whole), encoding="ascii").out == exported


def test_a_file_that_cannot_be_written_whole_is_not_there(whole: Path, tmp_path: Path) -> None:
    path = tmp_path / "record.jsonl"

    class Full:
        """A disk on which there is no room for what is flushed."""

        def fsync(self, _: int) -> None:
            raise OSError(28, "No space left on device")

        def __getattr__(self, name: str) -> object:
            return getattr(os, name)

    with patch.object(export, "os", Full()):
        found = call("export", "--data", str(whole), "-o", str(path))
    assert found.code == 1
    assert one_sentence(found) == f"The record cannot be written to {str(path)!r}: No space left on device."
    assert not list(tmp_path.iterdir())


def test_a_damaged_record_is_not_exported(record: Path, tmp_path: Path) -> None:
    with patch("puntobanco.store.rows.EventRow.hash", side_effect=TypeError("NoneType")):
        found = call("export", "--data", str(record), "-o", str(tmp_path / "record.jsonl"))
    assert found.code == 1
    assert one_sentence(found) == "A row of the record holds what no row can: audit it."
    assert not (tmp_path / "record.jsonl").exists()


def test_an_export_that_is_interrupted_leaves_nothing(whole: Path, tmp_path: Path) -> None:
    with patch("puntobanco.store.transfer.json.dumps", side_effect=KeyboardInterrupt):
        assert call("export", "--data", str(whole), "-o", str(tmp_path / "record.jsonl")).code == 130
    assert not list(tmp_path.iterdir())


def test_of_two_exports_to_one_file_none_shows_the_half_of_the_other(whole: Path, tmp_path: Path) -> None:
    path, unfinished = tmp_path / "record.jsonl", tmp_path / "record.jsonl.unfinished"
    sync = os.fsync

    def other_begins(descriptor: int) -> None:
        sync(descriptor)
        unfinished.unlink()
        unfinished.write_text("half of it")

    with patch("puntobanco.cli.export.os.fsync", other_begins):
        found = call("export", "--data", str(whole), "-o", str(path))
    assert found.code == 1
    assert one_sentence(found) == f"Another export is written to {str(path)!r} at the same time."
    assert not path.exists()


@pytest.mark.parametrize(
    ("name", "code", "said"),
    [
        ("nowhere/record.jsonl", 1, "No such file or directory"),
        (".", 2, "is there and is not a file"),
        ("/dev/null", 2, "is there and is not a file"),
        ("a\0b", 2, "is no name of a file"),
    ],
)
def test_what_is_no_file_is_not_written_to(name: str, code: int, said: str, whole: Path, tmp_path: Path) -> None:
    found = call("export", "--data", str(whole), "-o", str(tmp_path / name))
    assert found.code == code
    assert said in one_sentence(found)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_imported_it_is_exported_the_same_and_audited(kind: str, whole: Path, exported: str, tmp_path: Path) -> None:
    path, folder = tmp_path / "record.jsonl", tmp_path / "new" / "data"
    path.write_text(exported, encoding="utf-8", newline="\n")
    at = ["--data", str(folder), *(["--database", new_postgres()] if kind == "postgres" else [])]
    found = call("import", str(path), *at)
    rows = len(exported.splitlines()) - 2
    assert found == (0, f"{rows:,} rows imported.\n", "")
    assert call("export", *at).out == exported
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("signing.key", "sealing.key"):
        (folder / name).write_bytes((whole / name).read_bytes())
        (folder / name).chmod(0o600)
    assert call("audit", *at).code == 0
    again = call("import", str(path), *at)
    assert again.code == 1
    assert one_sentence(again) == "The database holds a record already; a record is imported into an empty one."
    assert call("export", *at).out == exported
    if kind == "sqlite":
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert stat.S_IMODE((folder / DATABASE_FILE).stat().st_mode) == 0o600


WRONG = {
    "nothing": (b"", "The record is cut short: its last line is missing."),
    "rubbish": (b"\x00\x01\x02", "Line 1 is not JSON."),
    "not UTF-8": (
        b'{"format":"puntobanco-record","revision":"0001"}\n["event","\xff"]\n',
        "Line 2 is not text in UTF-8.",
    ),
    "another file": (b"# A heading\n", "Line 1 is not JSON."),
    "other JSON": (b'{"player": ["9f"]}\n', "This is not an exported record."),
    "a deep one": (b"[" * 100_000, "Line 1 is not JSON."),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_no_record_is_refused(name: str, tmp_path: Path) -> None:
    text, said = WRONG[name]
    path = tmp_path / "wrong.jsonl"
    path.write_bytes(text)
    found = call("import", str(path), "--data", str(tmp_path / "data"))
    assert found.code == 2
    assert one_sentence(found) == said


def wrong_rows(exported: str) -> Iterator[tuple[str, str]]:
    """A record in which one row is another, with a last line that agrees with it."""
    from hashlib import sha256

    from puntobanco.store.transfer import _told

    lines = exported.splitlines()
    entry = next(number for number, line in enumerate(lines) if line.startswith('["entry"'))
    head = next(number for number, line in enumerate(lines) if line.startswith('["head"'))
    event = json.loads(lines[1])
    changes: list[tuple[str, int, object]] = [
        ("is not a row of a record", entry, ["entry", "table/main", True, 0, "house/PHP", 7]),
        ("is not a row of a record", entry, ["entry", "table/main", 3, 0, "house/PHP", 2**63]),
        ("is not a row of a record", entry, ["entry", "table/main", 3, 0, "house/PHP", 7.0]),
        ("is not a row of a record", entry, ["entry", "table/main", 3, 0, None, 7]),
        ("is not a row of a record", entry, ["entry", "table/main", 3, 0, "\ud800", 7]),
        ("is not a row of a record", entry, ["entry", "table/main", 3, 0, "house/PHP"]),
        ("is not a row of a record", 1, [*event[:-1], event[-1].upper()]),
        ("is an event with another hash", 1, [*event[:4], event[4] + 1, *event[5:]]),
        ("is of no known kind", entry, [["entry"], "table/main"]),
        ("is not a row of a record", entry, ["entry", "table/main", 3, 0, "house/P\0P", 7]),
        ("is there twice", entry + 1, json.loads(lines[entry])),
        ("is there twice", head + 1, json.loads(lines[head])),
        ("not where an export has it", entry, json.loads(lines[head])),
        ("not where an export has it", 1, ["event", 7, *event[2:]]),
        ("not where an export has it", 1, ["event", -1, *event[2:]]),
        ("is not written as in an export", entry, lines[entry].replace(",", ", ")),
    ]
    for what, number, row in changes:
        written = row if isinstance(row, str) else json.dumps(row, separators=(",", ":"))
        changed = [*lines[:number], written, *lines[number + 1 : -1]]
        running = sha256()
        for line in changed:
            _told(line, running)
        end = {**json.loads(lines[-1]), "sha256": running.hexdigest()}
        yield what, "\n".join([*changed, json.dumps(end, separators=(",", ":"))]) + "\n"


def test_a_row_that_is_none_is_refused_by_its_line_and_leaves_nothing(exported: str, tmp_path: Path) -> None:
    path, folder = tmp_path / "wrong.jsonl", tmp_path / "data"
    for what, text in wrong_rows(exported):
        path.write_text(text, encoding="utf-8", newline="\n")
        found = call("import", str(path), "--data", str(folder))
        assert found.code == 2
        assert what in one_sentence(found)
        assert len(call("export", "--data", str(folder)).out.splitlines()) == 2


@pytest.mark.parametrize(
    ("name", "said"),
    [("nowhere", "cannot be read: No such file"), (".", "Is a directory"), ("a\0b", "no name of a file")],
)
def test_a_file_that_cannot_be_read(name: str, said: str, tmp_path: Path) -> None:
    found = call("import", str(tmp_path / name), "--data", str(tmp_path / "data"))
    assert found.code == 2
    assert said in one_sentence(found)
    assert not (tmp_path / "data").exists()


def test_a_data_directory_that_cannot_be_made_is_a_fault(exported: str, tmp_path: Path) -> None:
    path = tmp_path / "record.jsonl"
    path.write_text(exported, encoding="utf-8", newline="\n")
    for folder, said in ((path / "data", "Not a directory"), (tmp_path / "a\0b", "it is no name of a directory")):
        found = call("import", str(path), "--data", str(folder))
        assert found.code == 1
        assert said in one_sentence(found)


class Terminal(io.StringIO):
    """Standard error where somebody watches."""

    def isatty(self) -> bool:
        return True

    def lines(self) -> list[str]:
        return re.sub(r"\x1b\[[?0-9;]*[A-Za-z]", "", self.getvalue()).replace("\r", "\n").splitlines()


def test_whoever_waits_sees_how_far_each_part_is(
    whole: Path, exported: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "record.jsonl"
    events = exported.count('\n["event"')
    rows = sum(exported.count(f'\n["{kind}"') for kind in ("event", "entry", "command"))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "xterm")
    for arguments, bars in (
        (["export", "--data", str(whole), "-o", str(path)], [("rows", rows)]),
        (["import", str(path), "--data", str(tmp_path / "data")], [("bytes", len(exported.encode()))]),
        (["audit", "--data", str(whole)], [(CHECKS_ITSELF, 1), ("chain and books", events), ("decided again", events)]),
    ):
        terminal = Terminal()
        monkeypatch.setattr(sys, "stderr", terminal)
        assert main(arguments) == 0
        lines = terminal.lines()
        assert max(map(len, lines)) <= 80
        for name, total in bars:
            ends = rf"{name} .* [0-9,]+/{total:,} "
            assert any(re.match(ends, line) for line in lines), (name, lines)


def test_as_processes_through_a_pipe(whole: Path, exported: str, tmp_path: Path) -> None:
    """As it is moved from one machine to another."""

    def process(*arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [sys.executable, "-m", "puntobanco", *arguments],
            input=given,
            capture_output=True,
            timeout=120,
            env={**os.environ, "PYTHONIOENCODING": "ascii"},
        )

    sent = process("export", "--data", str(whole))
    assert (sent.returncode, sent.stderr) == (0, b"")
    assert sent.stdout == exported.encode()
    got = process("import", "-", "--data", str(tmp_path / "data"), given=sent.stdout)
    assert (got.returncode, got.stderr) == (0, b"")
    for name in ("signing.key", "sealing.key"):
        (tmp_path / "data" / name).write_bytes((whole / name).read_bytes())
        (tmp_path / "data" / name).chmod(0o600)
    told = process("audit", "--data", str(tmp_path / "data"), "--json")
    assert (told.returncode, told.stderr) == (0, b"")
    assert json.loads(told.stdout)["problems"] == []
    nothing = process("import", "-", "--data", str(tmp_path / "other"))
    assert (nothing.returncode, nothing.stdout) == (2, b"")


@pytest.mark.parametrize("command", ["audit --data {whole}", "export --data {whole}", "import {file} --data {new}"])
def test_a_closed_standard_error_changes_nothing(command: str, whole: Path, exported: str, tmp_path: Path) -> None:
    """As under a supervisor that wants no messages: there is nowhere to show progress, and that is no problem."""
    file = tmp_path / "record.jsonl"
    file.write_text(exported, encoding="utf-8")
    words = f"{sys.executable} -m puntobanco {command.format(whole=whole, file=file, new=tmp_path / 'new')} 2>&-"
    done = subprocess.run(["sh", "-c", words], capture_output=True, timeout=60)
    assert done.returncode == 0, done.stdout[-500:]


def test_an_interrupt_ends_the_work_at_once(exported: str, tmp_path: Path) -> None:
    """Also where it waits for lines that do not come; then nothing was written."""
    process = subprocess.Popen(
        [sys.executable, "-m", "puntobanco", "import", "-", "--data", str(tmp_path / "data")],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stderr is not None
    process.stdin.write("\n".join(exported.splitlines()[:20]).encode())
    process.stdin.flush()
    while not (tmp_path / "data" / DATABASE_FILE).exists():
        time.sleep(0.05)
    time.sleep(2)  # Until it reads.
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 130
    process.stdin.close()
    process.stderr.close()
    (tmp_path / "record.jsonl").write_text(exported, encoding="utf-8")
    assert call("import", str(tmp_path / "record.jsonl"), "--data", str(tmp_path / "data")).code == 0
