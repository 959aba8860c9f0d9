"""The simulator on a real cluster: a scheduler and several worker processes on this machine's loopback."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import distributed
import pytest

from puntobanco import Fault, InputError, Shoe, find_game
from puntobanco.simulate import BurnAndCut, BurnRule, Job, Tally, cluster, jobs, prepare, tally
from puntobanco.simulate.cluster import PortableJob, count_piece, prepare_again, scheduler_address, tally_on_cluster

SEED = 20_260
SHOES = 40_000 if jobs.available else 200
pytestmark = pytest.mark.filterwarnings("ignore:puntobanco was built without:RuntimeWarning")


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


@contextmanager
def scheduler() -> Iterator[str]:
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
        yield f"127.0.0.1:{port}"


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


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A cluster of two workers."""
    with ExitStack() as running:
        address = running.enter_context(scheduler())
        folder = tmp_path_factory.mktemp("cluster")
        for name in ("first", "second"):
            running.enter_context(worker(address, name, folder))
        with connection(address, 2):
            pass
        yield address


# --- The same counts -------------------------------------------------------------------------------------------


def test_a_cluster_counts_what_one_machine_counts(address: str) -> None:
    """With another reading, other bonuses, another shoe and another way to deal: all of it travels."""
    game = find_game("six-star")
    game = game.read_as(rounding="up").with_bonuses({line.label: 7 for line in game.fixed_bonuses})
    job = prepare(game, SEED, Shoe.full(game.pack, 6), BurnAndCut(BurnRule.OFF, 60))
    found = tally_on_cluster(f"dask://{address}", job, 2**40, SHOES + 3)
    assert found == tally(job, 2**40, SHOES + 3)
    assert found.game is game
    assert tally_on_cluster(f"dask://{address}", job, 5, 0) == tally(job, 5, 0)


