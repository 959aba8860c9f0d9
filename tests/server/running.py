"""`puntobanco serve` as a process of its own: started, asked, killed and started again."""

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

SOURCES = Path(__file__).parents[2] / "src"
READY_SECONDS = 30.0

UNLIMITED = {"PUNTOBANCO_RATE_LIMITS": "off"}
"""Settings under which nobody is told to wait: for tests that ask more than any patron does."""


class Running:
    """A server over one data directory, through all its lives. What it logs is kept in one file."""

    def __init__(
        self,
        data: Path,
        *options: str,
        settings: Mapping[str, str] | None = None,
        before: Sequence[str] = (),
        port: int = 0,
    ) -> None:
        """`settings` are environment variables; `before` stands in front of the command, such as `taskset -c 0`."""
        self.data, self.log_path = data, data.parent / f"{data.name}.log"
        self.command = [*before, sys.executable, "-m", "puntobanco", "serve", "--port", str(port)]
        self.command += ["--data", str(data), *options]
        self.environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(SOURCES), *sys.path]), **(settings or {})}
        self.process: subprocess.Popen[str] | None = None
        self.address = ""

    def start(self) -> float:
        """Start, and return the seconds until requests were answered."""
        began = time.monotonic()
        with self.log_path.open("a") as log:
            self.process = subprocess.Popen(
                self.command, stdout=subprocess.PIPE, stderr=log, text=True, env=self.environment
            )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"serving on (http://\S+)", line)
        assert found, f"{line!r}\n{self.log()[-3000:]}"
        self.address = found[1]
        return time.monotonic() - began

    def kill(self) -> None:
        """As a power cut for the process: nothing of it runs any more."""
        assert self.process is not None
        self.process.kill()
        self._end()

    def send(self, number: signal.Signals) -> None:
        assert self.process is not None
        self.process.send_signal(number)

    def stop(self) -> int:
        assert self.process is not None
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self._end()

    def _end(self) -> int:
        assert self.process is not None
        code = self.process.wait(READY_SECONDS)
        assert self.process.stdout is not None
        self.process.stdout.close()
        self.process = None
        return code

    def log(self) -> str:
        return self.log_path.read_text(errors="replace") if self.log_path.exists() else ""

    def memory(self) -> tuple[int, int]:
        """Bytes that the process has in memory now, and had at most."""
        assert self.process is not None
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        now, most = (re.search(rf"{name}:\s+(\d+) kB", status) for name in ("VmRSS", "VmHWM"))
        assert now is not None
        assert most is not None
        return int(now[1]) * 1024, int(most[1]) * 1024

    def processor_seconds(self) -> float:
        """What the process has used of a processor so far: the same on a busy machine and an idle one."""
        assert self.process is not None
        user, system = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def ask(self, method: str, path: str, body: object = None, session: str | None = None) -> tuple[int, Any, str]:
        """One request: its status, what it answered, and the session that it gave."""
        request = Request(self.address + path, method=method)
        request.add_header("Origin", self.address)
        if session:
            request.add_header("Cookie", f"pb_session={session}")
        if body is not None:
            request.data = body if isinstance(body, bytes) else json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        try:
            with urlopen(request, timeout=60) as answer:
                found = re.search(r"pb_session=([^;]+)", answer.headers.get("Set-Cookie", ""))
                return answer.status, json.loads(answer.read() or b"null"), found[1] if found else ""
        except HTTPError as error:
            with error:
                return error.code, json.loads(error.read() or b"null"), ""

    def audit(self) -> dict[str, Any]:
        """What `puntobanco audit` finds in the data directory; the server may run or not."""
        command = [sys.executable, "-m", "puntobanco", "audit", "--data", str(self.data), "--json"]
        ran = subprocess.run(command, capture_output=True, text=True, env=self.environment, check=False)
        assert ran.stdout, ran.stderr
        found: dict[str, Any] = json.loads(ran.stdout)
        return found

    @contextmanager
    def database(self) -> Iterator[sqlite3.Connection]:
        """The record, to look into."""
        connection = sqlite3.connect(f"file:{self.data / 'record.sqlite'}?mode=ro", uri=True)
        try:
            yield connection
        finally:
            connection.close()

    def money(self) -> dict[str, int]:
        """Every account and what is in it."""
        with self.database() as database:
            return dict(database.execute("SELECT id, balance FROM account"))


@contextmanager
def serving(
    data: Path, *options: str, settings: Mapping[str, str] | None = None, before: Sequence[str] = ()
) -> Iterator[Running]:
    """A server that is started and, at the end, stopped, whatever happens in between."""
    running = Running(data, *options, settings=settings, before=before)
    running.start()
    try:
        yield running
    finally:
        if running.process is not None:
            running.stop()
