"""The README's Python session runs as printed."""

import doctest
import re
from importlib import import_module
from pathlib import Path

import pytest


def test_links_lead_to_files_and_headings() -> None:
    root = Path(__file__).parents[1]
    for page in (root / "README.md", root / "CONTRIBUTING.md", root / "docs" / "architecture.md"):
        for target in re.findall(r"\]\(([^)]*)\)", page.read_text(encoding="utf-8")):
            name, _, heading = target.partition("#")
            linked = (page.parent / name).read_text(encoding="utf-8")
            lines = [line for line in linked.splitlines() if line.startswith("#")]
            headings = [line.lstrip("# ").lower().replace(" ", "-") for line in lines]
            assert not heading or heading in headings, target


def test_readme_session() -> None:
    readme = Path(__file__).parents[1] / "README.md"
    result = doctest.testfile(str(readme), module_relative=False)
    assert result.attempted > 5
    assert result.failed == 0


@pytest.mark.parametrize("module", ["cards", "rules.facts", "settle"])
def test_docstring_examples(module: str) -> None:
    result = doctest.testmod(import_module(f"puntobanco.{module}"))
    assert result.attempted
    assert result.failed == 0
