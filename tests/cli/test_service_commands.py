"""`staff` and `table`: what they print and keep, and how they refuse. `serve` is in tests/server/test_run.py."""

import asyncio
import json
import os
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from command_line import Called, call, one_sentence
from contract.editions import NEW, NEW_GAMES, OLD
from contract.ez_baccarat import EZ_BACCARAT
from contract.games import EVERY_GAME
from puntobanco import GAMES
from puntobanco.server.clock import SystemClock
from puntobanco.server.configuration import SETTINGS
from puntobanco.server.floor import changed_settings, usual_settings
from puntobanco.server.people import People, Role
from puntobanco.store.beside import Beside
from puntobanco.table import Limits
from store.databases import new_postgres

PASSWORD = re.compile(r"signs in once with the password (\S+)\n")


@pytest.fixture(autouse=True)
def _no_record_of_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for setting in SETTINGS.values():
        monkeypatch.delenv(setting.variable, raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)


NEW_HOUSE = "puntobanco: There was no house in 'data'; a new one was made.\n"


def done(*arguments: str) -> str:
    is_first = not Path("data/record.sqlite").exists() and "PUNTOBANCO_DATABASE" not in os.environ
    found = call(*arguments, "--data", "data")
    assert (found.code, found.err) == (0, NEW_HOUSE if is_first else "")
    return found.out


def data_of(*arguments: str) -> Any:
    return json.loads(done(*arguments, "--json"))


def refused(*arguments: str, code: int = 2) -> str:
    found: Called = call(*arguments, "--data", "data")
    assert found.code == code
    return one_sentence(found)


def signed_in(name: str, password: str) -> tuple[Role, bool]:
    """The role of whoever signs in so, and whether the password has to be changed."""

    async def sign_in() -> tuple[Role, bool]:
        beside = Beside.in_file(Path("data/record.sqlite"))
        people = People(beside, SystemClock())
        try:
            person, token = await people.sign_in(name, password)
            signed = await people.signed_in(token)
            assert signed is not None
            return person.role, signed.must_change_password
        finally:
            await people.close()
            await beside.close()

    return asyncio.run(sign_in())


@pytest.mark.parametrize("role", ["dealer", "supervisor", "auditor", "director"])
def test_staff_sign_in_with_the_password_that_is_printed_once(role: str) -> None:
    told = done("staff", "add", "Mei Tan", "--role", role)
    found = PASSWORD.search(told)
    assert found is not None
    assert signed_in("mei tan", found[1]) == (role, True)
    assert done("staff", "list") == f"Mei Tan  {role}\n"
    assert [each.keys() for each in data_of("staff", "list")] == [{"name", "role", "id"}]
    assert found[1].encode() not in Path("data/record.sqlite").read_bytes()


@pytest.mark.parametrize("asked", ["staff add mei --role dealer", "table add mei --game manila"])
def test_a_house_that_is_new_is_told_of(asked: str) -> None:
    first = call(*asked.split(), "--data", "mistyped")
    assert (first.code, first.err) == (0, "puntobanco: There was no house in 'mistyped'; a new one was made.\n")
    second = call(*asked.replace("mei", "ann").split(), "--data", "mistyped")
    assert (second.code, second.err) == (0, "")


