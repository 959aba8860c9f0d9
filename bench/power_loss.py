"""A record on a simulated disk whose power fails at any moment: states that lost what was acknowledged, or are corrupt.

Run: .venv/bin/python bench/power_loss.py --states 100000
"""

import argparse
import asyncio
import os
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from store.power_losses import judge, play, states

STATES_OF_A_SESSION = 5_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--states", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=24, help="of each session, about eleven commits each")
    parser.add_argument("--synchronous", choices=("FULL", "NORMAL", "OFF"), default="FULL")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print(f"load of the machine before: {os.getloadavg()[0]:.2f}")
    start = time.perf_counter()
    seen = lost = unknown = corrupt = commits = 0
    with tempfile.TemporaryDirectory() as folder:
        session = asyncio.run(play(Path(folder), given.rounds, given.synchronous))
        commits = len(session.contents) - 1
        for number in range(0, given.states, STATES_OF_A_SESSION):
            count = min(STATES_OF_A_SESSION, given.states - number)
            found = asyncio.run(judge(session, states(session, count, given.seed + number), Path(folder) / "after"))
            seen, lost, unknown = seen + found.states, lost + found.lost, unknown + found.unknown
            corrupt += len(found.corrupt)
            print(
                f"{seen:,} states of {commits} commits and {len(session.journal):,} operations, "
                f"{time.perf_counter() - start:,.0f} s: {lost:,} lost what was acknowledged, {corrupt:,} corrupt, "
                f"{unknown:,} never written",
                flush=True,
            )
            for problem in found.corrupt[:3] if given.synchronous == "FULL" else ():
                print(problem)
    sys.exit(1 if lost or corrupt or unknown else 0)


if __name__ == "__main__":
    main()
