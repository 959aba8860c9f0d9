"""Guests, patrons and staff: how they come in, what they keep, and what of theirs nobody can use."""

import asyncio
import re
from collections.abc import Awaitable
from pathlib import Path

import pytest
from sqlalchemy import select, text

from puntobanco.server.people import People, Person, Role, digest_of, names_of
from puntobanco.server.problems import Problem
from puntobanco.server.terms import Terms
from puntobanco.store.schema import person, session
from server.peopled import GOOD, Peopled, on_both_databases, problem, run

NEW = "another pier, another heron"


@on_both_databases
def test_a_guest_registers_and_loses_nothing(kind: str, tmp_path: Path) -> None:
    async def work(here: Peopled) -> None:
        people = here.people
        guest, token = await people.new_guest()
        assert re.fullmatch(r"[A-Z][a-z]+ [A-Z][a-z]+ \d{3}", guest.name)
        assert guest.role is Role.GUEST
        signed = await people.signed_in(token)
        assert signed is not None
        assert signed.person == guest
        assert signed.since == here.clock.now()
        patron, new_token = await people.register(guest, "Anna", GOOD)
        assert patron == Person(guest.id, "Anna", Role.PATRON)
        # The session before it is over; the new one is the patron's.
        assert await people.signed_in(token) is None
        found = await people.signed_in(new_token)
        assert found is not None
        assert found.person == patron
        again, _ = await people.sign_in("ANNA", GOOD)
        assert again == patron
        assert await people.person(guest.id) == patron
        assert (await problem(people.register(patron, "Berta", GOOD))).reason == "already-registered"

    run(work, kind, tmp_path)


@on_both_databases
def test_a_name_is_had_once_however_it_is_written(kind: str, tmp_path: Path) -> None:
    async def work(here: Peopled) -> None:
        await here.patron("Anna")
        for name in ("anna", "ANNA", " Anna", "\uff21nna"):
            guest, token = await here.people.new_guest()
            refusal = await problem(here.people.register(guest, name, GOOD))
            assert (refusal.status, refusal.reason) == (409, "name-taken")
            # Nothing of it was done.
            signed = await here.people.signed_in(token)
            assert signed is not None
            assert signed.person == guest
        assert (await problem(here.people.add_staff("anna", Role.DEALER))).reason == "name-taken"
        # Twenty at one moment, one of whom gets it.
        guests = [(await here.people.new_guest())[0] for _ in range(20)]
        asked = [here.people.register(guest, "Berta", GOOD) for guest in guests]
        answers = await asyncio.gather(*asked, return_exceptions=True)
        reasons = [each.reason if isinstance(each, Problem) else type(each) for each in answers]
        assert sorted(map(str, reasons)) == sorted([str(tuple)] + ["name-taken"] * 19)

    run(work, kind, tmp_path)


@on_both_databases
def test_each_sign_in_is_a_new_session_and_an_old_token_is_nobodys(kind: str, tmp_path: Path) -> None:
    """Fixation: a token that somebody planted before is not a session of whoever signs in."""

    async def work(here: Peopled) -> None:
        patron = await here.patron()
        _, planted = await here.people.new_guest()
        first_person, first = await here.people.sign_in("Anna", GOOD, instead_of=digest_of(planted))
        _, second = await here.people.sign_in("Anna", GOOD)
        assert first_person == patron
        assert len({planted, first, second}) == 3
        assert await here.people.signed_in(planted) is None
        for people in (here.people, await here.another()):
            for token in (first, second):
                signed = await people.signed_in(token)
                assert signed is not None
                assert signed.person == patron
        await here.people.sign_out(digest_of(first))
        assert await here.people.signed_in(first) is None
        assert await here.people.signed_in(second) is not None
        await here.people.end_sessions(patron.id)
        assert await here.people.signed_in(second) is None

    run(work, kind, tmp_path)


def test_tokens_are_long_different_and_not_in_the_database(tmp_path: Path) -> None:
    async def work(here: Peopled) -> None:
        tokens = [(await here.people.new_guest())[1] for _ in range(20)]
        assert len(set(tokens)) == 20
        assert all(len(token) * 6 >= 128 for token in tokens)
        async with here.beside.reading() as connection:
            digests = set((await connection.execute(select(session.c.digest))).scalars())
            assert digests == {digest_of(token) for token in tokens}
        for bad in ("", "x", tokens[0][:-1], tokens[0] + "a", "\ud800" * 43, "ä" * 43, tokens[0][:-1] + "\0"):
            assert await here.people.signed_in(bad) is None

    run(work, "sqlite", tmp_path)
    held = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"pier" not in held


