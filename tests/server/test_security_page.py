"""The page about security is true: its tests exist, and every test of an attack is on it."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
NAMED = re.findall(r"`(test_\w+\.py)::(test_\w+)`", PAGE)


def names_in(path: Path) -> set[str]:
    body = ast.parse(path.read_text(encoding="utf-8")).body
    return {each.name for each in body if isinstance(each, ast.FunctionDef) and each.name.startswith("test_")}


def test_every_named_test_exists() -> None:
    files = {path.name: path for folder in ("server", "store") for path in (ROOT / "tests" / folder).glob("test_*.py")}
    found = {name: names_in(files[name]) for name in {file for file, _ in NAMED}}
    assert [(file, test) for file, test in NAMED if test not in found[file]] == []
    assert len(NAMED) > 100


def test_every_test_of_an_attack_is_named() -> None:
    named = set(NAMED)
    for path in (ROOT / "tests" / "server").glob("test_attacks_*.py"):
        assert {test for test in names_in(path) if (path.name, test) not in named} == set(), path.name


def test_every_attack_has_a_control_and_a_test() -> None:
    rows = [
        line.strip("|").split("|") for line in PAGE.splitlines() if line.startswith("|") and not line.startswith("|--")
    ]
    for row in rows:
        assert len(row) == 3, row
        assert all(cell.strip() for cell in row), row
        assert row[2].strip() == "test" or "::test_" in row[2], row


def test_limits_are_as_the_page_says() -> None:
    from puntobanco.server import guards, http_protocol, rates, socket, wire

    assert (guards.BODY_LIMIT, guards.PATH_LIMIT, wire.FRAME_LIMIT) == (64 * 1024, 2 * 1024, 4 * 1024)
    assert (http_protocol.HEAD_BYTES, http_protocol.HEAD_SECONDS, guards.BODY_SECONDS) == (12 * 1024, 10, 10)
    assert (http_protocol.UNREAD_SECONDS, socket.UNREAD_BYTES, socket.IDLE_SECONDS) == (20, 256 * 1024, 30)
    assert rates.SHUT_OUT_MILLISECONDS == 10_000
