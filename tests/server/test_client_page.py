"""The bot of docs/client.md, as it is printed, at a real table."""

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest

from server.running import UNLIMITED, serving

PAGE = Path(__file__).parents[2] / "docs" / "client.md"


def test_the_bot_plays_as_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    [code] = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    bot: dict[str, Any] = {"__name__": "bot"}
    exec(code, bot)
    pace = ("--betting-seconds", "0.3", "--card-seconds", "0", "--pause-seconds", "0")
    with serving(tmp_path / "data", *pace, settings=UNLIMITED) as running:
        asyncio.run(asyncio.wait_for(bot["play"](running.address, rounds=3), 30))
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert all(re.fullmatch(r"round \d+: P .* \| B .*: [+-]\d+, now \d+", line) for line in lines)
