"""Who says that something was promised, and how well sentences were read."""

from __future__ import annotations

from collections.abc import Iterator

from diplomat.core.texts import Texts
from diplomat.study.coded import ALL, Coded
from diplomat.study.findings import Findings
from diplomat.study.screen import Section, figures
from diplomat.study.sections.words import bounds, columns, interval, percent, plain
from diplomat.study.stats.extraction import BENCHMARKS
from diplomat.study.stats.intervals import ratio
from diplomat.study.stats.rates import RateRow

SHOWN_ACTS, SHOWN_FIELDS = ("commitment", "promise"), ("commitment", "act", "goal")
"""Kinds of act and coded fields that the screen has; the files have all."""


def evidence(found: Findings, coded: Coded | None, say: Texts) -> Iterator[Section]:
    """Promises by source; with codings, how well the sources read."""
    rows = tuple(
        (
            row.source,
            *figures((row.promises, row.testable)),
            f"{row.confidence:.2f}",
            percent(ratio(row.kept, row.judged)),
            *figures((row.judged, row.threats)),
        )
        for row in found.sources
    )
    keys = ("source", "said", "testable", "confidence", "rate_kept", "units", "threats")
    note = say.say("source.unchecked") if coded is None else say.say("source.note")
    yield Section(say.say("source.title"), columns(say, *keys), rows, (note,))
    if coded is not None:
        yield from _quality(coded, say)


def _quality(found: Coded, say: Texts) -> Iterator[Section]:
    rows = tuple(
        (
            say.say("source.all") if row.source == ALL else row.source,
            row.act,
            *figures((row.people, row.found)),
            *(interval(one) for one in (row.precision, row.recall)),
        )
        for row in found.quality
        if row.act in SHOWN_ACTS
    )
    notes = [say.say("quality.note")]
    if found.agreement is None:
        notes.append(say.say("quality.one_coder"))
    else:
        notes += [
            say.say("quality.agreement", field=row.field, alpha=plain(row.alpha), units=row.pairable)
            + " "
            + say.say(f"quality.{row.gate}")
            for row in found.agreement.rows
            if row.field in SHOWN_FIELDS
        ]
    if found.kept_here is not None and found.kept_people is not None:
        here, people = found.kept_here, found.kept_people
        notes.append(say.say("quality.kept", here=_rate(here), people=_rate(people), n=here.units, m=people.units))
    notes += [
        say.say("quality.benchmark", what=one.what, figure=one.figure, value=one.value, source=one.source)
        for one in BENCHMARKS
    ]
    named = columns(say, "source", "act", "gold", "found", "precision", "recall")
    title = say.say("quality.title", messages=found.messages, games=found.games)
    yield Section(title, named, rows, tuple(notes), words=2)
    if found.refused:
        lines = tuple(f"  {say.say(f'refused.{row.reason}')}: {row.rows}" for row in found.refused)
        yield Section(say.say("quality.refused", count=sum(row.rows for row in found.refused)), notes=lines)


def _rate(row: RateRow) -> str:
    return f"{percent(row.rate)} ({bounds(row.cluster_low, row.cluster_high)})"
