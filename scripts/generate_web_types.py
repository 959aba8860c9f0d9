"""Writes web/src/types/api.ts, the types of all that the service takes and tells, from its own description.

--check only tells whether it is stale. Node and the packages of web/ must be there: scripts/test sees to both.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from generate_service_api import description

ROOT = Path(__file__).resolve().parent.parent
TYPES = "web/src/types/api.ts"


def types() -> str:
    """The description of the API in TypeScript, by openapi-typescript."""
    program = ROOT / "web/node_modules/openapi-typescript/bin/cli.js"
    node = os.environ.get("PUNTOBANCO_NODE", "node")
    with tempfile.TemporaryDirectory() as folder:
        described = Path(folder) / "openapi.json"
        # The addresses are typed where they are asked for: what is said there is what may not be typed twice.
        described.write_text(json.dumps({**description(), "paths": {}}))
        command = [node, str(program), str(described), "--alphabetize", "--root-types", "--root-types-no-schema-prefix"]
        # What has a default may be left out of a message.
        command += ["--default-non-nullable", "false"]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if the types are out of date")
    options = parser.parse_args(arguments)
    path, text = ROOT / TYPES, types()
    if options.check:
        is_stale = not path.is_file() or path.read_text(encoding="utf-8") != text
        if is_stale:
            print(f"{TYPES} is out of date: run scripts/docs", file=sys.stderr)
        return int(is_stale)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
