"""Rule cards, the coach and the trainer of every game, and the cards themselves, as a reader meets them."""

from pathlib import Path

from playwright.sync_api import Page, expect

from browser.pages import PHONE, opened
from puntobanco.cards import PACKS
from puntobanco.games import GAMES

NOBODY = "401"
"""Whoever only reads has not come as a guest yet, and the page asks who it is."""


def answered(page: Page, key: str) -> None:
    """Answer the question by key and see that the focus is where one goes on."""
    page.keyboard.press(key)
    expect(page.locator(".verdict .clause").first).to_be_visible()
    expect(page.locator(".ask .btn.solid")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".verdict")).to_have_count(0)


def test_every_game_has_its_card_with_every_line_and_clause(tmp_path: Path) -> None:
    with opened(tmp_path) as house:
        page = house.visitor().open("/rules", NOBODY)
        for game in GAMES:
            page.get_by_role("link", name=game.name, exact=True).click()
            expect(page.get_by_role("heading", level=1)).to_have_text(game.name)
            wagers = page.locator(".wager")
            expect(wagers).to_have_count(len(game.paytables))
            for wager in game.paytables.values():
                of = wagers.filter(has=page.get_by_role("heading", name=wager.name, exact=True))
                expect(of.locator("tbody tr")).to_have_count(len(wager.all_lines))
                for line in wager.all_lines:
                    expect(of).to_contain_text(line.label)
                    expect(of).to_contain_text(line.clause)
            expect(page.get_by_text(game.digest)).to_be_visible()
            counts = page.locator(".values li b").all_inner_texts()
            assert [int(text) for text in counts] == [card.points for card in game.pack.cards[:13]]
            page.get_by_role("link", name="All games").click()


def test_a_table_has_a_card_with_its_limits(tmp_path: Path) -> None:
    with opened(tmp_path) as house:
        page = house.visitor().open("/rules/manila?table=manila", NOBODY)
        expect(page.get_by_text("As played at table manila")).to_be_visible()
        expect(page.locator(".wager").first).to_contain_text("Limits")


def test_the_trainer_of_every_game_is_answered_by_keys_alone_and_keeps_the_score(tmp_path: Path) -> None:
    with opened(tmp_path) as house:
        reader = house.visitor()
        for game in GAMES:
            page = reader.open(f"/learn/{game.id}", NOBODY)
            expect(page.get_by_role("heading", level=2).first).to_be_focused()
            for key in "121":
                answered(page, key)
            page.reload()
            expect(page.locator(".score dd").first).to_contain_text("/3")
            page.close()


def test_the_coach_leads_a_newcomer_by_touch_to_a_table(tmp_path: Path) -> None:
    with opened(tmp_path) as house:
        page = house.visitor(**PHONE).open("/learn?game=six-star", NOBODY)
        for step in range(1, 8):
            expect(page.get_by_text(f"Step {step} of 8")).to_be_visible()
            page.get_by_role("button", name="Next").tap()
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        page.get_by_role("link", name="Sit down").tap()
        page.wait_for_url("**/tables/six-star")


def test_every_face_of_both_packs_is_drawn_once_and_has_a_name(tmp_path: Path) -> None:
    with opened(tmp_path) as house:
        page = house.visitor().open("/cards", NOBODY)
        faces = page.locator(".faces svg.card")
        expect(faces).to_have_count(sum(len(pack) for pack in PACKS))
        names = [face.get_attribute("aria-label") for face in faces.all()]
        assert len(set(names)) == len(names)
        assert {"nine of Fire", "King of Spades"} <= set(names)
        page.get_by_label("Four colours").check()
        expect(page.get_by_role("img", name="nine of Clubs")).to_have_class("card s-green ")
        page.get_by_label("Large index").check()
        page.reload()
        expect(page.get_by_label("Large index")).to_be_checked()
