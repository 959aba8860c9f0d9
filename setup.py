"""Builds the compiled kernels; all else about the package is in pyproject.toml."""

import sys
from pathlib import Path

from setuptools import Extension, setup  # type: ignore[import-untyped]
from setuptools.command.bdist_wheel import bdist_wheel  # type: ignore[import-untyped]

PACKAGE = Path("src/puntobanco")
# Kernels are exact in integers, so products and sums may be fused; nothing here lets a compiler round differently.
OPTIONS = ["-std=c11", "-O3", "-ffp-contract=fast", "-fvisibility=hidden", "-Wno-psabi"]


def kernel(name: str) -> Extension:
    """The kernel whose sources are in the folder of its name; without a compiler the installation succeeds, and pure
    Python serves.
    """
    folder = PACKAGE / name
    return Extension(
        f"puntobanco.{name}",
        sources=[str(folder / "module.c")],
        depends=sorted(map(str, folder.glob("*.h"))),
        extra_compile_args=OPTIONS if sys.platform != "win32" else [],
        py_limited_api=True,
        optional=True,
    )


class WheelWithTheApp(bdist_wheel):  # type: ignore[misc]
    """A wheel holds the browser app; an editable installation finds it in the checkout, once it is built there."""

    def run(self) -> None:
        if not (PACKAGE / "web_app" / "index.html").is_file() and "editable_wheel" not in sys.argv:
            raise SystemExit("The browser app is not built: scripts/run serve --help builds it into the package.")
        super().run()


setup(
    cmdclass={"bdist_wheel": WheelWithTheApp},
    ext_modules=[kernel("_odds_kernel"), kernel("_simulate_kernel")],
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
