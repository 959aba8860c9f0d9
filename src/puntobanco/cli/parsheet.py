"""`puntobanco parsheet GAME -o FILE`: the sheet that a test laboratory files, as HTML or PDF."""

import argparse
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from puntobanco.cards import shown
from puntobanco.cli.columns import Page
from puntobanco.cli.progress import progress
from puntobanco.cli.reading import add_game, chosen_game
from puntobanco.cli.wager_file import add_wager_file, with_chosen_wagers
from puntobanco.errors import Fault, InputError

if TYPE_CHECKING:
    from puntobanco.parsheet.blocks import Sheet

HELP = """Write the par sheet of a game: rules digest, table of play, and every line of every wager with combinations,
exact probability, contribution to return and volatility, for every number of decks and every reading."""
EXAMPLE = "puntobanco parsheet six-star -o six-star.pdf"

SUFFIXES = (".html", ".pdf")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    add_wager_file(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        required=True,
        help="the file to write: HTML or PDF, as its name ends in .html or .pdf; an existing file is replaced",
    )


def run(arguments: argparse.Namespace) -> int:
    game = with_chosen_wagers(chosen_game(arguments), arguments)
    path = output_path(arguments.output, SUFFIXES)
    written = _writer(path.suffix.lower())
    from puntobanco import __version__
    from puntobanco.parsheet.contents import sheet
    from puntobanco.parsheet.figures import configuration, readings

    wanted = [
        (reading, decks) for reading in readings(game) for decks in range(game.decks.minimum, game.decks.maximum + 1)
    ]
    counted = []
    with progress("counting", len(wanted)) as step:
        for reading, decks in wanted:
            counted.append(configuration(reading, decks))
            step()
    write_whole(path, written(sheet(counted, __version__)))
    Page().write(f"{path}: {game.name}, {len(wanted)} configurations, rules digest {game.digest}")
    return 0


def _writer(suffix: str) -> "Callable[[Sheet], bytes]":
    """Loaded before anything is counted, so that nothing is counted in vain where a package is missing."""
    if suffix == ".html":
        from puntobanco.parsheet.web_page import as_html

        return lambda contents: as_html(contents).encode()
    from puntobanco.parsheet.printed import as_pdf

    return as_pdf


def output_path(text: str, suffixes: Sequence[str]) -> Path:
    """The file that the text names; refused at once where nothing could be written in the end."""
    path = Path(text)
    if path.suffix.lower() not in suffixes:
        endings = f"{', '.join(suffixes[:-1])} or {suffixes[-1]}"
        raise InputError("bad-usage", f"{shown(text)} does not say what to write: end the name in {endings}.")
    folder = path.parent
    try:
        if path.is_dir():
            raise Fault("unwritable-file", f"{shown(text)} cannot be written: it is a folder.")
        if not folder.is_dir():
            raise Fault("unwritable-file", f"{shown(text)} cannot be written: there is no folder {shown(folder)}.")
        if not os.access(folder, os.W_OK):
            raise Fault("unwritable-file", f"{shown(text)} cannot be written: its folder may not be written to.")
    except OSError as error:  # A name that no file can have.
        raise Fault("unwritable-file", f"{shown(text)} cannot be written: {error.strerror}.") from None
    return path


def write_whole(path: Path, data: bytes) -> None:
    """Write the file at once: it is the new one or, after any failure, what it was before."""
    # A link is followed, so that what it points to is replaced and not the link.
    target = path.resolve()
    partial = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        try:
            with partial.open("xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            partial.replace(target)
        finally:
            with suppress(OSError):
                partial.unlink(missing_ok=True)
    except OSError as error:
        raise Fault("unwritable-file", f"{shown(path)} cannot be written: {error.strerror}.") from None
