"""The log: one line an event on standard error, as text or JSON, with nothing in it that somebody must not read.

An event is listed in `EVENTS` with the keys that it may have, and nothing else of it is written, whatever the caller
passed; a value is a short line or a number. So no token, password, key, nonce, address of a database or card can come
out by mistake, neither of ours nor of a library: of theirs only the first words of a message are written, before
anything was put into it, and of an exception its class and where it was raised.

    set_up(configuration)
    log("table-stopped", table="main", reason="storage")

Refusals are expected: they are seen at the level debug, and never are errors.
"""

import logging
import re
import secrets
import sys
from collections.abc import Mapping, MutableMapping
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Any, TextIO

from puntobanco.extras import optional_package
from puntobanco.server.configuration import Configuration
from puntobanco.server.problems import Problem

with optional_package("structlog", "Logs are written"):
    import structlog

LONGEST_VALUE = 200
MOST_PLACES = 8
"""How many places of a traceback are written, the last ones."""
SAID_AGAIN_SECONDS, MOST_SAID = 10.0, 10_000
"""So seldom an address is named again for the same, and so many addresses are kept in mind for it."""
ANYWHERE = frozenset({"event", "level", "timestamp", "request", "process"})
FAULT = frozenset({"fault", "where"})

EVENTS: Mapping[str, tuple[str, frozenset[str]]] = {
    name: (level, frozenset(keys.split()))
    for name, level, keys in (
        ("serving", "info", "address version tables seconds"),
        ("stopping", "info", "signal connections"),
        ("stopped", "info", "seconds"),
        ("setting-doubtful", "warning", "setting message"),
        ("table-made", "info", "table game by"),
        ("table-opened", "debug", "table version seconds"),
        ("table-changed", "info", "table by"),
        ("table-closed", "info", "table by"),
        ("table-rests", "debug", "table"),
        ("table-wakes", "debug", "table"),
        ("table-stopped", "error", "table reason message"),
        ("table-taken-over", "warning", "table owner lease"),
        ("table-led", "info", "table lease"),
        ("table-lost", "info", "table lease"),
        ("round-voided", "warning", "table round clause by and_by"),
        ("round-corrected", "warning", "table round clause by and_by"),
        ("request-withdrawn", "warning", "what stream round by"),
        ("account-adjusted", "warning", "table round patron unit amount by and_by"),
        ("money-issued", "info", "patron unit amount by and_by"),
        ("money-returned", "info", "patron unit amount by and_by"),
        ("money-changed", "info", "patron unit amount takes by and_by"),
        ("rate-posted", "warning", "unit takes numerator denominator by and_by"),
        ("storage-fault", "error", "reason message streams"),
        ("signed-in", "info", "person role address"),
        ("sign-in-failed", "info", "reason person address"),
        ("account-locked", "warning", "person address"),
        ("signed-out", "debug", "person"),
        ("staff-changed", "warning", "what person role by"),
        ("refused", "debug", "reason status path person role table address"),
        ("not-allowed", "warning", "reason status path person role table address"),
        ("too-often", "info", "reason status path person role table address"),
        ("wrong-origin", "warning", "reason status path person role table address"),
        ("failed", "error", "reason status message path person role table address"),
        ("socket-opened", "debug", "table person address"),
        ("socket-closed", "debug", "table person seconds"),
        ("socket-dropped", "info", "table person reason"),
        ("slow-commit", "warning", "seconds commands"),
        ("request", "debug", "method path status seconds person role table address"),
        ("library", "warning", "logger message"),
    )
}
"""By name, the level of an event and the keys that it may have beside those of every event."""

SECRETS = re.compile(
    r"\b[a-z][a-z0-9+]*://\S+"  # A URL may hold a password, and one of a page the id of a session.
    r"|\b[0-9A-Fa-f]{32,}\b"  # Keys, nonces, digests.
    # Tokens of 128 bits and more; a long name of small letters is none.
    r"|(?<![A-Za-z0-9_-])(?=[a-z0-9_-]*[A-Z])(?=[A-Z0-9_-]*[a-z])[A-Za-z0-9_-]{22,}"
    r"|(?i:password|secret|token|cookie)[\"']?\s*[=:].*"
)

Event = MutableMapping[str, Any]

_level = logging.INFO
"""The least that is written."""


def set_up(configuration: Configuration, stream: TextIO | None = None) -> None:
    """From now on events are written, to standard error unless another stream is given; those of libraries too."""
    global _level
    _level = level = getattr(logging, configuration.log_level.upper())
    to_json = configuration.log_format == "json"
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            only_what_is_listed,
            structlog.processors.JSONRenderer() if to_json else as_text,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(stream or sys.stderr),
        cache_logger_on_first_use=False,
    )
    libraries = logging.getLogger()
    for handler in [each for each in libraries.handlers if isinstance(each, LibraryHandler)]:
        libraries.removeHandler(handler)
    libraries.addHandler(LibraryHandler(logging.WARNING))


