"""The browser app, as it was built into the package: its pages, and the files that they are made of.

Every page is the same document, which finds out from its address what to show; so an address that the app has is
answered with it, and any other is left to the routes. All of it is read once and kept, compressed too: it is small, and
a first visit asks for a dozen files.
"""

import gzip
import mimetypes
import re
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from puntobanco.server.guards import Receive, Scope, Send

FOLDER = Path(__file__).resolve().parent.parent / "web_app"
DOCUMENT = "index.html"
PAGES = re.compile(r"/(?:(?:tables|odds|rules|learn|cards|account|dealer|pit)(?:/[^/]+){0,3}/?)?")
"""The addresses of the app's pages; what a page makes of the parts is its own affair."""
COMPRESSED = ("text/", "application/json", "application/manifest+json", "image/svg+xml")
FOR_EVER = b"public, max-age=31536000, immutable"
ASK_AGAIN = b"no-cache"
NOT_BUILT = b"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>puntobanco</title></head>
<body><h1>puntobanco</h1><p>The browser app is not built here: scripts/run builds it. The service answers at
<a href="/api/tables">/api/tables</a> and the rest of <a href="/api/openapi.json">its description</a>.</p></body></html>
"""
"""Shown by a checkout that was set up by other means than its scripts."""


@dataclass(frozen=True)
class File:
    """A file as it is sent."""

    body: bytes
    compressed: bytes | None
    kind: bytes
    tag: bytes
    kept: bytes


@cache
def files(folder: Path = FOLDER) -> dict[str, File]:
    """By its path, every file that was built."""
    found = {f"/{path.relative_to(folder).as_posix()}": path for path in sorted(folder.rglob("*")) if path.is_file()}
    return {path: _file(path, source.read_bytes()) for path, source in found.items()}


def _file(path: str, body: bytes) -> File:
    kind = {".webmanifest": "application/manifest+json", ".woff2": "font/woff2"}.get(
        Path(path).suffix, mimetypes.guess_type(path)[0] or "application/octet-stream"
    )
    is_text = kind.startswith(COMPRESSED) or kind.endswith("javascript")
    # The build puts a digest into the names of what lies here, so that it never changes.
    kept = FOR_EVER if path.startswith("/assets/") else ASK_AGAIN
    return File(
        body,
        gzip.compress(body, 9, mtime=0) if is_text else None,
        (f"{kind}; charset=utf-8" if is_text and kind.startswith("text/") else kind).encode(),
        f'"{sha256(body).hexdigest()[:32]}"'.encode(),
        kept,
    )


def found(scope: Scope) -> File | None:
    """What the app has at this address, if it has anything."""
    if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
        return None
    path = scope["path"]
    if PAGES.fullmatch(path):
        return files().get(f"/{DOCUMENT}") or _file(f"/{DOCUMENT}", NOT_BUILT)
    return files().get(path) if path != f"/{DOCUMENT}" else None


async def answer(scope: Scope, receive: Receive, send: Send) -> None:
    """Send what `found` has found."""
    file = found(scope)
    assert file is not None, "asked for what the app has"
    asked = dict(scope["headers"])
    headers = [(b"content-type", file.kind), (b"etag", file.tag), (b"cache-control", file.kept)]
    if file.compressed is not None:
        headers.append((b"vary", b"accept-encoding"))
    status, body = 200, file.body
    if asked.get(b"if-none-match") == file.tag:
        status, body = 304, b""
    elif file.compressed is not None and b"gzip" in asked.get(b"accept-encoding", b""):
        body = file.compressed
        headers.append((b"content-encoding", b"gzip"))
    if status != 304:
        headers.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})
