"""Malformed frames and commands: each is refused or ends its socket, nothing fails, no money moves."""

import asyncio
from itertools import chain
from pathlib import Path

from server.malformed import AMOUNTS, Grammar
from server.refusing import logged_faults, moved, refused_all
from server.running import UNLIMITED, serving

COUNT = 20_000


def test_nothing_malformed_is_carried_out(tmp_path: Path) -> None:
    assert len(set(AMOUNTS)) > 60
    with serving(tmp_path / "data", settings=UNLIMITED) as running:
        _, answer, _ = running.ask("GET", "/api/tables")
        table = next(each for each in answer["tables"] if each["dealing"] == "virtual")
        _, _, session = running.ask("POST", "/api/guests", {})
        before = moved(running)
        grammar = Grammar(1, [*table["limits"]])
        messages = chain(grammar.every_amount(), grammar)
        outcome = asyncio.run(refused_all(running, table["id"], session, messages, COUNT))
        assert outcome.wrong == []
        assert outcome.sent == COUNT
        assert moved(running) == before
        assert running.ask("GET", "/healthz")[0] == 200
    assert logged_faults(running) == []
    assert running.audit()["problems"] == []
