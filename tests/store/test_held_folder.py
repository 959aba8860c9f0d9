"""One process serves from a data directory; a second is told so at its start."""

import subprocess
import sys
from pathlib import Path

import pytest

from puntobanco.errors import Fault
from puntobanco.store.places import LOCK_FILE, held_folder

HOLD = """
import sys
from pathlib import Path
from puntobanco.store.places import held_folder
with held_folder(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_second_process_is_refused_until_the_first_is_gone(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "held\n"
        said = "Another process serves from the data directory"
        with pytest.raises(Fault, match=said) as refused, held_folder(tmp_path):
            pass
        assert refused.value.reason == "already-served"
        # However it ends: nothing is left that would have to be cleared away.
        first.kill()
        first.wait()
        with held_folder(tmp_path):
            assert (tmp_path / LOCK_FILE).stat().st_mode & 0o777 == 0o600


def test_it_is_let_go_at_the_end(tmp_path: Path) -> None:
    for _ in range(2):
        with held_folder(tmp_path), pytest.raises(Fault), held_folder(tmp_path):
            pass


def test_a_data_directory_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(Fault, match="cannot be used: No such file"), held_folder(tmp_path / "nowhere"):
        pass
