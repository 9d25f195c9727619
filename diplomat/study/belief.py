"""What receivers made of a word: from what they answered and from what they did, kept apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from diplomat.core.audience import Seat
from diplomat.study.rows import EVERYBODY, Faith, Perception, Promise, SpeechAct
from diplomat.study.vocabulary import Guarding

_LABELS: dict[str, Faith] = {"accept": "believed", "refuse": "doubted", "believed": "believed", "doubted": "doubted"}
_ORDER = ("rating", "answer", "deed", "none")


def perceptions(
    promise: Promise, seats: Sequence[Seat], acts: Iterable[SpeechAct], guarding: Guarding | None
) -> Iterator[Perception]:
    """One row for each receiver and method that shows anything; else one row that says so.

    A refused offer is no row: it never became a promise, and refusing an offer is not doubting a word.
    """
    for receiver in seats:
        if receiver == promise.debtor or not (promise.creditors == (EVERYBODY,) or receiver in promise.creditors):
            continue
        found = [*_answered(promise, receiver, acts), *_done(promise, receiver, guarding)]
        yield from found or [Perception(promise.pid, receiver, 0, "none", "none", "")]


def _answered(promise: Promise, receiver: Seat, acts: Iterable[SpeechAct]) -> Iterator[Perception]:
    """The receiver's first yes or no to the words that gave the promise."""
    words = {promise.offer, *(span.message for span in promise.mentions)} - {""}
    for act in acts:
        answers = act.speaker == receiver and act.ref in words and act.act in ("accept", "refuse")
        if answers and act.n > promise.said_n:
            yield Perception(promise.pid, receiver, act.n, _LABELS[act.act], "answer", act.act)
            return


def _done(promise: Promise, receiver: Seat, guarding: Guarding | None) -> Iterator[Perception]:
    """Whether it guarded itself at the first point of the promise."""
    if promise.goal is None or promise.fault or promise.act == "threat" or guarding is None:
        return
    label, n = guarding.faith(receiver, promise.goal)
    if label:
        yield Perception(promise.pid, receiver, n, _LABELS[label], "deed", "guard")


def summed(rows: Sequence[Perception]) -> Faith:
    """One label for all receivers by the best method that anybody has a label of; ``none`` if they differ."""
    for method in _ORDER[:-1]:
        labels = {row.label for row in rows if row.method == method}
        if labels:
            return labels.pop() if len(labels) == 1 else "none"
    return "none"
