"""The pit: what waits is approved by a second person, money and disputes are settled, tables and staff are set."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.pages import PHONE, ROOT, Opened, Visitor, opened
from browser.staff import employed, put_table

AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
VIEWS = ["", "approvals", "disputes", "changes", "rounds", "patrons", "win", "tables", "rates"]
STAKE = 30_000


def session(visitor: Visitor) -> str:
    return next(each["value"] for each in visitor.context.cookies() if each["name"] == "pb_session")


class Orchid:
    """A table that a dealer leads by commands, and a patron at it."""

    def __init__(self, house: Opened) -> None:
        self.running = house.running
        put_table(self.running, "pit-1", "six-star", "Orchid")
        self.dealer = session(employed(house, "Mei Lin", "dealer"))
        _, came, self.patron = self.running.ask("POST", "/api/guests", {})
        self.patron_id, self.patron_name = came["patron"], came["name"]
        self._said = 0
        self.does(do="open-shoe")
        self.does(do="burn", shown=["3f"], face_down=3)

    def does(self, who: str | None = None, **said: Any) -> Any:
        self._said += 1
        body = {"id": f"command-{self._said}", **said}
        status, told, _ = self.running.ask("POST", "/api/tables/pit-1/commands", body, who or self.dealer)
        assert status == 200, told
        return told

    def deal(self, *cards: str) -> None:
        self.does(do="open-betting")
        self.does(self.patron, do="stake", wager="banker", amount=STAKE)
        self.does(do="close-betting")
        for card in cards:
            self.does(do="deal", card=card)

    def round(self) -> None:
        self.deal("Lw", "Sg", "9f", "7e")
        self.does(do="announce")
        self.does(do="settle")

    def me(self) -> Any:
        return self.running.ask("GET", "/api/me", session=self.patron)[1]


def dialog(page: Page) -> Locator:
    return page.get_by_role("dialog")


def test_a_void_that_comes_while_one_looks_is_approved_and_reported(tmp_path: Path) -> None:
    with opened(tmp_path) as house:
        table = Orchid(house)
        page = employed(house, "Sam Tan", "supervisor").open("/pit/approvals")
        expect(page.get_by_text("Nothing waits for a second person.")).to_be_visible()
        before = table.me()["balances"]["SGD"]
        table.deal("6w", "4g")
        table.does(do="void", irregularity="order-altered", note="two cards fell")
        asked = page.get_by_role("article")
        expect(asked.get_by_role("heading")).to_have_text("Void round 1 at Orchid")
        expect(asked).to_contain_text("Asked by Mei Lin")
        expect(asked).to_contain_text("two cards fell")
        expect(asked).to_contain_text("5.4")
        expect(asked).to_contain_text("300 SGD goes back to patrons")
        page.get_by_role("link", name="Floor").click()
        row = page.get_by_role("row").filter(has_text="Orchid")
        expect(row).to_contain_text("Waits for a second person")
        expect(row).to_contain_text("300 SGD")
        page.get_by_role("link", name="Approvals").click()
        asked.get_by_role("button", name="Approve").click()
        dialog(page).get_by_role("button", name="Approve").click()
        expect(page.get_by_text("Nothing waits for a second person.")).to_be_visible()
        assert (table.me()["held"], table.me()["balances"]["SGD"]) == ({}, before)
        page.get_by_role("button", name="Decided").click()
        expect(page.get_by_role("article")).to_contain_text("Decided by Sam Tan (you)")
        page.get_by_role("link", name="Voids and corrections").click()
        expect(page.get_by_role("article")).to_contain_text("Mei Lin asked, Sam Tan (you) agreed")
        page.get_by_role("article").get_by_role("link", name="Orchid round 1").click()
        page.wait_for_url("**/tables/pit-1/rounds/1")


def test_what_is_declined_has_a_note_and_nobody_decides_their_own(tmp_path: Path) -> None:
    with opened(tmp_path) as house:
        table = Orchid(house)
        table.round()
        supervisor = employed(house, "Sam Tan", "supervisor")
        page = supervisor.open("/pit/patrons")
        page.get_by_label("Name or id").fill(table.patron_name[:5])
        page.get_by_role("button", name="Find").click()
        page.get_by_role("link", name=table.patron_name).click()
        page.get_by_role("button", name="Adjust").click()
        ask = dialog(page)
        ask.get_by_label("Table").select_option("pit-1")
        ask.get_by_label("Round").fill("1")
        ask.get_by_label("Amount").fill("much")
        ask.get_by_label("Reason").fill("paid at even money")
        ask.get_by_role("button", name="Ask for it").click()
        expect(ask.get_by_text("An amount above zero")).to_be_visible()
        ask.get_by_label("Amount").fill("12.50")
        ask.get_by_role("button", name="Ask for it").click()
        expect(page.get_by_text("Asked for: it waits for a second person.").first).to_be_visible()
        page.get_by_role("link", name="Approvals").click()
        expect(page.get_by_text("another person decides")).to_be_visible()
        expect(page.get_by_role("button", name="Approve")).to_have_count(0)
        second = employed(house, "Ola Berg", "supervisor", **PHONE).open("/pit/approvals")
        card = second.get_by_role("article")
        expect(card.get_by_role("heading")).to_have_text("Adjust an account by +12.50 SGD for round 1 at Orchid")
        card.get_by_role("button", name="Decline").click()
        dialog(second).get_by_label("Why not").fill("the round was paid rightly")
        dialog(second).get_by_role("button", name="Decline").click()
        expect(second.get_by_text("Nothing waits")).to_be_visible()
        page.get_by_role("button", name="Decided").click()
        expect(page.get_by_role("article")).to_contain_text("the round was paid rightly")


def test_the_desk_gives_money_and_the_ledger_shows_it(tmp_path: Path) -> None:
    with opened(tmp_path) as house:
        table = Orchid(house)
        before = table.me()["balances"]["SGD"]
        page = employed(house, "Sam Tan", "supervisor").open(f"/pit/patrons?patron={table.patron_id}", "409")
        expect(page.get_by_role("heading", level=2).first).to_have_text(table.patron_name)

        def give(money: str) -> None:
            page.get_by_role("button", name="Give money").click()
            ask = dialog(page)
            ask.get_by_label("Money").select_option("SGD")
            ask.get_by_label("Amount").fill(money)
            ask.get_by_label("Reason").fill("a <b>welcome</b>")
            ask.get_by_role("button", name="Give money").click()
            expect(ask).to_have_count(0)

        give("1,250.50")
        row = page.get_by_role("row").filter(has_text="a <b>welcome</b>")
        expect(row).to_contain_text("+1,250.50")
        assert table.me()["balances"]["SGD"] == before + 125_050
        give("50000")
        expect(page.get_by_text("Asked for: it waits for a second person.").first).to_be_visible()
        page.get_by_role("button", name="Take back").click()
        dialog(page).get_by_label("Money").select_option("SGD")
        dialog(page).get_by_label("Amount").fill("900000")
        dialog(page).get_by_label("Reason").fill("too much")
        dialog(page).get_by_role("button", name="Take back").click()
        expect(dialog(page).get_by_role("alert")).to_be_visible()


def test_a_dispute_is_taken_up_and_decided_and_the_patron_is_told(tmp_path: Path) -> None:
    with opened(tmp_path) as house:
        table = Orchid(house)
        table.round()
        said = {"table": "pit-1", "round": 1, "said": "I counted seven."}
        assert house.running.ask("POST", "/api/disputes", said, table.patron)[0] == 201
        page = employed(house, "Sam Tan", "supervisor", **PHONE).open("/pit/disputes")
        card = page.get_by_role("article")
        expect(card).to_contain_text("I counted seven.")
        card.get_by_text("The round as recorded").click()
        expect(card).to_contain_text("Player, Player 9, Banker 7")
        card.get_by_role("button", name="Take it up").click()
        dialog(page).get_by_role("button", name="Take it up").click()
        page.get_by_role("button", name="Taken up").click()
        card.get_by_role("button", name="Decide").click()
        dialog(page).get_by_role("radio", name="Rejected").check()
        dialog(page).get_by_label("Reason").fill("Nine beats seven: see the replay.")
        dialog(page).get_by_role("button", name="Decide").click()
        page.get_by_role("button", name="Decided").click()
        expect(card).to_contain_text("has not opened it yet")
        (notice,) = table.me()["notices"]
        assert (notice["outcome"], notice["decision"]) == ("rejected", "Nine beats seven: see the replay.")


def test_a_director_opens_sets_closes_and_reopens_a_table(tmp_path: Path) -> None:
    with opened(tmp_path) as house:
        page = employed(house, "Wong Kei", "director").open("/pit/tables", "409", "400")
        page.get_by_role("link", name="Open a table").click()
        page.get_by_label("Id, for addresses").fill("plum")
        page.get_by_label("Game").select_option("six-star")
        page.get_by_label("Name", exact=True).fill("Plum <i>2</i>")
        page.get_by_label("Decks").fill("20")
        page.get_by_role("button", name="Open a table").click()
        refused = page.locator(".field", has=page.get_by_label("Decks")).get_by_role("alert")
        expect(refused).to_contain_text("is played with 4 to 10 decks")
        page.get_by_label("Decks").fill("6")
        page.get_by_role("button", name="Open a table").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Plum <i>2</i>")
        banker = page.get_by_role("group", name="Banker", exact=True)
        banker.get_by_label("Minimum").fill("25")
        banker.get_by_label("Maximum").fill("a lot")
        page.get_by_role("button", name="Save the changes").click()
        expect(banker.get_by_role("alert")).to_contain_text("cannot be read")
        banker.get_by_label("Maximum").fill("2,500")
        banker.get_by_label("Step").fill("25")
        page.get_by_role("button", name="Save the changes").click()
        expect(page.get_by_text("Saved.").first).to_be_visible()
        listed = house.running.ask("GET", "/api/tables/plum")[1]
        assert listed["decks"] == 6
        page.get_by_role("link", name="All tables").click()
        row = page.get_by_role("row").filter(has_text="Plum")
        row.get_by_role("button", name="Close").click()
        dialog(page).get_by_role("button", name="Close").last.click()
        expect(row).to_contain_text("Closed")
        row.get_by_role("button", name="Open again").click()
        dialog(page).get_by_role("button", name="Open again").click()
        expect(row.get_by_role("button", name="Close")).to_be_visible()
        page.goto("/pit")
        row = page.get_by_role("row").filter(has_text="Plum")
        row.get_by_role("button", name="Pause").click()
        dialog(page).get_by_label("Why the table waits").fill("the shoe is counted again")
        dialog(page).get_by_role("button", name="Pause").click()
        expect(row).to_contain_text("the shoe is counted again")
        row.get_by_role("button", name="Resume").click()
        dialog(page).get_by_role("button", name="Resume").click()
        expect(row.get_by_role("button", name="Pause")).to_be_visible()


def test_a_password_for_once_is_shown_once(tmp_path: Path) -> None:
    with opened(tmp_path) as house:
        page = employed(house, "Wong Kei", "director").open("/pit/staff")
        page.get_by_role("button", name="Add somebody").click()
        dialog(page).get_by_label("Name").fill("Ines Ramos")
        dialog(page).get_by_label("Role").select_option("auditor")
        dialog(page).get_by_role("button", name="Add somebody").click()
        password = dialog(page).locator("code").inner_text()
        signed = {"name": "Ines Ramos", "password": password}
        assert house.running.ask("POST", "/api/sessions", signed)[1]["role"] == "auditor"
        page.get_by_role("button", name="It is noted").click()
        assert password not in page.content()
        row = page.get_by_role("row").filter(has_text="Ines Ramos")
        row.get_by_role("button", name="Remove").click()
        dialog(page).get_by_role("button", name="Remove").click()
        expect(row).to_have_count(0)
        expect(page.get_by_role("row").filter(has_text="Wong Kei").get_by_role("button")).to_have_count(0)


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_an_auditor_reads_every_view_and_is_offered_nothing_to_do(tmp_path: Path, scheme: str) -> None:
    with opened(tmp_path) as house:
        table = Orchid(house)
        table.round()
        table.deal("6w", "4g")
        table.does(do="void", irregularity="order-altered", note="two cards fell")
        said = {"table": "pit-1", "round": 1, "said": "I counted seven."}
        house.running.ask("POST", "/api/disputes", said, table.patron)
        shape = PHONE if scheme == "light" else {}
        page = employed(house, "Ines Ramos", "auditor", color_scheme=scheme, **shape).open("/pit")
        patron = f"patrons?patron={table.patron_id}"
        for view in [*VIEWS, "exports", patron, "rounds?table=pit-1", "tables?table=pit-1"]:
            page.goto(f"/pit/{view}".rstrip("/"))
            expect(page.get_by_role("heading", level=1)).to_have_count(1)
            expect(page.locator("#content [aria-busy=true]")).to_have_count(0)
            for action in ("Approve", "Decline", "Pause", "Take it up", "Give money", "Save the changes", "Close"):
                expect(page.locator("#content").get_by_role("button", name=action)).to_have_count(0)
            page.evaluate(AXE.read_text())
            found = page.evaluate("axe.run()")["violations"]
            assert [(each["id"], each["nodes"][0]["html"]) for each in found] == [], view
            if shape:
                assert page.evaluate("document.documentElement.scrollWidth") <= shape["viewport"]["width"], view
        page.goto("/pit/exports")
        with page.expect_download() as download:
            page.get_by_role("link", name="CSV: Rounds").click()
        assert "pit-1" in Path(download.value.path()).read_text()
        page.goto("/pit/staff")
        expect(page.get_by_role("link", name="Approvals")).to_have_count(0)


def test_the_pit_is_not_for_everybody(tmp_path: Path) -> None:
    with opened(tmp_path) as house:
        dealer = employed(house, "Mei Lin", "dealer").open("/pit")
        expect(dealer.get_by_role("heading", level=1)).to_have_text(
            "The pit is for supervisors, auditors and directors."
        )
        stranger = house.visitor().open("/pit", "401")
        stranger.get_by_role("link", name="Sign in as staff").click()
        stranger.wait_for_url("**/account?then=%2Fpit")
