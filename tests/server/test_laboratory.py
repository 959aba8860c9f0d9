"""Odds over the network are those of the command line; sessions are played as jobs, never too many of them."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Event
from time import monotonic, sleep
from typing import Any

import pytest

from command_line import call
from puntobanco import GAMES, find_game
from puntobanco.cards import Shoe
from puntobanco.odds import odds, position_of
from puntobanco.odds.report import fraction_text
from puntobanco.server import jobs as module
from puntobanco.server import laboratory as laboratory_module
from puntobanco.server.job_results import JobResult
from puntobanco.server.jobs import MOST_BETS, MOST_OF_A_PERSON, Asked, Jobs, JobState, played
from puntobanco.server.laboratory import Bench, Laboratory
from puntobanco.server.problems import Problem
from puntobanco.simulate import prepare
from puntobanco.store.database import StorageFault
from puntobanco.strategies.sessions import SessionStudy, SessionTerms
from puntobanco.strategies.systems import SYSTEMS
from puntobanco.table import Phase
from server.floor import floor
from server.following import beside
from store.databases import Place
from store.houses import VIRTUAL
from store.played import play


@pytest.mark.parametrize(
    ("arguments", "asked"),
    [
        (["manila"], {}),
        (["six-star", "--decks", "6", "--stake", "100"], {"decks": 6, "stake": 100}),
        (["manila", "--seen", "P 9s ? | B 3h ?"], {"seen": "P 9s ? | B 3h ?"}),
        (["six-star", "--remove", "9f, Tf"], {"remove": "9f, Tf"}),
        (["baccarat-tournament", "--remove", "6 6 9"], {"remove": "6 6 9"}),
    ],
)
def test_odds_are_those_of_the_command_line(arguments: list[str], asked: dict[str, object]) -> None:
    printed = json.loads(call("odds", *arguments, "--json").out)
    found = asyncio.run(Laboratory().of_game(arguments[0], **asked))  # type: ignore[arg-type]
    assert found == printed


@pytest.mark.parametrize(("game", "decks"), [("manila", None), ("six-star", 6)])
def test_effects_of_removal_are_those_of_the_command_line(game: str, decks: int | None) -> None:
    given = [] if decks is None else ["--decks", str(decks)]
    assert asyncio.run(Laboratory().removal(game, decks)) == json.loads(call("removal", game, *given, "--json").out)


def test_effects_of_removal_are_those_of_a_shoe_from_which_cards_are_gone() -> None:
    printed = json.loads(call("removal", "six-star", "--decks", "6", "--remove", "9f 9f Tw", "--json").out)
    laboratory = Laboratory()
    assert asyncio.run(laboratory.removal("six-star", 6, "9f 9f Tw")) == printed
    # What is remembered of one shoe is not told of another.
    assert asyncio.run(laboratory.removal("six-star", 6))["cards"] == printed["cards"] + 3


def test_effects_of_removal_need_a_card_more_than_a_round_may_take() -> None:
    every = [f"{rank}{suit}" for suit in "cdhs" for rank in "A23456789TJQK"] * 4
    for removed, reason in ((every[6:], "insufficient-cards"), (["9s"] * 5, "card-not-in-shoe")):
        with pytest.raises(Problem) as caught:
            asyncio.run(Laboratory().removal("manila", 4, " ".join(removed)))
        assert caught.value.reason == reason


DRAGON = {
    "id": "dragon-seven",
    "name": "Dragon Seven",
    "lines": [
        {
            "label": "Banker wins with seven on three cards",
            "pays": "40:1",
            "when": {"winner": "banker", "banker_total": 7, "banker_cards": 3},
        }
    ],
}


def test_a_wager_of_ones_own_is_priced_as_by_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "dragon.json"
    path.write_text(json.dumps({"wager": [DRAGON]}))
    printed = json.loads(call("odds", "manila", "--decks", "6", "--wager-file", str(path), "--json").out)
    found = asyncio.run(Laboratory().of_game("manila", decks=6, wager=[DRAGON]))
    assert found == printed
    assert found["wagers"]["dragon-seven"]["house_edge"] == pytest.approx(0.0763, abs=0.001)


RANKS, SUITS = list("A23456789TJQK"), list("cdhs")


@pytest.mark.parametrize(
    ("when", "reason"),
    [
        ({"<script>": 1}, "bad-wager"),
        ({"winner": "<script>"}, "bad-wager"),
        ({}, "bad-wager"),
        # What would take longer than anybody may have the machine for is not begun.
        ({"player_pair": RANKS, "banker_pair": RANKS, "player_suit": SUITS, "banker_suit": SUITS}, "too-large"),
        ({"player_ranks": ["A" * 30] * 2_000, "banker_ranks": ["".join(RANKS)]}, "bad-wager"),
        ({"player_ranks": [f"A{rank}" for rank in RANKS], "banker_ranks": [f"{rank}K" for rank in RANKS]}, "too-large"),
        ({"any": [{"player_total": 1, "player_pair": RANKS, "banker_pair": RANKS}] * 20}, "too-large"),
    ],
)
def test_what_is_no_wager_or_too_much_is_refused_at_once_and_not_repeated(when: Any, reason: str) -> None:
    wager = {"id": "mine", "lines": [{"label": "<script>", "pays": "1:1", "when": when}]}
    began = monotonic()
    with pytest.raises(Problem) as caught:
        asyncio.run(Laboratory().of_game("manila", wager=[wager]))
    assert (caught.value.status, caught.value.reason) == (400, reason)
    assert "script" not in caught.value.message
    assert monotonic() - began < 2


def test_wagers_of_ones_own_have_a_bench_of_their_own() -> None:
    async def run() -> None:
        laboratory = Laboratory()
        laboratory._bench = Bench(0)
        assert "dragon-seven" in (await laboratory.of_game("manila", wager=[DRAGON]))["wagers"]
        laboratory._bench, laboratory._own_bench = Bench(1), Bench(0)
        assert (await laboratory.of_game("manila"))["game"] == "manila"
        with pytest.raises(Problem, match="Too many odds"):
            await laboratory.of_game("manila", wager=[DRAGON])

    asyncio.run(run())


def test_nobody_waits_for_the_houses_odds_behind_somebodys_own(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        laboratory = Laboratory()
        monkeypatch.setattr(laboratory_module, "_with_wagers", lambda *_: sleep(0.5))
        own = [asyncio.create_task(laboratory.of_game("manila", wager=[DRAGON])) for _ in range(6)]
        await asyncio.sleep(0)
        assert (await laboratory.of_game("manila"))["game"] == "manila"
        assert not any(each.done() and each.exception() is None for each in own)
        found = await asyncio.gather(*own, return_exceptions=True)
        assert [each.status for each in found if isinstance(each, Problem)] == [429] * 2, "four at most wait"

    asyncio.run(run())


def test_sessions_are_played_where_nobody_may_lower_their_priority(monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(_: int) -> int:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "nice", forbidden, raising=False)
    monkeypatch.setattr(module, "_shared", None)
    module._begin([0, 0])


def test_a_shoe_is_given_card_by_card() -> None:
    game = find_game("manila")
    counts = Shoe.full(game.pack, 2).as_counts()
    found = asyncio.run(Laboratory().of_game("manila", composition=counts))
    expected = odds(game, Shoe.full(game.pack, 2))
    assert (found["decks"], found["cards"]) == (None, 104)
    assert found["wagers"]["tie"]["ev"] == fraction_text(expected.wagers["tie"].ev)


@pytest.mark.parametrize(
    ("asked", "status", "reason"),
    [
        ({"decks": 40}, 400, "wrong-decks"),
        ({"remove": "Zz<script>"}, 400, None),
        ({"game_id": "six-star", "remove": "9"}, 400, "suit-needed"),
        ({"remove": " ".join(["9s"] * 9)}, 400, "card-not-in-shoe"),
        ({"seen": "P 9s 9s 9s | B 2c 2c"}, 409, None),
        ({"seen": "<b>"}, 400, "unreadable-deal"),
        ({"composition": {"9s": 2}}, 409, "insufficient-cards"),
        ({"composition": {"9s": 10**9}}, 400, None),
        ({"composition": {"Xx": 1}}, 400, None),
    ],
)
def test_what_is_no_shoe_is_refused_and_not_repeated(asked: dict[str, object], status: int, reason: str | None) -> None:
    with pytest.raises(Problem) as caught:
        asyncio.run(Laboratory().of_game(**{"game_id": "manila", **asked}))  # type: ignore[arg-type]
    assert (caught.value.status, reason or caught.value.reason) == (status, caught.value.reason)
    for word in ("script", "Zz", "Xx", "<b>"):
        assert word not in caught.value.message


def test_the_odds_of_a_table_are_those_of_its_unseen_cards(place: Place) -> None:
    async def run() -> None:
        async with floor(place, VIRTUAL) as house:
            laboratory = Laboratory()
            with pytest.raises(Problem):
                await laboratory.of_table(house.at.table)
            await play(house.at, 5)
            table = house.at.table
            assert table.phase is Phase.READY
            assert table.unseen is not None
            found = await laboratory.of_table(table)
            assert found["cards"] == table.unseen.size
            expected = odds(table.settings.game, table.unseen)
            assert {name: each["ev"] for name, each in found["wagers"].items()} == {
                name: fraction_text(each.ev) for name, each in expected.wagers.items()
            }
            assert await laboratory.of_table(table) is found

    asyncio.run(run())


def test_the_odds_of_a_table_in_mid_round_know_the_cards_on_it(place: Place) -> None:
    async def run() -> None:
        async with floor(place) as house:
            at = house.at
            await at.until(Phase.DEALING)
            for _ in range(3):
                await at.step()
            table = at.table
            assert table.unseen is not None
            assert len(table.deal.cards) == 3
            found = await Laboratory().of_table(table, stake=2000)
            expected = odds(table.settings.game, table.unseen, position_of(table.deal))
            assert found["wagers"]["player"]["ev"] == fraction_text(expected.wagers["player"].ev)
            assert found["wagers"]["player"]["ev_at_stake"] == fraction_text(expected.wagers["player"].ev_at(2000))

    asyncio.run(run())


def test_few_may_wait_for_odds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(laboratory_module, "MOST_WAITING", 2)

    async def run() -> None:
        laboratory = Laboratory()
        asked = [laboratory.of_game(game.id) for game in GAMES]
        answers = await asyncio.gather(*asked, return_exceptions=True)
        assert [each.reason for each in answers if isinstance(each, Problem)] == ["too-often"] * (len(GAMES) - 2)

    asyncio.run(run())


# Jobs.

SMALL = Asked("manila", "martingale", 60, 400, 500_000, 7)


class Hour:
    """A clock that stands still until it is put forward."""

    def __init__(self) -> None:
        self.now = 1_000_000

    def __call__(self) -> int:
        return self.now


@asynccontextmanager
async def jobs(place: Place, now: Callable[[], int] | None = None) -> AsyncIterator[Jobs]:
    """Those of one process; of several at one place, each has its own."""
    database, way = place.database(), beside(place)
    await database.start()
    await database.close()
    found = Jobs(way, now or Hour())
    try:
        yield found
    finally:
        await found.close()
        await way.close()


@pytest.fixture
def file(tmp_path: Path) -> Place:
    return Place("sqlite", tmp_path)


async def finished(at: Jobs, person: str, job_id: str) -> module.Job:
    for _ in range(3_000):
        job = await at.find(person, job_id)
        if job.state.is_over:
            return job
        await asyncio.sleep(0.01)
    raise AssertionError("the job does not end")


async def reaches(at: Jobs, person: str, job_id: str, state: JobState) -> None:
    for _ in range(3_000):
        if (await at.find(person, job_id)).state is state:
            return
        await asyncio.sleep(0.01)
    raise AssertionError(f"the job is never {state}")


def test_a_job_plays_what_the_study_plays(place: Place) -> None:
    game = find_game("manila")
    terms = SessionTerms(500_000, 2_000, 2_000, 200_000, 20)
    study = SessionStudy(prepare(game, 7), [SYSTEMS["martingale"]], "banker", terms, 60)
    study.play(400)
    (expected,) = study.results()

    async def run() -> None:
        async with jobs(place) as at:
            job = await at.ask("anna", SMALL)
            assert job.state is JobState.WAITING
            job = await finished(at, "anna", job.id)
            assert (job.state, job.done, job.problem) == (JobState.DONE, 400, None)
            assert job.result is not None
            results, curves = job.result["results"], job.result["curves"]
            assert (results["net"], results["total_staked"]) == (expected.net, expected.staked)
            assert results["ruin"]["sessions"] == expected.ruin.sessions
            assert curves["rounds"][-1] == 60
            assert curves["quantiles"]["0.5"][-1] == expected.quantile(0.5)
            assert len(curves["rounds"]) == len(curves["quantiles"]["0.95"]) <= 40
            assert [path[-1] for path in curves["sessions"]] == expected.played.net[:3].tolist()
            assert {len(path) for path in curves["sessions"]} == {len(curves["rounds"])}
            assert JobResult.model_validate(job.result).model_dump() == job.result
            assert json.loads(json.dumps(job.result)) == job.result
            with pytest.raises(Problem):
                await at.find("bob", job.id)

    asyncio.run(run())


def test_curves_go_on_level_where_everybody_has_left() -> None:
    shared = [0, 0]
    found = played(Asked("manila", "martingale", 400, 30, 2_000, 3), shared)
    assert found is not None
    assert found["results"]["ruin"]["sessions"] == 30
    assert found["curves"]["quantiles"]["0.5"][-1] == found["results"]["quantiles"]["0.5"]
    assert shared[0] == 30


LONG = SMALL._replace(rounds=2_000, sessions=2_500)


def test_a_job_that_is_told_to_stop_stops(place: Place) -> None:
    assert played(SMALL, [0, 1]) is None

    async def run() -> None:
        async with jobs(place) as at:
            running = await at.ask("anna", LONG)
            waiting = await at.ask("anna", SMALL)
            assert (await at.cancel("anna", waiting.id)).state is JobState.CANCELLED
            await reaches(at, "anna", running.id, JobState.RUNNING)
            assert (await at.cancel("anna", running.id)).state is JobState.CANCELLED
            after = await at.ask("anna", SMALL)
            assert (await finished(at, "anna", after.id)).state is JobState.DONE
            assert (await at.find("anna", running.id)).result is None
            assert [job.id for job in await at.of_person("anna")] == [after.id, waiting.id, running.id]

    asyncio.run(run())


def test_any_process_answers_for_a_job_and_stops_it(place: Place) -> None:
    async def run() -> None:
        async with jobs(place) as one, jobs(place) as other:
            running, waiting = await one.ask("anna", LONG), await one.ask("anna", SMALL)
            await reaches(other, "anna", running.id, JobState.RUNNING)
            assert [job.id for job in await other.of_person("anna")] == [waiting.id, running.id]
            with pytest.raises(Problem, match="No more than"):
                await other.ask("anna", SMALL)
            with pytest.raises(Problem, match="no such job"):
                await other.cancel("bob", running.id)
            assert (await other.cancel("anna", running.id)).state is JobState.CANCELLED
            job = await finished(other, "anna", waiting.id)
            assert (job.state, job.done) == (JobState.DONE, 400)
            assert job.result is not None
            assert job == await one.find("anna", waiting.id)
            assert (await one.find("anna", running.id)).result is None
            # One that waits is not played, and what one came to is thrown away, wherever that is said.
            first, second = await one.ask("anna", LONG), await one.ask("anna", SMALL)
            assert (await other.cancel("anna", second.id)).state is JobState.CANCELLED
            while one._waiting:
                await asyncio.sleep(0.01)
            await other.cancel("anna", first.id)
            assert (await other.cancel("anna", waiting.id)).state is JobState.DONE
            assert (await one.find("anna", waiting.id)).result is None

    asyncio.run(run())


def test_every_process_sees_how_far_a_job_is_and_stops_it_there(file: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "TOLD_SECONDS", 0.01)
    may_end = Event()

    async def run() -> None:
        async with jobs(file) as one, jobs(file) as other:
            one._pool = ThreadPoolExecutor(1)  # type: ignore[assignment]

            def plays(_: Asked) -> dict[str, object] | None:
                one._shared[0] = 123
                while not may_end.wait(0.01):
                    if one._shared[1]:
                        return None
                return {"played": True}

            monkeypatch.setattr(module, "_played", plays)
            for is_stopped in (True, False):
                job = await one.ask("anna", SMALL)
                while (await other.find("anna", job.id)).done != 123:
                    await asyncio.sleep(0.01)
                await (other.cancel("anna", job.id) if is_stopped else asyncio.to_thread(may_end.set))
                async with asyncio.timeout(10):
                    while one._running is not None:
                        await asyncio.sleep(0.01)
            assert (await finished(other, "anna", job.id)).result == {"played": True}

    try:
        asyncio.run(run())
    finally:
        may_end.set()


def test_the_jobs_of_a_process_that_says_nothing_any_more_are_over(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        hour = Hour()
        async with jobs(place, hour) as one, jobs(place, hour) as other:
            with monkeypatch.context() as patched:
                patched.setattr(Jobs, "_run", lambda _: asyncio.sleep(0))
                lost = [await one.ask("anna", SMALL) for _ in range(MOST_OF_A_PERSON)]
            hour.now += module.LOST_MILLISECONDS
            assert (await other.find("anna", lost[0].id)).state is JobState.WAITING
            hour.now += 1
            job = await other.find("anna", lost[0].id)
            assert (job.state, job.problem) == (JobState.FAILED, "The process that played the sessions has ended.")
            # They count no longer; and if the process wakes, it leaves them alone.
            new = await other.ask("anna", SMALL)
            await one._run()
            assert {(await one.find("anna", each.id)).state for each in lost} == {JobState.FAILED}
            assert (await finished(one, "anna", new.id)).state is JobState.DONE

    asyncio.run(run())


def test_the_jobs_of_a_process_that_is_closed_are_over_at_once(place: Place) -> None:
    async def run() -> None:
        async with jobs(place) as other:
            async with jobs(place) as one:
                asked = await one.ask("anna", LONG), await one.ask("anna", SMALL)
                await reaches(one, "anna", asked[0].id, JobState.RUNNING)
            for each in asked:
                job = await other.find("anna", each.id)
                assert (job.state, job.problem) == (JobState.FAILED, "The process that played the sessions has ended.")

    asyncio.run(run())


def test_what_was_played_is_kept_though_the_database_was_away(file: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "TOLD_SECONDS", 0.01)

    async def run() -> None:
        async with jobs(file) as at:
            at._pool = ThreadPoolExecutor(1)  # type: ignore[assignment]
            monkeypatch.setattr(module, "_played", lambda _: {"played": True})
            writing, failures = at._beside.writing, [StorageFault("The database failed.")] * 5

            @asynccontextmanager
            async def fails() -> AsyncIterator[Any]:
                if failures:
                    raise failures.pop()
                async with writing() as connection:
                    yield connection

            job = await at.ask("anna", SMALL)
            at._beside.writing = fails  # type: ignore[method-assign]
            assert (await finished(at, "anna", job.id)).result == {"played": True}
            assert not failures

    asyncio.run(run())


def test_a_job_that_fails_in_a_way_that_nobody_foresaw_is_over(file: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_: Asked) -> None:
        raise RuntimeError("nobody foresaw this")

    async def run() -> None:
        async with jobs(file) as at:
            at._pool = ThreadPoolExecutor(1)  # type: ignore[assignment]
            monkeypatch.setattr(module, "_played", fails)
            job = await finished(at, "anna", (await at.ask("anna", SMALL)).id)
            assert (job.state, job.problem) == (JobState.FAILED, "The sessions could not be played.")

    asyncio.run(run())


def test_a_job_after_the_process_has_ended_says_so_and_the_next_is_played(
    file: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Broken(ThreadPoolExecutor):
        def submit(self, *_: object, **__: object) -> Any:
            raise BrokenProcessPool

    async def run() -> None:
        async with jobs(file) as at:
            at._pool = Broken(1)  # type: ignore[assignment]
            job = await finished(at, "anna", (await at.ask("anna", SMALL)).id)
            assert (job.state, job.problem) == (JobState.FAILED, "The process that played the sessions has ended.")
            monkeypatch.setattr(module, "ProcessPoolExecutor", lambda *_, **__: ThreadPoolExecutor(1))
            monkeypatch.setattr(module, "_played", lambda _: {"played": True})
            job = await finished(at, "anna", (await at.ask("anna", SMALL)).id)
            assert job.result == {"played": True}

    asyncio.run(run())


KILLED = """
import asyncio, os, signal, sys
from pathlib import Path
from puntobanco.server.jobs import Asked, Jobs
from puntobanco.store.beside import Beside