def test_a_worker_killed_in_mid_job_changes_nothing(address: str, tmp_path: Path) -> None:
    job = prepare(find_game("manila"), SEED)
    shoes = 20 * SHOES
    partials: list[Tally] = []
    with worker(address, "doomed", tmp_path) as doomed, connection(address, 3) as client:
        workers = client.scheduler_info(n_workers=-1)["workers"]
        (where,) = [at for at, known in workers.items() if known["name"] == "doomed"]
        with ThreadPoolExecutor(1) as pool:
            counting = pool.submit(tally_on_cluster, f"dask://{address}", job, 0, shoes, partials.append)
            # Its first piece takes a while, because the worker has yet to load the simulator.
            while not client.processing()[where]:
                assert not counting.done()
            doomed.send_signal(signal.SIGKILL)
            assert doomed.wait() == -signal.SIGKILL
            assert not counting.done()
            found = counting.result(timeout=60)
        assert where not in client.nthreads()
    assert found == tally(job, 0, shoes)
    assert [partial.shoes for partial in partials] == sorted({partial.shoes for partial in partials})
    # Whatever had been reported when somebody stopped the job is the tally of the first so many shoes.
    for partial in (partials[0], partials[len(partials) // 2]):
        assert partial == tally(job, 0, partial.shoes)


class LateFuture:
    """A piece that is told finished twice."""

    def __init__(self, counted: cluster.Counted) -> None:
        self.counted = counted
        self.asked = 0

    def add_done_callback(self, callback: Callable[[object], None]) -> None:
        self.callback = callback

    def result(self, timeout: float) -> cluster.Counted:
        self.asked += 1
        return self.counted


class ReversingClient:
    """Finishes the pieces from the last to the first, and each of them twice."""

    status = "running"

    def __init__(self, pieces: int) -> None:
        self.pieces = pieces
        self.futures: list[LateFuture] = []

    def submit(self, function: Callable[..., cluster.Counted], *arguments: object, pure: bool) -> LateFuture:
        assert not pure
        if len(self.futures) == self.pieces - 1:
            for future in reversed(self.futures):
                future.callback(future)
                future.callback(future)
        self.futures.append(LateFuture(function(*arguments)))
        if len(self.futures) == self.pieces:
            self.futures[-1].add_done_callback = lambda callback: callback(None)  # type: ignore[method-assign]
        return self.futures[-1]


def test_a_piece_is_added_once_however_often_and_late_it_comes() -> None:
    job = prepare(find_game("manila"), SEED)
    shoes = 2 * cluster.PIECES_AT_LEAST - 1
    client = ReversingClient(cluster.PIECES_AT_LEAST)
    total = tally(job, 0, 0)
    for piece in cluster._in_order(client, PortableJob.of(job), 0, shoes):
        total += Tally(job.game, piece.shoes, sum(rounds for _, rounds in piece.counted), dict(piece.counted))
    assert total == tally(job, 0, shoes)
    assert [future.asked for future in client.futures] == [1] * cluster.PIECES_AT_LEAST


# --- What is refused -------------------------------------------------------------------------------------------


def changed_rules(job: Job) -> Job:
    wager = job.game.wagers[0]
    return prepare(replace(job.game, wagers=(replace(wager, lines=wager.lines[:1]), *job.game.wagers[1:])), job.seed)


def test_rules_that_no_worker_can_know_are_refused_at_once() -> None:
    job = changed_rules(prepare(find_game("manila"), SEED))
    with pytest.raises(InputError, match="A cluster cannot know the rules of this manila") as refused:
        tally_on_cluster("dask://127.0.0.1:1", job, 0, 10)
    assert refused.value.reason == "unknown-game"


def test_a_worker_with_other_rules_refuses(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    job = prepare(find_game("manila"), SEED)
    honest = PortableJob.of(job)
    assert prepare_again(honest).tables.encoded == job.tables.encoded
    assert dict(count_piece(honest, 3, 4)) == tally(job, 3, 4).outcomes
    monkeypatch.setattr(PortableJob, "of", lambda _: replace(honest, digest="0" * 64))
    with pytest.raises(Fault, match="A worker of the cluster has other rules of manila") as refused:
        tally_on_cluster(f"dask://{address}", job, 0, 10)
    assert refused.value.reason == "different-rules"


def test_a_worker_without_the_game_has_other_rules() -> None:
    unknown = replace(PortableJob.of(prepare(find_game("manila"), SEED)), game="manilla")
    with pytest.raises(Fault, match="A worker of the cluster has other rules of manilla") as refused:
        prepare_again(unknown)
    assert refused.value.reason == "different-rules"


def test_a_worker_that_fails_is_told_in_a_sentence(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    job = prepare(find_game("manila"), SEED)
    monkeypatch.setattr(PortableJob, "of", lambda _: None)
    with pytest.raises(Fault, match=r"^A worker of the cluster failed: AttributeError .*\.$") as refused:
        tally_on_cluster(f"dask://{address}", job, 0, 10)
    assert refused.value.reason == "cluster-failed"


@pytest.mark.parametrize(
    "text",
    [
        "dask://",
        "dask://host",
        "dask://host:0",
        "dask://host:99999",
        "dask://host:port",
        "dask://:8786",
        "dask://[::1:8786",
        "dask://host:8786/path",
        "dask://me@host:8786",
        "tcp://host:8786",
        "host:8786",
    ],
)
def test_an_address_that_cannot_be_one_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"is not the address of a cluster: write it as dask://HOST:PORT\.$"):
        scheduler_address(text)


def test_addresses_are_those_of_dask() -> None:
    assert scheduler_address("dask://host.example:8786") == "tcp://host.example:8786"
    assert scheduler_address("dask://[::1]:8786") == "tcp://[::1]:8786"


@pytest.mark.parametrize(("first", "shoes"), [(-1, 10), (0, -1), (2**63 - 5, 6)])
def test_shoes_without_numbers_are_refused(first: int, shoes: int) -> None:
    with pytest.raises(InputError, match="Shoes are numbered from 0"):
        tally_on_cluster("dask://127.0.0.1:1", prepare(find_game("manila"), SEED), first, shoes)


def test_a_cluster_that_is_not_there_is_told_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "SECONDS_TO_CONNECT", 0.5)
    address = f"dask://127.0.0.1:{free_port()}"
    with pytest.raises(Fault) as refused:
        tally_on_cluster(address, prepare(find_game("manila"), SEED), 0, 10)
    assert refused.value.reason == "unreachable-cluster"
    assert refused.value.message == f"The cluster at {address} cannot be reached."


def test_a_cluster_without_workers_is_told_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "SECONDS_TO_CONNECT", 2.0)
    with scheduler() as address, pytest.raises(Fault) as refused:
        tally_on_cluster(f"dask://{address}", prepare(find_game("manila"), SEED), 0, 10)
    assert refused.value.reason == "no-workers"
    assert refused.value.message == f"The cluster at dask://{address} has no workers."
