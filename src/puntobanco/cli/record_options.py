"""The options with which a command finds a record."""

import argparse
import asyncio
import os
import signal
import threading
from collections.abc import Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from puntobanco.errors import InputError

if TYPE_CHECKING:
    from puntobanco.store.database import Database

Result = TypeVar("Result")


def add_record(parser: argparse.ArgumentParser) -> None:
    """Declare --data and --database."""
    parser.add_argument(
        "--data",
        metavar="DIR",
        help="the data directory, with the keys of the record and its SQLite database "
        "(default: PUNTOBANCO_DATA, or puntobanco among the user's data)",
    )
    parser.add_argument(
        "--database",
        metavar="URL",
        help="a PostgreSQL database that holds the record instead, postgresql://.. (default: PUNTOBANCO_DATABASE)",
    )


def chosen_record(arguments: argparse.Namespace, *, new: bool = False) -> tuple[Path, "Database"]:
    """The data directory and the database, not yet connected; made where a new record is wanted, else refused."""
    from puntobanco.store.database import load_migrations
    from puntobanco.store.places import database_of, default_folder, made_folder

    # What a variable of a script left empty is not what was meant.
    if "" in (arguments.data, arguments.database):
        raise InputError("bad-usage", "--data and --database take a name, and not nothing.")
    url = arguments.database or os.environ.get("PUNTOBANCO_DATABASE") or None
    folder = Path(arguments.data) if arguments.data else default_folder()
    if new:
        load_migrations()
        if url is None:
            made_folder(folder)
    return folder, database_of(folder, url, new=new)


def completed(work: Coroutine[Any, Any, Result]) -> Result:
    """What the work on a record comes to; Ctrl-C ends it at once.

    asyncio would only end it where it waits for something, and on SQLite that may be when all is read.
    """
    here = threading.current_thread() is threading.main_thread()
    if not here or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return asyncio.run(work)
    # A handler that is not Python's own is left alone by asyncio.
    signal.signal(signal.SIGINT, _interrupt)
    try:
        return asyncio.run(work)
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _interrupt(*_: object) -> NoReturn:
    raise KeyboardInterrupt
