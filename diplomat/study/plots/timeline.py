"""Alliances over a game: one band per pair, its promises as bars from word to end, breaches as bolts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from diplomat.study.extra import library
from diplomat.study.plots.canvas import COLOURS, HOLLOW, INK, PALE, SHAPES, STATUSES, Figure, canvas
from diplomat.study.write import study_texts


@dataclass(frozen=True, slots=True)
class Span:
    """One promise on the timeline."""

    pid: str
    debtor: str
    creditor: str
    start: float
    """Decision point of the word."""
    end: float
    """Decision point at which it stopped pending; the last of the game for one still open."""
    status: str


@dataclass(frozen=True, slots=True)
class Breach:
    """A breach, and from when the other side knew of it."""

    pid: str
    first: str
    second: str
    t: float
    known: float | None = None
    """Decision point from which the wronged side knew; ``None``: never within the game."""


def alliance_timeline(spans: Sequence[Span], breaches: Sequence[Breach] = (), lang: str = "en") -> Figure:
    """A band per pair of seats; on it each promise runs from its word to a mark for how it ended.

    The first-named seat's promises run in the upper half of the band.  A bolt is a breach, and a dotted line from it
    leads to the point from which the other side knew.
    """
    texts = study_texts(lang)
    pairs = sorted({_pair(span.debtor, span.creditor) for span in spans} | {_pair(b.first, b.second) for b in breaches})
    with canvas(8.2, max(2.4, 0.8 * len(pairs) + 1.5)) as (figure, axes):
        for line, _ in enumerate(pairs):
            axes.axhspan(line - 0.38, line + 0.38, color=PALE, alpha=0.35 if line % 2 else 0.7, lw=0)
            axes.axhline(line, color="white", lw=1)
        for span, at in _placed(spans, pairs):
            _draw(axes, span, at)
        for breach in breaches:
            middle = pairs.index(_pair(breach.first, breach.second))
            bolt = axes.scatter([breach.t], [middle], marker=_bolt(), s=190, color=INK, zorder=5, lw=0)
            bolt.set_gid(f"breach-{breach.pid}")
            if breach.known is not None:
                axes.plot([breach.t, breach.known], [middle, middle], ls=":", color=INK, lw=1.2, zorder=4)
                axes.plot([breach.known], [middle], marker="|", ms=13, color=INK, zorder=4)
        axes.set_yticks(range(len(pairs)), [texts.say("plot.timeline.pair", first=a, second=b) for a, b in pairs])
        axes.set_ylim(len(pairs) - 0.5, -0.5)
        axes.tick_params(axis="y", length=0)
        axes.xaxis.set_major_locator(library("matplotlib.ticker").MaxNLocator(integer=True))
        axes.set_xlabel(texts.say("plot.point"))
        axes.set_title(texts.say("plot.timeline.title"))
        met = [status for status in STATUSES if any(span.status == status for span in spans)]
        _legend(figure, met, [texts.say(f"plot.status.{status}") for status in met], bool(breaches), lang)
    return figure


def _pair(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one <= other else (other, one)


def _placed(spans: Sequence[Span], pairs: Sequence[tuple[str, str]]) -> list[tuple[Span, float]]:
    """Each promise with its height: promises of one direction that overlap in time lie on lanes of their own."""
    lanes: dict[tuple[str, str], list[float]] = {}
    lane: dict[int, int] = {}
    ordered = sorted(enumerate(spans), key=lambda entry: (entry[1].start, entry[1].end, entry[1].pid))
    for number, span in ordered:
        ends = lanes.setdefault((span.debtor, span.creditor), [])
        free = next((at for at, end in enumerate(ends) if end < span.start), len(ends))
        ends[free : free + 1] = [span.end]
        lane[number] = free
    placed = []
    for number, span in enumerate(spans):
        pair = _pair(span.debtor, span.creditor)
        depth = 0.06 + 0.3 * (lane[number] + 0.5) / len(lanes[span.debtor, span.creditor])
        placed.append((span, pairs.index(pair) + (-depth if span.debtor == pair[0] else depth)))
    return placed


def _draw(axes: Any, span: Span, at: float) -> None:
    colour = COLOURS[span.status]
    axes.plot([span.start, span.end], [at, at], color=colour, lw=1.6, solid_capstyle="butt", zorder=2)
    axes.plot([span.start], [at], marker="|", ms=6, color=colour, zorder=3)
    mark = axes.scatter(
        [span.end],
        [at],
        marker=SHAPES[span.status],
        s=38,
        facecolors="white" if span.status in HOLLOW else colour,
        edgecolors=colour,
        linewidths=1.2,
        zorder=3,
    )
    mark.set_gid(f"promise-{span.pid}")


def _bolt() -> Any:
    """A lightning bolt as a marker."""
    corners = [(0.1, 1.0), (-0.55, -0.15), (-0.05, -0.15), (-0.25, -1.0), (0.55, 0.25), (0.02, 0.25), (0.1, 1.0)]
    return library("matplotlib.path").Path(corners)


def _legend(figure: Figure, statuses: Sequence[str], names: Sequence[str], bolts: bool, lang: str) -> None:
    line = library("matplotlib.lines").Line2D
    marks = [
        line(
            [],
            [],
            color=COLOURS[status],
            marker=SHAPES[status],
            markerfacecolor="white" if status in HOLLOW else COLOURS[status],
            lw=1.6,
            label=name,
        )
        for status, name in zip(statuses, names, strict=True)
    ]
    if bolts:
        texts = study_texts(lang)
        marks.append(line([], [], color=INK, marker=_bolt(), ms=12, lw=0, label=texts.say("plot.timeline.breach")))
        marks.append(line([], [], color=INK, marker="|", ms=10, ls=":", label=texts.say("plot.timeline.knew")))
    if marks:
        figure.legend(handles=marks, loc="outside lower center", ncols=min(len(marks), 4), frameon=False, fontsize=8)
