"""Rates of groups beside each other, and the test of whether the groups differ."""

from __future__ import annotations

from collections.abc import Iterator

from diplomat.core.texts import Texts
from diplomat.study.findings import Findings
from diplomat.study.screen import Section, figures
from diplomat.study.sections.words import bounds, chance, columns, group, percent
from diplomat.study.stats.rates import RateRow

OF_TALK = frozenset({"silent"})
"""Measures that rest on no promise."""


def rates(found: Findings, read: str, say: Texts) -> Iterator[Section]:
    """Every rate: one table per measure, one row per group; ``read`` says how well promises were read."""
    by_measure: dict[str, list[RateRow]] = {}
    for row in found.rates:
        by_measure.setdefault(f"{row.measure}_{row.per}", []).append(row)
    for at, (measure, rows) in enumerate(by_measure.items()):
        cells = tuple(
            (
                group(row.group, say),
                percent(row.rate),
                bounds(row.wilson_low, row.wilson_high),
                bounds(row.cluster_low, row.cluster_high),
                percent(row.seat_mean),
                *figures((row.units, row.games)),
            )
            for row in rows
        )
        named = columns(say, found.by, "rate", "wilson", "clustered", "seat_mean", "units", "games")
        lead = "" if rows[0].measure in OF_TALK else read
        yield Section(say.say(f"rate.{measure}"), named, cells, () if at else (say.say("rate.wider"),), lead=lead)


def neighbours(found: Findings, say: Texts) -> Iterator[Section]:
    """Whether neighbours in the order of kept promises differ, where there are more than two groups."""
    if found.neighbours:
        rows = tuple(
            (
                f"{group(row.first, say)} > {group(row.second, say)}",
                percent(row.difference),
                *figures((row.games,)),
                chance(row.p_value),
                chance(row.p_holm),
            )
            for row in found.neighbours
        )
        named = columns(say, "neighbours", "difference", "games", "p", "holm")
        yield Section(say.say("neighbours.title"), named, rows, (say.say("neighbours.note"),))


def tests(found: Findings, say: Texts) -> Section:
    """Whether the label makes a difference."""
    rows = tuple(
        (
            say.say(f"measure.{test.measure}"),
            *figures((test.labels, test.games)),
            chance(test.p_value),
            chance(test.p_holm),
            figures((test.deals,))[0] + ("" if test.exact else "~"),
        )
        for test in found.tests
    )
    notes = [say.say("test.note", by=say.say(f"by.{found.by}")), say.say("test.weak")] if rows else []
    notes += [] if rows else [say.say("test.none")]
    return Section(
        say.say("test.title"), columns(say, "measure", "labels", "games", "p", "holm", "deals"), rows, tuple(notes)
    )
