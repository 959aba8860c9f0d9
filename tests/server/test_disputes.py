"""The whole life of a dispute, and what nobody can do to one."""

import asyncio
from collections.abc import Awaitable

import pytest
from sqlalchemy import insert

from puntobanco.server.disputes import MOST_OPEN, Disputes, Outcome, State
from puntobanco.server.persons import Person, Role
from puntobanco.server.problems import Problem
from puntobanco.store.beside import Beside
from puntobanco.store.schema import person
from server.floor import floor
from store.databases import Place

DORA = Person("s-dora", "Dora", Role.SUPERVISOR)
EMIL = Person("s-emil", "Emil", Role.SUPERVISOR)
FINN = Person("s-finn", "Finn", Role.DEALER)


async def engage(beside: Beside, *people: Person) -> None:
    async with beside.writing() as connection:
        for each in people:
            values = {column.name: 0 for column in person.c if not column.nullable}
            await connection.execute(
                insert(person).values({**values, "id": each.id, "name": each.name, "role": each.role.value})
            )


async def refused(asked: Awaitable[object]) -> str:
    with pytest.raises(Problem) as caught:
        await asked
    return caught.value.reason


def test_a_dispute_is_opened_assigned_decided_and_told(place: Place) -> None:
    async def run() -> None:
        async with floor(place) as house:
            await engage(house.beside, DORA, EMIL, FINN)
            disputes = Disputes(house.beside)
            opened = await disputes.open("anna", "main", 1, "  I had a stake on tie.\nIt was not paid. ", 1_000)
            assert (opened.said, opened.state) == ("I had a stake on tie.\nIt was not paid.", State.OPEN)
            assert await disputes.find(opened.id) == opened
            assert await refused(disputes.open("anna", "main", 1, "again", 1_001)) == "disputed-already"
            other = await disputes.open("anna", "main", 2, "another round", 1_002)
            await disputes.open("bob", "main", 1, "another patron", 1_003)
            assert [each.id for each in await disputes.of_patron("anna")] == [other.id, opened.id]
            assert await disputes.count(State.OPEN) == 3

            assert await refused(disputes.decide(opened.id, DORA, Outcome.UPHELD, "so", 1_010)) == "not-allowed"
            assert await refused(disputes.assign(opened.id, FINN.id)) == "cannot-decide"
            assert await refused(disputes.assign(opened.id, "nobody")) == "cannot-decide"
            assert (await disputes.assign(opened.id, DORA.id)).assigned_to == DORA.id
            assert (await disputes.assign(opened.id, EMIL.id)).state is State.ASSIGNED
            assert await refused(disputes.decide(opened.id, DORA, Outcome.UPHELD, "so", 1_010)) == "not-allowed"
            assert await refused(disputes.seen(opened.id, "anna", 1_015)) == "not-decided"
            assert await disputes.unseen_decisions("anna") == []

            decided = await disputes.decide(opened.id, EMIL, Outcome.UPHELD, "The tie was missed.", 1_020)
            assert (decided.outcome, decided.decided_by, decided.decided) == (Outcome.UPHELD, EMIL.id, 1_020)
            assert await refused(disputes.decide(opened.id, EMIL, Outcome.REJECTED, "no", 1_021)) == "decided"
            assert await refused(disputes.assign(opened.id, DORA.id)) == "decided"
            assert await disputes.unseen_decisions("anna") == [decided]
            assert await disputes.unseen_decisions("bob") == []

            assert await refused(disputes.seen(opened.id, "bob", 1_030)) == "not-found"
            assert (await disputes.seen(opened.id, "anna", 1_030)).told == 1_030
            assert (await disputes.seen(opened.id, "anna", 1_040)).told == 1_030
            assert await disputes.unseen_decisions("anna") == []
            # What was decided can be disputed again, with something new to say.
            assert (await disputes.open("anna", "main", 1, "There is a film of it.", 1_050)).state is State.OPEN
            assert await disputes.waiting(State.DECIDED) == [await disputes.find(opened.id)]
            assert await refused(disputes.find("0" * 16)) == "not-found"

    asyncio.run(run())


def test_of_many_disputes_of_one_round_at_once_one_is_opened(place: Place) -> None:
    async def run() -> None:
        async with floor(place) as house:
            disputes = Disputes(house.beside)
            asked = [disputes.open("anna", "main", 1, "mine", 1_000 + each) for each in range(8)]
            answers = await asyncio.gather(*asked, return_exceptions=True)
            reasons = [each.reason for each in answers if isinstance(each, Problem)]
            assert reasons == ["disputed-already"] * 7
            assert await disputes.count(State.OPEN) == 1

    asyncio.run(run())


def test_disputes_are_bounded(place: Place) -> None:
    async def run() -> None:
        async with floor(place) as house:
            disputes = Disputes(house.beside)
            for number in range(MOST_OPEN):
                await disputes.open("anna", "main", number + 1, "mine", 1_000)
            assert await refused(disputes.open("anna", "main", 99, "one more", 1_000)) == "too-many-disputes"
            for said, reason in (
                ("", "malformed"),
                ("   ", "malformed"),
                ("x" * 2_001, "malformed"),
                ("y\n" * 1_001, "malformed"),
                ("a\x00b", "malformed"),
                ("a\u202eb", "malformed"),
            ):
                assert await refused(disputes.open("bob", "main", 1, said, 1_000)) == reason, said[:5]

    asyncio.run(run())
