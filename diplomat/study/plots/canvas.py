"""What all figures share: colours, shapes, the blank figure, and saving as PNG and SVG."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from textwrap import wrap
from typing import Any, TypeAlias

from diplomat.core.errors import OutputExists
from diplomat.study.columns import Table
from diplomat.study.extra import library
from diplomat.study.write import write_csv

Figure: TypeAlias = Any
"""A matplotlib figure: the library is imported only when one is drawn."""

STATUSES = ("kept", "broken", "void", "pending", "untestable", "untracked")
COLOURS = {
    "kept": "#0072B2",
    "broken": "#D55E00",
    "void": "#7F7F7F",
    "pending": "#E69F00",
    "untestable": "#BBBBBB",
    "untracked": "#DDDDDD",
}
"""Okabe and Ito's blue, vermilion and orange, with greys for what was not judged."""
SHAPES = {"kept": "o", "broken": "X", "void": "o", "pending": "s", "untestable": "D", "untracked": "D"}
HOLLOW = frozenset({"void", "pending"})
CYCLE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
DASHES = ("-", "--", "-.", ":")
INK, PALE = "#222222", "#D9D9D9"
SEQUENTIAL = "cividis"

STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 9.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": INK,
    "axes.titlesize": 10.5,
    "axes.titlelocation": "left",
    "text.parse_math": False,
    "svg.hashsalt": "diplomat",
    "svg.fonttype": "path",
    "hatch.linewidth": 0.6,
}


@contextmanager
def canvas(width: float, height: float) -> Iterator[tuple[Figure, Any]]:
    """A blank figure of that size (inches) with one pair of axes, in this package's style."""
    matplotlib = library("matplotlib")
    figures = library("matplotlib.figure")
    with matplotlib.rc_context(STYLE):
        figure = figures.Figure(figsize=(width, height), layout="constrained")
        yield figure, figure.add_subplot()


BESIDE, PER_INCH = 2.6, 13
"""Inches of a figure that a caption leaves to labels and legends, and letters of it that fit into one."""


def captioned(figure: Figure, words: str, *, warns: bool = False) -> Figure:
    """Writes under the title of a figure what it rests on, so that a copy of it alone still says so.

    Args:
        figure: as drawn by this package, changed in place.
        words: one short line.
        warns: whether the line is a warning, set off by its colour and weight.
    """
    axes = figure.axes[0]
    lines = wrap(words, max(30, int((figure.get_figwidth() - BESIDE) * PER_INCH)))
    with library("matplotlib").rc_context(STYLE):
        # Empty lines of the title keep the place free.
        axes.set_title("\n".join([*filter(None, [axes.get_title(loc="left")]), *" " * len(lines)]), loc="left")
        text = axes.annotate(
            "\n".join(lines), (0, 1), (0, 6), xycoords="axes fraction", textcoords="offset points", va="bottom",
            fontsize=8, linespacing=1.35, color=COLOURS["broken"] if warns else INK,
            weight="bold" if warns else "normal", gid="caption",
        )  # fmt: skip
    text.set_in_layout(False)
    return figure


def save(figure: Figure, stem: Path, numbers: Sequence[Table] = (), *, overwrite: bool = False) -> list[Path]:
    """Writes ``STEM.png`` and ``STEM.svg``, and the numbers behind them as CSV into the folder ``STEM``.

    The same figure gives the same SVG, byte for byte.

    Raises:
        OutputExists: a file is in the way and ``overwrite`` is not set.
    """
    paths = [stem.with_name(f"{stem.name}.{kind}") for kind in ("png", "svg")]
    there = [path.name for path in paths if path.exists()]
    if there and not overwrite:
        held = ", ".join(there)
        raise OutputExists(f"{stem.parent} already holds {held}; name another file, or write over them with --force")
    stem.parent.mkdir(parents=True, exist_ok=True)
    with library("matplotlib").rc_context(STYLE), warnings.catch_warnings():
        # Words of players may hold signs that the font lacks; they are drawn as boxes.
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        figure.savefig(paths[0], dpi=160)
        figure.savefig(paths[1], metadata={"Date": None})
    return paths + (write_csv(numbers, stem, overwrite=overwrite) if numbers else [])
