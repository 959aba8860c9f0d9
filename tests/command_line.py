"""Calls a command as the terminal does, and tells what came of it."""

import io
import os
from collections.abc import Mapping, Sequence
from contextlib import nullcontext, redirect_stderr, redirect_stdout
from typing import NamedTuple
from unittest.mock import patch

from puntobanco import GAMES, Game
from puntobanco.cli import main


class Called(NamedTuple):
    """The exit code, and what was printed and said."""

    code: int
    out: str
    err: str


PLAIN: Mapping[str, str] = {"COLUMNS": "80", "NO_COLOR": "1"}
COLOURED: Mapping[str, str] = {"COLUMNS": "80", "NO_COLOR": "", "FORCE_COLOR": "1"}


def call(
    *arguments: str,
    encoding: str = "utf-8",
    environment: Mapping[str, str] = PLAIN,
    games: Sequence[Game] = GAMES,
    stdin: str = "",
) -> Called:
    """Run the command with its output into a pipe of that encoding, whatever the terminal of the tests is like."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding=encoding, newline="\n") for _ in range(2))
    typed = patch("sys.stdin", io.StringIO(stdin)) if stdin else nullcontext()
    with redirect_stdout(out), redirect_stderr(err), patch.dict(os.environ, environment), typed:
        try:
            code = main(arguments, games)
        except SystemExit as exit:  # argparse ends --help like this
            code = int(exit.code or 0)
    printed = []
    for stream in (out, err):
        stream.flush()
        stream.seek(0)
        printed.append(stream.read())
    return Called(code, *printed)


def one_sentence(called: Called) -> str:
    """What was said, if it is one sentence on standard error and nothing was printed."""
    assert called.out == ""
    assert called.err.startswith("puntobanco: ")
    assert called.err.count("\n") == 1
    assert len(called.err) < 400
    return called.err.removeprefix("puntobanco: ").strip()
