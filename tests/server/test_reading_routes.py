"""What is read beside live play, over HTTP: who may ask for what, and that nothing but what is described is taken."""

import asyncio
import csv
import io
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from puntobanco.server.app import application
from puntobanco.server.clock import SystemClock
from puntobanco.server.configuration import Configuration
from puntobanco.server.house import House
from puntobanco.server.persons import Person, Role
from server.malformed import AMOUNTS

ORIGIN = "http://tables.test"
QUICK: dict[str, Any] = {"card_seconds": 0, "betting_seconds": 0.2, "reveal_seconds": 0, "pause_seconds": 0.05}

# Every way of reading, by who may: one that is new and not named here fails.
ANYBODY = {
    "GET /api/tables/{table}/rounds/{number}",
    "GET /api/odds/{game}",
    "GET /api/odds/{game}/removal",
    "POST /api/odds/{game}",
}
ANYBODY |= {"GET /api/tables/{table}/odds"}
ANYBODY |= {"GET /api/vocabulary"}
PATRONS = {"GET /api/history", "GET /api/ledger", "GET /api/limits", "PUT /api/limits", "POST /api/cool-off"}
PATRONS |= {"POST /api/disputes", "POST /api/disputes/{dispute_id}/seen"}
SUPERVISORS = {"POST /api/disputes/{dispute_id}/assign", "POST /api/disputes/{dispute_id}/decide"}
REPORTS = {"GET /api/reports/win", "GET /api/reports/changes", "GET /api/patrons/{patron}/ledger"}
EXPORTS = {"GET /api/exports/{name}.{written_as}"}
JOBS = {"POST /api/jobs", "GET /api/jobs", "GET /api/jobs/{job_id}", "DELETE /api/jobs/{job_id}"}
SIGNED_IN = {"GET /api/disputes", "GET /api/disputes/{dispute_id}"}
TAGS = {"rounds", "ledger", "disputes", "responsible play", "laboratory", "reports"}


@dataclass
class Service:
    house: House
    app: Any

    def client(self, cookie: str | None = None) -> httpx.AsyncClient:
        headers = {"origin": ORIGIN} | ({"cookie": cookie} if cookie else {})
        transport = httpx.ASGITransport(self.app, raise_app_exceptions=False)
        return httpx.AsyncClient(transport=transport, base_url=ORIGIN, headers=headers)

    async def guest(self) -> tuple[str, httpx.AsyncClient]:
        _, token, _ = await self.house.welcome()
        signed = await self.house.people.signed_in(token)
        assert signed is not None
        await self.house.arrived(signed)
        return signed.person.id, self.client(f"pb_session={token}")

    async def staff(self, role: Role) -> tuple[str, httpx.AsyncClient]:
        person, password = await self.house.people.add_staff(f"{role.value.title()} Jo", role)
        _, token = await self.house.people.change_password(person, password, "nine herons on the pier")
        return person.id, self.client(f"pb_session={token}")


@asynccontextmanager
async def service(folder: Path) -> AsyncIterator[Service]:
    settings: dict[str, Any] = {"data": folder, "origin": (ORIGIN,), "first_tables": ("manila",), "rate_limits": False}
    house = await House.open(Configuration(**settings, **QUICK), SystemClock())
    try:
        yield Service(house, application(house))
    finally:
        await house.close()


class Watcher:
    """Somebody at the table, so that it plays."""

    person: Person | None = None
    version = 0

    def send(self, *messages: bytes) -> None:
        pass

    def say_goodbye(self) -> None:
        pass

    def break_off(self) -> None:
        pass


async def play(at: Service, client: httpx.AsyncClient, rounds: int) -> list[int]:
    """Stake on so many rounds; their numbers."""
    (table,) = at.house.tables.values()
    watcher = Watcher()
    table.audience.enter(watcher)
    table._changed.set()
    played: list[int] = []
    for _ in range(400):
        answer = await client.post(
            f"/api/tables/{table.name}/commands",
            json={"id": f"command-{len(played):04}-{_:04}", "do": "stake", "wager": "tie", "amount": 2000},
        )
        if answer.status_code == 200 and table.table.round_number not in played:
            played.append(table.table.round_number)
        if len(played) == rounds:
            break
        await asyncio.sleep(0.05)
    while table.table.phase.in_round and table.table.round_number == played[-1]:
        await asyncio.sleep(0.02)
    table.leave(watcher)
    assert len(played) == rounds
    return played


