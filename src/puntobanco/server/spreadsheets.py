"""Rows as CSV or JSON, a portion at a time: an export of any length needs the memory of one portion."""

import csv
import io
from collections.abc import AsyncIterator, Mapping, Sequence

from puntobanco.extras import optional_package

with optional_package("msgspec", "Reports are exported"):
    import msgspec

Row = Mapping[str, object]

# A spreadsheet takes a text that begins like this for a formula, which may send the sheet somewhere.
FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def harmless(value: object) -> object:
    """A cell that no spreadsheet reckons: a text that looks like a formula is marked as text.

    >>> harmless("=HYPERLINK(1)"), harmless(-5), harmless("-5")
    ("'=HYPERLINK(1)", -5, "'-5")
    """
    if isinstance(value, str) and (value.startswith(FORMULAS) or value.lstrip().startswith(FORMULAS)):
        return f"'{value}"
    return value


def _cell(value: object) -> object:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict | list | tuple):
        value = msgspec.json.encode(value).decode()
    return harmless(value)


async def as_csv(columns: Sequence[str], portions: AsyncIterator[Sequence[Row]]) -> AsyncIterator[bytes]:
    """A line of headings, then a line for each row; None is an empty cell."""
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\r\n")
    writer.writeheader()
    yield text.getvalue().encode()
    async for rows in portions:
        text.seek(0)
        text.truncate()
        writer.writerows([{name: _cell(row[name]) for name in columns} for row in rows])
        yield text.getvalue().encode()


async def as_json(columns: Sequence[str], portions: AsyncIterator[Sequence[Row]]) -> AsyncIterator[bytes]:
    """One array, a row on a line; what ends without its bracket was cut off."""
    is_first = True
    yield b"["
    async for rows in portions:
        for row in rows:
            yield (b"\n" if is_first else b",\n") + msgspec.json.encode({name: row[name] for name in columns})
            is_first = False
    yield b"\n]\n"
