"""What is answered to whoever asks: under the id that they gave, with the reason that the rules give."""

import itertools
import re
from collections.abc import Iterator
from typing import Any, get_args

import pytest

from puntobanco.server.floor_routes import Override
from puntobanco.server.front_door import LINKS
from puntobanco.table.settings import OVERRIDES
from server.attacked import VIRTUAL, Attacked


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacked]:
    with Attacked(tmp_path_factory.mktemp("data")) as found:
        yield found


@pytest.mark.parametrize(
    "message",
    [
        b'{"id": "refused-0001", "do": "stake", "wager": "tie", "amount": 1e3}',
        b'{"id": "refused-0001", "do": "stake", "wager": "tie", "amount": "1000"}',
        b'{"id": "refused-0001", "do": "stake", "wager": "tie", "amount": 1, "amount": 2}',
        b'{"id": "refused-0001", "do": "stake", "wager": "tie", "amount": 1, "id2": {"id": "another-0001"}}',
        b'{"id": "refused-0001", "do": "none such"}',
        b'{"do": 1, "id": "refused-0001"}',
        b'{"id": "refused-0001"}',
        b'{"id": "refused-0001", "do": "pause", "reason": "\\u202e"}',
        b'{"id": "refused-0001", "do": "stake", "wager": "tie", "amount": ' + b"9" * 3_000 + b"}",
        b'{"\\u0069d": "refused-0001", "do": "none such"}',
    ],
    ids=itertools.count(),
)  # fmt: skip
def test_a_refusal_carries_the_id_of_a_message_that_cannot_be_read(service: Attacked, message: bytes) -> None:
    with service.socket("patron") as wire:
        heard = wire.ask(message)
    assert (heard["type"], heard["id"], heard["reason"]) == ("refused", "refused-0001", "malformed")


@pytest.mark.parametrize(
    "message",
    [
        b"",
        b"not JSON",
        b'"refused-0001"',
        b'["id", "refused-0001"]',
        b'[["id", "refused-0001"]]',
        b'{"id": "refused-0001", "do": "stake"',
        b'{"do": "stake", "wager": "tie", "amount": 1000}',
        b'{"id": "short", "do": "stake"}',
        b'{"id": "' + b"x" * 65 + b'", "do": "stake"}',
        b'{"id": "unseen\\u202e-0001", "do": "stake"}',
        b'{"id": "half\\ud800-0001", "do": "stake"}',
        b'{"id": "        ", "do": "stake"}',
        b'{"id": 12345678, "do": "stake"}',
        b'{"id": ["refused-0001"], "do": "stake"}',
        b'{"id": "refused-0001", "id": "refused-0002", "do": "stake", "wager": "tie", "amount": 2000}',
        b'{"of": {"id": "refused-0001"}}',
        b'{"id": "refused-\xff001"}',
        b"[" * 4_000,
    ],
    ids=itertools.count(),
)  # fmt: skip
def test_what_is_no_id_is_not_given_back(service: Attacked, message: bytes) -> None:
    with service.socket("patron") as wire:
        heard = wire.ask(message)
    assert (heard["type"], heard["id"], heard["reason"]) == ("refused", None, "malformed")


# Settings that a rule forbids.


@pytest.mark.parametrize(
    ("wishes", "reason", "clause", "words"),
    [
        ({"game": "baccarat-tournament", "account": "cash"}, "not-for-cash", "Ruling 13", "is not played for cash"),
        ({"game": "manila", "decks": 11}, "unfit-decks", "Ruling 2", "4 to 10 decks, not 11"),
        ({"game": "six-star", "decks": 3}, "unfit-decks", "2.1", "4 to 10 decks, not 3"),
        ({"game": "manila", "currency": "EUR"}, "unfit-currency", "Ruling 19", "is played in PHP or HKD"),
        ({"game": "manila", "cut_depth": 400}, "unfit-cut", "Ruling 17", "not in the second half"),
        ({"game": "manila", "limits": {"tie": {"minimum": 20, "maximum": 10, "step": 10}}}, "unfit-limits", None,
         "that at most the maximum"),
        ({"game": "manila", "limits": {"corner": {"minimum": 1, "maximum": 1, "step": 1}}}, "unknown-wager", None,
         "it has player, banker, banker-pair"),
        ({"game": "six-star", "bonuses": {"7 Stars": 100}}, "unknown-bonus", None, "6 Stars"),
        ({"game": "manila", "bonuses": {"6 Stars": 100}}, "unknown-bonus", None, "has no such bonus"),
        ({"game": "fabulous-4", "reading": {"element_nines": "instead"}}, "unknown-reading", None, "element_eights"),
        ({"game": "fabulous-4", "reading": {"element_eights": "never"}}, "unknown-reading", None,
         "on-top or instead"),
        ({"game": "roulette"}, "unknown-game", None, "six-star"),
    ],
    ids=itertools.count(),
)  # fmt: skip
def test_settings_that_a_rule_forbids_are_refused_with_its_reason(
    service: Attacked, wishes: dict[str, Any], reason: str, clause: str | None, words: str
) -> None:
    answer = service.ask("director", "POST", "/api/tables", {"id": "not-made", **wishes})
    error = answer.json()["error"]
    assert (answer.status_code, error["reason"], error["clause"]) == (409, reason, clause)
    assert words in error["message"]
    assert service.ask(None, "GET", "/api/tables/not-made").status_code == 404


