"""`puntobanco serve`: the web service."""

import argparse

from puntobanco.cli.service_options import add_settings, chosen_configuration

HELP = (
    "Serve live tables over HTTP and sockets, with play money: a table of each game at the first start, guests at "
    "once, staff as puntobanco staff makes them. Ctrl-C or SIGTERM stops it, and the next start goes on where it was."
)
EXAMPLE = "puntobanco serve --data data --port 8000"
DETAILS = """\
Every flag may also be a variable, --betting-seconds PUNTOBANCO_BETTING_SECONDS, or a line of the TOML file,
betting-seconds = 15; a flag decides before a variable, a variable before the file.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = f"{DETAILS}\n{parser.epilog}"
    add_settings(parser)


def run(arguments: argparse.Namespace) -> int:
    """Serve until somebody stops it."""
    configuration = chosen_configuration(arguments)
    from puntobanco.server.run import serve  # Loads all that the service needs.

    return serve(configuration, arguments.games)
