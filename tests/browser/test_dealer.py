"""A dealer leads a physical shoe from the console, by mouse and by keys, to a void that a supervisor approves."""

from pathlib import Path

from playwright.sync_api import Page, expect

from browser.pages import PHONE, opened
from browser.staff import employed, put_table

TABLET = {"viewport": {"width": 1024, "height": 768}}


def is_due(page: Page, title: str) -> None:
    expect(page.get_by_role("heading", level=2)).to_have_text(title)


def test_a_physical_shoe_is_led_to_a_void_that_a_supervisor_approves(tmp_path: Path) -> None:
    with opened(tmp_path) as house:
        running = house.running
        put_table(running, "pit-1", "six-star", "Orchid")
        page = employed(house, "Mei Lin", "dealer", **TABLET).open("/dealer")
        page.get_by_role("link", name="Orchid").click()
        is_due(page, "A new shoe is due")
        page.get_by_role("button", name="Counted, open the shoe").click()
        is_due(page, "Show the first card, and key it")
        page.get_by_role("button", name="3 three of Fire").click()
        is_due(page, "three of Fire: burn 3 face down")
        page.get_by_role("button", name="Burned 3").click()
        page.get_by_role("button", name="Bets are open").click()
        is_due(page, "Bets are open")
        _, _, patron = running.ask("POST", "/api/guests", {})
        stake = {"id": "the-stake", "do": "stake", "wager": "banker", "amount": 20_000}
        assert running.ask("POST", "/api/tables/pit-1/commands", stake, patron)[0] == 200
        before = running.ask("GET", "/api/me", session=patron)[1]
        assert before["held"] == {"SGD": 20_000}
        # From here on by keys alone, as a scanner types.
        page.get_by_role("button", name="No more bets").focus()
        page.keyboard.press("Enter")
        is_due(page, "Player's first card is due")
        page.keyboard.type("Lw")
        is_due(page, "Banker's first card is due")
        page.keyboard.type("Sg")
        page.keyboard.type("9")
        expect(page.get_by_text("now the suit: f g e d w")).to_be_visible()
        page.keyboard.press("Escape")
        is_due(page, "Player's second card is due")
        page.keyboard.type("10f")
        is_due(page, "Banker's second card is due")
        page.get_by_role("button", name="Take back ten of Fire").click()
        is_due(page, "Player's second card is due")
        page.keyboard.type("Lf")
        is_due(page, "Banker's second card is due")
        page.keyboard.type("3e")
        is_due(page, "Player's third card is due")
        page.get_by_role("button", name="Irregularity").click()
        page.get_by_role("radio").first.check()
        page.get_by_role("textbox").fill("a card of another pack")
        page.get_by_role("button", name="Ask for the void").click()
        expect(page.get_by_text("a supervisor decides")).to_be_visible()
        expect(page.get_by_role("button", name="Approve")).to_have_count(0)
        pit = employed(house, "Sam Tan", "supervisor", **PHONE).open("/dealer/pit-1")
        pit.get_by_role("button", name="Approve").click()
        expect(page.locator(".asking")).to_contain_text("Approved")
        after = running.ask("GET", "/api/me", session=patron)[1]
        assert after["held"] == {}
        assert after["balances"]["SGD"] == before["balances"]["SGD"] + 20_000
        void = running.ask("GET", "/api/tables/pit-1/rounds/1")[1]["void"]
        assert (void["clause"], void["note"]) == ("5.1", "a card of another pack")


def test_whoever_does_not_work_here_is_led_to_the_sign_in(tmp_path: Path) -> None:
    with opened(tmp_path) as house:
        page = house.visitor().open("/dealer", "401")
        expect(page.get_by_role("heading", level=1)).to_have_text("This page is for those who work here.")
        page.get_by_role("link", name="Sign in as staff").click()
        page.wait_for_url("**/account?then=%2Fdealer")
