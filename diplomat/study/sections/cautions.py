"""What makes figures weak: each reason once, with everything that it concerns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from diplomat.core.texts import Texts
from diplomat.study.findings import Findings
from diplomat.study.screen import Section
from diplomat.study.sections.words import group
from diplomat.study.stats.cautions import FEW_GAMES, Caution

FEW, ONE = "few_games", "one_game"


@dataclass(frozen=True, slots=True)
class Concern:
    """One reason to mistrust one figure."""

    caution: Caution
    figure: str
    """What was measured, in words."""
    who: str
    """Of whom, in words."""


def concerns(found: Findings, say: Texts) -> Iterator[Concern]:
    """All reasons, in the order of the figures."""
    everybody = group("", say)
    for rate in found.rates:
        figure = say.say(f"measure.{rate.measure}")
        yield from (Concern(one, figure, group(rate.group, say)) for one in rate.cautions)
    for row, test in zip(found.tests, found.permuted, strict=True):
        yield from (Concern(one, say.say(f"measure.{row.measure}"), everybody) for one in test.cautions)
    others: tuple[tuple[str, Iterable[Caution]], ...] = (
        ("pairs", (*found.tit_for_tat.difference.cautions, *found.reciprocity.cautions)),
        ("honesty", found.honesty.cautions),
        *((model.method, model.cautions) for model in found.models.fitted),
    )
    for name, cautions_ in others:
        yield from (Concern(one, say.say(f"weak.figure.{name}"), everybody) for one in cautions_)


def cautions(found: Findings, games: int, say: Texts) -> list[Section]:
    """One section with a line per reason; none if there is no reason."""
    by_code: dict[str, list[Concern]] = {}
    for one in concerns(found, say):
        by_code.setdefault(one.caution.code, []).append(one)
    notes = [line for code, rows in by_code.items() for line in _told(code, rows, games, say)]
    return [Section(say.say("weak.title"), notes=tuple(notes))] if notes else []


def _told(code: str, rows: Sequence[Concern], games: int, say: Texts) -> Iterator[str]:
    if code == FEW and games < FEW_GAMES:
        yield say.say("weak.few_in_all", games=games, wanted=FEW_GAMES)
    elif code == ONE and games == 1:
        yield say.say("weak.one_in_all")
    elif code in (FEW, ONE):
        yield say.say(f"weak.{code}", wanted=FEW_GAMES, whom=", ".join(_few(rows, say)))
    else:
        items = dict.fromkeys(
            say.say(f"weak.item.{code}", figure=one.figure, who=one.who, **one.caution.facts) for one in rows
        )
        yield say.say(f"weak.{code}", what="; ".join(items))


def _few(rows: Sequence[Concern], say: Texts) -> Iterator[str]:
    """Who has how few games, and of which figures, if not of all of them alike."""
    every = {one.figure for one in rows}
    for who in dict.fromkeys(one.who for one in rows):
        own = [one for one in rows if one.who == who]
        counts = sorted({int(one.caution.facts["games"]) for one in own})
        games = str(counts[0]) if len(counts) == 1 else f"{counts[0]}–{counts[-1]}"
        figures = list(dict.fromkeys(one.figure for one in own))
        key = "who" if set(figures) == every else "who_figures"
        yield say.say(f"weak.item.{key}", who=who, games=games, figures=", ".join(figures))
