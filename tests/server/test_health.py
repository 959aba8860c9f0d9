"""Who asks, and what the routes of those who watch the service answer."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import ip_network

import httpx
import pytest
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse

from puntobanco.server.addresses import client_address, is_within
from puntobanco.server.configuration import Configuration, read_configuration
from puntobanco.server.health import Readiness
from puntobanco.server.health_routes import routes
from puntobanco.server.metrics import Metrics, Reading
from puntobanco.server.problems import Problem

PROXIES = (ip_network("10.0.0.0/8"), ip_network("::1"))


@pytest.mark.parametrize(
    ("peer", "forwarded", "found"),
    [
        ("9.9.9.9", [], "9.9.9.9"),
        ("9.9.9.9", ["6.6.6.6"], "9.9.9.9"),
        ("10.0.0.1", [], "10.0.0.1"),
        ("10.0.0.1", ["6.6.6.6"], "6.6.6.6"),
        ("10.0.0.1", ["6.6.6.6, 7.7.7.7"], "7.7.7.7"),
        ("10.0.0.1", ["6.6.6.6", "7.7.7.7, 10.0.0.2"], "7.7.7.7"),
        ("10.0.0.1", ["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
        ("10.0.0.1", ["6.6.6.6, forged"], "10.0.0.1"),
        ("10.0.0.1", ["", ","], "10.0.0.1"),
        ("10.0.0.1", ["7.7.7.7:1234"], "7.7.7.7"),
        ("10.0.0.1", ["[2001:db8::1]:1234"], "2001:db8::1"),
        ("::1", ["2001:db8::1"], "2001:db8::1"),
        ("::ffff:10.0.0.1", ["7.7.7.7"], "7.7.7.7"),
        ("fe80::1%eth0", [], "fe80::1"),
        ("10.0.0.1", ["6.6.6.6," + "10.0.0.2," * 30 + "10.0.0.2"], "10.0.0.2"),
        (None, ["7.7.7.7"], "unknown"),
        ("testclient", [], "unknown"),
    ],
)
def test_the_address_of_whoever_asks(peer: str | None, forwarded: list[str], found: str) -> None:
    assert client_address(peer, forwarded, PROXIES) == found
    assert client_address(peer, forwarded, ()) == client_address(peer, [], ())


def test_what_is_no_address_is_in_no_network() -> None:
    assert not is_within("what", PROXIES)
    assert is_within("::ffff:10.1.1.1", PROXIES)


@dataclass
class House:
    configuration: Configuration
    ready: Readiness
    metrics: Metrics = field(default_factory=Metrics)

    def readiness(self) -> Readiness:
        return self.ready

    def reading(self) -> Reading:
        return Reading(inbox=5)


@dataclass
class Client:
    """Asks from an address, without a network."""

    app: FastAPI
    peer: str

    def get(self, path: str, headers: Mapping[str, str] | None = None) -> httpx.Response:
        async def ask() -> httpx.Response:
            transport = httpx.ASGITransport(self.app, client=(self.peer, 1234))
            async with httpx.AsyncClient(transport=transport, base_url="http://service") as asked:
                return await asked.get(path, headers=headers)

        return asyncio.run(ask())


def client(ready: Readiness, *, peer: str = "127.0.0.1", **settings: str) -> Client:
    app = FastAPI()
    app.include_router(routes(House(read_configuration(settings, {}), ready)))

    @app.exception_handler(Problem)
    async def tell(_: Request, problem: Problem) -> JSONResponse:
        return JSONResponse(problem.as_json(), problem.status)

    return Client(app, peer)


@pytest.mark.parametrize(
    ("ready", "reason"),
    [
        (Readiness(), None),
        (Readiness(tables=6, stopped=1), None),
        (Readiness(starting=True), "starting"),
        (Readiness(stopping=True), "stopping"),
        (Readiness(writing=False), "storage"),
        (Readiness(starting=True, stopping=True, writing=False), "stopping"),
    ],
)
def test_a_process_lives_whether_it_is_ready_or_not(ready: Readiness, reason: str | None) -> None:
    asked = client(ready)
    assert asked.get("/healthz").json() == {"status": "ok"}
    answer = asked.get("/readyz")
    if reason is None:
        assert (answer.status_code, answer.json()) == (
            200,
            {"status": "ready", "tables": ready.tables, "stopped": ready.stopped},
        )
    else:
        assert (answer.status_code, answer.json()["error"]["reason"]) == (503, reason)


def test_metrics_are_for_those_who_watch() -> None:
    here = client(Readiness())
    answer = here.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=")
    assert "puntobanco_inbox_commands 5.0" in answer.text
    assert client(Readiness(), peer="9.9.9.9").get("/metrics").status_code == 404
    assert client(Readiness(), peer="9.9.9.9", metrics_to="9.0.0.0/8").get("/metrics").status_code == 200
    assert client(Readiness(), metrics_to="none").get("/metrics").status_code == 404


def test_a_proxy_on_the_same_machine_does_not_show_the_metrics_to_the_world() -> None:
    behind = client(Readiness(), trusted_proxy="127.0.0.1")
    assert behind.get("/metrics", headers={"X-Forwarded-For": "9.9.9.9"}).status_code == 404
    assert behind.get("/metrics").status_code == 200
