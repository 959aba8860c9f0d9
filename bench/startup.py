"""How long the first answer takes: the import, each command, and scripts/run, beside their limits.

Run: .venv/bin/python bench/startup.py
"""

import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
REPEATS = 15


def best(*command: str) -> float:
    """The quickest of several runs, in milliseconds: what the machine's other work adds is left out."""
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True, cwd=ROOT)
        times.append(time.perf_counter() - start)
    return 1000 * min(times)


def main() -> None:
    bare = best(sys.executable, "-c", "pass")
    print(f"{'bare interpreter':38} {bare:7.1f} ms")
    imported = best(sys.executable, "-c", "import puntobanco") - bare
    print(f"{'import puntobanco, beyond that':38} {imported:7.1f} ms   limit 100")
    command = str(Path(sys.executable).with_name("puntobanco"))
    for arguments in (
        ["games"],
        ["settle", "six-star", "P 9f Tf | B 9f Sf", "--wager", "tie=100"],
        ["rules", "six-star"],
    ):
        print(f"{'puntobanco ' + arguments[0] + ', beyond bare':38} {best(command, *arguments) - bare:7.1f} ms")
    priced = best(command, "odds", "six-star") - bare
    print(f"{'puntobanco odds six-star, beyond bare':38} {priced:7.1f} ms   limit 150")
    direct, through = best(command, "games"), best(str(ROOT / "scripts" / "run"), "games")
    print(f"{'scripts/run beyond the command':38} {through - direct:7.1f} ms   limit 100")


if __name__ == "__main__":
    main()
