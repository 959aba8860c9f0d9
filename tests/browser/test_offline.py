"""The app is kept by the browser: it opens without the service and says so, comes back, and knows when it is old."""

from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Route, expect

from browser.pages import PATIENCE_MILLISECONDS, opened

AWAY = ("Failed to load resource", "WebSocket connection")
SAYS_SO = "No connection."


def test_the_app_opens_while_the_service_is_away_and_comes_back_by_itself(tmp_path: Path) -> None:
    with opened(tmp_path) as house:
        running = house.running
        # The next life is at the same address.
        running.command[running.command.index("--port") + 1] = str(urlsplit(running.address).port)
        page = house.visitor().open("/", *AWAY)
        expect(page.get_by_role("article").first).to_be_visible()
        page.evaluate("async () => { await navigator.serviceWorker.ready }")
        assert page.evaluate("async () => (await caches.keys()).length") == 1
        assert page.evaluate("async () => !(await caches.match('/api/tables')) && !(await caches.match('/api/games'))")

        running.kill()
        expect(page.get_by_text(SAYS_SO).first).to_be_visible(timeout=PATIENCE_MILLISECONDS)
        for path, heading in (("/account?view=preferences", "Account"), ("/", "Tables")):
            page.goto(path)
            expect(page.get_by_role("heading", name=heading, level=1)).to_be_visible()
            expect(page.get_by_text(SAYS_SO).first).to_be_visible()

        running.start()
        expect(page.get_by_role("article").first).to_be_visible(timeout=PATIENCE_MILLISECONDS)
        expect(page.locator(".banner")).to_have_count(0, timeout=PATIENCE_MILLISECONDS)


def test_a_page_of_an_older_build_is_told_to_reload(tmp_path: Path) -> None:
    with opened(tmp_path) as house:
        page = house.visitor().open("/")
        expect(page.get_by_role("article").first).to_be_visible()

        def newer(route: Route) -> None:
            answer = route.fetch()
            route.fulfill(response=answer, headers={**answer.headers, "x-puntobanco-build": "anotherbuild"})

        page.route("**/api/session", newer)
        page.route("**/api/me", newer)
        page.goto("/account")
        expect(page.get_by_text("There is a newer version of this page.").first).to_be_visible()
        page.unroute("**/api/session")
        page.unroute("**/api/me")
        page.get_by_role("button", name="Reload").click()
        expect(page.locator(".banner")).to_have_count(0, timeout=PATIENCE_MILLISECONDS)
        expect(page.get_by_role("heading", name="Account", level=1)).to_be_visible()