def test_a_patron_reads_what_became_of_their_rounds(tmp_path: Path) -> None:
    async def run() -> None:
        async with service(tmp_path) as at:
            patron, client = await at.guest()
            (name,) = at.house.tables
            numbers = await play(at, client, 3)
            for number in numbers:
                found = (await client.get(f"/api/tables/{name}/rounds/{number}")).json()
                assert found["wagers"]["tie"]["stake"] == 2000
                assert set(found) >= {"table", "number", "shoe", "deal", "player_total", "banker_total", "winner"}
                assert set(found) >= {"void", "rules_digest", "wagers", "evidence", "key", "state"}
                other = (await at.client().get(f"/api/tables/{name}/rounds/{number}")).json()
                assert other["wagers"] == {}
            history = (await client.get("/api/history")).json()
            assert [each["number"] for each in history["rounds"]] == numbers[::-1]
            page = (await client.get("/api/history", params={"limit": 1})).json()
            assert (await client.get("/api/history", params={"before": page["before"]})).json()["rounds"] == history[
                "rounds"
            ][1:]
            ledger = (await client.get("/api/ledger")).json()
            assert ledger["balances"] == await at.house.purses.balances(patron)
            net = sum(each["net"] for each in history["rounds"])
            me = (await client.get("/api/me")).json()
            assert me["session"]["net"]["PHP"] == net
            _, supervisor = await at.staff(Role.SUPERVISOR)
            assert (await supervisor.get(f"/api/patrons/{patron}/ledger")).json() == ledger
            assert (await supervisor.get("/api/patrons/g-nobody/ledger")).status_code == 404
            win = (await supervisor.get("/api/reports/win")).json()
            assert [line["win"] for line in win["tables"]] == [-net]
            assert (await client.get(f"/api/tables/{name}/rounds/99999")).status_code == 404
            assert (await client.get(f"/api/tables/{name}/odds")).json()["game"] == "manila"

    asyncio.run(run())


def test_a_dispute_over_http(tmp_path: Path) -> None:
    async def run() -> None:
        async with service(tmp_path) as at:
            patron, client = await at.guest()
            (name,) = at.house.tables
            (number,) = await play(at, client, 1)
            body = {"table": name, "round": number, "said": "My tie was not paid."}
            opened = await client.post("/api/disputes", json=body)
            assert opened.status_code == 201
            dispute = opened.json()["dispute"]
            assert (dispute["patron"], opened.json()["round"]["number"]) == (patron, number)
            assert opened.json()["round"]["wagers"]["tie"]["stake"] == 2000
            assert (await client.post("/api/disputes", json=body)).status_code == 409
            assert (await client.post("/api/disputes", json={**body, "round": 99_999})).status_code == 404
            _, stranger = await at.guest()
            foreign = await stranger.post("/api/disputes", json=body)
            assert (foreign.status_code, foreign.json()["error"]["reason"]) == (409, "no-stake")
            address = f"/api/disputes/{dispute['id']}"
            assert (await stranger.get(address)).status_code == 404
            assert (await stranger.get("/api/disputes")).json() == {"disputes": []}
            assert (await client.post(f"{address}/assign", json={})).status_code == 403
            dora, supervisor = await at.staff(Role.SUPERVISOR)
            (open_one,) = (await supervisor.get("/api/disputes", params={"state": "open"})).json()["disputes"]
            me = (await client.get("/api/me")).json()
            assert open_one == {**dispute, "names": {patron: me["name"]}}
            assert (await supervisor.get(address)).json()["round"]["wagers"]["tie"]["stake"] == 2000
            assert (await supervisor.post(f"{address}/assign", json={})).json()["assigned_to"] == dora
            said = {"outcome": "rejected", "decision": "The cards say otherwise."}
            assert (await supervisor.post(f"{address}/decide", json=said)).json()["state"] == "decided"
            (notice,) = (await client.get("/api/me")).json()["notices"]
            assert (notice["type"], notice["dispute"], notice["round"]) == ("dispute-decided", dispute["id"], number)
            assert (notice["outcome"], notice["decision"]) == ("rejected", said["decision"])
            assert (await stranger.get("/api/me")).json()["notices"] == []
            assert (await client.post(f"{address}/seen")).json()["told"] is not None
            assert await at.house.disputes.unseen_decisions(patron) == []

    asyncio.run(run())


