"""The reveal: a finished game laid open on one page that needs no network, no script and no server."""

from __future__ import annotations

from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from diplomat.core.proceedings import SeedSealed
from diplomat.core.talk import clean
from diplomat.report.result import result_of
from diplomat.report.speech import Archive
from diplomat.report.timeline import Timeline, broken
from diplomat.report.words import Wording
from diplomat.transcript.reader import Transcript
from diplomat.transcript.replay import known_to


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("diplomat.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def reveal_page(transcript: Transcript, lang: str) -> str:
    """One self-contained HTML file about the whole game, private words and plans included.

    A log that stops early gives a page up to its last event.
    """
    wording = Wording(transcript, lang, known_to(transcript, None))
    archive = Archive(transcript.lines, transcript.seats, wording)
    chapters = Timeline(transcript, wording, archive).chapters
    broken(chapters, archive, wording)
    page = _environment().get_template("page.html.j2")
    return page.render(
        lang=wording.lang,
        say=wording.say,
        word=wording.word,
        chip=wording.chip,
        chips=wording.chips,
        style=wording.style,
        players=wording.players,
        title=transcript.game.title(wording.lang),
        facts=_facts(transcript),
        chapters=chapters,
        result=result_of(transcript, archive, wording),
    )


def _facts(transcript: Transcript) -> dict[str, Any]:
    """What somebody needs who wants to check or repeat the game."""
    header = transcript.header
    seed = next((line.event.seed for line in transcript.lines if isinstance(line.event, SeedSealed)), "")
    return {
        "started": clean(header.started)[:10],
        "package": clean(header.package),
        "commitment": clean(header.commitment),
        "seed": clean(seed),
        "events": len(transcript.lines),
    }
