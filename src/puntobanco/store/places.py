"""Where a record lies: a data directory with the keys, and the database in it or at a URL."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from puntobanco.errors import Fault, InputError

if TYPE_CHECKING:
    from puntobanco.store.database import Database

DATABASE_FILE = "record.sqlite"
SCHEMES = ("postgresql://", "postgres://")


def default_folder() -> Path:
    """Where records are kept unless somebody says otherwise: PUNTOBANCO_DATA, or among the user's data."""
    if given := os.environ.get("PUNTOBANCO_DATA"):
        return Path(given)
    try:
        data_home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    except RuntimeError:
        raise InputError("bad-usage", "This user has no home: name the data directory with --data.") from None
    return Path(data_home) / "puntobanco"


def made_folder(folder: Path) -> Path:
    """The data directory, made where it is not there; nobody but its owner may look into it."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise _unusable(folder, error) from None
    return folder


def own_file(path: Path) -> None:
    """Make a file that is not there yet, for its owner alone: patrons' stakes are nobody else's business."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))


def is_open_to_others(folder: Path) -> bool:
    """Whether others than its owner may look into a data directory."""
    return os.name == "posix" and bool(folder.stat().st_mode & 0o077)


def database_of(folder: Path, url: str | None, *, new: bool = True) -> "Database":
    """The database of a record: PostgreSQL by URL, or the file in the data directory; made there where it is new."""
    if url is not None:
        if not url.startswith(SCHEMES):
            # The URL may hold a password, so it is not repeated.
            raise InputError("bad-usage", "A database is named by a URL that begins with postgresql://.")
        from puntobanco.store.postgres import PostgresDatabase

        return PostgresDatabase(url)
    from puntobanco.store.sqlite import SqliteDatabase

    path = folder / DATABASE_FILE
    try:
        if new:
            own_file(path)
        elif not path.is_file():
            raise InputError(
                "no-record", f"There is no record in {str(folder)!r}: name its data directory with --data."
            )
    except OSError as error:
        raise _unusable(folder, error) from None
    return SqliteDatabase(path)


def _unusable(folder: Path, error: OSError | ValueError) -> Fault:
    why = error.strerror if isinstance(error, OSError) else "it is no name of a directory"
    return Fault("data-directory", f"The data directory {str(folder)!r} cannot be used: {why}.")
