"""A real browser before a real server, for the tests of the browser app.

`opened` starts both; a page fails its test by itself where the console shows an error, where a request goes to another
host, or where the policy of the page was broken.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Playwright, expect, sync_playwright

from server.running import UNLIMITED, Running

ROOT = Path(__file__).parents[2]
DESKTOP: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "has_touch": True,
    "is_mobile": True,
}
PATIENCE_MILLISECONDS = 30_000
"""The machine may be busy with other tests; nothing here is measured."""
expect.set_options(timeout=PATIENCE_MILLISECONDS)


def chromium(playwright: Playwright) -> Browser:
    """The Chromium that scripts/test has found or fetched."""
    named = os.environ.get("PUNTOBANCO_BROWSER") or shutil.which("chromium-headless-shell") or shutil.which("chromium")
    assert named, "no Chromium is here: scripts/test fetches one, or set PUNTOBANCO_BROWSER"
    return playwright.chromium.launch(executable_path=named, args=["--no-sandbox"])


@dataclass
class Watched:
    """A page, and all that went wrong in it."""

    page: Page
    wrong: list[str] = field(default_factory=list)
    expected: tuple[str, ...] = ()
    """Words of what a test brings about on purpose, such as a server that is away."""

    def check(self) -> None:
        left = [each for each in self.wrong if not any(words in each for words in self.expected)]
        assert left == []


class Visitor:
    """A browser of one person: what they keep and who they are is theirs alone."""

    def __init__(self, browser: Browser, address: str, **options: Any) -> None:
        self.address = address
        self.context: BrowserContext = browser.new_context(base_url=address, **{**DESKTOP, **options})
        self.context.set_default_timeout(PATIENCE_MILLISECONDS)
        self.pages: list[Watched] = []

    def open(self, path: str = "/", *expected: str) -> Page:
        page = self.context.new_page()
        watched = Watched(page, expected=expected)
        self.pages.append(watched)
        ours = urlsplit(self.address).netloc

        def said(message: ConsoleMessage) -> None:
            if message.type in ("error", "warning"):
                watched.wrong.append(f"{message.type}: {message.text}")

        page.on("console", said)
        page.on("pageerror", lambda error: watched.wrong.append(f"thrown: {error}"))
        page.on(
            "request",
            lambda request: (
                watched.wrong.append(f"another host: {request.url}")
                if urlsplit(request.url).netloc not in (ours, "") and not request.url.startswith(("data:", "blob:"))
                else None
            ),
        )
        page.goto(path)
        return page

    def close(self) -> None:
        for each in self.pages:
            each.check()
        self.context.close()


class Opened:
    """A server and a browser."""

    def __init__(self, running: Running, browser: Browser) -> None:
        self.running, self._browser = running, browser
        self._visitors: list[Visitor] = []

    def visitor(self, **options: Any) -> Visitor:
        found = Visitor(self._browser, self.running.address, **options)
        self._visitors.append(found)
        return found

    def check(self) -> None:
        for each in self._visitors:
            each.close()
        self._visitors = []


@contextmanager
def opened(folder: Path, *options: str) -> Iterator[Opened]:
    """A server with quick rounds and a browser; at the end both are stopped, and no page may have gone wrong."""
    pace = ["--betting-seconds", "6", "--card-seconds", "0.1", "--pause-seconds", "4"]
    running = Running(folder / "data", *pace, *options, settings=UNLIMITED)
    running.start()
    try:
        with sync_playwright() as playwright:
            browser = chromium(playwright)
            try:
                found = Opened(running, browser)
                yield found
                found.check()
            finally:
                browser.close()
    finally:
        if running.process is not None:
            running.stop()
