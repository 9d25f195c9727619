"""The findings in words: one section per question, in the order in which they should be read."""

from __future__ import annotations

from diplomat.study.coded import Coded
from diplomat.study.findings import Findings
from diplomat.study.gather import Gathered
from diplomat.study.screen import Section
from diplomat.study.sections.cautions import cautions
from diplomat.study.sections.compared import neighbours, rates, tests
from diplomat.study.sections.detail import conflicts, void, windows
from diplomat.study.sections.evidence import evidence, reading
from diplomat.study.sections.games import head, left
from diplomat.study.sections.models import models
from diplomat.study.sections.promises import claims, four, lasting, outcomes
from diplomat.study.sections.sides import honesty, pairs, receivers
from diplomat.study.sections.words import report_texts, with_names


def sections(gathered: Gathered, found: Findings, coded: Coded | None, lang: str) -> list[Section]:
    """The whole report."""
    say = with_names(report_texts(lang), found.by)
    read = reading(gathered, coded, say)
    return [
        head(gathered, found, say),
        *left(gathered, say),
        *four(found, say),
        *void(found, say),
        outcomes(found, say),
        *conflicts(found, say),
        *rates(found, read, say),
        *windows(found, read, say),
        tests(found, say),
        *neighbours(found, say),
        *evidence(gathered, found, coded, say),
        *pairs(found, say),
        honesty(found, say),
        lasting(found, say),
        receivers(found, say),
        *claims(found, say),
        *models(found, say),
        *cautions(found, len(gathered.games), say),
        Section(say.say("end.title"), notes=(say.say("end.ethics"),)),
    ]