async def run():
    at = Jobs(Beside.in_file(Path(sys.argv[1])), lambda: 1_000)
    await at.ask("anna", Asked("manila", "flat", 5_000, 1_000, 10**9, 1))
    while not (at._pool and at._pool._processes and at._shared[0]):
        await asyncio.sleep(0.05)
    print(*at._pool._processes, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(run())
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal here")
def test_the_process_that_plays_ends_with_a_service_that_is_killed(file: Place) -> None:
    async def make_tables() -> None:
        async with jobs(file):
            pass

    asyncio.run(make_tables())
    command = [sys.executable, "-c", KILLED, str(file.folder / "record.sqlite")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as service:
        assert service.stdout is not None
        player = int(service.stdout.readline())
        assert service.wait(30) == -signal.SIGKILL
        until = monotonic() + 30
        while is_alive(player) and monotonic() < until:
            sleep(0.05)
        assert not is_alive(player)


def is_alive(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return False
        return True
    # One that has ended and that nobody has asked for yet.
    return state != "Z"


def test_jobs_are_bounded(file: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        monkeypatch.setattr(Jobs, "_run", lambda _: asyncio.sleep(0))
        async with jobs(file) as at:
            for _ in range(MOST_OF_A_PERSON):
                await at.ask("anna", SMALL)
            with pytest.raises(Problem) as caught:
                await at.ask("anna", SMALL)
            assert caught.value.reason == "too-often"
            await asyncio.gather(
                *[at.ask(f"patron-{number}", SMALL) for number in range(module.MOST_WAITING - MOST_OF_A_PERSON)]
            )
            with pytest.raises(Problem) as caught:
                await at.ask("one more", SMALL)
            assert (caught.value.status, caught.value.reason) == (503, "busy")

    asyncio.run(run())


def test_jobs_of_one_person_are_bounded_over_all_processes_at_every_moment(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        monkeypatch.setattr(Jobs, "_run", lambda _: asyncio.sleep(0))
        async with jobs(place) as one, jobs(place) as other:
            insert = "INSERT INTO person (id, name, role, password_is_new, created) VALUES ('anna', 'A', 'guest', 0, 0)"
            async with one._beside.writing() as connection:
                await connection.exec_driver_sql(insert)
            asked = await asyncio.gather(
                *[at.ask("anna", SMALL) for at in (one, other) for _ in range(3)], return_exceptions=True
            )
            assert len([each for each in asked if isinstance(each, module.Job)]) == MOST_OF_A_PERSON
            assert len(await other.of_person("anna")) == MOST_OF_A_PERSON

    asyncio.run(run())


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"game": "roulette"}, "not-found"),
        ({"system": "no-such"}, "unknown-system"),
        ({"system": "/tmp/own.py:System"}, "unknown-system"),
        ({"wager": "no-such"}, "unknown-wager"),
        ({"decks": 99}, "wrong-decks"),
        ({"rounds": 5_000, "sessions": MOST_BETS // 5_000 + 1}, "too-large"),
        ({"sessions": 0}, "too-large"),
        ({"bankroll": 1_999}, "bad-bankroll"),
        ({"base": 33}, "bad-bankroll"),
    ],
)
def test_what_cannot_be_played_is_refused_before_it_waits(file: Place, change: dict[str, object], reason: str) -> None:
    async def run() -> None:
        async with jobs(file) as at:
            with pytest.raises(Problem) as caught:
                await at.ask("anna", SMALL._replace(**change))  # type: ignore[arg-type]
            assert caught.value.reason == reason
            assert await at.of_person("anna") == []

    asyncio.run(run())


def test_what_is_over_is_forgotten_after_a_while(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        hour = Hour()
        monkeypatch.setattr(Jobs, "_run", lambda _: asyncio.sleep(0))
        monkeypatch.setattr(module, "MOST_KEPT", 5)
        async with jobs(place, hour) as at:
            for _ in range(module.MOST_KEPT + 5):
                await at.cancel("anna", (await at.ask("anna", SMALL)).id)
            assert len(await at.of_person("anna")) == module.MOST_KEPT + 1
            hour.now += module.KEPT_MILLISECONDS + 1
            last = await at.ask("anna", SMALL)
            assert [job.id for job in await at.of_person("anna")] == [last.id]

    asyncio.run(run())
