"""The log: one line an event, and nothing in it that nobody must read."""

import ast
import asyncio
import io
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog

from puntobanco.server import logs
from puntobanco.server.configuration import Configuration
from puntobanco.server.logs import EVENTS, LibraryHandler, log, log_problem, new_request_id, set_up, short
from puntobanco.server.problems import Problem, not_allowed, not_signed_in, problem_of, too_often
from puntobanco.store.database import StorageFault

TOKEN = "nZ4hQx0cT7uVb2LmEwYk9A"
SECRETS: dict[str, object] = {
    "token": TOKEN,
    "cookie": "pb_session=Rk3_vJ8sXq1ZpT5yBn7Ld2GcWm9Hf-0aUe4oIiKjQ6M",
    "password": "correct horse battery staple",
    "key": "c0ffee0123456789" * 4,
    "nonce": "deadbeef01234567" * 2,
    "database": "postgresql://anna:hunter2@db.example/record",
    "cards": "9s Kd 4c",
    "undealt": ["9s", "Kd"],
    "body": b'{"password": "hunter2"}',
}


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    yield
    structlog.reset_defaults()
    structlog.contextvars.clear_contextvars()
    root = logging.getLogger()
    for handler in [each for each in root.handlers if isinstance(each, LibraryHandler)]:
        root.removeHandler(handler)


def written(log_format: str = "json", log_level: str = "debug") -> io.StringIO:
    stream = io.StringIO()
    set_up(Configuration(log_format=log_format, log_level=log_level), stream)
    return stream


