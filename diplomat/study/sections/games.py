"""Which games are studied, and what was left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from diplomat.core.texts import Texts
from diplomat.study.findings import Findings
from diplomat.study.gather import Gathered, LeftOut
from diplomat.study.screen import Section

NAMED = 5
"""Files of one kind that are named on the screen; all of them stand in ``left_out.csv``."""


def head(gathered: Gathered, found: Findings, say: Texts) -> Section:
    """What is studied, and with what."""
    rows = [one.row for one in gathered.games]
    facts = {
        "games": len(rows),
        "promises": found.four[0].said,
        "messages": sum(row.messages for row in rows),
        "rules": rows[0].rules if rows else "",
        "by": say.say(f"by.{found.by}"),
        "in_play": gathered.in_play,
        "pending": found.four[0].pending,
        "torn": sum(row.torn for row in rows),
        "old": sum(row.hashes == "none" for row in rows),
        "changed": sum(row.hashes == "broken" for row in rows),
        "forks": sum(bool(row.parent) for row in rows),
        "resamples": found.resamples,
        "seed": found.seed,
    }
    notes = [say.say("head.what", **facts)]
    notes += [say.say(f"head.{key}", **facts) for key in ("in_play", "torn", "old", "changed", "forks") if facts[key]]
    notes.append(say.say("head.resamples", **facts))
    return Section(say.say("head.title", **facts), notes=tuple(notes))


def left_out(gathered: Gathered, say: Texts) -> Iterator[str]:
    """What was left out, kind by kind, with the first files of each."""
    kinds = Counter(one.why for one in gathered.left)
    for why, count in sorted(kinds.items()):
        yield say.say(f"left.{why}", count=count)
        texts = [_told(one, say) for one in gathered.left if one.why == why]
        yield from (f"  {text}" for text in texts[:NAMED])
        if count > NAMED:
            yield "  " + say.say("left.more", count=count - NAMED)


def _told(one: LeftOut, say: Texts) -> str:
    """One path that was left out, and what is wrong with it."""
    return say.say("left.copy", copy=one.path, kept=one.text) if one.why == "twice" else one.text or one.path


def left(gathered: Gathered, say: Texts) -> list[Section]:
    """What was left out, if anything was."""
    if not gathered.left:
        return []
    return [Section(say.say("left.title", count=len(gathered.left)), notes=tuple(left_out(gathered, say)))]
