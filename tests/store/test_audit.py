"""An audit finds nothing in a true record, and whatever was changed in any other."""

import asyncio
import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import asyncpg
import pytest

from puntobanco.ledger import AdjustAccount, IssueMoney, PostRate
from puntobanco.store.audit import Findings, audit
from puntobanco.store.dealer import VirtualDealer, redrawn
from puntobanco.store.keys import Keys, PublicKey
from puntobanco.store.sqlite import SqliteDatabase
from puntobanco.store.streams import TableStream
from puntobanco.table import DealCard, Phase
from store.databases import Place
from store.everything import make as make_everything
from store.houses import KEYS, VIRTUAL, house
from store.played import desk, play

ROUNDS = 12


async def audited(place: Place, keys: Keys | PublicKey = KEYS, **limits: object) -> Findings:
    database = place.database()
    await database.start()
    try:
        return await audit(database, keys, **limits)  # type: ignore[arg-type]
    finally:
        await database.close()


async def make(place: Place, rounds: int = ROUNDS) -> None:
    async with house(place.database(), settings=VIRTUAL) as at:
        await desk(at)
        await play(at, rounds)


def test_a_true_record_has_no_problem(place: Place) -> None:
    async def work() -> None:
        await make(place, 95)  # More than a shoe.
        found = await audited(place)
        assert found.problems == []
        assert found.rounds == 95
        assert found.shoes == 2
        assert found.events > 95 * 9
        assert set(found.seconds) == {"database", "chain and books", "decided again", "shoes and answers"}
        assert (await audited(place, table="main")).problems == []
        assert (await audited(place, since=1_700_000_000_500)).problems == []

    asyncio.run(work())


