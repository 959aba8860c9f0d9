"""A small house to test parts of the service in, without a network: a record, what is derived from it, and a clock."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from puntobanco.server.follower import Follower
from puntobanco.store.beside import Beside
from puntobanco.store.derived import Derived
from puntobanco.store.record import Record
from puntobanco.table import Table, TableSettings
from server.following import beside
from store.databases import Place
from store.houses import SETTINGS
from store.houses import House as Played
from store.houses import house as played

START = 1_700_000_000_000


@dataclass
class Now:
    """A clock that goes on only when it is told to."""

    time: int = START

    def now(self) -> int:
        return self.time

    def go(self, milliseconds: int) -> None:
        self.time += milliseconds


@dataclass
class Standing:
    at: Played

    @property
    def table(self) -> Table:
        return self.at.table


@dataclass
class Floor:
    at: Played
    beside: Beside
    follower: Follower
    clock: Now = field(default_factory=Now)

    @property
    def record(self) -> Record:
        return self.at.record

    @property
    def tables(self) -> Mapping[str, Standing]:
        return {"main": Standing(self.at)}


@asynccontextmanager
async def floor(place: Place, settings: TableSettings = SETTINGS) -> AsyncIterator[Floor]:
    async with played(place.database(), settings=settings) as at:
        way, derived = beside(place), await Derived.open(place.folder, place.url or None)
        found = Floor(at, way, Follower(way, derived, at.record.games))
        try:
            yield found
        finally:
            await found.follower.close()
            await derived.close()
            await way.close()
