"""What is answered to whoever asks: under the id that they gave, with the reason that the rules give."""

import asyncio
import itertools
from collections.abc import Iterator
from typing import Any, get_args

import pytest

from puntobanco.client import Client, Refused
from puntobanco.server.build import BUILD
from puntobanco.server.floor_routes import Override
from puntobanco.store.database import StorageFault
from puntobanco.table.settings import OVERRIDES
from server.attacked import PIT, VIRTUAL, Attacked


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
         "20 to 10 in steps of 10 are not limits: the step is at most the minimum, that at most the maximum."),
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

    for short in (0, 999):
        refused = service.ask("director", "PATCH", "/api/tables/ours", {"betting_milliseconds": short})
        assert refused.status_code == 400, "nobody could bet there"
        assert "betting_milliseconds" in refused.json()["error"]["message"]
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


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_whoever_only_asks_whether_it_is_there_is_told(service: Attacked, path: str) -> None:
    answer = service.ask(None, "HEAD", path)
    assert (answer.status_code, answer.content) == (200, b"")
    assert answer.headers["content-length"] == service.ask(None, "GET", path).headers["content-length"]


DATABASES_WORDS = "connection to 10.1.2.3 refused"


def let_one_fail(service: Attacked, monkeypatch: pytest.MonkeyPatch) -> list[None]:
    """Whoever comes next cannot be looked up, once; what is left says whether that has happened."""
    arrive, left = service.house.responsible.arrive, [None]

    async def fails_once(*asked: Any) -> None:
        if left:
            left.pop()
            raise StorageFault(DATABASES_WORDS)
        await arrive(*asked)

    monkeypatch.setattr(service.house.responsible, "arrive", fails_once)
    return left


def test_a_socket_whose_table_cannot_be_joined_is_ended(service: Attacked, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would stay open and silent; and what the database says of itself is for the log alone."""
    let_one_fail(service, monkeypatch)
    logged = len(service.log.getvalue())
    with service.socket("patron") as wire:
        heard = wire.hear()
        assert (heard["type"], heard["reason"]) == ("refused", "storage")
        assert heard["message"] == "The service failed at this; nothing was done that was not acknowledged."
        with pytest.raises(ConnectionError, match="closed with 1013"):
            wire.hear()
        assert wire.is_closed()
    told = service.log.getvalue()[logged:]
    assert DATABASES_WORDS in told
    assert "StorageFault" in told
    with service.socket("patron") as wire:
        assert wire.hear()["type"] == "snapshot"


def test_a_client_whose_table_could_not_be_joined_comes_again(
    service: Attacked, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> None:
        async with Client(service.origin) as client:
            await client.come_as_guest()
            left = let_one_fail(service, monkeypatch)
            async with asyncio.timeout(10), client.join(VIRTUAL) as table:
                assert not left
                assert table.connections == 2
                assert table.state["id"] == VIRTUAL
                # Once it is there it comes back in the same way, for what it has missed.
                left.append(None)
                for live in list(service.house.tables[VIRTUAL].connections):
                    service.run(_broken_off(live))
                await table.stake("player", 2000)
                assert (left, table.connections) == ([], 4)

    asyncio.run(work())


async def _broken_off(connection: Any) -> None:
    connection.break_off()


@pytest.mark.parametrize("counted", [{"9h": 100}, {"Th": 8, "10h": 8}])
def test_a_count_that_no_shoe_has_is_not_said_to_be_of_another_pack(service: Attacked, counted: Any) -> None:
    answer = service.command("dealer", PIT, {"id": "counted-0001", "do": "open-shoe", "counted": counted})
    said = answer.json()["error"]
    assert (answer.status_code, said["reason"]) == (400, "wrong-composition")
    assert "cannot be in a shoe" in said["message"]


@pytest.mark.parametrize(
    "address", ["/api/tables?page=2", "/api/history?limit=5&after=1", "/api/history?limit=5&limit=6", "/healthz?x"]
)
def test_a_parameter_that_no_route_knows_is_refused(service: Attacked, address: str) -> None:
    answer = service.ask("patron", "GET", address)
    assert (answer.status_code, answer.json()["error"]["reason"]) == (400, "malformed")
    assert "page" not in answer.text
    assert "after" not in answer.text
    assert service.ask("patron", "GET", "/api/history?limit=5").status_code == 200


def test_the_build_is_named(service: Attacked) -> None:
    answer = service.ask("patron", "GET", "/api/tables")
    with service.socket("patron", VIRTUAL) as wire:
        assert wire.hear("snapshot")["build"] == answer.headers["x-puntobanco-build"] == BUILD


def test_who_is_too_late_is_told_when_by_either_door(service: Attacked) -> None:
    shoe: list[Any] = [{"do": "open-shoe"}, {"do": "burn", "shown": ["Ac"], "face_down": 1}, {"do": "open-betting"}]
    for number, message in enumerate(shoe):
        assert service.command("dealer", PIT, {"id": f"before-{number:03}", **message}).status_code == 200
    closed = service.command("dealer", PIT, {"id": "close-it", "do": "close-betting"}).json()["time"]
    late = {"do": "stake", "wager": "tie", "amount": 2000}
    by_http = service.command("patron", PIT, {"id": "late-by-http", **late})
    assert (by_http.status_code, by_http.json()["error"]["reason"]) == (409, "late-wager")
    closed_at = by_http.json()["error"]["closed_at"]
    assert abs(closed_at - closed) < 1_000
    with service.socket("patron", PIT) as wire:
        assert wire.ask({"id": "late-by-socket", **late})["closed_at"] == closed_at

    async def by_client() -> int | None:
        async with Client(service.origin) as client:
            await client.come_as_guest()
            async with client.join(PIT) as table:
                with pytest.raises(Refused) as refused:
                    await table.stake("tie", 2000)
                return refused.value.closed_at

    assert asyncio.run(by_client()) == closed_at
