"""Guessing: what is counted, what is locked, for how long, and what a guesser learns."""

import asyncio
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from puntobanco.errors import DeclarationError
from puntobanco.server.passwords import Passwords
from puntobanco.server.people import People, Role
from puntobanco.server.problems import Problem
from puntobanco.server.terms import DAY, HOUR, MINUTE, Terms
from server.peopled import GOOD, QUICK, Peopled, on_both_databases, problem, run

BAD = "not a heron at all"
UNKNOWN = ["Nobody here", "x" * 5000, "dealer/1", "\ud800", "a\0b", "<script>", "", "Аnna"]  # noqa: RUF001


async def guess(people: People, name: str = "Anna") -> str:
    return (await problem(people.sign_in(name, BAD))).reason


@on_both_databases
def test_five_wrong_passwords_lock_a_name_at_every_process_for_growing_times(kind: str, tmp_path: Path) -> None:
    async def work(here: Peopled) -> None:
        await here.patron()
        other = await here.another()
        assert [await guess(people) for people in (here.people, other, here.people, other, other)] == [
            "wrong-password"
        ] * 5
        lock = MINUTE
        for _ in range(8):
            for people in (here.people, other):
                refusal = await problem(people.sign_in("ANNA", GOOD))
                assert (refusal.status, refusal.reason) == (429, "locked")
            here.clock.pass_by(lock - 1)
            assert await guess(here.people) == "locked"
            here.clock.pass_by(1)
            # Again one guess, and a longer lock.
            assert await guess(other) == "wrong-password"
            lock = min(2 * lock, HOUR)
        here.clock.pass_by(lock)
        await here.people.sign_in("Anna", GOOD)
        assert [await guess(here.people) for _ in range(6)] == ["wrong-password"] * 5 + ["locked"]

    run(work, kind, tmp_path)


async def guess_from(people: People, address: str, name: str = "Anna") -> str:
    return (await problem(people.sign_in(name, BAD, address=address))).reason


@on_both_databases
def test_nobody_is_kept_out_by_the_guesses_of_others(kind: str, tmp_path: Path) -> None:
    async def work(here: Peopled) -> None:
        await here.patron()
        assert [await guess_from(here.people, "203.0.113.9") for _ in range(6)] == ["wrong-password"] * 5 + ["locked"]
        # One network is one address, whatever its other half.
        assert [await guess_from(here.people, f"2001:db8::{n}") for n in range(6)][-1] == "locked"
        await here.people.sign_in("Anna", GOOD, address="198.51.100.1")
        # From where she came before she comes in, though the name is locked for all other addresses.
        for place in range(10):
            for _ in range(5):
                await guess_from(here.people, f"192.0.2.{place}")
        assert (await problem(here.people.sign_in("Anna", GOOD, address="198.51.100.2"))).reason == "locked"
        await here.people.sign_in("Anna", GOOD, address="198.51.100.1")
        # From there, too, it is not guessed.
        assert [await guess_from(here.people, "198.51.100.1") for _ in range(6)] == ["wrong-password"] * 5 + ["locked"]
        here.clock.pass_by(90 * DAY + 1)
        await here.people.tidy()
        for place in range(10):
            for _ in range(5):
                await guess_from(here.people, f"192.0.2.{place}")
        assert (await problem(here.people.sign_in("Anna", GOOD, address="198.51.100.1"))).reason == "locked"

    run(work, kind, tmp_path)


@pytest.mark.parametrize("name", ["Anna", "Nobody here"])
def test_fifty_wrong_passwords_from_wherever_lock_a_name(name: str, tmp_path: Path) -> None:
    async def work(here: Peopled) -> None:
        await here.patron()
        answers = [await guess_from(here.people, f"192.0.2.{place}", name) for place in range(52)]
        assert answers == ["wrong-password"] * 50 + ["locked"] * 2
        here.clock.pass_by(MINUTE)
        answers = [await guess_from(here.people, f"192.0.2.{place}", name) for place in range(60, 62)]
        assert answers == ["wrong-password", "locked"]

    run(work, "sqlite", tmp_path)


def test_a_right_password_or_a_quiet_time_begins_the_count_again(tmp_path: Path) -> None:
    async def work(here: Peopled) -> None:
        await here.patron()
        for _ in range(3):
            assert [await guess(here.people) for _ in range(4)] == ["wrong-password"] * 4
            await here.people.sign_in("Anna", GOOD)
        for _ in range(3):
            assert [await guess(here.people) for _ in range(4)] == ["wrong-password"] * 4
            here.clock.pass_by(15 * MINUTE)
        assert [await guess(here.people) for _ in range(4)] == ["wrong-password"] * 4
        here.clock.pass_by(15 * MINUTE - 1)
        assert [await guess(here.people) for _ in range(2)] == ["wrong-password", "locked"]
        # Only this name.
        assert await guess(here.people, "Berta") == "wrong-password"

    run(work, "sqlite", tmp_path)


@on_both_databases
def test_a_hundred_guesses_at_one_moment_are_five(kind: str, tmp_path: Path) -> None:
    async def work(here: Peopled) -> None:
        await here.patron()
        other = await here.another()
        asked = [people.sign_in("Anna", BAD) for people in (here.people, other) for _ in range(50)]
        answers = await asyncio.gather(*asked, return_exceptions=True)
        reasons = Counter(answer.reason if isinstance(answer, Problem) else repr(answer) for answer in answers)
        assert reasons["wrong-password"] == 5
        assert reasons["wrong-password"] + reasons["locked"] + reasons["busy"] == 100

    run(work, kind, tmp_path)