@on_both_databases
def test_staff_change_their_one_time_password_before_all_else(kind: str, tmp_path: Path) -> None:
    async def work(here: Peopled) -> None:
        people = here.people
        dealer, once = await people.add_staff("Dealer 1", Role.DEALER)
        assert re.fullmatch(r"(\w{4}-){3}\w{4}", once)
        _, token = await people.sign_in("dealer 1", once)
        signed = await people.signed_in(token)
        assert signed is not None
        assert signed.must_change_password
        for bad in (once, "short", "elevenchars", "Dealer..1..."):
            assert (await problem(people.change_password(dealer, once, bad))).reason == "password-refused"
        assert (await problem(people.change_password(dealer, NEW, GOOD))).reason == "wrong-password"
        same, new_token = await people.change_password(dealer, once, NEW)
        assert same == dealer
        assert await people.signed_in(token) is None
        signed = await people.signed_in(new_token)
        assert signed is not None
        assert not signed.must_change_password
        assert (await problem(people.sign_in("Dealer 1", once))).reason == "wrong-password"
        lost = await people.give_new_password(dealer.id)
        assert await people.signed_in(new_token) is None
        _, token = await people.sign_in("Dealer 1", lost)
        signed = await people.signed_in(token)
        assert signed is not None
        assert signed.must_change_password

    run(work, kind, tmp_path)


@on_both_databases
def test_a_change_of_role_ends_all_sessions_and_so_does_leaving(kind: str, tmp_path: Path) -> None:
    async def work(here: Peopled) -> None:
        people = here.people
        dora, once = await people.add_staff("Dora", Role.DEALER)
        emil, _ = await people.add_staff("Emil", Role.AUDITOR)
        assert await people.staff() == [dora, emil]
        assert await people.staff_named("DORA") == dora
        _, token = await people.sign_in("Dora", once)
        assert await people.give_role(dora.id, Role.SUPERVISOR) == dora._replace(role=Role.SUPERVISOR)
        assert await people.signed_in(token) is None
        found, token = await people.sign_in("Dora", once)
        assert found.role is Role.SUPERVISOR
        await people.remove_staff(dora.id)
        assert await people.signed_in(token) is None
        assert (await problem(people.sign_in("Dora", once))).reason == "wrong-password"
        assert await people.staff() == [emil]
        # What Dora did still has a name; and another Dora is another person.
        assert await people.person(dora.id) == found
        other, _ = await people.add_staff("Dora", Role.DEALER)
        assert other.id != dora.id

    run(work, kind, tmp_path)


@on_both_databases
def test_a_patron_is_found_by_how_their_name_or_id_begins(kind: str, tmp_path: Path) -> None:
    async def work(here: Peopled) -> None:
        people = here.people
        anna, annika, other = await here.patron("Anna"), await here.patron("annika"), await here.patron("Ma_ria 100")
        guest, _ = await people.new_guest()
        await people.add_staff("Anneliese", Role.DEALER)
        assert await people.find_patrons("\uff21NN", 20) == [anna, annika], "however it is written, and no staff"
        assert await people.find_patrons("ann", 1) == [anna], "no more than so many"
        assert await people.find_patrons("nna", 20) == []
        assert await people.find_patrons("ma_", 20) == [other], "a sign of a pattern stands for itself"
        assert await people.find_patrons("%", 20) == await people.find_patrons("m__", 20) == []
        assert guest in await people.find_patrons(guest.name[:4].upper(), 20)
        for begins in (guest.id, guest.id[:12], guest.id.upper()):
            assert await people.find_patrons(begins, 20) == [guest]
        assert await people.find_patrons("\x00", 20) == await people.find_patrons(" ", 20) == []
        assert await names_of(here.beside, [anna.id, None, "", "nobody"]) == {anna.id: "Anna"}
        assert await names_of(here.beside, []) == {}

    run(work, kind, tmp_path)


@on_both_databases
def test_a_house_keeps_a_director(kind: str, tmp_path: Path) -> None:
    async def work(here: Peopled) -> None:
        people = here.people
        one, other = [(await people.add_staff(name, Role.DIRECTOR))[0] for name in ("Dora", "Emil")]
        supervisor, _ = await people.add_staff("Finn", Role.SUPERVISOR)
        # Each removes the other, in one moment and by two processes: one stays.
        away = [people.remove_staff(one.id), (await here.another()).remove_staff(other.id)]
        gone = await asyncio.gather(*away, return_exceptions=True)
        assert [each.reason for each in gone if isinstance(each, Problem)] == ["last-director"]
        assert len([each for each in gone if isinstance(each, Person)]) == 1
        (last,) = [each for each in await people.staff() if each.role is Role.DIRECTOR]
        for work in (people.remove_staff(last.id), people.give_role(last.id, Role.DEALER)):
            refusal = await problem(work)
            assert (refusal.status, refusal.reason) == (409, "last-director")
        assert await people.give_role(last.id, Role.DIRECTOR) == last
        await people.give_role(supervisor.id, Role.DIRECTOR)
        await people.remove_staff(last.id)

    run(work, kind, tmp_path)


