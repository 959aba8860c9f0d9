"""`puntobanco verify FILE`: deals a committed shoe again from its transcript."""

import argparse
from pathlib import Path

from puntobanco import verify
from puntobanco.cards import shown
from puntobanco.cli import standard_input
from puntobanco.errors import InputError, Unlawful

HELP = (
    "Deal a shoe again from its transcript, and say which round is the first that does not follow. "
    "The file verify.py of the package does the same wherever there is Python, and needs nothing else."
)
EXAMPLE = "puntobanco verify shoe.json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", metavar="FILE", help="the transcript, as play --transcript FILE writes it; - is standard input"
    )


def run(arguments: argparse.Namespace) -> int:
    """Print what was verified; a transcript that does not follow is unlawful."""
    try:
        print(verify.verify(_bytes_of(arguments.file)))
    except verify.DoesNotFollow as found:
        raise Unlawful("not-as-committed", str(found)) from None
    return 0


def _bytes_of(name: str) -> bytes:
    if name == "-":
        # What is not UTF-8 is for the verifier to refuse, so the bytes are taken where there are any.
        typed = standard_input()
        binary = getattr(typed, "buffer", None)
        return bytes(binary.read()) if binary is not None else typed.read().encode(errors="surrogatepass")
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise InputError("unreadable-file", f"{shown(name)} cannot be read: {error.strerror}.") from None
    except ValueError:
        raise InputError("unreadable-file", f"{shown(name)} is no name of a file.") from None
