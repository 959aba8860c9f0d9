"""Writes docs/api.md, the public functions and classes in their own words; --check only tells whether it is stale."""

import argparse
import inspect
import re
import sys
from collections.abc import Iterator, Sequence
from enum import Enum
from importlib import import_module
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parent.parent
PAGE = "docs/api.md"
MODULES = (
    "puntobanco",
    "puntobanco.cards",
    "puntobanco.dealing",
    "puntobanco.rules",
    "puntobanco.rules.own_wagers",
    "puntobanco.rulecard",
    "puntobanco.settle",
    "puntobanco.roads",
    "puntobanco.odds",
    "puntobanco.odds.removal",
    "puntobanco.simulate",
    "puntobanco.simulate.report",
    "puntobanco.simulate.frames",
    "puntobanco.simulate.cluster",
    "puntobanco.strategies.systems",
    "puntobanco.strategies.sessions",
    "puntobanco.strategies.card_counting",
    "puntobanco.environment",
    "puntobanco.table",
    "puntobanco.table.dealer",
    "puntobanco.table.notation",
    "puntobanco.table.codec",
    "puntobanco.table.audit",
    "puntobanco.fairness",
    "puntobanco.errors",
)
INTRODUCTION = """<!-- Made by scripts/generate_api.py from the docstrings of the package: edit those instead. -->
# API

What a program may use, module by module, in the words of its own docstrings. A name that begins with an underscore,
and a module that is not here, may change without notice.
"""


def public_names(module: ModuleType) -> list[str]:
    """Those that the module exports or, where it does not say, its own functions and classes."""
    exported: Sequence[str] | None = getattr(module, "__all__", None)
    if exported is not None:
        return sorted(exported)
    return sorted(
        name
        for name, value in vars(module).items()
        if not name.startswith("_")
        and (inspect.isfunction(value) or inspect.isclass(value))
        and value.__module__ == module.__name__
    )


def first_words(thing: object) -> str:
    """The first paragraph of a docstring, on one line; nothing where the class only repeats its own signature."""
    found = inspect.getdoc(thing) or ""
    words = " ".join(re.split(r"\n\s*\n", found, maxsplit=1)[0].split())
    is_signature = words.startswith(f"{getattr(thing, '__name__', '')}(")
    return "" if is_signature else words


def signature_of(thing: object) -> str:
    """The parameters with their types, by their own names; a long default is left out, and so is what all have."""
    try:
        found = inspect.signature(thing)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return ""
    named = [each.replace(default=_short(each.default)) for each in found.parameters.values()]
    parameters = [each for each in named if each.name not in ("self", "cls")]
    text = str(found.replace(parameters=parameters)).removesuffix(" -> None")
    text = re.sub(r"\b(?:[a-z_]+\.)+(?=[A-Z])", "", text).replace("'", "")
    return text.replace("Ellipsis", "..").replace("<factory>", "..")


def _short(default: object) -> object:
    if isinstance(default, Enum):
        return default.value
    is_long = default is not inspect.Parameter.empty and len(repr(default)) > 24
    return ... if is_long or (callable(default) and default is not inspect.Parameter.empty) else default


def described(name: str, thing: object) -> Iterator[str]:
    if inspect.isclass(thing) and issubclass(thing, Enum):
        yield f"- **`{name}`** {first_words(thing)} " + ", ".join(f"`{each.value}`" for each in thing) + "."
        return
    if not inspect.isfunction(thing) and not inspect.isclass(thing):
        yield f"- **`{name}`** a `{type(thing).__name__}`."
        return
    yield f"- **`{name}{signature_of(thing)}`** {first_words(thing)}".rstrip()
    if inspect.isclass(thing) and not issubclass(thing, BaseException):
        # By name: a class that was patched and mended, as in a test, has its methods in another order.
        for method, value in sorted(vars(thing).items()):
            function = value.__func__ if isinstance(value, classmethod | staticmethod) else value
            if not method.startswith("_") and inspect.isfunction(function) and first_words(function):
                yield f"  - `.{method}{signature_of(function)}` {first_words(function)}"


def page() -> str:
    lines = [INTRODUCTION]
    known: dict[int, str] = {}
    for name in MODULES:
        module = import_module(name)
        lines += [f"## `{name}`", "", first_words(module), ""]
        also = []
        for each in public_names(module):
            thing = getattr(module, each)
            if known.setdefault(id(thing), name) == name:
                lines += described(each, thing)
            else:
                also.append(f"`{each}`")
        if also:
            lines.append(f"- And, described above: {', '.join(also)}.")
        lines.append("")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None, root: Path = ROOT) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if the page is out of date")
    options = parser.parse_args(arguments)
    path, text = root / PAGE, page()
    if options.check:
        is_stale = not path.is_file() or path.read_text(encoding="utf-8") != text
        if is_stale:
            print(f"{PAGE} is out of date: run scripts/docs", file=sys.stderr)
        return int(is_stale)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
