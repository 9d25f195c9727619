"""What became of a promise: a pure function of the promise, the log and the vocabulary.

Words are judged by deeds alone.  Whatever is not ``pending`` stays as it is however the log grows; in doubt a
promise is pending or untestable, never broken.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from diplomat.core.audience import Seat
from diplomat.core.pledges import Goal
from diplomat.study.rows import EVERYBODY, Promise, Resolution, Status
from diplomat.study.vocabulary import Chronicle, Hit, Mode, Vocabulary

NO_VOCABULARY = "no_vocabulary"
"""Why a promise of a game without a vocabulary is untestable."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What became of a goal, seen alone or with what was said about it."""

    status: Status
    reason: str = ""
    point: int = 0
    n: int = 0
    hits: tuple[Hit, ...] = ()


PENDING = Finding("pending")


@dataclass(slots=True)
class Judge:
    """A log as far as it goes, ready to be asked about promises."""

    vocabulary: Vocabulary | None
    chronicle: Chronicle | None
    closings: Mapping[int, int] = field(default_factory=dict)
    """Event with which each point was over."""
    ended: int = 0
    """Event with which the game was over, 0 before."""

    def resolve(self, promise: Promise) -> Resolution:
        """The fate of one promise; what the promises given in return have to do with it is added by :func:`linked`."""
        goal, found = promise.goal, self._found(promise)
        mode = None if goal is None or self.vocabulary is None else self.vocabulary.mode(goal.verb)
        return Resolution(
            pid=promise.pid,
            status=found.status,
            reason=found.reason,
            t_final=found.point,
            n_final=found.n,
            evidence=tuple(dict.fromkeys(hit.n for hit in found.hits)),
            evidence_ids=tuple(name for hit in found.hits for name in hit.ids),
            binding=self._binding(promise, mode, found),
            attempt_ok=None if mode != "by" or found.status == "pending" else bool(found.hits),
            outcome_ok=_success(found.hits) if mode == "by" else None,
            excused_by=(),
            retaliatory=False,
            with_notice=found.status == "broken" and 0 < promise.notice_n < found.n,
            status_next=self._longer(promise, mode, 1),
            status_end=self._longer(promise, mode, None),
            registry="" if self.vocabulary is None else self.vocabulary.version,
        )

    # One promise ------------------------------------------------------------------------------------

    def _found(self, promise: Promise) -> Finding:
        """The verdict on the deeds, unless the promise had been replaced, given back or made moot before them."""
        if promise.fault:
            return Finding(
                "untracked" if promise.fault == "untracked" else "untestable", promise.fault, promise.made_point
            )
        if promise.goal is None or self.vocabulary is None or self.chronicle is None:
            return Finding("untestable", NO_VOCABULARY if promise.goal else "no_goal", promise.made_point)
        if self.vocabulary.mode(promise.goal.verb) is None:
            return Finding("untracked", promise.goal.verb, promise.made_point)
        found = self._left_game(promise, self.fate(promise.goal, promise.level))
        for n, why in ((promise.released_n, "released"), (promise.superseded_n, "superseded")):
            if n and (found.status == "pending" or n < found.n):
                return Finding("void", why, self._point_of(n), n)
        return self._conditioned(promise, found)

    def fate(self, goal: Goal, level: str = "order") -> Finding:
        """What became of a goal alone: its own mode, its points, its deeds."""
        assert self.vocabulary is not None
        assert self.chronicle is not None
        chronicle, mode = self.chronicle, self.vocabulary.mode(goal.verb)
        hits = [hit for hit in chronicle.hits(goal) if hit.point <= chronicle.closed]
        if mode == "by":
            hits = [hit for hit in hits if level == "order" or hit.success]
        if hits:
            return Finding("kept" if mode == "by" else "broken", "", hits[0].point, hits[0].n, tuple(hits))
        if chronicle.closed >= goal.last:
            return self._undone(goal, mode, goal.last, self.closings.get(goal.last, 0))
        if not chronicle.over:
            return PENDING
        if mode == "by":
            return Finding("void", "game_over", chronicle.closed, self.ended)
        return self._undone(goal, mode, chronicle.closed, self.ended)

    def _undone(self, goal: Goal, mode: Mode | None, point: int, n: int) -> Finding:
        """A goal whose points are over without a deed of it."""
        if mode != "by":
            return Finding("kept", "", point, n)
        if self._possible(goal, point) is False:
            return Finding("void", "impossible", point, n)
        return Finding("broken", "", point, n)

    def _left_game(self, promise: Promise, found: Finding) -> Finding:
        """Nobody can keep a word, or be kept one, after leaving the game."""
        assert self.chronicle is not None
        assert promise.goal is not None
        parties: list[tuple[int, str]] = [(self.chronicle.out(promise.goal.by), "debtor_out")]
        if promise.creditors != (EVERYBODY,):
            gone = [self.chronicle.out(Seat(seat)) for seat in promise.creditors]
            parties.append((max(gone) if gone and all(gone) else 0, "creditor_out"))
        for point, why in sorted(parties):
            if not point or point > self.chronicle.closed:
                continue
            decided = found.hits[0].point if found.hits else promise.goal.last
            if found.status == "pending" or point < decided or (point == decided and not found.hits):
                return Finding("void", why, point, self.closings.get(point, 0))
        return found

    def _conditioned(self, promise: Promise, found: Finding) -> Finding:
        """A verdict seen together with its conditions; what happens at the same point counts."""
        assert self.vocabulary is not None
        assert promise.goal is not None
        decided = found.point if found.status != "pending" else None
        for goal in promise.antecedent:
            mode = self.vocabulary.mode(goal.verb)
            if mode is None:
                return Finding("untestable", "condition", promise.made_point)
            met = self.fate(goal)
            if mode == "by":
                if met.status == "pending":
                    found = PENDING
                elif met.status != "kept":
                    return Finding("void", "condition_unmet", met.point, met.n)
            elif met.status == "broken" and (decided is None or met.point <= decided):
                return Finding("void", "condition_unmet", met.point, met.n, met.hits)
        return found

    def _point_of(self, n: int) -> int:
        """The decision point at which event ``n`` happened."""
        before = [point for point, closing in self.closings.items() if closing < n]
        return max(before, default=0) + 1

    # What could have been ---------------------------------------------------------------------------

    def _possible(self, goal: Goal, through: int) -> bool | None:
        """Whether a deed of the goal was possible at one of its points up to ``through``; None: the log is silent."""
        assert self.chronicle is not None
        seen: list[bool | None] = []
        for point in range(goal.first, min(goal.last, through) + 1):
            seen.append(self.chronicle.can(goal, point))
            if seen[-1]:
                return True
        return None if None in seen or not seen else False

    def _binding(self, promise: Promise, mode: Mode | None, found: Finding) -> bool | None:
        """To leave undone is always possible, so a promise binds where its deed was."""
        if promise.goal is None or mode is None or self.chronicle is None or promise.fault:
            return None
        # A point during which it was given back or replaced was still open then.
        through = found.point - (found.reason in ("released", "superseded"))
        return self._possible(promise.goal, self.chronicle.closed if found.status == "pending" else through)

    def _longer(self, promise: Promise, mode: Mode | None, points: int | None) -> str:
        """The status that a longer reading of unstated rounds would give."""
        if promise.horizon_source != "default" or mode != "never" or promise.goal is None or self.chronicle is None:
            return ""
        end = self.chronicle.last if points is None else min(self.chronicle.last, promise.goal.last + points)
        return self._found(replace(promise, goal=replace(promise.goal, last=max(end, promise.goal.last)))).status


def _success(hits: Sequence[Hit]) -> bool | None:
    """Whether any attempt had its effect."""
    known = [hit.success for hit in hits if hit.success is not None]
    return any(known) if known else None


def linked(promises: Sequence[Promise], resolutions: Sequence[Resolution]) -> tuple[Resolution, ...]:
    """Breaches that answer an earlier breach of a promise given in return: still broken, shown as retaliatory."""
    by_pid = {one.pid: one for one in resolutions}
    found: list[Resolution] = []
    for promise, one in zip(promises, resolutions, strict=True):
        before = tuple(
            pid
            for pid in promise.mutual_of
            if one.status == "broken" and by_pid[pid].status == "broken" and by_pid[pid].t_final < one.t_final
        )
        found.append(replace(one, excused_by=before, retaliatory=True) if before else one)
    return tuple(found)
