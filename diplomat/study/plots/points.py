"""Estimates with their intervals: forest plot, honesty against strength, power."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from diplomat.study.extra import library
from diplomat.study.plots.canvas import COLOURS, CYCLE, INK, PALE, Figure, canvas
from diplomat.study.stats.cautions import FEW_GAMES
from diplomat.study.stats.dyads import HonestyRow
from diplomat.study.stats.power import PowerRow
from diplomat.study.write import study_texts

MARKS = "osD^vP*Xhp"
"""Not as many as there are colours, so that colour and mark together come round late."""


@dataclass(frozen=True, slots=True)
class ForestRow:
    """One line of a forest plot."""

    label: str
    estimate: float
    low: float
    high: float
    """Bounds that resample games."""
    units: int
    games: int
    narrow_low: float | None = None
    narrow_high: float | None = None
    """Bounds that take rows as independent, drawn thinner so that the difference is seen."""


def forest(
    rows: Sequence[ForestRow], lang: str = "en", *, title: str = "", axis: str = "", reference: float | None = None
) -> Figure:
    """Agents or conditions one below the other, each with its clustered interval, its units and its games.

    Args:
        rows: from top to bottom.
        lang: language of the labels.
        title: above the figure; a general one if empty.
        axis: what is measured; *share* if empty.
        reference: a value to compare with, drawn as a line.
    """
    texts = study_texts(lang)
    with canvas(7.4, 0.42 * len(rows) + 1.5) as (figure, axes):
        if reference is not None:
            axes.axvline(reference, color=INK, lw=0.8, ls="--")
        for y, row in enumerate(rows):
            if row.narrow_low is not None and row.narrow_high is not None:
                axes.plot([row.narrow_low, row.narrow_high], [y + 0.22] * 2, color=CYCLE[1], lw=1.2, ls="-")
            axes.plot([row.low, row.high], [y, y], color=COLOURS["kept"], lw=2.4, solid_capstyle="butt")
            axes.plot([row.estimate], [y], marker="s", ms=6, color=COLOURS["kept"], gid=f"forest-{y}")
            few = row.games < FEW_GAMES
            words = texts.say(
                "plot.forest.row_few" if few else "plot.forest.row",
                percent=f"{100 * row.estimate:.0f}", n=row.units, games=row.games,
            )  # fmt: skip
            axes.annotate(
                words, (1.01, y), xycoords=("axes fraction", "data"), va="center", fontsize=8,
                color=COLOURS["broken"] if few else INK,
            )  # fmt: skip
        axes.set_yticks(range(len(rows)), [row.label for row in rows])
        axes.set_ylim(len(rows) - 0.4, -0.6)
        axes.tick_params(axis="y", length=0)
        axes.grid(axis="x", color=PALE, lw=0.6)
        axes.set_axisbelow(True)
        axes.xaxis.set_major_formatter(library("matplotlib.ticker").PercentFormatter(1.0))
        axes.set_xlabel(axis or texts.say("plot.share"))
        axes.set_title(title or texts.say("plot.forest.title"))
        if any(row.narrow_low is not None for row in rows):
            _two_intervals(figure, lang)
    return figure


def _two_intervals(figure: Figure, lang: str) -> None:
    texts = study_texts(lang)
    line = library("matplotlib.lines").Line2D
    marks = [
        line([], [], color=COLOURS["kept"], lw=2.4, marker="s", ms=6, label=texts.say("plot.forest.clustered")),
        line([], [], color=CYCLE[1], lw=1.2, label=texts.say("plot.forest.independent")),
    ]
    figure.legend(handles=marks, loc="outside lower center", ncols=2, frameon=False, fontsize=8)


def honesty_strength(agents: Sequence[HonestyRow], lang: str = "en") -> Figure:
    """Each agent as a point: share of promises kept across, strength up, both with clustered intervals."""
    texts = study_texts(lang)
    with canvas(6.2, 4.6) as (figure, axes):
        for at, row in enumerate(agents):
            colour, x, y = CYCLE[at % len(CYCLE)], row.honesty, row.strength
            axes.plot([x.low, x.high], [y.estimate] * 2, color=colour, lw=1.2)
            axes.plot([x.estimate] * 2, [y.low, y.high], color=colour, lw=1.2)
            key = "agent_few" if row.games < FEW_GAMES else "agent"
            name = texts.say(f"plot.honesty.{key}", agent=row.agent, games=row.games)
            mark = MARKS[at % len(MARKS)]
            axes.plot([x.estimate], [y.estimate], mark, color=colour, ms=8, label=name, gid=f"agent-{row.agent}")
        axes.xaxis.set_major_formatter(library("matplotlib.ticker").PercentFormatter(1.0))
        axes.grid(color=PALE, lw=0.6)
        axes.set_axisbelow(True)
        axes.set_xlabel(texts.say("plot.honesty.honesty"))
        axes.set_ylabel(texts.say("plot.honesty.strength"))
        axes.set_title(texts.say("plot.honesty.title"))
        if agents:
            figure.legend(loc="outside right upper", frameon=False, fontsize=8)
    return figure


def power_curve(rows: Sequence[PowerRow], lang: str = "en", *, wanted: float = 0.8) -> Figure:
    """How likely a study finds its effect, by its number of games; the dashed line is the power that is wanted."""
    texts = study_texts(lang)
    with canvas(5.6, 3.6) as (figure, axes):
        games = [row.games for row in rows]
        axes.axhline(wanted, color=INK, lw=0.8, ls="--")
        for row in rows:
            reach = 1.96 * row.error
            axes.plot(
                [row.games] * 2, [max(0, row.power - reach), min(1, row.power + reach)], color=COLOURS["kept"], lw=1.2
            )
        axes.plot(games, [row.power for row in rows], "o-", color=COLOURS["kept"])
        axes.set_ylim(0, 1.02)
        axes.yaxis.set_major_formatter(library("matplotlib.ticker").PercentFormatter(1.0))
        axes.grid(color=PALE, lw=0.6)
        axes.set_xlabel(texts.say("plot.power.games"))
        axes.set_ylabel(texts.say("plot.power.power"))
        axes.set_title(texts.say("plot.power.title"))
    return figure
