"""Every setting by flag, by variable and by file, which of them decides, and what is refused."""

import tomllib
from dataclasses import fields
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest

from puntobanco.errors import InputError
from puntobanco.server.configuration import SETTINGS, Configuration, Setting, read_configuration
from puntobanco.server.setting_kinds import Switch

# Another value than the default of each setting: as a text, as TOML has it, and as the configuration has it.
OTHER: dict[str, tuple[str, str, Any]] = {
    "host": ("0.0.0.0", '"0.0.0.0"', "0.0.0.0"),
    "port": ("0", "0", 0),
    "data": ("/srv/tables", '"/srv/tables"', Path("/srv/tables")),
    "database": ("postgresql://h/d", '"postgresql://h/d"', "postgresql://h/d"),
    "first_tables": ("manila,six-star", '["manila", "six-star"]', ("manila", "six-star")),
    "betting_seconds": ("12.5", "12.5", 12.5),
    "card_seconds": ("0", "0", 0.0),
    "reveal_seconds": ("0.25", "0.25", 0.25),
    "pause_seconds": ("7", "7", 7.0),
    "guest_money": ("SGD=500 CHIPS=9", "{ SGD = 500, CHIPS = 9 }", {"SGD": 500, "CHIPS": 9}),
    "desk_alone": ("5000", "5000", 5000),
    "origin": ("https://A.example:443", '["https://a.example"]', ("https://a.example",)),
    "secure_cookies": ("on", "true", True),
    "trusted_proxy": ("10.0.0.0/8, ::1", '["10.0.0.0/8", "::1"]', (ip_network("10.0.0.0/8"), ip_network("::1"))),
    "metrics_to": ("none", "[]", ()),
    "patron_idle_hours": ("1", "1", 1),
    "patron_session_days": ("2", "2", 2),
    "staff_idle_minutes": ("3", "3", 3),
    "staff_session_hours": ("4", "4", 4),
    "wrong_passwords": ("50", "50", 50),
    "longest_lock_minutes": ("6", "6", 6),
    "rate_limits": ("off", "false", False),
    "requests_per_second": ("7", "7", 7),
    "commands_per_second": ("8", "8", 8),
    "sign_ins_per_minute": ("9", "9", 9),
    "guests_per_minute": ("10", "10", 10),
    "sockets_per_address": ("11", "11", 11),
    "most_sockets": ("13", "13", 13),
    "log_format": ("json", '"json"', "json"),
    "log_level": ("debug", '"debug"', "debug"),
    "stop_seconds": ("14", "14", 14),
}

# What no setting of a kind takes, in a text and in TOML.
UNFIT: dict[str, tuple[list[str], list[str]]] = {
    "Whole": (["-1", "1.5", "1e3", "1_000", "0x10", "²", "9" * 5000, "many"], ["1.5", '"5"', "true", "[5]", "-1"]),
    "Port": (["-1", "65536", "http"], ["65536", '"8000"', "false"]),
    "Seconds": (["-1", "nan", "inf", "1e3", "1,5", "9" * 12], ["nan", "inf", '"5"', "true", "-0.5", "1e12"]),
    "Switch": (["maybe", "yes please", "2"], ['"on"', "1"]),
    "Choice": (["xml", "JSON "], ['"xml"', "5"]),
    "Host": (["a b", "http://x", "a\nb"], ["5", '""']),
    "Folder": (["a\0b"], ["5", '""']),
    "DatabaseUrl": (["mysql://root:hunter2@h/d"], ['"hunter2"', "5"]),
    "Money": (["SGD", "SGD=-1", "XXX=1", "SGD=1.5", "SGD=1,SGD=2", f"SGD={10**13}"], ["{ SGD = 1.5 }", "5"]),
}
UNFIT_ITEMS = {
    "Word": (["Six Star!", "-"], ['"manila"', "[5]", '["A"]']),
    "Origin": (
        ["tables.example", "ftp://x", "https://", "https://x/y", "https://u:p@x", "https://x:99999", "http://é"],
        ["[5]"],
    ),
    "Addresses": (["10.0.0.1/8", "localhost", "300.0.0.1"], ["[5]", '"10.0.0.1"']),
}


def by_variables(**variables: str) -> Configuration:
    return read_configuration({}, variables)


def unfit(setting: Setting) -> tuple[list[str], list[str]]:
    item = getattr(setting.kind, "item", None)
    return UNFIT[type(setting.kind).__name__] if item is None else UNFIT_ITEMS[type(item).__name__]


@pytest.fixture(autouse=True)
def _no_record_of_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("PUNTOBANCO_DATA", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))


def test_every_setting_has_another_value_here_that_is_not_the_default() -> None:
    assert list(OTHER) == list(SETTINGS) == [each.name for each in fields(Configuration)]
    usual = Configuration()
    for name, (_, _, value) in OTHER.items():
        assert getattr(usual, name) != value, name


@pytest.mark.parametrize("setting", SETTINGS.values(), ids=lambda setting: setting.name)
def test_by_flag_by_variable_and_by_file_and_who_decides(setting: Setting, tmp_path: Path) -> None:
    text, toml, value = OTHER[setting.name]
    file = tmp_path / "puntobanco.toml"
    file.write_text(f"{setting.key} = {toml}\n", encoding="utf-8")
    usual = getattr(Configuration(), setting.name)

    def found(flags: dict[str, object], variables: dict[str, str]) -> Any:
        return getattr(read_configuration(flags, variables), setting.name)

    flag = value if isinstance(setting.kind, Switch) else text
    in_variable = {setting.variable: text}
    assert found({}, {}) == usual
    assert found({"config": str(file)}, {}) == value
    assert found({}, {"PUNTOBANCO_CONFIG": str(file)}) == value
    assert found({}, in_variable) == value
    assert found({setting.name: flag}, {}) == value
    if setting.name in ("data", "database"):
        return
    # The default in words of a file: each source decides before the ones after it.
    other = setting.kind.toml(usual)
    file.write_text(f"{setting.key} = {other}\n", encoding="utf-8")
    assert found({"config": str(file)}, {}) == usual
    assert found({"config": str(file)}, in_variable) == value
    file.write_text(f"{setting.key} = {toml}\n", encoding="utf-8")
    assert found({"config": str(file)}, {setting.variable: ""}) == value
    bad = {setting.variable: "\0 never looked at"}
    assert found({"config": str(file), setting.name: flag}, bad) == value


