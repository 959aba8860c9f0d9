"""The simulator on a real cluster: a scheduler and several worker processes on this machine's loopback."""

import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from time import monotonic

import pytest

from puntobanco import Fault, InputError, Shoe, find_game
from puntobanco.simulate import BurnAndCut, BurnRule, Job, Tally, cluster, jobs, prepare, tally
from puntobanco.simulate.cluster import (
    Patience,
    PortableJob,
    count_piece,
    prepare_again,
    scheduler_address,
    tally_on_cluster,
)
from simulate.clusters import connection, doomed_cluster, free_port, scheduler, worker

SEED = 20_260
SHOES = 40_000 if jobs.available else 200
pytestmark = pytest.mark.filterwarnings("ignore:puntobanco was built without:RuntimeWarning")


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
    for piece in cluster._in_order(cluster._Watch(client, Patience(), print), PortableJob.of(job), 0, shoes):
        total += Tally(job.game, piece.shoes, sum(rounds for _, rounds in piece.counted), dict(piece.counted))
    assert total == tally(job, 0, shoes)
    assert [future.asked for future in client.futures] == [1] * cluster.PIECES_AT_LEAST


# --- What is lost ----------------------------------------------------------------------------------------------

IMPATIENT = Patience(seconds_until_told=0.5, seconds_without_workers=2.0)
MORE_THAN_CAN_BE_COUNTED = 10**9


def counted_until(lost: Callable[[], None], address: str) -> tuple[Fault, Tally, list[str]]:
    """What a job ends in, what it had counted and what it said, where something is lost as soon as there is a part."""
    partials: list[Tally] = []
    notices: list[str] = []

    def report(partial: Tally) -> None:
        partials.append(partial)
        if len(partials) == 1:
            lost()

    job = prepare(find_game("manila"), SEED)
    with pytest.raises(Fault) as ended:
        tally_on_cluster(
            f"dask://{address}",
            job,
            0,
            MORE_THAN_CAN_BE_COUNTED,
            report,
            notice=notices.append,
            patience=IMPATIENT,
        )
    assert partials[0] == tally(job, 0, partials[0].shoes)
    assert partials[-1].shoes < MORE_THAN_CAN_BE_COUNTED
    return ended.value, partials[-1], notices


def test_with_all_workers_gone_it_says_that_it_waits_and_gives_up_in_the_end(tmp_path: Path) -> None:
    with doomed_cluster(tmp_path) as doomed:
        began = monotonic()
        fault, partial, notices = counted_until(doomed.kill_workers, doomed.address)
        assert monotonic() - began < 60
    assert notices == ["The cluster has lost all of its workers: waiting for 2 s at most. Ctrl-C ends it."]
    assert fault.reason == "no-workers"
    assert fault.message == "The cluster has lost all of its workers, and after 2 s that has not changed."
    assert partial.rounds


def test_workers_that_come_back_finish_the_job(tmp_path: Path) -> None:
    job, shoes = prepare(find_game("manila"), SEED), 40 * SHOES
    patience = Patience(seconds_until_told=0.5, seconds_without_workers=60)
    with ExitStack() as running:
        doomed = running.enter_context(doomed_cluster(tmp_path))
        notices: list[str] = []

        def notice(sentence: str) -> None:
            notices.append(sentence)
            if len(notices) == 1:
                running.enter_context(worker(doomed.address, "late", tmp_path))

        killed: list[int] = []

        def report(partial: Tally) -> None:
            if not killed:
                doomed.kill_workers()
                killed.append(partial.shoes)

        found = tally_on_cluster(f"dask://{doomed.address}", job, 0, shoes, report, notice=notice, patience=patience)
    assert found == tally(job, 0, shoes)
    assert len(notices) <= 2
    assert notices[0].startswith("The cluster has lost all of its workers: waiting for 60 s at most.")
    assert notices[1:] in ([], ["The cluster has workers again."])


def test_with_the_scheduler_gone_it_gives_up_and_has_what_was_finished(tmp_path: Path) -> None:
    with doomed_cluster(tmp_path) as doomed:
        fault, partial, _ = counted_until(doomed.kill_scheduler, doomed.address)
    assert fault.reason == "unreachable-cluster"
    assert fault.message == "The cluster was lost while it counted."
    assert partial.rounds


def test_a_scheduler_that_does_not_answer_is_not_waited_for_for_ever(tmp_path: Path) -> None:
    with doomed_cluster(tmp_path) as doomed:
        frozen = doomed.scheduler
        try:
            fault, _, notices = counted_until(lambda: frozen.send_signal(signal.SIGSTOP), doomed.address)
        finally:
            frozen.send_signal(signal.SIGCONT)
    assert notices[0] == "The cluster does not answer: waiting for 2 s at most. Ctrl-C ends it."
    assert fault.message == "The cluster does not answer, and after 2 s that has not changed."


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


def test_a_cluster_without_workers_is_waited_for_and_that_is_said_at_once() -> None:
    told: dict[str, float] = {}
    job = prepare(find_game("manila"), SEED)

    def notice(sentence: str) -> None:
        told[sentence] = monotonic()

    patience = Patience(seconds_until_told=30.0, seconds_without_workers=3.0)
    with scheduler() as address, pytest.raises(Fault) as refused:
        tally_on_cluster(f"dask://{address}", job, 0, 10, notice=notice, patience=patience)
    assert list(told) == ["The cluster has no workers: waiting for 3 s at most. Ctrl-C ends it."]
    assert monotonic() - max(told.values()) >= 3.0
    assert refused.value.reason == "no-workers"
    assert refused.value.message == "The cluster has no workers, and after 3 s that has not changed."


def test_workers_that_come_late_do_the_job(tmp_path: Path) -> None:
    job, notices = prepare(find_game("manila"), SEED), list[str]()
    with ExitStack() as running:
        address = running.enter_context(scheduler())

        def notice(sentence: str) -> None:
            notices.append(sentence)
            if len(notices) == 1:
                running.enter_context(worker(address, "late", tmp_path))

        found = tally_on_cluster(f"dask://{address}", job, 0, SHOES, notice=notice)
    assert found == tally(job, 0, SHOES)
    assert notices == [
        "The cluster has no workers: waiting for 60 s at most. Ctrl-C ends it.",
        "The cluster has workers now.",
    ]


def test_who_waited_and_heard_from_a_worker_waits_as_long_the_next_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now, notices = [0.0], list[str]()
    monkeypatch.setattr(cluster, "monotonic", lambda: now[0])
    monkeypatch.setattr(cluster, "_check_running", lambda client: None)
    monkeypatch.setattr(cluster._Watch, "_trouble", lambda self: "has no workers")
    watch = cluster._Watch(None, Patience(), notices.append)
    watch.look()
    watch.heard()
    now[0] = 1_000.0
    watch.look()
    now[0] = 1_059.0
    watch.look()
    now[0] = 1_061.0
    with pytest.raises(Fault, match="after 60 s that has not changed"):
        watch.look()
    assert len(notices) == 3
