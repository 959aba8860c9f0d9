"""Runs the service until somebody stops it: the socket, the data directory, the house, the server, and all back again.

What cannot work is told in one sentence before anything is made; the first line on standard output comes when requests
are answered. SIGTERM and Ctrl-C stop it: no further round begins, requests that are being answered are, what is asked
of the record is made durable, and the exit code is 0. A second signal waits for nobody.
"""

import asyncio
import gc
import os
import shlex
import signal
import socket
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from typing import Any, TypeAlias

from puntobanco import __version__
from puntobanco.errors import Fault
from puntobanco.extras import check_package, optional_package
from puntobanco.games import GAMES
from puntobanco.rules.game import Game
from puntobanco.server.configuration import Configuration
from puntobanco.server.logs import log, set_up
from puntobanco.store.places import is_open_to_others, made_folder

with optional_package("uvicorn", "Requests are answered"):
    import uvicorn

NEEDED = {
    "msgspec": "The record of a table is written",
    "sqlalchemy": "The tables of the record are declared",
    "alembic": "Databases are brought up to date",
    "cryptography": "The record is signed",
    "fastapi": "Requests are answered",
    "picows": "Sockets are served",
    "argon2-cffi": "Passwords are kept",
    "prometheus-client": "Metrics are counted",
    "aiosqlite": "People and their sessions are kept",
}
"""What the service needs sooner or later, and looks for before it makes anything."""

LOCK_FILE = "serving.lock"
BACKLOG = 4096
KEEP_ALIVE_SECONDS = 75
"""Longer than the 60 seconds for which the usual proxies keep a connection: who closes first must not be the server."""
COLLECT_AFTER = (50_000, 20, 100)
"""A full collection is a pause of 100 ms at 10,000 sessions: it comes seldom."""


async def _nothing() -> None:
    pass


@dataclass(frozen=True)
class Opened:
    """The house with its doors open, as the server needs it."""

    application: Any
    """For HTTP (ASGI)."""
    close: Callable[[], Awaitable[None]]
    begin_stop: Callable[[], None] = lambda: None
    """Called at the first signal: from now on no round begins, and the process is not ready."""
    socket_protocol: Any = "none"
    """For sockets: what uvicorn takes as `ws`."""
    tables: int = 0
    http_protocol: Any = "auto"
    """For HTTP on a connection: what uvicorn takes as `http`."""
    load: Callable[[], Awaitable[None]] = _nothing
    """Loads what the first answers do not need."""


Open: TypeAlias = Callable[[Configuration, Sequence[Game]], Awaitable[Opened]]


async def open_house(configuration: Configuration, games: Sequence[Game]) -> Opened:
    """The house itself; loaded only here, because it loads everything."""
    from puntobanco.server.clock import SystemClock
    from puntobanco.server.entrance import Entrance
    from puntobanco.server.house import House
    from puntobanco.server.http_protocol import http_protocol
    from puntobanco.server.socket import socket_protocol

    house = await House.open(configuration, SystemClock(), games)
    protocols = socket_protocol(house), len(house.tables), http_protocol(house)
    entrance = Entrance(house)
    return Opened(entrance, house.close, house.begin_stop, *protocols, entrance.load)


def serve(configuration: Configuration, games: Sequence[Game] = GAMES, open_doors: Open = open_house) -> int:
    """Serve until a signal comes; the exit code."""
    began = monotonic()
    check_packages()
    set_up(configuration)
    allow_many_files()
    with ExitStack() as stack:
        # Nothing that is made at the start is thrown away again, so nobody looks for it until all is there.
        gc.disable()
        stack.callback(gc.enable)
        listening = stack.enter_context(listening_socket(configuration.host, configuration.port))
        # From here on the port is known, also where any free one was asked for.
        configuration = replace(configuration, port=listening.getsockname()[1])
        if is_open_to_others(made_folder(configuration.data)):
            said = "Others than its owner may look into the data directory: chmod 700 it."
            log("setting-doubtful", setting="data", message=said)
        if configuration.database is None:
            stack.enter_context(alone_in(configuration.data))
        with asyncio.Runner(loop_factory=_loop_factory()) as runner:
            runner.run(_serve(configuration, games, open_doors, listening, began))
    return 0


async def _serve(
    configuration: Configuration, games: Sequence[Game], open_doors: Open, listening: socket.socket, began: float
) -> None:
    stopping = _Stopping()
    stopping.listen()
    opened = await open_doors(configuration, games)
    loading = asyncio.create_task(_load_the_rest(opened))
    try:
        stopping.opened = opened

        def announce() -> None:
            print("\n".join(introduction(configuration)), flush=True)
            log(
                "serving",
                address=f"{configuration.host}:{configuration.port}",
                version=__version__,
                tables=opened.tables,
                seconds=round(monotonic() - began, 3),
            )

        server = _Server(uvicorn_config(configuration, opened), announce)
        stopping.server = server
        server.should_exit = stopping.asked
        await server.serve(sockets=[listening])
    finally:
        ended = monotonic()
        loading.cancel()
        await opened.close()
        log("stopped", seconds=round(monotonic() - ended, 3))