def test_staff_change_and_leave() -> None:
    first = data_of("staff", "add", "Mei Tan", "--role", "dealer")["password"]
    second = data_of("staff", "password", "MEI TAN")["password"]
    assert first != second
    assert signed_in("Mei Tan", second) == ("dealer", True)
    assert done("staff", "role", "Mei Tan", "--role", "director") == "Mei Tan is director now, and signs in again.\n"
    assert done("staff", "remove", "Mei Tan") == "Mei Tan is signed out and comes in no more.\n"
    assert done("staff", "list").startswith("Nobody works here yet")
    assert refused("staff", "remove", "Mei Tan") == "Nobody of staff has that name."


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["staff", "list"], 2, "There is no record in 'data'"),
        (["staff", "add"], 2, "staff add takes the name of somebody"),
        (["staff", "add", "Mei"], 2, "staff add needs --role"),
        (["staff", "add", "Mei", "--role", "owner"], 2, "invalid choice: 'owner'"),
        (["staff", "list", "Mei"], 2, "staff list takes no name"),
        (["staff", "remove", "Mei", "--role", "dealer"], 2, "staff remove takes no --role"),
        (["staff", "add", "\u202eMei", "--role", "dealer"], 2, "name"),
        (["table", "add"], 2, "table add takes the id of a table"),
        (["table", "add", "a"], 2, "A table is one of a game"),
        (["table", "add", "a", "--game", "manilla"], 2, "did you mean manila?"),
        (["table", "add", "A b", "--game", "manila"], 2, "The id of a table is"),
        (["table", "add", "a", "--game", "manila", "--name", " "], 2, "The name of a table is"),
        (["table", "add", "a", "--game", "manila", "--decks", "60"], 2, "decks, not 60"),
        (["table", "add", "a", "--game", "manila", "--decks", "-6"], 2, "--decks takes a whole number, not '-6'."),
        (["table", "add", "a", "--game", "manila", "--decks", "x"], 2, "--decks takes a whole number, not 'x'."),
        (["table", "add", "a", "--game", "manila", "--currency", "SGD"], 2, "PHP or HKD, not in 'SGD'"),
        (["table", "add", "a", "--game", "manila", "--limit", "tie"], 2, "--limit takes WAGER=MIN:MAX:STEP"),
        (["table", "add", "a", "--game", "manila", "--limit", "tie=1:x:1"], 2, "A limit is a whole number"),
        (["table", "add", "a", "--game", "manila", "--limit", "tie=5:6:9"], 2, "the step is at most the minimum"),
        (["table", "add", "a", "--game", "manila", "--limit", "tye=1:2:1"], 2, "a wager 'tye'"),
        (["table", "add", "a", "--game", "manila", "--most-house", "0"], 2, "A limit is a whole number"),
        (["table", "add", "a", "--game", "manila", "--reading", "rounding"], 2, "--reading takes SWITCH=OPTION"),
        (["table", "add", "a", "--game", "manila", "--reading", "rounding=off"], 2, "no reading rounding = off"),
        (["table", "add", "a", "--game", "manila", "--betting-seconds", "0"], 2, "or usual, not '0'."),
        (["table", "add", "a", "--game", "baccarat-tournament", "--account", "cash"], 2, "not played for cash"),
        (["table", "add", "a", "--game", "manila", "--override", "tie"], 2, "there is even-money-banker"),
        (["table", "add", "a", "--game", "manila", "--bonus", "6 Stars=5"], 2, "has no fixed bonus '6 Stars'"),
        (["table", "add", "a", "--game", "six-star", "--bonus", "6 Stars"], 2, "--bonus takes LINE=AMOUNT"),
        (["table", "add", "a", "--game", "six-star", "--bonus", "6 Stars=x"], 2, "A bonus is a whole number"),
        (["table", "add", "a", "--game", "manila", "--cut-depth", "400"], 2, "not in the second half"),
        (["table", "list", "a"], 2, "table list takes no table"),
        (["table", "close", "a", "--decks", "6"], 2, "table close takes no --decks"),
        (["table", "set", "a"], 2, "Say what is to change"),
    ],
)
def test_what_is_refused_is_one_sentence(arguments: list[str], code: int, said: str) -> None:
    assert said in refused(*arguments, code=code)
    assert not list(Path("data").glob("*.key"))


def test_every_house_rule_can_be_set_and_taken_away() -> None:
    options = "--burn off --cut-depth 60 --reading rounding=up --most-table 9000000"
    (made,) = data_of("table", "add", "ours", "--game", "six-star", "--bonus", "6 Stars=1000", *options.split())
    assert (made["burn"], made["cut_depth"], made["bonuses"]["6 Stars"]) == ("off", 60, 1_000)
    assert (made["reading"]["rounding"], made["most"]["table"]) == ("up", 9_000_000)
    (again,) = data_of("table", "set", "ours", "--burn", "by-first-card", "--most-table", "none")
    assert (again["burn"], again["cut_depth"], again["most"]["table"]) == ("by-first-card", 60, None)
    assert (again["bonuses"], again["reading"]) == (made["bonuses"], made["reading"])
    # The game as its document has it: its readings and amounts too.
    (usual,) = data_of("table", "set", "ours", "--game", "six-star")
    assert (usual["bonuses"]["6 Stars"], usual["reading"]["rounding"]) == (3_000_000, "down")

    cash = ["--account", "cash", "--override", "even-money-banker"]
    (allowed,) = data_of("table", "add", "for-cash", "--game", "baccarat-tournament", *cash)
    assert (allowed["account"], allowed["overrides"]) == ("cash", ["even-money-banker"])
    assert "not played for cash" in refused("table", "set", "for-cash", "--override", "none")
    (chips,) = data_of("table", "set", "for-cash", "--override", "none", "--account", "chips")
    assert (chips["account"], chips["overrides"]) == ("chips", [])