@on_both_databases
def test_an_unknown_name_gives_the_same_answers_for_the_same_work(kind: str, tmp_path: Path) -> None:
    async def work(here: Peopled) -> None:
        await here.patron()
        _, once = await here.people.add_staff("Dora", Role.DEALER)
        await here.people.remove_staff((await here.people.staff_named("Dora")).id)
        worked: list[str] = []
        verified = here.people._passwords._verified

        def counted(stored: str, password: str) -> bool:
            worked.append(stored.rpartition("$")[0].rpartition("$")[0])
            return verified(stored, password)

        here.people._passwords._verified = counted  # type: ignore[method-assign]
        answers = []
        for name in ["Anna", "Dora", *UNKNOWN]:
            worked.clear()
            told = [await problem(here.people.sign_in(name, BAD)) for _ in range(6)]
            answers.append(([each.as_json() for each in told], [each.status for each in told], list(worked)))
        assert all(answer == answers[0] for answer in answers)
        assert answers[0][1] == [401] * 5 + [429]
        assert answers[0][2] == ["$argon2id$v=19$m=64,t=1,p=1"] * 5
        here.clock.pass_by(HOUR)
        assert (await problem(here.people.sign_in("Dora", once))).reason == "wrong-password"

    run(work, kind, tmp_path)


def test_the_decoy_is_as_costly_as_a_hash_of_the_house(tmp_path: Path) -> None:
    async def work() -> None:
        passwords = Passwords(Terms())
        made = await passwords.hashed(GOOD)
        shape = [len(part) for part in made.split("$")]
        assert [len(part) for part in passwords._nobodys.split("$")] == shape
        assert not passwords.is_out_of_date(passwords._nobodys)
        assert made.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
        assert not await passwords.matches(GOOD, None)
        assert await passwords.matches(GOOD, made)
        assert not await passwords.matches(GOOD, "not a hash")
        passwords.close()

    asyncio.run(work())


def test_changing_a_password_is_no_way_around_the_lock(tmp_path: Path) -> None:
    async def work(here: Peopled) -> None:
        anna = await here.patron()
        new = "another pier, another heron"
        reasons = [(await problem(here.people.change_password(anna, BAD, new))).reason for _ in range(6)]
        assert reasons == ["wrong-password"] * 5 + ["locked"]
        assert await guess(here.people) == "locked"

    run(work, "sqlite", tmp_path)


def test_a_new_one_time_password_opens_a_lock(tmp_path: Path) -> None:
    async def work(here: Peopled) -> None:
        dora, _ = await here.people.add_staff("Dora", Role.DEALER)
        assert [await guess(here.people, "Dora") for _ in range(6)][-1] == "locked"
        assert [await guess_from(here.people, "192.0.2.1", "Dora") for _ in range(6)][-1] == "locked"
        once = await here.people.give_new_password(dora.id)
        await here.people.sign_in("Dora", once)
        await here.people.sign_in("Dora", once, address="192.0.2.1")

    run(work, "sqlite", tmp_path)


@on_both_databases
def test_a_hundred_sign_ins_at_once_are_bounded(kind: str, tmp_path: Path) -> None:
    async def work(here: Peopled) -> None:
        for number in range(100):
            await here.people.add_staff(f"Dealer {number}", Role.DEALER)
        most = now = 0
        verified = here.people._passwords._verified

        def watched(stored: str, password: str) -> bool:
            nonlocal most, now
            now += 1
            most = max(most, now)
            try:
                return verified(stored, password)
            finally:
                now -= 1

        here.people._passwords._verified = watched  # type: ignore[method-assign]
        asked = [here.people.sign_in(f"Dealer {number}", BAD) for number in range(100)]
        answers = await asyncio.gather(*asked, return_exceptions=True)
        reasons = Counter(answer.reason if isinstance(answer, Problem) else repr(answer) for answer in answers)
        assert reasons == {"wrong-password": 10, "busy": 90}
        assert most <= 2
        # Those who were turned away have no wrong password more.
        here.people._passwords._verified = verified  # type: ignore[method-assign]
        assert [await guess(here.people, "Dealer 99") for _ in range(6)] == ["wrong-password"] * 5 + ["locked"]
        busy = next(answer for answer in answers if isinstance(answer, Problem) and answer.reason == "busy")
        assert busy.status == 503

    run(work, kind, tmp_path, replace(QUICK, hash_waiting=8))


def test_who_gives_up_waiting_leaves_their_place(tmp_path: Path) -> None:
    async def work(here: Peopled) -> None:
        await here.patron()
        for _ in range(20):
            asking = asyncio.create_task(here.people.sign_in("Anna", GOOD))
            await asyncio.sleep(0.001)
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)
        here.clock.pass_by(HOUR)
        await here.people.sign_in("Anna", GOOD)

    run(work, "sqlite", tmp_path, replace(QUICK, hash_waiting=0))


@pytest.mark.parametrize("given", [{"patron_idle": 0}, {"wrong_passwords": True}, {"hash_waiting": -1}])
def test_terms_that_are_none(given: dict[str, int]) -> None:
    with pytest.raises(DeclarationError):
        Terms(**given)  # type: ignore[arg-type]