# What somebody with the database open might do, and the words with which it is found.
CHANGES = {
    "a stake": (
        "UPDATE event SET body = replace(body, '\"after\":2000', '\"after\":2040') WHERE body LIKE '%stake-changed%'",
        "The hash that it carries",
    ),
    "an actor": ("UPDATE event SET actor = 'mallory' WHERE sequence = 9", "The hash that it carries"),
    "a time": ("UPDATE event SET time = time + 1 WHERE sequence = 9", "The hash that it carries"),
    "a missing event": ("DELETE FROM event WHERE sequence = 30", "is missing before it"),
    "the last event": (
        "DELETE FROM event WHERE sequence = (SELECT max(sequence) FROM event WHERE stream = 'table/main')",
        "do not end where its signed head says",
    ),
    "a balance": ("UPDATE account SET balance = balance + 1 WHERE id = 'patron/PHP/anna'", "its postings come to"),
    "a balance and its posting": (
        "UPDATE entry SET amount = amount + 1 WHERE account = 'patron/PHP/anna' AND place = 1 AND version = 1",
        "its postings come to",
    ),
    "a posting too many": (
        "INSERT INTO entry VALUES ('table/main', 3, 0, 'patron/PHP/anna', 7), ('table/main', 3, 1, 'house/PHP', -7)",
        "and should have nothing else",
    ),
    "an event before the first": (
        'INSERT INTO event SELECT 0, stream, 0, time, actor, command, "schema", body, previous FROM event '
        "WHERE sequence = 9",
        "lie in the order of the record",
    ),
    "the numbers of postings": ("UPDATE entry SET place = place + 7 WHERE version = 1", "not numbered from 0 on"),
    "an answer": ("UPDATE command SET answer = '{}' WHERE actor = 'anna'", "was changed"),
    "a lost answer": ("DELETE FROM command WHERE actor = 'anna'", "was never answered"),
    "a head": ("UPDATE head SET version = version - 1 WHERE stream = 'desk/main'", "signed head says"),
    "a signature": (
        "UPDATE head SET signature = zeroblob(64) WHERE stream = 'desk/main'",
        "is not signed with the key",
    ),
    "all signatures": ("UPDATE head SET signature = zeroblob(64)", "all heads were changed"),
    "all marks of answers": ("UPDATE command SET seal = zeroblob(32)", "or all answers were changed"),
    "the keys of the shoe in play": ("DELETE FROM shoe_keys", "are not in the record"),
    "sealed keys": ("UPDATE shoe_keys SET sealed = zeroblob(8220)", "were changed"),
    "an account with nothing on it": (
        "DELETE FROM account WHERE id = 'held/main/PHP/anna' AND balance = 0",
        "held/main/PHP/anna has postings and no balance",
    ),
    "an account that nobody has used": (
        "INSERT INTO account VALUES ('patron/PHP/zoe', 0)",
        "patron/PHP/zoe has a balance and no posting",
    ),
    "the place of a posting": (
        "UPDATE entry SET place = 7 WHERE stream = 'desk/main' AND version = 1 AND place = 1",
        "Its postings are not numbered",
    ),
    "a trigger": (
        "CREATE TRIGGER more AFTER INSERT ON event BEGIN UPDATE account SET balance = balance + 1; END",
        "more is a trigger",
    ),
    "an account of nobody": ("INSERT INTO account VALUES ('nobody', 0)", "is not the name of an account"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_was_changed_is_found(change: str, tmp_path: Path) -> None:
    place = Place("sqlite", tmp_path)
    statement, words = CHANGES[change]
    asyncio.run(make(place))
    with sqlite3.connect(tmp_path / "record.sqlite") as file:
        assert file.execute(statement).rowcount != 0
    file.close()
    found = asyncio.run(audited(place))
    assert any(words in str(problem) for problem in found.problems), found.problems


BALANCES_FIT = "UPDATE account SET balance = (SELECT sum(amount) FROM entry WHERE entry.account = account.id)"


@pytest.mark.parametrize(
    "event", ["money-issued", "money-changed", "stake-changed", "round-settled", "round-voided", "round-corrected"]
)
def test_the_postings_of_an_event_that_is_believed_follow_from_it(event: str, tmp_path: Path) -> None:
    """Whatever kind of event it is, and though the balances were made to fit."""
    place = Place("sqlite", tmp_path)
    asyncio.run(make_everything(place))
    with sqlite3.connect(tmp_path / "record.sqlite") as file:
        where = (
            "SELECT e.stream, e.version FROM event AS e JOIN entry USING (stream, version) "
            f'WHERE e.body LIKE \'{{"event":"{event}"%\' ORDER BY e.sequence LIMIT 1'
        )
        stream, version = file.execute(where).fetchone()
        key = "WHERE stream = ? AND version = ?"
        assert file.execute(f"UPDATE entry SET amount = amount * 2 {key}", (stream, version)).rowcount > 1
        file.execute("PRAGMA ignore_check_constraints = ON")
        file.execute(BALANCES_FIT)
    file.close()
    for limits in ({"since": 2**60}, {"table": "nobody"}):
        found = asyncio.run(audited(place, **limits))
        due = [each for each in found.problems if "Its postings have" in each.message]
        assert (stream, version) in [(each.stream, each.version) for each in due]


@pytest.mark.parametrize("stream", ["table/main", "roster/main"])
def test_a_whole_stream_that_was_taken_out_is_found(stream: str, tmp_path: Path) -> None:
    place = Place("sqlite", tmp_path)
    asyncio.run(make(place))
    with sqlite3.connect(tmp_path / "record.sqlite") as file:
        # All that somebody without the keys can do to make it look as if there had never been such a stream.
        for table in ("event", "entry", "command", "head", "shoe_keys", "landmark"):
            file.execute(f"DELETE FROM {table} WHERE stream = ?", (stream,))
        file.execute("UPDATE event SET sequence = (SELECT count(*) FROM event AS e WHERE e.sequence <= event.sequence)")
        file.execute("DELETE FROM account WHERE id NOT IN (SELECT account FROM entry)")
        file.execute("UPDATE account SET balance = (SELECT sum(amount) FROM entry WHERE account = account.id)")
    file.close()
    found = asyncio.run(audited(place))
    assert any("the roster" in problem.message for problem in found.problems)
    # Ruling 22: what was adjusted for a round of it has lost its round.
    rest = [problem for problem in found.problems if "the roster" not in problem.message]
    assert all("adjusted for" in problem.message for problem in rest)


def test_the_keys_of_a_shoe_that_is_over_belong_to_the_record(tmp_path: Path) -> None:
    place = Place("sqlite", tmp_path)
    asyncio.run(make_everything(place))
    with sqlite3.connect(tmp_path / "record.sqlite") as file:
        assert file.execute("DELETE FROM shoe_keys WHERE shoe = 1").rowcount == 1
    file.close()
    found = asyncio.run(audited(place))
    assert [str(problem) for problem in found.problems] == [
        "table/main: Shoe 1: Its sealed keys are not in the record."
    ]


def test_sealed_keys_of_a_shoe_that_was_never_committed_to_are_found(tmp_path: Path) -> None:
    place = Place("sqlite", tmp_path)
    asyncio.run(make_everything(place))
    with sqlite3.connect(tmp_path / "record.sqlite") as file:
        sealed = KEYS.seal(b"k" * 8192, b"table/main/77")
        file.execute("INSERT INTO shoe_keys VALUES ('table/main', 77, ?)", (sealed,))
    file.close()
    for keys in (KEYS, PublicKey(KEYS.public_key)):
        assert [str(problem) for problem in asyncio.run(audited(place, keys)).problems] == [
            "table/main: Shoe 77: Its sealed keys are here, and nothing was committed to them."
        ]


@pytest.mark.parametrize("address", ["table/nowhere/rounds/999", "main/13", "desk/main/1", "main/0", "the last one"])
def test_ruling_22_an_adjustment_is_for_a_round_of_the_record(
    address: str, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where it was made before a desk asked for the address of a round, which is told once."""

    async def work() -> None:
        async with house(place.database(), settings=VIRTUAL) as at:
            await play(at, ROUNDS)
            assert (await at.do("desk/main", PostRate("HKD", "PHP", 7, 1))).accepted
            with monkeypatch.context() as before:
                before.setattr("puntobanco.ledger.desk._against_later_rules", lambda *_: None)
                for each in ("main/12", "table/main/rounds/1", address):
                    adjust = AdjustAccount("anna", "PHP", 500, each, "paid wrongly", "dora", "emil")
                    assert (await at.do("desk/main", adjust)).accepted
        for since in (None, 2**60):
            (problem,) = (await audited(place, since=since)).problems
            assert problem.stream == "desk/main"
            assert f"adjusted for the round {address!r}, which is not in the record" in problem.message

    asyncio.run(work())


def test_a_stream_that_cannot_be_read_has_one_problem(tmp_path: Path) -> None:
    """What follows from its events cannot be told: no fault of its landmarks, shoes, adjustments or stakes."""
    place = Place("sqlite", tmp_path)
    asyncio.run(make_everything(place))
    with sqlite3.connect(tmp_path / "record.sqlite") as file:
        assert file.execute("SELECT count(*) FROM landmark WHERE stream = 'table/main'").fetchone()[0] > 1
        forge(file, "shoe-opened", lambda body: body.replace("shoe-opened", "shoe-unheard-of"))
    file.close()
    (problem,) = asyncio.run(audited(place)).problems
    assert (problem.stream, problem.version) == ("table/main", 2)
    assert problem.message.startswith("It cannot have happened")


def test_tables_of_somebody_else_are_no_problem(tmp_path: Path) -> None:
    place = Place("sqlite", tmp_path)
    asyncio.run(make(place, 1))
    with sqlite3.connect(tmp_path / "record.sqlite") as file:
        file.execute("CREATE TABLE note (text)")
        file.execute("CREATE INDEX event_time ON event (time)")
        file.execute("CREATE VIEW patrons AS SELECT id FROM account")
        file.execute("ANALYZE")
    file.close()
    assert asyncio.run(audited(place)).problems == []


# What somebody might do to the tables of a server, and what is then told to be otherwise.
DECLARED_OTHERWISE = {
    "a check is gone": ("ALTER TABLE account DROP CONSTRAINT account_owed", "account is not declared"),
    "a check is another": (
        "ALTER TABLE entry DROP CONSTRAINT entry_moves_something; "
        "ALTER TABLE entry ADD CONSTRAINT entry_moves_something CHECK (amount <> 1)",
        "constraint entry_moves_something",
    ),
    "a check is only for what is new": (
        "ALTER TABLE account DROP CONSTRAINT account_owed; "
        "ALTER TABLE account ADD CONSTRAINT account_owed CHECK (balance <= 0 OR id NOT LIKE 'owed/%') NOT VALID",
        "constraint account_owed",
    ),
    "a check too many": ("ALTER TABLE head ADD CONSTRAINT more CHECK (version < 9000)", "constraint more"),
    "an answer may be there twice": ("ALTER TABLE command DROP CONSTRAINT command_pkey", "constraint command_pkey"),
    "two disputes of one round": ("DROP INDEX dispute_once", "index dispute_once"),
    "an event without a body": ("ALTER TABLE event ALTER COLUMN body DROP NOT NULL", "column body"),
    "a column too many": ("ALTER TABLE entry ADD COLUMN note text", "column note"),
    "names in another order": ('ALTER TABLE account ALTER COLUMN id TYPE text COLLATE "default"', "column id"),
    "a balance that is there by itself": ("ALTER TABLE account ALTER COLUMN balance SET DEFAULT 7", "column balance"),
    "a trigger": (
        "CREATE FUNCTION more() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'; "
        "CREATE TRIGGER lost BEFORE INSERT ON entry FOR EACH ROW EXECUTE FUNCTION more()",
        "lost is a trigger of entry",
    ),
    "a rule": ("CREATE RULE lost AS ON DELETE TO event DO INSTEAD NOTHING", "lost is a rule of event"),
}


@pytest.mark.parametrize("change", DECLARED_OTHERWISE)
def test_tables_of_a_server_that_are_declared_otherwise_are_found(change: str, tmp_path: Path) -> None:
    """No row is another; but from now on the database takes, or does, what it did not."""
    place = Place("postgres", tmp_path)
    statements, words = DECLARED_OTHERWISE[change]

    async def work() -> Findings:
        async with house(place.database()):
            pass
        assert (await audited(place)).problems == []
        connection = await asyncpg.connect(place.url)
        await connection.execute(statements)
        await connection.close()
        return await audited(place)

    (problem,) = asyncio.run(work()).problems
    assert words in str(problem)


def test_tables_of_somebody_else_on_the_server_are_no_problem(tmp_path: Path) -> None:
    place = Place("postgres", tmp_path)

    async def work() -> Findings:
        await make(place, 1)
        connection = await asyncpg.connect(place.url)
        await connection.execute(
            "CREATE TABLE note (text text); CREATE INDEX event_time ON event (time); "
            "CREATE VIEW patrons AS SELECT id FROM account; CREATE SCHEMA other; CREATE TABLE other.event (a int)"
        )
        await connection.execute("ANALYZE")
        await connection.close()
        return await audited(place)

    assert asyncio.run(work()).problems == []


OTHER_KEYS = {
    "both": (Keys(b"x" * 32, b"y" * 32), "keys: No stream ends in a head that one has signed, and no answer"),
    "signing": (Keys(b"x" * 32, b"k" * 32), "keys: No stream ends in a head that is signed with the public key"),
    "sealing": (Keys(b"s" * 32, b"y" * 32), "keys: No answer bears the mark of sealing.key: it is another"),
}


@pytest.mark.parametrize("other", OTHER_KEYS)
def test_keys_of_another_record_are_one_problem(other: str, tmp_path: Path) -> None:
    place = Place("sqlite", tmp_path)
    asyncio.run(make_everything(place))
    keys, sentence = OTHER_KEYS[other]
    (problem,) = asyncio.run(audited(place, keys)).problems
    assert str(problem).startswith(sentence)


def test_answers_that_were_changed_are_not_laid_to_the_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many of them are read before the first that was not."""
    monkeypatch.setattr("puntobanco.store.sqlite.READ_AT_ONCE", 2)
    ids = [f"aaaaaaa{number}" for number in range(5)]

    async def work() -> list[str]:
        place = Place("sqlite", tmp_path)
        async with house(place.database()) as at:
            for each in ids:
                assert (await at.do("desk/main", IssueMoney("bob", "PHP", 1, "why"), id=each)).accepted
        with sqlite3.connect(tmp_path / "record.sqlite") as file:
            assert file.execute("UPDATE command SET answer = '{}' WHERE id LIKE 'aaaaaaa%'").rowcount == len(ids)
        file.close()
        return [str(each) for each in (await audited(place)).problems]

    changed = [f"desk/main, event {version}: The answer to {each} was changed." for version, each in enumerate(ids, 3)]
    assert asyncio.run(work()) == changed


def test_with_the_public_key_alone_all_is_checked_that_needs_no_other(place: Place) -> None:
    outside = PublicKey(KEYS.public_key)

    async def work() -> None:
        await make(place)
        found = await audited(place, outside)
        assert found.problems == []
        assert found.decided == found.events
        assert len(found.unchecked) == 2
        assert found.public_key == KEYS.public_key.hex()
        assert (await audited(place, PublicKey(Keys(b"x" * 32, b"k" * 32).public_key))).problems

    asyncio.run(work())


NEEDS_THE_SEALING_KEY = {"an answer", "sealed keys", "all marks of answers"}


@pytest.mark.parametrize("change", sorted(CHANGES))
def test_what_was_changed_is_found_from_outside(change: str, true_record: Path, tmp_path: Path) -> None:
    """With the public key alone, but for what only the sealing key can tell."""
    place = Place("sqlite", tmp_path)
    (tmp_path / "record.sqlite").write_bytes(true_record.read_bytes())
    with sqlite3.connect(tmp_path / "record.sqlite") as file:
        assert file.execute(CHANGES[change][0]).rowcount != 0
    file.close()
    found = asyncio.run(audited(place, PublicKey(KEYS.public_key)))
    assert bool(found.problems) == (change not in NEEDS_THE_SEALING_KEY)


@pytest.mark.parametrize(
    ("event", "change"),
    [
        ("round-settled", lambda body: body.replace("[2000,-2000,", "[2000,-1999,")),
        ("card-dealt", lambda body: body.replace('"hand":"player"', '"hand":"banker"')),
        ("money-changed", lambda body: body.replace('"received":7000', '"received":70000')),
        ("round-sealed", lambda body: body.replace('"state":"', '"state":"0')[:-3] + '"}'),
    ],
)
def test_a_record_that_was_forged_with_the_key_is_found_by_deciding_again(
    event: str, change: Callable[[str], str], tmp_path: Path
) -> None:
    """Whoever has the key can make a new chain; what cannot have happened is found all the same."""
    place = Place("sqlite", tmp_path)
    asyncio.run(make(place))
    with sqlite3.connect(tmp_path / "record.sqlite") as file:
        forge(file, event, change)
    file.close()
    found = asyncio.run(audited(place))
    assert not [problem for problem in found.problems if "hash" in problem.message or "signed" in problem.message]
    assert found.problems


def forge(file: sqlite3.Connection, event: str, change: Callable[[str], str]) -> None:
    """Change the first such event, and chain and sign all that follows again."""
    from puntobanco.store.rows import GENESIS, EventRow, signed_head

    columns = 'stream, version, time, actor, command, "schema", body'
    hashes: dict[str, bytes] = {}
    last: dict[str, int] = {}
    changed = False
    for sequence, *fields in file.execute(f"SELECT sequence, {columns} FROM event ORDER BY sequence").fetchall():
        if not changed and f'"event":"{event}"' in fields[-1] and change(fields[-1]) != fields[-1]:
            fields[-1], changed = change(fields[-1]), True
        row = EventRow._make([*fields, hashes.get(fields[0], GENESIS)])
        file.execute("UPDATE event SET body = ?, previous = ? WHERE sequence = ?", (row.body, row.previous, sequence))
        hashes[row.stream], last[row.stream] = row.hash(), row.version
    assert changed
    for stream, hashed in hashes.items():
        signature = KEYS.sign(signed_head(stream, last[stream], hashed))
        file.execute("UPDATE head SET hash = ?, signature = ? WHERE stream = ?", (hashed, signature, stream))


@pytest.mark.parametrize(
    ("table", "column"),
    [
        *(("event", column) for column in ("stream", "version", "time", "actor", "command", "body", "previous")),
        *(("entry", column) for column in ("account", "amount")),
        *(("command", column) for column in ("digest", "stream", "answer", "seal")),
        *(("head", column) for column in ("version", "hash", "signature")),
        ("account", "balance"),
        ("shoe_keys", "sealed"),
    ],
)
@pytest.mark.parametrize("value", ["NULL", "x'00ff'", "'text'", "-1.5"])
def test_a_value_that_no_row_can_hold_is_a_problem_and_no_crash(
    table: str, column: str, value: str, true_record: Path, tmp_path: Path
) -> None:
    """As a changed byte in a file may make one: SQLite looks at values when they are written, and not again."""
    place = Place("sqlite", tmp_path)
    (tmp_path / "record.sqlite").write_bytes(true_record.read_bytes())
    with schema_of(tmp_path / "record.sqlite", table) as file:
        keys = ", ".join(PRIMARY_KEYS[table])
        first = f"SELECT {keys} FROM {table} ORDER BY {keys} LIMIT 1"
        assert file.execute(f"UPDATE {table} SET {column} = {value} WHERE ({keys}) IN ({first})").rowcount == 1
    found = asyncio.run(audited(place))
    assert found.problems
    json.dumps(found.as_json())


PRIMARY_KEYS = {
    "event": ["sequence"],
    "entry": ["stream", "version", "place"],
    "command": ["actor", "id"],
    "head": ["stream"],
    "account": ["id"],
    "shoe_keys": ["stream", "shoe"],
}


@contextmanager
def schema_of(path: Path, table: str) -> Iterator[sqlite3.Connection]:
    """A connection to a file in which a table takes any value; afterwards it is declared as before."""

    def declare(text: str) -> None:
        file = sqlite3.connect(path, isolation_level=None)
        file.execute("PRAGMA writable_schema = ON")
        file.execute("UPDATE sqlite_schema SET sql = ? WHERE name = ?", [text, table])
        file.close()

    file = sqlite3.connect(path)
    (declared,) = file.execute("SELECT sql FROM sqlite_schema WHERE name = ?", [table]).fetchone()
    file.close()
    declare(re.sub(r",?\s*STRICT", "", declared.replace(" NOT NULL", "")))
    file = sqlite3.connect(path, isolation_level=None)
    file.execute("PRAGMA ignore_check_constraints = ON")
    yield file
    file.close()
    declare(declared)


@pytest.fixture(scope="module")
def true_record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = Place("sqlite", tmp_path_factory.mktemp("true"))
    asyncio.run(make(place, 2))
    path = place.folder / "record.sqlite"
    with sqlite3.connect(path) as file:
        file.execute("PRAGMA journal_mode = DELETE")
    file.close()
    return path


def test_sqlite_finds_its_own_faults(tmp_path: Path) -> None:
    place = Place("sqlite", tmp_path)
    asyncio.run(make(place, 2))
    with sqlite3.connect(tmp_path / "record.sqlite") as file:
        file.execute("PRAGMA writable_schema = ON")
        file.execute("DELETE FROM sqlite_schema WHERE name = 'entry_account'")
    file.close()

    async def work() -> list[str]:
        database = SqliteDatabase(tmp_path / "record.sqlite")
        await database.start()
        try:
            return await database.integrity_problems()
        finally:
            await database.close()

    assert asyncio.run(work())


def test_cards_that_are_not_those_of_the_keys_are_found(place: Place) -> None:
    """A card is dealt by hand after the seal, and the shoe is never revealed: it cannot hide in that."""

    async def work() -> None:
        async with house(place.database(), settings=VIRTUAL) as at:
            dealer = VirtualDealer(at.record, "main")
            while at.table.phase is not Phase.DEALING:
                await dealer.step()
            await dealer.step()  # Sealed.
            stream = at.record.stream("table/main")
            assert isinstance(stream, TableStream)
            keys = await dealer._keys_of_shoe(stream.shoe)
            drawn = redrawn(stream.shoe, keys).draw()
            other = next(card for card in VIRTUAL.game.pack.cards if card is not drawn)
            hand = at.table.due.hand
            assert hand is not None
            assert (await at.do("table/main", DealCard(1, hand, other))).accepted
        found = await audited(place)
        assert any("was not dealt from its keys" in problem.message for problem in found.problems)

    asyncio.run(work())