def test_tables_are_added_changed_closed_and_listed() -> None:
    assert one_sentence(call("table", "list", "--data", "data")).startswith("There is no record in 'data'")
    options = "--decks 6 --currency hkd --dealing dealer --limit tie=100:1000:20 --most-house 90000000 --place 7"
    (added,) = data_of("table", "add", "high-1", "--game", "manila", "--name", "High limits", *options.split())
    assert (added["game"], added["decks"], added["currency"], added["dealing"]) == ("manila", 6, "HKD", "dealer")
    assert added["limits"]["tie"] == {"minimum": 100, "maximum": 1000, "step": 20}
    assert added["limits"]["banker"]["minimum"] == 2000
    assert added["most"] == {"patron": None, "table": None, "house": 90_000_000}
    assert (added["name"], added["place"], added["closed"]) == ("High limits", 7, False)

    changes = "--limit banker=200:4000:20 --betting-seconds 12.5 --card-seconds 0 --most-house none --decks usual"
    (changed,) = data_of("table", "set", "high-1", *changes.split())
    assert changed["limits"]["tie"] == added["limits"]["tie"]
    assert changed["limits"]["banker"] == {"minimum": 200, "maximum": 4000, "step": 20}
    assert (changed["betting_milliseconds"], changed["card_milliseconds"], changed["decks"]) == (12_500, 0, 8)
    assert changed["most"]["house"] is None
    assert changed["currency"] == "HKD"

    (other,) = data_of("table", "set", "high-1", "--game", "six-star", "--betting-seconds", "usual")
    assert (other["game"], other["currency"], other["dealing"]) == ("six-star", "SGD", "dealer")
    assert other["betting_milliseconds"] is None

    assert "closed" in done("table", "close", "high-1")
    assert data_of("table", "list")[0]["closed"]
    assert "  open  " in done("table", "open", "high-1")
    assert refused("table", "add", "high-1", "--game", "manila", code=1) == "There is a table of that id already."
    assert refused("table", "close", "other") == "There is no table of that id."


def test_a_table_of_every_game_can_be_added() -> None:
    for game in GAMES:
        (added,) = data_of("table", "add", game.id, "--game", game.id)
        assert (added["account"] == "chips") == bool(game.chips_only)
    listed = done("table", "list").splitlines()
    assert [line.split()[0] for line in listed] == ["table", *(game.id for game in GAMES)]


def test_a_game_that_is_given_to_main_has_tables_too() -> None:
    found = call("table", "add", "a", "--game", EZ_BACCARAT.id, "--data", "data", "--json", games=EVERY_GAME)
    assert json.loads(found.out)[0]["game"] == EZ_BACCARAT.id


def test_a_table_stays_at_its_edition_of_a_game_until_the_game_is_named_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ruling 18: a program with new rules leaves a table as it is; whoever names the game takes up the new ones."""
    (added,) = data_of("table", "add", "a", "--game", "manila", "--limit", "tie=100:1000:20")
    assert json.loads(call("table", "list", "--data", "data", "--json", games=NEW_GAMES).out) == []
    monkeypatch.setattr("puntobanco.games.EARLIER_EDITIONS", (OLD,))

    def digest_after(*arguments: str) -> str:
        (told,) = json.loads(call("table", "set", "a", *arguments, "--data", "data", "--json", games=NEW_GAMES).out)
        assert told["limits"]["tie"] == added["limits"]["tie"]
        digest: str = told["digest"]
        return digest

    settings = changed_settings(usual_settings(OLD), {"limits": {"tie": Limits(100, 1000, 20)}})
    assert digest_after("--name", "The first") == added["digest"] == settings.digest
    assert digest_after("--game", "manila") == replace(settings, game=NEW).digest


def test_limits_that_favour_the_patron_are_warned_of() -> None:
    found = call("table", "add", "a", "--game", "six-star", "--limit", "tie=10:1000:10", "--data", "data")
    assert found.code == 0
    assert found.err.removeprefix(NEW_HOUSE).startswith("puntobanco: The minimum of 10 on tie is too low")


def test_the_place_of_the_record_comes_from_the_settings_of_the_service(tmp_path: Path) -> None:
    (tmp_path / "p.toml").write_text('data = "elsewhere"\nbetting-seconds = 5\n')
    assert call("table", "add", "a", "--game", "manila", "--config", "p.toml").code == 0
    assert (tmp_path / "elsewhere" / "record.sqlite").exists()
    (tmp_path / "p.toml").write_text("beting = 5\n")
    assert one_sentence(call("table", "list", "--config", "p.toml")).startswith("There is no setting 'beting'")
    assert one_sentence(call("table", "list", "--data", "")) == "--data takes a value, and not nothing."


def test_the_floor_and_the_staff_lie_in_postgresql_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUNTOBANCO_DATABASE", new_postgres())
    assert data_of("table", "add", "a", "--game", "manila")[0]["id"] == "a"
    assert data_of("table", "list")[0]["id"] == "a"
    assert data_of("staff", "add", "Mei Tan", "--role", "dealer")["role"] == "dealer"
    assert not Path("data").exists()


@pytest.mark.parametrize("name", SETTINGS)
def test_every_setting_is_a_flag_of_serve(name: str) -> None:
    setting = SETTINGS[name]
    told = " ".join(call("serve", "--help").out.split())
    assert re.search(rf" {setting.flag}[ ,]", told)
    about = setting.about.rstrip(".")
    assert f"{about[:1].lower()}{about[1:]} (default {setting.default_words})" in told.replace("- ", "-")


def test_a_setting_that_does_not_fit_ends_serve_before_anything_is_made(tmp_path: Path) -> None:
    said = one_sentence(call("serve", "--data", "data", "--port", "70000"))
    assert said == "The setting port is a number from 0 to 65535, not '70000' (from --port)."
    assert call("serve", "--data", "data", "--port", "70000").code == 2
    assert not (tmp_path / "data").exists()
