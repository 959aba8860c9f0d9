"""`puntobanco import FILE`: an exported record into an empty database."""

import argparse
import asyncio
from pathlib import Path
from typing import TextIO

from puntobanco.cards import shown
from puntobanco.cli import standard_input
from puntobanco.cli.progress import progress
from puntobanco.cli.record_options import add_record, chosen_record
from puntobanco.errors import InputError

HELP = (
    "Read an exported record into an empty database, all of it or nothing. To sign it further, and to deal its shoes "
    "to their ends, the data directory needs the keys of the record: copy them there first."
)
EXAMPLE = "puntobanco import record.jsonl --data data --database postgresql://localhost/puntobanco"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="the record, as export writes it; - is standard input")
    add_record(parser)


def run(arguments: argparse.Namespace) -> int:
    """Import, and say how much it was."""
    if arguments.file == "-":
        count = _import(arguments, standard_input())
    else:
        try:
            with Path(arguments.file).open(encoding="utf-8", newline="\n") as file:
                count = _import(arguments, file)
        except OSError as error:
            raise InputError("unreadable-file", f"{shown(arguments.file)} cannot be read: {error.strerror}.") from None
    print(f"{count:,} rows imported.")
    return 0


def _import(arguments: argparse.Namespace, lines: TextIO) -> int:
    from puntobanco.store.transfer import imported

    _, database = chosen_record(arguments, new=True)

    async def work() -> int:
        await database.start()
        try:
            with progress("rows", 1) as step:
                done = 0

                def advance(count: int) -> None:
                    nonlocal done
                    step(count - done)
                    done = count

                return await imported(database, lines, advance)
        finally:
            await database.close()

    try:
        return asyncio.run(work())
    except UnicodeDecodeError:
        raise InputError("wrong-record", f"{shown(arguments.file)} is not text in UTF-8.") from None
