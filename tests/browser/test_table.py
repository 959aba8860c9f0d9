"""A table in the browser: a newcomer plays by mouse, touch and keys, and never loses what lies on the felt."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.pages import DESKTOP, PHONE, opened
from browser.staff import employed
from browser.test_round import no_violation
from puntobanco import find_game
from puntobanco.games import GAMES

TABLE = "six-star"
NOBODY_YET = "401 (Unauthorized)"
"""Who opens the page for the first time is nobody: asking who they are says so."""


def spot(page: Page, wager: str) -> Locator:
    return page.locator(f"[data-wager={wager}]")


def betting_opens(page: Page) -> int:
    """Wait for a round of which all the time is left; its number."""
    page.locator(".clock.open").wait_for()
    return int(page.locator(".tbar p").inner_text().split()[-1])


def has_accepted(page: Page, wager: str, amount: str) -> None:
    expect(spot(page, wager).locator(".stake:not(.pending) .sum")).to_contain_text(amount)


def settled(page: Page) -> None:
    page.locator(".tbl.over").wait_for()


def by_mouse(page: Page) -> None:
    spot(page, "banker").click()


def by_touch(page: Page) -> None:
    spot(page, "banker").tap()


def by_keys(page: Page) -> None:
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.dataset.wager"):
            break
    for _ in range(8):
        if page.evaluate("document.activeElement.dataset.wager") == "banker":
            break
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.wager") == "banker"
    page.keyboard.press("Enter")


@pytest.mark.parametrize(
    ("options", "stake"), [(DESKTOP, by_mouse), (PHONE, by_touch), (DESKTOP, by_keys)], ids=["mouse", "touch", "keys"]
)
def test_a_newcomer_has_a_wager_settled_within_a_minute(
    tmp_path: Path, options: dict[str, object], stake: Callable[[Page], None]
) -> None:
    with opened(tmp_path) as house:
        page = house.visitor(**options).open(f"/tables/{TABLE}", NOBODY_YET)
        betting_opens(page)
        stake(page)
        has_accepted(page, "banker", "10")
        settled(page)
        result = spot(page, "banker").inner_text()
        assert any(each in result for each in ("+", "\N{MINUS SIGN}", "Returned")), result
        assert "No stake" in spot(page, "tie").inner_text()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_keys_choose_chips_take_back_repeat_and_double(tmp_path: Path) -> None:
    with opened(tmp_path, "--betting-seconds", "15") as house:
        page = house.visitor().open(f"/tables/{TABLE}", NOBODY_YET)
        betting_opens(page)
        spot(page, "tie").focus()
        page.keyboard.press("2")
        page.keyboard.press("Space")
        has_accepted(page, "tie", "50")
        page.keyboard.press("d")
        has_accepted(page, "tie", "100")
        page.keyboard.press("Backspace")
        has_accepted(page, "tie", "50")
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("1")
        page.keyboard.press("Enter")
        has_accepted(page, "player", "10")
        settled(page)
        expect(page.locator(".receipt tbody tr")).to_have_count(2)
        page.get_by_role("button", name="Rebet 60 when bets open").click()
        betting_opens(page)
        has_accepted(page, "tie", "50")
        has_accepted(page, "player", "10")
        # Held, undo takes everything back.
        page.get_by_role("button", name="Undo").click(delay=900)
        expect(page.locator(".stake")).to_have_count(0)


def test_quick_taps_are_staked_once_each_and_a_maximum_caps_them(tmp_path: Path) -> None:
    with opened(tmp_path, "--betting-seconds", "15") as house:
        page = house.visitor().open(f"/tables/{TABLE}", NOBODY_YET)
        betting_opens(page)
        for _ in range(12):
            spot(page, "banker").click()
        has_accepted(page, "banker", "120")
        balance = page.locator(".dock .money b").first
        expect(balance).to_have_text("9,880")
        page.locator(".rail button").nth(5).click()
        spot(page, "player").click()
        has_accepted(page, "player", "5,000")
        # What is left does not cover another of these chips.
        expect(page.locator(".rail button").nth(5)).to_have_attribute("aria-disabled", "true")
        spot(page, "player").click()
        expect(spot(page, "player").locator(".note")).to_contain_text("short")
        has_accepted(page, "player", "5,000")


def test_what_comes_too_late_is_refused_at_its_spot_with_its_clause(tmp_path: Path) -> None:
    with opened(tmp_path, "--card-seconds", "1") as house:
        page = house.visitor().open(f"/tables/{TABLE}", NOBODY_YET)
        betting_opens(page)
        spot(page, "banker").click()
        has_accepted(page, "banker", "10")
        page.get_by_text("No more bets", exact=True).first.wait_for()
        # Who cannot know that it is too late is answered all the same.
        spot(page, "tie").click(force=True)
        expect(spot(page, "tie").locator(".note")).to_contain_text("5.6: betting closed at ")
        expect(spot(page, "tie").locator(".stake")).to_have_count(0)


def test_a_page_that_is_loaded_again_or_cut_off_has_every_stake(tmp_path: Path) -> None:
    with opened(tmp_path, "--betting-seconds", "12") as house:
        lost = ("ERR_INTERNET_DISCONNECTED", "ERR_CONNECTION_REFUSED", "WebSocket")
        visitor = house.visitor()
        page = visitor.open(f"/tables/{TABLE}", NOBODY_YET, *lost)
        betting_opens(page)
        spot(page, "banker").click()
        has_accepted(page, "banker", "10")
        page.reload()
        has_accepted(page, "banker", "10")
        # Another tab of the same patron has it too, and what is staked there comes here.
        other = visitor.open(f"/tables/{TABLE}")
        has_accepted(other, "banker", "10")
        spot(other, "tie").click()
        has_accepted(other, "tie", "10")
        has_accepted(page, "tie", "10")
        other.close()
        visitor.context.set_offline(True)
        page.wait_for_timeout(300)
        visitor.context.set_offline(False)
        settled(page)
        expect(page.locator(".receipt tbody tr")).to_have_count(2)


def test_ones_own_number_is_mixed_in_and_kept(tmp_path: Path) -> None:
    with opened(tmp_path) as house:
        page = house.visitor().open(f"/tables/{TABLE}", NOBODY_YET)
        number = betting_opens(page)
        spot(page, "banker").click()
        expect(page.locator(".commit")).to_contain_text("with your number")
        settled(page)
        rounds = page.request.get(f"/api/tables/{TABLE}/shoes/1").json()["rounds"]
        drawn = next(each for each in rounds if each["number"] == number)
        kept = page.evaluate(f"JSON.parse(localStorage['puntobanco.nonces.{TABLE}'])[{number}]")
        assert drawn["nonces"] == [{each: kept[each] for each in ("patron", "commitment", "nonce")}]


def test_a_card_is_squeezed_by_keys_and_its_face_is_not_in_the_page_before(tmp_path: Path) -> None:
    with opened(tmp_path, "--card-seconds", "0.6", "--pause-seconds", "25") as house:
        page = house.visitor().open(f"/tables/{TABLE}", NOBODY_YET)
        page.get_by_role("button", name="Squeeze").click()
        betting_opens(page)
        spot(page, "banker").click()
        has_accepted(page, "banker", "10")
        down = page.locator(".hand.banker .squeeze")
        down.first.wait_for()
        assert down.first.locator(".card").count() == 1
        expect(page.locator(".hand.banker .tot")).to_have_text("?")
        down.first.focus()
        page.keyboard.press("ArrowUp")
        assert down.first.locator(".card").count() == 2
        page.keyboard.press("Enter")
        expect(page.locator(".hand.banker .out")).not_to_have_count(0)
        page.get_by_role("button", name="Turn all").click(timeout=20_000)
        settled(page)


@pytest.mark.parametrize("game", [game.id for game in GAMES])
def test_every_wager_of_a_game_lies_on_its_felt_once(tmp_path: Path, game: str) -> None:
    with opened(tmp_path) as house:
        page = house.visitor(**PHONE).open(f"/tables/{game}", NOBODY_YET)
        page.locator(".spot").first.wait_for()
        found = page.eval_on_selector_all(".spot", "spots => spots.map(spot => spot.dataset.wager)")
        assert sorted(found) == sorted(find_game(game).paytables)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_axe_finds_nothing(tmp_path: Path, scheme: str) -> None:
    with opened(tmp_path, "--pause-seconds", "6") as house:
        for options in (DESKTOP, PHONE):
            page = house.visitor(**options, color_scheme=scheme).open(f"/tables/{TABLE}", NOBODY_YET)
            betting_opens(page)
            for wager in ("banker", "tie"):
                spot(page, wager).click()
            has_accepted(page, "tie", "10")
            no_violation(page)
            settled(page)
            no_violation(page)
            page.get_by_role("button", name="Rule card").first.click()
            no_violation(page)


def test_staff_only_watch(tmp_path: Path) -> None:
    with opened(tmp_path) as house:
        page = employed(house, "Mei Tan", "dealer").open(f"/tables/{TABLE}")
        betting_opens(page)
        expect(page.locator(".dock")).to_contain_text("Staff watch this table")
        spot(page, "banker").click(force=True)
        expect(spot(page, "banker").locator(".note")).to_contain_text("Staff watch only")
        expect(page.locator(".stake")).to_have_count(0)
