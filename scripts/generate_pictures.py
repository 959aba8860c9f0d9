"""Takes the pictures of the browser app in docs/pictures, from a real server in a real browser: scripts/pictures.

They are for people and differ a little each time, because every shoe does; so no test compares them.
"""

import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from playwright.sync_api import Page

from browser.pages import DESKTOP, PHONE, ROOT, Opened, opened

BETS = ".light.open, .light.soon"
PICTURES = ROOT / "docs" / "pictures"
ROUNDS_FIRST = 14
"""So many are played before the pictures of a table, that there is something on its roads."""


def _sit_down(house: Opened, table: str, **options: Any) -> Page:
    page = house.visitor(**options).open(f"/tables/{table}")
    page.locator(BETS).first.wait_for()
    return page


def _stake(page: Page) -> None:
    page.locator(BETS).first.wait_for()
    for place in (0, 3, 4, 5, 5):
        page.locator(".spot").nth(place).click()
    page.wait_for_timeout(600)


def _take(page: Page, name: str) -> None:
    page.screenshot(path=PICTURES / f"{name}.png")


def main() -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        opened(Path(folder), "--betting-seconds", "4", "--pause-seconds", "3") as house,
    ):
        page = _sit_down(house, "six-star", **DESKTOP, color_scheme="dark")
        for _ in range(ROUNDS_FIRST):
            page.get_by_text("Settled").first.wait_for(timeout=60_000)
            page.locator(BETS).first.wait_for(timeout=60_000)
        _stake(page)
        _take(page, "table-betting")
        page.get_by_text("Settled").first.wait_for(timeout=60_000)
        page.wait_for_timeout(700)
        _take(page, "table-settlement")
        phone = _sit_down(house, "six-star", **PHONE, color_scheme="light", locale="zh-Hant-TW")
        _stake(phone)
        _take(phone, "table-phone")
        for name, path in (("lobby", "/"), ("odds", "/odds/six-star")):
            page.goto(path)
            page.wait_for_timeout(2_000)
            _take(page, name)


if __name__ == "__main__":
    main()