def log(event: str, /, **values: object) -> None:
    """Write an event at the level that it is listed with; of a `fault`, an exception, class and place."""
    level, _ = EVENTS.get(event, ("warning", frozenset()))
    fault = values.pop("fault", None)
    if isinstance(fault, BaseException):
        values |= described(fault)
    getattr(structlog.get_logger(), level)(event, **values)


def is_logged(event: str) -> bool:
    """Whether anybody would see it: for what is told of every request and costs some time."""
    return bool(_level <= getattr(logging, EVENTS[event][0].upper()))


def log_problem(problem: Problem, **values: object) -> None:
    """A problem that was answered: a fault of ours is an error, who was not allowed is told of, the rest is not."""
    if problem.reason in ("too-often", "wrong-origin") and not _seldom((problem.reason, values.get("address"))):
        return
    log(
        "failed"
        if problem.status >= 500
        else "too-often"
        if problem.reason == "too-often"
        else "wrong-origin"
        if problem.reason == "wrong-origin"
        else "not-allowed"
        if problem.status == 403
        else "refused",
        reason=problem.reason,
        status=problem.status,
        message=problem.in_full,
        **values,
    )


_said: dict[tuple[str, object], float] = {}


def _seldom(what: tuple[str, object]) -> bool:
    """Whether it is to be said again: whoever sends thousands of a kind in a moment does not fill the log with them."""
    now = monotonic()
    if now - _said.get(what, -SAID_AGAIN_SECONDS) < SAID_AGAIN_SECONDS:
        return False
    if len(_said) >= MOST_SAID:
        _said.clear()
    _said[what] = now
    return True


def new_request_id() -> str:
    """An id for what belongs together in the log; every event until the next one has it, in the same task."""
    request = secrets.token_hex(6)
    structlog.contextvars.bind_contextvars(request=request)
    return request


def only_what_is_listed(_: object, level: str, event: Event) -> Event:
    """Leave out whatever the event is not listed with, and make one short line of every value."""
    name = event.get("event")
    _, keys = EVENTS.get(name, ("", frozenset())) if isinstance(name, str) else ("", frozenset[str]())
    known = isinstance(name, str) and name in EVENTS
    allowed = keys | ANYWHERE | FAULT
    found: dict[str, Any] = {"timestamp": event.get("timestamp"), "level": level}
    found["event"] = name if known else "unlisted"
    for key, value in event.items():
        if key in allowed and key not in found:
            found[key] = short(value)
    return found


def short(value: object) -> str | int | float | bool | None:
    """A number, or one printable line without anything that looks like a secret."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if not isinstance(value, str):
        return type(value).__name__
    line = SECRETS.sub("..", value[: 4 * LONGEST_VALUE])
    printable = "".join([each if each.isprintable() else " " for each in line])
    return printable if len(printable) <= LONGEST_VALUE else printable[: LONGEST_VALUE - 2] + ".."


def described(error: BaseException) -> dict[str, str]:
    """The class of an exception and where it was raised; what it says may be anything, and is left out."""
    return {"fault": type(error).__name__, "where": " < ".join(_places(error.__traceback__))}


def _places(traceback: TracebackType | None) -> list[str]:
    found = []
    while traceback is not None:
        code = traceback.tb_frame.f_code
        found.append(f"{Path(code.co_filename).name}:{traceback.tb_lineno}")
        traceback = traceback.tb_next
    return found[: -MOST_PLACES - 1 : -1]


def as_text(_: object, __: str, event: Event) -> str:
    """One line for people: `2026-11-16T18:00:00Z info table-lost table=main lease=7`."""
    start = f"{event.pop('timestamp')} {event.pop('level'):<7} {event.pop('event')}"
    return " ".join([start, *(f"{key}={_quoted(value)}" for key, value in event.items())])


def _quoted(value: object) -> str:
    text = str(value)
    return text if text and " " not in text and '"' not in text else '"' + text.replace('"', "'") + '"'


class LibraryHandler(logging.Handler):
    """What libraries tell through the standard library's logging, as events of ours."""

    def emit(self, record: logging.LogRecord) -> None:
        # Before the arguments are put in: they may be anything.
        message = str(record.msg).partition("\n")[0]
        fault = record.exc_info[1] if record.exc_info else None
        log("library", fault=fault, logger=record.name, message=message)
