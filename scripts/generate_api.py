"""Writes docs/api.md, the public functions and classes in their own words; --check only tells whether it is stale."""

import argparse
import ast
import inspect
import re
import sys
from collections.abc import Iterator, Sequence
from enum import Enum
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType, UnionType
from typing import get_args

ROOT = Path(__file__).resolve().parent.parent
PAGE = "docs/api.md"
MODULES = (
    "puntobanco",
    "puntobanco.cards",
    "puntobanco.dealing",
    "puntobanco.rules",
    "puntobanco.rules.own_wagers",
    "puntobanco.rulecard",
    "puntobanco.provenance",
    "puntobanco.settle",
    "puntobanco.roads",
    "puntobanco.odds",
    "puntobanco.odds.removal",
    "puntobanco.simulate",
    "puntobanco.simulate.report",
    "puntobanco.simulate.frames",
    "puntobanco.simulate.parquet",
    "puntobanco.simulate.cluster",
    "puntobanco.parsheet",
    "puntobanco.parsheet.figures",
    "puntobanco.parsheet.contents",
    "puntobanco.parsheet.web_page",
    "puntobanco.parsheet.printed",
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
    "puntobanco.ledger",
    "puntobanco.store.record",
    "puntobanco.store.dealer",
    "puntobanco.store.keys",
    "puntobanco.store.audit",
    "puntobanco.store.voids",
    "puntobanco.store.transfer",
    "puntobanco.store.places",
    "puntobanco.client",
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
    """The first paragraph of its own docstring, on one line; nothing where a class only repeats its own signature."""
    found = inspect.cleandoc(thing.__doc__ or "")
    words = " ".join(re.split(r"\n\s*\n", found, maxsplit=1)[0].split())
    is_signature = words.startswith(f"{getattr(thing, '__name__', '')}(")
    return "" if is_signature else words


def words_of_constant(module: ModuleType, name: str) -> str:
    """The string below the line that gives the name its value, in whichever module of the package that is."""
    body = ast.parse(inspect.getsource(module)).body
    for statement, below in zip(body, [*body[1:], None], strict=True):
        if isinstance(statement, ast.ImportFrom) and name in {each.asname or each.name for each in statement.names}:
            source = next(each.name for each in statement.names if (each.asname or each.name) == name)
            return words_of_constant(import_module(statement.module or ""), source)
        if name in _assigned(statement) and isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
            return " ".join(str(below.value.value).split())
    return ""


def _assigned(statement: ast.stmt) -> set[str]:
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    targets = [statement.target] if isinstance(statement, ast.AnnAssign) else targets
    return {each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)}


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
    for union, name in named_unions().items():
        text = text.replace(union, name)
    return text.replace("Ellipsis", "..").replace("<factory>", "..")


@cache
def named_unions() -> dict[str, str]:
    """By all their members the unions that have a name of their own, the longest first."""
    modules = map(import_module, MODULES)
    named = {
        " | ".join(each.__name__ for each in get_args(value)): name
        for module in modules
        for name, value in vars(module).items()
        if isinstance(value, UnionType) and name in getattr(module, "__all__", ())
    }
    return dict(sorted(named.items(), key=lambda item: -len(item[0])))


def _short(default: object) -> object:
    if isinstance(default, Enum):
        return default.value
    is_long = default is not inspect.Parameter.empty and len(repr(default)) > 24
    return ... if is_long or (callable(default) and default is not inspect.Parameter.empty) else default


def described(module: ModuleType, name: str) -> Iterator[str]:
    thing = getattr(module, name)
    if inspect.isclass(thing) and issubclass(thing, Enum):
        # Numbers only say in which order they stand.
        members = [each.name if isinstance(each.value, int) else each.value for each in thing]
        yield f"- **`{name}`** {first_words(thing)} " + ", ".join(f"`{each}`" for each in members) + "."
        return
    if not inspect.isfunction(thing) and not inspect.isclass(thing):
        yield f"- **`{name}`** {words_of_constant(module, name)}".rstrip()
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
                lines += described(module, each)
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
