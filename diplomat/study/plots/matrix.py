"""Who keeps faith with whom, and what breaking is answered with: numbers in coloured cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any

from diplomat.study.extra import library
from diplomat.study.plots.canvas import INK, PALE, SEQUENTIAL, Figure, canvas
from diplomat.study.stats.dyads import LagRow
from diplomat.study.write import study_texts

FEW = 5
"""Below this many promises a cell stays grey: its share is mostly chance."""


@dataclass(frozen=True, slots=True)
class TrustCell:
    """One direction of one pair: of ``resolved`` promises of ``actor`` to ``other``, ``hits`` were kept (or meant)."""

    actor: str
    other: str
    hits: int
    resolved: int


def trust_matrix(cells: Sequence[TrustCell], lang: str = "en", *, meant: bool = False) -> Figure:
    """Directed kept rates: rows gave their word, columns received it.

    Cells below :data:`FEW` promises are grey with only their count; the diagonal is blank.  ``meant=True`` labels the
    figure as the share that was meant sincerely instead.
    """
    texts = study_texts(lang)
    seats = sorted({cell.actor for cell in cells} | {cell.other for cell in cells})
    size = max(3.4, 0.85 * len(seats) + 1.6)
    with canvas(size + 1.2, size) as (figure, axes):
        colours = _scale(figure, axes, texts.say("plot.trust.meant" if meant else "plot.trust.kept"))
        for cell in cells:
            x, y = seats.index(cell.other), seats.index(cell.actor)
            share = cell.hits / cell.resolved if cell.resolved else None
            shown = share if cell.resolved >= FEW else None
            words = texts.say("plot.trust.count", n=cell.resolved)
            if shown is not None:
                words = f"{100 * shown:.0f}%\n{words}"
            _cell(axes, (x, y), colours, shown, words, f"pair-{cell.actor}-{cell.other}")
        _frame(axes, seats, seats)
        axes.set_xlabel(texts.say("plot.trust.to", few=FEW))
        axes.set_ylabel(texts.say("plot.trust.by"))
        axes.set_title(texts.say("plot.trust.title_meant" if meant else "plot.trust.title"))
    return figure


def lag_matrix(rows: Sequence[LagRow], lang: str = "en") -> Figure:
    """Lag-one reciprocity: what a seat does (columns) after what the other did to it (rows)."""
    texts = study_texts(lang)
    with canvas(4.8, 3.4) as (figure, axes):
        colours = _scale(figure, axes, texts.say("plot.lag.share"))
        for y, row in enumerate(rows):
            for x, share in enumerate((1 - row.rate, row.rate)):
                shown = share if row.units else None
                words = f"{100 * share:.0f}%" if row.units else "–"
                if x == 1 and row.units and not isnan(row.low):
                    words += f"\n({100 * row.low:.0f}–{100 * row.high:.0f}%)"
                _cell(axes, (x, y), colours, shown, words, f"lag-{row.before}-{x}")
        named = [texts.say(f"plot.lag.before_{row.before}", n=row.units) for row in rows]
        _frame(axes, [texts.say("plot.lag.now_kept"), texts.say("plot.lag.now_broke")], named)
        axes.set_title(texts.say("plot.lag.title"))
    return figure


def _scale(figure: Figure, axes: Any, label: str) -> Any:
    """A colour scale from 0 to 1 with its bar; returns the function of a share to a colour."""
    scale = library("matplotlib.cm").ScalarMappable(library("matplotlib.colors").Normalize(0, 1), SEQUENTIAL)
    bar = figure.colorbar(scale, ax=axes, shrink=0.8, format=library("matplotlib.ticker").PercentFormatter(1.0))
    bar.set_label(label)
    bar.outline.set_visible(False)
    return scale.to_rgba


def _cell(axes: Any, at: tuple[int, int], colours: Any, share: float | None, words: str, gid: str) -> None:
    patch = library("matplotlib.patches").Rectangle(
        (at[0] - 0.5, at[1] - 0.5), 1, 1, facecolor=PALE if share is None else colours(share), edgecolor="white", lw=2
    )
    patch.set_gid(gid)
    axes.add_patch(patch)
    dark = share is not None and share < 0.55
    axes.text(*at, words, ha="center", va="center", color="white" if dark else INK, fontsize=8)


def _frame(axes: Any, across: Sequence[str], down: Sequence[str]) -> None:
    axes.set_xlim(-0.5, len(across) - 0.5)
    axes.set_ylim(len(down) - 0.5, -0.5)
    axes.set_xticks(range(len(across)), across, rotation=30 if len(across) > 5 else 0)
    axes.set_yticks(range(len(down)), down)
    axes.tick_params(length=0)
    for side in axes.spines.values():
        side.set_visible(False)
