"""`puntobanco import FILE`: an exported record into an empty database."""

import argparse
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from puntobanco.cards import shown
from puntobanco.cli import standard_input
from puntobanco.cli.progress import Step, progress
from puntobanco.cli.record_options import add_record, chosen_record, completed
from puntobanco.errors import InputError

HELP = (
    "Read an exported record into an empty database, all of it or nothing. To sign it further, and to deal its shoes "
    "to their ends, the data directory needs the keys of the record: copy them there too."
)
EXAMPLE = "puntobanco import record.jsonl --database postgresql://localhost/puntobanco"
LONGEST_LINE = 2**28
"""No row comes near it; what is no record need not fill the memory."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="the record, as export writes it; - is standard input")
    add_record(parser)


def run(arguments: argparse.Namespace) -> int:
    """Import, and say how much it was."""
    if arguments.file == "-":
        count = _import(arguments, standard_input().buffer)
    else:
        try:
            with Path(arguments.file).open("rb") as file:
                count = _import(arguments, file)
        except OSError as error:
            raise InputError("unreadable-file", f"{shown(arguments.file)} cannot be read: {error.strerror}.") from None
        except ValueError as error:
            if isinstance(error, InputError):
                raise
            raise InputError("unreadable-file", f"{shown(arguments.file)} is no name of a file.") from None
    print(f"{count:,} rows imported.")
    return 0


def _import(arguments: argparse.Namespace, file: BinaryIO) -> int:
    from puntobanco.store.transfer import imported

    _, database = chosen_record(arguments, new=True)

    async def work() -> int:
        await database.start()
        try:
            size = _size(file)
            with progress("bytes", size or 1, wanted=None if size else False) as step:
                return await imported(database, _lines(file, step))
        finally:
            await database.close()

    return completed(work())


def _size(file: BinaryIO) -> int:
    """Of a file; 0 where nobody knows, as of a pipe."""
    try:
        found = os.fstat(file.fileno())
    except OSError:
        return 0
    return found.st_size if stat.S_ISREG(found.st_mode) else 0


def _lines(file: BinaryIO, step: Step) -> Iterator[str]:
    number = 0
    while line := file.readline(LONGEST_LINE):
        number += 1
        step(len(line))
        try:
            yield line.decode()
        except UnicodeDecodeError:
            raise InputError("wrong-record", f"Line {number} is not text in UTF-8.") from None