def test_nobody_goes_between_patrons_and_staff(tmp_path: Path) -> None:
    async def work(here: Peopled) -> None:
        people, patron = here.people, await here.patron()
        dora, _ = await people.add_staff("Dora", Role.DEALER)
        assert (await problem(people.give_role(patron.id, Role.DIRECTOR))).status == 404
        assert (await problem(people.remove_staff(patron.id))).status == 404
        assert (await problem(people.give_new_password(patron.id))).status == 404
        for role in (Role.GUEST, Role.PATRON):
            assert (await problem(people.give_role(dora.id, role))).status == 400
            assert (await problem(people.add_staff("Emil", role))).status == 400
        assert (await problem(people.register(dora, "Dora", GOOD))).reason == "already-registered"
        guest, _ = await people.new_guest()
        assert (await problem(people.change_password(guest, GOOD, NEW))).reason == "no-password"
        assert (await problem(people.staff_named("Anna"))).status == 404
        assert await people.person("nobody") is None

    run(work, "sqlite", tmp_path)


@pytest.mark.parametrize(("lacking", "staff"), [(9, False), (11, True)])
def test_the_shortest_password(lacking: int, staff: bool, tmp_path: Path) -> None:
    async def work(here: Peopled) -> None:
        guest, _ = await here.people.new_guest()
        dora, once = await here.people.add_staff("Dora", Role.DEALER)

        def ask(password: str) -> Awaitable[tuple[Person, str]]:
            if staff:
                return here.people.change_password(dora, once, password)
            return here.people.register(guest, "Anna", password)

        letters = "the quick brown fox"
        assert (await problem(ask(letters[:lacking]))).reason == "password-refused"
        assert (await problem(ask("x y z w" * 200))).reason == "password-refused"
        found, _ = await ask(letters[: lacking + 1])
        again, _ = await here.people.sign_in(found.name, letters[: lacking + 1])
        assert again == found

    run(work, "sqlite", tmp_path)


def test_a_password_is_hashed_again_when_the_terms_change(tmp_path: Path) -> None:
    async def work(here: Peopled) -> None:
        async def stored() -> str:
            async with here.beside.reading() as connection:
                return str(await connection.scalar(select(person.c.password)))

        await here.patron()
        before = await stored()
        await here.people.sign_in("Anna", GOOD)
        assert await stored() == before
        stricter = await here.another(Terms())
        await stricter.sign_in("Anna", GOOD)
        assert (await stored()).startswith("$argon2id$v=19$m=19456,t=2,p=1$")
        # By those terms it is still the same password.
        await here.people.sign_in("Anna", GOOD)

    run(work, "sqlite", tmp_path)


def test_a_password_that_changes_during_a_sign_in_is_wrong(tmp_path: Path) -> None:
    async def work(here: Peopled) -> None:
        dora, once = await here.people.add_staff("Dora", Role.DEALER)
        matches = here.people._passwords.matches

        async def matches_late(password: str, stored: str | None) -> bool:
            found = await matches(password, stored)
            here.people._passwords.matches = matches  # type: ignore[method-assign]
            await (await here.another()).give_new_password(dora.id)
            return found

        here.people._passwords.matches = matches_late  # type: ignore[method-assign]
        assert (await problem(here.people.sign_in("Dora", once))).reason == "wrong-password"

    run(work, "sqlite", tmp_path)


def test_cookies_have_all_attributes(tmp_path: Path) -> None:
    async def work(here: Peopled) -> None:
        plain, secure = here.people, await here.another(Terms(https=True))
        _, token = await plain.new_guest()

        def parts(people: People, role: Role) -> list[str]:
            return people.cookie(token, role).split("; ")

        thirty_days, twelve_hours = "Max-Age=2592000", "Max-Age=43200"
        expected = [f"pb_session={token}", thirty_days, "Path=/", "HttpOnly", "SameSite=Strict"]
        assert parts(plain, Role.GUEST) == parts(plain, Role.PATRON) == expected
        assert parts(secure, Role.PATRON) == [*expected, "Secure"]
        for role in (Role.DEALER, Role.SUPERVISOR, Role.AUDITOR, Role.DIRECTOR):
            assert parts(plain, role) == [expected[0], twelve_hours, *expected[2:]]
        assert plain.no_cookie() == "pb_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict"
        assert secure.no_cookie() == plain.no_cookie() + "; Secure"

    run(work, "sqlite", tmp_path)


def test_a_storage_fault_is_no_problem_of_the_asker(tmp_path: Path) -> None:
    async def work(here: Peopled) -> None:
        async with here.beside.writing() as connection:
            await connection.execute(text("DROP TABLE session"))
        from puntobanco.store.database import StorageFault

        with pytest.raises(StorageFault):
            await here.people.signed_in("x" * 43)
        with pytest.raises(StorageFault):
            await here.people.new_guest()

    run(work, "sqlite", tmp_path)
