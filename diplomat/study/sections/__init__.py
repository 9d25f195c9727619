"""The findings in words: one section per question, in the order in which they should be read."""

from __future__ import annotations

from diplomat.study.coded import Coded
from diplomat.study.findings import Findings
from diplomat.study.gather import Gathered
from diplomat.study.screen import Section
from diplomat.study.sections.cautions import cautions
from diplomat.study.sections.compared import rates, tests
from diplomat.study.sections.evidence import evidence
from diplomat.study.sections.games import head, left
from diplomat.study.sections.models import models
from diplomat.study.sections.promises import claims, four, lasting, outcomes
from diplomat.study.sections.sides import honesty, pairs, receivers
from diplomat.study.sections.words import report_texts


def sections(gathered: Gathered, found: Findings, coded: Coded | None, lang: str) -> list[Section]:
    """The whole report."""
    say = report_texts(lang)
    return [
        head(gathered, found, say),
        *left(gathered, say),
        *four(found, say),
        outcomes(found, say),
        *rates(found, say),
        tests(found, say),
        *evidence(found, coded, say),
        *pairs(found, say),
        honesty(found, say),
        lasting(found, say),
        receivers(found, say),
        *claims(found, say),
        *models(found, say),
        *cautions(found, len(gathered.games), say),
        Section(say.say("end.title"), notes=(say.say("end.ethics"),)),
    ]
