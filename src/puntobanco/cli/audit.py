"""`puntobanco audit`: reads a whole record again and names all that cannot be so."""

import argparse
import asyncio
import json
from datetime import datetime
from typing import TYPE_CHECKING

from puntobanco.cards import shown
from puntobanco.cli.progress import Step, progress
from puntobanco.cli.record_options import add_record, chosen_record
from puntobanco.errors import InputError

if TYPE_CHECKING:
    from puntobanco.store.audit import Findings, Progress

HELP = (
    "Read a whole record again: the chain of its events and their signatures, every event decided again, every round "
    "settled again, every balance reckoned again, every shoe that has ended dealt again."
)
EXAMPLE = "puntobanco audit --data data --since 2026-11-01"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_record(parser)
    parser.add_argument("--table", metavar="NAME", help="decide only the events of this table again")
    parser.add_argument(
        "--since", metavar="TIME", help="decide only events from this date or time on again, such as 2026-11-16T18:00"
    )
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Print what was looked at and every problem; 1 where there is one."""
    from puntobanco.store.audit import audit
    from puntobanco.store.keys import open_keys
    from puntobanco.store.streams import STREAM_NAME

    since = _milliseconds(arguments.since) if arguments.since else None
    if arguments.table is not None and not STREAM_NAME.fullmatch(f"table/{arguments.table}"):
        raise InputError("bad-usage", f"{shown(arguments.table)} is not the name of a table.")
    folder, database = chosen_record(arguments)
    keys = open_keys(folder)

    async def work() -> "Findings":
        await database.start()
        try:
            if arguments.table is not None and await database.head(f"table/{arguments.table}") is None:
                raise InputError("unknown-table", f"The record has no table {shown(arguments.table)}.")
            total = await database.event_count()
            with progress("events", max(1, 2 * total)) as step:
                return await audit(
                    database,
                    keys,
                    games=arguments.games,
                    table=arguments.table,
                    since=since,
                    progress=_advancing(step, total),
                )
        finally:
            await database.close()

    found = asyncio.run(work())
    print(json.dumps(found.as_json()) if arguments.json else _in_words(found))
    return 1 if found.problems else 0


def _advancing(step: Step, total: int) -> "Progress":
    """Every event is read twice: for the chain, and to be decided again."""
    so_far = 0

    def advance(name: str, done: int, _: int) -> None:
        nonlocal so_far
        reached = done + (total if name == "decided again" else 0)
        step(reached - so_far)
        so_far = reached

    return advance


def _milliseconds(text: str) -> int:
    try:
        return int(datetime.fromisoformat(text).timestamp() * 1000)
    except (ValueError, OverflowError, OSError):
        raise InputError("bad-usage", f"{shown(text)} is not a date or a time, such as 2026-11-16T18:00.") from None


def _in_words(found: "Findings") -> str:
    lines = [str(problem) for problem in found.problems]
    looked_at = (
        f"{found.events:,} events, {found.entries:,} postings, {found.rounds:,} rounds and {found.shoes:,} ended shoes"
    )
    verdict = "nothing wrong" if not lines else f"{len(lines):,} problem{'' if len(lines) == 1 else 's'}"
    took = ", ".join(f"{name} {seconds:.2f} s" for name, seconds in found.seconds.items())
    return "\n".join([*lines, f"{looked_at}: {verdict}.", f"Time: {took}."])
