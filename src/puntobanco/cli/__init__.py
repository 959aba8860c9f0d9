"""The command line: `puntobanco COMMAND ...`. Each command is a module that is loaded only when it is asked for.

A command module has HELP (a line), EXAMPLE (a call), `add_arguments(parser)` and `run(arguments) -> exit code`.
Exit codes: 0 success, 1 a refused or failed job, 2 bad usage.
"""

import io
import os
import sys
from collections.abc import Sequence
from contextlib import redirect_stderr
from importlib import import_module
from typing import TYPE_CHECKING, NoReturn, TextIO

from puntobanco.errors import DeclarationError, Fault, InputError, Unlawful, nearest
from puntobanco.games import GAMES
from puntobanco.rules.game import Game

if TYPE_CHECKING:
    import argparse

COMMANDS = {
    "serve": "live tables for patrons and staff, over HTTP and sockets",
    "staff": "dealers, supervisors, auditors and directors of the service",
    "table": "the tables of the service: add, change, close, list",
    "games": "the games, with document, version, pack and wagers",
    "rules": "the rule card of a game: tableau, every payment with its clause, rulings",
    "settle": "settle a given deal, or JSON lines of them, clause by clause",
    "odds": "exact odds of every wager, from any shoe, in mid-round too",
    "removal": "exact effect of removal of each card on each wager",
    "compare": "games, deck counts or readings side by side",
    "counting": "how often and by how much a wager favours a patron who counts cards",
    "parsheet": "the sheet that a test laboratory files, as HTML or PDF",
    "simulate": "deal millions of shoes, beside the exact odds",
    "systems": "play sessions by a staking system, with a bankroll and limits",
    "roads": "the five roads of a shoe's results",
    "play": "a table in the terminal",
    "verify": "deal a shoe again from its transcript: was it dealt as it was committed to?",
    "rng": "output and shoes of the generator, for a test laboratory",
    "audit": "read a whole record again, and name all that cannot be so",
    "export": "a whole record as JSON lines: a backup, and the way to another database",
    "import": "an exported record into an empty database",
}


def main(argv: Sequence[str] | None = None, games: Sequence[Game] = GAMES) -> int:
    """Run a command on these games; every mistake, refusal and fault ends as one sentence on standard error."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if sys.stderr is not None:
        return _run(arguments, games)
    # The caller has closed it. What is told there goes nowhere: print would take standard output instead.
    with open(os.devnull, "w", encoding="utf-8") as nowhere, redirect_stderr(nowhere):
        return _run(arguments, games)


def _run(arguments: list[str], games: Sequence[Game]) -> int:
    try:
        code = _dispatch(arguments, games)
        # Here and not at exit, so that a full disk or a reader that has gone is told like any other fault.
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        _tell("")
        return 130
    except BrokenPipeError:
        # The reader has gone, as `head` does; standard output must not be flushed into it again at exit.
        _discard_output()
        return 1
    except OSError as error:
        _tell(f"puntobanco: The output cannot be written: {error.strerror}.")
        _discard_output()
        return 1
    except Exception as error:
        code_of_kind = exit_code(error)
        if code_of_kind is None:
            raise
        _tell(f"puntobanco: {error}")
        return code_of_kind


def exit_code(error: Exception) -> int | None:
    """What the command ends with, by the kind of error; None for one of no kind, which is a bug to be traced."""
    match error:
        case Unlawful() | Fault():
            return 1
        case InputError() | DeclarationError():
            return 2
    from puntobanco.table import Refused  # Slow to load for the many commands that have no table.

    return 1 if isinstance(error, Refused) else None


def _tell(sentence: str) -> None:
    print(sentence, file=sys.stderr)


def _discard_output() -> None:
    """Send what is still to be flushed nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def standard_input() -> TextIO:
    """Standard input, or a sentence where the caller has closed it."""
    if sys.stdin is None:
        raise Fault("closed-input", "Standard input is closed.")
    return sys.stdin


def _dispatch(arguments: list[str], games: Sequence[Game]) -> int:
    if sys.stdout is None:
        raise Fault("closed-output", "Standard output is closed.")
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A name of which the terminal has not all characters is shown all the same.
        sys.stdout.reconfigure(errors="backslashreplace")
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print(_overview())
        return 0
    name = arguments[0]
    if name == "--version":
        from puntobanco import __version__

        print(f"puntobanco {__version__}")
        return 0
    if name not in COMMANDS:
        raise InputError("unknown-command", f"There is no command {name[:40]!r}{nearest(name, list(COMMANDS))}")
    command = import_module(f"puntobanco.cli.{name}")
    parser = _parser(name, command.HELP, command.EXAMPLE)
    command.add_arguments(parser)
    # A default of the parser, so that the games are where a command finds its other arguments.
    parser.set_defaults(games=games)
    # Options may stand between the deal and the game; plain parsing takes all that is no option from one place.
    code: int = command.run(parser.parse_intermixed_args(arguments[1:]))
    return code


def _parser(name: str, help_line: str, example: str) -> "argparse.ArgumentParser":
    import argparse

    class Parser(argparse.ArgumentParser):
        def error(self, message: str) -> NoReturn:
            raise InputError("bad-usage", f"{message[:1].upper()}{message[1:]} (see puntobanco {name} --help).")

    return Parser(
        prog=f"puntobanco {name}",
        description=help_line,
        epilog=f"example: {example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )


def _overview() -> str:
    width = max(map(len, COMMANDS))
    lines = [f"  {name:<{width}}  {help_line}" for name, help_line in COMMANDS.items()]
    return "\n".join(
        [
            "usage: puntobanco COMMAND [...]",
            "",
            "Casino baccarat by the rule documents: each payment names its clause.",
            "",
            *lines,
            "",
            "puntobanco COMMAND --help explains a command with an example; try: puntobanco play six-star",
        ]
    )
