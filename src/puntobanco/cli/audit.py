"""`puntobanco audit`: reads a whole record again and names all that cannot be so."""

import argparse
import json
from contextlib import ExitStack
from datetime import datetime
from typing import TYPE_CHECKING

from puntobanco.cards import shown
from puntobanco.cli.progress import Step, progress
from puntobanco.cli.record_options import add_record, chosen_record, completed
from puntobanco.errors import InputError
from puntobanco.rules.currencies import money_in_words

if TYPE_CHECKING:
    from puntobanco.store.audit import Findings

HELP = (
    "Read a whole record again: the chain of its events and their signatures, every event decided again, every round "
    "settled again, every balance reckoned again, every shoe that has ended dealt again. A house may play on meanwhile."
)
EXAMPLE = "puntobanco audit --data data --since 2026-11-01"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_record(parser)
    parser.add_argument("--table", metavar="NAME", help="decide only the events of this table again")
    parser.add_argument(
        "--since",
        metavar="TIME",
        help="decide only events from this date or time on again, such as 2026-11-16T18:00 or 2026-11-16T18:00+08:00",
    )
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Print what was looked at and every problem; 1 where there is one."""
    from puntobanco.store.audit import audit
    from puntobanco.store.database import load_migrations
    from puntobanco.store.keys import open_keys
    from puntobanco.store.streams import STREAM_NAME

    since = None if arguments.since is None else _milliseconds(arguments.since)
    if arguments.table is not None and not STREAM_NAME.fullmatch(f"table/{arguments.table}"):
        raise InputError("bad-usage", f"{shown(arguments.table)} is not the name of a table.")
    # The tables of a record are compared with those of a new one.
    load_migrations()
    folder, database = chosen_record(arguments)
    keys = open_keys(folder, new=False)

    async def work() -> "Findings":
        await database.start(new=False)
        try:
            if arguments.table is not None and await database.head(f"table/{arguments.table}") is None:
                raise InputError("unknown-table", f"The record has no table {shown(arguments.table)}.")
            with _Bars() as bars:
                return await audit(
                    database, keys, games=arguments.games, table=arguments.table, since=since, progress=bars.reach
                )
        finally:
            await database.close()

    found = completed(work())
    print(json.dumps(found.as_json()) if arguments.json else _in_words(found))
    return 1 if found.problems else 0


class _Bars(ExitStack):
    """A bar for each pass, one after the other: what an event costs differs too much for one bar over all."""

    def __init__(self) -> None:
        super().__init__()
        self._name, self._done = "", 0
        self._step: Step | None = None

    def reach(self, name: str, done: int, total: int) -> None:
        if name != self._name:
            self.close()
            self._name, self._done = name, 0
            self._step = self.enter_context(progress(name, max(1, total)))
        assert self._step is not None
        self._step(done - self._done)
        self._done = done


def _milliseconds(text: str) -> int:
    try:
        return int(datetime.fromisoformat(text).timestamp() * 1000)
    except (ValueError, OverflowError, OSError):
        raise InputError("bad-usage", f"{shown(text)} is not a date or a time, such as 2026-11-16T18:00.") from None


def _in_words(found: "Findings") -> str:
    # What somebody wrote into a database may be anything; a problem stays on its line.
    lines = ["".join([each if each.isprintable() else ascii(each)[1:-1] for each in str(p)]) for p in found.problems]
    counts = {"event": found.events, "posting": found.entries, "round": found.rounds, "ended shoe": found.shoes}
    looked_at = ", ".join(_counted(count, what) for what, count in counts.items())
    took = ", ".join(f"{name} {seconds:.1f}" for name, seconds in found.seconds.items())
    verdict = _counted(len(lines), "problem") if lines else "Nothing is wrong"
    return "\n".join([*lines, f"{looked_at}.", *_voids_in_words(found), f"Seconds: {took}.", f"{verdict}."])


def _voids_in_words(found: "Findings") -> list[str]:
    """A line for each table with voided rounds: what they would have come to, and of how many that is not known."""
    from puntobanco.store.voids import void_totals

    told: dict[str, list[str]] = {}
    for table, unit, rounds, unknown, house in void_totals(found.voids):
        said = told.setdefault(table, [])
        if rounds > unknown:
            verb, money = "cost" if house < 0 else "won", money_in_words(abs(house), unit)
            said.append(f"{_counted(rounds - unknown, 'round')} would have {verb} the house {money}")
        if unknown:
            said.append(f"what {_counted(unknown, 'round')} would have paid is not known")
    return [f"Voided at {table}: {'; '.join(said)}." for table, said in told.items()]


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"
