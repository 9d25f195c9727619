"""From what was said over what was meant to what was done: bands as wide as they are frequent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from diplomat.study.extra import library
from diplomat.study.plots.canvas import COLOURS, CYCLE, INK, Figure, canvas
from diplomat.study.write import study_texts

HATCHES = {"broken": "///", "void": "...", "pending": "\\\\\\", "untestable": "xx", "untracked": "++"}
"""Ends other than kept also differ by pattern."""
GAP = 0.03
"""Space between blocks, as a share of the height."""
PILLAR = 0.07


@dataclass(frozen=True, slots=True)
class FlowRow:
    """How many promises were given in one way, meant in one way and ended in one way."""

    said: str
    """The act: ``promise``, ``offer``, ``accept`` …"""
    meant: str
    """``sincere``, ``insincere``, ``undecided``, ``no_evidence``."""
    did: str
    """``kept``, ``broken``, ``void`` …"""
    promises: int


def intent_flow(rows: Sequence[FlowRow], lang: str = "en") -> Figure:
    """A Sankey diagram of said, meant and done; bands are coloured and hatched by how the promise ended."""
    texts = study_texts(lang)
    counted = sorted((row for row in rows if row.promises), key=lambda row: (row.said, row.meant, row.did))
    total = sum(row.promises for row in counted)
    with canvas(8.0, 4.6) as (figure, axes):
        axes.set_axis_off()
        axes.set_xlim(-0.35, 2.4)
        axes.set_ylim(1.0 + 4 * GAP, -0.1)
        axes.set_title(texts.say("plot.flow.title", n=total))
        stages: tuple[Callable[[FlowRow], str], ...] = (lambda r: r.said, lambda r: r.meant, lambda r: r.did)
        keys = ("act", "meant", "status")
        blocks = [_blocks(counted, stage, total) for stage in stages]
        for x, (key, column) in enumerate(zip(keys, blocks, strict=True)):
            axes.text(x, -0.06, texts.say(f"plot.flow.{key}"), ha="center", weight="bold")
            for name, (top, height, count) in column.items():
                _pillar(axes, x, top, height)
                label = f"{texts.say(f'plot.{key}.{name}')}  {count}"
                side = -1 if x == 0 else 1
                _name(axes, x, top + height / 2, label, side)
        for x in (0, 1):
            _bands(axes, counted, x, stages, blocks, total)
    return figure


def _blocks(
    rows: Sequence[FlowRow], stage: Callable[[FlowRow], str], total: int
) -> dict[str, tuple[float, float, int]]:
    """Top, height and count of each block of one column."""
    counts: dict[str, int] = {}
    for row in rows:
        counts[stage(row)] = counts.get(stage(row), 0) + row.promises
    placed: dict[str, tuple[float, float, int]] = {}
    top = 0.0
    for name, count in sorted(counts.items()):
        placed[name] = (top, count / total, count)
        top += count / total + GAP
    return placed


def _name(axes: Any, x: float, y: float, label: str, side: int) -> None:
    """A block's name beside it; the middle column's lies on bands, hence the pale ground."""
    ground = {"facecolor": "white", "alpha": 0.75, "edgecolor": "none", "pad": 1.0}
    place = "right" if side < 0 else "left"
    axes.text(x + side * (PILLAR + 0.02), y, label, ha=place, va="center", bbox=ground, zorder=6, fontsize=8.5)


def _pillar(axes: Any, x: float, top: float, height: float) -> None:
    patch = library("matplotlib.patches").Rectangle((x - PILLAR, top), 2 * PILLAR, height, color=INK, lw=0)
    axes.add_patch(patch)


def _bands(
    axes: Any,
    rows: Sequence[FlowRow],
    x: int,
    stages: Sequence[Callable[[FlowRow], str]],
    blocks: Sequence[dict[str, tuple[float, float, int]]],
    total: int,
) -> None:
    """The bands from one column to the next; each keeps the colour of how its promises ended."""
    left = {name: top for name, (top, _, _) in blocks[x].items()}
    right = {name: top for name, (top, _, _) in blocks[x + 1].items()}
    path = library("matplotlib.path").Path
    order = sorted(rows, key=lambda row: (stages[x](row), stages[x + 1](row), row.did))
    for row in order:
        height = row.promises / total
        start, end = left[stages[x](row)], right[stages[x + 1](row)]
        left[stages[x](row)] += height
        right[stages[x + 1](row)] += height
        one, other = x + PILLAR, x + 1 - PILLAR
        middle = (one + other) / 2
        corners = [
            (one, start), (middle, start), (middle, end), (other, end),
            (other, end + height), (middle, end + height), (middle, start + height),
            (one, start + height), (one, start),
        ]  # fmt: skip
        codes = [path.MOVETO, *[path.CURVE4] * 3, path.LINETO, *[path.CURVE4] * 3, path.CLOSEPOLY]
        colour = COLOURS.get(row.did, CYCLE[2])
        band = library("matplotlib.patches").PathPatch(
            path(corners, codes), facecolor=colour, alpha=0.55, edgecolor="white", lw=0.5, hatch=HATCHES.get(row.did)
        )
        band.set_gid(f"flow-{x}-{row.said}-{row.meant}-{row.did}")
        axes.add_patch(band)
