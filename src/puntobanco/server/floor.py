"""The tables of the house: which there are, by what names, at what pace. What is played at them is in their streams."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from puntobanco.extras import optional_package
from puntobanco.rules.game import Game
from puntobanco.store.beside import Beside
from puntobanco.store.schema import floor
from puntobanco.table import Account, Dealing, TableSettings

with optional_package("sqlalchemy", "Tables of the house are kept"):
    from sqlalchemy import insert, select, update


class Place(NamedTuple):
    """A table on the floor."""

    table: str
    name: str
    place: int
    betting_milliseconds: int
    card_milliseconds: int
    closed: int = 0


class Floor:
    """The places of a house, kept beside the record."""

    def __init__(self, beside: Beside) -> None:
        self._beside = beside

    async def places(self) -> list[Place]:
        async with self._beside.reading() as connection:
            return [Place(*row) for row in await connection.execute(select(floor).order_by(floor.c.place))]

    async def add(self, place: Place) -> bool:
        """Put a table on the floor; whether it was not there."""
        async with self._beside.writing() as connection:
            there = (await connection.execute(select(floor.c.table).where(floor.c.table == place.table))).one_or_none()
            if there is None:
                await connection.execute(insert(floor).values(**place._asdict()))
        return there is None

    async def change(self, place: Place) -> None:
        async with self._beside.writing() as connection:
            await connection.execute(update(floor).where(floor.c.table == place.table).values(**place._asdict()))


def first_settings(game: Game) -> TableSettings:
    """A virtual table of the game as the house would set it up: for play money, or for chips where it is for those."""
    account = Account.CHIPS if game.chips_only else Account.CASH
    return TableSettings(game, account=account, dealing=Dealing.VIRTUAL)


def first_games(games: Sequence[Game], wanted: Iterable[str]) -> list[Game]:
    """The games of which a table is made at the first start."""
    chosen = set(wanted)
    return [game for game in games if "all" in chosen or game.id in chosen]
