"""What the four columns leave open: why promises were void, how long unstated rounds last, who played both sides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from diplomat.core.texts import Texts
from diplomat.study.findings import Findings
from diplomat.study.screen import Section, figures
from diplomat.study.sections.words import columns, group, percent
from diplomat.study.stats.intervals import ratio


def void(found: Findings, say: Texts) -> Iterator[Section]:
    """Void promises by reason, if there are any."""
    counts: dict[str, Counter[str]] = {}
    for row in found.statuses:
        if row.status == "void":
            for name in ("", row.group):
                counts.setdefault(name, Counter())[row.reason] += row.promises
    if counts:
        reasons = sorted(counts[""], key=lambda reason: (-counts[""][reason], reason))
        rows = tuple(
            (group(name, say), *figures([made[reason] for reason in reasons])) for name, made in sorted(counts.items())
        )
        named = (*columns(say, found.by), *(say.say(f"void.{reason}") for reason in reasons))
        yield Section(say.say("void.title"), named, rows)


def windows(found: Findings, read: str, say: Texts) -> Iterator[Section]:
    """Kept rates had words without rounds held longer, if there are such words; ``read`` as in ``rates``."""
    if found.windows:
        rows = tuple(
            (
                group(row.group, say),
                *figures((row.words, row.judged)),
                percent(ratio(row.kept, row.judged)),
                percent(ratio(row.kept_next, row.judged_next)),
                percent(ratio(row.kept_end, row.judged_end)),
            )
            for row in found.windows
        )
        named = columns(say, found.by, "unstated", "units", "rate_kept", "kept_next", "kept_end")
        yield Section(say.say("windows.title"), named, rows, (say.say("windows.note"),), lead=read)


def conflicts(found: Findings, say: Texts) -> Iterator[Section]:
    """Words to different seats that could not all be kept, if there were any."""
    if found.conflicts:
        keys = ("conflicting", "kept", "broken")
        rows = tuple(
            (group(row.group, say), *figures([getattr(row, key) for key in keys]))
            for row in found.conflicts
            if row.conflicting
        )
        yield Section(say.say("conflicts.title"), columns(say, found.by, *keys), rows, (say.say("conflicts.note"),))
