"""The record of docs/record.md is what the program writes, and the page tells every event, account and hash of it.

After a change of the text of events: REWRITE_WORKED_ROUND=1 scripts/test tests/store/test_worked_round.py
"""

import asyncio
import os
import re
from dataclasses import fields
from pathlib import Path
from typing import get_args

import pytest

from puntobanco.fairness.log import ShoeEvent
from puntobanco.ledger import DeskEvent, Kind
from puntobanco.store.audit import audit
from puntobanco.store.keys import open_keys
from puntobanco.store.roster import StreamEntered
from puntobanco.store.sqlite import SqliteDatabase
from puntobanco.store.transfer import imported
from puntobanco.table import Event
from store.worked_round import GOLDEN, RECORD, made, write_keys

PAGE = (Path(__file__).parents[2] / "docs" / "record.md").read_text(encoding="utf-8")


def test_the_record_is_what_the_program_writes(tmp_path: Path) -> None:
    lines = "".join(f"{line}\n" for line in asyncio.run(made(tmp_path)))
    if "REWRITE_WORKED_ROUND" in os.environ:
        RECORD.write_text(lines, encoding="utf-8", newline="\n")
        write_keys(GOLDEN)
    assert RECORD.read_text(encoding="utf-8") == lines
    for name in ("signing.key", "sealing.key"):
        assert (GOLDEN / name).read_bytes() == (tmp_path / name).read_bytes()


def test_nothing_is_wrong_with_it(tmp_path: Path) -> None:
    async def work() -> None:
        write_keys(tmp_path)
        database = SqliteDatabase(tmp_path / "record.sqlite")
        await database.start()
        with RECORD.open(encoding="utf-8", newline="\n") as lines:
            await imported(database, lines)
        found = await audit(database, open_keys(tmp_path))
        await database.close()
        assert found.problems == []
        assert (found.rounds, found.events) == (1, 33)  # One that was settled, and void after that.

    asyncio.run(work())


@pytest.mark.parametrize(
    ("heading", "union"),
    [("table", Event), ("committed shoe", ShoeEvent), ("cash desk", DeskEvent), ("roster", StreamEntered)],
)
def test_the_page_has_every_event_with_its_fields(heading: str, union: object) -> None:
    (section,) = re.findall(rf"^### Of a {heading}\n(.*?)(?=^##)", PAGE, re.DOTALL | re.MULTILINE)
    listed = re.findall(r"^\| `([a-z-]+)` \| ([a-z_`, ]*) \|", section, re.MULTILINE)
    declared = [
        (
            re.sub(r"(?<!^)(?=[A-Z])", "-", kind.__name__).lower(),
            ", ".join(f"`{each.name}`" for each in fields(kind)),
        )
        for kind in get_args(union) or (union,)
    ]
    assert listed == declared


def test_the_page_has_every_kind_of_account() -> None:
    (section,) = re.findall(r"^## The accounts\n(.*?)(?=^##)", PAGE, re.DOTALL | re.MULTILINE)
    assert re.findall(r"^\| `([a-z]+)/", section, re.MULTILINE) == [kind.value for kind in Kind]
