import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def test_the_types_of_the_browser_app_are_those_of_the_service() -> None:
    script = ROOT / "scripts" / "generate_web_types.py"
    ran = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")
