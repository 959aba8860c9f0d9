"""What patrons have, by kind of money: in their accounts, on the felts, and owed."""

from typing import TYPE_CHECKING

from puntobanco.extras import optional_package
from puntobanco.ledger.accounts import owed_account, patron_account
from puntobanco.server.problems import Problem
from puntobanco.server.setting_kinds import UNITS
from puntobanco.store.schema import account

with optional_package("sqlalchemy", "The books are looked up"):
    from sqlalchemy import and_, or_, select

if TYPE_CHECKING:
    from puntobanco.server.house import House


class Purses:
    """The money of the patrons of a house."""

    def __init__(self, house: "House") -> None:
        self._house = house

    async def balances(self, person: str) -> dict[str, int]:
        """What a patron has, by unit."""
        return await self._standing({patron_account(unit, person): unit for unit in await self._units()})

    async def owed(self, person: str) -> dict[str, int]:
        """What a patron owes, by unit (ruling 21)."""
        found = await self._standing({owed_account(unit, person): unit for unit in await self._units()})
        return {unit: -balance for unit, balance in found.items() if balance}

    async def _standing(self, accounts: dict[str, str]) -> dict[str, int]:
        found = await self._house.record.database.standing(list(accounts))
        return {unit: found[name] for name, unit in accounts.items() if name in found}

    def held(self, person: str) -> dict[str, int]:
        """What a patron has on the felts of all tables, by unit."""
        held: dict[str, int] = {}
        for live in self._house.tables.values():
            if stake := sum(live.table.slip(person).values()):
                held[live.unit] = held.get(live.unit, 0) + stake
        return held

    def check_unit(self, unit: str) -> None:
        """Raise a problem unless money of this kind is played with here."""
        at_tables = [live.unit for live in self._house.tables.values()]
        if unit not in {*UNITS, *self._house.configuration.guest_money, *at_tables}:
            raise Problem(409, "bad-unit", "The house has no money of this kind.")

    async def _units(self) -> list[str]:
        """Every kind of money that there is in the books: whatever a patron has was issued or changed once."""
        name = account.c.id
        # Not `between`, which PostgreSQL does not read with the collation that SQLAlchemy adds to it.
        kinds = [and_(name > f"{kind}/", name < f"{kind}/~") for kind in ("issue", "cashier")]
        async with self._house.beside.reading() as connection:
            names = list(await connection.scalars(select(name).where(or_(*kinds))))
        return sorted({each.partition("/")[2] for each in names})
