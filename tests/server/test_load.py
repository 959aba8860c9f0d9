"""The load bench in short: a few patrons for a moment, all answered, and the record holds what they were told."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[2] / "bench" / "load.py"


@pytest.mark.skipif(shutil.which("cc") is None, reason="its patrons are a C program")
@pytest.mark.parametrize("scenario", ["steady", "most"])
def test_every_patron_is_answered(tmp_path: Path, scenario: str) -> None:
    figures = tmp_path / "figures.json"
    options = ["--scenario", scenario, "--patrons", "20", "--seconds", "1", "--json", str(figures)]
    ran = subprocess.run([sys.executable, str(BENCH), *options], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    service = json.loads(figures.read_text())[scenario]["service"]
    assert service["ready"] == 20
    assert service["accepted"] > 20
    assert service["broadcast_ms"]["count"] > 0
    assert service["logged_errors"] == 0
