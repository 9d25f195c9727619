"""Both sides of a promise: is it paid back, does honesty pay, did receivers doubt."""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan

from diplomat.core.texts import Texts
from diplomat.study.findings import Findings
from diplomat.study.screen import Section
from diplomat.study.sections.words import bounds, chance, columns, decimal, group, interval, percent

SHOWN = ("macro_f1", "lie_f1", "precision", "recall", "kappa")
"""Figures of receivers that the screen has; the files have all."""


def pairs(found: Findings, say: Texts) -> Iterator[Section]:
    """Whether keeping and breaking are paid back."""
    both, lag = found.reciprocity, found.tit_for_tat
    rows = tuple(
        (say.say(f"pairs.{row.before}"), percent(row.rate), bounds(row.low, row.high), str(row.units))
        for row in lag.rows
    )
    notes = (
        say.say("pairs.lag_note", difference=interval(lag.difference), unanswered=lag.unanswered),
        say.say("pairs.both", r=f"{both.correlation:.2f}", p=chance(both.p_value), pairs=both.pairs)
        if not isnan(both.correlation)
        else say.say("pairs.none", pairs=both.pairs),
    )
    yield Section(say.say("pairs.title"), columns(say, "before", "breaks", "clustered", "units"), rows, notes)


def honesty(found: Findings, say: Texts) -> Section:
    """Kept promises beside the score."""
    one = found.honesty
    rows = tuple(
        (
            group(row.agent, say),
            percent(row.honesty.estimate),
            bounds(row.honesty.low, row.honesty.high),
            f"{row.strength.estimate:.1f}",
            "–" if isnan(row.strength.low) else f"{row.strength.low:.1f}–{row.strength.high:.1f}",
            str(row.seats),
        )
        for row in one.agents
    )
    notes = [say.say("honesty.rank", r=decimal(one.correlation), p=chance(one.p_value), seats=one.seats)]
    if found.unscored:
        notes.append(say.say("honesty.unscored", seats=found.unscored))
    named = columns(say, found.by, "rate_kept", "clustered", "score", "clustered", "seats")
    return Section(say.say("honesty.title"), named, rows, tuple(notes))


def receivers(found: Findings, say: Texts) -> Section:
    """Whether what was not meant was doubted."""
    report = found.receivers
    judges = list(dict.fromkeys(row.judge for row in report.rows))
    rows = tuple(
        (
            say.say(f"judge.{judge}"),
            *(interval(report.figure(measure, judge)) for measure in SHOWN if measure != "kappa"),
        )
        for judge in judges
    )
    counts = report.counts
    notes = (
        say.say(
            "receivers.counts",
            caught=int(counts.caught),
            missed=int(counts.missed),
            doubted=int(counts.doubted),
            believed=int(counts.believed),
            unlabelled=report.unlabelled,
        ),
        say.say("receivers.note"),
    )
    named = columns(say, "judge", *(name for name in SHOWN if name != "kappa"))
    return Section(say.say("receivers.title"), named, rows if counts.total else (), notes)