@pytest.mark.parametrize("setting", SETTINGS.values(), ids=lambda setting: setting.name)
def test_what_does_not_fit_is_one_sentence_with_the_key_and_the_source(
    setting: Setting, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts, tomls = unfit(setting)
    monkeypatch.chdir(tmp_path)
    file = Path("p.toml")
    for text in texts:
        for given, variables, source in (
            ({setting.name: text}, {}, setting.flag),
            ({}, {setting.variable: text}, f"the variable {setting.variable}"),
        ):
            with pytest.raises(InputError) as refused:
                read_configuration(given, variables)
            told = str(refused.value)
            assert told.startswith(f"The setting {setting.key} is {setting.kind.what}"), text
            assert told.endswith(f" (from {source}).")
            assert len(told) < 300
            assert "\n" not in told
            assert "\0" not in told
            assert "hunter2" not in told
    for toml in tomls:
        file.write_text(f"{setting.key} = {toml}\n", encoding="utf-8")
        with pytest.raises(InputError) as refused:
            read_configuration({"config": str(file)}, {})
        assert str(refused.value).startswith(f"The setting {setting.key} is {setting.kind.what}"), toml
        assert str(refused.value).endswith(" (from 'p.toml').")
        assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize("name", ["betting_seconds", "commands_per_second", "staff_session_hours"])
def test_bounds_are_taken_and_beyond_them_refused(name: str) -> None:
    setting = SETTINGS[name]
    least, most = setting.kind.least, setting.kind.most  # type: ignore[attr-defined]
    for value in (least, most):
        assert getattr(by_variables(**{setting.variable: f"{value}"}), name) == value
    for value in (0, most + 1):
        with pytest.raises(InputError):
            by_variables(**{setting.variable: f"{value}"})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("beting-seconds = 5", "There is no setting 'beting-seconds' (from 'p.toml'); did you mean betting-seconds?"),
        ("betting_seconds = 5", "There is no setting 'betting_seconds' (from 'p.toml'); did you mean betting-seconds?"),
        ("zzz = 5", "There is no setting 'zzz' (from 'p.toml'); docs/settings.md lists them."),
        ("[server]\nport = 5", "There is no setting 'server' (from 'p.toml'); docs/settings.md lists them."),
        ("port = 5\nport = 6\n", "The settings in 'p.toml' are not TOML, at line 2, column 9."),
        ('database = "hunter2', "The settings in 'p.toml' are not TOML, at end of document."),
        ("port = " + "[" * 20_000, "The settings in 'p.toml' are not TOML, at some place."),
    ],
    ids=["misspelt", "underscore", "unknown", "table", "twice", "cut off", "deep"],
)
def test_a_file_that_cannot_be_used(text: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.toml").write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as refused:
        read_configuration({"config": "p.toml"}, {})
    assert str(refused.value) == said


def test_a_file_that_is_not_there_or_is_no_text(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot be read from .*: No such file or directory\."):
        read_configuration({"config": str(tmp_path / "none.toml")}, {})
    with pytest.raises(InputError, match=r"cannot be read from .*: Is a directory\."):
        read_configuration({}, {"PUNTOBANCO_CONFIG": str(tmp_path)})
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match=r"not TOML"):
        read_configuration({"config": str(tmp_path / "bytes.toml")}, {})


def test_the_url_of_the_database_is_in_no_repr() -> None:
    configuration = by_variables(PUNTOBANCO_DATABASE="postgresql://anna:hunter2@h/d")
    assert configuration.database == "postgresql://anna:hunter2@h/d"
    assert "hunter2" not in repr(configuration)


def test_the_default_of_every_setting_is_one_that_it_takes() -> None:
    usual = Configuration()
    for setting in SETTINGS.values():
        assert setting.about.endswith(".")
        assert setting.default_words
        if setting.name not in ("data", "database", "origin"):
            assert setting.kind.take(eval_toml(setting.kind.toml(getattr(usual, setting.name)))) == getattr(
                usual, setting.name
            )


def eval_toml(text: str) -> object:
    return tomllib.loads(f"value = {text}")["value"]


@pytest.mark.parametrize(
    ("variables", "origins"),
    [
        ({}, {"http://127.0.0.1:8000", "http://localhost:8000"}),
        ({"PUNTOBANCO_PORT": "80"}, {"http://127.0.0.1", "http://localhost"}),
        ({"PUNTOBANCO_HOST": "::1"}, {"http://[::1]:8000", "http://127.0.0.1:8000", "http://localhost:8000"}),
        ({"PUNTOBANCO_HOST": "Box"}, {"http://box:8000", "http://127.0.0.1:8000", "http://localhost:8000"}),
        ({"PUNTOBANCO_ORIGIN": "https://a.example, http://[::1]:81"}, {"https://a.example", "http://[::1]:81"}),
    ],
)
def test_the_origins_of_pages(variables: dict[str, str], origins: set[str]) -> None:
    assert by_variables(**variables).origins == origins


def test_the_address_is_for_people() -> None:
    assert Configuration(host="::1", port=9).address == "http://[::1]:9"
