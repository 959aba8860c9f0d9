"""The account: a guest keeps it with a name, sets limits, and staff choose a password before all else."""

import json
from pathlib import Path

from playwright.sync_api import Page, expect

from browser.pages import Opened, Visitor, opened
from browser.staff import PASSWORD, command

NAME = "Heron Lee"


def guest(house: Opened) -> Visitor:
    _, _, session = house.running.ask("POST", "/api/guests", {})
    visitor = house.visitor()
    visitor.context.add_cookies([{"name": "pb_session", "value": session, "url": house.running.address}])
    return visitor


def sign_in(page: Page, name: str, password: str) -> None:
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()


def test_a_guest_takes_a_name_signs_out_and_in_and_has_everything(tmp_path: Path) -> None:
    with opened(tmp_path) as house:
        page = guest(house).open("/account", "400", "401", "409")
        person = page.get_by_role("region").first
        expect(person.get_by_text("Guest", exact=True)).to_be_visible()
        page.get_by_label("Name").fill(NAME)
        page.get_by_label("Password").fill("short")
        page.get_by_role("button", name="Keep this account").click()
        expect(page.get_by_text("A password has 10 to 200 characters.").first).to_be_visible()
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Keep this account").click()
        expect(page.get_by_role("heading", name=NAME)).to_be_visible()
        page.get_by_role("main").get_by_role("button", name="Sign out").click()
        expect(page.get_by_role("heading", name="Nobody is signed in")).to_be_visible()
        sign_in(page, NAME, "nine herons on the peer")
        expect(page.locator(".refusal")).to_be_visible()
        sign_in(page, NAME, PASSWORD)
        expect(page.get_by_role("heading", name=NAME)).to_be_visible()
        page.get_by_role("link", name="Ledger").click()
        expect(page.get_by_role("row").filter(has_text="Play money given").first).to_be_visible()


def test_a_tighter_limit_holds_at_once_and_a_looser_one_is_to_come(tmp_path: Path) -> None:
    with opened(tmp_path) as house:
        page = guest(house).open("/account?view=limits")
        limit = page.locator("form", has=page.get_by_label("Stake in SGD", exact=True))
        field, send = limit.get_by_role("textbox"), limit.get_by_role("button", name="Set: Stake in SGD")
        field.fill("five")
        send.click()
        expect(limit.locator(".refusal")).to_have_text("That is no amount that can be a limit.")
        field.fill("500")
        expect(limit.get_by_text("Would hold at once")).to_be_visible()
        send.click()
        expect(limit.get_by_text("500 SGD", exact=True)).to_be_visible()
        field.fill("800")
        expect(limit.get_by_text("Would hold after a day")).to_be_visible()
        send.click()
        expect(limit.get_by_text("800 SGD from")).to_be_visible()
        expect(limit.get_by_text("500 SGD", exact=True)).to_be_visible()


def test_staff_choose_a_password_before_all_else(tmp_path: Path) -> None:
    with opened(tmp_path) as house:
        once = json.loads(command(house.running, "staff", "add", "Mei Lin", "--role", "supervisor", "--json"))[
            "password"
        ]
        page = house.visitor().open("/account")
        sign_in(page, "Mei Lin", once)
        expect(page.get_by_role("heading", name="A password of your own")).to_be_visible()
        page.get_by_label("One-time password").fill(once)
        page.get_by_label("New password").fill(PASSWORD)
        page.get_by_role("button", name="Change password").click()
        expect(page.get_by_role("heading", name="Mei Lin")).to_be_visible()
        work = page.get_by_role("main")
        expect(work.get_by_role("link", name="Dealer")).to_be_visible()
        expect(work.get_by_role("link", name="Pit")).to_be_visible()
