"""The reveal: a game laid open on one page that needs no network, no script and no server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from diplomat.core.proceedings import SeedSealed
from diplomat.core.talk import clean
from diplomat.report.aloud import diaries
from diplomat.report.brief import brief
from diplomat.report.cards import GROUPS, cards
from diplomat.report.cost import COLUMNS, charges
from diplomat.report.evidence import evidence_of
from diplomat.report.generator import GENERATOR
from diplomat.report.knowing import hearsay, knowledge
from diplomat.report.public import Removed
from diplomat.report.result import result_of
from diplomat.report.speech import Archive
from diplomat.report.timeline import Timeline, broken
from diplomat.report.trust import alliances, course, did_matrix, meant_matrix
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


def reveal_page(
    transcript: Transcript,
    lang: str,
    *,
    ledger: Any,
    bill: Sequence[Mapping[str, Any]] = (),
    removed: Removed | None = None,
    watching: bool = False,
) -> str:
    """One self-contained HTML file about the whole game, private words and plans included.

    ``ledger``: the promises of this very transcript, see :func:`diplomat.report.evidence.evidence_of`.
    ``bill``: sums of the calls of language models as plain rows, see :func:`diplomat.report.cost.charges`.
    ``removed``: the transcript comes from :func:`diplomat.report.public.publish`.
    ``watching``: it comes from :func:`diplomat.report.public.in_play`.
    A log that stops early gives a page up to its last event.
    """
    evidence = evidence_of(ledger)
    wording = Wording(transcript, lang, known_to(transcript, None))
    archive = Archive(transcript.lines, evidence, wording)
    timeline = Timeline(transcript, wording, archive)
    chapters, seats = timeline.chapters, transcript.seats
    broken(chapters, archive, wording)
    dossier = cards(archive, timeline, wording)
    rounds = [chapter.number for chapter in chapters if chapter.number]
    costs, total = charges(bill)
    page = _environment().get_template("page.html.j2")
    return page.render(
        generator=GENERATOR,
        lang=wording.lang,
        say=wording.say,
        word=wording.word,
        has=wording.labels.has,
        chip=wording.chip,
        chips=wording.chips,
        style=wording.style,
        players=wording.players,
        title=transcript.game.title(wording.lang),
        facts=_facts(transcript),
        shown=timeline.shown,
        chapters=chapters,
        rounds=rounds,
        result=result_of(transcript, wording),
        brief=brief(evidence, dossier, seats),
        cards=dossier,
        pids={card.case.given.pid: card.id for card in dossier},
        groups=[(name, [card for card in dossier if card.group == name]) for name in GROUPS],
        courses=[
            (card, course(card.case, rounds, card.style)) for card in sorted(dossier, key=lambda c: c.case.given.made_n)
        ],
        matrices=[
            ("did", did_matrix(evidence.counted, seats)),
            ("meant", meant_matrix(evidence.counted, seats)),
        ],
        pairs=alliances(evidence.counted, seats, rounds, wording),
        known=knowledge(dossier, archive, timeline, seats),
        hearsay=hearsay(archive, wording),
        diaries=diaries(chapters, seats),
        cost_columns=COLUMNS,
        costs=costs,
        cost_total=total,
        removed=removed,
        watching=watching,
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