def test_limits_and_a_break_over_http_refuse_wagers(tmp_path: Path) -> None:
    async def run() -> None:
        async with service(tmp_path) as at:
            _, client = await at.guest()
            (table,) = at.house.tables.values()
            for kind in ("stake", "loss"):
                answer = await client.put("/api/limits", json={kind: {"PPH": 1000}})
                assert (answer.status_code, answer.json()["error"]["reason"]) == (409, "bad-unit")
            assert (await client.put("/api/limits", json={"stake": {"PPH": None}})).status_code == 200
            said = (await client.put("/api/limits", json={"stake": {"PHP": 1000}, "minutes": 60})).json()
            assert (said["stake"]["PHP"]["amount"], said["minutes"]["amount"]) == (1000, 60)
            wager = {"id": "a-wager-1", "do": "stake", "wager": "tie", "amount": 2000}
            address = f"/api/tables/{table.name}/commands"
            assert (await client.post(address, json=wager)).json()["error"]["reason"] == "own-stake-limit"
            said = (await client.put("/api/limits", json={"stake": {"PHP": None}})).json()
            assert (said["stake"]["PHP"]["amount"], said["stake"]["PHP"]["next"]["amount"]) == (1000, None)
            assert said["minutes"]["amount"] == 60
            assert (await client.post("/api/cool-off", json={"hours": 1})).json()["until"] > at.house.clock.now()
            assert (await client.post(address, json={**wager, "id": "a-wager-2"})).json()["error"][
                "reason"
            ] == "cool-off"
            assert (await client.get("/api/limits")).json()["cool_off_until"] is not None

    asyncio.run(run())


def test_exports_and_jobs_over_http(tmp_path: Path) -> None:
    async def run() -> None:
        async with service(tmp_path) as at:
            _, client = await at.guest()
            await play(at, client, 2)
            _, director = await at.staff(Role.DIRECTOR)
            answer = await director.get("/api/exports/postings.csv")
            assert answer.headers["content-type"] == "text/csv; charset=utf-8"
            lines = list(csv.DictReader(io.StringIO(answer.text)))
            assert len(lines) == len((await director.get("/api/exports/postings.json")).json()) > 5
            assert (await director.get("/api/exports/people.csv")).status_code in (400, 404)
            assert (await director.get("/api/exports/rounds.xml")).status_code in (400, 404)
            job = {"game": "manila", "system": "flat", "rounds": 20, "sessions": 50, "bankroll": 100_000, "seed": 1}
            asked = await client.post("/api/jobs", json=job)
            assert asked.status_code == 202
            address = f"/api/jobs/{asked.json()['id']}"
            for _ in range(1000):
                found = (await client.get(address)).json()
                if found["state"] == "done":
                    break
                await asyncio.sleep(0.02)
            assert found["result"]["sessions"] == 50
            assert (await director.get(address)).status_code == 404
            assert (await client.get("/api/jobs")).json()["jobs"][0]["result"] is None
            assert (await client.delete(address)).json()["result"] is None

    asyncio.run(run())


def operations(app: Any) -> dict[str, Any]:
    return {
        f"{method.upper()} {path}": operation
        for path, methods in app.openapi()["paths"].items()
        for method, operation in methods.items()
        if TAGS & set(operation.get("tags", []))
    }


def filled(path: str) -> str:
    given = {"table": "manila", "number": "1", "game": "manila", "dispute_id": "0" * 16, "job_id": "0" * 16}
    return path.format(**given, patron="g-1", name="rounds", written_as="csv")


def test_everybody_gets_only_what_is_theirs_to_ask(tmp_path: Path) -> None:
    staff = SUPERVISORS | REPORTS | EXPORTS
    allowed: dict[Role | None, set[str]] = {
        None: ANYBODY,
        Role.GUEST: ANYBODY | PATRONS | JOBS | SIGNED_IN,
        Role.DEALER: ANYBODY | {"GET /api/disputes/{dispute_id}"},
        Role.SUPERVISOR: ANYBODY | SUPERVISORS | REPORTS | JOBS | SIGNED_IN,
        Role.AUDITOR: ANYBODY | REPORTS | EXPORTS | SIGNED_IN,
        Role.DIRECTOR: ANYBODY | SUPERVISORS | REPORTS | EXPORTS | JOBS | SIGNED_IN,
    }

    async def run() -> None:
        async with service(tmp_path) as at:
            known = operations(at.app)
            assert set(known) == ANYBODY | PATRONS | JOBS | SIGNED_IN | staff
            clients: dict[Role | None, httpx.AsyncClient] = {None: at.client(), Role.GUEST: (await at.guest())[1]}
            for each in (Role.DEALER, Role.SUPERVISOR, Role.AUDITOR, Role.DIRECTOR):
                clients[each] = (await at.staff(each))[1]
            bodies: dict[str, Any] = {
                "POST /api/odds/{game}": {},
                "POST /api/disputes": {"table": "manila", "round": 1, "said": "x"},
                "POST /api/disputes/{dispute_id}/assign": {},
                "POST /api/disputes/{dispute_id}/decide": {"outcome": "upheld", "decision": "x"},
                "PUT /api/limits": {},
                "POST /api/cool-off": {"hours": 1},
                "POST /api/jobs": {"game": "manila", "system": "flat", "rounds": 1, "sessions": 1, "bankroll": 1},
            }
            for role, client in clients.items():
                for operation in known:
                    method, path = operation.split(" ", 1)
                    answer = await client.request(method, filled(path), json=bodies.get(operation))
                    may = operation in allowed[role]
                    assert (answer.status_code not in (401, 403)) == may, (role, operation, answer.status_code)
                    assert may or answer.status_code == (401 if role is None else 403)
                    assert answer.status_code < 500, (role, operation, answer.text)

    asyncio.run(run())


