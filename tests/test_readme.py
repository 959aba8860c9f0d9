"""The README's Python session runs as printed."""

import doctest
import re
from importlib import import_module
from pathlib import Path

import pytest

import puntobanco
from puntobanco.cli import COMMANDS


def test_links_lead_to_files_and_headings() -> None:
    root = Path(__file__).parents[1]
    for page in (root / "README.md", root / "CONTRIBUTING.md", root / "docs" / "architecture.md"):
        for target in re.findall(r"\]\(([^)]*)\)", page.read_text(encoding="utf-8")):
            name, _, heading = target.partition("#")
            linked = page.parent / name
            assert linked.exists(), target
            lines = linked.read_text(encoding="utf-8").splitlines() if heading else []
            titles = [line.lstrip("# ").lower() for line in lines if line.startswith("#")]
            headings = [re.sub(r"[^\w -]", "", title).replace(" ", "-") for title in titles]
            assert not heading or heading in headings, target


def test_the_first_screen_has_what_most_come_for_and_every_command_is_shown() -> None:
    lines = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8").splitlines()
    first, shown = (set(re.findall(r"scripts/run ([a-z]+)", "\n".join(part))) for part in (lines[:24], lines))
    assert {"play", "settle", "odds", "simulate", "parsheet"} <= first
    assert shown == set(COMMANDS)


@pytest.mark.parametrize("page", ["README.md", "docs/table.md", "docs/fairness.md", "docs/record.md"])
def test_what_a_page_shows_of_python_runs_as_printed(page: str) -> None:
    result = doctest.testfile(str(Path(__file__).parents[1] / page), module_relative=False)
    assert result.attempted > 5
    assert result.failed == 0


PACKAGE = Path(puntobanco.__file__).parent
WITH_EXAMPLES = sorted(path for path in PACKAGE.rglob("*.py") if ">>> " in path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", WITH_EXAMPLES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_docstring_examples(path: Path) -> None:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    result = doctest.testmod(import_module(".".join(parts).removesuffix(".__init__")))
    assert result.attempted
    assert result.failed == 0
