"""Runs the commands that docs/commands shows and writes what they print below them; --check only reports what differs.

A block of `console` begins with a command after `$ `, and what follows is its output. Where the output has a line
`...`, that line stands for any number of lines, and the block is checked but not written anew. $CHECKOUT is where the
repository lies.
"""

import argparse
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = "docs/commands"
BLOCK = re.compile(r"(```console\n\$ (?P<command>[^\n]+)\n)(?P<output>.*?)(```\n)", re.DOTALL)
WIDTH = "100"
"""How wide the pages are drawn, in columns."""


def output_of(command: str, folder: Path) -> str:
    """What the command prints, as on a terminal without colours; run in a folder of its own."""
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}",
        "COLUMNS": WIDTH,
        "NO_COLOR": "1",
        "PYTHONUTF8": "1",
        "PYTHONUNBUFFERED": "1",
        "CHECKOUT": str(ROOT),
    }
    # Both streams in one, unbuffered, so that the lines stand in the order in which a terminal shows them.
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    lines = done.stdout.decode().splitlines()
    return "".join(f"{line.rstrip()}\n" for line in lines)


def agrees(shown: str, printed: str) -> bool:
    """Whether the output on the page is what is printed, `...` standing for any lines."""
    pieces = [re.escape(piece) for piece in re.split(r"^\.\.\.\n", shown, flags=re.MULTILINE)]
    return re.fullmatch(r"(?:.*\n)*".join(pieces), printed) is not None


def renewed(page: str, folder: Path) -> str:
    """The page with the output of each of its commands as it is now."""

    def written(block: re.Match[str]) -> str:
        printed = output_of(block["command"], folder)
        kept = block["output"] if agrees(block["output"], printed) else printed
        return f"{block[1]}{kept}{block[4]}"

    return BLOCK.sub(written, page)


def main(arguments: Sequence[str] | None = None, root: Path = ROOT) -> int:
    from tempfile import TemporaryDirectory

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a page is out of date")
    options = parser.parse_args(arguments)
    stale = 0
    for path in sorted((root / FOLDER).glob("*.md")):
        page = path.read_text(encoding="utf-8")
        with TemporaryDirectory() as folder:
            now = renewed(page, Path(folder))
        if now != page:
            stale += 1
            if options.check:
                print(f"{FOLDER}/{path.name} is out of date: run scripts/docs", file=sys.stderr)
            else:
                path.write_text(now, encoding="utf-8", newline="\n")
    return 1 if options.check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
