"""The whole server killed with SIGKILL under load over the network, and started again: what is lost, doubled or late.

Run: .venv/bin/python bench/kill_server.py --cycles 1000 [--processes 3]
With several processes, on a PostgreSQL that is started for it, each cycle kills one of them or stops it for seconds.
"""

import argparse
import asyncio
import os
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from server.kills import BACK_AGAIN_SECONDS, Kills, Left
from store.databases import new_postgres

REPORT_EVERY = 50


def told(kills: Kills, seconds: float) -> str:
    back = sorted(kills.back_after)
    return (
        f"{len(back):,} kills, {seconds:,.0f} s: {len(kills.told.acknowledged):,} wagers acknowledged, "
        f"refused {dict(kills.told.refused) or 'none'}, {len(kills.told.deals):,} rounds seen; "
        f"all there again after {back[len(back) // 2]:.2f} s (median), {back[-1]:.2f} s (most); "
        f"{len(kills.told.wrong)} wrong"
    )


async def lives(kills: Kills, cycles: int, began: float) -> Left:
    try:
        await kills.start()
        for cycle in range(1, cycles + 1):
            await kills.cycle()
            if cycle % REPORT_EVERY == 0:
                print(told(kills, time.perf_counter() - began), flush=True)
        return await kills.end()
    finally:
        kills.abandon()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--cycles", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1)
    given = parser.parse_args()
    print(f"load of the machine before: {os.getloadavg()[0]:.2f}")
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        url = new_postgres() if given.processes > 1 else None
        kills = Kills(Path(folder), given.seed, given.processes, url)
        left = asyncio.run(lives(kills, given.cycles, began))
    print(told(kills, time.perf_counter() - began))
    print(
        f"{len(left.lost)} lost, {len(left.doubled)} doubled, {len(left.never_told)} done and never told, "
        f"{len(left.other_cards)} rounds with other cards than were seen, {len(left.problems)} problems of the audit"
    )
    for wrong in [*kills.told.wrong, *left.problems][:10]:
        print(wrong)
    late = max(kills.back_after) > BACK_AGAIN_SECONDS
    sys.exit(1 if late or kills.told.wrong or left != Left([], [], [], [], []) else 0)


if __name__ == "__main__":
    main()
