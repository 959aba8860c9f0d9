"""The page of a round: its settlement, its replay, and a verification that agrees with `puntobanco verify`."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, Route, expect

from browser.pages import PHONE, ROOT, Opened, opened
from puntobanco.client import Client
from puntobanco.verify import DoesNotFollow, verify

TABLE = "six-star"
QUICK = ("--betting-seconds", "1", "--card-seconds", "0", "--pause-seconds", "0.2")
AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
TRUE, FALSE = "This round was dealt as committed.", "This round does not follow from what was committed."


def played(address: str, rounds: int) -> tuple[int, str]:
    """A patron stakes on so many rounds, mixing in a number of their own; the last of them, and the session."""

    async def play() -> tuple[int, str]:
        left = rounds
        async with Client(address) as client:
            await client.come_as_guest()
            async with client.join(TABLE) as table:
                async for event in table:
                    if event.name in ("snapshot", "betting-opened") and table.state["phase"] == "betting":
                        stakes = {name: table.state["limits"][name]["minimum"] for name in ("player", "banker", "tie")}
                        await table.stakes(stakes)
                    elif event.name == "round-settled" and "net" in event.fields:
                        left -= 1
                        if not left:
                            assert client.session is not None
                            return int(event["round"]), client.session
            raise AssertionError("the table has ended")

    # Playwright has a loop of its own in this thread.
    with ThreadPoolExecutor(1) as other:
        return other.submit(lambda: asyncio.run(play())).result()


def verified(page: Page, sentence: str) -> None:
    page.get_by_role("button", name="Verify").first.click()
    expect(page.locator(".verdict-line")).to_contain_text(sentence)


def failing_steps(page: Page) -> list[str]:
    return page.locator(".steps .failed h3").all_inner_texts()


def no_violation(page: Page) -> None:
    page.evaluate(AXE.read_text("utf-8"))
    found: dict[str, Any] = page.evaluate("axe.run()")
    assert [(each["id"], [node["html"][:120] for node in each["nodes"]]) for each in found["violations"]] == []


def tampered(data: bytes, number: int) -> bytes:
    """The transcript with the first two cards of a round exchanged."""
    shoe = json.loads(data)
    this = next(each for each in shoe["rounds"] if each["number"] == number)
    this["drawn"][:2] = this["drawn"][1::-1]
    return json.dumps(shoe).encode()


def test_a_round_is_verified_in_the_browser_as_by_the_command_and_a_tampered_one_is_false(tmp_path: Path) -> None:
    with opened(tmp_path, *QUICK) as house:
        number, session = played(house.running.address, 3)
        visitor = house.visitor()
        visitor.context.add_cookies([{"name": "pb_session", "value": session, "url": house.running.address}])
        page = visitor.open(f"/tables/{TABLE}/rounds/{number}")
        expect(page.get_by_role("heading", level=1)).to_have_text(f"Round {number}")
        expect(page.locator(".settlement tbody tr")).to_have_count(3)
        verified(page, TRUE)
        assert failing_steps(page) == []
        expect(page.locator(".server-only")).to_have_count(0)

        transcript = page.request.get(f"/api/tables/{TABLE}/shoes/1").body()
        assert "was dealt as committed" in verify(transcript)
        changed = tampered(transcript, number)
        try:
            verify(changed)
        except DoesNotFollow as refusal:
            sentence = str(refusal)
        page.route("**/shoes/1", lambda route: route.fulfill(body=changed, content_type="application/json"))
        verified(page, FALSE)
        expect(page.locator(".verification .problem")).to_have_text(sentence)
        assert failing_steps(page) == ["Key and state draw exactly these cards"]
        page.unroute("**/shoes/1")

        def other_cards(route: Route) -> None:
            said = route.fetch().json()
            route.fulfill(json=said | {"deal": "P 9f Tf | B 9g Tg", "winner": "tie"})

        page.route(f"**/rounds/{number}", other_cards)
        page.reload()
        verified(page, FALSE)
        assert failing_steps(page) == ["The record of this round says the same"]


def test_a_round_is_replayed_by_keys_and_disputed(tmp_path: Path) -> None:
    with opened(tmp_path, *QUICK) as house:
        number, session = played(house.running.address, 1)
        visitor = house.visitor(**PHONE, reduced_motion="reduce")
        visitor.context.add_cookies([{"name": "pb_session", "value": session, "url": house.running.address}])
        page = visitor.open(f"/tables/{TABLE}/rounds/{number}")
        deal = page.locator(".feltpanel")
        cards = deal.locator(".card")
        expect(cards.first).to_be_visible()
        count = cards.count()
        assert count in (4, 5, 6)
        deal.focus()
        page.keyboard.press("Home")
        expect(cards).to_have_count(0)
        page.keyboard.press("ArrowRight")
        expect(cards).to_have_count(1)
        page.keyboard.press("Space")
        expect(cards).to_have_count(count)
        expect(deal.get_by_role("heading", name="wins").or_(deal.get_by_role("heading", name="Tie"))).to_be_visible()
        page.get_by_role("button", name="Dispute").click()
        page.get_by_label("What was wrong?").fill("<b>The total</b> was called wrong")
        page.get_by_role("button", name="Send").click()
        expect(page.get_by_role("dialog")).to_contain_text("Your dispute was received.")
        assert page.request.get("/api/disputes").json()["disputes"][0]["said"] == "<b>The total</b> was called wrong"


def scanned(house: Opened, path: str, **options: Any) -> None:
    page = house.visitor(**options).open(path, "401")
    expect(page.locator(".panel").first).to_be_visible()
    page.get_by_role("button", name="Verify").first.click()
    expect(page.locator(".verdict-line")).to_be_visible()
    no_violation(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_rounds_and_shoes_are_for_everybody(tmp_path: Path) -> None:
    with opened(tmp_path, *QUICK) as house:
        number, _ = played(house.running.address, 2)
        for path in (f"/tables/{TABLE}/rounds/{number}", f"/tables/{TABLE}/shoes/1"):
            for size in ({}, PHONE):
                for theme in ("light", "dark"):
                    scanned(house, path, color_scheme=theme, **size)
