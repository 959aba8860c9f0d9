"""People in a real database, with a clock that tests set, and several processes where they are needed."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from puntobanco.server.people import People, Person, Terms
from puntobanco.server.problems import Problem
from puntobanco.store.beside import Beside
from store.databases import KINDS, Place

on_both_databases = pytest.mark.parametrize("kind", KINDS)

QUICK = Terms(hash_kibibytes=64, hash_passes=1)
"""The terms of the house, with hashes that take no time."""
GOOD = "a heron on the pier"


class SetClock:
    """Stands still until it is moved."""

    def __init__(self) -> None:
        self.time = 1_700_000_000_000

    def now(self) -> int:
        return self.time

    def pass_by(self, milliseconds: int) -> None:
        self.time += milliseconds


@dataclass
class Peopled:
    place: Place
    terms: Terms
    closing: AsyncExitStack
    clock: SetClock = field(default_factory=SetClock)
    people: People = field(init=False)
    beside: Beside = field(init=False)

    async def another(self, terms: Terms | None = None) -> People:
        """The people as another process of the service has them."""
        people, _ = await self._opened(terms or self.terms)
        return people

    async def patron(self, name: str = "Anna", password: str = GOOD) -> Person:
        guest, _ = await self.people.new_guest()
        patron, _ = await self.people.register(guest, name, password)
        return patron

    async def _opened(self, terms: Terms) -> tuple[People, Beside]:
        place = self.place
        beside = Beside.on_server(place.url) if place.url else Beside.in_file(place.folder / "record.sqlite")
        self.closing.push_async_callback(beside.close)
        people = People(beside, self.clock, terms)
        self.closing.push_async_callback(people.close)
        return people, beside


@asynccontextmanager
async def peopled(kind: str, folder: Path, terms: Terms = QUICK) -> AsyncIterator[Peopled]:
    # A server is started outside of this loop.
    place = await asyncio.to_thread(Place, kind, folder)
    database = place.database()
    await database.start()
    await database.close()
    async with AsyncExitStack() as closing:
        here = Peopled(place, terms, closing)
        here.people, here.beside = await here._opened(terms)
        yield here


def run(work: Callable[[Peopled], Awaitable[None]], kind: str, folder: Path, terms: Terms = QUICK) -> None:
    async def all_of_it() -> None:
        async with peopled(kind, folder, terms) as here:
            await work(here)

    asyncio.run(all_of_it())


async def problem(work: Awaitable[object]) -> Problem:
    """The problem that it ends in."""
    try:
        await work
    except Problem as found:
        return found
    raise AssertionError("It was done.")
