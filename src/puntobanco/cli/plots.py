"""Drawings in files: PNG, SVG or PDF by the suffix. matplotlib is loaded only when something is to be drawn."""

from collections.abc import Sequence
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING

from puntobanco.cards import shown
from puntobanco.errors import Fault, InputError
from puntobanco.extras import optional_package

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from puntobanco.provenance import Provenance

SUFFIXES = (".png", ".svg", ".pdf")
INK, LIGHT_INK = "#222222", "#ffffff"
MARGIN = 0.2
"""Inches between a drawing and the edge of its page."""


def plot_path(text: str) -> Path:
    """The path of a drawing to be made; refused before any work is done if its suffix or folder will not do."""
    path = Path(text)
    if path.suffix.lower() not in SUFFIXES:
        raise InputError("bad-usage", f"A drawing is a file that ends in {', '.join(SUFFIXES)}, not {shown(text)}.")
    if not path.parent.is_dir():
        raise Fault("unwritable-file", f"There is no folder {shown(path.parent)} to draw in.")
    load_matplotlib()
    return path


def load_matplotlib() -> None:
    """Load it before the work whose findings are to be drawn, so that nothing is worked out in vain."""
    with optional_package("matplotlib", "Charts are drawn"):
        import matplotlib.figure  # noqa: F401


def new_figure(width: float, height: float) -> "Figure":
    """An empty figure of that size in inches, in the house's style."""
    import matplotlib
    from matplotlib.figure import Figure

    # A figure on its own needs no display and leaves nothing behind, unlike one of pyplot.
    matplotlib.rcParams.update(
        {
            "font.family": "DejaVu Sans",  # It comes with matplotlib, so every machine draws the same.
            "text.color": INK,
            "axes.labelcolor": INK,
            "xtick.color": INK,
            "ytick.color": INK,
            "svg.hashsalt": "puntobanco",
            "axes.spines.top": False,
            "axes.spines.right": False,
        }
    )
    figure = Figure(figsize=(width, height))
    figure.set_layout_engine("constrained", w_pad=MARGIN, h_pad=MARGIN / 2)
    return figure


def sign(figure: "Figure", made: "Provenance", caption: str = "") -> None:
    """Write under the figure, in small letters, what it shows and by which rules and from which shoe it was made."""
    width = figure.get_figwidth()
    # Letters of this size are about a sixteenth of an inch apart at most.
    parts = [fill(part, int(width * 16)) for part in (caption, made.footer) if part]
    figure.supxlabel("\n".join(parts), fontsize=7, ha="left", x=MARGIN / width, color=INK)


def save_figure(figure: "Figure", path: Path) -> None:
    """Write the figure; the same figure gives the same file, without a date."""
    dates = {".png": {}, ".svg": {"Date": None}, ".pdf": {"CreationDate": None}}[path.suffix.lower()]
    try:
        figure.savefig(path, dpi=200, metadata=dates)
    except OSError as error:
        raise Fault("unwritable-file", f"{shown(path)} cannot be written: {error.strerror}.") from None


def heat_map(
    values: Sequence[Sequence[float]],
    *,
    rows: Sequence[str],
    columns: Sequence[str],
    title: str,
    caption: str,
    made: "Provenance",
    decimals: int = 4,
) -> "Figure":
    """A table of signed values in colour, blue above zero and red below; each column has a scale of its own."""
    strongest = [max(abs(row[place]) for row in values) or 1.0 for place in range(len(columns))]
    shades = [[value / most for value, most in zip(row, strongest, strict=True)] for row in values]
    width = max(6.5, 1.4 + 1.1 * len(columns))
    figure = new_figure(width, 2.2 + 0.3 * len(rows))
    axes = figure.add_subplot()
    axes.imshow(shades, cmap="RdBu", vmin=-1.25, vmax=1.25, aspect="auto")
    axes.set_xticks(range(len(columns)), [name.replace(" ", "\n") for name in columns], fontsize=9.5, va="bottom")
    axes.set_yticks(range(len(rows)), rows, fontsize=10, va="center_baseline")
    axes.tick_params(length=0, top=False, labeltop=True, labelbottom=False, pad=6)
    axes.spines[:].set_visible(False)
    # White lines between the cells.
    axes.set_xticks([place - 0.5 for place in range(1, len(columns))], minor=True)
    axes.set_yticks([place - 0.5 for place in range(1, len(rows))], minor=True)
    axes.grid(which="minor", color=LIGHT_INK, linewidth=1.2)
    axes.tick_params(which="minor", length=0)
    for y, row in enumerate(values):
        for x, value in enumerate(row):
            text = f"{value:+,.{decimals}f}".replace("-", "\N{MINUS SIGN}") if value else "0"
            ink = LIGHT_INK if abs(shades[y][x]) > 0.78 else INK
            axes.text(x, y, text, ha="center", va="center_baseline", color=ink, fontsize=9)
    figure.suptitle(title, fontsize=13, fontweight="bold", ha="left", x=MARGIN / width)
    sign(figure, made, caption)
    return figure
