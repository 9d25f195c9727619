"""Two independent readings of one message as one: what they differ in is marked and counts for less."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from diplomat.study.annotate.scheme import QUALIFIERS, SWITCHES, Coded
from diplomat.study.drafts import goal_key

DOUBT = 0.5
"""By what the confidence of a disputed act is multiplied."""


def merged(readings: Sequence[Sequence[Coded]]) -> tuple[Coded, ...]:
    """One or two readings as one list of acts, in the order of the words.

    An act is the same in both if its kind is and the words meet; the first reading's words and codes are taken, and
    ``disputed`` says what the second had otherwise.
    """
    if not readings:
        return ()
    if len(readings) == 1:
        return tuple(replace(act, confidence=act.confidence * DOUBT, disputed="single") for act in readings[0])
    first, rest = readings[0], list(readings[1])
    made = []
    for act in first:
        match = next((other for other in _nearest(act, rest) if _same(act, other)), None)
        if match is None:
            made.append(_doubted(act, "one_reading"))
            continue
        rest.remove(match)
        both = replace(act, confidence=(act.confidence + match.confidence) / 2)
        why = _difference(act, match)
        made.append(_doubted(both, why) if why else both)
    made += [_doubted(act, "one_reading") for act in rest]
    return tuple(sorted(made, key=lambda act: (act.start, act.end, act.act)))


def _nearest(act: Coded, others: Sequence[Coded]) -> list[Coded]:
    """Those that agree in their goals first."""
    return sorted(others, key=lambda other: (_goals(act) != _goals(other), abs(act.start - other.start)))


def _same(one: Coded, other: Coded) -> bool:
    return one.act == other.act and one.start < other.end and other.start < one.end


def _difference(one: Coded, other: Coded) -> str:
    if _goals(one) != _goals(other) or one.ref != other.ref:
        return "goals"
    codes = (*QUALIFIERS, *SWITCHES)
    return "codes" if any(getattr(one, name) != getattr(other, name) for name in codes) else ""


def _goals(act: Coded) -> tuple[list[str], list[str], str]:
    return sorted(map(goal_key, act.goals)), sorted(map(goal_key, act.given)), act.fault


def _doubted(act: Coded, why: str) -> Coded:
    return replace(act, confidence=act.confidence * DOUBT, disputed=why)
