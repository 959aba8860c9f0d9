"""Fixtures of the service: every test that takes a `place` runs on both databases."""

from pathlib import Path

import pytest

from store.databases import KINDS, Place


@pytest.fixture(params=KINDS)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return Place(request.param, tmp_path)
