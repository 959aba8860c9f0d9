"""Packages that only some of the work needs, and the extra of pyproject.toml that installs each.

    with optional_package("matplotlib", "Charts are drawn"):
        import matplotlib

loads the package or ends in one sentence: Charts are drawn with matplotlib, which is not installed: pip install
'.[reports]' in the checkout.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from puntobanco.errors import MissingPackage

EXTRAS = {
    "matplotlib": "reports",
    "fpdf2": "reports",
    "numpy": "arrow",
    "pyarrow": "arrow",
    "distributed": "cluster",
    "gymnasium": "research",
    "pandas": "research",
    "msgspec": "server",
    "cryptography": "server",
    "sqlalchemy": "server",
    "alembic": "server",
    "asyncpg": "server",
    "aiosqlite": "server",
    "argon2-cffi": "server",
    "fastapi": "server",
    "httptools": "server",
    "httpx": "server",
    "picows": "server",
    "prometheus-client": "server",
    "structlog": "server",
    "uvicorn": "server",
    "uvloop": "server",
}
"""By the package's name, the extra to install for it; where several hold it, the smallest."""

IMPORTED_AS = {"argon2-cffi": "argon2", "fpdf2": "fpdf", "prometheus-client": "prometheus_client"}
"""For packages whose module has another name than they."""


@contextmanager
def optional_package(package: str, work: str) -> Iterator[None]:
    """Where the imports of the block fail, a fault that says which work is done with which package."""
    try:
        yield
    except ImportError as error:
        module = IMPORTED_AS.get(package, package)
        missing = isinstance(error, ModuleNotFoundError) and error.name == module
        # A package that is there may be damaged, or lack one of its own; installing the extra brings that too.
        found = "is not installed" if missing else f"cannot be loaded ({str(error)[:100]})"
        # No index has the package, so it is installed where its sources are.
        install = f"pip install '.[{EXTRAS[package]}]' in the checkout"
        raise MissingPackage("missing-package", f"{work} with {package}, which {found}: {install}.") from error


def check_package(package: str, work: str) -> None:
    """The same fault where the package is not installed; it is not loaded, which may take long."""
    module = IMPORTED_AS.get(package, package)
    with optional_package(package, work):
        if find_spec(module) is None:
            raise ModuleNotFoundError(f"No module named {module!r}", name=module)
