"""Malformed frames and commands by the million: which were not refused, what they did to the ledger, what was logged.

Run: .venv/bin/python bench/frames.py --count 1000000
"""

import argparse
import asyncio
import os
import sys
import tempfile
import time
from itertools import chain
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from server.malformed import Grammar
from server.refusing import logged_faults, moved, refused_all
from server.running import UNLIMITED, serving

REPORT_EVERY = 100_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print(f"load of the machine before: {os.getloadavg()[0]:.2f}")
    began, sent, wrong = time.perf_counter(), 0, list[str]()
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder) / "data", settings=UNLIMITED) as running,
    ):
        _, answer, _ = running.ask("GET", "/api/tables")
        table = next(each for each in answer["tables"] if each["dealing"] == "virtual")
        _, _, session = running.ask("POST", "/api/guests", {})
        before = moved(running)
        grammar = Grammar(given.seed, [*table["limits"]])
        messages = chain(grammar.every_amount(), grammar)
        while sent < given.count and not wrong:
            count = min(REPORT_EVERY, given.count - sent)
            outcome = asyncio.run(refused_all(running, table["id"], session, messages, count))
            sent += outcome.sent
            wrong += outcome.wrong
            seconds, (memory, _) = time.perf_counter() - began, running.memory()
            print(
                f"{sent:,} sent, {seconds:,.0f} s; of the last {outcome.sent:,}: refused {dict(outcome.refused)}, "
                f"{outcome.closed:,} closed, by HTTP {dict(outcome.by_http)}; memory {memory / 1e6:,.0f} MB",
                flush=True,
            )
        unchanged = moved(running) == before
        faults = logged_faults(running)
    print(f"{len(wrong)} not refused; ledger {'unchanged' if unchanged else 'CHANGED'}; {len(faults)} faults logged")
    for each in [*wrong, *faults][:10]:
        print(each)
    sys.exit(1 if wrong or faults or not unchanged else 0)


if __name__ == "__main__":
    main()
