"""Who says that something was promised, and how well sentences were read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from diplomat.core.texts import Texts
from diplomat.study.annotate.agreement import Agreement
from diplomat.study.annotate.checking import ALL
from diplomat.study.coded import Coded
from diplomat.study.extract_sources import CODING
from diplomat.study.findings import Findings
from diplomat.study.gather import Gathered
from diplomat.study.screen import Section, figures
from diplomat.study.sections.words import columns, interval, percent, plain
from diplomat.study.stats.extraction import BENCHMARKS
from diplomat.study.stats.intervals import ratio

SHOWN_ACTS, SHOWN_FIELDS = ("commitment", "promise", "broken"), ("commitment", "act", "goal")
"""Kinds of act and coded fields that the screen has; the files have all."""


def reading(gathered: Gathered, coded: Coded | None, say: Texts) -> str:
    """How well promises were read, in one line to stand beside every rate of them; empty if nobody checked it."""
    if coded is None or not coded.messages:
        return ""
    facts: dict[str, object] = {"messages": coded.messages, "games": coded.games}
    if coded.read is None:
        return say.say("reading.people", **facts)
    found = coded.read
    facts |= {"precision": interval(found.precision), "recall": interval(found.recall)}
    line = say.say("reading.beside" if "people" in gathered.asked else "reading.read", **facts)
    if coded.broken is not None and coded.broken.found:
        line += " " + say.say("reading.broken", precision=interval(coded.broken.precision), found=coded.broken.found)
    return line


def evidence(gathered: Gathered, found: Findings, coded: Coded | None, say: Texts) -> Iterator[Section]:
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
    checked = "unchecked" if coded is None else "note" if coded.messages else "unusable"
    notes = [say.say(f"source.{checked}"), *_resting(gathered, say)]
    yield Section(say.say("source.title"), columns(say, *keys), rows, tuple(notes))
    if coded is None:
        return
    if coded.messages:
        yield _quality(coded, say)
    if coded.agreement is not None:
        yield Section(say.say("quality.agreement_title"), notes=tuple(_agreement(coded.agreement, say)))
    if coded.refused:
        yield Section(_refused_title(coded, say), notes=tuple(_refused(coded, say)))


def refused(coded: Coded, say: Texts) -> Iterator[str]:
    """What of annotation files was not used; nothing if all was."""
    if coded.refused:
        yield _refused_title(coded, say)
        yield from _refused(coded, say)


def _resting(gathered: Gathered, say: Texts) -> Iterator[str]:
    """How many games rest on what, where codings are among it."""
    if set(gathered.asked).intersection(CODING):
        counts = Counter(one.row.sources for one in gathered.games)
        games = "; ".join(f"{', '.join(names) or '–'}: {count}" for names, count in sorted(counts.items()))
        yield say.say("source.games", games=games)


def _refused_title(found: Coded, say: Texts) -> str:
    return say.say("quality.refused", count=sum(row.rows for row in found.refused))


def _refused(found: Coded, say: Texts) -> Iterator[str]:
    for row in found.refused:
        named = f" ({', '.join(row.concerned)})" if row.concerned else ""
        yield f"  {say.say(f'refused.{row.reason}')}{named}: {row.rows}"


def _quality(found: Coded, say: Texts) -> Section:
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
    if found.kept is not None:
        read, people = found.kept.read, found.kept.people
        facts = {"read": interval(read), "people": interval(people), "n": read.units, "m": people.units}
        notes.append(say.say("quality.kept", **facts))
        if found.kept.corrected is not None:
            notes.append(say.say("quality.corrected", rate=interval(found.kept.corrected)))
    notes += [
        say.say("quality.benchmark", what=one.what, figure=one.figure, value=one.value, source=one.source)
        for one in BENCHMARKS
    ]
    named = columns(say, "source", "act", "gold", "found", "precision", "recall")
    title = say.say("quality.title", messages=found.messages, games=found.games)
    return Section(title, named, rows, tuple(notes), words=2)


def _agreement(found: Agreement, say: Texts) -> Iterator[str]:
    for row in found.rows:
        if row.field in SHOWN_FIELDS:
            told = say.say("quality.agreement", field=row.field, alpha=plain(row.alpha), units=row.pairable)
            yield f"{told} {say.say(f'quality.{row.gate}')}"
