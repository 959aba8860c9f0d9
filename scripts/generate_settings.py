"""Writes docs/settings.md and docs/examples/puntobanco.toml from the settings of the service; --check only reports.

The list is made from the declarations in src/puntobanco/server/configuration.py: edit those instead.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from puntobanco.server.configuration import CONFIG_FLAG, CONFIG_VARIABLE, SETTINGS, Configuration, Setting
from puntobanco.server.setting_kinds import Listed, Money, Switch

ROOT = Path(__file__).resolve().parent.parent
PAGE = "docs/settings.md"
EXAMPLE = "docs/examples/puntobanco.toml"
INTRODUCTION = f"""\
<!-- Made by scripts/generate_settings.py from src/puntobanco/server/configuration.py: edit that file instead. -->
# Settings

How `puntobanco serve` runs. A setting has one name: `betting-seconds` is the flag `--betting-seconds`, the variable
`PUNTOBANCO_BETTING_SECONDS` and the key `betting-seconds` of a TOML file, which `{CONFIG_FLAG} FILE` or
`{CONFIG_VARIABLE}` names. A flag decides before a variable, a variable before the file, and the file before the
default. A key that is not in this list, and a value that a setting does not take, are refused with a sentence that
names the setting and where the value came from.

A switch is `--rate-limits` or `--no-rate-limits`, a variable `on` or `off`, in TOML `true` or `false`. A list is the
flag repeated, a variable with commas, in TOML a list; `none` is an empty one.
[examples/puntobanco.toml](examples/puntobanco.toml) has all of them as a file. `puntobanco staff` and
`puntobanco table` take `--config`, `--data` and `--database` in the same way.

| setting | takes | default | variable |
|---|---|---|---|
"""
TOML_INTRODUCTION = f"""\
# Settings of puntobanco serve, all of them at their defaults: serve {CONFIG_FLAG} puntobanco.toml
# Made by scripts/generate_settings.py. A key that is not known is refused. With a database in it, chmod 600 it.
"""
EXAMPLES = {
    "data": '"/var/lib/puntobanco"',
    "database": '"postgresql://puntobanco@localhost/puntobanco"',
    "origin": '["https://tables.example"]',
}
"""For settings whose default is no value that could be written."""


def row(setting: Setting) -> str:
    repeated = "; a list" if isinstance(setting.kind, Listed | Money) else ""
    cells = (
        f"**`{setting.flag}`** {setting.about}",
        f"{setting.kind.what}{repeated}",
        setting.default_words,
        f"`{setting.variable}`",
    )
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def page() -> str:
    return INTRODUCTION + "\n".join(map(row, SETTINGS.values())) + "\n"


def toml() -> str:
    usual = Configuration()
    lines = [TOML_INTRODUCTION]
    for setting in SETTINGS.values():
        takes = "" if isinstance(setting.kind, Switch) else f" Takes {setting.kind.what}."
        value = EXAMPLES.get(setting.name) or setting.kind.toml(getattr(usual, setting.name))
        lines += [f"# {setting.about}{takes}", f"# {setting.key} = {value}", ""]
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None, root: Path = ROOT) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a page is out of date")
    options = parser.parse_args(arguments)
    stale = 0
    for name, text in ((PAGE, page()), (EXAMPLE, toml())):
        path = root / name
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        if options.check:
            stale = 1
            print(f"{name} is out of date: run scripts/docs", file=sys.stderr)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
    return stale


if __name__ == "__main__":
    sys.exit(main())
