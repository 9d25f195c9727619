"""The diary of past chapters, shortened by rule: the oldest lines go first, promises never."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from diplomat.agents.llm.memory import Chapter, Line
from diplomat.agents.llm.safe import tokens


@dataclass(frozen=True, slots=True)
class Measure:
    """How much of a chapter is told again."""

    outcomes: int
    notes: int
    plans: int
    said: int
    """Messages of the chapter just past."""


FULL = Measure(outcomes=20, notes=2, plans=1, said=16)
SHORT = Measure(outcomes=5, notes=1, plans=0, said=4)


@dataclass(frozen=True, slots=True)
class Page:
    """What the diary says of one chapter."""

    heading: str
    lines: tuple[str, ...]


def diary(past: Sequence[Chapter], measure: Measure, room: int) -> list[Page]:
    """The pages of past chapters that fit into so many tokens, the newest kept."""
    pages: list[Page] = []
    for chapter in reversed(past):
        chosen = _chosen(chapter.lines, measure)
        kept: list[str] = []
        for text in reversed([line.text for line in chosen]):
            room -= tokens(text)
            if room < 0:
                break
            kept.append(text)
        if kept:
            pages.append(Page(chapter.heading, tuple(reversed(kept))))
        if room < 0:
            break
    return pages[::-1]


def last_said(past: Sequence[Chapter], measure: Measure) -> list[str]:
    """The last messages of the chapter just past: what it said is told once more, and then never again."""
    said = [line.text for line in past[-1].lines if line.kind == "said"] if past else []
    return said[len(said) - measure.said :] if len(said) > measure.said else said


def _chosen(lines: Sequence[Line], measure: Measure) -> list[Line]:
    """The lines worth telling again, in their order: the same ones in every later chapter."""
    left = {"outcome": measure.outcomes, "note": measure.notes, "plan": measure.plans, "said": 0, "told": 0}
    chosen: list[Line] = []
    for line in reversed(lines):
        if left[line.kind] > 0:
            left[line.kind] -= 1
            chosen.append(line)
    return chosen[::-1]


def newest(texts: Sequence[str], room: int, left_out: str) -> list[str]:
    """The newest lines that fit into so many tokens; the cut is marked."""
    kept: list[str] = []
    for text in reversed(texts):
        room -= tokens(text)
        if room < 0:
            kept.append(left_out)
            break
        kept.append(text)
    return kept[::-1]
