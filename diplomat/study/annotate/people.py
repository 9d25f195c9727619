"""Whose codings count: one coding per message of one game, by people or by a model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from diplomat.study.annotate.rows import Annotation


@dataclass(frozen=True, slots=True)
class Chosen:
    """Codings of one game."""

    codings: Mapping[str, Annotation]
    """One per message, by its id; messages that are not here have none that counts."""
    unsettled: tuple[Annotation, ...] = ()
    """Those of several coders of whom nobody said who counts; none of them does."""


def gold(rows: Iterable[Annotation], coder: str | None = None) -> Chosen:
    """People's codings: the adjudicated one of a message, else that of the coder; never a model's."""
    named = None if coder is None or is_model(coder) else coder
    return _chosen([row for row in rows if row.by != "llm"], named)


def of_model(rows: Iterable[Annotation], coder: str | None = None) -> Chosen:
    """The codings of the one model, or of the one that is named."""
    named = coder if coder is not None and is_model(coder) else None
    return _chosen([row for row in rows if row.by == "llm"], named)


def is_model(coder: str) -> bool:
    """Whether a coder is a model; a person cannot be called so."""
    return coder.startswith("llm:")


def _chosen(rows: list[Annotation], coder: str | None) -> Chosen:
    if coder is not None:
        return Chosen({row.message: row for row in rows if row.coder == coder})
    settled = {row.message: row for row in rows if row.by == "adjudicated"}
    loose = [row for row in rows if row.message not in settled]
    if len({row.coder for row in loose}) > 1:
        return Chosen(settled, tuple(loose))
    return Chosen({**{row.message: row for row in loose}, **settled})
