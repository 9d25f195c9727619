"""Do coders mark the same words: token-level F1, and the share of spans that match exactly or overlap."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from diplomat.study.stats.detection import f1
from diplomat.study.stats.intervals import ratio

Span = tuple[int, int]
"""Start and end in code points, end not included."""

TOKEN = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class SpanAgreement:
    """How two sets of spans over the same messages agree."""

    token_f1: float
    """F1 of tokens inside spans (symmetric in the two coders)."""
    exact: float
    """Share of the first's spans that the second has exactly."""
    overlapping: float
    """Share of the first's spans that touch one of the second's."""
    spans: int
    """Spans of the first."""


def span_agreement(messages: Iterable[tuple[str, Sequence[Span], Sequence[Span]]]) -> SpanAgreement:
    """Compares two coders' spans, message by message: text, spans of the first, spans of the second.

    Token F1 in place of kappa because tokens outside spans have no count of their own: Hripcsak & Rothschild (2005),
    JAMIA 12:296-298.
    """
    both = only_first = only_second = exact = touching = spans = 0
    for text, first, second in messages:
        tokens = [(found.start(), found.end()) for found in TOKEN.finditer(text)]
        marked = {token for token in tokens if _touches(token, first)}
        other = {token for token in tokens if _touches(token, second)}
        both += len(marked & other)
        only_first += len(marked - other)
        only_second += len(other - marked)
        spans += len(first)
        exact += sum(span in second for span in first)
        touching += sum(_touches(span, second) for span in first)
    return SpanAgreement(f1(both, only_first, only_second), ratio(exact, spans), ratio(touching, spans), spans)


def _touches(span: Span, others: Sequence[Span]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in others)