def test_a_change_that_a_rule_forbids_changes_nothing(service: Attacked) -> None:
    before = service.ask("director", "GET", "/api/floor").json()
    answer = service.ask("director", "PATCH", f"/api/tables/{VIRTUAL}", {"decks": 11, "name": "Another"})
    assert (answer.status_code, answer.json()["error"]["reason"]) == (409, "unfit-decks")
    assert service.ask("director", "GET", "/api/floor").json() == before


# House rules.


def floor_of(service: Attacked, table: str) -> dict[str, Any]:
    listed: list[dict[str, Any]] = service.ask("director", "GET", "/api/floor").json()["tables"]
    return next(each for each in listed if each["id"] == table)


def test_every_house_rule_can_be_set_and_taken_away(service: Attacked) -> None:
    made = service.ask(
        "director", "POST", "/api/tables",
        {
            "id": "ours", "game": "six-star", "burn": "off", "cut_depth": 60, "bonuses": {"6 Stars": 1_000},
            "reading": {"rounding": "up"}, "patron_limit": 50_000, "table_limit": 60_000, "house_limit": 70_000,
            "betting_milliseconds": 5_000, "card_milliseconds": 100,
        },
    )  # fmt: skip
    assert made.status_code == 201, made.text
    found = floor_of(service, "ours")
    assert (found["burn"], found["cut_depth"], found["bonuses"]["6 Stars"]) == ("off", 60, 1_000)
    assert found["reading"]["rounding"] == "up"
    assert [found[f"{who}_limit"] for who in ("patron", "table", "house")] == [50_000, 60_000, 70_000]
    assert found["bonuses"].keys() > {"6 Stars"}, "the others are as usual"

    changed = service.ask("director", "PATCH", "/api/tables/ours", {"table_limit": None, "betting_milliseconds": None})
    assert changed.status_code == 200, changed.text
    assert [changed.json()[f"{who}_limit"] for who in ("patron", "table", "house")] == [50_000, None, 70_000]
    assert (changed.json()["betting_milliseconds"], changed.json()["card_milliseconds"]) == (None, 100)
    assert {**changed.json(), **{name: found[name] for name in ("table_limit", "betting_milliseconds", "digest")}} == {
        **found,
        "waits": changed.json()["waits"],
    }


def test_a_house_overrides_by_name_and_takes_it_back(service: Attacked) -> None:
    asked = {"id": "for-cash", "game": "baccarat-tournament", "account": "cash", "overrides": list(OVERRIDES)}
    made = service.ask("director", "POST", "/api/tables", asked)
    assert (made.status_code, made.json()["overrides"]) == (201, list(OVERRIDES))
    refused = service.ask("director", "PATCH", "/api/tables/for-cash", {"overrides": []})
    assert refused.json()["error"]["reason"] == "not-for-cash"
    chips = service.ask("director", "PATCH", "/api/tables/for-cash", {"overrides": [], "account": "chips"})
    assert (chips.status_code, chips.json()["overrides"]) == (200, [])
    assert set(get_args(Override)) == OVERRIDES


# Where to begin.


def test_the_address_of_the_service_leads_to_the_rest(service: Attacked) -> None:
    answer = service.ask(None, "GET", "/")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    links = re.findall(r'href="([^"]+)"', answer.text)
    assert links == list(LINKS)
    assert [service.ask(None, "GET", link).status_code for link in links] == [200] * len(links)


@pytest.mark.parametrize("path", ["/", "/healthz", "/readyz"])
def test_whoever_only_asks_whether_it_is_there_is_told(service: Attacked, path: str) -> None:
    answer = service.ask(None, "HEAD", path)
    assert (answer.status_code, answer.content) == (200, b"")
    assert answer.headers["content-length"] == service.ask(None, "GET", path).headers["content-length"]