BODIES: dict[str, tuple[str, dict[str, str]]] = {
    "/api/disputes": ("POST", {"table": '"manila"', "round": "1", "said": '"x"'}),
    "/api/cool-off": ("POST", {"hours": "1"}),
    "/api/limits": ("PUT", {"minutes": "5"}),
    "/api/odds/manila": ("POST", {"decks": "8", "stake": "100"}),
    "/api/jobs": (
        "POST",
        {"game": '"manila"', "system": '"flat"', "rounds": "9", "sessions": "9", "bankroll": "2000", "seed": "1"},
    ),
}


@pytest.mark.parametrize("path", sorted(BODIES))
def test_a_body_that_is_not_as_described_changes_nothing_and_is_not_repeated(tmp_path: Path, path: str) -> None:
    method, fields = BODIES[path]
    numbers = [name for name, text in fields.items() if not text.startswith('"')]

    async def run() -> None:
        async with service(tmp_path) as at:
            _, client = await at.guest()
            wrong = [(name, amount) for name in numbers for amount in AMOUNTS]
            wrong += [(name, '"\\ud800"') for name in fields] + [("role", '"director"'), ("balance", "10")]
            for name, text in wrong:
                if (name, text) in (("minutes", "null"), ("decks", "null"), ("stake", "null")):
                    continue
                written = ", ".join(f'"{key}": {value}' for key, value in {**fields, name: text}.items())
                answer = await client.request(
                    method, path, content=f"{{{written}}}".encode(), headers={"content-type": "application/json"}
                )
                if name in numbers and text in ("1000000000001", "9007199254740993"):
                    assert 400 <= answer.status_code < 500 or name in ("seed", "round")
                    continue
                assert 400 <= answer.status_code < 500, (name, text, answer.status_code, answer.text)
                assert set(answer.json()["error"]) == {"reason", "clause", "message"}
                assert len(text) < 6 or text.strip('"') not in answer.text
            assert (await client.get("/api/limits")).json()["minutes"]["amount"] is None
            assert (await client.get("/api/limits")).json()["cool_off_until"] is None

    asyncio.run(run())


@pytest.mark.parametrize("value", ["1_0", " 7", "+7", "1e1", "0x7", "-1", "9" * 30, "\uff17", "", "7.0", "true"])
def test_a_number_in_an_address_is_plain_digits(tmp_path: Path, value: str) -> None:
    async def run() -> None:
        async with service(tmp_path) as at:
            _, client = await at.guest()
            for path, name in (
                ("/api/history", "limit"),
                ("/api/ledger", "before"),
                ("/api/odds/manila", "decks"),
                ("/api/odds/manila", "stake"),
            ):
                answer = await client.get(path, params={name: value})
                assert answer.status_code == 400, (path, name, answer.status_code, answer.text)
            if value:
                assert (await client.get(f"/api/tables/manila/rounds/{value}")).status_code == 400

    asyncio.run(run())


def test_the_description_is_complete(tmp_path: Path) -> None:
    async def run() -> None:
        async with service(tmp_path) as at:
            for name, operation in operations(at.app).items():
                answers = operation["responses"]
                assert {"400", "413", "429", "503"} <= set(answers), name
                good = [status for status in answers if status.startswith("2")]
                assert len(good) == 1, name
                content = answers[good[0]]["content"]
                if "exports" not in name:
                    assert content["application/json"]["schema"], name
                if name.split()[0] in ("POST", "PUT") and "requestBody" in operation:
                    schema = json.dumps(operation["requestBody"])
                    assert "$ref" in schema, name

    asyncio.run(run())
