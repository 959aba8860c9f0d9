"""What is somebody's own: others of the same role have no part in it, and are not told that it is there."""

from collections.abc import Iterator
from typing import Any

import pytest

from server.attacked import Attacked, Who
from server.test_attacks_two_people import Floor


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Floor]:
    """A round is settled in which two patrons had money."""
    with Attacked(tmp_path_factory.mktemp("data")) as service:
        found = Floor(service)
        found.open_round()
        found.deal()
        found.settle()
        yield found


def status(floor: Floor, who: str | Who | None, method: str, path: str, body: Any = None) -> int:
    return floor.service.ask(who, method, path, body).status_code


def test_disputes(floor: Floor) -> None:
    body = {"table": floor.table, "round": 1, "said": "I had a natural."}
    answer = floor.service.ask("patron", "POST", "/api/disputes", body)
    assert answer.status_code == 201, answer.text
    path = f"/api/disputes/{answer.json()['dispute']['id']}"
    for who, expected in (("patron", 200), ("other-patron", 404), ("guest", 404), ("dealer", 404), ("auditor", 200)):
        assert status(floor, who, "GET", path) == expected, who
    assert floor.service.ask("other-patron", "GET", "/api/disputes").json()["disputes"] == []
    assert len(floor.service.ask("auditor", "GET", "/api/disputes").json()["disputes"]) == 1
    decision = {"outcome": "rejected", "decision": "The record shows a six."}
    assert status(floor, "supervisor", "POST", f"{path}/decide", decision) == 403, "it is assigned to nobody yet"
    for to in (floor.service.who["patron"].id, floor.service.who["dealer"].id, "s-00000000000000000000"):
        assert status(floor, "supervisor", "POST", f"{path}/assign", {"to": to}) == 409
    assert status(floor, "supervisor", "POST", f"{path}/assign", {}) == 200
    assert status(floor, "second-supervisor", "POST", f"{path}/decide", decision) == 403
    assert status(floor, "supervisor", "POST", f"{path}/decide", decision) == 200
    assert status(floor, "other-patron", "POST", f"{path}/seen") == 404
    assert status(floor, "patron", "POST", f"{path}/seen") == 200


def test_wagers_of_a_round(floor: Floor) -> None:
    path = f"/api/tables/{floor.table}/rounds/1"
    seen = {who: floor.service.ask(None if who == "nobody" else who, "GET", path).json() for who in
            ("nobody", "patron", "other-patron", "guest", "dealer", "supervisor", "auditor")}  # fmt: skip
    assert seen["patron"]["wagers"].keys() == {"player"}
    assert seen["other-patron"]["wagers"].keys() == {"banker"}
    for who in ("nobody", "guest", "dealer", "supervisor", "auditor"):
        assert not seen[who].get("wagers"), who
    ids = [floor.service.who[who].id for who in ("patron", "other-patron")]
    assert not [(who, each) for who, found in seen.items() for each in ids if each in str(found)]


def test_histories_and_ledgers(floor: Floor) -> None:
    service, (mine, other) = floor.service, (floor.service.who[who].id for who in ("patron", "other-patron"))
    for path in ("/api/history", "/api/ledger", "/api/me", "/api/limits"):
        found = service.ask("patron", "GET", path).text
        assert other not in found
        assert service.ask("patron", "GET", f"{path}?patron={other}").text.count(other) == 0
    for who in ("patron", "other-patron", "guest", "dealer"):
        assert status(floor, who, "GET", f"/api/patrons/{mine}/ledger") == 403
    assert status(floor, "auditor", "GET", f"/api/patrons/{mine}/ledger") == 200


def test_what_a_socket_tells_of_others(floor: Floor) -> None:
    """Stakes of all together, and of oneself: nobody's id but one's own is in any message."""
    service = floor.service
    with service.socket("patron", floor.table) as mine, service.socket("auditor", floor.table) as watching:
        heard = {"mine": [mine.hear("snapshot")], "watching": [watching.hear("snapshot")]}
        floor.open_round(shoe=False)
        floor.deal()
        floor.settle()
        for name, wire in (("mine", mine), ("watching", watching)):
            while heard[name][-1].get("event") != "round-settled":
                heard[name].append(wire.hear())
    ids = {who: service.who[who].id for who in ("patron", "other-patron")}
    assert ids["other-patron"] not in str(heard)
    assert ids["patron"] not in str(heard["watching"])
    assert "wagers" in heard["mine"][-1]
    assert "wagers" not in heard["watching"][-1]


def test_jobs(floor: Floor) -> None:
    body = {"game": "manila", "system": "flat", "rounds": 1, "sessions": 1, "bankroll": 100_000}
    answer = floor.service.ask("patron", "POST", "/api/jobs", body)
    assert answer.status_code == 202, answer.text
    path = f"/api/jobs/{answer.json()['id']}"
    for who in ("other-patron", "director"):
        assert status(floor, who, "GET", path) == status(floor, who, "DELETE", path) == 404
    assert floor.service.ask("other-patron", "GET", "/api/jobs").json()["jobs"] == []
    assert status(floor, "patron", "DELETE", path) == 200
