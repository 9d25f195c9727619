"""What a seat meant by its word: read from plans sealed beside its messages, as logic on goals, never from words.

A plan is testimony written down at that moment, not belief; reports call it *stated* intent.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import dropwhile, pairwise

from diplomat.core.audience import Seat
from diplomat.core.pledges import Goal
from diplomat.core.proceedings import PlanSealed
from diplomat.study.drafts import Draft, goal_key
from diplomat.study.rows import Intent, Meaning, Outcome, Status
from diplomat.study.vocabulary import Chronicle, Vocabulary

SAID: Mapping[str, Meaning] = {"yes": "sincere", "no": "insincere", "unsure": "undecided"}
IMPLIED: Mapping[str, Meaning] = {"fits": "sincere", "against": "insincere"}
OUTCOMES: Mapping[tuple[Meaning, Status], Outcome] = {
    ("sincere", "kept"): "honoured",
    ("sincere", "broken"): "changed_mind",
    ("insincere", "kept"): "relented",
    ("insincere", "broken"): "premeditated",
    ("undecided", "kept"): "kept_undecided",
    ("undecided", "broken"): "broken_undecided",
    ("no_evidence", "kept"): "kept_unknown",
    ("no_evidence", "broken"): "broken_unknown",
}


def outcome(meant: Meaning, did: Status) -> Outcome:
    """Meaning at the time of speaking against what became of it.

    >>> outcome("sincere", "broken"), outcome("insincere", "void"), outcome("sincere", "pending")
    ('changed_mind', 'moot', 'open')
    """
    return "moot" if did == "void" else OUTCOMES.get((meant, did), "open")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A sealed plan with the goals that it bears on, compared as the game stood then."""

    n: int
    point: int
    request: str
    seat: Seat
    messages: tuple[str, ...]
    keep: Mapping[str, str]
    relations: Mapping[str, str]
    """``fits``, ``against`` or ``silent`` by goal."""


class Plans:
    """All sealed plans of a log so far."""

    def __init__(self, vocabulary: Vocabulary | None, chronicle: Chronicle | None) -> None:
        self.snapshots: dict[Seat, list[Snapshot]] = {}
        self._vocabulary = vocabulary
        self._chronicle = chronicle

    def take(self, n: int, event: PlanSealed, goals: Iterable[Goal]) -> None:
        """Takes a plan in; ``goals`` are those that its seat has promised or offered so far."""
        by_key = {goal_key(goal, rounds=False): goal for goal in goals}
        mode = None if self._vocabulary is None else self._vocabulary.mode
        planned = [one for one in event.plan.goals if mode is not None and mode(one.verb) is not None]
        relations = {key: self._relation(goal, planned) for key, goal in by_key.items()}
        point = self._chronicle.now if self._chronicle else 0
        self.snapshots.setdefault(event.seat, []).append(
            Snapshot(n, point, event.request, event.seat, event.messages, dict(event.plan.keep), relations)
        )

    def _relation(self, goal: Goal, planned: Sequence[Goal]) -> str:
        """How planned goals of the game bear on a promised one: to do it fits, to do what excludes it is against it."""
        vocabulary, chronicle = self._vocabulary, self._chronicle
        if vocabulary is None or chronicle is None or vocabulary.mode(goal.verb) is None:
            return "silent"
        ours = [one for one in planned if one.by == goal.by and one.first <= goal.last and goal.first <= one.last]
        if any(chronicle.contradicts(goal, one) for one in ours):
            return "against"
        fits = any(chronicle.serves(one, goal) for one in ours)
        return "fits" if fits or (vocabulary.mode(goal.verb) == "never" and bool(ours)) else "silent"

    def of(self, draft: Draft, until: int) -> list[Intent]:
        """What each plan said of a promise, from its first saying to event ``until``; one row at least."""
        own = {span.message for span in draft.mentions}
        first = draft.message
        key, words = goal_key(draft.goal, rounds=False), draft.words
        found: list[Intent] = []
        for shot in self.snapshots.get(draft.debtor, ()):
            if shot.n <= draft.said_n or (until and shot.n >= until):
                continue
            keep = next((shot.keep[name] for name in words if name in shot.keep), "")
            sent = bool(own.intersection(shot.messages))
            spoken = sent or bool(keep) or shot.relations.get(key) == "against"
            if spoken:
                found.append(_row(draft.pid, shot, keep, shot.relations.get(key, "silent"), sent))
        if not any(one.at_sending and first in self._messages(draft.debtor, one.n) for one in found):
            blank = Intent(
                draft.pid, draft.said_n, draft.made_point, "", True, "no_evidence", "none", "", "silent", False
            )
            found.insert(0, blank)
        return found

    def _messages(self, seat: Seat, n: int) -> tuple[str, ...]:
        return next((shot.messages for shot in self.snapshots.get(seat, ()) if shot.n == n), ())


def _row(pid: str, shot: Snapshot, keep: str, relation: str, sent: bool) -> Intent:
    """A plan's word on a promise: what it says outright goes before what its goals imply."""
    said = SAID.get(keep)
    implied = IMPLIED.get(relation, "undecided")
    torn = (said, relation) in (("sincere", "against"), ("insincere", "fits"))
    return Intent(
        pid, shot.n, shot.point, shot.request, sent, said or implied, "keep" if said else "goals", keep, relation, torn
    )


def meant(rows: Sequence[Intent]) -> Meaning:
    """What was meant when the word was last given: a plan sealed with a repeated saying replaces the earlier one."""
    return next(row.intent for row in reversed(rows) if row.at_sending)


def turn(rows: Sequence[Intent]) -> tuple[int, int]:
    """The plan that first turned against a word meant sincerely, and the one before it; zeros if none did.

    It may have gone out with the word itself, said again.
    """
    for before, after in pairwise(dropwhile(lambda row: row.intent != "sincere", rows)):
        if after.intent == "insincere":
            return after.n, before.n
    return 0, 0
