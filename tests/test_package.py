"""The package as a whole: what it exports, what it loads, which way its imports go."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import puntobanco

PACKAGE = Path(puntobanco.__file__).parent

# From the bottom up: a module imports only modules of its own layer or of those before it.
LAYERS = [
    {"errors", "extras", "immutable", "verify"},
    {"cards", "tableau", "dealing"},
    {"rules", "games"},
    {"settle", "roads", "rulecard", "provenance"},
    {"odds"},
    {"simulate"},
    {"strategies", "parsheet"},
    {"table", "fairness"},
    {"ledger"},
    {"store"},
    {"server"},
    {"environment", "client"},
    {"cli", "__init__", "__main__"},
]


def test_all_names_what_the_package_gives() -> None:
    assert puntobanco.__all__ == sorted(puntobanco.__all__, key=lambda name: (not name.isupper(), name.islower(), name))
    assert all(hasattr(puntobanco, name) for name in puntobanco.__all__)


def test_import_loads_nothing_heavy() -> None:
    code = "import sys, puntobanco; print(*sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert {"puntobanco", "puntobanco.games"} <= set(loaded)
    heavy = {"rich", "argparse", "asyncio", "numpy", "puntobanco.table", "puntobanco.cli", "puntobanco.roads", "random"}
    assert not heavy & set(loaded)


def layer_of(module: str) -> int:
    name = module.removeprefix("puntobanco.").split(".")[0] if module != "puntobanco" else "__init__"
    return next(place for place, layer in enumerate(LAYERS) if name in layer)


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_only_go_down(path: Path) -> None:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    own = layer_of("puntobanco." + parts[0])
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom):
            imported = [node.module or ""] + [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            imported = [alias.name for alias in node.names]
        else:
            continue
        for module in imported:
            if module.startswith("puntobanco.") and module.split(".")[1] in set().union(*LAYERS):
                assert layer_of(module) <= own, f"{path.name} imports {module}"


def test_no_code_outside_games_names_a_game() -> None:
    ids = [game.id for game in puntobanco.GAMES] + [game.id.replace("-", "_") for game in puntobanco.GAMES]
    for path in sorted(PACKAGE.rglob("*.py")):
        if path.parent.name in ("games", "documents"):
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant) and node.value in ids:
                raise AssertionError(f"{path.name} names {node.value}")
