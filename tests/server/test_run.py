"""Starting and stopping the service as a process: what is printed, which exit code, and who is refused.

The house is a small one that answers every request, so that only the running is tested here.
"""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest

from puntobanco.server.configuration import Configuration
from puntobanco.server.run import LOCK_FILE, introduction

SMALL_HOUSE = """
import asyncio, sys
from puntobanco import cli
from puntobanco.server import run

async def answer(scope, receive, send):
    if scope["path"] == "/slow":
        await asyncio.sleep(1)
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"served"})

async def close():
    print("closed", flush=True)

async def small(configuration, games):
    return run.Opened(answer, close, lambda: print("stopping", flush=True))

run.serve.__defaults__ = (run.serve.__defaults__[0], small)
sys.exit(cli.main(["serve", *sys.argv[1:]]))
"""


def command(*options: str) -> list[str]:
    return [sys.executable, "-c", SMALL_HOUSE, *options]


@contextmanager
def serving(*options: str) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """A process that serves, and its address."""
    process = subprocess.Popen(command(*options), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("puntobanco: serving on http://"), process.communicate(timeout=60)
        yield process, line.split()[-1]
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def refused(*options: str) -> str:
    done = subprocess.run(command(*options), capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("puntobanco: ")
    assert done.stderr.count("\n") == 1
    return done.stderr


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_serves_until_a_signal_comes_and_ends_with_0(number: int, tmp_path: Path) -> None:
    with serving("--port", "0", "--data", str(tmp_path / "data"), "--log-format", "json") as (process, address):
        with urlopen(address, timeout=60) as answer:
            assert answer.read() == b"served"
            assert "server" not in {name.lower() for name in answer.headers}
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 0
    assert out.splitlines()[-2:] == ["stopping", "closed"]
    assert [line.split('"event": "')[1].split('"')[0] for line in err.splitlines()] == [
        "serving",
        "stopping",
        "stopped",
    ]
    assert "Traceback" not in err


def test_what_is_being_answered_at_the_stop_is_answered(tmp_path: Path) -> None:
    def read(address: str) -> bytes:
        with urlopen(f"{address}/slow", timeout=60) as answer:
            return bytes(answer.read())

    async def ask(address: str, process: "subprocess.Popen[str]") -> bytes:
        slow = asyncio.create_task(asyncio.to_thread(read, address))
        await asyncio.sleep(0.4)
        process.terminate()
        return await slow

    with serving("--port", "0", "--data", str(tmp_path / "data")) as (process, address):
        assert asyncio.run(ask(address, process)) == b"served"
        process.communicate(timeout=60)
    assert process.returncode == 0


def test_a_second_server_on_the_same_data_directory_is_refused(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with serving("--port", "0", "--data", str(data)):
        assert f"Another server runs on the data directory '{data}'" in refused("--port", "0", "--data", str(data))
        # The first one plays on, and one on another directory may start.
        with serving("--port", "0", "--data", str(tmp_path / "other")):
            pass
    # A lock that a killed process leaves behind is no lock.
    assert (data / LOCK_FILE).exists()
    with serving("--port", "0", "--data", str(data)):
        pass


def test_a_port_in_use_is_one_sentence_and_makes_nothing(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        said = refused("--port", str(port), "--data", str(tmp_path / "data"))
    assert f"Port {port} of 127.0.0.1 cannot be used (address already in use): choose another with --port." in said
    assert not (tmp_path / "data").exists()


def test_an_address_that_is_not_this_machine_s(tmp_path: Path) -> None:
    assert "cannot be used" in refused("--host", "192.0.2.1", "--port", "0", "--data", str(tmp_path))
    assert "cannot be found" in refused("--host", "no-such-host.invalid", "--port", "0", "--data", str(tmp_path))


def test_a_data_directory_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file", tmp_path / "file" / "below"):
        assert f"The data directory '{folder}' cannot be used" in refused("--port", "0", "--data", str(folder))
    if os.getuid():
        (tmp_path / "closed").mkdir(mode=0o500)
        assert "Permission denied" in refused("--port", "0", "--data", str(tmp_path / "closed"))


def test_the_address_of_ipv6(tmp_path: Path) -> None:
    with serving("--host", "::1", "--port", "0", "--data", str(tmp_path / "data")) as (_, address):
        assert address.startswith("http://[::1]:")
        with urlopen(address, timeout=60) as answer:
            assert answer.read() == b"served"


def test_the_start_tells_where_things_are_and_no_secret(tmp_path: Path) -> None:
    here = introduction(Configuration(data=tmp_path / "my data"))
    assert here[0] == "puntobanco: serving on http://127.0.0.1:8000"
    assert here[1] == f"The record and its keys are in {tmp_path / 'my data'}."
    assert here[3].endswith(f"puntobanco staff add NAME --role dealer --data '{tmp_path / 'my data'}'")
    there = "\n".join(introduction(Configuration(data=tmp_path, database="postgresql://anna:hunter2@h/d")))
    assert f"The record is in PostgreSQL, its keys in {tmp_path}." in there
    assert "hunter2" not in there
