"""What was said, did, meant and believed, how long words held, and what was claimed."""

from __future__ import annotations

from collections.abc import Iterator

from diplomat.core.texts import Texts
from diplomat.study.findings import Findings
from diplomat.study.screen import Section, figures
from diplomat.study.sections.words import bounds, columns, group, percent
from diplomat.study.stats.intervals import ratio


def four(found: Findings, say: Texts) -> Iterator[Section]:
    """Said and did, meant and believed."""
    did = tuple(
        (group(row.group, say), *figures((row.said, row.kept, row.broken, row.void, row.pending, row.untestable)))
        for row in found.four
    )
    yield Section(
        say.say("four.did"), columns(say, found.by, "said", "kept", "broken", "void", "open", "untestable"), did,
        (say.say("four.did_note", vacuous=found.four[0].kept + found.four[0].broken - found.four[0].binding),),
    )  # fmt: skip
    meant = tuple(
        (
            group(row.group, say),
            *figures((row.sincere, row.insincere, row.undecided, row.no_evidence)),
            *figures((row.believed, row.doubted, row.unseen)),
        )
        for row in found.four
    )
    keys = ("sincere", "insincere", "undecided", "no_evidence", "believed", "doubted", "unseen")
    note = say.say("four.meant_note", share=percent(ratio(found.four[0].no_evidence, found.four[0].said)))
    yield Section(say.say("four.meant"), columns(say, found.by, *keys), meant, (note,))


def outcomes(found: Findings, say: Texts) -> Section:
    """Meant against done."""
    keys = ("honoured", "changed_mind", "relented", "premeditated", "with_notice", "retaliatory")
    rows = tuple((group(row.group, say), *figures([getattr(row, key) for key in keys])) for row in found.outcomes)
    return Section(say.say("outcome.title"), columns(say, found.by, *keys), rows, (say.say("outcome.note"),))


def lasting(found: Findings, say: Texts) -> Section:
    """How long words held."""
    rows = tuple(
        (
            f"{step.time:g}",
            str(step.at_risk),
            percent(step.survival),
            bounds(step.low, step.high),
            percent(end.event),
            percent(end.competing),
        )
        for step, end in zip(found.survival, found.incidence, strict=True)
    )
    named = columns(say, "after", "at_risk", "unbroken", "bounds", "broken_by", "void_by")
    notes = [say.say("time.note")]
    if found.untested:
        notes.append(say.say("time.untested", count=found.untested))
    return Section(say.say("time.title"), named, rows, tuple(notes))


def claims(found: Findings, say: Texts) -> Iterator[Section]:
    """Claims and their truth, if there were any."""
    if found.claims:
        keys = ("claims", "true", "false_known", "false_unknown", "unverifiable")
        rows = tuple((group(row.group, say), *figures([getattr(row, key) for key in keys])) for row in found.claims)
        yield Section(say.say("claims.title"), columns(say, found.by, *keys), rows, (say.say("claims.note"),))