def events(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


@pytest.mark.parametrize("log_format", ["json", "text"])
@pytest.mark.parametrize("name", [*EVENTS, "an event that nobody listed"])
def test_no_event_lets_a_secret_out_under_a_name_of_its_own(name: str, log_format: str) -> None:
    stream = written(log_format)
    log(name, **SECRETS)
    (line,) = stream.getvalue().splitlines()
    for secret in SECRETS.values():
        assert str(secret) not in line
    assert "hunter2" not in line


@pytest.mark.parametrize("name", EVENTS)
def test_no_key_of_an_event_lets_a_secret_out_that_looks_like_one(name: str) -> None:
    stream = written()
    level, keys = EVENTS[name]
    for secret in ("token", "cookie", "key", "nonce", "database", "undealt", "body"):
        log(name, **dict.fromkeys(keys, SECRETS[secret]))
        log(name, **dict.fromkeys(keys, f"it failed: {SECRETS[secret]} was sent"))
    text = stream.getvalue()
    assert "hunter2" not in text
    for name_of_secret in ("token", "cookie", "key", "nonce"):
        assert str(SECRETS[name_of_secret]).removeprefix("pb_session=") not in text
    assert {each["level"] for each in events(stream)} == {level}


def test_every_listed_key_is_written_and_no_other() -> None:
    stream = written()
    for name, (_, keys) in EVENTS.items():
        log(name, **dict.fromkeys(keys, "value"), other="value")
    for (name, (_, keys)), event in zip(EVENTS.items(), events(stream), strict=True):
        assert set(event) == {"timestamp", "level", "event"} | keys
        assert event["event"] == name


def test_no_listed_key_is_a_secret_by_its_name() -> None:
    forbidden = {"password", "session", "cookie", "key", "nonce", "database", "url", "card", "cards", "body", "stake"}
    assert not forbidden & set().union(*(keys for _, keys in EVENTS.values()))


def test_of_an_exception_its_class_and_place_are_written_and_not_what_it_says() -> None:
    stream = written()
    try:
        raise ValueError("hunter2")
    except ValueError as error:
        log("failed", fault=error, reason="fault", status=503)
    (event,) = events(stream)
    assert event["fault"] == "ValueError"
    assert event["where"].startswith("test_logs.py:")
    assert "hunter2" not in stream.getvalue()


def test_a_library_is_heard_without_what_it_puts_into_its_message() -> None:
    stream = written()
    logging.getLogger("asyncpg").warning("cannot connect to %s", "postgresql://anna:hunter2@h/d")
    logging.getLogger("asyncio").error("first line\nhunter2 in the second")
    logging.getLogger("uvicorn.error").info("Started server process [%d]", 5)
    found = events(stream)
    assert [each["message"] for each in found] == ["cannot connect to %s", "first line"]
    assert "hunter2" not in stream.getvalue()


def test_a_task_that_failed_unseen_is_told_of() -> None:
    stream = written()

    async def work() -> None:
        async def fail() -> None:
            raise KeyError("hunter2")

        task = asyncio.create_task(fail())
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        asyncio.get_running_loop().call_exception_handler({"message": "lost", "exception": task.exception()})

    asyncio.run(work())
    (event,) = events(stream)
    assert (event["event"], event["logger"], event["fault"]) == ("library", "asyncio", "KeyError")
    assert "hunter2" not in stream.getvalue()


def emitted() -> set[str]:
    """The events that the code writes: every text in the first argument of `log`."""
    found = set[str]()
    for path in Path(logs.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "log":
                said = node.args[0]
                chosen = [said]
                while isinstance(chosen[-1], ast.IfExp):
                    last = chosen.pop()
                    assert isinstance(last, ast.IfExp)
                    chosen += [last.body, last.orelse]
                for each in chosen:
                    assert isinstance(each, ast.Constant), f"{path.name}:{node.lineno}: which event is it?"
                    found.add(str(each.value))
    return found


def test_every_event_that_is_listed_is_written_somewhere_and_every_other_way_round() -> None:
    assert emitted() == set(EVENTS)


def test_what_comes_by_the_thousand_is_said_seldom() -> None:
    stream = written()
    for _ in range(1000):
        log_problem(too_often(), address="192.0.2.7")
        log_problem(Problem(403, "wrong-origin", "No."), address="192.0.2.7")
    log_problem(too_often(), address="192.0.2.8")
    assert [(each["event"], each["address"]) for each in events(stream)] == [
        ("too-often", "192.0.2.7"),
        ("wrong-origin", "192.0.2.7"),
        ("too-often", "192.0.2.8"),
    ]


def test_refusals_are_no_errors() -> None:
    stream = written()
    log_problem(not_signed_in(), path="/api/me")
    log_problem(not_allowed(), path="/api/me", role="dealer")
    log_problem(problem_of(StorageFault("The database failed: disk I/O error.")), path="/api/tables/main/commands")
    assert [(each["level"], each["event"]) for each in events(stream)] == [
        ("debug", "refused"),
        ("warning", "not-allowed"),
        ("error", "failed"),
    ]
    assert events(stream)[-1]["message"] == "The database failed: disk I/O error.", "in full, because nobody is told it"


def test_the_level_is_the_least_that_is_written() -> None:
    stream = written(log_level="warning")
    log_problem(not_signed_in(), path="/api/me")
    log("serving", address="http://127.0.0.1:1")
    log("table-taken-over", table="main", owner="another", lease=7)
    assert [each["event"] for each in events(stream)] == ["table-taken-over"]


def test_what_belongs_together_has_one_request_id() -> None:
    stream = written()

    async def handle(paths: list[str]) -> str:
        request = new_request_id()
        for path in paths:
            await asyncio.sleep(0)
            log("request", path=path)
        return request

    async def both() -> tuple[str, str]:
        return await asyncio.gather(handle(["/a", "/b"]), handle(["/c", "/d"]))

    first, second = asyncio.run(both())
    assert first != second
    requests = {each["path"]: each["request"] for each in events(stream)}
    assert requests == {"/a": first, "/b": first, "/c": second, "/d": second}


def test_text_is_one_line_that_nobody_can_break() -> None:
    stream = written("text")
    log("refused", reason="late-wager", status=409, path="/api/\n2026 error forged \x1b[31m", person='a "b')
    (line,) = stream.getvalue().splitlines()
    assert line.split(" ", 1)[1] == (
        'debug   refused reason=late-wager status=409 path="/api/ 2026 error forged  [31m" person="a \'b"'
    )


def test_long_values_are_cut_and_numbers_stay() -> None:
    assert short("a b " * 1000) == ("a b " * 1000)[:198] + ".."
    assert short("/api/tables/fortune-six-tournament/commands") == "/api/tables/fortune-six-tournament/commands"
    assert (short(5), short(0.5), short(True), short(None), short(object())) == (5, 0.5, True, None, "object")
