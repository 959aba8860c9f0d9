"""People who work in the house, signed in, for the tests of the browser app."""

import json
import subprocess
import sys
import time
from typing import Any

from browser.pages import Opened, Visitor
from server.running import Running

PATIENCE_SECONDS = 30.0
PASSWORD = "nine herons on the pier"


def command(running: Running, *arguments: str) -> str:
    """What a command prints that works on the house which runs."""
    ran = subprocess.run(
        [sys.executable, "-m", "puntobanco", *arguments, "--data", str(running.data)],
        capture_output=True,
        text=True,
        env=running.environment,
        check=True,
    )
    return ran.stdout


def put_table(running: Running, table: str, game: str, name: str) -> None:
    """A table that a dealer leads, once the service has it."""
    command(running, "table", "add", table, "--game", game, "--dealing", "dealer", "--name", name)
    end = time.monotonic() + PATIENCE_SECONDS
    while running.ask("GET", f"/api/tables/{table}")[0] != 200:
        assert time.monotonic() < end, "the service has not taken the table up"
        time.sleep(0.05)


def employed(opened: Opened, name: str, role: str, **options: Any) -> Visitor:
    """A browser in which somebody new on the staff is signed in, with a password of their own."""
    running = opened.running
    once = json.loads(command(running, "staff", "add", name, "--role", role, "--json"))["password"]
    _, _, session = running.ask("POST", "/api/sessions", {"name": name, "password": once})
    _, _, changed = running.ask("POST", "/api/password", {"old": once, "new": PASSWORD}, session=session)
    visitor = opened.visitor(**options)
    visitor.context.add_cookies([{"name": "pb_session", "value": changed or session, "url": running.address}])
    return visitor
