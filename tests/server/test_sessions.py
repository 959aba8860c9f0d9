"""Sessions lapse, end everywhere, and cost the database next to nothing."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import event, func, select

from puntobanco.server.cookies import token_in
from puntobanco.server.people import People, Role, Signed, digest_of
from puntobanco.server.terms import DAY, HOUR, MINUTE, SECOND
from puntobanco.store.database import StorageFault
from puntobanco.store.schema import attempt, session
from server.peopled import GOOD, QUICK, Peopled, on_both_databases, problem, run


def statements(here: Peopled) -> list[str]:
    """What is asked of the database from now on."""
    asked: list[str] = []
    engine = here.beside._engine.sync_engine
    event.listen(engine, "before_cursor_execute", lambda *given: asked.append(str(given[2])))
    return asked


async def seen(here: Peopled, token: str) -> int | None:
    async with here.beside.reading() as connection:
        found: int | None = await connection.scalar(select(session.c.seen).where(session.c.digest == digest_of(token)))
        return found


@on_both_databases
@pytest.mark.parametrize("role", [Role.GUEST, Role.PATRON, Role.DEALER, Role.DIRECTOR])
def test_idle_and_longest_time_of_a_session(kind: str, role: Role, tmp_path: Path) -> None:
    async def work(here: Peopled) -> None:
        people, clock = here.people, here.clock
        idle, longest = (30 * MINUTE, 12 * HOUR) if role in (Role.DEALER, Role.DIRECTOR) else (12 * HOUR, 30 * DAY)

        name, password = "Anna", GOOD
        if role is Role.PATRON:
            await here.patron(name, password)
        elif role is not Role.GUEST:
            _, password = await people.add_staff(name, role)

        async def new() -> str:
            _, token = await (people.new_guest() if role is Role.GUEST else people.sign_in(name, password))
            return token

        # Used just before each end of the idle time it lasts, by any process that knows it or does not.
        token = await new()
        clock.pass_by(idle - 1)
        assert await people.signed_in(token) is not None
        clock.pass_by(idle - 1)
        assert await people.signed_in(token) is not None
        clock.pass_by(idle)
        assert await people.signed_in(token) is None
        assert await (await here.another()).signed_in(token) is None
        # Used all the time it lapses all the same.
        token, since = await new(), clock.now()
        while clock.now() + idle // 2 < since + longest:
            clock.pass_by(idle // 2)
            assert await people.signed_in(token) is not None
        clock.time = since + longest - 1
        assert await people.signed_in(token) is not None
        clock.time = since + longest
        assert await people.signed_in(token) is None
        assert await (await here.another()).signed_in(token) is None

    run(work, kind, tmp_path)


@on_both_databases
def test_a_session_that_ends_at_one_process_ends_at_all_within_seconds(kind: str, tmp_path: Path) -> None:
    async def work(here: Peopled) -> None:
        other = await here.another()
        dora, once = await here.people.add_staff("Dora", Role.DEALER)
        _, guests = await here.people.new_guest()
        tokens = [(await here.people.sign_in("Dora", once))[1] for _ in range(3)]

        async def at_other() -> list[bool]:
            return [await other.signed_in(token) is not None for token in (*tokens, guests)]

        assert await at_other() == [True, True, True, True]
        await here.people.sign_out(digest_of(tokens[0]))
        assert await here.people.signed_in(tokens[0]) is None
        here.clock.pass_by(2 * SECOND)
        assert await at_other() == [False, True, True, True]
        await here.people.give_role(dora.id, Role.AUDITOR)
        here.clock.pass_by(2 * SECOND)
        assert await at_other() == [False, False, False, True]

    run(work, kind, tmp_path)


@on_both_databases
def test_a_process_whose_clock_is_behind_ends_sessions_too(kind: str, tmp_path: Path) -> None:
    async def work(here: Peopled) -> None:
        other = await here.another()
        _, token = await here.people.new_guest()
        assert await other.signed_in(token) is not None
        here.clock.pass_by(-8 * SECOND)
        await here.people.sign_out(digest_of(token))
        here.clock.pass_by(8 * SECOND + 2 * SECOND)
        assert await other.signed_in(token) is None

    run(work, kind, tmp_path)


def test_a_process_that_slept_for_long_reads_again(tmp_path: Path) -> None:
    async def work(here: Peopled) -> None:
        other = await here.another()
        _, token = await here.people.new_guest()
        assert await other.signed_in(token) is not None
        await here.people.sign_out(digest_of(token))
        async with here.beside.writing() as connection:
            await connection.execute(session.delete())
        here.clock.pass_by(HOUR + 1)
        assert await other.signed_in(token) is None

    run(work, "sqlite", tmp_path)


def test_what_is_in_memory_asks_the_database_once_in_two_seconds(tmp_path: Path) -> None:
    async def work(here: Peopled) -> None:
        tokens = [(await here.people.new_guest())[1] for _ in range(30)]
        # All thirty are read by one statement.
        asked = statements(here)
        found = await asyncio.gather(*(here.people.signed_in(token) for token in tokens))
        assert all(found)
        assert len([each for each in asked if "FROM session" in each]) == 1
        asked.clear()
        for _ in range(1000):
            here.clock.pass_by(10)
            for token in tokens:
                assert await here.people.signed_in(token) is not None
        # Ten seconds.
        assert len([each for each in asked if "FROM session" in each]) == 5
        assert not [each for each in asked if "UPDATE" in each]

    run(work, "sqlite", tmp_path)


@on_both_databases
def test_that_a_session_was_used_is_written_once_a_minute_for_all_together(kind: str, tmp_path: Path) -> None:
    async def work(here: Peopled) -> None:
        tokens = [(await here.people.new_guest())[1] for _ in range(700)]
        start = here.clock.now()
        asked = statements(here)
        for _ in range(3 * 60):
            here.clock.pass_by(SECOND)
            await asyncio.gather(*(here.people.signed_in(token) for token in tokens[:600]))
            while here.people._sessions._writing is not None and not here.people._sessions._writing.done():
                await asyncio.sleep(0)
        written = [each for each in asked if each.startswith("UPDATE session")]
        assert 2 <= len(written) <= 2 * 3
        for token in (tokens[0], tokens[599]):
            assert here.clock.now() - 62 * SECOND <= (await seen(here, token) or 0) <= here.clock.now()
        assert await seen(here, tokens[600]) == start

    run(work, kind, tmp_path)


def test_use_at_another_process_keeps_a_session_alive_here(tmp_path: Path) -> None:
    async def work(here: Peopled) -> None:
        other = await here.another()
        _, token = await here.people.new_guest()
        assert await other.signed_in(token) is not None
        for _ in range(13):
            here.clock.pass_by(HOUR)
            assert await here.people.signed_in(token) is not None
        await here.people._sessions._write_seen()
        assert await other.signed_in(token) is not None

    run(work, "sqlite", tmp_path)


def test_what_was_used_is_written_when_the_process_stops(tmp_path: Path) -> None:
    async def work(here: Peopled) -> None:
        other = await here.another()
        _, token = await other.new_guest()
        here.clock.pass_by(HOUR)
        assert await other.signed_in(token) is not None
        await other.close()
        assert await seen(here, token) == here.clock.now()

    run(work, "sqlite", tmp_path)


def test_memory_has_a_bound(tmp_path: Path) -> None:
    async def work(here: Peopled) -> None:
        tokens = [(await here.people.new_guest())[1] for _ in range(40)]
        for _ in range(2):
            for token in tokens:
                assert await here.people.signed_in(token) is not None
                assert len(here.people._sessions._kept) <= 8

    run(work, "sqlite", tmp_path, replace(QUICK, sessions_in_memory=8))


def test_who_goes_away_does_not_take_the_answer_from_others(tmp_path: Path) -> None:
    async def work(here: Peopled) -> None:
        _, token = await here.people.new_guest()
        asking = [asyncio.create_task(here.people.signed_in(token)) for _ in range(3)]
        await asyncio.sleep(0)
        asking[0].cancel()
        answers = await asyncio.gather(*asking, return_exceptions=True)
        assert isinstance(answers[0], asyncio.CancelledError)
        assert all(isinstance(answer, Signed) for answer in answers[1:])

    run(work, "sqlite", tmp_path)


def test_a_fault_is_told_to_all_who_wait_and_nobody_stays_signed_in_blindly(tmp_path: Path) -> None:
    async def work(here: Peopled) -> None:
        _, first = await here.people.new_guest()
        _, second = await here.people.new_guest()
        assert await here.people.signed_in(first) is not None
        reading = here.beside.reading

        def failing() -> object:
            raise StorageFault("The database failed: out of order.")

        here.beside.reading = failing  # type: ignore[method-assign, assignment]
        answers = await asyncio.gather(*(here.people.signed_in(second) for _ in range(3)), return_exceptions=True)
        assert [type(answer) for answer in answers] == [StorageFault] * 3
        here.clock.pass_by(2 * SECOND)
        with pytest.raises(StorageFault):
            await here.people.signed_in(first)
        here.beside.reading = reading  # type: ignore[method-assign]
        assert await here.people.signed_in(first) is not None
        assert await here.people.signed_in(second) is not None

    run(work, "sqlite", tmp_path)


@on_both_databases
def test_old_sessions_and_attempts_are_taken_out(kind: str, tmp_path: Path) -> None:
    async def work(here: Peopled) -> None:
        async def rows() -> list[int]:
            async with here.beside.reading() as connection:
                counted = [await connection.scalar(select(func.count()).select_from(t)) for t in (session, attempt)]
                return [int(count or 0) for count in counted]

        async def guess(people: People) -> None:
            assert (await problem(people.sign_in("Nobody here", GOOD))).reason == "wrong-password"

        _, ended = await here.people.new_guest()
        await here.people.new_guest()
        await here.people.sign_out(digest_of(ended))
        await guess(here.people)
        await here.people.tidy()
        # A wrong password is counted by name, and by name and address.
        assert await rows() == [2, 2]
        here.clock.pass_by(DAY + 1)
        await here.people.tidy()
        assert await rows() == [1, 0]
        here.clock.pass_by(30 * DAY)
        await here.people.tidy()
        assert await rows() == [0, 0]

    run(work, kind, tmp_path)


TOKEN, OTHER = "a" * 43, "b" * 43


@pytest.mark.parametrize(
    ("cookies", "token"),
    [
        (None, None),
        ("", None),
        (f"pb_session={TOKEN}", TOKEN),
        (f"theme=dark; pb_session={TOKEN};lang=en", TOKEN),
        (f"pb_session={TOKEN}; pb_session={TOKEN}", TOKEN),
        (f"pb_session={TOKEN}; pb_session={OTHER}", None),
        (f"xpb_session={TOKEN}", None),
        (f"PB_SESSION={TOKEN}", None),
        (f'pb_session="{TOKEN}"', None),
        (f"pb_session={TOKEN}x", None),
        (f"pb_session={TOKEN}\r\n", TOKEN),
        ("pb_session=" + "é" * 43, None),
        ("pb_session", None),
        (";;;=;" * 100, None),
    ],
)
def test_the_token_in_a_cookie_header(cookies: str | None, token: str | None) -> None:
    assert token_in(cookies) == token


@on_both_databases
def test_who_listens_here_and_is_busy_elsewhere_is_not_idle(kind: str, tmp_path: Path) -> None:
    """A socket at one process and requests at another are one session: it lapses when neither is used."""

    async def work(here: Peopled) -> None:
        elsewhere, ended = await here.another(), list[bytes]()
        _, token = await here.people.new_guest()
        digest = digest_of(token)
        here.people.when_sessions_end(ended.extend, lambda: [digest])
        assert await here.people.signed_in(token) is not None
        for _ in range(3):
            here.clock.pass_by(here.people.terms.patron_idle * 2 // 3)
            assert await elsewhere.signed_in(token) is not None
            await elsewhere.close()  # What was used is written.
            await here.people.agree()
            assert ended == []
        here.clock.pass_by(here.people.terms.patron_idle + 1)
        await here.people.agree()
        assert ended == [digest]

    run(work, kind, tmp_path)
