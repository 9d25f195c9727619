"""Logs, units and codings for the tests of this folder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from diplomat.core.audience import Seat
from diplomat.core.pledges import Goal
from diplomat.study.annotate.rows import Annotation, text_hash
from diplomat.study.annotate.scheme import Coded
from diplomat.study.annotate.store import Store
from diplomat.study.annotate.units import Log, Unit
from diplomat.study.sources import Past
from diplomat.study.vocabulary import Vocabulary, vocabulary_of

S1, S2, S3 = Seat("s1"), Seat("s2"), Seat("s3")
STAMP = "2026-11-30T00:00:00.000+00:00"


def spare(by: Seat, target: Seat, first: int = 1, last: int = 1) -> Goal:
    return Goal("not_attack", by, first, last, {"target": target})


def act(unit: Unit, words: str, kind: str = "promise", **codes: Any) -> Coded:
    start = unit.message.text.index(words)
    return Coded(kind, start, start + len(words), words, **codes)


def coding(unit: Unit, coder: str, *acts: Coded, **changes: Any) -> Annotation:
    made = Annotation(
        unit.log.identity, unit.log.name, unit.message.id, text_hash(unit.message.text), coder, acts, at=STAMP
    )
    return replace(made, **changes)


def write(path: Path, rows: Sequence[Annotation]) -> Path:
    with Store(path) as store:
        store.write_all(list(rows))
    return path


def words_of(unit: Unit) -> Vocabulary:
    found = vocabulary_of(unit.log.game)
    assert found is not None
    return found


def first(log: Log) -> Unit:
    return log.units[0]


def past(**changes: Any) -> Past:
    made = Past(n=1, seats=(S1, S2, S3), roles={S1: "crab", S2: "lion", S3: "crane"}, now=1, last=3)
    return replace(made, **changes)