async def _load_the_rest(opened: Opened) -> None:
    try:
        await opened.load()
    finally:
        # What was made until now stays for ever, and need not be looked through again.
        gc.freeze()
        gc.set_threshold(*COLLECT_AFTER)
        gc.enable()


def uvicorn_config(configuration: Configuration, opened: Opened) -> "uvicorn.Config":
    """How HTTP is spoken: the log and the addresses of proxies are our own affair."""
    return uvicorn.Config(
        opened.application,
        http=opened.http_protocol,
        ws=opened.socket_protocol,
        lifespan="off",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        backlog=BACKLOG,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=configuration.stop_seconds,
    )


class _Server(uvicorn.Server):
    """Says when it answers, and leaves signals to us."""

    def __init__(self, config: "uvicorn.Config", announce: Callable[[], None]) -> None:
        super().__init__(config)
        self._announce = announce

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if not self.should_exit:
            self._announce()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        # It would raise them again at the end, and the exit code would not be 0.
        yield


class _Stopping:
    """What signals do: the first stops, the second does so at once."""

    def __init__(self) -> None:
        self.asked = False
        self.opened: Opened | None = None
        self.server: _Server | None = None

    def listen(self) -> None:
        loop = asyncio.get_running_loop()
        for each in (signal.SIGTERM, signal.SIGINT):
            # In another thread than the main one, as in a test, there are no signals to be heard.
            with suppress(ValueError, RuntimeError, NotImplementedError):
                loop.add_signal_handler(each, self.stop, each.name)

    def stop(self, name: str) -> None:
        if self.server is not None:
            self.server.force_exit = self.asked
            self.server.should_exit = True
        if not self.asked:
            self.asked = True
            log("stopping", signal=name)
            if self.opened is not None:
                self.opened.begin_stop()


def introduction(configuration: Configuration) -> list[str]:
    """What is said at the start; the first line is for programs too."""
    address, folder = configuration.address, shlex.quote(str(configuration.data))
    record, place = "The record and its keys are", f"--data {folder}"
    if configuration.database is not None:
        record, place = "The record is in PostgreSQL, its keys", f"{place} (and the database)"
    return [
        f"puntobanco: serving on {address}",
        f"{record} in {configuration.data.absolute()}.",
        f"The tables are listed at {address}/api/tables, and {address}/api/openapi.json describes the API.",
        f"To make a dealer: puntobanco staff add NAME --role dealer {place}",
        "Ctrl-C stops it; the next start goes on where it was.",
    ]


def check_packages() -> None:
    """Look for what the service needs, so that a package that is missing is told before any work.

    Each is loaded where it is used: FastAPI beside the first answers, alembic where a database is not up to date.
    """
    for package, work in NEEDED.items():
        check_package(package, work)


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """The quicker loop where it is installed."""
    try:
        import uvloop
    except ImportError:
        return None
    factory: Callable[[], asyncio.AbstractEventLoop] = uvloop.new_event_loop
    return factory


@contextmanager
def listening_socket(host: str, port: int) -> Iterator[socket.socket]:
    """A socket that is bound and does not listen yet; a fault in one sentence where that cannot be."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError):
        raise Fault("address", f"The address {host} cannot be found: choose another with --host.") from None
    family, kind, protocol, _, address = found[0]
    with socket.socket(family, kind, protocol) as made:
        # A server that was stopped a moment ago leaves connections behind that nobody waits for.
        if os.name == "posix":
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            made.bind(address)
            # Two sockets may be bound to one port as long as neither listens.
            made.listen(BACKLOG)
        except OSError as error:
            said = (error.strerror or str(error)).lower()
            message = f"Port {port} of {host} cannot be used ({said}): choose another with --port."
            raise Fault("address", message) from None
        made.setblocking(False)
        yield made


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """The data directory for this process alone, until it ends in whatever way."""
    import fcntl

    try:
        descriptor = os.open(folder / LOCK_FILE, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        said = f"The data directory {str(folder)!r} cannot be used: {error.strerror}."
        raise Fault("data-directory", said) from None
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            said = f"Another server runs on the data directory {str(folder)!r}: several need one PostgreSQL database."
            raise Fault("data-directory", said) from None
        yield
    finally:
        os.close(descriptor)


def allow_many_files() -> None:
    """Every socket is an open file: as many as the system allows this user."""
    if sys.platform == "win32":
        return
    import resource

    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if now != most:
        # Some systems name no most and allow no such number.
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
