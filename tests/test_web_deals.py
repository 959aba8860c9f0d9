import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def test_the_deals_that_the_trainer_is_held_to_are_those_of_the_package() -> None:
    script = ROOT / "scripts" / "generate_web_deals.py"
    ran = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")
