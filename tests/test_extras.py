"""What the package asks for: rich alone for the core, extras for the rest, and the locks that hold them."""

import re
import tomllib
from pathlib import Path

import pytest

from puntobanco.errors import MissingPackage
from puntobanco.extras import EXTRAS, optional_package

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
DECLARED: dict[str, list[str]] = PROJECT["optional-dependencies"]
NOT_FOR_COMMANDS = "research"


def package(requirement: str) -> str:
    """The name alone, of numpy>=1.26."""
    return re.split(r"[^a-z0-9-]", requirement)[0]


SERVED = {extra: {package(each) for each in held} for extra, held in DECLARED.items() if extra != "all"}


def locked(name: str) -> set[str]:
    text = (ROOT / "requirements" / f"{name}.txt").read_text()
    return {package(line) for line in text.splitlines() if line[:1].isalpha()}


def test_the_core_needs_rich_alone() -> None:
    assert [package(each) for each in PROJECT["dependencies"]] == ["rich"]


def test_each_package_is_told_with_an_extra_that_holds_it() -> None:
    assert set(EXTRAS) == set().union(*SERVED.values())
    for name, extra in EXTRAS.items():
        holding = [each for each, held in SERVED.items() if name in held]
        assert extra in holding
        assert len(SERVED[extra]) == min(len(SERVED[each]) for each in holding)


def test_all_is_all_of_them() -> None:
    assert DECLARED["all"] == [f"puntobanco[{','.join(sorted(SERVED))}]"]


def test_the_locks_hold_what_commands_need_and_what_developers_need() -> None:
    for_commands = {"rich", *(name for extra, held in SERVED.items() if extra != NOT_FOR_COMMANDS for name in held)}
    assert for_commands <= locked("runtime")
    assert for_commands | SERVED[NOT_FOR_COMMANDS] | locked("runtime") <= locked("development")
    assert not {"gymnasium", "pandas"} & locked("runtime")


@pytest.mark.parametrize("name", ["runtime", "development"])
def test_no_lock_names_an_index(name: str) -> None:
    text = (ROOT / "requirements" / f"{name}.txt").read_text()
    assert "://" not in text
    assert not [line for line in text.splitlines() if line.startswith("--")]


@pytest.mark.parametrize(
    ("failure", "found"),
    [
        (ModuleNotFoundError("No module named 'fpdf'", name="fpdf"), "is not installed"),
        (ModuleNotFoundError("No module named 'PIL'", name="PIL"), "cannot be loaded (No module named 'PIL')"),
        (ImportError("libfreetype.so.6: cannot open", name="fpdf"), "cannot be loaded (libfreetype.so.6: cannot open)"),
    ],
)
def test_a_damaged_package_is_not_called_missing(failure: ImportError, found: str) -> None:
    with pytest.raises(MissingPackage) as caught, optional_package("fpdf2", "PDF files are made"):
        raise failure
    assert (
        str(caught.value) == f"PDF files are made with fpdf2, which {found}: pip install '.[reports]' in the checkout."
    )
    assert caught.value.reason == "missing-package"
