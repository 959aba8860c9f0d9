"""The browser app over HTTP: its pages at every address that they have, its files, and how long they are kept."""

import asyncio
import gzip
import re
from pathlib import Path
from typing import Any

import pytest

from puntobanco.server import web_app
from puntobanco.server.build import BUILD

ADDRESSES = ["/", "/tables/six-star", "/tables/six-star/rounds/12", "/odds", "/odds/manila", "/rules/six-star", "/pit"]
NOT_ITS_OWN = ["/api/tables", "/api", "/healthz", "/tablesx", "/tables/a/b/c/d", "/assets/none.js", "/index.html"]


def asked(path: str, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], bytes]:
    scope: dict[str, Any] = {
        "type": "http",
        "method": method,
        "path": path,
        "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()],
    }
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        raise AssertionError("nothing is read")

    asyncio.run(web_app.answer(scope, receive, send))
    found = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], found, sent[1]["body"]


@pytest.mark.parametrize("path", ADDRESSES)
def test_every_page_is_the_same_document_and_is_asked_for_again(path: str) -> None:
    status, headers, body = asked(path)
    assert (status, headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert headers["cache-control"] == "no-cache"
    assert body == (web_app.FOLDER / "index.html").read_bytes()


@pytest.mark.parametrize("path", NOT_ITS_OWN)
def test_other_addresses_are_left_to_the_routes(path: str) -> None:
    assert web_app.found({"type": "http", "method": "GET", "path": path, "headers": []}) is None


@pytest.mark.parametrize("method", ["POST", "DELETE", "OPTIONS"])
def test_only_looking_is_answered(method: str) -> None:
    assert web_app.found({"type": "http", "method": method, "path": "/", "headers": []}) is None


def test_all_that_the_document_names_is_there_and_nothing_of_it_is_inline() -> None:
    text = (web_app.FOLDER / "index.html").read_text(encoding="utf-8")
    named = re.findall(r'(?:href|src)="(/[^"]+)"', text)
    assert len(named) >= 4
    for path in named:
        status, headers, body = asked(path)
        assert status == 200
        assert body
        is_kept = path.startswith("/assets/")
        assert headers["cache-control"] == ("public, max-age=31536000, immutable" if is_kept else "no-cache")
    assert re.findall(r"<script(?![^>]*\bsrc=)[^>]*>|<style|\son\w+=|\sstyle=", text) == []


def test_what_is_text_is_sent_compressed_and_what_is_known_is_not_sent() -> None:
    _, headers, body = asked("/", accept_encoding="gzip, br")
    assert (headers["content-encoding"], headers["vary"]) == ("gzip", "accept-encoding")
    assert gzip.decompress(body) == asked("/")[2]
    status, again, nothing = asked("/", if_none_match=headers["etag"])
    assert (status, nothing, again["etag"]) == (304, b"", headers["etag"])
    head = asked("/", "HEAD")
    assert (head[0], head[2], head[1]["content-length"]) == (200, b"", str(len(asked("/")[2])))


def test_the_service_knows_the_build_of_the_app() -> None:
    assert (web_app.FOLDER / "build.txt").read_text().strip() == BUILD
    scripts = b"".join(path.read_bytes() for path in (web_app.FOLDER / "assets").glob("*.js"))
    assert BUILD.encode() in scripts


def test_a_checkout_without_the_app_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    empty = web_app.files(tmp_path)
    monkeypatch.setattr(web_app, "files", lambda: empty)
    status, _, body = asked("/")
    assert status == 200
    assert b"scripts/run builds it" in body
