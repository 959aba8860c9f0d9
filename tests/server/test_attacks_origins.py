"""Pages of other sites: they neither act nor listen in the name of whoever has them open."""

from collections.abc import Iterator

import pytest

from server.attacked import PIT, VIRTUAL, Attacked, NotLetIn
from server.everything import ROUTES, path_of

UNSAFE = sorted(route for route in ROUTES if route[0] != "GET")


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacked]:
    with Attacked(tmp_path_factory.mktemp("data")) as found:
        yield found


def foreign_origins(port: int) -> dict[str, str]:
    return {
        "null": "null",
        "another site": "https://evil.example",
        "another scheme": f"https://127.0.0.1:{port}",
        "another port": f"http://127.0.0.1:{port + 1}",
        "no port": "http://127.0.0.1",
        "a prefix of ours": f"http://127.0.0.1:{port}"[:-1],
        "ours as a prefix": f"http://127.0.0.1:{port}.evil.example",
        "ours as a suffix": f"http://evil.example/http://127.0.0.1:{port}",
        "ours as a subdomain": f"http://127.0.0.1.evil.example:{port}",
        "a subdomain of ours": f"http://evil.localhost:{port}",
        "capitals": f"HTTP://LOCALHOST:{port}",
        "a capital host": f"http://LocalHost:{port}",
        "a trailing dot": f"http://localhost.:{port}",
        "a trailing slash": f"http://127.0.0.1:{port}/",
        "a path": f"http://127.0.0.1:{port}/api",
        "userinfo": f"http://127.0.0.1:{port}@evil.example",
        "ours behind userinfo": f"http://evil.example@127.0.0.1:{port}",
        "IPv6": f"http://[::1]:{port}",
        "IPv4 in IPv6": f"http://[::ffff:127.0.0.1]:{port}",
        "another way to write it": f"http://2130706433:{port}",
        "several": f"http://127.0.0.1:{port} http://evil.example",
        "several with a comma": f"http://127.0.0.1:{port}, http://evil.example",
        "nothing": "",
        "a star": "*",
        "a file": "file://",
        "an extension": "chrome-extension://abcdefghijklmnop",
    }


NAMES = sorted(foreign_origins(8000))


def test_there_are_enough_origins() -> None:
    assert len(set(foreign_origins(8000).values())) >= 20


@pytest.mark.parametrize("name", NAMES)
def test_no_request_of_another_site_acts(service: Attacked, name: str) -> None:
    origin, before = foreign_origins(service.port)[name], service.money()
    for route in UNSAFE:
        answer = service.ask("director", route[0], path_of(route), ROUTES[route].example, origin=origin)
        assert (answer.status_code, answer.json()["error"]["reason"]) == (403, "wrong-origin"), route
        assert "access-control-allow-origin" not in answer.headers
    assert service.money() == before


@pytest.mark.parametrize("name", NAMES)
def test_no_page_of_another_site_listens(service: Attacked, name: str) -> None:
    for who in ("patron", None):
        with pytest.raises(NotLetIn) as refused:
            service.socket(who, origin=foreign_origins(service.port)[name])
        assert refused.value.status == 403
        assert b"wrong-origin" in refused.value.body


def test_our_own_pages_act_and_listen(service: Attacked) -> None:
    for host in ("127.0.0.1", "localhost"):
        origin = f"http://{host}:{service.port}"
        assert service.ask(None, "POST", "/api/guests", {}, origin=origin).status_code == 201
        service.socket("patron", origin=origin).close()


def test_who_is_no_browser_says_nothing_of_an_origin(service: Attacked) -> None:
    """A cookie comes without an origin only from a program that was given it."""
    assert service.ask(None, "POST", "/api/guests", {}, origin=None).status_code == 201
    service.socket("patron", origin=None).close()


@pytest.mark.parametrize("site", ["cross-site", "same-site", "none", "", "same-origin, cross-site", "SAME-ORIGIN"])
def test_a_browser_that_tells_the_site_alone(service: Attacked, site: str) -> None:
    said = {"sec-fetch-site": site}
    answer = service.ask("patron", "POST", "/api/guests", {}, origin=None, headers=said)
    assert (answer.status_code, answer.json()["error"]["reason"]) == (403, "wrong-origin")
    with pytest.raises(NotLetIn) as refused:
        service.socket("patron", origin=None, headers=said)
    assert refused.value.status == 403


def test_the_site_of_our_own_pages(service: Attacked) -> None:
    for origin in ("ours", None):
        answer = service.ask(None, "POST", "/api/guests", {}, origin=origin, headers={"sec-fetch-site": "same-origin"})
        assert answer.status_code == 201
    answer = service.ask(None, "POST", "/api/guests", {}, headers={"sec-fetch-site": "cross-site"})
    assert answer.status_code == 403, "an origin that is ours and a site that is not do not come from one page"


def test_two_origins_are_none(service: Attacked) -> None:
    text = (
        f"POST /api/guests HTTP/1.1\r\nHost: x\r\nOrigin: {service.origin}\r\nOrigin: {service.origin}\r\n"
        "Content-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"
    )
    assert b"wrong-origin" in service.raw(text.encode(), wait=3)


def test_reading_is_for_every_page_and_says_nothing_to_it(service: Attacked) -> None:
    """A page of another site may ask, as any address may be opened, and its browser does not let it see the answer."""
    for path in ("/api/me", "/api/tables", "/api/history"):
        answer = service.ask("patron", "GET", path, origin="https://evil.example")
        assert answer.status_code == 200
        assert not [name for name in answer.headers if name.startswith("access-control-")]
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"
        assert answer.headers["cache-control"] == "no-store"
    asked_first = service.ask("patron", "OPTIONS", "/api/guests", origin="https://evil.example")
    assert asked_first.status_code == 405
    assert not [name for name in asked_first.headers if name.startswith("access-control-")]


def test_a_method_is_not_another_one_in_disguise(service: Attacked) -> None:
    before = service.ask("director", "GET", "/api/floor").json()
    for name in ("x-http-method-override", "x-http-method", "x-method-override"):
        service.ask(
            "director", "GET", f"/api/tables/{VIRTUAL}", origin="https://evil.example", headers={name: "DELETE"}
        )
    service.ask("director", "GET", f"/api/tables/{PIT}?_method=DELETE")
    assert service.ask("director", "GET", "/api/floor").json() == before
