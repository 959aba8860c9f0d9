"""Where a record lies: a data directory with the keys, and the database in it or at a URL."""

import os
from pathlib import Path

from puntobanco.errors import Fault, InputError
from puntobanco.store.database import Database
from puntobanco.store.keys import SIGNING_KEY

DATABASE_FILE = "record.sqlite"
SCHEMES = ("postgresql://", "postgres://")


def default_folder() -> Path:
    """Where records are kept unless somebody says otherwise: PUNTOBANCO_DATA, or among the user's data."""
    given = os.environ.get("PUNTOBANCO_DATA")
    if given:
        return Path(given)
    data_home = os.environ.get("XDG_DATA_HOME")
    return (Path(data_home) if data_home else Path.home() / ".local" / "share") / "puntobanco"


def made_folder(folder: Path) -> Path:
    """The data directory, made where it is not there; nobody but its owner may look into it."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise Fault("data-directory", f"The data directory {folder} cannot be made: {error.strerror}.") from None
    return folder


def record_in(folder: Path, url: str | None) -> Path:
    """The data directory of a record that is there; refused where there is none."""
    if not (folder / SIGNING_KEY).is_file() or (url is None and not (folder / DATABASE_FILE).is_file()):
        raise InputError("no-record", f"There is no record in {folder}: name its data directory with --data.")
    return folder


def database_of(folder: Path, url: str | None) -> Database:
    """The database of a record: PostgreSQL by URL, or the file in the data directory."""
    if url is None:
        from puntobanco.store.sqlite import SqliteDatabase

        return SqliteDatabase(folder / DATABASE_FILE)
    if not url.startswith(SCHEMES):
        # The URL may hold a password, so it is not repeated.
        raise InputError("bad-usage", "A database is named by a URL that begins with postgresql://.")
    from puntobanco.store.postgres import PostgresDatabase

    return PostgresDatabase(url)
