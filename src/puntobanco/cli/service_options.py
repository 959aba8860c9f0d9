"""The options of commands about the service: its settings as flags, and a way to its database."""

import argparse
import os
import sys
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from puntobanco.cards import shown
from puntobanco.errors import Fault, InputError
from puntobanco.server.configuration import (
    CONFIG_FLAG,
    CONFIG_VARIABLE,
    SETTINGS,
    Configuration,
    Setting,
    read_configuration,
)
from puntobanco.server.setting_kinds import Listed, Money, Switch

if TYPE_CHECKING:
    from puntobanco.store.beside import Beside

RECORD = ("data", "database")


def add_settings(parser: argparse.ArgumentParser, names: Iterable[str] = SETTINGS) -> None:
    """Declare these settings as flags, and --config."""
    parser.add_argument(
        CONFIG_FLAG, metavar="FILE", help=f"a TOML file with settings (default {CONFIG_VARIABLE}, or none)"
    )
    for name in names:
        _add(parser, SETTINGS[name])


def _add(parser: argparse.ArgumentParser, setting: Setting) -> None:
    about = f"{setting.about[:1].lower()}{setting.about[1:].rstrip('.')} (default {setting.default_words})"
    if isinstance(setting.kind, Switch):
        parser.add_argument(
            setting.flag, dest=setting.name, action=argparse.BooleanOptionalAction, default=None, help=about
        )
    elif isinstance(setting.kind, Listed | Money):
        parser.add_argument(
            setting.flag,
            dest=setting.name,
            metavar=setting.kind.example,
            action="append",
            help=f"{about}; may be repeated",
        )
    else:
        parser.add_argument(setting.flag, dest=setting.name, metavar=setting.kind.example, help=about)


def chosen_configuration(arguments: argparse.Namespace) -> Configuration:
    """From flags, variables and the file."""
    given = vars(arguments)
    # What a variable of a script left empty is not what was meant.
    for name in ("config", *SETTINGS):
        if given.get(name) == "":
            raise InputError("bad-usage", f"--{name.replace('_', '-')} takes a value, and not nothing.")
    return read_configuration(given, os.environ)


@asynccontextmanager
async def beside_the_record(configuration: Configuration, *, new: bool) -> AsyncIterator["Beside"]:
    """The tables of the service in the database; a server may run meanwhile. Made where `new`, else refused.

    A problem comes out as the command line knows it: what was asked is wrong, or was refused.
    """
    from puntobanco.server.problems import Problem
    from puntobanco.store.beside import Beside
    from puntobanco.store.database import load_migrations
    from puntobanco.store.places import DATABASE_FILE, database_of, made_folder

    url, is_first = configuration.database, False
    if new:
        load_migrations()
        if url is None:
            is_first = not (made_folder(configuration.data) / DATABASE_FILE).exists()
    database = database_of(configuration.data, url, new=new)
    await database.start(new=new)
    await database.close()
    beside = Beside.in_file(configuration.data / DATABASE_FILE) if url is None else Beside.on_server(url)
    try:
        yield beside
    except Problem as problem:
        kind = InputError if problem.status in (400, 404) else Fault
        raise kind(problem.reason, problem.message) from None
    else:
        if is_first:
            # Where the name of the directory was mistyped, nobody would know otherwise.
            place = shown(str(configuration.data))
            print(f"puntobanco: There was no house in {place}; a new one was made.", file=sys.stderr)
    finally:
        await beside.close()
