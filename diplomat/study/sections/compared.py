"""Rates of groups beside each other, and the test of whether the groups differ."""

from __future__ import annotations

from collections.abc import Iterator

from diplomat.core.texts import Texts
from diplomat.study.findings import Findings
from diplomat.study.screen import Section, figures
from diplomat.study.sections.words import bounds, chance, columns, group, percent
from diplomat.study.stats.rates import RateRow


def rates(found: Findings, say: Texts) -> Iterator[Section]:
    """Every rate: one table per measure, one row per group."""
    by_measure: dict[str, list[RateRow]] = {}
    for row in found.rates:
        by_measure.setdefault(f"{row.measure}_{row.per}", []).append(row)
    for measure, rows in by_measure.items():
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
        yield Section(say.say(f"rate.{measure}"), named, cells)


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
