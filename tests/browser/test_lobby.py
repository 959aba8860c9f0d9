"""The lobby: every table with what it does, filtered by game, seen without leaving, and one's own marked."""

from pathlib import Path

from playwright.sync_api import expect

from browser.pages import PATIENCE_MILLISECONDS, PHONE, opened
from browser.staff import put_table

MARKUP = "<img src=x onerror=alert(1)>"


def test_every_table_is_shown_and_can_be_seen_without_leaving(tmp_path: Path) -> None:
    with opened(tmp_path) as house:
        tables = house.running.ask("GET", "/api/tables")[1]["tables"]
        page = house.visitor().open("/")
        cards = page.get_by_role("article")
        expect(cards).to_have_count(len(tables))
        for table in tables:
            expect(cards.get_by_role("heading", name=table["name"], exact=True)).to_be_visible()
        expect(page.get_by_text("play money only", exact=False).first).to_be_visible()

        # A game alone, at an address of its own.
        game = page.get_by_role("group", name="Game").get_by_role("button").nth(2)
        game.click()
        expect(cards).to_have_count(1)
        assert "?game=" in page.url
        page.reload()
        expect(cards).to_have_count(1)
        game.click()
        expect(cards).to_have_count(len(tables))

        # A table from the side, with its cards as they come; by keys.
        look = page.get_by_role("button", name=f"Look at {tables[0]['name']}", exact=True)
        look.focus()
        page.keyboard.press("Enter")
        seen = page.get_by_role("dialog")
        expect(seen.get_by_role("heading", name=tables[0]["name"])).to_be_visible()
        expect(seen.get_by_role("row")).to_have_count(1 + len(tables[0]["limits"]))
        expect(seen.get_by_text("Bets open")).to_be_visible()
        expect(seen.locator("svg.card")).not_to_have_count(0, timeout=PATIENCE_MILLISECONDS)
        page.keyboard.press("Escape")
        expect(seen).to_have_count(0)
        expect(look).to_be_focused()


def test_ones_own_table_is_first_and_says_what_is_staked(tmp_path: Path) -> None:
    with opened(tmp_path, "--betting-seconds", "40") as house:
        running, visitor = house.running, house.visitor(**PHONE)
        last = running.ask("GET", "/api/tables")[1]["tables"][-1]
        _, _, session = running.ask("POST", "/api/guests", {})
        visitor.context.add_cookies([{"name": "pb_session", "value": session, "url": running.address}])
        page = visitor.open(f"/tables/{last['id']}")
        # A table of the house's own deals while somebody looks at it.
        looks = visitor.open(f"/?table={last['id']}")
        expect(looks.get_by_role("dialog").get_by_text("Bets open")).to_be_visible(timeout=PATIENCE_MILLISECONDS)
        wager, limits = next(iter(last["limits"].items()))
        stake = {"id": "the-first-stake", "do": "stake", "wager": wager, "amount": limits["minimum"]}
        assert running.ask("POST", f"/api/tables/{last['id']}/commands", stake, session)[0] == 200
        page.goto("/")
        first = page.get_by_role("article").first
        expect(first.get_by_role("heading")).to_have_text(last["name"])
        expect(first.get_by_text("Your table")).to_be_visible()
        expect(first.get_by_text("staked on one spot")).to_be_visible()
        # Money, session and net are in the last line of a phone.
        foot = page.get_by_role("contentinfo")
        for word in ("Balance", "Session", "Net"):
            expect(foot.get_by_text(word)).to_be_visible()


def test_a_name_with_markup_is_a_name(tmp_path: Path) -> None:
    with opened(tmp_path) as house:
        put_table(house.running, "pit-9", "manila", MARKUP)
        page = house.visitor().open("/")
        page.get_by_role("link", name=MARKUP).click()
        assert page.url.endswith("/tables/pit-9")


def test_menus_are_used_by_arrow_keys_and_give_the_focus_back(tmp_path: Path) -> None:
    with opened(tmp_path) as house:
        page = house.visitor(locale="en").open("/")
        button = page.get_by_role("button", name="Theme")
        button.focus()
        page.keyboard.press("ArrowDown")
        expect(page.get_by_role("menuitemradio", name="As the system")).to_be_focused()
        page.keyboard.press("End")
        expect(page.get_by_role("menuitemradio", name="Dark")).to_be_focused()
        page.keyboard.press("Enter")
        expect(button).to_be_focused()
        expect(page.locator("html")).to_have_attribute("data-theme", "dark")
        page.get_by_role("button", name="Account").click()
        page.get_by_role("menuitem", name="Preferences").click()
        liked = page.get_by_role("dialog", name="Preferences")
        liked.get_by_role("switch", name="Four colours").check()
        page.keyboard.press("Escape")
        expect(liked).to_have_count(0)
        page.reload()
        page.goto("/account?view=preferences")
        expect(page.get_by_role("switch", name="Four colours")).to_be_checked()
        expect(page.get_by_role("switch", name="Play sounds")).not_to_be_checked()
