"""Builds the compiled kernels; all else about the package is in pyproject.toml."""

import sys
from collections.abc import Iterable
from pathlib import Path

from setuptools import Extension, setup  # type: ignore[import-untyped]

PACKAGE = Path("src/puntobanco")
# Kernels are exact in integers, so products and sums may be fused; nothing here lets a compiler round differently.
OPTIONS = ["-std=c11", "-O3", "-ffp-contract=fast", "-fvisibility=hidden", "-Wno-psabi"]


def kernel(name: str, source: Path, headers: Iterable[Path]) -> Extension:
    """A kernel of its own; without a compiler the installation succeeds, and pure Python serves."""
    return Extension(
        f"puntobanco.{name}",
        sources=[str(source)],
        depends=sorted(map(str, headers)),
        extra_compile_args=OPTIONS if sys.platform != "win32" else [],
        py_limited_api=True,
        optional=True,
    )


setup(
    ext_modules=[
        kernel("_kernel", PACKAGE / "_kernel" / "module.c", (PACKAGE / "_kernel").glob("*.h")),
        kernel("_simulate", PACKAGE / "_simulate.c", [PACKAGE / "_simulate_lanes.h"]),
    ],
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
