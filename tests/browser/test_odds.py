"""The odds lab: cards leave by a tap, every wager's odds follow exactly, and all of it stands in the address."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.pages import PHONE, ROOT, Opened, opened
from command_line import call

AXE = ROOT / "web/node_modules/axe-core/axe.min.js"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    with opened(tmp_path_factory.mktemp("odds")) as found:
        yield found


def lab(house: Opened, query: str = "?game=six-star", **options: object) -> Page:
    visitor = house.visitor(**options)
    # Whoever is nobody yet is told so, and the browser logs it.
    page = visitor.open(f"/odds{query}", "401")
    expect(page.locator(".wag tbody .dlt").first).not_to_be_empty()
    return page


def cell(page: Page, card: str) -> Locator:
    return page.locator(f'[data-card="{card}"]')


def edge(page: Page, wager: str) -> Locator:
    return page.locator(f'[data-wager="{wager}"] .edge b')


def printed_edge(*arguments: str, wager: str) -> str:
    found = json.loads(call("odds", *arguments, "--json").out)["wagers"][wager]["house_edge"]
    return f"{found:.2%}".replace("-", "\N{MINUS SIGN}")


def violations(page: Page) -> list[str]:
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run()")["violations"]
    return [f"{each['id']}: {each['nodes'][0]['html']}" for each in found]


def test_a_card_leaves_by_a_tap_and_the_exact_odds_follow(house: Opened) -> None:
    page = lab(house)
    for card in ("6f", "6f", "9g"):
        cell(page, card).click()
    expect(cell(page, "6f")).to_have_text("6")
    expect(page.locator(".from")).to_contain_text("517 of 520")
    expect(edge(page, "fortune-six")).to_have_text(
        printed_edge("six-star", "--remove", "6f 6f 9g", wager="fortune-six")
    )
    page.wait_for_url("**/odds?game=six-star&decks=8&out=6f2.9g")
    cell(page, "6f").click(button="right")
    cell(page, "9g").click(delay=600)
    expect(edge(page, "fortune-six")).to_have_text(printed_edge("six-star", "--remove", "6f", wager="fortune-six"))
    page.get_by_role("button", name="Full shoe").click()
    expect(cell(page, "6f")).to_have_text("8")


def test_by_keys_alone(house: Opened) -> None:
    page = lab(house)
    cell(page, "Af").focus()
    for key in ("ArrowRight", "ArrowDown", "-", "Enter", "-", "+"):
        page.keyboard.press(key)
    expect(cell(page, "2g")).to_be_focused()
    expect(cell(page, "2g")).to_have_accessible_name("two of Gold, 6 of 8 left")
    expect(page.locator("#live-region")).to_have_text("two of Gold, 6 of 8 left")
    page.locator(".wag .pick").nth(2).focus()
    page.keyboard.press("Enter")
    expect(page.locator(".wag .sub").first).to_contain_text("8 to 1")


def test_an_address_is_the_whole_of_it(house: Opened) -> None:
    address = "?game=manila&decks=6&out=9h2.Ks&hands=P9h.Kd_B3s&wager=tie"
    page = lab(house, address)
    expect(cell(page, "9h")).to_have_text("3")
    expect(page.locator(".ms.filled")).to_have_count(3)
    expect(page.locator(".wag .sel")).to_have_attribute("data-wager", "tie")
    arguments = ("manila", "--decks", "6", "--remove", "9h 9h Ks", "--seen", "P 9h Kd | B 3s")
    expect(edge(page, "banker")).to_have_text(printed_edge(*arguments, wager="banker"))
    page.wait_for_timeout(400)
    assert page.url.endswith(f"/odds{address}")


def test_what_the_rules_cannot_deal_is_refused_where_it_lies(house: Opened) -> None:
    visitor = house.visitor()
    page = visitor.open("/odds?game=manila&hands=P9h.Kd_B3s.4h", "401", "409")
    page.get_by_role("button", name="Banker, card 3").click()
    cell(page, "2c").click()
    expect(page.locator(".shoe .refused")).to_contain_text("rules of the game")
    page.get_by_role("button", name="Clear").click()
    expect(page.locator(".refused")).to_have_count(0)


def test_a_wager_of_ones_own_is_priced_beside_the_others(house: Opened) -> None:
    page = lab(house, "?game=manila")
    page.get_by_role("button", name="Your own wager").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("Dragon Seven")
    dialog.get_by_label("Pays").fill("40 to 1")
    for place, (fact, value) in enumerate((("winner", "Banker"), ("banker_total", "7"), ("banker_cards", "3"))):
        if place:
            dialog.get_by_role("button", name="Another condition").click()
        condition = dialog.locator(".test").nth(place)
        condition.get_by_label("Fact").select_option(fact)
        condition.get_by_role("button", name=value, exact=True).click()
    # The well-known figure of this wager with eight decks, paid 40 to 1: the house has 7.61%.
    expect(dialog.locator(".price")).to_contain_text("7.61%")
    dialog.get_by_role("button", name="Done").click()
    expect(edge(page, "own")).to_have_text("7.61%")
    page.wait_for_url("**own=40:1,winner:banker,banker_total:7,banker_cards:3")
    cell(page, "7h").click()
    expect(edge(page, "own")).not_to_have_text("7.61%")


def test_sessions_are_played_and_drawn(house: Opened) -> None:
    page = lab(house, "?game=manila&play=flat,banker,100,100,200,10000,7")
    expect(page.locator(".bnk svg path.m")).to_have_count(1)
    expect(page.locator(".bnk svg path.s")).to_have_count(3)
    expect(page.get_by_role("heading", name="100 on Banker, 100 rounds")).to_be_visible()


def test_a_live_table_is_followed_until_a_card_is_taken_out(house: Opened) -> None:
    page = lab(house, "?table=six-star")
    select = page.get_by_label("Game or table")
    expect(select).to_have_value("/six-star")
    cell(page, "2f").click()
    expect(select).to_have_value("six-star")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [{}, PHONE])
def test_everybody_can_use_it(house: Opened, scheme: str, size: dict[str, object]) -> None:
    page = lab(house, "?game=six-star&out=6f4&wager=tie", color_scheme=scheme, **size)
    assert page.viewport_size is not None
    expect(page.locator(".eff .eor")).to_be_visible()
    assert violations(page) == []
    page.locator(".eff .seg button").nth(1).click()
    expect(page.locator(".heat")).to_be_visible()
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == page.viewport_size["width"]
    if size:
        page.get_by_role("button", name="All wagers").first.click()
    page.get_by_role("button", name="Your own wager").click()
    assert violations(page) == []
