"""Clusters on this machine's loopback: processes of Dask's own, ended with the test."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import distributed

from puntobanco.simulate import cluster


@contextmanager
def process(command: str, *arguments: str) -> Iterator["subprocess.Popen[bytes]"]:
    """A process of Dask's own, ended with the test."""
    path = os.pathsep.join([str(Path(cluster.__file__).parents[2]), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": path}
    module = f"distributed.cli.dask_{command}"
    started = subprocess.Popen(
        [sys.executable, "-m", module, "--no-dashboard", "--host", "127.0.0.1", *arguments],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield started
    finally:
        started.kill()
        started.wait()


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


@dataclass(frozen=True)
class Scheduler:
    address: str
    process: "subprocess.Popen[bytes]"


@contextmanager
def scheduler() -> Iterator[str]:
    """The address of one that runs."""
    with scheduler_process() as started:
        yield started.address


@contextmanager
def scheduler_process() -> Iterator[Scheduler]:
    port = free_port()
    with process("scheduler", "--port", str(port)) as started:
        deadline = monotonic() + 30
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                break
            except OSError:
                assert started.poll() is None
                assert monotonic() < deadline
                sleep(0.05)
        yield Scheduler(f"127.0.0.1:{port}", started)


def worker(address: str, name: str, folder: Path) -> Any:
    options = ("--no-nanny", "--nthreads", "1", "--memory-limit", "0", "--local-directory", str(folder))
    return process("worker", f"tcp://{address}", "--name", name, *options)


@contextmanager
def connection(address: str, workers: int) -> Iterator[Any]:
    """Beside the one under test, to see what the cluster does."""
    connect: Any = distributed.Client
    with connect(f"tcp://{address}", set_as_default=False, timeout=30) as client:
        client.wait_for_workers(workers, timeout=30)
        yield client


@dataclass(frozen=True)
class DoomedCluster:
    """A cluster of two workers for a test that kills them, or the scheduler."""

    address: str
    scheduler: "subprocess.Popen[bytes]"
    workers: "tuple[subprocess.Popen[bytes], ...]"

    def kill_workers(self) -> None:
        self._kill(*self.workers)

    def kill_scheduler(self) -> None:
        self._kill(self.scheduler)

    @staticmethod
    def _kill(*processes: "subprocess.Popen[bytes]") -> None:
        for each in processes:
            each.send_signal(signal.SIGKILL)
            each.wait()


@contextmanager
def doomed_cluster(folder: Path) -> Iterator[DoomedCluster]:
    with ExitStack() as running:
        started = running.enter_context(scheduler_process())
        workers = tuple(running.enter_context(worker(started.address, name, folder)) for name in ("one", "two"))
        with connection(started.address, 2):
            pass
        yield DoomedCluster(started.address, started.process, workers)
