"""The first answers: given before the routes are loaded, and the same as those of the routes."""

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Any
from unittest import mock

import httpx
import pytest

from puntobanco.server import entrance as module
from puntobanco.server.clock import SystemClock
from puntobanco.server.configuration import Configuration
from puntobanco.server.entrance import AT_ONCE, NO_ROUTES, Entrance
from puntobanco.server.guards import PATH_LIMIT
from puntobanco.server.house import House

HEAVY = ("fastapi", "pydantic", "starlette", "alembic", "asyncpg", "puntobanco.odds", "puntobanco.simulate")
OPEN_A_HOUSE = f"""
import sys
import puntobanco.server.run, puntobanco.server.house, puntobanco.server.entrance
import puntobanco.server.socket, puntobanco.server.http_protocol
print(*[name for name in {HEAVY!r} if name in sys.modules])
"""


def entrance_of(house: House) -> tuple[Entrance, httpx.AsyncClient]:
    entrance = Entrance(house)
    return entrance, httpx.AsyncClient(transport=httpx.ASGITransport(entrance), base_url="http://tables.test")


async def a_house(folder: Path) -> House:
    return await House.open(Configuration(data=folder, first_tables=("manila",)), SystemClock())


def test_a_house_opens_without_what_its_first_answers_do_not_need() -> None:
    done = subprocess.run([sys.executable, "-c", OPEN_A_HOUSE], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_the_first_answers_are_those_of_the_routes(tmp_path: Path) -> None:
    def timeless(answer: httpx.Response) -> Any:
        return {name: value for name, value in answer.json().items() if name != "time"}

    async def run() -> None:
        house = await a_house(tmp_path)
        entrance, client = entrance_of(house)
        for stopping in (False, True):
            house.is_stopping = stopping
            entrance._routes = entrance._loading = None
            first = {path: await client.get(path) for path in AT_ONCE}
            assert entrance._loading is None, "nothing was loaded for them"
            await entrance.load()
            for path, answer in first.items():
                then = await client.get(path)
                assert (answer.status_code, timeless(answer)) == (then.status_code, timeless(then)), path
                assert answer.headers == then.headers, path
        assert first["/readyz"].status_code == 503
        await house.close()

    asyncio.run(run())


def test_whoever_asks_for_more_waits_for_the_routes_which_are_loaded_once(tmp_path: Path) -> None:
    async def run() -> None:
        house = await a_house(tmp_path)
        _, client = entrance_of(house)
        asked = [asyncio.create_task(client.get("/api/games")) for _ in range(5)]
        await asyncio.sleep(0)
        asked[0].cancel()
        answers = await asyncio.gather(*asked[1:])
        assert [each.status_code for each in answers] == [200] * 4
        await house.close()

    asyncio.run(run())


def test_the_first_malformed_request_waits_for_nothing(tmp_path: Path) -> None:
    async def run() -> None:
        house = await a_house(tmp_path)
        entrance, client = entrance_of(house)
        await entrance.load()
        with mock.patch("puntobanco.server.description._described", side_effect=AssertionError):
            answer = await client.post("/api/guests", json={"more": 1})
        assert answer.status_code == 400
        await house.close()

    asyncio.run(run())


def test_a_service_that_cannot_be_loaded_whole_says_so_and_tries_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[tuple[str, object]] = []

    def load(house: House) -> Any:
        raise ImportError("no room for a page of it")

    async def run() -> None:
        house = await a_house(tmp_path)
        entrance, client = entrance_of(house)
        assert (await client.get("/readyz")).status_code == 200
        with monkeypatch.context() as broken:
            broken.setattr(module, "_loaded", load)
            broken.setattr(module, "log", lambda event, **values: said.append((event, values.get("reason"))))
            await entrance.load()
            assert ("failed", "routes") in said
            answer = await client.get("/api/games")
            assert (answer.status_code, answer.json()["error"]["message"]) == (503, NO_ROUTES)
            assert answer.headers["x-content-type-options"] == "nosniff", "as every answer"
            assert (await client.get("/readyz")).json()["error"]["reason"] == "fault"
            assert (await client.get("/api/tables")).status_code == 200
        assert (await client.get("/api/games")).status_code == 200
        assert (await client.get("/readyz")).status_code == 200
        await house.close()

    asyncio.run(run())


@pytest.mark.parametrize("path", AT_ONCE)
def test_the_first_answers_are_guarded_and_counted(path: str, tmp_path: Path) -> None:
    async def run() -> None:
        house = await a_house(tmp_path)
        entrance, _ = entrance_of(house)
        said = {"type": "http", "method": "GET", "path": path, "raw_path": b"/" * (PATH_LIMIT + 1), "query_string": b""}
        sent: list[Any] = []

        async def send(message: Any) -> None:
            sent.append(message)

        async def receive() -> Any:
            return {"type": "http.request", "body": b""}

        await entrance({**said, "headers": []}, receive, send)
        assert sent[0]["status"] == 413
        assert b'status="4xx"' in house.metrics.text(house.reading())
        await house.close()

    asyncio.run(run())


def test_a_package_is_looked_for_and_not_loaded() -> None:
    code = "from puntobanco.server.run import *; check_packages(); import sys; print('alembic' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
