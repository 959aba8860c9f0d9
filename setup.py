"""Builds the compiled kernels; all else about the package is in pyproject.toml."""

import sys
from pathlib import Path

from setuptools import Extension, setup  # type: ignore[import-untyped]

SOURCE = "src/puntobanco/_kernel/module.c"
# Kernels are exact in integers, so products and sums may be fused; nothing here lets a compiler round differently.
OPTIONS = ["-std=c11", "-O3", "-ffp-contract=fast", "-fvisibility=hidden", "-Wno-psabi"]

setup(
    ext_modules=[
        Extension(
            "puntobanco._kernel",
            sources=[SOURCE],
            depends=sorted(str(header) for header in Path(SOURCE).parent.glob("*.h")),
            extra_compile_args=OPTIONS if sys.platform != "win32" else [],
            py_limited_api=True,
            # Without a compiler the installation succeeds, and the pure-Python counters serve.
            optional=True,
        )
    ],
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
