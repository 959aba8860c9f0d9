"""`puntobanco export`: a whole record as JSON lines."""

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from puntobanco.cli.progress import progress
from puntobanco.cli.record_options import add_record, chosen_record, completed
from puntobanco.errors import Fault, InputError

HELP = (
    "Write a whole record as JSON lines with its hashes: a backup, and the way to another database. A house may "
    "play on meanwhile. The keys of the data directory are not in it: copy them apart."
)
EXAMPLE = "puntobanco export --data data -o record.jsonl"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_record(parser)
    parser.add_argument("-o", "--out", metavar="FILE", help="the file to write (default: standard output)")
    parser.add_argument(
        "--heads",
        action="store_true",
        help="only the signed heads of the streams, a line for each: what others keep for audit --heads",
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the lines, in UTF-8 wherever they go."""
    _, database = chosen_record(arguments)

    async def write(target: BinaryIO) -> None:
        from puntobanco.store.transfer import exported, exported_heads

        await database.start_reading()
        try:
            total = 0
            if not arguments.heads:  # They are taken often, and of a record that may be long.
                total = sum([await database.count(table) for table in ("event", "entry", "command")])
            # On the same terminal lines would be torn apart by a bar.
            wanted = False if arguments.out is None and sys.stdout.isatty() else None
            with progress("rows", max(1, total), wanted=False if arguments.heads else wanted) as step:
                async for line in (exported_heads if arguments.heads else exported)(database):
                    target.write(line.encode() + b"\n")
                    step()
        finally:
            await database.close()

    if arguments.out is None:
        completed(write(sys.stdout.buffer))
    else:
        with _whole_file(arguments.out) as file:
            completed(write(file))
    return 0


@contextmanager
def _whole_file(name: str) -> Iterator[BinaryIO]:
    """A file that appears under its name only when it is whole and on the disk, for nobody but its owner to read."""
    try:
        path = Path(name).resolve()
        if path.exists() and not path.is_file():
            raise InputError("bad-usage", f"{name!r} is there and is not a file.")
        unfinished = path.with_name(f"{path.name}.unfinished")
        try:
            # One that was left behind may be for everybody to read.
            unfinished.unlink(missing_ok=True)
            # Patrons' names and stakes are nobody else's business.
            with open(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
                if not os.path.samestat(os.fstat(file.fileno()), unfinished.stat()):
                    # What lies there is another export's, and not whole.
                    raise Fault("unwritable-file", f"Another export is written to {name!r} at the same time.")
            unfinished.replace(path)
        except BaseException:
            unfinished.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise Fault("unwritable-file", f"The record cannot be written to {name!r}: {error.strerror}.") from None
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        raise InputError("bad-usage", f"{name!r} is no name of a file.") from None
