"""Which build of the service this is: a page that was made for another is told to reload."""

from pathlib import Path

from puntobanco import __version__


def _of_the_app() -> str:
    """The number that the build has left beside the browser app, which has it too."""
    try:
        return (Path(__file__).resolve().parent.parent / "web_app" / "build.txt").read_text(encoding="ascii").strip()
    except OSError:
        return __version__


BUILD = _of_the_app()
BUILD_HEADER = "x-puntobanco-build"
