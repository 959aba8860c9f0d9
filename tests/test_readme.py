"""The README's Python session runs as printed."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest


def test_readme_session() -> None:
    readme = Path(__file__).parents[1] / "README.md"
    result = doctest.testfile(str(readme), module_relative=False)
    assert result.attempted > 5
    assert result.failed == 0


@pytest.mark.parametrize("module", ["cards", "facts", "settle"])
def test_docstring_examples(module: str) -> None:
    result = doctest.testmod(import_module(f"puntobanco.{module}"))
    assert result.attempted
    assert result.failed == 0
