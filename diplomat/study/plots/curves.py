"""Curves over decision points: how long words last, and how often each end has come by then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from diplomat.study.extra import library
from diplomat.study.plots.canvas import COLOURS, CYCLE, DASHES, INK, PALE, Figure, canvas
from diplomat.study.stats.survival import IncidenceRow, SurvivalRow
from diplomat.study.write import study_texts


def survival_curve(curves: Mapping[str, Sequence[SurvivalRow]], lang: str = "en", *, title: str = "") -> Figure:
    """Kaplan-Meier curves by group, with bands, ticks where watching ended, and how many were still at risk."""
    texts = study_texts(lang)
    with canvas(6.6, 4.2) as (figure, axes):
        for at, (name, rows) in enumerate(curves.items()):
            colour, dash = CYCLE[at % len(CYCLE)], DASHES[at % len(DASHES)]
            started = rows[0].at_risk if rows else 0
            label = texts.say("plot.survival.group", group=name, n=started)
            times = [0.0, *(row.time for row in rows)]
            axes.step(times, [1.0, *(row.survival for row in rows)], where="post", color=colour, ls=dash, label=label)
            axes.fill_between(
                times,
                [1.0, *(row.low for row in rows)],
                [1.0, *(row.high for row in rows)],
                step="post",
                color=colour,
                alpha=0.15,
                lw=0,
            )
            ended = [row for row in rows if row.censored or row.competing]
            axes.plot([row.time for row in ended], [row.survival for row in ended], "|", color=colour, ms=8)
        axes.axhline(0.5, color=INK, lw=0.6, ls=":")
        _shared(axes, texts.say("plot.since"), texts.say("plot.survival.share"))
        axes.set_title(title or texts.say("plot.survival.title"))
        if curves:
            axes.legend(frameon=False, fontsize=8)
    return figure


def incidence_curve(rows: Sequence[IncidenceRow], lang: str = "en") -> Figure:
    """Shares broken, void and still good by each decision point, stacked: they add up to everything."""
    texts = study_texts(lang)
    with canvas(6.6, 4.2) as (figure, axes):
        times = [0.0, *(row.time for row in rows)]
        broken = [0.0, *(row.event for row in rows)]
        both = [0.0, *(row.event + row.competing for row in rows)]
        layers = (
            ("broken", [0.0] * len(times), broken, "///"),
            ("void", broken, both, "..."),
            ("open", both, [1.0] * len(times), ""),
        )
        for name, low, high, hatch in layers:
            colour = COLOURS.get(name, PALE)
            axes.fill_between(
                times, low, high, step="post", facecolor=colour, edgecolor="white", hatch=hatch, alpha=0.75, lw=0,
                label=texts.say(f"plot.incidence.{name}"),
            )  # fmt: skip
        after = [row.time for row in rows]
        label = texts.say("plot.incidence.bounds")
        axes.step(after, [row.event_low for row in rows], where="post", color=INK, lw=0.8, ls="--", label=label)
        axes.step(after, [row.event_high for row in rows], where="post", color=INK, lw=0.8, ls="--")
        _shared(axes, texts.say("plot.since"), texts.say("plot.share"))
        axes.set_title(texts.say("plot.incidence.title"))
        figure.legend(loc="outside lower center", ncols=4, frameon=False, fontsize=8)
    return figure


def _shared(axes: Any, across: str, up: str) -> None:
    ticker = library("matplotlib.ticker")
    axes.set_ylim(0, 1.02)
    axes.set_xlim(left=0)
    axes.yaxis.set_major_formatter(ticker.PercentFormatter(1.0))
    axes.xaxis.set_major_locator(ticker.MaxNLocator(integer=True))
    axes.grid(color=PALE, lw=0.6)
    axes.set_axisbelow(True)
    axes.set_xlabel(across)
    axes.set_ylabel(up)
