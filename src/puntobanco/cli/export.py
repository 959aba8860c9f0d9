"""`puntobanco export`: a whole record as JSON lines."""

import argparse
import asyncio
import os
import sys
from pathlib import Path
from typing import TextIO

from puntobanco.cli.progress import progress
from puntobanco.cli.record_options import add_record, chosen_record
from puntobanco.errors import Fault

HELP = (
    "Write a whole record as JSON lines with its hashes: a backup, and the way to another database. "
    "The keys of the data directory are not in it: copy them apart."
)
EXAMPLE = "puntobanco export --data data -o record.jsonl"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_record(parser)
    parser.add_argument("-o", "--out", metavar="FILE", help="the file to write (default: standard output)")


def run(arguments: argparse.Namespace) -> int:
    """Write the lines; a file appears under its name only when it is whole."""
    from puntobanco.store.transfer import exported

    _, database = chosen_record(arguments)

    async def write(target: TextIO) -> None:
        await database.start()
        try:
            total = await database.event_count()
            with progress("events", max(1, total)) as step:
                async for line in exported(database):
                    target.write(line + "\n")
                    if line.startswith('["event"'):
                        step()
        finally:
            await database.close()

    if arguments.out is None:
        asyncio.run(write(sys.stdout))
        return 0
    path = Path(arguments.out)
    unfinished = path.with_name(path.name + ".unfinished")
    try:
        # Shoes in play lie sealed in it, but patrons' names and stakes are nobody else's business.
        descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(descriptor, "w", encoding="utf-8", newline="\n") as file:
            asyncio.run(write(file))
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    except OSError as error:
        unfinished.unlink(missing_ok=True)
        raise Fault("unwritable-file", f"The record cannot be written to {path}: {error.strerror}.") from None
    return 0
