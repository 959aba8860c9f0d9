"""The floor: the tables as the house wants them. Whoever leads a table makes it so when its rules allow.

    puntobanco table, the API  ->  a row of the floor  ->  the process that leads the table  ->  its stream

So only one process writes to a stream, and a change that must wait for the end of a round or a shoe waits in the
floor: a new row means OpenTable, other settings than the table's mean ChangeSettings, `closed` means that no further
round begins. `next_command` says which of these is due.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from puntobanco.errors import DeclarationError, Fault, InputError
from puntobanco.extras import optional_package
from puntobanco.games import GAMES, find_game
from puntobanco.rules.game import Game
from puntobanco.server.configuration import EVERY_GAME, Configuration
from puntobanco.server.problems import Problem, malformed, nothing_there
from puntobanco.server.texts import plain_text
from puntobanco.store.beside import Beside
from puntobanco.store.schema import floor
from puntobanco.store.streams import STREAM_NAME
from puntobanco.table import Account, ChangeSettings, Dealing, Limits, OpenTable, Table, TableSettings, refusal
from puntobanco.table.codec import Codec

with optional_package("sqlalchemy", "People and their sessions are kept"):
    from sqlalchemy import func, insert, select, update
    from sqlalchemy.exc import IntegrityError

if TYPE_CHECKING:
    from sqlalchemy import Row

LONGEST_NAME = 60
MOST_TABLES = 100_000


class FloorTable(NamedTuple):
    """One table, as the house wants it."""

    id: str
    """The TABLE of addresses and commands; its stream is table/ID."""
    name: str
    """For people."""
    settings: TableSettings
    betting_milliseconds: int | None = None
    """How long betting is open; None follows the setting of the service."""
    card_milliseconds: int | None = None
    place: int = 0
    """Where it stands among the others."""
    closed: bool = False

    @property
    def stream(self) -> str:
        return f"table/{self.id}"

    def pace(self, configuration: Configuration) -> tuple[int, int]:
        """The milliseconds of betting and between two cards, of its own or of the service."""
        usual = round(configuration.betting_seconds * 1000), round(configuration.card_seconds * 1000)
        betting, card = self.betting_milliseconds, self.card_milliseconds
        return usual[0] if betting is None else betting, usual[1] if card is None else card


def next_command(wanted: FloorTable, table: Table | None) -> OpenTable | ChangeSettings | None:
    """What makes the table as it is wanted, if that is due and allowed at this moment."""
    if table is None:
        return OpenTable(wanted.settings)
    if table.settings.digest == wanted.settings.digest:
        return None
    for settings in (wanted.settings, with_limits_of(wanted.settings, table.settings)):
        command = ChangeSettings(settings)
        if refusal(table, command) is None:
            return command
    return None


def with_limits_of(wanted: TableSettings, now: TableSettings) -> TableSettings:
    """The settings of now with the limits that are wanted: those do not wait for what waits for the next shoe.

    Limits of another game or another kind of money are of no use before the table has changed over.
    """
    if (wanted.game.id, wanted.account, wanted.currency) != (now.game.id, now.account, now.currency):
        return now
    limits = {wager: wanted.limits.get(wager, limit) for wager, limit in now.limits.items()}
    return replace(now, limits=limits, round_limits=wanted.round_limits)


def first_tables(configuration: Configuration, games: Sequence[Game] = GAMES) -> list[FloorTable]:
    """The tables of an empty floor: a virtual one for each game that the settings name."""
    named = configuration.first_tables
    chosen = games if EVERY_GAME in named else [find_game(each, games) for each in named]
    return [FloorTable(game.id, game.name, usual_settings(game), place=place) for place, game in enumerate(chosen, 1)]


def usual_settings(game: Game, **settings: Any) -> TableSettings:
    """A virtual table for play money; for chips of no value where the game is not played otherwise."""
    account = Account.CHIPS if game.chips_only else Account.CASH
    return TableSettings(game, **{"account": account, "dealing": Dealing.VIRTUAL, **settings})


def changed_settings(now: TableSettings, said: Mapping[str, Any]) -> TableSettings:
    """The settings with what is said of them, by name; what is not said stays. Raises where they cannot be so.

    Beside what TableSettings has, `reading` and `bonuses` are the game's, `burn` and `cut_depth` those of the shoe. Of
    these, of `limits` and of `round_limits` only those change that are named.
    """
    changes = dict(said)
    game = changes.pop("game", now.game)
    if reading := changes.pop("reading", None):
        game = game.read_as(**reading)
    if bonuses := changes.pop("bonuses", None):
        game = game.with_bonuses(bonuses)
    of_the_shoe = {name: changes.pop(name) for name in ("burn", "cut_depth") if name in changes}
    return replace(
        now,
        game=game,
        limits={**_still_there(now, game), **changes.pop("limits", {})},
        round_limits=replace(now.round_limits, **changes.pop("round_limits", {})),
        burn_and_cut=replace(now.burn_and_cut, **of_the_shoe),
        **changes,
    )


def _still_there(now: TableSettings, game: Game) -> dict[str, Limits]:
    """The limits of the wagers that the game still has: another edition of it may have others."""
    return {wager: limits for wager, limits in now.limits.items() if wager in game.paytables}


class Floor:
    """The rows of the floor, read and written."""

    def __init__(self, beside: Beside, games: Sequence[Game] = GAMES) -> None:
        self._beside, self._games = beside, games
        self._known: dict[str, TableSettings] = {}
        """Settings by their text: to read them again every few seconds would cost 7 ms a table."""
        self.unreadable: dict[str, str] = {}
        """The tables whose settings are of other rules than this program has, by id, and why; as last read."""

    async def tables(self) -> list[FloorTable]:
        """All tables that can be read, closed ones too, in their order."""
        async with self._beside.reading() as connection:
            rows = await connection.execute(select(floor).order_by(floor.c.place, floor.c.table).limit(MOST_TABLES))
        found, self.unreadable = [], {}
        for row in rows:
            try:
                found.append(self._read(row))
            except (Fault, InputError, DeclarationError) as error:
                # One table of other rules is no reason for the others not to be played at.
                self.unreadable[row.table] = str(error)
        return found

    async def table(self, table_id: str) -> FloorTable:
        check_table_id(table_id)
        async with self._beside.reading() as connection:
            row = (await connection.execute(select(floor).where(floor.c.table == table_id))).one_or_none()
        if row is None:
            raise no_such_table()
        return self._read(row)

    async def add(self, *tables: FloorTable) -> None:
        """New tables, all or none; a place of 0 is after all others."""
        async with self._beside.writing() as connection:
            last = await connection.scalar(select(func.max(floor.c.place))) or 0
            for number, each in enumerate(tables, 1):
                check_table_id(each.id)
                values = {"place": each.place or last + number}
                row = {"table": each.id, **self._values({**each._asdict(), **values})}
                del row["id"]
                try:
                    await connection.execute(insert(floor).values(row))
                except IntegrityError:
                    raise Problem(409, "table-there", "There is a table of that id already.") from None

    async def fill(self, configuration: Configuration) -> list[FloorTable]:
        """Make the first tables where the floor has none at all, and give all tables."""
        found = await self.tables()
        if found or self.unreadable:
            return found
        try:
            await self.add(*first_tables(configuration, self._games))
        except Problem as problem:
            # Another process has made them meanwhile.
            if problem.reason != "table-there":
                raise
        return await self.tables()

    async def change(self, table_id: str, **changes: Any) -> None:
        """The fields of a FloorTable that are to be other ones."""
        async with self._beside.writing() as connection:
            changed = update(floor).where(floor.c.table == table_id).values(**self._values(changes))
            if not (await connection.execute(changed)).rowcount:
                raise no_such_table()

    def _values(self, fields: Mapping[str, Any]) -> Mapping[str, object]:
        """The columns of these fields."""
        values = dict(fields)
        if "name" in values:
            check_table_name(values["name"])
        if "settings" in values:
            settings: TableSettings = values["settings"]
            values["settings"] = Codec(settings.game.pack, self._games).write_settings(settings).decode()
        if "closed" in values:
            values["closed"] = int(values["closed"])
        return values

    def _read(self, row: "Row[Any]") -> FloorTable:
        # Settings name no card, so that any pack reads them.
        settings = self._known.get(row.settings)
        if settings is None:
            settings = self._known[row.settings] = Codec(self._games[0].pack, self._games).read_settings(row.settings)
        paces = row.betting_milliseconds, row.card_milliseconds
        return FloorTable(row.table, row.name, settings, *paces, row.place, bool(row.closed))


def no_such_table() -> Problem:
    return nothing_there("There is no table of that id.")


def check_table_id(table_id: str) -> None:
    if not STREAM_NAME.fullmatch(f"table/{table_id}"):
        raise malformed("The id of a table is 1 to 40 small letters, digits and dashes, no dash first.")


def check_table_name(name: str) -> None:
    """A name is shown to everybody: one printable line, and nothing invisible in it."""
    try:
        is_plain = plain_text(name) == name
    except Problem:
        is_plain = False
    if not (is_plain and len(name) <= LONGEST_NAME):
        raise malformed(f"The name of a table is 1 to {LONGEST_NAME} printable characters.")
