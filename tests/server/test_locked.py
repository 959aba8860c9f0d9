"""A tool that writes to the record's file for a while holds up what is written, and nothing else."""

import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from server.running import serving

HELD_SECONDS = 2.0


def test_a_house_answers_while_another_process_holds_the_lock_of_its_file(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as house, ThreadPoolExecutor(1) as beside:
        status, me, session = house.ask("POST", "/api/guests", {})
        assert status == 201, me
        tool = sqlite3.connect(tmp_path / "data" / "record.sqlite", isolation_level=None, timeout=10)
        tool.execute("BEGIN IMMEDIATE")
        began, longest = time.monotonic(), 0.0
        stake = {"id": "while-locked", "do": "stake", "wager": "tie", "amount": 1000}
        answer = beside.submit(house.ask, "POST", "/api/tables/six-star/commands", stake, session)
        while time.monotonic() < began + HELD_SECONDS:
            asked = time.monotonic()
            assert house.ask("GET", "/readyz")[0] == 200
            assert house.ask("GET", "/api/tables")[0] == 200
            assert house.ask("GET", "/api/me", session=session)[0] == 200
            longest = max(longest, time.monotonic() - asked)
            assert not answer.done(), "answered before it could be durable"
            time.sleep(0.05)
        tool.execute("ROLLBACK")
        tool.close()
        # Accepted or refused, as the table stands, but decided and written.
        assert answer.result(10)[0] in (200, 409), answer.result()
        assert longest < HELD_SECONDS / 2
        assert house.ask("GET", "/readyz")[1]["stopped"] == 0
        with house.database() as record:
            assert record.execute("SELECT count(*) FROM command WHERE id = 'while-locked'").fetchone() == (1,)
