"""The pages about commands and the API are what commands print and docstrings say now."""

import importlib.util
import json
import re
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from puntobanco.cli import COMMANDS
from puntobanco.server.configuration import SETTINGS, Configuration, read_configuration
from server.running import serving

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted((ROOT / "docs" / "commands").glob("*.md"))


def script(name: str) -> ModuleType:
    """A script is not importable by name, so it is loaded from its file."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_print_what_their_page_shows(page: Path, tmp_path: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert script("generate_command_pages").renewed(text, tmp_path) == text


def test_every_command_is_shown() -> None:
    shown = {word for page in PAGES for word in re.findall(r"puntobanco (\w+)", page.read_text(encoding="utf-8"))}
    assert set(COMMANDS) <= shown


def test_an_output_that_differs_is_written_anew(tmp_path: Path) -> None:
    pages = script("generate_command_pages")
    page = "```console\n$ echo one; echo two\nthree\n```\n\n```console\n$ echo one; echo two\n...\ntwo\n```\n"
    renewed = pages.renewed(page, tmp_path)
    assert renewed == page.replace("three\n", "one\ntwo\n")
    assert pages.renewed(renewed, tmp_path) == renewed
    folder = tmp_path / "docs" / "commands"
    folder.mkdir(parents=True)
    (folder / "page.md").write_text(page, encoding="utf-8")
    assert pages.main(["--check"], tmp_path) == 1
    assert pages.main([], tmp_path) == 0
    assert pages.main(["--check"], tmp_path) == 0
    assert (folder / "page.md").read_text(encoding="utf-8") == renewed


def test_errors_stand_where_a_terminal_shows_them(tmp_path: Path) -> None:
    command = "python -c 'import sys; print(1); print(2, file=sys.stderr); print(3)'; echo 4"
    assert script("generate_command_pages").output_of(command, tmp_path) == "1\n2\n3\n4\n"


def test_the_api_page_is_fresh(tmp_path: Path) -> None:
    api = script("generate_api")
    assert (ROOT / "docs" / "api.md").read_text(encoding="utf-8") == api.page()
    assert api.main(["--check"], tmp_path) == 1
    assert api.main([], tmp_path) == 0
    assert api.main(["--check"], tmp_path) == 0


def test_the_page_of_the_service_is_fresh(tmp_path: Path) -> None:
    service = script("generate_service_api")
    assert (ROOT / "docs" / "service-api.md").read_text(encoding="utf-8") == service.page()
    assert service.main(["--check"], tmp_path) == 1
    assert service.main([], tmp_path) == 0
    assert service.main(["--check"], tmp_path) == 0


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_the_round_by_curl_is_what_the_page_says(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "service-api.md").read_text(encoding="utf-8")
    (commands,), (comes_to,) = (re.findall(rf"```{kind}\n(.*?)```", page, re.DOTALL) for kind in ("sh", "json"))
    with serving(tmp_path / "data") as running:
        commands = commands.replace("http://127.0.0.1:8000", running.address)
        here = f'puntobanco() {{ "{sys.executable}" -m puntobanco "$@"; }}\n'
        environment = {**running.environment, "PUNTOBANCO_DATA": str(running.data)}
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", here + commands],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert (done.returncode, done.stderr) == (0, "")
    found, expected = json.loads(done.stdout.splitlines()[-1]), json.loads(comes_to)
    found["wagers"]["player"].pop("pays")
    assert {name: found[name] for name in expected} == expected


def test_the_list_of_settings_is_fresh_and_whole(tmp_path: Path) -> None:
    settings = script("generate_settings")
    page = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    file = (ROOT / "docs" / "examples" / "puntobanco.toml").read_text(encoding="utf-8")
    assert (page, file) == (settings.page(), settings.toml())
    for setting in SETTINGS.values():
        assert page.count(f"| **`{setting.flag}`** {setting.about} |") == 1
        assert f"| `{setting.variable}` |" in page
        assert file.count(f"\n# {setting.key} = ") == 1
    assert settings.main(["--check"], tmp_path) == 1
    assert settings.main([], tmp_path) == 0
    assert settings.main(["--check"], tmp_path) == 0


def test_the_example_of_a_file_is_one_that_is_read(tmp_path: Path) -> None:
    """With every line in force it says what holds without it, but for the three that have no value by default."""
    text = (ROOT / "docs" / "examples" / "puntobanco.toml").read_text(encoding="utf-8")
    file = tmp_path / "puntobanco.toml"
    file.write_text(re.sub(r"^# ([a-z-]+ = )", r"\1", text, flags=re.MULTILINE), encoding="utf-8")
    read, usual = read_configuration({"config": str(file)}, {}), Configuration()
    given = {name for name in SETTINGS if getattr(read, name) != getattr(usual, name)}
    assert given == {"data", "database", "origin"}


def test_every_entry_of_the_api_page_has_words_of_its_own() -> None:
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    wordless = [line for line in page.splitlines() if re.fullmatch(r" *- \**`[^`]*`\**(?: a `\w+`\.)?", line)]
    assert not wordless
    for inherited in ("Run one timestep", "A base class for defining", "Resets the environment"):
        assert inherited not in page


def test_the_words_of_a_constant_are_found_where_it_gets_its_value() -> None:
    api = script("generate_api")
    rules, simulate = import_module("puntobanco.rules"), import_module("puntobanco.simulate")
    assert api.words_of_constant(rules, "BANKER_TOTAL") == "The total of the hand, 0 to 9."
    assert api.words_of_constant(simulate, "available").startswith("Whether the compiled kernel is there;")
    assert api.words_of_constant(rules, "nowhere") == ""


def test_a_union_is_called_by_its_name() -> None:
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    assert "`decide(table: Table | None, command: Command) -> tuple[Event, ...]`" in page


def test_every_module_that_the_pages_import_is_on_the_api_page() -> None:
    imported = {
        name
        for page in (ROOT / "docs").glob("*.md")
        for name in re.findall(r"^>>> from (puntobanco[\w.]*) import", page.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert imported <= set(script("generate_api").MODULES)


def test_every_page_is_in_the_index() -> None:
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"\]\(([\w/.-]+)\)", index))
    pages = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    assert pages - {"README.md"} - {path for path in pages if path.startswith("games/")} <= listed
    assert "games/README.md" in listed
