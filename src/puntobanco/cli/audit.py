"""`puntobanco audit`: reads a whole record again and names all that cannot be so."""

import argparse
import json
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from puntobanco.cards import shown
from puntobanco.cli.progress import Step, progress
from puntobanco.cli.record_options import add_record, chosen_record, completed
from puntobanco.errors import InputError
from puntobanco.rules.currencies import money_in_words

if TYPE_CHECKING:
    from puntobanco.store.audit import Findings
    from puntobanco.store.kept_heads import KeptFile

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
    parser.add_argument(
        "--public-key",
        metavar="HEX",
        help="check with the house's public key alone, as somebody outside can: no key of the data directory is read, "
        "and what needs one is named and left out",
    )
    parser.add_argument(
        "--heads",
        metavar="FILE",
        action="append",
        default=[],
        help="signed heads that were kept elsewhere, which must lie in the record: an export, export --heads, or the "
        "evidence of rounds as the service gives it; may be given several times",
    )
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Print what was looked at and every problem; 1 where there is one."""
    from puntobanco.store.audit import audit
    from puntobanco.store.database import load_migrations
    from puntobanco.store.keys import PublicKey, open_keys
    from puntobanco.store.streams import STREAM_NAME

    since = None if arguments.since is None else _milliseconds(arguments.since)
    if arguments.table is not None and not STREAM_NAME.fullmatch(f"table/{arguments.table}"):
        raise InputError("bad-usage", f"{shown(arguments.table)} is not the name of a table.")
    kept = [_kept_in(name) for name in arguments.heads]
    # The tables of a record are compared with those of a new one.
    load_migrations()
    pinned = None if arguments.public_key is None else PublicKey.read(arguments.public_key)
    folder, database = chosen_record(arguments)
    keys = pinned or open_keys(folder, new=False)

    async def work() -> "Findings":
        await database.start_reading()
        try:
            if arguments.table is not None and await database.head(f"table/{arguments.table}") is None:
                raise InputError("unknown-table", f"The record has no table {shown(arguments.table)}.")
            with _Bars() as bars:
                return await audit(
                    database,
                    keys,
                    games=arguments.games,
                    table=arguments.table,
                    since=since,
                    kept=kept,
                    progress=bars.reach,
                )
        finally:
            await database.close()

    found = completed(work())
    print(json.dumps(found.as_json()) if arguments.json else _in_words(found))
    return 1 if found.problems else 0


def _kept_in(name: str) -> "KeptFile":
    from puntobanco.store.kept_heads import read_heads

    try:
        # A byte that is no text spoils its own line and no other.
        with Path(name).open(encoding="utf-8", errors="replace") as file:
            return read_heads(name, file)
    except OSError as error:
        raise InputError("unreadable-file", f"{shown(name)} cannot be read: {error.strerror}.") from None
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        raise InputError("unreadable-file", f"{shown(name)} is no name of a file.") from None


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
    if found.kept_heads:
        counts["kept head"] = found.kept_heads
    looked_at = ", ".join(_counted(count, what) for what, count in counts.items())
    took = ", ".join(f"{name} {seconds:.1f}" for name, seconds in found.seconds.items())
    told = [f"{looked_at}; {found.decided:,} of {_counted(found.events, 'event')} decided again."]
    told += [*_voids_in_words(found), f"Public key: {found.public_key}.", f"Seconds: {took}."]
    told += [f"Not checked: {each}" for each in found.unchecked]
    return "\n".join([*lines, *told, f"{_verdict(found)}."])


def _verdict(found: "Findings") -> str:
    if found.problems:
        return _counted(len(found.problems), "problem")
    return "Nothing is wrong in what was checked" if found.unchecked else "Nothing is wrong"


def _voids_in_words(found: "Findings") -> list[str]:
    """A line for each table with voided rounds: what they would have come to, and of how many that is not known."""
    from puntobanco.store.voids import void_totals

    told: dict[str, list[str]] = {}
    for table, unit, rounds, unknown, house, not_revealed in void_totals(found.voids):
        said = told.setdefault(table, [])
        if rounds > unknown:
            verb, money = "cost" if house < 0 else "won", money_in_words(abs(house), unit)
            stands_in = f" ({not_revealed:,} reckoned without a nonce that was not revealed)" if not_revealed else ""
            said.append(f"{_counted(rounds - unknown, 'round')} would have {verb} the house {money}{stands_in}")
        if unknown:
            said.append(f"what {_counted(unknown, 'round')} would have paid is not known")
    return [f"Voided at {table}: {'; '.join(said)}." for table, said in told.items()]


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"
