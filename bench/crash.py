"""A process that keeps a record under load, killed with SIGKILL and started again: what was acknowledged and is lost.

Run: .venv/bin/python bench/crash.py --cycles 1000 --database sqlite
"""

import argparse
import asyncio
import os
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from store.crashes import Aftermath, Crashes
from store.databases import KINDS, Place

REPORT_EVERY = 100


def told(aftermath: Aftermath, seconds: float) -> str:
    crashes = aftermath.crashes
    return (
        f"{crashes.lives:,} lives, {seconds:,.0f} s: {len(crashes.acknowledged):,} acknowledged, "
        f"{aftermath.settled:,} rounds settled, {crashes.retried:,} asked again; {len(aftermath.lost)} lost, "
        f"{len(aftermath.found.doubled())} doubled, {len(crashes.answered_otherwise)} answered otherwise, "
        f"{len(aftermath.found.problems)} problems"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--cycles", type=int, default=1000)
    parser.add_argument("--database", choices=KINDS, default="sqlite")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--acknowledge-early", action="store_true", help="the mutant, which must lose something")
    given = parser.parse_args()
    print(f"load of the machine before: {os.getloadavg()[0]:.2f}")
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        crashes = Crashes(Place(given.database, Path(folder)), given.seed, given.acknowledge_early)
        for cycle in range(1, given.cycles + 1):
            crashes.live_and_die()
            if cycle % REPORT_EVERY == 0:
                print(told(asyncio.run(crashes.examined()), time.perf_counter() - start), flush=True)
        crashes.live_in_peace()
        aftermath = asyncio.run(crashes.examined())
    print(told(aftermath, time.perf_counter() - start))
    for problem in aftermath.found.problems[:10]:
        print(problem)
    bad = aftermath.lost or aftermath.found.problems or crashes.answered_otherwise or crashes.unanswered()
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
