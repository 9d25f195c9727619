"""A promise while its log grows: mentions, replies and rivals are still being added to it."""

from __future__ import annotations

from dataclasses import dataclass, field

from diplomat.core.audience import Seat
from diplomat.core.pledges import Goal
from diplomat.study.rows import EVERYBODY, Promise, Span
from diplomat.study.sources import Said
from diplomat.study.vocabulary import Mode


@dataclass(slots=True)
class Draft:
    """A promise while its log grows; :meth:`row` is its final form."""

    pid: str
    debtor: Seat
    creditors: tuple[Seat, ...]
    """Empty: everybody."""
    act: str
    goal: Goal | None
    given: tuple[Goal, ...]
    said: Said
    source: str
    confidence: float
    message: str
    """Id of the debtor's own words."""
    said_n: int
    made_n: int
    made_point: int
    known_to: tuple[str, ...]
    stated: bool
    offer: str = ""
    mentions: list[Span] = field(default_factory=list)
    mutual_of: list[str] = field(default_factory=list)
    conflicts: list[str] = field(default_factory=list)
    superseded_by: str = ""
    superseded_n: int = 0
    released_n: int = 0
    notice_n: int = 0
    fault: str = ""

    @property
    def words(self) -> tuple[str, ...]:
        """Ids by which a plan may speak of it: the debtor's messages and the offer."""
        return (*dict.fromkeys(span.message for span in self.mentions), *([self.offer] if self.offer else []))

    @property
    def standing(self) -> bool:
        """Whether nothing was said that replaced it."""
        return not (self.superseded_by or self.released_n or self.fault)

    def owes(self, seat: Seat) -> bool:
        """Whether the word was given to that seat."""
        return seat != self.debtor and (not self.creditors or seat in self.creditors)

    def row(self, mode: Mode | None) -> Promise:
        """The finished row."""
        goal = self.goal
        return Promise(
            pid=self.pid,
            debtor=self.debtor,
            creditors=self.creditors or (EVERYBODY,),
            act=self.act,
            goal=goal,
            antecedent=self.given,
            conditional=bool(self.given),
            polarity="" if goal is None or mode is None else "dont" if mode == "never" else "do",
            level=self.said.level,
            certainty=self.said.certainty,
            explicitness=self.said.explicitness,
            audience="public" if self.known_to == (EVERYBODY,) else "private",
            said_n=self.said_n,
            made_n=self.made_n,
            made_point=self.made_point,
            window_start=goal.first if goal else self.made_point,
            window_end=goal.last if goal else self.made_point,
            horizon_source="stated" if self.stated else "default",
            mentions=tuple(self.mentions),
            offer=self.offer,
            mutual_of=tuple(self.mutual_of),
            conflicts_with=tuple(self.conflicts),
            superseded_by=self.superseded_by,
            superseded_n=self.superseded_n,
            released_n=self.released_n,
            notice_n=self.notice_n,
            goal_key=goal_key(goal),
            source=self.source,
            confidence=self.confidence,
            known_to=self.known_to,
            fault=self.fault,
        )


def goal_key(goal: Goal | None, *, rounds: bool = True) -> str:
    """A goal as one line of text, the same for equal goals.

    >>> goal_key(Goal("spare", Seat("s1"), 1, 2, {"target": "s2"}))
    's1:spare:target=s2:1-2'
    """
    if goal is None:
        return ""
    args = ",".join(f"{name}={goal.args[name]}" for name in sorted(goal.args))
    return f"{goal.by}:{goal.verb}:{args}" + (f":{goal.first}-{goal.last}" if rounds else "")
